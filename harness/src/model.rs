//! The behaviour model: an engine's profile, the attribution of its divergences, and its known deviations.

pub mod attribute;
pub mod behaviours;
pub mod dated;
pub mod known;
pub mod note;
pub mod profile;
pub mod shrink;
pub mod specification;
