//! A behaviour with some values of another one: which of their differences decide about pairs.

use std::collections::BTreeMap;

use super::{Compared, Difference, Part, may_change};
use crate::behaviour::table::Component;
use crate::behaviour::{Behaviour, Consulted, Form, ROW, SYNTAX};

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

/// The names of the differences that are neither settings nor tables.
const CLEANING: [(&str, bool); 2] = [("cleaning of references", false), ("cleaning of bases", true)];

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
    if let Some((_, of_base)) = CLEANING.iter().find(|(own, _)| *own == name) {
        return Some((Part::Cleaning { of_base: *of_base }, None));
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

/// Returns the differences of `own` from `other` that decide about `pairs`, most frequent first.
///
/// A difference decides about a pair if `own` with the value of `other` predicts another result. Each of the lists
/// `together` has the names of differences that decide together as well: if `own` with all values of `other` predicts another
/// result. Pairs for which both behaviours predict the same result are not counted.
pub fn decisive<'a>(
    own: &Behaviour,
    other: &Behaviour,
    together: &[&[String]],
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<Decisive> {
    let mut reduced: BTreeMap<Vec<String>, [Behaviour; 2]> = BTreeMap::new();
    let mut groups: BTreeMap<Deciding, Vec<(&str, &str)>> = BTreeMap::new();
    for (base, reference) in pairs {
        if own.predict(base, reference) == other.predict(base, reference) {
            continue;
        }
        let schemes = super::schemes(own, other, base, reference);
        let both = reduced
            .entry(schemes.clone())
            .or_insert_with(|| [own, other].map(|behaviour| super::reduced(behaviour, &schemes, false)));
        let rows = super::rows([&both[0], &both[1]], base, reference);
        groups.entry((schemes, rows)).or_default().push((base, reference));
    }
    let mut found: BTreeMap<Vec<String>, Found<'_>> = BTreeMap::new();
    for ((schemes, rows), pairs) in groups {
        let [from, to] = &reduced[&schemes];
        let mut compared = Compared { from: from.clone(), to: to.clone(), rows, base: "", reference: "" };
        compared.watch(true);
        let prediction = |(base, reference): &(&str, &str)| compared.from.predict(base, reference);
        let predicted: Vec<_> = pairs.iter().map(|pair| Consulted::during(|| prediction(pair))).collect();
        compared.watch(false);
        let single = compared.parts().into_iter().map(|part| (vec![compared.own_name(part)], vec![part]));
        let several = together.iter().filter_map(|names| Some((names.to_vec(), compared.named(names)?)));
        let changes: Vec<_> = single.chain(several).collect();
        for (names, parts) in changes {
            parts.iter().for_each(|part| compared.exchange(*part));
            let may_act = |(base, reference): (&str, &str), consulted| {
                parts.iter().any(|part| may_change(*part, consulted) && compared.acts(*part, base, reference))
            };
            let decided: Vec<(&str, &str)> = pairs
                .iter()
                .zip(&predicted)
                .filter(|((base, reference), (url, consulted))| {
                    may_act((base, reference), consulted) && compared.from.predict(base, reference) != *url
                })
                .map(|(pair, _)| *pair)
                .collect();
            parts.iter().for_each(|part| compared.exchange(*part));
            for (base, reference) in decided {
                let entry = found.entry(names.clone()).or_insert_with(|| (0, parts.clone(), (base, reference)));
                entry.0 += 1;
                let size = |(base, reference): (&str, &str)| base.len() + reference.len();
                if (size((base, reference)), base, reference) < (size(entry.2), entry.2.0, entry.2.1) {
                    entry.2 = (base, reference);
                }
            }
        }
    }
    let described = |(pairs, parts, (base, reference)): Found<'_>| {
        let compared = Compared::of(other, own, base, reference);
        let differences = parts.into_iter().map(|part| compared.described(part)).collect();
        Decisive { differences, pairs, smallest: (base.to_owned(), reference.to_owned()) }
    };
    let mut found: Vec<_> = found.into_values().map(described).collect();
    found.sort_by_key(|decisive| std::cmp::Reverse(decisive.pairs));
    found
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
                let value = self.row_with(at).map_or("", |(own, _)| ROW[at].value(own).name);
                setting(ROW[at].name, value)
            }
            Part::Syntax(at) => setting(SYNTAX[at].name, SYNTAX[at].value(&self.from.syntax).name),
            other => self.described(other).name,
        }
    }
}
