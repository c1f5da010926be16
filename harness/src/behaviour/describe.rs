//! Behaviours in words: rows by what differs from RFC 3986, and tables by the nearest set of characters that a
//! specification names.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::revision::rfc3986;

use super::table::{BEYOND, Bytes, Component, ENTRIES, Escape, Literal, Percent, Table, index};
use super::{Behaviour, Form, ROW, Row, SYNTAX, Syntax};

mod characters;

use characters::Characters;

/// A behaviour in words.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// What is removed first, and how schemes are split off, as far as that differs from RFC 3986.
    pub general: Vec<String>,
    /// The classes of schemes.
    pub classes: Vec<ClassDescription>,
}

/// A class of schemes in words.
#[derive(Clone, Debug, Serialize)]
pub struct ClassDescription {
    /// The schemes, or a description of the class in parentheses.
    pub schemes: Vec<String>,
    /// What differs from RFC 3986, whatever the form of the pair.
    pub settings: Vec<Differing>,
    /// What differs from RFC 3986 only for some forms of pairs.
    pub forms: Vec<(&'static str, Vec<Differing>)>,
    /// What happens to characters: the components and sentences. If there is a class in [`Self::characters_like`], what
    /// happens to the characters of references and bases otherwise than in that class.
    pub tables: Vec<(Vec<&'static str>, Vec<String>)>,
    /// What happens to characters of bases, if it is not the same as for references.
    pub base_tables: Vec<(Vec<&'static str>, Vec<String>)>,
    /// The schemes of an earlier class with similar tables, which are then not repeated.
    pub characters_like: Option<Vec<String>>,
}

/// A setting that differs from RFC 3986.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Differing {
    /// The name of the setting and of its value.
    pub name: String,
    /// The question.
    pub question: &'static str,
    /// The engine's answer: a sentence with its sources.
    pub sentence: &'static str,
    /// The smallest pair that shows it.
    pub decided_by: DecidedBy,
}

/// A pair that decides a setting: with RFC 3986's value of the setting, another result would be predicted.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct DecidedBy {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The URL that the engine returns; `None` for a failure.
    pub result: Option<String>,
    /// The URL that would be predicted with RFC 3986's value; `None` for a failure.
    pub otherwise: Option<String>,
}

/// The pair that decides each setting: by the class, the form, and the position of the setting in [`ROW`].
pub type Decided = BTreeMap<(usize, Form, usize), DecidedBy>;

impl DecidedBy {
    fn size(&self) -> usize {
        self.base.len() + self.reference.len()
    }
}

/// A set of characters with a name, and the characters in it. Characters outside ASCII are in the set if `beyond` is.
struct Named {
    name: &'static str,
    ascii: fn(u8) -> bool,
    beyond: bool,
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_pchar(byte: u8) -> bool {
    is_unreserved(byte) || b"!$&'()*+,;=:@/".contains(&byte)
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

/// Sets that specifications name: those of the URL Standard (§1.3), and what RFC 3986 does not allow (§3).
const SETS: &[Named] = &[
    Named { name: "control characters", ascii: is_control, beyond: false },
    Named { name: "characters outside ASCII", ascii: |_| false, beyond: true },
    Named { name: "the URL Standard's C0 control percent-encode set", ascii: is_control, beyond: true },
    Named {
        name: "the URL Standard's fragment percent-encode set",
        ascii: |byte| is_control(byte) || b" \"<>`".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the URL Standard's query percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the URL Standard's special-query percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>'".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the URL Standard's path percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the URL Standard's userinfo percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}/:;=@[\\]|".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the URL Standard's component percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}/:;=@[\\]|$&+,%".contains(&byte),
        beyond: true,
    },
    Named { name: "what RFC 3986 does not allow in a path", ascii: |byte| !is_pchar(byte), beyond: true },
    Named {
        name: "what RFC 3986 does not allow in a query or fragment",
        ascii: |byte| !is_pchar(byte) && byte != b'?',
        beyond: true,
    },
    Named { name: "what RFC 3987 does not allow in a path", ascii: |byte| !is_pchar(byte), beyond: false },
    Named { name: "all but the unreserved characters of RFC 3986", ascii: |byte| !is_unreserved(byte), beyond: true },
    Named { name: "the letters A to Z", ascii: |byte| byte.is_ascii_uppercase(), beyond: false },
    Named { name: "letters and digits", ascii: |byte| byte.is_ascii_alphanumeric(), beyond: false },
    Named { name: "the unreserved characters of RFC 3986", ascii: is_unreserved, beyond: false },
    Named { name: "all of ASCII", ascii: |_| true, beyond: false },
    Named { name: "all characters", ascii: |_| true, beyond: true },
];

/// Characters that end a component or begin an escape, so that a table does not show what happens to them.
fn is_hidden(component: Component, byte: u8) -> bool {
    let ends: &[u8] = match component {
        Component::Path | Component::RootlessPath | Component::AbsolutePath | Component::InheritedPath => b"/?#;%",
        Component::FirstSegment => b"/?#;:%",
        Component::Query | Component::AbsoluteQuery | Component::OpaqueQuery => b"#%",
        Component::Fragment | Component::AbsoluteFragment | Component::FragmentAlone => b"%",
        Component::User => b"/?#:%",
        Component::Password => b"/?#%",
        Component::Host => b"/?#:@[]%",
        Component::Literal => b"/?#@[]:.%",
        Component::Opaque => b"?#%",
    };
    ends.contains(&byte)
}

impl Behaviour {
    /// Describes the behaviour in words. A setting that differs from RFC 3986 is described if there is a pair in `decided`
    /// for the class, the form and the position of the setting in [`ROW`].
    pub fn description(&self, decided: &Decided) -> Description {
        let mut general = Vec::new();
        for (what, cleaning) in [("references", &self.reference), ("bases", &self.base)] {
            for (verb, place, characters) in [
                ("Removes", "everywhere in", &cleaning.everywhere),
                ("Removes", "at the start of", &cleaning.start),
                ("Removes", "at the end of", &cleaning.end),
                ("Rejects", "at the ends of", &cleaning.rejected),
            ] {
                if !characters.is_empty() {
                    let is_in = |entry: usize| entry < 128 && characters.contains(&char::from(entry as u8));
                    let beyond: Vec<char> = characters.iter().copied().filter(|c| !c.is_ascii()).collect();
                    let mut list = ranges((0..128).filter(|entry| is_in(*entry)));
                    list.extend(beyond.iter().map(|c| name(*c)));
                    general.push(format!("{verb} {} {place} {what}", list.join(", ")));
                }
            }
        }
        let from = Syntax::of(&rfc3986::RULES);
        let syntax = SYNTAX.iter().filter(|setting| setting.index(&self.syntax) != setting.index(&from));
        general.extend(syntax.map(|setting| {
            let sentence = setting.sentence(setting.index(&self.syntax));
            format!("{} {}", setting.question, sentence.trim_end_matches('.'))
        }));
        let mut classes: Vec<ClassDescription> = Vec::new();
        let mut described: Vec<(usize, Characters)> = Vec::new();
        for at in 0..self.classes.len() {
            let mut class = self.class_description(at, decided);
            let own = Characters::of(&self.classes[at]);
            match own.nearest(&described) {
                Some(like) => {
                    (class.tables, class.base_tables) = (own.except(&described[like].1), Vec::new());
                    class.characters_like = Some(classes[described[like].0].schemes.clone());
                }
                None => described.push((at, own)),
            }
            classes.push(class);
        }
        Description { general, classes }
    }

