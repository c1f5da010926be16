//! The differences between two behaviours that decide about a pair.

use std::collections::BTreeSet;
use std::mem::swap;
use std::sync::Arc;

use super::table::{Component, Table, index};
use super::{Behaviour, Class, Consulted, Form, Prefix, ROW, Row, SYNTAX, Setting, TablesRead, TablesUsed, Watched};

mod decisive;
mod words;

pub use decisive::{Decisive, decisive, is_name, predict_without};
use words::{actions, cleaning};

/// The maximum size of the sets that are tried exhaustively. Larger sets are found by reducing the full set.
const MAX_SUBSET: usize = 3;

/// A difference between two behaviours.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Difference {
    /// The name: that of the setting with its value, or that of the component.
    pub name: String,
    /// The question that both behaviours answer differently.
    pub question: String,
    /// What the first behaviour does.
    pub from: Sentence,
    /// What the second behaviour does.
    pub to: Sentence,
}

/// What a behaviour does.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Sentence {
    /// The sentence, without a full stop.
    pub text: String,
    /// The sources: specification and section, separated by semicolons; empty if no specification has it.
    pub sources: &'static str,
}

impl Sentence {
    fn of(doc: &'static str) -> Self {
        let (text, sources) = doc.rsplit_once(" (").unwrap_or((doc.trim_end_matches('.'), ""));
        Self { text: text.to_owned(), sources: sources.trim_end_matches(").") }
    }

    /// Returns the source in the specification `cite`, or the first source; empty if no source is stated.
    pub fn source(&self, cite: &str) -> &'static str {
        let mut sources = self.sources.split("; ");
        let is_cited = |source: &&str| source.strip_prefix(cite).is_some_and(|rest| rest.starts_with([' ', ',']));
        let first = self.sources.split("; ").next().unwrap_or_default();
        if cite.is_empty() { first } else { sources.find(is_cited).unwrap_or(first) }
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, sources: "" }
    }
}

/// What differs.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Part {
    Cleaning { of_base: bool },
    Syntax(usize),
    Setting(usize),
    Table { component: Component, of_base: bool },
}

/// Two behaviours, reduced to the classes that decide about a pair.
struct Compared<'a> {
    from: Behaviour,
    to: Behaviour,
    /// The classes and forms that decide.
    rows: Vec<(usize, Form)>,
    base: &'a str,
    reference: &'a str,
}

/// Returns a smallest set of differences that turns the prediction of `from` for a pair into the prediction of `to`;
/// `None` if the predictions are equal.
pub fn between(from: &Behaviour, to: &Behaviour, base: &str, reference: &str) -> Option<Vec<Difference>> {
    between_by(from, to, base, reference, &|url| url)
}

