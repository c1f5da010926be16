//! Differences in words: by the row that was read, and by the characters that decide.

use super::words::{Acting, actions, cleaning, part_of, shows};
use super::{Compared, Difference, Part, QUESTION_OF_BASES, Sentence, name_of_cleaning, name_of_table};
use crate::behaviour::table::{Actions, Component, Table, index};
use crate::behaviour::{Behaviour, Form, ROW, SYNTAX};

impl Compared<'_> {
    /// Describes `parts`, each as it acts while the others are exchanged.
    pub(super) fn described_together(&mut self, parts: &[Part]) -> Vec<Difference> {
        let described = |at: usize| {
            let others: Vec<Part> = parts.iter().copied().filter(|part| *part != parts[at]).collect();
            self.with(&others, &|compared| compared.described(parts[at]))
        };
        (0..parts.len()).map(described).collect()
    }

    /// Describes `part` by the row that was read.
    fn described(&self, part: Part) -> Difference {
        let row = if let Part::Setting(at) = part { self.row_with(at) } else { None };
        self.described_in(part, row)
    }

    /// Describes `part` by the first row in which it differs.
    pub(super) fn described_by_first(&self, part: Part) -> Difference {
        let row = if let Part::Setting(at) = part { self.rows_with(at).next() } else { None };
        self.described_in(part, row)
    }

    fn described_in(&self, part: Part, row: Option<(usize, Form)>) -> Difference {
        let (base, reference) = (self.base, self.reference);
        let difference = |name: String, question: &str, from: Sentence, to: Sentence| Difference {
            name,
            question: question.to_owned(),
            from,
            to,
            part,
            acting: Acting::default(),
        };
        match part {
            Part::Setting(at) => {
                let setting = &ROW[at];
                let Some(row) = row else {
                    return difference(
                        setting.name.to_owned(),
                        setting.question,
                        String::new().into(),
                        String::new().into(),
                    );
                };
                let [from, to] = self.values_in(at, row);
                let name = format!("{}={}", setting.name, setting.values[to].name);
                let [from, to] = [from, to].map(|index| Sentence::of(setting.sentence(index)));
                // The setting also decides whether a base is parsed before a relative reference is resolved.
                let is_of_base = setting.name == "dots_in_absolute"
                    && [&self.from, &self.to]
                        .iter()
                        .all(|it| it.prefix(&it.cleaned(&it.reference, reference)).scheme().is_none());
                let question = if is_of_base { QUESTION_OF_BASES } else { setting.question };
                difference(name, question, from, to)
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
                let [from, to] = [&self.from, &self.to].map(of);
                let [from, to] = [cleaning(&from, &to, text).into(), cleaning(&to, &from, text).into()];
                difference(name.to_owned(), "Which characters are removed first?", from, to)
            }
            Part::Table { component, of_base } => {
                let (from, to) = self.tables_read(component, of_base);
                let acting = self.acting(component, of_base);
                let name = name_of_table(component, of_base);
                let question = format!("What happens to these {name}?");
                let [from, to] = [actions(from, to, &acting), actions(to, from, &acting)];
                Difference { acting, ..difference(name, &question, from, to) }
            }
        }
    }

    /// Returns the tables of `component` of the class in which they differ and were read: an exchange changes a prediction. If an
    /// exchange in one class has no effect, it is the first one in which they differ.
    fn tables_read(&self, component: Component, of_base: bool) -> (&Table, &Table) {
        let tables = |class: usize| {
            [&self.from, &self.to].map(|behaviour| behaviour.classes[class].tables(of_base).of(component))
        };
        let differing: Vec<usize> = (0..self.from.classes.len())
            .filter(|class| {
                let [from, to] = tables(*class);
                from != to
            })
            .collect();
        let is_read = |class: &&usize| {
            differing.len() == 1 || {
                let mut changed = self.from.clone();
                *changed.classes[**class].table_mut(component, of_base) = tables(**class)[1].clone();
                changed.predict(self.base, self.reference) != self.prediction()
            }
        };
        let class = differing.iter().find(is_read).or(differing.first());
        let [from, to] = tables(class.copied().unwrap_or_default());
        (from, to)
    }

    /// Returns the characters and percent-encoded bytes of the pair that two tables treat differently, so that an exchange of what
    /// happens to one of them changes the prediction. Without any, it returns those that act only together.
    fn acting(&self, component: Component, of_base: bool) -> Acting {
        let (from, to) = self.tables_read(component, of_base);
        let [first, second] = if of_base { [self.base, self.reference] } else { [self.reference, self.base] };
        let mut all = Acting::of(&format!("{first}\n{second}"));
        all.characters.retain(|c| from.actions.literal[index(*c)] != to.actions.literal[index(*c)]);
        all.escapes.retain(|byte| from.actions.escape[*byte] != to.actions.escape[*byte]);
        // A line feed separates the texts.
        all.characters.retain(|c| *c != '\n' || self.base.contains('\n') || self.reference.contains('\n'));
        let prediction = self.prediction();
        let decides = |exchange: &dyn Fn(&mut Actions, &Actions)| {
            let mut changed = self.from.clone();
            for (class, other) in changed.classes.iter_mut().zip(&self.to.classes) {
                let theirs = &other.tables(of_base).of(component).actions;
                exchange(class.table_mut(component, of_base).actions_mut(), theirs);
            }
            changed.predict(self.base, self.reference) != prediction
        };
        let deciding = Acting {
            characters: all
                .characters
                .iter()
                .copied()
                .filter(|c| decides(&|own, other| own.literal[index(*c)] = other.literal[index(*c)]))
                .collect(),
            escapes: all
                .escapes
                .iter()
                .copied()
                .filter(|byte| decides(&|own, other| own.escape[*byte] = other.escape[*byte]))
                .collect(),
            has_percent: all.has_percent,
        };
        if deciding.characters.is_empty() && deciding.escapes.is_empty() {
            self.acting_together(all, component, of_base)
        } else {
            Acting { has_percent: false, ..deciding }
        }
    }

    /// Returns those of `all` that act only together: without one of them, an exchange of the table has another effect on the prediction. A
    /// character that no prediction shows in the component, as its table would leave it, is elsewhere in the pair and does not act.
    fn acting_together(&self, all: Acting, component: Component, of_base: bool) -> Acting {
        let (from, to) = self.tables_read(component, of_base);
        let sides = [(from, self.prediction()), (to, self.to.predict(self.base, self.reference))];
        let is_shown = |c: char| {
            sides.iter().any(|(table, url)| match url {
                Some(url) => shows(part_of(component, url), table.actions.literal[index(c)], c),
                None => true,
            })
        };
        let shown = all.characters.iter().copied().filter(|c| is_shown(*c)).collect();
        let shown = Acting { characters: shown, ..all.clone() };
        let exchanged = |kept: &Acting| {
            let mut changed = self.from.clone();
            for (class, other) in changed.classes.iter_mut().zip(&self.to.classes) {
                let own = class.table_mut(component, of_base);
                let mut theirs = other.tables(of_base).of(component).clone();
                let actions = theirs.actions_mut();
                for c in all.characters.iter().filter(|c| !kept.characters.contains(c)) {
                    actions.literal[index(*c)] = own.actions.literal[index(*c)];
                }
                for byte in all.escapes.iter().filter(|byte| !kept.escapes.contains(byte)) {
                    actions.escape[*byte] = own.actions.escape[*byte];
                }
                if !kept.has_percent {
                    (theirs.percent, theirs.bytes, theirs.anew) = (own.percent, own.bytes, own.anew.clone());
                }
                *own = theirs;
            }
            changed.predict(self.base, self.reference)
        };
        let whole = exchanged(&shown);
        let mut kept = shown.clone();
        for c in &shown.characters {
            let without = kept.characters.iter().copied().filter(|own| own != c).collect();
            let without = Acting { characters: without, ..kept.clone() };
            kept = if exchanged(&without) == whole { without } else { kept };
        }
        for byte in &all.escapes {
            let without = kept.escapes.iter().copied().filter(|own| own != byte).collect();
            let without = Acting { escapes: without, ..kept.clone() };
            kept = if exchanged(&without) == whole { without } else { kept };
        }
        let without = Acting { has_percent: false, ..kept.clone() };
        if kept.has_percent && exchanged(&without) == whole { without } else { kept }
    }
}
