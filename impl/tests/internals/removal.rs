//! The removal of segments from a path.

use crate::segments::Segments;

fn pairs(path: &str, may: fn(&str, Option<&str>, usize) -> bool) -> String {
    let mut segments = Segments::cut(path.to_string());
    while segments.remove_leftmost_pair(may) {}
    segments.remove_last_pair(may);
    segments.joined()
}

#[test]
fn removes_the_leftmost_pair_until_none_remains() {
    let named = |segment: &str, _: Option<&str>, _| segment != "..";
    assert_eq!(pairs("a/b/../../c", named), "c");
    assert_eq!(pairs("../a/../../b", named), "../../b");
    assert_eq!(pairs("a/b/..", named), "a/");
    assert_eq!(pairs("a/..", named), "");
    assert_eq!(pairs("..", named), "..");
    assert_eq!(pairs("", named), "");
}

#[test]
fn removes_dot_segments_depending_on_adjacent_slashes() {
    let removed = |path: &str, goes| {
        let mut segments = Segments::cut(path.to_string());
        segments.remove_dots(goes);
        segments.joined()
    };
    assert_eq!(removed("./a/./b/.", |around| around.slash_after), "a/b/.");
    assert_eq!(removed("./a/./b/.", |around| around.slash_before), "./a/b");
}
