//! url-parse: `new Url(reference, base).toString()`, and the properties of `new Url(url)`, from 1.1.7 on.
//!
//! Read from `index.js` of url-parse 1.1.7 to 1.5.10 and from requires-port 1.0.0. Rules cut the text from its end: fragment, query, path, user,
//! port. *Special* protocols are file, ftp, http, https, ws and wss. Only a *relative* text, without a protocol and two slashes, inherits anything.

mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, is_escape, scheme, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// url-parse.
pub static TABLE: Table = Table {
    engine: "url-parse",
    first: "1.1.7",
    changes: &[
        &BACKSLASH,
        &EMPTY,
        &TRIM,
        &SLASHES,
        &ONE_SLASH,
        &SPECIAL,
        &FILE,
        &PASSWORD,
        &PROTOCOL,
        &LINES,
        &VOWEL_SEPARATOR,
        &USER,
        &NO_HOST,
        &EMPTY_PORT,
        &CONTROLS,
        &SECOND_PORT,
    ],
    dated: &[],
    questions: &[(Question::Resolve, URL), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The marks of the text that is read.
const SLASHED: &str = "url.slashes";
const PATH_ONLY: &str = "the authority is absent";

fn is_special(protocol: &str) -> bool {
    matches!(protocol, "file" | "ftp" | "http" | "https" | "ws" | "wss")
}

fn slashes(text: &str) -> usize {
    text.len() - text.trim_start_matches(['/', '\\']).len()
}

/// Returns the protocol of the base of the side that is read: the base has none.
fn location<'a>(s: &'a State<'_>) -> &'a str {
    if s.side == Side::Reference { s.get(Slot::Base(Part::Scheme)) } else { "" }
}

fn protocol<'a>(s: &'a State<'_>) -> &'a str {
    s.present(s.own(Part::Scheme)).unwrap_or(location(s))
}

fn is_relative(s: &State<'_>) -> bool {
    s.side == Side::Reference && s.present(Slot::Ref(Part::Scheme)).is_none() && !s.is_marked(SLASHED)
}

/// Divides an authority after the @ of its user.
fn after_user<'a>(s: &State<'_>, authority: &'a str) -> (&'a str, &'a str) {
    let at = if s.has(&USER) { authority.rfind('@') } else { authority.find('@') };
    authority.split_at(at.map_or(0, |at| at + 1))
}

/// Divides a host before the colon of its port.
fn before_port<'a>(s: &State<'_>, host: &'a str) -> (&'a str, Option<&'a str>) {
    let name = host.trim_end_matches(|it: char| it.is_ascii_digit());
    match name.strip_suffix(':') {
        Some(before) if name.len() < host.len() || s.has(&EMPTY_PORT) => (before, Some(&host[name.len()..])),
        _ => (host, None),
    }
}

