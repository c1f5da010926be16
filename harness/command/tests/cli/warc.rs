//! The pages of WARC files are found with their bases and links, whatever is damaged around them.
//!
//! `data/crawl.warc.gz` was written by the Python package `warcio` 1.8.1 (`WARCWriter`), with a fixed date and fixed record
//! ids. It contains records of each type, and what Common Crawl writes to WAT files as `metadata` records.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use urlstrata::revision;
use urlstrata_harness::document::warc::{MAX_PAGE, Records, Warc};
use urlstrata_harness::document::{Event, Reader};

use crate::folder::Folder;
use crate::program::{ends, with_input};
use crate::stride;

const CRAWL: &[u8] = include_bytes!("../data/crawl.warc.gz");

/// Reads a file. Returns the lines of each page, without its place, and the numbers of records.
fn read(source: impl Read) -> (Vec<Vec<String>>, Records) {
    let (pages, records) = read_with_places(Warc::new(source));
    (pages.into_iter().map(|page| page.1).collect(), records)
}

fn read_with_places<R: Read>(mut warc: Warc<R>) -> (Vec<(String, Vec<String>)>, Records) {
    let reader = Reader::new(revision::by_id("rfc3986").expect("a revision"), None, None).expect("a reader");
    let mut pages = Vec::new();
    for page in &mut warc {
        let page = page.expect("memory can be read");
        let mut lines = Vec::new();
        let read = reader.read_page(&page, &mut |event| {
            lines.push(match event {
                Event::Part(part) => format!("{} {} {}", part.media_type, part.encoding, part.base.url),
                Event::Link(link) => format!("{} {} {}", link.line, link.place, link.reference),
                Event::Note(note) => note.to_owned(),
            });
            Ok(())
        });
        assert!(read.is_ok());
        pages.push((page.offset().to_string(), lines));
    }
    let records = warc.records().clone();
    assert_eq!(records.pages, pages.len() as u64);
    (pages, records)
}

/// Returns the plain content and the range of each member of a compressed file.
fn members(mut file: &[u8]) -> Vec<(Vec<u8>, Range<usize>)> {
    let length = file.len();
    let mut members = Vec::new();
    while !file.is_empty() {
        let start = length - file.len();
        let mut decoder = GzDecoder::new(file);
        let mut content = Vec::new();
        decoder.read_to_end(&mut content).expect("a member");
        file = decoder.into_inner();
        members.push((content, start..length - file.len()));
    }
    members
}

fn compressed(content: &[u8]) -> Vec<u8> {
    member(content, Compression::default())
}

fn member(content: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    io::copy(&mut &*content, &mut encoder).expect("memory");
    encoder.finish().expect("memory")
}

