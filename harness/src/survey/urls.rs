//! The URLs that libraries are asked to split: every delimiter, escape and spelling that moves a host in some library.
//!
//! Each URL follows from a rule with two host names, `ok.example`, which a check accepts, and `evil.test`, which it does not.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use crate::engine::statement::UrlPanel;

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

/// What may be written between two hosts.
const DELIMITERS: [&str; 24] = [
    "@", "\\", "/", "#", "?", ":", ";", "&", "[", "]", "%", " ", "\t", "\n", "\r", "\0", "%2f", "%40", "%5c", "%23",
    "%3f", "%00", "%09", ":80",
];

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

/// Characters that compatibility normalization or the mapping of domain names turns into a delimiter, a dot, digits or letters.
const COMPATIBILITY: [char; 52] = [
    '\u{ff0f}', '\u{ff20}', '\u{ff1a}', '\u{ff03}', '\u{ff1f}', '\u{ff3c}', '\u{ff0e}', '\u{ff05}', '\u{ff3b}',
    '\u{ff3d}', '\u{ff06}', '\u{ff1b}', '\u{3002}', '\u{ff61}', '\u{2024}', '\u{2025}', '\u{2026}', '\u{2100}',
    '\u{2101}', '\u{2105}', '\u{2106}', '\u{2047}', '\u{2048}', '\u{2049}', '\u{203d}', '\u{fe55}', '\u{fe56}',
    '\u{fe13}', '\u{fe16}', '\u{fe5f}', '\u{fe6b}', '\u{fe6a}', '\u{fe68}', '\u{fe52}', '\u{2488}', '\u{2474}',
    '\u{33c2}', '\u{2215}', '\u{2044}', '\u{29f8}', '\u{2236}', '\u{a789}', '\u{ad}', '\u{200b}', '\u{200d}',
    '\u{2060}', '\u{feff}', '\u{180e}', '\u{3000}', '\u{a0}', '\u{85}', '\u{2028}',
];

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

/// Spellings of domain names.
const SPELLINGS: [&str; 58] = [
    "OK.EXAMPLE",
    "Ok.Example",
    "ok.example.",
    "ok.example..",
    ".ok.example",
    "..ok.example",
    "ok..example",
    ".",
    "..",
    "-ok.example",
    "ok-.example",
    "o_k.example",
    "_ok.example",
    "ok.-example",
    "%6Fk.example",
    "%4Fk.example",
    "ok%2Eexample",
    "ok%2eexample.",
    "%6f%6b.example",
    "%256fk.example",
    "o%CC%88k.example",
    "f%C3%BCr.example",
    "f\u{fc}r.example",
    "F\u{dc}R.example",
    "fa\u{df}.example",
    "FA\u{1e9e}.example",
    "fa\u{3c2}.example",
    "\u{3c2}.example",
    "i\u{307}.example",
    "\u{130}.example",
    "\u{131}.example",
    "\u{212a}.example",
    "\u{ff4f}\u{ff4b}.example",
    "\u{24de}\u{24da}.example",
    "\u{1d428}k.example",
    "o\u{ad}k.example",
    "ok\u{200d}.example",
    "\u{915}\u{94d}\u{200d}\u{937}.example",
    "\u{5d0}.example",
    "\u{5d0}a.example",
    "1\u{5d0}.example",
    "\u{1f600}.example",
    "e\u{301}.example",
    "\u{e9}.example",
    "xn--.example",
    "xn--a.example",
    "xn--ls8h.example",
    "xn--fa-hia.example",
    "XN--FA-HIA.example",
    "xn--ok-.example",
    "xn--zca.xn--",
    "ok.example\u{3002}evil.test",
    "ok\u{ff0e}example",
    "o,k.example",
    "ok.example:",
    "ok.0x1",
    "ok.1",
    "1.ok",
];

fn spellings() -> Vec<String> {
    let spelled = |host: &&str| [format!("http://{host}/"), format!("foo://{host}/")];
    SPELLINGS.iter().flat_map(spelled).collect()
}

