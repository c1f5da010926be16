//! The file of known failures of a library.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::check::Failure;
use crate::reader::{Node, read};

/// The environment variable that makes a check write the file.
pub(crate) const UPDATE: &str = "URLSTRATA_UPDATE";

/// The version of the form of the file.
const VERSION: &str = "1";

/// Failures that a library is known to have: the path of each vector, and the result.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Known {
    revision: String,
    failures: Vec<(String, String)>,
}

impl Known {
    /// Returns the failures of a check.
    pub(crate) fn of(revision: &str, failures: &[Failure]) -> Self {
        let failures = failures.iter().map(|it| (it.path.clone(), it.got.clone()));
        Self { revision: revision.to_owned(), failures: failures.collect() }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the file, and the line if it is known, and the remedy.
    pub(crate) fn read(file: &Path, revision: &str) -> Result<Self, String> {
        let shown = file.display();
        let text = fs::read_to_string(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("{shown}: there is no such file; {UPDATE}=1 writes it"),
            _ => format!("{shown}: {error}"),
        })?;
        let content = read(&text).map_err(|error| format!("{shown}:{error}"))?;
        let (version, own) = (content.text_at("version"), content.text_at("revision"));
        if version != VERSION {
            return Err(format!(
                "{shown}: the version is {version:?}, and this one reads {VERSION:?}; {UPDATE}=1 writes it"
            ));
        }
        if own != revision {
            return Err(format!("{shown}: the file is about {own:?}, and the suite is {revision:?}"));
        }
        let known = content.get("known").map(Node::elements).unwrap_or_default();
        let entry = |node: &Node| (node.text_at("vector").to_owned(), node.text_at("got").to_owned());
        Ok(Self { revision: own.to_owned(), failures: known.iter().map(entry).collect() })
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the file if it cannot be written.
    pub(crate) fn write(&self, file: &Path) -> Result<(), String> {
        let mut text =
            format!("# {UPDATE}=1 writes this file: vectors of urlstrata that the library is known to fail.\n");
        let _ = writeln!(text, "version: \"{VERSION}\"\nrevision: {}", quoted(&self.revision));
        text += if self.failures.is_empty() { "known: []\n" } else { "known:\n" };
        for (vector, got) in &self.failures {
            let _ = writeln!(text, "  - vector: {}\n    got: {}", quoted(vector), quoted(got));
        }
        fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Returns the number of failures.
    pub(crate) fn len(&self) -> usize {
        self.failures.len()
    }

    /// Returns whether a vector is known to have this result.
    pub(crate) fn allows(&self, path: &str, got: &str) -> bool {
        self.failures.iter().any(|(own, result)| own == path && result == got)
    }

    /// Returns a sentence about each entry that a check does not need: its vector was not asked, has the expected result, or has another
    /// wrong one.
    pub(crate) fn stale(&self, asked: &[&str], failures: &[Failure]) -> Vec<String> {
        let of = |(path, got): &(String, String)| {
            let found = failures.iter().find(|it| it.path == *path);
            match found {
                Some(found) if found.got == *got => None,
                Some(_) => Some(format!("{path}: it is known to have the result {got}, and has another one")),
                None if asked.contains(&path.as_str()) => Some(format!("{path}: it is known to fail, and does not")),
                None => Some(format!("{path}: it is known to fail, and the suite has no such vector")),
            }
        };
        self.failures.iter().filter_map(of).collect()
    }
}

/// Returns a text as a string in double quotes.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn what_is_written_is_read_again() {
        let file = std::env::temp_dir().join(format!("urlstrata-known-{}.yaml", std::process::id()));
        let texts = ["", "http://a/", "a\"b\\c", "\n\r\t\0\u{7f}\u{85}\u{2028}\u{feff}", "é𝄞", "# a: [b] {c}", " "];
        for failures in [Vec::new(), texts.map(|text| ("a/b \"c\"".to_owned(), text.to_owned())).to_vec()] {
            let known = Known { revision: "rfc3986".to_owned(), failures };
            known.write(&file).expect("a file");
            assert_eq!(Known::read(&file, "rfc3986"), Ok(known));
        }
        std::fs::remove_file(file).expect("the file");
    }
}
