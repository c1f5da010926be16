//! A number of passes of one form over the documentation's pairs and nothing else, for a tool that counts instructions: the
//! difference between two numbers of passes is theirs. `.ci/instructions` does it.

#![allow(missing_docs, unreachable_pub, reason = "a program")]

use std::hint::black_box;

use urlstrata::fast::{self, Base, Batch, Instructions};
use urlstrata::revision;

#[path = "pairs/mod.rs"]
#[allow(dead_code, reason = "the benchmarks share it, and each needs a part")]
mod pairs;

use pairs::Pairs;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [form, passes] = arguments.as_slice() else { return };
    let passes: usize = passes.parse().expect("a number of passes");
    let set = Pairs::documentation();
    let rules = revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a row");
    let instructions = if form.starts_with("safe") { Instructions::portable() } else { Instructions::best() };
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
