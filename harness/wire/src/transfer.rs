//! Reading and writing without waiting.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// The maximum number of bytes that are read at once, so that a program that writes without end is not read without end.
const MOST: usize = 1 << 20;

/// Makes reads and writes return instead of waiting.
///
/// # Errors
///
/// Returns a sentence if the system does not permit it.
pub(crate) fn dont_wait(file: &impl AsFd) -> Result<(), String> {
    fcntl(file.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map(drop).map_err(|error| error.desc().to_owned())
}

/// Appends what can be read now to `received`. Returns whether more may follow.
pub(crate) fn receive(from: &mut impl Read, received: &mut Vec<u8>) -> bool {
    let (mut piece, mut taken) = ([0; 1 << 16], 0);
    while taken < MOST {
        match from.read(&mut piece) {
            Ok(0) => return false,
            Ok(length) => {
                received.extend(&piece[..length]);
                taken += length;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
}

/// Writes as much of `unsent` as is taken now, and removes it. Returns whether more can be written.
pub(crate) fn send(to: &mut impl Write, unsent: &mut Vec<u8>) -> bool {
    while !unsent.is_empty() {
        match to.write(unsent) {
            Ok(length) => drop(unsent.drain(..length)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
}
