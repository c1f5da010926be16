//! URLs of RFC 1738's schemes: writing a URL that was read returns the same string, encoding unreserved characters does
//! not change its meaning, and reading takes linear time.

mod scope;

use proptest::prelude::*;
use scope::scope;
use urlstrata::characters::{self, encode_all};
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{
    Action, EncodedText, Form, Ftp, FtpPath, Gopher, GopherItem, HostPort, Http, Login, Typecode, Url, Value,
};

/// Characters that schemes reserve, and characters that they do not reserve.
const TOKENS: [&str; 15] = ["a", "1", ".", "/", ";", "?", ":", "@", "=", "*", "+", "%2F", "%09", "%", ";type=a"];

const STARTS: [&str; 23] = [
    "ftp:",
    "ftp://",
    "ftp://h/",
    "HTTP:",
    "http://",
    "http://h/",
    "gopher://",
    "gopher://h/",
    "gopher://h/1%09%09",
    "mailto:",
    "mailto:a@",
    "news:",
    "news:a@",
    "nntp://h/",
    "nntp://h/a/",
    "telnet://",
    "wais://h/",
    "wais://h/a/",
    "file:",
    "file://",
    "prospero://h/",
    "prospero://h/a;",
    "x-a:",
];

fn each_short(tokens: &[&str], length: usize, text: &mut String, check: &mut dyn FnMut(&str)) {
    check(text);
    if length == 0 {
        return;
    }
    for token in tokens {
        let before = text.len();
        text.push_str(token);
        each_short(tokens, length - 1, text, check);
        text.truncate(before);
    }
}

#[test]
fn reading_and_writing_returns_the_same_string() {
    let (mut accepted, mut rejected) = (0_u64, 0_u64);
    for start in STARTS {
        each_short(&TOKENS, scope(4, 2), &mut start.to_owned(), &mut |url| match rfc1738::read(url) {
            Ok(read) => {
                assert_eq!(read.to_string(), url);
                accepted += 1;
            }
            Err(rejection) => {
                assert!(
                    rejection.section().starts_with(['2', '3']) && !rejection.reason().is_empty(),
                    "{url} {rejection:?}"
                );
                rejected += 1;
            }
        });
    }
    assert_eq!(accepted + rejected, 23 * scope(54_241, 241));
    let enough = scope(100_000, 500);
    assert!(accepted > enough && rejected > enough, "{accepted} taken, {rejected} rejected");
}

/// Returns the meaning of a URL: the actions of a client, with decoded data.
fn meaning(url: &str) -> Vec<Action> {
    rfc1738::read(url).unwrap_or_else(|rejection| panic!("{url}: {rejection}")).actions()
}

/// http is excluded: a client sends the path as it is written, and the server decodes it.
#[test]
fn encoding_an_unreserved_character_keeps_the_meaning() {
    let alphabet = characters::by_revision("rfc1738").expect("an alphabet");
    let unreserved: Vec<u8> = alphabet.class("unreserved").expect("a class").octets.iter().collect();
    assert_eq!(unreserved.len(), 73);
    for octet in unreserved {
        for (before, after) in [
            ("ftp://u", "@h/a/b"),
            ("ftp://u:p", "@h/a/b"),
            ("ftp://h/a", "/b;type=a"),
            ("ftp://h/a/b", ""),
            ("gopher://h/1", ""),
            ("gopher://h/", ""),
            ("gopher://h/1a%09", ""),
            ("gopher://h/1a%09%09", ""),
            ("gopher://h/1a%09%09!", "%20+X"),
            ("mailto:%22a", "%22@b"),
            ("news:", "a@b"),
            ("telnet://u", "@h"),
            ("wais://h/", "?a"),
            ("wais://h/a?", "b"),
            ("wais://h/a/b/", ""),
            ("file:///a", "/b"),
            ("prospero://h/", ";a=b"),
            ("prospero://h/a;", "=b"),
            ("prospero://h/a;b=", ""),
        ] {
            let bare = format!("{before}{}{after}", octet as char);
            let coded = format!("{before}{}{after}", encode_all(&[octet]));
            assert_eq!(meaning(&bare), meaning(&coded), "{bare} {coded}");
        }
    }
}

