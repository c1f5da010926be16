//! Results that take long to compute, kept from one run to the next by the digest of all that they depend on.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hasher;
use std::sync::{Mutex, PoisonError};

use fnv::FnvHasher;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The digest of the sources of this program, without the texts that it only shows.
const SOURCES: &str = env!("SOURCES_DIGEST");

/// Results of an earlier run, and those of this one.
#[derive(Debug, Default)]
pub struct Cache {
    earlier: BTreeMap<String, Value>,
    used: Mutex<BTreeMap<String, Value>>,
}

impl Cache {
    /// Reads what [`Self::text`] returned. Everything else is an empty cache, because all results can be computed again.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self { earlier: serde_json::from_str(text).unwrap_or_default(), used: Mutex::default() }
    }

    /// Returns the results that were used since this cache was read, for a file.
    #[must_use]
    pub fn text(&self) -> String {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = used.iter().map(|(key, value)| format!("{}:{value}", Value::from(key.as_str())));
        format!("{{{}}}\n", lines.collect::<Vec<_>>().join(",\n"))
    }

    /// Returns the result called `name`, which depends only on `inputs` and on the sources of this program. `compute` computes
    /// it if it is not known.
    ///
    /// # Errors
    ///
    /// Returns an error of `compute`, or a sentence if the result has no form in JSON.
    pub(crate) fn result<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        inputs: &impl Debug,
        compute: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let value = self.value(name, inputs, || serde_json::to_value(compute()?).map_err(|error| error.to_string()))?;
        serde_json::from_value(value).map_err(|error| format!("{name}: {error}"))
    }

    /// Returns a result like [`Self::result`], as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error of `compute`.
    pub(crate) fn value(
        &self,
        name: &str,
        inputs: &impl Debug,
        compute: impl FnOnce() -> Result<Value, String>,
    ) -> Result<Value, String> {
        let mut digest = FnvHasher::default();
        digest.write(format!("{inputs:?}").as_bytes());
        let key = format!("{name} {SOURCES} {:016x}", digest.finish());
        let value = match self.earlier.get(&key) {
            Some(value) => value.clone(),
            None => compute()?,
        };
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value.clone());
        Ok(value)
    }
}
