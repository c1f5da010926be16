//! The crate ada-url as an engine: Url::parse(reference, Some(base)).
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::io::{BufRead, Write};

use ada_url::Url;
use serde_json::{json, Value};

fn resolve(base: &str, reference: &str) -> Result<String, String> {
    let base = (!base.is_empty()).then_some(base); // An unknown base.
    Url::parse(reference, base).map(|url| url.href().to_owned()).map_err(|_| "not a URL to ada".to_owned())
}

fn parse(text: &str) -> Result<Value, String> {
    let url = Url::parse(text, None).map_err(|_| "not a URL to ada".to_owned())?;
    let after = |delimiter, text: &str| text.strip_prefix(delimiter).unwrap_or(text).to_owned();
    Ok(json!({
        "scheme": url.protocol().trim_end_matches(':'),
        "user": url.username(),
        "password": url.password(),
        "host": url.hostname(),
        "port": url.port(),
        "path": url.pathname(),
        "query": after('?', url.search()),
        "fragment": after('#', url.hash()),
        "authority": url.host(),
    }))
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "ada-url", "version": version, "ops": ["resolve", "parse"]}))
        .unwrap();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |name: &str| asked[name].as_str().unwrap();
        let answer = match text("op") {
            "parse" => parse(text("url")).map(|parts| json!({"parts": parts})),
            _ => resolve(text("base"), text("reference")).map(|url| json!({"url": url})),
        };
        let mut answer = answer.unwrap_or_else(|error| json!({"failure": error}));
        answer["id"] = asked["id"].clone();
        writeln!(out, "{}", ascii(&answer.to_string())).unwrap();
    }
}

/// Escapes what is not ASCII. In JSON, that is only ever inside a text.
fn ascii(json: &str) -> String {
    let escaped = |unit: u16| if unit < 0x80 { char::from(unit as u8).to_string() } else { format!("\\u{unit:04x}") };
    json.encode_utf16().map(escaped).collect()
}
