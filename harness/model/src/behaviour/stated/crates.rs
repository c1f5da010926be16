//! The behaviours of the crates that the harness calls in its own process, by their sources.
//!
//! Each behaviour is that of a specification with other values. The reason of a value is what its crate documents.

use urlstrata::revision::whatwg;

use super::*;

impl Behaviour {
    /// The names of the crates whose behaviours are stated.
    pub const CRATES: [&str; 5] = ["url", "iri-string", "oxiri", "fluent-uri", "ada-url"];

    /// Returns the behaviour of the crate `name`; `None` if it is not stated here.
    pub fn of_crate(name: &str) -> Option<Self> {
        match name {
            "url" => Some(url()),
            "iri-string" => Some(iri_string()),
            "oxiri" => Some(oxiri()),
            "fluent-uri" => Some(fluent_uri()),
            "ada-url" => Some(ada_url()),
            _ => None,
        }
    }

    /// Replaces every row by the result of `change`, which gets the class and the form of the row.
    fn with_rows(mut self, change: impl Fn(usize, Form, Row) -> Row) -> Self {
        for (index, class) in self.classes.iter_mut().enumerate() {
            for form in Form::ALL {
                class.rows[form as usize] = change(index, form, class.rows[form as usize]);
            }
        }
        self
    }
}

/// The crate `url` follows the state of the URL Standard of 28 January 2022, except in paths of `file` URLs, which it
/// parses by the state before 47efa00 on the text of the result instead of a list of segments.
fn url() -> Behaviour {
    let landed = whatwg::changes_of(&whatwg::WHATWG_2022_01).unwrap_or(ChangeSet::ALL);
    let mut behaviour = Behaviour::url_standard(landed);
    let file = behaviour.class_of("file");
    for (index, class) in behaviour.classes.iter_mut().enumerate() {
        for component in Component::ALL {
            let kept = index == file && PATHS.contains(&component);
            let literal = if kept { Literal::Kept } else { Literal::Dropped };
            class.reference.0[component as usize].actions_mut().literal[super::index('\t')] = literal;
        }
        class.base = class.reference.clone();
    }
    let other = behaviour.other;
    behaviour.with_rows(|class, form, row| {
        let row = Row {
            fixed_drives: FixedDrives::All,
            host_missing: HostMissing::RejectedUnlessColon,
            tabs: Tabs::FromComponents,
            ..row
        };
        match class {
            _ if class == file => Row {
                drive_letters: DriveLetters::RootsWithoutOwnHost,
                // Two dots after a tab are an ordinary segment, which a later `..` removes.
                dotdot_removes: DotdotRemoves::Any,
                drive_end: DriveEnd::RemovedToo,
                empty_host_path: EmptyHostPath::EmptySegment,
                empty_segments: EmptySegments::LeadingRemoved,
                last_drive: LastDrive::Extended,
                rooted_host: RootedHost::UnlessDrive,
                ..row
            },
            _ if class == other => {
                Row { backslash: Backslash::EndsPort, mixed_slashes: MixedSlashes::UpToTwoSlashes, ..row }
            }
            _ if matches!(form, Form::Absolute | Form::Alone) => row,
            _ => Row { mixed_slashes: MixedSlashes::UpToTwoSlashes, slashes: Slashes::Two, ..row },
        }
    })
}

/// The crate `iri-string`. A base is an absolute IRI, and a result is never misread, whether it is normalized or not.
fn iri_string() -> Behaviour {
    let behaviour = of_grammar(Grammar::Rfc3987);
    behaviour.with_rows(|_, _, row| Row {
        base_with_fragment: BaseWithFragment::Rejected,
        encoded_dots: EncodedDots::DotSegment,
        two_slashes: TwoSlashes::AfterDot,
        ..row
    })
}

/// The crate `oxiri`. A path that would be read as an authority is an error.
fn oxiri() -> Behaviour {
    of_grammar(Grammar::Rfc3987).with_rows(|_, _, row| Row { two_slashes: TwoSlashes::Rejected, ..row })
}

