//! `annals hivemind list|show`: reading is no access (decision 22).

use serde::Serialize;

use crate::cli::line::{Line, Style};
use crate::cli::named::HIVEMIND;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::hivemind::{EntryCategory, EntryStatus, HivemindEntry, Scope, State, key_of};
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::view::hivemind::Now;

/// Without `--all` so many entries are looked at where a filter leaves others out.
const LOOKED_AT: usize = 400;

/// Arguments of `annals hivemind list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: EntryFilter,
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// The page, each of --lines entries
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    page: usize,
    /// Look at every entry, not only at those that were used last
    #[arg(long)]
    all: bool,
}

/// Which entries.
#[derive(Debug, clap::Args)]
struct EntryFilter {
    /// fear, satisfaction, knowledge, decision or preference
    #[arg(long)]
    category: Option<EntryCategory>,
    /// active, decaying, golden, contested or expired [default: all but expired]
    #[arg(long)]
    status: Option<EntryStatus>,
    /// project or global
    #[arg(long)]
    scope: Option<Scope>,
    /// Those with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Those whose key or value has these words
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
}

/// Arguments of `annals hivemind show`.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArguments {
    /// Which
    key: String,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ListedEntries {
    /// All there are, expired ones included.
    total: u64,
    /// How many of them were looked at.
    looked_at: usize,
    entries: Vec<Now>,
}

impl EntryFilter {
    fn is_any(&self) -> bool {
        let Self { category, status, scope, tag, search } = self;
        category.is_none() && status.is_none() && scope.is_none() && tag.is_none() && search.is_none()
    }

    fn fits(&self, key: &str, entry: &HivemindEntry, now: Timestamp, settings: &Settings) -> bool {
        let status = entry.status_at(now, settings);
        let has = |words: &str| {
            let words = words.to_lowercase();
            key.contains(&words) || entry.value.to_lowercase().contains(&words)
        };
        entry.removed.is_none()
            && self.status.map_or(status != EntryStatus::Expired, |wanted| wanted == status)
            && self.category.is_none_or(|category| entry.category == category)
            && self.scope.is_none_or(|scope| entry.scope == scope)
            && self.tag.as_deref().is_none_or(|tag| entry.tags.iter().any(|own| **own == *tag.trim_start_matches('#')))
            && self.search.as_deref().is_none_or(has)
    }
}

