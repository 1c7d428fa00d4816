//! `annals message send`: the door that every connector uses.

use std::collections::BTreeMap;

use super::AGENT;
use crate::cli::shell::{Done, Shell, Usage, text_of};
use crate::domain::Event;
use crate::domain::resident::command::{Command, Send};
use crate::domain::resident::event::Event as OfResident;
use crate::kernel::json::Json;

/// Arguments of `annals message send`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What is said; - reads it from stdin
    content: String,
    /// From whom, as the channel names them [default: the actor]
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
    /// Through which channel: `resident.channels` says how far each is trusted
    #[arg(long, value_name = "NAME", default_value = "ui")]
    channel: String,
    /// What the channel needs to answer it
    #[arg(long = "meta", value_name = "KEY=VALUE")]
    metadata: Vec<String>,
    /// For which agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let metadata = arguments.metadata.iter().map(|pair| pair_of(pair)).collect::<anyhow::Result<BTreeMap<_, _>>>()?;
    let content = text_of(&arguments.content)?;
    let engine = shell.engine()?;
    let actor = shell.actor();
    let send = Send {
        agent: arguments.agent.as_str().into(),
        from: arguments.from.as_deref().unwrap_or(actor.as_str()).into(),
        channel: arguments.channel.as_str().into(),
        content: content.into(),
        metadata,
    };
    shell.decide(&engine, Command::from(send), &Json::empty_object(), |out, answer| {
        answer.events.iter().try_for_each(|event| {
            let Event::Resident(OfResident::Queued(queued)) = event else { return Ok(()) };
            out.line(format_args!("message {} waits for {}; trust: {}", queued.message, queued.agent, queued.trust))
        })
    })
}

fn pair_of(pair: &str) -> anyhow::Result<(Box<str>, Box<str>)> {
    let split = pair.split_once('=').map(|(key, value)| (key.into(), value.into()));
    split.ok_or_else(|| Usage(format!("--meta {pair}: there is to be KEY=VALUE")).into())
}
