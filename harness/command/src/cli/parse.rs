//! `parse`: the components of a URL, the fields of its scheme, the actions of a client, and the fields that the `url`
//! crate parses differently.

use std::io::{self, Write};

use clap::Args;
use urlstrata::grammar;
use urlstrata::revision::whatwg::place_in;
use urlstrata::revision::{Parts, Revision};
use urlstrata::scheme::{EncodedText, Field, Url, Value, by_name};
use urlstrata::{Rejection, Trace};
use urlstrata_harness::escape::visible;
use urlstrata_harness::evaluate::grammar::Recognizers;
use urlstrata_harness::evaluate::scheme::disagreement;
use urlstrata_harness::survey::fields::{ENGINE, FieldComparer};
use urlstrata_harness::survey::validity;

use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Arguments {
    /// Revision that defines the algorithm and the names of the components
    #[arg(long = "as", value_name = "REVISION", value_parser = super::select::a_revision)]
    revision: &'static Revision,
    /// Show the steps of the algorithm
    #[arg(long)]
    trace: bool,
    /// Show each field that this engine parses differently, and why; only crate:url against rfc1738
    #[arg(long, value_name = "ENGINE")]
    against: Option<String>,
    /// URL to split
    url: String,
}

/// Writes what a revision and the scheme of a URL state about it. A URL that one of them rejects is bad input.
pub(super) fn parse(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let Arguments { revision, url, .. } = arguments;
    let mut finding = Finding::AsExpected;
    let read = revision.read_traced(url);
    if let Some(engine) = arguments.against.as_ref().filter(|engine| *engine != ENGINE || read.is_none()) {
        let sentence = format!("{engine} cannot be compared with {}: only {ENGINE} can, with rfc1738", revision.id);
        return Err(Failure::Usage(sentence));
    }
    let (parts, trace) = revision.parse_traced(url);
    if arguments.trace {
        write_steps(read.as_ref().map_or(&trace, |(_, trace)| trace), revision, out)?;
    }
    match parts {
        Ok(parts) => {
            write_parts(&parts, out)?;
            for it in revision.statements(url) {
                writeln!(out, "\n{}: {} ({})", it.subject.name(), it.sentence, revision.citation(it.section))?;
            }
        }
        Err(rejection) => {
            finding = Finding::BadInput;
            writeln!(out, "{}", rejected(&rejection, revision))?;
        }
    }
    match read {
        Some((Ok(read), _)) => write_fields(&read, revision, out)?,
        // A rejection by the general syntax has been written above. Here only the scheme rejects the URL.
        Some((Err(rejection), _)) if revision.parse(url).is_ok() => {
            let scheme = url.split(':').next().unwrap_or_default();
            writeln!(out, "\nas {scheme}: {}", rejected(&rejection, revision))?;
            finding = Finding::BadInput;
        }
        _ => {
            write_grammar(url, revision, out)?;
            return Ok(finding);
        }
    }
    write_disagreement(url, revision, out)?;
    if arguments.against.is_some() {
        write_differing_fields(url, out)?;
    }
    Ok(finding)
}

fn rejected(rejection: &Rejection, revision: &Revision) -> String {
    format!("rejected: {} ({} §{})", visible(rejection.reason()), revision.specification, rejection.section())
}

fn write_steps(trace: &Trace, revision: &Revision, out: &mut dyn Write) -> io::Result<()> {
    for entry in trace.entries() {
        writeln!(out, "{:<26} {}", place_in(revision, entry.label).label, visible(&entry.state))?;
    }
    writeln!(out)
}

fn write_parts(parts: &Parts, out: &mut dyn Write) -> io::Result<()> {
    let width = parts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, value) in parts.iter() {
        let value = value.map_or("absent".to_owned(), |text| format!("\"{}\"", visible(text)));
        writeln!(out, "{name:<width$}  {value}")?;
    }
    Ok(())
}

fn write_fields(url: &Url, revision: &Revision, out: &mut dyn Write) -> io::Result<()> {
    let cite = revision.cite;
    match by_name(&url.scheme) {
        Some(scheme) => writeln!(out, "\nas {} ({cite} §{}):", scheme.name, scheme.section)?,
        None => writeln!(out, "\nas a scheme that is not described ({cite} §4):")?,
    }
    let fields = url.fields();
    let width = fields.iter().map(|field| field.name.len()).max().unwrap_or_default();
    for field in &fields {
        writeln!(out, "  {:<width$}  {}", field.name, shown(field, url))?;
    }
    writeln!(out, "\na client would:")?;
    for action in url.actions() {
        writeln!(out, "  {}", visible(&action.to_string()))?;
    }
    for caution in url.cautions() {
        writeln!(out, "\ncaution: {} ({cite} §{})", caution.sentence, caution.section)?;
    }
    Ok(())
}

