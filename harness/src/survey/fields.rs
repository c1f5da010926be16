//! Comparison of the `url` crate's components with the fields that RFC 1738 defines, with the reasons of each
//! difference.
//!
//! A field can differ for two groups of reasons. First, the URL Standard splits every URL in the same way. Where RFC
//! 1738's rules for the scheme split it differently, the reason is a [`Cut`]. Second, the crate changes the URL as its
//! behaviour predicts. The reasons are then the smallest set of differences from a behaviour that changes nothing, which
//! give the component its value. A difference that has neither reason is unexplained, which is an internal failure.

use std::fmt;

use serde::Serialize;
use urlstrata::revision::{rfc1738, rfc3986};
use urlstrata::scheme::{Form, Url, Value};

use crate::behaviour::{Behaviour, Difference, DotsInAbsolute, between, between_by};

/// The name of the engine that is compared.
pub const ENGINE: &str = "crate:url";

/// A field for which RFC 1738 and the crate have different values.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct FieldDifference {
    /// The name of the field in RFC 1738, or of the URL Standard's component if RFC 1738 has no such field.
    pub field: &'static str,
    /// The value by RFC 1738; `None` if it is absent.
    pub specification: Option<String>,
    /// The value by the crate's components; `None` if it is absent.
    pub engine: Option<String>,
    /// The reasons of the difference. Without a reason, the difference is unexplained.
    pub reasons: Vec<FieldReason>,
}

/// A reason of a different field. The list is closed.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum FieldReason {
    /// The URL Standard splits the URL at another place.
    Cut(Cut),
    /// The engine changes or rejects the URL.
    Behaviour(Box<Difference>),
    /// RFC 1738 rejects the URL, by this section.
    Failure(String),
}

/// A place where the URL Standard splits a URL and RFC 1738's rules for the scheme do not.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Cut {
    /// `?` begins the query, whatever the scheme (URL Standard §4.4).
    Query,
    /// `#` begins the fragment, whatever the scheme (URL Standard §4.4).
    Fragment,
    /// `?` and `#` end the authority. In RFC 1738, only a slash ends it.
    AuthorityEnd,
    /// Two slashes after the colon begin an authority, whatever the scheme; also in a `mailto` URL.
    AuthorityBegin,
    /// A scheme begins with a letter. A string that begins with another character is a relative reference.
    SchemeBegin,
}

impl FieldReason {
    /// Returns the name of the reason.
    pub fn name(&self) -> &str {
        match self {
            Self::Cut(Cut::Query) => "query_begins",
            Self::Cut(Cut::Fragment) => "fragment_begins",
            Self::Cut(Cut::AuthorityEnd) => "authority_ends",
            Self::Cut(Cut::AuthorityBegin) => "authority_begins",
            Self::Cut(Cut::SchemeBegin) => "scheme_begins",
            Self::Behaviour(difference) => &difference.name,
            Self::Failure(_) => "rejected_by_rfc1738",
        }
    }

    /// Returns the reason as a sentence.
    pub fn note(&self) -> &str {
        match self {
            Self::Cut(Cut::Query) => "A question mark begins the query, whatever the scheme",
            Self::Cut(Cut::Fragment) => "A number sign begins the fragment, whatever the scheme",
            Self::Cut(Cut::AuthorityEnd) => "A question mark or number sign ends the authority, as a slash does",
            Self::Cut(Cut::AuthorityBegin) => "Two slashes after the colon begin an authority, whatever the scheme",
            Self::Cut(Cut::SchemeBegin) => {
                "A scheme begins with a letter: what begins otherwise is a relative reference"
            }
            Self::Behaviour(difference) => &difference.to.text,
            Self::Failure(_) => "RFC 1738's form for the scheme does not take the URL",
        }
    }

