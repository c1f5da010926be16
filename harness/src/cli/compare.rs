//! `compare`: on which pairs two engines differ, in what, and why.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use urlstrata::revision;
use urlstrata_harness::attribute::{Couple, Effect, Subject};
use urlstrata_harness::compare::{Compared, Divergence, Example};
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::enumerate::{Scope, over, over_pairs};
use urlstrata_harness::generate::{ALPHABET, BASES};
use urlstrata_harness::judge::Tally;
use urlstrata_harness::plural::counted;
use urlstrata_harness::profile::{self, KnownProfile, Reading, Selection};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::{known, visible};

use super::progress::Progress;
use super::run::{each_pair, quoted, said_by, write_json, write_note};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// An engine: a name that `engine list` shows, `cmd:` and a program, or `fast:REVISION+RULE=SETTING`
    #[arg(value_name = "A")]
    one: String,
    /// The engine to compare it with, or a specification: a revision, or whatwg
    #[arg(value_name = "B")]
    other: String,
    /// Compare on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "alphabet", "length"])]
    pairs: Option<PathBuf>,
    /// Compare on references with this base only; may be repeated
    #[arg(long, value_name = "URL")]
    base: Vec<String>,
    /// Compare on every short reference of these characters
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<String>,
    /// Compare on every reference of up to this many characters
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Show and count only divergences with this effect: host, scheme, port, credentials, path, query, fragment, spelling or
    /// accepted; may be repeated
    #[arg(long, value_name = "EFFECT", value_parser = an_effect)]
    only: Vec<Effect>,
    /// Show up to this many more examples of each cause, smallest first
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Show up to this many causes, worst first; JSON has them all
    #[arg(long, value_name = "N", default_value_t = 30)]
    causes: usize,
    /// For people or for machines
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const AFTER: &str = "\
Without --pairs, --alphabet and --length the two are compared on the survey to which profiles are fitted, some 76,000 pairs: \
short references on bases of 26 kinds, the vectors, and random pairs.

The exit code is 0 if the two agree on every pair and 1 if they differ; with --only, in that effect.";

/// An effect by the first word of its name.
fn an_effect(word: &str) -> Result<Effect, String> {
    let word_of = |effect: Effect| effect.name().split(' ').next().unwrap_or_default();
    let found = Effect::ALL.into_iter().find(|&effect| word_of(effect) == word);
    found.ok_or_else(|| format!("there are {}", Effect::ALL.map(word_of).join(", ")))
}

/// What an engine is compared with.
enum Target {
    Document(Reading),
    Engine(Box<dyn Engine>),
}

pub(super) fn compare(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let one = super::an_engine(&arguments.one)?;
    let other = target(&arguments.other)?;
    let known_one = known::profile_of(one.as_ref());
    let (couple, has_causes) = match &other {
        Target::Document(_) => (Couple::new(None, None), true),
        Target::Engine(other) => {
            let couple = Couple::new(known_one.as_ref(), known::profile_of(other.as_ref()).as_ref());
            let has_causes = couple.has_causes();
            (couple, has_causes)
        }
    };
    let new = || {
        let tally = tally(one.as_ref(), &other, &couple, known_one.as_ref());
        tally.with_examples(arguments.examples).only(&arguments.only)
    };
    let mut finding = Finding::AsExpected;
    let found = asked(arguments, one.as_ref(), new, &mut finding)?.finish();
    let titles = titles(one.as_ref(), &other);
    let found = Compared::of(found, titles[0].clone(), titles[1].clone(), has_causes);
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text => write(&found, arguments.causes, out)?,
    }
    Ok(match (finding, found.different) {
        (Finding::AsExpected, 0) => Finding::AsExpected,
        (Finding::AsExpected, _) => Finding::NewDivergence,
        (finding, _) => finding,
    })
}

/// A document by its id, else an engine.
fn target(name: &str) -> Result<Target, Failure> {
    if let Some(reading) = Reading::by_id(name) {
        return Ok(Target::Document(reading));
    }
    if let Some(revision) = revision::by_id(name) {
        let sentence = format!("{} does not define how references are resolved", revision.specification);
        return Err(Failure::Usage(sentence));
    }
    super::an_engine(name).map(Target::Engine)
}

fn tally<'a>(one: &'a dyn Engine, other: &'a Target, couple: &Couple, known: Option<&KnownProfile>) -> Tally<'a> {
    match other {
        Target::Document(reading) => Tally::new(one, Subject::new(*reading, known)),
        Target::Engine(other) => Tally::between(one, other.as_ref(), couple.clone()),
    }
}

