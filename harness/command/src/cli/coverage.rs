//! `coverage`: the number of vectors that reach each step of a revision and each production of a grammar.

use std::io::Write;

use urlstrata::revision::Revision;
use urlstrata_harness::plural::counted;
use urlstrata_harness::vector::coverage;
use urlstrata_harness::world::World;

use super::{Ended, Finding};

pub(super) fn coverage(revisions: &[&Revision], world: &World, out: &mut dyn Write) -> Ended {
    let suite = world.suite()?;
    let rows = coverage::measure(suite);
    let shown =
        rows.iter().filter(|row| revisions.is_empty() || revisions.iter().any(|revision| revision.id == row.revision));
    let mut unreached = 0;
    let mut last = "";
    for row in shown {
        if row.revision != last {
            last = row.revision;
            writeln!(out, "\n{last}\n    acts  runs")?;
        }
        unreached += usize::from(!row.is_reached());
        let mark = if !row.is_reached() { "!" } else { " " };
        writeln!(out, "  {mark} {:>4}  {:>4}  {:<26} {}", row.acts, row.runs, row.label, row.paraphrase)?;
    }
    let mut unshown = 0;
    let productions = coverage::productions(suite);
    let asked = |id: &str| revisions.is_empty() || revisions.iter().any(|revision| revision.id == id);
    for row in productions.iter().filter(|row| asked(row.grammar)) {
        if row.grammar != last {
            last = row.grammar;
            writeln!(out, "\nthe grammar of {last}\n    members  others")?;
        }
        unshown += usize::from(!row.is_shown());
        let mark = if row.is_shown() { " " } else { "!" };
        writeln!(out, "  {mark} {:>7}  {:>6}  {}", row.valid, row.invalid, row.production)?;
    }
    let steps = counted(unreached, "step", "steps");
    let others = counted(unshown, "production", "productions");
    writeln!(out, "\n{steps} that no vector reaches, {others} without a member and another text")?;
    Ok(if unreached + unshown == 0 { Finding::AsExpected } else { Finding::InternalFailure })
}