#[test]
fn encoding_a_reserved_character_may_change_the_meaning() {
    for (bare, coded) in [
        ("ftp://h/a/b", "ftp://h/a%2Fb"),
        ("ftp://h/a;type=d", "ftp://h/a%3Btype=d"),
        ("ftp://u:p@h/", "ftp://u%3Ap@h/"),
        ("wais://h/a?b", "wais://h/a%3Fb"),
        ("prospero://h/a;b=c", "prospero://h/a%3Bb=c"),
        ("prospero://h/a;b=c=d", "prospero://h/a;b%3Dc=d"),
        ("http://h/a?b", "http://h/a%3Fb"),
    ] {
        assert_ne!(meaning(bare), meaning(coded), "{bare} {coded}");
    }
    assert_ne!(
        rfc1738::read("news:a@b").map(|url| url.form).ok(),
        rfc1738::read("news:a%40b").map(|url| url.form).ok()
    );
}

fn read(url: &str) -> Url {
    rfc1738::read(url).unwrap_or_else(|rejection| panic!("{url}: {rejection}"))
}

#[test]
fn rejections_state_the_error_and_its_position() {
    for (url, why) in [
        ("ftp://h/%zz", "two hexadecimal digits must follow the % at byte 8: write a literal % as %25"),
        ("http://h:/", "a colon without a port: omit the colon too"),
        ("http://h:x/", "the port \"x\" is not a decimal number"),
        ("http://1.2.3/", "the host \"1.2.3\" is neither a domain name nor four decimal numbers"),
        ("http://1.2.3.4.5/", "the host \"1.2.3.4.5\" is neither a domain name nor four decimal numbers"),
    ] {
        assert_eq!(rfc1738::read(url).map_err(|rejection| rejection.to_string()), Err(why.to_owned()), "{url}");
    }
}

#[test]
fn cautions_contain_the_octet_and_the_port() {
    let cautions = |url: &str| read(url).cautions().into_iter().map(|caution| caution.sentence).collect::<Vec<_>>();
    for (port, caution) in [
        ("80", None),
        ("1023", Some("port 1023 is not the scheme's port 80, and another protocol may use it")),
        ("1024", Some("port 1024 is not the scheme's port 80")),
        ("65536", Some("port 65536 is not the scheme's port 80, and no protocol has a port above 65535")),
    ] {
        assert_eq!(cautions(&format!("http://h:{port}/")), Vec::from_iter(caution), "{port}");
    }
    for (url, octet) in [("ftp://h/a%0Db", "CR"), ("ftp://h/a%0Ab", "LF"), ("gopher://h/1a%09b%09%09", "tab")] {
        let caution =
            format!("the URL contains an encoded {octet}, which would break the line of a protocol if it were decoded");
        assert_eq!(cautions(url), [caution], "{url}");
    }
}

#[test]
fn gopher_urls_have_a_type() {
    let kind = |url: &str| match read(url).form {
        Form::Gopher(gopher) => char::from(gopher.kind()),
        other => panic!("{other:?}"),
    };
    assert_eq!(["gopher://h", "gopher://h/", "gopher://h/0a", "gopher://h/%37"].map(kind), ['1', '1', '0', '7']);
}

#[test]
fn an_at_sign_may_be_quoted_in_a_mail_address() {
    let parts = |url: &str| match read(url).form {
        Form::Mailto(mailto) => mailto.parts(),
        other => panic!("{other:?}"),
    };
    assert_eq!(parts("mailto:%22a@b%22@c%2Ed"), Some((b"\"a@b\"".to_vec(), b"c.d".to_vec())));
}

