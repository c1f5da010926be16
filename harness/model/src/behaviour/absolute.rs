//! Absolute references, and bases that are parsed like them.

use super::base::Base;
use super::components::{Parts, Role};
use super::{
    AbsoluteAgainst, AbsoluteDepends, AbsoluteWithoutAuthority, BaseChecked, Behaviour, DotsInAbsolute,
    EmptyFragmentOnAbsolute, Exit, Form, MarksAfterScheme, MissingAuthority, PathAfterScheme, ReferenceInvalid, Row,
    SchemeAccepted, SchemeOnly, Stage, TablesUsed, WrittenEmptyAuthority, dot_segments, path,
};

impl Behaviour {
    /// Resolves the reference `text`, which is `raw` before cleaning, whose scheme is `own` and which is not relative to the base.
    pub(super) fn resolve_absolute(&self, own: &str, base: &Base<'_>, raw: &str, text: &str) -> Stage<String> {
        let (row, rest) = (self.row(base), &text[own.len() + 1..]);
        let class = self.class_of(own);
        if self.inherits_from(class, rest, base) {
            return self.relative_to_foreign(own, rest, base);
        }
        let may_inherit = row.absolute_without_authority() == AbsoluteWithoutAuthority::Inherits;
        if may_inherit && !base.raw.is_empty() && (!rest.starts_with("//") || rest.starts_with("///")) {
            let old = self.base_parts(base, false)?;
            if !rest.starts_with('/') {
                return Err(Exit::Rejected);
            }
            let new = self.parts(row, &self.classes[base.class].reference, rest, base.reference_role())?;
            let parts = self.relative(row, base, (rest, true), old, new)?;
            return self.write(row, Some(own), parts);
        }
        let form = self.form_of_absolute(class, base);
        let own_row = &self.classes[class].rows[form as usize];
        let depends = own_row.absolute_depends() == AbsoluteDepends::OnBase;
        match row.absolute_against() {
            AbsoluteAgainst::Unchanged if depends => return Ok(raw.to_owned()),
            AbsoluteAgainst::Rejected if depends => return Err(Exit::Rejected),
            _ => {}
        }
        if depends && row.base_checked() == BaseChecked::Always && !base.raw.is_empty() {
            self.base_parts(base, false)?;
        }
        let keeps_dots = row.absolute_against() == AbsoluteAgainst::ParsedDotsKept;
        // A scheme that is not accepted does not make a reference invalid.
        let accepts = || own_row.scheme_accepted() == SchemeAccepted::Accepted;
        match self.absolute(form, own, [text, raw], keeps_dots, false) {
            Err(Exit::Rejected) => match own_row.reference_invalid() {
                ReferenceInvalid::Reference if accepts() => Ok(raw.to_owned()),
                ReferenceInvalid::ReferenceCleaned if accepts() => Ok(text.to_owned()),
                ReferenceInvalid::Path => self.as_path(row, base, [raw, text]),
                _ => Err(Exit::Rejected),
            },
            parts => self.write(own_row, Some(own), parts?),
        }
    }

    /// Resolves a reference with the scheme `own` against a base with another scheme.
    fn relative_to_foreign(&self, own: &str, rest: &str, base: &Base<'_>) -> Stage<String> {
        let class = &self.classes[self.class_of(own)];
        let row = &class.rows[base.form as usize];
        let mut old = self.base_parts(base, false)?;
        if old.opaque {
            old = Parts { authority: Some(String::new()), query: old.query, ..Parts::default() };
        }
        let new = self.parts(row, &class.reference, rest, Role { scheme: Some(own), ..base.reference_role() })?;
        let parts = self.relative(row, base, (rest, true), old, new)?;
        self.write(row, Some(own), parts)
    }

    /// Resolves the reference `text`, which is `raw` before cleaning, as a relative reference, although a scheme begins it.
    fn as_path(&self, row: &Row, base: &Base<'_>, [raw, text]: [&str; 2]) -> Stage<String> {
        self.exit(row, base, raw, text, text)?;
        let old = self.base_parts(base, false)?;
        let new = self.parts(row, &self.classes[base.class].reference, text, base.reference_role())?;
        let parts = self.relative(row, base, (text, false), old, new)?;
        self.write(row, base.scheme.as_deref(), parts)
    }

    /// Returns the components of an absolute reference or of a base that is parsed like one.
    ///
    /// `text` is the reference after cleaning, `raw` before.
    pub(super) fn absolute(
        &self,
        form: Form,
        own: &str,
        [text, raw]: [&str; 2],
        keeps_dots: bool,
        is_base: bool,
    ) -> Stage<Parts> {
        let class = self.class_of(own);
        let row = &self.classes[class].rows[form as usize];
        let tables = match row.tables_used() {
            TablesUsed::OfScheme => &self.classes[class].reference,
            TablesUsed::OfNoScheme => &self.classes[self.unknown].reference,
            TablesUsed::OfBase => self.classes[class].tables(is_base),
        };
        let mut rest = &text[own.len() + 1..];
        if row.scheme_accepted() == SchemeAccepted::Rejected || is_rejected_alone(row, rest) {
            return Err(Exit::Rejected);
        }
        let mut text = text;
        if rest.find('#') == Some(rest.len().wrapping_sub(1))
            && row.empty_fragment_on_absolute() == EmptyFragmentOnAbsolute::Dropped
        {
            rest = &rest[..rest.len() - 1];
            text = &text[..text.len() - 1];
        }
        if rest.starts_with(['?', '#']) && row.marks_after_scheme() == MarksAfterScheme::Dropped {
            rest = rest.trim_start_matches(['?', '#']);
        }
        let role = Role { scheme: Some(own), is_absolute: true, is_base: false, is_inherited: false };
        let mut parts = self.parts(row, tables, rest, role)?;
        let is_rootless = parts.authority.is_none() && !parts.opaque && !parts.path.starts_with('/');
        if is_rootless && !parts.path.is_empty() && row.path_after_scheme() == PathAfterScheme::Slash {
            parts.path.insert(0, '/');
        }
        if !parts.has_host() && row.missing_authority() == MissingAuthority::FirstSegment {
            let path = parts.path.trim_start_matches('/');
            let (host, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
            if !host.is_empty() {
                parts.authority = Some(host.to_owned());
                parts.path = if rest.is_empty() { "/".to_owned() } else { rest.to_owned() };
            }
        }
        if parts.authority.is_none() && !parts.opaque && row.written_empty_authority() == WrittenEmptyAuthority::Always
        {
            parts.authority.get_or_insert_default();
        }
        match row.dots_in_absolute() {
            DotsInAbsolute::Kept => return Err(Exit::Returned(text.to_owned())),
            DotsInAbsolute::KeptUncleaned => return Err(Exit::Returned(raw.to_owned())),
            DotsInAbsolute::KeptInComponents => {}
            _ if keeps_dots => {}
            DotsInAbsolute::RemovedIfRooted if !parts.path.starts_with('/') => {}
            DotsInAbsolute::RemovedIfAuthority if !parts.has_host() => {}
            _ if parts.opaque => {}
            _ => {
                let walked = dot_segments::walk(&path::with_last_dots_kept(row, &parts), &parts.path, 0).accepted()?;
                parts.authority = walked.authority(parts.authority);
                parts.path = walked.path;
            }
        }
        Ok(parts)
    }
}

/// Returns whether a scheme that `rest` follows is rejected because nothing but a fragment follows it.
pub(super) fn is_rejected_alone(row: &Row, rest: &str) -> bool {
    (rest.is_empty() || rest.starts_with('#')) && row.scheme_only() == SchemeOnly::RejectedBeforeFragment
}
