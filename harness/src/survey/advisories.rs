//! Public security advisories: whether engines answer as they state, and by which command the harness finds them by itself.

use std::collections::BTreeSet;

use serde::Serialize;

use super::components::{Comparison, StatedDifference, compare_components, differing_part};
use super::confusion::{Severity, compare_statements, tokens};
use crate::engine::locate::Statement;
use crate::engine::recording::is_same as is_same_outcome;
use crate::engine::statement::redirect;
use crate::engine::{Engine, Source, answers, ask, ask_all, ask_urls};
use crate::knowledge::advisory::{Advisory, Answered};
use crate::knowledge::stepped::{StatingPair, Stepped};
use crate::outcome::{Components, Outcome};
use crate::protocol::Op;
use crate::world::World;

/// An advisory, with what the engines answer.
#[derive(Clone, Debug, Serialize)]
pub struct AdvisoryRow {
    /// The advisory.
    #[serde(flatten)]
    pub advisory: Advisory,
    /// The affected and the fixed version with their answers; the checker and the fetcher, if it is about two programs.
    pub sides: [Side; 2],
    /// Whether both answer as the advisory states; `None` if an answer is not recorded.
    pub is_shown: Option<bool>,
    /// The command that finds a difference of the same kind without the input of any advisory, and its smallest input; `None` if no
    /// command does.
    pub found: Option<(String, String)>,
}

/// An engine, and what it answers.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The name of the engine, with a version if it is not the newest one; empty if there is none.
    pub engine: String,
    /// Its answer; empty if that is not recorded.
    pub answer: String,
}

/// Returns a row for each advisory.
///
/// # Errors
///
/// Returns a sentence if the advisories cannot be read, or an engine that one of them names does not exist.
pub fn rows(world: &World) -> Result<Vec<AdvisoryRow>, String> {
    let advisories = Advisory::all().map_err(|error| error.to_string())?;
    let inputs: BTreeSet<String> = advisories.iter().map(|it| it.input.clone()).collect();
    advisories.iter().map(|advisory| row(advisory, &inputs, world)).collect()
}

fn row(advisory: &Advisory, inputs: &BTreeSet<String>, world: &World) -> Result<AdvisoryRow, String> {
    let engine = |name: &str| match name {
        "" => Ok(None),
        name => match world.engine(name) {
            Ok(engine) => Ok(Some(engine)),
            // The engine folders of a user need not have it.
            Err(_) if world.has_own_folders() => Ok(None),
            Err(error) => Err(format!("{}: {name}: {error}", advisory.id)),
        },
    };
    let is_couple = advisory.before.is_empty() || advisory.after.is_empty();
    let is_couple = is_couple && !advisory.checker.is_empty() && !advisory.fetcher.is_empty();
    let op = advisory.operation.op();
    // A checker states something about the text, whatever the fetcher does.
    let named = match is_couple {
        true => [(&advisory.checker, Op::Parse), (&advisory.fetcher, op)],
        false => [(&advisory.before, op), (&advisory.after, op)],
    };
    let engines = [engine(named[0].0)?, engine(named[1].0)?];
    let answers = [0, 1].map(|at| engines[at].as_deref().and_then(|engine| answer(advisory, named[at].1, engine)));
    let is_answer = |expected: &Answered, answer: &Option<Components>| answer.as_ref().map(|it| expected.is_answer(it));
    let is_shown = is_answer(&advisory.happened, &answers[0])
        .zip(is_answer(&advisory.happens, &answers[1]))
        .map(|(one, other)| one && other);
    let both = engines[0].as_deref().zip(engines[1].as_deref());
    let found = both.and_then(|both| match is_couple {
        true => found_by_couple(advisory, both, inputs),
        false => found_by_versions(advisory, both, inputs, &|engine| world.steps_of(engine)),
    });
    // The parts that matter, if the answer is the expected one, and all parts otherwise.
    let shown = |expected: &Answered, answer: &Option<Components>| match answer {
        Some(answer) if expected.is_answer(answer) => expected.to_string(),
        Some(answer) => Statement::new(answer.clone()).to_string(),
        None => String::new(),
    };
    let side = |at: usize, expected| Side { engine: named[at].0.clone(), answer: shown(expected, &answers[at]) };
    let sides = [side(0, &advisory.happened), side(1, &advisory.happens)];
    Ok(AdvisoryRow { advisory: advisory.clone(), sides, is_shown, found })
}

/// Returns the answer of `engine` to `op` about the input; `None` if it is not recorded.
fn answer(advisory: &Advisory, op: Op, engine: &dyn Engine) -> Option<Components> {
    let answer = match op {
        Op::Resolve if engine.source(&advisory.base, &advisory.input) == Source::Predicted => return None,
        Op::Resolve => match ask(engine, &advisory.base, &advisory.input) {
            Outcome::Url(url) => Ok(vec![("url".to_owned(), Some(url))]),
            other => Err(other),
        },
        op => {
            let redirects = redirect(&advisory.base, &advisory.input);
            let url = if op == Op::Follow { redirects.as_str() } else { advisory.input.as_str() };
            if engine.source_of(op, url) == Source::Predicted {
                return None;
            }
            ask_urls(engine, op, &[url]).pop()?
        }
    };
    (!matches!(answer, Err(Outcome::Skipped(_)))).then_some(answer)
}

