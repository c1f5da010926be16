//! The location of a URL: the scheme, host and port that a client would connect to.

use std::fmt;
use std::net::Ipv4Addr;

use serde::Serialize;
use urlstrata::revision::{rfc3986, whatwg};

/// The scheme, host and port of a URL, from its components by RFC 3986.
///
/// The host is in lower case and otherwise unchanged. The port is the port of the URL, or else the default port that
/// the URL Standard defines for the scheme (URL Standard §4.2).
///
/// # Examples
///
/// ```
/// use urlstrata_outcome::location::Location;
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
}

/// The default ports of schemes (URL Standard §4.2).
const DEFAULT_PORTS: [(&str, &str); 5] =
    [("http", "80"), ("https", "443"), ("ws", "80"), ("wss", "443"), ("ftp", "21")];

impl Location {
    /// Returns the location of `url`.
    pub fn of(url: &str) -> Self {
        let parts = rfc3986::REVISION.parse(url).unwrap_or_default();
        let component = |name| parts.component(name).flatten();
        Self::new(component("scheme"), component("authority").map(|authority| split(authority).1))
    }

    /// Returns the location that the components of a URL state, as an engine returns them: the scheme (`scheme` or
    /// `protocol`), and the host and the port (`host` or `hostname`, and `port`) or the `authority`, which RFC 1808 calls `net_loc` and
    /// the draft of 1996 `server`. Returns `None` if none
    /// of the components has one of these names for the host. The port is `None` if the authority has one that the library does not
    /// state alone, because it cannot read it.
    pub fn of_components(components: &[(String, Option<String>)]) -> Option<Self> {
        let component = |names: &[&str]| components.iter().find(|(name, _)| names.contains(&name.as_str()));
        let value = |names| component(names).and_then(|(_, value)| value.as_deref());
        let scheme = value(&["scheme", "protocol"]).map(|scheme| scheme.trim_end_matches(':'));
        if component(&["hostname", "host"]).is_none() {
            let (_, authority) = component(&["authority", "netloc", "net_loc", "server"])?;
            return Some(Self::new(scheme, authority.as_deref().map(|authority| split(authority).1)));
        }
        let port = value(&["port"]).map_or(String::new(), |port| format!(":{port}"));
        // Some libraries return an IPv6 address without brackets.
        let bracketed = |host: &str| match host.contains(':') && !host.starts_with('[') {
            true => format!("[{host}]"),
            false => host.to_owned(),
        };
        let server = value(&["hostname", "host"]).map(|host| bracketed(host) + &port);
        let location = Self::new(scheme, server.as_deref());
        // A library that states a port in the authority, and none alone, cannot read it. It is not the default port.
        let authority = value(&["authority", "netloc"]).map(|authority| split(authority).1);
        let is_unread = component(&["port"]).is_none()
            && authority.and_then(|server| port_of(server)).is_some_and(|port| !port.is_empty());
        Some(if is_unread { Self { port: None, ..location } } else { location })
    }

    /// Returns the location with its host in one notation, for comparison: a domain name in lower case with its labels in Punycode (RFC 3492),
    /// an IPv6 address in its shortest form (URL Standard §3.5, host serializing).
    ///
    /// Other spellings stay as they are, because a list of hosts does not find them: a host with a percent sign, a number that the URL Standard
    /// reads as an IPv4 address, such as `0177.1`, and a name with characters that UTS #46 maps to others.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_outcome::location::Location;
    ///
    /// let host = |url| Location::of(url).in_one_notation().host;
    /// assert_eq!(host("http://\u{fc}.example/"), host("http://xn--tda.example/"));
    /// assert_eq!(host("http://[0::1]/"), host("http://[::1]/"));
    /// assert_ne!(host("http://0177.1/"), host("http://127.0.0.1/"));
    /// assert_ne!(host("http://\u{24d4}vil.test/"), host("http://evil.test/"));
    /// ```
    #[must_use]
    pub fn in_one_notation(&self) -> Self {
        let standard = |host: &str| {
            let target = whatwg::NEWEST.resolve("", &format!("http://{host}/")).ok()?;
            let written = Self::of(&target.url).host?;
            let is_ipv4 = written.parse::<Ipv4Addr>().is_ok();
            (!is_ipv4 && is_spelled(host, &written)).then_some(written)
        };
        let host = self.host.as_deref().map(|host| standard(host).unwrap_or_else(|| host.to_owned()));
        Self { host, ..self.clone() }
    }

