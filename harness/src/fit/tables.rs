//! The tables of an engine, found by asking about one character at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Answer, Asker, Pair, Tables};
use crate::behaviour::{
    Actions, BEYOND, Bytes, Class, Cleaning, Component, ENTRIES, Escape, Literal, Percent, SPACES, Table, encode,
    encode_surrogates, index, low_bytes,
};

/// The place of the character in a template.
const PLACE: char = '\u{1}';

/// A base and a reference with a place for the text that is asked about.
struct Template {
    component: Component,
    base: String,
    reference: String,
}

impl Template {
    fn pair(&self, text: &str) -> Pair {
        (self.base.replace(PLACE, text), self.reference.replace(PLACE, text))
    }

    /// Returns whether `c` ends the component.
    fn ends_at(&self, c: char) -> bool {
        match self.component {
            Component::Path | Component::RootlessPath | Component::AbsolutePath | Component::InheritedPath => {
                "/?#;".contains(c)
            }
            Component::FirstSegment => "/?#;:".contains(c),
            Component::Query | Component::AbsoluteQuery | Component::OpaqueQuery => c == '#',
            Component::Fragment | Component::AbsoluteFragment | Component::FragmentAlone => false,
            Component::User => "/?#:".contains(c),
            Component::Password => "/?#".contains(c),
            Component::Host => "/?#:@".contains(c),
            Component::Literal => "/?#@[]:.".contains(c),
            Component::Opaque => "?#".contains(c),
        }
    }
}

/// Returns the templates of references. `prefix` is that of `base`, and `far` is a base with another scheme. `authority` is
/// the base of references with an authority, and the prefix of these.
fn of_references(prefix: &str, base: &str, far: &str, host: &str, authority: [&str; 2]) -> Vec<Template> {
    let template = |component, base: &str, reference: &str| Template {
        component,
        base: base.to_owned(),
        reference: reference.replace('*', "\u{1}"),
    };
    let with_authority =
        |component, reference: &str| template(component, authority[0], &format!("{}{reference}", authority[1]));
    vec![
        template(Component::Path, base, "/w/x*y/z"),
        template(Component::FirstSegment, base, "x*y/z"),
        template(Component::RootlessPath, base, "w/x*y/z"),
        template(Component::AbsolutePath, far, &format!("{prefix}//{host}/x*y/z")),
        template(Component::Query, base, "?x*y"),
        template(Component::AbsoluteQuery, far, &format!("{prefix}//{host}/z?x*y")),
        template(Component::Fragment, base, "/p#x*y"),
        template(Component::AbsoluteFragment, far, &format!("{prefix}//{host}/z#x*y")),
        template(Component::FragmentAlone, base, "#x*y"),
        with_authority(Component::User, "//x*y@h/z"),
        with_authority(Component::Password, "//u:x*y@h/z"),
        with_authority(Component::Host, "//x*y/z"),
        with_authority(Component::Literal, "//[1:2*:3::4]/z"),
        template(Component::Opaque, far, &format!("{prefix}x*y")),
        template(Component::OpaqueQuery, far, &format!("{prefix}x?x*y")),
    ]
}

/// Returns the templates of bases.
fn of_bases(prefix: &str, host: &str) -> Vec<Template> {
    let template = |component, base: &str, reference: &str| Template {
        component,
        base: format!("{prefix}{}", base.replace('*', "\u{1}").replace("//h/", &format!("//{host}/"))),
        reference: reference.to_owned(),
    };
    vec![
        template(Component::Path, "//h/x*y/z", "k"),
        template(Component::FirstSegment, "x*y/z", "k"),
        template(Component::RootlessPath, "w/x*y/z", "k"),
        template(Component::AbsolutePath, "//h/x*y/z", "k"),
        template(Component::InheritedPath, "//h/x*y/z", "#k"),
        template(Component::Query, "//h/z?x*y", "#k"),
        template(Component::AbsoluteQuery, "//h/z?x*y", "#k"),
        template(Component::Fragment, "//h/z#x*y", ""),
        template(Component::AbsoluteFragment, "//h/z#x*y", ""),
        template(Component::FragmentAlone, "#x*y", ""),
        template(Component::User, "//x*y@h/z", "k"),
        template(Component::Password, "//u:x*y@h/z", "k"),
        template(Component::Host, "//x*y/z", "k"),
        template(Component::Literal, "//[1:2*:3::4]/z", "k"),
        template(Component::Opaque, "x*y", "#k"),
        template(Component::OpaqueQuery, "x?x*y", "#k"),
    ]
}

