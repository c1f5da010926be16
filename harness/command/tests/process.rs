//! Whatever an engine in another process does, each request has the outcome that describes it, and the next request
//! is processed normally.

use std::fs;
use std::process::{ExitCode, Output};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use urlstrata_harness::engine::{Engine, Limits, Passed, Process, ask, ask_all, smoke};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::outcome::Violations;
use urlstrata_harness::survey::tally::Comparer;

mod hostile;
mod program;

use hostile::TRIGGER;
use program::{ends, urlstrata, with_input};

const BASE: &str = "http://a/b/c";

/// A time limit that no correct response reaches, even on a busy machine.
const AMPLE: Duration = Duration::from_secs(60);

/// The time limit of tests that wait for a timeout. A correct response arrives within it.
const SHORT: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let [_, flag, mode] = words.as_slice()
        && flag == hostile::FLAG
    {
        return hostile::main(mode);
    }
    let tests: &[(&str, fn())] = &[
        ("a correct engine returns the reference results", a_correct_engine_returns_the_reference_results),
        ("an engine without a valid hello does not start", an_engine_without_a_valid_hello_does_not_start),
        ("an engine with a late hello does not start", an_engine_with_a_late_hello_does_not_start),
        ("a wrong result is an unexplained divergence", a_wrong_result_is_an_unexplained_divergence),
        ("a crash is reported with its exit status", a_crash_is_reported_with_its_exit_status),
        ("the culprit among many open requests is found", the_culprit_among_many_open_requests_is_found),
        ("bytes are a URL if they are UTF-8", bytes_are_a_url_if_they_are_utf_8),
        ("closing standard output is a crash", closing_standard_output_is_a_crash),
        ("an engine that hangs times out after the limit", an_engine_that_hangs_times_out_after_the_limit),
        ("an engine that often hangs has less time", an_engine_that_often_hangs_has_less_time),
        ("malformed output does not end a request", malformed_output_does_not_end_a_request),
        ("a response that is not UTF-8 ends its request", a_response_that_is_not_utf_8_ends_its_request),
        ("noise is reported and the response is accepted", noise_is_reported_and_the_response_is_accepted),
        ("a response may arrive in pieces", a_response_may_arrive_in_pieces),
        ("an engine that does not read times out", an_engine_that_does_not_read_times_out),
        ("an engine that exits after a response is restarted", an_engine_that_exits_after_a_response_is_restarted),
        ("an operation that is not offered is skipped", an_operation_that_is_not_offered_is_skipped),
        ("threads can share an engine", threads_can_share_an_engine),
        ("the command reports crashes and divergences", the_command_reports_crashes_and_divergences),
        ("noise is reported and fails the smoke test", noise_is_reported_and_fails_the_smoke_test),
        ("a complete recording is written and checked", a_complete_recording_is_written_and_checked),
        ("published results are imported", published_results_are_imported),
        ("an engine that misbehaves is not recorded", an_engine_that_misbehaves_is_not_recorded),
        ("another version is not asked instead", another_version_is_not_asked_instead),
        ("an engine with two names is listed once", an_engine_with_two_names_is_listed_once),
        ("an engine that no behaviour describes is refused", an_engine_that_no_behaviour_describes_is_refused),
        ("an installation that fails leaves nothing", an_installation_that_fails_leaves_nothing),
        #[cfg(target_os = "linux")]
        ("a process is killed after a timeout and on drop", a_process_is_killed_after_a_timeout_and_on_drop),
        #[cfg(target_os = "linux")]
        ("children of an engine are killed or not waited for", children_of_an_engine_are_killed_or_not_waited_for),
    ];
    let trials = tests.iter().map(|(name, test)| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    });
    let mut arguments = Arguments::from_args();
    // Most of the time, a test waits for an engine that does not answer.
    arguments.test_threads = arguments.test_threads.or(Some(6));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Returns the faulty engine with that mode, with `answer` as the time limit of a request.
fn limited(mode: &str, answer: Duration) -> Process {
    Process::new(&hostile::command(mode)).expect("a command").within(Limits { hello: AMPLE, answer })
}

/// Returns the faulty engine with that mode, with [`AMPLE`] as the time limit of a request.
fn engine(mode: &str) -> Process {
    limited(mode, AMPLE)
}

