//! Engines that misbehave: this very test program, started with [`FLAG`] and a mode.
//!
//! Each says hello unless its mode is about that, and answers honestly whatever is not [`TRIGGER`].

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use urlstrata::revision::rfc3986;

pub(crate) const FLAG: &str = "--hostile";
pub(crate) const TRIGGER: &str = "boom";
pub(crate) const HELLO: &str = r#"{"protocol":1,"engine":"hostile","version":"1","ops":["resolve"]}"#;

/// The command that starts the mode.
pub(crate) fn command(mode: &str) -> String {
    let program = std::env::current_exe().expect("a path").to_string_lossy().into_owned();
    shlex::try_join([program.as_str(), FLAG, mode]).expect("no NUL")
}

pub(crate) fn main(mode: &str) -> ExitCode {
    let Some(hello) = hello(mode) else { return ExitCode::from(3) };
    say(hello.as_bytes());
    for (line, number) in io::stdin().lock().lines().map_while(Result::ok).zip(1..) {
        let request: serde_json::Value = serde_json::from_str(&line).expect("a request is JSON");
        let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
        let id = request["id"].as_u64().expect("an id");
        assert_eq!(id, number, "ids count requests");
        let url = rfc3986::REVISION.resolve(&text("base"), &text("reference")).expect("a result").url;
        if mode == "always noisy" {
            say(b"asked\n");
        }
        if text("reference") == TRIGGER {
            misbehave(mode, id, &url);
        } else {
            say(answer(id, &url).as_bytes());
        }
        if mode == "once" {
            return ExitCode::SUCCESS;
        }
    }
    ExitCode::SUCCESS
}

/// What is said first; `None` if nothing is, and it exits.
fn hello(mode: &str) -> Option<String> {
    match mode {
        "mute" => sleep(),
        "gone" => return None,
        "fails" => {
            eprintln!("Traceback:\n\n  ModuleNotFoundError: No module named '\u{1b}[31murl'");
            return None;
        }
        "chatty" => say(b"Loading, please wait\n"),
        "binary" => say(b"\xff\xfe{\n"),
        "nulls" => say(&[0; 4096]),
        "endless hello" => say_without_end(b"x"),
        _ => {}
    }
    Some(match mode {
        "second protocol" => HELLO.replace(":1,", ":2,") + "\n",
        "nulls" => "\n".to_owned(),
        "deaf" => {
            say(format!("{HELLO}\n").as_bytes());
            sleep()
        }
        _ => format!("{HELLO}\n"),
    })
}

fn misbehave(mode: &str, id: u64, url: &str) {
    let lie = "http://elsewhere/";
    match mode {
        "lies" => say(answer(id, lie).as_bytes()),
        "hangs" => sleep(),
        "exits" => {
            eprintln!("first\nfatal: out of cheese");
            std::process::exit(1);
        }
        "aborts" => std::process::abort(),
        "closes" => {
            close_output();
            sleep();
        }
        "answers twice" => say((answer(id, url) + &answer(id, lie)).as_bytes()),
        "answers early" => say((answer(id + 1, lie) + &answer(id, url)).as_bytes()),
        "unknown id" => say((answer(id + 999, lie) + &answer(0, lie) + &answer(id, url)).as_bytes()),
        "only unknown id" => say(answer(id + 999, lie).as_bytes()),
        "garbage" => say(format!("garbage\n\0\0\n[{id},\"{lie}\"]\n{}", answer(id, url)).as_bytes()),
        "only garbage" => say_without_end(b"garbage\n"),
        "not UTF-8" => say(&[b"{\"id\":\xff}\n".as_slice(), answer(id, url).as_bytes()].concat()),
        "answer not UTF-8" => {
            say(&[format!("{{\"id\":{id},\"url\":\"").as_bytes(), b"http://a/\xff\"}\n"].concat());
        }
        "parts" => say(format!("{{\"id\":{id},\"parts\":{{}}}}\n").as_bytes()),
        "endless line" => say_without_end(b"x"),
        "long line" => say(&[&[b'x'; 2 << 20], b"\n".as_slice(), answer(id, url).as_bytes()].concat()),
        "no line end" => say(answer(id, url).trim_end().as_bytes()),
        "no line end, and exits" => {
            say(answer(id, url).trim_end().as_bytes());
            std::process::exit(0);
        }
        "dribbles" => answer(id, url).bytes().for_each(|byte| say(&[byte])),
        "floods standard error" => {
            (0..20_000).for_each(|_| eprintln!("{}", "noise ".repeat(16)));
            say(answer(id, url).as_bytes());
        }
        other => panic!("no mode is called {other:?}"),
    }
}

fn answer(id: u64, url: &str) -> String {
    format!("{}\n", serde_json::json!({"id": id, "url": url}))
}

/// Writes, and exits when nobody reads any more.
fn say(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn say_without_end(bytes: &[u8]) -> ! {
    let much = bytes.repeat((64 << 10) / bytes.len());
    loop {
        say(&much);
    }
}

fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Closes the standard output for good.
#[cfg(unix)]
fn close_output() {
    let nowhere = std::fs::File::options().write(true).open("/dev/null").expect("a place for what is lost");
    rustix::stdio::dup2_stdout(nowhere).expect("another standard output");
}

#[cfg(not(unix))]
fn close_output() {
    std::process::exit(0);
}
