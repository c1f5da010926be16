//! For any input, `links` prints the links with their targets or reports one error sentence. It does not block, and its
//! memory use is bounded.

use std::fs;
use std::process::{Command, Output};
use std::sync::LazyLock;

use proptest::prelude::*;
use urlstrata::revision;
use urlstrata_harness::document::{ATTRIBUTES, DocumentError, DocumentKind, Event, Form, MAX_BYTES, Reader};
use urlstrata_harness::pairs::split_with_place;

use crate::folder::Folder;
use crate::program::{ends, with_input};
use crate::stride;

impl Folder {
    fn named(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        self.file(name, content).to_string_lossy().into_owned()
    }

    fn path_text(&self) -> String {
        self.path().to_string_lossy().into_owned()
    }
}

fn links(arguments: &[&str], input: &[u8]) -> Output {
    with_input(&[&["links"], arguments].concat(), input)
}

/// Reads a document and returns one line for each event that the reader reports.
///
/// # Errors
///
/// Returns a sentence if the document cannot be read.
fn read(id: &str, retrieval: Option<&str>, kind: DocumentKind, bytes: &[u8]) -> Result<Vec<String>, String> {
    let reader = Reader::new(revision::by_id(id).expect("a revision"), retrieval, None).expect("a reader");
    let mut lines = Vec::new();
    let read = reader.read(bytes, kind, &mut |event| {
        lines.push(match event {
            Event::Part(part) => format!("{} {} {} {}", part.path, part.media_type, part.encoding, part.base.url),
            Event::Link(link) => {
                let target = link.target().map_or("rejected".to_owned(), |target| target.url);
                format!("{} {} {} {target}", link.line, link.place, link.reference)
            }
            Event::Note(note) => note.to_owned(),
        });
        Ok(())
    });
    match read {
        Ok(()) => Ok(lines),
        Err(DocumentError::Document(why)) => Err(why),
        Err(DocumentError::Sink(error)) => Err(error.to_string()),
    }
}

