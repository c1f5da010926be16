//! Plain text: finds URLs by the revision's rules for running text.

use std::borrow::Cow;

use urlstrata::context::Delimiter;
use urlstrata::revision::appendix_b_1994;
use urlstrata_outcome::plural::counted;

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
    reader.recommend(&part.base.url, sink)?;
    let Some(specification) = reader.context() else {
        let sentence = format!("{} does not describe URLs in running text", reader.revision.specification);
        return Ok(sink(Event::Note(&sentence))?);
    };
    let mut lines = Lines::new(&text);
    let mut relative: Option<(usize, usize)> = None;
    for find in specification.find(&text) {
        let place = match find.delimiter {
            Delimiter::PrefixedBrackets => "<URL:…>",
            Delimiter::Brackets => "<…>",
            Delimiter::Quotes => "\"…\"",
            Delimiter::Prefix => "URL:…",
            Delimiter::WhiteSpace => "text",
        };
        let (reference, candidate) = find.candidates(&text);
        let line = lines.line(find.wrapper.start);
        if is_relative(&reference) {
            relative = Some(relative.map_or((line, 1), |(first, count)| (first, count + 1)));
        }
        sink(Event::Link(&Link {
            line,
            place: Cow::Borrowed(place),
            reference,
            candidate,
            base: &part.base.url,
            revision: reader.revision,
        }))?;
    }
    // Appendix B alone recommends something about relative URLs in plain text.
    match relative.filter(|_| reader.revision.id == appendix_b_1994::REVISION.id) {
        Some((first, count)) => Ok(sink(Event::Note(&recommendation(first, count)))?),
        None => Ok(()),
    }
}

fn is_relative(reference: &str) -> bool {
    let parts = appendix_b_1994::REVISION.parse(reference);
    parts.is_ok_and(|parts| parts.component("scheme").flatten().is_none())
}

/// Returns the recommendation of Appendix B about relative URLs in plain text.
fn recommendation(line: usize, count: usize) -> String {
    let urls = counted(count as u64, "relative URL", "relative URLs");
    let citation = appendix_b_1994::REVISION.citation("introduction");
    format!("{urls} in plain text, from line {line}: use absolute URLs there ({citation})")
}
