//! The result of a resolution, joined from its components.

use super::components::{Parts, is_drive};
use super::path::without_dots;
use super::{
    AuthorityAlone, Behaviour, ColonInFirst, DotsInResult, DriveLetters, EmptyFragment, EmptyPath, EmptyQuery, Exit,
    HostAndPath, Row, SchemeCase, SlashBeforeQuery, Stage, TwoSlashes, WrittenEmptyAuthority,
};

impl Behaviour {
    /// Joins the components. `is_inherited` means that the scheme is the base's.
    pub(super) fn write(&self, row: &Row, scheme: Option<&str>, is_inherited: bool, parts: Parts) -> Stage<String> {
        let mut out = String::new();
        if let Some(scheme) = scheme {
            let is_lower = match row.scheme_case {
                SchemeCase::Kept => false,
                SchemeCase::Lower => true,
                SchemeCase::LowerIfInherited => is_inherited,
            };
            if is_lower {
                out.push_str(&scheme.to_ascii_lowercase());
            } else {
                out.push_str(scheme);
            }
            out.push(':');
        }
        let mut path = parts.path;
        let is_bare = path.is_empty();
        match written_authority(row, parts.authority, scheme, parts.opaque, &path) {
            Some(authority) => {
                out.push_str(&parts.prefix.unwrap_or_default());
                let has_colon = scheme.is_none() && row.authority_alone == AuthorityAlone::ColonAndSlashes;
                out.push_str(if has_colon { "://" } else { "//" });
                out.push_str(&authority);
                if row.host_and_path == HostAndPath::Slash && !is_bare && !path.starts_with('/') {
                    out.push('/');
                }
                let follows = parts.params.is_some() || parts.query.is_some();
                let is_slash = match row.empty_path {
                    EmptyPath::Nothing => row.slash_before_query == SlashBeforeQuery::Supplied && follows,
                    EmptyPath::Slash => true,
                    EmptyPath::SlashBeforeQuery => follows,
                };
                if is_bare && is_slash {
                    out.push('/');
                }
            }
            None if parts.prefix.is_some() => {
                out.push_str(&parts.prefix.unwrap_or_default());
                if row.host_and_path == HostAndPath::Slash && !is_bare && !path.starts_with('/') {
                    out.push('/');
                }
            }
            None if path.starts_with("//") => match row.two_slashes {
                TwoSlashes::Plain => {}
                TwoSlashes::AfterDot => out.push_str("/."),
                TwoSlashes::Rejected => return Err(Exit::Rejected),
                TwoSlashes::AfterEmptyAuthority => out.push_str("//"),
                TwoSlashes::Encoded => path = format!("/%2F{}", &path[2..]),
                TwoSlashes::Collapsed => path = format!("/{}", path.trim_start_matches('/')),
            },
            None => {
                let first = path.split('/').next().unwrap_or_default();
                if scheme.is_none() && first.contains(':') && row.colon_in_first == ColonInFirst::AfterDot {
                    out.push_str("./");
                }
            }
        }
        out.push_str(&path);
        let mut push = |delimiter: char, part: Option<String>| {
            if let Some(part) = part {
                out.push(delimiter);
                out.push_str(&part);
            }
        };
        push(';', parts.params);
        push('?', parts.query.filter(|query| !(query.is_empty() && row.empty_query == EmptyQuery::NotWritten)));
        let hidden = |fragment: &String| fragment.is_empty() && row.empty_fragment == EmptyFragment::NotWritten;
        push('#', parts.fragment.filter(|fragment| !hidden(fragment)));
        if row.dots_in_result == DotsInResult::Removed {
            out = without_dots(row, &out);
        }
        Ok(out)
    }
}

/// Returns the authority that is written.
fn written_authority(
    row: &Row,
    authority: Option<String>,
    scheme: Option<&str>,
    is_opaque: bool,
    path: &str,
) -> Option<String> {
    let first = path.strip_prefix('/').and_then(|path| path.split('/').next());
    let drops_host = row.drive_letters == DriveLetters::RootsWithoutHost && first.is_some_and(is_drive);
    let given = authority.is_some();
    if let Some(authority) = authority.filter(|authority| !authority.is_empty() && !drops_host) {
        return Some(authority);
    }
    let may_add = scheme.is_some() && !is_opaque;
    let is_written = match row.written_empty_authority {
        WrittenEmptyAuthority::AsGiven => given,
        WrittenEmptyAuthority::Never => false,
        WrittenEmptyAuthority::Always => given || may_add,
        WrittenEmptyAuthority::WithRootedPath => given || may_add && path.starts_with('/'),
        WrittenEmptyAuthority::WithPath => given || may_add && !path.is_empty(),
        WrittenEmptyAuthority::OnlyBeforePath => given && !path.is_empty(),
        WrittenEmptyAuthority::OnlyBeforeRootedPath => may_add && path.starts_with('/'),
        WrittenEmptyAuthority::NeverWithScheme => given && scheme.is_none(),
    };
    is_written.then(String::new)
}
