//! What `QUrl` decodes and encodes.
//!
//! Read from `qurlrecode.cpp` and the tables in `qurl.cpp`.

use urlstrata_steps::text::is_escape;

/// What `qt_urlRecode` does with characters of ASCII, other than by default: unreserved characters and spaces are decoded, delimiters are kept, and
/// others are encoded.
#[derive(Clone, Copy, Default)]
pub(crate) struct Recode {
    /// The characters that are decoded.
    pub(crate) decodes: &'static [u8],
    /// The characters that are encoded.
    pub(crate) encodes: &'static [u8],
    /// Whether spaces and characters outside ASCII are encoded.
    pub(crate) is_full: bool,
}

/// The delimiters of user information that are encoded in a URL. Those of other components are its last ones.
const DELIMITERS: &[u8] = b":@][/?#";

const IN_ISOLATION: &[u8] = b":@][/?#\"<>^\\|{}";

impl Recode {
    /// `userNameInIsolation` and the tables that are parts of it.
    pub(super) const fn isolated(from: usize) -> Self {
        Self { decodes: IN_ISOLATION.split_at(from).1, encodes: b"", is_full: false }
    }

    /// `userNameInUrl` and the tables that are parts of it.
    pub(crate) const fn in_url(from: usize, is_full: bool) -> Self {
        Self { decodes: b"", encodes: DELIMITERS.split_at(from).1, is_full }
    }

    fn decodes(self, it: u8) -> bool {
        let by_default = it.is_ascii_alphanumeric() || b"-._~".contains(&it) || it == b' ' && !self.is_full;
        !self.encodes.contains(&it) && (by_default || self.decodes.contains(&it))
    }

    fn keeps(self, it: u8) -> bool {
        let is_delimiter = b"!#$&'()*+,/:;=?@[]".contains(&it) && !self.encodes.contains(&it);
        is_delimiter || self.decodes(it)
    }

    /// `recode`. A percent sign without two hexadecimal digits is encoded, and then each one is.
    pub(crate) fn of(self, text: &str) -> String {
        let is_bad = text.match_indices('%').any(|(at, _)| !is_escape(&text[at..]));
        let byte = |at: usize| {
            let digits = text.get(at..).filter(|text| is_escape(text)).map(|text| &text[1..3])?;
            u8::from_str_radix(digits, 16).ok()
        };
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(it) = text[at..].chars().next() {
            let mut length = it.len_utf8();
            match u8::try_from(it).ok().filter(u8::is_ascii) {
                Some(b'%') if is_bad => out += "%25",
                Some(b'%') => {
                    let first = byte(at).unwrap_or_default();
                    let count = usize::try_from(first.leading_ones()).unwrap_or_default().max(1);
                    let bytes = (0..count).map(|index| byte(at + 3 * index)).collect::<Option<Vec<u8>>>();
                    let decoded = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                    let is_decoded = |text: &String| match first.is_ascii() {
                        true => self.decodes(first),
                        false => !self.is_full && !text.contains(is_noncharacter),
                    };
                    match decoded.filter(is_decoded) {
                        Some(decoded) => {
                            out += &decoded;
                            length = 3 * count;
                        }
                        None => {
                            out += &text[at..at + 3].to_ascii_uppercase();
                            length = 3;
                        }
                    }
                }
                Some(byte) if self.keeps(byte) => out.push(it),
                Some(byte) => out += &format!("%{byte:02X}"),
                None if self.is_full => out += &encoded(it),
                None => out.push(it),
            }
            at += length;
        }
        out
    }
}

fn is_noncharacter(it: char) -> bool {
    matches!(it, '\u{fdd0}'..='\u{fdef}') || u32::from(it) & 0xfffe == 0xfffe
}

/// `unicodeToEncodedUtf8`: only the first surrogate of a character outside the first plane is encoded if that is a noncharacter.
fn encoded(it: char) -> String {
    let unit = u32::from(it.encode_utf16(&mut [0; 2])[0]);
    if is_noncharacter(it) && it > '\u{ffff}' {
        return format!("%{:02X}%{:02X}%{:02X}", 0xe0 | unit >> 12, 0x80 | unit >> 6 & 0x3f, 0x80 | unit & 0x3f);
    }
    it.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// `userNameInAuthority`.
pub(super) const AUTHORITY_USER: Recode = Recode { decodes: b"/?#\"<>^\\|{}", encodes: b":@][", is_full: false };
pub(super) const AUTHORITY_PASSWORD: Recode = Recode { encodes: b"@][", ..AUTHORITY_USER };

/// `decode`: decodes each escape, also percent signs, unless one is incomplete; what is not ASCII becomes U+FFFD.
pub(super) fn decoded(text: &str) -> String {
    if text.match_indices('%').any(|(at, _)| !is_escape(&text[at..])) {
        return text.to_owned();
    }
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = u8::from_str_radix(&part[..2], 16).ok().filter(u8::is_ascii);
        out.push(byte.map_or(char::REPLACEMENT_CHARACTER, char::from));
        out += &part[2..];
    }
    out
}

