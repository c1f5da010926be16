//! The resolution of components: inheritance and merging of paths.

use super::components::{Parts, cut, with_suffix_in_prefix};
use super::dot_segments::{
    dots, inherited_without_dots, merged_without_dots, walk, without_dots, without_leading_dots,
};
use super::drive::{self, Walked};
use super::table::Component;
use super::write;
use super::{
    BackslashInPath, BareHost, Base, BaseDot, BaseForm, BaseFragment, BasePathTables, BasePrefix, BaseQuery, Behaviour,
    DotsBeforeQuery, DotsInNetworkPath, DotsInRootedPath, DotsRemoved, DriveLetters, EmptyAuthority, EmptyForm,
    EmptyQuery, EmptyReference, EmptyResult, EmptyUserinfo, EncodedDots, Exit, FirstColon, HostPlace,
    InheritedAuthority, InheritedDots, InheritedHost, InheritedPath, InheritedUserinfo, LeadingSlashes, Localhost,
    MixedSlashes, ParamsOnly, PathAfterAuthority, QueryOnly, Row, SchemeAlone, SlashlessBase, Stage, TrailingDot,
    TrailingDotdot, TwoSlashes, UnknownRoot,
};

impl Behaviour {
    /// Resolves the components `new` of a relative reference against the components `old` of the base. `rest` is the
    /// text of the reference, or the text after its scheme; `has_scheme` states which.
    pub(super) fn relative(
        &self,
        row: &Row,
        base: &Base<'_>,
        (rest, has_scheme): (&str, bool),
        mut old: Parts,
        new: Parts,
    ) -> Stage<Parts> {
        let row = &with_last_dots_kept(row, &new);
        let is_empty_query = new.query.as_deref() == Some("") && new.path.is_empty() && new.authority.is_none();
        let new = match is_empty_query {
            true if row.empty_query() == EmptyQuery::AbsentWithoutPath => Parts { query: None, ..new },
            _ => new,
        };
        if rest.starts_with('/') && row.leading_slashes() == LeadingSlashes::MatchingRun {
            return after_run(base.rest(), rest);
        }
        if new.authority.as_ref().is_some_and(|authority| !is_missing(row, rest, authority)) {
            return with_own_authority(row, has_scheme, old, new);
        }
        let (first, follows) = cut(new.written_path.strip_prefix('/').unwrap_or(&new.written_path), &['/']);
        if first.contains(':') && follows.is_some() && row.first_colon() == FirstColon::Rejected {
            return Err(Exit::Rejected);
        }
        old.authority = old.authority.map(|authority| inherited_authority(row, rest, authority));
        if old.path.is_empty() && !rest.is_empty() && row.base_prefix() == BasePrefix::AfterBackslashes {
            with_suffix_in_prefix(&mut old);
        }
        if row.mixed_slashes() == MixedSlashes::KeptAfterSlash
            && !has_scheme
            && let Some(path) = after_mixed_slashes(rest, &new.path)
        {
            return Ok(Parts { path: without_dots(row, &path), ..new });
        }
        let is_pathless = new.path.is_empty();
        // A path that begins with a question mark would be joined again without an end.
        let has_path = !old.path.is_empty() && !old.path.starts_with('?');
        if rest.starts_with('?') && has_path && row.query_only() == QueryOnly::ResolvedWithPath {
            let rest = format!("{}{rest}", old.path);
            let new = self.parts(row, &self.classes[base.class].reference, &rest, base.reference_role())?;
            return self.relative(row, base, (&rest, has_scheme), old, new);
        }
        if is_pathless && new.params.is_none() && keeps_path(row, &new) {
            return Ok(with_path_of_base(row, (rest, has_scheme), old, new));
        }
        if new.params.is_some() && is_pathless && row.params_only() == ParamsOnly::KeepsPath {
            return Ok(Parts { authority: old.authority, prefix: old.prefix, path: old.path, ..new });
        }
        if let Some(host) = &old.authority
            && row.host() == HostPlace::FirstSegment
        {
            let path = match new.path.starts_with('/') {
                true => without_dots(row, &new.path),
                false => {
                    let base = format!("{host}{}", old.path);
                    merged_without_dots(row, &format!("{}{}", directory(&base), new.path), 0).path
                }
            };
            let host = path.split('/').next().unwrap_or_default();
            return Ok(Parts { authority: Some(host.to_owned()), path: path[host.len()..].to_owned(), ..new });
        }
        let walked = if new.path.starts_with('/') {
            old.authority = drive::inherited_host(row, &old, rest);
            rooted(row, rest, &old, &new)
        } else if drive::begins(row, rest) {
            drive::alone(row, &new)
        } else if let Some((path, inherited)) = drive::extended(row, &old, &new.path, dots) {
            walk(row, &path, inherited)
        } else {
            if row.base_path_tables() == BasePathTables::Merged {
                let last = old.path.split_off(directory(&old.path).len());
                let is_rootless = old.authority.is_none() && !old.path.starts_with('/');
                let component = if is_rootless { Component::RootlessPath } else { Component::Path };
                old.path = self.classes[base.class].base.apply(component, &old.path)? + &last;
            }
            if !is_pathless
                && old.path.is_empty()
                && old.prefix.is_none()
                && row.scheme_alone() == SchemeAlone::Rejected
            {
                let has_authority = old.authority.as_ref().is_some_and(|authority| !is_missing(row, rest, authority));
                if !has_authority {
                    return Err(Exit::Rejected);
                }
            }
            match row.encoded_dots() {
                EncodedDots::DotSegmentLater => {
                    let merged = merge(&Row { encoded_dots: EncodedDots::Ordinary, ..*row }, &old, &new);
                    let drops_host = merged.drops_host;
                    Walked { drops_host, ..walk(row, &merged.path, 0) }
                }
                _ => after_dot(row, merge(row, &old, &new)),
            }
        };
        let is_root = new.path.starts_with('/') && base.raw.is_empty();
        if is_root && row.unknown_root() == UnknownRoot::Undefined {
            old.prefix = Some("undefined".to_owned());
        }
        let keeps_host = || row.drive_letters() == DriveLetters::RootsWithoutOwnHost && !drive::begins(row, rest);
        let walked = Walked { drops_host: walked.drops_host && !keeps_host(), ..walked };
        let walked = walked.accepted()?;
        Ok(Parts { authority: walked.authority(old.authority), prefix: old.prefix, path: walked.path, ..new })
    }
}

