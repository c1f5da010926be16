//! The query and the fragment of a text.

use super::super::table::{Component, Rejected, Tables};
use super::super::{
    AuthorityEnd, EmptyFragment, EmptyQuery, Fragment, FragmentForm, FragmentLine, Query, QueryPairs, Row, Stage,
};
use super::prefix::enclosed_end;
use super::{Parts, Splitter, cut};

impl Splitter<'_> {
    /// Returns whether `text` has a query.
    pub(super) fn has_query(&self, text: &str) -> bool {
        text.contains('?')
            && match self.row.query() {
                Query::SetAside => true,
                Query::EndsBasePath => self.role.is_base,
                Query::Ordinary => false,
            }
    }

    /// Returns `rest` before its fragment, and the fragment.
    pub(super) fn fragment_set_aside<'t>(&self, rest: &'t str) -> (&'t str, Option<&'t str>) {
        let Self { row, role, .. } = *self;
        let is_whole = rest.starts_with("//") && row.authority_end() == AuthorityEnd::SlashOnly;
        let start =
            if is_whole { rest[2..].find('/').map_or(rest.len(), |at| at + 2) } else { enclosed_end(row, rest) };
        let has_fragment = || match row.fragment() {
            Fragment::SetAside | Fragment::SetAsideAndDropped => true,
            Fragment::EndsBasePath => role.is_base,
            Fragment::LastInReference => !role.is_base,
            Fragment::Ordinary => false,
        };
        let mark = match row.fragment() {
            Fragment::LastInReference => rest[start..].rfind('#'),
            _ => rest[start..].find('#'),
        };
        let Some(mark) = mark.filter(|_| has_fragment()).map(|at| start + at) else { return (rest, None) };
        let fragment = Some(&rest[mark + 1..]).filter(|_| row.fragment() != Fragment::SetAsideAndDropped);
        let fragment = fragment.map(|fragment| match cut(fragment, &['\n']) {
            (line, Some(_)) if row.fragment_line() == FragmentLine::Ends => line,
            _ => fragment,
        });
        (&rest[..mark], fragment)
    }

    /// Sets the query and the fragment of `parts`. The query has the table applied, and `fragment` is as written.
    /// `is_without_path` states whether the text has neither an authority nor a path.
    pub(super) fn finish_suffix(&self, parts: &mut Parts, fragment: Option<&str>, is_without_path: bool) -> Stage<()> {
        let Self { row, tables, role } = *self;
        if let Some(query) = &parts.query {
            match row.query_pairs() {
                QueryPairs::AsWritten => {}
                QueryPairs::WrittenAnew => parts.query = pairs_written_anew(query),
            }
        }
        let component = match role.is_absolute {
            true => Component::AbsoluteFragment,
            _ if is_without_path => Component::FragmentAlone,
            _ => Component::Fragment,
        };
        let fragment = fragment.filter(|_| !parts.ends_with_authority);
        let queries = if role.is_absolute { Component::AbsoluteQuery } else { Component::Query };
        let written = |fragment| written_fragment(row, tables, [component, queries], fragment);
        parts.fragment = fragment.map(written).transpose()?;
        let is_empty = |part: &Option<String>| part.as_deref() == Some("");
        let is_dropped = match row.empty_query() {
            EmptyQuery::Dropped => true,
            EmptyQuery::DroppedAtEnd => parts.fragment.is_none(),
            EmptyQuery::AbsentBeforeFragment => fragment.is_some(),
            EmptyQuery::Kept | EmptyQuery::AbsentWithoutPath => false,
        };
        if is_empty(&parts.query) && is_dropped {
            parts.query = None;
        }
        if is_empty(&parts.fragment) && row.empty_fragment() == EmptyFragment::Dropped {
            parts.fragment = None;
        }
        Ok(())
    }
}

/// Returns the pairs of `query` that are not empty, without equals signs that a value does not follow.
fn pairs_written_anew(query: &str) -> Option<String> {
    let written = |pair: &str| match pair.split_once('=') {
        Some((key, "")) => key.to_owned(),
        Some((key, value)) => format!("{key}={}", value.replace('=', "%3D")),
        None => pair.to_owned(),
    };
    let pairs: Vec<String> = query.split('&').filter(|pair| !pair.is_empty()).map(written).collect();
    Some(pairs.join("&")).filter(|query| !query.is_empty())
}

/// Returns `fragment` with the tables of `components` applied: that of fragments and that of queries.
fn written_fragment(row: &Row, tables: &Tables, components: [Component; 2], fragment: &str) -> Stage<String> {
    let [own, queries] = components;
    let is_simple = !fragment.contains(['=', '/']);
    if is_simple || row.fragment_form() == FragmentForm::Fragment {
        return Ok(tables.apply(own, fragment)?);
    }
    let by_segment = |text: &str| -> Result<String, Rejected> {
        let segments: Result<Vec<_>, _> = text.split('/').map(|segment| tables.apply(own, segment)).collect();
        segments.map(|segments| segments.join("/"))
    };
    let (path, query) = fragment.split_once('?').unwrap_or(("", fragment));
    if !query.contains('=') {
        return Ok(by_segment(fragment)?);
    }
    let mark = if path.is_empty() { "" } else { "?" };
    Ok(format!("{}{mark}{}", by_segment(path)?, tables.apply(queries, query)?))
}
