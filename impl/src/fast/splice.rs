//! The splice of a base and a reference, for each shape of references.
//!
//! A target is often the first part of the base followed by the last part of the reference, whatever the rule set; the
//! rule set only decides how long the two parts are. That holds for a reference that has no dot segment except `..` at
//! its start, no empty component, and no prefix that only some settings of [`Rules::scheme_name`] take for a scheme.
//! All other references take the general path.

use super::general::is_never_relative;
use super::index::DelimiterIndex;
use super::masks::BLOCK;
use super::shape::{EMPTY, EMPTY_FRAGMENT, FRAGMENT, NETWORK, PARAMS, PATH, QUERY, ROOT, SHAPES};
use super::split::{http_length, matching_run, scheme_length};
use crate::resolution::Meaning;
use crate::rules::{
    AuthorityEnd, BaseFragment, DotdotRemoves, DotsInAbsolute, EmptyFragment, EmptyQuery, EmptyReference, Excess,
    Fragment, Host, LeadingSlashes, NeverRelative, Params, Query, QueryOnly, Rules, SameDocument, SameScheme,
    SchemeName, SlashBeforeQuery,
};

/// A target in two parts: the first `keep` bytes of the base, and the bytes of the reference from `from` on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Splice {
    /// Exceeds the length of the base if references of this shape take the general path.
    pub(super) keep: u32,
    pub(super) from: u8,
    /// The position at which a reference ends, or has its `#`, if its target is the base. At least [`BLOCK`] if that is
    /// not in the first block; 0 if no comparison is needed.
    pub(super) stop: u8,
    pub(super) meaning: Meaning,
}

impl Splice {
    /// The splice of a shape that takes the general path.
    pub(super) const NONE: Self = Self::keeping(u32::MAX as usize);

    /// The splice of a reference that is its own target.
    pub(super) const WHOLE: Self = Self::keeping(0);

    const fn keeping(keep: usize) -> Self {
        Self { keep: keep as u32, from: 0, stop: 0, meaning: Meaning::Retrieval }
    }

    /// Sets [`Splice::stop`] for a base whose fragment begins at `whole`.
    pub(super) fn set_stop(&mut self, whole: usize) {
        let stop = usize::from(self.from) + whole.wrapping_sub(self.keep as usize);
        // A stop of 0 occurs only for the shapes whose meaning is known; a stop after the first block is not compared
        // bit by bit.
        self.stop = if stop == 0 { 0 } else { stop.min(BLOCK + usize::from(self.from)) as u8 };
    }

    /// Compares the target with the base, without their fragments, and returns the meaning of the target.
    ///
    /// The fragment of the base begins at `whole`.
    #[inline(always)]
    pub(super) fn compared(&self, base: &[u8], whole: usize, reference: &[u8]) -> Meaning {
        let (keep, from) = (self.keep as usize, usize::from(self.from));
        let end = from + whole.wrapping_sub(keep);
        let ends = keep <= whole && (end == reference.len() || reference.get(end) == Some(&b'#'));
        if ends && base[keep..whole] == reference[from..end] { Meaning::SameDocument } else { self.meaning }
    }
}

/// The maximum number of leading `../` for which a base has a splice.
const MAX_CLIMB: usize = 10;

/// A base under a rule set: the positions of its components, from which splices are computed.
pub(super) struct Outline<'a, M> {
    rules: &'a Rules,
    base: &'a [u8],
    map: M,
    /// Where the base's fragment begins.
    pub(super) end: usize,
    /// `None` if all relative references take the general path.
    positions: Option<Positions>,
}

/// The positions of the components of a base that has a scheme: each field is where the component begins.
struct Positions {
    start: usize,
    path: usize,
    params: usize,
    query: usize,
    fragment: usize,
    /// Whether the rule set inserts a slash between the host and what follows it.
    bare: bool,
}

impl<'a, M: DelimiterIndex> Outline<'a, M> {
    #[inline(always)]
    pub(super) fn of(rules: &'a Rules, base: &'a [u8], map: M) -> Self {
        let end = map.hash(0, base.len());
        let positions = if base.len() < u32::MAX as usize { positions(rules, base, &map, end) } else { None };
        Self { rules, base, map, end, positions }
    }

