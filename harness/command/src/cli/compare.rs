//! `compare`: the pairs on which two engines, or an engine and a specification, differ, by cause.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use urlstrata_harness::engine::statement::redirect;
use urlstrata_harness::engine::{self, Engine, Source};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::attribute::{Attributor, Effect, EnginePair, Model};
use urlstrata_harness::knowledge::results::Results;
use urlstrata_harness::knowledge::stepped::StatingPair;
use urlstrata_harness::names::revision_named;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES};
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::compare::{Compared, ComparedExample, DivergenceClass};
use urlstrata_harness::survey::components::{Comparison, StatedDifferences, compare_components};
use urlstrata_harness::survey::enumerate::{Scope, over, over_items};
use urlstrata_harness::survey::panel;
use urlstrata_harness::survey::tally::Tally;
use urlstrata_harness::world::World;

use super::input::{InputPair, each_chunk};
use super::output::{PredictedPairs, cause_in_words, observation, quoted, write_json, write_remedy};
use super::progress::Progress;
use super::select::{Fit, Target, an_engine, complete, target};
use super::{Ended, Failure, Finding, Format, Question, UNANSWERED};

#[derive(Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Engine: a name that `engine list` shows, `cmd:` and a command, or `fast:REVISION+RULE=SETTING`
    #[arg(value_name = "A")]
    one: String,
    /// Engine or specification to compare A with; a specification is a revision, or whatwg. An engine and a specification may be named in
    /// either order
    #[arg(value_name = "B")]
    other: String,
    /// Compare on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "alphabet", "length"])]
    pairs: Option<PathBuf>,
    /// Compare with this base instead of all others; may be repeated
    #[arg(long, value_name = "URL")]
    base: Vec<String>,
    /// Compare on every reference of these characters, of up to 4 characters unless --length is given
    #[arg(long, value_name = "CHARS")]
    alphabet: Option<String>,
    /// Compare on every reference of up to this many characters, from `a./;?#:%` unless --alphabet is given
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Ask only one question; default: all that both answer, which are what they resolve to, what they state about URLs, and, if both
    /// are recorded, where they connect and where they go after redirects. Options about pairs choose `resolve`
    #[arg(long, value_enum)]
    op: Option<Question>,
    /// Show and count only divergences with this effect: host, scheme, port, credentials, path, query, fragment,
    /// spelling or accepted; may be repeated
    #[arg(long, value_name = "EFFECT", value_parser = an_effect)]
    only: Vec<Effect>,
    /// Show up to this many more examples of each cause, smallest first, and then also kinds of statements that only add characters to
    /// another one
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Show up to this many causes, worst effect first; JSON contains all causes
    #[arg(long, value_name = "N", default_value_t = 30)]
    causes: usize,
    #[command(flatten)]
    fit: Fit,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const AFTER: &str = "\
Without --pairs, --alphabet and --length the two are compared on some 79,000 pairs: \
short references on bases of 26 kinds, the vectors, and random pairs. If one of them is recorded, they are compared on the \
panel of the recordings. Two engines that state components are also compared on URLs that follow from rules: a component of which one \
states that it is absent equals an empty one of the other. Why they state different components is shown if the steps of both are known.

The exit code is 0 if the two agree on every pair and URL and 1 if they differ; with --only, in that effect.";

/// The number of kinds of statements that are shown with the results of pairs.
const SHOWN: usize = 10;

/// Returns the effect whose name begins with `word`.
///
/// # Errors
///
/// Returns a sentence with the available words if there is no such effect.
pub(super) fn an_effect(word: &str) -> Result<Effect, String> {
    let found = Effect::ALL.into_iter().find(|effect| effect.word() == word);
    found.ok_or_else(|| format!("there are {}", Effect::ALL.map(Effect::word).join(", ")))
}

pub(super) fn compare(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    compare_on(arguments, false, world, out)
}

