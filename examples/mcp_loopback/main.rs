//! Serves the handler of `annals mcp` over loopback HTTP, with what the conformance suite of the protocol asks for beside it.
//!
//! `loopback PORT CONTEXT [ACTOR]`. The suite needs tools, prompts and resources of fixed names, and parts of the protocol that
//! Annals does not use (logging, sampling, elicitation, subscriptions): they stand in this example alone, behind the same
//! lists, cursors and errors. For tests on one machine; the program itself opens no port.

#![expect(deprecated, reason = "the suite still asks for parts of the protocol that are to go")]
#![expect(clippy::wildcard_imports, reason = "most of the protocol's model is named here")]
#![expect(clippy::print_stdout, reason = "who starts it must know the port")]

mod fixtures;
mod inputs;
mod server;

use std::path::PathBuf;

use annals_mcp::Handler;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::net::TcpListener;

use server::Loopback;

fn main() -> std::io::Result<()> {
    let usage = || std::io::Error::other("loopback PORT CONTEXT [ACTOR]");
    let mut arguments = std::env::args().skip(1);
    let port: u16 = arguments.next().and_then(|port| port.parse().ok()).ok_or_else(usage)?;
    let context = arguments.next().map(PathBuf::from).ok_or_else(usage)?;
    let handler = Handler::new(annals::cli::mcp::desk(context, arguments.next()));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(port, Loopback::new(handler)))
}

async fn serve<H: rmcp::ServerHandler + Clone>(port: u16, server: Loopback<H>) -> std::io::Result<()> {
    let sessions = LocalSessionManager::default().into();
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), sessions, StreamableHttpServerConfig::default());
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}/mcp", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