    /// Returns specification and section; empty if no specification has it.
    pub fn source(&self) -> String {
        match self {
            Self::Cut(Cut::Query | Cut::Fragment) => "URL Standard §4.4 path state, opaque path state".to_owned(),
            Self::Cut(Cut::AuthorityEnd) => "URL Standard §4.4 authority state".to_owned(),
            Self::Cut(Cut::AuthorityBegin) => "URL Standard §4.4 path or authority state".to_owned(),
            Self::Cut(Cut::SchemeBegin) => "URL Standard §4.4 scheme start state".to_owned(),
            Self::Behaviour(difference) => difference
                .to
                .section("URL Standard")
                .map_or_else(String::new, |section| format!("URL Standard {section}")),
            Self::Failure(section) => format!("RFC 1738 §{section}"),
        }
    }
}

impl fmt::Display for FieldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.note())?;
        match self.source().as_str() {
            "" => Ok(()),
            source => write!(f, " ({source})"),
        }
    }
}

impl Serialize for FieldReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Compares the crate's components with RFC 1738's fields.
pub struct FieldComparer {
    /// A behaviour that splits URLs and changes nothing.
    plain: Behaviour,
    /// The behaviour of the crate.
    own: Behaviour,
}

impl Default for FieldComparer {
    fn default() -> Self {
        let mut plain = Behaviour::of_rules(&rfc3986::RULES);
        let rows = plain.classes.iter_mut().flat_map(|class| &mut class.rows);
        rows.for_each(|row| row.dots_in_absolute = DotsInAbsolute::KeptInComponents);
        let own = ENGINE.strip_prefix("crate:").and_then(Behaviour::of_crate);
        Self { plain, own: own.unwrap_or_else(|| unreachable!("the behaviour of {ENGINE} is stated")) }
    }
}

impl FieldComparer {
    /// Returns every field of `url` for which RFC 1738 and the crate differ, in RFC 1738's order.
    ///
    /// The list is empty if both reject `url`. If only one of them rejects it, the list has one entry for the whole
    /// URL.
    pub fn differing(&self, url: &str) -> Vec<FieldDifference> {
        match (rfc1738::read(url), url::Url::parse(url)) {
            (Err(_), Err(_)) => Vec::new(),
            (Ok(_), Err(error)) => {
                let by = match url.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    true => reasons(between(&self.plain, &self.own, "", url)),
                    false => vec![FieldReason::Cut(Cut::SchemeBegin)],
                };
                vec![whole(Some("accepted".to_owned()), Some(format!("rejected: {error}")), by)]
            }
            (Err(rejection), Ok(_)) => {
                let reason = FieldReason::Failure(rejection.section().to_owned());
                vec![whole(Some(format!("rejected: {rejection}")), Some("accepted".to_owned()), vec![reason])]
            }
            (Ok(read), Ok(parsed)) => self.fields(url, &read, parsed.as_str()),
        }
    }

    fn fields(&self, url: &str, read: &Url, written: &str) -> Vec<FieldDifference> {
        let (cut, found) = (UrlComponents::of(url), UrlComponents::of(written));
        let predicted = self.own.predict("", url).is_some_and(|predicted| predicted == written);
        let mut rows = Vec::new();
        for (field, component, specification, engine) in pairs(url, read, &found) {
            if specification == engine {
                continue;
            }
            let mut reasons: Vec<FieldReason> =
                cuts(url, read, &cut, component).into_iter().map(FieldReason::Cut).collect();
            if cut.get(component) != found.get(component) {
                let changes = if predicted { self.changes(url, component) } else { Vec::new() };
                if changes.is_empty() {
                    reasons.clear();
                }
                reasons.extend(changes);
            }
            rows.push(FieldDifference { field, specification, engine, reasons });
        }
        rows
    }

    /// Returns the smallest set of differences that gives the component the value that it has in the crate's result.
    fn changes(&self, url: &str, component: Component) -> Vec<FieldReason> {
        let view = |url: Option<String>| url.map(|url| UrlComponents::of(&url).get(component));
        reasons(between_by(&self.plain, &self.own, "", url, &view))
    }
}

