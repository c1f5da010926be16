//! core-js: `new URL(reference, base)` of its polyfill, from 3.50.0 on.
//!
//! Read from `modules/web.url.constructor.js` of core-js-pure 3.51.0, which has the states of the URL Standard. It follows the Standard of July 2026
//! but for the paths of `file` URLs. Domains are converted to ASCII by a part of UTS #46: what it ignores or rejects is a list of ranges, what
//! it maps are the full-width forms and letters to lower case.

use idna::punycode;
use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Next, Question, Side, Step, Table, no_calls};

use crate::libcurl::idn2::map;
use crate::url_standard::PROPERTIES;

/// core-js.
pub static TABLE: Table = Table {
    engine: "core-js",
    first: "3.50.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[Step::new(
    "URLState: parse",
    "run the steps of the URL Standard of July 2026, and those of its older text for the paths of `file` URLs",
    |_| Next::Standard(standard),
)];

static PARSE: &[Step] = &[
    Step::new("URLConstructor, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URLPrototype: getters", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];

fn standard(changes: &[&'static Change]) -> Implementation {
    Implementation { landed: landed(&whatwg::WHATWG_2026_07, changes), own: vec![&DOMAIN, &DRIVE_LETTER, &NO_HOST, &EMPTY] }
}

static DOMAIN: OwnStep = OwnStep {
    instead_of: "domain 6.1",
    label: "domainToASCII",
    text: "leave ignored characters out, map full-width forms, reject what UTS #46 excludes or maps to a delimiter, and convert each label in \
           lower case to Punycode, without checks",
    run: |s| {
        if let Some(domain) = to_ascii(s.domain()) {
            s.set_ascii_domain(domain);
        }
        Some(Then::Continue)
    },
};

/// `domainToASCII` and `toASCII`.
fn to_ascii(domain: &str) -> Option<String> {
    if domain.contains(is_disallowed) {
        return None;
    }
    let mapped: String = domain.chars().filter(|it| !is_ignored(*it)).map(mapped).collect();
    let mapped = mapped.to_lowercase();
    let encoded = |label: &str| match label.is_ascii() {
        true => Some(label.to_owned()),
        false => punycode::encode_str(label).map(|code| format!("xn--{code}")),
    };
    let labels: Option<Vec<String>> = mapped.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).map(encoded).collect();
    Some(labels?.join("."))
}

/// `isIgnoredCodePoint`.
fn is_ignored(it: char) -> bool {
    matches!(it, '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}')
        || matches!(it, '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(it, '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

/// `isDisallowedCodePoint`.
fn is_disallowed(it: char) -> bool {
    matches!(it, '\u{80}'..='\u{9f}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2065}'..='\u{2069}' | '\u{fffd}')
        || matches!(it, '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{f0000}'..)
        || it as u32 & 0xfffe == 0xfffe
}

/// `mapCodePoint`: a character whose mapping contains a delimiter becomes a space, which is rejected, too.
fn mapped(it: char) -> char {
    match it {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(it as u32 - 0xfee0).unwrap_or(it),
        _ if !it.is_ascii() && map(&it.to_string()).contains(is_delimiter) => ' ',
        _ => it,
    }
}

fn is_delimiter(it: char) -> bool {
    matches!(it, '\0'..=' ' | '#' | '%' | '/' | ':' | '<' | '>' | '?' | '@' | '[' | '\\' | ']' | '^' | '|' | '\u{7f}')
}

/// The mark of a drive letter that removes the host.
const DRIVE: &str = "PATH: isWindowsDriveLetter";

/// Returns whether the buffer is a drive letter that begins the path of a `file` URL.
fn begins_with_drive_letter(s: &Machine<'_>) -> bool {
    let is_drive = matches!(s.buffer().as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    is_drive && s.scheme() == "file" && s.segments().is_empty()
}

static DRIVE_LETTER: OwnStep = OwnStep {
    instead_of: "path 1.4.1",
    label: "PATH: isWindowsDriveLetter",
    text: "a drive letter at the start of a `file` path is written with a colon, and the host becomes empty",
    run: |s| {
        if !begins_with_drive_letter(s) {
            return None;
        }
        let letter = s.buffer()[..1].to_owned() + ":";
        s.push_segment(letter);
        s.set_buffer("");
        s.rewrites(Part::Authority);
        s.rewrites(Part::Path);
        s.mark(DRIVE);
        // With an empty buffer, this state empties the host.
        Some(Then::Call("file host"))
    },
};

static NO_HOST: OwnStep = OwnStep {
    instead_of: "path 1.4.2",
    label: "PATH: push",
    text: "the path goes on after that drive letter",
    run: |s| {
        if !s.is_marked(DRIVE) {
            return None;
        }
        s.unmark(DRIVE);
        s.advance(1);
        s.go("path");
        Some(Then::SkipTo("path 1.5"))
    },
};

static EMPTY: OwnStep = OwnStep {
    instead_of: "path 1.6",
    label: "PATH: shift",
    text: "at the end of the path of a `file` URL, remove empty segments from its start, but not the last one",
    run: |s| {
        let is_end = matches!(s.at(0), None | Some('?' | '#'));
        let last = s.segments().len().saturating_sub(1);
        let empty = s.segments().iter().take(last).take_while(|segment| segment.is_empty()).count();
        if is_end && s.scheme() == "file" && empty > 0 {
            s.set_segments(s.segments()[empty..].to_vec());
            s.rewrites(Part::Path);
        }
        None
    },
};
