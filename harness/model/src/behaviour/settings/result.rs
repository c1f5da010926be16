//! Dot segments and the written result: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! result_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*
            /// Is a segment with percent-encoded dots a dot segment?
            encoded_dots: EncodedDots {
                /// It is a segment like any other.
                Ordinary,
                /// It is a dot segment (URL Standard §4.4 path state; RFC 3986 §6.2.2.3 after §6.2.2.2).
                DotSegment,
                /// It is a segment like any other, and decoded when dot segments have been removed.
                DecodedLater,
                /// It is a segment like any other while a relative path is merged with the base's; then it is a dot segment.
                DotSegmentLater,
            }

            /// What follows a segment of three or more dots at the end of a path?
            three_dots: ThreeDots {
                /// Nothing: it is a segment like any other.
                Ordinary,
                /// A slash.
                SlashAtEnd,
            }

            /// Which dot segments are removed?
            dots_removed: DotsRemoved {
                /// All of them (RFC 3986 §5.2.4).
                All,
                /// Those at the start of the reference; the others and those of the base are kept.
                Leading,
                /// All of them, as parts of the text: `..` takes the segment before it, with the empty segments before that, but
                /// not the first character of the path.
                AsText,
                /// Those before the first empty segment; the path is kept from there.
                BeforeEmpty,
                /// None of them.
                None,
            }

            /// What happens to empty segments?
            empty_segments: EmptySegments {
                /// They are kept.
                Kept,
                /// They are removed.
                Removed,
                /// They are removed, except the last and one after a dot segment that leaves only the root or is kept.
                RemovedUnlessAfterDots,
                /// They are removed from a merged path, except the first and the last.
                InnerRemovedIfMerged,
                /// They are removed at the start after dot segments, except the last (URL Standard §4.4 path state, until
                /// 47efa00).
                LeadingRemoved,
                /// They are kept, but one at the start is removed if a dot segment that is not at the end leaves nothing else.
                LoneRemoved,
            }

            /// What remains of a `.` segment at the end?
            trailing_dot: TrailingDot {
                LeavesSlash,
                TakesSlash,
                /// It leaves a slash, unless the path before it ends in two.
                LeavesOneSlash,
                /// It leaves a slash, and is kept if nothing else is left.
                StaysAlone,
                /// It is kept.
                Kept,
            }

            /// What happens to a `.` segment at the start of a path without a leading slash?
            leading_dot: LeadingDot {
                Removed,
                Kept,
                /// It is removed, but not the slash after it.
                LeavesSlash,
            }

            /// What happens to a `..` segment at the end?
            trailing_dotdot: TrailingDotdot {
                Resolved,
                Kept,
                /// It leaves a slash, unless what remains ends in one.
                LeavesOneSlash,
                /// It is kept, unless only the root precedes it: then it is removed with the root.
                KeptUnlessAtRoot,
            }

            /// Is a dot segment at the end of a path removed before a query or fragment?
            dots_before_query: DotsBeforeQuery {
                /// It is.
                Removed,
                /// It is kept.
                Kept,
            }

            /// Is a `.` segment of the base's path removed if a relative path replaces the last segment?
            base_dot: BaseDot {
                /// It is (RFC 3986 §5.2.4).
                Removed,
                /// It is, before a slash and the reference are appended; one at the end leaves a second slash.
                RemovedFirst,
                /// It is kept.
                Kept,
                /// It is kept, and so is a `..` segment.
                AllKept,
            }

            /// Which segments does a `..` segment remove?
            dotdot_removes: DotdotRemoves {
                Any,
                NotDotdot,
                Named,
                /// A segment that is neither empty nor `..`.
                NotEmptyNorDotdot,
            }

            /// What happens to a `..` segment if no segment is left to remove?
            excess: Excess {
                Dropped,
                Kept,
                /// It is kept in a path that does not begin with a slash.
                KeptInRootless,
                /// It is kept if it is the last one.
                KeptAtEnd,
                /// It is kept in a path that does not begin with a slash, and a slash follows it at the end.
                KeptInRootlessWithSlash,
                /// It is dropped, and the slash after it begins the path.
                LeavesSlash,
            }

            /// Can a `..` segment remove the root?
            root: Root {
                /// It cannot.
                Fixed,
                /// It removes the slash at the start; a slash is written again at the end.
                Removable,
                /// It removes the slash at the start.
                RemovableForGood,
            }

            /// What remains if `..` removes the first segment of a path without a leading slash?
            rootless_first: RootlessFirst {
                LeavesSlash,
                LeavesNothing,
                /// The segment is not removed, not even by a `..` segment at the end.
                AlwaysStays,
                /// The segment is not removed, and the `..` segment is dropped.
                StaysAlone,
                /// The segment is not removed, even if it is a dot segment, and the `..` segment is dropped.
                StaysAsWritten,
            }

            /// Does a path without a leading slash get one when dot segments are removed?
            rootless_path: RootlessPath {
                /// It does not.
                Kept,
                /// It gets a slash.
                Slash,
                /// It does not, and a slash that dot segments leave at its start is dropped.
                SlashDropped,
                /// It does not, and all slashes that dot segments leave at its start are dropped.
                SlashesDropped,
            }

            /// What remains if dot segments are removed from a path and nothing else is left?
            empty_result: EmptyResult {
                /// An empty path.
                Empty,
                /// A slash.
                Slash,
                /// A `.`, if the path does not begin with a slash.
                Dot,
            }

            /// What is written between a host and a path that does not begin with a slash?
            host_and_path: HostAndPath {
                /// Nothing.
                Nothing,
                /// A slash.
                Slash,
            }

            /// What is written for an empty path after a host?
            empty_path: EmptyPath {
                /// Nothing.
                Nothing,
                /// A slash (URL Standard §4.4 path start state; RFC 3986 §6.2.3).
                Slash,
                /// A slash, unless the authority is empty.
                SlashAfterHost,
                /// A slash, unless the authority is empty or absent; a path that is a slash is then written as an empty one.
                SlashOnlyAfterHost,
                /// A slash if a query or fragment follows, and the authority is not empty.
                SlashBeforeQueryOrFragment,
                /// A slash if a query or fragment follows, also without an authority.
                SlashBeforeOthersAlways,
                /// A slash, also without a host.
                SlashWithoutHostToo,
            }

            /// What is written before the authority of a result without a scheme?
            authority_alone: AuthorityAlone {
                /// Two slashes (RFC 3986 §5.3).
                Slashes,
                /// A colon and two slashes.
                ColonAndSlashes,
                /// `http:` and two slashes, if the authority is not empty.
                AfterHttp,
                /// Nothing, and of the authority only a port of digits is written.
                OnlyPort,
            }

            /// How is a path written that begins with two slashes without an authority?
            two_slashes: TwoSlashes {
                /// As it is.
                Plain,
                /// After `/.` (URL Standard §4.5 URL serializing, step 3).
                AfterDot,
                /// After `/.`, even if an empty authority precedes it.
                AfterDotAlways,
                /// After `/.`, even after an authority if it was merged with the base's path.
                AfterDotIfMerged,
                /// It is rejected (RFC 3986 §3.3).
                Rejected,
                /// After an empty authority.
                AfterEmptyAuthority,
                /// With one slash.
                Collapsed,
            }

            /// Is a colon in the first segment of a relative reference accepted if another segment follows?
            first_colon: FirstColon {
                /// It is.
                Accepted,
                /// It is rejected.
                Rejected,
            }

            /// How is a relative result written whose first segment contains a colon?
            colon_in_first: ColonInFirst {
                /// As it is.
                Plain,
                /// After `./` (RFC 3986 §4.2).
                AfterDot,
                /// After `./`, if text precedes the colon.
                AfterDotUnlessFirst,
                /// It is rejected.
                Rejected,
            }

            /// When is an empty authority written?
            written_empty_authority: WrittenEmptyAuthority {
                /// If the authority is empty.
                AsGiven,
                /// Never.
                Never,
                /// Always if there is a scheme (URL Standard §4.4 file state).
                Always,
                /// If the authority is empty, or the path begins with a slash.
                WithRootedPath,
                /// If the path begins with a slash.
                OnlyBeforeRootedPath,
                /// If the authority is empty, and the path is empty or begins with a single slash.
                BeforeSingleSlash,
                /// Always if there is a scheme, unless the path begins with two slashes.
                UnlessTwoSlashes,
            }
        } }
    };
}
