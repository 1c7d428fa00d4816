//! `annals council vote|debate|resolve --by-model`: members, and the arbitrator, asked as sub-agents (AFS 7.2).
//!
//! Each is asked with a pack of its own. A member whose answer cannot be read has not voted; the quorum decides what that
//! means. The user asks for all members, an agent for its own seat.

use annals_llm::Purpose;

use super::pack::{Pack, debate as said_so_far, evidence, matter};
use super::write::say;
use crate::cli::models::{HeardWord, Judge, Judgements, Keeping};
use crate::cli::shell::{Done, Shell, Usage};
use crate::domain::council::command::{Command, CouncilSide, Give, Observed, Plead, Resolve};
use crate::domain::council::count::Choice;
use crate::domain::council::{CouncilSession, CouncilStatus};
use crate::engine::{Answer, Engine};
use crate::kernel::actor::USER;
use crate::kernel::json::Json;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::JudgedQuestion;
use crate::role::judged::council::{
    plea_question, read_plea, read_synthesis, read_vote, synthesis_question, vote_question,
};
use crate::role::prompt::BadAnswer;

/// A council that models are asked for.
pub(super) struct AskedCouncil<'e> {
    engine: &'e Engine,
    id: Box<str>,
    session: CouncilSession,
    evidence: Vec<(&'static str, String)>,
    judge: Judge,
    judgements: Judgements,
}

impl<'e> AskedCouncil<'e> {
    /// Asks nobody yet; where it does not stand so, nobody is asked at all.
    fn of(
        shell: &Shell,
        engine: &'e Engine,
        id: Box<str>,
        status: CouncilStatus,
        model: Option<&str>,
    ) -> anyhow::Result<Self> {
        let found = engine.ask(|world| {
            let session = world.rooms.council.session(&id)?;
            Some((session.clone(), evidence(&world.rooms, session)))
        })?;
        let (session, evidence) = found.ok_or_else(|| Usage(format!("there is no council {id}")))?;
        if session.status != status {
            let words = format!("council {id} is {}, not {status}: no model is asked", session.status);
            return Err(Usage(words).into());
        }
        let judge = Judge::of(shell, engine, Purpose::Council, model)?;
        Ok(Self { engine, id, session, evidence, judge, judgements: Judgements::default() })
    }

    /// Asks for somebody, and decides on what it says. Whether it said anything that counts.
    fn ask<T>(
        &mut self,
        shell: &mut Shell,
        who: &str,
        prompt: &JudgedQuestion,
        read: impl FnOnce(&str) -> Result<T, BadAnswer>,
        command: impl FnOnce(Box<str>, T) -> Command,
    ) -> anyhow::Result<bool> {
        match HeardWord::read(self.judge.ask(self.engine, who, prompt, Keeping::Open)?, read) {
            HeardWord::Clear { word, says } => {
                let command = command(self.id.clone(), says);
                let answer = self.decide(shell, command, &word)?;
                let tell = |out: &mut _| answer.events.iter().try_for_each(|event| say(out, event));
                self.judgements.decided(shell, who, word, &answer, tell)?;
                Ok(answer.refusal.is_none())
            }
            HeardWord::Nothing { word, why } => {
                self.judgements.unheard(shell, who, word, &why)?;
                Ok(false)
            }
        }
    }

    fn decide(&self, shell: &Shell, command: Command, word: &ModelWord) -> anyhow::Result<Answer> {
        let observed = Json::of(&Observed { model: Some(word.clone()) });
        Ok(self.engine.decide(command, &observed, &shell.by_now())?)
    }
}

/// Each member that has not voted is asked.
pub(super) fn vote(shell: &mut Shell, engine: &Engine, id: Box<str>, model: Option<&str>) -> Done {
    let mut asked = AskedCouncil::of(shell, engine, id, CouncilStatus::Voting, model)?;
    for member in awaited(shell, &asked.session)? {
        let pack = Pack::of(engine, &member)?;
        let prompt = vote_question(&matter(&asked.session, &asked.evidence), &pack.member());
        asked.ask(shell, &member, &prompt, read_vote, |council, said| {
            let (vote, confidence, rationale) = (said.vote, said.confidence, said.reason.into());
            Give { council, member: Some(member.clone()), vote, confidence, rationale }.into()
        })?;
    }
    asked.judgements.end(shell)
}

