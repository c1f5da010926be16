//! `confuse`: the smallest inputs for which a program that checks URLs and one that fetches them give different hosts.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use urlstrata_harness::engine::locate::{HostAnswer, Statement};
use urlstrata_harness::engine::{Engine, answers};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::attribute::EnginePair;
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::survey::confusion::{
    Confusion, Confusions, Couple, Severity, compare_each_statement, compare_statements, normalized, statement_urls,
};
use urlstrata_harness::survey::urls::{self, TRUSTED, notations};
use urlstrata_harness::world::World;

use super::input::each_chunk;
use super::output::{quoted, write_json};
use super::select::{Fit, an_engine, complete};
use super::{Ended, Failure, Finding, Question, UNANSWERED, working};

mod cases;

#[derive(Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Engine that checks URLs: a name that `engine list` shows, or `cmd:` and a command
    checker: String,
    /// Engine that fetches them
    fetcher: String,
    /// Compare on the pairs of this file: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Compare what the checker states with where the fetcher connects (`connect`), what both state (`parse`), or the hosts of their
    /// results (`resolve`); default: the first one that both answer
    #[arg(long, value_enum)]
    op: Option<Question>,
    /// Show only URLs for which the checker states this host, and the fetcher states or connects to another one
    #[arg(long, value_name = "HOST", conflicts_with = "deny")]
    allow: Option<String>,
    /// Show only URLs for which the fetcher states this IPv4 address or connects to it, and the checker states another text
    #[arg(long, value_name = "ADDRESS")]
    deny: Option<Ipv4Addr>,
    /// Show only inputs for which both give a host, and these differ
    #[arg(long)]
    hosts_only: bool,
    /// Show up to this many causes, worst first; all other formats contain all causes
    #[arg(long, value_name = "N", default_value_t = 20)]
    causes: usize,
    #[command(flatten)]
    fit: Fit,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: CaseFormat,
}

const AFTER: &str = "\
If the checker states components and the fetcher is a client, the question is where the fetcher connects for a URL, and what the checker \
states about it. If both state components, it is what they state: the scheme, host and port. They are asked about some 4,000 URLs that \
follow from rules, and 40,000 more if both state components of every URL. Each kind of difference is shown once, with its \
smallest URL, and with its cause if the steps of both state components.

With --op resolve, or if one of them answers neither, the hosts of their results are compared: on some 130,000 pairs, which are two \
host names with delimiters around them, after several forms of scheme and slashes, spellings of hosts, and random pairs. Each cause is \
shown once, with its smallest input, and causes that only combine others are left out. With --pairs, the inputs are those of the file.

--allow HOST shows the bypasses of a list of allowed hosts: the checker states HOST, and the fetcher another host. The URLs are asked with \
the host ok.example, and printed with HOST. --deny ADDRESS shows those of a list of forbidden addresses: every notation of the address that \
the fetcher maps to it, or to the IPv6 address that contains it, and the checker does not. It asks some 150 notations; a recorded engine without steps answers only those of its recording.

Engines that are recorded and not installed resolve, state components and connect as their steps predict, and resolve as their behaviours \
do; --root uses installed ones.

Pairs of a file that have a base are asked where the result is, and the others what the text states and where a client connects.

The exit code is 0 if they give the same hosts and 1 if not. If they differ on none of the URLs of --pairs or --deny, and one of them did \
not answer all, it is 69; without these options, if nothing was answered by both.";

/// An output format.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum CaseFormat {
    /// Human-readable text
    Text,
    /// JSON
    Json,
    /// A vector file in YAML, with the results of the specifications
    Vectors,
    /// One URL a line, each resolved against no base
    Urls,
    /// A parametrized test for pytest
    Pytest,
    /// A parametrized test for JUnit 5
    Junit,
    /// A table-driven test for Go
    Go,
}

