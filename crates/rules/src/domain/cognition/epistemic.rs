//! What an agent takes for true, what contradicts, and what it does not know (AFS 4.4).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many contradictions, and so many unknowns, are kept; those that are resolved go first.
pub const MOST_OPEN: usize = 100;

/// What is known in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EpistemicState {
    /// What was verified.
    #[serde(alias = "goldenFacts")]
    pub golden_facts: Vec<GoldenFact>,
    /// What is taken for true.
    #[serde(alias = "workingFacts")]
    pub working_facts: Vec<Working>,
    /// What contradicts.
    pub contradictions: Vec<Contradiction>,
    /// What is not known. (Not in AFS 4.4; the trigger `critical-unknowns` of 5.3 needs it.)
    pub unknowns: Vec<Unknown>,
    /// So many golden facts there may be.
    #[serde(alias = "maxGolden")]
    pub max_golden: u32,
    /// So many working facts there may be.
    #[serde(alias = "maxWorking")]
    pub max_working: u32,
}

impl Default for EpistemicState {
    fn default() -> Self {
        Self {
            golden_facts: Vec::new(),
            working_facts: Vec::new(),
            contradictions: Vec::new(),
            unknowns: Vec::new(),
            max_golden: 10,
            max_working: 100,
        }
    }
}

/// A fact that was verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenFact {
    /// Its name.
    pub id: Box<str>,
    /// The fact.
    pub fact: Box<str>,
    /// Always 1.
    #[serde(default = "whole")]
    pub confidence: Share,
    /// Who or what verified it.
    #[serde(default)]
    pub source: Box<str>,
    /// When.
    #[serde(default, alias = "verifiedAt")]
    pub verified_at: Timestamp,
}

/// A fact that is taken for true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Working {
    /// Its name.
    pub id: Box<str>,
    /// The fact.
    pub fact: Box<str>,
    /// How sure.
    #[serde(default)]
    pub confidence: Share,
    /// From where.
    #[serde(default)]
    pub source: Box<str>,
}

/// Two facts that cannot both be true.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradiction {
    /// Its name; nothing where another program wrote none.
    #[serde(default)]
    pub id: Box<str>,
    /// The one, by name or in words.
    #[serde(alias = "factA")]
    pub fact_a: Box<str>,
    /// The other.
    #[serde(alias = "factB")]
    pub fact_b: Box<str>,
    /// When it was noticed.
    #[serde(default, alias = "detectedAt")]
    pub detected_at: Timestamp,
    /// What was decided.
    pub resolution: Option<Box<str>>,
}

/// Something that is not known.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// Its name.
    #[serde(default)]
    pub id: Box<str>,
    /// The question.
    #[serde(alias = "description", alias = "unknown")]
    pub question: Box<str>,
    /// Whether the work cannot be right without the answer.
    #[serde(default)]
    pub critical: bool,
    /// The answer.
    pub answer: Option<Box<str>>,
}

fn whole() -> Share {
    Share::WHOLE
}

impl EpistemicState {
    /// Contradictions without a resolution.
    pub fn contradicted(&self) -> usize {
        self.contradictions.iter().filter(|one| one.resolution.is_none()).count()
    }

    /// Critical unknowns without an answer.
    pub fn critical(&self) -> usize {
        self.unknowns.iter().filter(|one| one.critical && one.answer.is_none()).count()
    }

    /// What a fact says that is named or is given in words.
    pub fn in_words<'s>(&'s self, fact: &'s str) -> &'s str {
        let golden = self.golden_facts.iter().map(|known| (&known.id, &known.fact));
        let working = self.working_facts.iter().map(|known| (&known.id, &known.fact));
        golden.chain(working).find(|(id, _)| ***id == *fact).map_or(fact, |(_, said)| said)
    }

    /// The working fact that goes when another one comes and there is no room: the least sure, the oldest of those.
    pub fn least_sure(&self, most: usize) -> Option<&Working> {
        let is_full = self.working_facts.len() >= most.max(1);
        self.working_facts.iter().min_by_key(|fact| fact.confidence).filter(|_| is_full)
    }

    /// Keeps every list within its limit.
    pub(super) fn bound(&mut self) {
        const MOST: usize = 1000;
        let (most_golden, most_working) = (MOST, MOST);
        self.golden_facts.truncate(most_golden);
        while self.working_facts.len() > most_working {
            let least = self.least_sure(most_working).map(|fact| fact.id.clone());
            let place = self.working_facts.iter().position(|fact| Some(&fact.id) == least.as_ref());
            self.working_facts.remove(place.unwrap_or(0));
        }
        while self.contradictions.len() > MOST_OPEN {
            let over = self.contradictions.iter().position(|one| one.resolution.is_some()).unwrap_or(0);
            self.contradictions.remove(over);
        }
        while self.unknowns.len() > MOST_OPEN {
            let over = self.unknowns.iter().position(|one| one.answer.is_some()).unwrap_or(0);
            self.unknowns.remove(over);
        }
    }
}
