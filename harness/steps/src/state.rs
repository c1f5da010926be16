//! A run of a table.

use urlstrata::StepText;
use urlstrata::revision::whatwg::Implementation;
use urlstrata::slots::{Exchange, Part, Rejected, Slot, Slots, Value};

use crate::table::{Change, Next, Question, Step, Table};
use crate::text;

/// The text that rows read: a table of reading rows runs for either.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The base.
    Base,
    /// The reference, or the URL that a question is about.
    Reference,
}

/// The state of a run: what rows read and write.
pub struct State<'a> {
    /// The base, as it was given.
    pub base: &'a str,
    /// The reference, as it was given.
    pub reference: &'a str,
    /// The text with which a table calls another one that resolves references, if it is not the reference.
    pub passed: Option<String>,
    /// The text that the reading rows work on.
    pub side: Side,
    /// The part of the side's text that was not read yet.
    pub rest: String,
    /// The segments of a path while it is resolved.
    pub segments: Vec<String>,
    slots: Slots,
    changes: &'a [&'static Change],
    marks: Vec<&'static str>,
    asked: Option<String>,
    ended: &'static str,
    has_returned: bool,
    put_together: Option<&'static str>,
    /// The implementation of the URL Standard whose steps ran, if histories are recorded.
    standard: Option<Implementation>,
    /// The label of a row that is left out.
    without: Option<&'static str>,
    /// The question that the run answers.
    question: Question,
    /// The steps that ran, if histories are recorded.
    ran: Vec<StepText>,
    budget: usize,
}

/// The mark of a component that is not UTF-8.
const NOT_UTF_8: &str = "a component is not UTF-8";

/// The mark of an answer that depends on the machine.
const NOT_KNOWN: &str = "the answer depends on the machine";

/// The mark of a check whose steps do not describe whether it lets the URL pass.
pub const NO_VERDICT: &str = "the verdict is not described";

