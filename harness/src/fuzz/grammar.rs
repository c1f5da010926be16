//! What the grammars say of a text: by productions and by hand, of its parts, and of where it stops.

use std::cell::RefCell;
use std::fmt::Write;

use fastrand::Rng;
use urlstrata::fast::{Component, components};
use urlstrata::grammar::{self, Grammar, MatchedPart, Mismatch, Recognizer, Terminal};
use urlstrata::revision::{self, Parts, Revision};

use super::{Fault, Law, Seen, Text};
use crate::escape::visible;
use crate::evaluate::grammar::{Recognisers, evaluate};
use crate::vector::{Expectations, Question, Suite};

/// On one text, and on members that are made of its bytes.
pub struct Grammars;

impl Law for Grammars {
    type Case = Text;
    const NAME: &'static str = "grammar";
    const STATES: &'static str = "productions and hand-written validators say the same of every text, a member's parts nest and \
                                  are put together again, and a text stops where no member goes on";
    const WORDS: &'static [&'static str] = super::agree::WORDS;

    fn check(case: &Text, seen: &mut Seen) -> Result<(), Fault> {
        RECOGNISERS.with_borrow_mut(|recognisers| {
            grammar::ALL.iter().copied().try_for_each(|grammar| check(grammar, recognisers, &case.0, seen))
        })
    }

    fn seeds(suite: &Suite) -> Vec<Text> {
        texts(suite).collect()
    }

    fn show(case: &Text) -> String {
        let mut recognisers = Recognisers::default();
        let mut out = format!("  text  \"{}\"\n", visible(&case.0));
        for &grammar in grammar::ALL {
            let valid = grammar.is_valid(&case.0);
            let judged = evaluate(&mut recognisers, grammar, grammar.top(&case.0), &case.0);
            let sentence = judged.map_or_else(|why| why, |judged| judged.sentence());
            let _ = writeln!(out, "  {:<10}  {sentence}; is_valid returns {valid}", grammar.id);
        }
        out
    }
}

/// Every URL, reference, base and text of a production in the vectors.
pub(super) fn texts(suite: &Suite) -> impl Iterator<Item = Text> {
    let derived = suite.vectors().filter_map(|(_, vector)| match &vector.question {
        Question::Production(case) => Some(&case.matches),
        _ => None,
    });
    let derived = derived
        .flat_map(Expectations::iter)
        .flat_map(|(_, it)| it.valid.iter().chain(it.invalid.iter().map(|(text, _)| text)));
    suite.urls().into_iter().chain(derived.map(String::as_str)).map(|text| Text(text.to_owned()))
}

thread_local! {
    static RECOGNISERS: RefCell<Recognisers> = RefCell::default();
}

fn check(grammar: &'static Grammar, recognisers: &mut Recognisers, text: &str, seen: &mut Seen) -> Result<(), Fault> {
    let id = grammar.id;
    let member = judged(grammar, recognisers, text)?;
    seen.count(&format!("{id}: {}", if member { "a member" } else { "no member" }));
    let mut choices = text.bytes().cycle();
    let mut choose = |_| choices.next().map_or(0, usize::from);
    let tops = grammar.tops.iter().chain(&grammar.base);
    let which = choose(0) % tops.clone().count();
    let Some(&top) = tops.clone().nth(which) else { return Ok(()) };
    if let Some(made) = grammar.generate(top, &mut choose) {
        if !recognisers.of(grammar, top).map_err(Fault::new)?.is_match(&made) {
            return Err(Fault::new(format!("{id}: what is made to be a member of {top} is none")));
        }
        judged(grammar, recognisers, &made)?;
    }
    if let Some((near, _)) = grammar.generate_mutated(top, &mut choose) {
        let member = judged(grammar, recognisers, &near)?;
        seen.count(&format!("{id}: {} by one edit", if member { "still a member" } else { "no member" }));
    }
    Ok(())
}

/// Whether `text` is a member, which all sides have to say, and what they say of it beyond that.
fn judged(grammar: &'static Grammar, recognisers: &mut Recognisers, text: &str) -> Result<bool, Fault> {
    let id = grammar.id;
    let fault = |why: &str| Fault::new(format!("{id}: {why}"));
    let recogniser = recognisers.of(grammar, grammar.top(text)).map_err(Fault::new)?;
    let member = recogniser.is_match(text);
    told_alike(member, grammar.is_valid(text)).map_err(|why| fault(&format!("of a reference {why}")))?;
    let verdict = recogniser.match_parts(text);
    match &verdict {
        Err(stop) => {
            stops(text, stop, &mut |text| stop_of(recogniser, text), &|what| first_of(grammar, what)).map_err(fault)?;
        }
        Ok(derived) => {
            nests(text, derived).map_err(fault)?;
            derived.iter().try_for_each(|part| is_its_own(grammar, recognisers, text, part))?;
            for revision in grammar.revisions.iter().filter_map(|id| revision::by_id(id)) {
                comes_back(revision, text).map_err(|why| Fault::new(format!("{}: {why}", revision.id)))?;
            }
        }
    }
    let base = match grammar.base {
        Some(base) => recognisers.of(grammar, base).map_err(Fault::new)?.is_match(text),
        None => member,
    };
    told_alike(base, grammar.is_valid_base(text)).map_err(|why| fault(&format!("of a base {why}")))?;
    told_alike(member, verdict.is_ok()).map_err(|_| fault("a verdict is not on what it is of"))?;
    Ok(member)
}

