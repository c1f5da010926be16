//! Selects engines, revisions and specifications by the names in arguments.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use clap::Args;
use urlstrata::revision::Revision;
use urlstrata_harness::engine::description::{EngineVersion, Install};
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::engine::installation::on_this_machine;
use urlstrata_harness::engine::{self, Engine, Process};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::specification::{Specification, not_compared};
use urlstrata_harness::names::{revision_named, unknown_revision};
use urlstrata_harness::world::{Readable, World};
use urlstrata_wire::UNOBSERVED;

use super::progress::{Counted, Progress};
use super::{Failure, Finding};

/// Returns the engines called `names`, or, if `names` is empty, those in this process for which `default` returns true. Of several names of
/// the same engine, version and source of answers, the first one counts.
///
/// # Errors
///
/// Returns an error if [`an_engine`] does.
pub(super) fn engines_or(
    world: &World,
    names: &[String],
    default: fn(&dyn Engine) -> bool,
) -> Result<Vec<Box<dyn Engine>>, Failure> {
    if names.is_empty() {
        return Ok(engine::all().into_iter().filter(|engine| default(engine.as_ref())).collect());
    }
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for name in names {
        let engine = an_engine(world, name)?;
        if !engines.iter().any(|own| is_same(own.as_ref(), engine.as_ref())) {
            engines.push(engine);
        }
    }
    Ok(engines)
}

/// Returns whether two names select one engine, which would be listed twice: an installed one can be named with and without `live:`.
fn is_same(one: &dyn Engine, other: &dyn Engine) -> bool {
    let [one, other] = [one, other].map(|engine| (engine.key(), engine.version(), engine.source("http://a/b", "c")));
    one == other
}

/// Returns the engine called `name`. A program or an installed engine is started and must pass the smoke test; its
/// deviations in that test are reported on standard error.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if there is no such engine or its command is not valid, and [`Failure::Engine`] if it
/// does not pass the smoke test.
pub(super) fn an_engine(world: &World, name: &str) -> Result<Box<dyn Engine>, Failure> {
    let Selected { engine, is_process, deviates, recorded } = an_untried_engine(world, name)?;
    if is_process {
        let passed = match (engine::smoke(engine.as_ref()), recorded) {
            (Err(why), Some(key)) if !observes() => {
                let _ = writeln!(io::stderr(), "urlstrata: {}: the recording answers instead", visible(&why));
                return Ok(world.engine(&key)?);
            }
            (passed, _) => passed.map_err(Failure::Engine)?,
        };
        for deviation in passed.deviations.iter().filter(|it| deviates.iter().all(|own| own != it.reference)) {
            let _ = writeln!(io::stderr(), "urlstrata: {name} deviates on a plain pair: {deviation}");
        }
    }
    Ok(engine)
}

/// An engine that has not been tested.
pub(super) struct Selected {
    pub(super) engine: Box<dyn Engine>,
    /// Whether the engine runs in another process.
    pub(super) is_process: bool,
    /// The references of the smoke test for which the library is known to deviate.
    pub(super) deviates: Vec<String>,
    /// The recorded version that is asked, if it was named without saying that it is to be asked.
    recorded: Option<String>,
}

impl Selected {
    fn program(engine: Box<dyn Engine>, deviates: Vec<String>) -> Self {
        Self { engine, is_process: true, deviates, recorded: None }
    }

    /// An engine that answers in this process.
    fn answered(engine: Box<dyn Engine>) -> Self {
        Self { engine, is_process: false, deviates: Vec::new(), recorded: None }
    }
}

/// The prefix of the name of an engine that is asked: installed, or part of a language on this machine, whichever version that is.
const LIVE: &str = "live:";

