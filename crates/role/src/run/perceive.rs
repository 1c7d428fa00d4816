//! R1 in a task: the request is understood, or taken as it stands.

use super::{RunStage, TaskRun, Tries, Waiting};
use crate::bus::Party;
use crate::message::BusMessage;
use crate::perceiver;
use crate::plan::TaskSpec;

impl TaskRun {
    pub(super) fn ask_perceiver(&mut self) {
        let RunStage::Perceiving(tries) = &self.stage else { return };
        let key = format!("perceiver.{}", tries.asked + 1);
        let prompt = perceiver::question(&self.request);
        self.ask(key, Party::Perceiver, prompt, Waiting::Perceiver);
    }

    /// What could not be read is asked again, and in the end the person's words stand for themselves; at once, where they are
    /// the goal anyway.
    pub(super) fn perceived(&mut self, text: &str) {
        let RunStage::Perceiving(tries) = self.stage.clone() else { return };
        match perceiver::read(text, &self.request) {
            Ok(spec) => self.understood(spec),
            Err(_) if tries.asked >= self.setting.limits.max_unreadable || self.is_said_plainly() => {
                self.understood(perceiver::plain(&self.request));
            }
            Err(rejected) => {
                self.stage = RunStage::Perceiving(Tries::again(&tries, rejected));
                self.ask_perceiver();
            }
        }
    }

    fn is_said_plainly(&self) -> bool {
        perceiver::own_words(&self.request).is_some()
    }

    pub(super) fn understood(&mut self, spec: TaskSpec) {
        self.say(Party::Perceiver, Party::Planner, BusMessage::TaskSpec(spec.clone()));
        self.spec = Some(spec);
        self.ask_memory();
    }
}
