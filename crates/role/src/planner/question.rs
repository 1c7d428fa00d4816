//! What R2 asks a model (artoo R2, "Skills"): the task, what must not be used, what was learnt, what came of the last round.
//!
//! What must not be used and what limits the task is never cut. What is cut, is counted in the prompt.

use super::answer::PlanLimits;
use super::example::{self, Shown};
use super::forbidden::{Forbidden, forbidding};
use super::must_not::{Ban, Banned, MustNot, must_not};
use super::room::shares;
use super::round::{RoundText, outputs_chars};
use super::schema::plan_schema;
use crate::ggs::{Directive, PlanDirective};
use crate::message::{MemoryAction, MemoryAnswer, OutcomeReport, Remembered};
use crate::plan::TaskSpec;
use crate::prompt::{BadAnswer, RolePrompt};
use crate::quote::{inline, quoted, quoted_within};
use crate::tool::ToolName;

/// The part of a prompt that is not the same every time is kept to so many characters; with rules and answer it fits into
/// 4,096 tokens.
pub const PLAN_PROMPT_CHARS: usize = 6_000;
/// Of the intent a prompt shows so many characters: where no model could be asked it is all that the person wrote.
const INTENT_CHARS: usize = 4_000;
/// Of the person's words, beside the intent, so many.
const WORDS_CHARS: usize = 2_000;
/// Of sentences that forbid, so many.
const FORBIDDING_CHARS: usize = 1_500;
/// Of what memory prefers so many pieces are shown, each with so many characters.
const MEMORY_PIECES: usize = 5;
const PIECE_CHARS: usize = 300;
/// What the titles of parts that may be cut take, and the counts in them.
const TITLES_CHARS: usize = 160;
const ANSWER_TOKENS: u32 = 1_600;

const LAST_LINE: &str = "Answer with the JSON object alone.";

/// All that a plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct PlanQuery<'q> {
    /// What R1 understood.
    pub spec: &'q TaskSpec,
    /// What memory says.
    pub memory: &'q MemoryAnswer,
    /// What R7 demands; nothing in the first round.
    pub directive: Option<&'q PlanDirective>,
    /// Whether what the rounds before did is undone.
    pub is_anew: bool,
    /// What came of the round before.
    pub outcomes: &'q [OutcomeReport],
    /// Why the last answer could not be used.
    pub rejected: Option<&'q BadAnswer>,
    /// The tools there are.
    pub tools: &'q [ToolName],
    /// A short listing of the workspace.
    pub place: &'q str,
    /// Command lines by which the person checks it.
    pub checks: &'q [String],
}

/// What a model is asked.
pub fn question(query: &PlanQuery<'_>) -> RolePrompt {
    let banned = must_not(query.memory, query.directive).and(&Forbidden::by(&query.spec.raw_input));
    let tools: Vec<_> = query.tools.iter().map(|tool| tool.as_str()).filter(|tool| !banned.bans_tool(tool)).collect();
    // A model that spent its tokens on thoughts is to answer at once.
    let may_think = !matches!(query.rejected, Some(BadAnswer::Empty | BadAnswer::CutOff | BadAnswer::Loops));
    RolePrompt {
        system: example::system(shown(query.rejected)),
        user: user(query, &banned, &tools),
        schema: Some(plan_schema(&tools, &PlanLimits::of(query.directive))),
        max_tokens: ANSWER_TOKENS,
        may_think,
    }
}

/// Who could not use the example repeats it where it is shown again.
fn shown(rejected: Option<&BadAnswer>) -> Shown {
    if rejected.is_some() { Shown::Form } else { Shown::Example }
}

