//! A running process: its pipes and its end.
//!
//! One thread writes to the process and two threads read from it, so that the harness never blocks on a full or empty
//! pipe. The threads end when the pipes are closed. They are not joined: if the engine started a process that left its
//! process group, that process may keep a pipe open forever.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::tail::Tail;
use crate::engine::installation::Program;
use crate::outcome::Violations;
use crate::protocol::{Conversation, End, Hello, Op, Request};

/// The maximum size of a piece of output that is read at once, in bytes.
const PIECE: usize = 64 << 10;

/// The number of pieces of output that are queued. When the queue is full, the engine's writes block.
const PIECES: usize = 16;

/// The maximum number of open requests.
const WINDOW: usize = 64;

/// The number of groups of requests that are queued until the engine reads them. The queue holds more than two groups
/// only if the engine answers requests that it has not read.
const UNREAD: usize = 64;

/// The time that the process has to exit after the end of its output or of its input.
const GRACE: Duration = Duration::from_secs(1);

/// The reason why a request has no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum NoAnswer {
    /// The output of the engine has ended.
    Ended,
    /// The engine did not answer within the time limit.
    TooLong,
}

/// A running process that has sent a valid hello.
pub(super) struct Running {
    child: Child,
    hello: Hello,
    conversation: Conversation,
    input: Option<SyncSender<String>>,
    output: Option<Receiver<Vec<u8>>>,
    errors: Option<Tail>,
    reaped: bool,
}

impl Running {
    /// Starts `program` and waits at most `limit` for its hello.
    ///
    /// # Errors
    ///
    /// Returns the rest of a sentence that begins with the name of the engine if the program cannot be started, sends
    /// an invalid hello, or sends no hello within `limit`.
    pub(super) fn start(program: &Program, limit: Duration) -> Result<Self, String> {
        let mut command = program.command().ok_or("names no program")?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The engine gets a process group of its own, so that the processes it starts can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot be started: {error}: name a program that is in the path, or its file"))?;
        let (input, output) = (child.stdin.take().map(write_to), child.stdout.take().map(read_from));
        let errors = child.stderr.take().map(Tail::of);
        let hello = Hello::default();
        let mut running =
            Self { child, hello, conversation: Conversation::new(), input, output, errors, reaped: false };
        running.greet(limit)?;
        Ok(running)
    }

    fn greet(&mut self, limit: Duration) -> Result<(), String> {
        let mut deadline = Deadline::of(limit);
        let no_answer = loop {
            let (_, open) = self.receive(&mut deadline);
            match (self.conversation.hello(), open) {
                (Some(Ok(hello)), _) => {
                    self.hello = hello.clone();
                    return Ok(());
                }
                (Some(Err(why)), _) => return Err(format!("is not understood: {why}")),
                (None, Ok(())) => {}
                (None, Err(no_answer)) => break no_answer,
            }
        };
        Err(format!("wrote no greeting: {}", self.reap(no_answer, limit)))
    }

    pub(super) fn hello(&self) -> &Hello {
        &self.hello
    }

    pub(super) fn offers(&self, op: Op) -> bool {
        self.hello.ops.contains(&op)
    }

    pub(super) fn take_violations(&mut self) -> Violations {
        self.conversation.take_violations()
    }

    /// Reads the output that the engine wrote since its last answer. Returns whether its output is still open.
    pub(super) fn drain(&mut self) -> bool {
        let Some(output) = &self.output else { return false };
        // The number of pieces is bounded, so that an engine that writes without end still receives its next request.
        for _ in 0..PIECES {
            match output.try_recv() {
                Ok(bytes) => drop(self.conversation.receive(&bytes)),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => {
                    self.conversation.receive_end();
                    return false;
                }
            }
        }
        true
    }

