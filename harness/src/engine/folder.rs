//! Engines as folders: `harness/engines/NAME` contains `engine.toml`, a shim and the recordings of each version. The
//! folder is the registration.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use urlstrata_engines::Entry;

use super::description::{Description, EngineVersion, Install, is_version};
use super::panel::Panel;
use super::recording::Recording;
use super::rows::{self, Relation, Written};
use super::statement::{StatementFile, Statements, UrlPanel};
use super::use_order::place;
use crate::protocol::Op;

use super::stored::StoredFile;
use crate::yaml::FileError;

/// The name of the file that describes an engine.
pub const DESCRIPTION: &str = "engine.toml";

/// The name of the file with the pairs that the recordings of most engines answer.
pub const PANEL: &str = "panel.tsv";

/// The default location of the folders in the repository.
pub const FOLDERS: &str = "harness/engines";

/// Returns a file, whose path is relative to the folders.
type Find<'a> = &'a dyn Fn(&Path) -> Result<StoredFile, FileError>;

/// An engine that is described by a folder.
#[derive(Clone, Debug)]
pub struct EngineFolder {
    /// The name of the engine, which is the name of its folder.
    pub name: String,
    /// What `engine.toml` states.
    pub description: Description,
    /// The file name of the shim.
    pub shim: String,
    /// The file of the shim, if a version can be run.
    shim_file: Option<StoredFile>,
    /// The recording of each version that is recorded.
    pub recordings: BTreeMap<String, StoredFile>,
    /// The behaviour of each version that has one.
    pub behaviours: BTreeMap<String, StoredFile>,
    /// The pairs that the recordings answer.
    pub panel: Panel,
    /// The answers of each version about URLs, by the question.
    statements: BTreeMap<Op, BTreeMap<String, StoredFile>>,
    /// The panels of these answers.
    pub panels: UrlPanels,
}

/// The URLs about which engines are asked.
#[derive(Clone, Debug, Default)]
pub struct UrlPanels {
    /// The URLs that libraries split, and that clients request.
    pub urls: UrlPanel,
    /// The redirects that clients follow.
    pub redirects: UrlPanel,
}

impl UrlPanels {
    /// Returns the URLs about which `op` asks.
    pub fn of(&self, op: Op) -> &UrlPanel {
        if op == Op::Follow { &self.redirects } else { &self.urls }
    }
}

impl EngineFolder {
    /// Creates an engine from the files of its folder.
    ///
    /// `names` are the names of the files. `panel` is the panel of an engine without a panel of its own.
    fn of(
        root: &Path,
        name: &str,
        names: &[String],
        (panel, panels): (&Panel, &UrlPanels),
        find: Find<'_>,
    ) -> Result<Self, FileError> {
        let folder = Path::new(name);
        let path = folder.join(DESCRIPTION);
        let description = Description::parse(&root.join(&path), &find(&path)?.text()?)?;
        let shim = normal(&folder.join(&description.shim));
        let (shim, shim_file) = match (description.shim.is_empty(), shim.file_name()) {
            (false, Some(file)) => (file.to_string_lossy().into_owned(), Some(find(&shim)?)),
            _ => (String::new(), None),
        };
        let panel = match description.panel.as_str() {
            "" => panel.clone(),
            own => Panel::open(&find(&normal(&folder.join(own)))?)?,
        };
        let with = |suffix: &str| -> Result<BTreeMap<String, StoredFile>, FileError> {
            let versions = names.iter().filter_map(|name| name.strip_suffix(suffix));
            versions
                .map(|version| Ok((version.to_owned(), find(&folder.join(format!("{version}{suffix}")))?)))
                .collect()
        };
        let (recordings, behaviours) = (with(RECORDING)?, with(BEHAVIOUR)?);
        let mut statements = BTreeMap::new();
        for (op, suffix) in STATEMENTS {
            statements.insert(op, with(suffix)?);
        }
        let stated = STATEMENTS.into_iter().map(|(op, suffix)| (&statements[&op], suffix));
        for (versions, suffix) in [(&recordings, RECORDING), (&behaviours, BEHAVIOUR)].into_iter().chain(stated) {
            let is_listed = |version: &&String| description.versions.iter().any(|own| own.version == **version);
            if let Some(version) = versions.keys().find(|version| !is_listed(version)) {
                let path = root.join(folder.join(format!("{version}{suffix}")));
                return Err(FileError::new(&path, None, format!("unused: {DESCRIPTION} has no version {version:?}")));
            }
        }
        let (name, panels) = (name.to_owned(), panels.clone());
        Ok(Self { name, description, shim, shim_file, recordings, behaviours, panel, statements, panels })
    }

