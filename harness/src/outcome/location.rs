//! The location of a URL: the scheme, host and port that a client would connect to.

use std::fmt;

use serde::Serialize;
use urlstrata::revision::rfc3986;

/// The scheme, host and port of a URL, from its components by RFC 3986.
///
/// The host is in lower case and otherwise unchanged. The port is the port of the URL, or else the default port that
/// the URL Standard defines for the scheme (URL Standard §4.2).
///
/// # Examples
///
/// ```
/// use urlstrata_harness::outcome::location::Location;
///
/// let location = Location::of("https://u@Example.org/x");
/// assert_eq!(location.host.as_deref(), Some("example.org"));
/// assert_eq!(location.port.as_deref(), Some("443"));
/// assert_eq!(location.to_string(), "https example.org 443");
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Location {
    /// The scheme in lower case; `None` if the URL has no scheme.
    pub scheme: Option<String>,
    /// The host in lower case; `None` if the URL has no authority, empty if the authority has no host.
    pub host: Option<String>,
    /// The port; `None` if the URL has no port and the scheme has no default port.
    pub port: Option<String>,
    /// The user and the password, unchanged and without the `@`.
    #[serde(skip)]
    pub(crate) credentials: Option<String>,
}

/// The default ports of schemes (URL Standard §4.2).
const DEFAULT_PORTS: [(&str, &str); 5] =
    [("http", "80"), ("https", "443"), ("ws", "80"), ("wss", "443"), ("ftp", "21")];

impl Location {
    /// Returns the location of `url`.
    pub fn of(url: &str) -> Self {
        let parts = rfc3986::REVISION.parse(url).unwrap_or_default();
        let component = |name| parts.component(name).flatten();
        let scheme = component("scheme").map(str::to_lowercase);
        let Some(authority) = component("authority") else { return Self { scheme, ..Self::default() } };
        let (credentials, server) = match authority.rsplit_once('@') {
            Some((credentials, server)) => (Some(credentials.to_owned()), server),
            None => (None, authority),
        };
        let after_brackets = server.rfind(']').map_or(0, |at| at + 1);
        let (host, written) = match server[after_brackets..].rfind(':') {
            Some(at) => (&server[..after_brackets + at], &server[after_brackets + at + 1..]),
            None => (server, ""),
        };
        let default = || DEFAULT_PORTS.iter().find(|(name, _)| scheme.as_deref() == Some(name)).map(|(_, port)| *port);
        let port = Some(written).filter(|written| !written.is_empty()).or_else(default).map(str::to_owned);
        Self { host: Some(host.to_lowercase()), port, credentials, scheme }
    }
}

impl fmt::Display for Location {
    /// Writes the scheme, host and port as in [`Location::columns`], separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [scheme, host, port] = self.columns();
        write!(f, "{scheme} {host} {port}")
    }
}

impl Location {
    /// Returns the scheme, host and port as the cells of a table: `-` for a missing component, `""` for an empty host.
    /// Invisible characters are escaped.
    pub fn columns(&self) -> [String; 3] {
        let shown = |part: &Option<String>| match part.as_deref() {
            None => "-".to_owned(),
            Some("") => "\"\"".to_owned(),
            Some(part) => crate::escape::visible(part),
        };
        [shown(&self.scheme), shown(&self.host), shown(&self.port)]
    }
}

#[cfg(test)]
mod tests {
    use super::Location;

    #[track_caller]
    fn located(url: &str, columns: [&str; 3]) {
        assert_eq!(Location::of(url).columns(), columns, "{url}");
    }

    #[test]
    fn scheme_host_and_port_are_those_that_a_client_connects_to() {
        located("HTTP://u:p@EXAMPLE.org:8080/x", ["http", "example.org", "8080"]);
        located("http://h", ["http", "h", "80"]);
        located("http://h:/", ["http", "h", "80"]);
        located("foo://h/", ["foo", "h", "-"]);
        located("http://[::1]:81/", ["http", "[::1]", "81"]);
        located("http://[::1]/", ["http", "[::1]", "80"]);
        located("file:///x", ["file", "\"\"", "-"]);
        located("mailto:a@b", ["mailto", "-", "-"]);
        located("//h/x", ["-", "h", "-"]);
        located("", ["-", "-", "-"]);
    }

    #[test]
    fn the_last_at_sign_ends_the_credentials() {
        let location = Location::of("http://a@b@c/");
        assert_eq!((location.host.as_deref(), location.credentials.as_deref()), (Some("c"), Some("a@b")));
    }
}
