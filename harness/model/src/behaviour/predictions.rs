//! The predictions of a behaviour for many pairs, and the settings that decide about them.

use std::collections::BTreeMap;

use super::{Behaviour, Consulted, Form, ROW, Watched};

/// The predictions of a behaviour, with the settings that were consulted for them. Each pair is predicted once.
pub struct Predictions<'a> {
    behaviour: &'a Behaviour,
    pairs: Vec<(&'a str, &'a str)>,
    urls: Vec<Option<String>>,
    consulted: Vec<Consulted>,
    /// The rows that decide about each pair: that of the reference, and that of the base.
    rows: Vec<[(usize, Form); 2]>,
}

/// Settings with other values that fit equally well: the names of the settings, and those of these values.
pub type Undetermined = BTreeMap<&'static str, Vec<&'static str>>;

impl<'a> Predictions<'a> {
    /// Predicts the results of `behaviour` for `pairs`: each a base and a reference.
    pub fn of(behaviour: &'a Behaviour, pairs: Vec<(&'a str, &'a str)>) -> Self {
        let mut watched = behaviour.clone();
        let rows = watched.classes.iter_mut().flat_map(|class| &mut class.rows);
        rows.for_each(|row| row.watched = Watched(true, 0));
        let predict = |(base, reference): &(&str, &str)| Consulted::during(|| watched.predict(base, reference));
        let (urls, consulted) = pairs.iter().map(predict).unzip();
        let rows = |(base, reference): &(&str, &str)| [behaviour.row_of(base, reference), behaviour.base_row_of(base)];
        let rows = pairs.iter().map(rows).collect();
        Self { behaviour, pairs, urls, consulted, rows }
    }

    /// Returns the behaviour.
    pub fn behaviour(&self) -> &'a Behaviour {
        self.behaviour
    }

    /// Returns the pairs.
    pub fn pairs(&self) -> &[(&'a str, &'a str)] {
        &self.pairs
    }

    /// Returns the predicted URL of each pair; `None` for a failure.
    pub fn urls(&self) -> &[Option<String>] {
        &self.urls
    }

    /// Returns the rows that decide about the pair at the position `pair`, each as a class and a form: that of the reference, and
    /// that of the base.
    pub fn rows(&self, pair: usize) -> [(usize, Form); 2] {
        self.rows[pair]
    }

    /// Returns whether the setting at the position `number` in [`ROW`] was consulted, in any row, for the pair at the position
    /// `pair`. If not, no other value of it changes the prediction.
    pub fn is_consulted(&self, pair: usize, number: usize) -> bool {
        self.consulted[pair].contains(number)
    }

    /// Returns the other values of the setting at `number` in [`ROW`], in one row, with which the predictions for all pairs are
    /// the same. `deciding` are the positions of the pairs about which the row decides.
    fn other_values(
        &self,
        (class, form): (usize, Form),
        number: usize,
        deciding: &[usize],
        candidates: impl Iterator<Item = usize>,
    ) -> Vec<usize> {
        let setting = &ROW[number];
        let mut tried = self.behaviour.clone();
        let own = setting.index(&tried.classes[class].rows[form as usize]);
        let fits = |value: &usize| {
            setting.assign(&mut tried.classes[class].rows[form as usize], *value);
            let mut consulting = deciding.iter().filter(|pair| self.is_consulted(**pair, number));
            consulting.all(|&pair| tried.predict(self.pairs[pair].0, self.pairs[pair].1) == self.urls[pair])
        };
        candidates.filter(|value| *value != own).filter(fits).collect()
    }

    /// Returns the positions of the pairs about which the row of `form` for the class at `class` decides. Neighbours, which are
    /// often alike, are far from each other, because most searches end at the first pair of a kind.
    fn deciding(&self, row: (usize, Form)) -> Vec<usize> {
        const STEP: usize = 61;
        let scattered = (0..STEP).flat_map(|start| (start..self.pairs.len()).step_by(STEP));
        scattered.filter(|pair| self.rows[*pair].contains(&row)).collect()
    }

    /// Returns the settings of the row for bases of `scheme` with an authority that have other values with the same prediction
    /// for every pair.
    pub fn undetermined(&self, scheme: &str) -> Undetermined {
        let row = (self.behaviour.class_of(scheme), Form::Authority);
        let deciding = self.deciding(row);
        let others = |number: usize| {
            let setting = &ROW[number];
            let values = self.other_values(row, number, &deciding, 0..setting.values.len());
            let names: Vec<_> = values.into_iter().map(|value| setting.values[value].name).collect();
            (!names.is_empty()).then_some((setting.name, names))
        };
        (0..ROW.len()).filter_map(others).collect()
    }
}

/// Which other values of a setting fit equally well, for `http` bases with a host.
pub struct Fitting<'p, 'a> {
    predictions: &'p Predictions<'a>,
    row: (usize, Form),
    deciding: Vec<usize>,
}

impl<'p, 'a> Fitting<'p, 'a> {
    /// Prepares the search. A value fits if it changes none of `predictions`.
    pub fn of(predictions: &'p Predictions<'a>) -> Self {
        let row = (predictions.behaviour.class_of("http"), Form::Authority);
        Self { predictions, row, deciding: predictions.deciding(row) }
    }

    /// Returns the other values of the setting at `number` in [`ROW`] that fit equally well, if the result for the pair depends on
    /// the setting; none otherwise.
    fn values(&self, number: usize, base: &str, reference: &str) -> Vec<usize> {
        let (class, form) = self.row;
        let behaviour = self.predictions.behaviour;
        let predicted = behaviour.predict(base, reference);
        let mut tried = behaviour.clone();
        let keeps = |value: &usize| {
            ROW[number].assign(&mut tried.classes[class].rows[form as usize], *value);
            tried.predict(base, reference) == predicted
        };
        let (keeping, changing): (Vec<usize>, Vec<usize>) = (0..ROW[number].values.len()).partition(keeps);
        match changing.is_empty() {
            true => Vec::new(),
            false => self.predictions.other_values(self.row, number, &self.deciding, keeping.into_iter()),
        }
    }

    /// Returns the names of the other values of the setting called `name` (`excess=Kept`) that fit equally well for a pair with an
    /// `http` base with a host; none for another pair, and for a name that is not that of a setting.
    pub fn names(&self, name: &str, base: &str, reference: &str) -> Vec<&'static str> {
        let behaviour = self.predictions.behaviour;
        let setting = name.split('=').next().and_then(|name| ROW.iter().position(|own| own.name == name));
        let is_asked = behaviour.row_of(base, reference) == self.row || behaviour.base_row_of(base) == self.row;
        let Some(number) = setting.filter(|_| is_asked) else { return Vec::new() };
        self.values(number, base, reference).into_iter().map(|value| ROW[number].values[value].name).collect()
    }
}
