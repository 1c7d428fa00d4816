//! Which calls count as evidence, and whether what a model said rests on them (artoo R4a, evidence grounding rule).
//!
//! Strict: what is in doubt is not met. Does not decide what follows.

use super::judging::Judging;
use crate::criterion::{GroundedVerdict, NO_VERDICT, NOTHING_FOUND, failed, passed};
use crate::evidence::absence;
use crate::evidence::call::{input_text, request_line};
use crate::evidence::looks::searches;
use crate::evidence::own_words::{OwnWords, names_a_file};
use crate::evidence::quote::{bare, given};
use crate::evidence::{LiteralQuote, evidence, found_nothing, is_effectful, is_good, one_line};
use crate::ggs::{CriterionVerdict, FailureClass, Verdict, is_infrastructure};
use crate::message::{CallEvidence, ExecutionStatus};
use crate::plan::{Criterion, SubTask};
use crate::tool::{ToolCall, ToolName};

/// Characters of a claim that are kept with a verdict.
const SAID_CHARS: usize = 300;

/// Words of a criterion that asks to look for things.
const FINDING: &[&str] =
    &["find", "finds", "found", "list", "lists", "listed", "locate", "located", "look", "search", "searched"];

/// What leaves nothing to ask of a model, or nothing to try again.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled<'j> {
    /// The executor says that it could not.
    ExecutorFailed,
    /// A call came to no end for want of network or time.
    Infrastructure(&'j ToolCall),
    /// It says that it is done, and its last act did not work.
    Contradiction(&'j ToolCall),
}

impl<'j> Judging<'j> {
    /// What decides the plausible criteria without a model: none is met.
    pub fn settled(&self) -> Option<Settled<'j>> {
        if self.result.status == ExecutionStatus::Failed {
            return Some(Settled::ExecutorFailed);
        }
        let failed = self.primary_act().filter(|call| !is_good(call))?;
        if is_broken(failed) {
            return Some(Settled::Infrastructure(failed));
        }
        (self.result.status == ExecutionStatus::Completed).then_some(Settled::Contradiction(failed))
    }

    /// What no further attempt mends.
    pub fn hopeless(&self) -> Option<Settled<'j>> {
        let broken = || self.result.tool_calls.last().filter(|call| is_broken(call)).map(Settled::Infrastructure);
        match self.settled() {
            Some(settled @ (Settled::ExecutorFailed | Settled::Infrastructure(_))) => Some(settled),
            Some(Settled::Contradiction(_)) | None => broken(),
        }
    }

    /// The last call that acts, of all attempts: a look in the second attempt proves nothing of an act of the first that
    /// failed.
    fn primary_act(&self) -> Option<&'j ToolCall> {
        let mut all = self.earlier.iter().chain(std::iter::once(self.result)).flat_map(|result| &result.tool_calls);
        all.rfind(|call| is_effectful(&call.request))
    }

    /// The calls of this attempt whose output is evidence: they worked, and are no look after a failed act.
    pub fn counting_calls(&self) -> Vec<&'j ToolCall> {
        let calls = &self.result.tool_calls;
        let is_failed_act = |call: &ToolCall| is_effectful(&call.request) && !is_good(call);
        let last_act = calls.iter().rposition(|call| is_effectful(&call.request));
        let until = match last_act {
            Some(at) if is_failed_act(&calls[at]) => at,
            None if self.primary_act().is_some_and(is_failed_act) => 0,
            Some(_) | None => calls.len(),
        };
        calls[..until].iter().filter(|call| is_good(call)).collect()
    }

    /// What becomes of a plausible criterion.
    pub fn by_model(&self, criterion: &Criterion, said: Option<&CriterionVerdict>) -> GroundedVerdict {
        let mut found = self.as_said(criterion, said);
        if found.verdict.is_failed() && matches!(self.hopeless(), Some(Settled::Infrastructure(_))) {
            found.verdict.failure_class = Some(FailureClass::Environmental);
        }
        found
    }

    fn as_said(&self, criterion: &Criterion, said: Option<&CriterionVerdict>) -> GroundedVerdict {
        if let Some(settled) = self.settled() {
            return failed(criterion, &settled.why(self), settled.class(self));
        }
        let Some(said) = said.filter(|said| said.evidence != NO_VERDICT) else {
            return failed(criterion, NO_VERDICT, None);
        };
        match said.verdict {
            Verdict::Fail => failed(criterion, &said.evidence, Some(self.class_of_quote(&said.evidence))),
            Verdict::Pass => self.grounded(criterion, &said.evidence),
        }
    }

    /// A pass counts only with what a tool gave, to the letter; without any call, with what tools gave to the groups before.
    fn grounded(&self, criterion: &Criterion, said: &str) -> GroundedVerdict {
        let counting = self.counting_calls();
        let quoted = LiteralQuote::forms_of(said).into_iter().find_map(|quote| {
            let entries = self.holding(criterion, said, &quote, &counting)?;
            Some(passed(criterion, quote.shown(), entries))
        });
        let searched =
            || absence(&counting).filter(|search| absence::says_nothing(said) && is_shown(criterion, search, said));
        let found_nothing = |search: &ToolCall| {
            let evidence = format!("{NOTHING_FOUND}: {}", evidence(search));
            passed(criterion, evidence, search.entry.iter().cloned().collect())
        };
        let why = format!("no tool gave what was said as evidence: {}", one_line(said, SAID_CHARS));
        quoted
            .or_else(|| searched().map(found_nothing))
            .unwrap_or_else(|| failed(criterion, &why, Some(FailureClass::Logical)))
    }

    /// The entries of what gave a quote; nothing where nothing did, or where it shows nothing of a criterion.
    fn holding(
        &self,
        criterion: &Criterion,
        said: &str,
        quote: &LiteralQuote,
        counting: &[&ToolCall],
    ) -> Option<Vec<String>> {
        if self.is_own(criterion, quote) {
            return None;
        }
        if self.result.tool_calls.is_empty() {
            let is_there = |call: &&CallEvidence| call.shows(said, quote, &criterion.text);
            let holding: Vec<_> = self.given.iter().filter(is_there).collect();
            return (!holding.is_empty()).then(|| holding.iter().filter_map(|call| call.entry.clone()).collect());
        }
        let about = self.spoken_of(criterion).unwrap_or_default();
        let is_seen = |call: &ToolCall| LiteralQuote::of(said).is_some_and(|quote| quote.is_given_by(call));
        let gives = |call: &&&ToolCall| {
            let there = bare(call.request.tool, &given(call));
            let shows = quote.is_in(&there) && quote.answers(&criterion.text, &there, Some(&call.request));
            shows && is_seen(call) && !found_nothing(call) && !self.is_disguised(call, about)
        };
        let holding: Vec<_> = counting.iter().filter(gives).collect();
        (!holding.is_empty()).then(|| holding.iter().filter_map(|call| call.entry.clone()).collect())
    }

    /// Whether a quote is of what the task wrote itself, into nothing that is spoken of; or says itself what is to be shown.
    fn is_own(&self, criterion: &Criterion, quote: &LiteralQuote) -> bool {
        let (text, own) = (criterion.text.as_str(), self.own_words());
        let elsewhere = |about: &str| own.hold(quote, about) || self.written.hold_only_elsewhere(quote, about);
        let claims = || !names_a_file(text) && (own.claim(quote, text) || self.written.claim(quote, text));
        self.spoken_of(criterion).is_some_and(elsewhere) || claims()
    }

    /// What the attempts wrote themselves.
    pub fn own_words(&self) -> OwnWords {
        let all = self.earlier.iter().chain(std::iter::once(self.result));
        OwnWords::of(all.flat_map(|result| &result.tool_calls))
    }

    /// Whether a call read what the task wrote in another form, into nothing that is spoken of.
    pub fn is_disguised(&self, call: &ToolCall, about: &str) -> bool {
        self.own_words().disguise(call, about) || self.written.disguise(call, about)
    }

    /// What a criterion is about: the files that it names, else those of its subtask. Where none is named, whatever was
    /// written may be meant.
    fn spoken_of<'s>(&'s self, criterion: &'s Criterion) -> Option<&'s str> {
        Some(criterion.text.as_str()).filter(|text| names_a_file(text)).or_else(|| self.about())
    }

    /// What the subtask says of files, where it names any.
    pub fn about(&self) -> Option<&'j str> {
        let SubTask { intent, context, .. } = self.subtask;
        [intent, context].into_iter().find(|text| names_a_file(text)).map(String::as_str)
    }

    /// Of what a model quoted; of its own words nothing is told: "not found" is what one says of most that is missing.
    fn class_of_quote(&self, said: &str) -> FailureClass {
        let is_given = |quote: &LiteralQuote| self.result.tool_calls.iter().any(|call| quote.is_in(&call.output));
        let quote = LiteralQuote::of(said).filter(is_given).map(|_| said);
        self.class_of(quote.unwrap_or_default()).unwrap_or(FailureClass::Logical)
    }

    /// Of words, else of the last call that did not work.
    pub fn class_of(&self, words: &str) -> Option<FailureClass> {
        let last_failed = || self.result.tool_calls.iter().rfind(|call| !is_good(call));
        FailureClass::of_text(words).or_else(|| FailureClass::of_text(&last_failed()?.output))
    }
}

