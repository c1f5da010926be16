//! Characters that need questions of their own.

use std::sync::Arc;

use super::super::{Answer, Asker, Pair};
use super::frame::Frame;
use super::{PLACE, Template};
use crate::behaviour::{BEYOND, Component, ENTRIES, Escape, Literal, Percent, Table, encode, index};

/// Asks about brackets that are rejected alone in an authority again, as pairs.
pub(super) fn brackets_in_pairs(asker: &mut Asker<'_>, frame: &Frame<'_>, table: &mut Table) {
    let is_in_authority = matches!(frame.template.component, Component::User | Component::Password | Component::Host);
    let is_rejected = |bracket: &char| table.actions.literal[index(*bracket)] == Literal::Rejected;
    if !is_in_authority || !['[', ']'].iter().all(is_rejected) {
        return;
    }
    let texts = ["[]", "[::1]"].map(str::to_owned);
    let answers = frame.ask(asker, &texts);
    let is_kept =
        |(text, answer): (&String, &Answer)| answer.as_deref().and_then(|url| frame.middle(url)) == Some(text);
    if texts.iter().zip(&answers).any(is_kept) {
        for bracket in ['[', ']'] {
            table.actions_mut().literal[index(bracket)] = Literal::Kept;
        }
    }
}

/// Asks about a colon that is rejected in a query or fragment at the start of a reference again, after a slash: without one,
/// the text before it may be a scheme.
pub(super) fn colon_after_slash(asker: &mut Asker<'_>, template: &Template, table: &mut Table) {
    let is_at_start = matches!(template.component, Component::Query | Component::FragmentAlone);
    if !is_at_start || table.actions.literal[index(':')] != Literal::Rejected {
        return;
    }
    let reference = template.reference.replacen(&format!("x{PLACE}"), &format!("/x{PLACE}"), 1);
    let template = Template { component: template.component, base: template.base.clone(), reference };
    if let Some(literal) = in_name(asker, &template, ':') {
        table.actions_mut().literal[index(':')] = literal;
    }
}

/// Asks what happens to a colon in a first segment in which another character is percent-encoded.
pub(super) fn colon_anew(asker: &mut Asker<'_>, template: &Template, first: &mut Table) {
    let Some((trigger, mark)) = trigger(first) else { return };
    let after_another = Frame::of(asker, template).and_then(|frame| {
        let answer = frame.ask(asker, &[format!("{trigger}:")]).pop().flatten();
        frame.literal(':', &answer, &mark).filter(|literal| *literal != Literal::Rejected)
    });
    // Text before a colon may have to be the name of a scheme.
    let at_start = |asker: &mut Asker<'_>| {
        let reference = |text: &str| template.reference.replacen(&format!("_x{PLACE}"), text, 1);
        let mut is_written = |text: &str, written: &str| {
            asker.one(&template.base, &reference(text)).is_some_and(|url| url.contains(written))
        };
        let is_encoded = is_written(":xq", ":xqy") && is_written(&format!(":x{trigger}"), &format!("%3Ax{mark}y"));
        is_encoded.then_some(Literal::Encoded)
    };
    let Some(literal) = after_another.or_else(|| at_start(asker)) else { return };
    let others = first.anew.get_or_insert_with(|| first.actions.clone());
    Arc::make_mut(others).literal[index(':')] = literal;
    if *others == first.actions {
        first.anew = None;
    }
}

/// Returns a character that `table` encodes, and how it is written then.
pub(super) fn trigger(table: &Table) -> Option<(char, String)> {
    let entry = (0..ENTRIES).find(|&entry| table.actions.literal[entry] == Literal::Encoded)?;
    let trigger = if entry < 128 { char::from(entry as u8) } else { BEYOND[entry - 128] };
    let mut mark = String::new();
    encode(trigger, &mut mark);
    Some((trigger, mark))
}

/// Returns what happens to `c` in a segment that `template` does not begin with the name of a scheme.
pub(super) fn in_name(asker: &mut Asker<'_>, template: &Template, c: char) -> Option<Literal> {
    let frame = Frame::of(asker, template)?;
    let answer = frame.ask(asker, &[c.to_string()]).pop()?;
    frame.literal(c, &answer, "").filter(|literal| *literal != Literal::Rejected)
}

