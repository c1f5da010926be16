//! FFmpeg's libavformat: `ff_make_absolute_url(result, size, base, reference)`, and what `av_url_split` finds.
//!
//! Read from `libavformat/url.c` and `libavformat/utils.c` of FFmpeg. Texts are neither checked, nor decoded, nor encoded, except that the bracket of
//! a host must be closed. An unknown base is an empty text.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986;

/// FFmpeg.
pub static TABLE: Table = Table {
    engine: "ffmpeg",
    first: "7.1.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `ff_url_decompose`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("ff_url_decompose: scheme", "the text before a colon that no /, ? or # precedes is the scheme, also an empty one", rfc3986::cut_any_scheme),
    Step::new("ff_url_decompose: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("ff_url_decompose: host", "reject a host that begins with an opening bracket, unless a closing one ends it or a colon follows that", |s| {
        let slot = s.own(Part::Authority);
        let host = s.get(slot).split_once('@').map_or(s.get(slot), |(_, host)| host);
        let after = host.strip_prefix('[').map(|it| it.split_once(']').map(|(_, after)| after));
        match after.is_none_or(|it| it.is_some_and(|it| it.is_empty() || it.starts_with(':'))) {
            true => Go,
            false => s.reject(slot, "the host has no closing bracket, or something else than a colon follows it"),
        }
    }),
    Step::new("ff_url_decompose: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// `ff_make_absolute_url2`, without paths of DOS.
static RESOLVE: &[Step] = &[
    Step::new("ff_url_decompose(&ub, base)", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("ff_url_decompose(&uc, rel)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("KEEP(scheme)", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| rfc3986::own_scheme(s, NO_PATH)),
    Step::new("KEEP(authority_full)", "a reference with an authority inherits nothing else, any other one the authority", |s| rfc3986::own_authority(s, NO_PATH)),
    Step::new("KEEP(path), KEEP(query), KEEP(fragment)", "without a path, inherit the base's, its query if there is none, and then its fragment if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
            if s.present(Slot::Ref(Part::Fragment)).is_none() {
                s.inherit(Part::Fragment);
            }
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(COPY)
    }),
    Step::new("uc.path[0] == '/'", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, SIMPLIFY)),
    Step::new("base_path_end", "write the path after the base's up to its last slash", |s| {
        let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(NO_PATH, "a path that is empty stays so", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        if s.get(Slot::Merged).is_empty() { To(COPY) } else { Go }
    }),
    Step::new(SIMPLIFY, "without an authority, the path stays as it is", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        if s.present(Slot::Out(Part::Authority)).is_some() { Go } else { To(COPY) }
    }),
    Step::new(
        "append_path",
        "write a slash before a path without one, and remove each . segment, and each .. with the segment before it, unless that is \
         the first one and empty",
        |s| {
            let path = simplified(s.get(Slot::Merged));
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new(COPY, "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("ff_make_absolute_url2", "concatenate the components", |s| s.concatenate()),
];

const NO_PATH: &str = "ff_make_absolute_url2: !URL_COMPONENT_HAVE(uc, path)";
const SIMPLIFY: &str = "ff_make_absolute_url2: simplify_path";
const COPY: &str = "COPY(uc.path)";

/// `append_path`, after a slash.
fn simplified(path: &str) -> String {
    let mut out = String::new();
    for segment in path.strip_prefix('/').unwrap_or(path).split_inclusive('/') {
        match segment.trim_end_matches('/') {
            "." => {}
            ".." if out.len() > 1 => {
                let before = out.trim_end_matches(|it| it != '/');
                let before = before.strip_suffix('/').unwrap_or(before);
                out.truncate(before.rfind('/').map_or(0, |at| at + 1));
            }
            ".." => {}
            _ => out.push_str(segment),
        }
    }
    format!("/{out}")
}

/// `av_url_split`: what is absent is empty.
static STATE: &[Step] = &[
    Step::new("av_url_split: proto", "the text before the first colon is the scheme; without one, all is the path", |s| {
        s.set(Slot::Ref(Part::Text), s.reference);
        let (scheme, rest) = cut(s.reference, ":");
        s.set(Slot::Ref(Part::Scheme), rest.map_or("", |_| scheme));
        s.rest = rest.unwrap_or_default().to_owned();
        if rest.is_none() {
            s.set(Slot::Ref(Part::Path), scheme);
            s.set(Slot::Ref(Part::Authority), "");
        }
        Go
    }),
    Step::new("av_url_split: ls", "up to two slashes are dropped; the part up to the next /, ? or # is the authority, and the rest is the path", |s| {
        if s.present(Slot::Ref(Part::Path)).is_none() {
            let rest = std::mem::take(&mut s.rest);
            let rest = rest.strip_prefix('/').unwrap_or(&rest);
            let (authority, path) = until(rest.strip_prefix('/').unwrap_or(rest), &['/', '?', '#']);
            s.set(Slot::Ref(Part::Authority), authority);
            s.set(Slot::Ref(Part::Path), path);
        }
        for part in [Part::Scheme, Part::Path] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("av_url_split: authorization", "the text before the last @ is the user information", |s| {
        let (user, rest) = s.get(Slot::Ref(Part::Authority)).rsplit_once('@').unwrap_or(("", s.get(Slot::Ref(Part::Authority))));
        let (user, rest) = (user.to_owned(), rest.to_owned());
        s.set(Slot::Out(Part::Userinfo), user);
        s.rest = rest;
        Go
    }),
    Step::new("av_url_split: hostname", "a host in brackets ends before the first closing one, any other one before the first colon", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (host, port) = match rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
            Some((host, after)) => (host, after.strip_prefix(':')),
            None => cut(&rest, ":"),
        };
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Ref(Part::Port), port);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("av_url_split: port_ptr", "the port is a number of 32 bits; -1 is none", |s| {
        let port = s.present(Slot::Ref(Part::Port)).map(number).filter(|port| *port != -1);
        s.set(Slot::Out(Part::Port), port.map(|port| port.to_string()));
        Done
    }),
];

/// `atoi`: the number at the beginning, after white space and with a sign; the lower 32 bits of one of 64.
fn number(text: &str) -> i32 {
    let text = text.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == '\u{b}');
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
    let value = digits.bytes().fold(0_i64, |value, it| value.saturating_mul(10).saturating_add(i64::from(it - b'0')));
    let value = if is_negative && value == i64::MAX { i64::MIN } else if is_negative { -value } else { value };
    value as i32
}
