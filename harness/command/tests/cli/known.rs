//! The check of known deviations reports every difference in both directions: new, fixed, changed, unused and missing
//! entries.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use crate::folder::Folder;
use urlstrata::revision::rfc3986;
use urlstrata::rules::{EmptyFragment, Rules};
use urlstrata_harness::behaviour::{Behaviour, DefaultPort};
use urlstrata_harness::engine::Engine;
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::knowledge::attribute::Model;
use urlstrata_harness::knowledge::behaviours::outcome;
use urlstrata_harness::knowledge::known::{
    self, Beyond, Deviation, DeviationKind, Finding, KnownEngine, OutcomeWithoutUrl,
};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::vector::Suite;
use urlstrata_harness::world::World;

/// An engine that resolves as its behaviour predicts, except for the reference `?` against `http://a/`.
struct Made {
    behaviour: Behaviour,
    version: &'static str,
    /// The URL that it returns for the exceptional pair. `crash` means that it panics, `decode` that it decodes `%7E` in every
    /// result instead; `None` means no exception.
    odd: Option<&'static str>,
}

impl Engine for Made {
    fn name(&self) -> &str {
        "test:made"
    }

    fn version(&self) -> &str {
        self.version
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        match self.odd {
            Some("crash") if reference == "?" && base == "http://a/" => panic!("on purpose"),
            Some("decode") => match outcome(&self.behaviour, base, reference) {
                Outcome::Url(url) => Outcome::Url(url.replace("%61", "a")),
                other => other,
            },
            Some(odd) if reference == "?" && base == "http://a/" => Outcome::Url(odd.to_owned()),
            _ => outcome(&self.behaviour, base, reference),
        }
    }

    fn parse(&self, _: &str) -> Components {
        Err(Outcome::Skipped("unsupported operation".to_owned()))
    }
}

/// Returns an engine that follows RFC 3986, except that it drops empty fragments and default ports.
fn made() -> Made {
    let rules = Rules { empty_fragment: EmptyFragment::Dropped, ..rfc3986::RULES };
    let mut behaviour = Behaviour::of_rules(&rules);
    behaviour.classes[0].rows.iter_mut().for_each(|row| row.default_port = DefaultPort::Dropped);
    Made { behaviour, version: "1", odd: None }
}

fn suite() -> &'static Suite {
    static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::embedded().expect("vectors in order"));
    &SUITE
}

/// Returns the known deviations of `engine`, with the behaviour of [`made`].
fn observed_of(engine: &Made, old: Option<&KnownEngine>) -> KnownEngine {
    let nearest = Specification::by_id("rfc3986").expect("a specification");
    KnownEngine::observe(engine, &Model::of(made().behaviour), nearest, (suite(), &Panel::default()), old)
}

/// Returns the known deviations of [`made`].
fn observed() -> KnownEngine {
    static OBSERVED: LazyLock<KnownEngine> = LazyLock::new(|| observed_of(&made(), None));
    OBSERVED.clone()
}

/// Returns the findings of a check of `engine` against `known`.
fn check(known: &KnownEngine, engine: &Made) -> Vec<Finding> {
    let model = Model { listed: known.listed().into(), ..Model::of(made().behaviour) };
    known
        .check(engine, &model, suite(), Some(Beyond { panel: &Panel::default(), random: 20_000 }))
        .expect("a specification")
        .findings
}

fn ids(known: &KnownEngine) -> Vec<&str> {
    known.deviations.iter().map(|entry| entry.id.as_str()).collect()
}

#[test]
fn an_unchanged_engine_has_no_findings_and_each_change_has_one() {
    let known = observed();
    assert_eq!(ids(&known), ["default_port=Dropped", "empty_fragment=Dropped"]);
    assert_eq!(check(&known, &made()), []);
    let text = known.canonical();
    let folder = Folder::new();
    let path = folder.file("test-made.yaml", &text);
    assert!(KnownEngine::read(&path).expect("a file in order") == known, "{text}");

    // The engine now keeps default ports, as RFC 3986 does: the entry is fixed, and nothing is new.
    let mut fixed = made();
    fixed.behaviour.classes[0].rows.iter_mut().for_each(|row| row.default_port = DefaultPort::Kept);
    let findings = check(&known, &fixed);
    assert!(matches!(&findings[..], [Finding::Fixed { id, .. }] if id == "default_port=Dropped"), "{findings:?}");

    // The behaviour does not predict the result for one pair.
    let findings = check(&known, &Made { odd: Some("http://elsewhere/"), ..made() });
    assert!(matches!(&findings[..], [Finding::New { pair, .. }] if pair.reference == "?"), "{findings:?}");
    assert!(findings[0].to_string().starts_with("new: host: hierarchical base: 1 pair, for example"), "{findings:?}");

    // Only the version is different.
    let findings = check(&known, &Made { version: "2", ..made() });
    assert!(matches!(&findings[..], [Finding::Changed { id, .. }] if id == "version"), "{findings:?}");
}

