//! What the fuzz targets share: how a law of the harness becomes a target of libFuzzer.
//!
//! A law that does not hold is a panic, which ends the process. In a campaign, for which [`FOLDER`] names a folder, it is written
//! there, and the target goes on.

use std::env;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

pub use urlstrata_harness::fuzz::*;
use urlstrata_harness::engine;
use urlstrata_harness::fuzz;

/// In no thread's own memory: that is gone when the process ends.
static COLLECTOR: LazyLock<Mutex<Collector>> =
    LazyLock::new(|| Mutex::new(Collector::new(env::var_os(FOLDER).map(PathBuf::from))));

/// Makes the process a fuzz target, before the first input.
pub fn begin() {
    let abort = std::panic::take_hook();
    // libFuzzer's own hook ends the process at every panic; that of an engine that is asked is its answer.
    std::panic::set_hook(Box::new(move |panic| {
        if !engine::is_asked() {
            abort(panic);
        }
    }));
    extern "C" fn at_exit() {
        COLLECTOR.lock().unwrap_or_else(PoisonError::into_inner).flush();
    }
    // SAFETY: the function takes nothing, hands nothing back and does not unwind.
    unsafe { libc::atexit(at_exit) };
}

/// Puts an input to `L`.
///
/// # Panics
///
/// If the law does not hold and there is no campaign: with the smallest input of the kind, and what is to be seen of it.
pub fn hold<L: Law>(case: &L::Case) {
    let held = COLLECTOR.lock().unwrap_or_else(PoisonError::into_inner).take::<L>(case);
    if let Err(fault) = held {
        panic!("{}", fuzz::finding::<L>(case).map_or(fault.class, |finding| finding.shown));
    }
}

/// libFuzzer's own edits of an input, and ours.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    fuzz::mutate(data, size, max_size, seed, &mut libfuzzer_sys::fuzzer_mutate)
}
