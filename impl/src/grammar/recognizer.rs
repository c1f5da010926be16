//! Reads a text by an automaton: member or not, how it is derived, and where it stops being a member.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::automaton::{Automaton, Characters, Id, Label, State, Takes};
use super::{Grammar, Production};

/// So many sets of states are kept; then it starts anew. No grammar here comes near it, so that the tests have fewer.
const KEPT: usize = if cfg!(test) { 3 } else { 50_000 };

/// Not known yet.
const UNKNOWN: u32 = u32::MAX;

/// What tells the members of one production from other texts.
pub struct Recognizer {
    automaton: Automaton,
    production: &'static Production,
    forward: Sets,
    backward: Sets,
    /// For each state that takes a character: the states that lead to it by one character.
    before: Vec<Vec<Id>>,
}

/// What one production derives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MatchedPart {
    /// The production's name.
    pub production: &'static str,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// How many others it is part of.
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

    /// The production.
    #[must_use]
    pub fn production(&self) -> &'static Production {
        self.production
    }

    /// The ASCII characters in sets of which the production tells no two apart: first those that it has nowhere.
    pub fn classes(&self) -> impl Iterator<Item = String> {
        let classes = self.automaton.member.len();
        (0..classes).map(move |class| {
            let of_class =
                (0..128).filter(|&byte: &u8| usize::from(self.automaton.class_of[usize::from(byte)]) == class);
            of_class.map(char::from).collect()
        })
    }

    /// Whether the production derives `text`.
    ///
    /// Linear in the text; what it learns of sets of states it keeps for the next text.
    pub fn is_match(&mut self, text: &str) -> bool {
        let (set, at) = self.read(text);
        at == text.len() && self.forward.holds(set, 0)
    }

    /// As [`Recognizer::is_member`], with the derivation, or the place where the text stops being a member.
    ///
    /// Where a text has several derivations, the first alternative that leads to one is taken, and repetitions are
    /// as long as they can be (see [`super::Repetitions`]). Takes four bytes of memory for each of the text, and those of
    /// the derivation.
    pub fn match_parts(&mut self, text: &str) -> Result<Vec<MatchedPart>, Mismatch> {
        let (set, at) = self.read(text);
        if at == text.len() && self.forward.holds(set, 0) {
            return Ok(self.derive(text.as_bytes()));
        }
        Err(self.mismatch(set, at))
    }

    /// The last set of states that is not empty, and how far it is from the text's start.
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

    /// How `text`, a member, is derived.
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
                // It is a member, so there is a way from each place to the end.
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

    /// For each place the set of states from which the rest of `text` leads to the end.
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

/// Sets of states, each with where every class of bytes leads.
struct Sets {
    classes: usize,
    first: Vec<Id>,
    sets: Vec<Vec<Id>>,
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

    /// Notes that `class` leads from `set` to `reached`. Where too many are kept it starts anew, and `set` becomes
    /// the number that the set has then.
    fn insert(&mut self, set: &mut u32, class: u8, reached: Vec<Id>) -> u32 {
        if self.sets.len() >= KEPT {
            let current = self.sets[*set as usize].clone();
            *self = Self::new(self.classes, self.first.clone());
            *set = self.number(current);
        }
        self.insert_kept(*set, class, reached)
    }

    /// As [`Sets::insert`], for one whose earlier numbers are still used.
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

/// Adds to `reached` the states from `id` that take a character or accept, with none taken before.
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

/// The preferred way from `from` to a state that is a `goal`, that one included; whether there is one. What was seen
/// in vain at this place is not tried again.
fn find(
    automaton: &Automaton,
    from: Id,
    at: usize,
    goal: &dyn Fn(Id) -> bool,
    seen: &mut [usize],
    way: &mut Vec<Id>,
) -> bool {
    // Each entry is a state on the way and how many of its ways have been tried.
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

#[cfg(test)]
mod tests {
    use super::KEPT;
    use crate::grammar;

    #[test]
    fn no_more_sets_are_kept_than_that() {
        let rfc1808 = grammar::by_revision("rfc1808").expect("a grammar");
        let mut recognizer = rfc1808.recognizer("URL").expect("a production");
        for text in ["http://h/a;p?q#f", "a%20/b", "//h:1/"] {
            assert!(recognizer.is_match(text), "{text}");
            assert!(recognizer.forward.sets.len() <= KEPT, "{}", recognizer.forward.sets.len());
        }
    }
}
