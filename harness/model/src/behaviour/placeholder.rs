//! Bases without a scheme that are relative to a placeholder, which results do not show.

use super::{Behaviour, Exit, MissingScheme, Stage};

/// The URL that a base without a scheme is relative to.
const ROOT: &str = "placeholder://";

/// The scheme in place of a missing one, with its colon.
const SCHEME: &str = "placeholder:";

impl Behaviour {
    /// Resolves a pair whose base does not have a scheme by a placeholder; `None` if this behaviour does not have one.
    pub(super) fn with_placeholder(&self, base: &str, reference: &str) -> Option<Stage<String>> {
        if self.syntax.missing_scheme() != MissingScheme::PlaceholderScheme {
            return None;
        }
        if self.prefix_of_base(&self.cleaned(&self.base, base)).scheme().is_some() {
            return None;
        }
        Some(self.under_placeholder(base, reference))
    }

    fn under_placeholder(&self, base: &str, reference: &str) -> Stage<String> {
        let returned = |stage| match stage {
            Ok(url) | Err(Exit::Returned(url)) => Ok(url),
            Err(Exit::Rejected) => Err(Exit::Rejected),
        };
        let base = returned(self.resolve(ROOT, base))?;
        let url = returned(self.resolve(&base, reference))?;
        let Some(after) = url.strip_prefix(SCHEME) else { return Ok(url) };
        let after = after
            .strip_prefix("//")
            .map_or(after, |server| &server[server.find(['/', '?', '#']).unwrap_or(server.len())..]);
        Ok(after.to_owned())
    }
}
