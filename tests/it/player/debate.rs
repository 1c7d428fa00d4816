//! The player of debates: paid for stakes that are lower than they are, for a gate that lets pass what nobody argued about,
//! for both sides of an argument, for turning debates off, for counts that are forgotten, and for a call that nobody hears.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::dialectic::Debate;
use annals::domain::dialectic::Event as Dialectic;
use annals::domain::dialectic::command::{DebateKind, DebateSide, Debates as Switch, Facts};
use annals::domain::dialectic::csp::Stakes;
use annals::domain::dialectic::gate::{GateVerdict, Question};
use annals::domain::dialectic::limits::ESCALATE_AFTER;
use annals::domain::dialectic::stakes::RequestVoice;
use annals::domain::notice::Event as Notice;
use annals::domain::{Event, RoomsDecided};
use annals::kernel::actor::Standing;
use annals::kernel::id::NO_SESSION;
use serde_json::{Value, json};

use super::chance::Chance;
use super::table::{CROOKS, HONEST, Move, Table};
use super::{Family, never};
use crate::control::desk::REASONS;

/// What is to be done, and what is at stake there, as a person sees it.
const WORK: [(&str, Stakes); 10] = [
    ("rename the type of the lexer", Stakes::Low),
    ("format the table of contents", Stakes::Low),
    ("sort the imports of the parser", Stakes::Low),
    ("clean up the project", Stakes::Medium),
    ("delete the old cache", Stakes::High),
    ("deploy the site to production", Stakes::High),
    ("rotate the API keys", Stakes::High),
    ("git push --force origin main", Stakes::High),
    ("drop table customers", Stakes::High),
    ("change the credentials of the database", Stakes::High),
];