/// Returns the components of the result for a reference `new` with an authority, against the base `old`.
fn with_own_authority(row: &Row, has_scheme: bool, old: Parts, mut new: Parts) -> Stage<Parts> {
    let authority = new.authority.take().unwrap_or_default();
    let is_empty = authority.is_empty();
    let inherits = is_empty && row.empty_authority() == EmptyAuthority::HostInherited;
    let authority = match inherits {
        true => old.authority.clone(),
        false => Some(with_inherited(row, &authority, old.authority.as_deref())),
    };
    let prefix = old.prefix.filter(|_| row.base_prefix().is_through_slashes()).map(|prefix| {
        match prefix.split_once("//").filter(|(before, _)| !before.contains('/')) {
            Some((before, _)) => before.to_owned(),
            None => prefix + &old.path,
        }
    });
    let new = match new.path.is_empty() && row.path_after_authority() == PathAfterAuthority::Inherited {
        true => Parts { path: old.path, query: new.query.or(old.query), ..new },
        false => new,
    };
    let are_removed = match row.dots_in_network_path() {
        DotsInNetworkPath::Removed | DotsInNetworkPath::RemovedAfterAnySlash => true,
        DotsInNetworkPath::RemovedAfterScheme => has_scheme,
        DotsInNetworkPath::RemovedAfterHost => !is_empty,
        DotsInNetworkPath::Kept => false,
    };
    let walked = if are_removed { walk(row, &new.path, 0) } else { drive::unwalked(row, new.path.clone()) };
    let walked = walked.accepted()?;
    let (mut query, mut fragment) = (new.query, new.fragment);
    if new.path.is_empty() && row.dots_in_network_path() == DotsInNetworkPath::RemovedAfterAnySlash {
        let is_in_query = query.as_ref().is_some_and(|query| query.contains('/'));
        let part = if is_in_query { &mut query } else { &mut fragment };
        *part = part.take().map(|part| without_dots_after_slash(row, &part));
    }
    let authority = walked.authority(authority);
    Ok(Parts { authority, prefix, path: walked.path, query, fragment, ..new })
}

