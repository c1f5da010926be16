//! Werkzeug: `url_join(base, reference)`, and the attributes of `url_parse(url)`, of 2.3.8.
//!
//! Read from `werkzeug/urls.py` of Werkzeug 2.3.8; Werkzeug 3 removed both functions. An empty component is as an absent one.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::{rfc3986, urllib};

/// Werkzeug.
pub static TABLE: Table = Table {
    engine: "werkzeug",
    first: "2.3.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `url_parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new(
        "url_parse: scheme",
        "letters, digits, +, -, . and commas before the first colon are the scheme, also before an end of line, unless only digits follow the colon",
        |s| {
            let given = s.read_text();
            let given = given.as_str();
            let is_name = |name: &str| {
                let name = name.strip_suffix('\n').unwrap_or(name);
                !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+,-.".contains(&it))
            };
            let is_port = |rest: &str| !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit());
            let found = given.split_once(':').filter(|(name, rest)| is_name(name) && !is_port(rest));
            s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
            s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
            Go
        },
    ),
    Step::new("url_parse: lower", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        let name = s.present(slot).map(str::to_ascii_lowercase);
        s.set(slot, name);
        Go
    }),
    Step::new("url_parse: netloc", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("url_parse: brackets", "reject an authority that has only one of [ and ]", |s| {
        let slot = s.own(Part::Authority);
        match s.get(slot).contains('[') == s.get(slot).contains(']') {
            true => Go,
            false => s.reject(slot, "one bracket is missing"),
        }
    }),
    Step::new("url_parse: query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
];

/// `url_join` and `url_unparse`.
static JOIN: &[Step] = &[
    Step::new("url_join: not base", "without a base, return the reference as it is", rfc3986::without_base),
    Step::new("url_join: not url", "an empty reference is the base as it is", |s| match s.reference.is_empty() {
        true => {
            s.set(Slot::Used, "scheme, authority, path, query, fragment");
            s.return_text(s.base)
        }
        false => Go,
    }),
    Step::new("url_join: url_parse(base)", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("url_join: url_parse(url)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("url_join: scheme != bscheme", "return a reference with another scheme than the base's as it is; without one, inherit it", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.present(Slot::Ref(Part::Scheme)) {
            None => s.inherit(Part::Scheme),
            own if own == s.present(Slot::Base(Part::Scheme)) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            Some(_) => {
                s.set(Slot::Used, "nothing");
                return s.return_text(s.reference);
            }
        }
        Go
    }),
    Step::new("url_join: netloc", "an authority that is not empty keeps its path as it is, any other reference inherits the authority", |s| {
        if s.get(Slot::Ref(Part::Authority)).is_empty() {
            s.inherit(Part::Authority);
            return Go;
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("url_unparse: netloc")
    }),
    Step::new("url_join: path[:1]", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "url_join: .")),
    Step::new("url_join: not path", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("url_join: .")
    }),
    Step::new("url_join: segments", "the path follows the base's up to its last slash", |s| {
        let merged = folder(s.get(Slot::Base(Part::Path))).to_owned() + s.get(Slot::Ref(Part::Path));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("url_join: .", "remove each . segment; the slash before a last one remains", |s| {
        s.segments = s.get(Slot::Merged).split('/').map(str::to_owned).collect();
        if let Some(last) = s.segments.last_mut().filter(|last| *last == ".") {
            last.clear();
        }
        s.segments.retain(|segment| segment != ".");
        s.flow(Slot::NoDots, Slot::Merged);
        write_segments(s)
    }),
    Step::new("url_join: while True", "remove each .. with a segment before it that is not empty, but not a last one", |s| {
        let is_removed = |pair: &[String]| !matches!(pair[0].as_str(), "" | "..") && pair[1] == "..";
        let found = |segments: &[String]| segments.windows(2).position(is_removed).filter(|at| at + 2 < segments.len());
        while let Some(at) = found(&s.segments) {
            s.segments.drain(at..at + 2);
        }
        s.decide(Slot::NoDots);
        write_segments(s)
    }),
    Step::new("url_join: unwanted_marker", "remove each .. after the first slash", |s| {
        while let [first, second, ..] = &s.segments[..]
            && first.is_empty()
            && second == ".."
        {
            s.segments.remove(1);
        }
        write_segments(s)
    }),
    Step::new(
        "url_unparse: netloc",
        "write // before an authority, and after a scheme also before a path that begins with a slash",
        |s| {
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            let (path, authority) = (s.get(Slot::Out(Part::Path)), s.get(Slot::Out(Part::Authority)));
            let is_written = !authority.is_empty() || !s.get(Slot::Out(Part::Scheme)).is_empty() && path.starts_with('/');
            let authority = is_written.then(|| authority.to_owned());
            s.set(Slot::Out(Part::Authority), authority);
            Go
        },
    ),
    Step::new("url_unparse: path", "write a slash between an authority and a path", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("url_unparse: query, fragment", "write no empty query and no empty fragment", |s| {
        for slot in [Part::Query, Part::Fragment].map(Slot::Out) {
            if s.get(slot).is_empty() {
                s.set(slot, None::<&str>);
            }
        }
        Go
    }),
    Step::new("url_unparse", "concatenate the components", |s| s.concatenate()),
];

fn write_segments(s: &mut State<'_>) -> Next {
    let path = s.segments.join("/");
    s.set(Slot::NoDots, path);
    Go
}

/// The attributes of `url_parse(url)`.
static STATE: &[Step] = &[
    Step::new("url_parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("URL", "state the components, and absent ones as empty", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("_split_auth", "the part before the first @ is the user, and after its first colon the password", |s| {
        let user = s.get(Slot::Out(Part::Authority)).split_once('@').map(|(user, _)| user).filter(|user| !user.is_empty());
        let user = user.map(|user| cut(user, ":")).map(|(user, password)| (user.to_owned(), password.map(str::to_owned)));
        let (user, password) = user.map_or((None, None), |(user, password)| (Some(user), password));
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new("_url_unquote_legacy", "decode user and password, as Latin-1 if they are not UTF-8", |s| {
        for slot in [Part::User, Part::Password].map(Slot::Out) {
            let bytes = s.present(slot).map(urllib::unquoted_to_bytes);
            let text = bytes.map(|bytes| {
                String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
            });
            s.set(slot, text);
        }
        Go
    }),
    Step::new("_split_host", "what brackets after the first @ contain is the host, or the part up to a colon; the port follows the colon", |s| {
        let info = s.get(Slot::Out(Part::Authority));
        let info = info.split_once('@').map_or(info, |(_, info)| info);
        let (host, port) = match info.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => (host, rest.strip_prefix(':')),
            None if info.starts_with('[') => (info, None),
            None => cut(info, ":"),
        };
        let (host, port) = (Some(host.to_owned()).filter(|_| !info.is_empty()), port.map(str::to_owned));
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("port", "state the port as a number if `int` reads one up to 65535, and no other port", |s| {
        let port = s.present(Slot::Out(Part::Port)).and_then(urllib::number).filter(|port| port.parse::<u16>().is_ok());
        s.set(Slot::Out(Part::Port), port);
        Done
    }),
];
