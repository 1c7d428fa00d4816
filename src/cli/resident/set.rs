//! `annals resident override`: one of the agent's states, set for a while (Galatea, track 1e).

use crate::cli::message::AGENT;
use crate::cli::shell::{Done, Shell};
use crate::domain::Event;
use crate::domain::resident::command::{Command, Override};
use crate::domain::resident::event::Event as OfResident;
use crate::domain::resident::{Dimension, DimensionState};
use crate::kernel::json::Json;

/// Arguments of `annals resident override`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The scale: `knowledge_sufficiency`, `certainty_alignment`, `progress_momentum`, `communication_health`,
    /// `productive_engagement` or `knowledge_application`
    dimension: Dimension,
    /// The state: LOW, HEALTHY or HIGH
    state: DimensionState,
    /// For how long, in milliseconds [default: five minutes]
    #[arg(long, value_name = "MS")]
    ttl_ms: Option<u64>,
    /// Of which agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let Arguments { dimension, state, ttl_ms, .. } = *arguments;
    let set = Override { agent: arguments.agent.as_str().into(), dimension, state, ttl_ms };
    shell.decide(&engine, Command::from(set), &Json::empty_object(), |out, answer| {
        answer.events.iter().try_for_each(|event| {
            let Event::Resident(OfResident::Overridden(set)) = event else { return Ok(()) };
            out.line(format_args!("{} of {} is {} until {}", set.dimension, set.agent, set.state, set.until))
        })
    })
}
