//! Where all clients connect for the same URLs, and where they go after the same redirects: those for which they do different things.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use rayon::prelude::*;
use serde::Serialize;

use super::confusion::{Kind, reduced};
use super::urls::{STRANGER, TRUSTED};
use crate::engine::locate::{Visit, same_name};
use crate::engine::statement::redirected;
use crate::engine::{Engine, ask_urls};
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use crate::protocol::Op;

/// What clients do for the URLs of [`super::urls::panel`], and after the redirects of [`super::redirects::panel`].
#[derive(Clone, Debug, Serialize)]
pub struct ClientSurvey {
    /// The clients.
    pub clients: Vec<ClientCounts>,
    /// The number of URLs.
    pub urls: usize,
    /// The number of URLs for which clients connect to different hosts.
    pub hosts_differ: usize,
    /// The number of redirects.
    pub redirects: usize,
    /// The number of redirects after which clients go to different hosts.
    pub followed_differ: usize,
    /// URLs for which clients do different things, a smallest one for each kind.
    pub requested: Vec<DividedUrl>,
    /// Redirects after which clients do different things, a smallest one for each kind.
    pub followed: Vec<DividedUrl>,
}

/// A client, and for how many URLs and redirects it connects.
#[derive(Clone, Debug, Serialize)]
pub struct ClientCounts {
    /// The name of the client.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The number of URLs for which it connects to a host.
    pub connected: usize,
    /// The number of redirects that it follows.
    pub followed: usize,
}

/// How much it matters that clients do different things. The variants are ordered, worst first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// They connect to different hosts.
    Hosts,
    /// Some connect to an address of this machine or of a private network that the URL does not contain.
    Internal,
    /// Some send credentials and others do not, or some send them to another host than that of the base.
    Credentials,
    /// They connect to different ports, or some to another one than the URL names.
    Ports,
    /// Some give a response without a connection, from a file or from the URL itself.
    Local,
}

/// A URL, or a redirect, for which clients do different things.
#[derive(Clone, Debug, Serialize)]
pub struct DividedUrl {
    /// What differs at worst.
    pub danger: Danger,
    /// The URL whose response redirects; empty for a URL that is requested.
    pub base: String,
    /// The URL, or the location of the redirect.
    pub url: String,
    /// What clients do, the most frequent first.
    pub visits: Vec<VisitGroup>,
}

/// Clients that do the same.
#[derive(Clone, Debug, Serialize)]
pub struct VisitGroup {
    /// The host and the port; empty if the client connects to none.
    pub host: String,
    /// What they tell the server other than that, in words. If they connect to no host, what they do.
    pub sends: String,
    /// The names of the clients.
    pub by: Vec<String>,
}

impl ClientSurvey {
    /// Asks those of `engines` that are clients. At most `most` URLs and redirects of each danger are kept.
    pub fn of(engines: &[&dyn Engine], most: usize) -> Self {
        let clients: Vec<&dyn Engine> = engines.iter().copied().filter(|it| it.visits(Op::Connect)).collect();
        let (urls, redirects) = (super::urls::panel(), super::redirects::panel());
        let [connected, followed] = [(Op::Connect, urls.urls()), (Op::Follow, redirects.urls())].map(|(op, urls)| {
            let asked: Vec<&str> = urls.iter().map(String::as_str).collect();
            let visit =
                |client: &&dyn Engine| ask_urls(*client, op, &asked).into_iter().map(Visit::new).collect::<Vec<_>>();
            clients.par_iter().map(visit).collect::<Vec<_>>()
        });
        let names: Vec<&str> = clients.iter().map(|client| client.name()).collect();
        let requested = Divided::of(Op::Connect, &names, urls.urls(), &connected);
        let after = Divided::of(Op::Follow, &names, redirects.urls(), &followed);
        let is_connected = |visits: &Vec<Visit>| visits.iter().filter(|visit| visit.part("host").is_some()).count();
        let counts = clients.iter().enumerate().map(|(number, client)| ClientCounts {
            name: client.name().to_owned(),
            version: client.version().to_owned(),
            connected: is_connected(&connected[number]),
            followed: is_connected(&followed[number]),
        });
        Self {
            clients: counts.collect(),
            urls: urls.urls().len(),
            hosts_differ: requested.hosts_differ(),
            redirects: redirects.urls().len(),
            followed_differ: after.hosts_differ(),
            requested: requested.rows(most),
            followed: after.rows(most),
        }
    }
}

/// What clients do for URLs, in groups.
struct Divided<'a> {
    op: Op,
    urls: &'a [String],
    groups: Vec<Vec<VisitGroup>>,
    dangers: Vec<BTreeSet<Danger>>,
}

impl<'a> Divided<'a> {
    /// Groups the visits of each client in `visits`, which are in the order of `urls`.
    fn of(op: Op, names: &[&str], urls: &'a [String], visits: &[Vec<Visit>]) -> Self {
        let of_one = |number: usize| {
            let own: Vec<&Visit> = visits.iter().map(|of_client| &of_client[number]).collect();
            (groups(op, names, &own), dangers(asked(op, &urls[number]), &own))
        };
        let (groups, dangers) = (0..urls.len()).into_par_iter().map(of_one).unzip();
        Self { op, urls, groups, dangers }
    }

    /// Returns the number of URLs for which clients connect to different hosts.
    fn hosts_differ(&self) -> usize {
        self.dangers.iter().filter(|dangers| dangers.contains(&Danger::Hosts)).count()
    }

