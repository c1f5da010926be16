//! What RFC 1738's schemes make of a URL: written back, beside its grammar, beside the `url` crate, and what a client is told.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use urlstrata::characters::encode_all;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{self as schemes, GopherRequest};
use urlstrata::scheme::{Action, EncodedText as FieldText, Form, Url, Value};

use super::grammar::texts;
use super::{Fault, Law, Seen, Text, is_a_line};
use crate::escape::visible;
use crate::evaluate::grammar::Recognisers;
use crate::evaluate::scheme::disagreement;
use crate::survey::fields::FieldComparer;
use crate::vector::Suite;

/// On URLs as RFC 1738 reads them.
pub struct Schemes;

impl Law for Schemes {
    type Case = Text;
    const NAME: &'static str = "schemes";
    const STATES: &'static str = "RFC 1738's schemes write back what they read, depart from their grammar only with a mark and from \
                                  the url crate only with a reason, and send no line that is broken";
    const WORDS: &'static [&'static str] = &[
        "ftp://",
        "http://h/",
        "gopher://h/1",
        "mailto:a@",
        "news:",
        "nntp://h/g/1",
        "telnet://u:p@h:23/",
        "wais://h/d?",
        "wais://h/d/t/p",
        "file:///",
        "file://localhost/",
        "prospero://h/n;f=v",
        "x-a:",
        ";type=a",
        ";type=",
        "%09",
        "%0D%0A",
        "%00",
        "%2F",
        "%3B",
        "+%091%0D%0A+-1%0D%0A",
        "%09%09!",
        "%09%09$",
        "%09%09+",
        "%09%09?",
        "%20",
        "127.0.0.1",
        "@",
        "*",
    ];

    fn check(case: &Text, seen: &mut Seen) -> Result<(), Fault> {
        check(&case.0, seen)
    }

    fn seeds(suite: &Suite) -> Vec<Text> {
        texts(suite).collect()
    }

    fn show(case: &Text) -> String {
        show(&case.0)
    }
}

thread_local! {
    static RECOGNISERS: RefCell<Recognisers> = RefCell::default();
    static BESIDE: Result<Rc<FieldComparer>, String> = FieldComparer::new(&crate::model::known::KnownEngines::embedded().unwrap_or_default()).map(Rc::new);
}

fn check(url: &str, seen: &mut Seen) -> Result<(), Fault> {
    let read = rfc1738::read(url);
    let traced = rfc1738::REVISION.read_traced(url);
    let alike = traced.is_some_and(|(traced, trace)| traced == read && !trace.entries().is_empty());
    alike.then_some(()).ok_or_else(|| Fault::new("a URL is read otherwise with its steps"))?;
    let name = match &read {
        Ok(read) => schemes::by_name(&read.scheme).map_or("another", |scheme| scheme.name),
        Err(_) => "refused",
    };
    seen.count(&format!("scheme: {name}"));
    match &read {
        Ok(read) => written_back(url, read)
            .and_then(|()| read.actions().iter().try_for_each(|action| is_safe(action, read)))
            .and_then(|()| is_told(read))
            .map_err(|why| Fault::new(format!("{name}: {why}")))?,
        Err(refusal) if !refusal.section().starts_with(['2', '3']) || !is_a_line(refusal.reason()) => {
            return Err(Fault::new(format!("a refusal by {} is no line of text", refusal.section())));
        }
        Err(_) => {}
    }
    if let Some(found) = RECOGNISERS.with_borrow_mut(|recognisers| disagreement(recognisers, url)) {
        let mark = is_marked(found.mark).map_err(|why| Fault::new(format!("{name}: {why}")))?;
        seen.count(&format!("mark: {mark}"));
    }
    let beside = BESIDE.with(Clone::clone).map_err(Fault::new)?;
    for row in beside.differing(url) {
        has_reason(row.reasons.len()).map_err(|why| Fault::new(format!("{name}: {} {why}", row.field)))?;
        row.reasons.iter().for_each(|reason| seen.count(&format!("reason: {}", reason.name())));
    }
    Ok(())
}

fn is_marked(mark: Option<&'static str>) -> Result<&'static str, &'static str> {
    mark.ok_or("prose and grammar disagree without a mark")
}

