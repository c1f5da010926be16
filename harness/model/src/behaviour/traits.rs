//! The traits of a behaviour: its parameters with their values, one at a time.

use std::collections::BTreeSet;

use super::table::{BEYOND, Component, ENTRIES, Escape, Literal};
use super::{Behaviour, Class, Form, ROW, SYNTAX};

/// The schemes whose classes are compared. `foo` represents schemes that are not listed.
const SCHEMES: [&str; 4] = ["http", "file", "gopher", "foo"];

/// A parameter with the value that a behaviour has.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Trait {
    /// The class of schemes, and the form of pairs or the character.
    place: String,
    /// The name of the setting, or of the table.
    pub parameter: String,
    /// The value.
    pub value: String,
}

impl Trait {
    /// Returns the name: `excess=Kept`, `characters of the path`.
    pub fn name(&self) -> String {
        match self.parameter.starts_with("characters") {
            true => self.parameter.clone(),
            false => format!("{}={}", self.parameter, self.value),
        }
    }
}

/// What kind of parameter differs.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    General,
    Setting,
    Character,
    /// The behaviour rejects a character.
    Rejected,
}

/// Returns the traits of `own` that `other` does not have.
pub fn traits_unlike(own: &Behaviour, other: &Behaviour) -> BTreeSet<Trait> {
    let mut found = BTreeSet::new();
    each_unlike(own, other, &mut |_, of| {
        found.insert(of());
    });
    found
}

/// Returns how far a behaviour is from that of a specification, in no unit: the sum over all parameters of the share of
/// classes, forms and characters in which they have different values. Each setting and each table counts as much as any
/// other. Characters that the behaviour rejects are not counted: specifications other than the URL Standard leave the
/// treatment of characters that they do not allow to the parser.
pub fn distance(behaviour: &Behaviour, specification: &Behaviour) -> u64 {
    // Shares are in parts of a million.
    const SETTING: u64 = 1_000_000 / (Form::ALL.len() * (SCHEMES.len() + 2)) as u64;
    const CHARACTER: u64 = 1_000_000 / ((ENTRIES + 129 + 1) * (SCHEMES.len() + 2)) as u64;
    let mut sum = 0;
    each_unlike(behaviour, specification, &mut |kind, _| {
        sum += match kind {
            Kind::General | Kind::Setting => SETTING,
            Kind::Character => CHARACTER,
            Kind::Rejected => 0,
        };
    });
    sum
}

/// Takes the kind of a parameter that differs, and a function that returns the trait.
type Visit<'a> = &'a mut dyn FnMut(Kind, &dyn Fn() -> Trait);

/// Calls `visit` for each trait of `own` that `other` does not have.
fn each_unlike(own: &Behaviour, other: &Behaviour, visit: Visit<'_>) {
    for setting in SYNTAX {
        let [index, theirs] = [own, other].map(|behaviour| setting.index(&behaviour.syntax));
        if index != theirs {
            visit(Kind::General, &|| Trait {
                place: String::new(),
                parameter: setting.name.to_owned(),
                value: setting.values[index].name.to_owned(),
            });
        }
    }
    let cleaning = [("references", &own.reference, &other.reference), ("bases", &own.base, &other.base)].into_iter();
    for (of, own, _) in cleaning.filter(|(_, own, other)| own != other) {
        visit(Kind::General, &|| Trait {
            place: String::new(),
            parameter: format!("characters removed from {of}"),
            value: format!("{own:?}"),
        });
    }
    let of_scheme = |scheme: &'static str| (scheme, own.class_of(scheme), other.class_of(scheme));
    let without = [("no scheme", own.relative, other.relative), ("no base", own.unknown, other.unknown)];
    for (name, class, theirs) in SCHEMES.into_iter().map(of_scheme).chain(without) {
        let [class, theirs] = [&own.classes[class], &other.classes[theirs]];
        settings_unlike(name, class, theirs, visit);
        tables_unlike(name, class, theirs, visit);
    }
}

fn settings_unlike(name: &str, own: &Class, other: &Class, visit: Visit<'_>) {
    for form in Form::ALL {
        let [row, theirs] = [own, other].map(|class| &class.rows[form as usize]);
        for setting in ROW.iter().filter(|setting| setting.index(row) != setting.index(theirs)) {
            visit(Kind::Setting, &|| Trait {
                place: format!("{name} {form:?}"),
                parameter: setting.name.to_owned(),
                value: setting.values[setting.index(row)].name.to_owned(),
            });
        }
    }
}

fn tables_unlike(name: &str, own: &Class, other: &Class, visit: Visit<'_>) {
    for component in Component::ALL {
        let [table, theirs] = [own, other].map(|class| class.reference.of(component));
        let of = |place: &str, value: String| Trait {
            place: format!("{name} {place}"),
            parameter: format!("characters of the {}", component.name()),
            value,
        };
        let literals = table.actions.literal.iter().zip(&theirs.actions.literal).enumerate();
        for (entry, (literal, _)) in literals.filter(|(_, (own, other))| own != other) {
            let c = if entry < 128 { char::from(entry as u8) } else { BEYOND[entry - 128] };
            let kind = if *literal == Literal::Rejected { Kind::Rejected } else { Kind::Character };
            visit(kind, &|| of(&format!("{c:?}"), format!("{literal:?}")));
        }
        let escapes = table.actions.escape.iter().zip(&theirs.actions.escape).enumerate();
        for (entry, (escape, _)) in escapes.filter(|(_, (own, other))| own != other) {
            let kind = if *escape == Escape::Rejected { Kind::Rejected } else { Kind::Character };
            visit(kind, &|| of(&format!("%{entry:02X}"), format!("{escape:?}")));
        }
        if table.percent != theirs.percent {
            visit(Kind::Rejected, &|| of("%", format!("{:?}", table.percent)));
        }
        if table.bytes != theirs.bytes {
            visit(Kind::Character, &|| of("bytes", format!("{:?}", table.bytes)));
        }
    }
}
