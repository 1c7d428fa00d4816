//! Sayings: what a person said in a session that may hold beyond it, as proposals of knowledge (Galatea 3).
//!
//! Reads what a person typed, the reasons of rejections, and what an instruction file gained when a person asked for it;
//! nothing that an agent or a program said. The rules of sentences are the room's. Proposes nothing itself.

use super::experience::SessionEnd;
use super::step::{Call, Record, Step, Stop};
use super::text;
use super::turn::{Turn, turns};
use annals_kernel::id::{EntryId, SessionId};
use annals_rules::domain::knowledge::KnowledgeKind;
use annals_rules::domain::knowledge::command::Propose;
use annals_rules::domain::knowledge::learn::{LearntLesson, Way, learn};

/// So much is proposed of one session.
pub const MOST_OF_A_SESSION: usize = 40;
/// So many lines that a file gained are proposed with one call.
const MOST_GAINED: usize = 8;
/// Files that hold instructions for agents, in lower case.
const INSTRUCTIONS: [&str; 7] = [
    "claude.md", "claude.local.md", "agents.md", "gemini.md", ".cursorrules", "copilot-instructions.md",
    "conventions.md",
];
/// A line of instructions has so many words.
const LINE_WORDS: std::ops::RangeInclusive<usize> = 4..=40;

/// What may be known from a session, in its order, each text once; a prompt of more characters was pasted, mostly.
pub fn sayings(record: &Record, end: SessionEnd, most_chars: usize) -> Vec<Propose> {
    let mut all: Vec<Propose> = Vec::new();
    let turns = turns(&record.steps);
    for (at, turn) in turns.iter().enumerate() {
        if turn.is_withdrawn {
            continue;
        }
        // What the last prompt sets right counts once nobody takes it back.
        let is_settled = at + 1 < turns.len() || end == SessionEnd::Ended;
        let said = said(turn, most_chars).into_iter();
        let settled = said.filter(|(_, lesson)| is_settled || lesson.kind != KnowledgeKind::Correction);
        let proposed = settled.map(|(entry, lesson)| lesson.candidate(SessionId::from(&*record.session), entry));
        for one in proposed.chain(gained(turn, &record.session)) {
            if all.len() < MOST_OF_A_SESSION && !all.iter().any(|known| known.content == one.content) {
                all.push(one);
            }
        }
    }
    all
}

/// What the person said in a turn: the prompt, and why calls were turned down.
fn said(turn: &Turn<'_>, most_chars: usize) -> Vec<(EntryId, LearntLesson)> {
    let heard = |entry: EntryId, text: &str, way: Way| {
        let is_typed = text.chars().nth(most_chars).is_none();
        let lessons = if is_typed { learn(text, way) } else { Vec::new() };
        lessons.into_iter().map(move |lesson| (entry, lesson))
    };
    let prompt = turn.asked.into_iter().filter_map(|step| Some((step.id, step.prompt()?, Way::Prompt)));
    let reasons = turn.steps.iter().filter_map(|step| match step.stopped()? {
        Stop::Rejected { reason, .. } => Some((step.id, reason.as_str(), Way::Rejection)),
        Stop::Interrupted | Stop::Denied { .. } => None,
    });
    prompt.chain(reasons).flat_map(|(entry, text, way)| heard(entry, text, way)).collect()
}

/// What a file of instructions gained, where the person asked for it: an agent that writes itself rules is no person.
fn gained(turn: &Turn<'_>, session: &str) -> Vec<Propose> {
    let Some(prompt) = turn.prompt().map(str::to_lowercase) else { return Vec::new() };
    let is_asked = |file: &str| {
        let words = ["remember", "instructions", "merk dir", "merke dir", "add a rule", "add this rule", "guidelines"];
        prompt.contains(file.trim_end_matches(".md")) || words.iter().any(|word| prompt.contains(word))
    };
    let of_call = |step: &Step, call: &Call| {
        let edits = call.edits.iter().filter(|edit| {
            let file = text::base(&edit.file).to_lowercase();
            INSTRUCTIONS.contains(&&*file) && is_asked(&file)
        });
        let lines: Vec<String> = edits.flat_map(|edit| added(&edit.old, &edit.new)).take(MOST_GAINED).collect();
        let lesson =
            |content| LearntLesson { kind: KnowledgeKind::Rule, content, about: None, rule: "instruction-file" };
        lines.into_iter().map(|line| lesson(line).candidate(SessionId::from(session), step.id)).collect::<Vec<_>>()
    };
    turn.calls().filter(|(_, call)| call.is_ok()).flat_map(|(step, call)| of_call(step, call)).collect()
}

/// Lines that are new, without bullets; no headings, no code.
fn added(old: &str, new: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in new.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let bare = line.trim_start_matches(['-', '*', ' ']).trim();
        let is_text = !is_code
            && !line.starts_with(['#', '|', '<', '>'])
            && LINE_WORDS.contains(&bare.split_whitespace().count());
        if is_text && !old.contains(bare) {
            lines.push(bare.replace("**", ""));
        }
    }
    lines
}
