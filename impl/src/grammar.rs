//! The grammars of the documents as data, and who derives what.
//!
//! A grammar is a list of productions under the document's own names. None of them refers to itself, so each is a
//! regular language: a [`Recognizer`] reads a text once, says whether a production derives it and how, or where
//! the text stops being what it could have been. What the productions admit is one question and what a document's
//! algorithm takes is another: the algorithms of `revision` check nothing.
//!
//! ```
//! use urlstrata::grammar;
//!
//! let rfc1738 = grammar::by_revision("rfc1738").expect("it has a grammar");
//! let Some(mut host) = rfc1738.recognizer("host") else { panic!("it has hosts") };
//! assert!(host.is_match("ds.internic.net"));
//! let Err(stop) = host.match_parts("a_b") else { panic!("no underscore in a host") };
//! assert_eq!(stop.at, 1);
//! ```

mod automaton;
mod draft_1996;
mod expression;
mod generate;
mod recognizer;
mod rfc1738;
mod rfc1808;
mod rfc2396;
mod rfc3986;
mod valid;

pub use expression::{Expression, Repetitions};
pub use generate::Edit;
pub use recognizer::{Expected, MatchedPart, Mismatch, Recognizer, Terminal};

/// A document's grammar.
#[derive(Debug)]
pub struct Grammar {
    /// The name of it, that of the first revision it belongs to.
    pub id: &'static str,
    /// How sources name the document.
    pub cite: &'static str,
    /// The ids of the revisions whose document has it.
    pub revisions: &'static [&'static str],
    /// Every production, in the document's order. `schemepart` of RFC 1738 and of the draft tries its narrower form first.
    pub productions: &'static [Production],
    top: fn(&str) -> &'static str,
    /// Whether a text is a member of its top production, by code that does not look at the productions.
    valid: fn(&[u8]) -> bool,
    /// The production of a base: a URL with a scheme and without a fragment. `None` is the top one.
    pub base: Option<&'static str>,
    /// As `valid`, for a base.
    valid_base: fn(&[u8]) -> bool,
    /// Every production that [`Grammar::top`] may name.
    pub tops: &'static [&'static str],
    /// Whether a letter in quotes stands for both cases.
    pub case: Case,
}

/// A production: its name, and what it derives.
#[derive(Debug)]
pub struct Production {
    /// The document's own name.
    pub name: &'static str,
    /// The section it stands in.
    pub section: &'static str,
    /// What it derives.
    pub rule: Expression,
    /// Whether it tells the structure of a URL or the characters it is made of.
    pub kind: ProductionKind,
}

/// What a production is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProductionKind {
    /// A part of a URL: a derivation names it.
    Structure,
    /// One character, or one that is encoded.
    Characters,
}

/// What a letter in quotes stands for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Case {
    /// Itself: RFC 1738 to RFC 2396 list capitals and small letters apart wherever both may stand.
    AsWritten,
    /// Both cases (RFC 2234 §2.3, for RFC 3986).
    Folded,
}

/// Every grammar, oldest first.
pub static ALL: &[&Grammar] =
    &[&rfc1738::GRAMMAR, &rfc1808::GRAMMAR, &draft_1996::GRAMMAR, &rfc2396::GRAMMAR, &rfc3986::GRAMMAR];

/// The grammar of the revision of that id: `None` where its document has none of its own.
#[must_use]
pub fn by_revision(revision: &str) -> Option<&'static Grammar> {
    ALL.iter().copied().find(|grammar| grammar.revisions.contains(&revision))
}

