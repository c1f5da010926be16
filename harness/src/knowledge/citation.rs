//! Citations: where each specification states, or leaves open, what a note is about.
//!
//! A setting of a rule has its sections in the documentation of the rule. What only engines do differently has a subject, and each
//! specification either has a section about the subject or does not mention it. So a specification can be cited for every
//! difference.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use urlstrata::fast;
use urlstrata::revision::whatwg::ChangeSet;
use urlstrata::rules::{self, Setting};

use crate::behaviour::{Behaviour, Component, Difference, Sentence};
use crate::knowledge::dated::{self, Introduced};
use crate::knowledge::dated_section::section_in;
use crate::knowledge::specification::Specification;

/// Where a specification states what it does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Citation {
    /// The name of the specification, and its section or a remark that it does not mention the subject.
    pub place: String,
    /// The date of the specification.
    pub date: &'static str,
    /// The id of the choice that decides what the text leaves open; empty without one.
    pub choice: &'static str,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.place, self.date)?;
        if self.choice.is_empty() { Ok(()) } else { write!(f, "; choice {}", self.choice) }
    }
}

/// The specifications in the order of [`Subject::sections`], as they are cited.
const CITES: [&str; 7] =
    ["RFC 1630", "Appendix B 1994", "RFC 1808", "Draft 1996", "RFC 2396", "RFC 3986", "URL Standard"];

/// What a setting or a table is about.
struct Subject {
    /// The names of settings, of cleanings, and of components after `characters: `.
    names: &'static [&'static str],
    /// The section of each specification, in the order of [`CITES`]; empty if the specification does not mention the subject.
    sections: [&'static str; 7],
}

