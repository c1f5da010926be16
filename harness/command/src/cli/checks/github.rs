//! GitHub Actions: annotations at the lines of findings, and a summary of the step.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};

use urlstrata_harness::plural::counted;

use super::{Checks, Issue, Severity, Verdict};

/// The number of errors, and of warnings, that GitHub shows for a step.
const ANNOTATIONS: usize = 10;

/// The number of findings that the summary lists.
const LISTED: usize = 50;

/// Returns whether the command runs in a step of GitHub Actions.
pub(in crate::cli) fn is_on_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Reports an error that ended the command as an annotation, if the command runs in a step.
pub(in crate::cli) fn report_failure(sentence: &str) {
    if is_on_github() {
        let _ = writeln!(io::stderr(), "::error title=urlstrata::{}", escaped(sentence));
    }
}

impl Checks {
    /// Writes annotations and the summary, if the command runs in a step. GitHub reads annotations from standard error too, so
    /// that standard output has the requested format.
    pub(in crate::cli) fn report_to_github(&self) {
        if !is_on_github() {
            return;
        }
        let mut errors = io::stderr().lock();
        for severity in [Severity::Error, Severity::Warning] {
            for issue in self.issues().filter(|issue| issue.severity == severity).take(ANNOTATIONS) {
                let _ = writeln!(errors, "{}", annotation(issue));
            }
        }
        let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        if let Err(error) = opened.and_then(|mut file| file.write_all(self.summary().as_bytes())) {
            let _ = writeln!(errors, "urlstrata: {}: the summary cannot be written: {error}", path.display());
        }
    }

    /// Returns the summary of the step in Markdown.
    fn summary(&self) -> String {
        let mut lines = vec![
            format!("### urlstrata {}\n", self.command),
            "| suite | passed | known | skipped | found |".to_owned(),
            "| --- | ---: | ---: | ---: | ---: |".to_owned(),
        ];
        for suite in &self.suites {
            let passed = suite.checks.iter().filter(|check| matches!(check.verdict, Verdict::Passed)).count();
            let [known, skipped, failed] = [suite.known(), suite.skipped(), suite.failed()];
            let mark = if failed == 0 { "✅" } else { "❌" };
            lines.push(format!("| {mark} {} | {passed} | {known} | {skipped} | {failed} |", cell(&suite.name)));
        }
        let mut found: Vec<_> = self.issues().filter(|issue| issue.severity != Severity::Note).collect();
        found.sort_by_key(|issue| issue.severity);
        if !found.is_empty() {
            lines.push(format!("\n{}:\n", counted(found.len(), "finding", "findings")));
        }
        for issue in found.iter().take(LISTED) {
            let place =
                issue.place.as_ref().map_or_else(String::new, |place| format!(" ({})", code(&place.to_string())));
            lines.push(format!("- {}{place}", code(&issue.message)));
        }
        if found.len() > LISTED {
            lines.push(format!("- … and {} more", found.len() - LISTED));
        }
        lines.push("\n".to_owned());
        lines.join("\n")
    }
}

fn annotation(issue: &Issue) -> String {
    let level = if issue.severity == Severity::Error { "error" } else { "warning" };
    let mut properties = Vec::new();
    if let Some(place) = issue.place.as_ref().filter(|place| !place.file.is_empty()) {
        properties.push(format!("file={}", property(&place.file)));
        let line = place.line.filter(|_| place.part.is_none());
        properties.extend(line.map(|line| format!("line={line}")));
    }
    properties.push(format!("title={}", property(&issue.rule)));
    let message = [issue.message.as_str(), issue.details.trim_end()].join("\n");
    format!("::{level} {}::{}", properties.join(","), escaped(message.trim_end()))
}

/// Escapes the message of an annotation, which ends at the line end.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of an annotation, which ends at a comma or colon.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns `text` as code in Markdown.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    let ticks = "`".repeat(1 + longest_run(&text, '`'));
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|c| c != wanted).map(str::len).max().unwrap_or_default()
}

/// Returns `text` as code in the cell of a table, where a bar needs a backslash.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::{annotation, code};
    use crate::cli::checks::{Issue, Place, Severity};

    #[test]
    fn annotations_are_one_line_and_properties_end_at_commas() {
        let place = Place { file: "a,b.html".to_owned(), line: Some(7), part: None };
        let issue = Issue {
            severity: Severity::Error,
            rule: "host: x".to_owned(),
            explanation: String::new(),
            message: "100%".to_owned(),
            details: "one\ntwo\n".to_owned(),
            place: Some(place),
        };
        assert_eq!(annotation(&issue), "::error file=a%2Cb.html,line=7,title=host%3A x::100%25%0Aone%0Atwo");
    }

    #[test]
    fn code_in_markdown_may_contain_backticks() {
        for (text, expected) in [("a", "`a`"), ("a`b", "``a`b``"), ("``", "``` `` ```"), ("a\nb", "`a b`")] {
            assert_eq!(code(text), expected);
        }
    }
}
