//! `annals cognition`: what is felt, tried, aimed at and taken for true in a session (AFS 4).

mod fact;
mod goal;
mod import;
mod show;

use std::io;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser as _};

use super::named::{Candidate, Noun};
use super::output::Output;
use super::shell::{Done, Outcome, Shell, Usage, text_of};
use crate::domain::cognition::command::{Correct, Feel, SetTone, Think};
use crate::domain::cognition::critic::{Reason, Tone};
use crate::domain::cognition::event::Event as Told;
use crate::domain::cognition::gate::Standing;
use crate::domain::cognition::goal::Goals;
use crate::domain::cognition::metacognition::Strategy;
use crate::domain::cognition::trigger::Metric;
use crate::domain::cognition::{self, Amount, Mind};
use crate::domain::{Command as Decision, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::json::Json;
use crate::kernel::share::Share;

/// Arguments of `annals cognition`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The session [default: `$ANNALS_SESSION`]
    #[arg(long, global = true, allow_negative_numbers = true)]
    session: Option<String>,
    #[command(subcommand)]
    command: Command,
}

/// Commands about the mind of a session.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show mood, goals, facts and strategy of a session
    Show(show::Arguments),
    /// Set mood and anxiety
    Feel(FeelArguments),
    /// Say how it is gone about: strategy, uncertainty, focus, metrics
    Think(ThinkArguments),
    /// Say what was corrected
    Correct(CorrectArguments),
    /// Add goals, report progress, change the focus
    #[command(subcommand)]
    Goal(goal::Command),
    /// Add, verify and drop facts
    #[command(subcommand)]
    Fact(fact::FactCommand),
    /// Say that two facts contradict
    Contradict(fact::ContradictArguments),
    /// Say what was decided where two facts contradict
    Settle(fact::SettleArguments),
    /// Add an open question
    Unknown(fact::UnknownArguments),
    /// Answer an open question
    Answer(fact::AnswerArguments),
    /// Set the tone of the critic: neutral, direct, challenging, harsh
    Tone(ToneArguments),
    /// Take over the state files of another program
    Import(ImportArguments),
}

/// Arguments of `annals cognition feel`.
#[derive(Debug, clap::Args)]
struct FeelArguments {
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
    metrics: Vec<(Metric, Amount)>,
}

/// Arguments of `annals cognition correct`.
#[derive(Debug, clap::Args)]
struct CorrectArguments {
    /// What; - reads it from stdin
    what: String,
    /// Why
    #[arg(long, default_value = "")]
    why: Box<str>,
    /// What came of it
    #[arg(long, default_value = "")]
    outcome: Box<str>,
}

/// Arguments of `annals cognition tone`.
#[derive(Debug, clap::Args)]
struct ToneArguments {
    /// The tone
    tone: Tone,
}

/// Arguments of `annals cognition import`.
#[derive(Debug, clap::Args)]
struct ImportArguments {
    /// emotions.json, metacognition.json, goals.json, epistemic.json, by whatever name
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

fn metric(text: &str) -> Result<(Metric, Amount), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let name: Metric = name.parse().map_err(|error| format!("{error}"))?;
    if !Metric::STATED.contains(&name) {
        let known: Vec<_> = Metric::STATED.iter().map(|metric| metric.as_str()).collect();
        return Err(format!("{name} is computed; stated are {}", known.join(", ")));
    }
    Ok((name, value.parse().map_err(|error| format!("{error}"))?))
}

/// A session, the mind that it had when the command began, and where its decisions go.
pub(super) struct Place {
    pub(super) engine: Engine,
    pub(super) session: SessionId,
    pub(super) mind: Mind,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let place = Place::of(shell, arguments.session.as_deref())?;
    let session = place.session.clone();
    match &arguments.command {
        Command::Show(options) => show::run(shell, &place, options),
        Command::Feel(options) => {
            let resolved = options.resolved.iter().map(|id| place.id(id)).collect::<anyhow::Result<_>>()?;
            let feel = Feel {
                session,
                mood: options.mood.clone(),
                intensity: options.intensity,
                valence: options.valence,
                trigger: options.because.clone(),
                anxiety: options.anxiety,
                sources: options.sources.clone(),
                satisfied: options.satisfied.clone(),
                frustrated: options.frustrated.clone(),
                strength: options.strength,
                resolved,
            };
            place.decide(shell, feel, |out, _| out.line("noted"))
        }
        Command::Think(options) => {
            let focus = (options.no_focus || !options.focus.is_empty()).then(|| options.focus.clone());
            let think = Think {
                session,
                strategy: options.strategy,
                effectiveness: options.effectiveness,
                uncertainty: options.uncertainty,
                blocked: options.blocked.clone(),
                focus,
                metrics: options.metrics.iter().copied().collect(),
            };
            place.decide(shell, think, |out, _| out.line("noted"))
        }
        Command::Correct(options) => {
            let what = text_of(&options.what)?.into();
            let correct = Correct { session, what, why: options.why.clone(), outcome: options.outcome.clone() };
            place.decide(shell, correct, |out, _| out.line("noted"))
        }
        Command::Goal(command) => goal::run(shell, &place, command),
        Command::Fact(command) => fact::run(shell, &place, command),
        Command::Contradict(options) => fact::contradict(shell, &place, options),
        Command::Settle(options) => fact::settle(shell, &place, options),
        Command::Unknown(options) => fact::unknown(shell, &place, options),
        Command::Answer(options) => fact::answer(shell, &place, options),
        Command::Tone(ToneArguments { tone }) => {
            let set = SetTone { session, tone: *tone, reason: Reason::User, cause: None };
            place.decide(shell, set, |out, _| out.line(format_args!("the critic is {tone}")))
        }
        Command::Import(options) => import::run(shell, &place, &options.files),
    }
}

impl Place {
    pub(super) fn of(shell: &Shell, given: Option<&str>) -> anyhow::Result<Self> {
        let engine = shell.engine()?;
        let text = given.or(shell.environment.session.as_deref());
        let text =
            text.ok_or_else(|| anyhow!(Usage("name a session: --session ID, or set ANNALS_SESSION".to_owned())))?;
        let session = if EntryId::parse(text.as_bytes()).is_some() {
            SessionId::from(text)
        } else {
            shell.find_session(&engine, text)?
        };
        let mind = shell.ask(&engine, |world| world.rooms.cognition.mind(session.as_str()).cloned())?;
        Ok(Self { engine, session, mind: mind.unwrap_or_default() })
    }

    /// What a text names among what is felt, aimed at and known; else as it is given.
    pub(super) fn id(&self, text: &str) -> anyhow::Result<Box<str>> {
        const THING: Noun = Noun { one: "thing", many: "things", list: "annals cognition" };
        let mind = &self.mind;
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

    /// Decides, records the states that were told, and has the engine look at what that set off.
    pub(super) fn decide(
        &self,
        shell: &mut Shell,
        command: impl Into<cognition::Command>,
        done: impl FnOnce(&mut Output, &Answer) -> io::Result<()>,
    ) -> Done {
        let command = Decision::Cognition(command.into());
        let by = shell.by(&self.session);
        let answer = self.engine.decide(command, &Json::empty_object(), &by)?;
        self.engine.record_states(&answer, &by.actor)?;
        let outcome = shell.report(&answer, |out| done(out, &answer))?;
        if outcome == Outcome::Done {
            let followed = self.engine.react(&self.session)?;
            say_fired(shell, &followed)?;
        }
        Ok(outcome)
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
