//! URLs in running text: each lies where it is said to, between its delimiters, and is what stands there.

use std::fmt::Write;
use std::ptr;

use urlstrata::context::{Ambiguity, Bare, Brackets, Delimiter, Extractor, FoundUrl, Quotes};
use urlstrata::revision;

use super::grammar::texts;
use super::{Fault, Law, Seen, Text};
use crate::escape::visible;
use crate::vector::{Question, Suite};

/// On running text.
pub struct RunningText;

impl Law for RunningText {
    type Case = Text;
    const NAME: &'static str = "context";
    const STATES: &'static str = "URLs in running text lie in order between their delimiters, are what stands there without white \
                                  space, and are found again by a search that remembers nothing";
    const WORDS: &'static [&'static str] = &[
        "<URL:",
        "<url: ",
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

    fn check(case: &Text, seen: &mut Seen) -> Result<(), Fault> {
        specifications().try_for_each(|(id, specification)| {
            let holds = holds(specification, &case.0, &mut |find| seen.count(&class(id, find)));
            holds.map_err(|why| Fault::new(format!("{id}: {why}")))
        })
    }

    fn seeds(suite: &Suite) -> Vec<Text> {
        let running = suite.vectors().filter_map(|(_, vector)| match &vector.question {
            Question::Text(case) => Some(&case.text),
            Question::Document(case) => Some(&case.document),
            _ => None,
        });
        running.map(|text| Text(text.clone())).chain(texts(suite).map(|url| Text(format!("<URL:{}>", url.0)))).collect()
    }

    fn show(case: &Text) -> String {
        let mut out = format!("  text  \"{}\"\n", visible(&case.0));
        for (id, specification) in specifications() {
            let _ = writeln!(out, "  {id}");
            for find in specification.find(&case.0) {
                let _ = writeln!(out, "    \"{}\" {:?} {:?}", visible(&find.url), find.wrapper, find.delimiter);
                let _ = writeln!(out, "      content {:?}, doubt {:?}", find.content, find.ambiguity);
            }
        }
        out
    }
}

/// Each way in which documents read running text, with the first revision whose document has it.
fn specifications() -> impl Iterator<Item = (&'static str, &'static Extractor)> {
    let all = || revision::ALL.iter().copied().filter_map(|revision| Some((revision.id, revision.context?)));
    all()
        .enumerate()
        .filter(move |(at, (_, specification))| !all().take(*at).any(|(_, other)| ptr::eq(other, *specification)))
        .map(|it| it.1)
}

fn class(id: &str, find: &FoundUrl<'_>) -> String {
    let doubt = match find.ambiguity {
        Ambiguity::None => "no doubt",
        Ambiguity::Hyphens(_) => "hyphens in doubt",
        Ambiguity::TrailingPunctuation(_) => "punctuation in doubt",
    };
    format!("{id}: {:?}, {doubt}", find.delimiter)
}

/// So many finds are looked for a second time: each of these searches may read all that is left.
const FOUND_AGAIN: usize = 1000;

