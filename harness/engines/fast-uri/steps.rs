//! fast-uri: `resolve(base, reference)`, and what `parse(url)` returns, from 2.3.1 on.
//!
//! Read from `index.js`, `lib/utils.js` and `lib/schemes.js` of fast-uri 2.3.1 to 4.2.4. It is made from uri-js, whose rows cut a text. The handlers of schemes do not
//! run when references are resolved; `parse` converts the host since 4.0.1, and `resolve` since 4.1.3 for the scheme of the result. The
//! version of Node.js decides on the form of the host; here it is 20, with Ada 2.9.2.
//!
//! 2.4.5 and 2.4.6 also encode delimiters in the host of a text without an escape; that is not described. Before 3.1 a path with a carriage return or
//! a separator of lines or paragraphs makes the program throw or run without end, which is a rejection here.

mod changes;

use std::sync::LazyLock;

use urlstrata::revision::whatwg::Implementation;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, is_escape, without_dots};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::ada;
use crate::uri_js::{self, CUT, number};
use crate::url_parse::decoded;
use changes::*;

/// fast-uri.
pub static TABLE: Table = Table {
    engine: "fast-uri",
    first: "2.3.1",
    changes: &[
        &ESCAPE,
        &OCTETS,
        &FRAGMENT,
        &USER_ESCAPES,
        &ZEROS,
        &LAST_SLASH,
        &RESERVED,
        &DELIMITERS,
        &KEPT_FRAGMENT,
        &UTF_8,
        &CASE,
        &DOMAINS,
        &QUERY,
        &TWO_SLASHES,
        &MALFORMED,
        &SCHEMES,
        &ESCAPES,
        &CHARACTERS,
        &ADDRESSES,
        &HOSTS,
        &URN,
        &MAILTO,
        &BRACKETS,
        &LOWER,
        &ZONES,
        &EDGES,
        &HTTP_HOST,
        &OPAQUE,
        &ENCODED_HOSTS,
        &RAW_HOSTS,
        &RAW_SCHEMES,
        &FORBIDDEN,
        &RELATIVE,
        &WS_HOST,
        &FAST,
    ],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[CUT, PARSE],
    standard: None,
    has_dated_names: true,
    field: None,
    calls: no_calls,
};

/// The mark of a host that is an IP address.
fn is_ip(side: Side) -> &'static str {
    match side {
        Side::Base => "the base's host is an address",
        Side::Reference => "the reference's host is an address",
    }
}

const PATH: &[u8] = b"-._~!$&'()*+,;=:@/";
const QUERY_SET: &[u8] = b"-._~!$&'()*+,;=:@/?";
const USER: &[u8] = b"-._~!$&'()*+,;=:";
const HOST: &[u8] = b"-._~!$&'()*+,;=";

