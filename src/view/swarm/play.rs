//! Plays the messages of a conversation, one decision each, to a world that has nothing but their speakers and an issue a
//! thread.
//!
//! The rules are those of every other comment: nothing is decided here.

use std::collections::BTreeSet;

use super::report::{Heard, Report, Verdict, is_praise};
use super::sober::sobered;
use crate::domain::issue::command::{Comment, Open, Unfreeze};
use crate::domain::roster::command::Add;
use crate::domain::{Ask, Asking, Command, Event, RoomsDecided, breaker, issue, roster};
use crate::import::swarm::{Conversation, SwarmMessage, SwarmThread};
use crate::kernel::actor::{Role, SYSTEM, USER};
use crate::kernel::grounding::{Checked, Citation, Evidence, FileReference, Stance};
use crate::kernel::id::{AgentId, EntryId, IssueId, NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::policy;
use crate::view::refusal::told;
use crate::world::{Asked, RULES_VERSION, World};

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

/// What would have become of each message, and of sober ones in their place.
pub fn play(conversation: &Conversation, how: &How) -> Report {
    Report::of(conversation, heard_all(conversation, how), &heard_all(&sobered(conversation), how))
}

fn heard_all(conversation: &Conversation, how: &How) -> Vec<Heard> {
    let mut stage = PlayStage::set(conversation, how);
    conversation.messages.iter().map(|message| stage.hear(message, how)).collect()
}

/// Agents that a swarm needs to be healthy (control-room 2.1). They say nothing.
const MODERATOR: &str = "annals/moderator";
const ADVOCATE: &str = "annals/advocate";

struct PlayStage {
    world: World,
    /// An issue a thread.
    issues: Vec<IssueId>,
    count: u128,
}

impl PlayStage {
    /// A roster of the speakers, and the issues that they talk about.
    fn set(conversation: &Conversation, how: &How) -> Self {
        let mut world = World::default();
        world.rooms.config.settings = how.settings.clone();
        let begun = conversation.messages.iter().map(|message| message.at);
        let at = begun.chain(conversation.threads.iter().filter_map(|thread| thread.at)).min().unwrap_or_default();
        let mut stage = Self { world, issues: Vec::new(), count: 0 };
        let outside = [USER, SYSTEM];
        let speakers = conversation.messages.iter().map(|message| &message.speaker);
        let speakers = speakers.chain(conversation.threads.iter().filter_map(|thread| thread.author.as_ref()));
        let speakers: BTreeSet<_> = speakers.filter(|speaker| !outside.contains(&speaker.as_str())).collect();
        for speaker in speakers {
            stage.cast(speaker.as_str(), "speaker", at);
        }
        stage.cast(MODERATOR, Role::Moderator.as_str(), at);
        stage.cast(ADVOCATE, Role::Critic.as_str(), at);
        for thread in &conversation.threads {
            stage.open(thread, at);
        }
        stage
    }

    fn open(&mut self, thread: &SwarmThread, at: Timestamp) {
        const TITLE_CHARS: usize = 200;
        let line = thread.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = line.chars().take(TITLE_CHARS).collect();
        let open = Open { title: title.into(), body: thread.body.clone(), ..Open::default() };
        let author = thread.author.as_ref().map_or(USER, AgentId::as_str);
        let opened = self.decide(author, at, &bare(issue::Command::from(open).into()));
        self.issues.push(opened.events.iter().find_map(opened_issue).cloned().unwrap_or_default());
    }

    fn cast(&mut self, name: &str, role: &str, at: Timestamp) {
        let add = Add {
            agent: AgentId::from(name),
            name: None,
            role: Role::from(Box::<str>::from(role)),
            model: None,
            program: None,
            can_be_devils_advocate: name == ADVOCATE,
        };
        self.decide(USER, at, &bare(roster::Command::from(add).into()));
    }

    fn decide(&mut self, actor: &str, at: Timestamp, ask: &Ask) -> RoomsDecided {
        self.count += 1;
        let (id, actor) = (EntryId::new(at, self.count), AgentId::from(actor));
        let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
        let decided = self.world.decide(ask, &asked);
        let asking = Asking::of(ask);
        for event in &decided.events {
            policy::take_in(
                &mut self.world.rooms,
                event,
                &policy::EventSource { asking: Some(&asking), id, at, actor: &actor, rules: RULES_VERSION.into() },
            );
        }
        decided
    }

    fn hear(&mut self, message: &SwarmMessage, how: &How) -> Heard {
        let id = self.issues[message.thread].clone();
        let comment = Comment {
            issue: id.clone(),
            body: message.text.clone(),
            stance: message.stance.unwrap_or(how.stance),
            impact: message.impact,
            evidence: message.evidence.clone(),
            action: None,
            citation: Citation::default(),
        };
        let observed = Json::of(&believed(&message.evidence));
        let ask = Ask { command: issue::Command::from(comment).into(), observed };
        let decided = self.decide(message.speaker.as_str(), message.at, &ask);
        if how.after_freeze == AfterFreeze::IsLifted && self.is_frozen(&id) {
            let guidance = "Go on.".into();
            let unfreeze = Unfreeze { issue: id, guidance };
            self.decide(USER, message.at, &bare(issue::Command::from(unfreeze).into()));
        }
        heard(message, &decided)
    }

    fn is_frozen(&self, issue: &IssueId) -> bool {
        self.world.rooms.issue.issue(issue).is_some_and(|issue| issue.freeze.is_some())
    }
}

fn bare(command: Command) -> Ask {
    Ask { command, observed: Json::empty_object() }
}

/// What is cited is believed: there is no project to look into.
fn believed(evidence: &Evidence) -> issue::Observed {
    let there = |file: &FileReference| Checked {
        path: file.path.clone(),
        exists: true,
        lines_valid: true,
        ..Checked::default()
    };
    issue::Observed { evidence: evidence.files.iter().map(there).collect(), ..issue::Observed::default() }
}

fn opened_issue(event: &Event) -> Option<&IssueId> {
    if let Event::Issue(issue::Event::Opened(opened)) = event { Some(&opened.issue) } else { None }
}

fn of_breakers(event: &Event) -> Option<&breaker::Event> {
    if let Event::Breaker(event) = event { Some(event) } else { None }
}

fn heard(message: &SwarmMessage, decided: &RoomsDecided) -> Heard {
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
        thread: message.thread + 1,
        speaker: message.speaker.clone(),
        at: message.at,
        words: message.text.split_whitespace().count() as u64,
        praise: is_praise(message),
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
