//! Firefox: `new URL(reference, base)`, and the properties of `new URL(url)`, from 140.12 on.
//!
//! Read from `nsNetUtil.cpp`, `nsStandardURL.cpp`, `nsURLParsers.cpp`, `nsURLHelper.cpp`, `nsSimpleURI.cpp` and `DefaultURI.cpp` in `netwerk/base`,
//! and from `netwerk/protocol/data`, `netwerk/protocol/about` and `dom/jsurl`, in states of the repository gecko-dev of 2025 and 2026. Each scheme
//! has its class: those of the web and `file` are `nsStandardURL`, a few others `nsSimpleURI`, and unknown ones `DefaultURI`, which is the crate
//! `url`. A host is converted as in the URL Standard of March 2025, with two more forbidden characters.
//!
//! Not described: the other schemes that Firefox knows are read like `http`, the URL in one of `jar` or `view-source` is not resolved, and an
//! opaque host that is a single control character is not encoded by Firefox.

mod standard_url;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, folder, scheme, without_dots};
use urlstrata_steps::{Change, Next::*, Question, Side, State, Step, Table, Witness};

use crate::rfc3986::{cut_path, with_plain_dots};
use crate::url_standard::PROPERTIES;
use crate::{crate_url, rfc3986};

use standard_url::{ABSOLUTE, DRIVE, FRAGMENT, STANDARD, escaped, is_drive, rewrite, with_colon};

/// Firefox.
pub static TABLE: Table = Table {
    engine: "firefox",
    first: "140.12.0",
    changes: &[&SIMPLE_URI],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, PARSE)],
    called: &[SCHEME, STANDARD, SIMPLE, PROPERTIES],
    standard: Some(crate_url::standard),
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&crate_url::TABLE, "2.5.4".to_owned())],
};

/// Its version is the first that was asked: it came after 140.12.0.
static SIMPLE_URI: Change = Change {
    id: "nsSimpleURI",
    versions: &["153.6.0"],
    date: "",
    issue: "",
    says: "`data` and `about` URLs with a slash after the colon are not resolved, and the fragments of such URLs are encoded as those of others",
    witness: Witness::resolving("", "data:/a/../b", Some("data:/b"), Some("data:/a/../b")),
};

/// The class of URLs of a scheme.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Authority,
    File,
    Simple,
    Jar,
    Default,
}

fn class(s: &State<'_>, side: Side) -> Class {
    let (of, text): (fn(Part) -> Slot, _) = match side {
        Side::Base => (Slot::Base, s.get(Slot::Base(Part::Text))),
        Side::Reference => (Slot::Ref, s.get(Slot::Ref(Part::Text))),
    };
    let has_slash = || cut(text, ":").1.is_some_and(|rest| rest.starts_with('/'));
    match s.get(of(Part::Scheme)) {
        "http" | "https" | "ws" | "wss" | "ftp" => Class::Authority,
        "chrome" | "resource" | "moz-extension" | "indexeddb" | "uuid" | "smb" | "sftp" | "android" => Class::Authority,
        "file" => Class::File,
        "data" | "about" if !s.has(&SIMPLE_URI) && has_slash() => Class::Default,
        "data" | "about" | "javascript" | "blob" | "view-source" => Class::Simple,
        "jar" => Class::Jar,
        _ => Class::Default,
    }
}

/// Why the result for a relative reference in an archive is left open.
const IN_ARCHIVE: &str = "how a reference is resolved in an archive";

/// Returns the class of the target: that of the reference's scheme, or else that of the base.
fn target(s: &State<'_>) -> Class {
    let has_scheme = s.present(Slot::Ref(Part::Scheme)).is_some();
    class(s, if has_scheme { Side::Reference } else { Side::Base })
}

fn is_url(s: &State<'_>, text: &str) -> bool {
    s.answer(&crate_url::TABLE, Question::Resolve, ("", text)).is_some_and(|run| run.outcome.is_ok())
}

