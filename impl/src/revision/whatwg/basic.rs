//! §6.1 API URL parser and §4.4 basic URL parser: its frame, and the states up to relative slash.

use alloc::string::String;

use super::changes::*;
use super::machine::{Algorithm, Path, State, Url};
use crate::slots::{Part, Slot};
use crate::step::Next::{Call, Continue, Done, Repeat, Return, SkipTo};

pub(super) const API: Algorithm = (
    "API URL parser",
    &[
        ("API 1", "the base is not parsed yet", ALWAYS, |s| {
            s.base = None;
            Continue
        }),
        ("API 2", "if a base is given:", ALWAYS, |s| match s.base_text.take() {
            None => SkipTo("API 3"),
            Some(base) => {
                s.input = base;
                s.begin_text(Slot::Base);
                Continue
            }
        }),
        ("API 2.1", "parse it as a URL without a base", ALWAYS, |_| Call("basic URL parser")),
        ("API 2.2", "if that fails, return failure", ALWAYS, |s| {
            if s.failure.is_some() {
                return s.fail("6.1 API 2.2", "the base is not a URL");
            }
            s.base = Some(s.url.clone());
            Continue
        }),
        ("API 3", "parse the reference with the base", ALWAYS, |s| {
            s.input = core::mem::take(&mut s.reference);
            s.begin_text(Slot::Ref);
            Return("basic URL parser")
        }),
    ],
);

pub(super) const PARSER: Algorithm = (
    "basic URL parser",
    &[
        ("basic 1", "no URL is given:", ALWAYS, |_| Continue),
        ("basic 1.1", "start with an empty URL", ALWAYS, |s| {
            s.url = Url::new();
            s.domain.clear();
            s.validation_error = "";
            Continue
        }),
        (
            "basic 1.2",
            "if the input begins or ends with control characters or spaces, record a validation error",
            ALWAYS,
            |s| {
                let is_trimmed = |c: Option<&char>| c.is_some_and(|&c| c <= ' ');
                let any = is_trimmed(s.input.first()) || is_trimmed(s.input.last());
                if any { s.note("invalid-URL-unit") } else { Continue }
            },
        ),
        ("basic 1.2 (05cbe06)", "remove ASCII white space from both ends of the input", until(C0BAB926), |s| {
            trim(s, |c| matches!(c, '\t' | '\n' | '\u{C}' | '\r' | ' '))
        }),
        ("basic 1.3", "remove control characters and spaces from both ends of the input", since(C0BAB926), |s| {
            trim(s, |c| c <= ' ')
        }),
        ("basic 2", "if the input has tabs or newlines, record a validation error", since(C7B40216), |s| {
            let any = s.input.iter().any(|c| matches!(c, '\t' | '\n' | '\r'));
            if any { s.note("invalid-URL-unit") } else { Continue }
        }),
        ("basic 3", "remove all tabs and newlines from the input", since(C7B40216), |s| {
            s.note_removed();
            s.input.retain(|c| !matches!(c, '\t' | '\n' | '\r'));
            s.write_text();
            Continue
        }),
        ("basic 4", "begin in the scheme start state", ALWAYS, |s| {
            s.state = "";
            Continue
        }),
        ("basic 5", "the encoding is UTF-8", ALWAYS, |_| Continue),
        ("basic 6", "the buffer is empty", ALWAYS, |s| {
            s.buffer.clear();
            Continue
        }),
        ("basic 7", "no @, bracket or password has been seen", ALWAYS, |s| {
            (s.at_sign_seen, s.inside_brackets, s.password_token_seen) = (false, false, false);
            Continue
        }),
        ("basic 8", "point to the start of the input", ALWAYS, |s| {
            s.pointer = 0;
            Continue
        }),
        ("basic 9", "run the state for each code point, and once more for the end", ALWAYS, |s| {
            s.validation_error = "";
            if s.state.is_empty() {
                s.state = "scheme start";
                return Repeat(s.state);
            }
            if s.failure.is_some() {
                return Done;
            }
            if s.pointer >= 0 && s.c().is_none() {
                return Continue;
            }
            s.pointer += 1;
            Repeat(s.state)
        }),
        ("basic 10", "return the URL", ALWAYS, |s| {
            s.write_components();
            Done
        }),
    ],
);

