//! Findings as vectors: what every revision says of the pair, so that it is asked ever after.

use super::{Finding, Pair};
use crate::engine::{self, Outcome, ask};
use crate::vector::{Content, Source, Vector};
use crate::witness::expected;

/// `finding` as a vector, if it is a base and a reference; `number` tells it from others of its class.
///
/// What documents expect is computed by their steps; what the engines in this process say stands in the note.
pub fn vector(finding: &Finding, number: usize) -> Option<Vector> {
    let Pair { base, reference } = finding.pair.clone()?;
    Some(Vector {
        name: name(&finding.fault.class, number),
        expect: expected(&base, &reference),
        note: Some(note(finding, &base, &reference)),
        base: Some(base),
        reference: Some(reference),
        ..Vector::default()
    })
}

/// A file for the findings of `target`.
pub fn content(target: &str) -> Content {
    Content {
        about: Some(format!(
            "The smallest pairs of what the fuzz target `{target}` found, with what each document says of them by its steps. Written by \
             `urlstrata vectors import-fuzz`, and so computed, not printed anywhere. The notes tell what was found then."
        )),
        source: Source {
            document: "urlstrata".to_owned(),
            section: "fuzz".to_owned(),
            title: format!("Found by {target}"),
            reconstructed: false,
            from: None,
            commit: None,
            licence: None,
        },
        base: None,
        vectors: Vec::new(),
    }
}

/// Adds `vector` to `content`, unless its pair is there already; says whether it was added.
pub fn add(content: &mut Content, vector: Vector) -> bool {
    let is_there =
        content.vectors.iter().any(|other| (&other.base, &other.reference) == (&vector.base, &vector.reference));
    if !is_there {
        content.vectors.push(vector);
    }
    !is_there
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
            Outcome::Refused(why) => format!("refuses it ({why})"),
            Outcome::Skipped(why) => format!("does not answer ({why})"),
            Outcome::Crashed(why) => format!("crashes ({why})"),
            Outcome::TimedOut(why) => format!("does not answer in time ({why})"),
        };
        format!("{} {} {said}", engine.name(), engine.version())
    });
    format!("{}: {}.", finding.fault.class, said.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::{add, content, name, vector};
    use crate::fuzz::{Fault, Finding, Pair};
    use crate::vector::canonical;

    #[test]
    fn a_finding_is_a_vector_with_what_every_revision_says() {
        let pair = Pair { base: "http://a/b/c/d;p?q".to_owned(), reference: "../../../g".to_owned() };
        let fault = Fault::new("crate:url differs from its profile in the path");
        let finding = Finding { fault, input: pair.write(), pair: Some(pair), shown: String::new() };
        let mut file = content("explained");
        let first = vector(&finding, 1).expect("a pair");
        assert_eq!(first.name, "crate-url-differs-from-its-profile-in-the-path-1");
        assert!(add(&mut file, first));
        assert!(!add(&mut file, vector(&finding, 2).expect("a pair")), "a pair stands once");
        let text = canonical(&file);
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
