//! The changes of ufo, by the sources of its versions. Their dates are not known.

use urlstrata_steps::{Change, Question, Witness};

const fn change(
    id: &'static str,
    versions: &'static [&'static str],
    says: &'static str,
    (reference, before, after): (&'static str, &'static str, &'static str),
) -> Change {
    let witness = Witness { question: Question::Parse, base: "", reference, before: Some(before), after: Some(after) };
    Change { id, versions, date: "", issue: "", says, witness: Some(witness) }
}

pub(super) static DRIVE: Change = change(
    "1.0.0",
    &["1.0.0"],
    "the first slash before a letter and a colon is removed from the path",
    (
        "x://h/c:",
        "scheme=x authority=h userinfo= host=h path=/c: query= fragment=",
        "scheme=x authority=h userinfo= host=h path=c: query= fragment=",
    ),
);

pub(super) static LETTERS: Change = change(
    "1.0.1",
    &["1.0.1"],
    "a scheme has two or more letters",
    ("x:a", "scheme= authority= userinfo= host= path= query= fragment=", "path=x:a query= fragment="),
);

pub(super) static PORT: Change = change(
    "1.1.0 port",
    &["1.1.0"],
    "the host ends at a colon, and digits after it are the port",
    (
        "xy://h:8",
        "scheme=xy authority=h:8 userinfo= host=h:8 path= query= fragment=",
        "scheme=xy authority=h:8 userinfo= host=h port=8 path= query= fragment=",
    ),
);

pub(super) static BACKSLASH: Change = change(
    "1.1.0 backslash",
    &["1.1.0"],
    "two backslashes at the start are two slashes",
    (
        r"\\h",
        r"path=\\h query= fragment=",
        "scheme= authority=h userinfo= host=h path= query= fragment=",
    ),
);

pub(super) static SPACES: Change = change(
    "1.1.1",
    &["1.1.1"],
    "a text may begin with more than two slashes, and with white space after each",
    (
        "///h",
        "path=///h query= fragment=",
        "scheme= authority= userinfo= host= path=/h query= fragment=",
    ),
);

pub(super) static SCRIPT: Change = change(
    "1.3.0 script",
    &["1.3.0"],
    "what follows `blob:`, `data:`, `javascript:` or `vbscript:` is the path",
    (
        "data://h",
        "scheme=data authority=h userinfo= host=h path= query= fragment=",
        "scheme=data authority= userinfo= host= path=//h query= fragment=",
    ),
);

pub(super) static START: Change = change(
    "1.3.0 start",
    &["1.3.0"],
    "the scheme begins at the start of the text, after white space and NUL, and may have +, - and .",
    (
        "a.b://h",
        "path=a.b://h query= fragment=",
        "scheme=a.b authority=h userinfo= host=h path= query= fragment=",
    ),
);

pub(super) static CASE: Change = change(
    "1.3.2",
    &["1.3.2"],
    "the scheme is written in lower case",
    (
        "HTTP://h",
        "scheme=HTTP authority=h userinfo= host=h path= query= fragment=",
        "scheme=http authority=h userinfo= host=h path= query= fragment=",
    ),
);

pub(super) static FILE: Change = change(
    "1.5.4",
    &["1.5.4"],
    "the slash before a letter and a colon is removed from the paths of `file` URLs only",
    (
        "xy://h/c:",
        "scheme=xy authority=h userinfo= host=h path=c: query= fragment=",
        "scheme=xy authority=h userinfo= host=h path=/c: query= fragment=",
    ),
);
