//! The schemes over the vectors' URLs: what is taken, where prose and grammar disagree, and where the `url` crate differs.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{self, by_name};

use super::fields::{FieldComparer, FieldDifference, FieldReason};
use crate::evaluate::grammar::Recognizers;
use crate::evaluate::scheme::disagreement;
use crate::model::known::KnownEngines;
use crate::vector::Suite;

/// What was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Survey {
    /// How many URLs there are.
    pub urls: u64,
    /// Each scheme.
    pub schemes: Vec<SchemeRow>,
    /// Where prose and grammar disagree, by mark.
    pub disagreements: Vec<DisagreementRow>,
    /// URLs of which the crate has every field alike, or which both reject.
    pub alike: u64,
    /// URLs of which it has a field otherwise.
    pub differing: u64,
    /// Those fields.
    pub fields: u64,
    /// Those without a reason.
    pub unexplained: u64,
    /// The reasons.
    pub reasons: Vec<ReasonRow>,
}

/// A scheme.
#[derive(Clone, Debug, Serialize)]
pub struct SchemeRow {
    /// Its name.
    pub name: &'static str,
    /// Where it is described.
    pub section: &'static str,
    /// Its default port.
    pub port: Option<u16>,
    /// The names of its fields.
    pub fields: Vec<&'static str>,
    /// How many of the URLs are taken.
    pub taken: u64,
    /// How many are rejected.
    pub rejected: u64,
}

/// URLs that prose and grammar judge otherwise, for one reason.
#[derive(Clone, Debug, Serialize)]
pub struct DisagreementRow {
    /// The mark; empty for none.
    pub mark: &'static str,
    /// How many.
    pub count: u64,
    /// Whether it is the prose that takes them.
    pub prose_accepts: bool,
    /// The smallest of them.
    pub witness: String,
}

/// Fields that differ for one reason.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonRow {
    /// Its name.
    pub name: &'static str,
    /// A sentence.
    pub note: &'static str,
    /// Document and section.
    pub source: String,
    /// How many.
    pub count: u64,
    /// The smallest URL.
    pub witness: String,
    /// The field in it.
    pub field: &'static str,
    /// What RFC 1738 says it is.
    pub document: Option<String>,
    /// What it is by the crate's components.
    pub engine: Option<String>,
}

/// Reads every URL of the vectors whose scheme is described.
///
/// # Errors
///
/// A sentence, if nothing is known of the crate.
pub fn survey(suite: &Suite, known: &KnownEngines) -> Result<Survey, String> {
    let beside = FieldComparer::new(known)?;
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
        let differing = beside.differing(url);
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

/// The URLs whose scheme is described, the shortest first, so that the first of a kind is the smallest.
fn urls(suite: &Suite) -> Vec<&str> {
    let described = |url: &&str| url.split_once(':').is_some_and(|(scheme, _)| by_name(scheme).is_some());
    let mut urls: Vec<_> = suite.urls().into_iter().filter(described).collect();
    urls.sort_by_key(|url| url.len());
    urls
}

/// Each scheme, nothing counted yet.
fn schemes() -> Vec<SchemeRow> {
    /// A URL of each scheme, for the names of its fields.
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
        taken: 0,
        rejected: 0,
    };
    scheme::ALL.iter().map(row).collect()
}

impl Survey {
    fn count(&mut self, url: &str) {
        let name = url.split(':').next().unwrap_or_default();
        let Some(row) = self.schemes.iter_mut().find(|row| row.name.eq_ignore_ascii_case(name)) else { return };
        *(if rfc1738::read(url).is_ok() { &mut row.taken } else { &mut row.rejected }) += 1;
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
        document: row.document,
        engine: row.engine,
    }
}
