//! Tests of the library. They are one program, because each program that is linked contains the recordings.

mod acceptance;
mod behaviour;
mod causes;
mod crates;
mod explain;
mod layers;
mod notable;
mod recordings;
mod schemes;
mod settings;
mod stream;
mod url_standard;
