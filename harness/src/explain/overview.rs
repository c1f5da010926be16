//! Several references, or several bases, side by side: see [`Overview`].

use serde::Serialize;
use urlstrata::revision::{rfc3986, whatwg};
use urlstrata::slots::Slot;

use crate::engine::{Engine, ask};
use crate::escape::visible;
use crate::knowledge::results::Results;
use crate::knowledge::specification::Specification;
use crate::knowledge::stepped::{self, Source};
use crate::layout::{Layout, columns};
use crate::outcome::Outcome;
use crate::pasted::{self, InputNote};
use crate::world::World;

use super::observed_result::{PartingOfResults, is_same, shown, write_first};

/// The results of each reference on each base, by RFC 3986, the newest state of the URL Standard, and the engines of the world, and the rules
/// that make the differences.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The bases.
    pub bases: Vec<String>,
    /// The references.
    pub references: Vec<String>,
    /// Notes about texts that were probably not meant as they were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<InputNote>,
    /// A row for each pair: the references in their order, and for each reference the bases.
    pub rows: Vec<OverviewRow>,
    /// For each base, what RFC 3986 §5.2.3 replaces by the path of a reference; none if the bases do not differ in that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
    /// The clauses by which RFC 3986 comes to its targets, each with the pairs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Clause>,
    /// Where RFC 3986 and the URL Standard part, each with the first pair.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partings: Vec<OverviewParting>,
}

/// A pair with its results.
#[derive(Clone, Debug, Serialize)]
pub struct OverviewRow {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// Each distinct result.
    pub results: Vec<OverviewResult>,
}

/// A result, with the specifications and engines that give it.
#[derive(Clone, Debug, Serialize)]
pub struct OverviewResult {
    /// The result.
    pub outcome: Outcome,
    /// The ids of the specifications, and the names and versions of the engines.
    pub by: Vec<String>,
}

/// What is replaced of a base by the path of a reference.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Replaced {
    /// The base.
    pub base: String,
    /// What is after the last slash of its path; it may be empty.
    pub segment: String,
}

/// A clause of RFC 3986 that decides on targets.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Clause {
    /// What the steps do, with their sections.
    pub clause: String,
    /// The pairs for which they decide, each with its base and its reference.
    pub pairs: Vec<[String; 2]>,
}

/// Where two specifications part, and the pairs for which they do.
#[derive(Clone, Debug, Serialize)]
pub struct OverviewParting {
    /// The references.
    pub references: Vec<String>,
    /// The specifications, and what each of them does.
    #[serde(flatten)]
    pub parting: PartingOfResults,
}

impl Overview {
    /// Resolves each of `references` against each of `bases`.
    pub fn of(world: &World, bases: &[String], references: &[String]) -> Self {
        let pairs = || {
            references.iter().flat_map(|reference| bases.iter().map(move |base| (base.as_str(), reference.as_str())))
        };
        let mut input: Vec<InputNote> = Vec::new();
        let mut partings: Vec<OverviewParting> = Vec::new();
        let mut clauses: Vec<Clause> = Vec::new();
        let mut replaced: Vec<Replaced> = Vec::new();
        let mut rows = Vec::new();
        for (base, reference) in pairs() {
            for note in pasted::notes(base, reference) {
                input.extend((!input.contains(&note)).then_some(note));
            }
            let results = Results::new(base, reference);
            rows.push(OverviewRow::of(world, &results));
            add_parting(&mut partings, &results);
            let Some(rfc3986) = Specification::of(&rfc3986::REVISION) else { continue };
            if let Some(statement) = stepped::deciding(&rfc3986, (base, reference)) {
                let clause = statement.to_string();
                let pair = [base, reference].map(str::to_owned);
                match clauses.iter_mut().find(|own| own.clause == clause) {
                    Some(own) => own.pairs.push(pair),
                    None => clauses.push(Clause { clause, pairs: vec![pair] }),
                }
            }
            let found = replaced_segment(&rfc3986, base, reference);
            replaced.extend(found.filter(|own| !replaced.contains(own)));
        }
        let is_same = replaced.windows(2).all(|two| two[0].segment == two[1].segment);
        if is_same {
            replaced.clear();
        }
        Self { bases: bases.to_vec(), references: references.to_vec(), input, rows, replaced, clauses, partings }
    }

    /// Returns the table, and what makes the differences, as text for a reader.
    pub fn text(&self, layout: &Layout) -> String {
        let mut out = String::from("\n");
        for note in &self.input {
            out += &layout.wrapped("  Note: ", 8, &note.to_string());
        }
        let by_base = self.bases.len() > 1;
        let label = |row: &OverviewRow| visible(if by_base { &row.base } else { &row.reference });
        let width = self.rows.iter().map(|row| columns(&label(row))).max().unwrap_or_default();
        let all = self.rows.iter().flat_map(|row| &row.results);
        let results = all.map(|result| columns(&result.outcome.to_string())).max().unwrap_or_default();
        let mut before = "";
        for (index, row) in self.rows.iter().enumerate() {
            let head = if by_base { &row.reference } else { &row.base };
            if index == 0 || head != before {
                let place = if by_base { "" } else { "on " };
                out += &format!(
                    "{}  {}\n",
                    if index == 0 { "" } else { "\n" },
                    layout.bold(&format!("{place}{}", shown(head)))
                );
            }
            before = head;
            let label = shown(&label(row));
            row.write(
                &format!("{}{label}", if by_base { "on " } else { "" }),
                (width + 3 * usize::from(by_base), results.min(40)),
                layout,
                &mut out,
            );
        }
        self.write_reasons(layout, &mut out);
        out
    }