pub(super) fn confuse(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let mut finding = Finding::AsExpected;
    let given = given_pairs(arguments, &mut finding)?;
    let has_base = given.iter().flatten().any(|(base, _)| !base.is_empty());
    let is_about_hosts = arguments.allow.is_some() || arguments.deny.is_some();
    if is_about_hosts && (arguments.op == Some(Question::Resolve) || has_base) {
        return Err(Failure::Usage(
            "--allow and --deny ask what a text states and where a client connects, without a base".to_owned(),
        ));
    }
    if has_base && arguments.op.is_some_and(|op| op != Question::Resolve) {
        return Err(Failure::Usage(
            "the file has pairs with a base, and --op parse and --op connect ask about a text alone".to_owned(),
        ));
    }
    let (plain, based) = match given {
        Some(pairs) if arguments.op.is_none() => {
            let (plain, based): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(base, _)| base.is_empty());
            (Some(plain).filter(|pairs| !pairs.is_empty() || based.is_empty()), based)
        }
        given => (given, Vec::new()),
    };
    // Each pair is asked its own question.
    let is_mixed = plain.is_some() && !based.is_empty();
    let engines = [an_engine(&world, &arguments.checker)?, an_engine(&world, &arguments.fetcher)?];
    let is_client = answers(engines[1].as_ref(), Op::Connect);
    let question = question(arguments, &engines);
    if based.is_empty() && question != Question::Resolve {
        let found = about_urls(arguments, question, &world, &engines, plain)?;
        return ended(finding, &[shown(found, arguments, out)?], arguments);
    }
    if question == Question::Resolve || !is_mixed {
        let pairs = match (plain, based.is_empty()) {
            (plain, true) => plain,
            (plain, false) => Some([plain.unwrap_or_default(), based].concat()),
        };
        let mut found = resolved(pairs, complete(world, engines.into(), &arguments.fit)?);
        if has_base && is_client && arguments.op.is_none() {
            // Where a client goes after a redirect is a question of its own.
            (found.unanswered, found.unanswered_by) = (found.pairs, [0, found.pairs]);
        }
        return ended(finding, &[shown(found, arguments, out)?], arguments);
    }
    let of_text = about_urls(arguments, question, &world, &engines, plain)?;
    let mut of_pairs = resolved(Some(based), complete(world, engines.into(), &arguments.fit)?);
    if is_client {
        (of_pairs.unanswered, of_pairs.unanswered_by) = (of_pairs.pairs, [0, of_pairs.pairs]);
    }
    if arguments.format != CaseFormat::Text {
        return ended(finding, &[shown(of_text.and(of_pairs), arguments, out)?], arguments);
    }
    writeln!(out, "Pairs without a base:")?;
    let of_text = shown(of_text, arguments, out)?;
    writeln!(out, "\nPairs with a base, of which the host of the result is compared:")?;
    ended(finding, &[of_text, shown(of_pairs, arguments, out)?], arguments)
}

/// Returns how the command ends after these comparisons.
fn ended(finding: Finding, all: &[Confusions], arguments: &Arguments) -> Ended {
    let is_promised = arguments.pairs.is_some() || arguments.deny.is_some();
    let is_equal = all.iter().all(|found| found.causes.is_empty());
    // Two that were never compared are not equal.
    let is_silent = all.iter().any(|found| found.pairs > 0 && found.unanswered == found.pairs);
    match finding {
        Finding::AsExpected if !is_equal => Ok(Finding::NewDivergence),
        Finding::AsExpected if is_silent || is_promised && all.iter().any(|found| found.unanswered > 0) => {
            Err(Failure::Engine(UNANSWERED.to_owned()))
        }
        finding => Ok(finding),
    }
}

/// Returns what the engines are asked about texts without a base.
fn question(arguments: &Arguments, engines: &[Box<dyn Engine>; 2]) -> Question {
    let is_about_hosts = arguments.allow.is_some() || arguments.deny.is_some();
    match (arguments.op, engines[0].states()) {
        (Some(op), _) => op,
        (None, true) if engines[1].visits(Op::Connect) => Question::Connect,
        (None, true) if engines[1].states() || is_about_hosts => Question::Parse,
        (None, _) if is_about_hosts => Question::Parse,
        (None, _) => Question::Resolve,
    }
}

