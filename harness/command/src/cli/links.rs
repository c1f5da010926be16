//! `links`: the base of each part of a document, and every resolved link.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use urlstrata::revision::Revision;
use urlstrata_harness::document::warc::{self, Warc};
use urlstrata_harness::document::{DocumentError, DocumentKind, Event, MAX_BYTES, Reader};
use urlstrata_harness::knowledge::attribute::Effect;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::world::World;

use super::select::an_engine;
use super::{Ended, Failure, Finding};

mod archive;
mod confusing;
mod written;

use confusing::Confusing;
use written::{Json, Pairs, Text, Writer};

/// The name of standard input.
const STANDARD_INPUT: &str = "standard input";

/// The number of first bytes from which the kind of a file is determined.
const LEARNED_FROM: u64 = 1024;

#[derive(Args)]
pub(super) struct Arguments {
    /// HTML, MIME, text or WARC files; folders, which are searched for files with such extensions; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// URL from which the file was retrieved; for a folder, a URL that ends in a slash, to which the paths of its files
    /// are appended
    #[arg(long, value_name = "URL")]
    retrieved_from: Option<String>,
    /// Base to use if nothing else gives one, for specifications that leave this to the application
    #[arg(long, value_name = "URL")]
    default_base: Option<String>,
    /// Revision that determines the precedence of bases, how URLs are found in text, and how references are resolved
    #[arg(long = "as", value_name = "REVISION", default_value = "rfc3986", value_parser = super::select::a_revision)]
    revision: &'static Revision,
    /// Format of the files: html, mime, text or warc; default: determined by the extension, then by the first bytes
    ///
    /// `warc` is WARC and WAT, plain or compressed by member. Files of any size are read in bounded memory. Each HTML page
    /// was retrieved from the URL of its record. Damaged records are reported and skipped; the exit code is then 65.
    #[arg(long = "type", value_name = "TYPE", value_parser = a_kind)]
    kind: Option<FileKind>,
    /// Write lines of base TAB reference instead, for `run --pairs -`
    #[arg(long, conflicts_with = "format")]
    pairs: bool,
    /// With --pairs, write the place of each link after its reference: base TAB reference TAB place
    ///
    /// The place is FILE:LINE, `FILE, part 1:LINE` in a part of a MIME message, or FILE@OFFSET:LINE in a page of a WARC
    /// file. `:LINE` is omitted if the line is unknown, as in a header. The name of standard input is `standard input`.
    ///
    /// Split at the last tab to get the place. A reference may contain tabs. A place does not, because tabs and line
    /// ends in file names are escaped.
    #[arg(long, requires = "pairs")]
    places: bool,
    /// List only links that two specifications or engines resolve differently, by cause
    ///
    /// The exit code is 1 if there is such a link.
    #[arg(long, conflicts_with = "pairs")]
    confusing: bool,
    /// The two to compare with --confusing: specifications or engines; default: rfc3986 and whatwg
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"])]
    between: Vec<String>,
    /// With --confusing, list only links that differ in this part: host, scheme, port, credentials, path, query, fragment,
    /// spelling or accepted; may be repeated
    #[arg(long, value_name = "EFFECT", value_parser = super::compare::an_effect)]
    only: Vec<Effect>,
    /// With --confusing, show up to this many links of each cause; default: 3; other formats contain all links
    #[arg(long, value_name = "N")]
    examples: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// JSON
    Json,
    /// SARIF 2.1.0, which implies --confusing: a result for each confusing link, at its line
    Sarif,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum FileKind {
    /// A single document.
    Document(DocumentKind),
    /// The pages of a crawl.
    Warc,
}

impl FileKind {
    fn document(self) -> Option<DocumentKind> {
        match self {
            Self::Document(kind) => Some(kind),
            Self::Warc => None,
        }
    }
}

fn a_kind(name: &str) -> Result<FileKind, String> {
    match DocumentKind::by_name(name) {
        Some(kind) => Ok(FileKind::Document(kind)),
        None if name == "warc" => Ok(FileKind::Warc),
        None => Err("there are html, mime, text and warc".to_owned()),
    }
}

pub(super) fn links(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let (retrieval, default) = (arguments.retrieved_from.as_deref(), arguments.default_base.as_deref());
    let reader =
        Reader::new(arguments.revision, retrieval, default).map_err(|unfit| Failure::Usage(unfit.to_string()))?;
    if let (Some(url), [_, others @ ..]) = (retrieval, arguments.files.as_slice()) {
        if !others.is_empty() {
            let sentence = format!("{url} is where one file was retrieved from: name one, or a folder");
            return Err(Failure::Usage(sentence));
        }
        if arguments.files[0].is_dir() && !url.ends_with('/') {
            let sentence =
                format!("{url} has to end in a slash: the paths of the files in the folder are appended to it");
            return Err(Failure::Usage(sentence));
        }
    }
    let is_confusing = arguments.confusing || arguments.format == Format::Sarif;
    let has_options = !arguments.between.is_empty() || !arguments.only.is_empty() || arguments.examples.is_some();
    if has_options && !is_confusing {
        return Err(Failure::Usage("--between, --only and --examples are options of --confusing: add it".to_owned()));
    }
    let mut engines = Vec::new();
    if is_confusing {
        let default = ["rfc3986", "whatwg"].map(str::to_owned);
        let between = if arguments.between.is_empty() { &default[..] } else { &arguments.between };
        for name in between {
            let own = Specification::named(name).ok().map(|specification| format!("ref:{}", specification.revision.id));
            engines.push(an_engine(&world, own.as_deref().unwrap_or(name))?);
        }
    }
    let world = world.with_engines(engines);
    let mut confusing = Confusing::new(&world, &arguments.only, arguments.examples.unwrap_or(3), arguments.format);
    let (mut text, mut json, mut pairs) = (Text::default(), Json::default(), Pairs::new(arguments.places));
    let writer: &mut dyn Writer = match (&mut confusing, arguments.pairs, arguments.format) {
        (Some(confusing), ..) => confusing,
        (None, true, _) => &mut pairs,
        (None, false, Format::Json) => &mut json,
        (None, false, _) => &mut text,
    };
    let hidden = !arguments.pairs && io::stdout().is_terminal();
    let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let style = ProgressStyle::with_template("{spinner} {human_pos} documents");
    let mut session = Session {
        reader,
        kind: arguments.kind,
        bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())),
        finding: Finding::AsExpected,
    };
    writer.begin(out)?;
    for path in &arguments.files {
        session.path(path, retrieval, &mut *writer, out)?;
    }
    session.bar.finish_and_clear();
    writer.end(out)?;
    if pairs.has_left_out_relative() {
        session.finding = Finding::BadInput;
    }
    if let Some(confusing) = &confusing {
        confusing.checks().report_to_github();
    }
    Ok(match session.finding {
        Finding::AsExpected if confusing.is_some_and(|it| it.has_found()) => Finding::NewDivergence,
        finding => finding,
    })
}

