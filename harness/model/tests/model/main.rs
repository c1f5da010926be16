//! Tests of the library. They are one program, because each program takes time to be linked.

mod behaviour;
mod fit;
mod pairs;
