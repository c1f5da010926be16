//! Packs the files of the engine folders, for use in the program.
//!
//! Recordings of the same kind have a table of the different lines at each place, and are lists of numbers of lines. Both are
//! divided into blocks, so that one answer is read without the others. Behaviours, which are YAML, are converted to JSON, which
//! is read fifty times as fast.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The ends of the names of recordings.
const RECORDINGS: [&str; 4] = [".txt", ".states.tsv", ".connects.tsv", ".follows.tsv"];

/// The files of a folder that are modules of this crate. (A shim in Rust is not.)
const MODULES: [&str; 2] = ["steps.rs", "changes.rs"];

/// The end of the names of files that only tests read.
const TESTED: &str = ".characters.tsv";

/// The number of lines of a recording before the first answer.
const HEAD: usize = 4;

/// The beginning of the line after these, if the recording refers to another one and has no answers.
const SAME: &str = "same as ";

/// The number of places in a block of a recording.
const BLOCK: usize = 500;

/// The separator of the lines at a place. Recordings are ASCII without control characters other than tabs.
const SEPARATOR: u8 = 0x1f;

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rerun-if-changed=.");
    // Without the feature, nothing is part of the program.
    let files = if env::var_os("CARGO_FEATURE_RECORDINGS").is_some() { files(&package)? } else { BTreeMap::new() };
    let mut packed = Packed::default();
    packed.add_all(&files)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let list = format!(
        "/// The number of places in a block of a recording.\nconst BLOCK: usize = {BLOCK};\n\n\
         /// The separator of the lines at a place.\nconst SEPARATOR: u8 = {SEPARATOR};\n\n\
         /// The packed texts.\nstatic PACKED: &[u8] = include_bytes!(\"engines.bin\");\n\n\
         /// The place of each text.\nstatic TEXTS: [Packed; {}] = [\n{}];\n\n\
         /// The blocks of all tables.\nstatic TABLES: [Block; {}] = [\n{}];\n\n\
         /// Every file, in the order of their paths.\nstatic ENTRIES: &[Entry] = &[\n{}];\n",
        packed.texts.len(),
        packed.places,
        packed.blocks,
        packed.tables,
        packed.entries
    );
    fs::write(out.join("engines.bin"), packed.bytes)?;
    fs::write(out.join("engines.rs"), list)
}

/// Returns the paths, relative to `package`, and the texts of the files of the folders and of the panels. The other files belong
/// to the package.
fn files(package: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut add = |file: &Path| -> io::Result<()> {
        let path = file.strip_prefix(package).unwrap_or(file).to_string_lossy().replace('\\', "/");
        files.insert(path, fs::read_to_string(file)?);
        Ok(())
    };
    for path in entries(package)? {
        if path.is_dir() {
            let is_apart = |file: &Path| {
                MODULES.iter().any(|module| file.ends_with(module)) || file.to_string_lossy().ends_with(TESTED)
            };
            entries(&path)?.iter().filter(|file| !is_apart(file)).try_for_each(|file| add(file))?;
        } else if path.extension().is_some_and(|extension| extension == "tsv" || extension == "txt") {
            add(&path)?;
        }
    }
    Ok(files)
}

/// Returns the paths of the entries of `folder`.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// A recording: its first lines, and the others.
struct Recording<'a> {
    head: String,
    lines: Vec<&'a str>,
}

impl<'a> Recording<'a> {
    /// Divides `text`, the file at `path`; `None` if it is not a recording.
    fn of(path: &str, text: &'a str) -> Option<Self> {
        if !path.contains('/') || !RECORDINGS.iter().any(|end| path.ends_with(end)) {
            return None;
        }
        let mut lines: Vec<&str> = text.lines().collect();
        let has_same = lines.len() == HEAD + 1 && lines[HEAD].starts_with(SAME);
        let rest = lines.split_off(lines.len().min(HEAD + usize::from(has_same)));
        Some(Self { head: lines.join("\n") + "\n", lines: rest })
    }
}

/// Returns what the recordings with the same table have in common: the end of their names, and the line with the panel.
fn kind(path: &str, recording: &Recording<'_>) -> String {
    let end = RECORDINGS.into_iter().find(|end| path.ends_with(end)).unwrap_or_default();
    format!("{end} {}", recording.head.lines().nth(1).unwrap_or_default())
}

