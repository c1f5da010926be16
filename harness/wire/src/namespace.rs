//! The private namespaces of a client: of users, networks and mounts.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket};
use nix::unistd::{Gid, Uid, gethostname};

/// Enters namespaces in which the only network is the loopback interface, every address is local, and the files of the system's
/// resolver name a name server at 127.0.0.1. Returns whether these are also the addresses of IPv6.
///
/// # Errors
///
/// Returns a sentence if the system does not permit it, or the process has several threads.
pub(crate) fn enter() -> Result<bool, String> {
    let (user, group) = (Uid::effective(), Gid::effective());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWNS)
        .map_err(|error| format!("a network namespace cannot be made: {}", reason(error)))?;
    let write = |path: &str, text: String| fs::write(path, text).map_err(|error| format!("{path}: {error}"));
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("0 {user} 1"))?;
    write("/proc/self/gid_map", format!("0 {group} 1"))?;
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
        .map_err(|error| format!("mounts cannot be made private: {}", error.desc()))?;
    let route = Netlink::open()?;
    route.request(&interface_up()).map_err(|why| format!("the loopback interface cannot be used: {why}"))?;
    route.request(&everything_is_local(4)).map_err(|why| format!("IPv4 addresses cannot be made local: {why}"))?;
    let ipv6 = route
        .request(&everything_is_local(6))
        .and_then(|()| TcpListener::bind("[::1]:0").map(drop).map_err(|error| error.to_string()));
    if let Err(why) = &ipv6 {
        eprintln!("IPv6 addresses are not observed: {why}");
    }
    let host = gethostname().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let files = [
        ("/etc/resolv.conf", "nameserver 127.0.0.1\nsearch .\noptions attempts:1 timeout:1\n".to_owned()),
        ("/etc/hosts", format!("127.0.0.1 {host}\n")),
        ("/etc/nsswitch.conf", "hosts: files dns\n".to_owned()),
    ];
    replace(&files)?;
    Ok(ipv6.is_ok())
}

/// Returns why a namespace cannot be made. The description of the error for a limit is about disks.
fn reason(error: nix::Error) -> &'static str {
    match error {
        nix::Error::ENOSPC => "the limit user.max_user_namespaces is reached",
        error => error.desc(),
    }
}

/// Covers each file with one that contains a text, in this namespace only. A file that does not exist stays so.
fn replace(files: &[(&str, String)]) -> Result<(), String> {
    let failed = |why: String| format!("the files of the system's resolver cannot be replaced: {why}");
    // A file without a name cannot be mounted again, so the folder has one meanwhile.
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    in_memory(folder.path()).map_err(failed)?;
    for (number, (path, text)) in files.iter().enumerate() {
        if fs::exists(path).unwrap_or(false) {
            let file = folder.path().join(number.to_string());
            fs::write(&file, text).map_err(|error| failed(error.to_string()))?;
            mount(Some(&file), *path, None::<&str>, MsFlags::MS_BIND, None::<&str>)
                .map_err(|error| failed(format!("{path}: {}", error.desc())))?;
        }
    }
    umount2(folder.path(), MntFlags::MNT_DETACH).map_err(|error| failed(error.desc().to_owned()))
}

/// Returns a folder in memory that has no name, so that nothing remains of it.
///
/// # Errors
///
/// Returns a sentence if the system does not permit it, or [`enter`] was not called.
pub(crate) fn nameless_folder() -> Result<File, String> {
    let name = tempfile::tempdir().map_err(|error| error.to_string())?;
    in_memory(name.path())?;
    let folder = File::open(name.path()).map_err(|error| error.to_string());
    umount2(name.path(), MntFlags::MNT_DETACH).map_err(|error| error.desc().to_owned())?;
    folder
}

/// Covers a folder with an empty one in memory, in this namespace only.
fn in_memory(folder: &Path) -> Result<(), String> {
    mount(None::<&str>, folder, Some("tmpfs"), MsFlags::empty(), None::<&str>).map_err(|error| error.desc().to_owned())
}

/// A socket that changes the network of the kernel (RFC 3549).
struct Netlink(OwnedFd);

impl Netlink {
    fn open() -> Result<Self, String> {
        let flags = SockFlag::SOCK_CLOEXEC;
        socket(AddressFamily::Netlink, SockType::Raw, flags, SockProtocol::NetlinkRoute)
            .map(Self)
            .map_err(|error| format!("a netlink socket cannot be made: {}", error.desc()))
    }

    /// Sends `message` and waits for the kernel's answer.
    fn request(&self, message: &[u8]) -> Result<(), String> {
        let failed = |error: nix::Error| error.desc().to_owned();
        send(self.0.as_raw_fd(), message, MsgFlags::empty()).map_err(failed)?;
        let mut answer = [0; 4096];
        let length = recv(self.0.as_raw_fd(), &mut answer, MsgFlags::empty()).map_err(failed)?;
        // The answer is a header of 16 bytes and the negated number of the error, or 0.
        let number = answer[..length].get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
        match number {
            Some(0) => Ok(()),
            Some(number) => Err(nix::Error::from_raw(-number).desc().to_owned()),
            None => Err("the kernel's answer is too short".to_owned()),
        }
    }
}

/// The number of the loopback interface in a new namespace.
const LOOPBACK: u32 = 1;

/// Returns a request to use the loopback interface.
fn interface_up() -> Vec<u8> {
    const NEW_LINK: u16 = 16;
    const UP: u32 = 1;
    let mut body = vec![0; 4];
    body.extend(LOOPBACK.to_ne_bytes());
    body.extend(UP.to_ne_bytes());
    // The flags that change.
    body.extend(UP.to_ne_bytes());
    message(NEW_LINK, 0, &body)
}

/// Returns a request for a route by which each address of a version of IP is local.
fn everything_is_local(version: u8) -> Vec<u8> {
    const NEW_ROUTE: u16 = 24;
    const CREATE: u16 = 0x400;
    const TABLE_LOCAL: u8 = 255;
    const BY_AN_ADMINISTRATOR: u8 = 4;
    const SCOPE_HOST: u8 = 254;
    const TYPE_LOCAL: u8 = 2;
    let family = if version == 4 { AddressFamily::Inet } else { AddressFamily::Inet6 };
    let family = u8::try_from(family as i32).unwrap_or_default();
    // The lengths of both prefixes and the type of service are 0.
    let mut body = vec![family, 0, 0, 0, TABLE_LOCAL, BY_AN_ADMINISTRATOR, SCOPE_HOST, TYPE_LOCAL, 0, 0, 0, 0];
    const OUTPUT_INTERFACE: u16 = 4;
    body.extend(8_u16.to_ne_bytes());
    body.extend(OUTPUT_INTERFACE.to_ne_bytes());
    body.extend(LOOPBACK.to_ne_bytes());
    message(NEW_ROUTE, CREATE, &body)
}

/// Returns a message of `kind` whose answer states whether it succeeded.
fn message(kind: u16, flags: u16, body: &[u8]) -> Vec<u8> {
    const REQUEST: u16 = 1;
    const ACKNOWLEDGED: u16 = 4;
    const HEADER: u32 = 16;
    let length = HEADER + u32::try_from(body.len()).unwrap_or_default();
    let mut message = length.to_ne_bytes().to_vec();
    message.extend(kind.to_ne_bytes());
    message.extend((REQUEST | ACKNOWLEDGED | flags).to_ne_bytes());
    // The number of the message, and the sender, which the kernel fills in.
    message.extend([0; 8]);
    message.extend(body);
    message
}
