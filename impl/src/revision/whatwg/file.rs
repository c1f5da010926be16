//! §4.4 basic URL parser: the states of file URLs.

use alloc::string::String;

use super::authority::parse_host;
use super::changes::*;
use super::machine::{Algorithm, Host, Path, State, is_drive_letter, is_normalized_drive_letter};
use crate::slots::Part;
use crate::step::Next::{Call, Continue, Done, SkipTo};

pub(super) const FILE: Algorithm = (
    "file",
    &[
        ("file 1", "the scheme is file", since(C09CD673), |s| {
            s.url.scheme = String::from("file");
            Continue
        }),
        ("file 2", "the host is empty", since(CA19495E), |s| {
            s.url.host = Some(Host::Name(String::new()));
            Continue
        }),
        ("file 3", "at a slash or backslash:", since(C09CD673), |s| {
            if matches!(s.c(), Some('/' | '\\')) { Continue } else { SkipTo("file 4") }
        }),
        ("file 3.1", "for a backslash, record a validation error", since(C09CD673), |s| {
            if s.is('\\') { s.note("invalid-reverse-solidus") } else { Continue }
        }),
        ("file 3.2", "go to the file slash state", since(C09CD673), |s| s.go("file slash")),
        ("file 4", "otherwise, if the base is a file URL:", since(C09CD673), |s| {
            if base_is_file(s) { Continue } else { SkipTo("file d (e322a8a)") }
        }),
        ("file 4.1", "inherit the host, path and query of the base", since(C09CD673), |s| {
            if let Some(base) = &s.base {
                s.url.host.clone_from(&base.host);
                s.url.path = base.path.clone();
                s.url.query.clone_from(&base.query);
            }
            s.takes(Part::Scheme);
            s.takes(Part::Authority);
            Continue
        }),
        ("file 4.2", "at ?, clear the query, and go to the query state", since(C09CD673), |s| {
            s.takes_at(Some('?'), &[Part::Path]);
            s.begin_query()
        }),
        ("file 4.3", "otherwise, at #, go to the fragment state", since(C09CD673), |s| {
            s.takes_at(Some('#'), &[Part::Path, Part::Query]);
            s.begin_fragment()
        }),
        ("file 4.4", "otherwise, before the end:", since(C09CD673), |s| {
            s.takes_at(None, &[Part::Path, Part::Query]);
            if s.c().is_some() { Continue } else { Done }
        }),
        ("file 4.4.1", "remove the query", since(C09CD673), |s| {
            s.url.query = None;
            Continue
        }),
        ("file 4.4.2", "if no drive letter starts here, shorten the path", since(C09CD673), |s| {
            if s.starts_with_drive_letter() { SkipTo("file 4.4.3") } else { Call("shorten") }
        }),
        ("file 4.4.3", "otherwise:", since(C09CD673), |s| {
            if s.starts_with_drive_letter() { Continue } else { SkipTo("file 4.4.4") }
        }),
        ("file 4.4.3.1", "record a validation error", since(C09CD673), |s| s.note("file-invalid-Windows-drive-letter")),
        ("file 3.4.3.2 (83adf0c)", "do not inherit the host of the base", between(C09CD673, C47EFA00), |s| {
            // Since a19495e, the host of a file URL is never null.
            s.url.host = s.has(CA19495E).then(|| Host::Name(String::new()));
            Continue
        }),
        ("file 4.4.3.2", "clear the path", since(C09CD673), |s| {
            s.url.path = Path::List(alloc::vec![]);
            s.takes_nothing_else();
            Continue
        }),
        ("file 4.4.4", "go to the path state with the same code point", since(C09CD673), |s| {
            if !s.starts_with_drive_letter() {
                s.takes_folder(["file 4.4.1", "file 4.4.2", "file 4.4.4"]);
            }
            s.go_back("path")
        }),
        (
            "file d (e322a8a)",
            "without a base that is a file URL, ignore the end, ? and #",
            between(C09CD673, C698F3E8),
            |s| {
                if matches!(s.c(), None | Some('?' | '#')) { Done } else { Continue }
            },
        ),
        ("file 5", "otherwise go to the path state with the same code point", since(C09CD673), |s| {
            s.rewrites(Part::Path);
            s.go_back("path")
        }),
    ],
);

fn base_is_file(s: &State) -> bool {
    s.base.as_ref().is_some_and(|base| base.scheme == "file")
}

