//! What engines do with each character in a host: every code point, every percent-encoded octet, and every pair of US-ASCII characters, at the
//! start, in the middle and at the end of a host.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::engine::recording::digest;
use crate::engine::{Engine, ask_all_parts};
use crate::outcome::{Components, Outcome};

/// What is inserted into a host.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inserted {
    /// Every code point that a text can contain: all but surrogates.
    CodePoint,
    /// Every octet, percent-encoded with capital letters.
    Octet,
    /// Every pair of US-ASCII characters.
    Pair,
}

/// The number of surrogates, which no text contains, and the first of them.
const SURROGATES: (u32, u32) = (0x800, 0xD800);

/// The number of US-ASCII characters.
const ASCII: u32 = 0x80;

impl Inserted {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CodePoint, Self::Octet, Self::Pair];

    /// Returns how many texts there are.
    pub const fn count(self) -> u32 {
        match self {
            Self::CodePoint => 0x11_0000 - SURROGATES.0,
            Self::Octet => 0x100,
            Self::Pair => ASCII * ASCII,
        }
    }

    /// Returns text `number`, which is below [`Self::count`].
    pub fn text(self, number: u32) -> String {
        let character = |number| char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
        match self {
            Self::CodePoint if number < SURROGATES.1 => character(number).into(),
            Self::CodePoint => character(number + SURROGATES.0).into(),
            Self::Octet => format!("%{number:02X}"),
            Self::Pair => String::from_iter([character(number / ASCII), character(number % ASCII)]),
        }
    }

    /// Returns what a text is, and its number: an octet such as `%2F`, or else its first character.
    fn of(text: &str) -> (Self, u32) {
        let mut octets = 0..Self::Octet.count();
        let octet = octets.find(|&number| Self::Octet.text(number).eq_ignore_ascii_case(text));
        let point = text.chars().next().map_or(0, u32::from);
        let point = if point < SURROGATES.1 { point } else { point - SURROGATES.0 };
        octet.map_or((Self::CodePoint, point), |number| (Self::Octet, number))
    }

    /// Returns its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::CodePoint => "code-point",
            Self::Octet => "octet",
            Self::Pair => "pair",
        }
    }

    /// Returns what the texts are, in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::CodePoint => "Every code point",
            Self::Octet => "Every percent-encoded octet",
            Self::Pair => "Every pair of US-ASCII characters",
        }
    }

    /// Returns how text `number` is named in lists: `[`, `U+3002`, `%2F`, `\\@`, `U+0009 U+0040`.
    pub fn name(self, number: u32) -> String {
        let text = self.text(number);
        if text.chars().all(|character| character.is_ascii_graphic()) {
            return text;
        }
        let points: Vec<_> = text.chars().map(|character| format!("U+{:04X}", u32::from(character))).collect();
        points.join(" ")
    }
}

/// Where in a host the text is inserted.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Before its first character.
    Start,
    /// Between two letters of its first label.
    Middle,
    /// After its last character.
    End,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Start, Self::Middle, Self::End];

    /// Returns the host before and after the text.
    const fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Start => ("", "ab.example"),
            Self::Middle => ("a", "b.example"),
            Self::End => ("ab.example", ""),
        }
    }

    /// Returns the URL with `text` at this place: `http://aTEXTb.example/`.
    pub fn url(self, text: &str) -> String {
        let (before, after) = self.around();
        format!("http://{before}{text}{after}/")
    }

    /// Returns its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }

    /// Returns where it is, in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "at the start",
            Self::Middle => "in the middle",
            Self::End => "at the end",
        }
    }
}

/// What an engine does with a text in a host.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It rejects the URL.
    Rejected,
    /// It states that the URL has no host.
    NoHost,
    /// The host is what precedes the text.
    Ends,
    /// The host is what follows the text.
    Begins,
    /// The host is what surrounds the text.
    Dropped,
    /// The host has other characters instead of the text: lower case, UTS #46, a decoded escape.
    Replaced,
    /// A label of the host is in Punycode.
    Punycode,
    /// The text is percent-encoded in the host.
    Encoded,
    /// The text is in the host.
    Kept,
    /// The host is another one.
    Other,
    /// It did not answer: it crashed, took too long, or cannot be called with the text.
    Unanswered,
}

impl Fate {
    /// Returns what happens to the text, as a predicate.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::NoHost => "no host",
            Self::Ends => "ends the host",
            Self::Begins => "begins the host",
            Self::Dropped => "not in the host",
            Self::Replaced => "replaced",
            Self::Punycode => "in Punycode",
            Self::Encoded => "percent-encoded",
            Self::Kept => "kept",
            Self::Other => "another host",
            Self::Unanswered => "no answer",
        }
    }

    /// Returns what happened to `text` at `place`, if this is what an engine states about [`Place::url`].
    pub fn of(stated: &Components, place: Place, text: &str) -> Self {
        let parts = match stated {
            Ok(parts) => parts,
            Err(Outcome::Failure(_)) => return Self::Rejected,
            Err(_) => return Self::Unanswered,
        };
        let (before, after) = place.around();
        let host = match host(parts) {
            None | Some("") => return Self::NoHost,
            Some(host) => host,
        };
        let within = host.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        match within {
            Some("") => Self::Dropped,
            Some(within) if within == text => Self::Kept,
            _ if host == before => Self::Ends,
            _ if host == after => Self::Begins,
            _ if host.split('.').any(|label| label.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("xn--"))) => {
                Self::Punycode
            }
            Some(within) if within.eq_ignore_ascii_case(&encoded(text)) => Self::Encoded,
            Some(_) => Self::Replaced,
            None => Self::Other,
        }
    }
}

