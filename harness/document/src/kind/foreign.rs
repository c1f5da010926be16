//! Documents that are recognized, but whose links are not read.

use std::path::Path;

/// XML of any kind, by its extension.
pub(super) const XML: &str = "XML";

/// The documents with these extensions. An extension that is not listed does not decide: the content does.
const EXTENSIONS: &[(&str, &[&str])] = &[
    ("an Atom feed", &["atom"]),
    ("an RSS feed", &["rss"]),
    ("an SVG image", &["svg", "svgz"]),
    (
        XML,
        &[
            "xml", "xsl", "xslt", "xsd", "wsdl", "opml", "rdf", "mpd", "smil", "plist", "gpx", "kml", "xspf", "ncx",
            "opf",
        ],
    ),
    ("Markdown", &["md", "markdown", "mdown", "mkd", "mdx", "rmd", "qmd"]),
    ("reStructuredText", &["rst", "rest"]),
    ("AsciiDoc", &["adoc", "asciidoc"]),
    ("an Org document", &["org"]),
    ("Textile", &["textile"]),
    ("wiki text", &["wiki", "mediawiki"]),
    ("TeX", &["tex", "latex", "bib", "sty"]),
    ("Texinfo", &["texi", "texinfo"]),
    ("RTF", &["rtf"]),
    ("an HLS playlist", &["m3u8"]),
    ("a playlist", &["m3u", "pls"]),
    ("WebVTT", &["vtt"]),
    ("CSS", &["css", "scss", "sass", "less"]),
    ("JavaScript", &["js", "mjs", "cjs", "jsx"]),
    ("TypeScript", &["ts", "mts", "cts", "tsx"]),
    ("JSON", &["json", "jsonl", "ndjson", "jsonld", "json5", "geojson", "webmanifest", "ipynb", "har", "map"]),
    ("YAML", &["yaml", "yml"]),
    ("TOML", &["toml"]),
    ("a table", &["csv", "tsv"]),
    ("Turtle or another form of RDF", &["ttl", "nt", "n3", "nq", "trig"]),
    ("a calendar", &["ics"]),
    ("a contact", &["vcf"]),
    ("an Internet shortcut", &["url", "webloc"]),
    ("a PDF document", &["pdf"]),
    ("an office document", &["doc", "docx", "odt", "xls", "xlsx", "ods", "ppt", "pptx", "odp"]),
    ("an e-book", &["epub", "mobi"]),
];

/// First bytes by which documents are recognized that are not text, or text that only a program reads.
const STARTS: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "RTF"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"#EXTM3U", "an HLS playlist"),
    (b"WEBVTT", "WebVTT"),
    (b"BEGIN:VCALENDAR", "a calendar"),
    (b"BEGIN:VCARD", "a contact"),
    (b"[InternetShortcut]", "an Internet shortcut"),
];

/// Returns what the extension of `path` says, if the links of such documents are not read.
pub(super) fn by_ending(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    EXTENSIONS.iter().find(|(_, endings)| endings.contains(&&*ending)).map(|(what, _)| *what)
}

/// Returns what the first bytes say, if the links of such documents are not read. Text is not recognized.
pub(super) fn by_start(bytes: &[u8]) -> Option<&'static str> {
    STARTS.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, what)| *what)
}

/// Returns what `text` is, if it is XML other than HTML: by its declaration, its document type, its root element, or the name
/// space of that. `text` may be the start of a document. A document that is `named` HTML may begin with an image or a formula.
pub(super) fn xml(text: &str, is_named_html: bool) -> Option<String> {
    let (root, is_declared) = root(text);
    let Some(root) = root else { return is_declared.then(|| XML.to_owned()) };
    let name = root.split([' ', '\t', '\r', '\n', '/', '>']).next().unwrap_or_default();
    let local = name.rsplit(':').next().unwrap_or_default();
    if local.eq_ignore_ascii_case("html") {
        return None;
    }
    let tag = root.split('>').next().unwrap_or(root);
    // A URL in brackets is not a name with a prefix.
    if name.contains(':') && !is_declared && !tag.contains("xmlns:") {
        return None;
    }
    let is_alone = is_declared || !is_named_html && tag.contains("xmlns");
    let known = match local {
        "feed" => "an Atom feed",
        "entry" if tag.contains("http://www.w3.org/2005/Atom") => "an Atom entry",
        "rss" => "an RSS feed",
        "RDF" if name.contains(':') => "RDF in XML",
        "urlset" | "sitemapindex" => "a sitemap",
        "opml" => "an OPML outline",
        "MPD" => "a DASH manifest",
        "svg" if is_alone => "an SVG image",
        "math" if is_alone => "a MathML formula",
        "svg" | "math" => return None,
        _ if is_declared || name.contains(':') || has_own_namespace(tag) || tag.contains("xml:base=") => {
            return Some(format!("XML with the root element {}", urlstrata_outcome::escape::visible(name)));
        }
        _ => return None,
    };
    Some(known.to_owned())
}