pub(super) const FILE_SLASH: Algorithm = (
    "file slash",
    &[
        ("file slash 1", "at a second slash or backslash:", since(C09CD673), |s| {
            if matches!(s.c(), Some('/' | '\\')) { Continue } else { SkipTo("file slash 2") }
        }),
        ("file slash 1.1", "for a backslash, record a validation error", since(C09CD673), |s| {
            if s.is('\\') { s.note("invalid-reverse-solidus") } else { Continue }
        }),
        ("file slash 1.2", "go to the file host state", since(C09CD673), |s| s.go("file host")),
        ("file slash 2", "otherwise:", since(C09CD673), |_| Continue),
        ("file slash 2.1", "if the base is a file URL:", since(C09CD673), |s| {
            if base_is_file(s) { Continue } else { SkipTo("file slash 2.2") }
        }),
        ("file slash 2.1.1", "inherit the host of the base", since(C47EFA00), |s| {
            if let Some(base) = &s.base {
                s.url.host.clone_from(&base.host);
            }
            s.takes(Part::Scheme);
            s.takes(Part::Authority);
            Continue
        }),
        (
            "file slash 2.1.2 (83adf0c)",
            "inherit the host of the base if neither its path nor the rest of the input begins with a drive letter",
            between(C6103E0A, C47EFA00),
            |s| {
                if drive_letter_of_base(s).is_none()
                    && !(s.has(C2EEF975) && s.starts_with_drive_letter())
                    && let Some(base) = &s.base
                {
                    s.url.host.clone_from(&base.host);
                }
                Continue
            },
        ),
        (
            "file slash 2.1.2",
            "if the path of the base begins with a drive letter and the rest of the input does not, inherit it",
            since(C09CD673),
            |s| {
                if s.has(C2EEF975) && s.starts_with_drive_letter() {
                    return Continue;
                }
                if let Some(letter) = drive_letter_of_base(s) {
                    s.url.push_segment(letter);
                }
                Continue
            },
        ),
        ("file slash 2.2", "go to the path state with the same code point", since(C09CD673), |s| s.go_back("path")),
    ],
);

/// Returns the first segment of the base's path if it is a normalized Windows drive letter.
fn drive_letter_of_base(s: &State) -> Option<String> {
    s.base.as_ref()?.path.first().filter(|first| is_normalized_drive_letter(first)).cloned()
}

pub(super) const FILE_HOST: Algorithm =
    (
        "file host",
        &[
            ("file host 1", "the host ends at the end, /, \\, ? or #, which is looked at again", ALWAYS, |s| {
                if !matches!(s.c(), None | Some('/' | '\\' | '?' | '#')) {
                    return SkipTo("file host 2 (05cbe06)");
                }
                s.pointer -= 1;
                Continue
            }),
            (
                "file host 1.1",
                "if the buffer is a drive letter, record a validation error, and go to the path state with the buffer",
                ALWAYS,
                |s| {
                    if !is_drive_letter(&s.buffer) {
                        return Continue;
                    }
                    s.note("file-invalid-Windows-drive-letter-host");
                    s.go("path")
                },
            ),
            ("file host 1.2", "otherwise, if the buffer is empty:", ALWAYS, |s| {
                if s.buffer.is_empty() { Continue } else { SkipTo("file host 1.3") }
            }),
            ("file host 1.2.1", "the host is empty", since(C09CD673), |s| {
                s.url.host = Some(Host::Name(String::new()));
                Continue
            }),
            ("file host 1.2.3", "go to the path start state", ALWAYS, |s| s.go("path start")),
            ("file host 1.3", "otherwise:", ALWAYS, |_| Continue),
            ("file host 1.3.1", "parse the buffer as a host", ALWAYS, parse_host),
            ("file host 1.3.2", "if that fails, return failure", ALWAYS, |s| {
                if s.host.is_none() { Done } else { Continue }
            }),
            ("file host 1.3.3", "the host localhost becomes the empty host", since(CBB36BD9), |s| {
                if matches!(&s.host, Some(Host::Name(name)) if name == "localhost") {
                    s.host = Some(Host::Name(String::new()));
                }
                Continue
            }),
            ("file host 1.3.4", "it is the host of the URL", ALWAYS, |s| {
                s.url.host = s.host.take();
                s.writes_host();
                Continue
            }),
            ("file host 1.3.6", "clear the buffer, and go to the path start state", ALWAYS, |s| {
                s.buffer.clear();
                s.go("path start")
            }),
            ("file host 2 (05cbe06)", "ignore a tab or newline", until(C7B40216), |s| {
                if s.is_tab_or_newline() { Done } else { Continue }
            }),
            ("file host 2", "buffer any other code point", ALWAYS, State::push),
        ],
    );
