//! The table of characters and the grammars say the same of every class that has a production of its name.

use urlstrata::characters::{self, Octets};
use urlstrata::grammar::{self, Grammar};

fn derived(grammar: &'static Grammar, name: &str) -> Option<Vec<u8>> {
    let mut production = grammar.recogniser(name)?;
    let derives = |octet: &u8| production.is_member(char::from(*octet).encode_utf8(&mut [0; 4]));
    Some((0..0x80).filter(derives).collect())
}

#[test]
fn a_class_is_what_its_production_derives() {
    let mut compared = 0;
    for alphabet in characters::ALL {
        for grammar in alphabet.revisions.iter().filter_map(|id| grammar::of(id)) {
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
