//! The actions of a client that accesses a URL, and the dangers that §6 warns of.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{EncodedText, Form, HostPort, Url};

/// An action of a client. The `Display` implementation writes one line, for example `send "RETR motd"`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Action {
    /// Opens a connection.
    Connect {
        /// The host.
        host: String,
        /// The port of the URL, or the default port of the scheme.
        port: String,
    },
    /// Sends a line. The protocol adds the line end.
    Send(Vec<u8>),
    /// Sends a line if the server requests it.
    SendIfAsked(Vec<u8>),
    /// Does not send a line, because a decoded octet would end or split it (§6).
    Withhold {
        /// The line.
        line: Vec<u8>,
        /// The octet that would end or split the line.
        octet: u8,
    },
    /// Asks the user for an input.
    Ask(&'static str),
    /// Shows a value to the user.
    Advise(&'static str, Vec<u8>),
    /// Decides a point that the URL leaves open.
    Guess(&'static str),
    /// Does something for which the specification defines no protocol line, with these data.
    Perform(&'static str, Vec<Vec<u8>>),
}

impl Action {
    /// Returns the action that connects to `at`; `port` is the default port.
    pub(super) fn connect(at: &HostPort, port: u16) -> Self {
        Self::Connect { host: at.host.clone(), port: at.port.clone().unwrap_or_else(|| format!("{port}")) }
    }

    /// Returns the action that sends a command and an argument. It is withheld if the argument contains CR or LF.
    pub(super) fn command(command: &str, argument: &[u8]) -> Self {
        let line = [command.as_bytes(), b" ", argument].concat();
        Self::Send(line).unless(first_of(argument, b"\r\n"))
    }

    /// Returns the action, or withholds its line if `octet` would break the line.
    pub(super) fn unless(self, octet: Option<u8>) -> Self {
        match (self, octet) {
            (Self::Send(line) | Self::SendIfAsked(line), Some(octet)) => Self::Withhold { line, octet },
            (Self::Perform(_, data), Some(octet)) => Self::Withhold { line: data.concat(), octet },
            (action, _) => action,
        }
    }

    /// Returns the action that shows `text` to the user.
    pub(super) fn advise(what: &'static str, text: &EncodedText) -> Self {
        Self::Advise(what, text.decoded())
    }
}

/// Returns the first of `octets` that is one of `wanted`.
pub(super) fn first_of(octets: &[u8], wanted: &[u8]) -> Option<u8> {
    octets.iter().copied().find(|octet| wanted.contains(octet))
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect { host, port } => write!(f, "connect to {host}:{port}"),
            Self::Send(line) => write!(f, "send \"{}\"", shown(line)),
            Self::SendIfAsked(line) => write!(f, "send \"{}\" if asked", shown(line)),
            Self::Withhold { line, octet } => {
                write!(f, "withhold \"{}\": {} in it would break the line", shown(line), name_of(*octet))
            }
            Self::Ask(what) => write!(f, "ask the user for {what}"),
            Self::Advise(what, data) => write!(f, "tell the user {what} \"{}\"", shown(data)),
            Self::Guess(what) => write!(f, "guess {what}"),
            Self::Perform(what, data) => {
                f.write_str(what)?;
                let mut between = " ";
                data.iter().try_for_each(|data| {
                    write!(f, "{between}\"{}\"", shown(data))?;
                    between = ", ";
                    Ok(())
                })
            }
        }
    }
}

/// Formats `octets` on one line: control characters, quotation marks and backslashes are written as Rust escapes.
pub(super) fn shown(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for octet in octets {
        match octet {
            b'\'' => text.push('\''),
            octet => text.extend(octet.escape_ascii().map(char::from)),
        }
    }
    text
}

fn name_of(octet: u8) -> String {
    match octet {
        b'\r' => "CR".to_owned(),
        b'\n' => "LF".to_owned(),
        b'\t' => "a tab".to_owned(),
        _ => format!("\"{}\"", shown(&[octet])),
    }
}

/// A danger that users should know before a client accesses the URL.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Caution {
    /// The section that warns of the danger.
    pub section: &'static str,
    /// A sentence about the URL, lower case, without a full stop.
    pub sentence: String,
}

pub(super) fn cautions(url: &Url) -> Vec<Caution> {
    let breaks = |action: &Action| match action {
        Action::Withhold { octet, .. } => Some(*octet),
        Action::Advise(_, data) => first_of(data, b"\r\n"),
        _ => None,
    };
    let mut sentences: Vec<_> = url.actions().iter().filter_map(breaks).map(octet_caution).collect();
    let (at, password) = match &url.form {
        Form::Ftp(ftp) => (Some(&ftp.login.at), ftp.login.password.as_ref()),
        Form::Telnet(telnet) => (Some(&telnet.login.at), telnet.login.password.as_ref()),
        Form::Http(http) => (Some(&http.at), None),
        Form::Gopher(gopher) => (Some(&gopher.at), None),
        Form::Nntp(nntp) => (Some(&nntp.at), None),
        Form::Wais(wais) => (Some(&wais.at), None),
        Form::Prospero(prospero) => (Some(&prospero.at), None),
        Form::Other(other) => (
            other.login.as_ref().map(|login| &login.at),
            other.login.as_ref().and_then(|login| login.password.as_ref()),
        ),
        Form::Mailto(_) | Form::News(_) | Form::File(_) => (None, None),
    };
    sentences.extend(port_caution(at.and_then(|at| at.port.as_deref()), url.default_port()));
    sentences.extend(password_caution(password.map(EncodedText::raw)));
    sentences.into_iter().map(|sentence| Caution { section: "6", sentence }).collect()
}

/// The port numbers below this one are assigned to protocols.
const RESERVED_PORTS: u16 = 1024;

/// Returns the caution for an octet that would end or split a line.
pub(crate) fn octet_caution(octet: u8) -> String {
    format!("the decoded URL contains {}, which would break the line of a protocol", name_of(octet))
}

/// Returns the caution for a password.
pub(crate) fn password_caution(password: Option<&str>) -> Option<String> {
    let present = password.is_some_and(|password| !password.is_empty());
    present.then(|| "the URL contains a password, which every reader can see".to_owned())
}

/// Returns the caution for a port that may not be the scheme's.
pub(crate) fn port_caution(port: Option<&str>, default: Option<u16>) -> Option<String> {
    let port = port.filter(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))?;
    let Ok(number) = port.parse::<u16>() else { return Some(format!("port {port} does not exist")) };
    let differs = match default {
        Some(default) if default == number => return None,
        Some(default) => format!("port {number} is not the scheme's port {default}"),
        None => format!("port {number} may not be the scheme's port, which is not known"),
    };
    let other = if number < RESERVED_PORTS { ", and another protocol may use it" } else { "" };
    Some(format!("{differs}{other}"))
}
