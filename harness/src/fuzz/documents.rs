//! Documents: what is told of one is in order, the same each time, and no more than its bytes can hold.

use std::collections::BTreeMap;
use std::fmt::Write;

use urlstrata::base::Layer;
use urlstrata::revision::{self, Revision};

use super::{Bytes, Fault, Law, Seen, is_a_line};
use crate::document::{DocumentError, DocumentKind, Event, Link, MAX_BASE, Part, Reader};
use crate::escape::visible;
use crate::plural::counted;
use crate::vector::{Question, Suite};

/// On bytes as a document; the first tells how they are read.
pub struct Documents;

impl Law for Documents {
    type Case = Bytes;
    const NAME: &'static str = "document";
    const STATES: &'static str = "what is told of a document is in order, with a base that is absolute, links that lead where the \
                                  revision says, lines that are there, the same each time, and linear in its bytes";
    const WORDS: &'static [&'static str] = &[
        "<base href=\"http://b/c/\">",
        "<a href=\"",
        "<img srcset=\"a 1x, b 2x\">",
        "<meta http-equiv=refresh content=\"0;url=x\">",
        "<meta charset=utf-16>",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<svg>",
        "<title>",
        "</head>",
        "<body background=x>",
        "<applet archive=\"a b\">",
        "MIME-Version: 1.0\r\n",
        "Content-Type: multipart/mixed; boundary=x\r\n\r\n",
        "\r\n--x\r\n",
        "\r\n--x--\r\n",
        "Content-Type: message/rfc822\r\n\r\n",
        "Content-Type: multipart/digest; boundary=x\n\n",
        "Content-Type: text/html; charset=iso-2022-jp\r\n\r\n",
        "Content-Transfer-Encoding: base64\r\n",
        "Content-Transfer-Encoding: quoted-printable\r\n",
        "Content-Base: ",
        "Content-Location: ",
        "Base: <URL:",
        "Location: ",
        "<URL:http://a/b-\n c>",
        "\u{feff}",
        "&nGt;",
        "&#0;",
    ];

    fn check(case: &Bytes, seen: &mut Seen) -> Result<(), Fault> {
        let Some(asked) = Asked::of(&case.0) else { return Ok(()) };
        let fault = |why: &str| Fault::new(format!("{:?}: {why}", asked.kind));
        let reader = asked.reader().map_err(|why| fault(&why))?;
        let mut read = Checked::new(&asked);
        let mut lines = Vec::new();
        let told = reader.read(asked.bytes, asked.kind, &mut |event| {
            read.take(&event);
            lines.push(line_of(&event));
            Ok(())
        });
        seen.count(&format!("{:?} by {}", asked.kind, asked.revision.id));
        read.seen.iter().for_each(|(class, count)| seen.add(class, *count));
        if let Err(error) = &told {
            is_refused_well(error).map_err(fault)?;
            seen.count("refused");
        }
        read.end().map_err(fault)?;
        lines.extend(told.err().map(|error| format!("{error:?}")));
        is_told_again(&lines, &told_of(&reader, &asked)).map_err(fault)
    }

    fn seeds(suite: &Suite) -> Vec<Bytes> {
        let mut seeds = Vec::new();
        for (_, vector) in suite.vectors() {
            let (text, kind) = match &vector.question {
                Question::Document(case) => (&case.document, DocumentKind::by_name(&case.kind)),
                Question::Text(case) => (&case.text, None),
                _ => continue,
            };
            let ways = Asked::ways().filter(|way| {
                Asked::of(&[*way])
                    .is_some_and(|asked| kind.is_none_or(|kind| kind == asked.kind) && asked.retrieval == RETRIEVALS[1])
            });
            seeds.extend(ways.map(|way| Bytes([&[way], text.as_bytes()].concat())));
        }
        seeds
    }

    fn show(case: &Bytes) -> String {
        let Some(asked) = Asked::of(&case.0) else { return String::new() };
        let mut out = format!(
            "  {:?} by {}, retrieved from {:?}, by default {:?}: {}\n  \"{}\"\n",
            asked.kind,
            asked.revision.id,
            asked.retrieval.0,
            asked.retrieval.1,
            counted(asked.bytes.len(), "byte", "bytes"),
            visible(&String::from_utf8_lossy(asked.bytes))
        );
        for line in asked.reader().iter().flat_map(|reader| told_of(reader, &asked)).take(100) {
            let _ = writeln!(out, "    {}", visible(&line));
        }
        out
    }
}

