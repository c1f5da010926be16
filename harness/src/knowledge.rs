//! What is known of engines: their behaviours, the attribution of their divergences, and their known deviations.

pub mod attribute;
pub mod behaviours;
pub mod dated;
pub mod known;
pub mod notable;
pub mod note;
pub mod shrink;
pub mod specification;
