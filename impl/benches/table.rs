//! Compares urlstrata with other crates and prints the tables of the crate's README.
//!
//! The contestants take turns in many rounds, so that a disturbance of the machine affects all of them.
//! `README.md` has the command and the options.

#![allow(missing_docs, unreachable_pub, reason = "a program")]

use std::hint::black_box;
use std::time::Instant;

use urlstrata::fast::{self, Base, Batch, InstructionSet, components};
use urlstrata::revision;
use urlstrata::rules::Rules;
use urlstrata_benches::pairs::Pairs;
use urlstrata_benches::peers::{
    self, Buffer, Contestant, Pages, all_once, all_parsing, all_prepared, once, parse, prepared,
};
use urlstrata_benches::worst::WORST;

/// The number of turns of each contestant.
const ROUNDS: usize = 25;

/// The minimum number of pairs in a turn.
///
/// There are enough pairs to displace what the other contestants left in the caches and in the branch predictor, and few
/// enough to stay in the second-level cache.
const TURN: usize = 20_000;

/// The times of a contestant.
struct Times {
    name: String,
    /// Nanoseconds per pair, for each round.
    rounds: Vec<f64>,
    /// The share of pairs with a result.
    resolved: f64,
}

/// Runs all contestants in turn. Each round begins with another contestant.
fn measure(pairs: usize, contestants: &mut [Contestant<'_>]) -> Vec<Times> {
    let mut times: Vec<Times> = contestants
        .iter_mut()
        .map(|one| Times { name: one.name.clone(), rounds: vec![], resolved: (one.work)() as f64 / pairs as f64 })
        .collect();
    let count = contestants.len();
    for round in 0..ROUNDS {
        for turn in 0..count {
            let index = (round + turn) % count;
            let start = Instant::now();
            black_box((contestants[index].work)());
            times[index].rounds.push(start.elapsed().as_nanos() as f64 / pairs as f64);
        }
    }
    times
}

fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Returns the median of the ratios `one / to` of all rounds, the 10% quantile and the 90% quantile.
fn ratio(one: &Times, to: &Times) -> (f64, f64, f64) {
    let mut ratios: Vec<f64> = one.rounds.iter().zip(&to.rounds).map(|(one, to)| one / to).collect();
    ratios.sort_by(f64::total_cmp);
    (at(&ratios, 0.5), at(&ratios, 0.1), at(&ratios, 0.9))
}

fn rules(id: &str) -> &'static Rules {
    revision::by_id(id).and_then(|revision| revision.rules).expect("a rule set")
}

fn copy(pages: &Pages) -> Contestant<'_> {
    prepared("plain copy of base and reference", pages, Some, |base, reference, out| {
        out.push_str(black_box(base));
        out.push_str(reference);
        true
    })
}

fn batch<'a>(name: &str, pages: &'a Pages, rules: &'a Rules, instructions: InstructionSet) -> Contestant<'a> {
    let pages: Vec<_> = pages
        .iter()
        .map(|(base, references)| (Base::with_instructions(rules, base.as_str(), instructions), references))
        .collect();
    let mut batch = Batch::default();
    let work = move || {
        let mut resolved = 0;
        for (base, references) in &pages {
            batch.clear();
            base.resolve_all(black_box(references).iter().map(String::as_str), &mut batch);
            resolved += batch.len();
            black_box(batch.text());
        }
        resolved
    };
    Contestant { name: name.to_owned(), work: Box::new(work) }
}

fn alone<'a>(name: &str, pages: &'a Pages, rules: &'a Rules, instructions: InstructionSet) -> Contestant<'a> {
    prepared(
        name,
        pages,
        move |base| Some(Base::with_instructions(rules, base, instructions)),
        |base, reference, out| base.resolve_into(reference, out).is_ok(),
    )
}

/// Returns a contestant that prepares the base of each page before it resolves the page's references.
fn preparing<'a>(name: &str, pages: &'a Pages, rules: &'a Rules) -> Contestant<'a> {
    let mut buffer = Buffer::new();
    let work = move || {
        let out = &mut buffer.0;
        let mut resolved = 0;
        for (base, references) in pages {
            let base = Base::new(rules, black_box(base.as_str()));
            for reference in references {
                out.clear();
                resolved += usize::from(base.resolve_into(black_box(reference), out).is_ok());
                black_box(out.as_str());
            }
        }
        resolved
    };
    Contestant { name: name.to_owned(), work: Box::new(work) }
}

