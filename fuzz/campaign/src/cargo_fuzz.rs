//! Runs cargo-fuzz, and reads the log of libFuzzer.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use urlstrata_properties::{FOLDER, OBSERVED, Observed, Target};

use super::Failure;
use super::export::Export;
use super::file::{self, at};
use super::summary::TargetSummary;

/// Figures that libFuzzer reports while it runs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Progress {
    pub(crate) executions: u64,
    pub(crate) edges: u64,
    pub(crate) corpus: u64,
}

impl Progress {
    /// Reads a line such as `#1024 NEW cov: 85 ft: 230 corp: 12/345b exec/s: 512 rss: 40Mb`; `None` for any other line.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix('#')?.split_whitespace();
        let mut progress = Self { executions: words.next()?.parse().ok()?, ..Self::default() };
        words.next()?;
        while let Some(name) = words.next() {
            let mut number = || words.next()?.split('/').next()?.parse().ok();
            match name {
                "cov:" => progress.edges = number()?,
                "corp:" => progress.corpus = number()?,
                _ => {}
            }
        }
        Some(progress)
    }
}

/// The package of the fuzz targets.
pub(crate) struct CargoFuzz {
    folder: PathBuf,
}

/// A target that ends early as often as this is not started again.
const MAX_EARLY_ENDS: u64 = 50;

impl CargoFuzz {
    /// Checks that `folder` contains the targets and that cargo-fuzz is installed.
    pub(crate) fn new(folder: &Path) -> Result<Self, Failure> {
        if !folder.join("Cargo.toml").is_file() {
            let place = folder.display();
            return Err(format!("{place}: no fuzz targets; run this program in the root of the repository").into());
        }
        let cargo_fuzz = Self { folder: std::path::absolute(folder)? };
        let version = cargo_fuzz.command("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !version.is_ok_and(|status| status.success()) {
            return Err("a campaign needs a nightly compiler and cargo-fuzz: `rustup toolchain install nightly`, then \
                        `cargo install cargo-fuzz`; without them, `cargo test -p urlstrata-properties` checks the kept inputs"
                .into());
        }
        Ok(cargo_fuzz)
    }

    pub(crate) fn corpus(&self, target: &Target) -> PathBuf {
        self.folder.join("corpus").join(target.name)
    }

    /// Returns the folder of inputs that violate the property of a target or end its process.
    pub(crate) fn artifacts(&self, target: &Target) -> PathBuf {
        self.folder.join("artifacts").join(target.name)
    }

    /// Builds all targets.
    pub(crate) fn build(&self) -> Result<(), Failure> {
        match self.execute("build", &[], &[], None, &mut |_| ())?.success() {
            true => Ok(()),
            false => Err("the targets cannot be built; run `cargo +nightly fuzz build` to see the reason".into()),
        }
    }

    /// Runs a target for `time`, starts it again when it ends early, and passes its figures to `report`.
    pub(crate) fn run(
        &self,
        target: &Target,
        export: &Export,
        time: Duration,
        report: &mut dyn FnMut(Progress),
    ) -> Result<TargetSummary, Failure> {
        let artifacts = self.artifacts(target);
        file::create_folder(&artifacts)?;
        export.write_seeds(&self.corpus(target))?;
        let dictionary = self.folder.join("corpus").join(format!("{}.dict", target.name));
        file::write(&dictionary, export.dictionary())?;
        let mut summary = TargetSummary { seconds: time.as_secs(), ..TargetSummary::default() };
        let started = Instant::now();
        while summary.early_ends < MAX_EARLY_ENDS {
            // libFuzzer counts in whole seconds.
            let left = time.saturating_sub(started.elapsed()).as_secs_f64().round();
            if left < 1.0 {
                break;
            }
            let mut flags = limits(export);
            flags.push(format!("-max_total_time={left}"));
            flags.push(format!("-dict={}", dictionary.display()));
            flags.push(format!("-artifact_prefix={}/", artifacts.display()));
            let mut last = Progress::default();
            let status = self.execute("run", &[target.name.as_ref()], &flags, Some(&artifacts), &mut |line| {
                if let Some(progress) = Progress::parse(line) {
                    last = progress;
                    report(Progress { executions: summary.executions + progress.executions, ..progress });
                }
            })?;
            summary.executions += last.executions;
            summary.edges = summary.edges.max(last.edges);
            summary.early_ends += u64::from(!status.success());
            add_observed(&artifacts.join(OBSERVED), &mut summary.observed)?;
        }
        Ok(summary)
    }