/// Asks both about every pair of the arguments.
fn asked<'a>(
    arguments: &Arguments,
    one: &'a dyn Engine,
    new: impl Fn() -> Tally<'a> + Sync,
    finding: &mut Finding,
) -> Result<Tally<'a>, Failure> {
    let mut all = new();
    let add = |tally: &mut Tally<'a>, base: &str, reference: &str| {
        tally.add(base, reference, &ask(one, base, reference));
    };
    if let Some(path) = &arguments.pairs {
        let progress = Progress::pairs(None);
        let each = |base: &str, reference: &str| {
            add(&mut all, base, reference);
            progress.add(1);
            Ok(())
        };
        each_pair(path, each, finding)?;
        return Ok(all);
    }
    let parts = if arguments.alphabet.is_some() || arguments.length.is_some() {
        let alphabet = super::enumerate::alphabet(arguments.alphabet.as_deref().unwrap_or(ALPHABET))?;
        let usual = || BASES.map(str::to_owned).to_vec();
        let bases = if arguments.base.is_empty() { usual() } else { arguments.base.clone() };
        let scope = Scope { alphabet, length: arguments.length.unwrap_or(4), bases };
        let progress = Progress::new("comparing", "references", Some(scope.references().map_err(Failure::Usage)?));
        over(&scope, &|done| progress.set(done), new, add).map_err(Failure::Usage)?
    } else {
        let selection = Selection { bases: arguments.base.clone(), schemes: Vec::new() };
        let pairs = selection.of(profile::survey(&Suite::embedded()?));
        let progress = Progress::pairs(Some(pairs.len() as u64));
        over_pairs(&pairs, &|done| progress.set(done), new, add)
    };
    parts.into_iter().for_each(|part| all.merge(part));
    Ok(all)
}

/// How the two are called: by name and version, and by their commands where these are the same.
fn titles(one: &dyn Engine, other: &Target) -> [String; 2] {
    let title = |engine: &dyn Engine| format!("{} {}", visible(engine.name()), visible(engine.version()));
    let Target::Engine(other) = other else {
        let Target::Document(reading) = other else { unreachable!("a target is a document or an engine") };
        return [title(one), reading.id.to_owned()];
    };
    let titles = [title(one), title(other.as_ref())];
    if titles[0] == titles[1] && one.key() != other.key() {
        return [one, other.as_ref()].map(|engine| format!("{} ({})", title(engine), visible(engine.key())));
    }
    titles
}

fn write(found: &Compared, causes: usize, out: &mut dyn Write) -> io::Result<()> {
    let Compared { one, other, .. } = found;
    if !found.has_causes {
        writeln!(out, "No profile of either engine is known, so differences have no causes here.\n")?;
    }
    for class in found.classes.iter().take(causes) {
        write_class(class, found, out)?;
    }
    if found.classes.len() > causes {
        let hidden = counted(found.classes.len() - causes, "more cause is", "more causes are");
        writeln!(out, "… {hidden} not shown: --causes {} shows all\n", found.classes.len())?;
    }
    let pairs = counted(found.pairs, "pair", "pairs");
    let causes = match (found.has_causes, found.unexplained) {
        (true, unexplained) if found.different > 0 => format!(", {unexplained} of them without a cause"),
        _ => String::new(),
    };
    let otherwise = match found.otherwise {
        0 => String::new(),
        otherwise => format!("; {otherwise} differ in other parts"),
    };
    let Compared { equal, different, .. } = found;
    writeln!(out, "{one} and {other}: {pairs}, {equal} equal, {different} different{causes}{otherwise}")
}

fn write_class(class: &Divergence, found: &Compared, out: &mut dyn Write) -> io::Result<()> {
    let search = if class.by_search { " (found by search only)" } else { "" };
    let cause = match (found.has_causes, class.explained) {
        (false, _) => String::new(),
        (true, _) => format!(": {}{search}", class.cause),
    };
    writeln!(out, "{} × {}{cause}", class.count, class.effect.name())?;
    for note in &class.notes {
        write_note(note, &found.other, &found.one, out)?;
    }
    for example in &class.examples {
        write_example(example, found, out)?;
    }
    writeln!(out)
}

/// A pair, and a line for each side with its scheme, host and port in columns.
fn write_example(example: &Example, found: &Compared, out: &mut dyn Write) -> io::Result<()> {
    let sides = [(&found.one, &example.one), (&found.other, &example.other)];
    let columns = sides.map(|(_, side)| side.columns());
    let width = |text: &str| text.chars().count();
    let widths: [usize; 3] = std::array::from_fn(|at| {
        let head = ["scheme", "host", "port"][at];
        columns.iter().map(|cells| width(&cells[at])).chain([head.len()]).max().unwrap_or_default()
    });
    let name = sides.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
    let [scheme, host, port] = widths;
    writeln!(out, "  {} on {}", quoted(&example.reference), quoted(&example.base))?;
    writeln!(out, "    {:name$}  {:scheme$}  {:host$}  {:port$}  result", "", "scheme", "host", "port")?;
    for ((title, side), cells) in sides.into_iter().zip(&columns) {
        let [own_scheme, own_host, own_port] = cells;
        let result = said_by(&side.outcome);
        writeln!(out, "    {title:name$}  {own_scheme:scheme$}  {own_host:host$}  {own_port:port$}  {result}")?;
    }
    Ok(())
}
