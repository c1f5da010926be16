//! The crate `url`: `Url::parse(base)?.join(reference)`, and the methods of `Url::parse(url)?`, from 2.4.0 on.
//!
//! Read from `src/parser.rs` of url 2.4.1 to 2.5.8. The parser writes into one string what the URL Standard keeps in a record. It follows the
//! Standard of January 2022, without the change of `file` URLs of September 2020. Domains are converted to ASCII by the crate idna. Its
//! version is 0.4 or 0.5 before 2.5.3, except in 2.5.1.

mod idna_0;

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Dated, Next, Question, Side, Step, Table, Witness, no_calls};

use crate::url_standard::{authority, written};

/// The crate `url`.
pub static TABLE: Table = Table {
    engine: "crate-url",
    first: "2.4.0",
    changes: &[&IDNA, &SLICES],
    // The next version takes the change back.
    dated: &[Dated { version: "2.5.1", changes: &["CVE-2024-12224"] }],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, PARSE)],
    called: &[],
    standard: Some(standard),
    has_dated_names: true,
    field: None,
    calls: no_calls,
};

static IDNA: Change = Change {
    id: "CVE-2024-12224",
    versions: &["2.5.3"],
    date: "2024-11-04",
    issue: "https://rustsec.org/advisories/RUSTSEC-2024-0421.html",
    says: "domains are converted by the crate idna 1.0, which rejects a label with `xn--` and without a character outside ASCII, and a joiner \
           outside its context",
    witness: Witness::resolving("", "http://xn--a-/", Some("http://a/"), None),
};

static SLICES: Change = Change {
    id: "#1026",
    versions: &["2.5.5"],
    date: "2025-08-08",
    issue: "https://github.com/servo/rust-url/pull/1026",
    says: "segments are encoded whole, and no slash is put after a drive letter at the start of a longer segment",
    witness: Witness::resolving("", "file:/a:b", Some("file:///a:/b"), Some("file:///a:b")),
};

/// `Url::join`.
pub static JOIN: &[Step] = &[Step::new(
    "Url::join",
    "run the steps of the URL Standard of January 2022 without its change 47efa00",
    |_| Next::Standard(standard),
)];

/// `Url::parse`, and the methods of what it returns.
pub(crate) static PARSE: &[Step] = &[
    Step::new("Url::parse", "parse the URL", |_| Next::Call(JOIN, Side::Reference)),
    Step::new("username, password", "state the user information, unless it is empty", |s| {
        let user = authority(s).0.map(str::to_owned);
        s.set(Slot::Out(Part::Userinfo), user);
        Next::Go
    }),
    Step::new("host_str", "state the host, unless it is empty or absent", |s| {
        let host = Some(authority(s).1).filter(|host| !host.is_empty()).map(str::to_owned);
        s.set(Slot::Out(Part::Host), host);
        Next::Go
    }),
    Step::new("port", "state the port, unless it is absent or that of the scheme", |s| {
        let port = authority(s).2.strip_prefix(':').map(str::to_owned);
        s.set(Slot::Out(Part::Port), port);
        Next::Go
    }),
    Step::new("scheme, path, query, fragment", "state the other components; absent ones are not empty", |s| {
        let [scheme, _, path, query, fragment] = written(s).map(|part| part.map(str::to_owned));
        for (part, value) in [(Part::Scheme, scheme), (Part::Path, path), (Part::Query, query), (Part::Fragment, fragment)] {
            s.set(Slot::Out(part), value);
        }
        s.set(Slot::Result, s.reference);
        Next::Go
    }),
];

/// Returns the parser of a version.
pub fn standard(changes: &[&'static Change]) -> Implementation {
    let file_host = whatwg::Change::by_commit("47efa00");
    let landed = file_host.map_or(landed(&whatwg::WHATWG_2022_01, changes), |change| {
        landed(&whatwg::WHATWG_2022_01, changes).without(change)
    });
    let mut own: Vec<&'static OwnStep> = vec![
        &SLASHES,
        &DRIVE_SLASH,
        &POP_PATH,
        &AFTER_DRIVE,
        &DOTS_AFTER_DRIVE,
        &NO_FILE_HOST,
        &LOCALHOST,
        &DOTS_AT_START,
        &DRIVE_LETTER,
        &KEPT_HOST,
        &PORT,
        &USERINFO,
    ];
    own.push(if SLICES.is_among(changes) { &INSERTED_SLASH_AT_TAB } else { &INSERTED_SLASH });
    own.push(&DOTS_AFTER_SLASH);
    if !IDNA.is_among(changes) {
        own.push(&DOMAIN_TO_ASCII);
    }
    Implementation { landed, own }
}

