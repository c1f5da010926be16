//! The messages that are read: questions to a name server, packets, the first message of TLS, and requests.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use urlstrata_wire::client_hello::{is_partial, server_name};
use urlstrata_wire::name_server::{Names, Question};
use urlstrata_wire::packet::attempt;
use urlstrata_wire::request::Request;

use crate::client::client_hello;

/// A query for the IPv4 address of `labels`.
pub(crate) fn query(labels: &[&[u8]]) -> Vec<u8> {
    let mut message = vec![1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in labels {
        message.push(u8::try_from(label.len()).expect("short"));
        message.extend(*label);
    }
    message.extend([0, 0, 1, 0, 1]);
    message
}

pub(crate) fn messages_are_read_as_their_specifications_define() {
    let message = query(&[b"a.b", b"\\\xff", b"test"]);
    let question = Question::read(&message).expect("a question");
    assert_eq!((question.name.as_str(), question.is_ipv4), ("a\\.b.\\\\\\255.test", true));
    let mut names = Names::default();
    let address = names.address_of("Ok.example").expect("an address");
    assert_eq!(names.address_of("ok.EXAMPLE"), Some(address));
    assert_ne!(names.address_of("other.test"), Some(address));
    assert_eq!((names.address_of(""), names.host_of(IpAddr::V4(address))), (None, "ok.EXAMPLE".to_owned()));
    let numbers = names.address_of("0x7f.1").expect("an address");
    assert_eq!(names.host_of(IpAddr::V4(numbers)), "0x7f.1.");
    assert_eq!(names.host_of(IpAddr::V4(Ipv4Addr::LOCALHOST)), "127.0.0.1");
    let answer = question.answer(&message, Some(address));
    assert_eq!(
        (answer[..2].to_vec(), answer[7], answer[answer.len() - 4..].to_vec()),
        (vec![1, 2], 1, address.octets().to_vec())
    );
    // Only the last four bytes of an empty answer differ: there are none.
    assert_eq!(question.answer(&message, None)[7], 0);

    let hello = client_hello("name.test");
    assert_eq!(server_name(&hello).as_deref(), Some("name.test"));
    assert!(!is_partial(&hello) && is_partial(&hello[..hello.len() - 1]) && is_partial(&hello[..3]));
    assert_eq!(server_name(&hello[..60]).as_deref(), Some(""));

    let request =
        Request::read(b"GET /a b HTTP/1.1\r\nhost: x\r\nHOST: y\r\nAuthorization: Bearer t\r\nReferer: r\r\n\r\nbody");
    let expected = Request {
        method: "GET".to_owned(),
        target: "/a b".to_owned(),
        host: Some("x".to_owned()),
        credentials: Some("Bearer t".to_owned()),
        referer: Some("r".to_owned()),
    };
    assert_eq!(request, expected);

    let mut packet = vec![0x45; 40];
    (packet[9], packet[33]) = (6, 2);
    packet[22..24].copy_from_slice(&8081_u16.to_be_bytes());
    assert_eq!(attempt(&packet).map(|(_, destination)| destination.port()), Some(8081));
    // An answer to an attempt is not one.
    packet[33] = 18;
    assert_eq!(attempt(&packet), None);
}

pub(crate) fn no_bytes_lead_to_a_panic() {
    let hello = client_hello("name.test");
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        (0..hello.len(), any::<u8>()).prop_map(move |(at, byte)| {
            let mut changed = hello.clone();
            changed[at] = byte;
            changed
        }),
        (0..40_usize, any::<u8>()).prop_map(|(at, byte)| {
            let mut changed = query(&[b"a", b"test"]);
            let at = at % changed.len();
            changed[at] = byte;
            changed
        }),
    ];
    let without_files = Config { failure_persistence: None, ..Config::default() };
    let tried = TestRunner::new(without_files).run(&bytes, |bytes| {
        server_name(&bytes);
        is_partial(&bytes);
        attempt(&bytes);
        Request::read(&bytes);
        if let Some(question) = Question::read(&bytes) {
            prop_assert!(question.answer(&bytes, Names::default().address_of(&question.name)).len() >= 12);
        }
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
}
