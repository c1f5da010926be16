//! The differences between two behaviours that decide about a pair.

use std::collections::BTreeSet;
use std::mem::swap;
use std::sync::Arc;

use super::table::{Component, Table, index};
use super::{Behaviour, Class, Consulted, Form, Prefix, ROW, SYNTAX, Setting, TablesRead, TablesUsed, Watched};

mod decisive;
mod described;
mod difference;
mod words;

pub use decisive::{Decisive, decisive, is_name, predict_without};
pub use difference::{Difference, Sentence};

/// The question of `dots_in_absolute` for a pair whose reference has no scheme.
const QUESTION_OF_BASES: &str = "Is a base that has a scheme copied, or parsed so that its dot segments are removed?";

/// The maximum size of the sets that are tried exhaustively. Larger sets are found by reducing the full set.
const MAX_SUBSET: usize = 3;

/// What differs.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Part {
    Syntax(usize),
    Setting(usize),
    Table { component: Component, of_base: bool },
    Cleaning { of_base: bool },
}

impl Part {
    /// Returns the place of the part in the order in which parts are preferred as a cause: settings in the order in which resolution
    /// uses them, tables, cleaning, and last the settings that select how or with which other settings a text is read.
    fn rank(self) -> (bool, Self) {
        (matches!(self, Self::Setting(at) if SELECTING.contains(&ROW[at].name)), self)
    }
}

/// Settings that select the form in which a text is used, and so which other settings and tables are read. A change of one of them
/// exchanges much more than itself.
const SELECTING: [&str; 4] = ["absolute_against", "base_form", "empty_form", "tables_used"];

/// Two behaviours, reduced to the classes that decide about a pair.
struct Compared<'a> {
    from: Behaviour,
    to: Behaviour,
    /// The classes and forms that decide.
    rows: Vec<(usize, Form)>,
    base: &'a str,
    reference: &'a str,
}

/// Returns a smallest set of differences that turns the prediction of `from` for a pair into the prediction of `to`; `None` if the
/// predictions are equal.
///
/// If one prediction is a failure, the differences turn the other prediction into the failure, whichever of them it is, because only
/// what rejects is the cause of a rejection.
pub fn between(from: &Behaviour, to: &Behaviour, base: &str, reference: &str) -> Option<Vec<Difference>> {
    between_by(from, to, base, reference, &|url| url)
}

/// Returns a smallest set of differences that turns one of two predictions into the other. They are the same differences if `from`
/// and `to` change places.
pub fn between_either(from: &Behaviour, to: &Behaviour, base: &str, reference: &str) -> Option<Vec<Difference>> {
    let predictions = [from, to].map(|behaviour| behaviour.predict(base, reference));
    // What rejects is the cause of a rejection, so that a failure is never the start.
    let ways: Vec<[&Behaviour; 2]> = match predictions.each_ref().map(Option::is_some) {
        [true, false] => vec![[from, to]],
        [false, true] => vec![[to, from]],
        _ if predictions[0] > predictions[1] => vec![[to, from], [from, to]],
        _ => vec![[from, to], [to, from]],
    };
    let found = |[from, to]: [&Behaviour; 2]| {
        let [first, wanted] = [from, to].map(|behaviour| behaviour.predict(base, reference));
        leading(&mut Compared::of(from, to, base, reference), &first, &wanted, &|url| url)
    };
    if predictions[0] == predictions[1] {
        return None;
    }
    // Of equally small sets, the first by rank, and then the one that turns the lesser URL into the other.
    let rank = |parts: &Vec<Part>| (parts.len(), parts.iter().map(|part| part.rank()).collect::<Vec<_>>());
    let parts = ways.iter().copied().filter_map(found).min_by_key(rank)?;
    let described = |[from, to]: [&Behaviour; 2]| Compared::of(from, to, base, reference).described_together(&parts);
    let own = described([from, to]);
    // Which characters of a table act depends on the side that is changed: they are described as in the first way.
    if std::ptr::eq(ways[0][0], from) {
        return Some(own);
    }
    let described = own.into_iter().zip(described(ways[0]));
    Some(
        described
            .map(|(own, other)| Difference { from: other.to, to: other.from, acting: other.acting, ..own })
            .collect(),
    )
}

