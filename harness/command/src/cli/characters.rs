//! `characters`: the character classes of each specification, the characters whose class changed, and what engines do with each character in a
//! host.

use std::io::{self, Write};

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use indicatif::HumanCount;
use urlstrata::characters::{self, ALL, Alphabet, decode};
use urlstrata::revision::Revision;
use urlstrata_harness::engine::{Engine, Source};
use urlstrata_harness::escape::visible;
use urlstrata_harness::evaluate::characters::{alphabets, moves, table};
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::host_characters::{FateGroup, HostCharacters, Inserted, Place};
use urlstrata_harness::world::World;

use super::progress::Progress;
use super::select::engines_or;
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Show only the classes and components of this revision
    #[arg(long = "as", value_name = "REVISION", value_parser = super::select::a_revision)]
    revision: Option<&'static Revision>,
    /// Show what this engine does with every code point, octet and pair of US-ASCII characters in a host; with several engines, where they
    /// differ
    #[arg(short, long = "engine", value_name = "ENGINE", conflicts_with = "revision")]
    engines: Vec<String>,
    /// Output format of what engines do; JSON has all ranges
    #[arg(long, value_enum, default_value = "text", requires = "engines")]
    format: Format,
    /// Characters: US-ASCII, or octets such as %7E; for engines, also other ones, or code points such as U+3002. Default: all characters
    /// other than letters, digits and controls; for engines, all
    #[arg(value_parser = a_text, allow_hyphen_values = true)]
    characters: Vec<String>,
}

const AFTER: &str = "\
With -e, the texts are inserted at the start, in the middle and at the end of a host: some 3,400,000 URLs, which takes some seconds for an \
engine whose steps are known, and minutes for one that is asked. What counts is the host that the engine's library states. Letters that \
only differ in their case do not. Of the pairs, only those are \
listed of which neither character alone makes a difference; for one engine, of which each character alone is kept or replaced.

With two or more engines, the exit code is 1 if they differ.";

/// Parses one character, a code point such as `U+3002`, or one percent-encoded octet, which is returned as it is.
///
/// # Errors
///
/// Returns a sentence if `text` is none of them.
fn a_text(text: &str) -> Result<String, String> {
    let is_one = text.chars().count() == 1 || matches!(decode(text).as_deref(), Ok(&[_]));
    let by_number = text.strip_prefix("U+").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match by_number.and_then(char::from_u32) {
        Some(character) => Ok(character.into()),
        None if is_one => Ok(text.to_owned()),
        None => Err("it is neither one character nor a code point such as U+3002 nor an octet such as %7E".to_owned()),
    }
}

/// Returns the octet that a text of [`a_text`] is.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if it is not in US-ASCII.
fn an_octet(text: &String) -> Result<u8, Failure> {
    match (text.as_bytes(), decode(text).as_deref()) {
        (&[octet], _) if octet.is_ascii() => Ok(octet),
        (_, Ok(&[octet])) => Ok(octet),
        _ => Err(Failure::Usage(format!(
            "{} is not in US-ASCII, and has no class in a specification: -e ENGINE shows what an engine does with it",
            visible(text)
        ))),
    }
}

/// What engines do with texts in hosts, and whether they differ.
fn of_engines(arguments: &Arguments, world: &World, out: &mut dyn Write) -> Ended {
    let engines = engines_or(world, &arguments.engines, |_| false)?;
    let engines: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
    if let Some(engine) = engines.iter().find(|engine| !engine.states_every_url()) {
        let why = "states no components, or only those of the URLs of its recording";
        let remedy = "`urlstrata engine list` names the engines with steps, and those that can be installed";
        return Err(Failure::Engine(format!("{} {why}: {remedy}", engine.key())));
    }
    let found = if arguments.characters.is_empty() {
        let total = Inserted::ALL.map(|it| u64::from(it.count())).iter().sum::<u64>() * Place::ALL.len() as u64;
        let progress = Progress::new("asking", "URLs", Some(total));
        HostCharacters::of(&engines, &|asked| progress.set(asked))
    } else {
        HostCharacters::of_texts(&engines, &arguments.characters)
    };
    match arguments.format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &found).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Text => write_found(&found, &engines, arguments.characters.is_empty(), out)?,
    }
    Ok(if found.different > 0 { Finding::NewDivergence } else { Finding::AsExpected })
}

/// The maximum number of ranges that a line lists.
const MOST_RANGES: usize = 8;

/// Writes what was found about all texts, or about given ones.
fn write_found(found: &HostCharacters, engines: &[&dyn Engine], are_all: bool, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = engines.iter().map(|it| format!("{} {}", it.name(), it.version())).collect();
    match engines {
        [_] => writeln!(out, "{}: {} URLs", names[0], HumanCount(found.urls.into()))?,
        _ => {
            let [urls, different] = [found.urls, found.different].map(|it| HumanCount(it.into()));
            writeln!(out, "{}: {urls} URLs: {different} different", names.join(", "))?;
        }
    }
    for engine in engines {
        let sources = found.groups.iter().map(|group| engine.source_of(Op::Parse, &group.url));
        if sources.collect::<Vec<_>>().contains(&Source::Predicted) {
            writeln!(out, "{} was not asked: this is what the steps of its source state", engine.name())?;
        }
    }
    let mut before = None;
    for group in &found.groups {
        let FateGroup { inserted, place, fates, count, ranges, url, hosts } = group;
        if are_all && before != Some((*inserted, *place)) {
            writeln!(out, "\n{} {} of a host", inserted.word(), place.word())?;
            before = Some((*inserted, *place));
        }
        let fates: Vec<&str> = fates.iter().map(|fate| fate.word()).collect();
        let listed = ranges.iter().take(MOST_RANGES);
        let listed = listed.map(|(from, to)| if from == to { from.clone() } else { format!("{from} to {to}") });
        let more = ranges.len().saturating_sub(MOST_RANGES);
        let more =
            if more > 0 { format!(", and {}", counted(more, "more range", "more ranges")) } else { String::new() };
        let listed = listed.collect::<Vec<_>>().join(", ");
        match are_all {
            true => writeln!(out, "  {}: {}: {listed}{more}", fates.join(" | "), HumanCount((*count).into()))?,
            false => writeln!(out, "  {listed} {}: {}", place.word(), fates.join(" | "))?,
        }
        let hosts: Vec<String> = hosts.iter().map(|host| host.as_deref().map_or("-".to_owned(), visible)).collect();
        writeln!(out, "    {}: {}", visible(url), hosts.join(" | "))?;
    }
    Ok(())
}

pub(super) fn characters(arguments: &Arguments, world: &World, out: &mut dyn Write) -> Ended {
    if !arguments.engines.is_empty() {
        return of_engines(arguments, world, out);
    }
    let wanted: &Vec<u8> = &arguments.characters.iter().map(an_octet).collect::<Result<_, _>>()?;
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
