//! Switching rules, own patterns, tools and files.

use super::{history, joined, sanitizer};
use crate::{Config, ConfigError, Context, CustomPattern, Patterns, Sanitizer, Source};

const BOTH: &str = "gh¦p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP DB_PASSWORD=hunter2x";

fn with(config: Config) -> Sanitizer {
    Sanitizer::new(config).expect("a configuration")
}

fn own(name: &str, pattern: &str, replacement: &str) -> CustomPattern {
    CustomPattern { name: name.into(), pattern: pattern.into(), replacement: replacement.into() }
}

#[test]
fn every_key_has_a_default() {
    let config: Config = serde_json::from_str("{}").expect("a configuration");
    assert_eq!(config, Config::default());
    let patterns = Patterns { api_keys: true, credentials: true, pii: false };
    assert_eq!((config.enabled, config.patterns), (true, patterns));
    let config: Config =
        serde_json::from_str(r#"{"custom_patterns":[{"name":"a","pattern":"b"}]}"#).expect("a configuration");
    assert_eq!(config.custom_patterns, [own("a", "b", "[REDACTED]")]);
}

#[test]
fn groups_can_be_switched_off() {
    let text = joined(BOTH);
    let only = |api_keys, credentials| {
        let patterns = Patterns { api_keys, credentials, pii: false };
        with(Config { patterns, ..Config::default() }).sanitize_text(&text, &history()).text.into_owned()
    };
    assert_eq!(only(true, true), "[REDACTED_TOKEN] DB_PASSWORD=[REDACTED_PASSWORD]");
    assert_eq!(only(true, false), "[REDACTED_TOKEN] DB_PASSWORD=hunter2x");
    assert_eq!(only(false, true), text.replace("hunter2x", "[REDACTED_PASSWORD]"));
    assert_eq!(only(false, false), text);
}

#[test]
fn all_can_be_switched_off_and_tools_be_excepted() {
    let text = joined(BOTH);
    let off = with(Config { enabled: false, ..Config::default() });
    assert_eq!(off.sanitize_text(&text, &history()).text, text);
    let sanitizer = with(Config { excluded_tools: vec!["Vault".into()], ..Config::default() });
    let by = |tool| sanitizer.sanitize_text(&text, &Context { tool_name: Some(tool), ..history() }).is_redacted();
    assert_eq!((by("Vault"), by("Bash")), (false, true));
}

#[test]
fn own_patterns_replace_their_first_group() {
    let mut sanitizer = with(Config { custom_patterns: vec![own("ticket", r"T-\d+", "T-0\"")], ..Config::default() });
    sanitizer.add_pattern("host", r"host=(\w+)", None).expect("a pattern");
    let cleaned = sanitizer.sanitize_json(r#"{"a":"see T-123 at host=alpha\n"}"#, &history());
    assert_eq!(cleaned.text, r#"{"a":"see T-0\" at host=[REDACTED]\n"}"#);
    let rules: Vec<&str> = cleaned.findings.iter().map(|finding| &*finding.rule).collect();
    assert_eq!(rules, ["ticket", "host"]);
    let again = sanitizer.sanitize_json(&cleaned.text, &history());
    assert!(!again.is_redacted(), "{}", again.text);
}

#[test]
fn a_secret_may_be_much_longer_than_its_replacement() {
    let sanitizer = with(Config { custom_patterns: vec![own("long", r"x{9,}", "[X]")], ..Config::default() });
    let cleaned = sanitizer.sanitize_text("a xxxxxxxxxxxxxxxxxxxx b xxxxxxxxx", &history());
    assert_eq!(cleaned.text, "a [X] b [X]");
}

#[test]
fn a_bad_pattern_is_named() {
    let bad = |pattern| Sanitizer::new(Config { custom_patterns: vec![own("mine", pattern, "")], ..Config::default() });
    assert!(matches!(bad("(").expect_err("an error"), ConfigError::Pattern { name, .. } if name == "mine"));
    let error = bad("a*").expect_err("an error");
    assert_eq!(error, ConfigError::MatchesNothing { name: "mine".into() });
    assert_eq!(error.to_string(), r#"custom pattern "mine" matches the empty text"#);
    assert!(sanitizer().add_pattern("mine", "[", None).is_err());
}

#[test]
fn every_value_of_a_secret_file_is_secret() {
    let context = |path| Context { file_path: Some(path), ..Context::of(Source::History) };
    let raw =
        r##"{"file":{"content":"# local\nNAME=annals\nexport  A='b c'\nDEBUG=true\nEMPTY=\n     4→URL=h # x\n"}}"##;
    let expected = r##"{"file":{"content":"# local\nNAME=[REDACTED_SECRET]\nexport  A='[REDACTED_SECRET]'\nDEBUG=true\nEMPTY=\n     4→URL=[REDACTED_SECRET] # x\n"}}"##;
    assert_eq!(sanitizer().sanitize_json(raw, &context("/p/.env.local")).text, expected);
    assert_eq!(sanitizer().sanitize_json(raw, &context("/p/notes.md")).text, raw);
    let own = with(Config { excluded_files: vec!["notes.*".into()], ..Config::default() });
    assert_eq!(own.sanitize_json(raw, &context("/p/notes.md")).text, expected);
    assert!(own.should_exclude_file("notes.txt") && !own.should_exclude_file("note.txt"));
}

#[test]
fn all_four_destinations_have_the_same_rules() {
    for source in [Source::History, Source::Output, Source::Summary, Source::Export] {
        let cleaned = sanitizer().sanitize_text("password=hunter2x", &Context::of(source));
        assert_eq!(cleaned.text, "password=[REDACTED_PASSWORD]");
    }
}
