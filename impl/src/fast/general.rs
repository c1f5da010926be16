//! The general path: evaluates the rule set step by step, for any pair.

use memchr::memchr;

use super::Undefined;
use super::path::{PathPieces, push_path};
use super::split::{self, Role, Slices, scheme_length, split};
use super::text::Text;
use crate::resolution::Meaning;
use crate::rules::{
    BareHost, BaseFragment, DotsInAbsolute, DotsInNetworkPath, DotsInRootedPath, EmptyAuthority,
    EmptyFragmentOnAbsolute, EmptyReference, Host, LeadingSlashes, NeverRelative, QueryOnly, Rules, SameDocument,
    SameScheme, SchemeAlone, SlashBeforeQuery, UnknownBase,
};

/// Resolves any pair and appends the target to `out`. If the target is undefined, `out` is unchanged.
pub(super) fn resolve<T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Result<Meaning, Undefined> {
    let start = T::written(out).bytes().len();
    let only_a_fragment = matches!(reference.bytes().first(), None | Some(b'#'));
    if base.bytes().is_empty() && rules.unknown_base == UnknownBase::ReferenceAsIs {
        reference.append(out);
        let same_document = only_a_fragment && rules.same_document == SameDocument::ByForm;
        return Ok(if same_document { Meaning::SameDocument } else { meaning_of_copy(rules, reference) });
    }
    let meaning = write(rules, base, reference, only_a_fragment, out);
    if meaning.is_err() {
        T::truncate(out, start);
    }
    let is_base = |target: &[u8]| but_for_fragment(target) == but_for_fragment(base.bytes());
    meaning.map(|meaning| match rules.same_document {
        SameDocument::ByForm if only_a_fragment => Meaning::SameDocument,
        SameDocument::ByComparison if is_base(&T::written(out).bytes()[start..]) => Meaning::SameDocument,
        _ => meaning,
    })
}

/// Appends the target, without deciding whether it is the same document. If the target is undefined, `out` may be
/// changed.
fn write<T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    only_a_fragment: bool,
    out: &mut T::Buffer,
) -> Result<Meaning, Undefined> {
    let base_scheme = scheme_length(rules.scheme_name, base.bytes()).map(|length| base.part(0, length));
    let own_scheme = scheme_length(rules.scheme_name, reference.bytes()).map(|length| reference.part(0, length));
    let never_relative = rules.never_relative == NeverRelative::Listed
        && own_scheme.or(base_scheme).is_some_and(|scheme| is_never_relative(scheme.bytes()));
    if never_relative {
        reference.append(out);
        return Ok(meaning_of_copy(rules, reference));
    }
    let mut remainder = reference;
    if let Some(scheme) = own_scheme {
        let equal = base_scheme.is_some_and(|base| base.bytes().eq_ignore_ascii_case(scheme.bytes()));
        if !(equal && rules.same_scheme == SameScheme::Relative) {
            write_absolute(rules, reference, scheme, out);
            return Ok(Meaning::Retrieval);
        }
        remainder = after_scheme(reference, scheme);
    }
    let undefined = match rules.unknown_base {
        UnknownBase::ReferenceAsIs => false,
        UnknownBase::Undefined => base_scheme.is_none(),
        UnknownBase::SameDocumentOnly => base_scheme.is_none() && (base.bytes().is_empty() || !only_a_fragment),
    };
    if undefined {
        let same_document = only_a_fragment && rules.unknown_base == UnknownBase::SameDocumentOnly;
        return Err(Undefined { same_document });
    }
    let base_is_taken = rules.empty_reference == EmptyReference::Base && rules.base_fragment == BaseFragment::Inherited;
    if remainder.bytes().is_empty() && base_is_taken {
        base.append(out);
        return Ok(Meaning::Retrieval);
    }
    write_relative(rules, base, base_scheme, remainder, out).map(|()| Meaning::Retrieval)
}

/// The schemes without relative references, by the introduction of Appendix B.
const NEVER: [&[u8]; 5] = [b"gopher", b"telnet", b"wais", b"mailto", b"news"];

/// Returns whether a scheme is one of them. Case is ignored.
pub(super) fn is_never_relative(scheme: &[u8]) -> bool {
    NEVER.iter().any(|never| never.eq_ignore_ascii_case(scheme))
}

fn meaning_of_copy<T: Text + ?Sized>(rules: &Rules, reference: &T) -> Meaning {
    if scheme_length(rules.scheme_name, reference.bytes()).is_some() { Meaning::Retrieval } else { Meaning::AsIs }
}

/// Returns whether the first `#` is the last character.
fn ends_in_empty_fragment(url: &[u8]) -> bool {
    url.len() - but_for_fragment(url).len() == 1
}

fn but_for_fragment(url: &[u8]) -> &[u8] {
    memchr(b'#', url).map_or(url, |at| &url[..at])
}

fn after_scheme<'a, T: Text + ?Sized>(text: &'a T, scheme: &T) -> &'a T {
    text.part(scheme.bytes().len() + 1, text.bytes().len())
}

/// Appends the target of an absolute reference.
fn write_absolute<T: Text + ?Sized>(rules: &Rules, reference: &T, scheme: &T, out: &mut T::Buffer) {
    let ends = rules.empty_fragment_on_absolute == EmptyFragmentOnAbsolute::Dropped
        && ends_in_empty_fragment(reference.bytes());
    let reference = if ends { reference.part(0, reference.bytes().len() - 1) } else { reference };
    if rules.dots_in_absolute == DotsInAbsolute::Kept {
        reference.append(out);
        return;
    }
    let own = split(rules, after_scheme(reference, scheme), Role::Reference);
    write_prefix(Some(scheme), own.authority, out);
    push_path(rules, PathPieces::whole(own.path), out);
    write_tail(rules, own.authority.is_some() && own.path.bytes().is_empty(), &own, out);
}

