//! A production as a nondeterministic automaton. The alternatives of a state are in the order of preference.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::{Case, Expression, Grammar, Production, ProductionKind, Repetitions};

/// The number of a state.
pub(super) type Id = u32;

/// The maximum depth of productions. A deeper one refers to itself, which no specification's productions do.
const DEEPEST: usize = 200;

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Characters(u128);

impl Characters {
    fn of(characters: &str, case: Case) -> Self {
        let both = |byte: u8| match case {
            Case::AsWritten => bit(byte),
            Case::Folded => bit(byte.to_ascii_lowercase()) | bit(byte.to_ascii_uppercase()),
        };
        Self(characters.bytes().fold(0, |set, byte| set | both(byte)))
    }

    pub(super) fn holds(self, byte: u8) -> bool {
        self.0 & bit(byte) != 0
    }

    /// Iterates over the characters in ascending order.
    pub(super) fn iter(self) -> impl Iterator<Item = char> {
        (0..128).filter(move |&byte| self.holds(byte)).map(char::from)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn bit(byte: u8) -> u128 {
    1_u128.checked_shl(byte.into()).unwrap_or_default()
}

/// A state of the automaton.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// Reads one of these characters.
    Take { of: Characters, next: Id, label: Label },
    /// Continues without reading a character. The first alternative is preferred.
    Ways(Vec<Id>),
    /// Begins the production with this index.
    Enter(usize, Id),
    /// Ends the production that began last.
    Leave(Id),
    /// Accepts the text if it ends here.
    Accept,
}

/// The description of a state that reads a character, for error messages.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Label {
    /// The index of the production of structure that contains the character.
    pub(super) inside: usize,
    /// The characters, in the specification's terms.
    pub(super) what: Takes,
}

/// The characters that a state reads, in the specification's terms.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Takes {
    /// One of several characters without a name.
    OneOf,
    /// The production of characters with this index, or its beginning.
    Class(usize),
    /// The rest of this literal.
    Literal(&'static str),
}

/// The states of one production.
pub(super) struct Automaton {
    pub(super) grammar: &'static Grammar,
    pub(super) states: Vec<State>,
    pub(super) start: Id,
    /// The class of each byte. No state distinguishes the bytes of a class, and no state reads class 0.
    pub(super) class_of: [u8; 256],
    /// A byte of each class.
    pub(super) member: Vec<u8>,
}

/// The context of an expression.
#[derive(Clone, Copy)]
struct Place {
    inside: usize,
    /// The production of characters that contains the expression, and whether the expression is at its beginning.
    class: Option<(usize, bool)>,
    depth: usize,
}

impl Place {
    /// Returns the context after a character.
    fn further(self) -> Self {
        Self { class: self.class.map(|(class, _)| (class, false)), ..self }
    }
}

impl Automaton {
    /// Creates the automaton of `production`.
    pub(super) fn new(grammar: &'static Grammar, production: &'static Production) -> Self {
        let mut automaton =
            Self { grammar, states: vec![State::Accept], start: 0, class_of: [0; 256], member: vec![0] };
        let place = Place { inside: 0, class: None, depth: 0 };
        automaton.start = automaton.name(production.name, place, 0);
        automaton.divide();
        automaton
    }

    fn push(&mut self, state: State) -> Id {
        self.states.push(state);
        (self.states.len() - 1) as Id
    }

    /// Adds the states of an expression that `next` follows, and returns the first one.
    fn rule(&mut self, rule: &Expression, place: Place, next: Id) -> Id {
        match *rule {
            Expression::OneOf(characters) => {
                let of = Characters::of(characters, self.grammar.case);
                self.take(of, Takes::OneOf, place, next)
            }
            Expression::Text(text) => (0..text.len()).rev().fold(next, |next, at| {
                let of = Characters::of(&text[at..=at], self.grammar.case);
                let place = if at == 0 { place } else { place.further() };
                self.take(of, Takes::Literal(&text[at..]), place, next)
            }),
            Expression::Name(name) => self.name(name, place, next),
            Expression::Seq(rules) => self.sequence(rules, place, next),
            Expression::Alt(rules) => {
                let ways = rules.iter().map(|rule| self.rule(rule, place, next)).collect();
                self.push(State::Ways(ways))
            }
            Expression::Opt(rules) => {
                let taken = self.sequence(rules, place, next);
                self.push(State::Ways(vec![taken, next]))
            }
            Expression::Repeat { least, most, repetitions, body } => {
                self.repeat(least, most, repetitions, body, place, next)
            }
        }
    }

