//! Behaviours in words: rows by what differs from a specification, and tables by the nearest set of characters that a
//! specification names.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::rules::Rules;

use super::table::{BEYOND, Bytes, Component, ENTRIES, Escape, Literal, Percent, Table, class_name};
use super::{Behaviour, Form, FragmentCleaned, ROW, Row, SYNTAX, Syntax};

mod characters;
mod cleaning;

use characters::Characters;

/// A behaviour in words.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// What is removed first, and how schemes are split off, as far as that differs from a specification.
    pub general: Vec<String>,
    /// The classes of schemes.
    pub classes: Vec<ClassDescription>,
}

/// A class of schemes in words.
#[derive(Clone, Debug, Serialize)]
pub struct ClassDescription {
    /// The schemes, or the class in words.
    pub schemes: Vec<String>,
    /// What differs from RFC 3986, whatever the form of the pair.
    pub settings: Vec<Differing>,
    /// What differs from RFC 3986 only for some forms of pairs: the forms, and the settings.
    pub forms: Vec<(String, Vec<Differing>)>,
    /// What happens to characters: the components and sentences. If there is a class in [`Self::characters_like`], what
    /// happens to the characters of references, or of references and bases, otherwise than in that class.
    pub tables: Vec<(Vec<&'static str>, Vec<String>)>,
    /// What happens to characters of bases, if it is not the same as for references. If there is a class in
    /// [`Self::characters_like`], what happens to the characters of bases otherwise than in that class.
    pub base_tables: Vec<(Vec<&'static str>, Vec<String>)>,
    /// The schemes of an earlier class with similar tables, which are then not repeated.
    pub characters_like: Option<Vec<String>>,
}

/// A setting that differs from the specification.
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

/// A pair that decides a setting: with the specification's value of the setting, another result would be predicted.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct DecidedBy {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The URL that the engine returns; `None` for a failure.
    pub result: Option<String>,
    /// The URL that would be predicted with the specification's value; `None` for a failure.
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
    Named { name: "ASCII control characters", ascii: is_control, beyond: false },
    Named { name: "characters outside ASCII", ascii: |_| false, beyond: true },
    Named {
        name: "the characters of the URL Standard\'s C0 control percent-encode set",
        ascii: is_control,
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s fragment percent-encode set",
        ascii: |byte| is_control(byte) || b" \"<>`".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s query percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s special-query percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>'".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s path percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s userinfo percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}/:;=@[\\]|".contains(&byte),
        beyond: true,
    },
    Named {
        name: "the characters of the URL Standard\'s component percent-encode set",
        ascii: |byte| is_control(byte) || b" \"#<>?^`{}/:;=@[\\]|$&+,%".contains(&byte),
        beyond: true,
    },
    Named { name: "characters that RFC 3986 does not allow in a path", ascii: |byte| !is_pchar(byte), beyond: true },
    Named {
        name: "characters that RFC 3986 does not allow in a query or fragment",
        ascii: |byte| !is_pchar(byte) && byte != b'?',
        beyond: true,
    },
    Named { name: "characters that RFC 3987 does not allow in a path", ascii: |byte| !is_pchar(byte), beyond: false },
    Named { name: "characters that are not unreserved in RFC 3986", ascii: |byte| !is_unreserved(byte), beyond: true },
    Named { name: "the letters `A` to `Z`", ascii: |byte| byte.is_ascii_uppercase(), beyond: false },
    Named { name: "ASCII letters and digits", ascii: |byte| byte.is_ascii_alphanumeric(), beyond: false },
    Named { name: "the unreserved characters of RFC 3986", ascii: is_unreserved, beyond: false },
    Named { name: "all ASCII characters", ascii: |_| true, beyond: false },
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
    /// Describes the behaviour in words. A setting that differs from the specification with the rules `from` is described if there is a pair
    /// in `decided` for the class, the form and the position of the setting in [`ROW`].
    pub fn description(&self, decided: &Decided, from: &Rules) -> Description {
        let mut general = cleaning::sentences(&self.reference, &self.base);
        let plain = Syntax::of(from);
        let syntax = SYNTAX.iter().filter(|setting| setting.index(&self.syntax) != setting.index(&plain));
        general.extend(syntax.map(|setting| {
            let sentence = setting.sentence(setting.index(&self.syntax));
            format!("{} {sentence}", setting.question)
        }));
        let mut classes: Vec<ClassDescription> = Vec::new();
        let mut described: Vec<(usize, Characters)> = Vec::new();
        for at in 0..self.classes.len() {
            let mut class = self.class_description(at, decided, from);
            let own = self.characters(at);
            match own.nearest(&described) {
                Some(like) => {
                    [class.tables, class.base_tables] = own.except(&described[like].1);
                    class.characters_like = Some(classes[described[like].0].schemes.clone());
                }
                None => described.push((at, own)),
            }
            classes.push(class);
        }
        Description { general, classes }
    }

    fn class_description(&self, at: usize, decided: &Decided, from: &Rules) -> ClassDescription {
        let class = &self.classes[at];
        let from = Row::of(from);
        let mut settings = Vec::new();
        let mut forms: BTreeMap<Vec<Form>, Vec<Differing>> = BTreeMap::new();
        for (number, setting) in ROW.iter().enumerate() {
            let value = |form: Form| setting.index(&class.rows[form as usize]);
            // The forms that show a value, by value.
            let mut shown: Vec<(usize, Vec<(Form, &DecidedBy)>)> = Vec::new();
            for form in Form::ALL.into_iter().filter(|form| value(*form) != setting.index(&from)) {
                let Some(decided_by) = decided.get(&(at, form, number)) else { continue };
                match shown.iter_mut().find(|(own, _)| *own == value(form)) {
                    Some((_, forms)) => forms.push((form, decided_by)),
                    None => shown.push((value(form), vec![(form, decided_by)])),
                }
            }
            for (own, shown) in shown {
                let Some((_, smallest)) = shown.iter().min_by_key(|(_, decided_by)| decided_by.size()) else {
                    continue;
                };
                let is_everywhere = Form::ALL.iter().all(|&form| value(form) == own);
                let differing = Differing {
                    name: format!("{}={}", setting.name, setting.values[own].name),
                    question: setting.question,
                    sentence: setting.sentence(own),
                    decided_by: (*smallest).clone(),
                };
                match is_everywhere {
                    true => settings.push(differing),
                    false => forms.entry(shown.iter().map(|(form, _)| *form).collect()).or_default().push(differing),
                }
            }
        }
        let characters = self.characters(at);
        ClassDescription {
            schemes: self.class_in_words(at),
            settings,
            forms: forms.into_iter().map(|(forms, settings)| (Form::names(&forms), settings)).collect(),
            tables: characters.of_references(),
            base_tables: characters.of_bases(),
            characters_like: None,
        }
    }

    /// Returns the schemes of the class at `index`, or the class in words.
    fn class_in_words(&self, index: usize) -> Vec<String> {
        let words = match index {
            _ if index == self.other && self.schemes.is_empty() => "any scheme",
            _ if index == self.other => "any other scheme",
            _ if index == self.relative => "no scheme",
            _ if index == self.unknown => "no base",
            _ => return self.schemes_of(index),
        };
        vec![words.to_owned()]
    }

    fn characters(&self, at: usize) -> Characters {
        // What a table does with a character that has been removed from the whole text before is not visible.
        let is_removed = self.syntax.fragment_cleaned() == FragmentCleaned::Yes;
        let removed = [&self.reference, &self.base].map(|it| if is_removed { &it.everywhere[..] } else { &[] });
        Characters::of(&self.classes[at], removed)
    }
}

impl Form {
    /// Returns several forms as noun phrases. The two forms of absolute references have one phrase.
    fn names(forms: &[Self]) -> String {
        match forms {
            [Self::Absolute, Self::Alone] => "absolute references".to_owned(),
            [Self::Absolute, Self::Alone, others @ ..] => format!("absolute references; for {}", Self::names(others)),
            forms => forms.iter().map(|form| form.name()).collect::<Vec<_>>().join("; for "),
        }
    }

