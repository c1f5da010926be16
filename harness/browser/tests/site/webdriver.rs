//! A client of WebDriver (<https://www.w3.org/TR/webdriver2/>), with the commands that the tests use.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::http;

/// The key of an element in the results of commands (WebDriver §12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Longer than the driver waits for a page, which is 300 seconds, or for a script.
const TIMEOUT: Duration = Duration::from_secs(330);

/// A window of a browser. [`Session::end`] closes it. The other methods panic if a command fails.
pub(super) struct Session {
    port: u16,
    path: String,
}

impl Session {
    /// Starts a browser with the driver at `port`.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the driver cannot be reached or cannot start a browser with these capabilities.
    pub(super) fn new(port: u16, capabilities: &Value) -> Result<Self, String> {
        let body = json!({"capabilities": {"alwaysMatch": capabilities}});
        let created = command(port, "POST", "/session", &body, TIMEOUT)?;
        let id = created["sessionId"].as_str().ok_or_else(|| format!("a session without an identifier: {created}"))?;
        Ok(Self { port, path: format!("/session/{id}") })
    }

    /// Ends the browser.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the driver fails or does not answer within ten seconds.
    pub(super) fn end(&self) -> Result<(), String> {
        command(self.port, "DELETE", &self.path, &json!({}), Duration::from_secs(10)).map(drop)
    }

    fn get(&self, name: &str) -> Result<Value, String> {
        command(self.port, "GET", &format!("{}/{name}", self.path), &Value::Null, TIMEOUT)
    }

    fn post(&self, name: &str, body: &Value) -> Result<Value, String> {
        command(self.port, "POST", &format!("{}/{name}", self.path), body, TIMEOUT)
    }

    /// Opens a page, and waits until it is loaded.
    #[track_caller]
    pub(super) fn navigate(&self, url: &str) {
        succeed(self.post("url", &json!({"url": url})));
    }

    #[track_caller]
    pub(super) fn url(&self) -> String {
        succeed(self.get("url")).as_str().expect("a URL").to_owned()
    }

    /// Waits until an element matches the CSS selector `css`.
    #[track_caller]
    pub(super) fn wait_for(&self, css: &str) {
        let started = Instant::now();
        while let Err(error) = self.find(css) {
            assert!(started.elapsed() < Duration::from_secs(30), "{css} is not found within 30 seconds: {error}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Types `text` into the first element that matches the CSS selector `css`.
    #[track_caller]
    pub(super) fn type_into(&self, css: &str, text: &str) {
        let element = succeed(self.find(css));
        succeed(self.post(&format!("element/{element}/value"), &json!({"text": text})));
    }

    /// Returns the identifier of the first element that matches the CSS selector `css`.
    fn find(&self, css: &str) -> Result<String, String> {
        let found = self.post("element", &json!({"using": "css selector", "value": css}))?;
        found[ELEMENT].as_str().map(str::to_owned).ok_or_else(|| format!("{found} is not an element"))
    }

    /// Returns the result of a script, which is the body of a function with `arguments`.
    #[track_caller]
    pub(super) fn execute(&self, script: &str, arguments: &[Value]) -> Value {
        succeed(self.post("execute/sync", &json!({"script": script, "args": arguments})))
    }

    /// Runs a script, and returns what it passes to the function that follows `arguments`.
    #[track_caller]
    pub(super) fn execute_async(&self, script: &str, arguments: &[Value]) -> Value {
        succeed(self.post("execute/async", &json!({"script": script, "args": arguments})))
    }

    /// Returns the messages in the log of the browser since the last call (a command of ChromeDriver).
    #[track_caller]
    pub(super) fn log(&self) -> Value {
        succeed(self.post("se/log", &json!({"type": "browser"})))
    }
}

#[track_caller]
fn succeed<T>(result: Result<T, String>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Sends a command, and returns its result.
fn command(port: u16, method: &str, path: &str, body: &Value, timeout: Duration) -> Result<Value, String> {
    let text = if body.is_null() { String::new() } else { body.to_string() };
    let response = http::request(port, method, path, &text, timeout);
    response
        .and_then(|response| read_result(&response))
        .map_err(|error| format!("ChromeDriver: {method} {path}: {error}"))
}

/// Returns the result in a response, or the driver's description of an error (WebDriver §6.6).
fn read_result(response: &http::Response) -> Result<Value, String> {
    let body = String::from_utf8_lossy(&response.body);
    let json: Value = serde_json::from_str(&body).map_err(|error| format!("{body:?} is not JSON: {error}"))?;
    let value = &json["value"];
    match (response.status, &value["error"], &value["message"]) {
        (200, ..) => Ok(value.clone()),
        (_, Value::String(error), Value::String(message)) => Err(format!("{error}: {message}")),
        (status, ..) => Err(format!("status {status}: {body}")),
    }
}

#[test]
fn results_and_errors_of_commands_are_read() {
    let read = |status, body: &str| read_result(&http::Response { status, body: body.into() });
    assert_eq!(read(200, r#"{"value": [1]}"#), Ok(json!([1])));
    let error = r#"{"value": {"error": "no such element", "message": "not located", "stacktrace": ""}}"#;
    assert_eq!(read(404, error), Err("no such element: not located".to_owned()));
    assert_eq!(read(500, "{}"), Err("status 500: {}".to_owned()));
    assert_eq!(read(200, "<"), Err("\"<\" is not JSON: expected value at line 1 column 1".to_owned()));
}
