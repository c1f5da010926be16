//! Java's `java.net.URL`: `new URL(new URL(base), reference)`, and `new URL(reference)` without a base, then `toString()`.
//! What `new URL(url)` states is what its methods return.
//!
//! Read from `java/net/URL.java`, `java/net/URLStreamHandler.java` and the handlers in `sun/net/www/protocol` of Java 17.0.21 and 25.0.3, and
//! compared with Java 11.0.24 to 26. The handler of the scheme divides the text. All but `jar` and `mailto` inherit the division of
//! `URLStreamHandler`.

mod letters;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::urllib;
use letters::is_letter;

/// Java's `java.net.URL`.
pub static TABLE: Table = Table {
    engine: "java-net-url",
    first: "11.0.24",
    changes: &[&EARLY],
    dated: &[],
    questions: &[(Question::Resolve, CONTEXT), (Question::Parse, ACCESSORS)],
    called: &[READ, PARSE, JAR, MAILTO, FILE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static EARLY: Change = Change {
    id: "JDK-8293590",
    versions: &["20"],
    date: "2023-03-21",
    issue: "https://bugs.openjdk.org/browse/JDK-8293590",
    says: "the characters of user and host are checked when the URL is created, no longer only when it is opened",
    witness: Witness::resolving("http://a/", "//b c/", Some("http://b c/"), None),
};

/// Marks that a table sets before it calls these steps with a text of its own: the slot of the base or the reference holds it.
pub(crate) const BASE_IN_SLOT: &str = "java-net-url: the slot holds the base";
pub(crate) const REFERENCE_IN_SLOT: &str = "java-net-url: the slot holds the reference";

/// The mark of a base that was read already.
pub(crate) const BASE_IS_READ: &str = "java-net-url: the base is read";

/// The schemes that have a handler.
const HANDLERS: &[&str] = &["file", "ftp", "http", "https", "jar", "jmod", "jrt", "mailto"];

/// Characters that, as a host is normalized, become or contain delimiters.
const OTHERS: &str = "⁇⁈⁉℀℁℅℆⩴﹕﹖﹟﹫！＃／：？＠";

/// Returns whether the reference inherits the components of the base: it has no scheme, or that of a base with a rooted path.
pub(crate) fn inherits(s: &State<'_>) -> bool {
    let own = s.present(Slot::Ref(Part::Scheme));
    let is_same = || own == s.present(Slot::Base(Part::Scheme)) && s.get(Slot::Base(Part::Path)).starts_with('/');
    !s.base.is_empty() && (own.is_none() || is_same())
}

/// Returns the scheme whose handler reads the side.
fn handler<'a>(s: &'a State<'_>) -> &'a str {
    let inherited = || s.present(Slot::Base(Part::Scheme)).filter(|_| s.side == Side::Reference && !s.base.is_empty());
    s.present(s.own(Part::Scheme)).or_else(inherited).unwrap_or_default()
}

/// The constructor of `URL`, for the base and the reference.
pub(crate) static READ: &[Step] = &[
    Step::new("URL: limit", "remove spaces and control characters before and after the URL", |s| {
        let is_in_slot = s.is_marked(if s.side == Side::Base { BASE_IN_SLOT } else { REFERENCE_IN_SLOT });
        let given = if is_in_slot { s.get(s.own(Part::Text)) } else { s.given() }.to_owned();
        s.rest = given.trim_matches(|it: char| it <= ' ').to_owned();
        // The handler of `jar` looks at the text as it was given.
        s.segments = vec![given];
        s.write_text();
        Go
    }),
    Step::new("URL: url:", "remove `url:` in any case before the URL", |s| {
        if starts_with(&s.rest, "url:") {
            s.rest.drain(..4);
            s.write_text();
        }
        Go
    }),
    Step::new(
        "URL: isValidProtocol",
        "a letter, then letters, digits, `.`, `+` and `-` before the first colon are the scheme, unless a slash precedes it",
        |s| {
            let is_name = |name: &&str| {
                let name = name.to_lowercase();
                name.starts_with(is_letter) && name.chars().all(|it| is_letter(it) || is_digit(it) || ".+-".contains(it))
            };
            let found = s.rest.split_once(':').filter(|(name, _)| is_name(name));
            let (name, rest) = found.map_or((None, s.rest.as_str()), |(name, rest)| (Some(name), rest));
            let (name, rest) = (name.map(str::to_owned), rest.to_owned());
            s.set(s.own(Part::Scheme), name);
            s.rest = rest;
            Go
        },
    ),
    Step::new("URL: lowerCaseProtocol", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot) {
            let name = name.to_lowercase();
            s.set(slot, name);
        }
        Go
    }),
    Step::new("URL: no protocol", "reject a URL without a scheme and without a base that has one", |s| match handler(s).is_empty() {
        true => s.reject(s.own(Part::Scheme), "a scheme is missing"),
        false => Go,
    }),
    Step::new("URL: getURLStreamHandler", "reject a scheme without a handler", |s| match handler(s).is_empty() || HANDLERS.contains(&handler(s)) {
        true => Go,
        false => s.reject(s.own(Part::Scheme), "the scheme has no handler"),
    }),
    Step::new("URL: ref", "the part after the first # is the fragment", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, fragment) = cut(&rest, "#");
        s.set(s.own(Part::Fragment), fragment);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("URL: handler.parseURL", "the handler of the scheme divides the rest", |s| {
        let steps = match handler(s) {
            "jar" => JAR,
            "mailto" => MAILTO,
            _ => PARSE,
        };
        Call(steps, s.side)
    }),
];

