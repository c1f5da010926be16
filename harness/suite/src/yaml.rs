//! YAML files: parsing, errors with file and line, and the canonical form.
//!
//! Only a subset of YAML is supported. Anchors, aliases, tags, keys other than strings, and duplicate keys are
//! rejected.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, de};
use serde_path_to_error::Segment;
use serde_yaml::Value;

use urlstrata_outcome::escape::{is_invisible, visible};

/// The maximum length of a file in bytes.
pub const MAX_FILE: u64 = 4 << 20;

/// The maximum number of brackets that are open at the same time, including brackets in strings. The running time of
/// the parser grows with the square of this number.
const MAX_BRACKETS: usize = 200;

/// The number of levels of the canonical form that have one entry per line.
const BLOCK_LEVELS: usize = 4;

/// The maximum width of a line of the canonical form that holds a list or a mapping.
const WIDTH: usize = 120;

/// The reason why a file was rejected: its path, the line if it is known, and a sentence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FileError {
    path: PathBuf,
    line: Option<usize>,
    sentence: String,
}

impl FileError {
    /// Creates an error about the file at `path`. Invisible characters in `sentence` are escaped.
    pub fn new(path: &Path, line: Option<usize>, sentence: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, sentence: visible(&sentence.into()) }
    }

    /// Returns the line, counted from 1; `None` if the error is about the whole file.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the sentence without path and line.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.sentence)
    }
}

impl std::error::Error for FileError {}

/// A step on the path from a value to a value that it contains.
#[derive(Clone, Debug)]
pub enum Step {
    /// To the value of this key.
    Key(String),
    /// To the entry at this index.
    Index(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub struct YamlFile {
    path: PathBuf,
    text: String,
    tree: Value,
}

impl YamlFile {
    /// Reads and parses the file at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is longer than [`MAX_FILE`], or is rejected by [`YamlFile::parse`].
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let unreadable = |error| FileError::new(path, None, format!("cannot be read: {error}"));
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(FileError::new(path, None, "is neither a file nor a folder"));
        }
        if metadata.len() > MAX_FILE {
            let sentence = format!("{} bytes long, the limit is {MAX_FILE}: split the file", metadata.len());
            return Err(FileError::new(path, None, sentence));
        }
        Self::parse(path, &fs::read(path).map_err(unreadable)?)
    }

