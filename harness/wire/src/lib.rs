//! Observes where an unmodified HTTP client connects, and what it sends.
//!
//! The client runs in a private network namespace, in which every address belongs to this process. A name server answers each name
//! with an address of its own, listeners accept the connections, and a packet socket sees each attempt to connect. No packet can leave
//! the namespace, because its only interface is the loopback interface. Neither privileges nor a network are needed.
//!
//! The client is an engine: a program that implements the engine protocol with the operations `connect` and `follow`. [`observe`]
//! is an engine, too. It passes each request on to the client, and adds to the answer what it saw.
//!
//! Namespaces exist on Linux only. Elsewhere, and where the system does not permit them, each request is skipped with the reason.

#[cfg(target_os = "linux")]
mod client;
pub mod client_hello;
pub mod name_server;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
mod observer;
#[cfg(target_os = "linux")]
mod open;
pub mod packet;
pub mod request;
pub mod seen;
#[cfg(target_os = "linux")]
mod tls;
#[cfg(target_os = "linux")]
mod transfer;

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// Runs the client `words`, a program and its arguments, and serves the engine protocol until `input` ends.
///
/// The current process must have a single thread, and enters the namespace. Where that is not possible, each request is answered with
/// `skipped` and the reason.
///
/// # Errors
///
/// Returns a sentence if the client cannot be started, does not implement the protocol, or does not connect to the control URL.
pub fn observe(words: &[String], input: impl BufRead, mut output: impl Write) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    let entered = namespace::enter();
    #[cfg(not(target_os = "linux"))]
    let entered: Result<bool, String> = {
        let _ = words;
        Err("network namespaces exist on Linux only".to_owned())
    };
    match entered {
        #[cfg(target_os = "linux")]
        Ok(has_ipv6) => observer::run(words, has_ipv6, input, &mut output),
        #[cfg(not(target_os = "linux"))]
        Ok(_) => Ok(()),
        Err(why) => skip(&why, input, &mut output).map_err(|error| error.to_string()),
    }
}

/// The name that the observer has in the first line of its output if it cannot run the client.
pub const UNOBSERVED: &str = "unobserved";

/// Answers each request with `skipped`.
fn skip(why: &str, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let hello = json!({"protocol": 1, "engine": UNOBSERVED, "version": version, "ops": ["connect", "follow"]});
    writeln!(output, "{hello}")?;
    output.flush()?;
    for line in input.lines() {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        writeln!(output, "{}", json!({"id": request["id"], "skipped": format!("clients cannot be observed: {why}")}))?;
        output.flush()?;
    }
    Ok(())
}
