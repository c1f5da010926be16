//! Other crates that resolve references, each called in its fastest public way.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;

/// Each page: its base and its references.
pub type Pages = [(String, Vec<String>)];

/// Work that a benchmark measures. It returns the number of pairs with a result.
pub struct Contestant<'a> {
    /// The name in the table.
    pub name: String,
    /// One pass over all pairs.
    pub work: Box<dyn FnMut() -> usize + 'a>,
}

thread_local! {
    /// Buffers that are not in use.
    static FREE: RefCell<Vec<String>> = const { RefCell::new(vec![]) };
}

/// A buffer that was written before and begins at the same offset of a memory page for all contestants.
///
/// Writing a result near the end of a memory page takes twice as long.
pub struct Buffer(pub String);

impl Buffer {
    /// Returns an unused buffer, or a new one.
    pub fn new() -> Self {
        Self(FREE.with_borrow_mut(Vec::pop).unwrap_or_else(Self::in_place))
    }

    fn in_place() -> String {
        let new = || String::with_capacity(1 << 12);
        // The other buffers are kept until the end, so that each has another address. An allocator may never return
        // this offset.
        let mut others = vec![];
        for _ in 0..1000 {
            let buffer = new();
            if buffer.as_ptr().addr() % 4096 == 16 {
                return buffer;
            }
            others.push(buffer);
        }
        new()
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        FREE.with_borrow_mut(|free| free.push(std::mem::take(&mut self.0)));
    }
}

/// Returns a contestant that prepares each base once and resolves all references of its page.
pub fn prepared<'a, B: 'a>(
    name: &str,
    pages: &'a Pages,
    prepare: impl Fn(&'a str) -> Option<B>,
    resolve: impl Fn(&B, &str, &mut String) -> bool + 'a,
) -> Contestant<'a> {
    let pages: Vec<(Option<B>, &Vec<String>)> =
        pages.iter().map(|(base, references)| (prepare(base), references)).collect();
    let mut buffer = Buffer::new();
    let work = move || {
        let out = &mut buffer.0;
        let mut resolved = 0;
        for (base, references) in &pages {
            let Some(base) = base else { continue };
            for reference in *references {
                out.clear();
                resolved += usize::from(resolve(base, black_box(reference), out));
                black_box(out.as_str());
            }
        }
        resolved
    };
    Contestant { name: name.to_owned(), work: Box::new(work) }
}

/// Returns a contestant that prepares nothing: base and reference are both parsed for each pair.
pub fn once<'a>(
    name: &str,
    pages: &'a Pages,
    resolve: impl Fn(&str, &str, &mut String) -> bool + 'a,
) -> Contestant<'a> {
    prepared(name, pages, Some, move |base, reference, out| resolve(black_box(base), reference, out))
}

/// Returns a contestant that parses URLs into components.
pub fn parse<'a>(name: &str, urls: &'a [&'a str], parse: impl Fn(&str) -> bool + 'a) -> Contestant<'a> {
    let work = move || urls.iter().filter(|url| parse(black_box(url))).count();
    Contestant { name: name.to_owned(), work: Box::new(work) }
}

/// The names of the crates in `Cargo.lock`.
pub const PACKAGES: &[&str] = &[
    "oxiri",
    "url",
    "fluent-uri",
    "iri-string",
    "uriparse",
    "iref",
    #[cfg(feature = "ada-url")]
    "ada-url",
];

/// Returns every crate, with a prepared base.
pub fn all_prepared(pages: &Pages) -> Vec<Contestant<'_>> {
    vec![
        prepared(
            "oxiri `resolve_into`",
            pages,
            |base| oxiri::Iri::parse(base).ok(),
            |base, reference, out| {
                oxiri::IriRef::parse(reference).is_ok_and(|reference| base.resolve_into(&reference, out).is_ok())
            },
        ),
        prepared(
            "url `join`",
            pages,
            |base| url::Url::parse(base).ok(),
            |base, reference, _| base.join(reference).map(black_box).is_ok(),
        ),
        prepared(
            "fluent-uri",
            pages,
            |base| fluent_uri::Iri::parse(without_fragment(base)).ok(),
            |base, reference, _| {
                let reference = fluent_uri::IriRef::parse(reference);
                reference.is_ok_and(|reference| reference.resolve_against(base).map(black_box).is_ok())
            },
        ),
        prepared(
            "iri-string, into a buffer",
            pages,
            |base| iri_string::types::IriAbsoluteStr::new(without_fragment(base)).ok(),
            |base, reference, out| {
                let reference = iri_string::types::IriReferenceStr::new(reference);
                reference.is_ok_and(|reference| write!(out, "{}", reference.resolve_against(base)).is_ok())
            },
        ),
        prepared(
            "uriparse",
            pages,
            |base| uriparse::URI::try_from(base).ok(),
            |base, reference, _| {
                let reference = uriparse::URIReference::try_from(reference);
                reference.is_ok_and(|reference| black_box(base.resolve(&reference).to_string()).len() > 1)
            },
        ),
        prepared(
            "iref",
            pages,
            |base| iref::Iri::new(base).ok(),
            |base, reference, _| {
                iref::IriRef::new(reference).map(|reference| black_box(reference.resolved(*base))).is_ok()
            },
        ),
        // This crate cannot keep a parsed base.
        #[cfg(feature = "ada-url")]
        prepared("ada-url (C++)", pages, Some, |base, reference, _| {
            ada_url::Url::parse(reference, Some(base)).map(black_box).is_ok()
        }),
    ]
}

