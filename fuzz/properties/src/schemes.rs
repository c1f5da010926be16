//! The schemes of RFC 1738: against their grammar, against the `url` crate, and what clients are told to send.

use std::cell::RefCell;
use std::fmt::Write;

use urlstrata::characters::encode_all;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{self as schemes, Action, EncodedText, Form, GopherRequest, Url, Value};
use urlstrata_harness::escape::visible;
use urlstrata_harness::evaluate::grammar::Recognizers;
use urlstrata_harness::evaluate::scheme::disagreement;
use urlstrata_harness::survey::fields::FieldComparer;
use urlstrata_harness::vector::Suite;

use super::grammar::texts;
use super::{Classes, Property, TextInput, Violation, ensure, is_single_line};

/// On URLs as RFC 1738 reads them.
pub struct Schemes;

impl Property for Schemes {
    type Input = TextInput;
    const NAME: &'static str = "schemes";
    const STATEMENT: &'static str = "a URL of RFC 1738 is written as it was read; it differs from its grammar only with a mark and \
                                     from the url crate only with a reason; and no action sends a line that contains the end of a \
                                     line";
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

    fn check(input: &TextInput, classes: &mut Classes) -> Result<(), Violation> {
        check(&input.0, classes)
    }

    fn seeds(suite: &Suite) -> Vec<TextInput> {
        texts(suite).collect()
    }

    fn describe(input: &TextInput) -> String {
        describe(&input.0)
    }
}

thread_local! {
    static RECOGNIZERS: RefCell<Recognizers> = RefCell::default();
    static URL_CRATE: FieldComparer = FieldComparer::default();
}

fn check(url: &str, classes: &mut Classes) -> Result<(), Violation> {
    let read = rfc1738::read(url);
    let traced = rfc1738::REVISION.read_traced(url);
    let same = traced.is_some_and(|(traced, trace)| traced == read && !trace.entries().is_empty());
    ensure(same, Violation::new("a URL has another result with a trace"))?;
    let name = match &read {
        Ok(read) => schemes::by_name(&read.scheme).map_or("another", |scheme| scheme.name),
        Err(_) => "rejected",
    };
    let violation = |why: &str| Violation::new(format!("{name}: {why}"));
    classes.count(&format!("scheme: {name}"));
    match &read {
        Ok(read) => check_url(url, read)
            .and_then(|()| read.actions().iter().try_for_each(|action| check_action(action, read)))
            .and_then(|()| check_cautions(read))
            .map_err(violation)?,
        Err(rejection) => {
            let explained = rejection.section().starts_with(['2', '3']) && is_single_line(rejection.reason());
            ensure(explained, violation("the reason is not a line of text with a section"))?;
        }
    }
    if let Some(found) = RECOGNIZERS.with_borrow_mut(|recognizers| disagreement(recognizers, url)) {
        let mark = check_mark(found.mark).map_err(violation)?;
        classes.count(&format!("mark: {mark}"));
    }
    for row in URL_CRATE.with(|url_crate| url_crate.differing(url)) {
        check_reasons(row.reasons.len()).map_err(|why| violation(&format!("{} {why}", row.field)))?;
        row.reasons.iter().for_each(|reason| classes.count(&format!("reason: {}", reason.name())));
    }
    Ok(())
}

fn check_mark(mark: Option<&'static str>) -> Result<&'static str, &'static str> {
    mark.ok_or("prose and grammar differ without a mark")
}

fn check_reasons(reasons: usize) -> Result<(), &'static str> {
    ensure(reasons > 0, "differs from the url crate without a reason")
}

/// Checks that `read` is written as `url`, and that encoding its fields again keeps their octets.
fn check_url(url: &str, read: &Url) -> Result<(), &'static str> {
    ensure(read.to_string() == url, "a URL is not written as it was read")?;
    let mut names = Vec::new();
    for field in read.fields() {
        ensure(!names.contains(&field.name), "a field occurs twice")?;
        names.push(field.name);
        let texts = match &field.value {
            Value::Absent | Value::Description(_) => Vec::new(),
            Value::Text(text) => vec![text],
            Value::List(texts) => texts.iter().collect(),
            Value::Pairs(pairs) => pairs.iter().flat_map(|(name, value)| [name, value]).collect(),
        };
        ensure(texts.into_iter().all(keeps_octets), "encoding a field again changes its octets")?;
    }
    Ok(())
}

