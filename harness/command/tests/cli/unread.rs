//! `links` rejects documents whose links it does not read, and never writes an unknown base silently.

use std::fs;

use crate::folder::Folder;
use crate::program::{ends, with_input};

#[test]
fn documents_of_other_kinds_are_rejected_by_name() {
    let folder = Folder::new();
    let atom = "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://h/\"><link href=\"x\"/></feed>";
    for (name, text, what) in [
        ("feed.xml", atom, "an Atom feed"),
        ("feed", atom, "an Atom feed"),
        ("feed.html", atom, "an Atom feed"),
        ("news.rss", "<rss version=\"2.0\"><channel/></rss>", "an RSS feed"),
        ("page.md", "[a](b.html)\n<c.html>\n[d]: e.html\n", "Markdown"),
        ("list.m3u8", "#EXTM3U\nlow.m3u8\n", "an HLS playlist"),
        ("style.css", "@import \"x.css\";", "CSS"),
        ("data.json", "{\"url\": \"x\"}", "JSON"),
        ("mark.url", "[InternetShortcut]\nURL=http://h/\n", "an Internet shortcut"),
        ("mark", "[InternetShortcut]\nURL=http://h/\n", "an Internet shortcut"),
        ("own", "<list xml:base=\"http://h/\"><a href=\"x\"/></list>", "XML with the root element list"),
    ] {
        let path = folder.file(name, text).to_string_lossy().into_owned();
        let sentence = format!("{name}: {what}: links are read from HTML, MIME messages, plain text and WARC files");
        for arguments in [&["links", &*path][..], &["links", "--pairs", &path], &["links", "--confusing", &path]] {
            ends(&with_input(arguments, b""), 65, &sentence);
        }
        assert!(with_input(&["links", "--type", "text", &path], b"").status.success(), "{name}");
    }
    ends(&with_input(&["links", "-"], atom.as_bytes()), 65, "standard input: an Atom feed");
    let text = folder.file("page.txt", "{\"a\": 1} <URL:http://h/>").to_string_lossy().into_owned();
    ends(&with_input(&["links", &text], b""), 0, "http://h/");
}

#[test]
fn relative_references_without_a_base_are_left_out_and_reported() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("site")).expect("a folder");
    folder.file("site/a.html", "<a href=x>\n<a href=http://h/y><a href='#z'>");
    folder.file("site/b.html", "<base href=http://h/><a href=x>");
    let site = folder.path().join("site").to_string_lossy().into_owned();
    let output = with_input(&["links", "--pairs", &site], b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "\thttp://h/y\nhttp://h/\tx\n");
    ends(&output, 65, "2 relative references have no base and are left out, first \"x\" in ");
    ends(&output, 65, "a.html:1: name the base with --retrieved-from or --default-base");
    ends(&with_input(&["links", "--pairs", "--retrieved-from", "http://r/", &site], b""), 0, "http://r/a.html\tx\n");
    ends(&with_input(&["links", "--pairs", "--default-base", "http://d/", &site], b""), 0, "http://d/\tx\n");
    let output = with_input(&["links", "--confusing", &site], b"");
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 relative references have no base"), "{output:?}");
}

/// The files of a folder whose links are not read are counted by what they are.
#[test]
fn files_of_a_folder_that_are_not_read_are_named() {
    let folder = Folder::new();
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://h/\"><link href=\"x\"/></feed>";
    for (name, text) in [
        ("site/page.html", "<a href=x>"),
        ("site/page.md", "[a](b.html)"),
        ("site/more/list.m3u8", "#EXTM3U\nlow.m3u8\n"),
        ("site/feed.xml", atom),
        ("site/data.json", "{}"),
    ] {
        folder.file(name, text);
    }
    let site = folder.path().join("site").to_string_lossy().into_owned();
    for option in ["--pairs", "--confusing", "--format=json"] {
        let output = with_input(&["links", option, "--retrieved-from", "http://h/", &site], b"");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        for what in ["1 × Markdown", "1 × an HLS playlist", "1 × XML", "1 × JSON"] {
            assert!(message.contains(what), "{option}: {message}");
        }
        let written = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!written.contains("low.m3u8") && !written.contains("b.html"), "{option}: {written}");
    }
}
