//! The player of credits: paid for a tier that one agent has alone, for an outcome that nobody else bore out, for evidence
//! that is false, empty or trivial, for a question that nobody asked, and for thanks to itself.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::credit::event::Awarded;
use annals::domain::credit::formula::QuoteFinding;
use annals::domain::credit::ledger::KeptCitation;
use annals::domain::credit::profile::Tier;
use annals::domain::credit::{CreditReason, Event as Credit};
use annals::domain::issue::Event as Issue;
use annals::domain::{Event, RoomsDecided};
use annals::kernel::grounding::Trigger;
use serde_json::{Value, json};

use super::chance::Chance;
use super::table::{Move, Table};
use super::{Family, never};
use crate::control::desk::REASONS;

/// How a quote is letter for letter in its file, and how it is worth nothing.
const QUOTES: [&str; 4] = ["let answer = 42;", "x", "fn a", "    )    "];

/// Who plays beside the one that is paid.
#[derive(Clone, Copy, PartialEq)]
enum Company {
    /// Nobody but the user, who opens issues and says nothing.
    None,
    /// Others who do their work, and another who is paid.
    Others,
}

/// What was seen.
pub(super) struct Credits {
    company: Company,
    /// Who wrote what, by the id under which it can be named.
    wrote: BTreeMap<String, &'static str>,
    /// Who cited which file where.
    cited: BTreeSet<(String, String, &'static str)>,
    /// What others than the one who is paid did on an issue.
    others: BTreeSet<(String, &'static str)>,
}

/// What code finds of a file: some are not there, some are empty.
fn found(file: &Value) -> Value {
    let path = file["path"].as_str().unwrap_or_default();
    let number: usize = path.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap_or(0);
    let (is_there, is_blank) = (!number.is_multiple_of(5), number % 5 == 1);
    let mut found = json!({ "path": path, "exists": is_there, "lines_valid": is_there });
    if is_blank {
        found["blank"] = true.into();
    }
    if is_there {
        found["sha256"] = super::table::seal_of(path).into();
    }
    if file.get("quote").is_some() {
        found["similarity"] = if is_there && !is_blank { 1000 } else { 0 }.into();
    }
    found
}

fn evidence(chance: &mut Chance) -> Value {
    let files: Vec<Value> = (0..chance.below(4))
        .map(|_| {
            let path = format!("f{}.rs", chance.below(60));
            if chance.happens(30) {
                json!({ "path": path })
            } else {
                json!({ "path": path, "quote": chance.one(&QUOTES) })
            }
        })
        .collect();
    json!({ "files": files })
}

impl Credits {
    fn hand(&self, chance: &mut Chance) -> &'static str {
        match (self.company, chance.happens(if self.company == Company::None { 96 } else { 60 })) {
            (_, true) => "anna",
            (Company::None, false) => "user",
            (Company::Others, false) => chance.one(&["bert", "carl", "dora", "mo", "user", "lea"]),
        }
    }

    fn citation(&self, chance: &mut Chance) -> Value {
        let known: Vec<&String> = self.wrote.keys().collect();
        let answered = if known.is_empty() { "nothing".into() } else { chance.one(&known).clone() };
        let trigger =
            chance.one(&["answer-to-question", "challenge-consensus", "resolve-conflict", "canon-gap-search"]);
        let outcome = chance.one(&["prevented-error", "led-to-file-change", "no-action-yet", "resolved-issue"]);
        json!({ "trigger": trigger, "trigger_ref": answered, "triggered_by": chance.one(&["user", "carl", "anna"]), "outcome": outcome })
    }

    fn command(&self, issue: &str, hand: &str, chance: &mut Chance) -> (&'static str, Value) {
        let about = json!({ "issue": issue });
        let other = chance.one(&["anna", "bert", "carl", hand]);
        match chance.below(17) {
            0 => ("issues.issue.open", json!({ "title": format!("Thought {}", chance.below(1000)) })),
            1..=6 => {
                let stance = chance.one(&["support", "neutral", "oppose"]);
                (
                    "issues.comment.add",
                    json!({ "issue": issue, "body": REASONS, "evidence": evidence(chance), "citation": self.citation(chance), "stance": stance }),
                )
            }
            7 => ("issues.issue.resolve", json!({ "issue": issue, "note": REASONS, "evidence": evidence(chance) })),
            8 => {
                let file = format!("f{}.rs", chance.below(60));
                ("issues.issue.mark", json!({ "issue": issue, "usefulness": "applied", "file": file }))
            }
            9 => ("issues.issue.reopen", json!({ "issue": issue })),
            10 => ("issues.issue.edit", json!({ "issue": issue, "title": "Another word" })),
            11 | 12 => {
                let reason = chance.one(&[
                    "peer-marked-helpful", "moderator-commendation", "user-marked-helpful", "evidence-verified",
                    "evidence-outcome-upgrade", "prevented-user-conflict",
                ]);
                ("credits.credit.award", json!({ "agent": other, "reason": reason, "about": about }))
            }
            13 => ("credits.task.slice", json!({ "issue": issue, "doer": other, "total": 10, "slices": 2 })),
            14 => ("credits.slice.complete", json!({ "issue": issue, "doer": other })),
            15 => ("advocate.assignment.assign", json!({ "issue": issue, "agent": other })),
            _ => ("issues.issue.unfreeze", json!({ "issue": issue, "guidance": REASONS })),
        }
    }
}

impl Family for Credits {
    fn begin(chance: &mut Chance) -> (Table, Self) {
        let company = chance.one(&[Company::None, Company::Others]);
        let table = Table::new(&[("sanity.min_turns_before_resolution", json!(1))]);
        (table, Self { company, wrote: BTreeMap::new(), cited: BTreeSet::new(), others: BTreeSet::new() })
    }

