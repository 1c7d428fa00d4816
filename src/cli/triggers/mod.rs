//! `annals triggers`: what set an analysis off in a session, and whether it may run (AFS 5.3, 5.4); `judge` asks a model.

pub(super) mod judge;

use std::collections::BTreeSet;

use anyhow::anyhow;
use serde::Serialize;

use crate::cli::cognition::MindPlace;
use crate::cli::models::ByModel;
use crate::cli::named::{Candidate, FIRING};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::Command as Decision;
use crate::domain::cognition;
use crate::domain::cognition::command::{Answer, FiringVerdict};
use crate::domain::cognition::gate::GateMode;
use crate::domain::cognition::limits::{self, DISABLED, ENABLED, GATE, PER_TRIGGER};
use crate::domain::cognition::mind::{ConditionFate, Firing, Measured};
use crate::domain::cognition::trigger::Trigger;
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::settings::Settings;
use crate::view::cognition::{Listing, NewCondition};

/// Arguments of `annals triggers`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    /// The session to look at
    #[arg(allow_negative_numbers = true)]
    session: Option<String>,
    /// Record what fires in it and nobody said yet, so that it can be accepted or denied
    #[arg(long, requires = "session")]
    record: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Commands about triggers.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the triggers of this project
    List,
    /// Let the analysis run that a trigger called for
    Accept(AcceptFiringArguments),
    /// Do not let it run
    Deny(AnswerArguments),
    /// Ask a model what it finds where an accepted trigger called for a look
    Judge(judge::Arguments),
}

/// Arguments of `annals triggers accept`.
#[derive(Debug, clap::Args)]
struct AcceptFiringArguments {
    /// The firing: its id, or the end of it
    firing: String,
    #[command(flatten)]
    judge: ByModel,
}

/// Arguments of `annals triggers deny`.
#[derive(Debug, clap::Args)]
struct AnswerArguments {
    /// The firing: its id, or the end of it
    firing: String,
}

