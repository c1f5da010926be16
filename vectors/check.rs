//! Checks: the vectors of a revision as one line of a test suite.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::cases::{Case, Place, cases, divisions, productions, revision};
use crate::known::{Known, UPDATE};

/// How long a call may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a resolver returns: a text, or no target.
///
/// It is implemented for strings, and for `Option` and `Result` of what can be converted into a string, so for the types of URL libraries,
/// too.
pub trait Answer {
    /// Returns the target.
    ///
    /// # Errors
    ///
    /// Returns why there is no target.
    fn target(self) -> Result<String, String>;
}

impl Answer for String {
    fn target(self) -> Result<String, String> {
        Ok(self)
    }
}

impl Answer for &str {
    fn target(self) -> Result<String, String> {
        Ok(self.to_owned())
    }
}

impl Answer for Cow<'_, str> {
    fn target(self) -> Result<String, String> {
        Ok(self.into_owned())
    }
}

impl<T: Into<String>> Answer for Option<T> {
    fn target(self) -> Result<String, String> {
        self.map(Into::into).ok_or_else(String::new)
    }
}

impl<T: Into<String>, E: Display> Answer for Result<T, E> {
    fn target(self) -> Result<String, String> {
        self.map(Into::into).map_err(|error| error.to_string())
    }
}

/// Asks `resolve` for the target of each vector of a revision: `resolve(base, reference)`, with an empty base if it is unknown. `filter` is
/// that of [`cases`].
///
/// A resolver that checks the grammar of the revision may have no target for a pair that the grammar does not match.
///
/// # Panics
///
/// Panics if a result is not the expected one, after each failing vector was written to standard error: with its section, both results, and
/// the steps of the revision that give the expected one. Panics, too, if no vector is selected, if `resolve` panics or returns something else
/// when it is asked again, and ends the process if a call takes more than ten seconds.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "steps")]
/// urlstrata_vectors::check("rfc3986/5.4", |base, reference| {
///     urlstrata::revision::rfc3986::REVISION.resolve(base, reference).map(|target| target.url)
/// });
/// ```
#[track_caller]
pub fn check<A: Answer>(filter: &str, resolve: impl FnMut(&str, &str) -> A) {
    suite(filter).resolution(resolve);
}

/// Returns the vectors of a revision, to be checked. `filter` is that of [`cases`].
///
/// # Panics
///
/// Panics if the first part of `filter` is not a revision.
pub fn suite(filter: &str) -> Suite {
    Suite { filter: filter.to_owned(), revision: revision(filter), known: None, is_minimal: false }
}

/// The vectors of a revision: see [`suite`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Suite {
    filter: String,
    revision: &'static str,
    known: Option<PathBuf>,
    is_minimal: bool,
}

/// A vector whose result is not the expected one.
pub(crate) struct Failure {
    /// The identity of the vector, or a part of it.
    pub(crate) path: String,
    /// The result.
    pub(crate) got: String,
    /// The description, some lines.
    text: String,
}

impl Suite {
    /// Permits the results that this file lists, and no others: a vector that is listed and has the expected result, or is not one of the
    /// suite, is a failure. With the environment variable `URLSTRATA_UPDATE=1`, a check writes the file.
    pub fn allow(self, file: impl AsRef<Path>) -> Self {
        Self { known: Some(file.as_ref().to_owned()), ..self }
    }

    /// Leaves out all resolution vectors that are not [minimal](Case::is_minimal).
    pub fn minimal(self) -> Self {
        Self { is_minimal: true, ..self }
    }

    /// Checks a resolver, as [`check`] does.
    ///
    /// # Panics
    ///
    /// See [`check`].
    #[track_caller]
    pub fn resolution<A: Answer>(self, mut resolve: impl FnMut(&str, &str) -> A) {
        let is_selected = |case: &Case| !self.is_minimal || case.is_minimal();
        let cases: Vec<Case> = cases(&self.filter).filter(is_selected).collect();
        let answers = answers(&cases, Case::path, &mut |case| resolve(case.base(), case.reference()).target());
        let failures = cases.iter().zip(answers).filter_map(|(case, got)| of_resolution(case, got));
        let failures = failures.collect();
        self.conclude(cases.iter().map(Case::path), failures);
    }

