//! The settings of a behaviour: for each question on which engines differ, its possible values.
//!
//! A question that is also a rule of the specifications has the name of that rule, and the values that are settings of
//! the rule have the names of these settings. Their sentences and sources are those of the rule.

use urlstrata::rules::{self, Rules};

/// A question on which engines differ, as a parameter of `T`.
#[derive(Debug)]
pub struct Setting<T: 'static> {
    /// The name: that of the field.
    pub name: &'static str,
    /// The question.
    pub question: &'static str,
    /// The possible values.
    pub values: &'static [Value],
    get: fn(&T) -> usize,
    set: fn(&mut T, usize),
}

/// A value of a setting.
#[derive(Debug)]
pub struct Value {
    /// The name: that of the variant.
    pub name: &'static str,
    /// The doc comment; empty if the value is a setting of the rule with the same name.
    doc: &'static str,
}

impl<T> Setting<T> {
    /// Returns the index, in [`Self::values`], of the value that `of` has.
    pub fn index(&self, of: &T) -> usize {
        (self.get)(of)
    }

    /// Returns the value that `of` has.
    pub fn value(&self, of: &T) -> &'static Value {
        &self.values[self.index(of)]
    }

    /// Gives `of` the value at `index`.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not less than the number of values.
    pub fn assign(&self, of: &mut T, index: usize) {
        (self.set)(of, index);
    }

    /// Returns the index of the value called `name`.
    pub fn value_named(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value.name == name)
    }

    /// Returns the sentence of the value at `index`, with its sources in parentheses if a specification has it.
    pub fn sentence(&self, index: usize) -> &'static str {
        let value = &self.values[index];
        match value.doc {
            "" => setting_of_rule(self.name, value.name).map_or("", |setting| setting.doc),
            doc => doc,
        }
    }
}

fn setting_of_rule(rule: &str, setting: &str) -> Option<&'static rules::Setting> {
    rules::by_name(rule)?.settings.iter().find(|it| it.name == setting)
}

macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        struct $Set:ident / $ALL:ident;
        $($(#[doc = $question:literal])+ $name:ident: $Type:ident { $($(#[doc = $doc:literal])* $Value:ident,)+ })+
    ) => {
        $(
            $(#[doc = $question])+
            #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
            #[allow(missing_docs, reason = "the sentences of settings of rules are in the rules")]
            pub enum $Type { $($(#[doc = $doc])* $Value,)+ }

            impl $Type {
                const ALL: &'static [Self] = &[$(Self::$Value),+];
            }
        )+

        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub struct $Set { $($(#[doc = $question])+ pub $name: $Type,)+ }

        impl $Set {
            /// Has the first value of each setting.
            const FIRST: Self = Self { $($name: $Type::ALL[0]),+ };
        }

        /// Every setting, in the order in which resolution uses them.
        pub static $ALL: &[Setting<$Set>] = &[$(
            Setting {
                name: stringify!($name),
                question: concat!($($question),+).trim_ascii(),
                values: &[$(Value { name: stringify!($Value), doc: concat!($($doc,)* "").trim_ascii() }),+],
                get: |set| set.$name as usize,
                set: |set, index| set.$name = $Type::ALL[index],
            },
        )+];
    };
}

settings! {
    /// How an engine splits off a scheme. It is the same for all schemes.
    struct Syntax / SYNTAX;

    /// Which prefix of a reference is a scheme?
    scheme_name: SchemeName {
        LetterFirst,
        AnyNameCharacter,
        /// A letter, and then letters, digits, hyphens and periods.
        WithoutPlus,
        AnyColonBeforeSlash,
        /// Any characters before a colon, if no slash, question mark or number sign precedes the colon.
        AnyColonBeforeDelimiter,
        /// A letter and any characters before a colon, if no slash, question mark or number sign precedes the colon.
        LetterAndAnyColon,
        /// A letter or digit and the characters of a scheme.
        LetterOrDigitFirst,
        /// Any characters before a colon, if the reference does not begin with a slash.
        AnyColon,
    }

    /// Which prefix of a base is a scheme?
    base_scheme_name: BaseSchemeName {
        /// The same as of a reference.
        LikeReference,
        /// A scheme of RFC 3986 §3.1, which begins with a letter.
        LetterFirst,
    }

    /// What is a prefix before a colon that is not a scheme?
    bad_scheme: BadScheme {
        /// It is part of the path.
        Path,
        /// It is rejected.
        Rejected,
        /// It is rejected if it consists of the characters of a scheme; otherwise it is part of the path.
        RejectedIfName,
        /// It is rejected at the start of a reference, even after a question mark or number sign that does not begin it.
        RejectedInReference,
        /// It is dropped with the colon and an authority that follows, unless a path that begins with a slash follows a
        /// reference's, or the path is the base's and inherited as it is.
        Dropped,
        /// The characters that a scheme cannot have are dropped; what is left is a scheme.
        CharactersDropped,
    }

    /// What is a colon at the start?
    leading_colon: LeadingColon {
        /// It is part of the path.
        Path,
        /// It is rejected.
        Rejected,
        /// It is dropped: the scheme is empty.
        Dropped,
        /// It is dropped: the scheme is empty. Another one after it is rejected.
        DroppedOnce,
        /// It is part of the path and percent-encoded.
        Encoded,
    }

    /// What is a base without a scheme?
    missing_scheme: MissingScheme {
        /// It is a relative reference.
        Relative,
        /// It is a URL after `http://`, or after `http:` if it begins with two slashes.
        Http,
        /// It is a URL after `http://`, or after `http:` if it begins with two slashes. The empty base is one too.
        HttpIfEmptyToo,
        /// It is a relative reference, unless it begins with a slash, a drive letter or two backslashes: then it is the path
        /// of a file, and so is a reference like this to an unknown base. All its characters belong to the path.
        FilePath,
    }

    /// Is the case of a scheme ignored when its class is determined?
    scheme_classes: SchemeClasses {
        /// It is (RFC 3986 §3.1).
        CaseIgnored,
        /// It is not: a scheme with an upper-case letter is an unknown one.
        Exact,
    }

    /// Are characters removed from fragments, too?
    fragment_cleaned: FragmentCleaned {
        /// They are (URL Standard §4.4, before the state machine).
        Yes,
        /// They are not.
        No,
        /// They are, but nothing is removed at the end of a text with a fragment.
        NotAtEnd,
    }

    /// What is the character U+0000?
    nul: Nul {
        /// It is an ordinary character.
        Ordinary,
        /// It is rejected: the strings end with it.
        Rejected,
        /// It ends the text.
        EndsText,
    }
}

settings! {
    /// A rule set for a class of schemes and a form of pairs: one value for each setting.
    struct Row / ROW;

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
        /// It is returned unchanged.
        Unchanged,
        /// It is returned unchanged after cleaning.
        Cleaned,
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
        /// The reference is returned unchanged.
        Reference,
    }

    /// What happens to a reference that is not valid?
    reference_invalid: ReferenceInvalid {
        /// The pair is rejected.
        Rejected,
        /// The reference is returned unchanged.
        Reference,
        /// The base is returned without its fragment if the reference is relative; otherwise the pair is rejected.
        Base,
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
    }

    /// What is the empty path of a base with a host?
    base_empty_path: BaseEmptyPath {
        /// It stays empty.
        Kept,
        /// It is a slash.
        Slash,
    }

    /// Is a base with a fragment accepted?
    base_with_fragment: BaseWithFragment {
        /// It is accepted, and the fragment is ignored.
        Accepted,
        /// It is rejected: an absolute URI does not have a fragment (RFC 3986 §4.3).
        Rejected,
    }

    /// What is an empty query of the base?
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
        /// It is relative unless a slash follows the scheme.
        RelativeUnlessRooted,
        /// It is relative if the base's path begins with a slash.
        RelativeIfBaseIsHierarchical,
    }

    /// Is a reference relative to a base with another scheme?
    foreign_base: ForeignBase {
        /// It is absolute.
        Ignored,
        /// It is relative to a base with any scheme (URL Standard §4.4 scheme state, for `file` until 09cd673).
        Inherited,
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
        /// It is returned unchanged after cleaning.
        ReferenceCleaned,
        /// It is returned unchanged if it and the base are valid.
        ReferenceIfValid,
        /// It is returned unchanged if it contains a colon; otherwise it is rejected.
        ReferenceWithColon,
        /// It is rejected (URL Standard §4.4 no scheme state, for opaque paths; RFC 3986 §5.1, for unknown bases).
        Rejected,
        /// It is written after the base's scheme.
        SchemeAndReference,
        /// It is written after the base's scheme, and after two slashes if it begins with two slashes.
        SchemeSlashesAndReference,
        /// It is decoded and resolved as the path of a file, unless the base contains `://`: it is joined with the
        /// text of the base up to the last slash.
        FilePath,
        /// The base is returned.
        Base,
        /// It is parsed and written without a base.
        Written,
        /// It is parsed, its dot segments are removed, and it is written without a base.
        WrittenWithoutDots,
        /// It is parsed, its dot segments are removed if it has an authority, and it is written without a base.
        WrittenDotsAfterAuthority,
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
        /// The base's directory; a slash is not inserted.
        Directory,
    }

    /// In which form is the base returned for the empty reference?
    empty_form: EmptyForm {
        /// It is written from its components.
        Written,
        /// It is returned unchanged, without being examined.
        Unchanged,
        /// It is returned unchanged after cleaning, if it is valid.
        Cleaned,
    }

    /// Is a scheme accepted that is followed by nothing?
    scheme_only: SchemeOnly {
        /// It is accepted.
        Accepted,
        /// It is rejected.
        Rejected,
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

    /// In which case is the scheme written?
    scheme_case: SchemeCase {
        /// As it is written.
        Kept,
        /// In lower case (URL Standard §4.4 scheme state; RFC 3986 §6.2.2.1).
        Lower,
        /// In lower case if it is the base's.
        LowerIfInherited,
        /// In lower case if it is the base's and the path is not.
        LowerIfPathIsNew,
    }

    /// Does a `#` begin a fragment?
    fragment: Fragment {
        SetAside,
        Ordinary,
        /// It does in a base; in a reference it is an ordinary character.
        EndsBasePath,
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

    /// Does a `?` begin a query?
    query: Query {
        SetAside,
        EndsBasePath,
        Ordinary,
    }

    /// What happens to a `?` that is followed by nothing?
    empty_query: EmptyQuery {
        Kept,
        Dropped,
        /// The `?` is not written, but the query is not absent.
        NotWritten,
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
        /// It is opaque, and the query is part of it (RFC 2396 §3).
        WithQuery,
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
        /// It is a slash before the fragment.
        SlashInQueryToo,
        /// It ends the authority.
        EndsAuthority,
        /// It is an ordinary character, but ends a port.
        EndsPort,
        /// It is an ordinary character, but rejected where it could begin an authority.
        RejectedInPrefix,
    }

    /// How many slashes begin an authority?
    slashes: Slashes {
        /// Two.
        Two,
        /// Two, unless a third one follows.
        TwoNotThree,
        /// Two, unless a third one follows and a scheme does not precede them.
        TwoNotThreeWithoutScheme,
        /// Two, unless a fourth one follows.
        TwoNotFour,
        /// Two or more (URL Standard §4.4 relative slash state).
        TwoOrMore,
        /// Two, with the slashes and backslashes after them (URL Standard §4.4 relative slash state, for all schemes until
        /// b087fe2).
        TwoWithMarks,
        /// One or more.
        OneOrMore,
        /// Up to three.
        UpToThree,
        /// One to three; any other number after a scheme is rejected.
        OneToThree,
        /// Two or three; more are rejected.
        TwoOrThree,
        /// Two, or all but the last if there are more.
        AllButLast,
        /// Any number (URL Standard §4.4 special authority ignore slashes state).
        Any,
        /// They never begin an authority.
        Never,
    }

    /// What are slashes and backslashes at the start of a relative reference, if the first two are not slashes?
    mixed_slashes: MixedSlashes {
        /// Each is what it is elsewhere.
        AsElsewhere,
        /// One is a slash, and two or more are two slashes.
        UpToTwoSlashes,
    }

    /// Is an absolute text without an authority accepted?
    missing_authority: MissingAuthority {
        /// It is accepted.
        Accepted,
        /// It is rejected.
        Rejected,
        /// It is rejected unless its path begins with a slash.
        RejectedUnlessRooted,
        /// It is rejected if its path is empty, too.
        RejectedIfEmpty,
        /// The host is `localhost` if the path is not as it is written.
        LocalhostIfPathIsNew,
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
    }

    /// Where does the authority end?
    authority_end: AuthorityEnd {
        SlashOrQuery,
        Slash,
        /// The authority ends at the next slash, question mark or semicolon.
        SlashQueryOrParams,
        /// The authority ends at the next slash; a question mark or number sign is part of it.
        SlashOnly,
    }

    /// How is an empty authority treated?
    empty_authority: EmptyAuthority {
        Defined,
        Missing,
        /// It is rejected.
        Rejected,
        /// It is rejected in a reference.
        RejectedInReference,
        /// It is missing, but rejected before a path that begins with two slashes.
        MissingUnlessSlashes,
    }

    /// Are two slashes accepted if nothing but a query or fragment follows?
    slashes_only: SlashesOnly {
        /// They are accepted.
        Accepted,
        /// They are rejected.
        Rejected,
        /// They are rejected if nothing at all follows.
        RejectedAtEnd,
    }

    /// How is a host parsed that is not in brackets?
    host_parser: HostParser {
        /// The host is treated by the tables of characters.
        Characters,
        /// The host is a domain or an address of the URL Standard (URL Standard §3.5 host parser).
        Domain,
        /// The host is a domain of the URL Standard, and every `xn--` label is validated (URL Standard §3.3 domain to
        /// ASCII, until a8d5ca3).
        DomainValidated,
        /// The host is a domain of the URL Standard whose `xn--` labels are validated, and it may be empty after IDNA (URL
        /// Standard §3.3 domain to ASCII, until cceb435).
        DomainOrEmpty,
        /// The host is a domain of the URL Standard by transitional processing, with hyphens checked (URL Standard §3.3
        /// domain to ASCII, until f4d84a5 and dc9d831).
        DomainTransitional,
        /// The host is a domain or an address of the URL Standard, but the table of hosts states which characters are
        /// rejected and encoded.
        DomainByTable,
        /// The host ends at the first character that is not allowed; the rest is path.
        CutAtInvalid,
    }

    /// When are tabs and newlines removed?
    tabs: Tabs {
        /// Before the text is split into components, or by the tables of characters (URL Standard §4.4 basic URL parser,
        /// step 3).
        First,
        /// After the text is split into components, also from hosts and ports (URL Standard §4.4 host state and port
        /// state, until 7b40216).
        FromComponents,
    }

    /// Which characters are forbidden in a domain of the URL Standard, besides delimiters and spaces?
    domain_forbidden: DomainForbidden {
        /// Control characters, `|`, `<`, `>` and `^` (URL Standard §3.2 forbidden domain code point).
        Controls,
        /// `|`, `<`, `>` and `^` (URL Standard §3.2 forbidden host code point, until 35e195a).
        Bar,
        /// `<`, `>` and `^` (URL Standard §3.2 forbidden host code point, until 4025253).
        Brackets,
        /// None (URL Standard §3.2 forbidden host code point, until 302ba41).
        None,
    }

    /// Which domains of the URL Standard are IPv4 addresses?
    domain_numbers: DomainNumbers {
        /// Those that end in a number; they are rejected if they are not valid addresses (URL Standard §3.5 ends in a
        /// number checker).
        Last,
        /// Those that consist of one to four numbers (URL Standard §3.5 IPv4 parser, until ab0e820).
        All,
        /// Those that consist of one to four numbers; a zero after `0x` begins an octal number (URL Standard §3.5 IPv4
        /// number parser, until 620fa90).
        AllOctalAfterMark,
        /// None (URL Standard §3.5 host parser, until 9043740).
        None,
    }

    /// How is a host outside ASCII written?
    unicode_host: UnicodeHost {
        /// It is treated by the table of hosts.
        Characters,
        /// It is converted by IDNA.
        Idna,
        /// It is converted by IDNA after percent-encoded characters outside ASCII are decoded.
        IdnaDecoded,
        /// It is converted by IDNA of 2003 (UTS 46 §4, transitional processing).
        IdnaTransitional,
        /// It is converted by IDNA; characters that IDNA would map to others are rejected (RFC 5891 §4).
        IdnaUnmapped,
        /// Its labels are encoded by Punycode, and no character is mapped.
        Punycode,
        /// Its labels are encoded in Punycode as they are written; ideographic full stops are dots.
        PunycodeDots,
    }

    /// Which `@` ends the userinfo?
    userinfo_end: UserinfoEnd {
        /// The last one (URL Standard §4.4 authority state).
        LastAt,
        /// The first one (RFC 3986 §3.2.1).
        FirstAt,
        /// More than one is rejected.
        OnlyAt,
        /// An `@` is an ordinary character.
        None,
    }

    /// Which part of the userinfo is written?
    written_userinfo: WrittenUserinfo {
        /// All of it.
        All,
        /// The user name; the password is dropped.
        User,
        /// None of it.
        None,
    }

    /// What happens to an empty userinfo?
    empty_userinfo: EmptyUserinfo {
        /// It is kept.
        Kept,
        /// `@` is dropped if nothing precedes it.
        Dropped,
        /// Empty user names and passwords are dropped with their delimiters (URL Standard §4.5 URL serializing).
        PartsDropped,
        /// Every userinfo is dropped.
        AllDropped,
        /// An `@` at the start is part of the host.
        PartOfHost,
    }

    /// Which ports are accepted?
    port: Port {
        /// Any text.
        Any,
        /// None: a colon is part of the host.
        None,
        /// Digits (RFC 3986 §3.2.3).
        Digits,
        /// Digits; otherwise the authority is a name and not divided (RFC 2396 §3.2.1).
        DigitsOrName,
        /// Digits at the end; other text belongs to the host.
        DigitsOrHost,
        /// The digits; the rest belongs to the path.
        DigitsThenPath,
        /// The digits at the start of up to five characters; other text is dropped.
        DigitsThenDropped,
        /// The digits; other text and all that follows it is dropped.
        DigitsThenEnd,
        /// Digits; otherwise the port and all that follows it is dropped.
        DigitsOrEnd,
    }

    /// Are colons accepted in a host that is not in brackets?
    host_colon: HostColon {
        /// They are, unless the table of hosts rejects them.
        Accepted,
        /// They are rejected (RFC 3986 §3.2.2).
        Rejected,
    }

    /// Is there a highest port?
    port_limit: PortLimit {
        /// No.
        None,
        /// 65535 (URL Standard §4.4 port state).
        Bits16,
        /// 2147483647.
        Bits31,
        /// No: a number of more than 32 bits loses the others.
        Wraps32,
    }

    /// What happens to leading zeros of a port?
    port_zeros: PortZeros {
        /// They are kept.
        Kept,
        /// They are dropped (URL Standard §4.4 port state).
        Dropped,
        /// They are dropped, and the port 0 as well.
        ZeroDropped,
        /// They are dropped, and the port 0 is rejected.
        ZeroRejected,
    }

    /// What happens to a colon without a port?
    empty_port: EmptyPort {
        /// It is kept.
        Kept,
        /// It is dropped (URL Standard §4.4 port state; RFC 3986 §6.2.3).
        Dropped,
        /// It is rejected.
        Rejected,
    }

    /// What happens to the default port of the scheme?
    default_port: DefaultPort {
        /// It is kept.
        Kept,
        /// It is dropped (URL Standard §4.4 port state; RFC 3986 §6.2.3).
        Dropped,
    }

    /// Which hosts in brackets are accepted?
    brackets: Brackets {
        /// Brackets are ordinary characters.
        Any,
        /// Any text between brackets that enclose it; a bracket elsewhere is rejected.
        Closed,
        /// A bracket at the start must be closed; other brackets are ordinary characters.
        ClosedIfFirst,
        /// Neither bracket may be alone.
        Paired,
        /// Neither bracket may be alone, and the first pair contains an IPv6 address or one of a future version.
        FirstPair,
        /// An IPv6 address, or one of a future version (RFC 3986 §3.2.2).
        Ipv6OrFuture,
        /// An IPv6 address (URL Standard §3.5 host parser).
        Ipv6,
        /// An IPv6 address, whose IPv4 part may have fewer than four numbers or one more character (URL Standard §3.5
        /// IPv6 parser, until a7ae1b8).
        Ipv6OpenEnd,
        /// An IPv6 address; a closing bracket without an opening one is an ordinary character.
        Ipv6IfOpened,
        /// An IPv6 address; other brackets are ordinary characters.
        Ipv6IfPaired,
    }

    /// When is a host written in brackets?
    written_brackets: WrittenBrackets {
        /// If it is in brackets.
        AsGiven,
        /// If it contains a colon.
        WithColon,
        /// If it is an IPv6 address.
        WithIpv6,
    }

    /// How is an IPv6 address written?
    ipv6: Ipv6 {
        /// As it is written.
        Kept,
        /// In canonical form (RFC 5952).
        Canonical,
        /// In canonical form, with the last four bytes as an IPv4 address if all others are zero (`inet_ntop`).
        CanonicalCompatible,
        /// In canonical form, with IPv4 parts as hexadecimal numbers (URL Standard §3.6 IPv6 serializer).
        Pieces,
        /// With all eight numbers and four digits each.
        Full,
        /// In canonical form; an address that is mapped from IPv4 is written as an IPv4 address.
        MappedAsIpv4,
    }

    /// Is a zone accepted after an IPv6 address?
    zone: Zone {
        /// It is rejected (URL Standard §3.5 host parser).
        Rejected,
        /// It is accepted after `%25` (RFC 6874 §2).
        AfterEncodedPercent,
        /// It is accepted after `%`.
        AfterPercent,
        /// It is accepted after `%` and after `%25`, and it is written after `%25`.
        WrittenEncoded,
    }

    /// How is an IPv4 address written?
    ipv4: Ipv4 {
        /// As it is written.
        Kept,
        /// As it is written. Four numbers that are not an IPv4 address (RFC 3986 §3.2.2) are rejected.
        Checked,
        /// Without leading zeros.
        ZerosDropped,
        /// The forms of `inet_aton` are written as four numbers (URL Standard §3.5 IPv4 parser).
        Parsed,
        /// The forms of `inet_aton` are written as four numbers; other hosts that end in a number are names.
        ParsedOrName,
    }

    /// Is an empty host accepted?
    empty_host: EmptyHost {
        /// It is accepted.
        Accepted,
        /// It is rejected (URL Standard §4.4 host state).
        Rejected,
    }

    /// Are empty labels of a host accepted?
    empty_labels: EmptyLabels {
        /// They are accepted.
        Accepted,
        /// They are rejected between or after other labels; one at the end is accepted.
        Rejected,
        /// They are rejected at the end, except one after a name.
        RejectedAtEnd,
    }

    /// Are a userinfo or a port accepted without a host?
    host_missing: HostMissing {
        /// They are accepted.
        Accepted,
        /// They are rejected (URL Standard §4.4 authority state, host state).
        Rejected,
        /// They are rejected, unless the userinfo is empty.
        RejectedUnlessEmpty,
        /// They are rejected, unless the userinfo is a colon, or it is empty and nothing follows it.
        RejectedUnlessColon,
        /// They are dropped.
        Dropped,
    }

    /// What is the host `localhost`?
    localhost: Localhost {
        /// It is a host like any other.
        Host,
        /// It is the empty host (URL Standard §4.4 file host state).
        Empty,
        /// It and `127.0.0.1` are the empty host; other hosts are rejected.
        EmptyOthersRejected,
    }

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
    }

    /// What ends a drive letter at the start of a path?
    drive_end: DriveEnd {
        /// A delimiter or the end of the path (URL Standard §4.2 start with a Windows drive letter).
        Delimiter,
        /// A delimiter, the end of the path, or a character that is removed everywhere.
        RemovedToo,
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
    }

    /// Are dot segments removed from a reference that has an authority?
    dots_in_network_path: DotsInNetworkPath {
        Removed,
        Kept,
        /// Dot segments are removed if the scheme of the base precedes the authority.
        RemovedAfterScheme,
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
        /// It inherits the port that it does not have.
        Port,
        /// It inherits the userinfo that it does not have.
        Userinfo,
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
    }

    /// What happens to the last segment of the base's path if the reference begins with its query?
    query_only: QueryOnly {
        KeepsLastSegment,
        DropsLastSegment,
        /// The last segment is removed, and dot segments are kept.
        DropsLastSegmentKeepsDots,
        /// The reference is resolved with the base's path before it, so that slashes can begin an authority.
        ResolvedWithPath,
    }

    /// Are the tables of characters applied to the base's path if the reference does not have a path?
    inherited_path: InheritedPath {
        /// They are.
        WithTables,
        /// They are not: the path is copied as it is written.
        AsWritten,
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
    }

    /// How is a relative path merged with a base that consists of a scheme?
    scheme_alone: SchemeAlone {
        NoSlash,
        SlashDotsKept,
        /// A slash is inserted between them; then dot segments are removed.
        SlashBeforeDots,
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
    }

    /// Is a segment of three dots a dot segment?
    three_dots: ThreeDots {
        /// It is a segment like any other.
        Ordinary,
        /// It is removed like a segment of one dot.
        DotSegment,
    }

    /// Which dot segments are removed?
    dots_removed: DotsRemoved {
        /// All of them (RFC 3986 §5.2.4).
        All,
        /// Those at the start of the reference; the others and those of the base are kept.
        Leading,
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
    }

    /// Which segments does a `..` segment remove?
    dotdot_removes: DotdotRemoves {
        Any,
        NotDotdot,
        Named,
    }

    /// What happens to a `..` segment if no segment is left to remove?
    excess: Excess {
        Dropped,
        Kept,
        /// It is kept in a path that does not begin with a slash.
        KeptInRootless,
        /// It is kept if it is the last one.
        KeptAtEnd,
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

    /// What remains if `..` removes the first segment of a path that has no leading slash?
    rootless_first: RootlessFirst {
        LeavesSlash,
        LeavesNothing,
        /// The segment is not removed.
        Stays,
        /// The segment is not removed, not even by a `..` segment at the end.
        AlwaysStays,
    }

    /// Does a path without a leading slash get one when dot segments are removed?
    rootless_path: RootlessPath {
        /// It does not.
        Kept,
        /// It gets a slash.
        Slash,
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
        /// A slash if a query follows.
        SlashBeforeQuery,
        /// A slash if a query or fragment follows, and the authority is not empty.
        SlashBeforeQueryOrFragment,
    }

    /// What is written before the authority of a result without a scheme?
    authority_alone: AuthorityAlone {
        /// Two slashes (RFC 3986 §5.3).
        Slashes,
        /// A colon and two slashes.
        ColonAndSlashes,
        /// `http:` and two slashes, if the authority is not empty.
        AfterHttp,
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
        /// With one slash.
        Collapsed,
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
    }
}

impl BaseForm {
    /// Returns whether the base is parsed like an absolute reference.
    pub(crate) fn is_parsed(self) -> bool {
        matches!(self, Self::Parsed | Self::ParsedDotsKept)
    }
}

impl Syntax {
    /// Returns the syntax of an RFC's rule set.
    pub fn of(rules: &Rules) -> Self {
        let mut syntax = Self::FIRST;
        assign_rules(&mut syntax, SYNTAX, rules);
        syntax
    }
}

impl Row {
    /// Returns the row of an RFC's rule set. Rules about classes of schemes and about unknown bases are not part of a
    /// row.
    pub fn of(rules: &Rules) -> Self {
        let mut row = Self::FIRST;
        assign_rules(&mut row, ROW, rules);
        row
    }
}

fn assign_rules<T>(set: &mut T, settings: &[Setting<T>], rules: &Rules) {
    for setting in settings {
        let Some(rule) = rules::by_name(setting.name) else { continue };
        if let Some(index) = setting.value_named(rule.setting(rules).name) {
            setting.assign(set, index);
        }
    }
}
