//! The hand-written validators agree with the productions on every short text and on random ones, generated strings are
//! valid, and mismatches are at the first offending position.

mod scope;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use scope::scope;
use urlstrata::grammar::{self, Edit, Expression, Grammar, MatchedPart, Mismatch, Recognizer, Terminal};

/// The validator and the recognizers of a grammar.
struct Sides {
    grammar: &'static Grammar,
    tops: BTreeMap<&'static str, Recognizer>,
    base: Option<Recognizer>,
}

impl Sides {
    fn of(grammar: &'static Grammar) -> Self {
        let recognizer = |name: &'static str| grammar.recognizer(name).expect("a production");
        Self {
            grammar,
            tops: grammar.tops.iter().map(|&top| (top, recognizer(top))).collect(),
            base: grammar.base.map(recognizer),
        }
    }

    fn top(&mut self, text: &str) -> &mut Recognizer {
        self.tops.get_mut(self.grammar.top(text)).expect("a top production")
    }

    /// Returns whether `text` is valid, and checks that both sides agree.
    #[track_caller]
    fn agree(&mut self, text: &str) -> bool {
        let id = self.grammar.id;
        let by_productions = self.top(text).is_match(text);
        assert_eq!(
            self.grammar.is_valid(text),
            by_productions,
            "{id}: {text:?} {:?}",
            self.top(text).match_parts(text)
        );
        let base = match &mut self.base {
            Some(base) => base.is_match(text),
            None => by_productions,
        };
        assert_eq!(self.grammar.is_valid_base(text), base, "{id}: {text:?} as a base");
        by_productions
    }
}

/// One character of each class that RFC 1808 distinguishes, without digits, which are allowed wherever `a` is.
const GENERIC: &str = "ag+%#:/?;@! ";

/// Twelve characters of different classes, and the prefixes of the texts that consist of them.
const ALPHABETS: &[(&str, &[&str], usize)] = &[
    (GENERIC, &[""], 6),
    ("a1+:/?#[@.%;", &[""], 6),
    ("a1:/?#@.%;=-", &["//", "x://", "http://", "ftp://", "telnet://", "file://", "gopher://", "wais://"], 4),
    (
        "a1:/?@.;=*_%",
        &["news:", "mailto:", "nntp://h", "wais://h/", "prospero://h/", "ftp://h/", "http://h/", "gopher://h/"],
        4,
    ),
    ("0125:.]aAfgv", &["//["], 6),
    ("36:.]agG9vV!", &["//[", "//[1:2:3:4:5:", "//[::", "//[1:2:3:4:5:6:", "//[v"], 4),
    ("123456789.05", &["//[::", "//1.2.", "http://1."], 5),
    ("ABDGIZbhkz=%", &["ftp://h/;type=", "ftp://h/", "gopher://h/1%0", "news:"], 3),
    (" ~$,'!|\\<é\u{7f}{", &["", "//", "a:", "#"], 4),
];

/// Visits every text of up to `length` characters.
fn texts(alphabet: &str, length: usize, visit: &mut dyn FnMut(&str)) {
    let characters: Vec<char> = alphabet.chars().collect();
    assert_eq!(characters.len(), 12);
    let mut text = String::new();
    fn go(characters: &[char], left: usize, text: &mut String, visit: &mut dyn FnMut(&str)) {
        visit(text);
        if left > 0 {
            for &character in characters {
                text.push(character);
                go(characters, left - 1, text, visit);
                text.pop();
            }
        }
    }
    go(&characters, length, &mut text, visit);
}

#[test]
fn validators_agree_on_short_texts() {
    for &grammar in grammar::ALL {
        let mut sides = Sides::of(grammar);
        let (mut members, mut others) = (0_u64, 0_u64);
        for (alphabet, prefixes, length) in ALPHABETS {
            for prefix in *prefixes {
                let mut whole = String::new();
                texts(alphabet, scope(*length, length / 2), &mut |text| {
                    whole.clear();
                    whole.push_str(prefix);
                    whole.push_str(text);
                    match sides.agree(&whole) {
                        true => members += 1,
                        false => others += 1,
                    }
                });
            }
        }
        println!("{}: {members} valid, {others} invalid", grammar.id);
        let enough = scope(10_000, 100);
        assert!(members > enough && others > enough, "{}: {members} valid, {others} invalid", grammar.id);
    }
}

