//! A scenario is played: a folder, a clock and an agent of its own, step after step.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use annals_llm::Purpose;
use anyhow::{Context as _, bail};
use serde_json::Value;

use super::PlayedStep;
use super::expect::{Miss, missed};
use super::file::{KnownLine, ScenarioFile, ScenarioStep, StepAct};
use crate::act::resident::{Host, TickEnd};
use crate::cli::models::{BudgetedModels, WantedModels, runtime};
use crate::cli::resident::{ToldTick, host};
use crate::cli::shell::{Shell, Usage};
use crate::domain::config::Change;
use crate::domain::knowledge::command::Add;
use crate::domain::resident::command::{Approve, Override, Send};
use crate::domain::resident::{self, TickTrigger};
use crate::domain::{Command, config, knowledge};
use crate::engine::clock::Clock;
use crate::engine::{By, Engine, settings};
use crate::kernel::actor::USER;
use crate::kernel::id::{AgentId, NO_SESSION};
use crate::kernel::json::Json;
use crate::log::disk::RealDisk;

/// The script of the answers, in the scenario's folder.
const SCRIPT: &str = "answers.jsonl";

/// A folder that goes when this does.
struct Scratch(std::path::PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed lies where temporary files lie.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays it.
pub(super) fn play(shell: &Shell, scenario: &ScenarioFile, model: Option<&str>) -> anyhow::Result<Vec<PlayedStep>> {
    let chance = Clock::default().chance();
    let scratch = Scratch(std::env::temp_dir().join(format!("annals-scenario-{chance:032x}")));
    let context = scratch.0.join(".context");
    std::fs::create_dir_all(&context).with_context(|| format!("cannot make {}", context.display()))?;
    let engine = Arc::new(engine_of(scenario, &context)?);
    let models = models_of(shell, scenario, model, &scratch.0, &engine)?;
    let host = host(engine, models, AgentId::from(scenario.agent.as_str()), "scenario".into());
    let runtime = runtime()?;
    let mut played = Vec::new();
    for (at, step) in scenario.steps.iter().enumerate() {
        match runtime.block_on(play_step(&host, step)) {
            Ok(told) => played.push(checked(at + 1, step, told.as_ref())),
            // What comes behind a step that could not be played would say nothing.
            Err(error) => {
                played.push(unplayed(at + 1, step, &error));
                break;
            }
        }
    }
    Ok(played)
}

/// The engine, with the settings and the knowledge that it begins with.
fn engine_of(scenario: &ScenarioFile, context: &Path) -> anyhow::Result<Engine> {
    let open = || {
        let clock = Clock::new(Some(scenario.now), None);
        Engine::open(Arc::new(RealDisk), context, clock).and_then(Engine::with_own_entries)
    };
    let engine = open()?;
    if scenario.settings.is_empty() {
        known(&engine, &scenario.known)?;
        return Ok(engine);
    }
    let mut values = BTreeMap::new();
    for (key, value) in &scenario.settings {
        let setting = settings::find(key).map_err(|error| Usage(error.to_string()))?;
        setting.check(value).map_err(|error| Usage(error.to_string()))?;
        settings::store(&**engine.disk(), &context.join("config.toml"), key, Some(value))?;
        values.insert(Box::from(key.as_str()), Some(value.clone()));
    }
    decide(&engine, config::Command::from(Change { values }))?;
    let engine = open()?;
    known(&engine, &scenario.known)?;
    Ok(engine)
}

fn known(engine: &Engine, lines: &[KnownLine]) -> anyhow::Result<()> {
    for line in lines {
        let add = Add {
            kind: line.kind,
            content: line.content.as_str().into(),
            entities: Vec::new(),
            about: line.about.as_deref().map(Box::from),
            confidence: None,
            impact: None,
            source: knowledge::row::KnowledgeSource::default(),
            supersedes: None,
        };
        decide(engine, knowledge::Command::from(add))?;
    }
    Ok(())
}

/// The models that are named; else the answers of the file; else the person's own.
fn models_of(
    shell: &Shell,
    scenario: &ScenarioFile,
    model: Option<&str>,
    folder: &Path,
    engine: &Engine,
) -> anyhow::Result<BudgetedModels> {
    let script = folder.join(SCRIPT);
    let wanted = match model {
        Some(model) => Some(model.to_owned()),
        None if scenario.answers.is_empty() => None,
        None => {
            let lines: Vec<_> = scenario.answers.iter().map(ToString::to_string).collect();
            std::fs::write(&script, lines.join("\n")).with_context(|| format!("cannot write {}", script.display()))?;
            Some(format!("scripted:{}", script.display()))
        }
    };
    WantedModels::serving(shell, wanted.as_deref(), engine.sanitizer(), Purpose::Resident)
}

async fn play_step(host: &Host, step: &ScenarioStep) -> anyhow::Result<Option<TickEnd>> {
    let engine = &host.engine;
    engine.clock().advance(step.millis().expect("BUG: it was read before"));
    match step.act().expect("BUG: it was read before") {
        StepAct::Send(content) => {
            let from = step.from.as_deref().unwrap_or(USER);
            let send = Send {
                agent: host.agent.clone(),
                from: from.into(),
                channel: step.channel.as_deref().unwrap_or("ui").into(),
                content: content.into(),
                metadata: step.meta.iter().map(|(key, value)| (key.as_str().into(), value.as_str().into())).collect(),
            };
            decide(engine, resident::Command::from(send))?;
            tick(host, TickTrigger::Message).await.map(Some)
        }
        StepAct::Trigger(trigger) => tick(host, trigger).await.map(Some),
        StepAct::Approve(approval) => {
            let held =
                engine.ask(|world| world.rooms.resident.agent(&host.agent).and_then(|row| row.held.last().copied()))?;
            let message = held.context("no message is held")?;
            decide(engine, resident::Command::from(Approve { message, approval, reason: None }))?;
            tick(host, TickTrigger::Message).await.map(Some)
        }
        StepAct::Set(set) => {
            let agent = host.agent.clone();
            let set = Override { agent, dimension: set.dimension, state: set.state, ttl_ms: set.ttl_ms };
            decide(engine, resident::Command::from(set)).map(|()| None)
        }
    }
}

async fn tick(host: &Host, trigger: TickTrigger) -> anyhow::Result<TickEnd> {
    host.keep()?;
    Ok(host.tick(trigger).await?)
}

fn decide(engine: &Engine, command: impl Into<Command>) -> anyhow::Result<()> {
    let answer = engine.decide(command, &Json::empty_object(), &By::new(USER, NO_SESSION))?;
    match answer.refusal {
        None => Ok(()),
        Some(refusal) => bail!("refused: {}", crate::view::refusal::told(&refusal).message),
    }
}

fn checked(n: usize, step: &ScenarioStep, told: Option<&TickEnd>) -> PlayedStep {
    let tick = told.map(ToldTick::of);
    let value = serde_json::to_value(&tick).unwrap_or(Value::Null);
    let missed = step.expect.iter().flat_map(|(path, expected)| missed(path, expected, &value)).collect();
    PlayedStep { n, step: words(step), tick, missed }
}

fn unplayed(n: usize, step: &ScenarioStep, error: &anyhow::Error) -> PlayedStep {
    PlayedStep { n, step: words(step), tick: None, missed: vec![Miss::of_step(&format!("{error:#}"))] }
}

fn words(step: &ScenarioStep) -> String {
    match step.act().expect("BUG: it was read before") {
        StepAct::Send(content) => format!("send {:?}", crate::kernel::cut::head(content, 60)),
        StepAct::Trigger(trigger) => format!("trigger {trigger}"),
        StepAct::Approve(approval) => format!("approve {approval}"),
        StepAct::Set(set) => format!("override {} {}", set.dimension, set.state),
    }
}