#[test]
fn a_crash_is_new_until_an_update_lists_it() {
    let crashing = Made { odd: Some("crash"), ..made() };
    let findings = check(&observed(), &crashing);
    let sentence = "new: crashes: hierarchical base: 1 pair, for example \"?\" on \"http://a/\": found a crash (\"on purpose\"), predicted \"http://a/?\"";
    assert!(findings.iter().any(|it| it.to_string() == sentence), "{findings:#?}");
    let known = observed_of(&crashing, None);
    let listed: Vec<_> = known.exceptions.iter().map(|it| (it.id.as_str(), it.count)).collect();
    assert_eq!(listed, [("crashes: hierarchical base", 1)]);
    assert_eq!(
        (known.exceptions[0].examples[0].url.as_ref(), known.exceptions[0].examples[0].outcome),
        (None, Some(OutcomeWithoutUrl::Crash))
    );
    assert_eq!(check(&known, &crashing), []);
    let folder = Folder::new();
    let path = folder.file("test-made.yaml", known.canonical());
    assert!(KnownEngine::read(&path).expect("a file in order") == known, "{}", known.canonical());
    // The engine no longer crashes: the entry is fixed.
    let findings = check(&known, &made());
    assert!(matches!(&findings[..], [Finding::Fixed { id, .. }] if id == "crashes: hierarchical base"), "{findings:?}");
}

#[test]
fn exceptions_are_listed_by_class_with_a_digest_of_their_results() {
    let odd = Made { odd: Some("http://a/odd"), ..made() };
    let known = observed_of(&odd, None);
    assert_eq!(known.exceptions.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["path: hierarchical base"]);
    assert_eq!(check(&known, &odd), []);
    // The result is different, but in the same class.
    let findings = check(&known, &Made { odd: Some("http://a/odder"), ..made() });
    assert!(matches!(&findings[..], [Finding::Changed { worse: false, .. }]), "{findings:?}");
    assert!(findings[0].to_string().ends_with("for example \"?\" on \"http://a/\""), "{findings:?}");
    // The listed count is below the measured count, so at least one pair is new.
    let mut fewer = known.clone();
    fewer.exceptions[0].count = 0;
    assert!(check(&fewer, &odd).iter().all(Finding::is_new));
}

#[test]
fn a_decoded_character_that_no_suite_contains_is_new_until_an_update_lists_it() {
    let decoding = Made { odd: Some("decode"), ..made() };
    let findings = check(&observed(), &decoding);
    let is_new = |id: &str| findings.iter().any(|it| matches!(it, Finding::New { class, .. } if class == id));
    assert!(is_new("path: hierarchical base") && findings[0].to_string().contains("%61"), "{findings:?}");
    let known = observed_of(&decoding, None);
    let listed = known.exceptions.iter().find(|it| it.id == "path: hierarchical base").expect("a class");
    assert!(listed.count == 0 && listed.probes > 0, "{listed:?}");
    assert_eq!(check(&known, &decoding), []);
    // `run` does not ask the probes, so it does not report their classes as fixed.
    let model = Model { listed: known.listed().into(), ..Model::of(made().behaviour) };
    assert_eq!(known.check(&decoding, &model, suite(), None).expect("a specification").findings, []);
    let findings = check(&known, &made());
    assert!(findings.iter().all(|it| matches!(it, Finding::Fixed { .. })) && !findings.is_empty(), "{findings:?}");
}