/// Returns the engine called `name` like [`an_engine`], but without the smoke test. Violations of the protocol by a
/// program are reported on standard error.
///
/// # Errors
///
/// Returns [`Failure::Usage`] if there is no such engine or its command is not valid.
pub(super) fn an_untried_engine(world: &World, name: &str) -> Result<Selected, Failure> {
    if let Some((given, command)) = engine::program(name) {
        let program = Process::new(command).map_err(Failure::Usage)?.named(given).observed_by(observer());
        return Ok(Selected::program(reported(name, program), Vec::new()));
    }
    let may_be_alias = !name.contains(':') || name.contains("::") || name.starts_with(LIVE);
    if may_be_alias && let Some(own) = world.unaliased(name)? {
        let bare = own.strip_prefix(LIVE).unwrap_or(&own);
        let folder = world.folders()?.named(bare.split('@').next().unwrap_or_default());
        let call = folder
            .map(|folder| &folder.description)
            .map_or("", |it| if it.native.is_empty() { &it.states } else { &it.native });
        let _ = writeln!(io::stderr(), "urlstrata: {name} is the engine {own}: {call}");
        return an_untried_engine(world, &own);
    }
    let live = name.strip_prefix(LIVE);
    if let Some(own) = live {
        let selected = world.folders()?.select(own).map_err(Failure::Usage)?;
        let Some((folder, version)) = selected else { return Err(Failure::Usage(world.unknown(own)?)) };
        let deviates = folder.description.deviates.clone();
        let found = world.root().and_then(|root| root.find(folder, version));
        let is_asked = |process: &Process| !own.contains('@') || process.version() == version.version;
        let of_machine = || {
            let process = on_this_machine(folder, version)?;
            process.ready()?;
            let other = || format!("{} on this machine is {}", folder.name, visible(process.version()));
            if is_asked(&process) { Ok(process) } else { Err(other()) }
        };
        let found = found.unwrap_or_else(of_machine);
        let remedy = format!("urlstrata engine install {} --root FOLDER installs it", folder.key(version));
        let found = found.and_then(|process| process.ready().map(|()| process.observed_by(observer())));
        let found = found.map_err(|why| Failure::Engine(format!("{why}: {remedy}")))?;
        return Ok(Selected::program(reported(name, found), deviates));
    }
    // The name of a folder has no colon.
    if !name.contains(':')
        && let Some((folder, version)) = unlisted(world, name)?
    {
        let missing = || {
            let remedy = format!("urlstrata engine install {name} --root FOLDER installs it if the registry has it");
            Failure::Usage(format!("{name} is neither recorded nor installed: {remedy}"))
        };
        let Some(found) = world.root().and_then(|root| root.find(folder, &version)) else {
            let steps = world.unlisted_steps(name)?.ok_or_else(missing)?;
            return Ok(Selected::answered(world.engine_by_steps(steps)?));
        };
        let engine = reported(name, found.map_err(Failure::Engine)?.observed_by(observer()));
        return Ok(Selected::program(engine, folder.description.deviates.clone()));
    }
    if !name.contains(':')
        && let Some(steps) = world.unlisted_steps(name)?
    {
        return Ok(Selected::answered(world.engine_by_steps(steps)?));
    }
    if !name.contains(':')
        && let Some((folder, version)) = world.folders()?.select(name).map_err(Failure::Usage)?
        && !matches!(version.install, Install::InProcess(_))
        && let Some(found) = world.root().and_then(|root| root.find(folder, version))
    {
        let engine = reported(name, found.map_err(Failure::Engine)?.observed_by(observer()));
        // Its behaviour explains what it returns.
        world.behaviour_file(&folder.key(version))?;
        let selected = Selected::program(engine, folder.description.deviates.clone());
        return Ok(Selected { recorded: Some(folder.key(version)), ..selected });
    }
    let engine = world.engine(name)?;
    if engine.name() != name && engine.revision().is_some() && !name.contains(':') {
        let _ = writeln!(io::stderr(), "urlstrata: {name} is the specification {}", engine.name());
    }
    Ok(Selected::answered(engine))
}

/// Returns the folder and the version if `name` is NAME@VERSION, the folder does not list the version, and a registry may have it.
///
/// # Errors
///
/// Returns [`Failure::Input`] if the engine folders cannot be read.
pub(super) fn unlisted<'w>(world: &'w World, name: &str) -> Result<Option<(&'w EngineFolder, EngineVersion)>, Failure> {
    let Some((name, version)) = name.split_once('@') else { return Ok(None) };
    let folder = world.folders()?.engines.iter().find(|folder| folder.name == name);
    Ok(folder.and_then(|folder| Some((folder, folder.unlisted(version)?))))
}

