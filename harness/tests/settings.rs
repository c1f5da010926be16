//! Values of settings: what each of them changes about a pair.
//!
//! The list contains values that only engines have. Those of specifications are tested by the behaviours of these.

use urlstrata::revision::rfc3986;
use urlstrata_harness::behaviour::{
    Behaviour, Component, Consulted, Escape, Form, Literal, ROW, Resolution, Row, SYNTAX,
};
use urlstrata_harness::pairs::generate::RandomPairs;

/// The settings, separated by spaces; base, reference, and the results with these settings and with those of RFC 3986.
/// Failures are empty.
const SHOWN: &[[&str; 5]] = &[
    ["authority_name=DividedOrCopied", "http://a/b", "//@k_", "http://k_", "http://@k_"],
    ["authority_name=DividedOrCopied", "http://a/b", "//@k", "http://@k", "http://@k"],
    ["authority_name=DividedOrCopied", "http://a/b", "//k_:70000", "", "http://k_:70000"],
    ["authority_name=DividedOrCopied host_colon=Accepted", "http://a/b", "//@k:x", "http://@k:x", "http://@k:x"],
    [
        "query_only=AppendedInAscii",
        "http://a/\u{e9}/../b",
        "?y#\u{e9}",
        "http://a/%C3%A9/../b?y#%C3%A9",
        "http://a/\u{e9}/../b?y#\u{e9}",
    ],
    ["query_only=AppendedInAscii", "http://a/\u{e9}", "", "http://a/%C3%A9", "http://a/\u{e9}"],
    ["base_invalid=RejectedIfInherited host_missing=Rejected", "http://:8/b", "//k", "http://k", "http://k"],
    ["base_invalid=RejectedIfInherited host_missing=Rejected", "http://:8/b", "g", "", "http://:8/g"],
    ["relative=Resolved rootless_first=LeavesNothing excess=KeptAtRootlessStart", "a/b", "../../g", "g", ""],
    ["relative=Resolved excess=KeptAtRootlessStart", "../a", "..", "../../", ""],
    ["port=NumberAfterOnlyColon port_limit=Bits16", "http://a/b", "//k:0x50", "http://k:0x50", "http://k:0x50"],
    ["port=NumberAfterOnlyColon port_limit=Bits16", "http://a/b", "//k:8.5", "", "http://k:8.5"],
    ["port=NumberAfterOnlyColon port_limit=Bits16", "http://a/b", "//k:1e5", "", "http://k:1e5"],
    ["empty_userinfo=ColonsDropped", "http://a/b", "//u::p@k", "http://u@k", "http://u::p@k"],
    ["brackets=Ipv6OrFutureThenText", "http://a/b", "//[::1].k", "http://[::1].k", "http://[::1].k"],
    ["brackets=Ipv6OrFutureThenText", "http://a/b", "//[zz].k", "", "http://[zz].k"],
    ["brackets=FirstClosedThenPort", "http://a/b", "//[k]x8", "http://[k]:8", "http://[k]x8"],
    ["brackets=FirstClosedThenPort", "http://a/b", "//[8", "http://[:8", "http://[8"],
    [
        "brackets=Ipv6 ipv6=Ipv4PartEncoded",
        "http://a/b",
        "//[::1.2.3.4]",
        "http://%5B%3A%3A1.2.3.4%5D",
        "http://[::1.2.3.4]",
    ],
    ["backslash=Slash", "http:\\/a/b/c", "g", "http://a/b/g", "http:\\/a/b/g"],
    ["compatible_delimiters=Rejected", "http://a/b", "//k\u{ff0f}x", "", "http://k\u{ff0f}x"],
    ["compatible_delimiters=Rejected", "http://a/b", "//k\u{a0}%", "http://k\u{a0}%", "http://k\u{a0}%"],
    ["compatible_delimiters=PercentRejectedToo", "http://a/b", "//k\u{a0}%", "", "http://k\u{a0}%"],
    ["compatible_delimiters=PercentRejectedToo", "http://a/b", "//\u{e9}%", "http://\u{e9}%", "http://\u{e9}%"],
    ["default_port=DroppedInLowerCase", "", "http://k:80", "http://k", "http://k:80"],
    ["default_port=DroppedInLowerCase", "", "HTTP://k:80", "HTTP://k:80", "HTTP://k:80"],
    ["written_userinfo=Trimmed", "http://a/b", "// u: @k", "http://u:@k", "http:// u: @k"],
    ["port=UnicodeInteger", "http://a/b", "//k:\u{a0}8", "http://k:8", "http://k:\u{a0}8"],
    ["brackets=FirstPair zone=AfterPercent", "http://a/b", "//[::1%z]", "http://[::1%z]", "http://[::1%z]"],
    ["brackets=FirstPair", "http://a/b", "//[::1%z]", "", "http://[::1%z]"],
    ["relative=Resolved colon_in_first=EncodedAfterName", "a", "./g:h:", "g%3Ah:", ""],
    ["relative=Resolved colon_in_first=EncodedAfterName", "a", "./g,:", "g,:", ""],
    ["dots_in_network_path=RemovedAfterHost", "http://a/b", "//k/./g", "http://k/g", "http://k/g"],
    ["dots_in_network_path=RemovedAfterHost", "http://a/b", "///./g", "http:///./g", "http:///g"],
    ["rootless_path=SlashesDropped", "x:a", ".///g", "x:g", "x://g"],
    ["excess=TakesEmptySegment", "http://a/b", "/g/..//h", "http://a/h", "http://a//h"],
    ["empty_segments=RemovedUnlessAfterDots", "http://a/b", "/c//d//e/", "http://a/c/d/e/", "http://a/c//d//e/"],
    ["empty_segments=RemovedUnlessAfterDots", "http://a/b", "/.///c", "http://a//c", "http://a///c"],
    ["empty_segments=RemovedUnlessAfterDots", "http://a/b", "/c/.///d", "http://a/c/d", "http://a/c///d"],
    ["empty_segments=RemovedUnlessAfterDots excess=Kept", "http://a/b", "/..//c", "http://a/..//c", "http://a//c"],
    ["relative=Resolved colon_in_first=Rejected", "a", "./g:h", "", ""],
    ["relative=Resolved colon_in_first=Rejected", "a/b", "./g", "a/g", ""],
    ["same_scheme=Relative empty_form=UnchangedWithoutScheme", "http://a/b#s", "http:", "http://a/b", "http:"],
    ["empty_form=UnchangedWithoutScheme", "http://a/b#s", "", "http://a/b#s", "http://a/b"],
    ["empty_form=UnchangedIfValid", "http://a/b#s", "", "http://a/b#s", "http://a/b"],
    ["empty_form=UnchangedIfValid port=Digits", "http://a:b#s", "", "", "http://a:b"],
    ["backslash_in_path=EndsDotSegment", "http://a/b\\c", "g", "http://a/b\\g", "http://a/g"],
    ["backslash_in_path=EndsDotSegment", "http://a/b", "/.\\g", "http://a/g", "http://a/.\\g"],
    ["brackets=NotInPort port=Digits", "http://a/b", "//k:8]", "http://k:8]", "http://k:8]"],
    ["brackets=NotInPort port=Digits", "http://a/b", "//x[::1]", "http://x[::1]", "http://x[::1]"],
    ["host_missing=RejectedWithoutPath", "http://a/b", "//u@", "", "http://u@"],
    ["host_missing=RejectedWithoutPath", "http://a/b", "//u@/g", "http://u@/g", "http://u@/g"],
    ["bare_host=SlashAfterHostElseRejected", "http://", "g", "", "http:///g"],
    ["bare_host=SlashAfterHostElseRejected", "http://a", "g", "http://a/g", "http://a/g"],
    ["empty_segments=LoneRemoved", "http://a//b", "./g", "http://a/g", "http://a//g"],
    ["empty_segments=LoneRemoved", "http://a//b/c", "./g", "http://a//b/g", "http://a//b/g"],
    ["base_prefix=AfterBackslashes base_form=Parsed", "x://h?q", "#s", "x://h?q?q#s", "x://h?q#s"],
    ["base_prefix=AfterBackslashes base_form=Parsed", "x://h?q#s", "", "x://h?q", "x://h?q"],
    ["userinfo_brackets=BeforeBrackets", "http://a/b", "//[@k", "", "http://[@k"],
    ["userinfo_brackets=BeforeBrackets", "http://a/b", "//[@[::1]", "http://[@[::1]", "http://[@[::1]"],
    ["text_delimiters=Removed", "http://a/b", "<URL:g>", "http://a/g", "http://a/<URL:g>"],
    ["text_delimiters=Removed", "http://a/b", "\"g\"", "http://a/g", "http://a/\"g\""],
    ["unicode_host=PunycodeLower", "http://a/b", "//\u{c9}F", "http://xn--f-9fa", "http://\u{c9}F"],
    ["unicode_host=PunycodeLower", "http://a/b", "//\u{e9}:", "http://xn--:-9fa", "http://\u{e9}:"],
    ["base_checked=ElseAlone base_invalid=Rejected port=Digits", "http://a:k/b", "x:/g", "x:/g", "x:/g"],
    ["userinfo_end=OnlyAtOrPath", "http://a/b", "//u@v@k", "http://a//u@v@k", "http://u@v@k"],
    ["userinfo_end=OnlyAtOrPath", "http://a/b", "x://u@v@k", "", "x://u@v@k"],
    ["host_missing=SlashesDropped", "http://a/b", "//:8/g", "http::8/g", "http://:8/g"],
    ["host_missing=SlashesDropped", "http://a/b", "//:@k", "http://:@k", "http://:@k"],
    [
        "base_fragment=InheritedWithoutComponents empty_authority=Missing",
        "http://a/b#s",
        "//",
        "http://a/b#s",
        "http://",
    ],
    ["bad_scheme=Dropped", "http://a/b", "1x:y:z", "http://a/y:z", "http://a/1x:y:z"],
    ["unicode_host=IdnaIgnorablesRejected", "http://a/b", "//\u{ad}k", "", "http://\u{ad}k"],
    ["unicode_host=IdnaIgnorablesRejected", "http://a/b", "//\u{ff10}", "http://0", "http://\u{ff10}"],
    ["userinfo_end=LastAtUnlessBrackets", "http://a/b", "//u@v@[::1]", "", "http://u@v@[::1]"],
    ["userinfo_end=OnlyAtOrAbsent", "http://a/b", "//u@v@k/g", "http://a/g", "http://u@v@k/g"],
    ["port=DigitsThenDroppedUnlessBrackets", "http://a/b", "//k:8l", "http://k:8", "http://k:8l"],
    ["port=DigitsThenDroppedUnlessBrackets", "http://a/b", "//[::1]:8l", "", "http://[::1]:8l"],
    ["brackets=WithColonOrFutureInServer", "http://a/b", "//]@[:", "http://]@[:]", "http://]@[:"],
    ["brackets=WithColonOrFutureInServer", "http://a/b", "//[u]@k", "", "http://[u]@k"],
    ["scheme_accepted=AcceptedBeforeAddresses", "", "x:k", "", "x:k"],
    ["scheme_accepted=AcceptedBeforeAddresses", "", "x:/k?y", "x:?y", "x:/k?y"],
    ["base_form=DotdotsRemoved", "http://a/../b", "?y", "http://ab?y", "http://a/../b?y"],
    ["authority_end=SlashOrQueryAfterBrackets", "http://a/b", "//[/../]", "http://[/../]", "http://[/]"],
    ["trailing_dotdot=RemovedFromFirst", "http://a/b", "..g/..", "http://a/..g/..", "http://a/"],
    ["scheme_name=UnicodeLetterFirst", "http://a/b", "\u{e9}:g", "\u{e9}:g", "http://a/\u{e9}:g"],
    ["empty_userinfo=RestOfText", "http://a/b", "//@k/g", "http://%40k%2Fg@k/g", "http://@k/g"],
    ["empty_port=Rejected port_zeros=ZeroAbsent", "http://a/b", "//k:0", "http://k", "http://k:0"],
    ["absolute_without_authority=InheritsWithDefaultPort", "http://a/b", "x:/g", "x://a:80/g", "x:/g"],
    ["absolute_without_authority=InheritsWithDefaultPort", "http://a:8/b", "x:/g", "x://a:8/g", "x:/g"],
    ["absolute_without_authority=InheritsWithDefaultPort", "http://a:8/b", "ftp:/g", "ftp://a/g", "ftp:/g"],
    ["absolute_without_authority=InheritsWithDefaultPort", "http://a/b", "x:g", "", "x:g"],
    ["bad_scheme=RejectedInReference", "http://a/b", "g?x:y", "", "http://a/g?x:y"],
    ["bad_scheme=RejectedInReference", "http://a/b", "?x:y", "http://a/b?x:y", "http://a/b?x:y"],
    ["bare_host=PathDropped", "http://a", "g?y", "http://a?y", "http://a/g?y"],
    ["dots_in_rooted_path=RemovedAfterHost", "http:///b", "/./g", "http:///./g", "http:///g"],
    ["dots_in_rooted_path=RemovedAfterHost", "http://a/b", "/./g", "http://a/g", "http://a/g"],
    ["backslash=RejectedInPrefixWithTabs", "http://a/b", "/\t/k", "", "http://a/\t/k"],
    ["backslash=RejectedInPrefixWithTabs", "http://a/b", "/\\k", "", "http://a/\\k"],
    ["backslash=RejectedInPrefixWithTabs", "http://a/b", "g\\h", "http://a/g\\h", "http://a/g\\h"],
    ["unicode_host=DomainDecoded", "http://a/b", "//%C3%A9", "http://xn--9ca", "http://%C3%A9"],
    ["unicode_host=DomainDecoded", "http://a/b", "//0.XN--", "", "http://0.XN--"],
    ["unicode_host=DomainDecoded", "http://a/b", "//\u{ff05}", "", "http://\u{ff05}"],
    ["unicode_host=DomainDecoded", "http://a/b", "//%EF%BC%85", "http://%EF%BC%85", "http://%EF%BC%85"],
    ["authority_name=Copied port_zeros=Dropped", "http://a/b", "//k.0:08", "http://k.0:08", "http://k.0:08"],
    ["authority_name=Copied port_zeros=Dropped", "http://a/b", "//k:08", "http://k:8", "http://k:08"],
    [
        "parsed_alone=Reference same_scheme=Relative path_after_scheme=Slash",
        "http://a/b/c",
        "http:g",
        "http://a/g",
        "http:g",
    ],
    ["base_prefix=ThroughSlashesThenParsed", "a:b////", "k", "a:b///k", "a:b////k"],
    ["base_prefix=ThroughSlashesThenParsed", "a:////b/c", "k", "a:///k", "a:////b/k"],
    ["bare_host=DotSlash dots_removed=None", "http://a", "g", "http://a./g", "http://a/g"],
    ["scheme_alone=DotSlash dots_removed=None", "x:", "g", "x:./g", "x:g"],
    ["slashless_base=ReplacedByDot dots_removed=None", "x:a", "g", "x:./g", "x:g"],
    ["dots_removed=Parents", "http://a/b/c", "./../g", "http://a/b/g", "http://a/g"],
    ["dots_removed=Parents", "http://a/b/c", "./g/../h", "http://a/b/./h", "http://a/b/h"],
    ["excess=Rejected", "http://a/b", "../g", "", "http://a/g"],
    ["excess=Rejected", "http://a/b/c", "../g", "http://a/g", "http://a/g"],
    ["excess=Rejected", "http://a/b", "x:/../g", "", "x:/g"],
    ["fragment=Last", "http://a/b", "g#/../h#s", "http://a/h#s", "http://a/g#/../h#s"],
    ["fragment=Last", "http://a/b#/c#d", "g", "http://a/b#/g", "http://a/g"],
    ["leading_colon=DroppedAlone", "http://a/b", ":g:h", "http://a/g:h", "http://a/:g:h"],
    ["leading_colon=DroppedAlone relative=Resolved", ":a:/b", "/g", "/g", ""],
    ["rooted_reference=UnchangedAfterTwo", "http://a/b", "//k/./g", "//k/./g", "http://k/g"],
    ["rooted_reference=UnchangedAfterTwo", "http://a/b", "/./g", "http://a/g", "http://a/g"],
    ["rooted_reference=WrittenAfterTwo", "http://a/b", "//k/./g", "//k/g", "http://k/g"],
    ["rooted_reference=Written", "http://a/b", "//k/./g", "//k/g", "http://k/g"],
    ["rooted_reference=Written", "http://a/b", "/./g", "/g", "http://a/g"],
    ["rooted_reference=Unchanged", "http://a/b", "/./g", "/./g", "http://a/g"],
    ["scheme_name=AnyColonUnlessSlash", "http://a/b", "?g:h", "?g:h", "http://a/b?g:h"],
    ["scheme_name=AnyColonUnlessSlash", "http://a/b", "?/g:h", "http://a/b?/g:h", "http://a/b?/g:h"],
    ["host_colon=RejectedAfterBracket brackets=Characters", "http://a/b", "//[::1", "", "http://[::1"],
    ["empty_port=Zero", "http://a/b", "//k:/g", "http://k:0/g", "http://k:/g"],
    ["text_end=AtDelimiter", "http://a/b", "g>?y", "http://a/g", "http://a/g>?y"],
    ["text_end=AtDelimiter", "http://a/b/\"c/d", "g", "http://a/b/g", "http://a/b/\"c/g"],
    ["text_end=AtNewline", "http://a/b", "g\nh", "http://a/g", "http://a/g\nh"],
    ["scheme_followed_by=SlashAfterAuthority", "http://a/b", "x://k", "http://a/x://k", "x://k"],
    ["scheme_followed_by=SlashAfterAuthority", "http://a/b", "x://k/", "x://k/", "x://k/"],
    ["written_userinfo=AfterAt", "http://a/b", "//u@v:w@k/g", "http://v:w@k/g", "http://u@v:w@k/g"],
    ["written_userinfo=AfterAt empty_userinfo=Dropped", "http://a/b", "//@@k/g", "http://k/g", "http://@@k/g"],
    ["base_dot=RemovedFirst", "http://a/b/./", "g", "http://a/b//g", "http://a/b/g"],
    ["base_dot=RemovedFirst", "http://a/b/./c/d", "../g", "http://a/b/g", "http://a/b/g"],
    ["base_dot=Kept", "http://a/./b/../c", "g", "http://a/./g", "http://a/g"],
    ["base_dot=Kept", "http://a/./b", "./g", "http://a/./g", "http://a/g"],
    ["base_invalid=PartsDropped port=Digits", "http://a:8b/c", "g", "http://a:8/g", "http://a:8b/g"],
    ["base_invalid=PartsDropped brackets=Closed", "http://a[/b", "g", "http:/g", "http://a[/g"],
    ["base_invalid=ValidReference port=Digits", "http://a:b", "g", "g", "http://a:b/g"],
    ["base_invalid=ValidReference port=Digits", "http://a:b", "//k:l", "", "http://k:l"],
    ["base_invalid=ValidReference port=Digits", "http://a:b", "", "", "http://a:b"],
    ["brackets=ClosedIfFirst", "http://a/b", "//[k", "", "http://[k"],
    ["brackets=ClosedIfFirst", "http://a/b", "//k[", "http://k[", "http://k["],
    ["brackets=ClosedRestDropped", "http://a/b", "//[k]x/g", "http://[k]/g", "http://[k]x/g"],
    ["brackets=Ipv6IfPaired", "http://a/b", "//[k]", "", "http://[k]"],
    ["brackets=Ipv6IfPaired", "http://a/b", "//[k", "http://[k", "http://[k"],
    ["brackets=Characters port=FirstDigits", "http://a/b", "//[k:8]/g", "http://[k:8/g", "http://[k:8]/g"],
    ["written_brackets=Never", "http://a/b", "//[::1]/g", "http://::1/g", "http://[::1]/g"],
    ["brackets=Trimmed written_brackets=WithColon", "http://a/b", "//[k]x/g", "http://k/g", "http://[k]x/g"],
    ["brackets=Trimmed written_brackets=WithColon", "http://a/b", "//k]/g", "http://k/g", "http://k]/g"],
    ["brackets=Trimmed written_brackets=WithColon", "http://a/b", "//[::1]/g", "http://[::1]/g", "http://[::1]/g"],
    ["brackets=Ipv6OrDecimalFuture", "http://a/b", "//[v1.k]", "http://[v1.k]", "http://[v1.k]"],
    ["brackets=Ipv6OrDecimalFuture", "http://a/b", "//[va.k]", "", "http://[va.k]"],
    ["brackets=Ipv6OrUpperFuture", "http://a/b", "//[vA.k]", "http://[vA.k]", "http://[vA.k]"],
    ["brackets=Ipv6OrUpperFuture", "http://a/b", "//[va.k]", "", "http://[va.k]"],
    ["dots_before_query=Kept", "http://a/b", "g/..?y", "http://a/g/..?y", "http://a/?y"],
    ["dots_before_query=Kept", "http://a/b", "g/..", "http://a/", "http://a/"],
    ["empty_query=DroppedAtEnd", "http://a/b", "g?", "http://a/g", "http://a/g?"],
    ["empty_query=DroppedAtEnd", "http://a/b", "g?#s", "http://a/g?#s", "http://a/g?#s"],
    ["empty_authority=MissingUnlessSlashes", "http://a/b", "///g", "http://a/g", "http:///g"],
    ["empty_authority=MissingUnlessSlashes", "http://a/b", "////g", "", "http:////g"],
    ["empty_path=SlashWithoutHostToo relative=Resolved", "", "?y", "/?y", ""],
    ["empty_path=SlashWithoutHostToo", "http://a/b", "x:", "x:/", "x:"],
    ["empty_result=DotIfLast relative=Resolved", "", "./", ".", ""],
    ["empty_result=DotIfLast relative=Resolved", "", "./#s", "#s", ""],
    ["excess=LeavesSlash relative=Resolved", "", "../g", "/g", ""],
    ["excess=LeavesSlash relative=Resolved", "", "../..", "/", ""],
    ["inherited_host=NotInherited", "http://u@a:8/b", "g", "http://:8/g", "http://u@a:8/g"],
    ["inherited_host=NotInherited", "http://a/b", "", "http://a/b", "http://a/b"],
    ["ipv4=AddressOrLetters", "http://a/b", "//1.2", "", "http://1.2"],
    ["ipv4=AddressOrLetters", "http://a/b", "//1.2.k", "http://1.2.k", "http://1.2.k"],
    ["ipv4=AddressOrLetters", "http://a/b", "//1.2.3.4.k", "", "http://1.2.3.4.k"],
    ["ipv4=EndsAfterFour", "http://a/b", "//1.2.3.4.5", "", "http://1.2.3.4.5"],
    ["ipv4=EndsAfterFour", "http://a/b", "//1.2", "http://1.2", "http://1.2"],
    ["nul=EndsPath", "http://a/b", "g\0h", "http://a/g", "http://a/g\0h"],
    ["nul=EndsPath", "http://a/b", "?y\0z#s", "http://a/b?y\0\0#s", "http://a/b?y\0z#s"],
    ["relative=WrittenAfterScheme", "http://a/b", "g/../h", "http:g/../h", "http://a/h"],
    ["relative_start=DotSlashLikeBase relative=Resolved", "?q", "g", "./g", ""],
    ["relative_start=DotSlashLikeBase relative=Resolved", "", "./g", "./g", ""],
    ["three_dots=SlashAtEnd", "http://a/b", "....?y", "http://a/..../?y", "http://a/....?y"],
    ["three_dots=SlashAtEnd", "http://a/b", ".../g", "http://a/.../g", "http://a/.../g"],
    ["unicode_host=IdnaDecodedDotDropped", "http://a/b", "//é./g", "http://xn--9ca/g", "http://é./g"],
    ["unicode_host=IdnaDecodedDotDropped", "http://a/b", "//%C2%AD/g", "http:///g", "http://%C2%AD/g"],
    ["unicode_host=IdnaStrict", "http://a/b", "//é.com/g", "http://xn--9ca.com/g", "http://é.com/g"],
    ["unicode_host=IdnaStrict", "http://a/b", "//é^/g", "", "http://é^/g"],
    ["unicode_host=IdnaStrictShown", "http://a/b", "//xn--9ca.com/g", "http://é.com/g", "http://xn--9ca.com/g"],
    ["unicode_host=IdnaStrictShown", "http://a/b", "//é.uk/g", "http://xn--9ca.uk/g", "http://é.uk/g"],
    ["brackets=Ipv6OrAbsent", "http://a/b", "//u@[k]/g?y#s", "http://u@", "http://u@[k]/g?y#s"],
    ["empty_path=SlashAfterHost", "http://a/b", "//k", "http://k/", "http://k"],
    ["empty_path=SlashAfterHost", "http://a/b", "//", "http://", "http://"],
    ["empty_query=AbsentWithoutPath", "http://a/b?q", "?", "http://a/b?q", "http://a/b?"],
    ["empty_query=AbsentWithoutPath", "http://a/b?q", "g?", "http://a/g?", "http://a/g?"],
    ["encoded_dots=DecodedLater", "http://a/b", "/c/%2e%2E/g", "http://a/c/../g", "http://a/c/%2e%2E/g"],
    ["excess=KeptAtEnd", "http://a/b", "..", "http://a/..", "http://a/"],
    ["excess=KeptAtEnd", "http://a/b", "../g", "http://a/g", "http://a/g"],
    ["first_colon=Rejected", "http://a/b", "/g:/h", "", "http://a/g:/h"],
    ["first_colon=Rejected", "http://a/b", "/g:h", "http://a/g:h", "http://a/g:h"],
    ["fragment=SetAsideAndDropped", "http://a/b", "g#s", "http://a/g", "http://a/g#s"],
    ["fragment_line=Ends", "http://a/b", "#s\nt", "http://a/b#s", "http://a/b#s\nt"],
    ["host_colon=Rejected", "http://a/b", "//x:y:8", "", "http://x:y:8"],
    ["inherited_dots=RemovedUnlessEmpty", "http://a/./b", "#s", "http://a/b#s", "http://a/./b#s"],
    ["inherited_dots=RemovedUnlessEmpty", "http://a/./b", "", "http://a/./b", "http://a/./b"],
    ["ipv4=ParsedOrName", "http://a/b", "//0x.1", "http://0.0.0.1", "http://0x.1"],
    ["ipv4=ParsedOrName empty_hex=Name", "http://a/b", "//0x.1", "http://0x.1", "http://0x.1"],
    ["ipv6=Full", "http://a/b", "//[::1]", "http://[0000:0000:0000:0000:0000:0000:0000:0001]", "http://[::1]"],
    ["label_hyphens=Rejected", "http://a/b", "//k.-x", "", "http://k.-x"],
    ["label_hyphens=Rejected", "http://a/b", "//k-x", "http://k-x", "http://k-x"],
    ["leading_colon=DroppedOnce", "http://a/b", ":g", "http://a/g", "http://a/:g"],
    ["leading_colon=DroppedOnce", "http://a/b", "::g", "", "http://a/::g"],
    ["leading_colon=Encoded", "http://a/b", ":g", "http://a/%3Ag", "http://a/:g"],
    ["two_slashes=AfterDotIfMerged", "http://a//b/c", "d", "http://a/.//b/d", "http://a//b/d"],
    ["two_slashes=AfterDotIfMerged", "http://a//b/c", "?d", "http://a//b/c?d", "http://a//b/c?d"],
    ["empty_userinfo=PartOfHost inherited_userinfo=NotInherited", "http://@a/b", "c", "http://@a/c", "http://@a/c"],
    ["brackets=ColonsHidden host_colon=Rejected port=Digits", "http://a/b", "//k[:8", "http://k[:8", "http://k[:8"],
    ["brackets=FirstClosedRestDropped", "http://a/b", "//[::1]k/g", "http://[::1]/g", "http://[::1]k/g"],
    ["brackets=FirstClosedRestDropped", "http://a/b", "//[k/g", "", "http://[k/g"],
    ["brackets=FirstClosedThenPath host_and_path=Slash", "http://a/b", "//[k]x/g", "http://[k]/x/g", "http://[k]x/g"],
    ["brackets=FirstClosedThenPath", "http://a/b", "//[k]:8/g", "http://[k]:8/g", "http://[k]:8/g"],
    ["brackets=FirstClosedThenPath", "http://a/b", "//[k/g", "http://[k/g", "http://[k/g"],
    ["brackets=FirstClosedThenPath", "http://a/b", "//[]x/g", "http://[]x/g", "http://[]x/g"],
    ["bad_scheme=CharactersDecodedOrDropped", "http://a/b", "x%2E_%5f%2b:y", "x.2b:y", "http://a/x%2E_%5f%2b:y"],
    ["userinfo_end=FirstAtAfterUserinfo brackets=Closed", "http://a/b", "//u^@[::1]/g", "", "http://u^@[::1]/g"],
    ["port=DigitsOrName empty_port=Dropped", "http://a/b", "//k::/g", "http://k::/g", "http://k::/g"],
    ["trailing_dot=TakesSlashUnlessRoot", "http://a/b", "/.", "http://a/", "http://a/"],
    ["trailing_dot=TakesSlashUnlessRoot", "http://a/b", "/c/.", "http://a/c", "http://a/c/"],
    ["inherited_userinfo=NotInheritedUnlessEmpty", "http://u@k/b", "c", "http://k/c", "http://u@k/c"],
    ["inherited_userinfo=NotInheritedUnlessEmpty", "http://u@k/b", "", "http://u@k/b", "http://u@k/b"],
    ["relative=Resolved colon_in_first=AfterDotUnlessFirst", "a", "./a:", "./a:", ""],
    ["relative=Resolved colon_in_first=AfterDotUnlessFirst", "a", "./:a", ":a", ""],
    ["excess=TakesEmptySegment", "http://a/b", "..//g", "http://a/g", "http://a//g"],
    ["excess=TakesEmptySegment", "http://a/b", "..///g", "http://a//g", "http://a///g"],
    ["excess=TakesEmptySegment", "http://a/b", "../", "http://a/", "http://a/"],
    ["localhost=Empty empty_authority=Missing", "http://a/b", "//localhost/g", "http:///g", "http://localhost/g"],
    ["leading_dot=LeavesSlash", "a:", "./g", "a:/g", "a:g"],
    ["port=AfterDigit", "http://a/b", "//k:8x/g", "http://k:8x/g", "http://k:8x/g"],
    ["port=AfterDigit", "http://a/b", "//k:x8/g", "", "http://k:x8/g"],
    ["port=DigitsThenEnd", "http://a/b", "//k:8x/g#s", "http://k:8", "http://k:8x/g#s"],
    ["port=DigitsThenEnd", "http://a/b", "//k:8/g#s", "http://k:8/g#s", "http://k:8/g#s"],
    ["port=DigitsOrEnd", "http://a/b", "//k:8x/g#s", "http://k", "http://k:8x/g#s"],
    ["port=DigitsOrHost", "http://a/b", "//k:8x", "http://k:8x", "http://k:8x"],
    ["port=FirstDigits", "http://a/b", "//k:8x:9/g", "http://k:8/g", "http://k:8x:9/g"],
    ["port_limit=Wraps32", "http://a/b", "//k:4294967376", "http://k:80", "http://k:4294967376"],
    ["port_zeros=LoneZeroDropped", "http://a/b", "//k:0", "http://k", "http://k:0"],
    ["port_zeros=LoneZeroDropped", "http://a/b", "//k:00", "http://k:00", "http://k:00"],
    ["path_after_authority=InheritedAfterEmpty", "http://a/b?q", "//", "http:///b", "http://"],
    ["path_after_authority=InheritedAfterEmpty", "http://a/b", "//k", "http://k", "http://k"],
    ["query_only=DirectoryOrSlash", "http://a", "?y", "http://a/?y", "http://a?y"],
    ["query_only=DirectoryOrSlash", "http://a/./b", "?y", "http://a/./?y", "http://a/./b?y"],
    ["reference_authority=AsWritten brackets=Ipv6", "http://a/b", "//[k", "http://[k", "http://[k"],
    ["reference_authority=AsWritten brackets=Ipv6", "http://a[/b", "k", "", "http://a[/k"],
    ["root=RemovableBeforeEmpty", "http://a", "../", "http://a", "http://a/"],
    ["root=RemovableBeforeEmpty", "http://a", "..", "http://a/", "http://a/"],
    ["root=RemovableBeforeEmpty", "http://a", "..//k", "http://a/k", "http://a//k"],
    ["query_only=ResolvedWithPath", "http://a//k/b", "?y", "http://k/b?y", "http://a//k/b?y"],
    ["query_only=ResolvedWithPath query=Ordinary opaque=Path", "a:?x", "?y", "a:?y", "a:?y"],
    ["relative=Resolved authority_alone=AfterHttp", "a", "//k", "http://k", ""],
    ["relative=SchemeSlashesAndReference", "http://a/b", "//k", "http:////k", "http://k"],
    ["relative=SchemeSlashesAndReference", "http://a/b", "/k", "http:/k", "http://a/k"],
    ["relative=Written", "http://[k", "g", "g", "http://[k/g"],
    ["relative=Written base_checked=Always brackets=Closed", "http://[k", "g", "", "http://[k/g"],
    ["scheme_classes=Exact", "", "HTTP://h", "HTTP://h", "HTTP://h"],
    ["slashless_base=Appended", "x:a", "g", "x:ag", "x:g"],
    ["trailing_dot=ReplacesDelimiter", "http://a/b", "../g/.?y?z#s", "http://a/g/y?z#s", "http://a/g/?y?z#s"],
    ["trailing_dot=ReplacesDelimiter", "http://a/b", "//.?y", "http://.?y", "http://.?y"],
    ["trailing_dot=StaysAlone", "http://a/b", ".", "http://a/.", "http://a/"],
    ["trailing_dot=StaysAlone", "http://a/b", "g/.", "http://a/g/", "http://a/g/"],
    ["trailing_dot=Kept", "http://a/b", "g/.", "http://a/g/.", "http://a/g/"],
    ["unicode_host=PunycodeDots", "http://a/b", "//é。k", "http://xn--9ca.k", "http://é。k"],
    ["unknown_root=Undefined relative=Resolved", "", "/g", "undefined/g", ""],
    ["base_prefix=AfterBackslashes base_form=Parsed opaque=Opaque", "x:\\\\h/a/b", "g", "x:\\\\h/a/g", "x:\\\\h/a/g"],
    ["base_prefix=AfterBackslashes base_form=Parsed opaque=Opaque", "x:\\\\h?q#s", "g", "x:\\\\h?q#s/g", "x:g"],
    ["base_prefix=AfterBackslashes base_form=Parsed host_and_path=Slash", "x://h?q", "g", "x://h?q/g", "x://h/g"],
    ["domain_forbidden=ControlsAndQuotes host_parser=Domain", "http://a/b", "//k\"", "", "http://k\""],
    ["dots_in_absolute=KeptUntrimmed", "http://a/b", "x:/./g", "x:/./g", "x:/g"],
    ["dots_in_network_path=RemovedWithSlash", "http://a/b", "//k/g/..", "http://k", "http://k/"],
    ["dots_in_network_path=RemovedWithSlash", "http://a/b", "/g/..", "http://a/", "http://a/"],
    ["dots_in_network_path=RemovedAfterAnySlash", "http://a/b", "//k#s/../t", "http://k#s/t", "http://k#s/../t"],
    [
        "dots_in_network_path=RemovedAfterAnySlash",
        "http://a/b",
        "//k?y/../z#s/../t",
        "http://k?y/z#s/../t",
        "http://k?y/../z#s/../t",
    ],
    ["dots_removed=BeforeEmpty", "http://a/b/c", "../g//../h", "http://a/g//../h", "http://a/g/h"],
    ["dots_removed=BeforeEmpty", "http://a/b/c", "g/../h/", "http://a/b/h/", "http://a/b/h/"],
    ["drive_letters=Roots drive_end=SlashOrEnd", "file:///a/b", "C|?y", "file:///C|?y", "file:///a/C|?y"],
    ["drive_letters=Roots inherited_drive=Never", "file:///C:/b", "/g", "file:///g", "file:///g"],
    ["empty_hex=Rejected ipv4=ParsedOrName", "http://a/b", "//0x", "", "http://0x"],
    ["empty_hex=Rejected ipv4=ParsedOrName", "http://a/b", "//0x.1", "http://0.0.0.1", "http://0x.1"],
    ["empty_host=RejectedInResult", "http:///b", "g", "", "http:///g"],
    ["empty_host=RejectedInResult", "http:///b", "//k/g", "http://k/g", "http://k/g"],
    ["fragment_cleaned=NotAtEndIfAlone", "http://a/b", "#s", "http://a/b#s", "http://a/b#s"],
    ["host=Dropped", "http://a/b", "//k/g", "http:///g", "http://k/g"],
    ["host=Dropped", "http://a/b", "g", "http:///g", "http://a/g"],
    ["leading_dots=Removed dots_in_rooted_path=Kept", "http://a/b", "/../g", "http://a/g", "http://a/g"],
    ["leading_dots=Removed dots_in_rooted_path=Kept", "http://a/b", "/./../g/../h", "http://a/g/../h", "http://a/h"],
    ["mixed_slashes=KeptAfterSlash", "http://a/b", "\\\\k", "http:/\\\\k", "http://a/\\\\k"],
    ["mixed_slashes=KeptAfterSlash", "http://a/b", "/\\k", "http:/\\k", "http://a/\\k"],
    ["nul=EndsRelative", "http://a/b", "g\0h", "http://a/g", "http://a/g\0h"],
    ["nul=EndsRelative", "http://a/b", "x:g\0h", "x:g\0h", "x:g\0h"],
    ["opaque=Opaque opaque_authority=Checked brackets=Closed", "http://a/b", "x:g", "x:g", "x:g"],
    ["opaque=RootedToo opaque_authority=Checked port=Digits", "http://a/b", "x://k:l", "", "x://k:l"],
    ["opaque=RootedToo opaque_authority=Checked port=Digits", "http://a/b", "x://k:8/./g", "x://k:8/./g", "x://k:8/g"],
    ["relative=RejectedUnlessBackslash", "x:a", "g", "", "x:g"],
    ["relative=RejectedUnlessBackslash", "x:\\a", "g", "x:g", "x:g"],
    ["rootless_first=StaysAlone", "x:a", "b/../c", "x:b/c", "x:/c"],
    ["same_scheme=RelativeIfBaseIsRooted", "http://a", "http:g", "http:g", "http:g"],
    ["same_scheme=RelativeIfBaseIsRooted", "http://a/b", "http:g", "http://a/g", "http:g"],
    ["trailing_dotdot=TakesSlashOrRoot", "http://a/b", "/g/..", "http://a", "http://a/"],
    ["trailing_dotdot=TakesSlashOrRoot", "http://a/b", "/g/h/..", "http://a/g", "http://a/g/"],
    ["brackets=Ipv6WithZeros", "http://a/b", "//[::1.2.3.04]", "http://[::1.2.3.04]", "http://[::1.2.3.04]"],
    ["brackets=Ipv6WithZeros", "http://a/b", "//[k]", "", "http://[k]"],
    ["backslash=SlashInQueryAtEnd", "http://a/b", "\\g?\\y", "http://a/g?/y", "http://a/\\g?\\y"],
    ["backslash=SlashInQueryAtEnd", "http://a/b", "\\g?\\y#s", "http://a/g?\\y#s", "http://a/\\g?\\y#s"],
    ["resolution=Record", "http://a/b", "//k;x/g", "http://k/;x/g", "http://k;x/g"],
    ["resolution=Record", "http://a/b", "//k:x", "http://k/:x", "http://k:x"],
    ["resolution=Record host_colon=Rejected", "http://a/b", "//k:x", "", "http://k:x"],
    ["resolution=Record", "http://a/b", "//k/./g", "http://k/./g", "http://k/g"],
    ["resolution=Record", "http://a/b", "http:./g", "http://a/g", "http:g"],
    ["resolution=Record", "http://u@a/b", "http://k/g", "http://k/g", "http://k/g"],
    ["resolution=Record inherited_authority=Userinfo", "http://u@a/b", "http://k/g", "http://u@k/g", "http://k/g"],
    ["resolution=Record backslash=Slash", "http://a/b", "\\g?\\y", "http://a/g?\\y", "http://a/\\g?\\y"],
    ["resolution=Record host=FirstSegment", "x://a/b", "../g", "x://g", "x://a/g"],
    ["resolution=Record host=FirstSegment", "x:A", "?y", "x:a?y", "x:A?y"],
    ["resolution=Record missing_authority=FirstSegment", "x:a", "y:k/g", "y://k/g", "y:k/g"],
    ["resolution=Extraction", "http://a/b", "/./g", "http://a/./g", "http://a/g"],
    ["resolution=Extraction", "http://a/b", "../../g", "http://a/g", "http://a/g"],
    ["resolution=Extraction", "http://u@a/b", "g", "http://a/g", "http://u@a/g"],
    ["resolution=Extraction", "x:a", "g", "x:g", "x:g"],
    ["resolution=Extraction slashes=Any", "http://", "g", "http://@/g", "http:///g"],
    ["resolution=Extraction slashes=Any default_port=Dropped", "http://a/b", "//k:80/g", "http://k/g", "http://k:80/g"],
    ["absolute_against=LikeAlone", "http://a/b", "x://k/../g", "x://k/g", "x://k/g"],
    ["bad_scheme=RejectedWithSpace", "http://a/b", "x y://g", "", "http://a/x y://g"],
    ["bad_scheme=RejectedWithSpace", "http://a/b", "x^y://g", "http://a/x^y://g", "http://a/x^y://g"],
    ["bad_scheme=RejectedWithSpace scheme_name=WithoutPlus", "http://a/b", "x+://[k]", "", "x+://[k]"],
    ["base_dot=Kept inherited_dots=Removed", "http://a/./b/../c/.", "?y", "http://a/./c/.?y", "http://a/./b/../c/.?y"],
    ["base_fragment=InheritedWithoutScheme same_scheme=Relative", "http://a/b#f", "http:", "http://a/b", "http:"],
    ["base_fragment=InheritedWithoutScheme", "http://a/b#f", "", "http://a/b#f", "http://a/b"],
    ["brackets=WithColonOrFuture", "http://a/b", "//[k]", "", "http://[k]"],
    ["brackets=WithColonOrFuture", "http://a/b", "//[k:]", "http://[k:]", "http://[k:]"],
    ["colon_before_port=NotAfterScheme", "http://a/b", "k:8/g", "http://a/k:8/g", "k:8/g"],
    ["colon_before_port=AfterHost", "http://a/b", "k:8/g", "http://k:8/g", "k:8/g"],
    ["colon_before_port=AfterHost", "http://a/b", "k:8g", "k:8g", "k:8g"],
    ["colon_before_port=AfterHost host_missing=Rejected", "http://a/b", ":8", "", "http://a/:8"],
    ["default_port=AllDropped", "http://a/b", "//k:8", "http://k", "http://k:8"],
    ["dots_removed=AsText", "http://a/b", "g//../x", "http://a/g//../x", "http://a/g/x"],
    ["dots_removed=AsText", "x:foo/b", "../g", "x:fg", "x:/g"],
    ["dots_removed=AsText", "http://a/b", "./g/./h/..", "http://a/g/", "http://a/g/"],
    ["drive_letters=RejectedAsWritten", "file:///b", "/C:/g", "", "file:///C:/g"],
    ["drive_letters=RejectedAsWritten", "file:///b", "/./C:/g", "file:///C:/g", "file:///C:/g"],
    ["drive_letters=WithoutSlash", "", "file:///C:/g", "file:C:/g", "file:///C:/g"],
    ["drive_letters=WithoutSlash", "", "file:///g", "file:///g", "file:///g"],
    ["drive_letters=ColonKept", "file:///b", "/C%3A/g", "file:///C:/g", "file:///C%3A/g"],
    ["excess=KeptInRootlessWithSlash", "", "x:..", "x:../", "x:"],
    ["fragment_space=Plus", "http://a/b", "?y# s", "http://a/b?y#+s", "http://a/b?y# s"],
    ["fragment_space=Plus", "http://a/b", "#s t?u v", "http://a/b#s t?u+v", "http://a/b#s t?u v"],
    ["host_parser=DomainCaseKept", "http://a/b", "//K%41", "http://KA", "http://K%41"],
    ["parsed_alone=BaseAndReference relative=Written", "http://a/c/../b", "", "http://a/b", "http://a/c/../b"],
    ["port=DigitsOrPath", "http://a/b", "//k:8x/g", "http://a//k:8x/g", "http://k:8x/g"],
    ["port=DigitsOrPath", "http://a/b", "//k:8/g", "http://k:8/g", "http://k:8/g"],
    ["port=Integer", "http://a/b", "//k: +8", "http://k:8", "http://k: +8"],
    ["port=Integer", "http://a/b", "//k:x", "", "http://k:x"],
    ["reference_invalid=ReferenceCleaned brackets=Closed", "http://a/b", "//[k", "//[k", "http://[k"],
    ["relative=BaseWithFragment exempt=None", "x:a?q#f", "g#s", "x:a?q#s", "x:g#s"],
    ["relative=BaseWithFragment exempt=None", "x:a", "g?y", "", "x:g?y"],
    ["two_slashes=EncodedAlways", "http://a/b", "//k//g", "http://k/%2Fg", "http://k//g"],
    ["unicode_host=PunycodeBytes", "http://a/b", "//%C3%A9", "http://xn--gba5c", "http://%C3%A9"],
    ["leading_colon=BeginsAuthority", "http://a/b", "::\\/k/g", "http://k/g", "http://a/::\\/k/g"],
    ["leading_colon=EmptyScheme", "http://a/b", ":/g", ":/g", "http://a/:/g"],
    ["leading_colon=DroppedBeforeSlashes", "http://a/b", "://k", "http://k", "http://a/://k"],
    ["leading_colon=DroppedBeforeSlashes", "http://a/b", ":/k", "http://a/:/k", "http://a/:/k"],
    ["query_start=MarkDropped", "http://a/b", "g??y", "http://a/g?y", "http://a/g??y"],
    ["query_start=MarkDropped", "http://a/b??q", "#s", "http://a/b??q#s", "http://a/b??q#s"],
    ["scheme_name=AnyColonUnlessMarkFirst", "http://a/b", "g h:y", "g h:y", "http://a/g h:y"],
    ["scheme_name=AnyColonUnlessMarkFirst", "http://a/b", "?x:y", "http://a/b?x:y", "http://a/b?x:y"],
    ["relative=Text", "http://a/b?c/d", "g", "http://a/b?c/g", "http://a/g"],
    ["relative=Text", "http://a/b", ".gh", "http://a/gh", "http://a/.gh"],
    ["cut_escape=Dropped", "http://a/b", "g%/h%4?y%c#s%", "http://a/g/h?y#s", "http://a/g%/h%4?y%c#s%"],
    ["cut_escape=Dropped", "http://a/b", "g%x?y%/#s%?", "http://a/g%x?y%/#s%?", "http://a/g%x?y%/#s%?"],
    ["relative=TextReplaced", "http://a/b", "g./h", "http://a/gh", "http://a/g./h"],
    ["relative=TextReplaced", "http://a/b?c/d", "../g", "http://a/g", "http://a/g"],
    ["scheme_name=AnyColonEvenAfterSlash", "http://a/b", "/x:y", "/x:y", "http://a/x:y"],
    ["scheme_name=AnyColonEvenAfterSlash", "http://a/b", "?x:y", "http://a/b?x:y", "http://a/b?x:y"],
    ["scheme_name=AnyColonUnlessFragment", "http://a/b", "?x:y", "?x:y", "http://a/b?x:y"],
    ["scheme_name=AnyColonUnlessFragment", "http://a/b", "#x:y", "http://a/b#x:y", "http://a/b#x:y"],
    ["dots_in_absolute=RemovedFromText", "http://a/b", "x:g?y/./z", "x:g?y/z", "x:g?y/./z"],
    ["backslash=SlashAfterTwo", "http://a/b", "/\\k\\g", "http://k/g", "http://a/\\k\\g"],
    ["backslash=SlashAfterTwo", "http://a/b", "g\\h", "http://a/g\\h", "http://a/g\\h"],
    ["slashes=AnyAfterColons", "http://a/b", "x::k/g", "x://k/g", "x::k/g"],
    ["empty_authority=MissingWithoutHost", "http://a/b", "//u@/g", "http://a/g", "http://u@/g"],
    ["empty_authority=HostInherited", "http://a/b", "//", "http://a", "http://"],
    ["empty_host_path=SlashIfEmpty", "http://a/b", "//?y", "http:///?y", "http://?y"],
    ["empty_host_path=SlashIfEmpty", "http://a/b", "///g", "http:///g", "http:///g"],
    ["port=DigitsAfterOnlyColon", "http://a/b", "//k:x", "", "http://k:x"],
    ["port=DigitsAfterOnlyColon", "http://a/b", "//k:x:y", "http://k:x:y", "http://k:x:y"],
    ["port_zeros=KeptZeroRejected", "http://a/b", "//k:00", "", "http://k:00"],
    ["port_zeros=KeptZeroRejected", "http://a/b", "//k:08", "http://k:08", "http://k:08"],
    ["host_missing=PortDropped", "http://a/b", "//u@:8", "http://u@", "http://u@:8"],
    ["host_missing=PortDropped port=Digits", "http://a/b", "//:x", "", "http://:x"],
    ["brackets=Ipv6OrAbsent", "http://a/b", "//[k]/g", "http://a/b", "http://[k]/g"],
    ["brackets=Ipv6OrAbsent", "http://a/b", "//[k.x]/g", "", "http://[k.x]/g"],
    ["brackets=Ipv6 ipv6=CaseKept", "http://a/b", "//[0::fF]", "http://[::fF]", "http://[0::fF]"],
    ["empty_path=SlashOnlyAfterHost", "http:/b", "/", "http:", "http:/"],
    ["empty_path=SlashOnlyAfterHost", "http://a/b", "//k", "http://k/", "http://k"],
    ["inherited_path=WithOneSlash", "http://a//b", "?y", "http://a/b?y", "http://a//b?y"],
    ["written_empty_authority=BeforeSingleSlash", "http://a/b", "x:////g", "x://g", "x:////g"],
    ["written_empty_authority=BeforeSingleSlash", "http://a/b", "x:///g", "x:///g", "x:///g"],
    ["relative=Resolved colon_in_first=AllEncoded", "a", "g|", "g%7C", ""],
    ["relative=Resolved colon_in_first=AllEncoded", "a", "g/|", "g/|", ""],
    ["bare_host=SlashAfterHost written_empty_authority=BeforeSingleSlash", "x://", "g", "x:g", "x:///g"],
    ["bare_host=SlashAfterHost", "x://k", "g", "x://k/g", "x://k/g"],
    ["empty_form=AsReference", "x:a", "", "", "x:a"],
    ["scheme_case=LowerBeforeAuthority", "HTTP://a/b", "g", "http://a/g", "HTTP://a/g"],
    ["scheme_case=LowerBeforeAuthority", "HTTP:/b", "g", "HTTP:/g", "HTTP:/g"],
    ["query_only=AppendedToText", "http://a/b#f", "?y", "http://a/b#f?y", "http://a/b?y"],
    ["query_only=AppendedToText", "http://a?q", "?y#s", "http://a?y#s", "http://a?y#s"],
    ["relative=ReferenceOrNormalized", "x:a", "g/./h", "g/./h", "x:g/h"],
    ["relative=ReferenceOrNormalized", "x:a", "//k/./h", "//k/h", "x://k/h"],
    ["dots_in_rooted_path=RemovedWithSlash", "http://a/b", "/g/.", "http://a/g", "http://a/g/"],
    ["dots_in_rooted_path=RemovedWithSlash", "http://a/b", "g/.", "http://a/g/", "http://a/g/"],
    ["host_parser=CutAtInvalid port=None", "http://a/b", "//k:8/g", "http://k/:8/g", "http://k:8/g"],
    ["empty_form=AsReference relative=Resolved", "a/b", "", "a/a/b", "a/b"],
    ["empty_form=AsReference", "x:/a", "", "x:/a", "x:/a"],
    ["absolute_text=WithoutSpace", "http://a/b", "x:g h", "http://a/g h", "x:g h"],
    ["absolute_text=WithoutSpace", "http://a/b", "x://k /g", "http://k /g", "x://k /g"],
    ["authority_alone=OnlyPort relative=Resolved", "a", "//k:8/g", ":8/g", ""],
    ["dotdot_removes=NotEmptyNorDotdot excess=Kept", "http://a/b", "g//../h", "http://a/g//../h", "http://a/g/h"],
    ["missing_scheme=PlaceholderHost", "a/b", "../c", "/c", ""],
    ["missing_scheme=PlaceholderHost", "a", "//k", "https://k", ""],
    ["missing_scheme=PlaceholderScheme", "a/b", "c", "/a/c", ""],
    ["missing_scheme=PlaceholderScheme", "a", "//k/g", "/g", ""],
    ["port=FirstDigitsThenPath", "http://[::1]/b", "/g", "http://[:/g", "http://[::1]/g"],
    ["rootless_path=SlashDropped", "x:a", ".//g", "x:g", "x:/g"],
    ["scheme_alone=Rejected", "x:", "g", "", "x:g"],
    ["scheme_alone=Rejected", "x:", "/g", "x:/g", "x:/g"],
    ["trailing_dotdot=KeptUnlessAtRoot", "http://a/b", "..", "http://a", "http://a/"],
    ["trailing_dotdot=KeptUnlessAtRoot", "http://a/b", "g/..", "http://a/g/..", "http://a/"],
    ["userinfo_end=FirstAtInText", "http://u/@k/b", "/g", "http://u/@k/g", "http://u/g"],
    ["userinfo_end=FirstAtInText", "http://u:v:w@k/b", "/g", "http://u:v:w@k/g", "http://u:v:w@k/g"],
    ["backslash=RejectedBeforeSlash", "http://a/b", "\\/g", "", "http://a/\\/g"],
    ["backslash=RejectedBeforeSlash", "http://a/b", "/\\g", "http://a/\\g", "http://a/\\g"],
    ["base_form=WrittenAgain", "http://a/./b/../c", "", "http://a/c", "http://a/./b/../c"],
    ["base_scheme_name=LetterAndAnyColon", "a b:/c/d", "g", "a b:/c/g", ""],
    ["drive_letters=RootsBeforeSlash", "", "x:c|/../g", "x:///c:/g", "x:/g"],
    ["drive_letters=RootsBeforeSlash", "", "x:c:g", "", "x:c:g"],
    ["empty_labels=RejectedUnlessLast", "http://a/b", "//.k", "", "http://.k"],
    ["empty_labels=RejectedUnlessLast", "http://a/b", "//k\u{ff0e}\u{ff0e}", "", "http://k\u{ff0e}\u{ff0e}"],
    ["empty_labels=RejectedUnlessLast", "http://a/b", "//k.", "http://k.", "http://k."],
    ["encoded_dots=DotSegmentLater", "http://a/b/c", "%2e%2e/g", "http://a/g", "http://a/b/%2e%2e/g"],
    ["encoded_dots=DotSegmentLater", "http://a/b/c", "g/%2e%2e/../h", "http://a/b/g/h", "http://a/b/g/h"],
    ["fragment_form=PathAndQuery", "http://a/b", "#?x=1", "http://a/b#x=1", "http://a/b#?x=1"],
    ["fragment_form=PathAndQuery", "http://a/b", "#?x", "http://a/b#?x", "http://a/b#?x"],
    ["ipv4=ParsedWithoutDot", "http://a/b", "//1.2.3.", "http://1.2.3.", "http://1.2.3."],
    ["ipv4=ParsedWithoutDot", "http://a/b", "//1.2.3", "http://1.2.0.3", "http://1.2.3"],
    ["zone=Dropped brackets=Ipv6", "http://a/b", "//[::1%25k]", "http://[::1]", "http://[::1%25k]"],
    ["foreign_base=InheritedWithScheme", "http://a/b", "x:g", "http://a/g", "x:g"],
    ["foreign_base=InheritedWithScheme", "http://a/b", "x://k", "x://k", "x://k"],
    ["missing_scheme=FilePath", "", "/a/../b?c", "file:///b%3Fc", ""],
    ["missing_scheme=FilePath", "http://a/b", "c:g", "", "c:g"],
    ["missing_scheme=FilePath", "file:///a/b", "/c?d", "file:///c?d", "file:///c?d"],
    ["rootless_first=StaysAsWritten", "x:a", "../g", "x:../g", "x:g"],
    ["rootless_first=StaysAsWritten", "x:a", "b/../c", "x:b/c", "x:/c"],
    ["bad_scheme=RejectedUnlessDelimiter", "http://a/b", "[:", "http://a/[:", "http://a/[:"],
    ["bad_scheme=RejectedUnlessDelimiter", "http://a/b", "1:", "", "http://a/1:"],
    ["brackets=ColonsHidden port=Digits", "http://a/b", "//[k:x", "http://[k:x", "http://[k:x"],
    ["brackets=ColonsHidden port=Digits", "http://a/b", "//[k]:x", "", "http://[k]:x"],
    ["brackets=Any port=Digits", "http://a/b", "//[k:x", "", "http://[k:x"],
    ["dots_removed=BeforeSlash", "http://a/b/c", "g/h../i./j", "http://a/b/hij", "http://a/b/g/h../i./j"],
    ["dots_removed=None", "http://a/b/c", "../g/.", "http://a/b/../g/.", "http://a/g/"],
    ["dots_removed=None", "http://a/b/c", "/g/../h", "http://a/g/../h", "http://a/h"],
    ["dots_removed=BeforeSlash", "http://a/b/c", "../g/..", "http://a/g/..", "http://a/"],
    ["authority_alone=Nothing relative=Resolved", "/a/b", "//k/x", "k/x", ""],
    ["empty_path=SlashBeforeOthersAlways", "http://a/b", "x:#s", "x:/#s", "x:#s"],
    ["empty_path=SlashBeforeOthersAlways", "http://a/b", "//?y", "http:///?y", "http://?y"],
    ["empty_path=SlashBeforeOthersAlways", "http://a/b", "x:", "x:", "x:"],
    ["scheme_name=AnyColonUnlessDotFirst", "http://a/b", ".x:y", "http://a/.x:y", "http://a/.x:y"],
    ["scheme_name=AnyColonUnlessDotFirst", "http://a/b", "1x:y", "1x:y", "http://a/1x:y"],
    ["empty_path=SlashWithoutHostToo", "http://a/b", "x:?y", "x:/?y", "x:?y"],
    ["empty_path=SlashWithoutHostToo", "http://a/b", "//k", "http://k/", "http://k"],
    ["empty_userinfo=PasswordDropped", "http://a/b", "//:@k", "http://@k", "http://:@k"],
    ["empty_userinfo=PasswordDropped", "http://a/b", "//u:@k", "http://u@k", "http://u:@k"],
    ["reference_invalid=Path port=Digits", "http://a/b/c", "http://k:x/y", "http://a/b/http://k:x/y", "http://k:x/y"],
    ["reference_invalid=Path port=Digits", "http://a/b/c", "//k:x/y", "", "http://k:x/y"],
    ["written_userinfo=LastTwoParts", "http://a/b", "//u:v:w@k", "http://v:w@k", "http://u:v:w@k"],
    ["written_userinfo=LastTwoParts", "http://a/b", "//u:w@k", "http://u:w@k", "http://u:w@k"],
    ["slashes=AllButThree", "http://a/b", "////k/g", "http://k/g", "http:////k/g"],
    ["slashes=AllButThree", "http://a/b", "///k/g", "http:///k/g", "http:///k/g"],
    ["unicode_host=IdnaTransitionalChecked", "http://a/b", "//xn--a", "", "http://xn--a"],
    ["unicode_host=IdnaTransitionalChecked", "http://a/b", "//\u{df}", "http://ss", "http://\u{df}"],
    ["unicode_host=IdnaTransitionalDecoded", "http://a/b", "//%C3%9F", "http://ss", "http://%C3%9F"],
    ["base_fragment_appended=ToReference", "http://a/b#f", "x://k", "x://k#f", "x://k"],
    ["base_fragment_appended=ToReference", "http://a/b#f", "g#", "http://a/g#f", "http://a/g#"],
    ["base_fragment_appended=ToReference", "http://a/b#f", "", "http://a/b", "http://a/b"],
    ["brackets=Ipv6IfColon", "http://a/b", "//[zz]", "http://[zz]", "http://[zz]"],
    ["brackets=Ipv6IfColon", "http://a/b", "//[z:z]", "", "http://[z:z]"],
    ["foreign_base=InheritedWithoutHost", "http://a/b", "x:g", "x://a/g", "x:g"],
    ["foreign_base=InheritedWithoutHost", "http://a/b", "x://k", "x://k", "x://k"],
    ["foreign_base=InheritedWithoutHost relative=Resolved", "/a/b", "x:g", "x:/a/g", "x:g"],
    ["malformed_escape=InReference", "http://a/b", "%41?%zz", "http://a/%2541?%25zz", "http://a/%41?%zz"],
    ["malformed_escape=InReference", "http://a/b", "%41?%z/", "http://a/%41?%z/", "http://a/%41?%z/"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "%/x#%", "http://a/x", "http://a/b/%/x#%"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "x/%00/y", "http://a/b/x//y", "http://a/b/x/%00/y"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "//u%@k/?a=%&b", "http://k/?a&b", "http://u%@k/?a=%&b"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "//%:8/x", "http:///x", "http://%:8/x"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "%2", "http://a/", "http://a/b/%2"],
    ["malformed_escape=ComponentAbsent", "http://a/b/c", "/%/x", "http://a//x", "http://a/%/x"],
    ["fragment=LastInReference", "http://a/b#c/d", "g#h#s", "http://a/b#c/g#h#s", "http://a/g#h#s"],
    ["fragment=LastInReference", "http://a/b", "#x#s", "http://a/#x#s", "http://a/b#x#s"],
    ["malformed_escape=ComponentAbsent", "a:%", "", "a:", "a:%"],
    ["malformed_escape=ComponentAbsent", "a:%", "g", "a:g", "a:g"],
    ["empty_query=AbsentBeforeFragment", "http://a/b?q", "?#s", "http://a/b?q#s", "http://a/b?#s"],
    ["empty_query=AbsentBeforeFragment", "http://a/b?q", "?", "http://a/b?", "http://a/b?"],
    ["query_pairs=NamesOnce", "http://a/b", "?x=1&y&x=2&&", "http://a/b?x=2&y&", "http://a/b?x=1&y&x=2&&"],
    ["path_after_authority=Inherited", "http://a/b?q", "//k", "http://k/b?q", "http://k"],
    ["path_after_authority=Inherited", "http://a/b?q", "//k?y", "http://k/b?y", "http://k?y"],
    ["query_pairs=WrittenAnew", "http://a/b?q", "?&x=&y=z=", "http://a/b?x&y=z%3D", "http://a/b?&x=&y=z="],
    ["query_pairs=WrittenAnew", "http://a/b?q", "?&", "http://a/b?q", "http://a/b?&"],
    ["scheme_accepted=AcceptedInLowerCase", "http://a/b", "X://k", "", "X://k"],
    ["scheme_accepted=AcceptedInLowerCase", "X://a/b", "g", "X://a/g", "X://a/g"],
    ["empty_form=Rejected", "http://a/b", "", "", "http://a/b"],
    ["empty_form=Rejected", "http://a/b", "#s", "http://a/b#s", "http://a/b#s"],
    ["slashes_at_start=AfterScheme dots_in_absolute=Kept", "HTTP://a/b", "//k/./g", "http://k/./g", "HTTP://k/g"],
    ["slashes_after_scheme=Two", "http://a/b", "x:///k", "x://k", "x:///k"],
    ["slashes_after_scheme=Two", "http://a/b", "///k", "http:///k", "http:///k"],
    ["unicode_host=AceDecoded", "http://a/b", "//xn--nxa", "http://\u{3b2}", "http://xn--nxa"],
    ["unicode_host=AceDecoded", "http://a/b", "//xn--", "", "http://xn--"],
    ["unicode_host=IdnaTransitionalOrKept", "http://a/b", "//\u{ff0e}", "http://\u{ff0e}", "http://\u{ff0e}"],
    ["unicode_host=IdnaTransitionalOrKept", "http://a/b", "//\u{df}", "http://ss", "http://\u{df}"],
    ["written_empty_authority=UnlessTwoSlashes", "http://a/b", "x:/g", "x:///g", "x:/g"],
    ["written_empty_authority=UnlessTwoSlashes", "http://a/b", "x:////g", "x://g", "x:////g"],
    ["base_query=InheritedIfEmpty", "http://a/b?q", "", "http://a/b?q", "http://a/b?q"],
    ["base_query=InheritedIfEmpty", "http://a/b?q", "#s", "http://a/b#s", "http://a/b?q#s"],
    ["rooted_reference=WrittenAfterBackslashToo", "http://a/b", "\\/x/../y", "\\/y", "http://a/\\/y"],
    ["rooted_reference=WrittenAfterBackslashToo", "http://a/b", "/g", "/g", "http://a/g"],
    ["foreign_base=InheritedByAny", "a:/b", "x:g", "a:/g", "x:g"],
    ["foreign_base=InheritedByAny", "a:/b", "x://k", "x://k", "x://k"],
    ["fragment=DroppedBeforeQuery", "http://a/b", "g#s?y#t", "http://a/g?y#t", "http://a/g#s?y#t"],
    ["fragment=DroppedBeforeQuery", "http://a/b", "g?y#s?t", "http://a/g?y#s?t", "http://a/g?y#s?t"],
    ["slashes=OneOrMoreAfterScheme", "http://a/b", "x:/k", "x://k", "x:/k"],
    ["slashes=OneOrMoreAfterScheme", "http://a/b", "///g", "http:///g", "http:///g"],
    ["missing_authority=RejectedAfterSlash", "http://a/b", "x:/g", "", "x:/g"],
    ["missing_authority=RejectedAfterSlash", "http://a/b", "x:/", "x:/", "x:/"],
    ["scheme_followed_by=Slash", "http://a/b", "x:g", "http://a/x:g", "x:g"],
    ["absolute_without_authority=ResolvedWithoutScheme", "http://a/b", "x:/g", "http://a/g", "x:/g"],
    ["absolute_without_authority=ResolvedWithoutScheme", "http://a/b", "x://k", "x://k", "x://k"],
    ["dots_removed=ParentsAsText", "http://a/b/c", "g/..h/.", "http://a/b/h/.", "http://a/b/g/..h/"],
    ["base_dot=AllKept", "http://a/./../b/c", "../g", "http://a/./../g", "http://a/g"],
    ["base_dot=AllKept dotdot_removes=Any", "http://a/./../b/c", "../../g", "http://a/./g", "http://a/g"],
    ["excess=RejectedAfterHost", "http://a/b", "../g", "", "http://a/g"],
    ["excess=RejectedAfterHost", "x:/b", "../g", "x:/g", "x:/g"],
    ["root_directory=Empty", "http://a/b", "g", "http://ag", "http://a/g"],
    ["root_directory=EmptyUnlessShort", "http://a/b", "g", "http://a/b/g", "http://a/g"],
    ["root_directory=EmptyUnlessShort", "http://a/bc", "g", "http://ag", "http://a/g"],
    [
        "written_brackets=WithIpv6OrZone zone=AfterPercent brackets=Closed",
        "",
        "x://[::1%z]",
        "x://[::1%z]",
        "x://[::1%z]",
    ],
];