    /// Parses `bytes`. `path` is only used in error messages.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` are not UTF-8 or not in the subset of YAML that this module describes.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
            FileError::new(path, Some(line), "not UTF-8: save the file in that encoding")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some(line) = line_of_excess_bracket(text) {
            let sentence = format!("more than {MAX_BRACKETS} brackets are open: nest fewer lists and mappings");
            return Err(FileError::new(path, Some(line), sentence));
        }
        let rejected = |error: &serde_yaml::Error| {
            let sentence = error.to_string();
            let sentence = match sentence.split(" at line ").next().unwrap_or_default() {
                "unknown anchor" => "aliases are not supported: repeat the value",
                sentence => sentence,
            };
            FileError::new(path, line_of(error, text), described(sentence))
        };
        // Aliases could repeat a long string without bound, so each alias is rejected. To find aliases, the text is
        // parsed with tags in place of anchors: without anchors, the parser rejects every alias. A tag is allowed
        // wherever an anchor is, so the rest of the syntax is unaffected.
        if text.contains('&') && text.contains('*') {
            serde_yaml::from_str::<IgnoredAny>(&text.replace('&', "!")).map_err(|error| rejected(&error))?;
        }
        let tree = serde_yaml::from_str(text).map_err(|error| rejected(&error))?;
        let file = Self { path: path.to_owned(), text: text.to_owned(), tree };
        let mut at = Vec::new();
        check_subset(&file.tree, &mut at).map_err(|sentence| file.error(&at, described(sentence)))?;
        Ok(file)
    }

    /// Deserializes the whole file.
    ///
    /// # Errors
    ///
    /// Returns an error with the line of the value that cannot be deserialized.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        self.read_value(self.tree.clone(), &[])
    }

    /// Deserializes `value`, which is the value at `at` in this file or was derived from it.
    ///
    /// # Errors
    ///
    /// Returns an error with the line of the value that cannot be deserialized.
    pub fn read_value<T: DeserializeOwned>(&self, value: Value, at: &[Step]) -> Result<T, FileError> {
        serde_path_to_error::deserialize(value).map_err(|error| {
            let inner = error.path().iter().map_while(|segment| match segment {
                Segment::Map { key } => Some(Step::Key(key.clone())),
                Segment::Seq { index } => Some(Step::Index(*index)),
                Segment::Enum { .. } | Segment::Unknown => None,
            });
            let at: Vec<_> = at.iter().cloned().chain(inner).collect();
            self.error(&at, described(&error.inner().to_string()))
        })
    }

    /// Creates an error with the line of the value at `at`.
    pub fn error(&self, at: &[Step], sentence: impl Into<String>) -> FileError {
        FileError::new(&self.path, self.line(at), sentence)
    }

    /// Returns the line on which the value at `at` begins. If there is no such value, the line is that of the nearest
    /// value that would contain it.
    pub fn line(&self, at: &[Step]) -> Option<usize> {
        let document = serde_yaml::Deserializer::from_str(&self.text);
        Locator(at).deserialize(document).err().and_then(|error| line_of(&error, &self.text))
    }

    /// Returns the line on which each entry of the list begins that is the value of `key` in the outermost mapping. `count` is the
    /// number of its entries.
    ///
    /// The parser knows a line only while it reads a value, so that [`Self::line`] parses the file for each entry. Where every
    /// entry of the list is written in the usual way, after a hyphen on a line of its own, a look at the lines serves.
    pub fn lines(&self, key: &str, count: usize) -> Vec<Option<usize>> {
        let entries = entries(&self.text, key);
        match entries.len() == count {
            true => entries.into_iter().map(Some).collect(),
            false => (0..count).map(|index| self.line(&[key.into(), index.into()])).collect(),
        }
    }

    /// Checks that the file on disk is equal to `canonical`, its canonical form.
    ///
    /// # Errors
    ///
    /// Returns an error with the first line that differs.
    pub fn lint(&self, canonical: &str) -> Result<(), FileError> {
        let text =
            fs::read_to_string(&self.path).map_err(|error| FileError::new(&self.path, None, error.to_string()))?;
        if text == canonical {
            return Ok(());
        }
        let mut pairs = text.lines().zip(canonical.lines());
        let same = pairs.position(|(is, should)| is != should).unwrap_or(canonical.lines().count() - 1);
        Err(FileError::new(&self.path, Some(same + 1), "not in canonical form: run `urlstrata vectors fmt`"))
    }

    /// Replaces the file by `canonical`, its canonical form, and returns whether it changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has a comment, which would be lost, or cannot be written.
    pub fn format(&self, canonical: &str) -> Result<bool, FileError> {
        if let Some(line) = self.text.lines().position(|line| line.trim_start().starts_with('#')) {
            let sentence = "a comment would be lost: move it into `about`, `note` or `reason`";
            return Err(FileError::new(&self.path, Some(line + 1), sentence));
        }
        if self.lint(canonical).is_ok() {
            return Ok(false);
        }
        let unwritable = |error| FileError::new(&self.path, None, format!("cannot be written: {error}"));
        crate::files::write_whole(&self.path, canonical).map_err(unwritable)?;
        Ok(true)
    }
}

/// Returns the lines, from 1, on which the entries of the block list at `key` begin. Everything that belongs to an entry is
/// indented more than its hyphen. The result has too few lines if the list is written in another way.
fn entries(text: &str, key: &str) -> Vec<usize> {
    let is_key = |line: &str| line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')).is_some_and(is_blank);
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| !is_key(line)).skip(1).peekable();
    while lines.next_if(|(_, line)| is_blank(line)).is_some() {}
    let indent = lines.peek().map_or(0, |(_, line)| line.len() - line.trim_start_matches(' ').len());
    let is_entry = |line: &str| {
        line.get(..indent).is_some_and(is_blank)
            && line[indent..].strip_prefix("- ").is_some_and(|rest| !is_blank(rest))
    };
    lines.filter(|(_, line)| is_entry(line)).map(|(index, _)| index + 1).collect()
}