#[test]
fn confusing_links_are_listed_by_cause_worst_first() {
    let page = b"<a href=ok><a href=?y>\n<a href='x y'>\n<a href='\\\\evil.example\\x'><a href=http:g>";
    let run = |arguments: &[&str]| {
        let from = ["--confusing", "--retrieved-from", "http://site.example/a/b", "--type", "html", "-"];
        let output = links(&[&from[..], arguments].concat(), page);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = run(&[]);
    assert_eq!(code, Some(1));
    let at = |place: &str| text.find(place).unwrap_or_else(|| panic!("{place}: {text}"));
    assert!(at("standard input:3: \\\\evil.example\\x") < at("standard input:2: x y"), "{text}");
    assert!(
        text.contains("the authority ends at the end, /, ?, # or \\ in a special URL")
            && text.contains("http://evil.example/x"),
        "{text}"
    );
    assert!(text.ends_with("rfc3986 and whatwg-2026-07 resolve 3 of 5 links differently\n"), "{text}");
    let (code, text) = run(&["--only", "host"]);
    assert_eq!((code, text.ends_with("resolve 2 of 5 links differently\n")), (Some(1), true), "{text}");
    let (code, text) = run(&["--between", "rfc2396", "rfc3986"]);
    assert!(code == Some(1) && text.contains("a/?y") && text.ends_with("resolve 1 of 5 links differently\n"), "{text}");
    let (code, text) = run(&["--between", "rfc3986", "rfc3986"]);
    assert_eq!((code, text.as_str()), (Some(0), "rfc3986 and rfc3986 resolve 0 of 5 links differently\n"));
    let (code, text) = run(&["--between", "urllib", "rfc3986", "--format", "json"]);
    assert_eq!(code, Some(1), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["links"], 5, "{text}");
    let (code, text) = run(&["--between", "nobody", "rfc3986"]);
    assert_eq!((code, text.as_str()), (Some(64), ""));
}

/// A number of bytes or elements that shows quadratic time: a million with `URLSTRATA_EXHAUSTIVE=1`, otherwise an eighth of it.
static MEGABYTE: LazyLock<usize> = LazyLock::new(|| (1 << 20) / stride(8));

#[test]
fn long_html_is_read() {
    let end = "<a href=end>";
    for (name, piece, many) in [
        ("nested", "<div>", 10 * *MEGABYTE),
        ("unmatched", "</p>", 12 * *MEGABYTE),
        ("text", "x", 50 * *MEGABYTE),
        ("unclosed", "<", 50 * *MEGABYTE),
        ("entities", "&amp", 12 * *MEGABYTE),
    ] {
        let html = format!("{}>{end}", piece.repeat(many));
        let lines = read("rfc3986", Some("http://h/"), DocumentKind::Html, html.as_bytes()).expect(name);
        assert_eq!(lines.last().map(String::as_str), Some("1 a href end http://h/end"), "{name}");
    }
    let mixed = format!("{}{}{end}", "<div>".repeat(5 * *MEGABYTE), "</p>".repeat(5 * *MEGABYTE));
    assert_eq!(
        read("rfc3986", Some("http://h/"), DocumentKind::Html, mixed.as_bytes()).map(|lines| lines.len()),
        Ok(2)
    );
    let attribute = format!("<a href=\"{}\" href=x>", "y".repeat(50 * *MEGABYTE));
    assert_eq!(
        read("rfc3986", Some("http://h/"), DocumentKind::Html, attribute.as_bytes()).map(|lines| lines.len()),
        Ok(2)
    );
    let attributes = format!("<a {} href=x>", (0..*MEGABYTE).map(|n| format!("a{n} ")).collect::<String>());
    assert_eq!(
        read("rfc3986", Some("http://h/"), DocumentKind::Html, attributes.as_bytes()).map(|lines| lines.len()),
        Ok(2)
    );
}

/// Runs the command with a limit on its virtual memory.
#[test]
#[cfg(target_os = "linux")]
fn the_command_reads_long_html_in_bounded_memory() {
    let folder = Folder::new();
    let path = folder.named("big.html", format!("<base href=http://h/>{}", "<p><a href=x>".repeat(4 << 20)));
    let script = "ulimit -v 600000; exec \"$0\" links --pairs \"$1\" | tail -n 1";
    let output = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_urlstrata"), &path]).output();
    ends(&output.expect("a shell"), 0, "http://h/\tx");
}

/// Returns a message with `levels` multiparts, each inside the one before it, and an HTML part with one link.
fn nested(levels: usize) -> String {
    let mut mail = String::from("MIME-Version: 1.0\nContent-Base: http://h/a/\n");
    for level in 0..levels {
        mail += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    mail + "Content-Type: text/html\n\n<a href=g>\n"
}

#[test]
fn ten_thousand_nested_multiparts_are_read() {
    let lines = read("draft-1996", None, DocumentKind::Mime, nested(10_000).as_bytes()).expect("read");
    assert_eq!(lines.len(), 10_002);
    assert_eq!(lines.last().map(String::as_str), Some("1 a href g http://h/a/g"));
    let folder = Folder::new();
    let path = folder.named("nested.eml", nested(10_000));
    ends(&links(&["--as", "draft-1996", &path], b""), 0, "10001 parts, 1 link\n");
}

#[test]
fn messages_nest_to_any_depth_up_to_the_maximum_number_of_parts() {
    let message = "Content-Type: message/rfc822\n\n";
    let deep = format!("Content-Base: http://h/\n{}Content-Type: text/html\n\n<a href=g>", message.repeat(50_000));
    let lines = read("draft-1996", None, DocumentKind::Mime, deep.as_bytes()).expect("read");
    assert_eq!((lines.len(), lines.last().map(String::as_str)), (50_002, Some("1 a href g http://h/g")));
    let lines = read("draft-1996", None, DocumentKind::Mime, nested(200_000).as_bytes()).expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("more than 100000 parts: the parts after this one are not read"));
    let many = format!("Content-Type: multipart/mixed; boundary=x\n\n{}", "--x\n\n".repeat(200_000));
    let lines = read("draft-1996", None, DocumentKind::Mime, many.as_bytes()).expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("more than 100000 parts: the parts after this one are not read"));
}

