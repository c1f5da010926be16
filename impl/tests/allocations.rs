//! Only the growth of the caller's buffers allocates, and nothing is written after the end of an allocation.

#![allow(unsafe_code, reason = "an allocator that counts is one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use urlstrata::fast::{self, Base, Batch, InstructionSet, components};
use urlstrata::revision;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    /// The number of allocations that were written after their end.
    static OVERRUN: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

/// The number of guard bytes after each allocation, which must be unchanged when it is freed.
const GUARD: usize = 256;
const MARK: u8 = 0xa5;

fn with_guard(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size() + GUARD, layout.align()).unwrap_or(layout)
}

// SAFETY: the system's allocator does the work, with a larger size.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: guaranteed by the caller; the allocation has `GUARD` additional bytes.
        unsafe {
            let pointer = System.alloc(with_guard(layout));
            if !pointer.is_null() {
                pointer.add(layout.size()).write_bytes(MARK, GUARD);
            }
            pointer
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller, and as above.
        unsafe {
            let guard = std::slice::from_raw_parts(pointer.add(layout.size()), GUARD);
            if guard.iter().any(|&byte| byte != MARK) {
                let _ = OVERRUN.try_with(|count| count.set(count.get() + 1));
            }
            System.dealloc(pointer, with_guard(layout));
        }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of allocations of `work` on this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

const BASES: [&str; 5] = [
    "http://a/b/c/d;p?q#f",
    "http://a",
    "s:a/../b",
    "",
    "http://host/a/very/long/path/to/a/file/of/some/directory/of/some/server/that/has/many/directories/index.html?q",
];

const REFERENCES: [&str; 16] = [
    "g",
    "../g",
    "../../../../../g",
    "#s",
    "?y",
    ";x",
    "/g",
    "//g/h",
    "",
    ".",
    "./g/../h",
    "https://example.org/a/b?c#d",
    "mailto:a@b",
    "a:b/../c",
    "g;x=1/../y#z?/./",
    "a/long/reference/that/does/not/fit/into/sixty/four/bytes/at/all/../and/climbs.html#fragment",
];

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(black_box(Vec::<u8>::with_capacity(9)))), 1);
}

#[test]
fn warm_buffers_do_not_allocate() {
    for (revision, rules) in revision::resolving() {
        for base in BASES {
            let mut out = String::with_capacity(4096);
            let mut bytes = Vec::with_capacity(4096);
            let mut batch = Batch::default();
            let count = allocations(|| {
                for instructions in InstructionSet::available() {
                    let prepared = Base::with_instructions(rules, base, instructions);
                    let of_bytes = Base::with_instructions(rules, base.as_bytes(), instructions);
                    for reference in REFERENCES {
                        out.clear();
                        bytes.clear();
                        let _ = prepared.resolve_into(reference, &mut out);
                        let _ = prepared.resolve_with_meaning_into(reference, &mut out);
                        let _ = fast::resolve_into(rules, base, reference, &mut out);
                        let _ = of_bytes.resolve_into(reference.as_bytes(), &mut bytes);
                        black_box(components(rules, reference).count());
                    }
                }
            });
            assert_eq!(count, 0, "{} on {base:?}", revision.id);
            let prepared = Base::new(rules, base);
            prepared.resolve_all(REFERENCES, &mut batch);
            batch.clear();
            let again = allocations(|| prepared.resolve_all(REFERENCES, &mut batch));
            // The list of undefined targets is warm too.
            assert_eq!(again, 0, "{} on {base:?}, in a batch", revision.id);
        }
    }
}

/// The buffer has exactly the capacity of the result.
#[test]
fn exact_capacity_does_not_grow() {
    let rules = revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a rule set");
    for instructions in InstructionSet::available() {
        let base = Base::with_instructions(rules, "http://a/b/c", instructions);
        for reference in ["g", "../g", "#s", "a/reference/of/more/than/thirty-two/bytes.html"] {
            let mut target = String::new();
            assert_eq!(base.resolve_into(reference, &mut target), Ok(()));
            let mut out = String::with_capacity(target.len());
            assert_eq!(allocations(|| assert_eq!(base.resolve_into(reference, &mut out), Ok(()))), 0, "{reference}");
            assert_eq!(out, target);
        }
    }
}

/// The buffers have more or less capacity than the result. One without capacity grows once.
#[test]
fn nothing_is_written_after_the_capacity() {
    let rules = revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a rule set");
    let long = "http://host/a/very/long/path/to/a/directory/".repeat(4);
    for instructions in InstructionSet::available() {
        for base in ["http://a/b/c", "s:/", &long] {
            let base = Base::with_instructions(rules, base, instructions);
            for reference in REFERENCES.into_iter().chain(["../../../../../../../../g"]) {
                let mut target = String::new();
                let grown = allocations(|| assert_eq!(base.resolve_into(reference, &mut target), Ok(())));
                // The portable code grows the buffer for each part.
                let at_once = instructions != InstructionSet::portable() && !reference.contains("/.");
                if at_once && reference.starts_with(['g', '#', 'a']) {
                    assert_eq!((grown, target.capacity()), (1, target.len().max(8)), "{reference}");
                }
                for room in target.len().saturating_sub(2)..target.len() + 2 * 64 + 2 {
                    let mut out = String::with_capacity(room);
                    assert_eq!(base.resolve_into(reference, &mut out), Ok(()));
                    assert_eq!(out, target);
                }
            }
        }
    }
    assert_eq!(OVERRUN.with(Cell::get), 0);
}

#[test]
fn batch_reserves_all_ends_at_once() {
    let rules = revision::by_id("rfc1808").and_then(|revision| revision.rules).expect("a rule set");
    let base = Base::new(rules, "http://a/b/c");
    let references = ["g"; 100];
    let mut batch = Batch::default();
    let count = allocations(|| base.resolve_all(references, &mut batch));
    let mut text = String::new();
    let of_text = allocations(|| references.iter().for_each(|it| assert_eq!(base.resolve_into(it, &mut text), Ok(()))));
    assert_eq!((batch.text(), count), (text.as_str(), of_text + 1));
}
