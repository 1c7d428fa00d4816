//! `annals moderate …`: what the moderator may do beside freezing and deciding issues (control-room 2.2, 2.4, 9.3).

use super::issue::{find, find_all};
use super::shell::{Done, Outcome, Shell, text_of};
use super::{advocate, output::Output};
use crate::domain::issue;
use crate::domain::moderation::Command as Decision;
use crate::domain::moderation::command::{
    Adjust, Assist, Consolidate, Escalate, FreezeTag, Remember, Unassist, UnfreezeTag,
};
use crate::domain::moderation::state::{Freedom, Profile, Retention};
use crate::domain::{Event, Rooms};
use crate::engine::Answer;
use crate::kernel::actor::Role;
use crate::kernel::json::Json;
use crate::view::asked::assisted_because;

/// Commands of the moderator; `annals issue unfreeze` and `annals issue resolve --force` are two more.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Assign an agent to challenge the agreement on an issue
    Challenge(ChallengeArguments),
    /// Hand an issue on to the user
    Escalate(EscalateArguments),
    /// Join issues into a new one, of which they are closed parts
    Consolidate(ConsolidateArguments),
    /// Let no new issues come under a tag
    FreezeTag(FreezeTagArguments),
    /// Let them come again
    UnfreezeTag(TagArguments),
    /// Say what an agent may decide alone
    Freedom(FreedomArguments),
    /// Let an agent work in smaller portions, or no longer
    Assist(AssistArguments),
    /// Show or say how agents of a role remember
    Profile(ProfileArguments),
    /// Show freedoms, freezes and profiles
    Show,
}

/// Arguments of `annals moderate challenge`.
#[derive(Debug, clap::Args)]
pub struct ChallengeArguments {
    /// Which
    issue: String,
    /// Who [default: whose turn it is]
    #[arg(long)]
    agent: Option<String>,
}

/// Arguments of `annals moderate escalate`.
#[derive(Debug, clap::Args)]
pub struct EscalateArguments {
    /// Which
    issue: String,
    /// What the user should know and decide; - reads it from stdin
    #[arg(long)]
    summary: String,
}

/// Arguments of `annals moderate consolidate`.
#[derive(Debug, clap::Args)]
pub struct ConsolidateArguments {
    /// The title of the new issue
    #[arg(long)]
    into: String,
    /// Its text; - reads it from stdin
    #[arg(long, default_value = "")]
    body: String,
    /// Which
    #[arg(required = true, num_args = 1..)]
    issues: Vec<String>,
}

/// Arguments of `annals moderate freeze-tag`.
#[derive(Debug, clap::Args)]
pub struct FreezeTagArguments {
    /// With or without #
    tag: String,
    /// Why
    #[arg(long)]
    reason: String,
}

/// A tag.
#[derive(Debug, clap::Args)]
pub struct TagArguments {
    /// With or without #
    tag: String,
}

/// Arguments of `annals moderate freedom`.
#[derive(Debug, clap::Args)]
pub struct FreedomArguments {
    /// Which
    agent: String,
    /// restricted, normal or trusted
    freedom: Freedom,
}

/// Arguments of `annals moderate assist`.
#[derive(Debug, clap::Args)]
pub struct AssistArguments {
    /// Which
    agent: String,
    /// What it is to hold to
    #[arg(long, required_unless_present = "end")]
    reason: Option<String>,
    /// Into how many portions its tasks are cut [default: `moderation.assist_slices`]
    #[arg(long)]
    slices: Option<u32>,
    /// No longer
    #[arg(long, conflicts_with_all = ["reason", "slices"])]
    end: bool,
}

/// Arguments of `annals moderate profile`.
#[derive(Debug, clap::Args)]
pub struct ProfileArguments {
    /// Agents of which role
    role: Role,
    /// weak, normal or strong
    #[arg(long)]
    retention: Option<Retention>,
    /// A tag that they look at first; each replaces those before
    #[arg(long = "focus", value_name = "TAG")]
    focus: Vec<String>,
    /// How much a thing can interest them: 1 to 5
    #[arg(long)]
    interest: Option<u8>,
    /// Whether they may keep issues from being forgotten
    #[arg(long, value_name = "true|false")]
    pin: Option<bool>,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Challenge(arguments) => advocate::assign(shell, &arguments.issue, arguments.agent.as_deref()),
        Command::Escalate(arguments) => escalate(shell, &arguments),
        Command::Consolidate(arguments) => consolidate(shell, &arguments),
        Command::FreezeTag(FreezeTagArguments { tag, reason }) => {
            let freeze = FreezeTag { tag: tag.into(), reason: reason.into() };
            decide(shell, freeze, |out, _| out.line("no new issues of agents come under it"))
        }
        Command::UnfreezeTag(TagArguments { tag }) => {
            decide(shell, UnfreezeTag { tag: tag.into() }, |out, _| out.line("new issues may come under it"))
        }
        Command::Freedom(FreedomArguments { agent, freedom }) => {
            let adjust = Adjust { agent: agent.as_str().into(), freedom };
            decide(shell, adjust, |out, _| out.line(format_args!("{agent} is {freedom} now")))
        }
        Command::Assist(arguments) => assist(shell, &arguments),
        Command::Profile(arguments) => profile(shell, arguments),
        Command::Show => show(shell),
    }
}

