//! `validate`: matches URLs against the grammar of a specification, and shows the first error.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use urlstrata::grammar::{self, Grammar};
use urlstrata::revision::Revision;
use urlstrata_harness::escape::visible;
use urlstrata_harness::evaluate::grammar::{Recognizers, Verdict, evaluate, window};
use urlstrata_harness::knowledge::later::{Remark, remarks};
use urlstrata_harness::layout::Layout;

use super::{Ended, Failure, Finding, Format};

const EXITS: &str = "\
Exit codes, whether the URLs are arguments or lines of standard input:
  0   every URL matches
  65  a URL does not match, or a line is not UTF-8";

#[derive(Args)]
#[command(after_help = EXITS)]
pub(super) struct Validate {
    /// Revision whose grammar to match against; default: the grammars of all specifications
    #[arg(long = "as", value_name = "REVISION", value_parser = super::select::a_revision)]
    revision: Option<&'static Revision>,
    /// Match against this production instead of that of a whole reference
    #[arg(long, value_name = "NAME", requires = "revision", conflicts_with = "base")]
    production: Option<String>,
    /// Match against the form of a base: with a scheme, without a fragment
    #[arg(long)]
    base: bool,
    /// Output format; JSON is one object a line
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// URLs to match; default: the lines of standard input
    url: Vec<String>,
}

pub(super) fn validate(arguments: &Validate, layout: &Layout, out: &mut dyn Write) -> Ended {
    let grammars = match arguments.revision {
        None => grammar::ALL.to_vec(),
        Some(revision) => vec![grammar::by_revision(revision.id).ok_or_else(|| no_grammar(revision))?],
    };
    let mut finding = Finding::AsExpected;
    let mut recognizers = Recognizers::default();
    let mut each = |text: &str, brief: bool| -> Result<bool, Failure> {
        let mut all_match = true;
        for grammar in &grammars {
            let production = production(arguments, grammar, text);
            let verdict = evaluate(&mut recognizers, grammar, production, text).map_err(Failure::Usage)?;
            all_match &= verdict.matched;
            match (arguments.format, brief) {
                (Format::Json, _) => {
                    let json = serde_json::to_string(&Judged { verdict: &verdict, remarks: remarks(text) })
                        .map_err(|error| Failure::Io(error.into()))?;
                    writeln!(out, "{json}")?;
                }
                (Format::Text, true) => writeln!(out, "{}", verdict.sentence())?,
                (Format::Text, false) => show(&verdict, text, out)?,
            }
        }
        if arguments.format == Format::Text {
            for remark in remarks(text) {
                let start = if brief { "" } else { "  " };
                out.write_all(
                    layout.wrapped(start, 4, &format!("{}: {}", remark.source(), remark.sentence)).as_bytes(),
                )?;
            }
        }
        Ok(all_match)
    };
    if arguments.url.is_empty() {
        let mut all_match = true;
        let mut take = |line: &str| {
            all_match &= each(line, true)?;
            Ok(())
        };
        super::input::each_line(io::stdin().lock(), "standard input", &mut take, &mut finding)?;
        return Ok(if all_match { finding } else { Finding::BadInput });
    }
    let brief = arguments.url.len() > 1;
    for url in &arguments.url {
        if !each(url, brief)? {
            finding = Finding::BadInput;
        }
    }
    Ok(finding)
}

/// Whether a grammar matches a text, and what later standards state about it.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

fn no_grammar(revision: &Revision) -> Failure {
    let with: Vec<_> = grammar::ALL.iter().flat_map(|grammar| grammar.revisions).copied().collect();
    Failure::Usage(format!(
        "the grammar of {} is not included; the grammars of these are: {}",
        revision.specification,
        with.join(", ")
    ))
}

fn production<'a>(arguments: &'a Validate, grammar: &'static Grammar, text: &str) -> &'a str {
    match (&arguments.production, arguments.base) {
        (Some(name), _) => name,
        (None, true) => grammar.base.unwrap_or_else(|| grammar.top(text)),
        (None, false) => grammar.top(text),
    }
}

fn show(verdict: &Verdict, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", verdict.sentence())?;
    if let Some(at) = verdict.mismatch {
        let (shown, columns) = window(text, at);
        writeln!(out, "\n  {shown}\n  {:columns$}^", "")?;
        let width = verdict.expected.iter().map(|(inside, _)| inside.len()).max().unwrap_or_default();
        if !verdict.expected.is_empty() {
            writeln!(out, "  expected one of:")?;
        }
        for (inside, could) in &verdict.expected {
            writeln!(out, "    {inside:<width$}  {}", could.join(", "))?;
        }
        if verdict.prefix_is_valid {
            writeln!(out, "  the text before byte {at} is itself a valid {}", verdict.production)?;
        }
        return writeln!(out);
    }
    let width = verdict.parts.iter().map(|part| 2 * part.depth + part.production.len()).max().unwrap_or_default();
    writeln!(out)?;
    for part in &verdict.parts {
        let name = format!("{:indent$}{}", "", part.production, indent = 2 * part.depth);
        let derived = visible(&text[part.start..part.end]);
        writeln!(out, "  {}", format!("{name:<width$}  {derived}").trim_end())?;
    }
    writeln!(out)
}
