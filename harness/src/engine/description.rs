//! What an `engine.toml` states: the library, its versions, how they are installed, and in what they deviate.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::yaml::FileError;

/// The content of an `engine.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The programming language.
    pub language: String,
    /// The name of the parser. Libraries that share a parser have the same lineage.
    pub lineage: String,
    /// The address of the project.
    #[serde(default)]
    pub homepage: String,
    /// The license as an SPDX expression.
    #[serde(default)]
    pub license: String,
    /// Other names by which the engine can be selected: those of its language, package or calls.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The call as a reader of the language would write it.
    pub native: String,
    /// The call that states the host of a URL, as a reader of the language would write it; empty if the library does not split
    /// URLs.
    #[serde(default)]
    pub states: String,
    /// The call that requests a URL, as a reader of the language would write it; empty if the library is not a client.
    #[serde(default)]
    pub connects: String,
    /// The specifications that the documentation claims to follow; empty if it claims nothing.
    #[serde(default)]
    pub follows: String,
    /// A sentence that a reader needs.
    #[serde(default)]
    pub note: String,
    /// The URL with which the shim joins each text, so that what the engine states about a relative reference is a statement about this URL; empty
    /// if there is none.
    #[serde(default)]
    pub own_base: String,
    /// The path of the shim, relative to the folder; empty if no version can be run.
    #[serde(default)]
    pub(super) shim: String,
    /// The command that runs the shim, in the folder of the installed version. `{version}` is replaced with the version.
    #[serde(default)]
    pub command: Vec<String>,
    /// Commands that are run once after an installation.
    #[serde(default)]
    pub build: Vec<Vec<String>>,
    /// Whether the library is part of the language's standard distribution, so that the command works without an
    /// installation wherever the language is installed.
    #[serde(default)]
    pub system: bool,
    /// As what the shim gives texts to the library, if it cannot give all of them.
    #[serde(default)]
    pub text: Option<Given>,
    /// The references of the smoke test for which the library deviates from all specifications.
    #[serde(default)]
    pub deviates: Vec<String>,
    /// The path of the panel of the recordings, relative to the folder, if the engine has a panel of its own: its results
    /// were published by others, who asked other pairs.
    #[serde(default)]
    pub panel: String,
    /// The platform on which the versions were recorded; empty if it is not known. It does not hold for versions that others
    /// recorded.
    #[serde(default)]
    pub(super) recorded_on: String,
    #[serde(rename = "version")]
    rows: Vec<Spanned<Row>>,
    #[serde(default, rename = "compared_with")]
    compared: Option<Spanned<String>>,
    #[serde(default, rename = "deviation")]
    tables: Vec<Spanned<toml::Table>>,
    #[serde(default, rename = "unstated")]
    unstated_tables: Vec<Spanned<toml::Table>>,
    /// The id of the specification from which the notable deviations deviate, with its line.
    #[serde(skip)]
    pub compared_with: Option<(usize, String)>,
    /// The notable deviations, each with its line. `knowledge::notable` reads them.
    #[serde(skip)]
    pub deviations: Vec<(usize, toml::Table)>,
    /// What the library does that no setting of its behaviour states, each with its line. `knowledge::notable` reads them.
    #[serde(skip)]
    pub unstated: Vec<(usize, toml::Table)>,
    /// The versions, newest first.
    #[serde(skip)]
    pub versions: Vec<EngineVersion>,
    /// The file that was read, for errors.
    #[serde(skip)]
    pub file: PathBuf,
}

/// As what texts are given to a library that does not take all of them.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Given {
    /// A string that ends at a NUL.
    #[serde(rename = "C string")]
    CString,
    /// The reference is an attribute of an element.
    #[serde(rename = "XML attribute")]
    XmlAttribute,
}

impl Given {
    /// Returns why a pair cannot be given to the library; `None` if it can.
    pub fn excludes(self, base: &str, reference: &str) -> Option<&'static str> {
        // XML has no control characters but tabs and ends of lines.
        let is_not_xml = |c| matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
        match self {
            Self::CString => (base.contains('\0') || reference.contains('\0')).then_some("NUL in a C string"),
            Self::XmlAttribute => reference.contains(is_not_xml).then_some("an XML attribute cannot contain it"),
        }
    }
}

/// A version of an engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EngineVersion {
    /// The version as the shim reports it.
    pub version: String,
    /// How it is installed.
    pub install: Install,
    /// The command, if it is not that of the engine.
    pub command: Option<Vec<String>>,
    /// The commands to run after an installation, if they are not those of the engine.
    pub build: Option<Vec<Vec<String>>>,
}