    /// Returns the location with this scheme and this host and port.
    fn new(scheme: Option<&str>, server: Option<&str>) -> Self {
        let scheme = scheme.map(str::to_lowercase);
        let Some(server) = server else { return Self { scheme, ..Self::default() } };
        let written = port_of(server);
        let host = written.map_or(server, |port| &server[..server.len() - port.len() - 1]);
        let written = written.unwrap_or_default();
        let default = || DEFAULT_PORTS.iter().find(|(name, _)| scheme.as_deref() == Some(name)).map(|(_, port)| *port);
        let port = Some(written).filter(|written| !written.is_empty()).or_else(default).map(str::to_owned);
        Self { host: Some(host.to_lowercase()), port, scheme }
    }
}

/// Returns a name as a name server is asked for it: without its last dot. A name that would be read as an IPv4 address has one, unless it is
/// this address as addresses are written.
///
/// # Examples
///
/// ```
/// use urlstrata_outcome::location::{asked, is_numbers};
///
/// assert_eq!((asked("Ok.example."), asked("10.1.2.256.")), ("Ok.example".to_owned(), "10.1.2.256".to_owned()));
/// assert_eq!((asked("127.0.0.1."), asked("127.0.0.1")), ("127.0.0.1.".to_owned(), "127.0.0.1".to_owned()));
/// assert_eq!((asked("0x7f.1"), is_numbers("08.1")), ("0x7f.1.".to_owned(), false));
/// ```
pub fn asked(name: &str) -> String {
    let plain = name.strip_suffix('.').unwrap_or(name);
    let is_name = plain.len() < name.len() || plain.parse::<Ipv4Addr>().is_err();
    match is_name && is_numbers(plain) {
        true => format!("{plain}."),
        false => plain.to_owned(),
    }
}

/// Returns whether the resolver of C reads a name as the numbers of an IPv4 address, in whatever notation.
pub fn is_numbers(name: &str) -> bool {
    let number = |label: &str| {
        let (digits, base) = match (label.strip_prefix("0x").or(label.strip_prefix("0X")), label.strip_prefix('0')) {
            (Some(digits), _) => (digits, 16),
            (None, Some(digits)) if !digits.is_empty() => (digits, 8),
            (None, _) => (label, 10),
        };
        u64::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))
    };
    let Some(numbers) = name.split('.').map(number).collect::<Option<Vec<u64>>>() else { return false };
    let (last, first) = numbers.split_last().unwrap_or((&0, &[]));
    first.len() < 4 && first.iter().all(|number| *number < 256) && last >> (32 - 8 * first.len()) == 0
}

/// Returns whether `written` is `host` in lower case with its labels in Punycode, or both are addresses in brackets.
fn is_spelled(host: &str, written: &str) -> bool {
    if host.starts_with('[') {
        return true;
    }
    let is_label = |(label, written): (&str, &str)| match label.is_ascii() {
        true => label.eq_ignore_ascii_case(written),
        false => idna::punycode::encode_str(&label.to_lowercase()).is_some_and(|code| written == format!("xn--{code}")),
    };
    host.split('.').count() == written.split('.').count() && host.split('.').zip(written.split('.')).all(is_label)
}

/// Returns the text after the last colon of a host with its port, without a colon in brackets.
fn port_of(server: &str) -> Option<&str> {
    let after_brackets = server.rfind(']').map_or(0, |at| at + 1);
    server[after_brackets..].rsplit_once(':').map(|(_, port)| port)
}

/// Splits an authority after the last `@` into the credentials, without the `@`, and the host with its port.
fn split(authority: &str) -> (Option<&str>, &str) {
    match authority.rsplit_once('@') {
        Some((credentials, server)) => (Some(credentials), server),
        None => (None, authority),
    }
}

/// Returns the user and the password of `url`, unchanged and without the `@`.
pub fn credentials(url: &str) -> Option<String> {
    let parts = rfc3986::REVISION.parse(url).unwrap_or_default();
    split(parts.component("authority").flatten()?).0.map(str::to_owned)
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
            // Space at an end would not be visible.
            Some(part) if part.trim() != part => format!("\"{}\"", crate::escape::visible(part)),
            Some(part) => crate::escape::visible(part),
        };
        [shown(&self.scheme), shown(&self.host), shown(&self.port)]
    }
}
