//! `annals voice accept`: words that somebody else wrote, and that agents may be told from now on.
//!
//! Holds in this clone alone, and for the lines as they are now.

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Key, Text};
use crate::engine::Engine;
use crate::kernel::actor::USER;
use crate::kernel::counted::counted;
use crate::kernel::id::EntryId;
use crate::view::gist::short_id;
use crate::view::voice::{Listener, PieceText, Quoted, start};

/// Arguments of `annals voice accept`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Entries, by the beginning or end of their ids [default: list those that wait]
    #[arg(value_name = "ENTRY", conflicts_with = "all")]
    entries: Vec<String>,
    /// All that wait
    #[arg(long)]
    all: bool,
}

/// Words that wait.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WaitingWord {
    /// The entry that says them.
    entry: EntryId,
    /// What agents would be told.
    text: String,
    #[serde(skip)]
    words: Vec<Box<str>>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WaitingWords {
    /// What was accepted.
    accepted: usize,
    /// What waits.
    waiting: Vec<WaitingWord>,
}

pub(in crate::cli) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let waiting = waiting(shell, &engine)?;
    let chosen = chosen(&waiting, arguments)?;
    if !chosen.is_empty() && shell.actor().as_str() != USER {
        return Err(Usage(format!("only the user accepts words for agents, not {}", shell.actor())).into());
    }
    let accepted = chosen.len();
    engine.accept_words(&chosen.iter().map(|word| (word.entry, &*word.words)).collect::<Vec<_>>())?;
    if shell.wants_json() {
        shell.out.answer(&WaitingWords { accepted, waiting })?;
    } else if accepted > 0 {
        shell.out.line(format!("agents may be told {}", counted(accepted as u64, "entry")))?;
    } else if waiting.is_empty() {
        shell.out.say("no words wait: agents are told whatever there is")?;
    } else {
        let rows: Vec<_> =
            waiting.iter().map(|word| vec![short_id(&word.entry.to_string()).to_owned(), word.text.clone()]).collect();
        shell.out.table(&[Key("entry"), Text("what agents would be told")], &rows)?;
        shell.out.say("`annals voice accept ENTRY` lets agents be told of one, `--all` of all")?;
    }
    Ok(CommandOutcome::Done)
}

/// What was written elsewhere, or before this clone kept whose words are whose.
fn waiting(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<WaitingWord>> {
    let (agent, at, settings) = (shell.actor(), shell.now(engine)?, engine.settings());
    let listener = Listener { agent: &agent, at, settings };
    let pieces = shell.ask(engine, |world| start(&world.rooms, listener))?;
    let quoted = |piece: PieceText| {
        let Quoted { entry, words } = piece.quoted?;
        Some(WaitingWord { entry, text: piece.text, words })
    };
    let own = engine.own_words()?;
    let words = pieces.into_iter().filter_map(quoted);
    Ok(words.filter(|word| !own.has(word.entry, &word.words)).collect())
}

fn chosen<'w>(waiting: &'w [WaitingWord], arguments: &Arguments) -> anyhow::Result<Vec<&'w WaitingWord>> {
    if arguments.all {
        return Ok(waiting.iter().collect());
    }
    let find = |text: &String| {
        let fits = |word: &&WaitingWord| {
            let (id, text) = (word.entry.to_string(), text.to_uppercase());
            id.starts_with(&text) || id.ends_with(&text)
        };
        let mut fitting = waiting.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(word), None) => Ok(word),
            (Some(_), Some(_)) => Err(Usage(format!("{text} fits several entries that wait; give more of the id"))),
            (None, _) => Err(Usage(format!("no words of {text} wait; `annals voice accept` lists those that do"))),
        }
    };
    Ok(arguments.entries.iter().map(find).collect::<Result<_, _>>()?)
}
