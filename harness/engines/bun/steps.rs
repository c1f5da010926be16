//! Bun: `new URL(reference, base)`, from 0.5.9 on.
//!
//! Read from `Source/WTF/wtf/URLParser.cpp` of oven-sh/WebKit at 02daa06. The parser writes into one string what the URL Standard keeps in a record, and
//! remembers where its last slash is. Domains are converted to ASCII by ICU.

mod changes;

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Next, Question, Side, State, Step, Table, no_calls};

use changes::{
    BACKSLASH, BACKSLASH_AFTER_HOST, CARET, CONTROL, DRIVE_AFTER_SLASHES, ONE_SLASH, OPAQUE_SPACES, PORT_ZERO,
};

use crate::url_standard::PROPERTIES;

/// Bun.
pub static TABLE: Table = Table {
    engine: "bun",
    first: "0.5.9",
    changes: &[&PORT_ZERO, &CONTROL, &BACKSLASH_AFTER_HOST, &CARET, &OPAQUE_SPACES, &DRIVE_AFTER_SLASHES, &ONE_SLASH, &BACKSLASH],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[PROPERTIES],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[Step::new(
    "URLParser::parse",
    "run the steps of the URL Standard with the changes that the version has adopted",
    |s| if is_drive_host(s) { Next::Standard(on_drive_host) } else { Next::Standard(standard) },
)];

static PARSE: &[Step] = &[
    Step::new("URL, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URL: getters", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];

/// Returns whether the base consists of `file:`, two slashes and a drive letter.
fn is_drive_host(s: &State<'_>) -> bool {
    let base: String = s.get(Slot::Base(Part::Text)).chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let (scheme, rest) = base.trim_matches(|c| c <= ' ').split_once(':').unwrap_or_default();
    scheme.eq_ignore_ascii_case("file")
        && matches!(rest.as_bytes(), [b'/' | b'\\', b'/' | b'\\', letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn standard(changes: &[&'static Change]) -> Implementation {
    let mut own: Vec<&'static OwnStep> = vec![
        &SLASH_AFTER_HOST,
        &DOTS_BEFORE_BACKSLASH,
        &DRIVE_HOST,
        &PATH_START,
        &DOTS,
        &DOT,
        &BAR,
        &LAST_SLASH,
        &POP_PATH,
        &BASE_DRIVE,
    ];
    let mut before = |change: &'static Change, steps: &[&'static OwnStep]| {
        if !change.is_among(changes) {
            own.extend(steps);
        }
    };
    before(&PORT_ZERO, &[&NO_PORT_ZERO]);
    before(&CONTROL, &[&NO_CONTROL, &NO_CONTROL_BEFORE_PORT]);
    before(&BACKSLASH_AFTER_HOST, &[&HOST_BACKSLASH, &PORT_BACKSLASH]);
    before(&DRIVE_AFTER_SLASHES, &[&NO_HOST]);
    before(&BACKSLASH, &[&RELATIVE_BACKSLASH, &SECOND_BACKSLASH]);
    before(&ONE_SLASH, &[&ONE_SLASH_ONLY]);
    Implementation { landed: landed(&whatwg::WHATWG_2022_01, changes), own }
}

/// The steps on a base that consists of `file:`, two slashes and a drive letter.
fn on_drive_host(changes: &[&'static Change]) -> Implementation {
    let mut implementation = standard(changes);
    implementation.own.insert(0, &NO_LAST_SLASH);
    implementation.own.push(&JOINED);
    implementation
}

/// Returns whether a segment is a drive letter, with a colon or a bar.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

static SLASH_AFTER_HOST: OwnStep = OwnStep {
    instead_of: "path start 2",
    label: "Host: `?` or `#`",
    text: "put a slash after the host if credentials precede it and `?` or `#` follows it, in any scheme",
    run: |s| {
        if s.at_sign_seen() && matches!(s.at(0), Some('?' | '#')) {
            s.push_segment("");
            s.rewrites(Part::Path);
        }
        None
    },
};

static DOTS_BEFORE_BACKSLASH: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "Path: isSingleDotPathSegment",
    text: "a backslash ends a dot segment in any scheme, and is removed with it",
    run: |s| {
        let dots = s.buffer().to_ascii_lowercase().replace("%2e", ".");
        if s.is_special() || s.at(0) != Some('\\') || !matches!(dots.as_str(), "." | "..") {
            return None;
        }
        s.set_buffer("");
        s.rewrites(Part::Path);
        Some(if dots == ".." { Then::Return("shorten") } else { Then::Done })
    },
};

static DRIVE_HOST: OwnStep = OwnStep {
    instead_of: "file host 1.1",
    label: "FileHost: windowsQuirk",
    text: "put a slash after a drive letter in place of a host if `?` or `#` follows it",
    run: |s| {
        if !is_drive(s.buffer()) || !matches!(s.at(1), Some('?' | '#')) {
            return None;
        }
        let letter = s.buffer()[..1].to_owned() + ":";
        s.push_segment(letter);
        s.set_buffer("");
        s.rewrites(Part::Path);
        s.go("path")
    },
};

/// The mark of a path at whose start a drive letter is not looked for any more.
const BEGUN: &str = "the start of the path was read";

static PATH_START: OwnStep = OwnStep {
    instead_of: "file host 1.3.6",
    label: "FileHost: PathStart",
    text: "a drive letter is not looked for after a host",
    run: begin,
};

static DOTS: OwnStep = OwnStep {
    instead_of: "path 1.2.1",
    label: "Path: popPath",
    text: "a drive letter is not looked for after a dot segment",
    run: begin,
};

static DOT: OwnStep = OwnStep {
    instead_of: "path 1.4",
    label: "Path: consumeSingleDotPathSegment",
    text: "a drive letter is not looked for after a dot segment",
    run: |s| if matches!(s.buffer(), "." | "%2e" | "%2E") { begin(s) } else { None },
};

fn begin(s: &mut Machine<'_>) -> Option<Then> {
    s.mark(BEGUN);
    None
}

static BAR: OwnStep = OwnStep {
    instead_of: "path 1.4.1",
    label: "Path: appendWindowsDriveLetter",
    text: "the bar of such a drive letter is kept",
    run: |s| {
        let is_kept = s.is_marked(BEGUN) && s.segments().is_empty() && is_drive(s.buffer());
        if is_kept {
            s.rewrites(Part::Path);
        }
        is_kept.then_some(Then::Continue)
    },
};

static LAST_SLASH: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "File: copyURLPartsUntil",
    text: "a relative reference takes the path of the base up to its last slash, which precedes a drive letter without a slash",
    run: |s| {
        let only = s.segments().len() == 1;
        let is_file = s.state() == "file";
        if is_file && only {
            s.rewrites(Part::Path);
        }
        is_file.then_some(Then::SkipTo("shorten 4"))
    },
};

static POP_PATH: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "shouldPopPath",
    text: "`..` does not remove a drive letter at the start of a `file` path, with a colon or a bar",
    run: |s| match s.segments() {
        [only] if s.scheme() == "file" && is_drive(only) => {
            s.rewrites(Part::Path);
            Some(Then::Done)
        }
        _ => None,
    },
};

static BASE_DRIVE: OwnStep = OwnStep {
    instead_of: "file slash 2.1.2",
    label: "copyBaseWindowsDriveLetter",
    text: "the drive letter of the base is inherited with a colon, also if it has a bar",
    run: |s| {
        let first = s.base_segments().first().filter(|first| is_drive(first) && first.ends_with('|'))?;
        let letter = first[..1].to_owned() + ":";
        if s.starts_with_drive_letter() {
            return None;
        }
        s.push_segment(letter);
        s.rewrites(Part::Path);
        Some(Then::Continue)
    },
};

/// The mark of a reference whose first segment follows the base's drive letter directly.
const DIRECTLY: &str = "FileHost: m_pathAfterLastSlash";

static NO_LAST_SLASH: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "FileHost: m_pathAfterLastSlash",
    text: "the path of a base that is a drive letter in place of a host is taken whole, without a slash",
    run: |s| {
        let is_file = s.state() == "file";
        if is_file {
            s.mark(DIRECTLY);
            s.rewrites(Part::Path);
        }
        is_file.then_some(Then::Done)
    },
};

static JOINED: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "Path: after the drive letter",
    text: "the first segment follows that drive letter directly",
    run: |s| {
        if s.is_marked(DIRECTLY) {
            s.unmark(DIRECTLY);
            let letter = s.segments().first().cloned().unwrap_or_default();
            s.set_segments(Vec::new());
            s.set_buffer(letter);
            s.rewrites(Part::Path);
        }
        None
    },
};