    fn class_description(&self, at: usize, decided: &Decided) -> ClassDescription {
        let class = &self.classes[at];
        let from = Row::of(&rfc3986::RULES);
        let mut settings = Vec::new();
        let mut forms: Vec<(&'static str, Vec<Differing>)> = Form::ALL.map(|form| (form.name(), Vec::new())).into();
        for (number, setting) in ROW.iter().enumerate() {
            let value = |form: Form| setting.index(&class.rows[form as usize]);
            let differs = |form: &Form| value(*form) != setting.index(&from);
            let shown = Form::ALL.into_iter().filter(differs);
            let shown: Vec<_> = shown.filter_map(|form| Some((form, decided.get(&(at, form, number))?))).collect();
            let Some(&(first, _)) = shown.first() else { continue };
            let differing = |form: Form, decided_by: &DecidedBy| Differing {
                name: format!("{}={}", setting.name, setting.values[value(form)].name),
                question: setting.question,
                sentence: setting.sentence(value(form)),
                decided_by: decided_by.clone(),
            };
            if Form::ALL.iter().all(|&form| value(form) == value(first)) {
                let smallest = shown.iter().min_by_key(|(_, decided_by)| decided_by.size());
                settings.extend(smallest.map(|(form, decided_by)| differing(*form, decided_by)));
            } else {
                shown.iter().for_each(|(form, decided_by)| forms[*form as usize].1.push(differing(*form, decided_by)));
            }
        }
        forms.retain(|(_, settings)| !settings.is_empty());
        let characters = Characters::of(class);
        ClassDescription {
            schemes: self.schemes_of(at),
            settings,
            forms,
            tables: characters.of_references(),
            base_tables: characters.of_bases(),
            characters_like: None,
        }
    }
}

impl Form {
    /// Returns the form as a noun phrase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute references",
            Self::Alone => "absolute references without a base",
            Self::Authority => "bases with an authority",
            Self::Rooted => "bases without an authority whose path begins with a slash",
            Self::Rootless => "bases whose path does not begin with a slash",
            Self::Empty => "bases without a path",
        }
    }
}

/// Describes a table: a sentence for each action.
fn sentences(component: Component, table: &Table) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut seen: Vec<Literal> = vec![Literal::Kept];
    for entry in 0..ENTRIES {
        let literal = table.actions.literal[entry];
        if seen.contains(&literal) {
            continue;
        }
        seen.push(literal);
        let has = |entry: usize| table.actions.literal[entry] == literal;
        let what = nearest(component, has);
        sentences.push(match literal {
            Literal::Kept => continue,
            Literal::Encoded => format!("percent-encodes {what}"),
            Literal::EncodedLower => format!("percent-encodes {what}, in lower case"),
            Literal::EncodedSurrogates => format!("percent-encodes the surrogates of {what}"),
            Literal::Dropped => format!("drops {what}"),
            Literal::Lowered => format!("writes {what} in lower case"),
            Literal::Rejected => format!("rejects {what}"),
            Literal::Ends => format!("drops {what}, and what follows"),
            Literal::Replaced => format!("writes U+FFFD for {what}"),
            Literal::LowBytes => format!("writes the low bytes of {what}"),
            Literal::EncodedTwice => format!("percent-encodes {what} twice"),
            Literal::EncodedAndReplaced => format!("percent-encodes {what}, and U+FFFD after it"),
            Literal::EncodedAndReplacedTwice => format!("percent-encodes {what}, and U+FFFD after it, twice"),
            Literal::Written(c) => format!("writes `{c}` for {what}"),
        });
    }
    let mut seen: Vec<Escape> = vec![Escape::Kept];
    for byte in 0..=128 {
        let escape = table.actions.escape[byte];
        if seen.contains(&escape) {
            continue;
        }
        seen.push(escape);
        let has = |entry: usize| table.actions.escape[entry.min(128)] == escape;
        let what = nearest_of(SETS, has, |_| false);
        sentences.push(match escape {
            Escape::Kept => continue,
            Escape::Upper => format!("writes percent-encoded {what} with upper-case digits"),
            Escape::Lower => format!("writes percent-encoded {what} with lower-case digits"),
            Escape::Decoded => format!("decodes {what}"),
            Escape::Plus => format!("writes a plus sign for percent-encoded {what}"),
            Escape::DecodedLower => format!("decodes {what}, in lower case"),
            Escape::Encoded => format!("encodes the percent sign of percent-encoded {what}"),
            Escape::Dropped => format!("drops percent-encoded {what}"),
            Escape::Rejected => format!("rejects percent-encoded {what}"),
        });
    }
    match table.percent {
        Percent::Kept => {}
        Percent::Encoded => sentences.push("percent-encodes a `%` that two digits do not follow".to_owned()),
        Percent::AllEncoded => {
            sentences.push("percent-encodes every `%` if two digits do not follow one of them".to_owned());
        }
        Percent::AllEncodedBeforeTwo => sentences.push(
            "percent-encodes every `%` if two letters or digits that are not hexadecimal follow one of them".to_owned(),
        ),
        Percent::Dropped => sentences.push("drops a `%` that two digits do not follow".to_owned()),
        Percent::Rejected => sentences.push("rejects a `%` that two digits do not follow".to_owned()),
        Percent::RejectedBeforeOther => sentences.push("rejects a `%` that no digit follows".to_owned()),
        Percent::RejectedBeforeTwoOthers => {
            sentences.push("rejects a `%` that two characters follow which are not digits".to_owned());
        }
    }
    let bytes = "percent-encoded bytes that are not UTF-8";
    match table.bytes {
        Bytes::LikeOthers => {}
        Bytes::Kept => sentences.push(format!("keeps {bytes}")),
        Bytes::Upper => sentences.push(format!("writes {bytes} with upper-case digits")),
        Bytes::Lower => sentences.push(format!("writes {bytes} with lower-case digits")),
        Bytes::Replaced => sentences.push(format!("percent-encodes U+FFFD for {bytes}")),
        Bytes::DecodedLatin1 => sentences.push("decodes percent-encoded bytes as ISO 8859-1".to_owned()),
        Bytes::Latin1 => sentences.push(format!("reads {bytes} as ISO 8859-1 and percent-encodes them in UTF-8")),
        Bytes::Encoded => sentences.push(format!("encodes the percent sign of {bytes}")),
        Bytes::NotText => sentences.push(format!("decodes {bytes}, so that the result is not text")),
        Bytes::Rejected => sentences.push(format!("rejects {bytes}")),
    }
    if table.anew.is_some() {
        sentences.push("decodes and encodes all of it if one character is percent-encoded".to_owned());
    }
    sentences
}

