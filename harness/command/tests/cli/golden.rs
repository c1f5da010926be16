//! The console blocks of the READMEs and of `tests/golden/` show the output of their commands.
//!
//! `TRYCMD=overwrite cargo test -p urlstrata-command --test cli golden` updates them.

#[test]
fn console_blocks_show_the_output_of_the_commands() {
    let cases = trycmd::TestCases::new();
    // In a step of GitHub Actions the program would write annotations.
    cases.env("GITHUB_ACTIONS", "false");
    cases.case("../../README.md").case("../README.md").case("tests/golden/*.md");
}
