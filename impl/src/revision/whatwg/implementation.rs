//! Implementations of the URL Standard: the changes that one has adopted, and the steps that it does otherwise.
//!
//! Libraries and browsers follow the Standard change by change, in their own order, and none of them follows every step. So an
//! implementation is described by what differs: a set of changes, and steps of its own that run instead of steps of the Standard.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::changes::ChangeSet;
use super::machine::{Host, Path, State};
use super::{ALGORITHMS, Resolution, Slots, StepText, Trace, resolved};
use crate::slots::Part;
pub use crate::step::Next;

/// An implementation of the URL Standard.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// The changes of the Standard that it has adopted.
    pub landed: ChangeSet,
    /// Its own steps.
    pub own: Vec<&'static OwnStep>,
}

/// A step that an implementation does instead of a step of the Standard.
pub struct OwnStep {
    /// The label of the step of the Standard: `shorten 3`.
    pub instead_of: &'static str,
    /// The function of the implementation and the point in it.
    pub label: &'static str,
    /// What the implementation does, in the words of this project.
    pub text: &'static str,
    /// Does it. `None` if the step of the Standard runs in this case.
    pub run: fn(&mut Machine<'_>) -> Option<Next>,
}

impl fmt::Debug for OwnStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instead of {}", self.label, self.instead_of)
    }
}

impl Implementation {
    /// Creates an implementation that follows the Standard as it is with these changes.
    #[must_use]
    pub const fn new(landed: ChangeSet) -> Self {
        Self { landed, own: Vec::new() }
    }

    /// Resolves `reference` against `base`. An empty `base` means that the base is unknown.
    ///
    /// ```
    /// use urlstrata::revision::whatwg::{ChangeSet, Implementation, Next, OwnStep};
    ///
    /// static KEEP: OwnStep = OwnStep {
    ///     instead_of: "shorten 4",
    ///     label: "pop",
    ///     text: "remove nothing",
    ///     run: |_| Some(Next::Done),
    /// };
    /// let own = Implementation { landed: ChangeSet::ALL, own: vec![&KEEP] };
    /// assert_eq!(own.resolve("", "http://h/a/../b")?.url, "http://h/a/b");
    /// # Ok::<(), urlstrata::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`Rejection`](crate::Rejection) if the base or the reference is not a URL.
    pub fn resolve(&self, base: &str, reference: &str) -> Resolution {
        resolved(self, base, reference, &mut Trace::off())
    }

    /// Does the same as [`Self::resolve`], and records the [slots](crate::slots) of the run.
    pub fn resolve_slots(&self, base: &str, reference: &str, slots: Slots) -> (Resolution, Slots) {
        let mut trace = Trace::slots(slots);
        let resolution = resolved(self, base, reference, &mut trace);
        (resolution, trace.into_slots().unwrap_or_default())
    }

    /// Returns the step with a label: an own one, or one of the Standard with these changes.
    #[must_use]
    pub fn step(&self, label: &str) -> Option<StepText> {
        let own =
            self.own.iter().find(|own| own.label == label).map(|own| StepText { label: own.label, text: own.text });
        let landed = self.landed.effective();
        let mut rows = ALGORITHMS.iter().flat_map(|algorithm| algorithm.1);
        own.or_else(|| {
            let found = rows.find(|row| row.0 == label && row.2.holds(landed));
            found.map(|&(label, text, ..)| StepText { label, text })
        })
    }

    /// Returns the steps: those of the Standard with these changes, and the own ones instead of some of them.
    pub fn steps(&self) -> Vec<StepText> {
        let landed = self.landed.effective();
        let rows = ALGORITHMS.iter().flat_map(|algorithm| algorithm.1).filter(|row| row.2.holds(landed));
        let texts = rows.flat_map(|&(label, text, ..)| {
            let own = self.own.iter().filter(move |own| own.instead_of == label);
            own.map(|own| StepText { label: own.label, text: own.text }).chain([StepText { label, text }])
        });
        texts.collect()
    }
}

/// The machine of the Standard while an own step runs.
pub struct Machine<'a>(pub(super) &'a mut State);

impl fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine in the {} state", self.0.state)
    }
}

