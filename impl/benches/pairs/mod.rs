//! The pairs that are measured with; `../data/README.md` tells where they come from.

use std::{env, fs};

/// References of pages, page after page.
pub struct Pairs {
    /// What the set is called.
    pub name: String,
    /// A base and the references on it.
    pub pages: Vec<(String, Vec<String>)>,
}

impl Pairs {
    /// The links of documentation, those of the made-up web, and those of the file in `URLSTRATA_PAIRS`, if any.
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

    /// Links of documentation pages.
    pub fn documentation() -> Self {
        Self::of("documentation", include_str!("../data/documentation.tsv"))
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

    /// Made up, in the shares and lengths of the web.
    pub fn web() -> Self {
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
        let page = |chance: &mut Chance| {
            let base = format!("https://{}/{}", chance.host(), chance.path(24, 60));
            let references = (0..200).map(|_| chance.reference()).collect();
            (base, references)
        };
        Self { name: "web".to_owned(), pages: (0..20).map(|_| page(&mut chance)).collect() }
    }

    /// The pages again and again, each time in another order, and their references too, until there are `count` pairs: a
    /// processor learns the branches of a few thousand pairs by heart when they come in the same order. As they are, if there
    /// are as many.
    pub fn shuffled(&self, count: usize) -> Self {
        if self.len() >= count {
            return Self { name: self.name.clone(), pages: self.pages.clone() };
        }
        let mut chance = Chance(0x2545_f491_4f6c_dd1d);
        let mut all = Self { name: self.name.clone(), pages: vec![] };
        let mut pairs = 0;
        while pairs < count {
            let mut pages = self.pages.clone();
            chance.shuffle(&mut pages);
            pages.iter_mut().for_each(|(_, references)| chance.shuffle(references));
            pairs += self.len();
            // New strings, so that they lie in memory in the order in which they are read.
            all.pages.extend(pages.iter().cloned());
        }
        all
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pages.iter().map(|(_, references)| references.len()).sum()
    }
}

/// The same numbers each time.
struct Chance(u64);

impl Chance {
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

    /// Whether one in a thousand of so many comes up.
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

    /// Segments of at least `from` and about `to` bytes.
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
        // The lengths that a half, nine tenths and all but a hundredth do not exceed.
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
