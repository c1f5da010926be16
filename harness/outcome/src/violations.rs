//! The protocol violations of an engine.

use crate::escape::visible;

/// The protocol violations of an engine: the first sentences about them, and their number.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Violations {
    first: Vec<String>,
    count: u64,
}

impl Violations {
    /// The number of sentences that are kept.
    pub const KEPT: usize = 20;

    /// Adds a violation. Invisible characters in `sentence` are escaped, so that it is safe to print on a terminal.
    pub fn add(&mut self, sentence: &str) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(visible(sentence));
        }
    }

    /// Adds the violations of `others`, and returns those of their sentences that are kept.
    pub fn extend(&mut self, others: Self) -> &[String] {
        let kept = self.first.len();
        self.count += others.count;
        self.first.extend(others.first.into_iter().take(Self::KEPT - kept));
        &self.first[kept..]
    }

    /// Returns the sentences about the first [`Self::KEPT`] violations.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// Returns the number of violations.
    pub fn count(&self) -> u64 {
        self.count
    }
}
