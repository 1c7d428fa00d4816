//! `annals forget WORDS|ID`: the one thing known that these name is put away, as by `knowledge archive`.
//!
//! The counterpart of `remember`. Of several that words fit, none is: they are named.

use crate::cli::named::{Candidate, KNOWLEDGE};
use crate::cli::shell::{Done, Shell, clean};
use crate::domain::Event;
use crate::domain::knowledge::command::Archive;
use crate::domain::knowledge::{self, Command, KnowledgeStatus};
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::gist::fold;
use crate::view::knowledge::KnowledgeInfo;

/// Puts away what is named.
pub(in crate::cli) fn forget(shell: &mut Shell, named: &str, reason: Option<&str>) -> Done {
    let engine = shell.engine()?;
    let entry = match by_words(shell, &engine, named)? {
        Some(entry) => entry,
        None => super::entry(shell, &engine, named)?,
    };
    let content = shell.ask(&engine, |world| world.rooms.knowledge.entry(entry).map(|one| one.said.content.clone()))?;
    let content = fold(&clean(&engine, &content.unwrap_or_default()));
    let archive = Archive { entry, reason: reason.map(Into::into) };
    shell.decide(&engine, Command::from(archive), &Json::empty_object(), |out, answer| {
        for event in &answer.events {
            let Event::Knowledge(knowledge::Event::Archived(_)) = event else { continue };
            out.line(format_args!("{entry} is archived: {content}"))?;
            out.say(format_args!("hint: `annals knowledge restore {entry}` brings it back"))?;
        }
        Ok(())
    })
}

/// The one that holds and says just that; else the one in which all of the words stand.
fn by_words(shell: &Shell, engine: &Engine, named: &str) -> anyhow::Result<Option<EntryId>> {
    let wanted = words(named);
    if wanted.is_empty() || named.parse::<EntryId>().is_ok() {
        return Ok(None);
    }
    let now = shell.now(engine)?;
    let known = shell.ask(engine, |world| {
        let (room, settings) = (&world.rooms.knowledge, &world.rooms.config.settings);
        let infos = room.entries.iter().filter_map(|(id, entry)| {
            let id: EntryId = id.parse().ok()?;
            Some((id, KnowledgeInfo::of(id, entry, settings, now)))
        });
        let holds = |info: &KnowledgeInfo| match info.status {
            KnowledgeStatus::Active | KnowledgeStatus::Decaying => true,
            KnowledgeStatus::Archived | KnowledgeStatus::Superseded => false,
        };
        let holding = infos.filter(|(_, info)| holds(info));
        holding.map(|(id, info)| Candidate::new(id, info.entry.said.content.to_string())).collect::<Vec<_>>()
    })?;
    let fitting = |fits: &dyn Fn(&[String]) -> bool| {
        let is_it = |candidate: &Candidate<EntryId>| fits(&words(&candidate.title));
        known.iter().filter(|candidate| is_it(candidate)).collect::<Vec<_>>()
    };
    let exact = fitting(&|said| *said == *wanted);
    let fitting = if exact.is_empty() { fitting(&|said| wanted.iter().all(|word| said.contains(word))) } else { exact };
    let shown: Vec<_> = fitting.iter().map(|one| Candidate::new(one.id, clean(engine, &one.title))).collect();
    Ok(KNOWLEDGE.noun.only(named, &shown.iter().collect::<Vec<_>>())?)
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}
