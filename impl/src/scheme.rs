//! The ten schemes of RFC 1738: the fields of a URL, default ports, and the actions of a client.
//!
//! ```
//! use urlstrata::revision::rfc1738;
//! use urlstrata::scheme::Form;
//!
//! let url = rfc1738::read("ftp://myname@host.dom/%2Fetc/motd").expect("a URL");
//! let Form::Ftp(ftp) = &url.form else { panic!("an ftp URL") };
//! let path = ftp.path.as_ref().expect("a path");
//! assert_eq!((path.directories[0].raw(), path.directories[0].decoded()), ("%2Fetc", b"/etc".to_vec()));
//! assert_eq!(url.actions()[3].to_string(), "send \"CWD /etc\"");
//! assert_eq!(url.to_string(), "ftp://myname@host.dom/%2Fetc/motd");
//! ```
//!
//! A URL is split at the characters that its scheme reserves, and each field is decoded afterwards, so that an encoded
//! delimiter is data. A field keeps its spelling: `tests/schemes.rs` checks that a URL that is read and written is the
//! same string.
//!
//! Each scheme is a table of steps, which `rfc1738` runs after its own steps.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use crate::characters::{self, ComponentCharacters, MalformedEscape};
use crate::resolution::Rejection;
use crate::step::{Next, Next::Continue, Next::Done, Program, Show, StepText, Trace, run, texts};

mod action;
mod addr_spec;
mod file;
mod ftp;
mod gopher;
mod http;
mod mailto;
mod news;
mod nntp;
mod other;
mod prospero;
mod reader;
mod statement;
mod telnet;
mod wais;

pub(crate) use action::{Access, Warnings, encoded_line_ends};
pub use action::{Action, Caution};
pub use file::File;
pub use ftp::{Ftp, FtpPath, Typecode};
pub use gopher::{AttributesOf, Gopher, GopherItem, GopherPlus, GopherRequest};
pub use http::Http;
pub use mailto::Mailto;
pub use news::News;
pub use nntp::Nntp;
pub use other::{Other, Registration};
pub use prospero::Prospero;
pub use statement::{Categories, RelativeUse, Statement, Subject};
pub use telnet::Telnet;
pub use wais::{Wais, WaisRequest};

use reader::{PartReader, is_host, read_part};

/// A URL and the fields of its scheme.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Url {
    /// The scheme name as it is written in the URL. `FTP` means `ftp`.
    pub scheme: String,
    /// The fields after the scheme.
    pub form: Form,
}

/// The fields of a URL after its scheme.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Form {
    /// §3.2.
    Ftp(Ftp),
    /// §3.3.
    Http(Http),
    /// §3.4.
    Gopher(Gopher),
    /// §3.5.
    Mailto(Mailto),
    /// §3.6.
    News(News),
    /// §3.7.
    Nntp(Nntp),
    /// §3.8.
    Telnet(Telnet),
    /// §3.9.
    Wais(Wais),
    /// §3.10.
    File(File),
    /// §3.11.
    Prospero(Prospero),
    /// A scheme that the specification does not describe (§4).
    Other(Other),
}