/// Asks what happens to the brackets of a userinfo before a host in brackets, if they are rejected before another one.
pub(super) fn brackets(asker: &mut Asker<'_>, template: &Template, table: &mut Table) {
    let is_rejected = ['[', ']'].iter().all(|c| table.actions.literal[index(*c)] == Literal::Rejected);
    if !is_rejected || !matches!(template.component, Component::User | Component::Password) {
        return;
    }
    let [base, reference] = [&template.base, &template.reference].map(|text| match text.contains(PLACE) {
        true => text.replace("@h", "@[::1]"),
        false => text.clone(),
    });
    let literal = Template { component: template.component, base, reference };
    for c in ['[', ']'] {
        if let Some(action) = in_name(asker, &literal, c) {
            table.actions_mut().literal[index(c)] = action;
        }
    }
}

/// Returns the table of a userinfo, query or fragment that is not part of the engine's results: the characters that it
/// rejects.
pub(super) fn hidden(asker: &mut Asker<'_>, template: &Template) -> Option<Table> {
    use Component::{AbsoluteFragment, AbsoluteQuery, Fragment, FragmentAlone, Password, Query, User};
    let may_be_hidden = matches!(
        template.component,
        AbsoluteFragment | AbsoluteQuery | Fragment | FragmentAlone | Password | Query | User
    );
    if !may_be_hidden {
        return None;
    }
    let (base, reference) = template.pair("q");
    let is_resolved = asker.one(&base, &reference)? != reference;
    let chars: Vec<char> = (0..128).map(char::from).chain(BEYOND).filter(|c| !template.ends_at(*c)).collect();
    let mut asked: Vec<String> = chars.iter().map(char::to_string).collect();
    asked.extend(["%zz", "%41", "%c3%a9"].map(str::to_owned));
    let pairs: Vec<Pair> = asked.iter().map(|text| template.pair(text)).collect();
    // An engine may return the reference instead if it or the base is not valid.
    let is_rejected = |(answer, pair): (Answer, &Pair)| answer.is_none_or(|url| is_resolved && url == pair.1);
    let rejected: Vec<bool> = asker.all(&pairs).into_iter().zip(&pairs).map(is_rejected).collect();
    let (of_chars, of_escapes) = rejected.split_at(chars.len());
    let mut table = Table::default();
    for (c, _) in chars.iter().zip(of_chars).filter(|(c, is_rejected)| **c != '%' && **is_rejected) {
        table.actions_mut().literal[index(*c)] = Literal::Rejected;
    }
    if of_escapes[0] {
        table.percent = Percent::Rejected;
    }
    if of_escapes[1] {
        table.actions_mut().escape[..128].fill(Escape::Rejected);
    }
    if of_escapes[2] {
        table.actions_mut().escape[128] = Escape::Rejected;
    }
    Some(table)
}

/// Returns what happens to a second `@`, which belongs to the host if the first one ends the userinfo.
pub(super) fn at_sign(asker: &mut Asker<'_>, template: &Template) -> Option<Literal> {
    if template.component != Component::Host {
        return None;
    }
    let with_user = |text: &str| text.replacen(&format!("//x{PLACE}"), &format!("//w@x{PLACE}"), 1);
    let (base, reference) = template.pair("@");
    let is_rejected = asker.one(&base, &reference).is_none();
    let (base, reference) = (with_user(&template.base), with_user(&template.reference));
    let template = Template { component: Component::Host, base, reference };
    let Some(frame) = Frame::of(asker, &template) else { return is_rejected.then_some(Literal::Rejected) };
    let answers = frame.ask(asker, &["@".to_owned()]);
    frame.literal('@', &answers[0], "")
}

/// Returns what happens to a colon in a host, if it is percent-encoded where text follows it that is not a port.
pub(super) fn colon_in_host(asker: &mut Asker<'_>, template: &Template) -> Option<Literal> {
    let is_host = template.component == Component::Host;
    let literal = is_host.then(|| in_name(asker, template, ':'))??;
    matches!(literal, Literal::Encoded | Literal::EncodedLower).then_some(literal)
}
