//! Campaigns: each target in turn under libFuzzer for a while, what it saw, and what it keeps.
//!
//! libFuzzer and cargo-fuzz are programs of their own, which this module starts and reads; what a law says of an input is
//! said by the same laws in this process.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Collected, Export, FOLDER, Finding, Target};
use crate::files::write_all;

/// What a campaign came to: totals by target, without when and where.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// Each target that was run, by its name; one that is run again stands with its last run.
    pub targets: BTreeMap<String, Ran>,
}

/// What one target came to.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ran {
    /// For how many seconds it was asked to run.
    pub seconds: u64,
    /// How many inputs it was run on.
    pub executions: u64,
    /// How many edges of the program its inputs reach.
    pub edges: u64,
    /// How many of libFuzzer's features: edges with how often.
    pub features: u64,
    /// How many inputs its corpus has after merging.
    pub corpus: u64,
    /// How many of them are kept for ever: those that reach all its edges.
    pub kept: u64,
    /// How often the process ended before its time: a panic, a leak, an input that takes too long or too much memory.
    pub ended: u64,
    /// How many cases of each class, of those that keep the law.
    pub seen: BTreeMap<String, u64>,
    /// How many of each class of faults.
    pub faults: BTreeMap<String, u64>,
}

impl Ran {
    /// How many inputs break the law.
    pub fn broken(&self) -> u64 {
        self.faults.values().sum()
    }
}

impl Campaign {
    /// Reads what is at `path`: nothing yet, where there is no file.
    ///
    /// # Errors
    ///
    /// A sentence, if the file is not in order.
    pub fn read(path: &Path) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|why| format!("{}: {why}", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
        }
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    ///
    /// A sentence with the line and a remedy.
    pub fn parse(text: &str) -> Result<Self, String> {
        let remedy = "take it away, and the next campaign writes it anew";
        serde_json::from_str(text).map_err(|error| format!("no summary of a campaign: {error}; {remedy}"))
    }

    /// The text of such a file.
    pub fn written(&self) -> String {
        serde_json::to_string_pretty(self)
            .map_or_else(|error| unreachable!("maps of numbers: {error}"), |text| text + "\n")
    }
}

/// What libFuzzer tells of a run while it runs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Progress {
    /// How many inputs it was run on.
    pub executions: u64,
    /// How many edges they reach.
    pub edges: u64,
    /// How many features.
    pub features: u64,
    /// How many inputs are kept.
    pub corpus: u64,
}

impl Progress {
    /// Reads a line of libFuzzer's, if it is one with figures: `#1024 NEW cov: 85 ft: 230 corp: 12/345b exec/s: 512 rss: 40Mb`.
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix('#')?.split_whitespace();
        let mut progress = Self { executions: words.next()?.parse().ok()?, ..Self::default() };
        words.next()?;
        while let Some(name) = words.next() {
            let mut number = || words.next()?.split('/').next()?.parse().ok();
            match name {
                "cov:" => progress.edges = number()?,
                "ft:" => progress.features = number()?,
                "corp:" => progress.corpus = number()?,
                _ => {}
            }
        }
        Some(progress)
    }
}

