//! Panels: the pairs that recordings answer.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use memchr::memmem;
use urlstrata::revision::{self, Revision};

use super::Pair;
use super::recording::{digest, escape, unescape};
use super::stored::StoredFile;
use crate::outcome::Outcome;
use crate::yaml::FileError;

/// The pairs that recordings answer, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Panel(Arc<Pairs>);

#[derive(Debug, Default)]
struct Pairs {
    /// The file in the program, if the panel is one. Its pairs are decoded when they are needed.
    embedded: Option<StoredFile>,
    /// The text of that file.
    text: OnceLock<String>,
    decoded: OnceLock<Decoded>,
    /// The outcomes of each revision, computed when they are needed.
    outcomes: OnceLock<Vec<OnceLock<Vec<Outcome>>>>,
}

#[derive(Debug, Default)]
struct Decoded {
    pairs: Vec<(String, String)>,
    index: HashMap<(String, String), usize>,
    digest: String,
}

impl Decoded {
    /// Numbers `pairs`, without duplicates.
    fn of(pairs: impl Iterator<Item = (String, String)>) -> Self {
        let mut index = HashMap::new();
        let mut kept = Vec::new();
        for pair in pairs {
            if !index.contains_key(&pair) {
                index.insert(pair.clone(), kept.len());
                kept.push(pair);
            }
        }
        let digest = digest(kept.iter().flat_map(|(base, reference)| [base.as_str(), reference.as_str()]));
        Self { pairs: kept, index, digest }
    }
}

/// Returns the pair on a line of a panel.
fn pair(line: &str) -> Option<(String, String)> {
    let (base, reference) = line.split_once('\t')?;
    Some((unescape(base)?, unescape(reference)?))
}

impl Panel {
    /// Creates a panel of `pairs`. Duplicates are removed.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(Arc::new(Pairs { decoded: Decoded::of(pairs.into_iter()).into(), ..Pairs::default() }))
    }

    /// Reads a panel. The pairs of a file that is part of the program are decoded when they are needed; tests verify that it
    /// is valid.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or is rejected by [`Self::parse`].
    pub(super) fn open(file: &StoredFile) -> Result<Self, FileError> {
        match file.is_embedded() {
            true => Ok(Self(Arc::new(Pairs { embedded: Some(file.clone()), ..Pairs::default() }))),
            false => Self::parse(file.path(), &file.text()?),
        }
    }

    /// Parses `text` as the panel at `path`: a pair on each line, base and reference separated by a tab and escaped as in
    /// JSON.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if a line is not a pair, or contains a pair again.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let wanted = "not a pair: a line is a base, a tab and a reference, escaped as in JSON";
        let read = |(number, line)| pair(line).ok_or_else(|| FileError::new(path, Some(number), wanted));
        let pairs: Vec<_> = (1..).zip(text.lines()).map(read).collect::<Result<_, _>>()?;
        let count = pairs.len();
        let panel = Self::new(pairs);
        match panel.len() == count {
            true => Ok(panel),
            false => Err(FileError::new(path, None, format!("{} pairs are duplicates", count - panel.len()))),
        }
    }

    fn decoded(&self) -> &Decoded {
        self.0.decoded.get_or_init(|| {
            let Some(file) = &self.0.embedded else { return Decoded::default() };
            Decoded::of(self.embedded_text(file).lines().filter_map(pair))
        })
    }

    fn embedded_text(&self, file: &StoredFile) -> &str {
        self.0.text.get_or_init(|| file.text().unwrap_or_default())
    }

    /// Returns the panel as text, as [`Self::parse`] reads it.
    pub fn text(&self) -> String {
        let pairs = self.decoded().pairs.iter();
        pairs.map(|(base, reference)| format!("{}\t{}\n", escape(base), escape(reference))).collect()
    }

    /// Returns the digest of the pairs.
    pub fn digest(&self) -> &str {
        &self.decoded().digest
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.decoded().pairs.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the pairs.
    pub fn pairs(&self) -> Vec<Pair<'_>> {
        self.decoded().pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect()
    }

    /// Returns the outcomes of `revision`, in the order of the panel. They are computed once; empty if `revision` is not one of
    /// [`revision::ALL`].
    pub fn outcomes_of(&self, revision: &'static Revision) -> &[Outcome] {
        let all = self.0.outcomes.get_or_init(|| revision::ALL.iter().map(|_| OnceLock::new()).collect());
        let Some(number) = revision::ALL.iter().position(|it| it.id == revision.id) else { return &[] };
        // On one thread: another one that waits for these outcomes would never end.
        let resolve = |(base, reference): &(String, String)| revision.resolve(base, reference).into();
        all[number].get_or_init(|| self.decoded().pairs.iter().map(resolve).collect())
    }

    /// Returns the number of the pair, from 0; `None` if the panel does not contain the pair.
    pub fn find(&self, base: &str, reference: &str) -> Option<usize> {
        if let (Some(file), None) = (&self.0.embedded, self.0.decoded.get()) {
            // The text of a file in the program has one way to write a pair, so a single pair is found without decoding.
            let text = self.embedded_text(file);
            let line = format!("{}\t{}\n", escape(base), escape(reference));
            let is_line = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b'\n';
            let at = memmem::find_iter(text.as_bytes(), &line).find(is_line)?;
            return Some(memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count());
        }
        self.decoded().index.get(&(base.to_owned(), reference.to_owned())).copied()
    }
}
