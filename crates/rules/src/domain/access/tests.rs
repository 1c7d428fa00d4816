//! Given / when / then for access.

use super::command::{Attempt, Grant, Revoke};
use super::event::Denied;
use super::policy::{EXECUTABLE, FolderPolicy, Intent, READ_ONLY, WRITABLE};
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::settings::{AnySetting, Settings};
use annals_kernel::time::Timestamp;

const INTENTS: [Intent; 3] = [Intent::Read, Intent::Write, Intent::Execute];

fn settings(changes: &[(&dyn AnySetting, &[&str])]) -> Settings {
    let mut settings = Settings::default();
    for (setting, folders) in changes {
        settings.set(setting.key(), Some(serde_json::json!(folders)));
    }
    settings
}

/// The state after events, all caused by the user.
fn after(events: &[Event]) -> State {
    let mut state = State::default();
    let user = AgentId::from("user");
    for event in events {
        let cause = Cause { asked: None, id: EntryId::MIN, at: Timestamp::default(), actor: &user };
        state.evolve(event, &cause);
    }
    state
}

fn check(given: &[Event], actor: &str, when: impl Into<Command>, then: &Outcome<Event, Refusal>) {
    let (state, settings, when) = (after(given), Settings::default(), when.into());
    let moment = Moment {
        id: EntryId::MIN,
        at: Timestamp::default(),
        actor: actor.into(),
        standing: Standing::Stranger,
        session: SessionId::from("s"),
        settings: &settings,
    };
    assert_eq!(&decide(&state, &when, &Observed::default(), &moment), then, "{when:?} by {actor}");
}

fn allows(state: &State, settings: &Settings, agent: &str, path: &str) -> String {
    let letter = |intent: Intent| match (state.ask(settings, &agent.into(), path, intent), intent) {
        (Err(_), _) => '-',
        (Ok(()), Intent::Read) => 'r',
        (Ok(()), Intent::Write) => 'w',
        (Ok(()), Intent::Execute) => 'x',
    };
    INTENTS.into_iter().map(letter).collect()
}

fn forbidden(agent: &str, path: &str, policy: FolderPolicy) -> Refusal {
    let folder = super::policy::folder_of(path).into();
    Refusal::Forbidden { agent: agent.into(), intent: Intent::Write, path: path.into(), folder, policy }
}

fn attempt(path: &str, intent: Intent) -> Attempt {
    Attempt { path: path.into(), intent, tool: None }
}

fn given(folder: &str) -> Event {
    Grant { agent: "critic".into(), folder: folder.into() }.into()
}

fn grant(folder: &str) -> Grant {
    Grant { agent: "critic".into(), folder: folder.into() }
}

fn revoke(folder: &str) -> Revoke {
    Revoke { agent: "critic".into(), folder: folder.into() }
}

/// AFS appendix D, for an agent and for the user; and what the appendix does not name.
#[test]
fn each_folder_allows_what_appendix_d_says() {
    let table = [
        ("memory/facts.md", "r--", "rwx"),
        ("knowledge/a/b.md", "r--", "rwx"),
        ("history/2026-11-21.jsonl", "r--", "r--"),
        ("scratchpad/note.md", "rw-", "rwx"),
        ("tools/build.sh", "r-x", "rwx"),
        ("local/lock", "---", "---"),
        ("issues/0042.md", "r--", "rwx"),
        ("config.toml", "r--", "rwx"),
        (".", "r--", "rwx"),
        ("scratchpad", "r--", "rwx"),
        ("History/a", "r--", "rwx"),
    ];
    for (path, agent, user) in table {
        let ask = |who| allows(&State::default(), &Settings::default(), who, path);
        assert_eq!((ask("critic"), ask("user")), (agent.to_owned(), user.to_owned()), "{path}");
    }
}

#[test]
fn the_configuration_moves_folders_but_never_opens_the_history() {
    let settings = settings(&[
        (&WRITABLE, &["memory", "history", "local", "drafts"]),
        (&READ_ONLY, &["drafts"]),
        (&EXECUTABLE, &["history", "scripts"]),
    ]);
    let table = [
        ("memory/a", "rw-"),
        ("scratchpad/a", "r--"),
        ("drafts/a", "r--"),
        ("scripts/a", "r-x"),
        ("tools/a", "r--"),
        ("history/a", "r--"),
        ("local/a", "---"),
    ];
    for (path, agent) in table {
        assert_eq!(allows(&State::default(), &settings, "critic", path), agent, "{path}");
    }
}

