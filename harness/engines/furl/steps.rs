//! furl: `furl(base).join(reference).url`, and the attributes of `furl(url)`, from 1.2.1 on.
//!
//! Read from `furl/furl.py` of furl 1.2.1 to 2.1.4. It splits, joins and writes URLs with `urllib.parse` of the Python that runs it: that of the
//! recordings is 3.11.7. The base is written before it is joined, and the joined URL is read again.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, encoded, is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Run, Side, State, Step, Table, Witness};

use crate::hyperlink;
use crate::okhttp::idna_2003::{python_codec, python_decoded};
use crate::urllib::{self, BASE_IN_SLOT};

/// furl.
pub static TABLE: Table = Table {
    engine: "furl",
    first: "1.2.1",
    changes: &[&PORTS, &SEMICOLONS],
    dated: &[],
    questions: &[(Question::Resolve, JOIN), (Question::Parse, STATE)],
    called: &[LOAD],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

static PORTS: Change = Change {
    id: "c2b2143",
    versions: &["2.1.1"],
    date: "2021-04-08",
    issue: "https://github.com/gruns/furl/commit/c2b2143",
    says: "more schemes have a default port",
    witness: Witness::resolving("", "ws://a:80", Some("ws://a:80"), Some("ws://a")),
};

static SEMICOLONS: Change = Change {
    id: "2.1.3",
    versions: &["2.1.3"],
    date: "2021-09-27",
    issue: "https://github.com/gruns/furl/commit/cf6f818",
    says: "a semicolon is a part of a query, and no longer separates its fields",
    witness: Witness::resolving("", "?a;b", Some("?a&b"), Some("?a%3Bb")),
};

/// Returns the default port of the target's scheme. Most of them are those of hyperlink.
fn default_port(s: &State<'_>) -> Option<String> {
    let scheme = s.get(Slot::Out(Part::Scheme));
    let port = match scheme {
        "hdl" => Some("2641"),
        "sip" => Some("5060"),
        "sips" => Some("5061"),
        "snews" => Some("563"),
        "tftp" => Some("69"),
        "xmpp" => Some("5222"),
        _ => hyperlink::default_port(scheme),
    };
    let is_older = matches!(scheme, "ftp" | "ssh" | "http" | "tftp" | "https" | "telnet");
    port.filter(|_| is_older || s.has(&PORTS)).map(str::to_owned)
}

/// `get_scheme`: empty if the text begins with a colon, and none if it does not begin with a letter.
fn scheme(text: &str) -> Option<&str> {
    let (name, rest) = until(text, &[':', '/', '?', '#']);
    let is_scheme = rest.starts_with(':') && (name.is_empty() || name.starts_with(|it: char| it.is_ascii_alphabetic()));
    is_scheme.then_some(name)
}

/// `strip_scheme`.
fn without_scheme(text: &str) -> &str {
    let rest = &text[scheme(text).map_or(0, str::len)..];
    rest.strip_prefix(':').unwrap_or(rest)
}

/// Returns the scheme of a text that has an authority, or does not have a scheme.
fn scheme_before_netloc(text: &str) -> Option<&str> {
    scheme(text).filter(|name| text[name.len()..].starts_with("://"))
}

/// `quote`.
fn quoted(text: &str, safe: &[u8]) -> String {
    encoded(text, |it| it.is_ascii_alphanumeric() || b"_.-~".contains(&it) || safe.contains(&it))
}

/// `furl.load`, for the text that is not read yet. What is read is what is written.
static LOAD: &[Step] = &[
    Step::new(
        "get_scheme",
        "the text before a colon is the scheme, if it has no /, ? or #, and a letter is first or it is empty",
        |s| {
            let name = scheme(&s.rest).map(str::to_owned);
            // What is not a scheme for others is a part of the target's path.
            let is_scheme = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
            if name.as_deref().is_some_and(|name| !name.chars().all(is_scheme)) {
                s.decide(Slot::Out(Part::Path));
            }
            s.set(Slot::Out(Part::Scheme), name);
            Go
        },
    ),
    Step::new("furl.urlsplit", "cut off the scheme, and split the rest as `urlsplit` does for http; only two slashes after the scheme begin an authority", |s| {
        let after = without_scheme(&s.rest);
        let text = if scheme(&s.rest).is_some() { format!("http:{after}") } else { s.rest.clone() };
        let has_authority = without_scheme(&text).starts_with("//");
        let Some(run) = s.answer(&urllib::TABLE, Question::Parse, ("", &text)).filter(|run| run.outcome.is_ok()) else {
            return s.reject(Slot::Out(Part::Authority), "`urlsplit` rejects it");
        };
        for part in [Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            let text = run.slots.text(Slot::Out(part)).filter(|_| part != Part::Authority || has_authority);
            s.set(Slot::Out(part), text);
        }
        Go
    }),
    Step::new("furl.netloc: userpass", "the text before the first @ is the user, and after its first colon the password", |s| {
        let authority = s.present(Slot::Out(Part::Authority)).map(str::to_owned);
        let (user, host) = match authority.as_deref().map(|it| (it, it.split_once('@'))) {
            Some((_, Some((user, host)))) => (Some(cut(user, ":")), Some(host)),
            Some((host, None)) => (None, Some(host)),
            None => (None, None),
        };
        s.set(Slot::Out(Part::User), user.map(|(user, _)| user));
        s.set(Slot::Out(Part::Password), user.and_then(|(_, password)| password));
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("furl.netloc: rsplit", "the text after the last colon is the port, if no ] follows; reject text between ] and this colon", |s| {
        let host = s.get(Slot::Out(Part::Host)).to_owned();
        let found = host.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
        if found.is_some_and(|(host, _)| host.contains(']') && !host.ends_with(']')) {
            return s.reject(Slot::Out(Part::Host), "there is text between a bracket and the port");
        }
        if let Some((host, _)) = found {
            s.set(Slot::Out(Part::Host), host);
        }
        s.set(Slot::Out(Part::Port), found.map(|(_, port)| port));
        Go
    }),
    Step::new("is_valid_port", "write the port as a number; reject it if it is not one from 1 to 65535", |s| {
        let slot = Slot::Out(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        let digits: Option<String> = port.chars().map(|it| urllib::digit(it).and_then(|it| char::from_digit(it, 10))).collect();
        match digits.and_then(|digits| digits.trim_start_matches('0').parse::<u16>().ok()) {
            Some(port) => {
                s.set(slot, port.to_string());
                Go
            }
            None => s.reject(slot, "it is not a port"),
        }
    }),
    Step::new("furl.host: urlsplit", "reject a host that `urlsplit` rejects", |s| {
        let url = format!("http://{}/", s.get(Slot::Out(Part::Host)));
        match s.answer(&urllib::TABLE, Question::Parse, ("", &url)).is_some_and(|run| run.outcome.is_ok()) {
            true => Go,
            false => s.reject(Slot::Out(Part::Host), "`urlsplit` rejects it"),
        }
    }),
    Step::new("is_valid_host", "reject a host outside brackets with a delimiter, or with an empty label that is not the last one", |s| {
        let host = s.get(Slot::Out(Part::Host));
        let is_address = host.starts_with('[') && host.contains(':') && host.ends_with(']');
        let name = host.strip_suffix('.').unwrap_or(host);
        let has_empty = !host.is_empty() && name.split('.').any(str::is_empty);
        match !is_address && (has_empty || host.contains(|it| "!@#$%^&'\"*()+=:;/".contains(it))) {
            true => s.reject(Slot::Out(Part::Host), "it contains a delimiter or an empty label"),
            false => Go,
        }
    }),
    Step::new("furl.host: lower", "write the host in lower case", |s| rewrite(s, Part::Host, str::to_lowercase)),
    Step::new("idna_decode", "decode a host that begins with xn-- by IDNA 2003; reject it if that is not possible", |s| {
        let slot = Slot::Out(Part::Host);
        if !s.get(slot).starts_with("xn--") {
            return Go;
        }
        match python_decoded(s.get(slot)) {
            Some(host) => {
                s.set(slot, host);
                Go
            }
            None => s.reject(slot, "it is not a host of IDNA 2003"),
        }
    }),
    Step::new("unquote: username, password", "decode user and password", |s| {
        rewrite(s, Part::User, urllib::unquoted);
        rewrite(s, Part::Password, urllib::unquoted)
    }),
    Step::new("furl.scheme: lower", "write the scheme in lower case", |s| rewrite(s, Part::Scheme, str::to_lowercase)),
    Step::new("DEFAULT_PORTS", "without a port, take the default one of the scheme", |s| {
        if s.present(Slot::Out(Part::Port)).is_none() {
            let port = default_port(s);
            s.set(Slot::Out(Part::Port), port);
        }
        Go
    }),
    Step::new(
        "Path._segments_from_path",
        "decode each segment of the path, unless it has characters that segments do not have, and encode it again",
        |s| rewrite(s, Part::Path, rewritten_path),
    ),
    Step::new("Query.encode", "decode and encode each field of the query, as forms do", |s| rewrite(s, Part::Query, |query| fields(query, false)))
        .since(&SEMICOLONS),
    Step::new("Query.encode: ;", "decode and encode each field of the query, as forms do; a semicolon ends a field, too", |s| {
        rewrite(s, Part::Query, |query| fields(query, true))
    })
    .until(&SEMICOLONS),
    Step::new(
        "Fragment.load",
        "rewrite the fragment as a query if it has = but no ?, as a path and a query if = follows ?, and else as a path",
        |s| {
            let splits_semicolons = !s.has(&SEMICOLONS);
            rewrite(s, Part::Fragment, |fragment| {
                let (path, query) = cut(fragment, "?");
                let (path, query) = match query {
                    Some(query) if query.contains('=') => (rewritten_path(path), fields(query, splits_semicolons)),
                    None if path.contains('=') => (String::new(), fields(path, splits_semicolons)),
                    _ => (rewritten_path(fragment).replace("%3F", "?"), String::new()),
                };
                let separator = if path.is_empty() || query.is_empty() { "" } else { "?" };
                let path = if query.is_empty() { path.replace("%3F", "?") } else { path };
                path + separator + &query
            })
        },
    ),
    Step::new("furl.netloc", "write user and password, encoded, the host in its form of IDNA 2003, and a port that is not the default one", |s| {
        let text = |part: Part| s.present(Slot::Out(part)).map(str::to_owned);
        let (user, password, host) = (text(Part::User), text(Part::Password), text(Part::Host));
        let [own, password_of_own] = [&user, &password].map(|it| it.as_deref().map(|it| quoted(it, b"")));
        let Some(name) = host.as_deref().map(python_codec).map_or(Some(None), |host| host.map(Some)) else {
            return s.reject(Slot::Out(Part::Host), "it is not a host of IDNA 2003");
        };
        let is_encoded = own != user || password_of_own != password || name != host;
        let read = s.get(Slot::Out(Part::Authority));
        let has_port = read.rfind([':', '@', ']']).is_some_and(|at| read[at..].starts_with(':'));
        let port = text(Part::Port).filter(|port| Some(port) != default_port(s).as_ref());
        let password = password_of_own.map(|it| format!(":{it}")).unwrap_or_default();
        let user = own.map(|user| user + &password + "@").unwrap_or_default();
        let authority = name.map(|name| user + &name + &port.as_ref().map(|port| format!(":{port}")).unwrap_or_default());
        let composed = [Part::User, Part::Password, Part::Host, Part::Port].map(Slot::Out);
        s.compose(Slot::Out(Part::Authority), &composed[..if port.is_some() { 4 } else { 3 }]);
        if is_encoded || has_port && port.is_none() {
            s.decide(Slot::Out(Part::Authority));
        }
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
];

/// `join` and `tostr`.
static JOIN: &[Step] = &[
    Step::new("furl: no base", "without a base, the reference is read alone", |s| match s.base.is_empty() {
        true => {
            s.rest = s.reference.to_owned();
            To("join: load")
        }
        false => Go,
    }),
    Step::new("furl(base).url", "read the base and write it", |s| match written_base(s) {
        Ok(base) => {
            s.set(Slot::Base(Part::Text), base);
            s.mark(BASE_IN_SLOT);
            Go
        }
        Err(why) => s.reject(Slot::Base(Part::Text), why),
    }),
    Step::new("furl.urljoin: root", "join as if the scheme before an authority of the base were http", |s| {
        let base = s.get(Slot::Base(Part::Text));
        if scheme_before_netloc(base).is_some() {
            let root = format!("http:{}", without_scheme(base));
            s.set(Slot::Base(Part::Text), root);
        }
        Go
    }),
    Step::new("urllib.parse.urljoin", "join the texts as `urljoin` does", |_| Call(urllib::URLJOIN, Side::Reference)),
    Step::new(
        "furl.urljoin: new_scheme",
        "the scheme before an authority is the one that the reference has before an authority, or else the base",
        |s| {
            let base = written_base(s).unwrap_or_default();
            let joined = s.get(Slot::Result);
            let has_netloc = scheme_before_netloc(joined).is_some() || scheme(joined).is_none() && joined.starts_with("//");
            let name = scheme_before_netloc(s.reference).or_else(|| scheme_before_netloc(&base)).filter(|_| has_netloc);
            s.rest = name.map_or_else(|| joined.to_owned(), |name| format!("{name}:{}", without_scheme(joined)));
            Go
        },
    ),
    Step::new("join: load", "read the URL", |_| Call(LOAD, Side::Reference)),
    Step::new("tostr: urlunsplit", "write the components as `urlunsplit` does, without an empty query and an empty fragment", |s| {
        let parts = Part::COMPONENTS.map(|part| s.get(Slot::Out(part)));
        let url = urllib::unsplit(s, parts);
        s.set(Slot::Result, url);
        Go
    }),
    Step::new("tostr: scheme == ''", "write a colon for an empty scheme", |s| {
        if s.present(Slot::Out(Part::Scheme)) == Some("") {
            let url = format!(":{}", s.get(Slot::Result));
            s.set(Slot::Result, url);
        }
        Go
    }),
    Step::new("tostr: netloc == ''", "write // for an empty authority without a scheme, or if nothing else follows the scheme", |s| {
        let url = s.get(Slot::Result);
        let url = match (s.present(Slot::Out(Part::Authority)), s.present(Slot::Out(Part::Scheme))) {
            (Some(""), None) => format!("//{url}"),
            (Some(""), Some(_)) if without_scheme(url).is_empty() => format!("{url}//"),
            _ => return Go,
        };
        s.set(Slot::Result, url);
        Go
    }),
    Step::new("tostr", "the target has the components of what was written", |s| {
        let url = s.get(Slot::Result).to_owned();
        for (part, text) in Part::COMPONENTS.into_iter().zip(components(&url)) {
            if s.present(Slot::Out(part)) != text {
                s.set(Slot::Out(part), text);
            }
        }
        Done
    }),
];

/// Returns what `furl(base).url` is.
fn written_base(s: &State<'_>) -> Result<String, String> {
    let run = s.answer(&TABLE, Question::Resolve, ("", s.base));
    run.map_or(Err(String::new()), |Run { outcome, .. }| outcome.map_err(|rejected| rejected.why))
}

fn rewrite(s: &mut State<'_>, part: Part, rewritten: impl Fn(&str) -> String) -> Next {
    if let Some(text) = s.present(Slot::Out(part)) {
        let text = rewritten(text);
        s.set(Slot::Out(part), text);
    }
    Go
}

/// Rewrites each segment of a path. `\w` of Python is any letter, any number and `_`.
fn rewritten_path(path: &str) -> String {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let is_word = |it: char| {
        use GeneralCategory::*;
        let letters = [UppercaseLetter, LowercaseLetter, TitlecaseLetter, ModifierLetter, OtherLetter];
        let numbers = [DecimalNumber, LetterNumber, OtherNumber];
        it == '_' || letters.contains(&categories.get(it)) || numbers.contains(&categories.get(it))
    };
    let safe = b":@-._~!$&'()*+,;=";
    let is_valid = |segment: &str| {
        segment.char_indices().all(|(at, it)| match it {
            '%' => is_escape(&segment[at..]),
            _ => is_word(it) || u8::try_from(it).is_ok_and(|it| safe.contains(&it)),
        })
    };
    let segment = |segment: &str| match is_valid(segment) {
        true => quoted(&urllib::unquoted(segment), safe),
        false => quoted(segment, safe),
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// Rewrites the fields of a query.
fn fields(query: &str, splits_semicolons: bool) -> String {
    let rewritten = |text: &str| quoted(&urllib::unquoted(&text.replace('+', " ")), b"").replace("%20", "+");
    let field = |field: &str| {
        let (key, value) = cut(field, "=");
        let key = rewritten(key);
        let value = value.map(rewritten).map(|value| if key.is_empty() { value.replace("%3D", "=") } else { value });
        value.map_or_else(|| key.clone(), |value| format!("{key}={value}"))
    };
    let ends = |it: char| it == '&' || it == ';' && splits_semicolons;
    query.split(ends).map(field).collect::<Vec<_>>().join("&")
}

/// The attributes of `furl(url)`.
static STATE: &[Step] = &[
    Step::new("furl(url)", "read the URL", |s| {
        s.rest = s.reference.to_owned();
        s.set(Slot::Result, s.reference);
        Call(LOAD, Side::Reference)
    }),
];