/// What was seen.
#[derive(Default)]
pub(super) struct Debates {
    /// Who spoke for which side where.
    sides: BTreeSet<(Box<str>, &'static str, DebateSide)>,
    /// How often which side was heard.
    heard: BTreeMap<(Box<str>, &'static str), usize>,
    /// Which debate is about which task and plan.
    asked: BTreeMap<Box<str>, (String, Option<String>)>,
    debated: BTreeSet<(String, Option<String>)>,
    is_off: bool,
    /// How often what failed, since it last did not.
    failed: BTreeMap<Box<str>, u32>,
    escalated: BTreeSet<Box<str>>,
    /// Counts are told apart no more.
    is_joined: bool,
}

fn text(chance: &mut Chance) -> String {
    chance.one(&WORK).0.into()
}

fn at_stake(text: &str) -> Stakes {
    WORK.iter().find(|(known, _)| *known == text).map_or(Stakes::Low, |(_, stakes)| *stakes)
}

fn facts(chance: &mut Chance) -> Value {
    json!({ "read_only": chance.happens(30), "just_do_it": chance.happens(30), "files": chance.below(9) })
}

fn position(chance: &mut Chance) -> Value {
    match chance.below(5) {
        0 | 1 => json!({ "claim": { "claim": REASONS, "supports": ["one"], "confidence": 0.9 } }),
        2 => {
            json!({ "objection": { "objection": REASONS, "severity": chance.one(&["low", "medium", "high"]), "counter": "wait" } })
        }
        3 => json!({ "diagnosis": { "diagnosis": "the lock is taken", "fix": "free it", "diff": "one line" } }),
        _ => json!({ "doubt": { "pattern": "again", "should_escalate": chance.happens(40) } }),
    }
}

/// What a debate waits for: the next side, or its end.
fn goes_on(known: &Debate, debate: &str, hand: &'static str, chance: &mut Chance) -> Move {
    let Some((side, _)) = known.next().filter(|_| chance.happens(80)) else {
        return Move::of(hand, "dialectic.debate.resolve", resolution(debate, chance));
    };
    let is_it = |position: &Value| {
        let names: &[&str] = match (known.kind, side) {
            (DebateKind::Planning, DebateSide::Advocate) => &["claim"],
            (DebateKind::Planning, DebateSide::Critic) => &["objection"],
            (DebateKind::Failure, DebateSide::Advocate) => &["diagnosis"],
            (DebateKind::Failure, DebateSide::Critic) => &["doubt"],
        };
        names.iter().any(|name| position.get(name).is_some())
    };
    let position = std::iter::repeat_with(|| position(chance)).find(is_it).expect("one of each");
    Move::of(hand, "dialectic.position.take", json!({ "debate": debate, "position": position }))
}

fn resolution(debate: &str, chance: &mut Chance) -> Value {
    let word = chance.one(&[Value::Null, Value::Null, json!("PROCEED"), json!("ESCALATE"), json!("RETRY")]);
    let to = chance.one(&[Value::Null, json!("ghost"), json!("anna"), json!("lea"), json!("user")]);
    json!({ "debate": debate, "resolution": word, "escalate_to": to })
}

impl Family for Debates {
    fn begin(_: &mut Chance) -> (Table, Self) {
        (Table::new(&[]), Self::default())
    }

    fn next(&mut self, table: &Table, chance: &mut Chance) -> Move {
        let hand = if chance.happens(70) { chance.one(&CROOKS) } else { chance.one(&HONEST) };
        let debates: Vec<Box<str>> = self.asked.keys().rev().take(4).cloned().collect();
        let debate = if debates.is_empty() { "none".into() } else { chance.one(&debates) };
        let task = text(chance);
        let known = table.rooms().dialectic.debate(&debate).filter(|debate| debate.is_open());
        let open = known.and_then(Debate::next);
        if let Some(known) = known.filter(|_| chance.happens(40)) {
            return goes_on(known, &debate, hand, chance).dealt(chance);
        }
        let (name, fields) = match chance.below(if open.is_some() { 17 } else { 12 }) {
            0..=3 => {
                let kind = chance.one(&["planning", "planning", "failure"]);
                let stakes = chance.one(&[Value::Null, json!("low"), json!("low"), json!("high")]);
                let plan = if chance.happens(50) { Value::Null } else { text(chance).into() };
                let request = json!({ "task": task, "kind": kind, "plan": plan, "stakes": stakes, "facts": facts(chance), "rounds": 1 + chance.below(3) });
                ("dialectic.debate.request", request)
            }
            4 => ("dialectic.debate.judge", json!({ "debate": debate, "outcome": "success", "helped": true })),
            5 | 6 => ("dialectic.attempt.fail", json!({ "task": task, "error": "error: the lock is taken" })),
            7 => ("dialectic.attempt.succeed", json!({ "task": task })),
            8 => ("dialectic.task.reset", json!({ "task": task, "reason": "a new day" })),
            9 => ("dialectic.task.relate", json!({ "task": task, "other": text(chance), "relation": "same" })),
            10 => {
                let debates = chance.one(&["off", "on"]);
                ("dialectic.session.switch", json!({ "session": NO_SESSION, "debates": debates }))
            }
            11 => ("dialectic.task.escalate", json!({ "task": task, "cause": "01KAH5RZ1G0000000000000000" })),
            12 => ("dialectic.debate.resolve", resolution(&debate, chance)),
            _ => ("dialectic.position.take", json!({ "debate": debate, "position": position(chance) })),
        };
        Move::of(hand, name, fields).dealt(chance)
    }

    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        for event in &decided.events {
            if let Event::Dialectic(event) = event {
                self.event(mv, event)?;
            }
        }
        heard(table, mv, decided)?;
        self.handed_over(table)?;
        self.gate(table, mv)
    }
}

/// Somebody who may decide hears of what is handed over.
fn heard(table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
    let is_escalated = |event: &Event| matches!(event, Event::Dialectic(Dialectic::Escalated(_)));
    let hears = |event: &Event| {
        let Event::Notice(Notice::Posted(posted)) = event else { return false };
        let standing = table.rooms().roster.standing(&posted.to);
        standing == Standing::User || standing.is_lead()
    };
    let is_unheard = decided.events.iter().any(is_escalated) && !decided.events.iter().any(hears);
    never(is_unheard && mv.is_paid(), "what is handed over was handed to nobody who decides")
}

impl Debates {
    fn event(&mut self, mv: &Move, event: &Dialectic) -> Result<(), String> {
        match event {
            Dialectic::Requested(requested) => {
                let text = |name: &str| mv.fields[name].as_str().map(str::to_owned);
                let (task, plan) = (text("task").expect("a task"), text("plan"));
                let claimed = text("stakes").and_then(|word| word.parse().ok()).unwrap_or(Stakes::Low);
                let least = at_stake(&task).max(plan.as_deref().map_or(Stakes::Low, at_stake)).max(claimed);
                self.asked.insert(requested.debate.clone(), (task, plan));
                never(mv.hand != "user" && requested.stakes < least, format!("stakes {} of {least}", requested.stakes))
            }
            Dialectic::Argued(argued) => {
                self.sides.insert((argued.debate.clone(), mv.hand, argued.side));
                *self.heard.entry((argued.debate.clone(), argued.side.as_str())).or_default() += 1;
                let spoke = |side: DebateSide| self.sides.contains(&(argued.debate.clone(), mv.hand, side));
                never(
                    mv.hand != "user" && spoke(DebateSide::Advocate) && spoke(DebateSide::Critic),
                    "one voice on both sides",
                )
            }
            Dialectic::Resolved(resolved) => {
                let of =
                    |side: DebateSide| self.heard.get(&(resolved.debate.clone(), side.as_str())).copied().unwrap_or(0);
                let (advocate, critic) = (of(DebateSide::Advocate), of(DebateSide::Critic));
                never(advocate == 0 || advocate != critic, "a debate was resolved before a side was heard")?;
                let about = self.asked.get(&resolved.debate).cloned().ok_or("nobody asked for it")?;
                self.debated.insert(about);
                self.failed.remove(&resolved.task);
                Ok(())
            }
            Dialectic::Switched(switched) => {
                self.is_off = switched.debates == Switch::Off;
                let is_users = if self.is_off { mv.hand == "user" } else { mv.is_leads() };
                never(!is_users, "somebody switched debates")
            }
            Dialectic::Cleared(cleared) => {
                self.failed.remove(&cleared.task);
                self.escalated.remove(&cleared.task);
                never(!mv.is_leads(), "counts were forgotten")
            }
            Dialectic::Related(_) => {
                self.is_joined = true;
                never(!mv.is_leads(), "tasks were joined")
            }
            Dialectic::Approved(_) => never(mv.hand != "user", "an agent let its own command pass"),
            Dialectic::Failed(failed) => {
                *self.failed.entry(failed.task.clone()).or_default() += 1;
                Ok(())
            }
            Dialectic::Succeeded(succeeded) => {
                self.failed.remove(&succeeded.task);
                self.escalated.remove(&succeeded.task);
                Ok(())
            }
            Dialectic::Escalated(escalated) => {
                self.escalated.insert(escalated.task.clone());
                Ok(())
            }
            Dialectic::Repeated(_) => Err("somebody announced what only the rules announce".into()),
            Dialectic::Judged(_) | Dialectic::Called(_) | Dialectic::Held(_) | Dialectic::Passed(_) => Ok(()),
        }
    }

