//! The rules on which the revisions differ, and their settings.
//!
//! A rule is a question; a setting is one of its answers. A rule set ([`Rules`]) has one setting for each rule, and each
//! revision has a rule set. The documentation of a setting ends with its sources. It is available at run time through
//! [`ALL`], so that reports can quote it.

/// A rule: a point on which the revisions differ.
#[derive(Debug)]
pub struct Rule {
    /// The name of the rule: that of its field in [`Rules`].
    pub name: &'static str,
    /// The rule as a question.
    pub question: &'static str,
    /// The settings of the rule.
    pub settings: &'static [Setting],
    get: fn(&Rules) -> usize,
    set: fn(&mut Rules, usize),
}

/// Returns the rule with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.name == name)
}

impl Rule {
    /// Returns the setting that `rules` have for this rule.
    #[must_use]
    pub fn setting(&self, rules: &Rules) -> &'static Setting {
        &self.settings[(self.get)(rules)]
    }

    /// Returns the index, in [`Rule::settings`], of the setting that `rules` have for this rule.
    #[must_use]
    pub fn index(&self, rules: &Rules) -> usize {
        (self.get)(rules)
    }

    /// Returns `rules` with the setting of this rule replaced by the one at `index`.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not less than the number of settings.
    #[must_use]
    pub fn with(&self, rules: &Rules, index: usize) -> Rules {
        let mut changed = *rules;
        (self.set)(&mut changed, index);
        changed
    }
}

/// A setting of a rule.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The name of the setting: that of its variant.
    pub name: &'static str,
    /// The documentation of the variant: a sentence, followed by its sources in parentheses.
    pub doc: &'static str,
}

impl Setting {
    /// Returns the sentence without the sources and without the full stop.
    #[must_use]
    pub fn note(&self) -> &'static str {
        self.doc.rfind(" (").map_or(self.doc, |at| &self.doc[..at])
    }

    /// Returns the sources: specification and section, oldest first, for each specification with this setting.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        let sources = self.doc.rfind(" (").map_or("", |at| self.doc[at + 2..].trim_end_matches(")."));
        sources.split("; ")
    }

    /// Returns the source in the specification `cite` (see [`crate::revision::Revision::cite`]), or the first source if
    /// that specification has another setting.
    #[must_use]
    pub fn source(&self, cite: &str) -> &'static str {
        let of_specification =
            |source: &&str| source.strip_prefix(cite).is_some_and(|rest| rest.starts_with([' ', ',']));
        self.sources().find(of_specification).or(self.sources().next()).unwrap_or_default()
    }
}

