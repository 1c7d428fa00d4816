//! What may become of an issue (control-room 3.4, 6.1; decisions 12, 13).

use std::collections::BTreeSet;

use super::command::{Command, Comment, Edit, Freeze, Link, Mark, Observed, Open, Resolve, Shown, Unfreeze, Unlink};
use super::event::{
    Closed, CommentAdded, Edited, EpistemicChanged, Event, Frozen, Linked, Marked, Opened, Refuted, Reopened, Resolved,
    Started, TextRefused, Thawed, TurnedAway, Unfrozen, Unlinked, WasRead,
};
use super::meta::META_TAG;
use super::refusal::Refusal;
use super::row::Issue;
use super::said::ThreadText;
use super::state::State;
use super::status::{EpistemicStatus, IssuePart, IssueStatus, LinkKind, Usefulness};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::fold::{self, Folded};
use annals_kernel::grounds::Grounds;
use annals_kernel::id::IssueId;
use annals_kernel::settings::settings;

settings! {
    /// Control-room 3.1.
    COOLDOWN_MINUTES: u32 = 30, "sanity.frozen_issue_cooldown_minutes",
        "how long a freeze lasts, in minutes", weakens Always;
    /// Control-room 3.1, decision 12.
    MIN_TURNS: u32 = 3, "sanity.min_turns_before_resolution",
        "comments that an issue needs before an agent may resolve it, the resolution included", weakens Always;
    /// A comment is read by others, again and again.
    MAX_LENGTH: usize = 50_000, "issues.max_length",
        "the longest text of an issue or comment, in characters", weakens WhenHigher;
}

/// The longest title, in characters.
const TITLE_CHARS: usize = 200;

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Open(open) => opened(state, open, moment),
        Command::Edit(edit) => edited(state, edit, moment),
        Command::Comment(comment) => commented(state, comment, observed, moment),
        Command::Resolve(resolve) => resolved(state, resolve, observed, moment),
        Command::Close(close) => act(state, &close.issue, moment, |issue| closed(issue, &close.issue, moment)),
        Command::Reopen(reopen) => reopened(state, &reopen.issue),
        Command::Freeze(freeze) => frozen(state, freeze, moment),
        Command::Unfreeze(unfreeze) => unfrozen(state, unfreeze, moment),
        Command::Link(link) => linked(state, link, moment),
        Command::Unlink(link) => unlinked(state, link, moment),
        Command::Mark(mark) => marked(state, mark, observed, moment),
        Command::Start(start) => act(state, &start.issue, moment, |issue| started(issue, &start.issue)),
        Command::Read(read) => known(state, &read.issue).map(|_| Outcome::of(WasRead { issue: read.issue.clone() })),
    }
    .into()
}

fn known<'s>(state: &'s State, id: &IssueId) -> Result<&'s Issue, Refusal> {
    state.issue(id).ok_or_else(|| Refusal::UnknownIssue { issue: id.clone() })
}

/// Acts on an issue that may be frozen: it is thawed where its time is over, and nobody but the privileged may act before
/// (control-room 3.4).
fn act(
    state: &State,
    id: &IssueId,
    moment: &Moment<'_>,
    then: impl FnOnce(&Issue) -> Result<Vec<Event>, Refusal>,
) -> Decided {
    let issue = known(state, id)?;
    let mut events = Vec::new();
    if issue.is_thawing(moment.at) {
        events.push(Thawed { issue: id.clone() }.into());
    } else if let Some(freeze) = issue.freeze.as_ref().filter(|_| !moment.standing.is_privileged()) {
        let turned = TurnedAway { issue: id.clone(), actor: moment.actor.clone() };
        let (label, until, freezes) = (issue.label, freeze.until, issue.freezes);
        let is_over = moment.at > until;
        let refusal =
            if is_over { Refusal::FrozenForGood { label, freezes } } else { Refusal::Frozen { label, until } };
        return Ok(Outcome::refused_with(turned, refusal));
    }
    events.extend(then(issue)?);
    Ok(Outcome { events, refusal: None })
}

fn fits(text: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    let (length, most) = (text.chars().count(), moment.settings.get(&MAX_LENGTH));
    if length > most { Err(Refusal::TooLong { length, most }) } else { Ok(()) }
}

fn is_a_text(text: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    if text.trim().is_empty() { Err(Refusal::NoText) } else { fits(text, moment) }
}

