//! Strings matched against a grammar, with a verdict in words.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;
use urlstrata::grammar::{Grammar, MatchedPart, Recognizer};

use crate::escape::visible;

/// A sentence about a name that `grammar` does not have, with the ones nearest to it.
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

/// What a grammar says of a text, for people and machines.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The grammar's id.
    pub grammar: &'static str,
    /// How sources name the document.
    pub cite: &'static str,
    /// The production that was asked.
    pub production: &'static str,
    /// The section it stands in.
    pub section: &'static str,
    /// Whether it derives the text.
    pub member: bool,
    /// Which productions derive what, outer ones first; none if it is no member.
    pub derivation: Vec<Part>,
    /// Where the text stops being a member, in bytes, if it does.
    pub stops: Option<usize>,
    /// What stands there; `None` at the text's end.
    pub found: Option<char>,
    /// What could stand there, by the production it is part of.
    pub could: Vec<(&'static str, Vec<String>)>,
    /// Whether the text could end there.
    pub complete: bool,
}

/// What one production derives.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// The production's name.
    pub production: &'static str,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// How many others it is part of.
    pub depth: usize,
}

/// Recognisers for many texts: each is made once, which takes longer than to read a text.
#[derive(Debug, Default)]
pub struct Recognisers(BTreeMap<(&'static str, &'static str), Recognizer>);

impl Recognisers {
    /// That of `production` of `grammar`.
    ///
    /// # Errors
    ///
    /// A sentence, if there is no such production.
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

/// Asks `production` of `grammar` for `text`.
///
/// # Errors
///
/// A sentence, if there is no such production.
pub fn evaluate(
    recognisers: &mut Recognisers,
    grammar: &'static Grammar,
    production: &str,
    text: &str,
) -> Result<Judged, String> {
    let recogniser = recognisers.of(grammar, production)?;
    let production = recogniser.production();
    let mut judged = Judged {
        grammar: grammar.id,
        cite: grammar.cite,
        production: production.name,
        section: production.section,
        member: false,
        derivation: Vec::new(),
        stops: None,
        found: None,
        could: Vec::new(),
        complete: true,
    };
    match recogniser.match_parts(text) {
        Ok(derived) => {
            let part = |MatchedPart { production, start, end, depth }| Part { production, start, end, depth };
            judged.member = true;
            judged.derivation = derived.into_iter().map(part).collect();
        }
        Err(stop) => {
            judged.stops = Some(stop.at);
            judged.found = text[stop.at..].chars().next();
            judged.complete = stop.prefix_is_valid;
            for could in stop.expected {
                let what = could.terminal.to_string();
                match judged.could.iter_mut().find(|(inside, _)| *inside == could.production) {
                    Some((_, all)) => all.push(what),
                    None => judged.could.push((could.production, vec![what])),
                }
            }
        }
    }
    Ok(judged)
}

impl Judged {
    /// One line: `httpurl (RFC 1738 §5): not matched: unexpected " " (U+0020) at byte 10`.
    pub fn sentence(&self) -> String {
        let production = format!("{} ({} {})", self.production, self.cite, place(self.section));
        match (self.stops, self.found) {
            (None, _) => format!("{production}: matched"),
            (Some(at), None) => format!("{production}: not matched: unexpected end at byte {at}"),
            (Some(at), Some(found)) => format!("{production}: not matched: unexpected {} at byte {at}", named(found)),
        }
    }
}

/// A section as sources are named: `§5`, `Appendix A`.
fn place(section: &str) -> String {
    if section.starts_with(|first: char| first.is_ascii_digit()) {
        format!("§{section}")
    } else {
        format!("Appendix {section}")
    }
}

/// A character with its code point.
fn named(character: char) -> String {
    format!("\"{}\" (U+{:04X})", visible(&character.to_string()), character as u32)
}

/// The text around byte `at`, made visible, and how many columns of it precede that byte. No more than a line of it.
pub fn window(text: &str, at: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const BEHIND: usize = 40;
    let start = text[..at].char_indices().rev().nth(BEFORE).map_or(0, |(start, _)| start);
    let end = text[at..].char_indices().nth(BEHIND).map_or(text.len(), |(end, _)| at + end);
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
    use super::{Recognisers, evaluate, window};

    #[test]
    fn a_window_shows_the_place_and_no_more_than_a_line() {
        assert_eq!(window("http://h/a b", 10), ("http://h/a b".to_owned(), 10));
        assert_eq!(window("é\u{7}x", 3), ("é\\u{7}x".to_owned(), 6));
        let (shown, columns) = window(&"日x".repeat(1000), 4);
        assert!(shown.starts_with("日x日") && shown.ends_with('…') && columns == 3, "{shown} {columns}");
        let (shown, columns) = window(&"a".repeat(1000), 1000);
        assert_eq!((shown.chars().count(), columns), (62, 62));
    }

    #[test]
    fn a_verdict_is_one_line_without_an_article() {
        let grammar = urlstrata::grammar::by_revision("rfc1738").expect("a grammar");
        let mut recognisers = Recognisers::default();
        let mut asked = |production: &str, text: &str| evaluate(&mut recognisers, grammar, production, text);
        let mut said = |text: &str| asked(grammar.top(text), text).expect("a production").sentence();
        assert_eq!(said("http://h/a"), "httpurl (RFC 1738 §5): matched");
        assert_eq!(
            said("http://h/\u{7}"),
            "httpurl (RFC 1738 §5): not matched: unexpected \"\\u{7}\" (U+0007) at byte 9"
        );
        assert_eq!(said("x"), "otherurl (RFC 1738 §5): not matched: unexpected end at byte 1");
        assert!(asked("hst", "x").is_err_and(|why| why.contains("has no production \"hst\"")));
        assert!(asked("hpaths", "x").is_err_and(|why| why.ends_with("it has hpath")));
    }
}
