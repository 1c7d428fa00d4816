//! The quality of prompts and answers, by counts that anybody can check (AFS 5.2.1).
//!
//! A score of a prompt counts what stands in it; a score of answers counts what the record shows of them. No opinion.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use super::check::{Outcome, outcome};
use super::computed::{Computed, Decimal, mean};
use super::step::{Call, Record, Step, Stop, What};
use super::text::{self, count};
use super::told::Told;
use super::turn::{Turn, turns};
use crate::kernel::call::CallKind;
use crate::kernel::id::EntryId;
use crate::kernel::settings::{Setting, Settings};
use crate::kernel::share::Share;

/// Words that leave open what is meant.
pub static VAGUE: Setting<Vec<String>> =
    Setting::new("analysis.eval.vague_words", vague, "words that leave open what is meant");

fn vague() -> Vec<String> {
    let words = [
        "something",
        "somehow",
        "someway",
        "stuff",
        "thing",
        "things",
        "whatever",
        "etc",
        "maybe",
        "better",
        "nicer",
        "properly",
        "appropriate",
        "appropriately",
        "various",
        "several",
        "some",
        "soon",
        "good",
        "nice",
        "clean",
        "improve",
        "optimize",
        "handle",
        "weird",
        "broken",
    ];
    words.map(str::to_owned).to_vec()
}

/// The quality of prompts (AFS 5.2.1): means over the prompts of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptQuality {
    /// How far it says what to do, and no more: a verb that asks, sentences that end, few vague words.
    pub clarity: Computed<Share>,
    /// How much is named: files, names of code, numbers, quoted text.
    pub specificity: Computed<Share>,
    /// How much of why and where is given: reasons, what was observed, what is wanted, limits.
    pub context_sufficiency: Computed<Share>,
    /// Vague words, and pronouns that nothing stands before.
    pub ambiguity_count: Computed<usize>,
}

/// The quality of answers (AFS 5.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResponseQuality {
    /// Turns with edits whose last check passed, of those that had a check.
    pub correctness: Computed<Share>,
    /// Turns after which the person was pleased, of those after which the person showed either.
    pub helpfulness: Computed<Share>,
    /// Prompts that were answered, of all.
    pub completeness: Computed<Share>,
    /// Signs of reasoning, of those that could be there, on 0 to 5.
    pub reasoning_quality: Computed<Decimal>,
}

/// A prompt, and what was counted in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// Its entry.
    pub entry: EntryId,
    /// See `PromptQuality`.
    pub clarity: Share,
    /// See `PromptQuality`.
    pub specificity: Share,
    /// See `PromptQuality`.
    pub context_sufficiency: Share,
    /// Vague words and pronouns without a noun, with their places in characters.
    pub ambiguous: Vec<Vague>,
    /// What the scores are of.
    pub of: String,
}

/// A word that leaves open what is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vague {
    /// The word.
    pub text: String,
    /// Where it begins, in characters.
    pub position: usize,
}

/// What of prompts and answers could be computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Eval {
    /// Of prompts.
    pub prompt_quality: PromptQuality,
    /// Of answers.
    pub response_quality: ResponseQuality,
    /// ½ ln(Var before / Var after), of the outcomes of checks before and after the first edit.
    pub information_gain: Computed<Decimal>,
    /// Every prompt.
    pub prompts: Vec<Prompt>,
    /// What the scores of answers stand on.
    pub evidence: Vec<super::told::Finding>,
    /// What each figure is of.
    pub basis: Basis,
}

/// What each figure is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// Of correctness.
    pub correctness: String,
    /// Of helpfulness.
    pub helpfulness: String,
    /// Of completeness.
    pub completeness: String,
    /// Of reasoning.
    pub reasoning_quality: String,
    /// Of information gain.
    pub information_gain: String,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: a pattern of ours")
}

