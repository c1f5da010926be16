//! LuaSocket: `url.absolute(base, reference)`, and what `url.parse(text)` returns, of 3.0.0.
//!
//! Read from `socket/url.lua` of LuaSocket 3.1.0, which reports 3.0.0. Texts are bytes, and are neither checked, nor decoded, nor encoded. Dot
//! segments are removed from the path and then from the whole target.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, folder, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

/// LuaSocket.
pub static TABLE: Table = Table {
    engine: "luasocket",
    first: "3.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ABSOLUTE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse`, for the base and the reference. A path includes its parameters here.
static PARSE: &[Step] = &[
    Step::new("parse: scheme", "a letter or a digit, then letters, digits, +, - and . before a colon are the scheme", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        let found = s.rest.split_once(':').filter(|(name, _)| {
            name.starts_with(|it: char| it.is_ascii_alphanumeric())
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
        });
        let (name, rest) = found.map_or((None, s.rest.as_str()), |(name, rest)| (Some(name.to_owned()), rest));
        s.rest = rest.to_owned();
        s.set(s.own(Part::Scheme), name);
        Go
    }),
    Step::new("parse: authority", "after two slashes, the part up to the next slash is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let divided = rest.strip_prefix("//").map(|after| until(after, &['/']));
        s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
        s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("parse: fragment, query, path", "cut the fragment at #, the query at ?, and the path", crate::rfc3986::cut_path),
    Step::new("parse: params", "the parameters begin at the first semicolon of the path", |s| {
        let params = cut(s.get(s.own(Part::Path)), ";").1.map(str::to_owned);
        s.set(s.own(Part::Params), params);
        Go
    }),
    Step::new("parse: userinfo", "the text before the first @ of the authority is the user information, and after its last colon the password", |s| {
        let authority = s.present(s.own(Part::Authority)).map(str::to_owned);
        let divided = authority.as_deref().map(|it| it.split_once('@').map_or((None, it), |(user, host)| (Some(user), host)));
        let user = divided.and_then(|(user, _)| user).map(|user| user.rsplit_once(':').map_or((user, None), |(user, it)| (user, Some(it))));
        s.set(s.own(Part::User), user.map(|(user, _)| user));
        s.set(s.own(Part::Password), user.and_then(|(_, password)| password));
        s.set(s.own(Part::Host), divided.map(|(_, host)| host));
        Go
    }),
    Step::new("parse: port", "the text after the last colon is the port, if no ] follows; an empty host is absent", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot).to_owned();
        let found = host.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
        s.set(s.own(Part::Port), found.map(|(_, port)| port));
        let host = found.map_or(host.as_str(), |(host, _)| host);
        s.set(slot, Some(host).filter(|host| !host.is_empty()));
        Go
    }),
    Step::new("parse: IPv6?", "remove brackets around the host, unless they are empty", |s| {
        let slot = s.own(Part::Host);
        let inner = s.get(slot).strip_prefix('[').and_then(|it| it.strip_suffix(']')).filter(|it| !it.is_empty());
        if let Some(inner) = inner.map(str::to_owned) {
            s.set(slot, inner);
        }
        Go
    }),
];

