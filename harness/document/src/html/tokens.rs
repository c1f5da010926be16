//! The tokens of HTML, from `html5gum`.

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{Span, State, Tokenizer};

/// A token, without the details that the harness does not need.
pub(super) enum Token<'t> {
    Start(Tag<'t>),
    End(&'t [u8]),
    Text(&'t [u8]),
}

/// A start tag.
pub(super) struct Tag<'t> {
    pub(super) name: &'t [u8],
    /// The byte offset at which the tag begins.
    pub(super) at: usize,
    /// The name and decoded value of each attribute. The names are unique.
    pub(super) attributes: &'t [(Vec<u8>, Vec<u8>)],
}

impl Tag<'_> {
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|attribute| attribute.0 == name.as_bytes());
        found.map(|attribute| String::from_utf8_lossy(&attribute.1).into_owned())
    }
}

/// Calls `take` with each token of `text`, until `take` returns false.
pub(super) fn tokenize(text: &str, take: impl FnMut(Token<'_>) -> bool) {
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
    // The callback returns an item only to stop, so a single call of `next` runs to the end or until `take` returns
    // false.
    let _ = Tokenizer::new_with_emitter(text, emitter).next();
}

/// A callback that collects the attributes of each tag.
struct Gathering<F> {
    take: F,
    goes_on: bool,
    name: Vec<u8>,
    at: usize,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
    /// The number of open SVG and MathML elements. `integrated` is the number of open HTML integration points within
    /// them. In foreign content outside these, scripts and styles contain markup.
    foreign: usize,
    integrated: usize,
    /// Whether the last tag was a start tag.
    was_start: bool,
}

impl<F: FnMut(Token<'_>) -> bool> Gathering<F> {
    fn tell(&mut self, token: Token<'_>) {
        self.goes_on = self.goes_on && (self.take)(token);
    }

    /// Returns the tokenizer state for the content of the last tag, or `None` if that content is markup.
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

/// Removes all attributes whose name has occurred before; the first occurrence counts.
fn forget_repeated(attributes: &mut Vec<(Vec<u8>, Vec<u8>)>) {
    /// The number of attributes up to which they are compared pairwise.
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

/// An emitter that switches the tokenizer's state according to the last tag, as a tree builder would.
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
