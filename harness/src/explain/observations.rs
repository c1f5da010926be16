//! What libraries state about the texts of a pair, and where clients connect. Neither is what the reference resolves to.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use serde::Serialize;

use super::hosts::{CONNECTION, HostGroup, Observer, PREDICTED};
use super::text::{LOCATION, write_location_table};
use crate::engine::Engine;
use crate::engine::locate::{HostAnswer, Statement, Visit};
use crate::engine::use_order::place;
use crate::escape::visible;
use crate::layout::Layout;
use crate::outcome::location::Location;
use crate::pairs::asked::AskedReference;
use crate::plural::counted;
use crate::protocol::Op;
use crate::world::World;

/// What engines were asked in addition to the resolution of one pair. Each question has its own answers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Observations {
    /// What libraries state about the reference, and about the target.
    pub stated: Vec<Observed>,
    /// Where clients connect if they are given the reference, and if they are given the target.
    pub connected: Vec<Observed>,
    /// Where clients go if the response to the base redirects to the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub followed: Option<Observed>,
}

/// The answers to one question about one text.
#[derive(Clone, Debug, Serialize)]
pub struct Observed {
    /// The text: the reference, or the target.
    pub about: String,
    /// The distinct answers, the most frequent one first; rejections follow.
    pub groups: Vec<HostGroup>,
    /// The number of engines that answer this question, but not about this text: no recording contains it.
    pub not_asked: usize,
}

impl Observations {
    /// Asks all engines of `world` about `reference` and its `target`, which is `None` if no specification has a target.
    ///
    /// Clients are only given texts with a scheme.
    pub fn of(world: &World, base: &str, reference: &str, target: Option<&str>) -> Self {
        let engines: Vec<&dyn Engine> =
            world.engines.iter().chain(&world.others).map(|engine| engine.as_ref()).collect();
        let target = target.filter(|target| *target != reference);
        let is_absolute = |text: &&str| AskedReference::of(text) == AskedReference::Absolute;
        let texts = || [Some(reference), target].into_iter().flatten();
        let asked = |op: Op, base: &str, text: &str| Observed::of(world, &engines, op, base, text);
        Self {
            stated: texts().filter_map(|text| asked(Op::Parse, "", text)).collect(),
            connected: texts().filter(is_absolute).filter_map(|text| asked(Op::Connect, "", text)).collect(),
            followed: if base.is_empty() { None } else { asked(Op::Follow, base, reference) },
        }
    }

    /// Returns whether nothing was asked.
    pub(super) fn is_empty(&self) -> bool {
        self.stated.is_empty() && self.connected.is_empty() && self.followed.is_none()
    }

    /// Writes what is known, each question in a table of its own. `reference` is what the others were asked about.
    pub(super) fn write(&self, reference: &str, layout: &Layout, f: &mut String) -> fmt::Result {
        for observed in self.stated.iter().filter(|it| it.is_worth_showing(reference)) {
            let head = format!("states about {}", visible(&observed.about));
            observed.write(&head, LOCATION, HostGroup::columns, layout, f)?;
        }
        for observed in self.connected.iter().filter(|it| !it.groups.is_empty()) {
            let head = format!("connects for {} to", visible(&observed.about));
            observed.write(&head, CONNECTION, HostGroup::connection, layout, f)?;
        }
        if let Some(observed) = self.followed.iter().find(|it| !it.groups.is_empty()) {
            let head = "goes to, after a redirect from the base";
            observed.write(head, CONNECTION, HostGroup::connection, layout, f)?;
        }
        let mut shown = self.stated.iter().filter(|it| it.is_worth_showing(reference)).flat_map(|it| &it.groups);
        match shown.any(|group| group.by.iter().any(Observer::is_predicted)) {
            true => writeln!(f, "  {PREDICTED}"),
            false => Ok(()),
        }
    }
}

impl Observed {
    /// Asks those of `engines` that answer `op`. Returns `None` if there are none.
    fn of(world: &World, engines: &[&dyn Engine], op: Op, base: &str, text: &str) -> Option<Self> {
        let (mut groups, mut not_asked) = (Vec::new(), 0);
        for engine in engines {
            let is_asked = if op == Op::Parse { engine.states() } else { engine.visits(op) };
            if !is_asked {
                continue;
            }
            let answer = match op {
                Op::Parse => HostAnswer::Stated(Statement::of_engine(*engine, text)),
                _ => HostAnswer::Connected(Visit::of_client(*engine, base, text)),
            };
            let is_answer = !matches!(answer.location(), (None, Some("no answer")));
            match is_answer {
                true => HostGroup::add(&mut groups, Observer::of(world, *engine, answer), op),
                false => not_asked += 1,
            }
        }
        HostGroup::sort(&mut groups);
        let is_asked = !groups.is_empty() || not_asked > 0;
        is_asked.then(|| Self { about: text.to_owned(), groups, not_asked })
    }

    /// Returns whether statements are worth a table: some library states a host in the reference, or libraries state different
    /// hosts in the target.
    fn is_worth_showing(&self, reference: &str) -> bool {
        let hosts = || self.groups.iter().filter_map(|group| group.location.as_ref()?.host.as_deref());
        let locations = self.groups.iter().filter_map(|group| group.location.as_ref().map(Location::in_one_notation));
        let locations: BTreeSet<Location> = locations.collect();
        hosts().next().is_some() && (self.about == reference || locations.len() > 1)
    }

    fn write(
        &self,
        head: &str,
        columns: [&str; 3],
        row: fn(&HostGroup) -> [String; 3],
        layout: &Layout,
        f: &mut String,
    ) -> fmt::Result {
        let not_asked = match self.not_asked {
            0 => String::new(),
            count => format!(" ({} not asked about it)", counted(count, "engine was", "engines were")),
        };
        writeln!(f, "\n  {head}{not_asked}:")?;
        let rows = self.groups.iter().map(|group| (row(group), some_names(&group.by)));
        write_location_table(columns, &rows.collect::<Vec<_>>(), layout, f)
    }
}

/// Returns the titles of the first engines, and the number of the others.
fn some_names(observers: &[Observer]) -> Vec<String> {
    const SHOWN: usize = 4;
    let shown = if observers.len() > SHOWN + 1 { SHOWN } else { observers.len() };
    let mut observers: Vec<&Observer> = observers.iter().collect();
    observers.sort_by_key(|it| place(&it.name));
    let mut names: Vec<String> = observers[..shown].iter().map(|it| visible(&it.marked())).collect();
    names.extend((shown < observers.len()).then(|| format!("and {} others", observers.len() - shown)));
    names
}
