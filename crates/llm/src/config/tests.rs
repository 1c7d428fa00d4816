//! What a person may write under `[models]`, and what is said where it is wrong.

use super::{BackendKind, BadModel, ModelConfig, ModelsConfig, SchemaMode, ThinkOff};
use crate::budget::{BudgetLimits, Ceiling, Price, Spending};
use crate::models::{Models, Unusable};
use crate::purpose::Purpose;
use crate::testing::{Still, at, only, question, sanitizer};
use crate::wire::address::BadAddress;

fn read(text: &str) -> Result<ModelsConfig, String> {
    #[derive(serde::Deserialize)]
    struct File {
        models: ModelsConfig,
    }
    toml_edit::de::from_str::<File>(text).map(|file| file.models).map_err(|error| error.message().to_owned())
}

const FULL: &str = r#"
[models]
default = "local"
fallback = "cloud"
fallback_delay_ms = 2000
fallback_to_cloud = false

[models.purposes]
planner = "cloud"
meta_validator = "cloud"

[models.budget]
task = { tokens = 200000, cents = 50 }
day = { minutes = 120 }

[models.local]
backend = "openai"
url = "http://127.0.0.1:8080"
model = "qwen"
context = 4096
deadline_ms = 900000
schema = "prompted"
think_off = "unsaid"

[models.cloud]
backend = "anthropic"
model = "some-model"
key_variable = "ANTHROPIC_API_KEY"
strength = 9
price_in = 3000
price_out = 15000
"#;

#[test]
fn a_table_is_read_as_it_is_written() {
    let local = ModelConfig {
        model: Some("qwen".to_owned()),
        context: Some(4096),
        deadline_ms: 900_000,
        schema: SchemaMode::Prompted,
        think_off: Some(ThinkOff::Unsaid),
        ..at(BackendKind::OpenAi, "http://127.0.0.1:8080")
    };
    let cloud = ModelConfig {
        model: Some("some-model".to_owned()),
        key_variable: Some("ANTHROPIC_API_KEY".to_owned()),
        strength: 9,
        price_in: Some(3_000),
        price_out: Some(15_000),
        ..ModelConfig::new(BackendKind::Anthropic)
    };
    let purposes = [Purpose::Planner, Purpose::MetaValidator].map(|purpose| (purpose, "cloud".to_owned()));
    let config = ModelsConfig {
        default: Some("local".to_owned()),
        fallback: Some("cloud".to_owned()),
        fallback_delay_ms: 2_000,
        fallback_to_cloud: false,
        purposes: purposes.into(),
        budget: BudgetLimits {
            task: Ceiling { tokens: Some(200_000), cents: Some(50), minutes: None },
            day: Ceiling { minutes: Some(120), ..Ceiling::default() },
        },
        named: [("local".to_owned(), local), ("cloud".to_owned(), cloud)].into(),
    };
    assert_eq!(read(FULL), Ok(config.clone()));
    let written = serde_json::to_value(&config).unwrap();
    assert_eq!(serde_json::from_value::<ModelsConfig>(written).unwrap(), config);
}

#[test]
fn nothing_written_is_no_model_and_the_documents_defaults() {
    let config = read("[models]").unwrap();
    assert_eq!(config, ModelsConfig::default());
    assert_eq!((config.fallback_delay_ms, config.fallback_to_cloud, config.named.len()), (5_000, true, 0));
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        ("backup = \"x\"", "`backup` under [models] is no setting, and no model: a model is a table, [models.backup]"),
        ("fallback = 7", "`settings` under [models]: invalid type: integer `7`, expected a string"),
        ("[models.a]", "`a` under [models]: missing field `backend`"),
        (
            "[models.a]\nbackend = \"gpt\"",
            "`a` under [models]: unknown variant `gpt`, expected one of `openai`, `ollama`, `anthropic`, `claude_code`, `codex`, `scripted`",
        ),
        (
            "[models.a]\nbackend = \"codex\"\napi_key = \"sk-1\"",
            "`a` under [models]: unknown field `api_key`, expected one of",
        ),
        ("[models.purposes]\ncoffee = \"a\"", "`settings` under [models]: unknown variant `coffee`, expected one of"),
        ("[models.budget]\nweek = {}", "`settings` under [models]: unknown field `week`, expected `task` or `day`"),
    ];
    for (text, words) in cases {
        let error = read(&format!("[models]\n{text}")).unwrap_err();
        assert!(error.starts_with(words), "{text}: {error}");
    }
}

