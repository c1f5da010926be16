//! The pages: templates that are rendered with the report, and the filters that they use.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use urlstrata_harness::engine::recording::RECORDED;
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::dated::{day, ranges};
use urlstrata_harness::plural::counted;

/// The templates that are rendered once, by the file name of their page.
const TEMPLATES: [(&str, &str); 17] = [
    ("README.md", include_str!("README.md.jinja")),
    ("grid.md", include_str!("grid.md.jinja")),
    ("revisions.md", include_str!("revisions.md.jinja")),
    ("validity.md", include_str!("validity.md.jinja")),
    ("grammars.md", include_str!("grammars.md.jinja")),
    ("steps.md", include_str!("steps.md.jinja")),
    ("choices.md", include_str!("choices.md.jinja")),
    ("changes.md", include_str!("changes.md.jinja")),
    ("characters.md", include_str!("characters.md.jinja")),
    ("schemes.md", include_str!("schemes.md.jinja")),
    ("recorded.md", include_str!("recorded.md.jinja")),
    ("rules.md", include_str!("rules.md.jinja")),
    ("threads.md", include_str!("threads.md.jinja")),
    ("hosts.md", include_str!("hosts.md.jinja")),
    ("statements.md", include_str!("statements.md.jinja")),
    ("clients.md", include_str!("clients.md.jinja")),
    ("advisories.md", include_str!("advisories.md.jinja")),
];

/// The macros that several templates import.
const EXAMPLES: (&str, &str) = ("examples", include_str!("examples.md.jinja"));

/// The template that is rendered once for each engine.
const ENGINE: &str = include_str!("engine.md.jinja");

/// The template that is rendered once for each recorded engine.
const RECORDED_ENGINE: &str = include_str!("recorded-engine.md.jinja");

/// The folder of the pages of recorded engines.
const FOLDER: &str = "engines";

/// The pictures of the report.
pub(super) const PICTURES: [&str; 2] = ["family.svg", "grid.svg"];

/// Returns the file names of all pages and pictures, in the order in which they are written.
pub(super) fn names<'a>(engines: &[String], recorded: impl Iterator<Item = &'a str>) -> Vec<String> {
    let templates = TEMPLATES.iter().map(|(name, _)| (*name).to_owned());
    let engines = engines.iter().map(|name| format!("{name}.md"));
    let recorded = recorded.map(|name| format!("{FOLDER}/{name}.md"));
    templates.chain(engines).chain(recorded).chain(PICTURES.map(str::to_owned)).collect()
}

/// Renders every page, and returns the file name and the text of each.
///
/// `engines` are the file names of the engines' pages, without the extension. `recorded` are the names of the recorded
/// engines with their positions in the report.
///
/// # Errors
///
/// Returns a sentence if a template is invalid or uses a value that the report does not contain.
pub(super) fn lay_out(
    report: &impl Serialize,
    engines: &[&str],
    recorded: &[(&str, usize, usize)],
) -> Result<Vec<(String, String)>, String> {
    let mut environment = environment()?;
    environment.add_template(EXAMPLES.0, EXAMPLES.1).map_err(failure)?;
    let mut pages = Vec::new();
    for (name, template) in TEMPLATES {
        environment.add_template(name, template).map_err(failure)?;
        let page =
            environment.get_template(name).and_then(|template| template.render(Serde(report))).map_err(failure)?;
        pages.push((name.to_owned(), page));
    }
    environment.add_template("engine", ENGINE).map_err(failure)?;
    let template = environment.get_template("engine").map_err(failure)?;
    for (index, name) in engines.iter().enumerate() {
        let page = template.render(minijinja::context! { report => Serde(report), index }).map_err(failure)?;
        pages.push((format!("{name}.md"), page));
    }
    environment.add_template("recorded", RECORDED_ENGINE).map_err(failure)?;
    let template = environment.get_template("recorded").map_err(failure)?;
    // The report is converted once, because it is large.
    let report = Value::from(Serde(report));
    for (name, language, engine) in recorded {
        let page =
            template.render(minijinja::context! { report => report.clone(), language, engine }).map_err(failure)?;
        pages.push((format!("{FOLDER}/{name}.md"), page));
    }
    Ok(pages)
}

pub(super) fn failure(error: minijinja::Error) -> String {
    format!("a report's template is not in order: {error:#}")
}

