//! URLs in running text: their position, delimiters and content.

use std::fmt::Write;
use std::ptr;

use urlstrata::context::{Ambiguity, Bare, Brackets, Delimiter, Extractor, FoundUrl, Quotes};
use urlstrata::revision;

use super::grammar::texts;
use super::{Classes, Property, TextInput, Violation, ensure};
use urlstrata_harness::escape::visible;
use urlstrata_harness::vector::{Question, Suite};

/// On running text.
pub struct RunningText;

impl Property for RunningText {
    type Input = TextInput;
    const NAME: &'static str = "context";
    const STATEMENT: &'static str = "URLs in running text are found in order between their delimiters, are the text without its \
                                     white space, and are found again by a search that starts after the previous URL";
    const WORDS: &'static [&'static str] = &[
        "<URL:",
        "<url: ",
        " URL:",
        ">",
        "<",
        "\"",
        "http://a/",
        "a://b",
        "mailto:a@b",
        "-\n",
        "-\r\n ",
        "\n\n",
        "\n \r\n",
        ".",
        ",",
        ")",
        "(",
        "]",
        "”",
        "\u{a0}",
        "\u{2028}",
        "\u{200b}",
        "://",
        " ",
    ];

    fn check(input: &TextInput, classes: &mut Classes) -> Result<(), Violation> {
        extractors().try_for_each(|(id, extractor)| {
            let checked = check(extractor, &input.0, &mut |find| classes.count(&class(id, find)));
            checked.map_err(|why| Violation::new(format!("{id}: {why}")))
        })
    }

    fn seeds(suite: &Suite) -> Vec<TextInput> {
        let running = suite.vectors().filter_map(|(_, vector)| match &vector.question {
            Question::Text(case) => Some(&case.text),
            Question::Document(case) => Some(&case.document),
            _ => None,
        });
        let wrapped = texts(suite).map(|url| TextInput(format!("<URL:{}>", url.0)));
        running.map(|text| TextInput(text.clone())).chain(wrapped).collect()
    }

    fn describe(input: &TextInput) -> String {
        let mut out = format!("  text  \"{}\"\n", visible(&input.0));
        for (id, extractor) in extractors() {
            let _ = writeln!(out, "  {id}");
            for find in extractor.find(&input.0) {
                let _ = writeln!(out, "    \"{}\" {:?} {:?}", visible(&find.url), find.wrapper, find.delimiter);
                let _ = writeln!(out, "      content {:?}, {:?}", find.content, find.ambiguity);
            }
        }
        out
    }
}

/// Returns each way to find URLs in running text, with the first revision that defines it.
fn extractors() -> impl Iterator<Item = (&'static str, &'static Extractor)> {
    let all = || revision::ALL.iter().filter_map(|revision| Some((revision.id, revision.context?)));
    all()
        .enumerate()
        .filter(move |(at, (_, extractor))| !all().take(*at).any(|(_, other)| ptr::eq(other, *extractor)))
        .map(|it| it.1)
}

fn class(id: &str, find: &FoundUrl<'_>) -> String {
    let ambiguity = match find.ambiguity {
        Ambiguity::None => "unambiguous",
        Ambiguity::Hyphens(_) => "ambiguous hyphens",
        Ambiguity::TrailingPunctuation(_) => "ambiguous punctuation",
    };
    format!("{id}: {:?}, {ambiguity}", find.delimiter)
}

/// How many URLs are searched for a second time: each of these searches may read the rest of the text.
const MAX_SEARCHES: usize = 1000;

