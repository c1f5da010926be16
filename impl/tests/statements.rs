//! What the specifications state about a URL apart from the syntax of its scheme, and the parts of the draft's server.

use urlstrata::revision::{self, appendix_b_1994, draft_1996, rfc1738, rfc1808};
use urlstrata::scheme::RelativeUse::{Always, Never, Sometimes};
use urlstrata::scheme::Subject;

/// Returns the statements as lines: `subject (section): sentence`.
fn statements(id: &str, url: &str) -> Vec<String> {
    let statements = revision::by_id(id).expect("a revision").statements(url);
    let line = |it: &urlstrata::scheme::Statement| format!("{} ({}): {}", it.subject.name(), it.section, it.sentence);
    statements.iter().map(line).collect()
}

#[test]
fn schemes_have_a_category_of_use_with_relative_urls() {
    for (name, rfc1808, appendix_b) in [
        ("mailto", Some(Never), Some(Never)),
        ("news", Some(Never), Some(Never)),
        ("TELNET", Some(Never), Some(Never)),
        ("gopher", Some(Sometimes), Some(Never)),
        ("wais", Some(Sometimes), Some(Never)),
        ("prospero", Some(Sometimes), None),
        ("file", Some(Always), None),
        ("ftp", Some(Always), None),
        ("http", Some(Always), None),
        ("nntp", Some(Always), None),
        ("x-a", None, None),
    ] {
        assert_eq!(rfc1808::CATEGORIES.of(name), rfc1808, "{name}");
        assert_eq!(draft_1996::CATEGORIES.of(name), rfc1808, "{name}");
        assert_eq!(appendix_b_1994::CATEGORIES.of(name), appendix_b, "{name}");
    }
}

#[test]
fn categories_are_cited_from_their_own_specification() {
    assert_eq!(statements("rfc1808", "news:*"), ["relative URLs (2.3): never"]);
    assert_eq!(
        statements("draft-1996", "wais://h/d"),
        ["relative URLs (5.3): sometimes: only if the base has the generic syntax"]
    );
    assert_eq!(statements("appendix-b-1994", "gopher://h"), ["relative URLs (introduction): never"]);
    assert_eq!(statements("rfc1808", "x:y"), ["relative URLs (2.3): the scheme is not listed"]);
    assert!(statements("rfc1808", "../a").is_empty() && statements("rfc3986", "http://h/").is_empty());
}

#[test]
fn directories_of_ftp_should_end_in_a_slash() {
    for (id, section) in [("rfc1808", "5.3"), ("draft-1996", "13.3")] {
        let recommended = |url: &str| statements(id, url).into_iter().find(|line| line.starts_with("recommendation"));
        let without = format!("recommendation ({section}): do not use `;type=d` where relative URLs are used");
        assert_eq!(recommended("ftp://h/a/;type=d").as_ref(), Some(&without));
        assert_eq!(recommended("FTP://h/a;TYPE=D"), Some(format!("{without}; end the path in a slash instead")));
        assert!(["ftp://h/a/", "ftp://h/a;type=i", "x://h/a;type=d"].iter().all(|url| recommended(url).is_none()));
    }
}

#[test]
fn the_draft_states_registration_and_cautions() {
    let about = |url: &str| statements("draft-1996", url).split_off(1);
    assert_eq!(about("X-a:b"), ["registration (6): experimental"]);
    for name in ["afs", "mid", "cid", "nfs", "tn3270", "mailserver", "Z39.50"] {
        assert_eq!(about(&format!("{name}:b")), ["registration (6): reserved"]);
    }
    assert_eq!(about("a:b"), ["registration (6): unknown"]);
    assert_eq!(
        about("ftp://u:p@h:25/%0d%0A"),
        [
            "caution (10): the URL contains an encoded CR, which would break the line of a protocol if it were decoded",
            "caution (10): the URL contains an encoded LF, which would break the line of a protocol if it were decoded",
            "caution (10): port 25 is not the scheme's port 21, and another protocol may use it",
            "caution (10): the URL contains a password, which every reader can see",
        ]
    );
    assert_eq!(about("x-y://h:8000/")[1], "caution (10): port 8000 may not be the scheme's port, which is not known");
    assert!(about("ftp://u:@h:21/%250D#%0D").is_empty());
}

