//! `annals issue comment|resolve`: texts that come into a thread, if the rules let them.

use super::{cite, find, forecast, name};
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell, text_of};
use crate::domain::Event;
use crate::domain::breaker::{Check, ViolationSeverity};
use crate::domain::issue::command::{ActionKind, AuthorAct, Comment, Resolve};
use crate::domain::issue::decide::MAX_LENGTH;
use crate::domain::issue::{self, Command, Observed};
use crate::engine::{Answer, Engine, Rehearsal};
use crate::kernel::grounding::{Impact, Stance};
use crate::kernel::json::Json;
use crate::policy::Forecast;
use crate::view::issue::title::title;
use crate::view::refusal::{ToldRefusal, said_of, told};

/// Arguments of `annals issue comment`.
#[derive(Debug, clap::Args)]
pub(crate) struct CommentArguments {
    /// On which issue: 42, #42b or an id
    issue: String,
    /// The text; - reads it from stdin
    text: String,
    /// support, oppose or neutral
    #[arg(long, default_value = "neutral")]
    stance: Stance,
    /// How much it would change: cosmetic, minor, structural or canon-changing
    #[arg(long)]
    impact: Option<Impact>,
    #[command(flatten)]
    evidence: cite::Arguments,
    #[command(flatten)]
    why: cite::WhyArguments,
    /// What you did: patch-created, file-modified, resolved or escalated
    #[arg(long, requires = "details")]
    action: Option<ActionKind>,
    /// What exactly you did
    #[arg(long, requires = "action")]
    details: Option<String>,
    /// Only say what would become of it, rule by rule
    #[arg(long)]
    check: bool,
}

/// Arguments of `annals issue resolve`.
#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArguments {
    /// Which
    issue: String,
    /// What was decided; - reads it from stdin
    note: String,
    #[command(flatten)]
    evidence: cite::Arguments,
    /// Before enough have spoken, or while it is frozen: only for user, team lead and moderator
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
    /// Only say what would become of it, rule by rule
    #[arg(long)]
    check: bool,
}

pub(super) fn comment(shell: &mut Shell, arguments: &CommentArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let evidence = arguments.evidence.evidence(shell, &engine)?;
    let action = arguments.action.zip(arguments.details.as_deref());
    let (body, cut_from) = beginning(text_of(&arguments.text)?, &engine);
    let observed = Observed { cut_from, ..cite::observe(&engine, &evidence) };
    let comment = Comment {
        body,
        stance: arguments.stance,
        impact: arguments.impact,
        evidence,
        action: action.map(|(kind, details)| AuthorAct { kind, details: details.into() }),
        citation: arguments.why.citation(shell, &engine, &issue)?,
        issue,
    };
    let name = name(shell, &engine, &comment.issue)?;
    let observed = Json::of(&observed);
    if arguments.check {
        return rehearse(shell, &engine, comment, &observed);
    }
    put(shell, &engine, comment, &observed, &format!("commented on {name}"))
}

pub(super) fn resolve(shell: &mut Shell, arguments: &ResolveArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let evidence = arguments.evidence.evidence(shell, &engine)?;
    let (note, cut_from) = beginning(text_of(&arguments.note)?, &engine);
    let observed = Observed { cut_from, ..cite::observe(&engine, &evidence) };
    let resolve = Resolve { issue, note, evidence, force: arguments.force.as_deref().map(Into::into) };
    let name = name(shell, &engine, &resolve.issue)?;
    let observed = Json::of(&observed);
    if arguments.check {
        return rehearse(shell, &engine, resolve, &observed);
    }
    put(shell, &engine, resolve, &observed, &format!("resolved {name}"))
}

/// What is too long to be taken is recorded with its beginning alone, and with the length that it had.
fn beginning(text: String, engine: &Engine) -> (Box<str>, Option<u64>) {
    let most = engine.settings().get(&MAX_LENGTH);
    match text.char_indices().nth(most) {
        Some((end, _)) => (text[..end].into(), Some(text.chars().count() as u64)),
        None => (text.into(), None),
    }
}

/// What would become of it.
fn rehearse(shell: &mut Shell, engine: &Engine, command: impl Into<Command>, observed: &Json) -> Done {
    let rehearsal = engine.rehearse(command.into(), observed, &shell.by_now())?;
    say_rehearsal(shell, &rehearsal)
}

fn put(shell: &mut Shell, engine: &Engine, command: impl Into<Command>, observed: &Json, done: &str) -> Done {
    let answer = engine.decide(command.into(), observed, &shell.by_now())?;
    let outcome = shell.report(&answer, |out| out.line(done))?;
    if !shell.wants_json() {
        say_follows(shell, engine, &answer)?;
    }
    Ok(outcome)
}

/// What else happened.
fn say_follows(shell: &mut Shell, engine: &Engine, answer: &Answer) -> anyhow::Result<()> {
    for event in &answer.events {
        let Event::Issue(event) = event else { continue };
        if let issue::Event::EpistemicChanged(changed) = event {
            shell.out.say(format_args!("the issue is {} now", changed.to))?;
        } else if let issue::Event::Frozen(frozen) = event {
            shell.out.say(format_args!("the issue is frozen until {}: {}", frozen.until, frozen.reason))?;
        } else if let issue::Event::Raised(raised) = event {
            let title = shell.ask(engine, |world| {
                let issue = world.rooms.issue.issue(&raised.issue);
                issue.map(|issue| title(&world.rooms, issue))
            })?;
            let title = title.unwrap_or_default();
            shell.out.say(format_args!("#{} {title}, for {}", raised.number, raised.assignee))?;
        }
    }
    Ok(())
}

/// What would come of a comment, in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Checked<'c> {
    passes: bool,
    refusal: Option<ToldRefusal>,
    rules: &'c [Check],
    /// Names of the events that would happen.
    events: Vec<&'static str>,
    /// In what credits are counted here.
    amounts_in: &'static str,
    citations: &'c Forecast,
}

fn say_rehearsal(shell: &mut Shell, rehearsal: &Rehearsal) -> Done {
    let refusal = rehearsal.decided.refusal.as_ref();
    let outcome = if refusal.is_some() { CommandOutcome::Refused } else { CommandOutcome::Done };
    if shell.wants_json() {
        let events = rehearsal.decided.events.iter().map(Event::name).collect::<Vec<_>>();
        shell.out.answer(&Checked {
            passes: refusal.is_none(),
            refusal: refusal.map(told),
            rules: &rehearsal.checks,
            events,
            amounts_in: "thousandths",
            citations: &rehearsal.citations,
        })?;
        return Ok(outcome);
    }
    for check in &rehearsal.checks {
        shell.out.styled(&check_line(check))?;
    }
    forecast::say(shell, &rehearsal.citations)?;
    match refusal {
        Some(refusal) => shell.out.line(format_args!("it would be refused: {}", told(refusal).message))?,
        None if rehearsal.checks.is_empty() => shell.out.line("it would pass: no rule binds who says it")?,
        None => shell.out.line("it would pass")?,
    }
    Ok(outcome)
}

fn check_line(check: &Check) -> Line {
    let (word, style) = match check.violation {
        None => ("ok", Style::Green),
        Some(ViolationSeverity::Reject) => ("rejects", Style::Yellow),
        Some(ViolationSeverity::Freeze) => ("freezes", Style::Red),
    };
    Line::of(style, format_args!("{word:<7}")).then(format_args!(" {:<27} {}", check.rule.as_str(), said_of(check)))
}
