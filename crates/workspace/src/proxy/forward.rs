//! Within a cell: a port of its own loopback, from which bytes pass to the socket of the proxy; and sockets by long paths.
//!
//! Decides nothing: who may be reached is known outside.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener};
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;

use super::splice::{Duplex, splice};

/// A port that leads to a proxy.
#[derive(Debug)]
pub struct Forwarder {
    port: u16,
}

impl Forwarder {
    /// Takes connections on a port that is free, until the process ends.
    pub fn start(socket: &Path) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let socket: PathBuf = socket.to_owned();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let socket = socket.clone();
                thread::spawn(move || match UnixStream::connect(&socket) {
                    Ok(proxy) => splice(client, proxy).unwrap_or_default(),
                    Err(_) => client.end(Shutdown::Both),
                });
            }
        });
        Ok(Self { port })
    }

    /// Which.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// A socket in a folder, however long the path to it is: the kernel takes no more than some hundred bytes of one.
pub fn listener_at(folder: &Path, name: &str) -> io::Result<UnixListener> {
    let opened = File::open(folder)?;
    UnixListener::bind(format!("/proc/self/fd/{}/{name}", opened.as_raw_fd()))
}
