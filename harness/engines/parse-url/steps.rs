//! parse-url: the properties of `parseUrl(url)`, from 8.1.0 on.
//!
//! Read from `dist/index.mjs` of parse-url 8.1.0 to 11.1.0, and from parse-path 7.1.0 and protocols 2.0.1. The URL class is that of Node 20, with
//! which the versions were recorded; what it rejects is read as an address of Git.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, is_escape};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness};

use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// parse-url.
pub static TABLE: Table = Table {
    engine: "parse-url",
    first: "8.1.0",
    changes: &[&SPACES, &CAPITALS, &HASH],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[ada::PARSE, PROPERTIES],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: None,
    calls: |_| vec![(&node_url::TABLE, "20.20.2".to_owned())],
};

const fn witness(url: &'static str, after: &'static str) -> Option<Witness> {
    Some(Witness { question: Question::Parse, base: "", reference: url, before: None, after: Some(after) })
}

static SPACES: Change = Change {
    id: "9.0.0",
    versions: &["9.0.0"],
    date: "",
    issue: "",
    says: "the path of an address of Git may have white space and escapes",
    witness: witness("git@h:a b", "scheme=ssh authority=h user=git password= host=h port= path=/a b query= fragment="),
};

static CAPITALS: Change = Change {
    id: "9.2.0",
    versions: &["9.2.0"],
    date: "",
    issue: "",
    says: "the user of an address of Git may have capital letters",
    witness: witness("Git@h:a", "scheme=ssh authority=h user=Git password= host=h port= path=/a query= fragment="),
};

static HASH: Change = Change {
    id: "11.0.0",
    versions: &["11.0.0"],
    date: "",
    issue: "",
    says: "the fragment of an address of Git is cut off",
    witness: witness("git@h:a#b", "scheme=ssh authority=h user=git password= host=h port= path=/a query= fragment=b"),
};

/// `parseUrl.MAX_INPUT_LENGTH`.
const LONGEST: usize = 2048;

static PARSE: &[Step] = &[
    Step::new("parseUrl: MAX_INPUT_LENGTH", "reject a text of more than 2048 units of UTF-16", |s| {
        match s.reference.encode_utf16().count() > LONGEST {
            true => s.reject(Slot::Ref(Part::Text), "it is too long"),
            false => Go,
        }
    }),
    Step::new("parsePath: new URL", "what the URL class of Node rejects is read as an address of Git", |s| {
        s.rest = s.reference.to_owned();
        match s.answer(&node_url::TABLE, Question::Parse, ("", s.reference)).is_some_and(|run| run.outcome.is_ok()) {
            true => To("parsePath: parsed"),
            false => Go,
        }
    }),
    Step::new("parseUrl: hrefWithoutHash", "cut the fragment of an address of Git", |s| {
        let (rest, fragment) = cut(s.reference, "#");
        s.set(Slot::Ref(Part::Fragment), fragment.unwrap_or_default());
        s.rest = rest.to_owned();
        Go
    })
    .since(&HASH),
    Step::new(
        "parseUrl: GIT_RE",
        "a user and an @, or `http://` or `https://`, precede the host, and a colon or a slash the path; reject anything else",
        |s| {
            let text = std::mem::take(&mut s.rest);
            let Some((user, host, path)) = divided(&text, s.has(&SPACES), s.has(&CAPITALS)) else {
                return s.reject(Slot::Ref(Part::Text), "it is neither a URL nor an address of Git");
            };
            s.set(Slot::Ref(Part::User), user);
            s.set(Slot::Ref(Part::Host), host);
            s.set(Slot::Ref(Part::Path), path);
            Go
        },
    ),
    Step::new("parseUrl: ssh", "state the scheme ssh, and the user, the host and the path with a slash", |s| {
        s.set(Slot::Out(Part::Scheme), "ssh");
        s.flow(Slot::Out(Part::User), Slot::Ref(Part::User));
        s.flow(Slot::Out(Part::Host), Slot::Ref(Part::Host));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Host));
        let path = format!("/{}", s.get(Slot::Ref(Part::Path)));
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        s.set(Slot::Out(Part::Path), path);
        for part in [Part::Password, Part::Port, Part::Query] {
            s.set(Slot::Out(part), "");
        }
        let fragment = s.get(Slot::Ref(Part::Fragment)).to_owned();
        s.set(Slot::Out(Part::Fragment), fragment);
        s.set(Slot::Result, s.reference);
        Done
    }),
    Step::new("parsePath: parsed", "state the properties of the URL", |_| Call(ada::STATE, Side::Reference)),
    Step::new("protocols", "the scheme ends at a plus sign", |s| {
        let name = cut(s.get(Slot::Out(Part::Scheme)), "+").0.to_owned();
        s.set(Slot::Out(Part::Scheme), name);
        Go
    }),
];

/// Divides an address of Git into its user, host and path.
fn divided(text: &str, has_spaces: bool, has_capitals: bool) -> Option<(Option<&str>, &str, &str)> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let is_user = |user: &str| {
        let is_letter = |it: char| it.is_ascii_lowercase() || has_capitals && it.is_ascii_uppercase();
        user.starts_with(|it| is_letter(it) || it == '_')
            && user.len() <= 32
            && user.chars().all(|it| is_letter(it) || it.is_ascii_digit() || matches!(it, '_' | '-'))
    };
    let web = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let (user, rest) = match web {
        Some(rest) => (None, rest),
        None => text.split_once('@').filter(|(user, _)| is_user(user)).map(|(user, rest)| (Some(user), rest))?,
    };
    let end = rest.find(|it: char| !is_word(it) && !matches!(it, '.' | '-' | '@'))?;
    let (host, rest) = rest.split_at(end);
    let path = rest.strip_prefix([':', '/']).filter(|path| !host.is_empty() && !path.is_empty())?;
    let is_space = |it: char| it.is_whitespace() && it != '\u{85}' || it == '\u{feff}';
    let is_part = |(at, it): (usize, char)| match it {
        '%' => has_spaces && is_escape(&path[at..]),
        _ => is_word(it) || matches!(it, '~' | ',' | '.' | '-' | '/') || has_spaces && is_space(it),
    };
    path.char_indices().all(is_part).then_some((user, host, path))
}