/// Notations of IPv4 addresses, and numbers that are none.
const IPV4: [&str; 70] = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.0.0.1..",
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7f.1",
    "0X7F.1",
    "0177.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "00177.1",
    "127.0.0.0x1",
    "0x7f.0x0.0x0.0x1",
    "127.0x1",
    "127.65535",
    "127.16777215",
    "127.16777216",
    "127.0.65536",
    "127.0.0.256",
    "256.0.0.1",
    "999.1.1.1",
    "4294967295",
    "4294967296",
    "0x100000000",
    "0xffffffff",
    "-1",
    "+127.0.0.1",
    "1.2.3.4.5",
    "1.2.3",
    "1..2",
    "1.2.3.4x",
    "0x",
    "0x.1",
    "0x7g.1",
    "08.1",
    "09.0.0.1",
    "010.8.8.8",
    "0010.8.8.8",
    "8.8.8.010",
    "0",
    "00",
    "0.0.0.0",
    "0000.0000.0000.0000",
    "127.0.0.01",
    "127.000.000.001",
    "1e3",
    "1e3.1",
    "127.0.0.1%00",
    "127.0.0.1%20",
    "127.0.0.%31",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127%252e0%252e0%252e1",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
    "\u{2460}\u{2461}\u{2466}.0.0.1",
    "\u{2460}\u{2465}\u{2468}.254.169.254",
    "169\u{3002}254\u{3002}169\u{3002}254",
    "\u{661}\u{662}\u{667}.0.0.1",
    "169.254.169.254",
    "0251.0376.0251.0376",
    "2852039166",
    "0xa9fea9fe",
    "a9fea9fe",
    "169.254.43518",
    "169.16689662",
    "\u{1d7cf}27.0.0.1",
];

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

/// What may stand between the brackets of an address.
const IPV6: [&str; 58] = [
    "::1",
    "::",
    "::1%25lo",
    "::1%lo",
    "::1%",
    "::1%25",
    "fe80::1%25en0",
    "fe80::1%en0",
    "fe80::1%2525en0",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "::127.0.0.01",
    "::ffff:127.0.0.256",
    "::ffff:127.1",
    "64:ff9b::127.0.0.1",
    "2002:7f00:1::",
    "0:0:0:0:0:0:0:1",
    "0000:0000:0000:0000:0000:0000:0000:0001",
    "00000::1",
    "0:0:0:0:0:0:0",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    ":1",
    "1:",
    ":::",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1::8:7:6:5:4:3:2",
    "ABCD::EF",
    "abcd::ef",
    "g::1",
    "12345::",
    "::1.2.3",
    "::1.2.3.4.5",
    "1.2.3.4",
    "ok.example",
    "",
    "v1.a",
    "V1.A",
    "v1.a:b",
    "v.a",
    "v1.",
    "vf.1.2",
    "v1.a%20b",
    "::1 ",
    " ::1",
    "::1\t",
    "::\u{ff11}",
    "::1/",
    "::1@",
    "::1#",
    "::1?",
    "[::1]",
    "::1]",
    "[::1",
    "::%31",
];

fn ipv6() -> Vec<String> {
    IPV6.iter().flat_map(|address| [format!("http://[{address}]/"), format!("foo://[{address}]:80/")]).collect()
}

/// Brackets in places where an address does not need them.
const BRACKETS: [&str; 40] = [
    "http://[/",
    "http://]/",
    "http://[]/",
    "http://[::1",
    "http://::1]/",
    "http://::1/",
    "http://::1:80/",
    "http://1::1/",
    "http://[::1]:/",
    "http://[::1]:80/",
    "http://[::1]80/",
    "http://[::1]:80:80/",
    "http://[::1]evil.test/",
    "http://[::1].ok.example/",
    "http://evil.test[::1]/",
    "http://ok.example[@evil.test/",
    "http://ok.example]@evil.test/",
    "http://[ok.example]@evil.test/",
    "http://[ok.example@evil.test]/",
    "http://user@[ok.example]@evil.test/",
    "http://user[@ok.example]@evil.test/",
    "http://user@[@127.0.0.1:8123/admin",
    "http://u:[@evil.test/",
    "http://[@evil.test/",
    "http://]@evil.test/",
    "http://[foo.bar]:80/",
    "http://prefix.[v6a.ip]/",
    "http://[v6a.ip].suffix/",
    "http://[1.2.3.4]/",
    "http://[fc00::not-hex]/",
    "http://[::1%25]/",
    "http://%5B::1%5D/",
    "http://%5b::1]/",
    "http://[::1%5D/",
    "http://\u{ff3b}::1\u{ff3d}/",
    "http://[::1]@evil.test/",
    "http://evil.test@[::1]/",
    "http://ok.example/[::1]",
    "http://ok.example?[::1]",
    "http://ok.example#[::1]",
];