static NO_PORT_ZERO: OwnStep = OwnStep {
    instead_of: "port 2.1.3",
    label: "parsePort: defaultPortForProtocol",
    text: "0 is the default port of a scheme that begins with `w` and does not have two or three letters",
    run: |s| {
        let is_default = s.scheme().starts_with('w') && !matches!(s.scheme().len(), 2 | 3) && s.buffer() == "0";
        if is_default {
            s.rewrites(Part::Authority);
        }
        is_default.then_some(Then::SkipTo("port 2.1.4"))
    },
};

static NO_CONTROL: OwnStep = OwnStep {
    instead_of: "host 3.3",
    label: "parseHostAndPort: isForbiddenHostCodePoint",
    text: "reject control characters in the host of a scheme that is not special",
    run: forbid_control,
};

static NO_CONTROL_BEFORE_PORT: OwnStep = OwnStep {
    instead_of: "host 2.3",
    label: "parseHostAndPort: isForbiddenHostCodePoint, before a port",
    text: "reject control characters in the host of a scheme that is not special",
    run: forbid_control,
};

fn forbid_control(s: &mut Machine<'_>) -> Option<Then> {
    if !s.is_special() && s.buffer().chars().any(|c| c.is_ascii_control()) {
        // A space is forbidden for the Standard, too.
        s.push(' ');
        s.rewrites(Part::Authority);
    }
    None
}

