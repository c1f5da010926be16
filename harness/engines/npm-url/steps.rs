//! The npm package `url`: `url.resolve(base, reference)`, and the properties of `url.parse(url)`, from 0.10.0 on.
//!
//! Read from `url.js` of url 0.10.3 to 0.11.4. The package is the `url` module of an older Node.js: it shares the rows of the table
//! `node-url-resolve` that did not change since. A label of a host that is not ASCII is encoded with Punycode alone, without IDNA.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::node_url_resolve::{self as node, NO_HOST, name_and_port};
use crate::uri_js::punycode;
use crate::url_parse::is_white;

/// The npm package `url`.
pub static TABLE: Table = Table {
    engine: "npm-url",
    first: "0.10.0",
    changes: &[&BROWSERS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static BROWSERS: Change = Change {
    id: "0.11.0",
    versions: &["0.11.0"],
    date: "2015-08-27",
    issue: "https://github.com/defunctzombie/node-url/commit/e5b6f59",
    says: "the package has the module of Node.js 0.12.7: a backslash is a slash, a host may contain a plus sign, and a slash follows dots at the end",
    witness: Witness::resolving("http://a/b", "\\c", Some("http://a/%5Cc"), Some("http://a/c")),
};

/// `Url.prototype.parse`, for the base and the reference.
static PARSE: &[Step] = &[
    node::TEXT,
    Step::new(
        "parse: uSplit",
        "write a slash for each backslash before the first ?, if a # follows it, and otherwise before the first #",
        |s| {
            let (before, fragment) = until(&s.rest, &['#']);
            let (path, query) = if fragment.is_empty() { (before, "") } else { until(before, &['?']) };
            s.rest = path.replace('\\', "/") + query + fragment;
            s.write_text();
            Go
        },
    )
    .since(&BROWSERS),
    Step::new("parse: trim", "remove white space before and after the URL", |s| {
        s.rest = s.rest.trim_matches(is_white).to_owned();
        s.write_text();
        Go
    }),
    Step::new(
        "parse: simplePathPattern",
        "in `url.parse`, a text that begins with one or two slashes, and has no white space and no #, is a path and a query, which are kept as they are",
        |s| node::cut_simple_path(s, false),
    )
    .since(&BROWSERS),
    node::PROTOCOL,
    node::SLASHES_DENOTE_HOST,
    node::HOST_AFTER_SLASHES,
    node::NON_HOST,
    Step::new("parse: auth", "the text before the last @ is the user: decode it", |s| {
        let authority = s.get(s.own(Part::Authority));
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        let (user, host) = (user.map(str::to_owned), host.to_owned());
        if user.as_deref() == Some("") {
            s.mark(node::EMPTY_USER);
        }
        let decoded = user.as_deref().map(node::decoded);
        if decoded == Some(None) {
            let slot = s.own(Part::User);
            return s.reject(slot, "a percent sign does not begin an escape, or the decoded text is not UTF-8");
        }
        s.set(s.own(Part::User), user);
        s.set(s.own(Part::User), decoded.flatten().filter(|user| !user.is_empty()));
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new(
        "parse: hostnamePartPattern without +",
        "end the host in a label with another character than letters, digits, - and _, or longer than 63 units of UTF-16; the rest begins the path",
        |s| cut_host(s, "-_"),
    )
    .until(&BROWSERS),
    Step::new(
        "parse: hostnamePartPattern",
        "end the host in a label with another character than letters, digits, +, - and _, or longer than 63 units of UTF-16; the rest begins the path",
        |s| cut_host(s, "+-_"),
    )
    .since(&BROWSERS),
    Step::new("parse: parseHost", "remove a colon without a port", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        let host = host.strip_suffix(':').unwrap_or(host).to_owned();
        s.set(slot, host);
        Go
    }),
    Step::new("parse: ipv6Hostname", "write a slash after a host in brackets", |s| {
        if is_address(s) && !s.rest.starts_with('/') {
            s.decide(s.own(Part::Path));
            s.rest.insert(0, '/');
        }
        Go
    }),
    Step::new("parse: hostnameMaxLen", "remove a host of more than 255 characters", |s| {
        rewrite_name(s, |name| if name.encode_utf16().count() > 255 { String::new() } else { name.to_owned() })
    }),
    Step::new("parse: toLowerCase", "write the host in lower case", |s| rewrite_name(s, str::to_lowercase)),
    Step::new("parse: punycode.encode", "encode each label outside ASCII; only a dot ends a label", |s| {
        rewrite_label(s, |name| {
            let label = |label: &str| if label.is_ascii() { label.to_owned() } else { encode(label) };
            name.split('.').map(label).collect::<Vec<_>>().join(".")
        })
    })
    .until(&BROWSERS),
    Step::new("parse: punycode.toASCII", "encode each label outside ASCII; an ideographic full stop ends a label, too", |s| {
        rewrite_label(s, punycode)
    })
    .since(&BROWSERS),
    node::LOWER_PROTOCOL,
    node::HASH_INDEX,
    node::QUESTION_INDEX,
    node::AUTO_ESCAPE,
    node::PATHNAME,
];

/// `urlResolve`: `Url.prototype.resolveObject`, then `Url.prototype.format`.
static RESOLVE: &[Step] = &[
    Step::new("urlResolve: source", "parse the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: relative", "parse the reference", |_| Call(PARSE, Side::Reference)),
    node::HASH,
    node::EMPTY,
    node::AUTHORITY,
    node::OTHER_PROTOCOL,
    Step::new(
        "resolveObject: relPath.shift(), also for file",
        "after another slashed protocol, an empty host is replaced by the first segment of the path that is not empty",
        |s| node::first_segment_is_host(s, ""),
    ),
    node::MUST_END_ABS,
    Step::new(
        "resolveObject: psychotic",
        "if the protocol is not slashed, the host is the first segment of the path while dots are removed",
        node::host_is_first_segment,
    ),
    Step::new(
        "resolveObject: isRelAbs, with the user",
        "a reference with a host or a path that begins with a slash keeps path and query, but has the base's user",
        |s| node::take_path(s, false),
    ),
    node::MERGE,
    node::SEARCH,
    node::FRAGMENT,
    Step::new("resolveObject: dots", "remove each . segment, and each .. segment with the one before it", |s| {
        node::remove_dots(s, true)
    })
    .since(&BROWSERS),
    Step::new(
        "resolveObject: dots, a slash only after a host",
        "remove each . segment, and each .. segment with the one before it; without a host, no slash remains after a last one",
        |s| node::remove_dots(s, false),
    )
    .until(&BROWSERS),
    node::LEADING_SLASH,
    node::TRAILING_SLASH,
    node::HOST_BACK,
    node::USER,
    node::SLASH_AFTER_HOST,
    Step::new("format: host", "write the user before the host, encoded but for its first colon, and no user without a host", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let host = s.get(Slot::Out(Part::Host)).to_owned();
        let user = encoded(s.get(Slot::Out(Part::User)), |it| it.is_ascii_alphanumeric() || b"!-._~'()*".contains(&it));
        let user = user.replacen("%3A", ":", 1);
        s.set(Slot::Out(Part::User), Some(user.as_str()).filter(|user| !user.is_empty()));
        let user = if user.is_empty() { user } else { user + "@" };
        let authority = if host.is_empty() { String::new() } else { user + &host };
        s.compose(Slot::Out(Part::Authority), &[Slot::Out(Part::User), Slot::Out(Part::Host)]);
        if host.is_empty() && s.present(Slot::Out(Part::User)).is_some() {
            s.decide(Slot::Out(Part::Authority));
        }
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new(
        "format: slashedProtocol",
        "write two slashes before the host if there were some, or the protocol is slashed or absent and there is a host; \
         a path after them begins with a slash",
        |s| {
            let (path, authority) = (s.get(Slot::Out(Part::Path)), s.get(Slot::Out(Part::Authority)));
            let scheme = s.get(Slot::Out(Part::Scheme));
            let is_slashed = scheme.is_empty() || node::is_slashed(s, scheme);
            if s.is_marked(node::SLASHES) || is_slashed && !authority.is_empty() {
                let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
                let path = format!("{slash}{path}");
                s.set(Slot::Out(Part::Path), path);
            } else {
                let path = format!("{authority}{path}");
                s.set(Slot::Out(Part::Path), path);
                s.set(Slot::Out(Part::Authority), None::<&str>);
            }
            Go
        },
    ),
    Step::new("format", "concatenate the components", |s| s.concatenate()),
];

/// The properties of what `url.parse(url)` returns.
static STATE: &[Step] = &[
    Step::new("urlParse", "parse the URL", |s| {
        s.mark(NO_HOST);
        Call(PARSE, Side::Reference)
    }),
    node::USER_PROPERTY,
    node::HOST_PROPERTY,
    node::NAME_PROPERTIES,
    node::OTHER_PROPERTIES,
];

fn is_address(s: &State<'_>) -> bool {
    node::is_bracketed(name_and_port(s.get(s.own(Part::Host))).0)
}

/// Rewrites the name in the host of a side.
fn rewrite_name(s: &mut State<'_>, rewritten: impl Fn(&str) -> String) -> Next {
    let slot = s.own(Part::Host);
    if s.present(slot).is_some() {
        let (name, port) = name_and_port(s.get(slot));
        let host = rewritten(name) + port;
        s.set(slot, host);
    }
    Go
}

fn rewrite_label(s: &mut State<'_>, rewritten: impl Fn(&str) -> String) -> Next {
    if is_address(s) { Go } else { rewrite_name(s, rewritten) }
}

fn encode(label: &str) -> String {
    idna::punycode::encode_str(label).map_or_else(|| label.to_owned(), |label| format!("xn--{label}"))
}

/// Ends the host in the first label that is too long or has a character of ASCII that labels do not have. Up to 63 characters of ASCII that labels
/// have remain of this label; what follows them is the path after a slash. A separator of lines or paragraphs among it removes it.
fn cut_host(s: &mut State<'_>, marks: &str) -> Next {
    let slot = s.own(Part::Host);
    let (name, port) = name_and_port(s.get(slot));
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || marks.contains(it);
    let is_label = |label: &str| {
        label.encode_utf16().count() <= 63 && label.chars().all(|it| !it.is_ascii() || is_allowed(it))
    };
    let labels: Vec<&str> = name.split('.').collect();
    let Some(at) = labels.iter().position(|label| !is_label(label)).filter(|_| !is_address(s)) else { return Go };
    let (mut host, mut rest) = (labels[..at].to_vec(), labels[at + 1..].to_vec());
    let end = labels[at].find(|it| !is_allowed(it)).unwrap_or(labels[at].len()).min(63);
    let (kept, after) = labels[at].split_at(end);
    if !after.contains(['\u{2028}', '\u{2029}']) {
        host.push(kept);
        rest.insert(0, after);
    }
    let (host, path) = (host.join(".") + port, rest.join("."));
    if !rest.is_empty() {
        s.rest = format!("/{path}{}", s.rest);
        s.decide(s.own(Part::Path));
    }
    s.set(slot, host);
    Go
}
