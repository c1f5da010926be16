//! Whatever an engine in another process does, each case has the outcome that it earned, and the next case is answered.

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use urlstrata_harness::engine::{Engine, Limits, Passed, Process, ask, smoke};
use urlstrata_harness::model::profile::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::outcome::Violations;
use urlstrata_harness::survey::tally::Comparer;

mod hostile;
mod program;

use hostile::TRIGGER;
use program::{ends, urlstrata, with_input};

const BASE: &str = "http://a/b/c";

/// Nobody reaches it who is to answer; a machine with much else to do may take its time.
const AMPLE: Duration = Duration::from_secs(60);

/// Who is to reach it waits so long; an honest answer comes within it.
const SHORT: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let [_, flag, mode] = words.as_slice()
        && flag == hostile::FLAG
    {
        return hostile::main(mode);
    }
    let tests: &[(&str, fn())] = &[
        ("an honest engine is asked as ours are", an_honest_engine_is_asked_as_ours_are),
        ("who has no hello does not start", who_has_no_hello_does_not_start),
        ("who starts too slowly does not start", who_starts_too_slowly_does_not_start),
        ("a lie is an unexplained divergence", a_lie_is_an_unexplained_divergence),
        ("a crash is told with its end", a_crash_is_told_with_its_end),
        ("who closes its output has crashed", who_closes_its_output_has_crashed),
        ("no_answer takes as long as the limit", silence_takes_as_long_as_the_limit),
        ("what is no answer does not end a case", what_is_no_answer_does_not_end_a_case),
        ("an answer that is not UTF-8 ends its request", an_answer_that_is_not_utf_8_ends_its_request),
        ("noise around an answer is told, and the answer taken", noise_is_told_and_the_answer_taken),
        ("an answer in pieces is one", an_answer_in_pieces_is_one),
        ("who does not read is not waited for", who_does_not_read_is_not_waited_for),
        ("who exits after each answer is started again", who_exits_after_each_answer_is_started_again),
        ("what is not offered is not asked", what_is_not_offered_is_not_asked),
        ("many threads ask one engine", many_threads_ask_one_engine),
        ("the command tells what became of a case", the_command_tells_what_became_of_a_case),
        ("the command tells noise, and believes none in its smoke set", the_command_tells_noise),
        #[cfg(target_os = "linux")]
        ("whoever is dropped is gone", whoever_is_dropped_is_gone),
        #[cfg(target_os = "linux")]
        ("what an engine started is gone with it", what_an_engine_started_is_gone_with_it),
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

fn limited(mode: &str, answer: Duration) -> Process {
    Process::new(&hostile::command(mode)).expect("a command").within(Limits { hello: AMPLE, answer })
}

fn engine(mode: &str) -> Process {
    limited(mode, AMPLE)
}

fn says(engine: &dyn Engine, reference: &str) -> Outcome {
    ask(engine, BASE, reference)
}

#[track_caller]
fn is_honest(engine: &dyn Engine) {
    assert_eq!(says(engine, "g"), Outcome::Url("http://a/b/g".to_owned()));
}

/// The trigger has an outcome as `expected`, and the cases before and after are answered. What is told against the protocol.
#[track_caller]
fn earns(engine: &Process, expected: impl Fn(&Outcome) -> bool) -> Violations {
    is_honest(engine);
    let did = says(engine, TRIGGER);
    assert!(expected(&did), "{did:?}, {:?}", engine.violations());
    is_honest(engine);
    engine.violations()
}

fn triggered() -> impl Fn(&Outcome) -> bool {
    |did| *did == Outcome::Url("http://a/b/boom".to_owned())
}

fn an_honest_engine_is_asked_as_ours_are() {
    let engine = engine("honest");
    assert_eq!(smoke(&engine), Ok(Passed { pairs: 12, deviations: vec![] }));
    assert_eq!((engine.version(), engine.violations().count()), ("1", 0));
    for reference in ["", "\n", "\0", "é\u{2028}\u{10ffff}", "\"\\", &"../".repeat(100_000)] {
        let ours = urlstrata::revision::rfc3986::REVISION.resolve(BASE, reference).expect("a result").url;
        assert_eq!(says(&engine, reference), Outcome::Url(ours));
    }
}

fn who_has_no_hello_does_not_start() {
    for (mode, sentence) in [
        ("gone", "has not said who it is: exit status: 3"),
        (
            "fails",
            "exit status: 3; its standard error ends: Traceback: | ModuleNotFoundError: No module named '\\u{1b}[31murl'",
        ),
        ("second protocol", "is not understood: it speaks protocol 2, and 1 is understood"),
        ("chatty", "is not understood: its first line is no hello, no JSON object: an engine says {\"protocol\":1,"),
        ("binary", "is not understood: its first line is not UTF-8 from byte 1 on"),
        ("nulls", "is not understood: its first line is no hello, no JSON object"),
        ("endless hello", "is not understood: its first line is longer than 1048576 bytes"),
    ] {
        let engine = engine(mode);
        let why = engine.ready().expect_err("no hello");
        assert!(why.contains(sentence), "{mode}: {why}");
        assert_eq!(engine.version(), "unknown", "{mode}");
        assert!(matches!(says(&engine, "g"), Outcome::Crash(_)), "{mode}");
        assert_eq!(smoke(&engine), Err(why), "{mode}");
    }
    let why = Process::new("./no/such/program").expect("a command").ready().expect_err("no program");
    assert!(why.starts_with("cmd:./no/such/program cannot be started: "), "{why}");
    assert!(Process::new(" ").is_err_and(|why| why.contains("names no program")));
    assert!(Process::new("a 'b").is_err_and(|why| why.contains("left open")));
}

fn who_starts_too_slowly_does_not_start() {
    let engine = Process::new(&hostile::command("mute")).expect("a command");
    let engine = engine.within(Limits { hello: Duration::from_millis(300), answer: AMPLE });
    let why = engine.ready().expect_err("no hello");
    assert!(why.ends_with("has not said who it is: no answer within 300ms"), "{why}");
}

fn a_lie_is_an_unexplained_divergence() {
    let engine = engine("lies");
    assert!(smoke(&engine).is_ok(), "its wrong results come later");
    let specification = Specification::by_id("rfc3986").expect("a document");
    let mut beside = Comparer::new(&engine, &[specification], None);
    for reference in ["g", TRIGGER, "../g"] {
        beside.ask(BASE, reference);
    }
    let found = beside.finish().remove(0);
    let totals = found.totals;
    assert_eq!((totals.cases, totals.agree, totals.explained, totals.unexplained), (3, 2, 0, 1));
    assert_eq!(found.classes[0].cause, "unexplained: host");
    assert_eq!(found.classes[0].witness.engine, Outcome::Url("http://elsewhere/".to_owned()));
}

fn a_crash_is_told_with_its_end() {
    let exits = |did: &Outcome| matches!(did, Outcome::Crash(why) if why == "exit status: 1; its standard error ends: first | fatal: out of cheese");
    assert_eq!(earns(&engine("exits"), exits).count(), 0);
    earns(&engine("aborts"), |did| matches!(did, Outcome::Crash(why) if why.contains("signal: 6")));
    // What nothing explains is told as such.
    let specification = Specification::by_id("rfc3986").expect("a document");
    for (mode, answer, cause) in
        [("exits", AMPLE, "unexplained: a crash"), ("hangs", SHORT, "unexplained: no answer in time")]
    {
        let engine = limited(mode, answer);
        let mut beside = Comparer::new(&engine, &[specification], None);
        beside.ask(BASE, TRIGGER);
        let found = beside.finish().remove(0);
        assert_eq!((found.totals.agree, found.classes[0].cause.as_str()), (0, cause));
    }
}

fn who_closes_its_output_has_crashed() {
    earns(&engine("closes"), |did| matches!(did, Outcome::Crash(why) if why == "it closed its output and went on"));
}

fn silence_takes_as_long_as_the_limit() {
    let begun = Instant::now();
    earns(&limited("hangs", SHORT), |did| *did == Outcome::Timeout("no answer within 1s".to_owned()));
    assert!(begun.elapsed() < AMPLE, "{:?}", begun.elapsed());
}

fn what_is_no_answer_does_not_end_a_case() {
    for (mode, violation) in [
        ("only unknown id", "line 3 of its output is an answer to 1001, which was not asked"),
        ("only garbage", "line 3 of its output is no answer, no JSON object: \"garbage\""),
        ("parts", "line 3 of its output is parts for 2, which asked for a url"),
        ("endless line", "line 3 of its output is longer than 1048576 bytes"),
    ] {
        let wanted = format!("no answer within 1s; {violation}");
        let timed_out = |did: &Outcome| matches!(did, Outcome::Timeout(why) if why.starts_with(&wanted));
        let violations = earns(&limited(mode, SHORT), timed_out);
        assert!(
            violations.first()[0].starts_with(violation) && violations.first().len() <= Violations::KEPT,
            "{mode}: {violations:?}"
        );
    }
    // Who may still write on has not written a line.
    let unended = earns(&limited("no line end", SHORT), |did| matches!(did, Outcome::Timeout(_)));
    assert_eq!(unended.count(), 0);
}

fn an_answer_that_is_not_utf_8_ends_its_request() {
    let engine = engine("answer not UTF-8");
    let why = "not UTF-8 from byte 25 on";
    let violations = earns(&engine, |did| *did == Outcome::Skipped(format!("the answer is {why}")));
    assert_eq!(violations.first(), [format!("line 3 of its output is an answer to 2 that is {why}")]);
    let command = format!("cmd:{}", hostile::command("answer not UTF-8"));
    let output = urlstrata(&["resolve", "--as", &command, "--base", BASE, TRIGGER, "g"]).output().expect("it ends");
    ends(&output, 0, "skipped: the answer is not UTF-8 from byte 26 on\nhttp://a/b/g\n");
}

fn noise_is_told_and_the_answer_taken() {
    for (mode, violations) in [
        ("answers twice", ["line 4 of its output is another answer to 2, which has ended"].as_slice()),
        ("answers early", &["line 3 of its output is an answer to 3, which was not asked"]),
        ("unknown id", &["line 3 of its output is an answer to 1001,", "line 4 of its output is an answer to 0,"]),
        (
            "garbage",
            &[
                "line 3 of its output is no answer, no JSON object: \"garbage\"",
                "line 4 of its output is no answer, no JSON object: \"\\u{0}\\u{0}\"",
                "line 5 of its output is no answer, no JSON object: \"[2,\"http://elsewhere/\"]\"",
            ],
        ),
        ("not UTF-8", &["line 3 of its output is not UTF-8 from byte 7 on"]),
        ("long line", &["line 3 of its output is longer than 1048576 bytes"]),
        ("floods standard error", &[]),
    ] {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let engine =
            engine(mode).reporting(move |violation| hears.lock().expect("no panic").push(violation.to_owned()));
        let found = earns(&engine, triggered());
        assert_eq!(found.count(), violations.len() as u64, "{mode}: {found:?}");
        assert!(
            found.first().iter().zip(violations).all(|(found, violation)| found.starts_with(violation)),
            "{mode}: {found:?}"
        );
        assert_eq!(*told.lock().expect("no panic"), found.first(), "{mode}");
    }
}

fn an_answer_in_pieces_is_one() {
    for mode in ["dribbles", "no line end, and exits"] {
        let violations = earns(&engine(mode), triggered());
        assert!(
            violations.first().iter().all(|violation| violation.starts_with("between two requests: ")),
            "{mode}: {violations:?}"
        );
    }
}

fn who_does_not_read_is_not_waited_for() {
    let engine = limited("deaf", Duration::from_millis(300));
    let long = "x".repeat(4 << 20);
    for reference in ["g", long.as_str(), "g"] {
        assert_eq!(says(&engine, reference), Outcome::Timeout("no answer within 300ms".to_owned()));
    }
}

/// That it exits may show before or after the next request.
fn who_exits_after_each_answer_is_started_again() {
    let engine = engine("once");
    let mut answered = 0;
    for _ in 0..20 {
        match says(&engine, "g") {
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

fn what_is_not_offered_is_not_asked() {
    let engine = engine("honest");
    assert_eq!(
        engine.parse("http://a/"),
        Err(Outcome::Skipped("no such operation: it does not offer parse".to_owned()))
    );
    is_honest(&engine);
}

fn many_threads_ask_one_engine() {
    let engine = engine("honest");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let engine = &engine;
            scope.spawn(move || {
                for number in 0..200 {
                    let reference = format!("{thread}-{number}");
                    assert_eq!(says(engine, &reference), Outcome::Url(format!("http://a/b/{reference}")));
                }
            });
        }
    });
    assert_eq!(engine.violations().count(), 0);
}

fn the_command_tells_what_became_of_a_case() {
    let exits = format!("cmd:{}", hostile::command("exits"));
    let output = urlstrata(&["resolve", "--as", &exits, "--base", BASE, "g", TRIGGER, "g"]).output().expect("it ends");
    let crashed = "crashed: exit status: 1; its standard error ends: first | fatal: out of cheese";
    ends(&output, 0, &format!("http://a/b/g\n{crashed}\nhttp://a/b/g\n"));
    let lies = format!("cmd:{}", hostile::command("lies"));
    let pairs = format!("{BASE}\tg\n{BASE}\t{TRIGGER}\n");
    let output = with_input(&["run", "--pairs", "-", "-e", &lies], pairs.as_bytes());
    ends(&output, 1, "2 comparisons: 1 agree, 0 explained, 1 unexplained");
}

fn the_command_tells_noise() {
    let twice = format!("cmd:{}", hostile::command("answers twice"));
    let output = urlstrata(&["resolve", "--as", &twice, "--base", BASE, TRIGGER, "g"]).output().expect("it ends");
    ends(&output, 0, "http://a/b/boom\nhttp://a/b/g\n");
    ends(&output, 0, &format!("urlstrata: {twice}: line 15 of its output is another answer to 13, which has ended"));
    let noisy = format!("cmd:{}", hostile::command("always noisy"));
    let output = urlstrata(&["engine", "smoke", &noisy]).output().expect("it ends");
    ends(
        &output,
        69,
        "failed the smoke test: line 2 of its output is no answer, no JSON object: \"asked\": output that is not an answer belongs",
    );
}

/// Whether no process has that number, or only a dead one that nobody has reaped yet.
#[cfg(target_os = "linux")]
fn is_gone(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X'])))
}

#[cfg(target_os = "linux")]
#[track_caller]
fn soon_gone(process: &str) {
    let begun = Instant::now();
    while !is_gone(process) {
        assert!(begun.elapsed() < AMPLE, "{process} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A shell that says hello with `version` as its version, and goes on with `rest`.
#[cfg(target_os = "linux")]
fn shell(version: &str, before: &str, rest: &str) -> Process {
    let hello = hostile::HELLO.replace("\"1\"", "\"%s\"");
    let script = format!("{before}; printf '{hello}\\n' {version}; {rest}");
    let command = shlex::try_join(["sh", "-c", &script]).expect("no NUL");
    Process::new(&command).expect("a command").within(Limits { hello: AMPLE, answer: Duration::from_millis(300) })
}

#[cfg(target_os = "linux")]
fn whoever_is_dropped_is_gone() {
    let stubborn = shell("$$", "trap '' TERM HUP INT", "while :; do sleep 1; done");
    let process = stubborn.hello().expect("a hello").version.clone();
    assert!(!is_gone(&process), "it runs");
    assert!(matches!(says(&stubborn, "g"), Outcome::Timeout(_)));
    assert!(is_gone(&process), "it is killed after a timeout");
    drop(stubborn);
    let stubborn = shell("$$", "trap '' TERM HUP INT", "while :; do sleep 1; done");
    let process = stubborn.hello().expect("a hello").version.clone();
    drop(stubborn);
    assert!(is_gone(&process), "it is killed when dropped");
}

#[cfg(target_os = "linux")]
fn what_an_engine_started_is_gone_with_it() {
    // Its child keeps the pipes, so that they do not end with it.
    let leaves = shell("$child", "sleep 600 & child=$!", "exit 0");
    let child = leaves.hello().expect("a hello").version.clone();
    assert!(matches!(says(&leaves, "g"), Outcome::Timeout(_)));
    soon_gone(&child);
    // Its child has left the group with the pipes, and nobody waits for it.
    let escapes = shell("$child", "setsid sleep 3 & child=$!", "exit 0");
    assert!(escapes.ready().is_ok());
    let begun = Instant::now();
    assert!(matches!(says(&escapes, "g"), Outcome::Timeout(_)));
    drop(escapes);
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
}
