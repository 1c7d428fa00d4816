//! `annals triggers judge`, and `accept --by-model`: the sub-agent of a trigger (AFS 5.3), a model that looks in its mode.
//!
//! What it finds is recorded beside what the rules found. Only the user has it asked: by a firing's name, or for all that the
//! switch of their own configuration lets through. No hook and no import comes here.

mod allowed;

use serde::Serialize;

pub(super) use self::allowed::say_waiting;
use self::allowed::{LeftFiring, allowed};
use super::{InSession, named};
use crate::analysis::{AnalysisMode, analyse};
use crate::cli::analyse::by_model::{ModelAnalysis, SessionLook, analysed, judge_of, print};
use crate::cli::cognition::say_fired;
use crate::cli::council::pack::Pack;
use crate::cli::decided::Decided;
use crate::cli::line::{Line, Style};
use crate::cli::models::{Judge, TriggerSwitch};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::Command as Decision;
use crate::domain::cognition::command::{Answer, FiringVerdict};
use crate::domain::cognition::gate::Standing;
use crate::domain::cognition::limits::all as all_triggers;
use crate::domain::cognition::mind::Firing;
use crate::domain::cognition::{Command, Observed};
use crate::engine::Engine;
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::json::Json;

/// Arguments of `annals triggers judge`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Which firing: its id, or the end of it; may be given again [default: all that `[triggers]` of your own config.toml lets
    /// through]
    firings: Vec<String>,
    /// Which model: its name, or scripted:FILE for answers from a file
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

/// The answer in JSON.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct JudgedFirings {
    judged: Vec<JudgedFiring>,
    /// Firings of which no model was asked, and why.
    left: Vec<LeftFiring>,
}

/// What came of a firing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JudgedFiring {
    session: SessionId,
    firing: EntryId,
    trigger: Box<str>,
    mode: AnalysisMode,
    by_model: ModelAnalysis,
    /// The decision that rests on it; none where no answer came.
    decided: Option<Decided>,
}

/// Firings that are judged one after the other, each mode by one model.
struct FiringJudge<'e> {
    engine: &'e Engine,
    model: Option<&'e str>,
    judges: Vec<(AnalysisMode, Judge)>,
    answer: JudgedFirings,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    require_user(shell, &engine)?;
    let (chosen, left) = if arguments.firings.is_empty() {
        allowed(shell, &engine, &TriggerSwitch::of(shell)?)?
    } else {
        let chosen: anyhow::Result<Vec<_>> = arguments.firings.iter().map(|text| ready(shell, &engine, text)).collect();
        (chosen?, Vec::new())
    };
    let mut judge = FiringJudge::new(&engine, arguments.model.as_deref());
    judge.answer.left = left;
    for found in &chosen {
        if !judge.look(shell, found)? {
            break;
        }
    }
    judge.end(shell, if chosen.is_empty() { CommandOutcome::Done } else { CommandOutcome::Refused })
}

/// The user accepts a firing and has a model asked at once.
pub(super) fn accept(shell: &mut Shell, text: &str, model: Option<&str>) -> Done {
    let engine = shell.engine()?;
    require_user(shell, &engine)?;
    let found = named(shell, &engine, text)?;
    let mut judge = FiringJudge::new(&engine, model);
    // That a mode asks nobody, or no model serves it, is said before anything is accepted.
    judge.of(shell, found.firing.mode)?;
    let (session, firing) = (found.session.clone(), found.firing.id);
    let by = shell.by(&session);
    let command = Command::from(Answer { session: session.clone(), firing, verdict: FiringVerdict::Accept });
    let accepted = engine.decide(Decision::Cognition(command), &Json::empty_object(), &by)?;
    if accepted.refusal.is_some() {
        return shell.report(&accepted, |_| Ok(()));
    }
    if !shell.wants_json() {
        shell.out.line(format_args!("{} is on", found.firing.mode))?;
    }
    let followed = engine.react(&session)?;
    say_fired(shell, &followed)?;
    judge.look(shell, &found)?;
    judge.end(shell, CommandOutcome::Refused)
}

/// A model costs money before a rule could refuse what it said: so who asks is looked at first.
fn require_user(shell: &Shell, engine: &Engine) -> anyhow::Result<()> {
    if engine.acts_as_the_user(&shell.by_now())? {
        return Ok(());
    }
    let actor = shell.actor();
    let words =
        format!("{actor} may not have a model asked for a trigger: only the user does, in a shell of their own");
    Err(Usage(words).into())
}

