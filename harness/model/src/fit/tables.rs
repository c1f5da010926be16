//! The tables of an engine, found by asking about one character at a time.

use super::{Asker, Pair, Tables};
use crate::behaviour::{Class, Component, Literal, index};

mod cleaning;
mod frame;
mod special;

pub(super) use cleaning::cleaning;
use frame::Frame;
use special::{at_sign, brackets, brackets_in_pairs, colon_after_slash, colon_anew, colon_in_host, hidden, in_name};

/// The place of the character in a template.
const PLACE: char = '\u{1}';

/// A base and a reference with a place for the text that is asked about.
struct Template {
    component: Component,
    base: String,
    reference: String,
}

impl Template {
    fn pair(&self, text: &str) -> Pair {
        (self.base.replace(PLACE, text), self.reference.replace(PLACE, text))
    }

    /// Returns whether `c` ends the component.
    fn ends_at(&self, c: char) -> bool {
        match self.component {
            Component::Path | Component::RootlessPath | Component::AbsolutePath | Component::InheritedPath => {
                "/?#;".contains(c)
            }
            Component::FirstSegment => "/?#;:".contains(c),
            Component::Query | Component::AbsoluteQuery | Component::OpaqueQuery => c == '#',
            Component::Fragment | Component::AbsoluteFragment | Component::FragmentAlone => false,
            Component::User => "/?#:".contains(c),
            Component::Password => "/?#".contains(c),
            Component::Host => "/?#:@".contains(c),
            Component::Literal => "/?#@[]:.".contains(c),
            Component::Opaque => "?#".contains(c),
        }
    }
}

/// Returns the templates of references. `prefix` is that of `base`, and `far` is a base with another scheme. `authority` is
/// the base of references with an authority, and the prefix of these.
fn of_references(prefix: &str, base: &str, far: &str, host: &str, authority: [&str; 2]) -> Vec<Template> {
    let template = |component, base: &str, reference: &str| Template {
        component,
        base: base.to_owned(),
        reference: reference.replace('*', "\u{1}"),
    };
    let with_authority =
        |component, reference: &str| template(component, authority[0], &format!("{}{reference}", authority[1]));
    vec![
        template(Component::Path, base, "/w/x*y/z"),
        template(Component::FirstSegment, base, "x*y/z"),
        template(Component::RootlessPath, base, "w/x*y/z"),
        template(Component::AbsolutePath, far, &format!("{prefix}//{host}/x*y/z")),
        template(Component::Query, base, "?x*y"),
        template(Component::AbsoluteQuery, far, &format!("{prefix}//{host}/z?x*y")),
        template(Component::Fragment, base, "/p#x*y"),
        template(Component::AbsoluteFragment, far, &format!("{prefix}//{host}/z#x*y")),
        template(Component::FragmentAlone, base, "#x*y"),
        with_authority(Component::User, "//x*y@h/z"),
        with_authority(Component::Password, "//u:x*y@h/z"),
        with_authority(Component::Host, "//x*y/z"),
        with_authority(Component::Literal, "//[1:2*:3::4]/z"),
        template(Component::Opaque, far, &format!("{prefix}x*y")),
        template(Component::OpaqueQuery, far, &format!("{prefix}x?x*y")),
    ]
}

/// Returns the templates of bases.
fn of_bases(prefix: &str, host: &str) -> Vec<Template> {
    let template = |component, base: &str, reference: &str| Template {
        component,
        base: format!("{prefix}{}", base.replace('*', "\u{1}").replace("//h/", &format!("//{host}/"))),
        reference: reference.to_owned(),
    };
    vec![
        template(Component::Path, "//h/x*y/z", "k"),
        template(Component::FirstSegment, "x*y/z", "k"),
        template(Component::RootlessPath, "w/x*y/z", "k"),
        template(Component::AbsolutePath, "//h/x*y/z", "k"),
        template(Component::InheritedPath, "//h/x*y/z", "#k"),
        template(Component::Query, "//h/z?x*y", "#k"),
        template(Component::AbsoluteQuery, "//h/z?x*y", "#k"),
        template(Component::Fragment, "//h/z#x*y", ""),
        template(Component::AbsoluteFragment, "//h/z#x*y", ""),
        template(Component::FragmentAlone, "#x*y", ""),
        template(Component::User, "//x*y@h/z", "k"),
        template(Component::Password, "//u:x*y@h/z", "k"),
        template(Component::Host, "//x*y/z", "k"),
        template(Component::Literal, "//[1:2*:3::4]/z", "k"),
        template(Component::Opaque, "x*y", "#k"),
        template(Component::OpaqueQuery, "x?x*y", "#k"),
    ]
}

