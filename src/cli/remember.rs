//! `annals remember`: something worth knowing later, in a word. Of the user it is known at once, as by `knowledge add`; of an
//! agent it waits for the user, as by `knowledge propose`.

use super::knowledge::say;
use super::shell::{Done, Shell, text_of};
use crate::domain::knowledge::command::{Add, Propose};
use crate::domain::knowledge::{Command, KnowledgeKind, KnowledgeSource};
use crate::kernel::actor::USER;
use crate::kernel::id::AgentId;
use crate::kernel::json::Json;

/// Arguments of `annals remember`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What is worth knowing, in one sentence; - reads it from stdin
    text: String,
    /// What sort it is: fact, preference, rule, procedure, correction, decision
    #[arg(long, default_value = "fact")]
    kind: KnowledgeKind,
    /// A name in it, beside those that are found in the text; may be given again
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let command = command(&shell.actor(), arguments)?;
    shell.decide(&engine, command, &Json::empty_object(), say)
}

fn command(actor: &AgentId, arguments: &Arguments) -> anyhow::Result<Command> {
    let content: Box<str> = text_of(&arguments.text)?.trim().into();
    let entities = arguments.entities.iter().map(|name| name.as_str().into()).collect();
    let (kind, source) = (arguments.kind, KnowledgeSource::default());
    let (about, confidence, impact) = (None, None, None);
    Ok(if actor.as_str() == USER {
        Add { kind, content, entities, about, confidence, impact, source, supersedes: None }.into()
    } else {
        Propose { kind, content, entities, about, confidence, impact, source }.into()
    })
}
