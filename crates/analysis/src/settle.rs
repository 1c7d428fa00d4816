//! What only looks like a step: keys pressed where nobody worked, a prompt told twice, a refusal and its echo, a plan that
//! was taken up, a message that its writer took back, the keys of a person who leaves. And edits that a message brings and a call carries out.

use std::collections::BTreeSet;

use super::background;
use super::edit::{Edit, in_message};
use super::step::{Step, Stop, What};
use super::text::{base, head};
use super::turn::withdraws;
use annals_kernel::call::{CallKind, hands_over_a_plan, only_saves};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::record::Input;

/// The steps as they are to be read.
pub(super) fn settle(mut steps: Vec<Step>, entries: &[&HistoryEntry]) -> Vec<Step> {
    // Background and plans first, while steps and entries still lie at the same places: the next step takes some out.
    background::settle(&mut steps, entries);
    accepted(&mut steps, entries);
    leave_out_repeated(&mut steps, entries);
    // Before the keys of who leaves are counted: the echo of a refusal would be taken for one of them.
    echoed(&mut steps);
    left(&mut steps);
    idle(&mut steps);
    withdrawn(&mut steps);
    carried_out(&mut steps);
    steps
}

/// A refusal, and the stop that the tool writes beside it, or the other way round, are so many milliseconds apart.
const ECHO_MILLISECONDS: u64 = 2000;

/// How much of a plan must stand in the next prompt, in bytes.
const PLAN_BYTES: usize = 200;

/// Whoever takes a plan up with an empty context refuses the call that asks for it, in the record: the next prompt is the
/// plan itself.
fn accepted(steps: &mut [Step], entries: &[&HistoryEntry]) {
    for at in 0..steps.len() {
        let What::Stopped(Stop::Rejected { reason, .. }) = &steps[at].what else { continue };
        let input = entries[at].operation.input.value();
        let tool = input.get("tool").and_then(serde_json::Value::as_str).unwrap_or_default();
        if !hands_over_a_plan(tool) {
            continue;
        }
        let plan = input.get("input").and_then(|input| input.get("plan")?.as_str()).unwrap_or_default();
        let plan = head(plan.trim(), PLAN_BYTES);
        let next = steps[at + 1..].iter().find_map(Step::prompt).unwrap_or_default();
        let is_next = !plan.is_empty() && next.contains(plan);
        if !is_next && !reason.to_ascii_lowercase().contains("clear context") {
            continue;
        }
        // The stop beside it goes with it.
        let near = beside(steps, at);
        take_back(steps, near.into_iter().chain([at]));
    }
}

fn take_back(steps: &mut [Step], places: impl IntoIterator<Item = usize>) {
    for at in places {
        steps[at].what = What::Noted;
    }
}

/// The stop next to a refusal, where nothing but notes and thoughts stands between and both were written at once.
fn beside(steps: &[Step], at: usize) -> Vec<usize> {
    let is_silent = |place: &usize| matches!(steps[*place].what, What::Noted | What::Thought(_));
    let before = (0..at).rev().find(|place| !is_silent(place));
    let after = (at + 1..steps.len()).find(|place| !is_silent(place));
    let is_echo = |place: &usize| {
        let (one, other) = (steps[*place].at, steps[at].at);
        let apart = one.since(other).max(other.since(one));
        matches!(steps[*place].what, What::Stopped(Stop::Interrupted)) && apart <= ECHO_MILLISECONDS
    };
    before.into_iter().chain(after).filter(is_echo).collect()
}

/// One no, written twice: as the answer to a call, and as a stop.
fn echoed(steps: &mut [Step]) {
    for at in 0..steps.len() {
        if matches!(steps[at].what, What::Stopped(Stop::Rejected { .. })) {
            let near = beside(steps, at);
            take_back(steps, near);
        }
    }
}

