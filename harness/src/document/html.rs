//! HTML: BASE in the HEAD, and every attribute that holds a URL.
//!
//! Read by a tokenizer and not by a tree builder: it keeps no stack of open elements, so that neither depth nor an end tag
//! without a start costs anything. What scripts and style sheets refer to is not looked for; NOSCRIPT is read, as a reader
//! without scripts does.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::LazyLock;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{Span, State, Tokenizer};

use super::{DocumentError, Event, Lines, Link, Part, Place, Reader, Stated, Told, charset, stated};

/// How URLs stand in an attribute.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Form {
    /// The value is one, but for white space around it.
    One,
    /// White space parts several.
    Several,
    /// Commas part several, each with a width or density.
    SrcSet,
    /// It follows a number of seconds, if the element is a META that says so.
    Refresh,
}

/// An attribute that holds a URL.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// The elements it holds one in; none are all.
    pub elements: &'static [&'static str],
    /// How it stands there.
    pub form: Form,
    /// Where that is defined.
    pub source: &'static str,
}

const fn one(name: &'static str, elements: &'static [&'static str], source: &'static str) -> Attribute {
    Attribute { name, elements, form: Form::One, source }
}

/// Every attribute that holds a URL, but for BASE's; `HTML` is the living standard's index of attributes.
pub const ATTRIBUTES: &[Attribute] = &[
    one("href", &["a", "area", "link"], "RFC 1866 §5.7.3; HTML"),
    one("href", &["image", "use"], "SVG 2 §16.1.2"),
    one("xlink:href", &["a", "image", "use", "script"], "SVG 1.1 §5.3.2"),
    one("src", &["img", "input"], "RFC 1866 §5.10, §8.1.2; HTML"),
    one("src", &["audio", "embed", "iframe", "script", "source", "track", "video"], "HTML"),
    one("src", &["frame"], "HTML 4.01 §16.2.2"),
    one("src", &["bgsound", "image"], "no standard: as browsers have it"),
    one("action", &["form"], "RFC 1866 §8.1.1; HTML"),
    one("cite", &["blockquote", "del", "ins", "q"], "HTML 4.01 §9.2.2; HTML"),
    one("longdesc", &["img", "frame", "iframe"], "HTML 4.01 §13.2"),
    one("usemap", &["img", "input", "object"], "HTML 4.01 §13.6.1; HTML"),
    one("background", &["body", "table", "td", "th", "tr"], "HTML 4.01 §7.5.1; no standard for tables"),
    one("profile", &["head"], "HTML 4.01 §7.4.1"),
    one("classid", &["object"], "HTML 4.01 §13.3"),
    one("codebase", &["applet", "object"], "HTML 4.01 §13.3"),
    one("data", &["object"], "HTML 4.01 §13.3; HTML"),
    one("formaction", &["button", "input"], "HTML"),
    one("poster", &["video"], "HTML"),
    one("manifest", &["html"], "HTML 5.1 §4.1.1"),
    one("icon", &["command", "menuitem"], "HTML 5.1 §4.11.4"),
    one("itemid", &[], "HTML"),
    Attribute { name: "ping", elements: &["a", "area"], form: Form::Several, source: "HTML" },
    Attribute { name: "archive", elements: &["applet", "object"], form: Form::Several, source: "HTML 4.01 §13.3" },
    Attribute { name: "srcset", elements: &["img", "source"], form: Form::SrcSet, source: "HTML" },
    Attribute { name: "imagesrcset", elements: &["link"], form: Form::SrcSet, source: "HTML" },
    Attribute { name: "content", elements: &["meta"], form: Form::Refresh, source: "HTML" },
];

/// [`ATTRIBUTES`] by name.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Attribute>>> = LazyLock::new(|| {
    let mut by_name: HashMap<_, Vec<_>> = HashMap::new();
    ATTRIBUTES.iter().for_each(|attribute| by_name.entry(attribute.name).or_default().push(attribute));
    by_name
});

