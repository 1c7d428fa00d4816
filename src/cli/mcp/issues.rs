//! Tools about issues: `issue_next`, `issue_read`, `issue_open`, `issue_comment` and `issue_check`.

use annals_mcp::ToolEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Ask;
use super::line::CommandLine;
use super::pages::{budget, page, part, question};
use super::tools::{Reply, Tool};
use super::wire::{
    CheckAnswer, DecidedAnswer, IssueAnswer, NextAnswer, PageAnswer, RefusalAnswer, RuleAnswer, VoteAnswer,
};
use crate::cli::shell::clean;
use crate::domain::Rooms;
use crate::domain::council::session::CouncilSession;
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::view::asked::asked_of;

/// Arguments of `issue_next`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NextTool {
    /// How many tokens the list of issues may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

/// So many issues and councils are looked at.
const LOOKED_AT: usize = 200;
/// A value that is voted on is cut here, in characters.
const MOST_CHARS: usize = 400;

impl Tool for NextTool {
    const NAME: &'static str = "issue_next";
    const TITLE: &'static str = "See what waits";
    const ABOUT: &'static str = "What waits for you: dissent and opinions that you are asked for, votes, and issues that \
        nothing blocks, yours first.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = NextAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<NextAnswer>> {
        let shell = ask.shell();
        let engine = shell.engine()?;
        let agent = shell.actor();
        let (asked, votes) = engine.ask(|world| (asked_of(&world.rooms, &agent), votes(&world.rooms, &agent)))?;
        let (ready, _) = ask.json(&CommandLine::of("issue ready").option("lines", Some(LOOKED_AT.to_string())))?;
        let mut issues: Vec<IssueAnswer> = serde_json::from_value(ready["issues"].clone())?;
        // The order among equals stays: by what matters.
        issues.sort_by_key(|issue| issue.assignee.as_deref() != Some(agent.as_str()));
        let question = question(Self::NAME, &json!(agent.as_str()));
        let page = page(&ask.bench.seals, &question, self.cursor.as_deref(), issues, budget(self.tokens))?;
        Ok(Reply::Done(NextAnswer {
            agent: agent.to_string(),
            asked: asked.iter().map(|line| clean(&engine, line)).collect(),
            votes: votes.into_iter().map(|vote| cleaned(&engine, vote)).collect(),
            issues: page.items,
            left: page.left,
            next_cursor: page.next,
        }))
    }
}

/// Councils that wait for a vote of an agent.
fn votes(rooms: &Rooms, agent: &AgentId) -> Vec<VoteAnswer> {
    let waiting = rooms.council.awaiting(agent, &rooms.roster.standing(agent), LOOKED_AT).into_iter();
    let answer = |(id, council): (&str, &CouncilSession)| VoteAnswer {
        council: id.to_owned(),
        key: council.entry_key.to_string(),
        current: council.current_value.to_string(),
        proposed: council.proposed_value.to_string(),
        because: council.contest_reason.to_string(),
    };
    waiting.map(answer).collect()
}

fn cleaned(engine: &Engine, vote: VoteAnswer) -> VoteAnswer {
    let short = |text: &str| clean(engine, &text.chars().take(MOST_CHARS).collect::<String>());
    VoteAnswer {
        key: short(&vote.key),
        current: short(&vote.current),
        proposed: short(&vote.proposed),
        because: short(&vote.because),
        ..vote
    }
}

/// Arguments of `issue_read`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadTool {
    /// Its number, such as 42 or 42b, or either end of its id.
    issue: String,
    /// How many tokens the answer may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

impl Tool for ReadTool {
    const NAME: &'static str = "issue_read";
    const TITLE: &'static str = "Read an issue";
    const ABOUT: &'static str = "An issue with its whole thread. That you read it is recorded.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = PageAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<PageAnswer>> {
        let text = shown(ask, &self.issue)?;
        let question = question(Self::NAME, &json!(self.issue));
        let (text, next_cursor) =
            part(&ask.bench.seals, &question, self.cursor.as_deref(), &text, budget(self.tokens))?;
        Ok(Reply::Done(PageAnswer { of: self.issue, text, next_cursor }))
    }
}

/// An issue as people read it.
pub(super) fn shown(ask: &Ask<'_>, issue: &str) -> anyhow::Result<String> {
    Ok(ask.lines(&CommandLine::of("issue show").value(issue))?.printed)
}

/// Arguments of `issue_open`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenTool {
    /// A line.
    title: String,
    /// What it is about, in Markdown.
    body: Option<String>,
    /// Who is to take care of it.
    assignee: Option<String>,
    /// low, normal, high or critical [default: normal].
    priority: Option<PriorityWord>,
    /// Tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Issues that belong to it.
    #[serde(default)]
    related: Vec<String>,
}

/// How much an issue matters.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PriorityWord {
    Low,
    Normal,
    High,
    Critical,
}

