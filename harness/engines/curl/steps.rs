//! curl: where the tool connects for a URL, from 7.50.0 on.
//!
//! Read from `parseurlandfillconn` and `Curl_setup_conn` in `lib/url.c` and from `lib/urldata.h` of curl 7.88.1 and 8.23.0. It calls libcurl's parser with
//! `CURLU_GUESS_SCHEME`, and gets the parts from it. Before 7.62.0, which has the parser of `urlapi.c`, it has its own: read from `parseurlandfillconn`,
//! `parse_url_login`, `parse_remote_port` and `fix_hostname` in `lib/url.c` of 7.50.3 to 7.61.1. These versions are built with libidn, and since 7.51.0 with a libidn2 that
//! converts by UTS 46 (2.0.5 or newer). How they follow redirects is not described.

mod changes;

use std::net::{Ipv4Addr, Ipv6Addr};

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::libcurl::{self, idn2};
use crate::okhttp::idna_2003::java_idn;
use crate::redirect::{has_location, schemes};
use crate::socket::{GETADDRINFO, RESOLVER, is_no_address, is_of_link, read_interface, reject_resolved, unbracketed, write};

use changes::*;

/// curl.
pub static TABLE: Table = Table {
    engine: "curl",
    first: "7.50.0",
    changes: &[&FRAGMENT, &IDNA_2008, &DIGITS, &SCHEME, &OPTIONS, &WHOLE_PORT, &BRACKET, &URL_API, &LOCALHOST, &IN_LOCALHOST, &IPV6_FIRST, &LOCALHOST_DOT],
    dated: &[],
    questions: &[(Question::Connect, CONNECT), (Question::Follow, FOLLOW)],
    called: &[GETADDRINFO, PERFORM, REDIRECT, SSCANF],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&libcurl::TABLE, version.to_owned())],
};

/// `create_conn`.
static CONNECT: &[Step] = &[Step::new("create_conn", "read the URL, and connect to its host", |s| {
    Call(if s.has(&URL_API) { PERFORM } else { SSCANF }, Side::Reference)
})];

/// `Curl_follow`.
static FOLLOW: &[Step] =
    &[Step::new("Curl_follow", "follow the location", |_| Call(REDIRECT, Side::Reference)).since(&URL_API)];

/// `curl --location`, for a redirect.
pub(crate) static REDIRECT: &[Step] = &[
    Step::new("http_header: Location", "do not follow an empty location", has_location),
    Step::new("Curl_follow: curl_url_set", "resolve the location on the URL of the request", |s| {
        s.mark(libcurl::NON_SUPPORT_SCHEME);
        s.mark(libcurl::URLENCODE);
        Call(libcurl::RESOLVE, Side::Reference)
    }),
    Step::new("CURLOPT_REDIR_PROTOCOLS", "reject a target that is not one of http, https, ftp or ftps", |s| {
        match matches!(schemes(s)[1].as_str(), "http" | "https" | "ftp" | "ftps") {
            true => Done,
            false => s.reject(Slot::Out(Part::Scheme), "its protocol is not one for redirects"),
        }
    }),
];

