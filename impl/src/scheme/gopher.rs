//! The scheme gopher, §3.4: a type, a selector, a search and a Gopher+ string, separated by encoded tabs.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::{Action, first_of, shown};
use super::{EncodedText, Field, Form, HostPort, Part, PartReader, Scheme, Value, host_fields, maybe, read_part};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 70;

/// The separator of selector, search and Gopher+ string.
const CODED_TAB: &str = "%09";

pub(super) const SCHEME: Scheme = Scheme {
    name: "gopher",
    section: "3.4",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Gopher),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Gopher>> = &[
    ("3.4.1 user", "reject a user or a password: the form has none", user),
    ("3.4.1 host", "two slashes and a host must follow; the default port is 70", host),
    ("3.4.1 empty path", "if the path is empty, with or without its slash, the type is 1", empty_path),
    ("3.4.1 gophertype", "the first character is the type", gophertype),
    ("3.4.1 selector", "the part before the first encoded tab is the selector", selector),
    ("3.4.1 octets", "reject a selector that contains a tab, CR or LF", octets),
    ("3.4.2 search", "the part before the next encoded tab is the search, which may be empty", search),
    ("3.4.3 gopher+ string", "the rest is the Gopher+ string", plus),
    ("3.4.4 tags", "+ means the default view, and ? means an item with a form", tags),
    (
        "3.4.6 attributes",
        "! means all attributes of the item, and $ means those of all items of a directory",
        attributes,
    ),
    ("3.4.7 attribute names", "names after ! or $, separated by encoded spaces, select these attributes", names),
    ("3.4.8 view", "+ and a name means that view, in the language after an encoded space", view),
    ("3.4.9 filled form", "+, a tab, 1 and lines up to a full stop are a completed form", filled),
];

/// `//host:port/` and a path (§3.4.1).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Gopher {
    /// Host and port.
    pub at: HostPort,
    /// Whether a slash follows the host. It may be omitted if there is no item.
    pub slash: bool,
    /// The item, or `None` for the root directory of the server.
    pub item: Option<GopherItem>,
}

/// The path of §3.4.1.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GopherItem {
    /// The type: a character or an escape.
    pub kind: EncodedText,
    /// The selector, which is sent to the server.
    pub selector: EncodedText,
    /// The words to search for, if there is an encoded tab.
    pub search: Option<EncodedText>,
    /// The Gopher+ string, if there is a second encoded tab.
    pub plus: Option<GopherPlus>,
}

/// A Gopher+ string (§3.4.3).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GopherPlus {
    /// The text as it is written.
    pub text: EncodedText,
    /// The decoded request.
    pub request: GopherRequest,
}

/// The request in a Gopher+ string.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GopherRequest {
    /// `+`: the item in its default view (§3.4.4).
    DefaultView,
    /// `?`: an item with a form, which the client must retrieve first (§3.4.5).
    Form,
    /// `!` or `$`, with or without names (§3.4.6, §3.4.7).
    Attributes(AttributesOf, Vec<Vec<u8>>),
    /// `+view language` (§3.4.8).
    View {
        /// The name, for example `application/postscript`.
        name: Vec<u8>,
        /// The language, for example `Es_ES`, if there is one.
        language: Option<Vec<u8>>,
    },
    /// A completed form: the lines of the user (§3.4.9).
    Filled(Vec<Vec<u8>>),
    /// None of these.
    Unknown,
}

/// The items whose attributes are requested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AttributesOf {
    /// `!`: the item.
    Item,
    /// `$`: all items of a directory.
    Directory,
}

impl Gopher {
    /// Returns the type, or `1`, a directory, if the URL has no item.
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.item.as_ref().and_then(|item| item.kind.decoded().first().copied()).unwrap_or(b'1')
    }
}

fn user(s: &mut PartReader<Gopher>) -> Next {
    s.without_user("3.4.1")
}

fn host(s: &mut PartReader<Gopher>) -> Next {
    match s.connect("3.4.1", PORT) {
        Ok(at) => s.part.at = at,
        Err(done) => return done,
    }
    s.part.slash = s.common.url_path.is_some();
    Continue
}

