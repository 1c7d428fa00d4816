//! The eight rules, held against a comment and the thread that it would come into (control-room 3.2, decisions 6 to 11, 58).

use super::alarm;
use super::echo::echo;
use super::limits::Limits;
use super::reading::{length, unique_words};
use super::rule::{BreakerRule, Check, Found, ViolationSeverity};
use super::thread::Thread;
use annals_kernel::grounding::{Impact, Stance};
use annals_kernel::grounds::Grounds;
use annals_kernel::id::AgentId;

/// Whether evidence that code found true is new in a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A file, or a second place of one, that nobody cited there before.
    New,
    /// None, or what was cited there already.
    Known,
}

/// A comment that is not in the thread yet.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'d> {
    /// Who says it.
    pub author: &'d AgentId,
    /// What it says.
    pub body: &'d str,
    /// For, against, or neither.
    pub stance: Stance,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// How much of what it cites is evidence (decisions 11, 14).
    pub grounds: Grounds,
    /// Whether it brings evidence that the thread does not have.
    pub ground: Ground,
}

/// A comment of the thread.
#[derive(Debug, Clone, Copy)]
pub struct CommentTurn<'t> {
    /// Who said it.
    pub author: &'t AgentId,
    /// Whether it is an agent's: other words count in nobody's budget, total or ping-pong (decision 7).
    pub speaker: Speaker,
    /// Whether it brought evidence that the thread did not have.
    pub ground: Ground,
}

/// Whose words count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// An agent's.
    Agent,
    /// The user's, or those of the rules.
    Other,
}

/// The thread that a comment would come into.
#[derive(Debug, Clone, Copy)]
pub struct Discussion<'t> {
    /// Its comments of this epoch.
    pub turns: &'t [CommentTurn<'t>],
    /// What was said and cited in all of it.
    pub known: &'t Thread,
}

/// Holds every rule against a comment, in the order of control-room 3.2; `echo` is the last.
pub fn judge(draft: &Draft<'_>, thread: &Discussion<'_>, limits: &Limits) -> Vec<Check> {
    let by_agents: Vec<_> = thread.turns.iter().filter(|turn| turn.speaker == Speaker::Agent).collect();
    let mut checks = vec![
        budget(draft, &by_agents, limits),
        total(&by_agents, limits),
        substance(draft, limits),
        vocabulary(draft, limits),
        escalation(draft, limits),
        ping_pong(draft, thread.turns, limits),
        evidence(draft, limits),
    ];
    checks.extend(echo(draft, thread.known, limits));
    checks
}

/// Holds the rules of words against title and text of an issue. A line may say all there is; a text as long as a comment
/// must have as many different words.
pub(crate) fn judge_issue(author: &AgentId, title: &str, text: &str, limits: &Limits) -> Vec<Check> {
    let (both, stance) = (format!("{title}\n\n{text}"), Stance::Neutral);
    let (grounds, ground) = (Grounds::default(), Ground::Known);
    let draft = |body| Draft { author, body, stance, impact: None, grounds, ground };
    let mut checks = vec![escalation(&draft(&both), limits)];
    // A title and a line are enough for an issue; only a text as long as a comment is held to a comment's words.
    if length(text) >= limits.min_length as usize {
        checks.push(vocabulary(&draft(text), limits));
    }
    checks.into_iter().map(rejects).collect()
}

/// Holds against an opinion of a blind pass what a comment's words must be like. Its author saw no thread, so nothing is
/// asked that depends on one.
pub(crate) fn judge_opinion(author: &AgentId, body: &str, limits: &Limits) -> Vec<Check> {
    let (grounds, ground) = (Grounds::default(), Ground::Known);
    let draft = Draft { author, body, stance: Stance::Neutral, impact: None, grounds, ground };
    [substance(&draft, limits), vocabulary(&draft, limits), escalation(&draft, limits)].map(rejects).into()
}

/// There is no discussion that could be frozen.
fn rejects(check: Check) -> Check {
    Check { violation: check.violation.map(|_| ViolationSeverity::Reject), ..check }
}

pub(super) fn check(
    rule: BreakerRule,
    value: usize,
    limit: usize,
    violation: Option<ViolationSeverity>,
    found: Found,
) -> Check {
    Check { rule, value: value as u64, limit: limit as u64, violation, found, message: None }
}

