//! URLs in running text: a positive and a negative example of each step, and linear time.

mod scope;

use scope::scope;
use urlstrata::context::{Ambiguity, Extractor};
use urlstrata::revision;

fn extractor(id: &str) -> &'static Extractor {
    revision::by_id(id).and_then(|revision| revision.context).expect("an extractor")
}

fn urls(id: &str, text: &str) -> Vec<String> {
    extractor(id).find(text).map(|find| find.url.into_owned()).collect()
}

fn extractors() -> impl Iterator<Item = &'static Extractor> {
    revision::ALL.iter().copied().filter_map(|revision| revision.context)
}

#[test]
fn wrapper_consists_of_brackets_and_prefix() {
    assert_eq!(urls("rfc1738", "<URL:http://a/> <url:x> <Url: y >"), ["http://a/", "x", "y"]);
    assert!(urls("rfc1738", "<http://a/> <UR L:http://a/> \"http://a/\" http://a/").is_empty());
    assert!(urls("rfc1738", "<URL:> <URL: \n> <URL:http://a/").is_empty());
}

#[test]
fn prefix_without_brackets_is_followed_by_a_scheme() {
    let text = "URL:http://a/ (url:mailto:b@c), \"URL:x:y\" < URL:http://d/> Url:http://e/#f.";
    assert_eq!(urls("rfc1738", text), ["http://a/", "mailto:b@c", "x:y", "http://d/", "http://e/#f"]);
    assert_eq!(urls("draft-1996", text), urls("rfc1738", text));
    assert!(urls("rfc1738", "URL: http://a/ URL:../b URL:x: URL:x:. xURL:a:b <URL:a:b curl:a:b URL:").is_empty());
    let find = extractor("rfc1738").find("é URL:http://a/.").next().expect("a URL");
    assert_eq!((find.wrapper, find.content, find.ambiguity), (3..16, 7..16, Ambiguity::TrailingPunctuation(1)));
    assert_eq!(extractor("rfc1738").find_from("URL:a:b", 1).next(), None);
}

#[test]
fn later_specifications_accept_brackets_quotes_and_white_space() {
    let text = "<http://a/> \"http://b/\" http://c/ <URL: http://d/> < URL:http://e/> <mailto:f@g>";
    let all = ["http://a/", "http://b/", "http://c/", "http://d/", "http://e/", "mailto:f@g"];
    assert_eq!(urls("rfc2396", text), all);
    assert_eq!(urls("rfc3986", text), all);
    assert!(
        urls("rfc3986", "<b> <a href> 1 < 2:3 > \"Note:this\" \"C:\\x\" note:this e.g.:x x=http://a/ :// http://")
            .is_empty()
    );
}

#[test]
fn unclosed_wrappers_are_text() {
    for (text, url) in [
        ("<URL:http://a/ <URL:http://b/>", "http://b/"),
        ("<URL:http://a/\n\nfoo> <URL:http://b/>", "http://b/"),
        ("<URL:http://a/\r\n \t\r\nfoo> <URL:http://b/>", "http://b/"),
        ("<URL:http://a/\r\nb>", "http://a/b"),
    ] {
        assert_eq!(urls("rfc1738", text), [url], "{text:?}");
    }
    assert_eq!(urls("rfc3986", "\"x\" \"http://a/\""), ["http://a/"]);
    assert_eq!(urls("rfc3986", "\" \"http://a/\""), ["http://a/"]);
    assert_eq!(urls("rfc3986", "<http://a/ b"), ["http://a/"]);
    assert_eq!(urls("rfc3986", "\"http://a/ b"), ["http://a/"]);
}

#[test]
fn hyphens_at_line_ends_are_kept_and_reported() {
    let text = "<URL:http://a/b-\n c-d- \t\r\n e-\n->";
    let find = extractor("rfc1738").find(text).next().expect("a URL");
    assert_eq!(find.url, "http://a/b-c-d-e--");
    assert_eq!(find.ambiguity, Ambiguity::Hyphens(vec![10, 14, 16]));
    let (kept, other) = find.candidates(text);
    assert_eq!((kept.as_ref(), other.as_deref()), ("http://a/b-c-d-e--", Some("http://a/bc-de-")));
    for text in ["<URL:http://a/b- c>", "<URL:http://a/b\n-c>", "<URL:http://a-/\n>"] {
        assert_eq!(
            extractor("rfc1738").find(text).next().map(|find| find.ambiguity),
            Some(Ambiguity::None),
            "{text:?}"
        );
    }
    let text = "<URL:http://a/b-\n>";
    assert_eq!(extractor("rfc1738").find(text).next().map(|find| find.ambiguity), Some(Ambiguity::Hyphens(vec![10])));
}