/// Compares what the engines answer about `given`, or about the URLs of the search.
fn about_urls(
    arguments: &Arguments,
    question: Question,
    world: &World,
    engines: &[Box<dyn Engine>; 2],
    given: Option<Vec<(String, String)>>,
) -> Result<Confusions, Failure> {
    if question == Question::Follow {
        return Err(Failure::Usage("confuse does not compare redirects: `compare --op follow` does".to_owned()));
    }
    let [checker, fetcher] = engines.each_ref().map(AsRef::as_ref);
    let silent = [(checker, Op::Parse), (fetcher, question.op())];
    let silent = silent.into_iter().filter(|(engine, op)| !answers(*engine, *op));
    let silent: Vec<_> =
        silent.map(|(engine, op)| format!("{} does not answer {}", engine.name(), op.name())).collect();
    if !silent.is_empty() {
        let remedy = "--op resolve compares results";
        return Err(Failure::Engine(format!("{}, and nothing is recorded: {remedy}", silent.join(" and "))));
    }
    let given = given.map(|pairs| pairs.into_iter().map(|(_, url)| url).collect());
    let spinner = working("comparing answers");
    let steps = [checker, fetcher].map(|engine| world.steps_of(engine));
    let found = stated(arguments, question.op(), [checker, fetcher], given).explained(steps);
    spinner.finish_and_clear();
    Ok(found)
}

/// Writes what differs, and returns it.
fn shown(mut found: Confusions, arguments: &Arguments, out: &mut dyn Write) -> io::Result<Confusions> {
    if arguments.hosts_only {
        found.causes.retain(|it| it.severity <= Severity::Delimited);
    }
    match arguments.format {
        CaseFormat::Text => write(&found, arguments, out)?,
        CaseFormat::Json => write_json(&found, out)?,
        CaseFormat::Vectors => write!(out, "{}", cases::vectors(&found).canonical())?,
        CaseFormat::Urls => cases::write_urls(&found, out)?,
        CaseFormat::Pytest => cases::write_pytest(&found, arguments.allow.is_some(), out)?,
        CaseFormat::Junit => cases::write_junit(&found, arguments.allow.is_some(), out)?,
        CaseFormat::Go => cases::write_go(&found, arguments.allow.is_some(), out)?,
    }
    Ok(found)
}

/// Returns the pairs of `--pairs`.
fn given_pairs(arguments: &Arguments, finding: &mut Finding) -> Result<Option<Vec<(String, String)>>, Failure> {
    let Some(path) = &arguments.pairs else { return Ok(None) };
    let mut pairs = Vec::new();
    each_chunk(path, false, finding, |chunk| {
        pairs.extend(chunk.into_iter().map(|pair| (pair.base, pair.reference)));
        Ok(())
    })?;
    Ok(Some(pairs))
}

