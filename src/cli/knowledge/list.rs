//! `annals knowledge list|show`: what is known (Galatea, track 6, view 2). Reading so is no retrieval (decision 22).

use anyhow::anyhow;
use serde::Serialize;

use crate::cli::line::{Line, Style};
use crate::cli::output::OutputTarget;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::cli::table::Column::{Goes, Key, Seen, Text};
use crate::domain::knowledge::state::Totals;
use crate::domain::knowledge::{Effect, KnowledgeEntry, KnowledgeKind, KnowledgeStatus};
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::id::EntryId;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::view::gist::fold;
use crate::view::knowledge::{KnowledgeInfo, origin};
use crate::world::World;

/// Arguments of `annals knowledge list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Only of this type: fact, preference, rule, procedure, correction, decision
    #[arg(long)]
    kind: Option<KnowledgeKind>,
    /// Only what names this
    #[arg(long, value_name = "NAME")]
    entity: Option<String>,
    /// Only what holds this text, in its content or a name
    #[arg(long)]
    text: Option<String>,
    /// What other entries hold in place of, too
    #[arg(long)]
    superseded: bool,
    /// What has faded or was put away, too
    #[arg(long)]
    archived: bool,
    /// Everything
    #[arg(long)]
    all: bool,
}

/// Arguments of `annals knowledge show`.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArguments {
    /// Which entry: its id, or the end of it
    entry: String,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct KnowledgeEntries {
    totals: Totals,
    entries: Vec<KnowledgeInfo>,
}

impl Arguments {
    fn fits(&self, info: &KnowledgeInfo) -> bool {
        let is_shown = match info.status {
            KnowledgeStatus::Active | KnowledgeStatus::Decaying => true,
            KnowledgeStatus::Archived => self.archived || self.all,
            KnowledgeStatus::Superseded => self.superseded || self.all,
        };
        let said = &info.entry.said;
        let holds = |text: &String| {
            let text = text.to_lowercase();
            let all = std::iter::once(&said.content).chain(&said.entities).chain(&said.about);
            all.into_iter().any(|part| part.to_lowercase().contains(&text))
        };
        is_shown && self.kind.is_none_or(|kind| kind == said.kind) && self.text.as_ref().is_none_or(holds)
    }

    /// The latest first. Where entries are left out, twice as many are looked at, until there are enough.
    fn find(&self, world: &World, now: Timestamp) -> Vec<KnowledgeInfo> {
        let (room, settings) = (&world.rooms.knowledge, &world.rooms.config.settings);
        if let Some(name) = &self.entity {
            let ids = room.named(name).map(|posting| posting.ids.clone()).unwrap_or_default();
            let infos =
                ids.into_iter().rev().filter_map(|id| Some(KnowledgeInfo::of(id, room.entry(id)?, settings, now)));
            return infos.filter(|info| self.fits(info)).take(self.lines).collect();
        }
        let mut looked_at = self.lines.max(1);
        loop {
            let entries = room.entries.first_by_rank(looked_at);
            let is_all = entries.len() < looked_at;
            let infos = entries.into_iter().filter_map(|(id, entry)| info(id, entry, settings, now));
            let found: Vec<KnowledgeInfo> = infos.filter(|info| self.fits(info)).take(self.lines).collect();
            if is_all || found.len() >= self.lines {
                return found;
            }
            looked_at = looked_at.saturating_mul(2);
        }
    }
}

