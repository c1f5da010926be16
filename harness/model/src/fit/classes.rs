//! Classes of schemes: schemes are in one class if the engine answers the same questions alike.

use super::{Answer, Asker, Pair};
use crate::behaviour::default_port;

/// Schemes that engines treat in special ways, and some that no engine knows.
pub(super) const SCHEMES: &[&str] = &[
    "http",
    "https",
    "ftp",
    "ws",
    "wss",
    "file",
    "foo",
    "a",
    "mailto",
    "urn",
    "gopher",
    "data",
    "x-1.2+3",
    "magic",
    "fred",
    "g",
    "x",
    "news",
    "telnet",
    "ldap",
    "ldaps",
    "javascript",
    "about",
    "blob",
    "nntp",
    "rtsp",
    "sip",
    "sips",
    "imap",
    "tel",
    "jar",
    "c",
    "wais",
    "svn",
    "git",
    "postgres",
    "rtspu",
    "sftp",
    "mms",
    "prospero",
    "hdl",
    "snews",
    "shttp",
    "ssh",
    "res",
    "tag",
    "view-source",
    "s",
    "sc",
    "h",
    "wow",
    "non-special",
    "jdbc",
    "nfs",
    "sms",
    "cid",
    "ftps",
    "tftp",
    "imaps",
    "smtp",
    "pop3",
    // Schemes that Chromium registers.
    "android",
    "android-app",
    "chrome-distiller",
    "chrome-extension",
    "chrome-native",
    "chrome-resource",
    "chrome-search",
    "chromeos-steam",
    "drivefs",
    "fuchsia-dir",
    "isolated-app",
    "materialized-view",
    "steam",
];

/// A scheme that no engine knows. It differs from all schemes that are asked about.
const UNKNOWN: &str = "zzq";

/// Groups the schemes.
pub(super) fn groups(asker: &mut Asker<'_>) -> Vec<Vec<&'static str>> {
    let all: Vec<Pair> = SCHEMES.iter().flat_map(|scheme| questions(scheme)).collect();
    let answers = asker.all(&all);
    let count = all.len() / SCHEMES.len();
    let mut groups: Vec<(Vec<Answer>, Vec<&'static str>)> = Vec::new();
    for (scheme, answers) in SCHEMES.iter().zip(answers.chunks(count)) {
        let key: Vec<Answer> = answers.iter().map(|answer| answer.as_ref().map(|url| anonymous(url, scheme))).collect();
        match groups.iter_mut().find(|(own, _)| *own == key) {
            Some((_, schemes)) => schemes.push(scheme),
            None => groups.push((key, vec![scheme])),
        }
    }
    groups.into_iter().map(|(_, schemes)| schemes).collect()
}

/// Returns `url` with the scheme written as `N`, and with its default port as `P`.
fn anonymous(url: &str, scheme: &str) -> String {
    // A host before its port is not a scheme.
    let url = url.replace("//", "\0").replace(&format!("/{scheme}:"), "/N:").replace('\0', "//");
    let port = format!("h:{}/", default_port(scheme).unwrap_or("80"));
    let lower = scheme.to_ascii_lowercase();
    let rest = url.strip_prefix(scheme).or(url.strip_prefix(&*lower)).and_then(|rest| rest.strip_prefix(':'));
    match rest {
        Some(rest) => format!("N:{}", rest.replace(&port, "h:P/")),
        None => url,
    }
}

fn questions(n: &str) -> Vec<Pair> {
    let other = format!("{UNKNOWN}://o/b");
    let against = |reference: &str| (format!("{n}://h/b/c;p?q"), reference.to_owned());
    let alone = |rest: &str| (other.clone(), format!("{n}{rest}"));
    let mut pairs: Vec<Pair> =
        ["g", "g;", ".;x", ";x", "?y", "//k/x", "//é[/^", "#s", "/x/../y", "/C:/x"].map(against).into();
    pairs.extend(
        [
            "://h/x",
            ":x",
            ":/x",
            ":///x",
            "://h",
            "://h?y/z",
            "://é/",
            "://h/é[^",
            "://1.2.3.04/",
            "://0x7f.1/",
            "://u@h:8/x",
            "://H\\k/x",
            ":",
            "://h/?'\"",
            "://h/#`",
            "://%41/",
            ":x/../y",
            "://h/C:/../x",
            "://h:x/",
            "://a_b/",
            "://h/a//b",
            "://u:p@h/x",
            "://[::1]/x",
            "://h/x;y",
            "://h/%7e",
            "://h:/x",
            "://h#f",
            "://h/x y",
            ":?x",
            ":#x",
        ]
        .map(alone),
    );
    pairs.push((format!("{n}://h/b/c;p?q"), format!("{n}:g")));
    pairs.push((other.clone(), format!("{n}://h:{}/", default_port(n).unwrap_or("80"))));
    for (rest, reference) in [
        (":x/y", "g"),
        (":x", "#s"),
        (":x", ""),
        (":/x/y", "g"),
        (":/x/y", "//"),
        ("://h", "g"),
        ("://h?y", "#x"),
        (":", "g"),
    ] {
        pairs.push((format!("{n}{rest}"), reference.to_owned()));
    }
    pairs.push((String::new(), format!("{n}://localhost/x")));
    pairs.push((String::new(), format!("{n}:x")));
    pairs
}
