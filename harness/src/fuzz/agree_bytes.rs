//! The optimized implementation beside the references, on bytes that need not be text.

use arbitrary::{Arbitrary, Unstructured};
use urlstrata::Resolution;
use urlstrata::fast::{self, Base, Batch, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;

use super::agree::{self, INSTRUCTIONS, WORDS};
use super::{Case, Fault, Law, Pair, Seen};
use crate::model::shrink::shorter;
use crate::vector::Suite;

/// On strings as they come.
pub struct AgreeBytes;

/// A base and a reference of any bytes: two bytes tell how long the base is, the lower one first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Strings {
    /// The base.
    pub base: Vec<u8>,
    /// The reference.
    pub reference: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Strings {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = u16::from_le_bytes([u.arbitrary()?, u.arbitrary()?]);
        let rest = u.bytes(u.len())?;
        let (base, reference) = rest.split_at(usize::from(length).min(rest.len()));
        Ok(Self { base: base.to_vec(), reference: reference.to_vec() })
    }
}

impl Case for Strings {
    fn bytes(&self) -> Vec<u8> {
        let length = u16::try_from(self.base.len()).unwrap_or(u16::MAX);
        [&length.to_le_bytes(), self.base.as_slice(), &self.reference].concat()
    }

    fn smallest(&self, stays: &dyn Fn(&Self) -> bool) -> Self {
        let [mut base, mut reference] = [&self.base, &self.reference].map(|bytes| letters(bytes));
        let of = |base: &str, reference: &str| Self { base: bytes_of(base), reference: bytes_of(reference) };
        loop {
            let before = (base.clone(), reference.clone());
            reference = shorter(&reference, |reference| stays(&of(&base, reference)));
            base = shorter(&base, |base| stays(&of(base, &reference)));
            if before == (base.clone(), reference.clone()) {
                return of(&base, &reference);
            }
        }
    }

    fn pair(&self) -> Option<Pair> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        Some(Pair { base: text(&self.base)?, reference: text(&self.reference)? })
    }
}

impl Law for AgreeBytes {
    type Case = Strings;
    const NAME: &'static str = "agree_bytes";
    const STATES: &'static str = "every form of the optimized implementation says what each revision says step by step, of any \
                                  strings; of bytes that are no text, what it says of letters that stand for them";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(case: &Strings, seen: &mut Seen) -> Result<(), Fault> {
        match case.pair() {
            Some(pair) => agree::check(&pair, seen)?,
            None => seen.count("no text"),
        }
        let (base, reference) = (letters(&case.base), letters(&case.reference));
        INSTRUCTIONS.with(|instructions| {
            let apart = revision::resolving().find_map(|(revision, rules)| {
                let by_steps = revision.resolve(&base, &reference);
                apart(revision, rules, instructions, case, &by_steps)
            });
            apart.map_or(Ok(()), |class| Err(Fault::new(class)))
        })
    }

    fn seeds(suite: &Suite) -> Vec<Strings> {
        let strings = |pair: Pair| Strings { base: pair.base.into_bytes(), reference: pair.reference.into_bytes() };
        agree::pairs(suite).map(strings).collect()
    }

    fn show(case: &Strings) -> String {
        let letters = Pair { base: letters(&case.base), reference: letters(&case.reference) };
        format!("{case:?}\n{}", agree::show(&case.pair().unwrap_or(letters)))
    }
}

/// The first form on bytes that is apart from what `revision` says of letters, as a fault's class.
fn apart(
    revision: &Revision,
    rules: &Rules,
    instructions: &[InstructionSet],
    case: &Strings,
    by_steps: &Resolution,
) -> Option<String> {
    let (base, reference) = (case.base.as_slice(), case.reference.as_slice());
    let expected = by_steps.as_ref().ok().map(|target| (bytes_of(&target.url), target.meaning));
    let class = |form: &str| Some(format!("{} by its steps and optimized ({form}) are apart on bytes", revision.id));
    let url = expected.as_ref().map(|(url, _)| url.as_slice());
    let mut out = Vec::new();
    let once = fast::resolve_into(rules, base, reference, &mut out).is_ok();
    if once.then_some(out.as_slice()) != url {
        return class("new each time");
    }
    for &instructions in instructions {
        let prepared = Base::with_instructions(rules, base, instructions);
        out.clear();
        let meaning = prepared.resolve_with_meaning_into(reference, &mut out).ok();
        if meaning.map(|meaning| (out.clone(), meaning)) != expected {
            return class(&format!("{instructions}, alone"));
        }
        let mut batch = Batch::default();
        prepared.resolve_all([reference, reference], &mut batch);
        if (0..2).any(|index| batch.get(index).ok() != url) {
            return class(&format!("{instructions}, batch"));
        }
    }
    None
}

/// Each byte as the character of that number.
fn letters(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

fn bytes_of(letters: &str) -> Vec<u8> {
    letters.chars().filter_map(|letter| u8::try_from(letter).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{AgreeBytes, Strings, apart};
    use crate::fuzz::{Case, Law, Seen};
    use arbitrary::{Arbitrary, Unstructured};
    use urlstrata::fast::InstructionSet;
    use urlstrata::revision::{rfc1808, rfc2396};

    fn strings(base: &[u8], reference: &[u8]) -> Strings {
        Strings { base: base.to_vec(), reference: reference.to_vec() }
    }

    #[test]
    fn what_is_written_is_read() {
        for case in [strings(b"", b""), strings(b"http://h/", b"../g"), strings(b"\xff\0", b""), strings(b"", b"\0\0")]
        {
            let read = Strings::arbitrary_take_rest(Unstructured::new(&case.bytes())).expect("a case");
            assert_eq!(read, case);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_seen_as_such() {
        let mut seen = Seen::default();
        assert_eq!(AgreeBytes::check(&strings(b"s://h/\xff/b", b"../\xc3"), &mut seen), Ok(()));
        assert_eq!(seen.0.get("no text"), Some(&1));
    }

    #[test]
    fn a_row_of_another_revision_is_apart() {
        let case = strings(b"http://a/b/\xff?q", b"?y");
        let by_steps = rfc1808::REVISION.resolve("http://a/b/\u{ff}?q", "?y");
        let instructions: Vec<_> = InstructionSet::available().collect();
        let found = |rules| apart(&rfc1808::REVISION, rules, &instructions, &case, &by_steps);
        assert_eq!(rfc1808::REVISION.rules.and_then(found), None);
        assert!(rfc2396::REVISION.rules.and_then(found).is_some());
        let smallest = case.smallest(&|case| case.reference.contains(&b'y'));
        assert_eq!(smallest, strings(b"", b"y"));
    }
}
