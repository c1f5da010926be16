//! Any other scheme, §4: only the status of its name is known.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::Action;
use super::{Common, EncodedText, Field, Form, Login, Part, PartReader, Value, read_part, text};
use crate::resolution::Rejection;
use crate::step::{Next, Next::Continue, Next::Done, Program, Trace};

pub(super) fn read(common: Common, trace: &mut Trace) -> Result<Form, Rejection> {
    let login = common.login();
    let other = read_part(STEPS, Common { host: None, ..common }, trace)?;
    Ok(Form::Other(Other { login, ..other }))
}

pub(super) const STEPS: &Program<PartReader<Other>> = &[
    ("4 registration", "a name that begins with x- is experimental; seven names are reserved", registration),
    ("4 new scheme", "the scheme's own specification defines the rest", rest),
];

/// The names that the specification reserves (§4).
const RESERVED: [&str; 7] = ["afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"];

/// The part after the colon (§4).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Other {
    /// The status of the name.
    pub registration: Registration,
    /// The scheme-specific part.
    pub part: EncodedText,
    /// The user, password, host and port in it, if it has the common Internet syntax (§3.1). The host is not checked.
    pub login: Option<Login>,
}

/// The status of a scheme's name (RFC 1738 §4; Draft 1996 §6).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Registration {
    /// The specification does not mention the name.
    #[default]
    Unknown,
    /// `x-…`: the name is experimental.
    Experimental,
    /// The name is reserved.
    Reserved,
}

impl Registration {
    /// Returns the status of the scheme with this name. Case is ignored.
    #[must_use]
    pub fn of(name: &str) -> Self {
        if name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("x-")) {
            return Self::Experimental;
        }
        match RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
            true => Self::Reserved,
            false => Self::Unknown,
        }
    }

    /// Returns `experimental`, `reserved` or `unknown`.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Experimental => "experimental",
            Self::Reserved => "reserved",
        }
    }
}

fn registration(s: &mut PartReader<Other>) -> Next {
    s.part.registration = Registration::of(&s.common.scheme);
    Continue
}

fn rest(s: &mut PartReader<Other>) -> Next {
    s.part.part = s.take_rest();
    Done
}

impl Part for Other {
    fn fields(&self) -> Vec<Field> {
        let meaning = Value::Description(self.registration.description().into());
        vec![text("scheme-specific-part", &self.part), Field { name: "registration", value: meaning }]
    }

    fn actions(&self) -> Vec<Action> {
        vec![Action::Guess("everything: the specification does not describe the scheme")]
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)
    }
}