/// Returns whether `authority`, of the reference `rest`, is treated like an absent one.
fn is_missing(row: &Row, rest: &str, authority: &str) -> bool {
    // The host `localhost` may be written as an empty one.
    let is_named = rest.starts_with("//localhost") && row.localhost() == Localhost::Empty;
    match row.empty_authority() {
        _ if is_named => false,
        EmptyAuthority::Missing => authority.is_empty(),
        EmptyAuthority::MissingWithoutHost => authority.is_empty() || authority.ends_with('@'),
        _ => false,
    }
}

/// Returns the part of `authority`, that of the base, which the reference `rest` inherits.
fn inherited_authority(row: &Row, rest: &str, authority: String) -> String {
    let drops_userinfo = || match row.inherited_userinfo() {
        InheritedUserinfo::Inherited => false,
        InheritedUserinfo::NotInherited => true,
        InheritedUserinfo::NotInheritedUnlessEmpty => !rest.is_empty(),
    };
    let is_of_host = || authority.starts_with('@') && row.empty_userinfo() == EmptyUserinfo::PartOfHost;
    let authority = match authority.contains('@') && drops_userinfo() && !is_of_host() {
        true => without_userinfo(authority),
        false => authority,
    };
    let is_host = !authority.is_empty() && !rest.is_empty();
    match is_host && row.inherited_host() == InheritedHost::NotInherited {
        true => write::port(&authority).to_owned(),
        false => authority,
    }
}

/// Returns whether the path of the base is kept for `new`, which has neither a path nor parameters.
fn keeps_path(row: &Row, new: &Parts) -> bool {
    let is_empty = new.query.is_none();
    if is_empty {
        match row.empty_reference() {
            EmptyReference::Base => true,
            EmptyReference::BaseIfFragment => new.fragment.is_some(),
            EmptyReference::LastPartCut => false,
        }
    } else {
        row.query_only() == QueryOnly::KeepsLastSegment
    }
}

/// Returns the components of the result for a reference `new` that keeps the path of the base `old`.
fn with_path_of_base(row: &Row, (rest, has_scheme): (&str, bool), mut old: Parts, new: Parts) -> Parts {
    let is_empty = new.query.is_none();
    let removed = match row.inherited_dots() {
        InheritedDots::Kept => false,
        InheritedDots::Removed => true,
        InheritedDots::RemovedUnderQuery => !is_empty,
        InheritedDots::RemovedUnlessEmpty => !rest.is_empty(),
    };
    if row.inherited_path() == InheritedPath::AsWritten && !old.opaque {
        old.path = std::mem::take(&mut old.written_path);
    }
    if old.path.starts_with("//") && row.inherited_path() == InheritedPath::WithOneSlash {
        old.path = format!("/{}", old.path.trim_start_matches('/'));
    }
    if removed && !old.opaque {
        old.path = inherited_without_dots(row, &old.path);
    }
    if row.base_form() != BaseForm::Parsed {
        old.authority = drive::unwalked(row, old.path.clone()).authority(old.authority);
    }
    let is_excluded = has_scheme && row.empty_form() == EmptyForm::UnchangedWithoutScheme;
    let whole = match row.base_fragment() {
        BaseFragment::Inherited if is_excluded => false,
        BaseFragment::Inherited => rest.is_empty(),
        BaseFragment::InheritedIfAbsent => is_empty && new.fragment.as_deref().is_none_or(str::is_empty),
        BaseFragment::InheritedWithPath => new.fragment.is_none(),
        BaseFragment::NotInherited => false,
    };
    let fragment = if whole { new.fragment.filter(|it| !it.is_empty()).or(old.fragment.take()) } else { new.fragment };
    let inherits = is_empty
        && match row.base_query() {
            BaseQuery::Inherited => true,
            BaseQuery::InheritedIfEmpty => rest.is_empty() && !has_scheme,
            BaseQuery::NotInherited => false,
        };
    let query = if inherits { old.query.take() } else { new.query };
    Parts { query, fragment, ..old }
}

/// Returns the path of the result for a reference `new` whose path begins with a slash.
fn rooted(row: &Row, rest: &str, old: &Parts, new: &Parts) -> Walked {
    let (path, inherited) = drive::with_inherited(row, old, &new.path, rest);
    let are_removed = match row.dots_in_rooted_path() {
        DotsInRootedPath::Removed => true,
        DotsInRootedPath::Kept => false,
        DotsInRootedPath::RemovedIfInner => ["/./", "/../"].iter().any(|dots| path.contains(dots)),
    };
    let walked = if are_removed { walk(row, &path, inherited) } else { drive::unwalked(row, path.into_owned()) };
    let drops =
        old.authority.as_deref() == Some("") && old.path.is_empty() && row.bare_host() == BareHost::SlashAfterHost;
    match walked.path.strip_prefix('/').filter(|_| drops) {
        Some(rootless) => rootless.to_owned().into(),
        None => walked,
    }
}

