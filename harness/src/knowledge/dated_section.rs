//! The sections and states of the URL Standard as its dated texts have them.
//!
//! Sentences cite the sections of the newest text, often with the name of a state or an algorithm. [`section_in`] returns what a
//! reader of a dated text looks for. Steps have a table of their own: [`whatwg::place_in`](urlstrata::revision::whatwg::place_in).

use urlstrata::revision::Revision;

use super::specification::is_url_standard;

/// What the texts of the years from the first to the second one have instead of a section, a state or a remark of the newest text.
type Row = (&'static str, u16, u16, &'static str);

/// The rows, longer texts before those with which they begin.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("§4.2, Windows drive letters, and §4.4 file state", 2014, 2014, "§4.2 file host state, relative path state"),
    ("§4.2, Windows drive letters", 2016, 2016, "§1, Windows drive letters"),
    ("§4.2 start with a Windows drive letter", 2014, 2014, "§4.2 relative state"),
    ("§4.2 start with a Windows drive letter", 2016, 2016, "§4.2 file state"),
    ("§4.2 shorten a path", 2014, 2014, "§4.2 relative path state"),
    ("§4.2 shorten a path", 2016, 2016, "§4 pop a path"),
    ("§3.2 forbidden host code point", 2014, 2016, "§3.3 host parser"),
    ("§3.2 forbidden domain code point", 2014, 2016, "§3.3 host parser"),
    ("§3.2 forbidden domain code point", 2018, 2021, "§3.2 forbidden host code point"),
    ("§3.5 ends in a number checker", 2014, 2014, "§3.3 host parser"),
    ("§3.5 ends in a number checker", 2016, 2016, "§3.3 IPv4 parser"),
    ("§3.5 ends in a number checker", 2018, 2021, "§3.5 IPv4 parser"),
    ("§3.5 IPv4 number parser", 2014, 2014, "§3.3 host parser"),
    ("§3.5 IPv4 parser", 2014, 2014, "§3.3 host parser"),
    (", with §1.3 query percent-encode sets", 2014, 2018, ""),
    (", with §1.3 fragment percent-encode set", 2014, 2016, ""),
    ("path percent-encode set", 2014, 2016, "default encode set"),
    ("C0 control percent-encode set", 2014, 2016, "simple encode set"),
    ("URL serializing, step 3", 2020, 2020, "URL serializing, step 5.1"),
    ("URL serializing, step 3", 2021, 2021, "URL serializing, step 4.1"),
    ("basic URL parser, steps 1 to 3", 2014, 2014, "basic URL parser, step 1"),
    ("special relative or authority state", 2014, 2014, "relative or authority state"),
    ("special authority ignore slashes state", 2014, 2014, "authority ignore slashes state"),
    ("opaque path state", 2014, 2014, "scheme data state"),
    ("opaque path state", 2016, 2021, "cannot-be-a-base-URL path state"),
    ("path start state", 2014, 2014, "relative path start state"),
    ("path state", 2014, 2014, "relative path state"),
    ("file slash state", 2014, 2014, "relative slash state"),
    ("file state", 2014, 2014, "relative state"),
    ("§1.3", 2014, 2014, "§2"),
    ("§1.3", 2016, 2016, "§1.2"),
    ("§3.3", 2014, 2016, "§3.1"),
    ("§3.5", 2014, 2016, "§3.3"),
    ("§3.6", 2014, 2016, "§3.4"),
    ("§4.4", 2014, 2016, "§4.2"),
    ("§4.5", 2014, 2016, "§4.3"),
];

/// Returns `section`, which is one of the newest text, as the text of `revision` has it. A section of another specification is returned
/// unchanged.
pub fn section_in(revision: &Revision, section: &str) -> String {
    let year = revision.date.rsplit(' ').next().and_then(|year| year.parse().ok()).unwrap_or(u16::MAX);
    let rows = || ROWS.iter().filter(|(_, from, to, _)| is_url_standard(revision) && (*from..=*to).contains(&year));
    let (mut dated, mut rest) = (String::new(), section);
    while let Some(first) = rest.chars().next() {
        let is_start = !dated.ends_with(|before: char| before.is_alphanumeric());
        let row = rows().find(|(newest, ..)| is_start && rest.starts_with(newest));
        let (length, text) = row.map_or((first.len_utf8(), &rest[..first.len_utf8()]), |row| (row.0.len(), row.3));
        dated.push_str(text);
        rest = &rest[length..];
    }
    dated
}
