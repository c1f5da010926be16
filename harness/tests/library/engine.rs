//! Engines: their folders, recordings and programs.

mod folder;
mod installation;
mod locate;
mod recorded;
mod recording;
mod serve;
mod smoke;
mod statement;