impl<'a> State<'a> {
    pub(crate) fn new(
        base: &'a str,
        reference: &'a str,
        changes: &'a [&'static Change],
        recorded: Option<Vec<Exchange>>,
    ) -> Self {
        let mut slots = recorded.map_or_else(Slots::new, Slots::recording);
        slots.given(base, reference);
        Self {
            base,
            reference,
            passed: None,
            side: Side::Reference,
            rest: String::new(),
            segments: Vec::new(),
            slots,
            changes,
            marks: Vec::new(),
            asked: None,
            ended: "",
            has_returned: false,
            put_together: None,
            standard: None,
            without: None,
            question: Question::Resolve,
            ran: Vec::new(),
            // A table reads its input a few times. One that runs more steps repeats them without end.
            budget: 1000 + 20 * (base.len() + reference.len()),
        }
    }

    /// Lets the run answer `question`.
    pub(crate) fn asked(self, question: Question) -> Self {
        Self { question, ..self }
    }

    /// Leaves a row out.
    pub(crate) fn without(self, label: &'static str) -> Self {
        Self { without: Some(label), ..self }
    }

    /// Returns whether the version has a change.
    pub fn has(&self, change: &'static Change) -> bool {
        change.is_among(self.changes)
    }

    /// Returns what another table states about a pair, with the changes of this run. `None` if it does not answer the question.
    pub fn answer(&self, table: &Table, question: Question, pair: (&str, &str)) -> Option<Run> {
        table.answer(question, self.changes, pair)
    }

    /// Returns the slots of the side that is read.
    pub fn of(&self) -> fn(Part) -> Slot {
        match self.side {
            Side::Base => Slot::Base,
            Side::Reference => Slot::Ref,
        }
    }

    /// Returns the slot of a part of the side that is read.
    pub fn own(&self, part: Part) -> Slot {
        self.of()(part)
    }

    /// Returns the text of the side as it was given.
    pub fn given(&self) -> &'a str {
        match self.side {
            Side::Base => self.base,
            Side::Reference => self.reference,
        }
    }

    /// Returns the text of a slot; empty if it is absent.
    pub fn get(&self, slot: Slot) -> &str {
        self.slots.text(slot).unwrap_or_default()
    }

    /// Returns the text of a slot; `None` if it is absent.
    pub fn present(&self, slot: Slot) -> Option<&str> {
        self.slots.text(slot)
    }

    /// Writes a slot.
    pub fn set(&mut self, slot: Slot, value: impl Into<Value>) {
        self.slots.set(slot, value);
    }

    /// Writes the unread rest as the text of the side that is read.
    pub fn write_text(&mut self) {
        let (slot, text) = (self.own(Part::Text), std::mem::take(&mut self.rest));
        self.rest = self.slots.set(slot, text).text().unwrap_or_default().to_owned();
    }

    /// Writes the text of the side as it was given, and returns what its slot then has: the other side's text if that is exchanged.
    pub fn read_text(&mut self) -> String {
        self.rest = self.given().to_owned();
        self.write_text();
        std::mem::take(&mut self.rest)
    }

    /// Removes characters before the text that is read, and writes it. If such characters are at its end, too, this is the step that leaves them.
    pub fn trim_start(&mut self, is_removed: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(&is_removed).to_owned();
        self.write_text();
        if self.rest.ends_with(&is_removed) {
            self.keep(self.own(Part::Text));
        }
    }

    /// Passes the value of a slot on, with its history: the step that copies it has not decided on it.
    pub fn flow(&mut self, to: Slot, from: Slot) {
        self.slots.flow(to, from);
    }

    /// Copies the value of a slot, with its history and the step that left it as it is: the step that copies it decides nothing.
    pub fn copy(&mut self, to: Slot, from: Slot) {
        self.slots.copy(to, from);
    }

    /// Records that this step leaves a slot as it is.
    pub fn keep(&mut self, slot: Slot) {
        self.slots.keep(slot);
    }

    /// Takes a part from the base: copies its slot, and names it in [`Slot::Used`].
    pub fn inherit(&mut self, part: Part) {
        self.slots.flow(Slot::Out(part), Slot::Base(part));
        self.slots.inherit(part.name());
    }

    /// Names in [`Slot::Used`] what else is taken from the base, such as `folder`.
    pub fn inherit_as(&mut self, what: &'static str) {
        self.slots.inherit(what);
    }

    /// Records that this step decides on the next write to `slot`.
    pub fn decide(&mut self, slot: Slot) {
        self.slots.decide(slot);
    }

    /// Records that this step puts `slot` together from others: the steps that rewrote these decide on it.
    pub fn compose(&mut self, slot: Slot, from: &[Slot]) {
        self.slots.compose(slot, from);
    }

    /// Remembers something that no slot holds.
    pub fn mark(&mut self, mark: &'static str) {
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    /// Returns whether something was remembered.
    pub fn is_marked(&self, mark: &str) -> bool {
        self.marks.contains(&mark)
    }

    /// Forgets what was remembered.
    pub fn unmark(&mut self, mark: &str) {
        self.marks.retain(|own| *own != mark);
    }

    /// Returns the text of a component with these bytes. If they are not UTF-8, the library states no text; the text here has U+FFFD.
    pub fn text(&mut self, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            self.mark(NOT_UTF_8);
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })
    }

    /// Rejects the input because of a slot, and ends the run.
    pub fn reject(&mut self, slot: Slot, why: impl Into<String>) -> Next {
        self.slots.reject(slot, why);
        Next::Done
    }

    /// Rejects the input because of a slot, as a client does that asks a name server for its host before. The root of all names is empty.
    pub fn reject_after_asking(&mut self, slot: Slot, why: impl Into<String>) -> Next {
        let host = self.get(Slot::Out(Part::Host));
        self.asked = Some(host.strip_suffix('.').unwrap_or(host).to_owned());
        self.reject(slot, why)
    }

    /// Ends the run without an answer because of a slot: the answer depends on the machine.
    pub fn leave_open(&mut self, slot: Slot, why: impl Into<String>) -> Next {
        self.mark(NOT_KNOWN);
        self.reject(slot, why)
    }

    /// Returns `text` unchanged as the result, and ends the table.
    pub fn return_text(&mut self, text: impl Into<String>) -> Next {
        self.has_returned = true;
        self.ended = self.slots.step();
        self.slots.set(Slot::Result, text.into());
        Next::Done
    }

    /// Writes the result from the target's scheme, authority, path, query and fragment as they are.
    pub fn concatenate(&mut self) -> Next {
        let out = Part::COMPONENTS.map(|part| self.slots.text(Slot::Out(part)));
        let url = text::concatenated(out);
        self.put_together(url)
    }

    /// Writes the result that the steps before have decided.
    pub fn put_together(&mut self, url: String) -> Next {
        self.put_together = Some(self.slots.step());
        self.slots.set(Slot::Result, url);
        Next::Done
    }

    /// Runs a table to its end.
    pub(crate) fn run(mut self, steps: &'static [Step]) -> Run {
        self.steps(steps);
        self.finish()
    }

    fn steps(&mut self, steps: &'static [Step]) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            if step.since.is_some_and(|change| !self.has(change))
                || step.until.is_some_and(|change| self.has(change))
                || self.without == Some(step.label)
            {
                at += 1;
                continue;
            }
            if self.budget == 0 {
                self.slots.reject(Slot::Result, "the table repeats its steps without end");
                return;
            }
            self.budget -= 1;
            self.slots.begin(step.label);
            if self.slots.is_recording() {
                self.ran.push(StepText { label: step.label, text: step.says });
            }
            let next = (step.run)(self);
            if self.slots.rejected().is_some() {
                return;
            }
            match next {
                Next::Go => at += 1,
                Next::Call(called, side) => {
                    let outer = std::mem::replace(&mut self.side, side);
                    self.steps(called);
                    self.side = outer;
                    if self.slots.rejected().is_some() {
                        return;
                    }
                    at += 1;
                }
                Next::Standard(standard) => {
                    self.follow(standard(self.changes));
                    if self.slots.rejected().is_some() {
                        return;
                    }
                    at += 1;
                }
                Next::To(label) => match steps.iter().position(|step| step.label == label) {
                    Some(index) => at = index,
                    None => {
                        self.slots.reject(Slot::Result, format!("the table has no step {label}"));
                        return;
                    }
                },
                Next::Done => {
                    // The step that returned a text is the one that a table which was called for it ends with.
                    if !self.has_returned {
                        self.ended = step.label;
                    }
                    return;
                }
            }
        }
    }

    /// Runs the steps of an implementation of the URL Standard.
    fn follow(&mut self, implementation: Implementation) {
        let [base, reference] = [Slot::Base, Slot::Ref].map(|of| self.get(of(Part::Text)).to_owned());
        let resolution = if self.slots.is_recording() {
            let slots = std::mem::take(&mut self.slots);
            let (resolution, slots) = implementation.resolve_slots(&base, &reference, slots);
            self.slots = slots;
            resolution
        } else {
            implementation.resolve(&base, &reference)
        };
        match resolution {
            Ok(target) => {
                self.slots.set(Slot::Result, target.url);
            }
            Err(rejection) if self.slots.rejected().is_none() => self.slots.reject(Slot::Result, rejection.reason()),
            Err(_) => {}
        }
        self.ended = self.slots.step();
        self.put_together = Some(self.ended);
        self.standard = Some(implementation).filter(|_| self.slots.is_recording());
    }

    /// Fills the slots through which values flowed without a step of their own, and ends the run.
    fn finish(mut self) -> Run {
        let outcome = match (self.slots.rejected(), self.slots.text(Slot::Result)) {
            (Some(rejected), _) => Err(rejected.clone()),
            (None, Some(url)) => Ok(url.to_owned()),
            (None, None) => {
                Err(Rejected { slot: Slot::Result, step: self.ended, why: "the table writes no result".to_owned() })
            }
        };
        if self.slots.is_recording() {
            self.slots.begin(self.ended);
            // What a library does not state has no value.
            let url = outcome.as_deref().ok().filter(|_| self.question.has_target());
            fill(&mut self.slots, url, self.has_returned, self.standard.is_some());
        }
        let is_text = !self.is_marked(NOT_UTF_8);
        let is_decided = !self.is_marked(NO_VERDICT);
        let is_known = !self.is_marked(NOT_KNOWN);
        let Self { slots, ended, has_returned, put_together, ran: steps, standard, question, asked, .. } = self;
        Run {
            slots,
            outcome,
            ended,
            has_returned,
            put_together,
            steps,
            standard,
            question,
            has_default_port: false,
            is_text,
            is_decided,
            is_known,
            asked,
        }
    }
}

