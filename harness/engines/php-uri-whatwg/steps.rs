//! PHP's `Uri\WhatWg\Url`: `(new Url($base))->resolve($reference)`, from 8.5.10 on.
//!
//! PHP contains Lexbor. Read from `source/lexbor/url/url.c` of Lexbor, of August 2026. It has the states of the URL Standard, but reads the
//! authority and the path whole, keeps the path as one string, and counts its segments. Its count for a base is not always that of the segments, which
//! shows after a drive letter; this table takes the number of segments.

use urlstrata::revision::whatwg::{self, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::Part;
use urlstrata_steps::standard::landed;
use urlstrata_steps::text::encoded;
use urlstrata_steps::{Change, Next, Question, Step, Table, no_calls};

/// PHP's `Uri\WhatWg\Url`.
pub static TABLE: Table = Table {
    engine: "php-uri-whatwg",
    first: "8.5.10",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[Step::new(
    "lxb_url_parse",
    "run the steps of the URL Standard of March 2025 without its change 6c78200",
    |_| Next::Standard(standard),
)];

fn standard(changes: &[&'static Change]) -> Implementation {
    let landed = landed(&whatwg::WHATWG_2022_01, changes);
    let landed = whatwg::Change::by_commit("9bc33c3").map_or(landed, |caret| landed.with(caret));
    Implementation {
        landed,
        own: vec![&NAME, &DECODED, &DECODED_BEFORE_PORT, &DECODED_IN_FILE, &CASE, &SHORTEN, &BASE_DRIVE, &PATH],
    }
}

/// The mark of a host whose letters keep their case.
const KEPT: &str = "the host was decoded, and not converted to ASCII";

static DECODED: OwnStep = OwnStep {
    instead_of: "host 3.3",
    label: "lxb_url_host_parse: LXB_URL_HOST_OPT_DECODE",
    text: "a host with escapes is decoded; unless it is not ASCII, its letters keep their case",
    run: decode_host,
};

static DECODED_BEFORE_PORT: OwnStep = OwnStep {
    instead_of: "host 2.3",
    label: "lxb_url_host_parse: LXB_URL_HOST_OPT_DECODE, before a port",
    text: "a host with escapes is decoded; unless it is not ASCII, its letters keep their case",
    run: decode_host,
};

static DECODED_IN_FILE: OwnStep = OwnStep {
    instead_of: "file host 1.3.1",
    label: "lxb_url_host_parse: LXB_URL_HOST_OPT_DECODE, in `file`",
    text: "a host with escapes is decoded; unless it is not ASCII, its letters keep their case",
    run: decode_host,
};

fn decode_host(s: &mut Machine<'_>) -> Option<Then> {
    if !s.is_special() || !s.buffer().contains('%') || s.buffer().to_ascii_lowercase().contains("xn--") {
        return None;
    }
    let mut parts = s.buffer().split('%');
    let mut host = parts.next()?.to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok())?;
        host.push(char::from(code));
        host += &part[2..];
    }
    let last = host.strip_suffix('.').unwrap_or(&host).rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_number = match last.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit()),
    };
    // Addresses and what is rejected do not depend on the case.
    let is_plain = |c: char| c.is_ascii_graphic() && !"#%/:<>?@[\\]^|".contains(c);
    if is_number || !host.chars().all(is_plain) || !host.contains(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    s.set_buffer(host);
    s.mark(KEPT);
    None
}

static CASE: OwnStep = OwnStep {
    instead_of: "host parser 6",
    label: "lxb_url_host_parse: lexbor_str_append_lowercase",
    text: "a host that was decoded is not converted to lower case",
    run: |s| {
        let is_kept = s.is_marked(KEPT);
        s.unmark(KEPT);
        if is_kept {
            s.rewrites(Part::Authority);
        }
        is_kept.then_some(Then::Return("opaque-host parser"))
    },
};

static NAME: OwnStep = OwnStep {
    instead_of: "authority 1.3",
    label: "AUTHORITY_STATE: pswd",
    text: "drop what is between an @ of the user name and the first colon",
    run: |s| {
        if s.at_sign_seen() && !s.password_token_seen() {
            let from_colon = s.buffer().find(':').map(|colon| s.buffer()[colon..].to_owned())?;
            s.set_buffer(from_colon);
            s.rewrites(Part::Authority);
        }
        None
    },
};

