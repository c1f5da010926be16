//! The tables of steps are what the engines do: they have the recorded results, each row matters, and each change has its witness.

use std::collections::BTreeSet;
use std::sync::Mutex;

use proptest::prelude::*;
use rayon::prelude::*;
use urlstrata::revision::{self, whatwg::Implementation};
use urlstrata::slots::{Exchange, Slot, Value, Write};
use urlstrata_engines::tables;
use urlstrata_harness::engine::folder::{EngineFolder, EngineFolders};
use urlstrata_harness::engine::locate::Visit;
use urlstrata_harness::engine::statement::redirected;
use urlstrata_harness::knowledge::stepped::{StatingPair, Stepped, UNSTATED, key, resolution_notes};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::protocol::Op;
use urlstrata_steps::{
    Change, EngineRun, Link, Question, RevisionRun, Run, Runner, Step, Table, chain, compare_versions,
};

use crate::stride;

fn folders() -> EngineFolders {
    EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"))
}

fn folder<'a>(folders: &'a EngineFolders, table: &Table) -> &'a EngineFolder {
    let found = folders.engines.iter().find(|folder| folder.name == table.engine);
    found.unwrap_or_else(|| panic!("no engine folder is called {}", table.engine))
}

/// Returns the rows of a table, of all questions, each once.
fn rows(table: &Table) -> Vec<&'static Step> {
    let mut rows: Vec<&'static Step> = Vec::new();
    let all = table.called.iter().copied().chain(table.questions.iter().map(|(_, steps)| *steps)).flatten();
    for row in all {
        if !rows.iter().any(|own| std::ptr::eq(*own, row)) {
            rows.push(row);
        }
    }
    rows
}

/// Versions that use a library whose tables are not those of this project: the number of pairs of the panel that differ, and why.
const EXCEPTIONS: &[(&str, usize, &str)] = &[
    ("whatwg-url@6.5.0", 5, TR46),
    ("whatwg-url@8.2.2", 1, TR46),
    ("whatwg-url@8.7.0", 1, TR46),
    ("whatwg-url@11.0.0", 1, TR46),
    ("whatwg-url@13.0.0", 1, TR46),
    ("bun@0.5.9", 1, BUN_ICU),
    ("chromium@150.0.7871.100", 7, SCHEMES),
    ("chromium@156.0.8078.73", 7, SCHEMES),
    ("core-js@3.51.0", 2, CORE_JS),
    ("firefox@140.12.0", 2, "a number over 2^64 in a host is taken modulo 2^64"),
    ("php-uri-whatwg@8.5.10", 2, LEXBOR),
    (
        "erlang-uri-string@27.3.4.1",
        12,
        "pairs were recorded with a package that does not limit the digits of a port, and URLs with one that does",
    ),
];

/// The same for the URLs about which libraries state something.
const STATED_EXCEPTIONS: &[(&str, usize, &str)] = &[
    ("whatwg-url@6.5.0", 10, TR46),
    ("whatwg-url@8.2.2", 10, TR46),
    ("whatwg-url@8.7.0", 10, TR46),
    ("whatwg-url@11.0.0", 10, TR46),
    ("whatwg-url@13.0.0", 10, TR46),
    ("chromium@150.0.7871.100", 4, SCHEMES),
    ("chromium@156.0.8078.73", 4, SCHEMES),
    ("deno@2.9.6", 5, UNICODE),
    ("firefox@140.12.0", 5, UNICODE),
    ("node-url-resolve@10.24.1", 6, ICU),
    ("node-url-resolve@16.20.2", 6, ICU),
    ("node-url-resolve@20.20.2", 8, ADA_IDNA),
    ("ip-url-parse@1.1.8", 8, ADA_IDNA),
    ("ip-url-parse@1.1.9", 8, ADA_IDNA),
    ("ip-url-parse@2.0.1", 8, ADA_IDNA),
    ("perl-iri@0.011", 1, PERL),
    ("bun@0.5.9", 10, BUN_ICU),
    ("bun@1.1.45", 5, BUN_ICU),
    ("libcurl@7.80.0", 1, "the build does not know the scheme ldap"),
    ("libcurl@7.88.1", 1, SHARP_S),
    ("libcurl-path-as-is@7.88.1", 2, SHARP_S),
    ("libcurl-urlencode@7.88.1", 2, SHARP_S),
];

/// Returns how many differences a version may have.
fn allowed(exceptions: &[(&str, usize, &str)], engine: &str, version: &str) -> usize {
    let key = format!("{engine}@{version}");
    exceptions.iter().find(|(own, ..)| *own == key).map_or(0, |(_, count, _)| *count)
}

const SCHEMES: &str = "the schemes that only Chromium knows, two paths of file and three hosts are not described";

const UNICODE: &str = "the tables of IDNA are those of Unicode 15, which does not allow U+180E";

const ICU: &str = "the IDNA of ICU is not strict about directions, and has the tables of an older version of Unicode";

const ADA_IDNA: &str = "the IDNA of Ada 2 accepts a label with xn-- that the newer one rejects, and has older tables and rules of directions";

const BUN_ICU: &str =
    "the ICU of older versions of Bun has older tables, and accepts a label with xn-- that the newer one rejects";

const CORE_JS: &str = "core-js contains a part of UTS #46, which accepts a joiner and does not map every letter";

const LEXBOR: &str = "the IDNA of Lexbor accepts a joiner and a label with xn-- that the crate idna rejects";

const PERL: &str = "Perl 5.36 matches a group at most 65,535 times, so that a longer query is rejected";

const SHARP_S: &str = "libidn2 of Debian 12 converts a capital sharp s to ss";

const TR46: &str = "the package tr46 accepts labels that begin with xn-- and are not the Punycode of anything";