impl Grammar {
    /// The production of that name.
    #[must_use]
    pub fn production(&self, name: &str) -> Option<&'static Production> {
        self.productions.iter().find(|production| production.name == name)
    }

    /// The production that the document holds `text` to when it is given as a whole: `"URL"` in RFC 1808. In RFC
    /// 1738 it is that of the scheme, `"ftpurl"`; `otherurl` would admit whatever the ten forms exclude
    /// (`r1738-otherurl`).
    #[must_use]
    pub fn top(&self, text: &str) -> &'static str {
        (self.top)(text)
    }

    /// Whether the document's grammar derives `reference` as a whole, from [`Grammar::top`].
    ///
    /// ```
    /// let rfc2396 = urlstrata::grammar::by_revision("rfc2396").expect("it has a grammar");
    /// assert!(rfc2396.is_valid("g?y"));
    /// assert!(!rfc2396.is_valid("g h"));
    /// ```
    ///
    /// Written by hand for each document, reads every byte about once, and allocates nothing. Agrees with the
    /// [`Recognizer`] of that production, by `tests/grammar.rs`.
    #[must_use]
    pub fn is_valid(&self, reference: &str) -> bool {
        (self.valid)(reference.as_bytes())
    }

    /// As [`Grammar::is_valid`], for what may be a base: the document's `absoluteURL`, `absoluteURI` or `absolute-URI`.
    #[must_use]
    pub fn is_valid_base(&self, base: &str) -> bool {
        (self.valid_base)(base.as_bytes())
    }

    /// What tells members of the production `name` from other texts: `None` if there is no such production. To make
    /// one takes as long as to read some thousand characters, so keep it.
    #[must_use]
    pub fn recognizer(&'static self, name: &str) -> Option<Recognizer> {
        self.production(name).map(|production| Recognizer::new(self, production))
    }
}

const fn production(name: &'static str, section: &'static str, rule: Expression) -> Production {
    Production { name, section, rule, kind: ProductionKind::Structure }
}

const fn class(name: &'static str, section: &'static str, rule: Expression) -> Production {
    Production { name, section, rule, kind: ProductionKind::Characters }
}