fn trim(s: &mut State, is_trimmed: fn(char) -> bool) -> crate::step::Next {
    let end = s.input.iter().rposition(|&c| !is_trimmed(c)).map_or(0, |last| last + 1);
    s.input.truncate(end);
    let start = s.input.iter().position(|&c| !is_trimmed(c)).unwrap_or(0);
    s.input.drain(..start);
    s.write_text();
    Continue
}

pub(super) const SCHEME_START: Algorithm = (
    "scheme start",
    &[
        ("scheme start 1", "buffer a letter, in lower case, and go to the scheme state", ALWAYS, |s| match s.c() {
            Some(c) if c.is_ascii_alphabetic() => {
                s.buffer.push(c.to_ascii_lowercase());
                s.go("scheme")
            }
            _ => Continue,
        }),
        ("scheme start 2", "otherwise go to the no scheme state with the same code point", ALWAYS, |s| {
            s.write_no_scheme();
            s.go_back("no scheme")
        }),
    ],
);

pub(super) const SCHEME: Algorithm = (
    "scheme",
    &[
        ("scheme 1", "buffer a letter, digit, +, - or ., in lower case", ALWAYS, |s| match s.c() {
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.') => {
                s.buffer.push(c.to_ascii_lowercase());
                Done
            }
            _ => Continue,
        }),
        ("scheme 2", "at a colon:", ALWAYS, |s| if s.is(':') { Continue } else { SkipTo("scheme 3") }),
        ("scheme 2.2", "the buffer is the URL's scheme", ALWAYS, |s| {
            s.url.scheme = s.buffer.clone();
            s.write_scheme();
            Continue
        }),
        ("scheme 2.4", "clear the buffer", ALWAYS, |s| {
            s.buffer.clear();
            Continue
        }),
        ("scheme 2.3 (05cbe06)", "if the scheme is file, go to the relative state", until(C09CD673), |s| {
            if s.url.scheme == "file" { s.go("relative") } else { Continue }
        }),
        ("scheme 2.5", "if the scheme is file:", since(C09CD673), |s| {
            if s.url.scheme == "file" { Continue } else { SkipTo("scheme 2.6") }
        }),
        ("scheme 2.5.1", "if two slashes do not follow, record a validation error", since(C09CD673), |s| {
            if s.slash_follows() && s.at(2) == Some('/') {
                Continue
            } else {
                s.note("special-scheme-missing-following-solidus")
            }
        }),
        ("scheme 2.5.2", "go to the file state", since(C09CD673), |s| s.go("file")),
        ("scheme 2.6", "otherwise, if the URL is special and the base has the same scheme:", ALWAYS, |s| {
            let is_same = s.base.as_ref().is_some_and(|base| base.scheme == s.url.scheme);
            if s.is_special() && is_same { Continue } else { SkipTo("scheme 2.7") }
        }),
        ("scheme 2.6.1", "the base does not have an opaque path", ALWAYS, |_| Continue),
        ("scheme 2.6.2", "go to the special relative or authority state", ALWAYS, |s| {
            s.go("special relative or authority")
        }),
        ("scheme 2.7", "otherwise, if the URL is special, go to the special authority slashes state", ALWAYS, |s| {
            if s.is_special() { s.go("special authority slashes") } else { Continue }
        }),
        (
            "scheme 2.8",
            "otherwise, if a slash follows, go to the path or authority state after it",
            since(CB266A43),
            |s| {
                if !s.slash_follows() {
                    return Continue;
                }
                s.pointer += 1;
                s.go("path or authority")
            },
        ),
        ("scheme 2.9", "otherwise the path is opaque; go to the opaque path state", ALWAYS, |s| {
            s.url.path = Path::Opaque(String::new());
            s.go("opaque path")
        }),
        ("scheme 3", "at anything else, start over in the no scheme state", ALWAYS, |s| {
            s.buffer.clear();
            s.pointer = -1;
            s.write_no_scheme();
            s.go("no scheme")
        }),
    ],
);