    /// Reads the engine called `name` in the folder `root`. `panels` are the panel of an engine without a panel of its own, and
    /// the URLs that libraries are asked to split.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or is not valid.
    pub fn read(root: &Path, name: &str, panels: (&Panel, &UrlPanels)) -> Result<Self, FileError> {
        let folder = root.join(name);
        let files =
            list(&folder)?.into_iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        Self::of(root, name, &files.collect::<Vec<_>>(), panels, &|path| on_disk(root, path))
    }

    /// Returns the version called `version`; without a name, the newest version that is recorded or can be installed.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the available versions if the version does not exist.
    pub fn version(&self, version: Option<&str>) -> Result<&EngineVersion, String> {
        let versions = &self.description.versions;
        let found = match version {
            Some(version) => versions.iter().find(|own| own.version == version),
            None => {
                let recorded = versions.iter().find(|own| self.is_recorded(&own.version));
                let available = |own: &&EngineVersion| !matches!(own.install, Install::Unavailable(_));
                recorded.or_else(|| versions.iter().find(available))
            }
        };
        found.ok_or_else(|| {
            let names: Vec<_> = versions.iter().map(|own| own.version.as_str()).collect();
            match (version, versions.first()) {
                (None, Some(EngineVersion { version, install: Install::Unavailable(why), .. })) => {
                    format!("{}@{version} cannot be recorded or installed: {why}", self.name)
                }
                _ => {
                    format!("{} has no version {:?}: there are {}", self.name, version.unwrap_or("*"), names.join(", "))
                }
            }
        })
    }

    /// Returns a version that is not listed, and that a registry may have: it is installed as a listed one is, with its own number. `None`
    /// if no version is installed from a registry, or `version` is not a plain name, or the word `all`, which means the listed ones.
    pub fn unlisted(&self, version: &str) -> Option<EngineVersion> {
        let of_listed = |own: &EngineVersion| {
            let with_number = |requirements: &[String]| -> Option<Vec<String>> {
                let all: Vec<_> = requirements.iter().map(|it| it.replace(&own.version, version)).collect();
                (all != requirements).then_some(all)
            };
            let install = match &own.install {
                Install::Pip(requirements) => Install::Pip(with_number(requirements)?),
                Install::Npm(packages) => Install::Npm(with_number(packages)?),
                Install::Cargo(dependencies) => Install::Cargo(with_number(dependencies)?),
                _ => return None,
            };
            Some(EngineVersion { version: version.to_owned(), install, ..own.clone() })
        };
        let is_listed = self.description.versions.iter().any(|own| own.version == version);
        let mut versions =
            self.description.versions.iter().filter(|_| is_version(version) && version != "all" && !is_listed);
        versions.find_map(of_listed)
    }

    /// Returns the platform on which `version` was recorded, and who built it if that is not its own project; `None` if it is not
    /// known, or if the version is not recorded.
    pub fn recorded_on(&self, version: &EngineVersion) -> Option<String> {
        let platform = &self.description.recorded_on;
        let is_known = !platform.is_empty() && self.is_recorded(&version.version);
        match &version.install {
            Install::Published(_) => None,
            Install::Debian { suite, .. } => is_known.then(|| format!("{platform}, Debian {suite}")),
            _ => is_known.then(|| platform.clone()),
        }
    }

