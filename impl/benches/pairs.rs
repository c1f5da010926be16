//! The pairs of base and reference that the benchmarks resolve. `README.md` describes where they come from.

use std::{env, fs};

/// A set of pairs, grouped by page.
pub struct Pairs {
    /// The name of the set.
    pub name: String,
    /// Each page: its base and its references.
    pub pages: Vec<(String, Vec<String>)>,
}

impl Pairs {
    /// Returns the documentation links, the generated web links, and the pairs in the file named by `URLSTRATA_PAIRS`,
    /// if it is set.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be read.
    pub fn sets() -> Vec<Self> {
        let mut sets = vec![Self::documentation(), Self::web()];
        if let Ok(path) = env::var("URLSTRATA_PAIRS") {
            match fs::read_to_string(&path) {
                Ok(text) => sets.push(Self::of("your file", &text)),
                Err(error) => panic!("{path}: {error}"),
            }
        }
        sets
    }

    /// Returns the links of documentation pages.
    pub fn documentation() -> Self {
        Self::of("documentation", include_str!("../../vectors/links/documentation.tsv"))
    }

    fn of(name: &str, lines: &str) -> Self {
        let mut pages: Vec<(String, Vec<String>)> = vec![];
        for (base, reference) in lines.lines().filter_map(|line| line.split_once('\t')) {
            match pages.last_mut() {
                Some((last, references)) if last == base => references.push(reference.to_owned()),
                _ => pages.push((base.to_owned(), vec![reference.to_owned()])),
            }
        }
        Self { name: name.to_owned(), pages }
    }

    /// Generates pairs with the shares and lengths of the web.
    pub fn web() -> Self {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let page = |random: &mut Random| {
            let base = format!("https://{}/{}", random.host(), random.path(24, 60));
            let references = (0..200).map(|_| random.reference()).collect();
            (base, references)
        };
        Self { name: "web".to_owned(), pages: (0..20).map(|_| page(&mut random)).collect() }
    }

    /// Repeats the pages, each time with pages and references in another order, until there are `count` pairs. Returns
    /// the set unchanged if it has that many.
    ///
    /// A processor's branch predictor learns a few thousand pairs if their order is always the same.
    pub fn shuffled(&self, count: usize) -> Self {
        if self.len() >= count {
            return Self { name: self.name.clone(), pages: self.pages.clone() };
        }
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut all = Self { name: self.name.clone(), pages: vec![] };
        let mut pairs = 0;
        while pairs < count {
            let mut pages = self.pages.clone();
            random.shuffle(&mut pages);
            pages.iter_mut().for_each(|(_, references)| random.shuffle(references));
            pairs += self.len();
            // Clones are allocated in the order in which they are read.
            all.pages.extend(pages.iter().cloned());
        }
        all
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.pages.iter().map(|(_, references)| references.len()).sum()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A pseudorandom number generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns `true` with a probability of `share` in a thousand.
    fn per_mille(&mut self, share: usize) -> bool {
        self.below(1000) < share
    }

    fn name(&mut self, from: usize, to: usize) -> String {
        let length = from + self.below(to - from + 1);
        (0..length).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz0123456789-_"[self.below(38)])).collect()
    }

    fn host(&mut self) -> String {
        let start = ["www", "cdn", "static", "img", "m"][self.below(5)];
        format!("{start}.{}.{}", self.name(5, 12), ["com", "org", "net", "de", "co.uk"][self.below(5)])
    }

    /// Returns segments of at least `from` and about `to` bytes in total.
    fn path(&mut self, from: usize, to: usize) -> String {
        let length = from + self.below(to - from + 1);
        let mut path = self.name(2, 10);
        while path.len() + 4 < length {
            path.push('/');
            path += &self.name(3, 12.max(length.saturating_sub(path.len()) / 3));
        }
        path
    }

    fn reference(&mut self) -> String {
        // The quantiles of lengths: 50%, 90% and 99%.
        let (from, to) = match self.below(100) {
            0..50 => (4, 21),
            50..90 => (21, 74),
            90..99 => (74, 185),
            _ => (185, 300),
        };
        let path = self.path(from, to);
        let mut reference = match self.below(1000) {
            0..612 => format!("http{}://{}/{path}", if self.per_mille(850) { "s" } else { "" }, self.host()),
            612..616 => format!("mailto:{}@{}", self.name(3, 9), self.host()),
            616..906 => format!("/{path}"),
            906..941 => format!("//{}/{path}", self.host()),
            941..969 => path,
            969..973 => format!("../{path}"),
            973..977 => String::new(),
            _ => return format!("#{}", self.name(1, 14)),
        };
        if self.per_mille(140) {
            reference += &format!("?{}={}", self.name(1, 6), self.name(1, 12));
        }
        if self.per_mille(25) {
            reference += &format!("#{}", self.name(2, 12));
        }
        reference
    }
}