fn record(kind: &str, url: &str, media_type: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

fn response(url: &str, header: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 200 OK\r\n{header}\r\n").as_bytes(), body].concat();
    record("response", url, "application/http; msgtype=response", &block)
}

/// A file and the range of each record.
struct Sample {
    file: Vec<u8>,
    ranges: Vec<Range<usize>>,
    /// The lines of each record's page; `None` for other records.
    pages: Vec<Option<Vec<String>>>,
}

impl Sample {
    fn of(records: &[Vec<u8>], is_compressed: bool) -> Self {
        let (mut file, mut ranges, mut pages) = (Vec::new(), Vec::new(), Vec::new());
        for record in records {
            let start = file.len();
            file.extend(if is_compressed { compressed(record) } else { record.clone() });
            ranges.push(start..file.len());
            pages.push(read(record.as_slice()).0.pop());
        }
        Self { file, ranges, pages }
    }

    /// Returns whether the record in which `changed` begins is not compressed, and its length in `damaged` leads elsewhere, but
    /// to two line ends or `WARC/`. The reader takes this for its end, so the record that contains it is lost.
    fn ends_by_chance(&self, damaged: &[u8], changed: &Range<usize>) -> bool {
        const END: &[u8] = b"\r\n\r\n";
        const LENGTH: &str = "Content-Length: ";
        let Some(range) = self.ranges.iter().find(|range| range.contains(&changed.start)) else { return false };
        let record = &damaged[range.start..];
        let Some(header) = record.windows(END.len()).position(|bytes| bytes == END) else { return false };
        let fields = String::from_utf8_lossy(&record[..header]);
        let length = fields.split_once(LENGTH).map_or("", |(_, after)| after.split('\r').next().unwrap_or_default());
        let Ok(length) = length.parse::<usize>() else { return false };
        let end = header + END.len() + length;
        let is_real = changed.end + END.len() <= range.end
            && range.start + end + self.file.len() + END.len() == range.end + damaged.len();
        let after = record.get(end..).unwrap_or_default();
        let start = after.iter().position(|byte| !b"\r\n".contains(byte)).unwrap_or(after.len());
        record.starts_with(b"WARC/") && !is_real && (after.starts_with(END) || after[start..].starts_with(b"WARC/"))
    }

    /// Asserts that a file in which the bytes in `changed` were replaced contains the page of every other record.
    #[track_caller]
    fn check(&self, damaged: &[u8], changed: &Range<usize>) {
        let (found, _) = read(damaged);
        let mut found = found.iter();
        for (range, page) in self.ranges.iter().zip(&self.pages) {
            let is_touched = changed.start < range.end && range.start < changed.end.max(changed.start + 1);
            if let Some(page) = page.as_ref().filter(|_| !is_touched) {
                assert!(found.any(|it| it == page), "{changed:?} hides the page at {range:?}: {page:?}");
            }
        }
    }
}

fn crawl(is_compressed: bool) -> Sample {
    let records: Vec<_> = members(CRAWL).into_iter().map(|member| member.0).collect();
    Sample::of(&records, is_compressed)
}

#[test]
fn pages_of_a_file_by_another_writer_have_their_bases_and_links() {
    let (pages, records) = read_with_places(Warc::new(CRAWL));
    let lines: Vec<_> =
        pages.into_iter().flat_map(|(at, lines)| std::iter::once(format!("@{at}")).chain(lines)).collect();
    expect_test::expect![[r#"
        @546
        text/html windows-1252 http://a.example/b/c
        2 a href café
        3 img src ../i.png
        @905
        text/html UTF-8 http://b.example/x/y
        1 a href z
        @1306
        text/html UTF-8 http://a.example/chunked
        2 a href ?q=é
        @2335
        text/html UTF-8 http://a.example/saved/page.html
        1 a href ./there
        4 a href after
        @2612
        text/html UTF-8 http://c.example/d/
        1 a href to
        0 Content-Location header http://c.example/d/
        0 Location header /to
        @2944
        text/html UTF-8 http://a.example/untyped
        1 a href u
        @4073
        text/html  http://base.example/g/h
        0 meta content later
        0 link href /canon
        0 script src s.js
        0 a href i
        0 img src ../j.png
        0 img srcset k.png
        0 img srcset l.png
        0 form action //m
        0 Content-Location header http://v.example/
        @5072
        application/xhtml+xml UTF-8 http://a.example/last
        1 a href #f
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
    let wanted = Records { pages: 8, other: 7, undecoded: 1, ..Records::default() };
    assert_eq!(records, wanted);
    assert_eq!(records.total(), members(CRAWL).len() as u64);
}

#[test]
fn plain_and_compressed_files_have_the_same_pages() {
    let wanted = read(CRAWL);
    let plain = crawl(false).file;
    assert_eq!(read(plain.as_slice()), wanted);
    assert_eq!(read(compressed(&plain).as_slice()), wanted);
    let (places, _) = read_with_places(Warc::new(compressed(&plain).as_slice()));
    assert_eq!(places.iter().filter(|page| page.0.starts_with("0+")).count(), 8);
    // Line ends without CR, and a missing end of the last record.
    let unix = "WARC/1.0\nWARC-Type: resource\nContent-Type: text/html\nContent-Length: 10\n\n<a href=x>\n\n";
    for file in [unix.repeat(2), unix.repeat(2).trim_end().to_owned(), format!("\n\n{unix}\n\n{unix}")] {
        let (pages, records) = read(file.as_bytes());
        assert_eq!((pages.len(), records.damaged), (2, 0), "{file}");
        assert_eq!(pages[1], ["text/html UTF-8 ", "1 a href x", "the record has no URL"]);
    }
}

#[test]
fn a_file_is_read_like_a_stream() {
    let folder = Folder::new();
    for sample in [crawl(false), crawl(true)] {
        let mut file = sample.file.clone();
        for at in [0, 700, 2000, 3000, file.len() - 1] {
            file[at] ^= 0x10;
        }
        let path = folder.file("crawl.warc", &file);
        let from_file = read_with_places(Warc::open(&path).expect("a file"));
        assert_eq!(from_file, read_with_places(Warc::new(file.as_slice())));
        assert!(from_file.1.damaged >= 2, "{:?}", from_file.1);
    }
}

#[test]
fn a_changed_byte_hides_no_other_record() {
    for is_compressed in [false, true] {
        let sample = crawl(is_compressed);
        for at in (0..sample.file.len()).step_by(stride(5)) {
            let mut damaged = sample.file.clone();
            damaged[at] ^= [0x01, 0x20, 0xff][at % 3];
            sample.check(&damaged, &(at..at + 1));
        }
    }
}

/// A member contains text as it is if this cannot be compressed.
#[test]
fn a_record_in_a_damaged_member_hides_no_other_member() {
    let page = |n| response(&format!("http://h/{n}"), "Content-Type: text/html\r\n", b"<a href=x>");
    let mut file = [member(&page(0), Compression::none()), compressed(&page(1))].concat();
    file[..3].fill(b'x');
    let [found, expected] = [read(file.as_slice()).0, read(page(1).as_slice()).0];
    assert!(found.ends_with(&expected), "{found:?}");
}

#[test]
fn a_wrong_length_hides_no_other_record() {
    let page = |n| response(&format!("http://h/{n}"), "Content-Type: text/html\r\n", b"<a href=x>\r\n\r\nmore");
    let records: Vec<_> = (0..6).map(page).collect();
    let sample = Sample::of(&records, false);
    let field = &b"Content-Length: "[..];
    let within = |part: &[u8]| records[2].windows(part.len()).position(|it| it == part).expect("a part");
    let at = sample.ranges[2].start + within(field) + field.len();
    let block = sample.ranges[2].start + within(b"HTTP");
    let right = sample.ranges[2].end - 4 - block;
    for length in (0..1500).chain([5 << 30, usize::MAX]) {
        // A length that leads to the end of another record hides the records between.
        let rest = sample.file.get(block.saturating_add(length)..).map(|rest| rest.trim_ascii_start());
        let after = sample.file.get(block.saturating_add(length)..).unwrap_or_default();
        let is_end = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"WARC/"));
        let is_end = is_end || after.starts_with(b"\r\n\r\n");
        if !is_end || length <= right {
            let mut damaged = sample.file.clone();
            damaged.splice(at..at + right.to_string().len(), length.to_string().bytes());
            sample.check(&damaged, &(at..at));
        }
    }
}

#[test]
fn a_file_that_ends_early_has_all_pages_before_its_end() {
    for is_compressed in [false, true] {
        let sample = crawl(is_compressed);
        for end in (0..sample.file.len()).step_by(stride(5)) {
            sample.check(&sample.file[..end], &(end..sample.file.len() + 1));
            let (_, records) = read(&sample.file[..end]);
            let is_whole = end == 0 || sample.ranges.iter().any(|range| range.end == end);
            // A plain record may lack its last line ends.
            let almost = sample.ranges.iter().any(|range| range.contains(&end) && range.end - end <= 4);
            assert!(records.damaged == u64::from(!is_whole) || !is_compressed && almost, "{end}: {records:?}");
        }
    }
}

#[test]
fn a_damaged_member_is_listed_with_its_place() {
    let sample = crawl(true);
    let third = sample.ranges[2].clone();
    let mut damaged = sample.file.clone();
    damaged[third.end - 6] ^= 1;
    let (_, records) = read(damaged.as_slice());
    assert_eq!((records.damaged, records.total()), (1, 16));
    assert_eq!(records.listed[0].offset.to_string(), third.start.to_string());
    assert!(records.listed[0].why.starts_with("the gzip member is damaged: "), "{records:?}");
    let (_, records) = read(&sample.file[..third.end - 1]);
    assert_eq!(records.listed[0].why, "the file ends within this gzip member");
}

#[test]
fn files_that_are_not_warc_have_no_record() {
    for file in
        [&b""[..], b"\r\n", b"<html>", b"\x1f\x8b", b"\0\0\0\0\0\0\0\0\0\0\0\0", &compressed(b"<a href=x>"), b"WARC/"]
    {
        let (pages, records) = read(file);
        assert_eq!((pages.len(), records.total()), (0, records.damaged), "{file:?}");
    }
}

#[test]
fn headers_that_do_not_end_are_damage() {
    for file in ["WARC/1.0", "WARC/1.0\r\n", "WARC/1.0\r\nWARC/1.1\r\nWARC-Type: WARC/1.0\r\nWARC/1.0 "] {
        let (pages, records) = read(file.as_bytes());
        assert_eq!((pages.len(), records.damaged, records.total()), (0, 1, 1), "{file:?}");
    }
}

/// A stream of zeros that is not in memory.
fn zeros(count: u64) -> impl Read {
    io::repeat(0).take(count)
}

#[test]
fn a_page_over_the_limit_is_counted_and_the_next_one_is_read() {
    let next = response("http://h/", "Content-Type: text/html\r\n", b"<a href=x>");
    for (media_type, length) in
        [("text/html", 5 * MAX_PAGE as u64), ("text/html", MAX_PAGE as u64 + 1), ("image/png", 5 << 25)]
    {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n");
        let total = head.len() as u64 + length;
        let header = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {total}\r\n\r\n{head}");
        let file = header.as_bytes().chain(zeros(length)).chain(&b"\r\n\r\n"[..]).chain(&*next);
        let (pages, records) = read(file);
        assert_eq!(pages, [["text/html UTF-8 http://h/", "1 a href x"]]);
        let (too_long, other) = if media_type == "text/html" { (1, 0) } else { (0, 1) };
        assert_eq!(records, Records { pages: 1, too_long, other, ..Records::default() });
    }
}

#[test]
fn records_after_a_damaged_long_record_are_found_again_in_a_file() {
    let folder = Folder::new();
    let page = |n: u32| response(&format!("http://h/{n}"), "Content-Type: text/html\r\n", &vec![b'x'; 1 << 20]);
    let mut file = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5000000000\r\n\r\n".to_vec();
    (0..40).for_each(|n| file.extend(page(n)));
    let (pages, records) = read(file.as_slice());
    assert!(pages.len() >= 15 && records.damaged == 1, "{records:?}");
    let path = folder.file("long.warc", file);
    let (pages, records) = read_with_places(Warc::open(&path).expect("a file"));
    assert_eq!((pages.len(), records.damaged), (40, 1));
}

/// A file of which each part looks like the start of a record is read in linear time.
#[test]
fn hostile_files_are_read_in_linear_time() {
    let header = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 99999999999\r\n\r\n";
    let (_, records) = read(header.repeat(100_000).as_bytes());
    assert!(records.damaged > 0);
    let member = [0x1f, 0x8b, 8, 0];
    let (pages, _) = read([CRAWL, &member.repeat(1_000_000)].concat().as_slice());
    assert_eq!(pages.len(), 8);
}

#[test]
fn links_writes_pages_with_their_places_and_reports_damage() {
    let folder = Folder::new();
    let whole = folder.file("crawl.warc.gz", CRAWL).to_string_lossy().into_owned();
    let links = |arguments: &[&str], input: &[u8]| with_input(&[&["links"], arguments].concat(), input);
    let output = links(&[&whole], b"");
    ends(&output, 0, "crawl.warc.gz: 8 pages, 7 other records, 1 in an unknown encoding\n");
    ends(&output, 0, "crawl.warc.gz@905: text/html, UTF-8\n  base http://b.example/x/y\n");
    ends(&output, 0, "1 document, 8 parts, ");
    ends(&links(&["-"], CRAWL), 0, "standard input@905: text/html");
    ends(
        &links(&["--type", "warc", "--pairs", "--places", "-"], CRAWL),
        0,
        "http://b.example/x/y\tz\tstandard input@905:1\n",
    );
    ends(&links(&[&folder.path().to_string_lossy()], b""), 0, "1 document, 8 parts");

    let cut = folder.file("cut.warc.gz", &CRAWL[..CRAWL.len() - 3]).to_string_lossy().into_owned();
    let output = links(&[&cut], b"");
    ends(&output, 65, "cut.warc.gz@5072: the file ends within this gzip member\n");
    ends(&output, 65, "cut.warc.gz: 1 damaged record is skipped\n");
    ends(&output, 65, "cut.warc.gz@905: text/html");
    let output = links(&["--format", "json", &cut, &whole], b"");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json[0]["error"], "1 damaged record is skipped");
    assert_eq!(json[0]["records"]["damaged"], 1);
    assert_eq!((&json[1]["error"], &json[1]["parts"][1]["part"]), (&serde_json::Value::Null, &"@905".into()));
    ends(&links(&["--type", "warc", "-"], b"<html>"), 65, "standard input: there is no WARC record in it");
    ends(&links(&["--type", "warc", "no.warc"], b""), 65, "no.warc: cannot be read");
    let output = links(&["--confusing", "--format", "sarif", &whole], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("crawl.warc.gz@"), "{output:?}");
}

