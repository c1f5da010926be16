//! Classes of pairs for which rates of predictions are measured, and by which what an engine does is looked up.

use std::fmt;

use super::bases::BaseClass;

/// The class of a base: its form, and its scheme as far as engines treat schemes differently.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct AskedBase {
    form: BaseClass,
    schemes: Schemes,
}

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Schemes {
    Http,
    File,
    Special,
    Other,
}

impl AskedBase {
    /// Returns the class of `base`.
    pub fn of(base: &str) -> Self {
        let schemes = match scheme(base).as_deref() {
            Some("http" | "https") => Schemes::Http,
            Some("file") => Schemes::File,
            Some("ftp" | "ws" | "wss") => Schemes::Special,
            _ => Schemes::Other,
        };
        Self { form: BaseClass::of(base), schemes }
    }
}

impl fmt::Display for AskedBase {
    /// Writes the class with an article: `a hierarchical base whose scheme is http or https`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            BaseClass::Unknown => return f.pad("an unknown base"),
            BaseClass::Relative => return f.pad("a base without a scheme"),
            BaseClass::Hierarchical => "a hierarchical base",
            BaseClass::Opaque => "an opaque base",
        };
        let schemes = match self.schemes {
            Schemes::Http => "whose scheme is http or https",
            Schemes::File => "whose scheme is file",
            Schemes::Special => "whose scheme is ftp, ws or wss",
            Schemes::Other => "whose scheme is not http, https, file, ftp, ws or wss",
        };
        f.pad(&format!("{form} {schemes}"))
    }
}

/// Returns the scheme of `base` in lower case, if it has one.
pub fn scheme(base: &str) -> Option<String> {
    let has_scheme = matches!(BaseClass::of(base), BaseClass::Hierarchical | BaseClass::Opaque);
    let base = base.trim_start_matches(|c: char| c <= ' ');
    base.split_once(':').filter(|_| has_scheme).map(|(scheme, _)| scheme.to_ascii_lowercase())
}

/// The class of a reference: what it begins with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AskedReference {
    /// A reference with a scheme.
    Absolute,
    /// A reference that begins with two slashes.
    Authority,
    /// A reference that begins with one slash.
    Rooted,
    /// A reference with a path that does not begin with a slash.
    Path,
    /// A reference that begins with a question mark.
    Query,
    /// A reference that begins with a number sign.
    Fragment,
    /// The empty reference.
    Empty,
}

impl AskedReference {
    /// Returns the class of `reference`.
    pub fn of(reference: &str) -> Self {
        match reference.as_bytes() {
            [] => Self::Empty,
            [b'#', ..] => Self::Fragment,
            [b'?', ..] => Self::Query,
            [b'/', b'/', ..] => Self::Authority,
            [b'/', ..] => Self::Rooted,
            _ if scheme(reference).is_some() => Self::Absolute,
            _ => Self::Path,
        }
    }
}
