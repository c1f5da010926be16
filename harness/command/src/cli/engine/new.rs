//! `engine new`: writes a table of steps to begin with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use urlstrata_engines::tables;
use urlstrata_harness::engine::{Engine, ask_all};
use urlstrata_harness::knowledge::stepped::Stepped;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::write_file;
use crate::cli::select::an_engine;
use crate::cli::{Ended, Failure, Finding};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Engine: NAME, which has a folder and is recorded or installed
    name: String,
    /// Write a table of steps: that of the engine with steps that has the most results in common
    #[arg(long, required = true)]
    steps: bool,
    /// Begin with the steps of this engine instead
    #[arg(long, value_name = "NAME")]
    like: Option<String>,
    /// Folder with the engine folders; default: that of --engine-folders, or harness/engines
    #[arg(long)]
    pub(super) out: Option<PathBuf>,
}

/// The list of tables in `lib.rs` of the engine folders.
const LIST: &str = "tables! {\n";

/// Writes `steps.rs` to the folder of an engine in `folder`, and adds it to the list of tables.
///
/// # Errors
///
/// Returns an error if the engine has no folder or has a table already, if `folder` is not in a checkout of the project, or if a file cannot be
/// written.
pub(super) fn new(arguments: &Arguments, folder: &Path, world: &World, out: &mut dyn Write) -> Ended {
    let name = arguments.name.as_str();
    let own = world.folders()?.engines.iter().find(|engine| engine.name == name);
    let own =
        own.ok_or_else(|| Failure::Usage(format!("no engine folder is called {name:?}: write its engine.toml first")))?;
    let first = own.description.versions.last().map_or("", |version| version.version.as_str());
    let path = folder.join(name).join("steps.rs");
    if urlstrata_engines::table(name).is_some() || path.exists() {
        return Err(Failure::Usage(format!("{name} has a table of steps: {}", path.display())));
    }
    let list = folder.join("lib.rs");
    let failed = |path: &Path, why: &str| {
        Failure::Usage(format!(
            "{}: {why}: run it in a checkout of the project, or name its engine folders with --out",
            path.display()
        ))
    };
    let modules = fs::read_to_string(&list).map_err(|error| failed(&list, &error.to_string()))?;
    let listed = with_table(&modules, name).ok_or_else(|| failed(&list, "has no list of tables"))?;
    let engine = an_engine(world, name)?;
    let relatives = relatives(engine.as_ref(), arguments.like.as_deref(), world)?;
    let Some(Relative { engine: relative, alike, pairs }) = relatives.first() else {
        return Err(Failure::Engine(format!("{name} resolves nothing, so that no table of steps is near")));
    };
    let from = folder.join(relative);
    let sources = fs::read_dir(&from).map_err(|error| failed(&from, &error.to_string()))?;
    let sources = sources.filter_map(|entry| Some(entry.ok()?.path()));
    let is_table = |path: &PathBuf| path.extension().is_some_and(|it| it == "rs") && !path.ends_with("shim.rs");
    for source in sources.filter(is_table) {
        let text = fs::read_to_string(&source).map_err(|error| failed(&source, &error.to_string()))?;
        let file = source.file_name().unwrap_or_default();
        let text = if file == "steps.rs" { begun(&text, name, first, relative, (*alike, *pairs)) } else { text };
        write_file(&folder.join(name).join(file), &text)?;
    }
    write_file(&list, &listed)?;
    let results = counted(*pairs, "pair", "pairs");
    writeln!(
        out,
        "{}: the steps of {relative}, which has the result of {name} on {alike} of {results}",
        path.display()
    )?;
    for Relative { engine, alike, .. } in relatives.iter().skip(1).take(2) {
        writeln!(out, "  {engine} has it on {alike}: --like {engine} begins with its steps")?;
    }
    writeln!(
        out,
        "Write what the source of {name} does. Then show the first pair on which the table is wrong, and run its tests:\n  \
         cargo run --release -- engine steps {name} --check\n  \
         cargo test -p urlstrata-harness --test library -- steps::"
    )?;
    Ok(Finding::AsExpected)
}

/// An engine with steps, and on how many of the pairs it has the results of another engine.
struct Relative {
    engine: &'static str,
    alike: usize,
    pairs: usize,
}

