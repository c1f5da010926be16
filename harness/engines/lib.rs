//! The engine folders, packed for use in a program.
//!
//! A folder describes an engine: `engine.toml`, a shim, and the recordings and behaviours of its versions. The crate
//! `urlstrata-harness` reads them. The build script packs the files, and each of them is unpacked when it is asked for.
//!
//! An engine whose source was read has a table of steps, `steps.rs`, in its folder. The table is a module of this crate.
//!
//! # Recordings
//!
//! All recordings of one kind answer the same questions, and most engines give one of a few answers. So the different lines
//! that recordings have at the same place are stored once, in a table, and a recording is a list of numbers of lines.

#![cfg_attr(not(feature = "recordings"), allow(dead_code))]

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;
use urlstrata_steps::Table;

pub mod ada;
mod ada_idna;
pub(crate) mod checks;
pub(crate) mod http_uri;
pub(crate) mod inet_address;
pub(crate) mod redirect;
pub(crate) mod rfc3986;
pub(crate) mod socket;
pub(crate) mod url_standard;

include!(concat!(env!("OUT_DIR"), "/engines.rs"));

macro_rules! tables {
    ($($name:ident $path:literal)*) => {
        $(#[path = $path] pub mod $name;)*

        /// The engines that have tables of steps.
        static STEPS: &[&Table] = &[$(&$name::TABLE),*];
    };
}

tables! {
    ada_python "ada-python/steps.rs"
    addressable "addressable/steps.rs"
    aiohttp "aiohttp/steps.rs"
    amara3_iri "amara3-iri/steps.rs"
    apache_http_4 "apache-http-4/steps.rs"
    apache_http_5 "apache-http-5/steps.rs"
    aria2 "aria2/steps.rs"
    axios "axios/steps.rs"
    boltons "boltons/steps.rs"
    boost_url "boost-url/steps.rs"
    bun "bun/steps.rs"
    chromium "chromium/steps.rs"
    closure_uri "closure-uri/steps.rs"
    core_js "core-js/steps.rs"
    crate_ada_url "crate-ada-url/steps.rs"
    crate_fluent_uri "crate-fluent-uri/steps.rs"
    crate_iref "crate-iref/steps.rs"
    crate_iri_string "crate-iri-string/steps.rs"
    crate_oxiri "crate-oxiri/steps.rs"
    crate_sophia_iri "crate-sophia-iri/steps.rs"
    crate_uriparse "crate-uriparse/steps.rs"
    crate_url "crate-url/steps.rs"
    crystal_uri "crystal-uri/steps.rs"
    curl "curl/steps.rs"
    deno "deno/steps.rs"
    django_redirect_check "django-redirect-check/steps.rs"
    dojo_url "dojo-url/steps.rs"
    domino "domino/steps.rs"
    easyrdf "easyrdf/steps.rs"
    elixir_uri "elixir-uri/steps.rs"
    emacs_url "emacs-url/steps.rs"
    erlang_uri_string "erlang-uri-string/steps.rs"
    faraday "faraday/steps.rs"
    fast_uri "fast-uri/steps.rs"
    feedparser "feedparser/steps.rs"
    ffmpeg "ffmpeg/steps.rs"
    firefox "firefox/steps.rs"
    furl "furl/steps.rs"
    glib "glib/steps.rs"
    glib_http "glib-http/steps.rs"
    go_net_http "go-net-http/steps.rs"
    go_net_url "go-net-url/steps.rs"
    go_netip "go-netip/steps.rs"
    got "got/steps.rs"
    guzzle "guzzle/steps.rs"
    guzzle_http "guzzle-http/steps.rs"
    guzzle_http_stream "guzzle-http-stream/steps.rs"
    http_tiny "http-tiny/steps.rs"
    httparty "httparty/steps.rs"
    httpclient "httpclient/steps.rs"
    httpclient5 "httpclient5/steps.rs"
    httpx "httpx/steps.rs"
    hyper_util "hyper-util/steps.rs"
    hyperjump_iri "hyperjump-iri/steps.rs"
    hyperjump_uri "hyperjump-uri/steps.rs"
    hyperlink "hyperlink/steps.rs"
    ip "ip/steps.rs"
    ip_url_parse "ip-url-parse/steps.rs"
    isahc "isahc/steps.rs"
    java_http_client "java-http-client/steps.rs"
    java_httpurlconnection "java-httpurlconnection/steps.rs"
    java_net_uri "java-net-uri/steps.rs"
    java_net_url "java-net-url/steps.rs"
    jridgewell_resolve_uri "jridgewell-resolve-uri/steps.rs"
    jsonld "jsonld/steps.rs"
    jsoup "jsoup/steps.rs"
    lazr_uri "lazr-uri/steps.rs"
    libcurl "libcurl/steps.rs"
    libcurl_path_as_is "libcurl-path-as-is/steps.rs"
    libcurl_urlencode "libcurl-urlencode/steps.rs"
    libsoup "libsoup/steps.rs"
    libxml2 "libxml2/steps.rs"
    luasocket "luasocket/steps.rs"
    lwp "lwp/steps.rs"
    lxml "lxml/steps.rs"
    mechanize "mechanize/steps.rs"
    ml_iri "ml-iri/steps.rs"
    mojo_url "mojo-url/steps.rs"
    mojo_url_unsafe "mojo-url-unsafe/steps.rs"
    mojo_useragent "mojo-useragent/steps.rs"
    n3 "n3/steps.rs"
    needle "needle/steps.rs"
    net_http "net-http/steps.rs"
    net_url2 "net-url2/steps.rs"
    network_uri "network-uri/steps.rs"
    node_fetch_global "node-fetch-global/steps.rs"
    node_http "node-http/steps.rs"
    node_url "node-url/steps.rs"
    node_url_resolve "node-url-resolve/steps.rs"
    npm_url "npm-url/steps.rs"
    ocaml_uri "ocaml-uri/steps.rs"
    okhttp "okhttp/steps.rs"
    okhttp_client "okhttp-client/steps.rs"
    open_uri "open-uri/steps.rs"
    parse_uri "parse-uri/steps.rs"
    parse_url "parse-url/steps.rs"
    perl_iri "perl-iri/steps.rs"
    perl_uri "perl-uri/steps.rs"
    perl_uri_leading_dots "perl-uri-leading-dots/steps.rs"
    perl_uri_relative_scheme "perl-uri-relative-scheme/steps.rs"
    php_curl "php-curl/steps.rs"
    php_parse_url "php-parse-url/steps.rs"
    php_streams "php-streams/steps.rs"
    php_uri_rfc3986 "php-uri-rfc3986/steps.rs"
    php_uri_whatwg "php-uri-whatwg/steps.rs"
    poco_uri "poco-uri/steps.rs"
    private_ip "private-ip/steps.rs"
    puri "puri/steps.rs"
    pycurl "pycurl/steps.rs"
    pyld "pyld/steps.rs"
    python_ipaddress "python-ipaddress/steps.rs"
    python_rfc3986 "python-rfc3986/steps.rs"
    python_rfc3987 "python-rfc3987/steps.rs"
    qurl "qurl/steps.rs"
    qurl_encoded "qurl-encoded/steps.rs"
    rails_redirect_check "rails-redirect-check/steps.rs"
    raptor2 "raptor2/steps.rs"
    rdflib "rdflib/steps.rs"
    rdflib_js "rdflib-js/steps.rs"
    rdflib_notation3 "rdflib-notation3/steps.rs"
    react_native_url_polyfill "react-native-url-polyfill/steps.rs"
    relative_to_absolute_iri "relative-to-absolute-iri/steps.rs"
    requests "requests/steps.rs"
    reqwest "reqwest/steps.rs"
    ruby_uri "ruby-uri/steps.rs"
    ruby_uri_rfc2396 "ruby-uri-rfc2396/steps.rs"
    serd "serd/steps.rs"
    simplepie "simplepie/steps.rs"
    spring_web "spring-web/steps.rs"
    ssrf_req_filter "ssrf-req-filter/steps.rs"
    superagent "superagent/steps.rs"
    symfony_http_client "symfony-http-client/steps.rs"
    symfony_http_client_native "symfony-http-client-native/steps.rs"
    symfony_uri_resolver "symfony-uri-resolver/steps.rs"
    tcllib_uri "tcllib-uri/steps.rs"
    tv4 "tv4/steps.rs"
    ufo "ufo/steps.rs"
    undici "undici/steps.rs"
    ureq "ureq/steps.rs"
    uri_js "uri-js/steps.rs"
    uri_js_iri "uri-js-iri/steps.rs"
    urijs "urijs/steps.rs"
    uriparser "uriparser/steps.rs"
    uriparser_compat "uriparser-compat/steps.rs"
    uritools "uritools/steps.rs"
    uritools_strict "uritools-strict/steps.rs"
    url_parse "url-parse/steps.rs"
    url_toolkit "url-toolkit/steps.rs"
    url_toolkit_normalize "url-toolkit-normalize/steps.rs"
    urllib "urllib/steps.rs"
    urllib3 "urllib3/steps.rs"
    urllib_request "urllib-request/steps.rs"
    urlobject "urlobject/steps.rs"
    werkzeug "werkzeug/steps.rs"
    wget "wget/steps.rs"
    whatwg_url "whatwg-url/steps.rs"
    whatwg_url_py "whatwg-url-py/steps.rs"
    whatwg_url_without_unicode "whatwg-url-without-unicode/steps.rs"
    xerces "xerces/steps.rs"
    yarl "yarl/steps.rs"
    yurl "yurl/steps.rs"
    zig_uri "zig-uri/steps.rs"
}

/// Returns the engines that have tables of steps, in the order of their names.
pub fn tables() -> &'static [&'static Table] {
    STEPS
}

