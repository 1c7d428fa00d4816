//! Which hosts may be reached, and which addresses.
//!
//! Pure. Names are compared as they are written: what is spelled otherwise is another host, and refused.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A host that may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    name: String,
    /// None: 80 and 443.
    port: Option<u16>,
}

/// What is no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no host: write NAME, NAME:PORT, or [ADDRESS]:PORT, without patterns")]
pub struct BadHost {
    /// As it was written.
    pub text: String,
}

/// The ports of the web.
const WEB: [u16; 2] = [80, 443];
/// The longest name.
const NAME_CHARS: usize = 253;

impl AllowedHost {
    /// A host by its name, on the ports of the web.
    pub fn web(name: &str) -> Self {
        Self { name: folded(name), port: None }
    }

    /// Its name, where pages can be had from it by `https`: no address, no name of this machine, and no other port.
    pub fn page_name(&self) -> Option<&str> {
        let is_named = self.name.contains('.') && self.name.parse::<IpAddr>().is_err();
        (is_named && self.is_on(443)).then_some(self.name.as_str())
    }

    fn is_on(&self, port: u16) -> bool {
        self.port.map_or_else(|| WEB.contains(&port), |own| own == port)
    }

    /// Whether it names this address itself, and not a name that leads to it.
    fn names(&self, address: IpAddr) -> bool {
        let is_itself = self.name.parse::<IpAddr>().is_ok_and(|own| own.to_canonical() == address);
        is_itself || self.name == "localhost" && address.is_loopback()
    }
}

impl FromStr for AllowedHost {
    type Err = BadHost;

    fn from_str(text: &str) -> Result<Self, BadHost> {
        let (name, port) = parted(text).ok_or_else(|| BadHost { text: text.to_owned() })?;
        Ok(Self { name, port })
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.contains(':') { format!("[{}]", self.name) } else { self.name.clone() };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        f.pad(&format!("{name}{port}"))
    }
}

/// A name and a port, where one is written.
pub(super) fn parted(text: &str) -> Option<(String, Option<u16>)> {
    let (name, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) = rest.split_once(']')?;
            name.parse::<Ipv6Addr>().ok()?;
            (name, Some(rest).filter(|rest| !rest.is_empty()).map(|rest| rest.strip_prefix(':').ok_or(())))
        }
        None => match text.rsplit_once(':') {
            Some((name, port)) if !name.contains(':') => (name, Some(Ok(port))),
            Some(_) | None => (text, None),
        },
    };
    let port = port.map(|port| port.ok().and_then(|port| port.parse::<u16>().ok()).filter(|port| *port > 0).ok_or(()));
    let port = port.transpose().ok()?;
    let name = folded(name);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
    let is_name = !name.is_empty() && name.len() <= NAME_CHARS && name.chars().all(is_plain);
    (is_name || name.parse::<Ipv6Addr>().is_ok()).then_some((name, port))
}

/// Upper and lower case are one name, and so is one with the dot of the root.
fn folded(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// The hosts that may be reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedHosts(Vec<AllowedHost>);

impl AllowedHosts {
    /// These.
    pub fn of(hosts: impl IntoIterator<Item = AllowedHost>) -> Self {
        Self(hosts.into_iter().collect())
    }

    /// Whether a host may be asked for by its name.
    pub(super) fn allows(&self, name: &str, port: u16) -> bool {
        self.0.iter().any(|host| host.name == name && host.is_on(port))
    }

    /// Whether an address may be connected to, to which a name led that is allowed.
    pub fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        let address = address.to_canonical();
        is_public(address) || self.0.iter().any(|host| host.names(address) && host.is_on(port))
    }
}

/// Whether an address is one of the open net: not of this machine, its neighbours, or the likes of them.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_special = first == 0 || first >= 240 || (first, second, third) == (192, 0, 0);
    let is_benchmark = first == 198 && (second == 18 || second == 19);
    !(address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || is_shared
        || is_special
        || is_benchmark)
}

/// Only what is given out to the world, and no address in which one of the old kind is wrapped.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_given_out = first & 0xe000 == 0x2000;
    let is_documentation = (first, second) == (0x2001, 0x0db8);
    let wraps = first == 0x2002 || (first, second) == (0x2001, 0);
    is_given_out && !is_documentation && !wraps
}
