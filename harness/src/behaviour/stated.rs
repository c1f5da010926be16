//! The behaviours of the specifications.

use urlstrata::revision::whatwg::{Change, ChangeSet};
use urlstrata::rules::{NeverRelative, Rules, UnknownBase};

use super::*;

/// The schemes without relative references, by the introduction of Appendix B of 1994.
const NEVER_RELATIVE: [&str; 5] = ["gopher", "telnet", "wais", "mailto", "news"];

/// The special schemes of the URL Standard, except `file` (§4.2).
const SPECIAL: [&str; 5] = ["ftp", "http", "https", "ws", "wss"];

impl Class {
    /// Returns a class with the same row for all forms of pairs, and with the same tables on both sides.
    pub fn uniform(row: Row, tables: Tables) -> Self {
        Self { rows: [row; Form::ALL.len()], reference: tables.clone(), base: tables }
    }
}

impl Behaviour {
    /// Returns the behaviour of an RFC's rule set.
    pub fn of_rules(rules: &Rules) -> Self {
        let mut row = Row::of(rules);
        if row.base_fragment == BaseFragment::Inherited && row.empty_reference == EmptyReference::Base {
            row.empty_form = EmptyForm::Unchanged;
        }
        let class = |row: Row| Class::uniform(row, Tables::default());
        let unresolved = |relative: Relative, exempt: Exempt| class(Row { relative, exempt, ..row });
        let (relative, unknown) = match rules.unknown_base {
            UnknownBase::ReferenceAsIs => {
                let row = Row {
                    relative: Relative::Reference,
                    exempt: Exempt::None,
                    absolute_against: AbsoluteAgainst::Unchanged,
                    ..row
                };
                (class(Row { ..Row::of(rules) }), class(row))
            }
            UnknownBase::Undefined => {
                let rejected = unresolved(Relative::Rejected, Exempt::None);
                (rejected.clone(), rejected)
            }
            UnknownBase::SameDocumentOnly => {
                (unresolved(Relative::Rejected, Exempt::EmptyAndFragment), unresolved(Relative::Rejected, Exempt::None))
            }
        };
        let mut relative = relative;
        for own in &mut relative.rows {
            own.empty_form = row.empty_form;
        }
        let mut classes = vec![class(row), relative, unknown];
        let mut schemes = BTreeMap::new();
        if rules.never_relative == NeverRelative::Listed {
            classes.push(unresolved(Relative::Reference, Exempt::None));
            schemes.extend(NEVER_RELATIVE.map(|scheme| (scheme.to_owned(), 3)));
        }
        let cleaning = Cleaning::default;
        Self {
            reference: cleaning(),
            base: cleaning(),
            syntax: Syntax::of(rules),
            classes,
            schemes,
            other: 0,
            relative: 1,
            unknown: 2,
        }
    }

