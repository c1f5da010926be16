//! The slots of a run: what the parser cuts off, takes from the base and writes.
//!
//! The machine reads code point by code point. A component is cut when the state that reads it is entered, by looking ahead to the code
//! point that ends it; what the states do to it are later writes. Nothing here runs unless slots are recorded.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::changes::{CA8D5CA3, CA19495E, CAB0E820, CB266A43, CC3A454C, CCDBCCE6};
use super::machine::{Host, Path, State};
use super::serialize;
use crate::slots::{Part, Slot};
use crate::step::{Trace, run};

/// Where the components of the text that is parsed begin and end.
#[derive(Clone, Copy, Default)]
pub(super) struct Cut {
    /// The position after the colon of the scheme; 0 without a scheme.
    after_scheme: usize,
    has_authority: bool,
    /// Whether the authority was written as absent.
    has_no_authority: bool,
    /// Whether path, query and fragment were cut.
    has_rest: bool,
    /// Whether the target takes the whole path of the base, or its folder.
    takes_path: bool,
    takes_folder: bool,
}

impl State {
    fn own(&self, part: Part) -> Slot {
        (self.of)(part)
    }

    pub(super) fn is_base(&self) -> bool {
        self.own(Part::Text) == Slot::Base(Part::Text)
    }

    /// Returns the slot in which a component is rewritten: the base's, or the target's.
    fn rewritten(&self, part: Part) -> Slot {
        if self.is_base() { Slot::Base(part) } else { Slot::Out(part) }
    }

    /// Records that the step that runs rewrites a component.
    pub(super) fn rewrites(&mut self, part: Part) {
        let slot = if part == Part::Authority { self.own(part) } else { self.rewritten(part) };
        self.recorder.decide(slot);
    }

    /// Records that the step that runs decides that the base is used.
    pub(super) fn uses_base(&mut self) {
        self.recorder.decide(Slot::Used);
    }

    /// Records that the step that runs replaces the host, which may be the base's.
    pub(super) fn rewrites_host(&mut self) {
        if self.cut.has_authority {
            self.rewrites(Part::Authority);
        } else {
            self.recorder.decide(self.rewritten(Part::Authority));
        }
    }

    /// Records that the step with this label, which has run, rewrites the authority.
    fn rewritten_by(&mut self, step: &'static str) {
        self.recorder.begin(step);
        self.recorder.decide(self.own(Part::Authority));
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.input.get(from..to.max(from)).unwrap_or_default().iter().collect()
    }

    /// Replaces a part of the input.
    fn splice(&mut self, from: usize, to: usize, text: &str) {
        let to = to.min(self.input.len()).max(from.min(self.input.len()));
        let from = from.min(self.input.len());
        self.input.splice(from..to, text.chars());
    }

    fn find(&self, from: usize, ends: impl Fn(char) -> bool) -> usize {
        let rest = self.input.get(from..).unwrap_or_default();
        rest.iter().position(|&c| ends(c)).map_or(self.input.len(), |at| from + at)
    }

    /// Writes the text after it was cleaned.
    pub(super) fn write_text(&mut self) {
        if self.recorder.is_on() {
            let mut text = self.text(0, self.input.len());
            let cleaned = text.clone();
            self.recorder.text(self.own(Part::Text), &mut text);
            if text != cleaned {
                self.input = text.chars().collect();
            }
        }
    }

    /// Writes the scheme as it was cut, and then in lower case.
    pub(super) fn write_scheme(&mut self) {
        if !self.recorder.is_on() {
            return;
        }
        let end = usize::try_from(self.pointer).unwrap_or(0);
        self.cut.after_scheme = end + 1;
        self.recorder.part(self.own(Part::Scheme), &mut Some(self.text(0, end)));
        self.recorder.begin("scheme 1");
        let mut scheme = Some(self.url.scheme.clone());
        self.recorder.part(self.own(Part::Scheme), &mut scheme);
        self.url.scheme = scheme.unwrap_or_default();
    }

    /// Writes that the scheme is absent.
    pub(super) fn write_no_scheme(&mut self) {
        self.recorder.part(self.own(Part::Scheme), &mut None);
    }

