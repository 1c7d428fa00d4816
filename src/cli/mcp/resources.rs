//! Resources: a session, an issue and an entry, each under an address of its own.
//!
//! The list has the latest sessions and the issues that go on; whatever else there is has an address, too.

use annals_mcp::{ResourceInfo, ResourcePage, ResourceText, TemplateInfo};
use serde_json::json;

use super::ask::Ask;
use super::bench::harmless;
use super::issues;
use super::line::CommandLine;
use crate::cli::shell::{Shell, clean};
use crate::domain::issue::status::IssueStatus;
use crate::domain::session::Session;
use crate::engine::Engine;
use crate::kernel::cut::head;
use crate::view::escape;
use crate::view::gist::{cut, fold};
use crate::view::issue::title::title;

/// Of which sort texts for people are.
const MARKDOWN: &str = "text/markdown";
/// And documents for programs.
const JSON: &str = "application/json";

/// The forms of addresses.
pub(super) const TEMPLATES: [TemplateInfo; 3] = [
    TemplateInfo {
        form: "annals://session/{session}",
        name: "session",
        description: "A session prompt by prompt: its id, or either end of it",
        mime: MARKDOWN,
    },
    TemplateInfo {
        form: "annals://issue/{issue}",
        name: "issue",
        description: "An issue with its thread: its number, or either end of its id",
        mime: MARKDOWN,
    },
    TemplateInfo {
        form: "annals://entry/{entry}",
        name: "entry",
        description: "An entry of the history in full: its id, or either end of it",
        mime: JSON,
    },
];

/// What an address leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResourceAddress {
    Session(String),
    Issue(String),
    Entry(String),
}

/// So many resources stand on a page.
const A_PAGE: usize = 50;
/// So many sessions are listed at most.
const SESSIONS: usize = 100;
/// And so many issues.
const ISSUES: usize = 200;
/// A longer address names nothing.
const MOST_ID_BYTES: usize = 200;
/// A text is cut here: whoever wants more of a session or an issue has the tools, page by page.
const MOST_BYTES: usize = 64 << 10;
/// A title in the list.
const TITLE_WIDTH: usize = 100;

/// Reads an address.
pub(super) fn address(uri: &str) -> Option<ResourceAddress> {
    let (kind, id) = uri.strip_prefix("annals://")?.split_once('/')?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if id.is_empty() || id.len() > MOST_ID_BYTES || !id.chars().all(is_plain) {
        return None;
    }
    let id = id.to_owned();
    match kind {
        "session" => Some(ResourceAddress::Session(id)),
        "issue" => Some(ResourceAddress::Issue(id)),
        "entry" => Some(ResourceAddress::Entry(id)),
        _ => None,
    }
}

/// What stands under an address.
pub(super) fn read(ask: &Ask<'_>, address: &ResourceAddress) -> anyhow::Result<ResourceText> {
    let (text, mime) = match address {
        ResourceAddress::Session(id) => {
            (ask.lines(&CommandLine::of("session show").value(id.as_str()))?.printed, MARKDOWN)
        }
        ResourceAddress::Issue(id) => (issues::shown(ask, id)?, MARKDOWN),
        ResourceAddress::Entry(id) => {
            let (value, _) = ask.json(&CommandLine::of("show").value(id.as_str()))?;
            (serde_json::to_string_pretty(&harmless(value))?, JSON)
        }
    };
    Ok(ResourceText { text: short(&text), mime })
}

fn short(text: &str) -> String {
    let page = escape::page(text);
    if page.len() <= MOST_BYTES {
        return page.into_owned();
    }
    let shown = head(&page, MOST_BYTES);
    format!("{shown}\n… {} more bytes; the tools have the rest, page by page\n", page.len() - shown.len())
}

/// The resources on the page that a cursor leads to.
pub(super) fn list(ask: &Ask<'_>, cursor: Option<&str>) -> anyhow::Result<ResourcePage> {
    const QUESTION: &str = "resources";
    let seals = &ask.bench.seals;
    let place = cursor.map(|cursor| seals.place(QUESTION, cursor)).transpose()?;
    let from = place.and_then(|place| usize::try_from(place.as_u64()?).ok()).unwrap_or_default();
    let shell = ask.shell();
    let engine = shell.engine()?;
    let all = [open_issues(&shell, &engine)?, sessions(&shell, &engine)?].concat();
    let next = from.saturating_add(A_PAGE);
    let next = (next < all.len()).then(|| seals.cursor(QUESTION, &json!(next)));
    Ok(ResourcePage { resources: all.into_iter().skip(from).take(A_PAGE).collect(), next })
}

fn sessions(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<ResourceInfo>> {
    let rows = shell.ask(engine, |world| {
        let rows = world.rooms.session.sessions.first_by_rank(SESSIONS).into_iter();
        let title = |session: &Session| session.title.as_ref().map(|title| title.as_str().into()).unwrap_or_default();
        rows.map(|(id, session)| (id.to_string(), title(session))).collect::<Vec<_>>()
    })?;
    let info = |(id, title): (String, Box<str>)| ResourceInfo {
        uri: format!("annals://session/{id}"),
        name: format!("session {id}"),
        description: line(engine, &title),
        mime: MARKDOWN,
    };
    // An id that another program made up may be no part of an address.
    Ok(rows.into_iter().map(info).filter(|info| address(&info.uri).is_some()).collect())
}

fn open_issues(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<ResourceInfo>> {
    let rows = shell.ask(engine, |world| {
        let rows = world.rooms.issue.issues.first_by_rank(ISSUES).into_iter();
        let open = rows.filter(|(_, issue)| !issue.status.has_ended() || issue.status == IssueStatus::Frozen);
        open.map(|(_, issue)| (issue.label.to_string(), title(&world.rooms, issue))).collect::<Vec<_>>()
    })?;
    let info = |(label, title): (String, Box<str>)| ResourceInfo {
        uri: format!("annals://issue/{label}"),
        name: format!("issue #{label}"),
        description: line(engine, &title),
        mime: MARKDOWN,
    };
    Ok(rows.into_iter().map(info).collect())
}

fn line(engine: &Engine, text: &str) -> String {
    escape::line(&cut(&fold(&clean(engine, text)), TITLE_WIDTH)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_plain_id_and_nothing_else() {
        let session = ResourceAddress::Session("01K9-a_b.c".to_owned());
        assert_eq!(address("annals://session/01K9-a_b.c"), Some(session));
        assert_eq!(address("annals://issue/42b"), Some(ResourceAddress::Issue("42b".to_owned())));
        assert_eq!(address("annals://entry/01K"), Some(ResourceAddress::Entry("01K".to_owned())));
        for wrong in [
            "", "annals://", "annals://session/", "annals://session", "annals://canon/x", "file:///etc/passwd",
            "annals://entry/../../etc/passwd", "annals://entry/a/b", "annals://session/a b", "annals://issue/%2e",
            "annals://issue/é", "ANNALS://issue/1",
        ] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
        assert_eq!(address(&format!("annals://session/{}", "a".repeat(MOST_ID_BYTES + 1))), None);
    }
}
