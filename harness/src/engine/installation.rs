//! Installation of engine versions in a folder, and the programs that run them.
//!
//! Each version has a folder of its own, `ROOT/NAME@VERSION`. It is built under another name and renamed when it
//! is complete, so that an installation that failed midway is never run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::description::{EngineVersion, Install};
use super::folder::EngineFolder;
use super::{Limits, Process};

/// The limits of an engine that a folder describes. A browser or a virtual machine takes several seconds to start.
const LIMITS: Limits = Limits { hello: Duration::from_secs(60), answer: Duration::from_secs(10) };

/// A program: a command with its folder and its environment.
#[derive(Debug, Default)]
pub struct Program {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The folder in which it runs; the current folder if there is none.
    pub folder: Option<PathBuf>,
    /// The variables of its environment that are set.
    pub environment: Vec<(&'static str, OsString)>,
    /// A folder that is removed when the program is dropped.
    _temporary: Option<TempDir>,
}

impl Program {
    /// Returns the program with `words` in the current folder.
    pub fn new(words: Vec<String>) -> Self {
        Self { words, ..Self::default() }
    }

    /// Returns the program that runs `before` with these words as its last arguments, in the same folder and environment. It must not
    /// run after this program is dropped.
    pub(super) fn after(&self, before: &[String]) -> Self {
        let words = before.iter().chain(&self.words).cloned().collect();
        Self { words, folder: self.folder.clone(), environment: self.environment.clone(), _temporary: None }
    }

    pub(super) fn command(&self) -> Option<Command> {
        let (program, arguments) = self.words.split_first()?;
        // A relative program is relative to the folder of the program, not to the current one.
        let inside = self.folder.as_ref().filter(|_| program.starts_with("./") || program.contains('/'));
        let program = inside.map_or_else(|| PathBuf::from(program), |folder| folder.join(program));
        let mut command = Command::new(program);
        command.args(arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Some(command)
    }
}

/// The folder with installed engines.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

impl Root {
    /// Returns the folder at `path`, which is created by the first installation.
    ///
    /// # Errors
    ///
    /// Returns an error if the current folder is needed and cannot be determined.
    pub fn new(path: &Path) -> std::io::Result<Self> {
        std::path::absolute(path).map(Self)
    }

    fn folder_of(&self, engine: &EngineFolder, version: &EngineVersion) -> PathBuf {
        self.0.join(engine.key(version))
    }

    /// Returns the engine if `version` is installed in this folder; `None` if it is not.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the version was installed with another shim.
    pub fn find(&self, engine: &EngineFolder, version: &EngineVersion) -> Option<Result<Process, String>> {
        let folder = self.folder_of(engine, version);
        if !folder.is_dir() {
            return None;
        }
        let key = engine.key(version);
        let shim = fs::read_to_string(shim_folder(&folder, version).join(&engine.shim)).unwrap_or_default();
        Some(match engine.shim_text() {
            Ok(text) if text == shim => Ok(process(engine, &key, run(engine, version, &folder))),
            Ok(_) => Err(format!("{key} was installed with another shim: install it again with --again")),
            Err(error) => Err(error.to_string()),
        })
    }

