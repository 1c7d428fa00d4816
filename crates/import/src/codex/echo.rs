//! Codex writes what its agent says twice: for the model (`response_item`) and for the screen (`event_msg`).
//!
//! The item is the truth. An event without an item is kept only where the turn is over: then none can come, as happens
//! where a person interrupts.

use crate::entries::Spot;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EchoSaid {
    /// A message.
    Message,
    /// A thought.
    Thinking,
}

/// How the screen shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EchoWay {
    /// An event of its own.
    Event,
    /// An item that was completed, from 0.169 on.
    Item,
}

/// A text on the screen whose item has not come.
#[derive(Debug, Clone)]
pub(super) struct Alone {
    /// What it is.
    pub said: EchoSaid,
    /// The text.
    pub text: String,
    /// Where the event stands.
    pub spot: Spot,
}

/// The two sides of one turn.
#[derive(Debug, Default)]
pub(super) struct Echo {
    events: Vec<Alone>,
    items: Vec<(EchoSaid, String)>,
    /// The way in which the turn shows what is said: where there are two, one is a copy of the other.
    way: Option<EchoWay>,
}

impl Echo {
    /// Takes an event; says whether its item was there already.
    pub(super) fn event(&mut self, said: EchoSaid, way: EchoWay, text: &str, spot: &Spot) -> Copied {
        if *self.way.get_or_insert(way) != way {
            return Copied::Yes;
        }
        let Some(index) = self.items.iter().position(|item| item.0 == said && item.1 == text) else {
            self.events.push(Alone { said, text: text.to_owned(), spot: spot.clone() });
            return Copied::NotYet;
        };
        // Taken out, so that the same words said twice in a turn are two messages.
        self.items.swap_remove(index);
        Copied::Yes
    }

    /// Takes a text of an item; gives the event that it makes a copy of, where one is waiting.
    pub(super) fn item(&mut self, said: EchoSaid, text: &str) -> Option<Alone> {
        let Some(index) = self.events.iter().position(|event| event.said == said && event.text == text) else {
            self.items.push((said, text.to_owned()));
            return None;
        };
        Some(self.events.remove(index))
    }

    /// Ends the turn: gives the events whose items never came.
    pub(super) fn settle(&mut self) -> Vec<Alone> {
        self.items.clear();
        self.way = None;
        std::mem::take(&mut self.events)
    }
}

/// Whether an event repeats an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    /// It does.
    Yes,
    /// The item has not come.
    NotYet,
}
