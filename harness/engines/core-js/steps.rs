//! core-js: `new URL(reference, base)` of its polyfill, from 3.50.0 on.
//!
//! Read from `modules/web.url.constructor.js` of core-js-pure 3.51.0, which has the states of the URL Standard. It follows the Standard of July 2026
//! but for the paths of `file` URLs. Domains are converted to ASCII by a part of UTS #46 that it contains.

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::landed;
use urlstrata_steps::{Change, Next, Question, Step, Table, no_calls};

/// core-js.
pub static TABLE: Table = Table {
    engine: "core-js",
    first: "3.50.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: Some(standard),
    has_dated_names: false,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[Step::new(
    "URLState: parse",
    "run the steps of the URL Standard of July 2026, and those of its older text for the paths of `file` URLs",
    |_| Next::Standard(standard),
)];

fn standard(changes: &[&'static Change]) -> Implementation {
    Implementation { landed: landed(&whatwg::WHATWG_2026_07, changes), own: vec![&DRIVE_LETTER, &NO_HOST, &EMPTY] }
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