/// Returns whether a text begins with a letter and a colon.
fn begins_with_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

static SHORTEN: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "lxb_url_path_shorten",
    text: "keep the only segment of a `file` path if it begins with a letter and a colon",
    run: |s| match s.segments() {
        [only] if s.scheme() == "file" && begins_with_drive(only) => {
            s.rewrites(Part::Path);
            Some(Then::Done)
        }
        segments => {
            if !segments.is_empty() {
                s.mark(SHORTENED);
            }
            None
        }
    },
};

/// The mark of a path that was shortened.
const SHORTENED: &str = "lxb_url_path_shorten";

/// The marks of a path that was read, and of one that begins with a segment of the base that is not counted.
const READ: &str = "lxb_url_path_fast_path";
const UNCOUNTED: &str = "FILE_SLASH_STATE: lxb_url_path_append_wo_slash";

static BASE_DRIVE: OwnStep = OwnStep {
    instead_of: "file slash 2.1.2",
    label: "FILE_SLASH_STATE: lxb_url_normalized_windows_drive_letter",
    text: "inherit the first segment of the base's path if it begins with a letter and a colon, unless it is the only one or the rest of the input does",
    run: |s| {
        if s.starts_with_drive_letter() {
            return None;
        }
        // A single segment is not found.
        if let [only] = s.base_segments() {
            let is_drive = begins_with_drive(only);
            if is_drive {
                s.rewrites(Part::Path);
            }
            return is_drive.then_some(Then::Continue);
        }
        let first = s.base_segments().first().filter(|first| begins_with_drive(first))?.clone();
        s.push_segment(first);
        s.mark(UNCOUNTED);
        s.rewrites(Part::Path);
        Some(Then::Continue)
    },
};

static PATH: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "lxb_url_path_fast_path",
    text: "read the path at once: a dot segment takes the character that ends it, also `?` and `#`; before another character that is \
           percent-encoded, `|`, a bracket or a caret, the segments are copied as they are, with the two characters after each `%`",
    run: |s| {
        if s.is_marked(READ) {
            return None;
        }
        s.mark(READ);
        let rest = (0..).map_while(|distance| s.at(distance));
        let input: String = s.buffer().chars().chain(rest).collect();
        let mut path = Lexbor {
            text: s.segments().iter().flat_map(|segment| ["/", segment]).collect(),
            count: if s.is_marked(UNCOUNTED) { 0 } else { s.segments().len() },
            is_set: s.is_marked(SHORTENED) || !s.segments().is_empty(),
            is_special: s.is_special(),
            is_file: s.scheme() == "file",
        };
        let read = path.read(&input).min(input.len());
        let read = input[..read].chars().count();
        let buffered = s.buffer().chars().count();
        let segments = path.text.split('/').skip(1).map(str::to_owned).collect();
        s.set_segments(segments);
        s.rewrites(Part::Path);
        s.set_buffer("");
        s.advance(isize::try_from(read).ok()? - isize::try_from(buffered).ok()?);
        Some(Then::SkipTo("path 1.6"))
    },
};

/// A path while it is read.
struct Lexbor {
    text: String,
    count: usize,
    /// Whether it was written before, if it is empty.
    is_set: bool,
    is_special: bool,
    is_file: bool,
}

impl Lexbor {
    fn ends_segment(&self, byte: u8) -> bool {
        matches!(byte, b'/' | b'?' | b'#') || byte == b'\\' && self.is_special
    }

