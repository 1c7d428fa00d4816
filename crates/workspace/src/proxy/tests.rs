//! What the proxy lets pass, over real sockets of this machine.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;

use proptest::prelude::*;
use tempfile::TempDir;

use super::head::{Asked, answered, asked};
use super::{AllowedHost, AllowedHosts, Forwarder, Proxy, Resolve, listener_at};

/// A proxy on a socket of its own.
struct Way {
    folder: TempDir,
    proxy: Proxy,
}

impl Way {
    fn to(hosts: &[String], resolve: Resolve) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hosts = AllowedHosts::of(hosts.iter().map(|host| host.parse().unwrap()));
        let listener = listener_at(folder.path(), "proxy.sock").unwrap();
        Self { proxy: Proxy::start(listener, hosts, resolve).unwrap(), folder }
    }

    /// What comes back.
    fn says(&self, request: &str) -> String {
        let mut stream = UnixStream::connect(self.folder.path().join("proxy.sock")).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut said = String::new();
        // One that is cut off has said what it said.
        stream.read_to_string(&mut said).ok();
        said
    }
}

/// A server that answers each connection once, and tells what it was asked.
fn server() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut part = [0; 4096];
            let length = stream.read(&mut part).unwrap();
            let asked = String::from_utf8_lossy(&part[..length]).into_owned();
            let answer = format!("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\n<{asked}>");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    at
}

fn nobody(name: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
    panic!("{name} is not to be looked up")
}

#[expect(clippy::unnecessary_wraps, reason = "as names are resolved")]
fn to_loopback(_: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    Ok(vec![(Ipv4Addr::LOCALHOST, port).into()])
}

#[test]
fn a_host_that_was_named_is_reached_by_tunnel_and_by_request() {
    let at = server();
    let way = Way::to(&[at.to_string()], super::resolve);
    let tunnel = way.says(&format!("CONNECT {at} HTTP/1.1\r\nHost: {at}\r\n\r\nhello"));
    assert!(tunnel.starts_with("HTTP/1.1 200 Connection established\r\n\r\n"), "{tunnel}");
    assert!(tunnel.ends_with("<hello>"), "{tunnel}");
    let plain = way.says(&format!(
        "POST http://{at}/a?b=c HTTP/1.1\r\nHost: evil\r\nProxy-Authorization: secret\r\nConnection: keep-alive\r\nX: y\r\n\r\nbody"
    ));
    let expected = format!("<POST /a?b=c HTTP/1.1\r\nHost: {at}\r\nX: y\r\nConnection: close\r\n\r\n");
    assert!(plain.contains(&expected), "{plain}");
    assert!(plain.starts_with("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), "{plain}");
    assert!(way.proxy.refused().is_empty());
}

#[test]
fn a_host_that_is_not_allowed_is_never_looked_up_and_is_counted() {
    let way = Way::to(&["api.example.com".to_owned()], nobody);
    for request in [
        "CONNECT evil.example.com:443 HTTP/1.1\r\n\r\n",
        "CONNECT evil.example.com:443 HTTP/1.1\r\n\r\n",
        "CONNECT api.example.com:22 HTTP/1.1\r\n\r\n",
        "CONNECT api.example.com.evil.com:443 HTTP/1.1\r\n\r\n",
        "CONNECT 169.254.169.254:80 HTTP/1.1\r\n\r\n",
        "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
        "GET http://2130706433/ HTTP/1.1\r\n\r\n",
        "CONNECT [::1]:443 HTTP/1.1\r\n\r\n",
    ] {
        assert!(way.says(request).starts_with("HTTP/1.1 403 Forbidden"), "{request}");
    }
    let refused = way.proxy.refused();
    assert_eq!(refused.get("evil.example.com:443"), Some(&2));
    assert_eq!(refused.len(), 7, "{refused:?}");
}

/// Whoever answers for the name would else choose whom we connect to.
#[test]
fn a_name_that_leads_to_this_machine_is_refused_unless_the_address_was_named() {
    let at = server();
    let port = at.port();
    let request = format!("CONNECT api.example.com:{port} HTTP/1.1\r\n\r\nhello");
    let named = format!("api.example.com:{port}");
    let way = Way::to(std::slice::from_ref(&named), to_loopback);
    assert!(way.says(&request).contains("an address that is not public"));
    assert_eq!(way.proxy.refused().get(&named), Some(&1));
    let way = Way::to(&[named, at.to_string()], to_loopback);
    assert!(way.says(&request).ends_with("<hello>"));
}

#[test]
fn what_is_no_request_to_a_proxy_is_refused() {
    let at = server();
    let way = Way::to(&[at.to_string()], super::resolve);
    for request in [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n".to_owned(),
        "CONNECT nothing HTTP/1.1\r\n\r\n".to_owned(),
        format!("GET http://user@{at}/ HTTP/1.1\r\n\r\n"),
        format!("GET http://{at}/ HTTP/1.1\r\nA: b\r\n folded\r\n\r\n"),
        format!("GET http://{at}/ HTTP/1.1\r\nno header\r\n\r\n"),
        format!("CONNECT {at} HTTP/2\r\n\r\n"),
        "\u{16}\u{3}\u{1}\r\n\r\n".to_owned(),
    ] {
        assert!(way.says(&request).starts_with("HTTP/1.1 400"), "{request}");
    }
}

#[test]
fn a_port_leads_to_the_proxy() {
    let at = server();
    let way = Way::to(&[at.to_string()], super::resolve);
    let forwarder = Forwarder::start(&way.folder.path().join("proxy.sock")).unwrap();
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, forwarder.port())).unwrap();
    stream.write_all(format!("CONNECT {at} HTTP/1.1\r\n\r\nhello").as_bytes()).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    assert!(said.ends_with("<hello>"), "{said}");
}

