//! Builds the WebAssembly module of the playground.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Failure;

const TARGET: &str = "wasm32-unknown-unknown";
const MANIFEST: &str = "harness/playground/Cargo.toml";
/// A folder of its own, because the compiler may be another one than that of the command.
const FOLDER: &str = "target/playground";

/// Builds the module with Cargo in the current folder, which must be that of the repository, and returns its bytes. The
/// environment variables `CARGO` and `RUSTC` select other programs, as for Cargo.
///
/// # Errors
///
/// Returns [`Failure::Usage`] with a remedy if the current folder is another one, the compiler has no standard library for
/// WebAssembly, or the build fails.
pub(super) fn build() -> Result<Vec<u8>, Failure> {
    if !Path::new(MANIFEST).is_file() {
        let remedy = "run this in a clone of the repository of urlstrata, or leave out --playground";
        return Err(Failure::Usage(format!("the playground is built from {MANIFEST}, which is not here: {remedy}")));
    }
    let program = |variable: &str, default: &str| env::var_os(variable).unwrap_or_else(|| OsString::from(default));
    let mut compiler = Command::new(program("RUSTC", "rustc"));
    let library = compiler.args(["--print", "target-libdir", "--target", TARGET]).stderr(Stdio::null()).output();
    let library = library.map_err(|error| Failure::Usage(format!("rustc cannot be started: {error}")))?;
    if !Path::new(String::from_utf8_lossy(&library.stdout).trim()).is_dir() {
        let remedy = "`rustup target add wasm32-unknown-unknown` installs it; without rustup, it is a package such as Debian's libstd-rust-dev-wasm32";
        return Err(Failure::Usage(format!("the Rust compiler has no standard library for {TARGET}: {remedy}")));
    }
    let mut cargo = Command::new(program("CARGO", "cargo"));
    cargo.args(["build", "--quiet", "--profile", "playground", "--target", TARGET]);
    cargo.args(["--manifest-path", MANIFEST, "--target-dir", FOLDER]);
    cargo.env("RUSTFLAGS", flags());
    let status = cargo.status().map_err(|error| Failure::Usage(format!("cargo cannot be started: {error}")))?;
    if !status.success() {
        return Err(Failure::Usage(format!("the playground cannot be built: cargo ended with {status}")));
    }
    let path = Path::new(FOLDER).join(TARGET).join("playground/urlstrata_playground.wasm");
    std::fs::read(&path).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
}

/// Returns the flags of the compiler: those of the environment, and others that remove the paths of this machine from the module,
/// because messages of panics contain them.
fn flags() -> OsString {
    let mut flags = env::var_os("RUSTFLAGS").unwrap_or_default();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let here = env::current_dir().ok();
    for (folder, name) in [(home, "cargo"), (here, "urlstrata")] {
        // Flags are separated by spaces, so a folder with a space cannot be named.
        if let Some(folder) = folder.filter(|folder| !folder.to_string_lossy().contains(' ')) {
            flags.push(" --remap-path-prefix=");
            flags.push(folder);
            flags.push(format!("={name}"));
        }
    }
    flags
}
