//! The components and their delimiters: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! components_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*

            /// Does a `#` begin a fragment?
            fragment: Fragment {
                SetAside,
                Ordinary,
                /// It does in a base; in a reference it is an ordinary character.
                EndsBasePath,
                /// It does, and the fragment is dropped.
                SetAsideAndDropped,
                /// The last one in a reference does; in a base it is an ordinary character.
                LastInReference,
            }

            /// What happens to a `#` that is followed by nothing?
            empty_fragment: EmptyFragment {
                Kept,
                Dropped,
                /// The `#` is not written, but the fragment is not absent.
                NotWritten,
            }

            /// What happens to a `#` at the end of an absolute reference?
            empty_fragment_on_absolute: EmptyFragmentOnAbsolute {
                Kept,
                Dropped,
            }

            /// Does a line end a fragment?
            fragment_line: FragmentLine {
                /// A newline is a character like any other.
                Ordinary,
                /// It does: a newline and the text after it are dropped.
                Ends,
            }

            /// Which table of characters applies to a fragment?
            fragment_form: FragmentForm {
                /// That of fragments.
                Fragment,
                /// That of queries to the text after its first question mark, or to all of it without one, if this contains an
                /// equals sign; a question mark at the start is dropped. Otherwise that of fragments to each segment.
                PathAndQuery,
            }

            /// Does a `?` begin a query?
            query: Query {
                SetAside,
                EndsBasePath,
                Ordinary,
            }

            /// Which table of characters applies to the query of a relative reference?
            query_table: QueryTable {
                /// That of queries.
                OfQueries,
                /// That of queries if the reference begins with the query; otherwise that of absolute references.
                OfAbsoluteAfterPath,
            }

            /// What happens to a `?` that is followed by nothing?
            empty_query: EmptyQuery {
                Kept,
                Dropped,
                /// The `?` is dropped at the end of the text; it is kept before a `#`.
                DroppedAtEnd,
                /// It is kept, but the query is absent if the path is empty as well.
                AbsentWithoutPath,
                /// It is absent if a fragment follows.
                AbsentBeforeFragment,
            }

            /// Is a query a list of pairs that is written anew?
            query_pairs: QueryPairs {
                /// It is not.
                AsWritten,
                /// It is: empty pairs are dropped, and so is an equals sign without a value; other equals signs after the first one
                /// of a pair are percent-encoded. A query without pairs is absent.
                WrittenAnew,
            }

            /// Does a `;` begin the parameters?
            params: Params {
                InSegment,
                SetAside,
                /// A `;` in the last segment begins the parameters.
                SetAsideInLastSegment,
            }

            /// What happens to a `;` that is followed by nothing?
            empty_params: EmptyParams {
                /// It is dropped.
                Dropped,
                /// It is kept.
                Kept,
            }

            /// What is the path of a reference that begins with parameters?
            params_only: ParamsOnly {
                /// It is the base's path.
                KeepsPath,
                /// It is empty, and it is merged with the base's path.
                Merged,
            }

            /// Is a path opaque if it does not begin with a slash and a scheme precedes it?
            opaque: Opaque {
                /// It is a path like any other.
                Path,
                /// It is opaque up to the query (URL Standard §4.4 opaque path state).
                Opaque,
                /// It is opaque up to the query, and so is a path that begins with a slash (URL Standard §4.4 scheme data state,
                /// until b266a43).
                RootedToo,
            }

            /// Is an empty path after a scheme opaque?
            empty_opaque: EmptyOpaque {
                /// It is not opaque.
                Path,
                /// It is opaque.
                Opaque,
            }

            /// What happens to the last space of an opaque path before a query or fragment?
            opaque_space: OpaqueSpace {
                /// It is kept.
                Kept,
                /// It is percent-encoded (URL Standard §4.4 opaque path state, since 6c78200).
                Encoded,
            }

            /// Is an authority examined that begins an opaque path?
            opaque_authority: OpaqueAuthority {
                /// It is not.
                Ordinary,
                /// It is rejected where an authority is, but it stays a part of the path.
                Checked,
            }

            /// Which table of characters applies to a path without an authority, if a scheme or a slash begins the text?
            bare_path: BarePath {
                /// That of other paths.
                LikeOthers,
                /// That of opaque paths.
                LikeOpaque,
            }

            /// Which part of a path is encoded anew if one of its characters is percent-encoded?
            encoded_anew: EncodedAnew {
                /// The whole path.
                Path,
                /// The segment.
                Segment,
            }

            /// Is a backslash a slash?
            backslash: Backslash {
                /// It is an ordinary character.
                Ordinary,
                /// It is a slash before the query (URL Standard §4.4 relative state, path state).
                Slash,
                /// It is a slash before the query, and in a query that a fragment does not follow.
                SlashInQueryAtEnd,
                /// It ends the authority.
                EndsAuthority,
                /// It is an ordinary character, but ends a port.
                EndsPort,
                /// It is an ordinary character, but rejected where it could begin an authority.
                RejectedInPrefix,
                /// It is a slash before the query of a text that begins with two slashes or backslashes.
                SlashAfterTwo,
                /// It is an ordinary character, but rejected at the start if a slash follows.
                RejectedBeforeSlash,
            }

            /// How many slashes begin an authority?
            slashes: Slashes {
                /// Two.
                Two,
                /// Two, unless a third one follows.
                TwoNotThree,
                /// Two, with the slashes and backslashes after them (URL Standard §4.4 relative slash state, for all schemes until
                /// b087fe2).
                TwoWithMarks,
                /// Up to three.
                UpToThree,
                /// One to three; any other number after a scheme is rejected.
                OneToThree,
                /// Two, or all but the last if there are more.
                AllButLast,
                /// Any number (URL Standard §4.4 special authority ignore slashes state).
                Any,
                /// Two, or all if there are more than three.
                AllButThree,
                /// They never begin an authority.
                Never,
            }

            /// What are slashes and backslashes at the start of a relative reference, if the first two are not slashes?
            mixed_slashes: MixedSlashes {
                /// Each is what it is elsewhere.
                AsElsewhere,
                /// One is a slash, and two or more are two slashes.
                UpToTwoSlashes,
                /// One is a slash; two or more are kept after a slash, and the base's host is dropped.
                KeptAfterSlash,
            }

            /// Is an absolute text without an authority accepted?
            missing_authority: MissingAuthority {
                /// It is accepted.
                Accepted,
                /// It is rejected.
                Rejected,
                /// It is rejected if its path is empty, too.
                RejectedIfEmpty,
                /// The first segment of the path that is not empty is the host, as it is written.
                FirstSegment,
            }

            /// What do slashes at the start of a reference select in the base?
            leading_slashes: LeadingSlashes {
                HostOrRoot,
                MatchingRun,
            }

            /// Is the host part of the path?
            host: HostPlace {
                SetApart,
                PartOfPath,
                /// It is the first segment of the path, which `..` and a slash at the start of a reference remove.
                FirstSegment,
                /// It is dropped with the rest of the authority, without being examined.
                Dropped,
            }

            /// Where does the authority end?
            authority_end: AuthorityEnd {
                SlashOrQuery,
                Slash,
                /// The authority ends at the next slash, question mark or semicolon.
                SlashQueryOrParams,
                /// The authority ends at the next slash; a question mark or number sign is part of it.
                SlashOnly,
                /// The authority ends at the next slash or question mark, but a bracket that begins the host encloses any text.
                SlashOrQueryAfterBrackets,
            }

            /// How is an empty authority treated?
            empty_authority: EmptyAuthority {
                Defined,
                Missing,
                /// It is rejected.
                Rejected,
                /// It is rejected in a reference.
                RejectedInReference,
                /// The base's authority is inherited, but not its path, even if the reference's is empty.
                HostInherited,
                /// It is missing, and so is an authority that consists of a userinfo.
                MissingWithoutHost,
            }

            /// Are two slashes accepted if nothing but a query or fragment follows?
            slashes_only: SlashesOnly {
                /// They are accepted.
                Accepted,
                /// They are rejected.
                Rejected,
            }
        } }
    };
}
