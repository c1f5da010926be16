//! The npm package relative-to-absolute-iri: `resolve(reference, base)`, of 1.0.8.
//!
//! Read from `lib/Resolve.ts` of relative-to-absolute-iri 1.0.8. It joins texts, and does not divide them into components: a reference is divided
//! here to show what was taken for its scheme. Version 1.0.0 has another algorithm.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, until};
use urlstrata_steps::{Next, Next::*, Question, State, Step, Table, no_calls};

/// relative-to-absolute-iri.
pub static TABLE: Table = Table {
    engine: "relative-to-absolute-iri",
    first: "1.0.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[
    BASE_FRAGMENT,
    EMPTY,
    QUERY,
    FRAGMENT,
    Rows::<false>::NO_BASE,
    Step::new(
        "resolve: valueColonPos, valueSlashPos",
        "a reference with a colon that no slash precedes inherits nothing; what precedes the first slash after the colon, or after two slashes \
         there, keeps its dots",
        |s| {
            let before = s.get(Slot::Ref(Part::Text)).split_once(':').map(|(before, _)| before);
            Rows::<false>::absolute(s, before.is_some_and(|before| !before.contains('/')))
        },
    ),
    BASE_COLON,
    Rows::<false>::NETWORK_PATH,
    Rows::<false>::NO_PATH,
    Rows::<false>::ROOTED,
    LAST_SLASH,
    Step::new(
        "resolve: relativeIRI[0]",
        "remove a dot that begins a name of three or more characters, if the base's path does not end in a slash",
        |s| drop_dot(s, |text| text.encode_utf16().count() > 2),
    ),
    Rows::<false>::REMOVE_DOTS,
];

pub(crate) const BASE_FRAGMENT: Step = Step::new("resolve: baseFragmentPos", "remove the base's fragment, unless it is the whole base", |s| {
    let base = s.base.split_once('#').map_or(s.base, |(base, _)| if base.is_empty() { s.base } else { base });
    s.set(Slot::Base(Part::Text), base);
    s.set(Slot::Ref(Part::Text), s.reference);
    Go
});

pub(crate) const EMPTY: Step =
    Step::new("resolve: an empty value", "an empty reference is the base without its fragment; reject a base without a colon", |s| {
        if !s.get(Slot::Ref(Part::Text)).is_empty() {
            return Go;
        }
        if !s.get(Slot::Base(Part::Text)).contains(':') {
            return s.reject(Slot::Base(Part::Scheme), "the base has no colon");
        }
        s.set(Slot::Used, "scheme, authority, path, query");
        s.return_text(s.get(Slot::Base(Part::Text)).to_owned())
    });

pub(crate) const QUERY: Step =
    Step::new("resolve: baseQueryPos", "a query follows the base without its query, unless that is the whole base", |s| {
        let text = s.get(Slot::Ref(Part::Text));
        if !text.starts_with('?') {
            return Go;
        }
        let base = s.get(Slot::Base(Part::Text));
        let base = base.split_once('?').map_or(base, |(before, _)| if before.is_empty() { base } else { before });
        let target = format!("{base}{text}");
        s.set(Slot::Used, "scheme, authority, path");
        s.set(Slot::Result, target);
        Done
    });

pub(crate) const FRAGMENT: Step = Step::new("resolve: a fragment", "a fragment follows the base without its fragment", |s| {
    let text = s.get(Slot::Ref(Part::Text));
    if !text.starts_with('#') {
        return Go;
    }
    let target = format!("{}{text}", s.get(Slot::Base(Part::Text)));
    s.set(Slot::Used, "scheme, authority, path, query");
    s.set(Slot::Result, target);
    Done
});

pub(crate) const BASE_COLON: Step = Step::new(
    "resolve: baseColonPos",
    "the text before the first colon is the base's scheme; an authority follows two slashes, up to the next slash, and then the path; reject a base \
     without a colon",
    |s| {
        let base = s.get(Slot::Base(Part::Text)).to_owned();
        let Some((scheme, rest)) = base.split_once(':') else {
            return s.reject(Slot::Base(Part::Scheme), "the base has no colon");
        };
        s.set(Slot::Base(Part::Scheme), scheme);
        let authority = rest.strip_prefix("//").map(|rest| until(rest, &['/']));
        let rest = authority.map_or_else(|| until(rest, &['/']).1, |(_, rest)| rest);
        s.set(Slot::Base(Part::Authority), authority.map(|(authority, _)| authority));
        s.set(Slot::Base(Part::Path), rest);
        s.inherit(Part::Scheme);
        Go
    },
);