/// Checks the URLs that `extractor` finds in `text`, and passes each to `found`.
fn check(extractor: &Extractor, text: &str, found: &mut dyn FnMut(&FoundUrl<'_>)) -> Result<(), &'static str> {
    let mut end = 0;
    for (index, find) in extractor.find(text).enumerate() {
        check_position(&find, text, end)?;
        check_delimiters(extractor, &find, text)?;
        check_content(&find, text)?;
        ensure(extractor.acted(&find).next().is_some(), "a URL was found by no rule")?;
        if index < MAX_SEARCHES {
            check_next(Some(&find), extractor.find_from(text, end).next().as_ref())?;
        }
        found(&find);
        end = find.wrapper.end;
    }
    check_next(None, extractor.find_from(text, end).next().as_ref())
}

/// Checks that a URL starts after `end`, the end of the previous one.
fn check_position(find: &FoundUrl<'_>, text: &str, end: usize) -> Result<(), &'static str> {
    let (wrapper, content) = (&find.wrapper, &find.content);
    let in_text = text.get(wrapper.clone()).is_some_and(|wrapper| !wrapper.is_empty());
    ensure(wrapper.start >= end && in_text, "a URL is not in the text, or starts before the end of the previous one")?;
    let within = wrapper.start <= content.start && content.end <= wrapper.end;
    ensure(within && text.get(content.clone()).is_some(), "the delimiters of a URL do not enclose it")
}

fn check_delimiters(extractor: &Extractor, find: &FoundUrl<'_>, text: &str) -> Result<(), &'static str> {
    let wrapper = &text[find.wrapper.clone()];
    let between = |first, last| wrapper.len() > 1 && wrapper.starts_with(first) && wrapper.ends_with(last);
    let delimited = match find.delimiter {
        Delimiter::PrefixedBrackets => {
            between('<', '>') && text[find.wrapper.start..find.content.start].to_ascii_lowercase().contains("url:")
        }
        Delimiter::Brackets => between('<', '>') && extractor.brackets == Brackets::WithOrWithout,
        Delimiter::Quotes => between('"', '"') && extractor.quotes == Quotes::Delimit,
        Delimiter::Prefix => {
            let prefix = text[find.wrapper.start..find.content.start].eq_ignore_ascii_case("url:");
            extractor.bare == Bare::WithPrefix && prefix && !wrapper.contains(char::is_whitespace)
        }
        Delimiter::WhiteSpace => {
            extractor.bare == Bare::Found && find.wrapper == find.content && !wrapper.contains(char::is_whitespace)
        }
    };
    ensure(delimited, "a URL is not between its delimiters")
}

fn check_content(find: &FoundUrl<'_>, text: &str) -> Result<(), &'static str> {
    let content = text[find.content.clone()].chars().filter(|c| !c.is_whitespace());
    let is_content = !find.url.is_empty() && !find.url.contains(['<', '>']) && content.eq(find.url.chars());
    ensure(is_content, "a URL is not the text between its delimiters")?;
    if let Ambiguity::Hyphens(at) = &find.ambiguity {
        let are_hyphens = at.iter().all(|&at| find.url.as_bytes().get(at) == Some(&b'-'));
        ensure(are_hyphens, "an ambiguous hyphen is another character")?;
    }
    let (kept, other) = find.candidates(text);
    let differ = other.is_some() == (find.ambiguity != Ambiguity::None) && other.is_none_or(|other| other != kept);
    ensure(kept == find.url && differ, "the candidates are not the URL and, if it is ambiguous, another string")
}

/// Checks that a new search from the end of the previous URL has the same result.
fn check_next(find: Option<&FoundUrl<'_>>, again: Option<&FoundUrl<'_>>) -> Result<(), &'static str> {
    ensure(find == again, "a search from the end of the previous URL finds another one")
}

#[cfg(test)]
mod tests {
    use super::{RunningText, check_content, check_delimiters, check_next, check_position, extractors};
    use crate::{Classes, Property, TextInput};
    use proptest::prelude::*;
    use urlstrata::context::{Ambiguity, Delimiter, Extractor, FoundUrl};
    use urlstrata_harness::vector::Suite;

    #[track_caller]
    fn assert_holds(text: String) {
        let text = TextInput(text);
        assert_eq!(RunningText::check(&text, &mut Classes::default()), Ok(()), "{text:?}");
    }

    #[test]
    fn it_holds_for_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut classes = Classes::default();
        for text in RunningText::seeds(&suite) {
            assert_eq!(RunningText::check(&text, &mut classes), Ok(()), "{text:?}");
        }
        assert!(classes.0.len() > 10, "{classes:?}");
    }

    fn extractor(id: &str) -> &'static Extractor {
        extractors().find(|extractor| extractor.0 == id).expect("a revision on running text").1
    }

    #[test]
    fn each_way_to_read_is_listed_once() {
        let ids: Vec<_> = extractors().map(|extractor| extractor.0).collect();
        assert!(ids.contains(&"appendix-b-1994") && !ids.contains(&"rfc1738") && !ids.contains(&"rfc1808"), "{ids:?}");
    }

    #[test]
    fn wrong_positions_delimiters_and_contents_are_violations() {
        let text = "é <URL:http://a/b-\n> c";
        let rfc1738 = extractor("appendix-b-1994");
        let right = rfc1738.find(text).next().expect("a URL");
        let changed = |change: &dyn Fn(&mut FoundUrl<'_>)| {
            let mut find = right.clone();
            change(&mut find);
            find
        };
        assert_eq!(check_position(&right, text, 3), Ok(()));
        assert!(check_position(&right, text, 4).is_err_and(|why| why.contains("before the end of the previous")));
        for wrapper in [1..22, 3..99, 3..3] {
            let find = changed(&|find| find.wrapper = wrapper.clone());
            assert!(check_position(&find, text, 0).is_err_and(|why| why.contains("is not in the text")), "{wrapper:?}");
        }
        for content in [0..20, 8..23, 8..99] {
            let find = changed(&|find| find.content = content.clone());
            assert!(check_position(&find, text, 0).is_err_and(|why| why.contains("do not enclose it")), "{content:?}");
        }
        assert_eq!(check_delimiters(rfc1738, &right, text), Ok(()));
        for delimiter in [Delimiter::Brackets, Delimiter::Quotes, Delimiter::WhiteSpace] {
            assert!(
                check_delimiters(rfc1738, &changed(&|find| find.delimiter = delimiter), text).is_err(),
                "{delimiter:?}"
            );
        }
        assert!(check_delimiters(rfc1738, &changed(&|find| find.wrapper = 3..20), text).is_err());
        assert_eq!(check_content(&right, text), Ok(()));
        for (wrong, why) in [
            (changed(&|find| find.url = "http://a/b".into()), "the text between"),
            (changed(&|find| find.ambiguity = Ambiguity::Hyphens(vec![1])), "another character"),
            (changed(&|find| find.ambiguity = Ambiguity::Hyphens(Vec::new())), "candidates"),
        ] {
            assert!(check_content(&wrong, text).is_err_and(|violation| violation.contains(why)), "{wrong:?}");
        }
        assert!(check_next(Some(&right), Some(&right.clone())).is_ok() && check_next(None, None).is_ok());
        assert!(check_next(None, Some(&right)).is_err() && check_next(Some(&right), None).is_err());
    }

    #[test]
    fn it_holds_for_every_short_text() {
        const TOKENS: [&str; 10] = ["<", ">", "URL:", "a://b", "\"", " ", "-", "\n", ".", "é"];
        for length in 0..=5_u32 {
            for mut number in 0..10_usize.pow(length) {
                let mut text = String::new();
                for _ in 0..length {
                    text.push_str(TOKENS[number % 10]);
                    number /= 10;
                }
                assert_holds(text);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_for_random_texts(text in "(<|>|URL:|a://|[a-z.-]|\"|\\PC|[ \n\r\t]|[()]){0,60}") {
            assert_holds(text);
        }
    }
}
