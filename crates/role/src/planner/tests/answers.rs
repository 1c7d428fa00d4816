//! Plans as models write them.

#![expect(clippy::needless_pass_by_value, reason = "`json!` reads best where it is made")]

use serde_json::{Value, json};

use super::super::answer::MOST_SUBTASKS;
use super::super::example::{EXAMPLE, EXAMPLE_FILE, EXAMPLE_INTENT, Shown, system};
use super::super::schema::plan_schema;
use super::super::{PlanLimits, dispatch, memory_queries, read};
use super::{answer, banning, directive, nothing, problem, read_plain, spec};
use crate::message::{DispatchManifest, MemoryQuery};
use crate::plan::{Criterion, CriterionCheck, PlannedSubTask, PlannedTool, SubTask, TaskPlan};
use crate::prompt::BadAnswer;

fn plausible(text: &str) -> Criterion {
    Criterion { text: text.to_owned(), check: None }
}

fn with_subtasks(subtasks: Value) -> Value {
    json!({"subtasks": subtasks, "task_criteria": ["all is done"]})
}

/// The example, told a little otherwise.
fn example() -> String {
    EXAMPLE.replace(EXAMPLE_INTENT, "Put the word ready into state/mark.txt.").replace(EXAMPLE_FILE, "state/sign.txt")
}

fn refused_example() -> String {
    read(EXAMPLE, &nothing(), &PlanLimits::default()).expect_err("an echo").to_string()
}

/// Subtasks by sequence number, each with an intent of its own.
fn sequences(numbers: &[Value]) -> Result<Vec<(u32, String)>, BadAnswer> {
    let subtask = |(at, number): (usize, &Value)| json!({"sequence": number, "intent": format!("do {at}"), "success_criteria": ["done"]});
    let subtasks: Vec<_> = numbers.iter().enumerate().map(subtask).collect();
    let plan = read_plain(&with_subtasks(json!(subtasks)))?;
    Ok(plan.subtasks.into_iter().map(|subtask| (subtask.sequence, subtask.intent)).collect())
}

#[test]
fn the_example_is_a_plan_in_the_form_that_is_asked_for() {
    assert_eq!(refused_example(), "the answer's subtasks.0.intent repeats the example");
    let copied = EXAMPLE.replace(EXAMPLE_INTENT, "Set the version in VERSION to 1.5.0.");
    let refused = read(&copied, &nothing(), &PlanLimits::default()).expect_err("its criteria are of another task");
    let file = "the answer's subtasks.0.success_criteria.0.check.file";
    assert_eq!(refused.to_string(), format!("{file} repeats the example: name a file of this task"));
    let plan = read(&example(), &nothing(), &PlanLimits::default()).expect("a plan");
    let file = || "state/sign.txt".to_owned();
    let expected = TaskPlan {
        task_criteria: vec![Criterion {
            text: "state/sign.txt is there".to_owned(),
            check: Some(CriterionCheck::FileAbsent { file: file(), absent: false }),
        }],
        subtasks: vec![PlannedSubTask {
            sequence: 1,
            intent: "Put the word ready into state/sign.txt.".to_owned(),
            context: String::new(),
            success_criteria: vec![Criterion {
                text: "state/sign.txt contains the word ready".to_owned(),
                check: Some(CriterionCheck::FileContains { file: file(), contains: "ready".to_owned() }),
            }],
            tools: vec![PlannedTool { tool: "write".to_owned(), target: Some(file()) }],
        }],
        alternatives: vec![],
    };
    assert_eq!(plan, expected);
    let written: Value = serde_json::from_str(EXAMPLE).expect("JSON");
    assert_eq!(written.to_string(), EXAMPLE, "its members stand in the order of the schema");
    let system = system(Shown::Example);
    assert!(system.ends_with(EXAMPLE) && system.len() < 2_300, "{}", system.len());
}

#[test]
fn members_that_may_be_missing_may_be_missing() {
    let plan = read_plain(&with_subtasks(json!({"intent": "sort it", "success_criteria": "it is sorted"})));
    let subtask = PlannedSubTask {
        sequence: 1,
        intent: "sort it".to_owned(),
        context: String::new(),
        success_criteria: vec![plausible("it is sorted")],
        tools: vec![],
    };
    let expected =
        TaskPlan { task_criteria: vec![plausible("all is done")], subtasks: vec![subtask], alternatives: vec![] };
    assert_eq!(plan, Ok(expected));
}

