//! Findings as vectors: what every revision says of the pair, so that it is asked ever after.

use super::{Finding, Pair};
use crate::engine::{self, ask};
use crate::outcome::Outcome;
use crate::survey::witness::expected;
use crate::vector::{Content, ResolutionCase, Source, Vector};

/// `finding` as a vector, the first of its class, if it is a base and a reference.
///
/// What documents expect is computed by their steps; what the engines in this process say stands in the note.
pub fn vector(finding: &Finding) -> Option<Vector> {
    let Pair { base, reference } = finding.pair.clone()?;
    let note = Some(note(finding, &base, &reference));
    let expect = expected(&base, &reference);
    let case = ResolutionCase { base, reference, expect, ..ResolutionCase::default() };
    Some(Vector { note, ..Vector::new(name(&finding.fault.class, 1), case) })
}

/// A file for the findings of `target`.
pub fn content(target: &str) -> Content {
    Content {
        about: Some(format!(
            "The smallest pairs of what the fuzz target `{target}` found, with the result of each revision. Computed by \
             `urlstrata vectors import-fuzz`, and not printed anywhere. The notes describe what was found."
        )),
        source: Source {
            specification: "urlstrata".to_owned(),
            section: "fuzz".to_owned(),
            title: format!("Found by {target}"),
            ..Source::default()
        },
        base: String::new(),
        vectors: Vec::new(),
    }
}

/// Adds `finding` to `content`, under a name of its own, if it is a pair that is not there already; says whether it was added.
pub fn add(content: &mut Content, finding: &Finding) -> bool {
    let pair = |vector: &Vector| vector.resolution().map(|case| (case.base.clone(), case.reference.clone()));
    let is_there = |vector: &Vector| content.vectors.iter().any(|other| pair(other) == pair(vector));
    let Some(mut vector) = vector(finding).filter(|vector| !is_there(vector)) else { return false };
    let mut number = 1;
    while content.vectors.iter().any(|other| other.name == vector.name) {
        number += 1;
        vector.name = name(&finding.fault.class, number);
    }
    content.vectors.push(vector);
    true
}

/// A class as a vector's name: lower-case letters, digits and single hyphens.
fn name(class: &str, number: usize) -> String {
    const LONGEST: usize = 60;
    let words = class.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words.map(str::to_ascii_lowercase) {
        if name.len() + word.len() >= LONGEST {
            break;
        }
        name.push_str(&word);
        name.push('-');
    }
    format!("{name}{number}")
}

/// What was found, and what the engines that are not ours said.
fn note(finding: &Finding, base: &str, reference: &str) -> String {
    let engines = engine::all().into_iter().filter(|engine| engine.revision().is_none() && !engine.is_optional());
    let said = engines.map(|engine| {
        let said = match ask(engine.as_ref(), base, reference) {
            Outcome::Url(url) => format!("says {url:?}"),
            Outcome::Failure(why) => format!("refuses it ({why})"),
            Outcome::Skipped(why) => format!("does not answer ({why})"),
            Outcome::Crash(why) => format!("crashes ({why})"),
            Outcome::Timeout(why) => format!("does not answer in time ({why})"),
        };
        format!("{} {} {said}", engine.name(), engine.version())
    });
    format!("{}: {}.", finding.fault.class, said.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::{add, content, name};
    use crate::fuzz::{Fault, Finding, Pair};

    #[test]
    fn a_finding_is_a_vector_with_what_every_revision_says() {
        let finding = |reference: &str| {
            let pair = Pair { base: "http://a/b/c/d;p?q".to_owned(), reference: reference.to_owned() };
            let fault = Fault::new("crate:url differs from its profile in the path");
            Finding { fault, input: pair.write(), pair: Some(pair), shown: String::new() }
        };
        let mut file = content("explained");
        assert!(add(&mut file, &finding("../../../g")));
        assert!(!add(&mut file, &finding("../../../g")), "a pair stands once");
        assert!(!add(&mut file, &Finding { pair: None, ..finding("g") }), "what is no pair is no vector");
        assert!(add(&mut file, &finding("../x")));
        let names: Vec<_> = file.vectors.iter().map(|vector| vector.name.as_str()).collect();
        let name = "crate-url-differs-from-its-profile-in-the-path";
        assert_eq!(names, [format!("{name}-1"), format!("{name}-2")]);
        let text = file.canonical();
        assert!(
            text.contains("      rfc1808: \"http://a/../g\"\n") && text.contains("      rfc3986: \"http://a/g\"\n"),
            "{text}"
        );
        assert!(text.contains("crate:url 2"), "{text}");
    }

    #[test]
    fn a_name_is_short() {
        assert_eq!(name("?", 3), "3");
        assert!(name(&"long words ".repeat(40), 7).len() < 64);
    }
}
