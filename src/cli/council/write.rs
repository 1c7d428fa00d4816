//! `annals council open|vote|debate|resolve|confirm|inform`.

use super::one;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::Event;
use crate::domain::council::command::{Answer, Command, Confirm, Give, Inform, Open, Plead, Purpose, Resolve, Side};
use crate::domain::council::count::{Choice, Verdict};
use crate::domain::council::event::{Event as OfCouncil, Pleaded};
use crate::domain::hivemind::{Event as OfHivemind, Purpose as Contested};
use crate::kernel::json::Json;
use crate::kernel::share::Share;
use crate::view::council::lapsed_because;

/// Arguments of `annals council open`.
#[derive(Debug, clap::Args)]
pub struct OpenArguments {
    /// What it is about: the key of an entry, or a name
    key: String,
    /// conflict, `decay_promotion`, `global_promotion`, or architecture for a recommendation
    #[arg(long, default_value = "conflict")]
    purpose: Purpose,
    /// How it should be; of an entry that is proposed as golden or global, it is what it says
    #[arg(long)]
    proposed: String,
    /// How it is; of an entry, it is what it says
    #[arg(long, default_value = "")]
    current: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    because: String,
}

/// Arguments of `annals council vote`.
#[derive(Debug, clap::Args)]
pub struct VoteArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    /// approve, reject or abstain
    vote: Choice,
    /// How sure, 0 to 1: what the vote weighs
    #[arg(long, allow_negative_numbers = true)]
    confidence: Share,
    /// Why; - reads it from stdin
    #[arg(long, value_name = "TEXT")]
    because: String,
}

/// Arguments of `annals council debate`.
#[derive(Debug, clap::Args)]
pub struct DebateArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    #[command(flatten)]
    argument: Argument,
}

/// One side of a debate.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Argument {
    /// What speaks for it; - reads it from stdin
    #[arg(long, value_name = "TEXT")]
    pro: Option<String>,
    /// What speaks against it; - reads it from stdin
    #[arg(long, value_name = "TEXT")]
    con: Option<String>,
}

impl Argument {
    fn side(&self) -> Option<(Side, &str)> {
        let pro = self.pro.as_deref().map(|text| (Side::Pro, text));
        pro.or_else(|| self.con.as_deref().map(|text| (Side::Con, text)))
    }
}

/// Arguments of `annals council resolve`.
#[derive(Debug, clap::Args)]
pub struct ResolveArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    /// approve or reject: the last word, after a debate or a tie
    #[arg(long)]
    decision: Option<Verdict>,
    /// What the arguments come to; - reads it from stdin
    #[arg(long)]
    synthesis: Option<String>,
    /// How sure, 0 to 1 [default: as the votes]
    #[arg(long, allow_negative_numbers = true)]
    confidence: Option<Share>,
}

/// Arguments of `annals council confirm`.
#[derive(Debug, clap::Args)]
pub struct ConfirmArguments {
    /// Which: its id, the end of it, or its name
    council: String,
    /// approve, reject or `more_info`
    answer: Answer,
    /// Why, or what should be said
    note: String,
}

/// Arguments of `annals council inform`.
#[derive(Debug, clap::Args)]
pub struct InformArguments {
    /// Which: its id, the end of it, or its name
    council: String,
    /// The text; - reads it from stdin
    text: String,
}

fn decide(shell: &mut Shell, command: impl FnOnce(&Shell, &crate::engine::Engine) -> anyhow::Result<Command>) -> Done {
    let engine = shell.engine()?;
    let command = command(shell, &engine)?;
    shell.decide(&engine, command, &Json::empty_object(), |out, answer| {
        answer.events.iter().try_for_each(|event| say(out, event))
    })
}

/// What came of it, a line an event.
fn say(out: &mut Output, event: &Event) -> std::io::Result<()> {
    if let Event::Council(event) = event {
        return out.line(told(event));
    }
    let Event::Hivemind(event) = event else { return Ok(()) };
    let (Some(key), Some(what)) = (event.key(), carried(event)) else { return Ok(()) };
    out.line(format_args!("{key} {what}"))
}

/// What became of the entry that it was about.
fn carried(event: &OfHivemind) -> Option<&'static str> {
    match event {
        OfHivemind::Contested(contested) => Some(match contested.purpose {
            Contested::Conflict => "is contested",
            Contested::DecayPromotion => "is proposed as golden",
            Contested::GlobalPromotion => "is proposed for other projects, too",
        }),
        OfHivemind::Updated(_) => Some("has a new value"),
        OfHivemind::PromotedGolden(_) => Some("is golden"),
        OfHivemind::PromotedGlobal(_) => Some("is global"),
        OfHivemind::Upheld(_) => Some("stays as it is"),
        OfHivemind::Added(_)
        | OfHivemind::Accessed(_)
        | OfHivemind::Removed(_)
        | OfHivemind::EntryExpired(_)
        | OfHivemind::Pulled(_)
        | OfHivemind::Pushed(_) => None,
    }
}

