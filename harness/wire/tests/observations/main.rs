//! What is observed of a client is what it does, whatever that is, and nothing of it leaves the namespace.

use std::net::TcpListener;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};

mod client;
mod observed;
mod read;
mod tls;

use observed::{failure, observed, parts};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [_, client::FLAG, mode] => return client::main(mode),
        [_, observed::FLAG, mode] => return observed::main(mode),
        _ => {}
    }
    let tests: &[(&str, fn())] = &[
        ("the host, the port and the request are seen", the_host_the_port_and_the_request_are_seen),
        ("a name is seen as it is asked for", a_name_is_seen_as_it_is_asked_for),
        ("an IPv4 address is reached by sockets for IPv6", an_ipv4_address_is_reached_by_sockets_for_ipv6),
        ("a redirect is followed to where the client goes", a_redirect_is_followed_to_where_the_client_goes),
        ("a client that does not follow is distinguished", a_client_that_does_not_follow_is_distinguished),
        ("the name in TLS is seen", the_name_in_tls_is_seen),
        ("requests in TLS are seen", tls::requests_in_tls_are_seen),
        ("redirects in TLS are followed", tls::redirects_in_tls_are_followed),
        ("each connection has a session of its own", tls::each_connection_has_a_session_of_its_own),
        ("a client that sends and closes is seen", tls::a_client_that_sends_and_closes_is_seen),
        ("a handshake that fails leaves the name", tls::a_handshake_that_fails_leaves_the_name),
        ("many connections with TLS are bounded", tls::many_connections_with_tls_are_bounded),
        ("without openssl the name is seen", tls::without_openssl_the_name_is_seen),
        ("a client that ends does not end the server", tls::a_client_that_ends_does_not_end_the_server),
        ("a port that no digits name is listened to", a_port_that_no_digits_name_is_listened_to),
        ("a name that is asked without a connection is seen", a_name_that_is_asked_without_a_connection_is_seen),
        ("a client that has its own name server is observed", a_client_that_has_its_own_name_server_is_observed),
        ("a failure without a connection is a failure", a_failure_without_a_connection_is_a_failure),
        ("a client that crashes is started again", a_client_that_crashes_is_started_again),
        ("a client that hangs is started again", a_client_that_hangs_is_started_again),
        ("children of a client do not stop the observer", children_of_a_client_do_not_stop_the_observer),
        ("a client that goes on is started again", a_client_that_goes_on_is_started_again),
        ("a client that does not read is started again", a_client_that_does_not_read_is_started_again),
        ("a client that writes without end is started again", a_client_that_writes_without_end_is_started_again),
        ("a request that is sent late is seen", a_request_that_is_sent_late_is_seen),
        ("idle connections do not hide the next request", idle_connections_do_not_hide_the_next_request),
        ("many connections and names are bounded", many_connections_and_names_are_bounded),
        ("a client that sends noise is observed", a_client_that_sends_noise_is_observed),
        ("a client that is not seen to connect is refused", a_client_that_is_not_seen_to_connect_is_refused),
        ("no packet leaves the namespace", no_packet_leaves_the_namespace),
        ("proxies of the environment are not used", proxies_of_the_environment_are_not_used),
        ("two clients are observed at once", two_clients_are_observed_at_once),
        ("a location with a line break cannot be sent", a_location_with_a_line_break_cannot_be_sent),
        ("messages are read as their specifications define", read::messages_are_read_as_their_specifications_define),
        ("no bytes lead to a panic", read::no_bytes_lead_to_a_panic),
    ];
    let trials = tests.iter().map(|(name, test)| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn connect(url: &str) -> Value {
    json!({"op": "connect", "url": url})
}

fn follow(base: &str, location: &str) -> Value {
    json!({"op": "follow", "base": base, "location": location})
}

fn the_host_the_port_and_the_request_are_seen() {
    let asked = [connect("http://Ok.example:8081/a?b"), connect("http://[::1]/"), connect("http://10.1.2.3/")];
    let Some(answers) = observed("plain", &asked) else { return };
    let seen = json!({"host": "Ok.example", "port": "8081", "field": "Ok.example:8081", "target": "/a?b"});
    assert_eq!(parts(&answers[0]), seen);
    assert_eq!(parts(&answers[1])["host"], "[::1]");
    assert_eq!(parts(&answers[2])["host"], "10.1.2.3");
}

/// What earlier requests asked for does not matter. A name of numbers is not an address.
fn a_name_is_seen_as_it_is_asked_for() {
    let hosts = ["Ok.example", "oK.EXAMPLE", "10.1.2.3", "10.1.2.3.", "ok.example."];
    let asked: Vec<Value> = hosts.iter().map(|host| connect(&format!("http://{host}/"))).collect();
    let Some(answers) = observed("plain", &asked) else { return };
    let seen: Vec<Value> = answers.iter().map(|answer| parts(answer)["host"].clone()).collect();
    assert_eq!(seen, ["Ok.example", "oK.EXAMPLE", "10.1.2.3", "10.1.2.3.", "ok.example"]);
    assert!(answers.iter().all(|answer| parts(answer)["names"].is_null()), "{answers:?}");
}

/// A client that cannot connect to such an address restricts its sockets to IPv6.
fn an_ipv4_address_is_reached_by_sockets_for_ipv6() {
    let Some(answers) = observed("plain", &[connect("http://[::ffff:10.1.2.3]/")]) else { return };
    assert_eq!(parts(&answers[0])["host"], "10.1.2.3");
}

fn a_redirect_is_followed_to_where_the_client_goes() {
    let Some(answers) = observed("plain", &[follow("http://ok.example/a", "http://evil.test:8082/c")]) else { return };
    let seen = json!({"host": "evil.test", "port": "8082", "field": "evil.test:8082", "target": "/c"});
    assert_eq!(parts(&answers[0]), seen);
}

fn a_client_that_does_not_follow_is_distinguished() {
    let asked = [follow("http://ok.example/a", "/c"), follow("http://[/", "/c")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(parts(&answers[0]), json!({"unseen": "response"}));
    assert!(failure(&answers[1]).starts_with("the base was not requested: "), "{}", answers[1]);
}

fn the_name_in_tls_is_seen() {
    let Some(answers) = observed("tls", &[connect("http://ok.example/")]) else { return };
    assert_eq!(parts(&answers[0]), json!({"host": "ok.example", "port": "80", "tls": "name.test"}));
}

fn a_port_that_no_digits_name_is_listened_to() {
    let Some(answers) = observed("wide port", &[connect("http://ok.example/")]) else { return };
    assert_eq!(parts(&answers[0])["port"], "9999");
    assert_eq!(parts(&answers[0])["target"], "/");
}

fn a_name_that_is_asked_without_a_connection_is_seen() {
    let Some(answers) = observed("asks", &[connect("http://ok.example/")]) else { return };
    assert_eq!(parts(&answers[0]), json!({"names": "ok.example"}));
}

/// Every address is that of the observer's name server, too.
fn a_client_that_has_its_own_name_server_is_observed() {
    let Some(answers) = observed("own resolver", &[connect("http://ok.example/")]) else { return };
    assert_eq!(parts(&answers[0]), json!({"host": "ok.example", "port": "80", "target": "/"}));
}

fn a_failure_without_a_connection_is_a_failure() {
    let Some(answers) = observed("plain", &[connect("foo://ok.example/")]) else { return };
    assert_eq!(failure(&answers[0]), "not a URL");
}

fn a_client_that_crashes_is_started_again() {
    let asked = [connect("http://crash.test/"), connect("http://ok.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(answers[0]["crash"], "the client ended, exit status: 3");
    assert_eq!(parts(&answers[1])["host"], "ok.example");
}

fn a_client_that_hangs_is_started_again() {
    let asked = [connect("http://hang.test/"), connect("http://ok.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(answers[0]["timeout"], "the client did not answer");
    assert_eq!(parts(&answers[1])["host"], "ok.example");
}

fn children_of_a_client_do_not_stop_the_observer() {
    let asked = [connect("http://fork.test/"), connect("http://crash.test/"), connect("http://ok.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(parts(&answers[0])["host"], "fork.test");
    assert_eq!(parts(&answers[2])["host"], "ok.example");
}

/// What it does after its answer is not taken for the next request.
fn a_client_that_goes_on_is_started_again() {
    let asked = [connect("http://restless.test/"), connect("http://ok.example/"), connect("http://other.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    for (answer, host) in answers[1..].iter().zip(["ok.example", "other.example"]) {
        assert_eq!(parts(answer), json!({"host": host, "port": "80", "field": host, "target": "/"}));
    }
}

fn a_client_that_does_not_read_is_started_again() {
    let long = format!("http://ok.example/{}", "a".repeat(300_000));
    let asked = [connect("http://deaf.test/"), connect(&long), connect("http://ok.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(answers[1]["timeout"], "the client did not answer");
    assert_eq!(parts(&answers[2])["host"], "ok.example");
}

fn a_client_that_writes_without_end_is_started_again() {
    let asked = [connect("http://flood.test/"), connect("http://ok.example/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(answers[0]["timeout"], "the client did not answer");
    assert_eq!(parts(&answers[1])["host"], "ok.example");
}

fn a_request_that_is_sent_late_is_seen() {
    let Some(answers) = observed("plain", &[connect("http://late.test/")]) else { return };
    assert_eq!(parts(&answers[0])["target"], "/late");
}

fn idle_connections_do_not_hide_the_next_request() {
    let asked = [connect("http://idle.test/"), connect("http://ok.example/a")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(parts(&answers[1]), json!({"host": "ok.example", "port": "80", "field": "ok.example", "target": "/a"}));
}

fn many_connections_and_names_are_bounded() {
    let asked = [connect("http://ok.example/"), connect("http://ok.example/")];
    let Some(answers) = observed("many", &asked) else { return };
    for answer in &answers {
        assert_eq!(parts(answer)["host"], "ok.example");
        let names = parts(answer)["names"].as_str().expect("names").split(' ').count();
        assert_eq!(names, 100);
    }
}

fn a_client_that_sends_noise_is_observed() {
    let asked = [connect("http://ok.example/"), connect("http://ok.example/")];
    let Some(answers) = observed("noise", &asked) else { return };
    assert_eq!(parts(&answers[1]), json!({"host": "ok.example", "port": "80"}));
}

fn a_client_that_is_not_seen_to_connect_is_refused() {
    for (mode, sentence) in [
        ("blind", "the client was not seen to request http://control.test/, and it received a response"),
        ("refuses", "the client was not seen to request http://control.test/, and it failed: no"),
        ("silent", "the client wrote no greeting: the client ended, exit status: 4"),
        ("resolver", "the engine is not a client: it offers neither connect nor follow"),
    ] {
        let Some(error) = observed::refused(mode) else { return };
        assert!(error.contains(sentence), "{mode}: {error}");
    }
}

fn no_packet_leaves_the_namespace() {
    // A listener outside: the same address and port inside lead to the observer.
    let outside = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = outside.local_addr().expect("an address").port();
    outside.set_nonblocking(true).expect("a listener");
    let asked = [connect(&format!("http://127.0.0.1:{port}/")), connect("http://interfaces.test/")];
    let Some(answers) = observed("plain", &asked) else { return };
    assert_eq!(parts(&answers[0])["port"], port.to_string());
    assert!(outside.accept().is_err(), "the client reached a listener outside");
    assert_eq!(failure(&answers[1]), "lo");
}

fn proxies_of_the_environment_are_not_used() {
    let Some(answers) = observed("plain", &[connect("http://environment.test/")]) else { return };
    assert_eq!(failure(&answers[0]), "no proxy");
}

fn two_clients_are_observed_at_once() {
    let other = std::thread::spawn(|| observed("plain", &vec![connect("http://other.test/"); 20]));
    let own = observed("plain", &vec![connect("http://ok.example/"); 20]);
    let other = other.join().expect("no panic");
    let (Some(own), Some(other)) = (own, other) else { return };
    assert!(own.iter().all(|answer| parts(answer)["host"] == "ok.example"));
    assert!(other.iter().all(|answer| parts(answer)["host"] == "other.test"));
}

fn a_location_with_a_line_break_cannot_be_sent() {
    let Some(answers) = observed("plain", &[follow("http://ok.example/", "/a\r\nX: y")]) else { return };
    assert_eq!(answers[0]["unrepresentable"], "a field cannot contain this character");
}
