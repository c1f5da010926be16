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

fn parse(text: &str) -> Result<Value, String> {
    let url = URIReference::try_from(text).map_err(|error| error.to_string())?;
    Ok(json!({
        "scheme": url.scheme().map(|scheme| scheme.to_string()),
        "user": url.username().map(|user| user.to_string()),
        "password": url.password().map(|password| password.to_string()),
        "host": url.host().map(|host| host.to_string()),
        "port": url.port().map(|port| port.to_string()),
        "path": url.path().to_string(),
        "query": url.query().map(|query| query.to_string()),
        "fragment": url.fragment().map(|fragment| fragment.to_string()),
        "authority": url.authority().map(|authority| authority.to_string()),
    }))
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "uriparse", "version": version, "ops": ["resolve", "parse"]}))
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