/// `curl URL`, up to the socket.
pub(crate) static PERFORM: &[Step] = &[
    Step::new("curl_url_set: CURLU_GUESS_SCHEME", "without a scheme, it is that of the first label of the host if this is a scheme, or http", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let text = text.as_str();
        // Without a scheme, what follows its colon must be a slash.
        if libcurl::absolute(s, text).is_none_or(|(_, rest)| !rest.starts_with('/')) {
            if text.starts_with(['/', '?', '#']) {
                return s.reject(Slot::Ref(Part::Text), "the host is missing");
            }
            if until(text, &['/', '?', '#']).0.ends_with(':') {
                return s.reject(Slot::Ref(Part::Text), "the scheme and the port are missing");
            }
            let label = text.split('.').next().unwrap_or_default().to_ascii_lowercase();
            let is_named = text.contains('.') && matches!(label.as_str(), "ftp" | "dict" | "ldap" | "imap" | "smtp" | "pop3");
            let scheme = if is_named { label.as_str() } else { "http" };
            let text = format!("{scheme}://{text}");
            s.set(Slot::Ref(Part::Text), text);
        }
        Go
    }),
    Step::new("parseurlandfillconn: curl_url_set", "parse the URL", |_| Call(libcurl::ACCESSORS, Side::Reference)),
    Step::new("curl_url_get: CURLU_URLDECODE", "reject a user and a password that contain %00; for ftp, other control characters, too", |s| {
        let is_ftp = s.get(Slot::Out(Part::Scheme)).starts_with("ftp");
        for slot in [Slot::Out(Part::User), Slot::Out(Part::Password)] {
            let text = s.get(slot);
            let is_control = |(at, _): (usize, &str)| {
                let byte = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                byte.is_some_and(|byte| byte == 0 || is_ftp && byte < b' ')
            };
            if text.match_indices('%').any(is_control) {
                return s.reject(slot, "it contains a control character");
            }
        }
        Go
    }),
    Step::new("findprotocol", "the scheme has a default port; reject one without a server", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme));
        let is_web = matches!(scheme, "http" | "https");
        let is_built = match () {
            () if s.is_marked(ONLY_WEB) => is_web,
            () if s.is_marked(ONLY_HTTP) => is_web || matches!(scheme, "ws" | "wss" | "mqtt" | "mqtts"),
            () if s.is_marked(FEW_SCHEMES) => !["ldap", "rtmp", "smb"].iter().any(|it| scheme.starts_with(it)),
            () => true,
        };
        let Some(port) = default_port(scheme).filter(|_| is_built) else {
            return s.reject(Slot::Out(Part::Scheme), "nothing connects for this scheme");
        };
        if s.get(Slot::Out(Part::Port)).is_empty() {
            s.set(Slot::Out(Part::Port), port);
        }
        Go
    }),
    Step::new("parseurlandfillconn: CURLUPART_HOST", "connect to the host, without brackets", |s| {
        let slot = Slot::Out(Part::Host);
        let host = unbracketed(s.get(slot)).to_owned();
        if host != s.get(slot) {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("parseurlandfillconn: CURLUPART_ZONEID", "for an address of a link, the zone is a number or the name of an interface", |s| {
        let zone = unbracketed(s.get(Slot::Ref(Part::Host))).split_once("%25").map(|(_, zone)| zone.to_owned());
        let address = s.get(HOST).parse().ok().filter(|address| is_of_link(*address));
        zone.zip(address).map_or(Go, |(zone, address)| read_interface(s, address, &zone))
    }),
    Step::new("Curl_resolv: localhost", "localhost is this host", |s| name_of_this_host(s, |host| host == "localhost")).since(&LOCALHOST),
    Step::new("Curl_resolv: .localhost", "a name that ends in .localhost is this host", |s| {
        name_of_this_host(s, |host| host.ends_with(".localhost"))
    })
    .since(&IN_LOCALHOST),
    Step::new("Curl_resolv: localhost.", "the same with a dot at the end", |s| {
        name_of_this_host(s, |host| host == "localhost." || host.ends_with(".localhost."))
    })
    .since(&LOCALHOST_DOT),
    Step::new("gethostbyname2: digits and dots", "digits and dots that are not an IPv4 address are asked for only as a name of IPv6, which they are expected not to be", |s| {
        match is_no_address(s.get(HOST)) {
            true => reject_resolved(s, HOST, "it is not an address"),
            false => Go,
        }
    })
    .since(&libcurl::changes::SEPARATE),
    RESOLVER,
];

/// Connects to this host, by IPv4 or in later versions by IPv6, if the host, in lower case, is a name of it.
fn name_of_this_host(s: &mut State<'_>, is_name: fn(&str) -> bool) -> Next {
    if !is_name(&s.get(HOST).to_ascii_lowercase()) {
        return Go;
    }
    let is_by_ipv6 = s.has(&IPV6_FIRST);
    write(s, if is_by_ipv6 { Ipv6Addr::LOCALHOST.into() } else { Ipv4Addr::LOCALHOST.into() });
    Done
}

/// The mark of a build without LDAP, RTMP and SMB.
pub(crate) const FEW_SCHEMES: &str = "curl: no LDAP, RTMP and SMB";

/// The mark of a build that has HTTP, WebSocket and MQTT.
pub(crate) const ONLY_HTTP: &str = "curl: only HTTP";

/// The mark of `CURLOPT_PROTOCOLS` with HTTP only.
pub(crate) const ONLY_WEB: &str = "curl: only http and https";

/// Returns the default port of a scheme; `None` if it has no server.
fn default_port(scheme: &str) -> Option<&'static str> {
    Some(match scheme {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        "ftps" => "990",
        "dict" => "2628",
        "gopher" | "gophers" => "70",
        "imap" => "143",
        "imaps" => "993",
        "ldap" => "389",
        "ldaps" => "636",
        "mqtt" => "1883",
        "mqtts" => "8883",
        "pop3" => "110",
        "pop3s" => "995",
        "rtmp" | "rtmpe" => "1935",
        "rtsp" => "554",
        "scp" | "sftp" => "22",
        "smb" | "smbs" => "445",
        "smtp" => "25",
        "smtps" => "465",
        "telnet" => "23",
        "tftp" => "69",
        _ => return None,
    })
}

const TEXT: Slot = Slot::Ref(Part::Text);
const SERVER: Slot = Slot::Ref(Part::Authority);
const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

/// The mark of a host that was in brackets.
const ADDRESS: &str = "curl: an IPv6 address";

/// `parseurlandfillconn` before 7.62.0, with what it calls, up to the socket.
static SSCANF: &[Step] = &[
    Step::new("parseurlandfillconn: strpbrk", "reject a URL with an end of line", |s| match s.get(TEXT).contains(['\r', '\n']) {
        true => s.reject(TEXT, "it contains an end of line"),
        false => Go,
    }),
    Step::new("sscanf: file", "nothing connects for a URL that begins with file: and something after it", |s| reject_file(s, 5)).until(&SCHEME),
    Step::new("strncasecompare: file:", "nothing connects for a URL that begins with file:", |s| reject_file(s, 4)).since(&SCHEME),
    Step::new(
        "sscanf: [^\\n/?]",
        "one to 15 characters before a colon and slashes, three at most, are the scheme, and the host is what follows up to / or ?; without them, the text begins with the host",
        |s| scan(s, &[], &['/', '?']),
    )
    .until(&FRAGMENT),
    Step::new(
        "sscanf: [^\\n/?#]",
        "one to 15 characters before a colon and slashes, three at most, are the scheme, and the host is what follows up to /, ? or #; without them, the text begins with the host",
        |s| scan(s, &[], &['/', '?', '#']),
    )
    .since(&FRAGMENT)
    .until(&SCHEME),
    Step::new(
        "sscanf: [^\\n/:]",
        "one to 15 characters but / before a colon and slashes, three at most, are the scheme, and the host is what follows up to /, ? or #; without them, the text begins with the host",
        |s| scan(s, &['/'], &['/', '?', '#']),
    )
    .since(&SCHEME),
    Step::new("protocols", "the scheme has a default port; reject one without a server", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme)).to_owned();
        let is_later = |scheme: &str| matches!(scheme, "gophers" | "mqtt" | "mqtts" | "ws" | "wss");
        match default_port(&scheme).filter(|_| !is_later(&scheme)) {
            Some(port) => {
                s.set(PORT, port);
                Go
            }
            None => s.reject(Slot::Out(Part::Scheme), "nothing connects for this scheme"),
        }
    }),
    Step::new("parse_url_login: options", "a user, a password after a colon, and options after a semicolon precede the first @", |s| login(s, true))
        .until(&OPTIONS),
    Step::new("parse_url_login", "a user and a password after a colon precede the first @; for mail, options after a semicolon do, too", |s| {
        let is_mail = ["imap", "pop3", "smtp"].iter().any(|it| s.get(Slot::Out(Part::Scheme)).starts_with(it));
        login(s, is_mail)
    })
    .since(&OPTIONS),
    Step::new("parseurlandfillconn: scope", "remove a number after the first % of a host in brackets, which may be %25", |s| {
        let server = s.get(SERVER);
        let scoped = server.split_once('%').filter(|_| server.starts_with('['));
        let Some((host, zone)) = scoped else { return Go };
        let zone = zone.strip_prefix("25").unwrap_or(zone);
        let number = zone.trim_start_matches(is_space);
        let number = number.strip_prefix(['+', '-']).unwrap_or(number);
        let end = number.trim_start_matches(|it: char| it.is_ascii_digit());
        if end.starts_with(']') && (end.len() < number.len() || zone == end) {
            let server = format!("{host}{end}");
            s.set(SERVER, server);
        }
        Go
    }),
    Step::new("parse_remote_port: [%*45[0-9a-fA-F:.]%c", "up to 45 hexadecimal digits, colons and dots in brackets are the host; a port may follow, and anything else is ignored", |s| {
        bracketed(s, false)
    })
    .until(&BRACKET),
    Step::new("parse_remote_port: closing bracket", "up to 45 hexadecimal digits, colons and dots in brackets are the host; reject anything but a port after them", |s| {
        bracketed(s, true)
    })
    .since(&BRACKET),
    Step::new("parse_remote_port: Curl_inet_pton", "reject an IPv6 address without brackets", |s| match s.get(SERVER).parse::<std::net::Ipv6Addr>() {
        Ok(_) if !s.is_marked(ADDRESS) => s.reject(SERVER, "it is an address without brackets"),
        _ => Go,
    }),
    Step::new("parse_remote_port: strtol", "a port follows the last colon; it is the number at its beginning, and reject one above 65535; without a digit, it is the default one", |s| {
        read_port(s, |server| server.rsplit_once(':'), |_| false)
    })
    .until(&DIGITS),
    Step::new("parse_remote_port: Illegal port number", "a port follows the last colon; it is the number at its beginning, and reject one above 65535, or without a digit", |s| {
        read_port(s, |server| server.rsplit_once(':'), |(number, rest)| number.is_none() && !rest.is_empty())
    })
    .since(&DIGITS)
    .until(&WHOLE_PORT),
    Step::new("parse_remote_port: Port number ended", "a port follows the first colon; reject one above 65535, and anything after it", |s| {
        read_port(s, |server| server.split_once(':'), |(_, rest)| !rest.is_empty())
    })
    .since(&WHOLE_PORT),
    Step::new("fix_hostname", "remove a dot at the end of the host", |s| {
        if let Some(host) = s.get(HOST).strip_suffix('.') {
            let host = host.to_owned();
            s.set(HOST, host);
        }
        Go
    }),
    Step::new("idna_to_ascii_lz", "convert a host outside ASCII by IDNA 2003", |s| to_ascii(s, java_idn)).until(&IDNA_2008),
    Step::new("idn2_lookup_ul", "convert a host outside ASCII by UTS 46 and IDNA 2008", |s| to_ascii(s, idn2::idn_nontransitional)).since(&IDNA_2008),
    Step::new("Curl_getaddrinfo_ex", "ask the system's resolver for the host", |_| Call(GETADDRINFO, Side::Reference)),
];

