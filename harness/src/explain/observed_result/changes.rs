//! The nearest change of a base, a reference or a rule with which a specification gives a result. Each is verified by resolution.

use serde::Serialize;
use urlstrata::revision::{rfc3986, whatwg};
use urlstrata::{fast, rules};

use crate::knowledge::specification::Specification;

use super::text::shown;

/// A change with which specifications give a result.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Change {
    /// What is changed, as an instruction: "end the base with a slash".
    pub what: String,
    /// The base after the change.
    pub base: String,
    /// The reference after the change.
    pub reference: String,
    /// The engine with the changed rule, `fast:rfc3986+RULE=SETTING`; then the base and the reference are not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What the specifications give then.
    pub result: String,
    /// The ids of the specifications, of RFC 3986 and the newest state of the URL Standard.
    pub by: Vec<&'static str>,
}

/// A changed text, and what was changed.
struct Edit {
    what: String,
    text: String,
}

impl Edit {
    fn new(what: impl Into<String>, text: impl Into<String>) -> Self {
        Self { what: what.into(), text: text.into() }
    }
}

/// Returns the changes of the pair with which RFC 3986 or the URL Standard gives `wanted`, the smallest first: one change of a text before
/// changes of both, and these before other rules.
pub(super) fn search(base: &str, reference: &str, wanted: &str) -> Vec<Change> {
    let own = || Edit::new("", "");
    let (bases, references) = (of_base(base), of_reference(base, reference));
    let text = |edit: &Edit, given: &str| if edit.what.is_empty() { given.to_owned() } else { edit.text.clone() };
    let change = |of_base: &Edit, of_reference: &Edit| {
        let (new_base, new_reference) = (text(of_base, base), text(of_reference, reference));
        let by = givers(&new_base, &new_reference, wanted);
        let parts = [&of_base.what, &of_reference.what].map(String::as_str);
        let what = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", and ");
        (!by.is_empty()).then(|| Change {
            what,
            base: new_base,
            reference: new_reference,
            engine: None,
            result: wanted.to_owned(),
            by,
        })
    };
    let mut found: Vec<Change> = bases.iter().filter_map(|edit| change(edit, &own())).collect();
    found.extend(references.iter().filter_map(|edit| change(&own(), edit)));
    if found.is_empty() {
        let pairs = bases.iter().flat_map(|base| references.iter().map(move |reference| (base, reference)));
        found.extend(pairs.filter_map(|(base, reference)| change(base, reference)));
    }
    found.extend(of_rules(base, reference, wanted));
    // The same texts can be the result of two changes, of which the first is the simpler one.
    let mut distinct: Vec<Change> = Vec::new();
    for change in found {
        let is_same =
            |own: &Change| own.base == change.base && own.reference == change.reference && own.engine == change.engine;
        if !distinct.iter().any(is_same) {
            distinct.push(change);
        }
    }
    // What both specifications give comes first.
    distinct.sort_by_key(|change| (change.engine.is_some(), std::cmp::Reverse(change.by.len())));
    distinct
}

/// Returns which of RFC 3986 and the newest state of the URL Standard give `wanted`.
pub(in crate::explain) fn givers(base: &str, reference: &str, wanted: &str) -> Vec<&'static str> {
    let gives = |own: &Specification| own.resolve_fast(base, reference).url() == Some(wanted);
    let both = [rfc3986::REVISION.id, whatwg::NEWEST.id].into_iter().filter_map(Specification::by_id);
    both.filter(gives).map(|own| own.id).collect()
}

/// Returns the rules of RFC 3986 another setting of which gives `wanted`.
fn of_rules(base: &str, reference: &str, wanted: &str) -> Vec<Change> {
    let mut found = Vec::new();
    for rule in rules::ALL {
        let own = rule.index(&rfc3986::RULES);
        for (index, setting) in rule.settings.iter().enumerate().filter(|(index, _)| *index != own) {
            let changed = rule.with(&rfc3986::RULES, index);
            if fast::resolve(&changed, base, reference).is_ok_and(|url| url == wanted) {
                let note = setting.note();
                found.push(Change {
                    what: format!("another rule: {}{}", note[..1].to_lowercase(), &note[1..]),
                    base: base.to_owned(),
                    reference: reference.to_owned(),
                    engine: Some(format!("fast:rfc3986+{}={}", rule.name, setting.name)),
                    result: wanted.to_owned(),
                    by: Vec::new(),
                });
            }
        }
    }
    found
}