#[test]
fn the_outer_boundary_ends_an_unclosed_inner_multipart() {
    let mail = "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/mixed; boundary=i\n\n\
        --i\nContent-Type: text/html\n\n<a href=g>\n--o\nContent-Type: text/html\n\n<a href=h>\n--o--\n<a href=no>";
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Mime, mail.as_bytes()).expect("read");
    let links: Vec<_> = lines.iter().filter(|line| line.contains("href")).collect();
    assert_eq!(links, ["1 a href g http://r/g", "1 a href h http://r/h"]);
}

/// A feed or Markdown has links by rules of its own. A part that is not read is not silent.
#[test]
fn parts_with_other_links_are_named() {
    let mail = "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: application/atom+xml\n\n\
        <feed xml:base='http://x/'/>\n--o\nContent-Type: text/markdown\n\n[a](http://y/)\n--o\n\
        Content-Type: text/html\n\n<a href=h>\n--o--\n";
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Mime, mail.as_bytes()).expect("read");
    let unread =
        lines.iter().filter(|line| line.as_str() == "links of this media type are not read, nor a base that it states");
    assert_eq!(unread.count(), 2, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("http://r/h")).count(), 1);
}

#[test]
fn encoded_messages_are_read_up_to_a_nesting_limit() {
    let encoded = |inner: &str| {
        let lines = inner.replace('=', "=3D").replace('\n', "\r\n");
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n{lines}")
    };
    let html = "Content-Type: text/html\n\n<a href=g>".to_owned();
    let some = (0..3).fold(html.clone(), |inner, _| encoded(&inner));
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Mime, some.as_bytes()).expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("1 a href g http://r/g"));
    let many = (0..12).fold(html, |inner, _| encoded(&inner));
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Mime, many.as_bytes()).expect("read");
    assert!(lines.last().is_some_and(|line| line.ends_with("it is not read")), "{lines:?}");
}

#[test]
fn overlong_headers_are_rejected_with_their_line() {
    let folded = format!("MIME-Version: 1.0\nBase: <URL:http://h/\n{}", " x\n".repeat(1 << 20));
    let expected = "the header on line 1 is longer than 1048576 bytes";
    assert_eq!(read("rfc1808", None, DocumentKind::Mime, folded.as_bytes()), Err(expected.to_owned()));
    let one = format!("Attributor: {}", "x".repeat(50 * *MEGABYTE));
    assert_eq!(read("rfc1808", None, DocumentKind::Mime, one.as_bytes()), Err(expected.to_owned()));
    let folder = Folder::new();
    let (bad, good) = (folder.named("a.eml", folded), folder.named("b.html", "<a href=g>"));
    let output = links(&["--as", "rfc1808", &bad, &good], b"");
    ends(&output, 65, expected);
    ends(&output, 65, "1 document, 1 part, 1 link");
    let continued: String = (0..50_000).map(|n| format!(";a{n}*0=x")).collect();
    let mail = format!("Content-Type: multipart/mixed{continued}\n\n");
    let lines = read("rfc1808", None, DocumentKind::Mime, mail.as_bytes()).expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("a Content-Type of more than 16384 bytes: it is not read"));
}

#[test]
fn ignored_bases_are_reported_individually_up_to_ten() {
    let many = "<base href=x>".repeat(*MEGABYTE);
    let html = format!("{many}<base href=http://h/>{many}<a href=g>{many}");
    let lines = read("rfc2396", Some("http://r/"), DocumentKind::Html, html.as_bytes()).expect("read");
    assert_eq!(lines[1], format!("{} more BASE elements are not the base", 2 * *MEGABYTE - 10));
    assert_eq!(lines[2], "1 a href g http://h/g");
    assert_eq!(lines[3], "the BASE on line 1 is outside the HEAD, so it is not a base");
    assert_eq!(lines[13..], [format!("{} more BASE elements are outside the HEAD", *MEGABYTE - 10)]);
    let (ten, eleven) = ("<base href=x>".repeat(10), "<base href=x>".repeat(11));
    let html = format!("<base href=http://h/>{ten}<a href=g>{eleven}");
    let lines = read("rfc2396", Some("http://r/"), DocumentKind::Html, html.as_bytes()).expect("read");
    assert_eq!(lines[1], "1 more BASE element is not the base");
    assert_eq!(lines.last().map(String::as_str), Some("1 more BASE element is outside the HEAD"));
}

