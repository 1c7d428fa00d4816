//! Tools about debates: `debate_gate`, `debate_request` and `debate_say`.

use annals_mcp::ToolEffect;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ask::Ask;
use super::line::CommandLine;
use super::tools::{Reply, Tool};
use super::wire::{DecidedAnswer, GateToolAnswer, GateWord};
use crate::cli::debate::gate::{ASK, DEBATE, ESCALATE};
use crate::cli::shell::CommandOutcome;

/// Arguments of `debate_gate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GateTool {
    /// What you are about to do, in the words in which it was asked for.
    task: String,
    /// How, where that is more than the task says.
    plan: Option<String>,
    /// How many files would be touched.
    files: Option<u32>,
}

impl Tool for GateTool {
    const NAME: &'static str = "debate_gate";
    const TITLE: &'static str = "Ask before an attempt";
    const ABOUT: &'static str = "Ask this before a dangerous or repeated attempt: go, debate first, let a person decide, or \
        say whether it is the same task as another one. Records nothing.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = GateToolAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<GateToolAnswer>> {
        let line = CommandLine::of("debate gate")
            .option("plan", self.plan)
            .option("files", self.files.map(|files| files.to_string()))
            .value(self.task);
        let ran = ask.lines(&line)?;
        let verdict = match ran.outcome {
            CommandOutcome::Done => GateWord::Go,
            CommandOutcome::Exit(DEBATE) => GateWord::Debate,
            CommandOutcome::Exit(ESCALATE) => GateWord::Escalate,
            CommandOutcome::Exit(ASK) => GateWord::Ask,
            CommandOutcome::Refused | CommandOutcome::Exit(_) => anyhow::bail!("BUG: the gate has four answers"),
        };
        Ok(Reply::Done(GateToolAnswer { verdict, says: ran.printed.lines().map(str::to_owned).collect() }))
    }
}

/// Arguments of `debate_request`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestTool {
    /// The task.
    task: String,
    /// How it would be done, where that is more than the task says.
    plan: Option<String>,
    /// Whether it is about what failed, and not about a plan.
    #[serde(default)]
    failure: bool,
    /// 1 to 3 [default: 1].
    rounds: Option<u8>,
}

impl Tool for RequestTool {
    const NAME: &'static str = "debate_request";
    const TITLE: &'static str = "Begin a debate";
    const ABOUT: &'static str = "Begins a debate about a plan, or about what failed. The event has its id; an advocate and a \
        critic then speak with debate_say.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        let line = CommandLine::of("debate request")
            .option("plan", self.plan)
            .option("rounds", self.rounds.map(|rounds| rounds.to_string()))
            .flag(self.failure.then_some("failure"))
            .value(self.task);
        ask.decide(&line)
    }
}

/// Arguments of `debate_say`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SayTool {
    /// Which debate: its id, or either end of it.
    debate: String,
    /// For which side: advocate speaks for it, critic against it.
    side: SideWord,
    /// Advocate of a plan: why it is right.
    claim: Option<String>,
    /// What backs that.
    #[serde(default)]
    supports: Vec<String>,
    /// How sure you are, 0 to 1.
    confidence: Option<f64>,
    /// Advocate after a failure: why it failed.
    diagnosis: Option<String>,
    /// What to do.
    fix: Option<String>,
    /// The difference to earlier attempts.
    diff: Option<String>,
    /// Critic of a plan: the objection.
    objection: Option<String>,
    /// How grave it is.
    severity: Option<SeverityWord>,
    /// What may happen.
    #[serde(default)]
    risks: Vec<String>,
    /// What to do instead.
    counter: Option<String>,
    /// Critic after a failure: what the failures have in common.
    pattern: Option<String>,
    /// What the advocate does not see.
    blind_spot: Option<String>,
    /// Whether a person should decide.
    #[serde(default)]
    escalate: bool,
}

/// A side of a debate.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SideWord {
    Advocate,
    Critic,
}

/// How grave an objection is.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SeverityWord {
    Low,
    Medium,
    High,
}

impl SeverityWord {
    fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl Tool for SayTool {
    const NAME: &'static str = "debate_say";
    const TITLE: &'static str = "Speak in a debate";
    const ABOUT: &'static str = "Speaks for one side of a debate. Advocate of a plan: claim and confidence; after a failure: \
        diagnosis, fix and diff. Critic of a plan: objection and severity; after a failure: pattern, or escalate. No agent \
        takes both sides.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        let side = match self.side {
            SideWord::Advocate => "debate advocate",
            SideWord::Critic => "debate critic",
        };
        // What belongs to the other side is an option that this one does not have, and is named.
        let line = CommandLine::of(side)
            .option("claim", self.claim)
            .each("support", self.supports)
            .option("confidence", self.confidence.map(|confidence| confidence.to_string()))
            .option("diagnosis", self.diagnosis)
            .option("fix", self.fix)
            .option("diff", self.diff)
            .option("objection", self.objection)
            .option("severity", self.severity.map(SeverityWord::word))
            .each("risk", self.risks)
            .option("counter", self.counter)
            .option("pattern", self.pattern)
            .option("blind-spot", self.blind_spot)
            .flag(self.escalate.then_some("escalate"))
            .value(self.debate);
        ask.decide(&line)
    }
}