/// The crate `fluent-uri`. Resolution and normalization may be exchanged, so the dot segments of the base are removed,
/// and a path without a leading slash is neither changed nor merged.
fn fluent_uri() -> Behaviour {
    let behaviour = of_grammar(Grammar::Rfc3986);
    let of_base = behaviour.other;
    behaviour.with_rows(|class, form, row| {
        let row = Row {
            base_form: BaseForm::DotsRemoved,
            base_with_fragment: BaseWithFragment::Rejected,
            dots_in_absolute: match row.dots_in_absolute {
                DotsInAbsolute::Removed => DotsInAbsolute::RemovedIfRooted,
                other => other,
            },
            encoded_dots: EncodedDots::DotSegment,
            inherited_dots: InheritedDots::Removed,
            two_slashes: TwoSlashes::AfterDot,
            ..row
        };
        match form {
            Form::Rootless | Form::Empty if class == of_base => Row {
                base_form: BaseForm::Written,
                exempt: Exempt::EmptyAndFragment,
                inherited_dots: InheritedDots::Kept,
                relative: Relative::Rejected,
                ..row
            },
            _ => row,
        }
    })
}

/// The crate `ada-url` follows the newest state of the URL Standard.
fn ada_url() -> Behaviour {
    Behaviour::url_standard(ChangeSet::ALL)
}

/// The grammar by which a crate parses strings.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Grammar {
    /// URI references (RFC 3986 Appendix A).
    Rfc3986,
    /// IRI references (RFC 3987 §2.2).
    Rfc3987,
}

/// Returns the behaviour of RFC 3986 §5 for the strings that a grammar matches. Without a base, a URI is returned as it
/// is.
fn of_grammar(grammar: Grammar) -> Behaviour {
    let mut behaviour = Behaviour::of_rules(&urlstrata::revision::rfc3986::RULES);
    behaviour.syntax.bad_scheme = BadScheme::Rejected;
    behaviour.syntax.leading_colon = LeadingColon::Rejected;
    let tables = grammar.tables();
    for class in &mut behaviour.classes {
        (class.reference, class.base) = (tables.clone(), tables.clone());
    }
    let (relative, unknown) = (behaviour.relative, behaviour.unknown);
    behaviour.with_rows(|class, _, row| {
        let row = Row { brackets: Brackets::Ipv6OrFuture, port: Port::Digits, ..row };
        let rejected = Row { relative: Relative::Rejected, exempt: Exempt::None, ..row };
        match class {
            _ if class == relative => Row { absolute_against: AbsoluteAgainst::Rejected, ..rejected },
            _ if class == unknown => Row { absolute_against: AbsoluteAgainst::ParsedDotsKept, ..rejected },
            _ => row,
        }
    })
}

impl Grammar {
    /// Returns tables that reject the characters that the grammar does not have in a component.
    fn tables(self) -> Tables {
        let mut tables = Tables::default();
        for component in Component::ALL {
            let is_query = matches!(component, Component::Query | Component::AbsoluteQuery | Component::OpaqueQuery);
            let is_fragment =
                matches!(component, Component::Fragment | Component::AbsoluteFragment | Component::FragmentAlone);
            let delimiters = match component {
                _ if is_query || is_fragment => ":@/?",
                Component::User | Component::Password | Component::Literal => ":",
                Component::Host => "",
                _ => ":@/",
            };
            let table = &mut tables.0[component as usize];
            table.percent = Percent::Rejected;
            for entry in 0..ENTRIES {
                let c = if entry < 128 { char::from(entry as u8) } else { BEYOND[entry - 128] };
                let is_matched = c.is_ascii_alphanumeric()
                    || "-._~!$&'()*+,;=".contains(c)
                    || delimiters.contains(c)
                    || self == Self::Rfc3987 && component != Component::Literal && is_beyond(c, is_query);
                if !is_matched {
                    table.actions_mut().literal[entry] = Literal::Rejected;
                }
            }
        }
        tables.0[Component::Literal as usize].actions_mut().escape.fill(Escape::Rejected);
        tables
    }
}

/// Returns whether `c` is outside ASCII and part of an IRI (RFC 3987 §2.2 `ucschar`, and `iprivate` in a query).
fn is_beyond(c: char, is_query: bool) -> bool {
    match u32::from(c) {
        0..0xa0 => false,
        0xe000..0xf900 | 0xf_0000.. => is_query && u32::from(c) & 0xfffe != 0xfffe,
        0xfdd0..0xfdf0 | 0xfff0..0x1_0000 => false,
        code => code & 0xfffe != 0xfffe,
    }
}
