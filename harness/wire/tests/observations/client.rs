//! A client with faults, which the tests observe.

use std::io::{BufRead, Read, Write};
use std::net::{Ipv4Addr, TcpStream, ToSocketAddrs, UdpSocket};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::observed::WITHOUT_OPENSSL;
use crate::read::query;

/// The argument that makes this program a client. The next one is its mode.
pub(crate) const FLAG: &str = "--client";

pub(crate) fn main(mode: &str) -> ExitCode {
    if mode == "silent" {
        return ExitCode::from(4);
    }
    let ops = if mode == "resolver" { ["resolve", "parse"] } else { ["connect", "follow"] };
    println!("{}", json!({"protocol": 1, "engine": "client", "version": "1", "ops": ops}));
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        let url = request["url"].as_str().expect("a URL");
        let done = answer(mode, url, request["op"] == "follow");
        let id = &request["id"];
        println!(
            "{}",
            match done {
                Ok(()) => json!({"id": id, "done": true}),
                Err(why) => json!({"id": id, "failure": why}),
            }
        );
        if url == "http://deaf.test/" {
            std::thread::sleep(Duration::from_secs(600));
        }
    }
    ExitCode::SUCCESS
}

fn answer(mode: &str, url: &str, follows: bool) -> Result<(), String> {
    let (host, port, target) = split(url).ok_or("not a URL")?;
    let is_control = host == "control.test";
    match (mode, host) {
        (_, "crash.test") => std::process::exit(3),
        (_, "hang.test") => std::thread::sleep(Duration::from_secs(600)),
        (_, "interfaces.test") => return Err(interfaces()),
        (_, "environment.test") => {
            let is_proxy = |name: &str| name.to_ascii_lowercase().contains("proxy");
            let proxy = std::env::vars().find(|(name, _)| is_proxy(name));
            return Err(proxy.map_or("no proxy".to_owned(), |(name, _)| name));
        }
        (_, "fork.test") => {
            // It keeps the pipes of the client open, and is not waited for.
            let program = std::env::current_exe().expect("a path");
            let child = Command::new(program).args([FLAG, "plain"]).spawn();
            std::mem::forget(child.expect("it starts"));
        }
        (_, "restless.test") => {
            // Several, so that one of them runs soon also on a machine that does other work.
            for _ in 0..4 {
                std::thread::spawn(|| {
                    loop {
                        drop(send("background.test", 80, b"GET / HTTP/1.1\r\n\r\n"));
                        std::thread::sleep(Duration::from_millis(1));
                    }
                });
            }
        }
        (_, "late.test") => {
            let mut stream = TcpStream::connect((host, port)).map_err(|error| error.to_string())?;
            std::thread::sleep(Duration::from_millis(1500));
            stream.write_all(b"GET /late HTTP/1.1\r\n\r\n").map_err(|error| error.to_string())?;
            return stream.read_to_end(&mut Vec::new()).map(drop).map_err(|error| error.to_string());
        }
        ("idle tls", "idle.test") => {
            let streams = (0..150).filter_map(|_| TcpStream::connect((host, port)).ok());
            std::mem::forget(streams.inspect(|mut it| drop(it.write_all(&unfinished_hello()))).collect::<Vec<_>>());
            return Ok(());
        }
        (_, "idle.test") => {
            std::mem::forget((0..150).filter_map(|_| TcpStream::connect((host, port)).ok()).collect::<Vec<_>>());
        }
        (_, "flood.test") => loop {
            println!("{}", "x".repeat(1000));
        },
        ("blind", _) => return Ok(()),
        ("refuses", _) => return Err("no".to_owned()),
        _ => {}
    }
    match mode {
        "asks" if !is_control => return (host, port).to_socket_addrs().map(drop).map_err(|_| "asked".to_owned()),
        "own resolver" if !is_control => {
            let address = ask("9.9.9.9:53", host).map_err(|error| format!("{host}: {error}"))?;
            return send(&address.to_string(), port, b"GET / HTTP/1.1\r\n\r\n").map(drop);
        }
        "tls" if !is_control => return send(host, port, &client_hello("name.test")).map(drop),
        "tls and noise" if !is_control => {
            return send(host, port, &[client_hello("name.test"), vec![0xff; 100_000]].concat()).map(drop);
        }
        "tls and http" if !is_control => {
            return send(host, port, &[&client_hello("name.test")[..], b"GET / HTTP/1.1\r\n\r\n"].concat()).map(drop);
        }
        "tls and silence" if !is_control => return send(host, port, &unfinished_hello()).map(drop),
        "tls and close" if !is_control => {
            let mut stream = TcpStream::connect((host, port)).map_err(|error| error.to_string())?;
            return stream.write_all(&unfinished_hello()).map_err(|error| error.to_string());
        }
        "many tls" if !is_control => {
            let streams = (0..150).filter_map(|_| TcpStream::connect((host, port)).ok());
            let streams: Vec<_> = streams.inspect(|mut it| drop(it.write_all(&unfinished_hello()))).collect();
            drop(streams);
            return Ok(());
        }
        "noise" if !is_control => {
            println!("noise\u{0}\u{1b}");
            return send(host, port, &[0xff; 10_000]).map(drop);
        }
        "many" if !is_control => {
            let streams: Vec<_> = (0..150).filter_map(|_| TcpStream::connect((host, port)).ok()).collect();
            (0..150).for_each(|number| drop((format!("n{number}.test"), port).to_socket_addrs()));
            drop(streams);
        }
        _ => {}
    }
    let port = if mode == "wide port" && !is_control { 9999 } else { port };
    let field = url.split('/').nth(2).unwrap_or_default();
    let (credentials, field) = field.rsplit_once('@').unwrap_or(("", field));
    let credentials = match credentials {
        "" => String::new(),
        credentials => format!("Authorization: Basic {}\r\n", STANDARD.encode(credentials)),
    };
    let request = format!("GET {target} HTTP/1.1\r\nHost: {field}\r\n{credentials}\r\n");
    let response = match url.starts_with("https:") {
        true => send_in_tls(mode, host, port, request.as_bytes())?,
        false => send(host, port, request.as_bytes())?,
    };
    let location = response.split("\r\n").find_map(|line| line.strip_prefix("Location: "));
    match location.filter(|location| follows && location.starts_with("http")) {
        Some(location) => answer(mode, location, false),
        None => Ok(()),
    }
}

