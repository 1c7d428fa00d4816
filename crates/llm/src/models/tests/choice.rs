//! Which model serves a purpose.

use std::sync::Arc;

use crate::config::{BackendKind, ModelConfig, ModelsConfig};
use crate::models::{Chosen, Models, NoModel};
use crate::purpose::{Audience, Place, Purpose};
use crate::testing::{Act, Fake, Still, at, models};

/// Two local models and two in the cloud.
fn four(config: ModelsConfig) -> Models {
    let fake = |name, place| Fake::new(name, place, &[Act::Say("x", 0, 0)]);
    models(config, Still::new())
        .with(fake("small", Place::Local), 1)
        .with(fake("big", Place::Local), 5)
        .with(fake("cloud", Place::Cloud), 9)
        .with(fake("weak", Place::Cloud), 0)
}

fn config(default: &str, fallback: &str) -> ModelsConfig {
    let some = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    ModelsConfig { default: some(default), fallback: some(fallback), ..ModelsConfig::default() }
}

fn serving(config: ModelsConfig, purposes: &[(Purpose, &str)]) -> ModelsConfig {
    let purposes = purposes.iter().map(|(purpose, name)| (*purpose, (*name).to_owned())).collect();
    ModelsConfig { purposes, ..config }
}

fn chosen<'c>(name: &'c str, stand_in: Option<&'c str>) -> Chosen<'c> {
    Chosen { name, stand_in }
}

#[test]
fn nobody_is_asked_before_a_model_is_configured() {
    for models in [models(ModelsConfig::default(), Still::new()), four(ModelsConfig::default())] {
        for purpose in Purpose::ALL.iter().copied().filter(|purpose| *purpose != Purpose::Metrics) {
            assert_eq!(models.chosen(purpose), Err(NoModel::NotConfigured { purpose }));
        }
    }
    let error = NoModel::NotConfigured { purpose: Purpose::Planner }.to_string();
    assert_eq!(
        error,
        "no model is configured for planner: write a table [models.NAME] with its `backend`, and `default = \"NAME\"` \
         under [models], or `planner = \"NAME\"` under [models.purposes]"
    );
}

#[test]
fn metrics_ask_nobody() {
    let models = four(serving(config("small", ""), &[(Purpose::Metrics, "small")]));
    assert_eq!(models.chosen(Purpose::Metrics), Err(NoModel::NeedsNone { purpose: Purpose::Metrics }));
}

#[test]
fn a_purpose_is_served_by_its_own_model_and_else_by_the_default() {
    let models = four(serving(config("small", "cloud"), &[(Purpose::Critic, "big")]));
    assert_eq!(models.chosen(Purpose::Critic), Ok(chosen("big", Some("cloud"))));
    assert_eq!(models.chosen(Purpose::Eval), Ok(chosen("small", Some("cloud"))));
}

#[test]
fn a_name_that_nobody_goes_by_is_said() {
    let unknown = Err(NoModel::Unknown { name: "none".to_owned() });
    assert_eq!(four(config("none", "")).chosen(Purpose::Eval), unknown);
    assert_eq!(four(serving(config("small", ""), &[(Purpose::Tom, "none")])).chosen(Purpose::Tom), unknown);
    assert_eq!(four(config("small", "none")).chosen(Purpose::Eval), Ok(chosen("small", None)));
}

#[test]
fn what_is_private_stays_here() {
    let private: Vec<_> = Purpose::ALL.iter().filter(|purpose| purpose.audience() == Audience::LocalOnly).collect();
    assert_eq!(private, [&Purpose::Emotional, &Purpose::Documentation]);
    for &&purpose in &private {
        assert_eq!(four(config("small", "cloud")).chosen(purpose), Ok(chosen("small", None)));
        assert_eq!(four(config("small", "big")).chosen(purpose), Ok(chosen("small", Some("big"))));
        assert_eq!(four(config("cloud", "big")).chosen(purpose), Ok(chosen("big", None)));
        assert_eq!(four(config("cloud", "")).chosen(purpose), Err(NoModel::NoLocalModel { purpose }));
        assert_eq!(four(config("cloud", "weak")).chosen(purpose), Err(NoModel::NoLocalModel { purpose }));
        let named = four(serving(config("small", ""), &[(purpose, "cloud")]));
        assert_eq!(named.chosen(purpose), Err(NoModel::InTheCloud { purpose, name: "cloud".to_owned() }));
    }
}

