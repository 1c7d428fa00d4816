//! `annals memory dream`: the dreamer's work, by hand or from a timer.

use serde::Serialize;

use annals_llm::Purpose;

use super::tags::Tags;
use crate::cli::models::{ByModel, HeardWord, Judge, Keeping, unseen};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean, text_of};
use crate::domain::Event;
use crate::domain::memory::command::{Command, Distilled, Dream, Observed};
use crate::domain::memory::dream::{Left, left};
use crate::domain::memory::event::{Event as OfMemory, LessonSource, Pair, Promoted};
use crate::engine::{Answer, Engine};
use crate::kernel::counted::counted;
use crate::kernel::json::Json;
use crate::role::judged::distil::{question, read};
use crate::view::gist::fold;

/// So many experiences are shown to a model.
const EXPERIENCES: usize = 8;

/// Arguments of `annals memory dream`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    tags: Tags,
    /// What to say if the pair becomes common sense; - reads it from stdin
    #[arg(long)]
    text: Option<String>,
    /// Texts for several pairs, one JSON object a line: {"space":…,"entity":…,"text":…}; - reads them from stdin
    #[arg(long, conflicts_with = "text")]
    texts: Option<String>,
    /// Until nothing is left to do
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    judge: ByModel,
}

/// What dreams came to.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Dreamt {
    forgotten: usize,
    demoted: Vec<Box<str>>,
    promoted: Vec<Promoted>,
    reviewed: usize,
    /// Pairs that still wait.
    pairs_left: u64,
    /// Whether something can still be forgotten.
    faded_left: bool,
}

impl Dreamt {
    fn add(&mut self, answer: &Answer) {
        for event in &answer.events {
            let Event::Memory(event) = event else { continue };
            match event {
                OfMemory::Forgotten(forgotten) => self.forgotten += forgotten.megrams.len(),
                OfMemory::Demoted(demoted) => self.demoted.extend(demoted.megrams.iter().cloned()),
                OfMemory::Promoted(promoted) => self.promoted.push(promoted.clone()),
                OfMemory::Reviewed(reviewed) => self.reviewed += reviewed.pairs.len(),
                OfMemory::Written(_) | OfMemory::Denied(_) | OfMemory::Recalled(_) => {}
            }
        }
    }

    fn is_done(&self) -> bool {
        self.pairs_left == 0 && !self.faded_left
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    const MOST_DREAMS: usize = 100_000;
    let engine = shell.engine()?;
    let mut observed = observed(&engine, arguments)?;
    let judge =
        arguments.judge.by_model.then(|| Judge::of(shell, &engine, Purpose::Distil, arguments.judge.model.as_deref()));
    let judge = judge.transpose()?;
    let mut dreamt = Dreamt::default();
    for _ in 0..MOST_DREAMS {
        if let Some(judge) = &judge {
            distil(shell, &engine, judge, &mut observed)?;
        }
        let answer = engine.decide(Command::from(Dream {}), &Json::of(&observed), &shell.by_now())?;
        if answer.refusal.is_some() {
            return shell.report(&answer, |_| Ok(()));
        }
        dreamt.add(&answer);
        let left = what_is_left(shell, &engine)?;
        (dreamt.pairs_left, dreamt.faded_left) = (left.pairs, left.is_any_faded);
        if !arguments.all || dreamt.is_done() || answer.events.is_empty() {
            break;
        }
    }
    print(shell, &engine, &dreamt)
}

/// Has a model word what the next dream will promote; what it cannot word is made of the experiences themselves.
fn distil(shell: &mut Shell, engine: &Engine, judge: &Judge, observed: &mut Observed) -> anyhow::Result<()> {
    let next = engine.rehearse(Command::from(Dream {}), &Json::of(observed), &shell.by_now())?;
    for event in next.decided.events {
        let Event::Memory(OfMemory::Promoted(promoted)) = event else { continue };
        if promoted.source == LessonSource::Distilled {
            continue;
        }
        let pair = Pair { space: promoted.space, entity: promoted.entity };
        let experiences = shell.ask(engine, |world| {
            let memory = &world.rooms.memory;
            let head = memory.pair(&pair.space, &pair.entity);
            head.map(|head| memory.latest(head, EXPERIENCES)).unwrap_or_default()
        })?;
        let texts: Vec<_> = experiences.iter().map(|megram| clean(engine, &megram.content)).collect();
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let word = judge.ask(engine, "dreamer", &question(promoted.lesson, &pair, &texts), Keeping::Open)?;
        match HeardWord::read(word, read) {
            HeardWord::Clear { word, says } => {
                if word.left_out > 0 {
                    shell.out.say(unseen(word.left_out))?;
                }
                let Pair { space, entity } = pair;
                observed.texts.push(Distilled { space, entity, text: says.into(), model: Some(word) });
            }
            HeardWord::Nothing { why, .. } => shell.out.say(format_args!("no words by a model: {why}"))?,
        }
    }
    Ok(())
}

fn observed(engine: &Engine, arguments: &Arguments) -> anyhow::Result<Observed> {
    let one = arguments.text.as_deref().map(|text| -> anyhow::Result<Distilled> {
        let (space, entity) = arguments.tags.pair(engine)?;
        Ok(Distilled { space, entity, text: text_of(text)?.trim().into(), model: None })
    });
    if let Some(one) = one {
        return Ok(Observed { texts: vec![one?] });
    }
    let lines = arguments.texts.as_deref().map(text_of).transpose()?.unwrap_or_default();
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str::<Distilled>(line)
            .map_err(|problem| Usage(format!("line {}: {problem}", number + 1)).into())
    };
    let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    Ok(Observed { texts: lines.map(read).collect::<anyhow::Result<_>>()? })
}

fn what_is_left(shell: &Shell, engine: &Engine) -> anyhow::Result<Left> {
    let now = engine.clock().now();
    shell.ask(engine, |world| left(&world.rooms.memory, now, &world.rooms.config.settings))
}

fn print(shell: &mut Shell, engine: &Engine, dreamt: &Dreamt) -> Done {
    if shell.wants_json() {
        shell.out.answer(dreamt)?;
        return Ok(CommandOutcome::Done);
    }
    let pairs = u64::try_from(dreamt.reviewed).unwrap_or(u64::MAX);
    shell.out.line(format_args!(
        "{} looked at: {} forgotten, {} demoted, {} promoted",
        counted(pairs, "pair"),
        dreamt.forgotten,
        dreamt.demoted.len(),
        dreamt.promoted.len()
    ))?;
    for id in &dreamt.demoted {
        shell.out.line(format_args!("- {id} has lost its trust, and fades from now on"))?;
    }
    for promoted in &dreamt.promoted {
        let text = fold(&clean(engine, &promoted.content));
        shell.out.line(format_args!("- {} is common sense now, a {}: {text}", promoted.megram, promoted.lesson))?;
    }
    if !dreamt.is_done() {
        let waiting = counted(dreamt.pairs_left, "pair");
        let faded = if dreamt.faded_left { ", and more that has faded" } else { "" };
        shell.out.say(format_args!("left for the next dream: {waiting}{faded}; --all goes on"))?;
    }
    Ok(CommandOutcome::Done)
}
