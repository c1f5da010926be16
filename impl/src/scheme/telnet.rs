//! The scheme telnet, §3.8: an interactive service, with an advisory user and password.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::Action;
use super::{Field, Form, Login, Part, PartReader, Scheme, login_fields, read_part};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 23;

pub(super) const SCHEME: Scheme = Scheme {
    name: "telnet",
    section: "3.8",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Telnet),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Telnet>> = &[
    ("3.8 host", "two slashes and a host must follow; the default port is 23", host),
    ("3.8 login", "a user and a password may precede the host; they are advisory", login),
    ("3.8 final slash", "a slash may follow; reject any text after it", final_slash),
];

/// `//user:password@host:port/` (§3.8).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Telnet {
    /// User, password, host and port.
    pub login: Login,
    /// Whether the URL ends with a slash.
    pub slash: bool,
}

fn host(s: &mut PartReader<Telnet>) -> Next {
    match s.connect("3.8", PORT) {
        Ok(at) => s.part.login.at = at,
        Err(done) => return done,
    }
    Continue
}

fn login(s: &mut PartReader<Telnet>) -> Next {
    (s.part.login.user, s.part.login.password) = s.login();
    Continue
}

fn final_slash(s: &mut PartReader<Telnet>) -> Next {
    if !s.rest.is_empty() {
        return s.reject("3.8", "text after the last slash: a telnet URL has no url-path");
    }
    s.part.slash = s.common.url_path.is_some();
    Done
}

impl Part for Telnet {
    fn fields(&self) -> Vec<Field> {
        login_fields(&self.login)
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::connect(&self.login.at, PORT)];
        actions.extend(self.login.user.as_ref().map(|user| Action::advise("to log in as", user)));
        actions.extend(self.login.password.as_ref().map(|password| Action::advise("that the password is", password)));
        actions
    }
}

impl fmt::Display for Telnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}{}", self.login, if self.slash { "/" } else { "" })
    }
}
