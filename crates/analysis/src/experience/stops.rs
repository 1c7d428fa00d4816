//! Calls to which a person, or a rule, said no.

use super::super::step::{Record, RefusedCall, Stop, What};
use super::super::text::short;
use super::words::{Tags, task};
use annals_kernel::id::{EntryId, SessionId};
use annals_rules::domain::memory::command::{Experience, ExperienceRule};
use annals_rules::domain::memory::quantum::MacroState;

/// A reason is told in so many characters.
const REASON_CHARS: usize = 240;
/// A refused call is told in so many characters.
const CALL_CHARS: usize = 120;

pub(super) fn find(record: &Record) -> Vec<Experience> {
    let mut found: Vec<Experience> = Vec::new();
    let mut asked = None;
    let session = || SessionId::from(&*record.session);
    for step in &record.steps {
        if let What::Asked(text) = &step.what {
            asked = Some(text.as_str());
        }
        let one = match step.stopped() {
            Some(Stop::Rejected { call, reason, .. }) => {
                // A no without a word says only that it was not wanted then.
                let state = if says_why(reason) { MacroState::ChangeApproach } else { MacroState::ChangePath };
                no(session(), ExperienceRule::Refused, step.id, call, reason, asked, state)
            }
            Some(Stop::Denied { call, .. }) => {
                no(session(), ExperienceRule::Denied, step.id, call, "", asked, MacroState::ChangePath)
            }
            Some(Stop::Interrupted) | None => continue,
        };
        if !found.iter().any(|other| other.content == one.content) {
            found.push(one);
        }
    }
    found
}

/// Whether a person gave a reason, and not the program a notice.
fn says_why(reason: &str) -> bool {
    let lower = reason.to_lowercase();
    let is_notice = ["rejected by user", "doesn't want to", "does not want to", "user rejected", "the user denied"];
    reason.split_whitespace().count() >= 3 && !is_notice.iter().any(|notice| lower.contains(notice))
}

fn no(
    session: SessionId,
    rule: ExperienceRule,
    cause: EntryId,
    call: &RefusedCall,
    reason: &str,
    asked: Option<&str>,
    state: MacroState,
) -> Experience {
    let Tags { space, entity } = Tags::of_refused(call);
    let what = short(&format!("{} {}", call.tool, call.target), CALL_CHARS);
    let who = if rule == ExperienceRule::Refused { "A person" } else { "A rule" };
    let why = if says_why(reason) { format!(": \"{}\"", short(reason, REASON_CHARS)) } else { String::new() };
    let content = format!("{who} said no to `{what}`{why}{}", task(asked)).into();
    Experience { session, rule, cause, space, entity, content, state, sources: vec![cause] }
}
