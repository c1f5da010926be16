//! The loop that runs the steps of an algorithm.

use crate::source::step::{MISSING_STEP, Next, Program, Show, Trace, run};

struct Count(usize);

impl Show for Count {
    fn show(&self) -> String {
        self.0.to_string()
    }
}

#[test]
fn every_step_that_runs_is_traced() {
    const STEPS: &Program<Count> = &[
        ("a", "counts", |count| {
            count.0 += 1;
            if count.0 < 3 { Next::SkipTo("a") } else { Next::Continue }
        }),
        ("b", "ends", |_| Next::Done),
        ("c", "is never reached", |_| Next::Done),
    ];
    let mut trace = Trace::on();
    run(STEPS, &mut Count(0), &mut trace);
    let left: Vec<_> = trace.entries().iter().map(|entry| (entry.label, entry.state.as_str())).collect();
    assert_eq!(left, [("a", "1"), ("a", "2"), ("a", "3"), ("b", "3")]);
}

#[test]
fn a_skip_to_a_missing_step_is_traced() {
    const STEPS: &Program<Count> = &[("a", "skips", |_| Next::SkipTo("c")), ("b", "is never reached", |_| Next::Done)];
    let mut trace = Trace::on();
    run(STEPS, &mut Count(0), &mut trace);
    let left: Vec<_> = trace.entries().iter().map(|entry| (entry.label, entry.text)).collect();
    assert_eq!(left, [("a", "skips"), ("c", MISSING_STEP)]);
}