    /// What failed so often is a person's, whoever tried.
    fn handed_over(&self, table: &Table) -> Result<(), String> {
        let most = table.rooms().config.settings.get(&ESCALATE_AFTER);
        let mut failed = self.failed.iter().filter(|_| !self.is_joined);
        let kept = failed.find(|(task, count)| **count >= most && !self.escalated.contains(*task));
        kept.map_or(Ok(()), |(task, count)| Err(format!("{task} failed {count} times and is nobody's")))
    }

    /// The gate opens for what is grave only where it was argued about, or the user said so.
    fn gate(&self, table: &Table, mv: &Move) -> Result<(), String> {
        let Some(task) = mv.fields["task"].as_str().filter(|task| at_stake(task) == Stakes::High) else {
            return Ok(());
        };
        let rooms = table.rooms();
        let Some(named) = rooms.dialectic.named(task) else { return Ok(()) };
        let question = Question {
            task: &named,
            plan: mv.fields["plan"].as_str(),
            facts: &Facts { files: None, read_only: true, just_do_it: true },
            voice: RequestVoice::Agent,
            is_off: rooms.dialectic.is_off(&NO_SESSION.into()),
            at: table.desk.time(),
            settings: &rooms.config.settings,
        };
        let gate = rooms.dialectic.gate(&question);
        let is_argued = self.debated.iter().any(|(about, _)| about == task) || self.is_joined;
        let is_opened = gate.verdict == GateVerdict::Go && !is_argued && !self.is_off;
        never(is_opened, format!("nobody argued about {task:?}, and the gate is open: {gate:?}"))
    }
}