/// Who leaves says so, or presses the keys twice: the stops at the end of a session are none then.
fn left(steps: &mut [Step]) {
    const LEAVING: [&str; 6] = ["/exit", "/quit", "/bye", "exit", "quit", ":q"];
    let is_leaving = |text: &str| LEAVING.contains(&text.trim());
    let (mut stops, mut said_so) = (Vec::new(), false);
    for (at, step) in steps.iter().enumerate().rev() {
        match &step.what {
            What::Noted => {}
            What::Typed(text) | What::Asked(text) if is_leaving(text) => said_so = true,
            What::Stopped(Stop::Interrupted) => stops.push(at),
            What::Typed(_)
            | What::Asked(_)
            | What::Said(_)
            | What::Thought(_)
            | What::Called(_)
            | What::Stopped(_)
            | What::Failed
            | What::Began(_) => break,
        }
    }
    // One stop at the end may be meant as a stop.
    if said_so || stops.len() > 1 {
        take_back(steps, stops);
    }
}

/// A person who leaves presses the same keys as one who stops the agent: nothing was at work to be stopped.
fn idle(steps: &mut [Step]) {
    let mut is_at_work = false;
    for step in steps {
        match &step.what {
            What::Stopped(Stop::Interrupted) if !is_at_work => step.what = What::Noted,
            What::Stopped(Stop::Interrupted) | What::Typed(_) => is_at_work = false,
            // Aider commits when its work is done, so that nothing is at work behind such a call.
            What::Called(call) => is_at_work = !only_saves(&call.tool),
            What::Asked(_) | What::Said(_) | What::Thought(_) | What::Stopped(_) => is_at_work = true,
            What::Failed | What::Began(_) | What::Noted => {}
        }
    }
}

/// What was typed while the model worked is asked twice where its turn made a prompt of it.
fn leave_out_repeated(steps: &mut Vec<Step>, entries: &[&HistoryEntry]) {
    let texts = |step: &Step| if let What::Asked(text) = &step.what { Some(text.clone()) } else { None };
    // Earlier imports wrote what waits when it was typed, and the prompt when its turn came (docs/IMPORT.md): asked
    // once, twice in the log.
    let is_queued = |entry: &HistoryEntry| entry.record() == Input::Queued.into();
    let pairs = || steps.iter().zip(entries);
    let prompts: BTreeSet<_> =
        pairs().filter(|(_, entry)| !is_queued(entry)).filter_map(|(step, _)| texts(step)).collect();
    let twice: Vec<_> = pairs()
        .map(|(step, entry)| is_queued(entry) && texts(step).is_some_and(|text| prompts.contains(&text)))
        .collect();
    let mut twice = twice.into_iter();
    steps.retain(|_| !twice.next().unwrap_or_default());
}

/// Who stops the agent because the message was not meant for it is not displeased with it.
fn withdrawn(steps: &mut [Step]) {
    let mut stops: Vec<usize> = Vec::new();
    for at in 0..steps.len() {
        if steps[at].prompt().is_some_and(withdraws) {
            take_back(steps, stops.drain(..));
        }
        match &steps[at].what {
            What::Stopped(Stop::Interrupted | Stop::Rejected { .. }) => stops.push(at),
            What::Asked(_) if steps[at].is_of_person() => stops.clear(),
            What::Stopped(Stop::Denied { .. })
            | What::Asked(_)
            | What::Typed(_)
            | What::Said(_)
            | What::Thought(_)
            | What::Called(_)
            | What::Failed
            | What::Began(_)
            | What::Noted => {}
        }
    }
}

