//! Carries a command out: guards, the room's decision, and whatever policies make follow from it, until nothing does.
//!
//! Changes the rooms while it looks what follows, and leaves them as they were. Does not record.

use serde::Serialize;

use super::{Asked, RULES_VERSION};
use crate::domain::{Ask, Asking, Rooms, RoomsDecided};
use crate::policy::{self, PolicyRule};
use annals_kernel::decision::{Moment, Refusal};
use annals_kernel::settings::Settings;

/// How long a chain of consequences may be: policies that set each other off for ever end here (decision 54).
const DEEPEST: usize = 32;

/// What is said of a chain that does not end.
#[derive(Serialize)]
struct Endless {
    steps: usize,
}

/// Decides, with all that follows; the rooms are as they were afterwards.
pub(crate) fn carry_out(rooms: &mut Rooms, ask: &Ask, asked: &Asked, settings: &Settings) -> RoomsDecided {
    carry_out_with(rooms, ask, asked, settings, policy::POLICIES)
}

fn carry_out_with(
    rooms: &mut Rooms,
    ask: &Ask,
    asked: &Asked,
    settings: &Settings,
    policies: &[PolicyRule],
) -> RoomsDecided {
    let moment = moment(rooms, asked, settings);
    rooms.try_out(|rooms| follow(rooms, ask, &moment, policies))
}

/// The moment of a decision: who asks is what the roster says.
pub(super) fn moment<'s>(rooms: &Rooms, asked: &Asked, settings: &'s Settings) -> Moment<'s> {
    let standing = rooms.roster.standing(&asked.actor);
    let Asked { id, at, actor, session } = asked.clone();
    Moment { id, at, actor, standing, session, settings }
}

fn follow(rooms: &mut Rooms, ask: &Ask, moment: &Moment<'_>, policies: &[PolicyRule]) -> RoomsDecided {
    let mut decided = policy::guard(rooms, ask, moment).unwrap_or_else(|| {
        let decided = rooms.decide(ask, moment);
        policy::review(rooms, ask, decided, moment)
    });
    decided = policy::note(rooms, ask, decided, moment);
    let asking = Asking::of(ask);
    let rules = RULES_VERSION.into();
    let from = policy::EventSource { asking: Some(&asking), id: moment.id, at: moment.at, actor: &moment.actor, rules };
    for event in &decided.events {
        policy::take_in(rooms, event, &from);
    }
    // Depth and not number: joining many issues at once is wide, and was cut in the middle while events were counted
    // (decision 54).
    let mut depths = vec![0; decided.events.len()];
    let mut next = 0;
    while let Some(event) = decided.events.get(next).cloned() {
        for policy in policies {
            for follows in (policy.react)(rooms, &event, &policy::Setting { ask, moment }) {
                if depths[next] == DEEPEST {
                    let refusal = Refusal::of("world.consequences.endless", &Endless { steps: DEEPEST });
                    // All or nothing: half of a chain would be a state that no rule has made.
                    return RoomsDecided { events: Vec::new(), refusal: Some(refusal) };
                }
                policy::take_in(rooms, &follows, &from);
                decided.events.push(follows);
                depths.push(depths[next] + 1);
            }
        }
        next += 1;
    }
    decided
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::session::command::Start;
    use crate::domain::{Event, session};
    use crate::policy::{On, Setting};
    use annals_kernel::id::{AgentId, EntryId, SessionId};
    use annals_kernel::json::Json;

    fn decided(react: fn(&Rooms, &Event, &Setting<'_>) -> Vec<Event>) -> RoomsDecided {
        let ask = Ask { command: session::Command::from(Start::default()).into(), observed: Json::empty_object() };
        let asked = Asked {
            id: EntryId::MIN,
            at: EntryId::MIN.time(),
            actor: AgentId::from("user"),
            session: SessionId::from("s"),
        };
        let policy = PolicyRule { name: "", on: On { docs: &[], variants: &[] }, react };
        carry_out_with(&mut Rooms::default(), &ask, &asked, &Settings::default(), &[policy])
    }

    fn echo(_: &Rooms, event: &Event, _: &Setting<'_>) -> Vec<Event> {
        vec![event.clone()]
    }

    fn hundred(_: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
        let Event::Session(session::Event::Started(started)) = event else { return Vec::new() };
        let is_first = started.session.as_str() == setting.moment.id.to_string();
        let other = || Event::Session(session::event::Resumed { session: SessionId::from("s"), paused_ms: 1 }.into());
        if is_first { (0..100).map(|_| other()).collect() } else { Vec::new() }
    }

    #[test]
    fn consequences_may_be_as_many_as_they_are() {
        assert_eq!(decided(hundred).events.len(), 101);
    }

    #[test]
    fn a_chain_without_an_end_refuses_the_whole_command() {
        let refusal = Refusal::of("world.consequences.endless", &Endless { steps: 32 });
        assert_eq!(decided(echo), RoomsDecided { events: Vec::new(), refusal: Some(refusal) });
    }
}