/// Returns whether `text` consists of spaces and perhaps a comment.
fn is_blank(text: &str) -> bool {
    let text = text.trim_start_matches(' ');
    text.is_empty() || text.starts_with('#')
}

fn described(sentence: &str) -> String {
    format!("{sentence} (vectors/README.md describes the format)")
}

fn line_of(error: &serde_yaml::Error, text: &str) -> Option<usize> {
    // The parser reports an error at the end of the text on the line after the last one.
    error.location().map(|location| location.line().min(text.lines().count().max(1)))
}

fn line_of_excess_bracket(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    let at = text.bytes().position(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > MAX_BRACKETS
    })?;
    Some(text[..at].matches('\n').count() + 1)
}

/// Checks that there are no tags and no keys other than strings.
///
/// # Errors
///
/// Returns a sentence about the first tag or key that is found. `at` is then the path to it.
fn check_subset(value: &Value, at: &mut Vec<Step>) -> Result<(), &'static str> {
    let mut check = |step: Step, value: &Value| {
        at.push(step);
        check_subset(value, at)?;
        at.pop();
        Ok(())
    };
    match value {
        Value::Tagged(_) => Err("tags are not supported"),
        Value::Sequence(list) => list.iter().enumerate().try_for_each(|(index, value)| check(index.into(), value)),
        Value::Mapping(map) => map.iter().try_for_each(|(key, value)| match key {
            Value::String(key) => check(key.as_str().into(), value),
            _ => Err("a key that is not a string: put it in double quotes"),
        }),
        _ => Ok(()),
    }
}

/// A visitor that follows a path and fails at its end. The parser only reports lines in errors, so the error has the
/// line of the value.
#[derive(Clone, Copy)]
struct Locator<'p>(&'p [Step]);

impl<'de> DeserializeSeed<'de> for Locator<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Locator<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value at the end of the path")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if let [Step::Index(index), rest @ ..] = self.0 {
            for _ in 0..*index {
                list.next_element::<IgnoredAny>()?;
            }
            list.next_element_seed(Locator(rest))?;
        }
        Err(de::Error::custom("found"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if let [Step::Key(wanted), rest @ ..] = self.0 {
            while let Some(key) = map.next_key::<Value>()? {
                if key == wanted.as_str() {
                    map.next_value_seed(Locator(rest))?;
                }
                map.next_value::<IgnoredAny>()?;
            }
        }
        Err(de::Error::custom("found"))
    }
}

/// Returns `value` in the canonical form.
///
/// Strings are in double quotes. In the outer four levels, each entry begins on its own line. A deeper list or mapping
/// is on one line if the line has at most 120 columns; the same applies to a list of scalars on any level.
///
/// # Panics
///
/// Panics if `value` has no YAML form, for example a mapping whose keys are mappings.
pub fn canonical<T: Serialize>(value: &T) -> String {
    let tree = serde_yaml::to_value(value).expect("the types of files have a YAML form");
    let mut text = block(&tree, 1, WIDTH).join("\n");
    text.push('\n');
    text
}

/// Returns `value` on one line, in the notation of the canonical form.
///
/// # Panics
///
/// Panics if `value` has no YAML form.
pub fn on_one_line<T: Serialize>(value: &T) -> String {
    flow(&serde_yaml::to_value(value).expect("the types of files have a YAML form"))
}

