//! Authorities: userinfo, host and port: a part of the settings of a row.

/// Passes the settings before it and its own to the first of the macros in brackets.
macro_rules! authority_settings {
    ([$next:ident $($rest:ident)*] { $($before:tt)* }) => {
        $next! { [$($rest)*] { $($before)*

            /// How is a host parsed that is not in brackets?
            host_parser: HostParser {
                /// The host is treated by the tables of characters.
                Characters,
                /// The host is a domain or an address of the URL Standard (URL Standard §3.5 host parser).
                Domain,
                /// The host is a domain of the URL Standard, and every `xn--` label is validated (URL Standard §3.3 domain to
                /// ASCII, until a8d5ca3).
                DomainValidated,
                /// The host is a domain of the URL Standard whose `xn--` labels are validated, and it may be empty after IDNA (URL
                /// Standard §3.3 domain to ASCII, until cceb435).
                DomainOrEmpty,
                /// The host is a domain of the URL Standard by transitional processing, with hyphens checked (URL Standard §3.3
                /// domain to ASCII, until f4d84a5 and dc9d831).
                DomainTransitional,
                /// The host is a domain or an address of the URL Standard, but the table of hosts states which characters are
                /// rejected and encoded.
                DomainByTable,
                /// The host ends at the first character that is not allowed; the rest is path.
                CutAtInvalid,
            }

            /// When are tabs and newlines removed?
            tabs: Tabs {
                /// Before the text is split into components, or by the tables of characters (URL Standard §4.4 basic URL parser,
                /// step 3).
                First,
                /// After the text is split into components, also from hosts and ports (URL Standard §4.4 host state and port
                /// state, until 7b40216).
                FromComponents,
            }

            /// Which characters are forbidden in a domain of the URL Standard, besides delimiters and spaces?
            domain_forbidden: DomainForbidden {
                /// Control characters, `|`, `<`, `>` and `^` (URL Standard §3.2 forbidden domain code point).
                Controls,
                /// `|`, `<`, `>` and `^` (URL Standard §3.2 forbidden host code point, until 35e195a).
                Bar,
                /// `<`, `>` and `^` (URL Standard §3.2 forbidden host code point, until 4025253).
                Brackets,
                /// None (URL Standard §3.2 forbidden host code point, until 302ba41).
                None,
                /// Control characters, `|`, `<`, `>` and `^`, and also `"` and `*`.
                ControlsAndQuotes,
            }

            /// Which domains of the URL Standard are IPv4 addresses?
            domain_numbers: DomainNumbers {
                /// Those that end in a number; they are rejected if they are not valid addresses (URL Standard §3.5 ends in a
                /// number checker).
                Last,
                /// Those that consist of one to four numbers (URL Standard §3.5 IPv4 parser, until ab0e820).
                All,
                /// Those that consist of one to four numbers; a zero after `0x` begins an octal number (URL Standard §3.5 IPv4
                /// number parser, until 620fa90).
                AllOctalAfterMark,
                /// None (URL Standard §3.5 host parser, until 9043740).
                None,
            }

            /// How is a host outside ASCII written?
            unicode_host: UnicodeHost {
                /// It is treated by the table of hosts.
                Characters,
                /// It is converted by IDNA.
                Idna,
                /// It is converted by IDNA after percent-encoded characters outside ASCII are decoded.
                IdnaDecoded,
                /// It is converted by IDNA after percent-encoded characters outside ASCII are decoded, and rejected if the result
                /// has other characters than letters, digits, hyphens, underscores and full stops.
                IdnaStrict,
                /// It is converted and rejected in the same way. A host is written in Unicode if the registry of its top-level
                /// domain publishes which characters it allows, as in lists of browsers, or if it ends in a full stop.
                IdnaStrictShown,
                /// It is converted by IDNA of 2003 after percent-encoded characters outside ASCII are decoded.
                IdnaTransitionalDecoded,
                /// It is converted by IDNA of 2003, and a host that begins with `xn--` is rejected if it is not valid.
                IdnaTransitionalChecked,
                /// It is converted by IDNA of 2003, and written in lower case if that is not possible.
                IdnaTransitionalOrKept,
                /// It is treated by the table of hosts, and rejected if IDNA of 2003 does not convert each label to at most 63
                /// letters, digits and hyphens between them.
                IdnaChecked,
                /// It is treated by the table of hosts, and labels in ASCII that begin with `xn--` are decoded or rejected.
                AceDecoded,
                /// It is converted by IDNA; characters that IDNA would map to others are rejected (RFC 5891 §4).
                IdnaUnmapped,
                /// Its labels are encoded in Punycode as they are written; ideographic full stops are dots.
                PunycodeDots,
            }

            /// Is an authority accepted that contains more delimiters in the compatible normal form of Unicode (NFKC)?
            compatible_delimiters: CompatibleDelimiters {
                /// It is.
                Accepted,
                /// It is rejected if the text without `@`, `:`, `#` and `?` is not in this form, and its form contains one of
                /// them or `/`.
                Rejected,
            }

            /// Does the table of hosts reject characters of a host that IDNA converted?
            idna_result: IdnaResult {
                /// It does not.
                Accepted,
                /// It does.
                ByTable,
            }

            /// How is an authority read without a host name or address, or with a port that is not a number?
            authority_name: AuthorityName {
                /// It is divided like any other.
                Divided,
                /// It is a name, which is copied as it is written (RFC 2396 §3.2.1).
                Copied,
            }

            /// Are brackets accepted in a userinfo?
            userinfo_brackets: UserinfoBrackets {
                /// The table of characters states it.
                ByTable,
                /// They are rejected, unless the host is in brackets.
                BeforeBrackets,
            }

            /// Which `@` ends the userinfo?
            userinfo_end: UserinfoEnd {
                /// The last one (URL Standard §4.4 authority state).
                LastAt,
                /// The first one (RFC 3986 §3.2.1).
                FirstAt,
                /// The first one in the text after the slashes, even after a delimiter, if at most one colon precedes it; otherwise
                /// none.
                FirstAtInText,
                /// An `@` is an ordinary character.
                None,
                /// The first one, if only characters of a userinfo precede it (RFC 3986 §3.2.1); otherwise none.
                FirstAtAfterUserinfo,
            }

            /// Which part of the userinfo is written?
            written_userinfo: WrittenUserinfo {
                /// All of it.
                All,
                /// The user name; the password is dropped.
                User,
                /// If it has several colons, what follows the last but one.
                LastTwoParts,
                /// None of it.
                None,
            }

            /// What happens to an empty userinfo?
            empty_userinfo: EmptyUserinfo {
                /// It is kept.
                Kept,
                /// `@` is dropped if nothing precedes it.
                Dropped,
                /// Empty user names and passwords are dropped with their delimiters (URL Standard §4.5 URL serializing).
                PartsDropped,
                /// The colon of an empty password is dropped, and the `@` is kept.
                PasswordDropped,
                /// An `@` at the start is part of the host.
                PartOfHost,
            }

            /// Which ports are accepted?
            port: Port {
                /// Any text.
                Any,
                /// None: a colon is part of the host.
                None,
                /// Digits (RFC 3986 §3.2.3).
                Digits,
                /// An integer, which may have a sign and spaces around it.
                Integer,
                /// An integer, which may have a sign and white space around it, even outside ASCII.
                UnicodeInteger,
                /// Digits after a host without a colon; otherwise the authority is a name and not divided (RFC 2396 §3.2.1).
                DigitsOrName,
                /// Digits at the end; other text belongs to the host.
                DigitsOrHost,
                /// One or more digits at the end; other text, even a colon at the end, belongs to the host.
                SomeDigitsOrHost,
                /// Digits after the first colon; otherwise the slashes do not begin an authority, but the path.
                DigitsOrPath,
                /// The digits; the rest belongs to the path.
                DigitsThenPath,
                /// Digits; otherwise the port and all that follows it is dropped.
                DigitsOrEnd,
                /// The digits after the first colon; other text is dropped.
                FirstDigits,
                /// Digits after the only colon; if there are several, they belong to the host.
                DigitsAfterOnlyColon,
                /// The digits after the first colon, even one in brackets; the rest belongs to the path.
                FirstDigitsThenPath,
                /// A text of up to five characters that begins with a digit; it is written whole.
                AfterDigit,
            }

            /// Are colons accepted in a host that is not in brackets?
            host_colon: HostColon {
                /// They are, unless the table of hosts rejects them.
                Accepted,
                /// They are rejected (RFC 3986 §3.2.2).
                Rejected,
                /// They are rejected, even after an opening bracket that is not closed.
                RejectedAfterBracket,
            }

            /// Is there a highest port?
            port_limit: PortLimit {
                /// No.
                None,
                /// 65535 (URL Standard §4.4 port state).
                Bits16,
                /// 2147483647.
                Bits31,
                /// No: a number of more than 32 bits loses the others.
                Wraps32,
            }

            /// What happens to leading zeros of a port?
            port_zeros: PortZeros {
                /// They are kept.
                Kept,
                /// They are dropped (URL Standard §4.4 port state).
                Dropped,
                /// They are dropped, and the port 0 as well.
                ZeroDropped,
                /// They are dropped, and the port 0 is rejected.
                ZeroRejected,
                /// They are kept, but the port `0` is dropped.
                LoneZeroDropped,
                /// They are dropped, and so are the port 0 and its colon, even if an empty port is rejected.
                ZeroAbsent,
            }

            /// What happens to a colon without a port?
            empty_port: EmptyPort {
                /// It is kept.
                Kept,
                /// It is dropped (URL Standard §4.4 port state; RFC 3986 §6.2.3).
                Dropped,
                /// It is rejected.
                Rejected,
                /// It is kept, and followed by `0`.
                Zero,
            }

            /// What happens to the default port of the scheme?
            default_port: DefaultPort {
                /// It is kept.
                Kept,
                /// It is dropped (URL Standard §4.4 port state; RFC 3986 §6.2.3).
                Dropped,
                /// It is dropped after a scheme in lower case.
                DroppedInLowerCase,
                /// Every port is dropped.
                AllDropped,
            }

            /// Which hosts in brackets are accepted?
            brackets: Brackets {
                /// Brackets are ordinary characters.
                Any,
                /// Any text between brackets that enclose it; a bracket elsewhere is rejected.
                Closed,
                /// A bracket at the start must be closed; other brackets are ordinary characters.
                ClosedIfFirst,
                /// Neither bracket may be alone.
                Paired,
                /// Neither bracket may be alone, and the first pair contains an IPv6 address or one of a future version.
                FirstPair,
                /// Text with a colon, or an address of a future version (RFC 3986 §3.2.2).
                WithColonOrFuture,
                /// An IPv6 address, or one of a future version (RFC 3986 §3.2.2).
                Ipv6OrFuture,
                /// An IPv6 address, or one of a future version, whose number is decimal after a small letter.
                Ipv6OrDecimalFuture,
                /// An IPv6 address, or one of a future version; any text but a colon may follow it.
                Ipv6OrFutureThenText,
                /// An IPv6 address (URL Standard §3.5 host parser).
                Ipv6,
                /// An IPv6 address, whose IPv4 part may have leading zeros.
                Ipv6WithZeros,
                /// An IPv6 address, whose IPv4 part may have fewer than four numbers or one more character (URL Standard §3.5
                /// IPv6 parser, until a7ae1b8).
                Ipv6OpenEnd,
                /// An IPv6 address, or hexadecimal digits and colons with two colons in a row, which an IPv4 address with leading
                /// zeros may end; other brackets are ordinary characters.
                LooseIpv6IfPaired,
                /// An IPv6 address if there is a colon between them; other brackets are ordinary characters.
                Ipv6IfColon,
                /// An IPv6 address; with other text in brackets, the host is absent and all that follows is dropped, but it is
                /// rejected if it contains a dot and no colon. Other brackets are ordinary characters, and the port follows the
                /// first closing one.
                Ipv6OrAbsent,
                /// Any text; brackets at the ends are dropped, and so is the text between the closing one and the path.
                Trimmed,
                /// Any text from a bracket at the start to the last closing one; the text between it and the path is dropped unless
                /// it is a port. Other brackets are ordinary characters.
                ClosedRestDropped,
                /// A bracket at the start must be closed; the text between the first closing one and the path is dropped unless it
                /// is a port. Other brackets are ordinary characters.
                FirstClosedRestDropped,
                /// Any text but none from a bracket at the start to the first closing one; text after it that is not a port begins
                /// the path. Other brackets are ordinary characters.
                FirstClosedThenPath,
                /// Brackets are ordinary characters, also those at both ends of a host, so a colon between them ends it.
                Characters,
                /// Brackets are ordinary characters, but a colon after an opening one that is not closed belongs to the host.
                ColonsHidden,
                /// Brackets are ordinary characters, but text with one of them is not a port, so a colon before it belongs to the
                /// host.
                NotInPort,
            }

            /// When is a host written in brackets?
            written_brackets: WrittenBrackets {
                /// If it is in brackets.
                AsGiven,
                /// If it contains a colon.
                WithColon,
                /// If it is an IPv6 address.
                WithIpv6,
                /// Never.
                Never,
            }

            /// How is an IPv6 address written?
            ipv6: Ipv6 {
                /// As it is written.
                Kept,
                /// In canonical form, with the last four bytes as an IPv4 address if all others are zero (`inet_ntop`).
                CanonicalCompatible,
                /// In canonical form, with IPv4 parts as hexadecimal numbers (URL Standard §3.6 IPv6 serializer).
                Pieces,
                /// With all eight numbers and four digits each.
                Full,
                /// In canonical form, but with capital letters where it has them.
                CaseKept,
            }

            /// Is a zone accepted after an IPv6 address?
            zone: Zone {
                /// It is not read as a zone (URL Standard §3.5 host parser).
                Rejected,
                /// It is accepted after `%25` (RFC 6874 §2).
                AfterEncodedPercent,
                /// It is accepted after `%`.
                AfterPercent,
                /// It is accepted after `%` and after `%25`, and it is written after `%25`.
                WrittenEncoded,
                /// It is accepted after `%`, and dropped.
                Dropped,
            }

            /// How is an IPv4 address written?
            ipv4: Ipv4 {
                /// As it is written.
                Kept,
                /// As it is written. Four numbers that are not an IPv4 address (RFC 3986 §3.2.2) are rejected.
                Checked,
                /// As it is written. Text after four numbers and a full stop is rejected.
                EndsAfterFour,
                /// As it is written. A host that begins with a digit and contains a full stop is rejected unless it is an address
                /// or its last label consists of letters (RFC 2396 §3.2.2), which cannot follow four numbers.
                AddressOrLetters,
                /// As it is written. Where a host is cut, it ends after four numbers of up to 255, unless a port follows them.
                CutAfterFour,
                /// Without leading zeros.
                ZerosDropped,
                /// The forms of `inet_aton` are written as four numbers; other hosts that end in a number are names.
                ParsedOrName,
                /// The forms of `inet_aton` are written as four numbers; other hosts are names, also those that end in a dot.
                ParsedWithoutDot,
            }

            /// Is `0x` without digits a number of an IPv4 address?
            empty_hex: EmptyHex {
                /// It is 0 (URL Standard §3.5 IPv4 number parser).
                Zero,
                /// It is not a number, so the host is a name.
                Name,
                /// It is not a number, and a host with this label is rejected.
                Rejected,
            }

            /// Is an empty host accepted?
            empty_host: EmptyHost {
                /// It is accepted.
                Accepted,
                /// It is rejected (URL Standard §4.4 host state).
                Rejected,
                /// It is accepted in a base, but a result without a host is rejected.
                RejectedInResult,
            }

            /// Are empty labels of a host accepted?
            empty_labels: EmptyLabels {
                /// They are accepted.
                Accepted,
                /// They are rejected between or after other labels; one at the end is accepted.
                Rejected,
                /// They are rejected at the end, except one after a name.
                RejectedAtEnd,
                /// They are rejected, except one at the end after a name; ideographic full stops are dots.
                RejectedUnlessLast,
            }

            /// Are hyphens at the ends of labels of a host accepted?
            label_hyphens: LabelHyphens {
                /// They are accepted (RFC 3986 §3.2.2).
                Accepted,
                /// They are rejected (RFC 1123 §2.1).
                Rejected,
            }

            /// Are a userinfo or a port accepted without a host?
            host_missing: HostMissing {
                /// They are accepted.
                Accepted,
                /// They are rejected (URL Standard §4.4 authority state, host state).
                Rejected,
                /// They are rejected, unless the userinfo is empty.
                RejectedUnlessEmpty,
                /// They are rejected, unless the userinfo is a colon, or it is empty and nothing follows it.
                RejectedUnlessColon,
                /// They are dropped.
                Dropped,
                /// They are dropped, and the authority is absent.
                DroppedWithSlashes,
                /// The userinfo is accepted; the port is dropped if it is valid.
                PortDropped,
            }

            /// What happens to a reference or a base whose authority is not valid?
            authority_invalid: AuthorityInvalid {
                /// It is not valid either.
                Invalid,
                /// The authority is dropped with its slashes.
                Dropped,
            }

            /// How is the host `localhost` read?
            localhost: Localhost {
                /// As a host like any other.
                Host,
                /// As the empty host (URL Standard §4.4 file host state).
                Empty,
                /// It and `127.0.0.1` are read as the empty host; other hosts are rejected.
                EmptyOthersRejected,
            }
        } }
    };
}
