//! Results, and text about them.

mod location;
mod plural;
