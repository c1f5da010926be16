//! How a vector's parts stand in YAML.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::{Expected, PartValue};
use crate::outcome::Outcome;

/// Reads a file's text.
///
/// Aliases can make much of little: a text that would come to several times its length is refused before any of it is kept.
///
/// # Errors
///
/// A line, if it can be told, and a sentence about the text.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, (Option<usize>, String)> {
    if let Some(line) = too_deep(text) {
        return Err((
            Some(line),
            format!(
                "brackets are open more than {DEEPEST} deep: no vector needs more than a few (vectors/README.md describes the format)"
            ),
        ));
    }
    // Without these there is no alias, and most files are read but once.
    let weighed = if text.contains('&') && text.contains('*') { weigh(text) } else { Ok(()) };
    weighed.and_then(|()| serde_yaml::from_str(text)).map_err(|error| {
        let sentence = error.to_string();
        let sentence = sentence.split(" at line ").next().unwrap_or_default();
        // What is missing at the end is said to be on a line behind it.
        let lines = text.lines().count().max(1);
        let line = error.location().map(|location| location.line().min(lines));
        (line, format!("{sentence} (vectors/README.md describes the format)"))
    })
}

/// No more brackets may be open at a time: the library's time grows with the square of that, before it refuses them.
const DEEPEST: usize = 1000;

/// The line on which more brackets than that are open, those in quotes counted with the others.
fn too_deep(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    let at = text.bytes().position(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > DEEPEST
    })?;
    Some(text[..at].matches('\n').count() + 1)
}

/// Whether what `text` comes to, with its aliases written out, is in proportion to it. Every value counts one, and no escape
/// makes more than half as much again of what it stands in.
fn weigh(text: &str) -> Result<(), serde_yaml::Error> {
    let left = Cell::new(4 * text.len() + 64);
    Weight(&left).deserialize(serde_yaml::Deserializer::from_str(text))
}

/// Reads anything and keeps nothing, as long as there is something left.
#[derive(Clone, Copy)]
struct Weight<'l>(&'l Cell<usize>);

impl Weight<'_> {
    fn take<E: de::Error>(self, length: usize) -> Result<(), E> {
        let left = self.0.get().checked_sub(length + 1);
        self.0.set(
            left.ok_or_else(|| E::custom("aliases repeat more than the file is long: write out what they stand for"))?,
        );
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Weight<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Weight<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.take(0)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.take(0)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.take(0)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.take(0)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<(), E> {
        self.take(0)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<(), E> {
        self.take(0)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.take(0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.take(text.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(self)?.is_some() {}
        self.take(0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key_seed(self)?.is_some() {
            map.next_value_seed(self)?;
        }
        self.take(0)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        let ((), value) = tagged.variant_seed(self)?;
        value.newtype_variant_seed(self)
    }
}

impl serde::Serialize for Expected {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Url { url, .. } => Outcome::Url(url.clone()).serialize(serializer),
            Self::Failure => serializer.serialize_str("refused"),
        }
    }
}

impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            url: Option<String>,
            same_document: Option<bool>,
            #[serde(default)]
            refused: bool,
        }
        struct StringOrFields;
        impl<'de> Visitor<'de> for StringOrFields {
            type Value = Expected;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a URL in double quotes, or a mapping of url and same_document, or {refused: true}")
            }

            fn visit_str<E: de::Error>(self, url: &str) -> Result<Expected, E> {
                Ok(Expected::Url { url: url.to_owned(), same_document: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expected, A::Error> {
                let fields = Fields::deserialize(de::value::MapAccessDeserializer::new(map))?;
                match (fields.url, fields.refused) {
                    (Some(url), false) => Ok(Expected::Url { url, same_document: fields.same_document }),
                    (None, true) => Ok(Expected::Failure),
                    _ => Err(de::Error::custom("an expectation is either a url or refused")),
                }
            }
        }
        deserializer.deserialize_any(StringOrFields)
    }
}

impl<'de> Deserialize<'de> for PartValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Part;
        impl Visitor<'_> for Part {
            type Value = PartValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a component in double quotes, or null for an absent one")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PartValue, E> {
                Ok(PartValue::Text(text.to_owned()))
            }

            fn visit_unit<E: de::Error>(self) -> Result<PartValue, E> {
                Ok(PartValue::Absent)
            }

            fn visit_bool<E: de::Error>(self, flag: bool) -> Result<PartValue, E> {
                Ok(PartValue::Flag(flag))
            }
        }
        deserializer.deserialize_any(Part)
    }
}

#[cfg(test)]
mod tests {
    use serde_yaml::Value;

    use super::from_text;
    use crate::vector::Node;

    fn said(text: &str) -> String {
        from_text::<Node>(text).expect_err("a fault").1
    }

    /// Written out, these would be some gigabytes.
    #[test]
    fn aliases_that_repeat_more_than_the_file_is_long_are_refused() {
        let long = format!("- &a \"{}\"\n{}", "x".repeat(1 << 20), "- *a\n".repeat(1 << 15));
        assert!(said(&long).contains("aliases repeat more"), "{}", said(&long));
        let levels = (1..8).map(|level| format!("a{level}: &a{level} [{}]\n", format!("*a{},", level - 1).repeat(20)));
        let laughs = format!("a0: &a0 \"ha\"\n{}", levels.collect::<String>());
        assert!(said(&laughs).contains("aliases repeat more"), "{}", said(&laughs));
    }

    #[test]
    fn a_few_aliases_and_their_signs_are_read() {
        assert_eq!(from_text::<Node>("[&a \"x\", *a, \"a&b*c\"]"), from_text("[\"x\", \"x\", \"a&b*c\"]"));
        assert!(from_text::<Value>("[&a !t x, *a, -1, 1.5, true, ~, {b: *a}]").is_ok());
    }

    /// Twice as deep takes four times as long: a hundred thousand levels took minutes.
    #[test]
    fn what_is_too_deep_is_refused_before_it_is_read() {
        assert!(said(&"[".repeat(2 << 20)).starts_with("brackets are open more than 1000 deep"));
        assert!(said(&"{a: ".repeat(1 << 20)).starts_with("brackets are open more than 1000 deep"));
        assert!(from_text::<Node>(&format!("[{}]", "[\"[\"], ".repeat(900))).is_ok());
    }

    #[test]
    fn a_fault_is_on_a_line_that_there_is() {
        assert_eq!(from_text::<Node>("a: \"e\"\n\\u200b").map_err(|fault| fault.0), Err(Some(2)));
        assert_eq!(from_text::<Node>("\"").map_err(|fault| fault.0), Err(Some(1)));
    }
}
