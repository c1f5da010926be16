//! Node.js's legacy `url.resolve(from, to)`, and the properties of `url.parse(url)`, from 10 to 26.
//!
//! Read from `lib/url.js` of Node.js 10.24.1 to 26.10.0. A protocol's name is compared with lists: *slashed* protocols have an authority only after two
//! slashes, the *hostless* `javascript` has none, and any other protocol has one with or without slashes.
//!
//! The host's IDNA form depends on the Unicode version of ICU or Ada; here it is that of the `idna` crate. 18.17 and 20.0 called `domainToASCII`
//! instead, which also reads IPv4 addresses; that is not described.

mod changes;

use icu_normalizer::ComposingNormalizerBorrowed;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, is_escape, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::url_parse::is_white;
use changes::*;

/// Node.js's legacy `url` module.
pub static TABLE: Table = Table {
    engine: "node-url-resolve",
    first: "10.0.0",
    changes: &[
        &JAVASCRIPT,
        &WEB_SOCKETS,
        &EMPTY_LABEL,
        &CONFUSABLE,
        &USERS,
        &CONTROLS,
        &BRACKETED,
        &HOST_CHARACTERS,
        &TABS,
        &ADA,
        &NUL,
        &ADA_3,
        &PORTS,
        &ASCII,
    ],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

pub(crate) fn is_slashed(s: &State<'_>, scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ftp" | "gopher" | "file")
        || matches!(scheme, "ws" | "wss") && s.has(&WEB_SOCKETS)
}

fn is_hostless(scheme: &str) -> bool {
    scheme == "javascript"
}

/// The mark for an authority without slashes.
fn bare(side: Side) -> &'static str {
    match side {
        Side::Base => "the base's authority has no slashes",
        Side::Reference => "the reference's authority has no slashes",
    }
}

pub(crate) fn has_slashes(s: &State<'_>, side: Side) -> bool {
    let authority = if side == Side::Base { Slot::Base(Part::Authority) } else { Slot::Ref(Part::Authority) };
    s.present(authority).is_some() && !s.is_marked(bare(side))
}

/// The mark of `url.parse`, which reads no host without a protocol.
pub(crate) const NO_HOST: &str = "slashes do not denote a host";

/// The mark for an authority that begins with an @.
pub(crate) const EMPTY_USER: &str = "the user is empty";

/// The mark for a host in brackets that was longer when Node.js looked for brackets.
fn not_an_address(side: Side) -> &'static str {
    match side {
        Side::Base => "the base's brackets are no address",
        Side::Reference => "the reference's brackets are no address",
    }
}

/// Returns whether the host of a side is in brackets.
fn is_address(s: &State<'_>) -> bool {
    is_bracketed(name_and_port(s.get(s.own(Part::Host))).0) && !s.is_marked(not_an_address(s.side))
}

/// Divides a host into its name and its port with the colon.
pub(crate) fn name_and_port(host: &str) -> (&str, &str) {
    let name = host.trim_end_matches(|it: char| it.is_ascii_digit());
    name.strip_suffix(':').map_or((host, ""), |name| host.split_at(name.len()))
}

pub(crate) fn is_bracketed(name: &str) -> bool {
    name.len() > 1 && name.starts_with('[') && name.ends_with(']')
}

/// The mark for a name to whose characters IDNA mapped a colon: it is not the one of a port.
const MAPPED_COLON: &str = "the name contains a colon";

/// Divides the host of the side that is read into its name and its port with the colon, after the name was mapped.
fn mapped_name_and_port<'a>(s: &'a State<'_>) -> (&'a str, &'a str) {
    let host = s.get(s.own(Part::Host));
    if s.is_marked(MAPPED_COLON) { (host, "") } else { name_and_port(host) }
}

pub(crate) fn has_name(host: &str) -> bool {
    !matches!(name_and_port(host).0, "" | "[]")
}

fn joined(user: &str, host: &str) -> String {
    let keeps = |it: u8| it.is_ascii_alphanumeric() || b"!-._~'()*:".contains(&it);
    if user.is_empty() { host.to_owned() } else { format!("{}@{host}", encoded(user, keeps)) }
}

/// Writes the host of a side, and the authority with it. The authority is read again if another value is exchanged for it.
fn write_host(s: &mut State<'_>, host: String) {
    let [authority, user, slot] = [Part::Authority, Part::User, Part::Host].map(|part| s.own(part));
    s.set(slot, host);
    let written = joined(s.get(user), s.get(slot));
    s.set(authority, written.as_str());
    let value = s.present(authority).map(str::to_owned);
    if value.as_deref() != Some(&written) {
        let (before, host) = value.as_deref().map_or((None, None), |it| {
            it.rsplit_once('@').map_or((None, Some(it)), |(user, host)| (Some(user), Some(host)))
        });
        s.set(user, before.map(|user| decoded(user).unwrap_or_else(|| user.to_owned())));
        s.set(slot, host);
    }
}

/// Decodes escapes; `None` if one is incomplete or they are not UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let digits = is_escape(rest).then(|| &rest[1..3])?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}

