//! The table of character classes agrees with the grammars, for every class that is also a production, and decoding inverts
//! encoding.

use urlstrata::characters::{self, Octets, Status, changes, decode, encode_all};
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

#[track_caller]
fn between(older: &str, newer: &str) -> String {
    let [older, newer] = [older, newer].map(|id| characters::by_revision(id).expect("an alphabet"));
    changes(older, newer).iter().map(|it| it.octet as char).collect()
}

#[test]
fn decoding_inverts_encoding_in_every_component() {
    let octets: Vec<u8> = (0..=u8::MAX).collect();
    for alphabet in characters::ALL {
        for component in alphabet.components {
            let text = alphabet.encode(&octets, component);
            assert_eq!(decode(&text).as_ref(), Ok(&octets), "{} {}", alphabet.cite, component.name);
            assert_eq!(alphabet.first_excluded(&text), None, "{} {}", alphabet.cite, component.name);
        }
    }
    assert_eq!(decode(&encode_all(&octets)), Ok(octets));
}

#[test]
fn every_octet_has_one_status_and_no_combined_class_contains_an_excluded_one() {
    for alphabet in characters::ALL {
        for class in alphabet.classes.iter().filter(|class| !class.is_list) {
            for octet in class.octets.iter() {
                assert_ne!(alphabet.status(octet), Status::Excluded, "{} {}", alphabet.cite, class.name);
            }
        }
        for component in alphabet.components {
            for octet in component.reserved.bytes() {
                assert_eq!(alphabet.status(octet), Status::Reserved, "{} {octet:?}", alphabet.cite);
            }
        }
        // An octet that was unreserved too would not have this status.
        for octet in alphabet.class("reserved").expect("a class").octets.iter() {
            assert_eq!(alphabet.status(octet), Status::Reserved, "{} {octet:?}", alphabet.cite);
        }
    }
}

#[test]
fn changes_between_specifications_are_computed() {
    assert_eq!(between("rfc1630", "rfc1738"), " \"#%&+@`");
    assert_eq!(between("rfc1738", "rfc1808"), "");
    assert_eq!(between("rfc1808", "draft-1996"), "+[\\]^`{|}~");
    assert_eq!(between("draft-1996", "rfc2396"), "$,~");
    assert_eq!(between("rfc2396", "rfc3986"), "!#'()*[]");
}

/// A URL may contain the character if its status is not *excluded*, and encoding keeps the meaning if it is
/// *unreserved*.
#[test]
fn witnesses_show_the_change() {
    for pair in characters::ALL.windows(2) {
        for found in changes(&pair[0], &pair[1]) {
            for (alphabet, standing) in [(&pair[0], found.from), (&pair[1], found.to)] {
                let coded = ["http://a/", &encode_all(&[found.octet])].concat();
                let excluded = alphabet.first_excluded(&found.witness) == Some("http://a/".len());
                assert_eq!(excluded, standing == Status::Excluded, "{} {found:?}", alphabet.cite);
                let same = alphabet.decode_unreserved(&coded).as_ref() == Ok(&found.witness);
                assert_eq!(same, standing == Status::Unreserved, "{} {found:?}", alphabet.cite);
            }
        }
    }
}

#[test]
fn malformed_escapes_are_reported_with_their_position() {
    for (text, offset) in [("%", 0), ("a%4", 1), ("%41%zz", 3), ("a%é", 1), ("%%41", 0)] {
        assert_eq!(decode(text).map_err(|error| error.offset), Err(offset), "{text}");
    }
    assert_eq!(decode("%2f%2F"), Ok(b"//".to_vec()));
}

#[test]
fn decoding_takes_linear_time() {
    let text = "%41".repeat(1 << 20);
    assert_eq!(decode(&text).map(|octets| octets.len()), Ok(1 << 20));
    let rfc3986 = characters::by_revision("rfc3986").expect("an alphabet");
    assert_eq!(rfc3986.decode_unreserved(&text).map(|text| text.len()), Ok(1 << 20));
    assert_eq!(rfc3986.decode_unreserved(&"%%".repeat(1 << 20)).map_err(|error| error.offset), Err(0));
}
