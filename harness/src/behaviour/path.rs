//! The resolution of components: inheritance, merging of paths, and removal of dot segments.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::components::{Parts, cut, is_drive};
use super::drive::{self, Walked};
use super::scheme::after_bad_scheme;
use super::{
    BadScheme, BareHost, Base, BaseDot, BaseForm, BaseFragment, BasePath, BasePrefix, BaseQuery, Behaviour,
    DotdotRemoves, DotsBeforeQuery, DotsInNetworkPath, DotsInRootedPath, DotsRemoved, DriveEnd, DriveLetters,
    EmptyAuthority, EmptyQuery, EmptyReference, EmptyResult, EmptySegments, EncodedDots, Excess, Exit, FirstColon,
    FixedDrives, HostPlace, InheritedAuthority, InheritedDots, InheritedPath, InheritedUserinfo, LeadingDot,
    LeadingSlashes, MixedSlashes, ParamsOnly, QueryOnly, Root, RootlessBase, RootlessFirst, RootlessPath, Row,
    SchemeAlone, SlashlessBase, Stage, ThreeDots, TrailingDot, TrailingDotdot, UnknownRoot,
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
        let may_miss =
            || matches!(row.empty_authority(), EmptyAuthority::Missing | EmptyAuthority::MissingUnlessSlashes);
        let is_missing = |authority: &String| authority.is_empty() && may_miss();
        if let Some(authority) = new.authority.as_ref().filter(|authority| !is_missing(authority)) {
            let authority = Some(with_inherited(row, authority, old.authority.as_deref()));
            let prefix = old.prefix.filter(|_| row.base_prefix() == BasePrefix::ThroughSlashes).map(|prefix| {
                match prefix.split_once("//").filter(|(before, _)| !before.contains('/')) {
                    Some((before, _)) => before.to_owned(),
                    None => prefix + &old.path,
                }
            });
            let walked = match row.dots_in_network_path() {
                DotsInNetworkPath::Removed => walk(row, &new.path, 0),
                DotsInNetworkPath::RemovedAfterScheme if has_scheme => walk(row, &new.path, 0),
                DotsInNetworkPath::RemovedWithSlash => {
                    let (trailing_dot, trailing_dotdot) = (TrailingDot::TakesSlash, TrailingDotdot::TakesSlashOrRoot);
                    walk(&Row { trailing_dot, trailing_dotdot, ..*row }, &new.path, 0)
                }
                DotsInNetworkPath::RemovedAfterAnySlash => walk(row, &new.path, 0),
                DotsInNetworkPath::Kept | DotsInNetworkPath::RemovedAfterScheme => {
                    drive::unwalked(row, new.path.clone())
                }
            };
            let (mut query, mut fragment) = (new.query, new.fragment);
            if new.path.is_empty() && row.dots_in_network_path() == DotsInNetworkPath::RemovedAfterAnySlash {
                let is_in_query = query.as_ref().is_some_and(|query| query.contains('/'));
                let part = if is_in_query { &mut query } else { &mut fragment };
                *part = part.take().map(|part| without_dots_after_slash(row, &part));
            }
            let authority = walked.authority(authority);
            return Ok(Parts { authority, prefix, path: walked.path, query, fragment, ..new });
        }
        let (first, follows) = cut(new.written_path.strip_prefix('/').unwrap_or(&new.written_path), &['/']);
        if first.contains(':') && follows.is_some() && row.first_colon() == FirstColon::Rejected {
            return Err(Exit::Rejected);
        }
        if old.authority.as_ref().is_some_and(|authority| authority.contains('@'))
            && row.inherited_userinfo() == InheritedUserinfo::NotInherited
        {
            old.authority = old.authority.map(without_userinfo);
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
        if is_pathless && new.params.is_none() {
            let is_empty = new.query.is_none();
            let keeps_path = if is_empty {
                match row.empty_reference() {
                    EmptyReference::Base => true,
                    EmptyReference::BaseIfFragment => new.fragment.is_some(),
                    EmptyReference::LastPartCut | EmptyReference::Directory => false,
                }
            } else {
                row.query_only() == QueryOnly::KeepsLastSegment
            };
            if keeps_path {
                let removed = match row.inherited_dots() {
                    InheritedDots::Kept => false,
                    InheritedDots::Removed => true,
                    InheritedDots::RemovedUnderQuery => !is_empty,
                    InheritedDots::RemovedUnlessEmpty => !rest.is_empty(),
                };
                if row.inherited_path() == InheritedPath::AsWritten && !old.opaque {
                    old.path = std::mem::take(&mut old.written_path);
                }
                if removed && !old.opaque {
                    old.path = without_dots(row, &old.path);
                }
                if row.base_form() != BaseForm::Parsed {
                    old.authority = drive::unwalked(row, old.path.clone()).authority(old.authority);
                }
                let whole = match row.base_fragment() {
                    BaseFragment::Inherited => rest.is_empty(),
                    BaseFragment::InheritedIfAbsent => is_empty && new.fragment.as_deref().is_none_or(str::is_empty),
                    BaseFragment::InheritedWithPath => new.fragment.is_none(),
                    BaseFragment::NotInherited => false,
                };
                let fragment =
                    if whole { new.fragment.filter(|it| !it.is_empty()).or(old.fragment.take()) } else { new.fragment };
                let inherits = is_empty && row.base_query() == BaseQuery::Inherited;
                let query = if inherits { old.query.take() } else { new.query };
                return Ok(Parts { query, fragment, ..old });
            }
        }
        if new.params.is_some() && is_pathless && row.params_only() == ParamsOnly::KeepsPath {
            return Ok(Parts { authority: old.authority, prefix: old.prefix, path: old.path, ..new });
        }
        let is_bad = self.syntax.bad_scheme() == BadScheme::Dropped && !has_scheme;
        if is_bad && after_bad_scheme(rest).is_some_and(|rest| rest.starts_with('/')) {
            let slash = if old.authority.is_some() { "/" } else { "" };
            return Ok(Parts { authority: old.authority, path: format!("{slash}{}", new.path), ..new });
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
            let (path, inherited) = drive::with_inherited(row, &old, &new.path, rest);
            let walked = match row.dots_in_rooted_path() {
                DotsInRootedPath::Removed => walk(row, &path, inherited),
                DotsInRootedPath::RemovedIfInner if ["/./", "/../"].iter().any(|dots| path.contains(dots)) => {
                    walk(row, &path, inherited)
                }
                DotsInRootedPath::Kept | DotsInRootedPath::RemovedIfInner => drive::unwalked(row, path.into_owned()),
            };
            let drops = old.authority.is_none()
                && !old.path.starts_with('/')
                && row.rootless_base() == RootlessBase::DropsSlash;
            match walked.path.strip_prefix('/').filter(|_| drops) {
                Some(rootless) => rootless.to_owned().into(),
                None => walked,
            }
        } else if drive::begins(row, rest) {
            drive::alone(row, &new)
        } else if let Some((path, inherited)) = drive::extended(row, &old, &new.path, dots) {
            walk(row, &path, inherited)
        } else {
            if self.syntax.bad_scheme() == BadScheme::Dropped && base.scheme.is_none() && old.authority.is_none() {
                old.path = after_bad_scheme(&old.path).unwrap_or(&old.path).to_owned();
            }
            merge(row, &old, &new)
        };
        let is_root = new.path.starts_with('/') && base.raw.is_empty();
        if is_root && row.unknown_root() == UnknownRoot::Undefined {
            old.prefix = Some("undefined".to_owned());
        }
        let keeps_host = || row.drive_letters() == DriveLetters::RootsWithoutOwnHost && !drive::begins(row, rest);
        let walked = Walked { drops_host: walked.drops_host && !keeps_host(), ..walked };
        Ok(Parts { authority: walked.authority(old.authority), prefix: old.prefix, path: walked.path, ..new })
    }
}

