//! `annals cognition fact|contradict|settle|unknown|answer`: what is taken for true, and what is not known (AFS 4.4).

use super::{Place, told};
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::cognition::command::{AddFact, Contradict, DropFact, Learn, Settle, VerifyFact, Wonder};
use crate::domain::cognition::event::Event as Told;
use crate::engine::Answer;
use crate::kernel::share::Share;

/// Commands about facts.
#[derive(Debug, clap::Subcommand)]
pub(super) enum FactCommand {
    /// Add a fact
    Add(AddArguments),
    /// Say that a fact was verified
    Verify(VerifyArguments),
    /// Drop a fact
    Drop(DropArguments),
}

#[derive(Debug, clap::Args)]
pub(super) struct AddArguments {
    /// The fact; - reads it from stdin
    fact: String,
    /// How sure, 0 to 1
    #[arg(long, default_value = "0.5")]
    confidence: Share,
    /// From where
    #[arg(long, value_name = "TEXT", default_value = "")]
    source: Box<str>,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// Which: its id, or the end of it
    fact: String,
    /// Who or what verified it
    #[arg(long, value_name = "TEXT")]
    source: Box<str>,
}

#[derive(Debug, clap::Args)]
pub(super) struct DropArguments {
    /// Which
    fact: String,
}

/// Arguments of `annals cognition contradict`.
#[derive(Debug, clap::Args)]
pub(super) struct ContradictArguments {
    /// The one fact, by its id or in words
    fact_a: String,
    /// The other
    fact_b: String,
}

/// Arguments of `annals cognition settle`.
#[derive(Debug, clap::Args)]
pub(super) struct SettleArguments {
    /// Which contradiction
    contradiction: String,
    /// What was decided
    resolution: Box<str>,
}

/// Arguments of `annals cognition unknown`.
#[derive(Debug, clap::Args)]
pub(super) struct UnknownArguments {
    /// The question
    question: Box<str>,
    /// The work cannot be right without the answer
    #[arg(long)]
    critical: bool,
}

/// Arguments of `annals cognition answer`.
#[derive(Debug, clap::Args)]
pub(super) struct AnswerArguments {
    /// Which question
    unknown: String,
    /// The answer
    answer: Box<str>,
}

pub(super) fn run(shell: &mut Shell, place: &Place, command: &FactCommand) -> Done {
    let session = place.session.clone();
    match command {
        FactCommand::Add(options) => {
            let (fact, source) = (text_of(&options.fact)?.trim().into(), options.source.clone());
            let add = AddFact { session, fact, confidence: options.confidence, source };
            place.decide(shell, add, |out, answer| {
                if let Some(dropped) = dropped(answer) {
                    out.say(format_args!("note: the least sure fact was dropped for it: {dropped}"))?;
                }
                made(answer).map_or(Ok(()), |id| out.line(id))
            })
        }
        FactCommand::Verify(VerifyArguments { fact, source }) => {
            let verify = VerifyFact { session, fact: place.id(fact)?, source: source.clone() };
            place.decide(shell, verify, |out, _| out.line("verified"))
        }
        FactCommand::Drop(DropArguments { fact }) => {
            place.decide(shell, DropFact { session, fact: place.id(fact)? }, |out, _| out.line("dropped"))
        }
    }
}

pub(super) fn contradict(shell: &mut Shell, place: &Place, options: &ContradictArguments) -> Done {
    let (fact_a, fact_b) = (place.id(&options.fact_a)?, place.id(&options.fact_b)?);
    let contradict = Contradict { session: place.session.clone(), fact_a, fact_b };
    place.decide(shell, contradict, |out, answer| made(answer).map_or(Ok(()), |id| out.line(id)))
}

pub(super) fn settle(shell: &mut Shell, place: &Place, options: &SettleArguments) -> Done {
    let (contradiction, resolution) = (place.id(&options.contradiction)?, options.resolution.clone());
    let settle = Settle { session: place.session.clone(), contradiction, resolution };
    place.decide(shell, settle, |out, _| out.line("resolved"))
}

pub(super) fn unknown(shell: &mut Shell, place: &Place, options: &UnknownArguments) -> Done {
    let (session, question) = (place.session.clone(), options.question.clone());
    let wonder = Wonder { session, question, critical: options.critical };
    place.decide(shell, wonder, |out, answer| made(answer).map_or(Ok(()), |id| out.line(id)))
}

pub(super) fn answer(shell: &mut Shell, place: &Place, options: &AnswerArguments) -> Done {
    let (unknown, answer) = (place.id(&options.unknown)?, options.answer.clone());
    let learn = Learn { session: place.session.clone(), unknown, answer };
    place.decide(shell, learn, |out, _| out.line("answered"))
}

/// The id of what a decision made.
fn made(answer: &Answer) -> Option<Box<str>> {
    told(answer).find_map(|event| {
        if let Told::FactAdded(added) = event {
            return Some(added.fact.clone());
        }
        if let Told::ContradictionFound(found) = event {
            return Some(found.contradiction.clone());
        }
        if let Told::UnknownAdded(added) = event { Some(added.unknown.clone()) } else { None }
    })
}

fn dropped(answer: &Answer) -> Option<&str> {
    told(answer).find_map(|event| if let Told::FactDropped(dropped) = event { Some(&*dropped.fact) } else { None })
}
