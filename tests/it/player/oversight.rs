//! The player of oversight: paid for a tag that is the rules', for a frozen tag in other letters, for words of somebody
//! else's, for an agreement that outlives its words or its opposition, for deciding what is contested, and for what only
//! a moderator or a lead does.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::blind::Event as Blind;
use annals::domain::issue::status::EpistemicStatus;
use annals::domain::issue::{Event as Issue, Issue as Row};
use annals::domain::moderation::Event as Moderation;
use annals::domain::{Event, RoomsDecided};
use annals::kernel::grounding::Stance;
use annals::kernel::id::IssueId;
use serde_json::{Value, json};

use super::chance::Chance;
use super::table::{CROOKS, HONEST, Move, Table};
use super::{Family, never};
use crate::control::desk::REASONS;

/// The tag of the rules, as a person reads it.
const META: [&str; 9] = ["meta", "#meta", "Meta", "＃META", " #Meta ", "#mеta", "me\u{200b}ta", "ｍeta", "#mеtа"];
/// A tag that is frozen, as a person reads it.
const PACING: [&str; 7] = ["pacing", "#pacing", "Pacing", "＃ｐacing", "#рacing", " pacing", "pa\u{ad}cing"];

/// What was seen of an issue.
#[derive(Default)]
struct Seen {
    author: &'static str,
    support: BTreeSet<&'static str>,
    oppose: BTreeSet<&'static str>,
}

/// What was seen.
#[derive(Default)]
pub(super) struct Oversight {
    issues: BTreeMap<IssueId, Seen>,
    is_frozen: bool,
    closed: BTreeSet<IssueId>,
}

fn may_moderate(mv: &Move) -> bool {
    mv.is_leads() || mv.hand == "mo"
}

fn tag(chance: &mut Chance) -> &'static str {
    match chance.below(5) {
        0 => chance.one(&META),
        1 | 2 => chance.one(&PACING),
        _ => chance.one(&["tone", "plot", "#style"]),
    }
}

/// Who is asked: all who are by rule, or some.
fn participants(table: &Table, chance: &mut Chance) -> Value {
    let rooms = table.rooms();
    let all = annals::policy::participants(rooms, &rooms.config.settings);
    if chance.happens(50) { json!(all) } else { json!([chance.one(&["anna", "bert", "carl"]), "dora"]) }
}

fn on_issue(table: &Table, issue: &str, chance: &mut Chance) -> (&'static str, Value) {
    let impact = chance.one(&[Value::Null, json!("minor"), json!("structural")]);
    let files: Vec<Value> =
        (0..chance.below(3)).map(|_| json!({ "path": format!("f{}.rs", chance.below(90)) })).collect();
    match chance.below(20) {
        0..=6 => {
            let stance = chance.one(&["support", "support", "oppose", "neutral"]);
            (
                "issues.comment.add",
                json!({ "issue": issue, "body": REASONS, "stance": stance, "impact": impact, "evidence": { "files": files } }),
            )
        }
        7 | 8 => {
            let force = chance.one(&[Value::Null, json!("I say so")]);
            (
                "issues.issue.resolve",
                json!({ "issue": issue, "note": REASONS, "force": force, "evidence": { "files": files } }),
            )
        }
        9 => ("issues.issue.edit", json!({ "issue": issue, "title": format!("Title {}", chance.below(99)) })),
        10 => ("issues.issue.edit", json!({ "issue": issue, "body": REASONS })),
        11 => ("issues.issue.edit", json!({ "issue": issue, "tags": [tag(chance)] })),
        12 => ("issues.issue.edit", json!({ "issue": issue, "untag": [tag(chance)] })),
        13 => ("issues.issue.close", json!({ "issue": issue })),
        14 => ("issues.issue.reopen", json!({ "issue": issue })),
        15 => ("issues.issue.freeze", json!({ "issue": issue, "reason": "enough of it" })),
        16 => ("issues.issue.unfreeze", json!({ "issue": issue, "guidance": REASONS })),
        17 => ("blind.pass.open", json!({ "issue": issue, "participants": participants(table, chance) })),
        18 => ("blind.pass.close", json!({ "issue": issue })),
        _ => ("advocate.assignment.assign", json!({ "issue": issue, "agent": chance.one(&["bert", "carl", "dora"]) })),
    }
}