/// Returns the host, the port and the target of a URL.
fn split(url: &str) -> Option<(&str, u16, &str)> {
    let (rest, default) = match url.strip_prefix("https://") {
        Some(rest) => (rest, 443),
        None => (url.strip_prefix("http://")?, 80),
    };
    let (authority, target) = rest.split_at(rest.find('/')?);
    let authority = authority.rsplit_once('@').map_or(authority, |(_, authority)| authority);
    if let Some(inner) = authority.strip_prefix('[') {
        return Some((inner.strip_suffix(']')?, default, target));
    }
    match authority.split_once(':') {
        Some((host, port)) => Some((host, port.parse().ok()?, target)),
        None => Some((authority, default, target)),
    }
}

/// Sends `bytes` in TLS, by the program `openssl`, and returns the response, unless the client does not wait for one.
fn send_in_tls(mode: &str, host: &str, port: u16, bytes: &[u8]) -> Result<String, String> {
    if mode == WITHOUT_OPENSSL {
        return send(host, port, &client_hello("name.test"));
    }
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    let mut command = Command::new("openssl");
    command.args([
        "s_client",
        "-quiet",
        "-connect",
        &format!("{host}:{port}"),
        "-servername",
        host.trim_matches(['[', ']']),
    ]);
    match mode {
        "closes" => command.arg("-no_ign_eof"),
        "resumes" => command.args(["-tls1_2", "-reconnect"]),
        _ => &mut command,
    };
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(bytes).map_err(|error| error.to_string())?;
    let input = Some(input).filter(|_| mode != "closes");
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    drop(input);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn send(host: &str, port: u16, bytes: &[u8]) -> Result<String, String> {
    let mut stream = TcpStream::connect((host, port)).map_err(|error| error.to_string())?;
    let mut response = Vec::new();
    let sent = stream.write_all(bytes).and_then(|()| stream.read_to_end(&mut response));
    sent.map(|_| String::from_utf8_lossy(&response).into_owned()).map_err(|error| error.to_string())
}

/// Asks a name server for an IPv4 address, and takes only its own answer.
fn ask(server: &str, name: &str) -> std::io::Result<Ipv4Addr> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(5)))?;
    socket.connect(server)?;
    socket.send(&query(&name.split('.').map(str::as_bytes).collect::<Vec<_>>()))?;
    let mut answer = [0; 512];
    let length = socket.recv(&mut answer)?;
    let address = answer[..length].last_chunk::<4>().expect("four bytes");
    Ok(Ipv4Addr::from(*address))
}

/// Returns the names of the network interfaces.
fn interfaces() -> String {
    let text = std::fs::read_to_string("/proc/net/dev").expect("a table");
    let names = text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned()));
    names.collect::<Vec<_>>().join(" ")
}

/// Returns a whole record whose message is not whole: the handshake does not end.
fn unfinished_hello() -> Vec<u8> {
    let mut hello = client_hello("name.test");
    // The third byte of the length of the message; what the record contains of it includes the name.
    hello[8] += 100;
    hello
}

/// Returns the first message of a TLS client that asks for the server called `name`.
pub(crate) fn client_hello(name: &str) -> Vec<u8> {
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).expect("short").to_be_bytes();
    let with_length = |bytes: Vec<u8>| [length(&bytes).to_vec(), bytes].concat();
    let server_name = with_length([vec![0], with_length(name.as_bytes().to_vec())].concat());
    // An extension before it, and then the name.
    let extensions = [vec![0, 23, 0, 0, 0, 0], with_length(server_name)].concat();
    let body = [
        vec![3, 3],
        vec![7; 32],
        vec![4, 1, 2, 3, 4],
        with_length(vec![0x13, 1, 0x13, 2]),
        vec![1, 0],
        with_length(extensions),
    ];
    let body = body.concat();
    let handshake = [vec![1, 0], length(&body).to_vec(), body].concat();
    [vec![22, 3, 1], with_length(handshake)].concat()
}
