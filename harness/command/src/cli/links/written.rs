//! The output formats of `links`: text, JSON and pairs.

use std::io::{self, Write};

use serde_json::{Value, json};
use urlstrata::base::{Established, Layer, Selection};
use urlstrata::{Meaning, Resolution};
use urlstrata_harness::document::warc::Records;
use urlstrata_harness::document::{Event, Link, Part, Reader, StatedBase};
use urlstrata_harness::escape::visible;
use urlstrata_harness::pairs::bases::BaseClass;
use urlstrata_harness::plural::counted;

use crate::cli::output::quoted;

/// Writes the parts and links of documents as they are found.
pub(super) trait Writer {
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn document(&mut self, name: &str, out: &mut dyn Write) -> io::Result<()>;

    fn event(&mut self, reader: &Reader<'_>, event: Event<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the numbers of records of a WARC file, after its last page.
    fn records(&mut self, _records: &Records, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn document_end(&mut self, error: Option<&str>, out: &mut dyn Write) -> io::Result<()>;

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes human-readable text.
#[derive(Default)]
pub(super) struct Text {
    name: String,
    documents: u64,
    parts: u64,
    /// The number of parts of all previous documents.
    parts_before: u64,
    links: u64,
}

impl Writer for Text {
    fn document(&mut self, name: &str, _: &mut dyn Write) -> io::Result<()> {
        self.name = visible(name);
        self.parts_before = self.parts;
        Ok(())
    }

    fn event(&mut self, reader: &Reader<'_>, event: Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Part(part) => {
                self.parts += 1;
                write_part(&self.name, reader, part, out)
            }
            Event::Link(link) => {
                self.links += 1;
                write_link(link, out)
            }
            Event::Note(note) => writeln!(out, "  note: {}", visible(note)),
        }
    }

    fn records(&mut self, records: &Records, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.name, in_words(records))
    }

