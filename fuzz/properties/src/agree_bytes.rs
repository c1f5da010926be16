//! The optimized engine against the reference implementations, on bytes that need not be UTF-8.

use arbitrary::{Arbitrary, Unstructured};
use urlstrata::Resolution;
use urlstrata::fast::{self, Base, Batch, InstructionSet};
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;
use urlstrata_harness::knowledge::shrink::shorter;
use urlstrata_harness::vector::Suite;

use super::agree::{self, INSTRUCTIONS, WORDS, differs};
use super::input::{from_latin1_text, to_latin1_text};
use super::{Classes, Input, PairInput, Property, Violation};

/// On bytes that are not decoded.
pub struct AgreeBytes;

/// A base and a reference of any bytes. The first two bytes are the length of the base, the lower byte first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BytePairInput {
    /// The base; empty if it is unknown.
    pub base: Vec<u8>,
    /// The reference.
    pub reference: Vec<u8>,
}

impl<'a> Arbitrary<'a> for BytePairInput {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = u16::from_le_bytes([u.arbitrary()?, u.arbitrary()?]);
        let rest = u.bytes(u.len())?;
        let (base, reference) = rest.split_at(usize::from(length).min(rest.len()));
        Ok(Self { base: base.to_vec(), reference: reference.to_vec() })
    }
}

impl Input for BytePairInput {
    fn encode(&self) -> Vec<u8> {
        let length = u16::try_from(self.base.len()).unwrap_or(u16::MAX);
        [&length.to_le_bytes(), self.base.as_slice(), &self.reference].concat()
    }

    fn shrink(&self, still_fails: &dyn Fn(&Self) -> bool) -> Self {
        let [mut base, mut reference] = [&self.base, &self.reference].map(|bytes| to_latin1_text(bytes));
        let pair =
            |base: &str, reference: &str| Self { base: from_latin1_text(base), reference: from_latin1_text(reference) };
        loop {
            let before = (base.clone(), reference.clone());
            reference = shorter(&reference, |reference| still_fails(&pair(&base, reference)));
            base = shorter(&base, |base| still_fails(&pair(base, &reference)));
            if before == (base.clone(), reference.clone()) {
                return pair(&base, &reference);
            }
        }
    }

    fn pair(&self) -> Option<PairInput> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        Some(PairInput { base: text(&self.base)?, reference: text(&self.reference)? })
    }
}

impl Property for AgreeBytes {
    type Input = BytePairInput;
    const NAME: &'static str = "agree_bytes";
    const STATEMENT: &'static str = "for any strings, every form of the optimized engine returns the same as the reference \
                                     implementation of each revision; for bytes that are not UTF-8, it returns what that \
                                     returns for the characters with the same numbers";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(input: &BytePairInput, classes: &mut Classes) -> Result<(), Violation> {
        match input.pair() {
            Some(pair) => agree::check(&pair, classes)?,
            None => classes.count("not UTF-8"),
        }
        let (base, reference) = (to_latin1_text(&input.base), to_latin1_text(&input.reference));
        INSTRUCTIONS.with(|instructions| {
            revision::resolving().try_for_each(|(revision, rules)| {
                let expected = revision.resolve(&base, &reference);
                check_bytes(revision, rules, instructions, input, &expected)
            })
        })
    }

    fn seeds(suite: &Suite) -> Vec<BytePairInput> {
        agree::pairs(suite)
            .map(|pair| BytePairInput { base: pair.base.into_bytes(), reference: pair.reference.into_bytes() })
            .collect()
    }

    fn describe(input: &BytePairInput) -> String {
        let decoded = PairInput { base: to_latin1_text(&input.base), reference: to_latin1_text(&input.reference) };
        format!("{input:?}\n{}", agree::describe(&input.pair().unwrap_or(decoded)))
    }
}

/// Checks all forms on bytes; `expected` is the result for the characters with the same numbers.
fn check_bytes(
    revision: &Revision,
    rules: &Rules,
    instructions: &[InstructionSet],
    input: &BytePairInput,
    expected: &Resolution,
) -> Result<(), Violation> {
    let (base, reference) = (input.base.as_slice(), input.reference.as_slice());
    let expected = expected.as_ref().ok().map(|target| (from_latin1_text(&target.url), target.meaning));
    let violation = |form: &str| Err(differs(revision, form, " on bytes"));
    let url = expected.as_ref().map(|(url, _)| url.as_slice());
    let mut out = Vec::new();
    let once = fast::resolve_into(rules, base, reference, &mut out).is_ok();
    if once.then_some(out.as_slice()) != url {
        return violation("new each time");
    }
    for &instructions in instructions {
        let prepared = Base::with_instructions(rules, base, instructions);
        out.clear();
        let meaning = prepared.resolve_with_meaning_into(reference, &mut out).ok();
        if meaning.map(|meaning| (out.clone(), meaning)) != expected {
            return violation(&format!("{instructions}, alone"));
        }
        let mut batch = Batch::default();
        prepared.resolve_all([reference, reference], &mut batch);
        if (0..2).any(|index| batch.get(index).ok() != url) {
            return violation(&format!("{instructions}, batch"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{AgreeBytes, BytePairInput, check_bytes};
    use crate::{Classes, Input, Property};
    use arbitrary::{Arbitrary, Unstructured};
    use urlstrata::fast::InstructionSet;
    use urlstrata::revision::{rfc1808, rfc2396};

    fn input(base: &[u8], reference: &[u8]) -> BytePairInput {
        BytePairInput { base: base.to_vec(), reference: reference.to_vec() }
    }

    #[test]
    fn decoding_reverts_encoding() {
        for input in [input(b"", b""), input(b"http://h/", b"../g"), input(b"\xff\0", b""), input(b"", b"\0\0")] {
            let decoded = BytePairInput::arbitrary_take_rest(Unstructured::new(&input.encode())).expect("an input");
            assert_eq!(decoded, input);
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_a_class() {
        let mut classes = Classes::default();
        assert_eq!(AgreeBytes::check(&input(b"s://h/\xff/b", b"../\xc3"), &mut classes), Ok(()));
        assert_eq!(classes.0.get("not UTF-8"), Some(&1));
    }

    #[test]
    fn the_rule_set_of_another_revision_is_a_violation() {
        let case = input(b"http://a/b/\xff?q", b"?y");
        let expected = rfc1808::REVISION.resolve("http://a/b/\u{ff}?q", "?y");
        let instructions: Vec<_> = InstructionSet::available().collect();
        let check = |rules| check_bytes(&rfc1808::REVISION, rules, &instructions, &case, &expected);
        assert_eq!(rfc1808::REVISION.rules.map(check), Some(Ok(())));
        assert!(rfc2396::REVISION.rules.map(check).is_some_and(|checked| checked.is_err()));
    }

    #[test]
    fn both_strings_shrink() {
        let shrunk = input(b"http://a/b/\xff?q", b"?y").shrink(&|input| input.reference.contains(&b'y'));
        assert_eq!(shrunk, input(b"", b"y"));
    }
}