    /// Returns a row for each kind of difference: at most `most` of each danger, those with the smallest URL.
    fn rows(&self, most: usize) -> Vec<DividedUrl> {
        let texts: Vec<String> = self.urls.iter().map(|url| asked(self.op, url).1.to_owned()).collect();
        // A URL that leads from one of the two hosts of the panel to the other matters more than one that leads elsewhere.
        let mut kinds: BTreeMap<Kind<(Danger, bool)>, (usize, usize)> = BTreeMap::new();
        for (number, dangers) in self.dangers.iter().enumerate() {
            let reaches =
                |host: &str| self.groups[number].iter().any(|group| group.host.starts_with(&format!("{host}:")));
            let is_lesser = !(reaches(TRUSTED) && reaches(STRANGER));
            for danger in dangers {
                Kind::of((*danger, is_lesser), &texts[number], None).add(&mut kinds, number, &texts);
            }
        }
        let mut rows: Vec<DividedUrl> = Vec::new();
        // Each danger has a table of its own.
        let hides = |part: (Danger, bool), own: (Danger, bool)| part.0 == own.0 && part <= own;
        for (kind, (number, _)) in reduced(kinds, &texts, hides) {
            let danger = kind.weight.0;
            if rows.iter().filter(|row| row.danger == danger).count() < most {
                let (base, url) = asked(self.op, &self.urls[number]);
                let visits = self.groups[number].clone();
                rows.push(DividedUrl { danger, base: base.to_owned(), url: url.to_owned(), visits });
            }
        }
        rows
    }
}

/// Returns the base and the location of a redirect; a URL that is requested has no base.
fn asked(op: Op, url: &str) -> (&str, &str) {
    redirected(url).filter(|_| op == Op::Follow).unwrap_or(("", url))
}

/// Groups clients by what they do. Those without an answer are left out.
fn groups(op: Op, names: &[&str], visits: &[&Visit]) -> Vec<VisitGroup> {
    let mut groups: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (name, visit) in names.iter().zip(visits) {
        let host = match (visit.part("host"), visit.part("port")) {
            (Some(host), Some(port)) => format!("{}:{port}", same_name(host)),
            _ => String::new(),
        };
        let sends = match &visit.instead {
            None => visit.sends(op).join(", "),
            Some(Outcome::Failure(_)) => "no connection".to_owned(),
            Some(Outcome::Crash(_)) => "a crash".to_owned(),
            Some(Outcome::Timeout(_)) => "no response in time".to_owned(),
            Some(_) => continue,
        };
        groups.entry((host, sends)).or_default().push((*name).to_owned());
    }
    let mut groups: Vec<_> = groups.into_iter().map(|((host, sends), by)| VisitGroup { host, sends, by }).collect();
    // Those that connect come first.
    groups.sort_by_key(|group| (group.host.is_empty(), std::cmp::Reverse(group.by.len())));
    groups
}

/// Returns in which ways the visits to `url` differ, to which the response to `base` redirects. An empty base is none.
fn dangers((base, url): (&str, &str), visits: &[&Visit]) -> BTreeSet<Danger> {
    let connected: Vec<&&Visit> = visits.iter().filter(|visit| visit.part("host").is_some()).collect();
    let host = |visit: &Visit| same_name(visit.part("host").unwrap_or_default());
    let hosts: BTreeSet<String> = connected.iter().map(|visit| host(visit)).collect();
    let ports: BTreeSet<Option<&str>> = connected.iter().map(|visit| visit.part("port")).collect();
    let is_seen = connected.iter().filter(|visit| !visit.is_hidden());
    let sends: BTreeSet<bool> = is_seen.map(|visit| visit.part("credentials").is_some()).collect();
    let is_stranger = |visit: &&&Visit| {
        !base.contains(&host(visit)) && visit.part("credentials").is_some_and(|sent| base.contains(sent))
    };
    let is_internal = |host: &String| {
        let text = host.trim_matches(['[', ']']);
        !url.contains(text)
            && !base.contains(text)
            && (text == "localhost" || text.parse().is_ok_and(is_internal_address))
    };
    let named = Location::of(url).port.unwrap_or_default();
    let named = Some(named.trim_start_matches('0'))
        .filter(|port| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
    let is_unnamed = |port: &&str| named.is_some_and(|named| named != *port);
    let sends_differ = match base {
        "" => sends.len() > 1,
        _ => connected.iter().any(is_stranger),
    };
    let found = [
        (Danger::Hosts, hosts.len() > 1),
        (Danger::Internal, hosts.iter().any(is_internal)),
        (Danger::Credentials, sends_differ),
        (Danger::Ports, hosts.len() == 1 && (ports.len() > 1 || ports.iter().flatten().any(is_unnamed))),
        (Danger::Local, base.is_empty() && visits.iter().any(|visit| visit.part("unseen").is_some())),
    ];
    found.into_iter().filter(|(_, is_found)| *is_found).map(|(danger, _)| danger).collect()
}

/// Returns whether an address belongs to this machine or to a private network (RFC 6890 §2.2.2).
fn is_internal_address(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(it) => it.is_loopback() || it.is_private() || it.is_link_local() || it.is_unspecified(),
        IpAddr::V6(it) => it.is_loopback() || it.is_unspecified(),
    }
}