#[test]
fn values_of_a_completed_form_end_with_cr_lf() {
    let meaning = |values: &str| {
        let url = format!("gopher://h/0a%09%09+%091%0D%0A+-1%0D%0A{values}.%0D%0A");
        let fields = read(&url).fields();
        let found = fields.iter().find(|field| field.name == "meaning").map(|field| field.value.clone());
        let Some(Value::Description(meaning)) = found else { panic!("{url} has no meaning") };
        meaning
    };
    assert_eq!(meaning("a%0D%0Ab%0D%0A"), "the item with the completed form: a, b");
    assert_eq!(meaning("a%0D%0Ax%0Ab%0D%0A"), "the item with the completed form: a, x\\nb");
}

/// Octets of every kind of character.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"/;?:@=&%+ \t\r\n".to_vec())], 0..12)
}

fn coded(octets: &[u8], component: &str, all: bool) -> EncodedText {
    let alphabet = characters::by_revision("rfc1738").expect("an alphabet");
    if all {
        return EncodedText::new(&encode_all(octets)).expect("escapes");
    }
    EncodedText::encode(octets, alphabet.component(component).expect("a component"))
}

fn read_back(url: &Url) -> Url {
    rfc1738::read(&url.to_string()).unwrap_or_else(|rejection| panic!("{url}: {rejection}"))
}

