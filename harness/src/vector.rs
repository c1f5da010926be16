//! Vectors: cases, and what a named document prints for them.
//!
//! A file holds one section of one document. Identity is the path: `rfc1808/5.2/parent-above-root`.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use crate::escape::visible;
use crate::outcome::Outcome;
use crate::unique_map::UniqueMap;

mod check;
mod form;
mod node;
pub mod wpt;
mod yaml;

use form::canonical_expected;
pub use form::{canonical, canonical_vector, format_file, lint, quoted};
pub(crate) use form::{first_apart, write_canonical};
pub use node::Node;
pub(crate) use yaml::from_text;

/// The vectors as they were when the program was built, so that it works anywhere.
static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../vectors");

/// No vector file is longer: a longer one is refused before it is read as YAML.
pub const MAX_FILE: u64 = 16 << 20;

/// What stands in `expect` beside the revisions: the URL Standard, which is an engine here and no reference.
pub const WHATWG: &str = "whatwg";

/// The folder below `vectors/` that holds what is known of engines, and no vectors.
pub const KNOWN: &str = "known";

/// What is known of engines, as it was when the program was built: path and bytes of each file, in their order.
pub fn embedded_known() -> Vec<(PathBuf, &'static [u8])> {
    let files = EMBEDDED.get_dir(KNOWN).into_iter().flat_map(Dir::files).filter(|file| is_yaml(file.path()));
    let mut files: Vec<_> = files.map(|file| (file.path().to_owned(), file.contents())).collect();
    files.sort();
    files
}

/// All vectors, in the order of their paths.
#[derive(Debug, Default)]
pub struct Suite {
    /// The files, in the order of their paths.
    pub files: Vec<VectorFile>,
}

/// One file of vectors.
#[derive(Debug)]
pub struct VectorFile {
    /// `rfc1808/5.2`: the path below `vectors/`, without `spec/` and the ending.
    pub id: String,
    /// Where it was read from.
    pub path: PathBuf,
    /// What it holds.
    pub content: Content,
    /// The line on which each vector begins, where it could be told.
    lines: Vec<usize>,
}

/// What a file of vectors holds.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a mapping with `source` and `vectors`")]
pub struct Content {
    /// What the file is about, in our words.
    pub about: Option<String>,
    /// Where its cases are printed.
    pub source: Source,
    /// The base of vectors without their own.
    pub base: Option<String>,
    /// The cases.
    pub vectors: Vec<Vector>,
}

/// Where cases are printed.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a mapping with `document`, `section` and `title`")]
pub struct Source {
    /// The document's name.
    pub document: String,
    /// The section.
    pub section: String,
    /// What the section is about, in our words.
    pub title: String,
    /// Whether the printed results are lost and were put together again from other documents.
    #[serde(default)]
    pub reconstructed: bool,
    /// The package or repository that carries the data.
    pub from: Option<String>,
    /// The commit of the data in its own repository.
    pub commit: Option<String>,
    /// Under which licence the data may be used.
    pub licence: Option<String>,
}

/// One case.
#[derive(Clone, Debug, Default, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a vector with `name`, what to ask about, and what is expected")]
pub struct Vector {
    /// Unique in its file, of lower-case letters, digits and hyphens.
    pub name: String,
    /// The column whose witness this is.
    pub column: Option<String>,
    /// The base, if it is not the file's.
    pub base: Option<String>,
    /// The reference to resolve.
    pub reference: Option<String>,
    /// The URL to split into components.
    pub url: Option<String>,
    /// The production to derive texts from.
    pub production: Option<String>,
    /// The running text to find URLs in.
    pub text: Option<String>,
    /// The document to read.
    pub document: Option<String>,
    /// What the document is: `html`, `mime` or `text`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Where the document was retrieved from.
    pub retrieved_from: Option<String>,
    /// The base that the application takes where nothing else gives one.
    pub default_base: Option<String>,
    /// The class of characters to list.
    pub class: Option<String>,
    /// What each document says the reference resolves to.
    #[serde(default)]
    pub expect: UniqueMap<Expected>,
    /// What each document says the URL's components are.
    #[serde(default)]
    pub parts: UniqueMap<UniqueMap<PartValue>>,
    /// What each document's rules for the URL's scheme make of it; `refused` is the section that refuses it.
    #[serde(default)]
    pub fields: UniqueMap<Node>,
    /// What a client does with the URL, by each document.
    #[serde(default)]
    pub actions: UniqueMap<Node>,
    /// The characters that each document lists in its class of that name.
    #[serde(default)]
    pub characters: UniqueMap<String>,
    /// What each document's production of that name derives, and what it does not.
    #[serde(default)]
    pub derives: UniqueMap<Derives>,
    /// What each document finds in the text, in order.
    #[serde(default)]
    pub finds: UniqueMap<Node>,
    /// What each document says of the document's parts, in order.
    #[serde(default)]
    pub holds: UniqueMap<Node>,
    /// What is printed, where that is no URL or contradicts the document itself.
    pub printed: Option<String>,
    /// Other results that the document allows.
    #[serde(default)]
    pub permitted: Vec<String>,
    /// The id of the `ERRATUM` that explains a contradiction.
    pub erratum: Option<String>,
    /// A remark in our words.
    pub note: Option<String>,
    /// What engines of the time answered.
    #[serde(default)]
    pub recorded: UniqueMap<String>,
}

