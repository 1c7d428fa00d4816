//! `annals canon check`: whether a text contradicts canon, and what is to become of it (control-room 14.2, 14.3).
//!
//! Asked by the user without an answer, it only looks. Asked `--as` an agent, it records that the agent noticed.

use anyhow::Context as _;
use serde::Serialize;

use super::by_model::{self, ModelClaims, proposed};
use super::write::say;
use crate::cli::models::{ByModel, may_be_told, unseen};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean, text_of};
use crate::domain::Event;
use crate::domain::canon::command::{ConflictAnswer, Detect, Resolve};
use crate::domain::canon::event::ClaimConflict;
use crate::domain::canon::{Claim, Command, claims};
use crate::domain::issue;
use crate::domain::issue::command::Open;
use crate::engine::Engine;
use crate::kernel::actor::USER;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::json::{Json, sha256_hex};
use crate::view::escape;

/// Arguments of `annals canon check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A text, a file that holds one, or - for stdin
    text: String,
    /// The text holds: canon gets a new version, and what it said is superseded
    #[arg(long = "override", group = "answer")]
    overrides: bool,
    /// Canon holds: the text is to be changed
    #[arg(long, group = "answer")]
    keep: bool,
    /// Ask the team: opens an issue tagged #canon-conflict
    #[arg(long, group = "answer")]
    discuss: bool,
    /// Who caught it, where the agent did not say so itself
    #[arg(long, value_name = "AGENT", requires = "answer")]
    detected_by: Option<String>,
    /// A claim that the text does not say plainly: "Seryn | eyes | green"
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,
    #[command(flatten)]
    judge: ByModel,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct FoundConflicts {
    /// SHA-256 of the text, its white space folded.
    text: String,
    has_conflicts: bool,
    /// Claims that were compared.
    claims: Vec<Claim>,
    conflicts: Vec<ClaimConflict>,
    /// What a model proposes beside them, where one was asked: nothing is decided on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_model: Option<ModelClaims>,
}

