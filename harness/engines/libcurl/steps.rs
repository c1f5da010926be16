//! libcurl's URL API: `curl_url_set(CURLUPART_URL)` with the base, then with the reference, and `curl_url_get(CURLUPART_URL)`, from 7.62.0 on, which was
//! the first version with it. What it states is what `curl_url_get` returns for each part, the host with `CURLU_PUNYCODE`; libidn2 converts it.
//!
//! Read from `lib/urlapi.c` of curl 7.62.0 to 8.22.0, and from `lib/url.c`, `lib/escape.c` and `lib/protocol.c`. No flags are set. A relative
//! reference is appended to a part of the base's text, and the joined text is read as a whole: the rows that read write the slots of
//! the base, of a reference that is read alone, or, of the joined text, those of the target. The changes to schemes that a build may
//! leave out are those of Debian's builds.

pub(crate) mod changes;
pub(crate) mod idn2;

use std::net::{Ipv4Addr, Ipv6Addr};

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{concatenated, cut, is_escape, until, without_dots};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// libcurl's URL API.
pub static TABLE: Table = Table {
    engine: "libcurl",
    first: "7.62.0",
    changes: &[
        &BRACKETS_ALONE,
        &SLASH_AFTER,
        &ZONE_PORT,
        &NO_DIGITS,
        &EMPTY_QUERY,
        &ZONE_ALONE,
        &ZONE,
        &HOST_LENGTH,
        &LONG_SCHEME,
        &ADDRESS,
        &FRAGMENT_FIRST,
        &MQTT,
        &GOPHERS,
        &IPV4,
        &SPACES,
        &DECODED_HOST,
        &NO_NAME,
        &SHORT_FILE,
        &PORT_ZERO,
        &SHORT_ADDRESS,
        &SEPARATORS,
        &COLON,
        &BLANK_USER,
        &LAST_BYTE,
        &PUNCTUATION,
        &PLUS,
        &NIL,
        &PUNYCODE,
        &PERCENT,
        &WHOLE_SCAN,
        &NOT_ADDRESS,
        &HOST_NAME,
        &LETTER,
        &NO_BLANK,
        &FRAGMENT_ONLY,
        &WEBSOCKETS,
        &GET_EMPTY,
        &REDIRECT,
        &BASE_QUERY,
        &ENCODED_DOTS,
        &CONTROLS,
        &LOWER_X,
        &BLANK,
        &UPPER_CASE,
        &ZERO_LENGTH,
        &EQUAL_LENGTH,
        &MQTTS,
        &RTMP,
        &SEPARATE,
        &FIRST_DOT,
        &FILE_SLASH,
        &UPPER_ESCAPES,
        &DECODE_FIRST,
        &DOT_AFTER,
        &LAST_DOTS,
        &BAR,
        &FILE_ROOT,
        &NO_FRAGMENT,
        &SOCKS,
        &DELETE,
        &BRACKETS,
        &ZONES,
        &SMB,
    ],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[PARSEURL, URLGET],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The schemes that a build knows, with the changes since which and until which it does.
const SCHEMES: &[(&[&str], Option<&Change>, Option<&Change>)] = &[
    (
        &[
            "dict", "file", "ftp", "ftps", "gopher", "http", "https", "imap", "imaps", "ldap", "ldaps", "pop3",
            "pop3s", "rtsp", "scp", "sftp", "smtp", "smtps", "telnet", "tftp",
        ],
        None,
        None,
    ),
    (&["mqtt"], Some(&MQTT), None),
    (&["gophers"], Some(&GOPHERS), None),
    (&["ws", "wss"], Some(&WEBSOCKETS), None),
    (&["mqtts"], Some(&MQTTS), None),
    (&["socks", "socks4", "socks4a", "socks5", "socks5h"], Some(&SOCKS), None),
    (&["rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts"], None, Some(&RTMP)),
    (&["smb", "smbs"], None, Some(&SMB)),
];

/// The characters that a host does not contain, with the changes since which they are rejected.
const REFUSED: &[(&str, Option<&Change>)] = &[
    (" ", None),
    ("\r\n", Some(&DECODED_HOST)),
    ("\t/:#?!@", Some(&SEPARATORS)),
    ("{}[]\\$'\"^`*<>=;,", Some(&PUNCTUATION)),
    ("+&()", Some(&PLUS)),
    ("%", Some(&PERCENT)),
    ("|", Some(&BAR)),
    ("\x7f", Some(&DELETE)),
];

fn is_known(s: &State<'_>, scheme: &str) -> bool {
    SCHEMES.iter().any(|(names, since, until)| {
        names.contains(&scheme)
            && since.is_none_or(|change| s.has(change))
            && !until.is_some_and(|change| s.has(change))
    })
}

/// The joined text is read.
const JOINED: &str = "joined";
/// A text is read that has only the base's scheme.
const HOST_CHANGED: &str = "host_changed";
/// The parts of the URL are asked for, and not its text.
const PARTS: &str = "parts";
/// The flag `CURLU_NON_SUPPORT_SCHEME` is set.
pub(crate) const NON_SUPPORT_SCHEME: &str = "CURLU_NON_SUPPORT_SCHEME";
/// The flag `CURLU_PATH_AS_IS` is set.
pub(crate) const PATH_AS_IS: &str = "CURLU_PATH_AS_IS";
/// The flags `CURLU_URLENCODE` and `CURLU_ALLOW_SPACE` are set.
pub(crate) const URLENCODE: &str = "CURLU_URLENCODE";

/// Returns the slot of a part of the text that is read.
fn own(s: &State<'_>, part: Part) -> Slot {
    match part {
        _ if s.side == Side::Base => Slot::Base(part),
        Part::Scheme if s.is_marked(HOST_CHANGED) => Slot::Out(part),
        Part::Path if s.is_marked(JOINED) => Slot::Merged,
        Part::Text => Slot::Ref(part),
        _ if s.is_marked(JOINED) => Slot::Out(part),
        _ => Slot::Ref(part),
    }
}

fn is_file(s: &State<'_>) -> bool {
    s.get(own(s, Part::Scheme)) == "file"
}

/// Divides an absolute URL after its scheme.
pub(crate) fn absolute<'t>(s: &State<'_>, text: &'t str) -> Option<(&'t str, &'t str)> {
    let end = text.find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.')))?;
    let (name, rest) = (text.get(..end)?, text.get(end..)?.strip_prefix(':')?);
    let is_absolute = name.len() <= if s.has(&LONG_SCHEME) { 40 } else { 7 }
        && (rest.starts_with('/') || s.has(&COLON) || !s.has(&SLASH_AFTER))
        && !(name.is_empty() && s.has(&NO_NAME))
        && (name.starts_with(|it: char| it.is_ascii_alphabetic()) || !s.has(&LETTER));
    is_absolute.then_some((name, rest))
}

/// Cuts off the scheme; rejects a text without one.
fn cut_scheme(s: &mut State<'_>) -> Next {
    let text = std::mem::take(&mut s.rest);
    let slot = own(s, Part::Scheme);
    let Some((name, rest)) = absolute(s, &text) else {
        s.set(slot, None::<&str>);
        s.rest = text;
        return Go;
    };
    s.set(slot, name);
    s.rest = rest.to_owned();
    Go
}

/// Rejects a slot with control characters, or also spaces.
fn reject_junk(s: &mut State<'_>, parts: &[Part], has_spaces: bool) -> Next {
    let is_junk = |it: u8| it < b' ' || it == 0x7f || it == b' ' && has_spaces;
    let found = parts.iter().map(|part| own(s, *part)).find(|slot| s.get(*slot).bytes().any(is_junk));
    match found {
        Some(slot) => s.reject(slot, if has_spaces { "a control character or a space" } else { "a control character" }),
        None => Go,
    }
}

