//! Crates in this process. They normalise nothing beyond what the crate does.

use super::{Components, Engine, Outcome};

/// The `url` crate.
pub(super) struct Url;

impl Engine for Url {
    fn name(&self) -> &str {
        "crate:url"
    }

    fn version(&self) -> &str {
        env!("URL_VERSION")
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        if base.is_empty() {
            return said(url::Url::parse(reference));
        }
        match url::Url::parse(base) {
            Ok(base) => said(base.join(reference)),
            Err(error) => Outcome::Refused(format!("base: {error}")),
        }
    }

    fn parse(&self, url: &str) -> Components {
        let url = url::Url::parse(url).map_err(|error| error.to_string())?;
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
}

fn said(result: Result<url::Url, url::ParseError>) -> Outcome {
    match result {
        Ok(url) => Outcome::Url(url.into()),
        Err(error) => Outcome::Refused(error.to_string()),
    }
}