fn has_reason(reasons: usize) -> Result<(), &'static str> {
    (reasons > 0).then_some(()).ok_or("is another in the url crate without a reason")
}

/// Whether `read` is written as `url`, and its fields stand for octets that can be coded anew.
fn written_back(url: &str, read: &Url) -> Result<(), &'static str> {
    if read.to_string() != url {
        return Err("what is read is written otherwise");
    }
    let mut names = Vec::new();
    for field in read.fields() {
        if names.contains(&field.name) {
            return Err("a field stands twice");
        }
        names.push(field.name);
        let texts = match &field.value {
            Value::Absent | Value::Description(_) => Vec::new(),
            Value::Text(text) => vec![text],
            Value::List(texts) => texts.iter().collect(),
            Value::Pairs(pairs) => pairs.iter().flat_map(|(name, value)| [name, value]).collect(),
        };
        if !texts.into_iter().all(is_coded_anew) {
            return Err("a field stands for octets that are others when they are coded anew");
        }
    }
    Ok(())
}

fn is_coded_anew(text: &FieldText) -> bool {
    let octets = text.decoded();
    FieldText::new(&encode_all(&octets)).is_ok_and(|again| again.decoded() == octets)
}

/// Whether nothing is sent that would end or part its line, and an action is one line for people.
fn is_safe(action: &Action, read: &Url) -> Result<(), &'static str> {
    let breaks = |octets: &[u8]| octets.iter().any(|octet| b"\r\n".contains(octet));
    if !is_a_line(&action.to_string()) {
        return Err("an action is told in more than a line of text");
    }
    match action {
        Action::Send(line) | Action::SendIfAsked(line) => match filled(read) {
            // The document has such a form sent in lines of its own: no answer may be more than one.
            Some(answers) if answers.iter().any(|answer| breaks(answer) || answer == b".") => {
                Err("an answer of a form is sent that breaks its line")
            }
            None if breaks(line) => Err("a line is sent that has an end within"),
            _ => Ok(()),
        },
        Action::Withhold { line, octet } if !line.contains(octet) => Err("a line is withheld for what is not in it"),
        Action::Perform(_, data) => match read.form {
            // These are carried by protocols of lines.
            Form::Http(_) | Form::Mailto(_) | Form::News(_) if data.iter().any(|data| breaks(data)) => {
                Err("something is done with a line that has an end within")
            }
            _ => Ok(()),
        },
        Action::Connect { host, port } if host.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err("a connection is opened to no host or port")
        }
        _ => Ok(()),
    }
}

/// The answers to a form of Gopher+, if the URL has any.
fn filled(read: &Url) -> Option<&[Vec<u8>]> {
    let Form::Gopher(gopher) = &read.form else { return None };
    match &gopher.item.as_ref()?.plus.as_ref()?.request {
        GopherRequest::Filled(answers) => Some(answers),
        _ => None,
    }
}

/// Whether there are cautions about all that is withheld, each of them a line.
fn is_told(read: &Url) -> Result<(), &'static str> {
    let cautions = read.cautions();
    let withheld = read.actions().iter().filter(|action| matches!(action, Action::Withhold { .. })).count();
    if cautions.iter().filter(|caution| caution.sentence.contains("would break the line")).count() != withheld {
        return Err("a line is withheld, or not, and a caution says otherwise");
    }
    match cautions.iter().all(|caution| is_a_line(&caution.sentence) && !caution.sentence.ends_with('.')) {
        true => Ok(()),
        false => Err("a caution is no line of text"),
    }
}