impl Url {
    /// Returns the fields, in the specification's order and under its names.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        self.part().fields()
    }

    /// Returns the actions of a client that accesses the resource, in order.
    ///
    /// A line that encoded line ends would break is returned as [`Action::Withhold`] (§6).
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.part().actions()
    }

    /// Returns the dangers that §6 warns of: a line with an encoded line end, a port other than the scheme's, a password.
    #[must_use]
    pub fn cautions(&self) -> Vec<Caution> {
        action::cautions(self)
    }

    /// Returns the default port of the scheme, if it has one.
    #[must_use]
    pub fn default_port(&self) -> Option<u16> {
        by_name(&self.scheme).and_then(|scheme| scheme.port)
    }

    /// Returns the value that the specification defines for the field with this name if the URL does not have it: the
    /// default port, or the type 1 of a gopher URL without a path (§3.4.1).
    #[must_use]
    pub fn default_of(&self, field: &str) -> Option<String> {
        match (&self.form, field) {
            (_, "port") => self.default_port().map(|port| format!("{port}")),
            (Form::Gopher(gopher), "gophertype") => Some(char::from(gopher.kind()).into()),
            _ => None,
        }
    }

    fn part(&self) -> &dyn Part {
        match &self.form {
            Form::Ftp(part) => part,
            Form::Http(part) => part,
            Form::Gopher(part) => part,
            Form::Mailto(part) => part,
            Form::News(part) => part,
            Form::Nntp(part) => part,
            Form::Telnet(part) => part,
            Form::Wais(part) => part,
            Form::File(part) => part,
            Form::Prospero(part) => part,
            Form::Other(part) => part,
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.part())
    }
}

/// The text of a field as it is written in the URL, that is, percent-encoded.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct EncodedText(String);

impl EncodedText {
    /// Creates a field from its spelling in a URL.
    ///
    /// # Errors
    ///
    /// Returns the position of the first `%` that two hexadecimal digits do not follow.
    pub fn new(raw: &str) -> Result<Self, MalformedEscape> {
        characters::decode(raw).map(|_| Self(raw.to_owned()))
    }

    /// Encodes `octets` for `component` of RFC 1738: `/etc` becomes `%2Fetc` in an ftp name.
    pub fn encode(octets: &[u8], component: &ComponentCharacters) -> Self {
        Self(characters::by_revision("rfc1738").map_or_else(String::new, |alphabet| alphabet.encode(octets, component)))
    }

    /// Returns the text as it is written.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Returns the decoded octets.
    #[must_use]
    pub fn decoded(&self) -> Vec<u8> {
        // The text has no malformed escapes, and is never split inside an escape.
        characters::decode(&self.0).unwrap_or_else(|_| self.0.clone().into_bytes())
    }

    /// Creates a field from a part of a text without malformed escapes.
    fn piece(raw: &str) -> Self {
        Self(raw.to_owned())
    }

    fn pieces(raw: &str, at: char) -> Vec<Self> {
        raw.split(at).map(Self::piece).collect()
    }
}

impl fmt::Display for EncodedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The host and port of §3.1.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct HostPort {
    /// A domain name, or four decimal numbers.
    pub host: String,
    /// The decimal digits of the port, if the URL has one.
    pub port: Option<String>,
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        self.port.as_ref().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The login of §3.1. An empty user or password differs from an absent one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Login {
    /// The user.
    pub user: Option<EncodedText>,
    /// The password. It requires a user.
    pub password: Option<EncodedText>,
    /// Host and port.
    pub at: HostPort,
}

impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            write!(f, "{user}")?;
            if let Some(password) = &self.password {
                write!(f, ":{password}")?;
            }
            f.write_str("@")?;
        }
        write!(f, "{}", self.at)
    }
}

/// A field and its name in the specification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// The name, for example `cwd`.
    pub name: &'static str,
    /// The value.
    pub value: Value,
}

/// The value of a [`Field`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// The field is absent.
    Absent,
    /// A text, which may be empty.
    Text(EncodedText),
    /// Several texts, in order.
    List(Vec<EncodedText>),
    /// Names and values, in order.
    Pairs(Vec<(EncodedText, EncodedText)>),
    /// A description of the preceding field's meaning.
    Description(String),
}

/// The fields of a scheme. The `Display` implementation writes the part of the URL after the colon.
trait Part: fmt::Display {
    fn fields(&self) -> Vec<Field>;
    fn actions(&self) -> Vec<Action>;
}

/// A scheme that the specification describes.
#[derive(Debug)]
pub struct Scheme {
    /// The name in lower case.
    pub name: &'static str,
    /// The section that describes the scheme.
    pub section: &'static str,
    /// The default port, if the scheme has one.
    pub port: Option<u16>,
    read: fn(Common, &mut Trace) -> Result<Form, Rejection>,
    steps: fn() -> Vec<StepText>,
}

