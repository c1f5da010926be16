//! The crate hyper-util as an engine: Client::get(url.parse()?) of its legacy client, which waits for four seconds.
//!
//! A crate can not report its version at run time, so the command's argument names it.

use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Duration;

use http_body_util::Empty;
use hyper_tls::{native_tls, HttpsConnector};
use hyper_util::client::legacy::{connect::HttpConnector, Client};
use hyper_util::rt::TokioExecutor;
use serde_json::{json, Value};

fn request(url: &str) -> Result<(), Box<dyn Error>> {
    let tls = native_tls::TlsConnector::builder().danger_accept_invalid_certs(true).danger_accept_invalid_hostnames(true).build()?;
    let mut plain = HttpConnector::new();
    plain.enforce_http(false); // As HttpsConnector::new does, which verifies certificates.
    let connector = HttpsConnector::from((plain, tls.into()));
    let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build::<_, Empty<&[u8]>>(connector);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let url = url.parse()?;
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(4), client.get(url)).await })??;
    Ok(())
}

fn main() {
    let version = std::env::args().nth(1).expect("the version");
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"protocol": 1, "engine": "hyper-util", "version": version, "ops": ["connect"]})).unwrap();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut answer = match asked["op"].as_str() {
            Some("connect") => match request(asked["url"].as_str().unwrap()) {
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
