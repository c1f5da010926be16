//! Plain text: finds URLs by the revision's rules for running text.

use std::borrow::Cow;

use urlstrata::context::Delimiter;

use super::{DocumentError, Event, EventSink, Lines, Link, Part, Place, Reader, charset};

pub(super) fn read(
    reader: &Reader<'_>,
    bytes: &[u8],
    place: &Place<'_>,
    sink: EventSink<'_>,
) -> Result<(), DocumentError> {
    let (text, encoding) = charset::decode(bytes, &[place.charset]);
    let (base, trace) = reader.establish(place.own, place.enclosing);
    let (path, media_type) = (place.path.to_owned(), place.media_type.to_owned());
    let part = Part { path, media_type, encoding, stated: place.own.to_vec(), base, trace };
    sink(Event::Part(&part))?;
    let Some(specification) = reader.context() else {
        let sentence = format!("{} does not describe URLs in running text", reader.revision.specification);
        return Ok(sink(Event::Note(&sentence))?);
    };
    let mut lines = Lines::new(&text);
    for find in specification.find(&text) {
        let place = match find.delimiter {
            Delimiter::PrefixedBrackets => "<URL:…>",
            Delimiter::Brackets => "<…>",
            Delimiter::Quotes => "\"…\"",
            Delimiter::WhiteSpace => "text",
        };
        let (reference, candidate) = find.candidates(&text);
        let line = lines.line(find.wrapper.start);
            Delimiter::Prefix => "URL:…",
        sink(Event::Link(&Link {
            line,
            place: Cow::Borrowed(place),
            reference,
            candidate,
            base: &part.base.url,
            revision: reader.revision,
        }))?;
    }
    Ok(())
}
