//! The authority of a text: where it begins, and where it ends.

use super::super::authority::{self, Server};
use super::super::drive;
use super::super::{
    AuthorityEnd, AuthorityInvalid, Backslash, DriveLetters, EmptyAuthority, EmptyHostPath, Exit, HostPlace,
    MissingAuthority, Port, Row, Slashes, SlashesOnly, Stage, UserinfoEnd,
};
use super::{Parts, Splitter, is_drive, is_without_path};

impl Splitter<'_> {
    /// Splits off the authority at the start of `rest`. Returns the text after it.
    pub(super) fn split_authority(&self, rest: &str, parts: &mut Parts) -> Stage<String> {
        let Self { row, tables, role } = *self;
        if role.is_absolute
            && rest.contains([':', '|'])
            && row.drive_letters() == DriveLetters::RootsBeforeSlash
            && let Some(path) = drive::before_slash(rest)?
        {
            parts.authority = Some(String::new());
            return Ok(path);
        }
        let used = self.slashes_before_authority(rest);
        if used.is_none() && self.requires_authority() {
            return Err(Exit::Rejected);
        }
        let Some(used) = used.filter(|_| !(role.is_base && row.host() == HostPlace::PartOfPath)) else {
            return Ok(rest.to_owned());
        };
        let after = &rest[used..];
        let end = self.end_of_authority(rest, used);
        let (authority, path) = after.split_at(end.at);
        if authority.contains(':') && row.port() == Port::DigitsOrPath && !authority::has_digits_as_port(authority) {
            return Ok(rest.to_owned());
        }
        if is_drive(&authority::without_tabs(row, authority)) && self.reads_drives() {
            // A drive letter in place of the host begins the path.
            parts.authority = Some(String::new());
            return Ok(format!("/{after}"));
        }
        self.check_empty(authority, path)?;
        if row.host() == HostPlace::Dropped {
            parts.authority = Some(String::new());
            return Ok(path.to_owned());
        }
        let is_last = path.is_empty() && parts.fragment.is_none();
        let server = match authority::parse(row, tables, authority, role.scheme, is_last) {
            Err(Exit::Rejected) if row.authority_invalid() == AuthorityInvalid::Dropped => return Ok(path.to_owned()),
            server => server?,
        };
        let Server { text, rest, is_end, is_absent } = server;
        if is_end {
            (parts.authority, parts.ends_with_authority) = (Some(text).filter(|_| !is_absent), true);
            return Ok(String::new());
        }
        let is_hostless = text.is_empty() || text.ends_with('@');
        let is_after_segment = is_hostless
            && match row.empty_host_path() {
                EmptyHostPath::Nothing => false,
                EmptyHostPath::EmptySegment => text.is_empty(),
                EmptyHostPath::SlashIfEmpty => is_without_path(path),
            };
        let slash = if end.is_in_port || is_after_segment { "/" } else { "" };
        parts.authority = Some(text).filter(|_| !is_absent);
        Ok(format!("{rest}{slash}{path}"))
    }

    /// Returns whether a drive letter in place of the host begins the path.
    fn reads_drives(&self) -> bool {
        !matches!(self.row.drive_letters(), DriveLetters::Ordinary | DriveLetters::Rejected)
    }

    /// Returns the number of bytes of the slashes before the authority of `rest`, if there is an authority.
    fn slashes_before_authority(&self, rest: &str) -> Option<usize> {
        let Self { row, role, .. } = *self;
        let count = leading_slashes(rest);
        match row.slashes() {
            Slashes::Two => (count >= 2).then_some(2),
            Slashes::TwoNotThree => (count == 2).then_some(2),
            Slashes::TwoWithMarks => (count >= 2).then_some(rest.len() - rest.trim_start_matches(['/', '\\']).len()),
            Slashes::UpToThree => (count <= 3).then_some(count),
            Slashes::OneToThree => (1..=3).contains(&count).then_some(count),
            Slashes::AllButLast => (count >= 2).then_some(if count > 2 { count - 1 } else { 2 }),
            Slashes::Any => (role.is_absolute || count >= 2).then_some(count),
            Slashes::AllButThree => (count >= 2).then_some(if count == 3 { 2 } else { count }),
            Slashes::Never => None,
        }
    }

    /// Returns whether a text without an authority is rejected.
    fn requires_authority(&self) -> bool {
        self.role.is_absolute
            && (self.row.slashes() == Slashes::OneToThree || self.row.missing_authority() == MissingAuthority::Rejected)
    }

    /// Returns where the authority of `rest` ends, after slashes of `used` bytes.
    fn end_of_authority(&self, rest: &str, used: usize) -> End {
        let row = self.row;
        let after = &rest[used..];
        let has_backslash = after.contains('\\');
        let ends: &[char] = match row.authority_end() {
            AuthorityEnd::Slash | AuthorityEnd::SlashOnly => &['/'],
            AuthorityEnd::SlashOrQuery if has_backslash && row.backslash() == Backslash::EndsAuthority => {
                &['/', '?', '\\']
            }
            AuthorityEnd::SlashOrQuery | AuthorityEnd::SlashOrQueryAfterBrackets => &['/', '?'],
            AuthorityEnd::SlashQueryOrParams => &['/', '?', ';'],
        };
        let userinfo = enclosed_end(row, rest).saturating_sub(used);
        let end = after[userinfo..].find(|c| ends.contains(&c)).map_or(after.len(), |at| userinfo + at);
        let port_end = match has_backslash {
            true if row.backslash() == Backslash::EndsPort => authority::backslash_after_port(&after[..end]),
            _ => None,
        };
        End { at: port_end.unwrap_or(end), is_in_port: port_end.is_some() }
    }

    /// Checks whether `authority`, which `path` follows, may be empty.
    fn check_empty(&self, authority: &str, path: &str) -> Stage<()> {
        let Self { row, role, .. } = *self;
        if !authority.is_empty() {
            return Ok(());
        }
        let is_only = is_without_path(path);
        let is_rejected = match row.empty_authority() {
            EmptyAuthority::Rejected => true,
            EmptyAuthority::RejectedInReference => !role.is_base,
            EmptyAuthority::Defined
            | EmptyAuthority::Missing
            | EmptyAuthority::HostInherited
            | EmptyAuthority::MissingWithoutHost => false,
        };
        if is_rejected || is_only && row.slashes_only() == SlashesOnly::Rejected { Err(Exit::Rejected) } else { Ok(()) }
    }
}

