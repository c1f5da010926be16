//! Changes of a text: what a resolver with one fault may do to a component.

use urlstrata::slots::Part;

/// What replaces a component; `None` is an absent one.
pub(crate) type Rewrite = Box<dyn Fn(Option<&str>) -> Option<String> + Send + Sync>;

/// A change with its name, a phrase: `in lower case`.
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) rewrite: Rewrite,
    /// The parts of a URL that are changed.
    pub(crate) parts: &'static [Part],
}

const AUTHORITIES: [Part; 6] = [Part::Authority, Part::Userinfo, Part::User, Part::Password, Part::Host, Part::Port];
const PATHS: [Part; 2] = [Part::Path, Part::Params];
const QUERIES: [Part; 2] = [Part::Query, Part::Fragment];
const SCHEMES: [Part; 2] = [Part::Scheme, Part::Text];

fn change(name: impl Into<String>, rewrite: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Change {
    Change { name: name.into(), rewrite: Box::new(move |text| text.and_then(&rewrite)), parts: &Part::ALL }
}

fn text(name: impl Into<String>, rewrite: impl Fn(&str) -> String + Send + Sync + 'static) -> Change {
    change(name, move |text| Some(rewrite(text)))
}

fn replaced(name: impl Into<String>, from: &'static str, to: &'static str) -> Change {
    text(name, move |text| text.replace(from, to))
}

/// Returns every change.
pub(crate) fn all() -> Vec<Change> {
    let everywhere =
        [cases(), presence(), decoded(), encoded(), removed(), ends(), lengths(), unicode()].into_iter().flatten();
    let of = |parts: &'static [Part], changes: Vec<Change>| {
        changes.into_iter().map(move |change| Change { parts, ..change })
    };
    everywhere
        .chain(of(&AUTHORITIES, authorities()))
        .chain(of(&PATHS, segments()))
        .chain(of(&QUERIES, queries()))
        .chain(of(&SCHEMES, schemes()))
        .chain(of(&[Part::Text], wholes()))
        .collect()
}

fn cases() -> Vec<Change> {
    vec![
        text("in lower case", str::to_lowercase),
        text("in upper case", str::to_uppercase),
        text("with escapes in lower case", |text| escapes(text, |escape, _| escape.to_lowercase())),
        text("with escapes in upper case", |text| escapes(text, |escape, _| escape.to_uppercase())),
    ]
}

/// Replaces each escape, which is given with its byte.
fn escapes(text: &str, replace: impl Fn(&str, u8) -> String) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        result += &rest[..at];
        rest = &rest[at..];
        let byte = rest.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let length = if byte.is_some() { 3 } else { 1 };
        match byte {
            Some(byte) => result += &replace(&rest[..3], byte),
            None => result.push('%'),
        }
        rest = &rest[length..];
    }
    result + rest
}

fn presence() -> Vec<Change> {
    let empty = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let absent = |text: Option<&str>| Some(text.unwrap_or_default().to_owned());
    vec![
        Change { name: "absent instead of empty".to_owned(), rewrite: Box::new(empty), parts: &Part::ALL },
        Change { name: "empty instead of absent".to_owned(), rewrite: Box::new(absent), parts: &Part::ALL },
        change("absent", |_| None),
        text("empty", |_| String::new()),
    ]
}

/// Characters that may be decoded or encoded, by name.
const CHARACTERS: [&str; 32] = [
    "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@", "/", "?", "#", "[", "]", "%",
    " ", "\"", "<", ">", "\\", "^", "`", "{", "|",
];

