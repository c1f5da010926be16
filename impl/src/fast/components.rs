//! The components of a URL, for users of the crate.

use super::split::{Role, Slices, http_length, scheme_length, split_raw};
use super::text::Text;
use crate::rules::Rules;

/// A component of a URL or of a reference.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Component {
    /// The part before the first colon, if it is a scheme by the rule set.
    Scheme,
    /// The part after two slashes (*net_loc*, host), if the rule set separates it from the path.
    Authority,
    /// The path, which is always present.
    Path,
    /// The part after the first `;`, if the rule set separates it from the path.
    Params,
    /// The part after the first `?`, if the rule set separates it.
    Query,
    /// The part after the first `#`, if the rule set separates it.
    Fragment,
}

/// An iterator over the components of a URL or reference, in order. [`components`] returns it.
///
/// The components and their delimiters make up the whole text (`tests/components.rs`). An empty component is present if
/// its delimiter is, even if the specification treats it as absent.
#[derive(Debug)]
pub struct Components<'a, T: Text + ?Sized = str> {
    scheme: Option<&'a T>,
    parts: Slices<'a, T>,
    /// The next component.
    next: Option<Component>,
}

/// Splits `text`, which is a URL or a reference, into its components.
///
/// `rules` is the rule set of a revision, for example [`rfc3986::RULES`] or [`rfc1808::RULES`]. It decides where each
/// component begins and ends: under RFC 3986 the path includes `;p`, under RFC 1808 it does not. Only six rules have an
/// effect: [`scheme_name`](Rules::scheme_name), [`host`](Rules::host), [`authority_end`](Rules::authority_end),
/// [`params`](Rules::params), [`query`](Rules::query) and [`fragment`](Rules::fragment).
///
/// The function neither validates nor decodes `text`. It allocates nothing, and its time is linear in the length of
/// `text`.
///
/// # Examples
///
/// ```
/// use urlstrata::fast::Component::{Authority, Params, Path, Query, Scheme};
/// use urlstrata::fast::components;
/// use urlstrata::revision::{rfc1808, rfc3986};
///
/// let url = "http://a/b;p?q";
/// let parts: Vec<_> = components(&rfc3986::RULES, url).collect();
/// assert_eq!(parts, [(Scheme, "http"), (Authority, "a"), (Path, "/b;p"), (Query, "q")]);
///
/// let parts: Vec<_> = components(&rfc1808::RULES, url).collect();
/// assert_eq!(parts, [(Scheme, "http"), (Authority, "a"), (Path, "/b"), (Params, "p"), (Query, "q")]);
/// ```
///
/// The components are also available by name, and `text` can be a byte string:
///
/// ```
/// # use urlstrata::fast::components;
/// # use urlstrata::revision::rfc3986;
/// let parts = components(&rfc3986::RULES, b"../c?".as_slice());
/// assert_eq!((parts.authority(), parts.path(), parts.query()), (None, b"../c".as_slice(), Some(b"".as_slice())));
/// ```
///
/// [`rfc1808::RULES`]: crate::revision::rfc1808::RULES
/// [`rfc3986::RULES`]: crate::revision::rfc3986::RULES
#[inline]
pub fn components<'a, T: Text + ?Sized>(rules: &Rules, text: &'a T) -> Components<'a, T> {
    let bytes = text.bytes();
    let scheme = http_length(bytes).or_else(|| scheme_length(rules.scheme_name, bytes));
    let start = scheme.map_or(0, |length| length + 1);
    let parts = split_raw(rules, text.part(start, bytes.len()), Role::Base);
    Components { scheme: scheme.map(|length| text.part(0, length)), parts, next: Some(Component::Scheme) }
}

impl<'a, T: Text + ?Sized> Components<'a, T> {
    /// Returns the scheme, without its colon.
    #[must_use]
    pub fn scheme(&self) -> Option<&'a T> {
        self.scheme
    }

    /// Returns the authority, without its two slashes.
    #[must_use]
    pub fn authority(&self) -> Option<&'a T> {
        self.parts.authority
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &'a T {
        self.parts.path
    }

    /// Returns the parameters, without their semicolon.
    #[must_use]
    pub fn params(&self) -> Option<&'a T> {
        self.parts.params
    }

    /// Returns the query, without its question mark.
    #[must_use]
    pub fn query(&self) -> Option<&'a T> {
        self.parts.query
    }

    /// Returns the fragment, without its number sign.
    #[must_use]
    pub fn fragment(&self) -> Option<&'a T> {
        self.parts.fragment
    }
}

impl<T: Text + ?Sized> Clone for Components<'_, T> {
    fn clone(&self) -> Self {
        Self { scheme: self.scheme, parts: self.parts, next: self.next }
    }
}

impl<'a, T: Text + ?Sized> Iterator for Components<'a, T> {
    type Item = (Component, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let component = self.next?;
            let (text, next) = match component {
                Component::Scheme => (self.scheme, Some(Component::Authority)),
                Component::Authority => (self.parts.authority, Some(Component::Path)),
                Component::Path => (Some(self.parts.path), Some(Component::Params)),
                Component::Params => (self.parts.params, Some(Component::Query)),
                Component::Query => (self.parts.query, Some(Component::Fragment)),
                Component::Fragment => (self.parts.fragment, None),
            };
            self.next = next;
            if let Some(text) = text {
                return Some((component, text));
            }
        }
    }
}
