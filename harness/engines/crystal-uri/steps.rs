//! Crystal's URI: `URI.parse(base).resolve(reference).to_s`, and what `URI.parse(url)` finds, of 1.14.0.
//!
//! Read from `src/uri/uri_parser.cr`, `src/uri.cr` and `src/uri/encoding.cr` of Crystal 1.14.0. If the base is unknown, the reference is written as
//! it was parsed.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::without_dots;
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// Crystal's URI.
pub static TABLE: Table = Table {
    engine: "crystal-uri",
    first: "1.14.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `URI::Parser`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("Parser: input.strip", "remove white space at both ends", |s| {
        s.rest = s.given().trim_matches(|it: char| it.is_whitespace() && it != '\u{85}').to_owned();
        s.write_text();
        Go
    }),
    Step::new("Parser: '\\0'", "the text ends before its first NUL", |s| {
        s.rest = s.rest.split('\0').next().unwrap_or_default().to_owned();
        s.write_text();
        Go
    }),
    Step::new("parse_scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let found = urlstrata_steps::text::scheme(&s.rest).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        s.set(s.own(Part::Scheme), found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        Go
    }),
    Step::new("parse_scheme: downcase", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("parse_authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parse_path, parse_query, parse_fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parse_port", "reject a port that is not a number below 2147483648", |s| {
        let slot = s.own(Part::Authority);
        let port = Authority::of(s.get(slot)).port;
        match port.bytes().all(|it| it.is_ascii_digit()) && (port.is_empty() || port.parse::<i32>().is_ok()) {
            true => Go,
            false => s.reject(slot, "the port is not a number below 2147483648"),
        }
    }),
];

/// The parts of an authority, as they are written there.
struct Authority<'a> {
    user: Option<&'a str>,
    password: Option<&'a str>,
    host: &'a str,
    port: &'a str,
}

impl<'a> Authority<'a> {
    /// `parse_userinfo` and `parse_host`: the last colon of the user information ends the user name, and one before it begins it. A colon after the
    /// host is not in brackets.
    fn of(text: &'a str) -> Self {
        let (info, rest) = text.split_once('@').map_or((None, text), |(info, rest)| (Some(info), rest));
        let (user, password) = info.map_or((None, None), |info| match info.rsplit_once(':') {
            Some((user, password)) => (user.rsplit(':').next(), Some(password)),
            None => (Some(info), None),
        });
        let mut is_in_brackets = false;
        let colon = rest.char_indices().find(|(_, it)| {
            is_in_brackets = if is_in_brackets { *it != ']' } else { *it == '[' };
            *it == ':' && !is_in_brackets
        });
        let (host, port) = colon.map_or((rest, ""), |(at, _)| (&rest[..at], &rest[at + 1..]));
        Self { user, password, host, port }
    }

    /// Writes the parts as `URI#authority` does.
    fn written(&self) -> String {
        let password = self.password.map(|it| format!(":{it}")).unwrap_or_default();
        let user = self.user.map(|it| format!("{it}{password}@")).unwrap_or_default();
        let port = if self.port.is_empty() { String::new() } else { format!(":{}", self.port) };
        format!("{user}{}{port}", self.host)
    }
}