const LOWALPHA: &str = "abcdefghijklmnopqrstuvwxyz";
const HIALPHA: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALPHA: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGIT: &str = "0123456789";

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::Expression::{Alt, Name, Seq, Text};
    use super::{ALL, Case, Expression, Grammar, by_revision, class, production};

    /// The names in a rule.
    fn names(rule: &Expression, found: &mut Vec<&'static str>) {
        match rule {
            Expression::Name(name) => found.push(name),
            Expression::Seq(rules)
            | Expression::Alt(rules)
            | Expression::Opt(rules)
            | Expression::Repeat { body: rules, .. } => {
                rules.iter().for_each(|rule| names(rule, found));
            }
            Expression::OneOf(_) | Expression::Text(_) => {}
        }
    }

    fn reach(grammar: &Grammar, name: &'static str, above: &mut Vec<&'static str>) {
        assert!(!above.contains(&name), "{}: {name} refers to itself by {above:?}", grammar.id);
        let production = grammar.production(name).unwrap_or_else(|| panic!("{}: no {name} for {above:?}", grammar.id));
        above.push(name);
        let mut used = Vec::new();
        names(&production.rule, &mut used);
        used.into_iter().for_each(|name| reach(grammar, name, above));
        above.pop();
    }

    #[test]
    fn every_name_is_defined_once_and_none_refers_to_itself() {
        for &grammar in ALL {
            let mut names = BTreeSet::new();
            for production in grammar.productions {
                assert!(names.insert(production.name), "{}: {} stands twice", grammar.id, production.name);
                reach(grammar, production.name, &mut Vec::new());
            }
            assert!(grammar.tops.iter().all(|top| names.contains(top)), "{}", grammar.id);
            assert!(grammar.revisions.iter().all(|id| by_revision(id).is_some_and(|it| it.id == grammar.id)));
        }
    }

    #[track_caller]
    fn derives(id: &str, production: &str, text: &str) -> Vec<(&'static str, alloc::string::String)> {
        let mut recognizer = by_revision(id).and_then(|grammar| grammar.recognizer(production)).expect("a production");
        match recognizer.match_parts(text) {
            Ok(derived) => derived.iter().map(|it| (it.production, text[it.start..it.end].to_string())).collect(),
            Err(stop) => panic!("{text} is no {production} of {id}: {stop:?}"),
        }
    }

    #[track_caller]
    fn stops(id: &str, production: &str, text: &str) -> alloc::string::String {
        let mut recognizer = by_revision(id).and_then(|grammar| grammar.recognizer(production)).expect("a production");
        match recognizer.match_parts(text) {
            Ok(_) => panic!("{text} is a {production} of {id}"),
            Err(stop) => {
                let expected: Vec<_> =
                    stop.expected.iter().map(|it| alloc::format!("{}: {}", it.production, it.terminal)).collect();
                alloc::format!(
                    "{}{} {}",
                    stop.at,
                    if stop.prefix_is_valid { " complete" } else { "" },
                    expected.join(", ")
                )
            }
        }
    }

    #[test]
    fn a_derivation_names_the_parts() {
        let parts = derives("rfc1738", "ftpurl", "ftp://u:@h.d:21/a//b;type=i");
        let of = |name| parts.iter().filter(|part| part.0 == name).map(|part| part.1.as_str()).collect::<Vec<_>>();
        assert_eq!(of("user"), ["u"]);
        assert_eq!(of("password"), [""]);
        assert_eq!(of("hostname"), ["h.d"]);
        assert_eq!(of("domainlabel"), ["h"]);
        assert_eq!(of("toplabel"), ["d"]);
        assert_eq!(of("port"), ["21"]);
        assert_eq!(of("fsegment"), ["a", "", "b"]);
        assert_eq!(of("ftptype"), ["i"]);
    }

    #[test]
    fn of_several_derivations_the_first_alternative_is_taken() {
        let parts = derives("rfc3986", "host", "1.2.3.4");
        assert_eq!(parts[1].0, "IPv4address");
        assert_eq!(derives("rfc3986", "host", "1.2.3.400")[1].0, "reg-name");
        let parts = derives("rfc1738", "gopherurl", "gopher://h/7a%09b%09c");
        let of = |name| parts.iter().find(|part| part.0 == name).map(|part| part.1.as_str());
        assert_eq!((of("selector"), of("search"), of("gopher+_string")), (Some("a"), Some("b"), Some("c")));
    }

    #[test]
    fn a_text_stops_where_no_member_goes_on() {
        assert_eq!(
            stops("rfc1738", "host", "a_b"),
            "1 complete hostname: \".\", domainlabel: alphadigit, \
                    domainlabel: \"-\", toplabel: alphadigit, toplabel: \"-\""
        );
        assert_eq!(stops("rfc1738", "nntpurl", "nntp://h/g/x"), "11 digits: digit");
        assert_eq!(stops("rfc1738", "nntpurl", "nntX"), "3 nntpurl: \"p://\"");
        assert_eq!(stops("rfc1808", "URL", "a%4"), "3 fsegment: hex");
        assert_eq!(stops("rfc1738", "ppath", "a "), "1 complete ppath: \"/\", psegment: one of &:=?@, psegment: uchar");
    }

    /// No document has such productions.
    static ENDLESS: Grammar = Grammar {
        id: "endless",
        cite: "",
        revisions: &[],
        productions: &[
            production("tower", "", Alt(&[Seq(&[Text("a"), Name("tower")]), Text("a")])),
            class("itself", "", Name("itself")),
        ],
        top: |_| "tower",
        valid: |_| false,
        base: None,
        valid_base: |_| false,
        tops: &["tower"],
        case: Case::AsWritten,
    };

    #[test]
    fn what_refers_to_itself_ends() {
        let mut tower = ENDLESS.recognizer("tower").expect("a production");
        assert!(tower.is_match(&"a".repeat(200)) && !tower.is_match(&"a".repeat(201)));
        assert!(!ENDLESS.recognizer("itself").expect("a production").is_match("a"));
        assert_eq!(ENDLESS.generate("tower", &mut |_| 0), Some("a".repeat(67)));
        assert_eq!(ENDLESS.generate("itself", &mut |_| 0).as_deref(), Some(""));
    }
}