/// A base that many parts share is stored once. A copy for each part would need 1.2 GB.
#[test]
fn many_parts_share_a_long_base() {
    let long = format!("Content-Location: http://h/{}\n", "x".repeat(60_000));
    let parts = "--x\nContent-Type: image/png\n\n".repeat(20_000);
    let mail = format!("{long}Content-Type: multipart/mixed; boundary=x\n\n{parts}");
    let reader = Reader::new(revision::by_id("rfc3986").expect("a revision"), None, None).expect("a reader");
    let mut have_it = 0;
    let read = reader.read(mail.as_bytes(), DocumentKind::Mime, &mut |event| {
        have_it += usize::from(matches!(event, Event::Part(part) if part.base.url.len() > 60_000));
        Ok(())
    });
    assert!(read.is_ok());
    assert_eq!(have_it, 20_001);
}

#[test]
fn overlong_bases_are_ignored() {
    let html = format!("<base href=\"http://h/{}\"><a href=g>", "x".repeat(100_000));
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Html, html.as_bytes()).expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("1 a href g http://r/g"));
}

#[test]
fn attributes_contain_links_only_on_the_elements_in_the_table() {
    for attribute in ATTRIBUTES {
        let value = match attribute.form {
            Form::One => "x",
            Form::Several => "x y",
            Form::SrcSet => "x 1x, y 2x",
            Form::Refresh => "0; url=x",
        };
        let some = if attribute.elements.is_empty() { &["p", "div"] } else { attribute.elements };
        for element in some {
            let html = format!("<{element} {}='{value}' http-equiv=refresh>", attribute.name);
            let lines = read("rfc3986", Some("http://r/"), DocumentKind::Html, html.as_bytes()).expect("read");
            let many = if value.contains('y') { 2 } else { 1 };
            assert_eq!(lines.len(), 1 + many, "{html}");
            assert_eq!(lines[1], format!("1 {element} {} x http://r/x", attribute.name));
        }
        if !attribute.elements.is_empty() {
            let html = format!("<p {}='{value}'>", attribute.name);
            assert_eq!(
                read("rfc3986", None, DocumentKind::Html, html.as_bytes()).map(|lines| lines.len()),
                Ok(1),
                "{html}"
            );
        }
    }
}

#[test]
fn nul_does_not_terminate_input() {
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Html, b"\0<a href='a\0b'>\0").expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("1 a href a\u{fffd}b http://r/a\u{fffd}b"));
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Text, b"\0 http://h/\0x").expect("read");
    assert_eq!(lines.last().map(String::as_str), Some("1 text http://h/\0x http://h/\0x"));
    assert!(read("rfc3986", None, DocumentKind::Mime, b"\0:\0\n\0\n\n\0").is_ok());
}

#[test]
fn malformed_base64_and_quoted_printable_are_decoded_leniently() {
    let head = "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n";
    let of = |body: &str| {
        read("rfc3986", Some("http://r/"), DocumentKind::Mime, format!("{head}{body}").as_bytes()).expect("read")
    };
    assert_eq!(of("PGEgaHJlZj1n\nPg==\n")[1], "1 a href g http://r/g");
    assert_eq!(of("PGEgaHJlZj1nPj")[1], "1 a href g http://r/g");
    let lines = of("PGEg!aHJlZj1n\u{e9}Pg");
    assert_eq!(lines[1..], ["1 a href g http://r/g", "its base64 has other characters in it: they are passed over"]);
    let quoted = "Content-Type: text/html\nContent-Transfer-Encoding: Quoted-Printable\n\n<a href=3D\"a=\nb=zz\">";
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Mime, quoted.as_bytes()).expect("read");
    assert_eq!(lines[1], "1 a href ab=zz http://r/ab=zz");
}

