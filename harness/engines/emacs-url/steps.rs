//! Emacs's url library: `(url-expand-file-name reference base)`, and the accessors of `(url-generic-parse-url text)`, of 28.2 to 30.1.
//!
//! Read from `lisp/url/url-expand.el`, `url-parse.el`, `url-util.el` and `url-methods.el` of Emacs 30.1. An unknown base is the empty text. In these
//! files, `^` and `$` match at the start and at the end of each line.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, is_escape, scheme, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// Emacs's url library.
pub static TABLE: Table = Table {
    engine: "emacs-url",
    first: "28.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `url-generic-parse-url`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("url-generic-parse-url: 3.1. Scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let text = s.get(s.own(Part::Text)).to_owned();
        let found = scheme(&text);
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(text.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("url-generic-parse-url: (downcase (match-string 1))", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("url-generic-parse-url: 3.2. Authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new(
        "url-generic-parse-url: 3.2.1 User Information",
        "the first @ ends the user name, unless the line begins with it; the password follows the first colon before it",
        |s| {
            let text = s.present(s.own(Part::Authority)).map(str::to_owned);
            let info = text.as_deref().and_then(|text| userinfo(text).0);
            let (user, password) = info.map_or((None, None), |info| info.split_once(':').map_or((Some(info), None), |(user, it)| (Some(user), Some(it))));
            s.set(s.own(Part::User), user);
            s.set(s.own(Part::Password), password.map(|it| until(it, &['\n']).0));
            Go
        },
    ),
    Step::new(
        "url-generic-parse-url: IPv6 literal address, Registered name or IPv4 address",
        "the rest of the authority is the host, and digits after a colon at its end are the port; after a text in brackets, nothing else may follow",
        |s| {
            let text = s.present(s.own(Part::Authority)).map(str::to_owned);
            let found = text.as_deref().map(|text| host(userinfo(text).1));
            s.set(s.own(Part::Host), found.map(|(host, _)| host));
            s.set(s.own(Part::Port), found.and_then(|(_, port)| port));
            Go
        },
    ),
    Step::new("url-generic-parse-url: (string-to-number port)", "write the port as a number; an empty one is absent", |s| {
        let slot = s.own(Part::Port);
        if let Some(port) = s.present(slot).map(number) {
            s.set(slot, port);
        }
        Go
    }),
    Step::new("url-generic-parse-url: (downcase host)", "write the host in lower case", |s| {
        let slot = s.own(Part::Host);
        if let Some(host) = s.present(slot).map(downcase) {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("url-generic-parse-url: 3.3. Path, 3.4. Query, 3.5 Fragment", "cut the fragment at #, unless the scheme is data, the query at ?, and the path", |s| {
        let is_of_base = s.side == Side::Reference && starts_line(s.get(Slot::Ref(Part::Text)), "//");
        let scheme = if is_of_base { Slot::Base(Part::Scheme) } else { s.own(Part::Scheme) };
        if s.get(scheme) != "data" {
            return rfc3986::cut_path(s);
        }
        let rest = std::mem::take(&mut s.rest);
        let (path, query) = cut(&rest, "?");
        s.set(s.own(Part::Path), path);
        s.set(s.own(Part::Query), query);
        s.set(s.own(Part::Fragment), None::<&str>);
        Go
    }),
];

/// The starts of the lines of a text.
fn lines(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1))
}

/// Whether a line of a text starts so.
fn starts_line(text: &str, start: &str) -> bool {
    lines(text).any(|at| text[at..].starts_with(start))
}

/// Whether a text ends, or its line does.
fn ends_line(text: &str) -> bool {
    text.is_empty() || text.starts_with('\n')
}

/// Divides an authority after its user information.
fn userinfo(text: &str) -> (Option<&str>, &str) {
    let found = lines(text).find_map(|at| text[at..].split_once('@').filter(|(info, _)| !info.is_empty()));
    found.map_or((None, text), |(info, host)| (Some(info), host))
}

/// Divides a host and its port.
fn host(text: &str) -> (&str, Option<&str>) {
    let port = |rest: &str| rest.strip_prefix(':').map(|rest| rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len()));
    let address = lines(text).find_map(|at| {
        let end = text[at..].strip_prefix('[')?.find(']').filter(|it| *it > 0)? + at + 2;
        let rest = &text[end..];
        match port(rest) {
            Some(digits) if ends_line(&rest[1 + digits..]) => Some((&text[at..end], Some(&rest[1..=digits]))),
            _ => ends_line(rest).then_some((&text[at..end], None)),
        }
    });
    let name = || {
        text.match_indices(':').find_map(|(at, _)| {
            let digits = port(&text[at..])?;
            ends_line(&text[at + 1 + digits..]).then_some((&text[..at], Some(&text[at + 1..at + 1 + digits])))
        })
    };
    address.or_else(name).unwrap_or((text, None))
}

/// `downcase`: the Kelvin sign stays, and a sigma at the end of a word has its final form.
fn downcase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_in_word = false;
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        match it {
            '\u{212a}' => out.push(it),
            'Σ' if is_in_word && !rest.peek().is_some_and(|next| next.is_alphanumeric()) => out.push('ς'),
            _ => out.extend(it.to_lowercase()),
        }
        is_in_word = it.is_alphanumeric();
    }
    out
}

