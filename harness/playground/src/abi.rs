//! The functions that the page calls. Texts are exchanged through two buffers: the page writes a text into the memory at
//! [`input`], and reads a result of [`output_length`] bytes at the address that [`answer`] returns.
//!
//! The functions contain no unsafe code, but exporting a name is unsafe: no other function may have it.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::Playground;

thread_local! {
    static PLAYGROUND: RefCell<Result<Playground, String>> = RefCell::new(Err("there are no data".to_owned()));
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the address of a buffer of `length` bytes for the next call.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Reads what is known of engines from the buffer. An error is part of the next answer.
#[unsafe(no_mangle)]
extern "C" fn start() {
    PLAYGROUND.set(Playground::new(&String::from_utf8_lossy(&INPUT.take())));
}

/// Answers the request in the buffer. Returns the address of the response.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    let request = INPUT.take();
    let answer = PLAYGROUND.with_borrow(|playground| match playground {
        Ok(playground) => playground.answer(&String::from_utf8_lossy(&request)),
        Err(error) => serde_json::json!({ "error": error }).to_string(),
    });
    OUTPUT.with_borrow_mut(|own| {
        *own = answer;
        own.as_ptr()
    })
}

/// Returns the length of the last response in bytes.
#[unsafe(no_mangle)]
extern "C" fn output_length() -> usize {
    OUTPUT.with_borrow(String::len)
}