fn brackets() -> Vec<String> {
    BRACKETS.map(str::to_owned).to_vec()
}

/// What may be written as a port.
const PORTS: [&str; 58] = [
    "",
    "0",
    "1",
    "80",
    "080",
    "00080",
    "0000000000000000000080",
    "443",
    "8080",
    "65535",
    "65536",
    "65616",
    "99999",
    "100000",
    "4294967295",
    "4294967296",
    "4294967376",
    "18446744073709551696",
    "-1",
    "-80",
    "+80",
    " 80",
    "80 ",
    "8 0",
    "\t80",
    "80\t",
    "8\t0",
    "80\n",
    "80\r",
    "80\0",
    "80a",
    "a80",
    "a",
    "0x50",
    "0b1",
    "0o120",
    "8e1",
    "80.0",
    "8_0",
    "80,0",
    "80;",
    "80:80",
    ":80",
    "80:",
    "%38%30",
    "80%00",
    "80%20",
    "\u{668}\u{660}",
    "\u{ff18}\u{ff10}",
    "\u{7ee}0",
    "\u{2467}0",
    "80@evil.test",
    "80\\@evil.test",
    "80#@evil.test",
    "80?@evil.test",
    "80[",
    "80%",
    "21",
];

fn ports() -> Vec<String> {
    let mut urls: Vec<_> = PORTS.iter().map(|port| format!("http://{TRUSTED}:{port}/")).collect();
    urls.extend(PORTS.iter().map(|port| format!("http://{TRUSTED}:{port}")));
    urls.extend(PORTS.iter().take(38).map(|port| format!("https://{TRUSTED}:{port}/")));
    urls.extend(PORTS.iter().take(38).map(|port| format!("foo://{TRUSTED}:{port}/")));
    urls.extend(PORTS.iter().take(16).map(|port| format!("http://[::1]:{port}/")));
    urls
}

/// What may be written between the colon and the host.
const SLASHES: [&str; 22] = [
    "", "/", "//", "///", "////", "/////", "\\", "\\\\", "\\\\\\", "/\\", "\\/", "//\\", "\\//", "/\t/", "/\n/", "/ /",
    "// ", "//\t", "/./", "/..//", "%2f%2f", "/%2f",
];

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

/// What may be written before the host with one or more `@`.
const CREDENTIALS: [&str; 44] = [
    "@",
    "@@",
    "u@",
    "u:@",
    ":@",
    ":p@",
    "u:p@",
    "u:p:q@",
    "u::p@",
    "u@v@",
    "u:p@v@",
    "u:p@v:q@",
    "a@b@c@",
    "u%40v@",
    "u%3Ap@",
    "u%3Ap:q@",
    "u%2Fv@",
    "u%5Cv@",
    "u%00v@",
    "u%0D%0Av@",
    "U:P@",
    "%75@",
    "\u{e9}:\u{e9}@",
    "u;x=y@",
    "u&v@",
    "u=v@",
    "u,v@",
    "u!v@",
    "u$v@",
    "u'v@",
    "u\"v@",
    "u<v>@",
    "u|v@",
    "u^v@",
    "u`v@",
    "u{v}@",
    "u v@",
    "u\tv@",
    "http://a@",
    "//a@",
    "a.b:80@",
    "[u]@",
    "evil.test:80@",
    "127.0.0.1:6666\\@",
];

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

