//! Quotes of a few letters: they stand everywhere, and show something only where a criterion asks for just that.
//!
//! Does not look whether they are there.

use serde_json::Value;

use super::absence;
use super::looks::is_effectful;
use super::quote::{LiteralQuote, bare, folded};
use crate::message::CallEvidence;
use crate::tool::{ToolName, ToolRequest};

/// Words of a criterion that asks for a number.
const NUMBERS: &[&str] = &[
    "amount", "anzahl", "count", "counted", "counts", "equals", "length", "many", "number", "output", "outputs",
    "print", "printed", "prints", "result", "return", "returns", "size", "sum", "summe", "total", "value", "zahl",
];
/// Words that stand in every criterion.
const EVERYWHERE: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "be", "by", "for", "has", "in", "is", "it", "no", "not", "of", "on", "or",
    "the", "to",
];

impl LiteralQuote {
    /// Whether what a program printed, or a file holds, is told by this quote to somebody who asks for what a criterion says.
    pub fn answers(&self, criterion: &str, output: &str, request: Option<&ToolRequest>) -> bool {
        if !self.is_short() || self.is_named_by(criterion) {
            return true;
        }
        let ran = request.is_some_and(|request| request.tool == ToolName::Shell && is_effectful(request));
        let is_number = self.text().chars().all(|letter| !letter.is_alphabetic());
        self.is_line_of(output) && (ran || is_number && asks_for_number(criterion))
    }

    fn is_named_by(&self, criterion: &str) -> bool {
        let said = self.text().to_lowercase();
        !EVERYWHERE.contains(&said.as_str()) && self.stands_in(&folded(criterion))
    }
}

impl CallEvidence {
    /// Whether a quote of what came out, in this form, shows what a criterion says.
    pub fn shows(&self, said: &str, form: &LiteralQuote, criterion: &str) -> bool {
        let is_seen = LiteralQuote::of(said).is_some_and(|quote| quote.is_in(&self.output));
        let request = request_of(&self.request);
        let tool = request.as_ref().map(|request| request.tool).or_else(|| self.tool());
        let output = tool.map_or_else(|| self.output.clone(), |tool| bare(tool, &self.output));
        let is_empty = absence::says_nothing(&self.output);
        let answers = || form.answers(criterion, &output, request.as_ref());
        is_seen && form.is_in(&output) && if is_empty { absence::shows(criterion, &self.request) } else { answers() }
    }

    /// Of a request that was cut, too.
    fn tool(&self) -> Option<ToolName> {
        self.request.split(' ').next()?.parse().ok()
    }
}

fn asks_for_number(criterion: &str) -> bool {
    let text = criterion.to_lowercase();
    text.split(|letter: char| !letter.is_alphanumeric()).any(|word| NUMBERS.contains(&word))
}

/// The request that a line says, as `call::request_line` wrote it, where it was not cut.
fn request_of(line: &str) -> Option<ToolRequest> {
    let (tool, input) = line.split_once(' ')?;
    let input: Value = serde_json::from_str(input).ok()?;
    Some(ToolRequest { tool: tool.parse().ok()?, input })
}
