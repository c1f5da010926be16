//! Redirects: what clients have in common that go to the location in a response.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, concatenated, scheme};
use urlstrata_steps::{Change, Next, Next::*, State};

/// Reads a header field as ISO 8859-1.
pub(crate) fn latin_1(_: &[&'static Change], field: &str) -> String {
    field.trim_matches([' ', '\t']).bytes().map(char::from).collect()
}

/// `String.trim` of Java: control characters around a field are not part of it, either.
pub(crate) fn java_trim(_: &[&'static Change], field: &str) -> String {
    field.trim_matches(|it: char| it <= ' ').to_owned()
}

/// `isspace` of C, and `\s` of Perl and Ruby: vertical tabs and form feeds around a field are not part of it, either.
pub(crate) fn c_trim(_: &[&'static Change], field: &str) -> String {
    field.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']).to_owned()
}

/// `trim` of PHP.
pub(crate) fn php_trim(_: &[&'static Change], field: &str) -> String {
    field.trim_matches([' ', '\t', '\n', '\r', '\0', '\x0b']).to_owned()
}

const LOCATION: Slot = Slot::Ref(Part::Text);

/// Returns whether the URL of the request has user information.
pub(crate) fn requests_user(s: &State<'_>) -> bool {
    components(s.base)[1].is_some_and(|authority| authority.contains('@'))
}

/// Rejects an empty location: the client returns the response.
pub(crate) fn has_location(s: &mut State<'_>) -> Next {
    match s.reference.is_empty() {
        true => s.reject(LOCATION, "an empty location is not followed"),
        false => Go,
    }
}

/// Rejects a response with a control character in a field, but for tabs.
pub(crate) fn has_no_controls(s: &mut State<'_>) -> Next {
    match s.reference.contains(|it: char| it.is_ascii_control() && it != '\t') {
        true => s.reject(LOCATION, "a control character in a field"),
        false => Go,
    }
}

/// Returns the schemes of the base and of the target in lower case.
pub(crate) fn schemes(s: &State<'_>) -> [String; 2] {
    [s.base, s.get(Slot::Result)].map(|url| scheme(url).map(|(name, _)| name.to_ascii_lowercase()).unwrap_or_default())
}

/// Writes another authority of the target. Its path begins with a slash then.
pub(crate) fn rewrite_authority(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    let mut parts = components(s.get(Slot::Result)).map(|part| part.map(str::to_owned));
    let authority = written(parts[1].as_deref().unwrap_or_default());
    s.set(Slot::Out(Part::Authority), authority.as_str());
    parts[1] = Some(authority);
    if let Some(path) = parts[2].as_mut().filter(|path| !path.is_empty() && !path.starts_with('/')) {
        path.insert(0, '/');
    }
    s.set(Slot::Result, concatenated(parts.each_ref().map(Option::as_deref)));
    Go
}

/// Rejects a target that is not one of http or https.
pub(crate) fn is_web(s: &mut State<'_>) -> Next {
    match matches!(schemes(s)[1].as_str(), "http" | "https") {
        true => Done,
        false => s.reject(Slot::Out(Part::Scheme), "the target is not one of http or https"),
    }
}
