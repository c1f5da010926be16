//! Packs the files of the engine folders, for use in the program.
//!
//! The files are compressed one by one. A recording is divided into blocks of lines, so that the outcome of one pair is read
//! without the others. Behaviours, which are YAML, are converted to JSON, which is read fifty times as fast.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The number of lines of a recording before the first outcome, without a reference to another recording.
const HEAD: usize = 4;

/// The number of outcomes in a block of a recording.
const BLOCK: usize = 2000;

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rerun-if-changed=.");
    // Without the feature, nothing is part of the program.
    let files = if env::var_os("CARGO_FEATURE_RECORDINGS").is_some() { files(&package)? } else { Vec::new() };
    let mut packed = Packed::default();
    for file in &files {
        let path = file.strip_prefix(&package).unwrap_or(file).to_string_lossy().replace('\\', "/");
        packed.add(&path, &fs::read_to_string(file)?)?;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let list = format!(
        "/// The number of outcomes in a block of a recording.\npub const BLOCK: usize = {BLOCK};\n\n\
         /// The packed blocks of all files.\nstatic PACKED: &[u8] = include_bytes!(\"engines.bin\");\n\n\
         /// Every file, in the order of their paths.\nstatic ENTRIES: &[Entry] = &[\n{}];\n",
        packed.entries
    );
    fs::write(out.join("engines.bin"), packed.blocks)?;
    fs::write(out.join("engines.rs"), list)
}

/// Returns the files of the folders in `package`, and the panels. The other files belong to the package.
fn files(package: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(package)? {
        if path.is_dir() {
            files.extend(entries(&path)?.into_iter().filter(|path| !path.ends_with("steps.rs")));
        } else if path.extension().is_some_and(|extension| extension == "tsv" || extension == "txt") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the paths of the entries of `folder`.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

#[derive(Default)]
struct Packed {
    blocks: Vec<u8>,
    /// The entries as Rust code.
    entries: String,
}

impl Packed {
    fn add(&mut self, path: &str, text: &str) -> io::Result<()> {
        // The panels and the recordings have the same number of lines in a block, so the line of a pair is found in both.
        let is_recording = path.contains('/') && path.ends_with(".txt");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, rest) = match is_recording {
            true if lines.len() == HEAD + 1 => (lines.concat(), Vec::new()),
            true => (lines[..HEAD.min(lines.len())].concat(), lines[HEAD.min(lines.len())..].to_vec()),
            false => (String::new(), Vec::new()),
        };
        let blocks: Vec<String> = match is_recording {
            true => rest.chunks(BLOCK).map(<[&str]>::concat).collect(),
            false if path.ends_with(".behaviour.yaml") => vec![as_json(path, text)?],
            false => vec![text.to_owned()],
        };
        let mut places = String::new();
        for block in &blocks {
            let start = self.blocks.len();
            let mut encoder = ZlibEncoder::new(&mut self.blocks, Compression::best());
            encoder.write_all(block.as_bytes())?;
            encoder.finish()?;
            let _ = write!(places, "({start}, {}, {}), ", self.blocks.len(), block.len());
        }
        let _ = writeln!(self.entries, "    Entry {{ path: {path:?}, head: {head:?}, blocks: &[{places}] }},");
        Ok(())
    }
}

/// Converts YAML to JSON. A file that is not YAML stays as it is, and the program reports it.
fn as_json(path: &str, text: &str) -> io::Result<String> {
    let value: serde_json::Value =
        serde_yaml::from_str(text).map_err(|error| io::Error::other(format!("{path}: {error}")))?;
    Ok(value.to_string())
}
