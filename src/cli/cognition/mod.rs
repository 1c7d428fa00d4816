//! `annals cognition`: what is felt, tried, aimed at and taken for true in a session (AFS 4).

mod fact;
mod goal;
mod import;
pub(super) mod show;

use std::io;

use anyhow::anyhow;
use clap::Args as _;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser as _};

use super::named::{Candidate, Noun};
use super::output::Output;
use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::cognition::command::{Feel, Think};
use crate::domain::cognition::event::Event as Told;
use crate::domain::cognition::gate::Standing;
use crate::domain::cognition::goal::Goals;
use crate::domain::cognition::metacognition::Strategy;
use crate::domain::cognition::trigger::SessionMetric;
use crate::domain::cognition::{self, Amount, Mind};
use crate::domain::{Command as Decision, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::counted::count;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::json::Json;
use crate::kernel::share::Share;

/// Commands about the mind of a session.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Show mood, goals, facts and strategy of a session
    "show" => Runs(&With(show::run)),
    /// Set mood and anxiety
    "feel" => Runs(&With(feel)),
    /// Say how it is gone about: strategy, uncertainty, focus, metrics
    "think" => Runs(&With(think)),
    /// Say what was corrected
    "correct" => decides("cognitive.correction.note", "^session@here what- --why --outcome", decide),
    /// Add goals, report progress, change the focus
    "goal" => holds(goal::ROWS),
    /// Add, verify and drop facts
    "fact" => holds(fact::ROWS),
    /// Say that two facts contradict
    "contradict" => decides("cognitive.contradiction.state", "^session@here fact-a@thing fact-b@thing", decide),
    /// Say what was decided where two facts contradict
    "settle" => decides("cognitive.contradiction.resolve", "^session@here contradiction@thing resolution", decide),
    /// Add an open question
    "unknown" => decides("cognitive.unknown.add", "^session@here question --critical", decide),
    /// Answer an open question
    "answer" => decides("cognitive.unknown.resolve", "^session@here unknown@thing answer", decide),
    /// Set the tone of the critic: neutral, direct, challenging, harsh
    "tone" => decides("analysis.critic.set_tone", "^session@here tone .reason=user", decide),
    /// Take over the state files of another program
    "import" => Runs(&With(import::run)),
};

/// The option of every command about a mind.
#[derive(Debug, clap::Args)]
struct Whose {
    /// The session [default: `$ANNALS_SESSION`]
    #[arg(long, global = true, allow_negative_numbers = true)]
    session: Option<String>,
}

/// The option, which stands before the words of the command or behind them.
pub(super) fn options(command: clap::Command) -> clap::Command {
    Whose::augment_args(command)
}

/// Arguments of `annals cognition feel`.
#[derive(Debug, clap::Args)]
struct FeelArguments {
    #[arg(from_global)]
    session: Option<String>,
    /// The mood: neutral, focused, frustrated, …
    #[arg(long, value_parser = NonEmptyStringValueParser::new().map(String::into_boxed_str))]
    mood: Option<Box<str>>,
    /// How strong it is, 0 to 1
    #[arg(long)]
    intensity: Option<Share>,
    /// From -1, bad, to 1, good
    #[arg(long, allow_negative_numbers = true)]
    valence: Option<Amount>,
    /// What brought it on
    #[arg(long, value_name = "TEXT")]
    because: Option<Box<str>>,
    /// How anxious, 0 to 1
    #[arg(long)]
    anxiety: Option<Share>,
    /// What causes that; may be given again
    #[arg(long = "source", value_name = "TEXT", requires = "anxiety")]
    sources: Vec<Box<str>>,
    /// A success
    #[arg(long, value_name = "TEXT")]
    satisfied: Option<Box<str>>,
    /// A frustration
    #[arg(long, value_name = "TEXT")]
    frustrated: Option<Box<str>>,
    /// How much that matters, 1 to 10 [default: 5]
    #[arg(long)]
    strength: Option<u8>,
    /// A frustration that is over; may be given again
    #[arg(long = "resolved", value_name = "ID")]
    resolved: Vec<String>,
}

/// Arguments of `annals cognition think`.
#[derive(Debug, clap::Args)]
struct ThinkArguments {
    #[arg(from_global)]
    session: Option<String>,
    /// `incremental`, `divide_and_conquer`, `depth_first`, `breadth_first`, `research_first`, `prototype`
    #[arg(long)]
    strategy: Option<Strategy>,
    /// How well it works, 0 to 1 [default: by the last calls]
    #[arg(long)]
    effectiveness: Option<Share>,
    /// How unsure you are, 0 to 1
    #[arg(long)]
    uncertainty: Option<Share>,
    /// Why it cannot go on; an empty text: it can again
    #[arg(long, value_name = "TEXT")]
    blocked: Option<Box<str>>,
    /// A topic in focus; may be given again [default: the files of the last calls]
    #[arg(long, value_name = "TEXT")]
    focus: Vec<Box<str>>,
    /// Nothing in particular is in focus any more
    #[arg(long, conflicts_with = "focus")]
    no_focus: bool,
    /// A metric that no record gives; may be given again
    #[arg(long = "metric", value_name = "NAME=NUMBER", value_parser = metric)]
    metrics: Vec<(SessionMetric, Amount)>,
}