/// Rejects a text that begins with `file:` and is longer than `length`.
fn reject_file(s: &mut State<'_>, length: usize) -> Next {
    let text = s.get(TEXT);
    match text.len() > length && text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        true => s.reject(TEXT, "a file needs no connection"),
        false => Go,
    }
}

/// Divides the text into a scheme, which contains neither a colon nor one of `others`, and a host, which ends before one of `ends`.
fn scan(s: &mut State<'_>, others: &[char], ends: &[char]) -> Next {
    let text = s.get(TEXT).to_owned();
    let name = text.split_once(':').filter(|(name, _)| matches!(name.len(), 1..16) && !name.contains(others));
    let found = name.map(|(name, rest)| (name, rest, rest.bytes().take(3).take_while(|it| *it == b'/').count()));
    let (scheme, rest) = match found.filter(|(.., slashes)| *slashes > 0) {
        Some((name, rest, slashes)) => (name.to_ascii_lowercase(), &rest[slashes..]),
        None => (String::new(), text.as_str()),
    };
    let host = until(rest, ends).0;
    if host.is_empty() {
        return s.reject(TEXT, "the host is missing");
    }
    let label = host.split_once('.').map(|(label, _)| label.to_ascii_lowercase()).unwrap_or_default();
    let guessed = match label.as_str() {
        "ftp" | "dict" | "ldap" | "imap" | "smtp" | "pop3" => label,
        _ => "http".to_owned(),
    };
    s.set(Slot::Out(Part::Scheme), if scheme.is_empty() { guessed } else { scheme });
    s.set(SERVER, host);
    s.set(Slot::Result, s.reference);
    Go
}

