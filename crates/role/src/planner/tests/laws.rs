//! What holds whatever a model answers.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{PlanLimits, dispatch, read, read_draft};
use super::{banning, report, verdict};
use crate::ggs::Verdict;
use crate::plan::CriterionCheck;

const BLOCKED: &[&str] = &["src/a.rs", "npm test", "https://x.org/y", "*.log"];

/// Ways to write the same input.
fn spelled(target: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        Just(target.to_owned()),
        Just(target.to_uppercase()),
        Just(format!("./{target}")),
        Just(format!("x/../{target}")),
        Just(target.replace('/', "//")),
        Just(target.replace('/', "/./")),
        Just(target.replace('/', "\\")),
        Just(target.replace(' ', "  ")),
        Just(format!("`{target}`")),
        Just(format!("'{target}'.")),
        Just(target.chars().flat_map(|letter| [letter, '\u{200b}']).collect()),
    ]
}

/// What may stand in a plan's text.
fn words() -> impl Strategy<Value = String> {
    let blocked = prop::sample::select(BLOCKED).prop_flat_map(spelled);
    let tool = prop::sample::select(vec![
        "run the shell command", "Use bash", "in the terminal", "execute", "`ls -la`", "shell:", "with git",
    ]);
    let other = prop::sample::select(vec!["sort", "the", "file", "b.rs", "then", ".", "\n", "{", "\"", "names", "and"]);
    let one = prop_oneof![4 => other.prop_map(str::to_owned), 1 => blocked, 1 => tool.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(one, 1..6).prop_map(|words| words.join(" "))
}

fn check() -> impl Strategy<Value = Value> {
    prop_oneof![
        words().prop_map(|text| json!({"run": text})),
        words().prop_map(|text| json!({"file": text, "contains": "x"})),
        words().prop_map(|text| json!({"command_output": text, "matches": text})),
        any::<bool>().prop_map(|absent| json!({"file": "b.rs", "absent": absent})),
        Just(Value::Null),
    ]
}

fn subtask() -> impl Strategy<Value = Value> {
    let tool = prop::sample::select(vec!["shell", "SHELL", "bash", "read", "write", "read_file", ""]);
    (any::<i8>(), words(), words(), check(), tool, words()).prop_map(
        |(sequence, intent, context, check, tool, target)| {
            json!({
                "subtask_id": "x", "sequence": sequence, "intent": intent, "context": context,
                "success_criteria": [{"text": intent, "check": check}], "tools": [{"tool": tool, "target": target}]
            })
        },
    )
}

fn plan() -> impl Strategy<Value = String> {
    (prop::collection::vec(subtask(), 0..4), check()).prop_map(|(subtasks, check)| {
        json!({"subtasks": subtasks, "task_criteria": [{"text": "done", "check": check}]}).to_string()
    })
}

/// A plain-minded reading, that knows nothing of how the set is enforced.
fn plainly(text: &str) -> String {
    let seen = text.to_lowercase().replace(['\u{200b}', '`', '\''], "").replace('\\', "/").replace("/./", "/");
    seen.replace("//", "/").replace("https:/", "https://").split_whitespace().collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(crate::testing::at_least(1_000))]

    #[test]
    fn no_raw_answer_makes_reading_panic(raw in any::<String>(), plan in plan(), cut in any::<prop::sample::Index>()) {
        let outcomes = [report(1, vec![verdict("x", Verdict::Pass, "")], None, "")];
        let at = (0..=cut.index(plan.len())).rev().find(|at| plan.is_char_boundary(*at)).unwrap_or_default();
        for raw in [raw.as_str(), plan.as_str(), &plan[..at], &plan[at..]] {
            let _ = read(raw, &banning(&["shell"], BLOCKED), &PlanLimits::default());
            let _ = read_draft(raw, &outcomes);
        }
    }

    #[test]
    fn an_accepted_plan_never_uses_what_it_must_not(raw in plan()) {
        if let Ok(plan) = read(&raw, &banning(&["shell"], BLOCKED), &PlanLimits::default()) {
            for subtask in &plan.subtasks {
                prop_assert!(subtask.tools.iter().all(|planned| !["shell", "bash"].contains(&&*planned.tool.to_lowercase())));
                let texts = [plainly(&subtask.intent), plainly(&subtask.context)];
                for order in ["run the shell command", "use bash"] {
                    prop_assert!(!texts.iter().any(|text| text.starts_with(order)), "{texts:?}");
                }
                let targets = subtask.tools.iter().filter_map(|planned| planned.target.as_deref()).map(plainly);
                for text in texts.into_iter().chain(targets) {
                    for blocked in ["src/a.rs", "npm test", "https://x.org/y"] {
                        let parts: Vec<_> = text.split(blocked).collect();
                        let is_part = |side: Option<char>| side.is_some_and(|letter| letter.is_alphanumeric() || "_-./$~\\+#%^*".contains(letter));
                        let stands_alone = parts.windows(2).any(|pair| !is_part(pair[0].chars().next_back()) && !is_part(pair[1].chars().next()));
                        prop_assert!(!stands_alone, "{blocked} in {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_accepted_plan_can_be_handed_out(raw in plan(), round in 1u32..9) {
        if let Ok(plan) = read(&raw, &banning(&[], &[]), &PlanLimits::default()) {
            let manifest = dispatch(&plan, "t", round);
            let groups: Vec<_> = manifest.subtasks.iter().map(|subtask| subtask.sequence).collect();
            prop_assert_eq!(groups.first(), Some(&1));
            prop_assert!(groups.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1), "{:?}", groups);
            prop_assert!((1..=12).contains(&groups.len()) && !manifest.task_criteria.is_empty());
            for (number, subtask) in (1..).zip(&manifest.subtasks) {
                prop_assert_eq!(&subtask.subtask_id, &format!("t-r{round}-s{number}"));
                prop_assert!(!subtask.intent.trim().is_empty() && !subtask.success_criteria.is_empty());
                for check in subtask.success_criteria.iter().filter_map(|criterion| criterion.check.as_ref()) {
                    if let CriterionCheck::FileContains { file, .. } | CriterionCheck::FileMatches { file, .. } | CriterionCheck::FileAbsent { file, .. } = check {
                        prop_assert!(!file.starts_with('/') && !file.split(['/', '\\']).any(|part| part == ".."), "{}", file);
                    }
                }
            }
        }
    }

    #[test]
    fn a_draft_claims_only_what_matched(
        claims in prop::collection::vec((any::<i8>(), "[a-z ]{0,12}"), 0..6), failing in prop::collection::vec(any::<bool>(), 0..5),
    ) {
        let outcome = |(number, is_failing): (usize, &bool)| {
            let verdict = verdict("done it", if *is_failing { Verdict::Fail } else { Verdict::Pass }, "");
            report(number, vec![verdict], None, "")
        };
        let outcomes: Vec<_> = (1..).zip(&failing).map(outcome).collect();
        let claims: Vec<_> = claims.iter().map(|(subtask, text)| json!({"subtask": subtask, "text": text})).collect();
        let raw = json!({"achieved": claims, "failed": claims}).to_string();
        let draft = read_draft(&raw, &outcomes).expect("a draft");
        let named = |texts: &[String], number: usize| texts.iter().filter(|text| text.ends_with(&format!("(t-r1-s{number})"))).count();
        for (number, is_failing) in (1..).zip(&failing) {
            prop_assert_eq!(named(&draft.achieved, number) > 0, !is_failing);
            prop_assert_eq!(named(&draft.failed, number) > 0, *is_failing);
        }
    }
}
