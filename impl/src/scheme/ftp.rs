//! The scheme ftp, §3.2: directories, a name, and the type of transfer.

use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::Action;
use super::{EncodedText, Field, Form, Login, Part, PartReader, Scheme, Value, login_fields, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 21;

pub(super) const SCHEME: Scheme = Scheme {
    name: "ftp",
    section: "3.2",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Ftp),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Ftp>> = &[
    ("3.2 host", "two slashes and a host must follow; the default port is 21", host),
    ("3.2.1 login", "a user and a password may precede the host; empty differs from absent", login),
    ("3.2.2 no url-path", "the url-path may be omitted together with its slash", no_url_path),
    ("3.2.2 typecode", "`;type=` at the end defines the type of transfer: a, i or d", typecode),
    ("3.2.2 ;", "reject any other ;: a name must encode it", semicolon),
    ("3.2.2 cwd", "the part before each slash is the argument of a CWD, which may be empty", cwd),
    ("3.2.2 name", "the part after the last slash is the name", name),
];

/// `//user:password@host:port/cwd1/.../cwdN/name;type=code` (§3.2).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Ftp {
    /// User, password, host and port.
    pub login: Login,
    /// The url-path, or `None` if the slash is absent too.
    pub path: Option<FtpPath>,
}

/// The url-path of §3.2.2.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FtpPath {
    /// The arguments of the CWD commands. An empty one means a CWD without an argument.
    pub directories: Vec<EncodedText>,
    /// The name of the file, which may be empty.
    pub name: EncodedText,
    /// The type of transfer, if the URL has one.
    pub typecode: Option<Typecode>,
}

/// The type of §3.2.2.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Typecode {
    /// `a`: text.
    Ascii,
    /// `i`: octets.
    Image,
    /// `d`: a directory listing.
    Directory,
}

impl Typecode {
    /// Returns the letter in a URL.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::Ascii => "a",
            Self::Image => "i",
            Self::Directory => "d",
        }
    }
}

fn host(s: &mut PartReader<Ftp>) -> Next {
    match s.connect("3.2", PORT) {
        Ok(at) => s.part.login.at = at,
        Err(done) => return done,
    }
    Continue
}

fn login(s: &mut PartReader<Ftp>) -> Next {
    (s.part.login.user, s.part.login.password) = s.login();
    Continue
}

fn no_url_path(s: &mut PartReader<Ftp>) -> Next {
    if s.common.url_path.is_none() {
        return Done;
    }
    s.part.path = Some(FtpPath::default());
    Continue
}

fn typecode(s: &mut PartReader<Ftp>) -> Next {
    let Some(at) = s.rest.rfind(";type=").filter(|&at| !s.rest[at..].contains('/')) else { return Continue };
    let code = match &s.rest[at + ";type=".len()..] {
        "a" => Typecode::Ascii,
        "i" => Typecode::Image,
        "d" => Typecode::Directory,
        "A" | "I" | "D" => {
            return s.reject(
                "3.2.2",
                "the type is in upper case: it must be a, i or d, although the grammar of section 5 allows both cases",
            );
        }
        other => {
            let why = format!("the type {other:?} is not a, i or d");
            return s.reject("3.2.2", why);
        }
    };
    s.rest.truncate(at);
    if let Some(path) = &mut s.part.path {
        path.typecode = Some(code);
    }
    Continue
}

fn semicolon(s: &mut PartReader<Ftp>) -> Next {
    if s.rest.contains(';') {
        return s.reject(
            "3.2.2",
            "a `;` in a directory or name: write it as %3B, because only `;type=` at the end may contain it",
        );
    }
    Continue
}

fn cwd(s: &mut PartReader<Ftp>) -> Next {
    let Some(at) = s.rest.rfind('/') else { return Continue };
    let directories = EncodedText::pieces(&s.rest[..at], '/');
    s.rest.drain(..=at);
    if let Some(path) = &mut s.part.path {
        path.directories = directories;
    }
    Continue
}

fn name(s: &mut PartReader<Ftp>) -> Next {
    let name = s.take_rest();
    if let Some(path) = &mut s.part.path {
        path.name = name;
    }
    Done
}

impl Part for Ftp {
    fn fields(&self) -> Vec<Field> {
        let mut fields = login_fields(&self.login);
        let absent = |name| Field { name, value: Value::Absent };
        match &self.path {
            None => fields.extend([absent("cwd"), absent("name"), absent("typecode")]),
            Some(path) => fields.extend([
                Field { name: "cwd", value: Value::List(path.directories.clone()) },
                text("name", &path.name),
                super::maybe("typecode", path.typecode.map(|code| EncodedText::piece(code.letter())).as_ref()),
            ]),
        }
        fields
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::connect(&self.login.at, PORT)];
        match (&self.login.user, &self.login.password) {
            (Some(user), Some(password)) => {
                actions.extend([Action::command("USER", &user.decoded()), Action::command("PASS", &password.decoded())])
            }
            (Some(user), None) => {
                actions
                    .extend([Action::command("USER", &user.decoded()), Action::Ask("a password if the server asks")]);
            }
            (None, _) => actions.extend([
                Action::SendIfAsked(b"USER anonymous".to_vec()),
                Action::Perform("send PASS with the user's mail address if asked", Vec::new()),
            ]),
        }
        let Some(path) = &self.path else { return actions };
        actions.extend(path.directories.iter().map(|directory| Action::command("CWD", &directory.decoded())));
        let name = path.name.decoded();
        match path.typecode {
            Some(Typecode::Directory) => actions.push(Action::command("NLST", &name)),
            code => {
                actions.push(match code {
                    Some(code) => Action::command("TYPE", code.letter().as_bytes()),
                    None => Action::Guess("the type of transfer, by the name"),
                });
                actions.push(Action::command("RETR", &name));
            }
        }
        actions
    }
}

impl fmt::Display for Ftp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.login)?;
        let Some(path) = &self.path else { return Ok(()) };
        path.directories.iter().try_for_each(|directory| write!(f, "/{directory}"))?;
        write!(f, "/{}", path.name)?;
        path.typecode.map_or(Ok(()), |code| write!(f, ";type={}", code.letter()))
    }
}
