//! The scheme, host and port of a URL.

use urlstrata_harness::outcome::location::{Location, credentials};

#[track_caller]
fn located(url: &str, columns: [&str; 3]) {
    assert_eq!(Location::of(url).columns(), columns, "{url}");
}

#[test]
fn scheme_host_and_port_are_those_that_a_client_connects_to() {
    located("HTTP://u:p@EXAMPLE.org:8080/x", ["http", "example.org", "8080"]);
    located("http://h", ["http", "h", "80"]);
    located("http://h:/", ["http", "h", "80"]);
    located("foo://h/", ["foo", "h", "-"]);
    located("http://[::1]:81/", ["http", "[::1]", "81"]);
    located("http://[::1]/", ["http", "[::1]", "80"]);
    located("file:///x", ["file", "\"\"", "-"]);
    located("mailto:a@b", ["mailto", "-", "-"]);
    located("//h/x", ["-", "h", "-"]);
    located("", ["-", "-", "-"]);
}

#[test]
fn the_last_at_sign_ends_the_credentials() {
    let url = "http://a@b@c/";
    assert_eq!((Location::of(url).host.as_deref(), credentials(url).as_deref()), (Some("c"), Some("a@b")));
}

#[track_caller]
fn stated(components: &[(&str, Option<&str>)], columns: Option<[&str; 3]>) {
    let owned = |(name, value): &(&str, Option<&str>)| ((*name).to_owned(), value.map(str::to_owned));
    let components: Vec<_> = components.iter().map(owned).collect();
    let found = Location::of_components(&components);
    assert_eq!(found.map(|it| it.columns()), columns.map(|it| it.map(str::to_owned)), "{components:?}");
}

#[test]
fn components_of_engines_have_several_names() {
    let scheme = ("scheme", Some("http"));
    stated(&[scheme, ("host", Some("H")), ("port", Some("81"))], Some(["http", "h", "81"]));
    stated(&[("protocol", Some("https:")), ("hostname", Some("[::1]"))], Some(["https", "[::1]", "443"]));
    stated(&[scheme, ("host", Some("::1"))], Some(["http", "[::1]", "80"]));
    stated(&[scheme, ("authority", Some("u@h:1"))], Some(["http", "h", "1"]));
    stated(&[scheme, ("host", None), ("authority", Some("h"))], Some(["http", "-", "-"]));
    stated(&[scheme, ("path", Some("//h"))], None);
}

#[test]
fn a_port_that_a_library_cannot_read_is_not_the_default_port() {
    let [scheme, host] = [("scheme", Some("http")), ("host", Some("h"))];
    stated(&[scheme, host, ("authority", Some("h:99999"))], Some(["http", "h", "-"]));
    stated(&[scheme, host, ("authority", Some("h:99999")), ("port", None)], Some(["http", "h", "80"]));
    stated(&[scheme, host, ("authority", Some("u:1@h:"))], Some(["http", "h", "80"]));
    stated(&[scheme, host, ("authority", Some("u:1@h"))], Some(["http", "h", "80"]));
}
