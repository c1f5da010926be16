//! Pairs: lines with a pair, and generated pairs.

mod bases;
mod confusing;
mod generate;

use urlstrata_model::pairs::{split, split_with_place};

#[test]
fn a_line_without_a_tab_is_invalid() {
    assert!(split("no tab here").is_err_and(|why| why.starts_with("no tab")));
    assert_eq!(split("a\tb\tc"), Ok(("a", "b\tc")));
}

#[test]
fn the_place_is_after_the_last_tab() {
    assert_eq!(split_with_place("a\tb\tf:1"), Ok(("a", "b", "f:1")));
    assert_eq!(split_with_place("a\tb\tc\t\tf:1"), Ok(("a", "b\tc\t", "f:1")));
    assert_eq!(split_with_place("\t\t"), Ok(("", "", "")));
}

#[test]
fn a_line_without_a_second_tab_has_no_place() {
    let wanted = "a line is a base, a tab, a reference, a tab and a place";
    assert_eq!(split_with_place("a\tb"), Err(format!("no second tab: {wanted}")));
    assert_eq!(split_with_place("a"), Err(format!("no tab: {wanted}")));
}