    fn write_reasons(&self, layout: &Layout, out: &mut String) {
        if let [Replaced { .. }, _, ..] = self.replaced.as_slice() {
            let each = self.replaced.iter().map(|Replaced { base, segment }| match segment.is_empty() {
                true => format!("nothing of {}", visible(base)),
                false => format!("`{}` of {}", visible(segment), visible(base)),
            });
            let each = each.collect::<Vec<_>>().join(", ");
            let sentence = format!(
                "The path of a reference replaces what is after the last slash of the base's path (RFC 3986 §5.2.3): {each}."
            );
            *out += &format!("\n{}", layout.wrapped("  ", 2, &sentence));
        } else if self.partings.is_empty() {
            for Clause { clause, pairs } in self.clauses.iter().take(MOST) {
                // The texts in which the pairs differ: the bases, unless there is only one.
                let text = |[base, reference]: &[String; 2]| shown(if self.bases.len() > 1 { base } else { reference });
                let mut texts: Vec<String> = pairs.iter().map(text).collect();
                texts.dedup();
                let line = format!("{}: {}", texts.join("  "), visible(clause));
                *out += &format!("\n{}", layout.wrapped("  ", 4, &line));
            }
        }
        for OverviewParting { references, parting } in self.partings.iter().take(MOST) {
            let list: Vec<String> = references.iter().map(|own| shown(own)).collect();
            write_first(parting, &format!(" for {}", list.join("  ")), layout, out);
        }
        let others = self.partings.iter().skip(MOST).flat_map(|own| &own.references);
        let others: Vec<String> = others.map(|own| shown(own)).collect();
        if !others.is_empty() {
            let line = format!("They part otherwise for {}: explain it alone", others.join("  "));
            *out += &format!("\n{}", layout.wrapped("  ", 4, &line));
        }
    }
}

/// The number of reasons that are shown.
const MOST: usize = 2;

/// Adds where RFC 3986 and the newest state of the URL Standard part for the pair of `results`, if they do.
fn add_parting(partings: &mut Vec<OverviewParting>, results: &Results<'_>) {
    let sides = [&rfc3986::REVISION, whatwg::NEWEST].map(Specification::of);
    let [Some(from), Some(to)] = sides else { return };
    let Some(parting) = PartingOfResults::of(results, [&from, &to]) else { return };
    // What follows from the first difference is the same for all pairs with it.
    let key = |own: &PartingOfResults| {
        own.notes.first().map(|it| (it.name.clone(), it.from.source.clone(), it.to.source.clone()))
    };
    match partings.iter_mut().find(|own| key(&own.parting) == key(&parting)) {
        Some(own) => own.references.push(results.reference.to_owned()),
        None => partings.push(OverviewParting { references: vec![results.reference.to_owned()], parting }),
    }
}

/// Returns what RFC 3986 §5.2.3 replaces of `base`; `None` if it does not merge paths.
fn replaced_segment(rfc3986: &Specification, base: &str, reference: &str) -> Option<Replaced> {
    let run = Source::Specification(*rfc3986).record((base, reference))?;
    let is_merged = run.slots.history(Slot::Merged).iter().any(|write| write.steps.contains(&"5.2.3 otherwise"));
    let path = run.slots.text(Slot::Base(urlstrata::slots::Part::Path))?;
    let segment = path.rsplit('/').next().unwrap_or_default().to_owned();
    is_merged.then(|| Replaced { base: base.to_owned(), segment })
}

impl OverviewRow {
    fn of(world: &World, results: &Results<'_>) -> Self {
        let mut found: Vec<OverviewResult> = Vec::new();
        let mut add = |outcome: Outcome, by: String| match found.iter_mut().find(|own| is_same(&own.outcome, &outcome))
        {
            Some(own) => own.by.push(by),
            None => found.push(OverviewResult { outcome, by: vec![by] }),
        };
        add(results.outcome(&rfc3986::REVISION), rfc3986::REVISION.id.to_owned());
        add(results.outcome(whatwg::NEWEST), "whatwg".to_owned());
        for engine in &world.engines {
            let title = format!("{} {}", visible(engine.name()), visible(engine.version()));
            add(ask(engine.as_ref() as &dyn Engine, results.base, results.reference), title);
        }
        Self { base: results.base.to_owned(), reference: results.reference.to_owned(), results: found }
    }

    /// Writes a line for each result, with those that give it if there are several results. `width` is that of labels, and `results` that of
    /// results.
    fn write(&self, label: &str, (width, results): (usize, usize), layout: &Layout, out: &mut String) {
        for (index, OverviewResult { outcome, by }) in self.results.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let by = if self.results.len() > 1 { format!("   {}", by.join(", ")) } else { String::new() };
            let outcome = outcome.to_string();
            let one = format!("    {label:<width$}   {outcome:<results$}{by}");
            let one = one.trim_end();
            if columns(one) <= layout.width {
                *out += &format!("{one}\n");
                continue;
            }
            if !label.is_empty() {
                *out += &format!("    {label}\n");
            }
            *out += &layout.wrapped("        ", 10, &format!("{outcome}{by}"));
        }
    }
}