/// A text for a thread: one that is too long is not taken, and the attempt is recorded, with its beginning.
fn for_a_thread(
    text: &str,
    id: &IssueId,
    observed: &Observed,
    moment: &Moment<'_>,
    then: impl FnOnce() -> Decided,
) -> Decided {
    let (most, whole) = (moment.settings.get(&MAX_LENGTH), observed.cut_from.and_then(|length| length.try_into().ok()));
    let is_taken = whole.map_or_else(|| is_a_text(text, moment), |length| Err(Refusal::TooLong { length, most }));
    match is_taken {
        Err(refusal @ Refusal::TooLong { length, .. }) => {
            let (issue, actor) = (id.clone(), moment.actor.clone());
            Ok(Outcome::refused_with(TextRefused { issue, actor, length: length as u64 }, refusal))
        }
        Err(refusal) => Err(refusal),
        Ok(()) => then(),
    }
}

fn is_a_title(title: &str) -> Result<(), Refusal> {
    let is_short = (1..=TITLE_CHARS).contains(&title.trim().chars().count());
    let is_a_line = !title.contains(char::is_control);
    if is_short && is_a_line { Ok(()) } else { Err(Refusal::BadTitle { most: TITLE_CHARS }) }
}

fn opened(state: &State, open: &Open, moment: &Moment<'_>) -> Decided {
    is_a_title(&open.title)?;
    fits(&open.body, moment)?;
    for related in &open.related {
        known(state, related)?;
    }
    let before = open.source.as_ref().and_then(|source| Some((source, state.sources.get(source)?.0.first()?)));
    if let Some((source, issue)) = before {
        return Err(Refusal::KnownSource { origin: source.clone(), issue: issue.clone() });
    }
    are_free(&open.tags)?;
    Ok(Outcome::of(Opened { issue: IssueId::of(moment.id, 0), number: state.next_number(), tags: None }))
}

/// What an issue about the swarm itself is, rules say, and no tag that somebody types.
fn are_free(tags: &BTreeSet<Box<str>>) -> Result<(), Refusal> {
    let meta = Folded::of(META_TAG);
    let is_kept = |tag: &str| Folded::of(&fold::tag(tag)).is_same(&meta);
    let kept = tags.iter().find(|tag| is_kept(tag));
    kept.map_or(Ok(()), |tag| Err(Refusal::ReservedTag { tag: tag.clone() }))
}

fn edited(state: &State, edit: &Edit, moment: &Moment<'_>) -> Decided {
    if let Some(title) = &edit.title {
        is_a_title(title)?;
    }
    if let Some(body) = &edit.body {
        fits(body, moment)?;
    }
    are_free(&edit.tags)?;
    are_free(&edit.untag)?;
    act(state, &edit.issue, moment, |issue| revised(issue, edit, moment))
}

/// Its words are its author's, and those who lead; support was for what they were.
fn revised(issue: &Issue, edit: &Edit, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    if !changes(issue, edit) {
        return Err(Refusal::NothingToChange { label: issue.label });
    }
    let words = changed_words(issue, edit);
    let may_edit = issue.author == moment.actor || moment.standing.is_privileged();
    if !words.is_empty() && !may_edit {
        let what = "edit_title_or_text_of_an_issue_of_somebody_else";
        return Err(Refusal::NotPrivileged { actor: moment.actor.clone(), what });
    }
    let falls = !words.is_empty() && issue.epistemic == EpistemicStatus::Agreed;
    let (from, to) = (EpistemicStatus::Agreed, EpistemicStatus::Tentative);
    let fallen = falls.then(|| EpistemicChanged { issue: edit.issue.clone(), from, to }.into());
    let edited = Edited { issue: edit.issue.clone(), words, tags: None }.into();
    Ok(std::iter::once(edited).chain(fallen).collect())
}

fn changed_words(issue: &Issue, edit: &Edit) -> Vec<IssuePart> {
    let title = edit.title.as_ref().is_some_and(|title| *title != issue.title).then_some(IssuePart::Title);
    title.into_iter().chain(edit.body.is_some().then_some(IssuePart::Text)).collect()
}

fn changes(issue: &Issue, edit: &Edit) -> bool {
    let has = |tag: &str| issue.tags.iter().any(|own| fold::are_same(own, &fold::tag(tag)));
    let assignee = edit.assignee.clone().map(|agent| Some(agent).filter(|agent| !agent.as_str().is_empty()));
    edit.body.is_some()
        || edit.title.as_ref().is_some_and(|title| *title != issue.title)
        || assignee.is_some_and(|assignee| assignee != issue.assignee)
        || edit.priority.is_some_and(|priority| priority != issue.priority)
        || edit.tags.iter().any(|tag| !has(tag))
        || edit.untag.iter().any(|tag| has(tag))
}

