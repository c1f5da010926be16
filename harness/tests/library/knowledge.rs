//! What is known of engines, and the causes of divergences.

mod attribute;
mod citation;
mod dated;
mod directions;
mod judged;
mod shrink;
