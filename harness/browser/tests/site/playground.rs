//! The playground: its answers are those of the command, and bad input is shown.

use std::fs;
use std::io::Read;
use std::thread;
use std::time::Duration;

use base64::Engine;
use serde_json::{Value, json};
use urlstrata_model::pairs::generate::RandomPairs;

use super::browser::{Browser, has_browser};
use super::{SITE, repository, urlstrata};

/// The page with a pair and an engine.
pub(super) const PAGE: &str = "playground.html#base=http%3A%2F%2Fa%2Fb&reference=%2F%2F%2Fh&engine=urllib";

/// Returns whether the playground can be tested, and prints what is left out otherwise.
fn is_testable(what: &str) -> bool {
    if !SITE.contains_key("playground.wasm.js") {
        println!("{what}: left out, because the playground is not built");
        return false;
    }
    has_browser(what)
}

/// Returns the JSON output of `explain` with these arguments, without what was observed: the module contains no recordings.
fn command(arguments: &[&str]) -> Value {
    let output = urlstrata().args(["explain", "--format", "json"]).args(arguments).output().expect("the command runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let mut printed = as_in_scripts(serde_json::from_slice(&output.stdout).expect("JSON"));
    let explanations = match &mut printed {
        Value::Array(all) => all.iter_mut().collect(),
        one => vec![one],
    };
    for fields in explanations.into_iter().filter_map(Value::as_object_mut) {
        fields.retain(|name, _| !["stated", "connected", "followed"].contains(&name.as_str()));
    }
    printed
}

/// Replaces numbers without a fraction by integers, because scripts do not tell them apart.
fn as_in_scripts(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(as_in_scripts).collect(),
        Value::Object(values) => values.into_iter().map(|(key, value)| (key, as_in_scripts(value))).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 => json!(float as i64),
            _ => Value::Number(number),
        },
        other => other,
    }
}

/// Returns the answers of the playground's module to `requests`, asked in the page.
fn answers(browser: &Browser, requests: &[Value]) -> Vec<Value> {
    let ask = "const [requests, done] = arguments;
        Promise.all(requests.map((request) => explain(request))).then(done, (error) => done(String(error)));";
    match browser.session.execute_async(ask, &[json!(requests)]) {
        Value::Array(answers) => answers,
        other => panic!("{other}"),
    }
}

/// Compares the playground with the command on `count` random pairs.
fn compare(count: usize) {
    let browser = Browser::start(1280, false);
    browser.open("playground.html");
    let mut random = RandomPairs::new(20);
    // Lines of pairs cannot contain these characters.
    let is_line = |(base, reference): &(String, String)| !format!("{base}{reference}").contains(['\t', '\n', '\r']);
    let pairs: Vec<_> = std::iter::repeat_with(|| random.pair()).filter(is_line).take(count).collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    for chunk in pairs.chunks(200) {
        let lines: String = chunk.iter().map(|(base, reference)| format!("{base}\t{reference}\n")).collect();
        fs::write(file.path(), lines).expect("a file");
        let expected = command(&["--predicted", "--pairs", &file.path().to_string_lossy()]);
        let expected = expected.as_array().expect("an array");
        let request = |(base, reference): &(String, String)| json!({"base": base, "reference": reference});
        let found = answers(&browser, &chunk.iter().map(request).collect::<Vec<_>>());
        assert_eq!(found.len(), expected.len());
        for ((pair, found), expected) in chunk.iter().zip(&found).zip(expected) {
            assert_eq!(found, expected, "{pair:?}");
        }
    }
}

#[test]
fn what_the_build_needs_is_reported_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    for (start, sentence) in [
        (&repository().to_owned(), "`rustup target add wasm32-unknown-unknown` installs it"),
        (&folder.path().to_owned(), "run this in a clone of the repository of urlstrata, or leave out --playground"),
    ] {
        let mut command = urlstrata();
        command.current_dir(start).env("RUSTC", "false").args(["report", "--playground", "--html"]).arg(folder.path());
        let ended = command.output().expect("the command runs");
        assert_eq!(ended.status.code(), Some(64));
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(message.contains(sentence), "{message}");
    }
}

#[test]
fn the_module_contains_no_paths_of_this_machine() {
    let Some(script) = SITE.get("playground.wasm.js") else {
        println!("paths in the module: left out, because the playground is not built");
        return;
    };
    let packed = script.split('"').nth(1).expect("the module as text");
    let packed = base64::prelude::BASE64_STANDARD.decode(packed).expect("base64");
    let mut module = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut module).expect("gzip");
    assert!(module.starts_with(b"\0asm"));
    for folder in
        [Some(repository().to_owned()), std::env::home_dir().map(|home| home.join(".cargo"))].into_iter().flatten()
    {
        let folder = folder.to_string_lossy().into_owned();
        let is_named = module.windows(folder.len()).any(|window| window == folder.as_bytes());
        assert!(!is_named || folder.contains(' '), "{folder}");
    }
}

#[test]
fn answers_are_those_of_the_command_on_200_pairs() {
    if is_testable("answers of the playground") {
        compare(200);
    }
}

/// The same as the test before on more pairs. It takes five minutes, and `cargo test --test site -- --ignored` runs it.
#[test]
#[ignore = "takes five minutes; the test of 200 pairs always runs"]
fn answers_are_those_of_the_command_on_10_000_pairs() {
    if is_testable("answers of the playground") {
        compare(10_000);
    }
}

