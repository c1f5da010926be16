//! What the functions for test suites of other libraries return and report.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use urlstrata::revision::{self, rfc3986};
use urlstrata_suite::vector::{Question, Suite};
use urlstrata_vectors::{Case, cases, check, suite};

/// Returns the message with which `run` panics; `None` if it does not.
fn message(run: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    Some(text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("a text"))
}

/// Returns the target of RFC 3986.
fn right(base: &str, reference: &str) -> Option<String> {
    rfc3986::REVISION.resolve(base, reference).ok().map(|target| target.url)
}

/// Returns a resolver that is wrong about the references that begin with a question mark.
fn wrong(base: &str, reference: &str) -> Option<String> {
    if reference.starts_with('?') { Some(format!("http://a/b/c/{reference}")) } else { right(base, reference) }
}

/// Returns a file that does not exist yet, in a new folder.
fn known_file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("urlstrata-vectors-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("known.yaml")
}

/// The cases are those that a full reader of YAML finds in the files.
#[test]
fn cases_are_the_vectors_of_the_files() {
    let suite = Suite::embedded().expect("vectors in order");
    for revision in revision::ALL.iter().map(|revision| revision.id) {
        let mut expected = BTreeSet::new();
        for (file, vector) in suite.vectors() {
            let Question::Resolution(case) = &vector.question else { continue };
            let Some(found) = case.expect.get(revision) else { continue };
            let target = found.outcome().url().map(str::to_owned);
            let path = format!("{}/{}", file.id, vector.name);
            expected.insert((path, case.base.clone(), case.reference.clone(), target));
        }
        let own = |case: urlstrata_vectors::Case| {
            let [path, base, reference] = [case.path(), case.base(), case.reference()].map(str::to_owned);
            (path, base, reference, case.expected().map(str::to_owned))
        };
        assert_eq!(cases(revision).map(own).collect::<BTreeSet<_>>(), expected, "{revision}");
    }
}

/// Each revision passes its own vectors: of resolution, of parsing, and of its grammar.
#[test]
fn reference_implementations_pass() {
    for own in revision::ALL.iter().filter(|own| cases(own.id).next().is_some()) {
        check(own.id, |base, reference| own.resolve(base, reference).map(|target| target.url));
    }
    suite("rfc3986").parsing(|url| {
        let parts = rfc3986::REVISION.parse(url).ok()?;
        Some(parts.iter().map(|(name, text)| (name, text.map(str::to_owned))).collect())
    });
}

/// What specifications print comes before what urlstrata adds.
#[test]
fn printed_vectors_come_first() {
    let paths: Vec<String> = cases("rfc3986").map(|case| case.path().to_owned()).collect();
    let printed = paths.iter().take_while(|path| path.starts_with("rfc3986/")).count();
    assert!(printed > 40 && paths[printed..].iter().all(|path| !path.starts_with("rfc3986/")), "{printed}");
}

/// A wrong resolver is reported with the number of vectors that it fails.
#[test]
fn minimal_suites_leave_out_vectors() {
    let minimal = cases("rfc3986").filter(Case::is_minimal).count();
    assert!(minimal < cases("rfc3986").count());
    let found = message(|| suite("rfc3986").minimal().resolution(|_, _| "")).expect("failures");
    assert!(found.contains(&format!(" of {minimal} vectors of rfc3986 fail")), "{found}");
    suite("rfc3986").minimal().resolution(right);
}

#[test]
fn wrong_results_fail() {
    let wrong_paths = cases("rfc3986").filter(|case| !case.is_right(wrong(case.base(), case.reference()).as_deref()));
    let (failed, ran) = (wrong_paths.count(), cases("rfc3986").count());
    assert!(failed > 2 && failed < ran);
    let found = message(|| check("rfc3986", wrong)).expect("a failure");
    assert_eq!(found, format!("{failed} of {ran} vectors of rfc3986 fail"));
}

/// A resolver may reject what the grammar does not match, and nothing else.
#[test]
fn resolvers_that_check_the_grammar_are_right() {
    let grammar = urlstrata::grammar::by_revision("rfc3986").expect("a grammar");
    let is_valid =
        |base: &str, reference: &str| grammar.is_valid(reference) && (base.is_empty() || grammar.is_valid_base(base));
    let strict = |base: &str, reference: &str| right(base, reference).filter(|_| is_valid(base, reference));
    check("rfc3986", strict);
    let found = message(|| check("rfc3986/5.4", |_, _| None::<String>)).expect("failures");
    assert!(found.contains("vectors of rfc3986/5.4 fail"), "{found}");
}