/// Every subject. Each setting and each component belongs to one.
#[rustfmt::skip]
const SUBJECTS: &[Subject] = &[
    Subject {
        names: &[
            "scheme_accepted", "scheme_followed_by", "scheme_name", "base_scheme_name", "bad_scheme", "scheme_only",
            "scheme_characters", "scheme_classes", "colon_before_port", "leading_colon", "absolute_text",
            "missing_scheme",
        ],
        sections: [
            "BNF of prefixedurl", "rule 2", "§2.4.2", "§7.4.2", "§3.1", "§3.1",
            "§4.4 scheme start state, scheme state",
        ],
    },
    Subject {
        names: &["scheme_case", "scheme_comparison"],
        sections: ["", "rule 3", "§2.4.2", "§7.4.2", "§3.1", "§3.1", "§4.4 scheme state"],
    },
    Subject {
        names: &["same_scheme", "foreign_base"],
        sections: [
            "Partial form", "rule 3", "§4 step 2b", "§9 step 2b", "§5.2 step 3", "§5.2.2",
            "§4.4 scheme state, special relative or authority state",
        ],
    },
    Subject {
        names: &[
            "absolute_depends", "absolute_against", "absolute_without_authority", "tables_used", "path_after_scheme",
            "empty_fragment_on_absolute", "dots_in_absolute",
        ],
        sections: [
            "Partial form", "rule 2", "§4 step 2b", "§9 step 2b", "§5.2 step 3", "§5.2.2",
            "§4.4 scheme state, whose path state removes dot segments from every path",
        ],
    },
    Subject {
        names: &[
            "base_checked", "base_invalid", "base_form", "base_prefix", "base_empty_path", "base_with_fragment",
            "base_empty_query", "base_query", "parsed_alone",
        ],
        sections: [
            "Partial form", "rule 1", "§4 step 1", "§9 step 1", "§5.2 step 1", "§5.2.1",
            "§4.4, whose base is a URL record",
        ],
    },
    Subject {
        names: &["relative", "exempt"],
        sections: [
            "Partial form", "rule 2", "§2.3", "§5.3", "§5", "§5.2.2",
            "§4.4 no scheme state, relative state",
        ],
    },
    Subject {
        names: &["reference_invalid", "malformed_escape", "text_end", "nul"],
        sections: ["BNF", "", "§2.2", "§4", "Appendix A", "Appendix A", "§4.4 basic URL parser"],
    },
    Subject {
        names: &["empty_reference", "empty_form", "inherited_path", "inherited_dots"],
        sections: [
            "Partial form, third rule", "rule 3a", "§4 step 2a", "§9 step 2a", "§4.2", "§5.2.2",
            "§4.4 relative state",
        ],
    },
    Subject {
        names: &[
            "fragment", "empty_fragment", "fragment_line", "fragment_form", "base_fragment",
            "fragment_cleaned",
        ],
        sections: ["Fragment-id", "", "§2.4.1", "§7.4.1", "§4.1", "§3.5", "§4.4 fragment state, relative state"],
    },
    Subject {
        names: &["query", "query_table", "empty_query", "query_pairs", "marks_after_scheme"],
        sections: ["BNF of search", "", "§2.4.4", "§7.4.4", "§3.4", "§3.4", "§4.4 query state"],
    },
    Subject {
        names: &["query_only", "dots_before_query"],
        sections: [
            "Partial form, third rule", "rule 3d2", "§4 step 5b", "§9 step 5b", "§5.2 step 6", "§5.2.2",
            "§4.4 relative state",
        ],
    },
    Subject {
        names: &["params", "empty_params", "params_only"],
        sections: ["", "", "§2.4.5", "§7.4.5", "§3.3", "§3.3", "§4.4 path state, which has no parameters"],
    },
    Subject {
        names: &[
            "opaque", "empty_opaque", "opaque_space", "opaque_authority", "rootless_path", "rootless_colons",
            "bare_path",
        ],
        sections: ["Partial form", "rule 2", "§2.2", "§5.3", "§3", "§3.3", "§4.4 opaque path state"],
    },
    Subject {
        names: &[
            "encoded_anew", "base_path_tables", "network_path", "two_slashes", "first_colon",
            "colon_in_first", "host_and_path", "empty_segments", "three_dots",
        ],
        sections: ["BNF of path", "", "§2.2", "§4", "§3.3", "§3.3", "§4.4 path state, §4.5 URL serializing"],
    },
    Subject {
        names: &["backslash", "backslash_in_path", "mixed_slashes"],
        sections: ["", "", "", "", "§2.4.3", "§2", "§4.4 relative state, path state"],
    },
    Subject {
        names: &[
            "slashes", "leading_slashes", "slashes_only",
            "rooted_reference", "inherited_host", "rooted_host", "unknown_root",
        ],
        sections: [
            "Partial form, second rule", "rules 3b and 3c", "§4 steps 3 and 4", "§9 steps 3 and 4",
            "§5.2 steps 4 and 5", "§5.2.2", "§4.4 relative slash state, special authority ignore slashes state",
        ],
    },
    Subject {
        names: &[
            "host", "authority_end", "empty_authority", "missing_authority", "authority_name", "authority_invalid",
            "written_empty_authority", "authority_alone", "inherited_authority",
            "path_after_authority",
        ],
        sections: [
            "Partial form, second rule", "rules 3b and 3c", "§2.4.3", "§7.4.3", "§3.2", "§3.2",
            "§4.4 authority state, host state",
        ],
    },
    Subject {
        names: &[
            "userinfo_brackets", "userinfo_end", "written_userinfo", "empty_userinfo", "inherited_userinfo",
            "characters: user name", "characters: password",
        ],
        sections: [
            "BNF of login", "", "§2.1, with RFC 1738 §3.1", "§3.4.1", "§3.2.2", "§3.2.1", "§4.4 authority state",
        ],
    },
    Subject {
        names: &[
            "host_parser", "tabs", "domain_forbidden", "domain_numbers", "unicode_host", "compatible_delimiters",
            "idna_result", "host_colon", "empty_host", "empty_labels", "label_hyphens", "host_missing", "localhost",
            "characters: host",
        ],
        sections: ["BNF of hostname", "", "§2.1, with RFC 1738 §3.1", "§3.4.1", "§3.2.2", "§3.2.2", "§3.5 host parser"],
    },
    Subject {
        names: &["brackets", "written_brackets", "ipv6", "zone", "characters: host in brackets"],
        sections: ["", "", "", "", "", "§3.2.2", "§3.5 host parser, IPv6 parser"],
    },
    Subject {
        names: &["ipv4", "empty_hex"],
        sections: [
            "BNF of hostnumber", "", "§2.1, with RFC 1738 §3.1", "§3.4.1", "§3.2.2", "§3.2.2", "§3.5 IPv4 parser",
        ],
    },
    Subject {
        names: &["port", "port_limit", "port_zeros", "empty_port", "default_port"],
        sections: ["BNF of port", "", "§2.1, with RFC 1738 §3.1", "§3.4.1", "§3.2.2", "§3.2.3", "§4.4 port state"],
    },
    Subject {
        names: &[
            "drive_letters", "drive_end", "fixed_drives", "last_drive", "empty_host_path", "drive_at_end",
            "inherited_drive",
        ],
        sections: ["", "", "", "", "", "", "§4.2, Windows drive letters, and §4.4 file state"],
    },
    Subject {
        names: &["dots_in_network_path"],
        sections: [
            "Partial form, second rule", "rule 3b", "§4 step 3", "§9 step 3", "§5.2 step 4", "§5.2.2",
            "§4.4 path state",
        ],
    },
    Subject {
        names: &["dots_in_rooted_path"],
        sections: [
            "Partial form, second rule", "rule 3c", "§4 step 4", "§9 step 4", "§5.2 step 5", "§5.2.2",
            "§4.4 path state",
        ],
    },
    Subject {
        names: &["bare_host", "scheme_alone", "slashless_base"],
        sections: [
            "Partial form, third rule", "rule 3d1", "§4 step 6", "§9 step 6", "§5.2 step 6", "§5.2.3",
            "§4.4 relative state, which shortens the base's path",
        ],
    },
    Subject {
        names: &["slash_before_query", "empty_path", "empty_result"],
        sections: [
            "Partial form", "rule 3d", "§2.2", "§4", "§5.2 step 7", "§5.3",
            "§4.4 path start state, §4.5 URL serializing",
        ],
    },
    Subject {
        names: &[
            "dots_in_result", "dots_removed", "leading_dots", "base_dot", "trailing_dot", "leading_dot",
            "trailing_dotdot", "encoded_dots",
        ],
        sections: [
            "Partial form, fourth rule", "rule 3d2", "§4 step 6", "§9 step 6", "§5.2 step 6", "§5.2.4",
            "§4.4 path state",
        ],
    },
    Subject {
        names: &["dotdot_removes", "excess", "root", "rootless_first"],
        sections: [
            "Partial form, fourth rule", "rule 3d2", "§4 step 6c", "§9 step 6c", "§5.2 step 6", "§5.2.4",
            "§4.4 path state, with §4.2 shorten a path",
        ],
    },
    Subject {
        names: &["cleaning of references", "cleaning of bases", "text_delimiters"],
        sections: [
            "", "", "", "§12", "Appendix E", "Appendix C, for delimited text only",
            "§4.4 basic URL parser, steps 1 to 3",
        ],
    },
    Subject {
        names: &["characters: opaque path"],
        sections: [
            "", "", "", "", "", "",
            "§4.4 opaque path state, with §1.3 C0 control percent-encode set",
        ],
    },
    Subject {
        names: &[
            "characters: path", "characters: first segment of paths without a leading slash",
            "characters: other segments of paths without a leading slash", "characters: path of absolute URLs",
            "characters: path of bases without a reference's path",
        ],
        sections: [
            "", "", "", "", "", "",
            "§4.4 path state, with §1.3 path percent-encode set",
        ],
    },
    Subject {
        names: &[
            "characters: query", "characters: query of absolute URLs",
            "characters: query after an opaque path",
        ],
        sections: [
            "", "", "", "", "", "",
            "§4.4 query state, with §1.3 query percent-encode sets",
        ],
    },
    Subject {
        names: &[
            "characters: fragment", "characters: fragment of absolute URLs",
            "characters: fragment of references without a path",
        ],
        sections: [
            "", "", "", "", "", "",
            "§4.4 fragment state, with §1.3 fragment percent-encode set",
        ],
    },
];

