//! Normalizations: what engines do to the characters of a pair or of a result, apart from resolution.
//!
//! Each normalization is independent of the others and can be combined with any rule set. It is declared once;
//! profiles, attributions and reports print its name, its sentence and its source.
//!
//! This module never calls an engine, so an engine's behaviour is never explained by the engine itself.

use std::borrow::Cow;
use std::fmt;

use urlstrata::fast;
use urlstrata::revision::whatwg::{Change, ChangeSet};
use urlstrata::rules::{DotsInAbsolute, Rules, SameScheme, UnknownBase};

use crate::outcome::Outcome;

mod before;
mod characters;
mod drive;
mod grammar;
mod host;
mod parts;

use before::Kind;
use parts::{Authority, Parts, scheme_of};

/// The origin of a normalization.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Origin {
    /// A specification requires or permits it.
    Specification,
    /// No specification describes it: it is a quirk of an engine.
    Quirk,
}

macro_rules! normalizations {
    ($($(#[doc = $note:literal])+ $Normalization:ident $name:literal $origin:ident ($base:literal, $reference:literal),)+) => {
        /// A normalization, validation or quirk: what an engine does apart from resolution.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Normalization {
            $($(#[doc = $note])+ $Normalization,)+
        }

        impl Normalization {
            /// All normalizations, in the order in which they are applied.
            pub const ALL: &'static [Self] = &[$(Self::$Normalization),+];

            /// Returns the name, for example `strip_tabs`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Normalization => $name,)+
                }
            }

            /// Returns the origin: a specification or a quirk.
            pub fn origin(self) -> Origin {
                match self {
                    $(Self::$Normalization => Origin::$origin,)+
                }
            }

            /// Returns a base and a reference that show the normalization under the rule set of RFC 3986.
            pub fn witness(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$Normalization => ($base, $reference),)+
                }
            }

            /// Returns the doc comment of the variant: a sentence with its source in parentheses.
            pub fn doc(self) -> &'static str {
                match self {
                    $(Self::$Normalization => concat!($($note),+).trim_ascii(),)+
                }
            }
        }
    };
}

