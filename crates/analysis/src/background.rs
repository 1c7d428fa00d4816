//! What a run in the background came to belongs to the call that began it.
//!
//! The call itself only says that it runs: by that it would have succeeded, and a test that failed later would have passed.

use std::collections::BTreeMap;

use super::step::{Call, Step, What};
use annals_kernel::call::CallKind;
use annals_kernel::call::job::{RunEnd, begun, ended, looked_at};
use annals_kernel::entry::HistoryEntry;

/// Gives each run what the looks at it brought. Of one whose end nobody saw, nothing is known: it shows nothing.
pub(super) fn settle(steps: &mut [Step], entries: &[&HistoryEntry]) {
    let mut running = BTreeMap::new();
    for at in 0..steps.len().min(entries.len()) {
        let What::Called(call) = &mut steps[at].what else { continue };
        let run = looked_at(&entries[at].operation.input.value()).filter(|name| running.contains_key(name));
        let Some(name) = run else {
            if let Some(name) = begun(&call.output).map(str::to_owned).filter(|_| call.kind != CallKind::Wait) {
                running.insert(name, (at, call.check.take()));
            }
            continue;
        };
        let (printed, end) = (call.output.clone(), ended(&call.output));
        let Some((began, check)) = running.get(&name).copied() else { continue };
        let What::Called(call) = &mut steps[began].what else { continue };
        give(call, &printed, end);
        if end.is_some() {
            call.check = check;
            running.remove(&name);
        }
    }
}

fn give(run: &mut Call, printed: &str, end: Option<RunEnd>) {
    run.output = [&run.output, printed].join("\n");
    if let Some(RunEnd::Badly(code)) = end {
        run.error = Some(if code < 0 { "failed".to_owned() } else { format!("exit code {code}") });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::check::{CheckOutcome, outcome};
    use crate::step::Step;
    use crate::testing::{call, ran, session};

    fn came_to(looks: &[Value]) -> Option<CheckOutcome> {
        let mut steps = vec![ran("cargo test", "Command running in background with ID: bash_1")];
        steps.extend_from_slice(looks);
        outcome(session(&steps).steps.iter().find_map(Step::call).expect("a call"))
    }

    fn look(name: &str, printed: &str) -> Value {
        call("BashOutput", json!({ "bash_id": name }), printed)
    }

    #[test]
    fn a_run_in_the_background_came_to_what_the_looks_at_it_say() {
        let failed = "<status>failed</status><exit_code>101</exit_code>";
        let passed = "<status>completed</status><exit_code>0</exit_code>";
        let running = "<status>running</status>";
        assert_eq!(came_to(&[]), None, "nobody looked");
        assert_eq!(came_to(&[look("bash_1", running)]), None, "it goes on");
        assert_eq!(came_to(&[look("bash_1", running), look("bash_1", passed)]), Some(CheckOutcome::Passed));
        assert_eq!(came_to(&[look("bash_1", failed)]), Some(CheckOutcome::Failed));
        assert_eq!(came_to(&[look("bash_2", failed)]), None, "another run");
    }
}