/// `parseWithStatus`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parseWithStatus: a malformed edge", "reject a text with a control character or a space at its edge", |s| {
        let text = s.given();
        match text.starts_with(|it| it <= ' ') || text.ends_with(|it| it <= ' ') {
            true => malformed(s, s.own(Part::Text), "a control character or a space is at its edge"),
            false => Go,
        }
    })
    .since(&EDGES),
    Step::new("AUTHORITY_INTRODUCER_REGION", "reject two slashes before an authority if backslashes, tabs or ends of lines are among them", |s| {
        let text = s.given();
        let rest = text.split_once(':').filter(|(name, _)| is_name(name)).map_or(text, |(_, rest)| rest);
        let region = &rest[..rest.len() - rest.trim_start_matches(['/', '\\', '\t', '\n', '\r']).len()];
        let slashes = region.replace(['\t', '\n', '\r'], "");
        let is_malformed = slashes.len() > 1 && (!slashes.starts_with("//") || slashes.len() < region.len());
        match is_malformed {
            true => malformed(s, s.own(Part::Text), "what precedes the authority is not two slashes"),
            false => Go,
        }
    })
    .since(&MALFORMED),
    Step::new("parseWithStatus: URI_PARSE", "cut the text", |s| Call(CUT, s.side)),
    Step::new("AUTHORITY_PREFIX", "reject a backslash in the authority", |s| {
        let slot = s.own(Part::Authority);
        let is_lost = s.present(slot).is_some() && !s.get(s.own(Part::Path)).starts_with('/');
        let path = if is_lost { s.get(s.own(Part::Path)).split('/').next().unwrap_or_default() } else { "" };
        match s.get(slot).contains('\\') || path.contains('\\') {
            true => malformed(s, slot, "it contains a backslash"),
            false => Go,
        }
    })
    .since(&MALFORMED),
    Step::new("parseWithStatus: toLowerCase of any scheme", "write the scheme in lower case", |s| {
        rewrite(s, Part::Scheme, str::to_lowercase)
    })
    .since(&CASE)
    .until(&SCHEMES),
    Step::new("parseWithStatus: unescape of the scheme", "decode escapes in the scheme as Latin-1", |s| {
        rewrite(s, Part::Scheme, unescape)
    })
    .until(&RAW_SCHEMES),
    Step::new("VALID_SCHEME", "reject a scheme that is not a letter, then letters, digits, +, - and .", |s| {
        let slot = s.own(Part::Scheme);
        if s.present(slot).is_none_or(is_scheme) {
            return Go;
        }
        if s.is_marked(HANDLED) {
            s.set(slot, raw_scheme(s).to_owned());
        }
        malformed(s, slot, "it is not the name of a scheme")
    })
    .since(&SCHEMES),
    Step::new("parseWithStatus: toLowerCase of the scheme", "write the scheme in lower case", |s| {
        rewrite(s, Part::Scheme, |name| if is_scheme(name) { name.to_ascii_lowercase() } else { name.to_owned() })
    })
    .since(&SCHEMES),
    Step::new("hasMalformedComponentPercentEncoding", "reject a percent sign without an escape, unless it is in brackets", |s| {
        let parts = [Part::User, Part::Host, Part::Path, Part::Query, Part::Fragment].map(|part| s.own(part));
        let is_literal = is_literal(s.get(s.own(Part::Host)));
        let is_malformed = |text: &str| text.match_indices('%').any(|(at, _)| !is_escape(&text[at..]));
        let found = parts.into_iter().find(|slot| {
            is_malformed(s.get(*slot)) && !(is_literal && *slot == s.own(Part::Host))
        });
        match found {
            Some(slot) => malformed(s, slot, "a percent sign does not begin an escape"),
            None => Go,
        }
    })
    .since(&ESCAPES),
    Step::new("parseWithStatus: parseInt", "write the port as a number", |s| {
        if let Some(port) = s.present(s.own(Part::Port)).filter(|port| !port.is_empty()) {
            let port = number(port);
            write(s, s.of(), Part::Port, port);
        }
        Go
    }),
    Step::new("getParseError: path", "reject a path after an authority that does not begin with a slash", |s| {
        let slot = s.own(Part::Path);
        let path = s.get(slot);
        match s.present(s.own(Part::Host)).is_some() && !path.is_empty() && !path.starts_with('/') {
            true => malformed(s, slot, "it does not begin with a slash"),
            false => Go,
        }
    })
    .since(&MALFORMED),
    Step::new("getParseError: port", "reject a port above 65,535", |s| {
        let slot = s.own(Part::Port);
        let port = s.get(slot);
        match port.is_empty() || port.parse::<u16>().is_ok() {
            true => Go,
            false => malformed(s, slot, "it is above 65,535"),
        }
    })
    .since(&MALFORMED),
    Step::new("normalizeIPv4", "write the numbers of an IPv4 address without leading zeros", |s| {
        rewrite_host(s, s.of(), uri_js::ipv4)
    })
    .until(&OCTETS),
    Step::new("getIPV6", "write an IPv6 address without brackets and leading zeros", |s| {
        let Some(host) = address_without_zeros(s) else { return Go };
        s.mark(is_ip(s.side));
        write(s, s.of(), Part::Host, host);
        Go
    })
    .until(&ADDRESSES),
    Step::new("parseWithStatus: IP literals", "reject a host in brackets that is neither an IPv6 address nor a later kind of address", |s| {
        check_literal(s, is_literal)
    })
    .since(&ADDRESSES)
    .until(&BRACKETS),
    Step::new("parseWithStatus: brackets", "reject a host with a bracket that is neither an IPv6 address nor a later kind of address in brackets", |s| {
        check_literal(s, |host| host.contains(['[', ']']))
    })
    .since(&BRACKETS),
    Step::new("normalizeIPv6", "write an IPv6 address without brackets, and with its longest zeros shortened", |s| {
        let host = match address(s.get(s.own(Part::Host))) {
            Address::V6(address, zone) => address + &zone.map(|zone| format!("%{zone}")).unwrap_or_default(),
            Address::Later(text) => format!("[{text}]"),
            Address::No => return Go,
        };
        s.mark(is_ip(s.side));
        write(s, s.of(), Part::Host, host);
        Go
    })
    .since(&ADDRESSES),
    Step::new("parseWithStatus: toLowerCase of the host", "write a host that is not an address in lower case", |s| {
        // Addresses were in lower case when they were compared with this, except those of old versions.
        let is_kept = s.is_marked(is_ip(s.side)) && s.has(&ADDRESSES);
        if is_kept { Go } else { rewrite_host(s, s.of(), str::to_lowercase) }
    }),
    Step::new(
        "parse: canonicalizeHost",
        "if the handler of the scheme runs, write the host of http, https, ws or wss as the URL Standard does, if that accepts it",
        |s| {
            let host = s.get(s.own(Part::Host));
            let has_domain = s.is_marked(HANDLED) && matches!(handler(s).as_str(), "http" | "https" | "ws" | "wss");
            let is_literal = s.is_marked(BAD_LITERAL) && s.has(&BRACKETS) || host.starts_with('[') && s.has(&HOSTS);
            let is_kept = host.is_empty() || is_literal || s.is_marked(is_ip(s.side)) || is_ipv4(host);
            if !has_domain || is_kept || s.has(&FORBIDDEN) && host.contains(is_forbidden) || s.has(&FAST) && is_fast(host) {
                return Go;
            }
            if let Some(host) = domain(host) {
                write(s, s.of(), Part::Host, host);
            }
            Go
        },
    )
    .since(&DOMAINS),
    Step::new("parse: unescape of the user", "decode escapes in the user as Latin-1", |s| {
        if let Some(user) = s.present(s.own(Part::User)).filter(|_| !is_opaque(s)) {
            let user = unescape(user);
            write(s, s.of(), Part::User, user);
        }
        Go
    })
    .until(&USER_ESCAPES),
    Step::new("parseWithStatus: unescape of the host", "decode escapes in the host as Latin-1", |s| {
        if is_opaque(s) { Go } else { rewrite_host(s, s.of(), unescape) }
    })
    .until(&HOSTS),
    Step::new("parseWithStatus: unreserved characters of the host", "decode unreserved characters in a host that is not an address", |s| {
        if s.is_marked(is_ip(s.side)) || is_raw(s) { Go } else { rewrite_host(s, s.of(), |host| upper(host, is_unreserved)) }
    })
    .since(&HOSTS),
    Step::new("parseWithStatus: toLowerCase again", "write a decoded host in lower case", |s| {
        match s.is_marked(is_ip(s.side)) || is_raw(s) {
            true => Go,
            false => rewrite_host(s, s.of(), |host| upper(&host.to_lowercase(), |_| false)),
        }
    })
    .since(&LOWER),
    Step::new("reescapeHostDelimiters", "encode delimiters in the host if the text has an escape", |s| {
        let delimiters = if s.is_marked(is_ip(s.side)) { "@/?#" } else { "@/?#:" };
        match s.given().contains('%') && !is_raw(s) {
            true => rewrite_host(s, s.of(), |host| reescaped(host, delimiters)),
            false => Go,
        }
    })
    .since(&DELIMITERS)
    .until(&RAW_HOSTS),
    Step::new("parse: reescapeHostDelimiters", "if the handler of the scheme runs, encode delimiters in the host if the text has an escape", |s| {
        let delimiters = if s.is_marked(is_ip(s.side)) { "@/?#" } else { "@/?#:" };
        match s.is_marked(HANDLED) && s.given().contains('%') && !is_raw(s) {
            true => rewrite_host(s, s.of(), |host| reescaped(host, delimiters)),
            false => Go,
        }
    })
    .since(&RAW_HOSTS)
    .until(&ENCODED_HOSTS),
    Step::new("parse: encodeHost", "if the handler of the scheme runs, encode what the host cannot contain, for mailto only ASCII", |s| {
        if !s.is_marked(HANDLED) || is_raw(s) {
            return Go;
        }
        if s.is_marked(is_ip(s.side)) {
            return rewrite_host(s, s.of(), |host| reescaped(host, "@/?#"));
        }
        let is_mail = handler(s) == "mailto";
        rewrite_host(s, s.of(), |host| {
            normalized(host, |_| false, |it| is_kept(it, HOST, true) || is_mail && !it.is_ascii(), percent)
        })
    })
    .since(&ENCODED_HOSTS),
    Step::new("parse: encodeURI of the path", "encode what a URL cannot contain in the path, and percent signs", |s| {
        rewrite(s, Part::Path, |path| encoded(path, is_of_uri))
    })
    .until(&ESCAPE),
    Step::new("parse: escape of the path", "decode escapes in the path as Latin-1, and encode what `escape` does not keep", |s| {
        let keeps = |it: char| it.is_ascii_alphanumeric() || "@*_+-./".contains(it);
        let form = |it: char| if keeps(it) { it.to_string() } else { escape(it) };
        rewrite(s, Part::Path, |path| unescape(path).chars().map(form).collect())
    })
    .since(&ESCAPE)
    .until(&RESERVED),
    Step::new(
        "normalizePathEncoding: escape",
        "decode unreserved characters but dots in the path, write other escapes with capital digits, and encode what a path cannot contain as \
         Latin-1 or UTF-16",
        |s| rewrite(s, Part::Path, |path| normalized(path, |it| it != b'.', |it| is_kept(it, PATH, false), escape)),
    )
    .since(&RESERVED)
    .until(&UTF_8),
    Step::new(
        "normalizePathEncoding: case",
        "decode unreserved characters but dots in the path, write other escapes with capital digits, and encode what a path cannot contain, but for \
         two letters",
        |s| rewrite(s, Part::Path, |path| normalized(path, |it| it != b'.', |it| is_kept(it, PATH, false), percent)),
    )
    .since(&UTF_8)
    .until(&CHARACTERS),
    Step::new("normalizePathEncoding", "decode unreserved characters but dots in the path, write other escapes with capital digits, and encode what a path cannot contain", |s| {
        rewrite(s, Part::Path, |path| normalized(path, |it| it != b'.', |it| is_kept(it, PATH, true), percent))
    })
    .since(&CHARACTERS),
    Step::new("normalizeQueryFragmentEncoding: the query", "decode unreserved characters in the query, write other escapes with capital digits, and encode what a query cannot contain", |s| {
        let is_exact = s.has(&CHARACTERS);
        rewrite(s, Part::Query, |text| normalized(text, |_| true, |it| is_kept(it, QUERY_SET, is_exact), percent))
    })
    .since(&QUERY),
    Step::new("parse: decodeURI of the fragment", "decode the fragment, except delimiters, and encode it; reject other escapes than those of UTF-8", |s| {
        recode_fragment(s, |text| decoded_but_delimiters(text).map(|text| encoded(&text, is_of_uri)))
    })
    .until(&FRAGMENT),
    Step::new("parse: decodeURIComponent of the fragment", "decode and encode the fragment; reject other escapes than those of UTF-8", |s| {
        recode_fragment(s, |text| decoded(text).map(|text| encoded(&text, is_of_uri)))
    })
    .since(&FRAGMENT)
    .until(&KEPT_FRAGMENT),
    Step::new("parseWithStatus: encodeURI of the fragment", "decode and encode the fragment, if its escapes are those of UTF-8", |s| {
        recode_fragment(s, |text| Some(decoded(text).map_or_else(|| text.to_owned(), |text| encoded(&text, is_of_uri))))
    })
    .since(&KEPT_FRAGMENT)
    .until(&QUERY),
    Step::new(
        "normalizeQueryFragmentEncoding: the fragment",
        "decode unreserved characters in the fragment, and encode what a fragment cannot contain",
        |s| {
            let is_exact = s.has(&CHARACTERS);
            rewrite(s, Part::Fragment, |text| normalized(text, |_| true, |it| is_kept(it, QUERY_SET, is_exact), percent))
        },
    )
    .since(&QUERY),
];