/// Resolves `reference` against [`BASE`].
fn resolve(engine: &dyn Engine, reference: &str) -> Outcome {
    ask(engine, BASE, reference)
}

/// Asserts that the engine resolves a plain reference correctly.
#[track_caller]
fn assert_correct(engine: &dyn Engine) {
    assert_eq!(resolve(engine, "g"), Outcome::Url("http://a/b/g".to_owned()));
}

/// Asserts that the outcome for [`TRIGGER`] is as `expected` and that the requests before and after it return correct
/// results. Returns the protocol violations of the engine.
#[track_caller]
fn yields(engine: &Process, expected: impl Fn(&Outcome) -> bool) -> Violations {
    assert_correct(engine);
    let did = resolve(engine, TRIGGER);
    assert!(expected(&did), "{did:?}, {:?}", engine.violations());
    assert_correct(engine);
    engine.violations()
}

/// Returns a predicate that is true for the correct result of [`TRIGGER`].
fn triggered() -> impl Fn(&Outcome) -> bool {
    |did| *did == Outcome::Url("http://a/b/boom".to_owned())
}

fn a_correct_engine_returns_the_reference_results() {
    let engine = engine("honest");
    assert_eq!(smoke(&engine), Ok(Passed { pairs: 12, deviations: vec![] }));
    assert_eq!((engine.version(), engine.violations().count()), ("1", 0));
    for reference in ["", "\n", "\0", "é\u{2028}\u{10ffff}", "\"\\", &"../".repeat(100_000)] {
        let ours = urlstrata::revision::rfc3986::REVISION.resolve(BASE, reference).expect("a result").url;
        assert_eq!(resolve(&engine, reference), Outcome::Url(ours));
    }
}

fn an_engine_without_a_valid_hello_does_not_start() {
    for (mode, sentence) in [
        ("gone", "wrote no greeting: exit status: 3"),
        (
            "fails",
            "exit status: 3; its standard error ends: Traceback: | ModuleNotFoundError: No module named '\\u{1b}[31murl'",
        ),
        ("second protocol", "is not understood: it speaks protocol 2, and 1 is understood"),
        (
            "chatty",
            "is not understood: its first line is not a greeting, not a JSON object: an engine writes {\"protocol\":1,",
        ),
        ("binary", "is not understood: its first line is not UTF-8 from byte 1 on"),
        ("nulls", "is not understood: its first line is not a greeting, not a JSON object"),
        ("endless hello", "is not understood: its first line is longer than 1048576 bytes"),
    ] {
        let engine = engine(mode);
        let why = engine.ready().expect_err("no hello");
        assert!(why.contains(sentence), "{mode}: {why}");
        assert_eq!(engine.version(), "unknown", "{mode}");
        assert!(matches!(resolve(&engine, "g"), Outcome::Crash(_)), "{mode}");
        assert_eq!(smoke(&engine), Err(why), "{mode}");
    }
    let why = Process::new("./no/such/program").expect("a command").ready().expect_err("no program");
    assert!(why.starts_with("cmd:./no/such/program cannot be started: "), "{why}");
    assert!(Process::new(" ").is_err_and(|why| why.contains("names no program")));
    assert!(Process::new("a 'b").is_err_and(|why| why.contains("left open")));
}

fn an_engine_with_a_late_hello_does_not_start() {
    let engine = Process::new(&hostile::command("mute")).expect("a command");
    let engine = engine.within(Limits { hello: Duration::from_millis(300), answer: AMPLE });
    let why = engine.ready().expect_err("no hello");
    assert!(why.ends_with("wrote no greeting: no answer within 300ms"), "{why}");
}

fn a_wrong_result_is_an_unexplained_divergence() {
    let engine = engine("lies");
    assert!(smoke(&engine).is_ok(), "its wrong results come later");
    let specification = Specification::by_id("rfc3986").expect("a specification");
    let mut comparer = Comparer::new(&engine, &[specification], &Default::default());
    for reference in ["g", TRIGGER, "../g"] {
        comparer.ask(BASE, reference);
    }
    let found = comparer.finish().remove(0);
    let totals = found.totals;
    assert_eq!((totals.cases, totals.agree, totals.explained, totals.unexplained), (3, 2, 0, 1));
    assert_eq!(found.classes[0].cause, "unexplained: host");
    assert_eq!(found.classes[0].witness.engine, Outcome::Url("http://elsewhere/".to_owned()));
}

