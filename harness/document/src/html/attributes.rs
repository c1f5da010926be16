//! The attributes that hold URLs, and the syntax of their values.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The syntax of an attribute that holds URLs.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Form {
    /// A URL, with optional white space around it.
    One,
    /// URLs separated by white space.
    Several,
    /// URLs separated by commas, each with an optional width or density.
    SrcSet,
    /// A URL after a number of seconds, if the element is a META with `http-equiv="refresh"`.
    Refresh,
}

/// An attribute that holds a URL.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Attribute {
    /// The name of the attribute.
    pub name: &'static str,
    /// The elements in which the attribute holds a URL; empty for all elements.
    pub elements: &'static [&'static str],
    /// The syntax of the value.
    pub form: Form,
    /// The specification and section that define the attribute.
    pub source: &'static str,
}

const fn one(name: &'static str, elements: &'static [&'static str], source: &'static str) -> Attribute {
    Attribute { name, elements, form: Form::One, source }
}

/// Every attribute that holds a URL, except BASE's. `HTML` is the index of attributes in the HTML Living Standard.
pub const ATTRIBUTES: &[Attribute] = &[
    one("href", &["a", "area", "link"], "RFC 1866 §5.7.3; HTML"),
    one("href", &["image", "use"], "SVG 2 §16.1.2"),
    one("xlink:href", &["a", "image", "use", "script"], "SVG 1.1 §5.3.2"),
    one("src", &["img", "input"], "RFC 1866 §5.10, §8.1.2; HTML"),
    one("src", &["audio", "embed", "iframe", "script", "source", "track", "video"], "HTML"),
    one("src", &["frame"], "HTML 4.01 §16.2.2"),
    one("src", &["bgsound", "image"], "no standard: as browsers have it"),
    one("action", &["form"], "RFC 1866 §8.1.1; HTML"),
    one("cite", &["blockquote", "del", "ins", "q"], "HTML 4.01 §9.2.2; HTML"),
    one("longdesc", &["img", "frame", "iframe"], "HTML 4.01 §13.2"),
    one("usemap", &["img", "input", "object"], "HTML 4.01 §13.6.1; HTML"),
    one("background", &["body", "table", "td", "th", "tr"], "HTML 4.01 §7.5.1; no standard for tables"),
    one("profile", &["head"], "HTML 4.01 §7.4.1"),
    one("classid", &["object"], "HTML 4.01 §13.3"),
    one("codebase", &["applet", "object"], "HTML 4.01 §13.3"),
    one("data", &["object"], "HTML 4.01 §13.3; HTML"),
    one("formaction", &["button", "input"], "HTML"),
    one("poster", &["video"], "HTML"),
    one("manifest", &["html"], "HTML 5.1 §4.1.1"),
    one("icon", &["command", "menuitem"], "HTML 5.1 §4.11.4"),
    one("itemid", &[], "HTML"),
    Attribute { name: "ping", elements: &["a", "area"], form: Form::Several, source: "HTML" },
    Attribute { name: "archive", elements: &["applet", "object"], form: Form::Several, source: "HTML 4.01 §13.3" },
    Attribute { name: "srcset", elements: &["img", "source"], form: Form::SrcSet, source: "HTML" },
    Attribute { name: "imagesrcset", elements: &["link"], form: Form::SrcSet, source: "HTML" },
    Attribute { name: "content", elements: &["meta"], form: Form::Refresh, source: "HTML" },
];

/// [`ATTRIBUTES`] by name.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Attribute>>> = LazyLock::new(|| {
    let mut by_name: HashMap<_, Vec<_>> = HashMap::new();
    ATTRIBUTES.iter().for_each(|attribute| by_name.entry(attribute.name).or_default().push(attribute));
    by_name
});

/// Returns the attribute called `name`, or `None` if it does not hold a URL in `element`.
pub(super) fn find(element: &str, name: &str) -> Option<&'static Attribute> {
    let fits = |attribute: &&&Attribute| attribute.elements.is_empty() || attribute.elements.contains(&element);
    BY_NAME.get(name)?.iter().find(fits).copied()
}

/// Returns whether `character` is ASCII whitespace by the HTML Standard.
pub(super) fn is_white_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// Returns the URLs of a list of image candidates (HTML, "parsing a srcset attribute").
pub(super) fn sources(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| is_white_space(c) || c == ',');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(is_white_space).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        let alone = url.trim_end_matches(',');
        if alone.len() < url.len() {
            rest = after;
            return Some(alone);
        }
        // Skip the width or density, up to a comma outside parentheses.
        let mut within = false;
        let comma = after.find(|c| {
            within = c == '(' || within && c != ')';
            c == ',' && !within
        });
        rest = comma.map_or("", |at| &after[at + 1..]);
        Some(url)
    })
}

/// Returns the URL of a refresh (HTML, "shared declarative refresh steps"), or `None` if the value contains no URL.
pub(crate) fn refresh(value: &str) -> Option<&str> {
    let value = value.trim_start_matches(is_white_space);
    let after = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if after.len() == value.len() {
        return None;
    }
    let parted = after.trim_start_matches(is_white_space);
    let rest = parted.strip_prefix([';', ',']).unwrap_or(parted);
    if rest.len() == after.len() {
        return None;
    }
    let rest = rest.trim_start_matches(is_white_space);
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
    let named = named.and_then(|_| rest[3..].trim_start_matches(is_white_space).strip_prefix('='));
    let url = named.map_or(rest, |rest| rest.trim_start_matches(is_white_space));
    let url = match url.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    Some(url.trim_matches(is_white_space)).filter(|url| !url.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{refresh, sources};

    #[test]
    fn image_candidates_are_split_at_commas() {
        let urls = |value| sources(value).collect::<Vec<_>>();
        assert_eq!(urls("a.png 1x, b,c.png 2x"), ["a.png", "b,c.png"]);
        assert_eq!(urls(" a.png, b.png,,\nc.png calc(1,2) , d "), ["a.png", "b.png", "c.png", "d"]);
        assert_eq!(urls(",, ,"), [""; 0]);
    }

    #[test]
    fn the_url_of_a_refresh_is_found() {
        for (value, url) in [
            ("5; url=a b", Some("a b")),
            ("5;URL = 'x' y", Some("x")),
            ("0,x", Some("x")),
            ("0 x", Some("x")),
            ("1.5;url=\"\"", None),
            ("5", None),
            ("x", None),
            ("5x", None),
            ("5;url", Some("url")),
            ("5;é", Some("é")),
        ] {
            assert_eq!(refresh(value), url, "{value:?}");
        }
    }
}