#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    /// The number of each text. Versions of an engine have many equal blocks, which are stored once.
    texts: HashMap<String, usize>,
    /// The places of the texts as Rust code.
    places: String,
    /// The number of blocks of the tables.
    blocks: usize,
    /// The tables and the entries as Rust code.
    tables: String,
    entries: String,
}

impl Packed {
    fn add_all(&mut self, files: &BTreeMap<String, String>) -> io::Result<()> {
        let recordings: BTreeMap<&str, Recording<'_>> =
            files.iter().filter_map(|(path, text)| Some((path.as_str(), Recording::of(path, text)?))).collect();
        let mut kinds: BTreeMap<String, Vec<&Recording<'_>>> = BTreeMap::new();
        for (path, recording) in &recordings {
            kinds.entry(kind(path, recording)).or_default().push(recording);
        }
        let mut tables = BTreeMap::new();
        for (kind, recordings) in kinds {
            tables.insert(kind, (self.blocks, self.table(&recordings)?));
        }
        for (path, text) in files {
            let content = match recordings.get(path.as_str()) {
                Some(recording) => {
                    let (table, places) = &tables[&kind(path, recording)];
                    let numbers = self.numbers(recording, places)?;
                    let head = &recording.head;
                    format!("Recording(Recording {{ head: {head:?}, numbers: &[{numbers}], table: {table} }})")
                }
                None if path.ends_with(".behaviour.yaml") => format!("Text({})", self.pack(&as_json(path, text)?)?),
                None => format!("Text({})", self.pack(text)?),
            };
            let _ = writeln!(self.entries, "    Entry {{ path: {path:?}, content: Content::{content} }},");
        }
        Ok(())
    }

    /// Adds the table of `recordings`. Returns the number of each line at each place.
    fn table<'a>(&mut self, recordings: &[&Recording<'a>]) -> io::Result<Vec<HashMap<&'a str, u32>>> {
        let count = recordings.iter().map(|recording| recording.lines.len()).max().unwrap_or_default();
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        for at in 0..count {
            let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
            for line in recordings.iter().filter_map(|recording| recording.lines.get(at)) {
                *lines.entry(line).or_default() += 1;
            }
            // The most frequent line comes first, so that most numbers are small.
            let mut lines: Vec<_> = lines.into_iter().collect();
            lines.sort_by_key(|(_, count)| usize::MAX - count);
            let lines: Vec<&str> = lines.into_iter().map(|(line, _)| line).collect();
            texts.push(lines.join(&char::from(SEPARATOR).to_string()) + "\n");
            places.push(lines.into_iter().zip(0..).collect());
        }
        for block in texts.chunks(BLOCK) {
            let packed = self.pack(&block.concat())?;
            let _ = writeln!(self.tables, "    Block::new({packed}),");
            self.blocks += 1;
        }
        Ok(places)
    }

    /// Adds the numbers of the lines of `recording`, where each place has the numbers `places`.
    fn numbers(&mut self, recording: &Recording<'_>, places: &[HashMap<&str, u32>]) -> io::Result<String> {
        let number = |(line, place): (&&str, &HashMap<&str, u32>)| char::from_u32(place[*line]);
        let numbers: Option<Vec<char>> = recording.lines.iter().zip(places).map(number).collect();
        // The first number that is not a character is 55,296, and there is one line for each version.
        let numbers = numbers.ok_or_else(|| io::Error::other("too many different lines at a place"))?;
        let blocks =
            numbers.chunks(BLOCK).map(|block| Ok(format!("{}, ", self.pack(&block.iter().collect::<String>())?)));
        blocks.collect()
    }

    /// Adds `text`. Returns its number.
    fn pack(&mut self, text: &str) -> io::Result<usize> {
        if let Some(number) = self.texts.get(text) {
            return Ok(*number);
        }
        let start = self.bytes.len();
        let mut encoder = DeflateEncoder::new(&mut self.bytes, Compression::best());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
        let _ = writeln!(
            self.places,
            "    Packed {{ start: {start}, end: {}, length: {} }},",
            self.bytes.len(),
            text.len()
        );
        let number = self.texts.len();
        self.texts.insert(text.to_owned(), number);
        Ok(number)
    }
}

/// Converts YAML to JSON. A file that is not YAML stays as it is, and the program reports it.
fn as_json(path: &str, text: &str) -> io::Result<String> {
    let value: serde_json::Value =
        serde_yaml::from_str(text).map_err(|error| io::Error::other(format!("{path}: {error}")))?;
    Ok(value.to_string())
}
