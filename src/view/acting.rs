//! What an agent does here and with which command, and what is not for it: one table, asked by role and standing.
//!
//! Decides nothing; who may is what the rules ask of a standing, too.

use crate::domain::Rooms;
use crate::domain::moderation::state::Freedom;
use crate::kernel::actor::{Role, Standing};
use crate::kernel::id::AgentId;

/// Who may do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Any agent.
    Everybody,
    /// Any agent that is not restricted.
    Unrestricted,
    /// The assistant.
    Assistant,
    /// Moderator and team lead.
    Privileged,
    /// The team lead.
    Lead,
    /// Nobody but the user.
    User,
}

/// Something that can be done.
struct Act {
    does: &'static str,
    /// `{moderator}` stands for whoever watches over the swarm.
    command: &'static str,
    who: Who,
}

const fn act(does: &'static str, command: &'static str, who: Who) -> Act {
    Act { does, command, who }
}

const ACTS: &[Act] = &[
    act("see what waits for you", "notice list", Who::Everybody),
    act("read an issue with its thread", "issue show ISSUE", Who::Everybody),
    act("see whether a citation holds", "evidence check PATH:LINES --quote TEXT", Who::Everybody),
    act("see what would become of a comment", "issue comment ISSUE TEXT --check", Who::Everybody),
    act(
        "comment, and cite what you looked at",
        "issue comment ISSUE TEXT --stance support --impact minor --file PATH:LINES --quote TEXT",
        Who::Everybody,
    ),
    act("open an issue", "issue new TITLE --body TEXT", Who::Everybody),
    act("ask the moderator", "issue new QUESTION --body TEXT --assignee {moderator}", Who::Everybody),
    act("give an opinion that was asked for sealed", "blind submit ISSUE TEXT --stance oppose", Who::Everybody),
    act(
        "vote in a council that you are a member of",
        "council vote COUNCIL approve --confidence 0.8 --because TEXT",
        Who::Everybody,
    ),
    act("ask before each attempt at a task", "debate gate TASK", Who::Everybody),
    act("end an issue with a decision", "issue resolve ISSUE NOTE --file PATH:LINES", Who::Unrestricted),
    act("cut a task into portions", "credit slice ISSUE --doer AGENT", Who::Assistant),
    act("have somebody dissent", "advocate assign ISSUE", Who::Privileged),
    act("collect sealed opinions", "blind open ISSUE", Who::Privileged),
    act("stop a discussion", "issue freeze ISSUE --reason TEXT", Who::Privileged),
    act("let a discussion go on", "issue unfreeze ISSUE --guidance TEXT", Who::Privileged),
    act("hand an issue on to the user", "moderate escalate ISSUE --summary TEXT", Who::Privileged),
    act("change settings that weaken nothing", "config set KEY VALUE", Who::Lead),
    act("take an agent into the swarm", "agent add ID --role ROLE", Who::Lead),
    act("change settings that protect the project", "config accept KEY", Who::User),
    act("give rights to a folder of .context", "access grant FOLDER --to AGENT", Who::User),
    act("acknowledge that lines are missing", "history acknowledge WRITER", Who::User),
];

/// What an agent does here, each with its command, and what is not for it.
pub(super) struct Acting {
    pub(super) may: Vec<String>,
    pub(super) may_not: Vec<String>,
}

/// What an agent of the roster may do.
pub(super) fn acting(rooms: &Rooms, agent: &AgentId) -> Acting {
    let standing = rooms.roster.standing(agent);
    let freedom = rooms.moderation.freedom_of(agent);
    let moderator = rooms.roster.first_of(&Role::Moderator).map_or("MODERATOR", AgentId::as_str);
    let (mine, others): (Vec<&Act>, Vec<&Act>) = ACTS.iter().partition(|act| act.who.includes(&standing, freedom));
    let said = |act: &&Act| {
        let command = act.command.replace("{moderator}", moderator);
        format!("To {}: `annals {command} --as {agent}`", act.does)
    };
    let mut may_not: Vec<String> = others.iter().map(|act| format!("To {}: {}.", act.does, act.who.said())).collect();
    may_not.push(
        "To act under another agent's name, or as `user`: attempts are recorded, and the user hears of them."
            .to_owned(),
    );
    Acting { may: mine.iter().map(said).collect(), may_not }
}

impl Who {
    fn includes(self, standing: &Standing, freedom: Freedom) -> bool {
        match self {
            Self::Everybody => true,
            Self::Unrestricted => freedom != Freedom::Restricted,
            Self::Assistant => *standing == Standing::Agent(Role::Assistant),
            Self::Privileged => standing.is_privileged(),
            Self::Lead => standing.is_lead(),
            Self::User => *standing == Standing::User,
        }
    }

    /// Who it is, for whoever it is not.
    fn said(self) -> &'static str {
        match self {
            Self::Everybody => "anybody",
            Self::Unrestricted => "not while you are restricted",
            Self::Assistant => "the assistant",
            Self::Privileged => "the moderator or the team lead",
            Self::Lead => "the user or the team lead",
            Self::User => "the user",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::roster::command::Duty;
    use crate::domain::roster::state::Agent;

    fn of(role: &str) -> Acting {
        let mut rooms = Rooms::default();
        for (id, role) in [("anna", role), ("mo", "moderator")] {
            let role = Role::from(Box::<str>::from(role));
            let agent = Agent {
                name: None,
                role,
                model: None,
                program: None,
                can_be_devils_advocate: false,
                duty: Duty::Active,
            };
            rooms.roster.agents.insert(id.into(), agent);
        }
        acting(&rooms, &"anna".into())
    }

    #[test]
    fn what_is_not_for_a_role_is_named_with_who_may() {
        let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
        let (writer, moderator, lead) = (of("writer"), of("moderator"), of("team-lead"));
        assert!(has(&writer.may_not, "To let a discussion go on: the moderator or the team lead."));
        assert!(has(&moderator.may, "annals issue unfreeze ISSUE --guidance TEXT --as anna"));
        assert!(has(&moderator.may_not, "To take an agent into the swarm: the user or the team lead."));
        assert!(has(&lead.may, "annals agent add ID --role ROLE --as anna"));
        for acting in [writer, moderator, lead] {
            assert!(has(&acting.may_not, "To give rights to a folder of .context: the user."));
            assert!(has(&acting.may_not, "or as `user`"));
        }
    }
}
