//! Who answers: a script, so that a test and a stranger's first try need no model.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

use crate::act::journal::{Came, Step};
use crate::act::surroundings::Awaited;
use crate::act::{AnswerTrouble, Journal, ModelAnswer};
use crate::cli::shell::Usage;
use crate::domain::task::bus::Party;
use crate::engine::Engine;
use crate::role::run::RoleQuestion;

/// How a script is named.
const SCRIPTED: &str = "scripted:";

/// Answers from a file, in order by role.
#[derive(Debug)]
pub(super) struct Models {
    name: String,
    left: Mutex<BTreeMap<Party, VecDeque<String>>>,
}

/// A line of a script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptLine {
    role: Party,
    answer: Value,
}

impl Models {
    /// The models of a name.
    pub(super) fn named(name: &str, directory: &Path) -> anyhow::Result<Self> {
        let Some(file) = name.strip_prefix(SCRIPTED) else {
            return Err(Usage(format!("--model {name}: only {SCRIPTED}FILE can answer yet")).into());
        };
        let path = directory.join(file);
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read the script {}", path.display()))?;
        let mut left: BTreeMap<Party, VecDeque<String>> = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let line: ScriptLine = serde_json::from_str(line)
                .map_err(|error| Usage(format!("{}, line {number}: {error}", path.display())))?;
            let answer = line.answer.as_str().map_or_else(|| line.answer.to_string(), str::to_owned);
            left.entry(line.role).or_default().push_back(answer);
        }
        Ok(Self { name: name.to_owned(), left: Mutex::new(left) })
    }

    /// Without the answers that a task has on its record.
    pub(super) fn behind(self, engine: &Arc<Engine>, task: &str) -> anyhow::Result<Self> {
        for step in Journal::look(engine, task)?.steps {
            if let Step::Came(Came::Answer { role, .. }) = step {
                self.next(role);
            }
        }
        Ok(self)
    }

    /// As it was named.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn next(&self, role: Party) -> Option<String> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.get_mut(&role)?.pop_front()
    }
}

impl crate::act::Models for Models {
    fn ask<'a>(&'a self, question: &'a RoleQuestion) -> Awaited<'a, Result<ModelAnswer, AnswerTrouble>> {
        let answer = self.next(question.role);
        let none = || AnswerTrouble::NoModel(format!("{} has no more answers of {}", self.name, question.role));
        let model = self.name.clone();
        Box::pin(
            async move { answer.map(|text| ModelAnswer { text, model, ..ModelAnswer::default() }).ok_or_else(none) },
        )
    }
}
