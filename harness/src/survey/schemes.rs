//! RFC 1738's schemes over the URLs of the vectors: accepted URLs, disagreements between prose and grammar, and
//! differences from the `url` crate.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{self, by_name};

use super::fields::{FieldComparer, FieldDifference, FieldReason};
use crate::evaluate::grammar::Recognizers;
use crate::evaluate::scheme::disagreement;
use crate::model::known::KnownEngines;
use crate::vector::Suite;

/// The results of a survey of schemes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Survey {
    /// The number of URLs.
    pub urls: u64,
    /// The results for each scheme.
    pub schemes: Vec<SchemeRow>,
    /// The disagreements between prose and grammar, by remark.
    pub disagreements: Vec<DisagreementRow>,
    /// The number of URLs for which the crate has the same fields as RFC 1738, or which both reject.
    pub alike: u64,
    /// The number of URLs for which at least one field differs.
    pub differing: u64,
    /// The number of fields that differ.
    pub fields: u64,
    /// The number of fields that differ without a reason.
    pub unexplained: u64,
    /// The reasons of different fields, most frequent first.
    pub reasons: Vec<ReasonRow>,
}

/// A scheme and its URLs.
#[derive(Clone, Debug, Serialize)]
pub struct SchemeRow {
    /// The name of the scheme.
    pub name: &'static str,
    /// The section that describes it.
    pub section: &'static str,
    /// Its default port.
    pub port: Option<u16>,
    /// The names of its fields.
    pub fields: Vec<&'static str>,
    /// The number of URLs that are accepted.
    pub accepted: u64,
    /// The number of URLs that are rejected.
    pub rejected: u64,
}

/// The URLs on which prose and grammar disagree for the same reason.
#[derive(Clone, Debug, Serialize)]
pub struct DisagreementRow {
    /// The id of the remark that describes the disagreement; empty if there is none.
    pub mark: &'static str,
    /// The number of URLs.
    pub count: u64,
    /// Whether the prose accepts the URLs and the grammar does not match them, or the reverse.
    pub prose_accepts: bool,
    /// The shortest of the URLs.
    pub witness: String,
}

/// The fields that differ for the same reason.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonRow {
    /// The name of the reason.
    pub name: &'static str,
    /// The reason as a sentence.
    pub note: &'static str,
    /// Specification and section.
    pub source: String,
    /// The number of fields.
    pub count: u64,
    /// The shortest URL with such a field.
    pub witness: String,
    /// The name of the field in that URL.
    pub field: &'static str,
    /// Its value by RFC 1738; `None` if it is absent.
    pub specification: Option<String>,
    /// Its value by the crate's components; `None` if it is absent.
    pub engine: Option<String>,
}

/// Surveys every URL of the vectors whose scheme RFC 1738 describes.
///
/// # Errors
///
/// Returns a sentence if there is no known profile of the crate.
pub fn survey(suite: &Suite, known: &KnownEngines) -> Result<Survey, String> {
    let comparer = FieldComparer::new(known)?;
    let mut recognizers = Recognizers::default();
    let mut found = Survey { schemes: schemes(), ..Survey::default() };
    let mut reasons: BTreeMap<FieldReason, (u64, String, FieldDifference)> = BTreeMap::new();
    let mut disagreements: BTreeMap<&'static str, DisagreementRow> = BTreeMap::new();
    for url in urls(suite) {
        found.urls += 1;
        found.count(url);
        if let Some(it) = disagreement(&mut recognizers, url) {
            let row = disagreements.entry(it.mark.unwrap_or_default()).or_insert_with(|| DisagreementRow {
                mark: it.mark.unwrap_or_default(),
                count: 0,
                prose_accepts: it.prose_accepts,
                witness: url.to_owned(),
            });
            row.count += 1;
        }
        let differing = comparer.differing(url);
        *(if differing.is_empty() { &mut found.alike } else { &mut found.differing }) += 1;
        for row in differing {
            found.fields += 1;
            found.unexplained += u64::from(row.reasons.is_empty());
            for reason in &row.reasons {
                reasons.entry(*reason).or_insert_with(|| (0, url.to_owned(), row.clone())).0 += 1;
            }
        }
    }
    found.disagreements = disagreements.into_values().collect();
    found.reasons = reasons.into_iter().map(|(reason, row)| of_reason(reason, row)).collect();
    found.reasons.sort_by_key(|row| (std::cmp::Reverse(row.count), row.name));
    Ok(found)
}

/// Returns the URLs whose scheme RFC 1738 describes. The shortest URL is the first, so that the first example of a
/// class is also its smallest.
fn urls(suite: &Suite) -> Vec<&str> {
    let described = |url: &&str| url.split_once(':').is_some_and(|(scheme, _)| by_name(scheme).is_some());
    let mut urls: Vec<_> = suite.urls().into_iter().filter(described).collect();
    urls.sort_by_key(|url| url.len());
    urls
}

/// Returns an entry for each scheme, with counts of zero.
fn schemes() -> Vec<SchemeRow> {
    /// A URL of each scheme, from which the names of its fields are derived.
    const SHORT: [&str; 10] = [
        "ftp://h",
        "http://h",
        "gopher://h",
        "mailto:a@b",
        "news:a",
        "nntp://h/a/1",
        "telnet://h",
        "wais://h/",
        "file:///",
        "prospero://h/",
    ];
    let fields = |name: &str| {
        let short = SHORT.iter().find(|url| url.split(':').next() == Some(name));
        let read = short.and_then(|url| rfc1738::read(url).ok());
        read.map_or(Vec::new(), |url| url.fields().iter().map(|field| field.name).collect())
    };
    let row = |scheme: &'static scheme::Scheme| SchemeRow {
        name: scheme.name,
        section: scheme.section,
        port: scheme.port,
        fields: fields(scheme.name),
        accepted: 0,
        rejected: 0,
    };
    scheme::ALL.iter().map(row).collect()
}

impl Survey {
    fn count(&mut self, url: &str) {
        let name = url.split(':').next().unwrap_or_default();
        let Some(row) = self.schemes.iter_mut().find(|row| row.name.eq_ignore_ascii_case(name)) else { return };
        *(if rfc1738::read(url).is_ok() { &mut row.accepted } else { &mut row.rejected }) += 1;
    }
}

fn of_reason(reason: FieldReason, (count, witness, row): (u64, String, FieldDifference)) -> ReasonRow {
    ReasonRow {
        name: reason.name(),
        note: reason.note(),
        source: reason.source(),
        count,
        witness,
        field: row.field,
        specification: row.specification,
        engine: row.engine,
    }
}