/// Returns a smallest set of differences as [`between`] does, if only what `view` returns for a prediction is compared.
pub fn between_by<T: PartialEq>(
    from: &Behaviour,
    to: &Behaviour,
    base: &str,
    reference: &str,
    view: &dyn Fn(Option<String>) -> T,
) -> Option<Vec<Difference>> {
    let predictions = [from, to].map(|behaviour| behaviour.predict(base, reference));
    let is_reversed = predictions[0].is_none() && predictions[1].is_some();
    let [first, wanted] = predictions.map(view);
    if first == wanted {
        return None;
    }
    let mut compared = Compared::of(from, to, base, reference);
    let parts = match is_reversed {
        false => leading(&mut compared, &first, &wanted, view)?,
        true => leading(&mut Compared::of(to, from, base, reference), &wanted, &first, view)?,
    };
    Some(compared.described_together(&parts))
}

/// Returns the parts of a smallest set of differences that turns `first`, the view of the first behaviour's prediction, into
/// `wanted`, that of the second.
fn leading<T: PartialEq>(
    compared: &mut Compared<'_>,
    first: &T,
    wanted: &T,
    view: &dyn Fn(Option<String>) -> T,
) -> Option<Vec<Part>> {
    let explains = |compared: &Compared<'_>| view(compared.prediction()) == *wanted;
    let ([reduced, other], inputs) = compared.inputs();
    if view(reduced) != *first || view(other) != *wanted {
        return None;
    }
    let acting = compared.acting_parts();
    let parts = match compared.with(&acting, &explains) {
        true => acting,
        false => Some(compared.parts()).filter(|all| compared.with(all, &explains))?,
    };
    let mut changes = Vec::new();
    let mut sufficient = Vec::new();
    for part in &parts {
        if !inputs[0].contain(*part) {
            changes.push(false);
            continue;
        }
        let prediction = compared.with(&[*part], &|compared| view(compared.prediction()));
        if prediction == *wanted {
            sufficient.push(*part);
        }
        changes.push(prediction != *first);
    }
    let (base, reference) = (compared.base, compared.reference);
    // The second behaviour has all parts but the exchanged ones of its own.
    let other = |compared: &Compared<'_>| compared.to.predict(base, reference);
    let is_rejection = compared.to.predict(base, reference).is_none();
    // What rejects is the cause only if the second behaviour does not reject without it.
    let leads_back = |compared: &Compared<'_>| match other(compared) {
        Some(_) if is_rejection => true,
        url => view(url) == *first,
    };
    let is_one_way: Vec<bool> = sufficient.iter().map(|part| !compared.with(&[*part], &leads_back)).collect();
    let mut sufficient: Vec<(bool, Part)> = is_one_way.into_iter().zip(sufficient).collect();
    sufficient.sort_by_key(|(is_one_way, part)| (*is_one_way, part.rank()));
    match sufficient.first() {
        Some((is_one_way, part)) if !is_rejection || !is_one_way => return Some(vec![*part]),
        _ => {}
    }
    let mut is_relevant = |(part, changes): &(&Part, bool)| {
        let without = |compared: &Compared<'_>| view(other(compared)) != *wanted;
        *changes || inputs[1].contain(**part) && compared.with(&[**part], &without)
    };
    let mut relevant: Vec<Part> = parts.iter().zip(changes).filter(&mut is_relevant).map(|(part, _)| *part).collect();
    relevant.sort_by_key(|part| part.rank());
    if is_rejection {
        let both = |compared: &Compared<'_>| explains(compared) && leads_back(compared);
        // Parts that suffice alone in one direction make every larger set suffice.
        let others = |part: &&Part| !sufficient.iter().any(|(_, own)| own == *part);
        let others: Vec<Part> = relevant.iter().filter(others).copied().collect();
        let most = if sufficient.is_empty() { MAX_SUBSET } else { 2 };
        if let Some(found) = smallest(&others, most, compared, &both) {
            return Some(found);
        }
    }
    if let Some((_, part)) = sufficient.first() {
        return Some(vec![*part]);
    }
    Some(smallest(&relevant, MAX_SUBSET, compared, &explains).unwrap_or_else(|| {
        let suffices = compared.with(&relevant, &explains);
        minimized(if suffices { relevant } else { parts }, compared, &explains)
    }))
}

