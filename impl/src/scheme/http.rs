//! The scheme http, §3.3: a path and a search part, which a client sends as they are written.

use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::{Action, first_of};
use super::{EncodedText, Field, Form, HostPort, Part, PartReader, Scheme, host_fields, maybe, read_part};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 80;

pub(super) const SCHEME: Scheme = Scheme {
    name: "http",
    section: "3.3",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Http),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Http>> = &[
    ("3.3 user", "reject a user or a password", user),
    (
        "3.3 slash",
        "reject a ? before the slash: the slash may be omitted only together with path and search part",
        slash,
    ),
    ("3.3 host", "two slashes and a host must follow; the default port is 80", host),
    ("3.3 nothing more", "without a slash there is neither path nor search part", nothing_more),
    ("3.3 path", "the part before the first ? is the path", path),
    ("3.3 searchpart", "the part after it is the search part", searchpart),
];

/// `//host:port/path?searchpart` (§3.3).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Http {
    /// Host and port.
    pub at: HostPort,
    /// The path after the slash, or `None` if the slash is absent too.
    pub path: Option<EncodedText>,
    /// The search part, if there is a `?`.
    pub search: Option<EncodedText>,
}

impl Http {
    /// Returns the request target: the path with its slash, and the search part, both as they are written.
    pub fn target(&self) -> alloc::string::String {
        let path = self.path.as_ref().map_or("", EncodedText::raw);
        self.search.as_ref().map_or_else(|| format!("/{path}"), |search| format!("/{path}?{search}"))
    }
}

fn user(s: &mut PartReader<Http>) -> Next {
    s.without_user("3.3")
}

fn slash(s: &mut PartReader<Http>) -> Next {
    if s.common.host.as_ref().is_some_and(|host| host.contains('?')) {
        return s.reject(
            "3.3",
            "a search part without a slash before it: the slash may be omitted only if nothing follows",
        );
    }
    Continue
}

fn host(s: &mut PartReader<Http>) -> Next {
    match s.connect("3.3", PORT) {
        Ok(at) => s.part.at = at,
        Err(done) => return done,
    }
    Continue
}

fn nothing_more(s: &mut PartReader<Http>) -> Next {
    if s.common.url_path.is_none() { Done } else { Continue }
}

fn path(s: &mut PartReader<Http>) -> Next {
    let end = s.rest.find('?').unwrap_or(s.rest.len());
    s.part.path = Some(EncodedText::piece(&s.rest[..end]));
    s.rest.drain(..end);
    Continue
}

fn searchpart(s: &mut PartReader<Http>) -> Next {
    if s.rest.starts_with('?') {
        s.rest.drain(..1);
        s.part.search = Some(s.take_rest());
    }
    Continue
}

impl Part for Http {
    fn fields(&self) -> Vec<Field> {
        let mut fields = host_fields(&self.at);
        fields.extend([maybe("path", self.path.as_ref()), maybe("searchpart", self.search.as_ref())]);
        fields
    }

    fn actions(&self) -> Vec<Action> {
        let target = self.target().into_bytes();
        let breaks = first_of(&target, b"\r\n ");
        vec![Action::connect(&self.at, PORT), Action::Perform("request", vec![target]).unless(breaks)]
    }
}

impl fmt::Display for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.at)?;
        self.path.as_ref().map_or(Ok(()), |path| write!(f, "/{path}"))?;
        self.search.as_ref().map_or(Ok(()), |search| write!(f, "?{search}"))
    }
}
