//! Differences between two behaviours, and what each of these does.

use super::words::Acting;
use super::{Part, entries};
use crate::behaviour::table::index;
use crate::behaviour::{Behaviour, Form, ROW, SYNTAX};

/// A difference between two behaviours.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Difference {
    /// The name: that of the setting with its value, or that of the component.
    pub name: String,
    /// The question that both behaviours answer differently.
    pub question: String,
    /// What the first behaviour does.
    pub from: Sentence,
    /// What the second behaviour does.
    pub to: Sentence,
    pub(super) part: Part,
    /// The characters that a difference of tables is about.
    pub(super) acting: Acting,
}

impl Difference {
    /// Returns the name of the setting, or [`Self::name`] if the difference is not one of a setting.
    pub fn subject(&self) -> &str {
        self.name.split('=').next().unwrap_or(&self.name)
    }

    /// Returns whether characters or percent-encoded bytes of the pair act, if the difference is one of tables. Others always act.
    pub fn acts(&self) -> bool {
        let Acting { characters, escapes, has_percent } = &self.acting;
        !matches!(self.part, Part::Table { .. }) || *has_percent || !characters.is_empty() || !escapes.is_empty()
    }

    /// Returns whether `behaviour` does for a pair what `sentence` states, one of the two sides, which is what `like` does.
    pub fn is_alike(
        &self,
        behaviour: &Behaviour,
        like: &Behaviour,
        sentence: &Sentence,
        (base, reference): (&str, &str),
    ) -> bool {
        // The rows that decide about the pair in each of them: that of the pair, that of the base, and that of absolute references.
        let rows = |it: &Behaviour| {
            let (class, form) = it.base_row_of(base);
            [it.row_of(base, reference), (class, form), (class, Form::Absolute)]
        };
        let rows = || rows(behaviour).into_iter().zip(rows(like));
        match self.part {
            Part::Setting(at) => {
                let is_stated = |index: usize| Sentence::of(ROW[at].sentence(index)).text == sentence.text;
                rows().any(|((class, form), (like_class, like_form))| {
                    let own = ROW[at].index(&behaviour.classes[class].rows[form as usize]);
                    own == ROW[at].index(&like.classes[like_class].rows[like_form as usize]) && is_stated(own)
                })
            }
            Part::Table { component, of_base } => {
                let all = &self.acting;
                rows().all(|((class, _), (like_class, _))| {
                    let own = behaviour.classes[class].tables(of_base).of(component);
                    let like = like.classes[like_class].tables(of_base).of(component);
                    let [actions, others] = [own, like].map(|table| &table.actions);
                    all.characters.iter().all(|c| actions.literal[index(*c)] == others.literal[index(*c)])
                        && all.escapes.iter().all(|byte| actions.escape[*byte] == others.escape[*byte])
                        && (!all.has_percent || own.percent == like.percent && own.bytes == like.bytes)
                })
            }
            Part::Syntax(at) => SYNTAX[at].index(&behaviour.syntax) == SYNTAX[at].index(&like.syntax),
            Part::Cleaning { of_base } => {
                let [own, like] = [behaviour, like].map(|it| if of_base { &it.base } else { &it.reference });
                let entries = entries(base, reference);
                !own.differing(like).any(|c| entries.contains(&index(c)))
            }
        }
    }
}

/// What a behaviour does.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Sentence {
    /// The sentence, without a full stop.
    pub text: String,
    /// The sources: specification and section, separated by semicolons; empty if no specification has it.
    pub sources: &'static str,
    /// What it does to characters, without their names; empty if the sentence is not about characters.
    pub action: String,
}

impl Sentence {
    pub(super) fn of(doc: &'static str) -> Self {
        let (text, sources) = doc.rsplit_once(" (").unwrap_or((doc.trim_end_matches('.'), ""));
        Self { text: text.to_owned(), sources: sources.trim_end_matches(")."), action: String::new() }
    }

    /// Returns the source in the specification that is cited as `cite`: the section, and what else is stated about it. Returns
    /// `None` if no section of this specification is stated.
    pub fn section(&self, cite: &str) -> Option<&'static str> {
        let section = |source: &'static str| source.strip_prefix(cite)?.strip_prefix([' ', ',']);
        self.sources.split("; ").find_map(section).map(str::trim_start)
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, sources: "", action: String::new() }
    }
}