impl Arguments {
    fn answer(&self) -> Option<ConflictAnswer> {
        let answers = [
            (self.overrides, ConflictAnswer::Override),
            (self.keep, ConflictAnswer::Keep),
            (self.discuss, ConflictAnswer::Discuss),
        ];
        answers.into_iter().find(|(given, _)| *given).map(|(_, answer)| answer)
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.judge.by_model && arguments.answer().is_some() {
        return Err(Usage("what a model proposes is answered when --claim has taken it up".to_owned()).into());
    }
    let engine = shell.engine()?;
    if arguments.judge.by_model {
        may_be_told(engine.sanitizer(), &shell.environment.directory, &arguments.text)?;
    }
    let text = engine.clean_text(&read(shell, &arguments.text)?);
    let mut claims = super::claims(&arguments.claims)?;
    claims.extend(claims::extract(&text));
    let conflicts = shell.ask(&engine, |world| world.rooms.canon.contradicted(&claims))?;
    let model = arguments.judge.model.as_deref();
    let by_model = arguments.judge.by_model.then(|| proposed(shell, &engine, &text, model)).transpose()?;
    let text = sha256_hex(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes());
    let found = FoundConflicts { text, has_conflicts: !conflicts.is_empty(), claims, conflicts, by_model };
    let is_agent = shell.actor().as_str() != USER;
    match arguments.answer() {
        Some(answer) => resolve(shell, &engine, &found, answer, arguments.detected_by.as_deref()),
        None if is_agent && found.has_conflicts => detect(shell, &engine, &found),
        None => tell(shell, &engine, &found),
    }
}

/// What stands in a file of that name, where there is one; else the text itself.
fn read(shell: &Shell, argument: &str) -> anyhow::Result<String> {
    let path = shell.environment.directory.join(argument);
    let is_file = !argument.contains(['\0', '\n']) && path.is_file();
    if is_file {
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {argument}"))
    } else {
        text_of(argument)
    }
}

fn tell(shell: &mut Shell, engine: &Engine, found: &FoundConflicts) -> Done {
    // Who asked a model and got nothing that can be used is told so by the exit code, too.
    let is_whole = found.by_model.as_ref().is_none_or(ModelClaims::is_whole);
    let outcome = if found.has_conflicts || !is_whole { CommandOutcome::Refused } else { CommandOutcome::Done };
    if shell.wants_json() {
        shell.out.answer(found)?;
        return Ok(outcome);
    }
    if let Some(proposed) = &found.by_model {
        by_model::show(shell, engine, proposed)?;
    }
    if found.claims.is_empty() {
        shell.out.line("no claim was read in the text: whether it contradicts canon is not known")?;
        shell.out.say("hint: --claim \"SUBJECT | ATTRIBUTE | VALUE\" says what it claims")?;
        return Ok(outcome);
    }
    if !found.has_conflicts {
        let compared = found.claims.len();
        let left_out = found.by_model.as_ref().map_or(0, ModelClaims::left_out);
        let unseen = if left_out == 0 { String::new() } else { format!("; by the model {}", unseen(left_out as u64)) };
        shell.out.line(format_args!("nothing contradicts canon; claims compared: {compared}{unseen}"))?;
        return Ok(outcome);
    }
    show(shell, engine, &found.conflicts)?;
    shell.out.say("hint: --override updates canon, --keep keeps it, --discuss opens an issue")?;
    Ok(outcome)
}

fn show(shell: &mut Shell, engine: &Engine, conflicts: &[ClaimConflict]) -> anyhow::Result<()> {
    for conflict in conflicts {
        for line in lines(shell, engine, conflict)? {
            shell.out.line(clean(engine, &line))?;
        }
    }
    Ok(())
}

/// What is claimed, and what canon says, since when and from where.
fn lines(shell: &Shell, engine: &Engine, conflict: &ClaimConflict) -> anyhow::Result<Vec<String>> {
    let ClaimConflict { claim, key, version, value, .. } = conflict;
    let since = shell.ask(engine, |world| {
        let version = world.rooms.canon.entry(key)?.version(*version)?;
        Some(format!(", {} by {}", version.at.day(), version.by))
    })?;
    let source = conflict.source.as_ref().map(|issue| crate::cli::issue::name(shell, engine, issue)).transpose()?;
    let source = source.map(|name| format!(", issue {name}")).unwrap_or_default();
    let about = format!("{}, {}", claim.subject, claim.attribute);
    let quoted = |said: Option<&str>| said.map(|said| format!(": \"{said}\"")).unwrap_or_default();
    Ok(vec![
        format!("{about}: {}{}", claim.value, quoted(claim.said.as_deref())),
        format!("  canon says {value}{}", quoted(conflict.said.as_deref())),
        format!("  {key}@{version}{source}{}", since.unwrap_or_default()),
    ])
}

/// The claims that canon contradicts: no others are worth recording.
fn against(found: &FoundConflicts) -> Vec<Claim> {
    found
        .claims
        .iter()
        .filter(|claim| found.conflicts.iter().any(|conflict| conflict.claim == **claim))
        .cloned()
        .collect()
}

fn detect(shell: &mut Shell, engine: &Engine, found: &FoundConflicts) -> Done {
    let detect = Detect { text: found.text.as_str().into(), claims: against(found) };
    let answer = engine.decide(Command::from(detect), &Json::empty_object(), &shell.by_now())?;
    if answer.refusal.is_some() || shell.wants_json() {
        shell.report(&answer, |_| Ok(()))?;
    } else {
        show(shell, engine, &found.conflicts)?;
        shell.out.say("noticed: the team lead answers with --override, --keep or --discuss")?;
    }
    Ok(CommandOutcome::Refused)
}

fn resolve(
    shell: &mut Shell,
    engine: &Engine,
    found: &FoundConflicts,
    answer: ConflictAnswer,
    detected_by: Option<&str>,
) -> Done {
    let issue = match answer {
        ConflictAnswer::Discuss if found.has_conflicts => match discussion(shell, engine, &found.conflicts)? {
            Ok(issue) => Some(issue),
            Err(refused) => return Ok(refused),
        },
        ConflictAnswer::Discuss | ConflictAnswer::Override | ConflictAnswer::Keep => None,
    };
    let opened = issue.clone();
    let detected_by = detected_by.map(AgentId::from);
    let resolve = Resolve { answer, text: found.text.as_str().into(), claims: against(found), detected_by, issue };
    let decided = engine.decide(Command::from(resolve), &Json::empty_object(), &shell.by_now())?;
    if decided.refusal.is_none() && !shell.wants_json() {
        show(shell, engine, &found.conflicts)?;
    }
    let name = opened.map(|id| crate::cli::issue::name(shell, engine, &id)).transpose()?;
    shell.report(&decided, |out| {
        match (answer, name) {
            (ConflictAnswer::Keep, _) => out.line("canon holds; the text is to be changed")?,
            (ConflictAnswer::Discuss, Some(name)) => {
                out.line(format_args!("{name} asks the team; until then canon holds"))?;
            }
            (ConflictAnswer::Override, _) | (ConflictAnswer::Discuss, None) => {}
        }
        say(out, &decided)
    })
}

/// Opens the issue in which the team is asked.
fn discussion(
    shell: &mut Shell,
    engine: &Engine,
    conflicts: &[ClaimConflict],
) -> anyhow::Result<Result<IssueId, CommandOutcome>> {
    let mut body = String::from("A text contradicts canon. Which one is to hold?\n");
    for conflict in conflicts {
        let [claimed, said, place] =
            <[String; 3]>::try_from(lines(shell, engine, conflict)?).expect("BUG: three lines");
        body.extend(["\n- ", &claimed, "\n", &said, "\n", &place, "\n"]);
    }
    let claim = conflicts.first().map(|conflict| format!("{}, {}", conflict.claim.subject, conflict.claim.attribute));
    let title: String = format!("[Canon conflict] {}", claim.unwrap_or_default()).chars().take(150).collect();
    let open = Open {
        title: escape::line(&title).as_ref().into(),
        body: body.into(),
        tags: std::iter::once("#canon-conflict".into()).collect(),
        related: conflicts.iter().filter_map(|conflict| conflict.source.clone()).collect(),
        ..Open::default()
    };
    let answer = engine.decide(issue::Command::from(open), &Json::empty_object(), &shell.by_now())?;
    let opened = answer.events.iter().find_map(|event| {
        let Event::Issue(issue::Event::Opened(opened)) = event else { return None };
        Some(opened.issue.clone())
    });
    match opened {
        Some(issue) => Ok(Ok(issue)),
        None => shell.report(&answer, |_| Ok(())).map(Err),
    }
}
