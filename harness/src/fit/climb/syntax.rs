//! The search for the syntax.

use super::memo::Memo;
use super::state::{Groups, State};
use super::{Behaviour, Weighted};
use crate::behaviour::{SYNTAX, Syntax};

/// Sets the syntax that meets most probes, without changing the settings called `except`. Two settings are changed
/// together if no single change helps. `memo` tries syntaxes in `behaviour`.
pub(super) fn climb_syntax(
    behaviour: &mut Behaviour,
    memo: &mut Memo<'_, Syntax>,
    among: &[Weighted],
    except: &[&str],
) {
    let settings: Vec<_> = SYNTAX.iter().filter(|setting| !except.contains(&setting.name)).collect();
    loop {
        let own = behaviour.syntax;
        let state = State::of(memo, own, among);
        let value_of = |(setting, value): (usize, usize), mut syntax: Syntax| {
            settings[setting].assign(&mut syntax, value);
            syntax
        };
        let changes: Vec<(usize, usize)> = (0..settings.len())
            .flat_map(|at| (0..settings[at].values.len()).map(move |value| (at, value)))
            .filter(|(at, value)| settings[*at].index(&own) != *value)
            .collect();
        let [alone, of_two] = [SYNTAX_ALONE, SYNTAX_ESTIMATED].map(|size| state.missed.sample(size));
        let mut best = (0, own);
        let mut try_syntax = |syntax: Syntax, sample: &Groups, best: &mut (usize, Syntax)| {
            if state.met_of(memo, sample, &syntax) == 0 {
                return;
            }
            let gain = state.met_of(memo, &state.missed, &syntax);
            if gain > best.0
                && let Some(lost) = state.missed_of(memo, &state.met, &syntax, gain - best.0)
            {
                *best = (gain - lost, syntax);
            }
        };
        for change in &changes {
            try_syntax(value_of(*change, own), &alone, &mut best);
        }
        if best.0 == 0 && except.is_empty() {
            for (at, one) in changes.iter().enumerate() {
                for other in changes[..at].iter().filter(|other| other.0 != one.0) {
                    try_syntax(value_of(*other, value_of(*one, own)), &of_two, &mut best);
                }
            }
        }
        behaviour.syntax = best.1;
        if best.0 == 0 {
            return;
        }
    }
}

/// The numbers of missed probes on which the gain of one changed setting of a syntax, and of two, is estimated.
const SYNTAX_ALONE: usize = 2_000;
const SYNTAX_ESTIMATED: usize = 200;
