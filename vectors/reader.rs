//! A reader of the YAML that the files of this package are written in: block mappings and sequences, flow collections on one line, and
//! strings in double quotes.

use std::fmt::{self, Display, Formatter};

/// A value of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Node {
    /// `null`, or nothing.
    Null,
    /// `true` or `false`.
    Truth(bool),
    /// A string in double quotes.
    Text(String),
    /// Another scalar: a number.
    Plain(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, with its keys in the order of the file.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Returns the value of `key`, if this is a mapping that has the key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(own, _)| own == key).map(|(_, value)| value)
    }

    /// Returns the entries; none if this is not a mapping.
    pub(crate) fn entries(&self) -> &[(String, Node)] {
        if let Self::Map(entries) = self { entries } else { &[] }
    }

    /// Returns the elements; none if this is not a sequence.
    pub(crate) fn elements(&self) -> &[Node] {
        if let Self::List(elements) = self { elements } else { &[] }
    }

    /// Returns the text, if this is a string.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the text of the string at `key`; empty if there is none.
    pub(crate) fn text_at(&self, key: &str) -> &str {
        self.get(key).and_then(Self::text).unwrap_or_default()
    }
}

/// Why a text cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct SyntaxError {
    /// The line, counted from 1.
    line: usize,
    /// What is wrong.
    why: &'static str,
}

impl Display for SyntaxError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.why)
    }
}

/// Reads a text.
///
/// # Errors
///
/// Returns an error with the line of the first character that is not of this form.
pub(crate) fn read(text: &str) -> Result<Node, SyntaxError> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let node = match reader.indent() {
        Some(indent) => reader.block(indent)?,
        None => Node::Null,
    };
    match reader.indent() {
        None => Ok(node),
        Some(_) => Err(reader.error("unexpected indentation")),
    }
}

struct Reader<'t> {
    text: &'t str,
    /// The position of the next character, in bytes.
    at: usize,
    /// The number of collections that contain it.
    depth: usize,
}

