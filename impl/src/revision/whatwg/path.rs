//! §4.4 basic URL parser: the states of the path, the query and the fragment; §4.2 shorten.

use alloc::string::String;

use super::changes::*;
use super::machine::{Algorithm, Host, Path, State, is_drive_letter, is_normalized_drive_letter};
use super::percent;
use crate::slots::Part;
use crate::step::Next::{self, Call, Continue, Done, SkipTo};

pub(super) const SHORTEN: Algorithm = (
    "shorten",
    &[
        ("shorten 1", "the path is not opaque", ALWAYS, |_| Continue),
        ("shorten 2", "take the path of the URL", ALWAYS, |_| Continue),
        ("shorten 3", "keep a drive letter that is the only segment of a file URL", since(C09CD673), |s| {
            match s.url.segments() {
                [only] if s.url.scheme == "file" && is_normalized_drive_letter(only) => Done,
                _ => Continue,
            }
        }),
        ("shorten 4", "remove the last segment, if there is one", ALWAYS, |s| {
            if let Path::List(segments) = &mut s.url.path {
                segments.pop();
            }
            Done
        }),
    ],
);

pub(super) const PATH_START: Algorithm =
    (
        "path start",
        &[
            ("path start 1", "if the URL is special:", ALWAYS, |s| {
                if s.is_special() { Continue } else { SkipTo("path start 2 (e322a8a)") }
            }),
            ("path start 1.1", "for a backslash, record a validation error", ALWAYS, |s| {
                if s.is('\\') { s.note("invalid-reverse-solidus") } else { Continue }
            }),
            ("path start 1.2", "go to the path state, whose path begins with a slash", ALWAYS, |s| {
                s.state = "path";
                if !s.is_slash() {
                    s.rewrites(Part::Path);
                }
                Continue
            }),
            ("path start 1.3", "it begins with the same code point unless that is a slash or backslash", ALWAYS, |s| {
                if !s.is_slash() {
                    s.pointer -= 1;
                }
                Done
            }),
            (
                "path start 2 (e322a8a)",
                "otherwise go to the path state, with the same code point unless that is a slash",
                between(CB266A43, CB087FE2),
                |s| if s.is('/') { s.go("path") } else { s.go_back("path") },
            ),
            ("path start 2", "otherwise, at ?, go to the query state", since(CB087FE2), State::begin_query),
            ("path start 3", "otherwise, at #, go to the fragment state", since(CB087FE2), State::begin_fragment),
            ("path start 4", "otherwise, before the end:", since(CB087FE2), |s| {
                if s.c().is_some() { Continue } else { Done }
            }),
            ("path start 4.1", "go to the path state", since(CB087FE2), |s| {
                s.state = "path";
                Continue
            }),
            ("path start 4.2", "it begins with the same code point unless that is a slash", since(CB087FE2), |s| {
                if !s.is('/') {
                    s.pointer -= 1;
                }
                Done
            }),
        ],
    );

/// §4.1.
fn is_single_dot(segment: &str) -> bool {
    segment == "." || segment.eq_ignore_ascii_case("%2e")
}

/// §4.1.
fn is_double_dot(segment: &str) -> bool {
    segment == ".." || [".%2e", "%2e.", "%2e%2e"].iter().any(|dots| segment.eq_ignore_ascii_case(dots))
}

