//! How well behaviours predict pairs like one that is asked, and what they do not state about such pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::World;
use crate::engine::folder::EngineFolder;
use crate::engine::panel::Panel;
use crate::escape::visible;
use crate::knowledge::behaviours::RecordedBehaviour;
use crate::knowledge::known::Pair;
use crate::knowledge::measure::{Share, in_second_half};
use crate::knowledge::notable::Unstated;
use crate::pairs::asked::{AskedBase, AskedReference, scheme};

/// How many held-out pairs of the panel with a base of one class a behaviour predicts.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct BaseRate {
    /// The class of the base, with an article.
    pub class: String,
    /// The number of pairs.
    pub asked: u64,
    /// The number of pairs that the behaviour predicts.
    pub predicted: u64,
    /// The scheme of the base, if no held-out pair has a base with it: the rate is that of other schemes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme_not_asked: Option<String>,
}

impl BaseRate {
    /// Returns the share of predicted pairs in percent, rounded down to two decimals; `None` if there are no pairs.
    pub(super) fn percent(&self) -> Option<f64> {
        let Self { class: pairs, asked, predicted, .. } = self.clone();
        (asked > 0).then(|| Share { pairs, asked, predicted }.percent())
    }
}

/// The rates of engines, for a world without recordings.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Rates {
    /// The key of each engine with each class of bases: the number of held-out pairs, and of those that are predicted.
    pub(super) by_class: Vec<(String, String, (u64, u64))>,
    /// The schemes of the bases of held-out pairs.
    pub(super) schemes: BTreeSet<String>,
}

impl fmt::Display for BaseRate {
    /// Writes the rate as the end of a sentence about a behaviour.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, asked, predicted, scheme_not_asked } = self;
        match (asked, scheme_not_asked) {
            (0, _) => write!(f, "was measured on no pair with {class}"),
            (_, None) => write!(f, "predicts {predicted} of {asked} held-out pairs with {class}"),
            (_, Some(scheme)) => write!(
                f,
                "was measured on no base with the scheme {} (it predicts {predicted} of {asked} held-out pairs with {class})",
                visible(scheme)
            ),
        }
    }
}

/// What a behaviour does not state about pairs of one class.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct UnstatedNote {
    /// What the engine does, as a verb phrase.
    pub does: String,
    /// The base of a pair that shows it.
    pub base: String,
    /// The reference of that pair.
    pub reference: String,
}

impl UnstatedNote {
    /// Returns the note as a sentence about `engine`.
    pub fn sentence(&self, engine: &str) -> String {
        let [base, reference] = [&self.base, &self.reference].map(|text| visible(text));
        let does = &self.does;
        format!(
            "not stated by its behaviour, so that the predicted result may be wrong: {engine} {does} (\"{reference}\" on \"{base}\")"
        )
    }
}

impl World {
    fn folder_of(&self, key: &str) -> Option<(&EngineFolder, String)> {
        let (name, version) = key.split_once('@')?;
        let folder = self.folders().ok()?.engines.iter().find(|folder| folder.name == name)?;
        Some((folder, version.to_owned()))
    }

    /// Returns how many held-out pairs with a base of the class of `base` the behaviour of the version with this key predicts;
    /// `None` if the version has no behaviour or no recording.
    pub fn base_rate(&self, key: &str, base: &str) -> Option<BaseRate> {
        let class = AskedBase::of(base);
        let known = || self.rates.lock().ok()?.get(&(key.to_owned(), class.to_string())).copied();
        let (asked, predicted) = known().or_else(|| {
            let (folder, version) = self.folder_of(key)?;
            let counted = self.count(folder, &version, Some(class))?.remove(&class).unwrap_or_default();
            self.rates.lock().ok()?.insert((key.to_owned(), class.to_string()), counted);
            Some(counted)
        })?;
        let folder = self.folder_of(key).map(|(folder, _)| folder);
        let scheme_not_asked = scheme(base).filter(|scheme| !self.held_out_schemes(folder).contains(scheme));
        Some(BaseRate { class: class.to_string(), asked, predicted, scheme_not_asked })
    }

