//! `annals canon promote|state|retire`: what becomes canon, and what does no more.

use crate::cli::issue::{find, unknown};
use crate::cli::output::Output;
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::canon::command::{Observed, Promote, Statement};
use crate::domain::canon::event::{ClaimConflict, Established};
use crate::domain::canon::{self, Claim, Command, claims};
use crate::domain::issue::row::RemarkKind;
use crate::domain::{Command as Asked, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::counted::counted;
use crate::kernel::id::IssueId;
use crate::kernel::json::{Json, sha256_hex};
use crate::view::issue::text::Texts;
use crate::view::issue::title::title;

/// Arguments of `annals canon promote`.
#[derive(Debug, clap::Args)]
pub(super) struct PromoteArguments {
    /// Which issue: 42, #42b or an id
    issue: String,
    /// The entry that it makes, or makes a new version of [default: as the title suggests]
    #[arg(long)]
    key: Option<String>,
    /// What holds; - reads it from stdin [default: the resolution, else the text of the issue]
    #[arg(long)]
    text: Option<String>,
    /// A claim that the text does not say plainly: "Seryn | eyes | amber"
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,
}

/// Arguments of `annals canon state`.
#[derive(Debug, clap::Args)]
pub(super) struct StateArguments {
    /// The entry: seryn-eyes
    key: String,
    /// What holds; - reads it from stdin
    text: String,
    /// A line
    #[arg(long)]
    title: Option<String>,
    /// A claim that the text does not say plainly: "Seryn | eyes | amber"
    #[arg(long = "claim", value_name = "CLAIM")]
    claims: Vec<String>,
}

pub(super) fn promote(shell: &mut Shell, arguments: &PromoteArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let (title, own) = title_and_text(shell, &engine, &issue, &arguments.issue)?;
    let hash = sha256_hex(own.as_bytes()).into();
    let text = engine.clean_text(&arguments.text.as_deref().map(text_of).transpose()?.unwrap_or(own));
    let observed = Observed { claims: claims::extract(&text), text: Some(hash) };
    let key = arguments.key.as_deref().map(Into::into);
    let promote = Promote { issue, key, title, text, claims: super::claims(&arguments.claims)? };
    decide(shell, &engine, promote.into(), &observed)
}

/// What was decided; the text of the issue where nothing was.
fn title_and_text(shell: &Shell, engine: &Engine, id: &IssueId, name: &str) -> anyhow::Result<(Box<str>, String)> {
    let known = shell.ask(engine, |world| {
        let issue = world.rooms.issue.issue(id)?;
        let resolution = issue.thread.iter().rev().find(|remark| remark.kind == RemarkKind::Resolution);
        Some((title(&world.rooms, issue), issue.text, resolution.map(|remark| remark.id)))
    })?;
    let (title, body, resolution) = known.ok_or_else(|| unknown(name))?;
    let entries = engine.entries(&[body, resolution.unwrap_or(body)])?;
    let texts = Texts(&entries);
    Ok((title, resolution.map_or_else(|| texts.body(body), |note| texts.said(note).body)))
}

pub(super) fn state(shell: &mut Shell, arguments: &StateArguments) -> Done {
    let engine = shell.engine()?;
    let text = engine.clean_text(&text_of(&arguments.text)?);
    let observed = Observed { claims: claims::extract(&text), text: None };
    let statement = Statement {
        key: arguments.key.as_str().into(),
        title: arguments.title.as_deref().map(Into::into),
        text,
        claims: super::claims(&arguments.claims)?,
    };
    decide(shell, &engine, statement.into(), &observed)
}

/// Decides, and says what holds no more.
pub(super) fn retire(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    shell.decide(engine, command, &Json::of(&Observed::default()), say)
}

fn decide(shell: &mut Shell, engine: &Engine, command: Command, observed: &Observed) -> Done {
    shell.decide(engine, command, &Json::of(observed), say)
}

/// What happened to canon, a line each.
pub(super) fn say(out: &mut Output, answer: &Answer) -> std::io::Result<()> {
    for event in &answer.events {
        let Event::Canon(event) = event else { continue };
        match event {
            canon::Event::Established(established) => out.line(holds(established))?,
            canon::Event::Retired(retired) => out.line(format_args!("{} holds no more", retired.key))?,
            canon::Event::Promoted(promoted) => say_conflicts(out, &promoted.conflicts)?,
            canon::Event::Prevented(prevented) => out.say(format_args!("{} caught it", prevented.agent))?,
            canon::Event::Detected(_) | canon::Event::Resolved(_) | canon::Event::Outdated(_) => {}
        }
    }
    Ok(())
}

/// Whoever leads may promote what contradicts canon, but is told.
fn say_conflicts(out: &mut Output, conflicts: &[ClaimConflict]) -> std::io::Result<()> {
    for ClaimConflict { claim, key, version, value, .. } in conflicts {
        let Claim { subject, attribute, .. } = claim;
        out.say(format_args!("note: it contradicts {key}@{version}, which has {subject}, {attribute}: {value}"))?;
    }
    Ok(())
}

fn holds(new: &Established) -> String {
    let claims = match new.claims.len() {
        0 => "no claims that could be compared".to_owned(),
        some => counted(some as u64, "claim"),
    };
    let old: Vec<_> = new.supersedes.iter().map(|number| format!("{}@{number}", new.key)).collect();
    let old = if old.is_empty() { String::new() } else { format!(", in place of {}", old.join(" and ")) };
    format!("{}@{} holds{old}: {claims}", new.key, new.version)
}