/// Where a specification copies components, also those with characters that its grammar does not have.
const COPYING: &[(&str, &str)] = &[
    ("RFC 1630", "Partial form, which copies every character"),
    ("Appendix B 1994", "rule 3, which copies every character"),
    ("RFC 1808", "§4, which copies every character (§2.2 lists those of URLs)"),
    ("Draft 1996", "§9, which copies every character (§3.2 lists those of URLs)"),
    ("RFC 2396", "§5.2, which copies every character (§2 lists those of URIs)"),
    ("RFC 3986", "§5.2.2, which copies every character (§2 lists those of URIs)"),
];

/// The choices that decide what a specification leaves open: the name of the setting, the specification, and the id.
const CHOICES: &[(&str, &str, &str)] = &[
    ("authority_end", "RFC 1808", "r1808-net-loc-query"),
    ("bare_host", "RFC 1808", "r1808-net-loc-slash"),
    ("dotdot_removes", "Appendix B 1994", "ab-xxx-dotdot"),
    ("dotdot_removes", "RFC 1630", "r1630-xxx"),
    ("dotdot_removes", "RFC 1808", "r1808-empty-segment"),
    ("dots_in_network_path", "Appendix B 1994", "ab-cleaning"),
    ("dots_in_network_path", "RFC 1630", "r1630-cleaning"),
    ("dots_in_rooted_path", "Appendix B 1994", "ab-cleaning"),
    ("dots_in_rooted_path", "RFC 1630", "r1630-cleaning"),
    ("empty_authority", "RFC 1808", "r1808-empty-net-loc"),
    ("empty_fragment", "RFC 1808", "r1808-lone-delimiter"),
    ("empty_query", "RFC 1808", "r1808-lone-delimiter"),
    ("empty_reference", "RFC 1630", "r1630-empty"),
    ("empty_reference", "RFC 2396", "r2396-current-document"),
    ("excess", "RFC 2396", "r2396-surplus"),
    ("fragment", "Appendix B 1994", "ab-fragment"),
    ("leading_slashes", "RFC 1630", "r1630-no-run"),
    ("never_relative", "RFC 1808", "r1808-never-relative"),
    ("params", "Appendix B 1994", "ab-query-params"),
    ("query", "Appendix B 1994", "ab-query-params"),
    ("relative", "Appendix B 1994", "ab-never-relative-base"),
    ("relative", "RFC 2396", "r2396-opaque-base"),
    ("rootless_first", "RFC 3986", "r3986-rootless"),
    ("same_scheme", "RFC 1630", "r1630-same-scheme"),
    ("same_scheme", "RFC 2396", "r2396-same-scheme"),
    ("scheme_comparison", "Appendix B 1994", "ab-scheme-comparison"),
    ("scheme_name", "RFC 1808", "r1808-scheme-shape"),
    ("scheme_name", "RFC 2396", "r2396-scheme-shape"),
    ("scheme_name", "RFC 3986", "r3986-scheme-shape"),
    ("slash_before_query", "RFC 1808", "r1808-net-loc-slash"),
    ("trailing_dot", "Appendix B 1994", "ab-final-dots"),
    ("trailing_dot", "RFC 1630", "r1630-final-dots"),
    ("trailing_dotdot", "Appendix B 1994", "ab-final-dots"),
    ("trailing_dotdot", "RFC 1630", "r1630-final-dots"),
];