/// How a version is installed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Install {
    /// Requirements for `pip install --target`.
    Pip(Vec<String>),
    /// Packages for `npm install`.
    Npm(Vec<String>),
    /// Debian packages of a suite, extracted with their dependencies into a folder of their own.
    Debian {
        /// The suite, for example `bookworm`.
        suite: String,
        /// The names of the packages.
        packages: Vec<String>,
    },
    /// Dependencies of a Cargo package whose main file is the shim, as lines of `Cargo.toml`.
    Cargo(Vec<String>),
    /// The version is not installed, but found on a machine with this version of the language.
    System,
    /// The version is part of this program; this is the engine's name, for example `crate:url`.
    InProcess(String),
    /// The version was recorded by others; the text says by whom and when.
    Published(String),
    /// The version cannot be installed, for this reason.
    Unavailable(String),
}

impl fmt::Display for Install {
    /// Writes how the version is installed, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pip(requirements) => write!(f, "pip install {}", requirements.join(" ")),
            Self::Npm(packages) => write!(f, "npm install {}", packages.join(" ")),
            Self::Debian { suite, packages } => write!(f, "Debian {suite}: {}", packages.join(" ")),
            Self::Cargo(dependencies) => write!(f, "Cargo: {}", dependencies.join(", ")),
            Self::System => f.write_str("part of the language"),
            Self::InProcess(name) => write!(f, "part of this program: {name}"),
            Self::Published(by) => write!(f, "recorded by others: {by}"),
            Self::Unavailable(why) => write!(f, "not to be had: {why}"),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    version: String,
    pip: Option<Vec<String>>,
    npm: Option<Vec<String>>,
    debian: Option<Vec<String>>,
    suite: Option<String>,
    cargo: Option<Vec<String>>,
    #[serde(default)]
    system: bool,
    in_process: Option<String>,
    published: Option<String>,
    unavailable: Option<String>,
    command: Option<Vec<String>>,
    build: Option<Vec<Vec<String>>>,
}

impl Row {
    /// Returns the version.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the version is not a plain name or does not have exactly one way to install it.
    fn version(self) -> Result<EngineVersion, String> {
        let version = self.version;
        if !is_version(&version) {
            return Err(format!(
                "the version {version:?} is not a name of letters, digits, `.`, `_`, `-`, `+` and `~`"
            ));
        }
        let debian = match (self.debian, self.suite) {
            (Some(packages), Some(suite)) => Some(Install::Debian { suite, packages }),
            (None, None) => None,
            (Some(_), None) => return Err(format!("{version}: `debian` needs a `suite`, such as \"bookworm\"")),
            (None, Some(_)) => return Err(format!("{version}: `suite` without `debian`")),
        };
        let ways = [
            self.pip.map(Install::Pip),
            self.npm.map(Install::Npm),
            debian,
            self.cargo.map(Install::Cargo),
            self.system.then_some(Install::System),
            self.in_process.map(Install::InProcess),
            self.published.map(Install::Published),
            self.unavailable.map(Install::Unavailable),
        ];
        let mut ways = ways.into_iter().flatten();
        match (ways.next(), ways.next()) {
            (Some(install), None) => Ok(EngineVersion { version, install, command: self.command, build: self.build }),
            _ => Err(format!(
                "{version} needs exactly one of `pip`, `npm`, `debian`, `cargo`, `system`, `in_process`, `published` and `unavailable`"
            )),
        }
    }
}

impl Description {
    /// Parses `text` as the `engine.toml` at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the text is not valid TOML, a key is unknown or missing, or a version is not
    /// valid or listed twice.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let mut read: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map(|span| line(span.start));
            FileError::new(path, at, error.message().trim_end())
        })?;
        read.file = path.to_owned();
        read.compared_with = read.compared.take().map(|id| (line(id.span().start), id.into_inner()));
        let with_lines = |tables: Vec<Spanned<toml::Table>>| -> Vec<_> {
            tables.into_iter().map(|table| (line(table.span().start), table.into_inner())).collect()
        };
        read.deviations = with_lines(std::mem::take(&mut read.tables));
        read.unstated = with_lines(std::mem::take(&mut read.unstated_tables));
        for row in std::mem::take(&mut read.rows) {
            let at = Some(line(row.span().start));
            let version = row.into_inner().version().map_err(|sentence| FileError::new(path, at, sentence))?;
            if read.versions.iter().any(|own| own.version == version.version) {
                return Err(FileError::new(path, at, format!("duplicate version {:?}", version.version)));
            }
            read.versions.push(version);
        }
        let is_run = |install: &Install| {
            !matches!(install, Install::InProcess(_) | Install::Published(_) | Install::Unavailable(_))
        };
        if read.versions.iter().any(|version| is_run(&version.install)) {
            let missing = [("shim", read.shim.is_empty()), ("command", read.command.is_empty())];
            if let Some((key, _)) = missing.into_iter().find(|(_, is_missing)| *is_missing) {
                return Err(FileError::new(path, None, format!("missing key `{key}`: some versions can be run")));
            }
        }
        Ok(read)
    }
}

/// Returns whether `text` can be the name of a version.
pub(super) fn is_version(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '~');
    !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('.')
}
