//! The base of a document: the innermost layer with an absolute URL defines it, and all candidates are reported.

use urlstrata::base::{Algorithm, Candidates, DefaultBase, Header, HeaderSyntax, Layer, LayerResult, Selection};
use urlstrata::revision;

fn algorithm(id: &str) -> &'static Algorithm {
    revision::by_id(id).and_then(|revision| revision.base).expect("an algorithm")
}

fn algorithms() -> impl Iterator<Item = &'static Algorithm> {
    revision::ALL.iter().copied().filter_map(|revision| revision.base)
}

/// Returns whether a relative base in the content is converted to absolute form: RFC 3986 §5.1 says so.
fn converts(algorithm: &Algorithm) -> bool {
    std::ptr::eq(algorithm, self::algorithm("rfc3986"))
}

const VALUES: [Option<&str>; 4] = [None, Some(""), Some("rel/x"), Some("s:x#f")];

/// The test tries every combination of values in the four layers.
#[test]
fn innermost_absolute_candidate_is_selected() {
    for algorithm in algorithms() {
        for number in 0..256 {
            let value = |layer: usize| VALUES[number >> (2 * layer) & 3];
            let content: Vec<_> = value(0).into_iter().collect();
            let candidates =
                Candidates { content: &content, enclosing: value(1), retrieval: value(2), default: value(3) };
            let absolute = |layer: usize| value(layer) == Some("s:x#f");
            let has_outer = absolute(1) || absolute(2) && value(1).is_none();
            let has_outer = has_outer || absolute(3) && algorithm.default == DefaultBase::Application;
            let is_converted = converts(algorithm) && value(0) == Some("rel/x") && has_outer;
            let expected = if absolute(0) || is_converted {
                Layer::Content
            } else if absolute(1) {
                Layer::Enclosing
            } else if absolute(2) && value(1).is_none() {
                Layer::Retrieval
            } else {
                Layer::Default
            };
            let (established, trace) = algorithm.establish_traced(&candidates);
            assert_eq!(established.layer, expected, "{algorithm:?} {candidates:?}");
            assert_eq!(established.section, algorithm.sections[expected as usize]);
            assert_eq!(established, algorithm.establish(&candidates));
            assert_eq!(trace.entries().len(), algorithm.steps().len());
            assert_eq!(established.url == "s:rel/x", is_converted, "{algorithm:?} {candidates:?}");
            let is_taken = |held: &&LayerResult| matches!(held.selection, Selection::Selected | Selection::Converted);
            let taken: Vec<_> = established.layers.iter().filter(is_taken).collect();
            assert!(taken.len() <= 1 && taken.iter().all(|held| held.layer == expected), "{established:?}");
            assert!(expected == Layer::Default || taken.len() == 1, "{established:?}");
        }
    }
}

#[test]
fn absolute_urls_have_a_scheme() {
    for algorithm in algorithms() {
        assert!(algorithm.is_absolute("a:"), "{algorithm:?}");
        for url in ["", "a", "a/b:c", ":b", "é:b"] {
            assert!(!algorithm.is_absolute(url), "{algorithm:?} {url}");
        }
    }
}

#[test]
fn unknown_base_selects_the_default_layer() {
    for algorithm in algorithms() {
        let established = algorithm.establish(&Candidates::default());
        let reported: Vec<_> = established.layers.iter().map(|held| (held.layer, held.selection)).collect();
        let absent = [Layer::Content, Layer::Enclosing, Layer::Retrieval].map(|layer| (layer, Selection::Absent));
        assert_eq!((established.url.as_str(), established.layer), ("", Layer::Default));
        assert_eq!(reported, [&absent[..], &[(Layer::Default, Selection::Selected)]].concat(), "{algorithm:?}");
    }
}

#[test]
fn candidates_of_all_layers_are_reported() {
    let candidates = Candidates {
        content: &["../x", "http://a/", "http://b/"],
        enclosing: Some("http://c/"),
        retrieval: Some("http://d/"),
        default: Some("http://e/"),
    };
    let selections = |id: &str| -> Vec<_> {
        algorithm(id).establish(&candidates).layers.iter().map(|held| (held.section, held.selection)).collect()
    };
    assert_eq!(
        selections("rfc1808"),
        [
            ("3.1", Selection::Relative),
            ("3.1", Selection::Selected),
            ("3.1", Selection::Overridden),
            ("3.2", Selection::Overridden),
            ("3.3", Selection::Enclosed),
            ("3.4", Selection::Unsupported),
        ]
    );
    let converted = selections("rfc3986");
    assert_eq!(converted[..2], [("5.1.1", Selection::Converted), ("5.1.1", Selection::Overridden)]);
    assert_eq!(converted.last(), Some(&("5.1.4", Selection::Overridden)));
}

/// A relative base is one by its absolute form, without a fragment, or no base at all if nothing around it is known.
#[test]
fn relative_bases_are_converted_by_rfc_3986_alone() {
    let candidates = Candidates { content: &["/r/#f"], ..Candidates::retrieved_from("http://h/a/b") };
    for algorithm in algorithms() {
        let url = algorithm.establish(&candidates).url;
        assert_eq!(url, if converts(algorithm) { "http://h/r/" } else { "http://h/a/b" }, "{algorithm:?}");
        let alone = algorithm.establish(&Candidates { retrieval: None, ..candidates.clone() });
        assert_eq!((alone.url.as_str(), alone.layers[0].selection), ("", Selection::Relative), "{algorithm:?}");
    }
}

#[test]
fn specifications_differ_in_default_fragment_and_scheme() {
    let default = Candidates { default: Some("http://a/#f"), ..Candidates::default() };
    let of = |id: &str, candidates: &Candidates<'_>| algorithm(id).establish(candidates).url;
    let ids = ["rfc1808", "draft-1996", "rfc2396", "rfc3986"];
    assert_eq!(ids.map(|id| of(id, &default)), ["", "", "http://a/#f", "http://a/"]);
    let digits = Candidates::retrieved_from("1:2");
    assert_eq!(ids.map(|id| of(id, &digits)), ["1:2", "1:2", "", ""]);
}

#[test]
fn headers_contain_the_url_in_the_specified_syntax() {
    let wrapped = Header { name: "Base", syntax: HeaderSyntax::Wrapped };
    let plain = Header { name: "Content-Base", syntax: HeaderSyntax::Plain };
    assert_eq!(wrapped.url(" <URL:http://a/\r\n b> ").as_deref(), Ok("http://a/b"));
    assert_eq!(wrapped.url("<url: x >").as_deref(), Ok("x"));
    for value in ["http://a/", "<http://a/>", "<URL:http://a/", "<URL:a> b", "<URL:<a>", "<URL", "é<URL:a>", "<URLé:a>"]
    {
        assert_eq!(wrapped.url(value), Err("not of the form <URL:…>"), "{value:?}");
    }
    assert_eq!(wrapped.url("<URL: >"), Err("empty"));
    assert_eq!(plain.url(" http://a/\r\n\tb c ").as_deref(), Ok("http://a/bc"));
    assert_eq!(plain.url(" \r\n "), Err("empty"));
}
