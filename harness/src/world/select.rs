//! Engines by name.

use std::fmt;

use urlstrata_steps::compare_versions;

use crate::engine::description::Install;
use crate::engine::{self, Engine};
use crate::knowledge::stepped::Stepped;
use crate::names::revision_named;
use crate::yaml::FileError;

use super::World;

/// The prefix of the name of an engine whose behaviour predicts every outcome.
const PREDICTED: &str = "predicted:";

/// The prefix of the name of an engine whose recording is used even if the engine is in this process or installed.
const RECORDED: &str = "recorded:";

/// What can precede the name of an engine folder. The third one selects an installed engine.
const PREFIXES: [&str; 3] = [PREDICTED, RECORDED, "live:"];

/// The reason why there is no engine for a name.
#[derive(Debug)]
pub enum SelectError {
    /// No engine has the name, or the engine is not recorded. The sentence says what exists.
    Name(String),
    /// A file of an engine folder is not valid.
    File(FileError),
}

impl From<FileError> for SelectError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(sentence) => f.write_str(sentence),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl World {
    /// Returns the engine called `name`: an engine in this process, a recorded version of an engine folder, what a
    /// behaviour predicts, or, if `name` is that of a specification, its reference implementation. Installed engines and programs are not selected.
    ///
    /// # Errors
    ///
    /// Returns an error if no engine has the name, or if a file of its folder is not valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_harness::world::World;
    ///
    /// let world = World::embedded().unwrap();
    /// assert_eq!(world.engine("crate:url").unwrap().name(), "crate:url");
    /// assert!(world.engine("crate:urls").err().unwrap().to_string().starts_with("no engine is called"));
    /// ```
    pub fn engine(&self, name: &str) -> Result<Box<dyn Engine>, SelectError> {
        // The name of a folder and an alias have no single colon, so nothing of the folders is read for an engine in this process.
        let may_be_alias = !name.contains(':') || name.contains("::") || PREFIXES.iter().any(|it| name.starts_with(it));
        if may_be_alias && let Some(own) = self.unaliased(name)? {
            return self.engine(&own);
        }
        if let Some(predicted) = name.strip_prefix(PREDICTED) {
            return self.predicted(predicted);
        }
        let recorded_only = name.strip_prefix(RECORDED);
        if recorded_only.is_none() && name.contains(':') && !name.contains("::") {
            return engine::by_name(name).map_err(SelectError::Name);
        }
        let is_changed_state = name.split_once('+').is_some_and(|(state, _)| revision_named(state).is_some());
        if recorded_only.is_none() && is_changed_state {
            return engine::by_name(name).map_err(SelectError::Name);
        }
        if let (None, Some(steps)) = (recorded_only, self.unlisted_steps(name)?) {
            return Ok(self.engine_by_steps(steps)?);
        }
        let selected = self.folders()?.select(recorded_only.unwrap_or(name)).map_err(SelectError::Name)?;
        let Some((folder, version)) = selected else {
            if let (None, Some(revision)) = (recorded_only, revision_named(name)) {
                return engine::by_name(&format!("ref:{}", revision.id)).map_err(SelectError::Name);
            }
            return Err(SelectError::Name(self.unknown(recorded_only.unwrap_or(name))?));
        };
        if let (None, Install::InProcess(own)) = (recorded_only, &version.install) {
            return engine::by_name(own).map_err(SelectError::Name);
        }
        let key = folder.key(version);
        let remedy = format!("{key} is neither recorded nor installed: urlstrata engine install {key} --root DIR");
        let recorded = self.recorded(folder, version)?;
        recorded.map(|engine| Box::new(engine) as Box<dyn Engine>).ok_or(SelectError::Name(remedy))
    }

    /// Returns the engine that answers by `steps`.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine folders cannot be read.
    pub fn engine_by_steps(&self, steps: Stepped) -> Result<Box<dyn Engine>, FileError> {
        let engine = steps.engine();
        let folder = self.folders()?.engines.iter().find(|folder| folder.name == engine.name());
        let text = folder.and_then(|folder| folder.description.text);
        Ok(Box::new(engine.given(text)))
    }

