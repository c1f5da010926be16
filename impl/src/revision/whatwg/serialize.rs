//! §3.6 host serializer; §4.5 URL serializer and URL path serializer.

use super::changes::*;
use super::machine::{Algorithm, Host, Path};
use crate::slots::Slot;
use crate::step::Next::{Call, Continue, Done, Repeat, SkipTo};

pub(super) const HOST: Algorithm = (
    "host serializer",
    &[
        ("host serializer 1", "an IPv4 address is serialized", since(C9043740), |s| match &s.url.host {
            Some(Host::Ipv4(_)) if s.address.is_empty() => Repeat("IPv4 serializer"),
            Some(Host::Ipv4(_)) => {
                s.output.push_str(&core::mem::take(&mut s.address));
                Done
            }
            _ => Continue,
        }),
        ("host serializer 2", "an IPv6 address is serialized in brackets", ALWAYS, |s| match &s.url.host {
            Some(Host::Ipv6(_)) if s.address.is_empty() => Repeat("IPv6 serializer"),
            Some(Host::Ipv6(_)) => {
                s.output.extend(["[", &core::mem::take(&mut s.address), "]"]);
                Done
            }
            _ => Continue,
        }),
        ("host serializer 3", "any other host is written as it is", ALWAYS, |s| {
            if let Some(Host::Name(name)) = &s.url.host {
                s.output.push_str(name);
            }
            Done
        }),
    ],
);

pub(super) const URL: Algorithm = (
    "URL serializer",
    &[
        ("URL serializer 1", "write the scheme and a colon", ALWAYS, |s| {
            s.output.clear();
            s.output.extend([&s.url.scheme, ":"]);
            Continue
        }),
        ("URL serializer 2 (05cbe06)", "a URL whose path is not opaque has a host", until(CB266A43), |s| {
            if s.url.host.is_none() && !s.url.has_opaque_path() {
                s.url.host = Some(Host::Name(alloc::string::String::new()));
                s.writes_empty_authority();
            }
            Continue
        }),
        ("URL serializer 2", "if the URL has a host:", ALWAYS, |s| {
            if s.url.host.is_some() { Continue } else { SkipTo("URL serializer 3 (83adf0c)") }
        }),
        ("URL serializer 2.1", "write //", ALWAYS, |s| {
            s.output.push_str("//");
            Continue
        }),
        ("URL serializer 2.2", "write the user name and the password only if one of them is not empty", ALWAYS, |s| {
            if s.url.includes_credentials() { Continue } else { SkipTo("URL serializer 2.3") }
        }),
        ("URL serializer 2.2.1", "write the user name", ALWAYS, |s| {
            s.output.push_str(&s.url.username);
            Continue
        }),
        ("URL serializer 2.2.2", "write a colon and the password, if there is one", ALWAYS, |s| {
            if let Some(password) = &s.url.password {
                s.output.extend([":", password]);
            }
            Continue
        }),
        ("URL serializer 2.2.3", "write @", ALWAYS, |s| {
            s.output.push('@');
            Continue
        }),
        ("URL serializer 2.3", "write the host", ALWAYS, |_| Call("host serializer")),
        ("URL serializer 2.4", "write a colon and the port, if there is one", ALWAYS, |s| {
            if let Some(port) = &s.url.port {
                s.output.extend([":", port]);
            }
            Continue
        }),
        (
            "URL serializer 3 (83adf0c)",
            "write // before the path of a file URL without a host",
            between(C09CD673, CA19495E),
            |s| {
                if s.url.host.is_none() && s.url.scheme == "file" {
                    s.output.push_str("//");
                    s.writes_empty_authority();
                }
                Continue
            },
        ),
        (
            "URL serializer 3",
            "write /. before a path that begins with two slashes if the host is missing",
            since(C83ADF0C),
            |s| {
                let begins_empty = matches!(s.url.segments(), [first, _, ..] if first.is_empty());
                if s.url.host.is_none() && begins_empty {
                    s.output.push_str("/.");
                    s.recorder.decide(Slot::Result);
                }
                Continue
            },
        ),
        ("URL serializer 4", "write the path", ALWAYS, |_| Call("URL path serializer")),
        ("URL serializer 5", "write ? and the query, if there is one", ALWAYS, |s| {
            if let Some(query) = &s.url.query {
                s.output.extend(["?", query]);
            }
            Continue
        }),
        ("URL serializer 6", "write # and the fragment, if there is one", ALWAYS, |s| {
            if let Some(fragment) = &s.url.fragment {
                s.output.extend(["#", fragment]);
            }
            Continue
        }),
        ("URL serializer 7", "return the output", ALWAYS, |s| {
            s.recorder.only_writes();
            Done
        }),
    ],
);

pub(super) const PATH: Algorithm = (
    "URL path serializer",
    &[
        ("URL path serializer 1", "an opaque path is written as it is", ALWAYS, |s| match &s.url.path {
            Path::Opaque(path) => {
                s.output.push_str(path);
                Done
            }
            Path::List(_) => Continue,
        }),
        ("URL path serializer 2", "the output is empty", ALWAYS, |_| Continue),
        ("URL serializer 5 (e322a8a)", "an empty path is written as a slash", until(CB087FE2), |s| {
            if s.url.segments().is_empty() {
                s.output.push('/');
            }
            Continue
        }),
        ("URL path serializer 3", "write each segment with a slash before it", ALWAYS, |s| {
            if let Path::List(segments) = &s.url.path {
                for segment in segments {
                    s.output.extend(["/", segment]);
                }
            }
            Continue
        }),
        ("URL path serializer 4", "return the output", ALWAYS, |_| Done),
    ],
);
