//! The head of a request to a proxy: `CONNECT host:port`, or a plain request with the whole address in its first line.
//!
//! Reads and rewrites bytes. What is not understood is refused, never guessed.

use std::io::{self, Read};

use super::hosts::parted;

/// A longer head is none.
const MOST_BYTES: usize = 64 << 10;
/// What ends it.
const END: &[u8] = b"\r\n\r\n";
/// What is between a client and a proxy, and nobody else's; `Expect` would make an answer of two.
const OWN_HEADERS: [&str; 8] = [
    "connection", "proxy-connection", "proxy-authorization", "proxy-authenticate", "keep-alive", "expect", "upgrade",
    "te",
];

/// A head, and what came behind it.
pub(super) struct Head {
    pub(super) head: Vec<u8>,
    pub(super) rest: Vec<u8>,
}

/// What is asked of a proxy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A tunnel.
    Tunnel { host: String, port: u16 },
    /// One request, as its server is to get it.
    Plain { host: String, port: u16, head: Vec<u8> },
}

impl Asked {
    pub(super) fn place(&self) -> (&str, u16) {
        match self {
            Self::Tunnel { host, port } | Self::Plain { host, port, .. } => (host, *port),
        }
    }
}

/// Reads to the end of the head; nothing where there is none.
pub(super) fn read(from: &mut impl Read) -> io::Result<Option<Head>> {
    let (mut bytes, mut part) = (Vec::new(), vec![0; 8 << 10]);
    loop {
        let looked_at = bytes.len().saturating_sub(END.len());
        let length = from.read(&mut part)?;
        bytes.extend_from_slice(&part[..length]);
        if let Some(at) = bytes[looked_at..].windows(END.len()).position(|window| window == END) {
            let rest = bytes.split_off(looked_at + at + END.len());
            return Ok(Some(Head { head: bytes, rest }));
        }
        if length == 0 || bytes.len() > MOST_BYTES {
            return Ok(None);
        }
    }
}

/// What a head asks for.
pub(super) fn asked(head: &[u8]) -> Option<Asked> {
    let text = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, address, version, None) = (words.next()?, words.next()?, words.next()?, words.next()) else {
        return None;
    };
    if !version.starts_with("HTTP/1.") || method.is_empty() {
        return None;
    }
    if method == "CONNECT" {
        let (host, port) = parted(address)?;
        return Some(Asked::Tunnel { host, port: port? });
    }
    let rest = address.strip_prefix("http://")?;
    let (place, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (host, port) = parted(place)?;
    let slash = if path.starts_with('/') { "" } else { "/" };
    let head = format!("{method} {slash}{path} HTTP/1.1\r\nHost: {place}\r\n{}Connection: close\r\n\r\n", kept(lines)?);
    Some(Asked::Plain { host, port: port.unwrap_or(80), head: head.into_bytes() })
}

/// The answer's head, with which the connection ends: a client that took it for its own would send the next request to a
/// server that was not asked for.
pub(super) fn answered(head: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?;
    let (status, lines) = text.split_once("\r\n").unwrap_or((text, ""));
    let kept = kept(lines.split("\r\n").filter(|line| !line.is_empty()))?;
    Some(format!("{status}\r\n{kept}Connection: close\r\n\r\n").into_bytes())
}

/// Whether it is an answer before the answer.
pub(super) fn is_interim(head: &[u8]) -> bool {
    head.split(|byte| *byte == b' ').nth(1).is_some_and(|status| status.starts_with(b"1"))
}

/// The headers that go on. One that goes on in the next line is of a kind that nobody writes any more.
fn kept<'h>(lines: impl Iterator<Item = &'h str>) -> Option<String> {
    let mut found = String::new();
    for line in lines {
        let (name, _) = line.split_once(':')?;
        if name.is_empty() || name.contains([' ', '\t']) || line.contains(['\r', '\n', '\0']) {
            return None;
        }
        let name = name.to_ascii_lowercase();
        if name != "host" && !OWN_HEADERS.contains(&name.as_str()) {
            found.push_str(line);
            found.push_str("\r\n");
        }
    }
    Some(found)
}