pub(super) const NO_SCHEME: Algorithm = (
    "no scheme",
    &[
        (
            "no scheme 1",
            "if the base is missing, or its path is opaque and the code point is not #, return failure",
            ALWAYS,
            |s| match &s.base {
                None if s.is_base() => s.fail("4.4 no scheme 1", "the base is relative"),
                None => s.fail("4.4 no scheme 1", "the reference is relative, and the base is missing"),
                Some(base) if base.has_opaque_path() && !(s.is('#') && s.has(C7468C39)) => {
                    s.fail("4.4 no scheme 1", "the path of the base is opaque")
                }
                Some(_) => Continue,
            },
        ),
        (
            "no scheme 2",
            "otherwise, if the path of the base is opaque, inherit the scheme, path and query of the base, and go to the fragment state",
            since(C7468C39),
            |s| match &s.base {
                Some(base) if base.has_opaque_path() => {
                    s.url.scheme.clone_from(&base.scheme);
                    s.url.path = base.path.clone();
                    s.url.query.clone_from(&base.query);
                    s.url.fragment = Some(String::new());
                    for part in [Part::Scheme, Part::Path, Part::Query] {
                        s.takes(part);
                    }
                    s.go("fragment")
                }
                _ => Continue,
            },
        ),
        (
            "no scheme 3",
            "otherwise, if the base is not a file URL, go to the relative state with the same code point",
            ALWAYS,
            |s| {
                let is_file = s.base.as_ref().is_some_and(|base| base.scheme == "file");
                if is_file && s.has(C09CD673) { Continue } else { s.go_back("relative") }
            },
        ),
        ("no scheme 4", "otherwise go to the file state with the same code point", since(C09CD673), |s| {
            s.go_back("file")
        }),
    ],
);

pub(super) const SPECIAL_RELATIVE_OR_AUTHORITY: Algorithm = (
    "special relative or authority",
    &[
        (
            "special relative or authority 1",
            "at two slashes, go to the special authority ignore slashes state after them",
            ALWAYS,
            State::skip_two_slashes,
        ),
        (
            "special relative or authority 2",
            "otherwise record a validation error, and go to the relative state with the same code point",
            ALWAYS,
            |s| {
                s.note("special-scheme-missing-following-solidus");
                s.uses_base();
                s.go_back("relative")
            },
        ),
    ],
);

pub(super) const PATH_OR_AUTHORITY: Algorithm = (
    "path or authority",
    &[
        ("path or authority 1", "at a slash, go to the authority state", since(CB266A43), |s| {
            if s.is('/') { s.go("authority") } else { Continue }
        }),
        ("path or authority 2", "otherwise go to the path state with the same code point", since(CB266A43), |s| {
            s.go_back("path")
        }),
    ],
);