fn a_crash_is_reported_with_its_exit_status() {
    let exits = |did: &Outcome| matches!(did, Outcome::Crash(why) if why == "exit status: 1; its standard error ends: first | fatal: out of cheese");
    assert_eq!(yields(&engine("exits"), exits).count(), 0);
    yields(&engine("aborts"), |did| matches!(did, Outcome::Crash(why) if why.contains("signal: 6")));
    // A crash or a timeout that the profile does not predict is unexplained.
    let specification = Specification::by_id("rfc3986").expect("a specification");
    for (mode, answer, cause) in
        [("exits", AMPLE, "unexplained: a crash"), ("hangs", SHORT, "unexplained: no answer in time")]
    {
        let engine = limited(mode, answer);
        let mut comparer = Comparer::new(&engine, &[specification], &Default::default());
        comparer.ask(BASE, TRIGGER);
        let found = comparer.finish().remove(0);
        assert_eq!((found.totals.agree, found.classes[0].cause.as_str()), (0, cause));
    }
}

fn the_culprit_among_many_open_requests_is_found() {
    for (mode, limit) in [("exits", AMPLE), ("aborts", AMPLE), ("closes", AMPLE), ("hangs", SHORT)] {
        let references: Vec<_> = (0..200).map(|number| format!("g{number}")).collect();
        let references = references.iter().enumerate();
        let references: Vec<_> =
            references.map(|(number, text)| if number % 70 == 69 { TRIGGER } else { text.as_str() }).collect();
        let pairs: Vec<_> = references.iter().map(|&reference| (BASE, reference)).collect();
        for (did, reference) in ask_all(&limited(mode, limit), &pairs).into_iter().zip(&references) {
            let expected = Outcome::Url(format!("http://a/b/{reference}"));
            match *reference {
                TRIGGER => assert!(matches!(did, Outcome::Crash(_) | Outcome::Timeout(_)), "{mode}: {did}"),
                _ => assert_eq!(did, expected, "{mode}"),
            }
        }
    }
    let pairs = [(BASE, "g"); 1_000];
    let crashed = ask_all(&engine("gone"), &pairs);
    assert!(crashed.len() == 1_000 && crashed.iter().all(|did| matches!(did, Outcome::Crash(_))), "it never starts");
}

fn bytes_are_a_url_if_they_are_utf_8() {
    yields(&engine("bytes"), |did| *did == Outcome::Url("http://a/é".to_owned()));
    let why = "the result is not UTF-8: http://a/\\xff";
    yields(&engine("bytes that are not UTF-8"), |did| *did == Outcome::Unrepresentable(why.to_owned()));
    yields(&engine("unrepresentable"), |did| *did == Outcome::Unrepresentable("NUL in a C string".to_owned()));
}

/// Creates a folder with the folder of the engine `made`, which runs the faulty engine with that mode, and a panel of
/// five pairs.
fn engine_folders(mode: &str) -> tempfile::TempDir {
    let folders = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folders.path().join(name);
    fs::create_dir(path("made")).expect("a folder");
    let command = shlex::split(&hostile::command(mode)).expect("words");
    let description = format!(
        "language = \"Rust\"\nlineage = \"made\"\nnative = \"f(b, r)\"\nshim = \"shim\"\ncommand = {command:?}\n\
         [[version]]\nversion = \"1\"\nsystem = true\n"
    );
    fs::write(path("made/engine.toml"), description).expect("a file");
    fs::write(path("made/shim"), "").expect("a file");
    let references = ["g", "../g", TRIGGER, "?y", "http://h/../x"];
    let panel: String = references.iter().map(|reference| format!("{BASE}\t{reference}\n")).collect();
    fs::write(path("panel.tsv"), panel).expect("a file");
    folders
}

/// Runs `urlstrata engine` with `arguments` on these engine folders.
fn on_folders(folders: &tempfile::TempDir, arguments: &[&str]) -> Output {
    let path = folders.path().to_str().expect("UTF-8");
    let head = ["--engine-folders", path, "engine"];
    urlstrata(&[&head, arguments].concat()).output().expect("the command runs")
}