pub(super) const PATH: Algorithm = (
    "path",
    &[
        ("path 1", "a segment ends at the end, /, ?, # or \\ in a special URL", ALWAYS, |s| {
            if !s.ends_authority() {
                return SkipTo("path 2 (05cbe06)");
            }
            if s.is_backslash() {
                s.rewrites(Part::Path);
            }
            Continue
        }),
        ("path 1.1", "for a backslash, record a validation error", ALWAYS, |s| {
            if !s.is_backslash() {
                return Continue;
            }
            s.note("invalid-reverse-solidus")
        }),
        ("path 1.2", "if the buffer is a double-dot segment:", ALWAYS, |s| {
            if is_double_dot(&s.buffer) { Continue } else { SkipTo("path 1.3") }
        }),
        ("path 1.2.1", "shorten the path", ALWAYS, |s| {
            s.rewrites(Part::Path);
            Call("shorten")
        }),
        ("path 1.2.2", "unless a slash ends the segment, append an empty segment", ALWAYS, |s| {
            if !s.is_slash() {
                s.url.push_segment(String::new());
            }
            SkipTo("path 1.5")
        }),
        (
            "path 1.3",
            "otherwise, if it is a single-dot segment that no slash ends, append an empty segment",
            ALWAYS,
            |s| {
                if !is_single_dot(&s.buffer) || s.is_slash() {
                    return Continue;
                }
                s.url.push_segment(String::new());
                s.rewrites(Part::Path);
                SkipTo("path 1.5")
            },
        ),
        ("path 1.4", "a single-dot segment is not added, and any other one is added", ALWAYS, |s| {
            if !is_single_dot(&s.buffer) {
                return Continue;
            }
            s.rewrites(Part::Path);
            SkipTo("path 1.5")
        }),
        (
            "path 1.4.1.1 (83adf0c)",
            "a drive letter at the start of a file path removes the host",
            between(C09CD673, C47EFA00),
            |s| {
                if begins_with_drive_letter(s) {
                    s.url.host = Some(Host::Name(String::new()));
                    s.rewrites_host();
                }
                Continue
            },
        ),
        ("path 1.4.1", "a drive letter at the start of a file path is written with a colon", ALWAYS, |s| {
            if begins_with_drive_letter(s) {
                s.buffer.truncate(1);
                s.buffer.push(':');
                s.rewrites(Part::Path);
            }
            Continue
        }),
        ("path 1.4.2", "append the buffer to the path", ALWAYS, |s| {
            let segment = core::mem::take(&mut s.buffer);
            s.url.push_segment(segment);
            Continue
        }),
        ("path 1.5", "clear the buffer", ALWAYS, |s| {
            s.buffer.clear();
            Continue
        }),
        (
            "path 1.6 (83adf0c)",
            "at the end of the path of a file URL, remove empty segments from its start, but not the last one",
            between(C6103E0A, C47EFA00),
            |s| {
                if s.url.scheme == "file"
                    && !s.is_slash()
                    && let Path::List(segments) = &mut s.url.path
                {
                    let last = segments.len().saturating_sub(1);
                    let empty = segments.iter().take(last).take_while(|segment| segment.is_empty()).count();
                    segments.drain(..empty);
                    if empty > 0 {
                        s.rewrites(Part::Path);
                    }
                }
                Continue
            },
        ),
        ("path 1.6", "at ?, go to the query state", ALWAYS, State::begin_query),
        ("path 1.7", "at #, go to the fragment state", ALWAYS, |s| match s.begin_fragment() {
            Continue => Done,
            next => next,
        }),
        ("path 2 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("path 2", "otherwise:", ALWAYS, |_| Continue),
        (
            "path 2.1",
            "if the code point is neither a URL code point nor %, record a validation error",
            ALWAYS,
            State::note_url_units,
        ),
        ("path 2.2", "if two digits do not follow a %, record a validation error", ALWAYS, State::note_percent_sign),
        ("path 2.3 (e322a8a)", "append a dot for %2e, in any case", between(CBEE5AD8, CFBFF683), |s| {
            let is_dot = s.is('%') && s.at(1) == Some('2') && matches!(s.at(2), Some('e' | 'E'));
            if !is_dot {
                return Continue;
            }
            s.buffer.push('.');
            s.pointer += 2;
            Done
        }),
        ("path 2.3", "percent-encode it with the path percent-encode set, and buffer it", ALWAYS, |s| {
            if let Some(c) = s.c() {
                let before = s.buffer.len();
                percent::encode(c, percent::path, s.landed, &mut s.buffer);
                if s.buffer.len() > before + c.len_utf8() {
                    s.rewrites(Part::Path);
                }
            }
            Done
        }),
    ],
);

fn begins_with_drive_letter(s: &State) -> bool {
    s.url.scheme == "file" && s.url.segments().is_empty() && is_drive_letter(&s.buffer)
}

pub(super) const OPAQUE_PATH: Algorithm = (
    "opaque path",
    &[
        ("opaque path 1", "at ?, go to the query state", ALWAYS, State::begin_query),
        ("opaque path 2", "otherwise, at #, go to the fragment state", ALWAYS, State::begin_fragment),
        ("opaque path 3", "otherwise, at a space:", since(C6C78200), |s| {
            if s.is(' ') { Continue } else { SkipTo("opaque path 4") }
        }),
        ("opaque path 3.1", "record a validation error", since(C6C78200), |s| s.note("invalid-URL-unit")),
        ("opaque path 3.2", "if ? or # follows, append %20 to the path", since(C6C78200), |s| {
            if !matches!(s.at(1), Some('?' | '#')) {
                return Continue;
            }
            s.url.push_opaque(' ', |_, _| true, s.landed);
            s.rewrites(Part::Path);
            Done
        }),
        ("opaque path 3.3", "otherwise append the space to the path", since(C6C78200), |s| {
            s.url.push_opaque(' ', |_, _| false, s.landed);
            Done
        }),
        ("opaque path 3.3 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("opaque path 4", "otherwise, before the end:", ALWAYS, |s| if s.c().is_some() { Continue } else { Done }),
        (
            "opaque path 4.1",
            "if the code point is neither a URL code point nor %, record a validation error",
            ALWAYS,
            State::note_url_units,
        ),
        (
            "opaque path 4.2",
            "if two digits do not follow a %, record a validation error",
            ALWAYS,
            State::note_percent_sign,
        ),
        (
            "opaque path 4.3",
            "percent-encode it with the C0 control percent-encode set, and append it to the path",
            ALWAYS,
            |s| {
                if let Some(c) = s.c() {
                    s.url.push_opaque(c, percent::c0_control, s.landed);
                    if percent::c0_control(c, s.landed) {
                        s.rewrites(Part::Path);
                    }
                }
                Done
            },
        ),
    ],
);

pub(super) const QUERY: Algorithm = (
    "query",
    &[
        ("query 1", "the encoding is UTF-8", ALWAYS, |_| Continue),
        ("query 2", "the query ends at # or the end:", ALWAYS, |s| {
            if matches!(s.c(), None | Some('#')) { Continue } else { SkipTo("query 2 (05cbe06)") }
        }),
        (
            "query 2.1",
            "choose the special-query percent-encode set if the URL is special, otherwise the query percent-encode set",
            ALWAYS,
            |_| Continue,
        ),
        ("query 2.2", "percent-encode the buffer, and append it to the query", ALWAYS, |s| {
            let set = if s.is_special() { percent::special_query } else { percent::query };
            let query = s.url.query.get_or_insert_default();
            for c in s.buffer.chars() {
                percent::encode(c, set, s.landed, query);
            }
            s.rewrites(Part::Query);
            Continue
        }),
        ("query 2.3", "clear the buffer", ALWAYS, |s| {
            s.buffer.clear();
            Continue
        }),
        ("query 2.4", "at #, go to the fragment state", ALWAYS, |s| match s.begin_fragment() {
            Continue => Done,
            next => next,
        }),
        ("query 2 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("query 3", "otherwise:", ALWAYS, |_| Continue),
        (
            "query 3.1",
            "if the code point is neither a URL code point nor %, record a validation error",
            ALWAYS,
            State::note_url_units,
        ),
        ("query 3.2", "if two digits do not follow a %, record a validation error", ALWAYS, State::note_percent_sign),
        ("query 3.3", "buffer it", ALWAYS, State::push),
    ],
);

pub(super) const FRAGMENT: Algorithm = (
    "fragment",
    &[
        ("fragment 1", "everything up to the end is the fragment:", ALWAYS, |s| {
            if s.c().is_some() { Continue } else { Done }
        }),
        ("fragment b (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
            if s.is_tab_or_newline() { Done } else { Continue }
        }),
        ("fragment b (6ef17eb)", "ignore NUL", until(C3D57401), |s| if s.is('\0') { Done } else { Continue }),
        (
            "fragment 1.1",
            "if the code point is neither a URL code point nor %, record a validation error",
            ALWAYS,
            State::note_url_units,
        ),
        (
            "fragment 1.2",
            "if two digits do not follow a %, record a validation error",
            ALWAYS,
            State::note_percent_sign,
        ),
        ("fragment c.3 (e322a8a)", "append it to the fragment as it is", until(C373DBED), |s| {
            append_to_fragment(s, |_, _| false)
        }),
        (
            "fragment 1.3",
            "percent-encode it with the fragment percent-encode set, and append it to the fragment",
            since(C373DBED),
            |s| append_to_fragment(s, percent::fragment),
        ),
    ],
);

fn append_to_fragment(s: &mut State, set: percent::EncodeSet) -> Next {
    if let Some(c) = s.c() {
        percent::encode(c, set, s.landed, s.url.fragment.get_or_insert_default());
        if set(c, s.landed) {
            s.rewrites(Part::Fragment);
        }
    }
    Done
}