/// `absolute` and `build`.
static ABSOLUTE: &[Step] = &[
    Step::new("absolute: parse(base_url)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("absolute: parse(relative_url)", "read the reference, unless it is empty", |s| match s.reference.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Reference),
    }),
    Step::new("absolute: not base_parsed", "without a base, the target is the reference", |s| match s.base.is_empty() {
        true => take(s, Slot::Ref(Part::Text)),
        false => Go,
    }),
    Step::new("absolute: not relative_parsed", "an empty reference is the base", |s| match s.reference.is_empty() {
        true => {
            s.set(Slot::Used, "scheme, authority, path, query, fragment");
            take(s, Slot::Base(Part::Text))
        }
        false => Go,
    }),
    Step::new("absolute: relative_parsed.scheme", "a reference with a scheme is the target, any other one inherits the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            return take(s, Slot::Ref(Part::Text));
        }
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("absolute: relative_parsed.authority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        for part in [Part::User, Part::Password, Part::Host, Part::Port] {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        crate::rfc3986::own_authority(s, "build: path")
    }),
    Step::new(
        "absolute: relative_parsed.path",
        "without a path, inherit the base's; without parameters, inherit them, and without a query that, too",
        |s| {
            let text = s.get(Slot::Ref(Part::Path));
            let (path, params) = cut(text, ";");
            if !path.is_empty() {
                return Go;
            }
            let (base, base_params) = cut(s.get(Slot::Base(Part::Path)), ";");
            let params = params.map(|it| format!(";{it}"));
            let has_params = params.is_some();
            let inherited = params.or_else(|| base_params.map(|it| format!(";{it}"))).unwrap_or_default();
            let merged = format!("{base}{inherited}");
            s.inherit_as("path");
            match has_params {
                true => {
                    s.set(Slot::Merged, merged);
                }
                false => s.flow(Slot::Merged, Slot::Base(Part::Path)),
            }
            if !has_params && s.present(Slot::Ref(Part::Query)).is_none() {
                s.inherit(Part::Query);
            }
            To("build: path")
        },
    ),
    Step::new("absolute_path", "a path without a slash at its beginning follows the base's up to its last slash, and a slash if it has none", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        let path = s.get(Slot::Ref(Part::Path));
        if !path.starts_with('/') {
            let folder = folder(cut(s.get(Slot::Base(Part::Path)), ";").0);
            let merged = format!("{}{path}", if folder.is_empty() { "/" } else { folder });
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
        }
        Go
    }),
    Step::new(
        "absolute_path: remove_dot_components",
        "remove each . segment, and each .. with the segment before it, also an empty one between two slashes, or with the first slash",
        |s| {
            let merged = s.get(Slot::Merged);
            let (path, params) = merged.split_at(cut(merged, ";").0.len());
            let path = without_dots(path) + params;
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("build: path", "take this path", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("build: authority", "write the host of the reference in brackets if it has a colon, with user, password and port", |s| {
        let text = |part: Part| s.present(Slot::Out(part));
        let Some(host) = text(Part::Host) else { return Go };
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let port = text(Part::Port).map(|port| format!(":{port}")).unwrap_or_default();
        let password = text(Part::Password).map(|it| format!(":{it}")).unwrap_or_default();
        let user = text(Part::User).map(|user| format!("{user}{password}@")).unwrap_or_default();
        let authority = format!("{user}{host}{port}");
        s.compose(Slot::Out(Part::Authority), &[Part::User, Part::Password, Part::Host, Part::Port].map(Slot::Out));
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("build", "concatenate the components", |s| {
        s.concatenate();
        Go
    }),
    Step::new(
        "absolute: remove_dot_components",
        "do with the whole target, with its scheme, authority, query and fragment, what was done with the path",
        |s| {
            let target = without_dots(s.get(Slot::Result));
            if target != s.get(Slot::Result) {
                for (part, text) in Part::COMPONENTS.into_iter().zip(components(&target)) {
                    s.set(Slot::Out(part), text);
                }
                s.set(Slot::Result, target);
            }
            Done
        },
    ),
];

/// Takes a whole text.
fn take(s: &mut State<'_>, from: Slot) -> Next {
    let text = s.get(from).to_owned();
    s.set(Slot::Result, text);
    To("absolute: remove_dot_components")
}

/// `remove_dot_components`: an empty segment between two slashes is a segment like others, and U+0001 is removed.
fn without_dots(text: &str) -> String {
    let last = text.matches('/').count();
    let segments = text.split('/').enumerate().filter(|(at, segment)| *segment != "." || *at == 0 || *at == last);
    let mut kept: Vec<&str> = segments.map(|(at, it)| if it.is_empty() && at > 0 && at < last { "\u{1}" } else { it }).collect();
    let is_up = |it: &[&str]| !it[0].is_empty() && it[1] == "..";
    while let Some(at) = kept.windows(3).position(|it| is_up(it) && !it[2].is_empty()) {
        kept.drain(at..at + 2);
    }
    let end = kept.len() - usize::from(kept.len() > 1 && kept.last() == Some(&""));
    if let Some(at) = end.checked_sub(2).filter(|at| is_up(&kept[*at..])) {
        kept.truncate(at);
        kept.push("");
    }
    if kept.len() > 1 && matches!(kept.last(), Some(&("." | ".."))) {
        kept.pop();
        kept.push("");
    }
    if let ["", "..", _, ..] = kept[..] {
        kept.remove(1);
    }
    kept.join("/").replace('\u{1}', "")
}

/// `parse`.
static STATE: &[Step] = &[
    Step::new("parse", "read the URL; reject an empty one", |s| match s.reference.is_empty() {
        true => s.reject(Slot::Ref(Part::Text), "it is empty"),
        false => Call(PARSE, Side::Reference),
    }),
    Step::new("parse: parsed", "state the components; an empty path is absent, and parameters are not a part of it", |s| {
        for part in [Part::Scheme, Part::Authority, Part::User, Part::Password, Part::Host, Part::Port, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        let path = cut(s.get(Slot::Ref(Part::Path)), ";").0.to_owned();
        s.set(Slot::Out(Part::Path), Some(path).filter(|it| !it.is_empty()));
        s.set(Slot::Result, s.reference);
        Done
    }),
];