    /// Returns how many held-out pairs the behaviour of the version with this key predicts, for each class of bases that was asked.
    /// Returns none if the version has no behaviour or no recording.
    pub fn class_rates(&self, key: &str) -> Vec<BaseRate> {
        let counted = self.folder_of(key).and_then(|(folder, version)| self.count(folder, &version, None));
        let rate = |(class, (asked, predicted)): (AskedBase, (u64, u64))| BaseRate {
            class: class.to_string(),
            asked,
            predicted,
            scheme_not_asked: None,
        };
        counted.into_iter().flatten().map(rate).collect()
    }

    /// Returns the scheme of `base` if no behaviour was measured on a base with it.
    pub fn scheme_not_measured(&self, base: &str) -> Option<String> {
        scheme(base).filter(|scheme| !self.held_out_schemes(None).contains(scheme))
    }

    /// Returns the rates of all classes of bases for each of `engines`, for a world without recordings.
    pub(super) fn all_rates(&self, engines: &[RecordedBehaviour]) -> Rates {
        let of_one = |engine: &RecordedBehaviour| {
            let key = engine.key();
            let (folder, version) = self.folder_of(&key)?;
            let counted = self.count(folder, &version, None)?.into_iter();
            Some(counted.map(|(class, rate)| (key.clone(), class.to_string(), rate)).collect::<Vec<_>>())
        };
        let by_class = engines.par_iter().filter_map(of_one).flatten().collect();
        Rates { by_class, schemes: self.held_out_schemes(None) }
    }

    /// Returns the number of held-out pairs of each class, or of the class `only`, and how many of them are predicted.
    fn count(
        &self,
        folder: &EngineFolder,
        version: &str,
        only: Option<AskedBase>,
    ) -> Option<BTreeMap<AskedBase, (u64, u64)>> {
        let behaviour = self.recorded_behaviour(&format!("{}@{version}", folder.name))?.behaviour().ok()?;
        let recording = folder.recording(version).ok()??;
        let mut counted: BTreeMap<AskedBase, (u64, u64)> = BTreeMap::new();
        for (number, (base, reference)) in folder.panel.pairs().into_iter().enumerate() {
            let class = AskedBase::of(base);
            let is_wanted = only.is_none_or(|only| only == class);
            if is_wanted && in_second_half(base, reference) && recording.is_answered(number) {
                let returned = recording.outcome(number, (base, reference)).ok()?;
                let (asked, predicted) = counted.entry(class).or_default();
                *asked += 1;
                *predicted += u64::from(behaviour.predict(base, reference).as_deref() == returned.url());
            }
        }
        Some(counted)
    }

    /// Returns the schemes of the bases of held-out pairs. Nearly all folders have the same panel.
    fn held_out_schemes(&self, folder: Option<&EngineFolder>) -> BTreeSet<String> {
        let of = |panel: &Panel| -> BTreeSet<String> {
            let held_out = panel.pairs().into_iter().filter(|(base, reference)| in_second_half(base, reference));
            held_out.filter_map(|(base, _)| scheme(base)).collect()
        };
        match folder {
            Some(folder) if folder.has_own_panel() => of(&folder.panel),
            _ => self.schemes.get_or_init(|| self.folders().map(|all| of(&all.panel)).unwrap_or_default()).clone(),
        }
    }

    /// Returns what the folder of the version with this key lists as not stated by its behaviour, for pairs with a base and a
    /// reference of the same classes. Tests verify that the entries of embedded folders are valid.
    pub fn unstated(&self, key: &str, base: &str, reference: &str) -> Vec<UnstatedNote> {
        let stated = self.stated().ok().zip(key.split_once('@')).and_then(|(stated, (name, _))| stated.get(name));
        let classes = |base: &str, reference: &str| (AskedBase::of(base), AskedReference::of(reference));
        let asked = classes(base, reference);
        let entries = stated.iter().flat_map(|stated| &stated.unstated);
        let alike = entries.filter(|entry| classes(&entry.pair.base, &entry.pair.reference) == asked);
        let note = |Unstated { does, pair: Pair { base, reference }, .. }: &Unstated| UnstatedNote {
            does: does.clone(),
            base: base.clone(),
            reference: reference.clone(),
        };
        alike.map(note).collect()
    }
}