    /// Returns the text of the shim; empty if no version can be run.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn shim_text(&self) -> Result<String, FileError> {
        self.shim_file.as_ref().map_or(Ok(String::new()), StoredFile::text)
    }

    /// Returns the recording of the version called `version`; `None` if it is not recorded.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not valid, or refers to a version that is not recorded.
    pub fn recording(&self, version: &str) -> Result<Option<Recording>, FileError> {
        let Some(file) = self.recordings.get(version) else { return Ok(None) };
        Recording::open(file, &self.recordings, &self.panel).map(Some)
    }

    /// Returns the text of the file of `recording` in this folder, as `engine record` writes it: all of its lines, or how it differs from
    /// the recording of another version.
    pub fn recording_text(&self, recording: &Recording) -> String {
        let version = &recording.head.version;
        let read = |other: &str| self.recording(other).ok().flatten();
        recording.shortest(&rows::others(version, self.names_of_versions(), &self.recordings, read))
    }

    /// Returns the texts of the files that change if `recording` is written, each with its version: its own, as [`Self::recording_text`], and
    /// those of versions whose recordings refer to the former one.
    pub fn recording_texts(&self, recording: &Recording) -> Vec<(String, String)> {
        let read = |other: &str| {
            let mut read = self.recording(other).ok().flatten()?;
            read.head.relation = None;
            Some(read)
        };
        let text = self.recording_text(recording);
        rows::texts((&recording.head.version, recording, text), &self.recordings, read)
    }

    /// Returns the same for the answers of `version` to `op`.
    pub fn statements_texts(&self, op: Op, version: &str, statements: &Statements) -> Vec<(String, String)> {
        let read = |other: &str| self.statements(op, other)?.read(self.panels.of(op)).ok().cloned();
        let text = self.statements_text(op, version, statements);
        rows::texts((version, statements, text), &self.statements[&op], read)
    }

    /// Returns the text of the file with the answers of `version` to `op`, as [`Self::recording_text`].
    pub fn statements_text(&self, op: Op, version: &str, statements: &Statements) -> String {
        let read = |other: &str| self.statements(op, other)?.read(self.panels.of(op)).ok().cloned();
        statements.shortest(&rows::others(version, self.names_of_versions(), &self.statements[&op], read))
    }

    /// Returns the names of the versions, newest first.
    fn names_of_versions(&self) -> impl Iterator<Item = &str> {
        self.description.versions.iter().map(|own| own.version.as_str())
    }

    /// Returns whether the engine resolves references: results of a version are recorded.
    pub fn resolves(&self) -> bool {
        !self.recordings.is_empty()
    }

    /// Returns whether results or statements of the version called `version` are recorded.
    pub fn is_recorded(&self, version: &str) -> bool {
        self.recordings.contains_key(version) || self.statements.values().any(|files| files.contains_key(version))
    }

    /// Returns the recorded answers to `op` of the version called `version`; `None` if these are not recorded.
    pub fn statements(&self, op: Op, version: &str) -> Option<StatementFile> {
        let files = self.statements.get(&op)?;
        Some(StatementFile::new(op, files.get(version)?.clone(), files.clone()))
    }

    /// Returns whether the engine has a panel of its own: others recorded it, on other pairs.
    pub fn has_own_panel(&self) -> bool {
        !self.description.panel.is_empty()
    }

    /// Returns the version whose recording and behaviour `version` has: itself, or the version to whose recording its own
    /// refers.
    ///
    /// # Errors
    ///
    /// Returns an error if the recording cannot be read.
    pub fn recorded_as(&self, version: &str) -> Result<String, FileError> {
        let head = self.recordings.get(version).map(rows::head).transpose()?;
        Ok(match head.as_deref().and_then(Relation::of) {
            Some(Relation::Same(other)) => other,
            _ => version.to_owned(),
        })
    }

    /// Returns the command that runs `version`, with `{version}` replaced.
    pub fn command(&self, version: &EngineVersion) -> Vec<String> {
        let command = version.command.as_ref().unwrap_or(&self.description.command);
        command.iter().map(|word| word.replace("{version}", &version.version)).collect()
    }

    /// Returns the key of `version`: `NAME@VERSION`.
    pub fn key(&self, version: &EngineVersion) -> String {
        format!("{}@{}", self.name, version.version)
    }
}