/// The folder of the fuzz targets, and where things lie in it.
#[derive(Clone, Debug)]
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// That of `folder`, the one with cargo-fuzz's `Cargo.toml`.
    ///
    /// # Errors
    ///
    /// A sentence, if there are no targets, or nothing to run them with.
    pub fn new(folder: &Path) -> Result<Self, String> {
        if !folder.join("Cargo.toml").is_file() {
            return Err(format!(
                "{}: no fuzz targets there: run it in the repository, or name the folder",
                folder.display()
            ));
        }
        let asked = cargo_fuzz(folder, "--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !asked.is_ok_and(|status| status.success()) {
            return Err("a campaign needs a nightly compiler and cargo-fuzz: `rustup toolchain install nightly`, then `cargo install \
                        cargo-fuzz`; without them, `cargo test --test fuzz` puts the kept inputs to the laws"
                .to_owned());
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// The inputs that a target begins with, and what it finds beside them.
    pub fn corpus(&self, target: &Target) -> PathBuf {
        self.folder.join("corpus").join(target.name)
    }

    /// Where inputs are put that break a target's law or end its process.
    pub fn artifacts(&self, target: &Target) -> PathBuf {
        self.folder.join("artifacts").join(target.name)
    }

    /// What the last campaigns came to.
    pub fn summary(&self) -> PathBuf {
        self.folder.join("campaign.json")
    }

    /// The inputs of a target that are kept for ever.
    pub fn kept(&self, target: &Target) -> PathBuf {
        self.folder.join("inputs").join(format!("{}.txt", target.name))
    }

    /// Builds all targets.
    ///
    /// # Errors
    ///
    /// If that fails; why stands on standard error.
    pub fn build(&self) -> Result<(), String> {
        self.run("build", &[], &[], None, &mut |_| ()).and_then(|status| match status.success() {
            true => Ok(()),
            false => Err("the targets do not build: `cargo +nightly fuzz build` says why".to_owned()),
        })
    }

    /// Puts the inputs of `export` into a target's corpus, and its dictionary beside that.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn begin_with(&self, target: &Target, export: &Export) -> Result<(), String> {
        let folder = self.corpus(target);
        let files = export.inputs.iter().map(|(name, input)| (folder.join(name), input.as_slice()));
        let mut files: Vec<_> = files.collect();
        files.push((self.words(target), export.dictionary.as_bytes()));
        let unwritable = |path: &Path, error: io::Error| format!("{}: cannot be written: {error}", path.display());
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
        write_all(&files).map_err(|(path, error)| unwritable(&path, error))
    }

    fn words(&self, target: &Target) -> PathBuf {
        self.folder.join("corpus").join(format!("{}.dict", target.name))
    }

    /// Runs a target for `time` within the limits of `export`; `told` hears how it goes. A process that ends before its time is started again.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or what it wrote cannot be read.
    pub fn hunt(
        &self,
        target: &Target,
        export: &Export,
        time: Duration,
        told: &mut dyn FnMut(Progress),
    ) -> Result<Ran, String> {
        /// A target that does not run at all would be started for ever.
        const MOST: u64 = 50;
        let artifacts = self.artifacts(target);
        fs::create_dir_all(&artifacts)
            .map_err(|error| format!("{}: cannot be written: {error}", artifacts.display()))?;
        let mut ran = Ran { seconds: time.as_secs(), ..Ran::default() };
        let started = Instant::now();
        while ran.ended < MOST {
            // libFuzzer counts in whole seconds.
            let left = time.saturating_sub(started.elapsed()).as_secs_f64().round();
            if left < 1.0 {
                break;
            }
            let (before, mut last) = (ran.executions, Progress::default());
            let flags = [
                format!("-max_total_time={left}"),
                format!("-dict={}", absolute(&self.words(target)).display()),
                format!("-artifact_prefix={}/", absolute(&artifacts).display()),
            ];
            let flags: Vec<_> = flags.iter().chain(&export.limits).map(String::as_str).collect();
            let status = self.run("run", &[target.name], &flags, Some(&artifacts), &mut |line| {
                if let Some(progress) = Progress::read(line) {
                    last = progress;
                    told(Progress { executions: before + progress.executions, ..progress });
                }
            })?;
            ran.executions += last.executions;
            (ran.edges, ran.features) = (ran.edges.max(last.edges), ran.features.max(last.features));
            self.add_seen(&artifacts, &mut ran)?;
            ran.ended += u64::from(!status.success());
        }
        Ok(ran)
    }

    /// Adds what a run wrote to `folder`.
    fn add_seen(&self, folder: &Path, ran: &mut Ran) -> Result<(), String> {
        let path = folder.join("seen.json");
        let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
        let collected: Collected = serde_json::from_str(&text)
            .map_err(|error| format!("{}: not what a target writes: {error}", path.display()))?;
        collected.seen.into_iter().for_each(|(class, count)| *ran.seen.entry(class).or_default() += count);
        collected.faults.into_iter().for_each(|(class, count)| *ran.faults.entry(class).or_default() += count);
        fs::remove_file(&path).map_err(|error| format!("{}: cannot be taken away: {error}", path.display()))
    }

    /// Leaves in a target's corpus what reaches all that it reaches, and hands back the inputs that reach all its edges.
    ///
    /// # Errors
    ///
    /// If merging fails; the corpus is then as it was.
    pub fn merge(&self, target: &Target, export: &Export, ran: &mut Ran) -> Result<Vec<Vec<u8>>, String> {
        let corpus = self.corpus(target);
        let beside = |name: &str| self.folder.join("corpus").join(format!("{}.{name}", target.name));
        let (merged, kept) = (beside("merged"), beside("kept"));
        let limits: Vec<_> = export.limits.iter().map(String::as_str).collect();
        self.merge_into(target, &merged, &corpus, &limits)?;
        self.merge_into(target, &kept, &merged, &[&limits[..], &["-use_counters=0"]].concat())?;
        let fault = |error: io::Error| format!("{}: {error}", corpus.display());
        fs::remove_dir_all(&corpus).and_then(|()| fs::rename(&merged, &corpus)).map_err(fault)?;
        let inputs =
            files(&kept).and_then(|paths| paths.iter().map(fs::read).collect::<io::Result<Vec<_>>>()).map_err(fault)?;
        fs::remove_dir_all(&kept).map_err(fault)?;
        ran.corpus = files(&corpus).map_err(fault)?.len() as u64;
        ran.kept = inputs.len() as u64;
        Ok(inputs)
    }

    fn merge_into(&self, target: &Target, into: &Path, from: &Path, flags: &[&str]) -> Result<(), String> {
        let fault = |error: io::Error| format!("{}: {error}", into.display());
        if into.exists() {
            fs::remove_dir_all(into).map_err(fault)?;
        }
        fs::create_dir_all(into).map_err(fault)?;
        let folders = [into, from].map(|folder| absolute(folder).to_string_lossy().into_owned());
        let words: Vec<_> = std::iter::once(target.name.to_owned()).chain(folders).collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let flags = [&["-merge=1"], flags].concat();
        // An input that breaks the law would else end the process, and be put to the artifacts as another finding.
        let seen = into.with_extension("seen");
        let status = self.run("run", &words, &flags, Some(&seen), &mut |_| ())?;
        if seen.exists() {
            fs::remove_dir_all(&seen).map_err(fault)?;
        }
        match status.success() {
            true => Ok(()),
            false => Err(format!("{}: its corpus cannot be merged", target.name)),
        }
    }

    /// What `target` found, each shrunk; and inputs that ended its process and of which the law says nothing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn findings(&self, target: &Target) -> Result<(Vec<Finding>, Vec<PathBuf>), String> {
        let folder = self.artifacts(target);
        let unreadable = |error: io::Error| format!("{}: cannot be read: {error}", folder.display());
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for path in files(&folder).map_err(unreadable)? {
            match target.find(&fs::read(&path).map_err(unreadable)?) {
                Some(finding) => found.push(finding),
                None => others.push(path),
            }
        }
        Ok((found, others))
    }

    /// Starts cargo-fuzz; `told` hears each line of its standard error.
    fn run(
        &self,
        command: &str,
        words: &[&str],
        flags: &[&str],
        campaign: Option<&Path>,
        told: &mut dyn FnMut(&str),
    ) -> Result<ExitStatus, String> {
        let fault = |error: io::Error| format!("cargo-fuzz cannot be run: {error}");
        let mut started = cargo_fuzz(&self.folder, command);
        // One unit, which cargo-fuzz would take, is built on one core.
        started
            .args(["--codegen-units", "16"])
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .stdin(Stdio::null());
        if !flags.is_empty() {
            started.arg("--").args(flags);
        }
        if let Some(folder) = campaign {
            started.env(FOLDER, absolute(folder));
        }
        let mut child = started.spawn().map_err(fault)?;
        if let Some(said) = child.stderr.take() {
            for line in BufReader::new(said).split(b'\n') {
                told(&String::from_utf8_lossy(&line.map_err(fault)?));
            }
        }
        child.wait().map_err(fault)
    }
}

