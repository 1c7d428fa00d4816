//! Tools about what holds, and what is decided together: `canon_check` and `vote`.

use annals_mcp::ToolEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::ask::Ask;
use super::line::CommandLine;
use super::tools::{Reply, Tool};
use super::wire::{CanonAnswer, ConflictAnswer, DecidedAnswer};

/// Arguments of `canon_check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CanonCheckTool {
    /// The text.
    text: String,
    /// Claims that it does not say plainly: "Seryn | eyes | green".
    #[serde(default)]
    claims: Vec<String>,
}

impl Tool for CanonCheckTool {
    const NAME: &'static str = "canon_check";
    const TITLE: &'static str = "Check a text against canon";
    const ABOUT: &'static str = "Whether a text contradicts what holds in the project. That you noticed a contradiction is \
        recorded, and counts for you; the team lead settles it.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = CanonAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<CanonAnswer>> {
        // A text of several lines is never taken for the name of a file.
        let line = CommandLine::of("canon check").each("claim", self.claims).value(format!("{}\n", self.text));
        let (value, _) = ask.json(&line)?;
        if let Some(message) = value["refusal"]["message"].as_str() {
            let said = format!("refused: {message}");
            return Ok(Reply::Refused(answer(&value), said));
        }
        Ok(Reply::Done(answer(&value)))
    }
}

fn answer(value: &Value) -> CanonAnswer {
    let recorded = value["events"].as_array().into_iter().flatten().filter_map(|event| event["data"].get("conflicts"));
    let found = value.get("conflicts").into_iter().chain(recorded);
    let conflicts: Vec<_> = found.filter_map(Value::as_array).flatten().map(conflict).collect();
    CanonAnswer {
        contradicts: !conflicts.is_empty(),
        compared: value["claims"].as_array().map(Vec::len),
        conflicts,
        entry: value["entry"].as_str().map(str::to_owned),
    }
}

fn conflict(value: &Value) -> ConflictAnswer {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let claim = &value["claim"];
    let claimed = ["subject", "attribute", "value"].map(|part| text(&claim[part])).join(" | ");
    let (key, holds) = (text(&value["key"]), text(&value["value"]));
    let said = value["said"].as_str().map(|said| format!(" (\"{said}\")")).unwrap_or_default();
    ConflictAnswer { claimed, canon: format!("{key}: {holds}{said}") }
}

/// Arguments of `vote`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VoteTool {
    /// Which council: its id or either end of it, or the key that it is about.
    council: String,
    /// approve or reject.
    vote: VoteWord,
    /// How sure you are, 0 to 1.
    confidence: f64,
    /// Your reasons.
    because: String,
}

/// A vote.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum VoteWord {
    Approve,
    Reject,
}

impl Tool for VoteTool {
    const NAME: &'static str = "vote";
    const TITLE: &'static str = "Vote in a council";
    const ABOUT: &'static str =
        "Votes in a council of which you are a member, once. issue_next lists those that wait for you.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        let vote = match self.vote {
            VoteWord::Approve => "approve",
            VoteWord::Reject => "reject",
        };
        let line = CommandLine::of("council vote")
            .option("confidence", Some(self.confidence.to_string()))
            .option("because", Some(self.because))
            .value(self.council)
            .value(vote);
        ask.decide(&line)
    }
}