/// Differences of a fitted behaviour that have the name of a change of the URL Standard are older only if the Standard without
/// the change returns the engine's result on the witness.
#[test]
fn an_update_of_a_fitted_engine_has_no_findings() {
    let world = World::embedded().expect("files in order");
    let recorded = world.recorded_behaviour("mono-system-uri@6.12.0.199").expect("a behaviour");
    let nearest = Specification::by_id(&recorded.nearest).expect("a specification");
    let behaviour = Behaviour::clone(&recorded.behaviour().expect("a behaviour in order"));
    let engine = Made { behaviour: behaviour.clone(), version: "1", odd: None };
    let model = Model { is_fitted: true, ..Model::of(behaviour) };
    let known = KnownEngine::observe(&engine, &model, nearest, (suite(), &Panel::default()), None);
    assert!(known.deviations.iter().any(|entry| entry.kind == DeviationKind::Older), "{known:?}");
    let beyond = Beyond { panel: &Panel::default(), random: 1_000 };
    assert_eq!(known.check(&engine, &model, suite(), Some(beyond)).expect("a specification").findings, []);
    // An entry that an earlier update called older is corrected.
    let mut old = known.clone();
    let entry = old.deviations.iter_mut().find(|entry| entry.kind == DeviationKind::Unclear).expect("an entry");
    (entry.kind, entry.changes) = (DeviationKind::Older, vec!["c296e2f".to_owned()]);
    assert!(KnownEngine::observe(&engine, &model, nearest, (suite(), &Panel::default()), Some(&old)) == known);
}

#[test]
fn frequencies_that_are_too_low_or_too_high_are_reported() {
    let known = observed();
    let at = known.deviations.iter().position(|entry| entry.id == "default_port=Dropped").expect("an entry");
    let measured = known.deviations[at].random;
    assert!(measured > 100, "{measured}");
    for listed in [0, measured / 4, measured * 3, 100_000] {
        let mut changed = known.clone();
        changed.deviations[at].random = listed;
        let findings = check(&changed, &made());
        assert!(
            matches!(&findings[..], [Finding::Changed { was, .. }] if was.contains("random pairs")),
            "{listed}: {findings:?}"
        );
    }
}

#[test]
fn files_are_named_after_engines() {
    let name = |engine: &str| known::file_name(engine).display().to_string();
    assert_eq!(name("crate:url"), "crate-url.yaml");
    assert_eq!(name("urllib.parse"), "urllib.parse.yaml");
    assert_eq!(name("../../etc/passwd\n"), "etc-passwd.yaml");
    assert_eq!(name("日本"), "engine.yaml");
    assert_eq!(name(""), "engine.yaml");
}

#[test]
fn entries_that_contradict_the_engine_are_reported() {
    let known = observed();
    let with = |change: fn(&mut Vec<Deviation>)| {
        let mut changed = known.clone();
        change(&mut changed.deviations);
        check(&changed, &made())
    };
    let findings = with(|entries| entries[1].vectors += 1);
    assert!(matches!(&findings[..], [Finding::Changed { id, .. }] if id == "empty_fragment=Dropped"), "{findings:?}");
    let findings = with(|entries| entries[0].id = "trim".to_owned());
    let named: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        named,
        [
            "unused: trim: another deviation explains the witness",
            "missing: default_port=Dropped: a deviation without an entry"
        ]
    );
}

#[test]
fn an_update_keeps_reasons_and_issues() {
    let mut old = observed();
    old.deviations[0].reason = "It is so because of a reason.".to_owned();
    old.deviations[0].issue = Some("https://example.org/1".to_owned());
    assert!(observed_of(&made(), Some(&old)) == old);
}

#[test]
fn files_of_known_deviations_are_linted_and_formatted_with_the_vectors() {
    let folder = Folder::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/known/crate-oxiri.yaml");
    let text = fs::read_to_string(file).expect("a file");
    let path = folder.file("known/crate-oxiri.yaml", text.replace("version: \"0.3.1\"", "version: '0.3.1'"));
    let ends = |verb: &str, code: i32, printed: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlstrata"));
        let output = command.args(["vectors", verb]).arg(folder.path()).output();
        let output = output.expect("the command runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(printed) && output.status.code() == Some(code), "{verb}: {text}");
    };
    ends("lint", 65, "crate-oxiri.yaml:2: not in canonical form");
    ends("fmt", 0, "1 rewritten");
    ends("lint", 0, "1 file, 0 errors");
    assert_eq!(fs::read_to_string(&path).expect("a file"), text);
}

