//! Mojo::URL: `Mojo::URL->new(reference)->to_abs(Mojo::URL->new(base))->to_string`, and the attributes of `Mojo::URL->new(url)`, from 8.71 on.
//!
//! Read from `Mojo/URL.pm`, `Mojo/Path.pm`, `Mojo/Parameters.pm` and `Mojo/Util.pm` of Mojolicious 8.71 to 9.53, which have the same functions.
//! Texts are characters, and an escape is the character with its value until the text is decoded as UTF-8. If the base is unknown, the
//! reference is written as it was read.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;
use crate::urllib;

/// Mojo::URL.
pub static TABLE: Table = Table {
    engine: "mojo-url",
    first: "8.71",
    changes: CHANGES,
    dated: &[],
    questions: &[(Question::Resolve, TO_STRING), (Question::Parse, STATE)],
    called: &[PARSE, TO_ABS, STRING],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

pub(crate) static CHANGES: &[&Change] = &[&SORTED];

static SORTED: Change = Change {
    id: "#2287",
    versions: &["9.43"],
    date: "2026-05-04",
    issue: "https://github.com/mojolicious/mojo/issues/2287",
    says: "the characters of a host are encoded in the order of their numbers, and none is lost",
    witness: Witness::resolving("http://a/", "//\u{3b1}\u{4e00}", Some("http://xn--5gq"), Some("http://xn--mxa0619a")),
};

/// The mark of a path that was divided into segments before it is written.
const DIVIDED: &str = "Mojo::Path: the path is divided";
/// The mark of a reference whose path has no slash of its own at the beginning.
const RELATIVE: &str = "Mojo::Path: the path of the reference is relative";
/// The same for the base.
const RELATIVE_BASE: &str = "Mojo::Path: the path of the base is relative";
/// The same for the merged path.
const RELATIVE_MERGED: &str = "Mojo::Path: the merged path is relative";

/// `parse`, for the base and the reference.
pub(crate) static PARSE: &[Step] = &[
    Step::new("parse: scheme", "the text before a first colon is the scheme, if it has no /, ? or #", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let found = given.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#']));
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("parse: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new(
        "parse: path, query, fragment",
        "the part up to ? or # is the path, then up to # the query, and then up to the end of the line the fragment",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (path, rest) = until(&rest, &['?', '#']);
            s.set(s.own(Part::Path), path);
            let (query, rest) = until(rest, &['#']);
            s.set(s.own(Part::Query), query.strip_prefix('?'));
            s.set(s.own(Part::Fragment), rest.strip_prefix('#').map(|fragment| until(fragment, &['\n']).0));
            Go
        },
    ),
    Step::new(
        "Mojo::Path: merge of a new path",
        "decode and divide a path that does not begin with a slash; one that its escapes put at the beginning is lost",
        |s| {
            let slot = s.own(Part::Path);
            if s.get(slot).starts_with('/') {
                return Go;
            }
            let path = Path::read(&decoded(unescaped(s.get(slot))));
            let path = Path { leading: false, ..path }.text();
            s.set(slot, path);
            match s.side {
                Side::Base => s.mark(RELATIVE_BASE),
                Side::Reference => {
                    s.mark(RELATIVE);
                    s.mark(DIVIDED);
                }
            }
            Go
        },
    ),
    Step::new("parse: fragment", "decode the escapes of the fragment", |s| {
        let slot = s.own(Part::Fragment);
        let fragment = s.present(slot).map(|fragment| decoded(unescaped(fragment)));
        s.set(slot, fragment);
        Go
    }),
    Step::new("parse: userinfo", "what precedes the first @ of the authority is the user information, unless that is the first character", |s| {
        let slot = s.own(Part::Authority);
        let divided = s.present(slot).and_then(|authority| authority.split_once('@')).filter(|(user, _)| !user.is_empty());
        let (user, host) = divided.map(|(user, host)| (user.to_owned(), host.to_owned())).unzip();
        s.copy(s.own(Part::Host), slot);
        s.set(s.own(Part::Userinfo), user);
        if host.is_some() {
            s.set(s.own(Part::Host), host);
        }
        Go
    }),
    Step::new("parse: url_unescape of userinfo", "decode the escapes of the user information", |s| {
        let slot = s.own(Part::Userinfo);
        let user = s.present(slot).map(|user| decoded(unescaped(user)));
        s.set(slot, user);
        Go
    }),
    Step::new("host_port: port", "digits of any script after a colon at the end are the port; an end of line may follow them", |s| {
        let slot = s.own(Part::Host);
        let Some(host) = s.present(slot) else {
            s.set(s.own(Part::Port), None::<&str>);
            return Go;
        };
        let (text, end) = host.strip_suffix('\n').map_or((host, ""), |text| (text, "\n"));
        let divided = text.rsplit_once(':').filter(|(_, port)| !port.is_empty() && port.chars().all(|it| urllib::digit(it).is_some()));
        let divided = divided.map(|(host, port)| (format!("{host}{end}"), port.to_owned()));
        s.set(s.own(Part::Port), divided.as_ref().map(|(_, port)| port.as_str()));
        if let Some((host, _)) = divided {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("host_port: url_unescape", "write the escapes of the host as characters, which are not decoded as UTF-8", |s| {
        rewrite_host(s, unescaped)
    }),
    Step::new("ihost: punycode_decode", "decode the labels with xn-- of a host that has characters outside ASCII", |s| {
        rewrite_host(s, |host| {
            let label = |label: &str| match label.strip_prefix("xn--").filter(|code| !code.is_empty()) {
                Some(code) => from_punycode(code),
                None => label.to_owned(),
            };
            match host.is_ascii() {
                true => host.to_owned(),
                false => host.split('.').map(label).collect::<Vec<_>>().join("."),
            }
        })
    }),
];

/// `to_abs`.
pub(crate) static TO_ABS: &[Step] = &[
    Step::new("Mojo::URL->new: the reference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("Mojo::URL->new: the base", "read the base, unless it is unknown; then the reference inherits nothing", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.base.is_empty() {
            true => {
                s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
                own_authority(s)
            }
            false => Call(PARSE, Side::Base),
        }
    }),
    Step::new("to_abs: is_abs", "a reference with a scheme, unless that is 0, inherits nothing", |s| {
        if !is_true(s.get(Slot::Ref(Part::Scheme))) {
            return Go;
        }
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        own_authority(s)
    }),
    Step::new("to_abs: scheme", "any other reference inherits the scheme", |s| {
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("to_abs: host", "a reference with a host, unless that is empty or 0, inherits nothing else", |s| {
        if is_true(s.get(Slot::Ref(Part::Host))) { own_authority(s) } else { Go }
    }),
    Step::new("to_abs: userinfo, host, port", "inherit the user information, the host and the port", |s| {
        s.inherit(Part::Authority);
        for part in [Part::Userinfo, Part::Host, Part::Port] {
            s.flow(Slot::Out(part), Slot::Base(part));
        }
        Go
    }),
    Step::new("Mojo::Path: _parse", "decode the escapes of the path, and divide it into segments", |s| {
        s.mark(DIVIDED);
        divide(s, Slot::Ref(Part::Path), RELATIVE)
    }),
    Step::new("to_abs: leading_slash", "a path that begins with a slash is not merged", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        if s.is_marked(RELATIVE) { Go } else { Done }
    }),
    Step::new("Mojo::Path: _parse of the base", "decode the escapes of the base's path, and divide it into segments", |s| {
        divide(s, Slot::Base(Part::Path), RELATIVE_BASE)
    }),
    Step::new("to_abs: parts", "without a path, inherit the base's, and its query if there is none or an empty one", |s| {
        if !Path::of(s.get(Slot::Ref(Part::Path)), true).segments.is_empty() {
            return To("Mojo::Path: merge");
        }
        s.inherit_as("path");
        if s.is_marked(RELATIVE_BASE) {
            s.mark(RELATIVE_MERGED);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if s.get(Slot::Out(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        To("Mojo::Path: canonicalize")
    }),
    Step::new("Mojo::Path: merge", "the path replaces the last segment of the base's, or the whole path if its first segment is empty", |s| {
        s.inherit_as("folder");
        let path = Path::of(s.get(Slot::Ref(Part::Path)), true);
        let text = path.text();
        if text.starts_with('/') {
            s.set(Slot::Merged, Path::read(&text).text());
            return Go;
        }
        let mut merged = Path::of(s.get(Slot::Base(Part::Path)), s.is_marked(RELATIVE_BASE));
        if !merged.trailing {
            merged.segments.pop();
        }
        merged.segments.extend(path.segments);
        merged.trailing = path.trailing;
        if !merged.leading {
            s.mark(RELATIVE_MERGED);
        }
        s.set(Slot::Merged, merged.text());
        Go
    }),
    Step::new(
        "Mojo::Path: canonicalize",
        "remove empty segments, those of one and of three dots, and each .. with the segment before it; without segments, no slash is at the end",
        |s| {
            let mut path = Path::of(s.get(Slot::Merged), s.is_marked(RELATIVE_MERGED));
            let mut kept: Vec<String> = Vec::new();
            for segment in path.segments {
                match segment.as_str() {
                    "" | "." | "..." => {}
                    ".." if kept.last().is_some_and(|last| last != "..") => drop(kept.pop()),
                    _ => kept.push(segment),
                }
            }
            path.trailing &= !kept.is_empty();
            path.segments = kept;
            let path = path.text();
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
];

/// `_string`.
pub(crate) static STRING: &[Step] = &[
    Step::new("protocol", "write the scheme in lower case; 0 is not written", |s| {
        let slot = Slot::Out(Part::Scheme);
        let scheme = s.present(slot).filter(|scheme| is_true(scheme)).map(str::to_lowercase);
        s.set(slot, scheme);
        Go
    }),
    Step::new(
        "punycode_encode: sort",
        "encode the labels of the host that have characters outside ASCII, without mapping them; a character is lost if it precedes the last one \
         by its number and not by its digits",
        |s| encode_labels(s, |label| {
            let mut codes: Vec<u32> = label.chars().map(u32::from).filter(|code| *code >= 0x80).collect();
            codes.sort_by_key(u32::to_string);
            punycode(label, &codes)
        }),
    )
    .until(&SORTED),
    Step::new("ihost: punycode_encode", "encode the labels of the host that have characters outside ASCII, without mapping them", |s| {
        encode_labels(s, |label| {
            let mut codes: Vec<u32> = label.chars().map(u32::from).filter(|code| *code >= 0x80).collect();
            codes.sort_unstable();
            punycode(label, &codes)
        })
    })
    .since(&SORTED),
    Step::new("_string: host_port", "write the host and the port as the authority, and encode what an authority cannot contain", |s| {
        let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        let authority = s.present(Slot::Out(Part::Host)).map(|host| escaped(&format!("{host}{port}"), b"!$&'()*+,;=:[]\\"));
        s.compose(Slot::Out(Part::Authority), &[Slot::Out(Part::Host), Slot::Out(Part::Port)]);
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("to_unsafe_string: userinfo", "to_unsafe_string writes the user information before the host", |s| {
        if let Some(user) = s.present(Slot::Out(Part::Userinfo)).filter(|_| s.is_marked(UNSAFE)) {
            let authority = format!("{}@{}", escaped(user, b"!$&'()*+,;=:"), s.get(Slot::Out(Part::Authority)));
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    }),
    Step::new("Mojo::Path: to_string", "encode what a path cannot contain; a percent sign as well, if the path was divided", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let path = escaped(s.get(Slot::NoDots), kept_in_path(s));
        s.set(Slot::Out(Part::Path), path);
        Go
    }),
    Step::new("Mojo::Parameters: to_string", "encode what a query cannot contain", |s| {
        let slot = Slot::Out(Part::Query);
        let query = s.present(slot).map(|query| escaped(query, b"%!$&'()*+,;=:@/?"));
        s.set(slot, query);
        Go
    }),
    Step::new("path_query", "an empty query is not written", |s| {
        if s.get(Slot::Out(Part::Query)).is_empty() {
            s.set(Slot::Out(Part::Query), None::<&str>);
        }
        Go
    }),
    Step::new("_string: path", "write a slash between an authority, unless that is empty or 0, and a path that begins with another character", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if is_true(s.get(Slot::Out(Part::Authority))) && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("_string: fragment", "encode what a fragment cannot contain", |s| {
        let slot = Slot::Out(Part::Fragment);
        let fragment = s.present(slot).map(|fragment| escaped(fragment, b"!$&'()*+,;=:@/?"));
        s.set(slot, fragment);
        Go
    }),
    Step::new("_string", "concatenate the components", |s| s.concatenate()),
];

/// The mark of `to_unsafe_string`.
pub(crate) const UNSAFE: &str = "Mojo::URL: to_unsafe_string";

static TO_STRING: &[Step] = &[
    Step::new("to_abs", "make the reference absolute", |_| Call(TO_ABS, Side::Reference)),
    Step::new("to_string", "write the URL without user information", |_| Call(STRING, Side::Reference)),
];

/// `Mojo::URL->new(url)`, and its attributes.
static STATE: &[Step] = &[
    Step::new("Mojo::URL->new", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("scheme, userinfo, host, port, fragment", "state the components as they were read", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Port, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("path, query: to_string", "state the path and the query, with escapes for what they cannot contain, and an absent query as an empty one", |s| {
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        let path = escaped(s.get(Slot::Ref(Part::Path)), kept_in_path(s));
        s.set(Slot::Out(Part::Path), path);
        s.flow(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        let query = escaped(s.get(Slot::Ref(Part::Query)), b"%!$&'()*+,;=:@/?");
        s.set(Slot::Out(Part::Query), query);
        Done
    }),
];

fn encode_labels(s: &mut State<'_>, punycode: impl Fn(&str) -> String) -> Next {
    if let Some(host) = s.present(Slot::Out(Part::Host)) {
        let label = |label: &str| if label.is_ascii() { label.to_owned() } else { format!("xn--{}", punycode(label)) };
        let host = host.split('.').map(label).collect::<Vec<_>>().join(".");
        s.set(Slot::Out(Part::Host), host);
    }
    Go
}

/// Encodes a label by RFC 3492. The codes that are encoded are taken in this order, and one that precedes the last one is left out.
fn punycode(label: &str, codes: &[u32]) -> String {
    let basic: String = label.chars().filter(char::is_ascii).collect();
    let mut out = if basic.is_empty() { String::new() } else { format!("{basic}-") };
    let (mut next, mut delta, mut bias, mut handled) = (0x80, 0_i64, 72, basic.len() as i64);
    for &code in codes {
        if code < next {
            continue;
        }
        delta = delta.saturating_add(i64::from(code - next).saturating_mul(handled + 1));
        for own in label.chars().map(u32::from) {
            if own < code {
                delta = delta.saturating_add(1);
            } else if own == code {
                let mut rest = delta;
                let threshold = |step: i64| (step - bias).clamp(1, 26);
                let mut step = 36;
                while rest >= threshold(step) {
                    let (least, span) = (threshold(step), 36 - threshold(step));
                    out.push(digit(least + (rest - least) % span));
                    rest = (rest - least) / span;
                    step += 36;
                }
                out.push(digit(rest));
                bias = adapted(delta, handled + 1, handled == basic.len() as i64);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.saturating_add(1);
        next = code + 1;
    }
    out
}

/// Returns the digit of a value below 36.
fn digit(value: i64) -> char {
    let value = u32::try_from(value).unwrap_or_default();
    char::from_digit((value + 10) % 36, 36).unwrap_or_default()
}

/// Adapts the bias (RFC 3492 §6.1).
fn adapted(delta: i64, count: i64, is_first: bool) -> i64 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta = delta.saturating_add(delta / count);
    let mut steps = 0;
    while delta > 455 {
        delta /= 35;
        steps += 36;
    }
    steps + delta.saturating_mul(36).checked_div(delta.saturating_add(38)).unwrap_or_default()
}

/// Decodes a label by RFC 3492. Any character is a digit, and so is the end of the text.
fn from_punycode(code: &str) -> String {
    let (basic, rest) = code.rsplit_once('-').unwrap_or(("", code));
    let mut out: Vec<char> = basic.chars().collect();
    let mut rest = rest.chars().peekable();
    let (mut next, mut at, mut bias) = (0x80_i64, 0_i64, 72);
    while rest.peek().is_some() {
        let (before, mut weight, mut step) = (at, 1_i64, 36);
        loop {
            let digit = match rest.next().map_or(0, |it| i64::from(u32::from(it))) {
                it @ ..0x40 => it - 22,
                it => (it & 0x1f) - 1,
            };
            at = at.wrapping_add(digit.wrapping_mul(weight));
            let threshold = (step - bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.wrapping_mul(36 - threshold);
            step += 36;
        }
        let count = out.len() as i64 + 1;
        bias = adapted(at.wrapping_sub(before), count, before == 0);
        next = next.wrapping_add(at / count);
        at %= count;
        let place = usize::try_from(at).unwrap_or_default().min(out.len());
        out.insert(place, u32::try_from(next).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        at += 1;
    }
    out.into_iter().collect()
}

/// Returns the characters that a path keeps.
fn kept_in_path(s: &State<'_>) -> &'static [u8] {
    if s.is_marked(DIVIDED) { b"!$&'()*+,;=:@/" } else { b"!$&'()*+,;=:@/%" }
}

/// Takes the authority and the path of the reference.
fn own_authority(s: &mut State<'_>) -> Next {
    for part in [Part::Authority, Part::Userinfo, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
    Done
}

/// Returns whether a text is true in Perl.
fn is_true(text: &str) -> bool {
    !matches!(text, "" | "0")
}

fn rewrite_host(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(Part::Host);
    if let Some(host) = s.present(slot) {
        let host = written(host);
        s.set(slot, host);
    }
    Go
}

/// `url_unescape`: each escape is a character.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let byte = is_escape(&rest[at..]).then(|| u8::from_str_radix(&rest[at + 1..at + 3], 16).ok()).flatten();
        out.push(byte.map_or('%', char::from));
        rest = &rest[at + if byte.is_some() { 3 } else { 1 }..];
    }
    out + rest
}

/// `decode`: characters up to U+00FF are bytes of UTF-8 if that is possible.
fn decoded(text: String) -> String {
    let bytes: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(it).ok()).collect();
    let decoded = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.filter(|decoded| !decoded.contains(is_noncharacter)).unwrap_or(text)
}

/// Returns whether Perl's UTF-8 has no form of a character.
fn is_noncharacter(it: char) -> bool {
    matches!(it, '\u{fdd0}'..='\u{fdef}') || u32::from(it) & 0xffff >= 0xfffe
}

/// `url_escape` of a text in UTF-8: all but unreserved characters and `kept` are encoded.
fn escaped(text: &str, kept: &[u8]) -> String {
    let text = text.replace(is_noncharacter, "\u{fffd}");
    encoded(&text, |it| it.is_ascii_alphanumeric() || b"-._~".contains(&it) || kept.contains(&it))
}

/// Decodes a path, unless it was when it was read, because it is `relative`.
fn divide(s: &mut State<'_>, slot: Slot, relative: &str) -> Next {
    if !s.is_marked(relative) {
        let path = Path::read(&decoded(unescaped(s.get(slot)))).text();
        s.set(slot, path);
    }
    Go
}

/// A path that is divided.
struct Path {
    leading: bool,
    segments: Vec<String>,
    trailing: bool,
}

impl Path {
    /// Divides a decoded path. The last slash may precede an end of line.
    fn read(path: &str) -> Self {
        let (leading, path) = path.strip_prefix('/').map_or((false, path), |path| (true, path));
        match path.strip_suffix("/\n") {
            Some(text) => Self { leading, trailing: true, segments: format!("{text}\n").split('/').map(str::to_owned).collect() },
            None => Self { leading, ..Self::of(path, true) },
        }
    }

    /// Divides a path that was divided before. A slash at the beginning of a relative path follows an empty segment.
    fn of(path: &str, is_relative: bool) -> Self {
        let (leading, path) = path.strip_prefix('/').filter(|_| !is_relative).map_or((false, path), |path| (true, path));
        let (trailing, path) = path.strip_suffix('/').map_or((false, path), |path| (true, path));
        let segments = if path.is_empty() { Vec::new() } else { path.split('/').map(str::to_owned).collect() };
        Self { leading, segments, trailing }
    }

    fn text(&self) -> String {
        let slash = |is_there: bool| if is_there { "/" } else { "" };
        format!("{}{}{}", slash(self.leading), self.segments.join("/"), slash(self.trailing))
    }
}