/// Compares the statements of two engines about the URLs that were given, or about those that the arguments select. If `op` is
/// [`Op::Connect`], the second one is asked where it connects.
fn stated(
    arguments: &Arguments,
    op: Op,
    [checker, fetcher]: [&dyn Engine; 2],
    given: Option<Vec<String>>,
) -> Confusions {
    let urls_of = || match op {
        Op::Connect => urls::panel().urls().to_vec(),
        _ => statement_urls(checker, fetcher),
    };
    let host = |statement: &Statement| statement.location.as_ref().and_then(|it| it.in_one_notation().host);
    if let Some(allowed) = &arguments.allow {
        let is_host = |found: Option<String>, wanted: &str| found.is_some_and(|host| host == wanted);
        let passes = |checked: &Statement, fetched: &Statement| {
            let trusted = if given.is_some() { allowed } else { TRUSTED };
            is_host(host(checked), trusted)
                && host(fetched).is_some_and(|it| !it.is_empty() && normalized(&it) != trusted)
        };
        let mut found = match &given {
            Some(urls) => compare_statements(op, checker, fetcher, urls, &passes),
            None => compare_statements(op, checker, fetcher, &urls_of(), &passes),
        };
        if given.is_none() {
            // A URL without the name has another spelling of it.
            found.causes.retain(|cause| cause.reference.contains(TRUSTED));
            found.rename(TRUSTED, allowed);
        }
        return found;
    }
    if let Some(address) = arguments.deny {
        let denied = address.to_string();
        let mapped = normalized(&format!("[::ffff:{denied}]"));
        let reaches = |statement: &Statement| {
            host(statement).map(|host| normalized(&host)).is_some_and(|host| host == denied || host == mapped)
        };
        let passes = |checked: &Statement, fetched: &Statement| {
            checked.location.is_some() && host(checked).as_ref() != Some(&denied) && reaches(fetched)
        };
        let urls = given.unwrap_or_else(|| notations(address));
        return compare_each_statement(op, checker, fetcher, &urls, &passes);
    }
    let urls = given.unwrap_or_else(urls_of);
    compare_statements(op, checker, fetcher, &urls, &|_, _| true)
}

/// Compares the results of the two engines of `world`. Pairs that were given are not shrunk: the answer is about them.
fn resolved(given: Option<Vec<(String, String)>>, world: World) -> Confusions {
    let models = world.models();
    let engine_pair = EnginePair::new(models[0].clone(), models[1].clone());
    let couple = Couple::new(world.engines[0].as_ref(), world.engines[1].as_ref(), engine_pair);
    let shrinks = given.is_none();
    let spinner = working("comparing hosts");
    let found = couple.compare(&given.unwrap_or_else(|| couple.pairs()), shrinks);
    spinner.finish_and_clear();
    found
}

fn write(found: &Confusions, arguments: &Arguments, out: &mut dyn Write) -> io::Result<()> {
    let Confusions { causes, .. } = found;
    let mut severity = None;
    for cause in causes.iter().take(arguments.causes) {
        if severity.replace(cause.severity) != Some(cause.severity) {
            writeln!(out, "\n{}", heading(cause.severity))?;
        }
        write_cause(cause, found, out)?;
    }
    if causes.len() > arguments.causes {
        let hidden = counted(causes.len() - arguments.causes, "more cause is", "more causes are");
        writeln!(out, "\n… {hidden} not shown: --causes {} shows all", causes.len())?;
    }
    let differ: Vec<_> =
        found.differ.iter().map(|(severity, count)| format!("{count} {}", severity.phrase())).collect();
    let differ = match (differ.is_empty(), found.unanswered) {
        (true, 0) if arguments.allow.is_some() || arguments.deny.is_some() => "no bypass of the list".to_owned(),
        (true, 0) => "no difference".to_owned(),
        (true, unanswered) if unanswered == found.pairs => "nothing to compare".to_owned(),
        (true, _) => "no difference in the others".to_owned(),
        (false, _) => differ.join(", "),
    };
    let unanswered = match found.unanswered {
        0 => String::new(),
        // A client resolves, and where it goes after a redirect is another question.
        unanswered if unanswered == found.pairs && !causes.is_empty() => {
            format!(" by what they resolve to, and {} was not asked where it goes after a redirect", found.fetcher)
        }
        unanswered => format!(", {unanswered} not answered by {}", silent(found)),
    };
    if !causes.is_empty() {
        writeln!(
            out,
            "\nThe two follow different conventions, and both are in use. To be safe, give the fetcher the URL that the"
        )?;
        writeln!(out, "checker has parsed, not the original one, or reject URLs on which the two disagree:")?;
        writeln!(out, "urlstrata hosts --agree -e {} -e {}", arguments.checker, arguments.fetcher)?;
    }
    let combined = match found.combined {
        0 => String::new(),
        combined => format!("; {} of these left out", counted(combined, "combination", "combinations")),
    };
    let predicted = match causes.iter().filter(|it| it.is_predicted).count() {
        0 => String::new(),
        predicted => format!(", {predicted} of them predicted and not observed: --root asks installed engines"),
    };
    let is_resolved = found.op == Op::Resolve.name();
    let count = match is_resolved {
        false => counted(causes.len(), "kind", "kinds"),
        true => counted(causes.len(), "cause", "causes"),
    };
    let pairs = match is_resolved {
        false => counted(found.pairs, "URL", "URLs"),
        true => counted(found.pairs, "pair", "pairs"),
    };
    writeln!(
        out,
        "\n{} checks, {} fetches: {pairs}{unanswered}: {differ}; {count}{predicted}{combined}",
        found.checker, found.fetcher
    )
}

