//! What implementations of RFC 3986 and RFC 3987 share: reading components, checking them by the grammar, and inheriting from the base.
//!
//! Rows of tables call these functions. Each table has labels of its own, the functions of its source.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, is_escape, scheme, until};
use urlstrata_steps::{Next, Next::*, Side, State, Step};

/// Returns whether a grammar allows a character outside ASCII.
pub(crate) type Outside = fn(char) -> bool;

/// RFC 3986 has ASCII only.
pub(crate) const URI: Outside = |_| false;

/// `ucschar` (RFC 3987 §2.2).
pub(crate) const IRI: Outside = |it| {
    matches!(it, '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' | '\u{10000}'..='\u{dffff}' | '\u{e1000}'..='\u{effff}')
        && u32::from(it) & 0xffff < 0xfffe
};

/// `ucschar` and `iprivate` (RFC 3987 §2.2).
pub(crate) const IRI_QUERY: Outside = |it| {
    let is_private = matches!(it, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..) && u32::from(it) & 0xffff < 0xfffe;
    IRI(it) || is_private
};

/// The characters of a registered name that are not unreserved: `sub-delims`.
pub(crate) const REG_NAME: &str = "!$&'()*+,;=";
pub(crate) const USERINFO: &str = "!$&'()*+,;=:";
pub(crate) const PATH: &str = "!$&'()*+,;=:@/";
pub(crate) const QUERY: &str = "!$&'()*+,;=:@/?";

/// Returns whether `text` consists of unreserved characters, escapes, the characters `others`, and those `outside` of ASCII.
pub(crate) fn conforms(text: &str, others: &str, outside: Outside) -> bool {
    text.char_indices().all(|(at, it)| match it {
        '%' => is_escape(&text[at..]),
        _ if it.is_ascii() => it.is_ascii_alphanumeric() || "-._~".contains(it) || others.contains(it),
        _ => outside(it),
    })
}

/// Returns the length of the longest beginning of `text` that [`conforms`].
pub(crate) fn conforming(text: &str, others: &str, outside: Outside) -> usize {
    let is_end = |(at, it): &(usize, char)| match it {
        '%' => !is_escape(&text[*at..]),
        _ => !conforms(it.encode_utf8(&mut [0; 4]), others, outside),
    };
    text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at)
}

/// Divides an authority into its user information, its host, and its port with the colon.
pub(crate) fn divide(authority: &str) -> (Option<&str>, &str, &str) {
    let (user, rest) = authority.split_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    let end = match rest.starts_with('[') {
        true => rest.find(']').map_or(rest.len(), |at| at + 1),
        false => until(rest, &[':']).0.len(),
    };
    let (host, port) = rest.split_at(end);
    (user, host, port)
}

/// Returns whether a host is an IPv6 address or one of a future version in brackets, or a name.
pub(crate) fn is_host(host: &str, outside: Outside) -> bool {
    match host.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
        Some(address) => address.is_some_and(|it| it.parse::<Ipv6Addr>().is_ok() || is_future(it)),
        None => conforms(host, REG_NAME, outside),
    }
}

/// `IPvFuture`.
pub(crate) fn is_future(address: &str) -> bool {
    let divided = address.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    divided.is_some_and(|(version, rest)| {
        !version.is_empty()
            && version.bytes().all(|it| it.is_ascii_hexdigit())
            && !rest.is_empty()
            && !rest.contains('%')
            && conforms(rest, USERINFO, URI)
    })
}

/// Reads the scheme: a letter, then letters, digits, `+`, `-` and `.` before a colon.
pub(crate) fn cut_scheme(s: &mut State<'_>) -> Next {
    let given = s.given();
    s.set(s.own(Part::Text), given);
    let (name, rest) = scheme(given).map_or((None, given), |(name, rest)| (Some(name), rest));
    s.set(s.own(Part::Scheme), name);
    s.rest = rest.to_owned();
    Go
}

/// Reads the scheme: what is before a colon that no `/`, `?` or `#` precedes.
pub(crate) fn cut_any_scheme(s: &mut State<'_>) -> Next {
    let given = s.given();
    s.set(s.own(Part::Text), given);
    let found = given.split_once(':').filter(|(name, _)| !name.contains(['/', '?', '#']));
    s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
    s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
    Go
}

