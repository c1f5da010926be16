//! The canonical form of a file about an engine.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{DeviationKind, Example, KnownEngine, NoUrl, Witness};
use crate::vector::{KNOWN, VectorError, first_apart, quoted, write_canonical};

/// Whether `path` is that of a file about an engine, and not of vectors.
pub fn is_about_engine(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(KNOWN))
}

/// Compares the file at `path` with its canonical form.
///
/// # Errors
///
/// If it cannot be read, is not in order, or is not in that form.
pub fn lint(path: &Path) -> Result<(), VectorError> {
    let canonical = KnownEngine::read(path)?.canonical();
    let text = fs::read_to_string(path).map_err(|error| VectorError::new(path, None, error.to_string()))?;
    if text == canonical {
        return Ok(());
    }
    Err(VectorError::new(
        path,
        Some(first_apart(&text, &canonical)),
        "not in canonical form: run `urlstrata vectors fmt`",
    ))
}

/// Writes the file at `path` in its canonical form, beside it first; says whether it changed.
///
/// # Errors
///
/// If it cannot be read or written, is not in order, or has comments, which would be lost.
pub fn format_file(path: &Path) -> Result<bool, VectorError> {
    let canonical = KnownEngine::read(path)?.canonical();
    write_canonical(path, &canonical, "put it into a `reason`")
}

impl KnownEngine {
    /// The file in its canonical form: keys in order, every string in double quotes.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "engine: {}\nversion: {}\nprofile:", quoted(&self.engine), quoted(&self.version));
        let stated = &self.profile;
        let _ = writeln!(out, "  nearest: {}", quoted(&stated.nearest));
        let answers: Vec<_> = stated.answers.iter().map(|(name, it)| format!("{name}: {}", quoted(it))).collect();
        let _ = writeln!(out, "  answers: {{{}}}", answers.join(", "));
        if stated.undetermined.is_empty() {
            out.push_str("  undetermined: {}\n");
        } else {
            out.push_str("  undetermined:\n");
        }
        for (name, answers) in &stated.undetermined {
            let _ = writeln!(out, "    {name}: [{}]", list(answers));
        }
        for (key, names) in
            [("makes", &stated.makes), ("leaves", &stated.leaves), ("unobservable", &stated.unobservable)]
        {
            let _ = writeln!(out, "  {key}: [{}]", list(names));
        }
        let entries = |empty: bool, key: &str| if empty { format!("{key}: []\n") } else { format!("{key}:\n") };
        out.push_str(&entries(self.deviations.is_empty(), "deviations"));
        let head =
            |id: &str, kind: DeviationKind, reason: &str, since: &str, issue: &Option<String>, out: &mut String| {
                let _ = writeln!(out, "  - id: {}\n    kind: {}", quoted(id), quoted(kind.name()));
                let _ = writeln!(out, "    reason: {}\n    since: {}", quoted(reason), quoted(since));
                if let Some(issue) = issue {
                    let _ = writeln!(out, "    issue: {}", quoted(issue));
                }
            };
        for it in &self.deviations {
            head(&it.id, it.kind, &it.reason, &it.since, &it.issue, &mut out);
            if let Some(Witness { base, reference, said, document }) = &it.witness {
                let _ =
                    writeln!(out, "    witness:\n      base: {}\n      reference: {}", quoted(base), quoted(reference));
                let _ = writeln!(out, "      said: {}\n      document: {}", said.canonical(), document.canonical());
            }
            let _ =
                writeln!(out, "    vectors: {}\n    short: {}\n    elsewhere: {}", it.vectors, it.short, it.elsewhere);
        }
        out.push_str(&entries(self.exceptions.is_empty(), "exceptions"));
        for it in &self.exceptions {
            head(&it.id, it.kind, &it.reason, &it.since, &it.issue, &mut out);
            let _ = writeln!(out, "    count: {}\n    digest: {}", it.count, quoted(&it.digest));
            let _ = writeln!(out, "    elsewhere: {}", it.elsewhere);
            out.push_str(&entries(it.examples.is_empty(), "    examples"));
            for Example { base, reference, url, outcome } in &it.examples {
                let did = match (url, outcome) {
                    (Some(url), _) => format!("url: {}", quoted(url)),
                    (None, outcome) => format!("outcome: {}", quoted(outcome.map_or("skipped", NoUrl::name))),
                };
                let _ = writeln!(out, "      - {{base: {}, reference: {}, {did}}}", quoted(base), quoted(reference));
            }
        }
        out
    }
}