#[test]
fn the_names_of_the_source_are_read_too() {
    let criterion = |name: &str| json!([{(name): "sorted", "check": null}]);
    let of = |notes: &str, name: &str| {
        json!({
            "subtasks": [{"intent": "sort it", (notes): "only a.txt", "success_criteria": criterion(name)}],
            "task_criteria": criterion(name)
        })
    };
    let plan = read_plain(&of("notes", "assertion"));
    assert_eq!(plan, read_plain(&of("context", "text")));
    let plan = plan.expect("a plan");
    assert_eq!((plan.subtasks[0].context.as_str(), plan.task_criteria), ("only a.txt", vec![plausible("sorted")]));
}

#[test]
fn groups_are_numbered_from_one_without_holes_in_their_order() {
    let of = |numbers: &[Value]| sequences(numbers).expect("a plan");
    let pairs =
        |pairs: &[(u32, &str)]| pairs.iter().map(|(at, intent)| (*at, (*intent).to_owned())).collect::<Vec<_>>();
    assert_eq!(of(&[json!(1), json!(1), json!(2)]), pairs(&[(1, "do 0"), (1, "do 1"), (2, "do 2")]));
    assert_eq!(of(&[json!(7), json!(3), json!(7)]), pairs(&[(1, "do 1"), (2, "do 0"), (2, "do 2")]));
    assert_eq!(of(&[json!(0), json!(1)]), pairs(&[(1, "do 0"), (2, "do 1")]));
    assert_eq!(of(&[json!("2"), json!(1.0)]), pairs(&[(1, "do 1"), (2, "do 0")]));
    assert_eq!(of(&[json!(null), json!(null)]), pairs(&[(1, "do 0"), (2, "do 1")]), "one after the other");
    for wrong in [json!(-1), json!(1.5), json!("first"), json!([1]), json!(1e300), json!(9_999_999)] {
        let problem = sequences(std::slice::from_ref(&wrong)).expect_err("no number").to_string();
        assert!(problem.starts_with("the answer's subtasks.0.sequence is "), "{wrong}: {problem}");
    }
}

#[test]
fn what_is_missing_or_wrong_is_named_by_its_path() {
    let subtask = |change: Value| {
        let mut subtask = json!({"intent": "x", "success_criteria": ["y"]});
        subtask.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        with_subtasks(json!([{"intent": "first", "success_criteria": ["y"]}, subtask]))
    };
    let many: Vec<_> =
        (0..=MOST_SUBTASKS).map(|at| json!({"intent": at.to_string(), "success_criteria": ["y"]})).collect();
    let criteria: Vec<_> = (0..13).map(|at| format!("criterion {at}")).collect();
    for (answer, expected) in [
        (json!({"plan": []}), "subtasks is missing"),
        (with_subtasks(json!([])), "subtasks holds no subtask; at least one is needed"),
        (with_subtasks(json!(null)), "subtasks holds no subtask; at least one is needed"),
        (with_subtasks(json!("do it")), "subtasks is a text, no object"),
        (with_subtasks(json!([["do it"]])), "subtasks.0 is a list, no object"),
        (with_subtasks(json!(many)), "subtasks holds 13 subtasks; 12 are the most"),
        (subtask(json!({"intent": " "})), "subtasks.1.intent is empty"),
        (subtask(json!({"intent": null})), "subtasks.1.intent is missing"),
        (subtask(json!({"intent": 7})), "subtasks.1.intent is a number, no text"),
        (subtask(json!({"intent": "x".repeat(4_001)})), "subtasks.1.intent is longer than 4000 characters"),
        (subtask(json!({"context": {}})), "subtasks.1.context is an object, no text"),
        (
            subtask(json!({"success_criteria": []})),
            "subtasks.1.success_criteria holds no criterion; at least one is needed",
        ),
        (subtask(json!({"success_criteria": ["", 1]})), "subtasks.1.success_criteria.0 is empty"),
        (subtask(json!({"success_criteria": [7]})), "subtasks.1.success_criteria.0 is a number, no object"),
        (subtask(json!({"success_criteria": [{}]})), "subtasks.1.success_criteria.0.assertion is missing"),
        (
            subtask(json!({"success_criteria": criteria})),
            "subtasks.1.success_criteria holds 13 criteria; 12 are the most",
        ),
        (subtask(json!({"tools": [{"target": "a"}]})), "subtasks.1.tools.0.tool is missing"),
        (subtask(json!({"tools": [7]})), "subtasks.1.tools.0 is a number, no object"),
        (
            json!({"subtasks": [{"intent": "x", "success_criteria": ["y"]}]}),
            "task_criteria holds no criterion; at least one is needed",
        ),
    ] {
        assert_eq!(problem(&answer), format!("the answer's {expected}"), "{answer}");
    }
}

