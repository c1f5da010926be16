//! A client of HTTP/1.1 for a server on this machine, with a connection for each request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

#[derive(Debug, Eq, PartialEq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// Sends a request with a JSON body to the server at `port`, and waits up to `timeout` for each part of the response.
///
/// # Errors
///
/// Returns a sentence if the server cannot be reached, does not answer in time, or returns malformed HTTP.
pub(super) fn request(port: u16, method: &str, path: &str, body: &str, timeout: Duration) -> Result<Response, String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(failure)?;
    stream.set_read_timeout(Some(timeout)).map_err(failure)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).map_err(failure)?;
    read_response(&mut BufReader::new(stream))
}

fn failure(error: impl std::fmt::Display) -> String {
    format!("the connection failed: {error}")
}

fn read_response(stream: &mut impl BufRead) -> Result<Response, String> {
    let status_line = read_line(stream)?;
    let status = status_line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    let status = status.ok_or_else(|| format!("{status_line:?} is not a status line of HTTP/1.1"))?;
    let (mut length, mut is_chunked) = (None, false);
    loop {
        let header = read_line(stream)?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').ok_or_else(|| format!("{header:?} is not a header field"))?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = Some(value.parse().map_err(|_| format!("{value:?} is not a length"))?),
            "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => is_chunked = true,
            "transfer-encoding" => return Err(format!("the transfer encoding {value:?} is not supported")),
            _ => {}
        }
    }
    let body = match length {
        _ if is_chunked => read_chunks(stream)?,
        Some(length) => read_bytes(stream, length)?,
        None => return Err("the response has neither a length nor chunks".to_owned()),
    };
    Ok(Response { status, body })
}

/// Reads a line without its end.
fn read_line(stream: &mut impl BufRead) -> Result<String, String> {
    let mut line = String::new();
    stream.read_line(&mut line).map_err(failure)?;
    let line = line.strip_suffix('\n').ok_or("the response ends in its head or before a chunk")?;
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

fn read_bytes(stream: &mut impl Read, length: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = stream.take(length).read_to_end(&mut bytes).map_err(failure)?;
    match read as u64 == length {
        true => Ok(bytes),
        false => Err(format!("the body ends after {read} of {length} bytes")),
    }
}

/// Reads chunks up to the last one, which is empty, and the trailer after it.
fn read_chunks(stream: &mut impl BufRead) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let line = read_line(stream)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| format!("{line:?} is not the size of a chunk"))?;
        if size == 0 {
            while !read_line(stream)?.is_empty() {}
            return Ok(body);
        }
        body.extend(read_bytes(stream, size)?);
        let end = read_line(stream)?;
        if !end.is_empty() {
            return Err(format!("{end:?} follows a chunk of {size} bytes"));
        }
    }
}

#[test]
fn bodies_with_a_length_and_in_chunks_are_read() {
    for response in [
        "HTTP/1.1 404 Not Found\r\ncontent-LENGTH: 6\r\n\r\na\r\nb\r\nthe next response",
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n005;x=y\r\n\r\nb\r\n\r\n0\r\nX: y\r\n\r\n",
    ] {
        let expected = Response { status: 404, body: b"a\r\nb\r\n".to_vec() };
        assert_eq!(read_response(&mut response.as_bytes()), Ok(expected), "{response:?}");
    }
}

#[test]
fn malformed_responses_are_reported() {
    for (response, sentence) in [
        ("", "the response ends in its head or before a chunk"),
        ("SSH-2.0\r\n", "\"SSH-2.0\" is not a status line of HTTP/1.1"),
        ("HTTP/1.1 200 OK\r\n\r\n", "the response has neither a length nor chunks"),
        ("HTTP/1.1 200 OK\r\nx\r\n\r\n", "\"x\" is not a header field"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "\"-1\" is not a length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "the body ends after 2 of 3 bytes"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "the transfer encoding \"gzip\" is not supported"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "\"x\" is not the size of a chunk"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "\"b\" follows a chunk of 1 bytes"),
    ] {
        assert_eq!(read_response(&mut response.as_bytes()), Err(sentence.to_owned()), "{response:?}");
    }
}
