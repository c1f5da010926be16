//! The first message of a TLS client (RFC 8446 §4.1.2), as far as the name of the server (RFC 6066 §3).

/// Returns the name of the server in the ClientHello that `bytes` begins with: empty if it contains none; `None` if `bytes` does not
/// begin with a TLS record of a handshake.
///
/// A message that ends before its extensions do contains no name.
///
/// # Examples
///
/// ```
/// assert_eq!(urlstrata_wire::client_hello::server_name(b"GET / HTTP/1.1\r\n"), None);
/// ```
pub fn server_name(bytes: &[u8]) -> Option<String> {
    const HANDSHAKE: u8 = 22;
    if bytes.first() != Some(&HANDSHAKE) {
        return None;
    }
    Some(extension(bytes).unwrap_or_default())
}

/// Returns whether `bytes` begins with a TLS record that is not complete yet.
pub fn is_partial(bytes: &[u8]) -> bool {
    match bytes {
        [22, _, _, high, low, rest @ ..] => rest.len() < usize::from(u16::from_be_bytes([*high, *low])),
        [22, ..] => true,
        _ => false,
    }
}

/// Returns the host name in the extension `server_name`.
fn extension(bytes: &[u8]) -> Option<String> {
    // The record header, the handshake header, the version and the random value.
    let mut rest = Bytes(bytes.get(5 + 4 + 2 + 32..)?);
    let session = rest.byte()?;
    rest.take(session.into())?;
    let suites = rest.number()?;
    rest.take(suites)?;
    let compressions = rest.byte()?;
    rest.take(compressions.into())?;
    let length = rest.number()?;
    let mut extensions = Bytes(rest.take(length.min(rest.0.len()))?);
    loop {
        let (kind, length) = (extensions.number()?, extensions.number()?);
        let mut content = Bytes(extensions.take(length)?);
        if kind == 0 {
            // The length of the list, and the type of the name.
            content.take(2 + 1)?;
            let length = content.number()?;
            return Some(String::from_utf8_lossy(content.take(length)?).into_owned());
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn number(&mut self) -> Option<usize> {
        self.take(2).map(|taken| usize::from(u16::from_be_bytes([taken[0], taken[1]])))
    }
}