pub(crate) const LAST_SLASH: Step = Step::new("resolve: baseIRIPath", "the reference follows the base's last slash, also one of its query", |s| {
    s.inherit_as("folder");
    let base = s.get(Slot::Base(Part::Path));
    let folder = &base[..base.rfind('/').map_or(0, |at| at + 1)];
    let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Text)));
    s.set(Slot::Result, before_path(s));
    s.set(Slot::Merged, merged);
    Go
});

/// Removes the dot at the beginning of the reference, if it `is_long`.
pub(crate) fn drop_dot(s: &mut State<'_>, is_long: impl Fn(&str) -> bool) -> Next {
    let text = s.get(Slot::Ref(Part::Text));
    let is_name = |rest: &str| is_long(text) && !rest.starts_with(['.', '/']);
    let dropped = text.strip_prefix('.').filter(|rest| is_name(rest) && !s.get(Slot::Base(Part::Path)).ends_with('/'));
    if let (Some(rest), Some(folder)) = (dropped, s.get(Slot::Merged).strip_suffix(text)) {
        let merged = format!("{folder}{rest}");
        s.set(Slot::Merged, merged);
    }
    Go
}

/// Returns a path without its dot segments. A last one leaves a slash if the text ends there.
fn without_dots(path: &str, is_end: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        if segment == ".." {
            kept.pop();
        }
        match matches!(segment, "." | "..") {
            true if is_end && segments.peek().is_none() => kept.push(""),
            true => {}
            false => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

/// Returns what precedes the base's path.
fn before_path(s: &State<'_>) -> String {
    let text = s.get(Slot::Base(Part::Text));
    text.strip_suffix(s.get(Slot::Base(Part::Path))).unwrap_or(text).to_owned()
}

/// Returns the base's scheme with its colon.
fn scheme(s: &State<'_>) -> String {
    format!("{}:", s.get(Slot::Base(Part::Scheme)))
}

/// The rows that go on with the removal of dot segments, whose functions PyLD writes otherwise.
pub(crate) struct Rows<const IS_PYLD: bool>;

impl<const IS_PYLD: bool> Rows<IS_PYLD> {
    const REMOVE: &'static str = match IS_PYLD {
        true => "remove_dot_segments_of_path, remove_dot_segments",
        false => "removeDotSegmentsOfPath, removeDotSegments",
    };

    pub(crate) const REMOVE_DOTS: Step = Step::new(
        Self::REMOVE,
        "from the first slash on, remove each . segment, and each .. segment with the one before it, but not the first slash; a last one leaves a slash \
         only at the end of the text",
        |s| {
            let text = s.get(Slot::Merged).to_owned();
            let kept = std::mem::take(&mut s.rest);
            let divided = |text: &str, ends: &[char]| {
                let start = if text.starts_with(&kept) { kept.len() } else { 0 };
                let (before, after) = text.split_at(start + until(&text[start..], ends).0.len());
                (before.to_owned(), after.to_owned())
            };
            let (path, tail) = divided(&text, &['?', '#']);
            if !tail.is_empty() {
                s.set(Slot::Merged, path);
            }
            s.flow(Slot::NoDots, Slot::Merged);
            let (before, path) = divided(s.get(Slot::Merged), &['/']);
            if !path.is_empty() {
                let path = before + &without_dots(&path, tail.is_empty());
                s.set(Slot::NoDots, path);
            }
            let target = format!("{}{}{tail}", s.get(Slot::Result), s.get(Slot::NoDots));
            s.set(Slot::Result, target);
            Done
        },
    );

    pub(crate) const NO_BASE: Step = Step::new(
        "resolve: an empty base",
        "without a base, the reference inherits nothing; reject one without a colon",
        |s| {
            if !s.get(Slot::Base(Part::Text)).is_empty() {
                return Go;
            }
            match s.get(Slot::Ref(Part::Text)).contains(':') {
                true => Self::absolute(s, true),
                false => s.reject(Slot::Ref(Part::Scheme), "the reference has no colon"),
            }
        },
    );

    pub(crate) const NETWORK_PATH: Step = Step::new(
        "resolve: //",
        "a reference that begins with two slashes follows the base's scheme; its path begins at its next slash",
        |s| match s.get(Slot::Ref(Part::Text)).starts_with("//") {
            true => Self::join_after(s, scheme(s), None),
            false => Go,
        },
    );

    pub(crate) const NO_PATH: Step = Step::new(
        "resolve: baseSlashAfterColonPos",
        "if the base's path has no slash, the reference follows the scheme, or a slash after an authority that is not empty; what precedes its \
         first slash, or the first one after a colon, keeps its dots",
        |s| {
            if !s.get(Slot::Base(Part::Path)).is_empty() {
                return Go;
            }
            match s.get(Slot::Base(Part::Authority)).is_empty() {
                true => Self::join_after(s, scheme(s), Some(("", 0))),
                false => {
                    s.inherit(Part::Authority);
                    s.decide(Slot::Out(Part::Path));
                    Self::join_after(s, before_path(s), Some(("/", 0)))
                }
            }
        },
    );

    pub(crate) const ROOTED: Step = Step::new(
        "resolve: /",
        "what precedes the base's path is inherited; a reference that begins with a slash follows it",
        |s| {
            if s.present(Slot::Base(Part::Authority)).is_some() {
                s.inherit(Part::Authority);
            }
            match s.get(Slot::Ref(Part::Text)).starts_with('/') {
                true => {
                    s.flow(Slot::Merged, Slot::Ref(Part::Text));
                    s.set(Slot::Result, before_path(s));
                    To(Self::REMOVE)
                }
                false => Go,
            }
        },
    );

    /// Writes a reference that inherits nothing, if it does.
    pub(crate) fn absolute(s: &mut State<'_>, is_absolute: bool) -> Next {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let scheme = text.split_once(':').filter(|_| is_absolute);
        s.set(Slot::Ref(Part::Scheme), scheme.map(|(scheme, _)| scheme));
        let Some((_, rest)) = scheme else { return Go };
        let [_, authority, path, query, fragment] = components(&format!("s:{rest}")).map(|part| part.map(str::to_owned));
        let parts = [Part::Authority, Part::Path, Part::Query, Part::Fragment];
        for (part, value) in parts.into_iter().zip([authority, path, query, fragment]) {
            s.set(Slot::Ref(part), value);
        }
        s.set(Slot::Used, "nothing");
        let path = Some(text.len() - rest.len()).filter(|_| !rest.starts_with("//"));
        Self::join_after(s, String::new(), path.map(|path| ("", path)))
    }

    /// Leaves the path of the reference, and what precedes it, to [`REMOVE_DOTS`](Self::REMOVE_DOTS): dots are removed from the first slash after a
    /// colon, or after two slashes there, on. The path begins with a text and at a place in the reference, or at this slash.
    fn join_after(s: &mut State<'_>, before: String, path: Option<(&str, usize)>) -> Next {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let after = text.find(':').map_or(0, |at| at + 1);
        let start = after + if text[after..].starts_with("//") { 2 } else { 0 };
        let (root, slash) = (path.map_or("", |(root, _)| root), text[start..].find('/').map(|at| start + at));
        let Some(slash) = slash else {
            s.set(Slot::Result, before + root + &text);
            return Done;
        };
        // A slash of a query or a fragment begins a path, too.
        let begin = path.map_or(slash, |(_, begin)| if text[..slash].contains(['?', '#']) { slash } else { begin });
        let (before, kept) = match begin == slash {
            true => (format!("{before}{root}{}", &text[..slash]), String::new()),
            false => (before + &text[..begin], format!("{root}{}", &text[begin..slash])),
        };
        s.set(Slot::Result, before);
        s.set(Slot::Merged, format!("{kept}{}", &text[slash..]));
        s.rest = kept;
        To(Self::REMOVE)
    }
}
