//! The head of an HTTP request (RFC 9112 §3), as far as it tells what a client sends to whom.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What the head of a request contains. Bytes outside UTF-8 are replaced by U+FFFD.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Request {
    /// The method, for example `GET`.
    pub method: String,
    /// The request target as it was sent.
    pub target: String,
    /// The field `Host`.
    pub host: Option<String>,
    /// The user and the password of the field `Authorization`, separated by a colon; the whole field if its scheme is not `Basic`.
    pub credentials: Option<String>,
    /// The field `Referer`.
    pub referer: Option<String>,
}

impl Request {
    /// Returns whether `bytes` contains a whole head.
    pub fn is_whole(bytes: &[u8]) -> bool {
        bytes.windows(4).any(|window| window == b"\r\n\r\n")
    }

    /// Reads the head at the start of `bytes`. What is missing is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_wire::request::Request;
    ///
    /// let request = Request::read(b"GET /a HTTP/1.1\r\nHost: ok.example\r\nAuthorization: Basic dTpw\r\n\r\n");
    /// assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/a"));
    /// assert_eq!(request.host.as_deref(), Some("ok.example"));
    /// assert_eq!(request.credentials.as_deref(), Some("u:p"));
    /// ```
    pub fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let (method, rest) = first.split_once(' ').unwrap_or((first, ""));
        // A target may contain spaces if the client does not encode them.
        let target = rest.rsplit_once(' ').map_or(rest, |(target, _)| target);
        let mut request = Self { method: method.to_owned(), target: target.to_owned(), ..Self::default() };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let field = match name.to_ascii_lowercase().as_str() {
                "host" => &mut request.host,
                "authorization" => &mut request.credentials,
                "referer" => &mut request.referer,
                _ => continue,
            };
            field.get_or_insert_with(|| value.trim_matches([' ', '\t']).to_owned());
        }
        request.credentials = request.credentials.map(|field| basic(&field).unwrap_or(field));
        request
    }
}

/// Returns the user and the password of the field `Authorization` (RFC 7617 §2).
fn basic(field: &str) -> Option<String> {
    let (scheme, encoded) = field.split_once(' ')?;
    let decoded = STANDARD.decode(encoded.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some(String::from_utf8_lossy(&decoded).into_owned())
}
