//! The changes of Elixir's `URI`.

use urlstrata_steps::{Change, Witness};

pub(super) static EMPTY_SEGMENTS: Change = Change {
    id: "#10771",
    versions: &["1.12.0"],
    date: "2021-05-19",
    issue: "https://github.com/elixir-lang/elixir/issues/10771",
    says: "empty segments of paths are kept",
    witness: Witness::resolving("http://a/b", "c//d", Some("http://a/c/d"), Some("http://a/c//d")),
};

pub(super) static HOSTS: Change = Change {
    id: "756611099d",
    versions: &["1.13.0"],
    date: "2021-12-03",
    issue: "https://github.com/elixir-lang/elixir/commit/756611099d",
    says: "it is the host that a base needs and that a reference replaces, and not the authority",
    witness: Witness::resolving("http://a/b", "//:8/c", Some("http://:8/c"), Some("http://a/c")),
};

pub(super) static SOCKETS: Change = Change {
    id: "ws",
    versions: &["1.14.0"],
    date: "2022-09-01",
    issue: "https://github.com/elixir-lang/elixir/pull/11738",
    says: "ws and wss have default ports",
    witness: Witness::resolving("http://a/b", "ws://c:80/", Some("ws://c:80/"), Some("ws://c/")),
};

pub(super) static EXAMPLES: Change = Change {
    id: "#12180",
    versions: &["1.15.0"],
    date: "2023-06-19",
    issue: "https://github.com/elixir-lang/elixir/pull/12180",
    says: "a path that ends in a dot segment ends in a slash, and `..` also removes the first segment of a path without a leading slash",
    witness: Witness::resolving("http://a/b/c", ".", Some("http://a/b"), Some("http://a/b/")),
};

pub(super) static BASE_DOTS: Change = Change {
    id: "#14341",
    versions: &["1.19.0"],
    date: "2025-10-16",
    issue: "https://github.com/elixir-lang/elixir/pull/14341",
    says: "the last segment of the base's path is dropped also if it is a dot segment",
    witness: Witness::resolving("http://a/b/..", "c", Some("http://a/+/c"), Some("http://a/b/c")),
};

pub(super) static SCHEMES: Change = Change {
    id: "#14344",
    versions: &["1.19.0"],
    date: "2025-10-16",
    issue: "https://github.com/elixir-lang/elixir/pull/14344",
    says: "a base needs a scheme, and not a host",
    witness: Witness::resolving("a:b", "c", None, Some("a:c")),
};

pub(super) static ROOT: Change = Change {
    id: "#14346",
    versions: &["1.19.0"],
    date: "2025-10-16",
    issue: "https://github.com/elixir-lang/elixir/pull/14346",
    says: "a path of which only its first slash remains keeps it",
    witness: Witness::resolving("http://a/b", "..", Some("http://a"), Some("http://a/")),
};

pub(super) static NO_PATH: Change = Change {
    id: "#14358",
    versions: &["1.19.0"],
    date: "2025-10-16",
    issue: "https://github.com/elixir-lang/elixir/pull/14358",
    says: "the path of a reference gets no slash before it if the base has neither a host nor a path",
    witness: Witness::resolving("a:", "c", Some("a:/c"), Some("a:c")),
};
