//! An agent of the roster for which a model is asked: who it is, what it looks at, what binds it.

use crate::quote::inline;
use annals_kernel::actor::Role;

/// A member, as the roster knows it.
#[derive(Debug, Clone)]
pub struct AskedMember<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is there for.
    pub role: &'a Role,
    /// The rules that bind it, from its brief.
    pub brief: Vec<&'a str>,
}

impl AskedMember<'_> {
    /// Who it is, of what, and what it looks at first.
    pub(super) fn introduced(&self, of: &str) -> String {
        let (name, role) = (inline(self.name), inline(self.role.as_str()));
        format!("You are {name}, {role}, {of}. {}", lens(self.role))
    }
}

/// What a role looks at first.
fn lens(role: &Role) -> &'static str {
    match role {
        Role::Critic => "Look for what is wrong, not shown, or left out.",
        Role::Continuity => "Look whether it fits what holds in the project.",
        Role::Writer => "Look at what it means for those who do the work.",
        Role::Assistant => "Look whether it serves what the user wants.",
        Role::Moderator => "Look whether it settles the question, or opens others.",
        Role::TeamLead => "Look at its cost, and at what waits for it.",
        Role::Other(name) if **name == *"explore" => "Look at what else could be so.",
        Role::Other(_) => "Look at it as your role does.",
    }
}
