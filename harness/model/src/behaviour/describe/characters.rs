//! What happens to the characters of the components, in sentences that are not repeated.

use super::{Component, sentences};
use crate::behaviour::{Class, Tables};

/// Components and the sentences about them.
type Lines = Vec<(Vec<&'static str>, Vec<String>)>;

/// What a class of schemes does with the characters of each component.
#[derive(Eq, PartialEq)]
pub(super) struct Characters {
    /// The sentences about each component of references, in the order of [`Component::ALL`].
    references: Vec<Vec<String>>,
    /// The sentences about each component of bases.
    bases: Vec<Vec<String>>,
}

impl Characters {
    /// Describes the tables of `class`. `removed` are the characters that are removed before from references, and from bases.
    pub(super) fn of(class: &Class, removed: [&[char]; 2]) -> Self {
        let of = |tables: &Tables, removed: &[char]| {
            Component::ALL.map(|component| sentences(component, tables.of(component), removed)).to_vec()
        };
        Self { references: of(&class.reference, removed[0]), bases: of(&class.base, removed[1]) }
    }

    /// Returns the sentences about components of references. Components with the same sentences are joined.
    pub(super) fn of_references(&self) -> Lines {
        let mut lines = Lines::new();
        for (component, own) in Component::ALL.iter().zip(&self.references).filter(|(_, own)| !own.is_empty()) {
            add(&mut lines, component.name(), own.clone());
        }
        lines
    }

    /// Returns the sentences about components of bases that are not treated like those of references.
    pub(super) fn of_bases(&self) -> Lines {
        let mut lines = Lines::new();
        for (at, component) in Component::ALL.iter().enumerate() {
            let own = &self.bases[at];
            if own.is_empty() || *own == self.references[at] {
                continue;
            }
            let like = self.references.iter().position(|other| other == own);
            match like {
                Some(like) => {
                    let line = format!("treated like this component of a reference: {}", Component::ALL[like].name());
                    add(&mut lines, component.name(), vec![line]);
                }
                None => add(&mut lines, component.name(), own.clone()),
            }
        }
        lines
    }

    /// Returns the position of the element of `earlier` to which this is so near that it is enough to list the differences.
    pub(super) fn nearest(&self, earlier: &[(usize, Self)]) -> Option<usize> {
        let count = |own: &[Vec<String>]| own.iter().filter(|own| !own.is_empty()).count();
        let all = count(&self.references) + count(&self.bases);
        let nearest = (0..earlier.len()).min_by_key(|at| self.differing(&earlier[*at].1).count())?;
        (self.differing(&earlier[nearest].1).count() * 3 < all).then_some(nearest)
    }

    /// Returns the components that are treated otherwise than by `other`, and whether they are those of bases.
    fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (usize, bool)> + 'a {
        let all = (0..Component::ALL.len()).flat_map(|at| [(at, false), (at, true)]);
        all.filter(|&(at, of_base)| self.side(of_base)[at] != other.side(of_base)[at])
    }

    fn side(&self, of_base: bool) -> &[Vec<String>] {
        if of_base { &self.bases } else { &self.references }
    }

    /// Returns the sentences about components that `other` treats otherwise: about those of references, and of bases too if
    /// these are treated alike, and about those of bases.
    pub(super) fn except(&self, other: &Self) -> [Lines; 2] {
        let mut lines = [Lines::new(), Lines::new()];
        for (at, of_base) in self.differing(other) {
            let is_both = self.references[at] == self.bases[at] && other.references[at] == other.bases[at];
            if of_base && is_both {
                continue;
            }
            let own = &self.side(of_base)[at];
            let is_like = |like: &usize| self.references[*like] == *own && other.references[*like] == *own;
            let own = match (own.is_empty(), (0..Component::ALL.len()).find(is_like)) {
                (true, _) => vec!["keeps all characters".to_owned()],
                (false, _) if of_base && *own == self.references[at] => vec!["treated as in references".to_owned()],
                (false, Some(like)) if of_base => {
                    vec![format!("treated like this component of a reference: {}", Component::ALL[like].name())]
                }
                (false, Some(like)) => vec![format!("treated like this component: {}", Component::ALL[like].name())],
                (false, None) => own.clone(),
            };
            add(&mut lines[usize::from(of_base)], Component::ALL[at].name(), own);
        }
        lines
    }
}

/// Adds a component to the line with the same sentences, or adds a line.
fn add(lines: &mut Lines, component: &'static str, sentences: Vec<String>) {
    match lines.iter_mut().find(|(_, own)| *own == sentences) {
        Some((components, _)) => components.push(component),
        None => lines.push((vec![component], sentences)),
    }
}