/// Bases for absolute references. The first one is used that the engine accepts.
const FAR: [&str; 4] = ["zzx://o/b/c/d", "http://o/b/c/d", "https://o/b/c/d", ""];

/// Returns the tables of references and bases of a scheme.
pub(super) fn of_scheme(asker: &mut Asker<'_>, scheme: &str) -> (Tables, Tables) {
    let prefix = format!("{scheme}:");
    let host =
        ["h", "localhost", ""].into_iter().find(|host| asker.one(&format!("{prefix}//{host}/b/c"), "k").is_some());
    let host = host.unwrap_or("h");
    let absolute = format!("{prefix}//{host}/x/z");
    let far = FAR.into_iter().filter(|far| !far.starts_with(&prefix)).find(|far| asker.one(far, &absolute).is_some());
    let far = far.unwrap_or(FAR[0]);
    let base = format!("{prefix}//{host}/b/c/d");
    // Some engines read a reference that begins with two slashes as a path. Their hosts are those of absolute references.
    let is_after_host = |url: &str| !host.is_empty() && url.contains(&format!("{host}//k"));
    let is_authority = asker.one(&base, "//k/z").is_some_and(|url| url.contains("//k") && !is_after_host(&url));
    let authority = if is_authority { [&base, ""] } else { [far, &prefix] };
    let mut reference = read(asker, of_references(&prefix, &base, far, host, authority), &Tables::default());
    for (component, text) in [(Component::User, "%aa@h"), (Component::Password, "u:%aa@h"), (Component::Host, "%aa")] {
        let table = &mut reference.0[component as usize];
        let absolute = format!("{prefix}//{text}/z");
        if table.bytes == Bytes::Rejected && is_authority && asker.one(far, &absolute) == Some(absolute) {
            table.bytes = Bytes::NotText;
        }
    }
    let base = read(asker, of_bases(&prefix, host), &reference);
    (reference, base)
}

/// Returns the tables of references and bases without a scheme. What cannot be asked is as in `like`.
pub(super) fn without_scheme(asker: &mut Asker<'_>, base: &str, like: &Class) -> (Tables, Tables) {
    let reference = read(asker, of_references("", base, base, "h", [base, ""]), &like.reference);
    let base = if base.is_empty() { like.base.clone() } else { read(asker, of_bases("", "h"), &like.base) };
    (reference, base)
}

