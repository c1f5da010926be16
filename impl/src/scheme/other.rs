//! Any other scheme, §4: nothing is known of it but whether its name is taken.

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
    ("4 registration", "a name that begins with x- is experimental; seven are kept for later", registration),
    ("4 new scheme", "what the rest means is for the scheme's own document to say", rest),
];

/// Names that the document asks to be kept (§4).
const KEPT: [&str; 7] = ["afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"];

/// All behind the colon (§4).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Other {
    /// How the name stands.
    pub registration: Registration,
    /// The scheme-specific part.
    pub part: EncodedText,
}

/// How a scheme's name stands (§4).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Registration {
    /// The document does not know it.
    #[default]
    Unknown,
    /// `x-…`: for experiments.
    Experimental,
    /// One of the names kept for later.
    Kept,
}

impl Registration {
    fn words(self) -> &'static str {
        match self {
            Self::Unknown => "not known",
            Self::Experimental => "experimental",
            Self::Kept => "kept for later",
        }
    }
}

fn registration(s: &mut PartReader<Other>) -> Next {
    let name = s.common.scheme.to_ascii_lowercase();
    if name.starts_with("x-") {
        s.part.registration = Registration::Experimental;
    } else if KEPT.contains(&name.as_str()) {
        s.part.registration = Registration::Kept;
    }
    Continue
}

fn rest(s: &mut PartReader<Other>) -> Next {
    s.part.part = s.take_rest();
    Done
}

impl Part for Other {
    fn fields(&self) -> Vec<Field> {
        let meaning = Value::Description(self.registration.words().into());
        vec![text("scheme-specific-part", &self.part), Field { name: "registration", value: meaning }]
    }

    fn actions(&self) -> Vec<Action> {
        vec![Action::Guess("everything: the document does not describe the scheme")]
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)
    }
}
