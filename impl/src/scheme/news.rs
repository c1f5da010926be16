//! news, §3.6: a newsgroup, all of them, or an article, on no host in particular.

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
        // A news URL has no host, whatever it begins with.
        common.host = None;
        read_part(STEPS, common, trace).map(Form::News)
    },
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<News>> = &[
    ("3.6 message-id", "with an @ it is the identifier of an article: something unique, and a domain name", message_id),
    ("3.6 *", "an asterisk stands for every group", all),
    (
        "3.6 newsgroup-name",
        "anything else is the name of a group: letters, digits and what may stand between",
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
    /// `unique@full_domain_name`, without the brackets that a message has around it.
    Article {
        /// What stands before the `@`.
        unique: EncodedText,
        /// What stands behind it.
        domain: EncodedText,
    },
}

impl Default for News {
    fn default() -> Self {
        Self::Group(EncodedText::default())
    }
}

/// Whether `name` is that of a newsgroup: letters, digits, `-`, `.`, `+` and `_`.
pub(super) fn is_group(name: &EncodedText) -> bool {
    let name = name.decoded();
    !name.is_empty() && name.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-.+_".contains(octet))
}

fn message_id(s: &mut PartReader<News>) -> Next {
    let Some(at) = s.rest.find('@') else { return Continue };
    let (unique, domain) = (EncodedText::piece(&s.rest[..at]), EncodedText::piece(&s.rest[at + 1..]));
    if unique.raw().is_empty() {
        return s.reject("3.6", "a message identifier with nothing before its @");
    }
    if domain.raw().contains('@') {
        return s.reject("3.6", "a second @ in a message identifier: it is reserved, write %40 for the character");
    }
    if !is_host(domain.raw()) {
        let why = format!("{:?} behind the @ of a message identifier is no full domain name", domain.raw());
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
        let why = format!("{:?} is no name of a newsgroup: letters, digits, `-`, `.`, `+` and `_`", name.raw());
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
        vec![Action::Guess("which server to ask: the URL names none"), read]
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
