//! SARIF 2.1.0, the format of code scanning (OASIS, Static Analysis Results Interchange Format).

use std::collections::BTreeMap;
use std::io::{self, Write};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::json;
use serde_sarif::sarif::{
    ArtifactLocation, Location, LogicalLocation, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingDescriptor, Result as Finding, ResultLevel, Run, SCHEMA_URL, Sarif, Tool, ToolComponent,
};

use super::{Checks, Issue, Place, Severity};
use crate::cli::output::write_json;

impl Checks {
    /// Writes the findings as SARIF, with the known ones if `with_known` is set. Checks that passed are left out.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written.
    pub(in crate::cli) fn write_sarif(&self, with_known: bool, out: &mut dyn Write) -> io::Result<()> {
        let issues = || self.issues().filter(|issue| with_known || issue.severity != Severity::Note);
        let explained: BTreeMap<_, _> = issues().map(|issue| (issue.rule.as_str(), issue)).collect();
        let order: BTreeMap<_, _> = explained.keys().zip(0_i64..).map(|(rule, index)| (*rule, index)).collect();
        let rules: Vec<_> = explained.values().map(|issue| rule(issue)).collect();
        let results: Vec<_> = issues().map(|issue| result(issue, order[issue.rule.as_str()])).collect();
        let driver = ToolComponent::builder().name("urlstrata").version(env!("CARGO_PKG_VERSION")).rules(rules);
        let run = Run::builder().tool(Tool::builder().driver(driver.build()).build()).results(results).build();
        write_json(&Sarif::builder().schema(SCHEMA_URL).version(json!("2.1.0")).runs([run]).build(), out)
    }
}

fn rule(issue: &Issue) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    let rule = ReportingDescriptor::builder().id(issue.rule.as_str()).short_description(text(&issue.rule));
    let explanation = if issue.explanation.is_empty() { &issue.rule } else { &issue.explanation };
    rule.full_description(text(explanation)).build()
}

fn result(issue: &Issue, index: i64) -> Finding {
    let level = match issue.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
        Severity::Note => ResultLevel::Note,
    };
    let text = if issue.details.is_empty() {
        issue.message.clone()
    } else {
        format!("{}\n{}", issue.message, issue.details.trim_end())
    };
    let message = Message::builder().text(text).build();
    let finding = Finding::builder().rule_id(issue.rule.as_str()).rule_index(index).level(level).message(message);
    finding.locations(issue.place.iter().map(location).collect::<Vec<_>>()).build()
}

fn location(place: &Place) -> Location {
    let artifact = || ArtifactLocation::builder().uri(uri(&place.file)).build();
    let physical = || PhysicalLocation::builder().artifact_location(artifact());
    let physical = (!place.file.is_empty()).then(|| match place.line {
        // The line of a part is not a line of the file.
        Some(line) if place.part.is_none() => {
            let region = Region::builder().start_line(i64::try_from(line).unwrap_or(i64::MAX)).build();
            physical().region(region).build()
        }
        _ => physical().build(),
    });
    let logical = place.part.as_ref().map(|_| {
        let name = LogicalLocation::builder().fully_qualified_name(place.to_string()).build();
        vec![name]
    });
    Location { physical_location: physical, logical_locations: logical, ..Location::default() }
}

/// Returns the path `file` as a URI reference: relative, or with the scheme `file` if the path is absolute.
fn uri(file: &str) -> String {
    /// What RFC 3986 §3.3 does not allow in a path, and the colon, which would end a scheme in the first segment.
    const PATH: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'%')
        .add(b':')
        .add(b'<')
        .add(b'>')
        .add(b'?')
        .add(b'[')
        .add(b'\\')
        .add(b']')
        .add(b'^')
        .add(b'`')
        .add(b'{')
        .add(b'|')
        .add(b'}');
    let path = utf8_percent_encode(file.trim_start_matches("./"), PATH).to_string();
    if path.starts_with('/') { format!("file://{path}") } else { path }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_written_as_uri_references() {
        for (file, expected) in [
            ("./vectors/5.2.yaml", "vectors/5.2.yaml"),
            ("a b/c:d#e.html", "a%20b/c%3Ad%23e.html"),
            ("/tmp/100%.html", "file:///tmp/100%25.html"),
        ] {
            assert_eq!(uri(file), expected);
        }
    }
}
