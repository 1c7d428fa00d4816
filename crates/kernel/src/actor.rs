//! Who acts: roles, and what a role stands for among rules.
//!
//! Does not know which agent has which role; the roster does.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The person in whose project the agents work.
pub const USER: &str = "user";
/// The rules themselves.
pub const SYSTEM: &str = "system";

/// What an agent is there for (control-room 2). Open: other names are kept as they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Box<str>", into = "Box<str>")]
#[schemars(with = "String")]
pub enum Role {
    /// Structures what the user wants, slices tasks. Team mode needs exactly one.
    Assistant,
    /// Writes.
    Writer,
    /// Criticises.
    Critic,
    /// Keeps the project consistent.
    Continuity,
    /// Watches over the swarm.
    Moderator,
    /// Leads, beside the user.
    TeamLead,
    /// Anything else.
    Other(Box<str>),
}

impl Role {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Assistant => "assistant",
            Self::Writer => "writer",
            Self::Critic => "critic",
            Self::Continuity => "continuity",
            Self::Moderator => "moderator",
            Self::TeamLead => "team-lead",
            Self::Other(name) => name,
        }
    }
}

impl From<Box<str>> for Role {
    fn from(name: Box<str>) -> Self {
        match &*name {
            "assistant" => Self::Assistant,
            "writer" => Self::Writer,
            "critic" => Self::Critic,
            "continuity" => Self::Continuity,
            "moderator" => Self::Moderator,
            "team-lead" => Self::TeamLead,
            _ => Self::Other(name),
        }
    }
}

impl From<Role> for Box<str> {
    fn from(role: Role) -> Self {
        role.as_str().into()
    }
}

impl FromStr for Role {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(Self::from(Box::<str>::from(name)))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What an actor may be taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The user, team lead by nature (control-room 14.1).
    User,
    /// The rules.
    System,
    /// An agent of the roster.
    Agent(Role),
    /// A name that is not in the roster, or an agent that is not active.
    Stranger,
}

impl Standing {
    /// Whether it may act on a frozen issue (control-room 3.4).
    pub fn is_privileged(&self) -> bool {
        match self {
            Self::User | Self::System => true,
            Self::Agent(role) => matches!(role, Role::Moderator | Role::TeamLead),
            Self::Stranger => false,
        }
    }

    /// Whether it leads: the user, or an agent who is team lead.
    pub fn is_lead(&self) -> bool {
        matches!(self, Self::User | Self::System | Self::Agent(Role::TeamLead))
    }

    /// Whether it is an agent, in the roster or not: those whom the breakers bind (decision 7).
    pub fn is_agent(&self) -> bool {
        matches!(self, Self::Agent(_) | Self::Stranger)
    }

    /// Whether it is the moderator.
    pub fn is_moderator(&self) -> bool {
        *self == Self::Agent(Role::Moderator)
    }
}
