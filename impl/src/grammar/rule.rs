//! What stands on the right of a production, as data.

use core::fmt;

/// The right-hand side of a production, or a part of it. All characters are ASCII.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rule {
    /// One of these characters.
    OneOf(&'static str),
    /// These characters, in this order.
    Text(&'static str),
    /// What the production of that name derives.
    Name(&'static str),
    /// One after the other.
    Seq(&'static [Rule]),
    /// One of them; a derivation takes the first that leads to a member.
    Alt(&'static [Rule]),
    /// All of them in order, or nothing; a derivation takes them if it can.
    Opt(&'static [Rule]),
    /// All of them in order, again and again.
    Repeat {
        /// So many times at least.
        least: usize,
        /// And so many at most; `None` is any number.
        most: Option<usize>,
        /// Which number of times a derivation takes.
        taking: Taking,
        /// What is repeated.
        body: &'static [Rule],
    },
}

/// Which of several numbers of repetitions a derivation takes. The language is the same.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Taking {
    /// As many as lead to a member.
    Most,
    /// As few as lead to a member.
    Fewest,
}

/// `least` times or more.
pub(super) const fn many(least: usize, body: &'static [Rule]) -> Rule {
    Rule::Repeat { least, most: None, taking: Taking::Most, body }
}

/// Any number of times, and no more than it must be.
pub(super) const fn fewest(body: &'static [Rule]) -> Rule {
    Rule::Repeat { least: 0, most: None, taking: Taking::Fewest, body }
}

/// From `least` to `most` times.
pub(super) const fn times(least: usize, most: usize, body: &'static [Rule]) -> Rule {
    Rule::Repeat { least, most: Some(most), taking: Taking::Most, body }
}

/// In one notation for all documents: `|` between alternatives, `[ ]` around what may be missing, `*( )` around
/// what is repeated.
impl fmt::Display for Rule {
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

fn write_all(f: &mut fmt::Formatter<'_>, rules: &[Rule], between: &str) -> fmt::Result {
    for (index, rule) in rules.iter().enumerate() {
        f.write_str(if index > 0 { between } else { "" })?;
        match rule {
            Rule::Alt(_) | Rule::OneOf(_) => write!(f, "( {rule} )")?,
            Rule::Seq(_) if between != " " => write!(f, "( {rule} )")?,
            _ => write!(f, "{rule}")?,
        }
    }
    Ok(())
}
