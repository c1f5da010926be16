//! The optimized implementation: one engine under a row of [`Rules`].
//!
//! It writes into the caller's buffer, looks at each byte a bounded number of times, does not recurse, and
//! allocates nothing but the buffer's growth.

use alloc::string::String;

use crate::answer::Meaning;
use crate::rules::{
    AbsoluteVoidFragment, BareHost, BaseFragment, DotsInAbsolute, DotsInNetworkPath, DotsInRootedPath, EmptyAuthority,
    EmptyReference, Host, LeadingSlashes, NeverRelative, QueryOnly, Rules, SameDocument, SameScheme, SchemeAlone,
    SlashBeforeQuery, UnknownBase,
};

mod path;
mod split;

use path::{Joined, push_path};
use split::{Parts, scheme_length, split};

/// The rules define no result for these two strings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Undefined {
    /// Whether the reference is known to point into the document that holds it, although no URL is defined.
    pub same_document: bool,
}

/// Resolves `reference` against `base` as `rules` say, into `out`.
///
/// `("http://a/b/c", "../g")` leaves `"http://a/g"`. Neither string is checked or decoded: what is not a
/// delimiter is copied. An empty `base` is an unknown one.
///
/// `out` is cleared first, and grows to at most `base.len() + reference.len() + 1` bytes (`tests/laws.rs`).
///
/// # Errors
///
/// Where `rules` define no result; `out` is then empty.
///
/// Agrees with every revision's reference, by `tests/agreement.rs`.
pub fn resolve(rules: &Rules, base: &str, reference: &str, out: &mut String) -> Result<Meaning, Undefined> {
    out.clear();
    let only_a_fragment = matches!(reference.as_bytes().first(), None | Some(b'#'));
    if base.is_empty() && rules.unknown_base == UnknownBase::ReferenceAsIs {
        out.push_str(reference);
        let same_document = only_a_fragment && rules.same_document == SameDocument::ByForm;
        return Ok(if same_document { Meaning::SameDocument } else { as_it_stands(rules, reference) });
    }
    write(rules, base, reference, only_a_fragment, out).map(|meaning| match rules.same_document {
        SameDocument::ByForm if only_a_fragment => Meaning::SameDocument,
        SameDocument::ByComparison if but_for_fragment(out) == but_for_fragment(base) => Meaning::SameDocument,
        _ => meaning,
    })
}

/// Everything but the question whether the target is the same document.
fn write(
    rules: &Rules,
    base: &str,
    reference: &str,
    only_a_fragment: bool,
    out: &mut String,
) -> Result<Meaning, Undefined> {
    let base_scheme = scheme_length(rules.scheme_name, base).map(|length| &base[..length]);
    let own_scheme = scheme_length(rules.scheme_name, reference).map(|length| &reference[..length]);
    let never_relative = rules.never_relative == NeverRelative::Listed
        && own_scheme
            .or(base_scheme)
            .is_some_and(|scheme| NEVER.iter().any(|never| never.eq_ignore_ascii_case(scheme)));
    if never_relative {
        out.push_str(reference);
        return Ok(as_it_stands(rules, reference));
    }
    let mut remainder = reference;
    if let Some(scheme) = own_scheme {
        let equal = base_scheme.is_some_and(|base| base.eq_ignore_ascii_case(scheme));
        if !(equal && rules.same_scheme == SameScheme::Relative) {
            write_absolute(rules, reference, scheme, out);
            return Ok(Meaning::Retrieval);
        }
        remainder = &reference[scheme.len() + 1..];
    }
    let undefined = match rules.unknown_base {
        UnknownBase::ReferenceAsIs => false,
        UnknownBase::Undefined => base_scheme.is_none(),
        UnknownBase::SameDocumentOnly => base_scheme.is_none() && (base.is_empty() || !only_a_fragment),
    };
    if undefined {
        let same_document = only_a_fragment && rules.unknown_base == UnknownBase::SameDocumentOnly;
        return Err(Undefined { same_document });
    }
    let base_is_taken = rules.empty_reference == EmptyReference::Base && rules.base_fragment == BaseFragment::Taken;
    if remainder.is_empty() && base_is_taken {
        out.push_str(base);
        return Ok(Meaning::Retrieval);
    }
    write_relative(rules, base, base_scheme, remainder, out).map(|()| Meaning::Retrieval)
}

/// The schemes of Appendix B's introduction.
const NEVER: [&str; 5] = ["gopher", "telnet", "wais", "mailto", "news"];

fn as_it_stands(rules: &Rules, reference: &str) -> Meaning {
    if scheme_length(rules.scheme_name, reference).is_some() { Meaning::Retrieval } else { Meaning::AsIs }
}

/// Whether the first `#` is the last character.
fn before_void_fragment(url: &str) -> bool {
    url.len() - but_for_fragment(url).len() == 1
}

fn but_for_fragment(url: &str) -> &str {
    url.find('#').map_or(url, |at| &url[..at])
}

/// A reference that stands on its own.
fn write_absolute(rules: &Rules, reference: &str, scheme: &str, out: &mut String) {
    let void = rules.absolute_void_fragment == AbsoluteVoidFragment::Dropped && before_void_fragment(reference);
    let reference = if void { &reference[..reference.len() - 1] } else { reference };
    if rules.dots_in_absolute == DotsInAbsolute::Kept {
        out.push_str(reference);
        return;
    }
    let own = split(rules, &reference[scheme.len() + 1..], split::Role::Reference);
    write_prefix(Some(scheme), own.authority, out);
    push_path(rules, Joined::whole(own.path), out);
    write_tail(rules, own.authority.is_some() && own.path.is_empty(), &own, out);
}

