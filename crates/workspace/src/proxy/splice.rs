//! Passes bytes between two connections until both have said all.
//!
//! Looks at none of them.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;

/// A connection of either kind.
pub(super) trait Duplex: Read + Write + Send + Sized + 'static {
    /// Another handle of the same one.
    fn again(&self) -> io::Result<Self>;
    /// Ends it, or one way of it. One that is closed already has nothing to end.
    fn end(&self, which: Shutdown);
}

impl Duplex for TcpStream {
    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }

    fn end(&self, which: Shutdown) {
        self.shutdown(which).ok();
    }
}

impl Duplex for UnixStream {
    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }

    fn end(&self, which: Shutdown) {
        self.shutdown(which).ok();
    }
}

/// Both ways, until the server has said all.
pub(super) fn splice<C: Duplex, S: Duplex>(client: C, server: S) -> io::Result<()> {
    let up = upwards(client.again()?, server.again()?);
    down(server, client);
    // The client's end is seen there, for both were closed.
    drop(up.join());
    Ok(())
}

/// What the client says, on a thread of its own.
pub(super) fn upwards<C: Duplex, S: Duplex>(mut client: C, mut server: S) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        io::copy(&mut client, &mut server).ok();
        server.end(Shutdown::Write);
    })
}

/// What the server says; then the client is told that this was all.
pub(super) fn down<C: Duplex, S: Duplex>(mut server: S, mut client: C) {
    io::copy(&mut server, &mut client).ok();
    client.end(Shutdown::Both);
    server.end(Shutdown::Both);
}
