//! Spring Web: `UriComponentsBuilder.fromUriString(url).build()`, from 4.3.30 to 5.1.20.
//!
//! Read from `UriComponentsBuilder.java` and `HierarchicalUriComponents.java` of copies of Spring Framework 4 and 5. A pattern divides the text; it
//! matches every text without a line end in the fragment.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next::*, Question, Step, Table, Witness, no_calls};

/// Spring Web.
pub static TABLE: Table = Table {
    engine: "spring-web",
    first: "4.3.30.RELEASE",
    changes: &[&EMPTY_PATH],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Its version is the first that was asked: it came after 4.3.30.
static EMPTY_PATH: Change = Change {
    id: "NULL_PATH_COMPONENT",
    versions: &["5.1.20.RELEASE"],
    date: "",
    issue: "",
    says: "an empty path is stated as such, and not as an absent one",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "//h",
        before: Some("host=h"),
        after: Some("host=h path="),
    }),
};

/// The mark of a URL whose text after the scheme does not begin with a slash.
const OPAQUE: &str = "OpaqueUriComponents";

/// The mark of a URL with two slashes before the authority.
const AUTHORITY: &str = "spring-web: //";

static PARSE: &[Step] = &[
    Step::new("URI_PATTERN: LAST_PATTERN", "reject a fragment with a line end", |s| {
        let is_end = |it: char| matches!(it, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
        match cut(s.reference, "#").1.is_some_and(|fragment| fragment.contains(is_end)) {
            true => s.reject(Slot::Ref(Part::Fragment), "the pattern does not match"),
            false => Go,
        }
    }),
    Step::new("URI_PATTERN: SCHEME_PATTERN", "any characters but /, ? and # before the first colon are the scheme", |s| {
        let (name, rest) = cut(s.reference, ":");
        let rest = rest.filter(|_| !name.is_empty() && !name.contains(['/', '?', '#']));
        s.set(Slot::Ref(Part::Scheme), rest.map(|_| name));
        s.rest = rest.unwrap_or(s.reference).to_owned();
        Go
    }),
    Step::new("URI_PATTERN: USERINFO_PATTERN", "after two slashes, the part before the first @ is the user information, if it has no /, ?, # and [", |s| {
        let rest = std::mem::take(&mut s.rest);
        let after = rest.strip_prefix("//");
        let (user, host) = after.map_or((None, rest.as_str()), |after| {
            let (user, host) = until(after, &['@', '[', '/', '?', '#']);
            host.strip_prefix('@').map_or((None, after), |host| (Some(user), host))
        });
        if after.is_some() {
            s.mark(AUTHORITY);
        }
        s.set(Slot::Ref(Part::Userinfo), user);
        s.rest = host.to_owned();
        Go
    }),
    Step::new(
        "URI_PATTERN: HOST_PATTERN",
        "after two slashes and the user, the host is an address in brackets, or the part up to :, [, /, ? or #; the path follows it and its port",
        |s| {
            let text = std::mem::take(&mut s.rest);
            let has_authority = s.is_marked(AUTHORITY);
            let end = bracketed(&text).unwrap_or_else(|| until(&text, &['[', ':', '/', '?', '#']).0.len());
            let (host, rest) = text.split_at(if has_authority { end } else { 0 });
            let user = s.present(Slot::Ref(Part::Userinfo)).map(|user| format!("{user}@")).unwrap_or_default();
            let port = port(rest).map(|port| format!(":{port}")).unwrap_or_default();
            s.set(Slot::Ref(Part::Authority), has_authority.then(|| format!("{user}{host}{port}")));
            s.set(Slot::Ref(Part::Host), has_authority.then_some(host));
            s.rest = rest.to_owned();
            Go
        },
    ),
    Step::new("URI_PATTERN: PORT_PATTERN", "digits after a colon are the port, which a name in braces may follow", |s| {
        let found = port(&s.rest).filter(|_| s.is_marked(AUTHORITY)).map(str::to_owned);
        s.rest.drain(..found.as_ref().map_or(0, |port| port.len() + 1));
        s.set(Slot::Ref(Part::Port), found.filter(|port| !port.is_empty()));
        Go
    }),
    Step::new("URI_PATTERN: PATH_PATTERN", "cut the path at ? or #, the query at #, and the fragment", crate::rfc3986::cut_path),
    Step::new("fromUriString: opaque", "without a slash after the scheme, state the scheme and the fragment only", |s| {
        let rest = cut(s.reference, ":").1.unwrap_or_default();
        if s.present(Slot::Ref(Part::Scheme)).is_some() && !rest.starts_with('/') {
            s.mark(OPAQUE);
        }
        Go
    }),
    Step::new("UriComponents", "state the components; an empty fragment is absent", |s| {
        let fragment = s.present(Slot::Ref(Part::Fragment)).filter(|it| has_text(it)).map(str::to_owned);
        s.copy(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.set(Slot::Out(Part::Fragment), fragment);
        s.set(Slot::Result, s.reference);
        let parts = [Part::Userinfo, Part::Host, Part::Port, Part::Path, Part::Query];
        if s.is_marked(OPAQUE) {
            parts.into_iter().for_each(|part| s.set(Slot::Out(part), None::<&str>));
            return Done;
        }
        parts.into_iter().for_each(|part| s.copy(Slot::Out(part), Slot::Ref(part)));
        Go
    }),
    Step::new("HierarchicalUriComponents.getPort", "state the port as a number; fail if it is not one of 32 bits", |s| {
        let slot = Slot::Out(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        match port.parse::<i32>() {
            Ok(number) => {
                s.set(slot, number.to_string());
                Go
            }
            Err(_) => s.reject(slot, "it is not a number"),
        }
    }),
    Step::new("CompositePathComponentBuilder.addPath: hasText", "a path of white space is empty", |s| {
        if !has_text(s.get(Slot::Out(Part::Path))) {
            s.set(Slot::Out(Part::Path), "");
        }
        Go
    }),
    Step::new("FullPathComponentBuilder: //", "write one slash for several in the path", |s| {
        let mut path = s.get(Slot::Out(Part::Path)).to_owned();
        while path.contains("//") {
            path = path.replace("//", "/");
        }
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new("NULL_PATH_COMPONENT", "an empty path is absent", |s| {
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        Go
    })
    .until(&EMPTY_PATH),
    Step::new("QUERY_PARAM_PATTERN", "read the parameters of the query, and write those with the same name after each other; without one, it is absent", |s| {
        let query = s.present(Slot::Out(Part::Query)).map(parameters).filter(|query| !query.is_empty());
        s.set(Slot::Out(Part::Query), query);
        Go
    }),
];

/// `StringUtils.hasText`: what Java takes for white space does not contain the no-break spaces.
fn has_text(text: &str) -> bool {
    let is_space = |it: char| matches!(it, '\u{1c}'..='\u{1f}') || it.is_whitespace() && !matches!(it, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}');
    text.chars().any(|it| !is_space(it))
}

/// Returns the length of an address in brackets.
fn bracketed(text: &str) -> Option<usize> {
    let (inner, _) = text.strip_prefix('[')?.split_once(']')?;
    let zone = inner.trim_start_matches(|it: char| it.is_ascii_hexdigit() || matches!(it, ':' | '.'));
    zone.chars().all(|it| it == '%' || it.is_ascii_alphanumeric()).then_some(inner.len() + 2)
}

/// Returns the port at the start of a text, after its colon: digits, and a name in braces.
fn port(text: &str) -> Option<&str> {
    let after = text.strip_prefix(':')?;
    let (digits, rest) = after.split_at(after.find(|it: char| !it.is_ascii_digit()).unwrap_or(after.len()));
    let name = rest.strip_prefix('{').and_then(|name| {
        let first = name.chars().next().filter(|it| *it != '/')?.len_utf8();
        let end = first + until(&name[first..], &['}', '/']).0.len();
        name[end..].starts_with('}').then_some(end + 2)
    });
    after.get(..digits.len() + name.unwrap_or_default())
}

/// `UriComponentsBuilder.query`, and `HierarchicalUriComponents.getQuery`.
fn parameters(query: &str) -> String {
    let mut all: Vec<(&str, Vec<String>)> = Vec::new();
    for text in query.split('&') {
        let text = text.trim_start_matches('=');
        if text.is_empty() {
            continue;
        }
        let (name, value) = cut(text, "=");
        let written = value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}"));
        match all.iter_mut().find(|(own, _)| *own == name) {
            Some((_, values)) => values.push(written),
            None => all.push((name, vec![written])),
        }
    }
    all.into_iter().flat_map(|(_, values)| values).collect::<Vec<_>>().join("&")
}
