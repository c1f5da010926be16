//! yurl: `URL(base) + URL(reference)`, and the attributes of `URL(url)`, of 1.0.0.
//!
//! Read from `yurl/__init__.py` and `yurl/utils.py` of yurl 1.0.0. An absent component is not distinguished from an empty one. Texts are neither
//! checked nor encoded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::{rfc3986, urllib};

/// yurl.
pub static TABLE: Table = Table {
    engine: "yurl",
    first: "1.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, ADD), (Question::Parse, STATE)],
    called: &[NEW],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Returns whether Python's `isdigit` accepts a text: decimal digits, and digits above, below or in a sign.
fn is_number(text: &str) -> bool {
    let is_digit = |it: char| {
        let is_other = matches!(it, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{1369}'..='\u{1371}' | '\u{19da}' | '\u{2070}' | '\u{2074}'..='\u{2079}'
            | '\u{2080}'..='\u{2089}' | '\u{2460}'..='\u{2468}' | '\u{2474}'..='\u{247c}' | '\u{2488}'..='\u{2490}' | '\u{24ea}'
            | '\u{24f5}'..='\u{24fd}' | '\u{24ff}' | '\u{2776}'..='\u{277e}' | '\u{2780}'..='\u{2788}' | '\u{278a}'..='\u{2792}'
            | '\u{10a40}'..='\u{10a43}' | '\u{10e60}'..='\u{10e68}' | '\u{11052}'..='\u{1105a}' | '\u{1f100}'..='\u{1f10a}');
        is_other || urllib::digit(it).is_some()
    };
    !text.is_empty() && text.chars().all(is_digit)
}

/// `URL.__new__`, for the base and the reference.
static NEW: &[Step] = &[
    Step::new("split_url: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("split_url: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("split_url: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("split_url: userinfo", "the text before the first @ is the user information, and the rest the host", |s| {
        let authority = s.get(s.own(Part::Authority)).to_owned();
        let (user, host) = authority.split_once('@').unwrap_or(("", &authority));
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new("split_url: port_idx", "the text after the last colon is the port, if it is empty or has only digits", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot).to_owned();
        let found = host.rsplit_once(':').filter(|(_, port)| port.is_empty() || is_number(port));
        s.set(s.own(Part::Port), found.map(|(_, port)| port));
        if let Some((host, _)) = found {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("_create_and_fix: scheme.lower", "write the scheme in lower case", |s| {
        lower(s, s.own(Part::Scheme));
        Go
    }),
    Step::new("_create_and_fix: host.lower", "write the host in lower case", |s| {
        lower(s, s.own(Part::Host));
        Go
    }),
];

const AUTHORITY: [Part; 3] = [Part::Userinfo, Part::Host, Part::Port];

fn has_authority(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    AUTHORITY.into_iter().any(|part| !s.get(of(part)).is_empty())
}

fn lower(s: &mut State<'_>, slot: Slot) {
    if let Some(text) = s.present(slot) {
        let text = text.to_lowercase();
        s.set(slot, text);
    }
}

/// `URL.__add__` and `URL.__str__`.
static ADD: &[Step] = &[
    Step::new("URL(base)", "read the base", |_| Call(NEW, Side::Base)),
    Step::new("URL(reference)", "read the reference", |_| Call(NEW, Side::Reference)),
    Step::new("__add__: scheme", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.get(Slot::Ref(Part::Scheme)).is_empty() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.set(Slot::Used, "nothing");
        own_authority(s)
    }),
    Step::new(
        "__add__: host or userinfo or port",
        "a reference with a host, user information or a port inherits nothing else, any other one inherits them",
        |s| {
            if has_authority(s, Slot::Ref) {
                return own_authority(s);
            }
            s.inherit(Part::Authority);
            for part in AUTHORITY {
                s.flow(Slot::Out(part), Slot::Base(part));
            }
            Go
        },
    ),
    Step::new("__add__: not path", "without a path, inherit the base's, and its query if there is none or an empty one", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        To("remove_dot_segments")
    }),
    Step::new("__add__: rpartition", "a path without a slash at its beginning follows the base's up to its last slash", |s| {
        let path = s.get(Slot::Ref(Part::Path));
        if !path.starts_with('/') {
            let merged = format!("{}{path}", folder(s.get(Slot::Base(Part::Path))));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
        }
        Go
    }),
    Step::new(
        "remove_dot_segments",
        "remove each . segment, and each .. with the segment before it, also the empty one before the first slash",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("_create_and_fix: path", "write a slash before a path that follows user information, a host or a port", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if !path.is_empty() && !path.starts_with('/') && has_authority(s, Slot::Out) {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("authority: port", "write a colon before a port, and after a host whose end looks like a port", |s| {
        let port = port(s);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("authority: userinfo", "write @ after user information, and before a host that contains @", |s| {
        let (user, host) = (s.get(Slot::Out(Part::Userinfo)), s.get(Slot::Out(Part::Host)));
        let has_user = !user.is_empty() || host.contains('@');
        let user = Some(user.to_owned()).filter(|_| has_user);
        s.set(Slot::Out(Part::Userinfo), user);
        Go
    }),
    Step::new("__str__: authority", "write // and an authority that is not empty, and // before a path that begins with two slashes", |s| {
        let authority = authority(s);
        s.compose(Slot::Out(Part::Authority), &AUTHORITY.map(Slot::Out));
        let is_written = !authority.is_empty() || s.get(Slot::Out(Part::Path)).starts_with("//");
        s.set(Slot::Out(Part::Authority), Some(authority).filter(|_| is_written));
        Go
    }),
    Step::new("__str__: column_idx", "write ./ before a relative path with a colon in its first segment", |s| {
        let path = s.get(Slot::Out(Part::Path));
        let is_relative = s.get(Slot::Out(Part::Scheme)).is_empty() && s.present(Slot::Out(Part::Authority)).is_none();
        if is_relative && !path.starts_with(':') && until(path, &['/']).0.contains(':') {
            let path = format!("./{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("full_path", "an empty query and an empty fragment are absent", |s| {
        for part in [Part::Scheme, Part::Query, Part::Fragment] {
            if s.present(Slot::Out(part)) == Some("") {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new("__str__", "concatenate the components", |s| s.concatenate()),
];

fn own_authority(s: &mut State<'_>) -> Next {
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    for part in AUTHORITY {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    To("remove_dot_segments")
}

/// Returns the port that is written: an empty one after a host whose end looks like a port.
fn port(s: &State<'_>) -> Option<String> {
    let port = s.get(Slot::Out(Part::Port));
    let last = s.get(Slot::Out(Part::Host)).rsplit_once(':').map(|(_, last)| last);
    (!port.is_empty() || last.is_some_and(|last| last.is_empty() || is_number(last))).then(|| port.to_owned())
}

fn authority(s: &State<'_>) -> String {
    let user = s.present(Slot::Out(Part::Userinfo)).map(|user| format!("{user}@")).unwrap_or_default();
    let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
    format!("{user}{}{port}", s.get(Slot::Out(Part::Host)))
}

/// `remove_dot_segments`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        kept.push("");
    }
    kept.join("/")
}

/// `URL(url)`, and its attributes.
static STATE: &[Step] = &[
    Step::new("URL(url)", "read the URL", |_| Call(NEW, Side::Reference)),
    Step::new("URL: scheme, userinfo, host, port, path, query, fragment", "state the components, and absent ones as empty", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URL.authority", "state the authority as it is written", |s| {
        let (user, host) = (s.get(Slot::Out(Part::Userinfo)), s.get(Slot::Out(Part::Host)));
        let user = if user.is_empty() && !host.contains('@') { String::new() } else { format!("{user}@") };
        let port = port(s).map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{user}{host}{port}");
        s.set(Slot::Out(Part::Authority), authority);
        Done
    }),
];
