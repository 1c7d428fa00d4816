//! `annals knowledge search|trace`: what is known about something, and why it came (Galatea, track 6, view 3).
//!
//! `search` is a read that counts, and is recorded (decision 22). `trace` records nothing.

use serde::Serialize;

use super::write::say_event;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean, text_of};
use crate::cli::table::Column::{Goes, Key, Seen, Text};
use crate::domain::Event;
use crate::domain::knowledge::command::Retrieve;
use crate::domain::knowledge::retrieve::retrieve;
use crate::domain::knowledge::trace::{Line, RetrievalTrace, StageCount};
use crate::domain::knowledge::{self, Command, KnowledgeKind};
use crate::engine::{Answer, Engine};
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::gist::fold;
use crate::view::knowledge::{KnowledgeInfo, diagnosis, why};

/// Arguments of `annals knowledge search` and `trace`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A question, or a few words; - reads it from stdin
    query: Option<String>,
    /// A name that it is about, beside those that are found in the query
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// Only of this type: fact, preference, rule, procedure, correction, decision
    #[arg(long)]
    kind: Option<KnowledgeKind>,
    /// How many at most [default: as is configured]
    #[arg(short = 'n', long)]
    limit: Option<usize>,
}

impl Arguments {
    fn ask(&self) -> anyhow::Result<Retrieve> {
        Ok(Retrieve {
            query: self.query.as_deref().map(text_of).transpose()?.unwrap_or_default().into(),
            entities: self.entities.iter().map(|name| name.as_str().into()).collect(),
            kind: self.kind,
            limit: self.limit,
        })
    }
}

/// The answer of `search` in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct FoundKnowledge {
    /// The line that recorded it.
    entry: Option<EntryId>,
    stages: Vec<StageCount>,
    entries: Vec<KnowledgeInfo>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let command = Command::from(arguments.ask()?);
    let answer = engine.decide(command, &Json::empty_object(), &shell.by_now())?;
    if answer.refusal.is_some() {
        return shell.report(&answer, |_| Ok(()));
    }
    let (ids, stages) = retrieved(&answer);
    let now = engine.clock().now();
    let entries = engine.ask(|world| {
        let (room, settings) = (&world.rooms.knowledge, &world.rooms.config.settings);
        let infos = ids.iter().filter_map(|id| Some(KnowledgeInfo::of(*id, room.entry(*id)?, settings, now)));
        infos.collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&FoundKnowledge { entry: answer.entry, stages, entries })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = entries.iter().map(|info| super::list::row(&engine, info)).collect();
    shell.out.table(
        &[
            Key("entry"),
            Key("type"),
            Goes(4, "status"),
            Goes(3, "strength"),
            Goes(2, "about"),
            Goes(1, "entities"),
            Seen("since"),
            Text("content"),
        ],
        &rows,
    )?;
    if entries.is_empty() {
        shell.out.say("nothing came; `annals knowledge trace` with the same words says why")?;
    }
    for event in &answer.events {
        if let Event::Knowledge(event @ knowledge::Event::Faded(_)) = event {
            say_event(&mut shell.out, event)?;
        }
    }
    Ok(CommandOutcome::Done)
}

fn retrieved(answer: &Answer) -> (Vec<EntryId>, Vec<StageCount>) {
    let found = answer.events.iter().find_map(|event| {
        let Event::Knowledge(knowledge::Event::Retrieved(found)) = event else { return None };
        Some((found.entries.clone(), found.stages.clone()))
    });
    found.unwrap_or_default()
}

pub(super) fn trace(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let ask = arguments.ask()?;
    let now = shell.now(&engine)?;
    let trace =
        shell.ask(&engine, |world| retrieve(&world.rooms.knowledge, &ask, &world.rooms.config.settings, now))?;
    if shell.wants_json() {
        shell.out.answer(&trace)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &engine, &trace)?;
    Ok(CommandOutcome::Done)
}

fn print(shell: &mut Shell, engine: &Engine, trace: &RetrievalTrace) -> std::io::Result<()> {
    let named = |names: &[Box<str>]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    for line in [format!("keywords: {}", named(&trace.keywords)), format!("entities: {}", named(&trace.entities))] {
        shell.out.line(clean(engine, &line))?;
    }
    for StageCount { stage, before, after } in &trace.stages {
        shell.out.line(format_args!("{stage:<18} {before:>6} -> {after}"))?;
    }
    let rows: Vec<_> = trace.entries.iter().map(|line| row(engine, line)).collect();
    shell.out.table(&[Key("entry"), Goes(2, "came"), Goes(1, "strength"), Text("why"), Text("content")], &rows)?;
    if !trace.cut.is_empty() {
        let words = format!("only the latest entries were looked at for {}", trace.cut.join(", "));
        shell.out.say(clean(engine, &words))?;
    }
    trace.diagnosis.iter().try_for_each(|found| shell.out.line(format_args!("nothing came: {}", diagnosis(found))))
}

fn row(engine: &Engine, line: &Line) -> Vec<String> {
    vec![
        line.entry.to_string(),
        line.dropped_at.map_or("yes".to_owned(), |stage| format!("no: {stage}")),
        format!("{:.3}", line.strength),
        clean(engine, &why(line)),
        clean(engine, &fold(&line.content)),
    ]
}
