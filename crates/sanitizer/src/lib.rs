//! Takes secrets out of texts and JSON, before anything is written or shown (AFS 11). `docs/SANITIZER.md` says what.
//!
//! Pure: text in, text and findings out. Reads no files, keeps nothing of what it finds.

mod assignment;
mod bytes;
mod call;
mod class;
mod command;
mod config;
mod cookie;
mod crowd;
mod custom;
mod edit;
mod entropy;
mod envfile;
mod escape;
mod excluded;
mod file;
mod hook;
mod json;
mod judge;
mod lens;
mod manifest;
mod name;
mod pem;
mod phrase;
mod pii;
mod piped;
mod placeholder;
mod probe;
mod rules;
mod scene;
mod scheme;
mod service;
#[cfg(test)]
mod tests;
mod text;
mod token;
mod url;
mod words;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use self::class::Class;
pub use self::config::{Config, ConfigError, CustomPattern, Patterns};
use self::custom::Custom;
use self::edit::{Edit, apply};
pub use self::excluded::ShownText;
use self::scene::{Content, Scene};

/// How often a text is cleaned until nothing more is found; a replacement can bring a name and a value together.
const MOST_ROUNDS: usize = 4;

/// Takes secrets out of texts, by built-in rules and those of a configuration (AFS 11.3).
#[derive(Debug, Clone)]
pub struct Sanitizer {
    config: Config,
    custom: Vec<Custom>,
}

/// Where a value comes from and where it goes (AFS 11.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context<'a> {
    /// Where it goes.
    pub source: Source,
    /// The tool that made it.
    pub tool_name: Option<&'a str>,
    /// The file that it was read from or is written to.
    pub file_path: Option<&'a str>,
}

/// Where a value goes (AFS 11.2). The rules are the same for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Into the history.
    History,
    /// Onto a screen.
    Output,
    /// To a model.
    Summary,
    /// Into a file.
    Export,
}

impl Context<'_> {
    /// A value of no particular tool or file.
    pub fn of(source: Source) -> Self {
        Self { source, tool_name: None, file_path: None }
    }
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned<'a> {
    /// The text; borrowed if nothing was found.
    pub text: Cow<'a, str>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Cleaned<'_> {
    /// Whether anything was taken out.
    pub fn is_redacted(&self) -> bool {
        !self.findings.is_empty()
    }
}

/// Something that was taken out. Does not hold it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Cow<'static, str>,
    /// What it is.
    pub class: Class,
    /// The last keys that lead to it, with dots; empty in a text.
    pub path: String,
}

impl Sanitizer {
    /// Builds a sanitizer; a custom pattern that cannot be used is named in the error.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        let custom = config.custom_patterns.iter().map(Custom::try_from).collect::<Result<_, _>>()?;
        Ok(Self { config, custom })
    }

    /// Adds a pattern; where it has a group, only the first group is replaced (AFS 11.3, `addPattern`).
    pub fn add_pattern(&mut self, name: &str, pattern: &str, replacement: Option<&str>) -> Result<(), ConfigError> {
        let replacement = replacement.unwrap_or(Class::Custom.marker()).to_owned();
        let pattern = CustomPattern { name: name.to_owned(), pattern: pattern.to_owned(), replacement };
        self.custom.push(Custom::try_from(&pattern)?);
        self.config.custom_patterns.push(pattern);
        Ok(())
    }

    /// What it was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Cleans JSON as it is written: strings and keys at any depth. All other bytes stay; what is not JSON is a text.
    pub fn sanitize_json<'a>(&self, raw: &'a str, context: &Context<'_>) -> Cleaned<'a> {
        self.clean(raw, context, |text, scene| json::scan(text, scene).unwrap_or_else(|| text::scan(text, scene)))
    }

    /// Cleans a text; one that is JSON, as JSON.
    pub fn sanitize_text<'a>(&self, text: &'a str, context: &Context<'_>) -> Cleaned<'a> {
        self.clean(text, context, |text, scene| {
            json::scan_inner(text, scene).unwrap_or_else(|| text::scan(text, scene))
        })
    }

    /// Whether the content of a file is secret, by its path alone (AFS 11.3, `shouldExcludeFile`).
    pub fn should_exclude_file(&self, path: &str) -> bool {
        file::is_secret(path, &self.config.excluded_files)
    }

    fn clean<'a>(
        &self,
        text: &'a str,
        context: &Context<'_>,
        scan: impl Fn(&str, &Scene<'_>) -> Vec<Edit>,
    ) -> Cleaned<'a> {
        let mut cleaned = Cleaned { text: Cow::Borrowed(text), findings: Vec::new() };
        let Some(scene) = self.scene(context) else { return cleaned };
        for _ in 0..MOST_ROUNDS {
            let edits = scan(&cleaned.text, &scene);
            if edits.is_empty() {
                break;
            }
            cleaned.text = Cow::Owned(apply(&cleaned.text, &edits));
            cleaned.findings.extend(edits.into_iter().map(Edit::into_finding));
        }
        cleaned
    }

    /// `None` where nothing is to be looked for.
    fn scene(&self, context: &Context<'_>) -> Option<Scene<'_>> {
        let is_excluded =
            context.tool_name.is_some_and(|tool| self.config.excluded_tools.iter().any(|name| name == tool));
        let is_secret = context.file_path.is_some_and(|path| self.should_exclude_file(path));
        let scene = Scene {
            patterns: self.config.patterns,
            custom: &self.custom,
            content: if is_secret { Content::SecretFile } else { Content::Ordinary },
        };
        (self.config.enabled && !is_excluded).then_some(scene)
    }
}