/// Where a document comes from, and what the application takes for a base.
const RETRIEVALS: [(Option<&str>, Option<&str>); 5] = [
    (None, None),
    (Some("http://r/a/b?q#f"), None),
    (Some("x:y"), None),
    (None, Some("http://d/")),
    (Some("1:"), Some("d:/e")),
];

/// A document, and how it is read.
struct Asked<'b> {
    kind: DocumentKind,
    revision: &'static Revision,
    retrieval: (Option<&'static str>, Option<&'static str>),
    bytes: &'b [u8],
}

impl<'b> Asked<'b> {
    /// The revisions that can read a document, oldest first.
    fn revisions() -> impl Iterator<Item = &'static Revision> + Clone {
        let readable = |revision: &&Revision| revision.base.is_some() && revision.rules.is_some();
        revision::ALL.iter().copied().filter(readable)
    }

    /// The first bytes that each mean another way to read a document.
    fn ways() -> impl Iterator<Item = u8> + Clone {
        let count = DocumentKind::ALL.len() * Self::revisions().count() * RETRIEVALS.len();
        (0..=u8::MAX).take(count)
    }

    /// Reads the first byte as the kind, revision and retrieval, which are its digits from the lowest to the highest.
    fn of(input: &'b [u8]) -> Option<Self> {
        let (way, bytes) = input.split_first()?;
        let way = usize::from(*way);
        let (kinds, revisions) = (DocumentKind::ALL.len(), Self::revisions().count());
        Some(Self {
            kind: DocumentKind::ALL[way % kinds].1,
            revision: Self::revisions().nth(way / kinds % revisions)?,
            retrieval: RETRIEVALS[way / (kinds * revisions) % RETRIEVALS.len()],
            bytes,
        })
    }

    /// The reader; without a URL that the revision does not hold absolute.
    fn reader(&self) -> Result<Reader<'static>, String> {
        let (retrieval, default) = self.retrieval;
        let absolute = |url: &&str| self.revision.base.is_some_and(|base| base.is_absolute(url));
        Reader::new(self.revision, retrieval.filter(absolute), default.filter(absolute))
            .map_err(|unfit| unfit.to_string())
    }
}

/// All that is told of a document, a line each.
fn told_of(reader: &Reader<'_>, asked: &Asked<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let read = reader.read(asked.bytes, asked.kind, &mut |event| {
        lines.push(line_of(&event));
        Ok(())
    });
    lines.extend(read.err().map(|error| format!("{error:?}")));
    lines
}

fn line_of(event: &Event<'_>) -> String {
    match event {
        Event::Part(part) => format!(
            "part {:?} {:?} {} base {:?} ({}) {:?}",
            part.path, part.media_type, part.encoding, part.base.url, part.base.section, part.stated
        ),
        Event::Link(link) => {
            let target = link.target();
            format!("link {} {} {:?} {:?} {target:?}", link.line, link.place, link.reference, link.candidate)
        }
        Event::Note(note) => format!("note {note}"),
    }
}

fn is_told_again(told: &[String], again: &[String]) -> Result<(), &'static str> {
    (told == again).then_some(()).ok_or("a second specification tells otherwise")
}

fn is_refused_well(error: &DocumentError) -> Result<(), &'static str> {
    match error {
        DocumentError::Document(sentence) if is_a_line(sentence) => Ok(()),
        DocumentError::Document(_) => Err("a document is refused in other than a line of text"),
        DocumentError::Sink(_) => Err("a document is refused by whoever was told, who took all"),
    }
}

/// How much is told.
#[derive(Clone, Copy, Debug, Default)]
struct EventSink {
    /// Parts, what states their bases, links and notes.
    events: usize,
    /// Bytes that stood in the document: references and their candidates, media types, and bases as they are stated.
    quoted: usize,
    /// All other bytes: paths, places and notes.
    added: usize,
}

/// The longest path: 32 numbers of up to six digits, with dots between them.
const LONGEST_PATH: usize = 32 * 7;

/// The longest media type that no header states.
const LONGEST_DEFAULT: usize = "message/rfc822".len();

impl EventSink {
    fn add(&mut self, quoted: usize, added: usize) {
        self.events += 1;
        self.quoted += quoted;
        self.added += added;
    }

    /// Whether so much can be told of so many bytes.
    ///
    /// No delimiter, element or URL is shorter than what is told of it is often. A byte in an encoding of its own, or in none, is up
    /// to three in UTF-8, and is quoted up to three times: what states a base as that, as its URL and as a link.
    fn is_linear(self, bytes: usize) -> Result<(), &'static str> {
        if self.events > bytes + 1 {
            return Err("more is told of a document than it has bytes");
        }
        if self.quoted > 9 * bytes + LONGEST_DEFAULT * self.events {
            return Err("more is told to stand in a document than its bytes can hold");
        }
        match self.added > LONGEST_PATH * self.events {
            true => Err("a path, a place or a note is longer than any can be"),
            false => Ok(()),
        }
    }
}