proptest! {
    #[test]
    fn octets_survive_ftp(
        user in octets(), password in octets(), directories in prop::collection::vec(octets(), 0..4), name in octets(),
        all: bool,
    ) {
        let part = |octets: &[u8]| coded(octets, "ftp directory or name", all);
        let login = Login {
            user: Some(coded(&user, "user or password", all)),
            password: Some(coded(&password, "user or password", all)),
            at: HostPort { host: "host.dom".to_owned(), port: None },
        };
        let path = FtpPath {
            directories: directories.iter().map(|it| part(it)).collect(),
            name: part(&name),
            typecode: Some(Typecode::Image),
        };
        let url = Url { scheme: "ftp".to_owned(), form: Form::Ftp(Ftp { login, path: Some(path) }) };
        let read = read_back(&url);
        prop_assert_eq!(&read, &url);
        let Form::Ftp(Ftp { login, path: Some(path) }) = read.form else { panic!("an ftp URL with a path") };
        prop_assert_eq!(login.user.map(|it| it.decoded()), Some(user));
        prop_assert_eq!(login.password.map(|it| it.decoded()), Some(password));
        prop_assert_eq!(path.directories.iter().map(EncodedText::decoded).collect::<Vec<_>>(), directories);
        prop_assert_eq!(path.name.decoded(), name);
    }

    #[test]
    fn octets_survive_http(path in octets(), search in octets(), all: bool) {
        let http = Http {
            at: HostPort { host: "h".to_owned(), port: Some("8080".to_owned()) },
            path: Some(coded(&path, "http path or search", all)),
            search: Some(coded(&search, "http path or search", all)),
        };
        let url = Url { scheme: "HTTP".to_owned(), form: Form::Http(http) };
        let read = read_back(&url);
        prop_assert_eq!(&read, &url);
        let Form::Http(Http { path: Some(got), search: Some(found), .. }) = read.form else { panic!("both") };
        prop_assert_eq!((got.decoded(), found.decoded()), (path, search));
    }

    #[test]
    fn octets_except_tab_cr_lf_survive_gopher(selector in octets(), search in octets(), all: bool) {
        let selector: Vec<u8> = selector.into_iter().filter(|octet| !b"\t\r\n".contains(octet)).collect();
        let search: Vec<u8> = search.into_iter().filter(|octet| *octet != b'\t').collect();
        let item = GopherItem {
            kind: coded(b"7", "gopher path", all),
            selector: coded(&selector, "gopher path", all),
            search: Some(coded(&search, "gopher path", all)),
            plus: None,
        };
        let at = HostPort { host: "h".to_owned(), port: None };
        let url = Url { scheme: "gopher".to_owned(), form: Form::Gopher(Gopher { at, slash: true, item: Some(item) }) };
        let read = read_back(&url);
        prop_assert_eq!(&read, &url);
        let whole = [&selector[..], b"\t", &search].concat();
        let sent = match &read.actions()[1] {
            Action::Send(line) | Action::Withhold { line, .. } => line.clone(),
            other => panic!("{other}"),
        };
        prop_assert_eq!(sent, whole);
    }

    #[test]
    fn octets_survive_other_schemes(octets in octets(), all: bool) {
        for (before, after, component, field) in [
            ("telnet://", "@h", "user or password", "user"),
            ("telnet://u:", "@h", "user or password", "password"),
            ("wais://h/", "?q", "wais database, type, path or search", "database"),
            ("wais://h/d?", "", "wais database, type, path or search", "search"),
            ("wais://h/d/", "/x", "wais database, type, path or search", "wtype"),
            ("wais://h/d/T/", "", "wais database, type, path or search", "wpath"),
            ("file:///d/", "", "file directory or name", "name"),
            ("prospero://h/", ";a=b", "prospero name", "hsoname"),
            ("news:a", "@h", "news or nntp name", "unique"),
        ] {
            let url = format!("{before}{}{after}", coded(&octets, component, all));
            let read = rfc1738::read(&url).unwrap_or_else(|rejection| panic!("{url}: {rejection}"));
            let fields = read.fields();
            let Some(Value::Text(text)) = fields.iter().find(|it| it.name == field).map(|it| &it.value) else {
                panic!("{url} has no {field}")
            };
            let around = match field {
                "unique" => [b"a", &octets[..]].concat(),
                _ => octets.clone(),
            };
            prop_assert_eq!(text.decoded(), around, "{}", url);
        }
    }

    #[test]
    fn quoted_octets_survive_mailto(octets in octets(), all: bool) {
        let quoted = octets.into_iter().filter(u8::is_ascii).flat_map(|octet| [b'\\', octet]);
        let local: Vec<u8> = [b'"'].into_iter().chain(quoted).chain([b'"']).collect();
        let url = format!("mailto:{}@b", coded(&local, "mailto address", all));
        let Form::Mailto(mailto) = read(&url).form else { panic!("{url}") };
        prop_assert_eq!(mailto.parts(), Some((local, b"b".to_vec())));
    }

    #[test]
    fn no_text_causes_a_panic(scheme in prop::sample::select(&STARTS[..]), text in ".{0,40}") {
        let url = format!("{scheme}{text}");
        if let Ok(read) = rfc1738::read(&url) {
            prop_assert_eq!(read.to_string(), url);
            let _ = (read.fields(), read.actions(), read.cautions());
        }
    }

    /// The lines of a completed form are an exception.
    #[test]
    fn lines_that_are_sent_contain_no_line_end(
        start in prop::sample::select(&STARTS[..]),
        tokens in prop::collection::vec(prop::sample::select(&["%0D", "%0A", "%09", "a", "/", "+", "@b", "%0d%0a", "!"][..]), 0..8),
    ) {
        let Ok(url) = rfc1738::read(&format!("{start}{}", tokens.concat())) else { return Ok(()) };
        for action in url.actions() {
            if let Action::Send(line) | Action::SendIfAsked(line) = action {
                prop_assert!(!line.iter().any(|octet| b"\r\n".contains(octet)), "{}", url);
            }
        }
    }
}

/// With quadratic time, the test would not terminate.
#[test]
fn reading_takes_linear_time() {
    for (start, unit) in [
        ("ftp://h/", "a/"),
        ("ftp://h/", "%41"),
        ("ftp://", "a:@"),
        ("ftp://h/", ";type=a"),
        ("http://h/", "?"),
        ("http://", "a."),
        ("gopher://h/1", "%09"),
        ("gopher://h/1%09%09!", "a%20"),
        ("gopher://h/1%09%09+%091%0D%0A+-1%0D%0A", "%0D%0A"),
        ("mailto:", "a@"),
        ("news:a", "@"),
        ("news:", "a."),
        ("nntp://h/a/", "1"),
        ("wais://h/", "/"),
        ("file:///", "/"),
        ("prospero://h/", ";a="),
        ("x-y:", "%41"),
    ] {
        let url = format!("{start}{}", unit.repeat(scope(1 << 20, 1 << 12) / unit.len()));
        if let Ok(read) = rfc1738::read(&url) {
            assert_eq!(read.to_string(), url);
            assert!(!read.actions().is_empty());
        }
    }
}

