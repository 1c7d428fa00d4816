//! `annals credit list|profile`: what agents earned, how often they were right, and with which models (control-room 8.2,
//! 11.8, 12.1).

use serde::Serialize;

use crate::cli::named::AGENT;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key};
use crate::kernel::credits::{Credits, Rate};
use crate::view::credit::{ModelInfo, ProfileInfo, RateInfo, words};

/// Arguments of `annals credit profile`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Whose
    agent: String,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Profiles<'p> {
    amounts_in: &'static str,
    refused_awards: u64,
    agents: &'p [ProfileInfo],
}

/// The answer in JSON about one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct OneProfile<'p> {
    amounts_in: &'static str,
    #[serde(flatten)]
    profile: &'p ProfileInfo,
}

pub(super) fn list(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let (agents, refused_awards) = shell
        .ask(&engine, |world| (ProfileInfo::all(&world.rooms, engine.settings()), world.rooms.credit.totals.refused))?;
    if shell.wants_json() {
        let profiles = Profiles { amounts_in: "thousandths", refused_awards, agents: &agents };
        shell.out.answer(&profiles)?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = agents.iter().map(cells).collect();
    shell.out.table(
        &[
            Key("agent"),
            Key("credits"),
            Key("tier"),
            Goes(4, "verified"),
            Goes(3, "penalised"),
            Goes(1, "streak"),
            Goes(5, "level"),
            Goes(2, "trust"),
        ],
        &rows,
    )?;
    if rows.is_empty() {
        shell.out.say("there is no agent yet; `annals agent add ID --role ROLE` adds one")?;
    }
    if refused_awards > 0 {
        let log = "`annals log --name credits.credit.award --failed` shows them";
        shell.out.say(format_args!("{refused_awards} awards were refused; {log}"))?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(profile: &ProfileInfo) -> Vec<String> {
    vec![
        profile.agent.to_string(),
        profile.lifetime.to_string(),
        profile.tier.to_string(),
        rate(profile.verification),
        rate(profile.penalty),
        profile.streak.to_string(),
        profile.level.to_string(),
        profile.trust.to_string(),
    ]
}

fn rate(info: RateInfo) -> String {
    Rate::new(info.count, info.of).to_string()
}

fn rate_of(info: RateInfo) -> String {
    match info.thousandths {
        Some(_) => format!("{} ({} of {})", rate(info), info.count, info.of),
        None => format!("{} of {}: too few to say", info.count, info.of),
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let agent = shell.find_agent(&engine, &arguments.agent)?;
    let profile = shell.ask(&engine, |world| ProfileInfo::of(&world.rooms, &agent, engine.settings()))?;
    let Some(profile) = profile else {
        return Err(AGENT.unknown(agent.as_str()).into());
    };
    if shell.wants_json() {
        shell.out.answer(&OneProfile { amounts_in: "thousandths", profile: &profile })?;
        return Ok(CommandOutcome::Done);
    }
    for line in lines(&profile) {
        shell.out.line(line)?;
    }
    for model in &profile.models {
        for line in model_lines(model) {
            shell.out.line(line)?;
        }
    }
    Ok(CommandOutcome::Done)
}

fn lines(profile: &ProfileInfo) -> Vec<String> {
    let periods = profile.periods.iter().filter(|(_, credits)| **credits != Credits::ZERO);
    let periods: Vec<_> = periods.map(|(period, credits)| format!("{credits} this {period}")).collect();
    let also = if periods.is_empty() { String::new() } else { format!(" ({})", periods.join(", ")) };
    let mut lines = vec![
        format!("{}, {}{also}", profile.agent, counted(profile.lifetime)),
        format!("tier       {}", profile.tier),
        format!("verified   {}", rate_of(profile.verification)),
        format!("penalised  {}", rate_of(profile.penalty)),
        format!("applied    {}", rate_of(profile.application)),
        format!("streak     {}, the longest {}", profile.streak, profile.longest_streak),
    ];
    lines.extend(profile.by_reason.iter().map(|(reason, given)| {
        format!("{:>9}  {}", super::signed(given.credits), words::counted(*reason, given.times))
    }));
    lines
}

fn counted(credits: Credits) -> String {
    format!("{credits} {}", if credits == Credits::whole(1) { "credit" } else { "credits" })
}

fn model_lines(model: &ModelInfo) -> [String; 3] {
    let now = if model.is_active { ", the model it has now" } else { "" };
    [
        format!("with {}{now}: {}, tier {}", model.model, counted(model.credits), model.tier),
        format!(
            "  level {}{}, trust {}; last actions penalised: {}",
            model.level,
            if model.is_remediated { " (remediation on)" } else { "" },
            model.trust,
            rate_of(model.recent_penalty)
        ),
        format!(
            "  issues applied {}, irrelevant {}; comments with evidence {}, stopped {}",
            rate(model.usefulness),
            rate(model.hallucination),
            rate(model.evidence),
            rate(model.rejection)
        ),
    ]
}