#[test]
fn validators_agree_on_addresses() {
    let mut rfc3986 = Sides::of(grammar::by_revision("rfc3986").expect("a grammar"));
    for address in [
        "[::]",
        "[1::]",
        "[::1]",
        "[1:2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:7::]",
        "[::2:3:4:5:6:7:8]",
        "[1::3:4:5:6:7:8]",
        "[1:2:3:4:5:6:1.2.3.4]",
        "[::1.2.3.255]",
        "[::3:4:5:6:7:1.2.3.4]",
        "[abcd:EF01::9]",
        "[v1.a]",
        "[V1f.a:b]",
        "1.2.3.4",
        "1.2.3.456",
        "v1.a",
    ] {
        assert!(rfc3986.agree(&format!("//{address}")) && rfc3986.agree(&format!("http://{address}:8/")), "{address}");
    }
    for address in [
        "[]",
        "[:]",
        "[1]",
        "[:1]",
        "[1:]",
        "[:::]",
        "[1::2::3]",
        "[::1:]",
        "[12345::]",
        "[g::]",
        "[1:2:3:4:5:6:7]",
        "[1:2:3:4:5:6:7:8:9]",
        "[1:2:3:4:5:6:7:8::]",
        "[::1:2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:7:1.2.3.4]",
        "[::2:3:4:5:6:7:1.2.3.4]",
        "[1:2:3:4:5:1.2.3.4]",
        "[::1.2.3]",
        "[::1.2.3.4.5]",
        "[::1.2.3.256]",
        "[::01.2.3.4]",
        "[::1.2.3.]",
        "[::1.2.3.4:5]",
        "[v.a]",
        "[v1]",
        "[v1.]",
        "[v1a]",
        "[vg.a]",
        "[v1.a/b]",
        "[v1.%41]",
        "[::1",
    ] {
        assert!(!rfc3986.agree(&format!("//{address}")) && !rfc3986.agree(&format!("http://{address}/")), "{address}");
    }
}

#[test]
fn validators_agree_on_news_urls() {
    let mut rfc1738 = Sides::of(grammar::by_revision("rfc1738").expect("a grammar"));
    for url in ["news:a@b", "news:a", "news:*", "news:a.b", "x-y:", "x-y:z"] {
        assert!(rfc1738.agree(url), "{url}");
    }
    for url in ["news:@b", "news:a@", "news:", "news:**", "x_y:z", ":z", "x y:z"] {
        assert!(!rfc1738.agree(url), "{url}");
    }
}

#[test]
fn every_ascii_character_is_in_one_class() {
    for &grammar in grammar::ALL {
        for top in grammar.tops {
            let recognizer = grammar.recognizer(top).expect("a production");
            let classes: Vec<_> = recognizer.classes().collect();
            let mut characters: Vec<_> = classes.iter().flat_map(|class| class.chars()).collect();
            characters.sort_unstable();
            assert!(characters.into_iter().eq('\0'..='\x7f'), "{}: {top}: {classes:?}", grammar.id);
        }
    }
}

/// Letters that a production distinguishes only as parts of a scheme's name are excluded.
#[test]
fn alphabets_contain_every_class_of_characters() {
    for &grammar in grammar::ALL {
        for top in grammar.tops {
            let recognizer = grammar.recognizer(top).expect("a production");
            for class in recognizer.classes() {
                let reached = |(alphabet, ..): &(&str, &[&str], usize)| alphabet.chars().any(|c| class.contains(c));
                let letter = class.len() == 1 && class.chars().all(char::is_lowercase) && grammar.tops.len() > 1;
                assert!(letter || ALPHABETS.iter().any(reached), "{}: {top}: {class:?}", grammar.id);
            }
        }
    }
}

#[test]
fn one_alphabet_reaches_every_class_of_rfc1808() {
    let rfc1808 = grammar::by_revision("rfc1808").expect("a grammar");
    let classes: Vec<_> = rfc1808.recognizer("URL").expect("a production").classes().collect();
    let told_apart = |class: &&String| *class != "0123456789";
    let reached = |class: &String| GENERIC.chars().any(|character| class.contains(character));
    assert!(classes.iter().filter(told_apart).all(reached), "{classes:?}");
}

/// Returns a source of choices that repeats `choices`.
fn chooser(choices: &[u16]) -> impl FnMut(usize) -> usize + '_ {
    let mut left = choices.iter().cycle().map(|&choice| usize::from(choice));
    move |_| left.next().unwrap_or_default()
}

