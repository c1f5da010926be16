//! Text that is safe to print on a terminal: invisible characters are escaped.

/// Escapes the invisible characters of `text`. Only the first 2,000 characters are kept; if the text is longer, its
/// length in bytes is appended.
pub fn visible(text: &str) -> String {
    const LONGEST: usize = 2000;
    let mut shown = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST {
            shown.push_str(&format!("… ({} bytes in all)", text.len()));
            break;
        }
        if is_invisible(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Returns whether `character` is invisible: a control character, white space other than the space, a directional mark,
/// a joiner, a private-use character or a noncharacter.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || character != ' ' && character.is_whitespace()
        || matches!(character as u32,
            0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180e | 0x200b..=0x200f | 0x202a..=0x202e
            | 0x2060..=0x206f | 0x3164 | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffb | 0xe0000..=0x10_ffff)
        || character as u32 & 0xfffe == 0xfffe
}
