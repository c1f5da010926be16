//! Symfony HttpClient: where `HttpClient::create()->request('GET', $url)` connects without the curl extension.
//!
//! Read from `HttpClientTrait.php` and `NativeHttpClient.php` of Symfony 5.4, from `ext/standard/dns.c` of PHP, and from `nss/digits_dots.c` of glibc.
//! It asks for the address of the host before it opens the URL as a stream. In Debian's bookworm, PHP is 8.2. The source of 5.4 that was read is of
//! September 2024; that IPv6 addresses in brackets need no question since then was seen in 5.4.53.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::php_parse_url;
use crate::redirect::php_trim;
use crate::socket::{DIGITS_AND_DOTS, GETADDRINFO, NO_SERVICE, RESOLVER, aton, default_port, unbracketed};
use crate::symfony_http_client::{HAS_HOST, LATER, PARSE_LOCATION, PREPARE};

/// symfony-http-client-native.
pub static TABLE: Table = Table {
    engine: "symfony-http-client-native",
    first: "5.4.53",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, REQUEST), (Question::Follow, REDIRECT)],
    called: &[PREPARE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(php_trim),
    calls: |_| vec![(&php_parse_url::TABLE, "8.2.32".to_owned())],
};

/// `NativeHttpClient::createRedirectResolver`.
static REDIRECT: &[Step] = &[
    PARSE_LOCATION.until(&LATER),
    HAS_HOST,
    Step::new("createRedirectResolver: resolveUrl", "a location without a scheme inherits that of the URL of the request, and without a host its authority; with a scheme, it inherits nothing", |s| {
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", s.reference));
        let part = |part: Part| run.as_ref().and_then(|run| run.slots.text(Slot::Out(part))).map(str::to_owned);
        let base = components(s.base).map(|part| part.map(str::to_owned));
        let authority = part(Part::Host).map(|host| {
            let password = part(Part::Password).map(|it| format!(":{it}")).unwrap_or_default();
            let user = part(Part::User).map(|user| format!("{user}{password}@")).unwrap_or_default();
            let port = part(Part::Port).map(|it| format!(":{it}")).unwrap_or_default();
            format!("{user}{host}{port}")
        });
        let (scheme, path, query) = (part(Part::Scheme), part(Part::Path), part(Part::Query));
        let path = path.map(|path| if path.starts_with('/') { path } else { format!("/{path}") });
        let [base_scheme, base_authority, ..] = base;
        match &scheme {
            Some(_) => s.set(Slot::Out(Part::Scheme), scheme.clone()),
            None => {
                s.inherit_as("scheme");
                s.set(Slot::Out(Part::Scheme), base_scheme);
            }
        }
        let authority = match authority {
            None if scheme.is_none() => {
                s.inherit_as("authority");
                base_authority
            }
            own => own,
        };
        s.set(Slot::Out(Part::Authority), authority);
        s.set(Slot::Out(Part::Path), path.unwrap_or_else(|| "/".to_owned()));
        s.set(Slot::Out(Part::Query), query);
        s.concatenate()
    }),
];

const HOST: Slot = Slot::Out(Part::Host);

static REQUEST: &[Step] = &[
    Step::new("prepareRequest: the native client", "write the URL that is requested", |_| Call(PREPARE, Side::Reference)).until(&LATER),
    Step::new("parseHostPort", "divide the authority that was written, again", |s| {
        let text = cut(s.get(Slot::Ref(Part::Text)), "//").1.unwrap_or_default();
        let authority = format!("//{}", until(text, &['/', '?']).0);
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", &authority)).filter(|run| run.outcome.is_ok());
        let Some(run) = run else { return s.reject(HOST, "its authority cannot be divided") };
        for part in [Part::Host, Part::Port] {
            let value = run.slots.text(Slot::Out(part));
            if s.present(Slot::Out(part)) != value {
                s.set(Slot::Out(part), value);
            }
        }
        Go
    }),
    Step::new("NativeHttpClient: $url", "without a port, it is the default one of the scheme", default_port),
    Step::new("dnsResolve: FILTER_VALIDATE_IP", "an IPv6 address in brackets needs no question", |s| {
        let host = unbracketed(s.get(HOST)).to_owned();
        if host == s.get(HOST) || host.parse::<Ipv6Addr>().is_err() {
            return Go;
        }
        s.set(HOST, host);
        To("getaddrinfo")
    }),
    DIGITS_AND_DOTS,
    Step::new("gethostbyname2: hexadecimal", "numbers of which one is hexadecimal are a name", |s| {
        match s.get(HOST).contains('x') && aton(s.get(HOST)).is_some() {
            true => Done,
            false => Go,
        }
    }),
    NO_SERVICE,
    RESOLVER,
];