static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:add|fix|make|create|write|update|remove|delete|change|implement|refactor|rename|move|run|test|check|review|explain|show|list|find|investigate|look|use|replace|convert|set|get|build|deploy|commit|push|merge|revert|undo|document|evaluate|analy[sz]e|improve|generate|read|switch|install|extract|split|try|continue|evaluate|compare|summari[sz]e|open|close|help|tell|give|ensure|verify|debug|bump|port|migrate|clean|simplify|reproduce|solve|complete|should|need|want|can you|could you|please|let's|why|how|what|where|when|which|who|does|is)\b",
    )
});
static NAMES: LazyLock<[(Regex, &str); 5]> = LazyLock::new(|| {
    [
        (
            regex(
                r"(?:[\w@.-]+/)+[\w@.\[\]()-]+|\b[\w-]+\.(?:rs|py|js|ts|tsx|jsx|go|rb|java|c|h|cpp|cs|php|md|json|ya?ml|toml|html|css|sh|sql|txt|lock|svelte|vue|kt|swift)\b",
            ),
            "files",
        ),
        (
            regex(
                r"`[^`\n]+`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\w+\(\)|--[a-z][\w-]+|\b\w+::\w+",
            ),
            "names of code",
        ),
        (regex(r"#\d+|\b\d+(?:\.\d+)*\b"), "numbers"),
        (regex("\"[^\"\n]{2,}\"|“[^”\n]{2,}”|(?:^|\\s)'[^'\n]{2,}'"), "quotes"),
        (regex(r"https?://\S+"), "addresses"),
    ]
});
static CONTEXT: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    [
        (regex(r"(?i)\b(?:because|since|so that|in order to|the reason|due to|otherwise|which means)\b"), "a reason"),
        (
            regex(
                r"(?i)\b(?:currently|right now|today|at the moment|i (?:see|get|got|noticed|tried|ran|have)|it (?:is|does|shows|says|fails|looks|seems)|when i|error|exception|fails?|traceback|showing|already|there (?:is|are))\b",
            ),
            "what is observed",
        ),
        (regex(r"(?i)\b(?:should|expect(?:ed)?|instead|want|need|must|goal|result|so it|rather)\b"), "what is wanted"),
        (
            regex(
                r"(?i)\b(?:only|don't|don’t|do not|without|must not|except|keep|at most|no more|never|just|avoid|unless|but)\b",
            ),
            "a limit",
        ),
    ]
});
static BARE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\W*(?:\w+ ){0,3}?(it|this|that|these|those|them)\b"));

/// So many names make a prompt as specific as it can be.
const NAMES_FOR_ALL: u64 = 4;

/// Looks at prompts and answers.
pub fn analyse(record: &Record, settings: &Settings) -> Eval {
    let vague: Vec<String> = settings.get(&VAGUE).iter().map(|word| word.to_lowercase()).collect();
    let turns = turns(&record.steps);
    let asked = turns.iter().filter_map(|turn| Some((turn.asked?, turn.prompt()?)));
    let prompts: Vec<_> =
        asked.filter(|(_, text)| !text.trim().is_empty()).map(|(step, text)| prompt(step, text, &vague)).collect();
    let mut basis = Basis::default();
    let mut evidence = Vec::new();
    let none = || "a prompt of a person".to_owned();
    let of = |score: fn(&Prompt) -> Share| Computed::of(mean(prompts.iter().map(score)), none);
    let ambiguous = prompts.iter().map(|prompt| prompt.ambiguous.len()).sum();
    Eval {
        prompt_quality: PromptQuality {
            clarity: of(|prompt| prompt.clarity),
            specificity: of(|prompt| prompt.specificity),
            context_sufficiency: of(|prompt| prompt.context_sufficiency),
            ambiguity_count: Computed::of((!prompts.is_empty()).then_some(ambiguous), none),
        },
        response_quality: ResponseQuality {
            correctness: correctness(&turns, &mut basis, &mut evidence),
            helpfulness: helpfulness(&turns, &mut basis, &mut evidence),
            completeness: completeness(&turns, &mut basis, &mut evidence),
            reasoning_quality: reasoning(record, &turns, &mut basis),
        },
        information_gain: gain(&record.steps, &mut basis),
        prompts,
        evidence,
        basis,
    }
}

fn of_all(some: u64, all: u64) -> Share {
    Share::of_count(some, all).unwrap_or_default()
}

