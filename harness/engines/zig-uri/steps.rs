//! Zig's `std.Uri`: `(try parse(base)).resolve_inplace(reference, &buffer)`, and the fields of `parse(text)`.
//!
//! Read from `std/Uri.zig` of Zig 0.14.1. Texts are neither checked, nor decoded, nor encoded. If the base is unknown, the reference is read by
//! `parse`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::without_dots;
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// Zig's `std.Uri`.
pub static TABLE: Table = Table {
    engine: "zig-uri",
    first: "0.14.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse`, and for a reference that it rejects, `parseAfterScheme`.
static PARSE: &[Step] = &[
    Step::new("parse: isSchemeChar", "letters, digits, +, - and . before a colon are the scheme, also none", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let end = given.find(|it: char| !(it.is_ascii_alphanumeric() || "+-.".contains(it))).unwrap_or(given.len());
        let rest = given[end..].strip_prefix(':').map(str::to_owned);
        s.set(s.own(Part::Scheme), rest.as_ref().map(|_| &given[..end]));
        s.rest = rest.unwrap_or_else(|| given.to_owned());
        Go
    }),
    Step::new("resolve_inplace: parse(new_mut) catch", "a reference whose authority is rejected is read again without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        let is_reference = s.side == Side::Reference && !s.base.is_empty();
        if is_reference && s.present(slot).is_some() && Authority::of(&s.rest).is_err() {
            s.set(slot, None::<&str>);
            s.rest = s.get(s.own(Part::Text)).to_owned();
        }
        Go
    }),
    Step::new("parse: UnexpectedCharacter", "reject a URL without a scheme", |s| {
        let slot = s.own(Part::Scheme);
        match s.present(slot).is_none() && (s.side == Side::Base || s.base.is_empty()) {
            true => s.reject(slot, "the URL has no scheme"),
            false => Go,
        }
    }),
    Step::new("parseAfterScheme: isAuthoritySeparator", "after two slashes, the part up to the next /, ? or # is the authority", |s| {
        let rejected = Authority::of(&s.rest).err();
        let next = rfc3986::cut_authority(s);
        match rejected {
            Some(why) => s.reject(s.own(Part::Authority), why),
            None => next,
        }
    }),
    Step::new(
        "parseAfterScheme: uri.host",
        "the last colon after the host begins the port, a number below 65536; between a closing bracket and that colon, text is dropped",
        |s| {
            let slot = s.own(Part::Authority);
            let Some(authority) = s.present(slot).map(str::to_owned) else { return Go };
            // It was read without an error.
            let written = Authority::of(&format!("//{authority}/")).ok().flatten().map(|it| it.written());
            if written.as_ref() != Some(&authority) {
                s.set(slot, written);
            }
            Go
        },
    ),
    Step::new("parseAfterScheme: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// The parts of an authority with a host.
struct Authority<'a> {
    user: Option<&'a str>,
    password: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Authority<'a> {
    /// `parseAfterScheme`, of the text after the scheme. There is none without a host.
    fn of(text: &'a str) -> Result<Option<Self>, &'static str> {
        let Some(rest) = text.strip_prefix("//") else { return Ok(None) };
        let (authority, rest) = urlstrata_steps::text::until(rest, &['/', '?', '#']);
        if authority.is_empty() {
            return if rest.starts_with('/') { Ok(None) } else { Err("it is empty, and no slash follows it") };
        }
        let (info, server) = authority.split_once('@').map_or((None, authority), |(info, server)| (Some(info), server));
        let (user, password) = info.map_or((None, None), |it| it.split_once(':').map_or((Some(it), None), |(a, b)| (Some(a), Some(b))));
        let password = password.filter(|it| !it.is_empty());
        if server.is_empty() {
            return Ok(None);
        }
        let end = match server.as_bytes()[0] {
            b']' => return Err("the host begins with a closing bracket"),
            b'[' => server.rfind(']').map(|at| at + 1).ok_or("the host has no closing bracket")?,
            _ => server.rfind(':').unwrap_or(server.len()),
        };
        let port = server.rfind(':').filter(|at| *at >= end).map(|at| port(&server[at + 1..]).ok_or("the port is not a number below 65536"));
        let port = port.transpose()?;
        match end {
            0 => Err("the host is empty"),
            _ => Ok(Some(Self { user, password, host: &server[..end], port })),
        }
    }

    fn written(&self) -> String {
        let password = self.password.map(|it| format!(":{it}")).unwrap_or_default();
        let user = self.user.map(|it| format!("{it}{password}@")).unwrap_or_default();
        format!("{user}{}{}", self.host, self.port.map(|port| format!(":{port}")).unwrap_or_default())
    }
}

/// `std.fmt.parseInt`: a sign may precede the digits, and underscores may be between them.
fn port(text: &str) -> Option<u16> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.starts_with('_') || digits.ends_with('_') || digits.contains(['+', '-']) {
        return None;
    }
    digits.replace('_', "").parse().ok().filter(|port| *port == 0 || !is_negative)
}

