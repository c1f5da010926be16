//! The variables of the algorithms, and the small operations that the steps share.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::changes::{self, ChangeSet, When};
use super::implementation::{Implementation, Machine, OwnStep};
use super::percent::{self, EncodeSet};
use super::slots::Cut;
use super::{authority, basic, file, host, ipv4, ipv6, path, serialize};
use crate::slots::{Part, Slot};
use crate::step::{self, Next, Next::Done, Recorder, Show};

/// A step: its label, its paraphrase, the changes between which it exists, and its function.
pub(super) type Row = (&'static str, &'static str, When, fn(&mut State) -> Next);

/// An algorithm or a state: its name and its steps.
pub(super) type Algorithm = (&'static str, &'static [Row]);

/// Every algorithm and every state, in the order of the newest text.
pub(super) static ALGORITHMS: &[Algorithm] = &[
    host::DOMAIN,
    host::HOST,
    ipv4::ENDS_IN_NUMBER,
    ipv4::PARSER,
    ipv4::NUMBER,
    ipv6::PARSER,
    host::OPAQUE,
    serialize::HOST,
    ipv4::SERIALIZER,
    ipv6::SERIALIZER,
    ipv6::COMPRESSED,
    path::SHORTEN,
    basic::PARSER,
    basic::SCHEME_START,
    basic::SCHEME,
    basic::NO_SCHEME,
    basic::SPECIAL_RELATIVE_OR_AUTHORITY,
    basic::PATH_OR_AUTHORITY,
    basic::RELATIVE,
    basic::RELATIVE_SLASH,
    authority::SPECIAL_SLASHES,
    authority::SPECIAL_IGNORE_SLASHES,
    authority::AUTHORITY,
    authority::HOST,
    authority::PORT,
    file::FILE,
    file::FILE_SLASH,
    file::FILE_HOST,
    path::PATH_START,
    path::PATH,
    path::OPAQUE_PATH,
    path::QUERY,
    path::FRAGMENT,
    serialize::URL,
    serialize::PATH,
    basic::API,
];

impl step::Row for Row {
    type State = State;

    fn label(self) -> &'static str {
        self.0
    }

    fn text(self) -> &'static str {
        self.1
    }

    fn act(self, state: &mut State) -> Next {
        (self.3)(state)
    }

    fn run(self, state: &mut State) -> (&'static str, &'static str, Next) {
        let mut at = 0;
        while let Some(&own) = state.own.get(at) {
            at += 1;
            if own.instead_of != self.0 {
                continue;
            }
            state.recorder.begin(own.label);
            if let Some(next) = (own.run)(&mut Machine(state)) {
                return (own.label, own.text, next);
            }
        }
        state.recorder.begin(self.0);
        (self.0, self.1, (self.3)(state))
    }

    fn applies(self, state: &State) -> bool {
        self.2.holds(state.landed)
    }

    fn algorithm(name: &'static str) -> Option<&'static [Self]> {
        ALGORITHMS.iter().find(|algorithm| algorithm.0 == name).map(|algorithm| algorithm.1)
    }
}

/// A host (§3.1).
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Host {
    /// A domain, an opaque host, or the empty host.
    Name(String),
    /// An IPv4 address.
    Ipv4(u32),
    /// The pieces of an IPv6 address.
    Ipv6([u16; 8]),
}

/// A URL path (§4.1).
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Path {
    /// One segment, without structure.
    Opaque(String),
    /// The segments.
    List(Vec<String>),
}

impl Path {
    /// Returns the first segment of a path that is a list.
    pub(super) fn first(&self) -> Option<&String> {
        match self {
            Self::Opaque(_) => None,
            Self::List(segments) => segments.first(),
        }
    }
}

/// A URL record (§4.1).
#[derive(Clone, Debug)]
pub(super) struct Url {
    pub(super) scheme: String,
    pub(super) username: String,
    /// `None` is the empty password. Until 5e0b05e, the empty password and none are different.
    pub(super) password: Option<String>,
    pub(super) host: Option<Host>,
    /// The decimal digits of the port.
    pub(super) port: Option<String>,
    pub(super) path: Path,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

impl Url {
    pub(super) const fn new() -> Self {
        Self {
            scheme: String::new(),
            username: String::new(),
            password: None,
            host: None,
            port: None,
            path: Path::List(Vec::new()),
            query: None,
            fragment: None,
        }
    }

