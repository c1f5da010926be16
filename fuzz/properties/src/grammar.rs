//! The grammars: productions against hand-written validators, the parts of valid strings, and positions of errors.

use std::cell::RefCell;
use std::fmt::Write;

use fastrand::Rng;
use urlstrata::fast::{Component, components};
use urlstrata::grammar::{self, Grammar, MatchedPart, Mismatch, Recognizer, Terminal};
use urlstrata::revision::{self, Parts, Revision};
use urlstrata_harness::escape::visible;
use urlstrata_harness::evaluate::grammar::{Recognizers, evaluate};
use urlstrata_harness::vector::{Expectations, Question, Suite};

use super::{Classes, Property, TextInput, Violation, ensure};

/// On one string, and on strings that the grammars generate from its bytes.
pub struct Grammars;

impl Property for Grammars {
    type Input = TextInput;
    const NAME: &'static str = "grammar";
    const STATEMENT: &'static str = "productions and hand-written validators match the same strings; the parts of a valid string \
                                     are nested and together are the string; an invalid string is rejected at the first position \
                                     where no valid string continues";
    const WORDS: &'static [&'static str] = super::agree::WORDS;

    fn check(input: &TextInput, classes: &mut Classes) -> Result<(), Violation> {
        RECOGNIZERS.with_borrow_mut(|recognizers| {
            grammar::ALL.iter().copied().try_for_each(|grammar| check(grammar, recognizers, &input.0, classes))
        })
    }

    fn seeds(suite: &Suite) -> Vec<TextInput> {
        texts(suite).collect()
    }

    fn describe(input: &TextInput) -> String {
        let mut recognizers = Recognizers::default();
        let mut out = format!("  text  \"{}\"\n", visible(&input.0));
        for &grammar in grammar::ALL {
            let valid = grammar.is_valid(&input.0);
            let evaluated = evaluate(&mut recognizers, grammar, grammar.top(&input.0), &input.0);
            let sentence = evaluated.map_or_else(|why| why, |evaluated| evaluated.sentence());
            let _ = writeln!(out, "  {:<10}  {sentence}; is_valid returns {valid}", grammar.id);
        }
        out
    }
}

/// Returns every URL, reference, base and string of a production in the vectors.
pub(crate) fn texts(suite: &Suite) -> impl Iterator<Item = TextInput> {
    let derived = suite.vectors().filter_map(|(_, vector)| match &vector.question {
        Question::Production(case) => Some(&case.matches),
        _ => None,
    });
    let derived = derived
        .flat_map(Expectations::iter)
        .flat_map(|(_, it)| it.valid.iter().chain(it.invalid.iter().map(|(text, _)| text)));
    suite.urls().into_iter().chain(derived.map(String::as_str)).map(|text| TextInput(text.to_owned()))
}

thread_local! {
    static RECOGNIZERS: RefCell<Recognizers> = RefCell::default();
}

fn check(
    grammar: &'static Grammar,
    recognizers: &mut Recognizers,
    text: &str,
    classes: &mut Classes,
) -> Result<(), Violation> {
    let id = grammar.id;
    let valid = check_text(grammar, recognizers, text)?;
    classes.count(&format!("{id}: {}", if valid { "valid" } else { "invalid" }));
    let mut choices = text.bytes().cycle();
    let mut choose = |_| choices.next().map_or(0, usize::from);
    let tops = grammar.tops.iter().chain(&grammar.base);
    let which = choose(0) % tops.clone().count();
    let Some(&top) = tops.clone().nth(which) else { return Ok(()) };
    if let Some(generated) = grammar.generate(top, &mut choose) {
        let matched = recognizers.of(grammar, top).map_err(Violation::new)?.is_match(&generated);
        ensure(matched, Violation::new(format!("{id}: a string that {top} generated does not match it")))?;
        check_text(grammar, recognizers, &generated)?;
    }
    if let Some((mutated, _)) = grammar.generate_mutated(top, &mut choose) {
        let valid = check_text(grammar, recognizers, &mutated)?;
        classes.count(&format!("{id}: {} after one edit", if valid { "still valid" } else { "invalid" }));
    }
    Ok(())
}

