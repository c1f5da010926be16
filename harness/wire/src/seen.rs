//! What was seen of a client during a request, and the parts of the answer that tell it.

use std::net::SocketAddr;

use crate::request::Request;

/// What was seen during a request, in the order in which it happened.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The names for which the name server was asked, each once.
    pub names: Vec<String>,
    /// The attempts to connect.
    pub connections: Vec<Connection>,
}

/// An attempt to connect.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Connection {
    /// The address and the port of the client.
    pub source: SocketAddr,
    /// The name that has the address to which the client connects; the address if it was not given to a name.
    pub host: String,
    /// The port to which the client connects.
    pub port: u16,
    /// The name of the server in the client's first TLS message, which may be empty; `None` if the client does not use TLS.
    pub tls: Option<String>,
    /// The request; `None` if the client sent none that can be read.
    pub request: Option<Request>,
}

/// What the client answered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Said {
    /// The client received a response.
    Done,
    /// The client failed, with this reason.
    Failure(String),
}

/// Parts of an answer: names with values.
pub type Parts = Vec<(String, Option<String>)>;

impl Seen {
    /// Returns the parts that tell where the client connected, or `None` if it did nothing but fail.
    ///
    /// | part | value |
    /// | --- | --- |
    /// | `host`, `port` | the name or the address to which the client connects, and the port |
    /// | `tls` | the name of the server in TLS; absent without TLS |
    /// | `field` | the field `Host` |
    /// | `target` | the request target |
    /// | `credentials` | the user and the password that are sent |
    /// | `referer` | the field `Referer` |
    /// | `method` | the method, unless it is `GET` |
    /// | `names` | the names that the client asked for, unless it is `host` alone |
    /// | `also` | further hosts and ports to which the client connects |
    /// | `unseen` | `response` if the client received a response without a connection: from a file, or the redirect itself |
    pub fn parts(&self, said: &Said) -> Option<Parts> {
        let mut parts = Parts::new();
        let mut add = |name: &str, value: Option<&str>| {
            parts.extend(value.map(|value| (name.to_owned(), Some(value.to_owned()))));
        };
        let mut destinations: Vec<(&str, u16)> = Vec::new();
        for connection in &self.connections {
            let destination = (connection.host.as_str(), connection.port);
            if !destinations.contains(&destination) {
                destinations.push(destination);
            }
        }
        let first = destinations.first().copied();
        let is_first = |it: &&Connection| Some((it.host.as_str(), it.port)) == first;
        // A connection with a request tells more than one that was given up.
        let of_those = |tells: fn(&Connection) -> bool| self.connections.iter().filter(is_first).find(|it| tells(it));
        let with_most = of_those(|it| it.request.is_some()).or_else(|| of_those(|it| it.tls.is_some()));
        if let Some(connection) = with_most.or(self.connections.first()) {
            add("host", Some(&connection.host));
            add("port", Some(&connection.port.to_string()));
            add("tls", connection.tls.as_deref());
            if let Some(request) = &connection.request {
                add("field", request.host.as_deref());
                add("target", Some(&request.target));
                add("credentials", request.credentials.as_deref());
                add("referer", request.referer.as_deref());
                add("method", Some(request.method.as_str()).filter(|method| *method != "GET"));
            }
        }
        let is_plain = match (&self.names[..], first) {
            ([], _) => true,
            ([name], Some((host, _))) => name.eq_ignore_ascii_case(host) || host.strip_suffix('.') == Some(name),
            _ => false,
        };
        add("names", Some(self.names.join(" ").as_str()).filter(|_| !is_plain));
        let also: Vec<_> = destinations.iter().skip(1).map(|(host, port)| format!("{host}:{port}")).collect();
        add("also", Some(also.join(" ").as_str()).filter(|also| !also.is_empty()));
        let is_unseen = self.names.is_empty() && self.connections.is_empty() && *said == Said::Done;
        add("unseen", Some("response").filter(|_| is_unseen));
        (!parts.is_empty()).then_some(parts)
    }
}