    fn next(&mut self, table: &Table, chance: &mut Chance) -> Move {
        let hand = self.hand(chance);
        let issues: Vec<String> = table.rooms().issue.issues.iter().map(|(id, _)| id.to_string()).collect();
        if issues.is_empty() || hand == "user" && self.company == Company::None {
            let title = json!({ "title": format!("What is wanted {}", chance.below(1000)) });
            return Move::of("user", "issues.issue.open", title);
        }
        let issue = chance.one(&issues[issues.len().saturating_sub(6)..]);
        let (name, fields) = self.command(&issue, hand, chance);
        let files = fields["evidence"]["files"].as_array().into_iter().flatten();
        let mut observed = json!({ "evidence": files.map(found).collect::<Vec<_>>() });
        if name == "issues.issue.mark" {
            let path = fields["file"].as_str().unwrap_or_default();
            observed = json!({ "shown": "found", "sha256": super::table::seal_of(path) });
        }
        if !name.starts_with("issues.") {
            observed = json!({});
        }
        Move { observed, ..Move::of(hand, name, fields) }.dealt(chance)
    }

    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        for event in &decided.events {
            match event {
                Event::Credit(Credit::Awarded(awarded)) => self.awarded(mv, awarded)?,
                Event::Issue(event) => self.happened(table, mv, event),
                _ => {}
            }
        }
        nothing_waits(table, mv)?;
        if self.company == Company::Others {
            return Ok(());
        }
        let rooms = table.rooms();
        let tier = |agent: &str| rooms.credit.totals.tier(&agent.into(), &rooms.config.settings);
        never(tier("anna") != Tier::None, format!("alone, and of tier {:?}", tier("anna")))
    }
}

/// No citation waits for an outcome on an issue that has ended.
fn nothing_waits(table: &Table, mv: &Move) -> Result<(), String> {
    let Some(issue) = mv.fields["issue"].as_str() else { return Ok(()) };
    let has_ended = table.rooms().issue.issue(&issue.into()).is_some_and(|row| row.status.has_ended());
    let ledger = table.rooms().credit.ledger(&issue.into());
    let waits = ledger.is_some_and(|ledger| ledger.citations.iter().any(KeptCitation::waits));
    never(has_ended && waits, "credit waits on an issue that has ended")
}