fn of_the_moderator(issue: &str, chance: &mut Chance) -> (&'static str, Value) {
    let agent = chance.one(&["anna", "bert", "carl", "mo"]);
    match chance.below(7) {
        0 => ("moderation.tag.freeze", json!({ "tag": "pacing", "reason": "circles" })),
        1 => ("moderation.tag.unfreeze", json!({ "tag": chance.one(&PACING) })),
        2 => (
            "moderation.agent.adjust",
            json!({ "agent": agent, "freedom": chance.one(&["trusted", "normal", "restricted"]) }),
        ),
        3 => ("moderation.issue.escalate", json!({ "issue": issue, "summary": "two canons" })),
        4 => ("moderation.assist.begin", json!({ "agent": agent, "reason": "slowly" })),
        5 => ("moderation.assist.end", json!({ "agent": agent })),
        _ => ("advocate.assignment.release", json!({ "issue": issue })),
    }
}

impl Family for Oversight {
    fn begin(chance: &mut Chance) -> (Table, Self) {
        let advocate = json!(chance.happens(50));
        let settings =
            [("sanity.auto_devils_advocate_enabled", advocate), ("sanity.min_turns_before_resolution", json!(2))];
        (Table::new(&settings), Self::default())
    }

    fn next(&mut self, table: &Table, chance: &mut Chance) -> Move {
        let hand = if chance.happens(55) { chance.one(&CROOKS) } else { chance.one(&HONEST) };
        let issues: Vec<String> = table.rooms().issue.issues.iter().map(|(id, _)| id.to_string()).collect();
        let latest = &issues[issues.len().saturating_sub(5)..];
        if latest.is_empty() || chance.happens(8) {
            let open = json!({ "title": format!("Thought {}", chance.below(999)), "tags": [tag(chance)] });
            return Move::of(hand, "issues.issue.open", open).dealt(chance);
        }
        let issue = chance.one(latest);
        let (name, fields) =
            if chance.happens(15) { of_the_moderator(&issue, chance) } else { on_issue(table, &issue, chance) };
        let files = fields["evidence"]["files"].as_array().into_iter().flatten();
        let there = |file: &Value| json!({ "path": file["path"], "exists": true, "lines_valid": true });
        let observed = if fields.get("evidence").is_some() {
            json!({ "evidence": files.map(there).collect::<Vec<_>>() })
        } else {
            json!({})
        };
        Move { observed, ..Move::of(hand, name, fields) }.dealt(chance)
    }

    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        for event in &decided.events {
            match event {
                Event::Issue(event) => self.issue(table, mv, event)?,
                Event::Moderation(event) => self.moderated(mv, event)?,
                Event::Blind(event) => self.blind(table, mv, event)?,
                _ => {}
            }
        }
        let none = IssueId::from("");
        let about = mv.fields["issue"].as_str().map_or(none, IssueId::from);
        self.agreed(table, &about)
    }
}

impl Oversight {
    fn is_contested(&self, table: &Table, issue: &IssueId) -> bool {
        let Some(seen) = self.issues.get(issue) else { return false };
        let is_meta = table.rooms().issue.issue(issue).is_some_and(Row::is_meta);
        let (support, oppose) = (seen.support.len(), seen.oppose.len());
        !is_meta && oppose > 0 && (oppose >= support || seen.oppose.contains("user"))
    }

