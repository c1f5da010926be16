//! Matching of strings against a grammar, with the result in words.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;
use urlstrata::grammar::{Grammar, MatchedPart, Recognizer};

use urlstrata_outcome::escape::visible;

/// Returns a sentence about a name that is not a production of `grammar`. The sentence lists similar names, or all
/// names if none is similar.
pub fn unknown_production(grammar: &Grammar, name: &str) -> String {
    let lower = name.to_lowercase();
    let near = |other: &&str| {
        let other = other.to_lowercase();
        other.contains(&lower) || lower.contains(&other)
    };
    let names = || grammar.productions.iter().map(|production| production.name);
    let mut close: Vec<_> = names().filter(near).collect();
    if close.is_empty() {
        close = names().collect();
    }
    format!("{} has no production {name:?}: it has {}", grammar.cite, close.join(", "))
}

/// The result of matching a text against a production of a grammar.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The id of the grammar.
    pub grammar: &'static str,
    /// The name of the specification in citations.
    pub cite: &'static str,
    /// The name of the production.
    pub production: &'static str,
    /// The section that defines it.
    pub section: &'static str,
    /// Whether the production matches the text.
    pub matched: bool,
    /// The parts of the text that productions match, outer parts first; empty if the text is not matched.
    pub parts: Vec<PartRow>,
    /// The byte at which the text becomes invalid; `None` if the text is matched.
    pub mismatch: Option<usize>,
    /// The character at that byte; `None` at the end of the text.
    pub found: Option<char>,
    /// The terminals that the grammar expects at that byte, by production.
    pub expected: Vec<(&'static str, Vec<String>)>,
    /// Whether the production matches the text before that byte.
    pub prefix_is_valid: bool,
}

/// A part of a text that a production matches.
#[derive(Clone, Debug, Serialize)]
pub struct PartRow {
    /// The name of the production.
    pub production: &'static str,
    /// The byte at which the part begins.
    pub start: usize,
    /// The byte at which the part ends.
    pub end: usize,
    /// The number of parts that contain it.
    pub depth: usize,
}

/// Recognizers that are built once and used for many texts.
#[derive(Debug, Default)]
pub struct Recognizers(BTreeMap<(&'static str, &'static str), Recognizer>);

impl Recognizers {
    /// Returns the recognizer of `production` of `grammar`.
    ///
    /// # Errors
    ///
    /// Returns a sentence if there is no such production.
    pub fn of(&mut self, grammar: &'static Grammar, production: &str) -> Result<&mut Recognizer, String> {
        let known = grammar.production(production).ok_or_else(|| unknown_production(grammar, production))?;
        Ok(match self.0.entry((grammar.id, known.name)) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => {
                let made = grammar.recognizer(production).ok_or_else(|| unknown_production(grammar, production))?;
                place.insert(made)
            }
        })
    }
}

/// Matches `text` against `production` of `grammar`.
///
/// # Errors
///
/// Returns a sentence if there is no such production.
pub fn evaluate(
    recognizers: &mut Recognizers,
    grammar: &'static Grammar,
    production: &str,
    text: &str,
) -> Result<Verdict, String> {
    let recognizer = recognizers.of(grammar, production)?;
    let production = recognizer.production();
    let mut verdict = Verdict {
        grammar: grammar.id,
        cite: grammar.cite,
        production: production.name,
        section: production.section,
        matched: false,
        parts: Vec::new(),
        mismatch: None,
        found: None,
        expected: Vec::new(),
        prefix_is_valid: true,
    };
    match recognizer.match_parts(text) {
        Ok(derived) => {
            let part = |MatchedPart { production, start, end, depth }| PartRow { production, start, end, depth };
            verdict.matched = true;
            verdict.parts = derived.into_iter().map(part).collect();
        }
        Err(stop) => {
            verdict.mismatch = Some(stop.at);
            verdict.found = text[stop.at..].chars().next();
            verdict.prefix_is_valid = stop.prefix_is_valid;
            for could in stop.expected {
                let what = could.terminal.to_string();
                match verdict.expected.iter_mut().find(|(inside, _)| *inside == could.production) {
                    Some((_, all)) => all.push(what),
                    None => verdict.expected.push((could.production, vec![what])),
                }
            }
        }
    }
    Ok(verdict)
}