/// Returns `row`, but so that a dot segment at the end of the path of `parts` is kept if a query or fragment follows it.
pub(super) fn with_last_dots_kept(row: &Row, parts: &Parts) -> Row {
    let mut row = *row;
    if (parts.query.is_some() || parts.fragment.is_some()) && row.dots_before_query() == DotsBeforeQuery::Kept {
        (row.trailing_dot, row.trailing_dotdot) = (TrailingDot::Kept, TrailingDotdot::Kept);
    }
    row
}

/// Returns `path`, which is that of `rest`, with the slashes and backslashes at its start as they are written, after a slash.
fn after_mixed_slashes(rest: &str, path: &str) -> Option<String> {
    let count = rest.len() - rest.trim_start_matches(['/', '\\']).len();
    let tail = path.get(count..).filter(|_| count > 1 && !rest.starts_with("//"))?;
    let slash = if rest.starts_with('/') { "" } else { "/" };
    Some(format!("{slash}{}{tail}", &rest[..count]))
}

/// Returns `part`, a query or fragment, without dot segments after its first slash and before a question mark or number
/// sign.
fn without_dots_after_slash(row: &Row, part: &str) -> String {
    let Some(slash) = part.find('/') else { return part.to_owned() };
    let end = part[slash..].find(['?', '#']).map_or(part.len(), |at| slash + at);
    format!("{}{}{}", &part[..slash], without_dots(row, &part[slash..end]), &part[end..])
}

/// Returns `authority` without its userinfo.
fn without_userinfo(authority: String) -> String {
    authority.rsplit_once('@').map_or(authority.clone(), |(_, server)| server.to_owned())
}

/// Returns `authority` with the parts that it inherits from the base's.
fn with_inherited(row: &Row, authority: &str, old: Option<&str>) -> String {
    let Some(old) = old.filter(|_| row.inherited_authority() != InheritedAuthority::None) else {
        return authority.to_owned();
    };
    let (userinfo, server) = old.rsplit_once('@').map_or((None, old), |(userinfo, server)| (Some(userinfo), server));
    let port = server.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| !port.contains(['@', ']']));
    let mut out = authority.to_owned();
    if let Some(port) = port.filter(|_| !has_port && row.inherited_authority() != InheritedAuthority::Userinfo) {
        out = format!("{out}:{port}");
    }
    match userinfo {
        Some(userinfo) if !authority.contains('@') => format!("{userinfo}@{out}"),
        _ => out,
    }
}

/// Resolves a reference that begins with slashes by the second rule of RFC 1630: its slashes select the first run of
/// equally many slashes in the base that a longer run does not follow.
fn after_run(base: &str, rest: &str) -> Stage<Parts> {
    let end = base.find(['?', '#']).unwrap_or(base.len());
    let base = &base[..end];
    let length = rest.len() - rest.trim_start_matches('/').len();
    let mut found = None;
    let mut before = base.len();
    while let Some(last) = base[..before].rfind('/') {
        let start =
            base[..last].rfind(|c| c != '/').map_or(0, |at| at + base[at..].chars().next().map_or(1, char::len_utf8));
        let run = last + 1 - start;
        if run > length {
            break;
        }
        if run == length {
            found = Some(start);
        }
        before = start;
    }
    let at = found.ok_or(Exit::Rejected)?;
    let (path, fragment) = rest.split_once('#').map_or((rest, None), |(path, fragment)| (path, Some(fragment)));
    let fragment = fragment.filter(|fragment| !fragment.is_empty()).map(str::to_owned);
    Ok(Parts { path: format!("{}{path}", &base[..at]), fragment, ..Parts::default() })
}

/// Returns the base's path up to its last slash.
pub(super) fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Returns the merged path `walked`, after `/.` if it begins with two slashes.
fn after_dot(row: &Row, walked: Walked) -> Walked {
    match walked.path.starts_with("//") && row.two_slashes() == TwoSlashes::AfterDotIfMerged {
        true => Walked { path: format!("/.{}", walked.path), ..walked },
        false => walked,
    }
}

