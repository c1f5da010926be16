//! Schemes, bases and the form of the reference: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! scheme_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*

            /// Is the scheme accepted?
            scheme_accepted: SchemeAccepted {
                /// It is accepted.
                Accepted,
                /// It is rejected.
                Rejected,
            }

            /// What must follow a scheme and its colon?
            scheme_followed_by: SchemeFollowedBy {
                /// Anything may follow.
                Anything,
                /// Two slashes; otherwise the prefix is not a scheme.
                TwoSlashes,
            }

            /// Does the result of an absolute reference of this class depend on the base?
            absolute_depends: AbsoluteDepends {
                /// It may depend on the base.
                OnBase,
                /// The base is not examined.
                OnNothing,
            }

            /// What happens to an absolute reference if the base is of this class?
            absolute_against: AbsoluteAgainst {
                /// It is parsed by the rules of its own scheme.
                Parsed,
                /// It is parsed by the rules of its own scheme, but its dot segments are kept.
                ParsedDotsKept,
                /// It is parsed as without a base.
                LikeAlone,
                /// It is returned unchanged.
                Unchanged,
                /// It is rejected.
                Rejected,
            }

            /// Does a reference with a scheme and without an authority inherit the base's authority?
            absolute_without_authority: AbsoluteWithoutAuthority {
                /// It does not.
                InheritsNothing,
                /// It does if its path begins with a slash; otherwise it is rejected.
                Inherits,
            }

            /// Is the base examined before an absolute reference?
            base_checked: BaseChecked {
                /// An invalid base is rejected even with an absolute reference, and with one that is returned without it.
                Always,
                /// A reference that is absolute or returned without the base does not need a valid one.
                ForRelative,
            }

            /// What happens to an invalid base?
            base_invalid: BaseInvalid {
                /// The pair is rejected.
                Rejected,
                /// The pair is rejected, unless the reference has an authority or is appended to the text of the base.
                RejectedIfInherited,
                /// The reference is written without the base if it is valid and not empty; otherwise it is rejected.
                ValidReference,
                /// An authority or path that would be rejected in a reference is absent. Of an invalid port, the digits at its
                /// start are used, as a number of 32 bits. A path that is merged with an absent one begins with a slash.
                PartsDropped,
            }

            /// What happens to a reference that is not valid?
            reference_invalid: ReferenceInvalid {
                /// The pair is rejected.
                Rejected,
                /// The reference is returned unchanged.
                Reference,
                /// The reference is returned unchanged after cleaning.
                ReferenceCleaned,
                /// The base is returned without its fragment if the reference is relative; otherwise the pair is rejected.
                Base,
                /// It is a path, even what precedes its colon; a reference without a scheme is rejected.
                Path,
            }

            /// In which form is the base used?
            base_form: BaseForm {
                /// It is used as it is written.
                Written,
                /// Its dot segments are removed first.
                DotsRemoved,
                /// It is parsed like an absolute reference first (URL Standard §4.4, whose base is a URL record).
                Parsed,
                /// It is parsed like an absolute reference first, but its dot segments are kept.
                ParsedDotsKept,
                /// It is parsed and written like a reference to an unknown base first, and that text is the base.
                WrittenAgain,
            }

            /// Is a part of a base without an authority kept like a host?
            base_prefix: BasePrefix {
                /// It is not.
                None,
                /// The part before the first slash is.
                BeforeSlash,
                /// The whole path is.
                Whole,
                /// The part up to the first two slashes and the next segment is; without two slashes the whole path is.
                ThroughSlashes,
                /// The part up to the first two slashes and the next segment is; without two slashes the whole path is. An
                /// authority after it is dropped, and the whole path with an invalid one, if the path is merged.
                ThroughSlashesThenParsed,
                /// Two slashes and backslashes at the start are, with the text up to the next slash; without one, the query and
                /// the fragment as well, and the query is inherited again. Backslashes before an empty host are rejected.
                AfterBackslashes,
            }

            /// What happens to an empty path of a base with a host?
            base_empty_path: BaseEmptyPath {
                /// It stays empty.
                Kept,
                /// It becomes a slash.
                Slash,
            }

            /// Is a base with a fragment accepted?
            base_with_fragment: BaseWithFragment {
                /// It is accepted, and the fragment is ignored.
                Accepted,
                /// It is rejected: an absolute URI does not have a fragment (RFC 3986 §4.3).
                Rejected,
            }

            /// What happens to an empty query of the base?
            base_empty_query: BaseEmptyQuery {
                /// It is kept.
                Kept,
                /// It is dropped.
                Dropped,
            }

            /// Is a reference with the base's scheme absolute?
            same_scheme: SameScheme {
                Absolute,
                Relative,
                /// It is relative unless two slashes follow the scheme (URL Standard §4.4 special relative or authority state).
                RelativeUnlessTwoSlashes,
            }

            /// Is a reference relative to a base with another scheme?
            foreign_base: ForeignBase {
                /// It is absolute.
                Ignored,
                /// It is relative to a base with any scheme (URL Standard §4.4 scheme state, for `file` until 09cd673).
                Inherited,
                /// It is relative to a base with any scheme and an authority, unless two slashes follow its scheme; the result
                /// has the base's scheme.
                InheritedWithScheme,
                /// It is relative to any base, also one without a scheme, unless it has a host.
                InheritedWithoutHost,
                /// It is relative to any base, also one without a scheme, unless two slashes follow its scheme; the result has the
                /// base's scheme.
                InheritedByAny,
            }

            /// How are the two schemes compared?
            scheme_comparison: SchemeComparison {
                /// Case is ignored.
                CaseIgnored,
                /// They must be written alike.
                Exact,
            }

            /// What happens to a relative reference?
            relative: Relative {
                /// It is resolved.
                Resolved,
                /// It is returned unchanged.
                Reference,
                /// It is returned unchanged if it and the base are valid.
                ReferenceIfValid,
                /// It is returned unchanged if it and the base are valid. If it has an authority that is not empty, its dot
                /// segments are removed, and it is written from its components.
                ReferenceOrNormalized,
                /// It is rejected (URL Standard §4.4 no scheme state).
                Rejected,
                /// It is rejected, unless the base's path begins with a backslash.
                RejectedUnlessBackslash,
                /// It is appended to the text of the base up to its last slash, even one in its query; then `../` is removed with
                /// the segment before it, and `./` even after other characters. A base without a colon is ignored.
                TextReplaced,
                /// It is parsed and written without a base.
                Written,
                /// It is parsed and written after the base's scheme.
                WrittenAfterScheme,
            }

            /// Which references are resolved even if other relative references are not?
            exempt: Exempt {
                /// The empty reference and fragments.
                EmptyAndFragment,
                /// The empty reference, fragments and queries.
                EmptyFragmentAndQuery,
                /// Fragments.
                Fragment,
                /// The empty reference.
                Empty,
                /// None.
                None,
            }

            /// What is the target of a reference that is empty or consists of a fragment?
            empty_reference: EmptyReference {
                Base,
                LastPartCut,
                /// The base if there is a fragment; otherwise the base without its last segment.
                BaseIfFragment,
            }

            /// In which form is the base returned for the empty reference?
            empty_form: EmptyForm {
                /// It is written from its components.
                Written,
                /// It is returned unchanged, without being examined; also for a reference that consists of its scheme.
                Unchanged,
                /// It is returned unchanged, without being examined. For a reference that consists of its scheme, it is written
                /// from its components, without its fragment.
                UnchangedWithoutScheme,
                /// It is returned unchanged, if it is valid.
                UnchangedIfValid,
                /// It is returned unchanged after cleaning, if it is valid.
                Cleaned,
            }

            /// Is a scheme accepted that is followed by nothing?
            scheme_only: SchemeOnly {
                /// It is accepted.
                Accepted,
                /// It is rejected, and so is one that only a fragment follows.
                RejectedBeforeFragment,
            }

            /// What happens to `?` and `#` directly after the scheme of an absolute reference?
            marks_after_scheme: MarksAfterScheme {
                /// They begin the query and the fragment.
                Kept,
                /// They are dropped (URL Standard §4.4 file state, until 698f3e8).
                Dropped,
            }

            /// How are characters written that a scheme cannot have (RFC 3986 §3.1)?
            scheme_characters: SchemeCharacters {
                /// As they are written.
                Kept,
                /// The escapes of the scheme are decoded, and then these characters are percent-encoded.
                Encoded,
                /// The escapes of the scheme are decoded, and then the characters are percent-encoded that a user name cannot have
                /// (RFC 2396 §3.2.2). A malformed escape is rejected.
                EncodedLikeUser,
            }

            /// In which case is the scheme written?
            scheme_case: SchemeCase {
                /// As it is written.
                Kept,
                /// In lower case (URL Standard §4.4 scheme state; RFC 3986 §6.2.2.1).
                Lower,
            }
        } }
    };
}