#[test]
fn the_character_encoding_of_documents_is_detected() {
    let url = |bytes: &[u8], kind| read("rfc3986", Some("http://r/"), kind, bytes).expect("read").remove(1);
    assert_eq!(url(b"<a href=\xe9>", DocumentKind::Html), "1 a href é http://r/é");
    assert_eq!(url(b"<a href=\xc3\xa9>", DocumentKind::Html), "1 a href é http://r/é");
    assert_eq!(url(b"<meta charset=koi8-r><a href=\xc1>", DocumentKind::Html), "1 a href а http://r/а");
    let by_type = b"<meta http-equiv=Content-Type content='text/html; charset=\"shift_jis\"'><a href=\x82\xa0>";
    assert_eq!(url(by_type, DocumentKind::Html), "1 a href あ http://r/あ");
    let wide: Vec<u8> = "\u{feff}<a href=é>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(url(&wide, DocumentKind::Html), "1 a href é http://r/é");
    let mail = b"Content-Type: text/html; charset=\"iso-8859-5\"\r\n\r\n<meta charset=utf-8>\r\n<a href=\xd0>";
    assert_eq!(url(mail, DocumentKind::Mime), "2 a href а http://r/а");
    assert_eq!(url(b"\r\r\nhttp://h/\xe9", DocumentKind::Text), "3 text http://h/é http://h/é");
}

#[test]
fn unreadable_documents_are_reported_and_empty_documents_are_accepted() {
    let folder = Folder::new();
    let empty = folder.named("empty", "");
    ends(&links(&[&empty], b""), 0, "1 document, 1 part, 0 links");
    let empty = folder.named("empty.eml", "");
    ends(&links(&[&empty], b""), 0, "1 document, 1 part, 0 links");
    let binary = folder.named("binary", b"\x7fELF\0\0\0");
    ends(
        &links(&[&binary], b""),
        65,
        "binary: neither HTML nor a MIME message nor text, by its first bytes: links are read from",
    );
    ends(&links(&["--type", "text", &binary], b""), 0, "0 links");
    ends(&links(&[&folder.named("no such", "")[..3]], b""), 65, "cannot be read");
    fs::create_dir(folder.path().join("bare")).expect("a folder");
    ends(
        &links(&[&format!("{}/bare", folder.path_text())], b""),
        65,
        "no file below it ends like HTML, a MIME message or text",
    );
    let long = fs::File::create(folder.path().join("long.html")).and_then(|file| file.set_len(MAX_BYTES + 1));
    long.expect("a long file");
    ends(&links(&[&format!("{}/long.html", folder.path_text())], b""), 65, "longer than the limit of 268435456 bytes");
}

#[test]
#[cfg(unix)]
fn a_named_pipe_is_rejected_without_waiting() {
    let folder = Folder::new();
    let pipe = format!("{}/pipe.html", folder.path_text());
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    ends(&links(&[&pipe], b""), 65, "pipe.html: neither a file nor a folder: hand it to standard input, and name -");
    folder.named("a.html", "<a href=g>");
    ends(&links(&[&folder.path_text()], b""), 0, "1 document, 1 part, 1 link");
}

#[test]
fn a_folder_is_read_in_order_and_each_file_has_its_url() {
    let folder = Folder::new();
    folder.named("b/a b.html", "<a href=../g>");
    folder.named("a.html", "<a href=g>");
    folder.named("c.png", "");
    let output = links(&["--pairs", "--retrieved-from", "https://h/r/", &folder.path_text()], b"");
    ends(&output, 0, "https://h/r/a.html\tg\nhttps://h/r/b/a%20b.html\t../g\n");
    let output = links(&["--retrieved-from", "https://h/r", &folder.path_text()], b"");
    ends(&output, 64, "https://h/r has to end in a slash");
}