/// Reads the scheme of the unread rest as the regular expression of Appendix B does: what is before a colon, if it is not empty and no `/`, `?` or
/// `#` precedes.
pub(crate) fn cut_scheme_of_appendix_b(s: &mut State<'_>) -> Next {
    let found = s.rest.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#']));
    let (name, rest) = found.map_or((None, s.rest.as_str()), |(name, rest)| (Some(name.to_owned()), rest));
    s.rest = rest.to_owned();
    s.set(s.own(Part::Scheme), name);
    Go
}

/// Rejects a scheme that is not a letter, then letters, digits, `+`, `-` and `.`.
pub(crate) fn check_scheme(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Scheme);
    let is_name = |name: &str| scheme(&format!("{name}:")).is_some_and(|(own, _)| own == name);
    match s.present(slot).is_none_or(is_name) {
        true => Go,
        false => s.reject(slot, "it is not the name of a scheme"),
    }
}

/// Reads the authority after two slashes, up to the next `/`, `?` or `#`.
pub(crate) fn cut_authority(s: &mut State<'_>) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let divided = rest.strip_prefix("//").map(|after| until(after, &['/', '?', '#']));
    s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
    s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
    Go
}

/// Reads the fragment after the first `#`, the query after the first `?` before it, and the path.
pub(crate) fn cut_path(s: &mut State<'_>) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (rest, fragment) = cut(&rest, "#");
    let (path, query) = cut(rest, "?");
    s.set(s.own(Part::Path), path);
    s.set(s.own(Part::Query), query);
    s.set(s.own(Part::Fragment), fragment);
    Go
}

/// The mark of a text that may be a relative reference, although the base is unknown.
pub(crate) const MAY_BE_RELATIVE: &str = "the text may be a relative reference";

/// Reads the reference with the rows `read` for its components alone: it may be relative.
pub(crate) fn read_alone(s: &mut State<'_>, read: &'static [Step]) -> Next {
    s.mark(MAY_BE_RELATIVE);
    Call(read, Side::Reference)
}

/// States the components as they were read.
pub(crate) fn state(s: &mut State<'_>) -> Next {
    for part in Part::COMPONENTS {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.set(Slot::Result, s.reference);
    Go
}

/// States user information, host and port of an authority that was read.
pub(crate) fn state_authority(s: &mut State<'_>) -> Next {
    let divided = s.present(Slot::Ref(Part::Authority)).map(divide).map(|(user, host, port)| {
        (user.map(str::to_owned), host.to_owned(), port.strip_prefix(':').map(str::to_owned))
    });
    let (user, host, port) = divided.map_or((None, None, None), |(user, host, port)| (user, Some(host), port));
    s.set(Slot::Out(Part::Userinfo), user);
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::Out(Part::Port), port);
    Go
}

/// Rejects a base without a scheme, and a reference without one if the base is unknown.
pub(crate) fn require_scheme(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Scheme);
    let may_be_relative = !s.base.is_empty() || s.is_marked(MAY_BE_RELATIVE);
    match s.present(slot).is_some() || s.side == Side::Reference && may_be_relative {
        true => Go,
        false => s.reject(slot, "the URL has no scheme"),
    }
}

/// Rejects a relative reference whose first segment contains a colon.
pub(crate) fn check_first_segment(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Path);
    let is_relative = s.present(s.own(Part::Scheme)).is_none() && s.present(s.own(Part::Authority)).is_none();
    match is_relative && until(s.get(slot), &['/']).0.contains(':') {
        true => s.reject(slot, "its first segment contains a colon"),
        false => Go,
    }
}

/// Rejects a component with a character that is neither unreserved nor among `others`, and not allowed `outside` of ASCII.
pub(crate) fn check(s: &mut State<'_>, part: Part, others: &str, outside: Outside) -> Next {
    let slot = s.own(part);
    match conforms(s.get(slot), others, outside) {
        true => Go,
        false => s.reject(
            slot,
            "it contains a character that is not allowed, or a percent sign without two hexadecimal digits",
        ),
    }
}

/// Rejects user information with a character that is not allowed.
pub(crate) fn check_user(s: &mut State<'_>, outside: Outside) -> Next {
    let slot = s.own(Part::Authority);
    match divide(s.get(slot)).0.is_none_or(|user| conforms(user, USERINFO, outside)) {
        true => Go,
        false => s.reject(slot, "the user information contains a character that is not allowed"),
    }
}