/// Merges the path of a relative reference with the base's path.
fn merge(row: &Row, old: &Parts, new: &Parts) -> Walked {
    let path = &*new.path;
    if row.dots_removed() == DotsRemoved::Leading {
        return merged_by_leading_dots(row, &old.path, path).into();
    }
    if old.path.is_empty() && matches!(row.host(), HostPlace::SetApart | HostPlace::Dropped) {
        return match old.authority.is_some() || old.prefix.is_some() {
            true => merged_with_bare_host(row, path, old.has_host()),
            false => match row.scheme_alone() {
                SchemeAlone::NoSlash | SchemeAlone::Rejected => walk(row, path, 0),
                SchemeAlone::SlashDotsKept => format!("/{path}").into(),
                SchemeAlone::SlashBeforeDots => walk(row, &format!("/{path}"), 0),
            },
        };
    }
    if !old.path.contains('/') {
        let is_nothing = path.is_empty() && new.params.is_some();
        return match row.slashless_base() {
            SlashlessBase::Replaced if is_nothing && row.empty_result() == EmptyResult::Slash => "/".to_owned().into(),
            SlashlessBase::Replaced => merged_without_dots(row, path, 0),
            SlashlessBase::ReplacedAfterSlash => merged_without_dots(row, &format!("/{path}"), 0),
            SlashlessBase::Appended => merged_without_dots(row, &format!("{}{path}", old.path), 0),
            SlashlessBase::ReplacedByDot => merged_without_dots(row, &format!("./{path}"), 0),
            SlashlessBase::ReplacedDotsKept => path.to_owned().into(),
            SlashlessBase::LastCharacterReplaced => {
                let mut kept = old.path.chars();
                kept.next_back();
                merged_without_dots(row, &format!("{}/{path}", kept.as_str()), 0)
            }
        };
    }
    let is_alone = drive::is_root(row, &old.path);
    let slash = if is_alone { "/" } else { "" };
    let ends_in_backslash = old.path.contains('\\') && row.backslash_in_path() == BackslashInPath::EndsDotSegment;
    if ends_in_backslash && !is_alone {
        let end = old.path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let directory = &old.path[..end];
        let inherited = directory.matches('/').count() - 1;
        return merged_without_dots(row, &format!("{directory}{path}"), inherited);
    }
    let directory = if is_alone { &old.path } else { directory(&old.path) };
    if row.base_dot() == BaseDot::RemovedFirst && !is_alone {
        let removed = without_dots(row, directory.strip_suffix('/').unwrap_or(directory));
        return merged_without_dots(row, &format!("{removed}/{path}"), 0);
    }
    let inherited = directory.matches('/').count() + usize::from(is_alone) - 1;
    merged_without_dots(row, &format!("{directory}{slash}{path}"), inherited)
}

/// Merges `path` with a base that has an authority and no path. `has_host` states whether the authority is not empty.
fn merged_with_bare_host(row: &Row, path: &str, has_host: bool) -> Walked {
    match row.bare_host() {
        BareHost::SlashAfterHost if !has_host => walk(row, path, 0),
        BareHost::SlashAfterHostElseRejected if !has_host => {
            let walked = walk(row, path, 0);
            Walked { is_rejected: !walked.path.is_empty(), ..walked }
        }
        BareHost::SlashBeforeDots | BareHost::SlashAfterHost | BareHost::SlashAfterHostElseRejected => {
            merged_without_dots(row, &format!("/{path}"), 0)
        }
        BareHost::SlashDotsKept => format!("/{path}").into(),
        BareHost::NoSlash => walk(row, path, 0),
        BareHost::DotSlash => walk(row, &format!("./{path}"), 0),
        BareHost::PathDropped => String::new().into(),
        BareHost::SlashAfterDots => match without_dots(row, path) {
            path if path.is_empty() => path.into(),
            path => format!("/{path}").into(),
        },
    }
}

/// Merges `path` with the base's path and removes only the dot segments at the start of `path`.
fn merged_by_leading_dots(row: &Row, base: &str, path: &str) -> String {
    let (rest, parents) = without_leading_dots(row, path);
    let mut kept = directory(base);
    for _ in 0..parents {
        let parent = directory(kept.strip_suffix('/').unwrap_or(kept));
        kept = if parent.is_empty() && kept.starts_with('/') { "/" } else { parent };
    }
    format!("{kept}{rest}")
}