/// Returns `row`, but so that a dot segment at the end of the path of `parts` is kept if a query or fragment follows it.
pub(super) fn with_last_dots_kept(row: &Row, parts: &Parts) -> Row {
    let follows = parts.query.is_some() || parts.fragment.is_some();
    match follows {
        true if row.dots_before_query() == DotsBeforeQuery::Kept => {
            Row { trailing_dot: TrailingDot::Kept, trailing_dotdot: TrailingDotdot::Kept, ..*row }
        }
        _ => *row,
    }
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
        Some(userinfo) if !authority.contains('@') && row.inherited_authority() != InheritedAuthority::Port => {
            format!("{userinfo}@{out}")
        }
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
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Merges the path of a relative reference with the base's path.
fn merge(row: &Row, old: &Parts, new: &Parts) -> Walked {
    let path = &*new.path;
    if row.dots_removed() == DotsRemoved::Leading {
        return merged_by_leading_dots(row, &old.path, path).into();
    }
    if path.is_empty() {
        let cut = directory(&old.path);
        let keeps_dots = match new.query {
            Some(_) => row.query_only() == QueryOnly::DropsLastSegmentKeepsDots,
            None => row.empty_reference() == EmptyReference::Directory,
        };
        if keeps_dots {
            return cut.to_owned().into();
        }
    }
    let is_ignored = old.path.is_empty() || row.base_path() == BasePath::Ignored;
    if is_ignored && matches!(row.host(), HostPlace::SetApart | HostPlace::Dropped) {
        if old.authority.is_some() || old.prefix.is_some() {
            return match row.bare_host() {
                BareHost::SlashBeforeDots => merged_without_dots(row, &format!("/{path}"), 0),
                BareHost::SlashDotsKept => format!("/{path}").into(),
                BareHost::NoSlash => walk(row, path, 0),
                BareHost::PathDropped => String::new().into(),
                BareHost::SlashAfterDots => match without_dots(row, path) {
                    path if path.is_empty() => path.into(),
                    path => format!("/{path}").into(),
                },
            };
        }
        return match row.scheme_alone() {
            SchemeAlone::NoSlash => walk(row, path, 0),
            SchemeAlone::SlashDotsKept => format!("/{path}").into(),
            SchemeAlone::SlashBeforeDots => walk(row, &format!("/{path}"), 0),
        };
    }
    if !old.path.contains('/') {
        return match row.slashless_base() {
            SlashlessBase::Replaced => merged_without_dots(row, path, 0),
            SlashlessBase::ReplacedAfterSlash => merged_without_dots(row, &format!("/{path}"), 0),
            SlashlessBase::Extended => merged_without_dots(row, &format!("{}/{path}", old.path), 0),
            SlashlessBase::Appended => merged_without_dots(row, &format!("{}{path}", old.path), 0),
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
    let directory = if is_alone { &old.path } else { directory(&old.path) };
    let inherited = directory.matches('/').count() + usize::from(is_alone) - 1;
    merged_without_dots(row, &format!("{directory}{slash}{path}"), inherited)
}

/// Resolves `reference` as the path of a file: decodes it and joins it with `base` up to the last slash. Its fragment is
/// set apart.
pub(super) fn as_file(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (path, fragment) = reference.split_at(reference.find('#').unwrap_or(reference.len()));
    let path = percent_decode_str(path).decode_utf8_lossy();
    let joined = format!("{}{path}", directory(base));
    match base.is_empty() || path.starts_with('/') || directory(base).is_empty() {
        true => format!("{path}{fragment}"),
        false => format!("{}{fragment}", normalized_file(&joined)),
    }
}

/// Returns the path of a file without dot segments and empty segments.
fn normalized_file(joined: &str) -> String {
    let (root, body) = joined.strip_prefix('/').map_or(("", joined), |body| ("/", body));
    let mut segments: Vec<&str> = Vec::new();
    for segment in body.split('/').filter(|segment| !segment.is_empty()) {
        match segment {
            "." => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => drop(segments.pop()),
            ".." if !root.is_empty() => {}
            _ => segments.push(segment),
        }
    }
    let ends_in_slash = body.ends_with('/') || body.ends_with("/.") || body.ends_with("/..");
    let slash = if ends_in_slash && !segments.is_empty() { "/" } else { "" };
    match format!("{root}{}{slash}", segments.join("/")) {
        path if path.is_empty() => ".".to_owned(),
        path => path,
    }
}

/// Returns `path` without the dot segments at its start, and the number of those that have two dots. A dot segment at the
/// end may be kept.
fn without_leading_dots<'a>(row: &Row, path: &'a str) -> (&'a str, usize) {
    let (mut rest, mut parents) = (path, 0);
    loop {
        if row.trailing_dot() == TrailingDot::Kept && !rest.contains('/') {
            return (rest, parents);
        }
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match first {
            "." => {}
            ".." => parents += 1,
            _ => return (rest, parents),
        }
        rest = after;
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

/// Returns the number of dots of a dot segment.
pub(super) fn dots(row: &Row, segment: &str) -> Option<usize> {
    match segment {
        "." => Some(1),
        ".." => Some(2),
        "..." if row.three_dots() == ThreeDots::DotSegment => Some(1),
        _ if segment.len() > 6 || !segment.contains('%') || row.encoded_dots() != EncodedDots::DotSegment => None,
        _ => match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => Some(1),
            ".." => Some(2),
            _ => None,
        },
    }
}

/// Removes the dot segments of a path that was merged.
fn merged_without_dots(row: &Row, path: &str, inherited: usize) -> Walked {
    match row.empty_segments() {
        EmptySegments::InnerRemovedIfMerged => {
            walk(&Row { empty_segments: EmptySegments::InnerRemoved, ..*row }, path, inherited)
        }
        _ => walk(row, path, inherited),
    }
}

/// Removes the dot segments of `path`.
pub(super) fn without_dots(row: &Row, path: &str) -> String {
    walk(row, path, 0).path
}

/// Removes the dot segments of `path`, whose first `inherited` segments are the base's. Drive letters of a base that is
/// parsed are not examined again.
pub(super) fn walk(row: &Row, path: &str, inherited: usize) -> Walked {
    if path.is_empty() {
        return String::new().into();
    }
    let kept_dots = if inherited > 0 && row.base_dot() == BaseDot::Kept { inherited } else { 0 };
    let inherited = if inherited > 0 && row.base_form() == BaseForm::Parsed { inherited } else { 0 };
    let (is_rooted, body) = path.strip_prefix('/').map_or((false, path), |body| (true, body));
    if row.dots_removed() == DotsRemoved::Leading {
        let slash = if is_rooted { "/" } else { "" };
        return format!("{slash}{}", without_leading_dots(row, body).0).into();
    }
    let mut segments: Vec<&str> = body.split('/').collect();
    remove_empty(row, &mut segments, is_rooted);
    let ends_in_dot = segments.last().is_some_and(|last| dots(row, last) == Some(1));
    if ends_in_dot && row.trailing_dot() == TrailingDot::TakesSlash {
        while segments.len() > 1 && segments.last().is_some_and(|last| dots(row, last) == Some(1)) {
            segments.pop();
        }
        if segments == ["."] && is_rooted {
            return String::new().into();
        }
    }
    let segments_of_path = Vec::with_capacity(segments.len());
    let mut stack = Stack {
        row,
        rooted: is_rooted,
        lost_root: false,
        is_own: false,
        drops_host: false,
        segments: segments_of_path,
    };
    let count = segments.len();
    for (at, segment) in segments.into_iter().enumerate() {
        stack.is_own = at >= inherited;
        let is_last = at + 1 == count;
        match dots(row, segment) {
            Some(1) if at < kept_dots => stack.push(segment),
            Some(1) if at == 0 && !is_rooted && row.leading_dot() == LeadingDot::Kept => stack.push(segment),
            Some(1) if is_last && row.trailing_dot() == TrailingDot::LeavesOneSlash => stack.end(),
            Some(1) if is_last && row.trailing_dot() == TrailingDot::StaysAlone && stack.segments.is_empty() => {
                stack.push(segment);
            }
            Some(1) if is_last && row.trailing_dot() == TrailingDot::Kept => stack.push(segment),
            Some(1) if is_last => stack.push(""),
            Some(1) => {}
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::Kept => stack.push(segment),
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::TakesSlash => stack.parent(segment, false),
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::LeavesOneSlash => {
                stack.parent(segment, false);
                stack.end();
            }
            Some(_) if is_last && row.trailing_dotdot() == TrailingDotdot::TakesSlashOrRoot => {
                stack.parent(segment, false);
                stack.rooted &= !stack.segments.is_empty();
            }
            Some(_) => stack.parent(segment, is_last),
            None => stack.push(segment),
        }
    }
    stack.written()
}

fn remove_empty(row: &Row, segments: &mut Vec<&str>, is_rooted: bool) {
    let Some((last, inner)) = segments.split_last() else { return };
    let last = *last;
    if inner.iter().all(|segment| !segment.is_empty())
        || matches!(
            row.empty_segments(),
            EmptySegments::Kept | EmptySegments::InnerRemovedIfMerged | EmptySegments::LeadingRemoved
        )
    {
        return;
    }
    segments.pop();
    let keeps_first = row.empty_segments() == EmptySegments::InnerRemoved && !is_rooted;
    let first = keeps_first.then(|| segments.remove(0));
    segments.retain(|segment| !segment.is_empty());
    if let Some(first) = first {
        segments.insert(0, first);
    }
    segments.push(last);
}

/// Returns `path` without the dots at its start: one or two dots, and a slash if one follows, as often as possible.
fn without_dots_at_start(path: &str) -> &str {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("..").or(rest.strip_prefix('.')) {
        rest = after.strip_prefix('/').unwrap_or(after);
    }
    rest
}

/// The segments that remain.
struct Stack<'a> {
    row: &'a Row,
    rooted: bool,
    lost_root: bool,
    /// Whether the next segment is the reference's, not the base's.
    is_own: bool,
    /// Whether a drive letter removes the host.
    drops_host: bool,
    segments: Vec<Cow<'a, str>>,
}

impl<'a> Stack<'a> {
    fn push(&mut self, segment: &'a str) {
        let may_be_root =
            self.is_own && self.segments.is_empty() && (is_drive(segment) || segment.contains(drive::MARK));
        let is_first = may_be_root && self.row.drive_letters() != DriveLetters::Ordinary;
        if segment.contains(drive::MARK) && self.row.drive_end() == DriveEnd::RemovedToo {
            let parts = if is_first { drive::ended_by_mark(segment) } else { None };
            let (letter, rest) = parts.map_or((None, segment), |(letter, rest)| (Some(letter), rest));
            self.segments.extend(letter.map(Cow::Borrowed));
            self.segments.push(rest.replace(drive::MARK, "").into());
            return;
        }
        let is_root = is_first && is_drive(segment);
        self.drops_host |= is_root && drive::removes_host(self.row);
        self.segments.push(if is_root { format!("{}:", &segment[..1]).into() } else { segment.into() });
    }

    /// Adds a slash at the end unless there is one.
    fn end(&mut self) {
        if self.segments.last().is_some_and(|last| !last.is_empty()) {
            self.segments.push("".into());
        }
    }

    fn parent(&mut self, segment: &'a str, is_last: bool) {
        if self.top_may_go() {
            let stays = match self.row.rootless_first() {
                RootlessFirst::Stays => !is_last,
                RootlessFirst::AlwaysStays => true,
                RootlessFirst::LeavesSlash | RootlessFirst::LeavesNothing | RootlessFirst::StaysAlone => false,
            };
            if self.segments.len() == 1 && !self.rooted && self.row.rootless_first() == RootlessFirst::StaysAlone {
                if is_last {
                    self.segments.push("".into());
                }
                return;
            }
            if self.segments.len() == 1 && !self.rooted && stays {
                self.segments.push(segment.into());
                return;
            }
            self.segments.pop();
            if self.segments.is_empty() && !self.rooted && self.row.rootless_first() == RootlessFirst::LeavesSlash {
                self.rooted = true;
            }
            if is_last {
                self.segments.push("".into());
            }
            return;
        }
        let is_kept = match self.row.excess() {
            Excess::Kept => true,
            Excess::KeptInRootless => !self.rooted,
            Excess::KeptAtEnd => is_last,
            Excess::Dropped => false,
        };
        if self.segments.is_empty() && self.rooted && self.row.root() != Root::Fixed {
            self.rooted = false;
            self.lost_root = true;
            if is_last {
                self.segments.push("".into());
            }
        } else if is_kept {
            self.segments.push(segment.into());
        } else if is_last {
            self.segments.push("".into());
        }
    }

    fn top_may_go(&self) -> bool {
        let count = self.segments.len();
        let Some(top) = self.segments.last() else { return false };
        let is_fixed = self.row.fixed_drives() == FixedDrives::All && drive::starts(top);
        if is_fixed || count == 1 && drive::is_protected(self.row, top) {
            return false;
        }
        match self.row.dotdot_removes() {
            DotdotRemoves::Any => true,
            DotdotRemoves::NotDotdot => top != "..",
            DotdotRemoves::Named => {
                let slash_before = self.rooted || count > 1;
                !top.is_empty() && top != ".." && slash_before && (count < 2 || !self.segments[count - 2].is_empty())
            }
        }
    }

    fn written(mut self) -> Walked {
        if self.row.empty_segments() == EmptySegments::LeadingRemoved {
            let last = self.segments.len().saturating_sub(1);
            let empty = self.segments.iter().take(last).take_while(|segment| segment.is_empty()).count();
            self.segments.drain(..empty);
        }
        let mut path = self.segments.join("/");
        if !self.rooted && self.row.leading_dot() == LeadingDot::DotsRemoved {
            path = without_dots_at_start(&path).to_owned();
        }
        let has_slash = self.rooted
            || self.row.rootless_path() == RootlessPath::Slash
            || self.lost_root && self.row.root() == Root::Removable && !path.starts_with('/')
            || path.is_empty() && self.row.empty_result() == EmptyResult::Slash;
        if path.is_empty() && !has_slash {
            path = match self.row.empty_result() {
                EmptyResult::DotSlash => "./".to_owned(),
                EmptyResult::Dot => ".".to_owned(),
                EmptyResult::Empty | EmptyResult::Slash => path,
            };
        }
        Walked { path: if has_slash { format!("/{path}") } else { path }, drops_host: self.drops_host }
    }
}
