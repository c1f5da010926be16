//! What an observed result looks like, if nothing that is known gives it. These are observations about texts, and never causes.

use urlstrata::revision::rfc3986;

use crate::outcome::Outcome;

/// The components that are compared, in the order of a URL.
const COMPONENTS: [&str; 5] = ["scheme", "authority", "path", "query", "fragment"];

/// The largest number of components in which two results differ that are near to each other.
pub(super) const MOST_DIFFERING: usize = 2;

/// Returns the components of RFC 3986 in which two URLs differ.
pub(super) fn differing(one: &str, other: &str) -> Vec<&'static str> {
    let [one, other] = [one, other].map(|url| rfc3986::REVISION.parse(url).unwrap_or_default());
    COMPONENTS.into_iter().filter(|name| one.component(name).flatten() != other.component(name).flatten()).collect()
}

/// Returns a clause about what the text `got` is put together from, and one about how it differs from `right`, the result of a specification,
/// with its name. Each is true, and says nothing about why.
pub(super) fn clauses(
    base: &str,
    reference: &str,
    right: Option<(&str, &str)>,
    got: &str,
) -> (Option<String>, Option<String>) {
    let (before, _) = base.split_at(base.find(['?', '#']).unwrap_or(base.len()));
    let folder = before.rfind('/').map_or("", |at| &before[..=at]);
    let whole = before.trim_end_matches('/');
    let bare = reference.trim_start_matches('/');
    let without_dots = |text: &str| rfc3986::REVISION.resolve("", text).map(|target| target.url).ok();
    let put_together = [
        ("is the base", base.to_owned()),
        ("is the reference", reference.to_owned()),
        ("is the base and the reference, one after the other", format!("{base}{reference}")),
        ("is the base, a slash and the reference", format!("{whole}/{bare}")),
        ("is the folder of the base and the reference, with the dot segments", format!("{folder}{reference}")),
        ("is the folder of the base and the reference without its leading slash", format!("{folder}{bare}")),
    ];
    let is_got = |text: &str| text == got && right.is_none_or(|(_, right)| got != right);
    let exact = put_together.iter().find(|(_, text)| is_got(text)).map(|(what, _)| (*what).to_owned());
    let resolved = || {
        let (what, _) =
            put_together.iter().skip(2).find(|(_, text)| without_dots(text).is_some_and(|url| is_got(&url)))?;
        Some(format!("{}, without dot segments", what.trim_end_matches(", with the dot segments")))
    };
    (exact.or_else(resolved), right.and_then(|(name, right)| difference(name, right, got)))
}

/// Returns how `got` differs from `right`, the result of the specification called `name`, if one clause says it.
fn difference(name: &str, right: &str, got: &str) -> Option<String> {
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).collect::<Vec<u8>>();
    let single = |text: &str| {
        let start = text.find("://").map_or(0, |at| at + 3);
        let mut path = text[start..].to_owned();
        while path.contains("//") {
            path = path.replace("//", "/");
        }
        format!("{}{path}", &text[..start])
    };
    Some(match () {
        () if right == got => return None,
        () if right.eq_ignore_ascii_case(got) => {
            format!("differs from the result of {name} in upper and lower case only")
        }
        () if single(got) == right => format!("has two slashes where the result of {name} has one"),
        () if decoded(got) == decoded(right) => format!("differs from the result of {name} in percent-encoding only"),
        () if got.strip_suffix('/') == Some(right) => format!("is the result of {name} with a slash at its end"),
        () if right.strip_suffix('/') == Some(got) => format!("is the result of {name} without the slash at its end"),
        () => {
            let differing = differing(right, got);
            let is_missing = |name: &str| {
                let has =
                    |url: &str| rfc3986::REVISION.parse(url).unwrap_or_default().component(name).flatten().is_some();
                has(right) && !has(got)
            };
            match differing.as_slice() {
                [only] if is_missing(only) => format!("is the result of {name} without the {only}"),
                // The note about where the results part says it.
                _ => return None,
            }
        }
    })
}

/// Returns the index of the result that has the fewest components other than `got`; of equal ones the first. `None` if no result is a URL.
pub(super) fn nearest<'a>(got: &str, results: impl Iterator<Item = &'a Outcome>) -> Option<usize> {
    let urls = results.enumerate().filter_map(|(index, outcome)| Some((index, outcome.url()?)));
    let distance = |url: &str| {
        let common = url.bytes().zip(got.bytes()).take_while(|(one, other)| one == other).count();
        (differing(url, got).len(), got.len().abs_diff(url.len()), got.len() - common)
    };
    urls.min_by_key(|(_, url)| distance(url)).map(|(index, _)| index)
}
