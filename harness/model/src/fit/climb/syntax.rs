//! The search for the syntax.

use super::memo::Memo;
use super::row::MUCH_LOST;
use super::state::State;
use super::{Behaviour, Weighted};
use crate::behaviour::{SYNTAX, Syntax};

/// Sets the syntax that meets most probes, without changing the settings called `except`. If `with_two`, two
/// settings are changed together if no single change helps. `memo` tries syntaxes in `behaviour`.
pub(super) fn climb_syntax(
    behaviour: &mut Behaviour,
    memo: &mut Memo<'_, Syntax>,
    among: &[Weighted],
    except: &[&str],
    with_two: bool,
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
        let mut found = state.best_of(memo, changes.iter().map(|change| value_of(*change, own)), COMPARED);
        if found.is_none() && with_two {
            let mut two = Vec::new();
            for (at, one) in changes.iter().enumerate() {
                let others = changes[..at].iter().filter(|other| other.0 != one.0);
                two.extend(others.map(|other| value_of(*other, value_of(*one, own))));
            }
            let two = promising(memo, &state, two);
            found = state.best_of(memo, two.into_iter(), COMPARED);
        }
        match found {
            Some(better) => behaviour.syntax = better,
            None => return,
        }
    }
}

/// Returns the syntaxes that gain most on samples, and those that gain most after what they lose. To try all of them on every
/// probe takes minutes.
fn promising(memo: &mut Memo<'_, Syntax>, state: &State<Syntax>, tried: Vec<Syntax>) -> Vec<Syntax> {
    let [missed, met] = [&state.missed, &state.met].map(|groups| groups.sample(RANKED));
    let mut gains: Vec<(i64, i64, usize)> = Vec::new();
    for (at, syntax) in tried.iter().enumerate() {
        let gain = state.met_of(memo, &missed, syntax);
        if gain > 0 {
            let much = MUCH_LOST * (gain + met.weight / RANKED);
            let lost = state.missed_of(memo, &met, syntax, much).unwrap_or(much) as i64;
            let gain = gain as i64;
            gains.push((lost - gain, -gain, at));
        }
    }
    gains.sort_unstable();
    let net: Vec<usize> = gains.iter().take(PROMISING).map(|(_, _, at)| *at).collect();
    gains.sort_unstable_by_key(|(_, gain, at)| (*gain, *at));
    let most = gains.iter().map(|(_, _, at)| *at).filter(|at| !net.contains(at)).take(PROMISING);
    net.iter().copied().chain(most).map(|at| tried[at]).collect()
}

/// The number of syntaxes that are tried of those that gain most on samples, and the size of these.
const PROMISING: usize = 30;
const RANKED: usize = 80;

/// The size of the samples on which syntaxes are compared.
const COMPARED: usize = 700;
