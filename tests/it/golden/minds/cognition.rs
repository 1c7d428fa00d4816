//! What an agent feels, tries, aims at and takes for true; triggers.

use serde_json::{Value, json};

use super::super::control::{ask, seen, set, user, with};
use super::Step;

/// The session whose mind it is.
const MIND: &str = "mind";
/// Entries that set something off; none of them has to be there.
const CAUSES: [&str; 5] = [
    "01KAEXAMPE000000000000CAS1", "01KAEXAMPE000000000000CAS2", "01KAEXAMPE000000000000CAS3",
    "01KAEXAMPE000000000000CAS4", "01KAEXAMPE000000000000CAS5",
];

/// Something that an agent says of its own mind.
fn says(command: &'static str, fields: Value) -> Step {
    ask("general", command, with(json!({ "session": MIND }), fields))
}

/// Something that the engine finds due.
fn due(command: &'static str, fields: Value) -> Step {
    seen("system", command, with(json!({ "session": MIND }), fields), json!({ "due": true }))
}

fn by_user(command: &'static str, fields: Value) -> Step {
    user(command, with(json!({ "session": MIND }), fields))
}

fn call(name: &'static str, input: Value) -> Step {
    Step::Record { session: MIND, kind: "tool_call", name, input }
}

fn prompt(text: &str) -> Step {
    Step::Record { session: MIND, kind: "user_input", name: "prompt", input: json!({ "text": text }) }
}

fn feelings() -> Vec<Step> {
    let feel = |fields| says("cognitive.feeling.state", fields);
    vec![
        feel(json!({})),
        feel(json!({ "valence": 1.001 })),
        feel(json!({ "strength": 11 })),
        feel(json!({ "strength": 0 })),
        feel(json!({ "mood": "x".repeat(2001) })),
        feel(json!({ "resolved": ["nothing"] })),
        feel(json!({ "mood": "focused", "intensity": 0.6, "valence": 0.25, "trigger": "a plan that holds" })),
        feel(json!({ "anxiety": 0.05 })),
        feel(
            json!({ "anxiety": 0.71, "sources": ["the release is tomorrow"], "satisfied": "the tests run", "strength": 7 }),
        ),
        feel(json!({ "frustrated": "the cache is cold" })),
        feel(json!({ "frustrated": "the cache is still cold", "strength": 9 })),
        feel(json!({ "resolved": ["<frustration 1>"] })),
        feel(json!({ "resolved": ["<frustration 1>"] })),
        feel(json!({ "mood": "focused", "anxiety": 0.2 })),
    ]
}

fn thoughts() -> Vec<Step> {
    let think = |fields| says("cognitive.thought.state", fields);
    let focus: Vec<_> = (0..21).map(|number| number.to_string()).collect();
    vec![
        think(json!({})),
        think(json!({ "focus": focus })),
        think(json!({ "blocked": "x".repeat(2001) })),
        think(json!({ "strategy": "research_first", "effectiveness": 0.8, "uncertainty": 0.31 })),
        think(json!({ "uncertainty": 0.3 })),
        think(
            json!({ "focus": ["a", "b", "c", "d", "e", "f"], "metrics": { "baseline_accuracy": 0.46, "agent_count": 2 } }),
        ),
        think(json!({ "blocked": "no access" })),
        think(json!({ "blocked": "", "focus": [] })),
        says("cognitive.correction.note", json!({ "what": " " })),
        says("cognitive.correction.note", json!({ "what": "x", "why": "x".repeat(2001) })),
        says(
            "cognitive.correction.note",
            json!({ "what": "read the file first", "why": "a guess", "outcome": "fixed" }),
        ),
    ]
}

fn goals() -> Vec<Step> {
    let add = |fields| says("cognitive.goal.add", fields);
    let advance = |fields| says("cognitive.goal.advance", fields);
    let focus = |fields| says("cognitive.goal.focus", fields);
    let reconcile = |fields| says("cognitive.conflict.resolve", fields);
    vec![
        add(json!({ "kind": "primary", "description": "" })),
        add(json!({ "kind": "subgoal", "description": "x", "goals": ["nothing"] })),
        add(
            json!({ "kind": "primary", "description": "Build the gate", "user_stated": "fast, please", "success_criteria": ["it opens"], "constraints": ["no new dependency"] }),
        ),
        add(json!({ "kind": "primary", "description": "Another" })),
        add(json!({ "kind": "subgoal", "description": "Plan it" })),
        add(json!({ "kind": "subgoal", "description": "Make it thorough", "goals": ["<aim 2>"], "parent": "<aim 1>" })),
        add(json!({ "kind": "instrumental", "description": "Get a drawing", "goals": ["<aim 1>"] })),
        advance(json!({ "goal": "<aim 2>" })),
        advance(json!({ "goal": "nothing", "progress": 1 })),
        advance(json!({ "goal": "<aim 1>", "progress": -0.5 })),
        advance(json!({ "goal": "<aim 1>", "progress": 0.5 })),
        advance(json!({ "goal": "<aim 1>", "status": "in_progress" })),
        advance(json!({ "goal": "<aim 2>", "progress": 1.5 })),
        advance(json!({ "goal": "<aim 2>", "progress": 0.1 })),
        advance(json!({ "goal": "<aim 3>", "status": "blocked" })),
        advance(json!({ "goal": "<aim 4>", "status": "completed" })),
        focus(json!({})),
        focus(json!({ "goal": "nothing" })),
        focus(json!({ "goal": "<aim 2>" })),
        focus(json!({ "goal": "<aim 1>" })),
        focus(json!({ "goal": "<aim 1>" })),
        focus(json!({ "goal": "<aim 3>" })),
        focus(json!({})),
        reconcile(json!({ "goal_a": "<aim 1>", "goal_b": "<aim 2>", "resolution": "later" })),
        reconcile(json!({ "goal_a": "<aim 1>", "goal_b": "<aim 3>", "resolution": "" })),
        reconcile(json!({ "goal_a": "<aim 3>", "goal_b": "<aim 1>", "resolution": "thorough first" })),
        reconcile(json!({ "goal_a": "<aim 1>", "goal_b": "<aim 3>", "resolution": "fast after all" })),
    ]
}