/// `URLStreamHandler.parseURL`, before it looks at the context, and `setURL`.
static PARSE: &[Step] = &[
    Step::new("parseURL: the query", "the part after the first ? is the query", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, query) = cut(&rest, "?");
        s.set(s.own(Part::Query), query);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new(
        "parseURL: isUNCName",
        "after two slashes, but not after four, the part up to the next slash is the authority; the remaining text is the path",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//").filter(|after| !after.starts_with("//"));
            let divided = after.map(|after| until(after, &['/']));
            s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
            s.set(s.own(Part::Path), divided.map_or(rest.as_str(), |(_, path)| path));
            Go
        },
    ),
    Step::new("parseURL: isIPv6LiteralAddress", "reject a host that begins with [ and is not an IPv6 address up to ]", |s| {
        let slot = s.own(Part::Authority);
        let Some((_, host)) = server(s.get(slot)) else { return Go };
        let Some(after) = host.strip_prefix('[') else { return Go };
        match after.split_once(']').is_some_and(|(address, _)| is_ipv6(address)) {
            true => Go,
            false => s.reject(slot, "brackets do not contain an IPv6 address"),
        }
    }),
    Step::new("parseURL: the port", "reject a port that is not a number from -1 on; it may be empty and have a sign", |s| {
        let slot = s.own(Part::Authority);
        let Some((_, host)) = server(s.get(slot)) else { return Go };
        let port = match host.strip_prefix('[').and_then(|after| after.split_once(']')) {
            Some((_, "")) => None,
            Some((_, after)) => after.strip_prefix(':').map(Some).unwrap_or(Some("?")),
            None => cut(host, ":").1,
        };
        match port.is_none_or(|port| port.is_empty() || is_port(port)) {
            true => Go,
            false => s.reject(slot, "the port is not a number"),
        }
    }),
    Step::new(
        "setURL: checkHostString",
        "reject a host with control characters, or with characters that are normalized to delimiters",
        |s| check(s, |_, host| host.chars().any(|it| it.is_ascii_control() || OTHERS.contains(it))),
    )
    .until(&EARLY),
    Step::new(
        "setURL: checkHost",
        "reject a host with characters that hosts do not have, or that are normalized to delimiters",
        |s| {
            check(s, |_, host| match host.starts_with('[') {
                true => false,
                false => host.chars().any(|it| it <= ' ' || "\"#<>?@[\\]^`{|}\u{7f}".contains(it) || OTHERS.contains(it)),
            })
        },
    )
    .since(&EARLY),
    Step::new("setURL: checkHost: the scope", "reject a scope of an IPv6 address with characters that scopes do not have", |s| {
        check(s, |_, host| {
            let scope = host.strip_prefix('[').and_then(|host| cut(cut(host, "]").0, "%").1);
            scope.is_some_and(|scope| scope.chars().any(|it| it.is_ascii_control() || "[\\#?".contains(it)))
        })
    })
    .since(&EARLY),
    Step::new("setURL: checkUserInfo", "reject a user with control characters, brackets or a backslash", |s| {
        check(s, |user, _| user.is_some_and(|user| user.chars().any(|it| it.is_ascii_control() || "[\\]#?".contains(it))))
    })
    .since(&EARLY),
    Step::new("setURL: checkAuth", "reject an authority with control characters or a backslash", |s| {
        let slot = s.own(Part::Authority);
        match s.get(slot).chars().any(|it| it.is_ascii_control() || "\\#?".contains(it)) {
            true => s.reject(slot, "it contains an illegal character"),
            false => Go,
        }
    })
    .since(&EARLY),
];

