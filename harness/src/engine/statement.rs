//! What libraries state about URLs: the URLs that are asked, and recordings of the answers.
//!
//! A recording begins with four lines, and has a line for each URL:
//!
//! ```text
//! engine urllib 3.14.10
//! urls 4000 0123456789abcdef
//! states 0123456789abcdef
//! parts scheme user password host port path query fragment authority
//! =
//! =   =   \N   a.example   =   =   \N   \N   =
//! !failure
//! ```
//!
//! A recording of where clients connect, or where they go after a redirect, has the name of the operation at the end of the first line:
//! `engine curl 8.23.0 connect`. Its components are the parts of what was observed.
//!
//! The values of a line are separated by tabs and in the order of the names on the fourth line. A value is text, escaped as in
//! JSON; `\N` if the library states that the component is absent; `\-` if it states nothing; or `=` if the value is that of
//! RFC 3986. A line that has only such values is a single `=`. Text that begins with `=`, `!` or `"` follows a `"`. The recording
//! of a version whose answers are those of another version has the fourth line `same as VERSION`, and no further one. If the fourth line
//! ends with `^VERSION`, a line `^` is replaced with the line of that version, whose recording is complete.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use urlstrata::revision::{Parts, rfc3986};

use super::recording::{digest, escape, unescape};
use super::rows::{HEAD, LIKE, Resolved, Rows, SAME, Written, divided};
use super::stored::StoredFile;
use super::{Components, Outcome};
use crate::protocol::Op;
use crate::yaml::FileError;

/// The URLs that engines are asked to split, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct UrlPanel(Arc<Urls>);

/// Returns a redirect as one text, as a [`UrlPanel`] contains it: the URL that is requested first, a tab, and the field `Location` of its
/// response. `base` must not contain a tab.
pub fn redirect(base: &str, location: &str) -> String {
    format!("{base}\t{location}")
}

/// Returns the base and the location of a [`redirect`].
pub fn redirected(text: &str) -> Option<(&str, &str)> {
    text.split_once('\t')
}

#[derive(Debug, Default)]
struct Urls {
    /// The file in the program, if the panel is one. It is decoded when it is needed.
    embedded: Option<StoredFile>,
    decoded: OnceLock<Decoded>,
}

#[derive(Debug, Default)]
struct Decoded {
    urls: Vec<String>,
    index: HashMap<String, usize>,
    digest: String,
}

impl Decoded {
    fn of(urls: impl Iterator<Item = String>) -> Self {
        let mut index = HashMap::new();
        let mut kept = Vec::new();
        for url in urls {
            if !index.contains_key(&url) {
                index.insert(url.clone(), kept.len());
                kept.push(url);
            }
        }
        let digest = digest(kept.iter().map(String::as_str));
        Self { urls: kept, index, digest }
    }
}

impl UrlPanel {
    /// Creates a panel of `urls`. Duplicates are removed.
    pub fn new(urls: impl IntoIterator<Item = String>) -> Self {
        Self(Arc::new(Urls { decoded: Decoded::of(urls.into_iter()).into(), ..Urls::default() }))
    }

    /// Reads a panel. A file that is part of the program is decoded when it is needed; tests verify that it is valid.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or is rejected by [`Self::parse`].
    pub(super) fn open(file: &StoredFile) -> Result<Self, FileError> {
        match file.is_embedded() {
            true => Ok(Self(Arc::new(Urls { embedded: Some(file.clone()), ..Urls::default() }))),
            false => Self::parse(file.path(), &file.text()?),
        }
    }

    /// Parses `text` as the panel at `path`: a URL on each line, escaped as in JSON.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if a line is not escaped as in JSON, or contains a URL again.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let wanted = "not a URL that is escaped as in JSON";
        let read = |(number, line)| unescape(line).ok_or_else(|| FileError::new(path, Some(number), wanted));
        let urls: Vec<_> = (1..).zip(text.lines()).map(read).collect::<Result<_, _>>()?;
        let count = urls.len();
        let panel = Self::new(urls);
        match panel.urls().len() == count {
            true => Ok(panel),
            false => Err(FileError::new(path, None, format!("{} URLs are duplicates", count - panel.urls().len()))),
        }
    }

    fn decoded(&self) -> &Decoded {
        self.0.decoded.get_or_init(|| {
            let text = self.0.embedded.as_ref().and_then(|file| file.text().ok()).unwrap_or_default();
            Decoded::of(text.lines().filter_map(unescape))
        })
    }

    /// Returns the panel as text, as [`Self::parse`] reads it.
    pub fn text(&self) -> String {
        self.urls().iter().map(|url| escape(url) + "\n").collect()
    }

    /// Returns the URLs.
    pub fn urls(&self) -> &[String] {
        &self.decoded().urls
    }

    /// Returns the number of the URL, from 0; `None` if the panel does not contain it.
    pub fn find(&self, url: &str) -> Option<usize> {
        self.decoded().index.get(url).copied()
    }
}

