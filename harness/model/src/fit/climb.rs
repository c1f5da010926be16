//! The search for settings by climbing.

use std::collections::{BTreeMap, HashMap};

use urlstrata::revision::{self, whatwg};

use super::{Answer, Pair};
use crate::behaviour::{
    AbsoluteAgainst, AbsoluteDepends, BadScheme, Behaviour, Form, ParsedAlone, ReferenceInvalid, Relative, Row,
    SchemeCharacters, SchemeFollowedBy, SchemeName, Watched, encode,
};

mod memo;
mod outcomes;
mod polish;
mod row;
mod state;
mod syntax;

use memo::{Memo, Tried as _, Uniform};
use outcomes::Outcomes;
use row::Search;
use syntax::climb_syntax;

/// The probes, with the engine's answers.
pub(super) struct Probes<'a> {
    pub(super) pairs: &'a [Pair],
    pub(super) answers: &'a [Answer],
    /// The number of structural probes, which are the first ones. The others are ordinary pairs.
    pub(super) structural: usize,
}

/// How often an ordinary pair counts. Structural probes are many, and most of them are unusual.
const ORDINARY: usize = 3;

impl Probes<'_> {
    /// Returns every probe, or one of `step` probes. Pairs of one kind are neighbours; in this order they are not, so that
    /// losses are noticed early.
    fn all(&self, step: usize) -> Vec<Weighted> {
        let weight = |at: usize| if at < self.structural { 1 } else { ORDINARY };
        let weighted = |at: usize| Weighted { at, weight: weight(at) };
        let mut all: Vec<Weighted> = (0..self.pairs.len()).step_by(step).map(weighted).collect();
        all.sort_by_key(|probe| probe.at.wrapping_mul(0x9e37_79b9) & 0xffff);
        all
    }

    fn is_met(&self, behaviour: &Behaviour, at: usize) -> bool {
        let (base, reference) = &self.pairs[at];
        behaviour.predict(base, reference) == self.answers[at]
    }

    /// Returns the weight of the probes of `among` that are missed, or `None` if it is `limit` or more.
    fn missed_below(&self, behaviour: &Behaviour, among: &[Weighted], limit: usize) -> Option<usize> {
        let mut missed = 0;
        for probe in among {
            if missed >= limit {
                return None;
            }
            if !self.is_met(behaviour, probe.at) {
                missed += probe.weight;
            }
        }
        (missed < limit).then_some(missed)
    }
}

/// A probe and how often it counts.
#[derive(Clone, Copy, Debug)]
struct Weighted {
    at: usize,
    weight: usize,
}

/// Returns every probe of a sample of about `size`, with weights that make up for those left out.
fn sample(among: &[Weighted], size: usize) -> Vec<Weighted> {
    let step = step(among.len(), size);
    among.iter().step_by(step).map(|probe| Weighted { weight: probe.weight * step, ..*probe }).collect()
}

/// Returns the step in which a sample of about `size` of `count` probes is taken.
fn step(count: usize, size: usize) -> usize {
    count.div_ceil(size).max(1)
}

/// A step that finds some settings of a behaviour directly.
type Find = fn(&mut Behaviour, &Probes<'_>, &Outcomes<'_>);

