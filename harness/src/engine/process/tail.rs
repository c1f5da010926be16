//! The last bytes that a process writes to its standard error.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::escape::visible;

/// The number of bytes that are kept.
const KEPT: usize = 4 << 10;

/// The last bytes of an input, which a thread reads to its end.
pub(super) struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    reader: JoinHandle<()>,
}

impl Tail {
    /// Starts a thread that reads `input` to its end.
    pub(super) fn of(mut input: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(VecDeque::with_capacity(2 * KEPT)));
        let kept = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut piece = [0; KEPT];
            while let Ok(count @ 1..) = input.read(&mut piece) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&piece[..count]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
        });
        Self { bytes, reader }
    }

    /// Returns the last five lines that are not blank, joined into a single line, or `None` if there is no such line.
    /// Waits for the end of the input, but not beyond `deadline`.
    pub(super) fn last_lines(&self, deadline: Instant) -> Option<String> {
        const LINES: usize = 5;
        super::running::wait_until(deadline, || self.reader.is_finished());
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(kept.make_contiguous()).into_owned();
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        (!last.is_empty()).then(|| visible(&last.join(" | ")))
    }
}
