//! The player of councils: paid for a vote of somebody else's, for a second vote, for both sides of a debate, for votes
//! that are counted before all are in, for the last word, and for a council that waits for ever and nobody knows.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::council::Event as Council;
use annals::domain::council::command::{CouncilPurpose, CouncilSide};
use annals::domain::council::count::Choice;
use annals::domain::council::event::Means;
use annals::domain::council::{CouncilSession, CouncilStatus};
use annals::domain::notice::Matter;
use annals::domain::{Event, RoomsDecided};
use annals::kernel::actor::Standing;
use annals::kernel::time::Timestamp;
use serde_json::{Value, json};

use super::chance::Chance;
use super::table::{CROOKS, HONEST, Move, Table};
use super::{Family, never};
use crate::control::desk::REASONS;

/// What was seen of a council.
struct Seen {
    opened: Timestamp,
    hours: u32,
    quorum: u32,
    arbitrator: String,
    members: BTreeSet<Box<str>>,
    /// Whose hand gave which vote, for which seat.
    votes: BTreeMap<&'static str, (Box<str>, Choice)>,
    sides: BTreeMap<&'static str, CouncilSide>,
}

/// All that was seen.
pub(super) struct Councils(BTreeMap<Box<str>, Seen>);

impl Family for Councils {
    fn begin(chance: &mut Chance) -> (Table, Self) {
        let names = ["anna", "bert", "carl", "dora", "erik", "critic", "ghost", "lea"];
        let mut seats: Vec<&str> = Vec::new();
        for _ in 0..6 {
            let name = chance.one(&names);
            if !seats.contains(&name) {
                seats.push(name);
            }
        }
        let size = 2 + chance.below(3);
        let table = Table::new(&[
            ("hivemind.council.quorum", json!(1)),
            ("hivemind.council.council_agents", json!(seats)),
            ("hivemind.council.council_size", json!(size)),
            ("hivemind.council.quorum", json!(1 + chance.below(size.min(seats.len())))),
            ("hivemind.council.arbitrator", json!(chance.one(&["user", "carl", "anna", "ghost"]))),
        ]);
        (table, Self(BTreeMap::new()))
    }

    fn next(&mut self, table: &Table, chance: &mut Chance) -> Move {
        let hand = if chance.happens(60) { chance.one(&CROOKS) } else { chance.one(&HONEST) };
        if hand == "user" && chance.happens(20) {
            return roster_move(chance);
        }
        let all: Vec<(&Box<str>, &CouncilSession)> = table.rooms().council.sessions.iter().collect();
        let of: Vec<_> = all.iter().filter(|(_, session)| session.status.is_open() || chance.happens(5)).collect();
        if of.len() < 3 && chance.happens(20) || of.is_empty() {
            return Move::of(hand, "council.session.open", opening(chance)).dealt(chance);
        }
        let (id, session) = chance.one(&of);
        let (name, fields) = about(id, session, chance);
        let awaited =
            CROOKS.iter().chain(&HONEST).copied().filter(|name| session.awaited().any(|member| member == *name));
        let awaited: Vec<_> = awaited.collect();
        if name == "council.vote.give" && !awaited.is_empty() && chance.happens(50) {
            let own = json!({ "council": id, "vote": fields["vote"], "confidence": 0.8, "rationale": REASONS });
            return Move::of(chance.one(&awaited), name, own);
        }
        Move::of(hand, name, fields).dealt(chance)
    }

    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        decided.events.iter().try_for_each(|event| match event {
            Event::Council(event) => self.event(table, mv, event),
            _ => Ok(()),
        })
    }

    fn end(&mut self, table: &mut Table) -> Result<(), String> {
        known_to_somebody(table)?;
        table.wait(24 * 60);
        table.react();
        let is_waiting = |status: CouncilStatus| matches!(status, CouncilStatus::Voting | CouncilStatus::Debating);
        let waits =
            |session: &CouncilSession| is_waiting(session.status) && session.purpose != CouncilPurpose::Architecture;
        let mut all = table.rooms().council.sessions.iter();
        let waiting = all.find(|(_, session)| waits(session)).map(|(id, _)| id.clone());
        if let Some(id) = waiting {
            return Err(format!("council {id} waits for others than a lead two months later"));
        }
        known_to_somebody(table)
    }
}

fn roster_move(chance: &mut Chance) -> Move {
    let agent = chance.one(&["carl", "dora", "erik", "bert"]);
    let duty = chance.one(&["active", "active", "retired"]);
    Move::of("user", "roster.agent.change", json!({ "agent": agent, "duty": duty }))
}

fn opening(chance: &mut Chance) -> Value {
    let purpose = chance.one(&["conflict", "conflict", "decay_promotion", "architecture"]);
    let key = format!("key {}", chance.below(60));
    json!({ "purpose": purpose, "key": key, "reason": REASONS, "current": "four days", "proposed": "five days" })
}

