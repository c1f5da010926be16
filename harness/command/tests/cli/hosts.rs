//! `hosts` and `confuse`: published cases of host confusion, and what the commands print.

use std::process::Command;

use serde_json::{Value, json};

use crate::program::{ends, urlstrata, with_input};

/// Returns the scheme, host and port that each of `engines` states for `url`, or, with a base, those of its result, in their order;
/// `rejected` without one.
#[track_caller]
fn seen(url: &str, base: &str, engines: &[&str]) -> Vec<String> {
    let mut arguments = vec!["hosts", "--format", "json", "--base", base];
    engines.iter().for_each(|engine| arguments.extend(["-e", engine]));
    arguments.extend(["--", url]);
    let output = urlstrata(&arguments).output().expect("the command ends");
    let hosts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let groups = hosts[0][if base.is_empty() { "stated" } else { "resolved" }].as_array().expect("groups");
    let of = |name: &str| {
        let name = name.split('@').next().unwrap_or_default().trim_start_matches("recorded:");
        let has = |group: &&Value| group["by"].as_array().expect("observers").iter().any(|by| by["name"] == name);
        let group = groups.iter().find(has).unwrap_or_else(|| panic!("{name} is missing in {hosts}"));
        let part = |key: &str| group["location"][key].as_str().unwrap_or("-").to_owned();
        if group["location"].is_null() { "rejected".to_owned() } else { ["scheme", "host", "port"].map(part).join(" ") }
    };
    engines.iter().map(|name| of(name)).collect()
}

/// The discussion of OWASP's cheat sheet (CheatSheetSeries#2401): a backslash ends the authority in the URL Standard only.
#[test]
fn a_backslash_before_an_at_sign_has_two_hosts() {
    let engines = ["node-url", "crate:url", "urllib", "libcurl"];
    let found = seen(r"http://example.com\@evil.com", "", &engines);
    assert_eq!(found, ["http example.com 80", "http example.com 80", "http evil.com 80", "http evil.com 80"]);
    let found = seen(r"http://127.0.0.1:6666\@1.1.1.1", "", &["node-url", "urllib"]);
    assert_eq!(found, ["http 127.0.0.1 6666", "http 1.1.1.1 80"]);
}