/// Checks everything but generation, and returns whether `text` is valid.
fn check_text(grammar: &'static Grammar, recognizers: &mut Recognizers, text: &str) -> Result<bool, Violation> {
    let id = grammar.id;
    let violation = |why: &str| Violation::new(format!("{id}: {why}"));
    let recogniser = recognizers.of(grammar, grammar.top(text)).map_err(Violation::new)?;
    let matched = recogniser.is_match(text);
    check_equal(matched, grammar.is_valid(text)).map_err(|why| violation(&format!("a reference {why}")))?;
    let result = recogniser.match_parts(text);
    match &result {
        Err(mismatch) => {
            let mut mismatch_of = |text: &str| mismatch_of(recogniser, text);
            check_mismatch(text, mismatch, &mut mismatch_of, &|what| first_of(grammar, what)).map_err(violation)?;
        }
        Ok(parts) => {
            check_nesting(text, parts).map_err(violation)?;
            parts.iter().try_for_each(|part| check_part(grammar, recognizers, text, part))?;
            for revision in grammar.revisions.iter().filter_map(|id| revision::by_id(id)) {
                check_components(revision, text).map_err(|why| Violation::new(format!("{}: {why}", revision.id)))?;
            }
        }
    }
    let matched_base = match grammar.base {
        Some(base) => recognizers.of(grammar, base).map_err(Violation::new)?.is_match(text),
        None => matched,
    };
    check_equal(matched_base, grammar.is_valid_base(text)).map_err(|why| violation(&format!("a base {why}")))?;
    let consistent = matched == result.is_ok();
    ensure(consistent, violation("the recogniser returns a position for a valid string, or none for an invalid one"))?;
    Ok(matched)
}

fn check_equal(matched: bool, accepted: bool) -> Result<(), &'static str> {
    match (matched, accepted) {
        (true, false) => Err("is matched by the productions and rejected by the validator"),
        (false, true) => Err("is not matched by the productions and accepted by the validator"),
        _ => Ok(()),
    }
}

fn mismatch_of(recogniser: &mut Recognizer, text: &str) -> Option<Mismatch> {
    recogniser.match_parts(text).err()
}

/// Returns a first character of what is expected at a position.
fn first_of(grammar: &Grammar, what: &Terminal) -> Option<char> {
    match what {
        Terminal::Class(name) => grammar.generate(name, &mut |_| 0)?.chars().next(),
        Terminal::Text(text) => text.chars().next(),
        Terminal::OneOf(characters) => characters.chars().next(),
    }
}

/// The number of random continuations after which every prefix of a valid string is a valid string.
const MAX_CONTINUATION: usize = 256;

/// Checks the position at which `text` is rejected, given the position `mismatch_of` other strings.
///
/// What precedes the position is a prefix of a valid string, what is expected there continues it, and what is there does not.
fn check_mismatch(
    text: &str,
    mismatch: &Mismatch,
    mismatch_of: &mut dyn FnMut(&str) -> Option<Mismatch>,
    first_of: &dyn Fn(&Terminal) -> Option<char>,
) -> Result<(), &'static str> {
    let (before, after) = text.split_at_checked(mismatch.at).ok_or("a position is within a character")?;
    let own = mismatch_of(before);
    ensure(
        own.is_none() == mismatch.prefix_is_valid,
        "the text before a position is valid, or not, and reported otherwise",
    )?;
    let same = own.as_ref().is_none_or(|own| own.at == mismatch.at && own.expected == mismatch.expected);
    ensure(same, "the text before a position has another position or other expectations")?;
    match after.chars().next() {
        None => ensure(!mismatch.prefix_is_valid, "a valid text is rejected at its end")?,
        Some(next) => {
            let longer = mismatch_of(&text[..mismatch.at + next.len_utf8()]);
            ensure(longer.is_some_and(|it| it.at == mismatch.at), "the character at a position is allowed there")?;
        }
    }
    for expected in &mismatch.expected {
        let longer = first_of(&expected.terminal).map(|first| format!("{before}{first}"));
        let continues = longer.is_some_and(|longer| mismatch_of(&longer).is_none_or(|it| it.at >= longer.len()));
        ensure(continues, "an expected character is not allowed at a position")?;
    }
    let mut longer = before.to_owned();
    let mut rng = Rng::with_seed(0);
    for _ in 0..MAX_CONTINUATION {
        let Some(mismatch) = mismatch_of(&longer) else { return Ok(()) };
        longer.extend(rng.choice(&mismatch.expected).and_then(|expected| first_of(&expected.terminal)));
    }
    Err("the text before a position is not a prefix of a valid string")
}

/// Checks that the parts of a valid string are nested as deep as reported, and that the first one encloses all others.
fn check_nesting(text: &str, parts: &[MatchedPart]) -> Result<(), &'static str> {
    let whole = parts.first().ok_or("a valid string has no parts")?;
    ensure((whole.start, whole.end) == (0, text.len()), "the first part of a valid string is not the whole string")?;
    let mut enclosing: Vec<&MatchedPart> = Vec::new();
    let mut before = 0;
    for part in parts {
        let allowed = part.depth <= enclosing.len() && (part.depth > 0 || enclosing.is_empty());
        ensure(allowed, "a part is too deep")?;
        // A part that does not enclose this one ends before it.
        let ended = enclosing.drain(part.depth..).map(|ended| ended.end).max();
        before = before.max(ended.unwrap_or_default());
        let within = enclosing.last().is_none_or(|outer| outer.start <= part.start && part.end <= outer.end);
        let in_order = part.start >= before && text.get(part.start..part.end).is_some();
        ensure(within && in_order, "a part is not enclosed by its parent, or overlaps the previous part")?;
        enclosing.push(part);
    }
    Ok(())
}