fn empty_path(s: &mut PartReader<Gopher>) -> Next {
    if s.rest.is_empty() { Done } else { Continue }
}

fn gophertype(s: &mut PartReader<Gopher>) -> Next {
    let end = if s.rest.starts_with('%') { 3 } else { s.rest.chars().next().map_or(0, char::len_utf8) };
    s.part.item = Some(GopherItem { kind: EncodedText::piece(&s.rest[..end]), ..GopherItem::default() });
    s.rest.drain(..end);
    Continue
}

fn selector(s: &mut PartReader<Gopher>) -> Next {
    let end = s.rest.find(CODED_TAB).unwrap_or(s.rest.len());
    let selector = EncodedText::piece(&s.rest[..end]);
    s.rest.drain(..end);
    if let Some(item) = &mut s.part.item {
        item.selector = selector;
    }
    Continue
}

fn octets(s: &mut PartReader<Gopher>) -> Next {
    let octets = s.part.item.as_ref().map_or(Vec::new(), |item| item.selector.decoded());
    match first_of(&octets, b"\t\r\n") {
        Some(octet) => {
            let why = format!("the octet {octet:02X} in the selector: it may contain any octet except 09, 0A and 0D");
            s.reject("3.4.1", why)
        }
        None => Continue,
    }
}

fn search(s: &mut PartReader<Gopher>) -> Next {
    if !s.rest.starts_with(CODED_TAB) {
        return Done;
    }
    s.rest.drain(..CODED_TAB.len());
    let end = s.rest.find(CODED_TAB).unwrap_or(s.rest.len());
    let search = EncodedText::piece(&s.rest[..end]);
    s.rest.drain(..end);
    if let Some(item) = &mut s.part.item {
        item.search = Some(search);
    }
    Continue
}

fn plus(s: &mut PartReader<Gopher>) -> Next {
    if !s.rest.starts_with(CODED_TAB) {
        return Done;
    }
    s.rest.drain(..CODED_TAB.len());
    let text = s.take_rest();
    if let Some(item) = &mut s.part.item {
        item.plus = Some(GopherPlus { text, request: GopherRequest::Unknown });
    }
    Continue
}

/// Ends with the request that `read` recognizes in the Gopher+ string, or continues if it recognizes none.
fn means(s: &mut PartReader<Gopher>, read: fn(&[u8]) -> Option<GopherRequest>) -> Next {
    let Some(plus) = s.part.item.as_mut().and_then(|item| item.plus.as_mut()) else { return Done };
    match read(&plus.text.decoded()) {
        Some(request) => {
            plus.request = request;
            Done
        }
        None => Continue,
    }
}

fn tags(s: &mut PartReader<Gopher>) -> Next {
    means(s, |octets| match octets {
        b"+" => Some(GopherRequest::DefaultView),
        b"?" => Some(GopherRequest::Form),
        _ => None,
    })
}

fn attributes(s: &mut PartReader<Gopher>) -> Next {
    means(s, |octets| match octets {
        b"!" => Some(GopherRequest::Attributes(AttributesOf::Item, Vec::new())),
        b"$" => Some(GopherRequest::Attributes(AttributesOf::Directory, Vec::new())),
        _ => None,
    })
}

fn names(s: &mut PartReader<Gopher>) -> Next {
    means(s, |octets| {
        let (of, names) = match octets {
            [b'!', names @ ..] => (AttributesOf::Item, names),
            [b'$', names @ ..] => (AttributesOf::Directory, names),
            _ => return None,
        };
        Some(GopherRequest::Attributes(of, names.split(|&octet| octet == b' ').map(<[u8]>::to_vec).collect()))
    })
}

fn view(s: &mut PartReader<Gopher>) -> Next {
    means(s, |octets| {
        let view = octets.strip_prefix(b"+").filter(|view| first_of(view, b"\t\r\n").is_none())?;
        let space = view.iter().position(|&octet| octet == b' ');
        Some(GopherRequest::View {
            name: view[..space.unwrap_or(view.len())].to_vec(),
            language: space.map(|at| view[at + 1..].to_vec()),
        })
    })
}

