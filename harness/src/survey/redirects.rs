//! The redirects that clients follow: URLs, and the field `Location` of the responses to them, from rules.

use super::urls::{STRANGER, TRUSTED};
use crate::engine::statement::{UrlPanel, redirect};

/// The URLs whose responses redirect: a plain one, one with credentials, and one with a port and a query.
const BASES: [&str; 3] = ["http://ok.example/a/b", "http://u:p@ok.example/a/b", "http://ok.example:8080/a/b?q"];

/// References that all specifications resolve to the host of the base, or that specifications resolve differently.
const REFERENCES: [&str; 38] = [
    "",
    "c",
    "/c",
    "./c",
    "../c",
    "../../../c",
    "?q",
    "#f",
    "?",
    "#",
    ".",
    "..",
    "/./c",
    "/../c",
    "c/../d",
    "c/./d",
    ";p",
    "c;p=q",
    "%2e%2e/c",
    "c d",
    "c%20d",
    "\u{e9}",
    "/\u{e9}?\u{e9}#\u{e9}",
    "c#f",
    "c?q#f",
    "a:b",
    "./a:b",
    "/a:b",
    "*",
    "[",
    "c\\d",
    "..\\c",
    "%",
    "%zz",
    "c//d",
    "/c//d",
    "c'\"<>",
    "http",
];

/// The beginnings of references with a host after them.
const BEFORE_HOST: [&str; 34] = [
    "//",
    "///",
    "////",
    "/////",
    "/\\",
    "\\/",
    "\\\\",
    "\\\\\\\\",
    "/ /",
    "/%2f",
    "%2f%2f",
    "/./",
    "/.//",
    "/..//",
    ".//",
    " //",
    "//\u{3000}",
    "http:",
    "http:/",
    "http://",
    "http:///",
    "http:////",
    "http:\\\\",
    "http:/\\",
    "HTTP://",
    "https:",
    "https:/",
    "https://",
    "https:///",
    "ftp://",
    "file://",
    "javascript://",
    "data://",
    "foo://",
];

/// Hosts with what belongs to them: the trusted host, another one, and texts that libraries read differently.
const HOSTS: [&str; 28] = [
    "ok.example",
    "OK.EXAMPLE",
    "ok.example.",
    "sub.ok.example",
    "ok.example:80",
    "ok.example:8080",
    "ok.example:443",
    "ok.example:",
    "ok.example:0",
    "ok.example:65616",
    "v:w@ok.example",
    "evil.test",
    "v:w@evil.test",
    "@evil.test",
    "ok.example@evil.test",
    "ok.example\\@evil.test",
    "evil.test\\@ok.example",
    "ok.example%2f@evil.test",
    "ok.example%00.evil.test",
    "ok.example\\.evil.test",
    "evil.test#@ok.example",
    "evil.test?@ok.example",
    "a@b@evil.test",
    "127.0.0.1",
    "0x7f.1",
    "0177.1",
    "[::1]",
    "\u{2460}\u{2461}\u{2466}.0.0.1",
];

/// White space and controls that libraries remove or encode. A field cannot contain NUL, CR or LF.
const SPACE: [char; 9] = ['\t', ' ', '\u{b}', '\u{c}', '\u{1f}', '\u{7f}', '\u{a0}', '\u{200b}', '\u{feff}'];

/// Returns the redirects, each as a [`redirect`].
pub fn panel() -> UrlPanel {
    let [plain, with_credentials, with_port] = BASES;
    let on = |base: &'static str, locations: Vec<String>| {
        locations.into_iter().map(move |location| redirect(base, &location))
    };
    let references: Vec<String> = REFERENCES.map(str::to_owned).to_vec();
    let hosts = |host: &'static str| BEFORE_HOST.iter().map(move |before| format!("{before}{host}/c"));
    let to_hosts: Vec<String> =
        HOSTS.iter().flat_map(|host| [format!("//{host}/c"), format!("http://{host}/c")]).collect();
    let secure: Vec<String> = HOSTS.iter().take(14).map(|host| format!("https://{host}/c")).collect();
    let space = SPACE.iter().flat_map(|c| {
        [
            format!("{c}//{STRANGER}/c"),
            format!("/{c}/{STRANGER}/c"),
            format!("http:{c}//{STRANGER}/c"),
            format!("http://{STRANGER}{c}.{TRUSTED}/c"),
            format!("{c}/c"),
            format!("/c{c}"),
            format!("c{c}d"),
        ]
    });
    let first = references
        .iter()
        .cloned()
        .chain(hosts(STRANGER))
        .chain(hosts(TRUSTED))
        .chain(to_hosts.clone())
        .chain(secure.clone())
        .chain(space);
    let second = references
        .iter()
        .take(4)
        .cloned()
        .chain(hosts(STRANGER).take(28))
        .chain(hosts(TRUSTED).take(28))
        .chain(to_hosts)
        .chain(secure);
    let third = references.iter().cloned().chain(hosts(STRANGER).take(8));
    UrlPanel::new(
        on(plain, first.collect()).chain(on(with_credentials, second.collect())).chain(on(with_port, third.collect())),
    )
}