/// The state of a run over several documents.
struct Session<'a> {
    reader: Reader<'a>,
    kind: Option<FileKind>,
    bar: ProgressBar,
    finding: Finding,
}

impl Session<'_> {
    fn path(
        &mut self,
        path: &Path,
        retrieval: Option<&str>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if path == Path::new("-") {
            return self.standard_input(retrieval, writer, out);
        }
        if !path.is_dir() {
            return self.file(path, retrieval, writer, out);
        }
        let files = match files_below(path) {
            Ok((files, unread)) => {
                if !unread.is_empty() {
                    let unread = unread.iter().map(|(what, count)| format!("{count} × {what}"));
                    let unread = unread.collect::<Vec<_>>().join(", ");
                    eprintln!("urlstrata: {}: not read, links of such files are not found: {unread}", path.display());
                }
                if files.is_empty() {
                    self.complain(path.display(), "no file below it ends like HTML, a MIME message or text");
                    return Ok(());
                }
                files
            }
            Err((at, error)) => {
                self.complain(at.display(), &format!("cannot be read: {error}"));
                return Ok(());
            }
        };
        for file in files {
            let url = retrieval.map(|root| below(root, file.strip_prefix(path).unwrap_or(&file)));
            self.file(&file, url.as_deref(), writer, out)?;
        }
        Ok(())
    }

    fn standard_input(
        &mut self,
        retrieval: Option<&str>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        let mut read = io::stdin().lock().take(LEARNED_FROM).read_to_end(&mut bytes);
        let is_warc = self.kind.map_or_else(|| warc::has_start(&bytes), |kind| kind == FileKind::Warc);
        if is_warc && read.is_ok() {
            let warc = Warc::new(bytes.chain(io::stdin().lock()));
            return self.archive(STANDARD_INPUT, Ok(warc), retrieval, writer, out);
        }
        if read.is_ok() {
            read = io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
        }
        let read = read.map_err(|error| format!("cannot be read: {error}")).and_then(|_| within_limit(bytes));
        self.document(STANDARD_INPUT, None, read, retrieval, writer, out)
    }

    fn file(
        &mut self,
        path: &Path,
        retrieval: Option<&str>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let name = path.display().to_string();
        let is_document = DocumentKind::by_ending(path).is_some();
        let is_warc = || warc::has_ending(path) || !is_document && start(path).is_ok_and(|it| warc::has_start(&it));
        if self.kind.map_or_else(is_warc, |kind| kind == FileKind::Warc) {
            return self.archive(&name, open_archive(path), retrieval, writer, out);
        }
        self.document(&name, Some(path), read_file(path), retrieval, writer, out)
    }

    /// Reads one document and writes its parts and links. If the document cannot be read, the reason is reported on
    /// standard error and passed to [`Writer::document_end`], and the run continues.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    fn document(
        &mut self,
        name: &str,
        path: Option<&Path>,
        bytes: Result<Vec<u8>, String>,
        retrieval: Option<&str>,
        writer: &mut dyn Writer,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        writer.document(name, out)?;
        let reader = retrieval.map_or(self.reader, |url| self.reader.retrieved_from(url));
        let read = bytes.and_then(|bytes| {
            let kind = match self.kind.and_then(FileKind::document) {
                Some(named) => named,
                None => DocumentKind::detect(path, &bytes).map_err(|what| unsupported(&what))?,
            };
            Ok((kind, bytes))
        });
        let error = match read {
            Err(why) => Some(why),
            Ok((kind, bytes)) => {
                let mut report = |event: Event<'_>| writer.event(&reader, event, &mut *out);
                match reader.read(&bytes, kind, &mut report) {
                    Ok(()) => None,
                    Err(DocumentError::Document(why)) => Some(why),
                    Err(DocumentError::Sink(error)) => return Err(Failure::Io(error)),
                }
            }
        };
        if let Some(why) = &error {
            self.complain(name, why);
        }
        writer.document_end(error.as_deref(), out)?;
        self.bar.inc(1);
        Ok(())
    }

    fn complain(&mut self, name: impl std::fmt::Display, why: &str) {
        self.finding = Finding::BadInput;
        self.bar.suspend(|| drop(writeln!(io::stderr(), "urlstrata: {name}: {why}")));
    }
}

