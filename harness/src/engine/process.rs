//! An engine in another process, which receives requests through a pipe.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::installation::Program;
use super::statement::redirected;
use super::{Components, Engine, Outcome, PROGRAM, Pair};
use crate::outcome::Violations;
use crate::protocol::{End, Hello, Op, Request};

mod running;
mod tail;

use running::{NoAnswer, Running};

/// The time limits of an engine, in wall-clock time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time from the start of the process to the end of its hello line.
    pub hello: Duration,
    /// The time from a request to the answer. After ten timeouts it is a tenth of this, so that an engine with endless
    /// loops can be compared in minutes.
    pub answer: Duration,
}

/// The number of timeouts after which an engine has less time for an answer. A request may cause two of them: one among others,
/// and one alone.
const HANGS: usize = 10;

impl Default for Limits {
    /// Returns ten seconds for the hello line and five seconds for each answer.
    fn default() -> Self {
        Self { hello: Duration::from_secs(10), answer: Duration::from_secs(5) }
    }
}

/// A program that implements the engine protocol on its standard input and output.
///
/// The program starts at the first request. After a crash or a timeout it is started again for the next request; the
/// crash or timeout is the outcome of the request during which it happened. If several threads call the engine, one call
/// waits for the other.
///
/// When the `Process` is dropped, the standard input of the program is closed. If the program does not exit within a
/// second, it is killed together with its process group, and reaped. If the current process is killed first, the
/// standard input of the program is closed, but the program is not killed.
///
/// No thread that calls this engine waits longer than the limits, whatever the program does with its pipes. The amount
/// of output that is kept is bounded. If the program exits after an answer, this is detected only if it is visible
/// before the next request is sent; otherwise the outcome of the next request is a crash.
pub struct Process {
    /// `cmd:` and the command. If the user chose a name, the name and `=` come first.
    key: String,
    name: Option<String>,
    program: Program,
    limits: Limits,
    listener: Option<Listener>,
    /// The words of the command that observes a client, which the words of the client follow.
    observer: Vec<String>,
    /// The client while it is observed.
    observed: OnceLock<Box<Process>>,
    hello: OnceLock<Hello>,
    state: Mutex<State>,
}

/// A function that is called with a sentence for each protocol violation.
type Listener = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct State {
    running: Option<Running>,
    violations: Violations,
    /// The number of times that no answer arrived within the limit.
    hangs: usize,
}

/// The reason why some requests have no answer.
enum NotAnswered {
    /// The program cannot be started.
    NotStarted(String),
    /// The program crashed or did not answer in time.
    Ended(End),
}

impl From<NotAnswered> for End {
    fn from(reason: NotAnswered) -> Self {
        match reason {
            NotAnswered::NotStarted(why) => Self::Crash(why),
            NotAnswered::Ended(end) => end,
        }
    }
}

impl Process {
    /// Creates an engine for `command`, which consists of a program and its arguments. Quotes and backslashes work as
    /// in a shell, but no shell is run. The program is not started yet.
    ///
    /// # Errors
    ///
    /// Returns a sentence if `command` contains no program, if a quote is not closed, or if `command` ends with a
    /// backslash.
    pub fn new(command: &str) -> Result<Self, String> {
        let key = format!("{PROGRAM}{command}");
        let words =
            shlex::split(command).ok_or_else(|| format!("{key}: a quote or a backslash at its end is left open"))?;
        if words.is_empty() {
            return Err(format!("{key} names no program: write {PROGRAM}PROGRAM ARGUMENTS"));
        }
        Ok(Self::of(&key, Program::new(words)))
    }

    /// Creates an engine for `program`, which `key` selects. The program is not started yet.
    pub fn of(key: &str, program: Program) -> Self {
        let (hello, state, observed) = (OnceLock::new(), Mutex::default(), OnceLock::new());
        let (key, limits, observer) = (key.to_owned(), Limits::default(), Vec::new());
        Self { key, name: None, program, limits, listener: None, observer, observed, hello, state }
    }

    /// Replaces the name in the first line of the program with `name`. `None` changes nothing.
    #[must_use]
    pub fn named(self, name: Option<&str>) -> Self {
        let Some(name) = name else { return self };
        Self { key: format!("{name}={}", self.key), name: Some(name.to_owned()), ..self }
    }

