//! §3.3 domain parser, §3.5 host parser and opaque-host parser.
//!
//! Domain to ASCII is the only part that is not written here: it uses the crate [`idna`], as the crate `url` does. A
//! fault of `idna` is therefore not visible in a comparison with `url`.

use alloc::string::{String, ToString};

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::changes::*;
use super::machine::{Algorithm, Host, State};
use super::{ipv6, percent};
use crate::step::Next::{Call, Continue, Done, Repeat, Return, SkipTo};

pub(super) const DOMAIN: Algorithm = (
    "domain parser",
    &[
        ("domain 1", "convert the domain to ASCII strictly, for a validation error", since(CA8D5CA3), |s| {
            let strict = Uts46::new().to_ascii(
                s.domain.as_bytes(),
                AsciiDenyList::STD3,
                Hyphens::Check,
                DnsLength::VerifyAllowRootDot,
            );
            s.ascii_domain = strict.ok().map(|ascii| ascii.to_string());
            Continue
        }),
        ("domain 2", "if that fails, record a validation error", since(CA8D5CA3), |s| {
            if s.ascii_domain.is_none() { s.note("domain-to-ASCII") } else { Continue }
        }),
        ("domain 4", "the result is not set yet", ALWAYS, |s| {
            s.ascii_domain = None;
            Continue
        }),
        ("domain 5", "a domain in ASCII is converted to lower case", since(CA8D5CA3), |s| {
            if !s.domain.is_ascii() {
                return Continue;
            }
            s.ascii_domain = Some(s.domain.to_ascii_lowercase());
            SkipTo("domain 7")
        }),
        ("domain 6", "any other domain:", ALWAYS, |_| Continue),
        ("domain 6.1", "convert it to ASCII", ALWAYS, |s| {
            s.ascii_domain = to_ascii(s);
            Continue
        }),
        ("domain 6.2", "if that fails, return failure", ALWAYS, |s| match s.ascii_domain {
            Some(_) => Continue,
            None => s.fail("3.3 domain 6.2", "not a domain by UTS #46"),
        }),
        ("domain 7", "if the result is empty, return failure", since(CCCEB435), |s| {
            if s.ascii_domain.as_deref() == Some("") {
                s.ascii_domain = None;
                return s.fail("3.3 domain 7", "an empty domain");
            }
            Continue
        }),
        ("domain 8", "if it has a forbidden domain code point, return failure", since(C35E195A), |s| {
            if is_forbidden(s) { s.fail("3.3 domain 8", "a forbidden character in a domain") } else { Continue }
        }),
        ("domain 9", "return the result", ALWAYS, |_| Done),
    ],
);

/// Returns whether the domain has a forbidden code point, and removes the domain if it does.
fn is_forbidden(s: &mut State) -> bool {
    let forbidden = |c| percent::is_forbidden_domain(c, s.landed);
    let is_forbidden = s.ascii_domain.as_ref().is_some_and(|domain| domain.chars().any(forbidden));
    if is_forbidden {
        s.ascii_domain = None;
    }
    is_forbidden
}

/// Converts the domain to ASCII by UTS #46, in the way in which the Standard called it at the time.
///
/// The crate `idna` always checks joiners and bidirectional text, which the Standard does since dc9d831.
fn to_ascii(s: &State) -> Option<String> {
    let hyphens = if s.has(CDC9D831) { Hyphens::Allow } else { Hyphens::Check };
    let domain = if s.has(CF4D84A5) { s.domain.clone() } else { transitional(&s.domain) };
    let ascii = Uts46::new().to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, hyphens, DnsLength::Ignore);
    ascii.ok().map(|ascii| ascii.to_string())
}

/// Maps the four deviation characters of UTS #46 as transitional processing does, which `idna` does not have.
fn transitional(domain: &str) -> String {
    let mut out = String::with_capacity(domain.len());
    for c in domain.chars() {
        match c {
            'ß' | 'ẞ' => out.push_str("ss"),
            'ς' => out.push('σ'),
            '\u{200C}' | '\u{200D}' => {}
            c => out.push(c),
        }
    }
    out
}

