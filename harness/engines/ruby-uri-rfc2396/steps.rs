//! Ruby's `URI::RFC2396_Parser.new.join(base, reference)`, from 0.10.0 (Ruby 2.7) on.
//!
//! Read from `lib/uri/rfc2396_parser.rb` of 0.10.0 to 1.1.1. What follows the parser is the same as with the RFC 3986 parser: the rows are those of
//! the folder `ruby-uri`.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls, text::is_escape};

use crate::ruby_uri::changes::{AUTHORITY, CREDENTIALS, PASSWORD, SLASH, WS, WSS};
use crate::ruby_uri::{COMPONENTS, INITIALIZE, MERGE};
use crate::ruby_uri::{check_path, cut_components, cut_host, divided, empty_host, has_only, is_user, take_text};

/// Ruby's `URI` with the RFC 2396 parser.
pub static TABLE: Table = Table {
    engine: "ruby-uri-rfc2396",
    first: "0.10.0",
    changes: &[&WS, &AUTHORITY, &WSS, &SLASH, &CREDENTIALS, &PASSWORD],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, ACCESSORS)],
    called: &[SPLIT, INITIALIZE, MERGE, COMPONENTS],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Returns whether `text` has only characters of RFC 2396's `uric`.
fn is_uric(text: &str) -> bool {
    has_only(text, |it| matches!(it, b'?' | b'[' | b']').then_some(true))
}

/// Returns whether `text` is letters, digits, dots, hyphens and escapes, or an address in brackets of any number of groups.
fn is_host(text: &str) -> bool {
    let is_hex = |it: &str| matches!(it.len(), 1..=4) && it.bytes().all(|it| it.is_ascii_hexdigit());
    let is_octet = |it: &str| matches!(it.len(), 1..=3) && it.bytes().all(|it| it.is_ascii_digit());
    let is_ipv4 = |it: &str| it.split('.').count() == 4 && it.split('.').all(is_octet);
    let is_groups = |it: &str, has_ipv4: bool| {
        let (before, last) = it.rsplit_once(':').map_or((None, it), |(before, last)| (Some(before), last));
        before.is_none_or(|before| before.split(':').all(is_hex)) && (is_hex(last) || has_ipv4 && is_ipv4(last))
    };
    if let Some(address) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return match address.split_once("::") {
            Some((before, after)) => {
                (before.is_empty() || is_groups(before, false)) && (after.is_empty() || is_groups(after, true))
            }
            None => is_groups(address, true),
        };
    }
    !text.is_empty()
        && text.bytes().enumerate().all(|(at, it)| match it {
            b'%' => text.get(at..).is_some_and(is_escape),
            _ => it.is_ascii_alphanumeric() || matches!(it, b'-' | b'.'),
        })
}

/// `RFC2396_Parser#split`, for the base and the reference.
static SPLIT: &[Step] = &[
    Step::new("RFC2396_Parser#split", "take the text as it is", take_text),
    Step::new("ABS_URI, REL_URI: \\s*", "remove white space at both ends", |s| {
        s.rest = s.rest.trim_matches(|it| matches!(it, ' ' | '\t'..='\r')).to_owned();
        s.mark("rfc2396");
        s.write_text();
        Go
    }),
    Step::new(
        "ABS_URI, REL_URI",
        "match a name before a colon as the scheme, the part after the first # as the fragment, after the first ? as the query, and after two \
         slashes up to the next one as the authority",
        cut_components,
    ),
    Step::new(
        "X_ABS_URI, X_REL_URI: authority",
        "reject an authority that is not [user@]host[:port]; after a scheme, it has a host or is empty",
        |s| {
            let slot = s.own(Part::Authority);
            let authority = s.get(slot);
            let (user, host, port) = divided(authority);
            let may_lack_host = s.present(s.own(Part::Scheme)).is_none() || user.is_none() && port.is_none();
            let is_valid = user.is_none_or(is_user) && (is_host(host) || host.is_empty() && may_lack_host);
            if is_valid { Go } else { s.reject(slot, "not a server of RFC 2396") }
        },
    ),
    Step::new("X_ABS_URI: opaque_part", "reject an opaque part with other characters than RFC 2396's", |s| {
        let slot = s.own(Part::Path);
        let path = s.get(slot);
        let has_scheme = s.present(s.own(Part::Scheme)).is_some() && s.present(s.own(Part::Authority)).is_none();
        if !has_scheme || path.is_empty() || path.starts_with('/') {
            return Go;
        }
        match is_uric(path) && !path.starts_with(['[', ']']) {
            true => To("X_ABS_URI: query"),
            false => s.reject(slot, "a character that an opaque part does not have"),
        }
    }),
    Step::new("X_ABS_URI, X_REL_URI: path", "reject a path with other characters than RFC 2396's", check_path),
    Step::new("RFC2396_Parser#split: absolute but no path", "reject a scheme without an opaque part, host and path", |s| {
        let slot = s.own(Part::Path);
        let has_authority = s.present(s.own(Part::Authority)).is_some();
        let has_query = s.present(s.own(Part::Query)).is_some();
        let has_other = if has_authority { !s.get(s.own(Part::Authority)).is_empty() } else { has_query };
        if s.present(s.own(Part::Scheme)).is_some() && s.get(slot).is_empty() && !has_other {
            return s.reject(slot, "nothing follows the scheme");
        }
        Go
    }),
    Step::new("X_ABS_URI: query", "reject a query with other characters than RFC 2396's", |s| {
        let slot = s.own(Part::Query);
        if is_uric(s.get(slot)) { Go } else { s.reject(slot, "a character that a query does not have") }
    }),
    Step::new("X_ABS_URI: fragment", "reject a fragment with other characters than RFC 2396's", |s| {
        let slot = s.own(Part::Fragment);
        if is_uric(s.get(slot)) { Go } else { s.reject(slot, "a character that a fragment does not have") }
    }),
    Step::new("X_ABS_URI: host", "the host is what remains of the authority", cut_host),
    Step::new("X_ABS_URI: host?", "an empty host is absent", |s| empty_host(s, |_| true)),
    Step::new("RFC2396_Parser#parse", "create an object of the scheme's class", |s| Call(INITIALIZE, s.side)),
];

/// `RFC2396_Parser#join`.
static JOIN: &[Step] = &[
    Step::new("RFC2396_Parser#join", "parse the base", |_| Call(SPLIT, Side::Base)),
    Step::new("RFC2396_Parser#convert_to_uri", "parse the reference", |_| Call(SPLIT, Side::Reference)),
    Step::new("join: merge", "merge them", |_| Call(MERGE, Side::Reference)),
];

/// `RFC2396_Parser#parse`, and the methods of the URI that return its components.
static ACCESSORS: &[Step] = &[
    Step::new("RFC2396_Parser#parse: the URI", "parse the URI", |_| Call(SPLIT, Side::Reference)),
    Step::new("RFC2396_Parser#parse: Generic", "state its components", |_| Call(COMPONENTS, Side::Reference)),
];
