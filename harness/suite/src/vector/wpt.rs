//! Import of the URL tests of web-platform-tests.

use std::collections::HashMap;

use serde_json::Value;
use urlstrata::revision::Revision;

use super::{Content, Expectations, Expected, ResolutionCase, Source, Vector};

/// Expectations that are not those of the revision whose data has them: the input, and the revision. The data is older
/// than a change of the revision, or describes what browsers did.
const NOT_OF_THE_REVISION: &[(&str, &str)] = &[
    // Fragments are percent-encoded until 05cbe06, which is later than the data.
    ("whatwg-2014-12", "http://www.google.com/foo?bar=baz# »"),
    // IPv4 addresses are part of the Standard since 9043740.
    ("whatwg-2014-12", "http://%30%78%63%30%2e%30%32%35%30.01"),
    ("whatwg-2014-12", "http://%30%78%63%30%2e%30%32%35%30.01%2e"),
    ("whatwg-2014-12", "http://０Ｘｃ０．０２５０．０１"),
    ("whatwg-2014-12", "http://192.168.0.257"),
    // A zero after 0x begins an octal number until 620fa90.
    ("whatwg-2016-03", "http://192.0x00A80001"),
    // Spaces in fragments are percent-encoded since 7a3c69f, which is later than the data.
    ("whatwg-2018-06", "http://f:21/ b ? d # e "),
    ("whatwg-2018-06", "lolscheme:x x#x x"),
    ("whatwg-2018-06", "http://www.google.com/foo?bar=baz# »"),
    ("whatwg-2018-06", "data:test# »"),
    // The crate's copy of the data expects a slash that the Standard does not write since b087fe2.
    ("whatwg-2018-06", "foo://"),
];

/// A version of `urltestdata.json`, and the revision whose results it has.
pub struct Dated<'a> {
    /// The revision.
    pub revision: &'static Revision,
    /// The text of the file.
    pub json: &'a str,
}

/// Converts versions of `urltestdata.json` into vectors: one for each row that any version has.
///
/// The rows of the last version are first. `from` is the source of the files.
///
/// # Errors
///
/// Returns a sentence if the JSON is invalid, or about the first row without an input or an expected result. It begins
/// with the revision of the file.
pub fn import(versions: &[Dated<'_>], from: &str) -> Result<Content, String> {
    let mut cases: Vec<(ResolutionCase, Vec<(String, Expected)>)> = Vec::new();
    let mut indices: HashMap<(String, String), usize> = HashMap::new();
    for version in versions.iter().rev() {
        let id = version.revision.id;
        let rows: Vec<Value> =
            serde_json::from_str(version.json).map_err(|error| format!("{id}: not a list of rows: {error}"))?;
        for (number, row) in rows.iter().filter(|row| row.is_object()).enumerate() {
            let (base, reference, expected) = read(number + 1, row).map_err(|why| format!("{id}: {why}"))?;
            let index = *indices.entry((base.clone(), reference.clone())).or_insert_with(|| {
                cases.push((ResolutionCase { base, reference, ..ResolutionCase::default() }, Vec::new()));
                cases.len() - 1
            });
            let (case, expectations) = &mut cases[index];
            let is_listed = expectations.iter().any(|(own, _)| own == id);
            if !is_listed && !NOT_OF_THE_REVISION.contains(&(id, &case.reference)) {
                expectations.push((id.to_owned(), expected));
            }
        }
    }
    let cases = cases.into_iter().filter(|(_, expectations)| !expectations.is_empty());
    let vectors = cases.enumerate().map(|(index, (case, expectations))| {
        let expect: Expectations<Expected> = expectations.into_iter().collect();
        Vector::new(format!("row-{:04}", index + 1), ResolutionCase { expect, ..case })
    });
    Ok(Content {
        about: Some(
            "The rows of dated versions of urltestdata.json, each with the results of the revisions of the URL Standard whose version has the row. Converted by `urlstrata vectors import-wpt`. The rows have no names, so they are numbered: those of the newest version in their order, then those that only an older version has.".to_owned(),
        ),
        source: Source {
            specification: "web-platform-tests".to_owned(),
            section: "url/resources/urltestdata.json".to_owned(),
            title: "URL parsing and resolving".to_owned(),
            from: Some(from.to_owned()),
            commit: None,
            licence: Some("BSD-3-Clause".to_owned()),
            reconstructed: false,
        },
        base: String::new(),
        vectors: vectors.collect(),
    })
}

/// Returns the base, the reference and the expected result of a row.
fn read(number: usize, row: &Value) -> Result<(String, String, Expected), String> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    let input = text("input").ok_or_else(|| format!("row {number} has no input"))?;
    let expected = match (text("href"), row.get("failure").and_then(Value::as_bool)) {
        (Some(url), _) => Expected::Url { url, same_document: None },
        (None, Some(true)) => Expected::Failure,
        _ => return Err(format!("row {number} has neither an href nor a failure")),
    };
    Ok((text("base").unwrap_or_default(), input, expected))
}

#[cfg(test)]
mod tests {
    use urlstrata::revision::whatwg::{NEWEST, WHATWG_2020_08};

    use super::{Dated, import};
    use crate::vector::Question;

    #[test]
    fn the_number_of_an_invalid_row_is_reported() {
        let imported =
            |json| import(&[Dated { revision: NEWEST, json }], "a test").map(|content| content.vectors.len());
        assert_eq!(imported(r##"["# a comment", {"input":"x","base":null,"failure":true}]"##), Ok(1));
        assert_eq!(imported(r#"[{"base":null}]"#), Err("whatwg-2026-07: row 1 has no input".to_owned()));
        let neither = "whatwg-2026-07: row 1 has neither an href nor a failure";
        assert_eq!(imported(r#"[{"input":"x"}]"#), Err(neither.to_owned()));
        assert!(imported("{").is_err_and(|why| why.starts_with("whatwg-2026-07: not a list of rows")));
    }

    #[test]
    fn a_row_has_the_results_of_each_version_that_has_it() {
        let older = r#"[{"input":"a:","href":"a:1"},{"input":"b:","href":"b:1"}]"#;
        let newer = r#"[{"input":"a:","href":"a:2"}]"#;
        let versions = [Dated { revision: &WHATWG_2020_08, json: older }, Dated { revision: NEWEST, json: newer }];
        let content = import(&versions, "a test").expect("vectors");
        let ids = content.vectors.iter().map(|vector| {
            let Question::Resolution(case) = &vector.question else { panic!("a resolution") };
            case.expect.ids().collect::<Vec<_>>()
        });
        let ids: Vec<_> = ids.collect();
        assert_eq!(ids, [vec!["whatwg-2020-08", "whatwg-2026-07"], vec!["whatwg-2020-08"]]);
    }
}