/// `parse(url)` with the handlers of schemes. Errors that it reports do not keep it from stating components.
static STATE: &[Step] = &[
    Step::new("parse", "read the URL", |s| {
        s.mark(HANDLED);
        Call(PARSE, Side::Reference)
    }),
    Step::new("parse: parsed", "state the components as they are normalized", |s| {
        s.flow(Slot::Out(Part::Userinfo), Slot::Ref(Part::User));
        for part in [Part::Scheme, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("wsParse", "ws and wss have neither a path nor a query", |s| match handler(s).as_str() {
        "ws" | "wss" => state_absent(s, &[Part::Path, Part::Query]),
        _ => Go,
    }),
    Step::new("urnParse: any part", "urn has no path, if a part of it is a name, a colon and a text", |s| {
        let path = s.get(Slot::Ref(Part::Path));
        let is_urn = path.match_indices(':').any(|(at, _)| {
            let name = path[..at].trim_end_matches('-');
            let has_name = name.ends_with(|it: char| it.is_ascii_alphanumeric()) && at - name.len() < 32;
            has_name && is_specific(&path[at + 1..], false)
        });
        if handler(s) == "urn" && is_urn { state_absent(s, &[Part::Path]) } else { Go }
    })
    .until(&URN),
    Step::new("urnParse", "urn has no path, if that is a name, a colon and a text", |s| {
        let is_urn = s.get(Slot::Ref(Part::Path)).split_once(':').is_some_and(|(name, text)| {
            let is_name = |it: char| it.is_ascii_alphanumeric() || it == '-';
            (1..=32).contains(&name.len()) && !name.starts_with('-') && name.chars().all(is_name) && is_specific(text, true)
        });
        if handler(s) == "urn" && is_urn { state_absent(s, &[Part::Path]) } else { Go }
    })
    .since(&URN),
    Step::new("mailtoParse: to", "mailto has no authority if it has recipients", |s| {
        let is_field = |field: &str| {
            let (name, value) = cut(field, "=");
            let name = decoded(name).unwrap_or_else(|| name.to_owned());
            name.eq_ignore_ascii_case("to") && !value.unwrap_or_default().contains('=')
        };
        let query = s.get(Slot::Ref(Part::Query));
        let has_recipients = !s.get(Slot::Ref(Part::Path)).is_empty() || query.split('&').any(is_field);
        match handler(s) == "mailto" && has_recipients {
            true => state_absent(s, &[Part::Userinfo, Part::Host, Part::Port]),
            false => Go,
        }
    })
    .since(&OPAQUE),
    Step::new("mailtoParse", "mailto has neither a path nor a query", |s| match handler(s).as_str() {
        "mailto" => state_absent(s, &[Part::Path, Part::Query]),
        _ => Go,
    })
    .since(&MAILTO),
];

/// The mark while the handlers of schemes run: they do not when references are resolved.
const HANDLED: &str = "fast-uri: the handler of the scheme runs";
/// The mark of a host with brackets that are not those of an address.
const BAD_LITERAL: &str = "fast-uri: the brackets are not those of an address";

/// Rejects a text when references are resolved; `parse` only reports an error.
fn malformed(s: &mut State<'_>, slot: Slot, why: &str) -> Next {
    if s.is_marked(HANDLED) { Go } else { s.reject(slot, why) }
}

fn raw_scheme<'a>(s: &'a State<'_>) -> &'a str {
    s.given().split_once(':').map_or("", |(name, _)| name)
}

fn is_scheme(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
}

/// Returns the name of the handler.
fn handler(s: &State<'_>) -> String {
    if s.has(&SCHEMES) { s.get(Slot::Ref(Part::Scheme)) } else { raw_scheme(s) }.to_ascii_lowercase()
}

/// Returns whether the handler of the scheme does without the normalization of components.
fn is_opaque(s: &State<'_>) -> bool {
    s.is_marked(HANDLED) && (handler(s) == "urn" || handler(s) == "mailto" && s.has(&MAILTO))
}

/// Returns whether escapes in the host are kept.
fn is_raw(s: &State<'_>) -> bool {
    s.is_marked(BAD_LITERAL) || is_opaque(s) && !s.has(&LOWER)
}

fn is_forbidden(it: char) -> bool {
    it <= ' ' || "\"#/:<>?@[\\]^`{|}\x7f".contains(it)
}

/// Returns whether a text is, or at least begins with, what follows the name of a URN.
fn is_specific(text: &str, is_whole: bool) -> bool {
    let is_allowed = |(at, it): (usize, char)| match it {
        '%' => is_escape(&text[at..]),
        '/' => is_whole,
        _ => it.is_ascii_alphanumeric() || "_!$'()*+,-.:;=@".contains(it),
    };
    let mut allowed = text.char_indices().map(is_allowed);
    if is_whole { !text.is_empty() && allowed.all(|it| it) } else { allowed.next() == Some(true) }
}

fn state_absent(s: &mut State<'_>, parts: &[Part]) -> Next {
    parts.iter().for_each(|part| s.set(Slot::Out(*part), None::<&str>));
    Go
}

/// `resolve`: `resolveComponent` and `serialize`.
static RESOLVE: &[Step] = &[
    Step::new("resolve: parseWithStatus(baseURI)", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: parseWithStatus(relativeURI)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolveComponent: relative.scheme", "a reference with a scheme inherits nothing", |s| {
        match uri_js::has_scheme(s) {
            true => To("resolveComponent: removeDotSegments, RDS5"),
            false => Go,
        }
    }),
    Step::new("resolveComponent: relative.host", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        match uri_js::has_host(s) {
            true => To("resolveComponent: removeDotSegments, RDS5"),
            false => {
                s.mark(INHERITED);
                Go
            }
        }
    }),
    Step::new("resolveComponent: !relative.path", "without a path, inherit the base's, and its query if there is none", |s| {
        match uri_js::has_no_path(s) {
            true => To("resolve: HTTP URIs"),
            false => Go,
        }
    }),
    Step::new(
        "resolveComponent: merge",
        "a path without a slash follows the base's up to its last slash, or a slash if the base has an authority and no path",
        uri_js::merge,
    ),
    Step::new(
        "removeDotSegmentsRelative",
        "in a relative path on a base without a scheme and an authority, remove . segments, and .. segments with those before them; those at \
         the beginning remain; write ./ before an empty path, an empty first segment or a colon in it",
        |s| {
            let is_relative = s.is_marked(INHERITED)
                && s.get(Slot::Base(Part::Scheme)).is_empty()
                && s.present(Slot::Base(Part::Host)).is_none()
                && !s.get(Slot::Ref(Part::Path)).starts_with('/')
                && !s.get(Slot::Merged).starts_with('/');
            if !is_relative {
                return Go;
            }
            let path = relative_without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            To("resolve: HTTP URIs")
        },
    )
    .since(&RELATIVE),
    Step::new("resolveComponent: removeDotSegments, RDS5", "remove dot segments", |s| remove_dots(s, without_dots))
        .until(&LAST_SLASH),
    Step::new("resolveComponent: removeDotSegments, two slashes", "remove dot segments, and the last of two slashes at the end", |s| {
        remove_dots(s, without_dots_and_slash)
    })
    .since(&LAST_SLASH)
    .until(&TWO_SLASHES),
    Step::new("resolveComponent: removeDotSegments", "remove dot segments, unless the reference has the scheme mailto or urn", |s| {
        let is_opaque = s.has(&OPAQUE) && matches!(s.get(Slot::Ref(Part::Scheme)), "mailto" | "urn");
        if is_opaque { Go } else { remove_dots(s, without_dots) }
    })
    .since(&TWO_SLASHES),
    Step::new("resolve: HTTP URIs", "reject http and https without a host", |s| {
        reject_without_host(s, &["http", "https"])
    })
    .since(&HTTP_HOST),
    Step::new("resolve: WebSocket URIs", "reject ws and wss without a host", |s| reject_without_host(s, &["ws", "wss"]))
        .since(&WS_HOST),
    Step::new("hasForbiddenDomainHost", "reject a host of http, https, ws or wss with a character of ASCII that RFC 3986 does not allow in it", |s| {
        let slot = Slot::Out(Part::Host);
        match has_domain(s) && s.get(slot).contains(is_forbidden) {
            true => s.reject(slot, "it contains a forbidden character"),
            false => Go,
        }
    })
    .since(&FORBIDDEN),
    Step::new(
        "canonicalizeHost",
        "write the host of http, https, ws or wss as the URL Standard does, if it has other characters than lower-case letters and marks; \
         reject one that the Standard rejects, unless it is of ASCII and has an escape",
        |s| {
            let slot = Slot::Out(Part::Host);
            let host = s.get(slot);
            let is_simple = |it: char| it.is_ascii_lowercase() || "!\"$&'()*+,-.;=_`{}~".contains(it);
            if !has_domain(s) || host.chars().all(is_simple) || s.has(&FAST) && is_fast(host) {
                return Go;
            }
            let is_encoded = host.contains('%') && host.is_ascii();
            match domain(host) {
                Some(host) => write(s, Slot::Out, Part::Host, host),
                None if is_encoded => {}
                None => return s.reject(slot, "the URL Standard rejects it"),
            }
            Go
        },
    )
    .since(&HOSTS),
    Step::new("serialize: unescape of the path", "decode escapes in the path as Latin-1", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        let path = unescape(s.get(Slot::NoDots));
        s.set(Slot::NoDots, path);
        Go
    })
    .until(&RESERVED),
    Step::new("serialize: path", "write the path", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let path = s.get(Slot::NoDots);
        if s.present(Slot::Out(Part::Host)).is_some() && !path.is_empty() && !path.starts_with('/') {
            s.mark(NO_SLASH);
        }
        Go
    }),
    Step::new("encodeUserinfo", "encode what a user cannot contain", |s| {
        if let Some(user) = s.present(Slot::Out(Part::User)) {
            let user = normalized(user, |_| false, |it| is_kept(it, USER, true), percent);
            write(s, Slot::Out, Part::User, user);
        }
        Go
    })
    .since(&CHARACTERS),
    Step::new("recomposeAuthority", "write an IPv4 or IPv6 address without leading zeros if the host is one after its escapes are decoded", |s| {
        recompose_host(s, |host, _| host.to_owned())
    })
    .until(&DELIMITERS),
    Step::new(
        "recomposeAuthority: unescape",
        "decode escapes in the host as Latin-1; write an IPv6 address without leading zeros, and encode delimiters in any other host",
        |s| recompose_host(s, |_, host| reescaped(host, "@/?#:")),
    )
    .since(&DELIMITERS)
    .until(&HOSTS),
    Step::new("recomposeAuthority: brackets", "write brackets around an address, and encode delimiters in any other host", |s| {
        bracket(s, |host| reescaped(host, "@/?#:"))
    })
    .since(&HOSTS)
    .until(&ENCODED_HOSTS),
    Step::new("encodeHost", "write brackets around an address, and encode what any other host cannot contain", |s| {
        bracket(s, |host| normalized(host, |_| false, |it| is_kept(it, HOST, true), percent))
    })
    .since(&ENCODED_HOSTS),
    Step::new("RDS5", "reject a path with a carriage return or a separator of lines or paragraphs: the function does not end or throws", |s| {
        let slot = Slot::Out(Part::Path);
        match s.get(slot).contains(['\r', '\u{2028}', '\u{2029}']) {
            true => s.reject(slot, "it contains an end of a line"),
            false => Go,
        }
    })
    .until(&LAST_SLASH),
    Step::new("serialize: removeDotSegments, RDS5", "remove dot segments of a path that was inherited", |s| {
        remove_dots_of_target(s, without_dots)
    })
    .until(&LAST_SLASH),
    Step::new(
        "serialize: removeDotSegments, two slashes",
        "remove dot segments of a path that was inherited, and the last of two slashes; a relative path without a scheme remains one",
        |s| remove_dots_of_target(s, without_dots_and_slash),
    )
    .since(&LAST_SLASH)
    .until(&TWO_SLASHES),
    Step::new(
        "serialize: removeDotSegments",
        "remove dot segments of a path that was inherited, unless the scheme is mailto or urn; a relative path without a scheme remains one",
        |s| match s.has(&OPAQUE) && matches!(s.get(Slot::Out(Part::Scheme)), "mailto" | "urn") {
            true => Go,
            false => remove_dots_of_target(s, without_dots),
        },
    )
    .since(&TWO_SLASHES),
    Step::new("serialize: /", "write a slash between an authority and a path that did not begin with one", |s| {
        if s.is_marked(NO_SLASH) { rewrite_path(s, |path| format!("/{path}")) } else { Go }
    }),
    Step::new("serialize: %2F", "encode the second slash of a path that begins with two and follows no authority", |s| {
        match s.present(Slot::Out(Part::Host)) {
            Some(_) => Go,
            None => rewrite_path(s, |path| path.strip_prefix("//").map_or(path.to_owned(), |path| format!("/%2F{path}"))),
        }
    }),
    Step::new("serialize", "concatenate the components", |s| s.concatenate()),
];