/// Returns the command that observes a client: this program. Empty if the file of this program is not known.
pub(super) fn observer() -> Vec<String> {
    let program = std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok());
    program.map_or_else(Vec::new, |program| [program, "engine".into(), "observe".into(), "--".into()].to_vec())
}

/// Returns whether clients can be observed on this machine, which needs namespaces. Where they cannot, programs in folders of their own cannot
/// be run either.
fn observes() -> bool {
    let words = observer();
    let Some((program, arguments)) = words.split_first() else { return false };
    // The observer says so before it starts a client.
    let output = Command::new(program).args(arguments).arg("true").stdin(Stdio::null()).output();
    output.is_ok_and(|output| !String::from_utf8_lossy(&output.stdout).contains(UNOBSERVED))
}

/// Returns an engine whose violations of the protocol are reported on standard error.
fn reported(name: &str, program: Process) -> Box<dyn Engine> {
    let label = format!("urlstrata: {name}");
    Box::new(program.reporting(move |violation| drop(writeln!(io::stderr(), "{label}: {violation}"))))
}

/// Returns the revision that people call `name`, for an argument.
///
/// # Errors
///
/// Returns a sentence with the nearest names if there is no such revision.
pub(super) fn a_revision(name: &str) -> Result<&'static Revision, String> {
    revision_named(name).ok_or_else(|| unknown_revision(name))
}

/// Returns the specification that people call `name`, for an argument: a revision that resolves references, or the URL Standard.
///
/// # Errors
///
/// Returns a sentence if there is no such specification, or if it does not define how references are resolved.
pub(super) fn a_specification(name: &str) -> Result<Specification, String> {
    Specification::named(name)
}

/// Returns `world` with `engines` under test. With `--fit`, it first fits a behaviour to each engine of which nothing is known.
///
/// # Errors
///
/// Returns [`Failure::Engine`] if no behaviour describes an engine.
pub(super) fn complete(mut world: World, engines: Vec<Box<dyn Engine>>, fit: &Fit) -> Result<World, Failure> {
    for engine in engines.iter().filter(|_| fit.fit) {
        if world.model_of(engine.as_ref()).is_empty() {
            let progress = Progress::new(&format!("fitting {}", engine.name()), "questions", None);
            world.fit(&Counted { engine: engine.as_ref(), progress: &progress }).map_err(Failure::Engine)?;
        }
    }
    Ok(world.with_engines(engines))
}

/// Returns `world` with the recorded engines in addition. An engine with a file that is not valid is reported on standard error
/// and left out, and `finding` is set to [`Finding::BadInput`].
///
/// # Errors
///
/// Returns [`Failure::Input`] if the engine folders cannot be read.
pub(super) fn with_recorded(world: World, finding: &mut Finding) -> Result<World, Failure> {
    let Readable { engines, errors } = world.readable_engines()?;
    for error in errors {
        *finding = Finding::BadInput;
        let _ = writeln!(io::stderr(), "urlstrata: {error}: the engine is left out");
    }
    Ok(world.with_others(engines))
}

/// A specification or an engine to compare an engine with.
pub(super) enum Target {
    /// A specification.
    Specification(Specification),
    /// Another engine.
    Engine(Box<dyn Engine>),
}

/// Returns the specification that people call `name`, or else the engine called `name`.
///
/// # Errors
///
/// Returns an error if `name` is a revision that does not define how references are resolved, or if [`an_engine`] does.
pub(super) fn target(world: &World, name: &str) -> Result<Target, Failure> {
    if let Some(revision) = revision_named(name) {
        let specification = Specification::of(revision);
        return specification.map(Target::Specification).ok_or_else(|| Failure::Usage(not_compared(revision)));
    }
    an_engine(world, name).map(Target::Engine)
}

/// Options of commands that attribute divergences.
#[derive(Args)]
pub(super) struct Fit {
    /// First fit a behaviour to each engine of which nothing is known, by tens of thousands of questions
    #[arg(long)]
    pub(super) fit: bool,
}
