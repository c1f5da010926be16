//! Export of vectors for other projects: as rows of web-platform-tests, and as lines of JSON.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value, json};
use urlstrata::revision::Revision;

use super::{Expected, ResolutionCase, Suite, Vector, VectorFile};
use urlstrata_outcome::Outcome;

/// The licence of vectors whose file does not state another one.
const LICENCE: &str = "MIT OR Apache-2.0";

/// A vector as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    id: String,
    kind: &'static str,
    specification: &'a str,
    section: &'a str,
    title: &'a str,
    licence: &'a str,
    #[serde(flatten)]
    vector: &'a Vector,
}

/// Returns the vectors of `suite`, one object each: the identity, the kind, the source, the licence, and the keys of the file.
///
/// # Errors
///
/// Returns a sentence if a vector cannot be written as JSON. Tests verify that all embedded vectors can.
pub fn lines(suite: &Suite) -> Result<Vec<Value>, String> {
    let line = |(file, vector): (&VectorFile, &Vector)| {
        let source = &file.content.source;
        let line = Line {
            id: id(file, vector),
            kind: vector.question.subject(),
            specification: &source.specification,
            section: &source.section,
            title: &source.title,
            licence: licence(file),
            vector,
        };
        let mut line = serde_json::to_value(line).map_err(|error| error.to_string())?;
        if let (Some(case), Some(line)) = (vector.resolution(), line.as_object_mut()) {
            line.insert("base".to_owned(), json!(case.base));
        }
        Ok(line)
    };
    suite.vectors().map(line).collect()
}

/// Returns the vectors of `suite` about the resolution of references, as rows of `urltestdata.json`: `input`, `base` (null if it
/// is unknown), and `href` or `failure`. Before the rows of a file there is a text that names its source.
///
/// A row has the result that the vector expects of `revision`. If `computed` is true, the other vectors have rows too, with the
/// result of the reference implementation and the key `computed`. The rows of a state of the URL Standard also have the
/// properties of the `URL` class. Further keys, which runners ignore, are the vector's `id` and `licence`, and
/// `outside_grammar` for a pair that the revision's grammar does not match: a resolver that checks the grammar may reject it. Each pair has one row:
/// that of an example that a specification prints, if there is one, and an expected result rather than a computed one.
pub fn wpt(suite: &Suite, revision: &'static Revision, computed: bool) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut pairs = BTreeSet::new();
    let (printed, own): (Vec<_>, Vec<_>) = suite.files.iter().partition(|file| file.is_printed());
    let files = || printed.iter().chain(&own).copied();
    // A row with an expected result wins over one with a computed result, wherever their files are.
    let expected = files().map(|file| (file, false));
    let computed = files().map(|file| (file, true)).filter(|_| computed);
    for (file, is_computed) in expected.chain(computed) {
        let start = rows.len();
        for vector in &file.content.vectors {
            let Some(case) = vector.resolution() else { continue };
            let expected = case.expect.get(revision.id).map(Expected::outcome);
            if expected.is_none() == is_computed && pairs.insert((&case.base, &case.reference)) {
                let result = || Outcome::from(revision.resolve(&case.base, &case.reference));
                let mut row = row(case, revision, &expected.unwrap_or_else(result));
                if is_outside_grammar(case, revision) {
                    row.insert("outside_grammar".to_owned(), json!(true));
                }
                if is_computed {
                    row.insert("computed".to_owned(), json!(true));
                }
                row.insert("id".to_owned(), json!(id(file, vector)));
                row.insert("licence".to_owned(), json!(licence(file)));
                rows.push(Value::Object(row));
            }
        }
        if rows.len() > start {
            let source = &file.content.source;
            let section = &source.section;
            rows.insert(start, json!(format!("{} {section}: {}", source.specification, source.title)));
        }
    }
    rows
}

/// Returns whether the grammar of `revision` does not match the reference or the base. A resolver that checks the grammar may reject the pair.
fn is_outside_grammar(case: &ResolutionCase, revision: &Revision) -> bool {
    let grammar = urlstrata::grammar::by_revision(revision.id);
    grammar.is_some_and(|it| it.excluded(&case.base, &case.reference).is_some())
}

fn row(case: &ResolutionCase, revision: &Revision, outcome: &Outcome) -> Map<String, Value> {
    let base = Some(&case.base).filter(|base| !base.is_empty());
    let mut row = Map::from_iter([("input".to_owned(), json!(case.reference)), ("base".to_owned(), json!(base))]);
    match outcome.url() {
        Some(href) => {
            row.insert("href".to_owned(), json!(href));
            row.extend(properties(revision, href));
        }
        None => drop(row.insert("failure".to_owned(), json!(true))),
    }
    row
}

/// Returns the properties of the `URL` class for the URL `href` (URL Standard §6.1); none if `revision` is not a state of the
/// Standard.
fn properties(revision: &Revision, href: &str) -> Vec<(String, Value)> {
    let Ok(parts) = revision.parse(href) else { return Vec::new() };
    let part = |name: &str| parts.component(name).flatten();
    if parts.component("username").is_none() {
        return Vec::new();
    }
    let text = |name: &str| part(name).unwrap_or_default().to_owned();
    let after = |mark: &str, name: &str| {
        part(name).filter(|it| !it.is_empty()).map_or(String::new(), |it| format!("{mark}{it}"))
    };
    let values = [
        ("protocol", text("scheme") + ":"),
        ("username", text("username")),
        ("password", text("password")),
        ("host", text("host") + &after(":", "port")),
        ("hostname", text("host")),
        ("port", text("port")),
        ("pathname", text("path")),
        ("search", after("?", "query")),
        ("hash", after("#", "fragment")),
    ];
    values.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
}

fn id(file: &VectorFile, vector: &Vector) -> String {
    format!("{}/{}", file.id, vector.name)
}

fn licence(file: &VectorFile) -> &str {
    file.content.source.licence.as_deref().unwrap_or(LICENCE)
}
