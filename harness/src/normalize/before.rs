//! Normalizations and validations of base and reference before resolution.

use std::borrow::Cow;

use urlstrata::rules::SameScheme;

use super::parts::{authority_end, scheme_of};
use super::{Failure, Normalization, Normalizations, grammar, reject};

/// The kind of a scheme in the URL Standard (§4.2 special scheme).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// `ftp`, `http`, `https`, `ws` or `wss`.
    Special,
    /// `file`.
    File,
    /// Any other scheme.
    Other,
}

impl Kind {
    pub(super) fn of(scheme: &str) -> Self {
        match scheme.to_ascii_lowercase().as_str() {
            "file" => Self::File,
            "ftp" | "http" | "https" | "ws" | "wss" => Self::Special,
            _ => Self::Other,
        }
    }
}

/// Applies [`Normalization::Trim`] and [`Normalization::StripTabs`] to `text`.
pub(super) fn cleaned(set: Normalizations, text: &str) -> Cow<'_, str> {
    let text = if set.has(Normalization::Trim) { text.trim_matches(|c: char| c <= ' ') } else { text };
    let dropped = ['\t', '\n', '\r'];
    if set.has(Normalization::StripTabs) && text.contains(dropped) {
        return Cow::Owned(text.replace(dropped, ""));
    }
    Cow::Borrowed(text)
}

/// Rejects a base or reference that the grammars in `set` do not match, and a base with a fragment if `set` requires
/// that.
pub(super) fn check(set: Normalizations, base: &str, reference: &str) -> Result<(), Failure> {
    for (normalization, iri) in [(Normalization::UriGrammar, false), (Normalization::IriGrammar, true)] {
        if !set.has(normalization) {
            continue;
        }
        let fits = base.is_empty() || scheme_of(base).is_some() && grammar::is_reference(base, iri);
        if !fits {
            return reject(normalization, "the base is not absolute, or not in the grammar");
        }
        if !grammar::is_reference(reference, iri) {
            return reject(normalization, "the reference is not in the grammar");
        }
    }
    if set.has(Normalization::BaseFragmentRejected) && base.contains('#') {
        return reject(Normalization::BaseFragmentRejected, "the base has a fragment");
    }
    Ok(())
}

/// Base and reference in the form to which the rules are applied.
pub(super) struct Prepared {
    pub(super) base: String,
    pub(super) reference: String,
    /// Whether a scheme that equals the base's is dropped, whatever the setting of the rules is.
    pub(super) relative: bool,
    /// Whether the reference itself contains the `//` before its authority. It is `false` if [`prepare`] inserts the
    /// `//`.
    pub(super) own_authority: bool,
    /// Whether the drive letter is a whole segment only because a tab follows it. Such a drive letter does not remove
    /// the host.
    pub(super) ended_by_tab: bool,
}

impl Prepared {
    /// Returns the reference without its scheme, and whether the scheme is kept.
    fn relevant(&self, same_scheme: SameScheme) -> (&str, bool) {
        let own = scheme_of(&self.reference);
        let rest = own.map_or(self.reference.as_str(), |own| &self.reference[own.len() + 1..]);
        let equal = own.zip(scheme_of(&self.base)).is_some_and(|(own, base)| own.eq_ignore_ascii_case(base));
        (rest, own.is_some() && !(equal && same_scheme == SameScheme::Relative))
    }

    /// Returns whether the result has an authority.
    pub(super) fn has_authority(&self, same_scheme: SameScheme) -> bool {
        let (rest, absolute) = self.relevant(same_scheme);
        rest.starts_with("//") || !absolute && behind_scheme(&self.base).starts_with("//")
    }
}