/// Returns what the two engines of `world` answer about URLs, for each of these questions that is asked: that of `--op`, or all that both
/// answer. Clients that are not recorded are asked only with `--op`, because that takes minutes.
///
/// # Errors
///
/// Returns [`Failure::Engine`] if `--op` is given, and one of them does not answer the question. Lines of `--pairs` that cannot be used are
/// reported in `finding`.
fn about_urls(
    arguments: &Arguments,
    is_exact: bool,
    world: &World,
    finding: &mut Finding,
) -> Result<Vec<StatedDifferences>, Failure> {
    let asked = arguments.op.map(Question::op).filter(|op| *op != Op::Resolve);
    let is_about_pairs = arguments.pairs.is_some()
        || arguments.alphabet.is_some()
        || arguments.length.is_some()
        || !arguments.base.is_empty();
    let ([one, other], false) = (world.engines.as_slice(), arguments.op == Some(Question::Resolve)) else {
        return match asked {
            Some(op) => Err(Failure::Usage(format!("--op {} compares two engines, not a specification", op.name()))),
            None => Ok(Vec::new()),
        };
    };
    let silent = |op: Op| world.engines.iter().filter(move |it| !engine::answers(it.as_ref(), op)).map(|it| it.name());
    if let Some(op) = asked.filter(|op| silent(*op).next().is_some()) {
        let names: Vec<&str> = silent(op).collect();
        return Err(Failure::Engine(format!(
            "{}: the question {} is not answered or recorded",
            names.join(" and "),
            op.name()
        )));
    }
    let is_recorded = world.engines.iter().all(|engine| engine.panel().is_some());
    let is_default =
        |op: Op| asked.is_none() && !is_about_pairs && silent(op).next().is_none() && (op == Op::Parse || is_recorded);
    let ops = Op::ABOUT_URLS.into_iter().filter(|op| asked == Some(*op) || is_default(*op));
    let given = match asked {
        Some(op) => given_urls(arguments, op, finding)?,
        None => None,
    };
    let compared = ops.map(|op| {
        let steps = StatingPair::asked([one, other].map(|engine| world.steps_of(engine.as_ref())), [op; 2]);
        let Arguments { examples, ref only, .. } = *arguments;
        let comparison = Comparison { op, given: given.as_deref(), is_exact, examples, only };
        compare_components(comparison, one.as_ref(), other.as_ref(), steps.as_ref())
    });
    Ok(compared.collect())
}

/// Returns the URLs of `--pairs`, or its redirects if `op` is about these.
fn given_urls(arguments: &Arguments, op: Op, finding: &mut Finding) -> Result<Option<Vec<String>>, Failure> {
    let Some(path) = &arguments.pairs else { return Ok(None) };
    let mut urls = Vec::new();
    each_chunk(path, false, finding, |pairs| {
        for InputPair { base, reference, .. } in pairs {
            urls.push(match op {
                Op::Follow => redirect(&base, &reference),
                _ if base.is_empty() => reference,
                _ => {
                    let (op, base) = (op.name(), quoted(&base));
                    let sentence =
                        format!("--op {op} asks about URLs without a base, and {base} is one: leave bases empty");
                    return Err(Failure::Usage(sentence));
                }
            });
        }
        Ok(())
    })?;
    Ok(Some(urls))
}

/// Writes what two engines state differently.
fn write_stated(
    found: &StatedDifferences,
    [one, other]: [&str; 2],
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for kind in found.kinds.iter().take(most) {
        writeln!(out, "{} × {}", counted(kind.count, "URL", "URLs"), kind.part)?;
        let on = if kind.base.is_empty() { String::new() } else { format!(" after {}", quoted(&kind.base)) };
        writeln!(out, "  {}{on}", quoted(&kind.url))?;
        let width = one.chars().count().max(other.chars().count());
        for (name, statement) in [(one, &kind.one), (other, &kind.other)] {
            let predicted = if statement.source == Source::Predicted { "   (predicted)" } else { "" };
            writeln!(out, "    {name:<width$}  {statement}{predicted}")?;
        }
        kind.notes.iter().try_for_each(|note| out.write_all(note.lines(one, other).as_bytes()))?;
        kind.examples.iter().try_for_each(|url| writeln!(out, "  also {}", quoted(url)))?;
        writeln!(out)?;
    }
    if found.kinds.len() > most {
        let hidden = counted(found.kinds.len() - most, "more kind is", "more kinds are");
        writeln!(out, "… {hidden} not shown: --causes {} shows all\n", found.kinds.len())?;
    }
    let urls = match found.op {
        "connect" => format!("request {}", counted(found.urls, "URL", "URLs")),
        "follow" => format!("follow {}", counted(found.urls, "redirect", "redirects")),
        _ => format!("state components of {}", counted(found.urls, "URL", "URLs")),
    };
    let unanswered = match found.unanswered {
        0 => String::new(),
        unanswered => format!("; {unanswered} more not answered by one of them"),
    };
    let combined = match found.combined {
        0 => String::new(),
        combined => format!(
            ", {combined} of which only add characters to those of a kind above: --examples 1 shows these kinds"
        ),
    };
    writeln!(out, "{one} and {other} {urls}: {} different{combined}{unanswered}", found.different)?;
    for (name, parts) in [one, other].into_iter().zip(&found.not_compared).filter(|(_, parts)| !parts.is_empty()) {
        writeln!(out, "only {name} states these, which are not compared: {}", parts.join(", "))?;
    }
    Ok(())
}