/// Checks that a part of a valid string matches its own production.
fn check_part(
    grammar: &'static Grammar,
    recognizers: &mut Recognizers,
    text: &str,
    part: &MatchedPart,
) -> Result<(), Violation> {
    let own = recognizers.of(grammar, part.production).map_err(Violation::new)?;
    let matched = text.get(part.start..part.end).is_some_and(|text| own.is_match(text));
    ensure(matched, Violation::new(format!("{}: a part does not match {}", grammar.id, part.production)))
}

/// Checks that the components of a valid string, as the revision parses it, together are the string.
///
/// A revision that treats empty components as absent leaves out their delimiters.
fn check_components(revision: &Revision, text: &str) -> Result<(), &'static str> {
    let parts = revision.parse(text).map_err(|_| "a valid string is not parsed")?;
    let keeps_empty = revision.parse("s:?").is_ok_and(|parts| parts.component("query") == Some(Some("")));
    let expected = match revision.rules {
        Some(rules) if !keeps_empty => {
            let components = components(rules, text);
            components
                .filter(|(_, text)| !text.is_empty())
                .map(|(component, text)| delimited(component, text))
                .collect()
        }
        _ => text.to_owned(),
    };
    check_together(&parts, &expected)
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

/// Checks that `parts`, under the names of any revision, together are `whole`.
fn check_together(parts: &Parts, whole: &str) -> Result<(), &'static str> {
    let named = |name: &str| parts.component(name).flatten();
    let before = |name: &str, delimiter: &str| named(name).map_or(String::new(), |part| format!("{part}{delimiter}"));
    let after = |delimiter: &str, name: &str| named(name).map_or(String::new(), |part| format!("{delimiter}{part}"));
    let login = match parts.component("user") {
        Some(_) => named("user").map_or(String::new(), |user| format!("{user}{}@", after(":", "password"))),
        None => before("userinfo", "@"),
    };
    let server = named("host").map(|host| format!("{login}{host}{}", after(":", "port")));
    let rest = match named("scheme-specific-part") {
        Some(rest) => {
            let common = server.map_or(rest.to_owned(), |server| format!("//{server}{}", after("/", "url-path")));
            ensure(common == rest, "the parts of the common syntax together are another string")?;
            common
        }
        None => {
            let authority = named("authority").or(named("server"));
            let same = server.is_none_or(|server| authority == Some(&server));
            ensure(same, "the parts of an authority together are another authority")?;
            let authority = ["net_loc", "server", "authority"].map(|name| after("//", name)).concat();
            let path = [after("", "slash"), after("", "path"), after(";", "params")].concat();
            [authority, path, after("?", "query"), after("#", "fragment")].concat()
        }
    };
    ensure(before("scheme", ":") + &rest == whole, "the components of a valid string together are another string")
}

#[cfg(test)]
mod tests {
    use super::{
        Grammars, check_components, check_equal, check_mismatch, check_nesting, check_part, check_together,
        mismatch_of, texts,
    };
    use crate::{Classes, TextInput};
    use proptest::prelude::*;
    use urlstrata::grammar::{self, Expected, MatchedPart, Mismatch, Terminal};
    use urlstrata::revision;
    use urlstrata_harness::evaluate::grammar::Recognizers;
    use urlstrata_harness::vector::Suite;

    #[track_caller]
    fn assert_holds(text: &str, classes: &mut Classes) {
        crate::assert_holds::<Grammars>(&TextInput(text.to_owned()), classes);
    }

