//! The right-hand side of a production, as data.

use core::fmt;

/// The right-hand side of a production, or a part of it. All characters are ASCII.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Expression {
    /// One of these characters.
    OneOf(&'static str),
    /// These characters, in this order.
    Text(&'static str),
    /// A text that the production with this name matches.
    Name(&'static str),
    /// All of them, in order.
    Seq(&'static [Expression]),
    /// One of them. A match has the first alternative that leads to one.
    Alt(&'static [Expression]),
    /// All of them, in order, or nothing. A match has them if possible.
    Opt(&'static [Expression]),
    /// All of them, in order, repeatedly.
    Repeat {
        /// The minimum number of repetitions.
        least: usize,
        /// The maximum number of repetitions; `None` means that there is no maximum.
        most: Option<usize>,
        /// The number of repetitions in a match.
        repetitions: Repetitions,
        /// The repeated expressions.
        body: &'static [Expression],
    },
}

/// The number of repetitions in a match, if several are possible. The language does not depend on it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Repetitions {
    /// As many as possible.
    Most,
    /// As few as possible.
    Fewest,
}

/// Repeats at least `least` times.
pub(super) const fn many(least: usize, body: &'static [Expression]) -> Expression {
    Expression::Repeat { least, most: None, repetitions: Repetitions::Most, body }
}

/// Repeats any number of times, as few as possible.
pub(super) const fn fewest(body: &'static [Expression]) -> Expression {
    Expression::Repeat { least: 0, most: None, repetitions: Repetitions::Fewest, body }
}

/// Repeats from `least` to `most` times.
pub(super) const fn times(least: usize, most: usize, body: &'static [Expression]) -> Expression {
    Expression::Repeat { least, most: Some(most), repetitions: Repetitions::Most, body }
}

/// Writes an expression in one notation for all specifications: `|` between alternatives, `[ ]` around optional
/// expressions, `*( )` around repeated ones.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(characters) => {
                f.write_str("one of ")?;
                characters.chars().try_for_each(|character| write!(f, "{character}"))
            }
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Name(name) => f.write_str(name),
            Self::Seq(rules) => write_all(f, rules, " "),
            Self::Alt(rules) => write_all(f, rules, " | "),
            Self::Opt(rules) => {
                f.write_str("[ ")?;
                match rules {
                    [one] => write!(f, "{one}")?,
                    _ => write_all(f, rules, " ")?,
                }
                f.write_str(" ]")
            }
            Self::Repeat { least, most, body, .. } => {
                match (least, most) {
                    (0, None) => f.write_str("*")?,
                    (least, None) => write!(f, "{least}*")?,
                    (least, Some(most)) if least == most => write!(f, "{least}")?,
                    (least, Some(most)) => write!(f, "{least}*{most}")?,
                }
                match body {
                    [Self::Name(name)] => f.write_str(name),
                    [one] => write!(f, "( {one} )"),
                    _ => {
                        f.write_str("( ")?;
                        write_all(f, body, " ")?;
                        f.write_str(" )")
                    }
                }
            }
        }
    }
}

fn write_all(f: &mut fmt::Formatter<'_>, rules: &[Expression], between: &str) -> fmt::Result {
    for (index, rule) in rules.iter().enumerate() {
        f.write_str(if index > 0 { between } else { "" })?;
        match rule {
            Expression::Alt(_) | Expression::OneOf(_) => write!(f, "( {rule} )")?,
            Expression::Seq(_) if between != " " => write!(f, "( {rule} )")?,
            _ => write!(f, "{rule}")?,
        }
    }
    Ok(())
}