/// Records the engine `made` in these folders.
fn recorded(folders: &tempfile::TempDir) -> Output {
    on_folders(folders, &["record", "made", "--panel-only"])
}

fn a_complete_recording_is_written_and_checked() {
    let folders = engine_folders("honest");
    ends(&recorded(&folders), 0, "made@1: 5 pairs, 5 URLs, 5 as in a specification");
    let path = folders.path().join("made/1.txt");
    let text = fs::read_to_string(&path).expect("a recording");
    assert!(text.ends_with("=rfc3986\n=rfc3986\n=rfc3986\n=rfc3986\n=rfc3986\n"), "{text}");
    let check = |expected: &str, code: i32| ends(&on_folders(&folders, &["check", "--panel-only"]), code, expected);
    check("made@1: 5 of 5 pairs as recorded", 0);
    // A recorded engine can be named wherever an engine can.
    let folder = folders.path().to_str().expect("UTF-8");
    let resolve = |references: &[&str]| {
        let arguments = ["--engine-folders", folder, "resolve", "--as", "made@1", "--base", BASE];
        urlstrata(&[&arguments, references].concat()).output().expect("the command runs")
    };
    ends(&resolve(&["../g", "new"]), 0, "http://a/g\nskipped: not recorded\n");
    // Another mode is a changed engine.
    let description = folders.path().join("made/engine.toml");
    let changed = fs::read_to_string(&description).expect("a file").replace("honest", "lies");
    fs::write(&description, changed).expect("a file");
    check("new: \"boom\" on \"http://a/b/c\": recorded http://a/b/boom, now http://elsewhere/", 1);
    ends(&recorded(&folders), 0, "made@1: 5 pairs, 5 URLs, 4 as in a specification");
    let changed = fs::read_to_string(&description).expect("a file").replace("lies", "honest");
    fs::write(&description, changed).expect("a file");
    check("fixed: \"boom\" on \"http://a/b/c\": recorded http://elsewhere/, now http://a/b/boom", 2);
    // A recording that was edited, cut or made for another panel is rejected.
    let text = fs::read_to_string(&path).expect("a recording");
    fs::write(&path, text.replace("http://elsewhere/", "http://elsewhere/x")).expect("a file");
    check("1.txt:4: the outcomes do not have this digest: the file was edited", 65);
    fs::write(&path, &text[..text.len() - 2]).expect("a file");
    check("1.txt:9: not an outcome", 65);
    // A damaged line fails the command that needs it, and the other lines are read.
    ends(&resolve(&["../g"]), 0, "http://a/g\n");
    let damaged = resolve(&["../g", "http://h/../x"]);
    ends(&damaged, 65, "http://a/g\nskipped: ");
    ends(&damaged, 65, "1.txt:9: not an outcome");
    fs::write(&path, text.replace("panel 5", "panel 4")).expect("a file");
    check("1.txt:2: the recording belongs to another panel: record it again", 65);
    fs::write(folders.path().join("made/2.txt"), &text).expect("a file");
    check("2.txt: unused: engine.toml has no version \"2\"", 65);
}

