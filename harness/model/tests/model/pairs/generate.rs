//! Enumerated strings.

use std::collections::BTreeSet;

use urlstrata_model::pairs::generate::{count, nth};

#[test]
fn every_string_has_a_unique_index() {
    let alphabet: Vec<char> = "a./".chars().collect();
    let total = count(3, 4).expect("a number");
    let mut text = String::new();
    let all: BTreeSet<String> = (0..total)
        .map(|number| {
            nth(&alphabet, number, &mut text);
            text.clone()
        })
        .collect();
    assert_eq!((total, all.len()), (1 + 3 + 9 + 27 + 81, 121));
    assert!(all.iter().all(|text| text.len() <= 4));
}

#[test]
fn an_overflowing_count_is_none() {
    assert_eq!(count(1_000_000, 40), None);
    assert_eq!(count(8, 6), Some(299_593));
}