fn write_relative<T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    base_scheme: Option<&T>,
    remainder: &T,
    out: &mut T::Buffer,
) -> Result<(), Undefined> {
    let own = split(rules, remainder, Role::Reference);
    let base_rest = base_scheme.map_or(base, |scheme| after_scheme(base, scheme));
    let old = split(rules, base_rest, Role::Base);

    if rules.leading_slashes == LeadingSlashes::MatchingRun && remainder.bytes().starts_with(b"/") {
        return write_after_run(rules, base_scheme, base_rest, &own, remainder, out);
    }
    let missing = |authority: &&T| authority.bytes().is_empty() && rules.empty_authority == EmptyAuthority::Missing;
    if let Some(authority) = own.authority.filter(|authority| !missing(authority)) {
        write_prefix(base_scheme, Some(authority), out);
        let written = T::written(out).bytes().len();
        if rules.dots_in_network_path == DotsInNetworkPath::Removed {
            push_path(rules, PathPieces::whole(own.path), out);
        } else {
            own.path.append(out);
        }
        write_tail(rules, T::written(out).bytes().len() == written, &own, out);
        return Ok(());
    }
    write_prefix(base_scheme, old.authority, out);
    let written = T::written(out).bytes().len();
    let base_path_stays = own.path.bytes().is_empty()
        && if own.params.is_some() {
            true
        } else if own.query.is_some() {
            rules.query_only == QueryOnly::KeepsLastSegment
        } else {
            rules.empty_reference == EmptyReference::Base
        };
    if base_path_stays {
        old.path.append(out);
        let params = own.params.or(old.params);
        let query = if own.params.is_some() { own.query } else { own.query.or(old.query) };
        let bare = old.authority.is_some() && T::written(out).bytes().len() == written;
        write_tail(rules, bare, &Slices { params, query, ..own }, out);
        return Ok(());
    }
    if own.path.bytes().starts_with(b"/") {
        if rules.dots_in_rooted_path == DotsInRootedPath::Removed {
            push_path(rules, PathPieces::whole(own.path), out);
        } else {
            own.path.append(out);
        }
    } else {
        merge(rules, &old, own.path, out);
    }
    let bare = old.authority.is_some() && T::written(out).bytes().len() == written;
    write_tail(rules, bare, &own, out);
    Ok(())
}

/// Appends the reference's path, merged with the base's path.
fn merge<T: Text + ?Sized>(rules: &Rules, old: &Slices<'_, T>, path: &T, out: &mut T::Buffer) {
    if !old.path.bytes().is_empty() || rules.host == Host::PartOfPath {
        push_path(rules, PathPieces::merged(old.path, path), out);
        return;
    }
    if old.authority.is_none() {
        match rules.scheme_alone {
            SchemeAlone::SlashDotsKept => {
                T::literal("/").append(out);
                path.append(out);
            }
            SchemeAlone::NoSlash => push_path(rules, PathPieces::whole(path), out),
        }
        return;
    }
    match rules.bare_host {
        BareHost::SlashDotsKept => {
            T::literal("/").append(out);
            path.append(out);
        }
        BareHost::SlashBeforeDots => push_path(rules, PathPieces::after_slash(path), out),
        BareHost::NoSlash => push_path(rules, PathPieces::whole(path), out),
        BareHost::SlashAfterDots => {
            // The slash is written first, and removed if nothing follows.
            let start = T::written(out).bytes().len();
            T::literal("/").append(out);
            push_path(rules, PathPieces::whole(path), out);
            if T::written(out).bytes().len() == start + 1 {
                T::truncate(out, start);
            }
        }
    }
}

/// Appends the target by RFC 1630's second rule: the base up to the matching run of slashes, and the reference.
fn write_after_run<T: Text + ?Sized>(
    rules: &Rules,
    base_scheme: Option<&T>,
    base_rest: &T,
    own: &Slices<'_, T>,
    remainder: &T,
    out: &mut T::Buffer,
) -> Result<(), Undefined> {
    let context = split::path_of_base(rules, base_rest);
    let slashes = remainder.bytes().iter().take_while(|&&byte| byte == b'/').count();
    let at = split::matching_run(context.bytes(), slashes).ok_or(Undefined { same_document: false })?;
    write_prefix(base_scheme, None, out);
    context.part(0, at).append(out);
    split::before_fragment(rules, remainder).append(out);
    write_fragment(own.fragment, out);
    Ok(())
}

fn write_prefix<T: Text + ?Sized>(scheme: Option<&T>, authority: Option<&T>, out: &mut T::Buffer) {
    if let Some(scheme) = scheme {
        scheme.append(out);
        T::literal(":").append(out);
    }
    if let Some(authority) = authority {
        T::literal("//").append(out);
        authority.append(out);
    }
}

/// Appends the components after the path. `bare` means that the path is empty and a host precedes it.
fn write_tail<T: Text + ?Sized>(rules: &Rules, bare: bool, parts: &Slices<'_, T>, out: &mut T::Buffer) {
    let follows = parts.params.is_some() || parts.query.is_some();
    if bare && follows && rules.slash_before_query == SlashBeforeQuery::Supplied {
        T::literal("/").append(out);
    }
    if let Some(params) = parts.params {
        T::literal(";").append(out);
        params.append(out);
    }
    if let Some(query) = parts.query {
        T::literal("?").append(out);
        query.append(out);
    }
    write_fragment(parts.fragment, out);
}

fn write_fragment<T: Text + ?Sized>(fragment: Option<&T>, out: &mut T::Buffer) {
    if let Some(fragment) = fragment {
        T::literal("#").append(out);
        fragment.append(out);
    }
}