    fn document_end(&mut self, error: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        self.documents += u64::from(error.is_none());
        if self.parts > self.parts_before { writeln!(out) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let documents = counted(self.documents, "document", "documents");
        let parts = counted(self.parts, "part", "parts");
        let links = counted(self.links, "link", "links");
        writeln!(out, "{documents}, {parts}, {links}")
    }
}

fn write_part(name: &str, reader: &Reader<'_>, part: &Part, out: &mut dyn Write) -> io::Result<()> {
    let encoding = if part.encoding.is_empty() { String::new() } else { format!(", {}", part.encoding) };
    writeln!(out, "{}: {}{encoding}", name_of(name, part), visible(&part.media_type))?;
    let Established { url, section, layers: held, .. } = &part.base;
    let url = if url.is_empty() { "unknown".to_owned() } else { visible(url) };
    writeln!(out, "  base {url}")?;
    if section.is_empty() {
        writeln!(out, "    {} does not define relative URLs", reader.cite(section))?;
    } else {
        writeln!(out, "    {}: {}", reader.cite(section), source(part))?;
    }
    for stated in part.stated.iter().filter_map(|stated| stated.url.as_ref().err().map(|why| (stated, why))) {
        writeln!(out, "    not {}: the {} cannot be the base: {}", visible(&stated.0.value), stated.0.by, stated.1)?;
    }
    for held in held.iter().filter(|held| held.selection != Selection::Selected) {
        if let Some(url) = &held.url {
            let not = if held.selection == Selection::Converted { "" } else { "not " };
            writeln!(out, "    {not}{} ({}): {}", visible(url), reader.cite(held.section), held.selection.why())?;
        }
    }
    Ok(())
}

/// Returns the numbers of records, such as `2 pages, 1 other record`.
fn in_words(records: &Records) -> String {
    let Records { pages, other, too_long, undecoded, damaged, .. } = *records;
    let always = [counted(pages, "page", "pages"), counted(other, "other record", "other records")];
    let rare = [(too_long, "too long"), (undecoded, "in an unknown encoding"), (damaged, "damaged")];
    let rare = rare.into_iter().filter(|(count, _)| *count > 0).map(|(count, which)| format!("{count} {which}"));
    always.into_iter().chain(rare).collect::<Vec<_>>().join(", ")
}

/// Returns the name of `part` in the document called `document`, such as `page.eml`, `page.eml, part 2.1` or
/// `crawl.warc@1234`.
pub(super) fn name_of(document: &str, part: &Part) -> String {
    match part.path.as_str() {
        "" => document.to_owned(),
        path if path.starts_with('@') => format!("{document}{path}"),
        path => format!("{document}, part {path}"),
    }
}

/// Returns a description of the source of a part's base, such as `BASE on line 3`.
fn source(part: &Part) -> String {
    match part.base.layer {
        Layer::Content => part.stated_by().map_or_else(String::new, |stated| stated.by.clone()),
        Layer::Enclosing => "the enclosing entity".to_owned(),
        Layer::Retrieval => "the retrieval URL".to_owned(),
        Layer::Default if part.base.url.is_empty() => "no base is known".to_owned(),
        Layer::Default => "the default of the application".to_owned(),
    }
}

fn write_link(link: &Link<'_>, out: &mut dyn Write) -> io::Result<()> {
    let line = if link.line == 0 { String::new() } else { format!("line {}, ", link.line) };
    writeln!(out, "  {line}{}: {}", link.place, shown(&link.reference))?;
    if let Some(candidate) = &link.candidate {
        writeln!(out, "    or {}", shown(candidate))?;
    }
    match link.target() {
        Ok(target) => {
            let meaning = match target.meaning {
                Meaning::Retrieval => "",
                Meaning::SameDocument => " (this document)",
                Meaning::AsIs => " (no scheme)",
            };
            writeln!(out, "    {}{meaning}", shown(&target.url))
        }
        Err(rejection) => writeln!(out, "    rejected: {}", visible(rejection.reason())),
    }
}

pub(super) fn shown(text: &str) -> String {
    if text.is_empty() { "\"\"".to_owned() } else { visible(text) }
}

/// Writes a JSON array with one element for each document, incrementally.
#[derive(Default)]
pub(super) struct Json {
    documents: u64,
    parts: u64,
    links: u64,
    notes: Vec<String>,
    /// The numbers of records, if the document is a WARC file.
    records: Option<Records>,
}

impl Json {
    /// Writes the notes and the end of the current part, if there is a current part.
    fn close_part(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.parts > 0 {
            write!(out, "],\"notes\":{}}}", json!(std::mem::take(&mut self.notes)))?;
        }
        Ok(())
    }
}

impl Writer for Json {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "[")
    }

    fn document(&mut self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let comma = if self.documents > 0 { "," } else { "" };
        (self.documents, self.parts) = (self.documents + 1, 0);
        write!(out, "{comma}\n{{\"document\":{},\"parts\":[", json!(name))
    }

    fn event(&mut self, reader: &Reader<'_>, event: Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Part(part) => {
                self.close_part(out)?;
                let comma = if self.parts > 0 { "," } else { "" };
                (self.parts, self.links) = (self.parts + 1, 0);
                let object = part_as_json(reader, part).to_string();
                write!(out, "{comma}\n  {},\"links\":[", object.strip_suffix('}').unwrap_or(&object))
            }
            Event::Link(link) => {
                let comma = if self.links > 0 { "," } else { "" };
                self.links += 1;
                write!(out, "{comma}\n    {}", link_as_json(link))
            }
            Event::Note(note) => {
                self.notes.push(note.to_owned());
                Ok(())
            }
        }
    }

    fn records(&mut self, records: &Records, _: &mut dyn Write) -> io::Result<()> {
        self.records = Some(records.clone());
        Ok(())
    }

    fn document_end(&mut self, error: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        self.close_part(out)?;
        write!(out, "],")?;
        if let Some(Records { pages, other, too_long, undecoded, damaged, .. }) = self.records.take() {
            let records = json!({"pages": pages, "other": other, "too_long": too_long, "undecoded": undecoded, "damaged": damaged});
            write!(out, "\"records\":{records},")?;
        }
        write!(out, "\"error\":{}}}", json!(error))
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n]")
    }
}

fn part_as_json(reader: &Reader<'_>, part: &Part) -> Value {
    let Established { url, layer, section, layers: held } = &part.base;
    let held: Vec<_> = held
        .iter()
        .map(|held| json!({"section": reader.cite(held.section), "url": held.url, "why": held.selection.why()}))
        .collect();
    let stated = |stated: &StatedBase| json!({"by": stated.by, "value": stated.value, "url": stated.url.as_ref().ok(), "why": stated.url.as_ref().err()});
    json!({
        "part": part.path,
        "media_type": part.media_type,
        "encoding": part.encoding,
        "base": url,
        "layer": layer.name(),
        "section": reader.cite(section),
        "because": source(part),
        "stated": part.stated.iter().map(stated).collect::<Vec<_>>(),
        "held": held,
    })
}