#[test]
fn resolvers_that_panic_or_are_not_deterministic_fail() {
    let ran = cases("rfc3986/5.4.1").count();
    let all = Some(format!("{ran} of {ran} vectors of rfc3986/5.4.1 fail"));
    assert_eq!(message(|| check("rfc3986/5.4.1", |_, _| -> String { panic!("not implemented") })), all);
    let mut number = 0;
    let mut counting = |_: &str, _: &str| {
        number += 1;
        number.to_string()
    };
    assert_eq!(message(|| check("rfc3986/5.4.1", &mut counting)), all);
}

#[test]
fn suites_without_vectors_fail() {
    let found = message(|| check("rfc3986/9.9", right)).expect("a failure");
    assert!(found.starts_with("0 vectors ran"), "{found}");
    let found = message(|| check("rfc9999", right)).expect("a failure");
    assert!(found.starts_with("no revision is called \"rfc9999\": there are rfc1630, "), "{found}");
}

/// The file of known failures is two-sided: it permits what it lists, and everything in it has to be true.
#[test]
fn known_failures_are_two_sided() {
    let file = known_file("two-sided");
    let found = message(|| suite("rfc3986/5.4").allow(&file).resolution(wrong)).expect("a failure");
    assert!(found.contains("there is no such file; URLSTRATA_UPDATE=1 writes it"), "{found}");
    let failed: Vec<_> = cases("rfc3986/5.4").filter(|case| case.reference().starts_with('?')).collect();
    let write = |entries: &[(&str, &str)]| {
        let entry = |(path, got): &(&str, &str)| format!("  - vector: \"{path}\"\n    got: \"{got}\"\n");
        let list: String = entries.iter().map(entry).collect();
        fs::write(&file, format!("version: \"1\"\nrevision: \"rfc3986\"\nknown:\n{list}")).expect("a file");
    };
    let run = || message(|| suite("rfc3986/5.4").allow(&file).resolution(wrong));
    let listed: Vec<(&str, &str)> = failed.iter().map(|case| (case.path(), "http://a/b/c/?y")).collect();
    write(&listed);
    assert_eq!(run(), None);
    // New: a failure that is not listed.
    write(&listed[1..]);
    assert!(run().is_some_and(|found| found.starts_with("1 of ")));
    // Fixed: a listed vector has the expected result. Changed: it has another wrong one. Unused: there is no such vector.
    let passing = cases("rfc3986/5.4").find(|case| case.reference() == "g").expect("a vector");
    for other in [(passing.path(), "x"), (listed[0].0, "x"), ("rfc3986/5.4.1/none", "x")] {
        let mut with: Vec<_> = listed.clone();
        with.retain(|(path, _)| *path != other.0);
        with.push(other);
        write(&with);
        assert!(run().is_some_and(|found| found.ends_with("URLSTRATA_UPDATE=1 writes the file again")), "{other:?}");
    }
}

#[test]
fn faulty_files_of_known_failures_are_reported_with_their_line() {
    let file = known_file("faulty");
    let run = |text: &str| {
        fs::write(&file, text).expect("a file");
        message(|| suite("rfc3986/5.4").allow(&file).resolution(right)).expect("a failure")
    };
    let shown = file.display();
    let start = "version: \"1\"\nrevision: \"rfc3986\"\n";
    assert_eq!(
        run("version: \"0\"\nrevision: \"rfc3986\"\nknown: []\n"),
        format!("{shown}: the version is \"0\", and this one reads \"1\"; URLSTRATA_UPDATE=1 writes it")
    );
    assert_eq!(
        run("version: \"1\"\nrevision: \"rfc1808\"\nknown: []\n"),
        format!("{shown}: the file is about \"rfc1808\", and the suite is \"rfc3986\"")
    );
    for (rest, line) in
        [("known: [\"\\é\"]", 3), ("known:\n  - vector: \"x\n", 4), ("known: \u{0}", 3), ("known: \"\\", 3)]
    {
        let found = run(&format!("{start}{rest}"));
        assert!(found.starts_with(&format!("{shown}:{line}: ")), "{found}");
    }
    let nested = run(&format!("{start}known: {}", "[".repeat(100_000)));
    assert!(nested.ends_with("collections that are nested too deep"), "{nested}");
}