static SCHEME: &[Step] = &[
    Step::new("net_FilterURIString", "remove control characters and spaces around the text, and tabs and line ends from it", |s| {
        s.rest = s.get(s.own(Part::Text)).trim_matches(|it| it <= ' ').replace(['\t', '\n', '\r'], "");
        s.write_text();
        Go
    }),
    Step::new("net_ExtractURLScheme", "a letter, then letters, digits, +, - and . before a colon are the scheme, in lower case", |s| {
        let (name, rest) = scheme(&s.rest).map_or((None, s.rest.as_str()), |(name, rest)| (Some(name), rest));
        let (name, rest) = (name.map(str::to_ascii_lowercase), rest.to_owned());
        s.set(s.own(Part::Scheme), name);
        s.rest = rest;
        Go
    }),
];

/// `nsSimpleURI::SetSpecInternal`, and the checks of those who call it.
static SIMPLE: &[Step] = &[
    Step::new("nsDataHandler, nsJSProtocolHandler: uriWithHost", "reject a `data` or `javascript` URL with two slashes that is not a URL of an unknown scheme", |s| {
        let slot = s.own(Part::Text);
        let scheme = s.get(s.own(Part::Scheme));
        let is_checked = matches!(scheme, "data" | "javascript") && cut(s.given(), &format!("{scheme}:")).1.is_some_and(|rest| rest.starts_with("//"));
        match is_checked && !is_url(s, s.given()) {
            true => s.reject(slot, "it is not a URL of an unknown scheme"),
            false => Go,
        }
    }),
    Step::new("nsDataHandler::ParseURI", "reject a `data` URL with a tab or line end in its scheme", |s| {
        let slot = s.own(Part::Scheme);
        match s.get(slot) == "data" && !s.given().to_ascii_lowercase().contains("data:") {
            true => s.reject(slot, "`data:` was not found"),
            false => Go,
        }
    }),
    Step::new("nsSimpleURI::SetPathQueryRefInternal", "cut the path at ? or #, the query at #, and the fragment", cut_path),
    Step::new("nsDataHandler: SetSpecAndFilterWhitespace", "remove spaces and form feeds from a `data` URL in base64", |s| {
        let path = s.get(s.own(Part::Path));
        let kind = cut(path, ",").0.trim_matches([' ', '\u{c}']);
        let is_base64 = kind.to_ascii_lowercase().strip_suffix("base64").is_some_and(|kind| kind.trim_end_matches([' ', '\u{c}']).ends_with(';'));
        if s.get(s.own(Part::Scheme)) == "data" && is_base64 {
            for part in [Part::Path, Part::Query, Part::Fragment] {
                rewrite(s, part, |text| text.replace([' ', '\u{c}'], ""));
            }
        }
        Go
    }),
    Step::new("nsSimpleURI: esc_OnlyNonASCII", "percent-encode control characters and what is outside ASCII", |s| {
        for part in [Part::Path, Part::Query, Part::Fragment] {
            rewrite(s, part, |text| escaped(text, ""));
        }
        Go
    }),
    Step::new("nsSimpleURI: esc_Spaces", "percent-encode the spaces of the fragment", |s| rewrite(s, Part::Fragment, |text| escaped(text, " ")))
        .until(&SIMPLE_URI),
    Step::new("nsSimpleURI: esc_Ref", "percent-encode the fragment", |s| rewrite(s, Part::Fragment, |text| escaped(text, FRAGMENT)))
        .since(&SIMPLE_URI),
];