normalizations! {
    /// Control characters and spaces at both ends are removed (URL Standard §4.4 basic URL parser, step 1).
    Trim "trim" Specification ("http://a/b", " g "),
    /// Tabs and newlines are removed everywhere (URL Standard §4.4 basic URL parser, step 3).
    StripTabs "strip_tabs" Specification ("http://a/b", "g\th"),
    /// A base or reference that RFC 3986's grammar does not match is rejected (RFC 3986 §4.1).
    UriGrammar "uri_grammar" Specification ("http://a/b", "é"),
    /// A base or reference that RFC 3987's grammar does not match is rejected (RFC 3987 §2.2).
    IriGrammar "iri_grammar" Specification ("http://a/b", "g h"),
    /// A base with a fragment is rejected: an absolute URI has none (RFC 3986 §4.3).
    BaseFragmentRejected "base_fragment_rejected" Specification ("http://a/b#f", "g"),
    /// Without a base, an absolute reference is returned unchanged: nothing is resolved (RFC 3986 §4.3).
    KeptWithoutBase "kept_without_base" Specification ("", "http://a/./g"),
    /// The base's own dot segments are removed before anything is resolved (RFC 3986 §5.2.1, which leaves it open).
    BaseDots "base_dots" Specification ("http://a/b/../c", "?y"),
    /// The base is normalized like a result before anything is resolved (URL Standard §4.4, whose base is a URL
    /// record).
    BaseNormalised "base_normalised" Specification ("http://a/b/../c", "?y"),
    /// Under a special scheme, a backslash before the query is a slash (URL Standard §4.4 relative state, path state).
    Backslash "backslash" Specification ("http://a/b/c", "\\g"),
    /// A special scheme that equals the base's is dropped unless two slashes follow it (URL Standard §4.4 special
    /// relative or authority state).
    SpecialSameScheme "special_same_scheme" Specification ("http://a/b/c", "http:g"),
    /// Any number of slashes after a special scheme counts as two (URL Standard §4.4 special authority ignore slashes
    /// state).
    SpecialSlashes "special_slashes" Specification ("", "http:g"),
    /// Two or more slashes at the start of a reference count as two if the base is special (URL Standard §4.4 relative
    /// slash state).
    RelativeSlashes "relative_slashes" Specification ("http://a/b", "///g"),
    /// A file URL always has an authority, which may be empty; a file reference without slashes is relative to a file
    /// base (URL Standard §4.4 file state).
    FileAuthority "file_authority" Specification ("", "file:g"),
    /// The drive letter of a file URL is its root, and dot segments do not remove it (URL Standard §4.4 file state,
    /// §4.1 shorten a path).
    DriveLetters "drive_letters" Specification ("file:///C:/a", "../../x"),
    /// A segment whose dots are written as `%2e` is a dot segment (URL Standard §4.4 path state; RFC 3986 §6.2.2.3
    /// after §6.2.2.2).
    EncodedDots "encoded_dots" Specification ("http://a/b/c/d", "%2e%2E/g"),
    /// A path without a leading slash after a scheme that is not special is opaque: its dot segments are kept (URL
    /// Standard §4.4 opaque path state).
    OpaquePath "opaque_path" Specification ("", "g:x/../y"),
    /// A reference other than a fragment is rejected if the base has an opaque path (URL Standard §4.4 no scheme
    /// state).
    OpaqueBase "opaque_base" Specification ("foo:a/b", "g"),
    /// Dot segments are removed only from a path that begins with a slash (quirk).
    RootlessUntouched "rootless_untouched" Quirk ("", "http:x/../y"),
    /// If the base's path neither begins with a slash nor needs one, only the empty reference and fragments are
    /// resolved (quirk).
    RootlessBase "rootless_base" Quirk ("foo:a/b", "g"),
    /// A result whose path begins with two slashes without an authority is rejected (RFC 3986 §3.3).
    SlashPathRejected "slash_path_rejected" Specification ("foo:/a/b", "..//c"),
    /// `/.` is written before a path that begins with two slashes if the authority is absent (URL Standard §4.5 URL
    /// serializing, step 3).
    SlashDotGuard "slash_dot_guard" Specification ("foo:/a/b", "..//c"),
    /// A tab or newline after a letter and a colon at the root of a file reference ends the segment (quirk).
    TabEndsDrive "tab_ends_drive" Quirk ("file://h/a", "/C:\tx"),
    /// Under any scheme except file, backslashes at the start of a relative reference count as slashes, and more than
    /// two count as two, unless the first two are slashes (quirk).
    RelativeBackslashes "relative_backslashes" Quirk ("foo://a/b", "\\\\h"),
    /// After a port, a backslash begins the path under any scheme (quirk).
    PortBackslash "port_backslash" Quirk ("", "foo://h:8\\g"),
    /// A `..` does not remove a segment that is a letter with a colon or vertical line, under any scheme (quirk).
    DriveSegmentsStay "drive_segments_stay" Quirk ("foo://h/C:/b", "../g"),
    /// A last segment of a file base that is a letter and a colon is kept: the reference is appended to it (quirk).
    LastDriveStays "last_drive_stays" Quirk ("file:///a/C:", "g"),
    /// After `file://` without a host, a drive letter is an ordinary segment (quirk).
    DriveAfterEmptyHost "drive_after_empty_host" Quirk ("", "file:///c|/x"),
    /// A drive letter at the root of a file path removes the host (URL Standard §4.4 path state, until 47efa00).
    DriveDropsHost "drive_drops_host" Specification ("", "file://h/C:/x"),
    /// A drive letter that comes to the root of a file path after dot segments does not remove the host (quirk).
    DriveAfterDots "drive_after_dots" Quirk ("file://h/a/b", "../../C:"),
    /// Empty segments at the start of a file path are removed (URL Standard §4.4 path state, until 47efa00).
    FileSlashes "file_slashes" Specification ("", "file:////g"),
    /// Empty credentials, `:@` or a final `@`, are allowed without a host (quirk).
    EmptyCredentials "empty_credentials" Quirk ("", "foo://:@/g"),
    /// The scheme is written in lower case (URL Standard §4.4 scheme state; RFC 3986 §6.2.2.1).
    SchemeCase "scheme_case" Specification ("", "HTTP://a/"),
    /// An empty user name or password is removed with its delimiter (URL Standard §4.5 URL serializing).
    EmptyUserinfo "empty_userinfo" Specification ("", "http://:@h/"),
    /// Characters outside the userinfo set are percent-encoded, and so is each `@` except the last (URL Standard §4.4
    /// authority state).
    EncodeUserinfo "encode_userinfo" Specification ("", "http://u@v@h/"),
    /// Credentials or a port without a host are rejected (URL Standard §4.4 authority state, host state).
    HostMissing "host_missing" Specification ("", "foo://u@/"),
    /// An empty host is rejected under a special scheme other than file (URL Standard §4.4 host state).
    EmptyHost "empty_host" Specification ("http://a/b", "//"),
    /// The host of a special scheme is percent-decoded (URL Standard §3.5 host parser).
    HostDecoded "host_decoded" Specification ("", "http://%41/"),
    /// The host of a special scheme is written in lower case (URL Standard §3.5 host parser; RFC 3986 §6.2.2.1).
    HostCase "host_case" Specification ("", "http://A/"),
    /// The host of a special scheme is written in ASCII by IDNA, or rejected (URL Standard §3.3 domain to ASCII).
    HostIdna "host_idna" Specification ("", "http://é/"),
    /// An ASCII host with a label that begins with `xn--` and is not valid by IDNA is rejected (URL Standard §3.3 domain
    /// to ASCII, until a8d5ca3).
    AceValidated "ace_validated" Specification ("", "http://xn--a/"),
    /// A host with a forbidden character is rejected (URL Standard §3.2 forbidden host code point).
    HostForbidden "host_forbidden" Specification ("", "http://a b/"),
    /// The host of a special scheme that ends in a number is an IPv4 address in canonical form, or rejected (URL
    /// Standard §3.5 IPv4 parser).
    Ipv4 "ipv4" Specification ("", "http://0x7f.1/"),
    /// A host in brackets is an IPv6 address in canonical form, or rejected (URL Standard §3.5 IPv6 parser).
    Ipv6 "ipv6" Specification ("", "http://[1:0:0::2]/"),
    /// Control characters and those outside ASCII are percent-encoded in other hosts (URL Standard §3.5 opaque-host
    /// parser).
    EncodeHost "encode_host" Specification ("", "foo://é/"),
    /// The host localhost of a file URL is removed (URL Standard §4.4 file host state).
    FileLocalhost "file_localhost" Specification ("", "file://localhost/x"),
    /// A port that is not a number up to 65535 is rejected, and leading zeros are removed (URL
    /// Standard §4.4 port state).
    PortNumber "port_number" Specification ("", "http://h:080/"),
    /// A colon without a port is removed (URL Standard §4.4 port state; RFC 3986 §6.2.3).
    EmptyPort "empty_port" Specification ("", "foo://h:/"),
    /// A special scheme's default port is removed (URL Standard §4.4 port state; RFC 3986 §6.2.3).
    DefaultPort "default_port" Specification ("", "http://h:80/"),
    /// An empty path of a special scheme becomes a slash (URL Standard §4.4 path start state; RFC 3986
    /// §6.2.3).
    EmptyPath "empty_path" Specification ("", "http://a?y"),
    /// Characters of the path percent-encode set are percent-encoded in paths (URL Standard §1.3).
    EncodePath "encode_path" Specification ("http://a/b", "x y"),
    /// A caret is percent-encoded in paths (URL Standard §1.3 path percent-encode set, since 9bc33c3).
    EncodeCaret "encode_caret" Specification ("http://a/b", "^"),
    /// Control characters and those outside ASCII are percent-encoded in opaque paths (URL Standard §4.4 opaque path
    /// state).
    EncodeOpaquePath "encode_opaque_path" Specification ("", "foo:é"),
    /// The last space of an opaque path before a query or fragment is percent-encoded (URL Standard §4.4 opaque path
    /// state, since 6c78200).
    EncodeOpaqueSpace "encode_opaque_space" Specification ("", "foo:a ?b"),
    /// Characters of the query percent-encode set are percent-encoded in queries (URL Standard §1.3).
    EncodeQuery "encode_query" Specification ("", "http://a/?\""),
    /// An apostrophe is percent-encoded in the query of a special scheme (URL Standard §1.3 special-query
    /// percent-encode set).
    EncodeApostrophe "encode_apostrophe" Specification ("", "http://a/?'"),
    /// Characters of the fragment percent-encode set are percent-encoded in fragments (URL Standard §1.3).
    EncodeFragment "encode_fragment" Specification ("", "http://a/#`"),
}