/// Sets the rows and the syntax of `behaviour`. The search starts from the rows of the specifications and of the behaviours
/// in `library`. Returns the weight of the probes that are missed after the first round; the search ends there if it is
/// `limit` or more.
pub(super) fn climb(behaviour: &mut Behaviour, probes: &Probes<'_>, library: &[Behaviour], limit: usize) -> usize {
    let starts = starts();
    let is_uniform = start(behaviour, probes, &starts, library);
    let of_form = Form::ALL.map(|form| rows_of(library, form));
    let all = probes.all(1);
    let mut outcomes = Outcomes::new(behaviour, probes);
    let steps: [(Find, usize); 5] =
        [(exits, 0), (alone, LOST), (invalid, 0), (merged_schemes, 0), (encoded_schemes, LOST)];
    for (find, lost) in steps {
        let mut found = behaviour.clone();
        find(&mut found, probes, &outcomes);
        let before = outcomes.missed(&all);
        outcomes.update(&found);
        // The rows of absolute references are searched afterwards.
        if is_uniform || outcomes.missed(&all) <= before + before * lost / 100 {
            *behaviour = found;
        } else {
            outcomes.update(behaviour);
        }
    }
    let mut known = starts;
    let mut reached: HashMap<(usize, Form), usize> = HashMap::new();
    let mut memos: HashMap<(usize, Form), Memo<'_, Row>> = HashMap::new();
    let mut of_syntax = Memo::new(behaviour, probes, ());
    let mut best = (outcomes.missed(&all), behaviour.clone());
    let mut after_first = usize::MAX;
    for round in 0..BALANCED + 3 {
        let before = behaviour.clone();
        let is_balanced = round < BALANCED;
        let deciding = deciding(behaviour, probes, is_balanced);
        if round == BALANCED {
            reached.clear();
        }
        for (class, form) in order(behaviour) {
            let Some(among) = deciding.get(&(class, form)) else { continue };
            if round == 0 && form == Form::Alone && is_uniform {
                let rows = &mut behaviour.classes[class].rows;
                rows[Form::Alone as usize] = rows[Form::Absolute as usize];
            }
            // A row is searched again only if another row changed how many probes it misses, and once when failures count less.
            outcomes.update(behaviour);
            let missed = outcomes.missed(among);
            if round > 0 && reached.get(&(class, form)) == Some(&missed) {
                continue;
            }
            // The rounds after the first two start near the best row.
            let width = match round {
                0 if form == Form::Alone && is_uniform => 1,
                0 | 1 => STARTS,
                _ => 1,
            };
            let more: &[Row] = if width > 1 { &of_form[form as usize] } else { &[] };
            let memo = memos.entry((class, form)).or_insert_with(|| Memo::new(behaviour, probes, (class, form)));
            memo.resume(behaviour);
            let row = Search::new(behaviour, among, (class, form), memo, round == 0).best_row(&known, more, width);
            behaviour.classes[class].rows[form as usize] = row;
            outcomes.update(behaviour);
            reached.insert((class, form), outcomes.missed(among));
            if !known.contains(&row) {
                known.push(row);
            }
        }
        of_syntax.resume(behaviour);
        climb_syntax(behaviour, &mut of_syntax, &all, &[], round == 0);
        outcomes.update(behaviour);
        let missed = outcomes.missed(&all);
        if missed < best.0 {
            best = (missed, behaviour.clone());
        }
        if round == 0 {
            after_first = missed;
            if missed >= limit {
                break;
            }
        }
        if *behaviour == before && !is_balanced {
            break;
        }
        // The last rounds continue from the best behaviour.
        if !is_balanced || round + 1 == BALANCED {
            *behaviour = best.1.clone();
        }
    }
    *behaviour = best.1;
    after_first
}

/// Ends the search for the settings of `behaviour`.
pub(super) fn finish(behaviour: &mut Behaviour, probes: &Probes<'_>) {
    polish::polish(behaviour, probes);
    undecided(behaviour, probes);
}

/// The number of rows from which each row is searched in the first two rounds.
const STARTS: usize = 3;

/// Returns whether `behaviour` misses more than one of [`MANY_OF`] probes.
pub(super) fn misses_many(behaviour: &Behaviour, probes: &Probes<'_>) -> bool {
    let all = probes.all(1);
    Outcomes::new(behaviour, probes).missed(&all) * MANY_OF > all.iter().map(|probe| probe.weight).sum()
}

const MANY_OF: usize = 250;

/// Returns the probes with a base that `behaviour` misses.
pub(super) fn missed(behaviour: &Behaviour, probes: &Probes<'_>) -> Vec<Pair> {
    let missed =
        probes.pairs.iter().enumerate().filter(|(at, pair)| !pair.0.is_empty() && !probes.is_met(behaviour, *at));
    missed.map(|(_, pair)| pair.clone()).collect()
}

/// The number of probes that [`alone`] may lose, as a percentage of those that are missed.
const LOST: usize = 10;

/// Returns the behaviour that misses fewer probes.
pub(super) fn better(one: Behaviour, other: Behaviour, probes: &Probes<'_>) -> Behaviour {
    let all = probes.all(1);
    let [of_one, of_other] = [&one, &other].map(|behaviour| Outcomes::new(behaviour, probes).missed(&all));
    if of_other < of_one { other } else { one }
}

