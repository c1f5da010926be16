//! `engine`: lists, installs, tests, records and serves engines.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::{EngineFolder, FOLDERS, REDIRECTS, URLS};
use urlstrata_harness::engine::installation::{not_installed, on_this_machine};
use urlstrata_harness::engine::{self, Engine, Passed, Process, Relation};
use urlstrata_harness::escape::visible;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::{redirects, urls};
use urlstrata_harness::world::World;

use self::statements::Scope;
use super::checks::CheckFormat;
use super::select::{observer, unlisted};
use super::{Ended, Failure, Finding, Format, working};

mod check;
mod compare_steps;
mod diff;
mod fit;
mod host_characters;
mod import;
mod list;
mod new;
mod record;
mod statements;
mod steps;

#[derive(Subcommand)]
#[command(after_long_help = PROGRAMS)]
pub(super) enum EngineCommand {
    /// List all engines: those in this process, and those that are recorded or can be installed
    List {
        /// Output format; JSON also has the licenses, the calls and the ways to install
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Install versions of engines in the folder of --root
    Install {
        /// Engine: NAME, which is the newest version, NAME@VERSION, also one that is not listed if the registry of pip, npm or Cargo has
        /// it, or NAME@all
        #[arg(required = true)]
        names: Vec<String>,
        /// Replace versions that are installed already
        #[arg(long)]
        again: bool,
    },
    /// Run the smoke test of an engine: twelve pairs on which all specifications agree
    Smoke {
        /// Engine: a name that `engine list` shows, or `cmd:` and a command
        name: String,
    },
    /// Record the answers of installed engines to the panel, and fit the behaviour that predicts other pairs
    Record {
        /// Engine: NAME, NAME@VERSION, or NAME@all for every version that is installed
        #[arg(required = true)]
        names: Vec<String>,
        /// Folder with the engine folders; default: that of --engine-folders, or harness/engines
        #[arg(long)]
        out: Option<PathBuf>,
        /// Do not ask the 75,210 pairs of the survey
        #[arg(long)]
        panel_only: bool,
        /// Record only the components that the engines state for the URLs of `engine urls`
        #[arg(long, conflicts_with = "panel_only")]
        statements: bool,
        /// Record only where the clients connect for the URLs of `engine urls`, and where they go after its redirects
        #[arg(long, conflicts_with_all = ["panel_only", "statements"])]
        connections: bool,
        /// Record only digests of what the engines do with every character in a host, which `characters` shows
        #[arg(long, conflicts_with_all = ["panel_only", "statements", "connections"])]
        characters: bool,
        /// Ask only the URLs and redirects whose recorded request in TLS was not seen, and keep the other answers
        #[arg(long, requires = "connections")]
        hidden: bool,
        /// Ask only the URLs and redirects that contain this text, and keep the other answers
        #[arg(long, value_name = "TEXT", requires = "connections", conflicts_with = "hidden")]
        containing: Option<String>,
    },
    /// Fit the behaviour of engines, which predicts every pair, and measure it on pairs that the fit does not use
    Fit {
        /// Engine: NAME, NAME@VERSION, or NAME@all for every version that is installed
        #[arg(required = true)]
        names: Vec<String>,
        /// Folder with the engine folders; default: that of --engine-folders, or harness/engines
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Write the recording of a version whose results were published by others
    Import {
        /// Engine: NAME@VERSION, whose engine.toml has the keys `panel` and `published`
        name: String,
        /// File with a published result on each line: base, reference, and URL or `!failure`, separated by tabs and
        /// escaped as in JSON
        file: PathBuf,
        /// Folder with the engine folders; default: that of --engine-folders, or harness/engines
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Compare engines that are installed, or part of a language on this machine, with their recordings
    Check {
        /// Engine: NAME, which is every version of it, or NAME@VERSION; default: all
        names: Vec<String>,
        /// Do not compare the outcomes for the 75,210 pairs of the survey
        #[arg(long)]
        panel_only: bool,
        /// Compare also where clients connect, and where they go after a redirect, which takes minutes for each
        #[arg(long)]
        connections: bool,
        /// Output format
        #[arg(long, value_enum, default_value = "text")]
        format: CheckFormat,
    },
    /// List what changed between two versions, by cause
    Diff(diff::Arguments),
    /// Show what an engine does step by step, as its source says, and the changes between its versions
    Steps(steps::Arguments),
    /// Begin the table of steps of an engine: write that of the engine with steps that is nearest
    New(new::Arguments),
    /// Write the panel, the pairs that recordings answer; recordings of another panel are no longer valid
    Panel {
        /// File to write
        #[arg(long, default_value = "harness/engines/panel.tsv")]
        out: PathBuf,
    },
    /// Write the URLs that engines are asked to split and to request, and the redirects that clients are asked to follow; recordings of
    /// others are no longer valid
    Urls {
        /// Folder to write to
        #[arg(long, default_value = FOLDERS)]
        out: PathBuf,
    },
    /// Serve an engine over the engine protocol, on standard input and output
    Serve {
        /// Engine: a name that `engine list` shows, or `cmd:` and a command
        name: String,
    },
    /// Run a client where every address leads to this program, and serve the engine protocol: where does it connect, and what does
    /// it send?
    Observe {
        /// Client: a program with the operations `connect` and `follow` of the engine protocol, and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

// Each paragraph is one line, because clap wraps it at the width of the terminal.
const PROGRAMS: &str = r#"A program in any language is an engine if it speaks the engine protocol: one JSON object a line on standard input and output. Name it wherever an engine is named, with its arguments, quoted as for a shell: -e "cmd:python3 shim.py", or -e "py=cmd:python3 shim.py" to give it a name. It writes the first line, and then answers each request once, in any order; up to 64 requests are open at a time. Requests are ASCII, answers may be UTF-8:

  engine   {"protocol":1,"engine":"urllib.parse","version":"3.11.7","ops":["resolve"]}
  harness  {"id":1,"op":"resolve","base":"http://a/b/c","reference":"../g"}
  engine   {"id":1,"url":"http://a/g"}
       or  {"id":1,"failure":"no scheme"}       the library rejects the input: this is an answer
       or  {"id":1,"bytes":"687474703a2f2f61"}  the URL as bytes in hexadecimal, if the library returns bytes
       or  {"id":1,"unrepresentable":"NUL"}     the library cannot be called with this input
       or  {"id":1,"skipped":"out of order"}    not an answer, with a reason
  harness  {"id":2,"op":"parse","url":"http://a/g"}
  engine   {"id":2,"parts":{"scheme":"http","host":"a","path":"/g","query":null}}

The first line may also have "native" (the call in the library's language), "mode", "lineage" (the parser, if several libraries share it) and "options". An unknown base is empty. An engine is asked only for the operations that it lists: "parse" is the question of `hosts` without a base, and of `confuse`.

An HTTP client lists "connect" and "follow". It requests the URL, without following redirects or with, and answers {"id":3,"done":true} or with its failure. It runs in a private network namespace in which every address leads to this program, which adds where the client connects and what it sends. That needs Linux, and neither privileges nor a network. If the program openssl is found, it completes TLS; without it, only the name of the server in TLS is seen.

The program must not change anything that its library does not: no trimming, no lower case, no encoding. Standard error is free for notes; it is shown after a crash. The program ends when its input ends. It has ten seconds for its first line and five seconds for each answer; after ten timeouts, half a second. After a crash or a timeout it is started again, and the requests that were open are asked one at a time. It must pass `engine smoke` before its results are used."#;

pub(super) fn engine(
    command: &EngineCommand,
    engine_folders: Option<&Path>,
    world: World,
    out: &mut dyn Write,
) -> Ended {
    let folder_of = |own: &Option<PathBuf>| own.as_deref().or(engine_folders).unwrap_or(Path::new(FOLDERS)).to_owned();
    match command {
        EngineCommand::List { format } => list::list(*format, &world, out)?,
        EngineCommand::Install { names, again } => return install(names, *again, &world, out),
        EngineCommand::Smoke { name } => smoke(name, &world, out)?,
        EngineCommand::Record { names, out: folder, statements: true, .. } => {
            return statements::record(names, (&[Op::Parse], Scope::All), &folder_of(folder), &world, out);
        }
        EngineCommand::Record { names, out: folder, connections: true, hidden, containing, .. } => {
            let scope = match containing {
                Some(text) => Scope::Containing(text),
                None if *hidden => Scope::Hidden,
                None => Scope::All,
            };
            return statements::record(names, (&[Op::Connect, Op::Follow], scope), &folder_of(folder), &world, out);
        }
        EngineCommand::Record { names, out: folder, characters: true, .. } => {
            return host_characters::record(names, &folder_of(folder), &world, out);
        }
        EngineCommand::Record { names, out: folder, panel_only, .. } => {
            let folder = folder_of(folder);
            let options = record::Options { folder: &folder, with_survey: !*panel_only };
            return record::record(names, &options, &world, out);
        }
        EngineCommand::Fit { names, out: folder } => return fit::fit(names, &folder_of(folder), &world, out),
        EngineCommand::Import { name, file, out: folder } => {
            return import::import(name, file, &folder_of(folder), &world, out);
        }
        EngineCommand::Check { names, panel_only, connections, format } => {
            let options = check::Options { with_survey: !*panel_only, with_connections: *connections };
            return check::check(names, &options, *format, &world, out);
        }
        EngineCommand::Diff(arguments) => return diff::diff(arguments, world, out),
        EngineCommand::Steps(arguments) => return steps::steps(arguments, &world, out),
        EngineCommand::New(arguments) => return new::new(arguments, &folder_of(&arguments.out), &world, out),
        EngineCommand::Panel { out: path } => {
            let panel = urlstrata_harness::survey::panel::panel(world.suite()?);
            write_file(path, &panel.text())?;
            writeln!(out, "{}: {} pairs", path.display(), panel.pairs().len())?;
        }
        EngineCommand::Urls { out: path } => {
            let panels = [(URLS, urls::panel(), "URLs"), (REDIRECTS, redirects::panel(), "redirects")];
            for (file, panel, what) in panels {
                let path = path.join(file);
                write_file(&path, &panel.text())?;
                writeln!(out, "{}: {} {what}", path.display(), panel.urls().len())?;
            }
        }
        EngineCommand::Serve { name } => {
            let engine = super::select::an_engine(&world, name)?;
            engine::serve(engine.as_ref(), io::stdin().lock(), &mut *out)?;
        }
        EngineCommand::Observe { command } => {
            urlstrata_wire::observe(command, io::stdin().lock(), &mut *out).map_err(Failure::Engine)?;
        }
    }
    Ok(Finding::AsExpected)
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Usage(format!("{}: {error}", path.display()));
    urlstrata_harness::files::write_whole(path, text).map_err(failed)
}

/// A version of an engine folder.
type Selected<'a> = (&'a EngineFolder, &'a EngineVersion);

/// Reads the folder of `engine` in `folder`, where its recordings are written.
///
/// # Errors
///
/// Returns a sentence if a file in it is not valid.
fn written(engine: &EngineFolder, folder: &Path) -> Result<EngineFolder, String> {
    EngineFolder::read(folder, &engine.name, (&engine.panel, &engine.panels)).map_err(|error| error.to_string())
}

/// Returns the end of a sentence about the recording `text`: the version that has the same answers, if it refers to one.
fn same_as(text: &str) -> String {
    match Relation::of(text) {
        Some(Relation::Same(other)) => format!(", the same as {other}"),
        _ => String::new(),
    }
}

/// Returns the versions that `names` select: NAME is the newest version, or all versions if `all` is true.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if the engine or the version does not exist.
fn versions<'a>(names: &[String], all: bool, world: &'a World) -> Result<Vec<Selected<'a>>, Failure> {
    let folders = world.folders()?;
    let mut selected = Vec::new();
    for name in names {
        let (folder, version) = name.split_once('@').map_or((name.as_str(), None), |(name, it)| (name, Some(it)));
        let Some(folder) = folders.named(folder) else { return Err(Failure::Usage(world.unknown(folder)?)) };
        match version {
            Some("all") => selected.extend(folder.description.versions.iter().map(|version| (folder, version))),
            None if all => selected.extend(folder.description.versions.iter().map(|version| (folder, version))),
            version => selected.push((folder, folder.version(version).map_err(Failure::Usage)?)),
        }
    }
    Ok(selected)
}

fn install(names: &[String], again: bool, world: &World, out: &mut dyn Write) -> Ended {
    let root = world.root().ok_or_else(|| Failure::Usage("name the folder with --root FOLDER".to_owned()))?;
    let mut others = Vec::new();
    let mut listed = Vec::new();
    for name in names {
        match unlisted(world, name)? {
            Some(other) => others.push(other),
            None => listed.push(name.clone()),
        }
    }
    let mut selected = versions(&listed, false, world)?;
    selected.extend(others.iter().map(|(folder, version)| (*folder, version)));
    let mut failed = Vec::new();
    for &(folder, version) in &selected {
        let key = folder.key(version);
        if !again && let Some(found) = root.find(folder, version) {
            match found {
                Ok(_) => writeln!(out, "{key}: already installed")?,
                Err(why) => failed.push(why),
            }
            continue;
        }
        let is_named = names.iter().any(|name| *name == key || *name == folder.name);
        if let Some(why) = not_installed(version).filter(|_| !is_named) {
            writeln!(out, "{key}: left out: {why}")?;
            continue;
        }
        let progress = working(format!("{key}: installing"));
        let installed = root.install(folder, version, &|step| progress.set_message(format!("{key}: {step}")));
        progress.finish_and_clear();
        match installed {
            Ok(()) => writeln!(out, "{key}: installed")?,
            Err(why) => {
                writeln!(out, "{key}: failed")?;
                failed.push(why);
            }
        }
        out.flush()?;
    }
    match failed.is_empty() {
        true => Ok(Finding::AsExpected),
        false => Err(Failure::Engine(failed.join("\n"))),
    }
}

fn smoke(name: &str, world: &World, out: &mut dyn Write) -> Result<(), Failure> {
    let super::select::Selected { engine, deviates, .. } = super::select::an_untried_engine(world, name)?;
    let Passed { pairs, deviations } = engine::smoke(engine.as_ref()).map_err(Failure::Engine)?;
    let alike = pairs - deviations.len();
    let (title, version) = (visible(engine.name()), visible(engine.version()));
    if pairs == 0 {
        let does = if engine.states() { "states the components of a plain URL" } else { "requests a plain URL" };
        writeln!(out, "{title} {version}: {does}, and does not resolve")?;
        return Ok(());
    }
    writeln!(out, "{title} {version}: {alike} of {pairs} plain pairs as in every specification")?;
    for deviation in &deviations {
        let known = if deviates.iter().any(|own| own == deviation.reference) { " (engine.toml lists it)" } else { "" };
        writeln!(out, "  {deviation}{known}")?;
    }
    Ok(())
}

/// Returns the installed `version`, or the one that is part of a language on this machine. `None` if the machine has
/// neither.
///
/// # Errors
///
/// Returns [`Failure::Engine`] if the version was installed with another shim.
fn live(
    folder: &EngineFolder,
    version: &EngineVersion,
    own: &Machine,
    world: &World,
) -> Result<Option<Process>, Failure> {
    if let Some(found) = world.root().and_then(|root| root.find(folder, version)) {
        return found.map(|found| Some(found.observed_by(observer()))).map_err(Failure::Engine);
    }
    // Another version of the language may be on the machine.
    let is_asked_for = own.version_of(folder, version).is_some_and(|own| own == version.version);
    Ok(if is_asked_for { on_this_machine(folder, version).ok().map(|own| own.observed_by(observer())) } else { None })
}

/// Returns a version to be recorded: a crate in this process, or a fresh process of [`live`]. Returns `None` if it is not installed.
///
/// # Errors
///
/// Returns a sentence if the version cannot be started.
fn started(
    folder: &EngineFolder,
    version: &EngineVersion,
    own: &Machine,
    world: &World,
) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(match &version.install {
        Install::InProcess(name) => Some(engine::by_name(name)?),
        _ => {
            let process = live(folder, version, own, world).map_err(|failure| failure.to_string())?;
            process.map(|process| Box::new(process) as Box<dyn Engine>)
        }
    })
}

/// The versions of the libraries that are part of the languages on this machine, by engine.
#[derive(Default)]
struct Machine(RefCell<BTreeMap<String, Option<String>>>);

impl Machine {
    /// Returns the version of the engine that is part of a language on this machine; `None` if the
    /// machine does not have the engine.
    fn version_of(&self, folder: &EngineFolder, version: &EngineVersion) -> Option<String> {
        let found = || {
            let process = on_this_machine(folder, version).ok()?;
            process.ready().ok().map(|()| process.version().to_owned())
        };
        self.0.borrow_mut().entry(folder.name.clone()).or_insert_with(found).clone()
    }
}

/// Runs the smoke test of `engine`, and checks that it is the version that was asked for and deviates only as stated.
///
/// # Errors
///
/// Returns a sentence if the engine fails.
fn tried(folder: &EngineFolder, version: &EngineVersion, engine: &dyn Engine) -> Result<(), String> {
    let key = folder.key(version);
    engine.ready()?;
    if engine.version() != version.version {
        return Err(format!(
            "{key} reports the version {}, and {} was asked for",
            visible(engine.version()),
            version.version
        ));
    }
    let passed = engine::smoke(engine)?;
    let stated = &folder.description.deviates;
    match passed.deviations.iter().find(|deviation| !stated.iter().any(|own| own == deviation.reference)) {
        Some(new) => Err(format!("{key} deviates on a plain pair that `deviates` in engine.toml does not list: {new}")),
        None => Ok(()),
    }
}
