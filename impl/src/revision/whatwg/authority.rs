//! §4.4 basic URL parser: the states of the slashes before an authority, the authority, the host and the port.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::changes::*;
use super::machine::{Algorithm, State};
use super::percent;
use crate::slots::Part;
use crate::step::Next::{self, Call, Continue, Done, SkipTo};

pub(super) const SPECIAL_SLASHES: Algorithm = (
    "special authority slashes",
    &[
        (
            "special authority slashes 1",
            "at two slashes, go to the special authority ignore slashes state after them",
            ALWAYS,
            State::skip_two_slashes,
        ),
        (
            "special authority slashes 2",
            "otherwise record a validation error, and go to the special authority ignore slashes state with the same code point",
            ALWAYS,
            |s| {
                s.note("special-scheme-missing-following-solidus");
                s.go_back("special authority ignore slashes")
            },
        ),
    ],
);

pub(super) const SPECIAL_IGNORE_SLASHES: Algorithm = (
    "special authority ignore slashes",
    &[
        (
            "special authority ignore slashes 1",
            "at anything but a slash or backslash, go to the authority state with the same code point",
            ALWAYS,
            |s| if matches!(s.c(), Some('/' | '\\')) { Continue } else { s.go_back("authority") },
        ),
        ("special authority ignore slashes 2", "otherwise record a validation error", ALWAYS, |s| {
            s.note("special-scheme-missing-following-solidus");
            Done
        }),
    ],
);

pub(super) const AUTHORITY: Algorithm = (
    "authority",
    &[
        ("authority 1", "at an @:", ALWAYS, |s| if s.is('@') { Continue } else { SkipTo("authority 2") }),
        ("authority 1.1", "record a validation error", ALWAYS, |s| s.note("invalid-credentials")),
        ("authority 1.2", "if an @ was seen before, write it as %40 before the buffer", ALWAYS, |s| {
            if s.at_sign_seen {
                s.buffer.insert_str(0, "%40");
                s.rewrites(Part::Authority);
            }
            Continue
        }),
        ("authority 1.3", "an @ has been seen", ALWAYS, |s| {
            s.at_sign_seen = true;
            s.code_points = s.buffer.chars().collect::<Vec<_>>().into_iter();
            Continue
        }),
        ("authority 1.4", "for each code point of the buffer:", ALWAYS, |s| match s.code_points.next() {
            Some(c) => {
                s.code_point = c;
                Continue
            }
            None => SkipTo("authority 1.5"),
        }),
        ("authority 1.3.1 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if matches!(s.code_point, '\t' | '\n' | '\r') { SkipTo("authority 1.4") } else { Continue }
        }),
        ("authority 1.4.1", "the first colon begins the password", ALWAYS, |s| {
            if s.code_point != ':' || s.password_token_seen {
                return Continue;
            }
            s.password_token_seen = true;
            if !s.has(C5E0B05E) {
                s.url.password = Some(String::new());
            }
            SkipTo("authority 1.4")
        }),
        ("authority 1.4.2", "percent-encode other code points with the userinfo percent-encode set", ALWAYS, |s| {
            s.encoded.clear();
            percent::encode(s.code_point, percent::userinfo, s.landed, &mut s.encoded);
            if s.encoded.starts_with('%') && s.code_point != '%' {
                s.rewrites(Part::Authority);
            }
            Continue
        }),
        ("authority 1.4.3", "append them to the password after the colon", ALWAYS, |s| {
            if !s.password_token_seen {
                return Continue;
            }
            s.url.password.get_or_insert_default().push_str(&s.encoded);
            SkipTo("authority 1.4")
        }),
        ("authority 1.4.4", "append them to the user name before the colon", ALWAYS, |s| {
            s.url.username.push_str(&s.encoded);
            SkipTo("authority 1.4")
        }),
        ("authority 1.5", "clear the buffer", ALWAYS, |s| {
            s.buffer.clear();
            Done
        }),
        ("authority 2", "otherwise the authority ends at the end, /, ?, # or \\ in a special URL", ALWAYS, |s| {
            if s.ends_authority() { Continue } else { SkipTo("authority 3") }
        }),
        ("authority 2.1", "if nothing follows the @, return failure", since(C3036255), |s| {
            if s.at_sign_seen && s.buffer.is_empty() {
                return s.fail("4.4 authority 2.1", "a user name without a host");
            }
            Continue
        }),
        ("authority 2.2", "go back to the start of the buffer, clear it, and go to the host state", ALWAYS, |s| {
            let length = s.buffer.chars().count();
            // A buffer is not longer than the input, whose length is that of a slice.
            s.pointer -= isize::try_from(length).unwrap_or(0) + 1;
            s.buffer.clear();
            s.go("host")
        }),
        ("authority 3", "buffer any other code point", ALWAYS, State::push),
    ],
);