/// Whether what `specification` finds in `text` is in order; `seen` is told each.
fn holds(specification: &Extractor, text: &str, seen: &mut dyn FnMut(&FoundUrl<'_>)) -> Result<(), &'static str> {
    let mut end = 0;
    let mut again = FOUND_AGAIN;
    for find in specification.find(text) {
        is_in_place(&find, text, end)?;
        is_delimited(specification, &find, text)?;
        is_what_stands_there(&find, text)?;
        if specification.acted(&find).next().is_none() {
            return Err("no rule of the document found a URL");
        }
        if again > 0 {
            again -= 1;
            is_next(Some(&find), specification.find_from(text, end).next().as_ref())?;
        }
        seen(&find);
        end = find.wrapper.end;
    }
    is_next(None, specification.find_from(text, end).next().as_ref())
}

/// Whether a find lies behind what precedes it, which has its `end` there.
fn is_in_place(find: &FoundUrl<'_>, text: &str, end: usize) -> Result<(), &'static str> {
    let (wrapper, content) = (&find.wrapper, &find.content);
    if wrapper.start < end || text.get(wrapper.clone()).is_none_or(str::is_empty) {
        return Err("a URL does not lie behind the one before it, or not in the text");
    }
    let within = wrapper.start <= content.start && content.end <= wrapper.end;
    match within && text.get(content.clone()).is_some() {
        true => Ok(()),
        false => Err("what delimits a URL is not around it"),
    }
}

fn is_delimited(specification: &Extractor, find: &FoundUrl<'_>, text: &str) -> Result<(), &'static str> {
    let wrapper = &text[find.wrapper.clone()];
    let between = |first, last| wrapper.len() > 1 && wrapper.starts_with(first) && wrapper.ends_with(last);
    let delimited = match find.delimiter {
        Delimiter::PrefixedBrackets => {
            between('<', '>') && text[find.wrapper.start..find.content.start].to_ascii_lowercase().contains("url:")
        }
        Delimiter::Brackets => between('<', '>') && specification.brackets == Brackets::WithOrWithout,
        Delimiter::Quotes => between('"', '"') && specification.quotes == Quotes::Delimit,
        Delimiter::WhiteSpace => {
            specification.bare == Bare::Found && find.wrapper == find.content && !wrapper.contains(char::is_whitespace)
        }
    };
    delimited.then_some(()).ok_or("a URL does not stand between its delimiters")
}

fn is_what_stands_there(find: &FoundUrl<'_>, text: &str) -> Result<(), &'static str> {
    let content = text[find.content.clone()].chars().filter(|c| !c.is_whitespace());
    if find.url.is_empty() || find.url.contains(['<', '>']) || !content.eq(find.url.chars()) {
        return Err("a URL is not what stands between its delimiters");
    }
    if let Ambiguity::Hyphens(at) = &find.ambiguity
        && !at.iter().all(|&at| find.url.as_bytes().get(at) == Some(&b'-'))
    {
        return Err("a hyphen in doubt is none");
    }
    let (kept, other) = find.candidates(text);
    match kept == find.url
        && other.is_some() == (find.ambiguity != Ambiguity::None)
        && other.is_none_or(|other| other != kept)
    {
        true => Ok(()),
        false => Err("the candidates are not the URL and, in doubt, another"),
    }
}

/// Whether a new search from where a find ended comes upon the same.
fn is_next(find: Option<&FoundUrl<'_>>, again: Option<&FoundUrl<'_>>) -> Result<(), &'static str> {
    (find == again).then_some(()).ok_or("a search from the end of a URL finds another next one")
}

#[cfg(test)]
mod tests {
    use super::{RunningText, is_delimited, is_in_place, is_next, is_what_stands_there, specifications};
    use crate::fuzz::{Law, Seen, Text};
    use crate::vector::Suite;
    use proptest::prelude::*;
    use urlstrata::context::{Ambiguity, Delimiter, Extractor, FoundUrl};

    #[track_caller]
    fn law_holds(text: String) {
        let text = Text(text);
        assert_eq!(RunningText::check(&text, &mut Seen::default()), Ok(()), "{text:?}");
    }

    #[test]
    fn it_holds_of_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut seen = Seen::default();
        for text in RunningText::seeds(&suite) {
            assert_eq!(RunningText::check(&text, &mut seen), Ok(()), "{text:?}");
        }
        assert!(seen.0.len() > 10, "{seen:?}");
    }

    fn specification(id: &str) -> &'static Extractor {
        specifications().find(|specification| specification.0 == id).expect("a document on running text").1
    }

    #[test]
    fn each_way_to_read_is_there_once() {
        let ids: Vec<_> = specifications().map(|specification| specification.0).collect();
        assert!(ids.contains(&"rfc1738") && !ids.contains(&"rfc1808"), "{ids:?}");
    }

    #[test]
    fn a_find_that_is_out_of_order_is_told() {
        let text = "é <URL:http://a/b-\n> c";
        let rfc1738 = specification("rfc1738");
        let right = rfc1738.find(text).next().expect("a URL");
        let changed = |change: &dyn Fn(&mut FoundUrl<'_>)| {
            let mut find = right.clone();
            change(&mut find);
            find
        };
        assert_eq!(is_in_place(&right, text, 3), Ok(()));
        assert!(is_in_place(&right, text, 4).is_err_and(|why| why.contains("behind the one before")));
        for wrapper in [1..22, 3..99, 3..3] {
            let find = changed(&|find| find.wrapper = wrapper.clone());
            assert!(is_in_place(&find, text, 0).is_err_and(|why| why.contains("not in the text")), "{wrapper:?}");
        }
        for content in [0..20, 8..23, 8..99] {
            let find = changed(&|find| find.content = content.clone());
            assert!(is_in_place(&find, text, 0).is_err_and(|why| why.contains("around it")), "{content:?}");
        }
        assert_eq!(is_delimited(rfc1738, &right, text), Ok(()));
        for delimiter in [Delimiter::Brackets, Delimiter::Quotes, Delimiter::WhiteSpace] {
            assert!(
                is_delimited(rfc1738, &changed(&|find| find.delimiter = delimiter), text).is_err(),
                "{delimiter:?}"
            );
        }
        assert!(is_delimited(rfc1738, &changed(&|find| find.wrapper = 3..20), text).is_err());
        assert_eq!(is_what_stands_there(&right, text), Ok(()));
        for (wrong, why) in [
            (changed(&|find| find.url = "http://a/b".into()), "what stands between"),
            (changed(&|find| find.ambiguity = Ambiguity::Hyphens(vec![1])), "is none"),
            (changed(&|find| find.ambiguity = Ambiguity::Hyphens(Vec::new())), "candidates"),
        ] {
            assert!(is_what_stands_there(&wrong, text).is_err_and(|said| said.contains(why)), "{wrong:?}");
        }
        assert!(is_next(Some(&right), Some(&right.clone())).is_ok() && is_next(None, None).is_ok());
        assert!(is_next(None, Some(&right)).is_err() && is_next(Some(&right), None).is_err());
    }

    #[test]
    fn it_holds_of_every_short_text() {
        const TOKENS: [&str; 10] = ["<", ">", "URL:", "a://b", "\"", " ", "-", "\n", ".", "é"];
        for length in 0..=5_u32 {
            for mut number in 0..10_usize.pow(length) {
                let mut text = String::new();
                for _ in 0..length {
                    text.push_str(TOKENS[number % 10]);
                    number /= 10;
                }
                law_holds(text);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_by_chance(text in "(<|>|URL:|a://|[a-z.-]|\"|\\PC|[ \n\r\t]|[()]){0,60}") {
            law_holds(text);
        }
    }
}