/// The mark of an authority before a path without a slash.
const NO_SLASH: &str = "the path does not begin with a slash";
/// The mark of an authority that is the base's.
const INHERITED: &str = "the authority is the base's";

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '?', '#'])
}

fn is_literal(host: &str) -> bool {
    host.len() > 1 && host.starts_with('[') && host.ends_with(']')
}

fn is_without_scheme(s: &State<'_>) -> bool {
    s.get(Slot::Out(Part::Scheme)).is_empty() && s.present(Slot::Out(Part::Host)).is_none()
}

/// Returns whether the target has a scheme with domains, and a host that is not an address.
fn has_domain(s: &State<'_>) -> bool {
    let host = s.get(Slot::Out(Part::Host));
    matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https" | "ws" | "wss")
        && !host.is_empty()
        && !host.starts_with('[')
        && !is_ipv4(host)
        && !matches!(address(host), Address::V6(..))
}

fn reject_without_host(s: &mut State<'_>, schemes: &[&str]) -> Next {
    let is_empty = s.get(Slot::Out(Part::Host)).is_empty();
    match is_empty && schemes.contains(&s.get(Slot::Out(Part::Scheme))) {
        true => s.reject(Slot::Out(Part::Host), "the host is missing"),
        false => Go,
    }
}

/// The host as `new URL` of Node.js 20 writes it.
fn domain(host: &str) -> Option<String> {
    static ADA: LazyLock<Implementation> = LazyLock::new(|| ada::standard(&ada::TABLE.changes_of("2.9.2")));
    let target = ADA.resolve("", &format!("http://{host}")).ok()?;
    let rest = target.url.strip_prefix("http://")?;
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    // A port can follow a backslash in brackets.
    let end = if host.starts_with('[') { host.find(']').map(|at| at + 1) } else { host.find(':') };
    Some(host[..end.unwrap_or(host.len())].to_owned())
}

