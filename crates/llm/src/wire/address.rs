//! Where a server is, and whether that is here.
//!
//! Asks no name server: a name is local only if it says so itself.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use reqwest::Url;

use crate::purpose::Place;

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

/// Why a text is no address of a server. The text is not repeated: it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadAddress {
    /// It cannot be read as one.
    #[error("the url is none: {reason}; write it as http://127.0.0.1:8080")]
    Unreadable {
        /// As the parser says.
        reason: String,
    },
    /// A file, or another protocol.
    #[error("the url begins with {scheme}:, where only http and https are asked")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// A key in an address ends up in logs.
    #[error("the url holds a name or a password; name a variable with `key_variable` instead")]
    Credentials,
    /// Paths are added to it.
    #[error("the url has a ? or # part, to which no path can be added")]
    Tail,
}

impl Address {
    /// Reads one.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let url = Url::parse(text).map_err(|error| BadAddress::Unreadable { reason: error.to_string() })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadAddress::Scheme { scheme: url.scheme().to_owned() });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BadAddress::Tail);
        }
        Ok(Self(url))
    }

    /// Local on the loopback and in private networks, by literal address or as `localhost`.
    pub fn place(&self) -> Place {
        let host = self.0.host_str().unwrap_or_default().trim_end_matches('.');
        let is_local = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private(),
            Ok(IpAddr::V6(ip)) => is_local_v6(ip),
            Err(_) => host == "localhost" || host.ends_with(".localhost"),
        };
        if is_local { Place::Local } else { Place::Cloud }
    }

    /// Whether what travels there can be read on the way.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether it belongs to a domain.
    pub fn is_of(&self, domain: &str) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        host == domain || host.strip_suffix(domain).is_some_and(|front| front.ends_with('.'))
    }

    /// With `/v1` where it has no path at all.
    #[must_use]
    pub fn versioned(self) -> Self {
        if self.0.path() == "/" { Self(self.at("/v1")) } else { self }
    }

    /// The address of a path below it.
    pub fn at(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}{path}", self.0.path().trim_end_matches('/')));
        url
    }
}

fn is_local_v6(ip: Ipv6Addr) -> bool {
    let inner = ip.to_ipv4_mapped();
    ip.is_loopback() || ip.is_unique_local() || inner.is_some_and(|ip| ip.is_loopback() || ip.is_private())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}