fn published_results_are_imported() {
    let folders = engine_folders("honest");
    ends(&recorded(&folders), 0, "made@1: 5 pairs, 5 URLs, 5 as in a specification");
    let path = |name: &str| folders.path().join(name);
    fs::create_dir(path("made-1997")).expect("a folder");
    let description = "language = \"C\"\nlineage = \"made\"\nnative = \"a link\"\npanel = \"../1997.tsv\"\n\
                       [[version]]\nversion = \"1\"\npublished = \"by a page of 1997\"\n";
    fs::write(path("made-1997/engine.toml"), description).expect("a file");
    fs::write(path("1997.tsv"), format!("{BASE}\tg\n{BASE}\t?y\n{BASE}\tx\n")).expect("a file");
    let results = path("results.tsv");
    let import = |name: &str, text: &str| {
        fs::write(&results, text).expect("a file");
        on_folders(&folders, &["import", name, results.to_str().expect("UTF-8")])
    };
    let line = |reference: &str, result: &str| format!("{BASE}\t{reference}\t{result}\n");
    for (text, wanted) in [
        (line("g", "a") + "x", "results.tsv:2: not a result"),
        (line("h", "a"), "results.tsv:1: the panel of the engine does not contain this pair"),
        (line("g", "a") + &line("g", "a"), "results.tsv:2: this pair has a result on an earlier line"),
    ] {
        ends(&import("made-1997@1", &text), 65, wanted);
    }
    ends(&import("made@1", ""), 64, "made@1 can be run");
    ends(&import("other@1", ""), 64, "no engine folder is called \"other@1\"");
    let text = line("g", "http://a/b/g") + &line("x", "!failure");
    ends(&import("made-1997@1", &text), 0, "made-1997@1: 2 results for the 3 pairs of its panel");
    let text = fs::read_to_string(path("made-1997/1.txt")).expect("a recording");
    assert!(text.ends_with("\n=rfc3986\n!skipped\n!failure\n"), "{text}");
    // Two engines are compared on the pairs that both were asked.
    ends(&on_folders(&folders, &["diff", "made-1997@1", "made@1"]), 0, "1 pair, 1 equal, 0 different");
}

fn an_engine_that_misbehaves_is_not_recorded() {
    for (mode, expected) in [
        ("gone", "wrote no greeting"),
        ("second version", "made@1 is not installed"),
        ("always noisy", "failed the smoke test"),
        ("garbage", "made@1 violates the protocol: line"),
        ("unknown id", "made@1 violates the protocol: line"),
        ("differs", "made@1 is not deterministic: 1 of 5 pairs differ"),
    ] {
        let folders = engine_folders(mode);
        let output = recorded(&folders);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(expected) || errors.contains("is not installed"), "{mode}: {errors}");
        assert_eq!(output.status.code(), Some(69), "{mode}: {errors}");
        assert_eq!(fs::read_dir(folders.path().join("made")).expect("a folder").count(), 2, "{mode}");
    }
    // A crash is an outcome like others.
    let folders = engine_folders("exits");
    ends(&recorded(&folders), 0, "made@1: 5 pairs, 4 URLs, 4 as in a specification");
    assert!(fs::read_to_string(folders.path().join("made/1.txt")).expect("a recording").contains("\n!crash\n"));
}

/// A version that was named is not replaced by the one that the machine has.
fn another_version_is_not_asked_instead() {
    let folders = engine_folders("second version");
    let path = folders.path().to_str().expect("UTF-8");
    let resolve = |name: &str| {
        let arguments = ["--engine-folders", path, "resolve", "g", "--base", BASE, "--as", name];
        urlstrata(&arguments).output().expect("the command runs")
    };
    ends(
        &resolve("live:made@1"),
        69,
        "made on this machine is 2: urlstrata engine install made@1 --root FOLDER installs it",
    );
    ends(&resolve("live:made"), 0, "http://");
}

/// Two names of an engine on this machine, as `urllib` and `live:urllib` with `--root`.
fn an_engine_with_two_names_is_listed_once() {
    let folders = engine_folders("honest");
    let path = folders.path().to_str().expect("UTF-8");
    let explain = |names: [&str; 2]| {
        let engines = ["-e", names[0], "-e", names[1]];
        let arguments = [&["--engine-folders", path, "explain", "g", "--base", BASE][..], &engines].concat();
        let output = urlstrata(&arguments).output().expect("the command runs");
        String::from_utf8(output.stdout).expect("text").matches("made 1").count()
    };
    assert_eq!(explain(["live:made", "live:made@1"]), 1);
    // A recording is another source than the engine.
    ends(&recorded(&folders), 0, "made@1: 5 pairs");
    assert_eq!(explain(["made@1", "live:made"]), 2);
}

fn an_engine_that_no_behaviour_describes_is_refused() {
    for (mode, expected) in [
        ("restless", "no behaviour describes made: it is not deterministic: "),
        ("monotonous", "no behaviour describes made: it returns \"http://a/\" for "),
    ] {
        let folders = engine_folders(mode);
        let output = on_folders(&folders, &["fit", "made"]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(expected) && errors.contains("; nothing is written"), "{mode}: {errors}");
        assert_eq!(output.status.code(), Some(69), "{mode}: {errors}");
        assert_eq!(fs::read_dir(folders.path().join("made")).expect("a folder").count(), 2, "{mode}");
    }
    let folders = engine_folders("honest");
    ends(&on_folders(&folders, &["fit", "made"]), 0, ", predicts ");
    ends(&on_folders(&folders, &["list"]), 0, "rfc3986");
}

