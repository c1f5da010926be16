//! `engine record --statements` and `--connections`: record what engines state about URLs, where clients connect, and where they go after
//! a redirect. `engine check` compares them.

use std::io::Write;
use std::path::{Path, PathBuf};

use urlstrata_harness::engine::description::EngineVersion;
use urlstrata_harness::engine::folder::{EngineFolder, STATEMENTS};
use urlstrata_harness::engine::locate::{IN_REQUEST, is_hidden};
use urlstrata_harness::engine::recording::escape;
use urlstrata_harness::engine::statement::{Statements, is_same};
use urlstrata_harness::engine::{Engine, answers, ask_urls};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

use super::Machine;
use super::record::not_live;
use crate::cli::progress::{Counted, Progress};
use crate::cli::{Ended, Failure};

/// The URLs and redirects that are asked. The recorded answers to others are kept.
#[derive(Clone, Copy)]
pub(super) enum Scope<'a> {
    /// All of the panel.
    All,
    /// Those whose recorded request in TLS was not seen.
    Hidden,
    /// Those that contain this text.
    Containing(&'a str),
}

/// Records the answers to `ops` of the engines called `names` in `folder`.
pub(super) fn record(
    names: &[String],
    (ops, scope): (&[Op], Scope<'_>),
    folder: &Path,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let own = Machine::default();
    super::record::each(names, world, out, |engine, version| {
        let mut sentences = Vec::new();
        for &op in ops {
            let asked = Asked { engine, version, op, scope, folder };
            let Some(sentence) = asked.record(&own, world)? else { return Ok(None) };
            sentences.push(sentence);
        }
        Ok(Some(sentences.join("\n")))
    })
}

/// A question that a version is asked, and the folder with the recordings.
struct Asked<'a> {
    engine: &'a EngineFolder,
    version: &'a EngineVersion,
    op: Op,
    scope: Scope<'a>,
    folder: &'a Path,
}

/// The answers to keep, one for each URL, and the numbers of the URLs to ask.
type Kept = (Vec<Components>, Vec<usize>);

impl Asked<'_> {
    /// Records the answers, and returns a sentence about the recording. Returns `None` if the version is not installed.
    fn record(&self, own: &Machine, world: &World) -> Result<Option<String>, String> {
        let &Self { engine, version, op, folder, .. } = self;
        let key = engine.key(version);
        let urls = engine.panels.of(op);
        if urls.urls().is_empty() {
            return Err("the engine folders do not contain URLs: write them with `urlstrata engine urls`".to_owned());
        }
        let Some((mut all, numbers)) = self.asked()? else {
            let what = if let Scope::Hidden = self.scope { "hidden in TLS" } else { "of this kind" };
            return Ok(Some(format!("{key}: left out: no request of {} is {what}", op.name())));
        };
        let start = || super::started(engine, version, own, world);
        let Some(first) = start()? else { return Ok(None) };
        super::tried(engine, version, first.as_ref())?;
        if !answers(first.as_ref(), op) {
            return Ok(Some(format!("{key}: left out: it does not offer {}", op.name())));
        }
        let second = start()?.ok_or_else(|| not_live(engine, version))?;
        let progress = Progress::new(&format!("recording {key}"), "URLs", Some(2 * numbers.len() as u64));
        let forwards: Vec<&str> = numbers.iter().map(|&number| urls.urls()[number].as_str()).collect();
        let backwards: Vec<&str> = forwards.iter().rev().copied().collect();
        let ask = |engine: &dyn Engine, urls: &[&str]| ask_urls(&Counted { engine, progress: &progress }, op, urls);
        // A client waits most of the time, so that both processes are asked at once.
        let (once, mut again) = match op {
            Op::Connect | Op::Follow => std::thread::scope(|scope| {
                let again = scope.spawn(|| ask(second.as_ref(), &backwards));
                (ask(first.as_ref(), &forwards), again.join().unwrap_or_default())
            }),
            Op::Resolve | Op::Parse => (ask(first.as_ref(), &forwards), ask(second.as_ref(), &backwards)),
        };
        again.reverse();
        drop(progress);
        let once = self.agreed(first.as_ref(), &forwards, once, &again)?;
        for asked in [first.as_ref(), second.as_ref()] {
            if let Some(violation) = asked.violations().first().first() {
                return Err(format!("{key} violates the protocol: {violation}"));
            }
            super::tried(engine, version, asked)?;
        }
        let answered = once.iter().filter(|statement| statement.is_ok()).count();
        let asked = once.len();
        numbers.into_iter().zip(once).for_each(|(number, answer)| all[number] = answer);
        let recording = Statements::new((&engine.name, &version.version), op, urls, &all);
        let texts = super::written(engine, folder)?.statements_texts(op, &version.version, &recording);
        let same = texts.first().map(|(_, text)| super::same_as(text)).unwrap_or_default();
        let at = |(version, text): (String, String)| (folder.join(&engine.name).join(version + suffix(op)), text);
        let files: Vec<(PathBuf, String)> = texts.into_iter().map(at).collect();
        let failed = |(path, error): (PathBuf, std::io::Error)| format!("{}: {error}", path.display());
        urlstrata_harness::files::write_all(&files).map_err(failed)?;
        let (what, how) = match op {
            Op::Resolve | Op::Parse => ("URLs", "split"),
            Op::Connect => ("URLs", "observed"),
            Op::Follow => ("redirects", "observed"),
        };
        Ok(Some(format!("{key}: {asked} {what}, {answered} {how}{same}")))
    }

    /// Returns the answers to keep, and the URLs to ask; `None` if there are none.
    fn asked(&self) -> Result<Option<Kept>, String> {
        let urls = self.engine.panels.of(self.op);
        if let Scope::All = self.scope {
            let all = urls.urls().iter().map(|_| Err(Outcome::Skipped("not asked".to_owned()))).collect();
            return Ok(Some((all, (0..urls.urls().len()).collect())));
        }
        let Some(file) = self.engine.statements(self.op, &self.version.version) else { return Ok(None) };
        let all = file.read(urls).and_then(|statements| statements.all(urls)).map_err(|error| error.to_string())?;
        let is_asked = |number: &usize| match self.scope {
            Scope::All => true,
            Scope::Hidden => all[*number].as_ref().is_ok_and(|parts| is_hidden(parts)),
            Scope::Containing(text) => urls.urls()[*number].contains(text),
        };
        let numbers: Vec<usize> = (0..all.len()).filter(is_asked).collect();
        Ok(Some((all, numbers)).filter(|(_, numbers)| !numbers.is_empty()))
    }

    /// Returns the answers if both processes gave the same ones. A client is observed while it waits for a network, so that a URL
    /// about which they differ is asked a third and a fourth time, alone.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the first difference that remains.
    fn agreed(
        &self,
        engine: &dyn Engine,
        urls: &[&str],
        mut once: Vec<Components>,
        again: &[Components],
    ) -> Result<Vec<Components>, String> {
        let differing: Vec<usize> =
            (0..once.len()).filter(|&number| again.get(number).is_none_or(|it| !is_same(&once[number], it))).collect();
        let mut remaining = Vec::new();
        for &number in &differing {
            let ask = || ask_urls(engine, self.op, &[urls[number]]).pop();
            match (self.op, ask(), ask()) {
                (Op::Connect | Op::Follow, Some(third), Some(fourth)) if is_same(&third, &fourth) => {
                    once[number] = third
                }
                _ => remaining.push(number),
            }
        }
        let Some(&first) = remaining.first() else { return Ok(once) };
        Err(format!(
            "{} is not deterministic: {} of {} differ when they are asked backwards in a fresh process, for example \"{}\"; \
             nothing is written",
            self.engine.key(self.version),
            remaining.len(),
            counted(once.len(), "answer", "answers"),
            escape(urls[first]),
        ))
    }
}

