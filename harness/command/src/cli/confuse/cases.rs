//! Confusing inputs as vectors, and as test cases to paste into other projects.

use std::io::{self, Write};

use urlstrata_harness::engine::locate::HostAnswer;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::confusion::{Confusion, Confusions, Severity};
use urlstrata_harness::survey::witness::expected;
use urlstrata_harness::vector::{Content, ResolutionCase, Source, Vector};

/// Returns the inputs as vectors, with the results of all specifications.
pub(super) fn vectors(found: &Confusions) -> Content {
    let vector = |(index, cause): (usize, &Confusion)| {
        let case = ResolutionCase {
            expect: expected(&cause.base, &cause.reference),
            base: cause.base.clone(),
            reference: cause.reference.clone(),
            ..ResolutionCase::default()
        };
        let note = format!(
            "{}: {} sees {}, {} sees {}.",
            cause.cause,
            found.checker,
            seen(&cause.checker),
            found.fetcher,
            seen(&cause.fetcher)
        );
        Vector { note: Some(note), ..Vector::new(format!("confusion-{}", index + 1), case) }
    };
    Content {
        about: Some(format!(
            "Inputs for which {} and {} see different hosts. Computed by `urlstrata confuse`.",
            found.checker, found.fetcher
        )),
        source: Source {
            specification: "urlstrata".to_owned(),
            section: "found".to_owned(),
            title: format!("{} and {}", found.checker, found.fetcher),
            ..Source::default()
        },
        base: String::new(),
        vectors: found.causes.iter().enumerate().map(vector).collect(),
    }
}

/// Writes one URL a line. Those that need a base or contain a line break are counted on standard error.
pub(super) fn write_urls(found: &Confusions, out: &mut dyn Write) -> io::Result<()> {
    let is_line = |it: &&Confusion| it.base.is_empty() && !it.reference.contains(['\n', '\r']);
    found.causes.iter().filter(is_line).try_for_each(|it| writeln!(out, "{}", it.reference))?;
    let omitted = found.causes.iter().filter(|it| !is_line(it)).count();
    if omitted > 0 {
        let inputs = counted(omitted, "input", "inputs");
        let _ =
            writeln!(io::stderr(), "urlstrata: {inputs} left out, with a base or a line break: --format json has all");
    }
    Ok(())
}

/// What precedes cases that were not made for a list of allowed hosts.
const WITHOUT_LIST: &str =
    "The host names are examples: `--allow HOST` writes cases for a host that your list contains.";

/// What is said of a test without cases.
const EMPTY: &str = "no URL with two hosts was found";

/// Writes the lines before the cases as comments, and counts the inputs that are not cases on standard error.
fn write_comments(found: &Confusions, is_for_list: bool, mark: &str, out: &mut dyn Write) -> io::Result<()> {
    let omitted = found.causes.len() - rows(found).count();
    if omitted > 0 {
        let inputs = counted(omitted, "input", "inputs");
        let _ = writeln!(io::stderr(), "urlstrata: {inputs} left out, which have one host: --format json has all");
    }
    if is_empty(found) {
        // Such a test passes, or is skipped, whatever the check does.
        let _ = writeln!(io::stderr(), "urlstrata: {EMPTY}: the test has no case");
        writeln!(out, "{mark} No case: {EMPTY}.")?;
    }
    if !is_for_list {
        writeln!(out, "{mark} {WITHOUT_LIST}")?;
    }
    writeln!(out, "{mark} Base, URL, what {} sees, what {} sees.", found.checker, found.fetcher)
}

/// Writes a parametrized test for pytest.
pub(super) fn write_pytest(found: &Confusions, is_for_list: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "import pytest\n")?;
    write_comments(found, is_for_list, "#", out)?;
    writeln!(out, "CASES = [")?;
    for row in rows(found) {
        let [base, url, checked, fetched] = row.map(|text| literal(&text, Language::Python));
        writeln!(out, "    ({base}, {url}, {checked}, {fetched}),")?;
    }
    writeln!(out, "]\n\n\n@pytest.mark.parametrize(\"base, url, checked, fetched\", CASES)")?;
    writeln!(out, "def test_urls_with_two_hosts_are_rejected(base, url, checked, fetched):")?;
    writeln!(out, "    # `is_allowed` is the check of your project.\n    assert not is_allowed(base, url)")
}

