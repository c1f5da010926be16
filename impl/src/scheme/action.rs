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

/// Where a specification warns of each danger. RFC 1738 §6, RFC 1808 §6, which refers to it, the draft of 1996 §10 and RFC 2396 §7 have the same
/// warnings; RFC 3986 §7 warns of well-known ports only.
pub(crate) struct Warnings {
    /// The section about encoded delimiters of a protocol.
    pub(crate) delimiter: &'static str,
    /// The section about ports.
    pub(crate) port: &'static str,
    /// The section about passwords.
    pub(crate) password: &'static str,
    /// Whether only ports below 1024 are dangerous.
    pub(crate) has_well_known_ports_only: bool,
}

impl Warnings {
    /// Returns the warnings of a specification that has all of them in `section`.
    pub(crate) const fn of(section: &'static str) -> Self {
        Self { delimiter: section, port: section, password: section, has_well_known_ports_only: false }
    }
}

/// What a client needs to access a URL, as far as a specification warns of it.
pub(crate) struct Access<'a> {
    pub(crate) scheme: &'a str,
    pub(crate) user: Option<&'a str>,
    pub(crate) password: Option<&'a str>,
    pub(crate) port: Option<&'a str>,
    /// The octets that would break a line and that the URL contains as escapes.
    pub(crate) delimiters: Vec<u8>,
}

impl Access<'_> {
    /// Returns the cautions about the URL: first about delimiters, then about the port, then about the password.
    pub(crate) fn cautions(&self, warnings: &Warnings) -> Vec<Caution> {
        let caution = |section| move |sentence| Caution { section, sentence };
        let delimiters = self.delimiters.iter().copied().map(octet_caution).map(caution(warnings.delimiter));
        let default = super::by_name(self.scheme).and_then(|scheme| scheme.port);
        let port = port_caution(self.port, default, warnings.has_well_known_ports_only).map(caution(warnings.port));
        // The password of an anonymous user is a mail address (RFC 1738 §3.2.1).
        let is_anonymous = self.scheme.eq_ignore_ascii_case("ftp") && self.user == Some("anonymous");
        let password = self.password.filter(|password| !password.is_empty() && !is_anonymous);
        let password = password.map(|_| "the URL contains a password, which every reader can see".to_owned());
        delimiters.chain(port).chain(password.map(caution(warnings.password))).collect()
    }
}

/// Returns which of CR and LF the URL in `text` contains as an escape.
pub(crate) fn encoded_line_ends(text: &str) -> impl Iterator<Item = u8> {
    b"\r\n".iter().copied().filter(|octet| is_encoded(text, *octet))
}

/// Returns whether `text` contains an escape of `octet`.
fn is_encoded(text: &str, octet: u8) -> bool {
    let escape = format!("%{octet:02X}");
    text.as_bytes().windows(3).any(|triplet| triplet.eq_ignore_ascii_case(escape.as_bytes()))
}

pub(super) fn cautions(url: &Url) -> Vec<Caution> {
    let text = format!("{url}");
    let breaks = |action: &Action| match action {
        Action::Withhold { octet, .. } => Some(*octet),
        _ => None,
    };
    let (login, port) = match &url.form {
        Form::Ftp(ftp) => (Some(&ftp.login), ftp.login.at.port.as_deref()),
        Form::Telnet(telnet) => (Some(&telnet.login), telnet.login.at.port.as_deref()),
        Form::Http(http) => (None, http.at.port.as_deref()),
        Form::Gopher(gopher) => (None, gopher.at.port.as_deref()),
        Form::Nntp(nntp) => (None, nntp.at.port.as_deref()),
        Form::Wais(wais) => (None, wais.at.port.as_deref()),
        Form::Prospero(prospero) => (None, prospero.at.port.as_deref()),
        Form::Other(other) => (other.login.as_ref(), other.login.as_ref().and_then(|login| login.at.port.as_deref())),
        Form::Mailto(_) | Form::News(_) | Form::File(_) => (None, None),
    };
    // The values of a form of Gopher+ end with CR and LF.
    let has_form =
        matches!(&url.form, Form::Gopher(gopher) if gopher.item.as_ref().is_some_and(|item| item.plus.is_some()));
    let mut delimiters: Vec<u8> = encoded_line_ends(&text).filter(|_| !has_form).collect();
    for octet in url.actions().iter().filter_map(breaks) {
        if !delimiters.contains(&octet) && is_encoded(&text, octet) {
            delimiters.push(octet);
        }
    }
    let access = Access {
        scheme: &url.scheme,
        user: login.and_then(|login| login.user.as_ref()).map(EncodedText::raw),
        password: login.and_then(|login| login.password.as_ref()).map(EncodedText::raw),
        port,
        delimiters,
    };
    access.cautions(&Warnings::of("6"))
}

/// The port numbers below this one are assigned to protocols.
const RESERVED_PORTS: u16 = 1024;

/// Returns the caution for an escape of an octet that would end or split a line.
fn octet_caution(octet: u8) -> String {
    let name = name_of(octet);
    format!(
        "the URL contains an encoded {}, which would break the line of a protocol if it were decoded",
        name.trim_start_matches("a ")
    )
}

/// Returns the caution for a port that may not be the scheme's.
fn port_caution(port: Option<&str>, default: Option<u16>, has_well_known_only: bool) -> Option<String> {
    let port = port.filter(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number = port.parse::<u16>().ok();
    let is_reserved = number.is_some_and(|number| number < RESERVED_PORTS);
    if default.is_some() && default == number || has_well_known_only && !is_reserved {
        return None;
    }
    let digits = port.trim_start_matches('0');
    let port = if digits.is_empty() { "0" } else { digits };
    let differs = match default {
        Some(default) => format!("port {port} is not the scheme's port {default}"),
        None => format!("port {port} may not be the scheme's port, which is not known"),
    };
    let other = match number {
        None => ", and no protocol has a port above 65535",
        Some(_) if is_reserved => ", and another protocol may use it",
        Some(_) => "",
    };
    Some(format!("{differs}{other}"))
}
