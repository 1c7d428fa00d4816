//! `annals knowledge extract`: what may be learnt from what a person said in recorded sessions.
//!
//! Reads prompts that a person typed and reasons for which a person turned calls down, nothing else. Proposes; what is
//! found counts only when somebody accepts it. Doing it again adds nothing.

use std::collections::BTreeMap;

use anyhow::anyhow;
use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::knowledge::command::Propose;
use crate::domain::knowledge::learn::{Way, learn};
use crate::domain::knowledge::settings::EXTRACT_MAX_CHARS;
use crate::domain::knowledge::{Command, KnowledgeKind};
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::actor::USER;
use crate::kernel::counted::count as plural;
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::json::Json;
use crate::kernel::record::Input;
use crate::log::read::Flow;
use crate::view::gist::fold;

/// Arguments of `annals knowledge extract`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A session: its id, or the beginning or end of it
    #[arg(required_unless_present = "all", allow_negative_numbers = true)]
    session: Option<String>,
    /// Every session
    #[arg(long, conflicts_with = "session")]
    all: bool,
    /// Only say what would be proposed
    #[arg(long)]
    dry_run: bool,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Extracted {
    /// Prompts and rejections that were read.
    read: u64,
    /// Candidates that are new, or were seen once more.
    proposed: u64,
    /// What was found and is no news.
    known: u64,
    lessons: Vec<CandidateLine>,
}

/// Something that was found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CandidateLine {
    kind: KnowledgeKind,
    rule: &'static str,
    content: String,
    session: SessionId,
    entry: EntryId,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let session = arguments.session.as_deref().map(|text| shell.find_session(&engine, text)).transpose()?;
    if session.is_none() && !arguments.all {
        return Err(anyhow!(Usage("give a session, or --all".to_owned())));
    }
    let (read, lessons) = find(&engine, session)?;
    if arguments.dry_run {
        let lessons = lessons.into_iter().map(|(info, _)| info).collect();
        return tell(shell, &engine, &Extracted { read, proposed: 0, known: 0, lessons }, "would be proposed");
    }
    let mut waiting = lessons.iter().map(|(_, propose)| propose.clone());
    let answers =
        engine.decide_each(&shell.by_now(), &Json::empty_object(), |_| Some(Command::from(waiting.next()?).into()))?;
    if let Some(refused) =
        answers.iter().find(|answer| answer.refusal.as_ref().is_some_and(|no| &*no.rule != "knowledge.proposed"))
    {
        return shell.report(refused, |_| Ok(()));
    }
    let is_news: Vec<bool> = answers.iter().map(|answer| answer.refusal.is_none()).collect();
    let proposed = is_news.iter().filter(|news| **news).count();
    let known = is_news.len() - proposed;
    let lessons = lessons.into_iter().zip(&is_news).filter(|(_, news)| **news).map(|((info, _), _)| info).collect();
    let [proposed, known] = [proposed, known].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
    tell(shell, &engine, &Extracted { read, proposed, known, lessons }, "proposed")
}

/// What may be learnt, and how many texts were read for it.
fn find(engine: &Engine, session: Option<SessionId>) -> anyhow::Result<(u64, Vec<(CandidateLine, Propose)>)> {
    let filter = Filter {
        session,
        kinds: vec![OperationType::UserInput.as_str().to_owned()],
        names: [Input::Prompt, Input::Rejection].map(|kind| kind.name().to_owned()).to_vec(),
        agents: vec![USER.to_owned()],
        ..Filter::default()
    };
    let most = engine.settings().get(&EXTRACT_MAX_CHARS);
    let (mut read, mut lessons) = (0, Vec::new());
    engine.reader()?.each(&filter, &mut |found| {
        read += 1;
        lessons.extend(of_entry(&found.entry, most));
        Flow::More
    })?;
    Ok((read, lessons))
}

/// What may be learnt from one entry.
fn of_entry(entry: &HistoryEntry, most: usize) -> Vec<(CandidateLine, Propose)> {
    let (way, key) =
        if entry.record() == Input::Rejection.into() { (Way::Rejection, "reason") } else { (Way::Prompt, "text") };
    let input = entry.operation.input.value();
    let Some(text) = input[key].as_str().filter(|text| text.chars().count() <= most) else { return Vec::new() };
    let lessons = learn(text, way).into_iter().map(|lesson| {
        let (session, id) = (entry.session_id.clone(), entry.id);
        let (kind, rule, content) = (lesson.kind, lesson.rule, lesson.content.clone());
        let propose = lesson.candidate(session.clone(), id);
        (CandidateLine { kind, rule, content, session, entry: id }, propose)
    });
    lessons.collect()
}

fn tell(shell: &mut Shell, engine: &Engine, found: &Extracted, done: &str) -> Done {
    if shell.wants_json() {
        shell.out.answer(found)?;
        return Ok(CommandOutcome::Done);
    }
    let rows = found.lessons.iter().map(|info| {
        let content = clean(engine, &fold(&info.content));
        vec![info.kind.to_string(), info.rule.to_owned(), info.entry.to_string(), content]
    });
    let rows: Vec<_> = rows.collect();
    shell.out.table(&[Key("type"), Goes(1, "rule"), Key("from"), Text("content")], &rows)?;
    let mut kinds: BTreeMap<KnowledgeKind, usize> = BTreeMap::new();
    found.lessons.iter().for_each(|info| *kinds.entry(info.kind).or_default() += 1);
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let known = if found.known > 0 { format!("; {} found before", found.known) } else { String::new() };
    let (read, count) = (found.read, found.lessons.len());
    let read = plural(read, "prompt or rejection", "prompts and rejections");
    shell.out.say(format_args!("read {read}; {count} {done}{kinds}{known}"))?;
    Ok(CommandOutcome::Done)
}