/// Compares as [`compare`] does, but on the panel of recordings if `on_panel` is true.
fn compare_on(arguments: &Arguments, on_panel: bool, world: World, out: &mut dyn Write) -> Ended {
    // An engine is compared with a specification, whichever of them is named first.
    let is_revision = |name: &str| revision_named(name).is_some();
    let [one, other] = match is_revision(&arguments.one) && !is_revision(&arguments.other) {
        true => [&arguments.other, &arguments.one],
        false => [&arguments.one, &arguments.other],
    };
    let mut engines = vec![an_engine(&world, one)?];
    let specification = match target(&world, other)? {
        Target::Specification(specification) => Some(specification),
        Target::Engine(other) => {
            engines.push(other);
            None
        }
    };
    let world = complete(world, engines, &arguments.fit)?;
    let models = world.models();
    let one = world.engines[0].as_ref();
    let (other, titles, engine_pair) = match (specification, world.engines.get(1)) {
        (None, Some(other)) => {
            let engine_pair = EnginePair::new(models[0].clone(), models[1].clone());
            (Some(other.as_ref()), titles(one, other.as_ref()), engine_pair)
        }
        (specification, _) => {
            let id = specification.map_or("", |specification| specification.id);
            (None, [title(one), id.to_owned()], EnginePair::new(Model::default(), Model::default()))
        }
    };
    let mut finding = Finding::AsExpected;
    let stated = about_urls(arguments, on_panel, &world, &mut finding)?;
    let differs = stated.iter().any(|found| found.different > 0);
    let mut silent = world.engines.iter().filter(|engine| !engine.resolves()).map(|engine| engine.name());
    if let Some(name) = silent.next().filter(|_| stated.is_empty()) {
        return Err(Failure::Engine(format!(
            "{name} does not resolve references: --op parse compares what both state, if both do"
        )));
    }
    let is_only_about_urls = arguments.op.is_some_and(|it| it != Question::Resolve)
        || !stated.is_empty() && world.engines.iter().any(|engine| !engine.resolves());
    if is_only_about_urls {
        match (arguments.format, stated.as_slice()) {
            (Format::Json, [found]) => write_json(found, out)?,
            (Format::Json, all) => write_json(&all, out)?,
            (Format::Text, all) => {
                for found in all {
                    write_stated(found, titles.each_ref().map(String::as_str), arguments.causes, out)?;
                }
            }
        }
        let is_unanswered = arguments.pairs.is_some() && stated.iter().any(|found| found.unanswered > 0)
            || stated.iter().all(|found| found.urls == 0 && found.unanswered > 0);
        return match finding {
            Finding::AsExpected if differs => Ok(Finding::NewDivergence),
            Finding::AsExpected if is_unanswered => Err(Failure::Engine(UNANSWERED.to_owned())),
            finding => Ok(finding),
        };
    }
    let has_causes = specification.is_some() || engine_pair.has_causes();
    let new = || {
        let tally = match (specification, other) {
            (Some(specification), _) => Tally::new(one, Attributor::new(specification, models[0].clone())),
            (None, other) => Tally::between(one, other.unwrap_or(one), engine_pair.clone()),
        };
        tally.with_examples(arguments.examples).only(&arguments.only)
    };
    let mut finding = Finding::AsExpected;
    let mut predicted = PredictedPairs::new(&world);
    let found = asked(arguments, on_panel, &world, new, (&mut finding, &mut predicted))?.finish();
    let [one, other] = titles;
    let found = Compared { stated, ..Compared::of(found, one, other, has_causes) };
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text => {
            let is_unknown = |at: usize| models.get(at).is_some_and(Model::is_empty);
            write(&found, arguments.causes, [is_unknown(0), is_unknown(1)], out)?;
            predicted.write(out)?;
            let predicted = world.engines.iter().filter(|engine| is_predicted(engine.as_ref()));
            let predicted: Vec<String> = predicted.map(|engine| title(engine.as_ref())).collect();
            if !predicted.is_empty() {
                let names = predicted.join(" and ");
                writeln!(out, "{names}: not asked about pairs, the steps of the source predict the results")?;
            }
            for stated in &found.stated {
                writeln!(out)?;
                write_stated(stated, [&found.one, &found.other], arguments.causes.min(SHOWN), out)?;
            }
        }
    }
    if found.pairs == 0 && found.stated.is_empty() && arguments.pairs.is_none() {
        let sentence = "no pair was compared, because one of them answers none: `engine install` installs a version";
        return Err(Failure::Engine(sentence.to_owned()));
    }
    Ok(match (finding, found.different) {
        (Finding::AsExpected, 0) if !differs && found.unanswered > 0 && found.unanswered == found.pairs => {
            return Err(Failure::Engine(UNANSWERED.to_owned()));
        }
        (Finding::AsExpected, 0) if !differs => Finding::AsExpected,
        (Finding::AsExpected, _) => Finding::NewDivergence,
        (finding, _) => finding,
    })
}

