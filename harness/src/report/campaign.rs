//! What the last fuzz campaigns came to, as a page.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fuzz::TARGETS;
use crate::fuzz::campaign::{Campaign, Ran};

/// The page's file name.
pub const PAGE: &str = "campaign.md";

#[derive(Serialize)]
pub(super) struct CampaignRows {
    seconds: u64,
    executions: u64,
    faults: u64,
    ended: u64,
    targets: Vec<TargetRow>,
}

#[derive(Serialize)]
struct TargetRow {
    name: &'static str,
    states: &'static str,
    #[serde(flatten)]
    ran: Ran,
    /// How many inputs break the law.
    broken: u64,
    /// Each class of cases that keep the law, the most frequent first.
    classes: Vec<(String, u64)>,
    /// Each class of faults, the most frequent first.
    findings: Vec<(String, u64)>,
}

impl CampaignRows {
    pub(super) fn of(campaign: &Campaign) -> Self {
        let row = |target: &&'static crate::fuzz::Target| {
            let ran = campaign.targets.get(target.name)?.clone();
            let (classes, findings) = (by_count(&ran.seen), by_count(&ran.faults));
            let broken = ran.broken();
            Some(TargetRow { name: target.name, states: target.states, ran, broken, classes, findings })
        };
        let targets: Vec<_> = TARGETS.iter().collect::<Vec<_>>().iter().filter_map(row).collect();
        let sum = |of: fn(&Ran) -> u64| targets.iter().map(|row| of(&row.ran)).sum();
        Self {
            seconds: sum(|ran| ran.seconds),
            executions: sum(|ran| ran.executions),
            faults: sum(Ran::broken),
            ended: sum(|ran| ran.ended),
            targets,
        }
    }
}

fn by_count(classes: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut rows: Vec<_> = classes.iter().map(|(class, count)| (class.clone(), *count)).collect();
    rows.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
    rows
}

#[cfg(test)]
mod tests {
    use super::by_count;

    #[test]
    fn the_most_frequent_stands_first() {
        let classes = [("a", 1), ("b", 3), ("c", 3)].map(|(class, count)| (class.to_owned(), count));
        let rows: Vec<_> = by_count(&classes.into()).into_iter().map(|(class, _)| class).collect();
        assert_eq!(rows, ["b", "c", "a"]);
    }
}