#[test]
fn the_server_of_the_draft_has_parts() {
    for (url, parts) in [
        ("ftp://u:p@h:21/a", [Some("u"), Some("p"), Some("h"), Some("21")]),
        ("x://@h/", [Some(""), None, Some("h"), None]),
        ("x://h", [None, None, Some("h"), None]),
        ("x://u:@h:", [Some("u"), Some(""), Some("h"), Some("")]),
        ("//u@", [Some("u"), None, Some(""), None]),
        // No login: the choice `draft-no-login`.
        ("http://a:b@c:80:90/", [Some("a"), Some("b"), Some("c:80"), Some("90")]),
        ("x:///a", [None; 4]),
        ("x:a@b", [None; 4]),
    ] {
        let read = draft_1996::REVISION.parse(url).expect("components");
        let found = ["user", "password", "host", "port"].map(|name| read.component(name).expect("a component"));
        assert_eq!(found, parts, "{url}");
        let names: Vec<_> = read.iter().map(|part| part.0).collect();
        assert_eq!(names, draft_1996::REVISION.components);
    }
}

/// RFC 1738 §6, RFC 1808 §6, the draft §10 and RFC 2396 §7 have the same warnings, RFC 3986 §7 warns of well-known ports only.
#[test]
fn revisions_with_the_same_warnings_have_the_same_cautions() {
    let cautions = |id: &str, url: &str| -> Vec<String> {
        if id == "rfc1738" {
            let read = rfc1738::read(url).expect("a URL");
            return read.cautions().into_iter().map(|it| it.sentence).collect();
        }
        let statements = revision::by_id(id).expect("a revision").statements(url);
        statements.into_iter().filter(|it| it.subject == Subject::Caution).map(|it| it.sentence).collect()
    };
    for url in [
        "ftp://u:p@h:25/%0D%0A",
        "telnet://u%0D%0Ax@h/",
        "http://h/%0A?%0D",
        "wais://h/d%0A",
        "http://h/a",
        "http://h:65536/",
        "http://h:8080/",
        "ftp://anonymous:me%40x@h/a",
        "x-y://h/%0D",
        "gopher://h:0070/",
        "prospero://h/a%0d",
        "http://h:0/",
    ] {
        let first = cautions("rfc1738", url);
        for id in ["rfc1808", "draft-1996", "rfc2396"] {
            assert_eq!(cautions(id, url), first, "{id}: {url}");
        }
        let well_known = |it: &String| !it.starts_with("port") || it.ends_with("another protocol may use it");
        assert_eq!(cautions("rfc3986", url), first.into_iter().filter(well_known).collect::<Vec<_>>(), "{url}");
    }
}

/// Returns a choice or an erratum as one text.
fn remark(id: &str, name: &str) -> String {
    let remarks = revision::by_id(id).expect("a revision").remarks;
    let remark = remarks.iter().find(|remark| remark.id == name).unwrap_or_else(|| panic!("{id} has no {name}"));
    format!("{} {} {}", remark.issue, remark.decision, remark.reason)
}

/// Three places where the seed documents leave something open or contradict each other.
#[test]
fn open_points_of_the_oldest_specifications_are_remarks() {
    // The sections of the draft that were taken from RFC 1738 have its numbers, and the others those of RFC 1808.
    let references = remark("draft-1996", "draft-cross-references");
    for part in
        ["RFC 1738", "RFC 1808", "4 and 10 mean", "9 and 14", "§4 and §5 have RFC 1738's: 3.1 and 4 mean 3.4 and 6"]
    {
        assert!(references.contains(part), "{part}: {references}");
    }
    // The appendix lists schemes as examples only.
    let list = remark("appendix-b-1994", "ab-scheme-list");
    assert!(list.contains("e.g.") && list.contains("rule 2"), "{list}");
    // The grammar of http allows a semicolon to which no section gives a meaning.
    let semicolon = remark("rfc1738", "r1738-hsegment-semicolon");
    assert!(semicolon.contains("hsegment allows `;`"), "{semicolon}");
}
