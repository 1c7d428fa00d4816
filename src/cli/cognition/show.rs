//! `annals cognition show`: the mind of a session.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::MindPlace;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::cognition::critic::Tone;
use crate::domain::cognition::emotion::Emotions;
use crate::domain::cognition::epistemic::EpistemicState;
use crate::domain::cognition::goal::{AnyGoal, Goals};
use crate::domain::cognition::limits::CognitionLimits;
use crate::domain::cognition::metacognition::{Metacognition, Stated, percent};
use crate::domain::cognition::mind::{Firing, Mind};
use crate::kernel::counted::counted;
use crate::kernel::id::SessionId;

/// Arguments of `annals cognition show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(from_global)]
    session: Option<String>,
}

/// The answer in JSON: the parts in the schema of AFS 4.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ShownMind<'s> {
    session: &'s SessionId,
    emotions: Option<&'s Emotions>,
    /// `None`: nothing was stated, and no call was recorded.
    metacognition: Option<KnownMind>,
    in_focus: Vec<&'s str>,
    goals: Option<&'s Goals>,
    next_goal: Option<&'s str>,
    epistemic: Option<&'s EpistemicState>,
    critic: Tone,
    firings: &'s [Firing],
}

/// A state, and what of the schema's members nobody knows: those stand in the schema with a default.
struct KnownMind(Metacognition, Vec<&'static str>);

impl KnownMind {
    fn of(mind: &Mind, limits: &CognitionLimits) -> Option<Self> {
        let (stated, has_calls) = (&mind.stated, mind.watch.calls > 0);
        let members = [
            ("/current_strategy", stated.strategy.is_some()),
            ("/help_seeking/current_uncertainty", stated.uncertainty.is_some()),
            ("/progress_status", has_calls || stated.blocked.is_some()),
            ("/spin_detection", has_calls),
            ("/flow_state", has_calls),
            ("/cognitive_load", is_load_known(mind)),
        ];
        let unknown = members.into_iter().filter(|(_, is_known)| !is_known).map(|(member, _)| member).collect();
        (has_calls || *stated != Stated::default()).then(|| Self(mind.metacognition(limits), unknown))
    }
}

fn is_load_known(mind: &Mind) -> bool {
    mind.watch.calls > 0 || mind.stated.items.is_some() || !mind.stated.focus.is_empty()
}

impl Serialize for KnownMind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(state, unknown) = self;
        let mut value = serde_json::to_value(state).map_err(S::Error::custom)?;
        for member in unknown {
            let (parent, name) = member.rsplit_once('/').unwrap_or(("", member));
            if let Some(members) = value.pointer_mut(parent).and_then(Value::as_object_mut) {
                members.remove(name);
            }
        }
        value.serialize(serializer)
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let place = MindPlace::of(shell, arguments.session.as_deref())?;
    let (mind, limits) = (&place.mind, CognitionLimits::of(place.engine.settings()));
    let stated: Vec<&str> = mind.stated.focus.iter().map(|item| &**item).collect();
    let shown = ShownMind {
        session: &place.session,
        emotions: mind.emotions.as_ref(),
        metacognition: KnownMind::of(mind, &limits),
        in_focus: if stated.is_empty() { mind.watch.in_focus().collect() } else { stated },
        goals: mind.goals.as_ref(),
        next_goal: mind.goals.as_ref().and_then(Goals::next_actionable).map(|goal| goal.id),
        epistemic: mind.epistemic.as_ref(),
        critic: mind.tone(&limits),
        firings: &mind.firings,
    };
    if shell.wants_json() {
        shell.out.answer(&shown)?;
        return Ok(CommandOutcome::Done);
    }
    let lines = [metacognition(&shown, mind), emotions(&shown), goals(&shown), epistemic(&shown)].concat();
    for line in lines {
        let line = clean(&place.engine, &line);
        let cells: Vec<_> = line.splitn(2, '\t').collect();
        shell.out.row(&cells)?;
    }
    Ok(CommandOutcome::Done)
}

