//! The scheme nntp, §3.7: an article of a newsgroup by its number, on a server.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use super::action::Action;
use super::news::is_group;
use super::{EncodedText, Field, Form, HostPort, Part, PartReader, Scheme, host_fields, read_part, text};
use crate::step::{Next, Next::Continue, Next::Done, Program, texts};

const PORT: u16 = 119;

pub(super) const SCHEME: Scheme = Scheme {
    name: "nntp",
    section: "3.7",
    port: Some(PORT),
    read: |common, trace| read_part(STEPS, common, trace).map(Form::Nntp),
    steps: || texts(STEPS),
};

const STEPS: &Program<PartReader<Nntp>> = &[
    ("3.7 user", "reject a user or a password: the form has none", user),
    ("3.7 host", "two slashes and a host must follow; the default port is 119", host),
    ("3.7 newsgroup-name", "the part before the next slash is the name of a group", newsgroup),
    ("3.7 article-number", "the part after it is the article's number; reject a URL without one", article),
];

/// `//host:port/newsgroup-name/article-number` (§3.7).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Nntp {
    /// Host and port.
    pub at: HostPort,
    /// The group.
    pub group: EncodedText,
    /// The decimal digits of the article number.
    pub article: String,
}

fn user(s: &mut PartReader<Nntp>) -> Next {
    s.without_user("3.7")
}

fn host(s: &mut PartReader<Nntp>) -> Next {
    match s.connect("3.7", PORT) {
        Ok(at) => s.part.at = at,
        Err(done) => return done,
    }
    Continue
}

fn newsgroup(s: &mut PartReader<Nntp>) -> Next {
    let end = s.rest.find('/').unwrap_or(s.rest.len());
    let group = EncodedText::piece(&s.rest[..end]);
    if !is_group(&group) {
        let why = format!(
            "{:?} is not the name of a newsgroup, which consists of letters, digits, `-`, `.`, `+` and `_`",
            group.raw()
        );
        return s.reject("3.7", why);
    }
    s.rest.drain(..end);
    s.part.group = group;
    Continue
}

fn article(s: &mut PartReader<Nntp>) -> Next {
    let Some(number) = s.rest.strip_prefix('/').map(ToOwned::to_owned) else {
        return s.reject(
            "3.7",
            "no article number: the form requires it, although the grammar of section 5 makes it optional",
        );
    };
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        let why = format!("the article number {number:?} is not a decimal number");
        return s.reject("3.7", why);
    }
    s.rest.clear();
    s.part.article = number;
    Done
}

impl Part for Nntp {
    fn fields(&self) -> Vec<Field> {
        let mut fields = host_fields(&self.at);
        fields
            .extend([text("newsgroup-name", &self.group), text("article-number", &EncodedText::piece(&self.article))]);
        fields
    }

    fn actions(&self) -> Vec<Action> {
        vec![
            Action::connect(&self.at, PORT),
            Action::command("GROUP", &self.group.decoded()),
            Action::command("ARTICLE", self.article.as_bytes()),
        ]
    }
}

impl fmt::Display for Nntp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}/{}/{}", self.at, self.group, self.article)
    }
}
