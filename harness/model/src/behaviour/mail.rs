//! Mail addresses after a scheme.

use std::borrow::Cow;

use super::table::{Component, Tables};
use super::{Exit, Row, SchemeAccepted, Stage};

/// Returns `rest`, which follows a scheme. If the scheme is accepted only before mail addresses, `rest` must be a list of them;
/// a path before a query that is not one is dropped, and so is an empty query.
pub(super) fn before_addresses<'a>(row: &Row, tables: &Tables, rest: &'a str) -> Stage<Cow<'a, str>> {
    if row.scheme_accepted() != SchemeAccepted::AcceptedBeforeAddresses {
        return Ok(rest.into());
    }
    let (text, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let (path, query) = text.split_at(text.find('?').unwrap_or(text.len()));
    let is_dropped = path.is_empty() || path.starts_with('/');
    if is_dropped {
        // It may still be rejected.
        tables.apply(Component::Path, path)?;
    }
    match is_dropped {
        true if query.is_empty() => Err(Exit::Rejected),
        true if query == "?" => Ok(fragment.into()),
        true => Ok(format!("{query}{fragment}").into()),
        false if are_addresses(path) => Ok(rest.into()),
        false => Err(Exit::Rejected),
    }
}

/// Returns whether `text` is a list of mail addresses, each with a single `@` between other characters.
fn are_addresses(text: &str) -> bool {
    let is_address = |address: &str| {
        let parts = address.split_once('@');
        parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
    };
    let text = text.strip_suffix([',', ';']).unwrap_or(text);
    text.split([',', ';']).all(is_address)
}
