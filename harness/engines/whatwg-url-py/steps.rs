//! The Python package whatwg-url: `whatwg_url.urljoin(base, reference)`, of 2018.8.26.
//!
//! Read from `whatwg_url.py` of 2018.8.26, which has the states of the URL Standard of June 2018 as methods. Domains are converted to ASCII by
//! the package idna, or else by Python's IDNA 2003, and a label that this rejects is kept as it is. Addresses are read by Python's `int` and
//! `ipaddress`.

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Next::*, Question, Step, Table, no_calls};

use crate::httpx::idna_2008;
use crate::libcurl::idn2::{is_unmapped, map};
use crate::okhttp::idna_2003::{Unassigned, to_ascii_2003};

/// The Python package whatwg-url.
pub static TABLE: Table = Table {
    engine: "whatwg-url-py",
    first: "2018.8.26",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, URLJOIN)],
    called: &[],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static URLJOIN: &[Step] = &[
    Step::new("UrlParser.parse: base", "parse an empty base, too, which is not a URL", |s| match s.base.is_empty() {
        true => s.reject(Slot::Base(Part::Text), "the base is not a URL"),
        false => Go,
    }),
    Step::new("UrlParser.parse", "run the steps of the URL Standard of June 2018, with two later changes", |_| Standard(standard)),
];

fn standard(changes: &[&'static Change]) -> Implementation {
    let adopted = ["cceb435", "a8d5ca3"].into_iter().filter_map(whatwg::Change::by_commit);
    let landed = adopted.fold(landed(&whatwg::WHATWG_2018_06, changes), |landed, change| landed.with(change));
    Implementation { landed, own: vec![&DOMAIN, &PORT, &EMPTY, &NUMBER, &NUMBER_BEFORE_PORT, &NUMBER_IN_FILE] }
}

static DOMAIN: OwnStep = OwnStep {
    instead_of: "domain 5",
    label: "_domain_to_ascii",
    text: "map the domain by UTS #46, and encode it by IDNA 2008, or else each label by IDNA 2003; keep a label that this rejects; reject a \
           domain with more than 253 bytes",
    run: |s| {
        if let Some(domain) = to_ascii(s.domain()) {
            s.set_ascii_domain(domain);
        }
        Some(Then::SkipTo("domain 6.2"))
    },
};

/// `_domain_to_ascii`, and the lower case that its caller gives the result.
fn to_ascii(domain: &str) -> Option<String> {
    if domain.contains(is_unmapped) {
        return None;
    }
    let mapped = if domain.is_ascii() { domain.to_ascii_lowercase() } else { map(domain) };
    let mapped = Some(mapped).filter(|mapped| !mapped.is_empty() && !mapped.contains(char::REPLACEMENT_CHARACTER))?;
    let encoded = |label: &str| to_ascii_2003(label, Unassigned::Allowed).unwrap_or_else(|| label.to_owned());
    let by_2003 = || mapped.split('.').map(encoded).collect::<Vec<_>>().join(".");
    let ascii = if mapped.is_ascii() { None } else { idna_2008(&mapped) }.unwrap_or_else(by_2003);
    (ascii.strip_suffix('.').unwrap_or(&ascii).len() < 254).then(|| ascii.to_lowercase())
}

static PORT: OwnStep = OwnStep {
    instead_of: "port 2",
    label: "_on_port: PATH_DELIMITERS",
    text: "a backslash ends the port in any scheme",
    run: |s| (s.at(0) == Some('\\')).then_some(Then::Continue),
};

static EMPTY: OwnStep = OwnStep {
    instead_of: "path 1.6 (83adf0c)",
    label: "_on_path: path.pop(0)",
    text: "after each segment of a `file` path, remove empty segments from its start, but not the last one",
    run: |s| {
        let last = s.segments().len().saturating_sub(1);
        let empty = s.segments().iter().take(last).take_while(|segment| segment.is_empty()).count();
        if s.scheme() == "file" && empty > 0 {
            s.set_segments(s.segments()[empty..].to_vec());
            s.rewrites(Part::Path);
        }
        None
    },
};

static NUMBER: OwnStep = OwnStep {
    instead_of: "host 3.3",
    label: "_parse_ipv4_number: int",
    text: "a part of an IPv4 address may have a sign, underscores between its digits, and a second mark of its base",
    run: read_numbers,
};

static NUMBER_BEFORE_PORT: OwnStep = OwnStep {
    instead_of: "host 2.3",
    label: "_parse_ipv4_number: int, before a port",
    text: "a part of an IPv4 address may have a sign, underscores between its digits, and a second mark of its base",
    run: read_numbers,
};

static NUMBER_IN_FILE: OwnStep = OwnStep {
    instead_of: "file host 1.3.1",
    label: "_parse_ipv4_number: int, in `file`",
    text: "a part of an IPv4 address may have a sign, underscores between its digits, and a second mark of its base",
    run: read_numbers,
};

/// Replaces a host that is an IPv4 address for `int`, but not for the Standard, by its number.
fn read_numbers(s: &mut Machine<'_>) -> Option<Then> {
    let host = to_ascii(&decoded(s.buffer()))?;
    let parts: Vec<&str> = host.strip_suffix('.').unwrap_or(&host).split('.').collect();
    let numbers = parts.iter().map(|part| number(part)).collect::<Option<Vec<Number>>>()?;
    let (last, first) = numbers.split_last()?;
    if !s.is_special() || parts.len() > 4 || numbers.iter().all(|number| number.is_plain) {
        return None;
    }
    let is_large = first.iter().any(|number| number.value > 255) || last.value >= 1 << (8 * (5 - parts.len()));
    let weights = [1 << 24, 1 << 16, 1 << 8];
    let address = first.iter().zip(weights).fold(last.value, |sum, (number, weight)| sum + number.value * weight);
    // A part that is too large is rejected.
    s.set_buffer(if is_large { "256.256".to_owned() } else { address.rem_euclid(1 << 32).to_string() });
    s.rewrites(Part::Authority);
    None
}

/// Decodes the escapes of ASCII characters.
fn decoded(host: &str) -> String {
    let mut parts = host.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => text.extend([char::from(code).to_string().as_str(), &part[2..]]),
            None => text.extend(["%", part]),
        }
    }
    text
}

