//! Two reports of one thing: given entries of hooks and transcripts, in every order, then what is counted.

use super::{call, event, id, line, observed};
use crate::domain::session::joined::Reports;

/// An entry made from a record of another tool: by a hook, or from its transcript.
fn told(minute: i64, operation: &str, source: &str) -> String {
    let line = line("s", minute, operation);
    let source =
        format!(r#","extensions":{{"annals":{{"source":{{"kind":"claude-code","session":"n",{source}}}}}}}}}"#);
    format!("{}{source}", line.strip_suffix('}').expect("an object"))
}

fn by_hook(minute: i64, record: &str, operation: &str) -> String {
    told(minute, operation, &format!(r#""record":"{record}""#))
}

fn by_transcript(minute: i64, record: &str, operation: &str) -> String {
    told(minute, operation, &format!(r#""record":"{record}","file":"a.jsonl""#))
}

fn id_of(line: &str) -> &str {
    &line[7..33]
}

/// Every order of the lines.
fn orders(lines: &[String]) -> Vec<Vec<String>> {
    if lines.len() < 2 {
        return vec![lines.to_vec()];
    }
    let with_first = |first: usize| {
        let mut rest = lines.to_vec();
        let first = rest.remove(first);
        orders(&rest).into_iter().map(move |rest| [vec![first.clone()], rest].concat())
    };
    (0..lines.len()).flat_map(with_first).collect()
}

/// What is counted whatever the order: calls, failed, refused, prompts, messages, compactions.
fn counts(lines: &[String]) -> [u64; 7] {
    let state = observed(lines);
    let stats = &state.session(&id("s")).expect("it is known").stats;
    let calls: u64 = stats.tools_used.values().sum();
    let totals = state.totals.by_tool.values().fold((0, 0), |sum, tool| (sum.0 + tool.calls, sum.1 + tool.failed));
    assert_eq!((calls, stats.failed_calls), totals);
    [calls, stats.failed_calls, stats.rejections, stats.prompts, stats.messages, stats.compactions, stats.retold]
}

#[test]
fn what_a_hook_and_a_transcript_tell_is_counted_once_in_whichever_order() {
    let ask = |text: &str| event("user_input", "prompt", &format!(r#"{{"text":"{text}"}}"#));
    let say = |text: &str| event("agent_message", "message", &format!(r#"{{"text":"{text}"}}"#));
    let hooked = by_hook(1, "toolu_1", &call("Edit", true));
    let completion = |verdict: &str| {
        let input = format!(r#"{{"of":"{}","verdict":"{verdict}","tool":"Edit"}}"#, id_of(&hooked));
        by_transcript(0, "toolu_1", &event("system_event", "completion", &input))
    };
    let refused = event("user_input", "rejection", r#"{"tool":"Edit","call":"toolu_1"}"#);
    let interrupted = call("Edit", false).replace(r#""success":false"#, r#""success":false,"error":"interrupted""#);
    let prompt = by_hook(2, "p1", &ask("go  on"));
    let of_prompt = format!(r#"{{"of":"{}"}}"#, id_of(&prompt));
    let compaction = event("system_event", "compaction", "{}");
    let end = event("system_event", "background_end", r#"{"call":"toolu_1","tool":"Edit"}"#);
    let end = by_transcript(0, "task", &end.replace(r#""success":true"#, r#""success":false,"error":"exit code 4""#));
    for (lines, expected) in [
        // What went on in the background has ended, and only its end is what became of it.
        (vec![hooked.clone(), end.clone()], [1, 1, 0, 0, 0, 0, 1]),
        (vec![by_hook(1, "toolu_1", &call("Edit", false)), end, completion("done")], [1, 1, 0, 0, 0, 0, 2]),
        // Two whole reports, as after a merge; the transcript knows better.
        (vec![hooked.clone(), by_transcript(2, "toolu_1", &call("Edit", true))], [1, 0, 0, 0, 0, 0, 1]),
        (vec![hooked.clone(), by_transcript(2, "toolu_1", &call("Edit", false))], [1, 1, 0, 0, 0, 0, 1]),
        (vec![hooked.clone(), by_transcript(2, "toolu_1", &refused)], [0, 0, 1, 0, 0, 0, 1]),
        (
            vec![by_hook(1, "toolu_1", &refused), by_transcript(2, "toolu_1", &call("Edit", false))],
            [1, 1, 0, 0, 0, 0, 1],
        ),
        // What was not seen to end is not what became of it.
        (vec![by_hook(3, "toolu_1", &interrupted), hooked.clone()], [1, 0, 0, 0, 0, 0, 1]),
        (vec![hooked.clone(), by_transcript(2, "toolu_1", &interrupted)], [1, 0, 0, 0, 0, 0, 1]),
        // A completion, before or after what it completes, and all three.
        (vec![hooked.clone(), completion("failed")], [1, 1, 0, 0, 0, 0, 1]),
        (vec![hooked.clone(), completion("refused")], [0, 0, 1, 0, 0, 0, 1]),
        (
            vec![hooked.clone(), completion("failed"), by_transcript(2, "toolu_1", &call("Edit", false))],
            [1, 1, 0, 0, 0, 0, 2],
        ),
        // Texts have no name that both know: the first of the one side is the first of the other.
        (
            vec![prompt.clone(), by_hook(5, "p2", &ask("go on")), by_transcript(1, "u1", &ask("go on"))],
            [0, 0, 0, 2, 0, 0, 1],
        ),
        (vec![prompt, by_transcript(0, "u1", &event("system_event", "completion", &of_prompt))], [0, 0, 0, 1, 0, 0, 1]),
        (
            vec![
                by_hook(1, "m1", &say("done")),
                by_transcript(2, "u2", &say("done")),
                by_transcript(3, "u3", &say("so")),
            ],
            [0, 0, 0, 0, 2, 0, 1],
        ),
        (vec![by_hook(1, "c1", &compaction), by_transcript(2, "u4", &compaction)], [0, 0, 0, 0, 0, 1, 1]),
        // Two of one side are two.
        (vec![by_hook(1, "c1", &compaction), by_hook(2, "c2", &compaction)], [0, 0, 0, 0, 0, 2, 0]),
    ] {
        for order in orders(&lines) {
            assert_eq!(counts(&order), expected, "{order:#?}");
        }
    }
}

#[test]
fn calls_without_an_id_are_told_apart_by_what_was_asked_and_by_their_order() {
    let gemini = |line: String| line.replace("claude-code", "gemini-cli");
    let ls = |success| call("shell", success).replace(r#""input":{}"#, r#""input":{"command":"ls"}"#);
    let lines = [
        gemini(by_hook(1, "call/1", &ls(true))),
        gemini(by_hook(2, "call/1", &ls(true))),
        gemini(by_transcript(1, "shell_1", &ls(true).replace("{\"command", "{ \"command"))),
        gemini(by_transcript(3, "shell_3", &call("shell", true))),
    ];
    for order in orders(&lines) {
        assert_eq!(counts(&order)[0], 3, "{order:#?}");
    }
}

#[test]
fn what_was_reported_is_stored_in_few_bytes_and_read_again() {
    let lines: Vec<_> =
        (0..100).map(|number| by_hook(number, &format!("toolu_{number}"), &call("Edit", true))).collect();
    assert!(stored_and_read(&lines) < 1300);
    let message = event("agent_message", "message", r#"{"text":"done"}"#);
    let [early, end] =
        [("completion", r#"{"of":"01HQZX00000000000000000000"}"#), ("background_end", r#"{"call":"c"}"#)]
            .map(|(name, input)| by_transcript(1, name, &event("system_event", name, input)));
    let gemini = by_hook(2, "call/1", &call("shell", false)).replace("claude-code", "gemini-cli");
    stored_and_read(&[by_transcript(3, "m", &message), by_hook(4, "m", &message), early, end, gemini]);
}

/// How many bytes it takes; they are read as what was written.
fn stored_and_read(lines: &[String]) -> usize {
    let state = observed(lines);
    let reports = state.reports.get("s").expect("reported");
    let stored = serde_json::to_string(reports).expect("JSON");
    assert_eq!(serde_json::from_str::<Reports>(&stored).expect("read"), *reports, "{stored}");
    stored.len()
}

#[test]
fn thousands_of_messages_that_only_one_side_tells_take_little_room_and_are_found() {
    let say = |number: i64| event("agent_message", "message", &format!(r#"{{"text":"{number}"}}"#));
    let told = |number| by_transcript(number, &format!("m{number}"), &say(number));
    let lines: Vec<_> = (0..1000).map(told).collect();
    assert!(stored_and_read(&lines) < 34 * lines.len());
    let hooked = (0..1000).rev().map(|number| by_hook(1000 - number, &format!("h{number}"), &say(number)));
    let state = observed(&lines.into_iter().chain(hooked).collect::<Vec<_>>());
    assert_eq!((state.totals.by_type["agent_message"], state.totals.retold), (1000, 1000));
}

#[test]
fn a_session_of_which_only_the_end_is_told_has_its_name() {
    let end = by_hook(1, "e1", &event("system_event", "session_end", r#"{"reason":"other"}"#));
    let state = observed(&[end]);
    let session = state.session(&id("s")).expect("it is known");
    assert_eq!(session.native, Some(("claude-code".into(), "n".into())));
}