impl Normalization {
    /// Returns the sentence of [`Self::doc`] without the source and the full stop.
    pub fn note(self) -> &'static str {
        let doc = self.doc();
        doc.rfind(" (").map_or(doc, |at| &doc[..at])
    }

    /// Returns the specifications and sections that describe the normalization; empty for a quirk.
    pub fn source(self) -> &'static str {
        let doc = self.doc();
        match self.origin() {
            Origin::Specification => doc.rfind(" (").map_or("", |at| doc[at + 2..].trim_end_matches(").")),
            Origin::Quirk => "",
        }
    }

    /// Returns the change of the URL Standard that the source names, and whether the Standard requires the normalization
    /// since that change (`true`) or until it (`false`). Returns `None` if every modelled state requires it, or none.
    pub fn change(self) -> Option<(&'static Change, bool)> {
        let source = self.source();
        let found = |word| Change::by_commit(source.rsplit_once(word)?.1);
        found(", since ").map(|change| (change, true)).or_else(|| found(", until ").map(|change| (change, false)))
    }

    /// Returns whether the normalization can affect the pair. This is a cheap check for characters; it returns `true`
    /// in doubtful cases.
    pub fn may_act(self, base: &str, reference: &str) -> bool {
        let any = |wanted: fn(u8) -> bool| base.bytes().chain(reference.bytes()).any(wanted);
        let has = |text: &str| base.contains(text) || reference.contains(text);
        match self {
            Self::Trim => any(|byte| byte <= b' '),
            Self::StripTabs | Self::TabEndsDrive => any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')),
            Self::Backslash | Self::RelativeBackslashes | Self::PortBackslash => has("\\"),
            Self::EncodedDots => has("%2"),
            Self::DriveLetters
            | Self::DriveSegmentsStay
            | Self::LastDriveStays
            | Self::DriveAfterEmptyHost
            | Self::DriveDropsHost
            | Self::DriveAfterDots => any(|byte| matches!(byte, b':' | b'|')),
            Self::HostDecoded => has("%"),
            Self::SchemeCase | Self::HostCase => {
                any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii() || byte == b'%')
            }
            Self::EmptyUserinfo | Self::EncodeUserinfo | Self::EmptyCredentials => has("@"),
            Self::Ipv4 => any(|byte| byte.is_ascii_digit() || !byte.is_ascii() || byte == b'%'),
            Self::Ipv6 => has("["),
            Self::HostIdna | Self::AceValidated | Self::EncodeHost => {
                any(|byte| !byte.is_ascii() || byte.is_ascii_control() || matches!(byte, b'x' | b'X' | b'%'))
            }
            Self::EncodePath | Self::EncodeQuery | Self::EncodeFragment | Self::EncodeOpaquePath => {
                any(|byte| !byte.is_ascii_alphanumeric() && !b"/.:;?#%-_~!$&'()*+,=@|[]\\".contains(&byte))
            }
            Self::EncodeCaret => has("^"),
            Self::EncodeApostrophe => has("'"),
            Self::EncodeOpaqueSpace => has(" "),
            _ => true,
        }
    }

    /// Returns the normalization called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|normalization| normalization.name() == name)
    }
}