/// `Url`, up to what is inherited: for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("Url", "take the text as it is", |s| {
        s.unmark(SLASHED);
        s.unmark(PATH_ONLY);
        s.rest = s.given().to_owned();
        s.write_text();
        Go
    }),
    Step::new("trimLeft: U+180E", "remove white space before the URL, and U+180E", |s| {
        trim_left(s, |it| is_white(it) || it == '\u{180e}')
    })
    .since(&TRIM)
    .until(&VOWEL_SEPARATOR),
    Step::new("trimLeft: white space", "remove white space before the URL", |s| trim_left(s, is_white))
        .since(&VOWEL_SEPARATOR)
        .until(&CONTROLS),
    Step::new("trimLeft", "remove control characters and white space before the URL", |s| {
        trim_left(s, |it| it <= ' ' || is_white(it))
    })
    .since(&CONTROLS),
    Step::new("Url: CRHTLF", "remove tabs and ends of lines", |s| {
        s.rest.retain(|it| !matches!(it, '\n' | '\r' | '\t'));
        s.write_text();
        Go
    })
    .since(&LINES),
    Step::new("protocolre", "a letter, then letters, digits, +, - and . before a colon are the protocol", |s| {
        let rest = std::mem::take(&mut s.rest);
        let found = scheme(&rest);
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("extractProtocol: toLowerCase", "write the protocol in lower case", |s| {
        let slot = s.own(Part::Scheme);
        let name = s.present(slot).map(str::to_ascii_lowercase);
        s.set(slot, name);
        Go
    }),
    Step::new("extractProtocol: two slashes", "an authority follows two slashes", |s| match s.rest.strip_prefix("//") {
        Some(after) => {
            let after = after.to_owned();
            begin_authority(s, after)
        }
        None => begin_path(s),
    })
    .until(&SLASHES),
    Step::new("extractProtocol: slashes", "an authority follows two or more slashes and backslashes; drop a single one", |s| {
        let count = slashes(&s.rest);
        let after = s.rest[count..].to_owned();
        if count > 1 {
            return begin_authority(s, after);
        }
        s.rest = after;
        begin_path(s)
    })
    .since(&SLASHES)
    .until(&ONE_SLASH),
    Step::new(
        "extractProtocol: a single slash",
        "an authority follows two or more slashes and backslashes; a single one begins the path, as a slash",
        |s| {
            let count = slashes(&s.rest);
            let after = s.rest[count..].to_owned();
            if count > 1 {
                return begin_authority(s, after);
            }
            s.rest = if count == 1 { format!("/{after}") } else { after };
            begin_path(s)
        },
    )
    .since(&ONE_SLASH)
    .until(&SPECIAL),
    Step::new(
        "Url: a file without an authority",
        "the authority is absent after a protocol that is not special and two slashes, after file, and after less than two slashes of a \
         relative text",
        |s| {
            let is_path = protocol(s) == "file" || is_path(s);
            mark_authority(s, is_path)
        },
    )
    .since(&SPECIAL)
    .until(&FILE),
    Step::new(
        "Url: without an authority",
        "the authority is absent after a protocol that is not special without two slashes, after file without exactly two of any kind or before \
         a drive letter, and after less than two of any kind in a relative text",
        |s| {
            let is_drive = |text: &str| {
                matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
            };
            let is_file = s.get(s.own(Part::Scheme)) == "file";
            let is_path = is_file && (slashes(&s.rest) != 2 || is_drive(&s.rest[2..])) || is_path(s);
            mark_authority(s, is_path)
        },
    )
    .since(&FILE),
    Step::new(
        "extractProtocol: rest",
        "drop all slashes and backslashes of a special protocol, two of a file, two slashes of any other, and two or more of either kind \
         if only the base's protocol is special",
        |s| {
            let count = slashes(&s.rest);
            let dropped = match s.present(s.own(Part::Scheme)) {
                Some("file") if count < 2 => 0,
                Some("file") => 2,
                Some(own) if is_special(own) => count,
                Some(_) if s.rest.starts_with("//") => 2,
                None if count > 1 && is_special(location(s)) => count,
                _ => 0,
            };
            s.decide(s.own(Part::Authority));
            s.rest.drain(..dropped);
            Go
        },
    )
    .since(&SPECIAL),
    Step::new("rules: hash", "the fragment begins at the first #", |s| cut_off(s, Part::Fragment, "#")),
    Step::new("rules: query", "the query begins at the first ?", |s| cut_off(s, Part::Query, "?")),
    Step::new("rules: sanitize, once", "write a slash for the first backslash", |s| {
        s.rest = s.rest.replacen('\\', "/", 1);
        s.decide(s.own(Part::Authority));
        s.decide(s.own(Part::Path));
        Go
    })
    .since(&BACKSLASH)
    .until(&SPECIAL),
    Step::new("rules: sanitize", "write a slash for each backslash if the protocol is special", |s| {
        if is_special(protocol(s)) && s.rest.contains('\\') {
            s.rest = s.rest.replace('\\', "/");
            s.decide(s.own(Part::Authority));
            s.decide(s.own(Part::Path));
        }
        Go
    })
    .since(&SPECIAL),
    Step::new("rules: pathname", "the path begins at the first slash, or is everything if the authority is absent", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, path) = match s.is_marked(PATH_ONLY) {
            true => (s.is_marked(SLASHED).then_some(""), rest.as_str()),
            false => {
                let (authority, path) = until(&rest, &['/']);
                (Some(authority), path)
            }
        };
        s.set(s.own(Part::Authority), authority);
        s.set(s.own(Part::Path), path);
        Go
    }),
    Step::new("rules: (.*)", "if the authority is absent, the path ends at the end of a line", |s| {
        let slot = s.own(Part::Path);
        let path = until(s.get(slot), &['\n', '\r', '\u{2028}', '\u{2029}']).0;
        if s.is_marked(PATH_ONLY) && path != s.get(slot) {
            let path = path.to_owned();
            s.set(slot, path);
        }
        Go
    }),
    Step::new("rules: auth, the first @", "the user ends at the first @", cut_user).until(&USER),
    Step::new("rules: auth", "the user ends at the last @", cut_user).since(&USER),
    Step::new("rules: host", "write the host in lower case", |s| rewrite_host(s, |_, host| host.to_lowercase())),
    Step::new("rules: port", "digits after a last colon are the port", cut_port).until(&EMPTY_PORT),
    Step::new("rules: port, or none", "digits after a last colon, or nothing, are the port", cut_port).since(&EMPTY_PORT),
    Step::new("rules: location.port", "a relative reference without a port inherits the base's, which is not written", |s| {
        if is_relative(s) && s.get(Slot::Ref(Part::Port)).is_empty() {
            s.flow(Slot::Ref(Part::Port), Slot::Base(Part::Port));
        }
        Go
    }),
    Step::new(
        "required",
        "drop a port that is zero, the default of the protocol, or that of a file; the host of a port alone is the base's",
        |s| {
            let slot = s.own(Part::Port);
            if is_required(s.get(slot), protocol(s)) {
                return Go;
            }
            s.set(slot, None::<&str>);
            rewrite_host(s, |s, host| match before_port(s, host).0 {
                "" if is_relative(s) && !host.is_empty() => hostname(s, Slot::Base).to_owned(),
                name => name.to_owned(),
            })
        },
    ),
    Step::new("Url: auth, split", "the user and the password are the first two parts between colons; drop an empty password, and both if the user is empty", |s| {
        let password = cut(cut(s.get(s.own(Part::User)), ":").1.unwrap_or_default(), ":").0.to_owned();
        s.set(s.own(Part::Password), password);
        write_user(s, |text| {
            let (user, rest) = cut(text, ":");
            let password = cut(rest.unwrap_or_default(), ":").0;
            Some(if user.is_empty() { String::new() } else { with_password(user, password) })
        })
    })
    .until(&PASSWORD),
    Step::new("Url: auth, two parts", "the user and the password are the first two parts between colons; drop an empty password", |s| {
        write_user(s, |text| {
            let (user, rest) = cut(text, ":");
            Some(with_password(user, cut(rest.unwrap_or_default(), ":").0))
        })
    })
    .since(&PASSWORD)
    .until(&USER),
    Step::new("Url: auth", "decode and encode the user and, after the first colon, the password, and drop an empty password; reject escapes that are not of UTF-8", |s| {
        write_user(s, |text| {
            let (user, password) = cut(text, ":");
            Some(with_password(&recoded(user)?, &recoded(password.unwrap_or_default())?))
        })
    })
    .since(&USER),
    Step::new("Url: pathname after a host", "write a slash before the path of a text with a host that is not relative", |s| {
        let has_host = !hostname(s, s.of()).is_empty();
        begin_with_slash(s, has_host)
    })
    .since(&SLASHES)
    .until(&SPECIAL),
    Step::new("Url: pathname", "write a slash before the path of a special protocol if the text is not relative", |s| {
        let is_special = is_special(protocol(s));
        begin_with_slash(s, is_special)
    })
    .since(&SPECIAL),
];

