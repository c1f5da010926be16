//! The family tree of engines and specifications: hierarchical clustering by their results for the panel.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;

use urlstrata_harness::outcome::Outcome;

/// A specification or an engine, with its results for the panel.
pub(super) struct Member {
    /// The name that the tree shows.
    pub(super) name: String,
    /// The language of an engine; empty for a specification.
    pub(super) language: String,
    /// The results, in the order of the panel; `None` where the member was not asked.
    pub(super) outcomes: Vec<Option<Outcome>>,
}

impl Member {
    /// Returns whether the member was asked few pairs. Its distances then cannot be compared with those of other members.
    fn is_partial(&self) -> bool {
        self.outcomes.iter().any(Option::is_none)
    }
}

/// The member with the most equal results.
#[derive(Serialize)]
pub(super) struct Relative {
    pub(super) name: String,
    /// The number of pairs with different results.
    pub(super) different: usize,
    /// The number of pairs that both were asked.
    pub(super) pairs: usize,
}

/// The number of pairs that two members were asked, and the number of these with different results.
#[derive(Clone, Copy)]
struct Distance {
    different: usize,
    pairs: usize,
}

impl Distance {
    /// Returns the share of pairs with different results, from 0 to 1; 1 if the members were not asked the same pairs.
    fn share(self) -> f64 {
        if self.pairs == 0 { 1.0 } else { self.different as f64 / self.pairs as f64 }
    }
}

/// The distances between members.
pub(super) struct Family {
    names: Vec<(String, String)>,
    distances: Vec<Vec<Distance>>,
    is_partial: Vec<bool>,
}

/// A subtree: its members in drawing order, and its height, which is the mean share of different results between its two
/// parts.
struct Tree {
    members: Vec<usize>,
    height: f64,
    parts: Option<Box<[Tree; 2]>>,
}

impl Tree {
    fn leaf(member: usize) -> Self {
        Self { members: vec![member], height: 0.0, parts: None }
    }

    fn of(height: f64, parts: [Self; 2]) -> Self {
        let members = parts.iter().flat_map(|part| &part.members).copied().collect();
        Self { members, height, parts: Some(Box::new(parts)) }
    }

    /// Adds `member` on the way from the root to `relative`, where the tree has the height `distance`.
    fn place(self, member: usize, relative: usize, distance: f64) -> Self {
        match self.parts {
            Some(parts) if self.height > distance => {
                let parts = parts.map(|part| match part.members.contains(&relative) {
                    true => part.place(member, relative, distance),
                    false => part,
                });
                Self::of(self.height, parts)
            }
            parts => Self::of(distance, [Self { parts, ..self }, Self::leaf(member)]),
        }
    }
}

impl Family {
    pub(super) fn of(members: &[Member]) -> Self {
        let pairs = members.first().map_or(0, |member| member.outcomes.len());
        // Equal results of a pair get equal numbers. Reasons of failures are not compared.
        let mut rows = vec![vec![None; pairs]; members.len()];
        for pair in 0..pairs {
            let mut numbers: HashMap<Option<&str>, u32> = HashMap::new();
            for (row, member) in rows.iter_mut().zip(members) {
                let next = numbers.len() as u32;
                row[pair] = member.outcomes[pair].as_ref().map(|outcome| *numbers.entry(outcome.url()).or_insert(next));
            }
        }
        let distance = |one: &[Option<u32>], other: &[Option<u32>]| {
            let mut distance = Distance { different: 0, pairs: 0 };
            for (one, other) in one.iter().zip(other).filter_map(|(one, other)| one.zip(*other)) {
                distance.different += usize::from(one != other);
                distance.pairs += 1;
            }
            distance
        };
        let below: Vec<Vec<Distance>> =
            (0..rows.len()).map(|one| rows[..one].iter().map(|other| distance(&rows[one], other)).collect()).collect();
        let between = |one: usize, other: usize| match one == other {
            true => distance(&rows[one], &rows[one]),
            false => below[one.max(other)][one.min(other)],
        };
        let distances = (0..rows.len()).map(|one| (0..rows.len()).map(|other| between(one, other)).collect()).collect();
        let names = members.iter().map(|member| (member.name.clone(), member.language.clone())).collect();
        Self { names, distances, is_partial: members.iter().map(Member::is_partial).collect() }
    }