#[test]
fn ids_of_a_model_are_not_read_and_repeated_subtasks_count_once() {
    let same =
        json!({"subtask_id": "mine", "id": 1, "intent": "sort it", "success_criteria": ["sorted"], "sequence": 1});
    let answer = with_subtasks(json!(vec![same; 150]));
    let plan = read_plain(&answer).expect("a plan");
    assert_eq!(plan.subtasks.len(), 1);
    let id = |manifest: &DispatchManifest| manifest.subtasks[0].subtask_id.clone();
    assert_eq!(id(&dispatch(&plan, "t", 2)), "t-r2-s1");
}

#[test]
fn subtasks_get_their_ids_when_they_are_handed_out() {
    let plan = read(&example(), &nothing(), &PlanLimits::default()).expect("a plan");
    let mut two = plan.clone();
    two.subtasks.push(PlannedSubTask { sequence: 2, intent: "then".to_owned(), ..plan.subtasks[0].clone() });
    let minted = |number: usize| {
        let planned = &two.subtasks[number - 1];
        SubTask {
            subtask_id: format!("01K-r3-s{number}"),
            parent_task_id: "01K".to_owned(),
            intent: planned.intent.clone(),
            context: planned.context.clone(),
            success_criteria: planned.success_criteria.clone(),
            sequence: planned.sequence,
        }
    };
    let expected = DispatchManifest {
        task_id: "01K".to_owned(),
        round: 3,
        task_criteria: plan.task_criteria.clone(),
        subtasks: vec![minted(1), minted(2)],
    };
    assert_eq!(dispatch(&two, "01K", 3), expected);
}

#[test]
fn as_many_alternatives_are_wanted_as_urgency_demands() {
    let banned = banning(&["shell"], &["src/a.rs"]);
    let limits = PlanLimits::of(Some(&directive(&[], &[])));
    assert_eq!(limits, PlanLimits { most_subtasks: 12, least_alternatives: 2 });
    assert_eq!(PlanLimits::of(None), PlanLimits::default());
    let with = |alternatives: Value| {
        let mut answer = answer("sort the file");
        answer["alternatives"] = alternatives;
        read(&answer.to_string(), &banned, &limits)
    };
    let plan = with(json!(["edit each line", "write it anew", "Edit each line"])).expect("a plan");
    assert_eq!(plan.alternatives, ["edit each line", "write it anew"]);
    for (alternatives, found) in [
        (json!(null), 0),
        (json!("edit each line"), 1),
        (json!(["edit each line", "EDIT EACH LINE", ""]), 1),
        (json!(["edit each line", "run it in the shell", "start from `src//a.rs`"]), 1),
    ] {
        let problem = with(alternatives).expect_err("too few").to_string();
        let expected =
            format!("the answer's alternatives holds {found} that differ and use nothing forbidden; 2 are needed");
        assert_eq!(problem, expected);
    }
}

#[test]
fn the_schema_is_one_that_llama_cpp_takes() {
    let limits = PlanLimits { least_alternatives: 3, ..PlanLimits::default() };
    let schema = plan_schema(&["read", "write"], &limits);
    assert_eq!(schema["properties"]["alternatives"]["minItems"], 3);
    assert_eq!(schema["properties"]["subtasks"]["maxItems"], 12);
    let subtask = &schema["properties"]["subtasks"]["items"]["properties"];
    assert_eq!(subtask["tools"]["items"]["properties"]["tool"]["enum"], json!(["read", "write"]));
    assert_eq!(subtask["success_criteria"]["items"]["properties"]["check"]["anyOf"].as_array().map(Vec::len), Some(6));
    let text = schema.to_string();
    for word in ["$ref", "$defs", "pattern", "oneOf", "format", "Length"] {
        assert!(!text.contains(word), "{word}");
    }
    let plain = plan_schema(&[], &PlanLimits::default()).to_string();
    assert!(!plain.contains("enum") && !plain.contains("alternatives"), "{plain}");
}

#[test]
fn memory_is_asked_about_the_first_three_words() {
    let expected = |space: &str| vec![MemoryQuery { space: space.to_owned(), entity: "env:local".to_owned() }];
    assert_eq!(memory_queries(&spec("Fix the failing test, now")), expected("intent:fix_the_failing"));
    assert_eq!(memory_queries(&spec("Prüfe Größe!")), expected("intent:prüfe_größe"));
    assert_eq!(memory_queries(&spec("")), expected("intent:"));
}