    /// Cuts what `state`, which begins at the next code point, reads.
    pub(super) fn enter(&mut self, state: &'static str) {
        if !self.recorder.is_on() {
            return;
        }
        let start = usize::try_from(self.pointer + 1).unwrap_or(0);
        let is_slash = |s: &Self, at: usize, special: bool| match s.input.get(at) {
            Some('/') => true,
            Some('\\') => special,
            _ => false,
        };
        match state {
            "authority" => self.cut_authority(start, "authority 2", self.is_special()),
            "file host" => self.cut_authority(start, "file host 1", true),
            "relative" | "file" => {
                let base = self.base.as_ref().map(|base| base.scheme.clone()).unwrap_or_default();
                // An own step may read backslashes as slashes in any scheme.
                let has_own = self.own.iter().any(|own| own.instead_of == "relative 3");
                let special = state == "file" || has_own || self.is_special_scheme(&base);
                if !(is_slash(self, start, special) && is_slash(self, start + 1, special)) {
                    let authority = self.cut_no_authority();
                    match authority.filter(|_| state == "relative") {
                        Some(authority) => self.splice(start, start, &["//", &authority].concat()),
                        None => self.cut_rest(self.cut.after_scheme),
                    }
                }
            }
            "opaque path" => self.cut_rest_by(self.cut.after_scheme, "scheme 2.9"),
            "path" | "path start" | "fragment" => self.cut_rest(self.cut.after_scheme),
            _ => {}
        }
    }

    fn cut_authority(&mut self, start: usize, step: &'static str, special: bool) {
        if self.cut.has_authority || self.cut.has_rest {
            return;
        }
        self.cut.has_authority = true;
        self.recorder.decide(self.own(Part::Authority));
        self.recorder.begin(step);
        let end = self.find(start, |c| matches!(c, '/' | '?' | '#') || c == '\\' && special);
        let cut = self.text(start, end);
        let mut authority = Some(cut.clone());
        self.recorder.part(self.own(Part::Authority), &mut authority);
        let authority = authority.unwrap_or_default();
        if authority != cut {
            self.splice(start, end, &authority);
        }
        self.cut_rest(start + authority.chars().count());
    }

    /// Writes the authority as absent, unless it was read. Returns the one that is exchanged for it.
    fn cut_no_authority(&mut self) -> Option<String> {
        let mut authority = None;
        if !self.cut.has_authority && !self.cut.has_no_authority {
            self.cut.has_no_authority = true;
            self.recorder.part(self.own(Part::Authority), &mut authority);
        }
        authority
    }

    fn cut_rest(&mut self, start: usize) {
        self.cut_rest_by(start, "path 1");
    }

    /// Cuts the path, which `step` ends, the query and the fragment.
    fn cut_rest_by(&mut self, start: usize, step: &'static str) {
        if self.cut.has_rest {
            return;
        }
        self.cut.has_rest = true;
        self.cut_no_authority();
        let path_end = self.find(start, |c| matches!(c, '?' | '#'));
        let query_end = self.find(path_end, |c| c == '#');
        let before = self.text(start, self.input.len());
        let mut path = self.text(start, path_end);
        let mut query = (query_end > path_end).then(|| self.text(path_end + 1, query_end));
        let mut fragment = (query_end < self.input.len()).then(|| self.text(query_end + 1, self.input.len()));
        self.recorder.begin(step);
        self.recorder.text(self.own(Part::Path), &mut path);
        self.recorder.begin("query 2");
        self.recorder.part(self.own(Part::Query), &mut query);
        self.recorder.begin("fragment 1");
        self.recorder.part(self.own(Part::Fragment), &mut fragment);
        let mut rest = path;
        for (mark, part) in [("?", query), ("#", fragment)] {
            if let Some(part) = part {
                rest.extend([mark, &part]);
            }
        }
        if rest != before {
            self.splice(start, self.input.len(), &rest);
        }
    }

    /// Records that a part is taken from the base.
    pub(super) fn takes(&mut self, part: Part) {
        match part {
            Part::Scheme if self.cut.after_scheme > 0 => {}
            Part::Path => {
                self.cut.takes_path = true;
                self.recorder.inherit_as("path");
                self.recorder.flow(Slot::Merged, Slot::Base(Part::Path));
            }
            part => self.recorder.inherit(part),
        }
    }

    /// Records that parts are taken from the base if the code point at the pointer is `at`; `None` is the end of the text.
    pub(super) fn takes_at(&mut self, at: Option<char>, parts: &[Part]) {
        if self.recorder.is_on() && self.c() == at {
            parts.iter().for_each(|part| self.takes(*part));
        }
    }

    /// Records that the step that runs decides to take nothing else from the base.
    pub(super) fn takes_nothing_else(&mut self) {
        self.recorder.keep(Slot::Used);
    }

