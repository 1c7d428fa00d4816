//! HTTP to one server: within limits, without following anybody elsewhere, with a key that is read when it is sent.
//!
//! Asks once; whether to ask again is decided in `models`.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, NoProxy, Proxy, Response, Url};
use serde::Serialize;
use serde_json::Value;

use super::address::Address;
use super::after::retry_after_ms;
use super::trouble::Trouble;
use super::{ANSWER_BYTES, json};
use crate::failure::{KEPT_BYTES, ModelError, kept};
use crate::purpose::Place;
use crate::surroundings::Surroundings;

/// A server that takes longer to be reached is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// How a server is shown a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRule {
    /// The variable that holds it.
    pub variable: String,
    /// The header it goes into.
    pub header: &'static str,
    /// What stands before it there.
    pub prefix: &'static str,
}

/// One server.
pub struct Http {
    client: Client,
    address: Address,
    key: Option<KeyRule>,
    fixed: HeaderMap,
    surroundings: Arc<dyn Surroundings>,
}

/// Why no server can be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no client can be made: {reason}")]
pub struct NoClient {
    reason: String,
}

impl Http {
    /// Opens nothing yet.
    pub fn new(address: Address, key: Option<KeyRule>, surroundings: Arc<dyn Surroundings>) -> Result<Self, NoClient> {
        let no_client = |error: reqwest::Error| NoClient { reason: reason(&error) };
        let builder =
            Client::builder().redirect(Policy::none()).no_proxy().connect_timeout(CONNECT).user_agent("annals");
        let builder = with_tls(with_proxy(builder, &address, &*surroundings).map_err(no_client)?, &address);
        Ok(Self { client: builder.build().map_err(no_client)?, address, key, fixed: HeaderMap::new(), surroundings })
    }

    /// With a header that every request has.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.fixed.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Sends a body and waits for the beginning of the answer.
    pub async fn post(&self, path: &str, body: &impl Serialize) -> Result<Incoming, ModelError> {
        let url = self.address.at(path);
        let body = serde_json::to_vec(body).expect("BUG: bodies are plain data");
        let request = self.client.post(url).header(CONTENT_TYPE, "application/json").body(body);
        self.sent(request).await
    }

    /// Sends a body and reads the answer, which is JSON.
    pub async fn post_for_json(&self, path: &str, body: &impl Serialize) -> Result<Value, ModelError> {
        self.post(path, body).await?.json().await
    }

    /// Reads JSON.
    pub async fn get_json(&self, path: &str) -> Result<Value, ModelError> {
        self.sent(self.client.get(self.address.at(path))).await?.json().await
    }

    async fn sent(&self, request: reqwest::RequestBuilder) -> Result<Incoming, ModelError> {
        let response = request.headers(self.fixed.clone()).headers(self.key_header()?).send().await;
        let at = self.address.to_string();
        let response = response.map_err(|error| ModelError::Unreachable { at: at.clone(), reason: reason(&error) })?;
        let incoming = Incoming { response, at, received: Vec::new(), last: 0, limit: ANSWER_BYTES };
        if incoming.response.status().is_success() { Ok(incoming) } else { Err(self.refusal(incoming).await) }
    }

    /// Read anew each time and kept nowhere. What is empty is as good as unset.
    fn key_header(&self) -> Result<HeaderMap, ModelError> {
        let Some(rule) = &self.key else { return Ok(HeaderMap::new()) };
        let no_key = || ModelError::NoKey { variable: rule.variable.clone() };
        let key = self.surroundings.variable(&rule.variable).unwrap_or_default();
        let key = Some(key.trim()).filter(|key| !key.is_empty()).ok_or_else(no_key)?;
        let mut value = HeaderValue::from_str(&format!("{}{key}", rule.prefix)).map_err(|_| no_key())?;
        value.set_sensitive(true);
        Ok(HeaderMap::from_iter([(HeaderName::from_static(rule.header), value)]))
    }

    async fn refusal(&self, mut incoming: Incoming) -> ModelError {
        let (at, status) = (incoming.at.clone(), incoming.response.status());
        let header = |name| incoming.response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if status.is_redirection() {
            return ModelError::Redirected { at, to: host(header(LOCATION).unwrap_or_default()) };
        }
        let retry_after_ms = header(RETRY_AFTER).and_then(|text| retry_after_ms(text, self.surroundings.now()));
        incoming.limit = KEPT_BYTES;
        while let Ok(Some(_)) = incoming.next().await {}
        ModelError::Status { at, status: status.as_u16(), said: words(&incoming.received), retry_after_ms }
    }
}

