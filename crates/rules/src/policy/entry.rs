//! Who may act at all: a name must be proved where that is required, be in the roster, and the swarm be healthy.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::roster::event::Forged;
use crate::domain::roster::health::REQUIRE_TOKEN;
use crate::domain::{Ask, Asker, BadObservation, Command, Event, Rooms, RoomsDecided, access, config};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{self, Moment};
use annals_kernel::id::AgentId;

use super::conflicts::open_conflicts;
use super::refusal::Refusal;
use super::standing::{NOT_PROVED, who};

/// What the shell adds to any observation.
#[derive(Debug, Default, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
struct Proof {
    /// The SHA-256 of the token that the actor showed.
    #[serde(default)]
    proof: Option<Box<str>>,
    /// Whether the engine itself asks, because a record set it off.
    #[serde(default)]
    due: bool,
    /// Settings that weaken, where one is to be changed.
    #[serde(default)]
    weakening: Vec<Box<str>>,
    /// The seal that counts in the clone that asks, where it is not the log's; none: the actor has no token there.
    #[serde(default)]
    seals: BTreeMap<AgentId, Option<Box<str>>>,
    /// The agent in whose shell it is asked.
    #[serde(default)]
    shell: Option<Box<str>>,
}

impl Proof {
    /// The seal that counts for who asks.
    fn seal<'s>(&'s self, rooms: &'s Rooms, actor: &AgentId) -> Option<&'s str> {
        let known = rooms.roster.seals.get(actor).map(|seal| &**seal);
        self.seals.get(actor).map_or(known, Option::as_deref)
    }

    /// Whether who asks showed its token.
    fn is_shown(&self, rooms: &Rooms, actor: &AgentId) -> bool {
        self.seal(rooms, actor).is_some_and(|seal| self.proof.as_deref() == Some(seal))
    }
}

/// The agent in whose shell something is asked.
pub(super) fn shell_of(ask: &Ask) -> Option<Box<str>> {
    ask.observed::<Proof>().shell
}

/// What an agent does alone as well as in a swarm: keeping what it learnt, and voting on it, needs nobody who watches
/// over a discussion.
fn is_alone(command: &Command) -> bool {
    matches!(command, Command::Hivemind(_) | Command::Council(_) | Command::Knowledge(_))
}

/// Records of sessions and of what hooks saw need no proof: they change nothing that the swarm decides. A signature is
/// its own proof.
fn needs_proof(command: &Command) -> bool {
    !matches!(
        command,
        Command::Session(_)
            | Command::Access(access::Command::Attempt(_))
            | Command::Config(config::Command::Adopt(_))
            | Command::Signature(_)
    )
}

/// A name alone is not believed where tokens are required.
pub(super) fn proof(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    if !moment.settings.get(&REQUIRE_TOKEN) || !needs_proof(&ask.command) {
        return None;
    }
    let shown: Proof = ask.observed();
    // A user without a token is believed, but for what weakens: whoever says `--as user` could turn this very rule off.
    let is_believed = moment.standing == Standing::User && shown.seal(rooms, &moment.actor).is_none();
    if is_believed && !weakens(ask, &shown.weakening) {
        return None;
    }
    // The rules have no token, and need none: they act through policies, and by what the engine finds due.
    if shown.due && moment.standing == Standing::System || shown.is_shown(rooms, &moment.actor) {
        return None;
    }
    let forged = Forged { actor: moment.actor.clone(), command: ask.command.name().into() };
    // Once a day for each rule and name, so that whoever tries again and again does not fill the log.
    let is_news = rooms.roster.is_barred_anew(NOT_PROVED, &who(ask, moment), moment.at);
    Some(RoomsDecided {
        events: if is_news { vec![Event::Roster(forged.into())] } else { Vec::new() },
        refusal: Some(Refusal::NotProved { actor: moment.actor.clone() }.recorded()),
    })
}

/// In an agent's shell a name does not make anybody the user, whether tokens are required or not (decision 55).
pub(super) fn shell(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let shown: Proof = ask.observed();
    let shell = shown.shell.clone().filter(|_| moment.standing == Standing::User)?;
    (!shown.is_shown(rooms, &moment.actor)).then(|| Refusal::NotTheUserHere { shell }.into())
}

/// Whether what the shell adds can be read.
pub(super) fn check(ask: &Ask) -> Result<(), BadObservation> {
    ask.read::<Proof>().map(drop)
}

fn weakens(ask: &Ask, weakening: &[Box<str>]) -> bool {
    let Command::Config(command) = &ask.command else { return false };
    !weakening.is_empty() || matches!(command, config::Command::Accept(_))
}

/// Whether a command may be decided while it is open which lines count: what settles that, what takes a secret out, and
/// what hooks ask before an agent goes on.
fn is_decided_in_conflict(command: &Command) -> bool {
    matches!(command, Command::History(_) | Command::Erasure(_) | Command::Access(access::Command::Attempt(_)))
}

/// So many lines with one id a refusal names; the rest is a count.
// Thousands of lines with one id would otherwise be answered with gigabytes.
const NAMED: usize = 5;

/// Nothing is decided on a state of which it is not known what belongs to it (decision 44).
pub(super) fn conflict(rooms: &Rooms, ask: &Ask, _: &Moment<'_>) -> Option<RoomsDecided> {
    if rooms.history.conflicts.is_empty() || is_decided_in_conflict(&ask.command) {
        return None;
    }
    let (id, versions) = open_conflicts(rooms).next()?;
    let hashes = versions.iter().take(NAMED).copied().collect();
    Some(Refusal::ConflictOpen { id, versions: versions.len(), hashes }.into())
}

/// A clock that is given makes every time in the log a claim: it holds from the first entry on, or never (decision 46).
pub(super) fn clock(rooms: &Rooms, ask: &Ask, _: &Moment<'_>) -> Option<RoomsDecided> {
    let is_asked = matches!(ask.command, Command::Config(config::Command::GiveClock(_)));
    let entries = rooms.session.totals.entries;
    (is_asked && entries > 0).then(|| Refusal::ClockTooLate { entries }.into())
}

/// Only agents of the roster act in a swarm.
pub(super) fn membership(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    // Where nobody made a roster, an agent is a member by its program's name.
    let is_alone = || rooms.roster.agents.is_empty() && shell_of(ask).as_deref() == Some(moment.actor.as_str());
    let is_stranger = moment.standing == Standing::Stranger && ask.command.asker() == Asker::Member && !is_alone();
    is_stranger.then(|| Refusal::NotAMember { actor: moment.actor.clone() }.into())
}

/// No agent acts in a swarm without oversight (control-room 2.1).
pub(super) fn health(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    if !moment.standing.is_agent() || ask.command.asker() != Asker::Member || is_alone(&ask.command) {
        return None;
    }
    let unhealthy = rooms.roster.health(moment.settings).err()?;
    Some(RoomsDecided { events: Vec::new(), refusal: Some(decision::Refusal::of(unhealthy.rule(), &unhealthy)) })
}
