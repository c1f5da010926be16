//! Behaviours as files.
//!
//! A file states what differs from the behaviour of RFC 3986 without tables: settings with another value, and what the
//! tables do with characters that they do not keep.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use urlstrata::revision::rfc3986;

use super::{
    Actions, BEYOND, Behaviour, Bytes, Class, Cleaning, Component, ENTRIES, Escape, Form, Literal, Percent, ROW, Row,
    SYNTAX, Setting, Syntax, Table, Tables,
};

/// A behaviour in the form of a file.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StatedBehaviour {
    /// What is removed from references.
    #[serde(default, skip_serializing_if = "StatedCleaning::is_empty")]
    reference: StatedCleaning,
    /// What is removed from bases.
    #[serde(default, skip_serializing_if = "StatedCleaning::is_empty")]
    base: StatedCleaning,
    /// The settings of the syntax, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    syntax: BTreeMap<String, String>,
    classes: Vec<StatedClass>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct StatedCleaning {
    start: String,
    end: String,
    everywhere: String,
    rejected: String,
}

impl StatedCleaning {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct StatedClass {
    /// Schemes, or one of [`OTHER`], [`RELATIVE`] and [`UNKNOWN`].
    schemes: Vec<String>,
    rows: Vec<StatedRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tables: Vec<StatedTable>,
    /// The tables of bases, if they are not those of references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_tables: Option<Vec<StatedTable>>,
}

/// The class of schemes that no class lists. These names are those of the files; a description has words instead.
const OTHER: &str = "(other)";
/// The class of bases without a scheme.
const RELATIVE: &str = "(no scheme)";
/// The class of unknown bases.
const UNKNOWN: &str = "(no base)";

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct StatedRow {
    forms: Vec<Form>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<String, String>,
}

/// The table of several components.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct StatedTable {
    components: Vec<Component>,
    #[serde(flatten)]
    actions: StatedActions,
    #[serde(default = "kept", skip_serializing_if = "is_kept")]
    percent: Percent,
    #[serde(default, skip_serializing_if = "is_like_others")]
    bytes: Bytes,
    /// The actions for the whole component if a character is percent-encoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    anew: Option<StatedActions>,
}

fn kept() -> Percent {
    Percent::Kept
}

fn is_like_others(bytes: &Bytes) -> bool {
    *bytes == Bytes::LikeOthers
}