/// `resolve_inplace` and `writeToStream`.
static RESOLVE: &[Step] = &[
    Step::new("parse: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("resolve_inplace: new_parsed", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("parse: the reference", "without a base, the target is the reference", |s| match s.base.is_empty() {
        true => {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            take(s);
            s.flow(Slot::NoDots, Slot::Merged);
            To(WRITE)
        }
        false => Go,
    }),
    Step::new("resolve_inplace: new_parsed.scheme.len > 0", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.get(Slot::Ref(Part::Scheme)).is_empty() {
            s.inherit(Part::Scheme);
            return Go;
        }
        take(s);
        To(DOTS)
    }),
    Step::new("resolve_inplace: new_parsed.host", "a reference with an authority inherits nothing else, any other one the authority", |s| rfc3986::own_authority(s, DOTS)),
    Step::new("resolve_inplace: new_path.len == 0", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(WRITE)
    }),
    Step::new("resolve_inplace: new_path[0] == '/'", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS)),
    Step::new(
        "merge_paths",
        "write the path after the base's up to its last slash, or after a slash if the base's is empty; without a slash in the base's it is not merged",
        |s| {
            let base = s.get(Slot::Base(Part::Path));
            let folder = if base.is_empty() { "/" } else { urlstrata_steps::text::folder(base) };
            let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(DOTS, "remove each . segment, and each .. with the segment before it", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(WRITE, "write a slash for an empty path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    }),
    Step::new("writeToStream", "concatenate the components", |s| s.concatenate()),
];

const DOTS: &str = "remove_dot_segments";
const WRITE: &str = "writeToStream: uri.path.isEmpty()";

/// Takes everything from the reference.
fn take(s: &mut State<'_>) -> Next {
    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.set(Slot::Used, "nothing");
    Go
}

/// `parse`, and what it finds.
static STATE: &[Step] = &[
    Step::new("parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("Uri: scheme, path, query, fragment", "state these as they were read", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("Uri: user, password, host, port", "state the parts of the authority; user information is also stated without a host", |s| {
        let (_, rest) = s.reference.split_once(':').unwrap_or_default();
        let read = Authority::of(rest).ok().flatten();
        let info = rest.strip_prefix("//").map(|it| urlstrata_steps::text::until(it, &['/', '?', '#']).0).and_then(|it| it.strip_suffix('@'));
        let info = info.filter(|_| read.is_none()).filter(|it| !it.contains('@')).map(|it| it.split_once(':').unwrap_or((it, "")));
        let user = read.as_ref().map_or(info.map(|(user, _)| user), |it| it.user);
        let password = read.as_ref().map_or(info.map(|(_, it)| it).filter(|it| !it.is_empty()), |it| it.password);
        for (part, text) in [(Part::User, user), (Part::Password, password), (Part::Host, read.as_ref().map(|it| it.host))] {
            s.set(Slot::Out(part), text);
        }
        s.set(Slot::Out(Part::Port), read.and_then(|it| it.port).map(|port| port.to_string()));
        Done
    }),
];
