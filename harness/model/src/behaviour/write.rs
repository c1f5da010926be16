//! The result of a resolution, joined from its components.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use super::authority::user;
use super::components::{Parts, is_drive};
use super::dot_segments::without_dots;
use super::scheme::is_of_name;
use super::table::decoded;
use super::{
    AuthorityAlone, Behaviour, ColonInFirst, DotsInResult, DriveLetters, EmptyFragment, EmptyHost, EmptyPath,
    EncodedDots, Exit, HostAndPath, LeadingDots, MissingAuthority, RootlessColons, Row, SchemeCase, SchemeCharacters,
    SlashBeforeQuery, Stage, TwoSlashes, WrittenEmptyAuthority,
};

/// The characters that the name of a scheme cannot have (RFC 3986 §3.1).
const NOT_IN_SCHEME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'+').remove(b'-').remove(b'.');

impl Behaviour {
    /// Joins the components.
    pub(super) fn write(&self, row: &Row, scheme: Option<&str>, mut parts: Parts) -> Stage<String> {
        let mut out = String::new();
        if let Some(scheme) = scheme {
            let scheme = in_case(row, scheme);
            out.push_str(&written_scheme(row, &scheme)?);
            out.push(':');
        }
        let mut path = path_of(row, &mut parts)?;
        let is_bare = path.is_empty();
        let is_hostless = parts.authority.as_deref().is_none_or(str::is_empty) && scheme.is_some();
        if is_bare && is_hostless && row.missing_authority() == MissingAuthority::RejectedIfEmpty {
            return Err(Exit::Rejected);
        }
        let has_host = parts.authority.as_deref().is_some_and(has_host);
        if row.empty_host() == EmptyHost::RejectedInResult && !parts.opaque && !has_host {
            return Err(Exit::Rejected);
        }
        match written_authority(row, parts.authority.take(), scheme, parts.opaque, &path) {
            Some(authority) => {
                out.push_str(parts.prefix.as_deref().unwrap_or_default());
                push_authority(row, scheme, &authority, &mut out);
                out.push_str(before_path(row, &authority, &path, &parts));
            }
            None if parts.prefix.is_some() => {
                out.push_str(parts.prefix.as_deref().unwrap_or_default());
                if !is_bare && !path.starts_with('/') && row.host_and_path() == HostAndPath::Slash {
                    out.push('/');
                }
            }
            None if path.starts_with("//") => match row.two_slashes() {
                TwoSlashes::Plain => {}
                TwoSlashes::AfterDot | TwoSlashes::AfterDotAlways | TwoSlashes::AfterDotIfMerged => out.push_str("/."),
                TwoSlashes::Rejected => return Err(Exit::Rejected),
                TwoSlashes::AfterEmptyAuthority => out.push_str("//"),
                TwoSlashes::Collapsed => path = format!("/{}", path.trim_start_matches('/')),
            },
            None if is_bare => {
                let is_slash = match row.empty_path() {
                    EmptyPath::SlashWithoutHostToo => !parts.opaque,
                    EmptyPath::SlashBeforeOthersAlways => {
                        [&parts.params, &parts.query, &parts.fragment].iter().any(|part| part.is_some())
                    }
                    _ => false,
                };
                if is_slash {
                    out.push('/');
                }
            }
            None if scheme.is_some() => {}
            None => out.push_str(before_first_segment(row, &path)?),
        }
        out.push_str(match row.leading_dots() {
            LeadingDots::Kept => &path,
            LeadingDots::Removed => after_leading_dots(&path),
        });
        let mut push = |delimiter: char, part: Option<String>| {
            if let Some(part) = part {
                out.push(delimiter);
                out.push_str(&part);
            }
        };
        push(';', parts.params);
        push('?', parts.query);
        let hidden = |fragment: &String| fragment.is_empty() && row.empty_fragment() == EmptyFragment::NotWritten;
        push('#', parts.fragment.filter(|fragment| !hidden(fragment)));
        if row.dots_in_result() == DotsInResult::Removed {
            out = without_dots(row, &out);
        }
        Ok(out)
    }
}

/// Returns `scheme` in the case in which it is written.
fn in_case<'a>(row: &Row, scheme: &'a str) -> Cow<'a, str> {
    match scheme.contains(|c: char| c.is_ascii_uppercase()) && row.scheme_case() == SchemeCase::Lower {
        true => scheme.to_ascii_lowercase().into(),
        false => scheme.into(),
    }
}

/// Takes the path of `parts`, and returns it as it is written, before what precedes it is known.
fn path_of(row: &Row, parts: &mut Parts) -> Stage<String> {
    let mut path = std::mem::take(&mut parts.path);
    let are_decoded = || matches!(row.encoded_dots(), EncodedDots::DecodedLater | EncodedDots::DotSegmentLater);
    if path.contains("%2") && !parts.opaque && are_decoded() {
        path = path.replace("%2e", ".").replace("%2E", ".");
    }
    if first_segment(&path).is_some_and(is_drive) && row.drive_letters() == DriveLetters::Rejected {
        return Err(Exit::Rejected);
    }
    if path.contains(':') && !path.starts_with('/') && row.rootless_colons() == RootlessColons::EncodedLower {
        path = path.replace(':', "%3a");
    }
    let is_lone = path == "/" && parts.authority.as_deref().is_none_or(str::is_empty);
    if is_lone && row.empty_path() == EmptyPath::SlashOnlyAfterHost {
        path.clear();
    }
    Ok(path)
}