/// What nobody stated and no call shows is not known, whatever the schema has in its place.
fn metacognition(shown: &ShownMind<'_>, mind: &Mind) -> Vec<String> {
    const NO_CALL: &str = "not computable: no call was recorded";
    let critic = format!("critic\t{}", shown.critic);
    let Some(KnownMind(state, _)) = &shown.metacognition else {
        return vec![format!("thinking\t{NO_CALL}, and nothing was stated"), critic];
    };
    let (stated, has_calls) = (&mind.stated, mind.watch.calls > 0);
    let works = state.strategy_effectiveness.map_or("unknown".to_owned(), |share| format!("works {}", percent(share)));
    let strategy = stated.strategy.map_or("not stated".to_owned(), |strategy| strategy.to_string());
    let (spin, load, help) = (&state.spin_detection, &state.cognitive_load, &state.help_seeking);
    let flow = if state.flow_state { ", in flow" } else { "" };
    let times = counted(spin.similar_action_count.into(), "time");
    let repeated = format!("last action repeated {times} of {}", spin.spinning_threshold);
    let progress = match (has_calls, &stated.blocked) {
        (true, _) => format!("{}, {repeated}{flow}", state.progress_status),
        (false, Some(_)) => state.progress_status.to_string(),
        (false, None) => NO_CALL.to_owned(),
    };
    let in_focus =
        format!("{}, {} in focus: {}", percent(load.current), load.items_in_focus, shown.in_focus.join(", "));
    let ask = if help.should_ask_user { ", a person should be asked" } else { "" };
    let uncertainty = stated.uncertainty.map_or("unknown".to_owned(), |share| share.to_string());
    let mut lines = vec![
        format!("strategy\t{strategy}, {works}"),
        format!("progress\t{progress}"),
        format!("load\t{}", if is_load_known(mind) { in_focus } else { NO_CALL.to_owned() }),
        format!(
            "help\tuncertainty {uncertainty}, {} in a row{ask}",
            counted(help.consecutive_failures.into(), "failure")
        ),
        critic,
    ];
    let corrections = state.self_corrections.iter();
    lines.extend(corrections.map(|one| format!("corrected\t{}: {}; {}", one.what, one.why, one.outcome)));
    lines
}

fn emotions(shown: &ShownMind<'_>) -> Vec<String> {
    let Some(felt) = shown.emotions else { return vec!["mood\tnothing was stated".to_owned()] };
    let mut lines = vec![
        format!("mood\t{}, intensity {}, valence {}", felt.mood.current, felt.mood.intensity, felt.mood.valence),
        format!("anxiety\t{} {}", felt.anxiety.level, felt.anxiety.sources.join("; ")),
    ];
    lines.extend(felt.satisfactions.iter().map(|one| format!("satisfied\t{} ({})", one.description, one.intensity)));
    lines.extend(felt.frustrations.iter().map(|one| {
        let state = if one.resolved { "resolved" } else { "open" };
        format!("frustrated\t{} {} ({}), {state}", one.id, one.description, one.intensity)
    }));
    lines
}

fn goals(shown: &ShownMind<'_>) -> Vec<String> {
    let Some(goals) = shown.goals else { return Vec::new() };
    let line = |goal: AnyGoal<'_>| {
        let next = if shown.next_goal == Some(goal.id) { ", next" } else { "" };
        format!("{}\t{} {}: {}, {}{next}", goal.kind, goal.id, goal.description, goal.status, goal.progress)
    };
    let mut lines: Vec<_> = goals.all().map(line).collect();
    lines.extend(goals.goal_stack.last().map(|id| format!("working on\t{id}")));
    lines.extend(goals.conflicts.iter().map(|one| {
        let resolution = one.resolution.as_deref().unwrap_or("open");
        format!("conflict\t{} of {} and {}: {resolution}", one.kind, one.goal_a, one.goal_b)
    }));
    lines
}

fn epistemic(shown: &ShownMind<'_>) -> Vec<String> {
    let Some(known) = shown.epistemic else { return Vec::new() };
    let golden = known.golden_facts.iter().map(|one| format!("golden\t{} {} ({})", one.id, one.fact, one.source));
    let working =
        known.working_facts.iter().map(|one| format!("working\t{} {} ({})", one.id, one.fact, one.confidence));
    let contradictions = known.contradictions.iter().map(|one| {
        let resolution = one.resolution.as_deref().unwrap_or("open");
        format!("contradiction\t{} {} / {}: {resolution}", one.id, one.fact_a, one.fact_b)
    });
    let unknowns = known.unknowns.iter().map(|one| {
        let critical = if one.critical { "critical, " } else { "" };
        format!("unknown\t{} {}: {critical}{}", one.id, one.question, one.answer.as_deref().unwrap_or("open"))
    });
    golden.chain(working).chain(contradictions).chain(unknowns).collect()
}

/// That of the state, in which some members may be missing.
#[cfg(test)]
impl schemars::JsonSchema for KnownMind {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Known".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut state = Metacognition::json_schema(generator);
        let mut help = crate::domain::cognition::metacognition::Help::json_schema(generator);
        help.insert("required".to_owned(), serde_json::json!(["consecutive_failures", "should_ask_user"]));
        state.insert("required".to_owned(), serde_json::json!(["help_seeking", "self_corrections"]));
        state.ensure_object()["properties"]["help_seeking"] = help.to_value();
        state
    }
}