fn shown(field: &Field, url: &Url) -> String {
    match &field.value {
        Value::Absent => url.default_of(field.name).map_or("absent".to_owned(), |value| format!("absent, so {value}")),
        Value::Text(text) => spelled(text),
        Value::Description(meaning) => visible(meaning),
        Value::List(texts) if texts.is_empty() => "none".to_owned(),
        Value::List(texts) => texts.iter().map(spelled).collect::<Vec<_>>().join(", "),
        Value::Pairs(pairs) if pairs.is_empty() => "none".to_owned(),
        Value::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(name, value)| format!("{} is {}", spelled(name), spelled(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Returns a field as it is written in the URL, followed by its decoded form if that is different.
fn spelled(text: &EncodedText) -> String {
    let decoded = text.decoded();
    if decoded == text.raw().as_bytes() {
        return format!("\"{}\"", visible(text.raw()));
    }
    format!("\"{}\" = \"{}\"", visible(text.raw()), visible(&decoded.escape_ascii().to_string()))
}

/// Writes where the grammar of `revision` excludes the URL, or that it divides the authority, the draft's server, no further.
fn write_grammar(url: &str, revision: &Revision, out: &mut dyn Write) -> io::Result<()> {
    let Some(grammar) = grammar::by_revision(revision.id) else { return Ok(()) };
    let mut recognizers = Recognizers::default();
    if let Some(reason) = validity::reason(&mut recognizers, grammar, url) {
        return writeln!(
            out,
            "\nthe grammar's {} excludes it at byte {}: {}",
            grammar.top(url),
            reason.at,
            reason.what
        );
    }
    // The component, the production that divides it, and what it has if that does not derive it.
    let (whole, divided, section, sentence) = match revision.id {
        "draft-1996" => ("server", "login", "4", "does not derive the server as login: it has no user, password, host"),
        _ => (
            "authority",
            "server",
            "3.2.1",
            "derives the authority as reg_name, and not as server: it has no user, host",
        ),
    };
    let parts = revision.parse(url).ok();
    let text = parts.as_ref().and_then(|parts| parts.component(whole).flatten()).filter(|text| !text.is_empty());
    let is_divided = |text| recognizers.of(grammar, divided).map_or(true, |production| production.is_match(text));
    if text.is_none_or(is_divided) {
        return Ok(());
    }
    writeln!(out, "\nthe grammar {sentence} and port ({})", revision.citation(section))
}

fn write_disagreement(url: &str, revision: &Revision, out: &mut dyn Write) -> io::Result<()> {
    let Some(found) = disagreement(&mut Recognizers::default(), url) else { return Ok(()) };
    let mark = revision.remarks.iter().find(|mark| Some(mark.id) == found.mark);
    let because = mark.map_or(String::new(), |mark| {
        let between = if mark.issue.ends_with('?') { "" } else { ":" };
        format!("\n  {}: {}{between} {}", mark.id, mark.issue, mark.decision)
    });
    match found.mismatch {
        Some(at) => writeln!(out, "\nthe grammar's {} stops at byte {at}{because}", found.production),
        None => writeln!(out, "\nthe grammar's {} derives it{because}", found.production),
    }
}

fn write_differing_fields(url: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let rows = FieldComparer::default().differing(url);
    if rows.is_empty() {
        writeln!(out, "\n{ENGINE} has every field alike, or both reject the URL")?;
        return Ok(());
    }
    writeln!(out, "\n{ENGINE} has otherwise:")?;
    let returned = |value: &Option<String>| match value.as_deref() {
        None => "absent".to_owned(),
        Some("") => "empty".to_owned(),
        Some(text) => visible(text),
    };
    for row in rows {
        writeln!(out, "  {}: {} here, {} there", row.field, returned(&row.specification), returned(&row.engine))?;
        for reason in row.reasons {
            writeln!(out, "    {reason}")?;
        }
    }
    Ok(())
}