macro_rules! rules {
    ($(
        $(#[doc = $question:literal])+
        $rule:ident: $Type:ident {
            $($(#[doc = $note:literal])+ $Setting:ident,)+
        }
    )+) => {
        $(
            $(#[doc = $question])+
            #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
            pub enum $Type {
                $($(#[doc = $note])+ $Setting,)+
            }

            impl $Type {
                const ALL: &'static [Self] = &[$(Self::$Setting),+];
            }
        )+

        /// A rule set: one setting for each rule.
        ///
        /// Each revision states all settings, so that a new rule does not compile until someone has looked it up in every
        /// specification.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub struct Rules {
            $($(#[doc = $question])+ pub $rule: $Type,)+
        }

        /// Every rule, in the order in which resolution applies them.
        pub static ALL: &[Rule] = &[$(
            Rule {
                name: stringify!($rule),
                question: concat!($($question),+).trim_ascii(),
                settings: &[$(Setting { name: stringify!($Setting), doc: concat!($($note),+).trim_ascii() }),+],
                get: |rules| rules.$rule as usize,
                set: |rules, index| rules.$rule = $Type::ALL[index],
            },
        )+];
    };
}

rules! {
    /// Which prefix of a reference is a scheme?
    scheme_name: SchemeName {
        /// Any characters before a colon, if no slash precedes the colon (RFC 1630 Partial form).
        AnyColonBeforeSlash,
        /// A name of letters, digits, `+`, `.` and `-` before a colon; any of them may be the first character (Appendix
        /// B 1994 rule 2; RFC 1808 §2.4.2; Draft 1996 §7.4.2).
        AnyNameCharacter,
        /// A name that begins with a letter; any other prefix is part of the path (RFC 2396 §3.1; RFC 3986 §3.1).
        LetterFirst,
    }

    /// What is the target of a relative reference if the base is unknown?
    unknown_base: UnknownBase {
        /// The target is undefined (RFC 1630 Partial form).
        Undefined,
        /// The target is the reference, which is treated as absolute (Appendix B 1994 rule 1; RFC 1808 §4 step 1; Draft
        /// 1996 §9 step 1).
        ReferenceAsIs,
        /// The target is undefined, but a reference into the same document is recognized as one (RFC 2396 §5.1.4; RFC
        /// 3986 §5.1).
        SameDocumentOnly,
    }

    /// Is a reference with the base's scheme absolute?
    same_scheme: SameScheme {
        /// The reference is absolute, as with any other scheme (RFC 1630 Partial form; RFC 1808 §4 step 2b; Draft 1996
        /// §9 step 2b; RFC 2396 §5.2 step 3; RFC 3986 §5.2.2 strict).
        Absolute,
        /// The scheme is ignored, and the rest of the reference is relative (Appendix B 1994 rule 3; RFC 3986 §5.2.2
        /// not strict).
        Relative,
    }

    /// Are there schemes without relative references?
    never_relative: NeverRelative {
        /// References with gopher, telnet, wais, mailto and news are always absolute (Appendix B 1994 rule 2).
        Listed,
        /// The algorithm treats all schemes in the same way (RFC 1630 Note on Gopher; RFC 1808 §2.3; Draft 1996 §5.3;
        /// RFC 2396 §5; RFC 3986 §5.2).
        Ignored,
    }

    /// Is a reference that has a scheme copied, or parsed so that its dot segments are removed?
    dots_in_absolute: DotsInAbsolute {
        /// It is copied, with its dot segments (RFC 1630 Partial form; Appendix B 1994 rule 2; RFC 1808 §4 step 2b;
        /// Draft 1996 §9 step 2b; RFC 2396 §5.2 step 3).
        Kept,
        /// It is parsed, and its dot segments are removed (RFC 3986 §5.2.2).
        Removed,
    }

    /// What happens to a `#` at the end of an absolute reference?
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute {
        /// The `#` is kept: the reference is copied (Appendix B 1994 rule 2; RFC 1808 §4 step 2b; Draft 1996 §9 step
        /// 2b; RFC 2396 §5.2 step 3; RFC 3986 §5.3).
        Kept,
        /// The `#` is dropped: the fragment is not part of the URL, and an empty fragment equals an absent one (RFC
        /// 1630 Fragment-id).
        Dropped,
    }

    /// Does a `#` begin a fragment?
    fragment: Fragment {
        /// A `#` is an ordinary character (Appendix B 1994, which does not mention it).
        Ordinary,
        /// A `#` begins the fragment, which is split off first (RFC 1630 Fragment-id; RFC 1808 §2.4.1; Draft 1996
        /// §7.4.1; RFC 2396 §4.1; RFC 3986 §3.5).
        SetAside,
    }

    /// What happens to a `#` that is followed by nothing?
    empty_fragment: EmptyFragment {
        /// The `#` is dropped: an empty fragment equals an absent one (RFC 1630 Fragment-id; RFC 1808 §2.4.1; Draft
        /// 1996 §7.4.1).
        Dropped,
        /// The `#` is kept: an empty fragment differs from an absent one (Appendix B 1994, which does not define a
        /// fragment; RFC 2396 §5.2 step 7; RFC 3986 §5.3).
        Kept,
    }

    /// Does a `?` begin a query?
    query: Query {
        /// A `?` is an ordinary character of the path (Appendix B 1994, which does not mention it).
        Ordinary,
        /// A `?` ends the path of the base, but is an ordinary character in a reference (RFC 1630 BNF of path and
        /// search).
        EndsBasePath,
        /// A `?` begins the query, which is split off before paths are merged (RFC 1808 §2.4.4; Draft 1996 §7.4.4; RFC
        /// 2396 §3.4; RFC 3986 §3.4).
        SetAside,
    }

    /// What happens to a `?` that is followed by nothing?
    empty_query: EmptyQuery {
        /// The `?` is dropped: an empty query equals an absent one (RFC 1808 §2.4.4; Draft 1996 §7.4.4).
        Dropped,
        /// The `?` is kept: an empty query differs from an absent one (RFC 1630 BNF of search; Appendix B 1994, which
        /// does not define a query; RFC 2396 §5.2 step 7; RFC 3986 §5.3).
        Kept,
    }

    /// Does a `;` begin the parameters?
    params: Params {
        /// A `;` is an ordinary character of a path segment (RFC 1630, which does not define parameters; Appendix B
        /// 1994, which does not define parameters; RFC 2396 §3.3; RFC 3986 §3.3).
        InSegment,
        /// A `;` begins the parameters, which are split off before paths are merged (RFC 1808 §2.4.5; Draft 1996
        /// §7.4.5).
        SetAside,
    }

    /// What do slashes at the start of a reference select in the base?
    leading_slashes: LeadingSlashes {
        /// They select the first run of equally many slashes in the base that is not followed by a longer run (RFC 1630
        /// Partial form, second rule).
        MatchingRun,
        /// Two slashes begin another host; one slash selects the root of the base's host (Appendix B 1994 rules 3b and
        /// 3c; RFC 1808 §4 steps 3 and 4; Draft 1996 §9 steps 3 and 4; RFC 2396 §5.2 steps 4 and 5; RFC 3986 §5.2.2).
        HostOrRoot,
    }

    /// Is the host part of the path?
    host: Host {
        /// The host is part of the path: everything after the scheme is one path (RFC 1630 Partial form, third rule).
        PartOfPath,
        /// The host precedes the path and is never removed with it (Appendix B 1994 rule 3d; RFC 1808 §2.4.3; Draft
        /// 1996 §7.4.3; RFC 2396 §3.2; RFC 3986 §3.2).
        SetApart,
    }

    /// Where does the authority end?
    authority_end: AuthorityEnd {
        /// The authority ends at the next slash (RFC 1630, which does not define an authority; Appendix B 1994 rule 3c;
        /// RFC 1808 §2.4.3; Draft 1996 §7.4.3).
        Slash,
        /// The authority ends at the next slash or question mark (RFC 2396 §3.2; RFC 3986 §3.2).
        SlashOrQuery,
    }

    /// How is an empty authority treated?
    empty_authority: EmptyAuthority {
        /// An empty authority equals an absent one: the base's authority is inherited (RFC 1808 §4 step 3; Draft 1996
        /// §9 step 3).
        Missing,
        /// An empty authority differs from an absent one: nothing is inherited (RFC 1630, which does not define an
        /// authority; Appendix B 1994 rule 3b; RFC 2396 §5.2 step 4; RFC 3986 §5.2.2).
        Defined,
    }

    /// Are dot segments removed from a reference that has an authority?
    dots_in_network_path: DotsInNetworkPath {
        /// Dot segments are kept: the path is copied (RFC 1630 Partial form, second rule; Appendix B 1994 rule 3b; RFC
        /// 1808 §4 step 3; Draft 1996 §9 step 3; RFC 2396 §5.2 step 4).
        Kept,
        /// Dot segments are removed (RFC 3986 §5.2.2).
        Removed,
    }

    /// Are dot segments removed from a reference that begins with a slash?
    dots_in_rooted_path: DotsInRootedPath {
        /// Dot segments are kept: the path is copied (RFC 1630 Partial form, second rule; Appendix B 1994 rule 3c; RFC
        /// 1808 §4 step 4; Draft 1996 §9 step 4; RFC 2396 §5.2 step 5).
        Kept,
        /// Dot segments are removed (RFC 3986 §5.2.2).
        Removed,
    }

    /// What is the target of a reference that is empty or consists of a fragment?
    empty_reference: EmptyReference {
        /// The base without the last part of its path, as for any relative path (RFC 1630 Partial form, third rule).
        LastPartCut,
        /// The base (Appendix B 1994 rule 3a; RFC 1808 §4 steps 2a and 5; Draft 1996 §9 steps 2a and 5; RFC 2396 §5.2
        /// step 2; RFC 3986 §5.2.2).
        Base,
    }

    /// Does an empty reference inherit the base's fragment?
    base_fragment: BaseFragment {
        /// The fragment is inherited: the target is the whole base (Appendix B 1994 rule 3a; RFC 1808 §4 step 2a; Draft
        /// 1996 §9 step 2a).
        Inherited,
        /// The fragment is not inherited: only the reference's own fragment is used (RFC 1630 Fragment-id; RFC 2396
        /// §4.2; RFC 3986 §5.2.2).
        NotInherited,
    }

    /// What happens to the last segment of the base's path if the reference begins with its query?
    query_only: QueryOnly {
        /// The last segment is kept (RFC 1808 §4 step 5b; Draft 1996 §9 step 5b; RFC 3986 §5.2.2).
        KeepsLastSegment,
        /// The last segment is removed (RFC 1630 Partial form, third rule; Appendix B 1994 rule 3d2; RFC 2396 §5.2 step
        /// 6).
        DropsLastSegment,
    }

    /// How is a relative path merged with a base that has a host and no path?
    bare_host: BareHost {
        /// A slash is inserted between them, and dot segments are kept (Appendix B 1994 rule 3d1).
        SlashDotsKept,
        /// Dot segments are removed first; then a slash is inserted before the rest (RFC 1808 §4 steps 6 and 7 with
        /// §2.2; Draft 1996 §9 steps 6 and 7 with §4).
        SlashAfterDots,
        /// No slash is inserted, so that the path extends the host (RFC 1630 Partial form, third rule; RFC 2396 §5.2
        /// step 6).
        NoSlash,
        /// A slash is inserted between them; then dot segments are removed (RFC 3986 §5.2.3).
        SlashBeforeDots,
    }

    /// How is a relative path merged with a base that consists of a scheme?
    scheme_alone: SchemeAlone {
        /// A slash is inserted between them, and dot segments are kept (Appendix B 1994 rule 3d1).
        SlashDotsKept,
        /// No slash is inserted (RFC 1630 Partial form, third rule; RFC 1808 §4 step 6; Draft 1996 §9 step 6; RFC 2396
        /// §5.2 step 6; RFC 3986 §5.2.3).
        NoSlash,
    }

    /// Is a slash inserted between a host and the query or parameters if the path is empty?
    slash_before_query: SlashBeforeQuery {
        /// A slash is inserted, as the generic syntax requires (RFC 1808 §2.2; Draft 1996 §4).
        Supplied,
        /// No slash is inserted: the components are written as they are (RFC 1630 Partial form; Appendix B 1994 rule
        /// 3d; RFC 2396 §5.2 step 7; RFC 3986 §5.3).
        NotSupplied,
    }

    /// What remains of a `.` segment at the end?
    trailing_dot: TrailingDot {
        /// Nothing remains: the slash before it is removed too (RFC 1630 Partial form, fourth rule; Appendix B 1994
        /// rule 3d2).
        TakesSlash,
        /// The slash before it remains (RFC 1808 §4 step 6b; Draft 1996 §9 step 6b; RFC 2396 §5.2 step 6d; RFC 3986
        /// §5.2.4 2B).
        LeavesSlash,
    }

    /// What happens to a `.` segment at the start of a path without a leading slash?
    leading_dot: LeadingDot {
        /// It is kept: the pattern for removal begins with a slash (RFC 1630 Partial form, fourth rule; Appendix B 1994
        /// rule 3d2).
        Kept,
        /// It is removed (RFC 1808 §4 step 6a; Draft 1996 §9 step 6a; RFC 2396 §5.2 step 6c; RFC 3986 §5.2.4 2A).
        Removed,
    }

    /// What happens to a `..` segment at the end?
    trailing_dotdot: TrailingDotdot {
        /// It is kept: the pattern for removal ends with a slash (RFC 1630 Partial form, fourth rule; Appendix B 1994
        /// rule 3d2).
        Kept,
        /// It is removed together with the segment before it (RFC 1808 §4 step 6d; Draft 1996 §9 step 6d; RFC 2396 §5.2
        /// step 6f; RFC 3986 §5.2.4 2C).
        Resolved,
    }

    /// Which segments does a `..` segment remove?
    dotdot_removes: DotdotRemoves {
        /// A segment that is not empty and has exactly one slash on each side (RFC 1630 Partial form, fourth rule).
        Named,
        /// Any segment, including an empty one and another `..` (Appendix B 1994 rule 3d2).
        Any,
        /// Any segment except another `..` (RFC 1808 §4 step 6c; Draft 1996 §9 step 6c; RFC 2396 §5.2 step 6e; RFC 3986
        /// §5.2.4 2C).
        NotDotdot,
    }

    /// What happens to a `..` segment if no segment is left to remove?
    excess: Excess {
        /// It is kept (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2; RFC 1808 §4 step 6c; Draft 1996 §9
        /// step 6c; RFC 2396 §5.2 step 6g).
        Kept,
        /// It is dropped (RFC 3986 §5.2.4 2C).
        Dropped,
    }

    /// What remains if `..` removes the first segment of a path without a leading slash?
    rootless_first: RootlessFirst {
        /// Nothing remains (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2; RFC 1808 §4 step 6c; Draft
        /// 1996 §9 step 6c; RFC 2396 §5.2 step 6e).
        LeavesNothing,
        /// A slash remains (RFC 3986 §5.2.4 2C).
        LeavesSlash,
    }

    /// Which references point into the document that contains them?
    same_document: SameDocument {
        /// The specification does not say (RFC 1630 Partial form; Appendix B 1994 rule 3a; RFC 1808 §4).
        Unspecified,
        /// A reference that is empty or consists of a fragment (Draft 1996 §2; RFC 2396 §4.2).
        ByForm,
        /// A reference whose target equals the base, without their fragments (RFC 3986 §4.4).
        ByComparison,
    }
}