/// Returns the table of steps of the engine whose folder is called `name`, if it has one.
pub fn table(name: &str) -> Option<&'static Table> {
    STEPS.iter().copied().find(|table| table.engine == name)
}

/// A file of the folders.
#[derive(Debug)]
pub struct Entry {
    /// The path relative to the folders, with `/` between its parts.
    pub path: &'static str,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The number of the text.
    Text(u16),
    Recording(Recording),
}

impl Entry {
    /// Returns the files in the order of their paths. There are none without the feature `recordings`.
    pub fn all() -> &'static [Self] {
        ENTRIES
    }

    /// Returns the recording; `None` if the file has another kind.
    pub fn recording(&self) -> Option<&Recording> {
        match &self.content {
            Content::Text(_) => None,
            Content::Recording(recording) => Some(recording),
        }
    }

    /// Returns the content. A behaviour is JSON instead of YAML.
    pub fn text(&'static self) -> String {
        match &self.content {
            Content::Text(number) => TEXTS[usize::from(*number)].text(),
            Content::Recording(recording) => {
                let lines = recording.lines();
                let lines = (0..).map_while(|number| lines.get(number)).flat_map(|line| [line, "\n"]);
                std::iter::once(recording.head).chain(lines).collect()
            }
        }
    }
}

/// The recorded answers of a version of an engine.
#[derive(Debug)]
pub struct Recording {
    /// The first lines.
    pub head: &'static str,
    /// The numbers of the texts of its blocks: a character for each line after the first ones, which is the number of the line in the table.
    numbers: &'static [u16],
    /// The number of the first block of the table.
    table: u16,
}