#[test]
fn a_model_that_cannot_be_asked_is_refused_before_anybody_asks() {
    let openai = || at(BackendKind::OpenAi, "http://127.0.0.1:1");
    let key = |name: &str| Some(name.to_owned());
    let missing = |backend, setting| BadModel::Missing { backend, setting };
    let scheme = |scheme: &str| BadModel::Address(BadAddress::Scheme { scheme: scheme.to_owned() });
    let cases = [
        (ModelConfig::new(BackendKind::OpenAi), missing(BackendKind::OpenAi, "url")),
        (ModelConfig::new(BackendKind::Ollama), missing(BackendKind::Ollama, "model")),
        (ModelConfig::new(BackendKind::Anthropic), missing(BackendKind::Anthropic, "model")),
        (ModelConfig::new(BackendKind::Scripted), missing(BackendKind::Scripted, "file")),
        (at(BackendKind::OpenAi, "file:///etc/passwd"), scheme("file")),
        (at(BackendKind::Ollama, "ftp://127.0.0.1"), scheme("ftp")),
        (ModelConfig { key_variable: key("sk-ant-1234"), ..openai() }, BadModel::KeyVariable),
        (ModelConfig { key_variable: key(""), ..openai() }, BadModel::KeyVariable),
        (ModelConfig { key_variable: key("K"), ..at(BackendKind::OpenAi, "http://models.example") }, BadModel::OpenKey),
        (
            ModelConfig { think_off: Some(ThinkOff::Disabled), ..openai() },
            BadModel::ThinkOff { backend: BackendKind::OpenAi, word: ThinkOff::Disabled },
        ),
        (
            ModelConfig { think_off: Some(ThinkOff::Unsaid), ..at(BackendKind::Ollama, "http://127.0.0.1:1") },
            BadModel::ThinkOff { backend: BackendKind::Ollama, word: ThinkOff::Unsaid },
        ),
    ];
    for (config, error) in cases {
        let models = Models::new(only(config.clone()), sanitizer(), Still::new());
        let unusable = Unusable { name: "one".to_owned(), error };
        assert_eq!(models.unusable(), std::slice::from_ref(&unusable), "{config:?}");
        assert_eq!(models.chosen(Purpose::Ask), Err(unusable.into()), "{config:?}");
    }
    let no_file = ModelConfig { file: Some("/nonexistent/x".to_owned()), ..ModelConfig::new(BackendKind::Scripted) };
    assert_eq!(Models::new(only(no_file), sanitizer(), Still::new()).unusable().len(), 1);
    let proxy = Still::with(&[("https_proxy", "nonsense://x y")]);
    let behind = Models::new(only(at(BackendKind::OpenAi, "https://models.example")), sanitizer(), proxy);
    assert_eq!(behind.unusable().len(), 1);
}

#[test]
fn one_model_that_cannot_be_asked_keeps_nobody_from_the_others() {
    let named =
        [("good", at(BackendKind::OpenAi, "http://127.0.0.1:1")), ("bad", ModelConfig::new(BackendKind::OpenAi))];
    let named = named.into_iter().map(|(name, model)| (name.to_owned(), model)).collect();
    let config = ModelsConfig {
        default: Some("good".to_owned()),
        fallback: Some("bad".to_owned()),
        purposes: [(Purpose::Draft, "bad".to_owned())].into_iter().collect(),
        named,
        ..ModelsConfig::default()
    };
    let models = Models::new(config, sanitizer(), Still::new());
    assert_eq!(models.chosen(Purpose::Ask).map(|chosen| (chosen.name, chosen.stand_in)), Ok(("good", None)));
    let said = models.chosen(Purpose::Draft).unwrap_err().to_string();
    assert_eq!(said, "[models.bad]: openai needs `url`");
    assert_eq!(models.names().collect::<Vec<_>>(), ["good"]);
}

#[test]
fn prices_are_known_where_they_are_written_or_nothing_is_to_be_paid() {
    let prices = read(FULL).unwrap().prices();
    assert_eq!(prices.require("local"), Ok(Price::default()));
    assert_eq!(prices.require("cloud"), Ok(Price { nano_usd_in: 3_000, nano_usd_out: 15_000 }));
    let hi = question();
    let most = read(FULL).unwrap().most_spending("cloud", &hi);
    assert_eq!(most, Ok(Spending { tokens: 20, nano_usd: 4 * 3_000 + 16 * 15_000, ms: 0 }));
    let unpriced = only(ModelConfig { model: Some("x".to_owned()), ..ModelConfig::new(BackendKind::Anthropic) });
    let error = unpriced.prices().require("one").unwrap_err();
    assert_eq!(error.to_string(), "no price is known for one: write `price_in` and `price_out` into [models.one]");
    let beside = unpriced.most_spending("a script", &hi).unwrap();
    assert_eq!(beside, Spending { tokens: hi.estimated_tokens() + u64::from(hi.max_tokens), ..Spending::default() });
    assert_eq!(unpriced.most_spending("one", &hi).unwrap(), Spending { tokens: 20, ..Spending::default() });
    let task = Ceiling { cents: Some(1), ..Ceiling::default() };
    let limited = ModelsConfig { budget: BudgetLimits { task, ..BudgetLimits::default() }, ..unpriced };
    assert_eq!(limited.most_spending("one", &hi), Err(error));
}