/// Blocks in a message are edits where a call carries them out: each goes to the first call after it that names its file.
fn carried_out(steps: &mut [Step]) {
    let mut blocks: Vec<Edit> = Vec::new();
    for step in steps {
        match &mut step.what {
            What::Said(text) => {
                // Only the latest message: a block that no call took up was not applied.
                blocks = if text.contains("<<<<<<< SEARCH") { in_message(text) } else { Vec::new() };
            }
            What::Asked(_) => blocks.clear(),
            What::Called(call) if call.kind == CallKind::Edit && call.edits.is_empty() => {
                let names: Vec<_> = call.files.iter().chain([&call.target]).map(|file| base(file)).collect();
                let fits = |edit: &Edit| names.contains(&base(&edit.file));
                let (own, rest) = blocks.drain(..).partition(fits);
                (call.edits, blocks) = (own, rest);
            }
            What::Called(_)
            | What::Typed(_)
            | What::Thought(_)
            | What::Stopped(_)
            | What::Failed
            | What::Began(_)
            | What::Noted => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{
        call, decision, edit, failed, id, interrupt, measured, prompt, ran, rejection, said, session, thought, typed,
    };

    fn stops(steps: &[serde_json::Value]) -> usize {
        session(steps).steps.iter().filter(|step| matches!(step.what, What::Stopped(_))).count()
    }

    #[test]
    fn who_leaves_stops_nobody() {
        let cases = [
            (vec![interrupt(), interrupt()], 0),
            (vec![interrupt(), typed("/exit")], 0),
            (vec![typed("/quit")], 0),
            (vec![interrupt(), prompt("/exit")], 0),
            (vec![interrupt()], 1),
            (vec![interrupt(), prompt("Bake bread."), said("Yes.")], 1),
            (vec![interrupt(), typed("/add pie.md")], 1),
        ];
        for (end, expected) in cases {
            let mut steps = vec![prompt("Bake a pie."), said("It is in the oven.")];
            steps.extend(end);
            assert_eq!(stops(&steps), expected, "{steps:?}");
        }
    }

    /// A refusal that hands the plan on is a yes.
    #[test]
    fn a_plan_that_the_next_prompt_repeats_was_accepted() {
        let plan = "# Bake the pie\n\nFirst the pears, then the oven.";
        let no = |reason: &str| rejection("ExitPlanMode", &json!({ "plan": plan }), reason);
        let again = prompt(&format!("Implement the following plan:\n\n{plan}"));
        assert_eq!(stops(&[said("I have a plan."), no(""), interrupt(), again]), 0);
        assert_eq!(stops(&[said("I have a plan."), no("User chose to clear context"), prompt("Go.")]), 0);
        assert_eq!(stops(&[said("I have a plan."), no("Too long."), prompt("Make it shorter.")]), 1);
    }

    #[test]
    fn a_no_that_is_written_twice_is_one() {
        let no = || rejection("Bash", &json!({ "command": "bake" }), "");
        assert_eq!(stops(&[said("Now the oven."), no(), interrupt()]), 1);
        assert_eq!(stops(&[said("Now the oven."), interrupt(), no()]), 1);
        assert_eq!(stops(&[said("Now the oven."), interrupt(), thought("Hot."), no()]), 1);
        assert_eq!(stops(&[said("Now the oven."), no(), ran("ls", ""), interrupt()]), 2);
    }

    #[test]
    fn a_stop_of_a_message_that_was_not_meant_is_no_displeasure() {
        let asked = || [prompt("Bake a pie."), ran("ls", ""), interrupt()];
        let then = |text: &str| asked().into_iter().chain([prompt(text)]).collect::<Vec<_>>();
        assert_eq!(stops(&then("Sorry, wrong chat.")), 0);
        assert_eq!(stops(&then("ignore my last message, and go on with the pears")), 0);
        assert_eq!(stops(&then("Use the other oven.")), 1);
    }

    #[test]
    fn a_block_is_an_edit_where_a_call_carries_it_out() {
        let block = "pie.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```";
        let path = json!({ "path": "pie.py" });
        let edits = |steps: &[serde_json::Value]| {
            let record = session(steps);
            let calls = record.steps.iter().filter_map(Step::call).map(|call| call.edits.len());
            calls.collect::<Vec<_>>()
        };
        assert_eq!(edits(&[said(block), call("edit", path.clone(), "")]), [1]);
        assert_eq!(edits(&[said(block), call("edit", json!({ "path": "cake.py" }), "")]), [0]);
        assert_eq!(edits(&[said(block), prompt("No."), failed("edit", path, "no match")]), [0]);
    }

    #[test]
    fn what_annals_wrote_is_no_step() {
        let record = session(&[prompt("Bake a pie."), decision(), measured(), edit("pie.py", "a", "b")]);
        assert_eq!(record.steps.iter().map(|step| step.id).collect::<Vec<_>>(), [id(1), id(4)]);
    }
}
