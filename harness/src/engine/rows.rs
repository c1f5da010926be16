//! The lines of recordings after the first ones, with an answer each.
//!
//! A recording may refer to that of another version of the same engine. With a line `same as VERSION` it has the same answers. With
//! `^VERSION` at the end of its fourth line, each line `^` is replaced with the line of that version, which has all of its lines.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::stored::StoredFile;
use crate::yaml::FileError;

/// The number of lines before the first answer.
pub(super) const HEAD: usize = 4;

/// The beginning of the line that refers to the recording of another version.
pub(super) const SAME: &str = "same as ";

/// The line that is the one of another version, and the mark before that version.
pub(super) const LIKE: &str = "^";

/// How a recording refers to the recording of another version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Relation {
    /// The answers are those of the version.
    Same(String),
    /// The lines `^` are those of the version.
    Like(String),
}

impl Relation {
    /// Returns how the recording that begins with `head` refers to another one; `None` if it has all of its lines.
    pub fn of(head: &str) -> Option<Self> {
        let same = |line: &str| line.strip_prefix(SAME).map(|version| Self::Same(version.to_owned()));
        let mut lines = head.lines().skip(HEAD - 1);
        let fourth = lines.next()?;
        let like = || Some(Self::Like(fourth.rsplit_once(" ^")?.1.to_owned()));
        let fifth = lines.next().filter(|_| lines.next().is_none());
        same(fourth).or_else(like).or_else(|| same(fifth?))
    }

    /// Returns the version.
    pub fn version(&self) -> &str {
        let (Self::Same(version) | Self::Like(version)) = self;
        version
    }
}

/// The lines of a recording after the first ones.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The file for messages.
    path: PathBuf,
    lines: Lines,
    /// The lines to which the lines `^` refer.
    like: Option<Box<Rows>>,
}

#[derive(Clone, Debug)]
enum Lines {
    /// The lines of a text, the start of each of them, and the end of the last one.
    Text(String, Vec<usize>),
    /// The lines of a file in the program. They are unpacked when they are needed.
    Packed(urlstrata_engines::Lines),
}

impl Rows {
    /// Divides `text`. Errors name the file at `path`.
    pub(super) fn of(path: &Path, text: String) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        let unended = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
        let starts = std::iter::once(0).chain(ends).chain(unended).collect();
        Self { path: path.to_owned(), lines: Lines::Text(text, starts), like: None }
    }

    /// Returns line `number` of the file itself, without its end.
    fn own(&self, number: usize) -> Option<&str> {
        match &self.lines {
            Lines::Text(text, starts) => {
                Some(text[*starts.get(number)?..*starts.get(number + 1)?].trim_end_matches(['\n', '\r']))
            }
            Lines::Packed(lines) => lines.get(number),
        }
    }

    /// Returns the lines that contain line `number`: these, or those to which they refer.
    fn with(&self, number: usize) -> &Self {
        match &self.like {
            Some(like) if self.own(number) == Some(LIKE) => like,
            _ => self,
        }
    }

    /// Returns line `number`, without its end.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.with(number).own(number)
    }

    /// Returns the lines.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..).map_while(|number| self.get(number))
    }

    /// Returns an error about line `number`, with the file that contains it.
    pub(super) fn error(&self, number: usize, sentence: impl Into<String>) -> FileError {
        FileError::new(&self.with(number).path, Some(HEAD + 1 + number), sentence)
    }

    /// Checks that there are `wanted` lines, and that lines to which they refer exist. Lines in the program are not counted; tests verify
    /// them.
    ///
    /// # Errors
    ///
    /// Returns an error with the last line, and with the sentence for the number of lines that there are.
    pub(super) fn check(&self, wanted: usize, sentence: impl Fn(usize) -> String) -> Result<(), FileError> {
        for rows in self.like.iter().map(Box::as_ref).chain([self]) {
            let Lines::Text(_, starts) = &rows.lines else { continue };
            let has = starts.len() - 1;
            if has != wanted {
                return Err(FileError::new(&rows.path, Some(HEAD + has.min(wanted)), sentence(has)));
            }
        }
        Ok(())
    }

    /// Returns the lines as text, with `^` for each that is the line of `other`; `None` if most lines differ.
    fn after(&self, other: &Self) -> Option<String> {
        let lines = self.iter().zip(other.iter()).map(|(own, other)| if own == other { LIKE } else { own });
        let lines: Vec<&str> = lines.collect();
        let alike = lines.iter().filter(|line| **line == LIKE).count();
        (2 * alike > lines.len()).then(|| lines.join("\n") + "\n")
    }
}