/// What is most the task's own comes last: small models keep best what they read last.
fn user(query: &PlanQuery<'_>, banned: &MustNot, tools: &[&str]) -> String {
    let whole = [
        advice("SHOULD PREFER (it worked before)", MemoryAction::Exploit, query.memory),
        advice("CAUTION (confirm first, or try it on a copy)", MemoryAction::Caution, query.memory),
        format!("TOOLS\n{}\n", if tools.is_empty() { "none".to_owned() } else { tools.join(", ") }),
        bans(banned),
        query.directive.map(|said| demand(said, undone(query))).unwrap_or_default(),
        task(query.spec),
        checked_by(query.checks),
        query.rejected.map(rejection).unwrap_or_default(),
        LAST_LINE.to_owned(),
    ];
    let headings = RoundText::of(query.outcomes, 0).text;
    let fixed: usize = whole.iter().chain([&headings]).map(|part| part.chars().count() + 1).sum();
    let cut = rest(query, PLAN_PROMPT_CHARS.saturating_sub(fixed + TITLES_CHARS));
    let parts: Vec<_> = cut.into_iter().chain(whole).filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// The listing and the last round, in what room there is.
fn rest(query: &PlanQuery<'_>, room: usize) -> [String; 2] {
    let place = query.place.trim();
    let listed = quoted_within(place, usize::MAX / 2).text.chars().count();
    let shares = shares(room, listed, outputs_chars(query.outcomes));
    let (listing, round) = (quoted_within(place, shares.listing), RoundText::of(query.outcomes, shares.outputs));
    let listing = match listing.left_out {
        _ if place.is_empty() => String::new(),
        0 => format!("WORKSPACE\n{}", listing.text),
        cut => format!("WORKSPACE ({cut} characters of the listing left out)\n{}", listing.text),
    };
    let outputs = match round.left_out {
        _ if query.outcomes.is_empty() => String::new(),
        0 => format!("LAST ROUND\n{}", round.text),
        cut => format!("LAST ROUND ({cut} characters of outputs left out)\n{}", round.text),
    };
    [listing, outputs]
}

/// The task, its limits, and the person's own words where they say more.
fn task(spec: &TaskSpec) -> String {
    let (words, intent) = (spec.raw_input.trim(), spec.intent.trim());
    let words = Some(words).filter(|words| *words != intent);
    let words = words.map(|words| format!("In the person's words:\n{}", quoted_within(words, WORDS_CHARS).text));
    let forbids = forbids(spec);
    let limits = [("scope", &spec.constraints.scope), ("deadline", &spec.constraints.deadline)];
    let lines = limits.map(|(name, limit)| {
        let line = limit.as_ref().map(|limit| format!("Constraint, {name}: {}\n", inline(limit)));
        line.unwrap_or_default()
    });
    let intent = quoted_within(intent, INTENT_CHARS).text;
    format!("TASK\n{intent}{}{forbids}{}", words.unwrap_or_default(), lines.concat())
}

/// Where long words are cut, each sentence of them that forbids anything.
fn forbids(spec: &TaskSpec) -> String {
    let shown = if spec.raw_input.trim() == spec.intent.trim() { INTENT_CHARS } else { WORDS_CHARS };
    if spec.raw_input.trim().chars().count() <= shown {
        return String::new();
    }
    let sentences: Vec<_> = forbidding(&spec.raw_input).collect();
    let text = quoted_within(&sentences.join("\n"), FORBIDDING_CHARS).text;
    if sentences.is_empty() { String::new() } else { format!("What they forbid, of all their words:\n{text}") }
}

fn checked_by(checks: &[String]) -> String {
    let lines: String = checks.iter().map(|line| quoted(line)).collect();
    if lines.is_empty() { lines } else { format!("It is done when these end with 0:\n{lines}") }
}

fn bans(banned: &MustNot) -> String {
    if banned.bans.is_empty() {
        return String::new();
    }
    format!("MUST NOT\n{}", ban_lines(banned))
}

/// What must not be used, a line each; nothing where all may be.
pub(crate) fn ban_lines(banned: &MustNot) -> String {
    banned.bans.iter().map(ban_line).collect()
}

fn ban_line(ban: &Ban) -> String {
    let source = ban.source;
    let what = match &ban.what {
        Banned::Tool { tool } => format!("use the tool {}", inline(tool)),
        Banned::Target { target } => format!("use {} as an input", inline(target)),
        Banned::ToolOnTarget { tool, target } => format!("use the tool {} on {}", inline(tool), inline(target)),
        Banned::Approach { space } => format!("do it the way {} was done", inline(space)),
    };
    let says: String = ban.says.iter().map(|text| quoted(text)).collect();
    format!("- {what} ({source})\n{says}")
}

/// What became of the last round's work.
fn undone(query: &PlanQuery<'_>) -> &'static str {
    if query.is_anew { "All files are as they were at first: what the rounds before did is undone.\n" } else { "" }
}

/// What R7 demands (artoo R7, "Directive Semantics"; decision 67).
fn demand(said: &PlanDirective, undone: &str) -> String {
    let meaning = match said.directive {
        Directive::Refine => "keep the approach, tighten its parameters",
        Directive::ChangePath => "keep the approach, take other targets",
        Directive::ChangeApproach => "take another method",
        Directive::BreakSymmetry => "take a kind of tool that was not tried yet",
    };
    let failed = match said.failed_criterion.as_str() {
        "" => String::new(),
        criterion => format!("Failed criterion: {} ({})\n", inline(criterion), said.failure_class),
    };
    let alternatives = match said.urgency.alternatives {
        0 => String::new(),
        count => format!(
            "Begin the object with \"alternatives\": {count} texts, ways that differ from each other and from what failed. \
             Then plan the best of them.\n"
        ),
    };
    let (name, share) = (said.directive, said.urgency.budget_share);
    // Why it is so are figures, which small models take for what is to be done.
    format!(
        "CHANGE OF PLAN\nDirective {name}: {meaning}.\n{failed}{undone}{alternatives}\
         Use at most {share} of the budget that is left.\n"
    )
}

fn advice(title: &str, action: MemoryAction, memory: &MemoryAnswer) -> String {
    let known = memory.remembered.iter().filter(|known| known.action == action);
    let lines: String = known.map(remembered).collect();
    if lines.is_empty() { lines } else { format!("{title}\n{lines}") }
}

fn remembered(known: &Remembered) -> String {
    let Remembered { space, entity, content, .. } = known;
    let pieces = content.iter().take(MEMORY_PIECES).map(|piece| quoted_within(piece, PIECE_CHARS).text);
    let pieces: String = pieces.collect();
    let more = match content.len().saturating_sub(MEMORY_PIECES) {
        0 => String::new(),
        more => format!("({more} more left out)\n"),
    };
    format!("- {} on {}\n{pieces}{more}", inline(space), inline(entity))
}

/// What was wrong with the last answer, and what to do about it.
fn rejection(bad: &BadAnswer) -> String {
    let advice = match bad {
        BadAnswer::Empty => "Answer at once.",
        BadAnswer::NotJson { .. } => "Write one JSON object, with quotes and brackets closed.",
        BadAnswer::CutOff => "Plan fewer subtasks, and write less.",
        BadAnswer::Refused { .. } => "You only plan here; nothing is done yet.",
        BadAnswer::Loops => "Write each thing once.",
        BadAnswer::Field { .. } => "Write the plan again, and put this right.",
        BadAnswer::Forbidden { .. } => "Plan without it, and do not name it.",
    };
    format!("YOUR LAST ANSWER WAS NOT USED\n{}{advice}\n", quoted(&bad.to_string()))
}
