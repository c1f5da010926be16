//! No byte outside the input is read, and no byte outside the capacity is written, for every length and alignment up to
//! 130.

#![cfg(unix)]
#![allow(unsafe_code, reason = "pages that cannot be touched are asked of the system")]

mod scope;

use std::ptr;

use scope::scope;
use urlstrata::fast::{self, Base, InstructionSet};
use urlstrata::revision;

/// A memory page between two inaccessible pages.
struct Page {
    mapping: *mut u8,
    size: usize,
}

impl Page {
    fn new() -> Self {
        // SAFETY: this is a new mapping of three pages. The first and the last become inaccessible.
        unsafe {
            let size = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).expect("a size");
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let mapping = libc::mmap(ptr::null_mut(), 3 * size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            assert_ne!(mapping, libc::MAP_FAILED);
            let mapping = mapping.cast::<u8>();
            for guard in [mapping, mapping.add(2 * size)] {
                assert_eq!(libc::mprotect(guard.cast(), size, libc::PROT_NONE), 0);
            }
            Self { mapping, size }
        }
    }

    /// Copies `text` to the end of the page, or to `after_start` bytes after its start.
    fn hold(&mut self, text: &[u8], after_start: Option<usize>) -> &[u8] {
        let at = after_start.unwrap_or(self.size - text.len());
        assert!(at + text.len() <= self.size);
        // SAFETY: the range is within the middle page.
        let place = unsafe { std::slice::from_raw_parts_mut(self.mapping.add(self.size + at), text.len()) };
        place.copy_from_slice(text);
        place
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping.
        unsafe { libc::munmap(self.mapping.cast(), 3 * self.size) };
    }
}

/// Returns references of this length, of several shapes.
fn references(length: usize) -> impl Iterator<Item = Vec<u8>> {
    ["", "../", "../../", "#", "?", "/", "//", "http://", "https://h/", "mailto:", "./", "a/../"]
        .into_iter()
        .filter_map(move |start| {
            let rest = length.checked_sub(start.len())?;
            Some([start.as_bytes(), &"xy/z.html#a-fragment".repeat(rest / 20 + 1).as_bytes()[..rest]].concat())
        })
}

#[test]
fn reads_and_writes_stay_within_a_page() {
    let (mut base_page, mut reference_page) = (Page::new(), Page::new());
    let rule_sets: Vec<_> = ["rfc1630", "rfc1808", "rfc3986"]
        .into_iter()
        .filter_map(|id| revision::by_id(id).and_then(|revision| revision.rules))
        .collect();
    for length in (0..=130).step_by(scope(1, 13)) {
        for reference in references(length) {
            let places = [None].into_iter().chain((0..64).step_by(scope(1, 21)).map(Some));
            for place in places {
                let base = ["http://h/a/".as_bytes(), &"directory/".repeat(14).as_bytes()[..length]].concat();
                let base = base_page.hold(&base, place);
                let held = reference_page.hold(&reference, place);
                for rules in &rule_sets {
                    let mut expected = vec![];
                    let portable = Base::with_instructions(rules, base, InstructionSet::portable());
                    let meaning = portable.resolve_with_meaning_into(held, &mut expected);
                    // References on the general path are built in the buffer.
                    let common = !held.starts_with(b"./") && !held.starts_with(b"a/../") && !held.ends_with(b"#");
                    let most = if common { expected.len() } else { base.len() + held.len() + 1 };
                    for instructions in InstructionSet::available() {
                        let prepared = Base::with_instructions(rules, base, instructions);
                        // AVX-512 may write two blocks after the result, within the capacity.
                        let slack = if instructions.to_string() == "AVX-512" { 128 } else { 0 };
                        let returned = written(most + slack, |out| prepared.resolve_with_meaning_into(held, out));
                        assert_eq!(returned, (meaning, expected.clone()));
                    }
                    let once = written(most + 128, |out| fast::resolve_into(rules, base, held, out));
                    assert_eq!(once, (meaning.map(|_| ()), expected));
                }
            }
        }
    }
}

/// Returns the bytes that `resolve` appends to a buffer. It may change at most `most` bytes after them.
fn written<T: std::fmt::Debug>(most: usize, resolve: impl FnOnce(&mut Vec<u8>) -> T) -> (T, Vec<u8>) {
    const MARK: u8 = 0xa5;
    let mut out = vec![MARK; 600];
    out.clear();
    let returned = resolve(&mut out);
    let length = out.len();
    // SAFETY: the whole capacity was initialized when the vector was created.
    unsafe { out.set_len(600) };
    let kept = out[most..].iter().all(|&byte| byte == MARK);
    assert!(
        kept,
        "written after the result {:?}: {returned:?} {:?}",
        String::from_utf8_lossy(&out[..length]),
        String::from_utf8_lossy(&out)
    );
    out.truncate(length);
    (returned, out)
}
