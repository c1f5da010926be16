//! JUnit XML, which Jenkins, GitLab and others read.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Check, CheckSuite, Checks, Severity, Verdict};

impl Checks {
    /// Writes the checks as JUnit XML. A known finding is a skipped test, with its cause as the message.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written.
    pub(in crate::cli) fn write_junit(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut report = Report::new(format!("urlstrata {}", self.command));
        report.add_test_suites(self.suites.iter().map(suite));
        let xml = report.to_string().map_err(io::Error::other)?;
        // The schema of Jenkins has this attribute for a suite, but not for the root.
        out.write_all(xml.replacen(&format!(" skipped=\"{}\"", report.skipped), "", 1).as_bytes())
    }
}

fn suite(suite: &CheckSuite) -> TestSuite {
    let mut written = TestSuite::new(suite.name.as_str());
    written.add_test_cases(suite.checks.iter().map(|check| case(suite, check)));
    written
}

fn case(suite: &CheckSuite, check: &Check) -> TestCase {
    let status = match &check.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.as_str());
            status
        }
        Verdict::Found(issue) => {
            let mut status = match issue.severity {
                Severity::Note => TestCaseStatus::skipped(),
                Severity::Error | Severity::Warning => TestCaseStatus::non_success(NonSuccessKind::Failure),
            };
            let place = issue.place.as_ref().map_or_else(String::new, |place| format!("{place}\n"));
            status.set_type(issue.rule.as_str()).set_message(issue.message.as_str());
            status.set_description(format!("{place}{}", issue.details));
            status
        }
    };
    let mut case = TestCase::new(check.name.as_str(), status);
    // Viewers group tests by class and do not show the suite.
    case.set_classname(format!("{}.{}", suite.name.replace('.', "_"), check.class.replace('.', "_")));
    case
}
