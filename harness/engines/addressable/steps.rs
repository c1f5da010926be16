//! Addressable's `Addressable::URI.join(base, reference)`, and the methods of `Addressable::URI.parse(url)`, from 2.4.0 on.
//!
//! Read from `lib/addressable/uri.rb` of 2.4.0 to 2.9.0. The marks `^` and `$` of Ruby's patterns are ends of lines, and a line end is a character
//! that most components may have: so a pattern can match in the middle of a text.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

/// Addressable.
pub static TABLE: Table = Table {
    engine: "addressable",
    first: "2.4.0",
    changes: &[&SLASHES, &BACKSLASH, &FIRST_LINE],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, ACCESSORS)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static SLASHES: Change = Change {
    id: "two-slashes",
    versions: &["2.5.0"],
    date: "2016-11-04",
    issue: "",
    says: "a path that begins with two slashes is rejected without an authority",
    witness: Witness::resolving("a:/b", "..//c", Some("a://c"), None),
};

static BACKSLASH: Change = Change {
    id: "backslash",
    versions: &["2.5.0"],
    date: "2016-11-04",
    issue: "",
    says: "a host with a backslash is rejected",
    witness: Witness::resolving("http://a", "//b\\c", Some("http://b\\c"), None),
};

static FIRST_LINE: Change = Change {
    id: "2.6.0",
    versions: &["2.6.0"],
    date: "2019-01-17",
    issue: "",
    says: "of the segments that end a line of the base's path, only the first one is removed",
    witness: Witness::resolving("http://a/b\n/c", "d", Some("http://a/\n/d"), Some("http://a/\n/cd")),
};

/// The schemes of `PORT_MAPPING`.
const IP_BASED: &[&str] = &[
    "http", "https", "ftp", "tftp", "sftp", "ssh", "svn+ssh", "telnet", "nntp", "gopher", "wais", "ldap", "prospero",
];

fn is_line_start(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\n')
}

fn is_line_end(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at), None | Some(b'\n'))
}

/// Replaces each match, whose end `ends` returns for a start; `None` if there is none.
fn replaced(text: &str, with: &str, ends: impl Fn(usize) -> Option<usize>) -> Option<String> {
    let (mut out, mut at, mut has_match) = (String::new(), 0, false);
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match ends(at).filter(|end| *end > at) {
            Some(end) => {
                out.push_str(with);
                at = end;
                has_match = true;
            }
            None => {
                out.push(first);
                at += first.len_utf8();
            }
        }
    }
    has_match.then_some(out)
}

/// Returns the end of `mark` at `at`.
fn after(text: &str, at: usize, mark: &str) -> Option<usize> {
    text.get(at..)?.starts_with(mark).then_some(at + mark.len())
}

/// Returns the end of `mark` at `at` if a line ends there.
fn at_end(text: &str, at: usize, mark: &str) -> Option<usize> {
    after(text, at, mark).filter(|end| is_line_end(text, *end))
}

/// The user before the last `@` that precedes brackets, and its place.
fn user(authority: &str) -> Option<(usize, usize)> {
    let starts = (0..authority.len()).filter(|at| is_line_start(authority, *at));
    starts.filter_map(|start| Some((start, start + until(authority.get(start..)?, &['[', ']']).0.rfind('@')?))).next()
}

/// The port after the first colon that only other characters than `:@[]` follow up to the end of a line, and its place.
fn port(text: &str) -> Option<(usize, usize)> {
    let colons = text.bytes().enumerate().filter(|(_, it)| *it == b':').map(|(at, _)| at);
    colons
        .filter_map(|at| {
            let rest = text.get(at + 1..)?;
            let end = at + 1 + until(rest, &[':', '@', '[', ']', '\n']).0.len();
            is_line_end(text, end).then_some((at, end))
        })
        .next()
}

/// Divides an authority: user with password, host, port. Without its port, a host can look as if it had another one.
fn divided(authority: &str) -> (Option<&str>, String, Option<&str>) {
    let (own, mut host) = match user(authority) {
        Some((start, at)) => (authority.get(start..at), [&authority[..start], &authority[at + 1..]].concat()),
        None => (None, authority.to_owned()),
    };
    if let Some((at, end)) = port(&host) {
        host.replace_range(at..end, "");
    }
    (own, host, port(authority).and_then(|(at, end)| authority.get(at + 1..end)))
}

/// Removes what Ruby's `strip` does.
fn stripped(text: &str) -> &str {
    text.trim_matches(|it| matches!(it, '\0' | ' ' | '\t'..='\r'))
}

fn composed(user: Option<&str>, host: &str, port: Option<&str>) -> String {
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{user}{host}{port}")
}

