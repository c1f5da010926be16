//! URLObject: `URLObject(base).relative(reference)`, and the attributes of `URLObject(url)`.
//!
//! Read from `urlobject/urlobject.py`, `path.py` and `netloc.py` of URLObject 3.0.0. It splits and writes URLs with `urllib.parse` of the Python that
//! runs it: that of the recordings is 3.11.7. The target is split and written again for each component that is replaced in it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next, Next::*, Question, Run, Side, State, Step, Table};

use crate::urllib;

/// URLObject.
pub static TABLE: Table = Table {
    engine: "urlobject",
    first: "3.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RELATIVE), (Question::Parse, STATE)],
    called: &[urllib::SPLIT, urllib::PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// `relative`.
static RELATIVE: &[Step] = &[
    Step::new("relative: type(self)(other)", "read the reference", |_| Call(urllib::SPLIT, Side::Reference)),
    Step::new("relative: other.scheme", "return a reference with a scheme as it is", |s| {
        match s.get(Slot::Ref(Part::Scheme)).is_empty() {
            true => Go,
            false => s.return_text(s.reference),
        }
    }),
    Step::new("relative: self", "read the base", |_| Call(urllib::SPLIT, Side::Base)),
    Step::new("relative: without_fragment", "an empty reference is the base without its fragment", |s| {
        let is_empty = |part: &Part| s.get(Slot::Ref(*part)).is_empty();
        if ![Part::Authority, Part::Path, Part::Query, Part::Fragment].iter().all(is_empty) {
            s.rest = s.reference.to_owned();
            return Go;
        }
        s.set(Slot::Used, "scheme, authority, path, query");
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        s.rest = s.base.to_owned();
        replace(s, Part::Fragment, "");
        To("relative")
    }),
    Step::new("relative: with_scheme", "the scheme is the base's", |s| {
        s.inherit_as("scheme");
        let scheme = s.get(Slot::Base(Part::Scheme)).to_owned();
        replace(s, Part::Scheme, &scheme)
    }),
    Step::new("relative: other.netloc", "an authority that is not empty inherits no more, any other reference the authority", |s| {
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        if !s.get(Slot::Ref(Part::Authority)).is_empty() {
            return To("relative");
        }
        s.inherit_as("authority");
        let authority = s.get(Slot::Base(Part::Authority)).to_owned();
        replace(s, Part::Authority, &authority)
    }),
    Step::new("URLPath.relative", "join the path with the base's as `urljoin` does", |s| {
        if s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        let paths = (s.get(Slot::Base(Part::Path)), s.get(Slot::Ref(Part::Path)));
        match s.answer(&urllib::TABLE, Question::Resolve, paths).as_ref().and_then(Run::url).map(str::to_owned) {
            Some(path) => {
                match path == s.get(Slot::NoDots) {
                    true => s.keep(Slot::NoDots),
                    false => {
                        s.set(Slot::NoDots, path.as_str());
                    }
                }
                replace(s, Part::Path, &path);
                To("relative")
            }
            None => s.reject(Slot::Ref(Part::Path), "`urljoin` rejects it"),
        }
    }),
    Step::new("relative: with_path", "without a path, inherit the base's", |s| {
        s.inherit_as("path");
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        let path = s.get(Slot::Base(Part::Path)).to_owned();
        replace(s, Part::Path, &path)
    }),
    Step::new("relative: with_query", "without a path and a query, inherit the base's query", |s| {
        if !s.get(Slot::Ref(Part::Query)).is_empty() {
            return Go;
        }
        s.inherit_as("query");
        let query = s.get(Slot::Base(Part::Query)).to_owned();
        replace(s, Part::Query, &query)
    }),
    Step::new(
        "relative",
        "the target is what `urlunsplit` has written: without an empty query and fragment, and with an empty authority only if the scheme has \
         authorities",
        |s| {
            let target = s.rest.clone();
            s.put_together(target)
        },
    ),
];

const PARTS: [Part; 5] = [Part::Scheme, Part::Authority, Part::Path, Part::Query, Part::Fragment];

/// Splits the target, and writes it with another value of a component.
fn replace(s: &mut State<'_>, part: Part, value: &str) -> Next {
    let run = s.answer(&urllib::TABLE, Question::Parse, ("", &s.rest)).filter(|run| run.outcome.is_ok());
    let Some(run) = run else { return s.reject(Slot::Result, "what was written cannot be split") };
    let components = PARTS.map(|own| if own == part { value } else { run.slots.text(Slot::Out(own)).unwrap_or_default() });
    s.rest = urllib::unsplit(s, components);
    Go
}

/// The attributes of `URLObject(url)`.
static STATE: &[Step] = &[
    Step::new("URLObject", "state the attributes of `urlsplit`", |_| Call(urllib::PARSE, Side::Reference)),
    Step::new("Netloc.port", "reject a port that cannot be read", |s| match s.is_marked(urllib::NO_PORT) {
        true => s.reject(Slot::Out(Part::Port), "it is not a number up to 65535"),
        false => Go,
    }),
    Step::new("URLObject.fragment", "state the fragment decoded", |s| {
        let fragment = urllib::unquoted(s.get(Slot::Out(Part::Fragment)));
        s.set(Slot::Out(Part::Fragment), fragment);
        Done
    }),
];
