//! The HTTP header of a recorded response, and the encodings of its body.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use httparse::{EMPTY_HEADER, ParserConfig, Status};

use super::MAX_PAGE;
use super::fields::{MAX_HEADER, RecordHeader};
use super::stream::{Broken, Stream};

/// The maximum number of fields in a header.
const MAX_FIELDS: usize = 256;

/// The fields that state bases or hold links.
const KEPT: [&str; 4] = ["Base", "Content-Base", "Content-Location", "Location"];

/// The properties of a page that its header states.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// The media type in lower case, without parameters; empty if there is none.
    pub(super) media_type: String,
    pub(super) charset: Option<String>,
    /// The names and values of the fields that state bases or hold links.
    pub(super) fields: Vec<(String, String)>,
    is_chunked: bool,
    /// The content encodings in lower case, in the order in which they were applied.
    encodings: Vec<String>,
}

impl Head {
    /// Returns the properties of a record whose block is the page itself.
    pub(super) fn of_resource(header: &RecordHeader) -> Self {
        let (media_type, charset) = media_type(&header.content_type);
        Self { media_type, charset, ..Self::default() }
    }

    /// Uses the media type that the crawler detected, if the header states none.
    pub(super) fn or_identified(mut self, header: &RecordHeader) -> Self {
        if self.media_type.is_empty() {
            self.media_type = media_type(&header.identified).0;
        }
        self
    }

    /// Takes a field of an HTTP header.
    pub(super) fn take(&mut self, name: &str, value: &str) {
        match name.to_ascii_lowercase().as_str() {
            "content-type" => (self.media_type, self.charset) = media_type(value),
            "transfer-encoding" => self.is_chunked |= value.to_ascii_lowercase().contains("chunked"),
            "content-encoding" => {
                let encodings = value.split(',').map(|name| name.trim().to_ascii_lowercase());
                self.encodings.extend(encodings.filter(|name| !name.is_empty() && name != "identity"));
            }
            _ if KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(name)) => {
                self.fields.push((name.to_owned(), value.to_owned()));
            }
            _ => {}
        }
    }

    /// Returns whether all content encodings can be decoded.
    pub(super) fn can_be_decoded(&self) -> bool {
        self.encodings.iter().all(|name| matches!(name.as_str(), "gzip" | "x-gzip" | "deflate"))
    }

    /// Decodes a body. Returns `None` if it is longer than [`MAX_PAGE`].
    ///
    /// Many crawlers decode bodies but keep the fields that state the encodings. Thus a body that is not encoded as stated
    /// is returned unchanged. Of a body that is cut off, the part that was recorded is returned.
    pub(super) fn decode(&self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let mut bytes = if self.is_chunked { without_chunks(bytes) } else { bytes };
        for encoding in self.encodings.iter().rev() {
            let is_zlib = bytes.first().is_some_and(|first| first & 0x0f == 8);
            bytes = match encoding.as_str() {
                "deflate" if is_zlib => decoded(ZlibDecoder::new(&*bytes)).or(Some(bytes)),
                "deflate" => decoded(DeflateDecoder::new(&*bytes)).or(Some(bytes)),
                _ if bytes.starts_with(&[0x1f, 0x8b]) => decoded(MultiGzDecoder::new(&*bytes)).or(Some(bytes)),
                _ => Some(bytes),
            }
            .filter(|bytes| bytes.len() <= MAX_PAGE)?;
        }
        Some(bytes)
    }
}

/// Returns up to [`MAX_PAGE`] bytes and one more, or `None` if nothing can be decoded.
fn decoded(decoder: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let result = decoder.take(MAX_PAGE as u64 + 1).read_to_end(&mut bytes);
    (result.is_ok() || !bytes.is_empty()).then_some(bytes)
}

