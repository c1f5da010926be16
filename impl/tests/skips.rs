//! Labels of steps are unique, and every step that a program skips to is a step of the same program.
//!
//! A skip to a missing label ends the run early. The trace then ends with an entry that is not a step of the program.
//! The first three tests look for such entries in the traces of every program, and check that their inputs reach every
//! step. The fourth test reads the labels from the source text, so that it includes skips that no input reaches.

mod common;
mod scope;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::BASES;
use scope::scope;
use urlstrata::base::Candidates;
use urlstrata::revision::{self, Revision};
use urlstrata::{StepText, Trace, scheme};

/// The steps of one program or more, and which of them ran.
struct Coverage {
    name: String,
    steps: Vec<StepText>,
    ran: BTreeSet<&'static str>,
}

impl Coverage {
    fn new(name: &str, steps: Vec<StepText>) -> Self {
        Self { name: name.to_owned(), steps, ran: BTreeSet::new() }
    }

    /// Checks that each entry of `trace` is a step.
    #[track_caller]
    fn add(&mut self, trace: &Trace) {
        for entry in trace.entries() {
            let is_step = |step: &StepText| (step.label, step.text) == (entry.label, entry.text);
            assert!(self.steps.iter().any(is_step), "{}: {:?}: {}", self.name, entry.label, entry.text);
            self.ran.insert(entry.label);
        }
    }

    /// Checks that each step ran.
    #[track_caller]
    fn finish(self) {
        let idle: Vec<_> = self.steps.iter().map(|step| step.label).filter(|label| !self.ran.contains(label)).collect();
        assert!(idle.is_empty(), "{}: no trace contains the steps {idle:?}", self.name);
    }
}

/// Every string of up to `length` tokens.
fn short_strings(tokens: &[&str], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for index in from..to {
            for token in tokens {
                all.push([all[index].as_str(), token].concat());
            }
        }
        from = to;
    }
    all
}

const DELIMITERS: &[&str] = &["a", ".", "/", ";", "?", "#", ":"];

#[test]
fn resolving_and_parsing_skip_to_steps_of_the_same_program() {
    let strings = short_strings(DELIMITERS, scope(4, 2));
    // `tests/whatwg.rs` has the inputs that reach the steps of the URL Standard.
    for &revision in revision::ALL.iter().filter(|revision| !revision.parse_steps().is_empty()) {
        let mut resolving = Coverage::new(&format!("{revision:?}, resolving"), revision.resolve_steps());
        let mut parsing = Coverage::new(&format!("{revision:?}, parsing"), revision.parse_steps());
        for string in &strings {
            parsing.add(&revision.parse_traced(string).1);
        }
        for base in BASES {
            parsing.add(&revision.parse_traced(base).1);
            for string in &strings {
                resolving.add(&revision.resolve_traced(base, string).1);
            }
        }
        resolving.finish();
        parsing.finish();
    }
}

#[test]
fn schemes_skip_to_steps_of_the_same_program() {
    let tokens = ["a", "1", "/", "?", ";", "@", "=", "%09", "%2B", ";type=d"];
    let strings = short_strings(&tokens, scope(4, 2));
    for &revision in revision::ALL {
        let mut steps = revision.scheme_steps();
        if steps.is_empty() {
            continue;
        }
        // A trace begins with the steps of parsing.
        steps.extend(revision.parse_steps());
        let mut reading = Coverage::new(&format!("{revision:?}, reading"), steps);
        let names = scheme::ALL.iter().map(|scheme| scheme.name).chain(["x-a"]);
        for prefix in names.flat_map(|name| ["", "//h", "//h/", "//h/1%09%09"].map(|part| format!("{name}:{part}"))) {
            for string in &strings {
                let read = revision.read_traced(&format!("{prefix}{string}"));
                reading.add(&read.expect("the revision describes schemes").1);
            }
        }
        reading.finish();
    }
}

#[test]
fn establishing_a_base_skips_to_steps_of_the_same_program() {
    let urls = [None, Some(""), Some("a"), Some("http://a/b#c")];
    for &revision in revision::ALL {
        let Some(base) = revision.base else { continue };
        let mut establishing = Coverage::new(&format!("{revision:?}, establishing a base"), base.steps());
        for content in urls {
            for enclosing in urls {
                for retrieval in urls {
                    for default in urls {
                        let content = content.as_slice();
                        let candidates = Candidates { content, enclosing, retrieval, default };
                        establishing.add(&base.establish_traced(&candidates).1);
                    }
                }
            }
        }
        establishing.finish();
    }
}

/// The labels of the programs that the source file `path` defines.
fn labels(path: &Path) -> BTreeSet<&'static str> {
    let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
    let of_all = |steps: fn(&Revision) -> Vec<StepText>| revision::ALL.iter().copied().flat_map(steps).collect();
    let steps: Vec<_> = match parts[..] {
        ["revision", "whatwg", _] => of_all(Revision::resolve_steps),
        ["revision", file] => {
            let id = file.trim_end_matches(".rs").replace('_', "-");
            let revision = revision::by_id(&id);
            revision.into_iter().flat_map(|it| [it.parse_steps(), it.resolve_steps()].concat()).collect()
        }
        ["scheme.rs"] | ["scheme", _] => of_all(Revision::scheme_steps),
        ["base.rs"] => of_all(|revision| revision.base.map_or_else(Vec::new, |base| base.steps())),
        _ => Vec::new(),
    };
    steps.iter().map(|step| step.label).collect()
}

fn source_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { source_files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_skip_in_a_source_file_names_a_step_of_that_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut skips = 0;
    for file in source_files(&root) {
        let path = file.strip_prefix(&root).expect("a path below the root");
        let labels = labels(path);
        let text = fs::read_to_string(&file).expect("a source file");
        for skip in text.split("SkipTo(\"").skip(1) {
            let label = skip.split('"').next().unwrap_or_default();
            assert!(labels.contains(label), "{}: no step of this file has the label {label:?}", path.display());
            skips += 1;
        }
    }
    assert!(skips > 0, "no skips found below {}", root.display());
}

#[test]
fn ids_labels_and_remarks_are_unique() {
    let mut ids = BTreeSet::new();
    let mut remarks = BTreeSet::new();
    for &revision in revision::ALL {
        assert!(ids.insert(revision.id));
        for steps in [revision.parse_steps(), revision.resolve_steps()] {
            let labels: BTreeSet<_> = steps.iter().map(|step| step.label).collect();
            assert_eq!(labels.len(), steps.len(), "{}", revision.id);
        }
        for remark in revision.remarks {
            assert!(remarks.insert(remark.id), "{}", remark.id);
            assert!(
                [remark.issue, remark.decision, remark.reason].iter().all(|part| !part.is_empty()),
                "{}",
                remark.id
            );
        }
    }
}

#[test]
fn every_label_of_a_scheme_is_unique_and_begins_with_its_section() {
    let steps = revision::rfc1738::REVISION.scheme_steps();
    let labels: BTreeSet<_> = steps.iter().map(|step| step.label).collect();
    assert_eq!(labels.len(), steps.len());
    assert!(labels.len() > scheme::ALL.len());
    assert!(labels.iter().all(|label| label.starts_with(['2', '3', '4'])), "{labels:?}");
}
