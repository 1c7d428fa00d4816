//! `annals voice accept`: words of other authors that agents may be told from now on.
//!
//! Holds in this clone alone, and for the lines as they are now.

use serde::Serialize;

use crate::cli::line::{Line, Style};
use crate::cli::named::{Candidate, Noun};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::Engine;
use crate::kernel::actor::USER;
use crate::kernel::counted::counted;
use crate::kernel::id::EntryId;
use crate::view::gist::short_id;
use crate::view::voice::{PieceText, Quoted};

use super::pieces;
use super::signed::signed;

/// Words that wait, as a text may name them.
const WORDS: Noun =
    Noun { one: "entry with words that wait", many: "entries with words that wait", list: "annals voice accept" };

/// Arguments of `annals voice accept`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Entries, by the beginning or end of their ids [default: list those that wait]
    #[arg(value_name = "ENTRY", conflicts_with_all = ["all", "signed"])]
    entries: Vec<String>,
    /// All that wait
    #[arg(long, conflicts_with = "signed")]
    all: bool,
    /// Those that a user wrote whose key you trust (`annals trust`); the history is verified first
    #[arg(long)]
    signed: bool,
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
    let chosen = if arguments.signed {
        let signed = signed(shell, &engine, waiting.iter().map(|word| word.entry).collect())?;
        waiting.iter().filter(|word| signed.contains(&word.entry)).collect()
    } else {
        chosen(&waiting, arguments)?
    };
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
        // Whole, as an agent would read it: a table would cut off what stands behind.
        for word in &waiting {
            let id = word.entry.to_string();
            shell.out.styled(&Line::of(Style::Dim, short_id(&id)).then(format_args!("  {}", word.text)))?;
        }
        shell.out.say("`annals voice accept ENTRY` lets agents be told of one, `--signed` of those whose key you trust, `--all` of all")?;
    }
    Ok(CommandOutcome::Done)
}

/// What was written elsewhere, or before this clone kept whose words are whose.
fn waiting(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<WaitingWord>> {
    let quoted = |piece: PieceText| {
        let Quoted { entry, words } = piece.quoted?;
        Some(WaitingWord { entry, text: piece.text, words })
    };
    let own = engine.own_words()?;
    let words = pieces(shell, engine)?.into_iter().filter_map(quoted);
    Ok(words.filter(|word| !own.has(word.entry, &word.words)).collect())
}

fn chosen<'w>(waiting: &'w [WaitingWord], arguments: &Arguments) -> anyhow::Result<Vec<&'w WaitingWord>> {
    if arguments.all {
        return Ok(waiting.iter().collect());
    }
    let all: Vec<_> = waiting.iter().map(|word| Candidate::new(word.entry, word.text.clone())).collect();
    let find = |text: &String| {
        let entry = WORDS.pick(text, &all)?.ok_or_else(|| WORDS.unknown(text))?;
        Ok(waiting.iter().find(|word| word.entry == entry).expect("BUG: it was picked among these"))
    };
    arguments.entries.iter().map(find).collect()
}
