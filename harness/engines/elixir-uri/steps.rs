//! Elixir's `URI`: `URI.merge(base, reference)`, and the fields of `URI.parse(url)`, from 1.10.3 on.
//!
//! Read from `lib/elixir/lib/uri.ex` of Elixir 1.10.3 to 1.20; issues are those of its commits, and dates those of releases. An empty path, user or
//! port is an absent one. An authority may have a user or a port without a host. Its text is kept, but since 1.13 such an authority of a reference
//! without a scheme is dropped.

mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

use changes::*;

/// Elixir's `URI`.
pub static TABLE: Table = Table {
    engine: "elixir-uri",
    first: "1.10.3",
    changes: &[&EMPTY_SEGMENTS, &HOSTS, &SOCKETS, &EXAMPLES, &BASE_DOTS, &SCHEMES, &ROOT, &NO_PATH],
    dated: &[],
    questions: &[(Question::Resolve, MERGE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `URI.parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("parse: regex", "cut the authority after //, the path, the query after ?, and the fragment after #", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let (authority, rest) = until(after, &['/', '?', '#']);
                (Some(authority), rest)
            }
            None => (None, rest.as_str()),
        };
        let (rest, fragment) = cut(rest, "#");
        let (path, query) = cut(rest, "?");
        for (part, text) in
            [(Part::Authority, authority), (Part::Path, Some(path)), (Part::Query, query), (Part::Fragment, fragment)]
        {
            s.set(s.own(part), text);
        }
        Go
    }),
    Step::new("parse: (#(.*))?", "end the fragment before an end of line", |s| {
        let slot = s.own(Part::Fragment);
        let fragment = s.present(slot).map(|fragment| cut(fragment, "\n").0.to_owned());
        s.set(slot, fragment);
        Go
    }),
    Step::new("parse: downcase", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        let scheme = s.present(slot).map(str::to_ascii_lowercase);
        s.set(slot, scheme);
        Go
    }),
];

/// The fields of what `URI.parse` returns.
static STATE: &[Step] = &[
    Step::new("parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("parse: nillify", "state an empty path as absent", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("parse: split_authority", "state an empty user as absent, and also an empty host of an authority that is not empty; the port is a number", |s| {
        let authority = s.present(Slot::Out(Part::Authority));
        let server = authority.map(Server::divided);
        let is_stated = |host: &String| !host.is_empty() || authority == Some("");
        let (user, host, port) =
            server.map_or((None, None, None), |it| (it.user, Some(it.host).filter(is_stated), it.port));
        s.set(Slot::Out(Part::Userinfo), user);
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("parse: brackets", "state a host without the brackets at its ends", |s| {
        let host = s.present(Slot::Out(Part::Host)).map(|it| it.trim_start_matches('[').trim_end_matches(']').to_owned());
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("parse: default_port", "without a port, state the default port of the scheme", |s| {
        if s.present(Slot::Out(Part::Port)).is_none() {
            let port = default_port(s).map(str::to_owned);
            s.set(Slot::Out(Part::Port), port);
        }
        Go
    }),
];

/// `URI.merge` and `URI.to_string`.
static MERGE: &[Step] = &[
    Step::new("merge: parse(base)", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("merge: parse(rel)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("merge: authority: nil", "reject a base without an authority", |s| {
        match s.present(Slot::Base(Part::Authority)) {
            Some(_) => Go,
            None => s.reject(Slot::Base(Part::Authority), "the base is not absolute"),
        }
    })
    .until(&HOSTS),
    Step::new("merge: host: nil", "reject a base without a host", |s| match has_host(s, Slot::Base) {
        true => Go,
        false => s.reject(Slot::Base(Part::Authority), "the base is not absolute"),
    })
    .since(&HOSTS)
    .until(&SCHEMES),
    Step::new("merge: scheme: nil", "reject a base without a scheme", |s| match s.present(Slot::Base(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Base(Part::Scheme), "the base is not absolute"),
    })
    .since(&SCHEMES),
    Step::new("merge: rel_scheme", "a reference with a scheme inherits nothing", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            Part::COMPONENTS.into_iter().for_each(|part| s.copy(Slot::Out(part), Slot::Ref(part)));
            s.copy(Slot::Merged, Slot::Ref(Part::Path));
            return Go;
        }
        Part::COMPONENTS.into_iter().for_each(|part| s.flow(Slot::Out(part), Slot::Ref(part)));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.set(Slot::Used, "nothing");
        To("reverse_and_discard_empty")
    }),
    Step::new("merge: authority", "a reference with an authority inherits only the scheme", |s| {
        s.inherit(Part::Scheme);
        match s.present(Slot::Ref(Part::Authority)) {
            Some(_) => To("reverse_and_discard_empty"),
            None => Go,
        }
    })
    .until(&HOSTS),
    Step::new("merge: host", "a reference with a host inherits only the scheme", |s| {
        s.inherit(Part::Scheme);
        match has_host(s, Slot::Ref) {
            true => To("reverse_and_discard_empty"),
            false => Go,
        }
    })
    .since(&HOSTS),
    Step::new("merge: path: nil", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit(Part::Authority);
        s.inherit(Part::Path);
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("to_string: :path")
    }),
    Step::new("merge: host: nil, path: nil", "do not merge the path if the base has neither a host nor a path", |s| {
        if has_host(s, Slot::Base) || !s.get(Slot::Base(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit(Part::Authority);
        To("reverse_and_discard_empty")
    })
    .since(&NO_PATH),
    Step::new("merge_paths: \"/\"", "inherit the authority; a path that begins with a slash is not merged", |s| {
        s.inherit(Part::Authority);
        match s.get(Slot::Ref(Part::Path)).starts_with('/') {
            true => To("reverse_and_discard_empty"),
            false => Go,
        }
    }),
    Step::new("merge_paths", "the path follows the base's up to its last slash, or a slash if the base has no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let before = if base.is_empty() { "/" } else { folder(base) };
        let merged = format!("{before}{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("merge_paths: :+", "if the last segment of the base's path is a dot segment, keep it, and the mark + after it as a segment", |s| {
        let base = s.get(Slot::Base(Part::Path));
        if matches!(&base[folder(base).len()..], "." | "..") {
            let merged = format!("{base}/+/{}", s.get(Slot::Ref(Part::Path)));
            s.set(Slot::Merged, merged);
        }
        Go
    })
    .since(&EXAMPLES)
    .until(&BASE_DOTS),
    Step::new("reverse_and_discard_empty", "remove empty segments, except the first and the last", |s| {
        let path = s.get(Slot::Merged);
        let last = path.split('/').count() - 1;
        let kept = path.split('/').enumerate().filter(|(at, it)| *at == 0 || *at == last || !it.is_empty());
        let path = kept.map(|(_, segment)| segment).collect::<Vec<_>>().join("/");
        s.set(Slot::Merged, path);
        Go
    })
    .until(&EMPTY_SEGMENTS),
    Step::new(
        "remove_dot_segments: from the end",
        "remove each . segment, and each .. segment with the one before it, but never the first segment, also the empty one before the first \
         slash: a .. segment after only the first one is removed alone; no slash remains where a last one was removed",
        |s| {
            // The segments after the current one; the last one follows it.
            let mut after: Vec<&str> = Vec::new();
            for segment in s.get(Slot::Merged).split('/').rev() {
                if segment == "." {
                    continue;
                }
                if !matches!(after.as_slice(), [.., "..", ".."]) {
                    while let [.., "..", _] = after.as_slice()
                        && !matches!(after.as_slice(), [.., "..", ".."])
                    {
                        after.truncate(after.len() - 2);
                    }
                }
                after.push(segment);
            }
            while let [.., "..", last] = after.as_slice() {
                let last = *last;
                after.truncate(after.len() - 2);
                after.push(last);
            }
            after.reverse();
            let path = after.join("/");
            write_path(s, path)
        },
    )
    .until(&EXAMPLES),
    Step::new(
        "remove_dot_segments",
        "remove each . segment, and each .. segment with the one before it, but not the first slash; a .. segment at the beginning of a \
         rootless path remains until another .. removes it; a slash remains after a last one that was removed with another segment or is .; \
         if a last .. leaves only the first slash, nothing remains",
        |s| {
            let path = s.get(Slot::Merged);
            let (root, rest) = path.strip_prefix('/').map_or(("", path), |rest| ("/", rest));
            let count = rest.split('/').count();
            let mut kept: Vec<&str> = Vec::new();
            for (at, segment) in rest.split('/').enumerate() {
                let is_last = at + 1 == count;
                match segment {
                    "." if is_last => kept.push(""),
                    "." => {}
                    ".." if kept.is_empty() && !root.is_empty() => {}
                    ".." if kept.pop().is_some() => kept.extend(is_last.then_some("")),
                    _ => kept.push(segment),
                }
            }
            let path = if kept.is_empty() { String::new() } else { format!("{root}{}", kept.join("/")) };
            write_path(s, path)
        },
    )
    .since(&EXAMPLES),
    Step::new("join_reversed_segments: [:/]", "write the first slash if nothing else remains", |s| {
        if s.get(Slot::NoDots).is_empty() && s.get(Slot::Merged).starts_with('/') {
            s.set(Slot::NoDots, "/");
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
        }
        Go
    })
    .since(&ROOT),
    Step::new("to_string: :path", "reject a path that does not begin with a slash after an authority", |s| {
        let is_absolute = if s.has(&HOSTS) { has_host(s, Slot::Out) } else { s.present(Slot::Out(Part::Authority)).is_some() };
        let path = s.get(Slot::Out(Part::Path));
        match is_absolute && !path.is_empty() && !path.starts_with('/') {
            true => s.reject(Slot::Out(Part::Path), "it does not begin with a slash"),
            false => Go,
        }
    }),
    Step::new(
        "split_authority",
        "the user ends at the last @, and the host at the first colon or after brackets of letters, digits, colons and dots; drop what follows a \
         host and a port, an empty user and an empty port, and write the port as a number; an authority without a host remains",
        |s| {
            let server = s.present(Slot::Out(Part::Authority)).and_then(Server::of);
            server.map_or(Go, |server| write_server(s, server))
        },
    ),
    Step::new("to_string: default_port", "write no default port", |s| {
        let Some(port) = default_port(s) else { return Go };
        if has_host(s, Slot::Out)
            && let Some(authority) = s.get(Slot::Out(Part::Authority)).strip_suffix(&format!(":{port}"))
        {
            let authority = authority.to_owned();
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    }),
    Step::new("extract_authority: brackets", "write brackets around a host with a colon, and no brackets at the ends of another", |s| {
        let Some(server) = s.present(Slot::Out(Part::Authority)).and_then(Server::of) else { return Go };
        let host = server.host.trim_start_matches('[').trim_end_matches(']');
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        write_server(s, Server { host, ..server })
    }),
    Step::new("to_string", "concatenate the components", |s| s.concatenate()),
];

/// Returns the default port of the target's scheme.
fn default_port(s: &State<'_>) -> Option<&'static str> {
    Some(match s.get(Slot::Out(Part::Scheme)) {
        "ftp" => "21",
        "sftp" => "22",
        "tftp" => "69",
        "http" => "80",
        "https" => "443",
        "ldap" => "389",
        "ws" if s.has(&SOCKETS) => "80",
        "wss" if s.has(&SOCKETS) => "443",
        _ => return None,
    })
}

/// The parts of an authority with a host.
struct Server {
    user: Option<String>,
    host: String,
    port: Option<String>,
}

impl Server {
    /// `split_authority`; `None` without a host.
    fn of(authority: &str) -> Option<Self> {
        Some(Self::divided(authority)).filter(|server| !server.host.is_empty())
    }

    /// `split_authority`.
    fn divided(authority: &str) -> Self {
        // The pattern of the user does not match an end of line.
        let end = until(authority, &['\n']).0.rfind('@');
        let (user, rest) = end.map_or(("", authority), |at| (&authority[..at], &authority[at + 1..]));
        let literal = rest.strip_prefix('[').and_then(|after| {
            let end = after.find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, ':' | '.')))?;
            after[end..].starts_with(']').then_some(end + 2)
        });
        let (host, rest) = rest.split_at(literal.unwrap_or_else(|| until(rest, &[':']).0.len()));
        let digits = rest.strip_prefix(':').unwrap_or_default();
        let digits = &digits[..digits.len() - digits.trim_start_matches(|it: char| it.is_ascii_digit()).len()];
        let number = digits.trim_start_matches('0');
        let port = (!digits.is_empty()).then(|| if number.is_empty() { "0" } else { number }.to_owned());
        let user = (!user.is_empty()).then(|| user.to_owned());
        Self { user, host: host.to_owned(), port }
    }
}

fn write_server(s: &mut State<'_>, Server { user, host, port }: Server) -> Next {
    let user = user.map(|user| user + "@").unwrap_or_default();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    s.set(Slot::Out(Part::Authority), format!("{user}{host}{port}"));
    Go
}

/// Returns whether an authority has a host, or is empty.
fn has_host(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    s.present(of(Part::Authority)).is_some_and(|authority| authority.is_empty() || Server::of(authority).is_some())
}

fn write_path(s: &mut State<'_>, path: String) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    Go
}