fn commented(state: &State, comment: &Comment, observed: &Observed, moment: &Moment<'_>) -> Decided {
    known(state, &comment.issue)?;
    for cited in &comment.evidence.issues {
        known(state, cited)?;
    }
    let say = |issue: &Issue| {
        goes_on(issue, "a_comment")?;
        let mut events = vec![added(state, comment, observed, moment)];
        let moved = |(from, to)| EpistemicChanged { issue: comment.issue.clone(), from, to }.into();
        events.extend(issue.moved(&moment.actor, comment.stance).map(moved));
        Ok(events)
    };
    for_a_thread(&comment.body, &comment.issue, observed, moment, || act(state, &comment.issue, moment, say))
}

fn added(state: &State, comment: &Comment, observed: &Observed, moment: &Moment<'_>) -> Event {
    let grounds = grounds(state, ThreadText::Comment(comment), observed, moment);
    CommentAdded { issue: comment.issue.clone(), grounds }.into()
}

/// How much of what a text cites is evidence; nothing where it cites nothing.
fn grounds(state: &State, said: ThreadText<'_>, observed: &Observed, moment: &Moment<'_>) -> Option<Grounds> {
    let shows_something = |cited: &IssueId| state.is_evidence(cited, said.issue(), &moment.actor);
    let evidence = said.evidence();
    (!evidence.is_empty()).then(|| Grounds::of(evidence, &observed.evidence, shows_something))
}

fn goes_on(issue: &Issue, what: &'static str) -> Result<(), Refusal> {
    let from = issue.status;
    if from.has_ended() { Err(Refusal::NotThen { label: issue.label, from, what }) } else { Ok(()) }
}

fn resolved(state: &State, resolve: &Resolve, observed: &Observed, moment: &Moment<'_>) -> Decided {
    const WHAT: &str = "force_a_resolution";
    known(state, &resolve.issue)?;
    for cited in &resolve.evidence.issues {
        known(state, cited)?;
    }
    let may_force = moment.standing.is_privileged();
    if resolve.force.is_some() && !may_force {
        return Err(Refusal::NotPrivileged { actor: moment.actor.clone(), what: WHAT });
    }
    let end = |issue: &Issue| {
        goes_on(issue, "resolving_it")?;
        let (turns, least) = (issue.thread.len() + 1, moment.settings.get(&MIN_TURNS));
        if resolve.force.is_none() && turns < least as usize {
            return Err(Refusal::TooEarly { label: issue.label, turns, least });
        }
        let grounds = grounds(state, ThreadText::Resolution(resolve), observed, moment);
        Ok(vec![Resolved { issue: resolve.issue.clone(), grounds }.into()])
    };
    for_a_thread(&resolve.note, &resolve.issue, observed, moment, || act(state, &resolve.issue, moment, end))
}

/// Only the author and the privileged end an issue without a decision.
fn closed(issue: &Issue, id: &IssueId, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    goes_on(issue, "closing_it")?;
    if issue.author != moment.actor && !moment.standing.is_privileged() {
        return Err(Refusal::NotPrivileged { actor: moment.actor.clone(), what: "close_an_issue_of_somebody_else" });
    }
    Ok(vec![Closed { issue: id.clone() }.into()])
}

fn reopened(state: &State, id: &IssueId) -> Decided {
    let issue = known(state, id)?;
    if !issue.status.has_ended() {
        return Err(Refusal::NotThen { label: issue.label, from: issue.status, what: "reopening_it" });
    }
    Ok(Outcome::of(Reopened { issue: id.clone() }))
}

fn started(issue: &Issue, id: &IssueId) -> Result<Vec<Event>, Refusal> {
    if issue.status == IssueStatus::InProgress {
        return Err(Refusal::NothingToChange { label: issue.label });
    }
    goes_on(issue, "working_on_it")?;
    Ok(vec![Started { issue: id.clone() }.into()])
}

