//! Django's `url_has_allowed_host_and_scheme(url, {"ok.example"})`: the components of the URL that it reads, of 5.2.19.
//!
//! Read from `django/utils/http.py` of 5.2.19. It calls Python's `urlsplit`, with which it was recorded: that of 3.11.7. Older versions have a copy of it. Not described: which URLs are allowed.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::{checks, urllib};

/// django-redirect-check.
pub static TABLE: Table = Table {
    engine: "django-redirect-check",
    first: "5.2.19",
    changes: &[],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[urllib::SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, "3.11.7".to_owned())],
};

static PARSE: &[Step] = &[
    Step::new("url_has_allowed_host_and_scheme: strip", "remove white space around the URL", |s| {
        let url = s.reference.trim_matches(|it: char| it.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&it));
        s.passed = Some(url.to_owned());
        s.decide(Slot::Ref(Part::Text));
        Go
    }),
    Step::new("url_info = urlsplit", "split the URL, and state its components", |_| Call(urllib::PARSE, Side::Reference)),
    Step::new("SplitResult: netloc, scheme", "read the scheme, the authority, the host and the port", |s| {
        checks::read(s, &[Part::Scheme, Part::Authority, Part::Host, Part::Port])
    }),
];
