//! PHP's `parse_url(url)`: the components that it returns, from 7.4.0 on.
//!
//! Read from `ext/standard/url.c` of PHP 8.4, and compared with 7.4 to 8.4. A text is bytes, and nothing in it is decoded or checked but the scheme,
//! the port and the host, which is not empty.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness, no_calls};

/// PHP's `parse_url`.
pub static TABLE: Table = Table {
    engine: "php-parse-url",
    first: "7.4.0",
    changes: &[&EMPTY],
    dated: &[],
    questions: &[(Question::Parse, PARSE_URL)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static EMPTY: Change = Change {
    id: "bug-78385",
    versions: &["8.0.0"],
    date: "2020-11-26",
    issue: "https://github.com/php/php-src/pull/5078",
    says: "an empty query and an empty fragment are not absent",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "a?#",
        before: Some("path=a"),
        after: Some("path=a query= fragment="),
    }),
};

fn is_name(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+.-".contains(&it))
}

/// Returns the digits at the beginning of a text if there are one to five, and the text or a slash follows them.
fn port(text: &str) -> Option<&str> {
    let (digits, rest) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
    ((1..=5).contains(&digits.len()) && (rest.is_empty() || rest.starts_with('/'))).then_some(digits)
}

/// `strtol`: the number at the beginning of a text, after spaces and a sign, if it is between 0 and 65535.
fn number(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|it| matches!(it, ' ' | '\t'..='\r'));
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = text.split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
    let number = digits.parse::<u32>().ok().filter(|it| *it <= 65535 && (*it == 0 || !is_negative));
    number.map(|number| number.to_string())
}

/// `php_url_parse_ex2`.
static PARSE: &[Step] = &[
    Step::new("php_url_parse_ex2", "take the text as it is", |s| {
        s.rest = s.get(s.own(Part::Text)).to_owned();
        s.write_text();
        for part in [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.set(s.own(part), None::<&str>);
        }
        Go
    }),
    Step::new(
        "parse scheme",
        "letters, digits, +, - and . before the first colon are the scheme, unless one to five digits and then a slash or the end follow it",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let found = rest.split_once(':').filter(|(name, after)| !name.is_empty() && is_name(name) && port(after).is_none());
            s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
            s.rest = found.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
            match (found.is_some(), s.rest.is_empty()) {
                (false, _) => To("parse_port"),
                (true, true) => To("php_replace_controlchars"),
                (true, false) => Go,
            }
        },
    ),
    Step::new("file:", "the third slash after file: begins the path, which loses it before a drive letter", |s| {
        let is_file = s.get(s.own(Part::Scheme)).eq_ignore_ascii_case("file");
        let Some(path) = s.rest.strip_prefix("//").filter(|path| is_file && path.starts_with('/')) else {
            return To("relative-scheme URL");
        };
        let is_drive = path.as_bytes().get(2) == Some(&b':');
        s.rest = path.get(usize::from(is_drive)..).unwrap_or_default().to_owned();
        To("just_path: the fragment")
    }),
    Step::new(
        "parse_port",
        "one to five digits after the first colon, with a slash or the end after them, are the port; reject a larger one than 65535, and a \
         colon at the end",
        |s| {
            let text = s.rest.as_str();
            let Some((before, after)) = text.split_once(':') else { return Go };
            if !is_name(before) && (after.is_empty() || before.contains(['?', '#'])) {
                return Go;
            }
            let slot = s.own(Part::Port);
            match (port(after), after.is_empty()) {
                (Some(digits), _) => match number(digits) {
                    Some(number) => {
                        s.set(slot, number);
                        Go
                    }
                    None => s.reject(slot, "it is larger than 65535"),
                },
                (None, true) => s.reject(slot, "it is missing"),
                (None, false) => Go,
            }
        },
    ),
    Step::new("relative-scheme URL", "the host follows two slashes, or begins the text if there is a port; otherwise the rest is the path", |s| {
        let has_port = s.present(s.own(Part::Port)).is_some();
        match s.rest.strip_prefix("//").map(str::to_owned) {
            Some(rest) => s.rest = rest,
            None if has_port => {}
            None => return To("just_path: the fragment"),
        }
        Go
    }),
    Step::new("parse_host", "the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = until(&rest, &['/', '?', '#']);
        s.set(s.own(Part::Authority), authority);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("parse_host: login and password", "the part before the last @ is the user, and after its first colon the password", |s| {
        let Some((user, _)) = s.get(s.own(Part::Authority)).rsplit_once('@') else { return Go };
        let (user, password) = cut(user, ":");
        let (user, password) = (user.to_owned(), password.map(str::to_owned));
        s.set(s.own(Part::User), user);
        s.set(s.own(Part::Password), password);
        Go
    }),
    Step::new("parse_host: the host", "what follows the last @ is the host, up to its last colon, unless brackets surround it", |s| {
        let authority = s.get(s.own(Part::Authority));
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let is_address = host.starts_with('[') && host.ends_with(']');
        let host = host.rsplit_once(':').filter(|_| !is_address).map_or(host, |(host, _)| host).to_owned();
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new(
        "parse_host: the port",
        "what follows that colon is the port, if no port was read before it: the number at its beginning; reject more than five characters, and what \
         is not a number up to 65535",
        |s| {
            let slot = s.own(Part::Port);
            let authority = s.get(s.own(Part::Authority));
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let after = host.strip_prefix(s.get(s.own(Part::Host))).and_then(|after| after.strip_prefix(':'));
            let has_port = s.present(slot).is_some_and(|port| port != "0");
            let Some(after) = after.filter(|after| !after.is_empty() && !has_port) else { return Go };
            match number(after).filter(|_| after.len() <= 5) {
                Some(number) => {
                    s.set(slot, number);
                    Go
                }
                None => s.reject(slot, "it is not a number up to 65535 of at most five characters"),
            }
        },
    ),
    Step::new("parse_host: a valid host", "reject an empty host", |s| {
        let slot = s.own(Part::Host);
        match s.get(slot).is_empty() {
            true => s.reject(slot, "it is empty"),
            false if s.rest.is_empty() => To("php_replace_controlchars"),
            false => Go,
        }
    }),
    Step::new("just_path: the fragment", "the part after the first # is the fragment", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, fragment) = cut(&rest, "#");
        s.set(s.own(Part::Fragment), fragment);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("just_path: the query", "the part after the first ? is the query", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, query) = cut(&rest, "?");
        s.set(s.own(Part::Query), query);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("just_path: the path", "the rest is the path; an empty one before a query or a fragment is absent", |s| {
        let is_last = s.present(s.own(Part::Query)).or(s.present(s.own(Part::Fragment))).is_none();
        let path = Some(std::mem::take(&mut s.rest)).filter(|path| !path.is_empty() || is_last);
        s.set(s.own(Part::Path), path);
        Go
    }),
    Step::new("php_replace_controlchars", "write _ for each control character of ASCII", |s| {
        for part in [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Path, Part::Query, Part::Fragment] {
            let slot = s.own(part);
            if let Some(text) = s.present(slot) {
                let text = text.replace(|it: char| it.is_ascii_control(), "_");
                s.set(slot, text);
            }
        }
        Go
    }),
];

/// `parse_url`.
pub(crate) static PARSE_URL: &[Step] = &[
    Step::new("parse_url", "divide the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("parse_url: array_init", "return the components that are present", |s| {
        for part in [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("parse_url: p < e", "an empty query and an empty fragment are absent", |s| {
        for part in [Part::Query, Part::Fragment] {
            if s.get(Slot::Out(part)).is_empty() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    })
    .until(&EMPTY),
];