    /// Checks a parser: `parse(url)` returns the components, or `None` if it rejects the URL. A vector states some components, and those that
    /// it does not state are not compared. The names are those of the revision: `scheme`, `authority`, `path`, `query`, `fragment` of RFC 3986,
    /// `net_loc` and `params` of RFC 1808. An absent component is `None`, or not returned.
    ///
    /// # Panics
    ///
    /// See [`check`].
    #[track_caller]
    pub fn parsing<N: Into<String>>(self, mut parse: impl FnMut(&str) -> Option<Vec<(N, Option<String>)>>) {
        let all: Vec<_> = divisions(&self.filter).collect();
        let mut ask = |url: &String| {
            let components = parse(url);
            let named = components.map(|all| all.into_iter().map(|(name, text)| (name.into(), text)));
            named.map(Iterator::collect::<BTreeMap<String, Option<String>>>)
        };
        let urls: Vec<String> = all.iter().map(|case| case.url.clone()).collect();
        let found = answers(&urls, |url| url, &mut ask);
        let failures = all.iter().zip(found).filter_map(|(case, found)| {
            let written = |components: &mut dyn Iterator<Item = (&String, &Option<String>)>| {
                let one = |(name, text): (&String, &Option<String>)| match text {
                    Some(text) => format!("{name} {text:?}"),
                    None => format!("no {name}"),
                };
                components.map(one).collect::<Vec<_>>().join(", ")
            };
            let expected = match case.is_rejected {
                true => "rejected".to_owned(),
                false => written(&mut case.components.iter().map(|(name, text)| (name, text))),
            };
            let got = match found {
                Err(why) => why,
                Ok(None) => "rejected".to_owned(),
                Ok(Some(found)) => {
                    let own = |name: &String| found.get(name).unwrap_or(&None);
                    written(&mut case.components.iter().map(|(name, _)| (name, own(name))))
                }
            };
            let got = if got.is_empty() { "accepted".to_owned() } else { got };
            (got != expected).then(|| failure(&case.place, "", &[("URL", &case.url)], &expected, got, &[]))
        });
        let failures = failures.collect();
        self.conclude(all.iter().map(|case| case.place.path.as_str()), failures);
    }

    /// Checks a grammar: `matches(production, text)` returns whether the production of the revision's grammar matches the whole text; `None`
    /// if there is no such production, which is not a failure.
    ///
    /// # Panics
    ///
    /// See [`check`].
    #[track_caller]
    pub fn productions(self, mut matches: impl FnMut(&str, &str) -> Option<bool>) {
        let all: Vec<_> = productions(&self.filter).collect();
        let strings = all.iter().flat_map(|case| {
            let valid = case.valid.iter().map(move |text| (case, text, true));
            valid.chain(case.invalid.iter().map(move |text| (case, text, false)))
        });
        let strings: Vec<_> = strings.collect();
        let found = answers(&strings, |(case, ..)| &case.name, &mut |(case, text, _)| matches(&case.name, text));
        let words = |is_valid: bool| if is_valid { "matched" } else { "not matched" };
        let failures = strings.iter().zip(found).filter_map(|((case, text, is_valid), found)| {
            let got = match found {
                Err(why) => why,
                Ok(None) => return None,
                Ok(Some(found)) => words(found).to_owned(),
            };
            let inputs = [("production", case.name.as_str()), ("text", text)];
            let expected = words(*is_valid);
            (got != expected).then(|| failure(&case.place, &format!(" {text:?}"), &inputs, expected, got, &[]))
        });
        let failures = failures.collect();
        let paths: Vec<String> =
            strings.iter().map(|(case, text, _)| format!("{} {text:?}", case.place.path)).collect();
        self.conclude(paths.iter().map(String::as_str), failures);
    }

    /// Writes failures to standard error, and panics if there are any that the file of known ones does not list.
    #[track_caller]
    fn conclude<'a>(self, paths: impl Iterator<Item = &'a str>, failures: Vec<Failure>) {
        let paths: Vec<&str> = paths.collect();
        assert!(
            !paths.is_empty(),
            "0 vectors ran: no vector of this kind has a path that begins with {:?}",
            self.filter
        );
        let is_updated = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
        let known = match &self.known {
            Some(file) if is_updated => {
                Known::of(self.revision, &failures).write(file).unwrap_or_else(|error| panic!("{error}"));
                return;
            }
            Some(file) => Known::read(file, self.revision).unwrap_or_else(|error| panic!("{error}")),
            None => Known::default(),
        };
        let new: Vec<&Failure> = failures.iter().filter(|it| !known.allows(&it.path, &it.got)).collect();
        new.iter().for_each(|failure| eprintln!("{}", failure.text));
        let stale = known.stale(&paths, &failures);
        stale.iter().for_each(|sentence| eprintln!("{sentence}\n"));
        let (failed, ran) = (new.len(), paths.len());
        let mut found = vec![format!("{failed} of {ran} vectors of {} fail", self.filter)];
        if known.len() > 0 {
            found.push(format!("{} are known to fail", known.len()));
        }
        if !stale.is_empty() {
            found.push(format!("{} of these are stale: {UPDATE}=1 writes the file again", stale.len()));
        }
        assert!(new.is_empty() && stale.is_empty(), "{}", found.join("; "));
    }
}

