//! The state of a scheme's steps, and the checks of hosts and ports by the common Internet syntax.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Common, EncodedText, HostPort, Part, Value};
use crate::resolution::Rejection;
use crate::step::{Next, Next::Continue, Next::Done, Program, Show, Trace, run};

/// The state while the steps of a scheme read its fields.
pub(super) struct PartReader<T> {
    pub(super) common: Common,
    /// The text that is not read yet.
    pub(super) rest: String,
    /// The host and port that a client would connect to, for example `host:21`.
    pub(super) connects: String,
    pub(super) part: T,
    pub(super) rejection: Option<Rejection>,
}

/// Runs the steps of a scheme. The text to read is the url-path, or everything after the colon if there is no host.
pub(super) fn read_part<T: Part + Default + 'static>(
    program: &Program<PartReader<T>>,
    common: Common,
    trace: &mut Trace,
) -> Result<T, Rejection> {
    let rest = match &common.host {
        Some(_) => common.url_path.clone().unwrap_or_default(),
        None => common.scheme_specific_part.clone(),
    };
    let mut reader = PartReader { common, rest, connects: String::new(), part: T::default(), rejection: None };
    run(program, &mut reader, trace);
    reader.rejection.map_or(Ok(reader.part), Err)
}

impl<T> PartReader<T> {
    pub(super) fn reject(&mut self, section: &'static str, why: impl Into<String>) -> Next {
        self.rejection = Some(Rejection::new(section, why));
        Done
    }

    /// Returns the user and the password.
    pub(super) fn login(&mut self) -> (Option<EncodedText>, Option<EncodedText>) {
        let [user, password] = [&self.common.user, &self.common.password];
        (user.as_deref().map(EncodedText::piece), password.as_deref().map(EncodedText::piece))
    }

    /// Returns host and port if they follow two slashes and match §3.1, and rejects the URL otherwise.
    pub(super) fn connect(&mut self, section: &'static str, default: u16) -> Result<HostPort, Next> {
        let Some(host) = self.common.host.clone() else {
            let why = format!("a missing host: two slashes and a host must follow `{}:`", self.common.scheme);
            return Err(self.reject(section, why));
        };
        if host.is_empty() {
            return Err(self.reject("3.1", "the host is empty: it must be a domain name or four decimal numbers"));
        }
        if !is_host(&host) {
            return Err(
                self.reject("3.1", format!("the host {host:?} is neither a domain name nor four decimal numbers"))
            );
        }
        let port = self.common.port.clone();
        if let Some(port) = port.as_ref().filter(|port| port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit())) {
            let why = match port.as_str() {
                "" => "a colon without a port: omit the colon too".to_owned(),
                _ => format!("the port {port:?} is not a decimal number"),
            };
            return Err(self.reject("3.1", why));
        }
        self.connects = format!("{host}:{}", port.clone().unwrap_or_else(|| format!("{default}")));
        Ok(HostPort { host, port })
    }

    /// Rejects a user where the scheme's form has none.
    pub(super) fn without_user(&mut self, section: &'static str) -> Next {
        if self.common.user.is_none() {
            return Continue;
        }
        let why = format!("a {} URL has no user and no password", self.common.scheme.to_ascii_lowercase());
        self.reject(section, why)
    }

    /// Removes and returns the text before the first `at`, and removes `at`. Without an `at`, returns the whole text.
    pub(super) fn take_before(&mut self, at: char) -> String {
        let end = self.rest.find(at).unwrap_or(self.rest.len());
        let before = self.rest[..end].to_owned();
        let next = end + self.rest[end..].chars().next().map_or(0, char::len_utf8);
        self.rest.drain(..next);
        before
    }

    /// Removes and returns the rest of the text.
    pub(super) fn take_rest(&mut self) -> EncodedText {
        EncodedText(core::mem::take(&mut self.rest))
    }
}

impl<T: Part> Show for PartReader<T> {
    fn show(&self) -> String {
        let mut shown = String::new();
        for field in self.part.fields() {
            let value = match field.value {
                Value::Absent => continue,
                Value::Text(text) if text.0.is_empty() => continue,
                Value::Text(text) => text.0,
                Value::Description(meaning) => meaning,
                Value::List(texts) if texts.is_empty() => continue,
                Value::List(texts) => texts.iter().map(EncodedText::raw).collect::<Vec<_>>().join(" "),
                Value::Pairs(pairs) if pairs.is_empty() => continue,
                Value::Pairs(pairs) => {
                    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
                }
            };
            shown.push_str(&format!("{}={value} ", field.name));
        }
        if !self.connects.is_empty() {
            shown.push_str(&format!("connects={} ", self.connects));
        }
        shown.push_str(&format!("rest={}", self.rest));
        shown
    }
}

/// Returns whether `text` is a host by §3.1: four decimal numbers, or labels that begin and end with a letter or digit,
/// the last one beginning with a letter.
pub(super) fn is_host(text: &str) -> bool {
    let is_number = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if text.split('.').count() == 4 && text.split('.').all(is_number) {
        return true;
    }
    let is_label = |label: &str| {
        label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.split('.').all(is_label)
        && text.rsplit('.').next().is_some_and(|last| !last.starts_with(|c: char| c.is_ascii_digit()))
}