fn an_installation_that_fails_leaves_nothing() {
    let folders = engine_folders("honest");
    let description = folders.path().join("made/engine.toml");
    let text = fs::read_to_string(&description).expect("a file");
    let with = |build: &str| {
        let text = text.replace("system = true", &format!("cargo = []\nbuild = [{build}]"));
        fs::write(&description, text.replace("shim = \"shim\"", "shim = \"shim.rs\"")).expect("a file");
    };
    fs::write(folders.path().join("made/shim.rs"), "fn main() {}").expect("a file");
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().to_str().expect("UTF-8");
    let install = || on_folders(&folders, &["install", "made@1", "--root", path]);
    let installed = || root.path().join("made@1").exists();
    with("[\"false\"]");
    ends(&install(), 69, "made@1: false failed, exit status: 1");
    assert!(!installed());
    let left = fs::read_dir(root.path()).expect("a folder").flatten().map(|entry| entry.file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().contains("made")), "nothing half-installed is left");
    with("");
    ends(&install(), 0, "made@1: installed");
    assert!(installed());
    ends(&install(), 0, "made@1: already installed");
    fs::write(folders.path().join("made/shim.rs"), "fn main() { }").expect("a file");
    ends(&install(), 69, "made@1 was installed with another shim: install it again with --again");
    ends(&on_folders(&folders, &["install", "made@1", "--again", "--root", path]), 0, "made@1: installed");
    ends(&on_folders(&folders, &["install", "made@7", "--root", path]), 64, "made has no version \"7\": there are 1");
    ends(&on_folders(&folders, &["install", "made@1"]), 64, "name the folder with --root FOLDER");
    fs::write(&description, format!("colour = 1\n{text}")).expect("a file");
    ends(&install(), 65, "engine.toml:1: unknown field `colour`");
}

fn closing_standard_output_is_a_crash() {
    yields(&engine("closes"), |did| matches!(did, Outcome::Crash(why) if why == "it closed its output and went on"));
}

fn an_engine_that_hangs_times_out_after_the_limit() {
    let begun = Instant::now();
    yields(&limited("hangs", SHORT), |did| *did == Outcome::Timeout("no answer within 1s".to_owned()));
    assert!(begun.elapsed() < AMPLE, "{:?}", begun.elapsed());
}

fn an_engine_that_often_hangs_has_less_time() {
    let engine = limited("hangs", SHORT);
    let outcomes = ask_all(&engine, &[(BASE, TRIGGER); 14]);
    let within = |limit: &str| {
        outcomes.iter().filter(|did| **did == Outcome::Timeout(format!("no answer within {limit}"))).count()
    };
    let [whole, short] = ["1s", "100ms"].map(within);
    assert_eq!((whole > 0, short > 0, whole + short), (true, true, 14), "{outcomes:?}");
    assert_correct(&engine);
}

fn malformed_output_does_not_end_a_request() {
    for (mode, violation) in [
        ("only unknown id", "line 3 of its output is an answer to 1001, which was not asked"),
        ("only garbage", "line 3 of its output is not an answer, not a JSON object: \"garbage\""),
        ("parts", "line 3 of its output is parts for 2, which asked for a url"),
        ("endless line", "line 3 of its output is longer than 1048576 bytes"),
    ] {
        let wanted = format!("no answer within 1s; {violation}");
        let timed_out = |did: &Outcome| matches!(did, Outcome::Timeout(why) if why.starts_with(&wanted));
        let violations = yields(&limited(mode, SHORT), timed_out);
        assert!(
            violations.first()[0].starts_with(violation) && violations.first().len() <= Violations::KEPT,
            "{mode}: {violations:?}"
        );
    }
    // An unterminated line is not reported, because the engine may still continue it.
    let unended = yields(&limited("no line end", SHORT), |did| matches!(did, Outcome::Timeout(_)));
    assert_eq!(unended.count(), 0);
}

