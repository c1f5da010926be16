//! The table of character classes agrees with the grammars, for every class that is also a production.

use urlstrata::characters::{self, Octets};
use urlstrata::grammar::{self, Grammar};

fn derived(grammar: &'static Grammar, name: &str) -> Option<Vec<u8>> {
    let mut production = grammar.recognizer(name)?;
    let derives = |octet: &u8| production.is_match(char::from(*octet).encode_utf8(&mut [0; 4]));
    Some((0..0x80).filter(derives).collect())
}

#[test]
fn classes_equal_the_productions_of_the_same_name() {
    let mut compared = 0;
    for alphabet in characters::ALL {
        for grammar in alphabet.revisions.iter().filter_map(|id| grammar::by_revision(id)) {
            for class in alphabet.classes {
                let Some(derived) = derived(grammar, class.name) else { continue };
                compared += 1;
                assert_eq!(ascii(class.octets), derived, "{} of {}", class.name, grammar.id);
            }
        }
    }
    assert!(compared >= 30, "{compared} classes compared");
}

fn ascii(octets: Octets) -> Vec<u8> {
    octets.iter().filter(|octet| *octet < 0x80).collect()
}

#[test]
fn octets_are_in_the_classes_that_list_them() {
    let classes_of = |id: &str, octet| characters::by_revision(id).expect("an alphabet").classes_of(octet);
    assert_eq!(classes_of("rfc1738", b'$'), ["safe"]);
    assert_eq!(classes_of("rfc1738", b'#'), ["punctuation", "unsafe"]);
    assert_eq!(classes_of("rfc1630", b'+'), ["of xpalpha alone"]);
    assert_eq!(
        [0, 0xe9].map(|octet| classes_of("rfc1738", octet)),
        [["no graphic character"], ["no graphic character"]]
    );
}

#[test]
fn only_necessary_octets_are_encoded() {
    let rfc1738 = characters::by_revision("rfc1738").expect("an alphabet");
    let name = rfc1738.component("ftp directory or name").expect("a component");
    assert_eq!(rfc1738.encode(b"a/b;c d$\xe9", name), "a%2Fb%3Bc%20d$%E9");
}
