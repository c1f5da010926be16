//! The observer: a loop over the client, the name server, the packets and the connections.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{AddressFamily, LinkAddr, SockFlag, SockProtocol, SockType, recvfrom, socket};
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::name_server::{Names, Question};
use crate::namespace::nameless_folder;
use crate::open::{IDLE_FTP, Open};
use crate::packet::attempt;
use crate::seen::{Connection, Said, Seen};
use crate::tls::{STARTS, Tls};

/// The URL that a client must be seen to request before it is asked.
const CONTROL: &str = "http://control.test/";

/// The time from the start of a client to its hello.
const HELLO: Duration = Duration::from_secs(60);

/// The time from a request to the client's answer. After [`HANGS`] hangs it is an eighth of this.
const ANSWER: Duration = Duration::from_secs(8);
const HANGS: usize = 10;

/// What happens during this time after a client's answer is part of the request.
const SILENCE: Duration = Duration::from_millis(20);

/// The maximum number of connections and names that are kept for a request. A client that makes more is answered nevertheless.
const MOST: usize = 100;

/// The maximum number of connections whose TLS is completed at once. Others wait for one of them to end.
const MOST_SERVERS: usize = 16;

/// The ports on which the observer always listens. Others are added as a request needs them.
const PORTS: [u16; 3] = [80, 443, 8080];

/// Runs the client `words` and serves the engine protocol until `input` ends. `has_ipv6` is whether it can connect to IPv6 addresses.
pub(crate) fn run(
    words: &[String],
    has_ipv6: bool,
    input: impl BufRead,
    output: &mut impl Write,
) -> Result<(), String> {
    let mut observer = Observer::new(words, has_ipv6)?;
    let hello = observer.start()?;
    let mut send =
        |object: &Value| writeln!(output, "{object}").and_then(|()| output.flush()).map_err(|e| e.to_string());
    send(&hello)?;
    for line in input.lines() {
        let line = line.map_err(|error| error.to_string())?;
        let asked: Value = serde_json::from_str(&line).unwrap_or_default();
        let mut answer = observer.answer(&asked)?;
        answer.insert("id".to_owned(), asked["id"].clone());
        send(&Value::Object(answer))?;
    }
    observer.end();
    Ok(())
}

struct Observer<'a> {
    words: &'a [String],
    has_ipv6: bool,
    client: Option<Client>,
    /// The lines of the client that were not read yet, and whether more may follow.
    said: (Vec<String>, bool),
    name_server: UdpSocket,
    packets: OwnedFd,
    listeners: BTreeMap<u16, TcpListener>,
    open: Vec<Open>,
    /// What completes TLS; the reason if nothing does.
    tls: Result<Tls, String>,
    names: Names,
    seen: Seen,
    /// The sources of the connections before the redirect, whose packets may be read later.
    before_redirect: Vec<SocketAddr>,
    /// The field `Location` of the next response, which is a redirect then.
    location: Option<String>,
    asked: u64,
    hangs: usize,
    /// Whether the client still connected, or asked for names, when it was no longer waited for.
    is_restless: bool,
}

/// How a request to the client ended.
enum Ended {
    Said(Said),
    /// The client did not answer the request, and states why.
    Other(&'static str, String),
    Crash,
    Hang,
}

impl<'a> Observer<'a> {
    fn new(words: &'a [String], has_ipv6: bool) -> Result<Self, String> {
        // At every address, because some clients do not ask the name server of the system.
        let bound = UdpSocket::bind("[::]:53").or_else(|_| UdpSocket::bind("0.0.0.0:53"));
        let name_server = bound.and_then(|it| it.set_nonblocking(true).map(|()| it));
        let name_server = name_server.map_err(|error| format!("the name server cannot be started: {error}"))?;
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let packets = socket(AddressFamily::Packet, SockType::Datagram, flags, SockProtocol::EthAll)
            .map_err(|error| format!("packets cannot be observed: {}", error.desc()))?;
        let mut observer = Self {
            words,
            has_ipv6,
            client: None,
            said: (Vec::new(), true),
            name_server,
            packets,
            listeners: BTreeMap::new(),
            open: Vec::new(),
            tls: nameless_folder().map(Tls::new).inspect_err(|why| eprintln!("TLS is not completed: {why}")),
            names: Names::default(),
            seen: Seen::default(),
            before_redirect: Vec::new(),
            location: None,
            asked: 0,
            hangs: 0,
            is_restless: false,
        };
        PORTS.into_iter().for_each(|port| observer.listen(port));
        Ok(observer)
    }

