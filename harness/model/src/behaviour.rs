//! Behaviours: the parameters that describe how an engine resolves references, and the resolver that they control.
//!
//! A behaviour has a row of settings for each class of schemes and each form of pairs, and tables of characters for the
//! components of each class of schemes. Resolution has these stages:
//!
//! 1. *Clean*: characters at the ends, and some characters everywhere, are removed ([`Cleaning`]).
//! 2. *Scheme*: the schemes of both strings are split off ([`Syntax`]). They select the row.
//! 3. *Components*: authority, path, query and fragment are split, and the tables are applied to them.
//! 4. *Base*: the base is brought into the form in which it is used.
//! 5. *Resolve*: paths are merged, and dot segments are removed.
//! 6. *Write*: the components are joined.
//!
//! This module never calls an engine, so an engine's behaviour is never explained by the engine itself.

mod absolute;
mod authority;
mod base;
mod compare;
mod components;
mod describe;
pub(crate) mod domain;
mod dot_segments;
mod drive;
mod file;
mod file_path;
mod malformed;
mod path;
mod predictions;
mod reference;
mod scheme;
mod settings;
mod slashes;
mod stated;
mod table;
mod text;
mod traits;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;

use absolute::is_rejected_alone;
pub(crate) use authority::default_port;
use base::Base;
pub use compare::{
    Decisive, Difference, Sentence, between, between_by, between_either, decisive, is_name, predict_without,
    predicted_with,
};
pub use components::Form;
use components::{Parts, Role};
pub use describe::{ClassDescription, Decided, DecidedBy, Description, Differing};
pub use file::StatedBehaviour;
pub use predictions::{Fitting, Predictions, Undetermined};
pub use settings::*;
pub use table::{
    Actions, BEYOND, Bytes, Component, ENTRIES, Escape, Literal, Percent, Rejected, Table, Tables, encode, index,
};
pub use traits::{Trait, distance, traits_unlike};

/// Which characters are removed before anything else.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Cleaning {
    /// Characters removed at the start.
    pub start: Vec<char>,
    /// Characters removed at the end.
    pub end: Vec<char>,
    /// Characters removed everywhere.
    pub everywhere: Vec<char>,
    /// Characters rejected at both ends.
    pub rejected: Vec<char>,
}

/// Characters outside ASCII, and U+007F, that some engine treats as white space. The fit asks which of them are removed.
pub(crate) const SPACES: [char; 14] = [
    '\u{7f}', '\u{85}', '\u{a0}', '\u{1680}', '\u{2000}', '\u{200a}', '\u{200b}', '\u{2028}', '\u{2029}', '\u{202f}',
    '\u{205f}', '\u{3000}', '\u{feff}', '\u{180e}',
];

impl Cleaning {
    fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = text.trim_start_matches(&self.start[..]).trim_end_matches(&self.end[..]);
        match !self.everywhere.is_empty() && text.contains(&self.everywhere[..]) {
            true => Cow::Owned(text.replace(&self.everywhere[..], "")),
            false => Cow::Borrowed(text),
        }
    }

    /// Returns the characters that only one of two cleanings removes or rejects at a place.
    fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = char> + 'a {
        let lists = |it: &'a Self| [&it.start, &it.end, &it.everywhere, &it.rejected];
        lists(self).into_iter().zip(lists(other)).flat_map(|(own, theirs)| {
            let of_one = |own: &'a [char], theirs: &'a [char]| own.iter().filter(|c| !theirs.contains(c));
            of_one(own, theirs).chain(of_one(theirs, own)).copied()
        })
    }
}

/// The rows and tables of a class of schemes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Class {
    /// The row for each form of pairs; see [`Form`].
    pub rows: [Row; Form::ALL.len()],
    /// The tables of references.
    pub reference: Tables,
    /// The tables of bases.
    pub base: Tables,
}

impl Class {
    fn tables(&self, of_base: bool) -> &Tables {
        if of_base { &self.base } else { &self.reference }
    }

    fn table_mut(&mut self, component: Component, of_base: bool) -> &mut Table {
        let tables = if of_base { &mut self.base } else { &mut self.reference };
        &mut tables.0[component as usize]
    }
}

/// The parameters that describe an engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Behaviour {
    /// What is removed from references.
    pub reference: Cleaning,
    /// What is removed from bases.
    pub base: Cleaning,
    /// How schemes are split off.
    pub syntax: Syntax,
    /// The classes of schemes.
    pub classes: Vec<Class>,
    /// The class of each listed scheme, as an index into [`Self::classes`]. Schemes are in lower case.
    pub schemes: BTreeMap<String, usize>,
    /// The class of schemes that are not listed.
    pub other: usize,
    /// The class of bases without a scheme.
    pub relative: usize,
    /// The class of unknown bases.
    pub unknown: usize,
}