pub(super) const RELATIVE: Algorithm = (
    "relative",
    &[
        ("relative 1", "the base is not a file URL", since(C09CD673), |_| Continue),
        ("relative 2", "inherit the scheme of the base", ALWAYS, |s| {
            if let Some(base) = &s.base
                && s.url.scheme != "file"
            {
                s.url.scheme.clone_from(&base.scheme);
            }
            s.takes(Part::Scheme);
            Continue
        }),
        ("relative 3", "at a slash, go to the relative slash state", ALWAYS, |s| {
            if s.is('/') { s.go("relative slash") } else { Continue }
        }),
        (
            "relative 4",
            "otherwise, at a backslash in a special URL, record a validation error, and go to the relative slash state",
            ALWAYS,
            |s| {
                if !s.is_backslash() {
                    return Continue;
                }
                s.note("invalid-reverse-solidus");
                s.go("relative slash")
            },
        ),
        ("relative 5", "otherwise:", ALWAYS, |_| Continue),
        (
            "relative f.1 (05cbe06)",
            "if a drive letter begins a file URL, inherit nothing, and go to the path state with the same code point",
            until(C09CD673),
            |s| if s.url.scheme == "file" && s.starts_with_drive_letter() { s.go_back("path") } else { Continue },
        ),
        ("relative 5.1", "inherit the user name, password, host, port, path and query of the base", ALWAYS, |s| {
            inherit_authority(s);
            if let Some(base) = &s.base {
                // Until 09cd673, `file:` comes here with any base. An opaque path has no segments.
                s.url.path = Path::List(base.segments().to_vec());
                s.url.query.clone_from(&base.query);
            }
            s.takes(Part::Authority);
            Continue
        }),
        ("relative 5.2", "at ?, clear the query, and go to the query state", ALWAYS, |s| {
            s.takes_at(Some('?'), &[Part::Path]);
            s.begin_query()
        }),
        ("relative 5.3", "otherwise, at #, go to the fragment state", ALWAYS, |s| {
            s.takes_at(Some('#'), &[Part::Path, Part::Query]);
            s.begin_fragment()
        }),
        ("relative 5.4", "otherwise, before the end:", ALWAYS, |s| {
            s.takes_at(None, &[Part::Path, Part::Query]);
            if s.c().is_some() { Continue } else { Done }
        }),
        ("relative 5.4.1", "remove the query", ALWAYS, |s| {
            s.url.query = None;
            Continue
        }),
        ("relative 5.4.2", "shorten the path", ALWAYS, |_| Call("shorten")),
        ("relative 5.4.3", "go to the path state with the same code point", ALWAYS, |s| {
            s.takes_folder(["relative 5.4.1", "relative 5.4.2", "relative 5.4.3"]);
            s.go_back("path")
        }),
    ],
);

/// Copies the credentials, host and port of the base.
fn inherit_authority(s: &mut State) {
    let Some(base) = &s.base else { return };
    if s.landed.has(C06B2E68) {
        s.url.username.clone_from(&base.username);
        s.url.password.clone_from(&base.password);
    }
    s.url.host.clone_from(&base.host);
    s.url.port.clone_from(&base.port);
}

pub(super) const RELATIVE_SLASH: Algorithm = (
    "relative slash",
    &[
        (
            "relative slash 2 (05cbe06)",
            "at a second slash or backslash in a file URL, go to the file host state",
            until(C09CD673),
            |s| if s.is_slash() && s.url.scheme == "file" { s.go("file host") } else { Continue },
        ),
        (
            "relative slash 1 (e322a8a)",
            "at a second slash, go to the special authority ignore slashes state",
            until(CB087FE2),
            |s| if s.is_slash() { s.go("special authority ignore slashes") } else { Continue },
        ),
        ("relative slash 1", "at a second slash or backslash in a special URL:", since(CB087FE2), |s| {
            if s.is_special() && s.is_slash() { Continue } else { SkipTo("relative slash 2") }
        }),
        ("relative slash 1.1", "for a backslash, record a validation error", since(CB087FE2), |s| {
            if s.is('\\') { s.note("invalid-reverse-solidus") } else { Continue }
        }),
        ("relative slash 1.2", "go to the special authority ignore slashes state", since(CB087FE2), |s| {
            s.go("special authority ignore slashes")
        }),
        ("relative slash 2", "otherwise, at a second slash, go to the authority state", since(CB087FE2), |s| {
            if s.is('/') { s.go("authority") } else { Continue }
        }),
        (
            "relative slash 3",
            "otherwise inherit the user name, password, host and port of the base, and go to the path state with the same code point",
            ALWAYS,
            |s| {
                // Until 09cd673, this state has file URLs too, which do not inherit the host.
                if s.url.scheme != "file" {
                    inherit_authority(s);
                    s.takes(Part::Authority);
                }
                s.go_back("path")
            },
        ),
    ],
);
