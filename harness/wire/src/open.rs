//! A connection that the observer accepted.

use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::poll::PollFlags;

use crate::client_hello;
use crate::request::Request;
use crate::tls::Server;
use crate::transfer::{receive, send};

/// The time after which a connection without data is closed. A client that is busy may send late, and gives up after four seconds.
const IDLE: Duration = Duration::from_secs(3);

/// The same for [`FTP`], in which the server is the first to send.
pub(crate) const IDLE_FTP: Duration = Duration::from_secs(1);
const FTP: u16 = 21;

/// The time without data after a response in TLS after which the connection is closed: it does not show where the response ends.
const ANSWERED: Duration = Duration::from_millis(10);

/// The maximum length of what a client sends, in bytes.
const LONGEST: usize = 1 << 22;

/// A connection.
pub(crate) struct Open {
    stream: TcpStream,
    /// The address and the port of the client.
    pub(crate) source: SocketAddr,
    /// What the client sent, decrypted if TLS is completed.
    received: Vec<u8>,
    /// What the client was not sent yet.
    unsent: Vec<u8>,
    /// The name of the server in TLS, and what completes it.
    server: Option<(String, Server)>,
    /// The number of bytes that were passed on to `server`.
    passed: usize,
    /// Whether the client has closed its end.
    is_closed: bool,
    /// Whether a response was sent or given to `server`, how much `server` has not passed on of it at least, and when it did so last.
    is_answered: bool,
    owed: usize,
    sent: Option<Instant>,
    /// When the connection is closed if no data arrives.
    until: Instant,
}

impl Open {
    /// Creates a connection to `port`, from which nothing was read.
    pub(crate) fn new(stream: TcpStream, source: SocketAddr, port: u16) -> Self {
        let until = Instant::now() + if port == FTP { IDLE_FTP } else { IDLE };
        let (received, unsent, server, passed) = (Vec::new(), Vec::new(), None, 0);
        let (is_closed, is_answered, owed, sent) = (false, false, 0, None);
        Self { stream, source, received, unsent, server, passed, is_closed, is_answered, owed, sent, until }
    }

    /// Returns the address and the port to which the client connected.
    pub(crate) fn destination(&self) -> Option<SocketAddr> {
        self.stream.local_addr().ok()
    }

    /// Reads what has arrived, and passes on what is on its way. Returns whether more may follow.
    pub(crate) fn receive(&mut self, now: Instant) -> bool {
        let mut bytes = Vec::new();
        self.is_closed = self.is_closed || !receive(&mut self.stream, &mut bytes);
        self.passed += bytes.len();
        if !bytes.is_empty() {
            self.until = now + IDLE;
        }
        let is_open = match &mut self.server {
            None => {
                self.received.extend(bytes);
                !self.is_closed
            }
            Some((_, server)) => {
                server.decrypt(&bytes);
                let before = self.unsent.len();
                let is_open = server.pass(&mut self.unsent, &mut self.received);
                if self.unsent.len() > before && self.is_answered {
                    // What is encrypted is not shorter.
                    self.owed = self.owed.saturating_sub(self.unsent.len() - before);
                    self.sent = Some(now);
                }
                if self.is_closed {
                    server.close();
                }
                // What a client that does not wait for a response has sent may still be decrypted.
                is_open && !(self.is_closed && self.is_answered)
            }
        };
        let is_sent = send(&mut self.stream, &mut self.unsent);
        self.close(now);
        is_open && is_sent && now < self.until && self.passed <= LONGEST
    }

    /// Tells the client that nothing follows the response, if it was sent.
    fn close(&mut self, now: Instant) {
        if self.closes().is_some_and(|then| then <= now) {
            self.sent = None;
            // A client may have closed the connection.
            let _ = self.stream.shutdown(Shutdown::Write);
        }
    }

    /// Returns when the connection must be looked at if nothing happens.
    pub(crate) fn closes(&self) -> Option<Instant> {
        self.sent.filter(|_| self.unsent.is_empty() && self.owed == 0).map(|sent| sent + ANSWERED)
    }

    /// Returns whether the client has sent its first message of TLS, and nothing completes it yet.
    pub(crate) fn is_hello(&self) -> bool {
        self.server.is_none()
            && client_hello::server_name(&self.received).is_some()
            && !client_hello::is_partial(&self.received)
    }

    /// Lets `server` complete TLS.
    pub(crate) fn serve(&mut self, mut server: Server) {
        let name = self.server_name().unwrap_or_default();
        server.decrypt(&std::mem::take(&mut self.received));
        self.server = Some((name, server));
    }

    /// Returns whether something completes TLS.
    pub(crate) fn is_served(&self) -> bool {
        self.server.is_some()
    }

    /// Returns the name of the server in the first message of TLS, which may be empty; `None` without TLS.
    pub(crate) fn server_name(&self) -> Option<String> {
        match &self.server {
            Some((name, _)) => Some(name.clone()),
            None => client_hello::server_name(&self.received),
        }
    }

    /// Returns whether a whole request was received that was not answered.
    pub(crate) fn is_request(&self) -> bool {
        let is_tls = self.server.is_none() && client_hello::server_name(&self.received).is_some();
        !is_tls && !self.is_answered && Request::is_whole(&self.received)
    }

    /// Returns the request, if it is whole.
    pub(crate) fn request(&self) -> Option<Request> {
        self.is_request().then(|| Request::read(&self.received))
    }

    /// Sends the response. Returns whether the connection is still needed for that.
    pub(crate) fn respond(&mut self, response: &[u8], now: Instant) -> bool {
        self.is_answered = true;
        let Some((_, server)) = &mut self.server else {
            // A client may close the connection early.
            let _ = (self.stream.set_nonblocking(false))
                .and_then(|()| self.stream.set_write_timeout(Some(IDLE)))
                .and_then(|()| self.stream.write_all(response));
            return false;
        };
        server.encrypt(response);
        self.owed = response.len();
        self.receive(now)
    }

    /// Returns what to wait for.
    pub(crate) fn polled(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::POLLIN, !self.is_closed);
        flags.set(PollFlags::POLLOUT, !self.unsent.is_empty());
        let own = (!flags.is_empty()).then(|| (self.stream.as_fd(), flags));
        own.into_iter().chain(self.server.iter().flat_map(|(_, server)| server.polled()))
    }
}
