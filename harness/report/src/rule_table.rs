//! The table of engines by rules.

use std::collections::BTreeMap;

use serde::Serialize;
use urlstrata::revision::rfc3986;
use urlstrata::rules::{self, Rule};

use super::rows::{EngineRow, LanguageRow};

/// The rules for which the engines have different settings.
#[derive(Serialize)]
pub(super) struct RuleTable {
    /// The number of each rule that distinguishes engines, with its name and RFC 3986's setting.
    columns: Vec<(usize, &'static str, &'static str)>,
    /// The other rules.
    same: Vec<&'static str>,
    /// The lineages with several engines, with these engines and the rules for which their settings differ.
    lineages: Vec<LineageRow>,
}

#[derive(Serialize)]
struct LineageRow {
    lineage: String,
    /// The engines with a profile: name and language.
    engines: Vec<(String, String)>,
    /// Each rule for which they differ, with the settings in the order of the engines.
    differences: Vec<(&'static str, Vec<&'static str>)>,
}

impl RuleTable {
    /// Returns the number of each rule that distinguishes engines, with its name and RFC 3986's setting.
    pub(super) fn columns(&self) -> &[(usize, &'static str, &'static str)] {
        &self.columns
    }

    pub(super) fn of(languages: &[LanguageRow]) -> Self {
        let standard = |rule: &Rule| rule.setting(&rfc3986::RULES).name;
        let engines = || languages.iter().flat_map(|row| row.engines.iter().map(move |engine| (engine, &row.language)));
        let profiles: Vec<_> = engines().filter_map(|(engine, _)| engine.profile.as_ref()).collect();
        let differs = |index: usize, rule: &Rule| {
            profiles.iter().any(|profile| profile.rules[index].is_some_and(|own| own != standard(rule)))
        };
        let (columns, same): (Vec<_>, Vec<_>) =
            rules::ALL.iter().enumerate().partition(|(index, rule)| differs(*index, rule));
        let mut lineages: BTreeMap<&str, Vec<(&EngineRow, &String)>> = BTreeMap::new();
        for (engine, language) in engines().filter(|(engine, _)| engine.profile.is_some()) {
            lineages.entry(&engine.lineage).or_default().push((engine, language));
        }
        lineages.retain(|_, engines| engines.len() > 1);
        Self {
            columns: columns.into_iter().map(|(index, rule)| (index, rule.name, standard(rule))).collect(),
            same: same.into_iter().map(|(_, rule)| rule.name).collect(),
            lineages: lineages.into_iter().map(|(lineage, engines)| LineageRow::of(lineage, &engines)).collect(),
        }
    }
}

impl LineageRow {
    fn of(lineage: &str, engines: &[(&EngineRow, &String)]) -> Self {
        let setting = |engine: &EngineRow, index: usize| engine.profile.as_ref().and_then(|it| it.rules[index]);
        let differences = rules::ALL.iter().enumerate().filter_map(|(index, rule)| {
            let settings: Vec<_> = engines.iter().map(|(engine, _)| setting(engine, index).unwrap_or("?")).collect();
            let determined = || settings.iter().filter(|setting| **setting != "?");
            let differ = determined().next().is_some_and(|first| determined().any(|other| other != first));
            differ.then_some((rule.name, settings))
        });
        Self {
            lineage: lineage.to_owned(),
            engines: engines.iter().map(|(engine, language)| (engine.name.clone(), (*language).clone())).collect(),
            differences: differences.collect(),
        }
    }
}
