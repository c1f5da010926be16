//! The URL Standard of the WHATWG in eight dated states, by its own steps.
//!
//! The steps are those of the text of 2 July 2026: §3.3 to §3.6 (hosts), §4.2 and §4.4 (parsing), §4.5 (serializing) and
//! the API URL parser of §6.1. A label consists of the algorithm or state and of the number in the text:
//! `file slash 1.2`, `IPv4 6.1`. A step that the newest text no longer has keeps the label of an older text, with that
//! text's commit: `path 1.6 (83adf0c)`. A step whose number or wording differs between texts but not its effect has
//! the newest label in every revision, as its name: traces and slots have these labels. To cite a dated revision, use
//! [`place_in`], which returns the section and the label in its own text. Rejections of dated revisions cite it already.
//!
//! The steps that only setters reach (those with a state override) are left out, as are encodings other than UTF-8,
//! blob URLs, and the strict form of the domain parser, which only setters of other standards use.
//!
//! [`CHANGES`] lists every change that altered the result of an input. A revision is a set of them, and
//! [`resolve`] runs the steps of any set.
//!
//! Domain to ASCII is not written here: it uses the crate `idna`, which the crate `url` uses as well.

use alloc::vec::Vec;

use super::{CHOICE, ERRATUM, Parts, Remark, Revision};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::slots::Slots;
use crate::step::{StepText, Trace, run};

mod authority;
mod basic;
mod changes;
mod file;
mod host;
mod implementation;
mod ipv4;
mod ipv6;
mod labels;
mod machine;
mod path;
mod percent;
mod serialize;
mod slots;

pub use changes::{CHANGES, Change, ChangeSet};
pub use implementation::{Implementation, Machine, Next, OwnStep};
pub use labels::{Place, place_in};
use machine::{ALGORITHMS, State};

