//! The scheme file, §3.10: a file on a computer, without a protocol.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::Action;
use super::{EncodedText, Field, Form, Part, PartReader, Scheme, Value, is_host, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

pub(super) const SCHEME: Scheme = Scheme {
    name: "file",
    section: "3.10",
    port: None,
    read: |common, trace| read_part(STEPS, common, trace).map(Form::File),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<File>> = &[
    ("3.10 user", "reject a user or a password: the form has none", user),
    ("3.10 port", "reject a port: there is no protocol", port),
    ("3.10 host", "two slashes and a domain name must follow; localhost or an empty host is this computer", host),
    ("3.10 slash", "a slash must follow the host", slash),
    ("3.10 directory", "the part before each slash is a directory", directory),
    ("3.10 name", "the part after the last slash is the name", name),
];

/// `//host/directory/.../name` (§3.10).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct File {
    /// A domain name, `localhost`, or an empty string.
    pub host: String,
    /// The directories, beginning at the root.
    pub directories: Vec<EncodedText>,
    /// The name, which may be empty.
    pub name: EncodedText,
}

impl File {
    /// Returns whether the file is on the computer on which the URL is read.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.host.is_empty() || self.host.eq_ignore_ascii_case("localhost")
    }
}

fn user(s: &mut PartReader<File>) -> Next {
    s.without_user("3.10")
}

fn port(s: &mut PartReader<File>) -> Next {
    if s.common.port.is_some() {
        return s.reject("3.10", "a file URL has no port, because it has no protocol");
    }
    Continue
}

fn host(s: &mut PartReader<File>) -> Next {
    match s.common.host.clone() {
        None => s.reject("3.10", "a missing host: two slashes and a host, which may be empty, must follow `file:`"),
        Some(host) if host.is_empty() || is_host(&host) => {
            s.connects = if host.is_empty() { "this computer".to_owned() } else { host.clone() };
            s.part.host = host;
            Continue
        }
        Some(host) => s.reject("3.10", format!("the host {host:?} is neither a domain name nor empty")),
    }
}

fn slash(s: &mut PartReader<File>) -> Next {
    if s.common.url_path.is_none() {
        return s.reject("3.10", "no slash after the host: a path must follow");
    }
    Continue
}

fn directory(s: &mut PartReader<File>) -> Next {
    if let Some(at) = s.rest.rfind('/') {
        s.part.directories = EncodedText::pieces(&s.rest[..at], '/');
        s.rest.drain(..=at);
    }
    Continue
}

fn name(s: &mut PartReader<File>) -> Next {
    s.part.name = s.take_rest();
    Done
}

impl Part for File {
    fn fields(&self) -> Vec<Field> {
        vec![
            text("host", &EncodedText::piece(&self.host)),
            Field { name: "directory", value: Value::List(self.directories.clone()) },
            text("name", &self.name),
        ]
    }

    fn actions(&self) -> Vec<Action> {
        let mut names: Vec<_> = self.directories.iter().map(EncodedText::decoded).collect();
        names.push(self.name.decoded());
        if self.is_local() {
            return vec![Action::Perform("open on this computer, name by name,", names)];
        }
        let host = self.host.as_bytes().to_vec();
        vec![
            Action::Guess("how to reach the host: the URL has no protocol"),
            Action::Perform("open, host and then name by name,", [vec![host], names].concat()),
        ]
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.host)?;
        self.directories.iter().try_for_each(|directory| write!(f, "/{directory}"))?;
        write!(f, "/{}", self.name)
    }
}