static DOMAIN_TO_ASCII: OwnStep = OwnStep {
    instead_of: "domain 6.1",
    label: "Host::domain_to_ascii",
    text: "convert it to ASCII without rules for joiners; a label with xn-- may have no character outside ASCII, and loses the xn--",
    run: |s| {
        if let Some(domain) = idna_0::to_ascii(s.domain()) {
            s.set_ascii_domain(domain);
        }
        Some(Then::Continue)
    },
};

static SLASHES: OwnStep = OwnStep {
    instead_of: "relative 3",
    label: "parse_relative: slashes_count",
    text: "in any scheme, an authority follows // or, if one of the first two is a backslash, as many slashes and backslashes as there \
           are; a single one begins a path",
    run: |s| {
        let is_slash = |s: &Machine<'_>, at| matches!(s.at(at), Some('/' | '\\'));
        match (is_slash(s, 0), is_slash(s, 1)) {
            (false, _) => None,
            (true, false) => s.go("relative slash"),
            (true, true) => {
                let mut count = 2;
                if (s.at(0), s.at(1)) != (Some('/'), Some('/')) {
                    while is_slash(s, count) {
                        count += 1;
                    }
                }
                s.advance(count - 1);
                s.rewrites(Part::Authority);
                s.go("authority")
            }
        }
    },
};

/// Returns whether a segment is a drive letter, with a colon or a bar.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

static DRIVE_SLASH: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "last_slash_can_be_removed",
    text: "`..` does not remove a drive letter, in any scheme and at any place",
    run: |s| {
        // A backslash, which is part of a segment if the scheme is not special, ends a drive letter, too.
        let begins = |last: &String| is_drive(last.split('\\').next().unwrap_or_default());
        if s.state() != "path" || !s.segments().last().is_some_and(begins) {
            return None;
        }
        s.rewrites(Part::Path);
        Some(Then::Done)
    },
};

/// The mark while the drive letter at the end of the base's path has no slash after it.
const NO_SLASH: &str = "pop_path: a drive letter is kept";

static POP_PATH: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "pop_path",
    text: "a drive letter at the end of the path of a `file` base is kept",
    run: |s| {
        let is_kept = s.state() == "file"
            && s.segments().len() > 1
            && s.segments().last().is_some_and(|last| is_drive(last) && last.ends_with(':'));
        if is_kept {
            s.mark(NO_SLASH);
            s.rewrites(Part::Path);
        }
        is_kept.then_some(Then::Done)
    },
};

static AFTER_DRIVE: OwnStep = OwnStep {
    instead_of: "path 1.1",
    label: "parse_path: segment_start",
    text: "put the first segment directly after the drive letter that was kept, without a slash",
    run: |s| {
        let dots = s.buffer().to_ascii_lowercase().replace("%2e", ".");
        if s.is_marked(NO_SLASH) && dots != ".." {
            s.unmark(NO_SLASH);
            if dots != "." {
                let mut segments = s.segments().to_vec();
                let joined = segments.pop().unwrap_or_default() + s.buffer();
                s.set_segments(segments);
                s.set_buffer(joined);
                s.rewrites(Part::Path);
            }
        }
        None
    },
};

static DOTS_AFTER_DRIVE: OwnStep = OwnStep {
    instead_of: "path 1.2.2",
    label: "parse_path: ends_with_slash",
    text: "`..` after that drive letter adds no slash",
    run: |s| {
        let follows = s.is_marked(NO_SLASH);
        s.unmark(NO_SLASH);
        if follows {
            s.rewrites(Part::Path);
        }
        follows.then_some(Then::SkipTo("path 1.5"))
    },
};

/// The mark while a slash precedes the path of a `file` URL twice.
const TWO_SLASHES: &str = "parse_file_host: no host";

static NO_FILE_HOST: OwnStep = OwnStep {
    instead_of: "file host 1.2.3",
    label: "parse_file_host: no host",
    text: "write a slash before the path, which may begin with another one",
    run: |s| {
        s.mark(TWO_SLASHES);
        None
    },
};

