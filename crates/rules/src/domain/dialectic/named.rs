//! A task as somebody names it: by its text, by its id, which stands for what is known of it, or by a session that is at it.
//!
//! Of what is named by its id the beginning of the text is known; an id that nobody knows names nothing.

use super::identity::{canonical, is_id, own_id};
use super::state::State;
use annals_kernel::id::SessionId;

/// A task that somebody names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its own id, whatever it was joined to.
    pub id: Box<str>,
    /// Its text; of what was named by its id, or is long ago, the beginning.
    pub text: Box<str>,
    /// The same without what makes no difference.
    pub canonical: Box<str>,
}

impl State {
    /// A task by its text or id; none where no word is left of the text, or nobody knows the id.
    pub fn named(&self, task: &str) -> Option<Named> {
        let id = own_id(task)?;
        if !is_id(task) {
            return Some(Named { id, text: task.into(), canonical: canonical(task).into() });
        }
        let known = self.links(&id).filter_map(|id| self.task(&id)).find(|known| !known.summary.is_empty())?;
        Some(Named { id, text: known.summary.clone(), canonical: known.canonical.clone() })
    }

    /// What the last prompt of a session asked for.
    pub fn asked_in(&self, session: &SessionId) -> Option<Named> {
        let trail = self.trails.get(session.as_str()).filter(|trail| !trail.task.is_empty())?;
        Some(Named { id: trail.task.clone(), text: trail.summary.clone(), canonical: trail.canonical.clone() })
    }
}