impl Verdict {
    /// Returns the result as one line: `httpurl (RFC 1738 §5): not matched: unexpected " " (U+0020) at byte 10`.
    pub fn sentence(&self) -> String {
        let production = format!("{} ({} {})", self.production, self.cite, place(self.section));
        match (self.mismatch, self.found) {
            (None, _) => format!("{production}: matched"),
            (Some(at), None) => format!("{production}: not matched: unexpected end at byte {at}"),
            (Some(at), Some(found)) => format!("{production}: not matched: unexpected {} at byte {at}", named(found)),
        }
    }
}

/// Returns a section in the form of a citation: `§5`, `Appendix A`.
fn place(section: &str) -> String {
    if section.starts_with(|first: char| first.is_ascii_digit()) {
        format!("§{section}")
    } else {
        format!("Appendix {section}")
    }
}

/// Returns a character in quotes with its code point.
fn named(character: char) -> String {
    format!("\"{}\" (U+{:04X})", visible(&character.to_string()), character as u32)
}

/// Returns an excerpt of `text` around byte `at`, and the width of the excerpt before that byte in columns.
///
/// The excerpt has at most 60 characters before `at` and 40 after it; an ellipsis replaces omitted text. Invisible
/// characters are escaped.
pub fn window(text: &str, at: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const AFTER: usize = 40;
    let start = text[..at].char_indices().rev().nth(BEFORE).map_or(0, |(start, _)| start);
    let end = text[at..].char_indices().nth(AFTER).map_or(text.len(), |(end, _)| at + end);
    let mut shown = String::new();
    shown.push_str(if start > 0 { "…" } else { "" });
    shown.push_str(&visible(&text[start..at]));
    let columns = shown.width();
    shown.push_str(&visible(&text[at..end]));
    shown.push_str(if end < text.len() { "…" } else { "" });
    (shown, columns)
}

#[cfg(test)]
mod tests {
    use super::{Recognizers, evaluate, window};

    #[test]
    fn an_excerpt_is_one_line_around_the_byte() {
        assert_eq!(window("http://h/a b", 10), ("http://h/a b".to_owned(), 10));
        assert_eq!(window("é\u{7}x", 3), ("é\\u{7}x".to_owned(), 6));
        let (shown, columns) = window(&"日x".repeat(1000), 4);
        assert!(shown.starts_with("日x日") && shown.ends_with('…') && columns == 3, "{shown} {columns}");
        let (shown, columns) = window(&"a".repeat(1000), 1000);
        assert_eq!((shown.chars().count(), columns), (62, 62));
    }

    #[test]
    fn the_message_for_a_mismatch_is_one_line() {
        let grammar = urlstrata::grammar::by_revision("rfc1738").expect("a grammar");
        let mut recognizers = Recognizers::default();
        let mut evaluated = |production: &str, text: &str| evaluate(&mut recognizers, grammar, production, text);
        let mut sentence = |text: &str| evaluated(grammar.top(text), text).expect("a production").sentence();
        assert_eq!(sentence("http://h/a"), "httpurl (RFC 1738 §5): matched");
        assert_eq!(
            sentence("http://h/\u{7}"),
            "httpurl (RFC 1738 §5): not matched: unexpected \"\\u{7}\" (U+0007) at byte 9"
        );
        assert_eq!(sentence("x"), "otherurl (RFC 1738 §5): not matched: unexpected end at byte 1");
        assert!(evaluated("hst", "x").is_err_and(|why| why.contains("has no production \"hst\"")));
        assert!(evaluated("hpaths", "x").is_err_and(|why| why.ends_with("it has hpath")));
    }
}
