//! Ratios: every contestant in turn, again and again, so that what disturbs the machine disturbs all alike. Ends by printing
//! the table that the README carries.
//!
//! `cargo bench --bench table`; pairs of your own with `URLSTRATA_PAIRS=FILE`, the C++ engine with `--features ada-url`.

#![allow(missing_docs, unreachable_pub, reason = "a program")]

use std::hint::black_box;
use std::time::Instant;

use urlstrata::fast::{self, Base, Batch, InstructionSet, components};
use urlstrata::revision;
use urlstrata::rules::Rules;

#[path = "pairs/mod.rs"]
mod pairs;
#[path = "peers/mod.rs"]
mod peers;
#[path = "worst/mod.rs"]
mod worst;

use pairs::Pairs;
use peers::{Buffer, Contestant, Pages, all_once, all_parsing, all_prepared, once, parse, prepared};
use worst::WORST;

/// How often each contestant has its turn.
const ROUNDS: usize = 25;

/// How many pairs it answers in one, at least: enough to forget what the others left in the processor and not to be learnt
/// by heart, and few enough to stay in the second cache, as the links of a page do that was just read.
const TURN: usize = 20_000;

/// Nanoseconds a pair of each contestant in each round, and what share it has answered.
struct Times {
    name: String,
    rounds: Vec<f64>,
    answered: f64,
}

/// Lets all work in turn, each round beginning with another.
fn measure(pairs: usize, contestants: &mut [Contestant<'_>]) -> Vec<Times> {
    let mut times: Vec<Times> = contestants
        .iter_mut()
        .map(|one| Times { name: one.name.clone(), rounds: vec![], answered: (one.work)() as f64 / pairs as f64 })
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

/// The median of the ratios to `to` in each round, and where the middle four fifths of them lie.
fn ratio(one: &Times, to: &Times) -> (f64, f64, f64) {
    let mut ratios: Vec<f64> = one.rounds.iter().zip(&to.rounds).map(|(one, to)| one / to).collect();
    ratios.sort_by(f64::total_cmp);
    (at(&ratios, 0.5), at(&ratios, 0.1), at(&ratios, 0.9))
}

fn rules(id: &str) -> &'static Rules {
    revision::by_id(id).and_then(|revision| revision.rules).expect("a row")
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
        let mut answered = 0;
        for (base, references) in &pages {
            batch.clear();
            base.resolve_all(black_box(references).iter().map(String::as_str), &mut batch);
            answered += batch.len();
            black_box(batch.text());
        }
        answered
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

/// Prepares each base as its turn comes, as whoever reads page after page does.
fn preparing<'a>(name: &str, pages: &'a Pages, rules: &'a Rules) -> Contestant<'a> {
    let mut buffer = Buffer::new();
    let work = move || {
        let out = &mut buffer.0;
        let mut answered = 0;
        for (base, references) in pages {
            let base = Base::new(rules, black_box(base.as_str()));
            for reference in references {
                out.clear();
                answered += usize::from(base.resolve_into(black_box(reference), out).is_ok());
                black_box(out.as_str());
            }
        }
        answered
    };
    Contestant { name: name.to_owned(), work: Box::new(work) }
}

/// Ours, the floor, the ceiling and the others, the base prepared once.
fn of_prepared(pages: &Pages) -> Vec<Contestant<'_>> {
    let (row, rfc3986) = (rules("rfc1808"), rules("rfc3986"));
    let (best, safe) = (InstructionSet::best(), InstructionSet::portable());
    let mut all = vec![
        copy(pages),
        batch("**urlstrata, batch**", pages, row, best),
        alone("**urlstrata, one at a time**", pages, row, best),
        preparing("urlstrata, one at a time, preparing counted", pages, row),
        prepared(
            "urlstrata, RFC 3986, with the meaning",
            pages,
            move |base| Some(Base::new(rfc3986, base)),
            |base, reference, out| base.resolve_with_meaning_into(reference, out).is_ok(),
        ),
        batch("urlstrata, safe code alone, batch", pages, row, safe),
        alone("urlstrata, safe code alone, one at a time", pages, row, safe),
    ];
    all.extend(all_prepared(pages));
    let steps = revision::by_id("rfc1808").expect("a revision");
    all.push(prepared("the reference, step by step", pages, Some, move |base, reference, _| {
        steps.resolve(base, reference).map(black_box).is_ok()
    }));
    all
}

fn of_once(pages: &Pages) -> Vec<Contestant<'_>> {
    let row = rules("rfc1808");
    let mut all = vec![
        copy(pages),
        once("**urlstrata, `resolve_into`**", pages, move |base, reference, out| {
            fast::resolve_into(row, base, reference, out).is_ok()
        }),
    ];
    all.extend(all_once(pages));
    all
}