fn is_kept(percent: &Percent) -> bool {
    *percent == Percent::Kept
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct StatedActions {
    /// The characters of each action.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    literals: BTreeMap<String, String>,
    /// The percent-encoded characters of each action. `é` represents all bytes outside ASCII.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    escapes: BTreeMap<String, String>,
}

impl StatedActions {
    fn of(actions: &Actions) -> Self {
        let mut stated = Self::default();
        for (entry, literal) in actions.literal.iter().enumerate().filter(|(_, literal)| **literal != Literal::Kept) {
            stated.literals.entry(literal_name(*literal)).or_default().push(character(entry));
        }
        for (byte, escape) in actions.escape.iter().enumerate().filter(|(_, escape)| **escape != Escape::Kept) {
            let c = if byte < 128 { char::from(byte as u8) } else { 'é' };
            stated.escapes.entry(format!("{escape:?}")).or_default().push(c);
        }
        stated
    }

    fn actions(&self) -> Result<Actions, String> {
        let mut actions = Actions::default();
        for (name, characters) in &self.literals {
            let literal = literal_named(name).ok_or_else(|| format!("unknown action {name:?}"))?;
            characters.chars().for_each(|c| actions.literal[super::index(c)] = literal);
        }
        for (name, characters) in &self.escapes {
            let escape = ESCAPES.iter().find(|escape| format!("{escape:?}") == *name);
            let escape = *escape.ok_or_else(|| format!("unknown action {name:?}"))?;
            characters.chars().for_each(|c| actions.escape[(c as usize).min(128)] = escape);
        }
        Ok(actions)
    }
}

/// Returns the character that represents an entry of a table.
fn character(entry: usize) -> char {
    debug_assert!(entry < ENTRIES);
    if entry < 128 { char::from(entry as u8) } else { BEYOND[entry - 128] }
}

const LITERALS: [Literal; 11] = [
    Literal::Kept,
    Literal::Encoded,
    Literal::EncodedLower,
    Literal::Dropped,
    Literal::Lowered,
    Literal::Rejected,
    Literal::Ends,
    Literal::EncodedTwice,
    Literal::EncodedSpace,
    Literal::EncodedAndReplaced,
    Literal::EncodedAndReplacedTwice,
];

const ESCAPES: [Escape; 8] = [
    Escape::Kept,
    Escape::Upper,
    Escape::Lower,
    Escape::Decoded,
    Escape::DecodedLower,
    Escape::Plus,
    Escape::Encoded,
    Escape::Rejected,
];

fn literal_name(literal: Literal) -> String {
    match literal {
        Literal::Written(c) => format!("Written {c}"),
        other => format!("{other:?}"),
    }
}

fn literal_named(name: &str) -> Option<Literal> {
    if let Some(written) = name.strip_prefix("Written ") {
        return written.chars().next().map(Literal::Written);
    }
    LITERALS.into_iter().find(|literal| format!("{literal:?}") == name)
}

impl From<&Cleaning> for StatedCleaning {
    fn from(cleaning: &Cleaning) -> Self {
        let [start, end, everywhere, rejected] =
            [&cleaning.start, &cleaning.end, &cleaning.everywhere, &cleaning.rejected].map(|it| it.iter().collect());
        Self { start, end, everywhere, rejected }
    }
}

impl From<&StatedCleaning> for Cleaning {
    fn from(stated: &StatedCleaning) -> Self {
        let [start, end, everywhere, rejected] =
            [&stated.start, &stated.end, &stated.everywhere, &stated.rejected].map(|it| it.chars().collect());
        Self { start, end, everywhere, rejected }
    }
}

/// Returns the settings in which `of` differs from `from`.
fn settings<T>(all: &[Setting<T>], of: &T, from: &T) -> BTreeMap<String, String> {
    let differing = all.iter().filter(|setting| setting.index(of) != setting.index(from));
    differing.map(|setting| (setting.name.to_owned(), setting.value(of).name.to_owned())).collect()
}

fn assign<T>(all: &[Setting<T>], stated: &BTreeMap<String, String>, to: &mut T) -> Result<(), String> {
    for (name, value) in stated {
        let setting = all.iter().find(|it| it.name == name).ok_or_else(|| format!("unknown setting {name:?}"))?;
        let index = setting.value_named(value).ok_or_else(|| format!("{name} does not have the value {value:?}"))?;
        setting.assign(to, index);
    }
    Ok(())
}

fn stated_tables(tables: &Tables) -> Vec<StatedTable> {
    let mut stated: Vec<StatedTable> = Vec::new();
    for component in Component::ALL {
        let table = tables.of(component);
        if *table == Table::default() {
            continue;
        }
        let own = StatedTable {
            components: vec![component],
            actions: StatedActions::of(&table.actions),
            percent: table.percent,
            bytes: table.bytes,
            anew: table.anew.as_deref().map(StatedActions::of),
        };
        let same = |other: &&mut StatedTable| {
            (&other.actions, other.percent, other.bytes, &other.anew)
                == (&own.actions, own.percent, own.bytes, &own.anew)
        };
        match stated.iter_mut().find(same) {
            Some(other) => other.components.push(component),
            None => stated.push(own),
        }
    }
    stated
}

fn tables(stated: &[StatedTable]) -> Result<Tables, String> {
    let mut tables = Tables::default();
    for own in stated {
        let anew = own.anew.as_ref().map(StatedActions::actions).transpose()?.map(Arc::new);
        let table = Table { actions: own.actions.actions()?.into(), percent: own.percent, bytes: own.bytes, anew };
        own.components.iter().for_each(|component| tables.0[*component as usize] = table.clone());
    }
    Ok(tables)
}

impl From<&Behaviour> for StatedBehaviour {
    fn from(behaviour: &Behaviour) -> Self {
        let classes = behaviour.classes.iter().enumerate().map(|(index, class)| {
            let mut rows: Vec<(Row, Vec<Form>)> = Vec::new();
            for form in Form::ALL {
                let row = class.rows[form as usize];
                match rows.iter_mut().find(|(own, _)| *own == row) {
                    Some((_, forms)) => forms.push(form),
                    None => rows.push((row, vec![form])),
                }
            }
            let from = Row::of(&rfc3986::RULES);
            let rows = rows.into_iter().map(|(row, forms)| StatedRow { forms, settings: settings(ROW, &row, &from) });
            StatedClass {
                schemes: behaviour.schemes_of(index),
                rows: rows.collect(),
                tables: stated_tables(&class.reference),
                base_tables: (class.base != class.reference).then(|| stated_tables(&class.base)),
            }
        });
        Self {
            reference: (&behaviour.reference).into(),
            base: (&behaviour.base).into(),
            syntax: settings(SYNTAX, &behaviour.syntax, &Syntax::of(&rfc3986::RULES)),
            classes: classes.collect(),
        }
    }
}

impl Behaviour {
    /// Returns the schemes of the class at `index`, or a description of the class in parentheses.
    pub fn schemes_of(&self, index: usize) -> Vec<String> {
        match index {
            _ if index == self.other => vec![OTHER.to_owned()],
            _ if index == self.relative => vec![RELATIVE.to_owned()],
            _ if index == self.unknown => vec![UNKNOWN.to_owned()],
            _ => self.schemes.iter().filter(|(_, class)| **class == index).map(|(scheme, _)| scheme.clone()).collect(),
        }
    }
}

impl TryFrom<&StatedBehaviour> for Behaviour {
    type Error = String;

    /// # Errors
    ///
    /// Returns a sentence if a setting, a value or an action is unknown, or if a class is missing.
    fn try_from(stated: &StatedBehaviour) -> Result<Self, String> {
        let mut behaviour = Self::of_rules(&rfc3986::RULES);
        behaviour.reference = (&stated.reference).into();
        behaviour.base = (&stated.base).into();
        assign(SYNTAX, &stated.syntax, &mut behaviour.syntax)?;
        behaviour.classes.clear();
        let mut special: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, class) in stated.classes.iter().enumerate() {
            let mut rows = [Row::of(&rfc3986::RULES); Form::ALL.len()];
            for row in &class.rows {
                for form in &row.forms {
                    assign(ROW, &row.settings, &mut rows[*form as usize])?;
                }
            }
            if !class.rows.iter().any(|row| row.forms.contains(&Form::Alone)) {
                rows[Form::Alone as usize] = rows[Form::Absolute as usize];
            }
            let reference = tables(&class.tables)?;
            let base = class.base_tables.as_deref().map_or_else(|| Ok(reference.clone()), tables)?;
            behaviour.classes.push(Class { rows, reference, base });
            for scheme in &class.schemes {
                match scheme.starts_with('(') {
                    true => drop(special.insert(scheme, index)),
                    false => drop(behaviour.schemes.insert(scheme.clone(), index)),
                }
            }
        }
        for (name, place) in
            [(OTHER, &mut behaviour.other), (RELATIVE, &mut behaviour.relative), (UNKNOWN, &mut behaviour.unknown)]
        {
            *place = *special.get(name).ok_or_else(|| format!("there is no class {name:?}"))?;
        }
        Ok(behaviour)
    }
}