fn nearest(component: Component, has: impl Fn(usize) -> bool) -> String {
    nearest_of(SETS, has, |byte| is_hidden(component, byte))
}

/// Names the set of `sets` that differs least from the entries for which `has` returns `true`, and the difference.
/// Entries for which `hidden` returns `true` are not compared. Lists the characters if that is shorter.
fn nearest_of(sets: &[Named], has: impl Fn(usize) -> bool, hidden: impl Fn(u8) -> bool) -> String {
    let is_in = |set: &Named, entry: usize| if entry < 128 { (set.ascii)(entry as u8) } else { set.beyond };
    let is_compared = |entry: &usize| *entry >= 128 || !hidden(*entry as u8);
    let entries = || (0..ENTRIES).filter(is_compared);
    let own: Vec<usize> = entries().filter(|entry| has(*entry)).collect();
    let differing = |set: &Named| entries().filter(|&entry| is_in(set, entry) != has(entry)).count();
    let Some(set) = sets.iter().min_by_key(|set| differing(set)) else { return list(&own) };
    if own.len() <= differing(set) + 2 && own.len() < 8 {
        return list(&own);
    }
    let more: Vec<usize> = entries().filter(|&entry| has(entry) && !is_in(set, entry)).collect();
    let less: Vec<usize> = entries().filter(|&entry| !has(entry) && is_in(set, entry)).collect();
    match (more.is_empty(), less.is_empty()) {
        (true, true) => set.name.to_owned(),
        (false, true) => format!("{}, and also {}", set.name, list(&more)),
        (true, false) => format!("{}, except {}", set.name, list(&less)),
        (false, false) => format!("{}, and also {}, except {}", set.name, list(&more), list(&less)),
    }
}

