//! TLS, which the program `openssl` completes: it serves each connection by a process of its own, on a Unix socket, so that its own
//! connections are not those of the network that is observed.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use nix::poll::PollFlags;

use crate::transfer::{dont_wait, receive, send};

/// How often [`Tls::advance`] is called while a process starts.
pub(crate) const STARTS: Duration = Duration::from_millis(2);

/// The number of servers that may end before they accept a connection, one after the other.
const ENDINGS: usize = 3;

/// The maximum length of what a server has not received or sent yet, in bytes.
const LONGEST: usize = 1 << 22;

/// The configuration of the program, without that of the system. The name of the server does not matter to clients that do not verify it.
const CONFIGURATION: &str = "[req]\ndistinguished_name = name\nx509_extensions = extensions\nprompt = no\n[name]\nCN = urlstrata\n\
    [extensions]\nsubjectAltName = DNS:*.test,DNS:*.example\n";

/// The certificate, and a server that waits for the next connection.
pub(crate) struct Tls {
    /// The folder of the certificate, its key and the sockets. It has no name.
    folder: File,
    state: State,
    /// The number of servers that were started.
    started: usize,
    /// The number of servers that ended without a connection, since one had a connection.
    ended: usize,
}

enum State {
    /// The certificate is being made.
    Certificate(Child),
    /// A server starts, which will accept a connection at this path.
    Starting(Child, PathBuf),
    /// The next connection has this server.
    Ready(Server),
    /// TLS is not completed, for this reason.
    Absent(String),
}

impl State {
    /// Reports why TLS is not completed.
    fn absent(why: String) -> Self {
        eprintln!("TLS is not completed: {why}");
        Self::Absent(why)
    }
}

impl Tls {
    /// Begins to make a certificate in `folder`.
    pub(crate) fn new(folder: File) -> Self {
        let mut tls = Self { folder, state: State::Absent(String::new()), started: 0, ended: 0 };
        tls.state = tls.certificate().map_or_else(State::absent, State::Certificate);
        tls
    }

    /// Returns why TLS is not completed; `None` if it is, or may be.
    pub(crate) fn why_absent(&self) -> Option<&str> {
        match &self.state {
            State::Absent(why) => Some(why),
            _ => None,
        }
    }

    /// Returns whether a process starts, which only [`Self::advance`] notices.
    pub(crate) fn is_starting(&self) -> bool {
        matches!(self.state, State::Certificate(_) | State::Starting(..))
    }

    /// Returns the number of the process that makes the certificate, or of the next server.
    pub(crate) fn process(&self) -> Option<u32> {
        match &self.state {
            State::Certificate(child) | State::Starting(child, _) => Some(child.id()),
            State::Ready(server) => Some(server.child.id()),
            State::Absent(_) => None,
        }
    }