fn a_response_that_is_not_utf_8_ends_its_request() {
    let engine = engine("answer not UTF-8");
    let why = "not UTF-8 from byte 25 on";
    let violations = yields(&engine, |did| *did == Outcome::Skipped(format!("the answer is {why}")));
    assert_eq!(violations.first(), [format!("line 3 of its output is an answer to 2 that is {why}")]);
    let command = format!("cmd:{}", hostile::command("answer not UTF-8"));
    let output = urlstrata(&["resolve", "--as", &command, "--base", BASE, TRIGGER, "g"]).output().expect("it ends");
    ends(&output, 0, "skipped: the answer is not UTF-8 from byte 26 on\nhttp://a/b/g\n");
}

fn noise_is_reported_and_the_response_is_accepted() {
    for (mode, violations) in [
        ("answers twice", ["line 4 of its output is another answer to 2, which has ended"].as_slice()),
        ("answers early", &["line 3 of its output is an answer to 3, which was not asked"]),
        ("unknown id", &["line 3 of its output is an answer to 1001,", "line 4 of its output is an answer to 0,"]),
        (
            "garbage",
            &[
                "line 3 of its output is not an answer, not a JSON object: \"garbage\"",
                "line 4 of its output is not an answer, not a JSON object: \"\\u{0}\\u{0}\"",
                "line 5 of its output is not an answer, not a JSON object: \"[2,\"http://elsewhere/\"]\"",
            ],
        ),
        ("not UTF-8", &["line 3 of its output is not UTF-8 from byte 7 on"]),
        ("long line", &["line 3 of its output is longer than 1048576 bytes"]),
        ("floods standard error", &[]),
    ] {
        let reported = Arc::new(Mutex::new(Vec::new()));
        let listener = Arc::clone(&reported);
        let engine =
            engine(mode).reporting(move |violation| listener.lock().expect("no panic").push(violation.to_owned()));
        let found = yields(&engine, triggered());
        assert_eq!(found.count(), violations.len() as u64, "{mode}: {found:?}");
        assert!(
            found.first().iter().zip(violations).all(|(found, violation)| found.starts_with(violation)),
            "{mode}: {found:?}"
        );
        assert_eq!(*reported.lock().expect("no panic"), found.first(), "{mode}");
    }
}

fn a_response_may_arrive_in_pieces() {
    for mode in ["dribbles", "no line end, and exits"] {
        let violations = yields(&engine(mode), triggered());
        assert!(
            violations.first().iter().all(|violation| violation.starts_with("between two requests: ")),
            "{mode}: {violations:?}"
        );
    }
}

fn an_engine_that_does_not_read_times_out() {
    let engine = limited("deaf", Duration::from_millis(300));
    let long = "x".repeat(4 << 20);
    for reference in ["g", long.as_str(), "g"] {
        assert_eq!(resolve(&engine, reference), Outcome::Timeout("no answer within 300ms".to_owned()));
    }
}

/// The harness can notice the exit before or after it sends the next request, so a request succeeds or crashes.
fn an_engine_that_exits_after_a_response_is_restarted() {
    let engine = engine("once");
    let mut answered = 0;
    for _ in 0..20 {
        match resolve(&engine, "g") {
            Outcome::Url(url) => {
                assert_eq!(url, "http://a/b/g");
                answered += 1;
            }
            Outcome::Crash(why) => assert_eq!(why, "exit status: 0"),
            other => panic!("{other:?}"),
        }
    }
    assert!(answered >= 10, "no two crash one after the other: {answered} of 20");
}

fn an_operation_that_is_not_offered_is_skipped() {
    let engine = engine("honest");
    assert_eq!(
        engine.parse("http://a/"),
        Err(Outcome::Skipped("unsupported operation: it does not offer parse".to_owned()))
    );
    assert_correct(&engine);
}

fn threads_can_share_an_engine() {
    let engine = engine("honest");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let engine = &engine;
            scope.spawn(move || {
                for number in 0..200 {
                    let reference = format!("{thread}-{number}");
                    assert_eq!(resolve(engine, &reference), Outcome::Url(format!("http://a/b/{reference}")));
                }
            });
        }
    });
    assert_eq!(engine.violations().count(), 0);
}