/// `port=`: the number in a port after its escapes are decoded, `Some("")` for zero; `None` if it is not a number.
fn number(port: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = port.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()).filter(|hex| hex.bytes().all(|it| it.is_ascii_hexdigit()));
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    let decoded = String::from_utf8(bytes).ok()?;
    let is_number = |line: &str| !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit());
    if !decoded.split('\n').any(is_number) {
        return None;
    }
    let digits = decoded.trim_start_matches(|it: char| it.is_ascii_whitespace());
    let digits = digits.split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
    Some(digits.trim_start_matches('0').to_owned())
}

/// `validate`, for a text and for the target: a scheme with ports needs a host or a path.
fn check_hierarchical(s: &mut State<'_>, of: fn(Part) -> Slot) -> Next {
    let is_ip_based = IP_BASED.contains(&s.get(of(Part::Scheme)).to_ascii_lowercase().as_str());
    if is_ip_based && s.get(of(Part::Host)).is_empty() && s.get(of(Part::Path)).is_empty() {
        return s.reject(of(Part::Authority), "neither a host nor a path");
    }
    Go
}

fn check_slashes(s: &mut State<'_>, of: fn(Part) -> Slot) -> Next {
    if s.present(of(Part::Authority)).is_none() && s.get(of(Part::Path)).starts_with("//") {
        return s.reject(of(Part::Path), "two slashes without an authority");
    }
    Go
}

/// `to_s`: a path without a scheme has no line with a colon before the first slash.
fn check_ambiguous(s: &mut State<'_>, of: fn(Part) -> Slot) -> Next {
    let path = s.get(of(Part::Path));
    let begins_with_colon = |at: usize| path.get(at..).is_some_and(|line| until(line, &['/', ':']).1.starts_with(':'));
    let is_ambiguous = (0..path.len()).any(|at| is_line_start(path, at) && begins_with_colon(at));
    if s.present(of(Part::Scheme)).is_none() && is_ambiguous {
        return s.reject(of(Part::Path), "a colon in the first segment without a scheme");
    }
    Go
}

/// `URI.parse` and `initialize`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("URI.parse", "take the text as it is", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        Go
    }),
    Step::new("URIREGEX: scheme", "the part before a colon that precedes any of /?# is the scheme", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (name, after) = until(&rest, &[':', '/', '?', '#']);
        let after = after.strip_prefix(':').filter(|_| !name.is_empty());
        s.set(s.own(Part::Scheme), after.map(|_| name));
        s.rest = after.unwrap_or(&rest).to_owned();
        Go
    }),
    Step::new("URIREGEX: authority", "after two slashes, the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = match rest.strip_prefix("//").map(|after| until(after, &['/', '?', '#'])) {
            Some((authority, rest)) => (Some(authority), rest),
            None => (None, rest.as_str()),
        };
        s.set(s.own(Part::Authority), authority);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new(
        "URIREGEX: path, query, fragment",
        "the part after the first # is the fragment, up to the end of its line, and the part after the first ? is the query",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (rest, fragment) = cut(&rest, "#");
            let (path, query) = cut(rest, "?");
            s.set(s.own(Part::Fragment), fragment.map(|fragment| cut(fragment, "\n").0));
            s.set(s.own(Part::Query), query);
            s.set(s.own(Part::Path), path);
            Go
        },
    ),
    Step::new("URI#scheme=", "reject a scheme that is not a letter followed by letters, digits, +, - and .", |s| {
        let slot = s.own(Part::Scheme);
        let Some(scheme) = s.present(slot) else { return Go };
        // Without case, two letters outside ASCII match: the long s and the Kelvin sign.
        let is_letter = |it: char| it.is_ascii_alphabetic() || matches!(it, '\u{17f}' | '\u{212a}');
        let is_name = |it: char| is_letter(it) || it.is_ascii_digit() || matches!(it, '+' | '-' | '.');
        match scheme.starts_with(is_letter) && scheme.chars().all(is_name) {
            true => Go,
            false => s.reject(slot, "not a scheme"),
        }
    }),
    Step::new(
        "URI.parse: userinfo",
        "remove white space at both ends of the user and password before the last @, and what follows an end of line in the password",
        |s| {
            let slot = s.own(Part::Authority);
            let Some(authority) = s.present(slot) else { return Go };
            let (own, host, port) = divided(authority);
            let own = own.map(|own| {
                let (user, password) = cut(stripped(own), ":");
                password.map_or_else(|| user.to_owned(), |password| format!("{user}:{}", cut(password, "\n").0))
            });
            let authority = composed(own.as_deref(), &host, port);
            s.set(slot, authority);
            s.set(s.own(Part::Userinfo), own);
            s.set(s.own(Part::Host), host);
            Go
        },
    ),
    Step::new("URI.parse: EMPTY_STR", "an empty port is absent", |s| {
        let slot = s.own(Part::Authority);
        let Some((own, host, Some(""))) = s.present(slot).map(divided) else { return Go };
        let authority = composed(own, &host, None);
        s.set(slot, authority);
        s.set(s.own(Part::Port), None::<&str>);
        // Without a port, `port=` is not called.
        To("URI#path=")
    }),
    Step::new("URI#port=", "decode a port, reject one that is not a number, and drop zeros before it, and the port 0", |s| {
        let slot = s.own(Part::Authority);
        let Some(authority) = s.present(slot) else { return Go };
        let (own, host, Some(port)) = divided(authority) else { return Go };
        let Some(number) = number(port) else { return s.reject(slot, "a port that is not a number") };
        let number = Some(number).filter(|number| !number.is_empty());
        let authority = composed(own, &host, number.as_deref());
        s.set(slot, authority);
        s.set(s.own(Part::Port), number);
        Go
    }),
    Step::new("URI#path=", "insert a slash between an authority and a path without one", |s| insert_slash(s, s.of())),
    Step::new("URI#validate: host", "reject a host with white space or one of <>{}/?#@\", and brackets around other characters than RFC 3986's", |s| {
        let slot = s.own(Part::Authority);
        let host = s.get(s.own(Part::Host));
        let is_bad = |it: char| it.is_whitespace() || "<>{}/?#@\"".contains(it);
        let is_literal = |it: char| it.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:".contains(it);
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        match host.contains(is_bad) || literal.is_some_and(|literal| !literal.chars().all(is_literal)) {
            true => s.reject(slot, "a character that a host does not have"),
            false => Go,
        }
    }),
    Step::new("URI#validate: host with \\", "reject a host with a backslash", |s| {
        let slot = s.own(Part::Authority);
        if s.get(s.own(Part::Host)).contains('\\') { s.reject(slot, "a backslash in a host") } else { Go }
    })
    .since(&BACKSLASH),
    Step::new("URI#validate: hierarchical segment", "reject a scheme with a default port without a host and path", |s| {
        check_hierarchical(s, s.of())
    }),
    Step::new("URI#validate: two leading slashes", "reject a path that begins with two slashes without an authority", |s| {
        check_slashes(s, s.of())
    })
    .since(&SLASHES),
    Step::new("URI#to_s: NORMPATH", "without a scheme, reject a path with a colon in its first segment", |s| check_ambiguous(s, s.of())),
];

