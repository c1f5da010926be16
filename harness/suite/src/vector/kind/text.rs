//! Vectors of running text: the URLs that each specification finds in it.

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_yaml::Value;
use urlstrata::context::{Ambiguity, Delimiter, Extractor};
use urlstrata::revision::{self, Revision};

use super::{Expectations, Kind, compare, known_revision};
use crate::vector::coverage::StepRun;

/// A text, and the URLs that are expected.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TextCase {
    /// The text.
    pub text: String,
    /// The list of URLs that each specification finds in the text. Each URL is a mapping.
    #[serde(default)]
    pub urls: Expectations<Value>,
}

impl TextCase {
    pub(crate) const SUBJECT: &str = "text";
}

impl Kind for TextCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["urls"]
    }

    fn specifications(&self) -> Vec<&str> {
        self.urls.ids().collect()
    }

    fn check(&self, id: &str) -> Result<(), String> {
        match known_revision(id)?.context {
            Some(_) => Ok(()),
            None => {
                let able: Vec<_> =
                    revision::ALL.iter().filter(|revision| revision.context.is_some()).map(|it| it.id).collect();
                Err(format!("{id} does not describe URLs in running text: {} do", able.join(", ")))
            }
        }
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let (Some(extractor), Some(expected)) = (revision.context, self.urls.get(revision.id)) else { return Ok(()) };
        compare(expected, &found(extractor, &self.text)).map_err(|why| format!("{} in {:?}{why}", revision.id, self.text))
    }

    /// Returns every step of the extractor. A step runs on every text, and has an effect if it acts on at least one
    /// URL.
    fn steps(&self, revision: &'static Revision) -> Vec<StepRun> {
        let Some(extractor) = revision.context else { return Vec::new() };
        let finds: Vec<_> = extractor.find(&self.text).collect();
        let acted: Vec<_> = finds.iter().flat_map(|find| extractor.acted(find)).map(|rule| rule.label).collect();
        let run = |label: &'static str| StepRun { part: "context", label, acted: acted.contains(&label) };
        extractor.steps().map(|step| run(step.label)).collect()
    }
}

fn found(extractor: &Extractor, text: &str) -> Value {
    let found = extractor.find(text).map(|find| {
        let (url, candidate) = find.candidates(text);
        let hyphens: &[usize] = match &find.ambiguity {
            Ambiguity::Hyphens(at) => at,
            Ambiguity::None | Ambiguity::TrailingPunctuation(_) => &[],
        };
        let delimiter = match find.delimiter {
            Delimiter::PrefixedBrackets => "prefixed brackets",
            Delimiter::Brackets => "brackets",
            Delimiter::Quotes => "quotes",
            Delimiter::Prefix => "prefix",
            Delimiter::WhiteSpace => "white space",
        };
        json!({
            "url": url, "candidate": candidate, "hyphens": hyphens, "delimiter": delimiter,
            "wrapper": [find.wrapper.start, find.wrapper.end], "content": [find.content.start, find.content.end],
        })
    });
    serde_yaml::to_value(found.collect::<Vec<_>>()).unwrap_or_default()
}