static RESOLVE: &[Step] = &[
    Step::new("URL::Constructor: aBase", "find the scheme of the base, unless it is unknown", |s| match s.base.is_empty() {
        true => To("NS_NewURI: net_ExtractURLScheme"),
        false => Call(SCHEME, Side::Base),
    }),
    Step::new("URL::Constructor: MSG_INVALID_URL", "reject a base without a scheme, or that is not a URL of an unknown scheme", |s| {
        let slot = Slot::Base(Part::Scheme);
        match s.present(slot).is_none() || class(s, Side::Base) == Class::Default && !is_url(s, s.base) {
            true => s.reject(slot, "the base is not a URL"),
            false => Go,
        }
    }),
    Step::new("URL::Constructor: DefaultURI", "let the crate `url` read a base of an unknown scheme", |s| {
        if class(s, Side::Base) == Class::Default {
            let url = s.answer(&crate_url::TABLE, Question::Resolve, ("", s.base)).and_then(|run| run.url().map(str::to_owned));
            for (part, text) in Part::COMPONENTS.into_iter().zip(components(url.as_deref().unwrap_or_default())) {
                s.set(Slot::Base(part), text);
            }
        }
        Go
    }),
    Step::new("URL::Constructor: nsStandardURL", "read a base of the web or of `file`", |s| match class(s, Side::Base) {
        Class::Authority | Class::File => Call(STANDARD, Side::Base),
        _ => Go,
    }),
    Step::new("CoalescePath: the base", "remove the dot segments of a base of the web or of `file`", |s| {
        let slot = Slot::Base(Part::Path);
        if matches!(class(s, Side::Base), Class::Authority | Class::File) {
            let path = without_dots(&with_plain_dots(s.get(slot)));
            s.set(slot, path);
        }
        Go
    }),
    Step::new("URL::Constructor: nsSimpleURI", "read a base of `data`, `about`, `javascript` or `blob`", |s| match class(s, Side::Base) {
        Class::Simple => Call(SIMPLE, Side::Base),
        _ => Go,
    }),
    Step::new("NS_NewURI: net_ExtractURLScheme", "find the scheme of the reference", |_| Call(SCHEME, Side::Reference)),
    Step::new("NS_NewURI: NS_ERROR_MALFORMED_URI", "reject a reference without a scheme if the base is unknown", |s| {
        let slot = Slot::Ref(Part::Scheme);
        match s.present(slot).is_none() && s.base.is_empty() {
            true => s.reject(slot, "neither a scheme nor a base is known"),
            false => Go,
        }
    }),
    Step::new("NS_GetURIWithNewRef", "a reference that begins with # is the base with that fragment, of which spaces at the end remain", |s| {
        if !s.reference.starts_with('#') {
            return Go;
        }
        if class(s, Side::Base) == Class::Jar {
            return s.leave_open(Slot::Used, IN_ARCHIVE);
        }
        for part in [Part::Scheme, Part::Authority, Part::Path, Part::Query] {
            s.inherit(part);
        }
        let fragment = s.reference[1..].replace(['\t', '\n', '\r'], "");
        s.set(Slot::Ref(Part::Fragment), escaped(&fragment, FRAGMENT));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("GetSpec")
    }),
    Step::new("NS_NewURI: DefaultURI", "let the crate `url` resolve a URL of an unknown scheme", |s| {
        let is_relative = || s.present(Slot::Ref(Part::Scheme)).is_none();
        match target(s) {
            Class::Default if is_relative() && matches!(s.get(Slot::Base(Part::Scheme)), "data" | "about") => Go,
            Class::Default => To("MozURL::Init: aBaseURL"),
            _ => Go,
        }
    }),
    Step::new("nsJARURI::SetSpecWithBase", "reject a `jar` URL without !/", |s| {
        let slot = Slot::Ref(Part::Text);
        if target(s) == Class::Jar && s.present(Slot::Ref(Part::Scheme)).is_none() {
            return s.leave_open(Slot::Used, IN_ARCHIVE);
        }
        match target(s) == Class::Jar && !s.get(slot).contains("!/") {
            true => s.reject(slot, "`!/` is missing"),
            false => Go,
        }
    }),
    Step::new("NS_NewURI: nsSimpleURI", "a URL of `data`, `about`, `javascript` or `blob` is not relative; reject a reference without a scheme", |s| {
        if !matches!(target(s), Class::Simple | Class::Jar | Class::Default) {
            return Go;
        }
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => Call(SIMPLE, Side::Reference),
            None => s.reject(Slot::Ref(Part::Scheme), "the scheme of the base has no relative references"),
        }
    }),
    Step::new("nsSimpleURI::GetSpec", "what was read is the URL", |s| {
        if !matches!(target(s), Class::Simple | Class::Jar) {
            return Go;
        }
        s.set(Slot::Used, "nothing");
        for part in Part::COMPONENTS {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        To("GetSpec")
    }),
    Step::new("NS_NewURI: NewStandardURI", "read a reference of the web or of `file`", |_| Call(STANDARD, Side::Reference)),
    Step::new("nsStandardURL::Resolve: protocol", "take the scheme of the base if the reference has none", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            None => s.inherit(Part::Scheme),
        }
        Go
    }),
    Step::new("nsStandardURL::Resolve: AppendToSubstring", "take the authority of the base unless the text is absolute", |s| {
        if !s.is_marked(ABSOLUTE) {
            s.inherit(Part::Authority);
            return Go;
        }
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            s.set(Slot::Used, "nothing");
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("BuildNormalizedSpec: a drive letter, after Resolve")
    }),
    Step::new("nsStandardURL::Resolve: ?, # or the end", "without a path, take the base's, and without a query that one, too", |s| {
        rfc3986::no_path(s, "BuildNormalizedSpec: a drive letter, after Resolve")
    }),
    Step::new("nsStandardURL::Resolve: /", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "nsStandardURL::Resolve: slashDriveSpecifierLength")
    }),
    Step::new("nsStandardURL::Resolve: realrelpath", "a letter and a bar begin the path of a `file` URL without a scheme of its own", |s| {
        let path = s.get(Slot::Ref(Part::Path));
        if s.present(Slot::Ref(Part::Scheme)).is_some() || target(s) != Class::File || !is_drive(path, &['|']) {
            return Go;
        }
        let path = format!("/{path}");
        s.set(Slot::Merged, path);
        To("nsStandardURL::Resolve: slashDriveSpecifierLength")
    }),
    Step::new("nsStandardURL::Resolve: mDirectory", "the path follows that of the base up to its last slash", |s| {
        let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("nsStandardURL::Resolve: slashDriveSpecifierLength", "the dot segments after a drive letter at the start of the path do not remove it", |s| {
        let merged = s.get(Slot::Merged);
        let is_own = s.present(Slot::Ref(Part::Scheme)).is_some() || target(s) != Class::File;
        let Some((drive, rest)) = merged.split_at_checked(DRIVE).filter(|(drive, _)| drive.strip_prefix('/').is_some_and(|drive| is_drive(drive, &[':', '|']))) else { return Go };
        if is_own || !rest.starts_with('/') {
            return Go;
        }
        let path = format!("{drive}{}", without_dots(&with_plain_dots(rest)));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        To("BuildNormalizedSpec: a drive letter, after Resolve")
    }),
    Step::new("nsStandardURL::Resolve: net_CoalesceDirs", "remove each . segment, and each .. segment with the one before it, also encoded ones", |s| {
        let path = without_dots(&with_plain_dots(s.get(Slot::Merged)));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(
        "BuildNormalizedSpec: a drive letter, after Resolve",
        "write the bar of a drive letter at the start of the merged path of a `file` URL as a colon",
        |s| {
            let query = s.present(Slot::Out(Part::Query)).or(s.present(Slot::Out(Part::Fragment)));
            if target(s) == Class::File {
                let path = with_colon(s.get(Slot::NoDots), query);
                s.set(Slot::NoDots, path);
            }
            Go
        },
    ),
    Step::new("BuildNormalizedSpec: CoalescePath", "remove each . segment, and each .. segment with the one before it, also encoded ones", |s| {
        let path = without_dots(&with_plain_dots(s.get(Slot::NoDots)));
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("mSpec", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("GetSpec", "return the URL", |s| s.concatenate()),
    Step::new("MozURL::Init: aBaseURL", "the base of another class is not needed", |s| {
        let is_other = !s.base.is_empty() && class(s, Side::Base) != Class::Default;
        if is_other && s.present(Slot::Ref(Part::Scheme)).is_some() {
            s.set(Slot::Base(Part::Text), "");
        }
        Go
    }),
    Step::new("MozURL::Init", "call the crate `url`", |_| Standard(crate_url::standard)),
];

static PARSE: &[Step] = &[
    Step::new("URL::Constructor, without a base", "parse the URL", |_| Call(RESOLVE, Side::Reference)),
    Step::new("URL: getters", "state the properties of the URL", |_| Call(PROPERTIES, Side::Reference)),
    Step::new("nsSimpleURI: getters", "a URL of `data`, `about`, `javascript` or `blob` has no host: state its whole path", |s| {
        if target(s) != Class::Simple {
            return Go;
        }
        for part in [Part::User, Part::Password, Part::Authority, Part::Host, Part::Port] {
            s.set(Slot::Out(part), "");
        }
        s.copy(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        Go
    }),
    Step::new("nsJARURI::GetFilePath", "the path of a `jar` URL is the one after !/", |s| {
        if target(s) == Class::Jar {
            let entry = s.get(Slot::Ref(Part::Path)).rsplit_once("!/").map(|(_, entry)| format!("/{entry}"));
            s.set(Slot::Out(Part::Path), entry);
        }
        Go
    }),
];
