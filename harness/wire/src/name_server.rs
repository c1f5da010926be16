//! A name server (RFC 1035) that answers each name with an address of its own.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};

use urlstrata_outcome::location::is_numbers;

/// The names that were asked for, each with its address.
///
/// The addresses are those of 198.18.0.0/15, which RFC 2544 reserves for measurements, in the order of the names. Names are compared
/// without regard to the case of ASCII letters, and an address has the name by which it was asked for last.
#[derive(Debug, Default)]
pub struct Names {
    addresses: HashMap<String, Ipv4Addr>,
    names: HashMap<Ipv4Addr, String>,
}

/// The first of the addresses, and their number.
const FIRST: u32 = u32::from_be_bytes([198, 18, 0, 1]);
const COUNT: usize = (1 << 17) - 2;

impl Names {
    /// Returns the address of `name`. The empty name, which is the root, has none. If all addresses are used, the last name gets that of
    /// the first one.
    pub fn address_of(&mut self, name: &str) -> Option<Ipv4Addr> {
        if name.is_empty() {
            return None;
        }
        let number = u32::try_from(self.addresses.len() % COUNT).unwrap_or_default();
        let next = Ipv4Addr::from(FIRST + number);
        let address = *self.addresses.entry(name.to_ascii_lowercase()).or_insert(next);
        self.names.insert(address, name.to_owned());
        Some(address)
    }

    /// Returns the name whose address is `address`, or else the address as a host is written in a URL (RFC 3986 §3.2.2). A name of numbers
    /// has a dot at its end, because it is not an address.
    pub fn host_of(&self, address: IpAddr) -> String {
        match address.to_canonical() {
            IpAddr::V4(address) => match self.names.get(&address) {
                Some(name) if is_numbers(name) => format!("{name}."),
                Some(name) => name.clone(),
                None => address.to_string(),
            },
            IpAddr::V6(address) => format!("[{address}]"),
        }
    }
}

/// A question to the name server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Question {
    /// The name without its last dot. A dot or a backslash inside a label is preceded by a backslash, and other bytes outside ASCII are
    /// written as a backslash and three digits (RFC 1035 §5.1).
    pub name: String,
    /// Whether an IPv4 address is asked for.
    pub is_ipv4: bool,
    /// The end of the question in the message.
    end: usize,
}

impl Question {
    /// Reads the first question of `message`; `None` if it is not a query with a question.
    pub fn read(message: &[u8]) -> Option<Self> {
        const QUERY_BIT: u8 = 0x80;
        if message.get(2)? & QUERY_BIT != 0 || u16::from_be_bytes([*message.get(4)?, *message.get(5)?]) == 0 {
            return None;
        }
        let (mut at, mut name) = (12, String::new());
        loop {
            let length = usize::from(*message.get(at)?);
            // The two high bits mark a pointer, which a first question does not contain.
            if length > 63 {
                return None;
            }
            at += 1;
            if length == 0 {
                break;
            }
            if !name.is_empty() {
                name.push('.');
            }
            message.get(at..at + length)?.iter().for_each(|byte| push(&mut name, *byte));
            at += length;
        }
        let kind = u16::from_be_bytes([*message.get(at)?, *message.get(at + 1)?]);
        message.get(at + 3)?;
        Some(Self { name, is_ipv4: kind == 1, end: at + 4 })
    }

    /// Returns the answer to this question, which is the first one of `message`: `address` if that was asked for, and otherwise an empty
    /// answer.
    pub fn answer(&self, message: &[u8], address: Option<Ipv4Addr>) -> Vec<u8> {
        let address = address.filter(|_| self.is_ipv4);
        let mut answer = message[..2].to_vec();
        // An answer to a recursive query, without an error; one question; no more than one address.
        answer.extend([0x81, 0x80, 0, 1, 0, u8::from(address.is_some()), 0, 0, 0, 0]);
        answer.extend(&message[12..self.end]);
        if let Some(address) = address {
            // The name of the question, type A, class IN, one minute, four bytes.
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
            answer.extend(address.octets());
        }
        answer
    }
}

fn push(name: &mut String, byte: u8) {
    match byte {
        b'.' | b'\\' => name.extend(['\\', char::from(byte)]),
        0x21..=0x7e => name.push(char::from(byte)),
        _ => *name += &format!("\\{byte:03}"),
    }
}
