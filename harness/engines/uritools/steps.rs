//! uritools: `urijoin(base, reference)`, and the attributes of `urisplit(url)`, from 4.0.0 on.
//!
//! Read from `uritools/__init__.py` of uritools 4.0.3 and 6.1.4. Texts are neither checked, nor decoded, nor encoded.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// uritools.
pub static TABLE: Table = Table {
    engine: "uritools",
    first: "4.0.0",
    changes: &[&LINES, &CASE],
    dated: &[],
    questions: &[(Question::Resolve, TRANSFORM), (Question::Parse, ACCESSORS)],
    called: &[SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

pub(crate) static LINES: Change = Change {
    id: "6.1.4 fragment",
    versions: &["6.1.4"],
    date: "2026-11-04",
    issue: "",
    says: "the fragment does not end at an end of line",
    witness: Witness::resolving("http://a/b", "#c\nd", Some("http://a/b#c"), Some("http://a/b#c\nd")),
};

static CASE: Change = Change {
    id: "6.1.4 scheme",
    versions: &["6.1.4"],
    date: "2026-11-04",
    issue: "",
    says: "the scheme of a reference is compared with that of the base in lower case",
    witness: Witness::resolving("http://a/b", "HTTP:c", Some("HTTP:c"), Some("http://a/c")),
};

/// `urisplit`, for the base and the reference.
pub(crate) static SPLIT: &[Step] = &[
    Step::new("urisplit: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new("urisplit", "cut the authority after //, the fragment at #, the query at ?, and the path", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let (authority, rest) = until(after, &['/', '?', '#']);
                (Some(authority), rest)
            }
            None => (None, rest.as_str()),
        };
        let (rest, fragment) = cut(rest, "#");
        let (path, query) = cut(rest, "?");
        for (part, text) in
            [(Part::Authority, authority), (Part::Path, Some(path)), (Part::Query, query), (Part::Fragment, fragment)]
        {
            s.set(s.own(part), text);
        }
        Go
    }),
    Step::new("urisplit: the fragment", "end the fragment before an end of line", |s| {
        let slot = s.own(Part::Fragment);
        let fragment = s.present(slot).map(|fragment| cut(fragment, "\n").0.to_owned());
        s.set(slot, fragment);
        Go
    })
    .until(&LINES),
];

/// `urijoin`: `SplitResult.transform` and `geturi`.
static TRANSFORM: &[Step] =
    &[READ_BASE, READ_REFERENCE, SCHEME, SCHEME_LOWER, AUTHORITY, NO_PATH, SLASH, MERGE, DOTS, GETURI];

/// The same, with `strict`.
pub(crate) static TRANSFORM_STRICT: &[Step] =
    &[READ_BASE, READ_REFERENCE, SCHEME_STRICT, AUTHORITY, NO_PATH, SLASH, MERGE, DOTS, GETURI];

const READ_BASE: Step = Step::new("urijoin: the base", "read the base", |_| Call(SPLIT, Side::Base));

const READ_REFERENCE: Step = Step::new("urijoin: the reference", "read the reference", |_| Call(SPLIT, Side::Reference));

const SCHEME: Step = Step::new("transform: scheme", "a reference with a scheme inherits nothing, unless it is that of the base", |s| {
    let is_same = s.present(Slot::Ref(Part::Scheme)) == s.present(Slot::Base(Part::Scheme));
    compare_schemes(s, is_same)
})
.until(&CASE);

const SCHEME_LOWER: Step = Step::new(
    "transform: scheme, lower",
    "a reference with a scheme inherits nothing, unless it is that of the base in lower case",
    |s| {
        let base = s.present(Slot::Base(Part::Scheme));
        let is_same = base.is_some_and(|base| s.get(Slot::Ref(Part::Scheme)).eq_ignore_ascii_case(base));
        compare_schemes(s, is_same)
    },
)
.since(&CASE);

const SCHEME_STRICT: Step =
    Step::new("transform: strict", "a reference with a scheme inherits nothing", |s| compare_schemes(s, false));

const AUTHORITY: Step = Step::new("transform: authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
    s.inherit(Part::Scheme);
    if s.present(Slot::Ref(Part::Authority)).is_none() {
        s.inherit(Part::Authority);
        return Go;
    }
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    To("__remove_dot_segments")
});

const NO_PATH: Step = Step::new("transform: not path", "without a path, inherit the base's, and its query if there is none", |s| {
    if !s.get(Slot::Ref(Part::Path)).is_empty() {
        return Go;
    }
    s.inherit_as("path");
    if s.present(Slot::Ref(Part::Query)).is_none() {
        s.inherit(Part::Query);
    }
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
    To("geturi")
});

const SLASH: Step = Step::new("transform: slash", "a path that begins with a slash is not merged", |s| {
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    match s.get(Slot::Ref(Part::Path)).starts_with('/') {
        true => To("__remove_dot_segments"),
        false => Go,
    }
});

const MERGE: Step = Step::new(
    "__merge",
    "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
    |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    },
);

const DOTS: Step = Step::new(
    "__remove_dot_segments",
    "remove each . segment, and each .. segment with the one before it; keep .. segments at the beginning of a rootless path; \
     a slash after a last one remains",
    |s| {
        let path = s.get(Slot::Merged);
        let mut kept: Vec<&str> = Vec::new();
        for segment in path.split('/') {
            match (segment, kept.as_slice()) {
                (".", _) | ("..", [""]) => {}
                ("..", [.., last]) if *last != ".." => drop(kept.pop()),
                _ => kept.push(segment),
            }
        }
        if matches!(path.rsplit('/').next(), Some("." | "..")) {
            kept.push("");
        }
        let is_empty = !path.is_empty() && kept == [""];
        let path = if is_empty { "./".to_owned() } else { kept.join("/") };
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    },
);

const GETURI: Step = Step::new("geturi", "concatenate the components", |s| {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    s.concatenate()
});

/// Goes on with the components of the reference if it has a scheme that is not the base's.
fn compare_schemes(s: &mut State<'_>, is_same: bool) -> Next {
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
    if s.present(Slot::Ref(Part::Scheme)).is_none() || is_same {
        return Go;
    }
    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    To("__remove_dot_segments")
}

/// `urisplit`, and the attributes of what it returns.
static ACCESSORS: &[Step] = &[
    Step::new("urisplit: SplitResult", "split the URI", |_| Call(SPLIT, Side::Reference)),
    Step::new("SplitResult", "state the components", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("SplitResult.userinfo", "what precedes the last @ is the user information", |s| {
        let user = s.get(Slot::Out(Part::Authority)).rsplit_once('@').map(|(user, _)| user.to_owned());
        s.set(Slot::Out(Part::Userinfo), user);
        Go
    }),
    Step::new(
        "SplitResult.host",
        "what follows the last @ is the host, without digits at its end and the colon before them; a host of only digits is empty",
        |s| {
            let host = s.present(Slot::Out(Part::Authority)).map(|authority| {
                let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
                let (before, after) = host.rsplit_once(':').unwrap_or(("", host));
                if is_number(after) { before } else { host }.to_owned()
            });
            s.set(Slot::Out(Part::Host), host);
            Go
        },
    ),
    Step::new("SplitResult.port", "digits after the last colon, or nothing, are the port", |s| {
        let port = s.get(Slot::Out(Part::Authority)).rsplit_once(':').map(|(_, port)| port).filter(|port| is_number(port));
        let port = port.map(str::to_owned);
        s.set(Slot::Out(Part::Port), port);
        s.set(Slot::Result, s.reference);
        Done
    }),
];

fn is_number(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}