fn known() -> Vec<Step> {
    let fact = |text: &str, confidence| {
        says("cognitive.fact.add", json!({ "fact": text, "confidence": confidence, "source": "the drawing" }))
    };
    let verify = |id: &str| says("cognitive.fact.verify", json!({ "fact": id, "source": "a test" }));
    let settle = |id: &str, text: &str| {
        says("cognitive.contradiction.resolve", json!({ "contradiction": id, "resolution": text }))
    };
    let learn = |id: &str, text: &str| says("cognitive.unknown.resolve", json!({ "unknown": id, "answer": text }));
    vec![
        set(json!({ "cognition.max_golden": 1, "cognition.max_working": 2 })),
        fact(" ", 0.5),
        fact("The gate is red", 0.9),
        fact("The gate is blue", 0.2),
        fact("The gate is heavy", 0.6),
        verify("nothing"),
        verify("<fact 1>"),
        verify("<fact 1>"),
        verify("<fact 3>"),
        says("cognitive.fact.drop", json!({ "fact": "<fact 2>" })),
        says("cognitive.fact.drop", json!({ "fact": "<fact 3>" })),
        says("cognitive.contradiction.state", json!({ "fact_a": "<fact 1>", "fact_b": "" })),
        says("cognitive.contradiction.state", json!({ "fact_a": "<fact 1>", "fact_b": "The gate is green" })),
        settle("nothing", "x"),
        settle("<contradiction 1>", "red"),
        settle("<contradiction 1>", "green"),
        says("cognitive.unknown.add", json!({ "question": "" })),
        says("cognitive.unknown.add", json!({ "question": "Who has the key?", "critical": true })),
        learn("nothing", "x"),
        learn("<unknown 1>", "the keeper"),
        learn("<unknown 1>", "nobody"),
        says("cognitive.state.load", json!({ "part": "emotions", "state": { "mood": 7 } })),
        says("cognitive.state.load", json!({ "part": "metacognition", "state": { "currentStrategy": "prototype" } })),
        set(json!({ "cognition.max_golden": 10, "cognition.max_working": 100 })),
    ]
}

/// Calls that do the same again and again, that fail, that flow; and states of another program.
fn calls() -> Vec<Step> {
    let mut steps = vec![prompt("Build the gate.")];
    steps.extend((0..6).map(|_| call("Read", json!({ "file_path": "src/a.rs" }))));
    steps.extend(
        (0..4).map(|number| call("Edit", json!({ "file_path": "src/a.rs", "new_string": number.to_string() }))),
    );
    steps.extend((0..3).map(|number| call("Bash", json!({ "command": format!("cargo test {number}") }))));
    steps.push(Step::Record { session: MIND, kind: "user_input", name: "interrupt", input: json!({ "text": "stop" }) });
    steps.extend((0..6).map(|number| call("Grep", json!({ "pattern": number.to_string() }))));
    let mood = json!({ "mood": { "current": "tired", "intensity": 0.5, "valence": -0.5 }, "anxiety": { "level": 0.1, "sources": [] } });
    steps.push(Step::Record { session: MIND, kind: "cognitive_state", name: "emotions", input: mood });
    steps
}

/// What the engine finds due.
fn found() -> Vec<Step> {
    let announce =
        |cause: usize, what: Value| due("cognitive.state.announce", json!({ "cause": CAUSES[cause], "what": what }));
    let spin = || announce(0, json!({ "spin": 4 }));
    let entered = || announce(1, json!({ "flow_entered": ["5 calls in a row succeeded"] }));
    let exited = || announce(2, json!({ "flow_exited": "a person stopped it" }));
    let snapshot = || due("cognitive.state.announce", json!({ "cause": CAUSES[3] }));
    vec![
        says("cognitive.state.announce", json!({ "cause": CAUSES[0] })),
        spin(),
        spin(),
        entered(),
        entered(),
        exited(),
        exited(),
        snapshot(),
        snapshot(),
        announce(4, json!({ "trigger": ["tool-repetition", {}] })),
    ]
}

