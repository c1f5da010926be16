//! Sets an environment variable with the version of each crate that is an engine, and packs the files of the engine
//! folders, for use in the program.
//!
//! The files are compressed one by one. A recording is divided into blocks of lines, so that the outcome of one pair is read
//! without the others. Behaviours, which are YAML, are converted to JSON, which is read fifty times as fast.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The crates that are engines in this process.
const ENGINES: [&str; 5] = ["url", "iri-string", "fluent-uri", "oxiri", "ada-url"];

/// The number of lines of a recording before the first outcome, without a reference to another recording.
const HEAD: usize = 4;

/// The number of outcomes in a block of a recording.
const BLOCK: usize = 2000;

fn main() -> io::Result<()> {
    versions_of_crates();
    let folders = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("engines");
    println!("cargo:rerun-if-changed=engines");
    let mut files = Vec::new();
    // Without the feature, nothing is part of the program.
    if env::var_os("CARGO_FEATURE_RECORDINGS").is_some() {
        collect(&folders, &mut files)?;
        files.sort();
    }
    let mut packed = Packed::default();
    for file in &files {
        let path = file.strip_prefix(&folders).unwrap_or(file).to_string_lossy().replace('\\', "/");
        packed.add(&path, &fs::read_to_string(file)?)?;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let list = format!(
        "/// The number of outcomes in a block of a recording.\npub(super) const BLOCK: usize = {BLOCK};\n\n\
         /// The packed blocks of all files.\nstatic PACKED: &[u8] = include_bytes!(\"engines.bin\");\n\n\
         /// Every file, in the order of their paths.\nstatic ENTRIES: &[Entry] = &[\n{}];\n",
        packed.entries
    );
    fs::write(out.join("engines.bin"), packed.blocks)?;
    fs::write(out.join("engines.rs"), list)
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

/// Adds the files in `folder` and its subfolders to `files`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Sets the environment variables with the versions of crates, which the lock file states.
fn versions_of_crates() {
    // A packaged crate contains its own lock file. In the repository, the lock file is in the workspace's folder.
    let lock = ["Cargo.lock", "../Cargo.lock"].into_iter().find_map(|path| {
        let text = fs::read_to_string(path).ok()?;
        println!("cargo:rerun-if-changed={path}");
        Some(text)
    });
    println!("cargo:rerun-if-changed=build.rs");
    for engine in ENGINES {
        let mut packages = lock.as_deref().unwrap_or_default().split("[[package]]");
        let version = packages
            .find(|package| package.lines().any(|line| line == format!("name = \"{engine}\"")))
            .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")))
            .map_or("unknown", |version| version.trim_matches('"'));
        println!("cargo:rustc-env={}_VERSION={version}", engine.to_uppercase().replace('-', "_"));
    }
}
