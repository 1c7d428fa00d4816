//! Plays the messages of a conversation, one decision each, to a world that has nothing but their speakers and an issue.
//!
//! The rules are those of every other comment: nothing is decided here.

use std::collections::BTreeSet;

use super::report::{Heard, Report, Verdict};
use crate::domain::issue::command::{Comment, Open, Unfreeze};
use crate::domain::roster::command::Add;
use crate::domain::{Ask, Asking, Command, Decided, Event, breaker, issue, roster};
use crate::import::swarm::{Conversation, Message};
use crate::kernel::actor::{Role, SYSTEM, USER};
use crate::kernel::grounding::{Citation, Stance};
use crate::kernel::id::{AgentId, EntryId, IssueId, NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::policy;
use crate::view::refusal::told;
use crate::world::{Asked, World};

/// Under which rules a conversation is played.
#[derive(Debug, Clone)]
pub struct How {
    /// The configuration.
    pub settings: Settings,
    /// The stance of messages that state none.
    pub stance: Stance,
    /// What becomes of the messages behind a freeze.
    pub after_freeze: AfterFreeze,
}

/// What becomes of the messages behind a freeze.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterFreeze {
    /// They are stopped, until its time is over by the times of the conversation.
    Holds,
    /// The user lets the discussion go on at once, so that each is judged.
    IsLifted,
}

/// What would have become of each message.
pub fn play(conversation: &Conversation, how: &How) -> Report {
    let mut stage = Stage::set(conversation, how);
    let heard = conversation.messages.iter().map(|message| stage.hear(message, how)).collect();
    Report::of(conversation, heard)
}

/// Agents that a swarm needs to be healthy (control-room 2.1). They say nothing.
const MODERATOR: &str = "annals/moderator";
const ADVOCATE: &str = "annals/advocate";

struct Stage {
    world: World,
    issue: IssueId,
    count: u128,
}

impl Stage {
    /// A roster of the speakers, and the issue that they talk about.
    fn set(conversation: &Conversation, how: &How) -> Self {
        let mut world = World::default();
        world.rooms.config.settings = how.settings.clone();
        let at = conversation.messages.first().map_or_else(Timestamp::default, |message| message.at);
        let mut stage = Self { world, issue: IssueId::default(), count: 0 };
        let outside = [USER, SYSTEM];
        let speakers = conversation.messages.iter().map(|message| &message.speaker);
        let speakers: BTreeSet<_> = speakers.filter(|speaker| !outside.contains(&speaker.as_str())).collect();
        for speaker in speakers {
            stage.cast(speaker.as_str(), "speaker", at);
        }
        stage.cast(MODERATOR, Role::Moderator.as_str(), at);
        stage.cast(ADVOCATE, Role::Critic.as_str(), at);
        let open = Open { title: "A conversation".into(), ..Open::default() };
        let opened = stage.decide(USER, at, issue::Command::from(open).into());
        stage.issue = opened.events.iter().find_map(opened_issue).cloned().unwrap_or_default();
        stage
    }

    fn cast(&mut self, name: &str, role: &str, at: Timestamp) {
        let add = Add {
            agent: AgentId::from(name),
            name: None,
            role: Role::from(Box::<str>::from(role)),
            model: None,
            can_be_devils_advocate: name == ADVOCATE,
        };
        self.decide(USER, at, roster::Command::from(add).into());
    }

    fn decide(&mut self, actor: &str, at: Timestamp, command: Command) -> Decided {
        self.count += 1;
        let (id, actor) = (EntryId::new(at, self.count), AgentId::from(actor));
        let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
        let ask = Ask { command, observed: Json::empty_object() };
        let decided = self.world.decide(&ask, &asked);
        let asking = Asking::of(&ask);
        for event in &decided.events {
            policy::take_in(
                &mut self.world.rooms,
                event,
                &policy::From { asking: Some(&asking), id, at, actor: &actor },
            );
        }
        decided
    }

    fn hear(&mut self, message: &Message, how: &How) -> Heard {
        let comment = Comment {
            issue: self.issue.clone(),
            body: message.text.clone(),
            stance: message.stance.unwrap_or(how.stance),
            impact: message.impact,
            evidence: message.evidence.clone(),
            action: None,
            citation: Citation::default(),
        };
        let decided = self.decide(message.speaker.as_str(), message.at, issue::Command::from(comment).into());
        if how.after_freeze == AfterFreeze::IsLifted && self.is_frozen() {
            let guidance = "The discussion goes on, so that each message is judged.".into();
            let unfreeze = Unfreeze { issue: self.issue.clone(), guidance };
            self.decide(USER, message.at, issue::Command::from(unfreeze).into());
        }
        heard(message, &decided)
    }

    fn is_frozen(&self) -> bool {
        self.world.rooms.issue.issue(&self.issue).is_some_and(|issue| issue.freeze.is_some())
    }
}

fn opened_issue(event: &Event) -> Option<&IssueId> {
    if let Event::Issue(issue::Event::Opened(opened)) = event { Some(&opened.issue) } else { None }
}

fn of_breakers(event: &Event) -> Option<&breaker::Event> {
    if let Event::Breaker(event) = event { Some(event) } else { None }
}

fn heard(message: &Message, decided: &Decided) -> Heard {
    let breakers: Vec<_> = decided.events.iter().filter_map(of_breakers).collect();
    let trips = |event: &&breaker::Event| matches!(event, breaker::Event::Tripped(_));
    let verdict = match &decided.refusal {
        None => Verdict::Passed,
        Some(_) if breakers.iter().any(trips) => Verdict::Froze,
        Some(_) if !breakers.is_empty() => Verdict::Rejected,
        Some(_) => Verdict::TurnedAway,
    };
    let violations = breakers.iter().flat_map(|event| event.violations()).map(|check| check.rule.as_str().into());
    Heard {
        speaker: message.speaker.clone(),
        at: message.at,
        words: message.text.split_whitespace().count() as u64,
        verdict,
        rule: decided.refusal.as_ref().map(|refusal| short(&refusal.rule).into()),
        reason: decided.refusal.as_ref().map(|refusal| told(refusal).message.into()),
        violations: violations.collect(),
    }
}

/// A breaker by its own name, as violations have it; other rules with their room.
fn short(rule: &str) -> &str {
    rule.strip_prefix("breakers.").unwrap_or(rule)
}