/// Asks the questions of `templates`. What cannot be asked is as in `like`.
fn read(asker: &mut Asker<'_>, templates: Vec<Template>, like: &Tables) -> Tables {
    let mut tables = like.clone();
    let first = templates.iter().find(|template| template.component == Component::FirstSegment);
    // An underscore cannot be part of the name of a scheme.
    let colon = first.map(|first| Template {
        component: Component::FirstSegment,
        base: first.base.replace(&format!("x{PLACE}"), &format!("_x{PLACE}")),
        reference: first.reference.replace(&format!("x{PLACE}"), &format!("_x{PLACE}")),
    });
    for template in templates {
        if let Some(mut found) = Frame::of(asker, &template) {
            tables.0[template.component as usize] = found.table(asker);
            found.question_mark(asker, &mut tables.0[template.component as usize]);
            brackets(asker, &template, &mut tables.0[template.component as usize]);
            colon_after_slash(asker, &template, &mut tables.0[template.component as usize]);
            brackets_in_pairs(asker, &found, &mut tables.0[template.component as usize]);
            if let Some(literal) = colon_in_host(asker, &template) {
                tables.0[Component::Host as usize].actions_mut().literal[index(':')] = literal;
            }
            if let Some(literal) = at_sign(asker, &template) {
                tables.0[Component::Host as usize].actions_mut().literal[index('@')] = literal;
            }
        } else if template.component == Component::InheritedPath {
            tables.0[Component::InheritedPath as usize] = tables.of(Component::AbsolutePath).clone();
        } else if let Some(found) = hidden(asker, &template) {
            tables.0[template.component as usize] = found;
        }
    }
    // A letter before a vertical line may be that of a drive.
    let bar = colon.as_ref().and_then(|template| in_name(asker, template, '|'));
    let first = &mut tables.0[Component::FirstSegment as usize];
    if let Some(bar) = bar.filter(|_| first.actions.literal[index('|')] == Literal::Rejected) {
        first.actions_mut().literal[index('|')] = bar;
    }
    // A colon in the first segment ends a scheme; where it does not, it may be like other colons.
    let other = tables.of(Component::RootlessPath).actions.literal[index(':')];
    let alone = colon.as_ref().and_then(|template| in_name(asker, template, ':')).unwrap_or(other);
    let first = &mut tables.0[Component::FirstSegment as usize];
    first.actions_mut().literal[index(':')] = alone;
    if let Some(template) = colon {
        colon_anew(asker, &template, first);
    }
    tables
}

