//! Checks of addresses and redirects: they read a few components of a URL that a parser splits.

use urlstrata::slots::{Part, Slot, Value};
use urlstrata_steps::{NO_VERDICT, Next, Next::Go, State};

/// Leaves all components but `parts` unstated. What the check makes of them is not described.
pub(crate) fn read(s: &mut State<'_>, parts: &[Part]) -> Next {
    s.mark(NO_VERDICT);
    for part in Part::ALL.into_iter().filter(|part| !parts.contains(part)) {
        s.set(Slot::Out(part), Value::Unread);
    }
    Go
}
