//! The console blocks of the READMEs and of `tests/golden/` show what the commands print.
//!
//! `TRYCMD=overwrite cargo test --test golden` updates them.

#[test]
fn the_console_blocks_show_what_is_printed() {
    let cases = trycmd::TestCases::new();
    cases.case("../README.md").case("README.md").case("tests/golden/*.md");
}
