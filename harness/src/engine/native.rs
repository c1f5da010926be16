//! Crates that are called in this process. Nothing is normalized beyond what the crate itself does.
//!
//! Each crate is called in the simplest way that its documentation shows. If the base is unknown, the reference is
//! parsed as an absolute URL.

use std::fmt::Display;

use iri_string::format::ToDedicatedString;
use iri_string::resolve::FixedBaseResolver;
use iri_string::types::{IriAbsoluteStr, IriReferenceStr, IriStr};

use super::{Components, Engine, Outcome};

/// An engine that calls a crate. An entry in [`CRATES`] registers it.
struct Crate {
    name: &'static str,
    /// Whether the crate is available only if a Cargo feature is enabled.
    optional: bool,
    version: &'static str,
    resolve: fn(&str, &str) -> Outcome,
    parse: fn(&str) -> Components,
}

const CRATES: &[Crate] = &[
    Crate { name: "crate:url", optional: false, version: env!("URL_VERSION"), resolve: url_resolve, parse: url_parse },
    Crate {
        name: "crate:iri-string",
        optional: false,
        version: env!("IRI_STRING_VERSION"),
        resolve: iri_resolve,
        parse: iri_parse,
    },
    Crate {
        name: "crate:fluent-uri",
        optional: false,
        version: env!("FLUENT_URI_VERSION"),
        resolve: fluent_resolve,
        parse: fluent_parse,
    },
    Crate {
        name: "crate:oxiri",
        optional: false,
        version: env!("OXIRI_VERSION"),
        resolve: oxiri_resolve,
        parse: oxiri_parse,
    },
    #[cfg(feature = "ada-url")]
    Crate {
        name: "crate:ada-url",
        optional: true,
        version: env!("ADA_URL_VERSION"),
        resolve: ada_resolve,
        parse: ada_parse,
    },
];

/// Returns an engine for every crate in this process.
pub(super) fn all() -> impl Iterator<Item = Box<dyn Engine>> {
    CRATES.iter().map(|row| Box::new(row) as Box<dyn Engine>)
}

impl Engine for &'static Crate {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> &str {
        self.version
    }

    fn is_optional(&self) -> bool {
        self.optional
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        (self.resolve)(base, reference)
    }

    fn parse(&self, url: &str) -> Components {
        (self.parse)(url)
    }

    fn states(&self) -> bool {
        true
    }
}

fn outcome<T: Into<String>, E: Display>(result: Result<T, E>) -> Outcome {
    match result {
        Ok(url) => Outcome::Url(url.into()),
        Err(error) => rejected(error),
    }
}

fn rejected(error: impl Display) -> Outcome {
    Outcome::Failure(error.to_string())
}

fn rejected_base(error: impl Display) -> Outcome {
    rejected(format_args!("base: {error}"))
}

/// Returns the generic components, with the names that the crates for URIs and IRIs use.
fn components(scheme: Option<&str>, authority: Option<&str>, path: &str, rest: [Option<&str>; 2]) -> Components {
    let parts =
        [("scheme", scheme), ("authority", authority), ("path", Some(path)), ("query", rest[0]), ("fragment", rest[1])];
    Ok(parts.into_iter().map(|(name, value)| (name.to_owned(), value.map(str::to_owned))).collect())
}

fn url_resolve(base: &str, reference: &str) -> Outcome {
    if base.is_empty() {
        return outcome(url::Url::parse(reference));
    }
    match url::Url::parse(base) {
        Ok(base) => outcome(base.join(reference)),
        Err(error) => rejected_base(error),
    }
}

