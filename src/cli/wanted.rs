//! Which entries are meant: the options that `log`, `search`, `stats` and `session list` share.

use super::shell::{Edge, Shell};
use crate::engine::query::filter::Filter;
use crate::kernel::envelope::Ending;
use crate::kernel::id::EntryId;

/// Which entries are meant; an entry must fit every option.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Wanted {
    /// From this time on: a time, a day, or how long ago (`annals help times`)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Up to this time
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Entries in whose texts this stands, in large values too
    #[arg(long)]
    pub text: Option<String>,
    /// Entries that touched this file: a path, the end of one, or a folder; may be given again
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// Entries of this agent, or of user; * stands for anything, and several may be given
    #[arg(long = "agent", value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Only what failed
    #[arg(long)]
    pub failed: bool,
}

impl Wanted {
    /// The filter, which ends where `--at` does.
    pub(super) fn filter(&self, shell: &Shell) -> anyhow::Result<Filter> {
        let bound = |option: &str, text: &Option<String>, edge| {
            text.as_deref().map(|text| shell.bound(option, text, edge)).transpose()
        };
        let at = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
        let until = bound("--until", &self.until, Edge::Last)?;
        Ok(Filter {
            agents: self.agents.clone(),
            files: self.files.clone(),
            since: bound("--since", &self.since, Edge::First)?.unwrap_or_default(),
            until: until.into_iter().chain(at).min(),
            text: self.text.clone(),
            ending: self.failed.then_some(Ending::Failed),
            ..Filter::default()
        })
    }

    /// Whether only an entry itself tells that it fits: what is known of its session does not.
    pub(super) fn needs_entries(&self) -> bool {
        self.text.is_some() || !self.files.is_empty() || self.failed || self.has_bounds()
    }

    /// Whether anything was asked for.
    pub(super) fn is_any(&self) -> bool {
        self.needs_entries() || !self.agents.is_empty()
    }

    fn has_bounds(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }
}
