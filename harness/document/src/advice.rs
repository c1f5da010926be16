//! What RFC 1808 and the draft of 1996 recommend about the links of a document: they are counted, and noted after its last link.

use urlstrata::revision::{Revision, draft_1996, rfc1808};
use urlstrata::scheme::{self, Categories, Registration, RelativeUse};
use urlstrata_outcome::plural::counted;

use super::{Event, EventSink, Link};

/// The recommendations of a revision about links.
#[derive(Clone, Copy)]
struct Practice {
    categories: &'static Categories,
    /// The section about authors of relative URLs.
    authors: &'static str,
    /// The section about the scheme of the base.
    loophole: &'static str,
}

/// Links with the same advice: their number, and the line of the first.
#[derive(Clone, Copy, Default)]
struct Counted {
    links: u64,
    line: usize,
}

/// Counts the links of a part about which a revision has a recommendation.
pub(super) struct Advice {
    revision: &'static Revision,
    practice: Option<Practice>,
    /// The base of the last link, and its scheme: most links of a document have the same base.
    base: (String, Option<String>),
    directories: Counted,
    same_scheme: Counted,
    colons: Counted,
    never: Counted,
}

impl Advice {
    pub(super) fn new(revision: &'static Revision) -> Self {
        let practice = match revision.id {
            id if id == rfc1808::REVISION.id => {
                Some(Practice { categories: &rfc1808::CATEGORIES, authors: "5.3", loophole: "5.2" })
            }
            id if id == draft_1996::REVISION.id => {
                Some(Practice { categories: &draft_1996::CATEGORIES, authors: "13.3", loophole: "13.2" })
            }
            _ => None,
        };
        let none = Counted::default();
        Self {
            revision,
            practice,
            base: (String::new(), None),
            directories: none,
            same_scheme: none,
            colons: none,
            never: none,
        }
    }

    /// Counts a link.
    pub(super) fn add(&mut self, link: &Link<'_>) {
        let Some(practice) = self.practice else { return };
        let scheme = |text: &str| -> Option<String> {
            let parts = self.revision.parse(text).ok()?;
            Some(parts.component("scheme")??.to_ascii_lowercase())
        };
        if self.base.0 != link.base {
            self.base = (link.base.to_owned(), scheme(link.base));
        }
        let (own, base) = (scheme(&link.reference), &self.base.1);
        let is_relative = own.is_none() && !link.reference.is_empty() && !link.reference.starts_with('#');
        let effective = own.as_ref().or(base.as_ref());
        let is_directory = effective.is_some_and(|scheme| scheme == "ftp")
            && link.reference.split(['?', '#']).next().is_some_and(|url| url.to_ascii_lowercase().ends_with(";type=d"));
        // A name of no known scheme may be the beginning of a path.
        let is_unknown = |scheme: &String| {
            scheme::by_name(scheme).is_none() && matches!(Registration::of(scheme), Registration::Unknown)
        };
        let after = link.reference.split_once(':').map(|(_, after)| after);
        let is_path = own.as_ref().is_some_and(is_unknown) && after.is_some_and(|after| !after.starts_with('/'));
        let uses = base.as_ref().and_then(|scheme| practice.categories.of(scheme));
        let is_same = own.is_some() && own == *base && after.is_some_and(|after| !after.starts_with("//"));
        for (counted, applies) in [
            (&mut self.directories, is_directory),
            (&mut self.same_scheme, is_same),
            (&mut self.colons, is_path && !is_same),
            (&mut self.never, is_relative && uses == Some(RelativeUse::Never)),
        ] {
            if applies {
                counted.line = if counted.links == 0 { link.line } else { counted.line };
                counted.links += 1;
            }
        }
    }

    /// Reports a note on each recommendation about at least one link.
    pub(super) fn report(&self, sink: EventSink<'_>) -> std::io::Result<()> {
        let Some(Practice { categories, authors, loophole }) = self.practice else { return Ok(()) };
        for (found, sentence, section) in [
            (
                self.directories,
                "with `;type=d`: do not use it where relative URLs are used; end the path in a slash",
                authors,
            ),
            (
                self.same_scheme,
                "with the scheme of the base and without two slashes: absolute here, and relative for older parsers",
                loophole,
            ),
            (
                self.colons,
                "that begin with an unknown scheme: precede a path whose first segment has a colon with `./`",
                authors,
            ),
            (self.never, "relative to a base whose scheme is never used with relative URLs", categories.section),
        ] {
            if found.links > 0 {
                let links = counted(found.links, "link", "links");
                let place = if found.line == 0 { String::new() } else { format!(", from line {}", found.line) };
                let cite = self.revision.citation(section);
                sink(Event::Note(&format!("{links}{place}, {sentence} ({cite})")))?;
            }
        }
        Ok(())
    }
}
