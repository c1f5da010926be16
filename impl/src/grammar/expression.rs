//! What stands on the right of a production, as data.

use core::fmt;

/// The right-hand side of a production, or a part of it. All characters are ASCII.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Expression {
    /// One of these characters.
    OneOf(&'static str),
    /// These characters, in this order.
    Text(&'static str),
    /// What the production of that name derives.
    Name(&'static str),
    /// One after the other.
    Seq(&'static [Expression]),
    /// One of them; a derivation takes the first that leads to a member.
    Alt(&'static [Expression]),
    /// All of them in order, or nothing; a derivation takes them if it can.
    Opt(&'static [Expression]),
    /// All of them in order, again and again.
    Repeat {
        /// So many times at least.
        least: usize,
        /// And so many at most; `None` is any number.
        most: Option<usize>,
        /// Which number of times a derivation takes.
        repetitions: Repetitions,
        /// What is repeated.
        body: &'static [Expression],
    },
}

/// Which of several numbers of repetitions a derivation takes. The language is the same.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Repetitions {
    /// As many as lead to a member.
    Most,
    /// As few as lead to a member.
    Fewest,
}

/// `least` times or more.
pub(super) const fn many(least: usize, body: &'static [Expression]) -> Expression {
    Expression::Repeat { least, most: None, repetitions: Repetitions::Most, body }
}

/// Any number of times, and no more than it must be.
pub(super) const fn fewest(body: &'static [Expression]) -> Expression {
    Expression::Repeat { least: 0, most: None, repetitions: Repetitions::Fewest, body }
}

/// From `least` to `most` times.
pub(super) const fn times(least: usize, most: usize, body: &'static [Expression]) -> Expression {
    Expression::Repeat { least, most: Some(most), repetitions: Repetitions::Most, body }
}

/// In one notation for all documents: `|` between alternatives, `[ ]` around what may be missing, `*( )` around
/// what is repeated.
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
