//! The header of a WARC record.

use std::io::Read;

use memchr::memmem;

use super::stream::{Broken, Stream};

/// The maximum length of a header, in bytes.
pub(super) const MAX_HEADER: usize = 64 << 10;

/// The fields of a record's header that pages need.
#[derive(Debug, Default)]
pub(super) struct RecordHeader {
    /// The type of the record in lower case, such as `response`.
    pub(super) kind: String,
    /// The length of the block, in bytes.
    pub(super) length: u64,
    /// The target URL; empty if there is none.
    pub(super) url: String,
    /// The media type of the block: that of the whole HTTP message for a response.
    pub(super) content_type: String,
    /// The media type that the crawler detected in the payload.
    pub(super) identified: String,
}

impl RecordHeader {
    /// Returns the header in `text`, whose first line is the version of WARC.
    fn of(text: &str) -> Result<Self, Broken> {
        let (mut header, mut length) = (Self::default(), None);
        for (name, value) in fields(text) {
            match name.to_ascii_lowercase().as_str() {
                "warc-type" => header.kind = value.to_ascii_lowercase(),
                "content-length" => length = Some(value),
                // WARC/1.0 defined the URL with angle brackets around it; few programs write them.
                "warc-target-uri" => header.url = value.trim_start_matches('<').trim_end_matches('>').to_owned(),
                "content-type" => header.content_type = value,
                "warc-identified-payload-type" => header.identified = value,
                _ => {}
            }
        }
        if header.kind.is_empty() {
            return Err("the header of the record has no WARC-Type".into());
        }
        let Some(length) = length else { return Err("the header of the record has no Content-Length".into()) };
        let digits = length.bytes().all(|byte| byte.is_ascii_digit());
        let number = length.parse().ok().filter(|_| digits);
        header.length = number.ok_or_else(|| {
            let length: String = length.chars().take(40).collect();
            Broken::Damaged(format!(
                "the Content-Length {:?} is not a number",
                urlstrata_outcome::escape::visible(&length)
            ))
        })?;
        Ok(header)
    }

    pub(super) fn is_json(&self) -> bool {
        super::http::media_type(&self.content_type).0 == "application/json"
    }

    /// Returns whether the block is a whole HTTP message.
    pub(super) fn is_http(&self) -> bool {
        self.length > 0 && matches!(super::http::media_type(&self.content_type).0.as_str(), "" | "application/http")
    }
}

/// Returns the names and values of the fields after the first line. A line that begins with white space continues the
/// line before it.
fn fields(text: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in text.lines().skip(1) {
        match (line.starts_with([' ', '\t']), fields.last_mut(), line.split_once(':')) {
            (true, Some(last), _) => last.1.extend([" ", line.trim()]),
            (_, _, Some((name, value))) => fields.push((name.trim(), value.trim().to_owned())),
            _ => {}
        }
    }
    fields
}

/// Reads the header of the next record, including the empty line after it.
pub(super) fn record_header<R: Read>(stream: &mut Stream<R>) -> Result<RecordHeader, Broken> {
    let mut count = 2 << 10;
    loop {
        let bytes = stream.peek(count)?;
        if !bytes.starts_with(b"WARC/") {
            return Err("a record should begin here".into());
        }
        let is_all = bytes.len() < count;
        if let Some(length) = header_length(&bytes[..bytes.len().min(MAX_HEADER)]) {
            let header = RecordHeader::of(&String::from_utf8_lossy(&bytes[..length]))?;
            stream.consume(length);
            return Ok(header);
        }
        if is_all {
            return Err(Broken::Damaged(format!("the {} ends within the header of the record", stream.end_name())));
        }
        if count >= MAX_HEADER {
            return Err(Broken::Damaged(format!("the header of the record is longer than {MAX_HEADER} bytes")));
        }
        count = (count * 4).min(MAX_HEADER);
    }
}

/// Returns the length of a header with the empty line after it. Some programs write line ends without CR.
fn header_length(bytes: &[u8]) -> Option<usize> {
    let [crlf, lf] = [&b"\r\n\r\n"[..], b"\n\n"].map(|end| memmem::find(bytes, end).map(|at| at + end.len()));
    crlf.into_iter().chain(lf).min()
}

#[cfg(test)]
mod tests {
    use super::{Broken, RecordHeader, header_length};

    #[test]
    fn fields_are_found_whatever_their_case_and_line_ends() {
        let text = "WARC/1.0\nwarc-type: Response\r\nWARC-Target-URI: <http://a/>\nContent-Length:7\nX: a:\n b\n\n";
        let header = RecordHeader::of(text).ok().expect("a header");
        assert_eq!((header.kind.as_str(), header.length, header.url.as_str()), ("response", 7, "http://a/"));
        assert_eq!(header_length(b"a\r\n\r\nb\n\n"), Some(5));
        assert_eq!(header_length(b"a\n\nb\r\n\r\n"), Some(3));
    }

    #[test]
    fn a_length_is_a_number() {
        for length in ["", "-1", "+1", "1 2", "99999999999999999999", "0x1"] {
            let header = RecordHeader::of(&format!("WARC/1.0\nWARC-Type: x\nContent-Length: {length}\n"));
            assert!(matches!(header, Err(Broken::Damaged(why)) if why.ends_with("is not a number")), "{length}");
        }
    }
}