/// A step that a slot names is a row of what ran.
#[test]
fn every_recorded_step_has_a_sentence() {
    let folders = folders();
    let pairs = folders.panel.pairs();
    // A step is recorded by many pairs.
    let pairs: Vec<(&str, &str)> = pairs.into_iter().step_by(stride(34).max(17)).collect();
    let named = |run: Run| {
        let steps = Slot::all().flat_map(|slot| {
            let written = run.slots.history(slot).iter().flat_map(|write| write.steps.iter().copied());
            written.chain(run.slots.left_by(slot)).collect::<Vec<_>>()
        });
        let rejecting = run.outcome.as_ref().err().map(|rejected| rejected.step);
        let without = |label: &&'static str| !label.is_empty() && run.text_of(label).text.is_empty();
        steps.chain(rejecting).filter(without).map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let revisions = revision::ALL.iter().copied().filter(|revision| revision.writes_slots);
    let revisions = revisions.map(|revision| {
        let of = |pair: &(&str, &str)| named(RevisionRun { revision, pair: *pair }.run(&[]));
        (revision.id, pairs.par_iter().flat_map_iter(of).collect::<BTreeSet<_>>())
    });
    let versions = tables().iter().flat_map(|table| [table.first, newest(table)].map(|version| (*table, version)));
    let resolving = versions.filter(|(table, _)| table.steps(Question::Resolve).is_some());
    let engines = resolving.map(|(table, version)| {
        let changes = table.changes_of(version);
        let run = |pair: &(&str, &str)| {
            let run = EngineRun { table, question: Question::Resolve, changes: &changes, pair: *pair };
            named(run.run(&[]))
        };
        (table.engine, pairs.par_iter().flat_map_iter(run).collect())
    });
    let missing: Vec<_> = revisions.chain(engines).filter(|(_, labels)| !labels.is_empty()).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// What a cause says of a side is what the side has, or has read where the other side rejects it, or it says that it would have it.
#[test]
fn a_cause_states_what_a_side_has_or_would_have() {
    let folders = folders();
    let pairs: Vec<(&str, &str)> = folders.panel.pairs().into_iter().step_by(stride(29)).collect();
    let changes: Vec<_> = tables().iter().map(|table| (*table, table.changes_of(newest(table)))).collect();
    let resolving = |(table, _): &&(&'static Table, _)| table.steps(Question::Resolve).is_some();
    let engines: Vec<_> = changes.iter().filter(resolving).collect();
    let wrong = pairs.par_iter().enumerate().flat_map_iter(|(at, pair)| {
        let engine = |at: usize| {
            let (table, changes) = engines[at % engines.len()];
            EngineRun { table, question: Question::Resolve, changes, pair: *pair }
        };
        let specified = |id| RevisionRun { revision: revision::by_id(id).expect("a revision"), pair: *pair };
        // Other engines for each pair.
        let [one, other] = [engine(at), engine(at / engines.len() + at + 1)];
        let [older, newer] = ["rfc1808", "whatwg"].map(specified);
        let sides: [[&dyn Runner; 2]; 4] = [[&one, &other], [&older, &newer], [&one, &newer], [&older, &other]];
        sides
            .into_iter()
            .flat_map(|sides| {
                let natural = sides.map(|side| side.run(&[]));
                let is_wrong = move |link: &Link| {
                    let side_is_wrong = |side: usize| {
                        let slots = &natural[side].slots;
                        // What the other side rejects is stated as it was read.
                        let was_read =
                            |write: &Write| link.rejected[1 - side].is_some() && write.value == link.values[side];
                        let has = *slots.value(link.slot) == link.values[side]
                            || slots.history(link.slot).first().is_some_and(was_read);
                        !link.would[side] && (!has || link.rejected[side].is_some() && natural[side].outcome.is_ok())
                    };
                    (0..2).any(side_is_wrong)
                };
                chain(sides).into_iter().filter(is_wrong).map(|link| format!("{pair:?}: {link}")).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the links by which two algorithms part.
fn links(question: Question, sides: [&str; 2], pair: (&str, &str)) -> Vec<Link> {
    let [one, other] = sides.map(|name| -> Box<dyn Runner> {
        match tables().iter().find(|table| table.engine == name) {
            Some(table) => {
                let changes: &'static [&'static Change] = table.changes_of(newest(table)).leak();
                Box::new(EngineRun { table, question, changes, pair })
            }
            None => Box::new(RevisionRun { revision: revision::by_id(name).expect("a revision"), pair }),
        }
    });
    chain([one.as_ref(), other.as_ref()])
}

/// Returns the key of these links.
fn parting(question: Question, sides: [&str; 2], pair: (&str, &str)) -> String {
    key(&links(question, sides, pair))
}

/// Each cause was compared with the sources of both sides. The step that is named acts on this pair.
#[test]
fn causes_of_results_name_the_step_that_acts() {
    let judged = [
        (
            "go-net-url",
            "node-url-resolve",
            "https://h//a",
            "file:c:/x",
            "the target's authority: ResolveReference: absoluteURI, net_path | format: slashes + the target's path: ResolveReference: absoluteURI, net_path | format: slashes",
        ),
        (
            "go-net-url",
            "rfc2396",
            "urn:a:b",
            "..%2F..%2Fc/d",
            "the path without dot segments: resolvePath: first = len(dst) == 1 | 6b + the target's authority: String: OmitHost | 4",
        ),
        ("libcurl", "mojo-url", "", "//1.2.3.4.5/", "the reference's scheme: parse_scheme | parse: scheme"),
        (
            "httpclient5",
            "libxml2",
            "https://h/x",
            "http://h:0080/x?",
            "the target's authority: URIBuilder.digestURI | xmlBuildURI: ref->scheme",
        ),
        (
            "firefox",
            "lxml",
            "http://h/x",
            "http://[::FFFF:127.0.0.1]/x",
            "the reference's authority: BuildNormalizedSpec: rusturl_parse_ipv6addr | _splitnetloc",
        ),
        (
            "firefox",
            "lxml",
            "http://h/x",
            "http://127.1/x",
            "the reference's authority: BuildNormalizedSpec: NormalizeIPv4 | _splitnetloc",
        ),
        (
            "firefox",
            "lxml",
            "http://h/x",
            "http://\u{fc}.example/x",
            "the reference's authority: BuildNormalizedSpec: NormalizeIDN | _splitnetloc",
        ),
        (
            "yarl",
            "php-uri-rfc3986",
            "https://h/x",
            "tag:h,2024:a/../b",
            "the path without dot segments: URL.join: scheme | RemoveDotSegmentsEx: /.//",
        ),
        ("furl", "rfc3986", "https://h/x", "http://a\\@b/", "the target's authority: furl.netloc | 5.2.2 scheme"),
        (
            "npm-url",
            "lxml",
            "../x",
            "//user%3Aname:p%40ss@h/",
            "the target's authority: parse: auth, format: host | urljoin: netloc",
        ),
        (
            "node-url-resolve",
            "lxml",
            "../x",
            "//user%3Aname:p%40ss@h/",
            "the reference's authority: parse: auth | _splitnetloc",
        ),
        (
            "java-net-url",
            "feedparser",
            "http://h/a/",
            "/?",
            "the target's query: parseURL: the query | urlunsplit: query, fragment",
        ),
        (
            "java-net-uri",
            "node-url",
            "http://h/a/",
            "?\u{fc}",
            "the target's query: parseHierarchical: the path | query 2.2",
        ),
        (
            "java-net-uri",
            "crate-oxiri",
            "file:///home/notes",
            "//h/..//../x",
            "the path without dot segments: resolve: child.authority | write_path_without_dot_segments_to",
        ),
        (
            "node-url",
            "urllib",
            "",
            "http://127.0.0.1:6666\\@1.1.1.1",
            "the target's authority: special authority ignore slashes 1, authority 2 | urljoin: no base + the target's path: path 1, path 1.4.2 | urljoin: no base",
        ),
        (
            "python-rfc3987",
            "core-js",
            "http://a/b/../c/./d",
            "wss:C:/b#%",
            "the reference's fragment: ifragment | fragment 1",
        ),
        ("crate-oxiri", "url-parse", "FILE:`/d|/%41/../~/日", "x", "the base's path: validate_path | Url: pathname"),
        (
            "crate-uriparse",
            "lxml",
            "file:///",
            "file:////one/two",
            "the target's authority: resolve: scheme | urlunsplit: uses_netloc",
        ),
        (
            "urlobject",
            "mojo-url",
            "file:\\\\u",
            "日",
            "what the base gives: URLPath.relative | Mojo::Path: merge + the target: not known | not known",
        ),
        (
            "yurl",
            "pyld",
            "http://a/b",
            "\\C:x",
            "the reference's scheme: _create_and_fix: scheme.lower | resolve: value_colon_pos",
        ),
        ("rdflib-notation3", "crate-oxiri", "/D:/x", "ws:/b", "the base's scheme: join: colonl | validate_scheme"),
        ("crate-oxiri", "urllib", "", "/a:b", "the reference's scheme: validate_scheme | urljoin: no base"),
        ("rdflib-notation3", "crate-oxiri", "/D", "ws:/b", "the base's scheme: join: colonl | validate_iri"),
        (
            "whatwg-url-without-unicode",
            "urlobject",
            "file://lion/",
            "//localhost//pig",
            "the reference's authority: file host 1.3.3 | _splitnetloc + the target's path: path 1.6 (83adf0c) | relative: other.netloc",
        ),
        (
            "whatwg-url-without-unicode",
            "urlobject",
            "",
            "http://0X7F.1/x",
            "the reference's authority: host parser 8 (83adf0c) | _splitnetloc",
        ),
        (
            "whatwg-url-without-unicode",
            "whatwg-url",
            "",
            "file://LOCALHOST/x",
            "the reference's authority: domainToASCII | file host 1.3.3",
        ),
        (
            "chromium",
            "whatwg-url-py",
            "gopher:\\\\a b/",
            "/{}/...?",
            "the base's authority: DoResolveRelative: num_slashes | host parser 7 (0672f2e)",
        ),
        (
            "chromium",
            "whatwg-url",
            "foo://h?q",
            "b",
            "the target's path: DoResolveRelativePath: base_parsed.Length | relative 5.4.2 + the target's query: DoResolveRelativePath: base_parsed.Length | query 2",
        ),
        (
            "rdflib-notation3",
            "jsonld",
            "urn://[::1/x y//?/a?q",
            "?\n #\u{e000}",
            "the target's query: join: slashr, join: path + frag | parsers.full",
        ),
        (
            "furl",
            "yarl",
            "mailto:a",
            "u^rn:<//h/",
            "the target's path: get_scheme, furl.urlsplit, Path._segments_from_path, tostr | split_url: query, fragment, PATH_REQUOTER",
        ),
        (
            "java-net-uri",
            "urllib",
            "",
            "http://a:b:[c/",
            "the reference's authority: parseAuthority: parseServer | urljoin: no base",
        ),
        ("okhttp", "qurl-encoded", "http://a/", "\\g", "the reference's path: resolvePath: /, \\ | QUrlPrivate::parse"),
    ];
    let found =
        judged.map(|(one, other, base, reference, _)| parting(Question::Resolve, [one, other], (base, reference)));
    assert_eq!(found, judged.map(|(.., expected)| expected.to_owned()));
}

/// Each cause was compared with the sources of both sides.
#[test]
fn causes_of_statements_name_the_step_that_acts() {
    let judged = [
        (
            "ufo",
            "java-net-url",
            "http://good.example#@evil.example/",
            "the reference's authority: parseURL: match, parseURL: hostAndPath | parseURL: isUNCName",
        ),
        (
            "mojo-url",
            "php-parse-url",
            "http://h.example:/",
            "the reference's host: parse: authority | php_url_parse_ex2, parse_host: the host",
        ),
        (
            "spring-web",
            "java-net-url",
            "http://[v1.a]/",
            "the reference's authority: URI_PATTERN: HOST_PATTERN | parseURL: isUNCName, parseURL: isIPv6LiteralAddress",
        ),
        (
            "spring-web",
            "urllib",
            "http://[v1.a]/",
            "the reference's authority: URI_PATTERN: HOST_PATTERN | _splitnetloc",
        ),
        (
            "firefox",
            "urllib3",
            "https://0300.0250.0.1/",
            "the reference's authority: BuildNormalizedSpec: NormalizeIPv4 | _URI_RE",
        ),
        (
            "java-net-uri",
            "httpx",
            "http://evil.test\\ok.example",
            "the reference's authority: parseAuthority: serverChars, regChars | URL_REGEX",
        ),
        (
            "go-net-url",
            "guzzle",
            "http://evil.test@@ok.example:/",
            "the reference's authority: parse: the authority | parse_url: an empty port, filterUserInfoComponent",
        ),
    ];
    let first = |(one, other, url, _): (&str, &str, &str, &str)| {
        let found = parting(Question::Parse, [one, other], ("", url));
        found.split(" + ").next().map(str::to_owned)
    };
    assert_eq!(judged.map(first), judged.map(|(.., expected)| Some(expected.to_owned())));
}

/// What is printed of a step covers the value on this pair, and a reason covers what is rejected.
#[test]
fn sentences_cover_the_value_of_the_pair() {
    let judged = [
        (Question::Resolve, ["yurl", "pyld"], ("FILE:\\\\[@0x7f.1:0", "/../c/d;p?x=1&y=2"), "but not the first slash"),
        (
            Question::Resolve,
            ["whatwg-url-without-unicode", "urlobject"],
            ("fred:///s//a/b/c", "///g"),
            "with an empty authority only if the scheme has authorities",
        ),
        (Question::Parse, ["urijs", "elixir-uri"], ("", "/\\"), "without one, the path is a slash"),
        (Question::Resolve, ["go-net-url", "urllib"], ("about:blank", "http://ho%16st/"), "the escape of one"),
    ];
    for (question, sides, pair, expected) in judged {
        let covers = |link: &Link| {
            let sentences = link.steps.iter().flatten().map(|step| step.text);
            sentences.chain(link.rejected.iter().flatten().map(String::as_str)).any(|text| text.contains(expected))
        };
        let links = links(question, sides, pair);
        assert!(links.iter().any(covers), "{sides:?} {pair:?}: {links:#?}");
    }
}

/// Where both sides only put the target together, no step is cited.
#[test]
fn a_cause_that_is_not_known_cites_no_step() {
    let of = |(engine, version)| Stepped::of(engine, version).expect("steps");
    let [one, other] = [("urlobject", "3.0.0"), ("mojo-url", "9.53")].map(of);
    let pair = (r"file:\\u", "日");
    let [left, right] = [&one, &other].map(|side| side.predict(pair.0, pair.1).expect("a result"));
    let notes = resolution_notes(&one, &other, pair, [&left, &right]);
    let last = notes.last().expect("a note");
    assert_eq!(last.question, "What is the target?");
    for (statement, source) in [(&last.from, "urlobject 3.0.0"), (&last.to, "mojo-url 9.53")] {
        assert!(statement.note.ends_with(": by which step is not known"), "{statement:?}");
        assert_eq!(statement.source, source);
    }
}

/// Otherwise a table has no exceptions: a difference from a recording is a fault of the table.
#[test]
fn tables_have_the_recorded_results() {
    let folders = folders();
    let mut compared = 0;
    let mut wrong: Vec<String> = Vec::new();
    for table in tables() {
        let folder = folder(&folders, table);
        let pairs = folder.panel.pairs();
        let described = |version: &&String| compare_versions(version, table.first).is_ge();
        for version in folder.recordings.keys().filter(described) {
            let Some(steps) = Stepped::of(table.engine, version).filter(Stepped::resolves) else { continue };
            let recording = folder.recording(version).unwrap_or_else(|error| panic!("{error}"));
            let outcomes =
                recording.expect("a recording").outcomes(&folder.panel).unwrap_or_else(|error| panic!("{error}"));
            let differs = |it: &(&(&str, &str), &Outcome)| {
                let (&(base, reference), outcome) = *it;
                let is_answer = matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
                is_answer && steps.predict(base, reference).is_some_and(|own| own.url() != outcome.url())
            };
            let allowed = allowed(EXCEPTIONS, table.engine, version);
            let faults: Vec<_> = pairs.par_iter().zip(&outcomes).step_by(stride(7)).filter(differs).collect();
            if faults.len() > allowed {
                wrong.push(format!("{steps:?}: {} pairs differ: {:?}", faults.len(), &faults[..faults.len().min(3)]));
            }
            compared += pairs.len();
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 0);
}

/// The statements that a table gives are the recorded ones: the same components with the same values, for each URL.
#[test]
fn tables_have_the_recorded_statements() {
    let folders = folders();
    let mut compared = 0;
    let mut wrong: Vec<String> = Vec::new();
    for table in tables() {
        let folder = folder(&folders, table);
        let panel = folder.panels.of(Op::Parse);
        for version in &folder.description.versions {
            let described = compare_versions(&version.version, table.first).is_ge();
            let steps = Stepped::of(table.engine, &version.version).filter(|it| described && it.states());
            let (Some(steps), Some(file)) = (steps, folder.statements(Op::Parse, &version.version)) else { continue };
            let statements = file.read(panel).and_then(|it| it.all(panel)).unwrap_or_else(|error| panic!("{error}"));
            let faults: Vec<_> = panel
                .urls()
                .par_iter()
                .zip(&statements)
                .filter_map(|(url, recorded)| {
                    let sorted = |parts: &[(String, Option<String>)]| {
                        let mut sorted: Vec<_> =
                            parts.iter().filter(|(name, _)| !UNSTATED.contains(&name.as_str())).cloned().collect();
                        sorted.sort();
                        sorted
                    };
                    let own = steps.state(url).expect("a statement");
                    let is_same = match (recorded, &own) {
                        (Ok(recorded), Ok(own)) => sorted(recorded) == sorted(own),
                        (Err(Outcome::Failure(_)), Err(_)) => true,
                        (Err(Outcome::Failure(_)), Ok(_)) | (Ok(_), Err(_)) => false,
                        (Err(Outcome::Unrepresentable(_)), own) if !url.contains('\0') => {
                            matches!(own, Err(Outcome::Unrepresentable(_)))
                        }
                        (Err(_), _) => true,
                    };
                    (!is_same).then(|| format!("{url:?}: recorded {recorded:?}, steps {own:?}"))
                })
                .collect();
            if faults.len() > allowed(STATED_EXCEPTIONS, table.engine, &version.version) {
                let count = faults.len();
                wrong.push(format!("{steps:?}: {count} URLs differ: {:#?}", &faults[..count.min(6)]));
            }
            compared += statements.len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 0);
}

/// The host and the port that a table gives are those to which the client was seen to connect, and it rejects a URL for which the client did
/// not connect.
#[test]
fn tables_connect_where_clients_were_seen() {
    compare_places(Op::Connect, CONNECTED_EXCEPTIONS);
}

/// The same for where a client goes after a redirect.
#[test]
fn tables_go_where_clients_were_seen_after_redirects() {
    compare_places(Op::Follow, FOLLOWED_EXCEPTIONS);
}

fn compare_places(op: Op, exceptions: &[(&str, usize, &str)]) {
    let folders = folders();
    let mut compared = 0;
    let mut wrong: Vec<String> = Vec::new();
    for table in tables() {
        let folder = folder(&folders, table);
        let panel = folder.panels.of(op);
        for version in &folder.description.versions {
            let Some(steps) = Stepped::of(table.engine, &version.version) else { continue };
            let place = |url: &str| if op == Op::Follow { steps.follow(url) } else { steps.connect(url) };
            let has_steps = if op == Op::Follow { steps.follows() } else { steps.connects() };
            let (true, Some(file)) = (has_steps, folder.statements(op, &version.version)) else { continue };
            let visits = file.read(panel).and_then(|it| it.all(panel)).unwrap_or_else(|error| panic!("{error}"));
            let faults: Vec<_> = panel
                .urls()
                .par_iter()
                .zip(&visits)
                .filter_map(|(url, recorded)| {
                    let own = place(url).expect("an answer");
                    let seen = Visit::new(recorded.clone());
                    let is_same = match (seen.part("host"), &own) {
                        (Some(_), Ok(own)) => Visit::new(Ok(own.clone())).is_at_location_of(&seen),
                        (Some(_), Err(_)) => false,
                        // The name server was asked, and the client does not use its answer.
                        (None, Ok(own)) if seen.part("names").is_some() => {
                            let is_asked = |name: &str| matches!(name, "host" | "names");
                            own.iter().any(|(name, value)| is_asked(name) && value.as_deref() == seen.part("names"))
                        }
                        (None, Err(_)) if seen.part("names").is_some() => false,
                        // The client rejected the URL, or the resolver its host.
                        (None, own) => {
                            own.is_err() || matches!(recorded, Err(Outcome::Skipped(_) | Outcome::Timeout(_)))
                        }
                    };
                    (!is_same).then(|| format!("{url:?}: seen {:?}, steps {own:?}", seen.parts))
                })
                .collect();
            if faults.len() != allowed(exceptions, table.engine, &version.version) {
                let count = faults.len();
                wrong.push(format!("{steps:?}: {count} URLs differ: {:#?}", &faults[..count.min(SHOWN)]));
            }
            compared += visits.len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 0);
}

/// The number of faults that a message shows.
const SHOWN: usize = 30;

/// The number of URLs for which the steps of a version and what was seen differ, each with its reason.
const CONNECTED_EXCEPTIONS: &[(&str, usize, &str)] = &[
    (
        "chromium@156.0.8078.73",
        3,
        "a full-width digit in an address, view-source, and a host for which only https is used",
    ),
    ("symfony-http-client-native@5.4.53", 2, "it writes the address over a part of a host that ends in a colon"),
    ("apache-http-5@5.6.4", 1, "it asks for a host before it rejects the scheme foo with the port 0"),
    ("wget@1.25.0", 1, "`./a:b` is not asked for"),
    ("urllib-request@3.14.10", 10, "for file, it asks for the host"),
    ("aria2@1.36.0", 2, "white space after an IPv6 address: the cause is not known"),
    ("wget@1.21.3", 1, OLD_IDN2),
    ("curl@7.88.1", 1, OLD_IDN2),
    ("php-curl@8.2.32", 1, OLD_IDN2),
    ("guzzle-http@7.4.5", 1, OLD_IDN2),
    ("lwp@6.83", 5, PERL_BYTES),
    ("lwp@6.68", 5, PERL_BYTES),
    ("mojo-useragent@9.53", 1, "null is the name of the service at port 9"),
    ("mojo-useragent@9.31", 1, "null is the name of the service at port 9"),
    ("needle@3.5.0", 7, ADA_IDNA),
    ("java-httpurlconnection@26.0.2.1", 1, "ftp with a percent sign in a user: the cause is not known"),
    ("open-uri@3.3.8", 5, "URLs of ftp without a file, or with parameters"),
];

/// The number of redirects for which the steps of a version and what was seen differ, each with its reason.
const FOLLOWED_EXCEPTIONS: &[(&str, usize, &str)] = &[
    ("curl@7.88.1", 6, CURL_SPACE),
    ("php-curl@8.2.32", 6, CURL_SPACE),
    ("requests@2.34.2", 6, "it does not prepare the target, so that a port 0 stays"),
    ("symfony-http-client@5.4.53", 6, "libcurl follows the location as it is, so that a port 0 stays"),
    ("lwp@6.68", 1, LOWER_BYTES),
    ("lwp@6.83", 1, LOWER_BYTES),
    ("apache-http-5@5.2.1", 6, "after a redirect, a path that begins with two slashes is not rejected"),
    ("apache-http-5@5.6.4", 1, "how it reads U+FEFF in the host of a location is not described"),
];

const CURL_SPACE: &str = "what it takes for white space around a field contains U+000B and U+000C";

const LOWER_BYTES: &str = "the location is bytes, whose capital letters outside ASCII stay";

const OLD_IDN2: &str = "its older libidn2 writes FAẞ as fass";

/// The bytes of a decoded host are converted, of which Perl writes only ASCII in lower case.
const PERL_BYTES: &str = "lc leaves bytes outside ASCII as they are";

/// A statement that the steps do not have is not explained by them.
#[test]
fn only_the_statements_of_the_steps_are_explained() {
    let sides = [("urllib", "3.14.10"), ("node-url", "26.10.0")].map(|(engine, version)| Stepped::of(engine, version));
    let url = r"http://a\@b/";
    let stated = sides.each_ref().map(|side| side.as_ref().and_then(|side| side.state(url)).expect("a statement"));
    let pair = StatingPair::new(sides).expect("both state components");
    let [one, other] = stated.each_ref();
    let notes = pair.notes(url, [one, other]);
    assert!(notes[0].question.starts_with("What is the URL's"), "{notes:?}");
    assert!(pair.notes(url, [other, one]).is_empty());
    assert!(pair.notes(url, [one, &Err(Outcome::Failure("no".to_owned()))]).is_empty());
    assert!(pair.notes(url, [one, &Err(Outcome::Crash("no".to_owned()))]).is_empty());
}

/// A default port that is added to an authority is not why it is accepted.
#[test]
fn an_authority_is_not_accepted_because_of_what_is_added_to_it() {
    for (engine, version) in [("glib-http", "2.90.1"), ("glib", "2.90.1")] {
        let sides = [(engine, version), ("httpclient5", "5.6.4")].map(|(engine, version)| Stepped::of(engine, version));
        let url = "http://A[b";
        let stated = sides.each_ref().map(|side| side.as_ref().and_then(|side| side.state(url)).expect("a statement"));
        let notes = StatingPair::new(sides).expect("both state components").notes(url, stated.each_ref());
        let from = &notes[0].from.note;
        assert!(from.starts_with("`A[b`: not rejected: after two slashes"), "{engine}: {notes:?}");
    }
}

/// The program states no text of a component that is not text.
#[test]
fn components_that_are_not_utf_8_are_unrepresentable() {
    for (engine, version) in [("go-net-url", "1.27.3"), ("libxml2", "2.15.4")] {
        let steps = Stepped::of(engine, version).expect("steps");
        let stated = |url| steps.state(url).expect("a statement");
        assert!(matches!(stated("http://%ff/"), Err(Outcome::Unrepresentable(_))), "{engine}");
        assert!(stated("http://%c3%a9/").is_ok(), "{engine}");
    }
}

/// Digits of Arabic have no direction of their own, and a letter of Hebrew has. `java.net.IDN` and the codec `idna` of Python answer so.
#[test]
fn only_letters_of_one_direction_are_a_label_of_idna_2003() {
    let steps = Stepped::of("okhttp-client", "3.13.1").expect("steps");
    let host = |label: &str| {
        let parts = steps.connect(&format!("http://{label}.example/")).expect("an answer").ok()?;
        parts.into_iter().find(|(name, _)| name == "host")?.1
    };
    assert_eq!(host("test\u{663}evil").as_deref(), Some("xn--testevil-wcl.example"));
    assert_eq!(host("\u{5d0}\u{5b0}\u{5d1}").as_deref(), Some("xn--7cb7de.example"));
    for label in ["a\u{5d0}", "\u{5d0}1", "1\u{5d0}", "\u{5d0}a\u{5d0}"] {
        assert_eq!(host(label), None, "{label:?}");
    }
}

/// A host of characters that IDNA drops leads Go to this host.
#[test]
fn a_host_of_which_nothing_remains_is_this_one() {
    let steps = Stepped::of("go-net-http", "1.27.3").expect("steps");
    for url in ["http://\u{200b}/", "http://\u{ad}\u{2060}/", "http://:80/"] {
        let parts = steps.connect(url).expect("an answer").expect("a host");
        assert!(parts.contains(&("host".to_owned(), Some("127.0.0.1".to_owned()))), "{url:?}: {parts:?}");
    }
}

/// Returns the host to which a version connects by its steps; `None` if it rejects the URL.
fn connected(engine: &str, version: &str, url: &str) -> Result<Option<String>, Outcome> {
    let parts = Stepped::of(engine, version).expect("steps").connect(url).expect("an answer")?;
    Ok(parts.into_iter().find(|(name, _)| name == "host").and_then(|(_, host)| host))
}

#[track_caller]
fn assert_connects(engine: &str, version: &str, host: &str, expected: &str) {
    let place = connected(engine, version, &format!("http://{host}/"));
    assert_eq!(
        place.as_ref().ok().and_then(|it| it.as_deref()),
        Some(expected),
        "{engine} {version} {host}: {place:?}"
    );
}

#[track_caller]
fn assert_rejects(engine: &str, version: &str, host: &str) {
    let place = connected(engine, version, &format!("http://{host}/"));
    assert!(matches!(place, Err(Outcome::Failure(_))), "{engine} {version} {host}: {place:?}");
}

/// Ruby 3.1 connects by sockets with `IPV6_V6ONLY`, for which an address that maps one of IPv4 is unreachable. Ruby 3.2 and later do not.
#[test]
fn mapped_addresses_are_unreachable_by_sockets_for_ipv6_alone() {
    for (engine, version) in [("net-http", "3.1.2"), ("faraday", "1.1.0"), ("httparty", "0.21.0")] {
        for host in ["[::ffff:10.1.2.3]", "[::ffff:0a01:0203]", "[0:0:0:0:0:FFFF:a9fe:a9fe]", "[::ffff:0.0.0.0]"] {
            assert_rejects(engine, version, host);
        }
        assert_connects(engine, version, "[::10.1.2.3]", "[::a01:203]");
        assert_connects(engine, version, "[fd00::1]", "[fd00::1]");
        assert_connects(engine, version, "10.1.2.3", "10.1.2.3");
    }
    assert_connects("net-http", "3.1.2", "[fd00::1]:65536", "[fd00::1]");
    assert_rejects("net-http", "3.1.2", "[fd00::1]:4294967296");
    assert_connects("net-http", "3.3.8", "[fd00::1]:4294967296", "[fd00::1]");
    assert_rejects("net-http", "3.3.8", "[fd00::1]:2147483648");
    assert_connects("net-http", "3.2.0", "[::ffff:10.1.2.3]", "10.1.2.3");
    assert_connects("net-http", "3.3.8", "[::ffff:10.1.2.3]", "10.1.2.3");
}

/// Each host has the interface `lo`, which is the first one. Whether it has another one is not known.
#[test]
fn the_interface_of_an_address_of_a_link_is_known_or_open() {
    for (engine, version, escaped) in [
        ("aiohttp", "3.14.5", ""),
        ("urllib-request", "3.14.10", ""),
        ("go-net-http", "1.27.3", "25"),
        ("curl", "8.23.0", "25"),
    ] {
        let host = |address: &str, zone: &str| format!("[{address}%{escaped}{zone}]");
        assert_connects(engine, version, &host("fe80::1", "lo"), "[fe80::1]");
        assert_connects(engine, version, &host("fe80::1", "1"), "[fe80::1]");
        assert_rejects(engine, version, "[fe80::1]");
        assert_rejects(engine, version, &host("ff02::1", "lo"));
        for zone in ["eth0", "2"] {
            let place = connected(engine, version, &format!("http://{}/", host("fe80::1", zone)));
            assert!(
                matches!(&place, Err(Outcome::Skipped(why)) if why.starts_with("not known: ")),
                "{engine} {place:?}"
            );
        }
    }
}

/// Zeros precede the numbers of an IPv6 address, and decimal numbers are not octal. An address that maps one of IPv4 has no zone.
#[test]
fn java_has_its_own_notations_of_ipv6_addresses() {
    let (engine, version) = ("java-httpurlconnection", "26.0.2.1");
    assert_connects(engine, version, "[::ffff:010.1.2.3]", "10.1.2.3");
    assert_connects(engine, version, "[00000::00001]", "[::1]");
    assert_connects(engine, version, "[::0.0.0.0]", "127.0.0.1");
    assert_connects("java-http-client", version, "[::0.0.0.0]", "[::1]");
    assert_rejects(engine, version, "[::ffff:10.1.2.3%1]");
    assert_rejects(engine, version, "[fe80::1%lo]");
    assert_connects(engine, version, "[fe80::1%1]", "[fe80::1]");
}

/// No connection of TCP leads to several hosts.
#[test]
fn addresses_of_several_hosts_are_rejected() {
    for (engine, version) in [("requests", "2.34.2"), ("curl", "8.23.0"), ("go-net-http", "1.27.3"), ("got", "16.1.0")]
    {
        for host in ["[ff02::1]", "[ff0e::1]", "[::ffff:224.0.0.1]", "224.0.0.1", "239.255.255.250", "255.255.255.255"]
        {
            assert_rejects(engine, version, host);
        }
        assert_connects(engine, version, "240.0.0.1", "240.0.0.1");
    }
}

/// A name server is asked for a name without its last dot. A name of numbers keeps it, because it is not an address.
#[test]
fn predicted_names_are_spelled_as_a_name_server_sees_them() {
    for (engine, version) in [("requests", "2.34.2"), ("aiohttp", "3.14.5"), ("okhttp-client", "3.13.1")] {
        assert_connects(engine, version, "ok.example.", "ok.example");
    }
    assert_connects("net-http", "3.3.8", "Ok.Example", "Ok.Example");
    assert_connects("httparty", "0.21.0", "Ok.Example", "ok.example");
    assert_connects("requests", "2.34.2", "10.1.2.3.", "10.1.2.3.");
    assert_connects("requests", "2.34.2", "10.1.2.3", "10.1.2.3");
    assert_connects("go-net-http", "1.27.3", "0x0a010203", "0x0a010203.");
}

/// axios and got look for two slashes after what the URL Standard removes.
#[test]
fn clients_that_require_two_slashes_see_a_scheme_after_a_space() {
    for (engine, version) in [("axios", "1.21.1"), ("got", "16.1.0")] {
        let steps = Stepped::of(engine, version).expect("steps");
        let connects = |url: &str| steps.connect(url).expect("an answer").is_ok();
        for before in ["", " ", "\u{1f}", "\t \u{c}"] {
            assert!(!connects(&format!("{before}http:/ok.example/")), "{engine} {before:?}");
            assert!(connects(&format!("{before}http://ok.example/")), "{engine} {before:?}");
        }
    }
}

/// A client that asks for IPv4 alone does not get an address for digits and dots that are not one.
#[test]
fn curl_connects_to_numbers_that_are_not_addresses_before_8_20() {
    for (engine, version, connects) in
        [("curl", "7.88.1", true), ("curl", "8.19.0", true), ("curl", "8.20.0", false), ("php-curl", "8.4.27", false)]
    {
        let steps = Stepped::of(engine, version).expect("steps");
        for host in ["4294967296", "127.0.0.11.1.1.1", "1.2.3.4.5"] {
            let url = format!("http://{host}/");
            let parts = steps.connect(&url).expect("an answer").expect("a name that is asked for");
            let expected = if connects { "host" } else { "names" };
            assert_eq!(parts[0], (expected.to_owned(), Some(host.to_owned())), "{engine} {version} {url}");
        }
    }
}

/// A mistake in a pattern of Ruby requires a group before two colons and six groups. No pair of the panel shows it.
#[test]
fn ruby_rejects_two_colons_before_six_groups() {
    let rejects = |reference: &str| {
        let steps = Stepped::of("ruby-uri", "0.13.2").expect("steps");
        steps.predict("", reference).is_some_and(|outcome| outcome.url().is_none())
    };
    assert!(rejects("http://[::1:2:3:4:5:6]/") && rejects("http://[::1:2:3:4:1.2.3.4]/"));
    assert!(!rejects("http://[::1:2:3:4:5:6:7]/") && !rejects("http://[::1:2:3:4:5]/"));
}

#[test]
fn labels_are_unique_and_rows_have_sentences() {
    for table in tables() {
        let mut labels = BTreeSet::new();
        for row in rows(table) {
            assert!(labels.insert(row.label), "{}: two rows are called {:?}", table.engine, row.label);
            assert!(!row.label.is_empty() && !row.says.is_empty(), "{}: {:?}", table.engine, row.label);
        }
    }
}

/// Returns what a run shows: its result, or what it states, the name that it asks for, and the histories of its slots.
fn shown(run: &Run) -> (Result<String, Slot>, Option<String>, Vec<String>) {
    let history = |slot: Slot| format!("{slot} {:?} {:?}", run.slots.history(slot), run.slots.left_by(slot));
    // A row that rejects shows in what is rejected.
    let outcome = run.outcome.clone().map_err(|rejected| rejected.slot);
    (outcome, run.asked.clone(), Slot::all().map(history).collect())
}

macro_rules! long {
    () => {
        "0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.0123456789.012345678"
    };
}

/// Pairs on which rows show that no pair of the panel reaches.
const RARE: &[(&str, &str)] = &[
    // A scheme of 261 characters.
    ("http://a/", concat!("s", long!(), long!(), ":")),
    ("", "http://a.localhost/"),
    ("", "http://localhost./"),
    // A host of 260 characters.
    ("", concat!("http://", long!(), long!(), "/")),
    ("http:", "%2A"),
    ("ftp://h/a", "b"),
    ("ftp://h/a", "/b;type=i"),
    ("a/b", "../c:d"),
    ("a/b/c", "../../d:e"),
    ("a", "./b:c"),
    ("", "./b:c"),
    ("http://a/b#f", "#f"),
    ("http://a/b", "//%zz"),
    ("http://a/b", "//a%zz_"),
    ("", "http://[a/b"),
    ("", "http://[::1x/"),
    ("", "file:"),
    ("", "file://"),
    ("", "file:///"),
    ("", "x:////a"),
    ("x:a", "/.//b"),
    ("x:", "////b"),
    // What the crate url does with drive letters.
    ("", "file:///../d|/"),
    ("file:///a/C:", ".."),
    ("file:///a/C:", "b"),
    ("", "file:/C:\t../b"),
    ("", "file://localhost/C|/"),
    ("", "foo://:@/"),
    // A host that urllib.request decodes twice.
    ("", "ftp://%2561/"),
    // A port that an end of line follows.
    ("", "ftp://h:2%0A/"),
    // A port in parentheses.
    ("", "javascript:alert(1)"),
    // What Ada does with dots and with an empty query of the base.
    ("", "http://h/a/.b/../c"),
    ("foo:?", "#"),
    ("file:///a?", ""),
    // What Bun does with drive letters and with what credentials precede.
    ("", "file://C:?q"),
    ("", "file:./C|/x"),
    ("", "file://h/C|/.."),
    ("", "foo:///.\\b"),
    ("", "a://\x7f:8/"),
    ("", "ws://u@h:8\\b"),
    // A name that TLS does not take.
    ("", "https://a./"),
    // A redirect from https to http.
    ("https://a/", "http://a/"),
    // Names that are this host.
    ("", "http://*/"),
    ("", "http://\u{200b}/"),
    // An address that the patterns of Ruby do not match.
    ("", "http://[::1:2:3:4:5:6]/"),
    // What Lexbor takes for a drive letter.
    ("file:///a:b", "c"),
    // Numbers for Python's `int`.
    ("http://a/", "http://-1/"),
    ("http://a/", "http://-1:8/"),
    ("http://a/", "file://-1/"),
    // The first two escapes are not UTF-8, and the second is decoded.
    ("http://a/b", "?%80%2541"),
    ("", "url:http:a"),
    ("", "http://[::1%[]/"),
    ("", "jar:b"),
    ("", "jar:file:/a!/b"),
    ("", " jar:file:/a!/b"),
    ("", "jar:jar:file:/a!/b!/c"),
    ("jar:file:/a!/b?q", "#f"),
    ("jar:file:/a!/b/c", "../x/./y?z"),
    ("jar:file:/a!/b/c", ".."),
    ("jar:file:/a!/b/c", "."),
    ("http://a/", "//%31.2.3.4/"),
    ("foo://h:é?q", "%2e"),
    ("http://a/", "url:jar:#b"),
    (" ldapi://a/", "//[b]/c"),
    ("", "geo:90,5"),
    (" geo:1,2", "//b"),
    (" sip:a", "b"),
    ("http://::1/", "a"),
    // A host whose compatible form has a slash.
    ("", "//a\u{2100}b/"),
    // A delimiter in a host, and an escape.
    ("", "foo://a@b@c%41"),
    ("", "mailto:?to"),
    ("", "\"a\""),
    ("", "sip:a;b"),
    ("", "sip:a?b"),
    // A separator of lines in the path of an IRI.
    ("http://a/", "/\u{2028}"),
    // A user in brackets, and a bracket after the host.
    ("", "//[::1]@h]"),
    // What Chromium takes for the last slash of a base.
    ("foo:/a\\b", "x"),
    ("", "http://%5B::1]:8/"),
    // What Firefox leaves out of a URL in base64.
    ("", "data:;base64,a b"),
    ("", "da\tta:a"),
    // A label of ASCII after one from right to left.
    ("", "http://א.a;/"),
    // A scheme that PHP takes for an empty text.
    ("", "0:a"),
    // A drive letter that the crate `url` does not find at the start of the reference.
    ("file://h/", "/../D:"),
];

/// Rows that the source has and that change nothing on any of these pairs: it is not known which pair would show them.
const UNREACHED: &[&str] = &[
    "addressable: URI#path=",
    "addressable: URI#validate: two leading slashes",
    "elixir-uri: to_string: :path",
    "go-net-url: String: ./",
    "java-net-uri: parseAuthority: regChars",
    "libcurl: parseurl: url",
    "libcurl: handle_path: no path",
    "libcurl: urlget_url: (nil)",
    "node-url-resolve: format: newPathname",
    "ruby-uri-rfc2396: Generic#to_s: host",
];

/// A row that changes nothing anywhere is not what the source does, or says nothing.
#[test]
fn every_row_matters() {
    let folders = folders();
    let is_same = |one: &Step, other: &Step| one.label == other.label && one.says == other.says;
    let tables_with = |row: &Step| tables().iter().filter(|it| rows(it).iter().any(|own| is_same(own, row))).count();
    // A row that several tables share matters in one of them, which needs all of them.
    let is_asked = |row: &&'static Step| stride(9) == 1 || tables_with(row) == 1;
    let mut idle: Vec<(&Table, &'static Step)> = Vec::new();
    let mut moving: Vec<&'static Step> = Vec::new();
    for table in tables() {
        let folder = folder(&folders, table);
        let witnesses = table.changes.iter().filter_map(|change| change.witness.as_ref());
        let witnesses = witnesses.map(|it| (it.base, it.reference)).chain(RARE.iter().copied());
        let pairs: Vec<(&str, &str)> = witnesses.chain(folder.panel.pairs()).collect();
        let rare = RARE.iter().copied().filter(|(base, _)| base.is_empty());
        let urls = folder.panels.of(Op::Parse).urls().iter().map(|url| ("", url.as_str()));
        let urls: Vec<(&str, &str)> = urls.chain(rare).collect();
        let redirects = folder.panels.of(Op::Follow).urls().iter().filter_map(|text| redirected(text));
        let redirects: Vec<(&str, &str)> = redirects.chain(RARE.iter().copied()).collect();
        // Few rows need more than a part of the pairs.
        let close = |changes: &[&'static Change], open: &mut Vec<&'static Step>| {
            for (step, (question, _)) in
                [16, 1].into_iter().flat_map(|step| table.questions.iter().map(move |it| (step, it)))
            {
                let asked = match question {
                    _ if open.is_empty() => return,
                    Question::Resolve => &pairs,
                    Question::Follow => &redirects,
                    Question::Parse | Question::Connect => &urls,
                };
                let asked: Vec<(&str, &str)> = asked.iter().copied().step_by(step).collect();
                let moved = moved(table, *question, changes, &asked, open);
                open.retain(|row| !moved.contains(row.label));
            }
        };
        let mut open: Vec<&'static Step> = rows(table).into_iter().step_by(stride(9)).filter(is_asked).collect();
        let is_unreached = |row: &Step| UNREACHED.contains(&format!("{}: {}", table.engine, row.label).as_str());
        open.retain(|row| !is_unreached(row) && !moving.iter().any(|own| is_same(own, row)));
        let all = open.clone();
        // The newest version first, then the oldest one, and those before and since the changes of rows.
        let mut versions: Vec<&str> = table.changes.iter().flat_map(|change| change.versions).copied().collect();
        versions.push(table.first);
        versions.sort_by(|one, other| compare_versions(other, one));
        versions.dedup();
        let ends = [versions.first().copied(), versions.last().copied()].into_iter().flatten();
        let versions: Vec<&str> = ends.chain(versions.iter().copied()).collect();
        for (at, version) in versions.iter().enumerate() {
            // Between the ends, only a version with a change of a row that is open.
            let is_change = |change: Option<&Change>| change.is_some_and(|it| it.versions.contains(version));
            if open.is_empty() || at > 1 && !open.iter().any(|row| is_change(row.since) || is_change(row.until)) {
                continue;
            }
            close(&table.changes_of(version), &mut open);
        }
        // A version that has a later fix in addition, without it.
        for dated in table.dated {
            let mut changes = table.changes_of(dated.version);
            changes.retain(|change| !dated.changes.contains(&change.id));
            close(&changes, &mut open);
        }
        moving.extend(all.into_iter().filter(|row| !open.iter().any(|own| std::ptr::eq(*own, *row))));
        idle.extend(open.into_iter().map(|row| (*table, row)));
    }
    idle.retain(|(_, row)| !moving.iter().any(|own| is_same(own, row)));
    let idle: Vec<String> = idle.iter().map(|(table, row)| format!("{}: {}", table.engine, row.label)).collect();
    assert!(idle.is_empty(), "these rows change nothing: {idle:#?}");
}

/// Returns the labels of those of `open` without which a run of a version with `changes` shows something else on one of `asked`.
fn moved(
    table: &'static Table,
    question: Question,
    changes: &[&'static Change],
    asked: &[(&str, &str)],
    open: &[&'static Step],
) -> BTreeSet<&'static str> {
    let moved: Mutex<BTreeSet<&'static str>> = Mutex::default();
    asked.par_iter().for_each(|pair| {
        let run = table.record(question, changes, *pair, &[]).expect("an answer");
        let is_open = |label: &&'static str| !moved.lock().expect("no panic").contains(label);
        // A row that did not run changes nothing.
        let ran: BTreeSet<&'static str> = run.steps.iter().map(|step| step.label).collect();
        let labels = open.iter().map(|row| row.label).filter(|label| ran.contains(label)).filter(is_open);
        let labels: Vec<&'static str> = labels.collect();
        if labels.is_empty() {
            return;
        }
        let own = shown(&run);
        for label in labels {
            let without = table.record_without(label, question, changes, *pair).expect("an answer");
            if shown(&without) != own {
                moved.lock().expect("no panic").insert(label);
            }
        }
    });
    moved.into_inner().expect("no panic")
}

/// The same for the steps that an engine does instead of those of the URL Standard.
#[test]
fn every_own_step_matters() {
    let folders = folders();
    let mut idle: Vec<String> = Vec::new();
    for table in tables() {
        let Some(standard) = table.standard else { continue };
        let pairs = folder(&folders, table).panel.pairs();
        let mut asked: Vec<(&str, &str)> = RARE.to_vec();
        asked.extend(pairs);
        let implementations = [table.first, newest(table)].map(|version| standard(&table.changes_of(version)));
        for implementation in &implementations {
            for step in &implementation.own {
                let mut without = implementation.clone();
                without.own.retain(|own| !std::ptr::eq(*own, *step));
                let url = |own: &Implementation, pair: (&str, &str)| own.resolve(pair.0, pair.1).ok().map(|it| it.url);
                let matters = asked.par_iter().any(|pair| url(implementation, *pair) != url(&without, *pair));
                let labels: Vec<_> = implementation.steps().iter().map(|it| it.label).collect();
                assert!(
                    labels.contains(&step.label) && labels.contains(&step.instead_of),
                    "{}: {step:?}",
                    table.engine
                );
                if !matters {
                    idle.push(format!("{}: {step:?}", table.engine));
                }
            }
        }
    }
    assert!(idle.is_empty(), "these steps change nothing: {idle:#?}");
}

#[test]
fn changes_have_their_witnesses() {
    // Ada is called by engines and is not one itself.
    for table in tables().iter().chain([&&urlstrata_engines::ada::TABLE]) {
        for change in table.changes {
            let about = format!("{} {}", table.engine, change.id);
            assert!(!change.versions.is_empty() && !change.says.is_empty(), "{about}");
            // The date may be unknown.
            assert!(change.date.chars().all(|it| it.is_ascii_digit() || it == '-'), "{about}: {:?}", change.date);
            assert!(change.issue.is_empty() || change.issue.starts_with("https://"), "{about}: {:?}", change.issue);
            let Some(witness) = &change.witness else { continue };
            // The changes are in the order of their dates, and each builds on those before it.
            let newest = change.versions.iter().max_by(|one, other| compare_versions(one, other)).expect("a version");
            let is_own = |own: &&'static Change| table.changes.iter().any(|other| std::ptr::eq(*other, *own));
            let called = table.changes_of(newest).into_iter().filter(|own| !is_own(own));
            let mut before: Vec<&'static Change> = called.collect();
            before.extend(table.changes.iter().copied().take_while(|own| !std::ptr::eq(*own, *change)));
            let since: Vec<&'static Change> = before.iter().copied().chain([*change]).collect();
            let result = |changes: &[&'static Change]| {
                let pair = (witness.base, witness.reference);
                let run = table.record(witness.question, changes, pair, &[]).expect("the table answers");
                match witness.question {
                    Question::Resolve | Question::Follow => run.url().map(str::to_owned),
                    Question::Parse | Question::Connect => run.statement(),
                }
            };
            assert_eq!(result(&before).as_deref(), witness.before, "before {about}");
            assert_eq!(result(&since).as_deref(), witness.after, "since {about}");
        }
    }
}

fn newest(table: &'static Table) -> &'static str {
    let all = table.changes.iter().flat_map(|change| change.versions).copied().chain([table.first]);
    all.max_by(|one, other| compare_versions(one, other)).expect("a version")
}

const TEXT: &str = "([a-z]{0,4}:)?/{0,3}[a.1@:%e\\[\\]é\\\\ ?#;/-]{0,14}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_are_total(base in TEXT, reference in TEXT, text in proptest::option::of(TEXT), at in 0..Slot::COUNT) {
        let slot = Slot::all().nth(at).expect("a slot");
        for table in tables() {
            for changes in [table.first, newest(table)].map(|version| table.changes_of(version)) {
                let pair = (base.as_str(), reference.as_str());
                for (question, _) in table.questions {
                    for after in [1, 2] {
                        let exchange = Exchange { slot, after, value: Value::from(text.clone()) };
                        table.record(*question, &changes, pair, &[exchange]);
                    }
                    // Recording changes nothing.
                    let plain = table.answer(*question, &changes, pair).expect("an answer");
                    let recorded = table.record(*question, &changes, pair, &[]).expect("an answer");
                    prop_assert_eq!(plain.url(), recorded.url());
                }
            }
        }
    }

    #[test]
    fn every_difference_of_two_engines_has_a_link(base in TEXT, reference in TEXT) {
        let pair = (base.as_str(), reference.as_str());
        let resolving = tables().iter().filter(|table| table.steps(Question::Resolve).is_some());
        let resolving: Vec<_> = resolving.map(|&table| (table, table.changes_of(newest(table)))).collect();
        let run = |(table, changes)| EngineRun { table, question: Question::Resolve, changes, pair };
        let runs: Vec<_> = resolving.iter().map(|(table, changes)| run((*table, &changes[..]))).collect();
        for (one, other) in runs.iter().zip(runs.iter().skip(1)) {
            let result = |run: &EngineRun<'_>| {
                let answer = run.table.answer(Question::Resolve, run.changes, pair).expect("an answer");
                answer.url().map(str::to_owned)
            };
            let links = chain([one, other]);
            prop_assert_eq!(links.is_empty(), result(one) == result(other), "{:?}", links);
        }
    }
    #[test]
    fn every_difference_of_two_statements_has_a_link(url in TEXT) {
        let pair = ("", url.as_str());
        let stating = tables().iter().filter(|table| table.steps(Question::Parse).is_some());
        let stating: Vec<_> = stating.map(|&table| (table, table.changes_of(newest(table)))).collect();
        let run = |(table, changes)| EngineRun { table, question: Question::Parse, changes, pair };
        let runs: Vec<_> = stating.iter().map(|(table, changes)| run((*table, &changes[..]))).collect();
        for (one, other) in runs.iter().zip(runs.iter().skip(1)) {
            let stated = |run: &EngineRun<'_>| {
                run.table.answer(Question::Parse, run.changes, pair).expect("an answer").stated()
            };
            let alike = match (stated(one), stated(other)) {
                (Some(one), Some(other)) => one.iter().all(|(part, value)| {
                    let value = value.as_deref().unwrap_or_default();
                    let found = other.iter().find(|(own, _)| own == part);
                    let bare = |text: &str| text.trim_matches(['[', ']']).to_lowercase();
                    found.is_none_or(|(_, found)| bare(found.as_deref().unwrap_or_default()) == bare(value))
                }),
                (one, other) => one.is_none() && other.is_none(),
            };
            let links = chain([one, other]);
            prop_assert!(alike || !links.is_empty(), "{one:?} {other:?}", one = one.table.engine, other = other.table.engine);
        }
    }
}