/// What happened to a council, in a line.
pub(in crate::cli) fn told(event: &OfCouncil) -> String {
    match event {
        OfCouncil::Created(created) => {
            let who = match created.purpose {
                Purpose::Architecture => ": the user confirms it",
                Purpose::Conflict | Purpose::DecayPromotion | Purpose::GlobalPromotion => "",
            };
            format!("council {} on {} ({}){who}", created.council, created.key, created.purpose)
        }
        OfCouncil::Manned(manned) => format!("its members: {}", manned.members.join(", ")),
        OfCouncil::Cast(cast) => format!("{}: {} with {}", cast.member, cast.vote, cast.confidence),
        OfCouncil::Tied(tied) => {
            format!("tie: {} for it, {} against it", thousandths(tied.count.approve), thousandths(tied.count.reject))
        }
        OfCouncil::DebateOpened(opened) => format!("it is debated; {} ends the debate", opened.arbitrator),
        OfCouncil::Pleaded(pleaded) => {
            let Pleaded { round, plea, .. } = pleaded;
            format!("round {round} of the debate: {} has spoken {}", plea.agent, side(plea.side))
        }
        OfCouncil::Argued(argued) => format!("round {} of the debate", argued.round.round),
        OfCouncil::Requested(_) => "more is to be said about it".to_owned(),
        OfCouncil::Informed(_) => "said".to_owned(),
        OfCouncil::Resolved(resolved) => {
            let result = &resolved.result;
            format!("decided: {} with {}, by {}", result.final_decision, result.confidence, resolved.by)
        }
        OfCouncil::Lapsed(lapsed) => {
            format!("council {} is not needed any more: {}", lapsed.council, lapsed_because(&lapsed.reason))
        }
    }
}

/// For which side somebody spoke.
pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Pro => "for it",
        Side::Con => "against it",
    }
}

/// A sum of shares: 2, 0.98.
pub(super) fn thousandths(sum: u32) -> String {
    (f64::from(sum) / 1000.0).to_string()
}

pub(super) fn open(shell: &mut Shell, arguments: OpenArguments) -> Done {
    decide(shell, |_, _| {
        let OpenArguments { key, purpose, proposed, current, because } = arguments;
        let (key, reason) = (key.into(), text_of(&because)?.into());
        Ok(Open { purpose, key, reason, current: current.into(), proposed: proposed.into() }.into())
    })
}

pub(super) fn vote(shell: &mut Shell, arguments: VoteArguments) -> Done {
    decide(shell, |shell, engine| {
        let council = one(shell, engine, &arguments.council)?;
        let VoteArguments { vote, confidence, because, .. } = arguments;
        let rationale = text_of(&because)?.into();
        Ok(Give { council, member: None, vote, confidence, rationale }.into())
    })
}

pub(super) fn debate(shell: &mut Shell, arguments: &DebateArguments) -> Done {
    decide(shell, |shell, engine| {
        let council = one(shell, engine, &arguments.council)?;
        let (side, text) = arguments.argument.side().expect("BUG: clap asks for one of them");
        Ok(Plead { council, side, argument: text_of(text)?.into() }.into())
    })
}

pub(super) fn resolve(shell: &mut Shell, arguments: ResolveArguments) -> Done {
    decide(shell, |shell, engine| {
        let council = one(shell, engine, &arguments.council)?;
        let ResolveArguments { decision, confidence, synthesis, .. } = arguments;
        let synthesis = synthesis.as_deref().map(text_of).transpose()?.map(Into::into);
        Ok(Resolve { council, decision, confidence, synthesis }.into())
    })
}

pub(super) fn confirm(shell: &mut Shell, arguments: &ConfirmArguments) -> Done {
    decide(shell, |shell, engine| {
        let council = one(shell, engine, &arguments.council)?;
        Ok(Confirm { council, answer: arguments.answer, note: arguments.note.as_str().into() }.into())
    })
}

pub(super) fn inform(shell: &mut Shell, arguments: &InformArguments) -> Done {
    decide(shell, |shell, engine| {
        let council = one(shell, engine, &arguments.council)?;
        Ok(Inform { council, text: text_of(&arguments.text)?.into() }.into())
    })
}
