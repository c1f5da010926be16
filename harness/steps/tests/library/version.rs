use std::cmp::Ordering;

use proptest::prelude::*;
use urlstrata_steps::{compare_versions, is_since};

#[test]
fn numbers_are_compared_as_numbers() {
    for (older, newer) in
        [("3.9.17", "3.11.4"), ("1.9", "1.10"), ("1.0-rc1", "1.0"), ("1.0", "1.0.1"), ("v9", "10"), ("8.0.0", "8.1")]
    {
        assert_eq!(compare_versions(older, newer), Ordering::Less, "{older} {newer}");
        assert_eq!(compare_versions(newer, older), Ordering::Greater, "{newer} {older}");
    }
    assert_eq!(compare_versions("v1.2", "1.2.0"), Ordering::Equal);
}

#[test]
fn a_fix_is_in_the_branches_that_have_it_and_in_all_later_ones() {
    let first = ["3.12.0", "3.11.4", "3.10.12"];
    for version in ["3.10.12", "3.10.99", "3.11.4", "3.12.0", "3.13.0", "4.0"] {
        assert!(is_since(&first, version), "{version}");
    }
    for version in ["3.10.11", "3.11.3", "3.9.99", "3.9", "2.7.18"] {
        assert!(!is_since(&first, version), "{version}");
    }
}

#[test]
fn a_change_without_a_version_is_in_none() {
    assert!(!is_since(&[], "1.0"));
}

proptest! {
    #[test]
    fn versions_are_ordered(one in ".{0,12}", two in "[v0-9.a-c-]{0,8}", three in "[0-9.]{0,8}") {
        prop_assert_eq!(compare_versions(&one, &one), Ordering::Equal);
        prop_assert_eq!(compare_versions(&one, &two), compare_versions(&two, &one).reverse());
        if compare_versions(&one, &two).is_le() && compare_versions(&two, &three).is_le() {
            prop_assert!(compare_versions(&one, &three).is_le());
        }
    }
}