    pub(super) fn includes_credentials(&self) -> bool {
        !self.username.is_empty() || self.password.is_some()
    }

    pub(super) fn has_opaque_path(&self) -> bool {
        matches!(self.path, Path::Opaque(_))
    }

    /// Returns the segments of a path that is a list. An opaque path has none.
    pub(super) fn segments(&self) -> &[String] {
        match &self.path {
            Path::Opaque(_) => &[],
            Path::List(segments) => segments,
        }
    }

    /// Appends a segment. An opaque path is left as it is.
    pub(super) fn push_segment(&mut self, segment: String) {
        if let Path::List(segments) = &mut self.path {
            segments.push(segment);
        }
    }

    /// Appends an encoded code point to the opaque path.
    pub(super) fn push_opaque(&mut self, c: char, set: EncodeSet, landed: ChangeSet) {
        if let Path::Opaque(path) = &mut self.path {
            percent::encode(c, set, landed, path);
        }
    }
}

/// A failure: the section with the label of the step, and the reason.
pub(super) type Failure = (&'static str, &'static str);

/// The variables of all algorithms.
pub(super) struct State {
    /// The changes that define the state of the Standard.
    pub(super) landed: ChangeSet,
    /// The steps that an implementation does otherwise.
    pub(super) own: Vec<&'static OwnStep>,
    /// The positions of the code points before which tabs or newlines were removed, if there are own steps.
    pub(super) removed: Vec<usize>,
    /// What they remember while a text is parsed.
    pub(super) marks: Vec<&'static str>,
    /// The strings that the API URL parser has not parsed yet: the base, if there is one, and the reference.
    pub(super) base_text: Option<Vec<char>>,
    pub(super) reference: Vec<char>,
    /// The base URL.
    pub(super) base: Option<Url>,
    pub(super) input: Vec<char>,
    /// The position in the input, or -1 for a pointer that points nowhere.
    pub(super) pointer: isize,
    /// The name of the state of the state machine; empty before it runs.
    pub(super) state: &'static str,
    pub(super) buffer: String,
    pub(super) at_sign_seen: bool,
    pub(super) inside_brackets: bool,
    pub(super) password_token_seen: bool,
    /// The code points that a loop of the authority state has not seen yet, and the current one.
    pub(super) code_points: alloc::vec::IntoIter<char>,
    pub(super) code_point: char,
    pub(super) encoded: String,
    pub(super) url: Url,
    /// The input of the host parser, and its result.
    pub(super) host_input: String,
    pub(super) domain: String,
    pub(super) ascii_domain: Option<String>,
    pub(super) host: Option<Host>,
    pub(super) v4: ipv4::Variables,
    pub(super) v6: ipv6::Variables,
    /// What a serializer returns: that of an address, and that of a URL.
    pub(super) address: String,
    pub(super) output: String,
    /// The last validation error of the current code point. It has no effect on the result.
    pub(super) validation_error: &'static str,
    /// The first failure.
    pub(super) failure: Option<Failure>,
    /// The slots, if they are recorded: those of the text that is parsed, and where its components begin.
    pub(super) recorder: Recorder,
    pub(super) of: fn(Part) -> Slot,
    pub(super) cut: Cut,
}

impl State {
    pub(super) fn new(implementation: &Implementation, base: &str, reference: &str) -> Self {
        Self {
            landed: implementation.landed.effective(),
            own: implementation.own.clone(),
            removed: Vec::new(),
            marks: Vec::new(),
            base_text: (!base.is_empty()).then(|| base.chars().collect()),
            reference: reference.chars().collect(),
            base: None,
            input: Vec::new(),
            pointer: 0,
            state: "",
            buffer: String::new(),
            at_sign_seen: false,
            inside_brackets: false,
            password_token_seen: false,
            code_points: Vec::new().into_iter(),
            code_point: '\0',
            encoded: String::new(),
            url: Url::new(),
            host_input: String::new(),
            domain: String::new(),
            ascii_domain: None,
            host: None,
            v4: ipv4::Variables::default(),
            v6: ipv6::Variables::default(),
            address: String::new(),
            output: String::new(),
            validation_error: "",
            failure: None,
            recorder: Recorder::default(),
            of: Slot::Ref,
            cut: Cut::default(),
        }
    }

