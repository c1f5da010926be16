//! Removed characters in words.

use urlstrata::revision::{self, rfc1630, rfc3986};
use urlstrata_model::behaviour::{Behaviour, Cleaning, Decided};

/// Describes RFC 3986's behaviour after this cleaning.
fn described(reference: Cleaning, base: Cleaning) -> Vec<String> {
    let behaviour = Behaviour { reference, base, ..Behaviour::of_rules(&rfc3986::RULES) };
    behaviour.description(&Decided::new(), &rfc3986::RULES).general
}

/// Returns the names of characters that are removed everywhere.
fn named(characters: &[char]) -> String {
    let cleaning = Cleaning { everywhere: characters.to_vec(), ..Cleaning::default() };
    let sentences = described(cleaning.clone(), cleaning).join("\n");
    let names =
        sentences.strip_prefix("Removes ").and_then(|it| it.strip_suffix(" everywhere in references and bases."));
    names.unwrap_or_else(|| panic!("{sentences}")).to_owned()
}

#[test]
fn what_is_removed_everywhere_is_not_repeated() {
    let [tab, space] = [vec!['\t'], vec!['\t', ' ']];
    let reference = Cleaning { everywhere: tab.clone(), start: space.clone(), end: tab, ..Cleaning::default() };
    let base = Cleaning { end: space, ..reference.clone() };
    assert_eq!(
        described(reference, base),
        [
            "Removes U+0009 everywhere in references and bases.",
            "Removes U+0009, U+0020 at the start of references.",
            "Removes U+0009, U+0020 at the start and the end of bases.",
        ]
    );
}

#[test]
fn characters_are_listed_as_ranges() {
    assert_eq!(
        named(&['\0', '\u{1}', '\u{2}', '!', '"', '#', '0', '1', '2', 'a']),
        "U+0000 to U+0002, `!`, `\"`, `#`, `0` to `2`, `a`"
    );
}

#[test]
fn white_space_outside_ascii_has_one_name() {
    let white: Vec<char> = ('\u{80}'..=char::MAX).filter(|c| c.is_whitespace()).collect();
    assert_eq!(named(&white), "Unicode white space such as U+2000");
    let of_scripts: Vec<char> = [' '].into_iter().chain(white).chain(['\u{feff}']).filter(|c| *c != '\u{85}').collect();
    assert_eq!(named(&of_scripts), "U+0020, U+FEFF, Unicode white space such as U+2000, except U+0085,");
    assert_eq!(named(&['\u{2028}', '\u{2029}']), "U+2028, U+2029");
}

/// A behaviour is described from the specification that is given.
#[test]
fn a_specification_does_not_differ_from_itself() {
    for (id, rules) in revision::ALL.iter().filter_map(|revision| Some((revision.id, revision.rules?))) {
        let own = Behaviour::of_rules(rules);
        assert!(own.description(&Decided::new(), rules).general.is_empty(), "{id}");
    }
    let other = Behaviour::of_rules(&rfc1630::RULES).description(&Decided::new(), &rfc3986::RULES);
    assert!(!other.general.is_empty(), "RFC 1630 reads other schemes and fragments than RFC 3986");
}