/// The handler of `jar`, before it looks at the context.
static JAR: &[Step] = &[
    Step::new("jar.Handler.parseURL", "all up to the fragment is the path; the fragment extends over spaces at the end", |s| {
        let rest = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Authority), None::<&str>);
        s.set(s.own(Part::Path), rest);
        s.set(s.own(Part::Query), None::<&str>);
        let given = s.segments.first().map_or("", String::as_str);
        let spaces = given[given.trim_end_matches(|it: char| it <= ' ').len()..].to_owned();
        let slot = s.own(Part::Fragment);
        if let Some(fragment) = s.present(slot) {
            let fragment = format!("{fragment}{spaces}");
            s.set(slot, fragment);
        }
        Go
    }),
    Step::new("jar.Handler.checkNestedProtocol", "reject a `jar:` URL in a `jar:` URL", |s| {
        let slot = s.own(Part::Path);
        match starts_with(s.get(slot), "jar:") {
            true => s.reject(slot, "a jar URL contains a jar URL"),
            false => Go,
        }
    }),
    Step::new(
        "jar.Handler.parseURL: refOnly",
        "without `jar:` at its very beginning, a URL that inherits nothing is rejected, or, if it is a fragment, has no path",
        |s| {
            if s.segments.first().is_some_and(|given| starts_with(given, "jar:")) {
                return Go;
            }
            if s.side == Side::Reference && inherits(s) {
                return Done;
            }
            let slot = s.own(Part::Path);
            if !s.get(slot).is_empty() || s.present(s.own(Part::Fragment)).is_none() {
                return s.reject(slot, "the path has no context");
            }
            s.set(slot, None::<&str>);
            Done
        },
    ),
    Step::new("jar.Handler.parseAbsoluteSpec", "reject a path that is not a URL before its last `!/`", |s| {
        let slot = s.own(Part::Path);
        let inner = s.get(slot).rsplit_once("!/").map(|(inner, _)| inner);
        match inner.and_then(|inner| s.answer(&TABLE, Question::Resolve, ("", inner))).is_some_and(|it| it.url().is_some()) {
            true => Call(FILE, s.side),
            false => s.reject(slot, "it does not contain a URL and `!/`"),
        }
    }),
];

