//! To whom knowledge may be told: of who is not trusted, nobody else is any business.
//!
//! Knows what an entry says it is about, and no meaning: a person who is only named in its words is nobody to it.

use super::entity::key;
use super::row::{KnowledgeKind, KnowledgeText};
use annals_kernel::actor::USER;

/// To whom it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnowledgeListener<'l> {
    /// Who may hear all of it.
    Trusted,
    /// Who may hear what is about nobody, and what is about themselves where it is known who they are.
    Untrusted {
        /// Who they are, where that is more than a claim.
        name: Option<&'l str>,
    },
}

impl KnowledgeListener<'_> {
    /// Whether an entry may be told. What somebody likes is about the person where it does not say whom it is about.
    pub(super) fn may_hear(self, said: &KnowledgeText) -> bool {
        let Self::Untrusted { name } = self else { return true };
        let likes = (said.kind == KnowledgeKind::Preference).then_some(USER);
        let Some(about) = said.about.as_deref().or(likes).map(key) else { return true };
        *about != *USER && name.is_some_and(|name| key(name) == about)
    }
}
