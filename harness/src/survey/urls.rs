//! The URLs that libraries are asked to split: every delimiter, escape and spelling that moves a host in some library.
//!
//! Each URL follows from a rule with two host names, `ok.example`, which a check accepts, and `evil.test`, which it does not.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use crate::engine::statement::UrlPanel;

mod spelled;

use spelled::{
    BRACKETS, COMPATIBILITY, CREDENTIALS, DELIMITERS, IPV4, IPV6, PORTS, REPORTED, SCHEMES, SLASHES, SPELLINGS,
};

/// A host that checks accept in the URLs of the panel.
pub const TRUSTED: &str = "ok.example";

/// A host that checks reject in the URLs of the panel.
pub const STRANGER: &str = "evil.test";

/// Returns the URLs, in a fixed order and without duplicates.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::survey::urls;
///
/// let panel = urls::panel();
/// assert!(panel.find(r"http://evil.test\@ok.example/").is_some());
/// ```
pub fn panel() -> UrlPanel {
    let rules = [
        relative,
        between,
        around,
        user_information,
        compatibility,
        spellings,
        ipv4,
        ipv6,
        brackets,
        ports,
        slashes,
        credentials,
        doubly_escaped,
        schemes,
        space,
        rest,
        long,
        reported,
    ];
    UrlPanel::new(rules.into_iter().flat_map(|rule| rule()))
}

/// Returns more URLs, for engines that can be asked about any URL: every pair of ASCII characters that are neither letters nor digits,
/// before, between and after two hosts.
pub fn generated() -> Vec<String> {
    let characters = || (0_u8..128).filter(|byte| !byte.is_ascii_alphanumeric()).map(char::from);
    let mut urls = Vec::new();
    for first in characters() {
        for second in characters() {
            urls.extend([
                format!("http://{first}{second}{TRUSTED}/"),
                format!("http://{STRANGER}{first}{second}{TRUSTED}/"),
                format!("http://{STRANGER}{first}.{TRUSTED}{second}/"),
                format!("http://{STRANGER}{first}@{TRUSTED}{second}/"),
                format!("http:{first}{second}{TRUSTED}/"),
            ]);
        }
    }
    urls
}

/// Two hosts with one or two delimiters between them, in either order.
fn between() -> Vec<String> {
    let mut urls = Vec::new();
    for (one, other, most) in [(STRANGER, TRUSTED, DELIMITERS.len()), (TRUSTED, STRANGER, 6)] {
        for first in DELIMITERS {
            urls.push(format!("http://{one}{first}{other}/"));
            urls.push(format!("http://{one}{first}{other}"));
            urls.push(format!("http://{one}{first}.{other}/"));
            urls.push(format!("//{one}{first}{other}/"));
            for second in &DELIMITERS[..most] {
                urls.push(format!("http://{one}{first}{second}{other}/"));
            }
        }
    }
    let three = ["@", "\\", "/", "#", "?"];
    for first in three {
        for second in three {
            urls.extend(three.map(|third| format!("http://{STRANGER}{first}{second}{third}{TRUSTED}/")));
        }
    }
    for scheme in ["https", "ftp", "ws", "file", "foo", "javascript"] {
        urls.extend(DELIMITERS.map(|first| format!("{scheme}://{STRANGER}{first}@{TRUSTED}/")));
    }
    urls
}

/// Returns the ASCII characters except most letters and digits, as they are and percent-encoded.
fn characters() -> impl Iterator<Item = String> {
    let others = |byte: &u8| !byte.is_ascii_alphanumeric() || matches!(byte, b'a' | b'Z' | b'0');
    (0_u8..128).filter(others).flat_map(|byte| [char::from(byte).to_string(), format!("%{byte:02X}")])
}

/// Each ASCII character at the start, in the middle and at the end of a host, and at the start of the rest.
fn around() -> Vec<String> {
    characters()
        .flat_map(|c| {
            [
                format!("http://{c}{TRUSTED}/"),
                format!("http://ok{c}example/"),
                format!("http://{TRUSTED}{c}/"),
                format!("http://{TRUSTED}/{c}"),
            ]
        })
        .collect()
}

