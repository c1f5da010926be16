//! The crate reqwest as an engine: reqwest::blocking::get(url), that is Client::get of a client that waits for four seconds.
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Duration;

use reqwest::blocking::Client;
use reqwest::redirect::Policy;
use serde_json::{json, Value};

fn request(url: &str, follow: bool) -> Result<(), Box<dyn Error>> {
    let redirects = if follow { Policy::limited(3) } else { Policy::none() };
    let client = Client::builder().no_proxy().http1_only().pool_max_idle_per_host(0).timeout(Duration::from_secs(4));
    let client = client.tls_danger_accept_invalid_certs(true).tls_danger_accept_invalid_hostnames(true).redirect(redirects);
    client.build()?.get(url).send()?.bytes()?;
    Ok(())
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "reqwest", "version": version, "ops": ["connect", "follow"]})).unwrap();
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