    /// Returns the form as a noun phrase.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute references with a base",
            Self::Alone => "absolute references without a base",
            Self::Authority => "bases with an authority",
            Self::Rooted => "bases without an authority whose path begins with a slash",
            Self::Rootless => "bases whose path does not begin with a slash",
            Self::Empty => "bases without a path",
        }
    }
}

/// Describes a table: a sentence for each action. What happens to the characters `removed` is left out.
fn sentences(component: Component, table: &Table, removed: &[char]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut seen: Vec<Literal> = vec![Literal::Kept];
    for entry in 0..ENTRIES {
        let literal = table.actions.literal[entry];
        if seen.contains(&literal) {
            continue;
        }
        seen.push(literal);
        let has = |entry: usize| table.actions.literal[entry] == literal;
        let hidden = |byte: u8| is_hidden(component, byte) || removed.contains(&char::from(byte));
        let Some(what) = nearest_of(SETS, has, hidden) else { continue };
        sentences.push(match literal {
            Literal::Kept => continue,
            Literal::Encoded => format!("percent-encodes {what}"),
            Literal::EncodedLower => format!("percent-encodes {what}, in lower case"),
            Literal::Dropped => format!("drops {what}"),
            Literal::Lowered => format!("writes {what} in lower case"),
            Literal::Rejected => format!("rejects {what}"),
            Literal::Ends => format!("drops {what}, and what follows"),
            Literal::EncodedTwice => format!("percent-encodes {what} twice"),
            Literal::EncodedSpace => format!("writes `%20` for {what}"),
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
        // The case of digits is visible only if one of them is a letter.
        let is_cased = matches!(escape, Escape::Upper | Escape::Lower);
        let hidden = |byte: u8| is_cased && byte >> 4 < 10 && byte & 0xf < 10;
        let Some(what) = nearest_of(SETS, has, hidden) else { continue };
        let form = format!("the percent-encoded form of {what}");
        sentences.push(match escape {
            Escape::Kept => continue,
            Escape::Upper => format!("writes {form} with upper-case digits"),
            Escape::Lower => format!("writes {form} with lower-case digits"),
            Escape::Decoded => format!("decodes {form}"),
            Escape::Plus => format!("writes a plus sign for {form}"),
            Escape::DecodedLower => format!("decodes {form}, and writes it in lower case"),
            Escape::Encoded => format!("percent-encodes the percent sign of {form}"),
            Escape::Rejected => format!("rejects {form}"),
        });
    }
    match table.percent {
        Percent::Kept => {}
        Percent::Encoded => {
            sentences.push("percent-encodes a `%` that two hexadecimal digits do not follow".to_owned())
        }
        Percent::AllEncoded => {
            sentences.push("percent-encodes every `%` if two hexadecimal digits do not follow one of them".to_owned());
        }
        Percent::Rejected => sentences.push("rejects a `%` that two hexadecimal digits do not follow".to_owned()),
    }
    let bytes = "percent-encoded bytes that are not UTF-8";
    match table.bytes {
        Bytes::LikeOthers => {}
        Bytes::Kept => sentences.push(format!("keeps {bytes}")),
        Bytes::Upper => sentences.push(format!("writes {bytes} with upper-case digits")),
        Bytes::Replaced => sentences.push(format!("percent-encodes U+FFFD for {bytes}")),
        Bytes::DecodedLatin1 => sentences.push("decodes percent-encoded bytes as ISO 8859-1".to_owned()),
        Bytes::Encoded => sentences.push(format!("percent-encodes the percent sign of {bytes}")),
        Bytes::Rejected => sentences.push(format!("rejects {bytes}")),
    }
    if table.anew.is_some() {
        sentences.push(
            "decodes the whole component and percent-encodes it again if one of its characters is percent-encoded"
                .to_owned(),
        );
    }
    sentences
}

/// Names the set of `sets` that differs least from the entries for which `has` returns `true`, and the difference.
/// Entries for which `hidden` returns `true` are not compared. Lists the characters if that is shorter. Returns `None` if `has`
/// returns `true` only for hidden entries.
fn nearest_of(sets: &[Named], has: impl Fn(usize) -> bool, hidden: impl Fn(u8) -> bool) -> Option<String> {
    let is_in = |set: &Named, entry: usize| if entry < 128 { (set.ascii)(entry as u8) } else { set.beyond };
    let is_compared = |entry: &usize| *entry >= 128 || !hidden(*entry as u8);
    let entries = || (0..ENTRIES).filter(is_compared);
    let own: Vec<usize> = entries().filter(|entry| has(*entry)).collect();
    if own.is_empty() {
        return None;
    }
    let own = names(&own);
    let differing = |set: &Named| entries().filter(|&entry| is_in(set, entry) != has(entry)).count();
    let Some(set) = sets.iter().min_by_key(|set| differing(set)) else { return Some(own.join(", ")) };
    let more = names(&entries().filter(|&entry| has(entry) && !is_in(set, entry)).collect::<Vec<_>>());
    let less = names(&entries().filter(|&entry| !has(entry) && is_in(set, entry)).collect::<Vec<_>>());
    if own.len() <= more.len() + less.len() + 2 && own.len() < 8 {
        return Some(own.join(", "));
    }
    Some(match (more.is_empty(), less.is_empty()) {
        (true, true) => set.name.to_owned(),
        (false, true) => format!("{}, and also {}", set.name, more.join(", ")),
        (true, false) => format!("{}, except {}", set.name, less.join(", ")),
        (false, false) => format!("{}, and also {}, except {}", set.name, more.join(", "), less.join(", ")),
    })
}

/// Returns the names of entries. All classes of characters outside ASCII have one name.
fn names(entries: &[usize]) -> Vec<String> {
    let (ascii, beyond): (Vec<usize>, Vec<usize>) = entries.iter().partition(|entry| **entry < 128);
    let mut names = ranges(ascii.into_iter().map(|entry| entry as u8));
    match beyond.len() == BEYOND.len() {
        true => names.push("characters outside ASCII".to_owned()),
        false => names.extend(beyond.into_iter().map(|entry| class_name(BEYOND[entry - 128]))),
    }
    names
}

/// Returns ASCII characters as a list. Three or more successive control characters, digits or letters are joined to a range.
fn ranges(bytes: impl Iterator<Item = u8>) -> Vec<String> {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'a'..=b'z' => Some(2),
        byte if !byte.is_ascii_graphic() => Some(3),
        _ => None,
    };
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match runs.last_mut() {
            Some((_, to)) if *to + 1 == byte && kind(byte).is_some() && kind(*to) == kind(byte) => *to = byte,
            _ => runs.push((byte, byte)),
        }
    }
    let names = |(from, to): (u8, u8)| match to - from {
        0 | 1 => (from..=to).map(name).collect(),
        _ => vec![format!("{} to {}", name(from), name(to))],
    };
    runs.into_iter().flat_map(names).collect()
}

fn name(byte: u8) -> String {
    match byte {
        // A backtick would end the code.
        b'`' => "U+0060".to_owned(),
        byte if byte.is_ascii_graphic() => format!("`{}`", char::from(byte)),
        byte => format!("U+{byte:04X}"),
    }
}
