//! The search for settings by climbing.

use std::collections::{BTreeMap, HashMap};

use urlstrata::revision::{self, whatwg};

use super::{Answer, Pair};
use crate::behaviour::{
    AbsoluteAgainst, AbsoluteDepends, Behaviour, Form, ROW, ReferenceInvalid, Relative, Row, SYNTAX, SchemeFollowedBy,
};

/// The probes, with the engine's answers.
struct Probes<'a> {
    pairs: &'a [Pair],
    answers: &'a [Answer],
}

impl Probes<'_> {
    fn is_met(&self, behaviour: &Behaviour, at: usize) -> bool {
        let (base, reference) = &self.pairs[at];
        behaviour.predict(base, reference) == self.answers[at]
    }

    /// Returns the weight of the probes of `among` that are met.
    fn met(&self, behaviour: &Behaviour, among: &[Weighted]) -> usize {
        among.iter().filter(|probe| self.is_met(behaviour, probe.at)).map(|probe| probe.weight).sum()
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
    let step = among.len().div_ceil(size).max(1);
    among.iter().step_by(step).map(|probe| Weighted { weight: probe.weight * step, ..*probe }).collect()
}

/// Sets the rows and the syntax of `behaviour`.
pub(super) fn climb(behaviour: &mut Behaviour, pairs: &[Pair], answers: &[Answer]) {
    let probes = Probes { pairs, answers };
    let starts = starts();
    syntax(behaviour, &probes, &starts);
    exits(behaviour, &probes);
    invalid(behaviour, &probes);
    merged_schemes(behaviour, &probes);
    let mut known = starts;
    for round in 0..4 {
        let before = behaviour.clone();
        let deciding = deciding(behaviour, &probes);
        for (class, form) in order(behaviour) {
            let Some(among) = deciding.get(&(class, form)) else { continue };
            // Later rounds start near the best row.
            let width = if round == 0 && form != Form::Alone { 3 } else { 1 };
            if round == 0 && form == Form::Alone {
                let rows = &mut behaviour.classes[class].rows;
                rows[Form::Alone as usize] = rows[Form::Absolute as usize];
            }
            let row = Search::new(behaviour, &probes, among, (class, form)).best_row(&known, width);
            behaviour.classes[class].rows[form as usize] = row;
            if !known.contains(&row) {
                known.push(row);
            }
        }
        let all: Vec<Weighted> = (0..pairs.len()).map(|at| Weighted { at, weight: 1 }).collect();
        climb_syntax(behaviour, &probes, &all, &[]);
        if *behaviour == before {
            break;
        }
    }
    // Rows that no probe decides are like those of bases with an authority.
    let deciding = deciding(behaviour, &probes);
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
fn exits(behaviour: &mut Behaviour, probes: &Probes<'_>) {
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

/// Finds the classes whose scheme is merged with the base's path unless two slashes follow it.
fn merged_schemes(behaviour: &mut Behaviour, probes: &Probes<'_>) {
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

/// Finds the rows of bases with which invalid references are returned unchanged, or give the base.
fn invalid(behaviour: &mut Behaviour, probes: &Probes<'_>) {
    let mut of_base: HashMap<&str, &Answer> = HashMap::new();
    for ((base, reference), answer) in probes.pairs.iter().zip(probes.answers) {
        if reference.is_empty() {
            of_base.insert(base, answer);
        }
    }
    let mut counts: BTreeMap<(usize, Form), [usize; 2]> = BTreeMap::new();
    for (at, ((base, reference), answer)) in probes.pairs.iter().zip(probes.answers).enumerate() {
        let (class, form) = behaviour.row_of(base, reference);
        let is_doubtful = reference.starts_with("//") || reference.contains(':');
        let Some(url) = answer.as_ref().filter(|_| is_doubtful && !base.is_empty()) else { continue };
        // A valid reference may also be its own result.
        if probes.is_met(behaviour, at) {
            continue;
        }
        let counts = counts.entry((class, form)).or_default();
        counts[0] += usize::from(url == reference);
        counts[1] +=
            usize::from(form != Form::Absolute && !reference.contains('#') && of_base.get(&**base) == Some(&answer));
    }
    for ((class, form), [unchanged, bases]) in counts {
        let row = &mut behaviour.classes[class].rows[form as usize];
        row.reference_invalid = match () {
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

/// Returns the probes that each row decides: those of its form, and those with a base of its class and form.
fn deciding(behaviour: &Behaviour, probes: &Probes<'_>) -> BTreeMap<(usize, Form), Vec<Weighted>> {
    let mut deciding: BTreeMap<(usize, Form), Vec<Weighted>> = BTreeMap::new();
    // Pairs of one kind are neighbours. In another order, losses are noticed early.
    let mut order: Vec<usize> = (0..probes.pairs.len()).collect();
    order.sort_by_key(|at| at.wrapping_mul(0x9e37_79b9) & 0xffff);
    for at in order {
        let (base, reference) = &probes.pairs[at];
        let [own, of_base] = [behaviour.row_of(base, reference), behaviour.base_row_of(base)];
        deciding.entry(own).or_default().push(Weighted { at, weight: 1 });
        if of_base != own {
            deciding.entry(of_base).or_default().push(Weighted { at, weight: 1 });
        }
    }
    for among in deciding.values_mut() {
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
        probe.weight = weight;
    }
}

/// Finds the syntax with simple rows.
fn syntax(behaviour: &mut Behaviour, probes: &Probes<'_>, starts: &[Row]) {
    let all: Vec<Weighted> = (0..probes.pairs.len()).step_by(7).map(|at| Weighted { at, weight: 1 }).collect();
    let resolving = starts.iter().filter(|row| row.relative == Relative::Resolved);
    let best = resolving.max_by_key(|row| {
        let mut tried = behaviour.clone();
        tried.classes.iter_mut().for_each(|class| class.rows = [**row; Form::ALL.len()]);
        probes.met(&tried, &all)
    });
    if let Some(row) = best {
        behaviour.classes.iter_mut().for_each(|class| class.rows = [*row; Form::ALL.len()]);
    }
    // Whether bases without a scheme get one shows only when the rows are known.
    climb_syntax(behaviour, probes, &all, &["missing_scheme"]);
}

/// Sets the syntax that meets most probes, without changing the settings called `except`.
fn climb_syntax(behaviour: &mut Behaviour, probes: &Probes<'_>, among: &[Weighted], except: &[&str]) {
    let mut best = probes.met(behaviour, among);
    loop {
        let mut found = None;
        for setting in SYNTAX.iter().filter(|setting| !except.contains(&setting.name)) {
            let own = setting.index(&behaviour.syntax);
            for value in (0..setting.values.len()).filter(|value| *value != own) {
                setting.assign(&mut behaviour.syntax, value);
                let met = probes.met(behaviour, among);
                if met > best {
                    best = met;
                    found = Some(behaviour.syntax);
                }
            }
            setting.assign(&mut behaviour.syntax, own);
        }
        match found {
            Some(syntax) => behaviour.syntax = syntax,
            None => return,
        }
    }
}

/// The search for the row of a class and a form.
struct Search<'a> {
    probes: &'a Probes<'a>,
    /// The probes that the row decides.
    among: &'a [Weighted],
    class: usize,
    form: Form,
    /// The behaviour in which rows are tried.
    tried: Behaviour,
    /// The row before the search.
    own: Row,
}

/// The number of single changes that are tried on all probes in a step of a climb, and the number of those that are
/// tried in pairs if no single change helps.
const SINGLE: usize = 20;
const PAIRED: usize = 24;

/// The numbers of probes on which rows are ranked, and on which the gains of a change and of two changes are estimated.
const RANKED: usize = 250;
const ESTIMATED: usize = 70;
const ESTIMATED_OF_TWO: usize = 40;

impl<'a> Search<'a> {
    fn new(behaviour: &Behaviour, probes: &'a Probes<'a>, among: &'a [Weighted], (class, form): (usize, Form)) -> Self {
        let own = behaviour.classes[class].rows[form as usize];
        Self { probes, among, class, form, tried: behaviour.clone(), own }
    }

    fn try_row(&mut self, row: &Row) -> &Behaviour {
        self.tried.classes[self.class].rows[self.form as usize] = *row;
        &self.tried
    }

    fn met(&mut self, row: &Row, among: &[Weighted]) -> usize {
        self.probes.met(self.try_row(row), among)
    }

    fn missed_below(&mut self, row: &Row, among: &[Weighted], limit: usize) -> Option<usize> {
        self.probes.missed_below(self.try_row(row), among, limit)
    }

    /// Returns the best row that is reached from the row before the search and from the best `width` rows of `starts`.
    fn best_row(mut self, starts: &[Row], width: usize) -> Row {
        let own = self.own;
        // The treatment of absolute and of invalid references was found before.
        let started = |row: &Row| Row {
            absolute_against: own.absolute_against,
            absolute_depends: own.absolute_depends,
            reference_invalid: own.reference_invalid,
            scheme_followed_by: own.scheme_followed_by,
            ..*row
        };
        let rows = std::iter::once(own).chain(starts.iter().map(started));
        let ranking = sample(self.among, RANKED);
        let mut ranked: Vec<(usize, Row)> = rows.map(|row| (self.met(&row, &ranking), row)).collect();
        ranked.sort_by_key(|(met, _)| std::cmp::Reverse(*met));
        ranked.dedup_by_key(|(_, row)| *row);
        let mut best: Option<(usize, Row)> = None;
        for row in diverse(&ranked, width) {
            let found = self.climb(row);
            if best.is_none_or(|(least, _)| found.0 < least) {
                best = Some(found);
            }
            if found.0 == 0 {
                break;
            }
        }
        let (missed, row) = best.unwrap_or((usize::MAX, own));
        self.simplified(row, missed)
    }

    /// Climbs from `row`. Returns the row at which no change helps, and the weight of the probes that it misses.
    fn climb(&mut self, mut row: Row) -> (usize, Row) {
        loop {
            let (probes, among) = (self.probes, self.among);
            let tried = self.try_row(&row);
            let (met, missed): (Vec<Weighted>, Vec<Weighted>) =
                among.iter().partition(|probe| probes.is_met(tried, probe.at));
            let weight = missed.iter().map(|probe| probe.weight).sum();
            let state = State { row, met, missed };
            let changes = self.changes(&state);
            let found = self.change(&state, &changes).or_else(|| self.two_changes(&state, &changes));
            match found {
                Some(better) => row = better,
                None => return (weight, row),
            }
        }
    }

    /// Returns the changes of a row that meet probes that it misses, those first that gain most after what they lose on a
    /// sample.
    fn changes(&mut self, state: &State) -> Vec<Change> {
        let (missed, met) = (sample(&state.missed, ESTIMATED), sample(&state.met, ESTIMATED));
        let mut changes = Vec::new();
        for (index, setting) in ROW.iter().enumerate() {
            let own = setting.index(&state.row);
            for value in (0..setting.values.len()).filter(|value| *value != own) {
                let change = Change { gain: 0, lost: 0, index, value };
                let row = change.applied(state.row);
                let gain = self.met(&row, &missed);
                if gain > 0 {
                    let all: usize = met.iter().map(|probe| probe.weight).sum();
                    let lost = all - self.met(&row, &met);
                    changes.push(Change { gain, lost, ..change });
                }
            }
        }
        let net = |change: &Change| (change.gain as i64) - (change.lost as i64);
        changes.sort_by_key(|change| (std::cmp::Reverse(net(change)), change.index, change.value));
        changes
    }

    /// Returns the row with the change that gains most, after what it loses. The sample may show a rare loss as a large one,
    /// so the changes that gain most are tried, too.
    fn change(&mut self, state: &State, changes: &[Change]) -> Option<Row> {
        let mut most = 0;
        let mut found = None;
        let mut by_gain: Vec<&Change> = changes.iter().skip(SINGLE).collect();
        by_gain.sort_by_key(|change| std::cmp::Reverse(change.gain));
        for change in changes.iter().take(SINGLE).chain(by_gain.into_iter().take(SINGLE)) {
            let row = change.applied(state.row);
            let gain = if state.missed.len() > ESTIMATED { self.met(&row, &state.missed) } else { change.gain };
            if gain > most
                && let Some(lost) = self.missed_below(&row, &state.met, gain - most)
            {
                most = gain - lost;
                found = Some(row);
            }
        }
        found
    }

    /// Returns the first row with two of `changes`, of different settings, that gain more than they lose. Only the best
    /// change of each setting is tried.
    fn two_changes(&mut self, state: &State, changes: &[Change]) -> Option<Row> {
        let missed = sample(&state.missed, ESTIMATED_OF_TWO);
        let mut best: Vec<&Change> = Vec::new();
        for change in changes {
            if best.len() < PAIRED && best.iter().all(|other| other.index != change.index) {
                best.push(change);
            }
        }
        for (at, one) in best.iter().enumerate() {
            for other in &best[..at] {
                let row = other.applied(one.applied(state.row));
                let estimated = self.met(&row, &missed);
                if estimated > 0 && self.missed_below(&row, &state.met, estimated).is_some() {
                    let gain = self.met(&row, &state.missed);
                    if self.missed_below(&row, &state.met, gain).is_some() {
                        return Some(row);
                    }
                }
            }
        }
        None
    }

    /// Returns `row`, which misses probes of the weight `missed`, with the values of similar rows where these do not
    /// miss more.
    fn simplified(&mut self, mut row: Row, missed: usize) -> Row {
        let own = self.own;
        self.try_row(&own);
        let classes = &self.tried.classes;
        let other = &classes[self.tried.other].rows;
        let near = if self.form == Form::Alone { Form::Absolute } else { Form::Authority };
        let similar = [
            classes[self.class].rows[near as usize],
            other[self.form as usize],
            other[Form::Authority as usize],
            Row::of(&revision::rfc3986::RULES),
        ];
        let similar = if self.form == Form::Authority { &similar[1..] } else { &similar[..] };
        for setting in ROW {
            for like in similar {
                let value = setting.index(like);
                if value == setting.index(&row) {
                    break;
                }
                let mut changed = row;
                setting.assign(&mut changed, value);
                if self.missed_below(&changed, self.among, missed.saturating_add(1)).is_some() {
                    row = changed;
                    break;
                }
            }
        }
        row
    }
}

/// Returns `width` of the rows of `ranked`, which are ordered from the best one: the best rows, but one of the first two
/// resolves relative references, since the settings for resolution have no effect otherwise.
fn diverse(ranked: &[(usize, Row)], width: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = ranked.iter().map(|(_, row)| *row).collect();
    if let Some(resolving) = rows.iter().position(|row| row.relative == Relative::Resolved).filter(|at| *at > 1) {
        rows[1..=resolving].rotate_right(1);
    }
    rows.truncate(width);
    rows
}

/// A row, with the probes that it meets and misses.
struct State {
    row: Row,
    met: Vec<Weighted>,
    missed: Vec<Weighted>,
}

/// A change of a setting of a row, with the weight of the missed probes that it meets.
#[derive(Clone, Copy, Debug)]
struct Change {
    gain: usize,
    /// The weight of the probes of a sample that it no longer meets.
    lost: usize,
    index: usize,
    value: usize,
}

impl Change {
    fn applied(&self, mut row: Row) -> Row {
        ROW[self.index].assign(&mut row, self.value);
        row
    }
}
