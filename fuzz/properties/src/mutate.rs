//! Mutations of inputs that the mutator of a fuzzer would find slowly.

use fastrand::Rng;

use super::Op;

/// Delimiters of components, and what parsers might accept in their place.
const DELIMITERS: &[&str] = &[
    ":", "/", "?", "#", ";", "@", "[", "]", "//", "://", "..", ".", "../", "./", "/..", "/.", "%", "%2e", "%2F", "\\",
    "\t", "\n", " ", "|", "^", "\"", "<", ">", "é", "\u{ff0e}", "=", "&", "1", "URL:", "\x01\x00", "\r\n", "-",
];

/// Mutates `data[..size]` in place and returns the new size, at most `max_size`. The result depends on `seed` only.
///
/// In one of three cases it calls `default_mutation`, which also uses the dictionary. Otherwise it inserts a delimiter or
/// an [`Op`], doubles, moves or removes a piece, or moves the end of the base.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    default_mutation: &mut dyn FnMut(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut rng = Rng::with_seed(u64::from(seed));
    if rng.u8(..3) == 0 || size > max_size {
        return default_mutation(data, size, max_size);
    }
    let mut mutated = data[..size].to_vec();
    for _ in 0..rng.usize(1..=3) {
        mutate_once(&mut mutated, &mut rng);
    }
    mutated.truncate(max_size.min(data.len()));
    data[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
}

fn mutate_once(input: &mut Vec<u8>, rng: &mut Rng) {
    let at = position(input, rng);
    match rng.u8(..8) {
        0..=2 => insert(input, at, DELIMITERS[rng.usize(..DELIMITERS.len())].as_bytes()),
        3 | 4 => {
            let op = Op::ALL[rng.usize(1..Op::ALL.len())];
            let operands = match op {
                Op::Valid | Op::Mutated => rng.usize(2..12),
                Op::Run => 2,
                _ => 1,
            };
            let mut bytes = vec![op as u8];
            bytes.extend((0..operands).map(|_| rng.u8(..)));
            if let (Op::Valid | Op::Mutated, Some(count)) = (op, bytes.get_mut(2)) {
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
            // Base and reference together keep their bytes.
            input.retain(|byte| *byte != Op::Reference as u8);
            let at = at.min(input.len());
            insert(input, at, &[Op::Reference as u8]);
        }
    }
}

/// Returns a random position; in half of the cases, one next to a delimiter.
fn position(input: &[u8], rng: &mut Rng) -> usize {
    let at = rng.usize(..=input.len());
    if rng.bool() {
        return at;
    }
    let next = input[at..].iter().position(u8::is_ascii_punctuation);
    next.map_or(at, |next| at + next + usize::from(rng.bool()))
}

/// Returns the range of a random short piece.
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
    use crate::PairInput;
    use std::collections::BTreeSet;

    #[test]
    fn mutations_are_bounded_and_depend_on_the_seed_only() {
        let start = b"http://h/a/b\0../g?q";
        let mut mutations = BTreeSet::new();
        for seed in 0..2000 {
            let mutated = |max_size: usize| {
                let mut data = [b'x'; 64];
                data[..start.len()].copy_from_slice(start);
                let size = mutate(&mut data, start.len(), max_size, seed, &mut |_, size, max| size.min(max));
                data[..size].to_vec()
            };
            assert!(mutated(21).len() <= 21 && mutated(4).len() <= 4);
            assert_eq!(mutated(64), mutated(64));
            mutations.insert(mutated(64));
        }
        assert!(mutations.len() > 1000, "{} inputs", mutations.len());
        let base_moved = |input: &&Vec<u8>| {
            let base = PairInput::decode(input).base;
            base.is_empty() || base.len() > 12
        };
        assert!(mutations.iter().filter(base_moved).count() > 20);
    }

    #[test]
    fn an_empty_buffer_stays_empty() {
        assert_eq!(mutate(&mut [], 0, 0, 1, &mut |_, _, _| 0), 0);
    }
}