/// A set of normalizations.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Normalizations(u128);

impl Normalizations {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns whether the set contains `normalization`.
    pub fn has(self, normalization: Normalization) -> bool {
        self.0 & 1 << normalization as u32 != 0
    }

    /// Returns the set with `normalization` added.
    #[must_use]
    pub fn with(self, normalization: Normalization) -> Self {
        Self(self.0 | 1 << normalization as u32)
    }

    /// Returns the set with `normalization` removed.
    #[must_use]
    pub fn without(self, normalization: Normalization) -> Self {
        Self(self.0 & !(1 << normalization as u32))
    }

    /// Returns the normalizations of the URL Standard in the state that the changes define.
    ///
    /// The result is complete for a state with every change until 35e195a (28 January 2022), except for the changes that
    /// a normalization names: see [`Normalization::change`].
    pub fn url_standard(landed: ChangeSet) -> Self {
        let required = |normalization: &Normalization| match normalization.change() {
            Some((change, since)) => landed.contains(change) == since,
            None => normalization.source().starts_with("URL Standard"),
        };
        Normalization::ALL.iter().copied().filter(required).collect()
    }

    /// Iterates over the normalizations in the set, in the order in which they are applied.
    pub fn iter(self) -> impl Iterator<Item = Normalization> {
        Normalization::ALL.iter().copied().filter(move |&normalization| self.has(normalization))
    }
}

