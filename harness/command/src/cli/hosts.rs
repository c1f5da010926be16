//! `hosts`: the scheme, host and port that specifications and engines state for a URL, and where clients connect.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::Args;
use urlstrata_harness::explain::hosts::HostFinder;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::layout::Layout;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

use super::input::each_line;
use super::select::{a_specification, engines_or, with_recorded};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// URL or reference; may be repeated; without one, the lines of standard input
    url: Vec<String>,
    /// Base; the default, an empty string, is an unknown base
    #[arg(long, default_value = "")]
    base: String,
    /// Engine to ask; may be repeated; default: the specifications, the crates in this process and all recorded engines
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Specification to ask: a revision, or whatwg; may be repeated; default: all, but none if an engine is given
    #[arg(short, long, value_name = "REVISION", value_parser = a_specification)]
    revision: Vec<Specification>,
    /// Exit with code 1 if they give different schemes, hosts or ports for a URL, or only some of them reject it, and with code 69 if
    /// one of them does not answer
    #[arg(long)]
    agree: bool,
    /// Name all engines of a group; default: the best known ones, and the number of the others
    #[arg(long)]
    all: bool,
    /// Output format; JSON is an array, also for one URL
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

const AFTER: &str = "\
Without --base, the question is what the text states: each specification, and each engine whose library splits URLs, gives the \
scheme, host and port of its own components. An engine that only resolves is listed apart, with the host of the URL that it \
returns. A client is asked where it connects, which is observed: the host, the port, and what it sends. With --base, the question is what \
the reference resolves to, and where a client goes if the response to the base redirects to it. An answer to one question is never taken \
for another. Engines that require a base resolve the URL against http://base.invalid/.

--agree compares hosts in one notation: lower case, labels in Punycode, IPv6 addresses in their shortest form. Numbers that are other \
notations of an IPv4 address, percent-encoded characters, and characters that UTS #46 maps to others are different hosts, because a list of \
hosts would not find them. A client \
agrees with a statement if it connects to this host and port.

A program that checks URLs before another one fetches them can reject those on which the two disagree: \
urlstrata hosts --agree -e CHECKER -e FETCHER";

pub(super) fn hosts(arguments: &Arguments, layout: Layout, world: World, out: &mut dyn Write) -> Ended {
    let mut finding = Finding::AsExpected;
    let engines =
        engines_or(&world, &arguments.engines, |engine| engine.revision().is_none() && !engine.is_optional())?;
    let mut world = world.with_engines(engines);
    let mut specifications = arguments.revision.clone();
    if arguments.engines.is_empty() {
        world = with_recorded(world, &mut finding)?;
        // A library that only splits URLs has nothing to say about a base, and a client goes where the base redirects to.
        let without_results = world.engines_without_results()?;
        world
            .others
            .extend(without_results.into_iter().filter(|it| arguments.base.is_empty() || it.visits(Op::Follow)));
        world.others.sort_by(|one, other| one.name().cmp(other.name()));
        if specifications.is_empty() {
            specifications = Specification::all();
        }
    }
    let finder = HostFinder::new(&world, specifications);
    let (mut differ, mut asked) = (false, 0);
    let mut unanswered = BTreeSet::new();
    // Each element of the JSON array is written as soon as it is computed.
    let mut separator = "[";
    let mut each = |url: &str| {
        let hosts = finder.find(&arguments.base, url);
        differ |= !hosts.agree();
        asked += 1;
        unanswered.extend(hosts.unanswered());
        match arguments.format {
            Format::Text => write!(out, "{}", hosts.text(layout, arguments.all || !arguments.engines.is_empty()))?,
            Format::Json => {
                writeln!(out, "{}", std::mem::replace(&mut separator, ","))?;
                serde_json::to_writer(&mut *out, &hosts).map_err(io::Error::from)?;
            }
        }
        Ok(())
    };
    if arguments.url.is_empty() {
        each_line(io::stdin().lock(), "standard input", &mut each, &mut finding)?;
    } else {
        arguments.url.iter().try_for_each(|url| each(url))?;
    }
    if arguments.format == Format::Json {
        writeln!(out, "{}]", if separator == "[" { "[" } else { "\n" })?;
    }
    match finding {
        // Nothing was compared, so that nothing agrees.
        Finding::AsExpected if arguments.agree && asked == 0 => {
            Err(Failure::Engine("no URL on standard input, so that nothing was compared: give one a line".to_owned()))
        }
        Finding::AsExpected if arguments.agree && differ => Ok(Finding::NewDivergence),
        // Who did not answer does not agree.
        Finding::AsExpected if arguments.agree && !unanswered.is_empty() => {
            let names: Vec<String> = unanswered.into_iter().collect();
            Err(Failure::Engine(format!("no answer, so that they cannot be said to agree: {}", names.join(", "))))
        }
        finding => Ok(finding),
    }
}
