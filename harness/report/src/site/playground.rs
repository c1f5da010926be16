//! The playground: its page, its module and what it knows of engines.

use std::io::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use urlstrata_harness::engine;
use urlstrata_harness::escape::is_invisible;
use urlstrata_harness::world::World;

const SCRIPT: &str = include_str!("playground.js");

/// Pairs to which the page links: bases and references.
const EXAMPLES: [(&str, &str); 6] = [
    ("http://www.victim.com/login", "///evil.com"),
    ("", r"http://127.0.0.1:6666\@1.1.1.1"),
    ("http://a/b/c/d;p?q", "?y"),
    ("http://a/b/c/d;p?q", "http:g"),
    ("http://a/b", "../../\u{202e}x y"),
    ("file:///C:/a/b", "/D|/x"),
];

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct Playground {
    /// The script with the module and its data.
    #[serde(skip)]
    pub(super) script: String,
    /// The crates that are part of the module.
    crates: Vec<String>,
    /// The engines whose results are predicted.
    predicted: Vec<String>,
    examples: [(&'static str, &'static str); 6],
}

impl Playground {
    /// Creates the playground from its WebAssembly module, and from what `world` knows of engines.
    ///
    /// # Errors
    ///
    /// Returns a sentence if it cannot be compressed.
    pub(crate) fn new(world: &World, module: &[u8]) -> Result<Self, String> {
        let knowledge = serde_json::to_vec(&world.knowledge().map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let [module, knowledge] = [module, &knowledge].map(|bytes| packed(bytes).map_err(|error| error.to_string()));
        let script = format!("globalThis.urlstrata = {{ module: \"{}\", knowledge: \"{}\" }};\n", module?, knowledge?);
        let crates = engine::all().into_iter().filter(|it| it.revision().is_none() && !it.is_optional());
        Ok(Self {
            script,
            crates: crates.map(|it| it.name().to_owned()).collect(),
            predicted: world
                .predicted_engines()
                .map_err(|error| error.to_string())?
                .iter()
                .map(|it| it.engine.clone())
                .collect(),
            examples: EXAMPLES,
        })
    }
}

/// Compresses `bytes` and writes them as text.
fn packed(bytes: &[u8]) -> std::io::Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

/// Returns the script of the page.
pub(super) fn script() -> String {
    SCRIPT.replace("[INVISIBLE]", &invisible_characters())
}

/// Returns the invisible characters as a character class of a regular expression of JavaScript.
fn invisible_characters() -> String {
    let mut class = String::from("[");
    let mut run: Option<[char; 2]> = None;
    for character in ('\0'..=char::MAX).map(Some).chain([None]) {
        let is_invisible = character.is_some_and(is_invisible);
        run = match (run, character) {
            (Some([first, _]), Some(last)) if is_invisible => Some([first, last]),
            (None, Some(first)) if is_invisible => Some([first, first]),
            (ended, _) => {
                if let Some([first, last]) = ended {
                    class += &format!("\\u{{{:x}}}-\\u{{{:x}}}", first as u32, last as u32);
                }
                None
            }
        };
    }
    class + "]"
}
