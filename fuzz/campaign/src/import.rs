//! `import`: inputs that violate a property become vectors and kept inputs.

use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::witness::expected;
use urlstrata_harness::vector::{Content, ResolutionCase, Source, Suite, Vector};
use urlstrata_properties::{Counterexample, PairInput, Target, engine_results};

use super::{Failure, file, read_kept_inputs, write_kept_inputs};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Inputs that violate a property, such as fuzz/artifacts/TARGET/violation-*
    #[arg(required = true, value_name = "ARTIFACT")]
    artifacts: Vec<PathBuf>,
    /// The target [default: the name of the folder that contains the artifact]
    #[arg(long, value_parser = Target::by_name)]
    target: Option<&'static Target>,
    /// The folder of the vectors
    #[arg(long, value_name = "FOLDER", default_value = "vectors/found")]
    vectors: PathBuf,
    /// The folder of the kept inputs
    #[arg(long, value_name = "FOLDER", default_value = "fuzz/inputs")]
    inputs: PathBuf,
}

/// Shrinks each artifact, keeps the shrunk input, and turns a base and a reference into a vector.
pub(crate) fn import(arguments: &Arguments) -> Result<(), Failure> {
    let mut found = Vec::new();
    for path in &arguments.artifacts {
        let target = arguments.target.map_or_else(|| target_of(path), Ok)?;
        match target.counterexample(&file::read(path)?) {
            Some(counterexample) => {
                println!("{}: {}", path.display(), counterexample.description);
                found.push((target, counterexample));
            }
            None => println!("{}: the property of {} holds", path.display(), target.name),
        }
    }
    let (mut vectors, mut inputs) = (0, 0);
    for (target, counterexample) in &found {
        vectors += usize::from(add_vector(&arguments.vectors, target.name, counterexample)?);
        inputs += usize::from(add_input(&arguments.inputs, target.name, counterexample)?);
    }
    let artifacts = counted(arguments.artifacts.len(), "artifact", "artifacts");
    let vectors = counted(vectors, "new vector", "new vectors");
    println!("{artifacts}, {vectors}, {}", counted(inputs, "new kept input", "new kept inputs"));
    Ok(())
}

/// Returns the target that the folder of an artifact is named after.
fn target_of(path: &Path) -> Result<&'static Target, Failure> {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let target = Target::by_name(&folder.to_string_lossy());
    target.map_err(|why| format!("{}: {why}; name the target with --target", path.display()).into())
}

/// Adds a pair to the vectors of `target`, and returns whether it is new.
fn add_vector(folder: &Path, target: &str, found: &Counterexample) -> Result<bool, Failure> {
    let Some(pair) = &found.pair else { return Ok(false) };
    let path = folder.join(format!("{target}.yaml"));
    let mut content = match path.exists() {
        true => Suite::read(std::slice::from_ref(&path))?.files.swap_remove(0).content,
        false => empty_content(target),
    };
    let is_pair = |vector: &Vector| {
        vector.resolution().is_some_and(|case| case.base == pair.base && case.reference == pair.reference)
    };
    if content.vectors.iter().any(is_pair) {
        return Ok(false);
    }
    let class = &found.violation.class;
    let name =
        (1..).map(|number| vector_name(class, number)).find(|name| content.vectors.iter().all(|it| it.name != *name));
    content.vectors.push(vector(name.unwrap_or_default(), class, pair)?);
    file::create_folder(folder)?;
    file::write(&path, content.canonical())?;
    Ok(true)
}

/// Adds the shrunk input to the kept inputs of `target`, and returns whether it is new.
fn add_input(folder: &Path, target: &str, found: &Counterexample) -> Result<bool, Failure> {
    let mut kept = read_kept_inputs(folder, target)?;
    if kept.contains(&found.input) {
        return Ok(false);
    }
    kept.push(found.input.clone());
    write_kept_inputs(folder, target, &kept)?;
    Ok(true)
}

fn empty_content(target: &str) -> Content {
    Content {
        about: Some(format!(
            "The smallest pairs that the fuzz target `{target}` found, with the results of the reference implementations. Written by \
             `campaign import`, and so computed, not printed anywhere. The notes state what was found at the time."
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

/// Returns a vector that expects the results of the reference implementations; the note has those of the engines.
fn vector(name: String, class: &str, pair: &PairInput) -> Result<Vector, Failure> {
    let case = ResolutionCase {
        base: pair.base.clone(),
        reference: pair.reference.clone(),
        expect: expected(&pair.base, &pair.reference),
        ..ResolutionCase::default()
    };
    let note = Some(format!("{class}: {}.", engine_results(pair)?));
    Ok(Vector { note, ..Vector::new(name, case) })
}

/// Turns a class into the name of a vector: lower-case letters, digits and single hyphens.
fn vector_name(class: &str, number: usize) -> String {
    const MAX_LENGTH: usize = 60;
    let words = class.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words.map(str::to_ascii_lowercase) {
        if name.len() + word.len() >= MAX_LENGTH {
            break;
        }
        name.push_str(&word);
        name.push('-');
    }
    format!("{name}{number}")
}

#[cfg(test)]
mod tests {
    use super::{add_input, add_vector, vector_name};
    use urlstrata_harness::vector::Suite;
    use urlstrata_properties::{Counterexample, PairInput, Violation};

    fn counterexample(reference: &str) -> Counterexample {
        let pair = PairInput { base: "http://a/b/c/d;p?q".to_owned(), reference: reference.to_owned() };
        let violation = Violation::new("crate:url differs from its behaviour in the path");
        let input = reference.as_bytes().to_vec();
        Counterexample { violation, input, pair: Some(pair), description: String::new() }
    }

    #[test]
    fn a_pair_becomes_one_vector_with_the_results_of_all_revisions() {
        let folder = tempfile::tempdir().expect("a folder");
        let add = |found: &Counterexample| add_vector(folder.path(), "explained", found).expect("written");
        assert!(add(&counterexample("../../../g")) && add(&counterexample("../x")));
        assert!(!add(&counterexample("../../../g")), "it is there already");
        assert!(!add(&Counterexample { pair: None, ..counterexample("g") }), "it is not a pair");
        let suite = Suite::read(&[folder.path().to_owned()]).expect("a file in canonical form");
        let vectors = &suite.files[0].content.vectors;
        let names: Vec<_> = vectors.iter().map(|vector| vector.name.as_str()).collect();
        let name = "crate-url-differs-from-its-behaviour-in-the-path";
        assert_eq!(names, [format!("{name}-1"), format!("{name}-2")]);
        let case = vectors[0].resolution().expect("a resolution");
        let expected = |id: &str| case.expect.get(id).and_then(|expected| expected.url());
        assert_eq!((expected("rfc1808"), expected("rfc3986")), (Some("http://a/../g"), Some("http://a/g")));
        assert!(vectors[0].note.as_ref().is_some_and(|note| note.contains("; crate:oxiri ")), "{:?}", vectors[0].note);
    }

    #[test]
    fn a_shrunk_input_is_kept_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let add = |found: &Counterexample| add_input(folder.path(), "explained", found).expect("written");
        assert!(add(&counterexample("x")) && !add(&counterexample("x")));
    }

    #[test]
    fn a_vector_name_is_short() {
        assert_eq!(vector_name("?", 3), "3");
        assert!(vector_name(&"long words ".repeat(40), 7).len() < 64);
    }
}
