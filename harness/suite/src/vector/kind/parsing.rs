//! Vectors of parsing: the components of a URL, the fields of its scheme, and the actions of a client.

use serde::{Deserialize, Serialize};
use serde_yaml::{Mapping, Value};
use urlstrata::revision::Revision;
use urlstrata::scheme;

use super::{Expectations, Kind, compare, known_revision, steps_of};
use crate::vector::coverage::StepRun;

/// A URL, and the expected result of parsing it. `{failure: …}` expects that the specification rejects the URL.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ParsingCase {
    /// The URL.
    pub url: String,
    /// Its components; `null` is an absent component.
    #[serde(default, skip_serializing_if = "Expectations::is_empty")]
    pub components: Expectations<Value>,
    /// The fields that the rules of its scheme define.
    #[serde(default, skip_serializing_if = "Expectations::is_empty")]
    pub fields: Expectations<Value>,
    /// The actions of a client with this URL, in order.
    #[serde(default, skip_serializing_if = "Expectations::is_empty")]
    pub actions: Expectations<Value>,
}

impl ParsingCase {
    pub(crate) const SUBJECT: &str = "url";
}

impl Kind for ParsingCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["components", "fields", "actions"]
    }

    fn specifications(&self) -> Vec<&str> {
        let mut ids: Vec<_> = self.components.ids().chain(self.fields.ids()).chain(self.actions.ids()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn check(&self, id: &str) -> Result<(), String> {
        let revision = known_revision(id)?;
        let mut components = revision.components.to_vec();
        components.push("failure");
        check_names(self.components.get(id), &components, &format!("{id} has no component"))?;
        if self.fields.get(id).is_none() && self.actions.get(id).is_none() {
            return Ok(());
        }
        let read = revision.read(&self.url).ok_or_else(|| format!("{id} describes no schemes: rfc1738 does"))?;
        let Ok(url) = read else { return Ok(()) };
        let mut names: Vec<_> = url.fields().iter().map(|field| field.name).collect();
        names.extend(["cautions", "failure"]);
        check_names(self.fields.get(id), &names, &format!("{} URLs have no field", url.scheme))
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let url = &self.url;
        let compared = |key: &str, expected: Option<&Value>, actual: &dyn Fn() -> Value| match expected {
            Some(expected) => {
                compare(expected, &actual()).map_err(|why| format!("{key} of {url:?} by {}{why}", revision.id))
            }
            None => Ok(()),
        };
        compared("components", self.components.get(revision.id), &|| components(revision, url))?;
        let Some(read) = revision.read(url) else { return Ok(()) };
        compared("fields", self.fields.get(revision.id), &|| read.as_ref().map_or_else(rejected, fields))?;
        compared("actions", self.actions.get(revision.id), &|| read.as_ref().map_or_else(rejected, actions))?;
        match read {
            Ok(read) if read.to_string() != *url => Err(format!("{url:?} is serialized as {read}")),
            _ => Ok(()),
        }
    }

    fn steps(&self, revision: &'static Revision) -> Vec<StepRun> {
        let mut steps = Vec::new();
        if self.components.get(revision.id).is_some() {
            steps.extend(steps_of("parse", &revision.parse_traced(&self.url).1));
        }
        let of_scheme = self.fields.get(revision.id).is_some() || self.actions.get(revision.id).is_some();
        if let Some((_, trace)) = revision.read_traced(&self.url).filter(|_| of_scheme) {
            steps.extend(steps_of("scheme", &trace).chain(steps_of("parse", &trace)));
        }
        steps
    }
}

/// Checks that each key of an expectation is one of `names`.
///
/// # Errors
///
/// Returns a sentence that begins with `wrong` and lists the names.
fn check_names(expected: Option<&Value>, names: &[&str], wrong: &str) -> Result<(), String> {
    let keys = expected.and_then(Value::as_mapping).into_iter().flat_map(Mapping::keys).filter_map(Value::as_str);
    match keys.into_iter().find(|key| !names.contains(key)) {
        Some(key) => Err(format!("{wrong} {key:?}: expected one of {}", names.join(", "))),
        None => Ok(()),
    }
}

fn components(revision: &Revision, url: &str) -> Value {
    let Ok(parts) = revision.parse(url) else { return Mapping::from_iter([("failure".into(), true.into())]).into() };
    let component = |name: &&str| (Value::from(*name), parts.component(name).flatten().map_or(Value::Null, Value::from));
    revision.components.iter().map(component).collect::<Mapping>().into()
}

fn rejected(rejection: &urlstrata::Rejection) -> Value {
    Mapping::from_iter([("failure".into(), rejection.section().into())]).into()
}

fn actions(url: &scheme::Url) -> Value {
    url.actions().iter().map(ToString::to_string).collect()
}

fn fields(url: &scheme::Url) -> Value {
    let value = |value: &scheme::Value| match value {
        scheme::Value::Absent => Value::Null,
        scheme::Value::Text(text) => text.raw().into(),
        scheme::Value::Description(description) => description.as_str().into(),
        scheme::Value::List(texts) => texts.iter().map(|text| text.raw()).collect(),
        scheme::Value::Pairs(pairs) => pairs.iter().map(|(name, value)| vec![name.raw(), value.raw()]).collect(),
    };
    let mut fields: Mapping =
        url.fields().iter().map(|field| (field.name.into(), value(&field.value))).collect();
    fields.insert("cautions".into(), url.cautions().iter().map(|caution| caution.sentence.as_str()).collect());
    fields.into()
}