/// Makes rows that no probe decides like those of bases with an authority.
fn undecided(behaviour: &mut Behaviour, probes: &Probes<'_>) {
    let deciding = deciding(behaviour, probes, false);
    for (class, form) in order(behaviour) {
        if !deciding.contains_key(&(class, form)) {
            let like = match form {
                Form::Alone => Form::Absolute,
                _ if deciding.contains_key(&(class, Form::Authority)) => Form::Authority,
                _ => Form::Empty,
            };
            behaviour.classes[class].rows[form as usize] = behaviour.classes[class].rows[like as usize];
        }
    }
}

/// Finds the rows whose bases are rejected with every absolute reference.
fn exits(behaviour: &mut Behaviour, probes: &Probes<'_>, _: &Outcomes<'_>) {
    let mut accepted: HashMap<&str, bool> = HashMap::new();
    for (pair, answer) in probes.pairs.iter().zip(probes.answers) {
        *accepted.entry(&pair.1).or_default() |= answer.is_some();
    }
    let mut counts: BTreeMap<(usize, Form), BTreeMap<usize, [usize; 2]>> = BTreeMap::new();
    for ((base, reference), answer) in probes.pairs.iter().zip(probes.answers) {
        let (class, form) = behaviour.row_of(base, reference);
        if form == Form::Absolute && accepted[reference.as_str()] {
            let of_base = counts.entry(behaviour.base_row_of(base)).or_default();
            of_base.entry(class).or_default()[usize::from(answer.is_some())] += 1;
        }
    }
    for ((class, form), by_class) in counts {
        let is_rejected = |[rejected, returned]: &[usize; 2]| *rejected > 10 && returned * 50 < *rejected;
        let rejected = by_class.values().filter(|counts| is_rejected(counts)).count();
        if rejected * 2 >= by_class.len() {
            behaviour.classes[class].rows[form as usize].absolute_against = AbsoluteAgainst::Rejected;
            for (own, _) in by_class.iter().filter(|(_, counts)| counts[1] > counts[0]) {
                behaviour.classes[*own].rows[Form::Absolute as usize].absolute_depends = AbsoluteDepends::OnNothing;
            }
        }
    }
}

/// Finds the rows with whose bases absolute references have the same results as without a base, although they have others
/// with other bases.
fn alone(behaviour: &mut Behaviour, probes: &Probes<'_>, _: &Outcomes<'_>) {
    let answered = || probes.pairs.iter().zip(probes.answers);
    let of_alone =
        answered().filter(|((base, _), _)| base.is_empty()).map(|((_, reference), answer)| (&**reference, answer));
    let of_alone: HashMap<&str, &Answer> = of_alone.collect();
    let compared = || {
        answered().filter_map(|((base, reference), answer)| {
            let (class, form) = behaviour.row_of(base, reference);
            let is_equal = *of_alone.get(&**reference)? == answer;
            (form == Form::Absolute).then_some((class, base, reference, is_equal))
        })
    };
    let mut seen: HashMap<&str, [bool; 2]> = HashMap::new();
    for (_, _, reference, is_equal) in compared() {
        seen.entry(reference).or_default()[usize::from(is_equal)] = true;
    }
    let mut counts: BTreeMap<(usize, Form), [usize; 2]> = BTreeMap::new();
    let mut changed: BTreeMap<usize, usize> = BTreeMap::new();
    for (class, base, reference, is_equal) in compared() {
        if seen.get(reference.as_str()) == Some(&[true, true]) {
            counts.entry(behaviour.base_row_of(base)).or_default()[usize::from(is_equal)] += 1;
            *changed.entry(class).or_default() += usize::from(!is_equal);
        }
    }
    let is_alone = |[other, equal]: &[usize; 2]| *equal > 5 && other * 50 < *equal;
    if !counts.values().any(is_alone) {
        return;
    }
    let mut of_class: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for ((class, _), counts) in &counts {
        of_class.entry(*class).or_default().push(is_alone(counts));
    }
    for (class, alike) in of_class {
        for form in Form::ALL {
            use AbsoluteAgainst::{LikeAlone, Parsed, Unchanged};
            let against = &mut behaviour.classes[class].rows[form as usize].absolute_against;
            *against = match (counts.get(&(class, form)).map(is_alone), *against) {
                (Some(true), _) => LikeAlone,
                (Some(false), Unchanged | LikeAlone) => Parsed,
                // Without evidence a form is like the others of the class.
                (None, LikeAlone) if !alike.contains(&true) => Parsed,
                (None, Parsed) if !alike.contains(&false) => LikeAlone,
                (_, other) => other,
            };
        }
    }
    for (class, _) in changed.into_iter().filter(|(_, count)| *count > 5) {
        behaviour.classes[class].rows[Form::Absolute as usize].absolute_depends = AbsoluteDepends::OnBase;
    }
}