/// Writes the host or the port, and the authority with it.
fn rewrite(s: &mut State<'_>, part: Part, value: Option<String>) {
    let end = |s: &State<'_>| {
        let port = s.present(own(s, Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}{port}", s.get(own(s, Part::Host)))
    };
    let slot = own(s, Part::Authority);
    let login = s.get(slot).strip_suffix(&end(s)).unwrap_or_default().to_owned();
    s.set(own(s, part), value);
    let authority = login + &end(s);
    s.set(slot, authority);
}

/// Cuts the text after the first `mark` off the unread rest.
fn cut_off(s: &mut State<'_>, part: Part, mark: &str) {
    let text = std::mem::take(&mut s.rest);
    let (rest, after) = cut(&text, mark);
    s.set(own(s, part), after);
    s.rest = rest.to_owned();
}

/// `parseurl`, in earlier versions `seturl`.
pub(crate) static PARSEURL: &[Step] = &[
    Step::new("parseurl: url", "take the text as it is", |s| {
        if s.side == Side::Base || !s.is_marked(JOINED) && !s.is_marked(HOST_CHANGED) {
            s.rest = s.get(own(s, Part::Text)).to_owned();
            s.write_text();
            s.rest = s.get(own(s, Part::Text)).to_owned();
        }
        Go
    }),
    Step::new("Curl_junkscan", "reject a text with control characters, or spaces unless CURLU_ALLOW_SPACE is set", |s| {
        if s.is_marked(URLENCODE) && s.has(&ENCODED_CONTROLS) {
            return Go;
        }
        let allows_space = s.is_marked(URLENCODE);
        if s.rest.bytes().any(|it| it < b' ' || it == 0x7f || it == b' ' && !allows_space) {
            return s.reject(own(s, Part::Text), "a control character or a space");
        }
        Go
    })
    .since(&WHOLE_SCAN),
    Step::new("Curl_is_absolute_url: ':'", "up to 7 letters, digits, +, - and . before a colon are the scheme, also none", cut_scheme)
        .until(&SLASH_AFTER),
    Step::new("Curl_is_absolute_url: 8", "up to 7 letters, digits, +, - and . before a colon and a slash are the scheme, also none", cut_scheme)
        .since(&SLASH_AFTER)
        .until(&LONG_SCHEME),
    Step::new("Curl_is_absolute_url: ://", "up to 40 letters, digits, +, - and . before a colon and a slash are the scheme, also none", cut_scheme)
        .since(&LONG_SCHEME)
        .until(&NO_NAME),
    Step::new("Curl_is_absolute_url: i > 0", "one to 40 letters, digits, +, - and . before a colon and a slash are the scheme", cut_scheme)
        .since(&NO_NAME)
        .until(&COLON),
    Step::new("Curl_is_absolute_url: guess_scheme", "one to 40 letters, digits, +, - and . before a colon are the scheme", cut_scheme)
        .since(&COLON)
        .until(&LETTER),
    Step::new(
        "Curl_is_absolute_url",
        "one to 40 letters, digits, +, - and . before a colon are the scheme if a letter is first",
        cut_scheme,
    )
    .since(&LETTER),
    Step::new("Curl_strntolower", "write the scheme in lower case", |s| {
        let slot = own(s, Part::Scheme);
        let name = s.present(slot).map(str::to_ascii_lowercase);
        s.set(slot, name);
        Go
    }),
    Step::new("parse_scheme", "reject a URL without a scheme, and unless CURLU_NON_SUPPORT_SCHEME is set, a scheme that this build does not know", |s| {
        let slot = own(s, Part::Scheme);
        match s.present(slot) {
            None => s.reject(slot, "the scheme is missing"),
            Some("file") => To("parse_file: urllen"),
            Some(name) if is_known(s, name) || s.is_marked(NON_SUPPORT_SCHEME) => Go,
            Some(_) => s.reject(slot, "the scheme is not supported"),
        }
    }),
    Step::new("parse_scheme: slashes", "one to three slashes precede the host", |s| {
        let rest = s.rest.trim_start_matches('/').to_owned();
        let slot = own(s, Part::Authority);
        s.decide(slot);
        if !(1..=3).contains(&(s.rest.len() - rest.len())) {
            s.set(slot, None::<&str>);
            return s.reject(slot, "no slash or more than three follow the scheme");
        }
        s.rest = rest;
        Go
    }),
    Step::new("parseurl: hostlen", "the part up to the next /, ? or # is the authority; reject an empty one", |s| {
        let text = std::mem::take(&mut s.rest);
        let (authority, rest) = until(&text, &['/', '?', '#']);
        let slot = own(s, Part::Authority);
        s.set(slot, authority);
        s.rest = rest.to_owned();
        if s.get(slot).is_empty() {
            return s.reject(slot, "the host is missing");
        }
        To("parseurl: the query, then the fragment")
    }),
    Step::new("parse_file: urllen", "reject `file:` with less than two characters after it", |s| {
        if s.rest.len() < 2 {
            return s.reject(own(s, Part::Path), "the URL of a file is too short");
        }
        Go
    })
    .since(&SHORT_FILE),
    Step::new("parse_file: a slash", "reject the path of a file without a slash at its beginning", |s| {
        if !s.rest.starts_with('/') {
            return s.reject(own(s, Part::Path), "the path of a file does not begin with a slash");
        }
        Go
    })
    .since(&FILE_ROOT),
    Step::new("parse_file: the host", "after two slashes, a file's host is empty, localhost or 127.0.0.1, before a slash", |s| {
        let slot = own(s, Part::Authority);
        let text = std::mem::take(&mut s.rest);
        let Some(after) = text.strip_prefix("//") else {
            s.set(slot, None::<&str>);
            s.rest = text;
            return Go;
        };
        let (host, rest) = if is_drive(after) { ("", after) } else { until(after, &['/']) };
        s.set(slot, host);
        s.rest = rest.to_owned();
        let host = s.get(slot).to_ascii_lowercase();
        match host.as_str() {
            "" | "localhost" | "127.0.0.1" if s.rest.starts_with('/') => Go,
            "" if is_drive(&s.rest) => Go,
            _ => s.reject(slot, "the host of a file is not this machine"),
        }
    }),
    Step::new("parse_file: a drive letter", "reject a path that begins with a letter, : or |, and a slash, a backslash or the end", |s| {
        if is_drive(s.rest.strip_prefix('/').unwrap_or(&s.rest)) || is_drive(&s.rest) {
            return s.reject(own(s, Part::Path), "the path begins with a drive letter");
        }
        Go
    }),
    Step::new(
        "parseurl: the query, then the fragment",
        "the part after the first ? is the query, and the part after the first # of it the \
         fragment; without a query, that of the path",
        |s| {
            cut_off(s, Part::Query, "?");
            let query = own(s, Part::Query);
            match s.present(query).map(str::to_owned) {
                Some(text) => {
                    let (text, fragment) = cut(&text, "#");
                    s.set(own(s, Part::Fragment), fragment);
                    s.set(query, text);
                }
                None => cut_off(s, Part::Fragment, "#"),
            }
            To("parseurl: the path")
        },
    )
    .until(&FRAGMENT_FIRST),
    Step::new("parseurl: the fragment", "the part after the first # is the fragment", |s| {
        cut_off(s, Part::Fragment, "#");
        Go
    }),
    Step::new("parseurl: the query", "the part after the first ? is the query", |s| {
        cut_off(s, Part::Query, "?");
        Go
    }),
    Step::new("Curl_junkscan: the authority", "if CURLU_URLENCODE is set, reject only an authority with control characters", |s| {
        match s.is_marked(URLENCODE) {
            true => reject_junk(s, &[Part::Authority], false),
            false => Go,
        }
    })
    .since(&ENCODED_CONTROLS),
    Step::new("parseurl: the path", "the rest is the path", |s| {
        let path = std::mem::take(&mut s.rest);
        s.set(own(s, Part::Path), path);
        Go
    }),
    Step::new(
        "strcpy_url: CURLU_URLENCODE",
        "if the flag is set, encode spaces and bytes outside ASCII after the host; a space is + after the first question mark",
        |s| {
            if s.is_marked(URLENCODE) {
                let has_query = s.present(own(s, Part::Query)).is_some();
                encode_components(s, &[(Part::Path, false), (Part::Query, true), (Part::Fragment, has_query)]);
            }
            Go
        },
    )
    .until(&ENCODED_PARTS),
    Step::new(
        "handle_path, handle_query: CURLU_URLENCODE",
        "if the flag is set, encode bytes of the path and the query; a space of the query is +",
        |s| {
            if s.is_marked(URLENCODE) {
                encode_components(s, &[(Part::Path, false), (Part::Query, true)]);
            }
            Go
        },
    )
    .since(&ENCODED_PARTS),
    Step::new("handle_fragment: CURLU_URLENCODE", "if the flag is set, encode bytes of the fragment", |s| {
        if s.is_marked(URLENCODE) {
            encode_components(s, &[(Part::Fragment, false)]);
        }
        Go
    })
    .since(&ENCODED_FRAGMENT),
    Step::new("handle_path: no path", "an empty path of a file is lost", |s| lose_path(s, 0)).until(&NIL),
    Step::new("handle_path: pathlen <= 1", "an empty path of a file is lost, and one of one byte, unless it was encoded", |s| {
        let is_encoded = s.is_marked(URLENCODE);
        lose_path(s, usize::from(!is_encoded))
    })
        .since(&NIL)
        .until(&FILE_SLASH),
    Step::new("handle_path: is_file", "an empty path of a file is lost, but not a slash", |s| lose_path(s, 0)).since(&FILE_SLASH),
    Step::new("junkscan: control characters", "reject components with control characters", |s| {
        reject_junk(s, &[Part::Authority, Part::Path, Part::Query, Part::Fragment], false)
    })
    .until(&SPACES),
    Step::new("junkscan: CURLU_ALLOW_SPACE", "reject components with control characters, or spaces unless the flag is set", |s| {
        let allows_space = s.is_marked(URLENCODE);
        // A path of one byte that is encoded is not scanned.
        let is_short = s.get(own(s, Part::Path)).len() <= 1 && allows_space && s.has(&ENCODED_PARTS);
        let parts: &[Part] = if is_short { &[] } else { &[Part::Path] };
        let parts: Vec<Part> = [Part::Authority, Part::Query, Part::Fragment].iter().chain(parts).copied().collect();
        reject_junk(s, &parts, !allows_space)
    })
    .since(&SPACES)
    .until(&WHOLE_SCAN),
    Step::new("handle_path: CURLU_PATH_AS_IS", "keep dot segments if the flag is set", |s| match s.is_marked(PATH_AS_IS) {
        true => {
            keep_dots(s);
            To("Curl_parse_login_details: not empty")
        }
        false => Go,
    }),
    Step::new("dedotdotify", "remove dot segments from the path", |s| remove_dots(s, without_dots)).until(&ENCODED_DOTS),
    Step::new(
        "dedotdotify: is_dot, at the beginning",
        "remove dot segments from the path, also encoded ones; a path without a slash at its beginning also loses a first dot",
        |s| remove_dots(s, |path| without_encoded_dots(path, true)),
    )
    .since(&ENCODED_DOTS)
    .until(&FIRST_DOT),
    Step::new("dedotdotify: is_dot", "remove dot segments from the path, also encoded ones", |s| {
        remove_dots(s, |path| without_encoded_dots(path, false))
    })
    .since(&FIRST_DOT),
    Step::new("Curl_parse_login_details: not empty", "a name and a password precede the first @; empty ones are dropped", |s| {
        login(s, |text| !text.is_empty())
    })
    .until(&BLANK_USER),
    Step::new("Curl_parse_login_details", "a name and a password precede the first @, even empty ones", |s| login(s, |_| true)).since(&BLANK_USER),
    Step::new(
        "parse_port: sscanf",
        "an address in brackets ends at the bracket, any other host at its first colon; reject anything but a number up to 65535 after the colon",
        |s| match scanned(s) {
            _ if is_file(s) => Done,
            Ok(end) => divide(s, end),
            Err(why) => s.reject(own(s, Part::Authority), why),
        },
    )
    .until(&ADDRESS),
    Step::new(
        "parse_port: the host",
        "the host ends at its first colon, or at the bracket if it begins with one; reject anything but a number up to 65535 after the colon",
        |s| {
            let (authority, text) = (own(s, Part::Authority), &s.rest);
            let end = if text.starts_with('[') { text.find(']').map(|at| at + 1) } else { text.find(':') };
            match end {
                _ if is_file(s) => Done,
                None if text.starts_with('[') => s.reject(authority, "a bracket is missing"),
                Some(end) if !matches!(text.as_bytes().get(end), None | Some(b':')) => {
                    s.reject(authority, "something follows the bracket")
                }
                end => divide(s, end.unwrap_or(text.len())),
            }
        },
    )
    .since(&ADDRESS),
    Step::new("parse_port: zero", "reject port 0", |s| match s.present(own(s, Part::Port)) {
        Some(port) if !port.is_empty() && value(port, 10) == 0 => s.reject(own(s, Part::Authority), "the port is 0"),
        _ => Go,
    })
    .until(&PORT_ZERO),
    Step::new("parse_port: ISDIGIT", "reject a colon without a port", |s| match s.present(own(s, Part::Port)) {
        Some("") => s.reject(own(s, Part::Authority), "the port is missing"),
        _ => Go,
    })
    .until(&NO_DIGITS),
    Step::new("parse_port: no digits", "remove a colon without a port", |s| {
        if s.present(own(s, Part::Port)) == Some("") {
            rewrite(s, Part::Port, None);
        }
        Go
    })
    .since(&NO_DIGITS),
    Step::new("parse_port: the number", "write the port without zeros at its beginning", |s| {
        if let Some(port) = s.present(own(s, Part::Port)).filter(|port| port.bytes().all(|it| it.is_ascii_digit())) {
            let port = value(port, 10).to_string();
            rewrite(s, Part::Port, Some(port));
        }
        Go
    }),
    Step::new("urldecode_host: an encoded bracket", "reject a host that begins with an encoded bracket", |s| {
        let slot = own(s, Part::Host);
        let host = s.get(slot);
        if host.starts_with("%5b") || host.starts_with("%5B") {
            return s.reject(slot, "the host begins with an encoded bracket");
        }
        Go
    })
    .since(&BRACKETS),
    Step::new("urldecode_host: before the address", "decode the escapes of the host; reject control characters in it", decode_host)
        .since(&DECODE_FIRST),
    Step::new(
        "ipv4_normalize: HOST_BAD",
        "a host of one to four numbers is an address; write it as four decimal numbers, and reject one that only begins so",
        |s| {
            let slot = own(s, Part::Host);
            let host = s.get(slot);
            let begins_as_number = number(cut(host, ".").0, true).is_some();
            match ipv4(host, true) {
                None if begins_as_number => s.reject(slot, "the host is not an IPv4 address"),
                address => write_host(s, address),
            }
        },
    )
    .since(&NOT_ADDRESS)
    .until(&HOST_NAME),
    Step::new("ipv4_normalize: strtoul", "write a host of one to four numbers, also octal and hexadecimal ones, as four decimal numbers", |s| {
        if s.has(&NOT_ADDRESS) && !s.has(&HOST_NAME) {
            return Go;
        }
        let address = ipv4(s.get(own(s, Part::Host)), true);
        write_host(s, address)
    })
    .since(&IPV4)
    .until(&LOWER_X),
    Step::new("ipv4_normalize", "write a host of one to four numbers, also octal and hexadecimal ones with 0x, as four decimal numbers", |s| {
        let address = ipv4(s.get(own(s, Part::Host)), false);
        write_host(s, address)
    })
    .since(&LOWER_X)
    .until(&DOT_AFTER),
    Step::new(
        "ipv4_normalize: a dot follows",
        "write a host of one to four numbers, also octal and hexadecimal ones, as four decimal numbers; one dot may follow them",
        |s| {
            let host = s.get(own(s, Part::Host));
            let address = ipv4(host.strip_suffix('.').unwrap_or(host), true);
            write_host(s, address)
        },
    )
    .since(&DOT_AFTER),
    Step::new("urldecode_host", "decode the escapes of a host without brackets; reject control characters in it", |s| {
        if s.get(own(s, Part::Host)).starts_with('[') { Go } else { decode_host(s) }
    })
    .since(&DECODED_HOST)
    .until(&DECODE_FIRST),
    Step::new(
        "hostname_check: strspn",
        "reject brackets without digits of an address up to the last character; until 7.65.0, these include percent signs",
        |s| {
            let slot = own(s, Part::Host);
            let Some(content) = s.get(slot).strip_prefix('[').map(str::to_owned) else { return Go };
            let (address, rest) = address_digits(s, &content, &ZONE);
            match zone_of(rest).filter(|_| s.has(&ZONE)) {
                _ if rest.len() == 1 => Go,
                Some(zone) => write_host(s, Some(format!("[{address}%25{zone}]"))),
                None => s.reject(slot, "brackets do not contain an address"),
            }
        },
    )
    .until(&ADDRESS),
    Step::new("hostname_check: the bracket", "reject a host that begins with a bracket and does not end in one", |s| {
        let slot = own(s, Part::Host);
        match s.get(slot) {
            host if host.starts_with('[') && !host.ends_with(']') => s.reject(slot, "a bracket is missing"),
            _ => Go,
        }
    })
    .since(&ADDRESS)
    .until(&LAST_BYTE),
    Step::new("ipv6_parse: zoneid", "reject a zone with another character of ASCII than letters, digits, -, ., _ and ~", |s| {
        let slot = own(s, Part::Host);
        let is_allowed = |it: char| !it.is_ascii() || it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_' | '~');
        match bracketed(s.get(slot)) {
            Some(Some((_, zone))) if !zone.chars().all(is_allowed) => s.reject(slot, "the zone has a character that zones do not have"),
            _ => Go,
        }
    })
    .since(&ZONES),
    Step::new("ipv6_parse", "reject brackets without an IPv6 address, after which % and up to 15 characters of a zone may follow", |s| {
        let slot = own(s, Part::Host);
        match bracketed(s.get(slot)) {
            Some(None) => s.reject(slot, "brackets do not contain an IPv6 address"),
            Some(Some((address, zone))) if !zone.is_empty() => {
                let host = format!("[{address}%25{zone}]");
                write_host(s, Some(host))
            }
            Some(Some((address, _))) => {
                let host = format!("[{address}]");
                write_host(s, Some(host))
            }
            None => Go,
        }
    })
    .since(&ADDRESS),
    Step::new("ipv6_parse: inet_ntop", "write an IPv6 address in its short form if that is shorter", |s| {
        short_address(s, |short, long| short.len() < long.len())
    })
    .since(&SHORT_ADDRESS)
    .until(&EQUAL_LENGTH),
    Step::new("ipv6_parse: inet_ntop, hlen + 1", "write an IPv6 address in its short form if that is not longer", |s| {
        short_address(s, |short, long| short.len() <= long.len())
    })
    .since(&EQUAL_LENGTH),
    Step::new("hostname_check: NO_HOST", "reject an empty host", |s| {
        let slot = own(s, Part::Host);
        if s.get(slot).is_empty() { s.reject(slot, "the host is missing") } else { Go }
    })
    .since(&HOST_LENGTH),
    Step::new("hostname_check", "reject a host that has one of some characters", |s| {
        let slot = own(s, Part::Host);
        let host = s.get(slot);
        let is_refused = |it: char| REFUSED.iter().any(|(refused, since)| refused.contains(it) && since.is_none_or(|change| s.has(change)));
        if !host.starts_with('[') && host.contains(is_refused) {
            return s.reject(slot, "the host has a character that hosts do not have");
        }
        Go
    }),
    Step::new("hostname_check: dots", "reject a host that is a dot or ends in two", |s| {
        let slot = own(s, Part::Host);
        match s.get(slot) {
            host if host == "." || host.ends_with("..") => s.reject(slot, "the host ends in a dot too many"),
            _ => Go,
        }
    })
    .since(&LAST_DOTS),
    Step::new("urlget_url: %25", "encode each percent sign of the host", |s| {
        let host = s.get(own(s, Part::Host));
        if host.starts_with('[') || s.is_marked(PARTS) {
            return Go;
        }
        let host = host.replace('%', "%25");
        write_host(s, Some(host))
    })
    .since(&DECODED_HOST)
    .until(&WHOLE_SCAN),
];