fn told_alike(by_productions: bool, by_hand: bool) -> Result<(), &'static str> {
    match (by_productions, by_hand) {
        (true, false) => Err("the productions derive it, and the validator does not take it"),
        (false, true) => Err("the productions do not derive it, and the validator takes it"),
        _ => Ok(()),
    }
}

fn stop_of(recogniser: &mut Recognizer, text: &str) -> Option<Mismatch> {
    recogniser.match_parts(text).err()
}

/// A first character of what could stand at a place.
fn first_of(grammar: &Grammar, what: &Terminal) -> Option<char> {
    match what {
        Terminal::Class(name) => grammar.generate(name, &mut |_| 0)?.chars().next(),
        Terminal::Text(text) => text.chars().next(),
        Terminal::OneOf(characters) => characters.chars().next(),
    }
}

/// Going on by chance with what could stand there, no beginning of a member is farther from the end of one.
const FARTHEST: usize = 256;

/// Whether `text` stops at `stop`, by what `says` where each text does: what stands before it begins a member, what could
/// stand there goes on, and what does stand there does not.
fn stops(
    text: &str,
    stop: &Mismatch,
    says: &mut dyn FnMut(&str) -> Option<Mismatch>,
    first_of: &dyn Fn(&Terminal) -> Option<char>,
) -> Result<(), &'static str> {
    let Some((before, behind)) = text.split_at_checked(stop.at) else { return Err("a text stops within a character") };
    let own = says(before);
    if own.is_none() != stop.prefix_is_valid {
        return Err("whether what stands before a stop is a member is told otherwise of it alone");
    }
    if own.as_ref().is_some_and(|own| own.at != stop.at || own.expected != stop.expected) {
        return Err("what stands before a stop stops elsewhere, or could go on otherwise");
    }
    match behind.chars().next() {
        None if stop.prefix_is_valid => return Err("a text stops at its end, and is a member"),
        Some(next) if says(&text[..stop.at + next.len_utf8()]).is_none_or(|it| it.at != stop.at) => {
            return Err("the character at a stop could stand there");
        }
        _ => {}
    }
    for could in &stop.expected {
        let longer = first_of(&could.terminal).map(|first| format!("{before}{first}"));
        if longer.is_none_or(|longer| says(&longer).is_some_and(|it| it.at < longer.len())) {
            return Err("what could stand at a stop does not go on there");
        }
    }
    let mut longer = before.to_owned();
    let mut rng = Rng::with_seed(0);
    for _ in 0..FARTHEST {
        let Some(stop) = says(&longer) else { return Ok(()) };
        longer.extend(rng.choice(&stop.expected).and_then(|could| first_of(&could.terminal)));
    }
    Err("what stands before a stop begins no member")
}

/// Whether the parts of a member lie in each other as deep as they say, the first around all.
fn nests(text: &str, derived: &[MatchedPart]) -> Result<(), &'static str> {
    let whole = derived.first().ok_or("a member is derived by nothing")?;
    if (whole.start, whole.end) != (0, text.len()) {
        return Err("the first part of a member is not all of it");
    }
    let mut around: Vec<&MatchedPart> = Vec::new();
    let mut before = 0;
    for part in derived {
        if part.depth > around.len() || part.depth == 0 && !around.is_empty() {
            return Err("a part is deeper than what it is in");
        }
        // Whatever this part is not in ends before it.
        let ended = around.drain(part.depth..).map(|ended| ended.end).max();
        before = before.max(ended.unwrap_or_default());
        let within = around.last().is_none_or(|outer| outer.start <= part.start && part.end <= outer.end);
        if !within || part.start < before || text.get(part.start..part.end).is_none() {
            return Err("a part is not within what it is in, or not behind what precedes it");
        }
        around.push(part);
    }
    Ok(())
}

