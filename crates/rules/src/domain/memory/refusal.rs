//! Why memory stays as it is.

use super::quantum::PyramidLevel;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;
use annals_kernel::time::Timestamp;

refusal! {
    /// Why memory stays as it is.
    pub enum Refusal {
        /// Experience is not what somebody says it was (artoo R5).
        NotTheSolver = "memory.not_the_solver" { actor: AgentId },
        /// Who is nobody's agent has no say.
        Stranger = "memory.stranger" { actor: AgentId },
        /// Forgetting is not for everybody.
        NotTheDreamer = "memory.not_the_dreamer" { actor: AgentId },
        /// A tag stands in keys and tables.
        BadTag = "memory.bad_tag" { what: &'static str, most: usize },
        /// It must say something.
        BadContent = "memory.bad_content" { most: usize },
        /// It must weigh something.
        NoWeight = "memory.no_weight",
        /// Common sense does not fade, all else does.
        BadRate = "memory.bad_rate" { level: PyramidLevel, k: Box<str> },
        /// Laws are configured.
        Law = "memory.law",
        /// Common sense is little.
        Full = "memory.full" { space: Box<str>, entity: Box<str>, most: usize },
        /// There is none.
        UnknownMegram = "memory.unknown_megram" { megram: Box<str> },
        /// It is gone.
        Forgotten = "memory.forgotten" { megram: Box<str>, at: Timestamp },
        /// One decision remembers so many.
        BadCount = "memory.bad_count" { most: usize },
        /// One decision keeps so many.
        TooMuch = "memory.too_much" { most: usize },
        /// All of it is kept already.
        NothingNew = "memory.nothing_new",
        /// Nothing was learnt yet that does not fade.
        NoCommonSense = "memory.no_common_sense" { space: Box<str>, entity: Box<str> },
    }
}