    /// Removes inputs from the corpus that reach nothing new, and returns those that together reach all edges.
    pub(crate) fn merge(
        &self,
        target: &Target,
        export: &Export,
        summary: &mut TargetSummary,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let corpus = self.corpus(target);
        let scratch = tempfile::tempdir_in(self.folder.join("corpus"))?;
        let [merged, kept] = ["merged", "kept"].map(|name| scratch.path().join(name));
        let flags = [vec!["-merge=1".to_owned()], limits(export)].concat();
        let edges_only = [flags.clone(), vec!["-use_counters=0".to_owned()]].concat();
        for (into, from, flags) in [(&merged, &corpus, &flags), (&kept, &merged, &edges_only)] {
            file::create_folder(into)?;
            let words = [Path::new(target.name), into, from];
            // In a campaign, a violation does not end the process.
            if !self.execute("run", &words, flags, Some(scratch.path()), &mut |_| ())?.success() {
                return Err(format!("{}: the corpus cannot be merged", target.name).into());
            }
        }
        fs::remove_dir_all(&corpus).map_err(at(&corpus))?;
        fs::rename(&merged, &corpus).map_err(at(&merged))?;
        let inputs = files(&kept)?.iter().map(|path| file::read(path)).collect::<Result<Vec<_>, _>>()?;
        summary.corpus = files(&corpus)?.len() as u64;
        summary.kept = inputs.len() as u64;
        Ok(inputs)
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new("cargo");
        // If cargo runs this program, it has set its own toolchain and flags.
        for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        command.args(["+nightly", "fuzz", subcommand]).current_dir(&self.folder);
        command
    }

    /// Runs cargo-fuzz, and passes each line of its standard error to `read`.
    fn execute(
        &self,
        subcommand: &str,
        words: &[&Path],
        flags: &[String],
        observed: Option<&Path>,
        read: &mut dyn FnMut(&str),
    ) -> Result<ExitStatus, Failure> {
        let mut command = self.command(subcommand);
        // As in .clusterfuzzlite/build.sh, so that both use the same builds. One codegen unit, the default, uses one core.
        command.args(["-O", "--codegen-units", "16"]).args(words);
        if !flags.is_empty() {
            command.arg("--").args(flags);
        }
        if let Some(folder) = observed {
            command.env(FOLDER, folder);
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        for line in child.stderr.take().map(BufReader::new).into_iter().flat_map(|log| log.split(b'\n')) {
            read(&String::from_utf8_lossy(&line?));
        }
        Ok(child.wait()?)
    }
}

fn limits(export: &Export) -> Vec<String> {
    export.limits().iter().map(|(name, value)| format!("-{name}={value}")).collect()
}

/// Adds what a process wrote to `path`, and removes the file.
fn add_observed(path: &Path, total: &mut Observed) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let observed: Observed =
        serde_json::from_str(&file::read_to_string(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    observed.classes.into_iter().for_each(|(class, count)| *total.classes.entry(class).or_default() += count);
    observed.violations.into_iter().for_each(|(class, count)| *total.violations.entry(class).or_default() += count);
    fs::remove_file(path).map_err(at(path))
}

/// Returns the files of a folder without an extension, sorted by name; none if the folder does not exist.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let paths = fs::read_dir(folder).map_err(at(folder))?.map(|entry| entry.map(|entry| entry.path()));
    let mut files: Vec<_> = paths.collect::<Result<_, _>>().map_err(at(folder))?;
    files.retain(|path| path.is_file() && path.extension().is_none());
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn the_figures_of_libfuzzer_are_read() {
        let line = "#14352\tDONE   cov: 8678 ft: 19861 corp: 1335/62Kb lim: 4096 exec/s: 1594 rss: 453Mb";
        assert_eq!(Progress::parse(line), Some(Progress { executions: 14352, edges: 8678, corpus: 1335 }));
        let first = "#2\tINITED exec/s: 0 rss: 42Mb";
        assert_eq!(Progress::parse(first), Some(Progress { executions: 2, ..Progress::default() }));
        for line in
            ["", "#", "INFO: Seed: 1", "#x NEW cov: 1", "###### Recommended dictionary. ######", "#1 NEW cov: many"]
        {
            assert_eq!(Progress::parse(line), None, "{line:?}");
        }
    }
}