fn prompt(step: &Step, prompt: &str, vague: &[String]) -> Prompt {
    let own = text::own_words(prompt, 4000);
    let prose = if own.trim().is_empty() { prompt.to_owned() } else { own };
    let ambiguous = ambiguous(&prose, vague);
    let words = text::words(&prose).count() as u64;
    let asks = ASKS.is_match(&prose);
    let sentences = prose.split(['.', '?', '!', '\n']).filter(|part| !part.trim().is_empty());
    let longest = sentences.map(|part| part.split_whitespace().count()).max().unwrap_or_default();
    // Three parts: it asks for something; no sentence runs over 40 words; few of its words are vague.
    let plain = 1000_u64.saturating_sub((ambiguous.len() as u64).saturating_mul(4000) / words.max(1));
    let parts =
        [if asks { 1000 } else { 0 }, if longest <= 40 { 1000 } else { 500 }, if words == 0 { 0 } else { plain }];
    let clarity = of_all(parts.iter().sum(), 3000);
    let named: Vec<_> =
        NAMES.iter().map(|(names, what)| (names.find_iter(prompt).take(100).count() as u64, *what)).collect();
    let specificity = of_all(named.iter().map(|(count, _)| *count).sum::<u64>().min(NAMES_FOR_ALL), NAMES_FOR_ALL);
    let context: Vec<_> = CONTEXT.iter().filter(|(sign, _)| sign.is_match(prompt)).map(|(_, what)| *what).collect();
    let context_sufficiency = of_all(context.len() as u64, CONTEXT.len() as u64);
    let counts = named.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let of = format!(
        "{}{}; names {}; gives {}",
        count(usize::try_from(words).unwrap_or(usize::MAX), "word", "words"),
        if asks { "" } else { ", asks for nothing" },
        if counts.is_empty() { "nothing" } else { &counts },
        if context.is_empty() { "no context".to_owned() } else { context.join(", ") },
    );
    Prompt { entry: step.id, clarity, specificity, context_sufficiency, ambiguous, of }
}

/// Vague words, and a pronoun that stands before anything it could stand for.
fn ambiguous(prose: &str, vague: &[String]) -> Vec<Vague> {
    let mut places = text::Places::new(prose);
    let bare = BARE.captures(prose).and_then(|found| found.get(1)).map(|found| found.range());
    let mut found: Vec<_> = words_with_places(prose)
        .filter(|(at, word)| {
            vague.contains(&word.to_lowercase()) || bare.as_ref().is_some_and(|bare| bare.start == *at)
        })
        .collect();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(at, word)| Vague { text: word.to_owned(), position: places.character(at) }).collect()
}

fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    words.map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn finding(kind: &str, text: String, entries: Vec<EntryId>) -> super::told::Finding {
    super::told::Finding { kind: kind.to_owned(), text, entries }
}

/// Turns with edits: how their last check ended.
fn correctness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<super::told::Finding>) -> Computed<Share> {
    let (mut right, mut checked, mut edited) = (0, 0, 0);
    for turn in turns {
        let last_edit = turn.calls().filter(|(_, call)| call.kind == CallKind::Edit && call.is_ok()).next_back();
        let Some((edit, _)) = last_edit else { continue };
        edited += 1;
        let checks = turn.calls().filter(|(step, _)| step.id > edit.id);
        let Some((step, ended)) = checks.filter_map(|(step, call)| Some((step, outcome(call)?))).next_back() else {
            continue;
        };
        checked += 1;
        right += u64::from(ended == Outcome::Passed);
        let text = if ended == Outcome::Passed {
            "the last check after the edits passed"
        } else {
            "the last check after the edits failed"
        };
        evidence.push(finding("correctness", text.to_owned(), vec![edit.id, step.id]));
    }
    basis.correctness = format!("{right} of {} with edits and a check after them", count(checked, "turn", "turns"));
    let missing = || format!("a test run or build after edits ({} with edits)", count(edited, "turn", "turns"));
    Computed::of(Share::of_count(right, checked as u64), missing)
}