/// Returns the position of a backslash that follows the digits of the port in the authority of `text`.
fn backslash_behind_port(text: &str) -> Option<usize> {
    let after = behind_scheme(text).strip_prefix("//")?;
    let end = authority_end(after);
    let authority = &after[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let after_digits = super::host::cut_port(host).1?.trim_start_matches(|c: char| c.is_ascii_digit());
    after_digits.starts_with('\\').then(|| text.len() - after.len() + end - after_digits.len())
}

/// Returns whether `rest`, a reference without its scheme, is merged with the base's path.
pub(super) fn is_merged(rest: &str) -> bool {
    !(rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

/// Returns `text` without its scheme and the colon.
pub(super) fn behind_scheme(text: &str) -> &str {
    scheme_of(text).map_or(text, |scheme| &text[scheme.len() + 1..])
}

/// Applies the normalizations of backslashes, of slashes at the start of a reference, and of schemes equal to the
/// base's.
pub(super) fn prepare(set: Normalizations, kind: Kind, base: Cow<'_, str>, reference: Cow<'_, str>) -> Prepared {
    let mut reference = reference;
    if set.has(Normalization::RelativeBackslashes) && kind != Kind::File && scheme_of(&reference).is_none() {
        let run = reference.len() - reference.trim_start_matches(['/', '\\']).len();
        if run > 1 && !reference.starts_with("//") {
            reference = Cow::Owned(format!("//{}", &reference[run..]));
        } else if run == 1 {
            reference = Cow::Owned(format!("/{}", &reference[run..]));
        }
    }
    if set.has(Normalization::PortBackslash)
        && kind == Kind::Other
        && let Some(at) = backslash_behind_port(&reference)
    {
        reference = Cow::Owned(format!("{}/{}", &reference[..at], &reference[at..]));
    }
    if set.has(Normalization::Backslash) && kind != Kind::Other {
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        if reference[..end].contains('\\') {
            reference = Cow::Owned(reference[..end].replace('\\', "/") + &reference[end..]);
        }
    }
    let own = scheme_of(&reference).map(str::to_owned);
    let rest = behind_scheme(&reference);
    let equal = own.as_deref().zip(scheme_of(&base)).is_some_and(|(own, base)| own.eq_ignore_ascii_case(base));
    let own_authority = rest.starts_with("//");
    let mut relative = own.is_none();
    let mut rewritten = None;
    match kind {
        Kind::Special => {
            relative |= set.has(Normalization::SpecialSameScheme) && equal && !rest.starts_with("//");
            let absolute = own.is_some() && !relative;
            if absolute && set.has(Normalization::SpecialSlashes)
                || own.is_none() && rest.starts_with("//") && set.has(Normalization::RelativeSlashes)
            {
                rewritten = Some(format!("//{}", rest.trim_start_matches('/')));
            }
        }
        Kind::File if set.has(Normalization::FileAuthority) && own.is_some() && !rest.starts_with("//") => {
            relative = equal;
            if !equal {
                let root = if rest.starts_with('/') { "" } else { "/" };
                rewritten = Some(format!("//{root}{rest}"));
            }
        }
        _ => {}
    }
    let reference = match (rewritten, own) {
        (Some(rest), Some(own)) => format!("{own}:{rest}"),
        (Some(rest), None) => rest,
        (None, _) => reference.into_owned(),
    };
    let relative = relative && scheme_of(&reference).is_some();
    Prepared { base: base.into_owned(), reference, relative, own_authority, ended_by_tab: false }
}

/// Returns the number of dots in a dot segment, literal or percent-encoded; `None` if `segment` is not a dot segment.
pub(super) fn dots(segment: &str) -> Option<usize> {
    match segment.to_ascii_lowercase().as_str() {
        "." | "%2e" => Some(1),
        ".." | "%2e." | ".%2e" | "%2e%2e" => Some(2),
        _ => None,
    }
}

/// Decodes the percent-encoded dots in the dot segments of the path of `text` if `set` has
/// [`Normalization::EncodedDots`].
pub(super) fn dots_decoded(set: Normalizations, text: &str) -> Cow<'_, str> {
    if !set.has(Normalization::EncodedDots) || !text.contains("%2") {
        return Cow::Borrowed(text);
    }
    let scheme = scheme_of(text).map_or(0, |scheme| scheme.len() + 1);
    let authority = if text[scheme..].starts_with("//") { 2 + authority_end(&text[scheme + 2..]) } else { 0 };
    let start = scheme + authority;
    let end = text[start..].find(['?', '#']).map_or(text.len(), |at| start + at);
    let segments: Vec<_> = text[start..end]
        .split('/')
        .map(|segment| match dots(segment) {
            Some(1) => ".",
            Some(_) => "..",
            None => segment,
        })
        .collect();
    Cow::Owned([&text[..start], &segments.join("/"), &text[end..]].concat())
}
