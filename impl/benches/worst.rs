//! Inputs that take naive code quadratic time, in any length.

/// A name, and a function that returns a base and a reference of about the given number of bytes.
pub type Shape = (&'static str, fn(usize) -> (String, String));

/// The inputs, and a plain one to compare them with.
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