fn of_parsing<'a>(urls: &'a [&'a str]) -> Vec<Contestant<'a>> {
    let row = rules("rfc3986");
    let mut all =
        vec![parse("**urlstrata, `components`**", urls, move |url| black_box(components(row, url)).scheme().is_some())];
    all.extend(all_parsing(urls));
    all
}

fn of_rows(pages: &Pages) -> Vec<Contestant<'_>> {
    let rows = revision::resolving();
    rows.map(|(revision, rules)| alone(revision.id, pages, rules, InstructionSet::best())).collect()
}

/// A table of what `contestants` take beside the one at `floor`, and how many times as long as the one at `ours`.
fn table(title: &str, columns: &[(&str, Vec<Times>)], ours: usize, floor: usize) {
    println!("### {title}\n");
    let heads: Vec<String> = columns.iter().map(|(name, _)| format!("{name} | beside ours | answered")).collect();
    println!("| | {} |", heads.join(" | "));
    println!("| --- |{}", " ---: | ---: | ---: |".repeat(columns.len()));
    for index in 0..columns[0].1.len() {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, times)| {
                let (middle, low, high) = ratio(&times[index], &times[floor]);
                let (beside, ..) = ratio(&times[index], &times[ours]);
                let answered = times[index].answered * 100.0;
                format!("{middle:.2} ({low:.2}–{high:.2}) | {beside:.2} | {answered:.1}%")
            })
            .collect();
        println!("| {} | {} |", columns[0].1[index].name, cells.join(" | "));
    }
    println!();
}

/// How many times as long one input of `length * factor` bytes takes as one of `length`: `factor` of those are taken, each in
/// a place of its own, so that the memory that is gone through is the same. `None` if it is rejected.
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
        let mut answered = true;
        for ((base, reference), out) in inputs.iter().zip(outs) {
            out.clear();
            answered &= black_box(work(base, reference, out));
        }
        answered.then_some(start.elapsed().as_secs_f64())
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
        "How many times as long 64 MB take as 1 MB, under each row (the least and the most). 64 different megabytes are taken, so \
         that no input is in the caches when its turn comes:
"
    );
    println!("| input | times |\n| --- | ---: |");
    // What the memory alone makes of that: to read once more costs more where the caches do not hold the input.
    for (name, searches) in
        [("plain copy", 0), ("a search through it, then a copy", 1), ("two searches, then a copy", 2)]
    {
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
    println!("\nThe others, an input 8 times as long, from 8 KB to 64 KB (8 is linear, 64 quadratic):\n");
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
    // `cargo bench NAME` is for the other benchmarks, `--bench` is what cargo adds.
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
        "\nAgainst {}. Ratios to the first line: the median of {ROUNDS} rounds in which all took turns, and the middle four fifths.\n",
        versions()
    );
    for (set, shuffled) in small.iter().zip(&sets) {
        let times = shuffled.len() / set.len().max(1);
        let how = if times > 1 { format!("{times} times, each in another order") } else { "as they are".to_owned() };
        println!("- {}: {} pairs, {} bases, {how}", set.name, set.len(), set.pages.len());
    }
    println!();
    table("Base prepared once", &of(&|pages| measure(count(pages), &mut of_prepared(pages))), 2, 0);
    table("Base and reference new each time", &of(&|pages| measure(count(pages), &mut of_once(pages))), 1, 0);
    // Seven times the bases of a large set would not fit into the caches, and where they lie would decide.
    let rows: Vec<(&str, Vec<Times>)> =
        small[..2].iter().map(|set| (set.name.as_str(), measure(set.len(), &mut of_rows(&set.pages)))).collect();
    table("Each row, one at a time", &rows, 2, 2);
    let parsing = |pages: &Pages| {
        let bases = pages.iter().map(|(base, _)| base.as_str());
        let absolute =
            pages.iter().flat_map(|(_, references)| references).filter(|reference| reference.starts_with("http"));
        let urls: Vec<&str> = bases.chain(absolute.map(String::as_str)).collect();
        measure(urls.len(), &mut of_parsing(&urls))
    };
    table("An absolute URL taken apart", &of(&parsing), 0, 0);
    worst_cases();
}