/// Results that a specification permits in addition to its own: the specification, the setting with its value, and where it permits it.
const PERMITTED: &[(&str, &str, &str)] = &[
    ("RFC 2396", "excess=Dropped", "§5.2 step 6g"),
    ("RFC 2396", "same_scheme=Relative", "§5.2 step 3"),
    ("RFC 3986", "same_scheme=Relative", "§5.2.2"),
];

impl Citation {
    /// Returns where `specification` states `sentence`, which is its side of `difference`.
    pub fn of(specification: &Specification, difference: &Difference, sentence: &Sentence) -> Self {
        let (cite, subject) = (specification.cite, difference.subject());
        let copying = COPYING.iter().find(|(own, _)| *own == cite && subject.starts_with("characters of "));
        let of_subject = || match copying {
            Some((_, section)) => section,
            None => subject_of(difference).map_or("", |own| section(own, cite)),
        };
        let place = match sentence.section(cite).unwrap_or_else(of_subject) {
            "" => format!("{cite} does not mention it"),
            remark if remark.starts_with("which ") => format!("{cite}, {remark}"),
            section => format!("{cite} {}", section_in(specification.revision, section)),
        };
        let choice = CHOICES.iter().find(|(name, own, _)| *name == subject && *own == cite);
        Self { place, date: specification.revision.date, choice: choice.map_or("", |(_, _, id)| id) }
    }

