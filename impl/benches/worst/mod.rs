//! Inputs as long as one likes.

/// What it is called, and base and reference of about that many bytes.
pub type Shape = (&'static str, fn(usize) -> (String, String));

/// Those that make naive code quadratic, and the plainest.
pub const WORST: &[Shape] = &[
    ("`a/`×2n `../`×n", |length| ("http://h/b".to_owned(), "a/".repeat(length / 7 * 2) + &"../".repeat(length / 7))),
    ("`../`×n on `a/`×2n", |length| {
        (format!("http://h/{}", "a/".repeat(length / 7 * 2)), "../".repeat(length / 7) + "g")
    }),
    ("`../`×n", |length| ("http://h/b".to_owned(), "../".repeat(length / 3))),
    ("`./`×n", |length| ("http://h/a/b".to_owned(), "./".repeat(length / 2))),
    ("`//`×n", |length| ("http://h/a/b".to_owned(), "a".to_owned() + &"//".repeat(length / 2))),
    ("`;`×n", |length| ("http://h/a/b".to_owned(), "a".to_owned() + &";".repeat(length))),
    ("plain", |length| ("http://h/a/b".to_owned(), "a".repeat(length))),
];