    /// Returns the splices of all shapes.
    #[inline(always)]
    pub(super) fn splices(&self) -> [Splice; SHAPES] {
        let mut splices = [Splice::NONE; SHAPES];
        let Some(positions) = &self.positions else { return splices };
        if let Some(mut cut) = self.directory(positions) {
            let mut removed = 0;
            splices[PATH] = self.after_directory(cut, 0, 0);
            for (climb, splice) in splices[PATH..=PATH + MAX_CLIMB].iter_mut().enumerate().skip(1) {
                if let Some(parent) = self.parent(positions, cut) {
                    (cut, removed) = (parent, removed + 1);
                }
                *splice = self.after_directory(cut, climb, removed);
            }
        }
        for shape in [FRAGMENT, QUERY, PARAMS, ROOT, NETWORK, EMPTY_FRAGMENT, EMPTY] {
            splices[shape] = self.delimited(positions, shape, splices[PATH]);
        }
        splices
    }

    /// Returns the splice of one shape.
    #[inline(always)]
    pub(super) fn splice(&self, shape: usize) -> Splice {
        let Some(positions) = &self.positions else { return Splice::NONE };
        let climb = shape.saturating_sub(PATH);
        let mut splice = Splice::NONE;
        if let Some(mut cut) = self.directory(positions) {
            let mut removed = 0;
            while removed < climb
                && let Some(parent) = self.parent(positions, cut)
            {
                (cut, removed) = (parent, removed + 1);
            }
            splice = self.after_directory(cut, climb, removed);
        }
        if shape >= PATH { splice } else { self.delimited(positions, shape, splice) }
    }

    /// Returns the position of the path's last slash, if the path begins with a slash and has no dot segment before its
    /// last segment.
    #[inline(always)]
    fn directory(&self, positions: &Positions) -> Option<usize> {
        let last = self.map.last_slash(positions.path, positions.params)?;
        (self.base[positions.path] == b'/' && !self.map.dots(positions.path, last)).then_some(last)
    }

    /// Returns the position of the slash before the segment that ends at `cut`, if a `..` removes that segment.
    #[inline(always)]
    fn parent(&self, positions: &Positions, cut: usize) -> Option<usize> {
        self.map.last_slash(positions.path, cut).filter(|&before| {
            let named = cut - before > 1 && (before == positions.path || self.base[before - 1] != b'/');
            named || self.rules.dotdot_removes != DotdotRemoves::Named
        })
    }

    /// Returns the splice of a path after the slash at `cut`, if `removed` of the `climb` leading `..` remove a segment.
    #[inline(always)]
    fn after_directory(&self, cut: usize, climb: usize, removed: usize) -> Splice {
        let kept = if self.rules.excess == Excess::Kept { climb - removed } else { 0 };
        if kept > 1 && self.rules.dotdot_removes == DotdotRemoves::Any {
            // The second `..` that remains would remove the first.
            return Splice::NONE;
        }
        Splice { from: (3 * (climb - kept)) as u8, ..Splice::keeping(cut + 1) }
    }

    /// Returns the splice of a reference that begins with a delimiter; `plain` is the splice of a path.
    #[inline(always)]
    fn delimited(&self, positions: &Positions, shape: usize, plain: Splice) -> Splice {
        let rules = self.rules;
        let &Positions { start, path, params, query, fragment, bare } = positions;
        let empty_params = query - params == 1 && rules.params == Params::SetAside;
        match (shape, rules.leading_slashes) {
            (ROOT, LeadingSlashes::HostOrRoot) => Splice::keeping(path),
            (NETWORK, LeadingSlashes::HostOrRoot) => {
                if may_supply_slash(rules) {
                    Splice::NONE
                } else {
                    Splice::keeping(start)
                }
            }
            (ROOT | NETWORK, LeadingSlashes::MatchingRun) => {
                let to = if rules.query == Query::Ordinary { fragment } else { self.map.query(start, fragment) };
                let run = matching_run(&self.base[start..to], shape - ROOT + 1);
                run.map_or(Splice::NONE, |at| Splice::keeping(start + at))
            }
            (QUERY, _) => match (rules.query, rules.query_only) {
                (Query::Ordinary | Query::EndsBasePath, _) | (_, QueryOnly::DropsLastSegment) => plain,
                _ if bare || empty_params => Splice::NONE,
                _ => Splice::keeping(query),
            },
            (PARAMS, _) => match rules.params {
                Params::InSegment => plain,
                Params::SetAside if bare => Splice::NONE,
                Params::SetAside => Splice::keeping(params),
            },
            _ => {
                let empty_query = fragment - query == 1 && rules.empty_query == EmptyQuery::Dropped;
                let whole =
                    rules.empty_reference == EmptyReference::Base && rules.base_fragment == BaseFragment::Inherited;
                let taken = shape == EMPTY && whole;
                let splice = match (rules.fragment, rules.empty_reference) {
                    (Fragment::Ordinary, _) if shape != EMPTY => plain,
                    (_, EmptyReference::LastPartCut) => plain,
                    _ if taken => Splice::keeping(self.base.len()),
                    _ if empty_query || empty_params || bare && fragment > params => Splice::NONE,
                    _ => Splice::keeping(fragment),
                };
                let same_document = match rules.same_document {
                    SameDocument::Unspecified => false,
                    SameDocument::ByForm => true,
                    SameDocument::ByComparison => taken || splice.keep as usize == self.end,
                };
                let dropped = rules.fragment == Fragment::SetAside && rules.empty_fragment == EmptyFragment::Dropped;
                Splice {
                    from: u8::from(shape == EMPTY_FRAGMENT && dropped),
                    meaning: if same_document { Meaning::SameDocument } else { Meaning::Retrieval },
                    ..splice
                }
            }
        }
    }
}