    /// Sends `requests` in their order, at most [`WINDOW`] at a time, and waits for the answers. Calls `each` with the
    /// number of a request and its end, in the order of the answers. Waits at most `limit` between two answers.
    ///
    /// # Errors
    ///
    /// Returns the reason and the number of requests that were sent, if some of them have no answer. The process must be
    /// reaped afterwards.
    pub(super) fn ask<'a>(
        &mut self,
        requests: impl IntoIterator<Item = Request<'a>>,
        limit: Duration,
        mut each: impl FnMut(usize, End),
    ) -> Result<(), (NoAnswer, usize)> {
        let mut requests = requests.into_iter().enumerate();
        let (mut numbers, mut sent) = (BTreeMap::new(), 0);
        let mut deadline = Deadline::of(limit);
        loop {
            // Requests are sent in groups: the window is filled again when half of it has been answered.
            let mut lines = String::new();
            let free = if 2 * numbers.len() <= WINDOW { WINDOW - numbers.len() } else { 0 };
            for (number, request) in requests.by_ref().take(free) {
                let (id, line) = self.conversation.ask(request);
                numbers.insert(id, number);
                sent += 1;
                lines += &line;
            }
            // If the engine does not read its input, the requests are dropped, and the wait below ends with an error.
            if let (Some(input), false) = (&self.input, lines.is_empty()) {
                let _ = input.try_send(lines);
            }
            if numbers.is_empty() {
                return Ok(());
            }
            let (ended, open) = self.receive(&mut deadline);
            if !ended.is_empty() {
                deadline = Deadline::of(limit);
            }
            for (id, end) in ended {
                if let Some(number) = numbers.remove(&id) {
                    each(number, end);
                }
            }
            if !numbers.is_empty() {
                open.map_err(|no_answer| (no_answer, sent))?;
            }
        }
    }

    /// Waits for the next piece of output. Returns the requests that it ends, and whether more output may follow.
    fn receive(&mut self, deadline: &mut Deadline) -> (Vec<(u64, End)>, Result<(), NoAnswer>) {
        match self.listen(deadline) {
            Ok(bytes) => (self.conversation.receive(&bytes), Ok(())),
            Err(NoAnswer::Ended) => (self.conversation.receive_end().into_iter().collect(), Err(NoAnswer::Ended)),
            Err(NoAnswer::TooLong) => (Vec::new(), Err(NoAnswer::TooLong)),
        }
    }

    fn listen(&self, deadline: &mut Deadline) -> Result<Vec<u8>, NoAnswer> {
        let output = self.output.as_ref().ok_or(NoAnswer::Ended)?;
        output.recv_timeout(deadline.left().ok_or(NoAnswer::TooLong)?).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoAnswer::TooLong,
            RecvTimeoutError::Disconnected => NoAnswer::Ended,
        })
    }

    /// Kills and reaps the process after `no_answer`, and returns a description of its end. If its output has ended,
    /// the process first has [`GRACE`] to exit by itself.
    pub(super) fn reap(&mut self, no_answer: NoAnswer, limit: Duration) -> String {
        let how = match no_answer {
            NoAnswer::TooLong => {
                self.kill();
                format!("no answer within {limit:?}")
            }
            NoAnswer::Ended => {
                let by_itself = wait_until(Instant::now() + GRACE, || self.has_exited());
                self.kill();
                match self.child.try_wait() {
                    Ok(Some(status)) if by_itself => status.to_string(),
                    _ => "it closed its output and went on".to_owned(),
                }
            }
        };
        let last = self.errors.as_ref().and_then(|errors| errors.last_lines(Instant::now() + GRACE / 4));
        last.map_or(how.clone(), |last| format!("{how}; its standard error ends: {last}"))
    }

    /// Returns whether the process has exited. It is left as a zombie, so that no other process or process group can
    /// get its id.
    #[cfg(all(unix, not(any(target_os = "openbsd", target_os = "redox"))))]
    fn has_exited(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped || matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(Some(_)))
    }

    #[cfg(not(all(unix, not(any(target_os = "openbsd", target_os = "redox")))))]
    fn has_exited(&mut self) -> bool {
        self.reaped = matches!(self.child.try_wait(), Ok(Some(_)));
        self.reaped
    }

    /// Kills the process with its process group, and reaps it.
    fn kill(&mut self) {
        (self.input, self.output) = (None, None);
        if self.reaped {
            return;
        }
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        // The process may have left its process group, so it is also killed directly. If that fails, its exit is not
        // awaited.
        let killed = self.child.kill();
        let _ = if killed.is_ok() { self.child.wait().map(Some) } else { self.child.try_wait() };
        self.reaped = true;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        (self.input, self.output) = (None, None);
        wait_until(Instant::now() + GRACE, || self.has_exited());
        self.kill();
    }
}

/// A deadline that still allows a bounded number of reads after it has passed.
struct Deadline {
    deadline: Instant,
    /// The number of reads that are still allowed after the deadline. Output that is available by then is accepted,
    /// since the delay may be the harness's own.
    late: usize,
}

impl Deadline {
    fn of(limit: Duration) -> Self {
        Self { deadline: Instant::now() + limit, late: PIECES }
    }

    /// Returns how long to wait for the next piece of output. This is zero after the deadline, and `None` when no read
    /// is allowed any more.
    fn left(&mut self) -> Option<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            self.late = self.late.checked_sub(1)?;
        }
        Some(left)
    }
}

fn write_to(mut pipe: ChildStdin) -> SyncSender<String> {
    let (sender, lines) = sync_channel::<String>(UNREAD);
    thread::spawn(move || lines.iter().try_for_each(|line| pipe.write_all(line.as_bytes())));
    sender
}

fn read_from(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, pieces) = sync_channel(PIECES);
    thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        loop {
            match pipe.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(count @ 1..) if sender.send(piece[..count].to_vec()).is_ok() => {}
                _ => return,
            }
        }
    });
    pieces
}

/// Waits until `it_is` returns true, but not beyond `deadline`. Returns whether `it_is` returned true.
pub(super) fn wait_until(deadline: Instant, mut it_is: impl FnMut() -> bool) -> bool {
    let mut pause = Duration::from_millis(1);
    while !it_is() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
    }
    true
}
