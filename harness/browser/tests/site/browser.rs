//! A browser with the site: Chromium, driven by ChromeDriver.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::SITE;
use super::webdriver::Session;

/// A folder with the site, and a browser. Both are removed at the end. The methods panic if a command fails.
pub(super) struct Browser {
    pub(super) session: Session,
    folder: tempfile::TempDir,
    _driver: Driver,
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Err(error) = self.session.end() {
            eprintln!("the browser may still run: {error}");
        }
    }
}

/// A process of ChromeDriver, which ends with the value.
struct Driver(Child);

impl Driver {
    /// Starts ChromeDriver, and returns it with the port at which it accepts connections.
    fn start() -> (Self, u16) {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = Self(command.spawn().expect("ChromeDriver starts"));
        let output = driver.0.stdout.as_mut().expect("a pipe");
        let port = BufReader::new(output).lines().find_map(|line| {
            let line = line.expect("a line");
            line.strip_prefix("ChromeDriver was started successfully on port ")?.strip_suffix('.')?.parse().ok()
        });
        (driver, port.expect("ChromeDriver prints its port"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the path of the program `name` if it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

impl Browser {
    /// Writes the site to a folder and starts a browser with a window of `width` pixels, in dark colours if `dark` is true.
    pub(super) fn start(width: u32, dark: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in SITE.iter() {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder.path())).expect("a folder");
            fs::write(path, text).expect("a file");
        }
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
        let (driver, port) = Driver::start();
        let session = Session::new(port, &capabilities).unwrap_or_else(|error| panic!("{error}"));
        Self { session, folder, _driver: driver }
    }

    /// Opens a page of the site. `page` may contain a fragment.
    #[track_caller]
    pub(super) fn open(&self, page: &str) {
        // A new document, also if only the fragment changes.
        self.session.navigate("about:blank");
        self.session.navigate(&format!("file://{}/{page}", self.folder.path().display()));
        if page.starts_with("playground.html#") {
            self.session.wait_for("#results table");
        }
    }

    #[track_caller]
    pub(super) fn run(&self, script: &str) -> Value {
        self.session.execute(script, &[])
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
