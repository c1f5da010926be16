//! Times of each form of resolving, parsing and validating, by criterion.

#![allow(missing_docs, unreachable_pub, reason = "criterion's macro writes a public function without them")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use urlstrata::fast::{self, Base, Batch, components};
use urlstrata::{grammar, revision};

use urlstrata_benches::pairs::Pairs;
use urlstrata_benches::worst::WORST;

/// Resolves with a prepared base, one reference at a time and in a batch, under each rule set, and by the reference
/// implementations.
fn many(criterion: &mut Criterion) {
    for set in Pairs::sets() {
        let mut group = criterion.benchmark_group(format!("resolve many, {}", set.name));
        group.throughput(Throughput::Elements(set.len() as u64));
        for (revision, rules) in revision::resolving() {
            let pages: Vec<_> =
                set.pages.iter().map(|(base, references)| (Base::new(rules, base.as_str()), references)).collect();
            let mut out = String::new();
            group.bench_function(BenchmarkId::new("one at a time", revision.id), |bencher| {
                bencher.iter(|| {
                    for (base, references) in &pages {
                        for reference in *references {
                            out.clear();
                            let _ = black_box(base.resolve_into(black_box(reference), &mut out));
                            black_box(out.as_str());
                        }
                    }
                });
            });
            let mut batch = Batch::default();
            group.bench_function(BenchmarkId::new("batch", revision.id), |bencher| {
                bencher.iter(|| {
                    for (base, references) in &pages {
                        batch.clear();
                        base.resolve_all(references.iter().map(String::as_str), &mut batch);
                        black_box(batch.text());
                    }
                });
            });
        }
        group.sample_size(10);
        for (revision, _) in revision::resolving() {
            group.bench_function(BenchmarkId::new("reference", revision.id), |bencher| {
                bencher.iter(|| {
                    for (base, references) in &set.pages {
                        for reference in references {
                            let _ = black_box(revision.resolve(black_box(base), black_box(reference)));
                        }
                    }
                });
            });
        }
        group.finish();
    }
}

/// Resolves without preparation, and prepares bases.
fn one(criterion: &mut Criterion) {
    let set = Pairs::documentation();
    let mut group = criterion.benchmark_group("resolve one");
    group.throughput(Throughput::Elements(set.len() as u64));
    for (revision, rules) in revision::resolving() {
        let mut out = String::new();
        group.bench_function(BenchmarkId::new("nothing prepared", revision.id), |bencher| {
            bencher.iter(|| {
                for (base, references) in &set.pages {
                    for reference in references {
                        out.clear();
                        let base = black_box(base.as_str());
                        let _ = black_box(fast::resolve_into(rules, base, black_box(reference), &mut out));
                    }
                }
            });
        });
        group.bench_function(BenchmarkId::new("prepare each base", revision.id), |bencher| {
            bencher.iter(|| {
                for (base, _) in &set.pages {
                    black_box(Base::new(rules, black_box(base.as_str())));
                }
            });
        });
    }
    group.finish();
}

fn parse(criterion: &mut Criterion) {
    let set = Pairs::documentation();
    let rules = revision::by_id("rfc3986").and_then(|revision| revision.rules).expect("a rule set");
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Elements(set.pages.len() as u64));
    group.bench_function("components of the bases", |bencher| {
        bencher.iter(|| {
            for (base, _) in &set.pages {
                black_box(components(rules, black_box(base.as_str())));
            }
        });
    });
    group.finish();
}

/// Validates references: by hand-written code, by the productions, and by the parsers of other crates.
fn validate(criterion: &mut Criterion) {
    let set = Pairs::documentation();
    let references: Vec<&str> = set.pages.iter().flat_map(|(_, references)| references).map(String::as_str).collect();
    let mut group = criterion.benchmark_group("validate");
    group.throughput(Throughput::Bytes(references.iter().map(|reference| reference.len() as u64).sum()));
    let mut measure = |who: &str, what: &str, is_valid: &mut dyn FnMut(&str) -> bool| {
        group.bench_function(BenchmarkId::new(who, what), |bencher| {
            bencher.iter(|| references.iter().filter(|reference| is_valid(black_box(reference))).count());
        });
    };
    for &grammar in grammar::ALL {
        measure("hand-written", grammar.id, &mut |reference| grammar.is_valid(reference));
        let mut productions = grammar.recognizer(grammar.top("a:")).expect("a production");
        measure("productions", grammar.id, &mut |reference| productions.is_match(reference));
    }
    measure("iri-string", "rfc3986", &mut |reference| iri_string::types::UriReferenceStr::new(reference).is_ok());
    measure("fluent-uri", "rfc3986", &mut |reference| fluent_uri::UriRef::parse(reference).is_ok());
    measure("oxiri", "rfc3987", &mut |reference| oxiri::IriRef::parse(reference).is_ok());
    group.finish();
}

/// Resolves a megabyte of each input that takes naive code quadratic time.
fn worst_cases(criterion: &mut Criterion) {
    const SIZE: usize = 1 << 20;
    let mut group = criterion.benchmark_group("worst cases");
    group.throughput(Throughput::Bytes(SIZE as u64)).sample_size(10);
    for (name, shape) in WORST {
        let (base, reference) = shape(SIZE);
        for (revision, rules) in revision::resolving() {
            let base = Base::new(rules, base.as_str());
            let mut out = String::new();
            group.bench_function(BenchmarkId::new(*name, revision.id), |bencher| {
                bencher.iter(|| {
                    out.clear();
                    let _ = black_box(base.resolve_into(black_box(&reference), &mut out));
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, many, one, parse, validate, worst_cases);
criterion_main!(benches);
