//! The records of WAT files: what Common Crawl extracted from each page, as JSON.

use std::collections::HashMap;
use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::http::Head;
use super::page::{Content, ExtractedLink};
use super::{Offset, Page};
use crate::html;

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "Envelope")]
    envelope: Envelope,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "WARC-Header-Metadata")]
    header: Option<HashMap<String, Option<Text>>>,
    #[serde(rename = "Payload-Metadata")]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Option<Response>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(rename = "Headers")]
    headers: Option<HashMap<String, Option<Text>>>,
    #[serde(rename = "HTML-Metadata")]
    html: Option<Html>,
}

#[derive(Deserialize)]
struct Html {
    #[serde(rename = "Head", default)]
    head: HtmlHead,
    #[serde(rename = "Links", default)]
    links: Vec<Element>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HtmlHead {
    #[serde(rename = "Base")]
    base: Option<Text>,
    #[serde(rename = "Link")]
    links: Vec<Element>,
    #[serde(rename = "Scripts")]
    scripts: Vec<Element>,
    #[serde(rename = "Metas")]
    metas: Vec<Meta>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Element {
    /// The element and the attribute, such as `A@/href`.
    path: Option<Text>,
    url: Option<Text>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    #[serde(rename = "http-equiv")]
    equivalent: Option<Text>,
    content: Option<Text>,
}

/// A string that may contain unpaired surrogates, which become replacement characters. Of a list of strings, the first.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
        let first = list.next_element::<Text>()?;
        while list.next_element::<Text>()?.is_some() {}
        Ok(first.unwrap_or(Text(String::new())))
    }
}

/// Returns the page that the JSON in `bytes` describes, or `None` if it does not describe an HTML page. `url` is the URL of
/// the page, if the record has one.
pub(super) fn page(bytes: &[u8], url: &str, offset: Offset) -> Result<Option<Page>, serde_json::Error> {
    let envelope = serde_json::from_slice::<Record>(bytes)?.envelope;
    let Some(response) = envelope.payload.and_then(|payload| payload.response) else { return Ok(None) };
    let Some(html) = response.html else { return Ok(None) };
    let mut header = envelope.header.unwrap_or_default();
    let stated = header.remove("WARC-Target-URI").flatten().map(|text| text.0);
    let url = if url.is_empty() { stated.unwrap_or_default() } else { url.to_owned() };
    let mut head = Head::default();
    for (name, value) in response.headers.iter().flatten() {
        head.take(name, value.as_ref().map_or("", |text| &text.0));
    }
    // A header with several fields is a map without an order here.
    head.fields.sort();
    let base = html.head.base.map(|base| base.0);
    let elements = html.head.links.into_iter().chain(html.head.scripts).chain(html.links);
    let mut links: Vec<_> = html.head.metas.iter().filter_map(refresh).collect();
    elements.for_each(|element| add(element, &mut links));
    let media_type = if head.media_type.is_empty() { "text/html".to_owned() } else { head.media_type };
    Ok(Some(Page { offset, url, media_type, fields: head.fields, content: Content::Extracted { base, links } }))
}

fn refresh(meta: &Meta) -> Option<ExtractedLink> {
    let (equivalent, content) = (meta.equivalent.as_ref()?, meta.content.as_ref()?);
    let reference = html::refresh(&content.0).filter(|_| equivalent.0.eq_ignore_ascii_case("refresh"))?;
    Some(ExtractedLink { place: "meta content".to_owned(), reference: reference.to_owned() })
}

/// Adds the references of an element to `links`.
fn add(element: Element, links: &mut Vec<ExtractedLink>) {
    let Some(Text(value)) = element.url else { return };
    let path = element.path.map_or_else(String::new, |path| path.0.to_ascii_lowercase());
    let (name, attribute) = path.split_once("@/").unwrap_or((&path, ""));
    let place = format!("{name} {attribute}");
    let references = html::references(name, attribute, &value);
    links.extend(
        references
            .map(|reference| ExtractedLink { place: place.trim_end().to_owned(), reference: reference.to_owned() }),
    );
}