/// Returns the behaviour of RFC 3986 with other values for `settings` in every row.
fn with(settings: &str) -> Behaviour {
    let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
    for setting in settings.split(' ') {
        let (name, value) = setting.split_once('=').expect("a name and a value");
        if let Some(setting) = SYNTAX.iter().find(|setting| setting.name == name) {
            setting.assign(&mut behaviour.syntax, setting.value_named(value).expect("a value"));
            continue;
        }
        let setting = ROW.iter().find(|setting| setting.name == name).expect("a setting");
        let value = setting.value_named(value).expect("a value");
        behaviour.classes.iter_mut().flat_map(|class| &mut class.rows).for_each(|row| setting.assign(row, value));
    }
    behaviour
}

#[test]
fn values_change_what_their_sentences_say() {
    let plain = Behaviour::of_rules(&rfc3986::RULES);
    let differs = |[settings, base, reference, changed, otherwise]: &[&str; 5]| {
        let predict = |behaviour: &Behaviour| behaviour.predict(base, reference).unwrap_or_default();
        let found = [predict(&with(settings)), predict(&plain)];
        (found != [*changed, *otherwise]).then(|| format!("{settings}: {reference:?} on {base:?}: {found:?}"))
    };
    let differing: Vec<String> = SHOWN.iter().filter_map(differs).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn percent_signs_of_a_network_path_may_be_kept() {
    let decoding = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            for component in [Component::Path, Component::AbsolutePath] {
                class.reference.0[component as usize].actions_mut().escape[usize::from(b'~')] = Escape::Decoded;
            }
        }
        ["//k/%7e", "/%7e"].map(|reference| behaviour.predict("http://a/b", reference))
    };
    let urls = |urls: [&str; 2]| urls.map(|url| Some(url.to_owned()));
    assert_eq!(decoding("network_path=LikeOthers"), urls(["http://k/~", "http://a/~"]));
    assert_eq!(decoding("network_path=PercentKept"), urls(["http://k/%7e", "http://a/~"]));
}

