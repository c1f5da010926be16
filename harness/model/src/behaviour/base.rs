//! Bases: their class and form, and which references are relative to them.

use std::borrow::Cow;

use super::authority::literal::with_number_of_port;
use super::slashes::with_slashes;
use super::*;

/// A base, cleaned and classified.
pub(super) struct Base<'a> {
    pub(super) raw: &'a str,
    pub(super) text: Cow<'a, str>,
    pub(super) scheme: Option<String>,
    pub(super) is_bad: bool,
    pub(super) class: usize,
    pub(super) form: Form,
}

impl Base<'_> {
    /// Returns the part after the scheme.
    pub(super) fn rest(&self) -> &str {
        self.scheme.as_ref().map_or(&*self.text, |scheme| &self.text[scheme.len() + 1..])
    }

    /// Returns the role of the base.
    pub(super) fn role(&self) -> Role<'_> {
        let is_absolute = self.scheme.is_some();
        Role { scheme: self.scheme.as_deref(), is_absolute, is_base: true, is_inherited: false }
    }

    /// Returns the role of a reference that is relative to the base.
    pub(super) fn reference_role(&self) -> Role<'_> {
        Role { scheme: self.scheme.as_deref(), is_absolute: false, is_base: false, is_inherited: false }
    }
}

impl Behaviour {
    /// Returns the class of the scheme `scheme`.
    pub fn class_of(&self, scheme: &str) -> usize {
        match self.schemes.get(scheme) {
            Some(class) => *class,
            None if !scheme.bytes().any(|byte| byte.is_ascii_uppercase()) => self.other,
            None if self.syntax.scheme_classes() == SchemeClasses::Exact => self.other,
            None => self.schemes.get(&scheme.to_ascii_lowercase()).copied().unwrap_or(self.other),
        }
    }

    /// Returns the row that decides about the pair: its class and its form.
    pub fn row_of(&self, base: &str, reference: &str) -> (usize, Form) {
        let (reference, base) = (&*self.as_joined(reference, base, false), &*self.as_joined(base, base, true));
        let base = self.classified(base);
        let text = self.cleaned(&self.reference, reference);
        match self.prefix_against(&text, base.raw) {
            Prefix::Scheme(own) if !self.is_relative_to(own, &text[own.len() + 1..], &base) => {
                let class = self.class_of(own);
                let inherits = self.inherits_from(class, &text[own.len() + 1..], &base);
                let form = if inherits { base.form } else { self.form_of_absolute(class, &base) };
                (class, form)
            }
            _ => (base.class, base.form),
        }
    }

    /// Returns the row for the reference as an absolute one, if it has a scheme and is not relative to the base. The row
    /// states whether a base with another scheme is used.
    pub fn absolute_row_of(&self, base: &str, reference: &str) -> Option<(usize, Form)> {
        let (reference, base) = (&*self.as_joined(reference, base, false), &*self.as_joined(base, base, true));
        let base = self.classified(base);
        let text = self.cleaned(&self.reference, reference);
        let own = self.prefix_against(&text, base.raw).scheme()?;
        let is_absolute = !self.is_relative_to(own, &text[own.len() + 1..], &base);
        is_absolute.then(|| (self.class_of(own), Form::Absolute))
    }

    /// Returns the class and the form of a base.
    pub fn base_row_of(&self, base: &str) -> (usize, Form) {
        let base = &*self.as_joined(base, base, true);
        let base = self.classified(base);
        (base.class, base.form)
    }

