//! Tests of private modules. Their source files are modules of this program too, so that the library needs no tests of its
//! own and is compiled once.

extern crate alloc;

#[cfg(feature = "whatwg")]
mod labels;
mod removal;
mod run;

use source::step;
use urlstrata::{revision, rules, slots};

/// Modules of the library. `fast` and `grammar` contain their tests as modules, which are files of this folder.
#[path = "../../src"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the library uses these items")]
mod source {
    mod fast;
    mod grammar;
    pub(crate) mod step;
}

#[allow(dead_code, reason = "the library uses these items")]
#[path = "../../src/revision/segments.rs"]
mod segments;

/// The item of this module of the library that the optimized engine uses.
mod resolution {
    pub(crate) use urlstrata::Meaning;
}
