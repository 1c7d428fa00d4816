//! Turns: what a person asked, and everything until the next question.

use super::step::{Call, Step, What};

/// What a person asked, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'s> {
    /// The step that asks; a session may begin without one.
    pub asked: Option<&'s Step>,
    /// Everything after it, up to the next question.
    pub steps: &'s [Step],
}

/// The turns of a session, in order.
pub fn turns(steps: &[Step]) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    for group in steps.chunk_by(|_, next| next.prompt().is_none()) {
        match group.split_first() {
            Some((first, rest)) if first.prompt().is_some() => turns.push(Turn { asked: Some(first), steps: rest }),
            Some(_) | None => turns.push(Turn { asked: None, steps: group }),
        }
    }
    turns
}

impl<'s> Turn<'s> {
    /// What was asked.
    pub fn prompt(&self) -> Option<&'s str> {
        self.asked?.prompt()
    }

    /// The calls of the turn, with their steps.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (&'s Step, &'s Call)> + use<'s> {
        self.steps.iter().filter_map(|step| Some((step, step.call()?)))
    }

    /// The last thing that an agent said in it.
    pub fn last_word(&self) -> Option<(&'s Step, &'s str)> {
        self.steps.iter().rev().find_map(|step| Some((step, step.said()?)))
    }

    /// Whether an agent said or did anything.
    pub fn is_answered(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.what, What::Said(_) | What::Called(_)))
    }
}
