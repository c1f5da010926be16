//! Drive letters and paths: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! path_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*

            /// Are drive letters roots?
            drive_letters: DriveLetters {
                /// They are segments like any other.
                Ordinary,
                /// They are roots, which dot segments do not remove (URL Standard §4.4 file state, §4.2 shorten a path).
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
                /// The root (URL Standard §4.2 shorten a path).
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

            /// Is a reference that has a scheme copied, or parsed so that its dot segments are removed?
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
            }

            /// Does the result of a relative reference that begins with slashes depend on the base?
            rooted_reference: RootedReference {
                /// It has the base's scheme, and after a single slash also the authority (RFC 3986 §5.2.2).
                Resolved,
                /// It is written without the base's scheme after two slashes; after a single slash it is resolved.
                WrittenAfterTwo,
                /// It is written without the base's scheme and authority.
                Written,
            }

            /// Are dot segments removed from a reference that has an authority?
            dots_in_network_path: DotsInNetworkPath {
                Removed,
                Kept,
                /// Dot segments are removed if the scheme of the base precedes the authority.
                RemovedAfterScheme,
                /// Dot segments are removed if the authority is not empty.
                RemovedAfterHost,
                /// Dot segments are removed after the first slash; without a path it is one of the query or fragment.
                RemovedAfterAnySlash,
            }

            /// Are dot segments removed from a reference that begins with a slash?
            dots_in_rooted_path: DotsInRootedPath {
                Removed,
                Kept,
                /// Dot segments are removed if a slash follows one of them.
                RemovedIfInner,
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
                /// It inherits the userinfo that it does not have.
                Userinfo,
            }

            /// What is the path of a reference that has an authority and no path?
            path_after_authority: PathAfterAuthority {
                /// It is empty (RFC 3986 §5.2.2).
                Empty,
                /// It is the base's, and so is the query if the reference does not have one.
                Inherited,
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
                /// It does not, unless it is empty.
                NotInheritedUnlessEmpty,
            }

            /// Does a reference without a path and a query inherit the base's query?
            base_query: BaseQuery {
                /// It does (RFC 3986 §5.2.2).
                Inherited,
                /// It does not.
                NotInherited,
                /// It does if it is empty.
                InheritedIfEmpty,
            }

            /// Does an empty reference inherit the base's fragment?
            base_fragment: BaseFragment {
                NotInherited,
                Inherited,
                /// The fragment is inherited by an empty reference and by a `#`.
                InheritedIfAbsent,
                /// The fragment is inherited whenever the path is.
                InheritedWithPath,
            }

            /// What happens to the last segment of the base's path if the reference begins with its query?
            query_only: QueryOnly {
                KeepsLastSegment,
                DropsLastSegment,
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

            /// To which part of the base's path are the tables of characters applied?
            base_path_tables: BasePathTables {
                /// To the whole path, before it is used.
                Whole,
                /// To the part that is merged with a relative path.
                Merged,
            }

            /// How are colons written in a path that does not begin with a slash?
            rootless_colons: RootlessColons {
                /// As the tables of characters write them.
                ByTable,
                /// They are percent-encoded, in lower case.
                EncodedLower,
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
                /// A slash is inserted after a host before dot segments are removed. After an empty authority, a relative path is
                /// rejected unless it is empty then.
                SlashAfterHostElseRejected,
                /// It follows `./`, the directory of a path without a slash (`dirname`).
                DotSlash,
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

            /// How is a relative path merged with a base whose path does not contain a slash?
            slashless_base: SlashlessBase {
                /// The base's path is replaced.
                Replaced,
                /// The base's path is replaced, and a slash is inserted.
                ReplacedAfterSlash,
                /// The base's path is replaced, and dot segments are kept.
                ReplacedDotsKept,
                /// The last character of the base's path is replaced by a slash.
                LastCharacterReplaced,
                /// The reference is appended to the path.
                Appended,
                /// The base's path is replaced by `./`, its directory (`dirname`).
                ReplacedByDot,
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

            /// Which table of characters applies to the path of a network-path reference (RFC 3986 §4.2)?
            network_path: NetworkPath {
                /// That of other paths.
                LikeOthers,
                /// That of absolute references. It also applies to a path that is kept after a slash and a backslash.
                LikeAbsolute,
            }

            /// Does a backslash end a segment of a path?
            backslash_in_path: BackslashInPath {
                /// It does not, unless it is replaced by a slash.
                Ordinary,
                /// It ends a dot segment, and the directory of the base's path.
                EndsDotSegment,
            }

            /// Is a slash inserted between a host and the query or parameters if the path is empty?
            slash_before_query: SlashBeforeQuery {
                NotSupplied,
                Supplied,
            }
        } }
    };
}