/// Returns the host among components.
fn host(parts: &[(String, Option<String>)]) -> Option<&str> {
    parts.iter().find(|(name, _)| name == "host").and_then(|(_, value)| value.as_deref())
}

/// Returns the octets of `text` percent-encoded.
fn encoded(text: &str) -> String {
    text.bytes().map(|octet| format!("%{octet:02X}")).collect()
}

/// The end of the name of a file with digests, after the version.
pub const CHARACTERS: &str = ".characters.tsv";

/// Texts with one fate, or with one pair of fates.
#[derive(Clone, Debug, Serialize)]
pub struct FateGroup {
    /// What is inserted.
    pub inserted: Inserted,
    /// Where.
    pub place: Place,
    /// What each of the engines does with it.
    pub fates: Vec<Fate>,
    /// How many texts.
    pub count: u32,
    /// The texts as names, in ranges: from, to.
    pub ranges: Vec<(String, String)>,
    /// The URL with the first text.
    pub url: String,
    /// The host that each engine states for this URL; `None` if it rejects the URL, states none, or does not answer.
    pub hosts: Vec<Option<String>>,
}

/// What engines do with every text.
#[derive(Clone, Debug, Serialize)]
pub struct HostCharacters {
    /// The number of URLs about which each engine was asked.
    pub urls: u32,
    /// The number of URLs for which two engines state different hosts, or which only one of them rejects; 0 for one engine.
    pub different: u32,
    /// For one engine, its texts by fate, but only those pairs that are neither kept nor replaced although each of their characters alone is. For
    /// several engines, the texts with which their hosts differ, by fates, but only those pairs of which no character alone makes a difference.
    pub groups: Vec<FateGroup>,
    /// The digests of what the engines state, for each block of texts. Equal digests are equal hosts.
    pub digests: Vec<BlockDigest>,
}

/// The digests of what engines state about a block of at most 65,536 texts.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct BlockDigest {
    /// What is inserted.
    pub inserted: Inserted,
    /// Where.
    pub place: Place,
    /// The name of the first text.
    pub from: String,
    /// The digest for each engine.
    pub digests: Vec<String>,
}

impl fmt::Display for BlockDigest {
    /// Writes a line of the file of a recording: what is inserted, the place, the first text, and the digest of the first engine, separated by
    /// tabs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inserted, place, from, digests } = self;
        write!(f, "{}\t{}\t{from}\t{}", inserted.id(), place.id(), digests.first().map_or("", String::as_str))
    }
}

/// The maximum number of URLs that are asked at once: a block.
const CHUNK: u32 = 1 << 16;

/// The texts of a group while they are collected, as ranges of numbers.
struct Collected {
    count: u32,
    ranges: Vec<(u32, u32)>,
    hosts: Vec<Option<String>>,
}

impl BlockDigest {
    /// Asks `engine` about every `step`th block after the first `skipped` ones, calls `progress` after each, and returns their digests.
    pub fn every(engine: &dyn Engine, skipped: usize, step: usize, progress: &dyn Fn()) -> Vec<Self> {
        let all = Inserted::ALL.into_iter().flat_map(|inserted| Place::ALL.map(|place| (inserted, place)));
        let all = all.flat_map(|(inserted, place)| blocks(inserted).map(move |block| (inserted, place, block)));
        all.skip(skipped)
            .step_by(step)
            .map(|(inserted, place, (from, texts))| {
                let urls = urls(place, &texts);
                let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
                let digests = vec![digest_of(&ask_all_parts(engine, &urls))];
                progress();
                Self { inserted, place, from: inserted.name(from), digests }
            })
            .collect()
    }
}

impl HostCharacters {
    /// Asks each of `engines`, which must state components. `progress` receives the number of URLs that were asked so far.
    pub fn of(engines: &[&dyn Engine], progress: &dyn Fn(u64)) -> Self {
        let mut all = Self { urls: 0, different: 0, groups: Vec::new(), digests: Vec::new() };
        let mut alone = [false; ASCII as usize];
        for inserted in Inserted::ALL {
            for place in Place::ALL {
                let mut found = BTreeMap::new();
                for (from, texts) in blocks(inserted) {
                    let mut keep = |number: u32, differ: bool, fates: &[Fate]| {
                        let is_notable = match engines.len() {
                            1 => !matches!(fates[0], Fate::Kept | Fate::Replaced),
                            _ => differ,
                        };
                        if inserted == Inserted::Pair {
                            let characters = [number / ASCII, number % ASCII];
                            return is_notable && characters.iter().all(|it| !alone[*it as usize]);
                        }
                        if let (Inserted::CodePoint, Some(own)) = (inserted, alone.get_mut(number as usize)) {
                            *own |= is_notable;
                        }
                        differ || engines.len() == 1
                    };
                    let digests = all.ask(engines, place, (from, &texts), &mut keep, &mut found);
                    all.digests.push(BlockDigest { inserted, place, from: inserted.name(from), digests });
                    progress(u64::from(all.urls));
                }
                all.groups.extend(found.into_iter().map(|(fates, it)| it.group(inserted, place, fates)));
            }
        }
        all
    }

