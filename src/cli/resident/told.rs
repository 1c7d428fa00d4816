//! What a tick came to, on the screen and in JSON.

use serde::Serialize;

use crate::act::resident::{TickEnd, TickReport};
use crate::cli::line::{Line, Style};
use crate::cli::shell::{Shell, clean};
use crate::domain::knowledge::trace::RetrievalTrace;
use crate::domain::resident::{Delivery, DimensionState, LeftOut, MessageTrust, TickAction};
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::role::resident::homeostasis::{Beat, Dimension, HomeostasisAssessment};
use crate::view::gist::fold;

/// A tick in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ToldTick {
    /// What it came to; where it was not done, why.
    action: ToldAction,
    /// The message it was about.
    message: Option<ToldMessage>,
    /// The answer; empty where there is none.
    response: String,
    /// What became of the answer.
    delivery: Option<Delivery>,
    /// Why it could not be delivered.
    undelivered: Option<String>,
    /// Where the agent stands.
    homeostasis: Option<HomeostasisAssessment>,
    /// What that means for its answer.
    guidance: String,
    /// Why its message was set aside.
    set_aside: Option<String>,
    /// What the prompt had no room for; none where no message was.
    left_out: Option<LeftOut>,
    /// What knowledge said, and why.
    trace: Option<RetrievalTrace>,
    /// The line that records it.
    entry: Option<EntryId>,
    ms: u64,
}

/// Done, or left.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum ToldAction {
    Done(TickAction),
    Left(Beat),
}

/// The message of a tick.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToldMessage {
    id: EntryId,
    from: Box<str>,
    channel: Box<str>,
    trust: MessageTrust,
    content: Box<str>,
}

impl ToldTick {
    pub(in crate::cli) fn of(end: &TickEnd) -> Self {
        match end {
            TickEnd::Done(report) => Self::done(report),
            TickEnd::Left(beat) => Self {
                action: ToldAction::Left(*beat),
                message: None,
                response: String::new(),
                delivery: None,
                undelivered: None,
                homeostasis: None,
                guidance: String::new(),
                set_aside: None,
                left_out: None,
                trace: None,
                entry: None,
                ms: 0,
            },
        }
    }

    fn done(report: &TickReport) -> Self {
        let message = report.message.as_ref().map(|(id, message)| ToldMessage {
            id: *id,
            from: message.from.clone(),
            channel: message.channel.clone(),
            trust: message.trust,
            content: message.content.clone(),
        });
        Self {
            action: ToldAction::Done(report.action),
            message,
            response: report.answer.clone(),
            delivery: report.delivery,
            undelivered: report.undelivered.clone(),
            homeostasis: Some(report.homeostasis.clone()),
            guidance: report.guidance.clone(),
            set_aside: report.set_aside.clone(),
            left_out: report.message.as_ref().map(|_| report.left_out),
            trace: Some(report.trace.clone()),
            entry: report.entry,
            ms: report.ms,
        }
    }
}

/// Says what a tick came to.
pub(super) fn say(shell: &mut Shell, engine: &Engine, report: &TickReport) -> std::io::Result<()> {
    let text = |text: &str| fold(&clean(engine, text));
    if let Some((id, message)) = &report.message {
        let head = Line::of(Style::Bold, text(&message.from)).and(Style::Dim, format_args!("  {id}"));
        shell.out.styled(&head)?;
        shell.out.line(format_args!("  {}", text(&message.content)))?;
    }
    let Some(facts) = report.message.as_ref().map(|_| report.facts().len()) else {
        return say_states(shell, &report.homeostasis);
    };
    say_states(shell, &report.homeostasis)?;
    let (action, ms) = (report.action, report.ms);
    shell.out.line(format_args!(
        "{action}: facts {facts}, {ms} ms{}{}",
        no_room(report.left_out),
        delivered(report)
    ))?;
    if let Some((why, (id, _))) = report.set_aside.as_deref().zip(report.message.as_ref()) {
        shell.out.line(format_args!("  {}", text(why)))?;
        shell.out.say(format_args!("it waits for you: `annals message show {id}` says how to have it tried again"))?;
    }
    if !report.answer.is_empty() {
        shell.out.line(format_args!("  {}", clean(engine, &report.answer).replace('\n', "\n  ")))?;
    }
    Ok(())
}

/// How many messages wait because another clone brought them.
pub(super) fn say_elsewhere(shell: &mut Shell, count: usize) -> std::io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let hint = "`annals message list --held` shows them, `annals message approve` lets them be answered";
    shell.out.say(format_args!("messages from another clone that wait for your word: {count}; {hint}"))
}

fn no_room(left_out: LeftOut) -> String {
    if left_out == LeftOut::default() {
        return String::new();
    }
    let LeftOut { facts, turns, characters } = left_out;
    format!("; no room for: facts {facts}, turns {turns}, characters of the message {characters}")
}

fn delivered(report: &TickReport) -> String {
    match (report.delivery, &report.undelivered) {
        (Some(Delivery::Failed), Some(why)) => format!("; its channel could not take the answer: {why}"),
        (Some(Delivery::Pending), _) => "; a connector of its channel has to fetch the answer".to_owned(),
        (Some(Delivery::Delivered | Delivery::Failed) | None, _) => String::new(),
    }
}

/// A line for each scale that is out of balance.
pub(super) fn say_states(shell: &mut Shell, assessment: &HomeostasisAssessment) -> std::io::Result<()> {
    let mut out_of_balance: Vec<_> = Dimension::ALL
        .iter()
        .map(|dimension| (dimension.as_str(), assessment.of(*dimension)))
        .chain([("self_preservation", assessment.self_preservation)])
        .filter(|(_, assessed)| assessed.state != DimensionState::Healthy)
        .map(|(name, assessed)| format!("{name} {} ({})", assessed.state, assessed.assessment_method))
        .collect();
    if out_of_balance.is_empty() {
        out_of_balance.push("all HEALTHY".to_owned());
    }
    out_of_balance.iter().try_for_each(|line| shell.out.line(line))
}
