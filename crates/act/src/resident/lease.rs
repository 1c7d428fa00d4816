//! One process has an agent: it takes it, keeps it and lets it go (decision 69).
//!
//! The lock within a clone is the caller's matter; what a process that is gone had, and left undone, is seen to here.

use annals_engine::By;
use annals_kernel::id::EntryId;
use annals_kernel::json::Json;
use annals_rules::domain::resident::command::{Release, Take};
use annals_rules::domain::resident::settings::LEASE_MS;
use annals_rules::domain::resident::{self as room};

use super::host::{Host, HostError, kept};
use super::inbox::Inbox;
use super::record::session_of;

impl Host {
    /// Takes the agent with this clone's lock in hand: another process of the clone that has it by its lease is gone, whichever
    /// that was. Answers that it did not come to deliver are brought to their channels.
    pub fn take_locked(&self) -> Result<(), HostError> {
        self.take(self.gone()?)?;
        self.deliver_left()
    }

    /// Takes the agent, or keeps it. `gone` is a process of this clone that is known to have died.
    pub(super) fn take(&self, gone: Option<Box<str>>) -> Result<(), HostError> {
        let observed = Json::of(&room::Observed { gone });
        let by = By::new("system", session_of(&self.agent));
        kept(self.engine.decide(room::Command::from(self.taking()), &observed, &by)?).map(drop)
    }

    /// Who of this clone has the agent by its lease, and is not this process.
    fn gone(&self) -> Result<Option<Box<str>>, HostError> {
        let is_of_here = |owner: &str| owner != &*self.owner && room::clone_of(owner) == room::clone_of(&self.owner);
        let owner = self.engine.ask(|world| {
            let lease = world.rooms.resident.agent(&self.agent).and_then(|row| row.lease.as_ref());
            lease.map(|lease| lease.owner.clone())
        })?;
        Ok(owner.filter(|owner| is_of_here(owner)))
    }

    /// Brings what this clone answered, and did not come to deliver, to the channels that have a handler.
    fn deliver_left(&self) -> Result<(), HostError> {
        let left = Inbox::ask(&self.engine, |inbox| inbox.undelivered(&self.agent))?;
        for (id, message) in left {
            let answer = message.answer.clone().unwrap_or_default();
            self.deliver(id, &message, &answer)?;
        }
        Ok(())
    }

    /// Takes the agent from a process whose lease still holds; the person alone may.
    pub fn take_over(&self, from: &str, by: &By) -> Result<(), HostError> {
        let take = Take { take_over: Some(from.into()), ..self.taking() };
        kept(self.engine.decide(room::Command::from(take), &Json::empty_object(), by)?).map(drop)
    }

    fn taking(&self) -> Take {
        let (agent, owner) = (self.agent.clone(), self.owner.clone());
        Take { agent, owner, ttl_ms: self.engine.settings().get(&LEASE_MS), take_over: None }
    }

    /// Messages that another clone brought, and that wait for the person.
    pub fn from_elsewhere(&self) -> Result<Vec<EntryId>, HostError> {
        Ok(Inbox::ask(&self.engine, |inbox| inbox.from_elsewhere(&self.agent))?)
    }

    /// Takes the agent once more where its time is half over, so that nobody else does.
    pub fn keep(&self) -> Result<(), HostError> {
        let now = self.engine.clock().now();
        let half = i64::try_from(self.engine.settings().get(&LEASE_MS) / 2).unwrap_or(i64::MAX);
        let is_fresh = self.engine.ask(|world| {
            let lease = world.rooms.resident.agent(&self.agent).and_then(|row| row.lease.as_ref());
            lease.is_some_and(|lease| lease.owner == self.owner && now.plus_millis(half) < lease.until)
        })?;
        if is_fresh { Ok(()) } else { self.take(None) }
    }

    /// Lets the agent go.
    pub fn release(&self) -> Result<(), HostError> {
        let release = Release { agent: self.agent.clone(), owner: self.owner.clone() };
        self.decide(room::Command::from(release)).map(drop)
    }
}
