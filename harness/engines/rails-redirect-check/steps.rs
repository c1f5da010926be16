//! Rails' `url_from(url)`: the components of the URL that it reads, from 6.1.7.10 on.
//!
//! Read from `action_controller/metal/redirecting.rb` of 6.1.7.10. Not described: which URLs are allowed.

use urlstrata::slots::Part;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, compare_versions};

use crate::{checks, ruby_uri};

/// rails-redirect-check.
pub static TABLE: Table = Table {
    engine: "rails-redirect-check",
    first: "6.1.7.10",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&ruby_uri::TABLE, uri_of(version).to_owned())],
};

/// Returns the version of the library uri of the Ruby with which a version was recorded.
fn uri_of(version: &str) -> &'static str {
    if compare_versions(version, "7.0.0").is_ge() { "0.13.2" } else { "0.11.0" }
}

static PARSE: &[Step] = &[
    Step::new("URI", "parse the URL, and state its components", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("_url_host_allowed?: URI.host", "read the scheme, the user information, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Userinfo, Part::Host, Part::Port])
    }),
];
