//! What happens in the golden log of the control room: every command of its rooms, allowed and refused, every guard and
//! policy, so that each constant of them matters to some line of it (`tests/mutation` shows how far it does).
//!
//! Each part is one writer at one time. Says what is asked, not what comes of it. `<Title>` stands for the id of the
//! issue that is called so, `<notice to mod>` for that of its last notice, `<goal 1>` for the goal that was set first.

mod around;
mod canon;
mod citations;
mod credits;
mod dissent;
mod issues;
mod lines;
mod merging;
mod moderation;
mod people;
mod trust;

use serde_json::{Value, json};

use super::story::Step;

pub use self::merging::{afterwards, elsewhere, meanwhile};

/// An id that nothing has.
pub(super) const NOTHING: &str = "01KAGMC4R00000000000000000";

/// The first writer: the whole first day.
pub fn first_day() -> Vec<Step> {
    let parts = [
        people::strangers(),
        people::roster(),
        people::health(),
        people::proof(),
        // The steps below say the same words again and again; `lines::presets` has those of echo.
        vec![set(json!({ "sanity.echo": false }))],
        issues::texts(),
        issues::edits(),
        issues::lives(),
        issues::links_and_marks(),
        issues::freezes(),
        lines::substance(),
        lines::freezing(),
        lines::presets(),
        canon::entries(),
        canon::promotions(),
        canon::conflicts(),
        dissent::assignments(),
        dissent::consensus(),
        dissent::blind(),
        moderation::tags_and_freedom(),
        moderation::issues(),
        moderation::assistance(),
        credits::awards(),
        credits::slices(),
        credits::goals(),
        citations::judged(),
        citations::upgraded(),
        citations::issues_that_pay(),
        trust::topics(),
        trust::topics_at_their_bounds(),
        trust::ladder(),
        trust::high(),
        trust::bronze(),
        trust::milestones(),
        trust::goals_at_their_bounds(),
        around::around(),
    ];
    parts.into_iter().flatten().collect()
}

pub(super) fn ask(actor: &'static str, command: &'static str, fields: Value) -> Step {
    seen(actor, command, fields, json!({}))
}

/// Where something is observed.
pub(super) fn seen(actor: &'static str, command: &'static str, fields: Value, observed: Value) -> Step {
    Step::Ask { actor, command, fields, observed }
}

pub(super) fn user(command: &'static str, fields: Value) -> Step {
    ask("user", command, fields)
}

/// The one, and what the other has beside it.
pub(super) fn with(mut one: Value, other: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut one, other) {
        members.extend(more);
    }
    one
}

/// Stands for the id of what is called so.
fn id(title: &str) -> String {
    format!("<{title}>")
}

fn open(actor: &'static str, title: &str) -> Step {
    open_with(actor, title, json!({}))
}

fn open_with(actor: &'static str, title: &str, more: Value) -> Step {
    ask(actor, "issues.issue.open", with(json!({ "title": title }), more))
}

/// Something that is asked of an issue and needs no more than its name.
fn on(actor: &'static str, command: &'static str, title: &str) -> Step {
    ask(actor, command, json!({ "issue": id(title) }))
}

fn on_with(actor: &'static str, command: &'static str, title: &str, more: Value) -> Step {
    ask(actor, command, with(json!({ "issue": id(title) }), more))
}

/// A comment with reasons enough.
fn say(actor: &'static str, title: &str) -> Step {
    say_with(actor, title, json!({}))
}

fn say_with(actor: &'static str, title: &str, more: Value) -> Step {
    on_with(actor, "issues.comment.add", title, with(json!({ "body": REASONS }), more))
}

/// A comment that only says so much.
fn words(actor: &'static str, title: &str, body: &str) -> Step {
    on_with(actor, "issues.comment.add", title, json!({ "body": body }))
}

fn support(actor: &'static str, title: &str) -> Step {
    say_with(actor, title, json!({ "stance": "support" }))
}

fn resolve(actor: &'static str, title: &str) -> Step {
    resolve_with(actor, title, json!({}))
}

fn resolve_with(actor: &'static str, title: &str, more: Value) -> Step {
    on_with(actor, "issues.issue.resolve", title, with(json!({ "note": "We do it in two steps." }), more))
}

/// Whatever came before: the user decides.
fn forced(title: &str) -> Step {
    resolve_with("user", title, json!({ "force": "it is late" }))
}

fn mark(actor: &'static str, title: &str, usefulness: &str) -> Step {
    let fields = json!({ "issue": id(title), "usefulness": usefulness, "file": "src/a.rs" });
    seen(actor, "issues.issue.mark", fields, json!({ "shown": "found" }))
}

pub(super) fn set(values: Value) -> Step {
    let mut fields = json!({});
    fields["values"] = values;
    user("config.value.change", fields)
}

pub(super) fn add(agent: &str, role: &str, more: Value) -> Step {
    user("roster.agent.add", with(json!({ "agent": agent, "role": role }), more))
}

fn change(agent: &str, more: Value) -> Step {
    user("roster.agent.change", with(json!({ "agent": agent }), more))
}

/// A comment that satisfies the rules of substance of every preset.
const REASONS: &str = "The parser keeps one token of lookahead, which is why the third case of the grammar needs a \
     second pass over every nested list. Splitting that case into two productions removes the pass, costs one more \
     entry in the table, and leaves error messages as they are; the tests of the lexer already cover both shapes. \
     Next step: try it on the two largest files.";
