//! Matches texts by an automaton that is determinized while it reads them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::automaton::{Automaton, Characters, Id, Label, State, Takes};
use super::{Grammar, Production};

/// The maximum number of sets of states. When it is exceeded, all of them are dropped. No grammar of this crate reaches
/// it, so that the tests of this module use a smaller number.
pub(super) const KEPT: usize = if cfg!(test) { 3 } else { 50_000 };

/// A transition that is not computed yet.
const UNKNOWN: u32 = u32::MAX;

/// A matcher of texts for one production.
pub struct Recognizer {
    automaton: Automaton,
    production: &'static Production,
    pub(super) forward: Sets,
    backward: Sets,
    /// For each state that reads a character: the states that precede it.
    before: Vec<Vec<Id>>,
}

/// A part of a text, and the production that matches it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MatchedPart {
    /// The name of the production.
    pub production: &'static str,
    /// The position of the first byte.
    pub start: usize,
    /// The position after the last byte.
    pub end: usize,
    /// The number of parts that contain this one.
    pub depth: usize,
}

/// Why a production does not match a text: the first offending position, and what the production expects there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mismatch {
    /// The position of the first byte at which no valid string continues the text before it. The length of the text if
    /// the text is too short.
    pub at: usize,
    /// What may follow at that position, in the order of the productions.
    pub expected: Vec<Expected>,
    /// Whether the text before the position is itself a valid string of the production.
    pub prefix_is_valid: bool,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mismatch at byte {}", self.at)?;
        for (index, expected) in self.expected.iter().enumerate() {
            f.write_str(if index == 0 { ": expected " } else { " or " })?;
            write!(f, "{} in {}", expected.terminal, expected.production)?;
        }
        Ok(())
    }
}

impl core::error::Error for Mismatch {}

/// Characters that may follow at a position, and the production that they are part of.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Expected {
    /// The name of the production.
    pub production: &'static str,
    /// The characters.
    pub terminal: Terminal,
}

/// Characters that a production consists of.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Terminal {
    /// One character of the character class with this name.
    Class(&'static str),
    /// These characters, in this order.
    Text(&'static str),
    /// One of these characters.
    OneOf(String),
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(name) => f.write_str(name),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::OneOf(characters) => write!(f, "one of {characters}"),
        }
    }
}

impl fmt::Debug for Recognizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.production.name, self.automaton.grammar.id)
    }
}

impl Recognizer {
    pub(super) fn new(grammar: &'static Grammar, production: &'static Production) -> Self {
        let automaton = Automaton::new(grammar, production);
        let classes = automaton.member.len();
        let mut start = Vec::new();
        close(&automaton, automaton.start, &mut start);
        start.sort_unstable();
        let before = before(&automaton);
        Self {
            automaton,
            production,
            forward: Sets::new(classes, start),
            backward: Sets::new(classes, vec![0]),
            before,
        }
    }

