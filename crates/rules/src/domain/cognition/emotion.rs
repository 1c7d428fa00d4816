//! What an agent feels (AFS 4.1). Always stated: no feeling is made up from calls; what calls and words say of mood and
//! anxiety is computed by the emotional mode of analysis alone (AFS 5.2.5).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many satisfactions, and so many frustrations, are kept; the oldest go first, resolved ones before others.
pub const MOST_FEELINGS: usize = 20;
/// So many moods are remembered.
pub const MOST_MOODS: usize = 50;
/// So many causes of anxiety are kept.
pub const MOST_SOURCES: usize = 10;

/// The emotional state of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Emotions {
    /// The mood.
    pub mood: Mood,
    /// What it fears.
    pub anxiety: Anxiety,
    /// What went well.
    pub satisfactions: Vec<Satisfaction>,
    /// What did not.
    pub frustrations: Vec<Frustration>,
    /// Moods before, the oldest first.
    #[serde(alias = "moodHistory")]
    pub mood_history: Vec<PastMood>,
}

/// A mood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Mood {
    /// `neutral`, `focused`, `frustrated`, …
    pub current: Box<str>,
    /// How strong.
    pub intensity: Share,
    /// From -1, bad, to 1, good.
    pub valence: Amount,
}

impl Default for Mood {
    fn default() -> Self {
        Self { current: "neutral".into(), intensity: Share::NONE, valence: Amount::ZERO }
    }
}

/// Anxiety.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Anxiety {
    /// How strong.
    pub level: Share,
    /// What causes it.
    pub sources: Vec<Box<str>>,
}

/// Something that went well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Satisfaction {
    /// The entry that stated it, or whatever another program wrote.
    pub id: Box<str>,
    /// What.
    pub description: Box<str>,
    /// 1 to 10.
    pub intensity: u8,
    /// When.
    pub timestamp: Timestamp,
}

/// Something that did not go well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Frustration {
    /// The entry that stated it, or whatever another program wrote.
    pub id: Box<str>,
    /// What.
    pub description: Box<str>,
    /// 1 to 10.
    pub intensity: u8,
    /// Whether it is over.
    #[serde(default)]
    pub resolved: bool,
    /// When.
    pub timestamp: Timestamp,
}

/// A mood of before.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastMood {
    /// Which.
    pub mood: Box<str>,
    /// Since when.
    pub timestamp: Timestamp,
    /// What brought it on.
    pub trigger: Option<Box<str>>,
}

impl Emotions {
    /// Frustrations that are not over.
    pub fn open(&self) -> impl Iterator<Item = &Frustration> {
        self.frustrations.iter().filter(|frustration| !frustration.resolved)
    }

    /// How strong the strongest open frustration is, as a share of ten.
    pub fn frustration(&self) -> Share {
        let strongest = self.open().map(|frustration| frustration.intensity).max().unwrap_or(0);
        Share::thousandths(u16::from(strongest.min(10)) * 100)
    }

    /// Another mood; the one before is remembered.
    pub(super) fn turn(&mut self, mood: &str, at: Timestamp, trigger: Option<&str>) {
        if *self.mood.current != *mood {
            self.mood.current = mood.into();
            self.mood_history.push(PastMood { mood: mood.into(), timestamp: at, trigger: trigger.map(Into::into) });
        }
    }

    /// Keeps every list within its limit.
    pub(super) fn bound(&mut self) {
        drop_first(&mut self.satisfactions, MOST_FEELINGS);
        while self.frustrations.len() > MOST_FEELINGS {
            let over = self.frustrations.iter().position(|frustration| frustration.resolved).unwrap_or(0);
            self.frustrations.remove(over);
        }
        drop_first(&mut self.mood_history, MOST_MOODS);
        self.anxiety.sources.truncate(MOST_SOURCES);
    }
}

/// Keeps the last so many.
pub(super) fn drop_first<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}
