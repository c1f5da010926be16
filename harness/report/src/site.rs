//! The reports as a site: static HTML pages that work from a folder and from any address.
//!
//! Most pages are the Markdown pages of the reports. The pages with filters, the matrix of hosts and the vectors have templates
//! of their own.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};
use serde::Serialize;

use super::{Pages, Report, page};
use urlstrata_harness::escape::visible;
use urlstrata_harness::outcome::location::Location;

mod markdown;
mod playground;
mod vectors;

pub(super) use playground::Playground;
pub(super) use vectors::VectorPage;
use vectors::VectorRow;

/// The pages of the navigation: their names and files.
const NAVIGATION: [(&str, &str); 9] = [
    (TRY, PLAYGROUND),
    ("Engines and rules", "rules.html"),
    ("Hosts", "hosts.html"),
    ("Pairs", "pairs.html"),
    ("Engines", "recorded.html"),
    ("Specifications", "revisions.html"),
    ("Threads", "threads.html"),
    ("Report", "report.html"),
    ("How to read", "reading.html"),
];

/// The page with the playground, which is part of the site only if its module is.
const PLAYGROUND: &str = "playground.html";
const TRY: &str = "Try a pair";

/// The pages with templates of their own, which replace the Markdown pages of the same name.
const OWN: [(&str, &str, &str); 5] = [
    ("index.html", "Which URL, which host, and by which rule?", include_str!("site/index.html.jinja")),
    ("rules.html", "Engines and rules", include_str!("site/rules.html.jinja")),
    ("hosts.html", "Hosts", include_str!("site/hosts.html.jinja")),
    ("pairs.html", "Pairs", include_str!("site/pairs.html.jinja")),
    (PLAYGROUND, TRY, include_str!("site/playground.html.jinja")),
];

const LAYOUT: &str = include_str!("site/layout.html.jinja");
const VECTORS: &str = include_str!("site/vectors.html.jinja");
const WHY: &str = include_str!("site/why.html.jinja");
const FRAGMENT_SCRIPT: &str = include_str!("site/fragment.js");
const FILTER_SCRIPT: &str = include_str!("site/filters.js");
const TRY_SCRIPT: &str = include_str!("site/try.js");
const STYLE: &str = include_str!("site/style.css");
const READING: &str = include_str!("site/reading.md");

/// A result, and those that return it.
/// The file with all results.
const JSON: &str = "report.json";

#[derive(Serialize)]
struct ResultRow {
    outcome: Value,
    /// The host of the URL, or a dash.
    host: String,
    by: Vec<String>,
}

/// A cell of the matrix of hosts.
#[derive(Serialize)]
struct MatrixCell {
    /// The id of the causes.
    id: String,
    causes: usize,
}

/// Renders the site. `pages` are the finished Markdown pages, `vectors` the pages of vectors, `playground` is the
/// WebAssembly module of the playground, and `campaign` the Markdown page of the fuzz campaigns.
///
/// # Errors
///
/// Returns a sentence if a template is invalid or uses a value that the report does not contain.
pub(super) fn render(
    report: &Report,
    pages: &Pages,
    vectors: &[VectorPage],
    playground: Option<&Playground>,
    campaign: Option<&str>,
) -> Result<Vec<(String, String)>, String> {
    let environment = environment(report)?;
    let report_value = Value::from(Serde(report));
    let showcase = VectorRow::of("showcase", None, &report.showcase);
    let mut nearest: Vec<String> = report.recorded.profiles().map(|profile| profile.nearest.clone()).collect();
    nearest.sort_unstable();
    nearest.dedup();
    let is_part = |file: &str| file != PLAYGROUND || playground.is_some();
    let navigation: Vec<_> = NAVIGATION.into_iter().filter(|(_, file)| is_part(file)).collect();
    let shared = context! {
        report => report_value,
        navigation,
        has_playground => playground.is_some(),
        playground => playground.map(|it| Value::from(Serde(it))),
        version => env!("CARGO_PKG_VERSION"),
        showcase => Value::from(Serde(&showcase)),
        answer => pages.answer.as_str(),
        nearest,
        table => Value::from(Serde(matrix(report))),
        pages => Value::from(Serde(vectors)),
    };
    let mut files = vec![("style.css".to_owned(), STYLE.to_owned())];
    files.extend(pages.json.clone().map(|json| (JSON.to_owned(), json)));
    let copied = pages.pages.iter().filter(|(name, _)| markdown::is_copied(name));
    files.extend(copied.cloned());
    if let Some(playground) = playground {
        files.push(("playground.wasm.js".to_owned(), playground.script.clone()));
    }
    for (file, title, _) in OWN.into_iter().filter(|(file, ..)| is_part(file)) {
        let script = script(file, playground.is_some());
        let own = context! { file, title, root => "", script, ..shared.clone() };
        files.push((file.to_owned(), rendered(&environment, file, own)?));
    }
    for page in vectors {
        let file = format!("pairs/{}.html", page.slug);
        let own = context! { file => file.as_str(), title => page.title.as_str(), root => "../", script => "", page => Value::from(Serde(page)), ..shared.clone() };
        files.push((file, rendered(&environment, "vectors", own)?));
    }
    let is_own = |name: &str| OWN.iter().any(|(file, ..)| *file == name);
    let texts = pages.pages.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let others = [("reading.md", Some(READING)), ("campaign.md", campaign)];
    let others = others.into_iter().filter_map(|(name, text)| Some((name, text?)));
    let texts: Vec<(&str, &str)> = texts.chain(others).collect();
    let names: Vec<&str> = texts.iter().map(|(name, _)| *name).chain([JSON]).collect();
    for (name, text) in texts {
        let Some(file) = markdown::html_name(name).filter(|file| !is_own(file)) else { continue };
        let markdown::Converted { title, body } = markdown::convert(text, name, &names);
        let root = if file.contains('/') { "../" } else { "" };
        let own = context! { file => file.as_str(), title, root, script => "", body, ..shared.clone() };
        files.push((file, rendered(&environment, "layout", own)?));
    }
    Ok(files)
}

