//! lazr.uri: `URI(base).resolve(reference)`, and the attributes of `URI(url)`, of 1.0.7.
//!
//! Read from `lazr/uri/_uri.py` of lazr.uri 1.0.7. The base is normalized before a reference is resolved, and the target afterwards. Only a URI
//! that is parsed as a whole must be ASCII: the patterns ignore case, so that four other letters match in a relative reference.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{scheme, without_dots};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986::{self, Outside};

/// lazr.uri.
pub static TABLE: Table = Table {
    engine: "lazr-uri",
    first: "1.0.7",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[READ, NORMALISE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The letters that have the same form as one of ASCII in the other case.
const FOLDED: Outside = |it| matches!(it, '\u{130}' | '\u{131}' | '\u{17f}' | '\u{212a}');

/// `_default_port`.
fn default_port(scheme: &str) -> Option<&'static str> {
    Some(match scheme {
        "acap" => "674",
        "dav" | "http" | "bzr+http" => "80",
        "dict" => "2628",
        "dns" => "53",
        "ftp" => "21",
        "go" => "1096",
        "gopher" => "70",
        "h323" => "1720",
        "https" => "443",
        "imap" => "143",
        "ipp" => "631",
        "iris.beep" => "702",
        "ldap" => "389",
        "mtqp" => "1038",
        "mupdate" => "3905",
        "nfs" => "2049",
        "nntp" => "119",
        "pop" => "110",
        "rtsp" => "554",
        "sip" => "5060",
        "sips" => "5061",
        "snmp" => "161",
        "soap.beep" | "soap.beeps" => "605",
        "telnet" => "23",
        "tftp" => "69",
        "tip" => "3372",
        "vemmi" => "575",
        "xmlrpc.beep" | "xmlrpc.beeps" => "602",
        "z39.50r" | "z39.50s" | "wais" => "210",
        "prospero" => "1525",
        "bzr+ssh" | "sftp" | "ssh" | "svn+ssh" => "22",
        "irc" => "6667",
        "svn" => "3690",
        _ => return None,
    })
}

/// The schemes that require a host.
const WITH_HOST: &[&str] =
    &["http", "https", "ftp", "gopher", "telnet", "imap", "mms", "rtsp", "svn", "svn+ssh", "bzr", "bzr+http", "bzr+ssh"];

/// The patterns `uri_re` and `relative_ref_re`, for the base and the reference.
static READ: &[Step] = &[
    Step::new("uri_re: $", "a line feed at the end is not a part of the URI", |s| {
        let given = s.given();
        s.rest = given.strip_suffix('\n').unwrap_or(given).to_owned();
        s.write_text();
        Go
    }),
    Step::new("URI: encode('ASCII')", "reject a character outside ASCII, unless the reference may be relative", |s| {
        let text = s.get(s.own(Part::Text));
        let may_be_relative = s.side == Side::Reference && !s.base.is_empty() && scheme(text).is_none();
        match text.is_ascii() || may_be_relative {
            true => Go,
            false => s.reject(s.own(Part::Text), "it contains a character outside ASCII"),
        }
    }),
    Step::new("scheme_re", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let (name, rest) = scheme(&s.rest).map_or((None, s.rest.as_str()), |(name, rest)| (Some(name.to_owned()), rest));
        s.rest = rest.to_owned();
        s.set(s.own(Part::Scheme), name);
        Go
    }),
    Step::new("uri_re", "reject a base without a scheme, and without a base, a reference without one", rfc3986::require_scheme),
    Step::new("authority_re", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("hier_part_re, query_re, fragment_re", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("userinfo_re, host_re, port_re", "divide the authority into user information, host and port", |s| {
        let divided = s.present(s.own(Part::Authority)).map(rfc3986::divide).map(|(user, host, port)| {
            (user.map(str::to_owned), host.to_owned(), port.strip_prefix(':').map(str::to_owned))
        });
        let (user, host, port) = divided.map_or((None, None, None), |(user, host, port)| (user, Some(host), port));
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        s.set(s.own(Part::Port), port);
        Go
    }),
    Step::new("userinfo_re", "reject user information with a character that is not allowed", |s| rfc3986::check_user(s, FOLDED)),
    Step::new("host_re", "reject a host that is neither a name nor letters, digits, colons and dots in brackets", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        let is_inner = |it: char| it.is_ascii_alphanumeric() || it == ':' || it == '.' || FOLDED(it);
        let is_host = match host.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
            Some(inner) => inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(is_inner)),
            None => rfc3986::conforms(host, rfc3986::REG_NAME, FOLDED),
        };
        if is_host { Go } else { s.reject(slot, "it contains a character that is not allowed") }
    }),
    Step::new("port_re", "reject what follows the host and is not a colon and digits", rfc3986::check_port),
    Step::new("path_noscheme_re", "reject a relative path with a colon in its first segment", rfc3986::check_first_segment),
    Step::new("path_abempty_re, path_rootless_re", "reject a path with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, FOLDED)
    }),
    Step::new("query_re", "reject a query with a character that is neither allowed nor a bracket", |s| {
        rfc3986::check(s, Part::Query, "!$&'()*+,;=:@/?[]", FOLDED)
    }),
    Step::new("fragment_re", "reject a fragment with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, FOLDED)
    }),
];