/// What was told so far, and the first thing of it that was out of order.
struct Checked<'a> {
    asked: &'a Asked<'a>,
    /// The most lines that a part can have.
    lines: usize,
    /// How many parts each part has had so far, by its path.
    parts: BTreeMap<String, usize>,
    /// The open part, and the line of the last link in it, 0 for those of its header, which come last.
    open: Option<(Part, Option<usize>)>,
    told: EventSink,
    fault: Option<&'static str>,
    seen: BTreeMap<&'static str, u64>,
}

impl<'a> Checked<'a> {
    fn new(asked: &'a Asked<'a>) -> Self {
        let ends = asked.bytes.iter().filter(|byte| b"\r\n".contains(byte)).count();
        // What is decoded may be made of nothing but line ends.
        let lines = if asked.kind == DocumentKind::Mime { asked.bytes.len() } else { ends } + 1;
        let seen = BTreeMap::new();
        Self { asked, lines, parts: BTreeMap::new(), open: None, told: EventSink::default(), fault: None, seen }
    }

    fn take(&mut self, event: &Event<'_>) {
        let (class, taken) = match event {
            Event::Part(part) => ("a part", self.part(part)),
            Event::Link(link) => ("a link", self.link(link)),
            Event::Note(note) => ("a note", self.note(note)),
        };
        *self.seen.entry(class).or_default() += 1;
        self.fault = self.fault.or(taken.err());
    }

