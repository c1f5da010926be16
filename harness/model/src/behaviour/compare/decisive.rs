//! A behaviour with some values of another one: which of their differences decide about pairs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Compared, Difference, Inputs, Part, name_of_cleaning, name_of_table};
use crate::behaviour::table::Component;
use crate::behaviour::{Behaviour, Form, ROW, SYNTAX};

/// Differences between two behaviours, and the pairs about which they decide.
#[derive(Clone, Debug)]
pub struct Decisive {
    /// The differences, from the other behaviour to the own one, on [`Self::smallest`]: one, unless several were asked for
    /// together.
    pub differences: Vec<Difference>,
    /// The number of pairs about which they decide.
    pub pairs: usize,
    /// The smallest of these pairs: base and reference.
    pub smallest: (String, String),
}

/// Returns whether a difference between two behaviours can have the name `name`.
///
/// Names are those of [`Difference::name`]: `excess=Kept`, `characters of the path`, `cleaning of references`.
pub fn is_name(name: &str) -> bool {
    parsed(name).is_some()
}

/// Returns the part called `name`, with the index of its value if it is a setting.
fn parsed(name: &str) -> Option<(Part, Option<usize>)> {
    if let Some((setting, value)) = name.split_once('=') {
        let row = ROW.iter().position(|own| own.name == setting);
        if let Some(at) = row {
            return Some((Part::Setting(at), Some(ROW[at].value_named(value)?)));
        }
        let at = SYNTAX.iter().position(|own| own.name == setting)?;
        return Some((Part::Syntax(at), Some(SYNTAX[at].value_named(value)?)));
    }
    if let Some(of_base) = [false, true].into_iter().find(|of_base| name_of_cleaning(*of_base) == name) {
        return Some((Part::Cleaning { of_base }, None));
    }
    let component = name.strip_prefix("characters of the ")?;
    let named = |name: &str| Component::ALL.into_iter().find(|own| own.name() == name);
    let part = match (named(component), component.strip_suffix(" of the base").and_then(named)) {
        (Some(component), _) => Part::Table { component, of_base: false },
        (None, Some(component)) => Part::Table { component, of_base: true },
        (None, None) => return None,
    };
    Some((part, None))
}

impl Compared<'_> {
    /// Returns whether the first behaviour has the value at `index` for the setting `part`, and the second has another one.
    fn has(&self, part: Part, index: Option<usize>) -> bool {
        let row = |behaviour: &Behaviour, class: usize, form: Form| behaviour.classes[class].rows[form as usize];
        match (part, index) {
            (Part::Setting(at), Some(index)) => self.rows.iter().any(|&(class, form)| {
                let [own, other] = [&self.from, &self.to].map(|it| ROW[at].index(&row(it, class, form)));
                own == index && other != index
            }),
            (Part::Syntax(at), Some(index)) => {
                let [own, other] = [&self.from, &self.to].map(|it| SYNTAX[at].index(&it.syntax));
                own == index && other != index
            }
            (part, _) => self.parts().contains(&part),
        }
    }
}

/// Returns what `own` predicts for a pair if it has the values of `other` for `names`.
///
/// # Errors
///
/// Returns a sentence if a name is unknown, or if `own` does not have one of the values for the pair, or `other` has the
/// same value.
pub fn predict_without(
    own: &Behaviour,
    other: &Behaviour,
    names: &[String],
    base: &str,
    reference: &str,
) -> Result<Option<String>, String> {
    let mut compared = Compared::of(own, other, base, reference);
    let mut parts = Vec::new();
    for name in names {
        let (part, index) = parsed(name).ok_or_else(|| format!("no setting is called {name:?}"))?;
        if !compared.has(part, index) {
            return Err(format!("{name:?} is not a difference from the specification for the pair"));
        }
        parts.push(part);
    }
    parts.into_iter().for_each(|part| compared.exchange(part));
    Ok(compared.prediction())
}

/// The schemes of a pair, and the classes and forms that decide about it.
type Deciding = (Vec<String>, Vec<(usize, Form)>);

/// The number of pairs about which differences decide, the parts that differ, and the smallest of these pairs.
type Found<'a> = (usize, Vec<Part>, (&'a str, &'a str));