/// Appends `authority` to `out`, after the slashes or the text that begins it.
fn push_authority(row: &Row, scheme: Option<&str>, authority: &str, out: &mut String) {
    let alone = scheme.is_none().then(|| row.authority_alone());
    out.push_str(match alone {
        Some(AuthorityAlone::ColonAndSlashes) => "://",
        Some(AuthorityAlone::AfterHttp) if !authority.is_empty() => "http://",
        Some(AuthorityAlone::OnlyPort) => "",
        _ => "//",
    });
    out.push_str(if alone == Some(AuthorityAlone::OnlyPort) { port(authority) } else { authority });
}

/// Returns what is written between `authority` and `path` of `parts`.
fn before_path(row: &Row, authority: &str, path: &str, parts: &Parts) -> &'static str {
    if !path.is_empty() {
        let is_slash = !path.starts_with('/') && row.host_and_path() == HostAndPath::Slash;
        let is_dot =
            || authority.is_empty() && path.starts_with("//") && row.two_slashes() == TwoSlashes::AfterDotAlways;
        return if is_slash {
            "/"
        } else if is_dot() {
            "/."
        } else {
            ""
        };
    }
    let follows = parts.params.is_some() || parts.query.is_some();
    let is_slash = match row.empty_path() {
        EmptyPath::Nothing => row.slash_before_query() == SlashBeforeQuery::Supplied && follows,
        EmptyPath::Slash | EmptyPath::SlashWithoutHostToo => true,
        EmptyPath::SlashAfterHost | EmptyPath::SlashOnlyAfterHost => !authority.is_empty(),
        EmptyPath::SlashBeforeOthersAlways => follows || parts.fragment.is_some(),
        EmptyPath::SlashBeforeQueryOrFragment => !authority.is_empty() && (follows || parts.fragment.is_some()),
    };
    if is_slash { "/" } else { "" }
}

/// Returns what precedes `path`, which begins a text without a scheme, so that its first segment is not read as one.
fn before_first_segment(row: &Row, path: &str) -> Stage<&'static str> {
    let first = path.split('/').next().unwrap_or_default();
    if !first.contains(':') {
        return Ok("");
    }
    match row.colon_in_first() {
        ColonInFirst::Plain => Ok(""),
        ColonInFirst::AfterDot => Ok("./"),
        ColonInFirst::AfterDotUnlessFirst => Ok(if first.starts_with(':') { "" } else { "./" }),
        ColonInFirst::Rejected => Err(Exit::Rejected),
    }
}

/// Returns `scheme` with the characters encoded that a name cannot have.
fn written_scheme<'a>(row: &Row, scheme: &'a str) -> Stage<Cow<'a, str>> {
    if scheme.chars().all(is_of_name) {
        return Ok(scheme.into());
    }
    let is_malformed = || {
        let mut percents = scheme.match_indices('%');
        percents.any(|(at, _)| decoded(&scheme[at..]).is_none()) || percent_decode_str(scheme).decode_utf8().is_err()
    };
    Ok(match row.scheme_characters() {
        SchemeCharacters::Kept => scheme.into(),
        SchemeCharacters::Encoded => {
            let bytes: Vec<u8> = percent_decode_str(scheme).collect();
            percent_encode(&bytes, NOT_IN_SCHEME).to_string().into()
        }
        SchemeCharacters::EncodedLikeUser if is_malformed() => return Err(Exit::Rejected),
        SchemeCharacters::EncodedLikeUser => user::of_text(scheme).into(),
    })
}

/// Returns whether `authority` has a host that is not empty.
fn has_host(authority: &str) -> bool {
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    !server.is_empty() && !server.starts_with(':')
}

/// Returns the port of `authority` with its colon, if it consists of digits.
pub(super) fn port(authority: &str) -> &str {
    let server = authority.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_port = server.ends_with(':') && server.len() < authority.len();
    if has_port { &authority[server.len() - 1..] } else { "" }
}

/// Returns `path` without the dot segments after the slash at its start that a slash follows.
fn after_leading_dots(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = ["/./", "/../"].iter().find_map(|dots| path.strip_prefix(dots)) {
        path = &path[path.len() - rest.len() - 1..];
    }
    path
}

/// Returns the first segment of a path that begins with a slash.
fn first_segment(path: &str) -> Option<&str> {
    path.strip_prefix('/').and_then(|path| path.split('/').next())
}

/// Returns the authority that is written.
fn written_authority(
    row: &Row,
    authority: Option<String>,
    scheme: Option<&str>,
    is_opaque: bool,
    path: &str,
) -> Option<String> {
    let given = authority.is_some();
    if let Some(authority) = authority.filter(|authority| !authority.is_empty()) {
        return Some(authority);
    }
    let may_add = scheme.is_some() && !is_opaque;
    let is_written = match row.written_empty_authority() {
        WrittenEmptyAuthority::AsGiven => given,
        WrittenEmptyAuthority::Never => false,
        WrittenEmptyAuthority::Always => given || may_add,
        WrittenEmptyAuthority::WithRootedPath => given || may_add && path.starts_with('/'),
        WrittenEmptyAuthority::OnlyBeforeRootedPath => may_add && path.starts_with('/'),
        WrittenEmptyAuthority::BeforeSingleSlash => {
            given && scheme.is_some() && (path.is_empty() || path.starts_with('/') && !path.starts_with("//"))
        }
        WrittenEmptyAuthority::UnlessTwoSlashes => (given || may_add) && !path.starts_with("//"),
    };
    is_written.then(String::new)
}