pub(super) fn environment<'t>() -> Result<Environment<'t>, String> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    let syntax = syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| error.to_string())?);
    // Without this, a value that has been renamed would silently leave a blank in a page.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_filter("code", |text: &str| code(text));
    environment.add_filter("cell", |text: &str| text.replace('|', "\\|"));
    environment.add_filter("outcome", |value: &Value| outcome(value));
    environment.add_filter("some", |names: Vec<String>| some(&names));
    environment.add_filter("best_known", |names: Vec<String>| best_known(&names));
    environment.add_filter("statement", |value: &Value| statement(value));
    environment.add_filter("ranges", |ids: Vec<String>| ranges(ids.iter().map(String::as_str)));
    environment.add_filter("day", |date: &str| day(date));
    environment.add_filter("grouped", |number: u64| grouped(number));
    environment.add_filter("percent", |rate: &Value| percent(rate));
    environment.add_filter("counted", |number: u64, one: &str, many: &str| counted(grouped(number), one, many));
    Ok(environment)
}

/// Returns `text` as Markdown code that is also valid in a cell of a table.
fn code(text: &str) -> String {
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let text = visible(text).replace('|', "\\|");
    let fence = if text.contains('`') { "``" } else { "`" };
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Formats the first three names, and the number of the others.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {}", shown.join(", "), counted(more.to_string(), "more", "more")),
    }
}

/// The best known engines of each language.
const BEST_KNOWN: [&str; 24] = [
    "addressable",
    "chromium",
    "crate:url",
    "deno",
    "firefox",
    "glib",
    "go-net-url",
    "guzzle",
    "httpx",
    "java-net-uri",
    "java-net-url",
    "libcurl",
    "libxml2",
    "mono-system-uri",
    "node-url",
    "node-url-resolve",
    "okhttp",
    "perl-uri",
    "php-parse-url",
    "qurl",
    "ruby-uri",
    "urllib",
    "urllib3",
    "yarl",
];

/// Formats the best known engines among `names`, and the number of the others.
fn best_known(names: &[String]) -> String {
    let known: Vec<String> = names.iter().filter(|name| BEST_KNOWN.contains(&name.as_str())).cloned().collect();
    match (known.len(), names.len() - known.len()) {
        (0, _) => some(names),
        (_, 0) => known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        (_, more) => {
            let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and {more} more", known.join(", "))
        }
    }
}

/// Formats a sentence with its source in parentheses, if it has one.
fn statement(statement: &Value) -> String {
    let of = |key: &str| statement.get_attr(key).ok().and_then(|text| text.as_str().map(str::to_owned));
    let note = of("note").unwrap_or_default();
    match of("source") {
        Some(source) if !source.is_empty() => format!("{note} ({source})"),
        _ => note,
    }
}

/// Formats a result or an expectation: the URL as code, or the kind of the outcome with its reason.
fn outcome(outcome: &Value) -> String {
    // Vectors state a URL as a string, and a failure without a reason.
    if let Some(url) = outcome.as_str() {
        return code(url);
    }
    if outcome.get_attr("failure").is_ok_and(|failure| failure.is_true() && failure.as_str().is_none()) {
        return "failure".to_owned();
    }
    let of = |kind: &str| outcome.get_attr(kind).ok().and_then(|text| text.as_str().map(str::to_owned));
    match of("url") {
        Some(url) => code(&url),
        None => ["failure", "skipped", "unrepresentable", "crash", "timeout"]
            .iter()
            .find_map(|kind| {
                of(kind).map(|why| match why.as_str() {
                    RECORDED | "" => (*kind).to_owned(),
                    why => format!("{kind}: {}", visible(why).replace('|', "\\|")),
                })
            })
            .unwrap_or_default(),
    }
}

/// Formats the share of `predicted` in `asked` in percent, rounded down to one decimal, or a dash if nothing was asked.
fn percent(rate: &Value) -> String {
    let of = |key: &str| rate.get_attr(key).ok().and_then(|value| u64::try_from(value).ok()).unwrap_or_default();
    match of("asked") {
        0 => "–".to_owned(),
        asked => format!("{:.1}%", (of("predicted") as f64 * 1_000.0 / asked as f64).floor() / 10.0),
    }
}

/// Returns a number with commas between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{code, grouped};

    #[test]
    fn code_in_tables_is_escaped() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("`x"), "`` `x ``");
        assert_eq!(code(""), "(empty)");
        assert_eq!(code("a\tb"), "`a\\u{9}b`");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([7, 1000, 7_789_418].map(grouped), ["7", "1,000", "7,789,418"]);
    }
}