static HOST_BACKSLASH: OwnStep = OwnStep {
    instead_of: "host 3",
    label: "Host: `/`, `?` or `#`",
    text: "a backslash after credentials belongs to the host, in any scheme",
    run: |s| (s.at_sign_seen() && s.at(0) == Some('\\')).then_some(Then::SkipTo("host 4")),
};

static PORT_BACKSLASH: OwnStep = OwnStep {
    instead_of: "port 2",
    label: "Host: parsePort",
    text: "a backslash after credentials and a port belongs to the port, in any scheme",
    run: |s| (s.at_sign_seen() && s.at(0) == Some('\\')).then_some(Then::SkipTo("port 3")),
};

static NO_HOST: OwnStep = OwnStep {
    instead_of: "file host 1.2.3",
    label: "FileHost: Path",
    text: "a drive letter is not looked for after two slashes without a host",
    run: begin,
};

static RELATIVE_BACKSLASH: OwnStep = OwnStep {
    instead_of: "relative 3",
    label: "Relative: backslash",
    text: "a backslash at the start of a relative reference is a slash in any scheme",
    run: |s| if s.at(0) == Some('\\') { s.go("relative slash") } else { None },
};

static SECOND_BACKSLASH: OwnStep = OwnStep {
    instead_of: "relative slash 2",
    label: "RelativeSlash: backslash",
    text: "a second backslash is a slash in any scheme",
    run: |s| {
        if s.at(0) != Some('\\') {
            return None;
        }
        s.rewrites(Part::Authority);
        s.go("authority")
    },
};

static ONE_SLASH_ONLY: OwnStep = OwnStep {
    instead_of: "special relative or authority 1",
    label: "SpecialRelativeOrAuthority: atEnd",
    text: "reject a reference that ends after one slash; the host is missing",
    run: |s| if (s.at(0), s.at(1)) == (Some('/'), None) { s.go("special authority ignore slashes") } else { None },
};