/// Asks for each case twice, the second time in reverse order. Returns each answer, or a sentence about a panic or two different answers.
fn answers<C, A: PartialEq + Clone>(
    cases: &[C],
    name: impl Fn(&C) -> &str,
    ask: &mut dyn FnMut(&C) -> A,
) -> Vec<Result<A, String>> {
    let watch = watch();
    let mut once = |case: &C| {
        let _ = watch.send(name(case).to_owned());
        let panicked = |_| Err("a panic, whose message is above".to_owned());
        catch_unwind(AssertUnwindSafe(|| Ok(ask(case)))).unwrap_or_else(panicked)
    };
    let first: Vec<_> = cases.iter().map(&mut once).collect();
    let mut second: Vec<_> = cases.iter().rev().map(&mut once).collect();
    second.reverse();
    let differs = || Err("another result when it is asked again".to_owned());
    first.into_iter().zip(second).map(|(first, second)| if first == second { first } else { differs() }).collect()
}

/// Starts a thread that ends the process if a call takes too long. Each call is announced by a message, and the end by dropping the sender.
fn watch() -> Sender<String> {
    let (sender, receiver) = channel::<String>();
    std::thread::spawn(move || {
        let mut name = String::new();
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(next) => name = next,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if name.is_empty() => {}
                Err(RecvTimeoutError::Timeout) => {
                    // What a test prints is captured, and would be lost.
                    let seconds = PATIENCE.as_secs();
                    let _ = writeln!(std::io::stderr(), "\nurlstrata: no result for {name} after {seconds} seconds");
                    std::process::exit(101);
                }
            }
        }
    });
    sender
}

fn of_resolution(case: &Case, found: Result<Result<String, String>, String>) -> Option<Failure> {
    if let Ok(target) = &found
        && case.is_right(target.as_deref().ok())
    {
        return None;
    }
    let got = match found {
        Ok(Ok(url)) => url,
        Ok(Err(why)) if why.is_empty() => "no target".to_owned(),
        Ok(Err(why)) => format!("no target: {why}"),
        Err(why) => why,
    };
    let inputs = [("reference", case.reference()), ("base", case.base())];
    Some(failure(&case.place, "", &inputs, case.expected().unwrap_or("no target"), got, &steps(case)))
}

fn failure(
    place: &Place,
    part: &str,
    inputs: &[(&str, &str)],
    expected: &str,
    got: String,
    steps: &[String],
) -> Failure {
    let Place { path, section, title, note, .. } = place;
    let mut text = format!("{path}{part}: {section}, {title}\n");
    let mut line = |name: &str, value: &str| text += &format!("    {name:<10} {value}\n");
    inputs.iter().for_each(|(name, value)| line(name, &format!("{value:?}")));
    line("expected", expected);
    line("got", &got);
    for (number, step) in steps.iter().enumerate() {
        line(if number == 0 { "by step" } else { "" }, step);
    }
    if !note.is_empty() {
        line("note", note);
    }
    Failure { path: format!("{path}{part}"), got, text }
}

/// Returns the steps of the revision that act on the pair, with their labels.
#[cfg(feature = "steps")]
fn steps(case: &Case) -> Vec<String> {
    let Some(revision) = urlstrata::revision::by_id(case.revision) else { return Vec::new() };
    let (_, trace) = revision.resolve_traced(case.base(), case.reference());
    let acted = trace.entries().iter().filter(|entry| entry.acted);
    acted.map(|entry| format!("{} {}", revision.citation(entry.label), entry.text)).collect()
}

#[cfg(not(feature = "steps"))]
fn steps(_: &Case) -> Vec<String> {
    Vec::new()
}