/// Returns whether a text begins with a letter, `:` or `|`, and a slash, a backslash or the end.
fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|', rest @ ..]
        if letter.is_ascii_alphabetic() && matches!(rest, [] | [b'/' | b'\\', ..]))
}

/// Makes the path of a file absent if it has up to `length` bytes.
fn lose_path(s: &mut State<'_>, length: usize) -> Next {
    let slot = own(s, Part::Path);
    if is_file(s) && s.get(slot).len() <= length {
        s.set(slot, None::<&str>);
    }
    Go
}

fn remove_dots(s: &mut State<'_>, without: impl Fn(&str) -> String) -> Next {
    let to = keep_dots(s);
    // A path of one byte is kept since 7.88.0.
    let is_read = |path: &str| path.len() > 1 || !s.has(&NIL);
    let path = s.present(to).map(|path| if is_read(path) { without(path) } else { path.to_owned() });
    s.set(to, path);
    Go
}

/// Passes the path on to the slot of the path without dot segments, and returns that slot.
fn keep_dots(s: &mut State<'_>) -> Slot {
    let from = own(s, Part::Path);
    if from == Slot::Ref(Part::Path) {
        s.flow(Slot::Merged, from);
    }
    let to = if s.side == Side::Base { from } else { Slot::NoDots };
    if to != from {
        s.flow(to, from);
    }
    to
}

