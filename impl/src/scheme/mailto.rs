//! The scheme mailto, §3.5: a mail address.

use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::{Action, first_of};
use super::{EncodedText, Field, Form, Part, PartReader, Scheme, addr_spec, read_part, text};
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
    ("3.5 addr-spec", "reject what is not an addr-spec of RFC 822 after decoding", address_form),
    ("3.5 rfc822-addr-spec", "everything after the colon is the encoded address: no character is reserved", address),
];

/// An encoded mail address (§3.5).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Mailto {
    /// The address.
    pub address: EncodedText,
}

impl Mailto {
    /// Returns the local part and the domain of the decoded address, or `None` if it is not an addr-spec of RFC 822.
    #[must_use]
    pub fn parts(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let address = self.address.decoded();
        addr_spec::split(&address).ok().map(|(local, domain)| (local.to_vec(), domain.to_vec()))
    }
}

fn address_form(s: &mut PartReader<Mailto>) -> Next {
    match addr_spec::split(&EncodedText::piece(&s.rest).decoded()) {
        Ok(_) => Continue,
        Err(why) => s.reject("3.5", format!("not an address by RFC 822: {why}")),
    }
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
