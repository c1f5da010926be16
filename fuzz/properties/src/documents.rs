//! Documents: the order and the size of the events that a reader reports.

use std::collections::BTreeMap;
use std::fmt::Write;

use urlstrata::base::{Layer, Selection};
use urlstrata::revision::{self, Revision};
use urlstrata_harness::document::{DocumentError, DocumentKind, Event, Link, MAX_BASE, Part, Reader};
use urlstrata_harness::escape::visible;
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::{Question, Suite};

use super::{BytesInput, Classes, Property, Violation, ensure, is_single_line};

/// On bytes as a document; the first byte selects how they are read.
pub struct Documents;

impl Property for Documents {
    type Input = BytesInput;
    const NAME: &'static str = "document";
    const STATEMENT: &'static str = "the events of a document are in order, with absolute bases, links that are resolved like the \
                                     revision resolves them, and existing lines; they are the same each time, and their size is \
                                     linear in the size of the document";
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

    fn check(input: &BytesInput, classes: &mut Classes) -> Result<(), Violation> {
        let Some(request) = Request::decode(&input.0) else { return Ok(()) };
        let violation = |why: &str| Violation::new(format!("{:?}: {why}", request.kind));
        let reader = request.reader().map_err(|why| violation(&why))?;
        let mut checker = Checker::new(&request);
        let mut lines = Vec::new();
        let read = reader.read(request.bytes, request.kind, &mut |event| {
            checker.check(&event);
            lines.push(line_of(&event));
            Ok(())
        });
        classes.count(&format!("{:?} by {}", request.kind, request.revision.id));
        checker.events.iter().for_each(|(class, count)| classes.add(class, *count));
        if let Err(error) = &read {
            check_error(error).map_err(violation)?;
            classes.count("rejected");
        }
        checker.finish().map_err(violation)?;
        lines.extend(read.err().map(|error| format!("{error:?}")));
        ensure(lines == events(&reader, &request), violation("a second reading has another result"))
    }

    fn seeds(suite: &Suite) -> Vec<BytesInput> {
        let mut seeds = Vec::new();
        for (_, vector) in suite.vectors() {
            let (text, kind) = match &vector.question {
                Question::Document(case) => (&case.document, DocumentKind::by_name(&case.kind)),
                Question::Text(case) => (&case.text, None),
                _ => continue,
            };
            let ways = Request::first_bytes().filter(|way| {
                Request::decode(&[*way]).is_some_and(|request| {
                    kind.is_none_or(|kind| kind == request.kind) && request.retrieval == RETRIEVALS[1]
                })
            });
            seeds.extend(ways.map(|way| BytesInput([&[way], text.as_bytes()].concat())));
        }
        seeds
    }

    fn describe(input: &BytesInput) -> String {
        let Some(request) = Request::decode(&input.0) else { return String::new() };
        let mut out = format!(
            "  {:?} by {}, retrieved from {:?}, default base {:?}: {}\n  \"{}\"\n",
            request.kind,
            request.revision.id,
            request.retrieval.0,
            request.retrieval.1,
            counted(request.bytes.len(), "byte", "bytes"),
            visible(&String::from_utf8_lossy(request.bytes))
        );
        for line in request.reader().iter().flat_map(|reader| events(reader, &request)).take(100) {
            let _ = writeln!(out, "    {}", visible(&line));
        }
        out
    }
}

/// The URL that a document is retrieved from, and the default base of the application.
const RETRIEVALS: [(Option<&str>, Option<&str>); 5] = [
    (None, None),
    (Some("http://r/a/b?q#f"), None),
    (Some("x:y"), None),
    (None, Some("http://d/")),
    (Some("1:"), Some("d:/e")),
];

/// A document and how it is read.
struct Request<'b> {
    kind: DocumentKind,
    revision: &'static Revision,
    retrieval: (Option<&'static str>, Option<&'static str>),
    bytes: &'b [u8],
}