impl FromIterator<Normalization> for Normalizations {
    fn from_iter<T: IntoIterator<Item = Normalization>>(normalizations: T) -> Self {
        normalizations.into_iter().fold(Self::NONE, Self::with)
    }
}

/// A model of an engine's behaviour: a rule set and a set of normalizations.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Profile {
    /// The rule set that resolves references.
    pub rules: Rules,
    /// What the engine does apart from resolution.
    pub normalizations: Normalizations,
}

/// The reason why a profile has no result for a pair.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Failure {
    /// The reason, in lower case and without a full stop.
    pub why: &'static str,
    /// The normalization that rejects the pair; `None` if the rules define no result.
    pub by: Option<Normalization>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)
    }
}

/// Returns whether `result` agrees with an engine's outcome `did`. Two failures agree, whatever their reasons.
pub(crate) fn is_met_by<E>(result: &Result<String, E>, did: &Outcome) -> bool {
    match (result, did) {
        (Ok(url), Outcome::Url(returned)) => url == returned,
        (Err(_), Outcome::Failure(_)) => true,
        _ => false,
    }
}

fn reject<T>(by: Normalization, why: &'static str) -> Result<T, Failure> {
    Err(Failure { why, by: Some(by) })
}

impl Profile {
    /// Returns the outcome that the profile predicts for the pair. An empty `base` means that the base is unknown.
    pub fn predict(&self, base: &str, reference: &str) -> Outcome {
        match self.resolve(base, reference) {
            Ok(url) => Outcome::Url(url),
            Err(rejected) => Outcome::Failure(rejected.why.to_owned()),
        }
    }

    /// Returns whether the profile predicts the outcome `did`. Two failures agree, whatever their reasons.
    pub fn predicts(&self, base: &str, reference: &str, did: &Outcome) -> bool {
        is_met_by(&self.resolve(base, reference), did)
    }

    /// Resolves `reference` against `base`: normalizes the input, applies the rules, and normalizes the result.
    ///
    /// An empty `base` means that the base is unknown.
    ///
    /// # Errors
    ///
    /// Returns an error if a normalization rejects the pair or its result, or if the rules define no result.
    pub fn resolve(&self, base: &str, reference: &str) -> Result<String, Failure> {
        let set = self.normalizations;
        let written = reference;
        let mut reference = before::cleaned(set, written);
        before::check(set, base, &reference)?;
        if base.is_empty() && set.has(Normalization::KeptWithoutBase) && scheme_of(&reference).is_some() {
            return Ok(reference.into_owned());
        }
        let base = self.base(base)?;
        let ended = drive::ended_by_tab(set, &base, written);
        let by_tab = ended.is_some();
        reference = ended.map_or(reference, Cow::Owned);
        let own = scheme_of(&reference);
        let base_scheme = scheme_of(&base);
        let kind = own.or(base_scheme).map_or(Kind::Other, Kind::of);
        let rootless = own.is_some_and(|scheme| !reference[scheme.len() + 1..].starts_with('/'));
        let opaque =
            kind == Kind::Other && set.has(Normalization::OpaquePath) || set.has(Normalization::RootlessUntouched);
        let (url, authority) = if rootless && opaque {
            (reference.into_owned(), Authority::None)
        } else if own.is_none() && set.has(Normalization::OpaqueBase) && parts::is_opaque(&base) {
            if !reference.starts_with('#') {
                return reject(Normalization::OpaqueBase, "the base has an opaque path");
            }
            (format!("{}{reference}", parts::before_fragment(&base)), Authority::None)
        } else if own.is_none()
            && set.has(Normalization::RootlessBase)
            && parts::is_opaque(&base)
            && !(reference.is_empty() || reference.starts_with('#'))
        {
            return reject(Normalization::RootlessBase, "the base's path has no slash");
        } else {
            self.resolve_hierarchical(kind, base, reference, by_tab)?
        };
        let Some(scheme) = scheme_of(&url) else { return Ok(url) };
        let scheme = scheme.to_owned();
        let mut parts = Parts::of(&url, &scheme, authority);
        let kept = if by_tab { parts.without_kept_dot() } else { None };
        parts.path = kept.as_deref().unwrap_or(parts.path);
        characters::written(set, parts, kind)
    }