/// `fastLowerAsciiHost`.
fn is_fast(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let is_decimal = !last.is_empty() && last.bytes().all(|it| it.is_ascii_digit());
    let digits = last.strip_prefix("0x").or(last.strip_prefix("0X"));
    let is_number = is_decimal || digits.is_some_and(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
    !is_number && host.chars().all(|it| it.is_ascii_alphanumeric() || "!\"$&'()*+,-.;=_`{}~".contains(it))
}

/// Returns whether `encodeURI` keeps a character.
fn is_of_uri(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b";,/?:@&=+$-_.!~*'()#".contains(&it)
}

/// `decodeURI`: escapes of delimiters remain.
fn decoded_but_delimiters(text: &str) -> Option<String> {
    let is_delimiter = |at: usize| {
        let digits = is_escape(&text[at..]).then(|| &text[at + 1..at + 3]);
        digits.and_then(|it| u8::from_str_radix(it, 16).ok()).is_some_and(|it| b";/?:@&=+$,#".contains(&it))
    };
    let mut out = String::new();
    let mut from = 0;
    for at in text.match_indices('%').map(|(at, _)| at).filter(|at| is_delimiter(*at)) {
        out += &decoded(&text[from..at])?;
        out += &text[at..at + 3];
        from = at + 3;
    }
    Some(out + &decoded(&text[from..])?)
}

fn recode_fragment(s: &mut State<'_>, recode: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Fragment);
    let Some(text) = s.present(slot).filter(|_| !is_opaque(s)) else { return Go };
    match recode(text) {
        Some(text) => {
            s.set(slot, text);
            Go
        }
        None => s.reject(slot, "a percent sign does not begin an escape, or the decoded text is not UTF-8"),
    }
}

/// Writes the host of the target before 4.1.3. `other` has the host and the decoded host if that is not an address.
fn recompose_host(s: &mut State<'_>, other: impl Fn(&str, &str) -> String) -> Next {
    let Some(host) = s.present(Slot::Out(Part::Host)) else { return Go };
    let decoded = unescape(host);
    let decoded = if s.has(&OCTETS) { decoded } else { uri_js::ipv4(&decoded) };
    let host = match old_address(&decoded, s.has(&ZEROS)).filter(|_| !is_ipv4(&decoded)) {
        Some((address, zone)) => {
            let zone = if zone.is_empty() { zone } else { format!("%25{zone}") };
            format!("[{address}{zone}]")
        }
        None if is_ipv4(&decoded) => decoded,
        None => other(host, &decoded),
    };
    write(s, Slot::Out, Part::Host, host);
    Go
}

/// Writes a part of the authority, and the authority with it. The rows that write the target's host also write its brackets.
fn write(s: &mut State<'_>, of: fn(Part) -> Slot, part: Part, value: String) {
    let is_target = matches!(of(Part::Host), Slot::Out(_));
    let bracketed = |host: &str| match is_target || !host.contains(':') || host.starts_with('[') {
        true => host.to_owned(),
        false => format!("[{host}]"),
    };
    uri_js::write(s, of, part, Some(value), bracketed);
}

fn rewrite_host(s: &mut State<'_>, of: fn(Part) -> Slot, rewrite: impl Fn(&str) -> String) -> Next {
    if let Some(host) = s.present(of(Part::Host)) {
        let host = rewrite(host);
        write(s, of, Part::Host, host);
    }
    Go
}

fn rewrite(s: &mut State<'_>, part: Part, rewrite: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot).filter(|_| !is_opaque(s)) {
        let text = rewrite(text);
        s.set(slot, text);
    }
    Go
}

