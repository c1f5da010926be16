//! The crate uriparse: `URI::try_from(base)?.resolve(&URIReference::try_from(reference)?)`, from 0.6.3 on.
//!
//! Read from `src/uri.rs`, `src/uri_reference.rs`, `src/authority.rs`, `src/path.rs` and `src/scheme.rs` of uriparse 0.6.3 and 0.6.4. A path is a list of
//! segments with a flag for the slash before them. Where the crate panics, the table rejects.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::folder;
use urlstrata_steps::{Change, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, URI};

/// The crate uriparse.
pub static TABLE: Table = Table {
    engine: "crate-uriparse",
    first: "0.6.3",
    changes: &[&COLON, &IPV4_IN_IPV6],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static COLON: Change = Change {
    id: "0.6.4 colon",
    versions: &["0.6.4"],
    date: "",
    issue: "",
    says: "a reference without a scheme and an authority is rejected if its first segment contains a colon, also after a slash",
    witness: Witness::resolving("http://a/b", "/c:d", Some("http://a/c:d"), None),
};

static IPV4_IN_IPV6: Change = Change {
    id: "0.6.4 address",
    versions: &["0.6.4"],
    date: "",
    issue: "",
    says: "an IPv6 address may end in an IPv4 address",
    witness: Witness::resolving("http://a/b", "//[::1.2.3.4]", None, Some("http://[::102:304]/")),
};

/// `URIReference::try_from`, for the base or the reference.
static PARSE: &[Step] = &[
    Step::new(
        "parse_scheme",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        rfc3986::cut_scheme,
    ),
    Step::new("URI::try_from", "reject a base without a scheme, and a reference without one if the base is unknown", rfc3986::require_scheme),
    Step::new("SCHEME_NAME_MAP", "write a scheme that IANA registered in lower case", |s| {
        let slot = s.own(Part::Scheme);
        let lower = s.get(slot).to_ascii_lowercase();
        if REGISTERED.contains(&lower.as_str()) {
            s.set(slot, lower);
        }
        Go
    }),
    Step::new("parse_authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parse_path", "the part up to ? or # is the path, then up to # the query, then the fragment", rfc3986::cut_path),
    Step::new("parse_user_info", "reject user information with a character that RFC 3986 does not allow", |s| {
        rfc3986::check_user(s, URI)
    }),
    Step::new(
        "Host::try_from",
        "reject a host that is neither an IPv6 address in brackets nor a name that RFC 3986 allows",
        |s| {
            let slot = s.own(Part::Authority);
            match rfc3986::divide(s.get(slot)).1.starts_with(['[']) && address(s.get(slot)).is_none() {
                true => s.reject(slot, "brackets do not contain an IPv6 address"),
                false => rfc3986::check_host(s, URI),
            }
        },
    ),
    Step::new("check_ipv6", "reject an IPv6 address with a dot", |s| {
        let slot = s.own(Part::Authority);
        match address(s.get(slot)).is_some() && rfc3986::divide(s.get(slot)).1.contains('.') {
            true => s.reject(slot, "an IPv6 address contains a dot"),
            false => Go,
        }
    })
    .until(&IPV4_IN_IPV6),
    Step::new("parse_port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port),
    Step::new("parse_port: checked_add", "reject a port above 65535", |s| {
        let slot = s.own(Part::Authority);
        let digits = rfc3986::divide(s.get(slot)).2.trim_start_matches(':');
        match digits.is_empty() || digits.parse::<u16>().is_ok() {
            true => Go,
            false => s.reject(slot, "the port is above 65535"),
        }
    }),
    Step::new("Authority: fmt", "write an IPv6 address in short form, the port as a number, and no colon before an empty port", |s| {
        let slot = s.own(Part::Authority);
        let Some(authority) = s.present(slot) else { return Go };
        let (user, host, port) = rfc3986::divide(authority);
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        let host = address(authority).map_or_else(|| host.to_owned(), |it| format!("[{it}]"));
        let port = port.trim_start_matches(':').parse::<u16>().map(|port| format!(":{port}")).unwrap_or_default();
        s.set(slot, format!("{user}{host}{port}"));
        Go
    }),
    Step::new("PATH_CHAR_MAP", "reject a path with a character that RFC 3986 does not allow", |s| {
        rfc3986::check(s, Part::Path, rfc3986::PATH, URI)
    }),
    Step::new("set_absolute", "write a slash for an empty path after an authority", |s| {
        let slot = s.own(Part::Path);
        if s.present(s.own(Part::Authority)).is_some() && s.get(slot).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("validate_schemeless_path", "reject a path without a scheme and an authority whose first segment contains a colon, also after a slash", |s| {
        let slot = s.own(Part::Path);
        let is_relative = s.present(s.own(Part::Scheme)).is_none() && s.present(s.own(Part::Authority)).is_none();
        let path = s.get(slot);
        match is_relative && path.strip_prefix('/').unwrap_or(path).split('/').next().is_some_and(|it| it.contains(':')) {
            true => s.reject(slot, "its first segment contains a colon"),
            false => Go,
        }
    })
    .since(&COLON),
    Step::new("parse_query", "reject a query with a character that RFC 3986 does not allow", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, URI)
    }),
    Step::new("Fragment::try_from", "reject a fragment with a character that RFC 3986 does not allow", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, URI)
    }),
];

