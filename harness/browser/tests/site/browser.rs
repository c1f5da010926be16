//! A browser with the site: Chromium, driven by ChromeDriver.

use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};

use super::SITE;

/// A folder with the site, and a browser. Both are removed at the end.
pub(super) struct Browser {
    driver: Child,
    pub(super) client: Client,
    folder: tempfile::TempDir,
    port: u16,
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // ChromeDriver ends the browser before it answers, and leaves the connection open.
        let ended = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            write!(stream, "DELETE /session/{} HTTP/1.1\r\nHost: localhost\r\n\r\n", self.session)?;
            stream.read(&mut [0; 512])
        });
        if let Err(error) = ended {
            eprintln!("the browser may still run: {error}");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The command of ChromeDriver that returns the log of the browser.
#[derive(Debug)]
struct Log;

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, driver: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        driver.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}

/// Returns the path of the program `name` if it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

impl Browser {
    /// Writes the site to a folder and starts a browser with a window of `width` pixels, in dark colours if `dark` is true.
    pub(super) async fn start(width: u32, dark: bool) -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        for (name, text) in SITE.iter() {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            fs::write(path, text)?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut arguments = vec![
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            format!("--window-size={width},900"),
        ];
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let capabilities = json!({
            "goog:chromeOptions": {"args": arguments, "mobileEmulation": {"deviceMetrics": {"width": width, "height": 900, "pixelRatio": 1}}},
            // The check of accessibility takes long on large tables, and several browsers run at a time.
            "timeouts": {"script": 180_000},
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(capabilities);
        for _ in 0..100 {
            if let Ok(client) = builder.connect(&format!("http://127.0.0.1:{port}")).await {
                let session = client.session_id().await?.unwrap_or_default();
                return Ok(Self { driver, client, folder, port, session });
            }
            thread::sleep(Duration::from_millis(100));
        }
        Err("ChromeDriver does not answer".into())
    }

    /// Opens a page of the site. `page` may contain a fragment.
    pub(super) async fn open(&self, page: &str) -> Result<(), Box<dyn Error>> {
        // A new document, also if only the fragment changes.
        self.client.goto("about:blank").await?;
        self.client.goto(&format!("file://{}/{page}", self.folder.path().display())).await?;
        if page.starts_with("playground.html#") {
            self.client.wait().at_most(Duration::from_secs(30)).for_element(Locator::Css("#results table")).await?;
        }
        Ok(())
    }

    /// Returns the messages in the log of the browser since the last call.
    pub(super) async fn log(&self) -> Result<Value, Box<dyn Error>> {
        Ok(self.client.issue_cmd(Log).await?)
    }

    pub(super) async fn run(&self, script: &str) -> Result<Value, Box<dyn Error>> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }
}

/// Returns whether the browser is installed, and prints what is left out otherwise.
pub(super) fn has_browser(what: &str) -> bool {
    let missing: Vec<_> = ["chromium", "chromedriver"].into_iter().filter(|name| installed(name).is_none()).collect();
    if !missing.is_empty() {
        println!("{what}: left out, because {} is not installed", missing.join(" and "));
    }
    missing.is_empty()
}

pub(super) fn in_browser<F: Future<Output = Result<(), Box<dyn Error>>>>(test: impl FnOnce() -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(test()).unwrap_or_else(|error| panic!("{error}"));
}
