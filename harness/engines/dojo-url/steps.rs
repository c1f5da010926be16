//! Dojo: `new dojo._Url(base, reference).toString()`, and the properties of `new dojo._Url(url)`.
//!
//! Read from `_base/url.js` of Dojo 1.17.3. Components are neither decoded nor encoded. An empty component of the reference is as an absent one.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// Dojo.
pub static TABLE: Table = Table {
    engine: "dojo-url",
    first: "1.17.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[MATCH],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The regular expressions of the constructor, for the base and the reference.
static MATCH: &[Step] = &[
    Step::new("_Url", "take the text as it is", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        Go
    }),
    Step::new(
        "ore: scheme",
        "the text before a first colon is the scheme, unless it is empty or has /, ? or #",
        rfc3986::cut_scheme_of_appendix_b,
    ),
    Step::new("ore: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("ore", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("ore: fragment", "reject a fragment with an end of line", |s| {
        let slot = s.own(Part::Fragment);
        match s.get(slot).contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
            true => s.reject(slot, "it contains an end of line"),
            false => Go,
        }
    }),
    Step::new(
        "ire",
        "reject an authority that is not a host and the digits of a port after a user and a password; a host outside brackets has no colon and no [",
        |s| {
            let slot = s.own(Part::Authority);
            let authority = s.present(slot);
            if authority.is_some_and(|authority| Divided::of(authority).is_none()) {
                return s.reject(slot, "it cannot be divided");
            }
            let divided = authority.and_then(Divided::of).map(|it| {
                let own = |text: Option<&str>| text.map(str::to_owned);
                (own(it.user), own(it.password), it.host.to_owned(), own(it.port))
            });
            let (user, password, host, port) =
                divided.map_or((None, None, None, None), |(user, password, host, port)| (user, password, Some(host), port));
            for (part, value) in [(Part::User, user), (Part::Password, password), (Part::Host, host), (Part::Port, port)] {
                s.set(s.own(part), value);
            }
            Go
        },
    ),
];

/// An authority as `ire` divides it.
struct Divided<'a> {
    user: Option<&'a str>,
    password: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> Divided<'a> {
    /// A text before @ is the password, unless a colon is in it or in what follows it up to another @.
    fn of(authority: &'a str) -> Option<Self> {
        let server = |text: &'a str| {
            let (host, rest) = match text.strip_prefix('[').map(|rest| rest.split_once(']')) {
                Some(found) => found.filter(|(host, _)| !host.is_empty())?,
                None => until(text, &['[', ':']),
            };
            let port = rest.strip_prefix(':').filter(|port| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
            (rest.is_empty() || port.is_some()).then_some((host, port))
        };
        let user = authority.split_once(':').filter(|(user, _)| !user.is_empty() && !user.contains('['));
        let with_user = user.and_then(|(user, rest)| Some((Some(user), rest.split_once('@')?)));
        let with_password = authority.split_once('@').map(|found| (None, found));
        let with_either = with_user.into_iter().chain(with_password).filter(|(_, (password, _))| !password.is_empty());
        let mut found = with_either.filter_map(|(user, (password, rest))| Some((user, Some(password), server(rest)?)));
        let (user, password, (host, port)) = found.next().or_else(|| Some((None, None, server(authority)?)))?;
        Some(Self { user, password, host, port })
    }
}

