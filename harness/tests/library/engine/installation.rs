//! Installation of the versions of engines.

use urlstrata_harness::engine::installation::archive_prefix;

#[test]
fn the_archive_of_a_planned_package_is_found() {
    assert_eq!(archive_prefix("Inst libc6 (2.36-9 Debian:12/stable [amd64])").as_deref(), Some("libc6_2.36-9_"));
    assert_eq!(
        archive_prefix("Inst perl-base [5.1] (1:5.36 Debian [amd64]) []").as_deref(),
        Some("perl-base_1%3a5.36_")
    );
    assert_eq!(archive_prefix("Conf libc6 (2.36-9 Debian:12/stable [amd64])"), None);
}