/// Each ASCII character in the user name and in the password.
fn user_information() -> Vec<String> {
    characters().flat_map(|c| [format!("http://u{c}v@{TRUSTED}/"), format!("http://u:p{c}q@{TRUSTED}/")]).collect()
}

fn compatibility() -> Vec<String> {
    let mut urls = Vec::new();
    for c in COMPATIBILITY {
        urls.push(format!("http://{STRANGER}{c}{TRUSTED}/"));
        urls.push(format!("http://{STRANGER}{c}@{TRUSTED}/"));
        urls.push(format!("http://{STRANGER}{c}.{TRUSTED}/"));
        urls.push(format!("http://{TRUSTED}{c}/"));
        urls.push(format!("http://{c}{TRUSTED}/"));
        let escaped: String = c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
        urls.push(format!("http://{STRANGER}{escaped}{TRUSTED}/"));
    }
    urls
}

fn spellings() -> Vec<String> {
    let spelled = |host: &&str| [format!("http://{host}/"), format!("foo://{host}/")];
    SPELLINGS.iter().flat_map(spelled).collect()
}

fn ipv4() -> Vec<String> {
    let mut urls: Vec<_> =
        IPV4.iter().flat_map(|host| [format!("http://{host}/"), format!("http://{host}:80/")]).collect();
    urls.extend(IPV4.iter().take(24).map(|host| format!("foo://{host}/")));
    urls.extend(IPV4.iter().take(24).map(|host| format!("http://{host}.{TRUSTED}/")));
    urls
}

/// Returns URLs with notations of an IPv4 address: each part, or the last two, three or all parts as one number, in decimal, octal and
/// hexadecimal, with zeros before it, with full-width digits and dots, percent-encoded, and as a part of IPv6 addresses.
///
/// # Examples
///
/// ```
/// use std::net::Ipv4Addr;
/// use urlstrata_harness::survey::urls::notations;
///
/// assert!(notations(Ipv4Addr::LOCALHOST).contains(&"http://0177.1/".to_owned()));
/// ```
pub fn notations(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets().map(u32::from);
    let numbers = [vec![a, b, c, d], vec![a, b, c << 8 | d], vec![a, b << 16 | c << 8 | d], vec![u32::from(address)]];
    let radixes: [fn(u32) -> String; 6] = [
        |number| number.to_string(),
        |number| format!("0{number:o}"),
        |number| format!("00{number:o}"),
        |number| format!("0x{number:x}"),
        |number| format!("0X{number:X}"),
        |number| format!("{number:03}"),
    ];
    let mut hosts = Vec::new();
    for parts in &numbers {
        for first in radixes {
            for rest in radixes {
                let written =
                    parts.iter().enumerate().map(|(at, part)| if at == 0 { first(*part) } else { rest(*part) });
                hosts.push(written.collect::<Vec<_>>().join("."));
            }
        }
    }
    let plain = address.to_string();
    let wide = |c: char| c.to_digit(10).and_then(|digit| char::from_u32(0xff10 + digit)).unwrap_or(c);
    let circled = |c: char| match c.to_digit(10) {
        Some(digit @ 1..) => char::from_u32(0x245f + digit).unwrap_or(c),
        _ => c,
    };
    hosts.extend([
        plain.clone() + ".",
        plain.replace('.', "\u{3002}"),
        plain.replace('.', "\u{ff0e}"),
        plain.replace('.', "%2e"),
    ]);
    hosts.extend([plain.chars().map(wide).collect(), plain.chars().map(circled).collect()]);
    hosts.push(plain.bytes().map(|byte| format!("%{byte:02x}")).collect());
    hosts.extend(["::ffff:", "::", "64:ff9b::"].map(|before| format!("[{before}{plain}]")));
    hosts.push(format!("[::ffff:{:x}:{:x}]", a << 8 | b, c << 8 | d));
    let urls: BTreeSet<_> = hosts.into_iter().map(|host| format!("http://{host}/")).collect();
    urls.into_iter().collect()
}