fn metric(text: &str) -> Result<(SessionMetric, Amount), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let name: SessionMetric = name.parse().map_err(|error| format!("{error}"))?;
    if !SessionMetric::STATED.contains(&name) {
        let known: Vec<_> = SessionMetric::STATED.iter().map(|metric| metric.as_str()).collect();
        return Err(format!("{name} is computed; stated are {}", known.join(", ")));
    }
    Ok((name, value.parse().map_err(|error| format!("{error}"))?))
}

/// A session, the mind that it had when the command began, and where its decisions go.
pub(super) struct MindPlace {
    pub(super) engine: Engine,
    pub(super) session: SessionId,
    pub(super) mind: Mind,
}

fn feel(shell: &mut Shell, options: &FeelArguments) -> Done {
    let place = MindPlace::of(shell, options.session.as_deref())?;
    let feel = Feel {
        session: place.session.clone(),
        mood: options.mood.clone(),
        intensity: options.intensity,
        valence: options.valence,
        trigger: options.because.clone(),
        anxiety: options.anxiety,
        sources: options.sources.clone(),
        satisfied: options.satisfied.clone(),
        frustrated: options.frustrated.clone(),
        strength: options.strength,
        resolved: options.resolved.iter().map(|id| place.id(id)).collect::<anyhow::Result<_>>()?,
    };
    place.decide(shell, feel, |out, _| out.line("noted"))
}

fn think(shell: &mut Shell, options: &ThinkArguments) -> Done {
    let place = MindPlace::of(shell, options.session.as_deref())?;
    let focus = (options.no_focus || !options.focus.is_empty()).then(|| options.focus.clone());
    let think = Think {
        session: place.session.clone(),
        strategy: options.strategy,
        effectiveness: options.effectiveness,
        uncertainty: options.uncertainty,
        blocked: options.blocked.clone(),
        focus,
        metrics: options.metrics.iter().copied().collect(),
    };
    place.decide(shell, think, |out, _| out.line("noted"))
}

/// The session that is named, else that of the environment. A whole id may name none.
pub(super) fn here(shell: &Shell, engine: &Engine, given: Option<&str>) -> anyhow::Result<SessionId> {
    let text = given.or(shell.environment.session.as_deref());
    let text = text.ok_or_else(|| anyhow!(Usage("name a session: --session ID, or set ANNALS_SESSION".to_owned())))?;
    let is_whole = EntryId::parse(text.as_bytes()).is_some();
    if is_whole { Ok(SessionId::from(text)) } else { shell.find_session(engine, text) }
}

/// What a text names among what is felt, aimed at and known in a session; else as it is given.
pub(super) fn thing(shell: &Shell, engine: &Engine, session: &str, text: &str) -> anyhow::Result<Box<str>> {
    let mind = shell.ask(engine, |world| world.rooms.cognition.mind(session).cloned())?;
    named(&mind.unwrap_or_default(), text)
}

fn named(mind: &Mind, text: &str) -> anyhow::Result<Box<str>> {
    const THING: Noun = Noun { one: "thing", many: "things", list: "annals cognition" };
    let felt = mind.emotions.iter().flat_map(|felt| felt.frustrations.iter());
    let felt = felt.map(|one| Candidate::new(one.id.clone(), "a frustration"));
    let goals = mind.goals.iter().flat_map(Goals::all);
    let goals = goals.map(|goal| Candidate::new(Box::<str>::from(goal.id), "a goal"));
    let known = mind.epistemic.iter().flat_map(|known| {
        let facts = known.golden_facts.iter().map(|fact| (&fact.id, "a fact"));
        let facts = facts.chain(known.working_facts.iter().map(|fact| (&fact.id, "a fact")));
        let open = known.contradictions.iter().map(|one| (&one.id, "a contradiction"));
        facts.chain(open).chain(known.unknowns.iter().map(|one| (&one.id, "an unknown")))
    });
    let known = known.map(|(id, what)| Candidate::new(id.clone(), what));
    let all: Vec<Candidate<Box<str>>> = felt.chain(goals).chain(known).collect();
    Ok(THING.pick(text, &all)?.unwrap_or_else(|| text.into()))
}

impl MindPlace {
    pub(super) fn of(shell: &Shell, given: Option<&str>) -> anyhow::Result<Self> {
        let engine = shell.engine()?;
        let session = here(shell, &engine, given)?;
        let mind = shell.ask(&engine, |world| world.rooms.cognition.mind(session.as_str()).cloned())?;
        Ok(Self { engine, session, mind: mind.unwrap_or_default() })
    }

    /// What a text names among what is felt, aimed at and known; else as it is given.
    pub(super) fn id(&self, text: &str) -> anyhow::Result<Box<str>> {
        named(&self.mind, text)
    }

