//! parse-uri: what `parseUri(url)` returns, from 1.0.7 on.
//!
//! Read from `src/index.js` of parse-uri 1.0.7 to 2.0.6. Before 2.0.0, its regular expression is the loose one of Steven Levithan's parseUri 1.2.2.
//! Each component that is absent is empty. Versions 1.0.11 to 1.0.16 have other patterns, which are not described.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next, Next::*, Question, State, Step, Table, Witness, no_calls};

/// parse-uri.
pub static TABLE: Table = Table {
    engine: "parse-uri",
    first: "1.0.7",
    changes: &[&PATTERN],
    dated: &[],
    questions: &[(Question::Parse, STATE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static PATTERN: Change = Change {
    id: "2.0.0",
    versions: &["2.0.0"],
    date: "2025-06-28",
    issue: "https://github.com/Kikobeats/parse-uri/commit/c3bf754",
    says: "only two slashes begin an authority, which ends at the next /, ? or #, and a default port is empty",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "http:a/b",
        before: Some("scheme=http authority=a user= password= host=a port= path=/b query= fragment="),
        after: Some("scheme=http authority= user= password= host= port= path=a/b query= fragment="),
    }),
};

/// `parseUri`. What is read is what is stated.
static STATE: &[Step] = &[
    Step::new("parseUri: !str", "reject an empty text", |s| match s.reference.is_empty() {
        true => s.reject(Slot::Ref(Part::Text), "it is empty"),
        false => {
            s.rest = s.reference.to_owned();
            s.set(Slot::Result, s.reference);
            Go
        }
    }),
    Step::new(
        "loose: protocol",
        "the text before a colon is the scheme if it has no dot, /, ? or #, unless an @ without / and : before it follows the colon",
        |s| {
            let has_password = s.rest.split_once(':').is_some_and(|(user, rest)| {
                !user.is_empty() && !user.contains('@') && until(rest, &[':', '@', '/']).1.starts_with('@')
            });
            cut_scheme(s, !has_password)
        },
    )
    .until(&PATTERN),
    Step::new("pattern: protocol", "the text before a colon is the scheme if it has no dot, /, ? or #", |s| cut_scheme(s, true)).since(&PATTERN),
    Step::new(
        "loose: authority",
        "after slashes, if there are two, a user and a password up to @, a host up to a colon, /, ? or #, and the digits after a colon are the authority",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//").unwrap_or(&rest);
            let (authority, rest) = after.split_at(Divided::of(after).length);
            s.set(Slot::Out(Part::Authority), authority);
            s.rest = rest.to_owned();
            Go
        },
    )
    .until(&PATTERN),
    Step::new("pattern: authority", "after two slashes, the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = rest.strip_prefix("//").map_or(("", rest.as_str()), |after| until(after, &['/', '?', '#']));
        s.set(Slot::Out(Part::Authority), authority);
        s.rest = rest.to_owned();
        Go
    })
    .since(&PATTERN),
    Step::new("parseUri: user, password", "what precedes @ is the user, with the password after a colon", |s| {
        let Divided { user, password, .. } = Divided::of(s.get(Slot::Out(Part::Authority)));
        let (user, password) = (user.unwrap_or_default().to_owned(), password.unwrap_or_default().to_owned());
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new("parseUri: host, port", "what follows @ up to a colon is the host, and the digits after the colon are the port", |s| {
        let Divided { host, port, .. } = Divided::of(s.get(Slot::Out(Part::Authority)));
        let (host, port) = (host.to_owned(), port.unwrap_or_default().to_owned());
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("parseUri: rawPort", "the port 80 of http and 443 of https is empty", |s| {
        if matches!((s.get(Slot::Out(Part::Scheme)), s.get(Slot::Out(Part::Port))), ("http", "80") | ("https", "443")) {
            s.set(Slot::Out(Part::Port), "");
        }
        Go
    })
    .since(&PATTERN),
    Step::new(
        "loose: directory, file",
        "the path ends at ? or #, and one that does not begin with a slash at a slash, too, which neither query nor fragment follow",
        |s| {
            let is_rooted = s.rest.starts_with('/');
            let ends: &[char] = if is_rooted { &['?', '#'] } else { &['/', '?', '#'] };
            let (path, rest) = until(&s.rest, ends);
            let (path, rest) = (path.to_owned(), if rest.starts_with('/') { "" } else { rest }.to_owned());
            s.set(Slot::Out(Part::Path), path);
            s.rest = rest;
            Go
        },
    )
    .until(&PATTERN),
    Step::new("pattern: path", "the path ends at ? or #", |s| {
        let (path, rest) = until(&s.rest, &['?', '#']);
        let (path, rest) = (path.to_owned(), rest.to_owned());
        s.set(Slot::Out(Part::Path), path);
        s.rest = rest;
        Go
    })
    .since(&PATTERN),
    Step::new("parseUri: pathname", "an empty path after an authority is a slash", |s| {
        if s.get(Slot::Out(Part::Path)).is_empty() && !s.get(Slot::Out(Part::Authority)).is_empty() {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    })
    .since(&PATTERN),
    Step::new("parseUri: query", "what follows ? up to # is the query", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (query, fragment) = cut(&rest, "#");
        s.set(Slot::Out(Part::Query), query.strip_prefix('?').unwrap_or_default());
        s.rest = fragment.unwrap_or_default().to_owned();
        Go
    }),
    Step::new("parseUri: anchor", "what follows # up to an end of line is the fragment", |s| {
        let fragment = until(&s.rest, &['\n', '\r', '\u{2028}', '\u{2029}']).0.to_owned();
        s.set(Slot::Out(Part::Fragment), fragment);
        Done
    }),
];

fn cut_scheme(s: &mut State<'_>, may_have_one: bool) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let found = rest.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#', '.']));
    let (name, rest) = found.filter(|_| may_have_one).unwrap_or(("", &rest));
    s.set(Slot::Out(Part::Scheme), name);
    s.rest = rest.to_owned();
    Go
}

/// An authority as the regular expressions of parseUri 1.2.2 divide it.
pub(crate) struct Divided<'a> {
    /// What precedes the first `@`, or a colon before it. It may contain slashes.
    pub(crate) user: Option<&'a str>,
    /// What is between the only colon before the first `@` and that.
    pub(crate) password: Option<&'a str>,
    /// The text up to a colon, `/`, `?` or `#`.
    pub(crate) host: &'a str,
    /// The digits after the colon.
    pub(crate) port: Option<&'a str>,
    /// The length of all of them.
    pub(crate) length: usize,
}

impl<'a> Divided<'a> {
    /// Divides the text that begins with an authority.
    pub(crate) fn of(text: &'a str) -> Self {
        let before = text.split_once('@').map(|(user, _)| user).filter(|user| user.matches(':').count() < 2);
        let start = before.map_or(0, |user| user.len() + 1);
        let (user, password) = before.map_or((None, None), |user| {
            let (user, password) = cut(user, ":");
            (Some(user), password)
        });
        let (host, rest) = until(&text[start..], &[':', '/', '?', '#']);
        let port = rest.strip_prefix(':');
        let port = port.map(|port| &port[..port.len() - port.trim_start_matches(|it: char| it.is_ascii_digit()).len()]);
        let length = start + host.len() + port.map_or(0, |port| port.len() + 1);
        Self { user, password, host, port, length }
    }
}