/// Rejects a host that is neither an address in brackets nor a name.
pub(crate) fn check_host(s: &mut State<'_>, outside: Outside) -> Next {
    let slot = s.own(Part::Authority);
    match is_host(divide(s.get(slot)).1, outside) {
        true => Go,
        false => s.reject(slot, "the host is neither an IP address in brackets nor a name of allowed characters"),
    }
}

/// Rejects what follows the host and is not a colon and digits.
pub(crate) fn check_port(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Authority);
    let port = divide(s.get(slot)).2;
    let is_port = |digits: &str| digits.bytes().all(|it| it.is_ascii_digit());
    match port.is_empty() || port.strip_prefix(':').is_some_and(is_port) {
        true => Go,
        false => s.reject(slot, "what follows the host is not a port"),
    }
}

/// Without a known base, returns the reference as it is.
pub(crate) fn without_base(s: &mut State<'_>) -> Next {
    match s.base.is_empty() {
        true => s.return_text(s.reference),
        false => Go,
    }
}

/// A reference with a scheme inherits nothing: go on at the row `then`. Any other inherits the scheme.
pub(crate) fn own_scheme(s: &mut State<'_>, then: &'static str) -> Next {
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
    if s.present(Slot::Ref(Part::Scheme)).is_none() {
        s.inherit(Part::Scheme);
        return Go;
    }
    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.set(Slot::Used, "nothing");
    To(then)
}

/// A reference with an authority inherits nothing else: go on at the row `then`. Any other inherits the authority.
pub(crate) fn own_authority(s: &mut State<'_>, then: &'static str) -> Next {
    if s.present(Slot::Ref(Part::Authority)).is_none() {
        s.inherit(Part::Authority);
        return Go;
    }
    s.keep(Slot::Used);
    s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    To(then)
}

/// A reference without a path inherits the base's, and without a query that one, too: go on at the row `then`.
pub(crate) fn no_path(s: &mut State<'_>, then: &'static str) -> Next {
    if !s.get(Slot::Ref(Part::Path)).is_empty() {
        return Go;
    }
    s.inherit(Part::Path);
    if s.present(Slot::Ref(Part::Query)).is_none() {
        s.inherit(Part::Query);
    }
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
    To(then)
}

/// A path that begins with a slash is not merged: go on at the row `then`.
pub(crate) fn rooted(s: &mut State<'_>, then: &'static str) -> Next {
    if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
        return Go;
    }
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    To(then)
}

/// Writes the path after the base's up to its last slash, or after a slash if the base has an authority and no path (RFC 3986 §5.2.3).
pub(crate) fn merge(s: &mut State<'_>) -> Next {
    let base = s.get(Slot::Base(Part::Path));
    let has_root = base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some();
    let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
    s.inherit_as("folder");
    s.set(Slot::Merged, merged);
    Go
}

/// Returns a path whose segments `.` and `..` are not encoded.
pub(crate) fn with_plain_dots(path: &str) -> String {
    let plain = |segment: &str| match segment.replace("%2E", ".").replace("%2e", ".").as_str() {
        "." => ".".to_owned(),
        ".." => "..".to_owned(),
        _ => segment.to_owned(),
    };
    path.split('/').map(plain).collect::<Vec<_>>().join("/")
}

/// Returns whether the last segment of a path is `.` or `..`.
pub(crate) fn ends_with_dots(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("." | ".."))
}

/// Precedes a path that begins with two slashes by `/.` if the target has no authority.
pub(crate) fn mark_two_slashes(s: &mut State<'_>) {
    let path = s.get(Slot::NoDots);
    if path.starts_with("//") && s.present(Slot::Out(Part::Authority)).is_none() {
        let path = format!("/.{path}");
        s.set(Slot::Out(Part::Path), path);
    }
}

/// Returns the bytes of a text whose escapes are decoded. A percent sign without two hexadecimal digits stays.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).filter(|_| is_escape(&format!("%{part}"))).and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                out.extend(&part.as_bytes()[2..]);
            }
            None => out.extend([b"%", part.as_bytes()].concat()),
        }
    }
    out
}
