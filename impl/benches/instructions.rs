//! A workload for a tool that counts instructions: `.ci/instructions` runs it by callgrind.
//!
//! `FORM PASSES` resolves the documentation pairs `PASSES` times in one form; the difference between two numbers of
//! passes has no start-up cost. `'resolve NUMBER' KILOBYTES` resolves one of the worst inputs under every rule set, and
//! `'make NUMBER' KILOBYTES` only generates it.

#![allow(missing_docs, unreachable_pub, reason = "a program")]

use std::hint::black_box;

use urlstrata::fast::{self, Base, Batch, InstructionSet};
use urlstrata::revision;

use urlstrata_benches::pairs::Pairs;
use urlstrata_benches::worst::WORST;

/// Generates the worst input with this number, and resolves it if `task` is `resolve`.
fn grow(task: &str, number: &str, kilobytes: usize) {
    let number: usize = number.parse().expect("a number");
    // The script stops at the first number for which no name is printed.
    let Some((name, shape)) = WORST.get(number) else { return };
    let (base, reference) = shape(kilobytes << 10);
    let mut out = String::with_capacity(base.len() + reference.len());
    if task == "resolve" {
        for (_, rules) in revision::resolving() {
            out.clear();
            Base::new(rules, base.as_str())
                .resolve_into(&reference, &mut out)
                .expect("an http base has a target for each of them");
        }
    }
    println!("{name}");
    black_box((base, reference, out));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [form, passes] = arguments.as_slice() else { return };
    let passes: usize = passes.parse().expect("a number of passes");
    if let Some((task, number)) = form.split_once(' ') {
        return grow(task, number, passes);
    }
    let set = Pairs::documentation();
    let rules = revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a rule set");
    let instructions = if form.starts_with("safe") { InstructionSet::portable() } else { InstructionSet::best() };
    let pages: Vec<_> = set
        .pages
        .iter()
        .map(|(base, references)| (Base::with_instructions(rules, base.as_str(), instructions), base, references))
        .collect();
    let mut out = String::with_capacity(1 << 12);
    let mut batch = Batch::default();
    for (base, _, references) in &pages {
        base.resolve_all(references.iter().map(String::as_str), &mut batch);
    }
    for _ in 0..passes {
        for (base, text, references) in &pages {
            batch.clear();
            if form.ends_with("batch") {
                base.resolve_all(references.iter().map(String::as_str), &mut batch);
                continue;
            }
            for reference in *references {
                out.clear();
                match form.as_str() {
                    "copy" => {
                        out.push_str(black_box(text));
                        out.push_str(reference);
                    }
                    "once" => {
                        let _ = black_box(fast::resolve_into(rules, text.as_str(), reference, &mut out));
                    }
                    _ => {
                        let _ = black_box(base.resolve_into(reference, &mut out));
                    }
                }
            }
        }
    }
    black_box((out, batch));
}
