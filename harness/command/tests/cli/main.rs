//! Tests of the command. They are one program, because each program that is linked contains the recordings.

mod commands;
mod export;
mod formats;
mod golden;
mod hosts;
mod known;
mod links;
mod merge;
mod package;
mod pipe;
mod readme;
mod schema;
mod warc;

#[path = "../folder/mod.rs"]
mod folder;
#[path = "../program/mod.rs"]
mod program;