    /// Installs `version` in this folder, and calls `report` with each command before it runs.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the version cannot be installed, a tool is missing or a command fails. The folder of an
    /// earlier installation of the version is then unchanged.
    pub fn install(&self, engine: &EngineFolder, version: &EngineVersion, report: &dyn Fn(&str)) -> Result<(), String> {
        let key = engine.key(version);
        let failed = |error: std::io::Error| format!("{key}: {}: {error}", self.0.display());
        if let Some(why) = not_installed(version) {
            return Err(format!("{key} cannot be installed: {why}"));
        }
        fs::create_dir_all(&self.0).map_err(failed)?;
        let prefix = format!(".{key}-");
        let staging = tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.0).map_err(failed)?;
        let folder = staging.path().join("engine");
        fs::create_dir(&folder).map_err(failed)?;
        let steps = Steps { root: &self.0, folder: &folder, report };
        steps.install(engine, version).map_err(|why| format!("{key}: {why}"))?;
        let shim = engine.shim_text().map_err(|error| error.to_string())?;
        fs::write(shim_folder(&folder, version).join(&engine.shim), shim).map_err(failed)?;
        steps.build(engine, version).map_err(|why| format!("{key}: {why}"))?;
        let (target, old) = (self.folder_of(engine, version), staging.path().join("old"));
        if target.exists() {
            fs::rename(&target, &old).map_err(failed)?;
        }
        fs::rename(&folder, &target).map_err(failed)
    }
}

/// Returns why `version` is not installed by a command; `None` if it is.
pub fn not_installed(version: &EngineVersion) -> Option<String> {
    match &version.install {
        Install::System => Some("it is found on a machine that has this version of the language".to_owned()),
        Install::InProcess(name) => Some(format!("it is part of this program: {name}")),
        Install::Published(_) | Install::Unavailable(_) => Some(version.install.to_string()),
        _ => None,
    }
}

/// Returns the engine of the language that is installed on this machine, whichever version it has.
///
/// # Errors
///
/// Returns a sentence if the library is not part of the language's standard distribution, or if the shim cannot be
/// prepared.
pub fn on_this_machine(engine: &EngineFolder, version: &EngineVersion) -> Result<Process, String> {
    if !engine.description.system && version.install != Install::System {
        return Err(format!("{} is not part of the standard distribution of its language", engine.name));
    }
    let failed = |error: std::io::Error| format!("{}: a temporary folder: {error}", engine.name);
    let temporary = tempfile::Builder::new().prefix("urlstrata-").tempdir().map_err(failed)?;
    let folder = temporary.path().to_owned();
    let shim = engine.shim_text().map_err(|error| error.to_string())?;
    fs::write(folder.join(&engine.shim), shim).map_err(failed)?;
    let own = EngineVersion { install: Install::System, command: None, build: None, ..version.clone() };
    Steps { root: &folder, folder: &folder, report: &|_| () }.build(engine, &own)?;
    Ok(process(engine, &engine.name, Program { _temporary: Some(temporary), ..run(engine, &own, &folder) }))
}

fn process(engine: &EngineFolder, key: &str, program: Program) -> Process {
    Process::of(key, program).called(&engine.name).within(LIMITS)
}

/// Returns the folder of the shim in the installation `folder`.
fn shim_folder(folder: &Path, version: &EngineVersion) -> PathBuf {
    match version.install {
        Install::Debian { .. } => folder.join(DEBIAN),
        _ => folder.to_owned(),
    }
}

/// Returns the program that runs `version`, which is installed in `folder`.
fn run(engine: &EngineFolder, version: &EngineVersion, folder: &Path) -> Program {
    within(engine.command(version), version, folder)
}

/// Returns the program with `words`, in the environment of `version` that is installed in `folder`.
fn within(words: Vec<String>, version: &EngineVersion, folder: &Path) -> Program {
    if let Install::Debian { .. } = version.install {
        let root = folder.join(DEBIAN).to_string_lossy().into_owned();
        let head = ["unshare", "--map-root-user", "--mount", "sh", "-c", CHROOT].map(str::to_owned);
        return Program::new(head.into_iter().chain([root]).chain(words).collect());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = [folder.join("node_modules/.bin"), folder.join("lib/bin")];
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path))).unwrap_or(path.clone());
    let environment = vec![
        ("PATH", path),
        ("PYTHONPATH", folder.join("lib").into()),
        ("PYTHONDONTWRITEBYTECODE", "1".into()),
        ("HOME", folder.into()),
    ];
    Program { words, folder: Some(folder.to_owned()), environment, _temporary: None }
}

/// The folder with the files of Debian packages in an installation.
const DEBIAN: &str = "root";

