//! `annals topic list|show`: what agents come back to, and what of it reaches the work (control-room 8.1).

use serde::Serialize;

use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::Rooms;
use crate::domain::issue::state::tagged;
use crate::domain::topic::Topic;

/// Commands about topics.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List tags, those that agents read most first
    "list" => Runs(&With(list)),
    /// Show one tag
    "show" => Runs(&With(show)),
};

/// Arguments of `annals topic list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Only those that are circled without results
    #[arg(long)]
    flagged: bool,
}

/// Arguments of `annals topic show`.
#[derive(Debug, clap::Args)]
pub(super) struct ShowArguments {
    /// With or without #
    tag: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Topics {
    topics: Vec<TagLine>,
}

/// A tag in a list.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TagLine {
    tag: Box<str>,
    #[serde(flatten)]
    topic: Topic,
    /// Applied per 1000 accesses.
    application_rate: Option<u64>,
    /// Marked irrelevant per 1000 issues.
    irrelevance_rate: Option<u64>,
    flagged: bool,
    frozen: bool,
}

fn info(rooms: &Rooms, tag: &str, topic: Topic) -> TagLine {
    TagLine {
        tag: tag.into(),
        topic,
        application_rate: topic.application_rate(),
        irrelevance_rate: topic.irrelevance_rate(),
        flagged: rooms.topic.totals.flagged.contains(tag),
        frozen: rooms.moderation.frozen_tags.contains_key(tag),
    }
}

fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    let engine = shell.engine()?;
    let topics = shell.ask(&engine, |world| {
        let rooms = &world.rooms;
        if arguments.flagged {
            let flagged = rooms.topic.totals.flagged.iter().take(arguments.lines);
            return flagged.filter_map(|tag| Some(info(rooms, tag, *rooms.topic.topic(tag)?))).collect::<Vec<_>>();
        }
        let first = rooms.topic.tags.first_by_rank(arguments.lines);
        first.into_iter().map(|(tag, topic)| info(rooms, tag, *topic)).collect()
    })?;
    print(shell, topics)
}

fn show(shell: &mut Shell, arguments: &ShowArguments) -> Done {
    let engine = shell.engine()?;
    let tag = tagged(&arguments.tag);
    let topic = shell.ask(&engine, |world| Some(info(&world.rooms, &tag, *world.rooms.topic.topic(&tag)?)))?;
    match topic {
        Some(topic) => print(shell, vec![topic]),
        None => Err(Usage(format!("no issue has the tag {}", clean(&engine, &tag))).into()),
    }
}

fn print(shell: &mut Shell, topics: Vec<TagLine>) -> Done {
    if shell.wants_json() {
        shell.out.answer(&Topics { topics })?;
        return Ok(CommandOutcome::Done);
    }
    let rate = |rate: Option<u64>| rate.map_or("-".to_owned(), |rate| format!("{}.{} %", rate / 10, rate % 10));
    let rows = topics.iter().map(|info| {
        let Topic { issues, accesses, applied, irrelevant } = info.topic;
        let counts = [issues, accesses, applied, irrelevant].map(|count| count.to_string());
        let state = match (info.flagged, info.frozen) {
            (true, true) => "circled, frozen",
            (true, false) => "circled",
            (false, true) => "frozen",
            (false, false) => "-",
        };
        let more = [rate(info.application_rate), rate(info.irrelevance_rate), state.to_owned()];
        std::iter::once(info.tag.to_string()).chain(counts).chain(more).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = [
        Text("tag"),
        Key("issues"),
        Goes(6, "read"),
        Goes(2, "applied"),
        Goes(1, "irrelevant"),
        Goes(4, "applied/read"),
        Goes(3, "irrelevant/issues"),
        Key("state"),
    ];
    shell.out.table(&columns, &rows)?;
    Ok(CommandOutcome::Done)
}
