//! Behaviours: the parameters that describe what a URL engine returns, and the fit that finds them.
//!
//! The modules form layers. A module only uses modules listed after it.
//!
//! | module | content |
//! | --- | --- |
//! | [`fit`] | the fit of a behaviour to an engine: probes, tables, climbing |
//! | [`behaviour`] | the parameters that describe an engine, and the resolver that they control |
//! | [`pairs`] | bases and references, given or generated |

pub mod behaviour;
pub mod fit;
pub mod pairs;
