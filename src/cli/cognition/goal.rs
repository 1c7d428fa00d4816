//! `annals cognition goal`: what is aimed at (AFS 4.3).

use super::{Place, told};
use crate::cli::shell::{Done, Shell};
use crate::domain::cognition::Amount;
use crate::domain::cognition::command::{AddGoal, Advance, Focus, Reconcile};
use crate::domain::cognition::event::Event as Told;
use crate::domain::cognition::goal::{Kind, Status};
use crate::engine::Answer;

/// Commands about goals.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Add a goal
    Add(AddArguments),
    /// Say how far a goal is: 1 is reached
    Progress(ProgressArguments),
    /// Say where a goal is: pending, in work, completed, blocked, abandoned
    Status(StatusArguments),
    /// Turn to a goal
    Focus(FocusArguments),
    /// Turn back to the goal before
    Back,
    /// Say what was decided where two goals contradict
    Reconcile(ReconcileArguments),
}

#[derive(Debug, clap::Args)]
pub(super) struct AddArguments {
    /// What it is
    description: Box<str>,
    /// primary, subgoal, instrumental
    #[arg(long, default_value = "subgoal")]
    kind: Kind,
    /// As the person said it
    #[arg(long, value_name = "TEXT", default_value = "")]
    stated: Box<str>,
    /// When it is reached; may be given again
    #[arg(long = "criterion", value_name = "TEXT")]
    criteria: Vec<Box<str>>,
    /// What must be kept; may be given again
    #[arg(long = "constraint", value_name = "TEXT")]
    constraints: Vec<Box<str>>,
    /// Of which goal it is a part [default: the primary goal]
    #[arg(long, value_name = "GOAL")]
    parent: Option<String>,
    /// What must be reached before, or what an instrumental goal makes possible; may be given again
    #[arg(long = "goal", value_name = "GOAL")]
    goals: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct ProgressArguments {
    /// Which: its id, or the end of it
    goal: String,
    /// 0 to 1; less is 0, more is 1
    #[arg(allow_negative_numbers = true)]
    progress: Amount,
}

#[derive(Debug, clap::Args)]
pub(super) struct StatusArguments {
    /// Which
    goal: String,
    /// `pending`, `in_progress`, `completed`, `blocked`, `abandoned`
    status: Status,
}

#[derive(Debug, clap::Args)]
pub(super) struct FocusArguments {
    /// Which
    goal: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct ReconcileArguments {
    /// The one goal
    goal_a: String,
    /// The other
    goal_b: String,
    /// What was decided
    resolution: Box<str>,
}

pub(super) fn run(shell: &mut Shell, place: &Place, command: &Command) -> Done {
    let session = place.session.clone();
    match command {
        Command::Add(options) => {
            let add = AddGoal {
                session,
                kind: options.kind,
                description: options.description.clone(),
                user_stated: options.stated.clone(),
                success_criteria: options.criteria.clone(),
                constraints: options.constraints.clone(),
                parent: options.parent.as_deref().map(|id| place.id(id)).transpose()?,
                goals: options.goals.iter().map(|id| place.id(id)).collect::<anyhow::Result<_>>()?,
            };
            place.decide(shell, add, |out, answer| {
                conflicts(answer).into_iter().try_for_each(|line| out.say(line))?;
                added(answer).map_or(Ok(()), |id| out.line(id))
            })
        }
        Command::Progress(ProgressArguments { goal, progress }) => {
            let advance = Advance { session, goal: place.id(goal)?, progress: Some(*progress), status: None };
            place.decide(shell, advance, |out, answer| advanced(answer).map_or(Ok(()), |line| out.line(line)))
        }
        Command::Status(StatusArguments { goal, status }) => {
            let advance = Advance { session, goal: place.id(goal)?, progress: None, status: Some(*status) };
            place.decide(shell, advance, |out, answer| advanced(answer).map_or(Ok(()), |line| out.line(line)))
        }
        Command::Focus(FocusArguments { goal }) => {
            let focus = Focus { session, goal: Some(place.id(goal)?) };
            place.decide(shell, focus, |out, _| out.line("in focus"))
        }
        Command::Back => place.decide(shell, Focus { session, goal: None }, |out, _| out.line("back")),
        Command::Reconcile(ReconcileArguments { goal_a, goal_b, resolution }) => {
            let (goal_a, goal_b, resolution) = (place.id(goal_a)?, place.id(goal_b)?, resolution.clone());
            let resolve = Reconcile { session, goal_a, goal_b, resolution };
            place.decide(shell, resolve, |out, _| out.line("resolved"))
        }
    }
}

fn added(answer: &Answer) -> Option<String> {
    told(answer).find_map(|event| if let Told::GoalAdded(added) = event { Some(added.goal.to_string()) } else { None })
}

fn advanced(answer: &Answer) -> Option<String> {
    let line = |event: &Told| {
        if let Told::GoalAdvanced(at) = event { Some(format!("{}, {}", at.status, at.progress)) } else { None }
    };
    told(answer).find_map(line)
}

fn conflicts(answer: &Answer) -> Vec<String> {
    let found =
        told(answer).filter_map(|event| if let Told::ConflictFound(found) = event { Some(found) } else { None });
    found.map(|found| format!("note: {} with {}", found.conflict.kind, found.conflict.goal_a)).collect()
}