/// Finds the classes whose scheme is merged with the base's path unless two slashes follow it.
fn merged_schemes(behaviour: &mut Behaviour, probes: &Probes<'_>, _: &Outcomes<'_>) {
    let mut counts: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for ((base, reference), answer) in probes.pairs.iter().zip(probes.answers) {
        let (class, form) = behaviour.row_of(base, reference);
        let Some((own, rest)) = reference.trim_start().split_once(':') else { continue };
        let Some(url) = answer else { continue };
        if form == Form::Absolute && !rest.starts_with("//") && base.contains("//") {
            counts.entry(class).or_default()[usize::from(url.contains(&format!("/{own}:")))] += 1;
        }
    }
    for (class, [other, merged]) in counts {
        if merged > other {
            behaviour.classes[class].rows[Form::Absolute as usize].scheme_followed_by = SchemeFollowedBy::TwoSlashes;
        }
    }
}

/// Finds whether the characters of a prefix are percent-encoded that a scheme cannot have, so that any prefix is one.
fn encoded_schemes(behaviour: &mut Behaviour, probes: &Probes<'_>, _: &Outcomes<'_>) {
    let is_bad = |c: char| !(c.is_ascii_alphanumeric() || "+-.%".contains(c));
    let mut counts = [0; 2];
    for ((_, reference), answer) in probes.pairs.iter().zip(probes.answers) {
        let name = reference.split([':', '/', '?', '#']).next().unwrap_or_default();
        let Some(url) = answer.as_ref().filter(|_| reference[name.len()..].starts_with(':') && name.contains(is_bad))
        else {
            continue;
        };
        let mut encoded = String::new();
        name.chars().for_each(|c| if is_bad(c) { encode(c, &mut encoded) } else { encoded.push(c) });
        counts[usize::from(url.starts_with(&format!("{encoded}:")))] += 1;
    }
    let [others, encoded] = counts;
    if encoded > others {
        behaviour.syntax.scheme_name = SchemeName::AnyColonBeforeDelimiter;
        behaviour.syntax.bad_scheme = BadScheme::Path;
        for row in behaviour.classes.iter_mut().flat_map(|class| &mut class.rows) {
            row.scheme_characters = SchemeCharacters::Encoded;
        }
    }
}

/// Finds the rows of bases with which invalid references are returned unchanged, or give the base.
fn invalid(behaviour: &mut Behaviour, probes: &Probes<'_>, outcomes: &Outcomes<'_>) {
    let mut of_base: HashMap<&str, &Answer> = HashMap::new();
    for ((base, reference), answer) in probes.pairs.iter().zip(probes.answers) {
        if reference.is_empty() {
            of_base.insert(base, answer);
        }
    }
    let mut counts: BTreeMap<(usize, Form), [usize; 4]> = BTreeMap::new();
    for (at, ((base, reference), answer)) in probes.pairs.iter().zip(probes.answers).enumerate() {
        let (class, form) = behaviour.row_of(base, reference);
        let is_doubtful = reference.starts_with("//") || reference.contains(':');
        let Some(url) = answer.as_ref().filter(|_| is_doubtful && !base.is_empty()) else { continue };
        // A valid reference may also be its own result.
        if outcomes.is_met(at) {
            continue;
        }
        let counts = counts.entry((class, form)).or_default();
        let cleaned = behaviour.cleaned(&behaviour.reference, reference);
        counts[0] += usize::from(url == reference || *url == cleaned);
        counts[2] += usize::from(url == reference && *url != cleaned);
        counts[3] += usize::from(url != reference && *url == cleaned);
        counts[1] +=
            usize::from(form != Form::Absolute && !reference.contains('#') && of_base.get(&**base) == Some(&answer));
    }
    for ((class, form), [unchanged, bases, raw, cleaned]) in counts {
        let row = &mut behaviour.classes[class].rows[form as usize];
        row.reference_invalid = match () {
            () if unchanged >= bases.max(2) && cleaned > raw => ReferenceInvalid::ReferenceCleaned,
            () if unchanged >= bases.max(2) => ReferenceInvalid::Reference,
            () if bases > 2 => ReferenceInvalid::Base,
            () => ReferenceInvalid::Rejected,
        };
    }
}