/// `URI::resolve`.
static RESOLVE: &[Step] = &[
    Step::new("URI::try_from: base", "parse the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("URIReference::try_from", "parse the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("URI: fmt", "without a known base, write the reference", |s| {
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.concatenate()
    }),
    Step::new("resolve: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| rfc3986::own_scheme(s, DOTS)),
    Step::new("resolve: authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        rfc3986::own_authority(s, DOTS)
    }),
    Step::new("resolve: is_relative", "without a path, inherit the base's, and its query if there is none", |s| rfc3986::no_path(s, DOTS)),
    Step::new("resolve: is_absolute", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS)),
    Step::new("resolve: pop, push", "the path replaces the last segment of the base's; an empty segment that is the only one before it goes, too", |s| {
        s.mark(PUSHED);
        let folder = match folder(s.get(Slot::Base(Part::Path))) {
            "//" => "/",
            folder => folder,
        };
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        DOTS,
        "if there is a dot segment, remove each . segment, and each .. segment with the one before it, encoded ones, too; \
         a slash remains if a segment was before them",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            if has_dots(s) {
                let (path, is_absolute) = without_dots(s.get(Slot::Merged));
                s.set(Slot::NoDots, path);
                if !is_absolute {
                    s.mark(RELATIVE);
                }
            }
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("validate_absolute_path", "without an authority, panic if the path begins with two slashes and is absolute", |s| {
        let is_seen = s.present(Slot::Out(Part::Authority)).is_none() && !s.is_marked(RELATIVE);
        match is_seen && s.get(Slot::Out(Part::Path)).starts_with("//") {
            true => s.reject(Slot::NoDots, "it would be read as an authority"),
            false => Go,
        }
    }),
    Step::new("URIBuilder: build", "concatenate the components", |s| s.concatenate()),
];

const DOTS: &str = "remove_dot_segments";

/// The mark of a path whose segments were appended to those of the base.
const PUSHED: &str = "uriparse: segments were pushed";

/// The mark of a path with no slash before its segments, also if the first one is empty.
const RELATIVE: &str = "uriparse: the path is not absolute";

/// Returns the IPv6 address of an authority.
fn address(authority: &str) -> Option<Ipv6Addr> {
    rfc3986::divide(authority).1.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Returns whether a segment is `dots`, encoded or not.
fn is(segment: &str, dots: &str) -> bool {
    segment.replace("%2E", ".").replace("%2e", ".") == dots
}

/// Returns whether a path counts dot segments. A path that is parsed counts only those that are not encoded; `pop` and `push` count both.
fn has_dots(s: &State<'_>) -> bool {
    let parsed = |path: &str, dots: &str| path.split('/').filter(|it| *it == dots).count();
    let (base, reference) = (s.get(Slot::Base(Part::Path)), s.get(Slot::Ref(Part::Path)));
    let is_base_empty = base == "/" && s.present(Slot::Base(Part::Authority)).is_some();
    [".", ".."].into_iter().any(|dots| match s.is_marked(PUSHED) && !is_base_empty {
        true => {
            let popped = usize::from(is(&base[folder(base).len()..], dots));
            let pushed = reference.split('/').filter(|it| is(it, dots)).count();
            parsed(base, dots).saturating_sub(popped) + pushed > 0
        }
        false => parsed(s.get(Slot::Merged), dots) > 0,
    })
}

/// `remove_dot_segments_helper`. Returns the path, and whether a slash is before its segments.
fn without_dots(path: &str) -> (String, bool) {
    let (mut is_absolute, rest) = path.strip_prefix('/').map_or((false, path), |rest| (true, rest));
    let mut follows_slash = is_absolute;
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = rest.split('/').peekable();
    while let Some(segment) = segments.next() {
        if is(segment, "..") {
            if follows_slash && kept.pop().is_none() {
                is_absolute = false;
            }
        } else if !is(segment, ".") {
            is_absolute |= follows_slash && kept.is_empty();
            kept.push(segment);
            follows_slash = segments.peek().is_some();
        }
    }
    if follows_slash {
        match kept.is_empty() {
            true => is_absolute = true,
            false => kept.push(""),
        }
    }
    (format!("{}{}", if is_absolute { "/" } else { "" }, kept.join("/")), is_absolute)
}

/// The schemes that are written in lower case.
const REGISTERED: &[&str] = &[
    "aaa", "aaas", "about", "acap", "acat", "acr", "adiumxtra", "afp", "afs", "aim", "amss", "android", "appdata",
    "apt", "attachment", "aw", "barion", "beshare", "bitcoin", "bitcoincash", "blob", "bolo", "browserext",
    "calculator", "callto", "cap", "cast", "casts", "chrome", "chrome-extension", "cid", "coap", "coap+tcp",
    "coap+ws", "coaps", "coaps+tcp", "coaps+ws", "com-eventbrite-attendee", "content", "conti", "crid", "cvs",
    "dab", "data", "dav", "diaspora", "dict", "did", "dis", "dlna-playcontainer", "dlna-playsingle", "dns",
    "dntp", "dpp", "drm", "drop", "dtn", "dvb", "ed2k", "elsi", "example", "facetime", "fax", "feed", "feedready",
    "file", "filesystem", "finger", "fish", "fm", "ftp", "fuchsia-pkg", "geo", "gg", "git", "gizmoproject", "go",
    "gopher", "graph", "gtalk", "h323", "ham", "hcap", "hcp", "http", "https", "hxxp", "hxxps", "hydrazone",
    "iax", "icap", "icon", "im", "imap", "info", "iotdisc", "ipn", "ipp", "ipps", "irc", "irc6", "ircs", "iris",
    "iris.beep", "iris.lwz", "iris.xpc", "iris.xpcs", "isostore", "itms", "jabber", "jar", "jms", "keyparc",
    "lastfm", "ldap", "ldaps", "lorawan", "lvlt", "magnet", "mailserver", "mailto", "maps", "market", "message",
    "microsoft.windows.camera", "microsoft.windows.camera.multipicker", "microsoft.windows.camera.picker", "mid",
    "mms", "modem", "mongodb", "moz", "ms-access", "ms-browser-extension", "ms-calculator", "ms-drive-to", "ms-
    enrollment", "ms-excel", "ms-eyecontrolspeech", "ms-gamebaresrvices", "ms-gamingoverlay", "ms-getoffice", "ms-
    help", "ms-infopath", "ms-inputapp", "ms-lockscreencomponent-config", "ms-media-stream-id", "ms-
    mixedrealitycapture", "ms-officeapp", "ms-people", "ms-project", "ms-powerpoint", "ms-publisher", "ms-
    restoretabcompanion", "mss", "ms-screenclip", "ms-screensketch", "ms-search", "ms-search-repair", "ms-
    secondary-screen-controller", "ms-secondary-screen-setup", "ms-settings", "ms-settings-airplanemode", "ms-
    settings-bluetooth", "ms-settings-camera", "ms-settings-cellular", "ms-settings-cloudstorage", "ms-settings-
    connectabledevices", "ms-settings-displays-topology", "ms-settings-emailandaccounts", "ms-settings-language",
    "ms-settings-location", "ms-settings-lock", "ms-settings-nfctransactions", "ms-settings-notifications", "ms-
    settings-power", "ms-settings-privacy", "ms-settings-proximity", "ms-settings-screenrotation", "ms-settings-
    wifi", "ms-settings-workplace", "ms-spd", "ms-sttoverlay", "ms-transit-to", "ms-useractivityset", "ms-
    virtualtouchpad", "ms-visio", "ms-walk-to", "ms-whiteboard", "ms-whiteboard-cmd", "ms-word", "msnim", "msrp",
    "msrps", "mtqp", "mumble", "mupdate", "mvn", "news", "nfs", "ni", "nih", "nntp", "notes", "ocf", "oid",
    "onenote", "onenote-cmd", "opaquelocktoken", "openpgp4fpr", "pack", "palm", "paparazzi", "pkcs11", "platform",
    "pop", "pres", "prospero", "proxy", "pwid", "psyc", "qb", "query", "redis", "rediss", "reload", "res",
    "resource", "rmi", "rsync", "rtmfp", "rtmp", "rtsp", "rtsps", "rtspu", "secondlife", "service", "session",
    "sftp", "sgn", "shttp", "sieve", "sip", "sips", "simpleledger", "skype", "smb", "sms", "smtp", "snews",
    "snmp", "soap.beep", "soap.beeps", "soldat", "spiffe", "spotify", "ssh", "steam", "stun", "stuns", "submit",
    "svn", "tag", "teamspeak", "tel", "teliaeid", "telnet", "tftp", "things", "thismessage", "tip", "tn3270",
    "tool", "turn", "turns", "tv", "udp", "unreal", "urn", "ut2004", "v-event", "vemmi", "ventrilo", "videotex",
    "vnc", "view-source", "wais", "webcal", "wpid", "ws", "wss", "wtai", "wyciwyg", "xcon", "xcon-userid",
    "xfire", "xmlrpc.beep", "xmlrpc.beeps", "xmpp", "xri", "ymsgr", "z39.50", "z39.50r", "z39.50s",
];