fn reasons(differences: Option<Vec<Difference>>) -> Vec<FieldReason> {
    differences.into_iter().flatten().map(|difference| FieldReason::Behaviour(Box::new(difference))).collect()
}

fn whole(specification: Option<String>, engine: Option<String>, reasons: Vec<FieldReason>) -> FieldDifference {
    FieldDifference { field: "URL", specification, engine, reasons }
}

/// A component in the terms of the URL Standard.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Component {
    Scheme,
    User,
    Password,
    Host,
    Port,
    Path,
    Query,
    Fragment,
}

/// The components of a URL, split as in the URL Standard (§4.4). An empty component differs from an absent one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct UrlComponents {
    /// The scheme, without the colon; empty if the URL has no colon.
    pub scheme: String,
    /// The user name; `None` without an `@`.
    pub user: Option<String>,
    /// The password; `None` without a colon in the credentials.
    pub password: Option<String>,
    /// The host, with the brackets of an IPv6 address; `None` without two slashes after the scheme.
    pub host: Option<String>,
    /// The port; `None` without a colon after the host.
    pub port: Option<String>,
    /// The path.
    pub path: String,
    /// The query, without the question mark.
    pub query: Option<String>,
    /// The fragment, without the number sign.
    pub fragment: Option<String>,
}

impl UrlComponents {
    /// Splits `url` at its delimiters. The components are neither decoded nor changed.
    pub fn of(url: &str) -> Self {
        let owned = |text: &str| text.to_owned();
        let cut = |text: &str, at| text.split_once(at).map_or((owned(text), None), |(a, b)| (owned(a), Some(owned(b))));
        let (scheme, rest) = url.split_once(':').unwrap_or(("", url));
        let (rest, fragment) = cut(rest, '#');
        let (rest, query) = cut(&rest, '?');
        let mut components = Self { scheme: owned(scheme), path: rest.clone(), query, fragment, ..Self::default() };
        let Some(rest) = rest.strip_prefix("//") else { return components };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (userinfo, server) = match authority.rsplit_once('@') {
            Some((userinfo, server)) => (Some(userinfo), server),
            None => (None, authority),
        };
        let bracket = server.rfind(']').unwrap_or(0);
        let (host, port) = match server.rfind(':').filter(|&at| at >= bracket) {
            Some(at) => (&server[..at], Some(owned(&server[at + 1..]))),
            None => (server, None),
        };
        components.path = owned(path);
        (components.host, components.port) = (Some(owned(host)), port);
        if let Some((user, password)) = userinfo.map(|userinfo| cut(userinfo, ':')) {
            (components.user, components.password) = (Some(user), password);
        }
        components
    }

    fn get(&self, component: Component) -> Option<String> {
        match component {
            Component::Scheme => Some(self.scheme.clone()),
            Component::User => self.user.clone(),
            Component::Password => self.password.clone(),
            Component::Host => self.host.clone(),
            Component::Port => self.port.clone(),
            Component::Path => Some(self.path.clone()),
            Component::Query => self.query.clone(),
            Component::Fragment => self.fragment.clone(),
        }
    }

    /// Returns a URL with these components, for RFC 1738 to read. It has no fragment, and a query only if `with_query`
    /// is set.
    fn written(&self, with_query: bool) -> String {
        let mut url = format!("{}:", self.scheme);
        if let Some(host) = &self.host {
            url.push_str("//");
            if let Some(user) = &self.user {
                url.push_str(user);
                url.extend(self.password.iter().flat_map(|password| [":", password]));
                url.push('@');
            }
            url.push_str(host);
            url.extend(self.port.iter().flat_map(|port| [":", port]));
        }
        url.push_str(&self.path);
        if with_query {
            url.extend(self.query.iter().flat_map(|query| ["?", query]));
        }
        url
    }
}