/// Whether a part of a member is one of the part's own production.
fn is_its_own(
    grammar: &'static Grammar,
    recognisers: &mut Recognisers,
    text: &str,
    part: &MatchedPart,
) -> Result<(), Fault> {
    let own = recognisers.of(grammar, part.production).map_err(Fault::new)?;
    match text.get(part.start..part.end).is_some_and(|text| own.is_match(text)) {
        true => Ok(()),
        false => Err(Fault::new(format!("{}: a part is no {}", grammar.id, part.production))),
    }
}

/// Whether a member is what its components by the document's own parsing make together.
///
/// A document that holds empty components absent leaves their delimiters out.
fn comes_back(revision: &Revision, member: &str) -> Result<(), &'static str> {
    let parts = revision.parse(member).map_err(|_| "a member is not parsed")?;
    let keeps_empty = revision.parse("s:?").is_ok_and(|parts| parts.component("query") == Some(Some("")));
    let there = match revision.rules {
        Some(rules) if !keeps_empty => {
            let components = components(rules, member);
            components
                .filter(|(_, text)| !text.is_empty())
                .map(|(component, text)| delimited(component, text))
                .collect()
        }
        _ => member.to_owned(),
    };
    is_together(&parts, &there)
}

fn delimited(component: Component, text: &str) -> String {
    match component {
        Component::Scheme => format!("{text}:"),
        Component::Authority => format!("//{text}"),
        Component::Path => text.to_owned(),
        Component::Params => format!(";{text}"),
        Component::Query => format!("?{text}"),
        Component::Fragment => format!("#{text}"),
    }
}

/// Whether `parts`, under the names of any of the documents, are together `whole`.
fn is_together(parts: &Parts, whole: &str) -> Result<(), &'static str> {
    let named = |name: &str| parts.component(name).flatten();
    let before = |name: &str, delimiter: &str| named(name).map_or(String::new(), |part| format!("{part}{delimiter}"));
    let behind = |delimiter: &str, name: &str| named(name).map_or(String::new(), |part| format!("{delimiter}{part}"));
    let login = match parts.component("user") {
        Some(_) => named("user").map_or(String::new(), |user| format!("{user}{}@", behind(":", "password"))),
        None => before("userinfo", "@"),
    };
    let server = named("host").map(|host| format!("{login}{host}{}", behind(":", "port")));
    let rest = match named("scheme-specific-part") {
        Some(rest) => {
            let common = server.map_or(rest.to_owned(), |server| format!("//{server}{}", behind("/", "url-path")));
            (common == rest).then_some(common).ok_or("the parts of the common syntax are together another text")?
        }
        None => {
            if server.is_some_and(|server| named("authority") != Some(&server)) {
                return Err("the parts of an authority are together another");
            }
            let authority = ["net_loc", "server", "authority"].map(|name| behind("//", name)).concat();
            let path = [behind("", "slash"), behind("", "path"), behind(";", "params")].concat();
            [authority, path, behind("?", "query"), behind("#", "fragment")].concat()
        }
    };
    (before("scheme", ":") + &rest == whole).then_some(()).ok_or("a member's components are together another text")
}

#[cfg(test)]
mod tests {
    use super::{Grammars, comes_back, is_its_own, is_together, nests, stop_of, stops, texts, told_alike};
    use crate::evaluate::grammar::Recognisers;
    use crate::fuzz::{Seen, Text};
    use crate::vector::Suite;
    use proptest::prelude::*;
    use urlstrata::grammar::{self, Expected, MatchedPart, Mismatch, Terminal};
    use urlstrata::revision;

    #[track_caller]
    fn holds(text: &str, seen: &mut Seen) {
        crate::fuzz::holds::<Grammars>(&Text(text.to_owned()), seen);
    }

