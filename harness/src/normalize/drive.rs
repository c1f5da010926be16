//! Drive letters: the behaviour of the URL Standard, and quirks of engines.

use super::before::{Kind, Prepared, behind_scheme, cleaned, dots, is_merged};
use super::host::is_localhost;
use super::parts::{KEEP, MARK, authority_end, is_drive, scheme_of};
use super::{Normalization, Normalizations};

/// Changes base and reference so that the rules treat drive letters as the normalizations require. Returns whether the
/// authority may contain a mark; see [`MARK`].
pub(super) fn prepare(set: Normalizations, kind: Kind, prepared: &mut Prepared) -> bool {
    if kind == Kind::File && set.has(Normalization::LastDriveStays) {
        glue_to_last_drive(prepared);
    }
    if set.has(Normalization::DriveSegmentsStay) {
        keep_drive_segments(prepared);
    }
    // A host cannot contain the mark characters. If the input contains one, marks would be ambiguous.
    let authority = behind_scheme(&prepared.reference).strip_prefix("//").unwrap_or_default();
    let mistakable = authority[..authority_end(authority)].contains([MARK, KEEP]);
    let marks = kind == Kind::File && set.has(Normalization::DriveLetters) && !mistakable;
    if marks {
        mark_roots(set, prepared);
    }
    marks
}

impl Prepared {
    /// Returns the reference without its scheme, and whether the scheme is kept.
    fn rest(&self) -> (&str, bool) {
        let absolute = scheme_of(&self.reference).is_some() && !self.relative;
        (behind_scheme(&self.reference), absolute)
    }

    /// Returns the host and the path of the base, without query and fragment.
    fn base_parts(&self) -> (&str, &str) {
        let rest = behind_scheme(&self.base);
        let (host, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(authority_end(rest)),
            None => ("", rest),
        };
        (host, &path[..path.find(['?', '#']).unwrap_or(path.len())])
    }
}

/// Cleans a file reference and inserts a slash where a tab or newline after a drive letter ends the segment. Returns
/// `None` if `written`, the reference before cleaning, has no such character.
///
/// If the inserted slash precedes a dot segment, [`KEEP`] is inserted too, so that the rules do not remove the segment.
pub(super) fn ended_by_tab(set: Normalizations, base: &str, written: &str) -> Option<String> {
    let dropped = |c: char| matches!(c, '\t' | '\n' | '\r');
    if !(set.has(Normalization::TabEndsDrive) && set.has(Normalization::StripTabs) && written.contains(dropped)) {
        return None;
    }
    let mut clean = cleaned(set, written).into_owned();
    if scheme_of(&clean).or(scheme_of(base)).map(Kind::of) != Some(Kind::File) {
        return None;
    }
    let (path, depth) = below_root(&clean, base)?;
    let start = clean.len() - path.len();
    let at = drives_at_root(path, depth).map(|at| start + at).find(|at| {
        // Skip the characters of the input that are before `at` in the cleaned text. The next character must be a
        // dropped one.
        let mut left = clean[..*at].chars().count();
        let mut following = written.trim_start_matches(|c: char| c <= ' ').chars().skip_while(|c| {
            let within = left > 0;
            left -= usize::from(within && !dropped(*c));
            within
        });
        following.next().is_some_and(dropped)
    })?;
    let segment = clean[at..].split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let slash: &[char] = if dots(segment).is_some() { &['/', KEEP] } else { &['/'] };
    clean.insert_str(at, &String::from_iter(slash));
    Some(clean)
}