#[test]
fn printed_pairs_omit_unrepresentable_links_and_other_commands_read_them() {
    let html = "<base href='http://h/a/'><a href='x\ty'><a href='x\ny'><a href='x&#13;y'><a href=''><a href='z w'>";
    let output = links(&["--pairs", "--type", "html", "-"], html.as_bytes());
    ends(&output, 0, "urlstrata: 2 links left out: a line cannot hold a line end, and a base cannot hold a tab");
    let lines = String::from_utf8(output.stdout).expect("text");
    assert_eq!(lines, "http://h/a/\tx\ty\nhttp://h/a/\t\nhttp://h/a/\tz w\n");
    let run = with_input(&["run", "--pairs", "-", "-e", "crate:url"], lines.as_bytes());
    ends(&run, 0, "3 comparisons");
    let resolved = with_input(&["resolve", "--as", "fast:rfc3986", "--pairs", "-"], lines.as_bytes());
    ends(&resolved, 0, "http://h/a/x\ty\nhttp://h/a/\nhttp://h/a/z w\n");
}

#[test]
fn places_follow_the_last_tab_of_each_line() {
    let folder = Folder::new();
    let mail = "Content-Base: http://h/\nContent-Location: http://h/l\nContent-Type: multipart/mixed; boundary=x\n\n\
        --x\nContent-Type: text/html\n\n\n<a href=g>\n--x--\n";
    let mail = folder.named("a.eml", mail);
    let page = folder.named("b.html", "<base href=http://h/>\n<a href='x\ty'>");
    let output = links(&["--pairs", "--places", "--as", "draft-1996", &mail, &page], b"");
    ends(&output, 0, "");
    let lines = String::from_utf8(output.stdout).expect("text");
    let wanted = format!("http://h/\thttp://h/l\t{mail}\nhttp://h/\tg\t{mail}, part 1:2\nhttp://h/\tx\ty\t{page}:2\n");
    assert_eq!(lines, wanted);
    let split: Vec<_> = lines.lines().map(|line| split_with_place(line).expect("a place")).collect();
    assert_eq!(split[2], ("http://h/", "x\ty", format!("{page}:2").as_str()));
    let output = links(&["--pairs", "--places", "--retrieved-from", "http://h/", "-"], b"<p>\n<a href=g>");
    ends(&output, 0, "http://h/\tg\tstandard input:2\n");
}

#[test]
fn places_need_pairs() {
    ends(&links(&["--places", "-"], b""), 64, "--pairs");
    ends(&links(&["--help"], b""), 0, "Split at the last tab to get the place");
}

