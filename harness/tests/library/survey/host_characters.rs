//! What engines do with each character in a host.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::stride;
use urlstrata_harness::engine::{Engine, by_name};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::survey::host_characters::{
    BlockDigest, CHARACTERS, Fate, FateGroup, HostCharacters, Inserted, Place,
};
use urlstrata_harness::world::World;

/// An engine whose host is the text between `http://` and the next slash, but for one text.
struct Plain {
    /// A text with which a URL is rejected.
    rejected: &'static str,
}

impl Engine for Plain {
    fn name(&self) -> &str {
        "test:plain"
    }

    fn version(&self) -> &str {
        "0"
    }

    fn resolve(&self, _: &str, _: &str) -> Outcome {
        Outcome::Skipped("unsupported operation".to_owned())
    }

    fn states(&self) -> bool {
        true
    }

    fn parse(&self, url: &str) -> Components {
        if !self.rejected.is_empty() && url.contains(self.rejected) {
            return Err(Outcome::Failure("rejected".to_owned()));
        }
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        Ok(vec![("host".to_owned(), Some(host.to_owned()))])
    }
}

#[test]
fn every_code_point_is_asked_once() {
    let texts: BTreeSet<String> =
        (0..Inserted::CodePoint.count()).map(|number| Inserted::CodePoint.text(number)).collect();
    assert_eq!(texts.len(), 0x11_0000 - 0x800);
    assert!(texts.iter().all(|text| text.chars().count() == 1));
    assert!(texts.contains("\u{D7FF}") && texts.contains("\u{E000}") && texts.contains("\u{10FFFF}"));
    let octets: BTreeSet<String> = (0..Inserted::Octet.count()).map(|number| Inserted::Octet.text(number)).collect();
    assert!(octets.len() == 256 && octets.contains("%00") && octets.contains("%FF"));
    let pairs: BTreeSet<String> = (0..Inserted::Pair.count()).map(|number| Inserted::Pair.text(number)).collect();
    assert!(pairs.len() == 128 * 128 && pairs.iter().all(|pair| pair.is_ascii()) && pairs.contains("\\@"));
}

#[test]
fn the_fates_of_one_engine_contain_every_code_point() {
    let found = HostCharacters::of(&[&Plain { rejected: "" }], &|_| {});
    let all = Inserted::ALL.map(Inserted::count).iter().sum::<u32>() * 3;
    assert_eq!((found.urls, found.different), (all, 0));
    for place in Place::ALL {
        let own = found.groups.iter().filter(|group| (group.inserted, group.place) == (Inserted::CodePoint, place));
        assert_eq!(own.map(|group| group.count).sum::<u32>(), Inserted::CodePoint.count(), "{place:?}");
    }
    let middle = |group: &&FateGroup| (group.inserted, group.place) == (Inserted::CodePoint, Place::Middle);
    let fates: Vec<_> = found.groups.iter().filter(middle).map(|group| &group.fates).collect();
    assert_eq!(fates, [&[Fate::Kept]]);
}

#[test]
fn a_single_difference_is_found_and_pairs_with_it_are_left_out() {
    let engines: [&dyn Engine; 2] = [&Plain { rejected: "" }, &Plain { rejected: "^" }];
    let found = HostCharacters::of(&engines, &|_| {});
    let rows: Vec<_> = found.groups.iter().map(|group| (group.inserted, group.place, group.count)).collect();
    assert_eq!(rows, Place::ALL.map(|place| (Inserted::CodePoint, place, 1)), "{:?}", found.groups);
    assert_eq!(found.groups[1].ranges, [("^".to_owned(), "^".to_owned())]);
    assert_eq!(found.groups[1].fates, [Fate::Kept, Fate::Rejected]);
    assert_eq!(found.groups[1].hosts, [Some("a^b.example".to_owned()), None]);
    // The pairs with it are counted: 128 before and 128 after it, of which one is both.
    assert_eq!(found.different, 3 * (1 + 255));
    let unequal = found.digests.iter().filter(|block| block.digests[0] != block.digests[1]);
    assert_eq!(unequal.count(), 3 * 2, "the first block of code points, and that of pairs, at each place");
}

#[test]
fn a_pair_that_makes_a_difference_only_together_is_found() {
    let engines: [&dyn Engine; 2] = [&Plain { rejected: "" }, &Plain { rejected: "!(" }];
    let found = HostCharacters::of(&engines, &|_| {});
    let rows: Vec<_> = found.groups.iter().map(|it| (it.inserted, it.place, it.ranges[0].0.as_str())).collect();
    assert_eq!(rows, Place::ALL.map(|place| (Inserted::Pair, place, "!(")));
}

#[test]
fn the_fates_of_known_texts_are_those_of_the_standards() {
    let texts = ["\\", "\u{3002}", "%2F", "%41", "\t", "é"].map(str::to_owned);
    let of = |name: &str| {
        let engine = by_name(name).expect("an engine");
        let found = HostCharacters::of_texts(&[engine.as_ref()], &texts);
        let middle = found.groups.iter().filter(|group| group.place == Place::Middle);
        middle.map(|group| group.fates[0]).collect::<Vec<_>>()
    };
    let standard = [Fate::Ends, Fate::Replaced, Fate::Rejected, Fate::Replaced, Fate::Dropped, Fate::Punycode];
    assert_eq!(of("ref:whatwg"), standard);
    assert_eq!(of("ref:rfc3986"), [Fate::Kept; 6]);
}

/// The steps of an engine state the hosts that were recorded: the file of a recording has a digest for each block of texts. A block of each engine
/// is compared, and three of them in an exhaustive run.
#[test]
fn steps_have_the_recorded_digests() {
    let world = World::embedded().expect("a world");
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
    let mut compared = 0;
    for folder in fs::read_dir(&folders).expect("a folder").flatten().map(|it| it.path()).filter(|it| it.is_dir()) {
        for path in fs::read_dir(&folder).expect("a folder").flatten().map(|it| it.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(version) = name.strip_suffix(CHARACTERS) else { continue };
            let engine = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let key = format!("predicted:{engine}@{version}");
            let predicted = world.engine(&key).expect("an engine with steps");
            let recorded = fs::read_to_string(&path).expect("a text");
            let blocks = recorded.lines().count();
            // Other blocks for each engine.
            let step = blocks / 3 * stride(3);
            for block in BlockDigest::every(predicted.as_ref(), 7 * compared % step, step, &|| {}) {
                let line = block.to_string();
                assert!(recorded.lines().any(|own| own == line), "{key}: {line} is not in the recording");
                compared += 1;
            }
        }
    }
    assert!(compared > 0);
}
