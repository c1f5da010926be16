//! The canonical form of a vector file, and what the linter finds.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use urlstrata::revision;

use crate::escape::is_invisible;

use crate::unique_map::UniqueMap;

use super::{Content, Expected, Node, PartValue, Vector, VectorError, VectorFile};

/// Compares the file at `path` with its canonical form.
///
/// # Errors
///
/// If it cannot be loaded.
pub fn lint(path: &Path) -> Result<Vec<VectorError>, VectorError> {
    let file = VectorFile::read(path, path)?;
    let text = fs::read_to_string(path).map_err(|error| VectorError::new(path, None, error.to_string()))?;
    let mut found = Vec::new();
    let canonical = file.canonical();
    if text != canonical {
        let line = first_apart(&text, &canonical);
        let comment = text.lines().any(|line| line.trim_start().starts_with('#'));
        let remedy = if comment {
            "put the comment into `about` or `note`, then run `urlstrata vectors fmt`"
        } else {
            "run `urlstrata vectors fmt`"
        };
        found.push(VectorError::new(path, Some(line), format!("not in canonical form: {remedy}")));
    }
    for (index, vector) in file.content.vectors.iter().enumerate() {
        let contradicts = vector.printed.as_ref().is_some_and(|printed| {
            vector.expect.0.values().all(|expected| match expected {
                Expected::Url { url, same_document } => {
                    url != printed && *same_document != Some(true) && !url.ends_with(printed.as_str())
                }
                Expected::Failure => true,
            })
        });
        if contradicts && vector.erratum.is_none() {
            let sentence = format!("vector {:?} is printed otherwise than it expects: name the `erratum`", vector.name);
            found.push(VectorError::new(path, file.line(index), sentence));
        }
    }
    Ok(found)
}

/// Writes the file at `path` in its canonical form, beside it first; says whether it changed.
///
/// # Errors
///
/// If it cannot be loaded or written, or has comments, which would be lost.
pub fn format_file(path: &Path) -> Result<bool, VectorError> {
    let canonical = VectorFile::read(path, path)?.canonical();
    write_canonical(path, &canonical, "put it into `about` or `note`")
}

/// The line on which a text first differs from its canonical form.
pub(crate) fn first_apart(text: &str, canonical: &str) -> usize {
    let mut pairs = text.lines().zip(canonical.lines()).enumerate();
    pairs.find(|(_, (is, should))| is != should).map_or(canonical.lines().count(), |(index, _)| index + 1)
}

/// Writes `canonical` to `path`, beside it first; says whether it changed. A comment there is a fault, with its `remedy`.
pub(crate) fn write_canonical(path: &Path, canonical: &str, remedy: &str) -> Result<bool, VectorError> {
    let fault = |error: std::io::Error| VectorError::new(path, None, format!("cannot be written: {error}"));
    let text = fs::read_to_string(path).map_err(fault)?;
    if let Some(line) = text.lines().position(|line| line.trim_start().starts_with('#')) {
        return Err(VectorError::new(path, Some(line + 1), format!("a comment would be lost: {remedy}")));
    }
    if text == canonical {
        return Ok(false);
    }
    crate::files::write_whole(path, canonical).map_err(fault)?;
    Ok(true)
}

/// `content` in canonical form.
pub fn canonical(content: &Content) -> String {
    let mut out = String::new();
    let mut top = |key: &str, value: Option<&String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{key}: {}", quoted(value));
        }
    };
    top("about", content.about.as_ref());
    out.push_str("source:\n");
    let source = &content.source;
    let fields = [
        ("document", Some(&source.document)),
        ("section", Some(&source.section)),
        ("title", Some(&source.title)),
        ("from", source.from.as_ref()),
        ("commit", source.commit.as_ref()),
        ("licence", source.licence.as_ref()),
    ];
    for (key, value) in fields.into_iter().filter_map(|(key, value)| value.map(|value| (key, value))) {
        let _ = writeln!(out, "  {key}: {}", quoted(value));
    }
    if source.reconstructed {
        out.push_str("  reconstructed: true\n");
    }
    if let Some(base) = &content.base {
        let _ = writeln!(out, "base: {}", quoted(base));
    }
    out.push_str("vectors:\n");
    content.vectors.iter().for_each(|vector| push_vector(vector, &mut out));
    out
}

