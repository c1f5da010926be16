//! Import of the URL tests of web-platform-tests.

use serde_json::Value;

use super::{Content, Expected, ResolutionCase, Source, Vector, WHATWG};

/// Converts `urltestdata.json` into vectors of the URL Standard.
///
/// `from` is the package or repository that contains the file.
///
/// # Errors
///
/// Returns a sentence if the JSON is invalid, or about the first row without an input or an expected result.
pub fn import(json: &str, from: &str) -> Result<Content, String> {
    let rows: Vec<Value> = serde_json::from_str(json).map_err(|error| format!("not a list of rows: {error}"))?;
    let commit = rows
        .iter()
        .filter_map(Value::as_str)
        .find_map(|comment| comment.split("/blob/").nth(1)?.split('/').next())
        .map(str::to_owned);
    let rows = rows.iter().filter(|row| row.is_object()).enumerate();
    let vectors = rows.map(|(index, row)| vector(index + 1, row)).collect::<Result<_, _>>()?;
    Ok(Content {
        about: Some(
            "Rows of urltestdata.json with the results of the URL Standard. Converted by `urlstrata vectors import-wpt`. The rows have no names, so they are numbered in their order.".to_owned(),
        ),
        source: Source {
            specification: "web-platform-tests".to_owned(),
            section: "url/resources/urltestdata.json".to_owned(),
            title: "URL parsing and resolving".to_owned(),
            from: Some(from.to_owned()),
            commit,
            licence: Some("BSD-3-Clause".to_owned()),
            reconstructed: false,
        },
        base: String::new(),
        vectors,
    })
}

fn vector(number: usize, row: &Value) -> Result<Vector, String> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    let input = text("input").ok_or_else(|| format!("row {number} has no input"))?;
    let expected = match (text("href"), row.get("failure").and_then(Value::as_bool)) {
        (Some(url), _) => Expected::Url { url, same_document: None },
        (None, Some(true)) => Expected::Failure,
        _ => return Err(format!("row {number} has neither an href nor a failure")),
    };
    let base = text("base").unwrap_or_default();
    let expect = [(WHATWG.to_owned(), expected)].into_iter().collect();
    let case = ResolutionCase { base, reference: input, expect, ..ResolutionCase::default() };
    Ok(Vector::new(format!("row-{number:04}"), case))
}

#[cfg(test)]
mod tests {
    use super::import;

    #[test]
    fn the_number_of_an_invalid_row_is_reported() {
        let imported = |json| import(json, "a test").map(|content| content.vectors.len());
        assert_eq!(imported(r##"["# a comment", {"input":"x","base":null,"failure":true}]"##), Ok(1));
        assert_eq!(imported(r#"[{"base":null}]"#), Err("row 1 has no input".to_owned()));
        assert_eq!(imported(r#"[{"input":"x"}]"#), Err("row 1 has neither an href nor a failure".to_owned()));
        assert!(imported("{").is_err_and(|why| why.starts_with("not a list of rows")));
    }
}
