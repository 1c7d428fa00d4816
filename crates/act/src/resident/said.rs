//! What a tick says to its message: by rule, or by the answer of a model.
//!
//! A model that cannot be asked now stops the tick; a message that no model can take is set aside, and those behind it have
//! their turn.

use annals_kernel::id::EntryId;
use annals_role::resident::reply::{ReplyOrder, read_reply};
use annals_rules::domain::knowledge;
use annals_rules::domain::resident::{ConversationSummary, InboxMessage, LeftOut, MessageTrust, TickAction};

use super::fit::{FittedPrompt, fitted_prompt};
use super::gather::{Gathered, query};
use super::host::{Host, HostError, ResidentStep};
use super::record::session_of;
use crate::surroundings::AnswerTrouble;

/// So often a model is asked for an answer that can be read.
const MOST_ANSWERS: u32 = 2;

/// What a tick says to its message.
pub(super) struct Said {
    /// What it comes to.
    pub(super) action: TickAction,
    /// The words; empty where there are none.
    pub(super) answer: String,
    /// Why the message is set aside.
    pub(super) set_aside: Option<String>,
    /// What the prompt had no room for.
    pub(super) left_out: LeftOut,
    /// The summary of the conversation before, where a new one was made.
    pub(super) summary: Option<ConversationSummary>,
}

impl Said {
    /// Nothing is said.
    pub(super) fn without_words(action: TickAction) -> Self {
        Self { action, answer: String::new(), set_aside: None, left_out: LeftOut::default(), summary: None }
    }
}

impl Host {
    /// The words of a rule; no model is asked.
    pub(super) fn by_rule(&self, action: TickAction, gathered: &Gathered) -> Said {
        let reason = gathered.message.as_ref().and_then(|(_, message)| message.approval_reason.as_deref());
        Said { answer: (self.words)(action, reason), ..Said::without_words(action) }
    }

    /// The answer to the message. What cannot be read twice is no answer, and says so; what no model can take is set aside.
    pub(super) async fn answer(&self, gathered: &Gathered, guidance: &str) -> Result<Said, HostError> {
        let (id, message) = gathered.message.as_ref().expect("BUG: only a message is answered");
        self.retrieved(message, gathered.facts.context.trust)?;
        let facts = &gathered.facts.context.facts;
        let order = ReplyOrder {
            agent: self.agent.as_str(),
            guidance,
            facts,
            summary: None,
            conversation: &[],
            from: &message.from,
            trust: gathered.facts.context.trust,
            message: &message.content,
            left_out: LeftOut::default(),
            max_tokens: 0,
        };
        let FittedPrompt { material, conversation, summary, max_tokens } =
            fitted_prompt(self, *id, &order, &gathered.conversation).await?;
        let turns = u64::try_from(conversation.dropped).unwrap_or(u64::MAX);
        let left_out = LeftOut { turns, ..material.left_out };
        let order = ReplyOrder {
            facts: &facts[..material.facts],
            summary: conversation.summary.as_deref(),
            conversation: &conversation.messages,
            message: &material.message,
            left_out,
            max_tokens,
            ..order
        };
        Ok(Said { left_out, summary, ..self.asked_twice(*id, &order).await? })
    }

    async fn asked_twice(&self, id: EntryId, order: &ReplyOrder<'_>) -> Result<Said, HostError> {
        let mut bad = None;
        for again in 0..MOST_ANSWERS {
            let step = if again == 0 { ResidentStep::Answer } else { ResidentStep::AnswerAgain };
            let said = match self.ask(id, step, order.question(bad.as_ref())).await? {
                Ok(said) => said,
                Err(trouble @ (AnswerTrouble::NoModel(_) | AnswerTrouble::Budget(_))) => {
                    return Err(HostError::NoAnswer { message: id, trouble });
                }
                Err(trouble @ (AnswerTrouble::OverBudget(_) | AnswerTrouble::Unanswerable(_))) => {
                    let answer = (self.words)(TickAction::SetAside, None);
                    let set_aside = Some(trouble.to_string());
                    return Ok(Said { answer, set_aside, ..Said::without_words(TickAction::SetAside) });
                }
            };
            match read_reply(&said) {
                Ok(answer) => return Ok(Said { answer, ..Said::without_words(TickAction::Respond) }),
                Err(why) => bad = Some(why),
            }
        }
        let answer = (self.words)(TickAction::Fail, None);
        Ok(Said { answer, ..Said::without_words(TickAction::Fail) })
    }

    /// Knowledge that comes to an answer is retrieved (decision 22), and lasts longer for it; not for who is not trusted.
    fn retrieved(&self, message: &InboxMessage, trust: MessageTrust) -> Result<(), HostError> {
        if trust <= MessageTrust::Low {
            return Ok(());
        }
        let retrieve = knowledge::Command::from(query(message));
        self.engine.decide_due(retrieve, &session_of(&self.agent))?; // a question without keywords is refused, and brings nothing
        Ok(())
    }
}
