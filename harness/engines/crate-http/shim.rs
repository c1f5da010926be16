//! The crate http as an engine: the accessors of http::Uri.
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::io::{BufRead, Write};

use http::Uri;
use serde_json::{json, Value};

fn parse(text: &str) -> Result<Value, String> {
    let url: Uri = text.parse().map_err(|error: http::uri::InvalidUri| error.to_string())?;
    Ok(json!({
        "scheme": url.scheme_str(),
        "host": url.host(),
        "port": url.port_u16().map(|port| port.to_string()),
        "path": url.path(),
        "query": url.query(),
        "authority": url.authority().map(|authority| authority.as_str()),
    }))
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "http", "version": version, "ops": ["parse"]})).unwrap();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut answer = match parse(asked["url"].as_str().unwrap()) {
            Ok(parts) => json!({ "parts": parts }),
            Err(error) => json!({ "failure": error }),
        };
        answer["id"] = asked["id"].clone();
        writeln!(out, "{}", ascii(&answer.to_string())).unwrap();
    }
}

/// Escapes what is not ASCII. In JSON, that is only ever inside a text.
fn ascii(json: &str) -> String {
    let escaped = |unit: u16| if unit < 0x80 { char::from(unit as u8).to_string() } else { format!("\\u{unit:04x}") };
    json.encode_utf16().map(escaped).collect()
}
