//! Notices in words, made of what they are about. Those of before that hold words keep them.

use super::council::called_because;
use super::issue::report::{reason_of, reliability};
use super::issue::title;
use crate::domain::Rooms;
use crate::domain::notice::{CouncilRequest, Matter, Posted};
use crate::kernel::counted::count;

/// A notice in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeWords {
    /// A line.
    pub title: Box<str>,
    /// More of it; often nothing.
    pub body: Box<str>,
}

/// The issue that a notice is about, as people call it.
struct About {
    number: String,
    title: Box<str>,
}

/// Puts a notice into words.
pub fn words(rooms: &Rooms, posted: &Posted) -> NoticeWords {
    let Some(matter) = &posted.matter else {
        return NoticeWords { title: posted.title.clone(), body: posted.body.clone() };
    };
    let (title, body) = said(matter, &about(rooms, posted));
    NoticeWords { title: title.into(), body: body.into() }
}

fn about(rooms: &Rooms, posted: &Posted) -> About {
    let issue = posted.about.as_ref().and_then(|id| rooms.issue.issue(id));
    let Some(issue) = issue else { return About { number: "?".to_owned(), title: Box::default() } };
    About { number: format!("#{}", issue.label), title: title::title(rooms, issue) }
}

fn said(matter: &Matter, About { number, title: named }: &About) -> (String, String) {
    match matter {
        Matter::Freeze { reason, until } => (
            format!("issue {number} is frozen: {reason}"),
            format!("{named}: nobody else goes on with it before {until}"),
        ),
        Matter::Unchallenged { reason } => (
            format!("nobody can challenge issue {number}"),
            format!("{named}: {}. Every agent that can dissent has a part in it.", reason_of(*reason)),
        ),
        Matter::Escalation { summary } => (format!("issue {number} is yours to decide: {named}"), summary.to_string()),
        Matter::Leech { tag } => (title::leech(tag), String::new()),
        Matter::Reliability { agent, model, level, penalties, actions } => {
            (title::reliability(agent.as_str(), level), reliability(agent, model, *penalties, *actions))
        }
        Matter::Council { council, key, reason, asked } => {
            let (title, how) = asked_by_council(*asked, council, key);
            (title, format!("{}. {how}", called_because(reason)))
        }
        Matter::Analysis { session, trigger, mode, total, kinds } => (
            format!("{mode} found {} in a session: {}", count(*total, "thing", "things"), kinds.join(", ")),
            format!("{trigger} called for it; `annals analyse {session} --mode {mode}` shows all of it"),
        ),
        Matter::Barred { actor, rule, command } => (
            format!("{actor} tried what it may not: {rule}"),
            format!("{command}; `annals health` lists who else tries today"),
        ),
        Matter::Swarm => (
            "two agents are a swarm: solo mode is over".to_owned(),
            "From now on an active moderator and an agent that can dissent are needed (`annals agent add`, `annals \
             agent edit`); without them agents are refused."
                .to_owned(),
        ),
        Matter::Task { task, summary, why, failures, error } => {
            let last = error.as_ref().map(|error| format!("; last: {error}")).unwrap_or_default();
            let why = why_of(why, *failures);
            (
                format!("a task is yours to decide: {summary}"),
                format!("{why}{last}. `annals debate reset {task}` lets it begin anew"),
            )
        }
        Matter::Debate { task, summary, kind, category, effect, command, failures } => (
            format!("a debate is due: {summary}"),
            due_debate(kind, category, effect.as_deref().zip(command.as_deref()), *failures, task),
        ),
    }
}

fn due_debate(kind: &str, category: &str, acted: Option<(&str, &str)>, failures: u32, task: &str) -> String {
    let why = match (kind, acted) {
        ("failure", _) => format!("the same error came again, {failures} times in a row"),
        (_, Some((effect, command))) => format!("{effect}: {command}"),
        (_, None) => format!("much is at stake ({category})"),
    };
    let kind = if kind == "failure" { " --failure" } else { "" };
    format!("{why}. `annals debate request {task}{kind}` begins one")
}

fn asked_by_council(asked: CouncilRequest, council: &str, key: &str) -> (String, String) {
    let resolve = || format!("`annals council resolve {council} --decision approve|reject --synthesis TEXT`");
    match asked {
        CouncilRequest::Vote => (
            format!("your vote is awaited in the council on {key}"),
            format!("`annals council vote {council} approve|reject --confidence C --because TEXT`"),
        ),
        CouncilRequest::LastWord => (format!("the council on {key} is yours to decide"), resolve()),
        CouncilRequest::Synthesis => {
            (format!("the council on {key} is debated, and the last word is yours"), resolve())
        }
        CouncilRequest::Answer => (
            format!("a recommendation waits for your answer: {key}"),
            format!("`annals council confirm {council} approve|reject|more_info NOTE`"),
        ),
    }
}

fn why_of(why: &str, failures: u32) -> String {
    match why {
        "count" => format!("it failed {failures} times in a row"),
        "debate-used" => format!("it failed again after a debate, {failures} times in a row"),
        "resolution" => "a debate came to that".to_owned(),
        _ => why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::notice::NoticeLevel;
    use crate::kernel::id::AgentId;

    fn posted(matter: Option<Matter>) -> Posted {
        let (title, body) = ("an older title".into(), "and body".into());
        Posted { to: AgentId::from("user"), level: NoticeLevel::Info, matter, title, body, about: None }
    }

    #[test]
    fn a_notice_of_before_keeps_its_words() {
        let words = words(&Rooms::default(), &posted(None));
        assert_eq!(words, NoticeWords { title: "an older title".into(), body: "and body".into() });
    }

    #[test]
    fn a_task_says_why_a_person_has_to_decide_and_what_to_do() {
        let matter = Matter::Task {
            task: "t1".into(),
            summary: "fix the build".into(),
            why: "count".into(),
            failures: 3,
            error: Some("exit 2".into()),
        };
        let expected = NoticeWords {
            title: "a task is yours to decide: fix the build".into(),
            body: "it failed 3 times in a row; last: exit 2. `annals debate reset t1` lets it begin anew".into(),
        };
        assert_eq!(words(&Rooms::default(), &posted(Some(matter))), expected);
    }
}