/// Compares two engines on the panel of recordings.
///
/// # Errors
///
/// Returns an error as [`compare`] does.
pub(super) fn on_panel(
    one: &str,
    other: &str,
    op: Option<Question>,
    examples: usize,
    format: Format,
    world: World,
    out: &mut dyn Write,
) -> Ended {
    let arguments = Arguments {
        one: one.to_owned(),
        other: other.to_owned(),
        pairs: None,
        base: Vec::new(),
        alphabet: None,
        length: None,
        only: Vec::new(),
        op,
        examples,
        causes: usize::MAX,
        fit: Fit { fit: false },
        format,
    };
    compare_on(&arguments, true, world, out)
}

/// Compares both sides on the pairs that the arguments select: those of `--pairs`, every short reference, or the
/// survey. Lines of `--pairs` that cannot be used are reported in `finding`, and pairs of it that are not recorded in `predicted`.
fn asked<'a>(
    arguments: &Arguments,
    on_panel: bool,
    world: &World,
    new: impl Fn() -> Tally<'a> + Sync + Send,
    (finding, predicted): (&mut Finding, &mut PredictedPairs<'_>),
) -> Result<Tally<'a>, Failure> {
    if let Some(path) = &arguments.pairs {
        let progress = Progress::pairs(None);
        let mut all = new();
        each_chunk(path, false, finding, |pairs| {
            predicted.add(&pairs);
            let add = |tally: &mut Tally<'a>, pairs: &[InputPair]| {
                tally.ask_all(
                    &pairs.iter().map(|pair| (pair.base.as_str(), pair.reference.as_str())).collect::<Vec<_>>(),
                );
            };
            all.merge(over_items(&pairs, &|_| (), &new, add, Tally::merge));
            progress.add(pairs.len() as u64);
            Ok(())
        })?;
        return Ok(all);
    }
    if arguments.alphabet.is_some() || arguments.length.is_some() {
        let alphabet = super::enumerate::alphabet(arguments.alphabet.as_deref().unwrap_or(ALPHABET))?;
        let usual = || BASES.map(str::to_owned).to_vec();
        let bases = if arguments.base.is_empty() { usual() } else { arguments.base.clone() };
        let scope = Scope { alphabet, length: arguments.length.unwrap_or(4), bases };
        let progress = Progress::new("comparing", "references", Some(scope.references().map_err(Failure::Usage)?));
        return over(&scope, &|done| progress.set(done), new, Tally::ask_all, Tally::merge).map_err(Failure::Usage);
    }
    // A recorded engine has been asked the pairs of its panel only. The steps of a source answer all.
    let panels = world.engines.iter().filter_map(|engine| engine.panel()).filter(|panel| !panel.pairs().is_empty());
    let panel = match panels.min_by_key(|panel| panel.pairs().len()) {
        None if on_panel => Some(&world.folders()?.panel),
        panel => panel,
    };
    let has_steps: Vec<bool> =
        world.engines.iter().map(|engine| world.steps_of(engine.as_ref()).is_some_and(|it| it.resolves())).collect();
    let was_asked = |base: &str, reference: &str| {
        world.engines.iter().zip(&has_steps).all(|(engine, has_steps)| match engine.source(base, reference) {
            Source::Live | Source::Recorded => true,
            Source::Predicted => *has_steps,
            Source::Absent | Source::Unable => false,
        })
    };
    let pairs = match panel {
        None => {
            let of_vectors = world.suite()?.resolutions().map(|case| (case.base.clone(), case.reference.clone()));
            of_vectors.chain(panel::survey()).collect::<BTreeSet<_>>().into_iter().collect()
        }
        Some(panel) => {
            let asked = panel.pairs().into_iter().filter(|(base, reference)| was_asked(base, reference));
            asked.map(|(base, reference)| (base.to_owned(), reference.to_owned())).collect()
        }
    };
    let pairs = with_bases(pairs, &arguments.base);
    let progress = Progress::pairs(Some(pairs.len() as u64));
    let add = |tally: &mut Tally<'a>, pairs: &[(String, String)]| {
        tally.ask_all(&pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect::<Vec<_>>());
    };
    Ok(over_items(&pairs, &|done| progress.set(done), new, add, Tally::merge))
}