/// Returns the IDNA form of a host. Some libraries accept labels that encode only ASCII.
fn ascii_form(name: &str, accepts_ascii: bool) -> Option<String> {
    let form = |name: &str| {
        Some(
            Uts46::new()
                .to_ascii(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
                .ok()?
                .into_owned(),
        )
    };
    let encodes_ascii =
        |label: &str| label.strip_prefix("xn--").is_some_and(|it| it.len() > 1 && it.ends_with('-') && it.is_ascii());
    let label = |label| if accepts_ascii && encodes_ascii(label) { Some(label.to_owned()) } else { form(label) };
    form(name)
        .or_else(|| Some(name.split('.').map(label).collect::<Option<Vec<_>>>()?.join(".")).filter(|_| accepts_ascii))
}

/// Returns the character to which IDNA maps one, with a replacement character for one that it does not allow.
fn mapped(it: char) -> String {
    let form = |text: &str| {
        let (form, result) = Uts46::new().to_unicode(text.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
        result.ok().map(|()| form.into_owned())
    };
    if it.is_ascii() || matches!(it, '\u{200c}' | '\u{200d}') {
        return it.to_string();
    }
    // A mark needs a letter before it.
    let after_letter = || form(&format!("q{it}")).map(|text| text.trim_start_matches('q').to_owned());
    form(it.encode_utf8(&mut [0; 4])).or_else(after_letter).unwrap_or_else(|| "\u{fffd}".to_owned())
}

/// Returns the form that ICU writes if its errors are ignored: a label with an error is not encoded, and an invalid encoded label is marked.
fn lenient_ascii_form(name: &str, marks_ascii: bool) -> String {
    let label = |label: &str| {
        let is_ldh = label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
        match ascii_form(label, !marks_ascii) {
            Some(form) => form,
            None if label == "xn--" && !marks_ascii => String::new(),
            None if label.starts_with("xn--") && is_ldh => format!("{label}\u{fffd}"),
            None if label.starts_with("xn--") || label.contains('\u{fffd}') => label.to_owned(),
            None => idna::punycode::encode_str(label).map_or_else(|| label.to_owned(), |it| format!("xn--{it}")),
        }
    };
    let text: String = name.chars().map(mapped).collect();
    let labels = ComposingNormalizerBorrowed::new_nfc().normalize(&text).split('.').map(label).collect::<Vec<_>>();
    ascii_form(name, false).unwrap_or_else(|| labels.join("."))
}

/// `Url.prototype.parse`, for the base and the reference.
pub(crate) static PARSE: &[Step] = &[
    TEXT,
    Step::new("parse: isWs, white space", "remove white space before and after the URL", |s| {
        trim(s, |it| matches!(it, ' ' | '\t' | '\r' | '\n' | '\u{c}'))
    })
    .until(&CONTROLS),
    Step::new("parse: isWs", "remove control characters and spaces before and after the URL", |s| {
        trim(s, |it| it <= ' ')
    })
    .since(&CONTROLS),
    Step::new("parse: backslashes", "write a slash for each backslash before the first ? or #", |s| {
        let (before, after) = until(&s.rest, &['?', '#']);
        s.rest = before.replace('\\', "/") + after;
        s.write_text();
        Go
    }),
    Step::new(
        "parse: simplePathPattern, also with a user",
        "in `url.parse`, a text that begins with one or two slashes, and has no white space and no #, is a path and a query, which are kept as they are",
        |s| cut_simple_path(s, false),
    )
    .until(&USERS),
    Step::new(
        "parse: simplePathPattern",
        "in `url.parse`, a text that begins with one or two slashes, and has no white space, no # and no @ before a ?, is a path and a query, which are kept as they are",
        |s| cut_simple_path(s, true),
    )
    .since(&USERS),
    PROTOCOL,
    SLASHES_DENOTE_HOST,
    HOST_AFTER_SLASHES,
    Step::new("parse: tabs", "remove tabs and ends of lines before the first /, ? or #", |s| {
        let (before, after) = until(&s.rest, &['/', '?', '#']);
        let rest = before.replace(['\t', '\n', '\r'], "") + after;
        if rest != s.rest {
            s.decide(s.own(Part::Authority));
            s.rest = rest;
        }
        Go
    })
    .since(&TABS),
    NON_HOST,
    Step::new(
        "parse: auth",
        "the text before the last @ is the user: decode it, and encode it again when it is written",
        |s| {
            let authority = s.get(s.own(Part::Authority)).to_owned();
            let (user, host) = authority.rsplit_once('@').unwrap_or(("", &authority));
            let slot = s.own(Part::User);
            let Some(user) = decoded(user) else {
                return s.reject(slot, "a percent sign does not begin an escape, or the decoded text is not UTF-8");
            };
            if user.is_empty() && authority.contains('@') {
                s.mark(EMPTY_USER);
            }
            s.set(slot, Some(user).filter(|user| !user.is_empty()));
            write_host(s, host.to_owned());
            Go
        },
    ),
    Step::new("getHostname: an invalid port", "reject a colon before the port", |s| {
        let slot = s.own(Part::Host);
        let name = name_and_port(s.get(slot)).0;
        match !is_bracketed(name) && name.contains(':') {
            true => s.reject(slot, "the port is not a number"),
            false => Go,
        }
    })
    .since(&PORTS),
    Step::new(
        "getHostname: a character",
        "a character that is not a letter, a digit, or one of .-+_ begins the path",
        |s| end_host(s, |it| !(it.is_ascii_alphanumeric() || ".-+_".contains(it) || it as u32 > 127)),
    )
    .until(&HOST_CHARACTERS),
    Step::new("getHostname", "a second colon begins the path", |s| end_host(s, |it| "/\\#?:".contains(it)))
        .since(&HOST_CHARACTERS),
    Step::new("parseHost", "remove a colon without a port", |s| {
        let host = s.get(s.own(Part::Host));
        let host = host.strip_suffix(':').unwrap_or(host).to_owned();
        write_host(s, host);
        Go
    }),
    Step::new("parse: hostnameMaxLen", "remove a host of more than 255 characters", |s| {
        rewrite_name(s, |name| if name.encode_utf16().count() > 255 { String::new() } else { name.to_owned() })
    }),
    Step::new("parse: toLowerCase", "write the host in lower case", |s| rewrite_name(s, str::to_lowercase)),
    Step::new(
        "parse: forbiddenHostCharsIpv6",
        "reject a host in brackets that contains a delimiter or a control character",
        |s| {
            let slot = s.own(Part::Host);
            let name = name_and_port(s.get(slot)).0;
            match is_address(s) && name.contains(|it| "\0\t\n\r #%/<>?@\\^|".contains(it)) {
                true => s.reject(slot, "brackets contain a delimiter"),
                false => Go,
            }
        },
    )
    .since(&BRACKETED),
    Step::new("parse: toASCII, lenient", "write the IDNA form of the host, even if it has errors", |s| {
        let marks_ascii = s.has(&EMPTY_LABEL);
        if is_address(s) { Go } else { rewrite_name(s, |name| lenient_ascii_form(name, marks_ascii)) }
    })
    .until(&ADA),
    Step::new(
        "parse: toASCII, up to NUL",
        "write the IDNA form of the host, up to a NUL; reject a host without one",
        |s| to_ascii(s, |name| ascii_form(name, true).map(|form| cut(&form, "\0").0.to_owned())),
    )
    .since(&ADA)
    .until(&NUL),
    Step::new("parse: toASCII", "write the IDNA form of the host; reject a host without one", |s| {
        let accepts_ascii = !s.has(&ADA_3);
        to_ascii(s, |name| ascii_form(name, accepts_ascii))
    })
    .since(&NUL)
    .until(&ASCII),
    Step::new(
        "parse: toASCII, or ASCII",
        "write the IDNA form of the host, if it has one or is not ASCII; reject a host without one",
        |s| to_ascii(s, |name| ascii_form(name, false).or_else(|| name.is_ascii().then(|| name.to_owned()))),
    )
    .since(&ASCII),
    Step::new(
        "parse: forbiddenHostChars",
        "reject a host whose IDNA form contains a delimiter or a control character, or is empty",
        |s| {
            let slot = s.own(Part::Host);
            let name = mapped_name_and_port(s).0;
            match !is_address(s) && name.contains(|it| "\0\t\n\r #%/:<>?@[\\]^|".contains(it)) {
                true => s.reject(slot, "the IDNA form contains a delimiter"),
                false => Go,
            }
        },
    )
    .since(&CONFUSABLE),
    Step::new("parse: ipv6Hostname", "write a slash after a host in brackets", |s| {
        if is_address(s) && !s.rest.starts_with('/') {
            s.decide(s.own(Part::Path));
            s.rest.insert(0, '/');
        }
        Go
    }),
    LOWER_PROTOCOL,
    HASH_INDEX,
    QUESTION_INDEX,
    AUTO_ESCAPE,
    PATHNAME,
];

pub(crate) fn cut_simple_path(s: &mut State<'_>, excludes_users: bool) -> Next {
    let (path, query) = cut(&s.rest, "?");
    let is_path = path.starts_with('/') && !path.starts_with("///");
    if !s.is_marked(NO_HOST) || !is_path || s.rest.contains(|it| it == '#' || is_white(it)) || excludes_users && path.contains('@') {
        return Go;
    }
    let (path, query) = (path.to_owned(), query.map(str::to_owned));
    s.set(s.own(Part::Scheme), None::<&str>);
    no_authority(s);
    s.set(s.own(Part::Path), path);
    s.set(s.own(Part::Query), query);
    s.set(s.own(Part::Fragment), None::<&str>);
    Done
}

fn no_authority(s: &mut State<'_>) {
    for part in [Part::Authority, Part::User, Part::Host] {
        s.set(s.own(part), None::<&str>);
    }
}

fn trim(s: &mut State<'_>, is_space: impl Fn(char) -> bool) -> Next {
    s.rest = s.rest.trim_matches(|it| is_space(it) || matches!(it, '\u{a0}' | '\u{feff}')).to_owned();
    s.write_text();
    Go
}

/// Rewrites the name in the host of a side.
fn rewrite_name(s: &mut State<'_>, rewritten: impl Fn(&str) -> String) -> Next {
    let (name, port) = name_and_port(s.get(s.own(Part::Host)));
    let (name, port) = (rewritten(name), port.to_owned());
    note_colon(s, &name);
    write_host(s, name + &port);
    Go
}

/// Ends the name before a character; what follows is the path after a slash, and the port remains.
fn end_host(s: &mut State<'_>, ends: impl Fn(char) -> bool) -> Next {
    let (name, port) = name_and_port(s.get(s.own(Part::Host)));
    if let Some(at) = name.find(ends).filter(|_| !is_bracketed(name)) {
        let (host, rest) = (format!("{}{port}", &name[..at]), format!("/{}{}", &name[at..], s.rest));
        s.rest = rest;
        if is_bracketed(name_and_port(&host).0) {
            s.mark(not_an_address(s.side));
        }
        write_host(s, host);
        s.decide(s.own(Part::Path));
    }
    Go
}

fn note_colon(s: &mut State<'_>, name: &str) {
    let had_one = name_and_port(s.get(s.own(Part::Host))).0.contains(':');
    match name.contains(':') && !had_one {
        true => s.mark(MAPPED_COLON),
        false => s.unmark(MAPPED_COLON),
    }
}

fn to_ascii(s: &mut State<'_>, form: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Host);
    let (name, port) = name_and_port(s.get(slot));
    if name.is_empty() || is_address(s) {
        return Go;
    }
    match form(name).filter(|form| !form.is_empty()) {
        Some(form) => {
            let (host, is_bracketed) = (format!("{form}{port}"), is_bracketed(&form));
            note_colon(s, &form);
            if is_bracketed {
                s.mark(not_an_address(s.side));
            }
            write_host(s, host);
            Go
        }
        None => s.reject(slot, "it has no IDNA form"),
    }
}

/// `urlResolve`: `Url.prototype.resolveObject`, then `Url.prototype.format`.
static RESOLVE: &[Step] = &[
    Step::new("urlResolve: source", "parse the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: relative", "parse the reference", |_| Call(PARSE, Side::Reference)),
    HASH,
    EMPTY,
    AUTHORITY,
    OTHER_PROTOCOL,
    Step::new(
        "resolveObject: relPath.shift()",
        "after another slashed protocol, an empty host is replaced by the first segment of the path that is not empty, except for file",
        |s| first_segment_is_host(s, "file"),
    ),
    MUST_END_ABS,
    Step::new(
        "resolveObject: noLeadingSlashes",
        "if the protocol is not slashed, the host is the first segment of the path while dots are removed",
        |s| {
            host_is_first_segment(s);
            if s.is_marked(HOST_FIRST) && s.present(Slot::Ref(Part::Scheme)).is_some() {
                s.set(Slot::Out(Part::User), None::<&str>);
            }
            Go
        },
    ),
    Step::new(
        "resolveObject: isRelAbs",
        "a reference with a host or a path that begins with a slash keeps path and query",
        |s| take_path(s, true),
    ),
    MERGE,
    SEARCH,
    FRAGMENT,
    Step::new("resolveObject: dots", "remove each . segment, and each .. segment with the one before it", |s| remove_dots(s, true)),
    LEADING_SLASH,
    TRAILING_SLASH,
    HOST_BACK,
    USER,
    SLASH_AFTER_HOST,
    Step::new("format: host", "write the user before the host, and no user without a host", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let host = s.get(Slot::Out(Part::Host));
        let authority = if host.is_empty() { String::new() } else { joined(s.get(Slot::Out(Part::User)), host) };
        if authority != s.get(Slot::Out(Part::Authority)) {
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    }),
    Step::new("format: newPathname", "encode ? and # in the path", |s| {
        let path = s.get(Slot::Out(Part::Path)).replace('#', "%23").replace('?', "%3F");
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new(
        "format: slashes",
        "write two slashes before the host if there were some, or the protocol is slashed and has a host or is file; \
         a path after them begins with a slash",
        |s| {
            let (path, authority) = (s.get(Slot::Out(Part::Path)), s.get(Slot::Out(Part::Authority)));
            let scheme = s.get(Slot::Out(Part::Scheme));
            let is_slashed = is_slashed(s, scheme);
            if s.is_marked(SLASHES) || is_slashed && !authority.is_empty() {
                let path = if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
                let authority = authority.to_owned();
                s.set(Slot::Out(Part::Path), path);
                s.set(Slot::Out(Part::Authority), authority);
            } else if is_slashed && scheme == "file" {
                s.set(Slot::Out(Part::Authority), "");
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
pub(crate) static STATE: &[Step] = &[
    Step::new("urlParse", "parse the URL", |s| {
        s.mark(NO_HOST);
        Call(PARSE, Side::Reference)
    }),
    USER_PROPERTY,
    HOST_PROPERTY,
    NAME_PROPERTIES,
    OTHER_PROPERTIES,
];

/// After another slashed protocol, replaces an empty host by the first segment of the path that is not empty, unless the protocol is `excepted`.
pub(crate) fn first_segment_is_host(s: &mut State<'_>, excepted: &str) -> Next {
    take_all(s);
    slashes(s, has_slashes(s, Side::Base) || has_slashes(s, Side::Reference));
    if !s.get(Slot::Ref(Part::Host)).is_empty() || s.get(Slot::Out(Part::Scheme)) == excepted {
        return To("format: host");
    }
    let path = s.get(Slot::Ref(Part::Path)).trim_start_matches('/');
    let (host, rest) = cut(path, "/");
    let (host, rest) =
        (host.to_owned(), format!("/{}", rest.map_or("", |rest| rest.strip_prefix('/').unwrap_or(rest))));
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::NoDots, rest);
    To("format: host")
}

/// If the protocol is not slashed, makes the host the first segment of the path while dots are removed.
pub(crate) fn host_is_first_segment(s: &mut State<'_>) -> Next {
    let scheme = s.get(Slot::Out(Part::Scheme));
    if scheme.is_empty() || is_slashed(s, scheme) {
        return Go;
    }
    s.mark(HOST_FIRST);
    s.keep(Slot::Used);
    s.decide(Slot::Used);
    s.decide(Slot::Merged);
    let is_rooted = |host: &str, path: &str| path.starts_with('/') && host.is_empty();
    let own = if s.present(Slot::Ref(Part::Scheme)).is_some() { s.get(Slot::Ref(Part::Host)) } else { "" };
    let own = is_rooted(own, s.get(Slot::Ref(Part::Path)));
    if !own && !is_rooted(s.get(Slot::Base(Part::Host)), s.get(Slot::Base(Part::Path))) {
        s.unmark(ROOTED);
    }
    Go
}

/// Takes path and query of a reference with a host or a path that begins with a slash; `drops_user` if the base's user is not that of another host.
pub(crate) fn take_path(s: &mut State<'_>, drops_user: bool) -> Next {
    if !is_absolute(s) {
        return Go;
    }
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    let is_host_first = s.is_marked(HOST_FIRST);
    match (s.present(Slot::Ref(Part::Scheme)), s.present(Slot::Ref(Part::Host))) {
        (Some(_), Some(host)) if is_host_first || s.get(Slot::Base(Part::Host)) != host => {
            if drops_user {
                s.set(Slot::Out(Part::User), None::<&str>);
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Out(Part::Host), Slot::Ref(Part::Host));
        }
        _ if is_host_first => s.set(Slot::Out(Part::Host), None::<&str>),
        _ => {
            s.inherit(Part::Authority);
            s.flow(Slot::Out(Part::Host), Slot::Base(Part::Host));
        }
    }
    To("resolveObject: dots")
}

/// Removes dot segments. The path ends in a slash if it ended in dots after a host, or also `without_host` after another segment.
pub(crate) fn remove_dots(s: &mut State<'_>, without_host: bool) -> Next {
    let path = s.get(Slot::Merged);
    s.segments = if path.is_empty() { Vec::new() } else { path.split('/').map(str::to_owned).collect() };
    let host = s.get(Slot::Out(Part::Host)).to_owned();
    if s.is_marked(HOST_FIRST) && !host.is_empty() {
        match s.segments.first_mut().filter(|first| first.is_empty()) {
            Some(first) => *first = host.clone(),
            None => s.segments.insert(0, host.clone()),
        }
    }
    if s.segments.is_empty() {
        s.flow(Slot::NoDots, Slot::Merged);
        return To("format: host");
    }
    // What the host of the result was before it became a segment.
    let has_host = !s.is_marked(HOST_FIRST) && !host.is_empty();
    let ends_in_dots = s.segments.last().is_some_and(|last| matches!(last.as_str(), "." | ".."));
    if ends_in_dots && (has_host || without_host && s.segments.len() > 1) || s.segments.last().is_some_and(String::is_empty) {
        s.mark(TRAILING);
    }
    let mut kept = Vec::new();
    let mut up = 0_usize;
    for segment in std::mem::take(&mut s.segments).into_iter().rev() {
        match segment.as_str() {
            "." => {}
            ".." => up += 1,
            _ if up > 0 => up -= 1,
            _ => kept.push(segment),
        }
    }
    if !s.is_marked(NO_DOTS) {
        kept.extend(std::iter::repeat_n("..".to_owned(), up));
    }
    kept.reverse();
    s.segments = kept;
    write_path(s)
}

pub(crate) const SLASHES: &str = "the result has slashes";
const HOST_FIRST: &str = "the host is the first segment";
const ROOTED: &str = "mustEndAbs";
const NO_DOTS: &str = "removeAllDots";
const TRAILING: &str = "hasTrailingSlash";

pub(crate) fn slashes(s: &mut State<'_>, are_written: bool) {
    match are_written {
        true => s.mark(SLASHES),
        false => s.unmark(SLASHES),
    }
}

/// Returns whether the reference has a host, or a path that begins with a slash.
fn is_absolute(s: &State<'_>) -> bool {
    !s.get(Slot::Ref(Part::Host)).is_empty() || s.get(Slot::Ref(Part::Path)).starts_with('/')
}

fn inherit_host(s: &mut State<'_>) {
    s.inherit(Part::Authority);
    s.flow(Slot::Out(Part::Host), Slot::Base(Part::Host));
}

fn inherit_authority(s: &mut State<'_>) {
    inherit_host(s);
    s.flow(Slot::Out(Part::User), Slot::Base(Part::User));
}

fn inherit_path(s: &mut State<'_>) {
    s.inherit_as("path");
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
}

/// Takes all but protocol and fragment from the reference.
fn take_all(s: &mut State<'_>) {
    for part in [Part::Authority, Part::User, Part::Host, Part::Query] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Ref(Part::Path));
    slashes(s, has_slashes(s, Side::Reference));
}

/// Divides a host that contains an @ after its first character into user and host.
fn divided(host: &str) -> (Option<&str>, &str) {
    let mut pieces = host.split('@');
    match (pieces.next(), pieces.next()) {
        (Some(user), Some(host)) if !user.is_empty() => (Some(user), host),
        _ => (None, host),
    }
}

fn divide_host(s: &mut State<'_>) {
    let host = s.get(Slot::Out(Part::Host)).to_owned();
    if let (Some(user), host) = divided(&host) {
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Host), host);
    }
}

/// Writes the segments as the path, without the host that is the first of them.
fn write_path(s: &mut State<'_>) -> Next {
    let host = s.segments.first().filter(|first| s.is_marked(HOST_FIRST) && !first.is_empty());
    let path = match (host, s.segments.get(1..)) {
        (Some(host), Some(rest)) if !rest.is_empty() && !divided(host).1.is_empty() => format!("/{}", rest.join("/")),
        (Some(_), rest) => rest.unwrap_or_default().join("/"),
        (None, _) => s.segments.join("/"),
    };
    if s.present(Slot::NoDots).is_none() {
        s.flow(Slot::NoDots, Slot::Merged);
    }
    s.set(Slot::NoDots, path);
    Go
}

pub(crate) const TEXT: Step = Step::new("parse", "take the text as it is", |s| {
    s.rest = s.get(s.own(Part::Text)).to_owned();
    s.write_text();
    Go
});

pub(crate) const PROTOCOL: Step = Step::new("parse: protocolPattern", "letters, digits, +, - and . before a colon are the protocol", |s| {
    let found = s.rest.split_once(':').filter(|(name, _)| {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
    });
    let (name, rest) =
        found.map_or((None, s.rest.clone()), |(name, rest)| (Some(name.to_owned()), rest.to_owned()));
    s.set(s.own(Part::Scheme), name);
    s.rest = rest;
    Go
});

pub(crate) const SLASHES_DENOTE_HOST: Step = Step::new(
    "parse: slashesDenoteHost",
    "in `url.parse`, two slashes without a protocol begin a path, unless an @ with text before and after it follows",
    |s| {
        let has_user = s.rest.strip_prefix("//").is_some_and(|rest| {
            let (user, host) = cut(until(rest, &['/']).0, "@");
            !user.is_empty() && host.is_some_and(|host| !host.is_empty() && !host.starts_with('@'))
        });
        if !s.is_marked(NO_HOST) || s.present(s.own(Part::Scheme)).is_some() || has_user {
            return Go;
        }
        no_authority(s);
        To("parse: hashIdx")
    },
);

pub(crate) const HOST_AFTER_SLASHES: Step = Step::new(
    "parse: slashes",
    "the host is after two slashes; after a protocol in lower case that is not slashed also without them; never after javascript",
    |s| {
        let scheme = s.present(s.own(Part::Scheme));
        let is_bare = scheme.is_some_and(|scheme| !is_slashed(s, scheme));
        let is_without_host = scheme.is_some_and(|scheme| match s.has(&JAVASCRIPT) {
            true => is_hostless(&scheme.to_ascii_lowercase()),
            false => is_hostless(scheme),
        });
        let after = match s.rest.strip_prefix("//") {
            _ if is_without_host => None,
            Some(after) => Some((after.to_owned(), false)),
            None => is_bare.then(|| (s.rest.clone(), true)),
        };
        let Some((after, is_bare)) = after else {
            no_authority(s);
            return To("parse: lowerProto");
        };
        if is_bare {
            s.mark(bare(s.side));
        }
        s.rest = after;
        s.decide(s.own(Part::Authority));
        Go
    },
);

pub(crate) const NON_HOST: Step = Step::new(
    "parse: nonHost",
    "the authority ends at the first /, ? or #, or at white space or one of \"%';<>\\^`{|} after the last @ before it",
    |s| {
        let region = until(&s.rest, &['/', '?', '#']).0;
        let host = region.rfind('@').map_or(0, |at| at + 1);
        let ends = [' ', '"', '%', '\'', ';', '<', '>', '\\', '^', '`', '{', '|', '}', '\t', '\n', '\r'];
        let end = region[host..].find(ends).map_or(region.len(), |at| host + at);
        let rest = s.rest.split_off(end);
        let authority = std::mem::replace(&mut s.rest, rest);
        s.set(s.own(Part::Authority), authority);
        Go
    },
);

pub(crate) const LOWER_PROTOCOL: Step = Step::new("parse: lowerProto", "write the protocol in lower case", |s| {
    let slot = s.own(Part::Scheme);
    let name = s.present(slot).map(str::to_ascii_lowercase);
    s.set(slot, name);
    Go
});

pub(crate) const HASH_INDEX: Step = Step::new("parse: hashIdx", "the part after the first # is the fragment", |s| {
    let rest = std::mem::take(&mut s.rest);
    let (rest, fragment) = cut(&rest, "#");
    s.set(s.own(Part::Fragment), fragment);
    s.rest = rest.to_owned();
    Go
});

pub(crate) const QUESTION_INDEX: Step = Step::new("parse: questionIdx", "the part after the first ? is the query", |s| {
    let rest = std::mem::take(&mut s.rest);
    let (rest, query) = cut(&rest, "?");
    s.set(s.own(Part::Query), query);
    s.set(s.own(Part::Path), rest);
    Go
});

pub(crate) const AUTO_ESCAPE: Step = Step::new(
    "parse: autoEscapeStr",
    "encode white space and \"'<>\\^`{|} after the host, except after javascript",
    |s| {
        if is_hostless(s.get(s.own(Part::Scheme))) {
            return Go;
        }
        for part in [Part::Path, Part::Query, Part::Fragment] {
            let slot = s.own(part);
            let text = s.present(slot).map(|text| encoded(text, |it| !b"\t\n\r \"'<>\\^`{|}".contains(&it)));
            s.set(slot, text);
        }
        Go
    },
);

pub(crate) const PATHNAME: Step = Step::new("parse: pathname", "the path after the host of a slashed protocol is a slash if it is empty", |s| {
    let path = s.own(Part::Path);
    if s.get(path).is_empty() && is_slashed(s, s.get(s.own(Part::Scheme))) && has_name(s.get(s.own(Part::Host))) {
        s.set(path, "/");
    }
    Go
});

pub(crate) const HASH: Step = Step::new("resolveObject: hash", "the fragment is the reference's", |s| {
    s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
    Go
});

pub(crate) const EMPTY: Step = Step::new("resolveObject: href === ''", "an empty reference inherits all but the fragment", |s| {
    let is_empty = [Part::Scheme, Part::Authority, Part::Query, Part::Fragment]
        .iter()
        .all(|part| s.present(Slot::Ref(*part)).is_none());
    if !is_empty || !s.get(Slot::Ref(Part::Path)).is_empty() {
        return Go;
    }
    s.inherit(Part::Scheme);
    inherit_authority(s);
    inherit_path(s);
    s.inherit(Part::Query);
    slashes(s, has_slashes(s, Side::Base));
    To("format: host")
});

pub(crate) const AUTHORITY: Step = Step::new(
    "resolveObject: slashes",
    "a reference that begins with an authority inherits only the protocol; its empty path is a slash after the host of a slashed protocol",
    |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_some() || !has_slashes(s, Side::Reference) {
            return Go;
        }
        s.inherit(Part::Scheme);
        take_all(s);
        if s.get(Slot::NoDots).is_empty()
            && is_slashed(s, s.get(Slot::Out(Part::Scheme)))
            && has_name(s.get(Slot::Ref(Part::Host)))
        {
            s.set(Slot::NoDots, "/");
        }
        To("format: host")
    },
);

pub(crate) const OTHER_PROTOCOL: Step = Step::new(
    "resolveObject: another protocol",
    "a reference without a protocol inherits it; one with another protocol that is not slashed is taken as it is",
    |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            None => s.inherit(Part::Scheme),
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
        }
        let scheme = s.get(Slot::Out(Part::Scheme));
        if s.present(Slot::Ref(Part::Scheme)).is_none() || s.present(Slot::Base(Part::Scheme)) == Some(scheme) {
            s.decide(Slot::Used);
            return To("resolveObject: mustEndAbs");
        }
        if is_slashed(s, scheme) {
            return Go;
        }
        take_all(s);
        To("format: host")
    },
);

pub(crate) const MUST_END_ABS: Step = Step::new(
    "resolveObject: mustEndAbs",
    "the path begins with a slash if the base's or the reference's does, or an authority precedes it",
    |s| {
        let path = s.get(Slot::Ref(Part::Path));
        let is_absolute = is_absolute(s) || s.get(Slot::Base(Part::Path)).starts_with('/');
        if is_absolute || !s.get(Slot::Base(Part::Host)).is_empty() && !path.is_empty() {
            s.decide(Slot::NoDots);
            s.mark(NO_DOTS);
            s.mark(ROOTED);
        }
        slashes(s, has_slashes(s, Side::Base));
        s.flow(Slot::Out(Part::User), Slot::Base(Part::User));
        Go
    },
);

pub(crate) const MERGE: Step = Step::new("resolveObject: relPath.length", "the path follows the base's up to its last slash", |s| {
    let path = s.get(Slot::Ref(Part::Path)).to_owned();
    if path.is_empty() {
        return Go;
    }
    let base = s.get(Slot::Base(Part::Path));
    let host_is_lost = s.is_marked(HOST_FIRST) && base.is_empty();
    let folder = match base.rfind('/') {
        Some(at) => &base[..=at],
        None if s.is_marked(HOST_FIRST) && !s.get(Slot::Base(Part::Host)).is_empty() && !base.is_empty() => "/",
        None => "",
    };
    let merged = format!("{folder}{path}");
    match host_is_lost {
        true => s.set(Slot::Out(Part::Host), None::<&str>),
        false => inherit_host(s),
    }
    s.inherit_as("folder");
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.set(Slot::Merged, merged);
    To("resolveObject: dots")
});

pub(crate) const SEARCH: Step = Step::new("resolveObject: search", "a reference with only a query inherits the path as it is", |s| {
    inherit_host(s);
    if s.present(Slot::Ref(Part::Query)).is_none() {
        return Go;
    }
    inherit_path(s);
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    if s.is_marked(HOST_FIRST) && s.get(Slot::Base(Part::Host)).is_empty() {
        let first = until(s.get(Slot::Base(Part::Path)), &['/']).0.to_owned();
        s.set(Slot::Out(Part::Host), first);
    }
    divide_host(s);
    To("format: host")
});

pub(crate) const FRAGMENT: Step = Step::new("resolveObject: a fragment", "a reference with only a fragment inherits path and query", |s| {
    s.inherit_as("path");
    s.inherit(Part::Query);
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    Go
});

pub(crate) const LEADING_SLASH: Step = Step::new("resolveObject: a leading slash", "write a slash before the path if it must have one", |s| {
    if s.is_marked(ROOTED) && !s.segments.first().is_some_and(String::is_empty) {
        s.segments.insert(0, String::new());
    }
    write_path(s)
});

pub(crate) const TRAILING_SLASH: Step = Step::new("resolveObject: hasTrailingSlash", "the path ends in a slash if it ended in a slash or in dots", |s| {
    let ends_in_slash = s.segments.len() > 1 && s.segments.last().is_some_and(String::is_empty);
    if s.is_marked(TRAILING) && !ends_in_slash {
        s.segments.push(String::new());
    }
    write_path(s)
});

pub(crate) const HOST_BACK: Step = Step::new(
    "resolveObject: put the host back",
    "if the protocol is not slashed, the first segment is the host, and the text before an @ in it the user",
    |s| {
        if s.is_marked(HOST_FIRST) {
            let host = s.segments.first().cloned().unwrap_or_default();
            if host != s.get(Slot::Out(Part::Host)) {
                s.set(Slot::Out(Part::Host), host);
            }
            divide_host(s);
        }
        Go
    },
);

pub(crate) const USER: Step = Step::new("resolveObject: auth", "the user is the reference's, if it has one", |s| {
    if s.present(Slot::Ref(Part::User)).is_some() {
        s.flow(Slot::Out(Part::User), Slot::Ref(Part::User));
    }
    slashes(s, has_slashes(s, Side::Base) || has_slashes(s, Side::Reference));
    Go
});

pub(crate) const SLASH_AFTER_HOST: Step = Step::new("resolveObject: a slash after the host", "write a slash between a host and a path", |s| {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    let path = s.get(Slot::NoDots);
    if !path.is_empty() && !path.starts_with('/') && !s.get(Slot::Out(Part::Host)).is_empty() {
        let path = format!("/{path}");
        s.set(Slot::NoDots, path);
    }
    Go
});

pub(crate) const USER_PROPERTY: Step = Step::new("auth", "state the decoded user", |s| {
    s.flow(Slot::Out(Part::Userinfo), Slot::Ref(Part::User));
    if s.is_marked(EMPTY_USER) {
        s.set(Slot::Out(Part::Userinfo), "");
    }
    Go
});

pub(crate) const HOST_PROPERTY: Step = Step::new("host", "state the host with its port", |s| {
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Host));
    Go
});

pub(crate) const NAME_PROPERTIES: Step = Step::new("hostname, port", "state the host without its port and its brackets, and a port that is not empty", |s| {
    let host = s.present(Slot::Ref(Part::Host)).map(|_| {
        let (name, port) = mapped_name_and_port(s);
        let is_address = is_bracketed(name) && !s.is_marked(not_an_address(Side::Reference));
        (if is_address { &name[1..name.len() - 1] } else { name }.to_owned(), port.trim_start_matches(':').to_owned())
    });
    let (name, port) = host.map_or((None, None), |(name, port)| (Some(name), Some(port)));
    s.set(Slot::Out(Part::Host), name);
    s.set(Slot::Out(Part::Port), port.filter(|port| !port.is_empty()));
    Go
});

pub(crate) const OTHER_PROPERTIES: Step = Step::new("protocol, pathname, search, hash", "state the other components, and an empty path as absent", |s| {
    for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    if s.get(Slot::Out(Part::Path)).is_empty() {
        s.set(Slot::Out(Part::Path), None::<&str>);
    }
    s.set(Slot::Result, s.reference);
    Go
});
