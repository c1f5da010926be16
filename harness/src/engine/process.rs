//! An engine in another process, asked through a pipe.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::{Components, Engine, Outcome, PROGRAM};
use crate::outcome::Violations;
use crate::protocol::{End, Hello, Request};

mod running;
mod tail;

use running::{NoAnswer, Running};

/// How long an engine may take, in real time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From its start to its hello.
    pub hello: Duration,
    /// From a request to the answer.
    pub answer: Duration,
}

impl Default for Limits {
    /// Ten seconds and five.
    fn default() -> Self {
        Self { hello: Duration::from_secs(10), answer: Duration::from_secs(5) }
    }
}

/// A program that speaks the engine protocol on its standard input and output.
///
/// It starts when it is first asked, and again for the next case after it has crashed or taken too long; what it did then is
/// the outcome of the case. It is asked one request at a time, however many threads ask, as a case wants its answer before the
/// next is known; nothing is waited for but the answer. When it is dropped its input ends; if it stays, it is killed with all of
/// its process group, and reaped. If this process is killed first, its input ends, and no more.
///
/// Whatever it does with its pipes, nobody waits longer than the limits, and what is kept of its output is bounded. That it
/// ended after an answer is known only if it shows before the next request; else that request has crashed.
pub struct Process {
    /// `cmd:` and the command, after the name and `=` if it was given one.
    key: String,
    name: Option<String>,
    words: Vec<String>,
    limits: Limits,
    listener: Option<Listener>,
    hello: OnceLock<Hello>,
    state: Mutex<State>,
}

/// Who is told what it does against the protocol.
type Listener = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct State {
    running: Option<Running>,
    violations: Violations,
}

impl Process {
    /// The engine that `command` starts: a program and its arguments, with quotes as a shell has them, but without a shell.
    ///
    /// # Errors
    ///
    /// If there is no program in `command`, or a quote is not closed.
    pub fn new(command: &str) -> Result<Self, String> {
        let key = format!("{PROGRAM}{command}");
        let words =
            shlex::split(command).ok_or_else(|| format!("{key}: a quote or a backslash at its end is left open"))?;
        if words.is_empty() {
            return Err(format!("{key} names no program: write {PROGRAM}PROGRAM ARGUMENTS"));
        }
        let (hello, state) = (OnceLock::new(), Mutex::default());
        Ok(Self { key, name: None, words, limits: Limits::default(), listener: None, hello, state })
    }

    /// With a name of the user's, in place of the one in its first line.
    #[must_use]
    pub fn named(self, name: Option<&str>) -> Self {
        let Some(name) = name else { return self };
        Self { key: format!("{name}={}", self.key), name: Some(name.to_owned()), ..self }
    }

    /// With other limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// With someone to tell what it does against the protocol: the first [`Violations::KEPT`] sentences, as they come.
    #[must_use]
    pub fn reporting(self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Box::new(listener)), ..self }
    }

    /// What it says of itself, after a start if it has not run yet.
    ///
    /// # Errors
    ///
    /// Why it does not start.
    pub fn hello(&self) -> Result<&Hello, String> {
        if self.hello.get().is_none() {
            self.running(&mut self.state())?;
        }
        self.hello.get().ok_or_else(|| format!("{} has said nothing of itself", self.key))
    }

    fn ask(&self, request: Request<'_>) -> End {
        let mut state = self.state();
        let running = match self.running(&mut state) {
            Ok(running) => running,
            Err(why) => return End::Crash(why),
        };
        if !running.offers(request.op()) {
            return End::Skipped(format!("no such operation: it does not offer {}", request.op().name()));
        }
        let asked = running.ask(request, self.limits.answer);
        let violations = running.take_violations();
        let end = match asked {
            Ok(end) => end,
            Err(no_answer) => {
                let odd = violations.first().first().map_or(String::new(), |first| format!("; {first}"));
                let why = format!("{}{odd}", running.reap(no_answer, self.limits.answer));
                state.running = None;
                match no_answer {
                    NoAnswer::Ended => End::Crash(why),
                    NoAnswer::TooLong => End::Timeout(why),
                }
            }
        };
        self.note(&mut state.violations, violations);
        end
    }

    /// The process, started if there is none.
    fn running<'a>(&self, state: &'a mut State) -> Result<&'a mut Running, String> {
        if let Some(running) = &mut state.running
            && !running.drain()
        {
            let mut violations = running.take_violations();
            violations.add(&format!("between two requests: {}", running.reap(NoAnswer::Ended, self.limits.answer)));
            self.note(&mut state.violations, violations);
            state.running = None;
        }
        if state.running.is_none() {
            let running =
                Running::start(&self.words, self.limits.hello).map_err(|why| format!("{} {why}", self.key))?;
            let hello = running.hello().clone();
            if *self.hello.get_or_init(|| hello.clone()) != hello {
                let mut violations = Violations::default();
                violations.add("started again, it says something else of itself");
                self.note(&mut state.violations, violations);
            }
            state.running = Some(running);
        }
        state.running.as_mut().ok_or_else(|| format!("{} is not running", self.key))
    }

    fn note(&self, all: &mut Violations, new: Violations) {
        let told = all.first().len();
        let new = all.extend(new);
        let Some(listener) = &self.listener else { return };
        new.iter().for_each(|sentence| listener(sentence));
        if told < Violations::KEPT && all.first().len() == Violations::KEPT {
            listener("what more it does against the protocol is not told");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Process {
    /// As the user named it, or else as its first line states it; the command before it has started.
    fn name(&self) -> &str {
        if let Some(name) = &self.name {
            return name;
        }
        self.hello.get().map(|hello| hello.engine.as_str()).filter(|name| !name.is_empty()).unwrap_or(&self.key)
    }

    fn key(&self) -> &str {
        &self.key
    }

    /// As its first line states it; it is started for that.
    fn version(&self) -> &str {
        self.hello().map_or("unknown", |hello| &hello.version)
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        self.ask(Request::Resolve { base, reference }).into()
    }

    fn parse(&self, url: &str) -> Components {
        self.ask(Request::Parse { url }).into()
    }

    fn ready(&self) -> Result<(), String> {
        self.hello().map(|_| ())
    }

    fn violations(&self) -> Violations {
        self.state().violations.clone()
    }
}
