//! Guzzle: where `(new Client())->get($url)` connects with the curl extension.
//!
//! Read from `src/Client.php`, `src/RedirectMiddleware.php` and `src/Handler/CurlFactory.php` of Guzzle 7.4.5 and 7.8.1. In Debian's bookworm, Guzzle PSR-7 2.4.5
//! reads and writes the URL, and libcurl is 7.88.1.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table};

use crate::redirect::{has_no_controls, is_web, php_trim};
use crate::socket::GETADDRINFO;
use crate::{curl, guzzle};

/// guzzle-http.
pub static TABLE: Table = Table {
    engine: "guzzle-http",
    first: "7.4.5",
    changes: &[&LATER],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[curl::PERFORM, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(php_trim),
    calls: |_| vec![(&guzzle::TABLE, "2.4.5".to_owned()), (&curl::TABLE, "7.88.1".to_owned())],
};

/// The end of what is described: version 8 rejects more URLs.
pub(crate) static LATER: Change = Change {
    id: "7.9.0",
    versions: &["7.9.0"],
    date: "",
    issue: "",
    says: "what later versions reject is not described",
    witness: None,
};

/// `RedirectMiddleware`.
pub(crate) static REDIRECT: &[Step] = &[
    Step::new("MessageTrait: assertValue", "reject a response with a control character in a field", has_no_controls).until(&LATER),
    Step::new("redirectUri: UriResolver::resolve", "resolve the location on the URL of the request", |_| Call(guzzle::RESOLVE, Side::Reference)),
    Step::new("redirectUri: $protocols", "reject a target that is not one of http or https", is_web),
];

static GET: &[Step] = &[
    Step::new("Client::requestAsync: uriFor", "read the URL as Guzzle PSR-7 does", |_| Call(guzzle::STATE, Side::Reference)).until(&LATER),
    BUILD_URI,
    Step::new("CurlFactory: CURLOPT_PROTOCOLS", "libcurl connects only for http and https", |s| {
        s.mark(curl::ONLY_WEB);
        Go
    }),
    Step::new("curl_exec", "connect as libcurl does", |_| Call(curl::PERFORM, Side::Reference)),
];

/// Writes the URL that a handler requests.
pub(crate) const BUILD_URI: Step = Step::new(
    "Client::buildUri",
    "write the URL without its fragment; if it has a host and no scheme, this is http",
    build_uri,
);

fn build_uri(s: &mut State<'_>) -> Next {
    let Some(run) = s.answer(&guzzle::TABLE, Question::Resolve, ("", s.reference)).filter(|run| run.outcome.is_ok()) else {
        return s.reject(Slot::Ref(Part::Text), "it is not a URI");
    };
    let text = cut(run.url().unwrap_or_default(), "#").0;
    let has_scheme = !s.get(Slot::Out(Part::Scheme)).is_empty() || s.get(Slot::Out(Part::Host)).is_empty();
    let text = if has_scheme { text.to_owned() } else { format!("http:{text}") };
    s.set(Slot::Ref(Part::Text), text);
    Go
}