/// Takes a user and a password off the host.
fn login(s: &mut State<'_>, has_options: bool) -> Next {
    let server = s.get(SERVER).to_owned();
    let Some((login, host)) = server.split_once('@') else { return Go };
    s.set(SERVER, host);
    let without = |text: &str, mark: char| text.split(mark).next().unwrap_or_default().to_owned();
    let (user, password) = match login.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (login, None),
    };
    let (user, password) = match has_options {
        true => (without(user, ';'), password.map(|it| without(it, ';'))),
        false => (user.to_owned(), password.map(str::to_owned)),
    };
    s.set(Slot::Out(Part::User), Some(user).filter(|user| !user.is_empty()));
    s.set(Slot::Out(Part::Password), password.filter(|password| !password.is_empty()));
    Go
}

/// Takes an address out of its brackets. What follows remains, if it is a port.
fn bracketed(s: &mut State<'_>, is_strict: bool) -> Next {
    let server = s.get(SERVER).to_owned();
    let is_of_address = |it: char| it.is_ascii_hexdigit() || matches!(it, ':' | '.');
    let found = server.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((host, rest)) = found.filter(|(host, _)| matches!(host.len(), 1..46) && host.chars().all(is_of_address)) else {
        return Go;
    };
    s.mark(ADDRESS);
    s.set(HOST, host);
    match rest.strip_prefix(':') {
        None if is_strict && !rest.is_empty() => return s.reject(SERVER, "something follows the bracket"),
        port => s.set(SERVER, port.map(|port| format!(":{port}")).unwrap_or_default()),
    }
    Go
}

