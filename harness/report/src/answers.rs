//! The answers of engines to the rules: which setting of each rule returns what was recorded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use urlstrata::fast;
use urlstrata::revision::{self, rfc1808, rfc3986};
use urlstrata::rules::{self, Rule, Rules};
use urlstrata_harness::outcome::Outcome;

/// How often the settings are compared again with those of the other rules that were found.
const ROUNDS: usize = 3;

/// The smallest number of pairs that show a setting.
const LEAST: usize = 2;

/// A setting is that of an engine if it has nine in ten of the results that a setting of the rule has.
const NINE_IN_TEN: (usize, usize) = (9, 10);

/// The results of rule sets for the pairs of the panel with an `http` base that has a host, as far as a setting decides about them.
pub(super) struct Answers<'a> {
    /// The number of each pair in the panel, with its base and its reference.
    pairs: Vec<(usize, &'a str, &'a str)>,
    /// The results of the rule sets that were needed so far.
    results: Mutex<HashMap<Rules, Arc<Vec<Numbered>>>>,
    /// The number of each URL that was met.
    urls: Mutex<HashMap<String, u32>>,
}

/// The number of a URL; `None` if there is none.
type Numbered = Option<u32>;

/// How many pairs on which the settings of a rule have different results have the engine's URL.
struct Counted {
    /// The number of pairs with the engine's URL, for each setting.
    of_setting: Vec<usize>,
    /// The number of pairs that have it with at least one setting.
    of_any: usize,
}

impl<'a> Answers<'a> {
    /// Prepares the results for the pairs of a panel.
    pub(super) fn new(panel: &[(&'a str, &'a str)]) -> Self {
        let has_host = |base: &str| {
            let rest = base.get(..7).filter(|start| start.eq_ignore_ascii_case("http://")).map(|_| &base[7..]);
            rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        };
        let numbered = panel.iter().enumerate().map(|(number, (base, reference))| (number, *base, *reference));
        let all = Self {
            pairs: numbered.filter(|(_, base, _)| has_host(base)).collect(),
            results: Mutex::default(),
            urls: Mutex::default(),
        };
        let is_decided = all.decided();
        let pairs = all.pairs.into_iter().zip(is_decided).filter_map(|(pair, is_decided)| is_decided.then_some(pair));
        Self { pairs: pairs.collect(), results: Mutex::default(), urls: Mutex::default() }
    }

    /// Returns for each pair whether another setting of a rule has another result than the rules of RFC 1808 or RFC 3986.
    fn decided(&self) -> Vec<bool> {
        let mut is_decided = vec![false; self.pairs.len()];
        for own in [&rfc1808::RULES, &rfc3986::RULES] {
            let results = self.results(own);
            for (rule, index) in rules::ALL.iter().flat_map(|rule| (0..rule.settings.len()).map(move |at| (rule, at))) {
                let others = self.results(&rule.with(own, index));
                let differs = results.iter().zip(others.iter()).map(|(one, other)| one != other);
                is_decided.iter_mut().zip(differs).for_each(|(decided, differs)| *decided |= differs);
            }
        }
        is_decided
    }

    /// Returns the results of a rule set.
    fn results(&self, rules: &Rules) -> Arc<Vec<Numbered>> {
        let known = || self.results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(results) = known().get(rules) {
            return results.clone();
        }
        let mut url = String::new();
        let resolve = |(_, base, reference): &(usize, &str, &str)| {
            url.clear();
            fast::resolve_into(rules, *base, *reference, &mut url).ok().map(|()| self.number(&url))
        };
        let results: Arc<Vec<_>> = Arc::new(self.pairs.iter().map(resolve).collect());
        known().insert(*rules, results.clone());
        results
    }

    /// Returns the number of a URL.
    fn number(&self, url: &str) -> u32 {
        let mut urls = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = urls.get(url) {
            return *number;
        }
        let number = urls.len() as u32;
        urls.insert(url.to_owned(), number);
        number
    }

    /// Returns the rules of the specification that has most of the engine's URLs; of several, the newest.
    fn nearest(&self, returned: &[Numbered]) -> Rules {
        let alike = |rules: &&Rules| {
            let results = self.results(rules);
            returned.iter().zip(results.iter()).filter(|(own, result)| own.is_some() && own == result).count()
        };
        revision::ALL.iter().filter_map(|revision| revision.rules).max_by_key(alike).copied().unwrap_or(rfc3986::RULES)
    }