/// Writes a parametrized test for JUnit 5.
pub(super) fn write_junit(found: &Confusions, is_for_list: bool, out: &mut dyn Write) -> io::Result<()> {
    write_comments(found, is_for_list, "//", out)?;
    writeln!(out, "static Stream<Arguments> urlsWithTwoHosts() {{\n    return Stream.of(")?;
    let all = rows(found).count();
    for (index, row) in rows(found).enumerate() {
        let cells = row.map(|text| literal(&text, Language::Java)).join(", ");
        writeln!(out, "        Arguments.of({cells}){}", if index + 1 == all { "" } else { "," })?;
    }
    writeln!(out, "    );\n}}\n\n@ParameterizedTest\n@MethodSource(\"urlsWithTwoHosts\")")?;
    writeln!(out, "void urlsWithTwoHostsAreRejected(String base, String url, String checked, String fetched) {{")?;
    writeln!(out, "    // `isAllowed` is the check of your project.\n    assertFalse(isAllowed(base, url));\n}}")
}

/// Writes a table-driven test for Go.
pub(super) fn write_go(found: &Confusions, is_for_list: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "func TestURLsWithTwoHostsAreRejected(t *testing.T) {{")?;
    write_comments(found, is_for_list, "\t//", out)?;
    if is_empty(found) {
        writeln!(out, "\tt.Skip(\"{EMPTY}\")")?;
    }
    writeln!(out, "\tfor _, c := range []struct{{ base, url, checked, fetched string }}{{")?;
    for row in rows(found) {
        writeln!(out, "\t\t{{{}}},", row.map(|text| literal(&text, Language::Go)).join(", "))?;
    }
    writeln!(out, "\t}} {{\n\t\t// isAllowed is the check of your project.\n\t\tif isAllowed(c.base, c.url) {{")?;
    writeln!(out, "\t\t\tt.Errorf(\"%q on %q has two hosts: %s and %s\", c.url, c.base, c.checked, c.fetched)")?;
    writeln!(out, "\t\t}}\n\t}}\n}}")
}

/// Returns whether a test would have no case.
fn is_empty(found: &Confusions) -> bool {
    rows(found).next().is_none()
}

/// Returns the base, the URL, and what both see, for each input that has two hosts, or in which only one of them finds a host.
fn rows(found: &Confusions) -> impl Iterator<Item = [String; 4]> {
    let has_two = |it: &&Confusion| {
        matches!(it.severity, Severity::Hosts | Severity::Delimited | Severity::Address | Severity::OneHost)
    };
    let rows = found.causes.iter().filter(has_two);
    rows.map(|it| [it.base.clone(), it.reference.clone(), seen(&it.checker), seen(&it.fetcher)])
}

/// Returns the scheme, host and port, or `rejected`. A connection has no scheme.
fn seen(answer: &HostAnswer) -> String {
    match (answer, answer.location().0) {
        (_, None) => "rejected".to_owned(),
        (HostAnswer::Connected(_), Some(location)) => {
            let [_, host, port] = location.columns();
            format!("{host} {port}")
        }
        (_, Some(location)) => location.to_string(),
    }
}

/// A language with string literals.
#[derive(Clone, Copy)]
enum Language {
    Python,
    Java,
    Go,
}

/// Returns `text` as a string literal in ASCII.
fn literal(text: &str, language: Language) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        let code = character as u32;
        match (character, language) {
            ('"' | '\\', _) => out.extend(['\\', character]),
            ('\n', _) => out += "\\n",
            ('\r', _) => out += "\\r",
            ('\t', _) => out += "\\t",
            (' '..='~', _) => out.push(character),
            // Java replaces `\u000a` before it reads the literal.
            ('\0'..='\u{7f}', Language::Java) => out += &format!("\\{code:03o}"),
            (_, Language::Java) => {
                character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
            }
            (_, Language::Python | Language::Go) if code > 0xffff => out += &format!("\\U{code:08x}"),
            (_, Language::Python | Language::Go) => out += &format!("\\u{code:04x}"),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::{Language, literal};

    #[test]
    fn literals_are_ascii_in_every_language() {
        let text = "a\"\\\n\u{0}\u{7f}é😀";
        assert_eq!(literal(text, Language::Python), r#""a\"\\\n\u0000\u007f\u00e9\U0001f600""#);
        assert_eq!(literal(text, Language::Go), r#""a\"\\\n\u0000\u007f\u00e9\U0001f600""#);
        assert_eq!(literal(text, Language::Java), r#""a\"\\\n\000\177\u00e9\ud83d\ude00""#);
    }
}