/// The schemes, in the specification's order.
pub static ALL: &[Scheme] = &[
    ftp::SCHEME,
    http::SCHEME,
    gopher::SCHEME,
    mailto::SCHEME,
    news::SCHEME,
    nntp::SCHEME,
    telnet::SCHEME,
    wais::SCHEME,
    file::SCHEME,
    prospero::SCHEME,
];

/// Returns the scheme with this name. Case is ignored.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Scheme> {
    ALL.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// The parts of a URL by §2.1 and §3.1. In the common Internet syntax, empty differs from absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Common {
    pub(crate) scheme: String,
    pub(crate) scheme_specific_part: String,
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) host: Option<String>,
    pub(crate) port: Option<String>,
    pub(crate) url_path: Option<String>,
}

impl Common {
    /// Returns the user, password, host and port, if there is a host.
    pub(crate) fn login(&self) -> Option<Login> {
        let piece = |text: &Option<String>| text.as_deref().map(EncodedText::piece);
        let at = HostPort { host: self.host.clone()?, port: self.port.clone() };
        Some(Login { user: piece(&self.user), password: piece(&self.password), at })
    }
}

/// Reads the fields of a URL from its parts, by the steps of its scheme.
pub(crate) fn read(common: Common, trace: &mut Trace) -> Result<Url, Rejection> {
    let scheme = common.scheme.clone();
    let mut named = Named { common, scheme: None, rejection: None };
    run(NAMED, &mut named, trace);
    if let Some(rejection) = named.rejection {
        return Err(rejection);
    }
    let form = match named.scheme {
        Some(scheme) => (scheme.read)(named.common, trace)?,
        None => other::read(named.common, trace)?,
    };
    Ok(Url { scheme, form })
}

/// Returns the steps of all schemes, in the specification's order.
pub(crate) fn steps() -> Vec<StepText> {
    let mut steps = texts(NAMED);
    ALL.iter().for_each(|scheme| steps.extend((scheme.steps)()));
    steps.extend(texts(other::STEPS));
    steps
}

const NAMED: &Program<Named> = &[
    ("2.2 escapes", "reject a % that two hexadecimal digits do not follow", escapes),
    ("3 scheme", "continue with the section of the scheme; the case of its name is ignored", name),
];

struct Named {
    common: Common,
    scheme: Option<&'static Scheme>,
    rejection: Option<Rejection>,
}

fn escapes(s: &mut Named) -> Next {
    let Err(malformed) = characters::decode(&s.common.scheme_specific_part) else { return Continue };
    let offset = s.common.scheme.len() + 1 + malformed.offset;
    s.rejection = Some(Rejection::new("2.2", format!("{}", MalformedEscape { offset })));
    Done
}

fn name(s: &mut Named) -> Next {
    s.scheme = by_name(&s.common.scheme);
    Continue
}

impl Show for Named {
    fn show(&self) -> String {
        self.scheme.map_or_else(String::new, |scheme| format!("scheme={} section={}", scheme.name, scheme.section))
    }
}

fn text(name: &'static str, value: &EncodedText) -> Field {
    Field { name, value: Value::Text(value.clone()) }
}

fn maybe(name: &'static str, value: Option<&EncodedText>) -> Field {
    Field { name, value: value.map_or(Value::Absent, |value| Value::Text(value.clone())) }
}

fn host_fields(at: &HostPort) -> Vec<Field> {
    let port = at.port.as_deref().map(EncodedText::piece);
    vec![text("host", &EncodedText::piece(&at.host)), maybe("port", port.as_ref())]
}

fn login_fields(login: &Login) -> Vec<Field> {
    let mut fields = vec![maybe("user", login.user.as_ref()), maybe("password", login.password.as_ref())];
    fields.extend(host_fields(&login.at));
    fields
}