/// The words of an error's body: its message, where it has one.
fn words(body: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    let error = value.as_ref().and_then(|value| value.get("error"));
    let message = error.map(|error| error.as_str().unwrap_or_else(|| json::text(error, "/message")));
    message.filter(|message| !message.is_empty()).map_or_else(|| kept(body), str::to_owned)
}

/// Where a redirect leads. Its path and query may hold what was asked.
fn host(location: &str) -> String {
    let url = Url::parse(location).ok();
    url.and_then(|url| Some(format!("{}://{}", url.scheme(), url.host_str()?)))
        .unwrap_or_else(|| "another path".to_owned())
}

/// Local servers are asked directly; for others the proxy of the environment counts.
fn with_proxy(
    builder: ClientBuilder,
    address: &Address,
    surroundings: &dyn Surroundings,
) -> Result<ClientBuilder, reqwest::Error> {
    let first =
        |names: &[&str]| names.iter().filter_map(|name| surroundings.variable(name)).find(|text| !text.is_empty());
    let names = if address.is_encrypted() { ["https_proxy", "HTTPS_PROXY"] } else { ["http_proxy"; 2] };
    let proxy = first(&names).or_else(|| first(&["all_proxy", "ALL_PROXY"]));
    match proxy {
        Some(proxy) if address.place() == Place::Cloud => {
            let except = first(&["no_proxy", "NO_PROXY"]).and_then(|hosts| NoProxy::from_string(&hosts));
            Ok(builder.proxy(Proxy::all(proxy)?.no_proxy(except)))
        }
        Some(_) | None => Ok(builder),
    }
}

/// The system's certificates take 10 to 30 ms to read, so a client that needs none reads none.
fn with_tls(builder: ClientBuilder, address: &Address) -> ClientBuilder {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    if address.is_encrypted() {
        // A second call changes nothing, and the provider is the same.
        let _ = rustls::crypto::CryptoProvider::install_default(provider.as_ref().clone());
        return builder;
    }
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("BUG: ring has the default versions")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    builder.tls_backend_preconfigured(config)
}

/// The innermost reason says most, and holds no address.
fn reason(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    if error.source().is_some() { innermost.to_string() } else { "the request failed".to_owned() }
}

/// An answer that has begun.
pub struct Incoming {
    response: Response,
    at: String,
    received: Vec<u8>,
    last: usize,
    limit: usize,
}

impl Incoming {
    /// The next bytes; none at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        let bytes = self.response.chunk().await.map_err(|error| self.broken(&reason(&error)))?;
        let Some(bytes) = bytes else { return Ok(None) };
        self.last = self.received.len();
        self.received.extend_from_slice(&bytes);
        if self.received.len() > self.limit {
            return Err(self.blame(Trouble::TooLarge { limit: self.limit }));
        }
        Ok(Some(bytes.to_vec()))
    }

    /// Whether what came last were the first bytes.
    pub fn is_at_start(&self) -> bool {
        self.last == 0
    }

    /// What came so far.
    pub fn received(&self) -> &[u8] {
        &self.received
    }

    /// What came so far, as a text.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// What the server says it is.
    pub fn kind(&self) -> String {
        let kind = self.response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        kind.unwrap_or("of no type").to_owned()
    }

    /// All of it, as JSON.
    pub async fn json(mut self) -> Result<Value, ModelError> {
        while self.next().await?.is_some() {}
        let value = serde_json::from_slice(&self.received);
        value.map_err(|error| self.blame(Trouble::unreadable(format!("{error}; it is {}", self.kind()))))
    }

    /// It ended too early.
    pub fn broken(&self, reason: &str) -> ModelError {
        ModelError::Broken { at: self.at.clone(), reason: reason.to_owned(), received: kept(&self.received) }
    }

    /// What is wrong with it, with whose it is.
    pub fn blame(&self, trouble: Trouble) -> ModelError {
        trouble.of(&self.at, &self.received)
    }
}
