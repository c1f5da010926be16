//! The settings that a prediction consulted.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

/// A set of settings: those of a row or of a syntax that a prediction consulted. A change of any other setting cannot
/// change the prediction.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Consulted([u64; WORDS]);

const WORDS: usize = 3;

thread_local! {
    static CONSULTED: [Cell<u64>; WORDS] = const { [const { Cell::new(0) }; WORDS] };
}

impl Consulted {
    /// Adds a setting to those that were consulted in this thread.
    #[inline]
    pub(super) fn record(at: usize) {
        CONSULTED.with(|words| words[at / 64].set(words[at / 64].get() | 1 << (at % 64)));
    }

    /// Returns what `of` returns, and the watched settings that were consulted for it; see [`Watched`].
    pub fn during<T>(of: impl FnOnce() -> T) -> (T, Self) {
        CONSULTED.with(|words| words.iter().for_each(|word| word.set(0)));
        let returned = of();
        (returned, CONSULTED.with(|words| Self(words.each_ref().map(Cell::get))))
    }

    /// Returns whether the setting at the position `at` was consulted.
    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] & 1 << (at % 64) != 0
    }

    /// Returns the positions of the settings.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let at = word * 64 + bits.trailing_zeros() as usize;
                let is_some = bits != 0;
                bits &= bits.wrapping_sub(1);
                is_some.then_some(at)
            })
        })
    }
}

/// Whether the settings of a row or a syntax are recorded when they are consulted. It is not part of what is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched(pub bool);

impl PartialEq for Watched {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watched {}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
