//! Apache HttpClient 5: `URIUtils.resolve(URI.create(base), reference)`, and `URI.create(reference)` without a base, from 5.6 on.
//! What it states about a URL is the `HttpHost` that `RoutingSupport.determineHost(new HttpGet(url))` returns.
//!
//! Read from `URIUtils.java` of HttpClient 5.6.4 and `URIBuilder.java`, `URIAuthority.java` and `Host.java` of HttpCore 5.4.3. `java.net.URI` of the
//! Java that runs it resolves: that of the recordings is 21. A registry-based host with a label of Punycode is not decoded here.

use icu_normalizer::ComposingNormalizerBorrowed;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, encoded, is_escape};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::{java_net_uri, java_net_url};

/// Apache HttpClient 5.
pub static TABLE: Table = Table {
    engine: "httpclient5",
    first: "5.6",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&java_net_uri::TABLE, JAVA.to_owned())],
};

/// The version of Java with which the recordings were made.
const JAVA: &str = "21";

/// The mark of a URI that was parsed from a text, which it keeps.
const PARSED: &str = "httpclient5: the URI has a text";

/// The mark of an authority that `java.net.URI` does not divide.
const REGISTRY: &str = "httpclient5: the authority is registry-based";

/// `URI.toASCIIString`: normalizes and percent-encodes what is not ASCII.
fn ascii(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_owned(),
        false => encoded(&ComposingNormalizerBorrowed::new_nfc().normalize(text), |it| it.is_ascii()),
    }
}

/// Resolves a reference that begins with ?.
pub(crate) const QUERY_ONLY: Step = Step::new(
    "URIUtils.resolve: ?",
    "a reference that begins with ? follows the base, encoded, up to its first ?; the result is not normalized",
    |s| {
        if s.base.is_empty() || !s.reference.starts_with('?') {
            return Go;
        }
        for text in [s.base, s.reference] {
            if uri(s, "", text).is_none() {
                return s.reject(Slot::Base(Part::Text), "the base or the reference is not a URI");
            }
        }
        let text = format!("{}{}", cut(&ascii(s.get(Slot::Base(Part::Text))), "?").0, ascii(s.get(Slot::Ref(Part::Text))));
        match uri(s, "", &text) {
            Some(text) => {
                s.set(Slot::Used, "scheme, authority, path");
                s.return_text(text)
            }
            None => s.reject(Slot::Result, "the joined text is not a URI"),
        }
    },
);

/// Resolves an empty reference.
pub(crate) const EMPTY: Step = Step::new(
    "URIUtils.resolve: emptyReference",
    "resolve # instead of an empty reference, and take the result, encoded, up to the first #",
    |s| {
        if s.base.is_empty() || !s.reference.is_empty() {
            return Go;
        }
        let Some(resolved) = uri(s, s.get(Slot::Base(Part::Text)), "#") else {
            return s.reject(Slot::Base(Part::Text), "the base is not a URI");
        };
        let text = cut(&ascii(&resolved), "#").0.to_owned();
        if uri(s, "", &text).is_none() {
            return s.reject(Slot::Result, "the text before # is not a URI");
        }
        s.set(Slot::Used, "scheme, authority, path, query");
        s.set(Slot::Result, text);
        To("normalizeSyntax: uri.getAuthority")
    },
);

/// Resolves any other reference.
pub(crate) const RESOLVED: Step = Step::new("URI.resolve", "`java.net.URI` resolves the reference", |_| Call(java_net_uri::RESOLVE, Side::Reference));

/// Divides the result into its components.
pub(crate) const AUTHORITY: Step = Step::new("normalizeSyntax: uri.getAuthority", "return a URI without an authority as it is, and a reference without a base", |s| {
        if s.base.is_empty() {
            return Done;
        }
        // A text that was returned as it is was not divided yet.
        if s.present(Slot::Out(Part::Path)).is_none() {
            let url = s.get(Slot::Result).to_owned();
            for (part, text) in Part::COMPONENTS.into_iter().zip(components(&url)) {
                s.set(Slot::Out(part), text.filter(|text| part != Part::Authority || !text.is_empty()));
            }
            s.mark(PARSED);
        }
        match s.present(Slot::Out(Part::Authority)) {
            Some(_) => Go,
            None => Done,
        }
    },
);

