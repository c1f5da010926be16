//! What a specification states about a URL without describing the syntax of its scheme.

use alloc::string::String;

use super::Caution;

/// A statement of a specification about a URL.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Statement {
    /// The subject of the statement.
    pub subject: Subject,
    /// The statement, lower case, without a full stop.
    pub sentence: String,
    /// The section, for example `2.3` or `introduction`.
    pub section: &'static str,
}

impl From<Caution> for Statement {
    fn from(Caution { section, sentence }: Caution) -> Self {
        Self { subject: Subject::Caution, sentence, section }
    }
}

/// The subject of a [`Statement`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Subject {
    /// Can relative URLs be used with the scheme?
    RelativeUrls,
    /// The status of the scheme's name.
    Registration,
    /// A danger that users should know.
    Caution,
    /// A recommendation to authors.
    Recommendation,
}

impl Subject {
    /// Returns `relative URLs`, `registration`, `caution` or `recommendation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RelativeUrls => "relative URLs",
            Self::Registration => "registration",
            Self::Caution => "caution",
            Self::Recommendation => "recommendation",
        }
    }
}

/// The schemes of each category of use with relative URLs.
///
/// ```
/// use urlstrata::revision::rfc1808;
/// use urlstrata::scheme::RelativeUse;
///
/// assert_eq!(rfc1808::CATEGORIES.of("gopher"), Some(RelativeUse::Sometimes));
/// assert_eq!(rfc1808::CATEGORIES.of("x-a"), None);
/// ```
#[derive(Debug)]
pub struct Categories {
    /// The section that lists the schemes.
    pub section: &'static str,
    /// The schemes that are never used with relative URLs.
    pub never: &'static [&'static str],
    /// The schemes that can be used with relative URLs if the base has the generic syntax.
    pub sometimes: &'static [&'static str],
    /// The schemes whose URLs always have the generic syntax.
    pub always: &'static [&'static str],
}

/// Can relative URLs be used with a scheme?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RelativeUse {
    /// No.
    Never,
    /// Yes, if the base has the generic syntax.
    Sometimes,
    /// Yes: every URL of the scheme has the generic syntax.
    Always,
}

impl RelativeUse {
    /// Returns the category in a few words, which begin with `never`, `sometimes` or `always`.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Sometimes => "sometimes: only if the base has the generic syntax",
            Self::Always => "always: the scheme has the generic syntax",
        }
    }
}

impl Categories {
    /// Returns the category of the scheme with this name, or `None` if it is not listed. Case is ignored.
    #[must_use]
    pub fn of(&self, scheme: &str) -> Option<RelativeUse> {
        let all = [
            (self.never, RelativeUse::Never),
            (self.sometimes, RelativeUse::Sometimes),
            (self.always, RelativeUse::Always),
        ];
        let lists = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(scheme));
        all.into_iter().find(|(names, _)| lists(names)).map(|(_, category)| category)
    }

    /// Returns the statement about the scheme of a URL.
    pub(crate) fn statement(&self, scheme: &str) -> Statement {
        let sentence = self.of(scheme).map_or("the scheme is not listed", RelativeUse::description);
        Statement { subject: Subject::RelativeUrls, sentence: sentence.into(), section: self.section }
    }
}
