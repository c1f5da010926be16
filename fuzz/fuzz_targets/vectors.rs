//! The property `VectorFiles`.
#![no_main]

urlstrata_fuzz::target!(VectorFiles);
