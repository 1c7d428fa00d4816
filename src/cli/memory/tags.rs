//! How a pair of tags is named on the command line.

use clap::builder::NonEmptyStringValueParser;

use crate::cli::shell::Usage;
use crate::domain::memory::tag;
use crate::engine::Engine;

/// A pair of tags.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Tags {
    /// What was used, or what was wanted: tool:grep, `intent:find_all_go`
    space: Option<String>,
    /// On what: path:src/main.rs, env:local
    entity: Option<String>,
    /// The same as tool:NAME
    #[arg(long, value_parser = NonEmptyStringValueParser::new(), value_name = "NAME", conflicts_with_all = ["space", "intent"])]
    tool: Option<String>,
    /// The same as path:TARGET
    #[arg(long, value_parser = NonEmptyStringValueParser::new(), value_name = "TARGET", conflicts_with = "entity")]
    path: Option<String>,
    /// The same as intent:… with its first three words, and env:local
    #[arg(long, value_parser = NonEmptyStringValueParser::new(), value_name = "WORDS", conflicts_with_all = ["space", "entity", "path"])]
    intent: Option<String>,
}

/// A space and an entity, as far as they are named.
pub(super) type NamedPair = (Option<String>, Option<String>);

impl Tags {
    /// Space and entity, as far as they are named; of a wish what may be written of it.
    pub(super) fn named(&self, engine: &Engine) -> NamedPair {
        let given = (self.space.clone(), self.entity.clone());
        let intent = || self.intent.as_deref().map(|words| tag::intent(&engine.clean_text(words)));
        let space = self.tool.as_deref().map(tag::tool).or_else(intent).or(given.0);
        let local = self.intent.is_some().then(|| tag::LOCAL.to_owned());
        (space, self.path.as_deref().map(tag::path).or(local).or(given.1))
    }

    /// Both, or what is missing.
    pub(super) fn pair(&self, engine: &Engine) -> Result<(Box<str>, Box<str>), Usage> {
        match self.named(engine) {
            (Some(space), Some(entity)) => Ok((space.into(), entity.into())),
            (Some(_), None) | (None, _) => {
                Err(Usage("name a pair: SPACE ENTITY, --tool NAME --path TARGET, or --intent WORDS".into()))
            }
        }
    }
}
