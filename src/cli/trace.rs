//! `ANNALS_LOG`: who was asked, which tool ran and how long it took, on stderr, as each ends. Never part of the history.
//!
//! What is wanted is written as levels, `info` or `annals_act=debug`: names and figures, no texts.

use std::io::stderr;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::shell::Usage;

/// Begins to tell, where it is wanted.
pub(super) fn tell(wanted: Option<&str>) -> Result<(), Usage> {
    let Some(wanted) = wanted else { return Ok(()) };
    let targets: Targets = wanted.parse().map_err(|error| {
        Usage(format!("ANNALS_LOG={wanted}: {error}; it is a level (info, debug) or TARGET=LEVEL, with commas between"))
    })?;
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr).with_ansi(false).with_span_events(FmtSpan::CLOSE);
    tracing_subscriber::registry().with(lines).with(targets).init();
    Ok(())
}
