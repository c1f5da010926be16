//! Documents: the bases and links that each specification finds in HTML, MIME messages and text.

use serde::{Deserialize, Serialize};
use serde_yaml::Value;
use urlstrata::revision::Revision;
use urlstrata::{Meaning, Trace};

use super::{Expectations, Kind, compare, known_revision, steps_of};
use crate::document::{self, Event, Link, Part, Reader};
use crate::vector::coverage::StepRun;

/// A document, and its parts with their bases and links.
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
    /// The base that the application uses if there is no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_base: Option<String>,
    /// What each specification finds in the document: a list of its parts.
    #[serde(default)]
    pub parts: Expectations<Value>,
}

/// A part of a document, with the keys that a vector may expect.
#[derive(Serialize)]
struct FoundPart {
    part: String,
    r#type: String,
    encoding: &'static str,
    base: String,
    layer: &'static str,
    section: &'static str,
    stated: Vec<StatedBase>,
    layers: Vec<LayerBase>,
    links: Vec<FoundLink>,
    notes: Vec<String>,
}

/// A base that the content or the header of a part states.
#[derive(Serialize)]
struct StatedBase {
    by: String,
    url: Option<String>,
    why: Option<String>,
}

/// What a layer offers as a base, and why it is used or not.
#[derive(Serialize)]
struct LayerBase {
    section: &'static str,
    url: Option<String>,
    why: &'static str,
}

#[derive(Serialize)]
struct FoundLink {
    line: usize,
    place: String,
    reference: String,
    candidate: Option<String>,
    target: Option<String>,
    same_document: bool,
}

impl Kind for DocumentCase {
    const SUBJECT: &'static str = "document";
    const EXPECTATIONS: &'static [&'static str] = &["parts"];

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

    /// Returns the parts of the document, and the steps that gave each its base.
    fn parts(&self, revision: &'static Revision) -> Result<(Vec<FoundPart>, Vec<Trace>), String> {
        let (reader, kind) = self.reader(revision)?;
        let (mut parts, mut traces) = (Vec::<FoundPart>::new(), Vec::new());
        let read = reader.read(self.document.as_bytes(), kind, &mut |event| {
            match (event, parts.last_mut()) {
                (Event::Part(part), _) => {
                    parts.push(FoundPart::of(part));
                    traces.push(part.trace.clone());
                }
                (Event::Link(link), Some(part)) => part.links.push(FoundLink::of(link)),
                (Event::Note(note), Some(part)) => part.notes.push(note.to_owned()),
                (Event::Link(_) | Event::Note(_), None) => {}
            }
            Ok(())
        });
        read.map_err(|error| format!("{} does not read {:?}: {error:?}", revision.id, self.document))?;
        Ok((parts, traces))
    }
}

impl FoundPart {
    fn of(part: &Part) -> Self {
        let stated = part.stated.iter().map(|stated| StatedBase {
            by: stated.by.clone(),
            url: stated.url.clone().ok(),
            why: stated.url.clone().err(),
        });
        let layers = part.base.layers.iter().map(|layer| LayerBase {
            section: layer.section,
            url: layer.url.clone(),
            why: layer.selection.why(),
        });
        Self {
            part: part.path.clone(),
            r#type: part.media_type.clone(),
            encoding: part.encoding,
            base: part.base.url.clone(),
            layer: part.base.layer.name(),
            section: part.base.section,
            stated: stated.collect(),
            layers: layers.collect(),
            links: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl FoundLink {
    fn of(link: &Link<'_>) -> Self {
        let target = link.target();
        Self {
            line: link.line,
            place: link.place.to_string(),
            reference: link.reference.to_string(),
            candidate: link.candidate.as_deref().map(str::to_owned),
            same_document: target.as_ref().is_ok_and(|target| target.meaning == Meaning::SameDocument),
            target: target.ok().map(|target| target.url),
        }
    }
}
