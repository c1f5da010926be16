//! RFC 1738's schemes over the URLs of the vectors: accepted URLs, disagreements between prose and grammar, and
//! differences from the `url` crate.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{self, by_name};

use super::fields::{FieldComparer, FieldDifference, FieldReason};
use crate::evaluate::grammar::Recognizers;
use crate::evaluate::scheme::disagreement;
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
    pub name: String,
    /// The reason as a sentence.
    pub note: String,
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
pub fn survey(suite: &Suite) -> Survey {
    let comparer = FieldComparer::default();
    let mut recognizers = Recognizers::default();
    let mut found = Survey { schemes: schemes(), ..Survey::default() };
    let mut reasons: BTreeMap<String, ReasonRow> = BTreeMap::new();
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
                let new = || of_reason(reason, url, &row);
                reasons.entry(reason.name().to_owned()).or_insert_with(new).count += 1;
            }
        }
    }
    found.disagreements = disagreements.into_values().collect();
    found.reasons = reasons.into_values().collect();
    found.reasons.sort_by_key(|row| std::cmp::Reverse(row.count));
    found
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

/// Returns a row for the first field that differs for `reason`, without a count.
fn of_reason(reason: &FieldReason, witness: &str, row: &FieldDifference) -> ReasonRow {
    ReasonRow {
        name: reason.name().to_owned(),
        note: reason.note().to_owned(),
        source: reason.source(),
        count: 0,
        witness: witness.to_owned(),
        field: row.field,
        specification: row.specification.clone(),
        engine: row.engine.clone(),
    }
}