fn list(entries: &[usize]) -> String {
    let mut names = ranges(entries.iter().copied().filter(|entry| *entry < 128));
    names.extend(entries.iter().filter(|entry| **entry >= 128).map(|entry| name(BEYOND[entry - 128])));
    names.join(", ")
}

/// Returns the ASCII characters `entries` as a list. Control characters are joined to ranges.
fn ranges(entries: impl Iterator<Item = usize>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    let flush = |run: &mut Option<(usize, usize)>, names: &mut Vec<String>| match run.take() {
        Some((from, to)) if to > from + 1 => names.push(format!("U+{from:04X} to U+{to:04X}")),
        Some((from, to)) => names.extend((from..=to).map(|entry| format!("U+{entry:04X}"))),
        None => {}
    };
    for entry in entries {
        if (entry as u8).is_ascii_graphic() {
            flush(&mut run, &mut names);
            names.push(name(char::from(entry as u8)));
            continue;
        }
        run = match run {
            Some((from, to)) if to + 1 == entry => Some((from, entry)),
            _ => {
                flush(&mut run, &mut names);
                Some((entry, entry))
            }
        };
    }
    flush(&mut run, &mut names);
    names
}

fn name(c: char) -> String {
    match c {
        '`' => "U+0060".to_owned(),
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c if index(c) < 128 => format!("U+{:04X}", u32::from(c)),
        c => format!("characters like U+{:04X}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use urlstrata::revision::{rfc3986, whatwg};

    use super::{DecidedBy, Description, ROW};
    use crate::behaviour::{Behaviour, Form};

    /// Describes every setting that differs from RFC 3986.
    fn described(behaviour: &Behaviour) -> Description {
        let rows = (0..behaviour.classes.len()).flat_map(|class| Form::ALL.map(|form| (class, form)));
        let settings = rows.flat_map(|(class, form)| (0..ROW.len()).map(move |number| (class, form, number)));
        behaviour.description(&settings.map(|setting| (setting, DecidedBy::default())).collect())
    }

    #[test]
    fn the_tables_of_the_url_standard_are_described_by_its_sets() {
        let landed = whatwg::changes_of(whatwg::NEWEST).expect("a state");
        let description = described(&Behaviour::url_standard(landed));
        let class = |scheme: &str| {
            let found = description.classes.iter().find(|class| class.schemes.contains(&scheme.to_owned()));
            found.expect("a class")
        };
        let (special, other) = (class("http"), class("(other)"));
        assert_eq!(special.characters_like.as_ref(), Some(&other.schemes));
        let of = |component: &str| {
            let mut lines = special.tables.iter().chain(&other.tables);
            lines.find(|(components, _)| components.contains(&component)).expect("a table").1.clone()
        };
        assert_eq!(of("query"), ["percent-encodes the URL Standard's special-query percent-encode set"]);
        assert_eq!(of("user name"), ["percent-encodes the URL Standard's userinfo percent-encode set"]);
        assert_eq!(of("opaque path"), ["percent-encodes the URL Standard's C0 control percent-encode set"]);
    }

    #[test]
    fn rfc_3986_does_not_differ_from_itself() {
        let description = described(&Behaviour::of_rules(&rfc3986::RULES));
        assert!(description.general.is_empty());
        let named = |class: &super::ClassDescription| class.schemes == ["(other)"];
        let class = description.classes.iter().find(|class| named(class)).expect("the class of all schemes");
        assert!(class.tables.is_empty() && class.settings.is_empty() && class.forms.is_empty(), "{class:?}");
    }
}
