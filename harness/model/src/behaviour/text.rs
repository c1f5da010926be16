//! The resolution of references by the text of the base, whose components are not split off.

/// Joins `reference` with the text of `base` and replaces dot segments in the joined text. Returns `reference` if the base
/// does not have a colon.
pub(super) fn joined(base: &str, reference: &str) -> String {
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
