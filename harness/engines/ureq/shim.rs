//! The crate ureq as an engine: ureq::get(url).call(), that is Agent::get of an agent that waits for four seconds.
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Duration;

use serde_json::{json, Value};
use ureq::tls::TlsConfig;
use ureq::Agent;

fn request(url: &str, follow: bool) -> Result<(), Box<dyn Error>> {
    let config = Agent::config_builder().proxy(None).max_idle_connections(0).timeout_global(Some(Duration::from_secs(4)));
    let config = config.tls_config(TlsConfig::builder().disable_verification(true).build()).http_status_as_error(false);
    let config = config.max_redirects(if follow { 3 } else { 0 }).max_redirects_will_error(false);
    Agent::new_with_config(config.build()).get(url).call()?;
    Ok(())
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "ureq", "version": version, "ops": ["connect", "follow"]})).unwrap();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut answer = match asked["op"].as_str() {
            Some(op @ ("connect" | "follow")) => match request(asked["url"].as_str().unwrap(), op == "follow") {
                Ok(()) => json!({"done": true}),
                Err(error) => json!({"failure": message(&*error)}),
            },
            _ => json!({"skipped": "unsupported operation"}),
        };
        answer["id"] = asked["id"].clone();
        writeln!(out, "{answer}").unwrap();
    }
}

/// Returns the error with its sources, in ASCII.
fn message(mut error: &dyn Error) -> String {
    let mut text = error.to_string();
    while let Some(source) = error.source() {
        text += &format!(": {source}");
        error = source;
    }
    text.chars().take(300).map(|c| if matches!(c, ' '..='~') { c } else { '?' }).collect()
}