/// Returns what `from` predicts for a pair if it has what `to` has in `differences`, of those that [`between`] returns for the
/// pair.
pub fn predicted_with(
    from: &Behaviour,
    to: &Behaviour,
    differences: &[Difference],
    base: &str,
    reference: &str,
) -> Option<String> {
    let mut compared = Compared::of(from, to, base, reference);
    differences.iter().for_each(|difference| compared.exchange(difference.part));
    compared.prediction()
}

/// What a prediction depends on.
#[derive(Clone, Copy)]
struct Inputs {
    /// The settings of the deciding rows that it consulted.
    settings: Consulted,
    tables: TablesRead,
}

impl Inputs {
    /// Returns what `of` returns, and what it depended on.
    fn during<T>(of: impl FnOnce() -> T) -> (T, Self) {
        let ((returned, settings), tables) = TablesRead::during(|| Consulted::during(of));
        (returned, Self { settings, tables })
    }

    /// Returns whether the prediction can change with `part`.
    fn contain(&self, part: Part) -> bool {
        match part {
            Part::Setting(at) => self.settings.contains(at),
            Part::Table { component, .. } => self.tables.contains(component),
            Part::Cleaning { .. } | Part::Syntax(_) => true,
        }
    }
}

/// Returns the first of the smallest sets of `parts` that explain the result, of two to `most` parts.
fn smallest(
    parts: &[Part],
    most: usize,
    compared: &mut Compared<'_>,
    explains: &dyn Fn(&Compared<'_>) -> bool,
) -> Option<Vec<Part>> {
    fn extend(
        parts: &[Part],
        size: usize,
        chosen: &mut Vec<Part>,
        compared: &mut Compared<'_>,
        explains: &dyn Fn(&Compared<'_>) -> bool,
    ) -> bool {
        if size == 0 {
            return explains(compared);
        }
        for (at, part) in parts.iter().enumerate() {
            compared.exchange(*part);
            let found = extend(&parts[at + 1..], size - 1, chosen, compared, explains);
            compared.exchange(*part);
            if found {
                chosen.push(*part);
                return true;
            }
        }
        false
    }
    (2..=most.min(parts.len())).find_map(|size| {
        let mut chosen = Vec::new();
        let found = extend(parts, size, &mut chosen, compared, explains);
        chosen.reverse();
        found.then_some(chosen)
    })
}

/// Removes each part in turn that is not needed, as long as there is one.
fn minimized(mut parts: Vec<Part>, compared: &mut Compared<'_>, explains: &dyn Fn(&Compared<'_>) -> bool) -> Vec<Part> {
    parts.iter().for_each(|part| compared.exchange(*part));
    loop {
        let before = parts.len();
        parts.retain(|part| {
            compared.exchange(*part);
            let is_needed = !explains(compared);
            if is_needed {
                compared.exchange(*part);
            }
            is_needed
        });
        if parts.len() == before {
            break;
        }
    }
    parts.iter().for_each(|part| compared.exchange(*part));
    parts
}

impl<'a> Compared<'a> {
    fn of(from: &Behaviour, to: &Behaviour, base: &'a str, reference: &'a str) -> Self {
        let schemes = schemes(from, to, base, reference);
        let is_of_schemes = is_of_schemes([from, to], &schemes, base);
        let [from, to] = [from, to].map(|behaviour| reduced(behaviour, &schemes, is_of_schemes));
        let rows = rows([&from, &to], base, reference);
        Self { from, to, rows, base, reference }
    }

    fn prediction(&self) -> Option<String> {
        self.from.predict(self.base, self.reference)
    }

    /// Returns the predictions of both behaviours, and what each of them depends on.
    fn inputs(&mut self) -> ([Option<String>; 2], [Inputs; 2]) {
        self.watch(true);
        let (base, reference) = (self.base, self.reference);
        let [from, to] = [&self.from, &self.to].map(|it| Inputs::during(|| it.predict(base, reference)));
        self.watch(false);
        ([from.0, to.0], [from.1, to.1])
    }

    /// Sets whether the settings of the deciding rows that a prediction consults are recorded.
    fn watch(&mut self, is_watched: bool) {
        for behaviour in [&mut self.from, &mut self.to] {
            for &(class, form) in &self.rows {
                behaviour.classes[class].rows[form as usize].watched = Watched(is_watched, 0);
            }
        }
    }

    /// Returns every part that differs.
    fn parts(&self) -> Vec<Part> {
        self.parts_by(&|_, from, to| from != to)
    }

    /// Returns the parts that differ and can act on the pair.
    fn acting_parts(&self) -> Vec<Part> {
        let entries = entries(self.base, self.reference);
        self.parts_by(&|component, from, to| acts(component, from, to, &entries))
    }

    /// Returns every setting that differs, and the tables of which `differs` returns that they do.
    fn parts_by(&self, differs: &dyn Fn(Component, &Table, &Table) -> bool) -> Vec<Part> {
        let differs = |component: Component, of_base: bool| {
            self.from.classes.iter().zip(&self.to.classes).any(|(from, to)| {
                let [from, to] = [from, to].map(|class| class.tables(of_base).of(component));
                differs(component, from, to)
            })
        };
        let settings = (0..ROW.len()).filter(|&at| self.rows_with(at).next().is_some()).map(Part::Setting);
        let syntax = (0..SYNTAX.len())
            .filter(|&at| SYNTAX[at].index(&self.from.syntax) != SYNTAX[at].index(&self.to.syntax))
            .map(Part::Syntax);
        let tables = Component::ALL.into_iter().flat_map(|component| {
            let sides = [false, true].into_iter().filter(move |of_base| differs(component, *of_base));
            sides.map(move |of_base| Part::Table { component, of_base })
        });
        let cleaning = [(false, self.from.reference != self.to.reference), (true, self.from.base != self.to.base)];
        let cleaning =
            cleaning.into_iter().filter(|(_, differs)| *differs).map(|(of_base, _)| Part::Cleaning { of_base });
        settings.chain(tables).chain(cleaning).chain(syntax).collect()
    }

    /// Returns the values of the setting at `at` in a row of both behaviours.
    fn values_in(&self, at: usize, (class, form): (usize, Form)) -> [usize; 2] {
        [&self.from, &self.to].map(|it| ROW[at].index(&it.classes[class].rows[form as usize]))
    }

    /// Returns the deciding rows in which the setting at `at` differs.
    fn rows_with(&self, at: usize) -> impl Iterator<Item = (usize, Form)> + '_ {
        self.rows.iter().copied().filter(move |row| {
            let [from, to] = self.values_in(at, *row);
            from != to
        })
    }

    /// Returns the deciding row in which the setting at `at` differs and was read: an exchange of its value changes a prediction.
    /// If an exchange in one row has no effect, it is the first one in which the setting differs.
    fn row_with(&self, at: usize) -> Option<(usize, Form)> {
        let first = self.rows_with(at).next()?;
        if self.rows_with(at).all(|row| self.values_in(at, row) == self.values_in(at, first)) {
            return Some(first);
        }
        let predictions = |behaviours: [&Behaviour; 2]| behaviours.map(|it| it.predict(self.base, self.reference));
        let before = predictions([&self.from, &self.to]);
        let is_read = |(class, form): &(usize, Form)| {
            let [mut from, mut to] = [self.from.clone(), self.to.clone()];
            exchange(
                &ROW[at],
                &mut from.classes[*class].rows[*form as usize],
                &mut to.classes[*class].rows[*form as usize],
            );
            predictions([&from, &to]) != before
        };
        Some(self.rows_with(at).find(is_read).unwrap_or(first))
    }

    /// Returns what `of` returns while `parts` are exchanged.
    fn with<T>(&mut self, parts: &[Part], of: &dyn Fn(&Self) -> T) -> T {
        parts.iter().for_each(|part| self.exchange(*part));
        let found = of(self);
        parts.iter().for_each(|part| self.exchange(*part));
        found
    }

    /// Returns whether `part` can act on a pair with the characters `entries`.
    fn acts(&self, part: Part, entries: &BTreeSet<usize>) -> bool {
        match part {
            Part::Setting(_) | Part::Syntax(_) => true,
            Part::Cleaning { of_base } => {
                let [from, to] = [&self.from, &self.to].map(|it| if of_base { &it.base } else { &it.reference });
                // Other texts than those of the pair are cleaned, too: decoded ones, and those that are parsed again.
                entries.contains(&index('%'))
                    || self.from.resolves_alone()
                    || from.differing(to).any(|c| entries.contains(&index(c)))
            }
            Part::Table { component, of_base } => self.from.classes.iter().zip(&self.to.classes).any(|(from, to)| {
                let [from, to] = [from, to].map(|class| class.tables(of_base).of(component));
                acts(component, from, to, entries)
            }),
        }
    }

    /// Exchanges a part of the two behaviours. A second call restores both.
    fn exchange(&mut self, part: Part) {
        let (from, to) = (&mut self.from, &mut self.to);
        match part {
            Part::Cleaning { of_base: true } => swap(&mut from.base, &mut to.base),
            Part::Cleaning { of_base: false } => swap(&mut from.reference, &mut to.reference),
            Part::Syntax(at) => exchange(&SYNTAX[at], &mut from.syntax, &mut to.syntax),
            Part::Setting(at) => {
                for &(class, form) in &self.rows {
                    let [own, other] =
                        [&mut *from, &mut *to].map(|behaviour| &mut behaviour.classes[class].rows[form as usize]);
                    exchange(&ROW[at], own, other);
                }
            }
            Part::Table { component, of_base } => {
                for (own, other) in from.classes.iter_mut().zip(&mut to.classes) {
                    let [own, other] = [own, other].map(|class| match of_base {
                        true => &mut class.base.0[component as usize],
                        false => &mut class.reference.0[component as usize],
                    });
                    swap(own, other);
                }
            }
        }
    }
}

