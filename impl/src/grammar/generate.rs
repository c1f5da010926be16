//! Random valid strings of a production, and mutated strings.

use alloc::string::String;

use super::{Expression, Grammar};

/// The maximum number of additional repetitions, so that strings are short.
const LONGEST: usize = 4;

/// A mutation of a valid string.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Edit {
    /// Removed the character at this byte.
    Removed(usize),
    /// Inserted this character at this byte.
    Inserted(usize, char),
    /// Replaced the character at this byte by this one.
    Replaced(usize, char),
    /// Doubled the character at this byte.
    Doubled(usize),
    /// Removed everything from this byte on.
    Cut(usize),
}

/// The characters that mutations insert: all delimiters, characters that no specification allows, and characters that
/// only some allow.
const EDITS: &[char] = &[
    ':', '/', '?', '#', '[', ']', '@', ';', '=', '&', '+', '$', ',', '%', '.', '-', '_', '~', '!', '*', '\'', '(', ')',
    '<', '>', '"', '{', '}', '|', '\\', '^', '`', ' ', '\0', '\n', '\u{7f}', 'é', '😀', '0', '9', 'a', 'F', 'g', 'Z',
];

impl Grammar {
    /// Generates a valid string of `production`, or returns `None` if there is no such production.
    ///
    /// The function calls `choose` for each choice with the number of alternatives, and uses the returned number modulo
    /// that number. If all choices are 0, the string is a shortest one or nearly so. Shrinking the choices therefore
    /// shrinks the string.
    ///
    /// ```
    /// let rfc1738 = urlstrata::grammar::by_revision("rfc1738").expect("it has a grammar");
    /// assert_eq!(rfc1738.generate("hostport", &mut |_| 0).as_deref(), Some("a"));
    /// ```
    pub fn generate(&self, production: &str, choose: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        let rule = &self.production(production)?.rule;
        let mut out = String::new();
        self.derive(rule, choose, 0, &mut out);
        Some(out)
    }

    /// Generates a valid string of `production` and mutates it. The mutated string may be valid too.
    pub fn generate_mutated(&self, production: &str, choose: &mut dyn FnMut(usize) -> usize) -> Option<(String, Edit)> {
        let mut text = self.generate(production, choose)?;
        let places = text.chars().count();
        let place = choose(places + 1) % (places + 1);
        let at = text.char_indices().nth(place).map_or(text.len(), |(at, _)| at);
        let fresh = EDITS[choose(EDITS.len()) % EDITS.len()];
        let edit = match (text[at..].chars().next(), choose(5) % 5) {
            (Some(_), 0) => {
                text.remove(at);
                Edit::Removed(at)
            }
            (Some(old), 1) => {
                text.replace_range(at..at + old.len_utf8(), fresh.encode_utf8(&mut [0; 4]));
                Edit::Replaced(at, fresh)
            }
            (Some(old), 2) => {
                text.insert(at, old);
                Edit::Doubled(at)
            }
            (Some(_), 3) => {
                text.truncate(at);
                Edit::Cut(at)
            }
            _ => {
                text.insert(at, fresh);
                Edit::Inserted(at, fresh)
            }
        };
        Some((text, edit))
    }

    fn derive(&self, rule: &Expression, choose: &mut dyn FnMut(usize) -> usize, depth: usize, out: &mut String) {
        // The tests of `grammar` check that no production refers to itself.
        if depth > 200 {
            return;
        }
        let all = |rules: &[Expression], choose: &mut dyn FnMut(usize) -> usize, out: &mut String| {
            rules.iter().for_each(|rule| self.derive(rule, choose, depth + 1, out));
        };
        match rule {
            Expression::OneOf(characters) => {
                let index = choose(characters.len()) % characters.len();
                out.extend(characters.chars().nth(index));
            }
            Expression::Text(text) => out.push_str(text),
            Expression::Name(name) => {
                if let Some(production) = self.production(name) {
                    self.derive(&production.rule, choose, depth + 1, out);
                }
            }
            Expression::Seq(rules) => all(rules, choose, out),
            Expression::Alt(rules) => {
                let index = choose(rules.len()) % rules.len();
                self.derive(&rules[index], choose, depth + 1, out);
            }
            Expression::Opt(rules) => {
                if choose(2) % 2 == 1 {
                    all(rules, choose, out);
                }
            }
            Expression::Repeat { least, most, body, .. } => {
                let most = most.unwrap_or(least + LONGEST);
                let times = least + choose(most - least + 1) % (most - least + 1);
                (0..times).for_each(|_| all(body, choose, out));
            }
        }
    }
}
