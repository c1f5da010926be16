//! The result of a survey of pairs as a value that is written, read and merged.

use serde::{Deserialize, Serialize};

use crate::escape::visible;

use super::comparison::Comparison;

/// The result of a survey: what `run --pairs --format json` writes.
///
/// Results on parts of the pairs merge to the result on all pairs, in any order and grouping.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SurveyResult {
    /// The version of the program. Another version may find other causes.
    pub urlstrata: String,
    /// Whether consecutive revisions were compared, instead of engines with specifications.
    pub history: bool,
    /// The number of examples that were requested of each cause, in addition to the witness.
    pub examples: usize,
    /// The number of lines that were skipped, because they are not pairs.
    pub skipped_lines: u64,
    /// One comparison for each engine and specification.
    pub comparisons: Vec<Comparison>,
}

impl SurveyResult {
    /// Creates the result of comparisons by this version of the program.
    pub fn new(history: bool, examples: usize, skipped_lines: u64, comparisons: Vec<Comparison>) -> Self {
        Self { urlstrata: env!("CARGO_PKG_VERSION").to_owned(), history, examples, skipped_lines, comparisons }
    }

    /// Adds the result on other pairs. If they have different numbers of examples, the smaller number is kept.
    ///
    /// # Errors
    ///
    /// Returns what the two did differently, as a phrase for each, if they are not results of the same version, engines and
    /// specifications. Nothing is changed then.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_harness::survey::result::SurveyResult;
    ///
    /// let part = |skipped| SurveyResult::new(false, 0, skipped, Vec::new());
    /// let mut all = part(1);
    /// all.merge(part(2)).unwrap();
    /// assert_eq!(all.skipped_lines, 3);
    ///
    /// let other = SurveyResult { urlstrata: "0.0.1".to_owned(), ..part(0) };
    /// assert_eq!(all.merge(other).unwrap_err()[1], "was written by urlstrata 0.0.1");
    /// ```
    pub fn merge(&mut self, other: Self) -> Result<(), [String; 2]> {
        let phrases = [self.questions(), other.questions()];
        let differing = phrases[0].iter().zip(&phrases[1]).find(|(own, theirs)| own != theirs);
        if let Some((own, theirs)) = differing {
            return Err([own.clone(), theirs.clone()]);
        }
        self.examples = self.examples.min(other.examples);
        self.skipped_lines += other.skipped_lines;
        for (own, theirs) in self.comparisons.iter_mut().zip(other.comparisons) {
            own.merge(theirs, self.examples);
        }
        Ok(())
    }

    /// Returns what was done, in phrases of which each is equal for results that merge.
    fn questions(&self) -> Vec<String> {
        let asked = |found: &Comparison| {
            let [engine, version] = [&found.engine, &found.version].map(|text| visible(text));
            format!("compares {engine} {version} with {}", visible(&found.against))
        };
        let mut phrases = vec![
            format!("was written by urlstrata {}", visible(&self.urlstrata)),
            (if self.history { "compares consecutive revisions" } else { "compares engines with specifications" })
                .to_owned(),
            format!("has {} comparisons", self.comparisons.len()),
        ];
        phrases.extend(self.comparisons.iter().map(asked));
        phrases
    }
}
