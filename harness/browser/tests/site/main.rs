//! The site: its links, and what it does in a browser.
//!
//! The browser is Chromium with ChromeDriver, and accessibility is checked by axe-core. What is not on the machine is left out
//! with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

mod browser;
mod http;
mod playground;
mod webdriver;

use browser::{Browser, has_browser};

/// The name and the text of each file of the site.
type Files = BTreeMap<String, String>;

/// The files of the site. They include the playground if the compiler has the standard library for WebAssembly.
static SITE: LazyLock<Files> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let report = |options: &[&str]| {
        let mut command = urlstrata();
        command.current_dir(repository()).arg("report").arg("--html").arg(folder.path()).args(options);
        command.output().expect("the command runs")
    };
    let mut ended = report(&["--playground"]);
    let reason = String::from_utf8_lossy(&ended.stderr).into_owned();
    if ended.status.code() == Some(64) && reason.contains("has no standard library for wasm32") {
        println!("playground: left out, because {reason}");
        ended = report(&[]);
    }
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let mut files = Files::new();
    collect(folder.path(), folder.path(), &mut files);
    files
});

/// The folder of the repository.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the package is two folders below")
}

/// The command `urlstrata`, which is built if it is not current.
static COMMAND: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--release", "--package", "urlstrata-command"]);
    build.args(["--message-format", "json-render-diagnostics"]).current_dir(repository()).stderr(Stdio::inherit());
    let built = build.output().expect("cargo runs");
    assert!(built.status.success(), "the command is built");
    // Cargo writes a line for each target that it has built, and only programs have a path of an executable file.
    let lines = built.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let messages = lines.map(|line| serde_json::from_slice::<Value>(line).expect("JSON"));
    let executable = |message: &Value| message["executable"].as_str().map(PathBuf::from);
    let mut programs = messages.filter(|message| message["target"]["name"] == "urlstrata");
    programs.find_map(|message| executable(&message)).expect("the path of the command")
});

/// Returns a call of the command `urlstrata`.
fn urlstrata() -> Command {
    Command::new(&*COMMAND)
}

/// Adds the files in `folder` and its subfolders to `files`, with names relative to `root`.
fn collect(root: &Path, folder: &Path, files: &mut Files) {
    for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// Returns the values of the attribute `name` in `html`. Pages are generated, so attributes have a single form.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&#x2f;", "/").replace("&amp;", "&")).collect()
}

/// Returns the path of the file to which `address` leads from the file `from`.
fn resolved(from: &str, address: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    match address.strip_prefix("../") {
        Some(rest) => rest.to_owned(),
        None if folder.is_empty() => address.to_owned(),
        None => format!("{folder}/{address}"),
    }
}

#[test]
fn every_link_leads_to_a_page_and_an_element() {
    let ids: BTreeMap<&str, BTreeSet<String>> =
        SITE.iter().map(|(name, html)| (name.as_str(), attributes(html, "id").into_iter().collect())).collect();
    let mut broken = BTreeSet::new();
    for (name, html) in SITE.iter().filter(|(name, _)| name.ends_with(".html")) {
        for address in attributes(html, "href").into_iter().chain(attributes(html, "src")) {
            if address.starts_with("https://") || address.starts_with("http://") {
                continue;
            }
            let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
            let file = if path.is_empty() { name.clone() } else { resolved(name, path) };
            let is_found = ids
                .get(file.as_str())
                // A fragment with values is the state of a page.
                .is_some_and(|ids| fragment.is_empty() || fragment.contains('=') || ids.contains(fragment));
            if !is_found {
                broken.insert(format!("{name}: {address}"));
            }
        }
    }
    assert!(broken.is_empty(), "{} broken links: {:#?}", broken.len(), broken.iter().take(10).collect::<Vec<_>>());
}

#[test]
fn pages_load_nothing_from_a_network() {
    for (name, html) in SITE.iter().filter(|(name, _)| name.ends_with(".html")) {
        for address in attributes(html, "src") {
            assert!(!address.contains("//"), "{name} loads {address}");
        }
        assert_eq!(html.matches("<link ").count(), 1, "{name} has one style sheet");
        assert!(html.matches("<script").count() <= 1 && !html.contains("<script src"), "{name}");
    }
}

#[test]
fn tables_are_complete_without_scripts() {
    let rows = SITE["rules.html"].matches("<tr id=").count();
    assert!(rows > 80, "{rows} rows");
    let visible = |page: &str| {
        let hidden: Vec<_> = SITE[page].split(" hidden").skip(1).collect();
        // Only forms are hidden, and paragraphs that are for a form.
        hidden.iter().all(|rest| rest.starts_with('>')) && SITE[page].matches("<tr hidden").count() == 0
    };
    assert!(visible("rules.html") && visible("index.html") && visible("hosts.html"));
}