/// Returns the name of a difference between two tables.
fn name_of_table(component: Component, of_base: bool) -> String {
    let is_named = component == Component::InheritedPath;
    let side = if of_base && !is_named { " of the base" } else { "" };
    format!("characters of the {}{side}", component.name())
}

/// Returns the name of a difference between two cleanings.
fn name_of_cleaning(of_base: bool) -> &'static str {
    if of_base { "cleaning of bases" } else { "cleaning of references" }
}

/// Returns the entries of tables that describe the characters of a pair. A base that is parsed like a reference is treated by
/// the tables of references, so the characters of both belong together.
fn entries(base: &str, reference: &str) -> BTreeSet<usize> {
    base.chars().chain(reference.chars()).map(index).collect()
}

/// Returns whether two tables of `component` differ and the difference can act on a pair with the characters `entries`.
fn acts(component: Component, from: &Table, to: &Table, entries: &BTreeSet<usize>) -> bool {
    match component {
        // Hosts may be converted first.
        Component::Host | Component::Literal => from != to,
        // A table that encodes anew changes characters that it otherwise keeps.
        _ if from.anew != to.anew || entries.contains(&index('%')) => from != to,
        _ if Arc::ptr_eq(&from.actions, &to.actions) => false,
        _ => entries.iter().any(|&entry| from.actions.literal[entry] != to.actions.literal[entry]),
    }
}

