//! Edits of inputs that a fuzzer's own would take long to come upon.

use fastrand::Rng;

use super::Op;

/// What tells components apart, and what a parser might take for it.
const DELIMITERS: &[&str] = &[
    ":", "/", "?", "#", ";", "@", "[", "]", "//", "://", "..", ".", "../", "./", "/..", "/.", "%", "%2e", "%2F", "\\",
    "\t", "\n", " ", "|", "^", "\"", "<", ">", "é", "\u{ff0e}", "=", "&", "1", "URL:", "\x01\x00", "\r\n", "-",
];

/// Edits `data[..size]` in place and says how long it is then, `max_size` at most. The same `seed` edits in the same way.
///
/// One time in three it is `usual`, a fuzzer's own edit with its dictionary; else a delimiter or an [`Op`] goes in, or a piece is
/// doubled, moved, taken out, or put on the other side of the end of the base.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    usual: &mut dyn FnMut(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut rng = Rng::with_seed(u64::from(seed));
    if rng.u8(..3) == 0 || size > max_size {
        return usual(data, size, max_size);
    }
    let mut edited = data[..size].to_vec();
    for _ in 0..rng.usize(1..=3) {
        edit(&mut edited, &mut rng);
    }
    edited.truncate(max_size.min(data.len()));
    data[..edited.len()].copy_from_slice(&edited);
    edited.len()
}

fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let at = place(input, rng);
    match rng.u8(..8) {
        0..=2 => insert(input, at, DELIMITERS[rng.usize(..DELIMITERS.len())].as_bytes()),
        3 | 4 => {
            let op = Op::ALL[rng.usize(1..Op::ALL.len())];
            let operands = match op {
                Op::Member | Op::NearMember => rng.usize(2..12),
                Op::Run => 2,
                _ => 1,
            };
            let mut bytes = vec![op as u8];
            bytes.extend((0..operands).map(|_| rng.u8(..)));
            if let (Op::Member | Op::NearMember, Some(count)) = (op, bytes.get_mut(2)) {
                *count = (operands - 2) as u8;
            }
            insert(input, at, &bytes);
        }
        5 => {
            let piece = piece(input, rng);
            input.drain(piece);
        }
        6 => {
            let piece = input[piece(input, rng)].to_vec();
            insert(input, at, &piece);
        }
        _ => {
            // What ends the base, elsewhere: base and reference have the same bytes between them.
            input.retain(|byte| *byte != Op::Reference as u8);
            let at = at.min(input.len());
            insert(input, at, &[Op::Reference as u8]);
        }
    }
}

/// Anywhere, half the time where a delimiter stands.
fn place(input: &[u8], rng: &mut Rng) -> usize {
    let at = rng.usize(..=input.len());
    if rng.bool() {
        return at;
    }
    let behind = input[at..].iter().position(u8::is_ascii_punctuation);
    behind.map_or(at, |behind| at + behind + usize::from(rng.bool()))
}

/// A short piece.
fn piece(input: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.usize(..=input.len());
    start..(start + rng.usize(1..=12)).min(input.len())
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::mutate;
    use crate::fuzz::Pair;
    use std::collections::BTreeSet;

    #[test]
    fn an_edit_stays_within_its_bounds_and_is_the_same_for_a_seed() {
        let start = b"http://h/a/b\0../g?q";
        let mut seen = BTreeSet::new();
        for seed in 0..2000 {
            let edited = |max_size: usize| {
                let mut data = [b'x'; 64];
                data[..start.len()].copy_from_slice(start);
                let size = mutate(&mut data, start.len(), max_size, seed, &mut |_, size, max| size.min(max));
                data[..size].to_vec()
            };
            assert!(edited(21).len() <= 21 && edited(4).len() <= 4);
            assert_eq!(edited(64), edited(64));
            seen.insert(edited(64));
        }
        assert!(seen.len() > 1000, "{} inputs", seen.len());
        let moved = seen.iter().filter(|input| Pair::read(input).base.is_empty() || Pair::read(input).base.len() > 12);
        assert!(moved.count() > 20);
        let empty = mutate(&mut [], 0, 0, 1, &mut |_, _, _| 0);
        assert_eq!(empty, 0);
    }
}
