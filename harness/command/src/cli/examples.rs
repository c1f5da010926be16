//! The command line as it is shown: two examples of each command, and the options of all commands in one place.

use clap::{Command, CommandFactory};

use super::Arguments;

/// Two examples of each command, by its path.
const EXAMPLES: &[(&str, [&str; 2])] = &[
    ("run", ["run vectors/spec/rfc1808/5.2.yaml", "run --pairs links.tsv -e urllib -r rfc3986"]),
    ("report", ["report", "report --html site --playground"]),
    (
        "explain",
        [
            "explain '///evil.com' --base http://www.victim.com/login -e python",
            "explain '../../g' --base http://a/b/c --as rfc3986",
        ],
    ),
    (
        "hosts",
        ["hosts 'http://127.0.0.1:6666\\@1.1.1.1' -e urllib -e requests", "hosts ///a --base http://b/c --agree"],
    ),
    (
        "resolve",
        ["resolve ../g --base http://a/b/c --as python", "resolve ../g --base http://a/b/c --as rfc3986 --trace"],
    ),
    (
        "links",
        [
            "links site/ --retrieved-from http://a.example/",
            "links --confusing site/ --retrieved-from http://a.example/",
        ],
    ),
    ("parse", ["parse --as rfc3986 http://u@h:80/p?q", "parse --as rfc1738 ftp://h/a;type=d"]),
    ("characters", ["characters '~' '|'", "characters -e urllib -e node-url"]),
    ("validate", ["validate 'http://?p1=v1'", "validate --as rfc3986 'http://a/b c'"]),
    ("engine list", ["engine list", "engine list --format json"]),
    ("engine install", ["engine install urllib@3.13.5 --root engines", "engine install node-url@all --root engines"]),
    ("engine smoke", ["engine smoke 'py=cmd:python3 shim.py'", "engine smoke crate:url"]),
    (
        "engine record",
        ["engine record urllib@3.13.5 --root engines", "engine record requests --connections --root engines"],
    ),
    ("engine fit", ["engine fit boltons --root engines", "engine fit boltons@all --root engines"]),
    (
        "engine import",
        ["engine import lynx-1997@2.7 results.tsv", "engine import chrome-2014@38 results.tsv --out engines"],
    ),
    ("engine check", ["engine check", "engine check urllib --panel-only --root engines"]),
    ("engine diff", ["engine diff urllib@3.11.7 urllib@3.14.10", "engine diff go@1.21.13 go@1.23.9 --op resolve"]),
    ("engine steps", ["engine steps urllib@3.14.10", "engine steps urllib --check live:urllib"]),
    ("engine new", ["engine new boltons --steps", "engine new furl --steps"]),
    ("engine panel", ["engine panel", "engine panel --out panel.tsv"]),
    ("engine urls", ["engine urls", "engine urls --out engines"]),
    ("engine serve", ["engine serve crate:url", "engine serve predicted:urllib"]),
    ("engine observe", ["engine observe python3 shim.py", "engine observe node shim.js"]),
    ("vectors lint", ["vectors lint", "vectors lint vectors/spec"]),
    ("vectors fmt", ["vectors fmt", "vectors fmt vectors/spec/rfc1808/5.2.yaml"]),
    ("vectors witness", ["vectors witness", "vectors witness --out vectors/witness"]),
    (
        "vectors import-wpt",
        [
            "vectors import-wpt --from 'wpt 3be2bc2' whatwg-2026-07=urltestdata.json",
            "vectors import-wpt --from 'wpt 3be2bc2' whatwg-2025-03=old.json whatwg-2026-07=new.json",
        ],
    ),
    ("vectors export", ["vectors export --as wpt -r rfc3986", "vectors export --as jsonl vectors/spec"]),
    ("confuse", ["confuse urllib requests", "confuse urllib requests --allow good.example --format pytest"]),
    ("coverage", ["coverage", "coverage -r rfc1808"]),
    ("compare", ["compare urllib node-url --only host", "compare libcurl rfc3986 --pairs links.tsv"]),
    ("enumerate", ["enumerate --length 3 crate:url whatwg", "enumerate --agree --length 2"]),
    ("profile", ["profile 'py=cmd:python3 shim.py'", "profile boltons --recorded"]),
    ("shrink", ["shrink '../%2e/x' --base http://a/b/c -e crate:url", "shrink ///e --base http://a/b -e urllib"]),
    ("known check", ["known check crate:url", "known check 'py=cmd:python3 shim.py' --known known"]),
    ("known update", ["known update crate:url", "known update 'py=cmd:python3 shim.py' --out known"]),
    ("completions", ["completions bash", "completions zsh"]),
    ("man", ["man --out man", "man --out /usr/local/share/man/man1"]),
];

/// How the help of a command is laid out. It names where the options of all commands are described.
const TEMPLATE: &str = "\
{before-help}{about-with-newline}
{usage-heading} {usage}

{all-args}{after-help}

Options of all commands, such as --root and --color: `urlstrata --help`
";

/// Returns the command line with examples. The options of all commands are described once, in the help of the program.
pub(super) fn command() -> Command {
    let mut command = Arguments::command();
    // Options of all commands are given to each of them here.
    command.build();
    command.mut_subcommands(|command| shown(command, ""))
}

fn shown(command: Command, above: &str) -> Command {
    let path = format!("{above}{}", command.get_name());
    let examples = EXAMPLES.iter().find(|(own, _)| *own == path);
    let command = command.mut_args(|argument| {
        let is_global = argument.is_global_set();
        argument.hide(is_global)
    });
    let command = match examples {
        None => command,
        Some((_, examples)) => {
            let lines: String = examples.iter().map(|example| format!("  urlstrata {example}\n")).collect();
            command.before_help(format!("Examples:\n{}", lines.trim_end())).help_template(TEMPLATE)
        }
    };
    command.mut_subcommands(|command| shown(command, &format!("{path} ")))
}

#[cfg(test)]
mod tests {
    use super::{Arguments, CommandFactory, EXAMPLES, command};

    fn paths(command: &clap::Command, above: &str, found: &mut Vec<String>) {
        for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
            let path = format!("{above}{}", own.get_name());
            if own.get_subcommands().next().is_none() {
                found.push(path.clone());
            }
            paths(own, &format!("{path} "), found);
        }
    }

    #[test]
    fn every_command_has_two_examples_that_it_accepts() {
        let mut all = Vec::new();
        paths(&Arguments::command(), "", &mut all);
        let mut own: Vec<&str> = EXAMPLES.iter().map(|(path, _)| *path).collect();
        own.sort_unstable();
        all.sort_unstable();
        assert_eq!(own, all);
        for (path, examples) in EXAMPLES {
            for example in examples {
                let words = shlex::split(example).expect("words");
                assert!(example.starts_with(path), "{example}");
                let read = command().try_get_matches_from([String::from("urlstrata")].into_iter().chain(words));
                assert!(read.is_ok(), "{example}: {}", read.err().map(|error| error.to_string()).unwrap_or_default());
            }
        }
    }
}