/// Encodes components, each with a space as `+` or as `%20`.
fn encode_components(s: &mut State<'_>, parts: &[(Part, bool)]) {
    for (part, is_query) in parts {
        let slot = own(s, *part);
        if let Some(text) = s.present(slot) {
            let text = component(s, text, *is_query);
            s.set(slot, text);
        }
    }
}

/// Encodes a component: spaces, and bytes outside ASCII, since 8.13.0 also control characters. Since 8.20.0 escapes get upper case, and a
/// question mark of the fragment no longer changes the form of spaces.
fn component(s: &State<'_>, text: &str, mut is_query: bool) -> String {
    let mut out = String::new();
    for (at, byte) in text.bytes().enumerate() {
        let is_digit = |back: usize| at.checked_sub(back).and_then(|at| text.get(at..)).is_some_and(is_escape);
        match byte {
            b' ' => out.push_str(if is_query { "+" } else { "%20" }),
            _ if byte >= 0x80 || s.has(&CONTROLS) && (byte < b' ' || byte == 0x7f) => {
                out.push_str(&if s.has(&UPPER_CASE) { format!("%{byte:02X}") } else { format!("%{byte:02x}") });
            }
            _ if s.has(&UPPER_ESCAPES) && (is_digit(1) || is_digit(2)) => out.push(byte.to_ascii_uppercase().into()),
            _ => {
                is_query |= byte == b'?' && !s.has(&FRAGMENT_SPACES);
                out.push(byte.into());
            }
        }
    }
    out
}