/// Returns the slot of a part of the base, or of the target.
fn normalised(s: &State<'_>, part: Part) -> Slot {
    match s.side {
        Side::Base => Slot::Base(part),
        Side::Reference => Slot::Out(part),
    }
}

fn rewrite(s: &mut State<'_>, part: Part, rewritten: impl Fn(&str) -> String) -> Next {
    let slot = normalised(s, part);
    if let Some(text) = s.present(slot) {
        let text = rewritten(text);
        s.set(slot, text);
    }
    Go
}

/// `normalise_unreserved`.
fn unreserved(text: &str) -> String {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out + &match (code, part.get(2..)) {
            (Some(code), Some(rest)) => {
                let is_kept = code.is_ascii_alphanumeric() || b"-._~".contains(&code);
                if is_kept { format!("{}{rest}", char::from(code)) } else { format!("%{code:02X}{rest}") }
            }
            _ => format!("%{part}"),
        }
    })
}

/// `URI._normalise`, for the base and the target, and what the constructor requires afterwards.
static NORMALISE: &[Step] = &[
    Step::new("_normalise: scheme", "write the scheme in lower case", |s| rewrite(s, Part::Scheme, str::to_lowercase)),
    Step::new("_normalise: userinfo", "decode unreserved characters of the user information, and write other escapes in capitals", |s| {
        rewrite(s, Part::Userinfo, unreserved)
    }),
    Step::new("_normalise: host.lower", "write the host in lower case", |s| rewrite(s, Part::Host, str::to_lowercase)),
    Step::new("_normalise: host", "decode unreserved characters of the host, and write other escapes in capitals", |s| {
        rewrite(s, Part::Host, unreserved)
    }),
    Step::new("_normalise: port", "an empty port and the default one of the scheme are absent", |s| {
        let slot = normalised(s, Part::Port);
        let port = s.present(slot);
        if port == Some("") || port.is_some() && port == default_port(s.get(normalised(s, Part::Scheme))) {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("_normalise: path == ''", "write a slash for an empty path after a host", |s| {
        let slot = normalised(s, Part::Path);
        if s.present(normalised(s, Part::Host)).is_some() && s.get(slot).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("_normalise: remove_dot_segments", "remove dot segments as RFC 3986 does", |s| {
        if s.side == Side::Reference && s.present(Slot::Merged).is_some() && s.present(Slot::NoDots).is_none() {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            if s.get(Slot::Out(Part::Path)) == s.get(Slot::Merged) {
                s.copy(Slot::Out(Part::Path), Slot::NoDots);
                return Go;
            }
        }
        rewrite(s, Part::Path, without_dots)
    }),
    Step::new("_normalise: path", "decode unreserved characters of the path, and write other escapes in capitals", |s| {
        rewrite(s, Part::Path, unreserved)
    }),
    Step::new("_normalise: query", "decode unreserved characters of the query, and write other escapes in capitals", |s| {
        rewrite(s, Part::Query, unreserved)
    }),
    Step::new("_normalise: fragment", "decode unreserved characters of the fragment, and write other escapes in capitals", |s| {
        rewrite(s, Part::Fragment, unreserved)
    }),
    Step::new("URI: not self.host", "reject a URI without a host if its scheme requires one", |s| {
        let slot = normalised(s, Part::Host);
        match s.get(slot).is_empty() && WITH_HOST.contains(&s.get(normalised(s, Part::Scheme))) {
            true => s.reject(slot, "the scheme requires a host"),
            false => Go,
        }
    }),
];

const AUTHORITY: [Part; 3] = [Part::Userinfo, Part::Host, Part::Port];

/// Takes the authority from a side, with its parts.
fn take_authority(s: &mut State<'_>, of: fn(Part) -> Slot) {
    s.flow(Slot::Out(Part::Authority), of(Part::Authority));
    for part in AUTHORITY {
        s.flow(Slot::Out(part), of(part));
    }
}

/// `URI.resolve` and `URI.__str__`.
static RESOLVE: &[Step] = &[
    Step::new("URI(base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(READ, Side::Base),
    }),
    Step::new("URI(base)._normalise", "normalize the base", |s| match s.base.is_empty() {
        true => Go,
        false => Call(NORMALISE, Side::Base),
    }),
    Step::new("resolve: uri_pat, relative_ref_pat", "read the reference", |_| Call(READ, Side::Reference)),
    Step::new("resolve: self.__class__(reference)", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        take_authority(s, Slot::Ref);
        s.set(Slot::Used, "nothing");
        To("resolve: _normalise")
    }),
    Step::new("resolve: authority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_some() {
            take_authority(s, Slot::Ref);
            return To("resolve: remove_dot_segments");
        }
        take_authority(s, Slot::Base);
        s.inherit(Part::Authority);
        Go
    }),
    Step::new("resolve: path == ''", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit(Part::Path);
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("resolve: _normalise")
    }),
    Step::new("resolve: path.startswith('/')", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "resolve: remove_dot_segments")
    }),
    Step::new("merge", "the path follows the base's up to its last slash", rfc3986::merge),
    Step::new("resolve: remove_dot_segments", "remove dot segments as RFC 3986 does", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("resolve: _normalise", "normalize the target", |_| Call(NORMALISE, Side::Reference)),
    Step::new("URI.authority", "write user information, host and port", |s| {
        write_authority(s);
        Go
    }),
    Step::new("URI.__str__", "concatenate the components", |s| s.concatenate()),
];

fn write_authority(s: &mut State<'_>) {
    let text = |part: Part| s.present(Slot::Out(part));
    let user = text(Part::Userinfo).map(|user| format!("{user}@")).unwrap_or_default();
    let port = text(Part::Port).map(|port| format!(":{port}")).unwrap_or_default();
    let authority = text(Part::Host).map(|host| format!("{user}{host}{port}"));
    s.compose(Slot::Out(Part::Authority), &AUTHORITY.map(Slot::Out));
    s.set(Slot::Out(Part::Authority), authority);
}

/// `URI(url)`, and its attributes.
static STATE: &[Step] = &[
    Step::new("uri_pat", "read the URL", |_| Call(READ, Side::Reference)),
    Step::new("URI: match.group", "take the components", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        take_authority(s, Slot::Ref);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URI._normalise", "normalize the URL", |_| Call(NORMALISE, Side::Reference)),
    Step::new("URI.scheme, userinfo, host, port, path, query, fragment, authority", "state the components", |s| {
        write_authority(s);
        Done
    }),
];
