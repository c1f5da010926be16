//! feedparser: `make_safe_absolute_uri`.
//!
//! Read from `feedparser/urls.py` of feedparser 6.0.0 and 6.0.14, which has the same functions. It joins with `urllib.parse` of the Python that
//! runs it: that of the recordings is 3.11.7.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::urllib;

/// feedparser.
pub static TABLE: Table = Table {
    engine: "feedparser",
    first: "6.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, MAKE_SAFE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// `ACCEPTABLE_URI_SCHEMES`.
const ACCEPTABLE: &[&str] = &[
    "aim", "callto", "cvs", "facetime", "feed", "file", "ftp", "git", "gopher", "gtalk", "h323", "hdl", "http", "https",
    "imap", "irc", "irc6", "ircs", "itms", "magnet", "mailto", "mms", "msnim", "news", "nntp", "prospero", "rsync", "rtsp",
    "rtspu", "sftp", "shttp", "sip", "sips", "skype", "smb", "snews", "ssh", "svn", "svn+ssh", "telnet", "wais", "ymsg",
];

/// `make_safe_absolute_uri`.
static MAKE_SAFE: &[Step] = &[
    Step::new("make_safe_absolute_uri: not base", "return the reference as it is if the base is empty", |s| {
        if s.base.is_empty() { s.return_text(s.reference) } else { Go }
    }),
    Step::new("make_safe_absolute_uri: not rel", "split the base if the reference is empty", |s| {
        if s.reference.is_empty() { Call(urllib::URLPARSE, Side::Base) } else { To("_urljoin: _urifixer") }
    }),
    Step::new(
        "make_safe_absolute_uri: scheme",
        "return the base for an empty reference; reject one whose scheme is not on the list",
        |s| {
            if s.present(Slot::Base(Part::Scheme)).is_some_and(|scheme| !ACCEPTABLE.contains(&scheme)) {
                return s.reject(Slot::Base(Part::Scheme), "its scheme is not acceptable");
            }
            s.set(Slot::Used, "scheme, authority, path, query, fragment");
            s.return_text(s.base)
        },
    ),
    Step::new("_urljoin: _urifixer", "remove the slashes after the two that follow a scheme", |s| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+'..='.');
        let fixed = match s.reference.split_once("://") {
            Some((scheme, rest)) if scheme.starts_with(|it: char| it.is_ascii_alphabetic()) && scheme.chars().all(is_part) => {
                format!("{scheme}://{}", rest.trim_start_matches('/'))
            }
            _ => s.reference.to_owned(),
        };
        s.set(Slot::Ref(Part::Text), fixed);
        s.passed = s.present(Slot::Ref(Part::Text)).map(str::to_owned);
        Go
    }),
    Step::new("_urljoin: urljoin", "join the reference with the base as `urljoin` does", |_| {
        Call(urllib::URLJOIN, Side::Reference)
    }),
    Step::new(
        "make_safe_absolute_uri: ACCEPTABLE_URI_SCHEMES",
        "reject a target whose text up to the first colon is not on the list of schemes",
        |s| {
            let start = cut(urllib::stripped(s.get(Slot::Result)), ":").0;
            match ACCEPTABLE.contains(&start) {
                true => Done,
                false => s.reject(Slot::Out(Part::Scheme), "its scheme is not acceptable"),
            }
        },
    ),
];