/// Returns the lines of a value at `level`. No line is wider than `room` if it can be broken.
fn block(value: &Value, level: usize, room: usize) -> Vec<String> {
    let entries: Vec<(String, &Value)> = match value {
        Value::Mapping(map) if !map.is_empty() => {
            map.iter().map(|(name, it)| (format!("{}:", key(name)), it)).collect()
        }
        Value::Sequence(list) if !list.is_empty() => list.iter().map(|it| ("-".to_owned(), it)).collect(),
        Value::String(text) => return quoted_lines(text),
        scalar => return vec![flow(scalar)],
    };
    let mut lines = Vec::new();
    for (head, value) in entries {
        let (empty, scalars, line) = match value {
            Value::Mapping(map) => (map.is_empty(), false, flow(value)),
            Value::Sequence(list) => (list.is_empty(), list.iter().all(is_scalar), flow(value)),
            _ => (true, true, String::new()),
        };
        let fits = (level >= BLOCK_LEVELS || scalars) && head.len() + 1 + line.chars().count() <= room;
        let inner = if empty || !fits { block(value, level + 1, room.saturating_sub(2)) } else { vec![line] };
        let mut inner = inner.into_iter();
        if head == "-" || empty || fits {
            lines.push(format!("{head} {}", inner.next().unwrap_or_default()));
        } else {
            lines.push(head);
        }
        lines.extend(inner.map(|line| format!("  {line}")));
    }
    lines
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Mapping(_) | Value::Sequence(_))
}