/// `URIUtils.resolve` and `normalizeSyntax`.
pub(crate) static RESOLVE: &[Step] = &[
    QUERY_ONLY,
    EMPTY,
    RESOLVED,
    AUTHORITY,
    Step::new(
        "URIBuilder.digestURI",
        "divide the authority into user, host and the number of the port; brackets are not part of an IPv6 address; reject a port above 65535 of a \
         host that is registry-based",
        |s| {
            let authority = s.get(Slot::Out(Part::Authority)).to_owned();
            let (user, rest) = authority.split_once('@').map_or((None, &*authority), |(user, rest)| (Some(user), rest));
            if let Some((before, port)) = java_net_uri::server(&authority) {
                let host = &before[before.len().min(user.map_or(0, |user| user.len() + 1))..];
                let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).filter(|host| is_ipv6(host));
                write(s, user, Some(inner.unwrap_or(host)), (port, port.parse::<i32>().ok()));
                return Go;
            }
            let (host, port) = cut(rest, ":");
            let port = port.filter(|port| !port.is_empty());
            let number = port.and_then(java_net_url::integer);
            if port.is_some() && number.is_none() {
                // The exception is ignored.
                return To("URI.getRawSchemeSpecificPart");
            }
            if number.is_some_and(|number| !(-1..=65535).contains(&number)) {
                return s.reject(Slot::Out(Part::Authority), "the port is not one");
            }
            write(s, user.filter(|user| !user.is_empty()), Some(host), (port.unwrap_or_default(), number));
            s.mark(REGISTRY);
            Go
        },
    ),
    Step::new(
        "URIBuilder.digestURI: PercentCodec.decode",
        "decode a host that is registry-based as UTF-8, with only the low byte of each unit of UTF-16 that is not part of an escape",
        |s| {
            if s.is_marked(REGISTRY) {
                let host = decoded(s.get(Slot::Out(Part::Host)));
                s.set(Slot::Out(Part::Host), host);
            }
            Go
        },
    ),
    Step::new("normalizeSyntax: URIScheme.HTTP", "write the scheme http if there is none", |s| {
        if s.present(Slot::Out(Part::Scheme)).is_none() {
            s.set(Slot::Out(Part::Scheme), "http");
        }
        Go
    }),
    Step::new("normalizeSyntax: setHost", "write the host in lower case", |s| {
        let host = s.get(Slot::Out(Part::Host)).to_lowercase();
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("URIBuilder.buildString: host", "percent-encode what is reserved in a host; write brackets around an IPv6 address", |s| {
        let host = s.get(Slot::Out(Part::Host));
        let host = match is_ipv6(host) {
            true => format!("[{host}]"),
            false => encoded(host, |it| it.is_ascii_alphanumeric() || b"-._~".contains(&it)),
        };
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("URIBuilder.buildString: authority", "write user, host and port", |s| {
        let text = |part: Part| s.present(Slot::Out(part)).map(str::to_owned);
        let user = text(Part::User).map(|user| format!("{user}@")).unwrap_or_default();
        let port = text(Part::Port).map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{user}{}{port}", text(Part::Host).unwrap_or_default());
        s.compose(Slot::Out(Part::Authority), &[Part::User, Part::Host, Part::Port].map(Slot::Out));
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("URIBuilder.buildString: encodedPath", "write a slash before a path that does not begin with one", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        To("URIBuilder.isPathEmpty")
    }),
    Step::new(
        "URI.getRawSchemeSpecificPart",
        "decode and encode again what is not the scheme and the fragment of a resolved URI with a path, if its host is not known",
        |s| {
            if s.is_marked(PARSED) || s.get(Slot::Out(Part::Path)).is_empty() {
                return Go;
            }
            for (part, legal) in [(Part::Authority, "$,;:@&=+[]"), (Part::Path, ";/:@&=+$,"), (Part::Query, ";/?:@&=+$,[]")] {
                if let Some(text) = s.present(Slot::Out(part)) {
                    let text = quoted(&unescaped(text), legal);
                    s.set(Slot::Out(part), text);
                }
            }
            Go
        },
    ),
    Step::new("URIBuilder.isPathEmpty", "write a slash for an empty path", |s| {
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    }),
    Step::new("normalizeSyntax: setScheme", "write the scheme in lower case", |s| {
        let scheme = s.present(Slot::Out(Part::Scheme)).unwrap_or("http").to_lowercase();
        s.set(Slot::Out(Part::Scheme), scheme);
        Go
    }),
    Step::new("URIBuilder.build", "reject an http or https URI without a host", |s| {
        let is_web = matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https");
        match is_web && s.get(Slot::Out(Part::Host)).is_empty() {
            true => s.reject(Slot::Out(Part::Host), "it is empty"),
            false => Go,
        }
    }),
    Step::new("URIBuilder.buildString", "concatenate the components", |s| s.concatenate()),
];

/// `URI.decode`: what is not UTF-8 is replaced.
pub(crate) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let value = rest.get(1..3).filter(|_| is_escape(rest)).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let end = if value.is_some() { 3 } else { first.len_utf8() };
        match value {
            Some(value) => bytes.push(value),
            None => bytes.extend_from_slice(&rest.as_bytes()[..end]),
        }
        rest = &rest[end..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `URI.quote`: percent-encodes what is not legal.
fn quoted(text: &str, others: &str) -> String {
    let is_legal = |it: char| match it.is_ascii() {
        true => it.is_ascii_alphanumeric() || "-_.!~*'()".contains(it) || others.contains(it),
        false => java_net_uri::is_other(it),
    };
    text.chars().map(|it| if is_legal(it) { it.to_string() } else { encoded(&it.to_string(), |_| false) }).collect()
}

/// Returns what `java.net.URI` resolves.
fn uri(s: &State<'_>, base: &str, reference: &str) -> Option<String> {
    s.answer(&java_net_uri::TABLE, Question::Resolve, (base, reference))?.url().map(str::to_owned)
}

/// Writes the parts of the authority: the text of the port, then its number.
fn write(s: &mut State<'_>, user: Option<&str>, host: Option<&str>, (port, number): (&str, Option<i32>)) {
    s.set(Slot::Out(Part::User), user);
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::Out(Part::Port), Some(port).filter(|port| !port.is_empty()));
    s.set(Slot::Out(Part::Port), number.filter(|number| *number >= 0).map(|number| number.to_string()));
}

/// `PercentCodec.decode`, which takes the low byte of each unit of UTF-16.
pub(crate) fn decoded(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = Vec::new();
    let digit = |unit: u16| char::from_u32(u32::from(unit)).and_then(|it| it.to_digit(16));
    let mut rest = units.as_slice();
    while let [first, after @ ..] = rest {
        let escape = match after {
            [high, low, after @ ..] if *first == u16::from(b'%') => digit(*high).zip(digit(*low)).map(|it| (it, after)),
            _ => None,
        };
        match escape {
            Some(((high, low), after)) => {
                bytes.push((high * 16 + low) as u8);
                rest = after;
            }
            None => {
                bytes.push(*first as u8);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `InetAddressUtils.isIPv6`: eight groups, or at most six before and after `::`, with any scope of letters, digits and hyphens.
fn is_ipv6(text: &str) -> bool {
    let (address, scope) = cut(text, "%");
    let is_scope = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    let is_group = |it: &str| (1..=4).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_hexdigit());
    let count = |text: &str| match text.is_empty() {
        true => Some(0),
        false => text.split(':').all(is_group).then(|| text.split(':').count()),
    };
    let is_address = match address.split_once("::") {
        Some((before, after)) => count(before).zip(count(after)).is_some_and(|(before, after)| before <= 6 && after <= 6),
        None => count(address) == Some(8),
    };
    scope.is_none_or(is_scope) && is_address && address.matches(':').count() <= 7
}

/// Reads a URL.
pub(crate) const READ: Step =
    Step::new("URI.create: the URL", "`java.net.URI` parses the URL", |_| Call(java_net_uri::PARSE, Side::Reference));

/// Rejects a URL that does not say where to connect.
pub(crate) const ABSOLUTE: Step = Step::new("extractHost: isAbsolute", "reject a URL without a scheme or an authority", |s| {
    let missing = [Part::Scheme, Part::Authority].map(Slot::Ref).into_iter().find(|slot| s.present(*slot).is_none());
    match missing {
        Some(slot) => s.reject(slot, "it is absent"),
        None => Go,
    }
});

/// States the host and the port of a server, and goes on at the row `then`.
pub(crate) fn state_server(s: &mut State<'_>, then: &'static str) -> Next {
    let Some((before, port)) = java_net_uri::server(s.get(Slot::Ref(Part::Authority))) else { return Go };
    let host = before.split_once('@').map_or(before, |(_, host)| host).to_owned();
    let port = port.parse::<i32>().ok().map(|port| port.to_string());
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::Out(Part::Port), port);
    To(then)
}

/// States the host and the port of a name of a registry.
pub(crate) fn state_registry(s: &mut State<'_>) -> Next {
    let slot = Slot::Ref(Part::Authority);
    let authority = s.get(slot);
    let (host, port) = cut(cut(authority, "@").1.unwrap_or(authority), ":");
    let port = port.filter(|port| !port.is_empty()).map(java_net_url::integer);
    if port == Some(None) {
        return s.reject(slot, "the port is not a number");
    }
    let (host, port) = (host.to_owned(), port.flatten().filter(|port| *port != -1).map(|port| port.to_string()));
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::Out(Part::Port), port);
    Go
}

/// States the scheme.
pub(crate) const SCHEME: Step = Step::new("HttpHost: schemeName", "state the scheme in lower case", |s| {
    let scheme = s.get(Slot::Ref(Part::Scheme)).to_lowercase();
    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    s.set(Slot::Out(Part::Scheme), scheme);
    s.set(Slot::Result, s.reference);
    Done
});

/// `RoutingSupport.determineHost` for an `HttpGet`.
static ACCESSORS: &[Step] = &[
    READ,
    ABSOLUTE,
    Step::new("setUri: getHost", "state the host and the port of a server", |s| state_server(s, "Ports.checkWithDefault")),
    Step::new(
        "URIAuthority.create",
        "of a name of a registry, what follows the first @ is the host up to a colon, and the rest the port; reject a port that is not a number",
        state_registry,
    ),
    Step::new("URIAuthority.create: isBlank", "reject an empty host", |s| match s.get(Slot::Out(Part::Host)).is_empty() {
        true => s.reject(Slot::Out(Part::Host), "it is empty"),
        false => Go,
    }),
    Step::new("Ports.checkWithDefault", "reject a port that is not between 0 and 65535", |s| {
        let slot = Slot::Out(Part::Port);
        match s.present(slot).is_none_or(|port| port.parse::<u16>().is_ok()) {
            true => Go,
            false => s.reject(slot, "it is not between 0 and 65535"),
        }
    }),
    SCHEME,
];
