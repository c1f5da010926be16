//! The rows of the tables of recorded engines.

use serde::Serialize;
use serde_json::Value;
use urlstrata_harness::knowledge::step_table::Shown;
use urlstrata_harness::outcome::Outcome;

use super::family::Relative;

/// A language and its engines.
#[derive(Serialize)]
pub(super) struct LanguageRow {
    pub(super) language: String,
    pub(super) engines: Vec<EngineRow>,
}

/// A recorded engine.
#[derive(Serialize)]
pub(super) struct EngineRow {
    pub(super) name: String,
    pub(super) lineage: String,
    pub(super) homepage: String,
    pub(super) license: String,
    pub(super) native: String,
    /// The call that gives the host of a URL; empty if the library does not split URLs.
    pub(super) states: String,
    pub(super) connects: String,
    pub(super) follows: String,
    pub(super) note: String,
    pub(super) deviates: Vec<String>,
    pub(super) versions: Vec<VersionRow>,
    /// The number of pairs of the panel, if the results were published by others, who asked other pairs.
    pub(super) published: Option<usize>,
    /// The profile of the newest recorded version.
    pub(super) profile: Option<ProfileRow>,
    /// The examples of the specifications, compared with the newest recorded version.
    pub(super) examples: Option<Value>,
    /// The behaviour of the newest recorded version, in words, if the engine has no steps.
    pub(super) behaviour: Option<Value>,
    /// The sentences at the head of the page, if the newest recorded version has a behaviour.
    pub(super) head: Option<Value>,
    /// The steps of its source, if they are known.
    pub(super) steps: Option<Shown>,
    /// The engine of another name with the fewest different results.
    pub(super) relative: Option<Relative>,
}

/// What is known of the newest recorded version of an engine in addition to its results.
#[derive(Serialize)]
pub(super) struct ProfileRow {
    /// The id of the specification with which it is compared.
    pub(super) nearest: String,
    /// The accuracy of its behaviour for links, and by class of base; empty with steps.
    pub(super) rates: Vec<RateRow>,
    /// The accuracy of its behaviour for links, and by class of base with its scheme for the held-out pairs of the panel; empty with steps.
    pub(super) classes: Vec<RateRow>,
    /// The setting of each rule, as [`super::answers`] finds it.
    pub(super) rules: Vec<Option<&'static str>>,
}

/// The number of pairs of one kind, and how many of them the profile predicts.
#[derive(Serialize)]
pub(super) struct RateRow {
    pub(super) pairs: String,
    pub(super) asked: u64,
    pub(super) predicted: u64,
}

/// A version of an engine.
#[derive(Serialize)]
pub(super) struct VersionRow {
    pub(super) version: String,
    pub(super) install: String,
    /// The platform of the recording and who built the version; `None` if it is not known.
    pub(super) recorded_on: Option<String>,
    /// The number of pairs with a URL, and of pairs with the URL of a specification.
    pub(super) urls: Option<usize>,
    /// The number of URLs of which the version states components; `None` if its statements are not recorded.
    pub(super) split: Option<usize>,
    /// The number of URLs for which the client does something that is observed; `None` if its connections are not recorded.
    pub(super) connected: Option<usize>,
    pub(super) specified: usize,
    /// What changed since the next older recorded version.
    pub(super) changed: Option<ChangedRow>,
}

/// What changed between two recorded versions.
#[derive(Serialize)]
pub(super) struct ChangedRow {
    pub(super) since: String,
    pub(super) pairs: usize,
    /// The smallest pair with different results: base, reference, older result, newer result.
    pub(super) witness: Option<(String, String, Outcome, Outcome)>,
}
