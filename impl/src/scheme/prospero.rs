//! The scheme prospero, §3.11: an object by its name on a host, and fields that identify it.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::{Action, first_of};
use super::{EncodedText, Field, Form, HostPort, Part, PartReader, Scheme, Value, host_fields, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 1525;

pub(super) const SCHEME: Scheme = Scheme {
    name: "prospero",
    section: "3.11",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Prospero),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Prospero>> = &[
    ("3.11 user", "reject a user or a password", user),
    ("3.11 host", "two slashes and a host must follow; the default port is 1525", host),
    ("3.11 slash", "a slash must follow, which is not part of the name", slash),
    (
        "3.11 hsoname",
        "the part before the first ;, including slashes, is the name, which only its host interprets",
        hsoname,
    ),
    (
        "3.11 field",
        "each ; begins a field, and the first = separates its name and value; reject a field without =",
        field,
    ),
];

/// `//host:port/hsoname;field=value` (§3.11).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Prospero {
    /// Host and port.
    pub at: HostPort,
    /// The name of the object on the host. It often begins with a slash.
    pub hsoname: EncodedText,
    /// The names and values of the fields, in order.
    pub fields: Vec<(EncodedText, EncodedText)>,
}

fn user(s: &mut PartReader<Prospero>) -> Next {
    s.without_user("3.11")
}

fn host(s: &mut PartReader<Prospero>) -> Next {
    match s.connect("3.11", PORT) {
        Ok(at) => s.part.at = at,
        Err(done) => return done,
    }
    Continue
}

fn slash(s: &mut PartReader<Prospero>) -> Next {
    if s.common.url_path.is_none() {
        return s.reject("3.11", "no slash after the host: a name must follow");
    }
    Continue
}

fn hsoname(s: &mut PartReader<Prospero>) -> Next {
    let end = s.rest.find(';').unwrap_or(s.rest.len());
    s.part.hsoname = EncodedText::piece(&s.rest[..end]);
    s.rest.drain(..end);
    if s.rest.is_empty() { Done } else { Continue }
}

fn field(s: &mut PartReader<Prospero>) -> Next {
    let mut fields = Vec::new();
    for field in s.rest.split(';').skip(1) {
        let Some((name, value)) = field.split_once('=') else {
            let why = format!("the field {field:?} has no = between a name and a value");
            return s.reject("3.11", why);
        };
        fields.push((EncodedText::piece(name), EncodedText::piece(value)));
    }
    s.part.fields = fields;
    s.rest.clear();
    Done
}

impl Part for Prospero {
    fn fields(&self) -> Vec<Field> {
        let mut fields = host_fields(&self.at);
        fields.push(text("hsoname", &self.hsoname));
        fields.push(Field { name: "field", value: Value::Pairs(self.fields.clone()) });
        fields
    }

    fn actions(&self) -> Vec<Action> {
        let mut data = vec![self.hsoname.decoded()];
        data.extend(self.fields.iter().flat_map(|(name, value)| [name.decoded(), value.decoded()]));
        let breaks = data.iter().find_map(|data| first_of(data, b"\r\n"));
        let ask =
            Action::Perform("ask the directory server for (hsoname, each field and its value)", data).unless(breaks);
        vec![Action::connect(&self.at, PORT), ask]
    }
}

impl fmt::Display for Prospero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}/{}", self.at, self.hsoname)?;
        self.fields.iter().try_for_each(|(name, value)| write!(f, ";{name}={value}"))
    }
}