/// Returns the rows of the specifications and of the crates whose behaviours are stated.
fn starts() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let rfcs = revision::ALL.iter().filter_map(|revision| revision.rules).map(Behaviour::of_rules);
    let states = whatwg::REVISIONS.iter().rev().filter_map(|(revision, _)| whatwg::changes_of(revision));
    let standard = states.map(Behaviour::url_standard);
    let crates = Behaviour::CRATES.iter().filter_map(|name| Behaviour::of_crate(name));
    for behaviour in rfcs.chain(standard).chain(crates) {
        for row in behaviour.classes.iter().flat_map(|class| class.rows) {
            if !rows.contains(&row) && row.absolute_against == AbsoluteAgainst::Parsed {
                rows.push(row);
            }
        }
    }
    rows
}

/// Returns the classes and forms in the order in which they are fitted.
fn order(behaviour: &Behaviour) -> Vec<(usize, Form)> {
    let mut classes: Vec<usize> = (0..behaviour.classes.len()).collect();
    classes.sort_by_key(|&class| (class == behaviour.unknown, class == behaviour.relative, class != behaviour.other));
    let forms = [Form::Absolute, Form::Alone, Form::Authority, Form::Rooted, Form::Rootless, Form::Empty];
    classes.into_iter().flat_map(|class| forms.map(|form| (class, form))).collect()
}

/// Of the probes whose base is parsed, one of this many decides about the row of absolute references.
const PARSED: usize = 4;

/// The number of rounds in which results and failures count alike. In the others they do not, since a row that gains
/// many failures for a few results is better.
const BALANCED: usize = 2;

/// Returns the probes that each row decides: those of its form, and those with a base of its class and form. They are
/// balanced if `is_balanced`.
fn deciding(behaviour: &Behaviour, probes: &Probes<'_>, is_balanced: bool) -> BTreeMap<(usize, Form), Vec<Weighted>> {
    let mut deciding: BTreeMap<(usize, Form), Vec<Weighted>> = BTreeMap::new();
    for probe in probes.all(1) {
        let at = probe.at;
        let (base, reference) = &probes.pairs[at];
        let [own, of_base] = [behaviour.row_of(base, reference), behaviour.base_row_of(base)];
        deciding.entry(own).or_default().push(probe);
        if of_base != own {
            deciding.entry(of_base).or_default().push(probe);
        }
        if let Some(absolute) = behaviour.absolute_row_of(base, reference).filter(|row| *row != own && *row != of_base)
        {
            deciding.entry(absolute).or_default().push(probe);
        }
        // A base that is parsed like an absolute reference depends on the row of absolute references, too.
        let (class, form) = of_base;
        let is_parsed = behaviour.classes[class].rows[form as usize].base_form.is_parsed();
        let parsed = (class, Form::Absolute);
        if is_parsed && own != parsed && at % PARSED == 0 {
            deciding.entry(parsed).or_default().push(probe);
        }
    }
    for among in deciding.values_mut().filter(|_| is_balanced) {
        balance(among, probes);
    }
    deciding
}

/// Makes probes with a result count as much as failures. Otherwise a row that rejects everything would be the best for
/// an engine that rejects most probes.
fn balance(among: &mut [Weighted], probes: &Probes<'_>) {
    let returned = among.iter().filter(|probe| probes.answers[probe.at].is_some()).count();
    let weight = ((among.len() - returned) / returned.max(1)).clamp(1, 12);
    for probe in among.iter_mut().filter(|probe| probes.answers[probe.at].is_some()) {
        probe.weight *= weight;
    }
}