/// What a stage returns: a value, or the end of the resolution with a result.
type Stage<T> = Result<T, Exit>;

/// The end of a resolution.
enum Exit {
    Rejected,
    Returned(String),
}

impl From<Rejected> for Exit {
    fn from(_: Rejected) -> Self {
        Self::Rejected
    }
}

/// Returns the result of a resolution, or `None` if it was rejected.
fn returned(stage: Stage<String>) -> Option<String> {
    match stage {
        Ok(url) | Err(Exit::Returned(url)) => Some(url),
        Err(Exit::Rejected) => None,
    }
}

/// What a text begins with.
#[derive(Clone, Copy)]
enum Prefix<'a> {
    Scheme(&'a str),
    None,
    Bad,
}

impl<'a> Prefix<'a> {
    fn scheme(self) -> Option<&'a str> {
        match self {
            Self::Scheme(scheme) => Some(scheme),
            _ => None,
        }
    }
}

impl Behaviour {
    /// Returns the engine's result for a pair, as this behaviour predicts it; `None` if the engine rejects the pair.
    pub fn predict(&self, base: &str, reference: &str) -> Option<String> {
        let [base, reference] = [base, reference].map(|text| self.without_delimiters(text));
        let parsed_alone = self.syntax.parsed_alone();
        if base.is_empty() || parsed_alone == ParsedAlone::None {
            return self.joined(base, reference);
        }
        if parsed_alone == ParsedAlone::Reference {
            let alone = self.joined("", reference)?;
            // Only slashes that precede all other characters follow the base's scheme.
            if alone.starts_with("//") && !reference.starts_with("//") {
                let is_returned = alone.len() > 2 && !alone[2..].starts_with(['/', '?', '#']);
                return if is_returned { Some(alone) } else { returned(self.resolve(base, &alone)) };
            }
            // A reference of which nothing is left is not an empty one.
            let is_lost = alone.is_empty() && !reference.is_empty();
            return if is_lost { returned(self.resolve(base, "")) } else { self.joined(base, &alone) };
        }
        let url = self.joined(&self.joined("", base)?, &self.joined("", reference)?)?;
        if parsed_alone == ParsedAlone::BaseReferenceAndResult { self.joined("", &url) } else { Some(url) }
    }

    /// Returns the result for strings that are joined as they are written.
    fn joined(&self, base: &str, reference: &str) -> Option<String> {
        returned(self.resolve(base, reference))
    }

    /// Returns whether a base or a reference may also be resolved without a base before they are joined.
    fn resolves_alone(&self) -> bool {
        let mut rows = self.classes.iter().flat_map(|class| &class.rows);
        self.syntax.parsed_alone != ParsedAlone::None
            || !matches!(self.syntax.missing_scheme, MissingScheme::Relative | MissingScheme::Http)
            || rows.any(|row| row.base_form == BaseForm::WrittenAgain)
    }

