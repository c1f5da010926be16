//! The errata on which results depend.

use serde::Serialize;
use urlstrata::{fast, rules};

use crate::knowledge::specification::Specification;

/// An erratum on which a result depends.
#[derive(Clone, Debug, Serialize)]
pub struct ErratumNote {
    /// The id of the specification.
    pub specification: &'static str,
    /// The id of the erratum.
    pub id: &'static str,
    /// What contradicts itself.
    pub issue: &'static str,
    /// What was decided.
    pub decision: &'static str,
}

/// Returns whether a pair is one that an erratum is about.
type IsAbout = fn(&Specification, &str, &str) -> bool;

/// The errata about results: the specification, the id, and the pairs. Those of printed examples are about these examples.
const ERRATA: [(&str, &str, IsAbout); 6] = [
    ("rfc1630", "r1630-single-slash", |_, base, reference| {
        reference == "/g" && ["magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"].contains(&base)
    }),
    ("appendix-b-1994", "ab-g-dot-h", |_, base, reference| (base, reference) == ("magic://a/b/c/d", "g/./h")),
    ("appendix-b-1994", "ab-g-dotdot-h", |_, base, reference| (base, reference) == ("magic://a/b/c/d", "g/../h")),
    ("draft-1996", "draft-empty-reference", |_, _, reference| reference.is_empty()),
    ("rfc2396", "r2396-bare-host", |own, base, reference| decides(own, "bare_host", base, reference)),
    ("rfc2396", "r2396-query-only", |_, _, reference| reference.starts_with('?')),
];

/// Returns whether another setting of a rule changes the result of a specification.
fn decides(specification: &Specification, rule: &str, base: &str, reference: &str) -> bool {
    let Some((rules, rule)) = specification.revision.rules.zip(rules::by_name(rule)) else { return false };
    let own = fast::resolve(rules, base, reference).ok();
    (0..rule.settings.len()).any(|other| fast::resolve(&rule.with(rules, other), base, reference).ok() != own)
}

/// Returns the errata on which the results of a pair depend.
pub fn about(base: &str, reference: &str) -> Vec<ErratumNote> {
    let own = ERRATA.iter().filter_map(|(specification, id, is_about)| {
        let specification = Specification::by_id(specification)?;
        let remark = specification.revision.remarks.iter().find(|remark| remark.id == *id)?;
        is_about(&specification, base, reference).then_some(ErratumNote {
            specification: specification.id,
            id: remark.id,
            issue: remark.issue,
            decision: remark.decision,
        })
    });
    own.collect()
}