/// The end of the name of a recording, after the version.
pub const RECORDING: &str = ".txt";

/// The end of the name of a behaviour, after the version.
pub const BEHAVIOUR: &str = ".behaviour.yaml";

/// The questions about URLs, and the end of the name of a recording of their answers, after the version.
pub const STATEMENTS: [(Op, &str); 3] =
    [(Op::Parse, ".states.tsv"), (Op::Connect, ".connects.tsv"), (Op::Follow, ".follows.tsv")];

/// The name of the file with the redirects that clients follow.
pub const REDIRECTS: &str = "redirects.txt";

/// The name of the file with the URLs that libraries are asked to split.
pub const URLS: &str = "urls.txt";

/// Returns whether `path` is the name of a file with a behaviour.
pub fn is_behaviour(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(BEHAVIOUR))
}

/// All engines that are described by folders, and the panel of the recordings of most of them.
#[derive(Clone, Debug)]
pub struct EngineFolders {
    /// The engines by name.
    pub engines: Vec<EngineFolder>,
    /// The pairs that the recordings of engines without a panel of their own answer.
    pub panel: Panel,
    /// The URLs about which engines are asked.
    pub panels: UrlPanels,
}

impl EngineFolders {
    /// Returns the folders that are embedded in the program. There are none without the feature `recordings`.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is not valid. Tests verify that all of them are valid.
    pub fn embedded() -> Result<Self, FileError> {
        let entries: BTreeMap<&str, &'static Entry> = Entry::all().iter().map(|entry| (entry.path, entry)).collect();
        let root = Path::new(FOLDERS);
        let find = |path: &Path| {
            let entry = entries.get(path.to_string_lossy().replace('\\', "/").as_str());
            let path = root.join(path);
            match entry {
                Some(entry) => Ok(StoredFile::embedded(path, entry)),
                None => Err(FileError::new(&path, None, "no such file")),
            }
        };
        let names = entries.keys().map(|path| (*path).to_owned()).collect();
        Self::of(root, names, &find)
    }

    /// Reads the folders in `root`.
    ///
    /// # Errors
    ///
    /// Returns an error if `root` is not a folder, does not contain engines, or if a file cannot be read or is not valid.
    pub fn read(root: &Path) -> Result<Self, FileError> {
        let mut names = Vec::new();
        for path in list(root)? {
            let files = if path.is_dir() { list(&path)? } else { vec![path] };
            let relative = files.iter().filter_map(|file| file.strip_prefix(root).ok());
            names.extend(relative.map(|path| path.to_string_lossy().replace('\\', "/")));
        }
        let read = Self::of(root, names, &|path| on_disk(root, path))?;
        if read.engines.is_empty() {
            return Err(FileError::new(root, None, format!("no folder in it has a file {DESCRIPTION}")));
        }
        Ok(read)
    }