/// Finds the components of a base whose fragment begins at `end`.
#[inline(always)]
fn positions(rules: &Rules, base: &[u8], map: &impl DelimiterIndex, end: usize) -> Option<Positions> {
    let scheme = http_length(base).or_else(|| scheme_length(rules.scheme_name, base))?;
    if rules.never_relative == NeverRelative::Listed && is_never_relative(&base[..scheme]) {
        return None;
    }
    let hash_in_path = end < base.len() && rules.fragment == Fragment::Ordinary;
    if hash_in_path && rules.same_document == SameDocument::ByComparison {
        return None;
    }
    let start = scheme + 1;
    let fragment = if hash_in_path { base.len() } else { end };
    let has_authority = rules.host == Host::SetApart && base[start..fragment].starts_with(b"//");
    let path = if !has_authority {
        start
    } else {
        let slash = map.slash(start + 2, fragment);
        match rules.authority_end {
            AuthorityEnd::Slash => slash,
            AuthorityEnd::SlashOrQuery => map.query(start + 2, map.hash(start + 2, slash)),
        }
    };
    let query = if rules.query == Query::Ordinary { fragment } else { map.query(path, fragment) };
    let params = if rules.params == Params::InSegment { query } else { map.params(path, query) };
    let bare = has_authority && path == params && rules.slash_before_query == SlashBeforeQuery::Supplied;
    Some(Positions { start, path, params, query, fragment, bare })
}

/// Returns whether the rule set may insert a slash after the host of a reference.
fn may_supply_slash(rules: &Rules) -> bool {
    rules.slash_before_query == SlashBeforeQuery::Supplied && rules.authority_end == AuthorityEnd::SlashOrQuery
}

/// How a rule set treats references with a scheme.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SchemeHandling {
    /// Whether one may be common.
    pub(super) eligible: bool,
    /// Whether dot segments are removed from such a reference.
    pub(super) dots: bool,
    /// The length of the base's scheme, if the rule set drops an equal scheme from the reference; 0 otherwise.
    pub(super) dropped: usize,
    /// Whether a scheme that is dropped before an authority is restored from the base.
    pub(super) restored: bool,
}

impl SchemeHandling {
    #[inline(always)]
    pub(super) fn of(rules: &Rules, base: &[u8]) -> Self {
        let dots = rules.dots_in_absolute == DotsInAbsolute::Removed;
        let dropped = match rules.same_scheme {
            SameScheme::Absolute => None,
            SameScheme::Relative => http_length(base).or_else(|| scheme_length(rules.scheme_name, base)),
        };
        Self {
            eligible: !(base.is_empty() || dots && may_supply_slash(rules)),
            dots,
            dropped: dropped.unwrap_or(0),
            restored: rules.leading_slashes == LeadingSlashes::HostOrRoot && !may_supply_slash(rules),
        }
    }

    /// Returns whether `reference`, which has a `:` before its first slash, has a scheme under every rule set and is
    /// its own target under this one.
    #[inline(always)]
    pub(super) fn is_copied(&self, base: &[u8], reference: &[u8]) -> bool {
        let Some(length) = http_length(reference).or_else(|| scheme_length(SchemeName::LetterFirst, reference)) else {
            return false;
        };
        let after = &reference[length + 1..];
        if !self.eligible || self.dots && after.first() == Some(&b'.') {
            return false;
        }
        let dropped = self.dropped;
        if dropped == length && base[..dropped].eq_ignore_ascii_case(&reference[..length]) {
            let is_host = !matches!(after.get(2), None | Some(b'/' | b'#' | b'?' | b';'));
            let authority = after.starts_with(b"//") && is_host;
            return authority && self.restored && base[..dropped] == reference[..length];
        }
        true
    }
}
