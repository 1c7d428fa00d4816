//! `fetch`: a page, from a host that was allowed.
//!
//! Asks no host itself: whoever runs the tools hands in who does. Passes plain `https` addresses only.

use serde::Deserialize;
use thiserror::Error;

use super::{Ended, worked};
use crate::cut::HeadTail;

/// Brings pages.
pub trait Fetcher: Sync {
    /// The hosts that the person allowed, in small letters.
    fn hosts(&self) -> &[String];

    /// Brings what an address holds, from its host alone: an answer that points to another host is an error.
    fn fetch(&self, url: &str) -> Result<Vec<u8>, FetchFailed>;
}

/// A page was not had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct FetchFailed {
    /// Why.
    pub why: String,
}

#[derive(Deserialize)]
pub(super) struct FetchInput {
    url: String,
}

/// The most of the beginning, and of the end.
const MOST_BYTES: usize = 32 << 10;

pub(super) fn fetch(fetcher: Option<&dyn Fetcher>, input: &FetchInput) -> Ended {
    let Some(fetcher) = fetcher else { return Err("no page is fetched: no host is allowed".to_owned()) };
    let host = host(&input.url).ok_or_else(|| format!("{:?} is no plain address: https://HOST/…", input.url))?;
    if !fetcher.hosts().contains(&host) {
        return Err(format!("{host} is none of the hosts that are allowed: {}", fetcher.hosts().join(", ")));
    }
    let bytes = fetcher.fetch(&input.url).map_err(|failed| failed.to_string())?;
    let mut kept = HeadTail::new(MOST_BYTES);
    kept.take(&bytes);
    worked(kept.text())
}

/// The host of an address that everybody reads alike: no user, no other port, no letters that need rules.
fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let is_odd = |byte: u8| !byte.is_ascii_graphic() || matches!(byte, b'\\' | b'"' | b'<' | b'>');
    if url.len() > 2_000 || url.bytes().any(is_odd) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.strip_suffix(":443").unwrap_or(authority).to_ascii_lowercase();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let is_host =
        host.contains('.') && host.bytes().all(is_name) && host.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_host.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_that_everybody_reads_alike_has_a_host() {
        for (url, expected) in [
            ("https://docs.example.org/a?b#c", Some("docs.example.org")),
            ("https://DOCS.example.org:443", Some("docs.example.org")),
            ("http://docs.example.org", None),
            ("https://docs.example.org:8080/", None),
            ("https://user@docs.example.org/", None),
            ("https://docs.example.org@evil.example/", None),
            ("https://docs.example.org\\@evil.example/", None),
            ("https://127.0.0.1/", None),
            ("https://[::1]/", None),
            ("https://localhost/", None),
            ("https://döcs.example.org/", None),
            ("file:///etc/passwd", None),
            ("https://docs.example.org/\n", None),
        ] {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }
}
