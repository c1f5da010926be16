//! Erlang's uri_string: `uri_string:resolve(Reference, Base)`, and what `uri_string:parse(Url)` returns.
//!
//! Read from `lib/stdlib/src/uri_string.erl` of OTP 28. A percent sign is allowed wherever an escape is. The base is read only if the reference has
//! no scheme. The source that was read does not limit the digits of a port: that newer versions do is known from their recordings.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, until, without_dots};
use urlstrata_steps::{Change, Dated, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// Erlang's uri_string.
pub static TABLE: Table = Table {
    engine: "erlang-uri-string",
    first: "23.2.6",
    changes: &[&PORT],
    dated: &[Dated { version: "27.3.4.1", changes: &["29.1.2"] }],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static PORT: Change = Change {
    id: "29.1.2",
    versions: &["29.1.2"],
    date: "",
    issue: "",
    says: "a port has at most five digits",
    witness: Witness::resolving("", "http://a:123456/", Some("http://a:123456/"), None),
};

/// `parse_uri_reference`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse_scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("parse_hier: //", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parse_segment", "the part up to ? or # is the path, then up to # the query, then the fragment", rfc3986::cut_path),
    Step::new("maybe_add_path", "the path is empty if there is none", |s| {
        if s.get(s.own(Part::Path)).is_empty() {
            s.keep(s.own(Part::Path));
        }
        Go
    }),
    Step::new("parse_userinfo", "what precedes the first @ is the user information; reject a character that RFC 3986 does not allow in it", |s| {
        let divided = s.present(s.own(Part::Authority)).map(|authority| match authority.split_once('@') {
            Some((user, host)) => (Some(user.to_owned()), host.to_owned()),
            None => (None, authority.to_owned()),
        });
        let (user, host) = divided.map_or((None, None), |(user, host)| (user, Some(host)));
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        check(s, Part::Userinfo, rfc3986::USERINFO)
    }),
    Step::new(
        "parse_ipv6_bin",
        "reject brackets that do not contain an IPv6 address; hexadecimal digits and dots may follow them, and then the first bracket is dropped",
        |s| {
            let slot = s.own(Part::Host);
            let Some(text) = s.get(slot).strip_prefix('[').map(str::to_owned) else { return Go };
            let Some((address, rest)) = text.split_once(']').filter(|(address, _)| address.parse::<Ipv6Addr>().is_ok()) else {
                return s.reject(slot, "the brackets do not contain an IPv6 address");
            };
            let (more, port) = until(rest, &[':']);
            if !more.chars().all(|it| it.is_ascii_hexdigit() || it == '.') {
                return s.reject(slot, "something follows the bracket");
            }
            let host = if more.is_empty() { address.to_owned() } else { format!("{address}]{more}") };
            s.set(s.own(Part::Port), port.strip_prefix(':'));
            s.set(slot, host);
            s.mark(match s.side {
                Side::Base => BASE_ADDRESS,
                Side::Reference => ADDRESS,
            });
            Go
        },
    ),
    Step::new("parse_reg_name", "the name ends at the first colon; reject a character that RFC 3986 does not allow in a name", |s| {
        let slot = s.own(Part::Host);
        let is_address = s.is_marked(if s.side == Side::Base { BASE_ADDRESS } else { ADDRESS });
        let Some(text) = s.present(slot).filter(|_| !is_address).map(str::to_owned) else { return Go };
        let (host, port) = until(&text, &[':']);
        s.set(slot, host);
        s.set(s.own(Part::Port), port.strip_prefix(':'));
        check(s, Part::Host, rfc3986::REG_NAME)
    }),
    Step::new("parse_port", "reject a port with another character than digits", |s| {
        let slot = s.own(Part::Port);
        match s.get(slot).bytes().all(|it| it.is_ascii_digit()) {
            true => Go,
            false => s.reject(slot, "it is not a number"),
        }
    }),
    Step::new("parse_port: five digits", "reject a port of more than five digits", |s| {
        let slot = s.own(Part::Port);
        if s.get(slot).len() > 5 { s.reject(slot, "it has more than five digits") } else { Go }
    })
    .since(&PORT),
    Step::new("parse_port: binary_to_integer", "write the port as a number", |s| {
        let slot = s.own(Part::Port);
        if let Some(port) = s.present(slot).filter(|port| !port.is_empty()) {
            let number = match port.trim_start_matches('0') {
                "" => "0",
                number => number,
            };
            let number = number.to_owned();
            s.set(slot, number);
        }
        Go
    }),
    Step::new("is_segment_nz_nc", "reject a relative path whose first segment contains a colon", rfc3986::check_first_segment),
    Step::new("is_pchar", "reject a path with a character that RFC 3986 does not allow", |s| check(s, Part::Path, rfc3986::PATH)),
    Step::new("is_query", "reject a query with a character that RFC 3986 does not allow", |s| check(s, Part::Query, rfc3986::QUERY)),
    Step::new("is_fragment", "reject a fragment with a character that RFC 3986 does not allow", |s| {
        check(s, Part::Fragment, rfc3986::QUERY)
    }),
];

/// The mark of a reference whose host is in brackets.
const ADDRESS: &str = "uri_string: the host is in brackets";
/// The same for the base.
const BASE_ADDRESS: &str = "uri_string: the base's host is in brackets";

/// `resolve_map` and `recompose`.
static RESOLVE: &[Step] = &[
    Step::new("resolve: parse", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve_map: parse(BaseURIString)", "read the base if the reference has no scheme", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => Go,
            None => Call(PARSE, Side::Base),
        }
    }),
    Step::new("resolve_map: invalid_scheme", "reject a base without a scheme if the reference has none", |s| {
        match s.present(Slot::Ref(Part::Scheme)).or(s.present(Slot::Base(Part::Scheme))) {
            Some(_) => Go,
            None => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
        }
    }),
    Step::new("resolve_map: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        own_authority(s);
        rfc3986::own_scheme(s, "remove_dot_segments")
    }),
    Step::new("resolve_map: host", "a reference with a host inherits only the scheme, any other one the authority, too", |s| {
        let next = rfc3986::own_authority(s, "remove_dot_segments");
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            for part in [Part::Userinfo, Part::Host, Part::Port] {
                s.flow(Slot::Out(part), Slot::Base(part));
            }
        }
        next
    }),
    Step::new("resolve_map: empty_path", "without a path, inherit the base's as it is, and its query if there is none", |s| {
        rfc3986::no_path(s, "encode_host")
    }),
    Step::new("resolve_map: absolute_path", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "remove_dot_segments")),
    Step::new(
        "merge_paths",
        "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
        rfc3986::merge,
    ),
    Step::new("remove_dot_segments", "remove dot segments", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("encode_host", "write an IPv6 address in brackets, and encode what a name cannot contain", |s| {
        let slot = Slot::Out(Part::Host);
        let host = s.present(slot).map(|host| match host.parse::<Ipv6Addr>() {
            Ok(_) => format!("[{host}]"),
            Err(_) => encoded(host, |it| it == b'%' || is_allowed(char::from(it), rfc3986::REG_NAME)),
        });
        s.set(slot, host);
        Go
    }),
    Step::new("update_userinfo, update_host, update_port", "write user information, host and port, also an empty port", |s| {
        let authority = s.present(Slot::Out(Part::Host)).map(|host| {
            let user = s.present(Slot::Out(Part::Userinfo)).map(|user| format!("{user}@")).unwrap_or_default();
            let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
            format!("{user}{host}{port}")
        });
        s.compose(Slot::Out(Part::Authority), &[Part::Userinfo, Part::Host, Part::Port].map(Slot::Out));
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("recompose", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate()
    }),
];

/// `parse`, and what it returns.
static STATE: &[Step] = &[
    Step::new("parse", "read the text, which may be a relative reference", |_| Call(PARSE, Side::Reference)),
    Step::new("uri_map", "state the components as they were read; an empty port is absent", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        let port = s.present(Slot::Ref(Part::Port)).filter(|port| !port.is_empty()).map(str::to_owned);
        s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port));
        s.set(Slot::Out(Part::Port), port);
        s.set(Slot::Result, s.reference);
        Done
    }),
];

fn own_authority(s: &mut State<'_>) {
    for part in [Part::Userinfo, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
}

fn is_allowed(it: char, others: &str) -> bool {
    it.is_ascii_alphanumeric() || "-._~".contains(it) || others.contains(it)
}

/// Rejects a component with a character that is neither unreserved nor among `others`, nor a percent sign.
fn check(s: &mut State<'_>, part: Part, others: &str) -> Next {
    let slot = s.own(part);
    match s.get(slot).chars().all(|it| it == '%' || is_allowed(it, others)) {
        true => Go,
        false => s.reject(slot, "it contains a character that is not allowed"),
    }
}