fn write_relative(
    rules: &Rules,
    base: &str,
    base_scheme: Option<&str>,
    remainder: &str,
    out: &mut String,
) -> Result<(), Undefined> {
    let own = split(rules, remainder, split::Role::Reference);
    let behind_scheme = base_scheme.map_or(base, |scheme| &base[scheme.len() + 1..]);
    let old = split(rules, behind_scheme, split::Role::Base);

    if rules.leading_slashes == LeadingSlashes::MatchingRun && remainder.starts_with('/') {
        return write_after_run(rules, base_scheme, behind_scheme, &own, remainder, out);
    }
    let missing = |authority: &&str| authority.is_empty() && rules.empty_authority == EmptyAuthority::Missing;
    if let Some(authority) = own.authority.filter(|authority| !missing(authority)) {
        write_prefix(base_scheme, Some(authority), out);
        let written = out.len();
        if rules.dots_in_network_path == DotsInNetworkPath::Removed {
            push_path(rules, Joined::whole(own.path), out);
        } else {
            out.push_str(own.path);
        }
        write_tail(rules, out.len() == written, &own, out);
        return Ok(());
    }
    write_prefix(base_scheme, old.authority, out);
    let written = out.len();
    let base_path_stays = own.path.is_empty()
        && if own.params.is_some() {
            true
        } else if own.query.is_some() {
            rules.query_only == QueryOnly::KeepsLastSegment
        } else {
            rules.empty_reference == EmptyReference::Base
        };
    if base_path_stays {
        out.push_str(old.path);
        let params = own.params.or(old.params);
        let query = if own.params.is_some() { own.query } else { own.query.or(old.query) };
        let bare = old.authority.is_some() && out.len() == written;
        write_tail(rules, bare, &Parts { params, query, ..own }, out);
        return Ok(());
    }
    if own.path.starts_with('/') {
        if rules.dots_in_rooted_path == DotsInRootedPath::Removed {
            push_path(rules, Joined::whole(own.path), out);
        } else {
            out.push_str(own.path);
        }
    } else {
        merge(rules, &old, own.path, out);
    }
    let bare = old.authority.is_some() && out.len() == written;
    write_tail(rules, bare, &own, out);
    Ok(())
}

/// The reference's path in the place of the base's last segment.
fn merge(rules: &Rules, old: &Parts<'_>, path: &str, out: &mut String) {
    if !old.path.is_empty() || rules.host == Host::PartOfPath {
        push_path(rules, Joined::merged(old.path, path), out);
        return;
    }
    if old.authority.is_none() {
        match rules.scheme_alone {
            SchemeAlone::SlashDotsKept => out.extend(["/", path]),
            SchemeAlone::NoSlash => push_path(rules, Joined::whole(path), out),
        }
        return;
    }
    match rules.bare_host {
        BareHost::SlashDotsKept => out.extend(["/", path]),
        BareHost::SlashBeforeDots => push_path(rules, Joined::behind_slash(path), out),
        BareHost::NoSlash => push_path(rules, Joined::whole(path), out),
        BareHost::SlashAfterDots => {
            // The slash goes in first, and out again when nothing follows it.
            let start = out.len();
            out.push('/');
            push_path(rules, Joined::whole(path), out);
            if out.len() == start + 1 {
                out.truncate(start);
            }
        }
    }
}

/// RFC 1630's second rule: the base up to its first run of as many slashes that has no longer run to its right.
fn write_after_run(
    rules: &Rules,
    base_scheme: Option<&str>,
    behind_scheme: &str,
    own: &Parts<'_>,
    remainder: &str,
    out: &mut String,
) -> Result<(), Undefined> {
    let context = split::path_of_base(rules, behind_scheme);
    let slashes = remainder.bytes().take_while(|&byte| byte == b'/').count();
    let at = split::matching_run(context, slashes).ok_or(Undefined { same_document: false })?;
    write_prefix(base_scheme, None, out);
    out.push_str(&context[..at]);
    out.push_str(split::before_fragment(rules, remainder));
    write_fragment(own.fragment, out);
    Ok(())
}

fn write_prefix(scheme: Option<&str>, authority: Option<&str>, out: &mut String) {
    if let Some(scheme) = scheme {
        out.push_str(scheme);
        out.push(':');
    }
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
}

/// What follows the path; `bare` says that a host stands directly before it.
fn write_tail(rules: &Rules, bare: bool, parts: &Parts<'_>, out: &mut String) {
    let follows = parts.params.is_some() || parts.query.is_some();
    if bare && follows && rules.slash_before_query == SlashBeforeQuery::Supplied {
        out.push('/');
    }
    if let Some(params) = parts.params {
        out.push(';');
        out.push_str(params);
    }
    if let Some(query) = parts.query {
        out.push('?');
        out.push_str(query);
    }
    write_fragment(parts.fragment, out);
}

fn write_fragment(fragment: Option<&str>, out: &mut String) {
    if let Some(fragment) = fragment {
        out.push('#');
        out.push_str(fragment);
    }
}
