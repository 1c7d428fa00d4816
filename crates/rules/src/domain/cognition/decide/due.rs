//! What the engine finds due, and what a person answers: announcements, firings, the tone of the critic.

use super::super::command::{Announce, Answer, Conclude, Fire, FiringVerdict, Judge, SetTone};
use super::super::critic::ToneReason;
use super::super::event::{
    Event, FlowEntered, FlowExited, MetacognitionUpdated, ModeActivated, SpinDetected, ToneChanged, TriggerAccepted,
    TriggerDenied, TriggerFired,
};
use super::super::gate::Standing;
use super::super::limits::{CognitionLimits, GATE, PER_TRIGGER, TONE_BY_USER, TONE_UP_BY_USER};
use super::super::mind::{Firing, MindRule, What};
use super::super::refusal::{Refusal, Thing};
use super::super::trigger::AnalysisMode;
use super::{DecideCase, Decided, over};
use annals_kernel::actor;
use annals_kernel::id::EntryId;

impl DecideCase<'_> {
    fn only_system(&self) -> Result<(), Refusal> {
        let is_system = self.moment.standing == actor::Standing::System;
        if is_system { Ok(()) } else { Err(Refusal::OnlySystem) }
    }

    fn not_yet(&self, rule: MindRule, cause: EntryId) -> Result<(), Refusal> {
        if self.mind.has_done(rule, cause) { Err(Refusal::happened(rule, cause)) } else { Ok(()) }
    }

    pub(super) fn announce(&self, announce: &Announce) -> Decided {
        self.only_system()?;
        let (session, cause) = (self.session.clone(), announce.cause);
        let event: Event = match &announce.what {
            Some(What::Spin(action_count)) => {
                self.not_yet(MindRule::Spin, cause)?;
                SpinDetected { session, action_count: *action_count, cause }.into()
            }
            Some(What::FlowEntered(conditions)) => {
                self.not_yet(MindRule::FlowEntered, cause)?;
                FlowEntered { session, conditions: conditions.clone(), cause }.into()
            }
            Some(What::FlowExited(reason)) => {
                self.not_yet(MindRule::FlowExited, cause)?;
                FlowExited { session, reason: reason.clone(), cause }.into()
            }
            Some(What::Trigger(..)) => return Err(Refusal::NothingSaid),
            None => {
                self.not_yet(MindRule::Snapshot, cause)?;
                let state = self.mind.metacognition(&CognitionLimits::of(self.moment.settings));
                MetacognitionUpdated { session, state }.into()
            }
        };
        Ok(vec![event])
    }

    /// A trigger fires once for a cause (DESIGN 1); who is asked is the gate's to say (AFS 5.4).
    pub(super) fn fire(&self, fire: &Fire) -> Decided {
        self.only_system()?;
        let settings = self.moment.settings;
        let limits = CognitionLimits::of(settings);
        let found = limits.triggers.iter().find(|trigger| trigger.id == fire.trigger);
        let not_there = || Refusal::NotThere { thing: Thing::Trigger, id: fire.trigger.clone() };
        let trigger = found.ok_or_else(not_there)?;
        if self.mind.firing_of(&trigger.id, fire.cause).is_some() {
            return Err(Refusal::Happened { rule: trigger.id.clone(), cause: fire.cause });
        }
        let own = settings.get(&PER_TRIGGER).get(&trigger.id).and_then(|own| own.gate);
        let standing = settings.get(&GATE).judge(own, trigger.auto_accept);
        let firing = Firing {
            id: self.moment.id,
            trigger: trigger.id.clone(),
            cause: fire.cause,
            at: self.moment.at,
            measured: fire.measured.clone(),
            mode: trigger.mode,
            priority: trigger.priority,
            standing,
            by: None,
            concluded: None,
            found: None,
            judged: None,
        };
        let (mode, id) = (firing.mode, firing.id);
        let fired = TriggerFired { session: self.session.clone(), firing }.into();
        let on = (standing == Standing::Accepted).then(|| self.activated(mode, id));
        Ok(std::iter::once(fired).chain(on).collect())
    }

    fn activated(&self, mode: AnalysisMode, firing: EntryId) -> Event {
        ModeActivated { session: self.session.clone(), mode, firing }.into()
    }

    fn only_user(&self) -> Result<(), Refusal> {
        let leads = self.moment.standing.is_lead() && self.moment.standing != actor::Standing::System;
        if leads { Ok(()) } else { Err(Refusal::OnlyUser) }
    }

    pub(super) fn answer(&self, answer: &Answer) -> Decided {
        self.only_user()?;
        let (session, id) = (self.session.clone(), answer.firing);
        let text = id.to_string();
        let not_there = || Refusal::NotThere { thing: Thing::Firing, id: text.as_str().into() };
        let firing = self.mind.firing(id).ok_or_else(not_there)?;
        if firing.standing != Standing::Pending {
            return over(Thing::Firing, &text, firing.standing.as_str());
        }
        Ok(match answer.verdict {
            FiringVerdict::Accept => {
                vec![TriggerAccepted { session, firing: id }.into(), self.activated(firing.mode, id)]
            }
            FiringVerdict::Deny => vec![TriggerDenied { session, firing: id }.into()],
        })
    }

    /// What an accepted firing called for has been looked at: said once for a firing.
    pub(super) fn conclude(&self, conclude: &Conclude) -> Decided {
        self.only_system()?;
        let text = conclude.firing.to_string();
        let not_there = || Refusal::NotThere { thing: Thing::Firing, id: text.as_str().into() };
        let firing = self.mind.firing(conclude.firing).ok_or_else(not_there)?;
        if firing.concluded.is_some() {
            return Err(Refusal::Happened { rule: firing.trigger.clone(), cause: firing.id });
        }
        if firing.standing != Standing::Accepted {
            return over(Thing::Firing, &text, firing.standing.as_str());
        }
        Ok(vec![conclude.event(firing).into()])
    }

    /// A model was asked of what an accepted firing called for: the person's to say, once for a firing.
    pub(super) fn judge(&self, judge: &Judge) -> Decided {
        self.only_user()?;
        judge.check()?;
        let text = judge.firing.to_string();
        let not_there = || Refusal::NotThere { thing: Thing::Firing, id: text.as_str().into() };
        let firing = self.mind.firing(judge.firing).ok_or_else(not_there)?;
        if firing.standing != Standing::Accepted {
            return over(Thing::Firing, &text, firing.standing.as_str());
        }
        if firing.judged.is_some() {
            return Err(Refusal::Happened { rule: firing.trigger.clone(), cause: firing.id });
        }
        let word = self.observed.model.as_ref().filter(|word| *word.purpose == *firing.mode.as_str());
        let word = word.ok_or(Refusal::NoModelWord { mode: firing.mode })?;
        Ok(vec![judge.event(firing, &word.model).into()])
    }

    /// The rules by a cause, once; the user where the configuration lets them.
    pub(super) fn set_tone(&self, set: &SetTone) -> Decided {
        let settings = self.moment.settings;
        let limits = CognitionLimits::of(settings);
        let from = self.mind.tone(&limits);
        match (set.reason, set.cause) {
            (ToneReason::User, None) => {
                self.only_user()?;
                let is_harsher = set.tone > from;
                if !settings.get(&TONE_BY_USER) {
                    return Err(Refusal::Held { setting: "analysis.critic.allow_user_override" });
                }
                if is_harsher && !settings.get(&TONE_UP_BY_USER) {
                    return Err(Refusal::Held { setting: "analysis.critic.allow_user_escalation" });
                }
            }
            (ToneReason::Anxiety | ToneReason::Frustrations | ToneReason::Stable, Some(cause)) => {
                self.only_system()?;
                self.not_yet(MindRule::Tone, cause)?;
            }
            (ToneReason::User, Some(_))
            | (ToneReason::Anxiety | ToneReason::Frustrations | ToneReason::Stable, None) => {
                return Err(Refusal::OnlySystem);
            }
        }
        if set.tone == from {
            return Err(Refusal::SameTone { tone: from });
        }
        let (session, to, reason, cause) = (self.session.clone(), set.tone, set.reason, set.cause);
        Ok(vec![ToneChanged { session, from, to, reason, cause }.into()])
    }
}