/// Iterates over the segments of `path` that begin with a drive letter at the root, and returns the position after each
/// drive letter. `depth` segments precede `path`.
///
/// Segments that are exactly a drive letter are skipped. They end the iteration, because dot segments do not remove
/// them.
fn drives_at_root(path: &str, mut depth: usize) -> impl Iterator<Item = usize> {
    let slash = ['/', '\\'];
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let mut at = 0;
    let mut segments = path[..end].split(slash);
    std::iter::from_fn(move || {
        for segment in segments.by_ref() {
            let start = at;
            at += segment.len() + 1;
            match dots(segment) {
                Some(1) => continue,
                Some(_) => depth = depth.saturating_sub(1),
                None => depth += 1,
            }
            let drive = segment.get(..2).filter(|drive| is_drive(drive) && drive.ends_with(':'));
            if depth == 1 && drive.is_some() {
                if segment.len() > 2 {
                    return Some(start + 2);
                }
                // Later segments are always below this drive letter.
                depth = usize::MAX / 2;
            }
        }
        None
    })
}

/// Returns the path of a file reference without the slash at its root, and the number of the base's segments that
/// precede it.
///
/// Returns `None` if the reference inherits a drive letter from the base, or if it has an authority with an empty host
/// or `localhost`.
fn below_root<'a>(reference: &'a str, base: &str) -> Option<(&'a str, usize)> {
    let slash = ['/', '\\'];
    let base_path = scheme_of(base).filter(|scheme| Kind::of(scheme) == Kind::File).and_then(|_| {
        let after = behind_scheme(base).strip_prefix("//")?;
        let path = &after[authority_end(after)..];
        Some(&path[..path.find(['?', '#']).unwrap_or(path.len())])
    });
    let behind_drive = base_path.is_some_and(|path| path.split('/').nth(1).is_some_and(is_drive));
    let rest = behind_scheme(reference);
    let Some(after) = rest.strip_prefix(slash) else {
        let depth = base_path.map_or(0, |path| path.matches('/').count().saturating_sub(1));
        return Some((rest, depth)).filter(|_| !behind_drive);
    };
    let Some(authority) = after.strip_prefix(slash) else { return Some((after, 0)).filter(|_| !behind_drive) };
    let (host, path) = authority.split_at(authority.find(['/', '\\', '?', '#'])?);
    let path = path.strip_prefix(slash).filter(|_| !host.is_empty() && host != "localhost")?;
    Some((path, 0))
}

