//! `annals council debate`, and what councils say of what happened.

use super::one;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::council::command::{Command, CouncilPurpose, CouncilSide, Plead};
use crate::domain::council::event::{Event as OfCouncil, Pleaded};
use crate::domain::hivemind::{ContestPurpose as Contested, Event as OfHivemind};
use crate::domain::{Command as Asked, Event};
use crate::engine::Engine;
use crate::kernel::json::Json;
use crate::view::council::lapsed_because;

/// Arguments of `annals council debate`.
#[derive(Debug, clap::Args)]
pub(super) struct DebateArguments {
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

pub(super) fn debate(shell: &mut Shell, arguments: &DebateArguments) -> Done {
    let engine = shell.engine()?;
    let council = one(shell, &engine, &arguments.council)?;
    let (side, text) = arguments.argument.side().expect("BUG: clap asks for one of them");
    decide(shell, &engine, Command::from(Plead { council, side, argument: text_of(text)?.into() }).into())
}
