//! The optimized implementation agrees with every revision's reference, in every form.
#![no_main]

use arbitrary::Arbitrary;
use urlstrata::fast::{self, Base, Instructions};
use urlstrata::revision;

/// A base and a reference, as pieces that mean something between pieces that mean nothing.
#[derive(Arbitrary, Debug)]
struct Pair<'a> {
    base: Vec<Piece<'a>>,
    reference: Vec<Piece<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    Scheme,
    Slash,
    SlashSlash,
    Dot,
    DotDot,
    Query,
    Params,
    Fragment,
    Colon,
    Text(&'a str),
}

fn text(pieces: &[Piece<'_>]) -> String {
    let piece = |piece: &Piece<'_>| match piece {
        Piece::Scheme => "http:".to_owned(),
        Piece::Slash => "/".to_owned(),
        Piece::SlashSlash => "//".to_owned(),
        Piece::Dot => ".".to_owned(),
        Piece::DotDot => "..".to_owned(),
        Piece::Query => "?".to_owned(),
        Piece::Params => ";".to_owned(),
        Piece::Fragment => "#".to_owned(),
        Piece::Colon => ":".to_owned(),
        Piece::Text(text) => (*text).to_owned(),
    };
    pieces.iter().map(piece).collect()
}

libfuzzer_sys::fuzz_target!(|pair: Pair<'_>| {
    let (base, reference) = (text(&pair.base), text(&pair.reference));
    let mut out = String::new();
    for (revision, rules) in revision::resolving() {
        let by_steps = revision.resolve(&base, &reference);
        let by_steps = by_steps.map(|target| (target.url, target.meaning)).map_err(|refusal| refusal.same_document);
        let meaning = fast::resolve(rules, &base, &reference, &mut out);
        let once = meaning.map(|meaning| (out.clone(), meaning)).map_err(|undefined| undefined.same_document);
        assert_eq!(once, by_steps, "{}: {base:?} {reference:?}", revision.id);
        for instructions in Instructions::available() {
            out.clear();
            let base = Base::with_instructions(rules, base.as_str(), instructions);
            let meaning = base.resolve_with_meaning_into(&reference, &mut out);
            let prepared = meaning.map(|meaning| (out.clone(), meaning)).map_err(|undefined| undefined.same_document);
            assert_eq!(prepared, by_steps, "{}, {instructions}: {base:?} {reference:?}", revision.id);
        }
    }
});