fn decide(
    shell: &mut Shell,
    command: impl Into<Decision>,
    done: impl FnOnce(&mut Output, &Answer) -> std::io::Result<()>,
) -> Done {
    let engine = shell.engine()?;
    shell.decide(&engine, command.into(), &Json::empty_object(), done)
}

fn escalate(shell: &mut Shell, arguments: &EscalateArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let summary = text_of(&arguments.summary)?.into();
    decide(shell, Escalate { issue, summary }, |out, _| out.line("the user was told"))
}

fn consolidate(shell: &mut Shell, arguments: &ConsolidateArguments) -> Done {
    let engine = shell.engine()?;
    let issues = find_all(shell, &engine, &arguments.issues)?.into_iter().collect();
    let (title, body) = (arguments.into.as_str().into(), text_of(&arguments.body)?.into());
    decide(shell, Consolidate { issues, title, body }, |out, answer| {
        let opened = answer.events.iter().find_map(|event| {
            if let Event::Issue(issue::Event::Raised(raised)) = event { Some(raised.number) } else { None }
        });
        out.line(format_args!("joined into #{}", opened.unwrap_or_default()))
    })
}

fn assist(shell: &mut Shell, arguments: &AssistArguments) -> Done {
    let agent = shell.find_agent(&shell.engine()?, &arguments.agent)?;
    let name = agent.to_string();
    if arguments.end {
        return decide(shell, Unassist { agent }, |out, _| out.line(format_args!("{name} works as others do")));
    }
    let reason = arguments.reason.as_deref().unwrap_or_default().into();
    let assist = Assist { agent, reason, slices: arguments.slices };
    decide(shell, assist, |out, _| out.line(format_args!("{name} works in smaller portions")))
}

fn profile(shell: &mut Shell, arguments: ProfileArguments) -> Done {
    let engine = shell.engine()?;
    let ProfileArguments { role, retention, focus, interest, pin } = arguments;
    let before = shell.ask(&engine, |world| world.rooms.moderation.profile_of(&role))?;
    let is_question = retention.is_none() && focus.is_empty() && interest.is_none() && pin.is_none();
    if is_question {
        return say_profile(shell, &role, &before);
    }
    let focus_tags = if focus.is_empty() { before.focus_tags } else { focus.into_iter().map(Into::into).collect() };
    let profile = Profile {
        retention: retention.unwrap_or(before.retention),
        focus_tags,
        max_interest: interest.unwrap_or(before.max_interest),
        can_pin_issues: pin.unwrap_or(before.can_pin_issues),
    };
    let name = role.to_string();
    decide(shell, Remember { role, profile }, |out, _| out.line(format_args!("{name}: set")))
}

fn say_profile(shell: &mut Shell, role: &Role, profile: &Profile) -> Done {
    if shell.wants_json() {
        shell.out.answer("annals.moderation.profile/v1", profile)?;
        return Ok(Outcome::Done);
    }
    let tags: Vec<&str> = profile.focus_tags.iter().map(AsRef::as_ref).collect();
    let tags = if tags.is_empty() { "-".to_owned() } else { tags.join(" ") };
    let pins = if profile.can_pin_issues { "may pin issues" } else { "pins nothing" };
    let (retention, interest) = (profile.retention, profile.max_interest);
    let cells = [role.to_string(), retention.to_string(), format!("interest {interest}"), pins.to_owned(), tags];
    shell.out.row(&cells)?;
    Ok(Outcome::Done)
}

fn show(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    if shell.wants_json() {
        let moderation = shell.ask(&engine, |world| world.rooms.moderation.clone())?;
        shell.out.answer("annals.moderation.show/v1", &moderation)?;
        return Ok(Outcome::Done);
    }
    for cells in shell.ask(&engine, |world| lines(&world.rooms))? {
        shell.out.row(&cells)?;
    }
    Ok(Outcome::Done)
}

fn lines(rooms: &Rooms) -> Vec<[String; 2]> {
    let moderation = &rooms.moderation;
    let tags = moderation.frozen_tags.iter();
    let tags = tags.map(|(tag, frozen)| [tag.to_string(), format!("frozen by {}: {}", frozen.by, frozen.reason)]);
    let freedom = moderation.freedom.iter().map(|(agent, freedom)| [agent.to_string(), freedom.to_string()]);
    let assisted = moderation.assisted.iter().map(|(agent, assistance)| {
        let why = assisted_because(assistance);
        let how = format!("in {} portions ({}): {why}", assistance.slices, assistance.trigger);
        [agent.to_string(), how]
    });
    tags.chain(freedom).chain(assisted).collect()
}