/// `vector` as it stands in a file, to paste behind the others.
pub fn canonical_vector(vector: &Vector) -> String {
    let mut out = String::new();
    push_vector(vector, &mut out);
    out
}

fn push_vector(vector: &Vector, out: &mut String) {
    let _ = writeln!(out, "  - name: {}", quoted(&vector.name));
    let field = |key: &str, value: &Option<String>, out: &mut String| {
        if let Some(value) = value {
            let _ = writeln!(out, "    {key}: {}", quoted(value));
        }
    };
    field("column", &vector.column, out);
    field("base", &vector.base, out);
    field("reference", &vector.reference, out);
    field("url", &vector.url, out);
    field("production", &vector.production, out);
    for (key, text) in [("text", &vector.text), ("document", &vector.document)] {
        if let Some(text) = text {
            let _ = writeln!(out, "    {key}: {}", quoted_by_line(text, 6));
        }
    }
    field("type", &vector.kind, out);
    field("retrieved_from", &vector.retrieved_from, out);
    field("default_base", &vector.default_base, out);
    field("class", &vector.class, out);
    let order = |id: &str| revision::ALL.iter().position(|revision| revision.id == id).unwrap_or(usize::MAX);
    if !vector.expect.0.is_empty() {
        out.push_str("    expect:\n");
        let mut expected: Vec<_> = vector.expect.0.iter().collect();
        expected.sort_by_key(|(id, _)| (order(id), *id));
        for (id, expected) in expected {
            let _ = writeln!(out, "      {id}: {}", canonical_expected(expected));
        }
    }
    if !vector.parts.0.is_empty() {
        out.push_str("    parts:\n");
        let mut parts: Vec<_> = vector.parts.0.iter().collect();
        parts.sort_by_key(|(id, _)| (order(id), *id));
        for (id, parts) in parts {
            let components = revision::by_id(id).map_or(&[][..], |revision| revision.components);
            let mut values: Vec<_> = parts.0.iter().collect();
            values.sort_by_key(|(name, _)| components.iter().position(|component| component == name));
            let values = values.into_iter().map(|(name, value)| match value {
                PartValue::Absent => format!("{name}: null"),
                PartValue::Text(text) => format!("{name}: {}", quoted(text)),
                PartValue::Flag(flag) => format!("{name}: {flag}"),
            });
            let _ = writeln!(out, "      {id}: {{{}}}", values.collect::<Vec<_>>().join(", "));
        }
    }
    for (key, trees) in [("fields", &vector.fields), ("actions", &vector.actions)] {
        push_trees(key, trees, out);
    }
    if !vector.characters.0.is_empty() {
        out.push_str("    characters:\n");
        let mut characters: Vec<_> = vector.characters.0.iter().collect();
        characters.sort_by_key(|(id, _)| (order(id), *id));
        for (id, listed) in characters {
            let _ = writeln!(out, "      {id}: {}", quoted(listed));
        }
    }
    if !vector.derives.0.is_empty() {
        out.push_str("    derives:\n");
        let mut derives: Vec<_> = vector.derives.0.iter().collect();
        derives.sort_by_key(|(id, _)| (order(id), *id));
        for (id, derived) in derives {
            let members: Node = derived.members.iter().map(String::as_str).collect();
            let stops: Vec<_> = derived.stops.0.iter().map(|(text, at)| format!("{}: {at}", quoted(text))).collect();
            let _ = writeln!(out, "      {id}:\n        members: {}", members.canonical());
            let _ = writeln!(out, "        stops: {{{}}}", stops.join(", "));
        }
    }
    for (key, trees) in [("finds", &vector.finds), ("holds", &vector.holds)] {
        if !trees.0.is_empty() {
            let _ = writeln!(out, "    {key}:");
            let mut trees: Vec<_> = trees.0.iter().collect();
            trees.sort_by_key(|(id, _)| (order(id), *id));
            for (id, tree) in trees {
                let _ = write!(out, "      {id}:");
                tree.push_block(6, out);
            }
        }
    }
    field("printed", &vector.printed, out);
    if !vector.permitted.is_empty() {
        let permitted: Vec<_> = vector.permitted.iter().map(|url| quoted(url)).collect();
        let _ = writeln!(out, "    permitted: [{}]", permitted.join(", "));
    }
    field("erratum", &vector.erratum, out);
    field("note", &vector.note, out);
    if !vector.recorded.0.is_empty() {
        let recorded: Vec<_> =
            vector.recorded.0.iter().map(|(who, said)| format!("{}: {}", quoted(who), quoted(said))).collect();
        let _ = writeln!(out, "    recorded: {{{}}}", recorded.join(", "));
    }
}

