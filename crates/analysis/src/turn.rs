//! Turns: what a person asked, and everything until the next question.

use super::step::{Call, Step, Stop, What};
use super::text::own_words;
use annals_kernel::call::{CallKind, only_saves};
use annals_kernel::pattern::Pattern;

/// What a person asked, and what came of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'s> {
    /// The step that asks; a session may begin without one.
    pub asked: Option<&'s Step>,
    /// Everything after it, up to the next question.
    pub steps: &'s [Step],
    /// Whether the person took the question back with the next one.
    pub is_withdrawn: bool,
}

/// The turns of a session, in order.
pub(crate) fn turns(steps: &[Step]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for group in steps.chunk_by(|_, next| next.prompt().is_none()) {
        let asked = group.first().filter(|first| first.prompt().is_some());
        let steps = if asked.is_some() { &group[1..] } else { group };
        if let Some(before) = turns.last_mut() {
            before.is_withdrawn = asked.and_then(Step::prompt).is_some_and(withdraws);
        }
        turns.push(Turn { asked, steps, is_withdrawn: false });
    }
    turns
}

/// A message is taken back in its first characters, if at all.
const FIRST_CHARACTERS: usize = 200;

static WITHDRAWS: Pattern = Pattern::made(|| {
    let sorry = r"\A\W*(?:(?:oh|ah|oops|whoops|sorry|apologies|my bad|no)\W+)*(?:(?:that|this|it) was (?:meant )?(?:for |in )?)?(?:the |a )?wrong (?:chat|window|session|tab|terminal|thread|conversation|agent)\b";
    let ignore = r"(?:^|[.!?,;\n]\s*)(?:please |sorry,? )*(?:ignore|disregard|forget|scratch) (?:(?:my |the |that |this )?(?:last|previous|prior|earlier) (?:message|prompt|question|request|one)|(?:that|this|my) (?:message|prompt))\b";
    format!("(?i){sorry}|{ignore}")
});

/// Whether a prompt takes the one before it back.
pub(super) fn withdraws(prompt: &str) -> bool {
    WITHDRAWS.is_match(&own_words(prompt, FIRST_CHARACTERS))
}

impl<'s> Turn<'s> {
    /// What was asked.
    pub(crate) fn prompt(&self) -> Option<&'s str> {
        self.asked?.prompt()
    }

    /// The calls of the turn, with their steps.
    pub(crate) fn calls(&self) -> impl DoubleEndedIterator<Item = (&'s Step, &'s Call)> + use<'s> {
        self.steps.iter().filter_map(|step| Some((step, step.call()?)))
    }

    /// The last thing that an agent said in it.
    pub(crate) fn last_word(&self) -> Option<(&'s Step, &'s str)> {
        self.steps.iter().rev().find_map(|step| Some((step, step.said()?)))
    }

    /// Whether an agent said something, and was not stopped before it did. A call is no answer.
    pub(crate) fn is_answered(&self) -> bool {
        // Whatever came first counts: what is said after a stop answers the stop.
        let is_stop = |step: &Step| matches!(step.what, What::Stopped(Stop::Interrupted));
        let first = self.steps.iter().find(|step| step.said().is_some() || is_stop(step));
        first.is_some_and(|step| step.said().is_some())
    }

    /// Whether the agent has come to an end of it: it spoke last. Else it was stopped, the next prompt came while it worked, or
    /// the record ends before it does.
    pub(crate) fn has_ended(&self) -> bool {
        let is_heard = |step: &&Step| matches!(step.what, What::Said(_) | What::Called(_) | What::Stopped(_));
        // Calls that only carry out what the last message wrote belong to it.
        let carries_out = |call: &Call| call.kind == CallKind::Edit || only_saves(&call.tool);
        let heard = || self.steps.iter().rev().filter(is_heard);
        let carried = heard().take_while(|step| step.call().is_some_and(carries_out)).count();
        let Some(last) = heard().nth(carried) else { return carried == 0 };
        last.said().is_some_and(|text| carried == 0 || text.contains("<<<<<<< SEARCH"))
    }

    /// Whether an agent said or did anything.
    pub(crate) fn is_worked_on(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.what, What::Said(_) | What::Called(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{interrupt, prompt, ran, said, session};

    #[test]
    fn only_what_was_said_before_a_stop_is_an_answer() {
        let cases = [
            (vec![said("Yes.")], true),
            (vec![ran("ls", ""), said("Yes.")], true),
            (vec![said("Let me see."), interrupt()], true),
            (vec![ran("ls", "")], false),
            (vec![ran("ls", ""), interrupt(), said("Stopped.")], false),
            (Vec::new(), false),
        ];
        for (mut steps, expected) in cases {
            steps.insert(0, prompt("Is it done?"));
            let record = session(&steps);
            assert_eq!(turns(&record.steps)[0].is_answered(), expected, "{steps:?}");
        }
    }

    #[test]
    fn both_engines_find_what_is_taken_back() {
        for text in
            ["wrong window, sorry", "Ignore the previous message", "é: forget that prompt", "", "no, oops wrong chat"]
        {
            assert!(WITHDRAWS.finds_alike(text), "{text}");
        }
    }

    #[test]
    fn a_question_can_be_taken_back() {
        let steps = [prompt("Bake a pie."), prompt("wrong window, sorry"), prompt("Ignore the first warning.")];
        let record = session(&steps);
        let withdrawn: Vec<_> = turns(&record.steps).iter().map(|turn| turn.is_withdrawn).collect();
        assert_eq!(withdrawn, [true, false, false]);
    }
}