#[test]
#[cfg(unix)]
fn tabs_and_line_ends_in_a_file_name_are_escaped_in_places() {
    let folder = Folder::new();
    let page = folder.named("a\tb\nc.html", "<base href=http://h/><a href=g>");
    let output = links(&["--pairs", "--places", &page], b"");
    ends(&output, 0, "a\\u{9}b\\u{a}c.html:1\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

#[test]
fn unsupported_arguments_are_usage_errors() {
    ends(
        &links(&["--as", "rfc1630", "-"], b""),
        64,
        "RFC 1630 does not say how a base is established: appendix-b-1994, rfc1808",
    );
    ends(
        &links(&["--as", "rfc1738", "--retrieved-from", "http://h/", "-"], b""),
        64,
        "RFC 1738 does not define relative URLs, so it has no base",
    );
    ends(&links(&["--retrieved-from", "x/y", "-"], b""), 64, "\"x/y\" is not absolute, so it cannot be the base");
    ends(&links(&["--default-base", "", "-"], b""), 64, "is not absolute");
    ends(&links(&["--retrieved-from", "http://h/", "-", "-"], b""), 64, "is where one file was retrieved from");
    ends(&links(&[], b""), 64, "FILE");
    ends(&links(&["--type", "pdf", "-"], b""), 64, "there are html, mime, text and warc");
}

#[test]
fn json_output_contains_the_errors_of_unreadable_documents() {
    let folder = Folder::new();
    let (binary, page) =
        (folder.named("binary", b"\0"), folder.named("a.html", "<base href=http://h/><a href=g><a href=h>"));
    let output = links(&["--format", "json", &binary, &page], b"");
    assert_eq!(output.status.code(), Some(65));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(value[0]["error"].as_str().is_some_and(|error| error.starts_with("neither HTML")));
    assert_eq!(value[0]["parts"], serde_json::json!([]));
    let part = &value[1]["parts"][0];
    assert_eq!((part["base"].as_str(), part["layer"].as_str()), (Some("http://h/"), Some("content")));
    assert_eq!(part["section"], "RFC 3986 §5.1.1");
    assert_eq!(part["links"][1]["target"], "http://h/h");
    assert_eq!(value[1]["error"], serde_json::Value::Null);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_bytes_are_read_without_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for (_, kind) in DocumentKind::ALL {
            prop_assert!(read("rfc3986", Some("http://r/"), kind, &bytes).is_ok());
        }
        let _ = DocumentKind::detect(None, &bytes);
    }

    #[test]
    fn random_messages_are_read_without_an_error(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let mail = pieces.concat();
        for id in ["rfc1808", "draft-1996", "rfc2396", "rfc3986"] {
            prop_assert!(read(id, None, DocumentKind::Mime, mail.as_bytes()).is_ok());
            prop_assert!(read(id, None, DocumentKind::Html, mail.as_bytes()).is_ok());
        }
    }
}

/// Parts of messages and of HTML, from which random messages are assembled.
const PIECES: &[&str] = &[
    "Content-Type: multipart/mixed; boundary=x\n",
    "Content-Type: multipart/digest;\r\n boundary=\"y z\"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html; charset=utf-7\n",
    "Content-Type:",
    ";",
    "=",
    "\"",
    "*0*=",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Base: <URL:",
    ">",
    "x:y",
    "\n",
    "\r\n",
    " ",
    "\t",
    "--x",
    "--x--",
    "--y z",
    "--y z--\n",
    "\n--x\n",
    "\n\n",
    "PGEgaHJlZj1nPg==",
    "=3D",
    "<a href=",
    "<base href=",
    "<svg>",
    "</svg>",
    "<title>",
    "</title>",
    "<script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp",
    "é",
    "\0",
    "'",
    "/",
    "charset",
    "\\",
];

#[test]
fn appendix_b_has_two_sources_of_a_base() {
    let run = |document: &[u8]| {
        let from = ["--as", "appendix-b-1994", "--retrieved-from", "http://h/a/b", "--type", "html", "-"];
        links(&from, document)
    };
    ends(
        &run(b"<a href=g>"),
        0,
        "Appendix B 1994, introduction: the retrieval URL\n  line 1, a href: g\n    http://h/a/g",
    );
    ends(&run(b"<base href=x://e/f/><a href=g>"), 0, "introduction: BASE on line 1\n    not http://h/a/b");
    let unknown = links(&["--as", "appendix-b-1994", "--type", "html", "-"], b"<a href=g>");
    ends(
        &unknown,
        0,
        "base unknown\n    Appendix B 1994, rule 1: no base is known\n  line 1, a href: g\n    g (no scheme)",
    );
}

#[test]
fn rfc_1738_extracts_absolute_urls_and_rejects_relative_ones() {
    let output = links(&["--as", "rfc1738", "--type", "text", "-"], b"see <URL:http://a/> and URL:x:y\n<URL:../z>");
    ends(&output, 0, "base unknown\n    RFC 1738 does not define relative URLs\n  line 1, <URL:\u{2026}>: http://a/");
    ends(
        &output,
        0,
        "line 1, URL:\u{2026}: x:y\n    x:y\n  line 2, <URL:\u{2026}>: ../z\n    rejected: no scheme: relative links",
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains("Appendix B"), "{output:?}");
}

#[test]
fn appendix_b_finds_urls_in_text() {
    let output = links(
        &["--as", "appendix-b-1994", "--retrieved-from", "http://h/a/b", "--type", "text", "-"],
        b"see <URL:magic://a/b/c/d> and\n<URL:g>, not http://c/",
    );
    ends(&output, 0, "line 1, <URL:\u{2026}>: magic://a/b/c/d\n    magic://a/b/c/d");
    ends(&output, 0, "line 2, <URL:\u{2026}>: g\n    http://h/a/g");
    ends(&output, 0, "note: 1 relative URL in plain text, from line 2: use absolute URLs there");
    ends(&output, 0, "2 links");
}

#[test]
fn recommendations_about_a_base_are_notes() {
    for (id, citation) in
        [("rfc1808", Some("RFC 1808 \u{a7}5.3")), ("draft-1996", Some("Draft 1996 \u{a7}13.3")), ("rfc3986", None)]
    {
        let note = citation.map(|citation| {
            format!("the base: do not use `;type=d` where relative URLs are used; end the path in a slash instead ({citation})")
        });
        let lines = read(id, Some("ftp://h/a;type=d"), DocumentKind::Html, b"<a href=g>").expect("a document");
        assert_eq!(lines.iter().find(|line| line.starts_with("the base")), note.as_ref(), "{id}");
    }
}

/// RFC 1808 §5.3, §5.2 and §2.3, and the draft's sections with the same sentences, are about links, too.
#[test]
fn recommendations_about_links_are_counted_notes() {
    let html = b"<a href='ftp://h/x;type=d'>\n<a href='this:that'>\n<a href='http:g'>\n<a href='b;type=d'>\n<a href='http://h/'> <a href=g>";
    let notes = |id: &str, base: &str, html: &[u8]| -> Vec<String> {
        let lines = read(id, Some(base), DocumentKind::Html, html).expect("a document");
        lines.into_iter().filter(|line| line.contains(" link")).map(|line| line.trim().to_owned()).collect()
    };
    for (id, authors, loophole, section) in [
        ("rfc1808", "RFC 1808 §5.3", "RFC 1808 §5.2", "RFC 1808 §2.3"),
        ("draft-1996", "Draft 1996 §13.3", "Draft 1996 §13.2", "Draft 1996 §5.3"),
    ] {
        let found = notes(id, "http://h/a", html);
        let ends = [authors, loophole, authors];
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found.iter().zip(ends).all(|(note, end)| note.contains(end)), "{found:#?}");
        assert!(found[0].contains("1 link, from line 1, with `;type=d`"), "{found:#?}");
        let found = notes(id, "mailto:a@b", b"<a href=z> <a href='#x'>");
        assert!(found.len() == 1 && found[0].contains(section), "{found:#?}");
        assert!(notes(id, "ftp://h/a", b"<a href='b;type=d'>")[0].contains("with `;type=d`"));
    }
    assert!(notes("rfc3986", "http://h/a", html).is_empty());
}

