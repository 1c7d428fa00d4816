//! `annals agent …`: the roster (control-room 2), and what an agent is told before it acts.

mod brief;
mod list;
mod token;

use crate::domain::roster::command::{Add, Change, Duty};
use crate::kernel::actor::Role;
use crate::kernel::id::{AgentId, ModelId};
use crate::kernel::json::Json;

use super::shell::{Done, Shell};

/// Commands about agents.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Take an agent into the swarm
    Add(AddArguments),
    /// Change an agent: role, model, abilities
    Edit(EditArguments),
    /// List the agents
    List,
    /// Tell an agent its rules, its tasks and how much it may still say
    Brief(brief::Arguments),
    /// Make a token that the agent (or `user`) must show where `roster.require_token` is on
    Token(token::Arguments),
}

/// Arguments of `annals agent add`.
#[derive(Debug, clap::Args)]
pub struct AddArguments {
    /// How `--as` names it
    id: String,
    /// assistant, writer, critic, continuity, moderator, team-lead, or any other
    #[arg(long)]
    role: Role,
    /// How people call it
    #[arg(long)]
    name: Option<String>,
    /// The model behind it
    #[arg(long)]
    model: Option<String>,
    /// The program that it acts from, as `claude-code`: in a shell of that, who is not named is this agent
    #[arg(long)]
    program: Option<String>,
    /// It can be asked to dissent
    #[arg(long)]
    devils_advocate: bool,
}

/// Arguments of `annals agent edit`.
#[derive(Debug, clap::Args)]
pub struct EditArguments {
    /// Which
    id: String,
    /// What it is there for
    #[arg(long)]
    role: Option<Role>,
    /// How people call it
    #[arg(long)]
    name: Option<String>,
    /// The model behind it from now on; its record is kept by model
    #[arg(long)]
    model: Option<String>,
    /// The program that it acts from
    #[arg(long)]
    program: Option<String>,
    /// Whether it can be asked to dissent
    #[arg(long, value_enum)]
    devils_advocate: Option<Answer>,
    /// It takes part no more
    #[arg(long, conflicts_with = "activate")]
    retire: bool,
    /// It takes part again
    #[arg(long)]
    activate: bool,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Answer {
    /// Yes
    Yes,
    /// No
    No,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Add(arguments) => add(shell, arguments),
        Command::Edit(arguments) => edit(shell, arguments),
        Command::List => list::run(shell),
        Command::Brief(arguments) => brief::run(shell, &arguments),
        Command::Token(arguments) => token::run(shell, &arguments),
    }
}

fn add(shell: &mut Shell, arguments: AddArguments) -> Done {
    let engine = shell.engine()?;
    let done = format!("{} is in the swarm, as {}", arguments.id, arguments.role);
    let add = Add {
        agent: AgentId::from(arguments.id),
        name: arguments.name.map(Into::into),
        role: arguments.role,
        model: arguments.model.map(ModelId::from),
        program: arguments.program.map(Into::into),
        can_be_devils_advocate: arguments.devils_advocate,
    };
    shell.decide(&engine, crate::domain::roster::Command::Add(add), &Json::empty_object(), |out, _| out.line(done))
}

fn edit(shell: &mut Shell, arguments: EditArguments) -> Done {
    let engine = shell.engine()?;
    let agent = shell.find_agent(&engine, &arguments.id)?;
    let done = format!("{agent} is changed");
    let duty = match (arguments.retire, arguments.activate) {
        (true, _) => Some(Duty::Retired),
        (false, true) => Some(Duty::Active),
        (false, false) => None,
    };
    let change = Change {
        agent,
        name: arguments.name.map(Into::into),
        role: arguments.role,
        model: arguments.model.map(ModelId::from),
        program: arguments.program.map(Into::into),
        can_be_devils_advocate: arguments.devils_advocate.map(|answer| answer == Answer::Yes),
        duty,
    };
    shell
        .decide(&engine, crate::domain::roster::Command::Change(change), &Json::empty_object(), |out, _| out.line(done))
}