    /// Returns the behaviour of the URL Standard after `landed`.
    pub fn url_standard(landed: ChangeSet) -> Self {
        let has = |commit: &str| Change::by_commit(commit).is_some_and(|change| landed.contains(change));
        let controls: Vec<char> = ('\0'..=' ').collect();
        let cleaning = Cleaning {
            start: controls.clone(),
            end: controls,
            everywhere: vec!['\t', '\n', '\r'],
            rejected: Vec::new(),
        };
        let rules = &urlstrata::revision::rfc3986::RULES;
        let other = Row {
            base_form: BaseForm::Parsed,
            relative: Relative::Resolved,
            scheme_case: SchemeCase::Lower,
            opaque: Opaque::Opaque,
            empty_opaque: EmptyOpaque::Opaque,
            opaque_space: if has("6c78200") { OpaqueSpace::Encoded } else { OpaqueSpace::Kept },
            userinfo_end: UserinfoEnd::LastAt,
            empty_userinfo: EmptyUserinfo::PartsDropped,
            port: Port::Digits,
            port_limit: PortLimit::Bits16,
            port_zeros: PortZeros::Dropped,
            empty_port: EmptyPort::Dropped,
            brackets: Brackets::Ipv6,
            ipv6: Ipv6::Pieces,
            host_missing: HostMissing::Rejected,
            encoded_dots: EncodedDots::DotSegment,
            two_slashes: TwoSlashes::AfterDot,
            ..Row::of(rules)
        };
        let host_parser = if has("a8d5ca3") { HostParser::Domain } else { HostParser::DomainValidated };
        let special = Row {
            opaque: Opaque::Path,
            same_scheme: SameScheme::RelativeUnlessTwoSlashes,
            backslash: Backslash::Slash,
            slashes: Slashes::Any,
            host_parser,
            empty_host: EmptyHost::Rejected,
            default_port: DefaultPort::Dropped,
            empty_path: EmptyPath::Slash,
            ..other
        };
        let file = Row {
            same_scheme: SameScheme::Relative,
            slashes: Slashes::Two,
            empty_host: EmptyHost::Accepted,
            port: Port::None,
            userinfo_end: UserinfoEnd::None,
            localhost: Localhost::Empty,
            path_after_scheme: PathAfterScheme::Slash,
            drive_letters: if has("47efa00") { DriveLetters::Roots } else { DriveLetters::RootsWithoutHost },
            written_empty_authority: WrittenEmptyAuthority::Always,
            ..special
        };
        let unresolved = Class::uniform(
            Row { relative: Relative::Rejected, exempt: Exempt::None, base_invalid: BaseInvalid::Rejected, ..other },
            Tables::default(),
        );
        let mut relative = unresolved.clone();
        for row in &mut relative.rows {
            row.absolute_against = AbsoluteAgainst::Rejected;
        }
        let mut plain = Class::uniform(other, tables(&has, false));
        for form in [Form::Rootless, Form::Empty] {
            let row = &mut plain.rows[form as usize];
            row.relative = Relative::Rejected;
            row.exempt = Exempt::Fragment;
        }
        let classes = vec![
            plain,
            relative,
            unresolved,
            Class::uniform(special, tables(&has, true)),
            Class::uniform(file, tables(&has, true)),
        ];
        let mut schemes: BTreeMap<String, usize> = SPECIAL.map(|scheme| (scheme.to_owned(), 3)).into();
        schemes.insert("file".to_owned(), 4);
        Self {
            reference: cleaning.clone(),
            base: cleaning,
            syntax: Syntax::of(rules),
            classes,
            schemes,
            other: 0,
            relative: 1,
            unknown: 2,
        }
    }
}

/// Returns the tables of the URL Standard for a special scheme or another one.
fn tables(has: &dyn Fn(&str) -> bool, is_special: bool) -> Tables {
    let fragment = "\"<>` ";
    let query = if is_special { " \"#<>'" } else { " \"#<>" };
    let path = if has("9bc33c3") { " \"#<>?^`{}" } else { " \"#<>?`{}" };
    let userinfo = " \"#<>?`{}/:;=@[\\]^|";
    let mut tables = Tables::default();
    let mut encode = |components: &[Component], set: &str| {
        for component in components {
            let actions = &mut tables.0[*component as usize].actions;
            let encoded = |entry: usize| !(0x20..0x7f).contains(&entry) || set.contains(char::from(entry as u8));
            (0..ENTRIES).filter(|entry| encoded(*entry)).for_each(|entry| actions.literal[entry] = Literal::Encoded);
        }
    };
    encode(
        &[
            Component::Path,
            Component::FirstSegment,
            Component::RootlessPath,
            Component::AbsolutePath,
            Component::InheritedPath,
        ],
        path,
    );
    encode(&[Component::Query, Component::AbsoluteQuery, Component::OpaqueQuery], query);
    encode(&[Component::Fragment, Component::AbsoluteFragment, Component::FragmentAlone], fragment);
    encode(&[Component::User, Component::Password], userinfo);
    encode(&[Component::Opaque, Component::Host], "");
    let host = &mut tables.0[Component::Host as usize].actions;
    for c in "\0\t\n\r #/:<>?@[\\]^|".chars() {
        host.literal[index(c)] = Literal::Rejected;
    }
    tables
}