/// RFC 3986 §5.1 requires the absolute form of a base that is a relative reference. The older specifications require an absolute URL.
#[test]
fn a_relative_base_is_used_in_its_absolute_form_by_rfc_3986() {
    let page = b"<base href=\"/r/\"><a href=\"x\">";
    let links = |revision| with_input(&["links", "--as", revision, "--retrieved-from", "http://h/a/b", "-"], page);
    for revision in ["rfc3986", "rfc3986-nonstrict"] {
        ends(&links(revision), 0, "  base http://h/r/\n    RFC 3986 §5.1.1: BASE on line 1\n");
        ends(&links(revision), 0, "    /r/ (RFC 3986 §5.1.1): relative, so its absolute form is the base\n");
        ends(&links(revision), 0, "    http://h/r/x\n");
    }
    for revision in ["appendix-b-1994", "rfc1808", "draft-1996", "rfc2396"] {
        ends(&links(revision), 0, "relative, so it cannot be the base\n");
        ends(&links(revision), 0, "    http://h/a/x\n");
    }
}

#[test]
fn a_base_that_only_xml_has_is_a_note() {
    let html =
        "<html xmlns='http://www.w3.org/1999/xhtml'>\n<div xml:base='http://h/x/'>\n<p XML:BASE=y><a href=g></div>";
    let lines = read("rfc3986", Some("http://r/"), DocumentKind::Html, html.as_bytes()).expect("read");
    assert_eq!(lines[1], "3 a href g http://r/g");
    let note = "2 elements have xml:base, the first on line 2: it is not a base in HTML, but a reader of XML resolves the links within by it";
    assert_eq!(lines[2..], [note]);
}
