//! The table of engines by rules.

use std::cmp::Reverse;
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
    /// The same rules, with the engines that have other settings.
    answers: Vec<AnswersRow>,
    /// The other rules.
    same: Vec<&'static str>,
    /// The lineages with several engines, with these engines and the rules for which their settings differ.
    lineages: Vec<LineageRow>,
}

/// A rule, with the engines that do not have RFC 3986's setting.
#[derive(Serialize)]
struct AnswersRow {
    name: &'static str,
    question: &'static str,
    /// RFC 3986's setting.
    standard: &'static str,
    /// The other settings, each with the names of the engines that have it, those of most engines first.
    others: Vec<(&'static str, Vec<String>)>,
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
        let answers = columns.iter().map(|(index, rule)| {
            let mut others: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
            for (engine, _) in engines() {
                let setting = engine.profile.as_ref().and_then(|profile| profile.rules[*index]);
                if let Some(setting) = setting.filter(|own| *own != standard(rule)) {
                    others.entry(setting).or_default().push(engine.name.clone());
                }
            }
            let mut others: Vec<_> = others.into_iter().collect();
            others.iter_mut().for_each(|(_, names)| names.sort());
            others.sort_by_key(|(_, names)| Reverse(names.len()));
            AnswersRow { name: rule.name, question: rule.question, standard: standard(rule), others }
        });
        let answers = answers.collect();
        Self {
            columns: columns.into_iter().map(|(index, rule)| (index, rule.name, standard(rule))).collect(),
            answers,
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