/// Runs `known check` with the `url` crate's file after `change`, and returns the exit code and the output.
#[track_caller]
fn checked(test: &str, change: impl Fn(String) -> String) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/known/crate-url.yaml");
    let text = fs::read_to_string(file).expect("a file");
    let changed = change(text.clone());
    assert!(test == "same" || changed != text, "the change finds nothing to change");
    let folder = Folder::new();
    folder.file("crate-url.yaml", changed);
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlstrata"));
    let output =
        command.args(["known", "check", "--random", "1000", "--known"]).arg(folder.path()).arg("crate:url").output();
    let output = output.expect("the command runs");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

#[test]
fn known_check_exits_with_the_documented_codes() {
    assert_eq!(checked("same", |text| text).0, Some(0));
    // A listed exception that the engine does not show.
    let gone = "exceptions:\n  - id: \"long-gone\"\n    kind: \"bug\"\n    reason: \"It was so once.\"\n    since: \"2.0\"\n    count: 1\n    digest: \"00\"\n    random: 0\n    examples:\n      - {base: \"http://a/b\", reference: \"g\", url: \"http://a/h\"}\n";
    let (code, printed) = checked("fixed", |text| text.replace("exceptions: []\n", gone));
    assert!(printed.contains("fixed: long-gone") && code == Some(2), "{code:?} {printed}");
    // The first entry lists another number of vectors.
    let (code, printed) = checked("changed", |text| text.replacen("    vectors: ", "    vectors: 9", 1));
    assert!(printed.contains("of the suite vectors, found ") && code == Some(2), "{code:?} {printed}");
    let (code, printed) =
        checked("unused", |text| text.replace("- id: \"empty_segments=LeadingRemoved\"", "- id: \"trim\""));
    assert!(printed.contains("unused: trim") && code == Some(2), "{code:?} {printed}");
    // Undoing the named change does not give the engine's result.
    let (code, printed) = checked("not-older", |text| text.replace("changes: [\"47efa00\"]", "changes: [\"9bc33c3\"]"));
    let sentence = "not older: empty_segments=LeadingRemoved: without 9bc33c3, the URL Standard returns ";
    assert!(printed.contains(sentence) && code == Some(2), "{code:?} {printed}");
    for (test, from, to, sentence) in [
        ("bad-document", "nearest: \"whatwg-2022-01\"", "nearest: \"rfc9999\"", "there are rfc1630"),
        ("bad-key", "kind: ", "kinds: ", "unknown field `kinds`"),
        (
            "no-result",
            "exceptions: []",
            "exceptions:\n  - {id: \"x\", kind: bug, reason: \"r\", since: \"1\", count: 1, digest: \"0\", random: 0, examples: [{base: \"\", reference: \"\"}]}",
            "needs either a `url` or an `outcome`",
        ),
        ("older-than-nothing", "    changes: [\"47efa00\"]\n", "", "of the kind \"older\" needs `changes`"),
        ("bad-commit", "47efa00", "1234567", "no change of the URL Standard has the commit \"1234567\""),
        ("no-reason", "reason: \"A backslash", "reason: \"\" #", "has no reason"),
    ] {
        let (code, printed) = checked(test, |text| text.replacen(from, to, 1));
        assert!(printed.contains(sentence) && code == Some(65), "{test}: {code:?} {printed}");
    }
}

#[test]
fn errors_in_files_of_known_deviations_name_their_line() {
    let folder = Folder::new();
    let read = |bytes: &[u8]| {
        let path = folder.file("crate-url.yaml", bytes);
        KnownEngine::read(&path).map(drop).expect_err("no file about an engine").to_string()
    };
    let latin = read(b"engine: \"a\"\nversion: \"caf\xe9\"\n");
    let huge = read(&vec![b'a'; (4 << 20) + 1]);
    assert!(latin.ends_with("crate-url.yaml:2: not UTF-8: save the file in that encoding"), "{latin}");
    assert!(huge.contains("4194305 bytes long, the limit is 4194304: split the file"), "{huge}");
    assert!(
        KnownEngine::read(&folder.path().join("none.yaml"))
            .is_err_and(|why| why.to_string().contains("cannot be read"))
    );
}