    /// Normalizes the base before the rules are applied.
    fn base<'a>(&self, base: &'a str) -> Result<Cow<'a, str>, Failure> {
        let set = self.normalizations;
        if base.is_empty() {
            return Ok(Cow::Borrowed(base));
        }
        if set.has(Normalization::BaseNormalised) {
            let normalising = Self { normalizations: set.without(Normalization::KeptWithoutBase), ..*self };
            return normalising.resolve("", base).map(Cow::Owned);
        }
        let base = before::cleaned(set, base);
        if set.has(Normalization::BaseDots) { Ok(self.without_base_dots(base)) } else { Ok(base) }
    }

    /// Removes the dot segments from the base's path in the way that the rules remove them.
    fn without_base_dots<'a>(&self, base: Cow<'a, str>) -> Cow<'a, str> {
        let Some(scheme) = scheme_of(&base) else { return base };
        let rest = &base[scheme.len() + 1..];
        if !rest.starts_with('/') && self.normalizations.has(Normalization::RootlessUntouched) {
            return base;
        }
        let text = before::dots_decoded(self.normalizations, &base);
        let rules =
            Rules { dots_in_absolute: DotsInAbsolute::Removed, unknown_base: UnknownBase::Undefined, ..self.rules };
        let has_authority = rest.starts_with("//");
        match fast::resolve(&rules, "", &text) {
            Ok(mut out) if !has_authority && out[scheme.len() + 1..].starts_with("//") => {
                // Without `/.`, the path would be parsed as an authority.
                out.insert_str(scheme.len() + 1, "/.");
                Cow::Owned(out)
            }
            Ok(out) => Cow::Owned(out),
            Err(_) => base,
        }
    }

    /// Applies the rules. Returns the result and the meaning of the two slashes after its scheme, which may begin an
    /// authority or a path.
    fn resolve_hierarchical(
        &self,
        kind: Kind,
        base: Cow<'_, str>,
        reference: Cow<'_, str>,
        by_tab: bool,
    ) -> Result<(String, Authority), Failure> {
        let mut prepared = before::prepare(self.normalizations, kind, base, reference);
        prepared.ended_by_tab = by_tab;
        if let Cow::Owned(decoded) = before::dots_decoded(self.normalizations, &prepared.reference) {
            prepared.reference = decoded;
        }
        if before::is_merged(before::behind_scheme(&prepared.reference))
            && let Cow::Owned(decoded) = before::dots_decoded(self.normalizations, &prepared.base)
        {
            prepared.base = decoded;
        }
        let marked = drive::prepare(self.normalizations, kind, &mut prepared);
        let same_scheme = if prepared.relative { SameScheme::Relative } else { self.rules.same_scheme };
        let rules = Rules { same_scheme, ..self.rules };
        let authority = match prepared.has_authority(same_scheme) {
            true if marked => Authority::Marked,
            true => Authority::Plain,
            false => Authority::None,
        };
        match fast::resolve(&rules, &prepared.base, &prepared.reference) {
            Ok(out) => Ok((out, authority)),
            Err(_) => Err(Failure { why: "the rules define no result", by: None }),
        }
    }
}
