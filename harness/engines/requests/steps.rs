//! requests: where `Session.resolve_redirects` goes for a `Location`, from 2.15.0 on, which has the argument `yield_requests`.
//!
//! Read from `sessions.py` and `utils.py` of requests 2.15.0 to 2.34.2. It splits, joins and writes URLs with `urllib.parse` of the Python that
//! runs it: that of the recordings is 3.11.7.

use urlstrata::slots::{Part, Slot, Value};
use urlstrata_steps::text::{concatenated, encoded, is_escape};
use urlstrata_steps::{Change, Next::*, Question, Side, State, Step, Table, Witness};

use crate::socket::{GETADDRINFO, host_and_port};
use crate::{urllib, urllib3};

/// requests.
pub static TABLE: Table = Table {
    engine: "requests",
    first: "2.15.0",
    changes: &[&FRAGMENT, &POOLS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE_REDIRECTS), (Question::Connect, GET), (Question::Follow, RESOLVE_REDIRECTS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned()), (&urllib3::TABLE, "2.8.0".to_owned())],
};

static FRAGMENT: Change = Change {
    id: "2.19.0",
    versions: &["2.19.0"],
    date: "2018-06-12",
    issue: "",
    says: "a location without a fragment, or with an empty one, has the fragment of the URL before",
    witness: Witness::resolving("http://a/b#f", "c", Some("http://a/c"), Some("http://a/c#f")),
};

static POOLS: Change = Change {
    id: "2.32.0",
    versions: &["2.32.0"],
    date: "2024-05-20",
    issue: "https://github.com/psf/requests/pull/6655",
    says: "the host and the port of a connection are those that `urlparse` gives for the prepared URL",
    witness: None,
};

static RESOLVE_REDIRECTS: &[Step] = &[
    Step::new("get_redirect_target", "do not follow an empty location", |s| match s.reference.is_empty() {
        true => s.reject(Slot::Ref(Part::Text), "an empty location is not followed"),
        false => Go,
    }),
    Step::new("resolve_redirects: previous_fragment", "split the base", |_| Call(urllib::URLPARSE, Side::Base))
        .since(&FRAGMENT),
    Step::new("resolve_redirects: parsed_rurl", "split the base if the location begins with //", |s| {
        match s.reference.starts_with("//") {
            true => Call(urllib::URLPARSE, Side::Base),
            false => Go,
        }
    })
    .until(&FRAGMENT),
    Step::new(
        "resolve_redirects: //",
        "write the scheme of the base and a colon before a location that begins with //",
        |s| {
            s.mark(urllib::REFERENCE_IN_SLOT);
            if !s.reference.starts_with("//") {
                s.set(Slot::Ref(Part::Text), s.reference);
                return Go;
            }
            let url = format!("{}:{}", s.get(Slot::Base(Part::Scheme)), s.reference);
            s.inherit_as("scheme");
            s.set(Slot::Ref(Part::Text), url);
            Go
        },
    ),
    Step::new("resolve_redirects: parsed", "split the location", |_| Call(urllib::URLPARSE, Side::Reference)),
    Step::new(
        "resolve_redirects: the fragment",
        "a location whose fragment is absent or empty inherits that of the base",
        |s| {
            if s.get(Slot::Ref(Part::Fragment)).is_empty() && !s.get(Slot::Base(Part::Fragment)).is_empty() {
                s.inherit_as("fragment");
                s.decide(Slot::Ref(Part::Text));
                s.flow(Slot::Ref(Part::Fragment), Slot::Base(Part::Fragment));
            }
            Go
        },
    )
    .since(&FRAGMENT),
    Step::new("resolve_redirects: geturl", "write the location from its components", |s| {
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        Call(urllib::URLUNPARSE, Side::Reference)
    }),
    Step::new("resolve_redirects: url", "take what was written as the location", write_location),
    Step::new(
        "unquote_unreserved",
        "decode the escapes of letters, digits, -, ., _ and ~, unless two letters or digits after a percent sign are not a hexadecimal number",
        |s| {
            if has_invalid_escape(s.get(Slot::Ref(Part::Text))) {
                s.mark(INVALID);
                return Go;
            }
            rewrite(s, unquoted)
        },
    ),
    Step::new(
        "requote_uri",
        "percent-encode what is neither unreserved, nor reserved, nor a percent sign; percent signs, too, if there is an invalid escape",
        |s| {
            let keeps_percent = !s.is_marked(INVALID);
            rewrite(s, |text| {
                encoded(text, |it| is_unreserved(it) || SAFE.contains(&it) || it == b'%' && keeps_percent)
            })
        },
    ),
    Step::new(
        "resolve_redirects: netloc",
        "a location with an authority is the target; others are joined with the base",
        |s| {
            if !s.get(Slot::Ref(Part::Authority)).is_empty() {
                if s.get(Slot::Used).is_empty() {
                    s.set(Slot::Used, "nothing");
                }
                s.keep(Slot::NoDots);
                s.concatenate();
                return Go;
            }
            if s.present(Slot::Ref(Part::Params)).is_some() {
                // Another location is split.
                s.set(Slot::Ref(Part::Params), Value::Unread);
            }
            Call(urllib::URLJOIN, Side::Reference)
        },
    ),
    Step::new("prepare_cookies", "reject a target that `urlparse` rejects", |s| {
        let run = s.answer(&urllib::TABLE, Question::Parse, ("", s.get(Slot::Result)));
        match run.is_none_or(|run| run.outcome.is_ok()) {
            true => Done,
            false => s.reject(Slot::Result, "urlparse rejects the target"),
        }
    }),
];

