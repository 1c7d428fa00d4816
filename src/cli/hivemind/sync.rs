//! `annals hivemind sync`: gives entries to other projects, and takes over theirs (AFS 6.5).

use std::collections::BTreeSet;
use std::path::Path;

use annals_sparse::sparse;
use anyhow::Context as _;
use serde::Serialize;

use crate::cli::init::clock::give;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::hivemind::EntryCategory;
use crate::domain::hivemind::command::Clash;
use crate::engine::shared::groups::{ProjectGroups, is_plain};
use crate::engine::shared::{Counts, Earnest, Meeting, Store, SyncDirection, groups_file};
use crate::engine::{Answer, By, Engine};
use crate::kernel::actor::USER;
use crate::kernel::decision::Refusal;
use crate::kernel::id::{AgentId, NO_SESSION, SessionId};
use crate::view::render::hivemind as views;

/// Arguments of `annals hivemind sync`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// annals, shared or groups/NAME [default: these two, and the groups of the project]
    stores: Vec<String>,
    /// push, pull or bidirectional
    #[arg(long, default_value = "bidirectional")]
    mode: SyncDirection,
    /// What becomes of a key that has another value there: skip, replace or council
    #[arg(long, default_value = "skip")]
    conflicts: Clash,
    /// What the project is called [default: as project-groups.json calls it, or its folder]
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Synced {
    project: String,
    dry_run: bool,
    stores: Vec<StoreLine>,
}

/// What came of one store.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StoreLine {
    store: String,
    pushed: Option<Counts>,
    pulled: Option<Counts>,
}

/// A store, and what may go there.
struct Goal {
    store: Store,
    categories: BTreeSet<EntryCategory>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let home = shell.environment.home.clone();
    let home = home.ok_or_else(|| Usage("nobody says where the home is ($HOME)".to_owned()))?;
    let file = groups_file(&home);
    let groups = ProjectGroups::load(&**engine.disk(), &file).with_context(|| file.display().to_string())?;
    let project = name_of(&engine, arguments, groups.as_ref(), &home)?;
    let goals = goals(arguments, groups.as_ref(), &project)?;
    let mut lines = Vec::new();
    for goal in &goals {
        match meet(shell, &engine, arguments, &project, &home, goal)? {
            Ok(line) => lines.push(line),
            Err(refusal) => {
                print(shell, &project, arguments, lines)?;
                let answer = Answer { entry: None, events: Vec::new(), refusal: Some(refusal), trouble: None };
                return shell.report(&answer, |_| Ok(()));
            }
        }
    }
    print(shell, &project, arguments, lines)
}

/// What the project is called: where its folder does not say it, somebody has to.
fn name_of(
    engine: &Engine,
    arguments: &Arguments,
    groups: Option<&ProjectGroups>,
    home: &Path,
) -> anyhow::Result<String> {
    let context = engine.place().context();
    let context = context.canonicalize().unwrap_or_else(|_| context.to_owned());
    let folder = context.parent();
    let known = || groups?.project_at(folder?, home).map(str::to_owned);
    let plain = || Some(folder?.file_name()?.to_str()?.to_owned());
    let name = arguments.project.clone().or_else(known).or_else(plain).unwrap_or_default();
    let bad = || Usage(format!("\"{name}\" cannot be the name of a project: give another with `--project NAME`"));
    if is_plain(&name) { Ok(name) } else { Err(bad().into()) }
}

fn goals(arguments: &Arguments, groups: Option<&ProjectGroups>, project: &str) -> anyhow::Result<Vec<Goal>> {
    let all = || EntryCategory::ALL.iter().copied().collect::<BTreeSet<_>>();
    let of_groups: Vec<Goal> = groups
        .iter()
        .flat_map(|groups| groups.of(project))
        .map(|(name, group)| Goal { store: Store::Group(name.into()), categories: group.shared_categories.clone() })
        .collect();
    if arguments.stores.is_empty() {
        let plain = [Store::Annals, Store::Shared].map(|store| Goal { store, categories: all() });
        return Ok(plain.into_iter().chain(of_groups).collect());
    }
    let mut goals = Vec::new();
    for text in &arguments.stores {
        let store = Store::named(text).ok_or_else(|| Usage(format!("{text}: give annals, shared or groups/NAME")))?;
        let categories = match &store {
            Store::Annals | Store::Shared => all(),
            Store::Group(_) => {
                let own = of_groups.iter().find(|goal| goal.store == store);
                let none = || Usage(format!("{project} is not in {text}: project-groups.json says who is"));
                own.ok_or_else(none)?.categories.clone()
            }
        };
        goals.push(Goal { store, categories });
    }
    Ok(goals)
}

/// The engine on a store. The first project to use one gives it its clock, where its own is given.
fn engine_of(shell: &Shell, folder: &Path, arguments: &Arguments) -> anyhow::Result<Engine> {
    if shell.environment.giving().is_none() || folder.join("history").is_dir() {
        return shell.engine_on(folder);
    }
    if arguments.dry_run {
        return Ok(shell.open_in_machine_time(folder)?.with_clock(shell.environment.given_clock()?));
    }
    give(shell, folder, &By::new(AgentId::from(USER), SessionId::from(NO_SESSION)))?;
    shell.engine_on(folder)
}

/// One store and the project; the store is made on first use, but not for a rehearsal.
fn meet(
    shell: &Shell,
    project: &Engine,
    arguments: &Arguments,
    name: &str,
    home: &Path,
    goal: &Goal,
) -> anyhow::Result<Result<StoreLine, Refusal>> {
    let store = engine_of(shell, &goal.store.folder(home), arguments)?;
    let by = shell.by_now();
    let meeting = Meeting {
        project,
        name,
        by: &by,
        store: &store,
        which: &goal.store,
        categories: &goal.categories,
        conflicts: arguments.conflicts,
        earnest: if arguments.dry_run { Earnest::Rehearsal } else { Earnest::Deed },
    };
    let mut line = StoreLine { store: goal.store.to_string(), pushed: None, pulled: None };
    if let Some(refusal) = meeting.forbidden()? {
        return Ok(Err(refusal));
    }
    if arguments.mode != SyncDirection::Pull {
        match meeting.push()? {
            Ok(counts) => line.pushed = Some(counts),
            Err(refusal) => return Ok(Err(refusal)),
        }
        if !arguments.dry_run {
            views::write(&store)?;
        }
    }
    if arguments.mode != SyncDirection::Push {
        match meeting.pull()? {
            Ok(counts) => line.pulled = Some(counts),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    Ok(Ok(line))
}

fn print(shell: &mut Shell, project: &str, arguments: &Arguments, stores: Vec<StoreLine>) -> Done {
    if shell.wants_json() {
        let answer = Synced { project: project.to_owned(), dry_run: arguments.dry_run, stores };
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    for line in &stores {
        for (word, counts) in [("to", line.pushed), ("from", line.pulled)] {
            if let Some(counts) = counts {
                shell.out.line(format_args!("{word} {}: {}", line.store, said(&counts)))?;
            }
        }
    }
    if arguments.dry_run {
        shell.out.say("nothing was written: each line says what would be done now")?;
    }
    Ok(CommandOutcome::Done)
}

fn said(counts: &Counts) -> String {
    let Counts { offered: _, added, same, replaced, contested, kept } = *counts;
    let parts = [
        (added, "new"),
        (replaced, "replaced"),
        (contested, "contested"),
        (same, "there already"),
        (kept, "not taken: there is another value, or it was decided against"),
    ];
    let parts: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