#[test]
fn at_most_ten_damaged_records_are_listed() {
    let page = response("http://h/", "Content-Type: text/html\r\n", b"<a href=x>");
    let mut member = compressed(&page);
    let last = member.len() - 5;
    member[last] ^= 1;
    let file = [member.repeat(50), compressed(&page)].concat();
    let output = with_input(&["links", "--pairs", "-"], &file);
    ends(&output, 65, "urlstrata: standard input: 50 damaged records are skipped\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 11);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "http://h/\tx\n");
}

/// Runs the command with a limit on its virtual memory.
#[test]
#[cfg(target_os = "linux")]
fn the_command_reads_a_long_record_in_bounded_memory() {
    let header = r"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1000000038\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n";
    let page = r"\r\n\r\nWARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\n";
    let script = format!(
        "(printf '{header}'; head -c 1000000000 /dev/zero; printf '{page}') | (ulimit -v 400000; exec \"$0\" links --pairs -)"
    );
    let output = std::process::Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_urlstrata")]).output();
    ends(&output.expect("a shell"), 0, "http://h/\tx\n");
}

/// A source that returns few bytes at a time.
struct Slow<'s> {
    bytes: &'s [u8],
    sizes: Vec<usize>,
    reads: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        let most = self.sizes[self.reads % self.sizes.len()].min(into.len());
        let count = self.bytes.fill_buf()?.read(&mut into[..most])?;
        self.bytes.consume(count);
        Ok(count)
    }
}

