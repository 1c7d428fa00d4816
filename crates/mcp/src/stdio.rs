//! Serves a desk over standard input and output, until the client goes.
//!
//! Nothing else may write to standard output meanwhile: it carries the protocol's lines.

use std::io;

use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;

use super::{Desk, Handler};

/// A longer line is dropped unread.
const MOST_BYTES_A_LINE: usize = 4 << 20;

/// Why serving ended before the client went.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The machine gave no threads, or no events.
    #[error("cannot begin to serve: {0}")]
    Begin(#[from] io::Error),
    /// What came first was no request of the protocol.
    #[error(
        "the client does not begin with a request of the protocol: initialize, server/discover, or one that names its revision"
    )]
    Opening,
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
}

/// Serves until standard input ends; calls that are being answered then are answered first.
pub fn serve(desk: impl Desk) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(until_end(desk));
    // A call that takes long has nobody left to answer to.
    runtime.shutdown_background();
    result
}

async fn until_end(desk: impl Desk) -> Result<(), ServeError> {
    let (input, output) = rmcp::transport::stdio();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MOST_BYTES_A_LINE);
    let running = match Handler::new(desk).serve(transport).await {
        Ok(running) => running,
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(rmcp::service::ServerInitializeError::ExpectedInitializeRequest(_)) => return Err(ServeError::Opening),
        Err(error) => return Err(ServeError::Broken(error.to_string())),
    };
    running.waiting().await.map(|_| ()).map_err(|error| ServeError::Broken(error.to_string()))
}