/// So many sessions are looked through for a firing.
const RECENT: usize = 500;

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    match (&arguments.command, &arguments.session) {
        (Some(Command::List), _) => list(shell),
        (Some(Command::Accept(options)), _) if options.judge.by_model => {
            judge::accept(shell, &options.firing, options.judge.model.as_deref())
        }
        (Some(Command::Accept(options)), _) => answer(shell, &options.firing, FiringVerdict::Accept),
        (Some(Command::Deny(options)), _) => answer(shell, &options.firing, FiringVerdict::Deny),
        (Some(Command::Judge(options)), _) => judge::run(shell, options),
        (None, Some(session)) => {
            if arguments.record {
                record(shell, session)?;
            }
            look(shell, session)
        }
        (None, None) => waiting(shell),
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct KnownTriggers {
    gate_mode: GateMode,
    enabled: bool,
    triggers: Vec<TriggerLine>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TriggerLine {
    #[serde(flatten)]
    trigger: Trigger,
    disabled: bool,
}

fn list(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let settings: &Settings = engine.settings();
    let disabled = settings.get(&DISABLED);
    let is_disabled = |trigger: &Trigger| disabled.contains(&trigger.id);
    let triggers = limits::all(settings).into_iter();
    let triggers = triggers.map(|trigger| TriggerLine { disabled: is_disabled(&trigger), trigger }).collect();
    let all = KnownTriggers { gate_mode: settings.get(&GATE), enabled: settings.get(&ENABLED), triggers };
    if shell.wants_json() {
        shell.out.answer(&all)?;
        return Ok(CommandOutcome::Done);
    }
    let rows = all.triggers.iter().map(|TriggerLine { trigger, disabled }| {
        let state = if *disabled || !all.enabled { "off" } else { "on" };
        let times = count(trigger.max_triggers_per_session, "time", "times");
        let limits = format!("{} s, {times}", trigger.cooldown_ms / 1000);
        let words = [&*trigger.id, trigger.mode.as_str(), trigger.priority.as_str(), state].map(str::to_owned);
        words.into_iter().chain([trigger.condition.in_words(), limits]).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(
        &[
            Key("trigger"),
            Goes(2, "mode"),
            Goes(3, "priority"),
            Key("state"),
            Text("condition"),
            Goes(1, "cooldown, limit"),
        ],
        &rows,
    )?;
    let own = settings.get(&PER_TRIGGER);
    let named = disabled.iter().chain(own.keys()).collect::<BTreeSet<_>>();
    for id in named.into_iter().filter(|id| !all.triggers.iter().any(|known| known.trigger.id == **id)) {
        shell.out.say(format_args!("the configuration names the trigger {id}: there is none"))?;
    }
    Ok(CommandOutcome::Done)
}

fn measured(measured: &Measured) -> String {
    measured.iter().map(|(metric, value)| format!("{metric} {value}")).collect::<Vec<_>>().join(", ")
}

/// Has the engine say what fires in a session, as it does by itself where a session is recorded as it happens.
fn record(shell: &Shell, session: &str) -> anyhow::Result<()> {
    if shell.until()? != EntryId::MAX {
        return Err(anyhow!(Usage("--record says what fires now: it does not go with --at".to_owned())));
    }
    let place = MindPlace::of(shell, Some(session))?;
    place.engine.react(&place.session)?;
    Ok(())
}

/// What fires in a session, by playing its entries once more. Records nothing.
fn look(shell: &mut Shell, session: &str) -> Done {
    let place = MindPlace::of(shell, Some(session))?;
    let until = shell.until()?;
    let listing = Listing::of(&place.engine, &place.session, until)?;
    if shell.wants_json() {
        shell.out.answer(&Session { session: &place.session, listing: &listing })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<Vec<String>> = listing.firings.iter().map(row).collect();
    shell
        .out
        .table(&[Goes(1, "entry"), Key("at"), Key("trigger"), Key("state"), Text("measured"), Key("firing")], &rows)?;
    for missing in &listing.not_computable {
        let metrics: Vec<_> = missing.metrics.iter().map(|metric| metric.as_str()).collect();
        shell.out.say(format_args!("{}: not computable, nobody knows {}", missing.trigger, metrics.join(", ")))?;
    }
    let unsaid = if until == EntryId::MAX { unsaid(&place)? } else { 0 };
    if unsaid > 0 {
        let (session, firings) = (&place.session, count(unsaid, "firing", "firings"));
        let how = format_args!("`annals triggers {session} --record` records what fires, to be accepted or denied");
        shell.out.say(format_args!("not recorded: {firings}; {how}"))?;
    }
    Ok(CommandOutcome::Done)
}

/// How many firings the engine would record.
fn unsaid(place: &MindPlace) -> anyhow::Result<u32> {
    let is_firing = |due: &&Decision| matches!(due, Decision::Cognition(cognition::Command::Fire(_)));
    let firings = place.engine.due(&place.session)?.iter().filter(is_firing).count();
    Ok(u32::try_from(firings).unwrap_or(u32::MAX))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Session<'s> {
    session: &'s SessionId,
    #[serde(flatten)]
    listing: &'s Listing,
}

fn row(found: &NewCondition) -> Vec<String> {
    let edge = &found.edge;
    let state = match (edge.fate, found.standing) {
        (ConditionFate::Fires, Some(standing)) => standing.as_str(),
        (ConditionFate::Fires | ConditionFate::Cooling | ConditionFate::Spent, _) => edge.fate.as_str(),
    };
    vec![
        edge.cause.to_string(),
        edge.at.to_string(),
        edge.trigger.to_string(),
        state.to_owned(),
        measured(&edge.measured),
        found.fired.map(|id| id.to_string()).unwrap_or_default(),
    ]
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WaitingFirings {
    firings: Vec<InSession>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InSession {
    session: SessionId,
    #[serde(flatten)]
    firing: Firing,
}

/// Firings that wait for an answer, of the sessions that changed last.
fn waiting(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let firings = firings(shell, &engine, |firing| firing.standing == cognition::gate::Standing::Pending)?;
    if shell.wants_json() {
        shell.out.answer(&WaitingFirings { firings })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = firings.iter().map(|InSession { session, firing }| {
        let words = [&*firing.trigger, firing.mode.as_str(), firing.priority.as_str()].map(str::to_owned);
        let head = [firing.id.to_string(), session.to_string(), firing.at.to_string()];
        head.into_iter().chain(words).chain([measured(&firing.measured)]).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(
        &[
            Key("firing"),
            Goes(3, "session"),
            Key("at"),
            Key("trigger"),
            Goes(2, "mode"),
            Goes(1, "priority"),
            Text("measured"),
        ],
        &rows,
    )?;
    judge::say_waiting(shell, &engine)?;
    Ok(CommandOutcome::Done)
}

fn firings(shell: &Shell, engine: &Engine, fits: impl Fn(&Firing) -> bool) -> anyhow::Result<Vec<InSession>> {
    shell.ask(engine, |world| {
        let minds = world.rooms.cognition.minds.first_by_rank(RECENT);
        let all = minds.into_iter().flat_map(|(session, mind)| {
            let fitting = mind.firings.iter().filter(|firing| fits(firing));
            fitting.map(|firing| InSession { session: session.clone(), firing: firing.clone() })
        });
        all.collect()
    })
}

/// A firing by its id, or the end of it.
fn named(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<InSession> {
    let all = firings(shell, engine, |_| true)?;
    let candidate = |InSession { firing, .. }: &InSession| Candidate::new(firing.id, firing.trigger.as_ref());
    let id = FIRING.pick(text, &all.iter().map(candidate).collect::<Vec<_>>())?;
    all.into_iter().find(|found| Some(found.firing.id) == id).ok_or_else(|| FIRING.unknown(text).into())
}

fn answer(shell: &mut Shell, text: &str, verdict: FiringVerdict) -> Done {
    let engine = shell.engine()?;
    let InSession { session, firing } = named(shell, &engine, text)?;
    let place = MindPlace::of(shell, Some(session.as_str()))?;
    let mode = firing.mode;
    let done = match verdict {
        FiringVerdict::Accept => format!("{mode} is on"),
        FiringVerdict::Deny => format!("{} is denied", firing.trigger),
    };
    place.decide(shell, Answer { session, firing: firing.id, verdict }, |out, _| out.line(done))
}
