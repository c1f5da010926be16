//! Tcllib's uri: `uri::resolve base reference`, and what `uri::split` finds, of 1.2.7 and 1.2.8.
//!
//! Read from `uri.tcl` of Tcllib 2.0 (uri 1.2.8). An unknown base is the empty text, which is read as `http://`. The names of rows are those of
//! procedures in the namespace `uri`. Paths of `http`, `https` and `ftp` are stated without the slash that precedes them; the slots have it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, is_escape, scheme, until};
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

/// Tcllib's uri.
pub static TABLE: Table = Table {
    engine: "tcllib-uri",
    first: "1.2.7",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `split`, and the procedures for `http`, `https`, `ftp` and `file`.
static SPLIT: &[Step] = &[
    Step::new("split: string trim", "remove white space and NUL at both ends, but not before a relative reference", |s| {
        s.rest = s.get(s.own(Part::Text)).to_owned();
        s.rest = match is_relative(s) {
            true => s.rest.trim_end_matches(is_trimmed).to_owned(),
            false => s.rest.trim_matches(is_trimmed).to_owned(),
        };
        s.write_text();
        Go
    }),
    Step::new("split: regexp scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let found = scheme(&s.rest).filter(|_| !is_relative(s)).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        s.set(s.own(Part::Scheme), found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        Go
    }),
    Step::new("split: defaultscheme", "without a scheme, it is http, and two slashes are written first, unless the text begins with them", |s| {
        let slot = s.own(Part::Scheme);
        if s.present(slot).is_none() && !is_relative(s) {
            s.set(slot, "http");
            if !s.rest.starts_with("//") {
                s.rest.insert_str(0, "//");
            }
        }
        Go
    }),
    Step::new("split: string tolower $scheme", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("split: unknown scheme", "reject a scheme other than http, https, ftp, file, mailto, news, ldap and ldaps", |s| {
        let name = scheme_of(s);
        if has_path(&name) {
            return Go;
        }
        match matches!(name.as_str(), "mailto" | "news" | "ldap" | "ldaps") {
            true => Done,
            false => s.reject(s.own(Part::Scheme), "the scheme is unknown"),
        }
    }),
    Step::new("SplitHttpInner: fragment, query", "cut the fragment at the first # and the query at the first ?, of http and https", |s| {
        if is_http(&scheme_of(s)) {
            let rest = std::mem::take(&mut s.rest);
            let (rest, fragment) = cut(&rest, "#");
            let (rest, query) = cut(rest, "?");
            s.rest = rest.to_owned();
            s.set(s.own(Part::Query), query);
            s.set(s.own(Part::Fragment), fragment);
        }
        Go
    }),
    Step::new("SplitFtp: type", "cut ;type= and one of the letters A, D and I at the end of an ftp URL", |s| {
        let found = Some(with_type(&s.rest)).filter(|_| scheme_of(s) == "ftp").map(|(rest, kind)| (rest.to_owned(), kind.map(str::to_owned)));
        if let Some((rest, Some(kind))) = found {
            s.rest = rest;
            s.set(s.own(Part::Params), kind);
        }
        Go
    }),
    Step::new(
        "GetUPHP",
        "after two slashes, a user name and a password before @, a host name or an address in brackets, and a port are the authority, where they are \
         well-formed; reject what follows, unless it begins with a slash",
        |s| {
            let (slot, name) = (s.own(Part::Authority), scheme_of(s));
            s.set(slot, None::<&str>);
            let Some(after) = s.rest.strip_prefix("//").filter(|_| name != "file") else { return Go };
            let authority = authority(after).map(|end| after.split_at(end)).map(|(it, rest)| (it.to_owned(), rest.to_owned()));
            let Some((authority, rest)) = authority else { return s.reject(slot, "the URL is invalid") };
            s.set(slot, authority);
            s.rest = rest;
            Go
        },
    ),
    Step::new("SplitFile: host", "after two slashes, the longest host name or address in brackets is the host of file, if there is one", |s| {
        let Some(after) = s.rest.strip_prefix("//").filter(|_| scheme_of(s) == "file").map(str::to_owned) else { return Go };
        let (host, rest) = after.split_at(host(&after));
        s.set(s.own(Part::Authority), (!host.is_empty()).then_some(host));
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("SplitHttpInner, SplitFtp, SplitFile: path", "what is left is the path", |s| {
        let path = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Path), path);
        Go
    }),
    Step::new("AddQuirk3986: string trimleft", "remove the slashes after the one that begins a path of http, https or ftp", |s| {
        let slot = s.own(Part::Path);
        if scheme_of(s) != "file" && s.get(slot).starts_with('/') {
            let path = format!("/{}", s.get(slot).trim_start_matches('/'));
            s.set(slot, path);
        }
        Go
    }),
];

/// The mark of a reference that is resolved.
const RELATIVE: &str = "the reference is relative";

fn is_relative(s: &State<'_>) -> bool {
    s.side == Side::Reference && s.is_marked(RELATIVE)
}

/// The scheme of the text that is read: of a relative reference, that of the base.
fn scheme_of(s: &State<'_>) -> String {
    let slot = if is_relative(s) { Slot::Base(Part::Scheme) } else { s.own(Part::Scheme) };
    s.get(slot).to_ascii_lowercase()
}

fn has_path(scheme: &str) -> bool {
    is_http(scheme) || matches!(scheme, "ftp" | "file")
}

fn is_http(scheme: &str) -> bool {
    matches!(scheme, "http" | "https")
}

/// The characters that Tcl's `string trim` removes.
fn is_trimmed(it: char) -> bool {
    it.is_whitespace() || matches!(it, '\0' | '\u{180e}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Divides an ftp URL or path before the type at its end, if it has one.
fn with_type(text: &str) -> (&str, Option<&str>) {
    let found = text.strip_suffix(['A', 'a', 'D', 'd', 'I', 'i']).and_then(|it| it.strip_suffix(";type="));
    found.map_or((text, None), |path| (path, Some(&text[path.len()..])))
}

/// Where the user name and the password end before an @: after it, or at the start.
fn userinfo(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut colons) = (0, 0);
    loop {
        match bytes.get(at) {
            Some(b'@') => return at + 1,
            Some(b':') if colons == 0 => colons = 1,
            Some(b'%') if is_escape(&text[at..]) => at += 2,
            Some(it) if it.is_ascii_alphanumeric() || b"$_.+!*'(,);?&=-".contains(it) => {}
            _ => return 0,
        }
        at += 1;
    }
}

/// The length of the host at the start of a text: an address in brackets, or the longest name whose labels do not begin or end with a hyphen.
fn host(text: &str) -> usize {
    if text.starts_with('[') {
        return text.find(']').map_or(0, |at| at + 1);
    }
    let mut end = 0;
    loop {
        let label = &text[end..];
        let label = &label[..label.find(|it: char| !it.is_ascii_alphanumeric() && it != '-').unwrap_or(label.len())];
        let own = if label.starts_with('-') { 0 } else { label.trim_end_matches('-').len() };
        end += own;
        match own > 0 && own == label.len() && text[end..].starts_with('.') {
            true => end += 1,
            false => return end,
        }
    }
}

/// The length of the authority at the start of a text; `None` if what follows does not begin with a slash.
fn authority(text: &str) -> Option<usize> {
    let user = userinfo(text);
    let host = host(&text[user..]);
    let mut end = user + host;
    if let Some(port) = text[end..].strip_prefix(':').filter(|_| host > 0) {
        end += 1 + port.find(|it: char| !it.is_ascii_digit()).unwrap_or(port.len());
    }
    (end == text.len() || text[end..].starts_with('/')).then_some(end)
}

/// Divides an authority into its user name, its password, its host and its port.
fn divided(text: &str) -> [&str; 4] {
    let (info, rest) = text.split_at(userinfo(text));
    let (user, password) = cut(info.trim_end_matches('@'), ":");
    let (host, port) = rest.split_at(host(rest));
    [user, password.unwrap_or_default(), host, port.trim_start_matches(':')]
}

/// `resolve`, `canonicalize` and `join`.
static RESOLVE: &[Step] = &[
    Step::new("resolve: isrelative", "a reference with a scheme inherits nothing; another one is split as a URL with the scheme of the base is", |s| {
        match scheme(s.get(Slot::Ref(Part::Text))).is_some() {
            true => To(ABSOLUTE),
            false => {
                s.mark(RELATIVE);
                Go
            }
        }
    }),
    Step::new("split: the base", "read the base", |_| Call(SPLIT, Side::Base)),
    Step::new("resolve: switch $baseparts(scheme)", "reject a base of mailto, news, ldap and ldaps", |s| {
        let slot = Slot::Base(Part::Scheme);
        match has_path(s.get(slot)) {
            true => Go,
            false => s.reject(slot, "references on a URL with this scheme are not resolved"),
        }
    }),
    Step::new("split: the reference", "read the reference", |_| Call(SPLIT, Side::Reference)),
    Step::new("resolve: baseparts", "inherit the scheme, but not the fragment; the query is the reference's", |s| {
        s.inherit(Part::Scheme);
        s.flow(Slot::Out(Part::Params), Slot::Base(Part::Params));
        for part in [Part::Query, Part::Fragment] {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("resolve: $relparts(host)", "a reference that begins with a slash and has a host has its own authority, any other one the base's", |s| {
        let has_host = !divided(s.get(Slot::Ref(Part::Authority)))[2].is_empty();
        match has_host && s.get(Slot::Ref(Part::Text)).starts_with('/') {
            true => {
                s.keep(Slot::Used);
                s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            }
            false => s.inherit(Part::Authority),
        }
        Go
    }),
    Step::new("resolve: string match /* $url", "a reference that begins with a slash has its own path", |s| {
        if !s.get(Slot::Ref(Part::Text)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To(SLASH)
    }),
    Step::new("resolve: canon 0", "any other reference without a path inherits the base's, and a query if its own is empty; dot segments stay", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        s.mark(AS_IT_IS);
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To(SLASH)
    }),
    Step::new("resolve: lreplace end end", "write the path after the base's up to its last slash, or after a slash if it has none", |s| {
        let folder = match folder(s.get(Slot::Base(Part::Path))) {
            "" => "/",
            folder => folder,
        };
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        To(SLASH)
    }),
    Step::new(ABSOLUTE, "return a URL with a scheme as it is, if it cannot be split or its scheme has no paths", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        match has_canonical_form(&text) {
            true => Go,
            false => s.return_text(text),
        }
    }),
    Step::new("canonicalize: split $uri", "read the URL", |_| Call(SPLIT, Side::Reference)),
    Step::new("canonicalize: array set u", "take all parts from it", |s| {
        for part in [Part::Scheme, Part::Authority, Part::Params, Part::Query, Part::Fragment] {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.set(Slot::Used, "nothing");
        Go
    }),
    Step::new(SLASH, "write a slash before a path of http, https and ftp that begins with another character", |s| {
        let path = s.get(Slot::Merged);
        if s.get(Slot::Out(Part::Scheme)) != "file" && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Merged, path);
        }
        Go
    }),
    Step::new("JoinFile: string index $components(path) 0", "write a slash before a path of file that does not begin with one", |s| {
        let path = s.get(Slot::Merged);
        if s.get(Slot::Out(Part::Scheme)) == "file" && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Merged, path);
        }
        Go
    }),
    Step::new("canonicalize: split: string trim", "remove white space and NUL at the end of a URL that was resolved, unless the path is the base's", |s| {
        if !s.is_marked(RELATIVE) || s.is_marked(AS_IT_IS) || s.present(Slot::Out(Part::Params)).is_some() {
            return Go;
        }
        let parts = [Slot::Out(Part::Fragment), Slot::Out(Part::Query), Slot::Merged];
        if let Some(slot) = parts.into_iter().find(|slot| !s.get(*slot).is_empty()) {
            let text = s.get(slot).trim_end_matches(is_trimmed).to_owned();
            s.set(slot, text);
        }
        Go
    }),
    Step::new("RemoveDotSegments: RemoveDoubleSlashes", "remove each empty segment that is neither the first nor the last one", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        if s.is_marked(AS_IT_IS) {
            return To(WRITE);
        }
        let segments: Vec<&str> = s.get(Slot::Merged).split('/').collect();
        let last = segments.len() - 1;
        let kept = segments.iter().enumerate().filter(|(at, it)| *at == 0 || *at == last || !it.is_empty());
        let path = kept.map(|(_, it)| *it).collect::<Vec<_>>().join("/");
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("RemoveDotSegments", "remove each . segment, and each .. with the segment before it", |s| {
        let path = urlstrata_steps::text::without_dots(s.get(Slot::NoDots));
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(WRITE, "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("ComposeUPHP: userPwd", "write neither an empty password nor, without a password, an empty user name", |s| {
        let slot = Slot::Out(Part::Authority);
        let [user, password, ..] = divided(s.get(slot));
        let rest = &s.get(slot)[userinfo(s.get(slot))..];
        let authority = match (user, password) {
            ("", "") => rest.to_owned(),
            (user, "") => format!("{user}@{rest}"),
            (user, password) => format!("{user}:{password}@{rest}"),
        };
        if s.present(slot).is_some() {
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("ComposeUPHP: port", "write neither an empty port nor the default one of http and https, which may be an octal number", |s| {
        let slot = Slot::Out(Part::Authority);
        let [.., port] = divided(s.get(slot));
        let is_dropped = match s.get(Slot::Out(Part::Scheme)) {
            "http" => port.is_empty() || number(port) == Some(80),
            "https" => port.is_empty() || number(port) == Some(443),
            _ => port.is_empty(),
        };
        if is_dropped && s.present(slot).is_some() {
            let authority = s.get(slot).strip_suffix(port).unwrap_or_default().trim_end_matches(':').to_owned();
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("JoinHttpInner: query, fragment", "write neither an empty query nor an empty fragment", |s| {
        for part in [Part::Query, Part::Fragment] {
            if s.get(Slot::Out(part)).is_empty() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new("JoinFtp: type", "write the type after the path, and a slash before it if the path is empty", |s| {
        if let Some(kind) = s.present(Slot::Out(Part::Params)).map(str::to_owned) {
            let path = s.get(Slot::Out(Part::Path));
            let path = format!("{}{kind}", if path.is_empty() { "/" } else { path });
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("JoinHttpInner, JoinFtp, JoinFile: ://", "write two slashes, also without an authority", |s| {
        let slot = Slot::Out(Part::Authority);
        if s.present(slot).is_none() {
            s.set(slot, "");
        }
        Go
    }),
    Step::new("join", "concatenate the components", |s| s.concatenate()),
];

const ABSOLUTE: &str = "canonicalize: return $uri";
const SLASH: &str = "RemoveQuirk3986: set u(path) \"/$u(path)\"";
const WRITE: &str = "canonicalize: set u(path)";
/// The mark of a target that is not made canonical.
const AS_IT_IS: &str = "the path is the base's";

/// Returns whether a text can be split, and its scheme has paths.
fn has_canonical_form(text: &str) -> bool {
    let Some((name, rest)) = scheme(text.trim_end_matches(is_trimmed)) else { return false };
    let name = name.to_ascii_lowercase();
    let rest = match name.as_str() {
        "ftp" => with_type(rest).0,
        "file" => "",
        _ => until(rest, &['?', '#']).0,
    };
    has_path(&name) && rest.strip_prefix("//").is_none_or(|after| authority(after).is_some())
}

/// Reads a number as Tcl 8.6 does: one that begins with a zero is octal.
fn number(digits: &str) -> Option<u64> {
    match digits.len() > 1 && digits.starts_with('0') {
        true => u64::from_str_radix(digits, 8).ok(),
        false => digits.parse().ok(),
    }
}

/// `split`, and what it finds.
static STATE: &[Step] = &[
    Step::new("split", "read the URL", |_| Call(SPLIT, Side::Reference)),
    Step::new("SplitMailto", "before and after the first @ are the user and the host of mailto, which has no path", |s| {
        if s.get(Slot::Ref(Part::Scheme)) == "mailto" {
            let rest = std::mem::take(&mut s.rest);
            let mut parts = rest.split('@');
            s.set(Slot::Out(Part::User), parts.next());
            s.set(Slot::Out(Part::Host), parts.next());
        }
        Go
    }),
    Step::new("SplitLdap", "after the first two slashes that a host follows are the host and the port of ldap and ldaps; reject a URL without them", |s| {
        if !s.get(Slot::Ref(Part::Scheme)).starts_with("ldap") {
            return Go;
        }
        let rest = std::mem::take(&mut s.rest);
        let starts = rest.match_indices("//").map(|(at, _)| &rest[at + 2..]);
        let Some([host, port]) = starts.map(ldap_server).find(|[host, _]| !host.is_empty()) else {
            return s.reject(Slot::Ref(Part::Authority), "the URL has no host");
        };
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("split: scheme, path, query, fragment", "state these as they were read, the path of http, https and ftp without its slash", |s| {
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        let name = s.get(Slot::Ref(Part::Scheme)).to_owned();
        if name != "file" && s.get(Slot::Ref(Part::Path)).starts_with('/') {
            let path = s.get(Slot::Ref(Part::Path))[1..].to_owned();
            s.set(Slot::Out(Part::Path), path);
        }
        for part in [Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            let text = s.get(Slot::Ref(part)).to_owned();
            s.set(Slot::Out(part), is_http(&name).then_some(text));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("GetUPHP: user, pwd, host, port", "state the parts of the authority, which may be empty; other schemes than http, https, ftp and file do not have them", |s| {
        let name = s.get(Slot::Ref(Part::Scheme)).to_owned();
        if !has_path(&name) {
            for part in [Part::User, Part::Password, Part::Host, Part::Port, Part::Path] {
                if s.present(Slot::Out(part)).is_none() {
                    s.set(Slot::Out(part), None::<&str>);
                }
            }
            return Done;
        }
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let [user, password, host, port] = divided(authority.as_deref().unwrap_or_default());
        let has_parts = name == "ftp" || is_http(&name) && authority.is_some();
        s.set(Slot::Out(Part::User), has_parts.then_some(user));
        s.set(Slot::Out(Part::Password), has_parts.then_some(password));
        s.set(Slot::Out(Part::Host), (name != "file" || authority.is_some()).then_some(host));
        s.set(Slot::Out(Part::Port), (name != "file").then_some(port));
        Done
    }),
];

/// Divides the server of an ldap URL into its host and its port: an address in brackets, or what precedes a delimiter, whichever makes more of the
/// URL match.
fn ldap_server(text: &str) -> [&str; 2] {
    let address = text.strip_prefix('[').and_then(|it| it.find(']')).map(|at| at + 2);
    let name = until(text, &[':', '?', '/']).0.len();
    let matched = |host: usize| {
        let rest = &text[host..];
        let digits = rest.strip_prefix(':').map_or(0, |it| it.find(|it: char| !it.is_ascii_digit()).unwrap_or(it.len()));
        let port = if digits > 0 { &rest[1..=digits] } else { "" };
        let tail = &rest[if digits > 0 { 1 + digits } else { 0 }..];
        (text.len() - tail.len() + ldap_tail(tail), host, port)
    };
    let (_, host, port) = [Some(name), address].into_iter().flatten().map(matched).max().unwrap_or_default();
    [&text[..host], port]
}

/// The length of what matches after the server of an ldap URL: a name, attributes, a scope, a filter and extensions.
fn ldap_tail(text: &str) -> usize {
    let name = text.strip_prefix('/').map_or("", |it| until(it, &['?']).0);
    let Some(rest) = text.get(1 + name.len()..).filter(|_| !name.is_empty()) else { return 0 };
    let Some(rest) = rest.strip_prefix('?').map(|it| until(it, &['?']).1) else { return text.len() - rest.len() };
    let Some(rest) = rest.strip_prefix('?') else { return text.len() - rest.len() };
    let scope = ["base", "one", "sub"].into_iter().find(|it| rest.starts_with(it)).unwrap_or_default();
    let rest = &rest[scope.len()..];
    if rest.starts_with('?') { text.len() } else { text.len() - rest.len() }
}