/// Returns the names of the engines that did not answer; if these are both, with the numbers of pairs.
fn silent(found: &Confusions) -> String {
    let [checker, fetcher] = [&found.checker, &found.fetcher];
    match found.unanswered_by {
        [_, 0] => checker.clone(),
        [0, _] => fetcher.clone(),
        [of_checker, of_fetcher] => format!("{checker} ({of_checker}) or {fetcher} ({of_fetcher})"),
    }
}

fn heading(severity: Severity) -> &'static str {
    match severity {
        Severity::Hosts => "Both give a host, and these differ:",
        Severity::Address => "One IPv4 address in two notations, which a list of forbidden addresses does not find:",
        Severity::Scheme => "Only one of the schemes runs code or reads a file:",
        Severity::Credentials => "The fetcher sends credentials, and the checker states none:",
        Severity::Delimited => {
            "Both give a host, these differ, and one of them contains a delimiter, so that a check of its end is passed:"
        }
        Severity::OneHost => "Only one of them gives a host:",
        Severity::Spelling => "The same host in two spellings:",
        Severity::Ports => "The same host, with different schemes or ports:",
        Severity::Accepted => "Only one of them accepts the URL:",
    }
}

fn write_cause(cause: &Confusion, found: &Confusions, out: &mut dyn Write) -> io::Result<()> {
    let on = if cause.base.is_empty() { String::new() } else { format!(" on {}", quoted(&cause.base)) };
    let predicted = if cause.is_predicted { "   (predicted)" } else { "" };
    writeln!(out, "\n  {}{on}{predicted}", quoted(&cause.reference))?;
    let sides = [(&found.checker, &cause.checker), (&found.fetcher, &cause.fetcher)];
    let width = sides.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, answer) in sides {
        let (location, instead) = answer.location();
        let without = || instead.unwrap_or("no host").to_owned();
        let location = location.map_or_else(without, |location| match (answer, location.columns()) {
            // A connection has no scheme.
            (HostAnswer::Connected(_), [_, host, port]) => format!("connects to {host} {port}"),
            (_, columns) => columns.join(" "),
        });
        let url = match answer {
            HostAnswer::Resolved(sight) => {
                sight.outcome.url().map_or(String::new(), |url| format!("   {}", visible(url)))
            }
            HostAnswer::Stated(_) => String::new(),
            HostAnswer::Connected(visit) => match visit.sends(Op::Connect) {
                sends if sends.is_empty() => String::new(),
                sends => format!("   {}", sends.join(", ")),
            },
        };
        writeln!(out, "    {name:<width$}   {location}{url}")?;
    }
    match cause.notes.as_slice() {
        // Two answers show that two libraries differ, not why.
        [] if found.op != Op::Resolve.name() => Ok(()),
        [] => writeln!(out, "      {}", cause.cause),
        notes => notes.iter().try_for_each(|note| out.write_all(note.lines(&found.fetcher, &found.checker).as_bytes())),
    }
}
