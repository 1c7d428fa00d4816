//! The machine that notices what calls for a look: conditions that begin to hold, spinning, flow (AFS 4.2, 5.3).
//!
//! The fold, a decision and `annals triggers` run it. Fires nothing itself: what fires is due.

use std::fmt;

use super::amount::Amount;
use super::limits::CognitionLimits;
use super::metacognition::{Brief, Obstacle};
use super::mind::{Change, ConditionFate, Edge, MOST_PENDING, Measured, Mind, Pending, What};
use super::trigger::{Condition, SessionMetric, Trigger};
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_kernel::unchecked::is_said_unfinished;

/// Why the flow is left.
enum Leaving {
    /// Something is in its way.
    Obstacle(Obstacle),
    /// A person has decided so.
    Stopped,
}

impl fmt::Display for Leaving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obstacle(obstacle) => obstacle.fmt(f),
            Self::Stopped => f.write_str("a person stopped it"),
        }
    }
}

/// A condition that has begun to hold, before it is known what becomes of it.
struct NewEdge<'e> {
    trigger: &'e Trigger,
    measured: Measured,
    cause: EntryId,
    at: Timestamp,
}

impl NewEdge<'_> {
    fn pending(&self) -> Pending {
        let what = What::Trigger(self.trigger.id.clone(), self.measured.clone());
        Pending { what, cause: self.cause, at: self.at }
    }
}

impl Mind {
    /// What a change sets off: conditions that have begun to hold. Those that fire are due; whoever listens hears all.
    pub(super) fn changed(&mut self, change: &Change<'_>, limits: &CognitionLimits, mut heard: Option<&mut Vec<Edge>>) {
        (self.last, self.at) = (change.cause, change.at);
        self.since.get_or_insert(change.at);
        self.spin(change, limits);
        let brief = self.brief(limits);
        self.flow(change, limits, brief.obstacle(limits).map(Leaving::Obstacle));
        for (place, trigger) in limits.triggers.iter().enumerate() {
            let Some(measured) = self.begins(place, trigger, change, limits, &brief) else {
                if trigger.waits_for_turn_end() && !self.holding.contains(&trigger.id) {
                    self.late.retain(|late| late.what.trigger() != Some(&*trigger.id));
                }
                continue;
            };
            let edge = NewEdge { trigger, measured, cause: change.cause, at: change.at };
            if trigger.waits_for_turn_end() {
                self.late.push(edge.pending());
            } else {
                self.settle(&edge, heard.as_deref_mut());
            }
        }
    }

    /// A condition has begun to hold: whoever listens hears of it, and where it may fire it is due.
    fn settle(&mut self, edge: &NewEdge<'_>, heard: Option<&mut Vec<Edge>>) {
        let fate = self.fate(edge.trigger, edge.at);
        if let Some(heard) = heard {
            let NewEdge { trigger, measured, cause, at } = edge;
            heard.push(Edge { trigger: trigger.id.clone(), cause: *cause, at: *at, measured: measured.clone(), fate });
        }
        if fate == ConditionFate::Fires {
            self.push(edge.pending());
        }
    }

    /// A person stopped the turn: what was to be judged at its end was not brought to one, and begins to hold anew.
    pub(super) fn turn_stopped(&mut self) {
        for late in std::mem::take(&mut self.late) {
            if let Some(trigger) = late.what.trigger() {
                self.holding.remove(trigger);
            }
        }
    }

    /// The agent says something. Where it says that nothing was run, the person knows: what is to be judged at the end of the
    /// turn begins to hold anew with the next call.
    pub(super) fn spoke(&mut self, text: impl FnOnce() -> String) {
        self.watch.said = true;
        if !self.late.is_empty() && is_said_unfinished(&text()) {
            self.turn_stopped();
        }
    }

    /// The turn is over: what was to be judged then is.
    pub(super) fn turn_ended(&mut self, limits: &CognitionLimits, mut heard: Option<&mut Vec<Edge>>) {
        for late in std::mem::take(&mut self.late) {
            let What::Trigger(id, measured) = late.what else { continue };
            let trigger = limits.triggers.iter().find(|trigger| trigger.id == id);
            if let Some(trigger) = trigger {
                let edge = NewEdge { trigger, measured, cause: late.cause, at: late.at };
                self.settle(&edge, heard.as_deref_mut());
            }
        }
    }

    fn push(&mut self, pending: Pending) {
        if self.pending.len() < MOST_PENDING {
            self.pending.push(pending);
        }
    }

