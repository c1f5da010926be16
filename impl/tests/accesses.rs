//! Agreement on a few pairs, for Miri, which checks each access to memory (`.ci/run` has the command).

mod forms;

use forms::{Forms, same};
use urlstrata::revision;

/// Lengths around those at which scanning or copying changes.
const LENGTHS: [usize; 18] = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129];

#[test]
fn every_form_agrees_around_block_sizes() {
    let rfc3986 = revision::by_id("rfc3986").expect("a revision");
    let rules = rfc3986.rules.expect("a rule set");
    for base in
        ["http://a/", "s:", &format!("http://h/{}/?q", "d/".repeat(40)), &format!("http://{}/d/", "h".repeat(60))]
    {
        let mut forms = Forms::of(rules, base);
        for (at, length) in LENGTHS.into_iter().enumerate() {
            let start = ["", "../", "#", "//h/", "http://h/", "mailto:", "/x/../"][at % 7];
            same(rfc3986, &mut forms, &format!("{start}{}", "y".repeat(length)));
            same(rfc3986, &mut forms, &"y".repeat(length));
        }
    }
}
