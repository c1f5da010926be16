//! A validator of JSON Schema, with the keywords of the schemas that the tests use.

use std::collections::HashMap;
use std::fmt::Display;
use std::slice;

use regex::Regex;
use serde_json::{Value, json};
use urlstrata::grammar;

/// A schema, and its regular expressions. Every keyword in it is supported.
pub(crate) struct Schema {
    root: Value,
    patterns: HashMap<String, Regex>,
}

impl Schema {
    /// # Panics
    ///
    /// If any part of the schema contains a keyword that is not supported.
    #[track_caller]
    pub(crate) fn new(root: Value) -> Self {
        let mut patterns = HashMap::new();
        assert_supported(&root, &root, &mut patterns);
        Self { root, patterns }
    }

    /// Returns a sentence for each violation in `instance`.
    pub(crate) fn violations(&self, instance: &Value) -> Vec<String> {
        self.evaluate(&self.root, instance, "")
    }

    /// Returns the violations in `instance`, whose JSON pointer is `at`.
    fn evaluate(&self, schema: &Value, instance: &Value, at: &str) -> Vec<String> {
        let Value::Object(keywords) = schema else {
            return if *schema == false { vec![format!("{at}: nothing is allowed here")] } else { Vec::new() };
        };
        let nested =
            keywords.iter().flat_map(|(keyword, value)| self.evaluate_nested(schema, keyword, value, instance, at));
        let own = keywords.iter().filter(|(keyword, value)| !self.is_satisfied(keyword, value, instance));
        nested.chain(own.map(|(keyword, value)| format!("{at}: {instance} violates {keyword}: {value}"))).collect()
    }

    /// Returns the violations of a keyword with schemas for the instance or for its parts.
    fn evaluate_nested(&self, schema: &Value, keyword: &str, value: &Value, instance: &Value, at: &str) -> Vec<String> {
        let prefix = schema.get("prefixItems").map_or(&[][..], list);
        let of =
            |schema: &Value, part: &Value, name: &dyn Display| self.evaluate(schema, part, &format!("{at}/{name}"));
        match instance {
            _ if keyword == "$ref" => self.evaluate(referenced(&self.root, value), instance, at),
            Value::Object(members) => members
                .iter()
                .flat_map(|(name, member)| match (keyword, schema["properties"].get(name)) {
                    ("properties", Some(schema)) => of(schema, member, name),
                    ("additionalProperties", None) => of(value, member, name),
                    ("propertyNames", _) => of(value, &json!(name), name),
                    _ => Vec::new(),
                })
                .collect(),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .flat_map(|(index, item)| match (keyword, prefix.get(index)) {
                    ("prefixItems", Some(schema)) => of(schema, item, &index),
                    ("items", None) => of(value, item, &index),
                    _ => Vec::new(),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns whether `instance` satisfies any other keyword. A keyword about another type is satisfied.
    fn is_satisfied(&self, keyword: &str, value: &Value, instance: &Value) -> bool {
        let matching = || list(value).iter().filter(|schema| self.evaluate(schema, instance, "").is_empty()).count();
        match (keyword, instance) {
            ("type", _) => list(value).iter().any(|name| is_of_type(instance, string(name))),
            ("const", _) => value == instance,
            ("enum", _) => list(value).contains(instance),
            ("oneOf", _) => matching() == 1,
            ("anyOf", _) => matching() > 0,
            ("minimum", Value::Number(number)) => number.as_f64() >= value.as_f64(),
            ("maximum", Value::Number(number)) => number.as_f64() <= value.as_f64(),
            ("pattern", Value::String(text)) => self.patterns[string(value)].is_match(text),
            ("format", Value::String(text)) => has_format(text, string(value)),
            ("minItems", Value::Array(items)) => json!(items.len()).as_u64() >= value.as_u64(),
            ("maxItems", Value::Array(items)) => json!(items.len()).as_u64() <= value.as_u64(),
            ("uniqueItems", Value::Array(items)) => {
                *value == false || (1..items.len()).all(|index| !items[..index].contains(&items[index]))
            }
            ("minProperties", Value::Object(members)) => json!(members.len()).as_u64() >= value.as_u64(),
            ("required", Value::Object(_)) => list(value).iter().all(|name| instance.get(string(name)).is_some()),
            _ => true,
        }
    }
}

/// Asserts that each keyword in `schema` is supported, and adds its regular expressions to `patterns`.
#[track_caller]
fn assert_supported(root: &Value, schema: &Value, patterns: &mut HashMap<String, Regex>) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "const" | "enum" | "minimum" | "maximum" => {}
            "minItems" | "maxItems" | "uniqueItems" | "minProperties" | "required" => {}
            "type" => list(value).iter().for_each(|name| {
                is_of_type(&Value::Null, string(name));
            }),
            "format" => {
                has_format("", string(value));
            }
            "pattern" => drop(patterns.insert(string(value).to_owned(), Regex::new(string(value)).expect("a pattern"))),
            "$ref" => {
                referenced(root, value);
            }
            "items" | "additionalProperties" | "propertyNames" => assert_supported(root, value, patterns),
            "oneOf" | "anyOf" | "prefixItems" => list(value).iter().for_each(|it| assert_supported(root, it, patterns)),
            "properties" | "$defs" | "definitions" => {
                value.as_object().into_iter().flatten().for_each(|(_, it)| assert_supported(root, it, patterns));
            }
            _ => panic!("the keyword {keyword:?} is not supported: {schema}"),
        }
    }
}

/// Returns the elements of an array, or any other value as the only one.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(slice::from_ref(value), Vec::as_slice)
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}