/// Finds the syntax and rows with which the search starts: one row for all classes and forms, or the rows of a behaviour
/// in `library`. Returns whether all rows are the same.
fn start(behaviour: &mut Behaviour, probes: &Probes<'_>, starts: &[Row], library: &[Behaviour]) -> bool {
    let all = probes.all(step(probes.pairs.len(), STARTED));
    // Of those that miss equally many probes, the last one is the best.
    let limit = |best: Option<usize>| best.map_or(usize::MAX, |missed| missed + 1);
    let known = likely(behaviour, probes, library).into_iter().fold(None, |best: Option<(usize, Behaviour)>, tried| {
        let limit = limit(best.as_ref().map(|(missed, _)| *missed));
        probes.missed_below(&tried, &all, limit).map(|missed| (missed, tried)).or(best)
    });
    let mut memo = Memo::new(behaviour, probes, ());
    let mut best = None;
    for row in starts.iter().filter(|row| row.relative == Relative::Resolved) {
        memo.try_values(&Uniform(*row));
        best = memo.missed_below(&all, limit(best.map(|(missed, _)| missed))).map(|missed| (missed, *row)).or(best);
    }
    let missed = |found: &Option<(usize, Behaviour)>| found.as_ref().map_or(usize::MAX, |(missed, _)| *missed);
    // The syntax does not make up for rows that miss many more probes.
    let best = best.filter(|(uniform, _)| uniform / MORE_MISSED <= missed(&known));
    let uniform = best.map(|(_, row)| {
        let mut tried = behaviour.clone();
        Uniform(row).put(&mut tried, (), Watched::default());
        // Whether bases without a scheme get one shows only when the rows are known.
        let mut memo = Memo::new(&tried, probes, ());
        climb_syntax(&mut tried, &mut memo, &all, &["missing_scheme"], false);
        (probes.missed_below(&tried, &all, usize::MAX).unwrap_or(usize::MAX), tried)
    });
    let is_uniform = missed(&uniform) <= missed(&known);
    if let Some((_, found)) = if is_uniform { uniform } else { known } {
        *behaviour = found;
    }
    is_uniform
}

/// A row for all classes and forms that misses more than this many times as many probes as known rows is not tried with
/// other syntaxes.
const MORE_MISSED: usize = 6;

/// Returns the behaviours with the rows in `library` that miss fewest probes of a sample; the last one misses fewest.
fn likely(behaviour: &Behaviour, probes: &Probes<'_>, library: &[Behaviour]) -> Vec<Behaviour> {
    let few = probes.all(step(probes.pairs.len(), LIKELY_SAMPLE));
    let mut tried: Vec<(usize, Behaviour)> = library
        .iter()
        .map(|known| with_rows_of(behaviour, known))
        .map(|tried| (probes.missed_below(&tried, &few, usize::MAX).unwrap_or(usize::MAX), tried))
        .collect();
    tried.sort_by_key(|(missed, _)| *missed);
    tried.truncate(LIKELY);
    tried.into_iter().rev().map(|(_, tried)| tried).collect()
}

const LIKELY: usize = 8;

/// The numbers of probes on which the behaviours are compared with which the search may start.
const STARTED: usize = 4_000;
const LIKELY_SAMPLE: usize = 500;

/// Returns `behaviour` with the syntax of `known`, and with the rows of `known` for the schemes of each class.
fn with_rows_of(behaviour: &Behaviour, known: &Behaviour) -> Behaviour {
    let mut tried = behaviour.clone();
    tried.syntax = known.syntax;
    if behaviour.syntax.parsed_alone != ParsedAlone::None {
        tried.syntax.parsed_alone = behaviour.syntax.parsed_alone;
    }
    let of_class = |index: usize| {
        let scheme = behaviour.schemes.iter().find(|(_, class)| **class == index).map(|(scheme, _)| scheme.as_str());
        match scheme {
            Some(scheme) => known.class_of(scheme),
            None if index == behaviour.relative => known.relative,
            None if index == behaviour.unknown => known.unknown,
            None => known.other,
        }
    };
    for (index, class) in tried.classes.iter_mut().enumerate() {
        class.rows = known.classes[of_class(index)].rows;
    }
    tried
}

/// Returns the different rows for `form` in `library`.
fn rows_of(library: &[Behaviour], form: Form) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for row in library.iter().flat_map(|behaviour| &behaviour.classes).map(|class| class.rows[form as usize]) {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}
