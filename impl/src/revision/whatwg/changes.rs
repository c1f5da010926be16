//! The changes of the URL Standard that alter the result of an input, as data.
//!
//! A dated revision is the set of the changes that had landed. To add a change: append its entry here, give the steps
//! that it affects a [`since`] or an [`until`] (or ask [`ChangeSet::has`] inside a step), and add its witness to
//! `vectors/spec/whatwg/changes.yaml`.
//!
//! The changes before the revision `whatwg-2014-12` are entries without steps: every revision here has them.

use core::fmt;

/// A change of the URL Standard that alters the result of an input.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The short hash of the commit in the repository `whatwg/url`, for example `"47efa00"`. It identifies the change.
    pub commit: &'static str,
    /// The day on which the commit landed, for example `"2020-09-30"`.
    pub date: &'static str,
    /// What the Standard describes since then: a sentence of ours.
    pub sentence: &'static str,
    /// The states, algorithms or definitions that changed, with the newest text's step numbers. A state that the newest
    /// text does not have has the name of its time. [`place_in`](super::place_in) returns the numbers of a dated text.
    pub affects: &'static str,
    /// The smallest known base and reference whose result changed; an empty base is unknown. `None` if no input is
    /// known whose result is different after this change alone.
    pub witness: Option<(&'static str, &'static str)>,
}

impl Change {
    /// Returns the change with this commit.
    ///
    /// ```
    /// use urlstrata::revision::whatwg::Change;
    ///
    /// assert_eq!(Change::by_commit("47efa00").map(|change| change.date), Some("2020-09-30"));
    /// ```
    #[must_use]
    pub fn by_commit(commit: &str) -> Option<&'static Self> {
        CHANGES.iter().find(|change| change.commit == commit)
    }
}

impl fmt::Display for Change {
    /// Writes the commit and its date: `47efa00 of 2020-09-30`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.commit, self.date)
    }
}

