//! The scheme news, §3.6: a newsgroup, all newsgroups, or an article, on an unspecified host.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::action::{Action, first_of};
use super::{EncodedText, Field, Form, Part, PartReader, Scheme, Value, is_host, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

pub(super) const SCHEME: Scheme = Scheme {
    name: "news",
    section: "3.6",
    port: None,
    read: |mut common, trace| {
        // A news URL has no host, even if it begins with two slashes.
        common.host = None;
        read_part(STEPS, common, trace).map(Form::News)
    },
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<News>> = &[
    ("3.6 message-id", "a text with an @ is the identifier of an article: a unique part and a domain name", message_id),
    ("3.6 *", "an asterisk means all groups", all),
    (
        "3.6 newsgroup-name",
        "any other text is the name of a group: letters, digits, and the characters that may separate them",
        newsgroup,
    ),
];

/// A newsgroup or an article (§3.6).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum News {
    /// `*`, as it is written.
    AllGroups(EncodedText),
    /// `comp.infosystems.www.misc`.
    Group(EncodedText),
    /// `unique@full_domain_name`, without the brackets that enclose it in a message.
    Article {
        /// The part before the `@`.
        unique: EncodedText,
        /// The part after the `@`.
        domain: EncodedText,
    },
}

impl Default for News {
    fn default() -> Self {
        Self::Group(EncodedText::default())
    }
}

/// Returns whether `name` is the name of a newsgroup: letters, digits, `-`, `.`, `+` and `_`.
pub(super) fn is_group(name: &EncodedText) -> bool {
    let name = name.decoded();
    !name.is_empty() && name.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-.+_".contains(octet))
}

fn message_id(s: &mut PartReader<News>) -> Next {
    let Some(at) = s.rest.find('@') else { return Continue };
    let (unique, domain) = (EncodedText::piece(&s.rest[..at]), EncodedText::piece(&s.rest[at + 1..]));
    if unique.raw().is_empty() {
        return s.reject("3.6", "a message identifier has no part before its @");
    }
    if domain.raw().contains('@') {
        return s.reject("3.6", "a second @ in a message identifier: write it as %40, because it is reserved");
    }
    if !is_host(domain.raw()) {
        let why = format!("{:?} after the @ of a message identifier is not a full domain name", domain.raw());
        return s.reject("3.6", why);
    }
    s.part = News::Article { unique, domain };
    s.rest.clear();
    Done
}

fn all(s: &mut PartReader<News>) -> Next {
    if EncodedText::piece(&s.rest).decoded() != b"*" {
        return Continue;
    }
    s.part = News::AllGroups(s.take_rest());
    Done
}

fn newsgroup(s: &mut PartReader<News>) -> Next {
    let name = EncodedText::piece(&s.rest);
    if !is_group(&name) {
        let why = format!(
            "{:?} is not the name of a newsgroup, which consists of letters, digits, `-`, `.`, `+` and `_`",
            name.raw()
        );
        return s.reject("3.6", why);
    }
    s.part = News::Group(s.take_rest());
    Done
}

impl Part for News {
    fn fields(&self) -> Vec<Field> {
        let absent = |name| Field { name, value: Value::Absent };
        match self {
            Self::AllGroups(name) | Self::Group(name) => {
                vec![text("newsgroup-name", name), absent("unique"), absent("full_domain_name")]
            }
            Self::Article { unique, domain } => {
                vec![absent("newsgroup-name"), text("unique", unique), text("full_domain_name", domain)]
            }
        }
    }

    fn actions(&self) -> Vec<Action> {
        let read = match self {
            Self::AllGroups(_) => Action::Perform("list all newsgroups", Vec::new()),
            Self::Group(name) => Action::Perform("read the newsgroup", vec![name.decoded()]),
            Self::Article { unique, domain } => {
                let id = [&unique.decoded()[..], b"@", domain.raw().as_bytes()].concat();
                let breaks = first_of(&id, b"\r\n");
                Action::Perform("read the article", vec![id]).unless(breaks)
            }
        };
        vec![Action::Guess("which server to use: the URL has none"), read]
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllGroups(name) | Self::Group(name) => write!(f, "{name}"),
            Self::Article { unique, domain } => write!(f, "{unique}@{domain}"),
        }
    }
}