    /// Sets the name under which the engine is reported; its key does not change.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// Replaces the time limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the command that observes the program if it is a client: `urlstrata engine observe`, or another program that runs the client
    /// in its arguments and adds to its answers what it saw. Without one, a client is not asked where it connects.
    #[must_use]
    pub fn observed_by(self, observer: Vec<String>) -> Self {
        Self { observer, ..self }
    }

    /// Returns the client while it is observed.
    fn observed(&self) -> &Self {
        self.observed.get_or_init(|| {
            let program = self.program.after(&self.observer);
            // The observer restarts a client that hangs, which takes longer than an answer.
            let limits = Limits { hello: Duration::from_secs(180), answer: Duration::from_secs(180) };
            Box::new(Self::of(&format!("{} observed", self.key), program).within(limits))
        })
    }

    /// Calls `listener` with each protocol violation as it happens. Only the first [`Violations::KEPT`] violations are
    /// reported; after them, a last sentence states that further violations are not reported.
    #[must_use]
    pub fn reporting(self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Box::new(listener)), ..self }
    }

    /// Returns the hello of the program. The program is started if it has not run yet.
    ///
    /// # Errors
    ///
    /// Returns a sentence with the reason if the program cannot be started or its first line is not a valid hello.
    pub fn hello(&self) -> Result<&Hello, String> {
        if self.hello.get().is_none() {
            self.running(&mut self.state())?;
        }
        self.hello.get().ok_or_else(|| format!("{} has said nothing of itself", self.key))
    }

    fn ask(&self, request: Request<'_>) -> End {
        self.ask_all(&[request]).pop().unwrap_or_else(|| End::Skipped("not asked".to_owned()))
    }

    /// Returns how each of `requests` ends, in their order.
    ///
    /// Many requests are open at a time. After a crash or a timeout, the requests that were open are asked again, one at
    /// a time, so that only the request that causes it has this outcome.
    fn ask_all(&self, requests: &[Request<'_>]) -> Vec<End> {
        let mut state = self.state();
        let mut ends: Vec<Option<End>> = requests.iter().map(|_| None).collect();
        let mut next = 0;
        while next < requests.len() {
            let window = &requests[next..];
            let asked = self.ask_window(&mut state, window, |number, end| ends[next + number] = Some(end));
            let (end, sent) = match asked {
                Ok(()) => break,
                Err((NotAnswered::NotStarted(why), _)) => {
                    // The program would most likely not start for the other requests either.
                    ends[next..].iter_mut().for_each(|end| *end = Some(End::Crash(why.clone())));
                    break;
                }
                Err((NotAnswered::Ended(end), sent)) => (end, sent),
            };
            let open: Vec<_> = (next..next + sent).filter(|&number| ends[number].is_none()).collect();
            if let [only] = open.as_slice() {
                ends[*only] = Some(end);
            } else {
                for number in open {
                    let one = &requests[number..=number];
                    let asked = self.ask_window(&mut state, one, |_, end| ends[number] = Some(end));
                    ends[number] = ends[number].take().or(asked.err().map(|(end, _)| end.into()));
                }
            }
            next += sent;
        }
        ends.into_iter().map(|end| end.unwrap_or_else(|| End::Skipped("not asked".to_owned()))).collect()
    }

    /// Asks `requests` and calls `each` with the number and the end of each of them.
    ///
    /// # Errors
    ///
    /// Returns the end of the requests without an answer, and the number of requests that were sent, if the program
    /// crashes, does not answer in time, or cannot be started.
    fn ask_window(
        &self,
        state: &mut State,
        requests: &[Request<'_>],
        mut each: impl FnMut(usize, End),
    ) -> Result<(), (NotAnswered, usize)> {
        let limit = if state.hangs < HANGS { self.limits.answer } else { self.limits.answer / 10 };
        let running = self.running(state).map_err(|why| (NotAnswered::NotStarted(why), 0))?;
        if let Some(op) = requests.iter().map(Request::op).find(|op| !running.offers(*op)) {
            let skipped = End::Skipped(format!("unsupported operation: it does not offer {}", op.name()));
            (0..requests.len()).for_each(|number| each(number, skipped.clone()));
            return Ok(());
        }
        let asked = running.ask(requests.iter().copied(), limit, each);
        let violations = running.take_violations();
        let asked = asked.map_err(|(no_answer, sent)| {
            let odd = violations.first().first().map_or(String::new(), |first| format!("; {first}"));
            let why = format!("{}{odd}", running.reap(no_answer, limit));
            let end = match no_answer {
                NoAnswer::Ended => End::Crash(why),
                NoAnswer::TooLong => End::Timeout(why),
            };
            (NotAnswered::Ended(end), sent)
        });
        if let Err((end, _)) = &asked {
            state.hangs += usize::from(matches!(end, NotAnswered::Ended(End::Timeout(_))));
            state.running = None;
        }
        self.note(&mut state.violations, violations);
        asked
    }

    /// Returns the running process. It is started if it is not running or has ended since the last request.
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
                Running::start(&self.program, self.limits.hello).map_err(|why| format!("{} {why}", self.key))?;
            let hello = running.hello().clone();
            if *self.hello.get_or_init(|| hello.clone()) != hello {
                let mut violations = Violations::default();
                violations.add("after a restart its greeting differs");
                self.note(&mut state.violations, violations);
            }
            state.running = Some(running);
        }
        state.running.as_mut().ok_or_else(|| format!("{} is not running", self.key))
    }

    fn note(&self, all: &mut Violations, new: Violations) {
        let reported = all.first().len();
        let new = all.extend(new);
        let Some(listener) = &self.listener else { return };
        new.iter().for_each(|sentence| listener(sentence));
        if reported < Violations::KEPT && all.first().len() == Violations::KEPT {
            listener("further violations of the protocol are not reported");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Process {
    /// Returns the name that the user chose, or else the name in the program's first line. Before the program has
    /// started, this is the key.
    fn name(&self) -> &str {
        if let Some(name) = &self.name {
            return name;
        }
        self.hello.get().map(|hello| hello.engine.as_str()).filter(|name| !name.is_empty()).unwrap_or(&self.key)
    }

    fn key(&self) -> &str {
        &self.key
    }

    /// Returns the version in the program's first line. The program is started if it has not run yet.
    fn version(&self) -> &str {
        self.hello().map_or("unknown", |hello| &hello.version)
    }

    fn resolve(&self, base: &str, reference: &str) -> Outcome {
        self.ask(Request::Resolve { base, reference }).into()
    }

    fn resolve_all(&self, pairs: &[Pair<'_>]) -> Option<Vec<Outcome>> {
        let requests: Vec<_> = pairs.iter().map(|&(base, reference)| Request::Resolve { base, reference }).collect();
        Some(self.ask_all(&requests).into_iter().map(Outcome::from).collect())
    }

    fn parse(&self, url: &str) -> Components {
        self.ask(Request::Parse { url }).into()
    }

    fn parse_all(&self, urls: &[&str]) -> Option<Vec<Components>> {
        let requests: Vec<_> = urls.iter().map(|&url| Request::Parse { url }).collect();
        Some(self.ask_all(&requests).into_iter().map(Components::from).collect())
    }

    fn resolves(&self) -> bool {
        self.hello().is_ok_and(|hello| hello.ops.contains(&Op::Resolve))
    }

    fn states(&self) -> bool {
        self.hello().is_ok_and(|hello| hello.ops.contains(&Op::Parse))
    }

    fn visits(&self, op: Op) -> bool {
        !self.observer.is_empty() && self.hello().is_ok_and(|hello| hello.ops.contains(&op))
    }

    fn visit_all(&self, op: Op, urls: &[&str]) -> Vec<Components> {
        if !self.visits(op) {
            let why = match self.observer.is_empty() {
                true => "it is not observed here: use the command `urlstrata`",
                false => "unsupported operation: it is not a client",
            };
            return urls.iter().map(|_| Err(Outcome::Skipped(why.to_owned()))).collect();
        }
        let requests = urls.iter().map(|url| match redirected(url).filter(|_| op == Op::Follow) {
            Some((base, location)) => Request::Follow { base, location },
            None => Request::Connect { url },
        });
        self.observed().ask_all(&requests.collect::<Vec<_>>()).into_iter().map(Components::from).collect()
    }

    fn ready(&self) -> Result<(), String> {
        self.hello().map(|_| ())
    }

    fn violations(&self) -> Violations {
        let mut violations = self.state().violations.clone();
        if let Some(observed) = self.observed.get() {
            violations.extend(observed.violations());
        }
        violations
    }
}
