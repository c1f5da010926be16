//! The resolution of references by the text of the base, whose components are not split off.

/// Joins `reference`, which is relative, with the text of `base`. The path of the base begins with the first slash after its
/// colon and host, and it extends to the end of the base without its fragment. Returns `None` for a base without a colon.
pub(super) fn joined(base: &str, reference: &str) -> Option<String> {
    let base = match base.find('#') {
        Some(at) if at > 0 => &base[..at],
        _ => base,
    };
    if reference.is_empty() {
        return base.contains(':').then(|| base.to_owned());
    }
    if reference.starts_with('?') {
        let end = base.find('?').filter(|&at| at > 0).unwrap_or(base.len());
        return Some(format!("{}{reference}", &base[..end]));
    }
    if reference.starts_with('#') {
        return Some(format!("{base}{reference}"));
    }
    let colon = if base.is_empty() { reference.find(':')? } else { base.find(':')? };
    if base.is_empty() {
        return Some(format!("{}{}", &reference[..=colon], without_dots(&reference[colon + 1..])));
    }
    // A colon after a slash is searched as well.
    let after = reference.find(':').map_or(0, |at| at + 1);
    let own = format!("{}{}", &reference[..after], without_dots(&reference[after..]));
    let (scheme, rest) = base.split_at(colon + 1);
    if reference.starts_with("//") {
        return Some(format!("{scheme}{own}"));
    }
    let host = if rest.starts_with("//") { 2 } else { 0 };
    let Some(root) = rest[host..].find('/').map(|at| host + at) else {
        return Some(if rest.len() > host && host > 0 { format!("{base}/{own}") } else { format!("{scheme}{own}") });
    };
    let (host, path) = rest.split_at(root);
    if reference.starts_with('/') {
        return Some(format!("{scheme}{host}{}", path_without_dots(reference)));
    }
    let directory = &path[..=path.rfind('/').unwrap_or(0)];
    let mut after_dot = reference.strip_prefix('.').unwrap_or_default().chars();
    let is_name = directory.len() < path.len() && !matches!(after_dot.next(), None | Some('.' | '/'));
    let reference = if is_name && after_dot.next().is_some() { &reference[1..] } else { reference };
    Some(format!("{scheme}{host}{}", path_without_dots(&format!("{directory}{reference}"))))
}

/// Joins `reference` with the text of `base` and replaces dot segments in the joined text. Returns `reference` if the base
/// does not have a colon.
pub(super) fn joined_by_replacement(base: &str, reference: &str) -> String {
    let base = match base.find('#') {
        Some(at) if at > 0 => &base[..at],
        _ => base,
    };
    if reference.is_empty() || reference.starts_with('#') {
        return format!("{base}{reference}");
    }
    let Some(colon) = base.find(':') else { return reference.to_owned() };
    let (scheme, rest) = base.split_at(colon + 1);
    if reference.starts_with("//") {
        return format!("{scheme}{reference}");
    }
    let host = if rest.starts_with("//") { 2 } else { 0 };
    let Some(root) = rest[host..].find('/').map(|at| host + at) else {
        let start = if rest.len() > host { format!("{base}/") } else { scheme.to_owned() };
        return format!("{start}{reference}");
    };
    let (host, path) = rest.split_at(root);
    if reference.starts_with('/') {
        return format!("{scheme}{host}{reference}");
    }
    let path = format!("{}{reference}", &path[..=path.rfind('/').unwrap_or(0)]);
    let (mut out, mut rest) = (String::with_capacity(path.len()), &*path);
    loop {
        if out.ends_with('/') && rest.starts_with("../") {
            out.pop();
            out.truncate(out.rfind('/').map_or(0, |slash| slash + 1));
            rest = &rest["../".len()..];
        } else if let Some(at) = rest.find("/../") {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
        } else {
            out.push_str(rest);
            break;
        }
    }
    let mut path = out.replace("./", "");
    if path.ends_with("/.") {
        path.pop();
    }
    format!("{scheme}{host}{path}")
}

/// Returns `rest`, which may begin with an authority, without dot segments after the first slash that follows it, even if
/// that slash is in a query or fragment.
fn without_dots(rest: &str) -> String {
    let start = if rest.starts_with("//") { 2 } else { 0 };
    match rest[start..].find('/') {
        Some(at) => format!("{}{}", &rest[..start + at], path_without_dots(&rest[start + at..])),
        None => rest.to_owned(),
    }
}

/// Returns `path`, which begins with a slash, without dot segments before a question mark or number sign. A dot segment
/// before such a mark takes the slash before it.
fn path_without_dots(path: &str) -> String {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, rest) = path.split_at(end);
    let mut kept: Vec<&str> = Vec::new();
    let count = path.split('/').count();
    for (at, segment) in path.split('/').enumerate().skip(1) {
        let is_last = at + 1 == count && rest.is_empty();
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
        if is_last && matches!(segment, "." | "..") {
            kept.push("");
        }
    }
    format!("/{}{rest}", kept.join("/"))
}
