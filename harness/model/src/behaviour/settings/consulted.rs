//! The settings that a prediction consulted.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use crate::behaviour::table::Component;

/// A set of settings: those of a row or of a syntax that a prediction consulted. A change of any other setting cannot
/// change the prediction.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Consulted([u64; WORDS]);

const WORDS: usize = 3;

thread_local! {
    static CONSULTED: [Cell<u64>; WORDS] = const { [const { Cell::new(0) }; WORDS] };
    static READ: Cell<u128> = const { Cell::new(0) };
    static TABLES: Cell<u32> = const { Cell::new(0) };
}

/// A set of components: those whose tables a prediction read, of references or of bases. A change of any other table cannot
/// change the prediction.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct TablesRead(u32);

impl TablesRead {
    /// Adds a component to those whose tables were read in this thread.
    #[inline]
    pub(in crate::behaviour) fn record(component: Component) {
        TABLES.with(|tables| tables.set(tables.get() | 1 << component as u32));
    }

    /// Returns what `of` returns, and the components whose tables were read for it.
    pub fn during<T>(of: impl FnOnce() -> T) -> (T, Self) {
        TABLES.set(0);
        let returned = of();
        (returned, Self(TABLES.get()))
    }

    /// Returns whether a table of `component` was read.
    pub fn contains(self, component: Component) -> bool {
        self.0 & 1 << component as u32 != 0
    }
}

impl Consulted {
    /// The number of settings that a row or a syntax can have.
    pub const SIZE: usize = WORDS * 64;

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

    /// Returns whether the sets have a setting in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    /// Returns the set of the settings at `positions`.
    pub fn of(positions: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::default();
        positions.into_iter().for_each(|at| set.0[at / 64] |= 1 << (at % 64));
        set
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

/// Whether the settings of a row or a syntax are recorded when they are consulted, and the number under which the set as a
/// whole is recorded, if it is not 0; see [`Read`]. It is not part of what is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched(pub bool, pub u8);

impl Watched {
    /// Records that the setting at the position `at` is consulted.
    #[inline]
    pub(super) fn record(self, at: usize) {
        if self.0 {
            Consulted::record(at);
        }
        if self.1 != 0 {
            READ.with(|read| read.set(read.get() | 1 << (self.1 & 127)));
        }
    }
}

impl PartialEq for Watched {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watched {}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A set of rows, which may include the syntax: those that predictions read. A change of any other one cannot change these
/// predictions. Numbers are distinguished up to 127.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Read(u128);

impl Read {
    /// Returns what `of` returns, and the sets that were read for it, of those that have a number; see [`Watched`].
    pub fn during<T>(of: impl FnOnce() -> T) -> (T, Self) {
        READ.set(0);
        let returned = of();
        (returned, Self(READ.get()))
    }

    /// Adds `other`.
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Adds the number of a set.
    pub fn insert(&mut self, number: u8) {
        self.0 |= 1 << (number & 127);
    }

    /// Returns the members that both sets have.
    pub fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether the sets have a member in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
