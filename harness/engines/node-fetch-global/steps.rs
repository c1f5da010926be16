//! `fetch(url)` of Node: where it connects.
//!
//! Read from `lib/web/fetch/request.js`, `lib/web/fetch/util.js` and `lib/web/fetch/constants.js` of undici, which Node 26.10.0 contains.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::redirect::{requests_user, has_no_controls, is_web};
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;
use crate::{ada, node_url};

/// node-fetch-global.
pub static TABLE: Table = Table {
    engine: "node-fetch-global",
    first: "18.20.5",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, FETCH), (Question::Follow, REDIRECT)],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(ada::standard),
    has_dated_names: true,
    field: Some(|_, field| field.trim_start_matches([' ', '\t']).to_owned()),
    calls: |version| vec![(&node_url::TABLE, version.to_owned())],
};

/// `httpRedirectFetch`.
static REDIRECT: &[Step] = &[
    Step::new("Request: includesCredentials, of the request", "reject a request for a URL with a user or a password", |s| {
        match requests_user(s) {
            true => s.reject(Slot::Base(Part::Authority), "a URL with credentials"),
            false => Go,
        }
    }),
    Step::new("locationURL: isValidHeaderValue", "do not follow a location that ends in a space or a tab", |s| {
        match s.reference.ends_with([' ', '\t']) {
            true => s.reject(Slot::Ref(Part::Text), "it ends in white space"),
            false => Go,
        }
    }),
    Step::new("llhttp: header value", "reject a response with a control character in a field", has_no_controls),
    Step::new("locationURL: new URL", "resolve the location on the URL of the response", |_| Call(ada::PARSE, Side::Reference)),
    Step::new("httpRedirectFetch: urlIsHttpHttpsScheme", "reject a target that is not one of http or https", is_web),
];

static FETCH: &[Step] = &[
    Step::new("Request: new URL", "parse the URL", |_| Call(ada::STATE, Side::Reference)),
    Step::new("Request: includesCredentials", "reject a URL with a user or a password", |s| {
        let slot = Slot::Out(Part::User);
        match s.get(slot).is_empty() && s.get(Slot::Out(Part::Password)).is_empty() {
            true => Go,
            false => s.reject(slot, "a URL with credentials"),
        }
    }),
    Step::new("requestBadPort", "reject a port on which other services listen", |s| {
        let slot = Slot::Out(Part::Port);
        match BAD_PORTS.contains(&s.get(slot)) {
            true => s.reject(slot, "bad port"),
            false => Go,
        }
    }),
    accessors("buildConnector: hostname, port"),
    NO_SERVICE,
    RESOLVER,
];

/// The ports that the Fetch Standard blocks (§2.9).
pub(crate) const BAD_PORTS: &[&str] = &[
    "1", "7", "9", "11", "13", "15", "17", "19", "20", "21", "22",
    "23", "25", "37", "42", "43", "53", "69", "77", "79", "87", "95", "101",
    "102", "103", "104", "109", "110", "111", "113", "115", "117", "119", "123", "135",
    "137", "139", "143", "161", "179", "389", "427", "465", "512", "513", "514", "515",
    "526", "530", "531", "532", "540", "548", "554", "556", "563", "587", "601", "636",
    "989", "990", "993", "995", "1719", "1720", "1723", "2049", "3659", "4045", "4190", "5060",
    "5061", "6000", "6566", "6665", "6666", "6667", "6668", "6669", "6679", "6697", "10080",
];