/// A path for a program that runs in another folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn cargo_fuzz(folder: &Path, command: &str) -> Command {
    let mut started = Command::new("cargo");
    // A `cargo` that runs this program names itself and its toolchain to those that it starts.
    for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "RUSTFLAGS"] {
        started.env_remove(name);
    }
    started.arg("+nightly").arg("fuzz").arg(command).current_dir(folder);
    started
}

/// The files of a folder but for what a target saw, in the order of their names; none where there is no folder.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> = paths.into_iter().filter(|path| path.is_file() && path.extension().is_none()).collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Campaign, Progress, Ran};

    #[test]
    fn figures_are_read_from_libfuzzers_lines() {
        let line = "#14352\tDONE   cov: 8678 ft: 19861 corp: 1335/62Kb lim: 4096 exec/s: 1594 rss: 453Mb";
        let read = Progress { executions: 14352, edges: 8678, features: 19861, corpus: 1335 };
        assert_eq!(Progress::read(line), Some(read));
        let begun = Progress::read("#2\tINITED exec/s: 0 rss: 42Mb");
        assert_eq!(begun, Some(Progress { executions: 2, ..Progress::default() }));
        for line in
            ["", "#", "INFO: Seed: 1", "#x NEW cov: 1", "###### Recommended dictionary. ######", "#1 NEW cov: many"]
        {
            assert_eq!(Progress::read(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_summary_is_read_as_it_was_written_and_a_broken_one_is_told() {
        let mut campaign = Campaign::default();
        let ran = Ran { seconds: 60, executions: 5, seen: [("a result".to_owned(), 4)].into(), ..Ran::default() };
        campaign.targets.insert("agree".to_owned(), ran);
        assert_eq!(Campaign::parse(&campaign.written()), Ok(campaign));
        let why = Campaign::parse("{\n  \"targets\": 7\n}").expect_err("a number");
        assert!(why.contains("line 2") && why.contains("take it away"), "{why}");
    }
}