/// The constructor with two texts.
static RESOLVE: &[Step] = &[
    Step::new("_Url: uriobj", "read the base", |_| Call(MATCH, Side::Base)),
    Step::new("_Url: !_a[i]", "an empty reference is the base as it is", |s| match s.reference.is_empty() {
        true => {
            s.set(Slot::Used, "scheme, authority, path, query, fragment");
            s.return_text(s.base)
        }
        false => Go,
    }),
    Step::new("_Url: relobj", "read the reference", |_| Call(MATCH, Side::Reference)),
    Step::new("_Url: relobj.query", "an empty query is absent", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        drop_empty(s, Part::Query)
    }),
    Step::new("_Url: relobj = uriobj", "a fragment alone inherits everything else, and the fragment if there is none", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        let is_empty = |slot| s.get(slot).is_empty();
        let is_alone = [Part::Scheme, Part::Authority, Part::Path].iter().all(|part| is_empty(Slot::Ref(*part)));
        if !is_alone || !is_empty(Slot::Out(Part::Query)) {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Query] {
            s.inherit(part);
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Fragment)).is_none() {
            s.inherit(Part::Fragment);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        keep_dots(s)
    }),
    Step::new("_Url: !relobj.scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.set(Slot::Used, "nothing");
        keep_dots(s)
    }),
    Step::new("_Url: !relobj.authority", "an authority that is not empty inherits only the scheme, any other reference the authority", |s| {
        if !s.get(Slot::Ref(Part::Authority)).is_empty() {
            return keep_dots(s);
        }
        s.inherit(Part::Authority);
        Go
    }),
    Step::new("_Url: relobj.path.charAt(0)", "a path that begins with a slash is not merged", |s| {
        match s.get(Slot::Ref(Part::Path)).starts_with('/') {
            true => keep_dots(s),
            false => Go,
        }
    }),
    Step::new("_Url: uriobj.path.lastIndexOf", "the path follows the base's up to its last slash", |s| {
        let merged = folder(s.get(Slot::Base(Part::Path))).to_owned() + s.get(Slot::Ref(Part::Path));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("_Url: segs", "remove each . segment, and each .. with a segment before it; a slash remains after a last one", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("_Url: the authority", "do not write an empty authority", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        drop_empty(s, Part::Authority)
    }),
    Step::new("_Url: the query", "do not write an empty query", |s| drop_empty(s, Part::Query)),
    Step::new("_Url: the fragment", "do not write an empty fragment", |s| drop_empty(s, Part::Fragment)),
    Step::new("_Url: uri.join", "concatenate the components", |s| {
        s.concatenate();
        Go
    }),
    Step::new("_Url: this.authority.match", "read the result, and reject an authority in it as in the reference", |s| {
        let url = s.get(Slot::Result);
        let after = url.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#'])).map_or(url, |(_, rest)| rest);
        let authority = after.strip_prefix("//").map(|rest| until(rest, &['/', '?', '#']).0);
        match authority.is_none_or(|authority| Divided::of(authority).is_some()) {
            true => Done,
            false => s.reject(Slot::Result, "its authority cannot be divided"),
        }
    }),
];

/// Leaves the dot segments of the path as they are.
fn keep_dots(s: &mut State<'_>) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    To("_Url: the authority")
}

fn drop_empty(s: &mut State<'_>, part: Part) -> Next {
    let slot = Slot::Out(part);
    if s.present(slot) == Some("") {
        s.set(slot, None::<&str>);
    }
    Go
}

/// Removes dot segments from left to right. The segment after the first slash remains, and `..` after another one.
fn without_dots(path: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    let mut at = 0;
    while let Some(segment) = segments.get(at).copied() {
        let is_last = at + 1 == segments.len();
        let before = at.checked_sub(1).map(|before| segments[before]);
        let is_first = at == 1 && segments[0].is_empty();
        match (segment, before) {
            (".", _) if is_last => segments[at] = "",
            (".", _) => {
                segments.remove(at);
                continue;
            }
            ("..", Some(before)) if !is_first && before != ".." => {
                if is_last {
                    segments.truncate(at);
                    segments[at - 1] = "";
                } else {
                    segments.drain(at - 1..=at);
                    at -= 1;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    segments.join("/")
}

/// The properties of `new dojo._Url(url)`.
static STATE: &[Step] = &[
    Step::new("_Url: this.uri", "read the URL", |_| Call(MATCH, Side::Reference)),
    Step::new("_Url: the properties", "state the components", |s| {
        for part in [Part::User, Part::Password, Part::Host, Part::Port].into_iter().chain(Part::COMPONENTS) {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];