fn glue_to_last_drive(prepared: &mut Prepared) {
    let (rest, absolute) = prepared.rest();
    let (_, path) = prepared.base_parts();
    let last = path.rsplit('/').next().unwrap_or_default();
    let kept = is_drive(last) && last.ends_with(':') && path.len() > 3;
    if absolute || !kept || !is_merged(rest) || starts_with_drive(rest).is_some() {
        return;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (first, tail) = rest.split_at(end);
    let glued = match first {
        ".." if !tail.starts_with('/') => format!("./{last}{tail}"),
        "." | ".." => format!("./{last}/{}", tail.strip_prefix('/').unwrap_or(tail)),
        _ => format!("./{last}{rest}"),
    };
    let scheme = &prepared.reference[..prepared.reference.len() - rest.len()];
    prepared.reference = format!("{scheme}{glued}");
}

/// Replaces each `..` after a drive letter with `.`, so that it does not remove the drive letter.
fn keep_drive_segments(prepared: &mut Prepared) {
    let (rest, absolute) = prepared.rest();
    let start = match rest.strip_prefix("//") {
        Some(after) => 2 + authority_end(after),
        None => 0,
    };
    let path = &rest[start..];
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    if !path.contains("..") {
        return;
    }
    let mut above: Vec<&str> = Vec::new();
    if !absolute && is_merged(rest) {
        let (_, base) = prepared.base_parts();
        let directory = base.rsplit_once('/').map_or("", |(directory, _)| directory);
        above.extend(directory.split('/').skip(1));
    }
    let mut kept: Vec<&str> = Vec::new();
    for (index, segment) in path.split('/').enumerate() {
        let mut written = segment;
        match segment {
            "" if index == 0 => {}
            "." => {}
            ".." if above.last().is_some_and(|last| starts_with_drive(last).is_some()) => written = ".",
            ".." => {
                above.pop();
            }
            _ => above.push(segment),
        }
        kept.push(written);
    }
    let kept = kept.join("/");
    let before = prepared.reference.len() - rest.len() + start;
    prepared.reference = [&prepared.reference[..before], &kept, &prepared.reference[before + path.len()..]].concat();
}

/// Moves the drive letter of a file URL after a mark in the authority, so that dot segments cannot remove it.
fn mark_roots(set: Normalizations, prepared: &mut Prepared) {
    let base_is_file = scheme_of(&prepared.base).is_some_and(|scheme| Kind::of(scheme) == Kind::File);
    let has_authority = behind_scheme(&prepared.base).starts_with("//");
    let (base_host, base_path) = if base_is_file && has_authority { prepared.base_parts() } else { ("", "") };
    let base_drive = base_path.strip_prefix('/').and_then(starts_with_drive).filter(|drive| drive.ends_with(':'));
    let (rest, absolute) = prepared.rest();
    let rooted = rest.starts_with('/');
    let scheme = if absolute { "file:" } else { "" };
    let marked =
        |host: &str, mark: char, drive: &str, rest: &str| format!("{scheme}//{host}{mark}{}:{rest}", &drive[..1]);
    let drops = set.has(Normalization::DriveDropsHost) && !prepared.ended_by_tab;
    let own_host = if drops { "" } else { base_host };
    let host_after_dots = if drops && !set.has(Normalization::DriveAfterDots) { "" } else { base_host };
    let mark = if prepared.ended_by_tab { KEEP } else { MARK };
    let reference = if let Some(after) = rest.strip_prefix("//") {
        let (host, path) = after.split_at(authority_end(after));
        let empty_host = host.is_empty() || set.has(Normalization::FileLocalhost) && is_localhost(set, host);
        let hidden = empty_host && prepared.own_authority && set.has(Normalization::DriveAfterEmptyHost);
        let depth = usize::from(hidden);
        if is_drive(host) {
            Some(marked("", mark, host, path))
        } else {
            root_drive(path, depth).map(|(drive, path)| marked(host, mark, drive, path))
        }
    } else if let Some(path) = rest.strip_prefix('/') {
        match (starts_with_drive(path), base_drive) {
            (Some(drive), _) => Some(marked(own_host, KEEP, drive, &path[2..])),
            (None, Some(_)) => None,
            (None, None) => root_drive(rest, 0).map(|(drive, path)| marked(host_after_dots, KEEP, drive, path)),
        }
    } else if !is_merged(rest) {
        None
    } else if let Some(drive) = starts_with_drive(rest) {
        Some(marked(own_host, KEEP, drive, &rest[2..]))
    } else if base_drive.is_none() {
        let segments = base_path.matches('/').count();
        root_drive(rest, segments.saturating_sub(1)).map(|(drive, path)| marked(host_after_dots, KEEP, drive, path))
    } else {
        None
    };
    let base = base_drive.map(|drive| {
        let tail = behind_scheme(&prepared.base);
        let tail = &tail[2 + base_host.len() + 3..];
        let host = if rooted { own_host } else { base_host };
        format!("file://{host}{KEEP}{drive}{tail}")
    });
    if let Some(base) = base {
        prepared.base = base;
    }
    if let Some(reference) = reference {
        prepared.reference = reference;
    }
}

/// Returns the first segment of `path` if it is a drive letter.
fn starts_with_drive(path: &str) -> Option<&str> {
    let drive = path.get(..2).filter(|drive| is_drive(drive))?;
    path[2..].chars().next().is_none_or(|next| matches!(next, '/' | '\\' | '?' | '#')).then_some(drive)
}

/// Returns the first segment of `path` that is a drive letter at the root, and the text after it. `depth` segments
/// precede `path`.
fn root_drive(path: &str, mut depth: usize) -> Option<(&str, &str)> {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let mut at = usize::from(path.starts_with('/'));
    while at <= end {
        let next = path[at..end].find('/').map_or(end, |slash| at + slash);
        match &path[at..next] {
            "." => {}
            ".." => depth = depth.saturating_sub(1),
            drive if depth == 0 && is_drive(drive) => return Some((drive, &path[next..])),
            _ => depth += 1,
        }
        at = next + 1;
    }
    None
}