/// Removes dot segments, of which each dot may be encoded. A path without a slash at its beginning keeps its first segment; until it was
/// mended, this took a dot from that.
fn without_encoded_dots(path: &str, takes_dot: bool) -> String {
    let dot = |text: &str| match text.as_bytes() {
        [b'.', ..] => Some(1),
        [b'%', b'2', b'e' | b'E', ..] => Some(3),
        _ => None,
    };
    let after = |text: &str| dot(text).and_then(|length| text.get(length..)).map(str::to_owned);
    let one = after(path);
    let two = one.as_deref().and_then(after);
    let rest = match (one.as_deref(), two.as_deref()) {
        (Some(rest), _) if rest.starts_with('/') => &rest[1..],
        (_, Some(rest)) if rest.starts_with('/') => &rest[1..],
        (_, Some("")) => "",
        (Some(rest), _) if takes_dot => rest,
        _ => path,
    };
    let (head, tail) = until(rest, &['/']);
    let segment = |text: &str| match (after(text).as_deref(), after(text).as_deref().and_then(after).as_deref()) {
        (Some(""), _) => ".".to_owned(),
        (_, Some("")) => "..".to_owned(),
        _ => text.to_owned(),
    };
    let tail: Vec<String> = tail.split('/').map(segment).collect();
    head.to_owned() + &without_dots(&tail.join("/"))
}

/// Divides what precedes the first `@` into a name, a password after `:`, and, for mail, options after `;`, and leaves the rest unread.
fn login(s: &mut State<'_>, keeps: fn(&str) -> bool) -> Next {
    let slot = own(s, Part::Authority);
    let authority = s.get(slot).to_owned();
    let Some((login, host)) = authority.split_once('@').filter(|_| !is_file(s)) else {
        s.rest = authority;
        return Go;
    };
    let has_options = matches!(s.get(own(s, Part::Scheme)), "imap" | "imaps" | "pop3" | "pop3s" | "smtp" | "smtps");
    let after = |mark: char, other: char| {
        let (_, text) = login.split_once(mark)?;
        Some(if has_options { until(text, &[other]).0 } else { text })
    };
    let user = until(login, if has_options { &[':', ';'] } else { &[':'] }).0;
    let user = Some(user).filter(|user| keeps(user));
    let password = after(':', ';').filter(|password| keeps(password));
    let options = after(';', ':').filter(|options| has_options && !options.is_empty());
    s.set(own(s, Part::User), user);
    s.set(own(s, Part::Password), password);
    let mut text = user.unwrap_or_default().to_owned();
    for (mark, part) in [(':', password), (';', options)] {
        text.extend(part.map(|part| format!("{mark}{part}")));
    }
    if user.is_some() || password.is_some() || options.is_some() {
        text.push('@');
    }
    s.rest = host.to_owned();
    s.set(slot, text + host);
    Go
}

/// Returns the value of digits, or a number that is too large.
fn value(digits: &str, base: u32) -> u64 {
    let add =
        |sum: u64, it: char| sum.saturating_mul(base.into()).saturating_add(it.to_digit(base).unwrap_or(0).into());
    digits.chars().fold(0, add)
}

/// Reads a number as C does: hexadecimal after `0x`, octal after `0`.
fn number(text: &str, any_case: bool) -> Option<u64> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X").filter(|_| any_case));
    let (digits, base) = match hexadecimal {
        Some(digits) => (digits, 16),
        None => (text, if text.starts_with('0') { 8 } else { 10 }),
    };
    (!digits.is_empty() && digits.chars().all(|it| it.is_digit(base))).then(|| value(digits, base))
}

/// Reads an address of one to four numbers, of which the last one fills the remaining bytes.
fn ipv4(host: &str, any_case: bool) -> Option<String> {
    let numbers = host.split('.').map(|part| number(part, any_case)).collect::<Option<Vec<u64>>>()?;
    let (last, bytes) = numbers.split_last()?;
    let shift = 8 * (4_usize.checked_sub(bytes.len())?);
    if shift == 0 || *last >= 1 << shift || bytes.iter().any(|byte| *byte > 0xff) {
        return None;
    }
    let high = bytes.iter().zip([24, 16, 8]).map(|(byte, shift)| byte << shift).sum::<u64>();
    u32::try_from(high + last).ok().map(|bits| Ipv4Addr::from(bits).to_string())
}

fn write_host(s: &mut State<'_>, host: Option<String>) -> Next {
    if host.is_some() {
        rewrite(s, Part::Host, host);
    }
    Go
}

fn decode_host(s: &mut State<'_>) -> Next {
    let slot = own(s, Part::Host);
    let host = s.get(slot).to_owned();
    let mut bytes = Vec::new();
    let mut rest = host.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match after {
            [high, low, after @ ..] if *first == b'%' && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |it: &u8| char::from(*it).to_digit(16).unwrap_or(0) as u8;
                (digit(high) << 4 | digit(low), after)
            }
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    if host.contains('%') && bytes.iter().any(|it| *it < b' ') {
        return s.reject(slot, "the host has an encoded control character");
    }
    let host = String::from_utf8_lossy(&bytes).into_owned();
    write_host(s, Some(host))
}

/// Divides a host that begins with a bracket into address and zone: `None` without a bracket, `Some(None)` if it is not an address.
fn bracketed(host: &str) -> Option<Option<(&str, &str)>> {
    let text = host.strip_prefix('[')?;
    let (address, rest) = text.split_at(text.find(|it: char| !is_digit(it)).unwrap_or(text.len()));
    // The last character is not compared with a bracket.
    let zone = if rest.len() == 1 { Some("") } else { zone_of(rest) };
    Some(zone.filter(|_| address.parse::<Ipv6Addr>().is_ok()).map(|zone| (address, zone)))
}

/// Returns whether a character is one of an IPv6 address.
fn is_digit(it: char) -> bool {
    it.is_ascii_hexdigit() || matches!(it, ':' | '.')
}

/// Returns the zone of one to 15 characters between a percent sign, which may be encoded, and a bracket.
fn zone_of(text: &str) -> Option<&str> {
    let after = text.strip_prefix('%')?;
    let after = after.strip_prefix("25").filter(|zone| !matches!(*zone, "" | "]")).unwrap_or(after);
    let zone = until(after, &[']']).0;
    Some(zone).filter(|zone| (1..=15).contains(&zone.len()) && after.len() > zone.len())
}

