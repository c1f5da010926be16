//! The questions on which the documents differ, and their answers.
//!
//! A column is one question; a revision is a row of answers. The doc comments are not only documentation: they
//! are the notes that reports and attributions print, through [`ALL`]. Every answer ends in its source.

/// A question on which documents differ.
#[derive(Debug)]
pub struct Rule {
    /// Its name, the field of [`Rules`].
    pub name: &'static str,
    /// The question, ending in a question mark.
    pub question: &'static str,
    /// What documents answer.
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
    /// The answer that `rules` give.
    #[must_use]
    pub fn setting(&self, rules: &Rules) -> &'static Setting {
        &self.settings[(self.get)(rules)]
    }

    /// The index, in [`Rule::settings`], of the answer that `rules` give.
    #[must_use]
    pub fn index(&self, rules: &Rules) -> usize {
        (self.get)(rules)
    }

    /// `rules` with this column's answer replaced by the one at `index`.
    ///
    /// # Panics
    ///
    /// If the column has no such answer.
    #[must_use]
    pub fn with(&self, rules: &Rules, index: usize) -> Rules {
        let mut changed = *rules;
        (self.set)(&mut changed, index);
        changed
    }
}

/// What a document answers.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its name, a variant.
    pub name: &'static str,
    /// A sentence and its source in parentheses, as written above the variant.
    pub doc: &'static str,
}