/// Returns each reference of `pairs` with each of `bases`, or `pairs` if there are none.
fn with_bases(pairs: Vec<(String, String)>, bases: &[String]) -> Vec<(String, String)> {
    if bases.is_empty() {
        return pairs;
    }
    let references: BTreeSet<String> = pairs.into_iter().map(|(_, reference)| reference).collect();
    let pair = |reference: &String| bases.iter().map(|base| (base.clone(), reference.clone())).collect::<Vec<_>>();
    references.iter().flat_map(pair).collect()
}

fn title(engine: &dyn Engine) -> String {
    format!("{} {}", visible(engine.name()), visible(engine.version()))
}

/// Returns whether every pair is answered as predicted: the version has no recording.
fn is_predicted(engine: &dyn Engine) -> bool {
    let has_panel = engine.panel().is_some_and(|panel| !panel.pairs().is_empty());
    !has_panel && engine.source("", "http://a/") == Source::Predicted
}

/// Returns a title for each engine: its name and version, followed by its command if the two titles are otherwise
/// equal.
fn titles(one: &dyn Engine, other: &dyn Engine) -> [String; 2] {
    let titles = [title(one), title(other)];
    if titles[0] == titles[1] && one.key() != other.key() {
        return [one, other].map(|engine| format!("{} ({})", title(engine), visible(engine.key())));
    }
    titles
}

/// Writes a comparison. `unknown` is whether nothing is known of each side but its results.
fn write(found: &Compared, causes: usize, unknown: [bool; 2], out: &mut dyn Write) -> io::Result<()> {
    let Compared { one, other, .. } = found;
    if !found.has_causes {
        writeln!(out, "No behaviour of either engine is known, so differences have no causes here.\n")?;
    }
    for class in found.classes.iter().take(causes) {
        write_class(class, found, unknown, out)?;
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
    let Compared { equal, different, unanswered, .. } = found;
    let unanswered = if *unanswered > 0 { format!("; {unanswered} not answered by both") } else { String::new() };
    writeln!(out, "{one} and {other}: {pairs}, {equal} equal, {different} different{causes}{otherwise}{unanswered}")?;
    let unknown = [one, other].into_iter().zip(unknown).filter(|(_, is_unknown)| *is_unknown && *different > 0);
    write_remedy(&unknown.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), out)
}

fn write_class(class: &DivergenceClass, found: &Compared, unknown: [bool; 2], out: &mut dyn Write) -> io::Result<()> {
    let cause = match found.has_causes {
        false => String::new(),
        true => format!(": {}", cause_in_words(&class.cause, class.unknown && !class.explained)),
    };
    writeln!(out, "{} × {}{cause}", class.count, class.effect.name())?;
    for note in &class.notes {
        out.write_all(note.lines(&found.other, &found.one).as_bytes())?;
    }
    for example in &class.examples {
        write_example(example, found, out)?;
        let sides = [(&found.one, &example.one), (&found.other, &example.other)];
        for ((name, side), _) in sides.into_iter().zip(unknown).filter(|(_, is_unknown)| *is_unknown) {
            let results = Results::new(&example.base, &example.reference);
            if let Some(observed) = observation(name, &results, &side.outcome) {
                writeln!(out, "    {observed}")?;
            }
        }
    }
    writeln!(out)
}

/// Writes a pair, and for each side a line with the scheme, host, port and result.
fn write_example(example: &ComparedExample, found: &Compared, out: &mut dyn Write) -> io::Result<()> {
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
        let result = &side.outcome;
        writeln!(out, "    {title:name$}  {own_scheme:scheme$}  {own_host:host$}  {own_port:port$}  {result}")?;
    }
    Ok(())
}