    /// Returns where `specification` states `setting`, which is the one that it has.
    pub fn of_setting(specification: &Specification, setting: &Setting) -> Self {
        let source = setting.source(specification.cite);
        let own = source.strip_prefix(specification.cite).unwrap_or(source).trim_start();
        let place = format!("{} {own}", specification.cite);
        Self { place, date: specification.revision.date, choice: "" }
    }

    /// Returns the citation of `specification` as the first one that does or ceases to do something. `does` says so for the URL Standard with
    /// these changes: a state of it is cited by its own text, with the day of the change.
    fn first(self, specification: &Specification, does: impl Fn(ChangeSet) -> bool) -> String {
        match dated::introduced(specification.revision, does) {
            Some(Introduced::By(change)) => format!("{self}, since {} ({})", dated::day(change.date), change.commit),
            Some(Introduced::Before) => format!("{self} or earlier"),
            None => self.to_string(),
        }
    }

    /// Returns where a specification states `sentence`, which is the side of `difference` that has the behaviour `like`, and not what the other
    /// side with the behaviour `unlike` does; `None` if no specification does so for the pair. Of several specifications it is the first one of
    /// `preferred`, or the newest.
    pub fn of_alike(
        preferred: &[Specification],
        difference: &Difference,
        sentence: &Sentence,
        (like, unlike): (&Behaviour, &Behaviour),
        pair: (&str, &str),
    ) -> Option<Self> {
        let others = Specification::all().into_iter().rev();
        let mut all = preferred.iter().copied().chain(others);
        let other = if *sentence == difference.from { &difference.to } else { &difference.from };
        let found = all.find(|own| {
            let does = |sentence, like| difference.is_alike(own.behaviour(), like, sentence, pair);
            does(sentence, like) && !does(other, unlike)
        })?;
        Some(Self::of(&found, difference, sentence))
    }
}

/// Returns where `specification` permits the second side of `difference` in addition to its own result; `None` if it does not.
pub fn permitted(specification: &Specification, difference: &Difference) -> Option<String> {
    let is_permitted = |(cite, name, _): &&(&str, &str, &str)| *cite == specification.cite && *name == difference.name;
    PERMITTED.iter().find(is_permitted).map(|(cite, _, section)| format!("{cite} {section}"))
}

/// Returns where `specification` permits the target `url` of a pair in addition to its own; `None` if it does not. What it permits at several
/// places it also permits together.
pub fn permits(specification: &Specification, (base, reference): (&str, &str), url: &str) -> Option<String> {
    let rules = specification.revision.rules?;
    let own: Vec<_> = PERMITTED.iter().filter(|(cite, ..)| *cite == specification.cite).collect();
    let target = |permitted: &[&(&str, &str, &str)]| {
        let changed = permitted.iter().try_fold(*rules, |rules, (_, permitted, _)| {
            let (name, setting) = permitted.split_once('=')?;
            let rule = rules::by_name(name)?;
            Some(rule.with(&rules, rule.settings.iter().position(|own| own.name == setting)?))
        })?;
        fast::resolve(&changed, base, reference).ok()
    };
    let sets = own.chunks(1).chain(Some(own.as_slice()).filter(|own| own.len() > 1));
    let found = sets.into_iter().find(|set| target(set).as_deref() == Some(url))?;
    let sections: Vec<&str> = found.iter().map(|(.., section)| *section).collect();
    Some(format!("{} {}", specification.cite, sections.join(", ")))
}