    fn of(root: &Path, names: Vec<String>, find: Find<'_>) -> Result<Self, FileError> {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in &names {
            if let Some((folder, file)) = path.split_once('/') {
                folders.entry(folder.to_owned()).or_default().push(file.to_owned());
            }
        }
        let is_hidden = |name: &str| name.starts_with('.');
        folders.retain(|name, files| !is_hidden(name) && files.iter().any(|file| is_of_engine(file)));
        let panel = match names.iter().any(|name| name == PANEL) {
            true => Panel::open(&find(Path::new(PANEL))?)?,
            false => Panel::default(),
        };
        let urls = |file: &str| match names.iter().any(|name| name == file) {
            true => UrlPanel::open(&find(Path::new(file))?),
            false => Ok(UrlPanel::default()),
        };
        let panels = UrlPanels { urls: urls(URLS)?, redirects: urls(REDIRECTS)? };
        let engines = folders.iter().map(|(name, files)| EngineFolder::of(root, name, files, (&panel, &panels), find));
        Ok(Self { engines: engines.collect::<Result<_, _>>()?, panel, panels })
    }

    /// Returns the engine and the version that `name` selects, `NAME` or `NAME@VERSION`; `None` if no engine has the
    /// name. NAME can be an alias.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the engine does not have the version.
    pub fn select(&self, name: &str) -> Result<Option<(&EngineFolder, &EngineVersion)>, String> {
        let (name, version) = name.split_once('@').map_or((name, None), |(name, version)| (name, Some(version)));
        let Some(engine) = self.named(name) else { return Ok(None) };
        Ok(Some((engine, engine.version(version)?)))
    }

    /// Returns the engine called `name`, or the one that has this alias, in any case.
    pub fn named(&self, name: &str) -> Option<&EngineFolder> {
        let is_alias = |own: &String| own.eq_ignore_ascii_case(name);
        let own = self.engines.iter().find(|engine| engine.name == name);
        own.or_else(|| self.engines.iter().find(|engine| engine.description.aliases.iter().any(is_alias)))
    }

    /// Returns up to three names of engines, or their aliases, that are written most like `name`, the nearest one first. An engine has one
    /// name. Names that need more changes than half of the letters, or two thirds of those of a short name, are left out.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        const SHOWN: usize = 3;
        let name = name.to_ascii_lowercase();
        let most = if name.len() > 8 { name.len() / 2 } else { (name.len() * 2 / 3).max(2) };
        let distance = |other: &str| {
            let other = other.to_ascii_lowercase();
            let is_part = name.len() > 2 && other.contains(&name) || other.len() > 2 && name.contains(&other);
            let count = strsim::damerau_levenshtein(&name, &other);
            // One name may be a part of the other one, however long that is.
            if is_part { count.min(2) } else { count }
        };
        let nearest_of = |engine: &EngineFolder| {
            let names = [&engine.name].into_iter().chain(&engine.description.aliases);
            let count = names.map(|own| distance(own)).min().filter(|count| *count <= most)?;
            Some((count, place(&engine.name)))
        };
        let mut near: Vec<_> = self.engines.iter().filter_map(|own| Some((nearest_of(own)?, own))).collect();
        near.sort_by_key(|(key, own)| (*key, own.name.as_str()));
        let mut names = Vec::new();
        for (_, engine) in near.into_iter().take(SHOWN) {
            let all = [&engine.name].into_iter().chain(&engine.description.aliases).map(String::as_str);
            names.extend(all.min_by_key(|own| distance(own)));
        }
        names
    }
}

/// Returns whether a file with this name is one of an engine: its description, a recording or a behaviour.
fn is_of_engine(file: &str) -> bool {
    let mut endings = STATEMENTS.into_iter().map(|(_, suffix)| suffix).chain([RECORDING, BEHAVIOUR]);
    file == DESCRIPTION || endings.any(|suffix| file.ends_with(suffix))
}

/// Returns the file at `path`, which is relative to `root`.
fn on_disk(root: &Path, path: &Path) -> Result<StoredFile, FileError> {
    let path = root.join(path);
    match path.is_file() {
        true => Ok(StoredFile::on_disk(path)),
        false => Err(FileError::new(&path, None, "no such file")),
    }
}

/// Returns the paths of the entries of `folder` in the order of their names.
fn list(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = fs::read_dir(folder).map_err(|error| FileError::new(folder, None, error.to_string()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Removes `FOLDER/..` from a relative path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}
