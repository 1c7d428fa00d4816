//! Whether a model would answer, and else the word that a person needs.
//!
//! Looks at nothing: each backend does.

use std::fmt;

use crate::failure::ModelError;

/// Whether a model would answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It would.
    Ready,
    /// Nothing listens.
    NoServer {
        /// Where.
        at: String,
        /// What starts one there, where a person can.
        start_with: Option<String>,
    },
    /// The server is there, and not the model.
    NoModel {
        /// The one that is configured.
        model: String,
        /// Those that are there.
        known: Vec<String>,
        /// What brings it, where a command does.
        bring_with: Option<String>,
    },
    /// A command line tool is not installed.
    NoProgram {
        /// Which.
        program: String,
    },
    /// A command line tool is not logged in.
    NeedsLogin {
        /// The command that does it.
        command: String,
    },
    /// The variable named in the configuration is not set, or holds what no key is.
    NoKey {
        /// Which.
        variable: String,
    },
    /// The server does not know the key, or wants one.
    KeyRefused {
        /// By whom.
        at: String,
    },
    /// What else is wrong.
    Failing(ModelError),
}

impl Availability {
    /// Whether it would answer.
    pub fn is_ready(&self) -> bool {
        *self == Self::Ready
    }

    /// What a failed look says. `start_with` is the command that starts such a server, where a person can.
    pub(crate) fn of_failure(error: ModelError, start_with: Option<&str>) -> Self {
        Self::of_known(&error, start_with).unwrap_or(Self::Failing(error))
    }

    fn of_known(error: &ModelError, start_with: Option<&str>) -> Option<Self> {
        if let ModelError::Unreachable { at, .. } = error {
            return Some(Self::NoServer { at: at.clone(), start_with: start_with.map(str::to_owned) });
        }
        if let ModelError::Status { at, status: 401 | 403, .. } = error {
            return Some(Self::KeyRefused { at: at.clone() });
        }
        if let ModelError::NoKey { variable } = error {
            return Some(Self::NoKey { variable: variable.clone() });
        }
        if let ModelError::NoProgram { program, .. } = error {
            return Some(Self::NoProgram { program: program.clone() });
        }
        None
    }

    /// Whether the model is among those the server has. A server that names none is taken at its word that it answers.
    pub(crate) fn of_models(model: &str, known: Vec<String>, bring_with: Option<String>) -> Self {
        if known.is_empty() || known.iter().any(|known| known == model) {
            Self::Ready
        } else {
            Self::NoModel { model: model.to_owned(), known, bring_with }
        }
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready => f.write_str("ready"),
            Self::NoServer { at, start_with } => {
                write!(f, "no server answers at {at}")?;
                start_with.iter().try_for_each(|command| write!(f, "; start it with `{command}`"))
            }
            Self::NoModel { model, known, bring_with } => {
                write!(f, "the server has no {model}, {}", few(known))?;
                bring_with.iter().try_for_each(|command| write!(f, "; bring it with `{command}`"))
            }
            Self::NoProgram { program } => write!(f, "{program} is not installed"),
            Self::NeedsLogin { command } => write!(f, "requires `{command}`"),
            Self::NoKey { variable } => write!(f, "the variable {variable} holds no key"),
            Self::KeyRefused { at } => write!(f, "{at} refuses the key"),
            Self::Failing(error) => error.fmt(f),
        }
    }
}

/// The first names; a gateway may have hundreds.
fn few(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "and no other".to_owned(),
        1..=SHOWN => format!("but {shown}"),
        count => format!("but {shown} and {} more", count - SHOWN),
    }
}