macro_rules! revisions {
    ($($(#[$doc:meta])+ $name:ident $id:literal $date:literal $last:ident,)+) => {
        $(
            $(#[$doc])+
            pub static $name: Revision = Revision {
                id: $id,
                specification: concat!("URL Standard of ", $date),
                cite: "URL Standard",
                date: $date,
                sections: "§3 hosts, §4.4 parsing, §4.5 serializing",
                components: COMPONENTS,
                rules: None,
                base: None,
                context: None,
                remarks: if matches!(changes::$last, changes::CA8D5CA3) { REMARKS } else { &[] },
                resolve: |base, reference, trace| {
                    let resolution = resolve_traced(ChangeSet::through(changes::$last), base, reference, trace);
                    resolution.map_err(|rejection| labels::dated(&$name, rejection))
                },
                parse: |url, trace| {
                    let parts = parse(ChangeSet::through(changes::$last), url, trace);
                    parts.map_err(|rejection| labels::dated(&$name, rejection))
                },
                resolve_steps: || steps(ChangeSet::through(changes::$last)),
                parse_steps: Vec::new,
                schemes: None,
                statements: None,
                writes_slots: true,
            };
        )+

        /// The dated revisions, oldest first, and the changes that define them.
        pub static REVISIONS: &[(&Revision, ChangeSet)] = &[$((&$name, ChangeSet::through(changes::$last))),+];
    };
}

revisions! {
    /// The state of 15 December 2014, before references resolve under every scheme.
    WHATWG_2014_12 "whatwg-2014-12" "15 December 2014" C05CBE06,
    /// The state of 30 March 2016, with IPv4 addresses and states for file URLs.
    WHATWG_2016_03 "whatwg-2016-03" "30 March 2016" C7B40216,
    /// The state of 8 June 2018, with opaque hosts.
    WHATWG_2018_06 "whatwg-2018-06" "8 June 2018" C6EF17EB,
    /// The state of 24 August 2020, the last one with the older rules for file URLs.
    WHATWG_2020_08 "whatwg-2020-08" "24 August 2020" C83ADF0C,
    /// The state of 17 June 2021, the last one in which a domain may end in a number.
    WHATWG_2021_06 "whatwg-2021-06" "17 June 2021" C4025253,
    /// The state of 28 January 2022, which did not change for three years.
    WHATWG_2022_01 "whatwg-2022-01" "28 January 2022" C35E195A,
    /// The state of 13 March 2025, with encoded carets in paths.
    WHATWG_2025_03 "whatwg-2025-03" "13 March 2025" C6C78200,
    /// The state of 2 July 2026, the newest one.
    WHATWG_2026_07 "whatwg-2026-07" "2 July 2026" CA8D5CA3,
}

/// The newest revision of the URL Standard. [`by_id`](super::by_id) returns it for `whatwg` too.
pub static NEWEST: &Revision = &WHATWG_2026_07;

/// Returns the changes that define `revision`; `None` if it is not a revision of the URL Standard.
#[must_use]
pub fn changes_of(revision: &Revision) -> Option<ChangeSet> {
    REVISIONS.iter().find(|(own, _)| own.id == revision.id).map(|&(_, changes)| changes)
}

const COMPONENTS: &[&str] = &["scheme", "username", "password", "host", "port", "path", "query", "fragment"];

const REMARKS: &[Remark] = &[
    CHOICE("whatwg-no-base")
        .issue("What is an unknown base?")
        .decision("null, so that a relative reference is a failure")
        .reason("§6.1 passes null if no base is given"),
    CHOICE("whatwg-null-base")
        .issue("What does a file URL inherit without a base, by the relative state of 2014-12?")
        .decision("nothing")
        .reason("the step names components of the base, which is null"),
    CHOICE("whatwg-empty-address")
        .issue("What is the IPv4 address of an empty host, between 9043740 and cb146b9?")
        .decision("the host stays empty")
        .reason("the step takes the last item of an empty list"),
    CHOICE("whatwg-empty-number")
        .issue("Which number is an octal `0` without a digit after it, before 8848692?")
        .decision("0, as since then")
        .reason("the step computes the number of an empty string"),
    CHOICE("whatwg-idna-checks")
        .issue("Are joiners and bidirectional text checked before dc9d831?")
        .decision("yes, as since then")
        .reason("the crate `idna` always checks them; the earlier texts leave it to a UTS #46 without these options"),
    ERRATUM("whatwg-number-sign")
        .issue("From 6c78200 to b11d73b, step 3.2 of the opaque path state names the code point U+003F twice")
        .decision("the second one is the number sign, which follows it in parentheses")
        .reason("the tests of that commit expect it, and no engine reads the text literally"),
];

/// Returns the steps of the state that the changes define.
fn steps(landed: ChangeSet) -> Vec<StepText> {
    Implementation::new(landed).steps()
}

/// Resolves `reference` against `base` by the steps of the state that `landed` defines.
///
/// An empty `base` means that the base is unknown.
///
/// ```
/// use urlstrata::revision::whatwg::{self, Change, ChangeSet};
///
/// let change = Change::by_commit("47efa00").expect("a change");
/// let url = |landed| whatwg::resolve(landed, "", "file:////x").map(|target| target.url);
/// assert_eq!(url(ChangeSet::ALL).as_deref(), Ok("file:////x"));
/// assert_eq!(url(ChangeSet::ALL.without(change)).as_deref(), Ok("file:///x"));
/// ```
///
/// # Errors
///
/// Returns a [`Rejection`] with the section and step if the base or the reference is not a URL.
pub fn resolve(landed: ChangeSet, base: &str, reference: &str) -> Resolution {
    resolve_traced(landed, base, reference, &mut Trace::off())
}

fn resolve_traced(landed: ChangeSet, base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    resolved(&Implementation::new(landed), base, reference, trace)
}

fn resolved(implementation: &Implementation, base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let state = parsed(implementation, base, reference, trace)?;
    Ok(Target { url: state.output, meaning: Meaning::Retrieval })
}

/// Parses and serializes.
fn parsed(implementation: &Implementation, base: &str, reference: &str, trace: &mut Trace) -> Result<State, Rejection> {
    let mut state = State::new(implementation, base, reference);
    state.recorder = trace.take_recorder();
    state.given(base, reference);
    run(basic::API.1, &mut state, trace);
    if state.failure.is_none() {
        run(serialize::URL.1, &mut state, trace);
    }
    trace.put_recorder(core::mem::take(&mut state.recorder));
    if let Some((section, why)) = state.failure {
        return Err(Rejection::new(section, why));
    }
    Ok(state)
}

/// §4.1: the components of a URL record.
fn parse(landed: ChangeSet, url: &str, trace: &mut Trace) -> Result<Parts, Rejection> {
    let mut state = parsed(&Implementation::new(landed), "", url, trace)?;
    state.output.clear();
    run(serialize::HOST.1, &mut state, &mut Trace::off());
    let host = state.url.host.is_some().then(|| core::mem::take(&mut state.output));
    run(serialize::PATH.1, &mut state, &mut Trace::off());
    let url = state.url;
    let values = [
        Some(url.scheme),
        Some(url.username),
        Some(url.password.unwrap_or_default()),
        host,
        url.port,
        Some(state.output),
        url.query,
        url.fragment,
    ];
    Ok(COMPONENTS.iter().copied().zip(values).collect())
}