fn keeps_octets(text: &EncodedText) -> bool {
    let octets = text.decoded();
    EncodedText::new(&encode_all(&octets)).is_ok_and(|again| again.decoded() == octets)
}

/// Checks that an action sends nothing that contains the end of a line, and that it is described in one line.
fn check_action(action: &Action, read: &Url) -> Result<(), &'static str> {
    let breaks = |octets: &[u8]| octets.iter().any(|octet| b"\r\n".contains(octet));
    ensure(is_single_line(&action.to_string()), "the description of an action is not a line of text")?;
    match action {
        Action::Send(line) | Action::SendIfAsked(line) => match form_answers(read) {
            // The specification sends such a form in several lines: each answer must fit in one.
            Some(answers) => {
                let fit = !answers.iter().any(|answer| breaks(answer) || answer == b".");
                ensure(fit, "an answer in a form contains the end of a line")
            }
            None => ensure(!breaks(line), "a line contains the end of a line"),
        },
        Action::Withhold { line, octet } => {
            ensure(line.contains(octet), "a line is withheld because of an octet that it does not contain")
        }
        Action::Perform(_, data) => match read.form {
            // The protocols of these schemes consist of lines.
            Form::Http(_) | Form::Mailto(_) | Form::News(_) => {
                ensure(!data.iter().any(|data| breaks(data)), "an argument of an operation contains the end of a line")
            }
            _ => Ok(()),
        },
        Action::Connect { host, port } => {
            let exists = !host.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
            ensure(exists, "a connection has no host or an invalid port")
        }
        _ => Ok(()),
    }
}

/// Returns the answers in a form of Gopher+, if the URL has any.
fn form_answers(read: &Url) -> Option<&[Vec<u8>]> {
    let Form::Gopher(gopher) = &read.form else { return None };
    match &gopher.item.as_ref()?.plus.as_ref()?.request {
        GopherRequest::Filled(answers) => Some(answers),
        _ => None,
    }
}

/// Checks that there is a caution if an encoded line end is in a line that is withheld or in an advice, and that each caution is one line.
fn check_cautions(read: &Url) -> Result<(), &'static str> {
    let cautions = read.cautions();
    let text = read.to_string().to_ascii_uppercase();
    let breaks = |action: &&Action| match action {
        Action::Withhold { octet, .. } => text.contains(&format!("%{octet:02X}")),
        Action::Advise(_, data) => {
            data.iter().any(|octet| b"\r\n".contains(octet) && text.contains(&format!("%{octet:02X}")))
        }
        _ => false,
    };
    let has_breaking = read.actions().iter().any(|action| breaks(&action));
    let is_warned = cautions.iter().any(|caution| caution.sentence.contains("would break the line"));
    ensure(is_warned || !has_breaking, "an action with an encoded line end lacks a caution")?;
    let lines = cautions.iter().all(|it| is_single_line(&it.sentence) && !it.sentence.ends_with('.'));
    ensure(lines, "a caution is not a line of text")
}