/// Divides a text after the characters of an address, which include percent signs before a change.
fn address_digits<'t>(s: &State<'_>, text: &'t str, change: &'static Change) -> (&'t str, &'t str) {
    let is_part = |it: char| is_digit(it) || it == '%' && !s.has(change);
    text.split_at(text.find(|it: char| !is_part(it)).unwrap_or(text.len()))
}

/// Returns the length of the host before a colon and the port, until 7.66.0: that of brackets if up to 45 characters of an address and
/// possibly a zone precede the closing one. A reason if they do not.
fn scanned(s: &State<'_>) -> Result<usize, &'static str> {
    let colon = Ok(s.rest.find(':').unwrap_or(s.rest.len()));
    let Some(content) = s.rest.strip_prefix('[') else { return colon };
    let length = address_digits(s, content, &ZONE_PORT).0.len().min(45);
    let rest = content.get(length..).unwrap_or_default();
    let after = match (rest.as_bytes().first(), s.has(&ZONE_PORT)) {
        (None, _) => return colon,
        _ if length == 0 => return colon,
        (Some(b']'), _) => rest.get(1..).unwrap_or_default(),
        (_, false) => return colon,
        (Some(b'%'), true) => {
            let zone = rest.strip_prefix(if s.has(&ZONE) { "%" } else { "%25" });
            match zone.and_then(|text| text.split_once(']')).filter(|(zone, _)| !zone.is_empty()) {
                Some((_, "")) if !s.has(&ZONE_ALONE) => return Err("no port follows the zone"),
                Some((_, after)) => after,
                None => return Err("a zone is missing, or the bracket after it"),
            }
        }
        _ => return Err("brackets do not contain an address"),
    };
    match after {
        "" if s.has(&BRACKETS_ALONE) => Ok(s.rest.len()),
        "" => Err("no port follows the bracket"),
        port if port.starts_with(':') => Ok(s.rest.len() - port.len()),
        _ => Err("something follows the bracket"),
    }
}

/// Divides the unread rest into the host, of a length, and the port after a colon; rejects a port that is not a number up to 65535.
fn divide(s: &mut State<'_>, length: usize) -> Next {
    let text = std::mem::take(&mut s.rest);
    let (host, rest) = text.split_at(length);
    let port = rest.strip_prefix(':');
    s.set(own(s, Part::Host), host);
    s.set(own(s, Part::Port), port);
    let is_number = |port: &str| port.bytes().all(|it| it.is_ascii_digit());
    let is_port = |port: &str| is_number(port) && (port.is_empty() || value(port, 10) <= 0xffff);
    match port {
        Some(port) if !is_port(port) => s.reject(own(s, Part::Authority), "the port is not a number up to 65535"),
        _ => Go,
    }
}

/// Writes an address in the form of `inet_ntop`, if it `fits`.
fn short_address(s: &mut State<'_>, fits: fn(&str, &str) -> bool) -> Next {
    let host = s.get(own(s, Part::Host));
    let Some(Some((long, zone))) = bracketed(host) else { return Go };
    let Ok(address) = long.parse::<Ipv6Addr>() else { return Go };
    let short = match address.segments() {
        // Six zeros precede an IPv4 address.
        [0, 0, 0, 0, 0, 0, high, low] if high > 0 => {
            format!("::{}", Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
        }
        _ => address.to_string(),
    };
    if !fits(&short, long) {
        return Go;
    }
    let zone = if zone.is_empty() { String::new() } else { format!("%25{zone}") };
    write_host(s, Some(format!("[{short}{zone}]")))
}

/// Returns the slot of a part of the URL that is written.
fn written(s: &State<'_>, part: Part) -> Slot {
    if s.side == Side::Base { Slot::Base(part) } else { Slot::Out(part) }
}

/// `urlget_url`, in earlier versions a part of `curl_url_get`, for the base and the target.
pub(crate) static URLGET: &[Step] = &[
    Step::new("urlget_url: file", "write // without a host after `file:`", |s| {
        if s.get(written(s, Part::Scheme)) == "file" {
            s.set(written(s, Part::Authority), "");
        }
        Go
    }),
    Step::new("urlget_url: no query of a file", "write no query after the path of a file", |s| {
        if s.get(written(s, Part::Scheme)) == "file" {
            s.set(written(s, Part::Query), None::<&str>);
        }
        Go
    })
    .until(&BASE_QUERY),
    Step::new("urlget_url: (nil)", "write (nil) for the path of a file if it is lost", |s| {
        let slot = written(s, Part::Path);
        if s.get(written(s, Part::Scheme)) == "file" && s.present(slot).is_none() {
            s.set(slot, "(nil)");
        }
        Go
    }),
    Step::new(
        "urlget_url: the path",
        "write a slash for an empty path, and before one that does not begin with a slash",
        |s| {
            let slot = written(s, Part::Path);
            let path = s.get(slot);
            if !path.starts_with('/') && s.get(written(s, Part::Scheme)) != "file" {
                let path = format!("/{path}");
                s.set(slot, path);
            }
            Go
        },
    ),
    Step::new(
        "urlget_url: querysep, fragmentsep",
        "write no ? before an empty query and no # before an empty fragment",
        |s| {
            for slot in [Part::Query, Part::Fragment].map(|part| written(s, part)) {
                if s.get(slot).is_empty() {
                    s.set(slot, None::<&str>);
                }
            }
            Go
        },
    ),
];

/// Encodes a reference, but not the host that it begins with if `has_host`: spaces, and bytes outside ASCII, since 8.13.0 also control
/// characters.
fn encoded(s: &State<'_>, text: &str, has_host: bool) -> String {
    let start = text.find("//").map_or(0, |at| at + 2);
    let host = text.get(start..).map_or(0, |rest| start + until(rest, &['/', '?']).0.len());
    let (host, rest) = text.split_at(if has_host { host } else { 0 });
    let mut out = host.to_owned();
    let mut is_query = false;
    for byte in rest.bytes() {
        match byte {
            b' ' => out.push_str(if is_query { "+" } else { "%20" }),
            0x80.. => out.push_str(&if s.has(&UPPER_CASE) { format!("%{byte:02X}") } else { format!("%{byte:02x}") }),
            ..b' ' | 0x7f if s.has(&CONTROLS) => {
                out.push_str(&if s.has(&UPPER_CASE) { format!("%{byte:02X}") } else { format!("%{byte:02x}") });
            }
            _ => {
                is_query |= byte == b'?';
                out.push(byte.into());
            }
        }
    }
    out
}

/// Returns the part of the base's text that precedes the reference.
fn prefix(s: &State<'_>) -> String {
    s.segments.first().cloned().unwrap_or_default()
}

/// Keeps the part of the prefix before `end`, which counts from the host on.
fn keep(s: &mut State<'_>, end: impl Fn(&str) -> Option<usize>) {
    let text = prefix(s);
    let host = text.find("//").map_or(0, |at| at + 2);
    if let Some(kept) = text.get(host..).and_then(&end).and_then(|end| text.get(..host + end)) {
        s.segments = vec![kept.to_owned()];
        s.decide(Slot::Merged);
    }
}

/// Writes the components of the reference into those of the target, and inherits the rest.
fn inherit(s: &mut State<'_>, path: &'static str) {
    s.inherit(Part::Scheme);
    s.inherit(Part::Authority);
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
    match path {
        "" => s.flow(Slot::Merged, Slot::Ref(Part::Path)),
        "path" => s.flow(Slot::Merged, Slot::Base(Part::Path)),
        _ => {}
    }
    if !path.is_empty() {
        s.inherit_as(path);
    }
}

fn first(s: &State<'_>) -> char {
    let (path, query) = (s.get(Slot::Ref(Part::Path)), s.present(Slot::Ref(Part::Query)));
    match (path.chars().next(), query, s.present(Slot::Ref(Part::Fragment))) {
        (Some(first), ..) => first,
        (None, Some(_), _) => '?',
        (None, None, Some(_)) => '#',
        _ => '\0',
    }
}

/// `set_url`, `redirect_url` (until 8.11.1 `concat_url`) and `curl_url_get`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("curl_url_set: the base", "read the base, unless it is empty", |s| {
        if s.base.is_empty() {
            return Go;
        }
        s.rest = s.base.to_owned();
        Call(PARSEURL, Side::Base)
    }),
    Step::new("set_url: oldurl", "write the base's text from its components", |s| match s.base {
        "" => Go,
        _ => Call(URLGET, Side::Base),
    }),
    Step::new("set_url: a blank URL", "reject an empty reference", |s| match (s.base, s.reference) {
        ("", _) => Go,
        (_, "") => s.reject(Slot::Ref(Part::Text), "the reference is empty"),
        _ => Go,
    })
    .since(&NO_BLANK)
    .until(&BLANK),
    Step::new("set_url: nothing changes", "an empty reference inherits the base with its fragment", |s| {
        if s.base.is_empty() || !s.reference.is_empty() {
            return Go;
        }
        inherit_all(s);
        s.inherit(Part::Fragment);
        To("curl_url_get")
    })
    .since(&BLANK)
    .until(&NO_FRAGMENT),
    Step::new("set_url: no fragment", "an empty reference inherits the base without its fragment", |s| {
        if s.base.is_empty() || !s.reference.is_empty() {
            return Go;
        }
        inherit_all(s);
        s.set(Slot::Out(Part::Fragment), None::<&str>);
        To("curl_url_get")
    })
    .since(&NO_FRAGMENT),
    Step::new("set_url: ':'", "a reference is read alone if up to 7 letters, digits, +, - and . before a colon begin it", alone)
        .until(&SLASH_AFTER),
    Step::new("set_url: 8", "a reference is read alone if up to 7 letters, digits, +, - and . before a colon and a slash begin it", alone)
        .since(&SLASH_AFTER)
        .until(&LONG_SCHEME),
    Step::new("set_url: ://", "a reference is read alone if up to 40 letters, digits, +, - and . before a colon and a slash begin it", alone)
        .since(&LONG_SCHEME)
        .until(&COLON),
    Step::new(
        "set_url: Curl_is_absolute_url",
        "a reference with a scheme is read alone; a name of letters, digits, +, - and . before a colon is one",
        alone,
    )
    .since(&COLON),
    Step::new("parseurl_and_replace", "the reference replaces the base", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), if part == Part::Path { Slot::NoDots } else { Slot::Ref(part) });
        }
        To("curl_url_get")
    }),
    Step::new(
        "urlencode_str",
        "encode control characters and bytes outside ASCII in a relative reference, and spaces as %20, or + in a query, but not those of the host",
        |s| {
            let text = s.get(Slot::Ref(Part::Text));
            let (slashes, text) = text.split_at(if text.starts_with("//") { 2 } else { 0 });
            let text = slashes.to_owned() + &encoded(s, text, !slashes.is_empty());
            encode(s, text)
        },
    ),
    Step::new(
        "urlencode_str: uppercase",
        "write the escapes of a relative reference in upper case, but not those of the host",
        |s| {
            let text = s.get(Slot::Ref(Part::Text)).to_owned();
            let start = text.strip_prefix("//").map_or(0, |rest| {
                let host = rest.find("//").map_or(0, |at| at + 2);
                2 + rest.get(host..).map_or(0, |rest| host + until(rest, &['/', '?']).0.len())
            });
            let upper = |(at, it): (usize, char)| {
                let is_digit = at >= start
                    && [1, 2]
                        .into_iter()
                        .any(|back| at.checked_sub(back).and_then(|at| text.get(at..)).is_some_and(is_escape));
                if is_digit { it.to_ascii_uppercase() } else { it }
            };
            let text = text.char_indices().map(upper).collect();
            encode(s, text)
        },
    )
    .since(&UPPER_ESCAPES),
    Step::new(
        "redirect_url: ~CURLU_PATH_AS_IS",
        "the flag that keeps dot segments is not set while a relative reference is joined",
        |s| {
            s.unmark(PATH_AS_IS);
            Go
        },
    )
    .since(&AS_IS_ALONE),
    Step::new("redirect_url: relurl", "the reference begins with //, a path, a query or a fragment", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let base = Part::COMPONENTS.map(|part| s.present(Slot::Base(part)));
        s.segments = vec![concatenated(base)];
        if text.starts_with("//") {
            return Go;
        }
        let [path, query, fragment] = relative(&text);
        s.set(Slot::Ref(Part::Authority), None::<&str>);
        s.set(Slot::Ref(Part::Path), path);
        s.set(Slot::Ref(Part::Query), query);
        s.set(Slot::Ref(Part::Fragment), fragment);
        To("redirect_url: /path")
    }),
    Step::new("redirect_url: host_changed", "a reference that begins with // follows the base's scheme", |s| {
        s.inherit(Part::Scheme);
        s.mark(HOST_CHANGED);
        let scheme = s.get(Slot::Base(Part::Scheme));
        s.rest = format!("{scheme}:{}", s.get(Slot::Ref(Part::Text)));
        Call(PARSEURL, Side::Reference)
    }),
    Step::new("redirect_url: parseurl_and_replace", "the target has the reference's other components", |s| {
        for part in [Part::Authority, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        To("curl_url_get")
    }),
    Step::new("redirect_url: /path", "a path that begins with a slash follows the base's authority", |s| {
        if first(s) != '/' {
            return Go;
        }
        let ends: &[char] = if s.has(&REDIRECT) { &['/'] } else { &['/', '?'] };
        keep(s, |text| text.find(ends));
        inherit(s, "");
        To("redirect_url: urlbuf")
    }),
    Step::new("concat_url: the base's query", "remove the base's query and what follows it", |s| {
        keep(s, |text| text.find('?'));
        Go
    })
    .until(&REDIRECT),
    Step::new("concat_url: a query", "a query follows the base's path", |s| {
        if first(s) != '?' {
            return Go;
        }
        inherit(s, "path");
        To("redirect_url: urlbuf")
    })
    .until(&REDIRECT),
    Step::new("concat_url: a fragment", "a fragment follows the base's path", |s| {
        if first(s) != '#' {
            return Go;
        }
        inherit(s, "path");
        To("redirect_url: urlbuf")
    })
    .since(&FRAGMENT_ONLY)
    .until(&REDIRECT),
    Step::new("concat_url: the last slash", "remove the base's last slash and what follows it", |s| {
        keep(s, |text| text.rfind('/'));
        inherit(s, "folder");
        Go
    })
    .until(&REDIRECT),
    Step::new(
        "concat_url: ./ and ../",
        "remove one ./ and then each ../ from the reference, and for each ../ a segment from the base",
        |s| {
            let text = relative_text(s);
            let mut rest = text.strip_prefix("./").unwrap_or(&text);
            let mut level = 0;
            while let Some(after) = rest.strip_prefix("../") {
                rest = after;
                level += 1;
            }
            s.rest = rest.to_owned();
            for _ in 0..level {
                // The slash after the host remains.
                keep(s, |text| {
                    text.find('/').map(|host| text.rfind('/').filter(|last| *last > host).unwrap_or(host + 1))
                });
            }
            let is_query = s.rest.starts_with('?') && !s.has(&FRAGMENT_ONLY);
            if !(s.rest.starts_with('/') || is_query || prefix(s).splitn(4, '/').nth(3) == Some("")) {
                s.segments = vec![prefix(s) + "/"];
            }
            let text = prefix(s) + &s.rest;
            let path = path_of(&text);
            s.set(Slot::Merged, path);
            To("redirect_url: parseurl")
        },
    )
    .until(&REDIRECT),
    Step::new("redirect_url: #fragment", "a fragment follows the base's path and query", |s| {
        if first(s) != '#' {
            return Go;
        }
        keep(s, |text| text.find('#'));
        inherit(s, "path");
        s.inherit(Part::Query);
        To("redirect_url: urlbuf")
    })
    .since(&REDIRECT),
    Step::new(
        "redirect_url: the first ?",
        "remove what follows the base's first ?, or without one its fragment",
        |s| {
            keep(s, |text| text.find('?').or_else(|| text.find('#')));
            Go
        },
    )
    .since(&REDIRECT)
    .until(&BASE_QUERY),
    Step::new("redirect_url: query_present", "remove the base's query and its fragment", |s| {
        keep(s, |text| text.find(['?', '#']));
        Go
    })
    .since(&BASE_QUERY),
    Step::new("redirect_url: ?query", "a query follows the base's path", |s| {
        if first(s) != '?' {
            return Go;
        }
        inherit(s, "path");
        To("redirect_url: urlbuf")
    })
    .since(&REDIRECT),
    Step::new("redirect_url: the last slash", "a path follows the base's last slash", |s| {
        keep(s, |text| text.rfind('/').map(|at| at + 1));
        inherit(s, "folder");
        let text = prefix(s) + &relative_text(s);
        let path = path_of(&text);
        s.set(Slot::Merged, path);
        Go
    })
    .since(&REDIRECT),
    Step::new("redirect_url: urlbuf", "append the reference", |s| {
        s.rest = relative_text(s);
        Go
    }),
    Step::new("redirect_url: parseurl", "read the joined text", |s| {
        s.mark(JOINED);
        s.rest = prefix(s) + &s.rest;
        Call(PARSEURL, Side::Reference)
    }),
    Step::new("redirect_url: uc", "the target has the path of the joined text", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("curl_url_get", "write the target's text from its components", |_| Call(URLGET, Side::Reference)),
    Step::new("urlget_url", "concatenate the components", |s| s.concatenate()),
];

/// Reads a reference with a scheme; a relative one follows the base, if there is one.
fn alone(s: &mut State<'_>) -> Next {
    s.rest = s.reference.to_owned();
    s.write_text();
    let name = absolute(s, s.get(Slot::Ref(Part::Text))).map(|(name, _)| name.to_owned());
    s.set(Slot::Ref(Part::Scheme), name);
    if s.present(Slot::Ref(Part::Scheme)).is_none() && !s.base.is_empty() {
        return To("urlencode_str");
    }
    Call(PARSEURL, Side::Reference)
}

/// Divides a relative reference into path, query and fragment.
fn relative(text: &str) -> [Option<&str>; 3] {
    let (text, fragment) = cut(text, "#");
    let (path, query) = cut(text, "?");
    [Some(path), query, fragment]
}

/// Returns the text of a relative reference.
fn relative_text(s: &State<'_>) -> String {
    let [path, query, fragment] = [Part::Path, Part::Query, Part::Fragment].map(|part| s.present(Slot::Ref(part)));
    concatenated([None, None, path, query, fragment])
}

/// Returns the path of a text with a scheme and an authority.
fn path_of(text: &str) -> &str {
    let (_, after) = cut(text, "//");
    let after = after.unwrap_or_default();
    let start = after.find(['/', '?', '#']).unwrap_or(after.len());
    after.get(start..).map_or("", |rest| until(rest, &['?', '#']).0)
}

/// Writes the text of the reference, and records which components change with it.
fn encode(s: &mut State<'_>, text: String) -> Next {
    let before = s.get(Slot::Ref(Part::Text)).to_owned();
    let parts = [Part::Path, Part::Query, Part::Fragment];
    for (part, (before, after)) in parts.into_iter().zip(relative(&before).into_iter().zip(relative(&text))) {
        if before != after {
            s.decide(Slot::Ref(part));
        }
    }
    s.set(Slot::Ref(Part::Text), text);
    Go
}

/// Inherits all components but the fragment.
fn inherit_all(s: &mut State<'_>) {
    for part in [Part::Scheme, Part::Authority, Part::Path, Part::Query] {
        s.inherit(part);
    }
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
}

/// Makes an empty query absent.
fn lose_query(s: &mut State<'_>) -> Next {
    if s.get(Slot::Out(Part::Query)).is_empty() {
        s.set(Slot::Out(Part::Query), None::<&str>);
    }
    Go
}

/// The mark of a build without a library for IDNA.
pub(crate) const NO_IDN: &str = "libcurl: no IDN";

/// `curl_url_set`, and `curl_url_get` for each part.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("curl_url_set: the URL", "read the URL", |s| {
        s.mark(PARTS);
        Call(PARSEURL, Side::Reference)
    }),
    Step::new(
        "curl_url_get: CURLUPART_SCHEME, CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_PORT",
        "state the scheme, the user, the password and the port; what a file does not have is absent",
        |s| {
            for part in [Part::Scheme, Part::User, Part::Password, Part::Port] {
                match s.present(Slot::Ref(part)) {
                    Some(_) => s.flow(Slot::Out(part), Slot::Ref(part)),
                    None => s.set(Slot::Out(part), None::<&str>),
                }
            }
            Go
        },
    ),
    Step::new("curl_url_get: CURLUPART_PATH", "state the path without dot segments, and a slash for an empty one", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    }),
    Step::new("curl_url_get: CURLUPART_FRAGMENT", "state the fragment; an empty one is absent", |s| {
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.get(Slot::Out(Part::Fragment)).is_empty() {
            s.set(Slot::Out(Part::Fragment), None::<&str>);
        }
        Go
    }),
    Step::new("curl_url_get: CURLUPART_QUERY", "state the query", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        Go
    }),
    Step::new("curl_url_get: query[0]", "an empty query is absent", lose_query).until(&EMPTY_QUERY),
    Step::new("curl_url_get: no CURLU_GET_EMPTY", "an empty query is absent", lose_query).since(&GET_EMPTY),
    Step::new("curl_url_get: CURLUPART_HOST", "state the host, which a file does not have, without its zone", |s| {
        let host = s.present(Slot::Ref(Part::Host)).map(|host| match host.split_once('%') {
            Some((address, _)) if host.starts_with('[') && s.has(&ZONE) => format!("{address}]"),
            _ => host.to_owned(),
        });
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("curl_url_get: CURLU_PUNYCODE", "convert a host outside ASCII by UTS 46 and IDNA 2008, or by UTS 46 with transitional processing; reject it if neither is possible", |s| {
        let slot = Slot::Out(Part::Host);
        if s.get(slot).is_ascii() || s.is_marked(NO_IDN) {
            return Go;
        }
        match idn2::idn_decode(s.get(slot)) {
            Some(host) => {
                s.set(slot, host);
                Go
            }
            None => s.reject(slot, "it is not a host of UTS 46"),
        }
    })
    .since(&PUNYCODE),
    Step::new("Curl_idn_decode: zero length", "reject a host that is empty after it was converted", |s| {
        let slot = Slot::Out(Part::Host);
        match s.present(slot) {
            Some("") => s.reject(slot, "it is empty"),
            _ => Go,
        }
    })
    .since(&ZERO_LENGTH),
];