pub(super) fn read(reader: &Reader<'_>, bytes: &[u8], place: &Place<'_>, told: Told<'_>) -> Result<(), DocumentError> {
    let declared = if place.charset.is_none() { declared_charset(bytes) } else { None };
    let (text, encoding) = charset::decode(bytes, &[place.charset, declared]);
    let mut stated = bases(&text);
    stated.extend_from_slice(place.own);
    let (base, trace) = reader.establish(&stated, place.enclosing);
    let (path, media_type) = (place.path.to_owned(), place.media_type.to_owned());
    let part = Part { path, media_type, encoding, stated, base, trace };
    told(Event::Part(&part))?;
    let mut links =
        Links { reader, base: &part.base.url, lines: Lines::new(&text), told, failed: None, head: Head::default() };
    tokenize(&text, |tag| links.take(tag));
    links.failed.map_or(Ok(()), |error| Err(error.into()))
}

/// The character encoding that a META among the first 1,024 bytes declares.
fn declared_charset(bytes: &[u8]) -> Option<&'static str> {
    let start: String =
        bytes.iter().take(1024).map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect();
    let mut found = None;
    tokenize(&start, |tag| {
        if let Token::Start(tag) = tag
            && tag.name == b"meta"
            && found.is_none()
        {
            let by_type = tag.value("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("content-type"));
            let content = tag.value("content").filter(|_| by_type);
            let label = tag.value("charset").or_else(|| content.and_then(charset_parameter).map(str::to_owned));
            found = label.and_then(|label| charset::label_within(label.trim()));
        }
        found.is_none()
    });
    found
}

/// What stands behind `charset=` in a media type.
fn charset_parameter(content: String) -> Option<&'static str> {
    let at = content.to_ascii_lowercase().find("charset")?;
    let value = content[at + "charset".len()..].trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | '"' | '\'')).unwrap_or(value.len());
    charset::label_within(&value[..end])
}

/// What the BASE elements of the HEAD state, in order; one outside is stated too, as none.
fn bases(text: &str) -> Vec<Stated> {
    let mut found = Vec::new();
    let mut head = Head::default();
    let mut lines = Lines::new(text);
    tokenize(text, |token| {
        head.see(&token);
        if let Token::Start(tag) = &token
            && tag.name == b"base"
            && !head.is_over
            && let Some(href) = tag.value("href")
        {
            let line = lines.line(tag.at);
            found.push(stated(format!("BASE on line {line}"), &href, Ok(href.trim_matches(is_white_space))));
        }
        !head.is_over
    });
    found
}

/// Whether the HEAD is over, which HTML lets end without a tag.
#[derive(Debug, Default)]
struct Head {
    is_over: bool,
    /// How many elements are open of those that a HEAD may have and that hold text.
    open: usize,
}

impl Head {
    fn see(&mut self, token: &Token<'_>) {
        const EMPTY: [&[u8]; 9] =
            [b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta", b"isindex", b"nextid"];
        const HOLDING: [&[u8]; 6] = [b"title", b"style", b"script", b"noscript", b"noframes", b"template"];
        match token {
            Token::Start(tag) if HOLDING.contains(&tag.name) => self.open += 1,
            Token::Start(tag) => self.is_over |= self.open == 0 && !EMPTY.contains(&tag.name),
            Token::End(name) if HOLDING.contains(name) => self.open = self.open.saturating_sub(1),
            Token::End(name) => self.is_over |= [&b"head"[..], b"body", b"html", b"br"].contains(name),
            Token::Text(text) => self.is_over |= self.open == 0 && !text.iter().all(u8::is_ascii_whitespace),
        }
    }
}

/// Tells every link.
struct Links<'a, 'r> {
    reader: &'a Reader<'r>,
    base: &'a str,
    lines: Lines<'a>,
    told: Told<'a>,
    failed: Option<io::Error>,
    head: Head,
}

impl Links<'_, '_> {
    /// Whether to go on.
    fn take(&mut self, token: Token<'_>) -> bool {
        self.head.see(&token);
        let Token::Start(tag) = token else { return true };
        let told = match tag.name {
            b"base" => self.base_behind_head(&tag),
            _ => tag.attributes.iter().try_for_each(|(name, value)| self.attribute(&tag, name, value)),
        };
        self.failed = told.err();
        self.failed.is_none()
    }

    fn base_behind_head(&mut self, tag: &Tag<'_>) -> io::Result<()> {
        if !self.head.is_over || tag.value("href").is_none() {
            return Ok(());
        }
        let line = self.lines.line(tag.at);
        (self.told)(Event::Note(&format!("the BASE on line {line} stands outside the HEAD, so it is no base")))
    }