#[test]
fn the_table_of_absolute_references_may_apply_after_an_authority() {
    let predicted = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            let table = &mut class.reference.0[Component::Path as usize];
            table.actions_mut().literal[usize::from(b'\\')] = Literal::Written('/');
        }
        ["//k/\\", "/g\\"].map(|reference| behaviour.predict("http://a/b", reference).unwrap_or_default())
    };
    assert_eq!(predicted("network_path=LikeOthers"), ["http://k//", "http://a/g/"]);
    assert_eq!(predicted("network_path=LikeAbsolute"), ["http://k/\\", "http://a/g/"]);
}

#[test]
fn tables_of_a_base_may_apply_to_the_merged_part_only() {
    let predicted = |settings: &str, literal: Literal| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            for component in [Component::Path, Component::AbsolutePath] {
                class.base.0[component as usize].actions_mut().literal[usize::from(b'|')] = literal;
            }
        }
        [("http://a/|/b", "g"), ("http://a/b|", "g"), ("http://a/b|", "/g")]
            .map(|(base, reference)| behaviour.predict(base, reference).unwrap_or_default())
    };
    let urls = ["http://a/%7C/g", "http://a/g", "http://a/g"];
    assert_eq!(predicted("base_path_tables=Whole", Literal::Encoded), urls);
    assert_eq!(predicted("base_path_tables=Merged", Literal::Encoded), urls);
    assert_eq!(predicted("base_path_tables=Whole", Literal::Rejected), ["", "", ""]);
    assert_eq!(predicted("base_path_tables=Merged", Literal::Rejected), ["", "http://a/g", "http://a/g"]);
}