/// Returns the command that finds a difference between both versions, of the same kind as the input, on the inputs of rules.
fn found_by_versions(
    advisory: &Advisory,
    (before, after): (&dyn Engine, &dyn Engine),
    inputs: &BTreeSet<String>,
    steps_of: &dyn Fn(&dyn Engine) -> Option<Stepped>,
) -> Option<(String, String)> {
    let op = advisory.operation.op();
    let command = format!("engine diff {} {} --op {}", before.key(), after.key(), op.name());
    if op == Op::Resolve {
        let pairs = before.panel()?.pairs();
        let pairs: Vec<_> = pairs.into_iter().filter(|(_, reference)| !inputs.contains(*reference)).collect();
        let [one, other] = [before, after].map(|engine| ask_all(engine, &pairs));
        let is_asked = |number: &usize| {
            let (base, reference) = pairs[*number];
            [before, after].iter().all(|engine| engine.source(base, reference) == Source::Recorded)
        };
        let differing = (0..pairs.len()).filter(is_asked).filter(|at| !is_same_outcome(&one[*at], &other[*at]));
        let alike = differing.filter(|at| is_alike(pairs[*at].1, &advisory.input));
        return alike.map(|at| pairs[at].1.to_owned()).min_by_key(String::len).map(|found| (command, found));
    }
    if ![before, after].iter().all(|engine| answers(*engine, op)) {
        return None;
    }
    let panel = match op {
        Op::Follow => super::redirects::panel(),
        _ => super::urls::panel(),
    };
    let urls: Vec<String> = panel.urls().iter().filter(|url| !inputs.contains(*url)).cloned().collect();
    let steps = StatingPair::asked([steps_of(before), steps_of(after)], [op; 2]);
    let own = [before, after].map(|engine| ask_urls(engine, op, &[&advisory.input]).pop());
    let [Some(happened), Some(happens)] = own.each_ref().map(Option::as_ref) else { return None };
    let part = differing_part(op, happened, happens)?;
    let key = |url: &str, both: [&Components; 2]| steps.as_ref().map_or_else(String::new, |steps| steps.key(url, both));
    let cause = key(&advisory.input, [happened, happens]);
    // The kind has the cause of the advisory if steps know it, and otherwise the same change of the same part, by some of its characters.
    let is_own = |kind: &&StatedDifference| {
        let answers = [before, after].map(|engine| ask_urls(engine, op, &[&kind.url]).pop());
        let is_rejected = kind.one.instead.is_some() == happened.is_err();
        match answers.each_ref().map(Option::as_ref) {
            [Some(one), Some(other)] if !cause.is_empty() => key(&kind.url, [one, other]) == cause,
            _ => kind.part == part && is_rejected && is_alike(&kind.url, &advisory.input),
        }
    };
    let compared = |given: Option<&[String]>, examples| {
        let comparison = Comparison { given, is_exact: true, examples, ..Comparison::of(op) };
        compare_components(comparison, before, after, steps.as_ref()).kinds
    };
    let witness = |examples| {
        let kinds = compared(Some(urls.as_slice()), examples);
        kinds.iter().find(is_own).map(|kind| kind.url.clone())
    };
    let url = witness(0).or_else(|| witness(1))?;
    // The command also asks the inputs of advisories, which can be the smallest URLs of the kind, and shows kinds that only add characters
    // to another one with examples.
    let is_printed = |examples: &usize| {
        let has = |kind: &StatedDifference| kind.url == url || kind.examples.contains(&url);
        compared(None, *examples).iter().any(has)
    };
    let command = match [0, 1, 2, 4].into_iter().find(is_printed)? {
        0 => command,
        examples => format!("{command} --examples {examples}"),
    };
    Some((command, url))
}

/// Returns the command that finds a difference between what a program states and where another one connects, of the same kind as the
/// input.
fn found_by_couple(
    advisory: &Advisory,
    (checker, fetcher): (&dyn Engine, &dyn Engine),
    inputs: &BTreeSet<String>,
) -> Option<(String, String)> {
    let op = if fetcher.visits(Op::Connect) { Op::Connect } else { Op::Parse };
    if !checker.states() || !answers(fetcher, op) {
        return None;
    }
    let urls: Vec<String> = super::urls::panel().urls().iter().filter(|url| !inputs.contains(*url)).cloned().collect();
    let found = compare_statements(op, checker, fetcher, &urls, &|_, _| true);
    let mut causes = found.causes.iter().filter(|it| it.severity < Severity::Accepted);
    let cause = causes.find(|it| is_alike(&it.reference, &advisory.input))?;
    let command = format!("confuse {} {}", advisory.checker, advisory.fetcher);
    Some((command, cause.reference.clone()))
}

/// Returns whether a URL has a difference of the same kind as `input`: it has some of the characters that are neither part of a name nor
/// usual, and no others.
fn is_alike(url: &str, input: &str) -> bool {
    let (own, other) = (tokens(url), tokens(input));
    let mut rest = other.iter();
    !own.is_empty() && own.iter().all(|token| rest.any(|it| it == token))
}
