//! Guzzle: where `(new Client())->get($url)` connects without the curl extension.
//!
//! Read from `src/Client.php` and `src/Handler/StreamHandler.php` of Guzzle 7.4.5 and 7.8.1. In Debian's bookworm, Guzzle PSR-7 2.4.5 reads and writes
//! the URL, and PHP is 8.2.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::guzzle_http::{BUILD_URI, LATER};
use crate::php_streams::STREAM;
use crate::redirect::php_trim;
use crate::socket::GETADDRINFO;
use crate::{guzzle, guzzle_http, php_parse_url};

/// guzzle-http-stream.
pub static TABLE: Table = Table {
    engine: "guzzle-http-stream",
    first: "7.4.5",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, guzzle_http::REDIRECT)],
    called: &[STREAM, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(php_trim),
    calls: |_| vec![(&guzzle::TABLE, "2.4.5".to_owned()), (&php_parse_url::TABLE, "8.2.32".to_owned())],
};



static GET: &[Step] = &[
    Step::new("Client::requestAsync: uriFor", "read the URL as Guzzle PSR-7 does", |_| Call(guzzle::STATE, Side::Reference)).until(&LATER),
    Step::new("StreamHandler::createStream", "reject other schemes than http and https; without a scheme, a host is needed", |s| {
        let scheme = Slot::Out(Part::Scheme);
        match s.get(scheme) {
            "http" | "https" => Go,
            "" if !s.get(Slot::Out(Part::Host)).is_empty() => Go,
            _ => s.reject(scheme, "the scheme is not supported"),
        }
    }),
    BUILD_URI,
    Step::new("fopen", "open the URL as a stream", |_| Call(STREAM, Side::Reference)),
];
