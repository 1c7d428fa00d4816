//! What a model is asked for the summary of a session, and what it says (AFS 3.3).
//!
//! The session is shown step by step, its middle left out where it is long. How often an entity is mentioned is counted
//! by code, and one that is mentioned nowhere is dropped.

use serde_json::json;

use super::material::{Form, JudgedQuestion, asked, text};
use super::steps::{SessionStep, shown};
use crate::prompt::BadAnswer;
use crate::reply::{self, NAME_CHARS, ReplyObject, TEXT_CHARS};
use annals_rules::domain::session::command::{Entity, Summary};

/// Tokens of a summary.
const SUMMARY_TOKENS: u32 = 700;
/// The longest list of entities.
const MOST_ENTITIES: usize = 12;

/// What a model says of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidSummary {
    /// The summary, with entities that are there.
    pub summary: Summary,
    /// Entities that stand nowhere in the session.
    pub dropped: usize,
}

/// What a model is asked.
pub fn question(steps: &[SessionStep]) -> JudgedQuestion {
    let entity = json!({
        "type": "object",
        "properties": { "name": text(), "type": text() },
        "required": ["name", "type"],
        "additionalProperties": false,
    });
    let entities = json!({ "type": "array", "items": entity, "maxItems": MOST_ENTITIES });
    let members = [("title", text()), ("summary", text()), ("entities", entities)];
    let form = Form { members: &members, max_tokens: SUMMARY_TOKENS };
    asked(&[RULES], &shown(steps), &form)
}

const RULES: &str = "You summarize a recorded session in which a person worked with an agent. title: a few words. summary: what was \
                     asked, what was done, and how it ended, in two to six sentences; say only what the record shows. entities: \
                     what it was about, named exactly as in the record; type is file, function, concept, person, or a word of \
                     yours.";

/// What a model said of these steps.
pub fn read(raw: &str, steps: &[SessionStep]) -> Result<SaidSummary, BadAnswer> {
    let members = reply::object(raw, &["summary"])?;
    let answer = ReplyObject::new(&members);
    let (title, body) = (answer.text("title", NAME_CHARS)?, answer.text("summary", TEXT_CHARS)?);
    let (mut entities, mut dropped) = (Vec::<Entity>::new(), 0);
    for object in answer.objects("entities")?.iter().take(MOST_ENTITIES) {
        let (name, kind) = (object.text("name", NAME_CHARS)?, object.text("type", NAME_CHARS)?);
        let mentions: usize = steps.iter().map(|step| mentions(step, &name)).sum();
        if mentions == 0 {
            dropped += 1;
        } else if !entities.iter().any(|known| *known.name == *name) {
            let mentions = u64::try_from(mentions).unwrap_or(u64::MAX);
            entities.push(Entity { name: name.into(), kind: kind.into(), mentions });
        }
    }
    entities.sort_by_key(|entity| std::cmp::Reverse(entity.mentions));
    Ok(SaidSummary { summary: Summary { title: title.into(), body: body.into(), entities }, dropped })
}

fn mentions(step: &SessionStep, name: &str) -> usize {
    let (text, name) = (step.text.to_lowercase(), name.to_lowercase());
    text.matches(&name).count() + usize::from(step.who.name().to_lowercase() == name)
}

#[cfg(test)]
mod tests {
    use super::super::StepVoice;
    use super::*;

    fn step(who: StepVoice, text: &str) -> SessionStep {
        SessionStep { who, text: text.to_owned() }
    }

    #[test]
    fn entities_are_counted_and_those_that_are_not_there_are_dropped() {
        let call = step(StepVoice::Tool("Bash".to_owned()), "cat src/a.rs -> Fn main");
        let steps = [step(StepVoice::Person, "Mend src/a.rs"), call, step(StepVoice::Agent, "done")];
        let raw = r#"{"title":"Mending","summary":"It was mended.","entities":[
            {"name":"main","type":"function"},{"name":"src/a.rs","type":"file"},{"name":"Redis","type":"concept"},
            {"name":"bash","type":"tool"},{"name":"main","type":"function"}]}"#;
        let SaidSummary { summary, dropped } = read(raw, &steps).expect("read");
        let entities: Vec<_> = summary.entities.iter().map(|one| (&*one.name, &*one.kind, one.mentions)).collect();
        assert_eq!(entities, [("src/a.rs", "file", 2), ("main", "function", 1), ("bash", "tool", 1)]);
        assert_eq!((dropped, &*summary.title, &*summary.body), (1, "Mending", "It was mended."));
        let bad = read(r#"{"summary":"x"}"#, &steps).map_err(|bad| bad.to_string());
        assert_eq!(bad, Err("the answer's title is missing".to_owned()));
    }
}