fn decoded() -> Vec<Change> {
    let one = |character: &'static str| {
        let byte = character.as_bytes()[0];
        text(format!("with %{byte:02X} decoded"), move |text| {
            escapes(text, |escape, own| if own == byte { character.to_owned() } else { escape.to_owned() })
        })
    };
    let class = |name: &str, is_in: fn(u8) -> bool| {
        text(format!("with escaped {name} decoded"), move |text| {
            escapes(text, |escape, byte| if is_in(byte) { char::from(byte).to_string() } else { escape.to_owned() })
        })
    };
    let twice = text("decoded twice", |text| text.replace("%25", "%"));
    let mut all: Vec<_> = CHARACTERS.into_iter().map(one).collect();
    all.extend([
        class("letters", |byte| byte.is_ascii_alphabetic()),
        class("digits", |byte| byte.is_ascii_digit()),
        class("control characters", |byte| byte.is_ascii_control()),
        class("characters outside ASCII", |byte| !byte.is_ascii()),
        twice,
    ]);
    all
}

fn escaped(text: &str, is_in: impl Fn(char) -> bool) -> String {
    let encode = |character: char| match is_in(character) {
        true => character.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        false => character.to_string(),
    };
    text.chars().map(encode).collect()
}

fn encoded() -> Vec<Change> {
    let one = |character: &'static str| {
        text(format!("with {character:?} encoded"), move |text| escaped(text, |own| character.starts_with(own)))
    };
    let mut all: Vec<_> = CHARACTERS.into_iter().chain(["}", "\u{7f}", "\0", "\t", "\n"]).map(one).collect();
    all.push(text("with characters outside ASCII encoded", |text| escaped(text, |own| !own.is_ascii())));
    all.push(text("with a lone percent sign encoded", |text| {
        let kept = escapes(text, |escape, _| escape.replace('%', "\u{1}"));
        kept.replace('%', "%25").replace('\u{1}', "%")
    }));
    all
}

fn removed() -> Vec<Change> {
    let characters = [
        "\0", "\t", "\n", "\r", " ", "\u{7f}", "\u{feff}", "\u{200b}", "\u{ad}", "\\", "\"", "'", "<", ">", "%", "+",
        "&", ";",
    ];
    let mut all: Vec<_> = characters.map(|it| replaced(format!("without {it:?}"), it, "")).into();
    all.extend([
        text("without white space around it", |text| text.trim().to_owned()),
        text("without white space before it", |text| text.trim_start().to_owned()),
        text("without white space after it", |text| text.trim_end().to_owned()),
        text("without control characters", |text| text.chars().filter(|it| !it.is_control()).collect()),
        text("without a dot at the end", |text| text.strip_suffix('.').unwrap_or(text).to_owned()),
        text("without a slash at the end", |text| text.strip_suffix('/').unwrap_or(text).to_owned()),
        text("without a slash at the start", |text| text.strip_prefix('/').unwrap_or(text).to_owned()),
        text("without brackets around it", |text| text.trim_start_matches('<').trim_end_matches('>').to_owned()),
        text("without a prefix URL:", |text| {
            let is_prefix = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url:"));
            if is_prefix { text[4..].to_owned() } else { text.to_owned() }
        }),
        replaced("with slashes for backslashes", "\\", "/"),
        replaced("with spaces for plus signs", "+", " "),
        replaced("with %20 for plus signs", "+", "%20"),
        replaced("with plus signs for %20", "%20", "+"),
        replaced("with plus signs for spaces", " ", "+"),
        replaced("with & for &amp;", "&amp;", "&"),
    ]);
    all
}

fn ends() -> Vec<Change> {
    let delimiters = [
        "/", "?", "#", "@", ":", ";", ",", "&", "=", "!", "'", "(", "*", "+", "|", "\\", " ", "\0", "\n", "%", "[",
        "\"", "<",
    ];
    let of = |delimiter: &'static str| {
        let first = text(format!("up to the first {delimiter:?}"), move |text| {
            text.split(delimiter).next().unwrap_or_default().to_owned()
        });
        let last = text(format!("up to the last {delimiter:?}"), move |text| {
            text.rsplit_once(delimiter).map_or(text, |(before, _)| before).to_owned()
        });
        let after_first = text(format!("after the first {delimiter:?}"), move |text| {
            text.split_once(delimiter).map_or(text, |(_, after)| after).to_owned()
        });
        let after_last = text(format!("after the last {delimiter:?}"), move |text| {
            text.rsplit(delimiter).next().unwrap_or_default().to_owned()
        });
        [first, last, after_first, after_last]
    };
    delimiters.into_iter().flat_map(of).collect()
}

