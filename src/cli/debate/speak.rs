//! `annals debate advocate|critic|resolve|outcome`: what is said, what it comes to, what became of that.

use super::by_model;
use crate::cli::models::ByModel;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, Usage, clean};
use crate::domain::Event;
use crate::domain::dialectic::command::{Argue, DebateSide, Position, Resolve, TextFinding};
use crate::domain::dialectic::csp::{Doubt, FailureDiagnosis, Message, Objection, ObjectionSeverity, PlanClaim, write};
use crate::domain::dialectic::{Command, Debate, Event as Dialectic, Observed, judge};
use crate::engine::{Answer, Engine};
use crate::kernel::counted::counted;
use crate::kernel::json::Json;
use crate::kernel::share::Share;
use crate::view::debate::in_words;

/// Arguments of `annals debate advocate`.
#[derive(Debug, clap::Args)]
pub(super) struct AdvocateArguments {
    /// Which debate: its id, or the end of it
    debate: String,
    /// The position as a line; - reads it from stdin
    #[arg(required_unless_present_any = ["claim", "diagnosis", "by_model"], conflicts_with = "by_model")]
    message: Option<String>,
    /// Why the plan is right
    #[arg(long, requires = "confidence", conflicts_with_all = ["message", "diagnosis", "by_model"])]
    claim: Option<Box<str>>,
    /// What backs that
    #[arg(long = "support", value_name = "TEXT")]
    supports: Vec<Box<str>>,
    /// How sure you are, 0 to 1
    #[arg(long)]
    confidence: Option<Share>,
    /// Why it failed
    #[arg(long, requires_all = ["fix", "diff"], conflicts_with_all = ["message", "by_model"])]
    diagnosis: Option<Box<str>>,
    /// What to do
    #[arg(long)]
    fix: Option<Box<str>>,
    /// The difference to earlier attempts
    #[arg(long)]
    diff: Option<Box<str>>,
    #[command(flatten)]
    judge: ByModel,
}

/// Arguments of `annals debate critic`.
#[derive(Debug, clap::Args)]
pub(super) struct CriticArguments {
    /// Which debate: its id, or the end of it
    debate: String,
    /// The position as a line; - reads it from stdin
    #[arg(required_unless_present_any = ["objection", "pattern", "escalate", "go_on", "by_model"], conflicts_with = "by_model")]
    message: Option<String>,
    /// The objection to the plan
    #[arg(long, requires = "severity", conflicts_with_all = ["message", "pattern", "by_model"])]
    objection: Option<Box<str>>,
    /// low, medium or high
    #[arg(long)]
    severity: Option<ObjectionSeverity>,
    /// What may happen
    #[arg(long = "risk", value_name = "TEXT")]
    risks: Vec<Box<str>>,
    /// What to do instead
    #[arg(long)]
    counter: Option<Box<str>>,
    /// What the failures have in common
    #[arg(long, conflicts_with_all = ["message", "by_model"])]
    pattern: Option<Box<str>>,
    /// What the advocate does not see
    #[arg(long)]
    blind_spot: Option<Box<str>>,
    /// A person should decide
    #[arg(long, conflicts_with_all = ["message", "objection", "by_model"])]
    escalate: bool,
    /// It may go on, and nothing is to be said of a pattern
    #[arg(long, conflicts_with_all = ["message", "objection", "escalate", "by_model"])]
    go_on: bool,
    #[command(flatten)]
    judge: ByModel,
}