impl Settled<'_> {
    /// Why, in one line.
    pub fn why(&self, judging: &Judging<'_>) -> String {
        match self {
            Self::ExecutorFailed => format!("the executor failed: {}", one_line(&judging.result.output, SAID_CHARS)),
            Self::Infrastructure(call) => format!("infrastructure: {}", evidence(call)),
            Self::Contradiction(call) => {
                format!("contradiction: it says it is done, but its last act did not work: {}", evidence(call))
            }
        }
    }

    /// Whom that speaks against.
    pub fn class(&self, judging: &Judging<'_>) -> Option<FailureClass> {
        match self {
            Self::ExecutorFailed => judging.class_of(&judging.result.output),
            Self::Infrastructure(_) => Some(FailureClass::Environmental),
            Self::Contradiction(call) => Some(FailureClass::of_text(&call.output).unwrap_or(FailureClass::Logical)),
        }
    }
}

/// Whether a call came to no end for want of network, time, or because it was called off. A program that ran to its end
/// says what it says: there may be another way.
fn is_broken(call: &ToolCall) -> bool {
    let may_break = match call.request.tool {
        ToolName::Shell | ToolName::Fetch => call.exit.is_none(),
        ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Write | ToolName::Edit => false,
    };
    may_break && !call.is_uncertain && !is_good(call) && is_infrastructure(&call.output)
}

/// The last search, where every search found nothing.
fn absence<'j>(counting: &[&'j ToolCall]) -> Option<&'j ToolCall> {
    let is_search = |call: &&&ToolCall| match call.request.tool {
        ToolName::Find | ToolName::Glob | ToolName::Search => true,
        ToolName::Shell => searches(input_text(&call.request, "command")),
        ToolName::Read | ToolName::Write | ToolName::Edit | ToolName::Fetch => false,
    };
    let mut searches = counting.iter().filter(is_search);
    let last = searches.clone().next_back()?;
    searches.all(|call| found_nothing(call)).then_some(*last)
}

/// Whether an empty search answers a criterion; one that does not ask to find is answered by what the search said itself.
fn is_shown(criterion: &Criterion, search: &ToolCall, said: &str) -> bool {
    let text = criterion.text.to_lowercase();
    let asks_to_find = text.split(|letter: char| !letter.is_alphanumeric()).any(|word| FINDING.contains(&word));
    let is_quoted = || LiteralQuote::of(said).is_some_and(|quote| quote.is_in(&search.output));
    (asks_to_find || is_quoted()) && absence::shows(&criterion.text, &request_line(&search.request))
}