/// How deep collections may be nested.
const DEEPEST: usize = 32;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error(&self, why: &'static str) -> SyntaxError {
        SyntaxError { line: self.text[..self.at].matches('\n').count() + 1, why }
    }

    /// Moves to the first character of the next line that has content. Returns its column; `None` at the end of the text.
    fn indent(&mut self) -> Option<usize> {
        loop {
            let line = self.rest().split('\n').next().unwrap_or_default();
            let content = line.trim_start_matches(' ');
            let is_blank = content.trim_end().is_empty() || content.starts_with('#');
            match is_blank {
                false => {
                    self.at += line.len() - content.len();
                    return Some(self.column());
                }
                true if self.rest().len() == line.len() => return None,
                true => self.at += line.len() + 1,
            }
        }
    }

    /// Returns the column of the next character, counted from 0.
    fn column(&self) -> usize {
        self.at - self.text[..self.at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn block(&mut self, indent: usize) -> Result<Node, SyntaxError> {
        self.nested(|own| if own.rest().starts_with("- ") { own.sequence(indent) } else { own.mapping(indent) })
    }

    /// Reads a collection.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.depth == DEEPEST {
            return Err(self.error("collections that are nested too deep"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn sequence(&mut self, indent: usize) -> Result<Node, SyntaxError> {
        let mut elements = Vec::new();
        while self.indent() == Some(indent) && self.rest().starts_with("- ") {
            self.at += 2;
            elements.push(match self.rest().as_bytes().first() {
                Some(b'"') if !self.is_key() => self.line()?,
                Some(b'{' | b'[') => self.line()?,
                _ if self.is_key() => self.nested(|own| own.mapping(indent + 2))?,
                _ => self.line()?,
            });
        }
        Ok(Node::List(elements))
    }

    /// Returns whether the line continues with a key and a colon.
    fn is_key(&self) -> bool {
        let mut ahead = Reader { text: self.text, at: self.at, depth: 0 };
        ahead.key().is_ok()
    }

    fn mapping(&mut self, indent: usize) -> Result<Node, SyntaxError> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        while self.indent() == Some(indent) && !self.rest().starts_with("- ") {
            let key = self.key()?;
            if entries.iter().any(|(own, _)| *own == key) {
                return Err(self.error("a key that the mapping already has"));
            }
            let value = match self.rest().starts_with('\n') || self.rest().is_empty() {
                false => self.line()?,
                true => match self.indent() {
                    Some(deeper) if deeper > indent => self.block(deeper)?,
                    _ => Node::Null,
                },
            };
            entries.push((key, value));
        }
        Ok(Node::Map(entries))
    }

    /// Reads a key, its colon and the spaces after it.
    fn key(&mut self) -> Result<String, SyntaxError> {
        let key = match self.rest().starts_with('"') {
            true => self.string()?,
            false => {
                let is_of_key = |it: char| it.is_ascii_alphanumeric() || "-_".contains(it);
                let rest = self.rest();
                let key = rest[..rest.find(|it| !is_of_key(it)).unwrap_or(rest.len())].to_owned();
                self.at += key.len();
                key
            }
        };
        if key.is_empty() || !self.rest().starts_with(':') {
            return Err(self.error("expected a key and a colon"));
        }
        self.at += 1;
        self.spaces();
        Ok(key)
    }

    fn spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches(' ').len();
    }

    /// Reads a value that ends on this line, or on the line where its string ends.
    fn line(&mut self) -> Result<Node, SyntaxError> {
        let value = self.value()?;
        self.spaces();
        match self.rest().starts_with(['\n', '#', '\r']) || self.rest().is_empty() {
            true => Ok(value),
            false => Err(self.error("expected the end of the line")),
        }
    }

    fn value(&mut self) -> Result<Node, SyntaxError> {
        match self.rest().as_bytes().first() {
            Some(b'"') => self.string().map(Node::Text),
            Some(b'[') => self.nested(|own| own.flow(']', Self::value)).map(Node::List),
            Some(b'{') => self.nested(|own| own.flow('}', |own| Ok((own.key()?, own.value()?)))).map(Node::Map),
            _ => {
                let rest = self.rest();
                let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && !"-_.".contains(it));
                let word = rest[..end.unwrap_or(rest.len())].to_owned();
                self.at += word.len();
                match word.as_str() {
                    "" => Err(self.error("expected a value: a string has double quotes")),
                    "null" => Ok(Node::Null),
                    "true" => Ok(Node::Truth(true)),
                    "false" => Ok(Node::Truth(false)),
                    _ => Ok(Node::Plain(word)),
                }
            }
        }
    }

    /// Reads the elements up to `end`, each by `read`.
    fn flow<T>(
        &mut self,
        end: char,
        read: impl Fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut elements = Vec::new();
        self.at += 1;
        loop {
            self.spaces();
            if self.rest().starts_with(end) {
                self.at += 1;
                return Ok(elements);
            }
            elements.push(read(self)?);
            self.spaces();
            match self.rest().starts_with(',') {
                true => self.at += 1,
                false if self.rest().starts_with(end) => {}
                false => return Err(self.error("expected a comma or the end of the collection")),
            }
        }
    }

    /// Reads a string in double quotes.
    fn string(&mut self) -> Result<String, SyntaxError> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let plain = rest.find(['"', '\\', '\n']).ok_or_else(|| self.error("a string without its end"))?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            match self.rest().as_bytes().first() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => self.escape(&mut text)?,
                _ => return Err(self.error("a string without its end on this line")),
            }
        }
    }

    /// Reads an escape, and appends what it means.
    fn escape(&mut self, text: &mut String) -> Result<(), SyntaxError> {
        const MEANINGS: [(char, char); 17] = [
            ('"', '"'),
            ('\\', '\\'),
            ('/', '/'),
            (' ', ' '),
            ('n', '\n'),
            ('t', '\t'),
            ('r', '\r'),
            ('0', '\0'),
            ('a', '\x07'),
            ('b', '\x08'),
            ('e', '\x1b'),
            ('f', '\x0c'),
            ('v', '\x0b'),
            ('N', '\u{85}'),
            ('_', '\u{a0}'),
            ('L', '\u{2028}'),
            ('P', '\u{2029}'),
        ];
        let escape = self.rest().chars().nth(1);
        self.at += 1 + escape.map_or(0, char::len_utf8);
        let digits = match escape {
            // The string continues on the next line, without its indentation.
            Some('\n') => {
                self.spaces();
                return Ok(());
            }
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            other => {
                let found = MEANINGS.iter().find(|(name, _)| Some(*name) == other).map(|(_, meaning)| *meaning);
                text.push(found.ok_or_else(|| self.error("an escape that YAML does not have"))?);
                return Ok(());
            }
        };
        let code = self.rest().get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
        let character = code.and_then(char::from_u32);
        text.push(character.ok_or_else(|| self.error("an escape that is not a character"))?);
        self.at += digits;
        Ok(())
    }
}
