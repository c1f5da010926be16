//! The process of a client, and the lines that it writes.

use std::fs;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};

use crate::transfer::{dont_wait, receive, send};

/// A running client.
pub(crate) struct Client {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// What the client has not read yet.
    unread: Vec<u8>,
    /// The start of a line that has no end yet.
    line: Vec<u8>,
    is_closed: bool,
}

/// The maximum length of a line of a client, in bytes.
const LONGEST: usize = 1 << 20;

/// The variable that tells a program that it is observed: it must use the resolver's files of this namespace.
const OBSERVED: &str = "URLSTRATA_OBSERVED";

/// The variables of the environment that lead a client to a proxy.
const PROXIES: [&str; 5] = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"];

impl Client {
    /// Starts `words`. The client inherits the environment, except for proxies.
    pub(crate) fn start(words: &[String]) -> Result<Self, String> {
        let (program, arguments) = words.split_first().ok_or("the command of the client is empty")?;
        let mut command = Command::new(program);
        command.args(arguments).env(OBSERVED, "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        for name in PROXIES {
            command.env_remove(name).env_remove(name.to_ascii_uppercase());
        }
        let mut child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = input.zip(output).ok_or("the client has no pipes")?;
        // Neither a client that does not read nor one that does not write is waited for here.
        dont_wait(&input)?;
        dont_wait(&output)?;
        Ok(Self { child, input, output, unread: Vec::new(), line: Vec::new(), is_closed: false })
    }

    /// Sends `line`, which has a line end: as much as the pipe takes now. [`Self::write`] sends the rest.
    pub(crate) fn send(&mut self, line: &str) {
        self.unread.extend(line.as_bytes());
        self.write();
    }

    /// Sends what was not sent yet, as much as the pipe takes now. A client that has ended does not receive it.
    pub(crate) fn write(&mut self) {
        if !self.is_closed {
            self.is_closed = !send(&mut self.input, &mut self.unread);
        }
    }

    /// Returns the pipe to the client, if something was not sent yet.
    pub(crate) fn unread(&self) -> Option<BorrowedFd<'_>> {
        (!self.unread.is_empty()).then(|| self.input.as_fd())
    }

    /// Returns the lines that the client has written, and whether more may follow. A client that writes without end is not read without end.
    pub(crate) fn lines(&mut self) -> (Vec<String>, bool) {
        let (mut lines, mut bytes) = (Vec::new(), Vec::new());
        if !self.is_closed {
            self.is_closed = !receive(&mut self.output, &mut bytes);
        }
        for byte in bytes {
            match byte {
                b'\n' => lines.push(String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned()),
                _ => self.line.push(byte),
            }
        }
        self.is_closed |= self.line.len() > LONGEST;
        (lines, !self.is_closed)
    }

    /// Ends the client with all processes that it started, and returns how the client ended. The process `spared` goes on.
    pub(crate) fn end(mut self, spared: Option<u32>) -> String {
        drop(self.input);
        let ended = self.child.try_wait().ok().flatten();
        kill_others(spared);
        match ended.or_else(|| self.child.wait().ok().filter(|_| self.is_closed)) {
            Some(status) => format!("the client ended, {status}"),
            None => "the client was ended".to_owned(),
        }
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}

/// Kills every other process in the network namespace of this one, except for `spared`.
fn kill_others(spared: Option<u32>) {
    let namespace = |process: &str| fs::read_link(format!("/proc/{process}/ns/net")).ok();
    let (own, here) = ([Some(getpid().to_string()), spared.map(|it| it.to_string())], namespace("self"));
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().into_string().ok());
    for number in numbers
        .filter(|number| !own.iter().flatten().any(|own| own == number) && here.is_some() && namespace(number) == here)
    {
        if let Ok(number) = number.parse() {
            // A process that has ended meanwhile is not an error.
            let _ = kill(Pid::from_raw(number), Signal::SIGKILL);
        }
    }
}