fn ipv6() -> Vec<String> {
    IPV6.iter().flat_map(|address| [format!("http://[{address}]/"), format!("foo://[{address}]:80/")]).collect()
}

fn brackets() -> Vec<String> {
    BRACKETS.map(str::to_owned).to_vec()
}

fn ports() -> Vec<String> {
    let mut urls: Vec<_> = PORTS.iter().map(|port| format!("http://{TRUSTED}:{port}/")).collect();
    urls.extend(PORTS.iter().map(|port| format!("http://{TRUSTED}:{port}")));
    urls.extend(PORTS.iter().take(38).map(|port| format!("https://{TRUSTED}:{port}/")));
    urls.extend(PORTS.iter().take(38).map(|port| format!("foo://{TRUSTED}:{port}/")));
    urls.extend(PORTS.iter().take(16).map(|port| format!("http://[::1]:{port}/")));
    urls
}

fn slashes() -> Vec<String> {
    let schemes = [
        "http:",
        "https:",
        "HTTP:",
        "ftp:",
        "ws:",
        "file:",
        "foo:",
        "javascript:",
        "data:",
        "mailto:",
        "jar:http:",
        "blob:http:",
        "",
    ];
    let host = |scheme: &str, slashes: &&str| [format!("{scheme}{slashes}{TRUSTED}/p"), format!("{scheme}{slashes}")];
    schemes.iter().flat_map(|scheme| SLASHES.iter().flat_map(move |slashes| host(scheme, slashes))).collect()
}

fn credentials() -> Vec<String> {
    let mut urls: Vec<_> = CREDENTIALS.iter().map(|before| format!("http://{before}{TRUSTED}/")).collect();
    urls.extend(CREDENTIALS.iter().map(|before| format!("foo://{before}{TRUSTED}/")));
    urls.extend(CREDENTIALS.iter().map(|before| format!("http://{before}")));
    urls.extend(CREDENTIALS.iter().map(|before| format!("http://{before}:80/")));
    urls.extend(
        ["mailto:u@ok.example", "mailto://u@ok.example", "http:u@ok.example/", "u@ok.example", "ok.example@evil.test"]
            .map(str::to_owned),
    );
    urls
}

/// Delimiters that are percent-encoded twice or three times.
fn doubly_escaped() -> Vec<String> {
    let of_one = |code: &str| {
        [
            format!("http://{STRANGER}%25{code}{TRUSTED}/"),
            format!("http://{STRANGER}%2525{code}{TRUSTED}/"),
            format!("http://{STRANGER}%25{code}@{TRUSTED}/"),
            format!("http://{TRUSTED}/%25{code}"),
            format!("http://{TRUSTED}/a%{code}b?c%{code}d#e%{code}f"),
        ]
    };
    ["2f", "2F", "40", "5c", "23", "3f", "00", "2e", "25", "zz", "1", "u002f"].into_iter().flat_map(of_one).collect()
}

fn schemes() -> Vec<String> {
    SCHEMES.map(str::to_owned).to_vec()
}

/// Controls and space, and characters that some libraries remove, in nine places.
fn space() -> Vec<String> {
    let controls = (0_u8..=32)
        .map(char::from)
        .chain(['\u{7f}', '\u{85}', '\u{a0}', '\u{200b}', '\u{2028}', '\u{3000}', '\u{feff}']);
    let of_one = |c: char| {
        [
            format!("{c}http://{TRUSTED}/"),
            format!("{c}{c}//{TRUSTED}/"),
            format!("http{c}://{TRUSTED}/"),
            format!("http:{c}//{TRUSTED}/"),
            format!("http:/{c}/{TRUSTED}/"),
            format!("http://{TRUSTED}{c}.{STRANGER}/"),
            format!("http://{TRUSTED}:8{c}0/"),
            format!("http://{TRUSTED}/a{c}b"),
            format!("http://{TRUSTED}/{c}"),
        ]
    };
    controls.flat_map(of_one).collect()
}