    fn sequence(&mut self, rules: &[Expression], place: Place, next: Id) -> Id {
        let numbered = rules.iter().enumerate().rev();
        numbered.fold(next, |next, (at, rule)| self.rule(rule, if at == 0 { place } else { place.further() }, next))
    }

    fn repeat(
        &mut self,
        least: usize,
        most: Option<usize>,
        repetitions: Repetitions,
        body: &[Expression],
        place: Place,
        next: Id,
    ) -> Id {
        let ways = |taken: Id, left: Id| match repetitions {
            Repetitions::Most => vec![taken, left],
            Repetitions::Fewest => vec![left, taken],
        };
        let mut start = match most {
            None => {
                let again = self.push(State::Ways(Vec::new()));
                let taken = self.sequence(body, place, again);
                self.states[again as usize] = State::Ways(ways(taken, next));
                again
            }
            Some(most) => (least..most).fold(next, |next_repetition, _| {
                let taken = self.sequence(body, place, next_repetition);
                self.push(State::Ways(ways(taken, next)))
            }),
        };
        for _ in 0..least {
            start = self.sequence(body, place, start);
        }
        start
    }

    fn name(&mut self, name: &str, place: Place, next: Id) -> Id {
        let index = self.grammar.productions.iter().position(|production| production.name == name);
        // The tests of `grammar` exclude both cases. Neither of them may panic or run forever.
        let Some(index) = index.filter(|_| place.depth < DEEPEST) else { return self.push(State::Ways(Vec::new())) };
        let production = &self.grammar.productions[index];
        let depth = place.depth + 1;
        match production.kind {
            ProductionKind::Structure => {
                let left = self.push(State::Leave(next));
                let start = self.rule(&production.rule, Place { inside: index, class: None, depth }, left);
                self.push(State::Enter(index, start))
            }
            ProductionKind::Characters => {
                let class = match place.class {
                    Some((outer, true)) => Some((outer, true)),
                    _ => Some((index, true)),
                };
                let inside = if depth == 1 { index } else { place.inside };
                match self.single(&production.rule, 0) {
                    Some(of) => self.take(of, Takes::OneOf, Place { inside, class, depth }, next),
                    None => self.rule(&production.rule, Place { inside, class, depth }, next),
                }
            }
        }
    }

    fn take(&mut self, of: Characters, what: Takes, place: Place, next: Id) -> Id {
        let what = match place.class {
            Some((class, true)) => Takes::Class(class),
            _ => what,
        };
        self.push(State::Take { of, next, label: Label { inside: place.inside, what } })
    }

    /// Returns the characters that an expression matches, if it matches only single characters.
    fn single(&self, rule: &Expression, depth: usize) -> Option<Characters> {
        match rule {
            Expression::OneOf(characters) => Some(Characters::of(characters, self.grammar.case)),
            Expression::Name(name) if depth < DEEPEST => {
                let production = self.grammar.production(name)?;
                let characters = production.kind == ProductionKind::Characters;
                characters.then(|| self.single(&production.rule, depth + 1)).flatten()
            }
            Expression::Alt(rules) => {
                rules.iter().try_fold(Characters::default(), |set, rule| Some(set.and(self.single(rule, depth)?)))
            }
            _ => None,
        }
    }

    /// Divides the bytes into classes that no state distinguishes.
    fn divide(&mut self) {
        let mut sets: Vec<_> = self
            .states
            .iter()
            .filter_map(|state| match state {
                State::Take { of, .. } => Some(*of),
                _ => None,
            })
            .collect();
        sets.sort_unstable();
        sets.dedup();
        let mut classes: BTreeMap<Vec<bool>, u8> = BTreeMap::new();
        classes.insert(vec![false; sets.len()], 0);
        for byte in 0..128_u8 {
            let held: Vec<_> = sets.iter().map(|set| set.holds(byte)).collect();
            let fresh = classes.len() as u8;
            let class = *classes.entry(held).or_insert(fresh);
            if class == fresh {
                self.member.push(byte);
            }
            self.class_of[usize::from(byte)] = class;
        }
    }
}
