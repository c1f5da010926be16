//! What a document finds in running text, as a tree that vectors can expect.

use urlstrata::context::{Ambiguity, Delimiter, Extractor, FoundUrl};
use urlstrata::revision;

use crate::vector::Node;

/// Whether a vector may ask revision `id` for URLs in running text.
///
/// # Errors
///
/// A sentence about it if not.
pub fn check(id: &str) -> Result<(), String> {
    let able = revision::ALL.iter().filter(|revision| revision.context.is_some());
    match specification(id) {
        Some(_) => Ok(()),
        None => {
            let able: Vec<_> = able.map(|revision| revision.id).collect();
            Err(format!("{id} does not say how URLs stand in running text: {} do", able.join(", ")))
        }
    }
}

/// Whether revision `id` finds in `text` what a vector expects.
///
/// # Errors
///
/// Where it does not.
pub fn verify(id: &str, text: &str, expected: &Node) -> Result<(), String> {
    let Some(specification) = specification(id) else { return check(id) };
    let found: Node = specification.find(text).map(|find| found(&find, text)).collect();
    expected.fits(&found).map_err(|why| format!("{id} in {text:?}: finds{why}"))
}

pub(crate) fn specification(id: &str) -> Option<&'static Extractor> {
    revision::by_id(id)?.context
}

fn found(find: &FoundUrl<'_>, text: &str) -> Node {
    let delimiter = match find.delimiter {
        Delimiter::PrefixedBrackets => "prefixed brackets",
        Delimiter::Brackets => "brackets",
        Delimiter::Quotes => "quotes",
        Delimiter::WhiteSpace => "white space",
    };
    let (url, candidate) = find.candidates(text);
    let hyphens = match &find.ambiguity {
        Ambiguity::Hyphens(at) => at.as_slice(),
        Ambiguity::None | Ambiguity::TrailingPunctuation(_) => &[],
    };
    Node::map([
        ("url", (*url).into()),
        ("candidate", candidate.as_deref().into()),
        ("hyphens", hyphens.iter().copied().collect()),
        ("wrapper", [find.wrapper.start, find.wrapper.end].into_iter().collect()),
        ("content", [find.content.start, find.content.end].into_iter().collect()),
        ("delimiter", delimiter.into()),
    ])
}