    /// Returns the number of dots of the dot segment at `at`, and where it ends.
    fn dots(&self, input: &str, at: usize) -> Option<(usize, usize)> {
        let rest = &input[at..];
        let end = at + rest.bytes().position(|byte| self.ends_segment(byte)).unwrap_or(rest.len());
        match input[at..end].to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => Some((1, end)),
            ".." => Some((2, end)),
            _ => None,
        }
    }

    fn append(&mut self, segments: &str) {
        self.is_set = true;
        self.text.extend(["/", segments]);
    }

    /// Reads the path while nothing in it is percent-encoded. Returns where it ends.
    fn read(&mut self, input: &str) -> usize {
        let bytes = input.as_bytes();
        let (mut begin, mut last, mut at) = (0, 0, 0);
        while let Some(&byte) = bytes.get(at) {
            let is_start = at == begin || bytes[at - 1] == b'/' || bytes[at - 1] == b'\\' && self.is_special;
            match byte {
                b'/' => {
                    self.count = self.count.wrapping_add(1);
                    last = at + 1;
                }
                b'?' | b'#' => break,
                b'\\' if self.is_special => {
                    self.count = self.count.wrapping_add(1);
                    self.append(&input[begin..at]);
                    (begin, last) = (at + 1, at + 1);
                }
                b'.' | b'%' => match is_start.then(|| self.dots(input, at)).flatten() {
                    Some((dots, end)) => {
                        self.remove(dots, &input[begin..at]);
                        (begin, last) = ((end + 1).min(input.len()), (end + 1).min(input.len()));
                        at = end;
                    }
                    None if byte == b'%' => at += 2,
                    None => {}
                },
                byte if byte.is_ascii_alphanumeric() || b"!$&'()*+,-:;=@_~".contains(&byte) => {}
                _ => {
                    if last > begin + 1 {
                        self.append(&input[begin..last - 1]);
                    }
                    return self.read_encoding(input, last);
                }
            }
            at += 1;
        }
        let at = at.min(input.len());
        self.append(&input[begin.min(at)..at]);
        if self.count == 0 || at != begin {
            self.count = self.count.wrapping_add(1);
        }
        at
    }

    /// Appends what precedes a dot segment, and does what that says.
    fn remove(&mut self, dots: usize, before: &str) {
        if !before.is_empty() {
            self.append(&before[..before.len() - 1]);
        }
        let is_kept = self.is_file && self.count == 1 && begins_with_drive(self.text.get(1..).unwrap_or_default());
        if dots == 1 && self.text.ends_with('/') {
            self.text.pop();
        } else if dots == 2 && !is_kept && self.is_set {
            // The number of segments overflows here, and again at the next slash.
            self.count = self.count.wrapping_sub(1);
            self.text.truncate(self.text.rfind('/').unwrap_or(0));
        }
    }

    /// Reads the rest of the path, from the start of a segment.
    fn read_encoding(&mut self, input: &str, mut at: usize) -> usize {
        self.text.push('/');
        let mut last = self.text.len();
        while let Some(c) = input.get(at..).and_then(|rest| rest.chars().next()) {
            if c.is_ascii() && self.ends_segment(c as u8) {
                self.fix_drive(last);
                self.count = self.count.wrapping_add(1);
                if matches!(c, '?' | '#') {
                    return at;
                }
                self.text.push('/');
                last = self.text.len();
                self.count = self.count.wrapping_add(usize::from(at + 1 == input.len()));
            } else if let Some((dots, end)) = self.dots(input, at).filter(|_| last == self.text.len()) {
                let is_kept = self.is_file && self.count == 1 && begins_with_drive(self.text.get(1..last - 1).unwrap_or_default());
                if dots == 2 && self.count > 0 && !is_kept {
                    self.count -= 1;
                    self.text.truncate(self.text[..last - 1].rfind('/').map_or(last, |slash| slash + 1));
                    last = self.text.len();
                }
                at = end;
            } else {
                let keeps = |byte: u8| matches!(byte, b'!'..=b'~') && !b"\"#<>?^`{}".contains(&byte);
                self.text += &encoded(c.encode_utf8(&mut [0; 4]), keeps);
                at += c.len_utf8() - 1;
            }
            at += 1;
        }
        if self.count == 0 || last < self.text.len() {
            self.fix_drive(last);
            self.count = self.count.wrapping_add(1);
        }
        at
    }

    /// Writes a colon into the drive letter that is the first segment of a `file` path and begins at `at`.
    fn fix_drive(&mut self, at: usize) {
        let is_drive = matches!(&self.text.as_bytes()[at..], [letter, b'|'] if letter.is_ascii_alphabetic());
        if self.is_file && self.count == 0 && is_drive {
            self.text.pop();
            self.text.push(':');
        }
    }
}
