//! Symfony HttpClient: where `HttpClient::create()->request('GET', $url)` connects without the curl extension.
//!
//! Read from `HttpClientTrait.php` and `NativeHttpClient.php` of Symfony 5.4, from `ext/standard/dns.c` of PHP, and from `nss/digits_dots.c` of glibc.
//! It asks for the address of the host before it opens the URL as a stream. In Debian's bookworm, PHP is 8.2. The source of 5.4 that was read is of
//! September 2024; that IPv6 addresses in brackets need no question since then was seen in 5.4.53.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::php_parse_url;
use crate::socket::{DIGITS_AND_DOTS, GETADDRINFO, NO_SERVICE, RESOLVER, aton, default_port, unbracketed};
use crate::symfony_http_client::{LATER, PREPARE};

/// symfony-http-client-native.
pub static TABLE: Table = Table {
    engine: "symfony-http-client-native",
    first: "5.4.53",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, REQUEST)],
    called: &[PREPARE, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&php_parse_url::TABLE, "8.2.32".to_owned())],
};

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
