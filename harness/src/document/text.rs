//! Plain text: URLs by the revision's rules for running text.

use std::borrow::Cow;

use urlstrata::context::Delimiter;

use super::{DocumentError, Event, Lines, Link, Part, Place, Reader, Told, charset};

pub(super) fn read(reader: &Reader<'_>, bytes: &[u8], place: &Place<'_>, told: Told<'_>) -> Result<(), DocumentError> {
    let (text, encoding) = charset::decode(bytes, &[place.charset]);
    let (base, trace) = reader.establish(place.own, place.enclosing);
    let (path, media_type) = (place.path.to_owned(), place.media_type.to_owned());
    let part = Part { path, media_type, encoding, stated: place.own.to_vec(), base, trace };
    told(Event::Part(&part))?;
    let Some(reading) = reader.context() else {
        let sentence = format!("{} does not say how URLs stand in running text", reader.revision.specification);
        return Ok(told(Event::Note(&sentence))?);
    };
    let mut lines = Lines::new(&text);
    for find in reading.find(&text) {
        let place = match find.delimiter {
            Delimiter::PrefixedBrackets => "<URL:…>",
            Delimiter::Brackets => "<…>",
            Delimiter::Quotes => "\"…\"",
            Delimiter::WhiteSpace => "text",
        };
        let (reference, candidate) = find.candidates(&text);
        let line = lines.line(find.wrapper.start);
        told(Event::Link(&Link {
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
