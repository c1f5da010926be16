//! `engine diff`: what changed between two versions of an engine, by cause.

use std::io::Write;

use clap::Args;
use urlstrata_harness::world::World;

use super::steps;
use crate::cli::compare;
use crate::cli::{Ended, Failure, Format, Question};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Version: NAME@VERSION
    #[arg(value_name = "NAME@V1")]
    one: String,
    /// Version to compare with: NAME@VERSION
    #[arg(value_name = "NAME@V2")]
    other: String,
    /// Show up to this many more examples of each cause, smallest first, and then also kinds of statements that only add characters to
    /// another one
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Ask only one question; default: all that both versions answer
    #[arg(long, value_enum)]
    op: Option<Question>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Compares two recorded or installed versions on the panel and on the URLs of statements.
pub(super) fn diff(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let Arguments { one, other, examples, op, format } = arguments;
    let own = |name: &String| -> Result<String, Failure> { Ok(world.unaliased(name)?.unwrap_or_else(|| name.clone())) };
    let (one, other) = (own(one)?, own(other)?);
    if *format == Format::Text {
        steps::write_changes(&one, &other, out)?;
    }
    compare::on_panel(&one, &other, *op, *examples, *format, world, out)
}