    /// Returns the nearest other member of member `index` for which `is_wanted` returns true. A member that was asked few
    /// pairs is nearest to none.
    pub(super) fn nearest(&self, index: usize, is_wanted: impl Fn(usize) -> bool) -> Option<Relative> {
        let nearest = self.nearest_index(index, is_wanted)?;
        let Distance { different, pairs } = self.distances[index][nearest];
        Some(Relative { name: self.names[nearest].0.clone(), different, pairs })
    }

    fn nearest_index(&self, index: usize, is_wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let others = (0..self.names.len()).filter(|&it| it != index && !self.is_partial[it] && is_wanted(it));
        let share = |other: usize| self.distances[index][other].share();
        others.min_by(|&one, &other| share(one).total_cmp(&share(other)))
    }

    /// Joins the two nearest subtrees until one is left. The distance of two subtrees is the mean distance of their
    /// members. Then adds the members that were asked few pairs, each near to its nearest member.
    fn tree(&self) -> Option<Tree> {
        let (partial, complete): (Vec<usize>, Vec<usize>) =
            (0..self.names.len()).partition(|&index| self.is_partial[index]);
        let mut trees: Vec<Tree> = complete.into_iter().map(Tree::leaf).collect();
        let distance = |one: &Tree, other: &Tree| {
            let of = |a: usize| other.members.iter().map(move |&b| self.distances[a][b].share()).sum::<f64>();
            one.members.iter().map(|&a| of(a)).sum::<f64>() / (one.members.len() * other.members.len()) as f64
        };
        while trees.len() > 1 {
            let mut best = (f64::INFINITY, 0, 1);
            for one in 0..trees.len() {
                for other in one + 1..trees.len() {
                    let found = distance(&trees[one], &trees[other]);
                    if found < best.0 {
                        best = (found, one, other);
                    }
                }
            }
            let (height, one, other) = best;
            let second = trees.remove(other);
            let first = std::mem::replace(&mut trees[one], Tree::leaf(0));
            trees[one] = Tree::of(height, [first, second]);
        }
        let tree = trees.pop()?;
        Some(partial.into_iter().fold(tree, |tree, index| match self.nearest_index(index, |_| true) {
            Some(relative) => tree.place(index, relative, self.distances[index][relative].share()),
            None => tree,
        }))
    }

    /// Draws the tree as SVG: a line for each member, and joints at the share of pairs with different results.
    pub(super) fn svg(&self) -> String {
        let Some(tree) = self.tree() else { return String::new() };
        let count = self.names.len();
        let height = TOP + count as f64 * ROW + 30.0;
        // A tall picture has numbers at both ends, because only one of them is visible at a time.
        let scales = if count > TALL { vec![SCALE, height - 8.0] } else { vec![SCALE] };
        let full = WIDTH - LABELS - LEFT;
        let highest = tree.height.max(0.01);
        let x = |distance: f64| LEFT + full * (1.0 - distance / highest);
        let mut svg = String::new();
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\" aria-labelledby=\"title\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
             <title id=\"title\">Family tree of {count} engines and specifications by equal results</title>\n\
             <style>\n\
             rect {{ fill: #ffffff }} text {{ fill: #1b1f24 }} .spec {{ font-weight: bold }} .small {{ fill: #57606a }}\n\
             path {{ stroke: #57606a; fill: none }} .grid {{ stroke: #d0d7de }}\n\
             @media (prefers-color-scheme: dark) {{ rect {{ fill: #0d1117 }} text {{ fill: #e6edf3 }} .small {{ fill: #9198a1 }} \
             path {{ stroke: #9198a1 }} .grid {{ stroke: #30363d }} }}\n\
             </style>\n<rect width=\"{WIDTH}\" height=\"{height}\"/>"
        );
        for step in 0..=5 {
            let distance = highest * f64::from(step) / 5.0;
            let percent = distance * 100.0;
            let (at, bottom) = (x(distance), height - 22.0);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom:.1}\"/>");
            for y in &scales {
                let _ = writeln!(
                    svg,
                    "<text class=\"small\" x=\"{at:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{percent:.0}%</text>"
                );
            }
        }
        let mut row = 0;
        self.draw(&tree, &x, &mut row, &mut svg);
        let _ = writeln!(
            svg,
            "<text class=\"small\" x=\"{LEFT}\" y=\"14\">mean share of pairs with different results</text>\n</svg>"
        );
        svg
    }

    /// Draws a subtree from line `row` on, and returns the position of its joint.
    fn draw(&self, tree: &Tree, x: &impl Fn(f64) -> f64, row: &mut usize, svg: &mut String) -> (f64, f64) {
        if let Some(parts) = &tree.parts {
            let [one, other] = parts.each_ref().map(|part| self.draw(part, x, row, svg));
            let at = x(tree.height);
            let _ = writeln!(svg, "<path d=\"M{:.1} {:.1}H{at:.1}V{:.1}H{:.1}\"/>", one.0, one.1, other.1, other.0);
            return (at, f64::midpoint(one.1, other.1));
        }
        let y = TOP + (*row as f64 + 0.5) * ROW;
        *row += 1;
        let (name, language) = &self.names[tree.members[0]];
        let at = x(0.0);
        let class = if language.is_empty() { " class=\"spec\"" } else { "" };
        let language = if language.is_empty() {
            String::new()
        } else {
            format!(" <tspan class=\"small\">{}</tspan>", xml(language))
        };
        let _ = writeln!(svg, "<text{class} x=\"{:.1}\" y=\"{:.1}\">{}{language}</text>", at + 6.0, y + 4.0, xml(name));
        (at, y)
    }
}