/// Schemes, with what may be written around them.
const SCHEMES: [&str; 92] = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "javAscript://evil.com/x",
    "javascript://ok.example/%0aalert(1)",
    "javascript:",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java\rscript:alert(1)",
    " javascript:alert(1)",
    "\u{1}javascript:alert(1)",
    "javascript\t:alert(1)",
    "javascript :alert(1)",
    "javascript%3Aalert(1)",
    "java%0ascript:alert(1)",
    "java\0script:alert(1)",
    "%6Aavascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "data:,",
    "data://ok.example/,x",
    "mailto:a@b",
    "mailto:",
    "urn:a:b",
    "tel:1",
    "file:",
    "file:/",
    "file://",
    "file:///",
    "file:///etc/passwd",
    "file://ok.example/x",
    "file://localhost/x",
    "file://LOCALHOST/x",
    "file://127.0.0.1/x",
    "file:c:/x",
    "file:/c:/x",
    "file:///c:/x",
    "file:///c|/x",
    "file://c:/x",
    "file://c|/x",
    "file:\\\\ok.example\\x",
    "file://u@ok.example/",
    "file://ok.example:80/",
    "file:x",
    "file:?q",
    "file:#f",
    "c:/x",
    "c:\\x",
    "C|/x",
    "ws://ok.example/",
    "wss://ok.example/",
    "ftp://ok.example/;type=a",
    "gopher://ok.example/1x",
    "ldap://ok.example/dc=x?y",
    "feed:http://ok.example/",
    "view-source:http://ok.example/",
    "jar:http://ok.example/a.jar!/b",
    "jar:file:///a.jar!/b",
    "blob:http://ok.example/x",
    "blob:null/x",
    "about:blank",
    "about:srcdoc",
    "chrome://x/",
    "filesystem:http://ok.example/x",
    "git+ssh://u@ok.example/",
    "a+b-c.1://ok.example/",
    "1http://ok.example/",
    "ht tp://ok.example/",
    "ht_tp://ok.example/",
    "ht\ttp://ok.example/",
    "http\t://ok.example/",
    "http\n://ok.example/",
    "http ://ok.example/",
    "http%3a//ok.example/",
    ":http://ok.example/",
    "://ok.example/",
    ":",
    ":a",
    "a:",
    "a:b",
    "http",
    "http:",
    "http:a",
    "HTTP://OK.EXAMPLE/",
    "hTTp://ok.example",
    "\u{ff48}ttp://ok.example/",
    "\u{17f}ftp://ok.example/",
    "h\u{e9}ttp://ok.example/",
    "http:ok.example",
    "https:evil.test/",
    "http:?q",
    "http:#f",
    "url:http://ok.example/",
];

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

/// Inputs of public advisories, articles and threads that follow from no rule above.
const REPORTED: [&str; 53] = [
    "http://user@evil.com:80@good.com/",
    "http://[foo.bar]:80/",
    "http://010.8.8.8/",
    "http://example.com\u{ff03}@bing.com",
    "https://example.com:80\u{ff03}@bing.com",
    "////evil.com",
    "http://abc#@def",
    " https://example.com/x",
    "\\\\\\github.com",
    "http://normal.com\\@evil.com/",
    "https:example.org",
    "https://expected.com[@evil.com/",
    "https://user[@good.com]@evil.com/",
    "http://evil.com\\@good.com/",
    "//evil.com/x",
    "/////example.com",
    "http://stra\u{df}e.de/",
    "http://example.com#@evil.com/x.txt",
    "http://google.com\\@apple.com",
    "http://evil.com\\@allowed.com",
    "//127\u{3002}0\u{3002}0\u{3002}1/private",
    "http://trusted.com%40evil.com/",
    "//%4Detadata.internal/private",
    "http://example.com/public/%2e%2e/admin",
    "%2f%2fevil.example:/pwn",
    "\\\\evil.com/path",
    "//127%252e0%252e0%252e1/private",
    "http://xn--example-.com/",
    "http://example.com%2F10.0.0.1/",
    "https://www.google.com:x@fakesite.com:x",
    "http://nnnn@localhost:808:/?id=xss",
    "http://good.com?@evil.com/",
    "http://evil.com#@good.com/",
    "http://example.com./",
    "http://127.0.0.1\\@google.com/",
    "http://example.com\\@evil.com/",
    "http://127.0.0.1:6666\\@1.1.1.1",
    "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/",
    "http://127.0.0.1:11211:80/",
    "http://google.com#@evil.com/",
    "http://example.com\\@evil.com",
    "http://allowed.example#@169.254.169.254/",
    "https:///www.google.com",
    "http://%67%6f%6f%67%6c%65%2e%63%6f%6d/",
    "http://ok.example:evil.test:80/",
    "http://a%2F@b/",
    "http://a\\@b",
    "http://a/",
    "http://a_b.example/",
    "http://a@b@c/",
    "http://1.2.3/",
    "http://0x7f.1/",
    "https://evil.com\\[@good.com/",
];

fn reported() -> Vec<String> {
    REPORTED.map(str::to_owned).to_vec()
}