/// What the person showed after a turn: words, a stop, a command that takes it back.
fn helpfulness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<super::told::Finding>) -> Computed<Share> {
    let (mut good, mut shown) = (0, 0);
    for pair in turns.windows(2) {
        if !pair[0].is_answered() {
            continue;
        }
        let words = pair[1].prompt().map(|text| text::own_words(text, 2000)).unwrap_or_default();
        let stopped = pair[0].steps.iter().rev().find(|step| takes_back(step));
        let (is_good, step) = if let Some(step) = stopped {
            (false, step)
        } else if super::emotional::is_displeased(&words) {
            (false, pair[1].asked.unwrap_or(&pair[0].steps[0]))
        } else if super::emotional::is_pleased(&words) {
            (true, pair[1].asked.unwrap_or(&pair[0].steps[0]))
        } else {
            continue;
        };
        shown += 1;
        good += u64::from(is_good);
        let what = if is_good { "the person was pleased" } else { "the person was not content" };
        evidence.push(finding("helpfulness", what.to_owned(), vec![step.id]));
    }
    basis.helpfulness = format!("{good} of {} that the person showed", count(shown, "reaction", "reactions"));
    Computed::of(Share::of_count(good, shown as u64), || {
        "a reaction of the person that shows praise or displeasure".to_owned()
    })
}

fn takes_back(step: &Step) -> bool {
    match &step.what {
        What::Stopped(Stop::Rejected { .. } | Stop::Interrupted) => true,
        What::Typed(text) => text.trim_start_matches('/').starts_with("undo"),
        What::Stopped(Stop::Denied { .. })
        | What::Asked(_)
        | What::Said(_)
        | What::Thought(_)
        | What::Called(_)
        | What::Failed
        | What::Began(_)
        | What::Noted => false,
    }
}

/// Prompts after which the agent said something before the next.
fn completeness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<super::told::Finding>) -> Computed<Share> {
    let asked: Vec<_> = turns.iter().filter(|turn| turn.asked.is_some()).collect();
    let open: Vec<_> = asked.iter().filter(|turn| turn.last_word().is_none() && !turn.is_answered()).collect();
    for turn in &open {
        let entries = turn.asked.map(|step| step.id).into_iter().collect();
        evidence.push(finding("completeness", "a prompt without an answer before the next".to_owned(), entries));
    }
    let answered = asked.len() - open.len();
    basis.completeness = format!("{answered} of {} answered", count(asked.len(), "prompt", "prompts"));
    Computed::of(Share::of_count(answered as u64, asked.len() as u64), || "a prompt of a person".to_owned())
}

