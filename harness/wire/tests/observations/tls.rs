//! What is observed of a client that uses TLS. The client is the program `openssl`, or sends bytes of its own.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::observed::{WITHOUT_OPENSSL, failure, observed, parts};
use crate::{connect, follow};

/// Returns the answers to `requests` as [`observed`] does; `None` also where `openssl` is not found, which is printed.
fn observed_in_tls(mode: &str, requests: &[Value]) -> Option<Vec<Value>> {
    let found = Command::new("openssl").arg("version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("left out: the program openssl is not found");
        return None;
    }
    observed(mode, requests)
}

pub(crate) fn requests_in_tls_are_seen() {
    let asked =
        [connect("https://Ok.example:8443/a?b"), connect("https://u:p@ok.example/c"), connect("https://[::1]/")];
    let Some(answers) = observed_in_tls("plain", &asked) else { return };
    // Connections of the program that completes TLS would be seen, too.
    let seen = json!({
        "host": "Ok.example", "port": "8443", "tls": "Ok.example", "field": "Ok.example:8443", "target": "/a?b"
    });
    assert_eq!(parts(&answers[0]), seen);
    let seen = json!({
        "host": "ok.example", "port": "443", "tls": "ok.example", "field": "ok.example", "target": "/c", "credentials": "u:p"
    });
    assert_eq!(parts(&answers[1]), seen);
    assert_eq!((&parts(&answers[2])["host"], &parts(&answers[2])["target"]), (&json!("[::1]"), &json!("/")));
}

pub(crate) fn redirects_in_tls_are_followed() {
    let asked = [
        follow("https://u:p@ok.example/a", "https://evil.test:8443/c"),
        follow("https://u:p@ok.example/a", "http://evil.test/d"),
        follow("http://ok.example/a", "https://u:p@evil.test/e"),
        follow("https://ok.example/a", &format!("http://evil.test/{}", "f".repeat(60_000))),
        follow("https://ok.example/a", "/c"),
    ];
    let Some(answers) = observed_in_tls("plain", &asked) else { return };
    let https =
        json!({"host": "evil.test", "port": "8443", "tls": "evil.test", "field": "evil.test:8443", "target": "/c"});
    assert_eq!(parts(&answers[0]), https);
    assert_eq!(parts(&answers[1]), json!({"host": "evil.test", "port": "80", "field": "evil.test", "target": "/d"}));
    assert_eq!(parts(&answers[2])["credentials"], "u:p");
    assert_eq!(parts(&answers[3])["target"].as_str().map(str::len), Some(60_001));
    assert_eq!(parts(&answers[4]), json!({"unseen": "response"}));
}

pub(crate) fn each_connection_has_a_session_of_its_own() {
    let asked = [connect("https://ok.example/"), connect("https://ok.example/a")];
    let Some(answers) = observed_in_tls("resumes", &asked) else { return };
    let seen = json!({"host": "ok.example", "port": "443", "tls": "ok.example", "field": "ok.example", "target": "/a"});
    assert_eq!(parts(&answers[1]), seen);
}

pub(crate) fn a_client_that_sends_and_closes_is_seen() {
    let Some(answers) = observed_in_tls("closes", &[connect("https://ok.example/a")]) else { return };
    assert_eq!(parts(&answers[0])["target"], "/a");
}

pub(crate) fn a_handshake_that_fails_leaves_the_name() {
    let seen = json!({"host": "ok.example", "port": "80", "tls": "name.test"});
    for mode in ["tls", "tls and noise", "tls and silence", "tls and close", "tls and http"] {
        let Some(answers) = observed(mode, &vec![connect("http://ok.example/"); 2]) else { return };
        for answer in answers {
            assert_eq!(parts(&answer), seen, "{mode}");
        }
    }
}

/// More of them than servers, and than connections that are kept.
pub(crate) fn many_connections_with_tls_are_bounded() {
    let Some(answers) = observed_in_tls("many tls", &vec![connect("https://ok.example/"); 2]) else { return };
    for answer in &answers {
        let seen = parts(answer);
        assert_eq!((&seen["host"], &seen["tls"]), (&json!("ok.example"), &json!("name.test")), "{answer}");
    }
    let started = Instant::now();
    let asked = [connect("https://idle.test/"), connect("https://ok.example/a")];
    let Some(answers) = observed_in_tls("idle tls", &asked) else { return };
    assert_eq!(parts(&answers[1])["target"], "/a");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

pub(crate) fn without_openssl_the_name_is_seen() {
    let asked =
        [connect("https://ok.example/"), follow("https://ok.example/", "/c"), follow("http://ok.example/", "/c")];
    let Some(answers) = observed(WITHOUT_OPENSSL, &asked) else { return };
    assert_eq!(parts(&answers[0]), json!({"host": "ok.example", "port": "443", "tls": "name.test"}));
    assert_eq!(answers[1]["skipped"], "TLS is not completed: the program openssl is not found", "{}", answers[1]);
    assert_eq!(parts(&answers[2]), json!({"unseen": "response"}));
}

pub(crate) fn a_client_that_ends_does_not_end_the_server() {
    let asked = [connect("http://crash.test/"), connect("https://ok.example/a"), connect("https://crash.test/")];
    let Some(answers) = observed_in_tls("plain", &asked) else { return };
    assert_eq!(answers[0]["crash"], "the client ended, exit status: 3");
    assert_eq!(parts(&answers[1])["target"], "/a");
    let Some(answers) = observed_in_tls("plain", &[connect("foo://ok.example/")]) else { return };
    assert_eq!(failure(&answers[0]), "not a URL");
}