/// The handler of `mailto`.
static MAILTO: &[Step] = &[
    Step::new("mailto.Handler.parseURL", "all up to the fragment is the path", |s| {
        let rest = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Authority), None::<&str>);
        s.set(s.own(Part::Path), rest);
        Go
    }),
    Step::new("mailto.Handler.parseURL: ref", "drop the fragment", |s| {
        s.set(s.own(Part::Fragment), None::<&str>);
        Go
    }),
    Step::new("mailto.Handler.parseURL: isBlank", "reject a path of white space", |s| {
        let slot = s.own(Part::Path);
        match s.get(slot).chars().all(is_space) {
            true => s.reject(slot, "it is blank"),
            false => Call(FILE, s.side),
        }
    }),
];

/// The `setURL` of handlers that do not divide the path.
static FILE: &[Step] = &[
    Step::new("setURL: file", "the part of the path after the last ? is the query", |s| {
        let path = s.get(s.own(Part::Path)).to_owned();
        let (path, query) = path.rsplit_once('?').map_or((path.as_str(), None), |(path, query)| (path, Some(query)));
        s.set(s.own(Part::Path), path);
        s.set(s.own(Part::Query), query);
        Done
    }),
];

/// The constructor `URL(URL, String)`, and `parseURL` with the components of the context.
pub(crate) static CONTEXT: &[Step] = &[
    Step::new("URL: the context", "read the base, unless it is unknown", |s| match s.base.is_empty() || s.is_marked(BASE_IS_READ) {
        true => To("URL: the spec"),
        false => Call(READ, Side::Base),
    }),
    Step::new("URL: the spec", "read the reference", |_| Call(READ, Side::Reference)),
    Step::new(
        "URL: isRelative",
        "inherit the scheme if there is none, or if it is that of the base and the path of the base begins with a slash; otherwise inherit nothing",
        |s| {
            for part in [Part::Query, Part::Fragment] {
                s.copy(Slot::Out(part), Slot::Ref(part));
            }
            if inherits(s) {
                s.inherit(Part::Scheme);
                return Go;
            }
            s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.flow(Slot::NoDots, Slot::Ref(Part::Path));
            To("toExternalForm")
        },
    ),
    Step::new("URL: parseURL", "the handler of the scheme resolves the reference", |s| match handler(s) {
        "jar" => To("jar.Handler.parseURL: file"),
        "mailto" => To("mailto.Handler.parseURL: file"),
        _ => Go,
    }),
    Step::new("parseURL: authority", "a reference with an authority that is not empty inherits only the scheme, and its path keeps its dots; one without an authority inherits it", |s| {
        let authority = s.present(Slot::Ref(Part::Authority));
        match authority {
            Some("") => {
                s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
                Go
            }
            Some(_) => {
                s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
                s.flow(Slot::Merged, Slot::Ref(Part::Path));
                s.flow(Slot::NoDots, Slot::Ref(Part::Path));
                To("toExternalForm")
            }
            None => {
                s.inherit(Part::Authority);
                Go
            }
        }
    }),
    Step::new("URL: start == limit", "an empty reference inherits the query, and the fragment if it has none", |s| {
        let is_empty = s.get(Slot::Ref(Part::Path)).is_empty() && s.present(Slot::Ref(Part::Query)).is_none();
        if !is_empty || s.present(Slot::Ref(Part::Authority)).is_some() {
            return Go;
        }
        s.inherit(Part::Query);
        if s.present(Slot::Ref(Part::Fragment)).is_none() {
            s.inherit(Part::Fragment);
        }
        Go
    }),
    Step::new(
        "parseURL: queryOnly",
        "only a query follows the path of the base up to its last slash, or a slash if it has none",
        |s| {
            let has_authority = s.present(Slot::Ref(Part::Authority)).is_some();
            let has_query = s.present(Slot::Ref(Part::Query)).is_some();
            if has_authority || !has_query || !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            let folder = folder(s.get(Slot::Base(Part::Path)));
            let path = if folder.is_empty() { "/" } else { folder }.to_owned();
            s.inherit_as("folder");
            s.set(Slot::Merged, path);
            s.flow(Slot::NoDots, Slot::Merged);
            To("toExternalForm")
        },
    ),
    Step::new("parseURL: start < limit", "an empty path inherits that of the base", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("toExternalForm")
    }),
    Step::new("parseURL: a slash", "a path that begins with a slash is not merged; its dots remain", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("toExternalForm")
    }),
    Step::new(
        "parseURL: no path",
        "on a base without a path, write a slash before the path if the base has an authority; its dots remain",
        |s| {
            if !s.get(Slot::Base(Part::Path)).is_empty() {
                return Go;
            }
            let path = s.get(Slot::Ref(Part::Path));
            let has_authority = s.present(Slot::Base(Part::Authority)).is_some();
            let path = format!("{}{path}", if has_authority { "/" } else { "" });
            s.inherit_as("folder");
            s.set(Slot::Merged, path);
            s.flow(Slot::NoDots, Slot::Merged);
            To("toExternalForm")
        },
    ),
    Step::new("parseURL: isRelPath", "the path follows the path of the base up to its last slash", |s| {
        let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        s.flow(Slot::NoDots, Slot::Merged);
        Go
    }),
    Step::new("parseURL: embedded /./", "replace each `/./` by a slash", |s| rewrite(s, without_single)),
    Step::new(
        "parseURL: embedded /../",
        "remove each `/../` with the segment before it, unless that segment is a first `..`",
        |s| {
            rewrite(s, |path| {
                let mut path = path.to_owned();
                let mut from = 0;
                while let Some(at) = path[from..].find("/../").map(|at| from + at) {
                    match path[..at].rfind('/').filter(|slash| *slash > 0 || !path.starts_with("/../")) {
                        Some(slash) => {
                            path.replace_range(slash..at + 3, "");
                            from = 0;
                        }
                        None => from = at + 3,
                    }
                }
                path
            })
        },
    ),
    Step::new(
        "parseURL: trailing ..",
        "while the path ends with `/..`, end it before the segment that precedes the first `/..` in it",
        |s| {
            rewrite(s, |path| {
                let mut path = path.to_owned();
                while path.ends_with("/..") {
                    let first = path.find("/..").unwrap_or_default();
                    let Some(slash) = path[..first].rfind('/') else { break };
                    path.truncate(slash + 1);
                }
                path
            })
        },
    ),
    Step::new("parseURL: starting .", "remove `./` before other characters from the beginning", |s| {
        rewrite(s, |path| path.strip_prefix("./").filter(|rest| !rest.is_empty()).unwrap_or(path).to_owned())
    }),
    Step::new("parseURL: trailing .", "remove the dot of `/.` at the end", |s| {
        rewrite(s, without_last_dot);
        To("toExternalForm")
    }),
    Step::new("mailto.Handler.parseURL: file", "the reference replaces the path", |s| {
        s.set(Slot::Out(Part::Authority), None::<&str>);
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("toExternalForm")
    }),
    Step::new("jar.Handler.parseURL: file", "a fragment alone inherits the path and the query", |s| {
        s.set(Slot::Out(Part::Authority), None::<&str>);
        if !s.get(Slot::Ref(Part::Path)).is_empty() || s.present(Slot::Ref(Part::Fragment)).is_none() {
            return Go;
        }
        s.inherit_as("path");
        s.inherit(Part::Query);
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("toExternalForm")
    }),
    Step::new(
        "jar.Handler.parseContextSpec",
        "the path follows that of the base up to its last slash; if it begins with a slash, up to the last `!`",
        |s| {
            let Some(path) = s.present(Slot::Base(Part::Path)) else {
                return s.reject(Slot::Base(Part::Path), "the base has no path");
            };
            let query = s.present(Slot::Base(Part::Query)).map(|query| format!("?{query}")).unwrap_or_default();
            let (file, spec) = (format!("{path}{query}"), s.get(Slot::Ref(Part::Path)));
            let end = match spec.starts_with('/') {
                true => file.rfind("!/").map(|at| at + 1),
                false => file.rfind('/').map(|at| at + 1),
            };
            let Some(end) = end else {
                return s.reject(Slot::Base(Part::Path), "the path of the base has no `!/`");
            };
            let merged = format!("{}{spec}", &file[..end]);
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            s.flow(Slot::NoDots, Slot::Merged);
            Go
        },
    ),
    Step::new(
        "jar.Handler.doCanonicalize: /../",
        "after the last `!`, remove each `/../` with the segment before it",
        |s| rewrite_entry(s, |path| {
            let mut path = path.to_owned();
            while let Some(at) = path.find("/../") {
                let slash = path[..at].rfind('/').unwrap_or_default();
                path.replace_range(slash..at + 3, "");
            }
            path
        }),
    ),
    Step::new("jar.Handler.doCanonicalize: /./", "after the last `!`, replace each `/./` by a slash", |s| {
        rewrite_entry(s, without_single)
    }),
    Step::new(
        "jar.Handler.doCanonicalize: ..",
        "while `/..` is last, end the path before the segment that precedes the first `/..` after the last `!`",
        |s| {
            rewrite_entry(s, |path| {
                let mut path = path.to_owned();
                while path.ends_with("/..") {
                    let first = path.find("/..").unwrap_or_default();
                    let end = path[..first].rfind('/').map_or(first, |slash| slash + 1);
                    path.truncate(end);
                }
                path
            })
        },
    ),
    Step::new("jar.Handler.doCanonicalize: .", "remove the dot of `/.` at the end", |s| rewrite_entry(s, without_last_dot)),
    Step::new("jar.Handler.setURL: file", "the part of the path after the last ? is the query", |s| {
        let path = s.get(Slot::NoDots).to_owned();
        if let Some((path, query)) = path.rsplit_once('?') {
            s.set(Slot::NoDots, path);
            s.set(Slot::Out(Part::Query), query);
        }
        Go
    }),
    Step::new("toExternalForm", "write the components, and no slashes for an empty authority", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.get(Slot::Out(Part::Authority)).is_empty() {
            s.set(Slot::Out(Part::Authority), None::<&str>);
        }
        s.concatenate()
    }),
];