    #[test]
    fn it_holds_for_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut classes = Classes::default();
        texts(&suite).for_each(|text| assert_holds(&text.0, &mut classes));
        for &grammar in grammar::ALL {
            for class in ["valid", "invalid", "still valid after one edit", "invalid after one edit"] {
                let class = format!("{}: {class}", grammar.id);
                assert!(classes.0.get(&class).is_some_and(|count| *count > 50), "{class}: {classes:?}");
            }
        }
    }

    #[test]
    fn different_results_are_violations() {
        assert!(check_equal(true, true).is_ok() && check_equal(false, false).is_ok());
        assert!(check_equal(true, false).is_err() && check_equal(false, true).is_err());
    }

    fn part(start: usize, end: usize, depth: usize) -> MatchedPart {
        MatchedPart { production: "host", start, end, depth }
    }

    #[test]
    fn parts_that_are_not_nested_are_violations() {
        let nested = |parts: &[MatchedPart]| check_nesting("abcé", parts);
        assert_eq!(nested(&[part(0, 5, 0), part(0, 3, 1), part(1, 2, 2), part(3, 5, 1), part(5, 5, 2)]), Ok(()));
        assert!(nested(&[]).is_err_and(|why| why.contains("no parts")));
        assert!(nested(&[part(0, 4, 0)]).is_err_and(|why| why.contains("not the whole")));
        assert!(nested(&[part(0, 5, 0), part(1, 2, 2)]).is_err_and(|why| why.contains("too deep")));
        assert!(nested(&[part(0, 5, 0), part(0, 5, 0)]).is_err_and(|why| why.contains("too deep")));
        for wrong in [[part(0, 2, 1), part(1, 3, 2)], [part(0, 2, 1), part(1, 3, 1)], [part(0, 5, 1), part(1, 4, 2)]] {
            let parts = [part(0, 5, 0), wrong[0], wrong[1]];
            assert!(nested(&parts).is_err_and(|why| why.contains("not enclosed")), "{parts:?}");
        }
        let grammar = grammar::by_revision("rfc3986").expect("a grammar");
        let own = |text| check_part(grammar, &mut Recognizers::default(), text, &part(0, text.len(), 0));
        assert!(own("[::1]").is_ok());
        assert!(own("[::g]").is_err_and(|violation| violation.class == "rfc3986: a part does not match host"));
    }

    #[test]
    fn wrong_positions_are_violations() {
        let grammar = grammar::by_revision("rfc3986").expect("a grammar");
        let mut recogniser = grammar.recognizer("URI-reference").expect("a production");
        let mut check = |text: &str, change: &dyn Fn(&mut Mismatch)| {
            let Err(mut mismatch) = recogniser.match_parts(text) else { panic!("{text} is valid") };
            change(&mut mismatch);
            let first_of = |what: &Terminal| super::first_of(grammar, what);
            check_mismatch(text, &mismatch, &mut |text| mismatch_of(&mut recogniser, text), &first_of)
        };
        let (invalid, open) = ("//[::1]/é", "//[v1.a");
        assert_eq!((check(invalid, &|_| {}), check(open, &|_| {})), (Ok(()), Ok(())));
        let fails =
            |checked: Result<(), &str>, part| assert!(checked.is_err_and(|why| why.contains(part)), "{checked:?}");
        fails(check(invalid, &|mismatch| mismatch.at += 1), "within a character");
        fails(check(invalid, &|mismatch| mismatch.prefix_is_valid = false), "reported otherwise");
        fails(check(open, &|mismatch| mismatch.at = 3), "another position");
        fails(check(open, &|mismatch| mismatch.expected.clear()), "other expectations");
        fails(check(invalid, &|mismatch| mismatch.at = 7), "is allowed there");
        let another = Expected { production: "path", terminal: Terminal::OneOf("é".to_owned()) };
        fails(check(invalid, &|mismatch| mismatch.expected.push(another.clone())), "is not allowed at");
        let never = |at: usize| Some(Mismatch { at, expected: Vec::new(), prefix_is_valid: false });
        fails(
            check_mismatch("a", &never(1).expect("a mismatch"), &mut |text| never(text.len()), &|_| None),
            "not a prefix",
        );
        let at_its_end = Mismatch { at: 1, expected: Vec::new(), prefix_is_valid: true };
        fails(check_mismatch("a", &at_its_end, &mut |_| None, &|_| None), "a valid text is rejected");
    }

    #[test]
    fn components_of_another_string_are_violations() {
        let parts = |parts: &[(&'static str, &str)]| {
            parts.iter().map(|(name, text)| (*name, Some((*text).to_owned()))).collect()
        };
        let common =
            [("scheme", "s"), ("scheme-specific-part", "//u@h/p"), ("user", "u"), ("host", "h"), ("url-path", "p")];
        assert_eq!(check_together(&parts(&common), "s://u@h/p"), Ok(()));
        assert!(check_together(&parts(&common[..4]), "s://u@h/p").is_err_and(|why| why.contains("common syntax")));
        let generic =
            [("scheme", "s"), ("authority", "h:1"), ("host", "h"), ("port", "1"), ("path", "/p"), ("query", "")];
        assert_eq!(check_together(&parts(&generic), "s://h:1/p?"), Ok(()));
        assert!(check_together(&parts(&generic), "s://h:1/p").is_err_and(|why| why.contains("another string")));
        assert!(check_together(&parts(&generic[..3]), "s://h:1").is_err_and(|why| why.contains("authority")));
        let rfc1738 = revision::by_id("rfc1738").expect("a revision");
        assert_eq!(check_components(rfc1738, "no scheme"), Err("a valid string is not parsed"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn it_holds_for_random_strings(input in prop::collection::vec(prop_oneof![0..9_u8, 0x20..0x7f_u8, any::<u8>()], 0..80)) {
            assert_holds(&TextInput::decode(&input).0, &mut Classes::default());
        }
    }
}
