//! The dot segments of `QUrl`.
//!
//! Read from `qdir.cpp`.

/// `qt_normalizePathSegments`. Without a segment that is removed, the path remains as it is.
pub(super) fn without_dots(path: &str, is_local: bool) -> String {
    let has_dots = path.split('/').any(|segment| matches!(segment, "." | ".."));
    let has_empty = is_local && path.contains("//");
    if !has_dots && !has_empty {
        return path.to_owned();
    }
    let root = usize::from(path.starts_with('/'));
    let mut out = path[..root].to_owned();
    let mut start = root;
    let mut rest = if is_local && root > 0 { path.trim_start_matches('/') } else { &path[root..] };
    while !rest.is_empty() {
        let slashes = rest.len() - rest.trim_start_matches('/').len();
        out += &rest[..if is_local { slashes.min(1) } else { slashes }];
        rest = &rest[slashes..];
        let (segment, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if !matches!(segment, "." | "..") {
            out += segment;
            rest = after;
            continue;
        }
        rest = after;
        if segment == ".." {
            if out.len() == start && is_local {
                out += "..";
                out += if rest.is_empty() { "" } else { "/" };
                rest = rest.strip_prefix('/').unwrap_or(rest);
                start = out.len();
                continue;
            }
            let before = out[start..].strip_suffix('/').unwrap_or(&out[start..]);
            let end = before.rfind('/').map_or(start, |at| start + at + 1);
            out.truncate(end);
        }
        if !rest.is_empty() && out[start..].ends_with('/') {
            out.truncate(out.len() - 1);
        }
        if out.len() == start {
            rest = rest.strip_prefix('/').unwrap_or(rest);
            if root == 0 {
                rest = rest.trim_start_matches('/');
            }
        }
    }
    if is_local && out.is_empty() { ".".to_owned() } else { out }
}

