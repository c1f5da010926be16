//! The behaviours of the specifications.

use urlstrata::revision::whatwg::{Change, ChangeSet};
use urlstrata::rules::{NeverRelative, Rules, UnknownBase};

use super::*;

mod crates;

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
        let white_space: Vec<char> =
            if has("0bab926") { ('\0'..=' ').collect() } else { "\t\n\u{c}\r ".chars().collect() };
        let cleaning = Cleaning {
            start: white_space.clone(),
            end: white_space,
            everywhere: if has("7b40216") { vec!['\t', '\n', '\r'] } else { Vec::new() },
            rejected: Vec::new(),
        };
        let rules = &urlstrata::revision::rfc3986::RULES;
        let domain = match () {
            () if has("a8d5ca3") => HostParser::Domain,
            () if has("cceb435") => HostParser::DomainValidated,
            () if has("f4d84a5") => HostParser::DomainOrEmpty,
            () => HostParser::DomainTransitional,
        };
        let domain_forbidden = match () {
            () if has("35e195a") => DomainForbidden::Controls,
            () if has("4025253") => DomainForbidden::Bar,
            () if has("302ba41") => DomainForbidden::Brackets,
            () => DomainForbidden::None,
        };
        let domain_numbers = match () {
            () if has("ab0e820") => DomainNumbers::Last,
            () if has("620fa90") => DomainNumbers::All,
            () if has("9043740") => DomainNumbers::AllOctalAfterMark,
            () => DomainNumbers::None,
        };
        let drive_letters = match () {
            () if has("47efa00") => DriveLetters::Roots,
            () if has("09cd673") => DriveLetters::RootsWithoutHost,
            () => DriveLetters::WithColon,
        };
        let rooted_host = match () {
            () if has("47efa00") => RootedHost::Inherited,
            () if has("6103e0a") => RootedHost::UnlessDrive,
            () => RootedHost::NotInherited,
        };
        let drops_segments = has("6103e0a") && !has("47efa00");
        let empty_segments = if drops_segments { EmptySegments::LeadingRemoved } else { EmptySegments::Kept };
        let drops_marks = has("09cd673") && !has("698f3e8");
        let marks_after_scheme = if drops_marks { MarksAfterScheme::Dropped } else { MarksAfterScheme::Kept };
        let other = Row {
            base_form: BaseForm::Parsed,
            relative: Relative::Resolved,
            scheme_case: SchemeCase::Lower,
            opaque: if has("b266a43") { Opaque::Opaque } else { Opaque::RootedToo },
            empty_opaque: EmptyOpaque::Opaque,
            opaque_space: if has("6c78200") { OpaqueSpace::Encoded } else { OpaqueSpace::Kept },
            userinfo_end: UserinfoEnd::LastAt,
            inherited_userinfo: if has("06b2e68") {
                InheritedUserinfo::Inherited
            } else {
                InheritedUserinfo::NotInherited
            },
            empty_userinfo: if has("5e0b05e") { EmptyUserinfo::PartsDropped } else { EmptyUserinfo::Dropped },
            port: Port::Digits,
            port_limit: if has("c3a454c") { PortLimit::Bits16 } else { PortLimit::None },
            port_zeros: PortZeros::Dropped,
            empty_port: EmptyPort::Dropped,
            brackets: if has("a7ae1b8") { Brackets::Ipv6 } else { Brackets::Ipv6OpenEnd },
            ipv6: Ipv6::Pieces,
            host_missing: if has("3036255") { HostMissing::Rejected } else { HostMissing::Accepted },
            host_parser: if has("3036255") { HostParser::Characters } else { domain },
            domain_forbidden,
            domain_numbers,
            tabs: if has("7b40216") { Tabs::First } else { Tabs::FromComponents },
            empty_path: if has("b087fe2") { EmptyPath::Nothing } else { EmptyPath::Slash },
            encoded_dots: EncodedDots::DotSegment,
            two_slashes: if has("83adf0c") { TwoSlashes::AfterDot } else { TwoSlashes::Plain },
            ..Row::of(rules)
        };
        let special = Row {
            opaque: Opaque::Path,
            same_scheme: SameScheme::RelativeUnlessTwoSlashes,
            backslash: Backslash::Slash,
            slashes: Slashes::Any,
            host_parser: domain,
            host_missing: HostMissing::Rejected,
            empty_host: EmptyHost::Rejected,
            default_port: DefaultPort::Dropped,
            empty_path: EmptyPath::Slash,
            ..other
        };
        let file = Row {
            same_scheme: SameScheme::Relative,
            foreign_base: if has("09cd673") { ForeignBase::Ignored } else { ForeignBase::Inherited },
            marks_after_scheme,
            slashes: Slashes::Two,
            empty_host: EmptyHost::Accepted,
            port: Port::None,
            userinfo_end: UserinfoEnd::None,
            localhost: if has("bb36bd9") { Localhost::Empty } else { Localhost::Host },
            path_after_scheme: PathAfterScheme::Slash,
            drive_letters,
            drive_at_end: if has("fe6b251") { DriveAtEnd::Root } else { DriveAtEnd::Segment },
            inherited_drive: if has("2eef975") { InheritedDrive::UnlessOwn } else { InheritedDrive::Always },
            rooted_host,
            empty_segments,
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
        let opaque: &[Form] = if has("b266a43") { &[Form::Rootless, Form::Empty] } else { &Form::ALL };
        for form in opaque {
            let row = &mut plain.rows[*form as usize];
            row.relative = Relative::Rejected;
            row.exempt = if has("7468c39") { Exempt::Fragment } else { Exempt::None };
        }
        if !has("b087fe2") {
            for row in &mut plain.rows[Form::Authority as usize..] {
                row.slashes = Slashes::TwoWithMarks;
            }
        }
        let classes = vec![
            plain,
            relative,
            unresolved,
            Class::uniform(special, tables(&has, true)),
            Class::uniform(file, tables(&has, true)),
        ];
        let mut schemes: BTreeMap<String, usize> = SPECIAL.map(|scheme| (scheme.to_owned(), 3)).into();
        if !has("d589670") {
            schemes.insert("gopher".to_owned(), 3);
        }
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
    let path = with(" \"#<>?`", &[(has("c296e2f"), "{}"), (has("9bc33c3"), "^")]);
    let userinfo = with(&path, &[(true, "@"), (has("9ca26e5"), "/:;=[\\]^|")]);
    let query = with(" \"#<>", &[(!has("f54c44d"), "`"), (is_special && has("6ef17eb"), "'")]);
    let fragment = with("", &[(has("7a3c69f"), " \"<>`")]);
    let mut tables = Tables::default();
    let mut encode = |components: &[Component], set: &str| {
        for component in components {
            let actions = tables.0[*component as usize].actions_mut();
            let encoded = |entry: usize| !(0x20..0x7f).contains(&entry) || set.contains(char::from(entry as u8));
            (0..ENTRIES).filter(|entry| encoded(*entry)).for_each(|entry| actions.literal[entry] = Literal::Encoded);
        }
    };
    encode(&PATHS, &path);
    encode(&[Component::Query, Component::AbsoluteQuery, Component::OpaqueQuery], &query);
    if has("373dbed") {
        encode(&FRAGMENTS, &fragment);
    }
    encode(&[Component::User, Component::Password], &userinfo);
    encode(&[Component::Opaque, Component::Host], "");
    let mut act = |components: &[Component], characters: &str, literal: Literal| {
        for component in components {
            let actions = tables.0[*component as usize].actions_mut();
            characters.chars().for_each(|c| actions.literal[index(c)] = literal);
        }
    };
    act(&[Component::Host], "\0\t\n\r #/:?@[\\]", Literal::Rejected);
    if has("302ba41") {
        act(&[Component::Host], "<>^", Literal::Rejected);
    }
    if has("4025253") {
        act(&[Component::Host], "|", Literal::Rejected);
    }
    if !has("3d57401") {
        act(&FRAGMENTS, "\0", Literal::Dropped);
    }
    if !has("7b40216") {
        act(&Component::ALL, "\t\n\r", Literal::Dropped);
    }
    if has("bee5ad8") && !has("fbff683") {
        for component in PATHS {
            tables.0[component as usize].actions_mut().escape[usize::from(b'.')] = Escape::Decoded;
        }
    }
    tables
}

/// The components of paths that are not opaque.
const PATHS: [Component; 5] = [
    Component::Path,
    Component::FirstSegment,
    Component::RootlessPath,
    Component::AbsolutePath,
    Component::InheritedPath,
];

/// The components of fragments.
const FRAGMENTS: [Component; 3] = [Component::Fragment, Component::AbsoluteFragment, Component::FragmentAlone];

/// Returns `set` with the characters whose condition holds.
fn with(set: &str, more: &[(bool, &str)]) -> String {
    let added = more.iter().filter(|(holds, _)| *holds).map(|(_, characters)| *characters);
    [set].into_iter().chain(added).collect()
}