    pub(super) fn classified<'a>(&self, raw: &'a str) -> Base<'a> {
        let text = self.cleaned(&self.base, raw);
        let text = match self.syntax.missing_scheme() {
            MissingScheme::Relative | MissingScheme::FilePath => text,
            MissingScheme::Http if raw.is_empty() => text,
            _ if self.prefix_of_base(&text).scheme().is_some() => text,
            _ if text.starts_with("//") => Cow::Owned(format!("http:{text}")),
            _ => Cow::Owned(format!("http://{text}")),
        };
        let prefix = self.prefix_of_base(&text);
        let scheme = prefix.scheme().map(str::to_owned);
        let class = match &scheme {
            Some(scheme) => self.class_of(scheme),
            None if raw.is_empty() => self.unknown,
            None => self.relative,
        };
        let is_bad = matches!(prefix, Prefix::Bad);
        let text = match scheme.is_none() && self.after_leading_colon(&text).len() < text.len() {
            true => Cow::Owned(self.after_leading_colon(&text).to_owned()),
            false => text,
        };
        let rest = scheme.as_ref().map_or(&*text, |scheme| &text[scheme.len() + 1..]);
        // Of the rows of a class, that for bases with an authority states what a backslash is.
        let form = Form::of(&with_slashes(&self.classes[class].rows[Form::Authority as usize], rest, false));
        Base { raw, text, scheme, is_bad, class, form }
    }

    /// Returns whether a reference whose scheme is `own` and is followed by `rest` is relative to the base.
    pub(super) fn is_relative_to(&self, own: &str, rest: &str, base: &Base<'_>) -> bool {
        if self.syntax.absolute_text() == AbsoluteText::WithoutSpace && rest.contains(scheme::is_space) {
            return true;
        }
        let row = self.row(base);
        let is_after_scheme = || {
            let row = &self.classes[self.class_of(own)].rows[Form::Absolute as usize];
            !rest.starts_with("//") && row.foreign_base() == ForeignBase::InheritedByAny
        };
        if !base.raw.is_empty() && is_after_scheme() {
            return true;
        }
        let Some(scheme) = &base.scheme else { return false };
        let equal = match row.scheme_comparison() {
            SchemeComparison::CaseIgnored => scheme.eq_ignore_ascii_case(own),
            SchemeComparison::Exact => scheme == own,
        };
        let is_foreign = || {
            let row = &self.classes[self.class_of(own)].rows[Form::Absolute as usize];
            base.rest().starts_with("//")
                && !rest.starts_with("//")
                && row.foreign_base() == ForeignBase::InheritedWithScheme
        };
        if !equal && is_foreign() {
            return true;
        }
        equal
            && match row.same_scheme() {
                SameScheme::Absolute => false,
                SameScheme::Relative => true,
                SameScheme::RelativeUnlessTwoSlashes => {
                    let is_ordinary =
                        || matches!(row.backslash(), Backslash::Ordinary | Backslash::RejectedBeforeSlash);
                    let slash = |c: char| c == '/' || c == '\\' && !is_ordinary();
                    rest.chars().take(2).filter(|c| slash(*c)).count() < 2
                }
            }
    }

    /// Returns whether a reference whose scheme is of `class` and is followed by `rest` is relative to a base with another
    /// scheme.
    pub(super) fn inherits_from(&self, class: usize, rest: &str, base: &Base<'_>) -> bool {
        if base.raw.is_empty() {
            return false;
        }
        let row = &self.classes[class].rows[Form::Absolute as usize];
        let has_host =
            || rest.strip_prefix("//").is_some_and(|after| !after.is_empty() && !after.starts_with(['/', '?', '#']));
        match row.foreign_base() {
            ForeignBase::Ignored | ForeignBase::InheritedWithScheme | ForeignBase::InheritedByAny => false,
            ForeignBase::Inherited => base.scheme.is_some(),
            ForeignBase::InheritedWithoutHost => !has_host(),
        }
    }

    /// Returns the form of pairs with an absolute reference whose scheme is of `class`.
    pub(super) fn form_of_absolute(&self, class: usize, base: &Base<'_>) -> Form {
        let form = Form::of_absolute(base.raw);
        let depends = || self.classes[class].rows[form as usize].absolute_depends() == AbsoluteDepends::OnBase;
        match self.row(base).absolute_against() {
            AbsoluteAgainst::LikeAlone if depends() => Form::Alone,
            _ => form,
        }
    }

    /// Returns the components of the base without those that would be rejected in a reference.
    pub(super) fn parts_without_invalid(&self, base: &Base<'_>, role: Role<'_>) -> Stage<Parts> {
        let (row, class) = (self.row(base), &self.classes[base.class]);
        let is_valid = |server: &str| authority::parse(row, &class.reference, server, role.scheme, false).is_ok();
        let rest = base.rest();
        let (whole, suffix) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
        let server = whole.strip_prefix("//").map(|after| &after[..after.find('/').unwrap_or(after.len())]);
        let path = server.map_or(whole, |server| &whole[server.len() + 2..]);
        let valid = server.filter(|server| is_valid(server)).map(str::to_owned);
        let valid = valid.or_else(|| with_number_of_port(server?).filter(|server| is_valid(server)));
        let is_path_valid = class.reference.apply(Component::Path, path).is_ok();
        let is_lost = !is_path_valid || path.is_empty() && server.is_some() && valid.is_none();
        let path = match is_lost {
            true if role.is_inherited => "",
            true => "/",
            false => path,
        };
        let slashes = if server.is_some() { "//" } else { "" };
        let text = format!("{slashes}{}{path}{suffix}", valid.as_deref().unwrap_or_default());
        let parts = self.parts(row, &class.base, &text, role)?;
        Ok(Parts { authority: parts.authority.filter(|_| valid.is_some()), ..parts })
    }

    pub(super) fn row(&self, base: &Base<'_>) -> &Row {
        &self.classes[base.class].rows[base.form as usize]
    }
}