/// The members for whom the actor may ask a model, and who have not voted.
fn awaited(shell: &Shell, session: &CouncilSession) -> anyhow::Result<Vec<Box<str>>> {
    let actor = shell.actor();
    let is_meant = |member: &&str| if actor.as_str() == USER { *member != USER } else { *member == actor.as_str() };
    let members: Vec<Box<str>> = session.awaited().filter(is_meant).map(Box::from).collect();
    if members.is_empty() {
        let left = session.awaited().collect::<Vec<_>>().join(", ");
        return Err(Usage(format!("there is nobody for whom {actor} may ask a model; awaited: {left}")).into());
    }
    Ok(members)
}

/// The next round of a debate, or what is left of it: a member speaks for it, another one against it.
pub(super) fn debate(shell: &mut Shell, engine: &Engine, id: Box<str>, model: Option<&str>) -> Done {
    let mut asked = AskedCouncil::of(shell, engine, id, CouncilStatus::Debating, model)?;
    let spoken = asked.session.unanswered().map(|plea| plea.side);
    for side in [CouncilSide::Pro, CouncilSide::Con].into_iter().filter(|side| spoken != Some(*side)) {
        let speaker = speaker(&asked.session, side)?;
        let pack = Pack::of(engine, &speaker)?;
        let matter = matter(&asked.session, &asked.evidence);
        let prompt = plea_question(&matter, &pack.member(), side, &said_so_far(&asked.session));
        let has_spoken = asked.ask(shell, &speaker, &prompt, read_plea, |council, said| {
            Plead { council, side, argument: said.into(), agent: Some(speaker.clone()) }.into()
        })?;
        if !has_spoken {
            break;
        }
        let now = engine.ask(|world| world.rooms.council.session(&asked.id).cloned())?;
        asked.session = now.expect("BUG: councils stay");
    }
    asked.judgements.end(shell)
}

/// Who speaks for a side: who spoke for it before, else who voted for it, else any member that did neither for the other.
fn speaker(session: &CouncilSession, side: CouncilSide) -> anyhow::Result<Box<str>> {
    let (own, other) = match side {
        CouncilSide::Pro => (Choice::Approve, Choice::Reject),
        CouncilSide::Con => (Choice::Reject, Choice::Approve),
    };
    let vote = |member: &str| session.votes.iter().find(|vote| *vote.agent_role == *member).map(|vote| vote.vote);
    let fitness = |member: &&str| match vote(member) {
        Some(_) | None if session.has_spoken(member, side) => 0,
        Some(choice) if choice == own => 1,
        Some(choice) if choice == other => 3,
        Some(_) | None => 2,
    };
    let members = session.members().iter().map(|member| &**member);
    let free = members.filter(|member| *member != USER && !session.has_spoken(member, side.other()));
    let none =
        || Usage("no member is left to speak for that side; --pro and --con take an argument of yours".to_owned());
    Ok(free.min_by_key(fitness).ok_or_else(none)?.into())
}

/// The last word of the arbitrator, after a debate.
pub(super) fn resolve(shell: &mut Shell, engine: &Engine, id: Box<str>, model: Option<&str>) -> Done {
    let mut asked = AskedCouncil::of(shell, engine, id, CouncilStatus::Debating, model)?;
    let arbitrator = asked.session.config.arbitrator.clone();
    let prompt = synthesis_question(&matter(&asked.session, &asked.evidence), &said_so_far(&asked.session));
    asked.ask(shell, arbitrator.as_str(), &prompt, read_synthesis, |council, said| {
        let (decision, confidence) = (Some(said.decision), Some(said.confidence));
        Resolve { council, decision, confidence, synthesis: Some(said.synthesis.into()) }.into()
    })?;
    asked.judgements.end(shell)
}