impl Machine<'_> {
    /// Returns the code point at a distance from the pointer; `None` after the end of the input.
    #[must_use]
    pub fn at(&self, distance: isize) -> Option<char> {
        self.0.at(distance)
    }

    /// Returns whether a tab or newline was removed before the code point at the pointer.
    #[must_use]
    pub fn follows_tab(&self) -> bool {
        usize::try_from(self.0.pointer).is_ok_and(|at| self.0.removed.binary_search(&at).is_ok())
    }

    /// Moves the pointer.
    pub fn advance(&mut self, distance: isize) {
        self.0.pointer += distance;
    }

    /// Returns the name of the state.
    #[must_use]
    pub fn state(&self) -> &'static str {
        self.0.state
    }

    /// Continues in another state with the next code point.
    pub fn go(&mut self, state: &'static str) -> Option<Next> {
        Some(self.0.go(state))
    }

    /// Continues in another state with the same code point.
    pub fn go_back(&mut self, state: &'static str) -> Option<Next> {
        Some(self.0.go_back(state))
    }

    /// Records that this step rewrites a part of the target.
    pub fn rewrites(&mut self, part: Part) {
        self.0.rewrites(part);
    }

    /// Returns the scheme of the URL.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.0.url.scheme
    }

    /// Returns whether the scheme of the URL is special.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.0.is_special()
    }

    /// Returns the path of the base if it is opaque.
    #[must_use]
    pub fn opaque_base(&self) -> Option<&str> {
        match &self.0.base.as_ref()?.path {
            Path::Opaque(path) => Some(path),
            Path::List(_) => None,
        }
    }

    /// Returns the segments of the base's path; none without a base, or if its path is opaque.
    #[must_use]
    pub fn base_segments(&self) -> &[String] {
        self.0.base.as_ref().map_or(&[], |base| base.segments())
    }

    /// Records that the reference has no scheme.
    pub fn begin_without_scheme(&mut self) {
        self.0.write_no_scheme();
    }

    /// Returns whether the input starts with a drive letter at the pointer.
    #[must_use]
    pub fn starts_with_drive_letter(&self) -> bool {
        self.0.starts_with_drive_letter()
    }

    /// Returns the buffer.
    #[must_use]
    pub fn buffer(&self) -> &str {
        &self.0.buffer
    }

    /// Replaces the buffer.
    pub fn set_buffer(&mut self, text: impl Into<String>) {
        self.0.buffer = text.into();
    }

    /// Appends a character to the buffer.
    pub fn push(&mut self, c: char) {
        self.0.buffer.push(c);
    }

    /// Returns whether an `@` was seen in the authority.
    #[must_use]
    pub fn at_sign_seen(&self) -> bool {
        self.0.at_sign_seen
    }

    /// Takes `code_points` as those of the credentials before an `@`.
    pub fn set_credentials(&mut self, code_points: Vec<char>) {
        self.0.at_sign_seen = true;
        self.0.code_points = code_points.into_iter();
    }

    /// Returns the user name and the password that were read.
    #[must_use]
    pub fn credentials(&self) -> (&str, &str) {
        (&self.0.url.username, self.0.url.password.as_deref().unwrap_or_default())
    }

    /// Returns whether a colon was seen in the credentials.
    #[must_use]
    pub fn password_token_seen(&self) -> bool {
        self.0.password_token_seen
    }

    /// Remembers something for later own steps on the same text.
    pub fn mark(&mut self, mark: &'static str) {
        self.0.marks.push(mark);
    }

    /// Forgets what was remembered.
    pub fn unmark(&mut self, mark: &str) {
        self.0.marks.retain(|own| *own != mark);
    }

    /// Returns whether something was remembered.
    #[must_use]
    pub fn is_marked(&self, mark: &str) -> bool {
        self.0.marks.contains(&mark)
    }

    /// Returns the segments of the path; none if it is opaque.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        self.0.url.segments()
    }

    /// Appends a segment to the path.
    pub fn push_segment(&mut self, segment: impl Into<String>) {
        self.0.url.push_segment(segment.into());
    }

    /// Replaces the path by these segments.
    pub fn set_segments(&mut self, segments: Vec<String>) {
        self.0.url.path = Path::List(segments);
    }

    /// Replaces the path by an opaque one.
    pub fn set_opaque(&mut self, path: String) {
        self.0.url.path = Path::Opaque(path);
    }

    /// Returns the domain that is converted to ASCII.
    #[must_use]
    pub fn domain(&self) -> &str {
        &self.0.domain
    }

    /// Takes `domain` as the domain in ASCII.
    pub fn set_ascii_domain(&mut self, domain: impl Into<String>) {
        self.0.ascii_domain = Some(domain.into());
    }

    /// Returns the host if it is a name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0.url.host {
            Some(Host::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Removes the query.
    pub fn remove_query(&mut self) {
        self.0.url.query = None;
    }

    /// Returns the query of the URL.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.0.url.query.as_deref()
    }
}