/// `URI#resolve`.
static RESOLVE: &[Step] = &[
    Step::new("URI.parse: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("URI.parse: the reference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: absolute?", "a reference with a scheme inherits nothing, nor does any other one without a base", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.base.is_empty() || s.present(Slot::Ref(Part::Scheme)).is_some() {
            true => take_reference(s),
            false => Go,
        }
    }),
    Step::new("resolve: opaque?", "a base with a scheme, no authority and a path without a slash at its beginning leaves the reference as it is", |s| {
        let base = |part| s.present(Slot::Base(part));
        let is_opaque = base(Part::Scheme).is_some() && base(Part::Authority).is_none() && !s.get(Slot::Base(Part::Path)).starts_with('/');
        if is_opaque {
            return take_reference(s);
        }
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("resolve: target.host", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            s.inherit(Part::Authority);
            return Go;
        }
        s.keep(Slot::Used);
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To(WRITE)
    }),
    Step::new("resolve: target.path.empty?", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("remove_dot_segments")
    }),
    Step::new("resolve_path: starts_with?('/')", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "remove_dot_segments")),
    Step::new(
        "resolve_path",
        "write the path after the base's up to its last slash, or after all of it if it has none; an empty path of a base with a scheme is a slash",
        |s| {
            let base = s.get(Slot::Base(Part::Path));
            let folder = match base.rfind('/') {
                None if base.is_empty() && s.present(Slot::Base(Part::Scheme)).is_some() => "/",
                None => base,
                Some(at) => &base[..=at],
            };
            let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new("remove_dot_segments", "remove each . segment, and each .. with the segment before it, also from an inherited path", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("remove_dot_segments: unshift", "write ./ before a path whose first segment contains a colon", |s| {
        let path = s.get(Slot::NoDots);
        if path.split('/').next().is_some_and(|it| it.contains(':')) {
            let path = format!("./{path}");
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new(WRITE, "take this path", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("parse_userinfo", "only the last colon of the user information and the part before it count", |s| {
        let slot = Slot::Out(Part::Authority);
        let Some(authority) = s.present(slot).map(str::to_owned) else { return Go };
        if let Some((_, rest)) = authority.split_once('@') {
            let written = Authority { host: rest, port: "", ..Authority::of(&authority) }.written();
            s.set(slot, written);
        }
        Go
    }),
    Step::new("parse_port: start == @ptr", "an empty port is none", |s| rewrite(s, |it| it.written())),
    Step::new("userinfo: encode_www_form", "decode the user information, and encode what is not unreserved, a space as +", |s| {
        rewrite(s, |it| {
            let [user, password] = [it.user, it.password].map(|it| it.map(form));
            Authority { user: user.as_deref(), password: password.as_deref(), ..it }.written()
        })
    }),
    Step::new("authority: port", "write the port as a number", |s| {
        rewrite(s, |it| Authority { port: &number(it.port), ..it }.written())
    }),
    Step::new("authority: URI.encode", "decode the host, and encode what is not unreserved, a delimiter of a name, a colon or a square bracket", |s| {
        rewrite(s, |it| {
            let host = encoded(&rfc3986::decoded(it.host), |it| b"-._~!$&'()*+,;=:[]".contains(&it));
            Authority { host: &host, ..it }.written()
        })
    }),
    Step::new("to_s: has_authority", "after an authority, write a slash before a path that begins with another character", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("to_s: /.", "without an authority, write /. before a path that begins with two slashes", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_none() && path.starts_with("//") {
            let path = format!("/.{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("to_s", "concatenate the components", |s| s.concatenate()),
];

const WRITE: &str = "resolve: return target";

/// Takes everything from the reference.
fn take_reference(s: &mut State<'_>) -> Next {
    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.set(Slot::Used, "nothing");
    To(WRITE)
}

/// Rewrites the target's authority.
fn rewrite(s: &mut State<'_>, written: impl FnOnce(Authority<'_>) -> String) -> Next {
    let slot = Slot::Out(Part::Authority);
    let Some(authority) = s.present(slot).map(str::to_owned) else { return Go };
    let rewritten = written(Authority::of(&authority));
    if rewritten != authority {
        s.set(slot, rewritten);
    }
    Go
}

/// Encodes each byte that is neither a letter nor a digit, and that `keeps` does not accept.
fn encoded(bytes: &[u8], keeps: impl Fn(u8) -> bool) -> String {
    let write = |it: &u8| match it.is_ascii_alphanumeric() || keeps(*it) {
        true => char::from(*it).to_string(),
        false => format!("%{it:02X}"),
    };
    bytes.iter().map(write).collect()
}

/// Decodes and encodes a text as a form does: `decode_www_form` and `encode_www_form`.
fn form(text: &str) -> String {
    encoded(&form_decoded(text), |it| b"-._~ ".contains(&it)).replace(' ', "+")
}

fn form_decoded(text: &str) -> Vec<u8> {
    rfc3986::decoded(&text.replace('+', " "))
}

fn number(digits: &str) -> String {
    let rest = digits.trim_start_matches('0');
    if rest.is_empty() && !digits.is_empty() { "0".to_owned() } else { rest.to_owned() }
}

/// `URI.parse`, and what it finds.
static STATE: &[Step] = &[
    Step::new("URI.parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("URI: scheme, path, query, fragment", "state these as they were read", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URI: user, password, host, port", "state the parts of the authority decoded, a + in user information as a space", |s| {
        let text = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let it = text.as_deref().map(Authority::of);
        let [user, password] = [it.as_ref().and_then(|it| it.user), it.as_ref().and_then(|it| it.password)].map(|it| it.map(form_decoded));
        let host = it.as_ref().map(|it| rfc3986::decoded(it.host));
        for (part, bytes) in [(Part::User, user), (Part::Password, password), (Part::Host, host)] {
            let text = bytes.map(|bytes| s.text(bytes));
            s.set(Slot::Out(part), text);
        }
        s.set(Slot::Out(Part::Port), it.map(|it| number(it.port)).filter(|it| !it.is_empty()));
        Go
    }),
    Step::new("URI#authority", "state the authority as it is written", |s| {
        let text = s.present(Slot::Ref(Part::Authority)).map(|text| {
            let it = Authority::of(text);
            let host = encoded(&rfc3986::decoded(it.host), |it| b"-._~!$&'()*+,;=:[]".contains(&it));
            let [user, password] = [it.user, it.password].map(|it| it.map(form));
            Authority { user: user.as_deref(), password: password.as_deref(), host: &host, port: &number(it.port) }.written()
        });
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.set(Slot::Out(Part::Authority), text);
        Done
    }),
];