fn frozen(state: &State, freeze: &Freeze, moment: &Moment<'_>) -> Decided {
    let issue = known(state, &freeze.issue)?;
    if !moment.standing.is_privileged() {
        return Err(Refusal::NotPrivileged { actor: moment.actor.clone(), what: "freeze_an_issue" });
    }
    goes_on(issue, "freezing_it")?;
    if issue.freeze.is_some() && !issue.is_thawing(moment.at) {
        return Err(Refusal::NothingToChange { label: issue.label });
    }
    let until = moment.at.plus_millis(i64::from(moment.settings.get(&COOLDOWN_MINUTES)) * 60_000);
    Ok(Outcome::of(Frozen { issue: freeze.issue.clone(), reason: freeze.reason.clone(), until }))
}

fn unfrozen(state: &State, unfreeze: &Unfreeze, moment: &Moment<'_>) -> Decided {
    let issue = known(state, &unfreeze.issue)?;
    is_a_text(&unfreeze.guidance, moment)?;
    if !moment.standing.is_privileged() {
        return Err(Refusal::NotPrivileged { actor: moment.actor.clone(), what: "unfreeze_an_issue" });
    }
    if issue.freeze.is_none() {
        return Err(Refusal::NotThen { label: issue.label, from: issue.status, what: "unfreezing_it" });
    }
    Ok(Outcome::of(Unfrozen { issue: unfreeze.issue.clone() }))
}

fn linked(state: &State, link: &Link, moment: &Moment<'_>) -> Decided {
    known(state, &link.to)?;
    act(state, &link.issue, moment, |issue| {
        if issue.links.contains(&(link.kind, link.to.clone())) {
            return Err(Refusal::NothingToChange { label: issue.label });
        }
        if link.issue == link.to || link.kind != LinkKind::Related && leads(state, link) {
            return Err(Refusal::Circular { label: issue.label });
        }
        Ok(vec![Linked { issue: link.issue.clone(), kind: link.kind, to: link.to.clone() }.into()])
    })
}

/// Whether links of the same kind lead from the other issue back to this one.
fn leads(state: &State, link: &Link) -> bool {
    let (mut seen, mut next) = (BTreeSet::new(), vec![link.to.clone()]);
    while let Some(id) = next.pop() {
        if id == link.issue {
            return true;
        }
        if seen.insert(id.clone()) {
            let issue = state.issue(&id);
            let links = issue.iter().flat_map(|issue| issue.links.iter());
            next.extend(links.filter(|(kind, _)| *kind == link.kind).map(|(_, to)| to.clone()));
        }
    }
    false
}

fn unlinked(state: &State, link: &Unlink, moment: &Moment<'_>) -> Decided {
    act(state, &link.issue, moment, |issue| {
        if !issue.links.contains(&(link.kind, link.to.clone())) {
            return Err(Refusal::NothingToChange { label: issue.label });
        }
        Ok(vec![Unlinked { issue: link.issue.clone(), kind: link.kind, to: link.to.clone() }.into()])
    })
}

/// What was applied is shown by a file or commit that is there; nobody but the user is believed without one.
fn marked(state: &State, mark: &Mark, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let issue = known(state, &mark.issue)?;
    if mark.usefulness == Usefulness::Applied && moment.standing.is_agent() {
        match observed.shown {
            Some(Shown::Found) => shows_a_change(issue, mark, observed)?,
            Some(Shown::Missing) => {
                let refuted = Refuted { issue: mark.issue.clone() };
                return Ok(Outcome::refused_with(refuted, Refusal::Refuted { label: issue.label }));
            }
            None => return Err(Refusal::NotShown { label: issue.label }),
        }
    }
    if issue.marks.last().is_some_and(|last| last.usefulness == mark.usefulness) {
        return Err(Refusal::NothingToChange { label: issue.label });
    }
    Ok(Outcome::of(Marked { issue: mark.issue.clone(), usefulness: mark.usefulness }))
}

/// What was committed before the issue was opened, it did not lead to. Git counts whole seconds.
fn shows_a_change(issue: &Issue, mark: &Mark, observed: &Observed) -> Result<(), Refusal> {
    // Any commit was once taken, so that every issue could be called applied by the first one of the repository, and
    // paid for.
    const SECOND_MS: i64 = 1000;
    if mark.commit.is_none() {
        return Ok(());
    }
    let (label, opened_at) = (issue.label, issue.opened_at);
    let committed_at = observed.committed_at.ok_or(Refusal::NotShown { label })?;
    let is_old = committed_at.millis().div_euclid(SECOND_MS) < opened_at.millis().div_euclid(SECOND_MS);
    if is_old { Err(Refusal::OldCommit { label, committed_at, opened_at }) } else { Ok(()) }
}