/// Asks about brackets that are rejected alone in an authority again, as pairs.
fn brackets_in_pairs(asker: &mut Asker<'_>, frame: &Frame<'_>, table: &mut Table) {
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
fn colon_after_slash(asker: &mut Asker<'_>, template: &Template, table: &mut Table) {
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
fn colon_anew(asker: &mut Asker<'_>, template: &Template, first: &mut Table) {
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
fn trigger(table: &Table) -> Option<(char, String)> {
    let entry = (0..ENTRIES).find(|&entry| table.actions.literal[entry] == Literal::Encoded)?;
    let trigger = if entry < 128 { char::from(entry as u8) } else { BEYOND[entry - 128] };
    let mut mark = String::new();
    encode(trigger, &mut mark);
    Some((trigger, mark))
}

/// Returns what happens to `c` in a segment that `template` does not begin with the name of a scheme.
fn in_name(asker: &mut Asker<'_>, template: &Template, c: char) -> Option<Literal> {
    let frame = Frame::of(asker, template)?;
    let answer = frame.ask(asker, &[c.to_string()]).pop()?;
    frame.literal(c, &answer, "").filter(|literal| *literal != Literal::Rejected)
}

/// Asks what happens to the brackets of a userinfo before a host in brackets, if they are rejected before another one.
fn brackets(asker: &mut Asker<'_>, template: &Template, table: &mut Table) {
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
fn hidden(asker: &mut Asker<'_>, template: &Template) -> Option<Table> {
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
fn at_sign(asker: &mut Asker<'_>, template: &Template) -> Option<Literal> {
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
fn colon_in_host(asker: &mut Asker<'_>, template: &Template) -> Option<Literal> {
    let is_host = template.component == Component::Host;
    let literal = is_host.then(|| in_name(asker, template, ':'))??;
    matches!(literal, Literal::Encoded | Literal::EncodedLower).then_some(literal)
}

/// The text around the place in the engine's answer.
struct Frame<'a> {
    template: &'a Template,
    before: String,
    after: String,
    /// Whether the engine's answer is not the reference.
    is_resolved: bool,
}

impl<'a> Frame<'a> {
    fn of(asker: &mut Asker<'_>, template: &'a Template) -> Option<Self> {
        let is_literal = template.component == Component::Literal;
        let (filler, needle) = if is_literal { ("3", "23:3") } else { ("q", "xqy") };
        let (base, reference) = template.pair(filler);
        let answer = asker.one(&base, &reference)?;
        let at = answer.find(needle)?;
        let is_resolved = answer != reference;
        Some(Self { template, before: answer[..=at].to_owned(), after: answer[at + 2..].to_owned(), is_resolved })
    }

    /// Returns the text between the parts of the frame. A host with a colon may be written in brackets.
    fn middle<'b>(&self, answer: &'b str) -> Option<&'b str> {
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
    fn ask(&self, asker: &mut Asker<'_>, texts: &[String]) -> Vec<Answer> {
        let pairs: Vec<Pair> = texts.iter().map(|text| self.template.pair(text)).collect();
        let answers = asker.all(&pairs).into_iter().zip(&pairs);
        answers.map(|(answer, (_, reference))| answer.filter(|url| !self.is_resolved || url != reference)).collect()
    }

    fn table(&mut self, asker: &mut Asker<'_>) -> Table {
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
        if table.actions.literal[index('中')] == Literal::LowBytes {
            let replaced = table.actions_mut().literal[128..].iter_mut().filter(|it| **it == Literal::Replaced);
            replaced.for_each(|literal| *literal = Literal::LowBytes);
        }
        self.escapes(asker, table.actions_mut(), "", "");
        table.bytes = self.bytes(asker, table.actions.escape[128]);
        table.percent = self.percent(asker);
        table.anew = self.anew(asker, &table).map(Arc::new);
        table
    }

    /// Asks about a question mark in a path, which may be one of its characters.
    fn question_mark(&self, asker: &mut Asker<'_>, table: &mut Table) {
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
    fn literal(&self, c: char, answer: &Answer, prefix: &str) -> Option<Literal> {
        let Some(answer) = answer else { return Some(Literal::Rejected) };
        if self.is_ended(answer, prefix) {
            return Some(Literal::Ends);
        }
        let text = self.middle(answer).and_then(|text| text.strip_prefix(prefix));
        let Some(text) = text.filter(|text| !(self.is_cut(answer) && text.len() > 1)) else {
            return self.is_cut(answer).then_some(Literal::Rejected);
        };
        let [mut encoded, mut surrogates, mut bytes] = [const { String::new() }; 3];
        low_bytes(c, &mut bytes);
        encode(c, &mut encoded);
        encode_surrogates(c, &mut surrogates);
        let mut only = text.chars();
        Some(match (only.next(), only.next()) {
            (Some(own), None) if own == c => Literal::Kept,
            (None, _) => Literal::Dropped,
            _ if text == encoded => Literal::Encoded,
            _ if text == encoded.to_ascii_lowercase() => Literal::EncodedLower,
            _ if text == surrogates => Literal::EncodedSurrogates,
            _ if text == c.to_lowercase().to_string() => Literal::Lowered,
            _ if text == "%EF%BF%BD" => Literal::Replaced,
            _ if text == bytes && !c.is_ascii() => Literal::LowBytes,
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
            () if all(&|_, _| String::new()) => Escape::Dropped,
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
            ("%C2%AA", _) => Bytes::Latin1,
            ("\u{aa}", _) => Bytes::DecodedLatin1,
            _ => Bytes::LikeOthers,
        }
    }

    /// Asks about percent signs that two hexadecimal digits do not follow.
    fn percent(&self, asker: &mut Asker<'_>) -> Percent {
        let answers = self.ask(asker, &["%zz", "%1z", "%5b%zz", "%", "%5b"].map(str::to_owned));
        // The digits of an escape may be changed, too.
        let bracket = answers[4].as_ref().and_then(|answer| self.middle(answer));
        let text = answers[0].as_ref().map(|answer| self.middle(answer).filter(|_| !self.is_cut(answer)));
        match text {
            // After the place, at least one character follows.
            None if answers[1].is_some() && answers[3].is_some() => Percent::RejectedBeforeTwoOthers,
            None if answers[1].is_some() => Percent::RejectedBeforeOther,
            None => Percent::Rejected,
            Some(Some("%25zz")) => match answers[2].as_ref().and_then(|answer| self.middle(answer)) {
                Some("%255b%25zz") if bracket != Some("%255b") => {
                    let alone = answers[3].as_ref().and_then(|answer| self.middle(answer));
                    if alone == Some("%") { Percent::AllEncodedBeforeTwo } else { Percent::AllEncoded }
                }
                _ => Percent::Encoded,
            },
            Some(Some("zz")) => Percent::Dropped,
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

/// Returns what the engine removes from references, or from bases.
pub(super) fn cleaning(asker: &mut Asker<'_>, of_base: bool) -> Cleaning {
    let pair = |text: &str| match of_base {
        false => ("http://h/b/c".to_owned(), text.to_owned()),
        true => (text.to_owned(), "k".to_owned()),
    };
    let (plain, parts) = if of_base { ("http://h/gh/c", ["http://h/g", "h/c"]) } else { ("gh", ["g", "h"]) };
    let chars: Vec<char> = (0..=0x20_u8).map(char::from).chain(SPACES).collect();
    let mut pairs = vec![pair(plain)];
    for c in &chars {
        let inside = format!("{}{c}{}", parts[0], parts[1]);
        pairs.extend([pair(&inside), pair(&format!("{c}{plain}")), pair(&format!("{plain}{c}"))]);
        // At the end of a base is its last segment, which the reference replaces.
        pairs.push(if of_base { (format!("{plain}?{c}"), String::new()) } else { pair(&format!("{plain}{c}")) });
    }
    pairs.push((format!("{plain}?"), String::new()));
    let answers = asker.all(&pairs);
    // A character that ends the text is not removed at its end.
    let ended = asker.all(&[pair(parts[0])]).pop().flatten();
    let ended = ended.filter(|ended| answers[0].as_ref() != Some(ended));
    let mut cleaning = Cleaning::default();
    let Some(plain) = &answers[0] else { return cleaning };
    let last = &answers[answers.len() - 1];
    let hidden = if of_base { ends_of_bases(asker, "http://h/gh/c", &chars, last) } else { None };
    for (at, (c, answers)) in chars.iter().zip(answers[1..].chunks(4)).enumerate() {
        let is_plain = |answer: &Answer| answer.as_ref() == Some(plain);
        let is_end = match &hidden {
            Some(ends) => ends[at],
            None if of_base => answers[3].is_some() && answers[3] == *last,
            None => is_plain(&answers[2]),
        };
        let is_end = is_end && (ended.is_none() || answers[0] != ended);
        let refused = answers[1].is_none() && answers[2].is_none() && answers[0].is_some();
        for (list, is_in) in [
            (&mut cleaning.rejected, refused),
            (&mut cleaning.everywhere, is_plain(&answers[0])),
            (&mut cleaning.start, is_plain(&answers[1])),
            (&mut cleaning.end, is_end),
        ] {
            if is_in {
                list.push(*c);
            }
        }
    }
    without_kept_in_schemes(asker, pair, &mut cleaning.everywhere);
    cleaning
}

/// Removes the characters from `chars` that the engine does not remove from schemes, of which `pair` makes a pair. The tables
/// state where it drops them.
fn without_kept_in_schemes(asker: &mut Asker<'_>, pair: impl Fn(&str) -> Pair, chars: &mut Vec<char>) {
    let mut pairs = vec![pair("http://w/x")];
    pairs.extend(chars.iter().map(|c| pair(&format!("ht{c}tp://w/x"))));
    let answers = asker.all(&pairs);
    if answers[0].is_some() {
        let mut of_chars = answers[1..].iter();
        chars.retain(|_| of_chars.next() == Some(&answers[0]));
    }
}

/// Returns which of `chars` are removed after the path of the base `plain`, if its query is not inherited. `empty` is the answer
/// for an empty query.
fn ends_of_bases(asker: &mut Asker<'_>, plain: &str, chars: &[char], empty: &Answer) -> Option<Vec<bool>> {
    if asker.one(&format!("{plain}?x"), "") != *empty {
        return None;
    }
    let of = asker.one(plain, "");
    let is_shown = asker.one(&format!("{plain}x"), "") != of;
    let pairs: Vec<Pair> = chars.iter().map(|c| (format!("{plain}{c}"), String::new())).collect();
    Some(asker.all(&pairs).iter().map(|answer| is_shown && answer.is_some() && *answer == of).collect())
}