/// Bases for absolute references. The first one is used that the engine accepts.
const FAR: [&str; 4] = ["zzx://o/b/c/d", "http://o/b/c/d", "https://o/b/c/d", ""];

/// Returns the tables of references and bases of a scheme.
pub(super) fn of_scheme(asker: &mut Asker<'_>, scheme: &str) -> (Tables, Tables) {
    let prefix = format!("{scheme}:");
    let host =
        ["h", "localhost", ""].into_iter().find(|host| asker.one(&format!("{prefix}//{host}/b/c"), "k").is_some());
    let host = host.unwrap_or("h");
    let absolute = format!("{prefix}//{host}/x/z");
    let far = FAR.into_iter().filter(|far| !far.starts_with(&prefix)).find(|far| asker.one(far, &absolute).is_some());
    let far = far.unwrap_or(FAR[0]);
    let base = format!("{prefix}//{host}/b/c/d");
    // Some engines read a reference that begins with two slashes as a path. Their hosts are those of absolute references.
    let is_after_host = |url: &str| !host.is_empty() && url.contains(&format!("{host}//k"));
    let is_authority = asker.one(&base, "//k/z").is_some_and(|url| url.contains("//k") && !is_after_host(&url));
    let authority = if is_authority { [&base, ""] } else { [far, &prefix] };
    let reference = read(asker, of_references(&prefix, &base, far, host, authority), &Tables::default());
    let base = read(asker, of_bases(&prefix, host), &reference);
    (reference, base)
}

/// Returns the tables of references and bases without a scheme. What cannot be asked is as in `like`.
pub(super) fn without_scheme(asker: &mut Asker<'_>, base: &str, like: &Class) -> (Tables, Tables) {
    let reference = read(asker, of_references("", base, base, "h", [base, ""]), &like.reference);
    let base = if base.is_empty() { like.base.clone() } else { read(asker, of_bases("", "h"), &like.base) };
    (reference, base)
}

/// Asks the questions of `templates`. What cannot be asked is as in `like`.
fn read(asker: &mut Asker<'_>, templates: Vec<Template>, like: &Tables) -> Tables {
    let mut tables = like.clone();
    let first = templates.iter().find(|template| template.component == Component::FirstSegment);
    // An underscore cannot be part of the name of a scheme.
    let colon = first.map(|first| Template {
        component: Component::FirstSegment,
        base: first.base.replace(&format!("x{PLACE}"), &format!("_x{PLACE}")),
        reference: first.reference.replace(&format!("x{PLACE}"), &format!("_x{PLACE}")),
    });
    for template in templates {
        if let Some(mut found) = Frame::of(asker, &template) {
            tables.0[template.component as usize] = found.table(asker);
            found.question_mark(asker, &mut tables.0[template.component as usize]);
            brackets(asker, &template, &mut tables.0[template.component as usize]);
            colon_after_slash(asker, &template, &mut tables.0[template.component as usize]);
            brackets_in_pairs(asker, &found, &mut tables.0[template.component as usize]);
            if let Some(literal) = colon_in_host(asker, &template) {
                tables.0[Component::Host as usize].actions_mut().literal[index(':')] = literal;
            }
            if let Some(literal) = at_sign(asker, &template) {
                tables.0[Component::Host as usize].actions_mut().literal[index('@')] = literal;
            }
        } else if template.component == Component::InheritedPath {
            tables.0[Component::InheritedPath as usize] = tables.of(Component::AbsolutePath).clone();
        } else if let Some(found) = hidden(asker, &template) {
            tables.0[template.component as usize] = found;
        }
    }
    // A letter before a vertical line may be that of a drive.
    let bar = colon.as_ref().and_then(|template| in_name(asker, template, '|'));
    let first = &mut tables.0[Component::FirstSegment as usize];
    if let Some(bar) = bar.filter(|_| first.actions.literal[index('|')] == Literal::Rejected) {
        first.actions_mut().literal[index('|')] = bar;
    }
    // A colon in the first segment ends a scheme; where it does not, it may be like other colons.
    let other = tables.of(Component::RootlessPath).actions.literal[index(':')];
    let alone = colon.as_ref().and_then(|template| in_name(asker, template, ':')).unwrap_or(other);
    let first = &mut tables.0[Component::FirstSegment as usize];
    first.actions_mut().literal[index(':')] = alone;
    if let Some(template) = colon {
        colon_anew(asker, &template, first);
    }
    tables
}
