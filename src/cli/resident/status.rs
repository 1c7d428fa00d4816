//! `annals resident status`: where the agent stands, what waits for it, who has it, what it did.

use serde::Serialize;

use super::told::{say_elsewhere, say_states};
use crate::act::resident::{Inbox, standing};
use crate::cli::message::AGENT;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::resident::{Activity, Lease, Resident};
use crate::kernel::id::{AgentId, EntryId};
use crate::role::resident::homeostasis::{HomeostasisAssessment, guidance};

/// Arguments of `annals resident status`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ResidentStatus {
    agent: AgentId,
    /// Who has it, where the lease holds.
    lease: Option<Lease>,
    /// Messages that wait, the oldest first.
    waiting: Vec<EntryId>,
    /// Messages that wait for the person's word.
    held: Vec<EntryId>,
    /// Those of them that no model could take.
    set_aside: Vec<EntryId>,
    /// Messages that another clone brought, and that wait for the person's word.
    from_elsewhere: Vec<EntryId>,
    /// Where it stands now, without asking a model.
    homeostasis: HomeostasisAssessment,
    /// What that means for its next answer.
    guidance: String,
    /// The last ticks, the latest first.
    activity: Vec<Activity>,
    ticks: u64,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let agent = AgentId::from(arguments.agent.as_str());
    let (now, own) = (shell.now(&engine)?, engine.own_entries()?);
    let (row, homeostasis, from_elsewhere, set_aside) = shell.ask(&engine, |world| {
        let (inbox, room) = (Inbox { world, own: &own, settings: engine.settings() }, &world.rooms.resident);
        let row = room.agent(&agent).cloned().unwrap_or_default();
        let is_aside = |id: &EntryId| room.message(*id).is_some_and(|message| message.set_aside.is_some());
        let set_aside: Vec<_> = row.held.iter().copied().filter(is_aside).collect();
        (row, standing(inbox, &agent, now), inbox.from_elsewhere(&agent), set_aside)
    })?;
    let Resident { mut waiting, held, lease, mut activity, ticks, .. } = row;
    waiting.retain(|message| !from_elsewhere.contains(message));
    activity.reverse();
    let guidance = guidance(&homeostasis);
    let lease = lease.filter(|lease| now < lease.until);
    let status = ResidentStatus {
        agent,
        lease,
        waiting,
        held,
        set_aside,
        from_elsewhere,
        homeostasis,
        guidance,
        activity,
        ticks,
    };
    if shell.wants_json() {
        shell.out.answer(&status)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &status)?;
    Ok(CommandOutcome::Done)
}

fn print(shell: &mut Shell, status: &ResidentStatus) -> std::io::Result<()> {
    let ResidentStatus { agent, lease, waiting, held, set_aside, from_elsewhere, homeostasis, activity, ticks, .. } =
        status;
    let had = lease.as_ref().map_or_else(
        || "no process has it".to_owned(),
        |lease| format!("process {} has it until {}", lease.owner, lease.until),
    );
    shell.out.line(format_args!("{agent}: {had}"))?;
    shell.out.line(format_args!("waiting {}, held {}, ticks {ticks}", waiting.len(), held.len()))?;
    for id in set_aside {
        shell.out.line(format_args!("set aside: {id}; `annals message show {id}` says why"))?;
    }
    say_elsewhere(shell, from_elsewhere.len())?;
    say_states(shell, homeostasis)?;
    let rows: Vec<_> = activity.iter().map(cells).collect();
    shell.out.table(
        &[Key("entry"), Goes(1, "at"), Text("action"), Goes(2, "by"), Goes(3, "facts"), Goes(4, "ms"), Text("message")],
        &rows,
    )
}

fn cells(tick: &Activity) -> Vec<String> {
    vec![
        tick.entry.to_string(),
        tick.at.to_string(),
        tick.action.to_string(),
        tick.trigger.to_string(),
        tick.facts.to_string(),
        tick.ms.to_string(),
        tick.message.map(|id| id.to_string()).unwrap_or_default(),
    ]
}