impl PriorityWord {
    fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl Tool for OpenTool {
    const NAME: &'static str = "issue_open";
    const TITLE: &'static str = "Open an issue";
    const ABOUT: &'static str = "Opens an issue for what is to be decided or done by others. The event has its number.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        let line = CommandLine::of("issue new")
            .option("body", self.body)
            .option("assignee", self.assignee)
            .option("priority", self.priority.map(PriorityWord::word))
            .each("tag", self.tags)
            .each("related", self.related)
            .value(self.title);
        ask.decide(&line)
    }
}

/// Arguments of `issue_comment`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommentTool {
    /// On which issue: its number, such as 42 or 42b, or either end of its id.
    issue: String,
    /// What you say, with your reasons. Comments are few: say everything in one.
    text: String,
    /// support, oppose or neutral [default: neutral].
    stance: Option<StanceWord>,
    /// How much it would change.
    impact: Option<ImpactWord>,
    /// Places in files that back it. Code checks each of them.
    #[serde(default)]
    files: Vec<CitedFile>,
    /// Issues that back it.
    #[serde(default)]
    issues: Vec<String>,
    /// Entries of canon that back it: KEY or KEY@VERSION.
    #[serde(default)]
    canon: Vec<String>,
}

/// Arguments of `issue_check`: those of a comment.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckCommentTool {
    /// On which issue: its number, such as 42 or 42b, or either end of its id.
    issue: String,
    /// What you would say.
    text: String,
    /// support, oppose or neutral [default: neutral].
    stance: Option<StanceWord>,
    /// How much it would change.
    impact: Option<ImpactWord>,
    /// Places in files that back it.
    #[serde(default)]
    files: Vec<CitedFile>,
    /// Issues that back it.
    #[serde(default)]
    issues: Vec<String>,
    /// Entries of canon that back it: KEY or KEY@VERSION.
    #[serde(default)]
    canon: Vec<String>,
}

/// What a comment says to a proposal.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StanceWord {
    Support,
    Oppose,
    Neutral,
}

/// How much something would change.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ImpactWord {
    Cosmetic,
    Minor,
    Structural,
    CanonChanging,
}

/// A place in a file of the project.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CitedFile {
    /// The path, with lines: src/a.rs:10-20.
    place: String,
    /// What stands there, word by word.
    quote: String,
}

impl StanceWord {
    fn word(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Oppose => "oppose",
            Self::Neutral => "neutral",
        }
    }
}

impl ImpactWord {
    fn word(self) -> &'static str {
        match self {
            Self::Cosmetic => "cosmetic",
            Self::Minor => "minor",
            Self::Structural => "structural",
            Self::CanonChanging => "canon-changing",
        }
    }
}

impl CommentTool {
    fn line(self) -> CommandLine {
        let (places, quotes): (Vec<_>, Vec<_>) = self.files.into_iter().map(|file| (file.place, file.quote)).unzip();
        CommandLine::of("issue comment")
            .option("stance", self.stance.map(StanceWord::word))
            .option("impact", self.impact.map(ImpactWord::word))
            .each("file", places)
            .each("quote", quotes)
            .each("issue", self.issues)
            .each("canon", self.canon)
            .value(self.issue)
            .value(self.text)
    }
}

impl Tool for CommentTool {
    const NAME: &'static str = "issue_comment";
    const TITLE: &'static str = "Comment on an issue";
    const ABOUT: &'static str = "Says something on an issue. Rules count comments, words and evidence, and may refuse; \
        issue_check says beforehand what they would answer.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        ask.decide(&self.line())
    }
}

impl Tool for CheckCommentTool {
    const NAME: &'static str = "issue_check";
    const TITLE: &'static str = "Check a comment";
    const ABOUT: &'static str = "What the rules would say of a comment, rule by rule. Records nothing, and uses up none of \
        your comments.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = CheckAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<CheckAnswer>> {
        let Self { issue, text, stance, impact, files, issues, canon } = self;
        let line = CommentTool { issue, text, stance, impact, files, issues, canon }.line().flag(Some("check"));
        let (value, _) = ask.json(&line)?;
        let rule = |check: &Value| RuleAnswer {
            rule: check["rule"].as_str().unwrap_or_default().to_owned(),
            verdict: check["violation"].as_str().unwrap_or("ok").to_owned(),
            value: check["value"].as_u64().unwrap_or_default(),
            limit: check["limit"].as_u64().unwrap_or_default(),
        };
        let refusal: Option<RefusalAnswer> = serde_json::from_value(value["refusal"].clone())?;
        Ok(Reply::Done(CheckAnswer {
            passes: value["passes"].as_bool().unwrap_or_default(),
            refusal,
            rules: value["rules"].as_array().into_iter().flatten().map(rule).collect(),
        }))
    }
}
