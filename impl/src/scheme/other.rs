//! Any other scheme, §4: only the status of its name is known.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::Action;
use super::{Common, EncodedText, Field, Form, Part, PartReader, Value, read_part, text};
use crate::resolution::Rejection;
use crate::step::{Next, Next::Continue, Next::Done, Program, Trace};

pub(super) fn read(common: Common, trace: &mut Trace) -> Result<Form, Rejection> {
    read_part(STEPS, Common { host: None, ..common }, trace).map(Form::Other)
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
}

/// The status of a scheme's name (§4).
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
    fn description(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Experimental => "experimental",
            Self::Reserved => "reserved",
        }
    }
}

fn registration(s: &mut PartReader<Other>) -> Next {
    let name = s.common.scheme.to_ascii_lowercase();
    if name.starts_with("x-") {
        s.part.registration = Registration::Experimental;
    } else if RESERVED.contains(&name.as_str()) {
        s.part.registration = Registration::Reserved;
    }
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