impl fmt::Display for Rows {
    /// Writes the lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Divides `text`, the recording at `path`, into its first lines and the others.
pub(super) fn divided(path: &Path, text: &str) -> (String, Rows) {
    let lines = |count: usize| text.split_inclusive('\n').take(count).map(str::len).sum();
    let fifth = text.split_inclusive('\n').nth(HEAD);
    let refers = fifth.is_some_and(|line| line.starts_with(SAME)) && lines(HEAD + 1) == text.len();
    let (head, rest): (&str, &str) = text.split_at(lines(HEAD + usize::from(refers)));
    (head.to_owned(), Rows::of(path, rest.to_owned()))
}

/// Returns the first lines of the recording in `file`.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(super) fn head(file: &StoredFile) -> Result<String, FileError> {
    Ok(open(file)?.0)
}

/// Returns the first lines of the recording in `file`, and the others, which may refer to another file.
fn open(file: &StoredFile) -> Result<(String, Rows), FileError> {
    Ok(match file.recording() {
        Some(recording) => {
            let (path, lines) = (file.path().to_owned(), Lines::Packed(recording.lines()));
            (recording.head.to_owned(), Rows { path, lines, like: None })
        }
        None => divided(file.path(), &file.text()?),
    })
}

/// The recording of a version, with the lines of the recording to which it refers.
pub(super) struct Resolved {
    /// The first lines.
    pub(super) head: String,
    /// The first lines of the recording whose answers this one has, if it refers to one.
    pub(super) same: Option<String>,
    /// The other lines.
    pub(super) rows: Rows,
}

impl Resolved {
    /// Reads the recording in `file`, which may refer to one of `files`, the recordings of all versions of the engine.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or with the line if the recording refers to a version without a recording, to one whose
    /// recording refers to another one, or to one for another panel.
    pub(super) fn read(file: &StoredFile, files: &BTreeMap<String, StoredFile>) -> Result<Self, FileError> {
        let (head, rows) = open(file)?;
        let Some(relation) = Relation::of(&head) else { return Ok(Self { head, same: None, rows }) };
        let version = relation.version();
        let failed = |sentence: &str| {
            let line = head.lines().count();
            FileError::new(file.path(), Some(line), format!("the version {version:?} has {sentence}"))
        };
        let other = files.get(version).ok_or_else(|| failed("no recording of its own"))?;
        let (of_other, _) = open(other)?;
        match (&relation, Relation::of(&of_other)) {
            (_, None) | (Relation::Same(_), Some(Relation::Like(_))) => {}
            _ => return Err(failed("no recording of its own")),
        }
        // The second line names the panel.
        if of_other.lines().nth(1) != head.lines().nth(1) {
            return Err(failed("a recording for another panel: record both again with `urlstrata engine record`"));
        }
        let other = Self::read(other, files)?;
        Ok(match relation {
            Relation::Same(_) => Self { head, same: Some(other.head), rows: other.rows },
            Relation::Like(_) => Self { head, same: None, rows: Rows { like: Some(other.rows.into()), ..rows } },
        })
    }
}

/// A recording that is written as a file.
pub(super) trait Written {
    /// Returns the first lines.
    fn head(&self) -> String;
    /// Returns the other lines.
    fn rows(&self) -> &Rows;
    /// Returns the text of a file with the answers of `version`.
    fn same_as(&self, version: &str) -> String;
    /// Returns whether both recordings have the same answers.
    fn is_same(&self, other: &Self) -> bool;
    /// Returns whether a line has the same meaning in both recordings.
    fn is_comparable(&self, _other: &Self) -> bool {
        true
    }

