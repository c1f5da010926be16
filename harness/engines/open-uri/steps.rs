//! Ruby's `URI.open(url)`: where it connects.
//!
//! Read from `lib/open-uri.rb` of Ruby 3.3.8.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::ruby_uri;
use crate::socket::{FTP, GETADDRINFO, RESOLVER, accessors, this_host};

/// open-uri.
pub static TABLE: Table = Table {
    engine: "open-uri",
    first: "3.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    calls: |_| vec![(&ruby_uri::TABLE, "0.13.2".to_owned())],
};

static GET: &[Step] = &[
    Step::new("URI", "parse the URI", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("open_http: userinfo", "reject a URL with user information", |s| {
        let slot = Slot::Out(Part::Userinfo);
        match s.present(slot).is_some() {
            true => s.reject(slot, "user information is not supported"),
            false => Go,
        }
    }),
    Step::new("TCPSocket.open: an empty host", "for an empty host, connect to this one; reject an absent one", |s| {
        match s.present(Slot::Out(Part::Host)).is_some() && matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https" | "ftp") {
            true => this_host(s, "127.0.0.1"),
            false => Go,
        }
    }),
    FTP,
    accessors("open_http: hostname, port"),
    RESOLVER,
];