/// Returns whether a text begins with a word in any case.
fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Returns whether a character is a decimal digit that is one unit of UTF-16.
fn is_digit(it: char) -> bool {
    it <= '\u{ffff}' && urllib::digit(it).is_some()
}

/// Divides an authority into user and host with port; `None` if it has several @.
fn server(authority: &str) -> Option<(Option<&str>, &str)> {
    match authority.split_once('@') {
        Some((_, host)) if host.contains('@') => None,
        Some((user, host)) => Some((Some(user), host)),
        None => Some((None, authority)),
    }
}

/// Rejects an authority whose user and host are bad.
fn check(s: &mut State<'_>, is_bad: impl Fn(Option<&str>, &str) -> bool) -> Next {
    let slot = s.own(Part::Authority);
    let Some((user, host)) = server(s.get(slot)) else { return Go };
    let host = if host.starts_with('[') { host } else { cut(host, ":").0 };
    match is_bad(user, host) {
        true => s.reject(slot, "it contains an illegal character"),
        false => Go,
    }
}

/// `Character.isWhitespace`.
pub(crate) fn is_space(it: char) -> bool {
    match it {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        '\u{1c}'..='\u{1f}' => true,
        _ => it.is_whitespace(),
    }
}

/// `Integer.parseInt`.
pub(crate) fn integer(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let digit = |it: char| urllib::digit(it).filter(|_| is_digit(it)).and_then(|digit| char::from_digit(digit, 10));
    let digits: Option<String> = digits.chars().map(digit).collect();
    format!("{sign}{}", digits.filter(|digits| !digits.is_empty())?).parse().ok()
}