impl Recording {
    /// Returns the lines after the first ones.
    pub fn lines(&'static self) -> Lines {
        Lines { recording: self, numbers: self.numbers.iter().map(|_| OnceLock::new()).collect() }
    }
}

/// The lines of a recording after the first ones. They are unpacked in blocks, when they are needed.
#[derive(Clone, Debug)]
pub struct Lines {
    recording: &'static Recording,
    numbers: Vec<OnceLock<Box<[u16]>>>,
}

impl Lines {
    /// Returns line `number` after the first ones, without its end.
    pub fn get(&self, number: usize) -> Option<&'static str> {
        let (block, at) = (number / BLOCK, number % BLOCK);
        let text = || TEXTS[usize::from(self.recording.numbers[block])].text();
        let unpack = || text().chars().map(|number| number as u16).collect();
        let numbers = self.numbers.get(block)?.get_or_init(unpack);
        Some(TABLES[usize::from(self.recording.table) + block].line(at, usize::from(*numbers.get(at)?)))
    }
}

/// A block of a table: the different lines at [`BLOCK`] places, which are unpacked when they are needed.
#[derive(Debug)]
struct Block {
    /// The number of its text.
    packed: u16,
    unpacked: OnceLock<Unpacked>,
}

#[derive(Debug)]
struct Unpacked {
    /// The lines, each with a separator after it.
    text: String,
    /// The start of each line, and the end of the text.
    starts: Vec<usize>,
    /// The number of the first line of each place.
    places: Vec<usize>,
}

impl Block {
    const fn new(packed: u16) -> Self {
        Self { packed, unpacked: OnceLock::new() }
    }

    /// Returns line `number` of those at the place `at`.
    fn line(&'static self, at: usize, number: usize) -> &'static str {
        let Unpacked { text, starts, places } =
            self.unpacked.get_or_init(|| Unpacked::of(TEXTS[usize::from(self.packed)].text()));
        let number = places[at] + number;
        &text[starts[number]..starts[number + 1] - 1]
    }
}

impl Unpacked {
    /// Finds the lines in `text`, where [`SEPARATOR`] is between the lines of a place, and a line end after the last one.
    fn of(text: String) -> Self {
        let (mut starts, mut places) = (vec![0], vec![0]);
        for at in memchr::memchr2_iter(SEPARATOR, b'\n', text.as_bytes()) {
            starts.push(at + 1);
            if text.as_bytes()[at] == b'\n' {
                places.push(starts.len() - 1);
            }
        }
        Self { text, starts, places }
    }
}

/// A compressed text.
#[derive(Debug)]
struct Packed {
    start: u32,
    end: u32,
    /// The length of the text.
    length: u32,
}

impl Packed {
    fn text(&self) -> String {
        let mut text = String::with_capacity(self.length as usize);
        // The build script packed it, so it can be unpacked.
        let read = DeflateDecoder::new(&PACKED[self.start as usize..self.end as usize]).read_to_string(&mut text);
        read.map(|_| text).unwrap_or_else(|error| unreachable!("{error}"))
    }
}