fn the_command_reports_crashes_and_divergences() {
    let exits = format!("cmd:{}", hostile::command("exits"));
    let output = urlstrata(&["resolve", "--as", &exits, "--base", BASE, "g", TRIGGER, "g"]).output().expect("it ends");
    let crashed = "crash: exit status: 1; its standard error ends: first | fatal: out of cheese";
    ends(&output, 0, &format!("http://a/b/g\n{crashed}\nhttp://a/b/g\n"));
    let lies = format!("cmd:{}", hostile::command("lies"));
    let pairs = format!("{BASE}\tg\n{BASE}\t{TRIGGER}\n");
    let output = with_input(&["run", "--pairs", "-", "-e", &lies], pairs.as_bytes());
    ends(&output, 1, "2 comparisons: 1 agree, 0 explained, 1 unexplained");
}

fn noise_is_reported_and_fails_the_smoke_test() {
    let twice = format!("cmd:{}", hostile::command("answers twice"));
    let output = urlstrata(&["resolve", "--as", &twice, "--base", BASE, TRIGGER, "g"]).output().expect("it ends");
    ends(&output, 0, "http://a/b/boom\nhttp://a/b/g\n");
    ends(&output, 0, &format!("urlstrata: {twice}: line 15 of its output is another answer to 13, which has ended"));
    let noisy = format!("cmd:{}", hostile::command("always noisy"));
    let output = urlstrata(&["engine", "smoke", &noisy]).output().expect("it ends");
    ends(
        &output,
        69,
        "failed the smoke test: line 2 of its output is not an answer, not a JSON object: \"asked\": output that is not an answer belongs",
    );
}

/// Returns whether there is no process with that ID, or only a dead process that has not been reaped.
#[cfg(target_os = "linux")]
fn is_gone(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X'])))
}

/// Waits until the process ends. Panics if it is still running after [`AMPLE`].
#[cfg(target_os = "linux")]
#[track_caller]
fn wait_until_gone(process: &str) {
    let begun = Instant::now();
    while !is_gone(process) {
        assert!(begun.elapsed() < AMPLE, "{process} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns an engine that is a shell script: it runs `before`, prints a hello with `version` as its version, and runs
/// `rest`.
#[cfg(target_os = "linux")]
fn shell(version: &str, before: &str, rest: &str) -> Process {
    let hello = hostile::HELLO.replace("\"1\"", "\"%s\"");
    let script = format!("{before}; printf '{hello}\\n' {version}; {rest}");
    let command = shlex::try_join(["sh", "-c", &script]).expect("no NUL");
    Process::new(&command).expect("a command").within(Limits { hello: AMPLE, answer: Duration::from_millis(300) })
}

#[cfg(target_os = "linux")]
fn a_process_is_killed_after_a_timeout_and_on_drop() {
    let stubborn = shell("$$", "trap '' TERM HUP INT", "while :; do sleep 1; done");
    let process = stubborn.hello().expect("a hello").version.clone();
    assert!(!is_gone(&process), "it runs");
    assert!(matches!(resolve(&stubborn, "g"), Outcome::Timeout(_)));
    assert!(is_gone(&process), "it is killed after a timeout");
    drop(stubborn);
    let stubborn = shell("$$", "trap '' TERM HUP INT", "while :; do sleep 1; done");
    let process = stubborn.hello().expect("a hello").version.clone();
    drop(stubborn);
    assert!(is_gone(&process), "it is killed when dropped");
}

#[cfg(target_os = "linux")]
fn children_of_an_engine_are_killed_or_not_waited_for() {
    // The child inherits the pipes, so they stay open after the engine exits.
    let leaves = shell("$child", "sleep 600 & child=$!", "exit 0");
    let child = leaves.hello().expect("a hello").version.clone();
    assert!(matches!(resolve(&leaves, "g"), Outcome::Timeout(_)));
    wait_until_gone(&child);
    // The child leaves the process group but keeps the pipes open. The harness does not wait for it.
    let escapes = shell("$child", "setsid sleep 3 & child=$!", "exit 0");
    assert!(escapes.ready().is_ok());
    let begun = Instant::now();
    assert!(matches!(resolve(&escapes, "g"), Outcome::Timeout(_)));
    drop(escapes);
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
}