    pub(super) fn has(&self, change: changes::Id) -> bool {
        self.landed.has(change)
    }

    /// Notes where tabs and newlines are, which are removed next.
    pub(super) fn note_removed(&mut self) {
        self.removed.clear();
        if self.own.is_empty() {
            return;
        }
        let mut kept = 0;
        for c in &self.input {
            match c {
                '\t' | '\n' | '\r' if self.removed.last() != Some(&kept) => self.removed.push(kept),
                '\t' | '\n' | '\r' => {}
                _ => kept += 1,
            }
        }
    }

    /// Returns the code point at the pointer, or `None` at the end of the input.
    pub(super) fn c(&self) -> Option<char> {
        self.at(0)
    }

    /// Returns the code point at a distance from the pointer, or `None` after the end of the input.
    pub(super) fn at(&self, distance: isize) -> Option<char> {
        self.input.get(usize::try_from(self.pointer + distance).ok()?).copied()
    }

    pub(super) fn is(&self, c: char) -> bool {
        self.c() == Some(c)
    }

    /// Returns whether `c` is a slash, or a backslash in a special URL.
    pub(super) fn is_slash(&self) -> bool {
        self.is('/') || self.is_backslash()
    }

    /// Returns whether `c` is a backslash, and the URL is special.
    pub(super) fn is_backslash(&self) -> bool {
        self.is('\\') && self.is_special()
    }

    /// Returns whether `c` ends an authority: the end of the input, a slash, `?` or `#`.
    pub(super) fn ends_authority(&self) -> bool {
        matches!(self.c(), None | Some('/' | '?' | '#')) || self.is_backslash()
    }

    /// Returns whether `c` is a tab or newline, which some states ignored before 7b40216.
    pub(super) fn is_tab_or_newline(&self) -> bool {
        matches!(self.c(), Some('\t' | '\n' | '\r'))
    }

    /// Returns whether the input has a slash after the pointer.
    pub(super) fn slash_follows(&self) -> bool {
        self.at(1) == Some('/')
    }

    /// Continues the state machine in `state` with the next code point.
    pub(super) fn go(&mut self, state: &'static str) -> Next {
        self.state = state;
        self.enter(state);
        Done
    }

    /// Continues the state machine in `state` with the same code point.
    pub(super) fn go_back(&mut self, state: &'static str) -> Next {
        self.pointer -= 1;
        self.go(state)
    }

    /// At `?`, continues the state machine in the query state with an empty query.
    pub(super) fn begin_query(&mut self) -> Next {
        if !self.is('?') {
            return Next::Continue;
        }
        self.url.query = Some(String::new());
        self.go("query")
    }

    /// At `#`, continues the state machine in the fragment state with an empty fragment.
    pub(super) fn begin_fragment(&mut self) -> Next {
        if !self.is('#') {
            return Next::Continue;
        }
        self.url.fragment = Some(String::new());
        self.go("fragment")
    }

    /// At two slashes, continues the state machine after them, in the special authority ignore slashes state.
    pub(super) fn skip_two_slashes(&mut self) -> Next {
        if !(self.is('/') && self.slash_follows()) {
            return Next::Continue;
        }
        self.pointer += 1;
        self.go("special authority ignore slashes")
    }

    /// Records a validation error and goes on.
    pub(super) fn note(&mut self, error: &'static str) -> Next {
        self.validation_error = error;
        Next::Continue
    }

    /// Records the validation errors of a code point that is not part of a valid URL.
    pub(super) fn note_url_units(&mut self) -> Next {
        match self.c() {
            Some(c) if c != '%' && !percent::is_url_code_point(c) => self.note("invalid-URL-unit"),
            _ => Next::Continue,
        }
    }