/// Returns a first character of `what`.
fn first_of(grammar: &Grammar, what: &Terminal) -> char {
    let text = match what {
        Terminal::Class(name) => grammar.generate(name, &mut |_| 0).expect("a production"),
        Terminal::Text(text) => (*text).to_owned(),
        Terminal::OneOf(characters) => characters.clone(),
    };
    text.chars().next().expect("a character")
}

/// Checks that the mismatch is at the first offending position, and that the expected characters may follow there.
fn check_mismatch(grammar: &Grammar, recognizer: &mut Recognizer, text: &str, stop: &Mismatch) {
    let before = &text[..stop.at];
    assert_eq!(recognizer.is_match(before), stop.prefix_is_valid, "{before:?} of {text:?}");
    assert!(stop.prefix_is_valid || !stop.expected.is_empty(), "{text:?} {stop:?}");
    if let Some(next) = text[stop.at..].chars().next() {
        let with_next = &text[..stop.at + next.len_utf8()];
        assert_eq!(mismatch_of(recognizer, with_next).map(|stop| stop.at), Some(stop.at), "{with_next:?} of {text:?}");
    }
    for could in &stop.expected {
        let mut other = before.to_owned();
        other.push(first_of(grammar, &could.terminal));
        let goes_on = mismatch_of(recognizer, &other).is_none_or(|stop| stop.at == other.len());
        assert!(goes_on, "{other:?}: {could:?} of {text:?}");
    }
}

fn mismatch_of(recognizer: &mut Recognizer, text: &str) -> Option<Mismatch> {
    recognizer.match_parts(text).err()
}

/// Checks that each part matches its own production and is inside the part that contains it.
fn check_parts(grammar: &'static Grammar, text: &str, derived: &[MatchedPart]) {
    let mut around: Vec<&MatchedPart> = Vec::new();
    for part in derived {
        around.truncate(part.depth);
        assert!(
            around.last().is_none_or(|outer| outer.start <= part.start && part.end <= outer.end),
            "{text:?} {part:?}"
        );
        around.push(part);
        let mut recognizer = grammar.recognizer(part.production).expect("a production");
        assert!(recognizer.is_match(&text[part.start..part.end]), "{}: {text:?} {part:?}", grammar.id);
    }
    assert_eq!(derived.first().map(|whole| (whole.start, whole.end, whole.depth)), Some((0, text.len(), 0)));
}

/// Generates a string by choices that `answer` returns. Returns the string and the numbers of alternatives.
fn generated(grammar: &Grammar, production: &str, answer: fn(usize) -> usize) -> (String, Vec<usize>) {
    let mut asked = vec![];
    let text = grammar.generate(production, &mut |choices| {
        asked.push(choices);
        answer(choices)
    });
    (text.expect("a production"), asked)
}

#[test]
fn choices_receive_the_number_of_alternatives() {
    let rfc1738 = grammar::by_revision("rfc1738").expect("a grammar");
    let last = |choices| choices - 1;
    assert_eq!(generated(rfc1738, "digits", |_| 0), ("0".to_owned(), vec![5, 10]));
    assert_eq!(generated(rfc1738, "digits", last), ("99999".to_owned(), vec![5, 10, 10, 10, 10, 10]));
    assert_eq!(generated(rfc1738, "login", |_| 0), ("a".to_owned(), vec![2, 2, 5, 2, 2, 26, 2]));
    assert_eq!(generated(rfc1738, "xchar", last), ("%ff".to_owned(), vec![3, 2, 12, 2, 12]));
    let (login, _) = generated(rfc1738, "login", last);
    assert_eq!((login.matches(':').count(), login.matches('@').count()), (2, 1), "{login}");
    for &grammar in grammar::ALL {
        for top in grammar.tops {
            assert_eq!(generated(grammar, top, |choices| choices), generated(grammar, top, |_| 0));
            assert_eq!(generated(grammar, top, |choices| 2 * choices - 1), generated(grammar, top, last));
        }
    }
}

/// Applies `edit` to `text`.
fn edited(text: &str, edit: Edit) -> String {
    let (Edit::Removed(at) | Edit::Inserted(at, _) | Edit::Replaced(at, _) | Edit::Doubled(at) | Edit::Cut(at)) = edit;
    let (before, after) = text.split_at(at);
    let mut rest = after.chars();
    let old: String = rest.next().into_iter().collect();
    let rest = rest.as_str();
    match edit {
        Edit::Removed(_) => format!("{before}{rest}"),
        Edit::Inserted(_, fresh) => format!("{before}{fresh}{after}"),
        Edit::Replaced(_, fresh) => format!("{before}{fresh}{rest}"),
        Edit::Doubled(_) => format!("{before}{old}{after}"),
        Edit::Cut(_) => before.to_owned(),
    }
}