impl Credits {
    fn happened(&mut self, table: &Table, mv: &Move, event: &Issue) {
        let issue = event.issue().to_string();
        match event {
            Issue::Opened(_) => {
                self.wrote.insert(issue, mv.hand);
            }
            Issue::CommentAdded(_) => {
                let row = table.rooms().issue.issue(event.issue()).expect("an issue");
                self.wrote.insert(row.thread.last().expect("a remark").id.to_string(), mv.hand);
                self.others.insert((issue.clone(), mv.hand));
                for file in mv.fields["evidence"]["files"].as_array().into_iter().flatten() {
                    self.cited.insert((issue.clone(), file["path"].to_string(), mv.hand));
                }
            }
            _ => {
                self.others.insert((issue, mv.hand));
            }
        }
    }

    fn awarded(&self, mv: &Move, awarded: &Awarded) -> Result<(), String> {
        let (to, amount) = (awarded.agent.as_str(), awarded.amount);
        let is_own = to == mv.hand && amount > annals::kernel::credits::Credits::ZERO;
        let is_asked = mv.name == "credits.credit.award";
        never(is_own && is_asked, "it thanked itself")?;
        let is_by = |hand: &str| mv.hand == hand;
        match awarded.reason {
            CreditReason::UserMarkedHelpful => never(!is_by("user"), "thanks of the user, by somebody else"),
            CreditReason::ModeratorCommendation => {
                never(!is_by("mo") && !mv.is_leads(), "praise that nobody entitled gave")
            }
            CreditReason::EvidenceOutcomeUpgrade => self.upgraded(mv, awarded),
            CreditReason::EvidenceVerified | CreditReason::EvidenceVerifiedPrecise => self.cited(mv, awarded),
            _ => Ok(()),
        }
    }

    /// Nobody's own word makes its own citations worth more; what nobody else touched came to nothing.
    fn upgraded(&self, mv: &Move, awarded: &Awarded) -> Result<(), String> {
        let to = awarded.agent.as_str();
        never(mv.name == "credits.credit.award", "an outcome by word of mouth")?;
        let issue = awarded.about.issue.as_ref().map(ToString::to_string).unwrap_or_default();
        let others = |file: &str| {
            let mut known =
                self.cited.iter().filter(|(about, path, _)| *about == issue && *path == format!("{file:?}"));
            known.any(|(_, _, hand)| *hand != to)
        };
        let is_borne_out = awarded.citations.iter().all(|cited| others(&cited.file));
        never(to == mv.hand && !is_borne_out, format!("{to} bore itself out"))
    }

    fn cited(&self, mv: &Move, awarded: &Awarded) -> Result<(), String> {
        let of = |path: &str| {
            mv.fields["evidence"]["files"].as_array().into_iter().flatten().find(|file| file["path"] == path)
        };
        for cited in &awarded.citations {
            let file = of(&cited.file).ok_or("a file that nobody cited")?;
            let seen = found(file);
            never(
                seen["exists"] == false || seen.get("blank").is_some(),
                "what is not there, or empty, was worth something",
            )?;
            let letters = file["quote"].as_str().unwrap_or_default().trim().chars().count();
            never(cited.finding == QuoteFinding::Precise && letters < 12, "a quote of few letters was precise")?;
            never(!["no-action-yet", "no-action"].contains(&cited.outcome.as_str()), "an outcome before there is one")?;
            let by = self.wrote.get(mv.fields["citation"]["trigger_ref"].as_str().unwrap_or_default());
            let is_asked = by.is_some_and(|by| *by != mv.hand) || cited.trigger == Trigger::ChallengeConsensus;
            never(cited.trigger != Trigger::Unprompted && !is_asked, "an answer to nobody")?;
        }
        Ok(())
    }
}