/// Returns records with random content, in which line ends and starts of records occur.
fn records() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop::sample::select(vec![
        "<a href=x>",
        "\r\n\r\n",
        "\nWARC/1.0\r\n",
        "WARC/",
        "\u{1f}\u{8b}",
        "<p>text</p>",
        "\0",
    ]);
    let body = prop_oneof![
        prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat().into_bytes()),
        prop::collection::vec(any::<u8>(), 0..3000),
    ];
    let header = prop::sample::select(vec!["Content-Type: text/html\r\n", "Content-Type: image/png\r\n", ""]);
    prop::collection::vec((header, body), 1..12).prop_map(|records| {
        let numbered = records.into_iter().enumerate();
        numbered.map(|(n, (header, body))| response(&format!("http://h/{n}"), header, &body)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damage_hides_no_other_record(
        records in records(),
        is_compressed in any::<bool>(),
        at in any::<prop::sample::Index>(),
        removed in 0_usize..200,
        // Without digits: a wrong length may lead to the end of another record.
        added in prop::collection::vec(any::<u8>().prop_filter("no digit", |byte| !byte.is_ascii_digit()), 0..100),
    ) {
        let sample = Sample::of(&records, is_compressed);
        let start = at.index(sample.file.len());
        let end = (start + removed).min(sample.file.len());
        let mut damaged = sample.file.clone();
        damaged.splice(start..end, added);
        prop_assume!(!sample.ends_by_chance(&damaged, &(start..end)));
        sample.check(&damaged, &(start..end));
    }

    #[test]
    fn the_sizes_of_reads_do_not_matter(
        records in records(),
        is_compressed in any::<bool>(),
        sizes in prop::collection::vec(1_usize..500, 1..8),
        damage in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut file = Sample::of(&records, is_compressed).file;
        if let Some(at) = damage {
            let at = at.index(file.len());
            file[at] ^= 0x55;
        }
        let slow = Slow { bytes: &file, sizes, reads: 0 };
        prop_assert_eq!(read_with_places(Warc::new(slow)), read_with_places(Warc::new(file.as_slice())));
    }

    #[test]
    fn random_bytes_are_read_without_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000), prefix in 0_usize..4) {
        let prefix: &[u8] = [&b""[..], b"WARC/1.0\r\n", b"\x1f\x8b\x08\0", &CRAWL[..600]][prefix];
        read([prefix, &bytes].concat().as_slice());
    }
}
