//! How a property becomes a target of libFuzzer.
//!
//! An input that violates the property panics, which ends the process. In a campaign, where [`FOLDER`] names a folder, the
//! input is written there and the process continues.

use std::env;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

pub use libfuzzer_sys;
use urlstrata_harness::engine;
pub use urlstrata_properties::*;

/// Defines the target of a property; with `mutate`, inputs are mutated by [`mutate`](fn@mutate).
#[macro_export]
macro_rules! target {
    ($property:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(
            init: $crate::begin(),
            |input: <$crate::$property as $crate::Property>::Input| $crate::check::<$crate::$property>(&input)
        );
    };
    ($property:ident, mutate) => {
        $crate::target!($property);
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate(data, size, max_size, seed, &mut $crate::libfuzzer_sys::fuzzer_mutate)
        });
    };
}

// Not thread-local: the value must outlive all threads.
static COLLECTOR: LazyLock<Mutex<Collector>> =
    LazyLock::new(|| Mutex::new(Collector::new(env::var_os(FOLDER).map(PathBuf::from))));

/// Prepares the process, before the first input.
pub fn begin() {
    let abort = std::panic::take_hook();
    // The hook of libFuzzer ends the process at every panic. The panic of an engine is one of its results.
    std::panic::set_hook(Box::new(move |panic| {
        if !engine::is_asked() {
            abort(panic);
        }
    }));
    extern "C" fn at_exit() {
        COLLECTOR.lock().unwrap_or_else(PoisonError::into_inner).flush();
    }
    // SAFETY: the function has no parameters and no result, and does not unwind.
    unsafe { libc::atexit(at_exit) };
}

/// Checks `P` on an input.
///
/// # Panics
///
/// Panics with a description of the shrunk input if the property does not hold and there is no campaign.
pub fn check<P: Property>(input: &P::Input) {
    let checked = COLLECTOR.lock().unwrap_or_else(PoisonError::into_inner).check::<P>(input);
    if let Err(violation) = checked {
        panic!("{}", counterexample::<P>(input).map_or(violation.class, |found| found.description));
    }
}
