//! The vectors: reading their files, evaluating the reference implementations on them, and exporting them.
//!
//! The modules form layers. A module only uses modules listed after it.
//!
//! | module | content |
//! | --- | --- |
//! | [`vector`] | files and kinds of vectors, their evaluation, and coverage |
//! | [`evaluate`] | comparison of the results of revisions and grammars |
//! | [`yaml`], [`files`] | YAML with file and line, and the replacement of files |

pub mod evaluate;
pub mod files;
pub mod vector;
pub mod yaml;
