//! Faulty engines for tests: this test program itself, started with [`FLAG`] and a mode.
//!
//! An engine prints a valid hello unless its mode concerns the hello. It returns the correct result for every reference
//! except [`TRIGGER`], unless its mode concerns every request.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use urlstrata::revision::rfc3986;

/// The first argument that makes the test program an engine.
pub(crate) const FLAG: &str = "--hostile";
/// The reference for which an engine misbehaves.
pub(crate) const TRIGGER: &str = "boom";
/// A valid hello, without its line end.
pub(crate) const HELLO: &str = r#"{"protocol":1,"engine":"hostile","version":"1","ops":["resolve"]}"#;

/// Returns the command that starts an engine in `mode`.
pub(crate) fn command(mode: &str) -> String {
    let program = std::env::current_exe().expect("a path").to_string_lossy().into_owned();
    shlex::try_join([program.as_str(), FLAG, mode]).expect("no NUL")
}

/// Runs the engine in `mode` until its standard input ends.
pub(crate) fn main(mode: &str) -> ExitCode {
    let Some(hello) = hello(mode) else { return ExitCode::from(3) };
    write(hello.as_bytes());
    for (line, number) in io::stdin().lock().lines().map_while(Result::ok).zip(1..) {
        let request: serde_json::Value = serde_json::from_str(&line).expect("a request is JSON");
        let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
        let id = request["id"].as_u64().expect("an id");
        assert_eq!(id, number, "ids count requests");
        let Ok(target) = rfc3986::REVISION.resolve(&text("base"), &text("reference")) else {
            write(format!("{{\"id\":{id},\"failure\":\"unknown base\"}}\n").as_bytes());
            continue;
        };
        let url = match mode {
            "restless" if text("reference").contains(';') => format!("{}{}", target.url, std::process::id()),
            "monotonous" if text("base") != "http://a/b/c/d?q" => "http://a/".to_owned(),
            _ => target.url,
        };
        if mode == "always noisy" {
            write(b"asked\n");
        }
        if text("reference") == TRIGGER {
            misbehave(mode, id, &url);
        } else {
            write(response(id, &url).as_bytes());
        }
        if mode == "once" {
            return ExitCode::SUCCESS;
        }
    }
    ExitCode::SUCCESS
}

/// Returns the first output of the engine in `mode`, or `None` if the engine exits without a hello.
///
/// Output that precedes the hello is written immediately.
fn hello(mode: &str) -> Option<String> {
    match mode {
        "mute" => sleep(),
        "gone" => return None,
        "fails" => {
            eprintln!("Traceback:\n\n  ModuleNotFoundError: No module named '\u{1b}[31murl'");
            return None;
        }
        "chatty" => write(b"Loading, please wait\n"),
        "binary" => write(b"\xff\xfe{\n"),
        "nulls" => write(&[0; 4096]),
        "endless hello" => write_endlessly(b"x"),
        _ => {}
    }
    Some(match mode {
        "second version" => HELLO.replace("\"1\",", "\"2\",") + "\n",
        "second protocol" => HELLO.replace(":1,", ":2,") + "\n",
        "nulls" => "\n".to_owned(),
        "deaf" => {
            write(format!("{HELLO}\n").as_bytes());
            sleep()
        }
        _ => format!("{HELLO}\n"),
    })
}

/// Responds to the request `id`, whose correct target is `url`, as `mode` specifies.
fn misbehave(mode: &str, id: u64, url: &str) {
    let lie = "http://elsewhere/";
    match mode {
        "honest" => write(response(id, url).as_bytes()),
        "lies" => write(response(id, lie).as_bytes()),
        "differs" => write(response(id, &format!("http://a/{}", std::process::id())).as_bytes()),
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
        "answers twice" => write((response(id, url) + &response(id, lie)).as_bytes()),
        "answers early" => write((response(id + 1, lie) + &response(id, url)).as_bytes()),
        "unknown id" => write((response(id + 999, lie) + &response(0, lie) + &response(id, url)).as_bytes()),
        "only unknown id" => write(response(id + 999, lie).as_bytes()),
        "garbage" => write(format!("garbage\n\0\0\n[{id},\"{lie}\"]\n{}", response(id, url)).as_bytes()),
        "only garbage" => write_endlessly(b"garbage\n"),
        "not UTF-8" => write(&[b"{\"id\":\xff}\n".as_slice(), response(id, url).as_bytes()].concat()),
        "answer not UTF-8" => {
            write(&[format!("{{\"id\":{id},\"url\":\"").as_bytes(), b"http://a/\xff\"}\n"].concat());
        }
        "bytes" => write(format!("{{\"id\":{id},\"bytes\":\"687474703a2f2f612fC3a9\"}}\n").as_bytes()),
        "bytes that are not UTF-8" => {
            write(format!("{{\"id\":{id},\"bytes\":\"687474703a2f2f612fff\"}}\n").as_bytes());
        }
        "unrepresentable" => {
            write(format!("{{\"id\":{id},\"unrepresentable\":\"NUL in a C string\"}}\n").as_bytes());
        }
        "parts" => write(format!("{{\"id\":{id},\"parts\":{{}}}}\n").as_bytes()),
        "endless line" => write_endlessly(b"x"),
        "long line" => write(&[&[b'x'; 2 << 20], b"\n".as_slice(), response(id, url).as_bytes()].concat()),
        "no line end" => write(response(id, url).trim_end().as_bytes()),
        "no line end, and exits" => {
            write(response(id, url).trim_end().as_bytes());
            std::process::exit(0);
        }
        "dribbles" => response(id, url).bytes().for_each(|byte| write(&[byte])),
        "floods standard error" => {
            (0..20_000).for_each(|_| eprintln!("{}", "noise ".repeat(16)));
            write(response(id, url).as_bytes());
        }
        other => panic!("no mode is called {other:?}"),
    }
}

/// Returns the line that responds to the request `id` with `url`.
fn response(id: u64, url: &str) -> String {
    format!("{}\n", serde_json::json!({"id": id, "url": url}))
}

/// Writes `bytes` to standard output. Exits if the standard output is closed.
fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Writes `bytes` repeatedly until the standard output is closed.
fn write_endlessly(bytes: &[u8]) -> ! {
    let much = bytes.repeat((64 << 10) / bytes.len());
    loop {
        write(&much);
    }
}

/// Sleeps until the process is killed.
fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Closes the standard output while the process continues.
#[cfg(unix)]
fn close_output() {
    let nowhere = std::fs::File::options().write(true).open("/dev/null").expect("a place for what is lost");
    rustix::stdio::dup2_stdout(nowhere).expect("another standard output");
}

/// Exits instead: closing only the standard output is implemented for Unix.
#[cfg(not(unix))]
fn close_output() {
    std::process::exit(0);
}