fn filled(s: &mut PartReader<Gopher>) -> Next {
    means(s, |octets| {
        let lines = octets.strip_prefix(b"+\t1\r\n+-1\r\n")?.strip_suffix(b".\r\n")?;
        if lines.is_empty() {
            return Some(GopherRequest::Filled(Vec::new()));
        }
        let mut values = vec![Vec::new()];
        let mut lines = lines.strip_suffix(b"\r\n")?;
        while let Some((&first, rest)) = lines.split_first() {
            match rest {
                [b'\n', rest @ ..] if first == b'\r' => {
                    values.push(Vec::new());
                    lines = rest;
                }
                _ => {
                    values.last_mut()?.push(first);
                    lines = rest;
                }
            }
        }
        Some(GopherRequest::Filled(values))
    })
}

impl fmt::Display for GopherRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |names: &[Vec<u8>]| {
            let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
            names.join(", ")
        };
        match self {
            Self::DefaultView => f.write_str("the item in its default view"),
            Self::Form => f.write_str("an item with a form to complete"),
            Self::Attributes(of, names) => {
                match names.as_slice() {
                    [] => f.write_str("all attributes")?,
                    names => write!(f, "the attributes {}", listed(names))?,
                }
                f.write_str(match of {
                    AttributesOf::Item => " of the item",
                    AttributesOf::Directory => " of all items of the directory",
                })
            }
            Self::View { name, language: None } => write!(f, "the view {}", shown(name)),
            Self::View { name, language: Some(language) } => {
                write!(f, "the view {} in the language {}", shown(name), shown(language))
            }
            Self::Filled(values) => write!(f, "the item with the completed form: {}", listed(values)),
            Self::Unknown => f.write_str("a request that the specification does not define"),
        }
    }
}

impl Part for Gopher {
    fn fields(&self) -> Vec<Field> {
        let mut fields = host_fields(&self.at);
        let item = self.item.as_ref();
        let plus = item.and_then(|item| item.plus.as_ref());
        fields.extend([
            maybe("gophertype", item.map(|item| &item.kind)),
            maybe("selector", item.map(|item| &item.selector)),
            maybe("search", item.and_then(|item| item.search.as_ref())),
            maybe("gopher+_string", plus.map(|plus| &plus.text)),
        ]);
        let meaning = plus.map(|plus| Value::Description(format!("{}", plus.request)));
        fields.push(Field { name: "meaning", value: meaning.unwrap_or(Value::Absent) });
        fields
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![Action::connect(&self.at, PORT)];
        let Some(item) = &self.item else {
            actions.push(Action::Send(Vec::new()));
            return actions;
        };
        let selector = item.selector.decoded();
        let Some(search) = item.search.as_ref().map(EncodedText::decoded) else {
            actions.push(Action::Send(selector));
            return actions;
        };
        let breaks = first_of(&search, b"\t\r\n");
        let line = [&selector[..], b"\t", &search].concat();
        let Some(plus) = &item.plus else {
            actions.push(Action::Send(line).unless(breaks));
            return actions;
        };
        let text = plus.text.decoded();
        let whole = [&line[..], b"\t", &text].concat();
        match &plus.request {
            GopherRequest::Form => actions.extend([
                Action::Send([&line[..], b"\t!+ASK"].concat()).unless(breaks),
                Action::Ask("the values of the form"),
                Action::Perform("send the item's selector with the completed form", vec![line]).unless(breaks),
            ]),
            GopherRequest::Filled(values) => {
                let within = values.iter().find_map(|value| match value.as_slice() {
                    b"." => Some(b'.'),
                    value => first_of(value, b"\r\n"),
                });
                actions.push(Action::Send(whole).unless(breaks.or(within)));
            }
            _ => actions.push(Action::Send(whole).unless(breaks.or(first_of(&text, b"\t\r\n")))),
        }
        actions
    }
}

impl fmt::Display for Gopher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}{}", self.at, if self.slash { "/" } else { "" })?;
        let Some(item) = &self.item else { return Ok(()) };
        write!(f, "{}{}", item.kind, item.selector)?;
        item.search.as_ref().map_or(Ok(()), |search| write!(f, "{CODED_TAB}{search}"))?;
        item.plus.as_ref().map_or(Ok(()), |plus| write!(f, "{CODED_TAB}{}", plus.text))
    }
}