    fn end(self) -> Result<(), &'static str> {
        match self.fault {
            Some(fault) => Err(fault),
            None => self.told.is_linear(self.asked.bytes.len()),
        }
    }

    fn part(&mut self, part: &Part) -> Result<(), &'static str> {
        self.told.add(part.media_type.len(), part.path.len());
        for stated in &part.stated {
            self.told.add(stated.value.len() + stated.url.as_ref().map_or(0, String::len), stated.by.len());
        }
        self.comes_next(&part.path)?;
        self.open = Some((part.clone(), None));
        let base = &part.base.url;
        let absolute = self.asked.revision.base.is_some_and(|specification| specification.is_absolute(base));
        if !absolute && !base.is_empty() || base.len() > MAX_BASE {
            return Err("a base is relative, or longer than any may be");
        }
        match (part.base.layer == Layer::Content) == part.stated_by().is_some() {
            true => Ok(()),
            false => Err("a base is its part's own and nothing stated it, or the other way round"),
        }
    }

    /// Whether a part's path is that of the next part of one that is there, or tells how many there were.
    fn comes_next(&mut self, path: &str) -> Result<(), &'static str> {
        let count = self.parts.len();
        let next = match path.rsplit_once('.') {
            _ if path.is_empty() || count == 0 => path.is_empty() && count == 0,
            _ if path.starts_with('#') => path == format!("#{count}"),
            of_part => {
                let (outer, number) = of_part.unwrap_or(("", path));
                self.parts.get_mut(outer).is_some_and(|had| {
                    *had += 1;
                    number == had.to_string()
                })
            }
        };
        let fresh = self.parts.insert(path.to_owned(), 0).is_none();
        (next && fresh).then_some(()).ok_or("a part is out of order")
    }

    fn link(&mut self, link: &Link<'_>) -> Result<(), &'static str> {
        let candidate = link.candidate.as_deref().map_or(0, str::len);
        self.told.add(link.reference.len() + candidate, link.place.len());
        let Some((part, last)) = &mut self.open else { return Err("a link stands in no part") };
        // What a header refers to has the base that the header gives, whatever the content states.
        let held = || part.base.layers.iter().filter_map(|held| held.url.as_deref());
        let of_header = link.line == 0 && (link.base.is_empty() || held().any(|url| url.starts_with(link.base)));
        if link.base != part.base.url && !of_header {
            return Err("a link has another base than its part");
        }
        if link.target() != self.asked.revision.resolve(link.base, &link.reference) {
            return Err("a link leads elsewhere than its reference");
        }
        let ordered = match (*last, link.line) {
            (_, 0) => self.asked.kind == DocumentKind::Mime,
            (Some(last), line) => last > 0 && last <= line,
            (None, _) => true,
        };
        *last = Some(link.line);
        match ordered && link.line <= self.lines {
            true => Ok(()),
            false => Err("the lines of links go back, or beyond those of their part"),
        }
    }

    fn note(&mut self, note: &str) -> Result<(), &'static str> {
        self.told.add(0, note.len());
        match self.open.is_some() && is_a_line(note) {
            true => Ok(()),
            false => Err("a note is about no part, or no line of text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io;

    use super::{Asked, Checked, Documents, EventSink, RETRIEVALS, is_refused_well, is_told_again, told_of};
    use crate::document::{DocumentError, DocumentKind, Event, MAX_BASE, Reader};
    use crate::fuzz::{Bytes, Law, Seen};
    use crate::vector::Suite;
    use proptest::prelude::*;
    use urlstrata::revision;

    #[track_caller]
    fn holds(input: &[u8], seen: &mut Seen) {
        crate::fuzz::holds::<Documents>(&Bytes(input.to_vec()), seen);
    }

    #[test]
    fn it_holds_of_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut seen = Seen::default();
        Documents::seeds(&suite).iter().for_each(|seed| holds(&seed.0, &mut seen));
        for (_, kind) in DocumentKind::ALL {
            for revision in Asked::revisions() {
                let class = format!("{kind:?} by {}", revision.id);
                assert!(seen.0.contains_key(&class), "{class}: {seen:?}");
            }
        }
        assert!(["a part", "a link", "a note"].iter().all(|class| seen.0[*class] > 5), "{seen:?}");
    }

    /// Each byte is a character of three, and stands as what states a base, as its URL and as a link.
    #[test]
    fn it_holds_of_a_header_in_no_encoding() {
        for way in Asked::ways() {
            holds(&[&[way], b"Content-Location:".as_slice(), &[0xbd; 1000]].concat(), &mut Seen::default());
        }
    }

    /// The kind, revision and retrieval that a first byte means.
    fn way_of(byte: u8) -> (String, &'static str, (Option<&'static str>, Option<&'static str>)) {
        let input = [byte];
        let asked = Asked::of(&input).expect("a way");
        (format!("{:?}", asked.kind), asked.revision.id, asked.retrieval)
    }

    #[test]
    fn each_first_byte_means_another_way_to_read() {
        let ways: BTreeSet<_> = Asked::ways().map(way_of).collect();
        assert_eq!(ways.len(), Asked::ways().count());
        assert!(Asked::of(&[]).is_none());
    }

    #[test]
    fn a_first_byte_reaches_every_kind_revision_and_retrieval() {
        let ways: BTreeSet<_> = Asked::ways().map(way_of).collect();
        for revision in revision::ALL.iter().copied().filter(|revision| Reader::new(revision, None, None).is_ok()) {
            for (_, kind) in DocumentKind::ALL {
                for retrieval in RETRIEVALS {
                    let way = (format!("{kind:?}"), revision.id, retrieval);
                    assert!(
                        ways.contains(&way),
                        "no first byte means {way:?}: read two bytes, and convert the kept inputs"
                    );
                }
            }
        }
    }

    #[test]
    fn first_bytes_of_kept_inputs_keep_their_meaning() {
        const KINDS: [&str; 3] = ["Html", "Mime", "Text"];
        const IDS: [&str; 5] = ["rfc1808", "draft-1996", "rfc2396", "rfc3986", "rfc3986-nonstrict"];
        for byte in 0..=u8::MAX {
            let way = usize::from(byte) % 75;
            let meant = (KINDS[way % 3].to_owned(), IDS[way / 3 % 5], RETRIEVALS[way / 15]);
            assert_eq!(
                way_of(byte),
                meant,
                "the inputs in fuzz/inputs/document.txt have another meaning: if a revision was added, run \
                 `cargo run --release -- fuzz document` and list the revision here"
            );
        }
    }

    /// What is said of a document of which something else is told: `change` is handed each event, and what takes it.
    fn told(
        kind: DocumentKind,
        text: &str,
        change: impl Fn(&mut Checked<'_>, &Event<'_>) -> bool,
    ) -> Result<(), &'static str> {
        let way = Asked::ways().find(|way| Asked::of(&[*way]).is_some_and(|asked| asked.kind == kind)).expect("a way");
        let input = [&[way], text.as_bytes()].concat();
        let asked = Asked::of(&input).expect("a document");
        let mut checked = Checked::new(&asked);
        let reader = asked.reader().expect("a reader");
        let read = reader.read(asked.bytes, asked.kind, &mut |event| {
            if !change(&mut checked, &event) {
                checked.take(&event);
            }
            Ok(())
        });
        assert!(read.is_ok());
        checked.end()
    }

    #[track_caller]
    fn fails(told: Result<(), &str>, part: &str) {
        assert!(told.is_err_and(|why| why.contains(part)), "{told:?}");
    }

    const HTML: &str = "<base href='http://b/#f'><a href=x>\n<a href=y></head><base href=z>";
    const MAIL: &str =
        "Content-Location: http://m/\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n--x\n\n<URL:a>\n--x--\n";

    #[test]
    fn what_is_out_of_order_is_told() {
        assert_eq!(told(DocumentKind::Html, HTML, |_, _| false), Ok(()));
        assert_eq!(told(DocumentKind::Mime, MAIL, |_, _| false), Ok(()));
        let changed = |kind: DocumentKind, text: &str, change: &dyn Fn(&mut crate::document::Part)| {
            told(kind, text, |checked, event| {
                let Event::Part(part) = event else { return false };
                let mut other = (*part).clone();
                change(&mut other);
                checked.take(&Event::Part(&other));
                true
            })
        };
        fails(changed(DocumentKind::Mime, MAIL, &|part| part.path.push('1')), "out of order");
        fails(changed(DocumentKind::Mime, MAIL, &|part| part.path = part.path.replace('2', "3")), "out of order");
        fails(changed(DocumentKind::Mime, MAIL, &|part| part.path = part.path.replace('2', "1")), "out of order");
        fails(changed(DocumentKind::Mime, MAIL, &|part| part.path = part.path.replace('2', "#1")), "out of order");
        assert_eq!(changed(DocumentKind::Mime, MAIL, &|part| part.path = part.path.replace('2', "#2")), Ok(()));
        fails(changed(DocumentKind::Html, HTML, &|part| part.base.url = "b".to_owned()), "relative");
        fails(changed(DocumentKind::Html, HTML, &|part| part.base.url.push_str(&"x".repeat(MAX_BASE))), "longer");
        fails(changed(DocumentKind::Html, HTML, &|part| part.stated.clear()), "nothing stated it");
        fails(changed(DocumentKind::Html, HTML, &|part| part.base.url.push('x')), "stated it");
        fails(changed(DocumentKind::Html, HTML, &|part| part.path = "1".repeat(4000)), "out of order");
    }

    #[test]
    fn a_link_that_is_out_of_order_is_told() {
        let changed = |kind: DocumentKind, text: &str, change: &dyn Fn(&mut crate::document::Link<'_>)| {
            told(kind, text, |checked, event| {
                let Event::Link(link) = event else { return false };
                let mut other = (*link).clone();
                change(&mut other);
                checked.take(&Event::Link(&other));
                true
            })
        };
        fails(changed(DocumentKind::Html, HTML, &|link| link.base = "http://c/"), "another base");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line = 3 - link.line), "go back");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line += 1), "beyond");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line = 0), "go back");
        assert_eq!(changed(DocumentKind::Mime, MAIL, &|link| link.line = 0), Ok(()));
        fails(told(DocumentKind::Html, HTML, |_, event| matches!(event, Event::Part(_))), "in no part");
        let note = |checked: &mut Checked<'_>, event: &Event<'_>| {
            matches!(event, Event::Note(_)) && {
                checked.take(&Event::Note("a\nb"));
                true
            }
        };
        fails(told(DocumentKind::Html, HTML, note), "no line of text");
    }

    #[test]
    fn what_is_told_beyond_bounds_otherwise_or_refused_is_told() {
        let told = EventSink { events: 11, quoted: 90, added: 0 };
        assert_eq!(told.is_linear(10), Ok(()));
        fails(told.is_linear(9), "than it has bytes");
        fails(EventSink { quoted: 91 + 11 * 14, ..told }.is_linear(10), "can hold");
        fails(EventSink { added: 11 * 32 * 7 + 1, ..told }.is_linear(10), "longer than any");
        let input = [0];
        let asked = Asked::of(&input).expect("a document");
        let lines = told_of(&asked.reader().expect("a reader"), &asked);
        assert!(is_told_again(&lines, &lines).is_ok() && is_told_again(&lines, &[]).is_err());
        assert!(is_refused_well(&DocumentError::Document("too long".to_owned())).is_ok());
        assert!(is_refused_well(&DocumentError::Document("too\nlong".to_owned())).is_err());
        assert!(is_refused_well(&DocumentError::Sink(io::Error::other("no"))).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_by_chance(
            way in any::<u8>(),
            pieces in prop::collection::vec(prop::sample::select(Documents::WORDS), 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            holds(&[&[way], pieces.concat().as_bytes(), &bytes].concat(), &mut Seen::default());
        }
    }
}