fn about(id: &str, session: &CouncilSession, chance: &mut Chance) -> (&'static str, Value) {
    let member = session.members().first().map_or("carl", |member| &**member).to_owned();
    let names = ["anna", "bert", "carl", "critic", "writer", "user", &member];
    let decision = chance.one(&[Value::Null, json!("approve"), json!("reject")]);
    let is_debate = session.status == CouncilStatus::Debating;
    match chance.below(if is_debate { 8 } else { 6 }) {
        0..=2 => {
            let seat = if chance.happens(50) { Value::Null } else { chance.one(&names).into() };
            let vote = chance.one(&["approve", "reject", "abstain"]);
            let give = json!({ "council": id, "member": seat, "vote": vote, "confidence": 0.8, "rationale": REASONS });
            ("council.vote.give", give)
        }
        3 => {
            let synthesis = if decision.is_null() { Value::Null } else { REASONS.into() };
            let resolve = json!({ "council": id, "decision": decision, "synthesis": synthesis });
            ("council.session.resolve", resolve)
        }
        4 => {
            let answer = chance.one(&["approve", "reject", "more_info"]);
            ("council.session.confirm", json!({ "council": id, "answer": answer, "note": REASONS }))
        }
        5 => {
            let (pro, con) = (chance.one(&names), chance.one(&names));
            let both = json!({ "council": id, "pro_argument": REASONS, "con_argument": REASONS, "pro_agent": pro, "con_agent": con });
            ("council.debate.argue", both)
        }
        _ => {
            let side = chance.one(&["pro", "con"]);
            ("council.argument.give", json!({ "council": id, "side": side, "argument": REASONS }))
        }
    }
}

impl Councils {
    fn event(&mut self, table: &Table, mv: &Move, event: &Council) -> Result<(), String> {
        let now = table.desk.time();
        if let Council::Created(created) = event {
            let rules = &created.config;
            let seen = Seen {
                opened: now,
                hours: rules.voting_hours.unwrap_or(24),
                quorum: rules.quorum,
                arbitrator: rules.arbitrator.to_string(),
                members: BTreeSet::new(),
                votes: BTreeMap::new(),
                sides: BTreeMap::new(),
            };
            self.0.insert(created.council.clone(), seen);
            return Ok(());
        }
        let seen = self.0.get_mut(event.council()).ok_or("an event of a council that nobody called")?;
        match event {
            Council::Manned(manned) => {
                seen.members = manned.members.iter().cloned().collect();
                Ok(())
            }
            Council::Cast(cast) => seen.voted(mv, &cast.member, cast.vote),
            Council::Pleaded(pleaded) => {
                never(pleaded.plea.agent.as_ref() != mv.hand, "somebody was made to speak")?;
                let before = seen.sides.insert(mv.hand, pleaded.plea.side);
                never(before.is_some_and(|side| side != pleaded.plea.side), "one voice on both sides")
            }
            Council::Argued(_) => Err("a round was made by one hand".into()),
            Council::Resolved(resolved) => seen.ended(mv, resolved.by, now),
            Council::Tied(_) => {
                let is_early = !seen.may_count(mv, now) && !seen.is_hopeless();
                never(is_early, "a tie was called before all had voted")
            }
            Council::Created(_)
            | Council::DebateOpened(_)
            | Council::Requested(_)
            | Council::Informed(_)
            | Council::Lapsed(_) => Ok(()),
        }
    }
}

impl Seen {
    fn voted(&mut self, mv: &Move, member: &str, vote: Choice) -> Result<(), String> {
        never(member != mv.hand, format!("{} voted as {member}", mv.hand))?;
        never(!self.members.contains(member), format!("{member} is no member"))?;
        never(self.votes.insert(mv.hand, (member.into(), vote)).is_some(), "a second vote of one hand")
    }

    fn has_voted(&self, member: &str) -> bool {
        self.votes.values().any(|(seat, _)| **seat == *member)
    }

    /// Whether votes may be counted now; where somebody has left the roster, by whoever takes it out.
    fn may_count(&self, mv: &Move, now: Timestamp) -> bool {
        let until = self.opened.plus_millis(i64::from(self.hours) * 3_600_000);
        let are_all_in = self.members.iter().all(|member| self.has_voted(member));
        are_all_in || now >= until || mv.is_leads()
    }

    fn voices(&self) -> usize {
        self.votes.values().filter(|(_, vote)| *vote != Choice::Abstain).count()
    }

    /// Whether no quorum can come about any more.
    fn is_hopeless(&self) -> bool {
        let awaited = self.members.iter().filter(|member| !self.has_voted(member)).count();
        self.voices() + awaited < usize::try_from(self.quorum).expect("few")
    }

    fn ended(&self, mv: &Move, by: Means, now: Timestamp) -> Result<(), String> {
        let voices = self.voices();
        let quorum = usize::try_from(self.quorum).expect("few").min(self.members.len().max(1));
        match by {
            Means::Votes => {
                never(!self.may_count(mv, now), "votes were counted before all had voted")?;
                never(voices < quorum, format!("{voices} voices decided, {quorum} are a quorum"))
            }
            Means::Arbitration => never(!mv.is_leads() && self.arbitrator != mv.hand, "whoever came by ended a debate"),
            Means::LastWord => never(!mv.is_leads(), "whoever came by had the last word"),
            Means::Confirmation => never(mv.hand != "user", "somebody answered for the user"),
        }
    }
}

/// Each open council waits for somebody who is there and was told, or who is asked in its brief.
fn known_to_somebody(table: &Table) -> Result<(), String> {
    let rooms = table.rooms();
    let is_there = |name: &str| name == "user" || rooms.roster.standing(&name.into()) != Standing::Stranger;
    for (id, session) in rooms.council.sessions.iter().filter(|(_, session)| session.status.is_open()) {
        let notices = rooms.notice.notices.iter().map(|(_, notice)| &notice.posted);
        let is_about =
            |matter: &Option<Matter>| matches!(matter, Some(Matter::Council { council, .. }) if council == id);
        let mut told = notices.filter(|posted| is_about(&posted.matter) && is_there(posted.to.as_str()));
        let is_voting = session.status == CouncilStatus::Voting && session.purpose != CouncilPurpose::Architecture;
        let is_asked = is_voting && session.awaited().any(is_there);
        never(told.next().is_none() && !is_asked, format!("council {id} waits, and nobody knows: {session:#?}"))?;
    }
    Ok(())
}