/// Exchanges the values of a setting.
fn exchange<T>(setting: &Setting<T>, one: &mut T, other: &mut T) {
    let [own, theirs] = [setting.index(one), setting.index(other)];
    setting.assign(one, theirs);
    setting.assign(other, own);
}

/// Returns the schemes that either behaviour finds in the pair, in lower case.
fn schemes(from: &Behaviour, to: &Behaviour, base: &str, reference: &str) -> Vec<String> {
    let mut schemes: BTreeSet<String> = BTreeSet::new();
    for behaviour in [from, to] {
        for text in [behaviour.cleaned(&behaviour.base, base), behaviour.cleaned(&behaviour.reference, reference)] {
            if let Prefix::Scheme(scheme) = behaviour.prefix(&text) {
                schemes.insert(scheme.to_ascii_lowercase());
            }
        }
    }
    schemes.into_iter().collect()
}

/// Returns the classes and forms that decide about the pair, in either of two reduced behaviours.
fn rows(behaviours: [&Behaviour; 2], base: &str, reference: &str) -> Vec<(usize, Form)> {
    let mut rows = BTreeSet::new();
    for behaviour in behaviours {
        rows.insert(behaviour.row_of(base, reference));
        let (class, form) = behaviour.base_row_of(base);
        rows.extend([(class, form), (class, Form::Absolute)]);
        if behaviour.resolves_alone() {
            rows.extend([base, reference].map(|text| behaviour.row_of("", text)));
            rows.insert(behaviour.base_row_of(""));
        }
    }
    rows.into_iter().collect()
}