/// Returns all contestants with a prepared base: a plain copy, urlstrata, the other crates and the reference
/// implementation.
fn of_prepared(pages: &Pages) -> Vec<Contestant<'_>> {
    let (rfc1808, rfc3986) = (rules("rfc1808"), rules("rfc3986"));
    let (best, safe) = (InstructionSet::best(), InstructionSet::portable());
    let mut all = vec![
        copy(pages),
        batch("**urlstrata, batch**", pages, rfc1808, best),
        alone("**urlstrata, one at a time**", pages, rfc1808, best),
        preparing("urlstrata, one at a time, with preparation", pages, rfc1808),
        prepared(
            "urlstrata, RFC 3986, with meaning",
            pages,
            move |base| Some(Base::new(rfc3986, base)),
            |base, reference, out| base.resolve_with_meaning_into(reference, out).is_ok(),
        ),
        batch("urlstrata without `unsafe`, batch", pages, rfc1808, safe),
        alone("urlstrata without `unsafe`, one at a time", pages, rfc1808, safe),
    ];
    all.extend(all_prepared(pages));
    let steps = revision::by_id("rfc1808").expect("a revision");
    all.push(prepared("urlstrata, reference implementation", pages, Some, move |base, reference, _| {
        steps.resolve(base, reference).map(black_box).is_ok()
    }));
    all
}

fn of_once(pages: &Pages) -> Vec<Contestant<'_>> {
    let rules = rules("rfc1808");
    let mut all = vec![
        copy(pages),
        once("**urlstrata, `resolve_into`**", pages, move |base, reference, out| {
            fast::resolve_into(rules, base, reference, out).is_ok()
        }),
    ];
    all.extend(all_once(pages));
    all
}

fn of_parsing<'a>(urls: &'a [&'a str]) -> Vec<Contestant<'a>> {
    let rules = rules("rfc3986");
    let mut all = vec![parse("**urlstrata, `components`**", urls, move |url| {
        black_box(components(rules, url)).scheme().is_some()
    })];
    all.extend(all_parsing(urls));
    all
}

fn of_rule_sets(pages: &Pages) -> Vec<Contestant<'_>> {
    revision::resolving().map(|(revision, rules)| alone(revision.id, pages, rules, InstructionSet::best())).collect()
}

/// Prints a table: the ratio of each contestant to the one at `floor`, and to the one at `ours`.
fn table(title: &str, columns: &[(&str, Vec<Times>)], ours: usize, floor: usize) {
    println!("### {title}\n");
    let heads: Vec<String> = columns.iter().map(|(name, _)| format!("{name} | urlstrata = 1 | resolved")).collect();
    println!("| | {} |", heads.join(" | "));
    println!("| --- |{}", " ---: | ---: | ---: |".repeat(columns.len()));
    for index in 0..columns[0].1.len() {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, times)| {
                let (middle, low, high) = ratio(&times[index], &times[floor]);
                let (relative, ..) = ratio(&times[index], &times[ours]);
                let resolved = times[index].resolved * 100.0;
                format!("{middle:.2} ({low:.2}–{high:.2}) | {relative:.2} | {resolved:.1}%")
            })
            .collect();
        println!("| {} | {} |", columns[0].1[index].name, cells.join(" | "));
    }
    println!();
}

/// Returns the time of one input of `length * factor` bytes, divided by the time of one input of `length` bytes; `None`
/// if the input is rejected.
///
/// The small time is the mean over `factor` inputs at different addresses, so that both measurements read the same
/// amount of memory.
fn growth(
    length: usize,
    factor: usize,
    work: &mut dyn FnMut(&str, &str, &mut String) -> bool,
    shape: &dyn Fn(usize) -> (String, String),
) -> Option<f64> {
    let small: Vec<_> = (0..factor).map(|_| shape(length)).collect();
    let large = [shape(length * factor)];
    let mut outs = vec!["x".repeat(2 * length * factor)];
    let mut small_outs: Vec<_> = (0..factor).map(|_| "x".repeat(2 * length)).collect();
    let mut took = |inputs: &[(String, String)], outs: &mut [String]| {
        let start = Instant::now();
        let mut resolved = true;
        for ((base, reference), out) in inputs.iter().zip(outs) {
            out.clear();
            resolved &= black_box(work(base, reference, out));
        }
        resolved.then_some(start.elapsed().as_secs_f64())
    };
    let ratios = (0..5).map(|_| Some(took(&large, &mut outs)? / took(&small, &mut small_outs)? * factor as f64));
    let mut ratios = ratios.collect::<Option<Vec<f64>>>()?;
    ratios.sort_by(f64::total_cmp);
    Some(at(&ratios, 0.5))
}

fn rejected() -> String {
    "rejected".to_owned()
}