fn insert_slash(s: &mut State<'_>, of: fn(Part) -> Slot) -> Next {
    let path = s.get(of(Part::Path));
    if s.present(of(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
        let path = format!("/{path}");
        s.set(of(Part::Path), path);
    }
    Go
}

/// `normalize_path`: applies the first rule that matches until none does.
fn normalized(path: &str) -> String {
    let mut path = path.to_owned();
    loop {
        let text = path.as_str();
        let dot = |at| after(text, at, "/./").or_else(|| at_end(text, at, "/."));
        let next = replaced(text, "/", dot)
            .or_else(|| parent(text))
            .or_else(|| replaced(text, "", |at| leading_dots(text, at)))
            .or_else(|| replaced(text, "/", |at| prefixed_parent(text, at)));
        match next {
            Some(next) => path = next,
            None => return path,
        }
    }
}

/// `RULE_2B_2C`: the segment before the first `..`, wherever it precedes `..` in the same way.
fn parent(text: &str) -> Option<String> {
    let slashes = text.bytes().enumerate().filter(|(_, it)| *it == b'/').map(|(at, _)| at);
    let pair = |at: usize| {
        let segment = until(text.get(at + 1..)?, &['/']).0;
        let end = at + 1 + segment.len();
        let inner = after(text, end, "/../").map(|_| (segment, ""));
        inner.map(|pair| (pair, true)).or_else(|| at_end(text, end, "/..").map(|_| (("", segment), false)))
    };
    let ((inner, last), _) = slashes.filter_map(pair).next()?;
    let (inner, last) = (format!("/{inner}/../"), format!("/{last}/.."));
    replaced(text, "/", |at| after(text, at, &inner).or_else(|| at_end(text, at, &last)))
}

/// `RULE_2D`: dots that begin a line, with a slash after them or without.
fn leading_dots(text: &str, at: usize) -> Option<usize> {
    if !is_line_start(text, at) {
        return None;
    }
    let end = after(text, at, "..").or_else(|| after(text, at, "."))?;
    Some(after(text, end, "/").unwrap_or(end))
}

/// `RULE_PREFIXED_PARENT`: a dot segment that begins a line.
fn prefixed_parent(text: &str, at: usize) -> Option<usize> {
    if !is_line_start(text, at) {
        return None;
    }
    let dots = |at: usize| after(text, at, "/..").or_else(|| after(text, at, "/."));
    if let Some(end) = after(text, at, "/../").or_else(|| after(text, at, "/./")) {
        return Some(end);
    }
    let end = dots(at)?;
    is_line_end(text, end).then_some(end)
}

/// The end of a segment that ends a line.
fn last_segment(path: &str, at: usize) -> Option<usize> {
    let segment = until(path.get(at..)?.strip_prefix('/')?, &['/']).0;
    let end = at + 1 + segment.len();
    let end = if end == path.len() { end } else { at + 1 + segment.rfind('\n')? };
    (end > at + 1).then_some(end)
}

fn merge(s: &mut State<'_>, folder: fn(&str) -> Option<String>) -> Next {
    let base = s.get(Slot::Base(Part::Path));
    let mut merged = if base.contains('/') { folder(base).unwrap_or_else(|| base.to_owned()) } else { String::new() };
    if merged.is_empty() && s.present(Slot::Base(Part::Authority)).is_some() {
        merged.push('/');
    }
    s.inherit_as("folder");
    merged.push_str(s.get(Slot::Ref(Part::Path)));
    s.set(Slot::Merged, merged);
    Go
}

/// `URI.join`.
static JOIN: &[Step] = &[
    Step::new("URI.join", "parse the base", |_| Call(PARSE, Side::Base)),
    Step::new("URI.join: uris", "parse the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("URI#join: empty", "return the base if the reference is empty", |s| {
        if Part::COMPONENTS.iter().any(|part| s.present(Slot::Ref(*part)).is_some_and(|text| !text.is_empty() || *part != Part::Path)) {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.inherit(part);
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        s.flow(Slot::Out(Part::Path), Slot::Base(Part::Path));
        To("URI#to_s")
    }),
    Step::new("URI#join: uri.scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Out(Part::Host), Slot::Ref(Part::Host));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("URI.normalize_path")
    }),
    Step::new("URI#join: uri.authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            s.inherit(Part::Authority);
            s.flow(Slot::Out(Part::Host), Slot::Base(Part::Host));
            return Go;
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Out(Part::Host), Slot::Ref(Part::Host));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("URI.normalize_path")
    }),
    Step::new("URI#join: uri.path", "without a path, inherit the base's as it is, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("URI#path= (target)")
    }),
    Step::new("URI#join: SLASH", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("URI.normalize_path")
    }),
    Step::new("URI#join: normalize_path(base_path)", "remove the dot segments of the base's path", |s| {
        let path = normalized(s.get(Slot::Base(Part::Path)));
        s.set(Slot::Base(Part::Path), path);
        Go
    }),
    Step::new(
        "URI#join: base_path.gsub!",
        "the path follows the base's without the segment that ends each line, or a slash after an authority without a path",
        |s| merge(s, |base| replaced(base, "/", |at| last_segment(base, at))),
    )
    .until(&FIRST_LINE),
    Step::new(
        "URI#join: base_path.sub!",
        "the path follows the base's without the first segment that ends a line, or a slash after an authority without a path",
        |s| {
            merge(s, |base| {
                let (at, end) = base.match_indices('/').find_map(|(at, _)| Some((at, last_segment(base, at)?)))?;
                Some(format!("{}{}", base.get(..=at)?, base.get(end..)?))
            })
        },
    )
    .since(&FIRST_LINE),
    Step::new(
        "URI.normalize_path",
        "remove dot segments after a slash, each .. with the segment before it if that follows a slash, too, dots that begin a path even before \
         other characters, and excess ones",
        |s| {
            let path = normalized(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("URI#path= (target)", "insert a slash between an authority and a path without one", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        insert_slash(s, Slot::Out)
    }),
    Step::new("URI#validate: hierarchical segment (target)", "reject a scheme with a default port without a host and path", |s| {
        check_hierarchical(s, Slot::Out)
    }),
    Step::new("URI#validate: two leading slashes (target)", "reject a path that begins with two slashes without an authority", |s| {
        check_slashes(s, Slot::Out)
    })
    .since(&SLASHES),
    Step::new("URI#to_s: NORMPATH (target)", "without a scheme, reject a path with a colon in its first segment", |s| {
        check_ambiguous(s, Slot::Out)
    }),
    Step::new("URI#to_s", "concatenate the components", |s| s.concatenate()),
];

/// `URI.parse`, and the methods of the URI that return its components.
static ACCESSORS: &[Step] = &[
    Step::new("URI.parse: the URI", "parse the URI", |_| Call(PARSE, Side::Reference)),
    Step::new("URI#scheme, path, query, fragment, authority", "state the components", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("URI#userinfo, host, port", "state the parts of the authority, which are absent without one", |s| {
        for part in [Part::Userinfo, Part::Host, Part::Port] {
            match s.present(Slot::Ref(part)) {
                Some(_) => s.flow(Slot::Out(part), Slot::Ref(part)),
                None => s.set(Slot::Out(part), None::<&str>),
            }
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];
