//! The grid of engines and rules as a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::rows::LanguageRow;
use super::rule_table::RuleTable;

/// The size of a cell in pixels.
const CELL: usize = 12;

/// The width of the names of engines, and the height of the names of rules, in pixels.
const NAMES: usize = 190;
const RULES: usize = 150;

/// The number of fill colours. Settings beyond these share the last colour.
const COLOURS: usize = 5;

/// Draws a row for each engine and a column for each rule of `rules`. A cell is empty if the engine has the setting of RFC 3986,
/// and has a small circle if no setting is that of the engine. The most frequent other setting of a column has the first colour.
pub(super) fn draw(languages: &[LanguageRow], rules: &RuleTable) -> String {
    let rows: Vec<_> = languages
        .iter()
        .flat_map(|row| row.engines.iter().map(move |engine| (row.language.as_str(), engine)))
        .filter_map(|(language, engine)| Some((language, engine.name.as_str(), &engine.profile.as_ref()?.rules)))
        .collect();
    let columns = rules.columns();
    let (width, height) = (NAMES + columns.len() * CELL + 130, RULES + rows.len() * CELL + 10);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"title\" font-family=\"system-ui, sans-serif\" font-size=\"10\">\n\
         <title id=\"title\">Settings of {} engines for {} rules, where they differ from RFC 3986</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n",
        rows.len(),
        columns.len()
    );
    // Writing to a string cannot fail.
    for (index, (_, name, _)) in columns.iter().enumerate() {
        let x = NAMES + index * CELL + 9;
        let y = RULES - 6;
        let _ = writeln!(svg, "<text transform=\"rotate(-60 {x} {y})\" x=\"{x}\" y=\"{y}\">{name}</text>");
    }
    let colours: Vec<_> = columns.iter().map(|(rule, _, standard)| colours(&rows, *rule, standard)).collect();
    for (index, (language, name, settings)) in rows.iter().enumerate() {
        let y = RULES + index * CELL;
        let baseline = y + 9;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{name}</text>", NAMES - 6);
        for (column, (rule, _, standard)) in columns.iter().enumerate() {
            let x = NAMES + column * CELL;
            let _ = match settings[*rule] {
                None => {
                    writeln!(svg, "<circle class=\"open\" cx=\"{}\" cy=\"{}\" r=\"2\"/>", x + CELL / 2, y + CELL / 2)
                }
                Some(setting) if setting == *standard => continue,
                Some(setting) => {
                    let colour = colours[column].get(setting).copied().unwrap_or(COLOURS);
                    let size = CELL - 1;
                    writeln!(svg, "<rect class=\"c{colour}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>")
                }
            };
        }
        let end = NAMES + columns.len() * CELL + 6;
        let _ = writeln!(svg, "<text class=\"soft\" x=\"{end}\" y=\"{baseline}\">{language}</text>");
    }
    svg + "</svg>\n"
}

const STYLE: &str = "\
.page { fill: #ffffff } text { fill: #1b1f24 } .soft { fill: #57606a } .open { fill: none; stroke: #57606a }
.c1 { fill: #0550ae } .c2 { fill: #bf5b00 } .c3 { fill: #8250df } .c4 { fill: #1a7f37 } .c5 { fill: #6e7781 }
@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 } .open { stroke: #9198a1 }
.c1 { fill: #58a6ff } .c2 { fill: #f0883e } .c3 { fill: #bc8cff } .c4 { fill: #56d364 } .c5 { fill: #8b949e } }
";

/// Returns the number of the colour of each setting of a rule other than `standard`.
fn colours<'r>(
    rows: &[(&str, &str, &'r Vec<Option<&'static str>>)],
    rule: usize,
    standard: &str,
) -> BTreeMap<&'r str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for setting in rows.iter().filter_map(|(_, _, settings)| settings[rule]).filter(|setting| *setting != standard) {
        *counts.entry(setting).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    sorted.into_iter().enumerate().map(|(index, (name, _))| (name, (index + 1).min(COLOURS))).collect()
}