fn lengths() -> Vec<Change> {
    let cut = |most: usize| text(format!("cut after {most} characters"), move |text| text.chars().take(most).collect());
    let count = |what: &'static str, most: usize| {
        text(format!("with at most {most} of {what:?}"), move |text| {
            text.splitn(most + 2, what).take(most + 1).collect::<Vec<_>>().join(what)
        })
    };
    let mut all: Vec<_> = [1, 2, 3, 8, 16, 32, 63, 64, 127, 255, 256].map(cut).into();
    all.extend([4, 8, 10, 16].map(|most| count("../", most)));
    all.extend([8, 16].map(|most| count("/", most)));
    all.push(count("?", 1));
    all
}

fn unicode() -> Vec<Change> {
    let pairs = [
        ("composed", "e\u{301}", "\u{e9}"),
        ("decomposed", "\u{e9}", "e\u{301}"),
        ("with the ohm sign composed", "\u{2126}", "\u{3a9}"),
        ("with wide letters mapped", "\u{ff21}", "A"),
        ("with wide dots mapped", "\u{ff0e}", "."),
        ("with wide slashes mapped", "\u{ff0f}", "/"),
        ("with ideographic full stops mapped", "\u{3002}", "."),
        ("with ligatures mapped", "\u{fb01}", "fi"),
        ("with the sharp s mapped", "\u{df}", "ss"),
    ];
    let mut all: Vec<_> = pairs.map(|(name, from, to)| replaced(name, from, to)).into();
    all.extend([
        text("without characters beyond U+FFFF", |text| text.chars().filter(|it| u32::from(*it) <= 0xffff).collect()),
        text("with U+FFFD for characters beyond U+FFFF", |text| {
            text.chars().map(|it| if u32::from(it) > 0xffff { '\u{fffd}' } else { it }).collect()
        }),
        text("with ? for characters beyond U+00FF", |text| {
            text.chars().map(|it| if u32::from(it) > 0xff { '?' } else { it }).collect()
        }),
        text("without characters outside ASCII", |text| text.chars().filter(char::is_ascii).collect()),
        text("read as Latin-1", |text| text.bytes().map(char::from).collect()),
    ]);
    all
}

fn authorities() -> Vec<Change> {
    let port = |number: &'static str| {
        text(format!("without the port {number}"), move |text| {
            let suffix = format!(":{number}");
            text.strip_suffix(suffix.as_str()).unwrap_or(text).to_owned()
        })
    };
    let mut all: Vec<_> = ["", "0", "21", "80", "443", "8080"].map(port).into();
    all.extend([
        text("with its host in lower case", |text| match text.rsplit_once('@') {
            Some((user, host)) => format!("{user}@{}", host.to_lowercase()),
            None => text.to_lowercase(),
        }),
        text("without zeros before the port", |text| match text.rsplit_once(':') {
            Some((host, port)) => format!("{host}:{}", port.trim_start_matches('0')),
            None => text.to_owned(),
        }),
        text("after the first of two at signs", |text| match text.split_once('@') {
            Some((_, after)) if after.contains('@') => after.to_owned(),
            _ => text.to_owned(),
        }),
        text("without an empty user", |text| text.strip_prefix('@').unwrap_or(text).to_owned()),
        text("without a password", |text| match text.split_once('@') {
            Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
            None => text.to_owned(),
        }),
        text("without an empty password", |text| text.replace(":@", "@")),
        text("without www.", |text| text.strip_prefix("www.").unwrap_or(text).to_owned()),
        text("with numbers as an address", |text| match text {
            "0177.0.0.1" | "127.1" | "2130706433" | "0x7f.1" => "127.0.0.1".to_owned(),
            _ => text.to_owned(),
        }),
        text("with the address compressed", |text| text.replace("[0:0:0:0:0:0:0:1]", "[::1]")),
    ]);
    all
}