fn link_as_json(link: &Link<'_>) -> Value {
    let mut object = json!({"line": link.line, "place": link.place, "reference": link.reference});
    if let Some(candidate) = &link.candidate {
        object["candidate"] = json!(candidate);
    }
    let target: Resolution = link.target();
    match target {
        Ok(target) => {
            object["target"] = json!(target.url);
            match target.meaning {
                Meaning::Retrieval => {}
                Meaning::SameDocument => object["same_document"] = json!(true),
                Meaning::AsIs => object["as_is"] = json!(true),
            }
        }
        Err(rejection) => object["rejected"] = json!(rejection.reason()),
    }
    object
}

/// Writes lines of base TAB reference, followed by TAB place if `with_places` is set. Links that cannot be written on
/// one line, and relative references without a base, are omitted and counted.
#[derive(Default)]
pub(super) struct Pairs {
    with_places: bool,
    /// The name of the current document; `part` is the name of its current part.
    document: String,
    part: String,
    left_out: u64,
    without_base: WithoutBase,
}

/// Relative references whose base is unknown, so that they have no target.
#[derive(Default)]
pub(super) struct WithoutBase {
    count: u64,
    /// The first one, with its place.
    first: String,
}

impl WithoutBase {
    /// Counts `link`, which is in `part`, if its base is unknown and its reference is relative. Returns whether it was counted.
    pub(super) fn take(&mut self, part: &str, link: &Link<'_>) -> bool {
        let has_scheme = || matches!(BaseClass::of(&link.reference), BaseClass::Hierarchical | BaseClass::Opaque);
        if !link.base.is_empty() || has_scheme() {
            return false;
        }
        if self.count == 0 {
            let line = if link.line == 0 { String::new() } else { format!(":{}", link.line) };
            self.first = format!("{} in {part}{line}", quoted(&link.reference));
        }
        self.count += 1;
        true
    }

    /// Writes the number of these references and what happens to them to standard error, if there are any.
    pub(super) fn report(&self, what_happens: &str) {
        if self.count > 0 {
            let have = counted(self.count, "relative reference has", "relative references have");
            let verb = if self.count == 1 { "is" } else { "are" };
            let first = &self.first;
            let sentence = format!(
                "{have} no base and {verb} {what_happens}, first {first}: name the base with --retrieved-from or --default-base"
            );
            let _ = writeln!(io::stderr(), "urlstrata: {sentence}");
        }
    }
}

impl Pairs {
    pub(super) fn new(with_places: bool) -> Self {
        Self { with_places, ..Self::default() }
    }

    /// Returns whether relative references were omitted because their base is unknown.
    pub(super) fn has_left_out_relative(&self) -> bool {
        self.without_base.count > 0
    }

    fn write_place(&self, line: usize, out: &mut dyn Write) -> io::Result<()> {
        match line {
            0 => write!(out, "\t{}", self.part),
            line => write!(out, "\t{}:{line}", self.part),
        }
    }
}

impl Writer for Pairs {
    fn document(&mut self, name: &str, _: &mut dyn Write) -> io::Result<()> {
        self.document = visible(name);
        Ok(())
    }

    fn event(&mut self, _: &Reader<'_>, event: Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        let link = match event {
            Event::Part(part) => {
                self.part = name_of(&self.document, part);
                return Ok(());
            }
            Event::Link(link) => link,
            Event::Note(_) => return Ok(()),
        };
        if self.without_base.take(&self.part, link) {
            return Ok(());
        }
        if link.base.contains(['\t', '\n', '\r']) || link.reference.contains(['\n', '\r']) {
            self.left_out += 1;
            return Ok(());
        }
        for text in [link.base, "\t", &link.reference] {
            out.write_all(text.as_bytes())?;
        }
        if self.with_places {
            self.write_place(link.line, out)?;
        }
        out.write_all(b"\n")
    }

    fn document_end(&mut self, _: Option<&str>, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        if self.left_out > 0 {
            let links = counted(self.left_out, "link", "links");
            let why = "a line cannot hold a line end, and a base cannot hold a tab";
            let _ = writeln!(io::stderr(), "urlstrata: {links} left out: {why}");
        }
        self.without_base.report("left out");
        Ok(())
    }
}