fn worst_cases() {
    println!("### Worst cases\n");
    println!(
        "The time of 64 MB divided by the time of 1 MB: the least and the most of all rule sets. The caches hold none of the \
         inputs:
"
    );
    println!("| input | times |\n| --- | ---: |");
    // The effect of memory alone: reading an input once more costs more if the caches do not hold it.
    for (name, searches) in [("plain copy", 0), ("one search, then a copy", 1), ("two searches, then a copy", 2)] {
        let mut work = |_: &str, reference: &str, out: &mut String| {
            (0..searches).for_each(|_| assert_eq!(memchr::memchr2(b'#', b'?', black_box(reference.as_bytes())), None));
            out.push_str(reference);
            true
        };
        let times = growth(1 << 20, 64, &mut work, &|length| (String::new(), "a".repeat(length)));
        println!("| {name} | {} |", times.map_or_else(rejected, |times| format!("{times:.0}")));
    }
    for (name, shape) in WORST {
        let mut times: Vec<f64> = revision::resolving()
            .map(|(_, rules)| {
                let mut work = |base: &str, reference: &str, out: &mut String| {
                    Base::new(rules, base).resolve_into(reference, out).is_ok()
                };
                growth(1 << 20, 64, &mut work, shape).expect("an http base has a target for each of them")
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.0}–{:.0} |", times[0], times[times.len() - 1]);
    }
    println!("\nThe other crates: the time of 64 KB divided by the time of 8 KB (8 is linear, 64 is quadratic):\n");
    let name = |contestant: &Contestant<'_>| contestant.name.clone();
    let names: Vec<String> = all_once(&[]).iter().map(name).collect();
    println!("| input | {} |\n| --- |{}", names.join(" | "), " ---: |".repeat(names.len()));
    for (name, shape) in WORST {
        let cells: Vec<String> = (0..names.len())
            .map(|index| {
                let mut work = |base: &str, reference: &str, _: &mut String| {
                    let pages = [(base.to_owned(), vec![reference.to_owned()])];
                    (all_once(&pages)[index].work)() > 0
                };
                growth(8 << 10, 8, &mut work, shape).map_or_else(rejected, |times| format!("{times:.0}"))
            })
            .collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
}

fn versions() -> String {
    let lock = include_str!("../../Cargo.lock");
    let version = |package: &str| {
        let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{package}\"\n")))?;
        let version = entry.split("version = \"").nth(1)?.split('"').next()?;
        Some(format!("{package} {version}"))
    };
    peers::PACKAGES.iter().filter_map(|package| version(package)).collect::<Vec<_>>().join(", ")
}

fn main() {
    // Cargo adds `--bench`. Any other argument selects other benchmarks.
    if std::env::args().skip(1).any(|argument| argument != "--bench") {
        return;
    }
    let small = Pairs::sets();
    let sets: Vec<Pairs> = small.iter().map(|set| set.shuffled(TURN)).collect();
    let of = |each: &dyn Fn(&Pages) -> Vec<Times>| -> Vec<(&str, Vec<Times>)> {
        sets.iter().map(|set| (set.name.as_str(), each(&set.pages))).collect()
    };
    let count = |pages: &Pages| pages.iter().map(|(_, references)| references.len()).sum();
    println!(
        "\nAgainst {}. Each cell is the ratio to the first line: the median of {ROUNDS} rounds, with the 10% and 90% quantiles.\n",
        versions()
    );
    for (set, shuffled) in small.iter().zip(&sets) {
        let times = shuffled.len() / set.len().max(1);
        let how = if times > 1 {
            format!("repeated {times} times, each time in another order")
        } else {
            "in their order".to_owned()
        };
        println!("- {}: {} pairs, {} bases, {how}", set.name, set.len(), set.pages.len());
    }
    println!();
    table("Base prepared once", &of(&|pages| measure(count(pages), &mut of_prepared(pages))), 2, 0);
    table("Nothing prepared", &of(&|pages| measure(count(pages), &mut of_once(pages))), 1, 0);
    // The bases of a large set, prepared under every rule set, would exceed the caches.
    let rule_sets: Vec<(&str, Vec<Times>)> =
        small[..2].iter().map(|set| (set.name.as_str(), measure(set.len(), &mut of_rule_sets(&set.pages)))).collect();
    table("Each rule set, one at a time", &rule_sets, 2, 2);
    let parsing = |pages: &Pages| {
        let bases = pages.iter().map(|(base, _)| base.as_str());
        let absolute =
            pages.iter().flat_map(|(_, references)| references).filter(|reference| reference.starts_with("http"));
        let urls: Vec<&str> = bases.chain(absolute.map(String::as_str)).collect();
        measure(urls.len(), &mut of_parsing(&urls))
    };
    table("Components of an absolute URL", &of(&parsing), 0, 0);
    worst_cases();
}
