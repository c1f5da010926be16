//! The changes of Bun. Their versions were found by asking versions of Bun; the first two may have come with a version after 0.5.9 that was not
//! asked.

use urlstrata_steps::standard::adopts;
use urlstrata_steps::{Change, Witness};

pub(super) static PORT_ZERO: Change = Change {
    id: "port 0",
    versions: &["0.7.2"],
    date: "2023",
    issue: "",
    says: "the port 0 is kept if the scheme begins with `w` and is not special",
    witness: Witness::resolving("", "w://x:0", Some("w://x"), Some("w://x:0")),
};

pub(super) static CONTROL: Change = Change {
    id: "control characters",
    versions: &["0.8.1"],
    date: "2023",
    issue: "",
    says: "control characters are percent-encoded in the host of a scheme that is not special",
    witness: Witness::resolving("", "a://\x7f", None, Some("a://%7F")),
};

pub(super) static BACKSLASH_AFTER_HOST: Change = Change {
    id: "backslash after a host",
    versions: &["1.1.1"],
    date: "2024-04",
    issue: "",
    says: "a backslash ends a host after credentials, too",
    witness: Witness::resolving("", "ws://u@h\\", None, Some("ws://u@h/")),
};

pub(super) static CARET: Change = adopts(
    "9bc33c3",
    "",
    "carets are percent-encoded in paths",
    (&["1.2.5"], "2025-03"),
    Witness::resolving("", "a:/^", Some("a:/^"), Some("a:/%5E")),
);

pub(super) static OPAQUE_SPACES: Change = adopts(
    "6c78200",
    "",
    "the last space of an opaque path before a query or a fragment is percent-encoded",
    (&["1.2.6"], "2025-03"),
    Witness::resolving("", "foo:a ?b", Some("foo:a ?b"), Some("foo:a%20?b")),
);

pub(super) static DRIVE_AFTER_SLASHES: Change = Change {
    id: "FilePathStart",
    versions: &["1.2.6"],
    date: "2025-03",
    issue: "",
    says: "a drive letter after three slashes is written with a colon",
    witness: Witness::resolving("", "file:///c|", Some("file:///c|"), Some("file:///c:")),
};

pub(super) static ONE_SLASH: Change = Change {
    id: "one slash",
    versions: &["1.3.13"],
    date: "2026-04",
    issue: "",
    says: "a reference that consists of the scheme of the base, a colon and a slash is resolved",
    witness: Witness::resolving("http://h/a", "http:/", None, Some("http://h/")),
};

pub(super) static BACKSLASH: Change = Change {
    id: "backslash",
    versions: &["1.3.13"],
    date: "2026-04",
    issue: "",
    says: "a relative reference does not begin with a backslash as with a slash if the scheme is not special",
    witness: Witness::resolving("foo:/h", "\\#", Some("foo:/#"), Some("foo:/\\#")),
};