/// Removes the chunks of a transfer encoding (RFC 9112 §7.1).
fn without_chunks(bytes: Vec<u8>) -> Vec<u8> {
    let (mut whole, mut rest) = (Vec::new(), &*bytes);
    while let Ok(Status::Complete((start, size))) = httparse::parse_chunk_size(rest) {
        if size == 0 {
            return whole;
        }
        let chunk = &rest[start..];
        let length = usize::try_from(size).unwrap_or(usize::MAX).min(chunk.len());
        whole.extend_from_slice(&chunk[..length]);
        rest = &chunk[length..];
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
    if whole.is_empty() { bytes } else { whole }
}

/// Returns the media type in lower case without parameters, and its parameter `charset`.
pub(super) fn media_type(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
    let charset =
        parts.filter_map(|part| part.split_once('=')).find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    (media_type, charset.map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned()))
}

/// Reads the HTTP header at the start of a block of `rest` bytes, and reduces `rest` by its length. Returns the reason if it
/// cannot be read.
pub(super) fn head<R: Read>(stream: &mut Stream<R>, rest: &mut u64) -> Result<Result<Head, String>, Broken> {
    let most = usize::try_from(*rest).unwrap_or(usize::MAX).min(MAX_HEADER);
    let mut count = most.min(4 << 10);
    loop {
        let bytes = stream.peek(count)?;
        let bytes = &bytes[..bytes.len().min(most)];
        let parsed = parse(bytes);
        match parsed {
            Ok(Some((head, length))) => {
                stream.consume(length);
                *rest -= length as u64;
                return Ok(Ok(head));
            }
            Ok(None) if bytes.len() >= count && count < most => count = most.min(count * 4),
            Ok(None) => return Ok(Err("its HTTP header does not end".to_owned())),
            Err(error) => return Ok(Err(format!("its HTTP header cannot be read: {error}"))),
        }
    }
}

/// Returns the header at the start of `bytes` and its length, or `None` if it does not end within `bytes`.
fn parse(bytes: &[u8]) -> Result<Option<(Head, usize)>, httparse::Error> {
    let mut headers = [EMPTY_HEADER; MAX_FIELDS];
    let mut response = httparse::Response::new(&mut headers);
    let mut config = ParserConfig::default();
    config
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true)
        .allow_space_before_first_header_name(true)
        .ignore_invalid_headers_in_responses(true);
    let Status::Complete(length) = config.parse_response(&mut response, bytes)? else { return Ok(None) };
    let mut head = Head::default();
    for header in response.headers.iter() {
        head.take(header.name, &String::from_utf8_lossy(header.value));
    }
    Ok(Some((head, length)))
}

#[cfg(test)]
mod tests {
    use super::{Head, MAX_PAGE, media_type, without_chunks};

    #[test]
    fn chunks_are_removed_if_there_are_any() {
        for (body, whole) in [
            ("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde"),
            ("3\r\nabc\n0\r\n", "abc"),
            ("3\nabc\n0\n", "3\nabc\n0\n"),
            ("3\r\nabc\r\nff\r\nde", "abcde"),
            ("0\r\n\r\n", ""),
            ("<html>", "<html>"),
            ("", ""),
        ] {
            assert_eq!(without_chunks(body.into()), whole.as_bytes(), "{body:?}");
        }
    }

    #[test]
    fn the_charset_is_a_parameter_of_the_media_type() {
        let of = |value| media_type(value);
        assert_eq!(of("Text/HTML"), ("text/html".to_owned(), None));
        assert_eq!(of("text/html; a=b ;Charset = \"UTF-8\""), ("text/html".to_owned(), Some("UTF-8".to_owned())));
    }

    #[test]
    fn a_body_that_is_not_encoded_as_stated_is_unchanged() {
        for encoding in ["gzip", "deflate", "gzip, deflate"] {
            let mut head = Head::default();
            head.take("Content-Encoding", encoding);
            assert!(head.can_be_decoded());
            assert_eq!(head.decode(b"<a href=x>".to_vec()).as_deref(), Some(&b"<a href=x>"[..]), "{encoding}");
        }
    }

    #[test]
    fn a_body_that_decodes_to_more_than_the_limit_is_not_returned() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::copy(&mut std::io::Read::take(std::io::repeat(b' '), MAX_PAGE as u64 + 1), &mut encoder)
            .expect("memory");
        let mut head = Head::default();
        head.take("content-encoding", "x-gzip");
        assert_eq!(head.decode(encoder.finish().expect("memory")), None);
    }
}
