//! Tables of characters.

use urlstrata_model::behaviour::{Bytes, Escape, Rejected, Table};

#[test]
fn bytes_that_are_not_utf_8_are_treated_apart() {
    let mut table = Table { bytes: Bytes::Replaced, ..Table::default() };
    assert_eq!(table.apply("%c3%a9%aa%C3z").as_deref(), Ok("%c3%a9%EF%BF%BD%EF%BF%BDz"));
    table.actions_mut().escape[128] = Escape::Decoded;
    table.bytes = Bytes::Upper;
    assert_eq!(table.apply("%c3%a9%aa%e4%b8%ad").as_deref(), Ok("é%AA中"));
    table.bytes = Bytes::LikeOthers;
    assert_eq!(table.apply("%aa").as_deref(), Ok("\u{fffd}"));
    table.bytes = Bytes::DecodedLatin1;
    assert_eq!(table.apply("%aa%c3%a9%7E"), Ok("\u{aa}\u{c3}\u{a9}%7E".to_owned()));
    table.bytes = Bytes::Rejected;
    assert_eq!(table.apply("%aa"), Err(Rejected));
}