/// A part of an IPv4 address.
struct Number {
    value: i64,
    /// Whether it is a number for the Standard, too.
    is_plain: bool,
}

/// A number that is too large for an address.
const LARGE: i64 = 1 << 32;

/// Returns the number of a part, as Python's `int` reads it.
fn number(part: &str) -> Option<Number> {
    let (digits, radix, mark) = match part {
        "" => return None,
        _ if part.starts_with("0x") => (&part[2..], 16, "0x"),
        _ if part.starts_with('0') && part.len() > 1 => (&part[1..], 8, "0o"),
        _ => (part, 10, "0d"),
    };
    if digits.chars().all(|c| c.is_digit(radix)) {
        let value = if digits.is_empty() { 0 } else { i64::from_str_radix(digits, radix).unwrap_or(LARGE) };
        return Some(Number { value, is_plain: true });
    }
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let unmarked = unsigned.strip_prefix(mark).filter(|_| radix != 10);
    let plain = unmarked.map_or(unsigned, |rest| rest.strip_prefix('_').unwrap_or(rest));
    let groups = plain.split('_').collect::<Vec<_>>();
    let is_number = groups.iter().all(|group| !group.is_empty() && group.chars().all(|c| c.is_digit(radix)));
    if !is_number {
        return None;
    }
    let value = i64::from_str_radix(&groups.concat(), radix).unwrap_or(LARGE);
    Some(Number { value: if digits.starts_with('-') { -value } else { value }, is_plain: false })
}