/// Returns the change by which specifications came to do, or ceased to do, what the behaviour `to` does for the pair in the respect
/// of `difference`, as seen from `specification`, which does something else: the first later specification that does it, or the
/// first one after those that did it. Returns `None` if no specification does it, or if the last one that did is `itself`, the one whose
/// behaviour `to` is.
pub fn change(
    specification: &Specification,
    difference: &Difference,
    (to, itself): (&Behaviour, Option<&str>),
    pair: (&str, &str),
) -> Option<String> {
    let all = Specification::all();
    let own = all.iter().position(|other| other.id == specification.id)?;
    // What a later revision changed is that revision's result, too: otherwise it has done something else on this pair.
    let result = to.predict(pair.0, pair.1);
    let does = |other: &&Specification| {
        difference.is_alike(other.behaviour(), to, &difference.to, pair)
            && (itself.is_some() || other.behaviour().predict(pair.0, pair.1) == result)
    };
    // A part of RFC 3986 that is not strict is not a later revision.
    let is_strict = |other: &&Specification| other.id != "rfc3986-nonstrict";
    let is_of = |landed: ChangeSet| {
        let state = url_standard(landed);
        difference.is_alike(&state, to, &difference.to, pair)
            && (itself.is_some() || state.predict(pair.0, pair.1) == result)
    };
    if let Some(later) = all[own + 1..].iter().filter(is_strict).find(does) {
        // With the same result for another reason, an earlier one leaves nothing to change.
        let has_result = |it: &&Specification| it.behaviour().predict(pair.0, pair.1) == result;
        let first = all[own + 1..].iter().filter(is_strict).find(has_result);
        if first.is_some_and(|first| first.id != later.id) {
            return None;
        }
        return Some(format!("changed by {}", Citation::of(later, difference, &difference.to).first(later, is_of)));
    }
    let older: Vec<&Specification> = all[..own].iter().filter(is_strict).collect();
    let last = older.iter().rposition(does).filter(|last| itself != Some(older[*last].id))?;
    let next = older.get(last + 1).copied().unwrap_or(specification);
    let place = Citation::of(next, difference, &difference.from).first(next, is_of);
    Some(format!("as in {} before {place}", older[last].revision.specification))
}

fn subject_of(difference: &Difference) -> Option<&'static Subject> {
    let name = difference.subject();
    let component = name.strip_prefix("characters of the ").map(|of| {
        let is_whole = Component::ALL.iter().any(|component| component.name() == of);
        let component = if is_whole { of } else { of.strip_suffix(" of the base").unwrap_or(of) };
        format!("characters: {component}")
    });
    let name = component.as_deref().unwrap_or(name);
    SUBJECTS.iter().find(|subject| subject.names.contains(&name))
}

/// Returns the section of the specification `cite` about `subject`; empty if it does not mention the subject.
fn section(subject: &Subject, cite: &str) -> &'static str {
    CITES.iter().position(|own| *own == cite).map_or("", |at| subject.sections[at])
}

/// Returns the name of each subject: settings, cleanings, and components after `characters: `. Each name is there once.
pub fn subjects() -> impl Iterator<Item = &'static str> {
    SUBJECTS.iter().flat_map(|subject| subject.names).copied()
}

/// Returns the choices that are cited: the citation of the specification, and the id.
pub fn choices() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHOICES.iter().map(|(_, cite, id)| (*cite, *id))
}

/// Returns the behaviour of the URL Standard with these changes. It is made once for each state that is asked about.
fn url_standard(landed: ChangeSet) -> Arc<Behaviour> {
    static STATES: LazyLock<Mutex<HashMap<ChangeSet, Arc<Behaviour>>>> = LazyLock::new(Mutex::default);
    let mut states = STATES.lock().unwrap_or_else(PoisonError::into_inner);
    states.entry(landed).or_insert_with(|| Arc::new(Behaviour::url_standard(landed))).clone()
}