/// Fills the slots through which values flowed without a step of their own. The step that runs is the one that ended the run.
///
/// The URL Standard removes dot segments while it writes a path, so that none of its values is the path without them.
pub(crate) fn fill(slots: &mut Slots, url: Option<&str>, has_returned: bool, is_standard: bool) {
    let is_unread = |slots: &Slots, slot| *slots.value(slot) == Value::Unread;
    if is_unread(slots, Slot::Merged) {
        slots.flow(Slot::Merged, Slot::Ref(Part::Path));
    }
    if is_unread(slots, Slot::NoDots) && !is_standard {
        // A step that passed the path on to the target has not removed its dot segments.
        let target = Slot::Out(Part::Path);
        match slots.is_kept(target) && !has_returned && slots.value(target) == slots.value(Slot::Merged) {
            true => slots.copy(Slot::NoDots, target),
            false => slots.flow(Slot::NoDots, Slot::Merged),
        }
    }
    let Some(url) = url else { return };
    if is_unread(slots, Slot::Result) {
        slots.set(Slot::Result, url);
    }
    if is_unread(slots, Slot::Used) {
        slots.set(Slot::Used, "nothing");
    }
    for (part, value) in Part::COMPONENTS.into_iter().zip(text::components(url)) {
        let written = Value::from(value);
        let has_part = !is_unread(slots, Slot::Out(part));
        if has_part && (!has_returned || *slots.value(Slot::Out(part)) == written) {
            continue;
        }
        let resolved = Some(Slot::NoDots).filter(|_| part == Part::Path && !has_returned);
        let mut holding = resolved.into_iter().chain([Slot::Ref(part), Slot::Base(part)]);
        match holding.find(|slot| *slots.value(*slot) == written) {
            Some(slot) => slots.copy(Slot::Out(part), slot),
            None => {
                slots.set(Slot::Out(part), written);
            }
        }
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// The slots.
    pub slots: Slots,
    /// The target, or why the input is rejected.
    pub outcome: Result<String, Rejected>,
    /// The label of the step that ended the run.
    pub ended: &'static str,
    /// Whether that step returned a text as it was given.
    pub has_returned: bool,
    /// The label of the step that only put the target together from what the steps before had decided.
    pub put_together: Option<&'static str>,
    /// The labels and sentences of the steps that ran, or more; empty if histories are not recorded.
    pub steps: Vec<StepText>,
    /// The implementation of the URL Standard whose steps ran, if histories are recorded. They are not among `steps`.
    pub standard: Option<Implementation>,
    /// The question that the run answers. The parts of one about a URL are those that the library states, and not those of its result.
    pub question: Question,
    /// Whether a port that is not stated is compared as the default one of the scheme.
    pub has_default_port: bool,
    /// Whether the components are UTF-8. Bytes that are not are U+FFFD in the slots.
    pub is_text: bool,
    /// Whether the components are the whole answer: not for a check of whose answer only they are described.
    pub is_decided: bool,
    /// Whether there is an answer: not if it depends on the machine, which is then why the input is rejected.
    pub is_known: bool,
    /// The name for which a client asks a name server before it rejects the URL.
    pub asked: Option<String>,
}

impl Run {
    /// Returns a run of an algorithm that does not answer.
    pub(crate) fn unanswered(why: &str) -> Self {
        let rejected = Rejected { slot: Slot::Result, step: "", why: why.to_owned() };
        Self {
            slots: Slots::new(),
            outcome: Err(rejected),
            ended: "",
            has_returned: false,
            put_together: None,
            steps: Vec::new(),
            standard: None,
            question: Question::Resolve,
            has_default_port: false,
            is_text: true,
            is_decided: true,
            is_known: true,
            asked: None,
        }
    }

    /// Returns the target, if there is one.
    pub fn url(&self) -> Option<&str> {
        self.outcome.as_deref().ok()
    }

    /// Returns the step with a label.
    pub fn text_of(&self, label: &'static str) -> StepText {
        let found = self.steps.iter().copied().find(|step| step.label == label);
        let found = found.or_else(|| self.standard.as_ref()?.step(label));
        found.unwrap_or(StepText { label, text: "" })
    }

    /// Returns whether the step that wrote the target only put it together, so that it is not why two targets differ.
    pub(crate) fn is_put_together(&self) -> bool {
        let steps = self.slots.history(Slot::Result).last().map(|write| write.steps.as_slice());
        matches!(steps, Some([step]) if self.put_together == Some(step))
    }

    /// Returns the first step that reads the text of a slot: the earliest one that wrote a component of it.
    pub(crate) fn reader(&self, slot: Slot) -> Option<StepText> {
        let of = match slot {
            Slot::Base(Part::Text) => Slot::Base,
            Slot::Ref(Part::Text) => Slot::Ref,
            _ => return None,
        };
        let components = Part::COMPONENTS.into_iter().flat_map(|part| self.slots.history(of(part)).first());
        let labels: Vec<&str> = components.flat_map(|write| write.steps.first().copied()).collect();
        self.steps.iter().copied().find(|step| labels.contains(&step.label))
    }

    /// Returns the components that the target states, in the order of [`Part::ALL`]: `None` for one that is absent. A component that was not
    /// written is not stated, and of a connection only the host and the port are. `None` for a rejection.
    pub fn stated(&self) -> Option<Vec<(Part, Option<String>)>> {
        self.outcome.as_ref().ok()?;
        let value = |part: Part| match self.slots.value(Slot::Out(part)) {
            Value::Unread => None,
            value => Some((part, value.text().map(str::to_owned))),
        };
        let is_stated = |part: &Part| match self.question {
            Question::Connect => matches!(part, Part::Host | Part::Port),
            _ => !matches!(part, Part::Text | Part::Params),
        };
        Some(Part::ALL.into_iter().filter(is_stated).filter_map(value).collect())
    }

    /// Returns the parts by which the run is compared with another one: what it states, or the components of its result. `None` for a
    /// rejection.
    ///
    /// In a statement, an absent component equals an empty one, because many libraries cannot tell these apart; a host is in lower case, and
    /// an IPv6 address in brackets.
    pub(crate) fn parts(&self) -> Option<Vec<(Part, Option<String>)>> {
        if self.question.has_target() {
            let parts = Part::COMPONENTS.into_iter().zip(text::components(self.url()?));
            // A client goes to the same place with another path.
            let is_compared = |part: Part| self.question == Question::Resolve || part <= Part::Authority;
            let parts = parts.filter(|(part, _)| is_compared(*part));
            return Some(parts.map(|(part, value)| (part, value.map(str::to_owned))).collect());
        }
        let stated = self.stated()?;
        let scheme = stated.iter().find(|(part, _)| *part == Part::Scheme).and_then(|(_, value)| value.clone());
        let default = scheme.filter(|_| self.has_default_port).map_or("", |scheme| default_port(&scheme));
        let compared = stated.into_iter().map(|(part, value)| match (part, value.unwrap_or_default()) {
            (Part::Port, port) if port.is_empty() => (part, Some(default.to_owned())),
            (part, value) => (part, Some(alike(part, &value))),
        });
        Some(compared.collect())
    }

    /// Returns what the target states, as `name=value` of its user, password, host, port and path, query and fragment; `None` for a rejection.
    pub fn statement(&self) -> Option<String> {
        self.outcome.as_ref().ok()?;
        let parts = Part::ALL
            .iter()
            .filter_map(|part| self.slots.text(Slot::Out(*part)).map(|text| format!("{}={text}", part.name())));
        Some(parts.collect::<Vec<_>>().join(" "))
    }
}

/// Returns the default port of a scheme of the web, in any case; empty for another one.
pub(crate) fn default_port(scheme: &str) -> &'static str {
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        _ => "",
    }
}

/// Returns a component of a statement as it is compared.
pub(crate) fn alike(part: Part, value: &str) -> String {
    match part {
        Part::Host if value.contains(':') && !value.starts_with('[') => format!("[{}]", value.to_lowercase()),
        Part::Host => value.to_lowercase(),
        _ => value.to_owned(),
    }
}