/// Runs the arguments in the folder `$0` as the root of the file system.
///
/// Where the files of the system's resolver were replaced, those in the folder are, too.
const CHROOT: &str = "mount --rbind /proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && \
    for f in resolv.conf hosts nsswitch.conf; do \
        [ -z \"$URLSTRATA_OBSERVED\" ] || { : >>\"$0/etc/$f\"; mount --bind \"/etc/$f\" \"$0/etc/$f\"; }; done && \
    exec env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp LC_ALL=C.UTF-8 chroot \"$0\" \"$@\"";

/// The steps of an installation.
struct Steps<'a> {
    root: &'a Path,
    folder: &'a Path,
    report: &'a dyn Fn(&str),
}

impl Steps<'_> {
    fn install(&self, engine: &EngineFolder, version: &EngineVersion) -> Result<(), String> {
        let folder = self.folder.to_string_lossy().into_owned();
        let failed = |error: std::io::Error| format!("{folder}: {error}");
        match &version.install {
            Install::Pip(requirements) => {
                let options = ["-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check"];
                let target = format!("{folder}/lib");
                self.run("python3", options.into_iter().chain(["--target", &target]).chain(strs(requirements)), &[])
            }
            Install::Npm(packages) => {
                fs::write(self.folder.join("package.json"), "{\"private\":true}\n").map_err(failed)?;
                let cache = self.root.join(".npm").to_string_lossy().into_owned();
                let options =
                    ["install", "--silent", "--no-audit", "--no-fund", "--prefix", &folder, "--cache", &cache];
                self.run("npm", options.into_iter().chain(strs(packages)), &[])
            }
            Install::Cargo(dependencies) => {
                let manifest = format!(
                    "[package]\nname = \"engine\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
                     [[bin]]\nname = \"engine\"\npath = \"{}\"\n\n[dependencies]\n{}\n",
                    engine.shim,
                    dependencies.join("\n")
                );
                fs::write(self.folder.join("Cargo.toml"), manifest).map_err(failed)?;
                let shim = engine.shim_text().map_err(|error| error.to_string())?;
                fs::write(self.folder.join(&engine.shim), shim).map_err(failed)?;
                let manifest = format!("{folder}/Cargo.toml");
                let home = self.root.join(".cargo").into_os_string();
                let target = self.folder.join("target").into_os_string();
                let options = ["build", "--release", "--quiet", "--manifest-path", &manifest];
                self.run("cargo", options.into_iter(), &[("CARGO_HOME", home), ("CARGO_TARGET_DIR", target)])
            }
            Install::Debian { suite, packages } => self.debian(suite, packages),
            Install::System | Install::InProcess(_) | Install::Published(_) | Install::Unavailable(_) => Ok(()),
        }
    }

    fn build(&self, engine: &EngineFolder, version: &EngineVersion) -> Result<(), String> {
        for words in version.build.as_ref().unwrap_or(&engine.description.build) {
            let program = within(words.clone(), version, self.folder);
            (self.report)(&words.join(" "));
            let command = program.command().ok_or("a build command has no words")?;
            output(command, &words.join(" "))?;
        }
        Ok(())
    }

    /// Downloads Debian packages with their dependencies and extracts them. The scripts of the packages are not run.
    fn debian(&self, suite: &str, packages: &[String]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.root.display());
        let apt = self.root.join(format!(".apt-{suite}"));
        for folder in ["etc/apt.conf.d", "etc/preferences.d", "lists/partial", "cache/archives/partial", "state"] {
            fs::create_dir_all(apt.join(folder)).map_err(failed)?;
        }
        fs::write(apt.join("status"), "").map_err(failed)?;
        let source = format!("deb [signed-by={KEYRING}] {MIRROR} {suite} main\n");
        fs::write(apt.join("etc/sources.list"), source).map_err(failed)?;
        let at = |key: &str, path: &str| format!("{key}={}", apt.join(path).display());
        let settings = [
            at("Dir", ""),
            at("Dir::Etc", "etc"),
            at("Dir::Etc::sourcelist", "etc/sources.list"),
            "Dir::Etc::sourceparts=/dev/null".to_owned(),
            at("Dir::State", "state"),
            at("Dir::State::lists", "lists"),
            at("Dir::State::status", "status"),
            at("Dir::Cache", "cache"),
            "Dir::Bin::methods=/usr/lib/apt/methods".to_owned(),
            "APT::Install-Recommends=false".to_owned(),
            "APT::Sandbox::User=root".to_owned(),
            "Acquire::Languages=none".to_owned(),
            // Two installations of one suite take turns.
            "DPkg::Lock::Timeout=600".to_owned(),
        ];
        let options = || settings.iter().flat_map(|setting| ["-o", setting.as_str()]);
        let is_list = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().ends_with("_Packages");
        let lists = fs::read_dir(apt.join("lists")).map_err(failed)?.flatten();
        let has_lists = lists.into_iter().any(|entry| is_list(&entry));
        if !has_lists {
            self.run("apt-get", options().chain(["update", "--quiet=2"]), &[])?;
        }
        let planned =
            self.run_for("apt-get", options().chain(["install", "--simulate", "--quiet=2"]).chain(strs(packages)))?;
        let download = ["install", "--yes", "--download-only", "--quiet=2"];
        self.run("apt-get", options().chain(download).chain(strs(packages)), &[])?;
        let root = self.folder.join(DEBIAN);
        // Debian has one folder for all programs and one for all libraries, which older packages call by other names.
        for name in ["bin", "sbin", "lib", "lib64"] {
            fs::create_dir_all(root.join("usr").join(name)).map_err(failed)?;
            symlink(&format!("usr/{name}"), &root.join(name)).map_err(failed)?;
        }
        for name in ["proc", "dev", "tmp"] {
            fs::create_dir(root.join(name)).map_err(failed)?;
        }
        let root = root.to_string_lossy().into_owned();
        for archive in planned.lines().filter_map(archive_prefix) {
            let archive = archives(&apt, &archive).ok_or_else(|| format!("apt-get did not download {archive}"))?;
            self.run("dpkg-deb", ["--extract", &archive, &root].into_iter(), &[])?;
        }
        Ok(())
    }

    /// Runs a command.
    fn run<'b>(
        &self,
        program: &str,
        arguments: impl Iterator<Item = &'b str>,
        environment: &[(&str, OsString)],
    ) -> Result<(), String> {
        let mut command = Command::new(program);
        command.args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
        (self.report)(program);
        output(command, program).map(drop)
    }

    /// Runs a command and returns its standard output.
    fn run_for<'b>(&self, program: &str, arguments: impl Iterator<Item = &'b str>) -> Result<String, String> {
        let mut command = Command::new(program);
        command.args(arguments);
        (self.report)(program);
        output(command, program)
    }
}

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const MIRROR: &str = "http://deb.debian.org/debian";

fn strs(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str)
}

/// Returns the beginning of the file name of the package in a line that `apt-get install --simulate` prints, such as
/// `Inst libc6 (2.36-9 Debian:12/stable [amd64])`; `None` for another line.
pub fn archive_prefix(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("Inst ")?.split_once(" (")?;
    let version = rest.split(' ').next()?.replace(':', "%3a");
    let name = name.split([' ', ':']).next()?;
    Some(format!("{name}_{version}_"))
}

/// Returns the path of the downloaded archive whose file name begins with `prefix`.
fn archives(apt: &Path, prefix: &str) -> Option<String> {
    let entries = fs::read_dir(apt.join("cache/archives")).ok()?.flatten();
    let mut paths = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    paths.next().map(|entry| entry.path().to_string_lossy().into_owned())
}

/// Runs `command`, which is called `name` in errors, and returns its standard output.
fn output(mut command: Command, name: &str) -> Result<String, String> {
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("{name} cannot be run: {error}: install it first"))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&done.stderr);
    let lines: Vec<_> = errors.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(4)..].join(" | ");
    Err(format!("{name} failed, {}: {}", done.status, crate::escape::visible(&last)))
}

#[cfg(unix)]
fn symlink(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("Debian packages can only be installed on Linux"))
}