#[test]
fn causes_and_bug_reports_are_those_of_the_command() {
    if !is_testable("causes of the playground") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open("playground.html");
    for (base, reference, engines) in [
        ("http://www.victim.com/login", "///evil.com", &["urllib"][..]),
        ("http://a/b/c/d;p?q", "../../../g", &["crate:url"]),
        ("", "http://127.0.0.1:6666\\@1.1.1.1", &["go-net-url", "libcurl", "ruby-uri"]),
        ("http://a/\u{202e}b", "x\ty\0", &["node-url"]),
    ] {
        let names = engines.iter().map(|name| match name.starts_with("crate:") {
            true => (*name).to_owned(),
            false => format!("predicted:{name}"),
        });
        let names: Vec<_> = names.collect();
        // A NUL cannot be an argument of a program.
        let reference = reference.trim_end_matches('\0');
        let mut arguments = vec!["--trace", "--base", base, reference];
        arguments.extend(names.iter().flat_map(|name| ["-e", name]));
        let request = json!({"base": base, "reference": reference, "engines": engines, "trace": true});
        assert_eq!(answers(&browser, &[request])[0], command(&arguments), "{reference} {engines:?}");
    }
}

/// Puts values into the form, as a user does, and waits for the end of the computation.
fn enter(browser: &Browser, base: &str, reference: &str) -> String {
    let script = "const [base, reference] = arguments;
        const form = document.getElementById('pair');
        form.elements.base.value = base;
        form.elements.reference.value = reference;
        form.querySelector('output').textContent = '';
        form.dispatchEvent(new Event('input'));";
    browser.session.execute(script, &[json!(base), json!(reference)]);
    for _ in 0..300 {
        let message = browser.run("return document.querySelector('#pair output').textContent");
        let message = message.as_str().unwrap_or_default();
        if !message.is_empty() && message != "Loading…" {
            return message.to_owned();
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("no message");
}

#[test]
fn confusing_input_is_shown_and_not_executed() {
    if !is_testable("bad input of the playground") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open("playground.html");
    let message = enter(&browser, "http://a/", "</script><script>alert(1)</script><img src=x onerror=alert(2)>");
    assert!(message.starts_with("Explained in "), "{message}");
    let created = "return document.querySelectorAll('#results script, #results img').length";
    assert_eq!(browser.run(created), json!(0));
    let message = enter(&browser, "http://a/\u{202e}\u{0}", "\u{7f}\u{feff}x\u{fff9}");
    assert!(message.starts_with("Explained in "), "{message}");
    let text = browser.run("return document.getElementById('results').textContent");
    let invisible = text.as_str().unwrap_or_default().chars().find(|it| urlstrata_outcome::escape::is_invisible(*it));
    assert_eq!(invisible, None, "{text}");
    let message = enter(&browser, "http://a/", &"x".repeat(100_000));
    assert_eq!(
        message,
        "Not explained: the reference has 100000 bytes, and at most 20000 are read here: the command `urlstrata explain` has \
         no limit."
    );
    assert!(enter(&browser, "http://a/", "b").starts_with("Explained in "));
    assert_eq!(browser.session.log(), json!([]));
    browser.open("playground.html#reference=%zz%ff");
    assert_eq!(browser.run("return document.getElementById('link').hidden"), json!(false));
    browser.open("playground.html#reference=%2Fx");
    assert_eq!(browser.run("return document.getElementById('link').hidden"), json!(true));
}

#[test]
fn a_failed_computation_is_reported_and_the_next_one_works() {
    if !is_testable("failures of the playground") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open("playground.html");
    // The worker fails on a request that is not JSON.
    browser.run(
        "globalThis.Worker = class extends Worker {
            postMessage(data) {
                super.postMessage(data.request.reference === 'fail' ? {...data, request: 1n} : data);
            }
        };",
    );
    let message = enter(&browser, "http://a/", "fail");
    assert!(message.starts_with("The computation of this pair stopped (TypeError"), "{message}");
    let message = enter(&browser, "http://a/", "b");
    assert!(message.starts_with("Explained in "), "{message}");
}

#[test]
fn an_engine_with_steps_is_shown_with_its_slots() {
    if !is_testable("slots of the playground") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open(PAGE);
    browser.session.wait_for("#engine details table");
    let text = browser.run("return document.getElementById('engine').textContent");
    let text = text.as_str().unwrap_or_default();
    for part in ["Slots of ", "the reference's authority", "urljoin: netloc", "returns"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("No cause is known"), "{text}");
    assert!(!browser.run("return document.getElementById('results').textContent").to_string().contains("(?%)"));
}

#[test]
fn examples_and_engines_are_links_to_explanations() {
    if !is_testable("links of the playground") {
        return;
    }
    let browser = Browser::start(1280, false);
    browser.open(PAGE);
    let engine = "[data-engine=go-net-url]";
    let found = browser.run(&format!("document.querySelector('#results {engine}').click(); return location.hash"));
    assert!(found.as_str().is_some_and(|it| it.contains("engine=go-net-url")), "{found}");
    let first = "return document.querySelector('main p a[href^=\"#\"]').getAttribute('href')";
    let example = browser.run(first);
    browser.open(&format!("playground.html{}", example.as_str().unwrap_or_default()));
    let text = browser.run("return document.getElementById('results').textContent");
    assert!(text.as_str().is_some_and(|it| it.contains("http://evil.com/")), "{text}");
    // Without an engine, the steps of the specifications follow.
    browser.session.wait_for("#engine details table");
    let text = browser.run("return document.getElementById('engine').textContent");
    assert!(text.as_str().is_some_and(|it| it.starts_with("StepsSteps of ")), "{text}");
}
