//! What is found in a document, as a tree that vectors can expect.

use urlstrata::{Meaning, Trace, revision};

use crate::document::{DocumentKind, Event, Link, Part, Reader};
use crate::vector::{Node, Vector};

/// Whether a vector may ask revision `id` about a document.
///
/// # Errors
///
/// A sentence about it if not.
pub fn check(id: &str, vector: &Vector) -> Result<(), String> {
    reader(id, vector).map(|_| ())
}

/// Whether revision `id` finds in `document` what a vector expects: a list of its parts.
///
/// # Errors
///
/// Where it does not.
pub fn verify(id: &str, vector: &Vector, document: &str, expected: &Node) -> Result<(), String> {
    let (parts, _) = read(id, vector, document)?;
    expected.fits(&parts).map_err(|why| format!("{id} in {document:?}: parts{why}"))
}

/// The steps that gave each part of a vector's document its base.
pub(crate) fn traces(id: &str, vector: &Vector, document: &str) -> Vec<Trace> {
    read(id, vector, document).map(|(_, traces)| traces).unwrap_or_default()
}

fn reader<'v>(id: &str, vector: &'v Vector) -> Result<(Reader<'v>, DocumentKind), String> {
    let name = vector.kind.as_deref().ok_or("a document has to have a `type`: html, mime or text")?;
    let kind = DocumentKind::by_name(name)
        .ok_or_else(|| format!("no type is called {name:?}: there are html, mime and text"))?;
    let revision = revision::by_id(id).ok_or_else(|| format!("no revision is called {id:?}"))?;
    let reader = Reader::new(revision, vector.retrieved_from.as_deref(), vector.default_base.as_deref());
    let reader = reader.map_err(|unfit| unfit.to_string())?;
    Ok((reader.keeping_steps(), kind))
}

fn read(id: &str, vector: &Vector, document: &str) -> Result<(Node, Vec<Trace>), String> {
    let (reader, kind) = reader(id, vector)?;
    let mut found = Found::default();
    let told = reader.read(document.as_bytes(), kind, &mut |event| {
        match event {
            Event::Part(part) => found.begin(part),
            Event::Link(link) => found.links.push(link_as_node(link)),
            Event::Note(note) => found.notes.push(note.into()),
        }
        Ok(())
    });
    told.map_err(|error| format!("{id} does not read {document:?}: {error:?}"))?;
    found.close();
    Ok((Node::List(found.parts), found.traces))
}

/// What was found so far.
#[derive(Default)]
struct Found {
    parts: Vec<Node>,
    traces: Vec<Trace>,
    open: Option<Part>,
    links: Vec<Node>,
    notes: Vec<Node>,
}

impl Found {
    fn begin(&mut self, part: &Part) {
        self.close();
        self.traces.push(part.trace.clone());
        self.open = Some(part.clone());
    }

    fn close(&mut self) {
        let Some(part) = self.open.take() else { return };
        let stated = part.stated.iter().map(|stated| {
            let (url, why) = (stated.url.as_deref().ok(), stated.url.as_deref().err());
            Node::map([("by", stated.by.as_str().into()), ("url", url.into()), ("why", why.map(String::as_str).into())])
        });
        let held = part.base.layers.iter().map(|held| {
            let url = held.url.as_deref();
            Node::map([("section", held.section.into()), ("url", url.into()), ("why", held.selection.why().into())])
        });
        self.parts.push(Node::map([
            ("part", part.path.as_str().into()),
            ("type", part.media_type.as_str().into()),
            ("encoding", part.encoding.into()),
            ("base", part.base.url.as_str().into()),
            ("layer", part.base.layer.name().into()),
            ("section", part.base.section.into()),
            ("stated", stated.collect()),
            ("held", held.collect()),
            ("links", Node::List(std::mem::take(&mut self.links))),
            ("notes", Node::List(std::mem::take(&mut self.notes))),
        ]));
    }
}

fn link_as_node(link: &Link<'_>) -> Node {
    let target = link.target();
    let same_document = target.as_ref().is_ok_and(|target| target.meaning == Meaning::SameDocument);
    Node::map([
        ("line", link.line.into()),
        ("place", (*link.place).into()),
        ("reference", (*link.reference).into()),
        ("candidate", link.candidate.as_deref().into()),
        ("target", target.as_ref().ok().map(|target| target.url.as_str()).into()),
        ("same_document", same_document.into()),
    ])
}
