//! `Net/IPv6.php` of SimplePie.

/// `IPv6::uncompress`: writes groups of zeros for `::`; `None` if there are too many others.
pub(super) fn uncompressed(address: &str) -> Option<String> {
    if address.matches("::").count() != 1 {
        return Some(address.to_owned());
    }
    let (before, after) = address.split_once("::")?;
    let colons = |text: &str| text.matches(':').count();
    let after_it = colons(after) + usize::from(after.contains('.'));
    let fill = match (before, after) {
        ("", "") => "0:0:0:0:0:0:0:0".to_owned(),
        ("", _) => "0:".repeat(7_usize.checked_sub(after_it)?),
        (_, "") => ":0".repeat(7_usize.checked_sub(colons(before))?),
        _ => format!(":{}", "0:".repeat(6_usize.checked_sub(after_it + colons(before))?)),
    };
    Some(format!("{before}{fill}{after}"))
}

/// `IPv6::split_v6_v4`.
fn split(address: &str) -> (&str, Option<&str>) {
    match address.contains('.') {
        true => address.rsplit_once(':').map_or(("", Some(address)), |(groups, last)| (groups, Some(last))),
        false => (address, None),
    }
}

/// `IPv6::check_ipv6`, of an address without `::`.
pub(super) fn is_address(address: &str) -> bool {
    let (groups, last) = split(address);
    let groups: Vec<&str> = groups.split(':').collect();
    let is_group = |it: &&str| (1..=4).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_hexdigit());
    let is_number = |it: &str| it.parse::<u8>().is_ok_and(|number| number.to_string() == it);
    let is_last = |it: &str| it.split('.').count() == 4 && it.split('.').all(is_number);
    groups.len() == if last.is_some() { 6 } else { 8 } && groups.iter().all(is_group) && last.is_none_or(is_last)
}

/// `IPv6::compress`, of a valid address.
pub(super) fn compressed(address: &str) -> String {
    let address = uncompressed(address).unwrap_or_default();
    let (groups, last) = split(&address);
    let without_zeros = |it: &str| {
        let rest = it.trim_start_matches('0');
        match rest.starts_with(|it: char| it.is_ascii_digit()) || rest.len() == it.len() {
            true => rest.to_owned(),
            false => format!("0{rest}"),
        }
    };
    let groups: Vec<String> = groups.split(':').map(without_zeros).collect();
    // A run is as long as its text, with the colons at its ends.
    let (mut longest, mut at) = ((0, 0, 0), 0);
    while at < groups.len() {
        let count = groups[at..].iter().take_while(|it| *it == "0").count();
        let length = 2 * count + usize::from(at > 0) - usize::from(at + count == groups.len());
        if count > 0 && length > longest.2 {
            longest = (at, count, length);
        }
        at += count.max(1);
    }
    let (at, count, _) = longest;
    let text = match count {
        0 => groups.join(":"),
        _ => format!("{}::{}", groups[..at].join(":"), groups[at + count..].join(":")),
    };
    last.map_or(text.clone(), |last| format!("{text}:{last}"))
}