/// Five signs, each asked of the turns where it could be there: thinking, a plan, looking before changing, checking after
/// it, an answer with reasons.
fn reasoning(record: &Record, turns: &[Turn<'_>], basis: &mut Basis) -> Computed<Decimal> {
    let records_thinking = record.steps.iter().any(|step| matches!(step.what, What::Thought(_)));
    let acting: Vec<_> = turns.iter().filter(|turn| turn.calls().next().is_some()).collect();
    let is = |kind: CallKind| move |call: &Call| call.kind == kind;
    let has = |turn: &Turn<'_>, fits: &dyn Fn(&Call) -> bool| turn.calls().any(|(_, call)| fits(call));
    let editing: Vec<_> = acting.iter().filter(|turn| has(turn, &is(CallKind::Edit))).collect();
    let long: Vec<_> = acting.iter().filter(|turn| turn.calls().nth(7).is_some()).collect();
    let thinks =
        acting.iter().filter(|turn| turn.steps.iter().any(|step| matches!(step.what, What::Thought(_)))).count();
    let plans = long.iter().filter(|turn| has(turn, &is(CallKind::Plan))).count();
    let looks = editing.iter().filter(|turn| {
        let first =
            turn.calls().find(|(_, call)| matches!(call.kind, CallKind::Read | CallKind::Search | CallKind::Edit));
        first.is_some_and(|(_, call)| call.kind != CallKind::Edit)
    });
    let looks = looks.count();
    let checks = editing.iter().filter(|turn| has(turn, &|call| call.check.is_some())).count();
    let said: Vec<_> = acting.iter().filter_map(|turn| turn.last_word()).collect();
    let reasons = said.iter().filter(|(_, text)| CONTEXT[0].0.is_match(text) || NAMES[0].0.is_match(text)).count();
    let signs = [
        ("thinks", thinks, if records_thinking { acting.len() } else { 0 }),
        ("plans long work", plans, long.len()),
        ("looks before editing", looks, editing.len()),
        ("checks after editing", checks, editing.len()),
        ("says why or where", reasons, said.len()),
    ];
    let could: Vec<_> = signs.into_iter().filter(|(_, _, of)| *of > 0).collect();
    basis.reasoning_quality =
        could.iter().map(|(what, some, of)| format!("{what} {some}/{of}")).collect::<Vec<_>>().join(", ");
    let scores = could.iter().filter_map(|(_, some, of)| Share::of_count(*some as u64, *of as u64));
    let score = mean(scores).map(|share| Decimal::thousandths(i64::from(share.in_thousandths()) * 5));
    Computed::of(score, || "a turn with a call".to_owned())
}

/// ΔI = ½ ln(Var[Y|before] / Var[Y|after]), Y being whether a check passes, the first edit standing between.
fn gain(steps: &[Step], basis: &mut Basis) -> Computed<Decimal> {
    let edit = steps.iter().find(|step| step.call().is_some_and(|call| call.kind == CallKind::Edit && call.is_ok()));
    let Some(edit) = edit else { return Computed::missing("an edit between two groups of checks") };
    let outcomes = |is_before: bool| {
        let side = steps.iter().filter(move |step| (step.id < edit.id) == is_before);
        let ended: Vec<_> = side.filter_map(|step| outcome(step.call()?)).collect();
        let passed = ended.iter().filter(|outcome| **outcome == Outcome::Passed).count();
        (passed, ended.len())
    };
    let (before, after) = (outcomes(true), outcomes(false));
    basis.information_gain = format!(
        "{} of {} checks passed before the first edit, {} of {} after it",
        before.0, before.1, after.0, after.1
    );
    information_gain(before, after)
}

/// The formula, of so many of so many passed before and after.
pub fn information_gain(before: (usize, usize), after: (usize, usize)) -> Computed<Decimal> {
    let short = |side: &str, (passed, all): (usize, usize)| match all {
        0 | 1 => Some(format!("two checks {side} the first edit (there were {all})")),
        _ if passed == 0 || passed == all => {
            Some(format!("checks {side} the first edit that ended differently (their variance is 0)"))
        }
        _ => None,
    };
    if let Some(missing) = short("before", before).or_else(|| short("after", after)) {
        return Computed::missing(missing);
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody runs so many checks")]
    let variance = |(passed, all): (usize, usize)| {
        let share = passed as f64 / all as f64;
        share * (1.0 - share)
    };
    let gain = 0.5 * libm::log(variance(before) / variance(after));
    Computed::of(Decimal::of(gain), || "variances that can be compared".to_owned())
}

impl Eval {
    /// As it reads.
    pub fn told(&self) -> Told {
        let (prompt, response) = (&self.prompt_quality, &self.response_quality);
        let mut told = Told { findings: self.evidence.clone(), ..Told::default() };
        let prompts = format!("the mean of {}", count(self.prompts.len(), "prompt", "prompts"));
        told.figure(
            "prompt_quality.clarity",
            &prompt.clarity,
            format!("{prompts}: asks, short sentences, few vague words"),
        );
        told.figure(
            "prompt_quality.specificity",
            &prompt.specificity,
            format!("{prompts}: files, names, numbers, quotes"),
        );
        told.figure(
            "prompt_quality.context_sufficiency",
            &prompt.context_sufficiency,
            format!("{prompts}: reasons, observations, wishes, limits"),
        );
        told.figure(
            "prompt_quality.ambiguity_count",
            &prompt.ambiguity_count,
            "vague words and pronouns without a noun",
        );
        told.figure("response_quality.correctness", &response.correctness, &*self.basis.correctness);
        told.figure("response_quality.helpfulness", &response.helpfulness, &*self.basis.helpfulness);
        told.figure("response_quality.completeness", &response.completeness, &*self.basis.completeness);
        told.figure(
            "response_quality.reasoning_quality",
            &response.reasoning_quality,
            format!("0 to 5: {}", self.basis.reasoning_quality),
        );
        told.figure("information_gain", &self.information_gain, &*self.basis.information_gain);
        for prompt in &self.prompts {
            let vague: Vec<_> =
                prompt.ambiguous.iter().map(|vague| format!("\"{}\" at {}", vague.text, vague.position)).collect();
            let vague = if vague.is_empty() { String::new() } else { format!("; vague: {}", vague.join(", ")) };
            let scores = format!(
                "clear {}, specific {}, context {}",
                prompt.clarity, prompt.specificity, prompt.context_sufficiency
            );
            told.find("prompt", format!("{scores}: {}{vague}", prompt.of), &[prompt.entry]);
        }
        told
    }
}