    /// Records the validation error of a percent sign without two digits.
    pub(super) fn note_percent_sign(&mut self) -> Next {
        let digit = |distance| self.at(distance).is_some_and(|c| c.is_ascii_hexdigit());
        if self.is('%') && !(digit(1) && digit(2)) { self.note("invalid-URL-unit") } else { Next::Continue }
    }

    /// Ends the algorithm with failure. The first reason is kept.
    pub(super) fn fail(&mut self, section: &'static str, why: &'static str) -> Next {
        if self.failure.is_none() {
            self.failure = Some((section, why));
            self.rejects(section, why);
        }
        Done
    }

    /// Appends `c` to the buffer.
    pub(super) fn push(&mut self) -> Next {
        self.buffer.extend(self.c());
        Done
    }

    pub(super) fn is_special(&self) -> bool {
        self.is_special_scheme(&self.url.scheme)
    }

    /// Returns whether the scheme is special (§4.2).
    pub(super) fn is_special_scheme(&self, scheme: &str) -> bool {
        matches!(scheme, "ftp" | "file" | "http" | "https" | "ws" | "wss")
            || scheme == "gopher" && !self.has(changes::CD589670)
    }

    /// Returns the default port of the URL's scheme (§4.2).
    pub(super) fn default_port(&self) -> Option<&'static str> {
        match self.url.scheme.as_str() {
            "ftp" => Some("21"),
            "gopher" if !self.has(changes::CD589670) => Some("70"),
            "http" | "ws" => Some("80"),
            "https" | "wss" => Some("443"),
            _ => None,
        }
    }

    /// Returns whether the input starts with a Windows drive letter at the pointer (§4.2).
    pub(super) fn starts_with_drive_letter(&self) -> bool {
        let ends = match self.at(2) {
            None => self.has(changes::CFE6B251),
            Some(c) => matches!(c, '/' | '\\' | '?' | '#'),
        };
        self.c().is_some_and(|c| c.is_ascii_alphabetic()) && matches!(self.at(1), Some(':' | '|')) && ends
    }
}

/// Returns whether `text` is a Windows drive letter (§4.2).
pub(super) fn is_drive_letter(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns whether `text` is a normalized Windows drive letter (§4.2).
pub(super) fn is_normalized_drive_letter(text: &str) -> bool {
    is_drive_letter(text) && text.ends_with(':')
}

impl Show for State {
    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }

    fn show(&self) -> String {
        let Url { scheme, username, password, host, port, path, query, fragment } = &self.url;
        let host = host.as_ref().map(|host| match host {
            Host::Name(name) => name.clone(),
            Host::Ipv4(address) => format!("{address:#010x}"),
            Host::Ipv6(pieces) => format!("{pieces:x?}"),
        });
        let path = match path {
            Path::Opaque(path) => Some(path.clone()),
            Path::List(segments) => (!segments.is_empty()).then(|| format!("{segments:?}")),
        };
        let set = |text: &'static str| (!text.is_empty()).then_some(text);
        let of = |text: &'_ String| (!text.is_empty()).then(|| text.clone());
        let v4 = (!self.v4.numbers.is_empty()).then(|| format!("{:?}", self.v4.numbers));
        let v6 = (self.v6.piece_index > 0).then(|| self.v6.show());
        let values: [(&str, Option<String>); 15] = [
            ("state", set(self.state).map(ToString::to_string)),
            ("buffer", of(&self.buffer)),
            ("scheme", of(scheme)),
            ("username", of(username)),
            ("password", password.clone()),
            ("host", host),
            ("port", port.clone()),
            ("path", path),
            ("query", query.clone()),
            ("fragment", fragment.clone()),
            ("domain", self.ascii_domain.clone().or_else(|| of(&self.domain))),
            ("numbers", v4),
            ("pieces", v6),
            ("output", of(&self.address).or_else(|| of(&self.output))),
            ("validation-error", set(self.validation_error).map(ToString::to_string)),
        ];
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        super::super::pairs(&values)
    }
}