impl<'b> Request<'b> {
    /// Returns the revisions that can read a document, oldest first.
    fn revisions() -> impl Iterator<Item = &'static Revision> + Clone {
        let readable = |revision: &&Revision| revision.base.is_some() && revision.rules.is_some();
        revision::ALL.iter().copied().filter(readable)
    }

    /// Returns the first bytes that each select another way to read a document.
    fn first_bytes() -> impl Iterator<Item = u8> + Clone {
        let count = DocumentKind::ALL.len() * Self::revisions().count() * RETRIEVALS.len();
        (0..=u8::MAX).take(count)
    }

    /// Decodes the first byte: its digits from the lowest to the highest are the kind, the revision and the retrieval.
    fn decode(input: &'b [u8]) -> Option<Self> {
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

    /// Returns the reader; URLs that are not absolute for the revision are left out.
    fn reader(&self) -> Result<Reader<'static>, String> {
        let (retrieval, default) = self.retrieval;
        let absolute = |url: &&str| self.revision.base.is_some_and(|base| base.is_absolute(url));
        Reader::new(self.revision, retrieval.filter(absolute), default.filter(absolute))
            .map_err(|unfit| unfit.to_string())
    }
}

/// Returns all events of a document, one per line.
fn events(reader: &Reader<'_>, request: &Request<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let read = reader.read(request.bytes, request.kind, &mut |event| {
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

fn check_error(error: &DocumentError) -> Result<(), &'static str> {
    match error {
        DocumentError::Document(sentence) => ensure(is_single_line(sentence), "an error is not a line of text"),
        DocumentError::Sink(_) => Err("the receiver of the events is reported to have failed"),
    }
}

/// The size of the events of a document.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    /// Parts, statements of bases, links and notes.
    events: usize,
    /// Bytes from the document: references and their candidates, media types, and bases as they are stated.
    quoted: usize,
    /// All other bytes: paths, places and notes.
    added: usize,
}

/// The length of the longest path: 32 numbers of up to six digits, separated by dots.
const MAX_PATH: usize = 32 * 7;

/// The length of the longest media type that is not stated in a header.
const MAX_DEFAULT_TYPE: usize = "message/rfc822".len();

impl Size {
    fn add(&mut self, quoted: usize, added: usize) {
        self.events += 1;
        self.quoted += quoted;
        self.added += added;
    }

    /// Checks that a document of so many bytes can have events of this size.
    ///
    /// Each event needs a byte of its own. A byte in another encoding, or in none, has up to three bytes in UTF-8 and is
    /// quoted up to three times: in a statement of a base, in the URL of that, and in a link.
    fn check(self, bytes: usize) -> Result<(), &'static str> {
        ensure(self.events <= bytes + 1, "a document has more events than bytes")?;
        let quotable = 9 * bytes + MAX_DEFAULT_TYPE * self.events;
        ensure(self.quoted <= quotable, "the events quote more than the document contains")?;
        ensure(self.added <= MAX_PATH * self.events, "a path, a place or a note is longer than the limit")
    }
}

/// The events so far, and the first problem.
struct Checker<'a> {
    request: &'a Request<'a>,
    /// The maximum number of lines of a part.
    lines: usize,
    /// The number of parts of each part so far, by its path.
    parts: BTreeMap<String, usize>,
    /// The current part and the line of its last link; 0 for the links of its header, which come last.
    open: Option<(Part, Option<usize>)>,
    size: Size,
    problem: Option<&'static str>,
    events: BTreeMap<&'static str, u64>,
}

impl<'a> Checker<'a> {
    fn new(request: &'a Request<'a>) -> Self {
        let ends = request.bytes.iter().filter(|byte| b"\r\n".contains(byte)).count();
        // Decoding can turn every byte into the end of a line.
        let lines = if request.kind == DocumentKind::Mime { request.bytes.len() } else { ends } + 1;
        let (parts, events) = (BTreeMap::new(), BTreeMap::new());
        Self { request, lines, parts, open: None, size: Size::default(), problem: None, events }
    }

    fn check(&mut self, event: &Event<'_>) {
        let (class, checked) = match event {
            Event::Part(part) => ("a part", self.part(part)),
            Event::Link(link) => ("a link", self.link(link)),
            Event::Note(note) => ("a note", self.note(note)),
        };
        *self.events.entry(class).or_default() += 1;
        self.problem = self.problem.or(checked.err());
    }

