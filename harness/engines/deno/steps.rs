//! Deno: `new URL(reference, base)`, and the properties of `new URL(url)`, from 1.37.0 on.
//!
//! The function `op_url_parse` in `ext/web/url.rs` (before 2.5, `ext/url/lib.rs`) of Deno calls the crate `url`. The properties of `URL` in
//! `00_url.js` are parts of the text that it returns.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, compare_versions};

use crate::crate_url;
use crate::url_standard::PROPERTIES;

/// Deno.
pub static TABLE: Table = Table {
    engine: "deno",
    first: "1.37.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, crate_url::JOIN), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(crate_url::standard),
    has_dated_names: true,
    field: None,
    calls: |version| vec![(&crate_url::TABLE, crate_of(version).to_owned())],
};

/// Returns the version of the crate `url` that a version of Deno contains: that of its `Cargo.lock`.
fn crate_of(version: &str) -> &'static str {
    let is_since = |first| compare_versions(version, first).is_ge();
    match () {
        () if version == "2.5.5" || is_since("2.6.4") => "2.5.7",
        () if is_since("2.1.7") => "2.5.4",
        () if is_since("2.1.1") => "2.5.3",
        () => "2.4.1",
    }
}

/// The mark of a URL with `/.` between the scheme and the path.
const DOT: &str = "a dot segment precedes the path";

static PARSE: &[Step] = &[
    Step::new("op_url_parse", "parse the URL with the crate `url`", |_| Call(crate_url::JOIN, Side::Reference)),
    Step::new("URL: pathStart", "see whether `/.` is between the scheme and the path", |s| {
        if cut(s.get(Slot::Result), ":").1.is_some_and(|rest| rest.starts_with("/.//")) {
            s.mark(DOT);
        }
        Go
    }),
    Step::new("URL", "state the properties of the URL", |_| Call(PROPERTIES, Side::Reference)),
    Step::new("URL: host, port, up to pathStart", "state that `/.` as the host, and its dot as the port", |s| {
        if s.is_marked(DOT) {
            s.set(Slot::Out(Part::Authority), "/.");
            s.set(Slot::Out(Part::Port), ".");
        }
        Go
    }),
];