    /// What was measured, where a condition begins to hold with this change.
    fn begins(
        &mut self,
        place: usize,
        trigger: &Trigger,
        change: &Change<'_>,
        limits: &CognitionLimits,
        brief: &Brief,
    ) -> Option<Measured> {
        let fits = || {
            let pattern = limits.patterns.get(&place)?;
            change.text.filter(|text| pattern.is_match(text)).map(drop)
        };
        match &trigger.condition {
            Condition::Threshold { all } => {
                let value = |metric| self.value(metric, limits, brief);
                let held = self.holding.iter().any(|id| *id == trigger.id);
                let holds = all.iter().all(|bound| value(bound.metric).is_some_and(|value| bound.holds(value)));
                if held == holds {
                    return None;
                }
                if held {
                    self.holding.remove(&trigger.id);
                    return None;
                }
                let measured = all.iter().filter_map(|bound| Some((bound.metric, value(bound.metric)?))).collect();
                self.holding.insert(trigger.id.clone());
                Some(measured)
            }
            Condition::Pattern { .. } => fits().map(|()| Measured::new()),
            Condition::Count { pattern, count, within_ms } => {
                let counts = if pattern.is_some() { fits().is_some() } else { change.spin.is_some() };
                counts.then(|| self.count(trigger, *count, *within_ms, change.at)).flatten()
            }
            Condition::Time { within_ms } => {
                let tally = self.tallies.get(&trigger.id).and_then(|tally| tally.last);
                let from = tally.or(self.since).unwrap_or(change.at);
                (change.at.since(from) >= *within_ms).then(Measured::new)
            }
        }
    }

    /// Counts an entry that fits; what was measured, where it is the last that was needed.
    fn count(&mut self, trigger: &Trigger, count: u32, within_ms: Option<u64>, at: Timestamp) -> Option<Measured> {
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        let tally = self.tallies.entry(trigger.id.clone()).or_default();
        tally.counted.push_back(at);
        while tally.counted.front().is_some_and(|first| within_ms.is_some_and(|within| at.since(*first) > within)) {
            tally.counted.pop_front();
        }
        let is_full = tally.counted.len() >= most;
        if is_full {
            tally.counted.clear();
        }
        is_full.then(|| Measured::from([(SessionMetric::CallCount, Amount::count(count))]))
    }

    /// Whether a trigger may fire; where it may, it has.
    fn fate(&mut self, trigger: &Trigger, at: Timestamp) -> ConditionFate {
        let tally = self.tallies.entry(trigger.id.clone()).or_default();
        if tally.count >= trigger.max_triggers_per_session {
            return ConditionFate::Spent;
        }
        if tally.last.is_some_and(|last| at.since(last) < trigger.cooldown_ms) {
            return ConditionFate::Cooling;
        }
        (tally.count, tally.last) = (tally.count + 1, Some(at));
        ConditionFate::Fires
    }

    fn spin(&mut self, change: &Change<'_>, limits: &CognitionLimits) {
        let begins = |before: u32| before < limits.spinning && self.watch.spin() >= limits.spinning;
        if limits.announce && change.spin.is_some_and(begins) {
            let what = What::Spin(self.watch.spin());
            self.push(Pending { what, cause: change.cause, at: change.at });
        }
    }

    /// A person stopped it: that ends the flow, and stands in the way of nothing.
    pub(super) fn stopped(&mut self, change: &Change<'_>, limits: &CognitionLimits) {
        self.flow(change, limits, Some(Leaving::Stopped));
    }

    /// Enters or leaves the state of flow.
    fn flow(&mut self, change: &Change<'_>, limits: &CognitionLimits, leaving: Option<Leaving>) {
        let what = match (self.flow, leaving) {
            (false, None) => What::FlowEntered(self.brief(limits).conditions()),
            (true, Some(leaving)) => What::FlowExited(leaving.to_string().into()),
            (false, Some(_)) | (true, None) => return,
        };
        self.flow = !self.flow;
        if limits.announce {
            // What was entered and left before anybody looked is nobody's news.
            let is_flow = |pending: &Pending| matches!(pending.what, What::FlowEntered(_) | What::FlowExited(_));
            let before = self.pending.len();
            self.pending.retain(|pending| !is_flow(pending));
            if self.pending.len() == before {
                self.push(Pending { what, cause: change.cause, at: change.at });
            }
        }
    }
}