/// The names of components, in the order in which they are shown and recorded. Other names follow.
const NAMES: [&str; 10] =
    ["scheme", "userinfo", "user", "password", "host", "port", "path", "query", "fragment", "authority"];

fn rank(name: &str) -> usize {
    NAMES.iter().position(|own| *own == name).unwrap_or(NAMES.len())
}

/// Returns the components in the order in which they are shown.
pub fn ordered(parts: &[(String, Option<String>)]) -> Vec<&(String, Option<String>)> {
    let mut ordered: Vec<_> = parts.iter().collect();
    ordered.sort_by_key(|(name, _)| (rank(name), name.as_str()));
    ordered
}

/// The recorded statements of a version of an engine about the URLs of a panel.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The file for messages about the first lines.
    path: PathBuf,
    op: Op,
    /// The first lines, without the name of another version.
    head: String,
    rows: Rows,
    names: Vec<String>,
    digest: String,
}

impl Statements {
    /// Creates the recording of the answers to `op` of a version of an engine, which are in the order of `panel`.
    pub fn new((engine, version): (&str, &str), op: Op, panel: &UrlPanel, statements: &[Components]) -> Self {
        let names: BTreeSet<_> = statements.iter().flatten().flatten().map(|(name, _)| (rank(name), name)).collect();
        let names: Vec<String> = names.into_iter().map(|(_, name)| name.clone()).collect();
        let rows = panel.urls().iter().zip(statements).map(|(url, statement)| row(op, url, statement, &names) + "\n");
        let head = format!(
            "engine {engine} {version}{}\nurls {} {}\nstates {}\nparts {}\n",
            mark(op),
            panel.urls().len(),
            panel.decoded().digest,
            digest_of(statements),
            names.join(" ")
        );
        let text = head + &rows.collect::<String>();
        // What was written here is valid.
        Self::parse(Path::new(""), &text, op, panel).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// Parses `text` as the recording at `path`, which answers `op` for the URLs of `panel` and has all of its lines. The statements are not
    /// decoded.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the first lines are not as described in the module, the recording belongs to another
    /// panel, or the number of statements is not that of the panel.
    pub fn parse(path: &Path, text: &str, op: Op, panel: &UrlPanel) -> Result<Self, FileError> {
        let (head, rows) = divided(path, text);
        Self::of(path, Resolved { head, same: None, rows }, op, panel)
    }

    /// Creates the recording at `path`. See [`Self::parse`].
    fn of(path: &Path, recording: Resolved, op: Op, panel: &UrlPanel) -> Result<Self, FileError> {
        let Resolved { head, same, rows } = recording;
        let failed = |line: usize, sentence: String| FileError::new(path, Some(line), sentence);
        let field = |number: usize, key: &str| {
            let head = if number == HEAD { same.as_ref().unwrap_or(&head) } else { &head };
            let rest = head.lines().nth(number - 1).and_then(|line| line.strip_prefix(key));
            rest.ok_or_else(|| {
                failed(number, format!("a recording of statements has a line that begins with {key:?} here"))
            })
        };
        let (engine, urls, states) = (field(1, "engine ")?, field(2, "urls ")?, field(3, "states ")?);
        let is_asked = |own: &Op| *own != Op::Parse && engine.ends_with(&mark(*own));
        let of = Op::ALL.into_iter().find(is_asked).unwrap_or(Op::Parse);
        if of != op {
            return Err(failed(1, format!("the recording answers {}, and not {}", of.name(), op.name())));
        }
        let own = format!("{} {}", panel.urls().len(), panel.decoded().digest);
        if urls != own {
            let sentence =
                "the recording belongs to other URLs: record it again with `urlstrata engine record --statements`";
            return Err(failed(2, sentence.to_owned()));
        }
        let names = field(HEAD, "parts")?.split_whitespace().filter(|name| !name.starts_with(LIKE));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let wants = panel.urls().len();
        rows.check(wants, |has| format!("{has} statements, and there are {wants} URLs"))?;
        let head = format!("engine {engine}\nurls {urls}\nstates {states}\nparts {}\n", names.join(" "));
        Ok(Self { path: path.to_owned(), op, digest: states.to_owned(), head, rows, names })
    }

    /// Returns the recording as text, as [`Self::parse`] reads it.
    pub fn text(&self) -> String {
        format!("{}{}", self.head, self.rows)
    }

    /// Returns the number of URLs of which the version states components, or for which a client does something that is observed. The others
    /// it rejects, or does not answer.
    pub fn split(&self) -> usize {
        self.rows.iter().filter(|line| !line.starts_with('!')).count()
    }

    /// Returns the statement about URL `number` of the panel, which is `url`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the line is not a statement.
    pub fn statement(&self, number: usize, url: &str) -> Result<Components, FileError> {
        self.rows.get(number).and_then(|line| statement(self.op, line, url, &self.names)).ok_or_else(|| {
            self.rows.error(number, "not a statement: values in the order of the names on line 4, or !KIND")
        })
    }

    /// Decodes all statements, in the order of the panel.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if a line is not a statement, or the digest is not that of the statements.
    pub fn all(&self, panel: &UrlPanel) -> Result<Vec<Components>, FileError> {
        let urls = panel.urls().iter().enumerate();
        let all: Vec<_> = urls.map(|(number, url)| self.statement(number, url)).collect::<Result<_, _>>()?;
        match digest_of(&all) == self.digest {
            true => Ok(all),
            false => {
                Err(FileError::new(&self.path, Some(3), "the statements do not have this digest: the file was edited"))
            }
        }
    }
}

/// Returns the end of the first line of a recording of answers to `op`.
fn mark(op: Op) -> String {
    if op == Op::Parse { String::new() } else { format!(" {}", op.name()) }
}

impl Written for Statements {
    fn head(&self) -> String {
        self.head.clone()
    }

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn same_as(&self, version: &str) -> String {
        let head: String = self.head.split_inclusive('\n').take(HEAD - 1).collect();
        format!("{head}{SAME}{version}\n")
    }