fn url_parse(url: &str) -> Components {
    let url = url::Url::parse(url).map_err(rejected)?;
    let userinfo = match (url.username(), url.password()) {
        ("", None) => None,
        (user, None) => Some(user.to_owned()),
        (user, Some(password)) => Some(format!("{user}:{password}")),
    };
    let parts = [
        ("scheme", Some(url.scheme().to_owned())),
        ("userinfo", userinfo),
        ("host", url.host_str().map(str::to_owned)),
        ("port", url.port().map(|port| port.to_string())),
        ("path", Some(url.path().to_owned())),
        ("query", url.query().map(str::to_owned)),
        ("fragment", url.fragment().map(str::to_owned)),
    ];
    Ok(parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn iri_resolve(base: &str, reference: &str) -> Outcome {
    if base.is_empty() {
        return outcome(IriStr::new(reference).map(IriStr::as_str));
    }
    let base = match IriAbsoluteStr::new(base) {
        Ok(base) => FixedBaseResolver::new(base),
        Err(error) => return rejected_base(error),
    };
    outcome(IriReferenceStr::new(reference).map(|reference| base.resolve(reference).to_dedicated_string()))
}

fn iri_parse(url: &str) -> Components {
    let url = IriReferenceStr::new(url).map_err(rejected)?;
    let fragment = url.fragment().map(|fragment| fragment.as_str());
    components(url.scheme_str(), url.authority_str(), url.path_str(), [url.query_str(), fragment])
}

fn fluent_resolve(base: &str, reference: &str) -> Outcome {
    if base.is_empty() {
        return outcome(fluent_uri::Uri::parse(reference).map(|uri| uri.as_str()));
    }
    let base = match fluent_uri::Uri::parse(base) {
        Ok(base) => base,
        Err(error) => return rejected_base(error),
    };
    match fluent_uri::UriRef::parse(reference) {
        Ok(reference) => outcome(reference.resolve_against(&base)),
        Err(error) => rejected(error),
    }
}

fn fluent_parse(url: &str) -> Components {
    let url = fluent_uri::UriRef::parse(url).map_err(rejected)?;
    let scheme = url.scheme().map(|scheme| scheme.as_str());
    let authority = url.authority().map(|authority| authority.as_str());
    let rest = [url.query().map(|query| query.as_str()), url.fragment().map(|fragment| fragment.as_str())];
    components(scheme, authority, url.path().as_str(), rest)
}

fn oxiri_resolve(base: &str, reference: &str) -> Outcome {
    if base.is_empty() {
        return outcome(oxiri::Iri::parse(reference).map(|iri| iri.into_inner()));
    }
    let base = match oxiri::Iri::parse(base) {
        Ok(base) => base,
        Err(error) => return rejected_base(error),
    };
    let reference = match oxiri::IriRef::parse(reference) {
        Ok(reference) => reference,
        Err(error) => return rejected(error),
    };
    outcome(base.resolve(&reference).map(|iri| iri.into_inner()))
}

fn oxiri_parse(url: &str) -> Components {
    let url = oxiri::IriRef::parse(url).map_err(rejected)?;
    components(url.scheme(), url.authority(), url.path(), [url.query(), url.fragment()])
}

#[cfg(feature = "ada-url")]
fn ada_resolve(base: &str, reference: &str) -> Outcome {
    let base = (!base.is_empty()).then_some(base);
    match ada_url::Url::parse(reference, base) {
        Ok(url) => Outcome::Url(url.href().to_owned()),
        Err(_) => rejected("not a URL to ada"),
    }
}

#[cfg(feature = "ada-url")]
fn ada_parse(url: &str) -> Components {
    let url = ada_url::Url::parse(url, None).map_err(|_| rejected("not a URL to ada"))?;
    let stated = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let parts = [
        ("scheme", stated(url.protocol().trim_end_matches(':'))),
        ("userinfo", stated(url.username())),
        ("host", stated(url.hostname())),
        ("port", stated(url.port())),
        ("path", Some(url.pathname().to_owned())),
        ("query", url.search().strip_prefix('?').map(str::to_owned)),
        ("fragment", url.hash().strip_prefix('#').map(str::to_owned)),
    ];
    Ok(parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