/// A text, divided before its query and its fragment.
fn before_query(text: &str) -> (&str, &str) {
    text.split_at(text.find(['?', '#']).unwrap_or(text.len()))
}

/// Returns where the path of a URL begins: after the authority, or after the scheme.
fn path_start(url: &str) -> usize {
    let (before, _) = before_query(url);
    let after_scheme = before.find(':').filter(|at| !before[..*at].contains('/')).map_or(0, |at| at + 1);
    match before[after_scheme..].strip_prefix("//") {
        Some(rest) => before.len() - rest.find('/').map_or(0, |at| rest.len() - at),
        None => after_scheme,
    }
}

/// Returns changes of a base, the smallest first.
fn of_base(base: &str) -> Vec<Edit> {
    if base.is_empty() {
        return Vec::new();
    }
    let (before, rest) = before_query(base);
    let start = path_start(base);
    let (head, path) = before.split_at(start.min(before.len()));
    let mut edits = vec![Edit::new("end the base with a slash", format!("{before}/{rest}"))];
    if let Some(shorter) = before.strip_suffix('/').filter(|_| !path.is_empty()) {
        edits.push(Edit::new("remove the slash at the end of the base", format!("{shorter}{rest}")));
    }
    edits.push(Edit::new("remove the query and fragment of the base", before));
    if let Some((folder, _)) = path.trim_end_matches('/').rsplit_once('/') {
        edits.push(Edit::new("remove the last segment of the base", format!("{head}{folder}/{rest}")));
    }
    if !path.starts_with('/') && !head.is_empty() {
        edits.push(Edit::new("begin the path of the base with a slash", format!("{head}/{path}{rest}")));
        if !head.contains("//") {
            edits.push(Edit::new("write `//` before the host of the base", format!("{head}//{path}{rest}")));
            edits.push(Edit::new("give the base an empty host", format!("{head}///{path}{rest}")));
        }
    }
    if path.starts_with('/') && head.ends_with(':') {
        edits.push(Edit::new("give the base an empty host", format!("{head}//{path}{rest}")));
    }
    if head.is_empty() {
        for scheme in ["http", "https", "file"] {
            let url = format!("{scheme}://{}", base.trim_start_matches("//"));
            edits.push(Edit::new(format!("write `{scheme}://` before the base"), url));
        }
    }
    if let Some(authority) = head.strip_prefix("file://").filter(|it| !it.is_empty()) {
        edits.push(Edit::new("write three slashes after `file:`", format!("file:///{authority}{path}{rest}")));
    }
    edits.extend(spelling("the base", base));
    edits.retain(|edit| edit.text != base);
    edits
}