    /// Starts the client, and returns its hello after it was seen to request [`CONTROL`].
    fn start(&mut self) -> Result<Value, String> {
        (self.said, self.location, self.is_restless) = ((Vec::new(), true), None, false);
        self.client = Some(Client::start(self.words)?);
        let deadline = Instant::now() + HELLO;
        while self.said.0.is_empty() && self.said.1 && Instant::now() < deadline {
            self.step(HELLO.min(Duration::from_secs(1)));
        }
        if self.said.0.is_empty() {
            let how = self.end();
            return Err(format!("the client wrote no greeting: {how}"));
        }
        let line = self.said.0.remove(0);
        let mut hello: Value =
            serde_json::from_str(&line).map_err(|error| format!("the client's greeting is not JSON: {error}"))?;
        let offered = |op: &str| hello["ops"].as_array().is_some_and(|ops| ops.iter().any(|own| own == op));
        let ops: Vec<_> = ["connect", "follow"].into_iter().filter(|op| offered(op)).collect();
        if ops.is_empty() {
            return Err("the engine is not a client: it offers neither connect nor follow".to_owned());
        }
        hello["ops"] = json!(ops);
        let ended = self.ask(ops[0], CONTROL);
        let is_seen = self.seen.connections.iter().any(|it| it.host == "control.test" && it.request.is_some());
        if !is_seen {
            let said = match ended {
                Ended::Said(Said::Done) => "it received a response".to_owned(),
                Ended::Said(Said::Failure(why)) | Ended::Other(_, why) => format!("it failed: {why}"),
                Ended::Crash => "it ended".to_owned(),
                Ended::Hang => "it did not answer".to_owned(),
            };
            let remedy = "does it use a proxy or a name server of its own?";
            return Err(format!("the client was not seen to request {CONTROL}, and {said}: {remedy}"));
        }
        Ok(hello)
    }

    /// Returns the answer to the request `asked`, without its id.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the client ended and cannot be started again.
    fn answer(&mut self, asked: &Value) -> Result<Map<String, Value>, String> {
        let one = |name: &str, text: String| Map::from_iter([(name.to_owned(), Value::from(text))]);
        let text = |name: &str| asked[name].as_str();
        let (op, url, location) = match (text("op"), text("url"), text("base"), text("location")) {
            (Some("connect"), Some(url), _, _) => ("connect", url, None),
            (Some("follow"), _, Some(base), Some(location)) => ("follow", base, Some(location)),
            _ => return Ok(one("skipped", "not a request to connect or to follow".to_owned())),
        };
        if location.is_some_and(|location| location.contains(['\r', '\n', '\0'])) {
            return Ok(one("unrepresentable", "a field cannot contain this character".to_owned()));
        }
        self.listeners.retain(|port, _| PORTS.contains(port));
        for text in [Some(url), location].into_iter().flatten() {
            ports(text).into_iter().for_each(|port| self.listen(port));
        }
        let mut ended = self.once(op, url, location)?;
        // A port that the text does not name in digits: the client is asked again with a listener.
        let missing: Vec<u16> = self.seen.connections.iter().map(|it| it.port).collect();
        let missing: Vec<u16> = missing.into_iter().filter(|port| !self.listeners.contains_key(port)).collect();
        if !missing.is_empty() && matches!(ended, Ended::Said(_)) {
            missing.into_iter().take(MOST).for_each(|port| self.listen(port));
            ended = self.once(op, url, location)?;
        }
        let said = match ended {
            Ended::Said(said) => said,
            Ended::Other(name, why) => return Ok(one(name, why)),
            Ended::Crash | Ended::Hang => {
                let how = self.again()?;
                return Ok(match ended {
                    Ended::Hang => one("timeout", "the client did not answer".to_owned()),
                    _ => one("crash", how),
                });
            }
        };
        if location.is_some() && self.location.take().is_some() {
            if let Some(why) = self.without_tls()
                && self.seen.connections.iter().any(|it| it.tls.is_some())
            {
                return Ok(one("skipped", format!("TLS is not completed: {why}")));
            }
            let why = match said {
                Said::Done => "the client received a response".to_owned(),
                Said::Failure(why) => why,
            };
            return Ok(one("failure", format!("the base was not requested: {why}")));
        }
        let names_ipv6 = || [Some(url), location].into_iter().flatten().any(|text| text.contains('['));
        Ok(match (self.seen.parts(&said), said) {
            (Some(parts), _) => {
                let parts = parts.into_iter().map(|(name, value)| (name, json!(value))).collect();
                Map::from_iter([("parts".to_owned(), Value::Object(parts))])
            }
            // The system rejects what the client may have accepted.
            (None, Said::Failure(_)) if !self.has_ipv6 && names_ipv6() => {
                one("skipped", "this system has no IPv6".to_owned())
            }
            (None, Said::Failure(why)) => one("failure", why),
            (None, Said::Done) => one("failure", "nothing was seen".to_owned()),
        })
    }

