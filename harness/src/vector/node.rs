//! What a vector expects of something with structure: a tree that states as much as its source does.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::quoted;

/// No tree is deeper, so that none can exhaust the stack.
const DEEPEST: usize = 16;

/// A tree of values, as YAML and JSON have it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Node {
    /// Absent.
    #[default]
    Null,
    /// A mark.
    Flag(bool),
    /// A number, such as an offset in bytes.
    Number(u64),
    /// A string, which may be empty.
    Text(String),
    /// Values in order.
    List(Vec<Node>),
    /// Values by name, in the order of the file; a name stands once.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// A map of these.
    pub fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Self {
        Self::Map(entries.into_iter().map(|(name, node)| (name.to_owned(), node)).collect())
    }

    /// The value of that name in a map.
    pub fn child(&self, name: &str) -> Option<&Node> {
        match self {
            Self::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// Whether `actual` is what this expects: a map states only the names that it has, all else is stated whole.
    ///
    /// # Errors
    ///
    /// Where they part, as a path of names and numbers from 0, with what is expected and what is there.
    pub fn fits(&self, actual: &Node) -> Result<(), String> {
        let part = || Err(format!(": expected {}, found {}", self.canonical(), actual.canonical()));
        match (self, actual) {
            (Self::Map(expected), Self::Map(_)) => expected.iter().try_for_each(|(name, node)| {
                let there = actual.child(name).ok_or_else(|| format!(" has no {name:?}"))?;
                node.fits(there).map_err(|why| format!(".{name}{why}"))
            }),
            (Self::List(expected), Self::List(list)) => {
                if expected.len() != list.len() {
                    return part();
                }
                let mut pairs = expected.iter().zip(list).enumerate();
                pairs.try_for_each(|(at, (node, there))| node.fits(there).map_err(|why| format!("[{at}]{why}")))
            }
            _ if self == actual => Ok(()),
            _ => part(),
        }
    }

    /// On one line, every string in double quotes.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.push(&mut out);
        out
    }

    fn push(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Flag(flag) => drop(write!(out, "{flag}")),
            Self::Number(number) => drop(write!(out, "{number}")),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(list) => {
                out.push('[');
                for (index, node) in list.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    node.push(out);
                }
                out.push(']');
            }
            Self::Map(entries) => {
                out.push('{');
                for (index, (name, node)) in entries.iter().enumerate() {
                    let _ = write!(out, "{}{}: ", if index > 0 { ", " } else { "" }, key(name));
                    node.push(out);
                }
                out.push('}');
            }
        }
    }

    /// As the value of a key that stands `indent` spaces in: a list of lists or maps has a line for each of them.
    pub fn push_block(&self, indent: usize, out: &mut String) {
        match self {
            Self::List(list) if list.iter().any(|node| matches!(node, Self::Map(_) | Self::List(_))) => {
                for node in list {
                    let _ = write!(out, "\n{:indent$}  - {}", "", node.canonical());
                }
                out.push('\n');
            }
            _ => {
                out.push(' ');
                self.push(out);
                out.push('\n');
            }
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Option<&str>> for Node {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Null, Self::from)
    }
}

impl From<usize> for Node {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<N: Into<Node>> FromIterator<N> for Node {
    fn from_iter<I: IntoIterator<Item = N>>(nodes: I) -> Self {
        Self::List(nodes.into_iter().map(Into::into).collect())
    }
}

/// A name as a key: bare where YAML reads it so, else in double quotes.
pub(super) fn key(name: &str) -> String {
    let bare = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&name.to_lowercase().as_str());
    if bare { name.to_owned() } else { quoted(name) }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DeserializeSeed::deserialize(NodeAt(0), deserializer)
    }
}

/// A node so many levels down.
#[derive(Clone, Copy)]
struct NodeAt(usize);

impl<'de> DeserializeSeed<'de> for NodeAt {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        if self.0 > DEEPEST {
            return Err(de::Error::custom(format!("an expectation is more than {DEEPEST} levels deep")));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeAt {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, true, false, a number, a string in double quotes, a list or a mapping")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Node, E> {
        Ok(Node::Flag(flag))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Number(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element_seed(NodeAt(self.0 + 1))? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            let node = map.next_value_seed(NodeAt(self.0 + 1))?;
            if !names.insert(name.clone()) {
                return Err(de::Error::custom(format!("the key {name:?} stands twice")));
            }
            entries.push((name, node));
        }
        Ok(Node::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Node;

    fn node(yaml: &str) -> Node {
        serde_yaml::from_str(yaml).expect("a tree")
    }

    #[test]
    fn what_is_not_named_is_not_expected() {
        let actual = node(r#"{a: "x", b: ["y", {c: 1, d: null}]}"#);
        assert_eq!(node(r#"{b: ["y", {c: 1}]}"#).fits(&actual), Ok(()));
        assert!(node(r#"{b: ["y"]}"#).fits(&actual).is_err());
        let why = node(r#"{b: ["y", {d: ""}]}"#).fits(&actual);
        assert_eq!(why, Err(r#".b[1].d: expected "", found null"#.to_owned()));
        assert_eq!(node("{e: 1}").fits(&actual), Err(r#" has no "e""#.to_owned()));
    }

    #[test]
    fn canonical_form_is_read_as_the_same_tree() {
        for yaml in [r#"{a: "x\n", "b c": [null, true, 3, []], "yes": {}}"#, "[[1], [2, {a: 3}]]", r#""a #b""#] {
            let tree = node(yaml);
            assert_eq!(node(&tree.canonical()), tree);
            let mut block = "key:".to_owned();
            tree.push_block(0, &mut block);
            assert_eq!(node(&block), Node::Map(vec![("key".to_owned(), tree)]));
        }
    }

    #[test]
    fn deep_and_doubled_trees_are_refused() {
        let deep = "[".repeat(40) + &"]".repeat(40);
        let said = |yaml: &str| serde_yaml::from_str::<Node>(yaml).expect_err("a fault").to_string();
        assert!(said(&deep).contains("levels deep"));
        assert!(said("{a: 1, a: 2}").contains("stands twice"));
        assert!(said("1.5").contains("a string in double quotes"));
    }
}
