//! The order of engines in lists: see `best_known.txt`, which states how it was made.

/// Returns the names of the best known engine folders, in their order.
pub fn best_known() -> impl Iterator<Item = &'static str> {
    include_str!("best_known.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Returns the place of the engine called `name` among the best known ones. An engine that is not one of them comes after all of them.
///
/// A crate in this process has the place of its folder.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::engine::use_order::place;
///
/// assert!(place("urllib") < place("furl"));
/// assert_eq!(place("crate:url"), place("crate-url"));
/// assert!(place("urllib") < place("nobody-knows-it"));
/// ```
pub fn place(name: &str) -> usize {
    let folder = name.replacen("crate:", "crate-", 1);
    best_known().position(|own| own == folder).unwrap_or(usize::MAX)
}
