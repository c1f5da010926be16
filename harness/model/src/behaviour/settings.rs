//! The settings of a behaviour: for each question on which engines differ, its possible values.
//!
//! A question that is also a rule of the specifications has the name of that rule, and the values that are settings of
//! the rule have the names of these settings. Their sentences and sources are those of the rule.

use urlstrata::rules::{self, Rules};

pub use consulted::{Consulted, Read, TablesRead, Watched};

/// A question on which engines differ, as a parameter of `T`.
#[derive(Debug)]
pub struct Setting<T: 'static> {
    /// The name: that of the field.
    pub name: &'static str,
    /// The question.
    pub question: &'static str,
    /// The possible values.
    pub values: &'static [Value],
    get: fn(&T) -> usize,
    set: fn(&mut T, usize),
}

/// A value of a setting.
#[derive(Debug)]
pub struct Value {
    /// The name: that of the variant.
    pub name: &'static str,
    /// The doc comment; empty if the value is a setting of the rule with the same name.
    doc: &'static str,
}

impl<T> Setting<T> {
    /// Returns the index, in [`Self::values`], of the value that `of` has.
    pub fn index(&self, of: &T) -> usize {
        (self.get)(of)
    }

    /// Returns the value that `of` has.
    pub fn value(&self, of: &T) -> &'static Value {
        &self.values[self.index(of)]
    }

    /// Gives `of` the value at `index`.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not less than the number of values.
    pub fn assign(&self, of: &mut T, index: usize) {
        (self.set)(of, index);
    }

    /// Returns the index of the value called `name`.
    pub fn value_named(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value.name == name)
    }

    /// Returns the sentence of the value at `index`, with its sources in parentheses if a specification has it.
    pub fn sentence(&self, index: usize) -> &'static str {
        let value = &self.values[index];
        match value.doc {
            "" => setting_of_rule(self.name, value.name).map_or("", |setting| setting.doc),
            doc => doc,
        }
    }
}

fn setting_of_rule(rule: &str, setting: &str) -> Option<&'static rules::Setting> {
    rules::by_name(rule)?.settings.iter().find(|it| it.name == setting)
}

#[macro_use]
mod authority;
#[macro_use]
mod components;
mod consulted;
#[macro_use]
mod path;
#[macro_use]
mod result;
#[macro_use]
mod scheme;

macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        struct $Set:ident / $ALL:ident;
        $($(#[doc = $question:literal])+ $name:ident: $Type:ident { $($(#[doc = $doc:literal])* $Value:ident,)+ })+
    ) => {
        $(
            $(#[doc = $question])+
            #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
            #[allow(missing_docs, reason = "the sentences of settings of rules are in the rules")]
            pub enum $Type { $($(#[doc = $doc])* $Value,)+ }

            impl $Type {
                const ALL: &'static [Self] = &[$(Self::$Value),+];
            }
        )+

        $(#[doc = $about])+
        ///
        /// Resolution reads the settings through their methods, which record them if [`Self::watched`] is set; see
        /// [`Consulted`].
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub struct $Set {
            $($(#[doc = $question])+ pub $name: $Type,)+
            /// Whether the settings that resolution reads are recorded. Copies with other values are recorded, too.
            pub watched: Watched,
        }

        impl $Set {
            /// Has the first value of each setting.
            const FIRST: Self = Self { $($name: $Type::ALL[0],)+ watched: Watched(false, 0) };
        }

        const _: () = {
            /// The position of each setting.
            #[allow(non_camel_case_types, reason = "the names are those of the fields")]
            enum At { $($name),+ }

            impl $Set {
                $(
                    #[inline]
                    pub(super) fn $name(&self) -> $Type {
                        self.watched.record(At::$name as usize);
                        self.$name
                    }
                )+

                /// Returns the index of the value of each setting.
                pub fn values(&self) -> [u8; Consulted::SIZE] {
                    let mut values = [0; Consulted::SIZE];
                    $(values[At::$name as usize] = self.$name as u8;)+
                    values
                }
            }
        };

        /// Every setting, in the order in which resolution uses them.
        pub static $ALL: &[Setting<$Set>] = &[$(
            Setting {
                name: stringify!($name),
                question: concat!($($question),+).trim_ascii(),
                values: &[$(Value { name: stringify!($Value), doc: concat!($($doc,)* "").trim_ascii() }),+],
                get: |set| set.$name as usize,
                set: |set, index| set.$name = $Type::ALL[index],
            },
        )+];
    };
}

/// Declares the settings of a row, which are collected from the modules.
macro_rules! row_settings {
    ([] { $($settings:tt)* }) => { settings! { $($settings)* } };
}

settings! {
    /// How an engine splits off a scheme. It is the same for all schemes.
    struct Syntax / SYNTAX;

    /// Which prefix of a reference is a scheme?
    scheme_name: SchemeName {
        LetterFirst,
        AnyNameCharacter,
        AnyColonBeforeSlash,
        /// Any characters before a colon, if no slash, question mark or number sign precedes the colon.
        AnyColonBeforeDelimiter,
        /// A letter and any characters before a colon, if no slash, question mark or number sign precedes the colon.
        LetterAndAnyColon,
        /// A letter or digit and the characters of a scheme.
        LetterOrDigitFirst,
        /// Any characters before a colon, if the reference does not begin with a slash.
        AnyColon,
        /// Any characters before a colon, if no period, slash, question mark or number sign precedes the colon.
        AnyColonBeforePeriod,
        /// Any characters before a colon, even slashes, if the reference does not begin with a number sign.
        AnyColonUnlessFragment,
        /// Any characters before a colon, if no slash precedes the colon.
        AnyColonUnlessSlash,
    }

    /// Which prefix of a base is a scheme?
    base_scheme_name: BaseSchemeName {
        /// The same as of a reference.
        LikeReference,
        /// A scheme of RFC 3986 §3.1, which begins with a letter.
        LetterFirst,
        /// A letter and any characters before a colon, if no slash, question mark or number sign precedes the colon; so is
        /// that of a reference to an unknown base.
        LetterAndAnyColon,
    }

    /// Which text after a scheme makes a reference absolute?
    absolute_text: AbsoluteText {
        /// Any text.
        Any,
        /// A text without white space; otherwise the scheme is dropped, and the rest is relative to the base.
        WithoutSpace,
    }

    /// What happens to a prefix before a colon that is not a scheme?
    bad_scheme: BadScheme {
        /// It is part of the path.
        Path,
        /// It is rejected.
        Rejected,
        /// It is rejected at the start of a reference, even after a question mark or number sign that does not begin it.
        RejectedInReference,
    }

    /// What happens to a colon that is followed by up to five digits and then by a slash or the end of the text?
    colon_before_port: ColonBeforePort {
        /// It ends a scheme, like any other.
        LikeOthers,
        /// It does not end a scheme.
        NotAfterScheme,
    }

    /// What happens to a colon at the start of a text?
    leading_colon: LeadingColon {
        /// It is part of the path.
        Path,
        /// It is rejected.
        Rejected,
        /// It is part of the path and percent-encoded.
        Encoded,
        /// It is part of the path, unless two slashes follow it: then it is dropped.
        DroppedBeforeSlashes,
        /// It ends an empty scheme.
        EmptyScheme,
        /// It is dropped: the scheme is empty, so that another one does not follow.
        DroppedAlone,
    }

    /// How is a base without a scheme read?
    missing_scheme: MissingScheme {
        /// As a relative reference.
        Relative,
        /// As a URL after `http://`, or after `http:` if it begins with two slashes.
        Http,
        /// As a URL after `http://`, or after `http:` if it begins with two slashes, and so is the empty base.
        HttpIfEmptyToo,
        /// As a relative reference, unless it begins with a slash, a drive letter or two backslashes: then it is the path
        /// of a file if it has three characters, and so is a reference like this to an unknown base. All its characters
        /// belong to the path. A reference that begins with a slash is resolved as a text with the base's scheme.
        FilePath,
    }

    /// Is the case of a scheme ignored when its class is determined?
    scheme_classes: SchemeClasses {
        /// It is (RFC 3986 §3.1).
        CaseIgnored,
        /// It is not: a scheme with an upper-case letter is an unknown one.
        Exact,
    }

    /// Are characters removed from fragments, too?
    fragment_cleaned: FragmentCleaned {
        /// They are (URL Standard §4.4, before the state machine).
        Yes,
        /// They are, but nothing is removed at the end of a text with a fragment.
        NotAtEnd,
        /// They are, but nothing is removed at the end of a text that begins with a `#`.
        NotAtEndIfAlone,
        /// They are, but not from a text that begins with a `#`.
        NotIfAlone,
    }

    /// Where does a text end before its last character?
    text_end: TextEnd {
        /// Nowhere: every character belongs to a component.
        Never,
        /// At the first `<`, `>` or `"`, which delimit a URI in other text (RFC 3986 Appendix C).
        AtDelimiter,
        /// At the first newline.
        AtNewline,
    }

    /// What happens to the text around a percent sign that two hexadecimal digits do not follow?
    malformed_escape: MalformedEscape {
        /// What the table of the component states.
        InComponent,
        /// The userinfo, host, fragment or value of the query that contains it is absent, and a segment of the path is empty. So
        /// are those with a percent-encoded U+0000.
        ComponentAbsent,
    }

    /// Which strings are parsed and written alone before or after they are joined?
    parsed_alone: ParsedAlone {
        /// None: the base and the reference are joined as they are written.
        None,
        /// The base and the reference are: both are objects before they are joined.
        BaseAndReference,
        /// The base and the reference are, and the result is parsed again.
        BaseReferenceAndResult,
        /// The reference is; the base is used as it is written.
        Reference,
    }

    /// Are delimiters around a text removed?
    text_delimiters: TextDelimiters {
        /// They are not.
        Kept,
        /// Angle brackets are, with `URL:` after the opening one (RFC 3986 §C), and then quotation marks.
        Removed,
    }

    /// What happens to the character U+0000?
    nul: Nul {
        /// It is an ordinary character.
        Ordinary,
        /// It is rejected: the strings end with it.
        Rejected,
        /// It ends the text.
        EndsText,
        /// It ends a relative reference.
        EndsRelative,
        /// It ends a text before its query. In a query or a fragment, it and every character after it are U+0000.
        EndsPath,
    }
}

scheme_settings! {
    [components_settings authority_settings path_settings result_settings row_settings]
    {
        /// A rule set for a class of schemes and a form of pairs: one value for each setting.
        struct Row / ROW;
    }
}

impl BaseForm {
    /// Returns whether the base is parsed like an absolute reference.
    pub(crate) fn is_parsed(self) -> bool {
        matches!(self, Self::Parsed | Self::ParsedDotsKept)
    }
}

impl BasePrefix {
    /// Returns whether the part of the base that is kept ends after two slashes.
    pub(crate) fn is_through_slashes(self) -> bool {
        matches!(self, Self::ThroughSlashes | Self::ThroughSlashesThenParsed)
    }
}

impl Syntax {
    /// Returns the syntax of an RFC's rule set.
    pub fn of(rules: &Rules) -> Self {
        let mut syntax = Self::FIRST;
        assign_rules(&mut syntax, SYNTAX, rules);
        syntax
    }
}

impl Row {
    /// Returns the row of an RFC's rule set. Rules about classes of schemes and about unknown bases are not part of a
    /// row.
    pub fn of(rules: &Rules) -> Self {
        let mut row = Self::FIRST;
        assign_rules(&mut row, ROW, rules);
        row
    }
}

fn assign_rules<T>(set: &mut T, settings: &[Setting<T>], rules: &Rules) {
    for setting in settings {
        let Some(rule) = rules::by_name(setting.name) else { continue };
        if let Some(index) = setting.value_named(rule.setting(rules).name) {
            setting.assign(set, index);
        }
    }
}