pub(super) const HOST: Algorithm = (
    "host parser",
    &[
        (
            "host parser 1 (3036255)",
            "if the URL is not special, the host is opaque",
            between(C3036255, CCDBCCE6),
            |s| {
                if s.is_special() { Continue } else { Return("opaque-host parser") }
            },
        ),
        ("host parser 1", "if the host begins with [:", ALWAYS, |s| {
            if s.host_input.starts_with('[') { Continue } else { SkipTo("host parser 2") }
        }),
        ("host parser 1.1", "if it does not end with ], return failure", ALWAYS, |s| {
            if !s.host_input.ends_with(']') {
                return s.fail("3.5 host parser 1.1", "a host that begins with [ and does not end with ]");
            }
            Continue
        }),
        ("host parser 1.2", "the host is the IPv6 address between the brackets", ALWAYS, |s| {
            let inner = s.host_input.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            s.v6 = ipv6::Variables::new(inner.unwrap_or_default());
            Return("IPv6 parser")
        }),
        ("host parser 2", "otherwise, if the URL is not special, the host is opaque", since(CCDBCCE6), |s| {
            if s.is_special() { Continue } else { Return("opaque-host parser") }
        }),
        ("host parser 3", "the host is not empty", ALWAYS, |_| Continue),
        ("host parser 4", "if it has a percent-encoded byte, record a validation error", ALWAYS, |s| {
            if s.host_input.contains('%') { s.note("domain-percent-encoded") } else { Continue }
        }),
        ("host parser 5", "percent-decode it as UTF-8", ALWAYS, |s| {
            s.domain = percent::decode(&s.host_input);
            Continue
        }),
        ("host parser 6", "parse the domain", ALWAYS, |_| Call("domain parser")),
        ("host parser 7", "if that fails, return failure", ALWAYS, |s| {
            if s.ascii_domain.is_none() { Done } else { Continue }
        }),
        ("host parser 7 (0672f2e)", "if it has a forbidden host code point, return failure", until(C35E195A), |s| {
            if is_forbidden(s) {
                return s.fail("3.5 host parser 7 (0672f2e)", "a forbidden character in a host");
            }
            Continue
        }),
        ("host parser 8", "if the domain ends in a number, return its IPv4 address", since(CAB0E820), |s| {
            match s.v4.ends_in_number.take() {
                Some(true) => Return("IPv4 parser"),
                Some(false) => Continue,
                None => Repeat("ends in a number checker"),
            }
        }),
        ("host parser 8 (83adf0c)", "parse the domain as an IPv4 address", between(C9043740, CAB0E820), |_| {
            Call("IPv4 parser")
        }),
        (
            "host parser 9 (83adf0c)",
            "if it is an address or a failure, return that",
            between(C9043740, CAB0E820),
            |s| {
                if s.host.is_some() || s.failure.is_some() { Done } else { Continue }
            },
        ),
        ("host parser 9", "return the domain", ALWAYS, |s| {
            s.host = s.ascii_domain.take().map(Host::Name);
            Done
        }),
    ],
);

pub(super) const OPAQUE: Algorithm = (
    "opaque-host parser",
    &[
        ("opaque host 1", "if the host has a forbidden host code point, return failure", since(C3036255), |s| {
            let percent = |c| c == '%' && !s.has(CCDBCCE6);
            if s.host_input.chars().any(|c| percent::is_forbidden_host(c, s.landed) || percent(c)) {
                return s.fail("3.5 opaque host 1", "a forbidden character in a host");
            }
            Continue
        }),
        (
            "opaque host 2",
            "if a code point is neither a URL code point nor %, record a validation error",
            since(C3036255),
            |s| {
                let is_unit = |c| c == '%' || percent::is_url_code_point(c);
                if s.host_input.chars().all(is_unit) { Continue } else { s.note("invalid-URL-unit") }
            },
        ),
        ("opaque host 3", "if two digits do not follow a %, record a validation error", since(C3036255), |s| {
            let is_escape = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|b| b.is_ascii_hexdigit());
            if s.host_input.split('%').skip(1).all(is_escape) { Continue } else { s.note("invalid-URL-unit") }
        }),
        (
            "opaque host 4",
            "percent-encode it with the C0 control percent-encode set, and return it",
            since(C3036255),
            |s| {
                let mut host = String::new();
                for c in s.host_input.chars() {
                    percent::encode(c, percent::c0_control, s.landed, &mut host);
                }
                s.host = Some(Host::Name(host));
                Done
            },
        ),
    ],
);