/// The end of an authority.
struct End {
    at: usize,
    /// Whether a backslash ends the port.
    is_in_port: bool,
}

/// Returns the number of slashes at the start of `text`.
fn leading_slashes(text: &str) -> usize {
    text.len() - text.trim_start_matches('/').len()
}

/// Returns the end of the userinfo or of the host in brackets in `rest`, if it may contain delimiters; otherwise 0.
pub(super) fn enclosed_end(row: &Row, rest: &str) -> usize {
    let after = rest.strip_prefix("//").filter(|after| after.contains('['));
    let server = after.filter(|_| row.authority_end() == AuthorityEnd::SlashOrQueryAfterBrackets).and_then(|after| {
        let userinfo = after.find(['@', '/', '?', '#', '[']).filter(|&at| after.as_bytes()[at] == b'@');
        after[userinfo.map_or(0, |at| at + 1)..].strip_prefix('[')
    });
    match server.and_then(|server| server.split_once(']')) {
        Some((_, tail)) => rest.len() - tail.len(),
        None => userinfo_end(row, rest),
    }
}

/// Returns the end of the userinfo in `rest`, if it may contain delimiters; otherwise 0.
fn userinfo_end(row: &Row, rest: &str) -> usize {
    match rest.strip_prefix("//").filter(|after| after.contains('@')) {
        Some(after) if row.userinfo_end() == UserinfoEnd::FirstAtInText => {
            authority::first_at(after).map_or(0, |at| at + 3)
        }
        _ => 0,
    }
}