/// The name of a field, its component, its value by RFC 1738, and its value by the crate's components.
type Pair = (&'static str, Component, Option<String>, Option<String>);

/// Returns the values that are compared.
///
/// If RFC 1738 can read the crate's components as a URL of the same form, these are the fields of the scheme; otherwise
/// the path is compared as a whole. UrlComponents for which the scheme has no field are added at the end.
fn pairs(url: &str, read: &Url, found: &UrlComponents) -> Vec<Pair> {
    let is_http = matches!(read.form, Form::Http(_));
    let mut pairs = vec![("scheme", Component::Scheme, Some(read.scheme.clone()), found.get(Component::Scheme))];
    let again = rfc1738::read(&found.written(is_http)).ok();
    let again = again.filter(|again| std::mem::discriminant(&again.form) == std::mem::discriminant(&read.form));
    let rest = url.split_once(':').map_or("", |(_, rest)| rest);
    for field in read.fields() {
        let component = component_of(field.name);
        let Some(specification) = text_of(&field.value) else { continue };
        let engine = match &again {
            Some(again) => {
                again.fields().iter().find(|other| other.name == field.name).and_then(|it| text_of(&it.value)?)
            }
            None if component == Component::Path => continue,
            None => found.get(component),
        };
        pairs.push((field.name, component, specification, engine));
    }
    if again.is_none() {
        let path = rest.strip_prefix("//").map_or(rest, |rest| &rest[rest.find('/').unwrap_or(rest.len())..]);
        pairs.push(("url-path", Component::Path, Some(path.to_owned()), found.get(Component::Path)));
    }
    if !is_http {
        pairs.push(("query", Component::Query, None, found.get(Component::Query)));
    }
    pairs.push(("fragment", Component::Fragment, None, found.get(Component::Fragment)));
    pairs
}

fn component_of(field: &str) -> Component {
    match field {
        "user" => Component::User,
        "password" => Component::Password,
        "host" => Component::Host,
        "port" => Component::Port,
        "searchpart" => Component::Query,
        _ => Component::Path,
    }
}

/// Returns the value of a field on one line.
///
/// An empty list differs from a list that contains an empty string. The outer `None` is a description, which only
/// repeats the meaning of other fields.
fn text_of(value: &Value) -> Option<Option<String>> {
    Some(match value {
        Value::Absent => None,
        Value::Text(text) => Some(text.raw().to_owned()),
        Value::List(texts) => Some(format!("{:?}", texts.iter().map(|text| text.raw()).collect::<Vec<_>>())),
        Value::Pairs(pairs) => {
            let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            Some(format!("{pairs:?}"))
        }
        Value::Description(_) => return None,
    })
}

/// Returns the places at which the Standard splits `url` so that `component` differs from the scheme's field.
fn cuts(url: &str, read: &Url, cut: &UrlComponents, component: Component) -> Vec<Cut> {
    let rest = url.split_once(':').map_or("", |(_, rest)| rest);
    let has_authority = !matches!(read.form, Form::Mailto(_) | Form::News(_) | Form::Other(_));
    if !has_authority && rest.starts_with("//") && component != Component::Fragment {
        return vec![Cut::AuthorityBegin];
    }
    let authority = rest.strip_prefix("//").map_or("", |rest| &rest[..rest.find('/').unwrap_or(rest.len())]);
    if has_authority && authority.contains(['?', '#']) {
        return vec![Cut::AuthorityEnd];
    }
    let is_http = matches!(read.form, Form::Http(_));
    let query = cut.query.is_some() && !is_http && matches!(component, Component::Path | Component::Query);
    let fragment =
        cut.fragment.is_some() && matches!(component, Component::Path | Component::Query | Component::Fragment);
    let fragment = fragment && !(component == Component::Query && !is_http && !query);
    [(query, Cut::Query), (fragment, Cut::Fragment)].into_iter().filter(|(is, _)| *is).map(|(_, cut)| cut).collect()
}