pub(super) const HOST: Algorithm = (
    "host",
    &[
        ("host 2", "at a colon outside brackets:", ALWAYS, |s| {
            if s.is(':') && !s.inside_brackets { Continue } else { SkipTo("host 3") }
        }),
        ("host 2.1", "if the buffer is empty, return failure", ALWAYS, |s| {
            if s.buffer.is_empty() && (s.is_special() || s.has(C3036255)) {
                return s.fail("4.4 host 2.1", "a port without a host");
            }
            Continue
        }),
        ("host 2.3", "parse the buffer as a host, which is opaque unless the URL is special", ALWAYS, parse_host),
        ("host 2.4", "if that fails, return failure", ALWAYS, |s| if s.host.is_none() { Done } else { Continue }),
        ("host 2.5", "it is the host of the URL; clear the buffer, and go to the port state", ALWAYS, |s| {
            s.url.host = s.host.take();
            s.writes_host();
            s.buffer.clear();
            s.go("port")
        }),
        (
            "host 3",
            "otherwise, the host ends at the end, /, ?, # or \\ in a special URL, which is looked at again",
            ALWAYS,
            |s| {
                if !s.ends_authority() {
                    return SkipTo("host 3 (05cbe06)");
                }
                s.pointer -= 1;
                Continue
            },
        ),
        ("host 3.1", "if the URL is special and the buffer is empty, return failure", ALWAYS, |s| {
            if s.is_special() && s.buffer.is_empty() {
                return s.fail("4.4 host 3.1", "a special URL without a host");
            }
            Continue
        }),
        ("host 3.3", "parse the buffer as a host, which is opaque unless the URL is special", ALWAYS, parse_host),
        ("host 3.4", "if that fails, return failure", ALWAYS, |s| if s.host.is_none() { Done } else { Continue }),
        ("host 3.5", "it is the host of the URL; clear the buffer, and go to the path start state", ALWAYS, |s| {
            s.url.host = s.host.take();
            s.writes_host();
            s.buffer.clear();
            s.go("path start")
        }),
        ("host 3 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("host 4", "otherwise:", ALWAYS, |_| Continue),
        ("host 4.1", "[ begins brackets", ALWAYS, |s| {
            s.inside_brackets |= s.is('[');
            Continue
        }),
        ("host 4.2", "] ends brackets", ALWAYS, |s| {
            s.inside_brackets &= !s.is(']');
            Continue
        }),
        ("host 4.3", "buffer the code point", ALWAYS, State::push),
    ],
);

pub(super) fn parse_host(s: &mut State) -> Next {
    s.host_input = s.buffer.clone();
    s.host = None;
    Call("host parser")
}

pub(super) const PORT: Algorithm = (
    "port",
    &[
        ("port 1", "buffer a digit", ALWAYS, |s| {
            if s.c().is_some_and(|c| c.is_ascii_digit()) { s.push() } else { Continue }
        }),
        ("port 2", "otherwise, at the end, /, ?, # or \\ in a special URL:", ALWAYS, |s| {
            if s.ends_authority() { Continue } else { SkipTo("port 3 (05cbe06)") }
        }),
        ("port 2.1 (05cbe06)", "remove leading zeros, but keep one digit", until(CC3A454C), |s| {
            s.buffer = without_leading_zeros(&s.buffer).to_string();
            Continue
        }),
        ("port 2.2 (05cbe06)", "remove the default port of the scheme", until(CC3A454C), |s| {
            if s.default_port() == Some(&*s.buffer) {
                s.buffer.clear();
            }
            Continue
        }),
        ("port 2.3 (05cbe06)", "the buffer is the port", until(CC3A454C), |s| {
            s.url.port = (!s.buffer.is_empty()).then(|| s.buffer.clone());
            s.buffer.clear();
            Continue
        }),
        ("port 2.1", "without digits, the URL has no port", since(CC3A454C), |s| {
            if s.buffer.is_empty() { SkipTo("port 2.3") } else { Continue }
        }),
        ("port 2.1.1", "the port is their decimal number", since(CC3A454C), |s| {
            if s.buffer.len() > 1 && s.buffer.starts_with('0') {
                s.rewrites(Part::Authority);
            }
            s.buffer = without_leading_zeros(&s.buffer).to_string();
            Continue
        }),
        ("port 2.1.2", "if it is over 65535, return failure", since(CC3A454C), |s| {
            if s.buffer.parse::<u16>().is_err() {
                return s.fail("4.4 port 2.1.2", "a port over 65535");
            }
            Continue
        }),
        ("port 2.1.3", "it is the port of the URL unless it is the default port of the scheme", since(CC3A454C), |s| {
            s.url.port = (s.default_port() != Some(&*s.buffer)).then(|| s.buffer.clone());
            if s.url.port.is_none() {
                s.rewrites(Part::Authority);
            }
            Continue
        }),
        ("port 2.1.4", "clear the buffer", since(CC3A454C), |s| {
            s.buffer.clear();
            Continue
        }),
        ("port 2.3", "go to the path start state with the same code point", ALWAYS, |s| s.go_back("path start")),
        ("port 3 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("port 3", "at anything else, return failure", ALWAYS, |s| {
            s.fail("4.4 port 3", "a port with something other than digits")
        }),
    ],
);

/// Removes leading zeros, but not the last digit.
fn without_leading_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { &digits[digits.len().saturating_sub(1)..] } else { trimmed }
}