/// What a production derives, and what it does not.
#[derive(Clone, Debug, Default, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a mapping of members and stops")]
pub struct Derives {
    /// Texts that it derives.
    pub members: Vec<String>,
    /// Texts that it does not, each with how many bytes of it a member may begin with.
    pub stops: UniqueMap<usize>,
}

impl Vector {
    /// The ids of the documents that say something of it.
    pub fn documents(&self) -> BTreeSet<&str> {
        let of_url = self.parts.names().chain(self.fields.names()).chain(self.actions.names());
        let of_grammar = self.characters.names().chain(self.derives.names());
        let of_text = self.finds.names().chain(self.holds.names());
        self.expect.names().chain(of_url).chain(of_grammar).chain(of_text).collect()
    }
}

/// What a document says a reference resolves to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Expected {
    /// A URL, and whether it is the same document, where that is said.
    Url {
        /// The URL.
        url: String,
        /// `None` where nothing is said of it.
        same_document: Option<bool>,
    },
    /// No result.
    Failure,
}

impl Expected {
    /// The URL, if there is one.
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Url { url, .. } => Some(url),
            Self::Failure => None,
        }
    }

    /// The same as something done.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Url { url, .. } => Outcome::Url(url.clone()),
            Self::Failure => Outcome::Failure("no result".to_owned()),
        }
    }

    /// As a file states it.
    pub(crate) fn canonical(&self) -> String {
        canonical_expected(self)
    }

    /// Whether an engine that did `outcome` did as expected.
    pub fn is_met_by(&self, outcome: &Outcome) -> bool {
        match self {
            Self::Url { url, .. } => outcome.url() == Some(url),
            Self::Failure => matches!(outcome, Outcome::Failure(_)),
        }
    }
}

/// A component: absent, or a string that may be empty; or, under the name `refused`, the mark of a refusal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PartValue {
    /// Absent.
    Absent,
    /// Present.
    Text(String),
    /// Only under the name `refused`.
    Flag(bool),
}

/// Why a vector file was not loaded, or what the linter finds in it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VectorError {
    path: PathBuf,
    line: Option<usize>,
    sentence: String,
}

impl VectorError {
    pub(crate) fn new(path: &Path, line: Option<usize>, sentence: impl Into<String>) -> Self {
        // What a file holds may be cited, and is not to break the line.
        Self { path: path.to_owned(), line, sentence: visible(&sentence.into()) }
    }

    /// The line it is about, if it is about one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What is wrong, without the place.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.sentence)
    }
}

impl std::error::Error for VectorError {}

impl Suite {
    /// The vectors that the program was built with.
    ///
    /// # Errors
    ///
    /// The first file that is not in order; the suite's tests rule that out.
    pub fn embedded() -> Result<Self, VectorError> {
        fn collect<'a>(dir: &'a Dir<'a>, files: &mut Vec<(&'a Path, &'a [u8])>) {
            for file in dir.files().filter(|file| is_yaml(file.path())) {
                files.push((file.path(), file.contents()));
            }
            dir.dirs().filter(|dir| !dir.path().ends_with(KNOWN)).for_each(|dir| collect(dir, files));
        }
        let mut files = Vec::new();
        collect(&EMBEDDED, &mut files);
        files.sort();
        let files = files.into_iter().map(|(path, bytes)| VectorFile::from_bytes(path, path, bytes));
        Ok(Self { files: files.collect::<Result<_, _>>()? })
    }

    /// The vectors in `paths`: files, or folders with all that lies below them.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read or is not in order.
    pub fn read(paths: &[PathBuf]) -> Result<Self, VectorError> {
        let mut files = Vec::new();
        for path in paths {
            for file in yaml_below(path, false)? {
                files.push(VectorFile::read(&file, below_vectors(&file, path))?);
            }
        }
        Ok(Self { files })
    }

    /// Every vector with its file.
    pub fn vectors(&self) -> impl Iterator<Item = (&VectorFile, &Vector)> {
        self.files.iter().flat_map(|file| file.content.vectors.iter().map(move |vector| (file, vector)))
    }
}