/// Cuts off the port, reads the number at its beginning as `strtol` does, and rejects it if `is_rejected` says so about the number and what follows it.
fn read_port(
    s: &mut State<'_>,
    split: fn(&str) -> Option<(&str, &str)>,
    is_rejected: fn((Option<u64>, &str)) -> bool,
) -> Next {
    let server = s.get(SERVER).to_owned();
    let (host, port) = match split(&server) {
        Some((host, port)) => (host, port),
        None => (server.as_str(), ""),
    };
    if !s.is_marked(ADDRESS) {
        s.set(HOST, host);
    }
    let unsigned = port.trim_start_matches(is_space);
    let is_negative = unsigned.starts_with('-');
    let unsigned = unsigned.strip_prefix(['+', '-']).unwrap_or(unsigned);
    let rest = unsigned.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &unsigned[..unsigned.len() - rest.len()];
    let number = (!digits.is_empty()).then(|| digits.parse::<u64>().unwrap_or(u64::MAX));
    let rest = if number.is_some() { rest } else { port };
    if number.is_some_and(|number| number > 0xffff || is_negative && number > 0) {
        return s.reject(PORT, "it is out of range");
    }
    if is_rejected((number, rest)) {
        return s.reject(PORT, "it is not a number");
    }
    if let Some(number) = number {
        s.set(PORT, number.to_string());
    }
    Go
}

fn to_ascii(s: &mut State<'_>, convert: fn(&str) -> Option<String>) -> Next {
    if s.get(HOST).is_ascii() {
        return Go;
    }
    match convert(s.get(HOST)) {
        Some(host) => {
            s.set(HOST, host);
            Go
        }
        None => s.reject(HOST, "it cannot be converted, and the resolver does not ask for it"),
    }
}

/// Returns whether C takes a character for white space.
fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}
