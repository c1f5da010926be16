//! Perl's IRI: `IRI->new(value => $reference, base => IRI->new($base))->abs`, and the accessors of `IRI->new($url)`.
//!
//! Read from `IRI.pm` of IRI 0.011, 0.013 and 0.15. Texts are neither decoded nor encoded. If the base is unknown, the components of the reference
//! are written as they were read.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::without_dots;
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, IRI, IRI_QUERY, REG_NAME};

/// IRI.
pub static TABLE: Table = Table {
    engine: "perl-iri",
    first: "0.011",
    changes: &[&END],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static END: Change = Change {
    id: "0.012",
    versions: &["0.012"],
    date: "2024-09-28",
    issue: "",
    says: "a line feed at the end of the text is rejected",
    witness: Witness::resolving("http://a/b", "c\n", Some("http://a/c"), None),
};

/// `_parse_components`, for the base and the reference: one expression checks a text and reads its components.
static PARSE: &[Step] = &[
    Step::new("_parse_components: $", "a line feed at the end is not a part of the IRI", |s| {
        s.rest = s.given().strip_suffix('\n').unwrap_or(s.given()).to_owned();
        s.write_text();
        Go
    })
    .until(&END),
    Step::new("_parse_components: \\Z", "read the whole text", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        Go
    })
    .since(&END),
    Step::new("$scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let found = urlstrata_steps::text::scheme(&s.rest).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        s.set(s.own(Part::Scheme), found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        Go
    }),
    Step::new("$iauthority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("$IRIreference", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("$iuserinfo", "reject user information with a character that is not allowed", |s| rfc3986::check_user(s, IRI)),
    Step::new("$ihost", "reject a host that is neither an IP address in brackets, with capital digits, nor a name", |s| {
        let slot = s.own(Part::Authority);
        match is_host(rfc3986::divide(s.get(slot)).1) {
            true => Go,
            false => s.reject(slot, "the host is neither an IP address in brackets with capital digits nor a name of allowed characters"),
        }
    }),
    Step::new("$port", "reject what follows the host and is not a colon and digits", rfc3986::check_port),
    Step::new("$ipathnoscheme", "reject a relative path with a colon in its first segment", rfc3986::check_first_segment),
    Step::new("$isegment", "reject a path with a character that is not allowed", |s| rfc3986::check(s, Part::Path, rfc3986::PATH, IRI)),
    Step::new("$iquery", "reject a query with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Query, rfc3986::QUERY, IRI_QUERY)
    }),
    Step::new("$ifragment", "reject a fragment with a character that is not allowed", |s| {
        rfc3986::check(s, Part::Fragment, rfc3986::QUERY, IRI)
    }),
];

/// `$ihost`: hexadecimal digits and the letter of a future address are in one case.
fn is_host(host: &str) -> bool {
    let Some(address) = host.strip_prefix('[') else { return rfc3986::conforms(host, REG_NAME, IRI) };
    let Some(address) = address.strip_suffix(']') else { return false };
    match address.strip_prefix('v').and_then(|it| it.split_once('.')) {
        Some((version, _)) => !version.contains(|it: char| it.is_ascii_lowercase()) && rfc3986::is_future(address),
        None => !address.contains(|it: char| it.is_ascii_lowercase()) && address.parse::<Ipv6Addr>().is_ok(),
    }
}

/// `_resolved_components` and `_string_from_components`.
static RESOLVE: &[Step] = &[
    Step::new("IRI->new: base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("IRI->new: value", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("_resolved_components: scheme", "a reference with a scheme inherits nothing, nor does any other one without a base", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.present(Slot::Ref(Part::Scheme)).is_none() && !s.base.is_empty() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(WRITE)
    }),
    Step::new("_resolved_components: host", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "_remove_dot_segments")
    }),
    Step::new(
        "_resolved_components: path eq ''",
        "without a path, inherit the base's, and its query if there is none, or if it is empty or 0; a query of the base that is empty or 0 is none",
        |s| {
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Merged);
            if is_false(s.get(Slot::Ref(Part::Query))) {
                s.inherit(Part::Query);
                if is_false(s.get(Slot::Base(Part::Query))) {
                    s.set(Slot::Out(Part::Query), None::<&str>);
                }
            }
            To(WRITE)
        },
    ),
    Step::new("_resolved_components: m<^/>", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "_remove_dot_segments")),
    Step::new("_merge", "write the path after the base's up to its last slash, or after a slash if the base has an authority and no path", rfc3986::merge),
    Step::new("_remove_dot_segments", "remove each . segment, and each .. with the segment before it", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(WRITE, "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("_string_from_components: user", "drop user information that is empty or 0", |s| {
        rewrite(s, |user, rest| match user.filter(|it| !is_false(it)) {
            Some(user) => format!("{user}@{rest}"),
            None => rest.to_owned(),
        })
    }),
    Step::new("_string_from_components: port", "drop a port that is empty or 0", |s| {
        rewrite(s, |user, rest| {
            let (_, host, port) = rfc3986::divide(rest);
            let port = if is_false(port.trim_start_matches(':')) { "" } else { port };
            format!("{}{host}{port}", user.map(|user| format!("{user}@")).unwrap_or_default())
        })
    }),
    Step::new("_string_from_components", "concatenate the components", |s| s.concatenate()),
];

const WRITE: &str = "_resolved_components: return";

/// What Perl regards as false.
fn is_false(text: &str) -> bool {
    matches!(text, "" | "0")
}

/// Rewrites the target's authority from its user information and the rest.
fn rewrite(s: &mut State<'_>, written: impl Fn(Option<&str>, &str) -> String) -> Next {
    let slot = Slot::Out(Part::Authority);
    let Some(authority) = s.present(slot) else { return Go };
    let (user, rest) = authority.split_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    let rewritten = written(user, rest);
    if rewritten != authority {
        s.set(slot, rewritten);
    }
    Go
}

/// `components`.
static STATE: &[Step] = &[
    Step::new("IRI->new", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("components", "state the components as they were read", rfc3986::state),
    Step::new("components: user, host, port", "state the parts of the authority", |s| {
        rfc3986::state_authority(s);
        Done
    }),
];