/// Returns every crate, with nothing prepared.
pub fn all_once(pages: &Pages) -> Vec<Contestant<'_>> {
    vec![
        once("oxiri `resolve_into`", pages, |base, reference, out| {
            let (Ok(base), Ok(reference)) = (oxiri::Iri::parse(base), oxiri::IriRef::parse(reference)) else {
                return false;
            };
            base.resolve_into(&reference, out).is_ok()
        }),
        once("url `join`", pages, |base, reference, _| {
            url::Url::parse(base).and_then(|base| base.join(reference)).map(black_box).is_ok()
        }),
        once("fluent-uri", pages, |base, reference, _| {
            let base = fluent_uri::Iri::parse(without_fragment(base));
            let (Ok(base), Ok(reference)) = (base, fluent_uri::IriRef::parse(reference)) else { return false };
            reference.resolve_against(&base).map(black_box).is_ok()
        }),
        once("iri-string, into a buffer", pages, |base, reference, out| {
            let base = iri_string::types::IriAbsoluteStr::new(without_fragment(base));
            let (Ok(base), Ok(reference)) = (base, iri_string::types::IriReferenceStr::new(reference)) else {
                return false;
            };
            write!(out, "{}", reference.resolve_against(base)).is_ok()
        }),
        once("uriparse", pages, |base, reference, _| {
            let reference = uriparse::URIReference::try_from(reference);
            let (Ok(base), Ok(reference)) = (uriparse::URI::try_from(base), reference) else { return false };
            black_box(base.resolve(&reference).to_string()).len() > 1
        }),
        once("iref", pages, |base, reference, _| {
            let (Ok(base), Ok(reference)) = (iref::Iri::new(base), iref::IriRef::new(reference)) else { return false };
            black_box(reference.resolved(base)).len() > 1
        }),
        #[cfg(feature = "ada-url")]
        once("ada-url (C++)", pages, |base, reference, _| {
            ada_url::Url::parse(reference, Some(base)).map(black_box).is_ok()
        }),
    ]
}

/// Returns every crate, parsing URLs into components.
pub fn all_parsing<'a>(urls: &'a [&'a str]) -> Vec<Contestant<'a>> {
    vec![
        parse("oxiri", urls, |url| {
            let parts = oxiri::Iri::parse(url);
            parts
                .map(|url| {
                    black_box((url.authority(), url.path(), url.query(), url.fragment()));
                })
                .is_ok()
        }),
        parse("url", urls, |url| url::Url::parse(url).map(black_box).is_ok()),
        parse("fluent-uri", urls, |url| {
            let parts = fluent_uri::Iri::parse(url);
            parts
                .map(|url| {
                    black_box((url.authority(), url.path(), url.query(), url.fragment()));
                })
                .is_ok()
        }),
        parse("iri-string", urls, |url| {
            let parts = iri_string::types::IriStr::new(url);
            parts
                .map(|url| {
                    black_box((url.authority_str(), url.path_str(), url.query(), url.fragment()));
                })
                .is_ok()
        }),
        parse("uriparse", urls, |url| uriparse::URI::try_from(url).map(black_box).is_ok()),
        parse("iref", urls, |url| {
            let parts = iref::Iri::new(url);
            parts
                .map(|url| {
                    black_box((url.authority(), url.path(), url.query(), url.fragment()));
                })
                .is_ok()
        }),
        #[cfg(feature = "ada-url")]
        parse("ada-url `parse` (C++)", urls, |url| ada_url::Url::parse(url, None).map(black_box).is_ok()),
        #[cfg(feature = "ada-url")]
        parse("ada-url `can_parse` (C++)", urls, |url| ada_url::Url::can_parse(url, None)),
    ]
}

fn without_fragment(base: &str) -> &str {
    base.split('#').next().unwrap_or(base)
}