/// Arguments of `annals debate resolve`.
#[derive(Debug, clap::Args)]
pub(super) struct ResolveArguments {
    /// Which debate: its id, or the end of it
    pub(super) debate: String,
    /// The resolution as RESOLUTION lines; - reads them from stdin [default: what the rules give]
    #[arg(conflicts_with = "by_model")]
    message: Option<String>,
    /// Why, in a sentence
    #[arg(long, conflicts_with_all = ["message", "by_model"])]
    rationale: Option<Box<str>>,
    /// A change of the plan
    #[arg(long = "modification", value_name = "TEXT", conflicts_with = "message")]
    pub(super) modifications: Vec<Box<str>>,
    /// What to do next; after failures, the alternative
    #[arg(long, conflicts_with = "message")]
    pub(super) next_approach: Option<Box<str>>,
    /// Who decides [default: user]
    #[arg(long, conflicts_with = "message")]
    pub(super) escalate_to: Option<Box<str>>,
    /// Whether the fix is new: yes, no or unclear [default: as its words say]
    #[arg(long, conflicts_with = "by_model")]
    substantial: Option<TextFinding>,
    /// Whether the counter can be acted on: yes, no or unclear [default: as its words say]
    #[arg(long, conflicts_with = "by_model")]
    actionable: Option<TextFinding>,
    #[command(flatten)]
    pub(super) judge: ByModel,
}

pub(super) fn advocate(shell: &mut Shell, arguments: &AdvocateArguments) -> Done {
    if arguments.judge.by_model {
        return by_model::speak(shell, &arguments.debate, DebateSide::Advocate, arguments.judge.model.as_deref());
    }
    let given = match (&arguments.message, &arguments.claim, &arguments.diagnosis) {
        (Some(text), ..) => super::message(text)?,
        (None, Some(claim), _) => Message::Claim(PlanClaim {
            claim: claim.clone(),
            supports: arguments.supports.clone(),
            confidence: arguments.confidence.unwrap_or_default(),
        }),
        (None, None, diagnosis) => Message::Diagnosis(FailureDiagnosis {
            diagnosis: diagnosis.clone().unwrap_or_default(),
            fix: arguments.fix.clone().unwrap_or_default(),
            diff: arguments.diff.clone().unwrap_or_default(),
        }),
    };
    argue(shell, &arguments.debate, DebateSide::Advocate, given)
}

pub(super) fn critic(shell: &mut Shell, arguments: &CriticArguments) -> Done {
    if arguments.judge.by_model {
        return by_model::speak(shell, &arguments.debate, DebateSide::Critic, arguments.judge.model.as_deref());
    }
    let given = match (&arguments.message, &arguments.objection) {
        (Some(text), _) => super::message(text)?,
        (None, Some(objection)) => Message::Objection(Objection {
            objection: objection.clone(),
            severity: arguments.severity.unwrap_or(ObjectionSeverity::Medium),
            risks: arguments.risks.clone(),
            counter: arguments.counter.clone(),
        }),
        (None, None) => Message::Doubt(Doubt {
            pattern: arguments.pattern.clone(),
            blind_spot: arguments.blind_spot.clone(),
            should_escalate: arguments.escalate,
        }),
    };
    argue(shell, &arguments.debate, DebateSide::Critic, given)
}

/// A message that is this side's to say.
fn position(side: DebateSide, message: Message) -> Result<Position, Usage> {
    let position = match message {
        Message::Claim(claim) => Some(Position::Claim(claim)),
        Message::Objection(objection) => Some(Position::Objection(objection)),
        Message::Diagnosis(diagnosis) => Some(Position::Diagnosis(diagnosis)),
        Message::Doubt(doubt) => Some(Position::Doubt(doubt)),
        Message::Plan(_) | Message::Failure(_) | Message::Resolution(_) => None,
    };
    let words = match side {
        DebateSide::Advocate => "CLAIM or DIAGNOSIS",
        DebateSide::Critic => "OBJECTION or PATTERN",
    };
    position.filter(|position| position.side() == side).ok_or_else(|| Usage(format!("the {side} says {words}")))
}

fn argue(shell: &mut Shell, debate: &str, side: DebateSide, message: Message) -> Done {
    let engine = shell.engine()?;
    let debate = super::find(shell, &engine, debate)?;
    let argue = Argue { debate, position: position(side, message)? };
    shell.decide(&engine, Command::from(argue), &Json::of(&Observed::default()), argued)
}

