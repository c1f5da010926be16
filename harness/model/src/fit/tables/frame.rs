//! A component in which one text after another is asked about, and what the answers show.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{Answer, Asker, Pair};
use super::Template;
use super::special::trigger;
use crate::behaviour::{Actions, BEYOND, Bytes, Component, Escape, Literal, Percent, Table, encode, index};

/// The text around the place in the engine's answer.
pub(super) struct Frame<'a> {
    pub(super) template: &'a Template,
    before: String,
    after: String,
    /// Whether the engine's answer is not the reference.
    is_resolved: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn of(asker: &mut Asker<'_>, template: &'a Template) -> Option<Self> {
        let is_literal = template.component == Component::Literal;
        let (filler, needle) = if is_literal { ("3", "23:3") } else { ("q", "xqy") };
        let (base, reference) = template.pair(filler);
        let answer = asker.one(&base, &reference)?;
        let at = answer.find(needle)?;
        let is_resolved = answer != reference;
        Some(Self { template, before: answer[..=at].to_owned(), after: answer[at + 2..].to_owned(), is_resolved })
    }

    /// Returns the text between the parts of the frame. A host with a colon may be written in brackets.
    pub(super) fn middle<'b>(&self, answer: &'b str) -> Option<&'b str> {
        let between = |before: &str, after: &str| answer.strip_prefix(before)?.strip_suffix(after);
        let plain = between(&self.before, &self.after);
        if plain.is_some() || self.template.component != Component::Host {
            return plain;
        }
        let (before, last) = self.before.split_at(self.before.len() - 1);
        let (first, after) = self.after.split_at(1);
        between(&format!("{before}[{last}"), &format!("{first}]{after}")).filter(|text| text.contains(':'))
    }

    /// Returns the engine's answers with `texts` in the place. A reference that is returned instead of being resolved is a
    /// failure.
    pub(super) fn ask(&self, asker: &mut Asker<'_>, texts: &[String]) -> Vec<Answer> {
        let pairs: Vec<Pair> = texts.iter().map(|text| self.template.pair(text)).collect();
        let answers = asker.all(&pairs).into_iter().zip(&pairs);
        answers.map(|(answer, (_, reference))| answer.filter(|url| !self.is_resolved || url != reference)).collect()
    }

    pub(super) fn table(&mut self, asker: &mut Asker<'_>) -> Table {
        let mut table = Table::default();
        let chars: Vec<char> = (0..128).map(char::from).chain(BEYOND).collect();
        let is_asked = |c: &char| {
            *c != '%' && !self.template.ends_at(*c) && (!c.is_ascii_alphanumeric() || matches!(c, 'A' | 'Z' | 'a'))
        };
        let asked: Vec<char> = chars.into_iter().filter(is_asked).collect();
        let texts: Vec<String> = asked.iter().map(char::to_string).collect();
        for (c, answer) in asked.iter().zip(self.ask(asker, &texts)) {
            if let Some(literal) = self.literal(*c, &answer, "") {
                table.actions_mut().literal[index(*c)] = literal;
            }
        }
        spread_literals(table.actions_mut());
        self.escapes(asker, table.actions_mut(), "", "");
        table.bytes = self.bytes(asker, table.actions.escape[128]);
        table.percent = self.percent(asker);
        table.anew = self.anew(asker, &table).map(Arc::new);
        table
    }

    /// Asks about a question mark in a path, which may be one of its characters.
    pub(super) fn question_mark(&self, asker: &mut Asker<'_>, table: &mut Table) {
        let may_be_part = matches!(
            self.template.component,
            Component::Path
                | Component::FirstSegment
                | Component::RootlessPath
                | Component::AbsolutePath
                | Component::InheritedPath
                | Component::Opaque
        );
        if may_be_part
            && self.ask(asker, &["?".to_owned()])[0].as_deref().and_then(|url| self.middle(url)) == Some("%3F")
        {
            table.actions_mut().literal[index('?')] = Literal::Encoded;
            if let Some(anew) = &mut table.anew {
                Arc::make_mut(anew).literal[index('?')] = Literal::Encoded;
            }
        }
    }

    /// Returns what happened to `c`, which the engine wrote after `prefix`.
    pub(super) fn literal(&self, c: char, answer: &Answer, prefix: &str) -> Option<Literal> {
        let Some(answer) = answer else { return Some(Literal::Rejected) };
        if self.is_ended(answer, prefix) {
            return Some(Literal::Ends);
        }
        let text = self.middle(answer).and_then(|text| text.strip_prefix(prefix));
        let Some(text) = text.filter(|text| !(self.is_cut(answer) && text.len() > 1)) else {
            return self.is_cut(answer).then_some(Literal::Rejected);
        };
        let mut encoded = String::new();
        encode(c, &mut encoded);
        let mut only = text.chars();
        Some(match (only.next(), only.next()) {
            (Some(own), None) if own == c => Literal::Kept,
            (None, _) => Literal::Dropped,
            _ if text == encoded => Literal::Encoded,
            _ if text == encoded.to_ascii_lowercase() => Literal::EncodedLower,
            _ if text == c.to_lowercase().to_string() => Literal::Lowered,
            _ if text == encoded.replace('%', "%25") => Literal::EncodedTwice,
            _ if text == "%20" => Literal::EncodedSpace,
            _ if text == format!("{encoded}%EF%BF%BD") => Literal::EncodedAndReplaced,
            _ if text == format!("{encoded}%EF%BF%BD").replace('%', "%25") => Literal::EncodedAndReplacedTwice,
            (Some(other), None) => Literal::Written(other),
            _ => return None,
        })
    }

    /// Returns whether a host ends before the place.
    fn is_cut(&self, answer: &str) -> bool {
        self.template.component == Component::Host && answer.starts_with(&format!("{}/", self.before))
    }

    /// Returns whether a query or a fragment ends before the place, and its rest is dropped.
    fn is_ended(&self, answer: &str, prefix: &str) -> bool {
        use Component::{AbsoluteFragment, AbsoluteQuery, Fragment, FragmentAlone, OpaqueQuery, Query};
        let is_last = matches!(
            self.template.component,
            AbsoluteFragment | AbsoluteQuery | Fragment | FragmentAlone | OpaqueQuery | Query
        );
        is_last && !self.after.is_empty() && answer.strip_prefix(&*self.before) == Some(prefix)
    }

    /// Asks about percent-encoded bytes. `trigger` is written before each as `mark`.
    fn escapes(&self, asker: &mut Asker<'_>, actions: &mut Actions, trigger: &str, mark: &str) {
        let bytes = (0..128_u8).filter(|byte| !byte.is_ascii_alphanumeric() || b"AJaj5".contains(byte));
        let mut forms: Vec<(usize, String, String)> = Vec::new();
        for byte in bytes {
            let decoded = char::from(byte).to_string();
            let [lower, upper] = [format!("%{byte:02x}"), format!("%{byte:02X}")];
            if lower != upper {
                forms.push((usize::from(byte), upper, decoded.clone()));
            }
            forms.push((usize::from(byte), lower, decoded));
        }
        forms.extend(["%c3%a9", "%C3%A9"].map(|form| (128, form.to_owned(), "é".to_owned())));
        let texts: Vec<String> = forms.iter().map(|(_, form, _)| format!("{trigger}{form}")).collect();
        let mut seen: BTreeMap<usize, Vec<(String, String, Answer)>> = BTreeMap::new();
        for ((byte, form, decoded), answer) in forms.into_iter().zip(self.ask(asker, &texts)) {
            seen.entry(byte).or_default().push((form, decoded, answer));
        }
        for (byte, seen) in seen {
            if let Some(escape) = self.escape(&seen, mark) {
                actions.escape[byte] = escape;
            }
        }
        // Some engines read only escapes of decimal digits.
        let is_decimal = |byte: u8| byte & 15 < 10;
        for (letters, like, like_decimal) in
            [(b'A'..=b'Z', b'J', b'A'), (b'a'..=b'z', b'j', b'a'), (b'0'..=b'9', b'5', b'5')]
        {
            for byte in letters {
                let like = if is_decimal(byte) { like_decimal } else { like };
                actions.escape[usize::from(byte)] = actions.escape[usize::from(like)];
            }
        }
    }

    fn escape(&self, seen: &[(String, String, Answer)], mark: &str) -> Option<Escape> {
        let is_rejected = |answer: &Answer| {
            let Some(answer) = answer else { return true };
            self.is_cut(answer) && self.middle(answer).is_none_or(|text| text.len() > 1)
        };
        if seen.iter().all(|(_, _, answer)| is_rejected(answer)) {
            return Some(Escape::Rejected);
        }
        let mut texts = Vec::new();
        for (form, decoded, answer) in seen {
            let text = self.middle(answer.as_ref()?)?.strip_prefix(mark)?;
            texts.push((form, decoded, text));
        }
        let all = |written: &dyn Fn(&str, &str) -> String| {
            texts.iter().all(|(form, decoded, text)| **text == written(form, decoded))
        };
        Some(match () {
            () if all(&|form, _| form.to_owned()) => Escape::Kept,
            () if all(&|form, _| form.to_ascii_uppercase()) => Escape::Upper,
            () if all(&|form, _| form.to_ascii_lowercase()) => Escape::Lower,
            () if all(&|_, decoded| decoded.to_owned()) => Escape::Decoded,
            () if all(&|_, decoded| decoded.to_ascii_lowercase()) => Escape::DecodedLower,
            () if all(&|form, _| form.replace('%', "%25")) => Escape::Encoded,
            () if all(&|_, _| "+".to_owned()) => Escape::Plus,
            () => return None,
        })
    }

    /// Asks about a percent-encoded byte that is not UTF-8. `others` is what happens to bytes outside ASCII that are.
    fn bytes(&self, asker: &mut Asker<'_>, others: Escape) -> Bytes {
        let answer = self.ask(asker, &["%aa".to_owned()]).pop().flatten();
        let Some(answer) = answer else {
            return if others == Escape::Rejected { Bytes::LikeOthers } else { Bytes::Rejected };
        };
        let Some(text) = self.middle(&answer).filter(|_| !self.is_cut(&answer)) else { return Bytes::LikeOthers };
        match (text, others) {
            ("%aa", Escape::Kept) | ("%AA", Escape::Upper) | ("%aa", Escape::Lower) | ("%25aa", Escape::Encoded) => {
                Bytes::LikeOthers
            }
            ("%aa", _) => Bytes::Kept,
            ("%AA", _) => Bytes::Upper,
            ("%25aa" | "%25AA", _) => Bytes::Encoded,
            ("%EF%BF%BD", _) => Bytes::Replaced,
            ("\u{aa}", _) => Bytes::DecodedLatin1,
            _ => Bytes::LikeOthers,
        }
    }

    /// Asks about percent signs that two hexadecimal digits do not follow.
    fn percent(&self, asker: &mut Asker<'_>) -> Percent {
        let answers = self.ask(asker, &["%zz", "%5b%zz", "%5b"].map(str::to_owned));
        // The digits of an escape may be changed, too.
        let bracket = answers[2].as_ref().and_then(|answer| self.middle(answer));
        let text = answers[0].as_ref().map(|answer| self.middle(answer).filter(|_| !self.is_cut(answer)));
        match text {
            None => Percent::Rejected,
            Some(Some("%25zz")) => match answers[1].as_ref().and_then(|answer| self.middle(answer)) {
                Some("%255b%25zz") if bracket != Some("%255b") => Percent::AllEncoded,
                _ => Percent::Encoded,
            },
            Some(None) if answers[0].as_ref().is_some_and(|answer| self.is_cut(answer)) => Percent::Rejected,
            Some(_) => Percent::Kept,
        }
    }

    /// Asks whether one character that is percent-encoded changes what happens to the others.
    fn anew(&self, asker: &mut Asker<'_>, table: &Table) -> Option<Actions> {
        let (trigger, mark) = trigger(table)?;
        let mut actions = Actions::clone(&table.actions);
        let is_asked = |c: &char| !c.is_ascii_alphanumeric() && *c != '%' && !self.template.ends_at(*c);
        let asked: Vec<char> = (0..128).map(char::from).filter(is_asked).collect();
        let texts: Vec<String> = asked.iter().map(|c| format!("{trigger}{c}")).collect();
        for (c, answer) in asked.iter().zip(self.ask(asker, &texts)) {
            if let Some(literal) = self.literal(*c, &answer, &mark) {
                actions.literal[index(*c)] = literal;
            }
        }
        self.escapes(asker, &mut actions, &trigger.to_string(), &mark);
        (actions != *table.actions).then_some(actions)
    }
}

fn spread_literals(actions: &mut Actions) {
    for (letters, like) in [('A'..='Z', 'A'), ('a'..='z', 'a')] {
        for letter in letters {
            actions.literal[index(letter)] = actions.literal[index(like)];
        }
    }
}
