//! `annals canon list|show|conflicts`: what holds, what held, and where canon contradicts itself.

use serde::Serialize;

use crate::cli::line::{Line, Style};
use crate::cli::named::CANON;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::canon::Anchor;
use crate::domain::canon::row::Holder;
use crate::engine::Engine;
use crate::view::canon::{Page, VersionInfo};

/// Arguments of `annals canon list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// What holds no more, too
    #[arg(long)]
    retired: bool,
}

/// Arguments of `annals canon show`.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArguments {
    /// An entry, or a version of it: seryn-eyes, seryn-eyes@1
    #[arg(value_name = "KEY[@VERSION]")]
    anchor: String,
}

/// The answer of `list` in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct CanonEntries {
    /// All there are, retired ones included.
    total: u64,
    /// Those that are listed, the version that holds of each.
    entries: Vec<VersionInfo>,
}

/// The answer of `conflicts` in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Conflicts {
    conflicts: Vec<Vec<Holder>>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (total, entries) = shell.ask(&engine, |world| {
        let canon = &world.rooms.canon;
        let entries = canon.entries.first_by_rank(arguments.lines);
        let listed = entries.into_iter().flat_map(|(key, entry)| {
            let current: Vec<_> = entry.current().collect();
            let last = entry.latest().filter(|_| current.is_empty() && arguments.retired);
            let versions = current.into_iter().chain(last);
            versions.map(|version| VersionInfo::of(&world.rooms, key, version)).collect::<Vec<_>>()
        });
        (canon.totals.entries, listed.collect::<Vec<_>>())
    })?;
    if shell.wants_json() {
        shell.out.answer(&CanonEntries { total, entries })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = entries.iter().map(|version| row(&engine, version)).collect();
    shell.out.table(
        &[Key("entry"), Goes(1, "claims"), Key("since"), Goes(2, "by"), Goes(3, "issue"), Text("title")],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}

fn row(engine: &Engine, version: &VersionInfo) -> Vec<String> {
    let number = version.source_number.as_ref().map(|number| format!("#{number}"));
    let state = version.ended.as_ref().map(|ended| format!(" ({ended})")).unwrap_or_default();
    vec![
        version.anchor.clone(),
        version.claims.len().to_string(),
        version.at.day().to_string(),
        version.by.to_string(),
        number.unwrap_or_default(),
        clean(engine, &version.title) + &state,
    ]
}

pub(super) fn show(shell: &mut Shell, arguments: &ShowArguments) -> Done {
    let engine = shell.engine()?;
    let unknown = || CANON.noun.unknown(&arguments.anchor);
    let anchor = Anchor::read(&arguments.anchor).ok_or_else(unknown)?;
    let key = shell.find(&engine, &CANON, anchor.key)?.ok_or_else(unknown)?;
    let page = shell.ask(&engine, |world| Page::of(&world.rooms, &key))?;
    let mut page = page.ok_or_else(unknown)?;
    if anchor.version.is_some() {
        page.versions.retain(|version| version.anchor == arguments.anchor);
        page.title = page.versions.first().ok_or_else(unknown)?.title.clone();
    }
    if shell.wants_json() {
        shell.out.answer(&page)?;
        return Ok(CommandOutcome::Done);
    }
    shell.out.styled(&Line::of(Style::Bold, clean(&engine, &page.title)))?;
    page.versions.iter().try_for_each(|version| print(shell, &engine, version))?;
    Ok(CommandOutcome::Done)
}

fn print(shell: &mut Shell, engine: &Engine, version: &VersionInfo) -> std::io::Result<()> {
    let state = version.ended.as_ref().map_or_else(|| "holds".to_owned(), Clone::clone);
    shell.out.line("")?;
    let head = Line::of(Style::Cyan, &version.anchor);
    shell.out.styled(&head.then(format_args!("  {state}; {}", version.origin())))?;
    let text = clean(engine, &version.text);
    text.lines().try_for_each(|line| shell.out.line(format!("  {line}").trim_end()))?;
    for claim in &version.claims {
        let claim = format!("{}, {}: {}", claim.subject, claim.attribute, claim.value);
        shell.out.line(format_args!("  - {}", clean(engine, &claim)))?;
    }
    Ok(())
}

pub(super) fn conflicts(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let conflicts: Vec<Vec<Holder>> =
        shell.ask(&engine, |world| world.rooms.canon.conflicts().into_iter().map(|fact| fact.0.clone()).collect())?;
    let outcome = if conflicts.is_empty() { CommandOutcome::Done } else { CommandOutcome::Refused };
    if shell.wants_json() {
        shell.out.answer(&Conflicts { conflicts })?;
        return Ok(outcome);
    }
    if conflicts.is_empty() {
        shell.out.say("canon does not contradict itself")?;
    }
    for holders in &conflicts {
        let about = holders.first().map(|holder| format!("{}, {}", holder.claim.subject, holder.claim.attribute));
        let says = holders.iter().map(|holder| format!("{} ({}@{})", holder.claim.value, holder.key, holder.version));
        let line = format!("{}: {}", about.unwrap_or_default(), says.collect::<Vec<_>>().join(", "));
        shell.out.line(clean(&engine, &line))?;
    }
    Ok(outcome)
}