fn is_port(text: &str) -> bool {
    integer(text).is_some_and(|number| number >= -1)
}

/// Returns the host and the port as a number, if there is one, that `URL` has for an authority.
pub(crate) fn host_and_port(authority: &str) -> (&str, Option<i32>) {
    let Some((_, host)) = server(authority) else { return ("", None) };
    let end = if host.starts_with('[') { host.find(']').map_or(host.len(), |end| end + 1) } else { cut(host, ":").0.len() };
    (&host[..end], host[end..].strip_prefix(':').and_then(integer).filter(|port| *port >= 0))
}

/// `textToNumericFormatV6`: an IPv6 address with any number of leading zeros, and a zone of any characters.
fn is_ipv6(text: &str) -> bool {
    let (address, zone) = cut(text, "%");
    if zone == Some("") {
        return false;
    }
    let pieces = |text: &str, may_end: bool| -> Option<usize> {
        if text.is_empty() {
            return Some(0);
        }
        let parts: Vec<&str> = text.split(':').collect();
        let count = parts.len();
        parts.iter().enumerate().try_fold(0, |sum, (at, part)| {
            let is_word = !part.is_empty()
                && part.bytes().all(|it| it.is_ascii_hexdigit())
                && part.trim_start_matches('0').len() <= 4;
            match is_word {
                true => Some(sum + 1),
                false => (may_end && at + 1 == count && is_ipv4(part)).then_some(sum + 2),
            }
        })
    };
    match address.split_once("::") {
        Some((before, after)) => {
            pieces(before, false).zip(pieces(after, true)).is_some_and(|(before, after)| before + after < 8)
        }
        None => pieces(address, true) == Some(8),
    }
}