/// A firing that the user names, where its analysis may run and no model was asked of it.
fn ready(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<InSession> {
    let found = named(shell, engine, text)?;
    let Firing { id, standing, judged, .. } = &found.firing;
    let words = match (standing, judged) {
        (Standing::Accepted, None) => return Ok(found),
        (Standing::Accepted, Some(entry)) => format!("a model was asked of firing {id} already: `annals show {entry}`"),
        (Standing::Pending, _) => format!("firing {id} waits: `annals triggers accept {id} --by-model` lets it run"),
        (Standing::Denied, _) => format!("firing {id} is denied: no model is asked"),
    };
    Err(Usage(words).into())
}

impl<'e> FiringJudge<'e> {
    fn new(engine: &'e Engine, model: Option<&'e str>) -> Self {
        Self { engine, model, judges: Vec::new(), answer: JudgedFirings::default() }
    }

    /// The model of a mode.
    fn of(&mut self, shell: &Shell, mode: AnalysisMode) -> anyhow::Result<&Judge> {
        let known = self.judges.iter().position(|(known, _)| *known == mode);
        let place = if let Some(place) = known {
            place
        } else {
            self.judges.push((mode, judge_of(shell, self.engine, mode, self.model)?));
            self.judges.len() - 1
        };
        Ok(&self.judges[place].1)
    }

    /// Asks of one firing, and decides on what is said. Whether an answer came: where none did, none is asked for again.
    fn look(&mut self, shell: &mut Shell, found: &InSession) -> anyhow::Result<bool> {
        let InSession { session, firing } = found;
        let record = self.engine.reader()?.record(session, None)?;
        let analysis = analyse(firing.mode, &record, self.engine.settings());
        let (engine, agent) = (self.engine, agent_of(self.engine, firing)?);
        let look =
            SessionLook { mode: firing.mode, session, until: None, analysis: analysis.as_ref(), agent: agent.as_ref() };
        let by_model = analysed(engine, self.of(shell, firing.mode)?, &look)?;
        let decided = match by_model.judge(session.clone(), firing.id) {
            None => None,
            Some((command, word)) => {
                let observed = Json::of(&Observed { model: Some(word) });
                let command = Decision::Cognition(command.into());
                let answer = engine.decide(command, &observed, &shell.by(session))?;
                if let Some(refusal) = answer.refusal.as_ref().filter(|_| !shell.wants_json()) {
                    shell.say_refused(refusal)?;
                }
                Some(Decided::of(&answer))
            }
        };
        if !shell.wants_json() {
            let title = format!("{} of session {session}, for {}", firing.mode, firing.trigger);
            shell.out.styled(&Line::of(Style::Bold, title))?;
            print(shell, &by_model)?;
        }
        let has_answered = decided.is_some();
        let (session, trigger) = (session.clone(), firing.trigger.clone());
        let judged = JudgedFiring { session, firing: firing.id, trigger, mode: firing.mode, by_model, decided };
        self.answer.judged.push(judged);
        Ok(has_answered)
    }

    /// Says what was left, and ends the command: as `nothing` where none was judged.
    fn end(self, shell: &mut Shell, nothing: CommandOutcome) -> Done {
        let is_done = |judged: &JudgedFiring| matches!(judged.decided, Some(Decided::Done { .. }));
        let outcome = if self.answer.judged.iter().any(is_done) { CommandOutcome::Done } else { nothing };
        if shell.wants_json() {
            shell.out.answer(&self.answer)?;
            return Ok(outcome);
        }
        for left in &self.answer.left {
            shell.out.say(left.in_words())?;
        }
        if self.answer.judged.is_empty() && self.answer.left.is_empty() {
            shell.out.say("no firing waits for a model")?;
        }
        Ok(outcome)
    }
}

/// The agent that a trigger calls for, where the roster has it: its name and role stand in the question.
fn agent_of(engine: &Engine, firing: &Firing) -> anyhow::Result<Option<Pack>> {
    let triggers = all_triggers(engine.settings());
    let Some(name) = triggers.into_iter().find(|known| known.id == firing.trigger).and_then(|known| known.agent) else {
        return Ok(None);
    };
    let agent = AgentId::from(&*name);
    let is_member = engine.ask(|world| world.rooms.roster.agent(&agent).is_some())?;
    is_member.then(|| Pack::of(engine, &name)).transpose()
}
