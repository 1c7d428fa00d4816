//! What is embedded: summaries of sessions, titles of issues, canon, knowledge, beliefs, memories. Not each line of the log:
//! what a line says is found by its words.
//!
//! Of a text the beginning counts, as much of it as every model can look at.

use std::fmt;

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::cut::head;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::sha256_hex;
use annals_kernel::time::Timestamp;
use annals_rules::domain::session::Session;
use annals_rules::domain::session::row::Title;
use annals_rules::world::World;

use crate::excerpt::Excerpt;
use crate::hit::HitKind;

/// As much of a text is embedded, in bytes: some 400 tokens of English. Small models look at 512, and refuse more.
const MOST_BYTES: usize = 1_500;

/// As much of it is shown.
const SHOWN_BYTES: usize = 240;

/// The sorts of things that are embedded.
const KINDS: [HitKind; 6] =
    [HitKind::Session, HitKind::Issue, HitKind::Canon, HitKind::Knowledge, HitKind::Belief, HitKind::Memory];

/// Something that is embedded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// What sort of thing.
    pub kind: HitKind,
    /// Its id, number or key.
    pub id: Box<str>,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.as_str(), self.id)
    }
}

impl Subject {
    /// As it was displayed.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (kind, id) = text.split_once(' ')?;
        let kind = KINDS.into_iter().find(|known| known.as_str() == kind)?;
        Some(Self { kind, id: id.into() })
    }
}

/// Which text a vector is of: half of its SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextHash(u128);

impl TextHash {
    /// Of a text.
    pub fn of(text: &str) -> Self {
        Self(u128::from_str_radix(&sha256_hex(text.as_bytes())[..32], 16).expect("BUG: it is hexadecimal"))
    }

    pub(super) fn bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self(u128::from_le_bytes(bytes.try_into().ok()?)))
    }
}

/// A text that has a meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedText {
    /// Of what.
    pub subject: Subject,
    /// As much of it as is embedded.
    pub text: String,
    /// Of that.
    pub hash: TextHash,
    /// When it was said last, where that is known.
    pub(crate) at: Option<Timestamp>,
    /// The session, where it is of one.
    pub(crate) session: Option<SessionId>,
}

/// Every text that is embedded, in order.
pub fn embedded_texts(engine: &Engine) -> Result<Vec<EmbeddedText>, EngineError> {
    engine.ask(|world| {
        let subjects = subjects(world);
        // All are asked for before the first is looked at, so that those not here come in one round.
        subjects.iter().filter_map(|subject| text_of(world, subject)).collect()
    })
}

/// A subject in a state, as far as a filter lets it through; none where it is gone.
pub(crate) fn subject_in(world: &World, subject: &Subject, filter: &Filter) -> Option<EmbeddedText> {
    let found = text_of(world, subject)?;
    let is_free = filter.session.is_none() && filter.agents.is_empty() && filter.since == EntryId::default();
    let is_let_through = match &found.session {
        Some(id) => world.rooms.session.session(id).is_some_and(|session| is_wanted(id, session, filter)),
        None => is_free,
    };
    is_let_through.then_some(found)
}

fn is_wanted(id: &SessionId, session: &Session, filter: &Filter) -> bool {
    let is_of = filter.agents.is_empty()
        || session.agents.iter().any(|agent| filter.agents.iter().any(|name| **name == *agent.as_str()));
    let is_within = filter.since <= session.last && filter.until.is_none_or(|until| session.last <= until);
    is_of && is_within && filter.session.as_ref().is_none_or(|wanted| wanted == id)
}

/// The beginning of a text, on one line.
pub(crate) fn excerpt_of(text: &str) -> Excerpt {
    let shown = head(text, SHOWN_BYTES).replace(['\n', '\r', '\t'], " ");
    Excerpt::plain(if shown.len() < text.len() { format!("{}…", shown.trim_end()) } else { shown })
}

fn subjects(world: &World) -> Vec<Subject> {
    let rooms = &world.rooms;
    let of = |kind: HitKind, id: &str| Subject { kind, id: id.into() };
    let sessions = rooms.session.sessions.iter().map(|(id, _)| of(HitKind::Session, id.as_str()));
    let issues = rooms.issue.issues.iter().map(|(id, _)| of(HitKind::Issue, id.as_str()));
    let canon = rooms.canon.entries.iter().map(|(key, _)| of(HitKind::Canon, key));
    let knowledge = rooms.knowledge.entries.iter().map(|(id, _)| of(HitKind::Knowledge, id));
    let beliefs = rooms.hivemind.entries.iter().map(|(key, _)| of(HitKind::Belief, key));
    let memories = rooms.memory.megrams.iter().map(|(id, _)| of(HitKind::Memory, id));
    let mut subjects: Vec<_> =
        sessions.chain(issues).chain(canon).chain(knowledge).chain(beliefs).chain(memories).collect();
    subjects.sort();
    subjects
}

/// What a subject says.
struct Said {
    text: String,
    at: Option<Timestamp>,
    session: Option<SessionId>,
}

impl Said {
    fn at(text: impl Into<String>, at: Timestamp) -> Self {
        Self { text: text.into(), at: Some(at), session: None }
    }
}

fn text_of(world: &World, subject: &Subject) -> Option<EmbeddedText> {
    let Said { text, at, session } = said(world, subject)?;
    let text = head(text.trim(), MOST_BYTES).trim_end().to_owned();
    let hash = TextHash::of(&text);
    (!text.is_empty()).then(|| EmbeddedText { subject: subject.clone(), text, hash, at, session })
}

fn said(world: &World, Subject { kind, id }: &Subject) -> Option<Said> {
    let rooms = &world.rooms;
    match kind {
        HitKind::Session => Some(session_said(rooms.session.sessions.get(id)?, id)),
        HitKind::Issue => rooms.issue.issues.get(id).map(|issue| Said::at(&*issue.title, issue.updated_at)),
        HitKind::Canon => {
            let current: Vec<_> = rooms.canon.entries.get(id)?.current().collect();
            let at = current.iter().map(|version| version.at).max()?;
            let texts: Vec<_> = current.iter().map(|version| format!("{}\n{}", version.title, version.text)).collect();
            Some(Said::at(texts.join("\n"), at))
        }
        HitKind::Knowledge => {
            let entry = rooms.knowledge.entries.get(id).filter(|entry| entry.is_kept())?;
            Some(Said::at(&*entry.said.content, entry.touched_at()))
        }
        HitKind::Belief => {
            let entry = rooms.hivemind.entries.get(id).filter(|entry| entry.removed.is_none())?;
            Some(Said::at(format!("{id}: {}", entry.value), entry.source.timestamp))
        }
        HitKind::Memory => {
            let kept = rooms.memory.megrams.get(id)?.kept()?;
            Some(Said::at(&*kept.content, kept.created))
        }
        HitKind::Entry | HitKind::File | HitKind::Error | HitKind::Tool | HitKind::Agent | HitKind::Symbol => None,
    }
}

/// A summary by a model says more than that of the rules; a session without any has its title.
fn session_said(session: &Session, id: &str) -> Said {
    let summary = session.model_summary.as_ref().map(|by_model| &by_model.summary).or(session.summary.as_ref());
    let title = session.title.as_ref().map(Title::as_str).unwrap_or_default();
    let text = match summary {
        Some(summary) => format!("{}\n{}", summary.title, summary.body),
        None => title.to_owned(),
    };
    Said { text, at: Some(session.updated_at), session: Some(SessionId::from(id)) }
}
