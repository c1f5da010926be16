//! The family tree of engines and specifications: hierarchical clustering by their results for the panel.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;

use crate::outcome::Outcome;

/// A specification or an engine, with its results for the panel.
pub(super) struct Member {
    /// The name that the tree shows.
    pub(super) name: String,
    /// The language of an engine; empty for a specification.
    pub(super) language: String,
    /// The results, in the order of the panel.
    pub(super) outcomes: Vec<Outcome>,
}

/// The member with the most equal results.
#[derive(Serialize)]
pub(super) struct Relative {
    pub(super) name: String,
    /// The number of pairs of the panel with different results.
    pub(super) different: usize,
}

/// The distances between members: the number of pairs with different results.
pub(super) struct Family {
    names: Vec<(String, String)>,
    distances: Vec<Vec<usize>>,
    pairs: usize,
}

/// A subtree: its members in drawing order, and its height, which is the mean distance between its two parts.
struct Tree {
    members: Vec<usize>,
    height: f64,
    parts: Option<Box<[Tree; 2]>>,
}

impl Family {
    pub(super) fn of(members: &[Member]) -> Self {
        let pairs = members.first().map_or(0, |member| member.outcomes.len());
        // Equal results of a pair get equal numbers. Reasons of failures are not compared.
        let mut rows = vec![vec![0_u32; pairs]; members.len()];
        for pair in 0..pairs {
            let mut numbers: HashMap<Option<&str>, u32> = HashMap::new();
            for (row, member) in rows.iter_mut().zip(members) {
                let next = numbers.len() as u32;
                row[pair] = *numbers.entry(member.outcomes[pair].url()).or_insert(next);
            }
        }
        let different = |one: &[u32], other: &[u32]| one.iter().zip(other).filter(|(one, other)| one != other).count();
        let distances = rows.iter().map(|one| rows.iter().map(|other| different(one, other)).collect()).collect();
        let names = members.iter().map(|member| (member.name.clone(), member.language.clone())).collect();
        Self { names, distances, pairs }
    }

    /// Returns the nearest other member of member `index` for which `is_wanted` returns true.
    pub(super) fn nearest(&self, index: usize, is_wanted: impl Fn(usize) -> bool) -> Option<Relative> {
        let others = (0..self.names.len()).filter(|&other| other != index && is_wanted(other));
        let nearest = others.min_by_key(|&other| self.distances[index][other])?;
        Some(Relative { name: self.names[nearest].0.clone(), different: self.distances[index][nearest] })
    }

    /// Joins the two nearest subtrees until one is left. The distance of two subtrees is the mean distance of their
    /// members.
    fn tree(&self) -> Option<Tree> {
        let mut trees: Vec<Tree> =
            (0..self.names.len()).map(|index| Tree { members: vec![index], height: 0.0, parts: None }).collect();
        let distance = |one: &Tree, other: &Tree| {
            let sum: usize =
                one.members.iter().map(|&a| other.members.iter().map(|&b| self.distances[a][b]).sum::<usize>()).sum();
            sum as f64 / (one.members.len() * other.members.len()) as f64
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
            let first = std::mem::replace(&mut trees[one], Tree { members: Vec::new(), height, parts: None });
            trees[one].members = first.members.iter().chain(&second.members).copied().collect();
            trees[one].parts = Some(Box::new([first, second]));
        }
        trees.pop()
    }

    /// Draws the tree as SVG: a line for each member, and joints at the share of pairs with different results.
    pub(super) fn svg(&self) -> String {
        let Some(tree) = self.tree() else { return String::new() };
        let count = self.names.len();
        let height = TOP + count as f64 * ROW + 30.0;
        let full = WIDTH - LABELS - LEFT;
        let highest = tree.height.max(1.0);
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
            let percent = distance * 100.0 / self.pairs.max(1) as f64;
            let (at, bottom) = (x(distance), height - 22.0);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom:.1}\"/>");
            let _ = writeln!(
                svg,
                "<text class=\"small\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{percent:.0}%</text>",
                height - 8.0
            );
        }
        let mut row = 0;
        self.draw(&tree, &x, &mut row, &mut svg);
        let _ = writeln!(
            svg,
            "<text class=\"small\" x=\"{LEFT}\" y=\"14\">share of pairs with different results</text>\n</svg>"
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

/// The dimensions of the picture: its width, the width of the names, the margins, and the height of a line.
const WIDTH: f64 = 900.0;
const LABELS: f64 = 330.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 24.0;
const ROW: f64 = 17.0;

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::{Family, Member};
    use crate::outcome::Outcome;

    fn member(name: &str, results: &str) -> Member {
        let outcomes = results.chars().map(|result| match result {
            '!' => Outcome::Failure(name.to_owned()),
            other => Outcome::Url(other.to_string()),
        });
        Member { name: name.to_owned(), language: String::new(), outcomes: outcomes.collect() }
    }

    #[test]
    fn the_nearest_members_are_joined_first() {
        let family =
            Family::of(&[member("a", "xxxx!"), member("b", "yyyy!"), member("c", "xxxz!"), member("d<", "yyyy!")]);
        assert_eq!(family.nearest(0, |_| true).map(|it| (it.name, it.different)), Some(("c".to_owned(), 1)));
        assert_eq!(family.nearest(1, |_| true).map(|it| (it.name, it.different)), Some(("d<".to_owned(), 0)));
        let tree = family.tree().expect("a tree");
        assert_eq!((tree.members, tree.height), (vec![0, 2, 1, 3], 4.0));
        assert!(family.svg().contains(">d&lt;</text>"));
    }
}
