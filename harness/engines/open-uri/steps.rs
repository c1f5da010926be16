//! Ruby's `URI.open(url)`: where it connects.
//!
//! Read from `lib/open-uri.rb` of Ruby 3.3.8.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::components;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::{requests_user, rewrite_authority, schemes};
use crate::ruby_uri;
use crate::socket::{FTP, GETADDRINFO, RESOLVER, accessors, this_host};

/// open-uri.
pub static TABLE: Table = Table {
    engine: "open-uri",
    first: "3.3",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(|_, field| field.trim_matches(|it| matches!(it, ' ' | '\t'..='\r')).to_owned()),
    calls: |_| vec![(&ruby_uri::TABLE, "0.13.2".to_owned())],
};

/// `OpenURI.open_loop`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("open_http: userinfo, of the request", "reject a URL with user information", |s| {
        match requests_user(s) {
            true => s.reject(Slot::Base(Part::Authority), "user information is not supported"),
            false => Go,
        }
    }),
    Step::new("open_loop: uri + loc_uri", "resolve the location on the URI of the request", |_| Call(ruby_uri::JOIN, Side::Reference)),
    Step::new("OpenURI.redirectable?", "go to another scheme only from http to https, or between ftp and these", |s| {
        let [from, to] = schemes(s);
        match from == to || matches!(from.as_str(), "http" | "ftp") && matches!(to.as_str(), "http" | "https" | "ftp") {
            true => Go,
            false => s.reject(Slot::Out(Part::Scheme), "a redirect that is not allowed"),
        }
    }),
    Step::new("TCPSocket.open: nil", "a target without a host is this host", |s| match components(s.get(Slot::Result))[1] {
        None => rewrite_authority(s, |_| "[::1]".to_owned()),
        Some(_) => Go,
    }),
];

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
