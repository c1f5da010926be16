//! The site: its links, and what it does in a browser.
//!
//! The browser is Chromium with ChromeDriver, and accessibility is checked by axe-core. What is not on the machine is left out
//! with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;
use std::{fs, thread};

use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use urlstrata_harness::report;
use urlstrata_harness::world::World;

/// The files of the site.
static SITE: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let world = World::embedded().and_then(World::for_reports).expect("files in order");
    report::write(&world, true).expect("reports").site.into_iter().collect()
});

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
            let is_found = ids.get(file.as_str()).is_some_and(|ids| fragment.is_empty() || ids.contains(fragment));
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
fn confusing_text_of_vectors_is_escaped() {
    let page = &SITE["pairs/found-confusion.html"];
    assert!(page.contains("http://h/?&lt;&gt;&quot;"), "the vector h-4 is escaped");
    for (name, html) in SITE.iter().filter(|(name, _)| name.ends_with(".html")) {
        let invisible = html.chars().find(|c| urlstrata_harness::escape::is_invisible(*c) && *c != '\n');
        assert_eq!(invisible, None, "{name}");
    }
}

/// A folder with the site, and a browser. Both are removed at the end.
struct Browser {
    driver: Child,
    client: Client,
    folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Returns the path of the program `name` if it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

impl Browser {
    /// Writes the site to a folder and starts a browser with a window of `width` pixels, in dark colours if `dark` is true.
    async fn start(width: u32, dark: bool) -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        for (name, text) in SITE.iter() {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            fs::write(path, text)?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut arguments = vec![
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            format!("--window-size={width},900"),
        ];
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let capabilities = json!({
            "goog:chromeOptions": {"args": arguments, "mobileEmulation": {"deviceMetrics": {"width": width, "height": 900, "pixelRatio": 1}}},
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(capabilities);
        for _ in 0..100 {
            if let Ok(client) = builder.connect(&format!("http://127.0.0.1:{port}")).await {
                return Ok(Self { driver, client, folder });
            }
            thread::sleep(Duration::from_millis(100));
        }
        Err("ChromeDriver does not answer".into())
    }

    /// Opens a page of the site. `page` may contain a fragment.
    async fn open(&self, page: &str) -> Result<(), Box<dyn Error>> {
        // A new document, also if only the fragment changes.
        self.client.goto("about:blank").await?;
        Ok(self.client.goto(&format!("file://{}/{page}", self.folder.path().display())).await?)
    }

    async fn run(&self, script: &str) -> Result<Value, Box<dyn Error>> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }
}

/// Returns whether the browser is installed, and prints what is left out otherwise.
fn has_browser(what: &str) -> bool {
    let missing: Vec<_> = ["chromium", "chromedriver"].into_iter().filter(|name| installed(name).is_none()).collect();
    if !missing.is_empty() {
        println!("{what}: left out, because {} is not installed", missing.join(" and "));
    }
    missing.is_empty()
}

fn in_browser<F: Future<Output = Result<(), Box<dyn Error>>>>(test: impl FnOnce() -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(test()).unwrap_or_else(|error| panic!("{error}"));
}

const SHOWN_ROWS: &str =
    "return [...document.querySelectorAll('#grid tbody tr')].filter((row) => !row.hidden).map((row) => row.id)";

#[test]
fn filters_show_rows_and_have_permalinks() {
    if !has_browser("filters") {
        return;
    }
    in_browser(|| async {
        let browser = Browser::start(1280, false).await?;
        browser.open("rules.html#language=Go").await?;
        assert_eq!(browser.run(SHOWN_ROWS).await?, json!(["go-net-url"]));
        browser.client.find(Locator::Css("input[name=text]")).await?.send_keys("nothing has this name").await?;
        assert_eq!(browser.run(SHOWN_ROWS).await?, json!([]));
        assert!(
            browser.client.current_url().await?.fragment().is_some_and(|it| it.contains("text=nothing+has+this+name"))
        );
        // Bad input: markup, invalid percent-encoding, unknown names and a long text.
        let long = format!("rules.html#text={}", "x".repeat(100_000));
        for page in [
            "rules.html#text=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
            "rules.html#text=%zz%",
            "rules.html#a=b&language=nowhere",
            &long,
        ] {
            browser.open(page).await?;
            let found = browser.run(SHOWN_ROWS).await?;
            assert!(found.is_array(), "{}: {found}", &page[..page.len().min(80)]);
            assert_eq!(browser.run("return document.querySelectorAll('main script').length").await?, json!(0));
        }
        browser.open("rules.html#column=excess").await?;
        let columns = "return [...document.querySelectorAll('#grid thead th[data-column]')].filter((cell) => !cell.hidden).length";
        assert_eq!(browser.run(columns).await?, json!(1));
        Ok(())
    });
}

/// A page of each kind.
const KINDS: [&str; 10] = [
    "index.html",
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

#[test]
fn pages_fit_narrow_and_wide_windows_without_errors() {
    if !has_browser("sizes of pages") {
        return;
    }
    in_browser(|| async {
        for width in [360, 1280] {
            let browser = Browser::start(width, false).await?;
            for page in KINDS {
                browser.open(page).await?;
                let overflow = browser.run("return document.documentElement.scrollWidth - innerWidth").await?;
                assert!(overflow.as_i64().is_some_and(|it| it <= 0), "{page} is {overflow} pixels too wide at {width}");
                let requests = "return performance.getEntriesByType('resource').map((it) => it.name).filter((it) => !it.startsWith('file:'))";
                assert_eq!(browser.run(requests).await?, json!([]), "{page}");
            }
        }
        Ok(())
    });
}

#[test]
fn axe_finds_no_violation() {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe/node_modules/axe-core/axe.min.js");
    let Ok(axe) = fs::read_to_string(axe) else {
        println!("accessibility: left out; `npm install --prefix target/axe axe-core` installs the checker");
        return;
    };
    if !has_browser("accessibility") {
        return;
    }
    in_browser(|| async {
        for dark in [false, true] {
            let browser = Browser::start(1280, dark).await?;
            for page in KINDS {
                browser.open(page).await?;
                browser.run(&axe).await?;
                let check = "const done = arguments[arguments.length - 1];
                    const run = axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']});
                    run.then((found) => done(found.violations.map((it) => [it.id, it.help, it.nodes[0].html.slice(0, 200), it.nodes[0].failureSummary])));";
                let found = browser.client.execute_async(check, Vec::new()).await?;
                assert_eq!(found, json!([]), "{page}, dark: {dark}");
            }
        }
        Ok(())
    });
}