/// Returns the script of a page.
fn script(file: &str, has_playground: bool) -> String {
    match file {
        "index.html" if has_playground => format!("{FRAGMENT_SCRIPT}\n{TRY_SCRIPT}"),
        "index.html" => String::new(),
        PLAYGROUND => format!("{FRAGMENT_SCRIPT}\n{}", playground::script()),
        _ => format!("{FRAGMENT_SCRIPT}\n{FILTER_SCRIPT}"),
    }
}

fn rendered(environment: &Environment<'_>, template: &str, values: Value) -> Result<String, String> {
    environment.get_template(template).and_then(|template| template.render(values)).map_err(page::failure)
}

/// Returns the templates, with filters that escape HTML.
fn environment(report: &Report) -> Result<Environment<'static>, String> {
    let mut environment = page::environment()?;
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("code", |text: &str| Value::from_safe_string(code(text)));
    environment.add_filter("outcome", |outcome: &Value| Value::from_safe_string(outcome_html(outcome)));
    environment.add_filter("visible", |text: &str| visible(text));
    environment.add_filter("some_names", |names: Vec<String>| some_names(&names));
    let file = |(name, ..): (&str, usize, usize)| (name.to_owned(), format!("engines/{name}.html"));
    let links: BTreeMap<String, String> = report.recorded.names().map(file).collect();
    environment.add_function("names", move |by: Vec<String>, root: Option<&str>| {
        Value::from_safe_string(names(&by, root, &links))
    });
    let templates = OWN.iter().map(|(file, _, template)| (*file, *template));
    for (name, template) in templates.chain([("layout", LAYOUT), ("vectors", VECTORS), ("why", WHY)]) {
        environment.add_template(name, template).map_err(page::failure)?;
    }
    Ok(environment)
}

/// Escapes `text` for HTML, and its invisible characters for readers.
fn escaped(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn code(text: &str) -> String {
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    format!("<code>{}</code>", escaped(text))
}

/// Formats a result: the URL as code, or the kind of the outcome.
fn outcome_html(outcome: &Value) -> String {
    let of = |kind: &str| outcome.get_attr(kind).ok().and_then(|text| text.as_str().map(str::to_owned));
    match of("url") {
        Some(url) => code(&url),
        None => ["failure", "skipped", "unrepresentable", "crash", "timeout"]
            .into_iter()
            .find(|kind| of(kind).is_some())
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Returns the first two names, and the number of the others.
fn some_names(names: &[String]) -> String {
    let shown = names.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(2) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns the names, all but the first ones folded. If `root` is not empty, they have links to the pages of engines below it;
/// otherwise versions are left out.
fn names(by: &[String], root: Option<&str>, links: &BTreeMap<String, String>) -> String {
    const SHOWN: usize = 12;
    let shown = |title: &String| {
        let name = title.split(' ').next().unwrap_or_default();
        match (root, links.get(name)) {
            (Some(root), Some(file)) => format!("<a href=\"{root}{file}\">{}</a>", escaped(title)),
            (Some(_), None) => escaped(title),
            (None, _) => escaped(name),
        }
    };
    let all: Vec<_> = by.iter().map(shown).collect();
    if all.len() <= SHOWN + 3 {
        return all.join(", ");
    }
    let (first, folded) = all.split_at(SHOWN);
    format!("{}<details><summary>and {} more</summary>{}</details>", first.join(", "), folded.len(), folded.join(", "))
}

/// Returns the host of a URL for a cell: `–` for a failure, and for a URL without a host.
fn host_cell(location: Option<&Location>) -> String {
    let host = location.and_then(|location| location.host.as_deref());
    host.map_or_else(|| "–".to_owned(), |host| if host.is_empty() { "(empty)".to_owned() } else { visible(host) })
}

/// Returns the cells of the matrix of hosts; `None` for two rows without a difference.
fn matrix(report: &Report) -> Vec<Vec<Option<MatrixCell>>> {
    let matrix = report.hosts.matrix();
    let mut table: Vec<Vec<Option<MatrixCell>>> =
        (0..matrix.rows.len()).map(|_| (0..matrix.rows.len()).map(|_| None).collect()).collect();
    for cell in &matrix.cells {
        let [one, other] = cell.rows;
        let new = || Some(MatrixCell { id: format!("{}-{}", one + 1, other + 1), causes: cell.causes.len() });
        table[one][other] = new();
        table[other][one] = new();
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{code, escaped};
    use urlstrata_harness::escape::{is_invisible, visible};

    proptest! {
        #[test]
        fn escaped_text_is_one_text_node(text in any::<String>()) {
            let html = escaped(&text);
            prop_assert!(!html.contains(['<', '>', '"', '\'']) && !html.chars().any(is_invisible));
            let shown = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
            prop_assert_eq!(shown.replace("&amp;", "&"), visible(&text));
        }
    }

    #[test]
    fn markup_and_invisible_characters_are_escaped() {
        assert_eq!(code("</script><b a='\"'>&"), "<code>&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;</code>");
        assert_eq!(escaped("a\u{202e}\u{0}b"), r"a\u{202e}\u{0}b");
    }
}