/// The number of lines of a picture that does not fit on a screen.
const TALL: usize = 40;

/// The dimensions of the picture: its width, the width of the names, the margins, the position of the numbers at the top, and the
/// height of a line.
const WIDTH: f64 = 900.0;
const LABELS: f64 = 330.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 40.0;
const SCALE: f64 = 32.0;
const ROW: f64 = 17.0;

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::{Family, Member};
    use urlstrata_harness::outcome::Outcome;

    fn member(name: &str, results: &str) -> Member {
        let outcomes = results.chars().map(|result| match result {
            '?' => None,
            '!' => Some(Outcome::Failure(name.to_owned())),
            other => Some(Outcome::Url(other.to_string())),
        });
        Member { name: name.to_owned(), language: String::new(), outcomes: outcomes.collect() }
    }

    #[test]
    fn the_nearest_members_are_joined_first() {
        let family =
            Family::of(&[member("a", "xxxx!"), member("b", "yyyy!"), member("c", "xxxz!"), member("d<", "yyyy!")]);
        let nearest =
            |index: usize| family.nearest(index, |_| true).map(|it| (it.name, it.different)).expect("a relative");
        assert_eq!(nearest(0), ("c".to_owned(), 1));
        assert_eq!(nearest(1), ("d<".to_owned(), 0));
        let tree = family.tree().expect("a tree");
        assert_eq!((tree.members, tree.height), (vec![0, 2, 1, 3], 0.8));
        assert!(family.svg().contains(">d&lt;</text>"));
    }

    #[test]
    fn a_tall_picture_has_a_scale_at_both_ends() {
        let scales = |count: usize| {
            let members: Vec<_> = (0..count).map(|it| member("a", if it == 0 { "x" } else { "y" })).collect();
            Family::of(&members).svg().matches(">0%</text>").count()
        };
        assert_eq!([scales(3), scales(60)], [1, 2]);
    }

    #[test]
    fn a_member_that_was_asked_few_pairs_does_not_change_the_tree() {
        let family = Family::of(&[member("a", "xxxx"), member("b", "yyyy"), member("c", "yy??"), member("d", "xz??")]);
        let relative = family.nearest(3, |_| true).expect("a relative");
        assert_eq!((relative.name.as_str(), relative.different, relative.pairs), ("a", 1, 2));
        // Its equal results do not make it the nearest member of another one.
        assert_eq!(family.nearest(1, |_| true).map(|it| it.name).as_deref(), Some("a"));
        let tree = family.tree().expect("a tree");
        assert_eq!((tree.members, tree.height), (vec![0, 3, 1, 2], 1.0));
        let [first, second] = *tree.parts.expect("two parts");
        assert_eq!((first.height, second.height), (0.5, 0.0));
    }
}
