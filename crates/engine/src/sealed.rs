//! A call of `annals blind submit` is recorded without its text: the hooks of an agent would else write down at once what
//! nobody may read before the pass is closed (control-room 7.1, decision 40).
//!
//! Looks at commands of shells only; what an agent writes elsewhere about its opinion is its own affair.

use serde_json::Value;

use annals_kernel::call::{Act, acts};
use annals_kernel::entry::{Operation, OperationType};
use annals_kernel::json::Json;

/// Under which names tools get the commands that they run.
const COMMANDS: [&str; 4] = ["command", "cmd", "script", "code"];

/// What stands in place of the command.
const IN_PLACE: &str = "annals blind submit (the opinion is sealed)";

/// Whether a text was taken out of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sealing {
    /// It was.
    Done,
    /// There was none.
    Needless,
}

/// Takes the text of a sealed opinion out of a call.
pub(super) fn seal(operation: &mut Operation) -> Sealing {
    let text = operation.input.text();
    // Two searches in the text spare nearly every call the tree of its input.
    if operation.kind != OperationType::ToolCall || !text.contains("blind") || !text.contains("submit") {
        return Sealing::Needless;
    }
    let Value::Object(mut members) = operation.input.value() else { return Sealing::Needless };
    let mut sealing = Sealing::Needless;
    for name in COMMANDS {
        if let Some(command) = members.get_mut(name).filter(|command| submits(command)) {
            *command = IN_PLACE.into();
            sealing = Sealing::Done;
        }
    }
    if sealing == Sealing::Done {
        operation.input = Json::of(&members);
    }
    sealing
}

/// Whether a command, in one text or in words, gives an opinion.
fn submits(command: &Value) -> bool {
    match command {
        Value::String(line) => gives(line),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            gives(&words.join(" ")) || words.iter().any(|word| gives(word))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

/// Rather too often than not: a text in another language may run it as well, so the line is also read without its quotes.
fn gives(line: &str) -> bool {
    let without_quotes = line.replace(['\'', '"'], " ");
    let is_it = |act: &Act<'_>| {
        let mut words = std::iter::once(act.program()).chain(act.words());
        words.any(|word| word.rsplit('/').next() == Some("annals"))
            && words.any(|word| word == "blind")
            && words.any(|word| word == "submit")
    };
    [line, &without_quotes].into_iter().any(|line| acts(line).iter().any(is_it))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_commands_that_give_an_opinion_are_sealed() {
        for command in [
            json!("annals blind submit 3 \"No.\""),
            json!("cd x && ./target/debug/annals --as carl blind submit 3 - <<EOF\nNo.\nEOF"),
            json!(["bash", "-lc", "echo No. | annals blind submit 3 -"]),
            json!(["annals", "blind", "submit", "3", "it's no"]),
            json!("sudo -u carl timeout -s KILL 5 annals blind --as carl submit 3 No."),
            json!("bash <<'E'\nannals blind submit 3 No.\nE"),
            json!("an'nals' blind \"submit\" 3 No."),
            json!("python3 -c \"import os; os.system('annals blind submit 3 No.')\""),
            json!("ssh host \"cd x && annals blind submit 3 'No.'\""),
        ] {
            assert!(submits(&command), "{command}");
        }
        for command in [json!("annals blind show 3"), json!("git blind submit"), json!("echo submit annals"), json!(3)]
        {
            assert!(!submits(&command), "{command}");
        }
    }
}
