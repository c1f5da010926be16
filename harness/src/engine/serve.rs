//! The engine protocol for engines in this process: reads requests and writes answers.

use std::io::{self, BufReader, Read, Write};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Engine, ask, ask_parts};
use crate::lines::{Line, Lines};
use crate::outcome::Outcome;
use crate::protocol::{Named, Op, VERSION, read_object};

#[derive(Deserialize)]
struct Request {
    id: Value,
    op: String,
    #[serde(default)]
    base: Option<String>,
    reference: Option<String>,
    url: Option<String>,
}

/// Implements the engine protocol for `engine` until `input` ends: writes the hello, then an answer to each request.
///
/// The answer to a line that is not a request is `skipped` with the reason. It has the id of the line if the line
/// contains an id. Blank lines are ignored.
///
/// # Errors
///
/// Returns an error if `input` cannot be read or `output` cannot be written.
pub fn serve(engine: &dyn Engine, input: impl Read, output: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let ops = [Op::Resolve, Op::Parse].map(Op::name);
    let hello = json!({"protocol": VERSION, "engine": engine.name(), "version": engine.version(), "ops": ops});
    writeln!(output, "{hello}")?;
    output.flush()?;
    answer_all(engine, input, output)
}

/// Answers the requests in `input` as [`serve`] does, but does not write the hello.
///
/// # Errors
///
/// Returns an error if `input` cannot be read or `output` cannot be written.
pub fn answer_all(engine: &dyn Engine, input: impl Read, output: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut lines = Lines::new(BufReader::new(input));
    loop {
        let requests = lines.next_lines()?;
        if requests.is_empty() {
            return Ok(());
        }
        for request in requests {
            let answer = match request {
                Line::Text(text) if text.trim().is_empty() => continue,
                Line::Text(text) => answer(engine, &text),
                Line::Bad(why) => json!({"id": null, "skipped": format!("not a request: {why}")}),
            };
            writeln!(output, "{answer}")?;
        }
        // Answers to requests that came together are written together. Nobody waits for one of them alone.
        output.flush()?;
    }
}

fn answer(engine: &dyn Engine, line: &str) -> Value {
    let request: Request = match read_object(line) {
        Ok(request) => request,
        Err(why) => {
            let id = read_object::<Named>(line).map_or(Value::Null, |named| named.id);
            return json!({"id": id, "skipped": format!("not a request: {why}")});
        }
    };
    let id = request.id;
    let response = match (request.op.as_str(), request.reference, request.url) {
        ("resolve", Some(reference), _) => ask(engine, request.base.as_deref().unwrap_or_default(), &reference),
        ("parse", _, Some(url)) => match ask_parts(engine, &url) {
            Ok(parts) => {
                let parts: Map<String, Value> = parts.into_iter().map(|(name, value)| (name, json!(value))).collect();
                return json!({"id": id, "parts": parts});
            }
            Err(response) => response,
        },
        ("resolve", None, _) => Outcome::Skipped("resolve needs a reference".to_owned()),
        ("parse", _, None) => Outcome::Skipped("parse needs a url".to_owned()),
        _ => Outcome::Skipped("unsupported operation".to_owned()),
    };
    match response {
        Outcome::Url(url) => json!({"id": id, "url": url}),
        Outcome::Failure(why) => json!({"id": id, "failure": why}),
        Outcome::Unrepresentable(why) => json!({"id": id, "unrepresentable": why}),
        Outcome::Skipped(why) | Outcome::Crash(why) | Outcome::Timeout(why) => json!({"id": id, "skipped": why}),
    }
}
