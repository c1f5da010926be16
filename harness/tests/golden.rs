//! The console blocks of the READMEs and of `tests/golden/` show the output of their commands.
//!
//! `TRYCMD=overwrite cargo test --test golden` updates them.

#[test]
fn console_blocks_show_the_output_of_the_commands() {
    let cases = trycmd::TestCases::new();
    cases.case("../README.md").case("README.md").case("tests/golden/*.md");
}