/// Returns whether only the classes of the schemes of a pair decide about it, and not those for other schemes, for bases
/// without a scheme and for unknown bases.
fn is_of_schemes(behaviours: [&Behaviour; 2], schemes: &[String], base: &str) -> bool {
    let [from, to] = behaviours;
    let has_scheme = |behaviour: &&Behaviour| {
        let text = behaviour.cleaned(&behaviour.base, base);
        let rows = |scheme: &String| &behaviour.classes[behaviour.class_of(scheme)].rows;
        matches!(behaviour.prefix(&text), Prefix::Scheme(_))
            && schemes.iter().flat_map(rows).all(|row| row.tables_used != TablesUsed::OfNoScheme)
    };
    from.syntax == to.syntax && behaviours.iter().all(|it| has_scheme(it) && !it.resolves_alone())
}

/// Returns `behaviour` with one class for each of `schemes`, and with those for all else unless `is_of_schemes`.
fn reduced(behaviour: &Behaviour, schemes: &[String], is_of_schemes: bool) -> Behaviour {
    let class = |index: usize| behaviour.classes[index].clone();
    let mut classes: Vec<Class> = schemes.iter().map(|scheme| class(behaviour.class_of(scheme))).collect();
    let [other, relative, unknown] = match is_of_schemes {
        true => [0; 3],
        false => [0, 1, 2].map(|at| classes.len() + at),
    };
    if !is_of_schemes {
        classes.extend([behaviour.other, behaviour.relative, behaviour.unknown].map(class));
    }
    Behaviour {
        reference: behaviour.reference.clone(),
        base: behaviour.base.clone(),
        syntax: behaviour.syntax,
        classes,
        schemes: schemes.iter().cloned().zip(0..).collect(),
        other,
        relative,
        unknown,
    }
}