    fn finish(self) -> Result<(), &'static str> {
        self.problem.map_or(Ok(()), Err)?;
        self.size.check(self.request.bytes.len())
    }

    fn part(&mut self, part: &Part) -> Result<(), &'static str> {
        self.size.add(part.media_type.len(), part.path.len());
        for stated in &part.stated {
            self.size.add(stated.value.len() + stated.url.as_ref().map_or(0, String::len), stated.by.len());
        }
        self.check_path(&part.path)?;
        self.open = Some((part.clone(), None));
        let base = &part.base.url;
        let absolute = self.request.revision.base.is_some_and(|reading| reading.is_absolute(base));
        let allowed = (absolute || base.is_empty()) && base.len() <= MAX_BASE;
        ensure(allowed, "a base is relative, or longer than the limit")?;
        let is_own = part.base.layer == Layer::Content;
        let is_converted = part.base.layers.iter().any(|held| held.selection == Selection::Converted);
        let is_base = |url: &String| is_converted || url.starts_with(base);
        let stated = part.stated_by().map(|stated| stated.url.as_ref().is_ok_and(is_base));
        ensure(
            stated == is_own.then_some(true),
            "a part has a base of its own without a statement, or a statement without one",
        )
    }

    /// Checks that a path is the next one in an existing part, or `#` with the number of parts so far.
    fn check_path(&mut self, path: &str) -> Result<(), &'static str> {
        let count = self.parts.len();
        let next = match path.rsplit_once('.') {
            _ if path.is_empty() || count == 0 => path.is_empty() && count == 0,
            _ if path.starts_with('#') => path == format!("#{count}"),
            of_part => {
                let (outer, number) = of_part.unwrap_or(("", path));
                self.parts.get_mut(outer).is_some_and(|parts| {
                    *parts += 1;
                    number == parts.to_string()
                })
            }
        };
        let fresh = self.parts.insert(path.to_owned(), 0).is_none();
        ensure(next && fresh, "a part is out of order")
    }

    fn link(&mut self, link: &Link<'_>) -> Result<(), &'static str> {
        let candidate = link.candidate.as_deref().map_or(0, str::len);
        self.size.add(link.reference.len() + candidate, link.place.len());
        let Some((part, last)) = &mut self.open else { return Err("a link is before the first part") };
        // The links of a header have the base of the header, not the one that the content states.
        let held = || part.base.layers.iter().filter_map(|layer| layer.url.as_deref());
        let revision = self.request.revision;
        // RFC 3986 §5.1: the base of a relative one is its absolute form.
        let is_form =
            |url: &str| held().any(|outer| revision.resolve(outer, url).is_ok_and(|to| to.url.starts_with(link.base)));
        let is_held = |url: &str| url.starts_with(link.base) || is_form(url);
        let of_header = link.line == 0 && (link.base.is_empty() || held().any(is_held));
        ensure(link.base == part.base.url || of_header, "a link has another base than its part")?;
        let target = self.request.revision.resolve(link.base, &link.reference);
        ensure(link.target() == target, "a link has another target than its reference")?;
        let ordered = match (*last, link.line) {
            (_, 0) => self.request.kind == DocumentKind::Mime,
            (Some(last), line) => last > 0 && last <= line,
            (None, _) => true,
        };
        *last = Some(link.line);
        ensure(ordered && link.line <= self.lines, "the lines of links decrease, or are after the end of their part")
    }

    fn note(&mut self, note: &str) -> Result<(), &'static str> {
        self.size.add(0, note.len());
        ensure(self.open.is_some() && is_single_line(note), "a note is before the first part, or not a line of text")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io;

    use super::{Checker, Documents, RETRIEVALS, Request, Size, check_error};
    use crate::{BytesInput, Classes, Property};
    use proptest::prelude::*;
    use urlstrata::revision::Revision;
    use urlstrata_harness::document::{DocumentError, DocumentKind, Event, Link, MAX_BASE, Part};
    use urlstrata_harness::vector::Suite;

    #[track_caller]
    fn assert_holds(input: &[u8], classes: &mut Classes) {
        crate::assert_holds::<Documents>(&BytesInput(input.to_vec()), classes);
    }

    #[test]
    fn it_holds_for_the_vectors() {
        let suite = Suite::embedded().expect("the vectors");
        let mut classes = Classes::default();
        Documents::seeds(&suite).iter().for_each(|seed| assert_holds(&seed.0, &mut classes));
        for (_, kind) in DocumentKind::ALL {
            for revision in Request::revisions() {
                let class = format!("{kind:?} by {}", revision.id);
                assert!(classes.0.contains_key(&class), "{class}: {classes:?}");
            }
        }
        assert!(["a part", "a link", "a note"].iter().all(|class| classes.0[*class] > 5), "{classes:?}");
    }

    /// Each byte is a character of three bytes, and is quoted as a statement of a base, as its URL and as a link.
    #[test]
    fn it_holds_for_a_header_without_an_encoding() {
        for way in Request::first_bytes() {
            let input = [&[way], b"Content-Location:".as_slice(), &[0xbd; 1000]].concat();
            assert_holds(&input, &mut Classes::default());
        }
    }

    /// Returns the kind, revision and retrieval that a first byte selects.
    fn way_of(byte: u8) -> (String, &'static str, (Option<&'static str>, Option<&'static str>)) {
        let input = [byte];
        let request = Request::decode(&input).expect("a way");
        (format!("{:?}", request.kind), request.revision.id, request.retrieval)
    }

    #[test]
    fn first_bytes_select_every_kind_revision_and_retrieval_once() {
        let ways: Vec<_> = Request::first_bytes().map(way_of).collect();
        let distinct: BTreeSet<_> = ways.iter().cloned().collect();
        assert_eq!(distinct.len(), ways.len());
        let of_revision = |revision: &'static Revision| {
            let kinds = DocumentKind::ALL.into_iter().map(|(_, kind)| format!("{kind:?}"));
            kinds.flat_map(move |kind| RETRIEVALS.map(|retrieval| (kind.clone(), revision.id, retrieval)))
        };
        let expected: BTreeSet<_> = Request::revisions().flat_map(of_revision).collect();
        assert_eq!(distinct, expected, "if one byte has too few values, read two, and convert the kept inputs");
        assert!(Request::decode(&[]).is_none());
    }

    /// The revisions when the kept inputs were written: their order decides what the first byte of an input selects.
    const REVISIONS_OF_KEPT_INPUTS: &[&str] =
        &["appendix-b-1994", "rfc1808", "draft-1996", "rfc2396", "rfc3986", "rfc3986-nonstrict"];

    #[test]
    fn kept_inputs_were_written_for_these_revisions() {
        let ids: Vec<_> = Request::revisions().map(|revision| revision.id).collect();
        assert_eq!(
            ids, REVISIONS_OF_KEPT_INPUTS,
            "the first bytes in fuzz/inputs/document.txt select other revisions than before: run \
             `cargo run --release -p urlstrata-campaign -- run document` and list the revisions here"
        );
    }

    /// Checks a document after `change` replaced events; it returns whether it passed another event to the checker.
    fn check(
        kind: DocumentKind,
        text: &str,
        change: impl Fn(&mut Checker<'_>, &Event<'_>) -> bool,
    ) -> Result<(), &'static str> {
        let selects = |way: &u8| Request::decode(&[*way]).is_some_and(|request| request.kind == kind);
        let way = Request::first_bytes().find(selects).expect("a way");
        let input = [&[way], text.as_bytes()].concat();
        let request = Request::decode(&input).expect("a document");
        let mut checker = Checker::new(&request);
        let reader = request.reader().expect("a reader");
        let read = reader.read(request.bytes, request.kind, &mut |event| {
            if !change(&mut checker, &event) {
                checker.check(&event);
            }
            Ok(())
        });
        assert!(read.is_ok());
        checker.finish()
    }

    #[track_caller]
    fn fails(checked: Result<(), &str>, part: &str) {
        assert!(checked.is_err_and(|why| why.contains(part)), "{checked:?}");
    }

    const HTML: &str = "<base href='http://b/#f'><a href=x>\n<a href=y></head><base href=z>";
    const MAIL: &str =
        "Content-Location: http://m/\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n--x\n\n<URL:a>\n--x--\n";

    #[test]
    fn unchanged_events_are_accepted() {
        assert_eq!(check(DocumentKind::Html, HTML, |_, _| false), Ok(()));
        assert_eq!(check(DocumentKind::Mime, MAIL, |_, _| false), Ok(()));
    }

    fn check_changed_part(kind: DocumentKind, text: &str, change: &dyn Fn(&mut Part)) -> Result<(), &'static str> {
        check(kind, text, |checker, event| {
            let Event::Part(part) = event else { return false };
            let mut other = (*part).clone();
            change(&mut other);
            checker.check(&Event::Part(&other));
            true
        })
    }

    #[test]
    fn parts_out_of_order_and_wrong_bases_are_violations() {
        let mail = |change: &dyn Fn(&mut Part)| check_changed_part(DocumentKind::Mime, MAIL, change);
        let html = |change: &dyn Fn(&mut Part)| check_changed_part(DocumentKind::Html, HTML, change);
        fails(mail(&|part| part.path.push('1')), "out of order");
        fails(mail(&|part| part.path = part.path.replace('2', "3")), "out of order");
        fails(mail(&|part| part.path = part.path.replace('2', "1")), "out of order");
        fails(mail(&|part| part.path = part.path.replace('2', "#1")), "out of order");
        assert_eq!(mail(&|part| part.path = part.path.replace('2', "#2")), Ok(()));
        fails(html(&|part| part.base.url = "b".to_owned()), "relative");
        fails(html(&|part| part.base.url.push_str(&"x".repeat(MAX_BASE))), "longer");
        fails(html(&|part| part.stated.clear()), "without a statement");
        fails(html(&|part| part.base.url.push('x')), "a statement without");
        fails(html(&|part| part.path = "1".repeat(4000)), "out of order");
    }

    #[test]
    fn wrong_links_and_notes_are_violations() {
        let changed = |kind: DocumentKind, text: &str, change: &dyn Fn(&mut Link<'_>)| {
            check(kind, text, |checker, event| {
                let Event::Link(link) = event else { return false };
                let mut other = (*link).clone();
                change(&mut other);
                checker.check(&Event::Link(&other));
                true
            })
        };
        fails(changed(DocumentKind::Html, HTML, &|link| link.base = "http://c/"), "another base");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line = 3 - link.line), "decrease");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line += 1), "after the end");
        fails(changed(DocumentKind::Html, HTML, &|link| link.line = 0), "decrease");
        assert_eq!(changed(DocumentKind::Mime, MAIL, &|link| link.line = 0), Ok(()));
        fails(check(DocumentKind::Html, HTML, |_, event| matches!(event, Event::Part(_))), "before the first part");
        let note = |checker: &mut Checker<'_>, event: &Event<'_>| {
            matches!(event, Event::Note(_)) && {
                checker.check(&Event::Note("a\nb"));
                true
            }
        };
        fails(check(DocumentKind::Html, HTML, note), "not a line of text");
    }

    #[test]
    fn events_beyond_the_limits_are_violations() {
        let size = Size { events: 11, quoted: 90, added: 0 };
        assert_eq!(size.check(10), Ok(()));
        fails(size.check(9), "more events than bytes");
        fails(Size { quoted: 91 + 11 * 14, ..size }.check(10), "more than the document contains");
        fails(Size { added: 11 * 32 * 7 + 1, ..size }.check(10), "longer than the limit");
    }

    #[test]
    fn an_error_is_one_line_about_the_document() {
        assert!(check_error(&DocumentError::Document("too long".to_owned())).is_ok());
        assert!(check_error(&DocumentError::Document("too\nlong".to_owned())).is_err());
        assert!(check_error(&DocumentError::Sink(io::Error::other("no"))).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn it_holds_for_random_documents(
            way in any::<u8>(),
            pieces in prop::collection::vec(prop::sample::select(Documents::WORDS), 0..20),
            bytes in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            assert_holds(&[&[way], pieces.concat().as_bytes(), &bytes].concat(), &mut Classes::default());
        }
    }
}
