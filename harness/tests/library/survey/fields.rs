//! Fields of RFC 1738 and components of the `url` crate.

use urlstrata_harness::survey::fields::{Cut, FieldComparer, FieldReason, UrlComponents};

#[track_caller]
fn reasons(url: &str) -> Vec<(&'static str, Vec<String>)> {
    let rows = FieldComparer::default().differing(url);
    let names = |reasons: &[FieldReason]| reasons.iter().map(|reason| reason.name().to_owned()).collect();
    rows.iter().map(|row| (row.field, names(&row.reasons))).collect()
}

#[test]
fn each_field_difference_has_a_reason() {
    let reasons = |url| -> Vec<String> {
        reasons(url).iter().map(|(field, names)| format!("{field}: {}", names.join(" + "))).collect()
    };
    assert_eq!(reasons("ftp://host.dom/etc/motd"), [""; 0]);
    assert_eq!(reasons("HTTP://h/"), ["scheme: scheme_case=Lower"]);
    assert_eq!(reasons("http://h:80/"), ["port: default_port=Dropped"]);
    assert_eq!(reasons("http://h"), ["path: empty_path=Slash"]);
    assert_eq!(reasons("ftp://foo:@h/"), ["password: empty_userinfo=PartsDropped"]);
    assert_eq!(reasons("ftp://h/a?b"), ["name: query_begins", "query: query_begins"]);
    assert_eq!(reasons("ftp://h/a/../b"), ["cwd: dots_in_absolute=Removed"]);
    assert_eq!(reasons("file:////a"), ["directory: dots_in_absolute=Removed + empty_segments=LeadingRemoved"]);
    let drive = "drive_letters=RootsWithoutOwnHost + drive_end=RemovedToo + dots_in_absolute=Removed";
    assert_eq!(reasons("file:///../a:\ta"), [format!("directory: {drive}"), format!("name: {drive}")]);
    assert_eq!(reasons("10.0.0.7:80"), ["URL: scheme_begins"]);
    assert_eq!(reasons("telnet://h/x"), ["URL: rejected_by_rfc1738"]);
}

#[test]
fn a_reason_is_a_sentence_with_its_source() {
    assert_eq!(
        FieldReason::Cut(Cut::Query).to_string(),
        "query_begins: A question mark begins the query, whatever the scheme (URL Standard §4.4 path state, opaque path \
         state)"
    );
}

/// [`UrlComponents::of`] gives the same components as the crate's accessors. The accessors do not report an empty
/// user, password or file host.
#[test]
fn components_equal_those_of_the_crate() {
    for written in ["http://u:p@h:81/p?q#f", "ftp://u@h/;type=a", "file:///x", "mailto:a@b?c", "gopher://h/", "news:*"]
    {
        let text_of = url::Url::parse(written).expect("a URL");
        let cut = UrlComponents::of(text_of.as_str());
        assert_eq!(cut.scheme, text_of.scheme());
        assert_eq!(cut.user.unwrap_or_default(), text_of.username());
        assert_eq!(cut.password.as_deref(), text_of.password());
        assert_eq!(cut.host.filter(|host| !host.is_empty()).as_deref(), text_of.host_str());
        assert_eq!(cut.port, text_of.port().map(|port| port.to_string()));
        assert_eq!((cut.path.as_str(), cut.query.as_deref()), (text_of.path(), text_of.query()));
        assert_eq!(cut.fragment.as_deref(), text_of.fragment());
    }
}