static LOCALHOST: OwnStep = OwnStep {
    instead_of: "file host 1.3.6",
    label: "parse_file_host: localhost",
    text: "write a slash before the path, which may begin with another one",
    run: |s| {
        s.mark(OWN_HOST);
        if s.name() == Some("") {
            s.mark(TWO_SLASHES);
        }
        None
    },
};

/// The mark if the host is that of the reference.
const OWN_HOST: &str = "parse_file_host: a host";

static KEPT_HOST: OwnStep = OwnStep {
    instead_of: "path 1.4.1.1 (83adf0c)",
    label: "parse_file: has_host",
    text: "a drive letter after dot segments does not remove the host of the base",
    run: |s| {
        let is_kept = !s.is_marked(OWN_HOST) && s.name().is_some_and(|host| !host.is_empty());
        (is_kept && s.segments().is_empty() && is_drive(s.buffer())).then_some(Then::Continue)
    },
};

static DOTS_AT_START: OwnStep = OwnStep {
    instead_of: "path 1.2.1",
    label: "shorten_path: the second slash",
    text: "`..` at the start of such a path removes the second slash",
    run: |s| {
        if s.segments().is_empty() {
            s.unmark(TWO_SLASHES);
        }
        None
    },
};

static DRIVE_LETTER: OwnStep = OwnStep {
    instead_of: "path 1.4.1",
    label: "parse_path: is_windows_drive_letter",
    text: "the bar of a drive letter is kept if two slashes precede it",
    run: |s| {
        let is_kept = s.is_marked(TWO_SLASHES) && s.segments().is_empty() && is_drive(s.buffer());
        if is_kept {
            s.rewrites(Part::Path);
        }
        is_kept.then_some(Then::Continue)
    },
};

static PORT: OwnStep = OwnStep {
    instead_of: "port 2",
    label: "parse_port",
    text: "a backslash ends the port in any scheme",
    run: |s| (s.at(0) == Some('\\')).then_some(Then::Continue),
};

static USERINFO: OwnStep = OwnStep {
    instead_of: "authority 2.1",
    label: "after_double_slash: has_authority",
    text: "a host may be missing after an @ if neither a user nor a password was written",
    run: |s| {
        let is_empty = s.at_sign_seen() && s.buffer().is_empty() && !s.is_special();
        let has_text = s.credentials() != ("", "");
        let is_end = s.at(0).is_none();
        (is_empty && !has_text && (s.password_token_seen() || is_end)).then_some(Then::Continue)
    },
};

/// The mark while the segment after a slash that was put after a drive letter is read.
const INSERTED: &str = "parse_path: an inserted slash";

static DOTS_AFTER_SLASH: OwnStep = OwnStep {
    instead_of: "path 1.2",
    label: "parse_path: segment_before_slash",
    text: "dot segments are kept after a slash that was put after a drive letter",
    run: |s| {
        let follows = s.is_marked(INSERTED);
        s.unmark(INSERTED);
        if follows {
            s.rewrites(Part::Path);
        }
        follows.then_some(Then::SkipTo("path 1.4.2"))
    },
};

static INSERTED_SLASH: OwnStep = OwnStep {
    instead_of: "path 2.3",
    label: "parse_path: is_normalized_windows_drive_letter",
    text: "put a slash after a drive letter at the start of a `file` path if another character follows",
    run: |s| {
        insert_slash(s);
        None
    },
};

static INSERTED_SLASH_AT_TAB: OwnStep = OwnStep {
    instead_of: "path 2.3",
    label: "parse_path: push_pending at a tab",
    text: "put a slash after a drive letter at the start of a `file` path if a tab or newline and another character follow",
    run: |s| {
        if s.follows_tab() {
            insert_slash(s);
        }
        None
    },
};

fn insert_slash(s: &mut Machine<'_>) {
    let is_first = s.scheme() == "file" && s.segments().is_empty() && !s.is_marked(TWO_SLASHES);
    if is_first && is_drive(s.buffer()) && s.buffer().ends_with(':') {
        let letter = s.buffer().to_owned();
        s.push_segment(letter);
        s.set_buffer("");
        s.mark(INSERTED);
        s.rewrites(Part::Path);
    }
}
