//! The proxy: takes connections on a socket, looks whether the host is allowed, and passes bytes.
//!
//! One thread waits, and each connection has its own. Dropping it ends all of them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::head::{self, Asked, Head};
use super::hosts::AllowedHosts;
use super::splice::{Duplex, down, splice, upwards};

/// How long a client may take to say what it wants.
const HEAD_WAIT: Duration = Duration::from_secs(30);
/// How long a server may take to be there.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// More connections at a time are closed at once.
const MOST_AT_ONCE: usize = 128;
/// More refused hosts are counted together.
const MOST_NAMES: usize = 50;
/// As which.
const OTHERS: &str = "others";

/// How a name becomes addresses.
pub type Resolve = fn(&str, u16) -> io::Result<Vec<SocketAddr>>;

/// As the machine does it.
pub fn resolve(name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    Ok((name, port).to_socket_addrs()?.collect())
}

/// A proxy at work.
#[derive(Debug)]
pub struct Proxy {
    listener: UnixListener,
    shared: Arc<Shared>,
}

/// What its threads share.
#[derive(Debug)]
struct Shared {
    hosts: AllowedHosts,
    resolve: Resolve,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    refused: BTreeMap<String, u64>,
    /// Connections, by their numbers.
    open: BTreeMap<u64, Open>,
    begun: u64,
    is_over: bool,
}

/// A connection that is open.
#[derive(Debug)]
struct Open {
    client: UnixStream,
    server: Option<TcpStream>,
}

impl Proxy {
    /// Takes connections from now on.
    pub fn start(listener: UnixListener, hosts: AllowedHosts, resolve: Resolve) -> io::Result<Self> {
        let shared = Arc::new(Shared { hosts, resolve, state: Mutex::default() });
        let (waiting, own) = (listener.try_clone()?, Arc::clone(&shared));
        thread::spawn(move || take(&waiting, &own));
        Ok(Self { listener, shared })
    }

    /// Hosts that were asked for and not allowed, as `host:port`, and how often.
    pub fn refused(&self) -> BTreeMap<String, u64> {
        self.shared.state().refused.clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_over = true;
        for open in state.open.values() {
            open.client.end(Shutdown::Both);
            open.server.iter().for_each(|server| server.end(Shutdown::Both));
        }
        drop(state);
        // Who waits for the next one is told that there is none.
        rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both).ok();
    }
}

fn take(listener: &UnixListener, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        let Ok(client) = client else {
            if shared.state().is_over {
                return;
            }
            continue;
        };
        let Some(number) = shared.begins(&client) else { continue };
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            // What goes wrong in a connection is its end.
            shared.serve(number, client).ok();
            shared.state().open.remove(&number);
        });
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begins(&self, client: &UnixStream) -> Option<u64> {
        let mut state = self.state();
        if state.is_over || state.open.len() >= MOST_AT_ONCE {
            return None;
        }
        state.begun += 1;
        let number = state.begun;
        state.open.insert(number, Open { client: client.try_clone().ok()?, server: None });
        Some(number)
    }

    fn serve(&self, number: u64, mut client: UnixStream) -> io::Result<()> {
        client.set_read_timeout(Some(HEAD_WAIT))?;
        let Some(Head { head, rest }) = head::read(&mut client)? else { return Ok(()) };
        client.set_read_timeout(None)?;
        let Some(asked) = head::asked(&head) else { return says(&mut client, "400 Bad Request", "") };
        let mut server = match self.reached(&asked) {
            Ok(server) => server,
            Err((status, why)) => return says(&mut client, status, &why),
        };
        if let Some(open) = self.state().open.get_mut(&number) {
            open.server = Some(server.try_clone()?);
        }
        match asked {
            Asked::Tunnel { .. } => {
                client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
                server.write_all(&rest)?;
                splice(client, server)
            }
            Asked::Plain { head, .. } => {
                server.write_all(&head)?;
                server.write_all(&rest)?;
                one_answer(client, server)
            }
        }
    }

    /// Connects to the host that is wanted, where that is allowed. What is not allowed is not looked up.
    fn reached(&self, asked: &Asked) -> Result<TcpStream, (&'static str, String)> {
        let (host, port) = asked.place();
        if !self.hosts.allows(host, port) {
            self.refuse(host, port);
            return Err((
                "403 Forbidden",
                format!("annals: {host}:{port} is not among the hosts that this task may reach\n"),
            ));
        }
        let bad = |error: io::Error| ("502 Bad Gateway", format!("annals: {host}:{port}: {error}\n"));
        let found = (self.resolve)(host, port).map_err(bad)?;
        let mut open: Vec<_> = found.iter().filter(|to| self.hosts.allows_address(to.ip(), port)).collect();
        if open.is_empty() && !found.is_empty() {
            self.refuse(host, port);
            return Err(("403 Forbidden", format!("annals: {host} leads to an address that is not public\n")));
        }
        let last = open.pop().ok_or_else(|| bad(io::ErrorKind::NotFound.into()))?;
        let earlier = open.into_iter().find_map(|to| TcpStream::connect_timeout(to, CONNECT_WAIT).ok());
        earlier.map_or_else(|| TcpStream::connect_timeout(last, CONNECT_WAIT).map_err(bad), Ok)
    }

    fn refuse(&self, host: &str, port: u16) {
        let mut state = self.state();
        let name = format!("{host}:{port}");
        let is_known = state.refused.contains_key(&name) || state.refused.len() < MOST_NAMES;
        *state.refused.entry(if is_known { name } else { OTHERS.to_owned() }).or_default() += 1;
    }
}

/// One answer, and the connection is over.
fn one_answer(mut client: UnixStream, mut server: TcpStream) -> io::Result<()> {
    let up = upwards(client.again()?, server.again()?);
    while let Some(Head { head, rest }) = head::read(&mut server)? {
        let is_interim = head::is_interim(&head) && rest.is_empty();
        if is_interim {
            continue;
        }
        let Some(head) = head::answered(&head) else { break };
        client.write_all(&head)?;
        client.write_all(&rest)?;
        break;
    }
    down(server, client);
    drop(up.join());
    Ok(())
}

fn says(client: &mut UnixStream, status: &str, why: &str) -> io::Result<()> {
    let length = why.len();
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{why}");
    client.write_all(answer.as_bytes())?;
    client.end(Shutdown::Both);
    Ok(())
}