fn show(url: &str) -> String {
    let mut out = format!("  url  \"{}\"\n", visible(url));
    match rfc1738::read(url) {
        Ok(read) => {
            let _ = writeln!(out, "  read as \"{}\"", visible(&read.to_string()));
            for field in read.fields() {
                let _ = writeln!(out, "    {:<20} {:?}", field.name, field.value);
            }
            for action in read.actions() {
                let _ = writeln!(out, "    {}", visible(&action.to_string()));
            }
        }
        Err(refusal) => {
            let _ = writeln!(out, "  refused by {}: {}", refusal.section(), visible(refusal.reason()));
        }
    }
    if let Some(found) = disagreement(&mut Recognisers::default(), url) {
        let _ = writeln!(out, "  prose and grammar: {found:?}");
    }
    for row in FieldComparer::new(&crate::model::known::KnownEngines::embedded().unwrap_or_default())
        .iter()
        .flat_map(|beside| beside.differing(url))
    {
        let _ = writeln!(out, "  beside the url crate: {row:?}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Schemes, has_reason, is_marked, is_safe, is_told, written_back};
    use crate::fuzz::{Law, Seen, Text, is_a_line};
    use crate::vector::Suite;
    use proptest::prelude::*;
    use urlstrata::revision::rfc1738;
    use urlstrata::scheme::{Action, Url};

    #[track_caller]
    fn holds(url: &str, seen: &mut Seen) {
        crate::fuzz::holds::<Schemes>(&Text(url.to_owned()), seen);
    }

    #[test]
    fn it_holds_of_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut seen = Seen::default();
        Schemes::seeds(&suite).iter().for_each(|url| holds(&url.0, &mut seen));
        let classes = |of: &str| seen.0.keys().filter(|class| class.starts_with(of)).count();
        assert_eq!(classes("scheme: "), 12, "{seen:?}");
        assert!(classes("mark: ") > 5 && classes("reason: ") > 10, "{seen:?}");
    }

    fn read(url: &str) -> Url {
        rfc1738::read(url).expect("a URL")
    }

    #[test]
    fn what_is_written_otherwise_is_told() {
        assert_eq!(written_back("http://h/", &read("http://h/")), Ok(()));
        assert!(written_back("http://h/", &read("http://h")).is_err());
    }

    #[test]
    fn a_broken_line_is_told() {
        let ftp = read("ftp://h/a");
        let safe = |action: Action| is_safe(&action, &ftp);
        assert_eq!(safe(Action::Send(b"RETR a".to_vec())), Ok(()));
        assert!(safe(Action::Send(b"RETR a\r\nDELE b".to_vec())).is_err_and(|why| why.contains("an end within")));
        assert!(safe(Action::SendIfAsked(b"USER \n".to_vec())).is_err());
        assert!(safe(Action::Withhold { line: b"RETR a".to_vec(), octet: b'\r' }).is_err());
        assert!(safe(Action::Connect { host: String::new(), port: "21".to_owned() }).is_err());
        assert!(safe(Action::Connect { host: "h\u{7}".to_owned(), port: "21".to_owned() }).is_err());
        let http = read("http://h/");
        assert!(is_safe(&Action::Perform("request", vec![b"/\r\n".to_vec()]), &http).is_err());
        let form = read("gopher://h/1%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A");
        let sent = form.actions().into_iter().find(|action| matches!(action, Action::Send(_))).expect("a form is sent");
        assert_eq!(is_safe(&sent, &form), Ok(()));
        assert!(is_safe(&sent, &ftp).is_err());
    }

    #[test]
    fn what_is_without_a_mark_a_reason_or_a_caution_is_told() {
        assert!(is_marked(Some("r1738-at-signs")).is_ok() && is_marked(None).is_err());
        assert!(has_reason(1).is_ok() && has_reason(0).is_err());
        assert_eq!(is_told(&read("ftp://u:p@h:80/a%0D%0Ab")), Ok(()));
        assert!(is_a_line("a b") && !is_a_line("") && !is_a_line("a\nb") && !is_a_line("\u{200b}"));
    }

    const PIECES: [&str; 26] = [
        "a", "B", "1", "/", ";", "?", "#", ":", "@", "=", "*", "+", ".", "..", "%2e", "%09", "%0D%0A", " ", "\\", "|",
        ";type=a", "é", "\0", "[", "%", "\t",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn it_holds_by_chance(
            start in prop::sample::select(&Schemes::WORDS[..16]),
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12),
        ) {
            holds(&format!("{start}{}", pieces.concat()), &mut Seen::default());
        }

        #[test]
        fn it_holds_of_any_input(input in prop::collection::vec(any::<u8>(), 0..60)) {
            holds(&Text::read(&input).0, &mut Seen::default());
        }
    }
}
