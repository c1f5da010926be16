//! What a target saw: kept while it runs, and in a campaign written to a folder.

use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::{Case, Fault, Law, Seen};
use crate::files::write_whole;

/// Names the folder of a campaign to a target.
pub const FOLDER: &str = "URLSTRATA_FUZZ_FOLDER";

/// How often what was seen is written, so that little of it is lost where a process is killed.
const EVERY: Duration = Duration::from_secs(2);

/// What one run of a target saw.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Collected {
    /// How many cases.
    pub cases: u64,
    /// How many of each class, of those that keep the law.
    pub seen: BTreeMap<String, u64>,
    /// How many of each class of faults.
    pub faults: BTreeMap<String, u64>,
}

/// Keeps what a target sees.
#[derive(Debug)]
pub struct Collector {
    /// Where findings go in a campaign; else the first ends the process.
    folder: Option<PathBuf>,
    cases: u64,
    seen: Seen,
    /// Each class of faults: how many, and how long its shortest input is.
    faults: BTreeMap<String, (u64, usize)>,
    written: Instant,
}

impl Collector {
    /// One that writes to `folder`, if there is one.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, cases: 0, seen: Seen::default(), faults: BTreeMap::new(), written: Instant::now() }
    }

    /// Puts `case` to `L`.
    ///
    /// # Errors
    ///
    /// If the law does not hold, and there is no folder to write the finding to.
    pub fn take<L: Law>(&mut self, case: &L::Case) -> Result<(), Fault> {
        self.cases += 1;
        if let Err(fault) = L::check(case, &mut self.seen) {
            if self.folder.is_none() {
                return Err(fault);
            }
            self.keep(&fault, &case.bytes());
        }
        if self.cases.is_multiple_of(64) && self.written.elapsed() > EVERY {
            self.flush();
        }
        Ok(())
    }

    /// Writes what was seen, in a campaign.
    ///
    /// A folder that cannot be written is told on standard error: a target has nobody else to tell.
    pub fn flush(&mut self) {
        self.written = Instant::now();
        if let Err(error) = self.write() {
            eprintln!("what was seen cannot be written: {error}");
        }
    }

    fn write(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let faults = self.faults.iter().map(|(class, (count, _))| (class.clone(), *count)).collect();
        let collected = Collected { cases: self.cases, seen: self.seen.0.clone(), faults };
        fs::create_dir_all(folder)?;
        write_whole(&folder.join("seen.json"), &serde_json::to_string_pretty(&collected)?)
    }

    /// Counts a fault, and keeps the shortest input of its class.
    fn keep(&mut self, fault: &Fault, input: &[u8]) {
        let kept = self.faults.entry(fault.class.clone()).or_insert((0, usize::MAX));
        kept.0 += 1;
        if input.len() >= kept.1 {
            return;
        }
        kept.1 = input.len();
        let Some(folder) = &self.folder else { return };
        let path = folder.join(file_name(&fault.class));
        if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&path, input)) {
            eprintln!("{}: the finding {:?} cannot be written: {error}", path.display(), fault.class);
        }
    }
}

/// A file's name for a class: what can be read of it, and a number that tells it from others.
fn file_name(class: &str) -> String {
    let readable: String =
        class.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(40).collect();
    // The same for every build, which the standard library's hashes do not promise.
    let mut hash = FnvHasher::default();
    hash.write(class.as_bytes());
    let hash = hash.finish();
    format!("finding-{readable}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{Collected, Collector};
    use crate::fuzz::{Fault, Law, Seen, Text};
    use crate::vector::Suite;
    use std::{env, fs, process};

    /// Holds but of texts with an `x` or a `y`.
    struct NoX;

    impl Law for NoX {
        type Case = Text;
        const NAME: &'static str = "no-x";
        const STATES: &'static str = "there is neither x nor y";
        const WORDS: &'static [&'static str] = &[];

        fn check(case: &Text, seen: &mut Seen) -> Result<(), Fault> {
            match case.0.chars().find(|c| "xy".contains(*c)) {
                Some(found) => Err(Fault::new(format!("there is {found}"))),
                None => {
                    seen.count("neither");
                    Ok(())
                }
            }
        }

        fn seeds(_: &Suite) -> Vec<Text> {
            Vec::new()
        }
    }

    #[test]
    fn a_campaign_goes_on_and_keeps_the_shortest_input_of_each_class() {
        let folder = env::temp_dir().join(format!("urlstrata-collect-{}", process::id()));
        let mut collector = Collector::new(Some(folder.clone()));
        for text in ["a", "bxb", "b", "ax", "cccx", "y"] {
            assert_eq!(collector.take::<NoX>(&Text(text.to_owned())), Ok(()));
        }
        collector.flush();
        let seen = fs::read_to_string(folder.join("seen.json")).expect("written");
        let collected: Collected = serde_json::from_str(&seen).expect("JSON");
        let mut inputs: Vec<_> =
            fs::read_dir(&folder).expect("a folder").map(|it| it.expect("a file").path()).collect();
        inputs.retain(|path| path.extension().is_none());
        let mut inputs: Vec<_> = inputs.iter().map(|path| fs::read_to_string(path).expect("text")).collect();
        inputs.sort();
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(collected.cases, 6);
        assert_eq!(collected.seen["neither"], 2);
        assert_eq!((collected.faults["there is x"], collected.faults["there is y"]), (3, 1));
        assert_eq!(inputs, ["ax", "y"]);
    }

    #[test]
    fn without_a_campaign_the_first_fault_is_told() {
        let mut collector = Collector::new(None);
        assert_eq!(collector.take::<NoX>(&Text("a".to_owned())), Ok(()));
        assert_eq!(collector.take::<NoX>(&Text("ax".to_owned())), Err(Fault::new("there is x")));
        let found = crate::fuzz::finding::<NoX>(&Text("axxb".to_owned())).expect("a finding");
        assert_eq!(found.input, b"x");
    }
}