fn describe(url: &str) -> String {
    let mut out = format!("  url  \"{}\"\n", visible(url));
    match rfc1738::read(url) {
        Ok(read) => {
            let _ = writeln!(out, "  written as \"{}\"", visible(&read.to_string()));
            for field in read.fields() {
                let _ = writeln!(out, "    {:<20} {:?}", field.name, field.value);
            }
            for action in read.actions() {
                let _ = writeln!(out, "    {}", visible(&action.to_string()));
            }
        }
        Err(rejection) => {
            let _ = writeln!(out, "  rejected by {}: {}", rejection.section(), visible(rejection.reason()));
        }
    }
    if let Some(found) = disagreement(&mut Recognizers::default(), url) {
        let _ = writeln!(out, "  prose against grammar: {found:?}");
    }
    for row in URL_CRATE.with(|url_crate| url_crate.differing(url)) {
        let _ = writeln!(out, "  against the url crate: {row:?}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Schemes, check_action, check_cautions, check_mark, check_reasons, check_url};
    use crate::{Classes, Property, TextInput, is_single_line};
    use proptest::prelude::*;
    use urlstrata::revision::rfc1738;
    use urlstrata::scheme::{Action, Url};
    use urlstrata_harness::vector::Suite;

    #[track_caller]
    fn assert_holds(url: &str, classes: &mut Classes) {
        crate::assert_holds::<Schemes>(&TextInput(url.to_owned()), classes);
    }

    #[test]
    fn it_holds_for_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut classes = Classes::default();
        Schemes::seeds(&suite).iter().for_each(|url| assert_holds(&url.0, &mut classes));
        let count = |of: &str| classes.0.keys().filter(|class| class.starts_with(of)).count();
        assert_eq!(count("scheme: "), 12, "{classes:?}");
        assert!(count("mark: ") > 5 && count("reason: ") > 10, "{classes:?}");
    }

    fn read(url: &str) -> Url {
        rfc1738::read(url).expect("a URL")
    }

    #[test]
    fn another_spelling_is_a_violation() {
        assert_eq!(check_url("http://h/", &read("http://h/")), Ok(()));
        assert!(check_url("http://h/", &read("http://h")).is_err());
    }

    #[test]
    fn the_end_of_a_line_in_an_action_is_a_violation() {
        let ftp = read("ftp://h/a");
        let check = |action: Action| check_action(&action, &ftp);
        assert_eq!(check(Action::Send(b"RETR a".to_vec())), Ok(()));
        assert!(
            check(Action::Send(b"RETR a\r\nDELE b".to_vec()))
                .is_err_and(|why| why.contains("contains the end of a line"))
        );
        assert!(check(Action::SendIfAsked(b"USER \n".to_vec())).is_err());
        assert!(check(Action::Withhold { line: b"RETR a".to_vec(), octet: b'\r' }).is_err());
        assert!(check(Action::Connect { host: String::new(), port: "21".to_owned() }).is_err());
        assert!(check(Action::Connect { host: "h\u{7}".to_owned(), port: "21".to_owned() }).is_err());
        let http = read("http://h/");
        assert!(check_action(&Action::Perform("request", vec![b"/\r\n".to_vec()]), &http).is_err());
        let form = read("gopher://h/1%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0A");
        let sent = form.actions().into_iter().find(|action| matches!(action, Action::Send(_))).expect("a form is sent");
        assert_eq!(check_action(&sent, &form), Ok(()));
        assert!(check_action(&sent, &ftp).is_err());
    }

    #[test]
    fn a_difference_without_a_mark_or_a_reason_is_a_violation() {
        assert!(check_mark(Some("r1738-at-signs")).is_ok() && check_mark(None).is_err());
        assert!(check_reasons(1).is_ok() && check_reasons(0).is_err());
        assert_eq!(check_cautions(&read("ftp://u:p@h:80/a%0D%0Ab")), Ok(()));
        assert!(is_single_line("a b") && !is_single_line("") && !is_single_line("a\nb") && !is_single_line("\u{200b}"));
    }

    const PIECES: [&str; 26] = [
        "a", "B", "1", "/", ";", "?", "#", ":", "@", "=", "*", "+", ".", "..", "%2e", "%09", "%0D%0A", " ", "\\", "|",
        ";type=a", "é", "\0", "[", "%", "\t",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn it_holds_for_random_urls(
            start in prop::sample::select(&Schemes::WORDS[..16]),
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12),
        ) {
            assert_holds(&format!("{start}{}", pieces.concat()), &mut Classes::default());
        }

        #[test]
        fn it_holds_for_random_bytes(input in prop::collection::vec(any::<u8>(), 0..60)) {
            assert_holds(&TextInput::decode(&input).0, &mut Classes::default());
        }
    }
}
