//! What a command checked, for the formats of continuous integration: JUnit, SARIF, and GitHub Actions.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;

mod github;
mod junit;
mod sarif;

pub(super) use github::{is_on_github, report_failure};

/// The output format of a command that checks engines.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum CheckFormat {
    /// Human-readable text
    Text,
    /// JSON
    Json,
    /// JUnit XML, for continuous integration
    Junit,
}

/// The checks of one run of a command.
pub(super) struct Checks {
    /// The command, such as `run`.
    pub(super) command: &'static str,
    pub(super) suites: Vec<CheckSuite>,
}

/// Checks that belong together, such as those of one engine.
pub(super) struct CheckSuite {
    pub(super) name: String,
    pub(super) checks: Vec<Check>,
}

/// One thing that was checked.
pub(super) struct Check {
    /// The group within the suite, such as the file of a vector.
    pub(super) class: String,
    pub(super) name: String,
    pub(super) verdict: Verdict,
}

pub(super) enum Verdict {
    Passed,
    /// It was not checked, for this reason.
    Skipped(String),
    Found(Issue),
}

/// A finding.
pub(super) struct Issue {
    pub(super) severity: Severity,
    /// The cause, or the kind of finding. Findings with the same rule are listed together.
    pub(super) rule: String,
    /// An explanation of the rule.
    pub(super) explanation: String,
    /// The finding in one sentence.
    pub(super) message: String,
    /// Further lines, or an empty string.
    pub(super) details: String,
    pub(super) place: Option<Place>,
}

/// How serious a finding is. The variants are ordered, worst first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Severity {
    /// The finding should be fixed.
    Error,
    /// The finding should be reviewed.
    Warning,
    /// The finding is known and expected.
    Note,
}

/// The place of a finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Place {
    /// The path of the file; empty if the input is not a file.
    pub(super) file: String,
    /// The line, counted from 1, if it is known.
    pub(super) line: Option<usize>,
    /// The part within the file, such as `page.eml, part 1`, if the line is not a line of the file.
    pub(super) part: Option<String>,
}

impl Place {
    pub(super) fn new(file: &Path, line: Option<usize>) -> Self {
        // Paths on Windows have backslashes; the formats have slashes.
        let file = file.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        Self { file, line, part: None }
    }
}

impl fmt::Display for Place {
    /// Writes `FILE:LINE` or `FILE, part 1:LINE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.part.as_ref().unwrap_or(&self.file))?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

impl Checks {
    pub(super) fn new(command: &'static str) -> Self {
        Self { command, suites: Vec::new() }
    }

    /// Adds a check to the suite called `suite`, which is created if it is not the last one.
    pub(super) fn add(&mut self, suite: &str, check: Check) {
        match self.suites.last_mut().filter(|last| last.name == suite) {
            Some(last) => last.checks.push(check),
            None => self.suites.push(CheckSuite { name: suite.to_owned(), checks: vec![check] }),
        }
    }

    /// Sorts the suites by name and joins those of the same name.
    pub(super) fn group(&mut self) {
        self.suites.sort_by(|one, other| one.name.cmp(&other.name));
        self.suites.dedup_by(|next, kept| {
            let is_same = next.name == kept.name;
            if is_same {
                kept.checks.append(&mut next.checks);
            }
            is_same
        });
    }

    fn issues(&self) -> impl Iterator<Item = &Issue> {
        self.suites.iter().flat_map(CheckSuite::issues)
    }
}

impl CheckSuite {
    fn issues(&self) -> impl Iterator<Item = &Issue> {
        self.checks.iter().filter_map(Check::issue)
    }

    /// Returns the number of findings that should be fixed or reviewed.
    fn failed(&self) -> usize {
        self.issues().filter(|issue| issue.severity != Severity::Note).count()
    }

    fn known(&self) -> usize {
        self.issues().filter(|issue| issue.severity == Severity::Note).count()
    }

    fn skipped(&self) -> usize {
        self.checks.iter().filter(|check| matches!(check.verdict, Verdict::Skipped(_))).count()
    }
}

impl Check {
    pub(super) fn new(class: impl Into<String>, name: impl Into<String>, verdict: Verdict) -> Self {
        Self { class: class.into(), name: name.into(), verdict }
    }

    pub(super) fn issue_mut(&mut self) -> Option<&mut Issue> {
        match &mut self.verdict {
            Verdict::Found(issue) => Some(issue),
            Verdict::Passed | Verdict::Skipped(_) => None,
        }
    }

    fn issue(&self) -> Option<&Issue> {
        match &self.verdict {
            Verdict::Found(issue) => Some(issue),
            Verdict::Passed | Verdict::Skipped(_) => None,
        }
    }
}