#[test]
fn punctuation_after_a_bare_url_is_dropped_and_reported() {
    for (text, url, left_out) in [
        ("see http://a/b.", "http://a/b", 1),
        ("(http://a/b)", "http://a/b", 1),
        ("(http://a/b_(c)).", "http://a/b_(c)", 2),
        ("http://a/b(c)", "http://a/b(c)", 0),
        ("“http://a/b”,", "http://a/b", 4),
        ("http://a/?q, then", "http://a/?q", 1),
        ("http://[::1]", "http://[::1]", 0),
        ("http://a))))", "http://a", 4),
    ] {
        let find = extractor("rfc3986").find(text).next().expect("a URL");
        assert_eq!(find.url, url, "{text:?}");
        let ambiguity = if left_out == 0 { Ambiguity::None } else { Ambiguity::TrailingPunctuation(left_out) };
        assert_eq!(find.ambiguity, ambiguity, "{text:?}");
        let other = (left_out > 0).then(|| text[find.content.start..find.content.end + left_out].to_owned());
        assert_eq!(find.candidates(text).1.as_deref(), other.as_deref());
    }
}

#[test]
fn steps_with_an_effect_are_reported() {
    for (id, text, rules) in [
        ("rfc1738", "<URL:http://a/>", &["app. prefix", "app. brackets"][..]),
        ("rfc1738", "URL:a:b", &["app. prefix alone"]),
        ("rfc1738", "<URL: a>", &["app. prefix", "app. brackets", "app. white space"]),
        (
            "rfc1738",
            "<URL:a-\nb#c>",
            &["app. prefix", "app. brackets", "app. fragment", "app. white space", "app. hyphen"],
        ),
        ("rfc3986", "<http://a/>", &["C brackets"]),
        ("rfc3986", "<URL:http://a/>", &["C brackets", "C prefix"]),
        ("rfc3986", "\"http://a/ b\"", &["C quotes", "C white space within"]),
        ("rfc3986", " http://a/#c ", &["C white space around"]),
        ("rfc2396", " http://a/#c ", &["E white space around", "E fragment"]),
    ] {
        let find = extractor(id).find(text).next().expect("a URL");
        let acted: Vec<_> = extractor(id).acted(&find).map(|rule| rule.label).collect();
        assert_eq!(acted, rules, "{id} {text:?}");
        assert!(extractor(id).acted(&find).all(|rule| extractor(id).steps().any(|step| step == rule)));
    }
}

#[test]
fn only_white_space_is_removed() {
    let find = extractor("rfc1738").find("ä<URL:http://\u{a0}ü/\u{2028}\u{3000}é\u{200b}>").next().expect("a URL");
    assert_eq!(find.url, "http://ü/é\u{200b}");
    assert_eq!(find.wrapper.start, 2);
}

/// With quadratic time, the test would take hours.
#[test]
fn hostile_text_takes_linear_time() {
    let many = scope(1 << 20, 1 << 12);
    let quoted = format!("\"http://a/ {}", "x\" ".repeat(many / 3));
    for text in [
        "<".repeat(many),
        "<URL:".repeat(many / 5),
        format!("<URL:{}", "a".repeat(many)),
        format!("<URL:{}>", "a-\n".repeat(many / 3)),
        "\"".repeat(many),
        "\"http://".repeat(many / 8),
        "\"http://a ".repeat(many / 10),
        quoted,
        "http://".repeat(many / 7),
        "URL:".repeat(many / 4),
        " URL:a:.".repeat(many / 8),
        "(URL:a:".repeat(many / 7),
        format!("URL:{}", "a".repeat(many)),
        "a://".repeat(many / 4),
        "a".repeat(many),
        format!("http://a/{}", ")".repeat(many)),
        format!("http://a/{}", "(".repeat(many)),
        "<http://a\"b>\"".repeat(many / 13),
        "\"http://a/b <http://c\" d>".repeat(many / 25),
        "\"http://a/b http://c\" <http://d \"e\" f>".repeat(many / 39),
        "<http://a \n \n".repeat(many / 13),
        " ".repeat(many),
        "\n".repeat(many),
    ] {
        for extractor in extractors() {
            let read: usize = extractor.find(&text).map(|find| find.wrapper.len()).sum();
            assert!(read <= text.len());
        }
    }
}

/// Other syntactic structures than brackets have the prefix, too (RFC 1738, appendix).
#[test]
fn a_prefix_alone_follows_separators() {
    for text in ["x=URL:http://h/b", "a,URL:http://h/b", "a;url:http://h/b", "|URL:http://h/b|"] {
        let found = urls("rfc1738", text);
        assert_eq!(
            found.first().map(|url| url.trim_end_matches('|').to_owned()).as_deref(),
            Some("http://h/b"),
            "{text}"
        );
    }
    assert!(urls("rfc1738", "xURL:http://h/b x-URL:a:b %URL:a:b").is_empty());
    for id in ["rfc2396", "rfc3986"] {
        assert_eq!(urls(id, "URL:http://h/x (url:http://h/y) xURL:http://h/z"), ["http://h/x", "http://h/y"], "{id}");
    }
}