    /// What is contested is not agreed on.
    fn agreed(&self, table: &Table, issue: &IssueId) -> Result<(), String> {
        let Some(row) = table.rooms().issue.issue(issue) else { return Ok(()) };
        let is_agreed = row.epistemic == EpistemicStatus::Agreed && !row.status.has_ended();
        never(is_agreed && self.is_contested(table, issue), "what is contested counts as agreed on")
    }

    fn issue(&mut self, table: &Table, mv: &Move, event: &Issue) -> Result<(), String> {
        let id = event.issue().clone();
        match event {
            Issue::Opened(_) => {
                self.issues.insert(id, Seen { author: mv.hand, ..Seen::default() });
                self.tagged(mv)
            }
            Issue::Edited(edited) => {
                let seen = self.issues.entry(id).or_default();
                if !edited.words.is_empty() || mv.fields.get("title").is_some() || mv.fields.get("body").is_some() {
                    seen.support.clear();
                    let is_entitled = seen.author == mv.hand || may_moderate(mv);
                    never(!is_entitled, "words of somebody else were changed")?;
                }
                self.tagged(mv)
            }
            Issue::CommentAdded(_) => {
                self.issues.entry(id).or_default().said(mv);
                Ok(())
            }
            Issue::Resolved(_) => {
                let is_users = mv.is_leads();
                never(!is_users && self.is_contested(table, &id), "what is contested was decided by whoever came first")
            }
            Issue::Frozen(_) if mv.name == "issues.issue.freeze" => never(!may_moderate(mv), "somebody froze an issue"),
            Issue::Unfrozen(_) => never(!may_moderate(mv), "somebody let a frozen issue go on"),
            _ => Ok(()),
        }
    }

    fn tagged(&self, mv: &Move) -> Result<(), String> {
        let typed = |field: &str, of: &[&str]| {
            let mut tags = mv.fields[field].as_array().into_iter().flatten().filter_map(Value::as_str);
            tags.any(|tag| of.contains(&tag))
        };
        never(typed("tags", &META) || typed("untag", &META), "somebody set the tag of the rules")?;
        never(self.is_frozen && typed("tags", &PACING) && !may_moderate(mv), "a frozen tag in other letters")
    }

    fn moderated(&mut self, mv: &Move, event: &Moderation) -> Result<(), String> {
        match event {
            Moderation::TagFrozen(_) => self.is_frozen = true,
            Moderation::TagUnfrozen(_) => self.is_frozen = false,
            _ => {}
        }
        let is_asked = mv.name.starts_with("moderation.");
        never(is_asked && !may_moderate(mv), "somebody moderated")?;
        let is_own = mv.name == "moderation.agent.adjust" && mv.fields["agent"] == mv.hand;
        never(is_own, "somebody set its own freedom")
    }

    fn blind(&mut self, table: &Table, mv: &Move, event: &Blind) -> Result<(), String> {
        match event {
            Blind::Opened(opened) => {
                self.closed.remove(&opened.issue);
                let rooms = table.rooms();
                let are_all = opened.participants == annals::policy::participants(rooms, &rooms.config.settings);
                let may_open = mv.hand != "anna" && are_all;
                never(!may_moderate(mv) && !may_open, "somebody opened a blind pass")
            }
            Blind::Closed(closed) => {
                self.closed.insert(closed.issue.clone());
                let is_asked = mv.name == "blind.pass.close";
                never(is_asked && !may_moderate(mv), "somebody closed a blind pass")
            }
            _ => Ok(()),
        }
    }
}

impl Seen {
    fn said(&mut self, mv: &Move) {
        let stance = mv.fields["stance"].as_str().and_then(|word| word.parse().ok()).unwrap_or(Stance::Neutral);
        match stance {
            Stance::Support => {
                self.oppose.remove(mv.hand);
                if mv.hand != self.author {
                    self.support.insert(mv.hand);
                }
            }
            Stance::Oppose => {
                self.support.remove(mv.hand);
                self.oppose.insert(mv.hand);
            }
            Stance::Neutral => {}
        }
    }
}