fn segments() -> Vec<Change> {
    let each = |name: &str, keeps: fn(&str) -> bool| {
        text(name, move |text| text.split('/').filter(|segment| keeps(segment)).collect::<Vec<_>>().join("/"))
    };
    let dots = |name: &str, is_dots: fn(&str) -> bool| {
        text(name, move |text| {
            let segment = |own: &str| {
                if is_dots(own) { own.chars().filter(|it| *it == '.').take(2).collect() } else { own.to_owned() }
            };
            text.split('/').map(segment).collect::<Vec<_>>().join("/")
        })
    };
    vec![
        replaced("with one slash for two", "//", "/"),
        replaced("with two slashes for three", "///", "//"),
        each("without empty segments", |it| !it.is_empty()),
        each("without segments of three dots", |it| it != "..."),
        each("without segments that begin with a dot", |it| !it.starts_with('.') || it.starts_with("..") || it == "."),
        each("without segments that begin with two dots", |it| !it.starts_with("..") || it == ".."),
        each("without segments of a space", |it| it != " "),
        each("without dot segments", |it| it != "." && it != ".."),
        dots("with parameters of dot segments dropped", |it| it.starts_with("..;") || it.starts_with(".;")),
        dots("with spaces after dot segments dropped", |it| it.starts_with(".. ") || it.starts_with(". ")),
        text("with escaped dot segments resolved", |text| text.replace("%2e", ".").replace("%2E", ".")),
        text("without the parameters of the last segment", |text| {
            let start = text.rfind('/').map_or(0, |at| at + 1);
            let end = text[start..].find(';').map_or(text.len(), |at| start + at);
            text[..end].to_owned()
        }),
        text("without parameters", |text| {
            text.split('/').map(|own| own.split(';').next().unwrap_or_default()).collect::<Vec<_>>().join("/")
        }),
        text("with a slash at the end", |text| if text.ends_with('/') { text.to_owned() } else { format!("{text}/") }),
        text(
            "with a slash at the start",
            |text| if text.starts_with('/') { text.to_owned() } else { format!("/{text}") },
        ),
        replaced("with a vertical line as a colon", "|", ":"),
    ]
}

fn queries() -> Vec<Change> {
    let fields = |name: &str, change: fn(&mut Vec<&str>)| {
        text(name, move |text| {
            let mut fields: Vec<_> = text.split('&').collect();
            change(&mut fields);
            fields.join("&")
        })
    };
    vec![
        fields("with its fields in order", |fields| fields.sort_unstable()),
        fields("without repeated fields", |fields| fields.dedup()),
        fields("without all repeated fields", |fields| {
            let mut known = Vec::new();
            fields.retain(|field| {
                !known.contains(field) && {
                    known.push(*field);
                    true
                }
            });
        }),
        fields("without empty fields", |fields| fields.retain(|field| !field.is_empty())),
        text("with = after a name", |text| {
            if text.is_empty() || text.contains('=') { text.to_owned() } else { format!("{text}=") }
        }),
        text("without = after a name", |text| text.strip_suffix('=').unwrap_or(text).to_owned()),
        replaced("with & for semicolons", ";", "&"),
    ]
}

