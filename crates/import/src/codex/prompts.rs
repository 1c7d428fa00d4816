//! A prompt of Codex stands in up to three records: for the model (`response_item`), and on the screen as `user_message`
//! or, from 0.169 on, as a completed `UserMessage`. It is one prompt.
//!
//! What was shown is the truth: the model's copy may have more in it. A copy that nothing shows by the end of its turn
//! is a prompt all the same. Remembers one turn.

use crate::entries::Spot;

/// Where a prompt is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PromptWay {
    /// An event of its own.
    Event,
    /// An item that was completed.
    Item,
}

/// The model's copy of a prompt.
#[derive(Debug)]
pub(super) struct Copy {
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub spot: Spot,
}

/// The prompts of a turn.
#[derive(Debug, Default)]
pub(super) struct Prompts {
    shown: Vec<(PromptWay, String)>,
    was_shown: bool,
    copies: Vec<Copy>,
}

/// Whether a prompt is shown for the first time.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// It is.
    First,
    /// The other way showed it before.
    Again,
}

impl Prompts {
    /// A prompt is shown; the copies before it are copies of it.
    pub(super) fn show(&mut self, way: PromptWay, text: &str) -> Shown {
        self.was_shown = true;
        let other = self.shown.iter().position(|(told, said)| *told != way && said == text);
        if let Some(index) = other {
            self.shown.swap_remove(index);
            return Shown::Again;
        }
        self.shown.push((way, text.to_owned()));
        Shown::First
    }

    /// The model is given a prompt.
    pub(super) fn copy(&mut self, text: String, spot: &Spot) {
        self.copies.push(Copy { text, spot: spot.clone() });
    }

    /// The copies of what was shown.
    pub(super) fn told(&mut self) -> Vec<Copy> {
        if self.was_shown { std::mem::take(&mut self.copies) } else { Vec::new() }
    }

    /// Ends the turn: gives the copies of what nothing showed.
    pub(super) fn settle(&mut self) -> Vec<Copy> {
        std::mem::take(self).copies
    }
}