/// Returns why a document is not read, which is `what` and not of a kind that is.
fn unsupported(what: &str) -> String {
    format!(
        "{what}: links are read from HTML, MIME messages, plain text and WARC files; to read it as one, name its --type"
    )
}

/// Returns the first bytes of the file at `path`, and nothing of what is not a regular file.
fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if fs::metadata(path)?.is_file() {
        File::open(path)?.take(LEARNED_FROM).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Opens the WARC file at `path`, which has to be a regular file.
///
/// # Errors
///
/// Returns a sentence if `path` is not a regular file or cannot be opened.
fn open_archive(path: &Path) -> Result<Warc<File>, String> {
    regular_file(path)?;
    Warc::open(path).map_err(|error| format!("cannot be read: {error}"))
}

/// Returns the properties of the file at `path`, or a sentence if it is not a regular file.
fn regular_file(path: &Path) -> Result<fs::Metadata, String> {
    let about = fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?;
    if !about.is_file() {
        return Err("neither a file nor a folder: hand it to standard input, and name -".to_owned());
    }
    Ok(about)
}

/// Returns the bytes of the file at `path`. Only regular files are opened, because opening a pipe could block forever.
///
/// # Errors
///
/// Returns a sentence if `path` is not a regular file, cannot be read, or is longer than [`MAX_BYTES`].
fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let about = regular_file(path)?;
    if about.len() > MAX_BYTES {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    within_limit(bytes)
}

fn within_limit(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if bytes.len() as u64 > MAX_BYTES { Err(too_long()) } else { Ok(bytes) }
}

fn too_long() -> String {
    format!("longer than the limit of {MAX_BYTES} bytes")
}

/// The number of documents of each kind whose links are not read.
type Unread = BTreeMap<&'static str, usize>;

/// Returns the files below `folder` that have the extension of a document, sorted by path, and what else may have links. Symbolic links to
/// folders are not followed, because they may form a cycle.
///
/// # Errors
///
/// Returns the first folder that cannot be read, and the error.
fn files_below(folder: &Path) -> Result<(Vec<PathBuf>, Unread), (PathBuf, io::Error)> {
    let (mut files, mut unread) = (Vec::new(), Unread::new());
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let at = |error| (folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(at)? {
            let entry = entry.map_err(at)?;
            let path = entry.path();
            if entry.file_type().map_err(at)?.is_dir() {
                folders.push(path);
            } else if (DocumentKind::by_ending(&path).is_some() || warc::has_ending(&path)) && path.is_file() {
                files.push(path);
            } else if let Some(what) = DocumentKind::unread_by_ending(&path) {
                *unread.entry(what).or_default() += 1;
            }
        }
    }
    files.sort();
    Ok((files, unread))
}

/// Returns the URL of the file at the relative `path` in the folder whose URL is `root`. Segments are percent-encoded.
fn below(root: &str, path: &Path) -> String {
    /// All ASCII characters except those of `pchar` (RFC 3986 §3.3).
    const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b'!')
        .remove(b'$')
        .remove(b'&')
        .remove(b'\'')
        .remove(b'(')
        .remove(b')')
        .remove(b'*')
        .remove(b'+')
        .remove(b',')
        .remove(b'=')
        .remove(b':')
        .remove(b'@');
    let segments =
        path.components().map(|part| utf8_percent_encode(&part.as_os_str().to_string_lossy(), SEGMENT).to_string());
    format!("{root}{}", segments.collect::<Vec<_>>().join("/"))
}