fn fire(trigger: &str, cause: usize) -> Step {
    due(
        "analysis.trigger.fire",
        json!({ "trigger": trigger, "cause": CAUSES[cause], "measured": { "same_tool_count": 5 } }),
    )
}

fn firings() -> Vec<Step> {
    let answer = |firing: &str, verdict: &str| {
        by_user("analysis.trigger.answer", json!({ "firing": firing, "verdict": verdict }))
    };
    let gate = |mode: &str| set(json!({ "analysis.gate_mode": mode }));
    let conclude = |firing: &str| {
        let found = json!([{ "kind": "spinning", "grade": "minor", "sources": [CAUSES[0], CAUSES[1]] }]);
        let recommended =
            json!({ "current": "centralized", "proposed": "single", "because": "one is right often enough" });
        let figures = json!({ "agents": "2" });
        let what =
            json!({ "firing": firing, "found": found, "total": 2, "figures": figures, "recommended": recommended });
        due("analysis.mode.conclude", what)
    };
    vec![
        says("analysis.trigger.fire", json!({ "trigger": "tool-repetition", "cause": CAUSES[0] })),
        fire("nothing", 0),
        fire("tool-repetition", 0),
        fire("tool-repetition", 0),
        fire("spinning-critic", 0),
        says("analysis.trigger.answer", json!({ "firing": "<firing 1>", "verdict": "accept" })),
        answer(CAUSES[4], "accept"),
        conclude("<firing 1>"),
        answer("<firing 1>", "accept"),
        answer("<firing 1>", "deny"),
        answer("<firing 2>", "deny"),
        says("analysis.mode.conclude", json!({ "firing": "<firing 1>", "found": [] })),
        conclude("<firing 1>"),
        conclude("<firing 1>"),
        conclude("<firing 2>"),
        conclude(CAUSES[4]),
        gate("auto-accept"),
        fire("tool-repetition", 1),
        gate("auto-deny"),
        fire("tool-repetition", 2),
        gate("selective"),
        set(json!({ "analysis.triggers.per_trigger": { "tool-repetition": { "gate": "accept" } } })),
        fire("tool-repetition", 3),
        fire("consecutive-failures", 3),
        set(json!({ "analysis.triggers.disabled_triggers": ["tool-repetition"] })),
        fire("tool-repetition", 4),
        gate("confirm-all"),
    ]
}

/// What a model finds where a trigger called for a look.
pub fn judged() -> Vec<Step> {
    let judge = |observed| {
        let finding = json!({ "kind": "major", "text": "nothing was tried", "quote": "Read", "source": CAUSES[0] });
        let what = json!({ "session": MIND, "firing": "<firing 1>", "found": [finding], "dropped": 1 });
        seen("user", "analysis.mode.judge", what, observed)
    };
    let word = json!({ "model": {
        "entry": CAUSES[4], "purpose": "critic", "model": "qwen", "prompt": "0", "ms": 9, "answer": "{}",
    } });
    vec![judge(json!({})), judge(word.clone()), judge(word)]
}

fn tones() -> Vec<Step> {
    let tone = |tone: &str, reason: &str| json!({ "tone": tone, "reason": reason });
    let because = |to: &str, reason: &str, cause: usize| with(tone(to, reason), json!({ "cause": CAUSES[cause] }));
    let key = "analysis.critic.set_tone";
    vec![
        says(key, tone("direct", "user")),
        by_user(key, tone("harsh", "user")),
        by_user(key, tone("direct", "user")),
        by_user(key, because("neutral", "user", 0)),
        by_user(key, because("neutral", "anxiety", 0)),
        due(key, tone("neutral", "frustrations")),
        due(key, because("neutral", "frustrations", 0)),
        due(key, because("direct", "stable", 0)),
        due(key, because("direct", "stable", 1)),
        set(json!({ "analysis.critic.allow_user_escalation": false })),
        by_user(key, tone("harsh", "user")),
        by_user(key, tone("neutral", "user")),
        set(json!({ "analysis.critic.allow_user_override": false })),
        by_user(key, tone("direct", "user")),
    ]
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    [feelings(), thoughts(), goals(), known(), calls(), found(), firings(), tones()].into_iter().flatten().collect()
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![
        fire("high-cognitive-load", 1),
        says("cognitive.feeling.state", json!({ "mood": "calm" })),
        says("cognitive.fact.add", json!({ "fact": "The gate is open", "confidence": 0.4 })),
        call("Read", json!({ "file_path": "src/b.rs" })),
    ]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        fire("high-cognitive-load", 1),
        says("cognitive.feeling.state", json!({ "mood": "worried", "anxiety": 0.8 })),
        says("cognitive.goal.focus", json!({ "goal": "<aim 1>" })),
        call("Edit", json!({ "file_path": "src/b.rs" })),
    ]
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    vec![
        fire("high-cognitive-load", 1),
        says("cognitive.goal.advance", json!({ "goal": "<aim 1>", "status": "completed" })),
        says("cognitive.goal.advance", json!({ "goal": "<aim 1>", "progress": 0.5 })),
    ]
}