    /// Returns `text`, which is the base `base` or a reference to it, in the form in which it is joined.
    fn as_joined<'a>(&self, text: &'a str, base: &str, is_base: bool) -> Cow<'a, str> {
        match self.syntax.parsed_alone() {
            ParsedAlone::None => text.into(),
            _ if base.is_empty() => text.into(),
            ParsedAlone::Reference if is_base => text.into(),
            ParsedAlone::Reference | ParsedAlone::BaseAndReference | ParsedAlone::BaseReferenceAndResult => {
                self.joined("", text).map_or(text.into(), Cow::Owned)
            }
        }
    }

    fn resolve(&self, raw_base: &str, raw: &str) -> Stage<String> {
        self.resolved(raw_base, raw, false)
    }

    /// Resolves `raw` against `raw_base`. `is_written_again` states whether this base was parsed and written before.
    fn resolved(&self, raw_base: &str, raw: &str, is_written_again: bool) -> Stage<String> {
        let (raw_base, raw) = (self.before_nul(raw_base)?, self.before_nul(raw)?);
        let [raw_base, raw] = [&*raw_base, &*raw].map(|text| self.ended(text));
        if raw_base.starts_with(&self.base.rejected[..])
            || raw_base.ends_with(&self.base.rejected[..])
            || raw.starts_with(&self.reference.rejected[..])
            || raw.ends_with(&self.reference.rejected[..])
        {
            return Err(Exit::Rejected);
        }
        if let Some(url) = self.of_file_paths(raw_base, raw)? {
            return Ok(url);
        }
        let base = self.classified(raw_base);
        if !is_written_again && !raw_base.is_empty() && self.row(&base).base_form() == BaseForm::WrittenAgain {
            let url = self.resolved("", raw_base, true)?;
            return self.resolved(&url, raw, true);
        }
        let mut text = self.cleaned(&self.reference, raw);
        if self.syntax.nul() == Nul::EndsRelative && text.contains('\0') && self.prefix(&text).scheme().is_none() {
            text = text.split('\0').next().unwrap_or_default().to_owned().into();
        }
        let prefix = self.prefix_against(&text, raw_base);
        let row = self.row(&base);
        let own = prefix.scheme();
        let rest = own.map_or_else(|| self.after_leading_colon(&text), |own| &text[own.len() + 1..]);
        if let Some(own) = own
            && !self.is_relative_to(own, rest, &base)
        {
            return self.resolve_absolute(own, &base, raw, &text);
        }
        if rest.starts_with('?') && row.query_only() == QueryOnly::AppendedToText {
            if row.base_invalid() != BaseInvalid::RejectedIfInherited {
                self.base_parts(&base, true)?;
            }
            let parts = self.parts(row, &self.classes[base.class].reference, rest, base.reference_role())?;
            return Ok(components::with_query(base.raw, parts));
        }
        self.exit(row, &base, raw, &text, rest)?;
        let is_unchanged = match row.empty_form() {
            EmptyForm::Unchanged => raw.is_empty() || own.is_some() && rest.is_empty(),
            EmptyForm::UnchangedWithoutScheme => raw.is_empty(),
            _ => false,
        };
        if is_unchanged {
            return Ok(raw_base.to_owned());
        }
        if matches!(prefix, Prefix::Bad) {
            return self.invalid(row, &base, raw);
        }
        let after = match rest.strip_prefix("//") {
            Some(after) if row.empty_authority() == EmptyAuthority::Missing => after,
            _ => rest,
        };
        let is_inherited = matches!(after.chars().next(), None | Some('?' | '#'));
        let old = match self.base_parts(&base, is_inherited) {
            Ok(old) => old,
            Err(Exit::Rejected) if row.base_invalid() == BaseInvalid::ValidReference && !text.is_empty() => {
                let new = self.parts(row, &self.classes[base.class].reference, rest, base.reference_role())?;
                return self.write(row, None, new);
            }
            Err(Exit::Rejected)
                if rest.starts_with("//")
                    && !is_inherited
                    && row.base_invalid() == BaseInvalid::RejectedIfInherited =>
            {
                Parts::default()
            }
            Err(exit) => return Err(exit),
        };
        match row.empty_form() {
            EmptyForm::Cleaned if text.is_empty() => return Ok(base.text.into_owned()),
            EmptyForm::UnchangedIfValid if raw.is_empty() => return Ok(raw_base.to_owned()),
            _ => {}
        }
        let new = match self.parts(row, &self.classes[base.class].reference, rest, base.reference_role()) {
            Err(Exit::Rejected) => return self.invalid(row, &base, raw),
            new => new?,
        };
        let (old, scheme) = match reference::is_without_base(row, rest) {
            true => (Parts::default(), None),
            false => (old, base.scheme.as_deref()),
        };
        let parts = self.relative(row, &base, (rest, own.is_some()), old, new)?;
        self.write(row, scheme, parts)
    }

    /// Returns the result for a relative reference that is not valid.
    fn invalid(&self, row: &Row, base: &Base<'_>, raw: &str) -> Stage<String> {
        match row.reference_invalid() {
            ReferenceInvalid::Rejected | ReferenceInvalid::Path => Err(Exit::Rejected),
            ReferenceInvalid::Reference => Ok(raw.to_owned()),
            ReferenceInvalid::ReferenceCleaned => Ok(self.cleaned(&self.reference, raw).into_owned()),
            ReferenceInvalid::Base => {
                let parts = Parts { fragment: None, ..self.base_parts(base, false)? };
                self.write(row, base.scheme.as_deref(), parts)
            }
        }
    }

    /// Ends the resolution if relative references are not resolved.
    fn exit(&self, row: &Row, base: &Base<'_>, raw: &str, text: &str, rest: &str) -> Stage<()> {
        let returned = |text: &str| Err(Exit::Returned(text.to_owned()));
        let check_base = || match row.base_checked() == BaseChecked::Always && !base.raw.is_empty() {
            true => self.base_parts(base, false).map(drop),
            false => Ok(()),
        };
        match row.relative() {
            Relative::Resolved => Ok(()),
            Relative::TextReplaced => returned(&text::joined(base.raw, text)),
            _ if is_exempt(row, rest) => Ok(()),
            Relative::Reference => check_base().and_then(|()| returned(raw)),
            Relative::ReferenceIfValid | Relative::ReferenceOrNormalized => {
                self.base_parts(base, false)?;
                let parts = self.parts(row, &self.classes[base.class].reference, rest, base.reference_role())?;
                if !parts.has_host() || row.relative() == Relative::ReferenceIfValid {
                    return returned(raw);
                }
                let path = dot_segments::without_dots(row, &parts.path);
                let url = self.write(row, None, Parts { path, ..parts });
                url.and_then(|url| returned(&url))
            }
            Relative::RejectedUnlessBackslash if base.rest().starts_with('\\') => Ok(()),
            Relative::Rejected | Relative::RejectedUnlessBackslash => Err(Exit::Rejected),
            Relative::Written | Relative::WrittenAfterScheme => {
                check_base()?;
                if matches!(self.prefix(text), Prefix::Bad) {
                    return self.invalid(row, base, raw).and_then(|url| returned(&url));
                }
                let parts = match self.parts(row, &self.classes[base.class].reference, rest, base.reference_role()) {
                    Err(Exit::Rejected) => return self.invalid(row, base, raw).and_then(|url| returned(&url)),
                    parts => parts?,
                };
                let scheme = base.scheme.as_deref().filter(|_| row.relative() == Relative::WrittenAfterScheme);
                self.write(row, scheme, parts).and_then(|url| returned(&url))
            }
        }
    }

    /// Returns the components of the base in the form in which it is used. `is_inherited` states whether the reference
    /// inherits its path.
    fn base_parts(&self, base: &Base<'_>, is_inherited: bool) -> Stage<Parts> {
        if base.is_bad {
            return Err(Exit::Rejected);
        }
        let row = self.row(base);
        let is_alone = base.scheme.is_some() && is_rejected_alone(row, base.rest());
        if row.scheme_accepted() == SchemeAccepted::Rejected || is_alone {
            return Err(Exit::Rejected);
        }
        let class = &self.classes[base.class];
        if base.text.contains('#') && row.base_with_fragment() == BaseWithFragment::Rejected {
            return Err(Exit::Rejected);
        }
        if matches!(row.base_form(), BaseForm::Parsed | BaseForm::ParsedDotsKept)
            && let Some(scheme) = &base.scheme
        {
            let keeps_dots = row.base_form() == BaseForm::ParsedDotsKept;
            let parts = self.absolute(Form::Absolute, scheme, [&base.text, base.raw], keeps_dots, true)?;
            let is_prefixed = row.base_prefix() == BasePrefix::AfterBackslashes;
            return if is_prefixed { components::with_prefix_after_backslashes(parts) } else { Ok(parts) };
        }
        let role = Role { is_inherited, ..base.role() };
        let mut parts = match row.base_invalid() {
            BaseInvalid::PartsDropped => self.parts_without_invalid(base, role)?,
            _ => self.parts(row, &class.base, base.rest(), role)?,
        };
        if parts.authority.is_none() && row.base_prefix() != BasePrefix::None {
            let end = parts.path.find('/').filter(|_| row.base_prefix() == BasePrefix::BeforeSlash);
            let host = parts.path.find("//").filter(|_| row.base_prefix().is_through_slashes());
            let end = end.or_else(|| {
                let host = host? + 2;
                Some(host + parts.path[host..].find('/')?)
            });
            let path = parts.path.split_off(end.unwrap_or(parts.path.len()));
            parts.prefix = Some(std::mem::replace(&mut parts.path, path));
        }
        if !is_inherited
            && let Some(after) = parts.path.strip_prefix("//")
            && row.base_prefix() == BasePrefix::ThroughSlashesThenParsed
        {
            let host = after.find('/').filter(|end| *end > 0);
            parts.path = host.map_or(String::new(), |end| after[end..].to_owned());
        }
        if row.base_form() == BaseForm::DotsRemoved && !parts.opaque {
            parts.path = dot_segments::inherited_without_dots(row, &parts.path);
        }
        if parts.path.is_empty()
            && (parts.authority.is_some() || parts.prefix.is_some())
            && row.base_empty_path() == BaseEmptyPath::Slash
        {
            parts.path.push('/');
        }
        if parts.query.as_deref() == Some("") && row.base_empty_query() == BaseEmptyQuery::Dropped {
            parts.query = None;
        }
        Ok(parts)
    }
}

/// Returns whether the relative reference `rest` is resolved even if others are not.
fn is_exempt(row: &Row, rest: &str) -> bool {
    let first = rest.chars().next();
    matches!(first, None | Some('#' | '?'))
        && match row.exempt() {
            Exempt::EmptyAndFragment => first != Some('?'),
            Exempt::EmptyFragmentAndQuery => true,
            Exempt::Fragment => first == Some('#'),
            Exempt::Empty => first.is_none(),
            Exempt::None => false,
        }
}