    /// Decides for its session.
    pub(super) fn decide(
        &self,
        shell: &mut Shell,
        command: impl Into<cognition::Command>,
        done: impl FnOnce(&mut Output, &Answer) -> io::Result<()>,
    ) -> Done {
        decide_saying(shell, &self.engine, command.into(), done)
    }
}

/// Decides, records the states that were told, and has the engine look at what that set off.
fn decide_saying(
    shell: &mut Shell,
    engine: &Engine,
    command: cognition::Command,
    done: impl FnOnce(&mut Output, &Answer) -> io::Result<()>,
) -> Done {
    let session = command.session().clone();
    let by = shell.by(&session);
    let answer = engine.decide(Decision::Cognition(command), &Json::empty_object(), &by)?;
    engine.record_states(&answer, &by.actor)?;
    let outcome = shell.report(&answer, |out| done(out, &answer))?;
    if outcome == CommandOutcome::Done {
        let followed = engine.react(&session)?;
        say_fired(shell, &followed)?;
    }
    Ok(outcome)
}

/// Decides, and says what became of the mind.
fn decide(shell: &mut Shell, engine: &Engine, command: Decision) -> Done {
    let Decision::Cognition(command) = command else { unreachable!("BUG: the rows are about minds") };
    let done = done(&command);
    decide_saying(shell, engine, command, |out, answer| {
        if let Some(done) = done {
            return out.line(done);
        }
        told(answer).filter_map(noted).try_for_each(|line| out.say(line))?;
        told(answer).find_map(made).map_or(Ok(()), |line| out.line(line))
    })
}

/// What is said of a command that makes nothing new.
fn done(command: &cognition::Command) -> Option<String> {
    use cognition::Command as C;
    Some(match command {
        C::Feel(_) | C::Think(_) | C::Correct(_) => "noted".to_owned(),
        C::Focus(focus) => if focus.goal.is_some() { "in focus" } else { "back" }.to_owned(),
        C::Reconcile(_) | C::Settle(_) => "resolved".to_owned(),
        C::VerifyFact(_) => "verified".to_owned(),
        C::DropFact(_) => "dropped".to_owned(),
        C::Learn(_) => "answered".to_owned(),
        C::SetTone(set) => format!("the critic is {}", set.tone),
        C::AddGoal(_)
        | C::Advance(_)
        | C::AddFact(_)
        | C::Contradict(_)
        | C::Wonder(_)
        | C::Load(_)
        | C::Announce(_)
        | C::Fire(_)
        | C::Answer(_)
        | C::Conclude(_)
        | C::Judge(_) => return None,
    })
}

/// The id of what a decision made, or how far a goal is.
fn made(event: &Told) -> Option<String> {
    if let Told::GoalAdded(added) = event {
        Some(added.goal.to_string())
    } else if let Told::GoalAdvanced(at) = event {
        Some(format!("{}, {}", at.status, at.progress))
    } else if let Told::FactAdded(added) = event {
        Some(added.fact.to_string())
    } else if let Told::ContradictionFound(found) = event {
        Some(found.contradiction.to_string())
    } else if let Told::UnknownAdded(added) = event {
        Some(added.unknown.to_string())
    } else {
        None
    }
}

/// What else there is to say of it.
fn noted(event: &Told) -> Option<String> {
    if let Told::ConflictFound(found) = event {
        Some(format!("note: {} with {}", found.conflict.kind, found.conflict.goal_a))
    } else if let Told::FactDropped(dropped) = event {
        Some(format!("note: the least sure fact was dropped for it: {}", dropped.fact))
    } else {
        None
    }
}

/// Says which triggers fired, and what became of that.
pub(super) fn say_fired(shell: &mut Shell, answers: &[Answer]) -> io::Result<()> {
    if shell.wants_json() {
        return Ok(());
    }
    for event in answers.iter().flat_map(told) {
        if let Told::TriggerFired(fired) = event {
            let firing = &fired.firing;
            let id = crate::view::gist::short_id(&firing.id.to_string()).to_owned();
            let what = match firing.standing {
                Standing::Pending => format!("{} is due: `annals triggers accept {id}`, or deny", firing.mode),
                Standing::Accepted => format!("{} is on", firing.mode),
                Standing::Denied => format!("{} is denied by the gate", firing.mode),
            };
            shell.out.say(format_args!("trigger {} fired: {what}", firing.trigger))?;
        }
        if let Told::ModeConcluded(concluded) = event {
            let (mode, session) = (concluded.mode, &concluded.session);
            let found = match concluded.total {
                0 => "nothing".to_owned(),
                total => count(total, "thing", "things"),
            };
            let how = format_args!("`annals analyse {session} --mode {mode}`");
            shell.out.say(format_args!("{mode} has looked, and found {found}: {how}"))?;
        }
        if let Told::ToneChanged(changed) = event {
            shell.out.say(format_args!("the critic is {} now ({})", changed.to, changed.reason))?;
        }
    }
    Ok(())
}

/// What an answer says of a mind.
fn told(answer: &Answer) -> impl Iterator<Item = &Told> {
    answer.events.iter().filter_map(|event| if let Event::Cognition(event) = event { Some(event) } else { None })
}