/// Returns changes of a reference, the smallest first.
fn of_reference(base: &str, reference: &str) -> Vec<Edit> {
    let (path, rest) = before_query(reference);
    let mut edits = Vec::new();
    if let Some(shorter) = reference.strip_prefix('/') {
        edits.push(Edit::new("remove the leading slash of the reference", shorter));
        edits.push(Edit::new("remove the leading slashes of the reference", shorter.trim_start_matches('/')));
        edits.push(Edit::new("write a dot before the reference", format!(".{reference}")));
    } else {
        edits.push(Edit::new("write `./` before the reference", format!("./{reference}")));
        edits.push(Edit::new("write a slash before the reference", format!("/{reference}")));
    }
    let (base_before, base_rest) = before_query(base);
    let base_query = base_rest.split('#').next().unwrap_or_default();
    let base_path = base_before.get(path_start(base)..).unwrap_or_default();
    let last = base_path.rsplit('/').next().unwrap_or_default();
    if !last.is_empty() {
        edits.push(Edit::new(
            format!("write the base's last segment, `{last}/`, before the reference"),
            format!("{last}/{reference}"),
        ));
        edits.push(Edit::new(
            format!("write the base's last segment, `{last}`, before the reference"),
            format!("{last}{reference}"),
        ));
    }
    if !base_path.is_empty() && reference.starts_with('/') {
        let whole = format!("{}{reference}", base_path.trim_end_matches('/'));
        edits.push(Edit::new("write the path of the base before the reference", whole));
    }
    if let Some(shorter) = reference.strip_prefix("../").or(reference.strip_prefix("./")) {
        let dots = &reference[..reference.len() - shorter.len()];
        edits.push(Edit::new(format!("remove `{dots}` from the reference"), shorter));
    }
    edits.push(Edit::new("write `../` before the reference", format!("../{reference}")));
    edits.push(Edit::new("remove all leading `../` from the reference", reference.trim_start_matches("../")));
    if let Some((first, shorter)) = path.split_once('/').filter(|(first, _)| !first.is_empty() && !first.ends_with(':'))
    {
        edits.push(Edit::new(format!("remove `{first}/` from the reference"), format!("{shorter}{rest}")));
    }
    match path.strip_suffix('/') {
        Some(shorter) => {
            edits.push(Edit::new("remove the slash at the end of the reference's path", format!("{shorter}{rest}")))
        }
        None => edits.push(Edit::new("end the reference's path with a slash", format!("{path}/{rest}"))),
    }
    if base_query.len() > 1 && !rest.starts_with('?') {
        edits.push(Edit::new(format!("repeat the base's query, `{base_query}`"), format!("{path}{base_query}{rest}")));
    }
    if !rest.is_empty() {
        edits.push(Edit::new("remove the query and fragment of the reference", path));
    }
    if let Some((scheme, after)) = path.split_once(':').filter(|(scheme, _)| !scheme.contains('/')) {
        edits.push(Edit::new(format!("remove `{scheme}:` from the reference"), format!("{after}{rest}")));
        let host = after.trim_start_matches('/');
        edits.push(Edit::new(
            format!("write `{scheme}://` instead of `{}`", &path[..path.len() - host.len()]),
            format!("{scheme}://{host}{rest}"),
        ));
    } else {
        let bare = reference.trim_start_matches('/');
        edits.push(Edit::new("write `//` before the host", format!("//{bare}")));
        for scheme in ["http", "https"] {
            edits.push(Edit::new(format!("write `{scheme}://` before the host"), format!("{scheme}://{bare}")));
        }
    }
    edits.extend(spelling("the reference", reference));
    edits.retain(|edit| edit.text != reference);
    edits
}

/// Returns changes of the spelling of a text: characters that are percent-encoded or decoded, and backslashes as slashes.
fn spelling(about: &str, text: &str) -> Vec<Edit> {
    const ENCODED: [char; 20] =
        ['[', ']', '|', '\\', ' ', ':', '%', '?', '#', '@', '^', '`', '{', '}', '<', '>', '"', ';', '&', '+'];
    let encode = |c: char, text: &str| text.replace(c, &format!("%{:02X}", u32::from(c)));
    let present: Vec<char> = ENCODED.into_iter().filter(|c| text.contains(*c)).collect();
    let mut edits: Vec<Edit> =
        present.iter().map(|c| Edit::new(format!("percent-encode `{c}` in {about}"), encode(*c, text))).collect();
    if text.contains(['[', ']']) {
        let what = format!("percent-encode `[` and `]` in {about}");
        edits.push(Edit::new(what, encode(']', &encode('[', text))));
    }
    if !text.is_ascii() {
        let encoded = text.chars().map(|c| match c.is_ascii() {
            true => c.to_string(),
            false => c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        });
        edits.push(Edit::new(format!("percent-encode what is not ASCII in {about}"), encoded.collect::<String>()));
    }
    if text.contains('\\') {
        edits.push(Edit::new(format!("write slashes instead of backslashes in {about}"), text.replace('\\', "/")));
    }
    if text.contains('%')
        && let Ok(decoded) = percent_encoding::percent_decode_str(text).decode_utf8()
    {
        edits.push(Edit::new(format!("decode the percent-encoded characters of {about}"), decoded));
    }
    edits
}

impl Change {
    /// Returns the part that is to be typed instead: the changed base, the changed reference, or the engine with the changed rule.
    pub fn instead(&self, base: &str, reference: &str) -> String {
        if let Some(engine) = &self.engine {
            return engine.clone();
        }
        let of_base = (self.base != base).then(|| format!("base {}", shown(&self.base)));
        let of_reference = (self.reference != reference).then(|| format!("reference {}", shown(&self.reference)));
        of_base.into_iter().chain(of_reference).collect::<Vec<_>>().join(", ")
    }
}