/// What a file's identity is taken from: its path below the last folder called `vectors`, else below `root`.
fn below_vectors<'a>(file: &'a Path, root: &Path) -> &'a Path {
    let above = file.ancestors().skip(1).find(|folder| folder.ends_with("vectors"));
    above.and_then(|folder| file.strip_prefix(folder).ok()).or(file.strip_prefix(root).ok()).unwrap_or(file)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml")
}

/// `path` itself, or every `.yaml` file below it, in order; those about engines only `with_known`.
///
/// # Errors
///
/// If a folder cannot be read, or holds no vectors.
pub fn yaml_below(path: &Path, with_known: bool) -> Result<Vec<PathBuf>, VectorError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| VectorError::new(&folder, None, format!("cannot be read: {error}"));
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?.path();
            if entry.is_dir() {
                folders.extend((with_known || !entry.ends_with(KNOWN)).then_some(entry));
            } else if is_yaml(&entry) {
                found.push(entry);
            }
        }
    }
    if found.is_empty() {
        return Err(VectorError::new(path, None, "no vectors: no file below it ends in .yaml"));
    }
    found.sort();
    Ok(found)
}

/// The bytes of the file at `path`, if it is no longer than [`MAX_FILE`].
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, VectorError> {
    let unreadable = |error| VectorError::new(path, None, format!("cannot be read: {error}"));
    let about = fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(VectorError::new(path, None, "is neither a file nor a folder"));
    }
    if about.len() > MAX_FILE {
        let sentence = format!("{} bytes long, the limit is {MAX_FILE}: split it by section", about.len());
        return Err(VectorError::new(path, None, sentence));
    }
    fs::read(path).map_err(unreadable)
}

/// The text of the file at `path`, without a mark of the byte order.
pub(crate) fn text_of<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, VectorError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        VectorError::new(path, Some(line), "not UTF-8: save the file in that encoding")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

impl VectorFile {
    /// Reads the file at `path`; `named` is what its identity is taken from.
    fn read(path: &Path, named: &Path) -> Result<Self, VectorError> {
        Self::from_bytes(path, named, &read_bytes(path)?)
    }

    /// Parses the content of a file; `path` is used in errors only, and the identity is taken from `named`.
    ///
    /// # Errors
    ///
    /// Returns the first problem with its line.
    pub fn from_bytes(path: &Path, named: &Path, bytes: &[u8]) -> Result<Self, VectorError> {
        let text = text_of(path, bytes)?;
        let content: Content = from_text(text).map_err(|(line, sentence)| VectorError::new(path, line, sentence))?;
        let named = if named.as_os_str().is_empty() { Path::new(path.file_name().unwrap_or_default()) } else { named };
        let id = named.with_extension("").to_string_lossy().replace('\\', "/");
        // A section such as 5.1.yaml loses only its last ending; `with_extension` does the same.
        let id = id.strip_prefix("spec/").unwrap_or(&id).to_owned();
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| {
                let line = line.trim_start();
                line.strip_prefix('-').is_some_and(|rest| rest.trim_start_matches([' ', '{']).starts_with("name:"))
            })
            .map(|(index, _)| index + 1)
            .collect();
        let file = Self { id, path: path.to_owned(), content, lines };
        file.check()?;
        Ok(file)
    }

    /// The base of `vector`, its own or the file's; empty if it has none.
    pub fn base_of<'a>(&'a self, vector: &'a Vector) -> &'a str {
        vector.base.as_ref().or(self.content.base.as_ref()).map_or("", String::as_str)
    }

    /// The line of the vector at `index`.
    pub fn line(&self, index: usize) -> Option<usize> {
        (self.lines.len() == self.content.vectors.len()).then(|| self.lines[index])
    }

    /// The file in its canonical form: keys in order, every string in double quotes.
    pub fn canonical(&self) -> String {
        canonical(&self.content)
    }
}