    /// Returns a sentence about a name that no engine has: the names that are written almost like it.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine folders cannot be read.
    pub fn unknown(&self, name: &str) -> Result<String, FileError> {
        let (name, _) = name.split_once('@').unwrap_or((name, ""));
        let all = "`urlstrata engine list` shows the engines";
        Ok(match self.folders()?.nearest(name).as_slice() {
            [] => format!("no engine is called {name:?}: {all}, and cmd:COMMAND is a program"),
            near => format!("no engine is called {name:?}: is it {}? {all}", near.join(" or ")),
        })
    }

    /// Returns the name of the engine if `name`, which can have a prefix such as `live:` and a version, contains an alias; `None` if it does not.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine folders cannot be read.
    pub fn unaliased(&self, name: &str) -> Result<Option<String>, FileError> {
        let (prefix, own) = match name.rsplit_once(':') {
            Some((before, _)) if name.contains("::") => {
                let first = before.split(':').next().unwrap_or_default();
                let is_prefix = PREFIXES.contains(&format!("{first}:").as_str());
                name.split_at(if is_prefix { first.len() + 1 } else { 0 })
            }
            Some((before, own)) => (&name[..=before.len()], own),
            None => ("", name),
        };
        if !prefix.is_empty() && !PREFIXES.contains(&prefix) {
            return Ok(None);
        }
        let (own, version) = own.split_at(own.find('@').unwrap_or(own.len()));
        let folder = self.folders()?.named(own).filter(|folder| folder.name != own);
        Ok(folder.map(|folder| format!("{prefix}{}{version}", folder.name)))
    }

    /// Returns the steps of NAME@VERSION if the engine has a table of steps, and its folder does not list the version, or lists it as one that
    /// is neither recorded nor can be installed. NAME alone is the first such version if the folder lists no other ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine folders cannot be read, or if the table does not describe the version.
    pub fn unlisted_steps(&self, name: &str) -> Result<Option<Stepped>, SelectError> {
        let (engine, version) = name.split_once('@').map_or((name, None), |(engine, version)| (engine, Some(version)));
        let folder = self.folders()?.engines.iter().find(|folder| folder.name == engine);
        let versions =
            folder.into_iter().flat_map(|folder| folder.description.versions.iter().map(move |own| (folder, own)));
        let mut obtained = versions.clone().filter(|(folder, own)| {
            !matches!(own.install, Install::Unavailable(_)) || folder.is_recorded(&own.version)
        });
        let version = match version {
            Some(version) if obtained.any(|(_, own)| own.version == version) => return Ok(None),
            Some(version) => version,
            None if obtained.next().is_some() => return Ok(None),
            None => match versions.clone().next() {
                Some((_, own)) => own.version.as_str(),
                None => return Ok(None),
            },
        };
        let is_version = version.starts_with(|it: char| it.is_ascii_digit());
        let Some(table) = urlstrata_engines::table(engine).filter(|_| is_version) else { return Ok(None) };
        let listed = folder.into_iter().flat_map(|folder| &folder.description.versions).map(|own| own.version.as_str());
        let changed = table.changes.iter().flat_map(|change| change.versions).copied();
        let newest = listed.chain(changed).max_by(|one, other| compare_versions(one, other)).unwrap_or(table.first);
        let steps = Stepped::of(engine, version).filter(|_| compare_versions(version, newest).is_le());
        steps.map(Some).ok_or_else(|| {
            let first = table.first;
            let installed = match folder.and_then(|folder| folder.unlisted(version)) {
                Some(_) => format!("; if it exists, urlstrata engine install {name} --root FOLDER installs it"),
                None => String::new(),
            };
            SelectError::Name(format!(
                "{engine}@{version} is not known: the steps of {engine} are those of {first} to {newest}{installed}"
            ))
        })
    }
}
