//! The crate uriparse as an engine: URI::try_from(base)?.resolve(&reference).
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::io::{BufRead, Write};

use serde_json::{json, Value};
use uriparse::{URIReference, URI};

fn resolve(base: &str, reference: &str) -> Result<String, String> {
    if base.is_empty() {
        // An unknown base: the reference is parsed alone.
        return URI::try_from(reference).map(|uri| uri.to_string()).map_err(|error| error.to_string());
    }
    let base = URI::try_from(base).map_err(|error| format!("base: {error}"))?;
    let reference = URIReference::try_from(reference).map_err(|error| error.to_string())?;
    Ok(base.resolve(&reference).to_string())
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "uriparse", "version": version, "ops": ["resolve"]})).unwrap();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut answer = match resolve(asked["base"].as_str().unwrap(), asked["reference"].as_str().unwrap()) {
            Ok(url) => json!({"url": url}),
            Err(error) => json!({"failure": error}),
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