impl Setting {
    /// The sentence without its sources and full stop.
    #[must_use]
    pub fn note(&self) -> &'static str {
        self.doc.rfind(" (").map_or(self.doc, |at| &self.doc[..at])
    }

    /// Where each document that gives this answer does so: document and section, oldest first.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        let sources = self.doc.rfind(" (").map_or("", |at| self.doc[at + 2..].trim_end_matches(")."));
        sources.split("; ")
    }

    /// Where the document called `cite` (see [`crate::revision::Revision::cite`]) gives this answer; the first
    /// document that does, if that one does not.
    #[must_use]
    pub fn source(&self, cite: &str) -> &'static str {
        let of_document = |source: &&str| source.strip_prefix(cite).is_some_and(|rest| rest.starts_with([' ', ',']));
        self.sources().find(of_document).or(self.sources().next()).unwrap_or_default()
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

        /// A row: one answer to every question. Written out in full by each revision, so that a new question
        /// breaks them all until someone has read that document again.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub struct Rules {
            $($(#[doc = $question])+ pub $rule: $Type,)+
        }

        /// Every question, in the order in which resolution meets them.
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
    /// What does a reference begin with that makes it absolute?
    scheme_name: SchemeName {
        /// Whatever precedes a colon, if no slash comes before it (RFC 1630 Partial form).
        AnyColonBeforeSlash,
        /// A name of letters, digits, `+`, `.` and `-`, whichever comes first (Appendix B 1994 rule 2; RFC 1808 §2.4.2;
        /// Draft 1996 §7.4.2).
        AnyNameCharacter,
        /// A name that begins with a letter; another prefix is part of a path (RFC 2396 §3.1; RFC 3986 §3.1).
        LetterFirst,
    }

    /// What is a relative reference when the base is unknown?
    unknown_base: UnknownBase {
        /// Undefined (RFC 1630 Partial form).
        Undefined,
        /// Absolute: it is read as it stands (Appendix B 1994 rule 1; RFC 1808 §4 step 1; Draft 1996 §9 step 1).
        ReferenceAsIs,
        /// Undefined, though one into the same document is known to be that (RFC 2396 §5.1.4; RFC 3986 §5.1).
        SameDocumentOnly,
    }

    /// What is a scheme that equals the base's?
    same_scheme: SameScheme {
        /// The mark of an absolute reference, as any other (RFC 1630 Partial form; RFC 1808 §4 step 2b; Draft 1996 §9
        /// step 2b; RFC 2396 §5.2 step 3; RFC 3986 §5.2.2 strict).
        Absolute,
        /// As good as none: it is dropped, and the rest is relative (Appendix B 1994 rule 3; RFC 3986 §5.2.2 not
        /// strict).
        Relative,
    }

    /// Are there schemes that have no relative form?
    never_relative: NeverRelative {
        /// gopher, telnet, wais, mailto and news: their references are absolute (Appendix B 1994 rule 2).
        Listed,
        /// The algorithm does not ask (RFC 1630 Note on Gopher; RFC 1808 §2.3; Draft 1996 §5.3; RFC 2396 §5; RFC 3986
        /// §5.2).
        Ignored,
    }

    /// Are dot segments removed from a reference with its own scheme?
    dots_in_absolute: DotsInAbsolute {
        /// No, it is copied (RFC 1630 Partial form; Appendix B 1994 rule 2; RFC 1808 §4 step 2b; Draft 1996 §9 step 2b;
        /// RFC 2396 §5.2 step 3).
        Kept,
        /// Yes (RFC 3986 §5.2.2).
        Removed,
    }

    /// What becomes of a `#` with nothing after it at the end of an absolute reference?
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute {
        /// It stays: the reference is what it is (Appendix B 1994 rule 2; RFC 1808 §4 step 2b; Draft 1996 §9 step 2b;
        /// RFC 2396 §5.2 step 3; RFC 3986 §5.3).
        Kept,
        /// It goes: a fragment stands outside, and a void one equals none (RFC 1630 Fragment-id).
        Dropped,
    }

    /// What is a `#`?
    fragment: Fragment {
        /// A character like any other (Appendix B 1994, which does not mention it).
        Ordinary,
        /// The start of a fragment, which is set aside first (RFC 1630 Fragment-id; RFC 1808 §2.4.1; Draft 1996 §7.4.1;
        /// RFC 2396 §4.1; RFC 3986 §3.5).
        SetAside,
    }

    /// What becomes of a `#` with nothing after it?
    empty_fragment: EmptyFragment {
        /// It goes: an empty fragment is none (RFC 1630 Fragment-id; RFC 1808 §2.4.1; Draft 1996 §7.4.1).
        Dropped,
        /// It stays: an empty fragment is defined (Appendix B 1994, which knows no fragment; RFC 2396 §5.2 step 7; RFC
        /// 3986 §5.3).
        Kept,
    }

    /// What is a `?`?
    query: Query {
        /// A character of the path like any other (Appendix B 1994, which does not mention it).
        Ordinary,
        /// The end of the base's path, but nothing special in a reference (RFC 1630 BNF of path and search).
        EndsBasePath,
        /// The start of a query, which is set aside before paths are merged (RFC 1808 §2.4.4; Draft 1996 §7.4.4; RFC
        /// 2396 §3.4; RFC 3986 §3.4).
        SetAside,
    }

    /// What becomes of a `?` with nothing after it?
    empty_query: EmptyQuery {
        /// It goes: an empty query is none (RFC 1808 §2.4.4; Draft 1996 §7.4.4).
        Dropped,
        /// It stays: an empty query is defined (RFC 1630 BNF of search; Appendix B 1994, which knows no query; RFC 2396
        /// §5.2 step 7; RFC 3986 §5.3).
        Kept,
    }

    /// What is a `;`?
    params: Params {
        /// A character of a path segment (RFC 1630, which knows no parameters; Appendix B 1994, which knows no
        /// parameters; RFC 2396 §3.3; RFC 3986 §3.3).
        InSegment,
        /// The start of the parameters, which are set aside before paths are merged (RFC 1808 §2.4.5; Draft 1996
        /// §7.4.5).
        SetAside,
    }

    /// What do slashes at the start of a reference stand for?
    leading_slashes: LeadingSlashes {
        /// The first run in the base of as many slashes that has no longer run to its right (RFC 1630 Partial form,
        /// second rule).
        MatchingRun,
        /// Two for another host, one for the root of the base's host (Appendix B 1994 rules 3b and 3c; RFC 1808 §4
        /// steps 3 and 4; Draft 1996 §9 steps 3 and 4; RFC 2396 §5.2 steps 4 and 5; RFC 3986 §5.2.2).
        HostOrRoot,
    }

    /// Is the host a part of the path?
    host: Host {
        /// Yes: all that follows the scheme is one path (RFC 1630 Partial form, third rule).
        PartOfPath,
        /// No: it stands before the path and is never cut (Appendix B 1994 rule 3d; RFC 1808 §2.4.3; Draft 1996 §7.4.3;
        /// RFC 2396 §3.2; RFC 3986 §3.2).
        SetApart,
    }

    /// Where does the authority end?
    authority_end: AuthorityEnd {
        /// At the next slash only (RFC 1630, which knows no authority; Appendix B 1994 rule 3c; RFC 1808 §2.4.3; Draft
        /// 1996 §7.4.3).
        Slash,
        /// At the next slash or question mark (RFC 2396 §3.2; RFC 3986 §3.2).
        SlashOrQuery,
    }

    /// What is an authority with nothing in it?
    empty_authority: EmptyAuthority {
        /// As good as none, so the base's is inherited (RFC 1808 §4 step 3; Draft 1996 §9 step 3).
        Missing,
        /// Defined, though empty (RFC 1630, which knows no authority; Appendix B 1994 rule 3b; RFC 2396 §5.2 step 4;
        /// RFC 3986 §5.2.2).
        Defined,
    }

    /// Are dot segments removed from a reference with its own authority?
    dots_in_network_path: DotsInNetworkPath {
        /// No, it is copied (RFC 1630 Partial form, second rule; Appendix B 1994 rule 3b; RFC 1808 §4 step 3; Draft
        /// 1996 §9 step 3; RFC 2396 §5.2 step 4).
        Kept,
        /// Yes (RFC 3986 §5.2.2).
        Removed,
    }

    /// Are dot segments removed from a reference that begins with a slash?
    dots_in_rooted_path: DotsInRootedPath {
        /// No, it is copied (RFC 1630 Partial form, second rule; Appendix B 1994 rule 3c; RFC 1808 §4 step 4; Draft
        /// 1996 §9 step 4; RFC 2396 §5.2 step 5).
        Kept,
        /// Yes (RFC 3986 §5.2.2).
        Removed,
    }

    /// What is a reference with nothing before its fragment?
    empty_reference: EmptyReference {
        /// A path like any other, so the last part of the base's goes (RFC 1630 Partial form, third rule).
        LastPartCut,
        /// The base (Appendix B 1994 rule 3a; RFC 1808 §4 steps 2a and 5; Draft 1996 §9 steps 2a and 5; RFC 2396 §5.2
        /// step 2; RFC 3986 §5.2.2).
        Base,
    }

    /// Does a wholly empty reference take over the base's fragment?
    base_fragment: BaseFragment {
        /// Yes, the base is taken as it is (Appendix B 1994 rule 3a; RFC 1808 §4 step 2a; Draft 1996 §9 step 2a).
        Taken,
        /// No, a fragment is always the reference's own (RFC 1630 Fragment-id; RFC 2396 §4.2; RFC 3986 §5.2.2).
        Left,
    }

    /// What becomes of the base's last segment under a reference with only a query?
    query_only: QueryOnly {
        /// It stays (RFC 1808 §4 step 5b; Draft 1996 §9 step 5b; RFC 3986 §5.2.2).
        KeepsLastSegment,
        /// It goes (RFC 1630 Partial form, third rule; Appendix B 1994 rule 3d2; RFC 2396 §5.2 step 6).
        DropsLastSegment,
    }

    /// How is a path joined to a base that has a host and no path?
    bare_host: BareHost {
        /// A slash between them, and dot segments stay (Appendix B 1994 rule 3d1).
        SlashDotsKept,
        /// Dot segments go, then a slash is put before what is left (RFC 1808 §4 steps 6 and 7 with §2.2; Draft 1996 §9
        /// steps 6 and 7 with §4).
        SlashAfterDots,
        /// Without a slash, so the path runs into the host (RFC 1630 Partial form, third rule; RFC 2396 §5.2 step 6).
        NoSlash,
        /// A slash between them, then dot segments go (RFC 3986 §5.2.3).
        SlashBeforeDots,
    }

    /// How is a path joined to a base that is a scheme alone?
    scheme_alone: SchemeAlone {
        /// A slash between them, and dot segments stay (Appendix B 1994 rule 3d1).
        SlashDotsKept,
        /// As it is (RFC 1630 Partial form, third rule; RFC 1808 §4 step 6; Draft 1996 §9 step 6; RFC 2396 §5.2 step 6;
        /// RFC 3986 §5.2.3).
        NoSlash,
    }

    /// Is a slash put between a host and what follows it when there is no path?
    slash_before_query: SlashBeforeQuery {
        /// Yes, the layout asks for it (RFC 1808 §2.2; Draft 1996 §4).
        Supplied,
        /// No, the parts are written as they are (RFC 1630 Partial form; Appendix B 1994 rule 3d; RFC 2396 §5.2 step 7;
        /// RFC 3986 §5.3).
        NotSupplied,
    }

    /// What does a final `.` leave?
    trailing_dot: TrailingDot {
        /// Nothing: its slash goes too (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2).
        TakesSlash,
        /// The slash before it (RFC 1808 §4 step 6b; Draft 1996 §9 step 6b; RFC 2396 §5.2 step 6d; RFC 3986 §5.2.4 2B).
        LeavesSlash,
    }

    /// What becomes of a `.` at the start of a path without a slash before it?
    leading_dot: LeadingDot {
        /// It stays: the pattern begins with a slash (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2).
        Kept,
        /// It goes (RFC 1808 §4 step 6a; Draft 1996 §9 step 6a; RFC 2396 §5.2 step 6c; RFC 3986 §5.2.4 2A).
        Removed,
    }

    /// What becomes of a final `..`?
    trailing_dotdot: TrailingDotdot {
        /// It stays: the pattern ends with a slash (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2).
        Kept,
        /// It goes with the segment before it (RFC 1808 §4 step 6d; Draft 1996 §9 step 6d; RFC 2396 §5.2 step 6f; RFC
        /// 3986 §5.2.4 2C).
        Resolved,
    }

    /// Which segment does a `..` remove?
    dotdot_removes: DotdotRemoves {
        /// One that has a name and stands between single slashes (RFC 1630 Partial form, fourth rule).
        Named,
        /// Any, even an empty one or another `..` (Appendix B 1994 rule 3d2).
        Any,
        /// Any but another `..` (RFC 1808 §4 step 6c; Draft 1996 §9 step 6c; RFC 2396 §5.2 step 6e; RFC 3986 §5.2.4
        /// 2C).
        NotDotdot,
    }

    /// What becomes of a `..` with nothing left to remove?
    excess: Excess {
        /// It stays (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2; RFC 1808 §4 step 6c; Draft 1996 §9
        /// step 6c; RFC 2396 §5.2 step 6g).
        Kept,
        /// It goes (RFC 3986 §5.2.4 2C).
        Dropped,
    }

    /// What does `..` leave of the first segment of a path without a slash before it?
    rootless_first: RootlessFirst {
        /// Nothing (RFC 1630 Partial form, fourth rule; Appendix B 1994 rule 3d2; RFC 1808 §4 step 6c; Draft 1996 §9
        /// step 6c; RFC 2396 §5.2 step 6e).
        LeavesNothing,
        /// A slash (RFC 3986 §5.2.4 2C).
        LeavesSlash,
    }

    /// Which references point into the document that holds them?
    same_document: SameDocument {
        /// The document does not speak of it (RFC 1630 Partial form; Appendix B 1994 rule 3a; RFC 1808 §4).
        Unspecified,
        /// Those with nothing before their fragment (Draft 1996 §2; RFC 2396 §4.2).
        ByForm,
        /// Those whose target equals the base but for the fragment (RFC 3986 §4.4).
        ByComparison,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::ALL;
    use crate::revision;

    #[test]
    fn every_question_and_answer_reads_as_one() {
        for rule in ALL {
            assert!(rule.question.ends_with('?'), "{}: {}", rule.name, rule.question);
            for setting in rule.settings {
                assert!(setting.doc.ends_with(").") && setting.doc.contains(" ("), "{}: {}", rule.name, setting.doc);
                for source in setting.sources() {
                    let cited = |cite| source.starts_with(cite);
                    assert!(revision::resolving().any(|(revision, _)| cited(revision.cite)), "{}: {source}", rule.name);
                }
            }
        }
    }

    #[test]
    fn every_answer_cites_each_document_that_gives_it_and_no_other() {
        for rule in ALL {
            for setting in rule.settings {
                let mut givers: Vec<_> = revision::resolving()
                    .filter(|(_, rules)| core::ptr::eq(rule.setting(rules), setting))
                    .map(|(revision, _)| revision.cite)
                    .collect();
                givers.dedup();
                let cited: Vec<_> =
                    setting.sources().map(|source| givers.iter().find(|cite| source.starts_with(**cite))).collect();
                assert_eq!(cited, givers.iter().map(Some).collect::<Vec<_>>(), "{} {}", rule.name, setting.name);
            }
        }
    }
}
