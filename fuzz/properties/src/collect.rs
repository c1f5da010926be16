//! What a target observes while it runs. In a campaign it is written to a folder.

use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use urlstrata_harness::files::write_whole;

use super::{Classes, Input, Property, Violation};

/// The environment variable that names the folder in a campaign.
pub const FOLDER: &str = "URLSTRATA_FUZZ_FOLDER";

/// The file in that folder that holds what was observed.
pub const OBSERVED: &str = "observed.json";

/// How often the file is written, so that a process that is killed loses little.
const INTERVAL: Duration = Duration::from_secs(2);

/// What one process of a target observed.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Observed {
    /// The number of inputs of each class that satisfy the property.
    pub classes: BTreeMap<String, u64>,
    /// The number of inputs that violate the property, by the class of the violation.
    pub violations: BTreeMap<String, u64>,
}

/// Checks a property on one input after another, and collects what it observes.
#[derive(Debug)]
pub struct Collector {
    /// The folder of a campaign; without one, the first violation ends the process.
    folder: Option<PathBuf>,
    classes: Classes,
    violations: BTreeMap<String, u64>,
    written: Instant,
}

impl Collector {
    /// Creates a collector that writes to `folder`, if there is one.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, classes: Classes::default(), violations: BTreeMap::new(), written: Instant::now() }
    }

    /// Checks `P` on `input`.
    ///
    /// # Errors
    ///
    /// Returns the violation if the property does not hold and there is no folder.
    pub fn check<P: Property>(&mut self, input: &P::Input) -> Result<(), Violation> {
        if let Err(violation) = P::check(input, &mut self.classes) {
            let Some(folder) = &self.folder else { return Err(violation) };
            if let Err(error) = keep_shortest(folder, &violation, &input.encode()) {
                eprintln!("{}: cannot write an input of {:?}: {error}", folder.display(), violation.class);
            }
            *self.violations.entry(violation.class).or_default() += 1;
        }
        if self.written.elapsed() > INTERVAL {
            self.flush();
        }
        Ok(())
    }

    /// Writes what was observed, in a campaign. Errors are reported on standard error.
    pub fn flush(&mut self) {
        self.written = Instant::now();
        if let Err(error) = self.write() {
            eprintln!("cannot write {OBSERVED}: {error}");
        }
    }

    fn write(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let observed = Observed { classes: self.classes.0.clone(), violations: self.violations.clone() };
        fs::create_dir_all(folder)?;
        write_whole(&folder.join(OBSERVED), &serde_json::to_string_pretty(&observed)?)
    }
}

/// Writes `input` unless the folder has an input of the same class that is not longer.
fn keep_shortest(folder: &Path, violation: &Violation, input: &[u8]) -> io::Result<()> {
    let path = folder.join(file_name(&violation.class));
    if fs::metadata(&path).is_ok_and(|kept| kept.len() <= input.len() as u64) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    fs::write(path, input)
}

/// Returns the file name of a class: the beginning in letters that every file system accepts, and a hash of the whole.
fn file_name(class: &str) -> String {
    let readable: String =
        class.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(40).collect();
    // Unlike the hashes of the standard library, this one is the same in every build.
    let mut hash = FnvHasher::default();
    hash.write(class.as_bytes());
    let hash = hash.finish();
    format!("violation-{readable}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{Collector, OBSERVED, Observed};
    use crate::{Classes, Property, TextInput, Violation, counterexample};
    use std::collections::BTreeSet;
    use std::fs;
    use urlstrata_harness::vector::Suite;

    /// Holds for texts without `x` and `y`.
    struct NoX;

    impl Property for NoX {
        type Input = TextInput;
        const NAME: &'static str = "no-x";
        const STATEMENT: &'static str = "a text contains neither x nor y";
        const WORDS: &'static [&'static str] = &[];

        fn check(input: &TextInput, classes: &mut Classes) -> Result<(), Violation> {
            if let Some(found) = input.0.chars().find(|c| "xy".contains(*c)) {
                return Err(Violation::new(format!("contains {found}")));
            }
            classes.count("neither");
            Ok(())
        }

        fn seeds(_: &Suite) -> Vec<TextInput> {
            Vec::new()
        }
    }

    #[test]
    fn a_campaign_continues_and_keeps_the_shortest_input_of_each_class() {
        let folder = tempfile::tempdir().expect("a folder");
        // A target that crashed is started again.
        for texts in [&["a", "bxb", "b", "ax"], &["a", "cccx", "y", "b"]] {
            let mut collector = Collector::new(Some(folder.path().to_owned()));
            for text in texts {
                assert_eq!(collector.check::<NoX>(&TextInput((*text).to_owned())), Ok(()));
            }
            collector.flush();
        }
        let observed = fs::read_to_string(folder.path().join(OBSERVED)).expect("written");
        fs::remove_file(folder.path().join(OBSERVED)).expect("removed");
        let files = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file").path());
        let kept: BTreeSet<_> = files.map(|path| fs::read_to_string(path).expect("text")).collect();
        assert_eq!(kept, ["ax".to_owned(), "y".to_owned()].into());
        let observed: Observed = serde_json::from_str(&observed).expect("JSON");
        assert_eq!(observed.classes["neither"], 2);
        assert_eq!((observed.violations["contains x"], observed.violations["contains y"]), (1, 1));
    }

    #[test]
    fn without_a_campaign_the_first_violation_is_returned() {
        let mut collector = Collector::new(None);
        assert_eq!(collector.check::<NoX>(&TextInput("a".to_owned())), Ok(()));
        assert_eq!(collector.check::<NoX>(&TextInput("ax".to_owned())), Err(Violation::new("contains x")));
        let shrunk = counterexample::<NoX>(&TextInput("axxb".to_owned())).expect("a counterexample");
        assert_eq!(shrunk.input, b"x");
        assert!(shrunk.description.contains("violated property: a text contains neither x nor y\n"));
    }
}
