//! Behaviours: what they predict, and how they differ.

mod cleaning;
mod compare;
mod decisive;
mod describe;
mod file_path;
mod table;
mod text;
