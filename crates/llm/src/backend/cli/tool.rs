//! What all command line tools have in common: their name, how they are started, and how they are looked at.

use std::sync::Arc;

use super::process::{Ended, Hear, Run, file, folder};
use crate::availability::Availability;
use crate::config::{BadModel, ModelConfig};
use crate::failure::{ModelError, kept};
use crate::surroundings::Surroundings;

/// A command line tool.
pub struct Tool {
    /// As the person calls it.
    pub name: String,
    /// By its table in the configuration.
    pub config: ModelConfig,
    usual: Usual,
    surroundings: Arc<dyn Surroundings>,
}

/// What a tool is called, and how it is logged in.
#[derive(Debug, Clone, Copy)]
pub struct Usual {
    /// The command.
    pub program: &'static str,
    /// What logs in.
    pub login: &'static str,
    /// The arguments that ask whether it is logged in.
    pub status: &'static [&'static str],
}

impl Tool {
    /// By its table in the configuration.
    pub fn new(
        name: &str,
        config: ModelConfig,
        usual: Usual,
        surroundings: &Arc<dyn Surroundings>,
    ) -> Result<Self, BadModel> {
        config.think_off()?;
        Ok(Self { name: name.to_owned(), config, usual, surroundings: surroundings.clone() })
    }

    /// The command.
    pub fn program(&self) -> String {
        self.config.program.clone().unwrap_or_else(|| self.usual.program.to_owned())
    }

    /// A run without arguments, in an empty folder.
    pub fn run(&self, input: String) -> Result<Run, ModelError> {
        let folder = folder(&self.surroundings.scratch())?;
        Ok(Run { program: self.program(), args: Vec::new(), variables: Vec::new(), input, folder })
    }

    /// It failed, with what it wrote.
    pub fn failed(&self, said: &str, output: &str) -> ModelError {
        let (said, received) = (kept(said.as_bytes()), kept(output.as_bytes()));
        ModelError::ProgramFailed { program: self.program(), said, received }
    }

    /// It is not logged in.
    pub fn not_logged_in(&self) -> ModelError {
        ModelError::NotLoggedIn { program: self.program(), command: self.usual.login.to_owned() }
    }

    /// Whether it is there and logged in.
    pub async fn look(&self) -> Availability {
        match self.status().await {
            Ok(ended) if ended.status.success() => Availability::Ready,
            Ok(_) => Availability::NeedsLogin { command: self.usual.login.to_owned() },
            Err(error) => Availability::of_failure(error, None),
        }
    }

    async fn status(&self) -> Result<Ended, ModelError> {
        let run = self.run(String::new())?.with(self.usual.status);
        let hear: &mut Hear<'_> = &mut |_| Ok(());
        run.end(hear).await
    }
}

impl Run {
    /// With more arguments.
    #[must_use]
    pub fn with(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    /// With the path of a file in its folder as an argument.
    pub fn with_file(self, arg: &str, name: &str, text: &str) -> Result<Self, ModelError> {
        let path = file(&self.folder, name, text)?;
        Ok(self.with(&[arg, &path]))
    }
}
