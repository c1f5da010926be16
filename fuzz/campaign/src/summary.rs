//! The results of the last campaigns, as data and as a page.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::path::Path;

use indicatif::HumanCount;
use serde::{Deserialize, Serialize};
use urlstrata_harness::plural::counted;
use urlstrata_properties::{Observed, TARGETS};

use super::{Failure, file};

/// The last run of each target. It contains neither dates nor places.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summary {
    pub(crate) targets: BTreeMap<String, TargetSummary>,
}

/// The last run of a target.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TargetSummary {
    /// The requested duration in seconds.
    pub(crate) seconds: u64,
    pub(crate) executions: u64,
    /// Edges of the control flow that the inputs reach.
    pub(crate) edges: u64,
    /// Inputs of the corpus after merging.
    pub(crate) corpus: u64,
    /// Inputs of the corpus that are kept, because together they reach all edges.
    pub(crate) kept: u64,
    /// How often the target ended early: by a crash, a leak, or an input that takes too much time or memory.
    pub(crate) early_ends: u64,
    #[serde(flatten)]
    pub(crate) observed: Observed,
}

impl TargetSummary {
    pub(crate) fn violations(&self) -> u64 {
        self.observed.violations.values().sum()
    }
}

impl Summary {
    /// Reads a summary; it is empty if there is no file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        if !path.exists() {
            return Ok(Self::default());
        }
        serde_json::from_str(&file::read_to_string(path)?).map_err(|error| {
            format!("{}: {error}; delete the file to start with an empty summary", path.display()).into()
        })
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        file::write(path, serde_json::to_string_pretty(self)? + "\n")
    }

    pub(crate) fn write_page(&self, path: &Path) -> Result<(), Failure> {
        if let Some(folder) = path.parent() {
            file::create_folder(folder)?;
        }
        file::write(path, self.page()?)
    }

    /// Returns the sum of a figure over all targets.
    pub(crate) fn sum(&self, figure: fn(&TargetSummary) -> u64) -> u64 {
        self.targets.values().map(figure).sum()
    }

    /// Lays out the summary in Markdown.
    fn page(&self) -> Result<String, std::fmt::Error> {
        let count = |number: u64, one: &str, many: &str| counted(HumanCount(number), one, many);
        let mut out = String::from("# Fuzz campaigns\n\n[Back to the report](README.md)\n\n");
        writeln!(
            out,
            "{} of {} in {}: **{}**, and {}.\n\n\
             A target checks one property on generated inputs ([how it works](../fuzz/README.md)). An explained divergence of an\n\
             engine is not a violation; it is counted in a class. An input that violates a property is shrunk and added to\n\
             `vectors/found/` or to [the kept inputs](../fuzz/inputs), which `cargo test` checks from then on.\n",
            count(self.sum(|target| target.executions), "execution", "executions"),
            count(self.targets.len() as u64, "target", "targets"),
            count(self.sum(|target| target.seconds), "second", "seconds"),
            count(self.sum(TargetSummary::violations), "input violates a property", "inputs violate a property"),
            count(self.sum(|target| target.early_ends), "target ended early", "targets ended early"),
        )?;
        out += "| target | seconds | executions | edges | corpus | kept | violations | early ends |\n";
        out += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
        let rows = || TARGETS.iter().filter_map(|target| Some((target, self.targets.get(target.name)?)));
        for (target, row) in rows() {
            let name = target.name;
            write!(out, "| [`{name}`](#{name}) ")?;
            for figure in
                [row.seconds, row.executions, row.edges, row.corpus, row.kept, row.violations(), row.early_ends]
            {
                write!(out, "| {} ", HumanCount(figure))?;
            }
            out += "|\n";
        }
        out += "\n*Edges* are those of the target, the harness and the engines in it. *Corpus* is the number of inputs after merging, \
                and *kept*\nthe number of those that together reach all edges.\n";
        for (target, row) in rows() {
            writeln!(out, "\n## {}\n\nProperty: {}.\n", target.name, target.statement)?;
            if !row.observed.violations.is_empty() {
                out += &table("violation", &row.observed.violations);
                out += "\n";
            }
            out += &table("class", &row.observed.classes);
        }
        Ok(out)
    }
}

/// Lays out classes, the most frequent first.
fn table(title: impl Display, classes: &BTreeMap<String, u64>) -> String {
    let mut rows: Vec<_> = classes.iter().collect();
    rows.sort_by(|one, other| (other.1, one.0).cmp(&(one.1, other.0)));
    let rows =
        rows.into_iter().map(|(class, count)| format!("| {} | {} |\n", class.replace('|', "\\|"), HumanCount(*count)));
    format!("| {title} | inputs |\n| --- | --- |\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Summary, TargetSummary, table};
    use std::fs;
    use std::path::Path;
    use urlstrata_properties::Observed;

    #[test]
    fn the_page_is_fresh() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let summary = Summary::read(&root.join("fuzz/campaign.json")).expect("a summary");
        let page = fs::read_to_string(root.join("reports/campaign.md")).expect("a page");
        let fresh = summary.page().expect("a page") == page;
        assert!(fresh, "reports/campaign.md is stale: run `cargo run --release -p urlstrata-campaign -- summary`");
    }

    #[test]
    fn a_summary_is_read_as_it_was_written() {
        let observed = Observed { classes: [("a result".to_owned(), 4)].into(), ..Observed::default() };
        let target = TargetSummary { seconds: 60, executions: 5, observed, ..TargetSummary::default() };
        let summary = Summary { targets: [("agree".to_owned(), target)].into() };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("campaign.json");
        assert_eq!(Summary::read(&path).ok(), Some(Summary::default()));
        summary.write(&path).expect("written");
        assert_eq!(Summary::read(&path).ok(), Some(summary));
    }

    #[test]
    fn the_most_frequent_class_is_first() {
        let classes = [("a|b", 1), ("b", 3000), ("c", 3000)].map(|(class, count)| (class.to_owned(), count));
        let rows = "| class | inputs |\n| --- | --- |\n| b | 3,000 |\n| c | 3,000 |\n| a\\|b | 1 |\n";
        assert_eq!(table("class", &classes.into()), rows);
    }
}