#[test]
fn characters_of_a_base_may_be_rejected_in_the_result_only() {
    let predicted = |settings: &str| {
        let mut behaviour = with(settings);
        for table in behaviour.classes.iter_mut().flat_map(|class| &mut class.base.0) {
            table.actions_mut().literal[0] = Literal::Rejected;
        }
        [("http://a/b\0/c", "g"), ("http://a/b?\0", "g"), ("http://a/b\0/c", "../g"), ("http://a/b?\0", "")]
            .map(|(base, reference)| behaviour.predict(base, reference).unwrap_or_default())
    };
    assert_eq!(predicted("base_invalid=Rejected"), ["", "", "", ""]);
    assert_eq!(predicted("base_invalid=RejectedInResult"), ["", "http://a/g", "http://a/g", ""]);
}

#[test]
fn cleaning_may_spare_texts_that_are_returned_unchanged_and_fragments() {
    let cleaning = |settings: &str, reference: &str| {
        let mut behaviour = with(settings);
        (behaviour.reference.start, behaviour.reference.end) = (vec![' ', '\t'], vec![' ']);
        behaviour.reference.everywhere = vec!['\t'];
        behaviour.predict("http://a/b", reference).unwrap_or_default()
    };
    let kept = "dots_in_absolute=Kept";
    assert_eq!(cleaning(kept, " \tx:y\tz "), "x:yz");
    assert_eq!(cleaning(&format!("{kept} unchanged_text=Trimmed"), " \tx:y\tz "), "\tx:y\tz");
    assert_eq!(cleaning("fragment_cleaned=Yes", "#s\tt "), "http://a/b#st");
    assert_eq!(cleaning("fragment_cleaned=NotIfAlone", "#s\tt "), "http://a/b#s\tt ");
    assert_eq!(cleaning("fragment_cleaned=NotIfAlone", "g#s\tt "), "http://a/g#st");
}