/// Returns the engines with steps, or the one called `like`, those with the most results in common with `engine` first.
///
/// # Errors
///
/// Returns an error if `like` has no steps.
fn relatives(engine: &dyn Engine, like: Option<&str>, world: &World) -> Result<Vec<Relative>, Failure> {
    let folders = world.folders()?;
    let pairs = folders.panel.pairs();
    let answers = ask_all(engine, &pairs);
    let is_answered = |outcome: &&Outcome| matches!(outcome, Outcome::Url(_) | Outcome::Failure(_));
    let answered = answers.iter().filter(is_answered).count();
    let newest = |name: &str| {
        let folder = folders.engines.iter().find(|folder| folder.name == name)?;
        Stepped::of(name, &folder.version(None).ok()?.version).filter(Stepped::resolves)
    };
    let mut relatives = Vec::new();
    for table in tables().iter().filter(|table| like.is_none_or(|like| like == table.engine)) {
        let Some(steps) = newest(table.engine) else { continue };
        let results = ask_all(&steps.engine(), &pairs);
        let is_alike = |(own, other): &(&Outcome, &Outcome)| is_answered(own) && own.url() == other.url();
        let alike = answers.iter().zip(&results).filter(is_alike).count();
        relatives.push(Relative { engine: table.engine, alike, pairs: answered });
    }
    match like {
        Some(like) if relatives.is_empty() => {
            Err(Failure::Usage(format!("{like:?} has no table of steps that resolves")))
        }
        _ if answered == 0 => Ok(Vec::new()),
        _ => {
            relatives.sort_by_key(|relative| std::cmp::Reverse(relative.alike));
            Ok(relatives)
        }
    }
}

/// Returns the text of `lib.rs` with the table of `name` in its list, which is in order; `None` if it has no list.
fn with_table(text: &str, name: &str) -> Option<String> {
    let start = text.find(LIST)? + LIST.len();
    let end = start + text[start..].find("}\n")?;
    let own = format!("    {} \"{name}/steps.rs\"\n", name.replace(['-', '.'], "_"));
    let mut lines: Vec<&str> = text[start..end].split_inclusive('\n').chain([own.as_str()]).collect();
    lines.sort_unstable();
    Some(format!("{}{}{}", &text[..start], lines.concat(), &text[end..]))
}

/// Returns the steps of `relative` as a table of `name`.
fn begun(text: &str, name: &str, first: &str, relative: &str, (alike, pairs): (usize, usize)) -> String {
    let code = text.lines().skip_while(|line| line.starts_with("//!"));
    let code = code.map(|line| match line.trim_start() {
        own if own.starts_with("engine: \"") => format!("    engine: \"{name}\","),
        own if own.starts_with("first: \"") => format!("    first: \"{first}\","),
        _ => line.to_owned(),
    });
    let head = format!(
        "//! {name}: say here which files and versions were read.\n//!\n\
         //! These are the steps of {relative}, which has the result of {name} on {alike} of {pairs} pairs. Replace what {name} does otherwise, \
         with the\n//! labels of its own functions, and call the rows of `crate::{}` that it shares.\n",
        relative.replace(['-', '.'], "_")
    );
    head + &code.map(|line| line + "\n").collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::{begun, with_table};

    #[test]
    fn a_table_is_listed_in_order() {
        let listed = with_table("mod a;\ntables! {\n    b \"b/steps.rs\"\n    d \"d/steps.rs\"\n}\nfn x() {}\n", "c-d");
        assert_eq!(
            listed.as_deref(),
            Some(
                "mod a;\ntables! {\n    b \"b/steps.rs\"\n    c_d \"c-d/steps.rs\"\n    d \"d/steps.rs\"\n}\nfn x() {}\n"
            )
        );
        assert_eq!(with_table("mod a;\n", "c"), None);
    }

    #[test]
    fn a_table_begins_with_the_rows_of_its_relative() {
        let text = "//! Other.\n\nuse x;\n\npub static TABLE: Table = Table {\n    engine: \"other\",\n    first: \"1\",\n};\n";
        let begun = begun(text, "own", "2.0", "other", (9, 10));
        assert!(begun.starts_with("//! own: say here"), "{begun}");
        assert!(begun.ends_with("Table {\n    engine: \"own\",\n    first: \"2.0\",\n};\n"), "{begun}");
    }
}