    fn attribute(&mut self, tag: &Tag<'_>, name: &[u8], value: &[u8]) -> io::Result<()> {
        let Ok(name) = std::str::from_utf8(name) else { return Ok(()) };
        let Some(known) = BY_NAME.get(name) else { return Ok(()) };
        let Ok(element) = std::str::from_utf8(tag.name) else { return Ok(()) };
        let fits = |attribute: &&&Attribute| attribute.elements.is_empty() || attribute.elements.contains(&element);
        let Some(attribute) = known.iter().find(fits) else { return Ok(()) };
        let value = String::from_utf8_lossy(value);
        let line = self.lines.line(tag.at);
        let place = format!("{element} {name}");
        let mut tell = |reference: &str| {
            (self.told)(Event::Link(&Link {
                line,
                place: Cow::Borrowed(&place),
                reference: Cow::Borrowed(reference),
                candidate: None,
                base: self.base,
                revision: self.reader.revision,
            }))
        };
        match attribute.form {
            Form::One => tell(value.trim_matches(is_white_space)),
            Form::Several => value.split(is_white_space).filter(|url| !url.is_empty()).try_for_each(tell),
            Form::SrcSet => sources(&value).try_for_each(tell),
            Form::Refresh => {
                let refreshes = tag.value("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("refresh"));
                refresh(&value).filter(|_| refreshes).map_or(Ok(()), &mut tell)
            }
        }
    }
}

/// What HTML calls white space.
fn is_white_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// The URLs of a list of image candidates (HTML, "parsing a srcset attribute").
fn sources(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| is_white_space(c) || c == ',');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(is_white_space).unwrap_or(rest.len());
        let (url, behind) = rest.split_at(end);
        let alone = url.trim_end_matches(',');
        if alone.len() < url.len() {
            rest = behind;
            return Some(alone);
        }
        // Widths and densities, up to a comma outside parentheses.
        let mut within = false;
        let comma = behind.find(|c| {
            within = c == '(' || within && c != ')';
            c == ',' && !within
        });
        rest = comma.map_or("", |at| &behind[at + 1..]);
        Some(url)
    })
}

/// The URL of a refresh (HTML, "shared declarative refresh steps"); none if it names none.
fn refresh(value: &str) -> Option<&str> {
    let value = value.trim_start_matches(is_white_space);
    let behind = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if behind.len() == value.len() {
        return None;
    }
    let parted = behind.trim_start_matches(is_white_space);
    let rest = parted.strip_prefix([';', ',']).unwrap_or(parted);
    if rest.len() == behind.len() {
        return None;
    }
    let rest = rest.trim_start_matches(is_white_space);
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
    let named = named.and_then(|_| rest[3..].trim_start_matches(is_white_space).strip_prefix('='));
    let url = named.map_or(rest, |rest| rest.trim_start_matches(is_white_space));
    let url = match url.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    Some(url.trim_matches(is_white_space)).filter(|url| !url.is_empty())
}

/// What the tokenizer finds, as far as it is of use here.
enum Token<'t> {
    Start(Tag<'t>),
    End(&'t [u8]),
    Text(&'t [u8]),
}

/// A start tag.
struct Tag<'t> {
    name: &'t [u8],
    /// Where it begins.
    at: usize,
    /// Name and decoded value, each name once.
    attributes: &'t [(Vec<u8>, Vec<u8>)],
}

impl Tag<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|attribute| attribute.0 == name.as_bytes());
        found.map(|attribute| String::from_utf8_lossy(&attribute.1).into_owned())
    }
}