/// The path, the query and the fragment.
fn rest() -> Vec<String> {
    let one = [
        "",
        "/",
        "/.",
        "/..",
        "/./a",
        "/../a",
        "/a/../b",
        "/a/%2e%2e/b",
        "/a/.%2E/b",
        "/a//b",
        "//a",
        "/a;p",
        "/a;p=q;r",
        ";a",
        "/a\\b",
        "/\u{e9}",
        "/%",
        "/%zz",
        "/%c3%28",
    ];
    let mut urls: Vec<_> = one.iter().map(|path| format!("http://{TRUSTED}{path}")).collect();
    urls.extend(one.iter().map(|path| format!("foo:{path}")));
    for rest in [
        "?",
        "#",
        "?#",
        "#?",
        "??",
        "##",
        "?a",
        "#a",
        "?a#b",
        "#a?b",
        "?a?b",
        "#a#b",
        "?a/b",
        "#a/b",
        "?a@b",
        "#@evil.test",
        "?@evil.test",
        "?a b",
        "?a'b\"c",
        "?\u{e9}",
        "#\u{e9}",
        "#a b",
    ] {
        urls.extend([format!("http://{TRUSTED}{rest}"), format!("http://{TRUSTED}/{rest}"), format!("foo:a{rest}")]);
    }
    urls.extend((33_u8..127).map(char::from).filter(|c| !c.is_ascii_alphanumeric()).flat_map(|c| {
        [format!("http://{TRUSTED}/a?b{c}d"), format!("http://{TRUSTED}/a#b{c}d"), format!("foo:a{c}b")]
    }));
    urls
}

/// References without a scheme.
fn relative() -> Vec<String> {
    let given = [
        "",
        "/",
        "//",
        "///",
        "////",
        "?",
        "#",
        ".",
        "..",
        "a",
        "/a",
        "//ok.example",
        "//ok.example/",
        "//ok.example:80/a?b#c",
        "//u:p@ok.example/",
        "///ok.example/",
        "////ok.example/",
        "/////ok.example",
        "/\\ok.example",
        "\\\\ok.example",
        "\\/ok.example",
        "\\\\\\\\\\\\ok.example",
        "/ok.example",
        "ok.example",
        "ok.example:80",
        "ok.example:80/a",
        "localhost:80",
        "127.0.0.1:80",
        "[::1]",
        "[::1]:80",
        "?q",
        "#f",
        "?q#f",
        "a?b#c",
        "./a",
        "../a",
        "a:b",
        "./a:b",
        "/a:b",
        "%2f%2fok.example/",
        "/%2fok.example/",
        "//ok.example@evil.test/",
        "//[::1]/",
        "//:80/",
        "//@/",
        "//?q",
        "//#f",
        "///?q",
        "a/b;c=d",
        ";p",
        "*",
        "http:/ok.example",
        "//\tok.example/",
        "/\t/ok.example/",
    ];
    given.map(str::to_owned).to_vec()
}

/// Long inputs: labels, names, paths and queries of 63 to 65,536 characters.
fn long() -> Vec<String> {
    let label = |length: usize| format!("http://{}.example/", "a".repeat(length));
    let name = |length: usize| format!("http://{}/", "a.".repeat(length / 2));
    let mut urls: Vec<_> = [62, 63, 64, 255, 4_096].map(label).into();
    urls.extend([252, 254, 256, 4_096].map(name));
    urls.push(format!("http://{TRUSTED}/{}", "a".repeat(4_096)));
    urls.push(format!("http://{TRUSTED}/{}", "../".repeat(1_365)));
    urls.push(format!("http://{TRUSTED}/?{}", "q".repeat(65_536)));
    urls.push(format!("http://{}@{TRUSTED}/", "u".repeat(4_096)));
    urls.push(format!("http://{TRUSTED}:{}80/", "0".repeat(255)));
    urls.push(format!("{}://{TRUSTED}/", "s".repeat(255)));
    urls.push(format!("http:{}{TRUSTED}/", "/".repeat(255)));
    urls.push(format!("http://{}{TRUSTED}/", "@".repeat(255)));
    urls
}

fn reported() -> Vec<String> {
    REPORTED.map(str::to_owned).to_vec()
}