/// The entries that are looked at: where those are wanted that expire soon, those that expire first.
fn looked_at<'s>(state: &'s State, filter: &EntryFilter, most: usize) -> Vec<(&'s str, &'s HivemindEntry)> {
    if most == usize::MAX {
        let _ = state.entries.iter().next();
    }
    if filter.status == Some(EntryStatus::Decaying) && most != usize::MAX {
        let soon = state.next_to_expire(most);
        return soon.into_iter().filter_map(|(key, _)| Some((key, state.entry(key)?))).collect();
    }
    let rows = state.entries.first_by_rank(most);
    rows.into_iter().map(|(key, entry)| (&**key, entry)).collect()
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let now = shell.now(&engine)?;
    let wanted = arguments.lines.saturating_mul(arguments.page.max(1));
    let most = match (arguments.all, arguments.filter.is_any()) {
        (true, _) => usize::MAX,
        (false, true) => wanted.saturating_mul(2).max(100),
        (false, false) => wanted.saturating_mul(2).max(LOOKED_AT),
    };
    let settings = engine.settings();
    let found = shell.ask(&engine, |world| {
        let state = &world.rooms.hivemind;
        let rows = looked_at(state, &arguments.filter, most);
        let count = rows.len();
        let fitting = rows.into_iter().filter(|(key, entry)| arguments.filter.fits(key, entry, now, settings));
        let page = fitting.skip(wanted - arguments.lines.min(wanted)).take(arguments.lines);
        let entries = page.map(|(key, entry)| Now::of(key, entry, now, settings)).collect();
        ListedEntries { total: state.totals.all(), looked_at: count, entries }
    })?;
    if shell.wants_json() {
        shell.out.answer(&found)?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = found.entries.iter().map(|now| row(&engine, now)).collect();
    shell.out.table(
        &[
            Key("key"),
            Goes(4, "category"),
            Key("status"),
            Goes(3, "strength"),
            Goes(2, "used"),
            Goes(1, "times"),
            Text("value"),
        ],
        &rows,
    )?;
    if found.entries.len() < arguments.lines && found.looked_at == most {
        let ListedEntries { total, looked_at, .. } = found;
        shell.out.say(format_args!("looked at {looked_at} of {total}; `--all` looks at every entry"))?;
    }
    Ok(CommandOutcome::Done)
}

fn row(engine: &Engine, now: &Now) -> Vec<String> {
    let entry = &now.entry;
    vec![
        clean(engine, &entry.key),
        entry.category.to_string(),
        entry.status.to_string(),
        format!("{:.2}", now.effective_strength),
        entry.decay.last_accessed.day().to_string(),
        entry.decay.access_count.to_string(),
        clean(engine, &entry.value).replace('\n', " "),
    ]
}

pub(super) fn show(shell: &mut Shell, arguments: &ShowArguments) -> Done {
    let engine = shell.engine()?;
    let now = shell.now(&engine)?;
    let key = key_of(&arguments.key).unwrap_or_default();
    let key = shell.find(&engine, &HIVEMIND, &key)?.unwrap_or(key);
    let settings = engine.settings();
    let found = shell.ask(&engine, |world| {
        let entry = world.rooms.hivemind.entry(&key)?;
        Some(Now::of(&key, entry, now, settings))
    })?;
    let found = found.ok_or_else(|| HIVEMIND.noun.unknown(&arguments.key))?;
    if shell.wants_json() {
        shell.out.answer(&found)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &engine, &found)?;
    Ok(CommandOutcome::Done)
}

fn print(shell: &mut Shell, engine: &Engine, now: &Now) -> std::io::Result<()> {
    let entry = &now.entry;
    let plain = |text: &str| clean(engine, text);
    let head = Line::of(Style::Bold, plain(&entry.key));
    let standing = format!("  {} {}, for this {}", entry.status, entry.category, whom(entry.scope));
    shell.out.styled(&head.then(standing))?;
    let value = plain(&entry.value);
    value.lines().try_for_each(|line| shell.out.line(format!("  {line}").trim_end()))?;
    let mut lines = vec![
        strength(now),
        format!("kept {} by {} ({})", entry.source.timestamp, entry.source.agent_id, entry.source.agent_role),
    ];
    if !entry.source.promotion_reason.is_empty() {
        lines.push(format!("because: {}", plain(&entry.source.promotion_reason)));
    }
    if let Some(contest) = &entry.contested {
        let (by, at, reason) = (&contest.contested_by, contest.contested_at, plain(&contest.reason));
        lines.push(format!("contested ({}) by {by} {at}: {reason}", contest.purpose));
        if contest.alternative_value != entry.value {
            lines.push(format!("instead: {}", plain(&contest.alternative_value)));
        }
    }
    if let Some(golden) = &entry.golden {
        lines.push(format!("golden since {}, by {}", golden.promoted_at, golden.promoted_by));
    }
    lines.extend(around(now, &plain));
    lines.iter().try_for_each(|line| shell.out.line(line))
}

fn whom(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Global => "and other projects",
    }
}

fn strength(now: &Now) -> String {
    let decay = &now.entry.decay;
    let used = format!("strength {:.2} (confidence {})", now.effective_strength, now.entry.confidence);
    let last = match decay.access_count {
        0 => format!("not used since {}", decay.last_accessed),
        count => format!("used {}, the last {}", counted(count, "time"), decay.last_accessed),
    };
    match decay.expires_at {
        Some(at) if now.entry.status == EntryStatus::Expired => format!("{used}; {last}; expired {at}"),
        Some(at) => format!("{used}; {last}; fades by {} a day, and expires {at}", decay.decay_rate),
        None => format!("{used}; {last}"),
    }
}

/// What belongs to it, where it has been, what it was.
fn around(now: &Now, plain: &impl Fn(&str) -> String) -> Vec<String> {
    let entry = &now.entry;
    let mut lines = Vec::new();
    let mut list = |name: &str, texts: &[Box<str>]| {
        if !texts.is_empty() {
            lines.push(format!("{name}: {}", plain(&texts.join(", "))));
        }
    };
    list("tags", &entry.metadata.tags);
    list("related", &entry.metadata.related_entries);
    if let Some(sync) = &entry.sync {
        list("from project", &sync.source_project.iter().cloned().collect::<Vec<_>>());
        list("also in", &sync.synced_to);
    }
    for others in entry.extensions.iter().map(|extensions| &extensions.annals) {
        let line = |name: &str, other: &crate::domain::hivemind::row::Other| {
            format!("{name} ({}, {}): {}", other.by, other.at.day(), plain(&other.value))
        };
        lines.extend(others.rivals.iter().map(|other| line("another branch has", other)));
        lines.extend(others.past.iter().map(|other| line("before", other)));
    }
    lines
}