    /// Asks the client once, with `location` in the first response if there is one. A client that did not become silent is started again
    /// before, because what it goes on doing does not belong to this request.
    fn once(&mut self, op: &str, url: &str, location: Option<&str>) -> Result<Ended, String> {
        if self.is_restless {
            self.again()?;
        }
        self.location = location.map(str::to_owned);
        Ok(self.ask(op, url))
    }

    /// Ends the client with all processes that it started, starts it again, and returns how it ended.
    fn again(&mut self) -> Result<String, String> {
        let how = self.end();
        self.start()?;
        Ok(how)
    }

    /// Ends the client with all processes that it started, and returns how it ended.
    fn end(&mut self) -> String {
        let spared = self.tls.as_ref().ok().and_then(Tls::process);
        self.open.clear();
        self.client.take().map(|client| client.end(spared)).unwrap_or_default()
    }

    /// Returns why TLS is not completed; `None` if it is.
    fn without_tls(&self) -> Option<&str> {
        match &self.tls {
            Ok(tls) => tls.why_absent(),
            Err(why) => Some(why),
        }
    }

    /// Sends a request to the client and observes it until it is silent.
    fn ask(&mut self, op: &str, url: &str) -> Ended {
        let limit = if self.hangs < HANGS { ANSWER } else { ANSWER / 8 };
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline && self.step(Duration::ZERO) {}
        // Connections of the request before, whose places this one may need.
        self.open.clear();
        (self.seen, self.before_redirect) = (Seen::default(), Vec::new());
        self.asked += 1;
        let id = self.asked;
        if let Some(client) = &mut self.client {
            client.send(&(ascii(&json!({"id": id, "op": op, "url": url}).to_string()) + "\n"));
        }
        let mut ended = None;
        while ended.is_none() {
            let lines = std::mem::take(&mut self.said.0);
            ended = lines.iter().find_map(|line| end_of(line, id));
            if ended.is_none() {
                let left = deadline.saturating_duration_since(Instant::now());
                if !self.said.1 {
                    return Ended::Crash;
                }
                if left.is_zero() {
                    self.hangs += 1;
                    return Ended::Hang;
                }
                self.step(left.min(IDLE_FTP));
            }
        }
        // A client that goes on without end is not waited for.
        self.is_restless = true;
        while self.is_restless && Instant::now() < deadline {
            self.is_restless = self.step(SILENCE);
        }
        ended.unwrap_or(Ended::Crash)
    }

