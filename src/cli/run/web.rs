//! Brings pages for the tool `fetch`: from hosts that the person allowed, by `https`, within limits, and from nowhere else.
//!
//! Shows no key and keeps no cookie. Which hosts are meant the tool looks at first; here it is made sure that a name leads to
//! no machine nearby, and an answer to no other host.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use annals_workspace::proxy::{AllowedHost, AllowedHosts, resolve};
use annals_workspace::tool::{FetchFailed, Fetcher};
use anyhow::Context as _;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, ClientBuilder, Url};
use tokio::runtime::Handle;

use crate::cli::shell::Usage;

/// A page takes no longer, redirects included.
const DEADLINE: Duration = Duration::from_secs(20);
/// More of a page is not read.
const MOST_BYTES: usize = 2 << 20;
/// A host that sends on more often has no page.
const MOST_REDIRECTS: usize = 5;
/// Where pages are.
const PORT: u16 = 443;

/// Brings pages from hosts that the person allowed.
pub(super) struct WebFetcher {
    hosts: Vec<String>,
    client: Client,
}

impl WebFetcher {
    /// None where no host is allowed. Asks nobody.
    pub(super) fn of(hosts: &[AllowedHost]) -> anyhow::Result<Option<Self>> {
        let names = hosts.iter().map(|host| {
            let words =
                || format!("--allow-host {host}: fetch reaches https://NAME alone; other hosts are for --executor");
            host.page_name().map(str::to_owned).ok_or_else(|| Usage(words()))
        });
        let names: Vec<_> = names.collect::<Result<_, _>>()?;
        if names.is_empty() {
            return Ok(None);
        }
        // A second call changes nothing, and the provider is the same.
        let _ = rustls::crypto::CryptoProvider::install_default(rustls::crypto::ring::default_provider());
        let known = KnownHosts(AllowedHosts::of(hosts.to_vec()));
        let client = bounded().https_only(true).dns_resolver(Arc::new(known)).build();
        Ok(Some(Self { hosts: names, client: client.context("no pages can be fetched")? }))
    }
}

impl Fetcher for WebFetcher {
    fn hosts(&self) -> &[String] {
        &self.hosts
    }

    fn fetch(&self, url: &str) -> Result<Vec<u8>, FetchFailed> {
        Handle::current().block_on(page(&self.client, url))
    }
}

fn bounded() -> ClientBuilder {
    Client::builder().redirect(Policy::custom(stays)).no_proxy().timeout(DEADLINE).user_agent("annals")
}

/// An answer may lead to another page of its host.
fn stays(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let from = attempt.previous().first().map(Url::origin);
    if from.is_some_and(|from| from != attempt.url().origin()) {
        let to = attempt.url().host_str().unwrap_or("another place").to_owned();
        return attempt.error(format!("it sends on to {to}, which is not followed"));
    }
    if attempt.previous().len() > MOST_REDIRECTS { attempt.error("it sends on without end") } else { attempt.follow() }
}

async fn page(client: &Client, url: &str) -> Result<Vec<u8>, FetchFailed> {
    let mut response = client.get(url).send().await.map_err(|error| failed(&error))?;
    if !response.status().is_success() {
        return Err(FetchFailed { why: format!("the host answers with status {}", response.status().as_u16()) });
    }
    let mut page = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(|error| failed(&error))? {
        page.extend_from_slice(&bytes);
        if page.len() > MOST_BYTES {
            page.truncate(MOST_BYTES);
            page.extend_from_slice(b"\n[the page is longer than 2 MiB: the rest was not read]");
            break;
        }
    }
    Ok(page)
}

/// The innermost reason says most.
fn failed(error: &reqwest::Error) -> FetchFailed {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let why = if error.is_timeout() { "it did not come in time".to_owned() } else { innermost.to_string() };
    FetchFailed { why: format!("the page cannot be had: {why}") }
}

/// Looks names up, and forgets addresses of this machine and its neighbours, whatever name leads there.
struct KnownHosts(AllowedHosts);

impl Resolve for KnownHosts {
    fn resolve(&self, name: Name) -> Resolving {
        let hosts = self.0.clone();
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found = tokio::task::spawn_blocking(move || resolve(&name, PORT)).await??;
            let known: Vec<SocketAddr> =
                found.into_iter().filter(|found| hosts.allows_address(found.ip(), PORT)).collect();
            if known.is_empty() {
                return Err("its name leads to no address of the open net".into());
            }
            Ok(Box::new(known.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// A server that answers each connection with the next of these, and where it is.
    fn server(answers: Vec<String>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for answer in answers {
                let (mut client, _) = listener.accept().expect("asked");
                let _ = client.read(&mut [0; 4096]);
                let _ = client.write_all(answer.as_bytes());
            }
        });
        at
    }

    fn answer(status: &str, headers: &str, body: &str) -> String {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
    }

    fn fetched(answers: Vec<String>) -> Result<String, String> {
        let _ = rustls::crypto::CryptoProvider::install_default(rustls::crypto::ring::default_provider());
        let runtime = crate::cli::models::runtime().expect("threads");
        let client = bounded().build().expect("a client");
        let page = runtime.block_on(page(&client, &format!("{}/a", server(answers))));
        page.map(|page| String::from_utf8_lossy(&page).into_owned()).map_err(|failed| failed.why)
    }

    #[test]
    fn a_page_comes_from_its_host_alone_and_is_bounded() {
        let moved = |to: &str| answer("302 Found", &format!("location: {to}\r\n"), "");
        let long = "x".repeat(MOST_BYTES + 1);
        let cut = format!("{}\n[the page is longer than 2 MiB: the rest was not read]", &long[1..]);
        let no_page = |why: &str| Err(format!("the page cannot be had: {why}"));
        let rows = [
            (vec![answer("200 OK", "", "hello")], Ok("hello".to_owned())),
            (vec![moved("/b"), answer("200 OK", "", "hello")], Ok("hello".to_owned())),
            (vec![moved("http://localhost:1/b")], no_page("it sends on to localhost, which is not followed")),
            (vec![moved("https://evil.example/b")], no_page("it sends on to evil.example, which is not followed")),
            (vec![moved("/a"); 7], no_page("it sends on without end")),
            (vec![answer("404 Not Found", "", "no")], Err("the host answers with status 404".to_owned())),
            (vec![answer("200 OK", "", &long)], Ok(cut)),
        ];
        for (answers, expected) in rows {
            let shown = answers[0].lines().next().unwrap_or_default().to_owned();
            assert_eq!(fetched(answers), expected, "{shown}");
        }
    }

    #[test]
    fn only_hosts_of_pages_are_taken_and_no_name_leads_to_this_machine() {
        let host = |text: &str| text.parse::<AllowedHost>().expect("a host");
        assert!(WebFetcher::of(&[]).expect("none").is_none());
        for other in ["127.0.0.1", "localhost", "docs.example.org:8080", "[::1]:443"] {
            let refused = WebFetcher::of(&[host(other)]).err().map(|error| error.to_string());
            assert!(refused.is_some_and(|words| words.contains("fetch reaches https://NAME alone")), "{other}");
        }
        let found = WebFetcher::of(&[host("Docs.example.org"), host("b.example:443")]).expect("hosts").expect("some");
        assert_eq!(found.hosts(), ["docs.example.org", "b.example"]);
        let runtime = crate::cli::models::runtime().expect("threads");
        let local = KnownHosts(AllowedHosts::of([AllowedHost::web("docs.example.org")]));
        let name = "localhost".parse::<Name>().expect("a name");
        assert!(runtime.block_on(local.resolve(name)).is_err());
    }
}