    /// Records that the folder of the base's path is taken: the first of `steps` removes the query, the second one shortens the path, and the third
    /// one runs.
    pub(super) fn takes_folder(&mut self, [removes, shortens, step]: [&'static str; 3]) {
        if !self.recorder.is_on() {
            return;
        }
        self.cut.takes_folder = true;
        self.recorder.begin(removes);
        self.recorder.decide(Slot::Used);
        self.recorder.begin(shortens);
        self.recorder.inherit_as("folder");
        let mut merged = String::new();
        for segment in self.url.segments() {
            merged.extend(["/", segment]);
        }
        merged.push('/');
        let start = self.cut.after_scheme;
        merged += &self.text(start, self.find(start, |c| matches!(c, '?' | '#')));
        self.recorder.text(Slot::Merged, &mut merged);
        self.recorder.begin(step);
    }

    /// Records what the host parser did to the authority.
    pub(super) fn writes_host(&mut self) {
        if !self.recorder.is_on() {
            return;
        }
        // A host that is left as it is was not rewritten.
        if self.serialized(serialize::HOST.1) == self.host_input {
            return;
        }
        let step = match &self.url.host {
            Some(Host::Ipv4(_)) if self.landed.has(CAB0E820) => "host parser 8",
            Some(Host::Ipv4(_)) => "host parser 8 (83adf0c)",
            Some(Host::Ipv6(_)) => "host parser 1.2",
            // The empty host instead of localhost has a step of its own.
            Some(Host::Name(name)) if name.is_empty() && self.domain.eq_ignore_ascii_case("localhost") => return,
            Some(Host::Name(_)) if !self.is_special() && self.landed.has(CCDBCCE6) => "opaque host 4",
            Some(Host::Name(_)) if self.domain != self.host_input => "host parser 5",
            Some(Host::Name(_)) if self.domain.is_ascii() && self.landed.has(CA8D5CA3) => "domain 5",
            Some(Host::Name(_)) => "domain 6.1",
            None => return,
        };
        self.rewritten_by(step);
    }

    /// Records a failure.
    pub(super) fn rejects(&mut self, section: &'static str, why: &'static str) {
        let slot = match section {
            "4.4 no scheme 1" if self.is_base() || self.base.is_none() => Slot::Base(Part::Scheme),
            "4.4 no scheme 1" => Slot::Base(Part::Path),
            "6.1 API 2.2" => Slot::Base(Part::Text),
            _ => self.own(Part::Authority),
        };
        self.recorder.reject(slot, why);
    }

    /// Writes the components after they were parsed: those of the base, or those of the target.
    pub(super) fn write_components(&mut self) {
        if !self.recorder.is_on() {
            return;
        }
        let step = "basic 10";
        let mut authority = self.url.host.is_some().then(|| self.authority());
        let mut path = self.path();
        if self.cut.has_authority {
            self.write_own_authority(&mut authority);
        }
        self.recorder.begin(step);
        self.recorder.only_writes();
        if !self.is_base() {
            let has_scheme = self.cut.after_scheme > 0;
            let scheme = if has_scheme { Slot::Ref(Part::Scheme) } else { Slot::Base(Part::Scheme) };
            self.recorder.flow(Slot::Out(Part::Scheme), scheme);
            // What is inherited has been written.
            if self.cut.has_authority || !self.recorder.has(Slot::Out(Part::Authority)) {
                self.recorder.begin(match self.url.host {
                    Some(_) if self.url.scheme != "file" => "host 3.5",
                    _ => step,
                });
                self.recorder.only_writes();
                self.recorder.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            }
            let from_path =
                if self.cut.takes_path || self.cut.takes_folder { Slot::Merged } else { Slot::Ref(Part::Path) };
            // A path is kept by the step that appends its segments, or says that it is opaque.
            self.recorder.begin(match self.url.path {
                Path::List(_) => "path 1.4.2",
                Path::Opaque(_) if has_scheme => "scheme 2.9",
                Path::Opaque(_) => "no scheme 2",
            });
            self.recorder.only_writes();
            self.recorder.flow(Slot::Out(Part::Path), from_path);
            self.recorder.begin(step);
            self.recorder.only_writes();
            self.recorder.flow(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            if !self.recorder.has(Slot::Out(Part::Query)) {
                self.recorder.flow(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            }
            if !self.recorder.has(Slot::Used) {
                self.recorder.begin(if has_scheme { "scheme 2.2" } else { step });
                self.recorder.nothing();
                self.recorder.begin(step);
                self.recorder.only_writes();
            }
            let mut scheme = Some(self.url.scheme.clone());
            self.recorder.part(Slot::Out(Part::Scheme), &mut scheme);
            self.url.scheme = scheme.unwrap_or_default();
            if self.url.scheme == "file" && !self.cut.has_authority {
                self.recorder.begin(match () {
                    () if self.landed.has(CA19495E) => "file 2",
                    () if self.landed.has(CB266A43) => "URL serializer 3 (83adf0c)",
                    () => "URL serializer 2 (05cbe06)",
                });
            }
            self.write_authority(Slot::Out(Part::Authority), &mut authority);
            self.recorder.begin(step);
            self.recorder.only_writes();
        }
        // The value without a writing step consists of the appended segments.
        if matches!(self.url.path, Path::List(_)) {
            self.recorder.begin("path 1.4.2");
            self.recorder.only_writes();
        }
        let written = path.clone();
        self.recorder.text(self.rewritten(Part::Path), &mut path);
        self.recorder.begin(step);
        self.recorder.only_writes();
        if path != written {
            self.url.path = match (&self.url.path, path.strip_prefix('/')) {
                (Path::Opaque(_), _) => Path::Opaque(path),
                (Path::List(_), _) if path.is_empty() => Path::List(Vec::new()),
                (Path::List(_), rest) => Path::List(rest.unwrap_or(&path).split('/').map(ToOwned::to_owned).collect()),
            };
        }
        self.recorder.part(self.rewritten(Part::Query), &mut self.url.query);
        self.recorder.part(self.rewritten(Part::Fragment), &mut self.url.fragment);
    }

    /// Writes the authority that was cut, as the steps that read it left it.
    fn write_own_authority(&mut self, authority: &mut Option<String>) {
        let slot = self.own(Part::Authority);
        let cut = self.recorder.written(slot).unwrap_or_default().to_owned();
        let userinfo = cut.rsplit_once('@').map(|(userinfo, _)| userinfo);
        let is_empty = matches!(userinfo, Some("" | ":"));
        let is_number = cut.rsplit_once(':').is_none_or(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        let is_file = self.url.scheme == "file";
        // An empty name and an empty port are lost without a step that says so.
        self.recorder.begin(match self.url.host {
            None if is_file => "file host 1.1",
            Some(_) if is_file => "file host 1.3.3",
            _ if userinfo.is_some() && !is_empty => "authority 1.3",
            _ if is_number && self.landed.has(CC3A454C) => "port 2.1",
            _ => "port 2",
        });
        self.recorder.only_writes();
        // Empty credentials are not written. Until then, they are there.
        let lost = match (userinfo, &self.url.password) {
            (Some(userinfo), _) if is_empty => Some(("URL serializer 2.2", userinfo, "@")),
            (Some(userinfo), None) if userinfo.ends_with(':') => Some(("URL serializer 2.2.2", "", ":@")),
            _ => None,
        };
        if let (Some((step, before, at)), Some(rest)) = (lost, authority.as_deref()) {
            let rest = if is_empty { [at, rest].concat() } else { rest.replacen('@', at, 1) };
            self.recorder.part(slot, &mut Some([before, &rest].concat()));
            self.recorder.begin(step);
        }
        self.write_authority(slot, authority);
    }

    /// Writes that the result has an empty authority, which the URL lacks.
    pub(super) fn writes_empty_authority(&mut self) {
        if self.recorder.is_on() && !self.is_base() {
            self.recorder.part(Slot::Out(Part::Authority), &mut Some(String::new()));
        }
    }

    fn write_authority(&mut self, slot: Slot, authority: &mut Option<String>) {
        let written = authority.clone();
        self.recorder.part(slot, authority);
        if *authority != written {
            // What was exchanged is not divided: it is written as it is.
            self.url.username.clear();
            (self.url.password, self.url.port) = (None, None);
            self.url.host = authority.clone().map(Host::Name);
        }
    }

    /// Returns the serialized path.
    fn path(&mut self) -> String {
        self.serialized(serialize::PATH.1)
    }

    /// Returns the serialized credentials, host and port.
    fn authority(&mut self) -> String {
        let host = self.serialized(serialize::HOST.1);
        let mut text = String::new();
        if self.url.includes_credentials() {
            text += &self.url.username;
            if let Some(password) = &self.url.password {
                text.extend([":", password]);
            }
            text.push('@');
        }
        text += &host;
        if let Some(port) = &self.url.port {
            text.extend([":", port]);
        }
        text
    }

    fn serialized(&mut self, steps: &[super::machine::Row]) -> String {
        let recorder = core::mem::take(&mut self.recorder);
        let output = core::mem::take(&mut self.output);
        run(steps, self, &mut Trace::off());
        self.recorder = recorder;
        core::mem::replace(&mut self.output, output)
    }

    /// Prepares the text of the base or of the reference for its components.
    pub(super) fn begin_text(&mut self, of: fn(Part) -> Slot) {
        self.of = of;
        self.cut = Cut::default();
        self.marks.clear();
    }

    /// Takes the texts that are exchanged for the given ones.
    pub(super) fn given(&mut self, base: &str, reference: &str) {
        if self.recorder.is_on() {
            let [base, reference] = self.recorder.given(base, reference);
            self.base_text = (!base.is_empty()).then(|| base.chars().collect());
            self.reference = reference.to_owned().chars().collect::<Vec<_>>();
        }
    }
}