fn flow(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Sequence(list) => format!("[{}]", list.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Mapping(map) => {
            let entries = map.iter().map(|(name, value)| format!("{}: {}", key(name), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Tagged(tagged) => flow(&tagged.value),
    }
}

/// Returns a key in the canonical form. It is only quoted if YAML would not read it as the same string without quotes.
fn key(key: &Value) -> String {
    let Value::String(name) = key else { return flow(key) };
    let is_bare = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&name.to_lowercase().as_str());
    if is_bare { name.clone() } else { quoted(name) }
}

/// Returns `text` in double quotes, with each of its lines on a separate line.
///
/// `"a\n  b"` is written as `"a\n\` and `\  b"`. YAML skips a line end after a backslash, and the spaces that follow
/// it.
fn quoted_lines(text: &str) -> Vec<String> {
    let whole = text.split_inclusive('\n').map(|line| {
        let line = quoted(line);
        line[1..line.len() - 1].to_owned()
    });
    let mut lines: Vec<_> = whole.collect();
    for line in lines.iter_mut().skip(1) {
        // A leading space would be lost. A number sign or a hyphen would look like a comment or an entry of a list.
        match line.as_bytes() {
            [b' ', ..] => line.insert(0, '\\'),
            [b'-', b'-', ..] => {}
            [first @ (b'#' | b'-'), ..] => *line = format!("\\x{first:02x}{}", &line[1..]),
            _ => {}
        }
    }
    format!("\"{}\"", lines.join("\\\n")).split('\n').map(str::to_owned).collect()
}

/// Returns `text` in double quotes, with invisible characters escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_invisible(character) && character as u32 > 0xffff => {
                out.push_str(&format!("\\U{:08x}", character as u32));
            }
            _ if is_invisible(character) => out.push_str(&format!("\\u{:04x}", character as u32)),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_yaml::Value;

    use super::{YamlFile, canonical, quoted_lines};

    fn parsed(text: &str) -> Result<Value, (Option<usize>, String)> {
        let file = YamlFile::parse(Path::new("a.yaml"), text.as_bytes());
        file.map(|file| file.tree).map_err(|error| (error.line(), error.sentence().to_owned()))
    }

    #[track_caller]
    fn rejected(text: &str, line: usize, sentence: &str) {
        let error = parsed(text).expect_err("an error");
        assert!(error.0 == Some(line) && error.1.starts_with(sentence), "{error:?}");
    }

    /// Expanded, these files would have some gigabytes.
    #[test]
    fn aliases_are_rejected() {
        let aliases = "aliases are not supported: repeat the value";
        rejected(&format!("- &a \"{}\"\n{}", "x".repeat(1 << 20), "- *a\n".repeat(1 << 15)), 2, aliases);
        let levels = (1..8).map(|level| format!("a{level}: &a{level} [{}]\n", format!("*a{},", level - 1).repeat(20)));
        rejected(&format!("a0: &a0 \"ha\"\n{}", levels.collect::<String>()), 2, aliases);
        rejected("a: *b\n", 1, aliases);
        assert!(parsed("[\"x&y *z\", \"&a\", \"*a\"]").is_ok());
    }

    #[test]
    fn deep_nesting_is_rejected_before_it_is_parsed() {
        rejected(&"[".repeat(2 << 20), 1, "more than 200 brackets are open");
        rejected(&"a:\n- {b: ".repeat(1 << 20), 202, "more than 200 brackets are open");
        rejected(&format!("a:\n{}", "- ".repeat(1000)), 2, "recursion limit exceeded");
    }

    #[test]
    fn other_yaml_is_rejected_with_its_line() {
        rejected("a: 1\nb: 2\na: 3\n", 1, "duplicate entry with key \"a\"");
        rejected("a: \"x\"\nb:\n  - 1\n  - !t 2\n", 4, "tags are not supported");
        rejected("a: {b: {1: 2}}", 1, "a key that is not a string");
        rejected("\"", 1, "found unexpected end of stream");
        rejected("a: \"e\"\n\\u200b", 2, "could not find expected ':'");
    }

    #[test]
    fn the_line_of_a_value_is_found() {
        let file = YamlFile::parse(Path::new("a.yaml"), b"a: 1\nb:\n  - c: \"x\"\n    d:\n      - 2\n      - 3\n")
            .expect("a file");
        assert_eq!(file.line(&["b".into(), 0.into()]), Some(3));
        assert_eq!(file.line(&["b".into(), 0.into(), "d".into(), 1.into()]), Some(6));
        assert_eq!(file.line(&["b".into(), 0.into(), "missing".into()]), Some(3));
    }

    #[test]
    fn the_lines_of_a_list_are_those_of_its_entries() {
        for text in [
            "x: [1]\nb:\n  - c: \"x\"\n    d:\n      - 2\n  - 3\n",
            "b:\n- 1\n- - 2\n  - 3\n- 4\nz: 5\n",
            "b: # of two\n\n  # the first\n  - a: 1\n\n  # the second\n  - a: |\n      - 2\n      - 3\n",
            "b: [1, 2,\n  3]\n",
            "b:\n  -\n    a: 1\n  - a: 2\n",
            "b:\n  - a: \"x\n      - y\"\n  - \"- z\"\n",
            "\"b\":\n  - 1\n  - 2\n",
            "b: []\n",
        ] {
            let file = YamlFile::parse(Path::new("a.yaml"), text.as_bytes()).expect("a file");
            let count = file.tree["b"].as_sequence().expect("a list").len();
            let one_by_one: Vec<_> = (0..count).map(|index| file.line(&["b".into(), index.into()])).collect();
            assert_eq!(file.lines("b", count), one_by_one, "{text}");
        }
    }

    #[test]
    fn the_canonical_form_is_read_as_the_same_tree() {
        let long = format!("a:\n  b:\n    c:\n      d: [{}]\n", "{\"e f\": \"0123456789\\n\"}, ".repeat(9));
        for yaml in [r#"{a: "x\n", "b c": [null, true, 3, []], "yes": {}}"#, "[[1], [2, {a: 3}]]", r#""a #b""#, &long] {
            let tree = parsed(yaml).expect("a tree");
            let text = canonical(&tree);
            assert_eq!(parsed(&text), Ok(tree), "{text}");
            assert!(text.lines().all(|line| line.len() <= 120), "{text}");
        }
        let text = canonical(&parsed("{a: {b: {c: {d: {e: [1, 2]}}, f: []}}}").expect("a tree"));
        assert_eq!(text, "a:\n  b:\n    c:\n      d: {e: [1, 2]}\n    f: []\n");
    }

    #[test]
    fn a_text_of_several_lines_is_read_as_the_same_text() {
        for text in [
            "",
            "a",
            "a\n",
            "a\nb",
            "\n\n",
            "a\n  b \n#c\n- d\n\te\r\n\\\n\"f\"",
            "a\r\n b: c\n\u{feff}\n",
            "\n--x\n- name: \"a\"",
        ] {
            let written = canonical(&[text]);
            assert_eq!(parsed(&written), Ok(Value::from(vec![text])), "{written}");
            assert!(!written.lines().any(|line| line.trim_start().starts_with('#')), "{written}");
        }
        assert_eq!(quoted_lines("a\n b\n"), ["\"a\\n\\", "\\ b\\n\""]);
    }
}
