//! Vectors of documents: the bases and links that each specification finds in HTML, MIME messages and text.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use serde_yaml::Value;
use urlstrata::revision::Revision;
use urlstrata::{Meaning, Trace};
use urlstrata_document::{self as document, Event, Link, Part, Reader};

use super::{Expectations, Kind, compare, known_revision, steps_of};
use crate::vector::coverage::StepRun;

/// A document, and the parts, bases and links that are expected.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentCase {
    /// The document.
    pub document: String,
    /// Its type: `html`, `mime` or `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The URL from which it was retrieved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_from: Option<String>,
    /// The base that the application provides for documents without another base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_base: Option<String>,
    /// The list of parts that each specification finds in the document.
    #[serde(default)]
    pub parts: Expectations<Value>,
}

impl DocumentCase {
    pub(crate) const SUBJECT: &str = "document";
}

impl Kind for DocumentCase {
    fn subject(&self) -> &'static str {
        Self::SUBJECT
    }

    fn expectations(&self) -> &'static [&'static str] {
        &["parts"]
    }

    fn specifications(&self) -> Vec<&str> {
        self.parts.ids().collect()
    }

    fn check(&self, id: &str) -> Result<(), String> {
        self.reader(known_revision(id)?).map(|_| ())
    }

    fn evaluate(&self, revision: &'static Revision) -> Result<(), String> {
        let Some(expected) = self.parts.get(revision.id) else { return Ok(()) };
        let (parts, _) = self.parts(revision)?;
        let parts = serde_yaml::to_value(parts).map_err(|error| error.to_string())?;
        compare(expected, &parts).map_err(|why| format!("{} in {:?}: parts{why}", revision.id, self.document))
    }

    fn steps(&self, revision: &'static Revision) -> Vec<StepRun> {
        let (_, traces) = self.parts(revision).unwrap_or_default();
        traces.iter().flat_map(|trace| steps_of("base", trace)).collect()
    }
}

impl DocumentCase {
    fn reader(&self, revision: &'static Revision) -> Result<(Reader<'_>, document::DocumentKind), String> {
        let name = &self.kind;
        let kind = document::DocumentKind::by_name(name)
            .ok_or_else(|| format!("no type is called {name:?}: there are html, mime and text"))?;
        let reader = Reader::new(revision, self.retrieved_from.as_deref(), self.default_base.as_deref());
        Ok((reader.map_err(|error| error.to_string())?.keeping_steps(), kind))
    }

    /// Returns the parts of the document, and for each part the steps that determine its base.
    fn parts(&self, revision: &'static Revision) -> Result<(Vec<Json>, Vec<Trace>), String> {
        let (reader, kind) = self.reader(revision)?;
        let (mut parts, mut traces) = (Vec::new(), Vec::new());
        let read = reader.read(self.document.as_bytes(), kind, &mut |event| {
            let (key, value) = match event {
                Event::Part(part) => {
                    traces.push(part.trace.clone());
                    parts.push(part_as_json(part));
                    return Ok(());
                }
                Event::Link(link) => ("links", link_as_json(link)),
                Event::Note(note) => ("notes", note.into()),
            };
            if let Some(Json::Array(list)) = parts.last_mut().and_then(|part| part.get_mut(key)) {
                list.push(value);
            }
            Ok(())
        });
        read.map_err(|error| format!("{} does not read {:?}: {error:?}", revision.id, self.document))?;
        Ok((parts, traces))
    }
}

fn part_as_json(part: &Part) -> Json {
    let stated = part.stated.iter().map(|it| json!({"by": it.by, "url": it.url.as_ref().ok(), "why": it.url.as_ref().err()}));
    let layers = part.base.layers.iter();
    let layers = layers.map(|it| json!({"section": it.section, "url": it.url, "why": it.selection.why()}));
    json!({
        "part": part.path, "type": part.media_type, "encoding": part.encoding,
        "base": part.base.url, "layer": part.base.layer.name(), "section": part.base.section,
        "stated": stated.collect::<Vec<_>>(), "layers": layers.collect::<Vec<_>>(), "links": [], "notes": [],
    })
}

fn link_as_json(link: &Link<'_>) -> Json {
    let target = link.target();
    json!({
        "line": link.line, "place": link.place, "reference": link.reference, "candidate": link.candidate,
        "target": target.as_ref().ok().map(|target| &target.url),
        "same_document": target.is_ok_and(|target| target.meaning == Meaning::SameDocument),
    })
}
