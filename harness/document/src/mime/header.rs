//! Headers of messages and parts, as far as bases and links need them.

use std::sync::LazyLock;

use mail_parser::{HeaderName, HeaderValue, MessageParser};

/// The maximum length of the value of a `Content-Type` field, in bytes. A longer value is not parsed, because merging
/// continued parameters takes quadratic time.
pub(super) const MAX_MEDIA_TYPE: usize = 16 << 10;

/// A parser that returns every field unparsed. The default applies only if at least one field is configured.
static RAW: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().header_raw(HeaderName::ContentType).default_header_raw());

/// A parser for media types.
static MEDIA_TYPE: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().header_content_type(HeaderName::ContentType));

/// The fields of a header that bases and links need.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    pub(super) media_type: Option<String>,
    pub(super) boundary: Option<String>,
    pub(super) charset: Option<String>,
    pub(super) transfer: String,
    /// The name and value of every field. The values are not unfolded.
    fields: Vec<(String, String)>,
    pub(super) too_long: bool,
}

impl Header {
    pub(super) fn of(block: &[u8]) -> Self {
        let Some(message) = RAW.parse_headers(&block) else { return Self::default() };
        let fields: Vec<_> = message.parts.first().into_iter().flat_map(|part| &part.headers).collect();
        let text = |value: &HeaderValue<'_>| value.as_text().unwrap_or_default().to_owned();
        let mut header = Self {
            fields: fields.iter().map(|field| (field.name.as_str().to_owned(), text(&field.value))).collect(),
            ..Self::default()
        };
        header.transfer = header.value("Content-Transfer-Encoding").unwrap_or_default().trim().to_ascii_lowercase();
        let Some(value) = header.value("Content-Type") else { return header };
        if value.len() > MAX_MEDIA_TYPE {
            header.too_long = true;
            header.media_type = Some("application/octet-stream".to_owned());
            return header;
        }
        let field = format!("Content-Type: {value}\r\n\r\n");
        let parsed = MEDIA_TYPE.parse_headers(field.as_bytes());
        let kind = parsed.as_ref().and_then(|message| message.parts.first()?.headers.first()?.value.as_content_type());
        if let Some(kind) = kind {
            let subtype = kind.subtype().unwrap_or_default();
            header.media_type = Some(format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase());
            header.boundary = kind.attribute("boundary").map(str::to_owned);
            header.charset = kind.attribute("charset").map(str::to_owned);
        }
        header
    }

    pub(super) fn value(&self, name: &'static str) -> Option<&str> {
        self.values(name).next()
    }

    pub(super) fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        self.fields.iter().filter(move |field| field.0.eq_ignore_ascii_case(name)).map(|field| field.1.as_str())
    }

    pub(super) fn is_encoded(&self) -> bool {
        matches!(self.transfer.as_str(), "base64" | "quoted-printable")
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn parameters_of_media_types_are_parsed() {
        let header = Header::of(
            b"MIME-Version: 1.0\r\nContent-Type: Multipart/Mixed;\r\n boundary=\"a b\"; charset=UTF-8\r\n\r\n",
        );
        assert_eq!(header.media_type.as_deref(), Some("multipart/mixed"), "{header:?}");
        assert_eq!(header.boundary.as_deref(), Some("a b"));
        assert_eq!(header.charset.as_deref(), Some("UTF-8"));
    }
}