    #[test]
    fn it_holds_of_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut seen = Seen::default();
        texts(&suite).for_each(|text| holds(&text.0, &mut seen));
        for &grammar in grammar::ALL {
            for class in ["a member", "no member", "still a member by one edit", "no member by one edit"] {
                let class = format!("{}: {class}", grammar.id);
                assert!(seen.0.get(&class).is_some_and(|count| *count > 50), "{class}: {seen:?}");
            }
        }
    }

    #[test]
    fn two_that_say_otherwise_are_told() {
        assert!(told_alike(true, true).is_ok() && told_alike(false, false).is_ok());
        assert!(told_alike(true, false).is_err() && told_alike(false, true).is_err());
    }

    fn part(start: usize, end: usize, depth: usize) -> MatchedPart {
        MatchedPart { production: "host", start, end, depth }
    }

    #[test]
    fn parts_that_do_not_nest_are_told() {
        let nested = |parts: &[MatchedPart]| nests("abcé", parts);
        assert_eq!(nested(&[part(0, 5, 0), part(0, 3, 1), part(1, 2, 2), part(3, 5, 1), part(5, 5, 2)]), Ok(()));
        assert!(nested(&[]).is_err_and(|why| why.contains("nothing")));
        assert!(nested(&[part(0, 4, 0)]).is_err_and(|why| why.contains("not all of it")));
        assert!(nested(&[part(0, 5, 0), part(1, 2, 2)]).is_err_and(|why| why.contains("deeper")));
        assert!(nested(&[part(0, 5, 0), part(0, 5, 0)]).is_err_and(|why| why.contains("deeper")));
        for wrong in [[part(0, 2, 1), part(1, 3, 2)], [part(0, 2, 1), part(1, 3, 1)], [part(0, 5, 1), part(1, 4, 2)]] {
            let parts = [part(0, 5, 0), wrong[0], wrong[1]];
            assert!(nested(&parts).is_err_and(|why| why.contains("not within")), "{parts:?}");
        }
        let grammar = grammar::by_revision("rfc3986").expect("a grammar");
        let own = |text| is_its_own(grammar, &mut Recognisers::default(), text, &part(0, text.len(), 0));
        assert!(own("[::1]").is_ok());
        assert!(own("[::g]").is_err_and(|fault| fault.class == "rfc3986: a part is no host"));
    }

    #[test]
    fn a_stop_elsewhere_is_told() {
        let grammar = grammar::by_revision("rfc3986").expect("a grammar");
        let mut recogniser = grammar.recognizer("URI-reference").expect("a production");
        let mut told = |text: &str, change: &dyn Fn(&mut Mismatch)| {
            let Err(mut stop) = recogniser.match_parts(text) else { panic!("{text} is a member") };
            change(&mut stop);
            let first_of = |what: &Terminal| super::first_of(grammar, what);
            stops(text, &stop, &mut |text| stop_of(&mut recogniser, text), &first_of)
        };
        let (member, open) = ("//[::1]/é", "//[v1.a");
        assert_eq!((told(member, &|_| {}), told(open, &|_| {})), (Ok(()), Ok(())));
        let fails = |told: Result<(), &str>, part| assert!(told.is_err_and(|why| why.contains(part)), "{told:?}");
        fails(told(member, &|stop| stop.at += 1), "within a character");
        fails(told(member, &|stop| stop.prefix_is_valid = false), "told otherwise");
        fails(told(open, &|stop| stop.at = 3), "stops elsewhere");
        fails(told(open, &|stop| stop.expected.clear()), "could go on otherwise");
        fails(told(member, &|stop| stop.at = 7), "could stand there");
        let another = Expected { production: "path", terminal: Terminal::OneOf("é".to_owned()) };
        fails(told(member, &|stop| stop.expected.push(another.clone())), "does not go on");
        let never = |at: usize| Some(Mismatch { at, expected: Vec::new(), prefix_is_valid: false });
        fails(stops("a", &never(1).expect("a stop"), &mut |text| never(text.len()), &|_| None), "begins no member");
        let at_its_end = Mismatch { at: 1, expected: Vec::new(), prefix_is_valid: true };
        fails(stops("a", &at_its_end, &mut |_| None, &|_| None), "is a member");
    }

    #[test]
    fn components_that_are_together_another_text_are_told() {
        let parts = |parts: &[(&'static str, &str)]| {
            parts.iter().map(|(name, text)| (*name, Some((*text).to_owned()))).collect()
        };
        let common =
            [("scheme", "s"), ("scheme-specific-part", "//u@h/p"), ("user", "u"), ("host", "h"), ("url-path", "p")];
        assert_eq!(is_together(&parts(&common), "s://u@h/p"), Ok(()));
        assert!(is_together(&parts(&common[..4]), "s://u@h/p").is_err_and(|why| why.contains("common syntax")));
        let generic =
            [("scheme", "s"), ("authority", "h:1"), ("host", "h"), ("port", "1"), ("path", "/p"), ("query", "")];
        assert_eq!(is_together(&parts(&generic), "s://h:1/p?"), Ok(()));
        assert!(is_together(&parts(&generic), "s://h:1/p").is_err_and(|why| why.contains("another text")));
        assert!(is_together(&parts(&generic[..3]), "s://h:1").is_err_and(|why| why.contains("authority")));
        let rfc1738 = revision::by_id("rfc1738").expect("a revision");
        assert_eq!(comes_back(rfc1738, "no scheme"), Err("a member is not parsed"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn it_holds_by_chance(input in prop::collection::vec(prop_oneof![0..9_u8, 0x20..0x7f_u8, any::<u8>()], 0..80)) {
            holds(&Text::read(&input).0, &mut Seen::default());
        }
    }
}