#[test]
fn who_drops_it_ends_every_connection() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at = silent.local_addr().unwrap();
    let Way { folder, proxy } = Way::to(&[at.to_string()], super::resolve);
    let mut stream = UnixStream::connect(folder.path().join("proxy.sock")).unwrap();
    stream.write_all(format!("CONNECT {at} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
    let mut established = [0; 39];
    stream.read_exact(&mut established).unwrap();
    drop(proxy);
    assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0, "it is over");
}

#[test]
fn hosts_are_read_as_people_write_them() {
    for (text, shown) in [
        ("API.Example.com", Some("api.example.com")),
        ("api.example.com.:8443", Some("api.example.com:8443")),
        ("127.0.0.1:8901", Some("127.0.0.1:8901")),
        ("[::1]:80", Some("[::1]:80")),
        ("::1", Some("[::1]")),
        ("*.example.com", None),
        ("https://a.b", None),
        ("a.b:0", None),
        ("a.b:99999", None),
        ("a b", None),
        ("", None),
    ] {
        let host = text.parse::<AllowedHost>().ok().map(|host| host.to_string());
        assert_eq!(host.as_deref(), shown, "{text}");
    }
}

#[test]
fn only_addresses_of_the_open_net_are_public() {
    let none = AllowedHosts::default();
    let allows = |address: &str| none.allows_address(address.parse::<IpAddr>().unwrap(), 443);
    for address in ["8.8.8.8", "160.79.104.10", "2607:6bc0::10", "172.32.0.1", "100.128.0.1"] {
        assert!(allows(address), "{address}");
    }
    for address in [
        "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "255.255.255.255", "224.0.0.1", "198.18.0.1", "192.0.0.8", "::1", "::", "fe80::1", "fd00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2001:db8::1", "64:ff9b::7f00:1",
    ] {
        assert!(!allows(address), "{address}");
    }
}

#[test]
fn the_answer_of_a_server_ends_the_connection() {
    let head = answered(b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nA: b\r\n\r\n").unwrap();
    assert_eq!(String::from_utf8(head).unwrap(), "HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n");
}

proptest! {
    /// Whatever a client writes: what comes out of it as a head has one request in it, and names the host that was looked at.
    #[test]
    fn a_head_that_is_passed_on_has_one_end(bytes in prop::collection::vec(any::<u8>(), 0..200), line in "[ -~\r\n]{0,80}") {
        drop(asked(&bytes));
        let request = format!("GET http://a.b/ HTTP/1.1\r\n{line}\r\n\r\n");
        if let Some(Asked::Plain { host, head, .. }) = asked(request.as_bytes()) {
            let text = String::from_utf8(head).unwrap();
            prop_assert_eq!(host, "a.b");
            prop_assert_eq!(text.matches("\r\n\r\n").count(), 1);
            prop_assert_eq!(text.to_ascii_lowercase().matches("\nhost:").count(), 1);
        }
    }
}