fn rewrite_path(s: &mut State<'_>, rewrite: impl Fn(&str) -> String) -> Next {
    let path = rewrite(s.get(Slot::Out(Part::Path)));
    s.set(Slot::Out(Part::Path), path);
    Go
}

fn remove_dots(s: &mut State<'_>, remove: impl Fn(&str) -> String) -> Next {
    let path = remove(s.get(Slot::Merged));
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    Go
}

fn remove_dots_of_target(s: &mut State<'_>, remove: fn(&str) -> String) -> Next {
    let is_relative = s.has(&RELATIVE) && is_without_scheme(s) && !s.get(Slot::Out(Part::Path)).starts_with('/');
    rewrite_path(s, if is_relative { relative_without_dots } else { remove })
}

/// `removeDotSegments` before 4.1: when two slashes remain, only one is written.
fn without_dots_and_slash(path: &str) -> String {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
        rest = after;
    }
    without_dots(if rest.ends_with("//") { &rest[..rest.len() - 1] } else { path })
}

/// `removeDotSegmentsRelative`.
fn relative_without_dots(path: &str) -> String {
    if path.is_empty() || path.starts_with('/') {
        return without_dots(path);
    }
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if matches!(path.rsplit('/').next(), Some("." | "..")) && kept.last() != Some(&"..") {
        kept.push("");
    }
    if kept.first().is_none_or(|first| first.is_empty() || first.contains(':')) {
        kept.insert(0, ".");
    }
    kept.join("/")
}

