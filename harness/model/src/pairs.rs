//! Pairs of a base and a reference: read from lines, generated, and classified by their base.

pub mod asked;
pub mod bases;
pub mod confusing;
pub mod generate;

/// Splits a line into base and reference at the first tab. Neither is validated, and each may be empty.
///
/// # Errors
///
/// Returns a sentence about the line if it contains no tab.
pub fn split(line: &str) -> Result<(&str, &str), String> {
    line.split_once('\t').ok_or_else(|| "no tab: a line is a base, a tab and a reference".to_owned())
}

/// Returns the links of documentation that are part of the vectors, as base and reference.
pub fn documentation() -> impl Iterator<Item = (&'static str, &'static str)> {
    urlstrata_vectors::links().lines().filter_map(|line| split(line).ok())
}

/// Splits a line into base, reference and the place where the reference was found.
///
/// The base ends at the first tab and the place begins after the last tab, so the reference may contain tabs. This is
/// the format that `urlstrata links --pairs --places` writes. None of the three parts is validated, and each may be
/// empty.
///
/// # Errors
///
/// Returns a sentence about the line if it contains fewer than two tabs.
///
/// # Examples
///
/// ```
/// use urlstrata_model::pairs::split_with_place;
///
/// let line = "http://h/\t../x\tpage.eml, part 1:2";
/// assert_eq!(split_with_place(line), Ok(("http://h/", "../x", "page.eml, part 1:2")));
/// ```
pub fn split_with_place(line: &str) -> Result<(&str, &str, &str), String> {
    let parts = line.split_once('\t').and_then(|(base, rest)| {
        let (reference, place) = rest.rsplit_once('\t')?;
        Some((base, reference, place))
    });
    parts.ok_or_else(|| {
        let missing = if line.contains('\t') { "no second tab" } else { "no tab" };
        format!("{missing}: a line is a base, a tab, a reference, a tab and a place")
    })
}
