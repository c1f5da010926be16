//! The scheme mailto, §3.5: a mail address.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::{Action, first_of};
use super::{EncodedText, Field, Form, Part, PartReader, Scheme, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

pub(super) const SCHEME: Scheme = Scheme {
    name: "mailto",
    section: "3.5",
    port: None,
    read: |mut common, trace| {
        // No character is reserved, so that two slashes do not begin a host.
        common.host = None;
        read_part(STEPS, common, trace).map(Form::Mailto)
    },
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Mailto>> = &[
    ("3.5 addr-spec", "reject an address without an @ between two parts, after decoding", addr_spec),
    ("3.5 rfc822-addr-spec", "everything after the colon is the encoded address: no character is reserved", address),
];

/// An encoded mail address (§3.5).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Mailto {
    /// The address.
    pub address: EncodedText,
}

impl Mailto {
    /// Returns the parts before and after the last `@` of the decoded address.
    #[must_use]
    pub fn parts(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        parts(&self.address.decoded())
    }
}

fn parts(address: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let at = address.iter().rposition(|&octet| octet == b'@')?;
    let (local, domain) = (&address[..at], &address[at + 1..]);
    (!local.is_empty() && !domain.is_empty()).then(|| (local.to_vec(), domain.to_vec()))
}

fn addr_spec(s: &mut PartReader<Mailto>) -> Next {
    if parts(&EncodedText::piece(&s.rest).decoded()).is_none() {
        return s.reject("3.5", "not a mail address: it must consist of a part, an @ and another part");
    }
    Continue
}

fn address(s: &mut PartReader<Mailto>) -> Next {
    s.part.address = s.take_rest();
    Done
}

impl Part for Mailto {
    fn fields(&self) -> Vec<Field> {
        vec![text("rfc822-addr-spec", &self.address)]
    }

    fn actions(&self) -> Vec<Action> {
        let address = self.address.decoded();
        let breaks = first_of(&address, b"\r\n");
        vec![Action::Perform("compose a message to", vec![address]).unless(breaks)]
    }
}

impl fmt::Display for Mailto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)
    }
}
