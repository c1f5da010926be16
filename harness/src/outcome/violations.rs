//! What an engine did against the protocol.

use crate::escape::visible;

/// Sentences on what an engine did against the protocol: the first of them, and how many there are.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Violations {
    first: Vec<String>,
    count: u64,
}

impl Violations {
    /// So many sentences are kept.
    pub const KEPT: usize = 20;

    /// Adds one, as a line that a terminal shows and does not act upon.
    pub fn add(&mut self, sentence: &str) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(visible(sentence));
        }
    }

    /// Adds others, and hands back those that are kept.
    pub fn extend(&mut self, others: Self) -> &[String] {
        let kept = self.first.len();
        self.count += others.count;
        self.first.extend(others.first.into_iter().take(Self::KEPT - kept));
        &self.first[kept..]
    }

    /// The first [`Self::KEPT`].
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }
}