#[test]
fn a_grant_lets_one_agent_write_one_folder() {
    let state = after(&[given("memory"), given("tools")]);
    let settings = Settings::default();
    let table = [
        ("critic", "memory/a", "rw-"),
        ("critic", "tools/a", "rwx"),
        ("critic", "knowledge/a", "r--"),
        ("coder", "memory/a", "r--"),
        ("critic/child", "memory/a", "r--"),
    ];
    for (agent, path, allowed) in table {
        assert_eq!(allows(&state, &settings, agent, path), allowed, "{agent} on {path}");
    }
    // Such an event can only come from a log that somebody edited.
    let odd = after(&[given("history"), given("local"), given("")]);
    assert_eq!(allows(&odd, &settings, "critic", "history/a"), "r--");
    assert_eq!(allows(&odd, &settings, "critic", "local/a"), "---");
}

#[test]
fn an_attempt_is_recorded_only_where_it_is_refused() {
    let nothing = || Outcome { events: Vec::new(), refusal: None };
    check(&[], "critic", attempt("scratchpad/a", Intent::Write), &nothing());
    check(&[], "critic", attempt("memory/a", Intent::Read), &nothing());
    check(&[given("memory")], "critic", attempt("memory/a", Intent::Write), &nothing());
    for (path, policy) in [
        ("memory/a", FolderPolicy::ReadOnly),
        ("history/a", FolderPolicy::Closed),
        ("tools/a", FolderPolicy::Executable),
        ("config.toml", FolderPolicy::ReadOnly),
    ] {
        let denied = Denied { agent: "critic".into(), policy };
        let then = Outcome::refused_with(denied, forbidden("critic", path, policy));
        check(&[], "critic", attempt(path, Intent::Write), &then);
    }
}

#[test]
fn refused_attempts_are_counted_by_agent() {
    let denied = |agent: &str| Event::from(Denied { agent: agent.into(), policy: FolderPolicy::Closed });
    let state = after(&[denied("critic"), denied("coder"), denied("critic")]);
    let counts: Vec<_> = state.denials.iter().map(|(agent, count)| (agent.as_str(), *count)).collect();
    assert_eq!(counts, [("coder", 1), ("critic", 2)]);
}

#[test]
fn only_the_user_gives_and_takes_rights() {
    let theirs = |agent: &str| Refusal::NotTheUser { agent: agent.into() };
    let event = Grant { agent: "critic".into(), folder: "memory".into() };
    check(&[], "user", grant("memory"), &Outcome::of(event));
    check(&[], "critic", grant("memory"), &Outcome::refused(theirs("critic")));
    check(&[], "system", grant("memory"), &Outcome::refused(theirs("system")));
    check(&[given("memory")], "coder", revoke("memory"), &Outcome::refused(theirs("coder")));
}

#[test]
fn nobody_is_let_into_closed_folders_or_into_none() {
    for folder in ["history", "local", "", "memory/deep"] {
        let refusal = Refusal::NotGrantable { folder: folder.into() };
        check(&[], "user", grant(folder), &Outcome::refused(refusal));
    }
}

#[test]
fn a_right_is_taken_back_once() {
    let event = Revoke { agent: "critic".into(), folder: "memory".into() };
    check(&[given("memory")], "user", revoke("memory"), &Outcome::of(event.clone()));
    let refusal = |folder: &str| Refusal::NotGranted { agent: "critic".into(), folder: folder.into() };
    check(&[], "user", revoke("memory"), &Outcome::refused(refusal("memory")));
    check(&[given("memory")], "user", revoke("tools"), &Outcome::refused(refusal("tools")));
    let gone = [given("memory"), event.into()];
    check(&gone, "user", revoke("memory"), &Outcome::refused(refusal("memory")));
    assert_eq!(after(&gone), State::default());
}