    /// Counts the results of the settings of `rule`, with the settings of the other rules that `rules` have.
    fn count(&self, rule: &Rule, rules: &Rules, returned: &[Numbered]) -> Counted {
        let results: Vec<_> = (0..rule.settings.len()).map(|index| self.results(&rule.with(rules, index))).collect();
        let mut counted = Counted { of_setting: vec![0; results.len()], of_any: 0 };
        for (at, url) in returned.iter().enumerate().filter(|(_, url)| url.is_some()) {
            let of_pair = || results.iter().map(|result| result[at]);
            if of_pair().all(|result| result == results[0][at]) {
                continue;
            }
            let mut is_any = false;
            for (count, result) in counted.of_setting.iter_mut().zip(of_pair()) {
                *count += usize::from(result == *url);
                is_any |= result == *url;
            }
            counted.of_any += usize::from(is_any);
        }
        counted
    }

    /// Returns the name of the setting of each rule that has the URLs of an engine: with it, and with the settings found for the other rules,
    /// at least two pairs on which the settings differ have the engine's URL, and at least nine in ten of those that have it with
    /// some setting. `None` if no setting has these. `outcomes` are those of the panel. A rejection is not counted, because it has many reasons.
    pub(super) fn of(&self, outcomes: &[Outcome]) -> Vec<Option<&'static str>> {
        let number = |(number, ..): &(usize, &str, &str)| outcomes[*number].url().map(|url| self.number(url));
        let returned: Vec<Numbered> = self.pairs.iter().map(number).collect();
        let mut rules = self.nearest(&returned);
        for _ in 0..ROUNDS {
            let before = rules;
            for rule in rules::ALL {
                let counted = self.count(rule, &rules, &returned).of_setting;
                let most = counted.iter().max().copied().unwrap_or_default();
                let own = rule.index(&rules);
                if let Some(best) = counted.iter().position(|count| *count == most).filter(|_| counted[own] < most) {
                    rules = rule.with(&rules, best);
                }
            }
            if rules == before {
                break;
            }
        }
        let answer = |rule: &Rule| {
            let Counted { of_setting, of_any } = self.count(rule, &rules, &returned);
            let own = rule.index(&rules);
            let (part, whole) = NINE_IN_TEN;
            (of_setting[own] >= LEAST && of_setting[own] * whole >= of_any * part).then_some(rule.settings[own].name)
        };
        rules::ALL.iter().map(answer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, rules};
    use urlstrata_harness::engine::folder::EngineFolders;
    use urlstrata_harness::knowledge::specification::Specification;
    use urlstrata_harness::outcome::Outcome;

    #[test]
    fn answers_of_a_specification_are_its_own_settings() {
        let panel = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}")).panel;
        let pairs = panel.pairs();
        let answers = Answers::new(&pairs);
        let mut others = 0;
        for specification in Specification::all() {
            let Some(own) = specification.revision.rules else { continue };
            let outcomes: Vec<Outcome> =
                pairs.iter().map(|(base, reference)| specification.resolve(base, reference)).collect();
            for (rule, answer) in rules::ALL.iter().zip(answers.of(&outcomes)) {
                let Some(answer) = answer else { continue };
                assert_eq!(answer, rule.setting(own).name, "{}: {}", specification.id, rule.name);
                others += usize::from(answer != rule.setting(&super::rfc3986::RULES).name);
            }
        }
        assert!(others > 30, "{others} settings that RFC 3986 does not have");
    }

    #[test]
    fn a_setting_needs_the_results_of_two_pairs() {
        let pairs = [("http://a/b", "http:g"), ("http://a/b", "http:h"), ("http:", "http:i")];
        let answers = Answers::new(&pairs);
        let same_scheme = rules::ALL.iter().position(|rule| rule.name == "same_scheme").expect("a rule");
        let outcomes = |urls: [&str; 3]| urls.map(|url| Outcome::Url(url.to_owned()));
        let answer = |urls| answers.of(&outcomes(urls))[same_scheme];
        assert_eq!(answer(["http://a/g", "http://a/h", ""]), Some("Relative"));
        assert_eq!(answer(["http:g", "http:h", ""]), Some("Absolute"));
        assert_eq!(answer(["http://a/g", "http:h", ""]), None, "a result of each");
        assert_eq!(answer(["http://a/g", "x:", ""]), None, "one pair");
        let rejected = answers.of(&[(); 3].map(|()| Outcome::Failure(String::new())));
        assert!(rejected.iter().all(Option::is_none), "a rejection has many reasons");
    }
}