    /// Returns the text of a file in which each line that is that of `other`, the recording of `version`, is `^`; `None` if most lines
    /// differ.
    fn like(&self, version: &str, other: &Self) -> Option<String> {
        let rows = self.rows().after(other.rows()).filter(|_| self.is_comparable(other))?;
        Some(format!("{} {LIKE}{version}\n{rows}", self.head().trim_end()))
    }

    /// Returns the text of the shortest file: with the answers of one of `others`, with the lines in which it differs from one of them, or
    /// with all of its lines.
    fn shortest(&self, others: &[Other<'_, Self>]) -> String
    where
        Self: Sized,
    {
        if let Some(same) = others.iter().find(|other| other.may_be_same && self.is_same(&other.recording)) {
            return self.same_as(same.version);
        }
        let complete = others.iter().filter(|other| other.is_complete);
        let like = complete.filter_map(|other| self.like(other.version, &other.recording));
        like.min_by_key(String::len).unwrap_or_else(|| format!("{}{}", self.head(), self.rows()))
    }
}

/// A version to which a recording may refer.
pub(super) struct Other<'a, R> {
    version: &'a str,
    recording: R,
    /// Whether the recording has all of its lines.
    is_complete: bool,
    /// Whether a recording may refer to all of its answers.
    may_be_same: bool,
}

/// Returns the texts of the files that change if `own`, whose file is `text`, becomes the recording of `version`: this file, and those of
/// the versions in `files` that refer to the former recording of `version`. `read` reads that of one of them; one that cannot be read is left
/// out, because it is for an earlier panel.
pub(super) fn texts<R: Written + Clone>(
    (version, own, text): (&str, &R, String),
    files: &BTreeMap<String, StoredFile>,
    read: impl Fn(&str) -> Option<R>,
) -> Vec<(String, String)> {
    let relation = |file: &StoredFile| Relation::of(&head(file).unwrap_or_default());
    let refers = |file: &StoredFile| relation(file).is_some_and(|relation| relation.version() == version);
    let is_complete = Relation::of(&text).is_none();
    let again = |(other, _): (&String, &StoredFile)| {
        let others = [Other { version, recording: own.clone(), is_complete, may_be_same: true }];
        Some((other.clone(), read(other)?.shortest(&others)))
    };
    let referring = files.iter().filter(|(other, file)| *other != version && refers(file)).filter_map(again);
    std::iter::once((version.to_owned(), text)).chain(referring).collect()
}

/// Returns the versions to which a new recording of `version` may refer, in the order of `versions`. `files` are the recordings of all
/// versions, and `read` reads that of one of them; one that cannot be read is left out, because it is for an earlier panel.
pub(super) fn others<'a, R>(
    version: &str,
    versions: impl Iterator<Item = &'a str>,
    files: &BTreeMap<String, StoredFile>,
    read: impl Fn(&str) -> Option<R>,
) -> Vec<Other<'a, R>> {
    let relation = |file: &StoredFile| Relation::of(&head(file).unwrap_or_default());
    let relations: BTreeMap<&str, Option<Relation>> =
        files.iter().map(|(version, file)| (version.as_str(), relation(file))).collect();
    let is_referred_to = |by: fn(String) -> Relation| {
        let by = Some(by(version.to_owned()));
        relations.values().any(|relation| *relation == by)
    };
    // What refers to the new recording must still find all of its lines, or at least the lines in which it differs.
    if is_referred_to(Relation::Like) {
        return Vec::new();
    }
    let may_be_same = !is_referred_to(Relation::Same);
    let other = |other: &'a str| {
        let relation = relations.get(other).filter(|relation| !matches!(relation, Some(Relation::Same(_))))?;
        Some(Other { version: other, recording: read(other)?, is_complete: relation.is_none(), may_be_same })
    };
    versions.filter(|other| *other != version).filter_map(other).collect()
}
