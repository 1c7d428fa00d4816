//! Laws of cognition.

use annals::domain::cognition::mind::Mind;
use annals::domain::cognition::{Amount, State};
use annals::kernel::call::{Call, Finished};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::envelope::{Envelope, Span};
use annals::kernel::settings::Settings;
use proptest::prelude::*;
use serde_json::json;

/// A call of one of a few tools, on one of a few files.
fn call() -> impl Strategy<Value = String> {
    let tools = prop_oneof![Just("Read"), Just("Edit"), Just("Bash"), Just("wait"), Just("nobody__knows"), Just("")];
    let commands = prop_oneof![Just("cargo test"), Just("ls"), Just("sed -i s/a/b/ x"), Just("<<"), Just("")];
    let types =
        prop_oneof![5 => Just("tool_call"), 1 => Just("user_input"), 1 => Just("cognitive_state"), 1 => Just("x")];
    (types, tools, commands, 0..12_u32, any::<bool>(), 0..5_i64).prop_map(|(kind, tool, command, file, success, gap)| {
        let name = match kind {
            "user_input" => ["prompt", "interrupt", "shell"][usize::try_from(file).expect("small") % 3],
            "cognitive_state" => ["emotions", "goals", "epistemic", "metacognition"][usize::try_from(file).expect("small") % 4],
            _ => tool,
        };
        let input = json!({ "file_path": format!("d{}/f{file}.rs", file % 3), "command": command, "mood": { "current": tool } });
        let entry = json!({ "name": name, "input": input, "success": success, "kind": kind, "gap": gap * 100_000 });
        entry.to_string()
    })
}

/// Lines as the log has them.
fn lines(steps: &[String]) -> Vec<String> {
    let mut at = 1_760_000_000_000_i64;
    let line = |(number, step): (usize, &String)| {
        let step: serde_json::Value = serde_json::from_str(step).expect("JSON");
        at += step["gap"].as_i64().expect("a number");
        let time = annals::kernel::time::Timestamp::from_millis(at);
        let id = annals::kernel::id::EntryId::new(time, u128::try_from(number).expect("small"));
        let entry = json!({
            "id": id, "timestamp": time, "session_id": "s",
            "operation": { "type": step["kind"], "name": step["name"], "input": step["input"], "success": step["success"] },
            "provenance": {}, "metadata": {},
        });
        HistoryEntry::read(&entry.to_string()).expect("an entry").to_line()
    };
    steps.iter().enumerate().map(line).collect()
}

fn observe(state: &mut State, line: &str) {
    let span = Span::scan(line.as_bytes()).expect("a line of ours");
    let entry = Envelope::new(line.as_bytes(), &span);
    state.observe(&entry, Finished::in_envelope(&entry).as_ref(), &Settings::default());
}

fn mind(state: &State) -> Mind {
    state.mind("s").cloned().unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// A row that was stored and read again goes on as if it had stayed in memory.
    #[test]
    fn a_stored_mind_goes_on_where_it_was(steps in prop::collection::vec(call(), 0..120), cut in 0..120_usize) {
        let (mut whole, mut parted) = (State::default(), State::default());
        for (number, line) in lines(&steps).iter().enumerate() {
            if number == cut {
                let stored = serde_json::to_string(&mind(&parted)).expect("JSON");
                let back: Mind = serde_json::from_str(&stored).expect("a mind");
                parted = State::default();
                *parted.minds.entry("s", Mind::default) = back;
            }
            observe(&mut whole, line);
            observe(&mut parted, line);
        }
        prop_assert_eq!(mind(&whole), mind(&parted));
    }

    /// A row does not grow with its session.
    #[test]
    fn a_mind_is_bounded(steps in prop::collection::vec(call(), 0..400)) {
        let mut state = State::default();
        for line in lines(&steps) {
            observe(&mut state, &line);
        }
        let mind = mind(&state);
        prop_assert!(mind.watch.recent.len() <= 12 && mind.watch.folders.len() <= 64 && mind.watch.tools.len() <= 64);
        prop_assert!(mind.pending.len() <= 64);
        prop_assert!(serde_json::to_string(&mind).expect("JSON").len() < 40_000);
    }

    /// What fires has not fired in its cooldown, nor too often.
    #[test]
    fn no_trigger_fires_in_its_cooldown(steps in prop::collection::vec(call(), 0..300)) {
        let mut state = State::listening();
        for line in lines(&steps) {
            observe(&mut state, &line);
        }
        let mut last = std::collections::BTreeMap::new();
        for edge in state.take_heard().into_iter().filter(|edge| edge.fate.as_str() == "fires") {
            let (count, before) = last.insert(edge.trigger.clone(), (1_u32, edge.at)).unwrap_or((0, edge.at));
            prop_assert!(count == 0 || edge.at.since(before) >= 300_000, "{} at {}", edge.trigger, edge.at);
        }
    }

    /// No name and no arguments make it panic, and an action is the same in every run.
    #[test]
    fn any_call_is_something(name in ".{0,40}", command in ".{0,200}", text in ".{0,100}") {
        let arguments = json!({ "command": command, "path": text }).to_string();
        for arguments in [&arguments, &command, &text] {
            let (one, two) = (Call::of(&name, arguments, None), Call::of(&name, arguments, None));
            prop_assert!(one.target.chars().count() <= 200);
            prop_assert_eq!(one, two);
        }
    }

    /// A number comes back as it was written.
    #[test]
    fn an_amount_comes_back(thousandths in -1_000_000_000..=1_000_000_000_i32) {
        let amount = Amount::thousandths(thousandths);
        let text = serde_json::to_string(&amount).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Amount>(&text).ok(), Some(amount));
        prop_assert_eq!(amount.to_string().parse(), Ok(amount));
    }
}
