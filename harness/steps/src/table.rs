//! Tables of steps.

use urlstrata::revision::whatwg::Implementation;
use urlstrata::slots::{Exchange, Part, Slot};

use crate::state::{Run, Side, State};
use crate::version::is_since;

/// What happens after a step.
#[derive(Clone, Copy)]
pub enum Next {
    /// The next row runs.
    Go,
    /// The rows of another table run on a side, then the next row. [`Next::Done`] in it returns here, unless it rejected.
    Call(&'static [Step], Side),
    /// The steps of the URL Standard run on both texts as this implementation does them, then the next row.
    Standard(Standard),
    /// The row with this label runs. It may be an earlier one. If the version does not have it, the next row that the version has runs.
    To(&'static str),
    /// The table ends.
    Done,
}

/// An implementation of the URL Standard, in a version with these changes.
pub type Standard = fn(&[&'static Change]) -> Implementation;

/// A row of a table.
pub struct Step {
    /// The function of the source and the point in it: `urljoin: uses_relative`. It is unique in a table and its calls.
    pub label: &'static str,
    /// What the step does, in the words of this project.
    pub says: &'static str,
    /// Does it.
    pub run: fn(&mut State<'_>) -> Next,
    /// The change with which the row came; `None` if it was always there.
    pub since: Option<&'static Change>,
    /// The change with which the row went.
    pub until: Option<&'static Change>,
}

impl Step {
    /// Creates a row that every version has.
    pub const fn new(label: &'static str, says: &'static str, run: fn(&mut State<'_>) -> Next) -> Self {
        Self { label, says, run, since: None, until: None }
    }

    /// Creates a row that came with `change`.
    pub const fn since(self, change: &'static Change) -> Self {
        Self { since: Some(change), ..self }
    }

    /// Creates a row that went with `change`.
    pub const fn until(self, change: &'static Change) -> Self {
        Self { until: Some(change), ..self }
    }
}

/// A question to an engine that a table answers.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Question {
    /// What does a reference mean on a base?
    Resolve,
    /// What does the library state about a URL? The URL is the reference, and the base is empty.
    Parse,
    /// To which host and port does the client connect for a URL? The URL is the reference, and the base is empty. The target's host is what the
    /// system's resolver gets or the address that it reads there, without brackets, and its port is the one of the connection.
    Connect,
    /// To which URL does the client go after a redirect? The base is the URL that it requested, and the reference is the location in the
    /// response, as the client reads it ([`Table::location`]). A client that does not follow the redirect rejects the location. Where it connects for the target is
    /// the answer to [`Question::Connect`].
    Follow,
}

impl Question {
    /// Returns whether the answer is a URL: the target of a reference.
    pub fn has_target(self) -> bool {
        matches!(self, Self::Resolve | Self::Follow)
    }
}

/// A pair on which a change shows.
#[derive(Debug)]
pub struct Witness {
    /// The question.
    pub question: Question,
    /// The base; empty for questions about a URL.
    pub base: &'static str,
    /// The reference or URL.
    pub reference: &'static str,
    /// The result before the change: a URL, or the statement as [`Run::statement`] writes it; `None` for a rejection.
    pub before: Option<&'static str>,
    /// The result since the change.
    pub after: Option<&'static str>,
}

impl Witness {
    /// Creates the witness of a change in how references are resolved, for [`Change::witness`].
    pub const fn resolving(
        base: &'static str,
        reference: &'static str,
        before: Option<&'static str>,
        after: Option<&'static str>,
    ) -> Option<Self> {
        Some(Self { question: Question::Resolve, base, reference, before, after })
    }
}

/// A change of a library.
#[derive(Debug)]
pub struct Change {
    /// A short name: the number of the issue or the pull request, or the version.
    pub id: &'static str,
    /// The first version with the change, on each branch that has it. Later branches have it, too.
    pub versions: &'static [&'static str],
    /// The date of the first release with the change, as `YYYY-MM-DD`, or as much of it as is known.
    pub date: &'static str,
    /// The address of the issue, the pull request or the advisory; empty if none is known.
    pub issue: &'static str,
    /// What changed, in the words of this project.
    pub says: &'static str,
    /// A pair on which the change shows; `None` if it shows only together with another change.
    pub witness: Option<Witness>,
}

impl Change {
    /// Returns whether a version with `changes` has the change.
    pub fn is_among(&'static self, changes: &[&'static Self]) -> bool {
        changes.iter().any(|own| std::ptr::eq(*own, self))
    }

    /// Returns whether `version` has the change.
    pub fn is_in(&self, version: &str) -> bool {
        is_since(self.versions, version)
    }
}

/// Reads a header field as a version with these changes does.
pub type Field = fn(&[&'static Change], &str) -> String;

/// A version whose changes are not those of its number: a distribution's, with fixes of later ones.
#[derive(Debug)]
pub struct Dated {
    /// The version.
    pub version: &'static str,
    /// The changes that it has in addition, by their ids.
    pub changes: &'static [&'static str],
}

/// An engine as tables of steps.
pub struct Table {
    /// The name of the engine's folder.
    pub engine: &'static str,
    /// The first version that the table describes.
    pub first: &'static str,
    /// The changes, in the order of their dates.
    pub changes: &'static [&'static Change],
    /// Versions whose changes are not those of their number.
    pub dated: &'static [Dated],
    /// The steps of each question that the table answers.
    pub questions: &'static [(Question, &'static [Step])],
    /// The rows that the steps of a question call: reading rows.
    pub called: &'static [&'static [Step]],
    /// The implementation of the URL Standard that the steps run; `None` if they run none.
    pub standard: Option<Standard>,
    /// Whether the table, or one that it calls, describes by which data each version converts host names outside ASCII.
    pub has_dated_names: bool,
    /// How a client reads a header field; if `None`, as UTF-8, without the white space around it, which is not part of it (RFC 9110 §5.5).
    pub field: Option<Field>,
    /// The tables that this one calls, each with its version for a version of this engine.
    pub calls: fn(&str) -> Vec<(&'static Table, String)>,
}

/// The calls of a table that calls no other.
pub fn no_calls(_version: &str) -> Vec<(&'static Table, String)> {
    Vec::new()
}

impl Table {
    /// Returns the changes that `version` has, with those of the tables that are called.
    ///
    /// Fixes that a distribution has in addition are written after a plus sign: `3.11.2+gh-102153,gh-103848`.
    pub fn changes_of(&self, version: &str) -> Vec<&'static Change> {
        let (number, added) = version.split_once('+').unwrap_or((version, ""));
        let dated = self.dated.iter().find(|it| it.version == number).map_or(&[][..], |it| it.changes);
        let is_added = |change: &Change| dated.contains(&change.id) || added.split(',').any(|id| id == change.id);
        let own = self.changes.iter().copied().filter(|change| change.is_in(number) || is_added(change));
        let called = (self.calls)(number).into_iter().flat_map(|(table, version)| table.changes_of(&version));
        own.chain(called).collect()
    }