fn referenced<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let found = string(reference).strip_prefix('#').and_then(|pointer| root.pointer(pointer));
    found.unwrap_or_else(|| panic!("{reference} refers to nothing"))
}

fn is_of_type(instance: &Value, name: &str) -> bool {
    match name {
        "array" => instance.is_array(),
        "boolean" => instance.is_boolean(),
        "integer" => instance.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => instance.is_number(),
        "object" => instance.is_object(),
        "string" => instance.is_string(),
        _ => panic!("the type {name:?} is not supported"),
    }
}

/// Returns whether a text has a format. Dates are not evaluated and count as invalid, because no output contains a date.
fn has_format(text: &str, format: &str) -> bool {
    let matches = |production| Some(grammar::by_revision("rfc3986")?.recognizer(production)?.is_match(text));
    match format {
        "uri" => matches("URI") == Some(true),
        "uri-reference" => matches("URI-reference") == Some(true),
        "date-time" => false,
        _ => panic!("the format {format:?} is not supported"),
    }
}

#[test]
fn every_keyword_accepts_and_rejects() {
    for (schema, valid, invalid) in [
        (json!({"type": "integer"}), json!(1.0), json!(1.5)),
        (json!({"type": ["array", "string"]}), json!([]), json!(false)),
        (json!({"const": [1]}), json!([1]), json!([2])),
        (json!({"enum": ["a", 2]}), json!(2), json!("2")),
        (json!({"minimum": 2, "maximum": 3}), json!(3), json!(1)),
        (json!({"minimum": 2, "maximum": 3}), json!("1"), json!(4)),
        (json!({"pattern": "^a+$"}), json!("aa"), json!("ab")),
        (json!({"format": "uri"}), json!("s:"), json!("//h")),
        (json!({"format": "uri-reference"}), json!("//h"), json!("a b")),
        (json!({"minItems": 1, "maxItems": 2}), json!([1, 1]), json!([])),
        (json!({"minItems": 1, "maxItems": 2}), json!({}), json!([1, 2, 3])),
        (json!({"uniqueItems": true}), json!([1, [1]]), json!([1, 2, 1])),
        (json!({"items": {"type": "number"}}), json!([0.5]), json!([1, null])),
        (json!({"prefixItems": [{"const": 1}], "items": false}), json!([1]), json!([2])),
        (json!({"prefixItems": [{"const": 1}], "items": false}), json!([]), json!([1, 1])),
        (json!({"minProperties": 1}), json!({"a": 1}), json!({})),
        (json!({"required": ["a"]}), json!({"a": null}), json!({"b": null})),
        (json!({"properties": {"a": {"const": 1}}}), json!({"b": 2}), json!({"a": 2})),
        (json!({"properties": {"a": true}, "additionalProperties": false}), json!({"a": 2}), json!({"b": 2})),
        (json!({"additionalProperties": {"const": 1}}), json!({"b": 1}), json!({"b": 2})),
        (json!({"propertyNames": {"pattern": "b"}}), json!({"ab": 1}), json!({"a": 1})),
        (json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]}), json!(1), json!(2)),
        (json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]}), json!(1.5), json!(0)),
        (json!({"anyOf": [{"const": 1}, {"const": 2}]}), json!(2), json!(3)),
        (json!({"$ref": "#/$defs/one", "$defs": {"one": {"const": 1}}}), json!(1), json!(2)),
    ] {
        let evaluated = Schema::new(schema.clone());
        assert_eq!(evaluated.violations(&valid), [""; 0], "{schema}");
        assert_eq!(evaluated.violations(&invalid).len(), 1, "{schema}: {invalid}");
    }
    let schema = Schema::new(json!({"items": {"properties": {"a": {"type": "string"}}}}));
    assert_eq!(schema.violations(&json!([{}, {"a": 1}])), ["/1/a: 1 violates type: \"string\""]);
}

#[test]
#[should_panic = "the keyword \"contains\" is not supported"]
fn a_keyword_that_is_not_supported_is_reported() {
    Schema::new(json!({"items": {"contains": {}}}));
}
