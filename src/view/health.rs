//! The health report in words (control-room 9.2): what blocks, and what would help.

use crate::domain::moderation::report::{AgentHealth, Blocking, Issues, SwarmReport};
use crate::kernel::counted::count;
use crate::kernel::id::AgentId;
use crate::view::refusal::told;

/// So many notices nobody has read: they help no more.
const MANY_NOTICES: u64 = 10;

/// Tokens are asked for, but not of the user.
const UNPROVED_USER: &str = "Whoever leaves out `--as` acts as the user: `annals agent token user` closes that door.";

/// A report as people and other programs are told of it. One of an earlier version says all of it itself.
pub fn in_words(mut report: SwarmReport) -> SwarmReport {
    if report.recommendations.is_empty() {
        report.recommendations = recommendations(&report);
    }
    report.blocking = report.blocking.as_ref().map(|why| Blocking::Said(said(why).into()));
    report
}

/// Why no agent may act, and what to do about it.
pub fn said(why: &Blocking) -> String {
    match why {
        Blocking::Said(text) => text.to_string(),
        Blocking::Rule(refusal) => {
            let told = told(refusal);
            told.hint.map_or(told.message.clone(), |hint| format!("{}; {hint}", told.message))
        }
    }
}

/// What would help, the most pressing first.
fn recommendations(report: &SwarmReport) -> Vec<Box<str>> {
    let mut all: Vec<String> = Vec::new();
    all.extend(report.blocking.as_ref().map(|why| format!("No agent may act: {}.", said(why))));
    let Issues { frozen, stuck, pending_canon, .. } = report.issues;
    if frozen > 0 {
        let many = count(frozen, "issue is frozen", "issues are frozen");
        all.push(format!("{many}: unfreeze with guidance, have somebody dissent, decide, or ask the user."));
    }
    if stuck > 0 {
        let many = count(stuck, "issue is stuck", "issues are stuck");
        all.push(format!("{many}: narrow the question, or join what belongs together."));
    }
    if pending_canon > 0 {
        let many = count(pending_canon, "issue waits", "issues wait");
        all.push(format!("{many} to become canon: look at what they stand on."));
    }
    if report.canon_conflicts > 0 {
        let many = count(report.canon_conflicts, "fact is", "facts are");
        all.push(format!("Canon contradicts itself, {many} disputed: `annals canon conflicts` shows where."));
    }
    let tags = report.obsessive_tags.iter().filter(|tag| !report.frozen_tags.contains(tag));
    all.extend(tags.map(|tag| format!("{tag} is circled without results: join its issues, or freeze the tag.")));
    all.extend(report.agents.iter().filter_map(|(id, agent)| of_agent(id, agent)));
    let unread = report.notices.iter().filter(|(_, count)| **count >= MANY_NOTICES);
    all.extend(unread.map(|(to, count)| format!("{count} notices wait for {to}: acknowledge them.")));
    all.extend(report.is_user_unproved.then(|| UNPROVED_USER.to_owned()));
    all.into_iter().map(Into::into).collect()
}

fn of_agent(id: &AgentId, agent: &AgentHealth) -> Option<String> {
    if agent.forgeries > 0 {
        let times = count(agent.forgeries, "time", "times");
        return Some(format!("Somebody acted as {id} without its token, {times}: make a new one."));
    }
    let slices = agent.slices?;
    Some(format!("{id} works in smaller portions: cut its tasks into {slices}, and say what each must hold to."))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kernel::decision::Refusal;

    /// Control-room 9.2.
    #[test]
    fn what_is_not_well_is_named_with_what_would_help() {
        assert_eq!(in_words(SwarmReport::default()), SwarmReport::default());
        let off = Refusal::of("roster.invalid_assistant_count", &json!({ "count": 2 }));
        let sick = SwarmReport {
            blocking: Some(Blocking::Rule(off)),
            issues: Issues { frozen: 1, stuck: 2, pending_canon: 1, ..Issues::default() },
            canon_conflicts: 1,
            obsessive_tags: vec!["#pacing".into(), "#frozen".into()],
            frozen_tags: vec!["#frozen".into()],
            notices: [(AgentId::from("user"), 10), (AgentId::from("mo"), 9)].into(),
            is_user_unproved: true,
            ..SwarmReport::default()
        };
        let told = in_words(sick);
        let Some(Blocking::Said(why)) = &told.blocking else { panic!("{told:?}") };
        assert!(
            why.starts_with("team mode needs exactly one active assistant; there are 2; `annals agent add"),
            "{why}"
        );
        let begins: Vec<_> =
            told.recommendations.iter().filter_map(|advice| advice.split([':', ',', ';']).next()).collect();
        let no_agent = "No agent may act";
        assert_eq!(
            begins,
            [
                no_agent,
                "1 issue is frozen",
                "2 issues are stuck",
                "1 issue waits to become canon",
                "Canon contradicts itself",
                "#pacing is circled without results",
                "10 notices wait for user",
                "Whoever leaves out `--as` acts as the user"
            ]
        );
    }

    #[test]
    fn a_report_of_an_earlier_version_says_all_of_it_itself() {
        let old = json!({ "blocking": "nobody watches", "recommendations": ["add a moderator"] });
        let old: SwarmReport = serde_json::from_value(old).expect("read");
        assert_eq!(in_words(old.clone()), old);
    }
}
