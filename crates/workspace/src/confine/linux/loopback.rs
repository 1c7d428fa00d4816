//! Raises the loopback interface of a network of one's own, so that a test can talk to a server that it started.
//!
//! Asks the kernel over its route socket, with one message. Needs no program.

use std::io;

use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, send, socket_with};

/// `RTM_NEWLINK`.
const NEW_LINK: u16 = 16;
/// `NLM_F_REQUEST`.
const REQUEST: u16 = 1;
/// `IFF_UP`.
const UP: u32 = 1;
/// Loopback is the first interface of each network.
const LOOPBACK: i32 = 1;

/// Raises it.
pub(super) fn raise() -> io::Result<()> {
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    send(&socket, &message(), SendFlags::empty())?;
    Ok(())
}

/// `nlmsghdr`, then `ifinfomsg`.
fn message() -> Vec<u8> {
    let mut body = vec![0, 0];
    body.extend(0u16.to_ne_bytes());
    body.extend(LOOPBACK.to_ne_bytes());
    body.extend(UP.to_ne_bytes());
    body.extend(UP.to_ne_bytes());
    let length = u32::try_from(16 + body.len()).expect("BUG: a message of 32 bytes");
    let mut message = length.to_ne_bytes().to_vec();
    message.extend(NEW_LINK.to_ne_bytes());
    message.extend(REQUEST.to_ne_bytes());
    message.extend([0; 8]);
    message.extend(body);
    message
}