    /// Returns the production.
    #[must_use]
    pub fn production(&self) -> &'static Production {
        self.production
    }

    /// Returns the ASCII characters, grouped by class: the production does not distinguish the characters of a class.
    /// The first class contains the characters that the production never allows.
    pub fn classes(&self) -> impl Iterator<Item = String> {
        let classes = self.automaton.member.len();
        (0..classes).map(move |class| {
            let of_class =
                (0..128).filter(|&byte: &u8| usize::from(self.automaton.class_of[usize::from(byte)]) == class);
            of_class.map(char::from).collect()
        })
    }

    /// Returns whether the production matches `text`.
    ///
    /// The time is linear in the length of `text`. The computed transitions are kept for the next text.
    pub fn is_match(&mut self, text: &str) -> bool {
        let (set, at) = self.read(text);
        at == text.len() && self.forward.holds(set, 0)
    }

    /// Matches `text` and returns the parts that productions of structure match. A part precedes the parts that it
    /// contains.
    ///
    /// If there are several matches, the result has the first alternative that leads to one, and repetitions are as
    /// long as possible (see [`super::Repetitions`]). The function needs four bytes of memory for each byte of `text`,
    /// and the memory of the result.
    ///
    /// # Errors
    ///
    /// Returns a [`Mismatch`] with the first offending position if the production does not match `text`.
    pub fn match_parts(&mut self, text: &str) -> Result<Vec<MatchedPart>, Mismatch> {
        let (set, at) = self.read(text);
        if at == text.len() && self.forward.holds(set, 0) {
            return Ok(self.derive(text.as_bytes()));
        }
        Err(self.mismatch(set, at))
    }

    /// Returns the last set of states that is not empty, and its position in the text.
    fn read(&mut self, text: &str) -> (u32, usize) {
        let Self { automaton, forward, .. } = self;
        let mut set = 0;
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            let class = automaton.class_of[usize::from(byte)];
            let mut next = forward.next(set, class);
            if next == UNKNOWN {
                let mut reached = Vec::new();
                for &id in forward.of(set) {
                    if let State::Take { of, next, .. } = &automaton.states[id as usize]
                        && of.holds(automaton.member[usize::from(class)])
                    {
                        close(automaton, *next, &mut reached);
                    }
                }
                next = forward.insert(&mut set, class, reached);
            }
            if forward.of(next).is_empty() {
                return (set, at);
            }
            set = next;
        }
        (set, text.len())
    }

    fn mismatch(&self, set: u32, at: usize) -> Mismatch {
        let mut by_label: BTreeMap<Label, Characters> = BTreeMap::new();
        for &id in self.forward.of(set) {
            if let State::Take { of, label, .. } = self.automaton.states[id as usize] {
                let all = by_label.entry(label).or_default();
                *all = all.and(of);
            }
        }
        let productions = self.automaton.grammar.productions;
        let mut expected: Vec<_> = by_label
            .into_iter()
            .map(|(label, characters)| Expected {
                production: productions[label.inside].name,
                terminal: match label.what {
                    Takes::Class(class) => Terminal::Class(productions[class].name),
                    Takes::Literal(text) => Terminal::Text(text),
                    Takes::OneOf => Terminal::OneOf(characters.iter().collect()),
                },
            })
            .collect();
        expected.dedup();
        Mismatch { at, expected, prefix_is_valid: self.forward.holds(set, 0) }
    }

    /// Returns the parts of `text`, which the production matches.
    fn derive(&mut self, text: &[u8]) -> Vec<MatchedPart> {
        let alive = self.alive(text);
        let mut derived: Vec<MatchedPart> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut seen = vec![usize::MAX; self.automaton.states.len()];
        let mut way = Vec::new();
        let mut from = self.automaton.start;
        for (at, &alive) in alive.iter().enumerate() {
            let goal = |id: Id| match self.automaton.states[id as usize] {
                State::Accept => at == text.len(),
                State::Take { .. } => self.backward.holds(alive, id),
                _ => false,
            };
            way.clear();
            if !find(&self.automaton, from, at, &goal, &mut seen, &mut way) {
                // The text matches, so that this cannot happen: there is a path from each position to the end.
                break;
            }
            for &id in &way {
                match self.automaton.states[id as usize] {
                    State::Enter(production, _) => {
                        let production = self.automaton.grammar.productions[production].name;
                        derived.push(MatchedPart { production, start: at, end: at, depth: open.len() });
                        open.push(derived.len() - 1);
                    }
                    State::Leave(_) => {
                        if let Some(index) = open.pop() {
                            derived[index].end = at;
                        }
                    }
                    State::Take { next, .. } => from = next,
                    _ => {}
                }
            }
        }
        derived
    }

    /// Returns, for each position, the set of states from which the rest of `text` leads to acceptance.
    fn alive(&mut self, text: &[u8]) -> Vec<u32> {
        let Self { automaton, backward, before, .. } = self;
        let mut alive = vec![0; text.len() + 1];
        let mut set = 0;
        for (at, &byte) in text.iter().enumerate().rev() {
            let class = automaton.class_of[usize::from(byte)];
            let mut next = backward.next(set, class);
            if next == UNKNOWN {
                let reached = backward.of(set).iter().flat_map(|&id| &before[id as usize]).copied();
                let taken = reached.filter(|&id| match &automaton.states[id as usize] {
                    State::Take { of, .. } => of.holds(automaton.member[usize::from(class)]),
                    _ => false,
                });
                next = backward.insert_kept(set, class, taken.collect());
            }
            set = next;
            alive[at] = set;
        }
        alive
    }
}