fn is_unreserved(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"-._~".contains(&it)
}

/// Returns whether a character is a letter, a digit or one of `others`. An inexact pattern that ignores case also matches two other letters.
fn is_kept(it: char, others: &[u8], is_exact: bool) -> bool {
    let is_other_letter = matches!(it, '\u{17f}' | '\u{212a}') && !is_exact;
    is_other_letter || u8::try_from(it).is_ok_and(|it| it.is_ascii_alphanumeric() || others.contains(&it))
}

fn percent(it: char) -> String {
    it.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// JavaScript's `escape` for a character that it does not keep.
fn escape(it: char) -> String {
    let form = |unit: &mut u16| if *unit < 256 { format!("%{unit:02X}") } else { format!("%u{unit:04X}") };
    it.encode_utf16(&mut [0; 2]).iter_mut().map(form).collect()
}

/// JavaScript's `unescape`: escapes of two digits are Latin-1, and those of four after a `u` UTF-16.
fn unescape(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(it) = rest.chars().next() {
        let long = rest.strip_prefix("%u").and_then(|rest| rest.get(..4));
        let long = long.filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        let (digits, length) = match long {
            Some(digits) => (Some(digits), 6),
            None if is_escape(rest) => (Some(&rest[1..3]), 3),
            None => (None, it.len_utf8()),
        };
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => units.push(unit),
            None => units.extend_from_slice(it.encode_utf16(&mut [0; 2])),
        }
        rest = &rest[length..];
    }
    String::from_utf16_lossy(&units)
}

/// Writes escapes in capitals, and decodes those of unreserved characters that `decodes` accepts; encodes other characters than `keeps` accepts.
fn normalized(
    text: &str,
    decodes: impl Fn(u8) -> bool,
    keeps: impl Fn(char) -> bool,
    encode: fn(char) -> String,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(it) = rest.chars().next() {
        let byte = is_escape(rest).then(|| u8::from_str_radix(&rest[1..3], 16).ok()).flatten();
        match byte {
            Some(byte) if is_unreserved(byte) && decodes(byte) => out.push(byte.into()),
            Some(byte) => out += &format!("%{byte:02X}"),
            None if keeps(it) => out.push(it),
            None => out += &encode(it),
        }
        rest = &rest[if byte.is_some() { 3 } else { it.len_utf8() }..];
    }
    out
}

/// `normalizePercentEncoding`.
fn upper(text: &str, decodes: impl Fn(u8) -> bool) -> String {
    normalized(text, decodes, |_| true, percent)
}

fn reescaped(host: &str, delimiters: &str) -> String {
    let form = |it: char| if delimiters.contains(it) { percent(it) } else { it.to_string() };
    host.chars().map(form).collect()
}