fn budget(draft: &Draft<'_>, thread: &[&CommentTurn<'_>], limits: &Limits) -> Check {
    let (used, most) =
        (thread.iter().filter(|turn| turn.author == draft.author).count(), limits.max_per_agent as usize);
    let found = Found { agent: Some(draft.author.clone()), ..Found::default() };
    check(BreakerRule::CommentBudgetExceeded, used, most, (used >= most).then_some(ViolationSeverity::Freeze), found)
}

fn total(thread: &[&CommentTurn<'_>], limits: &Limits) -> Check {
    let (has, most) = (thread.len(), limits.max_total as usize);
    check(
        BreakerRule::IssueCommentLimit,
        has,
        most,
        (has >= most).then_some(ViolationSeverity::Freeze),
        Found::default(),
    )
}

fn substance(draft: &Draft<'_>, limits: &Limits) -> Check {
    let (length, least) = (length(draft.body), limits.min_length as usize);
    check(
        BreakerRule::InsufficientSubstance,
        length,
        least,
        (length < least).then_some(ViolationSeverity::Reject),
        Found::default(),
    )
}

fn vocabulary(draft: &Draft<'_>, limits: &Limits) -> Check {
    let (words, least) = (unique_words(draft.body), limits.min_unique_words as usize);
    check(
        BreakerRule::LowVocabulary,
        words,
        least,
        (words < least).then_some(ViolationSeverity::Reject),
        Found::default(),
    )
}

/// Words of alarm: so many different ones, or, where the preset has a share, so many in a hundred words (decision 59).
fn escalation(draft: &Draft<'_>, limits: &Limits) -> Check {
    let alarm = alarm::heard(draft.body, limits);
    let most = limits.max_keywords as usize;
    let (count, most) = match limits.max_keyword_percent as usize {
        0 => (alarm.keywords.len(), most),
        // A share, because a long report of a fault says "critical" more often than a short one, and is no louder
        // (decision 59).
        percent => (alarm.said, most.max(alarm.words * percent / 100)),
    };
    let found = Found { keywords: alarm.keywords, ..Found::default() };
    check(BreakerRule::EscalationLanguage, count, most, (count > most).then_some(ViolationSeverity::Freeze), found)
}

/// Alternations in the trailing run that holds only the author and the one who spoke last, without the turns that brought
/// new evidence (decision 10). A word of the user ends the run.
fn ping_pong(draft: &Draft<'_>, thread: &[CommentTurn<'_>], limits: &Limits) -> Check {
    let most = limits.max_alternations as usize;
    // The user's words count in nobody's ping-pong (decision 7), so that they end the run.
    let late = thread.iter().rev().take_while(|turn| turn.speaker == Speaker::Agent);
    // A turn with new evidence moves the discussion on, which is what the rule wants (decision 10).
    let late: Vec<_> = late.filter(|turn| turn.ground == Ground::Known).map(|turn| turn.author).collect();
    let is_counted = draft.ground == Ground::Known;
    let other = late.first().copied().filter(|author| is_counted && *author != draft.author);
    let alternations = other.map_or(0, |other| alternations(draft.author, other, &late));
    let found = Found { agent: Some(draft.author.clone()), other: other.cloned(), ..Found::default() };
    check(
        BreakerRule::PingPongDetected,
        alternations,
        most,
        (alternations > most).then_some(ViolationSeverity::Freeze),
        found,
    )
}

fn alternations(author: &AgentId, other: &AgentId, late: &[&AgentId]) -> usize {
    let run = late.iter().copied().take_while(|name| *name == author || *name == other);
    let run: Vec<_> = std::iter::once(author).chain(run).collect();
    run.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn evidence(draft: &Draft<'_>, limits: &Limits) -> Check {
    let severity =
        if limits.freeze_on_missing_evidence { ViolationSeverity::Freeze } else { ViolationSeverity::Reject };
    let (files, others) = (usize::from(draft.grounds.files), usize::from(draft.grounds.others));
    let Some(impact) = draft.impact.filter(|impact| *impact >= limits.evidence_from) else {
        let found = Found { impact: Some(limits.evidence_from), ..Found::default() };
        return check(BreakerRule::MissingEvidenceForImpact, files + others, 0, None, found);
    };
    let (is_grounded, least) = match impact {
        // One file and one reference to an issue or to canon (decision 11).
        Impact::CanonChanging => (files > 0 && others > 0, 2),
        // A reference to canon is one to the issue that it came from.
        Impact::Structural | Impact::Minor | Impact::Cosmetic => (files + others > 0, 1),
    };
    let found = Found { impact: Some(impact), files: Some(files as u64), ..Found::default() };
    check(BreakerRule::MissingEvidenceForImpact, files + others, least, (!is_grounded).then_some(severity), found)
}