/// Returns a smallest set of differences as [`between`] does, if only what `view` returns for a prediction is compared:
/// the set turns the view of the first prediction into the view of the second.
pub fn between_by<T: PartialEq>(
    from: &Behaviour,
    to: &Behaviour,
    base: &str,
    reference: &str,
    view: &dyn Fn(Option<String>) -> T,
) -> Option<Vec<Difference>> {
    let first = view(from.predict(base, reference));
    let wanted = view(to.predict(base, reference));
    if first == wanted {
        return None;
    }
    let mut compared = Compared::of(from, to, base, reference);
    let explains = |compared: &Compared<'_>| view(compared.prediction()) == wanted;
    let ([reduced, other], inputs) = compared.inputs();
    if view(reduced) != first || view(other) != wanted {
        return None;
    }
    let acting = compared.acting_parts();
    let parts = match compared.with(&acting, &explains) {
        true => acting,
        false => Some(compared.parts()).filter(|all| compared.with(all, &explains))?,
    };
    let mut changes = Vec::new();
    for part in &parts {
        if !inputs[0].contain(*part) {
            changes.push(false);
            continue;
        }
        let prediction = compared.with(&[*part], &|compared| view(compared.prediction()));
        if prediction == wanted {
            return Some(vec![compared.described(*part)]);
        }
        changes.push(prediction != first);
    }
    let mut is_relevant = |(part, changes): &(&Part, bool)| {
        // The second behaviour has all parts but this one of its own.
        let without = |compared: &Compared<'_>| view(compared.to.predict(base, reference)) != wanted;
        *changes || inputs[1].contain(**part) && compared.with(&[**part], &without)
    };
    let relevant: Vec<Part> = parts.iter().zip(changes).filter(&mut is_relevant).map(|(part, _)| *part).collect();
    let found = smallest(&relevant, &mut compared, &explains).unwrap_or_else(|| {
        let suffices = compared.with(&relevant, &explains);
        minimized(if suffices { relevant } else { parts }, &mut compared, &explains)
    });
    Some(found.into_iter().map(|part| compared.described(part)).collect())
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
    let is_given = |part: &Part| differences.contains(&compared.described(*part));
    let given: Vec<Part> = compared.parts().into_iter().filter(is_given).collect();
    given.into_iter().for_each(|part| compared.exchange(part));
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

/// Returns the first of the smallest sets of `parts` that explain the result, of two to [`MAX_SUBSET`] parts.
fn smallest(
    parts: &[Part],
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
    (2..=MAX_SUBSET.min(parts.len())).find_map(|size| {
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
        let settings = (0..ROW.len()).filter(|&at| self.row_with(at).is_some()).map(Part::Setting);
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

    /// Returns the first deciding row in which the setting at `at` differs.
    fn row_with(&self, at: usize) -> Option<(&Row, &Row)> {
        let rows = self.rows.iter().map(|&(class, form)| {
            (&self.from.classes[class].rows[form as usize], &self.to.classes[class].rows[form as usize])
        });
        rows.into_iter().find(|(from, to)| ROW[at].index(from) != ROW[at].index(to))
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

    fn described(&self, part: Part) -> Difference {
        let (base, reference) = (self.base, self.reference);
        let difference = |name: String, question: &str, from: Sentence, to: Sentence| Difference {
            name,
            question: question.to_owned(),
            from,
            to,
        };
        match part {
            Part::Setting(at) => {
                let setting = &ROW[at];
                let Some((from, to)) = self.row_with(at) else {
                    return difference(
                        setting.name.to_owned(),
                        setting.question,
                        String::new().into(),
                        String::new().into(),
                    );
                };
                let [from, to] = [setting.index(from), setting.index(to)];
                let name = format!("{}={}", setting.name, setting.values[to].name);
                let [from, to] = [from, to].map(|index| Sentence::of(setting.sentence(index)));
                difference(name, setting.question, from, to)
            }
            Part::Syntax(at) => {
                let setting = &SYNTAX[at];
                let [from, to] = [&self.from, &self.to].map(|behaviour| setting.index(&behaviour.syntax));
                let name = format!("{}={}", setting.name, setting.values[to].name);
                let [from, to] = [from, to].map(|index| Sentence::of(setting.sentence(index)));
                difference(name, setting.question, from, to)
            }
            Part::Cleaning { of_base } => {
                let of =
                    |behaviour: &Behaviour| if of_base { behaviour.base.clone() } else { behaviour.reference.clone() };
                let name = name_of_cleaning(of_base);
                let text = if of_base { base } else { reference };
                let [from, to] = [&self.from, &self.to].map(|behaviour| cleaning(&of(behaviour), text).into());
                difference(name.to_owned(), "Which characters are removed first?", from, to)
            }
            Part::Table { component, of_base } => {
                let text = if of_base { base } else { reference };
                let classes = self.from.classes.iter().zip(&self.to.classes);
                let mut tables = classes.map(|(from, to)| [from, to].map(|class| class.tables(of_base).of(component)));
                let [from, to] = tables.find(|[from, to]| from != to).unwrap_or_else(|| {
                    let own = self.from.classes[0].reference.of(component);
                    [own, own]
                });
                let name = name_of_table(component, of_base);
                let question = format!("What happens to these {name}?");
                difference(name, &question, actions(from, to, text).into(), actions(to, from, text).into())
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
