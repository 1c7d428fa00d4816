//! `annals moderate …`: what the moderator may do beside freezing and deciding issues (control-room 2.2, 2.4, 9.3).

use super::advocate;
use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell};
use crate::domain::issue;
use crate::domain::moderation::Command as Decision;
use crate::domain::moderation::command::{Assist, Remember, Unassist};
use crate::domain::moderation::state::{Profile, Retention};
use crate::domain::{Command, Event, Rooms};
use crate::engine::Engine;
use crate::kernel::actor::Role;
use crate::kernel::json::Json;
use crate::view::asked::assisted_because;

/// Commands of the moderator; `annals issue unfreeze` and `annals issue resolve --force` are two more.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Assign an agent to challenge the agreement on an issue
    "challenge" => decides("advocate.assignment.assign", "issue --agent", advocate::decide),
    /// Hand an issue on to the user
    "escalate" => decides("moderation.issue.escalate", "issue --summary-", decide),
    /// Join issues into a new one, of which they are closed parts
    "consolidate" => decides("moderation.issue.consolidate", "--into:title --body- issues", decide),
    /// Let no new issues come under a tag
    "freeze-tag" => decides("moderation.tag.freeze", "tag --reason", decide),
    /// Let them come again
    "unfreeze-tag" => decides("moderation.tag.unfreeze", "tag", decide),
    /// Say what an agent may decide alone
    "freedom" => decides("moderation.agent.adjust", "agent@text freedom", decide),
    /// Let an agent work in smaller portions, or no longer
    "assist" => Runs(&With(assist)),
    /// Show or say how agents of a role remember
    "profile" => Runs(&With(profile)),
    /// Show freedoms, freezes and profiles
    "show" => Runs(&Bare(show)),
};

/// Arguments of `annals moderate assist`.
#[derive(Debug, clap::Args)]
pub(super) struct AssistArguments {
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
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ProfileArguments {
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

/// Decides, and says what holds now.
fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    let done = if let Command::Moderation(command) = &command { holds(command) } else { String::new() };
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        let joined = answer.events.iter().find_map(|event| {
            if let Event::Issue(issue::Event::Raised(raised)) = event { Some(raised.number) } else { None }
        });
        out.line(joined.map_or(done, |number| format!("joined into #{number}")))
    })
}

/// What holds after a command.
fn holds(command: &Decision) -> String {
    match command {
        Decision::Escalate(_) => "the user was told".to_owned(),
        Decision::FreezeTag(_) => "no new issues of agents come under it".to_owned(),
        Decision::UnfreezeTag(_) => "new issues may come under it".to_owned(),
        Decision::Adjust(adjust) => format!("{} is {} now", adjust.agent, adjust.freedom),
        Decision::Assist(assist) => format!("{} works in smaller portions", assist.agent),
        Decision::Unassist(unassist) => format!("{} works as others do", unassist.agent),
        Decision::Remember(remember) => format!("{}: set", remember.role),
        Decision::Consolidate(_) | Decision::Record(_) => String::new(),
    }
}

fn assist(shell: &mut Shell, arguments: &AssistArguments) -> Done {
    let engine = shell.engine()?;
    let agent = shell.find_agent(&engine, &arguments.agent)?;
    let command: Decision = if arguments.end {
        Unassist { agent }.into()
    } else {
        let reason = arguments.reason.as_deref().unwrap_or_default().into();
        Assist { agent, reason, slices: arguments.slices }.into()
    };
    decide(shell, &engine, command.into())
}

fn profile(shell: &mut Shell, arguments: &ProfileArguments) -> Done {
    let engine = shell.engine()?;
    let ProfileArguments { role, retention, focus, interest, pin } = arguments.clone();
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
    decide(shell, &engine, Decision::from(Remember { role, profile }).into())
}

fn say_profile(shell: &mut Shell, role: &Role, profile: &Profile) -> Done {
    if shell.wants_json() {
        shell.out.answer(profile)?;
        return Ok(CommandOutcome::Done);
    }
    let tags: Vec<&str> = profile.focus_tags.iter().map(AsRef::as_ref).collect();
    let tags = if tags.is_empty() { "-".to_owned() } else { tags.join(" ") };
    let pins = if profile.can_pin_issues { "may pin issues" } else { "pins nothing" };
    let (retention, interest) = (profile.retention, profile.max_interest);
    let cells = [role.to_string(), retention.to_string(), format!("interest {interest}"), pins.to_owned(), tags];
    shell.out.row(&cells)?;
    Ok(CommandOutcome::Done)
}

fn show(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    if shell.wants_json() {
        let moderation = shell.ask(&engine, |world| world.rooms.moderation.clone())?;
        shell.out.answer(&moderation)?;
        return Ok(CommandOutcome::Done);
    }
    for cells in shell.ask(&engine, |world| lines(&world.rooms))? {
        shell.out.row(&cells)?;
    }
    Ok(CommandOutcome::Done)
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
