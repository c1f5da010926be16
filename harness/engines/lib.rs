//! The engine folders, packed for use in a program.
//!
//! A folder describes an engine: `engine.toml`, a shim, and the recordings and behaviours of its versions. The crate
//! `urlstrata-harness` reads them. The files are compressed by the build script, and each of them is unpacked when it is asked
//! for.
//!
//! An engine whose source was read has a table of steps beside its shim, `steps.rs`, which is a module of this crate.

use std::io::Read;

use flate2::read::ZlibDecoder;
use urlstrata_steps::Table;

include!(concat!(env!("OUT_DIR"), "/engines.rs"));

macro_rules! tables {
    ($($name:ident $path:literal)*) => {
        $(#[path = $path] pub mod $name;)*

        /// The engines that have tables of steps.
        static TABLES: &[&Table] = &[$(&$name::TABLE),*];
    };
}

tables! {
    addressable "addressable/steps.rs"
    go_net_url "go-net-url/steps.rs"
    httpx "httpx/steps.rs"
    java_net_uri "java-net-uri/steps.rs"
    libcurl "libcurl/steps.rs"
    python_rfc3986 "python-rfc3986/steps.rs"
    requests "requests/steps.rs"
    ruby_uri "ruby-uri/steps.rs"
    ruby_uri_rfc2396 "ruby-uri-rfc2396/steps.rs"
    uritools "uritools/steps.rs"
    urllib "urllib/steps.rs"
}

/// Returns the engines that have tables of steps, in the order of their names.
pub fn tables() -> &'static [&'static Table] {
    TABLES
}

/// Returns the table of steps of the engine whose folder is called `name`, if it has one.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().copied().find(|table| table.engine == name)
}

/// A file of the folders.
#[derive(Debug)]
pub struct Entry {
    /// The path relative to the folders, with `/` between its parts.
    pub path: &'static str,
    /// The first lines of a recording; empty for other files.
    pub head: &'static str,
    /// The start and the end of each block in [`PACKED`], and its unpacked length.
    blocks: &'static [(usize, usize, usize)],
}

impl Entry {
    /// Returns the files in the order of their paths. There are none without the feature `recordings`.
    pub fn all() -> &'static [Self] {
        ENTRIES
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Unpacks a block: [`BLOCK`] lines of a recording, or a whole file of another kind. A behaviour is JSON instead of YAML.
    ///
    /// # Panics
    ///
    /// Panics if `number` is not less than [`Self::blocks`].
    pub fn block(&self, number: usize) -> String {
        let (start, end, length) = self.blocks[number];
        let mut text = String::with_capacity(length);
        // The build script packed it, so it can be unpacked.
        let read = ZlibDecoder::new(&PACKED[start..end]).read_to_string(&mut text);
        read.map(|_| text).unwrap_or_else(|error| unreachable!("{}: {error}", self.path))
    }

    /// Unpacks the whole file.
    pub fn text(&self) -> String {
        (0..self.blocks()).fold(self.head.to_owned(), |text, number| text + &self.block(number))
    }
}