#[test]
fn confusing_text_of_vectors_is_escaped() {
    let page = &SITE["pairs/found-confusion.html"];
    assert!(page.contains("http://h/?&lt;&gt;&quot;"), "the vector h-4 is escaped");
    for (name, html) in SITE.iter().filter(|(name, _)| name.ends_with(".html")) {
        let invisible = html.chars().find(|c| urlstrata_outcome::escape::is_invisible(*c) && *c != '\n');
        assert_eq!(invisible, None, "{name}");
    }
}

const SHOWN_ROWS: &str =
    "return [...document.querySelectorAll('#grid tbody tr')].filter((row) => !row.hidden).map((row) => row.id)";

#[test]
fn filters_show_rows_and_have_permalinks() {
    if !has_browser("filters") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open("rules.html#language=Go");
    assert_eq!(browser.run(SHOWN_ROWS), json!(["go-net-url"]));
    browser.session.type_into("input[name=text]", "nothing has this name");
    assert_eq!(browser.run(SHOWN_ROWS), json!([]));
    let url = browser.session.url();
    assert!(url.split_once('#').is_some_and(|(_, it)| it.contains("text=nothing+has+this+name")), "{url}");
    // Bad input: markup, invalid percent-encoding, unknown names and a long text.
    let long = format!("rules.html#text={}", "x".repeat(100_000));
    for page in [
        "rules.html#text=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "rules.html#text=%zz%",
        "rules.html#a=b&language=nowhere",
        &long,
    ] {
        browser.open(page);
        let found = browser.run(SHOWN_ROWS);
        assert!(found.is_array(), "{}: {found}", &page[..page.len().min(80)]);
        assert_eq!(browser.run("return document.querySelectorAll('main script').length"), json!(0));
    }
    browser.open("rules.html#column=excess");
    let columns =
        "return [...document.querySelectorAll('#grid thead th[data-column]')].filter((cell) => !cell.hidden).length";
    assert_eq!(browser.run(columns), json!(1));
}

/// A page of each kind.
const KINDS: [&str; 11] = [
    "index.html",
    playground::PAGE,
    "rules.html",
    "hosts.html",
    "pairs.html",
    "pairs/rfc3986-5.4.1.html",
    "recorded.html",
    "engines/urllib.html",
    "revisions.html",
    "report.html",
    "reading.html",
];

/// Returns a page of each kind that the site has.
fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().filter(|page| SITE.contains_key(page.split('#').next().unwrap_or(page)))
}

#[test]
fn pages_fit_narrow_and_wide_windows_without_errors() {
    if !has_browser("sizes of pages") {
        return;
    }
    for width in [360, 1280] {
        let browser = Browser::start(width, false);
        let others = SITE.keys().map(String::as_str).filter(|name| name.ends_with(".html") && !name.contains('/'));
        for page in kinds().chain(others) {
            browser.open(page);
            let overflow = browser.run("return document.documentElement.scrollWidth - innerWidth");
            assert!(overflow.as_i64().is_some_and(|it| it <= 0), "{page} is {overflow} pixels too wide at {width}");
            let requests = "return performance.getEntriesByType('resource').map((it) => it.name).filter((it) => !it.startsWith('file:'))";
            assert_eq!(browser.run(requests), json!([]), "{page}");
            assert_eq!(browser.session.log(), json!([]), "{page}");
        }
    }
}

#[test]
fn axe_finds_no_violation() {
    let axe = repository().join("target/axe/node_modules/axe-core/axe.min.js");
    let Ok(axe) = fs::read_to_string(axe) else {
        println!("accessibility: left out; `npm install --prefix target/axe axe-core` installs the checker");
        return;
    };
    if !has_browser("accessibility") {
        return;
    }
    for dark in [false, true] {
        let browser = Browser::start(1280, dark);
        for page in kinds() {
            browser.open(page);
            browser.run(&axe);
            let check = "const done = arguments[arguments.length - 1];
                // Rows of a table are alike, and some tables have thousands.
                document.querySelectorAll('tbody > tr:nth-child(n+40)').forEach((it) => it.remove());
                const run = axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']});
                run.then((found) => done(found.violations.map((it) => [it.id, it.help, it.nodes[0].html.slice(0, 200), it.nodes[0].failureSummary])));";
            let found = browser.session.execute_async(check, &[]);
            assert_eq!(found, json!([]), "{page}, dark: {dark}");
        }
    }
}
