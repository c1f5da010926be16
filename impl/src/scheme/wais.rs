//! The scheme wais, §3.9: a database, a search in it, or a document of it.

use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::Action;
use super::{EncodedText, Field, Form, HostPort, Part, PartReader, Scheme, Value, host_fields, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 210;

pub(super) const SCHEME: Scheme = Scheme {
    name: "wais",
    section: "3.9",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Wais),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Wais>> = &[
    ("3.9 user", "reject a user or a password: the forms have none", user),
    ("3.9 host", "two slashes and a host must follow; the default port is 210", host),
    ("3.9 slash", "a slash must follow, as in all three forms", slash),
    ("3.9 database", "the part before the next slash or ? is the database; the URL may end after it", database),
    ("3.9 search", "the part after a ? is a search, which must not contain a ? or a slash", search),
    ("3.9 wtype", "the part before the next slash is the document's type; reject a URL without that slash", wtype),
    ("3.9 wpath", "the rest is the document's identifier, which only its server interprets", wpath),
];

/// `//host:port/database` and perhaps a search or a document (§3.9).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Wais {
    /// Host and port.
    pub at: HostPort,
    /// The database.
    pub database: EncodedText,
    /// The requested part of the database.
    pub request: WaisRequest,
}

/// The requested part of a database.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum WaisRequest {
    /// The whole database, which the user can search.
    #[default]
    Database,
    /// `?search`.
    Search(EncodedText),
    /// `/wtype/wpath`.
    Document {
        /// The type of the document.
        wtype: EncodedText,
        /// The identifier of the document.
        wpath: EncodedText,
    },
}

fn user(s: &mut PartReader<Wais>) -> Next {
    s.without_user("3.9")
}

fn host(s: &mut PartReader<Wais>) -> Next {
    match s.connect("3.9", PORT) {
        Ok(at) => s.part.at = at,
        Err(done) => return done,
    }
    Continue
}

fn slash(s: &mut PartReader<Wais>) -> Next {
    if s.common.url_path.is_none() {
        return s.reject("3.9", "no slash after the host: a database must follow");
    }
    Continue
}

fn database(s: &mut PartReader<Wais>) -> Next {
    let end = s.rest.find(['/', '?']).unwrap_or(s.rest.len());
    s.part.database = EncodedText::piece(&s.rest[..end]);
    s.rest.drain(..end);
    if s.rest.is_empty() { Done } else { Continue }
}

fn search(s: &mut PartReader<Wais>) -> Next {
    let Some(search) = s.rest.strip_prefix('?') else { return Continue };
    if let Some(other) = search.chars().find(|c| matches!(c, '?' | '/')) {
        let why =
            format!("a `{other}` in a search: write it as an escape, because the grammar of section 5 excludes it");
        return s.reject("3.9", why);
    }
    s.part.request = WaisRequest::Search(EncodedText::piece(search));
    s.rest.clear();
    Done
}

fn wtype(s: &mut PartReader<Wais>) -> Next {
    s.rest.drain(..1);
    if !s.rest.contains('/') {
        return s.reject("3.9", "a document's type without an identifier: a slash and the identifier must follow");
    }
    let wtype = s.take_before('/');
    s.part.request = WaisRequest::Document { wtype: EncodedText::piece(&wtype), wpath: EncodedText::default() };
    Continue
}

fn wpath(s: &mut PartReader<Wais>) -> Next {
    let rest = s.take_rest();
    if let WaisRequest::Document { wpath, .. } = &mut s.part.request {
        *wpath = rest;
    }
    Done
}

impl Part for Wais {
    fn fields(&self) -> Vec<Field> {
        let mut fields = host_fields(&self.at);
        fields.push(text("database", &self.database));
        let absent = |name| Field { name, value: Value::Absent };
        fields.extend(match &self.request {
            WaisRequest::Database => [absent("search"), absent("wtype"), absent("wpath")],
            WaisRequest::Search(search) => [text("search", search), absent("wtype"), absent("wpath")],
            WaisRequest::Document { wtype, wpath } => [absent("search"), text("wtype", wtype), text("wpath", wpath)],
        });
        fields
    }

    fn actions(&self) -> Vec<Action> {
        let database = self.database.decoded();
        let then = match &self.request {
            WaisRequest::Database => Action::Perform("offer a search of the database", vec![database]),
            WaisRequest::Search(search) => {
                Action::Perform("search (database, words)", vec![database, search.decoded()])
            }
            WaisRequest::Document { wtype, wpath } => Action::Perform(
                "retrieve (database, type, identifier)",
                vec![database, wtype.decoded(), wpath.decoded()],
            ),
        };
        vec![Action::connect(&self.at, PORT), then]
    }
}

impl fmt::Display for Wais {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}/{}", self.at, self.database)?;
        match &self.request {
            WaisRequest::Database => Ok(()),
            WaisRequest::Search(search) => write!(f, "?{search}"),
            WaisRequest::Document { wtype, wpath } => write!(f, "/{wtype}/{wpath}"),
        }
    }
}
