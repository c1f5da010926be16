//! jsoup: `element.absUrl("href")`, where the element has the base, from 1.10.2 on.
//!
//! Read from `StringUtil.resolve` of jsoup 1.10.2 to 1.23.2. `java.net.URL` of the Java that runs it resolves: that of the recordings is 11 for
//! versions before 1.15, and then 21.

use std::cmp::Ordering;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Change, Next::*, Question, Run, Side, State, Step, Table, Witness, compare_versions};

use crate::java_net_url;

/// jsoup.
pub static TABLE: Table = Table {
    engine: "jsoup",
    first: "1.10.2",
    changes: &[&DOTS, &SCHEMES, &CONTROLS, &HOSTS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| {
        let java = if compare_versions(version, "1.15") == Ordering::Less { "11.0.24" } else { "21" };
        vec![(&java_net_url::TABLE, java.to_owned())]
    },
};

static DOTS: Change = Change {
    id: "#1482",
    versions: &["1.14.1"],
    date: "2021-07-10",
    issue: "https://github.com/jhy/jsoup/pull/1482",
    says: "`.` and `..` segments at the beginning of the target's path are removed; it has no user and password",
    witness: Witness::resolving("http://u@a/b", "/../c", Some("http://u@a/../c"), Some("http://a/c")),
};

static SCHEMES: Change = Change {
    id: "50ff7100",
    versions: &["1.14.2"],
    date: "2021-08-15",
    issue: "https://github.com/jhy/jsoup/commit/50ff7100",
    says: "a reference with a scheme that Java has no handler for is returned as it is",
    witness: Witness::resolving("http://a/", "tel:1", None, Some("tel:1")),
};

static CONTROLS: Change = Change {
    id: "4ea768d9",
    versions: &["1.15.3"],
    date: "2022-08-24",
    issue: "https://github.com/jhy/jsoup/commit/4ea768d9",
    says: "control characters are removed",
    witness: Witness::resolving("http://a/b", "c\td", Some("http://a/c\td"), Some("http://a/cd")),
};

static HOSTS: Change = Change {
    id: "#2579",
    versions: &["1.23.2"],
    date: "2026",
    issue: "https://github.com/jhy/jsoup/pull/2579",
    says: "an http or https URL without a host is rejected; if the base does not help, the reference may be absolute itself",
    witness: Witness::resolving("http://a/", "https:b", Some("https:b"), None),
};

/// The mark of a base that Java reads.
const BASE: &str = "jsoup: the base is a URL";

/// The mark of an http or https URL that Java reads and that has no host.
const NO_HOST: &str = "jsoup: the host is missing";

/// `StringUtil.resolve`.
static RESOLVE: &[Step] = &[
    Step::new("StringUtil.resolve", "take the texts as they are", |s| {
        s.set(Slot::Base(Part::Text), s.base);
        s.set(Slot::Ref(Part::Text), s.reference);
        s.mark(java_net_url::BASE_IN_SLOT);
        s.mark(java_net_url::REFERENCE_IN_SLOT);
        Go
    }),
    Step::new("stripControlChars", "remove control characters from base and reference", |s| {
        for slot in [Slot::Base(Part::Text), Slot::Ref(Part::Text)] {
            let text = s.get(slot).replace(|it| it < ' ', "");
            s.set(slot, text);
        }
        Go
    })
    .since(&CONTROLS),
    Step::new("StringUtil.resolve: base", "a base that Java does not read is not used", |s| {
        match url(s, "", s.get(Slot::Base(Part::Text))) {
            Some(_) => {
                s.mark(BASE);
                Go
            }
            None => To("StringUtil.resolve: abs"),
        }
    }),
    Step::new("StringUtil.resolve: ?", "write the path of the base before a reference that begins with ?", |s| {
        let reference = s.get(Slot::Ref(Part::Text));
        let Some(base) = url(s, "", s.get(Slot::Base(Part::Text))).filter(|_| reference.starts_with('?')) else { return Go };
        let reference = format!("{}{reference}", base.slots.text(Slot::Out(Part::Path)).unwrap_or_default());
        s.inherit_as("path");
        s.set(Slot::Ref(Part::Text), reference);
        Go
    }),
    Step::new("StringUtil.resolve: getFile", "read the base", |_| Call(java_net_url::READ, Side::Base)).until(&DOTS),
    Step::new(
        "StringUtil.resolve: /",
        "before a reference that begins with a dot, write a slash before the path of a base that does not begin with one; the base then has \
         neither user and password nor a fragment",
        |s| {
            s.mark(java_net_url::BASE_IS_READ);
            let path = s.get(Slot::Base(Part::Path));
            if !s.get(Slot::Ref(Part::Text)).starts_with('.') || path.starts_with('/') {
                return Go;
            }
            let query = s.present(Slot::Base(Part::Query)).map(|query| format!("?{query}")).unwrap_or_default();
            let file = format!("/{path}{query}");
            let (path, query) = file.rsplit_once('?').map_or((&*file, None), |(path, query)| (path, Some(query)));
            let authority = host(s.get(Slot::Base(Part::Authority)));
            s.set(Slot::Base(Part::Authority), authority);
            s.set(Slot::Base(Part::Path), path);
            s.set(Slot::Base(Part::Query), query);
            s.set(Slot::Base(Part::Fragment), None::<&str>);
            Go
        },
    )
    .until(&DOTS),
    Step::new("StringUtil.resolve: URL, only", "Java resolves the reference", |_| {
        Call(java_net_url::CONTEXT, Side::Reference)
    })
    .until(&DOTS),
    Step::new("StringUtil.resolve: URL", "Java resolves the reference, if it can", |s| {
        match url(s, s.get(Slot::Base(Part::Text)), s.get(Slot::Ref(Part::Text))) {
            Some(_) => Call(java_net_url::CONTEXT, Side::Reference),
            None => To("StringUtil.resolve: abs"),
        }
    })
    .since(&DOTS),
    Step::new("StringUtil.resolve: toExternalForm", "write the target", |s| s.concatenate()).until(&DOTS),
    Step::new("extraDotSegmentsPattern", "remove `.` and `..` segments at the beginning of the path", |s| {
        let Some(path) = s.present(Slot::Out(Part::Path)) else {
            return s.reject(Slot::Out(Part::Path), "a jar URL has no path");
        };
        let Some(mut rest) = path.strip_prefix('/') else { return Go };
        while let Some(after) = rest.strip_prefix("./").or_else(|| rest.strip_prefix("../")) {
            rest = after;
        }
        let path = format!("/{rest}");
        s.set(Slot::Out(Part::Path), path);
        Go
    })
    .since(&DOTS),
    Step::new(
        "StringUtil.resolve: getHost",
        "write only host and port of the authority; of several @, the host is empty, and the port is that of the base",
        |s| {
            let authority = s.get(Slot::Out(Part::Authority));
            let is_own = s.present(Slot::Ref(Part::Authority)).is_some() && java_net_url::inherits(s);
            let host = match is_own && authority.matches('@').count() > 1 {
                true => {
                    let port = java_net_url::host_and_port(s.get(Slot::Base(Part::Authority))).1;
                    port.map(|port| format!(":{port}")).unwrap_or_default()
                }
                false => host(authority),
            };
            s.set(Slot::Out(Part::Authority), Some(host).filter(|host| !host.is_empty()));
            Go
        },
    )
    .since(&DOTS),
    Step::new("StringUtil.resolve: validateHttpUrl", "an http or https target without a host is not the result", |s| {
        let is_web = matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https");
        match is_web && java_net_url::host_and_port(s.get(Slot::Out(Part::Authority))).0.is_empty() {
            true => {
                s.mark(NO_HOST);
                To("StringUtil.resolve: abs")
            }
            false => Go,
        }
    })
    .since(&HOSTS),
    Step::new("toExternalForm: resolved", "write the target", |s| s.concatenate()).since(&DOTS),
    Step::new(
        "StringUtil.resolve: abs",
        "without a base that Java reads, and later also after a failure, take the reference as Java reads it alone",
        |s| {
            if s.is_marked(BASE) && !s.has(&HOSTS) {
                return Go;
            }
            // The slot may hold a reference with the path of the base.
            let Some(run) = url(s, "", &reference(s)) else { return Go };
            let is_web = matches!(run.slots.text(Slot::Out(Part::Scheme)), Some("http" | "https"));
            let authority = run.slots.text(Slot::Out(Part::Authority)).unwrap_or_default();
            if s.has(&HOSTS) && is_web && java_net_url::host_and_port(authority).0.is_empty() {
                s.mark(NO_HOST);
                return Go;
            }
            s.set(Slot::Used, "nothing");
            for part in Part::COMPONENTS {
                s.set(Slot::Out(part), run.slots.text(Slot::Out(part)));
            }
            s.concatenate()
        },
    ),
    Step::new(
        "validateHttpUrl",
        "reject an http or https URL without a host, unless the text of the reference begins with another scheme",
        |s| {
            let is_own = name(&reference(s)).is_none_or(|name| is_any(name, &["http", "https"]));
            match s.is_marked(NO_HOST) && is_own {
                true => s.reject(Slot::Out(Part::Authority), "the host is missing"),
                false => Go,
            }
        },
    )
    .since(&HOSTS),
    Step::new("hasHttpScheme", "reject a reference with the scheme http or https", |s| {
        match reference(s).split_once(':').is_some_and(|(name, _)| is_any(name, &["http", "https"])) {
            true => s.reject(Slot::Ref(Part::Text), "java.net.URL reads it neither with the base nor alone"),
            false => Go,
        }
    })
    .since(&HOSTS),
    Step::new("validUriScheme", "return a reference with a scheme as it is", |s| {
        let reference = reference(s);
        match name(&reference).is_some() {
            true => s.return_text(reference),
            false => Go,
        }
    })
    .since(&SCHEMES),
    Step::new("MalformedURLException", "reject what java.net.URL reads neither with the base nor alone", |s| {
        s.reject(Slot::Ref(Part::Text), "java.net.URL reads it neither with the base nor alone")
    }),
];

/// Returns what `java.net.URL` reads.
fn url(s: &State<'_>, base: &str, reference: &str) -> Option<Run> {
    s.answer(&java_net_url::TABLE, Question::Resolve, (base, reference)).filter(|run| run.outcome.is_ok())
}

/// Returns the reference as it was before the path of the base was written before it.
fn reference(s: &State<'_>) -> String {
    let stripped = s.reference.replace(|it| it < ' ' && s.has(&CONTROLS), "");
    match stripped.starts_with('?') {
        true => stripped,
        false => s.get(Slot::Ref(Part::Text)).to_owned(),
    }
}

/// Returns what `validUriScheme` matches, without the colon.
fn name(reference: &str) -> Option<&str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "+,-.".contains(it);
    let name = reference.split_once(':')?.0;
    (name.starts_with(|it: char| it.is_ascii_alphabetic()) && name.chars().all(is_part)).then_some(name)
}

fn is_any(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Returns host and port as `new URL(protocol, host, port, file)` writes them.
fn host(authority: &str) -> String {
    let (host, port) = java_net_url::host_and_port(authority);
    format!("{host}{}", port.map(|port| format!(":{port}")).unwrap_or_default())
}