/// Hands each token of `text` to `take` until that wants no more.
fn tokenize(text: &str, take: impl FnMut(Token<'_>) -> bool) {
    let gathering = Gathering {
        take,
        goes_on: true,
        name: Vec::new(),
        at: 0,
        attributes: Vec::new(),
        foreign: 0,
        integrated: 0,
        was_start: false,
    };
    let emitter = Switching(CallbackEmitter::new(gathering));
    // The tokenizer's items are what the callback returns, which is a mark that enough has been seen.
    let _ = Tokenizer::new_with_emitter(text, emitter).next();
}

/// Gathers a tag's attributes.
struct Gathering<F> {
    take: F,
    goes_on: bool,
    name: Vec<u8>,
    at: usize,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
    /// How many SVG and MathML elements are open, and HTML within them: there, scripts and styles are markup.
    foreign: usize,
    integrated: usize,
    /// Whether the last tag was a start.
    was_start: bool,
}

impl<F: FnMut(Token<'_>) -> bool> Gathering<F> {
    fn tell(&mut self, token: Token<'_>) {
        self.goes_on = self.goes_on && (self.take)(token);
    }

    /// A tag as a tokenizer wants to know it: what it holds may be no markup.
    fn state_within(&self) -> Option<State> {
        if !self.was_start || self.foreign > self.integrated {
            return None;
        }
        match self.name.as_slice() {
            b"title" | b"textarea" => Some(State::RcData),
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
            b"script" => Some(State::ScriptData),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    fn start(&mut self, self_closing: bool) {
        let name = std::mem::take(&mut self.name);
        let mut attributes = std::mem::take(&mut self.attributes);
        self.was_start = true;
        forget_repeated(&mut attributes);
        self.tell(Token::Start(Tag { name: &name, at: self.at, attributes: &attributes }));
        match name.as_slice() {
            b"svg" | b"math" if !self_closing => self.foreign += 1,
            b"foreignobject" | b"annotation-xml" if self.foreign > 0 && !self_closing => self.integrated += 1,
            _ => {}
        }
        self.name = name;
    }

    fn end(&mut self, name: &[u8]) {
        self.was_start = false;
        match name {
            b"svg" | b"math" => self.foreign = self.foreign.saturating_sub(1),
            b"foreignobject" | b"annotation-xml" => self.integrated = self.integrated.saturating_sub(1),
            _ => {}
        }
        self.integrated = self.integrated.min(self.foreign);
        self.tell(Token::End(name));
    }
}

/// Of attributes of one name the first counts.
fn forget_repeated(attributes: &mut Vec<(Vec<u8>, Vec<u8>)>) {
    /// Up to so many are compared one by one.
    const FEW: usize = 16;
    if attributes.len() <= FEW {
        let mut at = 1;
        while at < attributes.len() {
            match attributes[..at].iter().any(|attribute| attribute.0 == attributes[at].0) {
                true => drop(attributes.remove(at)),
                false => at += 1,
            }
        }
        return;
    }
    let mut seen = std::collections::HashSet::new();
    attributes.retain(|attribute| seen.insert(attribute.0.clone()));
}

impl<F: FnMut(Token<'_>) -> bool> Callback<(), usize> for Gathering<F> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<()> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.name = name.to_owned();
                self.at = span.start;
                self.attributes.clear();
            }
            CallbackEvent::AttributeName { name } => self.attributes.push((name.to_owned(), Vec::new())),
            CallbackEvent::AttributeValue { value } => {
                if let Some(attribute) = self.attributes.last_mut() {
                    attribute.1.extend_from_slice(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start(self_closing),
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } => self.tell(Token::Text(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        (!self.goes_on).then_some(())
    }
}

/// An emitter that says what a tag's content is, as a tree builder would.
struct Switching<F: FnMut(Token<'_>) -> bool>(CallbackEmitter<Gathering<F>, (), usize>);

impl<F: FnMut(Token<'_>) -> bool> ForwardingEmitter for Switching<F> {
    type Token = ();

    fn inner(&mut self) -> &mut impl Emitter<Token = ()> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().state_within()
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        let gathering = self.0.callback_mut();
        gathering.foreign > gathering.integrated
    }
}

#[cfg(test)]
mod tests {
    use super::{refresh, sources};

    #[test]
    fn a_list_of_images_is_parted_at_its_commas() {
        let urls = |value| sources(value).collect::<Vec<_>>();
        assert_eq!(urls("a.png 1x, b,c.png 2x"), ["a.png", "b,c.png"]);
        assert_eq!(urls(" a.png, b.png,,\nc.png calc(1,2) , d "), ["a.png", "b.png", "c.png", "d"]);
        assert_eq!(urls(",, ,"), [""; 0]);
    }

    #[test]
    fn a_refresh_names_its_url_or_none() {
        for (value, url) in [
            ("5; url=a b", Some("a b")),
            ("5;URL = 'x' y", Some("x")),
            ("0,x", Some("x")),
            ("0 x", Some("x")),
            ("1.5;url=\"\"", None),
            ("5", None),
            ("x", None),
            ("5x", None),
            ("5;url", Some("url")),
            ("5;é", Some("é")),
        ] {
            assert_eq!(refresh(value), url, "{value:?}");
        }
    }
}