fn is_ipv4(host: &str) -> bool {
    host.parse::<std::net::Ipv4Addr>().is_ok()
}

/// What `normalizeIPv6` finds in a host.
enum Address {
    V6(String, Option<String>),
    Later(String),
    No,
}

/// `normalizeIPv6` since 4.1.3.
fn address(host: &str) -> Address {
    let is_bracketed = is_literal(host);
    if !is_bracketed && (host.starts_with('[') || host.ends_with(']')) {
        return Address::No;
    }
    let input = if is_bracketed { &host[1..host.len() - 1] } else { host };
    let later = input.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    if is_bracketed && let Some((number, text)) = later {
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_hexdigit());
        if is_number && !text.is_empty() && text.chars().all(|it| is_kept(it, USER, true)) {
            return Address::Later(input.to_ascii_lowercase());
        }
    }
    let (text, zone) = match input.find('%') {
        Some(at) if input[at..].starts_with("%25") => (&input[..at], Some(&input[at + 3..])),
        Some(at) => (&input[..at], Some(&input[at + 1..])),
        None => (input, None),
    };
    let is_zone = |zone: &str| {
        let is_allowed = |it: char| it == '%' || u8::try_from(it).is_ok_and(is_unreserved);
        !zone.is_empty()
            && zone.chars().all(is_allowed)
            && zone.match_indices('%').all(|(at, _)| is_escape(&zone[at..]))
    };
    if text.parse::<std::net::Ipv6Addr>().is_err() || !zone.is_none_or(is_zone) {
        return Address::No;
    }
    let fields = |text: &str| -> Vec<String> {
        let field = |it: &str| u16::from_str_radix(it, 16).map_or_else(|_| it.to_owned(), |it| format!("{it:x}"));
        text.split(':').filter(|it| !it.is_empty()).map(field).collect()
    };
    let all = match text.split_once("::") {
        Some((first, last)) => {
            let (first, last) = (fields(first), fields(last));
            let count = first.len() + last.len() + usize::from(last.last().is_some_and(|it| it.contains('.')));
            let zeros = vec!["0".to_owned(); 8_usize.saturating_sub(count)];
            [first, zeros, last].concat()
        }
        None => fields(text),
    };
    Address::V6(uri_js::shortened(&all), zone.map(str::to_owned))
}

fn check_literal(s: &mut State<'_>, is_checked: impl Fn(&str) -> bool) -> Next {
    let slot = s.own(Part::Host);
    let host = s.get(slot);
    let is_address = is_literal(host) && !matches!(address(host), Address::No);
    match is_checked(host) && !is_address {
        true => {
            s.mark(BAD_LITERAL);
            malformed(s, slot, "brackets do not contain an address")
        }
        false => Go,
    }
}

/// Writes brackets around an address, and any other host as `encode` does.
fn bracket(s: &mut State<'_>, encode: impl Fn(&str) -> String) -> Next {
    let side = if s.is_marked(INHERITED) { Side::Base } else { Side::Reference };
    let Some(host) = s.present(Slot::Out(Part::Host)) else { return Go };
    let zoned = host.split_once('%').filter(|_| s.has(&ZONES) && s.is_marked(is_ip(side)));
    let host = match (address(host), zoned) {
        (_, Some((address, zone))) => format!("[{address}%25{zone}]"),
        (Address::V6(address, Some(zone)), None) => format!("[{address}%25{zone}]"),
        (Address::V6(address, None), _) => format!("[{address}]"),
        (Address::Later(text), _) => format!("[{text}]"),
        (Address::No, _) if is_ipv4(host) => host.to_owned(),
        (Address::No, _) => encode(host),
    };
    write(s, Slot::Out, Part::Host, host);
    Go
}

/// The host of the side that is read as `normalizeIPv6` writes it before 4.1.3, if it is an IPv6 address.
fn address_without_zeros(s: &State<'_>) -> Option<String> {
    let host = s.get(s.own(Part::Host));
    let (address, zone) = old_address(host, s.has(&ZEROS)).filter(|_| !is_ipv4(host))?;
    Some(if zone.is_empty() { address } else { format!("{address}%{zone}") })
}

/// `getIPV6`, before 4.1.3: address and zone. Numbers of only zeros are empty, or none since 3.1.0.
fn old_address(host: &str, rejects_zeros: bool) -> Option<(String, String)> {
    if host.matches(':').count() < 2 {
        return None;
    }
    let stripped = |buffer: &str| {
        let digits = buffer.trim_start_matches('0');
        Some(digits.to_owned()).filter(|it| !(rejects_zeros && it.is_empty()) && it.bytes().all(|it| it.is_ascii_hexdigit()))
    };
    let (mut address, mut buffer) = (String::new(), String::new());
    let (mut colons, mut has_two, mut is_after, mut is_zone) = (0, false, false, false);
    let mut before = ' ';
    for it in host.chars() {
        match it {
            '[' | ']' => {}
            ':' | '%' => {
                is_after |= it == ':' && has_two;
                if !buffer.is_empty() && !is_zone {
                    address += &stripped(&buffer)?;
                }
                buffer.clear();
                if it == '%' {
                    is_zone = true;
                } else {
                    colons += 1;
                    if colons > 7 {
                        return None;
                    }
                    has_two |= before == ':';
                    address.push(':');
                }
            }
            _ => buffer.push(it),
        }
        before = it;
    }
    match () {
        () if is_zone => return Some((address, buffer)),
        () if is_after => address += &buffer,
        () => address += &stripped(&buffer).unwrap_or_default(),
    }
    Some((address, String::new()))
}
