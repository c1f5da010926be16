//! How long resolution takes under each row, beside the reference: read the figures as ratios of one run.

#![allow(missing_docs, reason = "criterion's macro writes a public function without them")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use urlstrata::{fast, revision};

const BASE: &str = "http://a/b/c/d;p?q";
const REFERENCES: [&str; 12] =
    ["g", "./g", "g/", "/g", "//g", "?y", "g?y#s", "#s", "../../g", "../../../g", "g;x=1/../y", "https://h/x/y?z"];

fn resolve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("resolve");
    group.throughput(Throughput::Elements(REFERENCES.len() as u64));
    for (revision, rules) in revision::resolving() {
        let mut out = String::new();
        group.bench_function(BenchmarkId::new("fast", revision.id), |bencher| {
            bencher.iter(|| {
                for reference in REFERENCES {
                    let meaning = fast::resolve(rules, black_box(BASE), black_box(reference), &mut out);
                    black_box((&out, meaning.is_ok()));
                }
            });
        });
        group.bench_function(BenchmarkId::new("reference", revision.id), |bencher| {
            bencher.iter(|| {
                for reference in REFERENCES {
                    let _ = black_box(revision.resolve(black_box(BASE), black_box(reference)));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, resolve);
criterion_main!(benches);