/// Returns the end of the name of a recording of answers to `op`.
fn suffix(op: Op) -> &'static str {
    STATEMENTS.into_iter().find(|(own, _)| *own == op).map_or("", |(_, suffix)| suffix)
}

/// Returns why a client cannot be observed on this machine; `None` if it can, or the engine is not a client.
pub(super) fn unobserved(engine: &dyn Engine) -> Option<String> {
    const PLAIN: &str = "http://h/x";
    let asked = engine.visits(Op::Connect).then(|| ask_urls(engine, Op::Connect, &[PLAIN]).pop());
    match asked.flatten() {
        Some(Err(Outcome::Skipped(why))) => Some(why),
        _ => None,
    }
}

/// Returns the URLs about which `engine` answers `op` otherwise than is recorded for `version`; `None` if nothing is recorded, or the
/// client cannot be observed.
///
/// # Errors
///
/// Returns [`Failure::Input`] if the recording is not valid.
pub(super) fn changed(
    folder: &EngineFolder,
    version: &EngineVersion,
    op: Op,
    engine: &dyn Engine,
) -> Result<Option<Vec<String>>, Failure> {
    let Some(file) = folder.statements(op, &version.version) else { return Ok(None) };
    let panel = folder.panels.of(op);
    let recorded = file.read(panel)?.all(panel)?;
    let urls: Vec<&str> = panel.urls().iter().map(String::as_str).collect();
    if op != Op::Parse && unobserved(engine).is_some() {
        return Ok(None);
    }
    let now = ask_urls(engine, op, &urls);
    let is_as_recorded = |number: usize, now: &Components| match (&recorded[number], now) {
        // The recording does not contain the request.
        (Ok(parts), Ok(now)) if is_hidden(parts) => {
            let is_seen = |(name, _): &&(String, Option<String>)| !IN_REQUEST.contains(&name.as_str());
            is_same(&recorded[number], &Ok(now.iter().filter(is_seen).cloned().collect()))
        }
        (recorded, now) => is_same(recorded, now),
    };
    let differs = |number: &usize| !is_as_recorded(*number, &now[*number]);
    // A client is observed while it waits, so that a difference counts if it appears again.
    let again = |number: &usize| {
        op == Op::Parse || !ask_urls(engine, op, &[urls[*number]]).iter().any(|it| is_as_recorded(*number, it))
    };
    let differing = (0..urls.len()).filter(differs).filter(again);
    Ok(Some(differing.map(|number| urls[number].to_owned()).collect()))
}
