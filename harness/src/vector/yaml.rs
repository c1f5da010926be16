//! How a vector's parts stand in YAML.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::{Expected, PartValue, UniqueMap};
use crate::engine::Outcome;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Unique<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Unique<T> {
            type Value = UniqueMap<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value = map.next_value()?;
                    if entries.insert(key.clone(), value).is_some() {
                        return Err(de::Error::custom(format!("the key {key:?} stands twice")));
                    }
                }
                Ok(UniqueMap(entries))
            }
        }
        deserializer.deserialize_map(Unique(PhantomData))
    }
}

impl serde::Serialize for Expected {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Url { url, .. } => Outcome::Url(url.clone()).serialize(serializer),
            Self::Refused => serializer.serialize_str("refused"),
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
                    (None, true) => Ok(Expected::Refused),
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