/// Returns the differences of `own` from `other` that decide about most of `pairs`, most frequent first: those in `named`, and
/// about `listed` others. The two behaviours predict different results for each of the pairs.
///
/// A difference decides about a pair if `own` with the value of `other` predicts another result. Each of the lists `named` has
/// the names of differences that decide together: if `own` with all values of `other` predicts another result. The numbers of
/// pairs are exact. If there are many pairs, the others are chosen by a part of them.
pub fn decisive<'a>(
    own: &Behaviour,
    other: &Behaviour,
    named: &[&[String]],
    listed: usize,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<Decisive> {
    /// One of this many pairs is in the sample, if there are at least [`MANY`].
    const ONE_IN: usize = 10;
    const MANY: usize = 1_500;
    let pairs: Vec<_> = pairs.collect();
    let step = if pairs.len() < MANY { 1 } else { ONE_IN };
    let groups = Groups::of(own, other, pairs.into_iter());
    let mut found = groups.count(step, &[], &|_| true);
    if step > 1 {
        let mut most: Vec<(usize, &String)> = found.iter().map(|(names, found)| (found.0, &names[0])).collect();
        most.sort_by_key(|(count, name)| (Reverse(*count), *name));
        let others = || most.iter().map(|(_, name)| *name).filter(|name| !named.iter().any(|own| own.contains(name)));
        // Differences that decide about nearly equal numbers of pairs may change places.
        let wanted: BTreeSet<&String> = others().take(2 * listed).chain(named.iter().copied().flatten()).collect();
        found = groups.count(1, named, &|name| wanted.contains(name));
    } else {
        found.extend(groups.count(1, named, &|_| false));
    }
    let described = |(pairs, parts, (base, reference)): Found<'_>| {
        let compared = Compared::of(other, own, base, reference);
        let differences = parts.into_iter().map(|part| compared.described_by_first(part)).collect();
        Decisive { differences, pairs, smallest: (base.to_owned(), reference.to_owned()) }
    };
    let mut found: Vec<_> = found.into_values().map(described).collect();
    found.sort_by_key(|decisive| Reverse(decisive.pairs));
    found
}

/// Pairs with different predictions, by the schemes and the rows that decide about them.
struct Groups<'p> {
    /// The two behaviours, reduced to schemes.
    reduced: BTreeMap<Vec<String>, [Behaviour; 2]>,
    pairs: BTreeMap<Deciding, Vec<(&'p str, &'p str)>>,
}

impl<'p> Groups<'p> {
    fn of(own: &Behaviour, other: &Behaviour, pairs: impl Iterator<Item = (&'p str, &'p str)>) -> Self {
        let mut groups = Self { reduced: BTreeMap::new(), pairs: BTreeMap::new() };
        for (base, reference) in pairs {
            let schemes = super::schemes(own, other, base, reference);
            let both = groups
                .reduced
                .entry(schemes.clone())
                .or_insert_with(|| [own, other].map(|behaviour| super::reduced(behaviour, &schemes, false)));
            let rows = super::rows([&both[0], &both[1]], base, reference);
            groups.pairs.entry((schemes, rows)).or_default().push((base, reference));
        }
        groups
    }