/// What a library states after it has joined a text with a base of its own says nothing about the text alone.
#[test]
fn a_base_of_its_own_is_named() {
    let output = urlstrata(&["hosts", "?", "-e", "express", "-e", "urllib"]).output().expect("the command ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("(on http://shop.example/)"), "{text}");
    let output = urlstrata(&["explain", "?", "--base", "http://a/b/c"]).output().expect("the command ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("shop.example"), "{text}");
}

/// commons-vfs#783 and async-http-client#1455: every specification ends the authority at the `#`.
#[test]
fn a_fragment_does_not_contain_the_host() {
    let engines = ["node-url", "urllib", "libcurl", "go-net-url", "java-net-uri", "crate:oxiri"];
    let found = seen("http://allowed.example#@169.254.169.254/", "", &engines);
    assert!(found.iter().all(|it| it == "http allowed.example 80"), "{found:?}");
}

/// "Exploiting URL parsing confusion" of 2022: browsers and curl ignore a third slash. The redirect of Clearance is the same
/// construction.
#[test]
fn a_third_slash_is_ignored_by_some() {
    let found = seen("https:///www.google.com", "", &["node-url", "chromium", "libcurl", "crate:oxiri"]);
    assert_eq!(
        found,
        ["https www.google.com 443", "https www.google.com 443", "https www.google.com 443", "https  443"]
    );
    let found = seen("///evil.com", "http://www.victim.com/login", &["node-url", "urllib", "go-net-url"]);
    assert_eq!(found, ["http evil.com 80", "http www.victim.com 80", "http www.victim.com 80"]);
}

/// The same article: percent-encoded hosts are decoded by some parsers.
#[test]
fn an_encoded_host_is_decoded_by_some() {
    let found = seen("http://%67%6f%6f%67%6c%65%2e%63%6f%6d/", "", &["node-url", "libcurl", "urllib", "go-net-url"]);
    let encoded = "http %67%6f%6f%67%6c%65%2e%63%6f%6d 80";
    assert_eq!(found, ["http google.com 80", "http google.com 80", encoded, "rejected"]);
}

#[test]
fn disagreement_ends_with_exit_code_1() {
    let arguments = ["hosts", "--agree", "-e", "crate:url", "-e", "ref:rfc3986"];
    let same = with_input(&arguments, b"http://a/\n");
    ends(&same, 0, "http     a      80     crate:url ");
    ends(&with_input(&arguments, b"http://a/\nhttp://a\\@b\n"), 1, r"http://a\@b");
    ends(&with_input(&arguments, b"http://a/\xff\n"), 65, "standard input:1:");
    ends(&with_input(&arguments, b""), 69, "nothing was compared");
}

/// urllib's `hostname` ends at the first colon, and the port is not a number.
#[test]
fn recorded_versions_state_components() {
    let url = "http://ok.example:evil.test:80/";
    assert_eq!(seen(url, "", &["urllib@3.9.2"]), ["http ok.example -"]);
    let found = seen("http://a_b.example/", "", &["java-net-uri", "crate:url"]);
    assert_eq!(found, ["http - -", "http a_b.example 80"]);
}

/// Asserts that standard output contains `expected`, whose lines may be folded anywhere.
#[track_caller]
fn says(output: &std::process::Output, expected: &str) {
    let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(expected.trim_end()), "{text:?} does not contain {expected:?}");
}

/// Nobody has asked about this URL. It is not answered by splitting the text.
#[test]
fn engines_without_an_answer_do_not_agree() {
    let url = "http://nobody.asked.about:this@url/";
    ends(&with_input(&["hosts", "--agree", url, "-e", "pike", "-e", "gauche"], b""), 69, "gauche");
    ends(&with_input(&["hosts", "--agree", url, "-e", "pike", "-e", "crate:url"], b""), 69, "no answer");
    // Without a promise, it is only shown.
    ends(&with_input(&["hosts", url, "-e", "pike"], b""), 0, "no answer");
    // The steps of a version predict what it states, and that is marked.
    let predicted = with_input(&["hosts", "--agree", url, "-e", "urllib@3.9.2", "-e", "urllib@3.9.3"], b"");
    ends(&predicted, 0, "urllib 3.9.2*  urllib 3.9.3*");
    ends(&predicted, 0, "* not asked: the steps");
    let two = with_input(&["hosts", "//\n/ok.example", "-e", "urllib@3.9.1", "-e", "urllib@3.9.16"], b"");
    says(&two, "remove tabs and ends of lines everywhere (urllib 3.9.16");
    // An engine that only resolves states nothing, and is not a client.
    let resolver = ["hosts", "--agree", "http://ok.example/", "-e", "urllib", "-e", "feedparser"];
    ends(&with_input(&resolver, b""), 69, "(it only resolves)");
}

/// A check states one host, and the client connects to another. Only what was observed is an answer.
#[test]
fn a_check_and_a_client_have_two_hosts() {
    let agree = |url: &str| with_input(&["hosts", "--agree", url, "-e", "urllib", "-e", "requests"], b"");
    let output = agree(r"http://127.0.0.1:6666\@1.1.1.1");
    ends(&output, 1, "127.0.0.1   6666           requests 2.34.2");
    ends(&output, 1, "http     1.1.1.1   80     urllib");
    ends(&agree("http://ok.example"), 0, "Connects to:");
    // The steps of its source predict where it connects for a URL that no recording has.
    ends(&agree("http://nobody.asked.about:this@url/"), 0, "not predicted   requests 2.34.2*");
    let cause = "after two slashes, the part up to the next /, ?, # or backslash is the authority";
    says(&agree("http://evil.test\\@my.example/"), cause);
    let confused = ["confuse", "urllib", "requests", "--pairs", "-"];
    ends(&with_input(&confused, b"\thttp://evil.test\\@my.example/\n"), 1, "my.example/\"   (predicted)");
    let unknown = with_input(&["hosts", "--agree", "http://my.example:81/", "-e", "urllib", "-e", "erlang-httpc"], b"");
    ends(&unknown, 69, "erlang-httpc");
    let after =
        ["hosts", "--base", "http://u:p@ok.example/a/b", "//evil.test/c", "-e", "curl@7.88.1", "-e", "requests"];
    ends(&with_input(&after, b""), 0, "Goes to, after a redirect from the base:");
    // A redirect that no recording has.
    let after =
        ["hosts", "--base", "http://ok.example/a/zz", r"//evil.test\@ok.example/c", "-e", "urllib3", "-e", "curl"];
    ends(&with_input(&after, b""), 0, "What is the location's authority?");
}

/// Without a name, every client is listed that was seen to follow the redirect, and no library that only splits URLs.
#[test]
fn every_recorded_client_is_listed_after_a_redirect() {
    let after = ["hosts", "--format", "json", "--base", "http://ok.example/a/b", "///evil.test/c"];
    let hosts: Value = serde_json::from_slice(&with_input(&after, b"").stdout).expect("JSON");
    let connected = hosts[0]["connected"].as_array().expect("groups");
    let of = |host: &str| connected.iter().filter(|it| it["location"]["host"] == host).collect::<Vec<_>>();
    let names = |host: &str| format!("{:?}", of(host));
    for (host, name) in [("evil.test", "curl"), ("evil.test", "axios"), ("ok.example", "go-net-http")] {
        assert!(names(host).contains(&format!("{name:?}")), "{name} is missing in {hosts}");
    }
    assert!(!hosts.to_string().contains("python-ipaddress"), "it only splits URLs");
}

/// The bypass of a list of allowed hosts, by where the client really connects.
#[test]
fn confuse_compares_statements_with_connections() {
    let arguments = ["confuse", "urllib", "requests", "--allow", "bank.example", "--format", "urls"];
    ends(&with_input(&arguments, b""), 1, r"http://evil.test\@bank.example/");
    let output = with_input(&["confuse", "node-url", "curl@7.88.1"], b"");
    ends(&output, 1, "The fetcher sends credentials, and the checker states none:");
    ends(&with_input(&["confuse", "urllib", "requests", "--op", "follow"], b""), 64, "compare --op follow");
    ends(&with_input(&["compare", "requests", "curl@7.88.1", "--op", "follow"], b""), 1, "follow 400 redirects");
    ends(
        &with_input(&["compare", "requests", "urllib", "--op", "connect"], b""),
        69,
        "the question connect is not answered",
    );
}

/// Two notations of a name are one host. Two notations of an address are not, because a list of addresses would not find them.
#[test]
fn agreement_compares_hosts_in_one_notation() {
    let agree = |url: &str| with_input(&["hosts", "--agree", url, "-e", "crate:url", "-e", "ref:rfc3986"], b"");
    ends(&agree("http://f\u{fc}r.example/"), 0, "xn--fr-xka.example");
    ends(&agree("http://0177.1/"), 1, "127.0.0.1");
    // Characters that UTS #46 maps to others are not found in a list, either.
    ends(&agree("http://\u{24d4}vil.test/"), 1, "evil.test");
    ends(&agree("http://\u{17f}.test/"), 1, "s.test");
}

#[test]
fn control_characters_of_a_url_are_escaped() {
    let output =
        with_input(&["hosts", "-e", "crate:url", "-e", "ref:rfc3986"], "http://a\u{1b}[31m\u{202e}b/\n".as_bytes());
    ends(&output, 0, r"http://a\u{1b}[31m\u{202e}b/");
    assert!(!output.stdout.contains(&0x1b));
}

/// The pairs of the tests below: a backslash, slashes, and one without a difference.
const PAIRS: &[u8] = b"\thttp://a\\@b\nhttp://v/p\t///a\nhttp://v/p\t//a/b\n";

/// What one side did not answer is not equal.
#[test]
fn silence_is_not_agreement() {
    let url = b"\thttp://foo.bar\\@x.y/\n";
    let silent = ["confuse", "urllib", "erlang-httpc", "--pairs", "-"];
    ends(&with_input(&silent, url), 69, "not all was answered");
    ends(&with_input(&["confuse", "urllib", "erlang-httpc", "--deny", "10.1.2.3"], b""), 69, "not all was answered");
    // Two that answer nothing are not equal.
    ends(&with_input(&["confuse", "urllib3", "go-netip", "--op", "resolve"], b""), 69, "not all was answered");
    let compared = |with: &str| with_input(&["compare", "requests", with, "--op", "connect", "--pairs", "-"], url);
    ends(&compared("erlang-httpc"), 69, "not all was answered");
    // Where a client goes after a redirect is not where the result is.
    let equal = with_input(&["confuse", "urllib", "requests", "--pairs", "-"], b"http://foo.com/\thttp://a.test/\n");
    ends(&equal, 69, "not all was answered");
    // Each pair is asked its own question.
    let mixed = b"\thttp://evil.test\\@ok.example/\nhttp://a/\tb\n";
    let output = with_input(&["confuse", "urllib", "requests", "--pairs", "-"], mixed);
    ends(&output, 1, "connects to evil.test 80");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Pairs with a base"));
    let of_text = ["confuse", "urllib", "go-net-url", "--op", "parse", "--pairs", "-"];
    ends(&with_input(&of_text, b"http://foo.com/\t//evil.test/\n"), 64, "pairs with a base");
    ends(&with_input(&["compare", "urllib", "java-net-uri", "--op", "parse", "--pairs", "-"], url), 1, "");
    ends(&with_input(&["compare", "urllib", "yarl", "--op", "parse", "--pairs", "-"], b"http://a/\tb\n"), 64, "a base");
    ends(&with_input(&["engine", "diff", "wget@1.25.0", "wget@1.21.3", "--op", "resolve"], b""), 69, "wget");
}

fn confused(format: &str) -> String {
    let arguments = ["confuse", "ref:rfc3986", "ref:whatwg", "--pairs", "-", "--format", format];
    let output = with_input(&arguments, PAIRS);
    ends(&output, 1, "");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn each_witness_shows_its_cause() {
    let found: Value = serde_json::from_str(&confused("json")).expect("JSON");
    let causes = found["causes"].as_array().expect("causes");
    let names: Vec<_> = causes.iter().map(|it| it["cause"].as_str().expect("a name")).collect();
    // The pair without a base is asked what the text states, of which the cause is a backslash.
    assert_eq!(names, ["\\ @", "the reference's authority: special authority ignore slashes 1, authority 2 | 3.2"]);
    for cause in &causes[1..] {
        let text = |key: &str| cause[key].as_str().expect("text");
        let seen = seen(text("reference"), text("base"), &["ref:rfc3986", "ref:whatwg-2026-07"]);
        assert_ne!(seen[0], seen[1], "{cause}");
    }
    ends(
        &with_input(&["confuse", "ref:rfc3986", "ref:whatwg", "--pairs", "-"], PAIRS),
        1,
        "Both give a host, and these differ:",
    );
}

#[test]
fn engines_without_a_difference_end_with_exit_code_0() {
    let output = with_input(&["confuse", "ref:rfc3986", "ref:rfc3986", "--pairs", "-"], PAIRS);
    ends(&output, 0, "2 pairs: no difference; 0 causes");
    ends(&output, 0, "1 URL: no difference; 0 kinds");
}

#[test]
fn bad_lines_and_unknown_engines_are_reported() {
    ends(&with_input(&["confuse", "ref:rfc3986", "ref:whatwg", "--pairs", "-"], b"no tab\n"), 65, "standard input:1:");
    ends(&with_input(&["confuse", "ref:rfc3986", "nobody", "--pairs", "-"], PAIRS), 64, "nobody");
    ends(&with_input(&["hosts", "-e", "nobody"], b""), 64, "nobody");
}

#[test]
fn test_cases_have_the_form_of_their_language() {
    assert_eq!(confused("urls"), "http://a\\@b\n");
    assert!(confused("junit").contains(r#"Arguments.of("", "http://a\\@b", "http b 80", "http a 80")"#));
    assert!(confused("go").contains(r#"{"", "http://a\\@b", "http b 80", "http a 80"},"#));
    assert!(confused("vectors").contains(r#"reference: "http://a\\@b""#));
    let pytest = confused("pytest");
    assert!(pytest.contains(r#"("", "http://a\\@b", "http b 80", "http a 80"),"#), "{pytest}");
    let parsed = Command::new("python3").args(["-c", "import ast, sys; ast.parse(sys.argv[1])", &pytest]).status();
    match parsed {
        Ok(status) => assert!(status.success(), "{pytest}"),
        Err(error) => println!("the test for pytest was not parsed, because python3 does not start: {error}"),
    }
}

#[test]
fn vectors_of_confusing_inputs_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("confusing.yaml");
    std::fs::write(&path, confused("vectors")).expect("a file");
    let path = path.to_str().expect("a path");
    ends(&urlstrata(&["vectors", "lint", path]).output().expect("the command ends"), 0, "0 errors");
    ends(&urlstrata(&["run", path]).output().expect("the command ends"), 0, "");
}

/// The bypass of a list of allowed hosts: the checker states the allowed host, and the fetcher another one.
#[test]
fn bypasses_of_a_list_have_the_hosts_of_the_user() {
    let arguments = ["confuse", "urllib", "crate:url", "--allow", "bank.example", "--format", "urls"];
    let output = with_input(&arguments, b"");
    ends(&output, 1, r"http://evil.test\@bank.example/");
    let found = String::from_utf8(output.stdout).expect("text");
    assert!(found.lines().all(|url| url.contains("bank.example") && !url.contains("ok.example")), "{found}");
    // The checker is not fooled about a host that both state.
    let same = ["confuse", "crate:url", "crate:url", "--allow", "bank.example"];
    ends(&with_input(&same, b""), 0, "no bypass of the list; 0 kinds");
    ends(&with_input(&["confuse", "requests", "crate:url", "--allow", "a"], b""), 69, "requests does not answer parse");
    ends(&with_input(&["confuse", "urllib", "crate:url", "--deny", "a"], b""), 64, "invalid IPv4 address");
}

/// Every notation that the fetcher maps to the address is listed, not one of each kind.
#[test]
fn notations_of_a_forbidden_address_are_listed() {
    let arguments = ["confuse", "ref:rfc3986", "crate:url", "--deny", "10.8.0.1", "--format", "urls"];
    let output = with_input(&arguments, b"");
    for url in ["http://012.8.1/", "http://168296449/", "http://0xa080001/", "http://10%2e8%2e0%2e1/"] {
        ends(&output, 1, url);
    }
    // RFC 3986 and the URL Standard state the same text for the usual notation.
    let found = String::from_utf8(output.stdout).expect("text");
    assert!(!found.lines().any(|url| url == "http://10.8.0.1/"), "{found}");
}

/// An exported test fails for a check that trusts the text, and passes for one that rejects what the two do not agree on.
#[test]
fn an_exported_test_fails_for_a_naive_check() {
    let arguments = ["confuse", "urllib", "crate:url", "--allow", "bank.example", "--format", "pytest"];
    let exported = with_input(&arguments, b"").stdout;
    let exported = String::from_utf8(exported).expect("text");
    let cases = exported.split("\n\n\n").next().expect("cases").replace("import pytest\n", "");
    let run = |check: &str| {
        let program = format!(
            "{cases}\nfrom urllib.parse import urlsplit\n{check}\n\
             import sys; sys.exit(sum(is_allowed(base, url) for base, url, _, _ in CASES))"
        );
        Command::new("python3").args(["-c", &program]).status()
    };
    let naive = run("def is_allowed(base, url): return urlsplit(url).hostname == 'bank.example'");
    // All read alike a host of letters and dots that a slash or the end follows.
    let strict = run(
        "import re\ndef is_allowed(base, url): return re.fullmatch('http://bank[.]example(/[a-z/]*)?', url) is not None",
    );
    match (naive, strict) {
        (Ok(naive), Ok(strict)) => {
            assert!(!naive.success(), "{cases}");
            assert!(strict.success(), "{cases}");
        }
        _ => println!("the exported test was not run, because python3 does not start"),
    }
}

/// A test without cases would pass whatever the check does.
#[test]
fn an_exported_test_without_cases_says_so() {
    for (format, sentence) in
        [("go", "t.Skip(\"no URL with two hosts was found\")"), ("pytest", "# No case: "), ("junit", "// No case: ")]
    {
        let output =
            with_input(&["confuse", "crate:url", "crate:url", "--allow", "bank.example", "--format", format], b"");
        says(&output, sentence);
        assert!(String::from_utf8_lossy(&output.stderr).contains("the test has no case"), "{output:?}");
    }
}

#[test]
fn two_versions_are_compared_by_what_they_state() {
    let diff = ["engine", "diff", "urllib@3.11.2", "urllib@3.11.7", "--op", "parse"];
    ends(&with_input(&diff, b""), 1, "state components of ");
    let json = with_input(&["compare", "crate:url", "crate:oxiri", "--op", "parse", "--format", "json"], b"");
    let found: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(found["kinds"][0]["part"], "host", "{found}");
    let silent = ["compare", "requests", "crate:url", "--op", "parse"];
    ends(&with_input(&silent, b""), 69, "requests: the question parse is not answered or recorded");
    ends(&with_input(&["compare", "crate:url", "rfc3986", "--op", "parse"], b""), 64, "not a specification");
}

/// A library that only splits URLs is an engine. It answers `hosts`, and resolves nothing.
#[test]
fn a_library_that_only_splits_urls_is_an_engine() {
    assert_eq!(
        seen(r"http://evil.test\@ok.example/", "", &["php-parse-url", "urllib3"]),
        ["http ok.example 80", "http evil.test 80"]
    );
    let resolved = ["hosts", "--agree", "--base", "http://a/", "b", "-e", "php-parse-url"];
    ends(&with_input(&resolved, b""), 69, "no answer");
    ends(
        &with_input(&["explain", "b", "--base", "http://a/", "-e", "urllib3"], b""),
        0,
        "it does not resolve references",
    );
    ends(&with_input(&["hosts", "a:", "-e", "live:nobody"], b""), 64, "no engine is called");
}

/// The inputs of `--pairs` are those of the file, whatever is asked about them.
#[test]
fn given_pairs_are_the_only_inputs() {
    let pairs = [
        ("http://a/b/c/d", r"//evil.test\@ok.example/"),
        ("http://a/", "http://x.test:80:81/"),
        ("", r"http://ok.example\@evil.test/"),
        ("", "http://0x7f.1/"),
        ("http://a/b", "g"),
    ];
    let file: String = pairs.iter().map(|(base, reference)| format!("{base}\t{reference}\n")).collect();
    let mut shown = 0;
    for [checker, fetcher] in
        [["urllib", "requests"], ["urllib", "libcurl"], ["urllib", "chromium"], ["go-net-url", "crate:url"]]
    {
        for extra in [&[][..], &["--op", "resolve"]] {
            let arguments = [&["confuse", checker, fetcher, "--pairs", "-", "--format", "json"], extra].concat();
            let output = with_input(&arguments, file.as_bytes());
            let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            for cause in found["causes"].as_array().expect("a list") {
                let text = |key: &str| cause[key].as_str().unwrap_or_default();
                assert!(pairs.contains(&(text("base"), text("reference"))), "{checker} and {fetcher}: {cause}");
                shown += 1;
            }
            let text = with_input(&[&["confuse", checker, fetcher, "--pairs", "-"], extra].concat(), file.as_bytes());
            let text = String::from_utf8(text.stdout).expect("text");
            // What differs was answered.
            let counts_silence =
                |line: &str| line.split("not answered by").nth(1).is_some_and(|rest| rest.contains(": 1"));
            assert!(!text.lines().any(counts_silence), "{text}");
        }
    }
    assert!(shown > 8, "{shown}");
}

/// The engine that did not answer is named.
#[test]
fn pairs_without_an_answer_name_the_engine() {
    for ([checker, fetcher], named) in [
        (["urllib", "pike"], "2 URLs, 2 not answered by pike 8"),
        (["pike", "urllib"], "2 URLs, 2 not answered by pike 8"),
        (["nginx", "pike"], "(2) or pike 8"),
    ] {
        let given = b"\thttp://q.test:1:2/\n\thttp://zz@y.test/\n";
        let output = with_input(&["confuse", checker, fetcher, "--pairs", "-"], given);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(named), "{text}");
    }
}

/// Without a list of hosts, too, an exported test fails for a check that trusts the name in the text.
#[test]
fn an_exported_test_without_a_list_has_a_name_that_a_list_can_contain() {
    for [checker, fetcher] in
        [["urllib", "requests"], ["urllib", "chromium"], ["urllib", "crate:url"], ["java-net-url", "libcurl"]]
    {
        let output = with_input(&["confuse", checker, fetcher, "--format", "pytest"], b"");
        let exported = String::from_utf8(output.stdout).expect("text");
        let cases: Vec<Vec<&str>> = exported
            .lines()
            .filter(|line| line.starts_with("    (\""))
            .map(|line| line.split("\", \"").map(|cell| cell.trim_matches(['(', ')', '"', ',', ' '])).collect())
            .collect();
        let host = |cell: &str| cell.split(' ').find(|part| part.contains('.')).unwrap_or_default().to_owned();
        let is_bypass = |case: &&Vec<&str>| {
            let [.., checked, fetched] = case.as_slice() else { return false };
            host(checked).ends_with(".example") && host(checked) != host(fetched) && !host(fetched).is_empty()
        };
        assert!(cases.iter().any(|case| is_bypass(&case)), "{checker} and {fetcher}: {exported}");
        assert!(exported.contains("`--allow HOST`"), "{exported}");
    }
}

/// Where the behaviour of an engine without steps predicts a result, it is said how well it predicts others like it, and what it does not
/// state.
#[test]
fn predictions_of_behaviours_say_how_good_they_are() {
    let hosts = |arguments: &[&str]| with_input(&[&["hosts"], arguments].concat(), b"");
    let never = "its behaviour was measured on no base with the scheme zz (it predicts ";
    says(&hosts(&["//b/c", "--base", "zz://h/a", "-e", "gauche"]), never);
    let unstated = "not stated by its behaviour, so that the predicted result may be wrong: rdf4j ";
    says(&hosts(&["//b/.", "--base", "http://h/a/b", "-e", "rdf4j"]), unstated);
    let pairs = b"zz://h/a\t//b/../c\n";
    let counted = ": 1 pair is not recorded, and its behaviour predicts the results; \
                   no behaviour was measured on a base with the scheme zz\n";
    for command in [&["run", "-e", "gauche"][..], &["compare", "gauche", "rfc3986"]] {
        ends(&with_input(&[command, &["--pairs", "-"]].concat(), pairs), 0, counted);
    }
    for command in [&["run", "-e", "urllib"][..], &["compare", "urllib", "rfc3986"]] {
        let output = with_input(&[command, &["--pairs", "-"]].concat(), pairs);
        assert!(!String::from_utf8_lossy(&output.stdout).contains("not recorded"), "{output:?}");
    }
    // A cause that is not known is not one.
    let indirect = with_input(&["compare", "gauche", "jena", "--pairs", "-"], b"jar:x!/\t//b:x\n");
    ends(&indirect, 1, "1 × accepted or rejected: not known\n");
    ends(&indirect, 1, "1 different, 1 of them without a cause\n");
}

/// A version that cannot be recorded or installed is answered by its steps, and a version without them is not.
#[test]
fn a_version_that_cannot_be_recorded_is_answered_by_its_steps() {
    for name in ["uri-js-iri", "uri-js-iri@4.4.1"] {
        let found = with_input(&["explain", "x", "--base", "http://a/b", "-e", name], b"");
        ends(&found, 0, "\n  http://a/x");
        assert!(String::from_utf8_lossy(&found.stdout).contains("uri-js-iri "), "{name}");
    }
    let unknown = with_input(&["explain", "x", "--base", "http://a/b", "-e", "uri-js-iri@3.0.2"], b"");
    ends(&unknown, 64, "uri-js-iri@3.0.2 is not known: the steps of uri-js-iri are those of ");
}

/// A kind of URL that leads from one of its hosts to the other one is the first of all, and no kind with fewer characters hides it, which
/// leads to a third host.
#[test]
fn a_url_that_leads_to_its_other_host_is_not_hidden() {
    for (checker, fetcher) in [("urllib3", "aiohttp@3.13.2"), ("urllib3", "wget"), ("node-url", "httpx")] {
        let found = with_input(&["confuse", checker, fetcher], b"");
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        let first: Vec<&str> = text.lines().take(10).collect();
        assert!(first.iter().any(|line| line.contains(r"evil.test\@ok.example")), "{checker}, {fetcher}: {first:#?}");
    }
    let allowed = ["confuse", "urllib3", "httpx", "--allow", "good.example", "--format", "urls"];
    ends(&with_input(&allowed, b""), 1, "http://good.example\\@evil.test/\n");
}

#[test]
fn characters_shows_what_engines_do_with_characters_in_hosts() {
    let asked = ["characters", "-e", "libcurl", "-e", "node-url", r"\", "U+3002"];
    ends(&with_input(&asked, b""), 1, r"http://a\b.example/: - | a");
    ends(&with_input(&["characters", "-e", "urllib", "-e", "urllib3", "a"], b""), 0, "kept | kept");
    ends(&with_input(&["characters", "-e", "nginx", "a"], b""), 69, "states no components");
    let json = with_input(&["characters", "-e", "urllib", "--format", "json", "%2f"], b"");
    let found: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(found["groups"][1]["hosts"], json!(["a%2fb.example"]));
}

/// The steps of a client end where it does not connect: it may reject the URL, or receive a response without a connection.
#[test]
fn a_client_that_is_predicted_not_to_connect_is_not_said_to_reject() {
    ends(&with_input(&["hosts", "data:,urlstrata", "-e", "lwp"], b""), 0, "no connection");
}