/// Writes digits as a number; an empty text is absent.
fn number(digits: &str) -> Option<String> {
    let rest = digits.trim_start_matches('0');
    let number = if rest.is_empty() { "0" } else { rest };
    (!digits.is_empty()).then(|| number.to_owned())
}

/// `url-expand-file-name` and `url-recreate-url`.
static RESOLVE: &[Step] = &[
    Step::new(
        "url-expand-file-name: mapconcat",
        "remove spaces, line feeds and carriage returns from the reference, unless it or a line of it begins with #",
        |s| {
            let text = s.read_text();
            s.rest = match starts_line(&text, "#") {
                true => text,
                false => text.replace([' ', '\n', '\r'], ""),
            };
            s.write_text();
            Go
        },
    ),
    Step::new("url-generic-parse-url: default", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("url-expand-file-name: (= (length url) 0)", "for an empty reference, take the base, with its fragment", |s| {
        if !s.get(Slot::Ref(Part::Text)).is_empty() {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            s.inherit(part);
        }
        take(s, Slot::Base);
        To(RECREATE)
    }),
    Step::new("url-expand-file-name: url-nonrelative-link", "return a reference with a scheme as it is", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        match scheme(&text).is_some() {
            true => s.return_text(text),
            false => Go,
        }
    }),
    Step::new("url-expand-file-name: (concat (url-type default) : url)", "write a colon before a reference that begins with two slashes, if the base has no scheme", |s| {
        let text = s.get(Slot::Ref(Part::Text));
        if starts_line(text, "//") && s.present(Slot::Base(Part::Scheme)).is_none() {
            s.rest = format!(":{text}");
            s.write_text();
        }
        Go
    }),
    Step::new("url-generic-parse-url: url", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("url-expand-file-name: (url-type default)", "inherit the scheme; the fragment is the reference's", |s| {
        s.inherit(Part::Scheme);
        for part in [Part::Query, Part::Fragment] {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("url-expand-file-name: (string-match ^// url)", "a reference that begins with two slashes inherits nothing else, and its dot segments stay", |s| {
        match starts_line(s.get(Slot::Ref(Part::Text)), "//") && s.present(Slot::Base(Part::Scheme)).is_some() {
            true => keep(s),
            false => Go,
        }
    }),
    Step::new("url-scheme-get-property: url-identity-expander", "on a base of another scheme than file, ftp, http, https and ldap, nothing else is inherited, and dot segments stay", |s| {
        match matches!(s.get(Slot::Base(Part::Scheme)), "file" | "ftp" | "http" | "https" | "ldap") {
            true => Go,
            false => keep(s),
        }
    }),
    Step::new("url-default-expander: (url-host defobj)", "inherit the authority", |s| {
        s.inherit(Part::Authority);
        take(s, Slot::Base);
        Go
    }),
    Step::new("url-default-expander: (setf (url-host urlobj))", "do not inherit the host of a file URL", |s| {
        if s.get(Slot::Out(Part::Scheme)) == "file" {
            s.set(Slot::Out(Part::Host), None::<&str>);
        }
        Go
    }),
    Step::new("url-default-expander: (setf (url-user urlobj))", "do not inherit the user name, except that of ftp, nor the password", |s| {
        if s.get(Slot::Out(Part::Scheme)) != "ftp" {
            s.set(Slot::Out(Part::User), None::<&str>);
        }
        s.set(Slot::Out(Part::Password), None::<&str>);
        Go
    }),
    Step::new("url-default-expander: (string-match ^/ (url-filename urlobj))", "a path that begins with a slash is not merged", |s| {
        let query = s.present(Slot::Ref(Part::Query)).map(|it| format!("?{it}")).unwrap_or_default();
        match starts_line(&format!("{}{query}", s.get(Slot::Ref(Part::Path))), "/") {
            true => {
                s.flow(Slot::Merged, Slot::Ref(Part::Path));
                To(LINKS)
            }
            false => Go,
        }
    }),
    Step::new("url-default-expander: (car (url-path-and-query defobj))", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To(LINKS)
    }),
    Step::new("url-file-directory", "write the path after the base's up to its last slash or encoded slash", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let merged = format!("{}{}", directory(base), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(LINKS, "write a slash before a path that is not empty and does not begin with one", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        let path = s.get(Slot::NoDots);
        if !path.is_empty() && !starts_line(path, "/") {
            let path = format!("/{path}");
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new("url-expander-remove-relative-links: /.+$", "write a slash after a last segment of dots, however many they are", |s| {
        let path = s.get(Slot::NoDots);
        let is_dots = |at: usize| {
            let rest = path[at + 1..].trim_start_matches('.');
            rest.len() < path.len() - at - 1 && ends_line(rest)
        };
        if path.match_indices('/').any(|(at, _)| is_dots(at)) {
            let path = format!("{path}/");
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new("url-expander-remove-relative-links: /./", "remove each . segment", |s| {
        let mut path = s.get(Slot::NoDots).to_owned();
        while let Some(at) = path.find("/./") {
            path.replace_range(at + 1..at + 3, "");
        }
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("url-expander-remove-relative-links: [^/]*/../", "remove each .. segment with the one before it, which may be another one", |s| {
        let mut path = s.get(Slot::NoDots).to_owned();
        while let Some(end) = path.match_indices("/../").map(|(at, _)| at).find(|at| *at > 0 && path[..*at].contains('/')) {
            let start = path[..end].rfind('/').unwrap_or_default();
            path.replace_range(start + 1..end + 4, "");
        }
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("url-expander-remove-relative-links: ^/../", "remove .. segments at the start of the path", |s| {
        let mut path = s.get(Slot::NoDots).to_owned();
        loop {
            let found = lines(&path).find(|at| path[*at..].starts_with("/../"));
            let Some(at) = found else { break };
            path.replace_range(..at + 3, "");
        }
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("url-default-expander: (setf (url-filename urlobj))", "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new(RECREATE, "decode the escapes of the host, if one of them has two decimal digits; line feeds and carriage returns become spaces", |s| {
        let slot = Slot::Out(Part::Host);
        if let Some(host) = s.present(slot).map(|it| unescaped(it, Vec::push)) {
            let host = s.text(host);
            s.set(slot, host);
        }
        Go
    }),
    Step::new("url-port-if-non-default", "do not write the default port of the scheme, which is 0 for an unknown one", |s| {
        let slot = Slot::Out(Part::Port);
        let is_default = s.present(Slot::Out(Part::Scheme)).is_some_and(|scheme| s.get(slot) == default_port(scheme));
        if is_default {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("url-recreate-url: (url-fullness urlobj)", "write the user name, the password, the host and the port after two slashes", |s| {
        let part = |part, before: &str, after: &str| s.present(Slot::Out(part)).map(|it| format!("{before}{it}{after}")).unwrap_or_default();
        let has_user = s.present(Slot::Out(Part::User)).is_some() || s.present(Slot::Out(Part::Password)).is_some();
        let user = format!("{}{}{}", part(Part::User, "", ""), part(Part::Password, ":", ""), if has_user { "@" } else { "" });
        let authority = format!("{user}{}{}", part(Part::Host, "", ""), part(Part::Port, ":", ""));
        if s.present(Slot::Out(Part::Authority)).is_some() {
            s.compose(Slot::Out(Part::Authority), &[Slot::Out(Part::User), Slot::Out(Part::Password), Slot::Out(Part::Host), Slot::Out(Part::Port)]);
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    }),
    Step::new("url-recreate-url", "concatenate the components", |s| s.concatenate()),
];

const LINKS: &str = "url-expander-remove-relative-links: (concat / name)";
const RECREATE: &str = "url-unhex-string: the host that is written";

/// Takes the parts of the authority from the base or the reference.
fn take(s: &mut State<'_>, of: fn(Part) -> Slot) {
    for part in [Part::User, Part::Password, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), of(part));
    }
}

/// Takes the authority and the path of the reference as they are.
fn keep(s: &mut State<'_>) -> Next {
    s.keep(Slot::Used);
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    take(s, Slot::Ref);
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    To(RECREATE)
}

/// `url-file-directory`: the first line that has a slash, up to the last one.
fn directory(path: &str) -> &str {
    let slash = |line: &str| [line.rfind('/').map(|at| at + 1), line.rfind("%2F").map(|at| at + 3), line.rfind("%2f").map(|at| at + 3)].into_iter().flatten().max();
    path.split('\n').find_map(|line| slash(line).map(|end| &line[..end])).unwrap_or_default()
}

/// `url-unhex-string`, if an escape has two decimal digits.
fn unescaped(host: &str, write: impl Fn(&mut Vec<u8>, u8)) -> Vec<u8> {
    let is_decoded = host.match_indices('%').any(|(at, _)| host[at + 1..].bytes().take(2).filter(u8::is_ascii_digit).count() == 2);
    let mut out = Vec::new();
    let mut rest = host;
    while let Some(at) = rest.find('%').filter(|_| is_decoded) {
        out.extend(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        match is_escape(rest) {
            true => {
                let byte = u8::from_str_radix(&rest[1..3], 16).unwrap_or_default();
                write(&mut out, if matches!(byte, b'\n' | b'\r') { b' ' } else { byte });
                rest = &rest[3..];
            }
            false => {
                out.push(b'%');
                rest = &rest[1..];
            }
        }
    }
    out.extend(rest.as_bytes());
    out
}

fn default_port(scheme: &str) -> &'static str {
    match scheme {
        "http" => "80",
        "https" => "443",
        "ftp" | "file" => "21",
        "ldap" => "389",
        "imap" => "143",
        "irc" => "6667",
        "ircs" => "6697",
        _ => "0",
    }
}

/// `url-generic-parse-url`, and its accessors.
static STATE: &[Step] = &[
    Step::new("url-generic-parse-url", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("url-type, url-path-and-query, url-target", "state the scheme, the path, the query and the fragment as they were read", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("url-user, url-password, url-host", "state the parts of the authority", |s| {
        take(s, Slot::Ref);
        Go
    }),
    Step::new(
        "url-unhex-string",
        "decode the escapes of the host, if one of them has two decimal digits; line feeds and carriage returns become spaces, and bytes outside ASCII \
         are not characters: each is stated as a backslash and an octal number",
        |s| {
            let slot = Slot::Out(Part::Host);
            let octal = |out: &mut Vec<u8>, byte: u8| match byte.is_ascii() {
                true => out.push(byte),
                false => out.extend(format!("\\{byte:o}").bytes()),
            };
            if let Some(host) = s.present(slot).map(|it| unescaped(it, octal)) {
                let host = s.text(host);
                s.set(slot, host);
            }
            Go
        },
    ),
    Step::new("url-port", "without a port, state the default one of the scheme, which is 0 for an unknown one", |s| {
        let slot = Slot::Out(Part::Port);
        if let Some(port) = s.present(Slot::Ref(Part::Scheme)).filter(|_| s.present(slot).is_none()).map(default_port) {
            s.set(slot, port);
        }
        Done
    }),
];