    /// Listens on `port`, unless that is not possible.
    fn listen(&mut self, port: u16) {
        if port == 0 || self.listeners.contains_key(&port) {
            return;
        }
        let bound = TcpListener::bind(("::", port)).or_else(|_| TcpListener::bind(("0.0.0.0", port)));
        if let Ok(listener) = bound
            && listener.set_nonblocking(true).is_ok()
        {
            self.listeners.insert(port, listener);
        }
    }

    /// Waits at most `limit` for something to happen, and handles it. Returns whether something happened.
    fn step(&mut self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        loop {
            let now = Instant::now();
            let is_starting = self.tls.as_ref().is_ok_and(Tls::is_starting);
            let next = self.open.iter().filter_map(Open::closes).chain(is_starting.then_some(now + STARTS));
            let is_ready = self.wait(next.chain([until]).min().unwrap_or(until).saturating_duration_since(now));
            self.handle(is_ready);
            if is_ready || now >= until {
                return is_ready;
            }
        }
    }

    /// Waits at most `limit` for something to happen, and returns whether it does.
    fn wait(&self, limit: Duration) -> bool {
        let client = self.client.iter().filter(|_| self.said.1).map(AsFd::as_fd);
        let unread = self.client.iter().filter_map(Client::unread).map(|fd| (fd, PollFlags::POLLOUT));
        let always = [self.packets.as_fd(), self.name_server.as_fd()];
        let listeners = self.listeners.values().map(AsFd::as_fd);
        let plain: Vec<BorrowedFd<'_>> = always.into_iter().chain(listeners).chain(client).collect();
        let plain = plain.into_iter().map(|fd| (fd, PollFlags::POLLIN));
        let all = plain.chain(self.open.iter().flat_map(Open::polled)).chain(unread);
        let mut polled: Vec<_> = all.map(|(fd, flags)| PollFd::new(fd, flags)).collect();
        // Rounded up, so that the time has passed afterwards.
        let limit = if limit.is_zero() { limit } else { limit + Duration::from_micros(999) };
        poll(&mut polled, PollTimeout::try_from(limit).unwrap_or(PollTimeout::MAX)).unwrap_or_default() > 0
    }

    /// Handles what has happened; only time has passed unless `is_ready`.
    fn handle(&mut self, is_ready: bool) {
        if is_ready {
            // Attempts come before the connections that they lead to.
            self.take_packets();
            self.take_questions();
            self.accept();
        }
        if let Ok(tls) = &mut self.tls {
            tls.advance();
        }
        self.read(Instant::now());
        if let Some(client) = &mut self.client
            && self.said.1
        {
            client.write();
            let (lines, is_open) = client.lines();
            self.said.0.extend(lines);
            self.said.1 = is_open;
        }
    }

    fn take_packets(&mut self) {
        let mut bytes = [0; 2048];
        while let Ok((length, address)) = recvfrom::<LinkAddr>(self.packets.as_raw_fd(), &mut bytes) {
            const OUTGOING: u8 = 4;
            // Each packet of the loopback interface is seen twice.
            if address.is_some_and(|address| address.pkttype() != OUTGOING) {
                continue;
            }
            if let Some((source, destination)) = attempt(&bytes[..length]) {
                self.connection(source, destination);
            }
        }
    }

    /// Returns the connection from `source` to `destination`, which is added if it is new; `None` if there are too many.
    fn connection(&mut self, source: SocketAddr, destination: SocketAddr) -> Option<&mut Connection> {
        let source = SocketAddr::new(source.ip().to_canonical(), source.port());
        if self.before_redirect.contains(&source) {
            return None;
        }
        let known = self.seen.connections.iter().position(|it| it.source == source);
        if known.is_none() && self.seen.connections.len() < MOST {
            let host = self.names.host_of(destination.ip());
            let (port, tls, request) = (destination.port(), None, None);
            self.seen.connections.push(Connection { source, host, port, tls, request });
        }
        match known {
            Some(number) => self.seen.connections.get_mut(number),
            None => self.seen.connections.last_mut().filter(|it| it.source == source),
        }
    }

