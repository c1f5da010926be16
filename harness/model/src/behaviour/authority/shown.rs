//! Hosts that are written in Unicode.

/// Top-level domains whose registries publish which characters they allow, as browsers list them.
const REGISTRIES: &[&str] = &[
    "ac",
    "ar",
    "asia",
    "at",
    "biz",
    "br",
    "cat",
    "ch",
    "cl",
    "cn",
    "com",
    "de",
    "dk",
    "es",
    "fi",
    "gr",
    "hu",
    "il",
    "info",
    "io",
    "ir",
    "is",
    "jp",
    "kr",
    "li",
    "lt",
    "lu",
    "lv",
    "museum",
    "name",
    "net",
    "no",
    "nu",
    "nz",
    "org",
    "pl",
    "pr",
    "se",
    "sh",
    "tel",
    "th",
    "tm",
    "tw",
    "ua",
    "vn",
    "xn--fiqs8s",
    "xn--fiqz9s",
    "xn--j6w193g",
    "xn--kprw13d",
    "xn--mgbaam7a8h",
    "xn--p1ai",
    "xn--wgbh1c",
];

/// Returns `host`, in Unicode if its top-level domain is listed or it ends in a full stop.
pub(super) fn shown(host: String) -> String {
    let last = host.rsplit('.').next().unwrap_or_default();
    if !last.is_empty() && !REGISTRIES.contains(&last) {
        return host;
    }
    match idna::domain_to_unicode(&host) {
        (text, Ok(())) => text,
        (_, Err(_)) => host,
    }
}