fn schemes() -> Vec<Change> {
    let absent = |name: &str, is_unknown: fn(&str) -> bool| {
        change(name, move |text| (!is_unknown(text)).then(|| text.to_owned()))
    };
    // Another character is taken for one of a scheme.
    let also = |name: String, is_taken: Box<dyn Fn(&str) -> bool + Send + Sync>| {
        text(name, move |text| match text.split_once(':') {
            Some((before, after)) if is_taken(before) => format!("zz:{after}"),
            _ => text.to_owned(),
        })
    };
    let is_usual = |it: char| it.is_ascii_alphanumeric() || "+-.".contains(it);
    let within = |other: char| {
        let is_taken = move |text: &str| {
            text.starts_with(|it: char| it.is_ascii_alphabetic())
                && text.contains(other)
                && text.chars().all(|it| is_usual(it) || it == other)
        };
        also(format!("with a scheme that contains {other:?}"), Box::new(is_taken))
    };
    let first = |other: char| {
        let is_taken = move |text: &str| text.starts_with(other) && text[other.len_utf8()..].chars().all(is_usual);
        also(format!("with a scheme that begins with {other:?}"), Box::new(is_taken))
    };
    let mut all: Vec<_> = "_~% /*@=$!,&'(\u{e9}".chars().map(within).collect();
    all.extend("1+-._\u{e9}".chars().map(first));
    all.extend([
        also("with a scheme after a query".to_owned(), Box::new(|it| it.contains('?'))),
        also("with an empty scheme".to_owned(), Box::new(str::is_empty)),
    ]);
    all.extend([
        absent("absent if it has a digit", |it| it.contains(|it: char| it.is_ascii_digit())),
        absent("absent if it has a plus sign", |it| it.contains('+')),
        absent("absent if it has a hyphen", |it| it.contains('-')),
        absent("absent if it has a dot", |it| it.contains('.')),
        absent("absent if it has a capital letter", |it| it.contains(|it: char| it.is_ascii_uppercase())),
        absent("absent if it has one letter", |it| it.len() == 1),
        absent("absent if it is not well known", |it| !["http", "https", "ftp", "file", "mailto"].contains(&it)),
    ]);
    all
}

/// Changes of a whole reference or URL: a component begins or ends at another delimiter.
fn wholes() -> Vec<Change> {
    let after_authority = |text: &str, delimiter: char| {
        let start = text.find("//").map_or(text.len(), |at| at + 2);
        let length = text[start..].find(['/', '?', '#', delimiter]);
        length.map_or((text.to_owned(), String::new()), |at| {
            (text[..start + at].to_owned(), text[start + at..].to_owned())
        })
    };
    let mut all: Vec<_> = ['?', '#', ';', ':', '@', '\\', ',', '&', '\0', ' ']
        .map(|delimiter| {
            text(format!("with an authority that ends at {delimiter:?}, and a slash"), move |text| {
                let (before, after) = after_authority(text, delimiter);
                if after.starts_with(delimiter) { format!("{before}/{after}") } else { text.to_owned() }
            })
        })
        .into();
    all.extend([
        text("with a slash after an authority alone", move |text| {
            let (before, after) = after_authority(text, '/');
            let is_alone = text.contains("//") && before.len() + after.len() == text.len() && after.is_empty();
            if is_alone { format!("{text}/") } else { text.to_owned() }
        }),
        text("with the query before the fragment", |text| match text.split_once('#') {
            Some((before, rest)) if !before.contains('?') && rest.contains('?') => {
                let (fragment, query) = rest.split_once('?').unwrap_or_default();
                format!("{before}?{query}#{fragment}")
            }
            _ => text.to_owned(),
        }),
        text("with one slash for several at the start", |text| match text.trim_start_matches('/') {
            rest if text.starts_with("//") => format!("/{rest}"),
            _ => text.to_owned(),
        }),
        text("with two slashes for three at the start", |text| match text.trim_start_matches('/') {
            rest if text.starts_with("///") => format!("//{rest}"),
            _ => text.to_owned(),
        }),
        replaced("with two slashes for three after a scheme", ":///", "://"),
        replaced("with two slashes for one after a scheme", "http:/g", "http://g"),
        replaced("without the scheme http", "http:", ""),
        replaced("without an empty authority", "///", "/"),
    ]);
    all
}