fn info(id: &str, entry: &KnowledgeEntry, settings: &Settings, now: Timestamp) -> Option<KnowledgeInfo> {
    let id: EntryId = id.parse().ok()?;
    Some(KnowledgeInfo::of(id, entry, settings, now))
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let now = shell.now(&engine)?;
    let found = shell.ask(&engine, |world| (world.rooms.knowledge.totals.clone(), arguments.find(world, now)))?;
    let (totals, entries) = found;
    if shell.wants_json() {
        shell.out.answer(&KnowledgeEntries { totals, entries })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = entries.iter().map(|info| row(&engine, info)).collect();
    shell.out.table(
        &[
            Key("entry"),
            Key("type"),
            Key("status"),
            Goes(4, "strength"),
            Goes(3, "impact"),
            Goes(2, "about"),
            Goes(1, "entities"),
            Seen("since"),
            Text("content"),
        ],
        &rows,
    )?;
    if shell.out.target == OutputTarget::Terminal {
        let Totals { superseded, archived, entities, waiting, .. } = totals;
        let all = count(totals.all(), "entry", "entries");
        let (names, waiting) = (count(entities, "name", "names"), count(waiting, "candidate waits", "candidates wait"));
        shell.out.say(format_args!("{all}, {superseded} superseded, {archived} put away; {names}; {waiting}"))?;
    }
    Ok(CommandOutcome::Done)
}

pub(super) fn row(engine: &Engine, info: &KnowledgeInfo) -> Vec<String> {
    let said = &info.entry.said;
    let text = |text: &str| clean(engine, &fold(text));
    vec![
        info.id.to_string(),
        said.kind.to_string(),
        info.status.to_string(),
        format!("{:.3}", info.strength),
        said.impact.map_or("-", Effect::as_str).to_owned(),
        text(said.about.as_deref().unwrap_or("-")),
        text(&said.entities.join(", ")),
        info.entry.extracted_at.day().to_string(),
        text(&said.content),
    ]
}

pub(super) fn show(shell: &mut Shell, arguments: &ShowArguments) -> Done {
    let engine = shell.engine()?;
    let id = super::entry(shell, &engine, &arguments.entry)?;
    let now = shell.now(&engine)?;
    let found = shell.ask(&engine, |world| {
        let entry = world.rooms.knowledge.entry(id)?;
        Some(KnowledgeInfo::of(id, entry, &world.rooms.config.settings, now))
    })?;
    let unknown = || {
        anyhow!(Usage(format!(
            "there is no entry {id} of knowledge; `annals knowledge list --all` shows those there are"
        )))
    };
    let info = found.ok_or_else(unknown)?;
    if shell.wants_json() {
        shell.out.answer(&info)?;
        return Ok(CommandOutcome::Done);
    }
    let head = Line::of(Style::Cyan, id);
    let standing = format!("  {}, {}, strength {:.3}", info.entry.said.kind, info.status, info.strength);
    shell.out.styled(&head.then(standing))?;
    for line in lines(&info) {
        shell.out.line(clean(&engine, &line))?;
    }
    Ok(CommandOutcome::Done)
}

/// All that is kept of an entry.
fn lines(info: &KnowledgeInfo) -> Vec<String> {
    let KnowledgeEntry { said, by, extracted_at, last_retrieved_at, retrievals, superseded_by, archived, evidence } =
        &info.entry;
    let mut lines: Vec<String> = said.content.lines().map(|line| format!("  {line}")).collect();
    lines.push(format!("confidence {} since {extracted_at}, by {by}", said.confidence));
    lines.extend(said.impact.map(|impact| format!("impact {impact}")));
    lines.extend(said.about.as_ref().map(|about| format!("about {about}")));
    lines.extend((!said.entities.is_empty()).then(|| format!("entities: {}", said.entities.join(", "))));
    lines.extend(origin(&said.source).map(|origin| format!("learnt: {origin}").replace('`', "")));
    lines.extend(last_retrieved_at.map(|last| format!("last retrieved {last}, {retrievals} in all")));
    let counts = (evidence.exposed, evidence.helpful, evidence.harmful);
    lines.extend((counts.0 > 0).then(|| {
        format!("worked with {}: {} helpful, {} harmful", count(counts.0, "time", "times"), counts.1, counts.2)
    }));
    lines.extend(superseded_by.as_ref().map(|by| {
        let rule = by.because.map(|rule| format!(", by rule: {}", rule.as_str().replace('_', " "))).unwrap_or_default();
        format!("superseded by {} on {}{rule}", by.by, by.at.day())
    }));
    lines.extend(archived.as_ref().map(|put| {
        let reason = put.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("put away by {} on {}{reason}", put.by, put.at.day())
    }));
    let fades = info.archives_at.filter(|_| info.entry.is_kept());
    lines.extend(fades.map(|at| match info.status {
        KnowledgeStatus::Archived => format!("archived since {at}: nobody retrieved it"),
        KnowledgeStatus::Active | KnowledgeStatus::Decaying | KnowledgeStatus::Superseded => {
            format!("archived at {at}, unless it is retrieved before")
        }
    }));
    lines
}