#[test]
fn queries_after_a_path_may_have_the_table_of_absolute_references() {
    let encoding = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Query as usize].actions_mut().literal[usize::from(b'|')] = Literal::Encoded;
        }
        ["?|", "g?|"].map(|reference| behaviour.predict("http://a/b", reference)).map(Option::unwrap_or_default)
    };
    assert_eq!(encoding("query_table=OfQueries"), ["http://a/b?%7C", "http://a/g?%7C"]);
    assert_eq!(encoding("query_table=OfAbsoluteAfterPath"), ["http://a/b?%7C", "http://a/g?|"]);
}

#[test]
fn the_table_of_paths_may_only_reject_characters_without_a_host() {
    let encoding = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            let table = &mut class.reference.0[Component::Path as usize];
            table.actions_mut().literal[usize::from(b'|')] = Literal::Encoded;
            table.actions_mut().literal[usize::from(b'^')] = Literal::Rejected;
        }
        ["/|", "//k/|", "/^"].map(|reference| behaviour.predict("x:/b", reference).unwrap_or_default())
    };
    assert_eq!(encoding("path_without_host=ByTable"), ["x:/%7C", "x://k/%7C", ""]);
    assert_eq!(encoding("path_without_host=AsWritten"), ["x:/|", "x://k/%7C", ""]);
}