    /// Starts the next process, or connects to it, if the one before has done its work.
    pub(crate) fn advance(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Absent(String::new())) {
            State::Certificate(mut child) => match child.try_wait() {
                Ok(None) => State::Certificate(child),
                Ok(Some(status)) if status.success() => self.next(),
                Ok(Some(status)) => State::absent(why(&mut child, status)),
                Err(error) => State::absent(error.to_string()),
            },
            State::Starting(mut child, path) => match (UnixStream::connect(&path), child.try_wait()) {
                (Ok(socket), _) => {
                    self.ended = 0;
                    // Its name is not needed any more.
                    let _ = fs::remove_file(path);
                    Server::new(child, socket).map_or_else(State::absent, State::Ready)
                }
                (Err(_), Ok(None)) => State::Starting(child, path),
                (Err(_), Ok(Some(_))) if self.ended < ENDINGS => {
                    self.ended += 1;
                    self.next()
                }
                (Err(_), Ok(Some(status))) => State::absent(why(&mut child, status)),
                (Err(_), Err(error)) => State::absent(error.to_string()),
            },
            other => other,
        }
    }

    /// Returns the server for a connection, and starts the next one; `None` if it has not started yet.
    pub(crate) fn server(&mut self) -> Option<Server> {
        if !matches!(self.state, State::Ready(_)) {
            return None;
        }
        let next = self.next();
        match std::mem::replace(&mut self.state, next) {
            State::Ready(server) => Some(server),
            _ => None,
        }
    }

    /// Returns the path of a file in the folder, which is short, and is the same for other processes.
    fn path(&self, name: &str) -> PathBuf {
        format!("/proc/{}/fd/{}/{name}", std::process::id(), self.folder.as_raw_fd()).into()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("openssl");
        command.args(words).env("OPENSSL_CONF", self.path("configuration"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn certificate(&self) -> Result<Child, String> {
        fs::write(self.path("configuration"), CONFIGURATION).map_err(|error| error.to_string())?;
        let curve = "ec_paramgen_curve:prime256v1";
        let words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-days", "3650", "-batch"];
        let mut command = self.command(&words);
        command.arg("-out").arg(self.path("certificate")).arg("-keyout").arg(self.path("key"));
        command.spawn().map_err(not_started)
    }

    /// Starts a server for one connection. It negotiates no protocol, so that clients use HTTP/1.1, and resumes no session.
    fn next(&mut self) -> State {
        self.started += 1;
        let path = self.path(&self.started.to_string());
        let words = ["s_server", "-quiet", "-naccept", "1", "-num_tickets", "0", "-no_ticket", "-no_cache"];
        let mut command = self.command(&words);
        command.arg("-cert").arg(self.path("certificate")).arg("-key").arg(self.path("key")).arg("-unix").arg(&path);
        command.spawn().map_or_else(|error| State::absent(not_started(error)), |child| State::Starting(child, path))
    }
}

impl Drop for Tls {
    fn drop(&mut self) {
        if let State::Certificate(child) | State::Starting(child, _) = &mut self.state {
            end(child);
        }
    }
}

/// The server of a connection.
pub(crate) struct Server {
    /// Its standard error, which is short, is not read.
    child: Child,
    /// The server's end of the connection, encrypted.
    socket: UnixStream,
    /// What the server sends, and receives, not encrypted.
    input: ChildStdin,
    output: ChildStdout,
    /// What the server has not read yet.
    encrypted: Vec<u8>,
    plain: Vec<u8>,
    is_open: bool,
}

impl Server {
    fn new(mut child: Child, socket: UnixStream) -> Result<Self, String> {
        let pipes = child.stdin.take().zip(child.stdout.take());
        let made = pipes.ok_or_else(|| "openssl has no pipes".to_owned()).and_then(|(input, output)| {
            socket.set_nonblocking(true).map_err(|error| error.to_string())?;
            dont_wait(&input)?;
            dont_wait(&output)?;
            Ok((input, output))
        });
        let (input, output) = made.inspect_err(|_| end(&mut child))?;
        Ok(Self { child, socket, input, output, encrypted: Vec::new(), plain: Vec::new(), is_open: true })
    }

    /// Passes on what the client sent.
    pub(crate) fn decrypt(&mut self, bytes: &[u8]) {
        self.encrypted.extend(bytes);
        self.is_open &= self.encrypted.len() <= LONGEST;
    }

    /// Sends `bytes` to the client.
    pub(crate) fn encrypt(&mut self, bytes: &[u8]) {
        self.plain.extend(bytes);
    }

    /// Tells the server that the client has closed the connection.
    pub(crate) fn close(&mut self) {
        if self.encrypted.is_empty() {
            let _ = self.socket.shutdown(std::net::Shutdown::Write);
        }
    }

    /// Moves bytes: those for the client to `encrypted`, and those from the client to `plain`. Returns whether more may follow.
    pub(crate) fn pass(&mut self, encrypted: &mut Vec<u8>, plain: &mut Vec<u8>) -> bool {
        if self.is_open {
            self.is_open = send(&mut self.socket, &mut self.encrypted) & send(&mut self.input, &mut self.plain)
                && encrypted.len().max(plain.len()) <= LONGEST;
            // What the server wrote before it closed its socket is read in any case.
            self.is_open &= receive(&mut self.socket, encrypted) & receive(&mut self.output, plain);
        }
        self.is_open
    }

    /// Returns what to wait for.
    pub(crate) fn polled(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        let flags = |unsent: &[u8], flags| if unsent.is_empty() { flags } else { flags | PollFlags::POLLOUT };
        let all = [
            (self.socket.as_fd(), flags(&self.encrypted, PollFlags::POLLIN)),
            (self.output.as_fd(), PollFlags::POLLIN),
            (self.input.as_fd(), flags(&self.plain, PollFlags::empty())),
        ];
        let is_open = self.is_open;
        all.into_iter().filter(move |(_, flags)| is_open && !flags.is_empty())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // A process that has ended is not an error.
    let _ = child.kill();
    let _ = child.wait();
}

fn not_started(error: std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "the program openssl is not found".to_owned(),
        _ => format!("the program openssl cannot be started: {error}"),
    }
}

/// Returns why a process that has ended failed.
fn why(child: &mut Child, status: ExitStatus) -> String {
    let mut text = String::new();
    if let Some(errors) = child.stderr.take() {
        // It may not be text.
        let _ = errors.take(1000).read_to_string(&mut text);
    }
    let line = text.lines().next().unwrap_or_default();
    format!("openssl ended, {status}: {line}")
}