#[test]
fn host_is_a_domain_name_or_four_numbers() {
    let is_accepted = |host: &str| rfc1738::read(&format!("ftp://{host}/")).is_ok();
    for host in ["a", "host.dom", "3com.com", "a-b.c", "1.2.3.4", "999.0.0.1", "x1"] {
        assert!(is_accepted(host), "{host}");
    }
    for host in [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "-a",
        "a-",
        "a_b",
        "1.2.3",
        "a.1",
        "1",
        "[::1]",
        "%41",
        "a b",
        "é",
        "1.2.3.x4.5",
        "a.b.c.d-",
        "1.2.3.é",
    ] {
        assert!(!is_accepted(host), "{host}");
    }
}

#[test]
fn mail_addresses_are_addr_specs_of_rfc_822() {
    for address in ["a@b", "a.b.c@d.e", "%22a%20b@%2C%22.c@d", "%22a%5C%22%22@b", "a@%5B1.2.3.4%5D", "a%25b/?=&@c.d"] {
        let Form::Mailto(mailto) = read(&format!("mailto:{address}")).form else { panic!("{address}") };
        assert!(mailto.parts().is_some(), "{address}");
    }
    for (address, why) in [
        ("a@b@c", "nothing may follow the domain"),
        ("a@b;c", "nothing may follow the domain"),
        ("%20@%20", "the local part must consist of words with dots between them"),
        (".a@b", "the local part must consist of words with dots between them"),
        ("a.@b", "the local part must consist of words with dots between them"),
        ("%22a@b", "the local part must consist of words with dots between them"),
        ("%E9@b", "the local part must consist of words with dots between them"),
        ("a%20b@c", "an @ must follow the local part"),
        ("a", "an @ must follow the local part"),
        ("a@", "the domain must consist of names with dots between them"),
        ("a@b..c", "the domain must consist of names with dots between them"),
        ("a@%22b%22", "the domain must consist of names with dots between them"),
        ("a@%5Bb", "the domain must consist of names with dots between them"),
    ] {
        let rejection = rfc1738::read(&format!("mailto:{address}")).expect_err(address);
        assert_eq!(rejection.reason(), format!("not an address by RFC 822: {why}"), "{address}");
    }
}

#[test]
fn cautions_cover_advice_and_unknown_schemes() {
    let cautions = |url: &str| read(url).cautions().into_iter().map(|it| it.sentence).collect::<Vec<_>>();
    let [cr, lf] = ["CR", "LF"].map(|octet| {
        format!("the URL contains an encoded {octet}, which would break the line of a protocol if it were decoded")
    });
    let [cr, lf] = [cr.as_str(), lf.as_str()];
    let password = "the URL contains a password, which every reader can see";
    assert_eq!(cautions("telnet://u%0D%0Ax@h/"), [cr, lf]);
    assert_eq!(cautions("telnet://u:p%0D@h/"), [cr, password]);
    let unknown = "port 25 may not be the scheme's port, which is not known, and another protocol may use it";
    assert_eq!(cautions("x-y://u:p@h:25/z"), [unknown, password]);
    assert_eq!(
        cautions("x://h:99999/"),
        ["port 99999 may not be the scheme's port, which is not known, and no protocol has a port above 65535"]
    );
    for url in ["telnet://u@h/", "x://h/", "x://u:@h:/", "x://h:a/", "x:u:p@h:25"] {
        assert!(cautions(url).is_empty(), "{url}");
    }
}

#[test]
fn absent_fields_have_defaults() {
    let gopher = read("gopher://h");
    assert_eq!(gopher.default_of("gophertype").as_deref(), Some("1"));
    assert_eq!(gopher.default_of("port").as_deref(), Some("70"));
    assert_eq!(gopher.default_of("search"), None);
    assert_eq!(read("x://h").default_of("port"), None);
}