macro_rules! changes {
    ($(#[doc = $sentence:literal] $id:ident $commit:literal $date:literal $affects:literal $($witness:expr)?,)+) => {
        /// The position of a change in [`CHANGES`].
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[allow(dead_code, reason = "the changes before 2014-12 have no steps")]
        pub(super) enum Id {
            $(
                #[doc = $sentence]
                $id,
            )+
        }

        pub(super) use Id::*;

        /// Every change, in the order in which they landed.
        pub static CHANGES: &[Change] = &[$(
            Change {
                commit: $commit,
                date: $date,
                sentence: $sentence.trim_ascii(),
                affects: $affects,
                witness: changes!(@witness $($witness)?),
            },
        )+];
    };
    (@witness) => { None };
    (@witness $witness:expr) => { Some($witness) };
}

changes! {
    /// The first complete text describes parsing as a state machine.
    C32FD85F "32fd85f" "2012-09-20" "the whole parser",
    /// Fragments are not percent-encoded.
    CCA23745 "ca23745" "2012-10-24" "fragment state" ("", "http://h/#\u{E9}"),
    /// Opaque paths and fragments are percent-encoded with a set of control characters and those outside ASCII.
    CAD3660F "ad3660f" "2012-10-26" "scheme data and fragment states" ("", "http://h/#\u{E9}"),
    /// `file` URLs are hierarchical.
    CC7E2C5F "c7e2c5f" "2012-10-27" "scheme and relative states" ("", "file:///a/../b"),
    /// `%2e` in a path is decoded to a dot.
    C24C4526 "24c4526" "2012-11-03" "relative path state" ("", "http://h/a/%2e%2E/b"),
    /// A drive letter at the start of a `file` path is written with a colon.
    C14033D3 "14033d3" "2012-11-04" "file host and relative path states" ("", "file:///C|/x"),
    /// Leading zeros of a port and the default port of the scheme are removed.
    C987D1E7 "987d1e7" "2012-11-10" "port state" ("", "http://h:080/"),
    /// The user name and the password are separate components.
    CD7BE1D1 "d7be1d1" "2012-11-16" "authority state, URL serializer",
    /// A host in brackets is parsed as an IPv6 address.
    CFA86651 "fa86651" "2012-11-19" "host parser, IPv6 parser, host serializer" ("", "http://[1:0:0::2]/"),
    /// A host is percent-decoded as UTF-8.
    C6463C3A "6463c3a" "2012-11-20" "host parser" ("", "http://%41/"),
    /// The query of a URL that is not hierarchical is a component of its own.
    CD8EA882 "d8ea882" "2012-11-26" "scheme data and query states" ("", "foo:a?b c"),
    /// A port of zeros keeps one zero.
    CCF8D5AC "cf8d5ac" "2012-11-26" "port state" ("", "http://h:0/"),
    /// An empty reference returns the base.
    CB0ED6BF "b0ed6bf" "2012-12-28" "relative state" ("http://h/a?b", ""),
    /// Tabs and newlines in ports are ignored.
    CFDD7195 "fdd7195" "2013-01-03" "port, authority and hostname states" ("", "http://h:8\t0/"),
    /// The IPv6 parser skips both colons of `::`.
    CA0B00B3 "a0b00b3" "2013-01-25" "IPv6 parser" ("", "http://[1::2]/"),
    /// The IPv6 serializer writes one more colon, not two, for a `::` after a piece.
    C3F75853 "3f75853" "2013-01-25" "IPv6 serializer" ("", "http://[1::2]/"),
    /// The first character of a host is kept.
    CE86A4B2 "e86a4b2" "2013-03-03" "authority state" ("", "http://host/"),
    /// The serializer writes the query of every URL.
    CA421BBC "a421bbc" "2013-03-04" "URL serializer, relative path state" ("", "foo:a?b"),
    /// The IPv4 part of an IPv6 address is shifted by a byte, not by four bits.
    C1FA077D "1fa077d" "2013-03-07" "IPv6 parser",
    /// A `..` that a slash follows does not leave an empty segment.
    CB3FD683 "b3fd683" "2013-03-07" "relative path state" ("", "http://h/a/../b"),
    /// `file:` keeps its scheme if the base has another.
    C20AC84D "20ac84d" "2013-04-09" "relative state" ("http://h/a", "file:x"),
    /// A `file` reference with one slash does not inherit the host of the base.
    C68468E1 "68468e1" "2013-06-27" "relative slash state" ("http://h/a", "file:/x"),
    /// An empty host is a failure.
    CBA45D40 "ba45d40" "2013-07-03" "host parser" ("", "http://"),
    /// A `file` URL may have an empty host.
    CA68F47C "a68f47c" "2013-07-15" "file host and relative states" ("", "file:///x"),
    /// Only a whole segment that spells a dot segment with `%2e` is one.
    C0B7C846 "0b7c846" "2013-07-18" "relative path state" ("", "http://h/a%2eb"),
    /// A domain is converted by IDNA2003.
    CD111888 "d111888" "2013-08-16" "IDNA, host parser" ("", "http://\u{E9}/"),
    /// The IPv4 part of an IPv6 address needs digits between its dots.
    C3EA2495 "3ea2495" "2013-10-24" "IPv6 parser" ("", "http://[::1.2.3.4]/"),
    /// A domain is lower-cased, and forbidden characters in it are a failure.
    C81CDD67 "81cdd67" "2014-01-13" "host parser" ("", "http://A/"),
    /// Leading zeros in the IPv4 part of an IPv6 address are a failure.
    CA0A8E32 "a0a8e32" "2014-01-15" "IPv6 parser" ("", "http://[::1.2.3.04]/"),
    /// UTS #46 replaces IDNA2003.
    C3BEC3B8 "3bec3b8" "2014-04-15" "IDNA",
    /// Brackets in a domain are a failure.
    C3CD5C10 "3cd5c10" "2014-06-23" "host parser" ("", "http://a]b/"),
    /// A zero is permitted in the IPv4 part of an IPv6 address.
    C1C22AA1 "1c22aa1" "2014-07-28" "IPv6 parser",
    /// The IPv4 part of an IPv6 address fills its two pieces.
    C72E5848 "72e5848" "2014-07-30" "IPv6 parser" ("", "http://[::1.2.3.4]/"),
    /// A `file` reference that begins with a drive letter does not inherit the path of the base.
    CEFE3116 "efe3116" "2014-08-12" "relative state" ("file:///a/b", "C|/x"),
    /// Fragments are not percent-encoded, and NUL is removed from them.
    C05CBE06 "05cbe06" "2014-12-15" "fragment state" ("", "http://h/#\u{E9}"),
    /// A relative reference inherits the user name and the password of the base.
    C06B2E68 "06b2e68" "2015-06-09" "relative and relative slash states" ("http://u:p@h/", "x"),
    /// Braces are percent-encoded in paths, user names and passwords.
    CC296E2F "c296e2f" "2015-06-10" "path percent-encode set" ("", "http://h/{"),
    /// Backticks are not percent-encoded in queries.
    CF54C44D "f54c44d" "2015-06-10" "query percent-encode set" ("", "http://h/?`"),
    /// A reference that consists of a fragment resolves against a base with an opaque path.
    C7468C39 "7468c39" "2015-06-15" "no scheme state" ("mailto:a", "#x"),
    /// All control characters are trimmed from the ends of the input, not only ASCII white space.
    C0BAB926 "0bab926" "2015-06-16" "basic URL parser 1.3" ("", "\u{1}http://h/"),
    /// References resolve under every scheme; only a path without a leading slash is opaque.
    CB266A43 "b266a43" "2015-06-17" "scheme, no scheme, relative, authority, host and path states, URL serializer" ("", "foo://h/../a"),
    /// A host that consists of one to four numbers is an IPv4 address.
    C9043740 "9043740" "2015-07-01" "host parser, IPv4 parser, IPv4 serializer" ("", "http://0x7f.1/"),
    /// The last number of an IPv4 address may fill all remaining bytes.
    C94E9E60 "94e9e60" "2015-07-02" "IPv4 parser 9" ("", "http://127.0.0.1/"),
    /// The IPv4 serializer writes the most significant byte first.
    CE7D85D6 "e7d85d6" "2015-07-10" "IPv4 serializer 3.1" ("", "http://127.0.0.1/"),
    /// A `0` alone is a number of an IPv4 address.
    C8848692 "8848692" "2015-07-23" "IPv4 number parser 5" ("", "http://0/"),
    /// A `0x` alone is the number zero of an IPv4 address.
    C1EAB2AB "1eab2ab" "2015-07-23" "IPv4 number parser 6" ("", "http://0x/"),
    /// The host `localhost` is removed from `file` URLs.
    CBB36BD9 "bb36bd9" "2015-08-13" "file host state 1.3.3" ("", "file://LOCALHOST/x"),
    /// `file` URLs have states of their own: `..` does not remove a drive letter, and a drive letter removes the host.
    C09CD673 "09cd673" "2015-08-14" "file, file slash, file host and path states, shorten" ("file:///C:/y", "/x"),
    /// A host with an empty label is a domain, not an IPv4 address.
    C990295A "990295a" "2015-08-14" "IPv4 parser 6.1" ("", "http://1..2/"),
    /// A port over 65535 is a failure.
    CC3A454C "c3a454c" "2015-08-14" "port state 2.1.2" ("", "http://h:65536/"),
    /// Delimiters are percent-encoded in user names and passwords.
    C9CA26E5 "9ca26e5" "2015-08-14" "userinfo percent-encode set" ("", "http://a;b@h/"),
    /// Every `%2e` in a path is decoded to a dot.
    CBEE5AD8 "bee5ad8" "2016-01-14" "path state 2.3" ("", "http://h/a%2eb"),
    /// Tabs and newlines are removed from the whole input before it is parsed.
    C7B40216 "7b40216" "2016-03-07" "basic URL parser 3" ("", "ht\ttp://h/"),
    /// A zero after `0x` is a hexadecimal digit.
    C620FA90 "620fa90" "2016-12-08" "IPv4 number parser 5" ("", "http://0x0a/"),
    /// Control characters and those outside ASCII are percent-encoded in fragments.
    C373DBED "373dbed" "2016-12-09" "fragment state" ("", "http://h/#\u{E9}"),
    /// An empty password is not written.
    C5E0B05E "5e0b05e" "2017-01-03" "authority state 1.4, URL serializer 2.2" ("", "http://u:@h/"),
    /// A `%2e` inside a segment is not decoded.
    CFBFF683 "fbff683" "2017-01-03" "path state 2.3" ("", "http://h/a%2eb"),
    /// The IPv4 part of an IPv6 address has exactly four numbers and does not end with a dot.
    CA7AE1B8 "a7ae1b8" "2017-01-11" "IPv6 parser 6.5" ("", "http://[::127.0.0.1.]/"),
    /// Hosts of schemes that are not special are opaque; user names, passwords and ports need a host.
    C3036255 "3036255" "2017-01-24" "authority state 2.1, host state 2.1, opaque-host parser" ("", "foo://A/"),
    /// An empty host is not parsed as a list of IPv4 numbers.
    CCB146B9 "cb146b9" "2017-01-24" "IPv4 parser 2.2" ("", "http://%C2%AD/"),
    /// A URL whose scheme is not special can have an empty path, and an empty host after a base of that scheme.
    CB087FE2 "b087fe2" "2017-01-31" "relative slash and path start states, URL serializer" ("", "foo://h"),
    /// `file:` without a base with that scheme keeps its query and fragment.
    C698F3E8 "698f3e8" "2017-02-07" "file state" ("", "file:?q"),
    /// Opaque hosts may have percent signs, and every scheme can have an IPv6 address.
    CCDBCCE6 "cdbcce6" "2017-02-08" "host parser 1, opaque-host parser" ("", "foo://[::1]/"),
    /// UTS #46 processing is not transitional: `ß` is not mapped to `ss`.
    CF4D84A5 "f4d84a5" "2017-02-20" "domain parser" ("", "http://fa\u{DF}.de/"),
    /// Leading empty segments of `file` paths are removed, and a `file` reference with one slash inherits the host of the base.
    C6103E0A "6103e0a" "2017-03-29" "file slash state, path state" ("", "file:////x"),
    /// A `file` reference that consists of a drive letter begins a path of its own.
    CFE6B251 "fe6b251" "2017-05-03" "file state 4.4.2" ("file:///a/b", "C|"),
    /// UTS #46 does not check hyphens, and checks joiners and bidirectional text.
    CDC9D831 "dc9d831" "2017-06-01" "domain parser" ("", "http://r3---sn-2gb7ln7k.h/"),
    /// The drive letter of the base is not put before a `file` reference that begins with a slash and a drive letter.
    C2EEF975 "2eef975" "2017-09-18" "file slash state 2.1.2" ("file:///D:/y", "/C:/x"),
    /// Spaces, quotation marks, angle brackets and backticks are percent-encoded in fragments.
    C7A3C69F "7a3c69f" "2017-12-05" "fragment percent-encode set" ("", "http://h/# \"<>`"),
    /// Apostrophes are percent-encoded in queries of special schemes.
    C6EF17EB "6ef17eb" "2018-06-08" "special-query percent-encode set" ("", "http://h/?'"),
    /// `gopher` is not a special scheme.
    CD589670 "d589670" "2019-10-18" "special schemes" ("", "gopher://h"),
    /// NUL is percent-encoded in fragments, not removed.
    C3D57401 "3d57401" "2020-04-27" "fragment state" ("", "http://h/#a\0b"),
    /// A domain that IDNA maps to an empty string is a failure.
    CCCEB435 "cceb435" "2020-05-07" "domain parser 7" ("", "http://%C2%AD/"),
    /// `<`, `>` and `^` in a host are a failure.
    C302BA41 "302ba41" "2020-05-14" "forbidden host code point" ("", "http://a<b/"),
    /// `/.` is written before a path that begins with two slashes in a URL without a host.
    C83ADF0C "83adf0c" "2020-08-24" "URL serializer 3" ("", "foo:/.//x"),
    /// Empty segments of `file` paths are kept, and a drive letter does not remove the host.
    C47EFA00 "47efa00" "2020-09-30" "file, file slash and path states" ("", "file:////x"),
    /// The host of a `file` URL is never null, so that `/.` is not written into it.
    CA19495E "a19495e" "2020-10-08" "file state 2, URL serializer" ("", "file:.//p"),
    /// A `|` in a host is a failure.
    C4025253 "4025253" "2021-03-22" "forbidden host code point" ("", "http://a|b/"),
    /// A domain whose last label is a number is an IPv4 address or a failure.
    CAB0E820 "ab0e820" "2021-08-05" "host parser 8, ends in a number checker, IPv4 parser" ("", "http://foo.0/"),
    /// Control characters in a domain are a failure.
    C35E195A "35e195a" "2022-01-28" "forbidden domain code point" ("", "http://a%01b/"),
    /// Carets are percent-encoded in paths.
    C9BC33C3 "9bc33c3" "2025-03-05" "path percent-encode set" ("", "http://h/^"),
    /// The last space of an opaque path before a query or a fragment is percent-encoded.
    C6C78200 "6c78200" "2025-03-13" "opaque path state 3.2" ("", "foo:a ?b"),
    /// The text names the number sign by its own code point.
    CB11D73B "b11d73b" "2026-04-14" "opaque path state 3.2" ("", "foo:a #b"),
    /// A domain in ASCII is lower-cased and not converted, so that an invalid `xn--` label is kept.
    CA8D5CA3 "a8d5ca3" "2026-06-25" "domain parser 5" ("", "http://xn--a/"),
}

/// A set of changes. It defines a state of the Standard.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct ChangeSet(u128);

impl ChangeSet {
    /// Every change: the newest state of the Standard.
    pub const ALL: Self = Self::until(CHANGES.len());

    /// Returns the first `count` changes.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer changes.
    #[must_use]
    pub const fn until(count: usize) -> Self {
        assert!(count <= CHANGES.len(), "there are fewer changes");
        Self((1 << count) - 1)
    }

    /// The changes that had landed at the end of this one's day.
    pub(super) const fn through(last: Id) -> Self {
        Self::until(last as usize + 1)
    }

    /// Returns the set without the changes that have no effect, because they replace steps that it does not have.
    pub(super) const fn effective(mut self) -> Self {
        let mut at = 0;
        while at < BUILDS_ON.len() {
            let (change, earlier) = BUILDS_ON[at];
            if !self.has(earlier) {
                self.0 &= !(1 << change as u32);
            }
            at += 1;
        }
        self
    }

    pub(super) const fn has(self, change: Id) -> bool {
        self.0 & 1 << change as u32 != 0
    }

    /// Returns whether the set contains the change.
    #[must_use]
    pub fn contains(self, change: &Change) -> bool {
        CHANGES.iter().position(|own| own == change).is_some_and(|index| self.0 & 1 << index != 0)
    }

    /// Returns the set with the change.
    #[must_use]
    pub fn with(self, change: &Change) -> Self {
        CHANGES.iter().position(|own| own == change).map_or(self, |index| Self(self.0 | 1 << index))
    }

    /// Returns the set without the change. A later change that builds on it has no effect without it.
    #[must_use]
    pub fn without(self, change: &Change) -> Self {
        CHANGES.iter().position(|own| own == change).map_or(self, |index| Self(self.0 & !(1 << index)))
    }

    /// Returns the changes that the set contains and `other` does not, in the order in which they landed.
    pub fn difference(self, other: Self) -> impl Iterator<Item = &'static Change> {
        let difference = self.0 & !other.0;
        CHANGES.iter().enumerate().filter(move |(index, _)| difference & 1 << index != 0).map(|(_, change)| change)
    }
}

/// Changes that replace or move the steps of an earlier one.
const BUILDS_ON: &[(Id, Id)] = &[(Id::CCDBCCE6, Id::C3036255), (Id::CAB0E820, Id::C9043740)];

/// The changes between which a step is part of the Standard.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct When {
    since: Option<Id>,
    until: Option<Id>,
}

/// A step of every state of the Standard since 2014-12.
pub(super) const ALWAYS: When = When { since: None, until: None };

/// A step that a change added.
pub(super) const fn since(change: Id) -> When {
    When { since: Some(change), until: None }
}

/// A step that a change removed.
pub(super) const fn until(change: Id) -> When {
    When { since: None, until: Some(change) }
}

/// A step that one change added and another removed.
pub(super) const fn between(since: Id, until: Id) -> When {
    When { since: Some(since), until: Some(until) }
}

impl When {
    /// Returns whether the step is part of the state of the Standard that the changes define.
    pub(super) fn holds(self, landed: ChangeSet) -> bool {
        self.since.is_none_or(|change| landed.has(change)) && !self.until.is_some_and(|change| landed.has(change))
    }
}