    /// Counts the pairs about which differences decide: each one whose name `is_wanted`, and each list of `together` of several. Of
    /// all pairs, one of `step` is counted.
    fn count(
        &self,
        step: usize,
        together: &[&[String]],
        is_wanted: &dyn Fn(&String) -> bool,
    ) -> BTreeMap<Vec<String>, Found<'p>> {
        let mut found: BTreeMap<Vec<String>, Found<'_>> = BTreeMap::new();
        let mut last: Option<(&Vec<String>, Compared<'_>)> = None;
        let mut number = 0;
        for ((schemes, rows), pairs) in &self.pairs {
            let first = (step - number % step) % step;
            number += pairs.len();
            let counted: Vec<_> = pairs.iter().copied().skip(first).step_by(step).collect();
            if counted.is_empty() {
                continue;
            }
            let of_schemes = last.take().filter(|(own, _)| *own == schemes).map_or_else(
                || {
                    let [from, to] = self.reduced[schemes].clone();
                    Compared { from, to, rows: Vec::new(), base: "", reference: "" }
                },
                |(_, compared)| compared,
            );
            // Whatever is exchanged below is exchanged back.
            let (_, compared) = last.insert((schemes, Compared { rows: rows.clone(), ..of_schemes }));
            let single = compared.parts().into_iter().map(|part| (vec![compared.own_name(part)], vec![part]));
            let single = single.filter(|(names, _)| is_wanted(&names[0]));
            let several = together.iter().filter(|names| names.len() > 1);
            let several = several.filter_map(|names| Some((names.to_vec(), compared.named(names)?)));
            let changes: Vec<_> = single.chain(several).collect();
            if changes.is_empty() {
                continue;
            }
            let predicted = compared.predicted(&counted);
            for (names, parts) in changes {
                let decided = compared.decided_by(&parts, &predicted);
                let Some(first) = decided.first() else { continue };
                let entry = found.entry(names).or_insert_with(|| (0, parts, *first));
                for (base, reference) in decided {
                    entry.0 += 1;
                    let size = |(base, reference): (&str, &str)| base.len() + reference.len();
                    if (size((base, reference)), base, reference) < (size(entry.2), entry.2.0, entry.2.1) {
                        entry.2 = (base, reference);
                    }
                }
            }
        }
        found
    }
}

/// A pair with the prediction of a behaviour, what it depends on, and the entries of its characters in tables.
struct Predicted<'p> {
    pair: (&'p str, &'p str),
    url: Option<String>,
    inputs: Inputs,
    entries: BTreeSet<usize>,
}

impl Compared<'_> {
    /// Returns the predictions of the first behaviour for `pairs`.
    fn predicted<'p>(&mut self, pairs: &[(&'p str, &'p str)]) -> Vec<Predicted<'p>> {
        self.watch(true);
        let predicted = |pair: &(&'p str, &'p str)| {
            let (url, inputs) = Inputs::during(|| self.from.predict(pair.0, pair.1));
            Predicted { pair: *pair, url, inputs, entries: super::entries(pair.0, pair.1) }
        };
        let predicted = pairs.iter().map(predicted).collect();
        self.watch(false);
        predicted
    }

    /// Returns the pairs that the first behaviour predicts otherwise with `parts` of the second.
    fn decided_by<'p>(&mut self, parts: &[Part], predicted: &[Predicted<'p>]) -> Vec<(&'p str, &'p str)> {
        parts.iter().for_each(|part| self.exchange(*part));
        let is_decided = |of: &&Predicted<'_>| {
            parts.iter().any(|part| of.inputs.contain(*part) && self.acts(*part, &of.entries))
                && self.from.predict(of.pair.0, of.pair.1) != of.url
        };
        let decided = predicted.iter().filter(is_decided).map(|of| of.pair).collect();
        parts.iter().for_each(|part| self.exchange(*part));
        decided
    }
}

impl Compared<'_> {
    /// Returns the parts called `names`; `None` if the first behaviour does not have one of them.
    fn named(&self, names: &[String]) -> Option<Vec<Part>> {
        let part = |name: &String| parsed(name).filter(|(part, index)| self.has(*part, *index)).map(|(part, _)| part);
        names.iter().map(part).collect()
    }

    /// Returns the name of `part` with the value of the first behaviour.
    fn own_name(&self, part: Part) -> String {
        let setting = |name: &str, value: &str| format!("{name}={value}");
        match part {
            Part::Setting(at) => {
                // Rows with other values are other groups of pairs, unless a pair consults both.
                let value = self
                    .rows_with(at)
                    .next()
                    .map_or("", |(class, form)| ROW[at].value(&self.from.classes[class].rows[form as usize]).name);
                setting(ROW[at].name, value)
            }
            Part::Syntax(at) => setting(SYNTAX[at].name, SYNTAX[at].value(&self.from.syntax).name),
            Part::Table { component, of_base } => name_of_table(component, of_base),
            Part::Cleaning { of_base } => name_of_cleaning(of_base).to_owned(),
        }
    }
}