/// The mark of a location in which an escape is invalid.
const INVALID: &str = "an escape is invalid";

/// The characters besides the percent sign that `quote` keeps.
const SAFE: &[u8] = b"!#$&'()*+,/:;=?@[]~";

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Writes the location from the components of the target.
fn write_location(s: &mut State<'_>) -> urlstrata_steps::Next {
    let url = concatenated(Part::COMPONENTS.map(|part| s.present(Slot::Out(part))));
    s.compose(Slot::Ref(Part::Text), &Part::COMPONENTS.map(Slot::Out));
    s.set(Slot::Ref(Part::Text), url);
    Go
}

/// Rewrites each component of the target.
fn rewrite(s: &mut State<'_>, written: impl Fn(&str) -> String) -> urlstrata_steps::Next {
    for part in Part::COMPONENTS {
        if let Some(text) = s.present(Slot::Out(part)) {
            let text = written(text);
            s.set(Slot::Out(part), text);
        }
    }
    write_location(s)
}

/// Returns the two letters or digits with which the text after a percent sign begins.
fn pair(text: &str) -> Option<[char; 2]> {
    let mut characters = text.chars();
    let pair = [characters.next()?, characters.next()?];
    pair.iter().all(|it| it.is_alphanumeric()).then_some(pair)
}

/// Returns the number that `int` reads: hexadecimal digits of ASCII, and decimal ones of any script.
fn hexadecimal(pair: [char; 2]) -> Option<u32> {
    let [high, low] = pair.map(|it| it.to_digit(16).or_else(|| urllib::digit(it)));
    Some(16 * high? + low?)
}

fn has_invalid_escape(text: &str) -> bool {
    text.split('%').skip(1).filter_map(pair).any(|pair| hexadecimal(pair).is_none())
}

/// Decodes the escapes of unreserved characters.
fn unquoted(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = pair(part)
            .and_then(hexadecimal)
            .and_then(|value| u8::try_from(value).ok())
            .filter(|byte| is_unreserved(*byte));
        match byte {
            Some(byte) => {
                out.push(char::from(byte));
                out.extend(part.chars().skip(2));
            }
            None => out.extend(["%", part]),
        }
    }
    out
}

/// `requests.get`, up to the socket.
static GET: &[Step] = &[
    Step::new("prepare_url: lstrip", "remove white space from the start of the URL", |s| {
        s.rest = s.reference.trim_start_matches(|it: char| it.is_whitespace() || matches!(it, '\x1c'..='\x1f')).to_owned();
        s.write_text();
        Go
    })
    .since(&POOLS),
    Step::new("get_adapter", "reject a URL that begins neither with http:// nor with https://", |s| {
        let slot = Slot::Ref(Part::Text);
        let text = s.get(slot).to_lowercase();
        match text.starts_with("http://") || text.starts_with("https://") {
            true => Go,
            false => s.reject(slot, "no adapter takes it"),
        }
    }),
    Step::new("prepare_url: parse_url", "parse the URL as urllib3 does", |_| Call(urllib3::PARSE_URL, Side::Reference)),
    Step::new("prepare_url: startswith", "reject a host that begins with * or .", |s| {
        let slot = Slot::Ref(Part::Host);
        match s.get(slot).starts_with(['*', '.']) {
            true => s.reject(slot, "it begins with * or ."),
            false => Go,
        }
    }),
    Step::new("prepare_url: if port", "the port 0 is left out", |s| {
        let slot = Slot::Ref(Part::Port);
        if s.get(slot) == "0" {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("_basic_auth_str", "reject a user with a password if one of them has a character outside Latin-1", |s| {
        let slot = Slot::Ref(Part::Userinfo);
        let is_latin = urllib::unquoted(s.get(slot)).chars().all(|it| it <= '\u{ff}');
        match is_latin || !s.get(slot).contains(':') {
            true => Go,
            false => s.reject(slot, "it is not in Latin-1"),
        }
    }),
    Step::new(
        "_urllib3_request_context",
        "connect to the host, and to the port or the default one of the scheme; reject other schemes than http and https",
        host_and_port,
    ),
    Step::new("_normalize_host_percent_encoding", "reject a host with a percent sign that begins no escape", |s| {
        let slot = Slot::Out(Part::Host);
        let host = s.get(slot);
        match host.match_indices('%').all(|(at, _)| is_escape(&host[at..])) {
            true => Go,
            false => s.reject(slot, "a percent sign without two hexadecimal digits"),
        }
    }),
    Step::new("create_connection: getaddrinfo", "ask the system's resolver", |_| Call(GETADDRINFO, Side::Reference)),
];