/// Who has spoken.
pub(super) fn argued(out: &mut Output, answer: &Answer) -> std::io::Result<()> {
    answer.events.iter().try_for_each(|event| {
        let Event::Dialectic(Dialectic::Argued(argued)) = event else { return Ok(()) };
        let tokens = counted(argued.tokens.into(), "token");
        out.line(format_args!("the {} has spoken, round {}, {tokens}", argued.side, argued.round))
    })
}

/// What the rules find in the texts of a debate.
pub(super) fn found(debate: &Debate) -> Observed {
    match debate.last_round() {
        Some((Position::Diagnosis(diagnosis), _)) => {
            Observed { substantial: Some(judge::substantial(diagnosis, &debate.attempts)), ..Observed::default() }
        }
        Some((_, Position::Objection(objection))) => {
            Observed { actionable: Some(judge::actionable(objection)), ..Observed::default() }
        }
        Some(_) | None => Observed::default(),
    }
}

/// The same, where nobody says otherwise.
fn observed(debate: Option<&Debate>, arguments: &ResolveArguments) -> Observed {
    let found = debate.map(found).unwrap_or_default();
    Observed {
        substantial: arguments.substantial.or(found.substantial),
        actionable: arguments.actionable.or(found.actionable),
        model: None,
    }
}

pub(super) fn resolve(shell: &mut Shell, arguments: &ResolveArguments) -> Done {
    if arguments.judge.by_model {
        return by_model::resolve(shell, arguments);
    }
    let engine = shell.engine()?;
    let debate = super::find(shell, &engine, &arguments.debate)?;
    let known = shell.ask(&engine, |world| world.rooms.dialectic.debate(&debate).cloned())?;
    let observed = observed(known.as_ref(), arguments);
    let given = arguments.message.as_deref().map(super::message).transpose()?;
    let resolve = match given {
        None => Resolve {
            debate,
            rationale: arguments.rationale.clone(),
            modifications: arguments.modifications.clone(),
            next_approach: arguments.next_approach.clone(),
            escalate_to: arguments.escalate_to.clone(),
            ..Resolve::default()
        },
        Some(Message::Resolution(given)) => Resolve {
            debate,
            resolution: Some(given.resolution),
            rationale: Some(given.rationale),
            modifications: given.modifications,
            next_approach: given.next_approach,
            escalate_to: given.escalate_to,
            next_attempt_limit: given.next_attempt_limit,
        },
        Some(_) => return Err(Usage("a debate is resolved with RESOLUTION".to_owned()).into()),
    };
    let answer = engine.decide(Command::from(resolve), &Json::of(&observed), &shell.by_now())?;
    let said = resolution(&engine, &answer);
    shell.report(&answer, |out| said.iter().try_for_each(|line| out.line(line)))
}

/// The resolution as it is told to whoever carries it out, and the row that gave it.
pub(super) fn resolution(engine: &Engine, answer: &Answer) -> Vec<String> {
    let resolved = answer.events.iter().find_map(|event| {
        let Event::Dialectic(Dialectic::Resolved(resolution)) = event else { return None };
        Some(resolution)
    });
    let Some(resolved) = resolved else { return Vec::new() };
    let text = clean(engine, &write(&Message::Resolution(in_words(resolved).message())));
    text.lines().map(str::to_owned).chain([format!("by the rule {}", resolved.rule)]).collect()
}

pub(super) fn outcome(shell: &mut Shell, engine: &Engine, command: crate::domain::Command) -> Done {
    shell.decide(engine, command, &Json::of(&Observed::default()), |out, answer| {
        answer.events.iter().try_for_each(|event| {
            let Event::Dialectic(Dialectic::Judged(judged)) = event else { return Ok(()) };
            let helped = if judged.helped { "helped" } else { "made no difference" };
            out.line(format_args!("{}; the debate {helped}", judged.outcome))
        })
    })
}