    /// Returns the tables that are called, and whose steps are this engine's: those of the parser that an engine contains.
    pub fn contained(&self) -> Vec<&'static Table> {
        let is_own = |table: &&'static Table| {
            self.questions
                .iter()
                .any(|(question, steps)| table.steps(*question).is_some_and(|own| std::ptr::eq(own, *steps)))
                || self.standard.is_some() && table.standard.is_some()
        };
        (self.calls)(self.first).into_iter().map(|(table, _)| table).filter(is_own).collect()
    }

    /// Returns the steps of a question; `None` if the table does not answer it.
    pub fn steps(&self, question: Question) -> Option<&'static [Step]> {
        self.questions.iter().find(|(own, _)| *own == question).map(|(_, steps)| *steps)
    }

    /// Returns whether a version with `changes` answers a question: its table has steps for it, and the version has the first one.
    pub fn answers(&self, question: Question, changes: &[&'static Change]) -> bool {
        self.steps(question).and_then(<[Step]>::first).is_some_and(|first| {
            first.since.is_none_or(|change| change.is_among(changes))
                && !first.until.is_some_and(|change| change.is_among(changes))
        })
    }

    /// Returns the location that a version with `changes` reads in a response in which the server wrote `location`.
    pub fn location(&self, changes: &[&'static Change], location: &str) -> String {
        self.field.map_or_else(|| location.trim_matches([' ', '\t']).to_owned(), |read| read(changes, location))
    }

    /// Returns the rows that `steps` call, and then `steps`.
    pub fn rows(&self, steps: &'static [Step]) -> impl Iterator<Item = &'static Step> {
        self.called.iter().copied().chain([steps]).flatten()
    }

    /// Answers a question about a pair as a version with `changes` does. Histories are not recorded. `None` if the table does not answer the
    /// question.
    pub fn answer(
        &self,
        question: Question,
        changes: &[&'static Change],
        (base, reference): (&str, &str),
    ) -> Option<Run> {
        Some(State::new(base, reference, changes, None).asked(question).run(self.steps(question)?))
    }

    /// Answers like [`Self::answer`], and records the histories of slots. `exchanges` replace values that are written.
    pub fn record(
        &self,
        question: Question,
        changes: &[&'static Change],
        (base, reference): (&str, &str),
        exchanges: &[Exchange],
    ) -> Option<Run> {
        // A text that is exchanged before the first step is what is given.
        let given = |slot: Slot| {
            let exchange = exchanges.iter().find(|it| it.slot == slot && it.after <= 1)?;
            Some(exchange.value.text().unwrap_or_default())
        };
        let base = given(Slot::Base(Part::Text)).unwrap_or(base);
        let reference = given(Slot::Ref(Part::Text)).unwrap_or(reference);
        let state = State::new(base, reference, changes, Some(exchanges.to_vec()));
        Some(state.asked(question).run(self.steps(question)?))
    }

    /// Answers like [`Self::record`] without the row that has the label `without`, to find out what that row does.
    pub fn record_without(
        &self,
        without: &'static str,
        question: Question,
        changes: &[&'static Change],
        (base, reference): (&str, &str),
    ) -> Option<Run> {
        let state = State::new(base, reference, changes, Some(Vec::new()));
        Some(state.asked(question).without(without).run(self.steps(question)?))
    }
}
