//! `characters`: the character classes of each specification, and the characters whose class changed.

use std::io::Write;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use urlstrata::characters::{self, ALL, Alphabet, decode};
use urlstrata::revision::Revision;
use urlstrata_harness::evaluate::characters::{alphabets, moves, table};

use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Arguments {
    /// Show only the classes and components of this revision
    #[arg(long = "as", value_name = "REVISION", value_parser = super::select::a_revision)]
    revision: Option<&'static Revision>,
    /// US-ASCII characters, or octets such as %7E; default: all characters other than letters, digits and controls
    #[arg(value_parser = an_octet, allow_hyphen_values = true)]
    characters: Vec<u8>,
}

/// Parses one US-ASCII character, or one percent-encoded octet.
///
/// # Errors
///
/// Returns a sentence if `text` is neither.
fn an_octet(text: &str) -> Result<u8, String> {
    match (text.as_bytes(), decode(text).as_deref()) {
        (&[octet], _) if octet.is_ascii() => Ok(octet),
        (_, Ok(&[octet])) => Ok(octet),
        _ => Err("it is neither one character of US-ASCII nor one octet such as %7E".to_owned()),
    }
}

pub(super) fn characters(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let wanted = &arguments.characters;
    if let Some(revision) = arguments.revision {
        let Some(alphabet) = characters::by_revision(revision.id) else {
            let ids: Vec<_> = ALL.iter().flat_map(|alphabet| alphabet.revisions).copied().collect();
            let sentence =
                format!("{} has no classes of characters: there are {}", revision.specification, ids.join(", "));
            return Err(Failure::Usage(sentence));
        };
        if wanted.is_empty() {
            write_alphabet(alphabet, out)?;
        } else {
            write_table(wanted, &[alphabet], out)?;
        }
        return Ok(Finding::AsExpected);
    }
    write_table(wanted, &ALL.iter().collect::<Vec<_>>(), out)?;
    let moved = moves(wanted);
    if moved.is_empty() {
        writeln!(out, "\nnothing moved")?;
        return Ok(Finding::AsExpected);
    }
    let mut rows = new_table(["from", "to", "character", "was", "is", "witness", "coded"]);
    for row in moved {
        rows.add_row([row.older, row.newer, &row.character, &row.from, &row.to, &row.witness, &row.coded]);
    }
    writeln!(out, "\nWhat moved:\n{rows}")?;
    Ok(Finding::AsExpected)
}

fn write_alphabet(alphabet: &Alphabet, out: &mut dyn Write) -> Result<(), Failure> {
    let mut classes = new_table(["class", "section", "characters"]);
    for row in alphabets([alphabet]).into_iter().flat_map(|row| row.classes) {
        classes.add_row([row.name, row.section, &row.characters]);
    }
    let mut components = new_table(["component", "section", "also to be encoded there"]);
    for component in alphabet.components {
        components.add_row([component.name, component.section, component.reserved]);
    }
    writeln!(out, "{}\n{classes}\n\n{components}", alphabet.cite)?;
    Ok(())
}

fn write_table(wanted: &[u8], alphabets: &[&Alphabet], out: &mut dyn Write) -> Result<(), Failure> {
    let mut rows = new_table([""].into_iter().chain(alphabets.iter().map(|alphabet| alphabet.cite)));
    for row in table(wanted, alphabets) {
        let cells = row.standings.iter().zip(&row.classes).map(|(standing, classes)| match classes.as_slice() {
            [] => standing.clone(),
            classes => format!("{standing}: {}", classes.join(", ")),
        });
        rows.add_row([row.character.clone()].into_iter().chain(cells));
    }
    writeln!(out, "{rows}")?;
    Ok(())
}

fn new_table<'a>(header: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    if !table.is_tty() {
        table.set_width(120);
    }
    table.set_header(header);
    table
}