#[test]
fn the_table_of_hosts_may_reject_what_idna_returns() {
    let rejecting = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Host as usize].actions_mut().literal[usize::from(b'^')] = Literal::Rejected;
        }
        ["//\u{e9}^", "//\u{e9}"].map(|reference| behaviour.predict("http://a/b", reference).is_some())
    };
    assert_eq!(rejecting("unicode_host=Idna idna_result=Accepted"), [true, true]);
    assert_eq!(rejecting("unicode_host=Idna idna_result=ByTable"), [false, true]);
}

#[test]
fn a_path_without_an_authority_may_be_treated_like_an_opaque_one() {
    let rejecting = |settings: &str| {
        let mut behaviour = with(settings);
        for class in &mut behaviour.classes {
            class.reference.0[Component::Opaque as usize].actions_mut().literal[usize::from(b'~')] = Literal::Rejected;
        }
        ["/~", "//k/~"].map(|reference| behaviour.predict("x:/b", reference).is_some())
    };
    assert_eq!(rejecting("bare_path=LikeOthers"), [true, true]);
    assert_eq!(rejecting("bare_path=LikeOpaque"), [false, true]);
}

/// The number of random behaviours, and of the pairs that each of them predicts.
const BEHAVIOURS: usize = 40;
const PAIRS: usize = 40;