    fn is_same(&self, other: &Self) -> bool {
        self.digest == other.digest
    }

    /// Compares the names of components: a line has a value for each of them.
    fn is_comparable(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

/// The file with the statements of a version. It is read when it is needed.
#[derive(Clone, Debug)]
pub struct StatementFile {
    op: Op,
    file: StoredFile,
    /// The files of all versions of the engine, by version.
    versions: BTreeMap<String, StoredFile>,
    read: Arc<OnceLock<Result<Statements, FileError>>>,
}

impl StatementFile {
    /// Creates the statements in `file`, which may refer to one of `versions`.
    pub(super) fn new(op: Op, file: StoredFile, versions: BTreeMap<String, StoredFile>) -> Self {
        Self { op, file, versions, read: Arc::default() }
    }

    /// Reads the statements, which belong to `panel`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Statements::parse`] does, or the file refers to a version without statements of its own.
    pub fn read(&self, panel: &UrlPanel) -> Result<&Statements, FileError> {
        let read = || {
            let resolved = Resolved::read(&self.file, &self.versions)?;
            Statements::of(self.file.path(), resolved, self.op, panel)
        };
        self.read.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// The marks of a value that is absent, of a component that is not stated, and of the value of RFC 3986.
const ABSENT: &str = "\\N";
const UNSTATED: &str = "\\-";
const GENERIC: &str = "=";

fn row(op: Op, url: &str, statement: &Components, names: &[String]) -> String {
    let parts = match statement {
        Ok(parts) => parts,
        Err(outcome) => return format!("!{}", super::recording::kind(outcome)),
    };
    let generic = Generic::of(op, url);
    let cells = names.iter().map(|name| match parts.iter().find(|(own, _)| own == name) {
        None => UNSTATED.to_owned(),
        Some((_, value)) if generic.value(name).as_ref() == Some(value) => GENERIC.to_owned(),
        Some((_, None)) => ABSENT.to_owned(),
        Some((_, Some(value))) if value.starts_with(['=', '!', '"']) => format!("\"{}", escape(value)),
        Some((_, Some(value))) => escape(value),
    });
    let cells: Vec<_> = cells.collect();
    match cells.join("\t") {
        _ if cells.iter().all(|cell| cell == GENERIC) => GENERIC.to_owned(),
        // A value that is the whole line does not refer to another version.
        line if line == LIKE => format!("\"{line}"),
        line => line,
    }
}

fn statement(op: Op, line: &str, url: &str, names: &[String]) -> Option<Components> {
    if let Some(kind) = line.strip_prefix('!') {
        return super::recording::recorded(kind).map(Err);
    }
    let generic = Generic::of(op, url);
    let cells: Vec<&str> = if line == GENERIC { vec![GENERIC; names.len()] } else { line.split('\t').collect() };
    if cells.len() != names.len() || line == LIKE {
        return None;
    }
    let mut parts = Vec::new();
    for (name, cell) in names.iter().zip(cells) {
        let value = match cell {
            UNSTATED => continue,
            ABSENT => None,
            GENERIC => generic.value(name)?,
            text => Some(unescape(text.strip_prefix('"').unwrap_or(text))?),
        };
        parts.push((name.clone(), value));
    }
    Some(Ok(parts))
}

/// The components of a URL by RFC 3986 (Appendix B), with those of its authority (§3.2).
struct Generic {
    parts: Parts,
}

impl Generic {
    /// Returns the components of the URL that `op` asks about: `url`, or the location of a redirect.
    fn of(op: Op, url: &str) -> Self {
        let location = redirected(url).filter(|_| op == Op::Follow).map(|(_, location)| location);
        let url = location.unwrap_or(url);
        Self { parts: rfc3986::REVISION.parse(url).unwrap_or_default() }
    }

    /// Returns the value of a component; `None` if RFC 3986 does not define it.
    fn value(&self, name: &str) -> Option<Option<String>> {
        let own = |name| self.parts.component(name).flatten().map(str::to_owned);
        if matches!(name, "scheme" | "path" | "query" | "fragment" | "authority") {
            return Some(own(name));
        }
        let authority = own("authority");
        let (userinfo, server) = match authority.as_deref() {
            None => (None, None),
            Some(text) => {
                text.rsplit_once('@').map_or((None, Some(text)), |(before, after)| (Some(before), Some(after)))
            }
        };
        let port =
            server.and_then(|server| Some((server.rfind(':').filter(|at| !server[*at..].contains(']'))?, server)));
        let value = match name {
            "userinfo" => userinfo,
            "user" => userinfo.map(|text| text.split_once(':').map_or(text, |(user, _)| user)),
            "password" => userinfo.and_then(|text| Some(text.split_once(':')?.1)),
            "host" => port.map(|(at, server)| &server[..at]).or(server),
            "port" => port.map(|(at, server)| &server[at + 1..]),
            // What a client sends for this URL (RFC 9110 §7.2, RFC 9112 §3.2.1).
            "field" => server,
            "target" => {
                let path = own("path").filter(|path| !path.is_empty()).unwrap_or_else(|| "/".to_owned());
                let query = own("query").map(|query| format!("?{query}")).unwrap_or_default();
                return Some(Some(path + &query));
            }
            _ => return None,
        };
        Some(value.map(str::to_owned))
    }
}

/// Returns whether a recorded and another statement are equal: the same components, or the same kind of outcome.
pub fn is_same(recorded: &Components, other: &Components) -> bool {
    match (recorded, other) {
        (Ok(one), Ok(other)) => ordered(one) == ordered(other),
        (Err(one), Err(other)) => one.is_like(other),
        _ => false,
    }
}

/// Returns the digest of statements in their order. Reasons are not part of it.
fn digest_of(statements: &[Components]) -> String {
    let texts = statements.iter().flat_map(|statement| match statement {
        Ok(parts) => {
            let value = |value: &Option<String>| value.as_deref().map_or_else(|| ABSENT.to_owned(), escape);
            ordered(parts)
                .into_iter()
                .flat_map(|(name, of)| [name.clone(), value(of)])
                .chain(["\n".to_owned()])
                .collect()
        }
        Err(outcome) => vec![super::recording::kind(outcome).to_owned()],
    });
    let texts: Vec<String> = texts.collect();
    digest(texts.iter().map(String::as_str))
}

/// Returns the outcome for a URL whose components are not recorded.
pub(super) fn not_asked() -> Components {
    Err(Outcome::Skipped(NOT_ASKED.to_owned()))
}

/// Why a URL that is not recorded has no answer.
pub(super) const NOT_ASKED: &str = "not asked: no recording has this URL";