    fn take_questions(&mut self) {
        let mut bytes = [0; 4096];
        while let Ok((length, from)) = self.name_server.recv_from(&mut bytes) {
            let message = &bytes[..length];
            let Some(question) = Question::read(message) else { continue };
            let address = self.names.address_of(&question.name);
            let _ = self.name_server.send_to(&question.answer(message, address), from);
            let is_new = !self.seen.names.iter().any(|name| name.eq_ignore_ascii_case(&question.name));
            if is_new && self.seen.names.len() < MOST {
                self.seen.names.push(question.name);
            }
        }
    }

    fn accept(&mut self) {
        for (port, listener) in &self.listeners {
            while let Ok((stream, source)) = listener.accept() {
                if self.open.len() < MOST && stream.set_nonblocking(true).is_ok() {
                    self.open.push(Open::new(stream, source, *port));
                }
            }
        }
    }

    /// Reads from the connections, and answers those whose request is complete.
    fn read(&mut self, now: Instant) {
        let mut servers = self.open.iter().filter(|it| it.is_served()).count();
        for mut open in std::mem::take(&mut self.open) {
            let is_open = open.receive(now);
            if open.is_hello() {
                // What follows may not be seen.
                self.note(&open);
                let tls = self.tls.as_mut().ok().filter(|_| is_open && servers < MOST_SERVERS);
                if let Some(server) = tls.and_then(Tls::server) {
                    open.serve(server);
                    servers += 1;
                }
            }
            if open.is_request() {
                self.note(&open);
                self.respond(open, now);
            } else if is_open && !(open.is_hello() && self.without_tls().is_some()) {
                self.open.push(open);
            } else {
                self.note(&open);
            }
        }
    }

    /// Notes what was received, unless it was noted before.
    fn note(&mut self, open: &Open) {
        if let Some(destination) = open.destination()
            && let Some(connection) = self.connection(open.source, destination)
        {
            connection.tls = open.server_name();
            connection.request = connection.request.take().or_else(|| open.request());
        }
    }

    /// Answers the request of a connection.
    fn respond(&mut self, mut open: Open, now: Instant) {
        let response = match self.location.take() {
            None => "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_owned(),
            Some(location) => {
                // What was seen so far is the request of the base.
                let before = std::mem::take(&mut self.seen).connections.into_iter().map(|it| it.source);
                self.before_redirect = before.collect();
                format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            }
        };
        if open.respond(response.as_bytes(), now) {
            self.open.push(open);
        }
    }
}

/// Returns the end of request `id` if `line` is the answer to it.
fn end_of(line: &str, id: u64) -> Option<Ended> {
    let answer: Value = serde_json::from_str(line).ok()?;
    if answer["id"].as_u64() != Some(id) {
        return None;
    }
    let text = |name: &str| answer[name].as_str().map(str::to_owned);
    let other = |name: &'static str| text(name).map(|why| Ended::Other(name, why));
    let failure = || text("failure").map(|why| Ended::Said(Said::Failure(why)));
    let done = || (answer["done"] == true).then_some(Ended::Said(Said::Done));
    let skipped = || other("skipped").or_else(|| other("unrepresentable"));
    done()
        .or_else(failure)
        .or_else(skipped)
        .or_else(|| Some(Ended::Other("skipped", "the client's answer is neither done nor failure".to_owned())))
}

/// Returns the ports that the digits in `text` may name.
fn ports(text: &str) -> Vec<u16> {
    const MOST_PORTS: usize = 16;
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty() && digits.len() <= 18);
    // A client may keep the last 16 bits of a number.
    let ports = numbers.filter_map(|digits| Some((digits.parse::<u64>().ok()? & 0xffff) as u16));
    ports.take(MOST_PORTS).collect()
}

/// Escapes the characters outside ASCII in JSON.
fn ascii(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_ascii() {
            true => escaped.push(character),
            false => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped += &format!("\\u{unit:04x}")),
        }
    }
    escaped
}
