//! Progress on standard error: a bar if it is a terminal, otherwise a line after two seconds and then every ten.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use urlstrata_harness::engine::{Engine, Pair};
use urlstrata_harness::outcome::Violations;
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::protocol::Op;

/// The time before the first line of progress, if standard error is not a terminal. [`NEXT`] is the time between lines.
const FIRST: Duration = Duration::from_secs(2);
const NEXT: Duration = Duration::from_secs(10);

/// The progress of a command, displayed until this value is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    done: Arc<AtomicU64>,
    /// The thread that writes lines, if standard error is not a terminal. Dropping the sender ends the thread.
    lines: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to display progress. `doing` describes the work, such as `comparing`; `unit` is what is counted, such as
    /// `pairs`; `total` is the final count if it is known.
    pub(super) fn new(doing: &str, unit: &'static str, total: Option<u64>) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        if !io::stderr().is_terminal() {
            let lines = Some(write_lines(doing.to_owned(), unit, total, Arc::clone(&done)));
            return Self { bar: ProgressBar::hidden(), done, lines };
        }
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), "{bar:40} {percent}% of {human_len} UNIT, {eta} left"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}: {human_pos} UNIT, {per_sec}, {elapsed}"),
        };
        let style = ProgressStyle::with_template(&template.replace("UNIT", unit));
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(doing.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, done, lines: None }
    }

    /// Starts to display the progress of a comparison, counted in pairs.
    pub(super) fn pairs(total: Option<u64>) -> Self {
        Self::new("comparing", "pairs", total)
    }

    /// Adds `count` to the current count.
    pub(super) fn add(&self, count: u64) {
        self.done.fetch_add(count, Ordering::Relaxed);
        self.bar.inc(count);
    }

    /// Sets the current count to `count`.
    pub(super) fn set(&self, count: u64) {
        self.done.store(count, Ordering::Relaxed);
        self.bar.set_position(count);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some((end, thread)) = self.lines.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

fn write_lines(
    doing: String,
    unit: &'static str,
    total: Option<u64>,
    done: Arc<AtomicU64>,
) -> (Sender<()>, JoinHandle<()>) {
    let (end, ended) = channel();
    let start = Instant::now();
    let thread = thread::spawn(move || {
        let mut wait = FIRST;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            let of = total.map_or_else(String::new, |total| format!(" of {}", HumanCount(total)));
            let (done, seconds) = (HumanCount(done.load(Ordering::Relaxed)), start.elapsed().as_secs());
            let _ = writeln!(io::stderr(), "urlstrata: {doing}: {done}{of} {unit} after {seconds} s");
            wait = NEXT;
        }
    });
    (end, thread)
}

/// The number of pairs after which the progress of a call with many pairs is displayed.
const GROUP: usize = 1_024;

/// An engine whose calls are counted as progress.
pub(super) struct Counted<'a> {
    pub(super) engine: &'a dyn Engine,
    pub(super) progress: &'a Progress,
}

impl Engine for Counted<'_> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn key(&self) -> &str {
        self.engine.key()
    }

    fn version(&self) -> &str {
        self.engine.version()
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        self.progress.add(1);
        self.engine.resolve(base, reference)
    }

    fn resolve_all(&self, pairs: &[Pair<'_>]) -> Option<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(pairs.len());
        for group in pairs.chunks(GROUP) {
            outcomes.extend(self.engine.resolve_all(group)?);
            self.progress.add(group.len() as u64);
        }
        Some(outcomes)
    }

    fn parse(&self, url: &str) -> Components {
        self.progress.add(1);
        self.engine.parse(url)
    }

    fn parse_all(&self, urls: &[&str]) -> Option<Vec<Components>> {
        let mut components = Vec::with_capacity(urls.len());
        for group in urls.chunks(GROUP) {
            components.extend(self.engine.parse_all(group)?);
            self.progress.add(group.len() as u64);
        }
        Some(components)
    }

    fn visits(&self, op: Op) -> bool {
        self.engine.visits(op)
    }

    fn visit_all(&self, op: Op, urls: &[&str]) -> Vec<Components> {
        // A group takes seconds.
        let groups = urls.chunks(GROUP / 16).map(|group| {
            let answers = self.engine.visit_all(op, group);
            self.progress.add(group.len() as u64);
            answers
        });
        groups.flatten().collect()
    }

    fn resolves(&self) -> bool {
        self.engine.resolves()
    }

    fn states(&self) -> bool {
        self.engine.states()
    }

    fn violations(&self) -> Violations {
        self.engine.violations()
    }
}
