//! Drive letters, paths, their dot segments, and the written result: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! path_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*

            /// Are drive letters roots?
            drive_letters: DriveLetters {
                /// They are segments like any other.
                Ordinary,
                /// They are roots, which dot segments do not remove (URL Standard §4.4 file state, §4.1 shorten a path).
                Roots,
                /// They are roots, and they remove the host (URL Standard §4.4 path state, until 47efa00).
                RootsWithoutHost,
                /// They are segments like any other, but one that begins the path is written with a colon (URL Standard §4.4 path
                /// state, until 09cd673).
                WithColon,
                /// They are roots, and they remove a host that the same reference contains.
                RootsWithoutOwnHost,
                /// A path that begins with one is rejected.
                Rejected,
                /// A path of a base or a reference that begins with one is rejected before its dot segments are removed.
                RejectedAsWritten,
                /// After three slashes, a character and a colon begin a path without a leading slash.
                WithoutSlash,
                /// They are segments like any other, but the colon of one that begins the path is not percent-encoded.
                ColonKept,
                /// They are roots after any number of slashes if a slash follows, also in place of a host; without it, a text
                /// that begins with one is rejected.
                RootsBeforeSlash,
            }

            /// What ends a drive letter at the start of a path?
            drive_end: DriveEnd {
                /// A delimiter or the end of the path (URL Standard §4.2 start with a Windows drive letter).
                Delimiter,
                /// A delimiter, the end of the path, or a character that is removed everywhere.
                RemovedToo,
                /// A slash or the end of the reference. Before a query or fragment, the letter replaces the base's path as it is
                /// written.
                SlashOrEnd,
            }

            /// Which drive letters does a `..` segment not remove?
            fixed_drives: FixedDrives {
                /// The root (URL Standard §4.1 shorten a path).
                Root,
                /// All segments that are a drive letter or continue it with a backslash.
                All,
            }

            /// What happens to the last segment of the base's path if it is a drive letter and not the root?
            last_drive: LastDrive {
                /// It is replaced like any other.
                Replaced,
                /// It is kept, and the reference is appended to it.
                Extended,
            }

            /// What precedes the path after an empty host?
            empty_host_path: EmptyHostPath {
                /// Nothing.
                Nothing,
                /// An empty segment, so that the path does not begin with a drive letter.
                EmptySegment,
                /// Nothing, but an empty path is a slash.
                SlashIfEmpty,
            }

            /// Is a drive letter at the end of a reference a root?
            drive_at_end: DriveAtEnd {
                /// It is.
                Root,
                /// It is a segment that is merged with the base's path (URL Standard §4.4 file state, until fe6b251).
                Segment,
            }

            /// Which references with a leading slash inherit the drive letter of the base?
            inherited_drive: InheritedDrive {
                /// Those that do not begin with a drive letter (URL Standard §4.4 file slash state).
                UnlessOwn,
                /// All (URL Standard §4.4 file slash state, until 2eef975).
                Always,
                /// None.
                Never,
            }

            /// Does a reference that begins with one slash inherit the base's host?
            rooted_host: RootedHost {
                /// It does.
                Inherited,
                /// It does, unless it or the base's path begins with a drive letter (URL Standard §4.4 file slash state, until
                /// 47efa00).
                UnlessDrive,
                /// It does not (URL Standard §4.4 file slash state, until 6103e0a).
                NotInherited,
            }

            /// Does a path without a leading slash get one if it follows a scheme?
            path_after_scheme: PathAfterScheme {
                /// It does not.
                Kept,
                /// It gets a slash before dot segments are removed (URL Standard §4.4 path start state).
                Slash,
            }

            /// Which tables of characters apply to an absolute reference?
            tables_used: TablesUsed {
                /// Those of its scheme.
                OfScheme,
                /// Those of relative references to an unknown base.
                OfNoScheme,
                /// Those of its scheme. A base that is parsed like one has the tables of bases.
                OfBase,
            }

            /// Are dot segments removed from a reference that has a scheme?
            dots_in_absolute: DotsInAbsolute {
                Removed,
                Kept,
                /// Dot segments are removed if the path begins with a slash.
                RemovedIfRooted,
                /// Dot segments are removed if there is an authority that is not empty.
                RemovedIfAuthority,
                /// Dot segments are kept, but the reference is written from its components.
                KeptInComponents,
                /// Dot segments are kept: the reference is copied as it was before cleaning.
                KeptUncleaned,
                /// Dot segments are kept: the reference is copied with the characters that cleaning removes at its end; one with
                /// such characters at its start is rejected.
                KeptUntrimmed,
                /// Dot segments are removed after the first slash that follows the authority, even if it is in the query or
                /// fragment; one before a question mark or number sign takes its slash.
                RemovedFromText,
            }

            /// Are dot segments removed from a reference that has an authority?
            dots_in_network_path: DotsInNetworkPath {
                Removed,
                Kept,
                /// Dot segments are removed if the scheme of the base precedes the authority.
                RemovedAfterScheme,
                /// Dot segments are removed; one at the end takes the slash before it.
                RemovedWithSlash,
                /// Dot segments are removed after the first slash; without a path it is one of the query or fragment.
                RemovedAfterAnySlash,
            }

            /// Are dot segments removed from a reference that begins with a slash?
            dots_in_rooted_path: DotsInRootedPath {
                Removed,
                Kept,
                /// Dot segments are removed if a slash follows one of them.
                RemovedIfInner,
                /// Dot segments are removed; one at the end takes the slash before it.
                RemovedWithSlash,
                /// Dot segments are removed if the base has a host.
                RemovedAfterHost,
            }

            /// Are dot segments removed from the result, as if it were a path?
            dots_in_result: DotsInResult {
                /// They are not.
                Kept,
                /// They are.
                Removed,
            }

            /// Does a reference with an authority inherit parts of the base's authority?
            inherited_authority: InheritedAuthority {
                /// It inherits nothing.
                None,
                /// It inherits the userinfo and the port that it does not have.
                UserinfoAndPort,
                /// It inherits the port that it does not have.
                Port,
                /// It inherits the userinfo that it does not have.
                Userinfo,
            }

            /// What is the path of a reference that has an authority and no path?
            path_after_authority: PathAfterAuthority {
                /// It is empty (RFC 3986 §5.2.2).
                Empty,
                /// It is the base's, and so is the query if the reference does not have one.
                Inherited,
                /// It is the base's if the authority is empty; otherwise it is empty.
                InheritedAfterEmpty,
            }

            /// Does a reference without an authority inherit the base's host?
            inherited_host: InheritedHost {
                /// It does (RFC 3986 §5.2.2).
                Inherited,
                /// It does not, unless it is empty: the base's port follows an empty host.
                NotInherited,
            }

            /// Does a reference without an authority inherit the base's userinfo?
            inherited_userinfo: InheritedUserinfo {
                /// It does.
                Inherited,
                /// It does not (URL Standard §4.4 relative state, until 06b2e68).
                NotInherited,
            }

            /// Does a reference without a path and a query inherit the base's query?
            base_query: BaseQuery {
                /// It does (RFC 3986 §5.2.2).
                Inherited,
                /// It does not.
                NotInherited,
            }

            /// Does an empty reference inherit the base's fragment?
            base_fragment: BaseFragment {
                NotInherited,
                Inherited,
                /// The fragment is inherited by an empty reference and by a `#`.
                InheritedIfAbsent,
                /// The fragment is inherited whenever the path is.
                InheritedWithPath,
                /// The fragment is inherited by an empty reference, but not by one that consists of a scheme.
                InheritedWithoutScheme,
            }

            /// What happens to the last segment of the base's path if the reference begins with its query?
            query_only: QueryOnly {
                KeepsLastSegment,
                DropsLastSegment,
                /// The last segment is removed, and dot segments are kept.
                DropsLastSegmentKeepsDots,
                /// The last segment is removed, and dot segments are kept; an empty path is a slash.
                DirectoryOrSlash,
                /// The reference is resolved with the base's path before it, so that slashes can begin an authority.
                ResolvedWithPath,
                /// The reference is appended to the base as it is written, up to its first question mark.
                AppendedToText,
            }

            /// Are the tables of characters applied to the base's path if the reference does not have a path?
            inherited_path: InheritedPath {
                /// They are.
                WithTables,
                /// They are not: the path is copied as it is written.
                AsWritten,
                /// They are, and several slashes at its start become one.
                WithOneSlash,
            }

            /// Does the table of characters change the path of a URL without a host?
            path_without_host: PathWithoutHost {
                /// It does.
                ByTable,
                /// It does not: it only rejects characters.
                AsWritten,
            }

            /// To which part of the base's path are the tables of characters applied?
            base_path_tables: BasePathTables {
                /// To the whole path, before it is used.
                Whole,
                /// To the part that is merged with a relative path.
                Merged,
            }

            /// Which table of characters applies to a base's path that ends with a slash?
            slash_ended_base: SlashEndedBase {
                /// That of other bases.
                LikeOthers,
                /// That of a path that the reference inherits.
                LikeInherited,
            }

            /// Are the dot segments of the base's path removed if the reference does not have a path?
            inherited_dots: InheritedDots {
                /// They are kept.
                Kept,
                /// They are removed.
                Removed,
                /// They are removed if the reference has a query.
                RemovedUnderQuery,
                /// They are removed unless the reference is empty.
                RemovedUnlessEmpty,
            }

            /// How is a relative path merged with a base that has a host and no path?
            bare_host: BareHost {
                SlashBeforeDots,
                SlashDotsKept,
                SlashAfterDots,
                NoSlash,
                /// The relative path is dropped.
                PathDropped,
                /// A slash is inserted after a host before dot segments are removed. After an empty authority it is not, and a
                /// slash at the start of a reference is dropped.
                SlashAfterHost,
            }

            /// How is a relative path merged with a base that consists of a scheme?
            scheme_alone: SchemeAlone {
                NoSlash,
                SlashDotsKept,
                /// A slash is inserted between them; then dot segments are removed.
                SlashBeforeDots,
                /// It is not: the pair is rejected, also if the base is empty.
                Rejected,
            }

            /// Is a relative path merged with the base's path?
            base_path: BasePath {
                /// It is.
                Used,
                /// The base's path is ignored.
                Ignored,
            }

            /// How is a relative path merged with a base whose path does not contain a slash?
            slashless_base: SlashlessBase {
                /// The base's path is replaced.
                Replaced,
                /// The base's path is replaced, and a slash is inserted.
                ReplacedAfterSlash,
                /// A slash is inserted between them.
                Extended,
                /// The base's path is replaced, and dot segments are kept.
                ReplacedDotsKept,
                /// The last character of the base's path is replaced by a slash.
                LastCharacterReplaced,
                /// The reference is appended to the path.
                Appended,
            }

            /// What happens to the slash at the start of a reference if the base has a path without one?
            rootless_base: RootlessBase {
                /// It is kept (RFC 3986 §5.2.2).
                KeepsSlash,
                /// It is dropped.
                DropsSlash,
            }

            /// Are dot segments at the start of a result's path removed, after all others?
            leading_dots: LeadingDots {
                /// They are not removed again.
                Kept,
                /// They are removed if a slash precedes and follows them.
                Removed,
            }

            /// What precedes a path that begins with a slash if the base is unknown?
            unknown_root: UnknownRoot {
                /// Nothing.
                Nothing,
                /// The word `undefined`, which an absent value becomes in JavaScript.
                Undefined,
            }

            /// What happens to percent signs in the path of a network-path reference (RFC 3986 §4.2)?
            network_path: NetworkPath {
                /// The same as in other paths.
                LikeOthers,
                /// They are kept.
                PercentKept,
            }

            /// Is a slash inserted between a host and the query or parameters if the path is empty?
            slash_before_query: SlashBeforeQuery {
                NotSupplied,
                Supplied,
            }

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

            /// What happens to a percent sign whose digits the end of a component, or of a segment, cuts off?
            cut_escape: CutEscape {
                /// The same as to others without two digits.
                LikeOthers,
                /// It is dropped, with the first digit if there is one.
                Dropped,
            }

            /// Is a segment of three dots a dot segment?
            three_dots: ThreeDots {
                /// It is a segment like any other.
                Ordinary,
                /// It is removed like a segment of one dot.
                DotSegment,
                /// It is a segment like any other, but it and one of more dots are followed by a slash at the end of a path.
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
                /// One or two dots before a slash, even at the end of a segment, whose other characters begin the next one; `..`
                /// removes the segment before it.
                BeforeSlash,
                /// None of them.
                None,
            }

            /// What happens to empty segments?
            empty_segments: EmptySegments {
                /// They are kept.
                Kept,
                /// They are removed.
                Removed,
                /// They are removed, except the first and the last.
                InnerRemoved,
                /// They are removed from a merged path, except the first and the last.
                InnerRemovedIfMerged,
                /// They are removed at the start after dot segments, except the last (URL Standard §4.4 path state, until
                /// 47efa00).
                LeadingRemoved,
            }

            /// What remains of a `.` segment at the end?
            trailing_dot: TrailingDot {
                LeavesSlash,
                TakesSlash,
                /// It leaves a slash, unless the path before it ends in two.
                LeavesOneSlash,
                /// It leaves a slash, and is kept if nothing else is left.
                StaysAlone,
                /// It leaves a slash, as does a `..` segment, and the slash replaces a question mark or number sign after it.
                ReplacesDelimiter,
                /// It is kept.
                Kept,
            }

            /// What happens to a `.` segment at the start of a path that has no leading slash?
            leading_dot: LeadingDot {
                Removed,
                Kept,
                /// One or two dots at the start are removed even if other characters follow them.
                DotsRemoved,
            }

            /// What happens to a `..` segment at the end?
            trailing_dotdot: TrailingDotdot {
                Resolved,
                Kept,
                /// It removes the segment before it and the slash between them.
                TakesSlash,
                /// It leaves a slash, unless what remains ends in one.
                LeavesOneSlash,
                /// It removes the segment before it and the slash between them, or the root if no segment remains.
                TakesSlashOrRoot,
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
                /// It removes the slash at the start; a slash is written again at the end, unless nothing but an empty segment
                /// follows the `..` segment.
                RemovableBeforeEmpty,
            }

            /// What remains if `..` removes the first segment of a path that has no leading slash?
            rootless_first: RootlessFirst {
                LeavesSlash,
                LeavesNothing,
                /// The segment is not removed.
                Stays,
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
            }

            /// What remains if dot segments are removed from a path and nothing else is left?
            empty_result: EmptyResult {
                /// An empty path.
                Empty,
                /// A slash.
                Slash,
                /// A `.` and a slash, if the path does not begin with a slash.
                DotSlash,
                /// A `.`, if the path does not begin with a slash.
                Dot,
                /// A `.`, if the path does not begin with a slash, and no query or fragment follows.
                DotIfLast,
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
                /// A slash if a query follows.
                SlashBeforeQuery,
                /// A slash if a query or fragment follows, and the authority is not empty.
                SlashBeforeQueryOrFragment,
                /// A slash if a query or fragment follows, also without an authority.
                SlashBeforeOthersAlways,
                /// A slash, also if there is no host.
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
                /// Nothing.
                Nothing,
            }

            /// How is a path written that begins with two slashes without an authority?
            two_slashes: TwoSlashes {
                /// As it is.
                Plain,
                /// After `/.` (URL Standard §4.5 URL serializing, step 3).
                AfterDot,
                /// After `/.`, even if an empty authority precedes it.
                AfterDotAlways,
                /// It is rejected (RFC 3986 §3.3).
                Rejected,
                /// After an empty authority.
                AfterEmptyAuthority,
                /// The second slash is percent-encoded.
                Encoded,
                /// The second slash is percent-encoded, even after an authority.
                EncodedAlways,
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

            /// What precedes a relative result that does not begin with a slash, period, question mark or number sign?
            relative_start: RelativeStart {
                /// Nothing.
                Nothing,
                /// `./`, if the base begins with a period, question mark or number sign, or the base is unknown and the
                /// reference does.
                DotSlashLikeBase,
            }

            /// How is a relative result written whose first segment contains a colon?
            colon_in_first: ColonInFirst {
                /// As it is.
                Plain,
                /// After `./` (RFC 3986 §4.2).
                AfterDot,
                /// After `./`, unless the path is the base's.
                AfterDotIfNew,
                /// With its colons percent-encoded.
                Encoded,
                /// With its colons percent-encoded. In every first segment, so are the other characters that a segment cannot
                /// have (RFC 3986 §3.3), except percent signs.
                AllEncoded,
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
                /// If the authority is empty, or the path is not empty.
                WithPath,
                /// If the authority is empty and the path is not.
                OnlyBeforePath,
                /// If the path begins with a slash.
                OnlyBeforeRootedPath,
                /// If the authority is empty and a scheme does not precede it.
                NeverWithScheme,
                /// If the authority is empty, and the path is empty or begins with a single slash.
                BeforeSingleSlash,
                /// Always if there is a scheme, unless the path begins with two slashes.
                UnlessTwoSlashes,
            }
        } }
    };
}