/// `textToNumericFormatV4` in an IPv6 address: four numbers in at most 15 characters.
fn is_ipv4(text: &str) -> bool {
    let is_byte = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|it| it.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|number| number < 256)
    };
    text.len() <= 15 && text.split('.').count() == 4 && text.split('.').all(is_byte)
}

fn without_single(path: &str) -> String {
    let mut path = path.to_owned();
    while let Some(at) = path.find("/./") {
        path.replace_range(at..at + 2, "");
    }
    path
}

fn without_last_dot(path: &str) -> String {
    path.strip_suffix('.').filter(|rest| rest.ends_with('/')).unwrap_or(path).to_owned()
}

/// Rewrites the merged path.
fn rewrite(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    let path = s.get(Slot::NoDots);
    let path = written(path);
    s.set(Slot::NoDots, path);
    Go
}

/// Rewrites the part of the merged path after the last `!` before a slash.
fn rewrite_entry(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    rewrite(s, |path| {
        let (before, entry) = path.split_at(path.rfind("!/").map_or(0, |at| at + 1));
        format!("{before}{}", written(entry))
    })
}

/// `new URL`, and the methods of the URL that return its components.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("new URL", "read the URL", |_| Call(READ, Side::Reference)),
    Step::new("getProtocol, getPath, getQuery, getRef, getAuthority", "state the components", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("getUserInfo", "what precedes the only @ of the authority is the user information", |s| {
        let user = server(s.get(Slot::Out(Part::Authority))).and_then(|(user, _)| user).map(str::to_owned);
        s.set(Slot::Out(Part::Userinfo), user);
        Go
    }),
    Step::new(
        "getHost, getPort",
        "the host ends at its first colon, or at the bracket, which belongs to it; it is empty if the authority is absent or has several @; a \
         number after the colon that is not negative is the port",
        |s| {
            let (host, port) = host_and_port(s.get(Slot::Out(Part::Authority)));
            let (host, port) = (host.to_owned(), port.map(|port| port.to_string()));
            s.set(Slot::Out(Part::Host), host);
            s.set(Slot::Out(Part::Port), port);
            s.set(Slot::Result, s.reference);
            Done
        },
    ),
];