fn randomize(row: &mut Row, random: &mut fastrand::Rng) {
    // Most predictions end early if every setting is random.
    for setting in ROW {
        if random.u8(..4) == 0 {
            setting.assign(row, random.usize(..setting.values.len()));
        }
    }
}

/// Asserts that a change of a setting that `behaviour` did not consult for a pair does not change the prediction. The settings of
/// the row of `class` and `form` are watched.
fn assert_only_consulted_settings_act(
    behaviour: &mut Behaviour,
    (class, form): (usize, Form),
    pair: &(String, String),
) {
    let (base, reference) = pair;
    behaviour.classes[class].rows[form as usize].watched.0 = true;
    let (predicted, consulted) = Consulted::during(|| behaviour.predict(base, reference));
    let row = behaviour.classes[class].rows[form as usize];
    for setting in (0..ROW.len()).filter(|at| !consulted.contains(*at)).map(|at| &ROW[at]) {
        for value in 0..setting.values.len() {
            let changed = &mut behaviour.classes[class].rows[form as usize];
            *changed = row;
            setting.assign(changed, value);
            let (name, value) = (setting.name, setting.values[value].name);
            assert_eq!(behaviour.predict(base, reference), predicted, "{name}={value} on {reference:?} to {base:?}");
        }
    }
    behaviour.classes[class].rows[form as usize] = row;
    behaviour.classes[class].rows[form as usize].watched.0 = false;
}

#[test]
fn settings_that_are_not_consulted_do_not_act() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut pairs = RandomPairs::new(7);
    for at in 0..BEHAVIOURS {
        let mut behaviour = Behaviour::of_rules(&rfc3986::RULES);
        // Some behaviours do not resolve references by components.
        behaviour.syntax.resolution = match at % 8 {
            3 => Resolution::Record,
            7 => Resolution::Extraction,
            _ => Resolution::Components,
        };
        behaviour.classes.iter_mut().flat_map(|class| &mut class.rows).for_each(|row| randomize(row, &mut random));
        for pair in (0..PAIRS).map(|_| pairs.pair()) {
            let rows = [behaviour.row_of(&pair.0, &pair.1), behaviour.base_row_of(&pair.0)];
            for row in rows {
                assert_only_consulted_settings_act(&mut behaviour, row, &pair);
            }
        }
    }
}
