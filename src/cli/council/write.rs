//! `annals council debate`, and what councils say of what happened.

use super::{by_model, one};
use crate::cli::models::ByModel;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::council::command::{Command, CouncilPurpose, CouncilSide, Give, Plead, Resolve};
use crate::domain::council::count::{Choice, VoteVerdict};
use crate::domain::council::event::{Event as OfCouncil, Pleaded};
use crate::domain::hivemind::{ContestPurpose as Contested, Event as OfHivemind};
use crate::domain::{Command as Asked, Event};
use crate::engine::Engine;
use crate::kernel::json::Json;
use crate::kernel::share::Share;
use crate::view::council::lapsed_because;

/// Arguments of `annals council vote`.
#[derive(Debug, clap::Args)]
pub(super) struct VoteArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    /// approve, reject or abstain
    #[arg(required_unless_present = "by_model", conflicts_with = "by_model")]
    vote: Option<Choice>,
    /// How sure, 0 to 1: what the vote weighs
    #[arg(long, required_unless_present = "by_model", conflicts_with = "by_model")]
    confidence: Option<Share>,
    /// Why the member votes so; - reads it from stdin
    #[arg(long, value_name = "TEXT", required_unless_present = "by_model", conflicts_with = "by_model")]
    because: Option<String>,
    #[command(flatten)]
    judge: ByModel,
}

/// Arguments of `annals council resolve`.
#[derive(Debug, clap::Args)]
pub(super) struct ResolveArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    /// The last word, after a debate or a tie: approve or reject [default: the votes are counted]
    #[arg(long, conflicts_with = "by_model")]
    decision: Option<VoteVerdict>,
    /// What the arguments come to; - reads it from stdin
    #[arg(long, value_name = "TEXT", conflicts_with = "by_model")]
    synthesis: Option<String>,
    /// How sure, 0 to 1 [default: as the votes are]
    #[arg(long, conflicts_with = "by_model")]
    confidence: Option<Share>,
    #[command(flatten)]
    judge: ByModel,
}

/// Arguments of `annals council debate`.
#[derive(Debug, clap::Args)]
pub(super) struct DebateArguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
    #[command(flatten)]
    argument: Argument,
    #[command(flatten)]
    judge: ByModel,
}

/// One side of a debate.
#[derive(Debug, clap::Args)]
struct Argument {
    /// What speaks for it; - reads it from stdin
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["con", "by_model"], conflicts_with_all = ["con", "by_model"])]
    pro: Option<String>,
    /// What speaks against it; - reads it from stdin
    #[arg(long, value_name = "TEXT", conflicts_with = "by_model")]
    con: Option<String>,
}

impl Argument {
    fn side(&self) -> Option<(CouncilSide, &str)> {
        let pro = self.pro.as_deref().map(|text| (CouncilSide::Pro, text));
        pro.or_else(|| self.con.as_deref().map(|text| (CouncilSide::Con, text)))
    }
}

/// Decides, and says what came of it.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        answer.events.iter().try_for_each(|event| say(out, event))
    })
}

/// What came of it, a line an event.
pub(super) fn say(out: &mut Output, event: &Event) -> std::io::Result<()> {
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
                CouncilPurpose::Architecture => ": the user confirms it",
                CouncilPurpose::Conflict | CouncilPurpose::DecayPromotion | CouncilPurpose::GlobalPromotion => "",
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
pub(super) fn side(side: CouncilSide) -> &'static str {
    match side {
        CouncilSide::Pro => "for it",
        CouncilSide::Con => "against it",
    }
}

/// A sum of shares: 2, 0.98.
pub(super) fn thousandths(sum: u32) -> String {
    (f64::from(sum) / 1000.0).to_string()
}

pub(super) fn vote(shell: &mut Shell, arguments: &VoteArguments) -> Done {
    let engine = shell.engine()?;
    let council = one(shell, &engine, &arguments.council)?;
    if arguments.judge.by_model {
        return by_model::vote(shell, &engine, council, arguments.judge.model.as_deref());
    }
    let rationale = text_of(arguments.because.as_deref().unwrap_or_default())?.into();
    let vote = arguments.vote.expect("BUG: clap asks for one");
    let confidence = arguments.confidence.expect("BUG: clap asks for one");
    decide(shell, &engine, Command::from(Give { council, member: None, vote, confidence, rationale }).into())
}

pub(super) fn resolve(shell: &mut Shell, arguments: &ResolveArguments) -> Done {
    let engine = shell.engine()?;
    let council = one(shell, &engine, &arguments.council)?;
    if arguments.judge.by_model {
        return by_model::resolve(shell, &engine, council, arguments.judge.model.as_deref());
    }
    let synthesis = arguments.synthesis.as_deref().map(text_of).transpose()?.map(Into::into);
    let ResolveArguments { decision, confidence, .. } = *arguments;
    decide(shell, &engine, Command::from(Resolve { council, decision, confidence, synthesis }).into())
}

pub(super) fn debate(shell: &mut Shell, arguments: &DebateArguments) -> Done {
    let engine = shell.engine()?;
    let council = one(shell, &engine, &arguments.council)?;
    if arguments.judge.by_model {
        return by_model::debate(shell, &engine, council, arguments.judge.model.as_deref());
    }
    let (side, text) = arguments.argument.side().expect("BUG: clap asks for one of them");
    decide(shell, &engine, Command::from(Plead { council, side, argument: text_of(text)?.into(), agent: None }).into())
}