/// Returns whether `tag` states a default name space that is not that of XHTML.
fn has_own_namespace(tag: &str) -> bool {
    let value = tag.split_once("xmlns=").map(|(_, value)| value.trim_start_matches(['"', '\'']));
    value.is_some_and(|value| !value.starts_with("http://www.w3.org/1999/xhtml"))
}

/// Returns the text after the `<` of the first element, and whether an XML declaration precedes it.
fn root(text: &str) -> (Option<&str>, bool) {
    let mut rest = text.trim_start();
    let is_declared = rest.starts_with("<?xml");
    loop {
        let (start, end) = match rest {
            _ if rest.starts_with("<!--") => (4, "-->"),
            _ if rest.starts_with("<?") => (2, ">"),
            _ if rest.starts_with("<!") => {
                let subset = rest.find('[').filter(|at| rest.find('>').is_none_or(|end| *at < end));
                (subset.unwrap_or(2), if subset.is_some() { "]>" } else { ">" })
            }
            _ => return (rest.strip_prefix('<').filter(|name| name.starts_with(char::is_alphabetic)), is_declared),
        };
        let Some((_, after)) = rest[start..].split_once(end) else { return (None, is_declared) };
        rest = after.trim_start();
    }
}

/// Returns what `text` is, if it is JSON or CSS. `text` may be the start of a document.
pub(super) fn notation(text: &str) -> Option<&'static str> {
    let rest = text.trim_start();
    let is_json = match rest.strip_prefix('{').map(str::trim_start) {
        Some(inner) => inner.starts_with('"') || inner.starts_with('}'),
        None => rest.starts_with('[') && is_array(rest),
    };
    if is_json {
        return Some("JSON");
    }
    is_css(rest).then_some("CSS")
}

/// Returns whether `text`, which begins with a bracket, is a JSON array, or its start.
fn is_array(text: &str) -> bool {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => true,
        Err(error) => error.is_eof(),
    }
}

/// Returns whether `text` begins with a rule of CSS: a known at-rule, or a selector with a declaration in braces.
fn is_css(text: &str) -> bool {
    let mut rest = text;
    while let Some(comment) = rest.strip_prefix("/*") {
        let Some((_, after)) = comment.split_once("*/") else { return false };
        rest = after.trim_start();
    }
    if ["@charset \"", "@import ", "@font-face", "@media "].iter().any(|rule| rest.starts_with(rule)) {
        return true;
    }
    let Some((selector, block)) = rest.split_once('{') else { return false };
    let is_selector = |c: char| c.is_alphanumeric() || " \t\r\n.#*:,>+~-_[]=\"'()".contains(c);
    let is_property = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_declaration = |text: &str| {
        let name = text.split_once(':').map(|(name, _)| name.trim());
        name.is_some_and(|name| !name.is_empty() && name.chars().all(is_property))
    };
    // The last declaration may be cut off by the end of the text.
    let mut declarations: Vec<&str> = block.split('}').next().unwrap_or_default().split(';').map(str::trim).collect();
    if !block.contains('}') {
        declarations.pop();
    }
    declarations.retain(|text| !text.is_empty());
    !selector.trim().is_empty()
        && selector.len() < 200
        && selector.chars().all(is_selector)
        && !declarations.is_empty()
        && declarations.into_iter().all(is_declaration)
}