    /// Asks each of `engines` about these texts: characters, and percent-encoded octets. There is a group for each text and place.
    pub fn of_texts(engines: &[&dyn Engine], texts: &[String]) -> Self {
        let mut all = Self { urls: 0, different: 0, groups: Vec::new(), digests: Vec::new() };
        for text in texts {
            let (inserted, number) = Inserted::of(text);
            for place in Place::ALL {
                let mut found = BTreeMap::new();
                all.ask(engines, place, (number, std::slice::from_ref(text)), &mut |_, _, _| true, &mut found);
                all.groups.extend(found.into_iter().map(|(fates, it)| it.group(inserted, place, fates)));
            }
        }
        all
    }

    /// Asks about `texts`, which are numbered from `first`, and adds those to `found` for which `keep` returns true, which receives the number,
    /// whether the engines differ, and the fates. Returns the digest for each engine.
    fn ask(
        &mut self,
        engines: &[&dyn Engine],
        place: Place,
        (first, texts): (u32, &[String]),
        keep: &mut dyn FnMut(u32, bool, &[Fate]) -> bool,
        found: &mut BTreeMap<Vec<Fate>, Collected>,
    ) -> Vec<String> {
        let urls = urls(place, texts);
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let stated: Vec<Vec<Components>> = engines.iter().map(|engine| ask_all_parts(*engine, &urls)).collect();
        self.urls += urls.len() as u32;
        for (number, (at, text)) in (first..).zip(texts.iter().enumerate()) {
            let stated: Vec<&Components> = stated.iter().map(|all| &all[at]).collect();
            let differ = differ(&stated);
            self.different += u32::from(differ);
            let fates: Vec<Fate> = stated.iter().map(|it| Fate::of(it, place, text)).collect();
            if keep(number, differ, &fates) {
                let hosts = || stated.iter().map(|it| host(it.as_ref().ok()?).map(str::to_owned)).collect();
                let new = || Collected { count: 0, ranges: Vec::new(), hosts: hosts() };
                found.entry(fates).or_insert_with(new).add(number);
            }
        }
        stated.iter().map(|of_one| digest_of(of_one)).collect()
    }
}

/// Returns the URL with each text.
fn urls(place: Place, texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| place.url(text)).collect()
}

/// Returns the blocks of texts, each with the number of its first one.
fn blocks(inserted: Inserted) -> impl Iterator<Item = (u32, Vec<String>)> {
    (0..inserted.count()).step_by(CHUNK as usize).map(move |from| {
        let numbers = from..inserted.count().min(from + CHUNK);
        (from, numbers.map(|number| inserted.text(number)).collect())
    })
}

/// Returns the digest of the hosts in statements. What is not answered has none.
fn digest_of(stated: &[Components]) -> String {
    digest(stated.iter().flat_map(|it| match it {
        Ok(parts) => ["host", host(parts).unwrap_or_default()],
        Err(Outcome::Failure(_)) => ["rejected", ""],
        Err(_) => ["", ""],
    }))
}

impl Collected {
    fn add(&mut self, number: u32) {
        self.count += 1;
        match self.ranges.last_mut() {
            Some((_, to)) if *to + 1 == number => *to = number,
            _ => self.ranges.push((number, number)),
        }
    }

    fn group(self, inserted: Inserted, place: Place, fates: Vec<Fate>) -> FateGroup {
        let Self { count, ranges, hosts } = self;
        let url = place.url(&inserted.text(ranges[0].0));
        let ranges = ranges.into_iter().map(|(from, to)| (inserted.name(from), inserted.name(to))).collect();
        FateGroup { inserted, place, fates, count, ranges, url, hosts }
    }
}

/// Returns whether engines state different hosts, apart from the case of letters, or only some of them reject the URL. An engine that does not
/// answer does not differ.
fn differ(stated: &[&Components]) -> bool {
    let known = stated.iter().filter(|it| matches!(it, Ok(_) | Err(Outcome::Failure(_))));
    let hosts: Vec<Option<&str>> =
        known.map(|it| it.as_ref().ok().map(|parts| host(parts).unwrap_or_default())).collect();
    hosts.windows(2).any(|two| match (two[0], two[1]) {
        (Some(one), Some(other)) => !one.eq_ignore_ascii_case(other),
        (one, other) => one != other,
    })
}