/// `Url`, what is inherited, and `toString`.
static URL: &[Step] = &[
    Step::new("Url: location", "read the base, unless it is empty", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("Url: address", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("Url: location.protocol", "a text without a protocol inherits the base's", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            None => s.inherit(Part::Scheme),
        }
        for part in [Part::Authority, Part::User, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("rules: location.host", "a relative text without a host inherits the base's host and port, not its user", |s| {
        let (user, host) = after_user(s, s.get(Slot::Ref(Part::Authority)));
        if is_relative(s) && host.is_empty() {
            let user = user.to_owned();
            s.inherit(Part::Authority);
            s.flow(Slot::Out(Part::Port), Slot::Base(Part::Port));
            let has_user = !s.get(Slot::Base(Part::User)).is_empty();
            let base = s.get(Slot::Base(Part::Authority));
            if has_user || !user.is_empty() {
                let authority = format!("{user}{}", if has_user { after_user(s, base).1 } else { base });
                s.set(Slot::Out(Part::Authority), authority);
            }
        }
        Go
    }),
    Step::new(
        "Url: resolve",
        "only a relative path without a slash is resolved, if the base has slashes and one of both has a path",
        |s| {
            s.copy(Slot::Merged, Slot::Ref(Part::Path));
            // Where there is nothing to resolve, this step does not matter.
            match s.get(Slot::Merged).split('/').any(|segment| matches!(segment, "." | "..")) {
                true => s.flow(Slot::NoDots, Slot::Merged),
                false => s.copy(Slot::NoDots, Slot::Merged),
            }
            let path = s.get(Slot::Ref(Part::Path));
            let is_empty = path.is_empty() && s.get(Slot::Base(Part::Path)).is_empty();
            let has_slashes = s.present(Slot::Base(Part::Authority)).is_some();
            let is_kept = !has_slashes || path.starts_with('/') || is_empty;
            if !is_relative(s) || is_kept {
                if is_relative(s) {
                    s.keep(Slot::Used);
                }
                return To("toString: query");
            }
            Go
        },
    ),
    Step::new("resolve: relative === ''", "a relative text without a path inherits the base's, but not its query, for which `rules` has no base", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("toString: query")
    })
    .since(&EMPTY),
    Step::new("resolve: concat", "the path follows the base's up to its last slash, or a slash if the base has no path", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let merged = format!("{}{}", if base.is_empty() { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("resolve: dots", "from the end, remove . segments, and .. segments with those before them; a slash follows last ones", |s| {
        let path = s.get(Slot::Merged);
        let mut kept = Vec::new();
        let mut up = 0_usize;
        let mut lost_first = false;
        for (at, segment) in path.split('/').enumerate().collect::<Vec<_>>().into_iter().rev() {
            match segment {
                "." => {}
                ".." => up += 1,
                _ if up > 0 => {
                    up -= 1;
                    lost_first |= at == 0;
                }
                _ => kept.push(segment),
            }
        }
        if lost_first {
            kept.push("");
        }
        kept.reverse();
        if matches!(path.rsplit('/').next(), Some("." | "..")) {
            kept.push("");
        }
        let path = kept.join("/");
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("toString: query", "the path is the resolved one", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("toString: the empty userinfo", "write an @ for the host that a special URL but a file lacks before a path", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme));
        let is_missing = is_special(scheme) && scheme != "file" && s.get(Slot::Out(Part::Authority)).is_empty();
        if is_missing && s.get(Slot::Out(Part::Path)) != "/" {
            s.set(Slot::Out(Part::Authority), "@");
        }
        Go
    })
    .since(&NO_HOST),
    Step::new("toString: a last colon", "write another colon after one at the end of the host", |s| {
        let authority = s.get(Slot::Out(Part::Authority));
        if after_user(s, authority).1.ends_with(':') {
            let authority = format!("{authority}:");
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .since(&EMPTY_PORT),
    Step::new("toString: a second port", "write a colon after digits and a colon that end the host and are not the port", |s| {
        let authority = s.get(Slot::Out(Part::Authority));
        let port = before_port(s, after_user(s, authority).1).1;
        if s.get(Slot::Out(Part::Port)).is_empty() && port.is_some_and(|port| !port.is_empty()) {
            let authority = format!("{authority}:");
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .since(&SECOND_PORT),
    Step::new("toString: slashes", "write no slashes without a protocol", |s| {
        if s.get(Slot::Out(Part::Scheme)).is_empty() && s.present(Slot::Out(Part::Authority)).is_some() {
            let path = s.get(Slot::Out(Part::Authority)).to_owned() + s.get(Slot::Out(Part::Path));
            s.set(Slot::Out(Part::Path), path);
            s.set(Slot::Out(Part::Authority), None::<&str>);
        }
        Go
    })
    .since(&PROTOCOL),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// The properties of `new Url(url)`.
static STATE: &[Step] = &[
    Step::new("Url: address, without a location", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("Url: username, password", "the user ends at the first colon; state empty ones if they are absent", |s| {
        let (user, password) = cut(s.get(Slot::Ref(Part::User)), ":");
        let kept = s.present(Slot::Ref(Part::Password)).or(password);
        let (user, password) = (user.to_owned(), kept.unwrap_or_default().to_owned());
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new("Url: host, hostname", "state the host with and without its port", |s| {
        let authority = s.get(Slot::Ref(Part::Authority));
        let has_user = !s.get(Slot::Ref(Part::User)).is_empty();
        let host = if has_user { after_user(s, authority).1 } else { authority }.to_owned();
        let name = hostname(s, Slot::Ref).to_owned();
        s.set(Slot::Out(Part::Authority), host);
        s.set(Slot::Out(Part::Host), name);
        Go
    }),
    Step::new("Url: properties", "state the other components, and empty ones if they are absent", |s| {
        for part in [Part::Scheme, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
];

pub(crate) fn is_white(it: char) -> bool {
    matches!(it, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}')
        || matches!(it, '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

fn trim_left(s: &mut State<'_>, is_removed: impl Fn(char) -> bool) -> Next {
    s.trim_start(is_removed);
    Go
}

fn begin_authority(s: &mut State<'_>, rest: String) -> Next {
    s.decide(s.own(Part::Authority));
    s.mark(SLASHED);
    s.rest = rest;
    Go
}

fn begin_path(s: &mut State<'_>) -> Next {
    s.decide(s.own(Part::Authority));
    s.mark(PATH_ONLY);
    Go
}

/// Returns whether no authority follows the slashes of a text that is not a file.
fn is_path(s: &State<'_>) -> bool {
    let has_two = s.rest.starts_with("//");
    match s.present(s.own(Part::Scheme)) {
        Some(own) => !is_special(own) && !has_two,
        None => !has_two && (slashes(&s.rest) < 2 || !is_special(location(s))),
    }
}

fn mark_authority(s: &mut State<'_>, is_path: bool) -> Next {
    s.decide(s.own(Part::Authority));
    if is_path {
        s.mark(PATH_ONLY);
    }
    if s.rest.starts_with("//") || is_special(s.get(s.own(Part::Scheme))) {
        s.mark(SLASHED);
    }
    Go
}

fn cut_off(s: &mut State<'_>, part: Part, mark: &str) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (before, after) = cut(&rest, mark);
    s.set(s.own(part), after);
    s.rest = before.to_owned();
    Go
}

fn cut_user(s: &mut State<'_>) -> Next {
    let user = after_user(s, s.get(s.own(Part::Authority))).0.strip_suffix('@').map(str::to_owned);
    s.set(s.own(Part::User), user);
    Go
}

fn cut_port(s: &mut State<'_>) -> Next {
    let port = before_port(s, after_user(s, s.get(s.own(Part::Authority))).1).1.map(str::to_owned);
    s.set(s.own(Part::Port), port);
    Go
}

/// Rewrites the host with its port.
fn rewrite_host(s: &mut State<'_>, rewrite: impl Fn(&State<'_>, &str) -> String) -> Next {
    let slot = s.own(Part::Authority);
    if let Some(authority) = s.present(slot) {
        let (user, host) = after_user(s, authority);
        let authority = format!("{user}{}", rewrite(s, host));
        s.set(slot, authority);
    }
    Go
}

/// Returns the host without its port. A port that was dropped is not in the host.
fn hostname<'a>(s: &'a State<'_>, of: fn(Part) -> Slot) -> &'a str {
    let authority = s.get(of(Part::Authority));
    let has_user = !s.get(of(Part::User)).is_empty();
    let host = if has_user { after_user(s, authority).1 } else { authority };
    if s.get(of(Part::Port)).is_empty() { host } else { before_port(s, host).0 }
}

fn is_required(port: &str, protocol: &str) -> bool {
    let default = match protocol {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        "gopher" => "70",
        _ => "",
    };
    let number = port.trim_start_matches('0');
    !number.is_empty() && protocol != "file" && number != default
}

fn with_password(user: &str, password: &str) -> String {
    if password.is_empty() { user.to_owned() } else { format!("{user}:{password}") }
}

/// `decodeURIComponent`; `None` if an escape is incomplete or they are not UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let digits = is_escape(rest).then(|| &rest[1..3])?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}

/// `encodeURIComponent(decodeURIComponent(text))`.
fn recoded(text: &str) -> Option<String> {
    Some(encoded(&decoded(text)?, |it| it.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&it)))
}

/// Writes the user and the password.
fn write_user(s: &mut State<'_>, form: impl Fn(&str) -> Option<String>) -> Next {
    let (slot, authority) = (s.own(Part::User), s.own(Part::Authority));
    let Some(text) = s.present(slot) else { return Go };
    let Some(user) = form(text) else {
        return s.reject(slot, "a percent sign does not begin an escape, or the decoded text is not UTF-8");
    };
    let host = after_user(s, s.get(authority)).1;
    let written = if user.is_empty() { host.to_owned() } else { format!("{user}@{host}") };
    s.set(slot, Some(user).filter(|user| !user.is_empty()));
    s.set(authority, written);
    Go
}

fn begin_with_slash(s: &mut State<'_>, is_needed: bool) -> Next {
    let slot = s.own(Part::Path);
    let path = s.get(slot);
    if is_needed && !is_relative(s) && !path.starts_with('/') {
        let path = format!("/{path}");
        s.set(slot, path);
    }
    Go
}
