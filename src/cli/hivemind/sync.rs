//! `annals hivemind sync`.

use crate::cli::shell::{Done, Outcome, Shell};

/// Arguments of `annals hivemind sync`.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub(super) fn run(_: &mut Shell, _: &Arguments) -> Done {
    Ok(Outcome::Done)
}