/// Sets of states, and the transitions between them for each class of bytes.
pub(super) struct Sets {
    classes: usize,
    first: Vec<Id>,
    pub(super) sets: Vec<Vec<Id>>,
    known: BTreeMap<Vec<Id>, u32>,
    next: Vec<u32>,
}

impl Sets {
    fn new(classes: usize, first: Vec<Id>) -> Self {
        let mut sets =
            Self { classes, first: first.clone(), sets: Vec::new(), known: BTreeMap::new(), next: Vec::new() };
        sets.number(first);
        sets
    }

    fn of(&self, set: u32) -> &[Id] {
        &self.sets[set as usize]
    }

    fn holds(&self, set: u32, id: Id) -> bool {
        self.of(set).binary_search(&id).is_ok()
    }

    fn next(&self, set: u32, class: u8) -> u32 {
        self.next[set as usize * self.classes + usize::from(class)]
    }

    /// Adds the transition of `class` from `set` to `reached`. If there are too many sets, all others are dropped, and
    /// `set` becomes the new number of the set.
    fn insert(&mut self, set: &mut u32, class: u8, reached: Vec<Id>) -> u32 {
        if self.sets.len() >= KEPT {
            let current = self.sets[*set as usize].clone();
            *self = Self::new(self.classes, self.first.clone());
            *set = self.number(current);
        }
        self.insert_kept(*set, class, reached)
    }

    /// Adds a transition without dropping sets, because their numbers are still in use.
    fn insert_kept(&mut self, set: u32, class: u8, mut reached: Vec<Id>) -> u32 {
        reached.sort_unstable();
        reached.dedup();
        let number = self.number(reached);
        self.next[set as usize * self.classes + usize::from(class)] = number;
        number
    }

    fn number(&mut self, set: Vec<Id>) -> u32 {
        if let Some(&number) = self.known.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.known.insert(set.clone(), number);
        self.sets.push(set);
        self.next.extend((0..self.classes).map(|_| UNKNOWN));
        number
    }
}

/// Adds the states that are reachable from `id` without reading a character, and that read one or accept.
fn close(automaton: &Automaton, id: Id, reached: &mut Vec<Id>) {
    let mut seen = alloc::collections::BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &automaton.states[id as usize] {
            State::Take { .. } | State::Accept => reached.push(id),
            State::Ways(ways) => open.extend(ways),
            State::Enter(_, next) | State::Leave(next) => open.push(*next),
        }
    }
}

fn before(automaton: &Automaton) -> Vec<Vec<Id>> {
    let mut before = vec![Vec::new(); automaton.states.len()];
    for (id, state) in automaton.states.iter().enumerate() {
        if let State::Take { next, .. } = state {
            let mut reached = Vec::new();
            close(automaton, *next, &mut reached);
            for to in reached {
                before[to as usize].push(id as Id);
            }
        }
    }
    before
}

/// Finds the preferred path from `from` to a state for which `goal` returns `true`, and returns whether there is one.
///
/// The path includes both states. `seen` prevents that a state is tried twice at the same position.
fn find(
    automaton: &Automaton,
    from: Id,
    at: usize,
    goal: &dyn Fn(Id) -> bool,
    seen: &mut [usize],
    way: &mut Vec<Id>,
) -> bool {
    // Each entry is a state on the path, and the number of its alternatives that were tried.
    let mut open: Vec<(Id, usize)> = vec![(from, 0)];
    while let Some((id, tried)) = open.last_mut() {
        let id = *id;
        if *tried == 0 {
            if seen[id as usize] == at {
                open.pop();
                continue;
            }
            seen[id as usize] = at;
            if goal(id) {
                way.extend(open.iter().map(|(id, _)| *id));
                return true;
            }
        }
        let next = match &automaton.states[id as usize] {
            State::Ways(ways) => ways.get(*tried).copied(),
            State::Enter(_, next) | State::Leave(next) if *tried == 0 => Some(*next),
            _ => None,
        };
        *tried += 1;
        match next {
            Some(next) => open.push((next, 0)),
            None => drop(open.pop()),
        }
    }
    false
}