#[test]
fn the_stand_in_may_be_in_the_cloud_unless_that_is_forbidden() {
    let strict = |fallback| ModelsConfig { fallback_to_cloud: false, ..config("small", fallback) };
    assert_eq!(four(strict("cloud")).chosen(Purpose::Eval), Ok(chosen("small", None)));
    assert_eq!(four(strict("big")).chosen(Purpose::Eval), Ok(chosen("small", Some("big"))));
    assert_eq!(four(config("small", "small")).chosen(Purpose::Eval), Ok(chosen("small", None)));
}

/// Artoo, "Key Invariants".
#[test]
fn what_judges_the_whole_is_no_weaker_than_what_planned_it() {
    let judged = |planner, meta| {
        four(serving(config("small", ""), &[(Purpose::Planner, planner), (Purpose::MetaValidator, meta)]))
    };
    assert_eq!(judged("big", "big").chosen(Purpose::MetaValidator), Ok(chosen("big", None)));
    assert_eq!(judged("big", "cloud").chosen(Purpose::MetaValidator), Ok(chosen("cloud", None)));
    let error = judged("big", "small").chosen(Purpose::MetaValidator).unwrap_err();
    let (name, planner) = ("small".to_owned(), "big".to_owned());
    assert_eq!(error, NoModel::TooWeak { name, strength: 1, planner, needed: 5 });
    assert_eq!(judged("big", "small").chosen(Purpose::Planner), Ok(chosen("big", None)));
}

#[test]
fn no_weaker_model_stands_in_for_what_judges_the_whole() {
    assert_eq!(four(config("big", "small")).chosen(Purpose::MetaValidator), Ok(chosen("big", None)));
    assert_eq!(four(config("big", "small")).chosen(Purpose::Planner), Ok(chosen("big", Some("small"))));
    assert_eq!(four(config("big", "cloud")).chosen(Purpose::MetaValidator), Ok(chosen("big", Some("cloud"))));
}

#[test]
fn where_a_model_thinks_is_seen_from_its_table() {
    let local = at(BackendKind::OpenAi, "http://127.0.0.1:1");
    let ollama = |model: &str| ModelConfig { model: Some(model.to_owned()), ..ModelConfig::new(BackendKind::Ollama) };
    let cases = [
        (local.clone(), Place::Local),
        (ModelConfig { forwards: true, ..local }, Place::Cloud),
        (at(BackendKind::OpenAi, "https://models.example"), Place::Cloud),
        (ollama("llama3"), Place::Local),
        (ollama("gpt-oss:120b-cloud"), Place::Cloud),
        (ollama("qwen4:cloud"), Place::Cloud),
        (at(BackendKind::Ollama, "http://models.example"), Place::Cloud),
        (at(BackendKind::Anthropic, "http://127.0.0.1:1"), Place::Local),
        (ModelConfig::new(BackendKind::Anthropic), Place::Cloud),
        (ModelConfig::new(BackendKind::ClaudeCode), Place::Cloud),
        (ModelConfig::new(BackendKind::Codex), Place::Cloud),
        (ModelConfig::new(BackendKind::Scripted), Place::Local),
    ];
    for (config, place) in cases {
        assert_eq!(config.place(), place, "{config:?}");
    }
}

#[test]
fn many_may_ask_at_once_from_many_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let models = Arc::new(four(config("small", "")));
    shared(&models);
}