#[test]
fn edits_describe_the_mutation_at_every_position() {
    let rfc1738 = grammar::by_revision("rfc1738").expect("a grammar");
    let (member, choices) = generated(rfc1738, "digits", |choices| choices - 1);
    let mut edits = BTreeSet::new();
    for place in 0..=2 * member.len() {
        for fresh in 0..100 {
            for kind in 0..10 {
                let mut left = [place, fresh, kind].into_iter();
                let mut asked = vec![];
                let near = rfc1738.generate_mutated("digits", &mut |possible| {
                    asked.push(possible);
                    if asked.len() > choices.len() { left.next().unwrap_or_default() } else { possible - 1 }
                });
                let (text, edit) = near.expect("a production");
                assert_eq!(asked[choices.len()..], [member.len() + 1, 44, 5]);
                assert_eq!(text, edited(&member, edit), "{edit:?}");
                edits.insert(format!("{edit:?}"));
            }
        }
    }
    // Three edits without a character at each of five positions; insertions and replacements with each of 44 characters.
    assert_eq!(edits.len(), 5 * (3 + 2 * 44) + 44);
}

#[test]
fn matching_takes_linear_time() {
    for &grammar in grammar::ALL {
        let mut recognizer = grammar.recognizer(grammar.top("http://h/")).expect("a production");
        let text = format!("http://h/{}", "abc/d%20".repeat(scope(1 << 17, 1 << 8)));
        let Ok(derived) = recognizer.match_parts(&text) else { panic!("{} derives it", grammar.id) };
        assert_eq!(derived[0].end, text.len());
        let bad = format!("{text}\"");
        assert_eq!(mismatch_of(&mut recognizer, &bad).map(|stop| stop.at), Some(text.len()));
        assert!(grammar.is_valid(&text) && !grammar.is_valid(&bad));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(scope(300, 12)) })]

    #[test]
    fn generated_strings_are_valid(choices in prop::collection::vec(any::<u16>(), 1..200)) {
        for &grammar in grammar::ALL {
            for &top in grammar.tops.iter().chain(grammar.base.iter()) {
                let text = grammar.generate(top, &mut chooser(&choices)).expect("a production");
                let verdict = grammar.recognizer(top).expect("a production").match_parts(&text);
                prop_assert!(verdict.is_ok(), "{}: {top}: {text:?} {verdict:?}", grammar.id);
            }
        }
    }

    #[test]
    fn validators_agree_on_mutated_strings(
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        for &grammar in grammar::ALL {
            let mut sides = Sides::of(grammar);
            for &top in grammar.tops {
                let (text, _) = grammar.generate_mutated(top, &mut chooser(&choices)).expect("a production");
                sides.agree(&text);
                let recognizer = sides.top(&text);
                match recognizer.match_parts(&text) {
                    Err(stop) => check_mismatch(grammar, recognizer, &text, &stop),
                    Ok(derived) => check_parts(grammar, &text, &derived),
                }
            }
        }
    }

    #[test]
    fn validators_agree_on_any_text(text in "(//|[a-z]{0,3}:)?[ -~\u{e9}]{0,40}", prefix in "(http://|ftp://|news:|//\\[)?") {
        let text = prefix + &text;
        for &grammar in grammar::ALL {
            let mut sides = Sides::of(grammar);
            sides.agree(&text);
            let recognizer = sides.top(&text);
            if let Err(stop) = recognizer.match_parts(&text) {
                check_mismatch(grammar, recognizer, &text, &stop);
            }
        }
    }
}

/// Collects the names in an expression.
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
fn every_name_is_defined_once_and_no_production_refers_to_itself() {
    for &grammar in grammar::ALL {
        let mut names = BTreeSet::new();
        for production in grammar.productions {
            assert!(names.insert(production.name), "{}: {} is defined twice", grammar.id, production.name);
            reach(grammar, production.name, &mut Vec::new());
        }
        assert!(grammar.tops.iter().all(|top| names.contains(top)), "{}", grammar.id);
        assert!(grammar.revisions.iter().all(|id| grammar::by_revision(id).is_some_and(|it| it.id == grammar.id)));
    }
}