/// What each document expects as a tree, if any does: one that would be a long line has a line for each thing it holds.
fn push_trees(key: &str, trees: &UniqueMap<Node>, out: &mut String) {
    const LONGEST: usize = 120;
    if trees.0.is_empty() {
        return;
    }
    let _ = writeln!(out, "    {key}:");
    for (id, tree) in &trees.0 {
        let line = tree.canonical();
        match tree {
            Node::List(nodes) if line.len() > LONGEST => {
                let _ = writeln!(out, "      {id}:");
                for node in nodes {
                    let _ = writeln!(out, "        - {}", node.canonical());
                }
            }
            _ => {
                let _ = writeln!(out, "      {id}: {line}");
            }
        }
    }
}

pub(super) fn canonical_expected(expected: &Expected) -> String {
    match expected {
        Expected::Url { url, same_document: None } => quoted(url),
        Expected::Url { url, same_document: Some(same) } => {
            format!("{{url: {}, same_document: {same}}}", quoted(url))
        }
        Expected::Failure => "{refused: true}".to_owned(),
    }
}

/// `text` as [`quoted`] has it, but each of its lines on a line of its own, `indent` spaces in.
///
/// `"a\n  b"` is `"a\n\` and then `\  b"`: YAML passes over a line end behind a backslash and the spaces behind that.
fn quoted_by_line(text: &str, indent: usize) -> String {
    let mut lines = text.split_inclusive('\n').map(|line| {
        let line = quoted(line);
        line[1..line.len() - 1].to_owned()
    });
    let mut out = format!("\"{}", lines.next().unwrap_or_default());
    for line in lines {
        let _ = write!(out, "\\\n{:indent$}", "");
        // What would be lost, or taken for a comment or an entry of a list, stands in escapes.
        match line.as_bytes() {
            [b' ', ..] => drop(write!(out, "\\{line}")),
            [b'-', b'-', ..] => out.push_str(&line),
            [first @ (b'#' | b'-'), ..] => drop(write!(out, "\\x{first:02x}{}", &line[1..])),
            _ => out.push_str(&line),
        }
    }
    out.push('"');
    out
}

/// `text` in double quotes, with whatever a reader could not see escaped as YAML does.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_invisible(character) && character as u32 > 0xffff => {
                let _ = write!(out, "\\U{:08x}", character as u32);
            }
            _ if is_invisible(character) => {
                let _ = write!(out, "\\u{:04x}", character as u32);
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted_by_line;

    #[test]
    fn a_text_by_lines_is_read_as_the_same_text() {
        for text in [
            "",
            "a",
            "a\n",
            "a\nb",
            "\n\n",
            "a\n  b \n#c\n- d\n\te\r\n\\\n\"f\"",
            "a\r\n b: c\n\u{feff}\n",
            "\n # x",
            "\n--x\n- name: \"a\"",
        ] {
            let written = format!("key:\n  - text: {}\n", quoted_by_line(text, 6));
            let read: serde_yaml::Value = serde_yaml::from_str(&written).expect("YAML");
            assert_eq!(read["key"][0]["text"].as_str(), Some(text), "{written}");
            assert!(!written.lines().any(|line| line.trim_start().starts_with('#')), "{written}");
        }
        assert_eq!(quoted_by_line("a\n b\n", 2), "\"a\\n\\\n  \\ b\\n\"");
    }
}
