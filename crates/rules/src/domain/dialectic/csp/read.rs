//! Text to message. Never panics, whatever the text.

use super::error::{CspError, MOST_CHARS};
use super::fields::Fields;
use super::message::{
    Doubt, FailureDiagnosis, FailureRequest, Message, Objection, ObjectionSeverity, PlanClaim, PlanRequest, Resolution,
    Resolved, Stakes,
};

const PLAN: &[&str] = &["REQ", "ROUNDS", "STAKES"];
const FAILURE: &[&str] = &["REQ", "ATTEMPTS", "ERRORS"];
const CLAIM: &[&str] = &["CLAIM", "SUPPORTS", "CONFIDENCE"];
const OBJECTION: &[&str] = &["OBJECTION", "SEVERITY", "RISKS", "COUNTER"];
const DIAGNOSIS: &[&str] = &["DIAGNOSIS", "FIX", "DIFF_FROM_PREVIOUS"];
const DOUBT: &[&str] = &["PATTERN", "BLIND_SPOT", "SHOULD_ESCALATE"];
const RESOLUTION: &[&str] =
    &["RESOLUTION", "RATIONALE", "MODIFICATIONS", "NEXT_APPROACH", "ESCALATE_TO", "NEXT_ATTEMPT_LIMIT"];

/// The words that begin a message.
const FIRST: [&str; 7] = ["DEBATE", "DEBATE_FAILURE", "CLAIM", "OBJECTION", "DIAGNOSIS", "PATTERN", "RESOLUTION"];

/// Reads one message.
pub fn parse(text: &str) -> Result<Message, CspError> {
    let start = text.len() - text.trim_start().len();
    if let Some((over, _)) = text.char_indices().nth(MOST_CHARS) {
        return Err(CspError::at(text, over, format!("at most {MOST_CHARS} characters")));
    }
    let first: &str = text[start..].split(|sign: char| !sign.is_ascii_uppercase() && sign != '_').next().unwrap_or("");
    let after = start + first.len();
    match first {
        "DEBATE" => plan(Fields::read(text, PLAN, after)?),
        "DEBATE_FAILURE" => failure(Fields::read(text, FAILURE, after)?),
        "CLAIM" => claim(Fields::read(text, CLAIM, start)?),
        "OBJECTION" => objection(Fields::read(text, OBJECTION, start)?),
        "DIAGNOSIS" => diagnosis(Fields::read(text, DIAGNOSIS, start)?),
        "PATTERN" => doubt(Fields::read(text, DOUBT, start)?),
        "RESOLUTION" => resolution(Fields::read(text, RESOLUTION, start)?),
        _ => Err(CspError::at(text, start, format!("one of {}", FIRST.join(", ")))),
    }
}

fn plan(mut fields: Fields<'_>) -> Result<Message, CspError> {
    Ok(Message::Plan(PlanRequest {
        proposal: fields.text("REQ")?,
        rounds: fields.number("ROUNDS", 1, 3)?,
        stakes: fields.word("STAKES", Stakes::ALL, Stakes::as_str)?,
    }))
}

fn failure(mut fields: Fields<'_>) -> Result<Message, CspError> {
    Ok(Message::Failure(FailureRequest {
        task: fields.text("REQ")?,
        attempts: fields.full_list("ATTEMPTS")?,
        errors: fields.full_list("ERRORS")?,
    }))
}

fn claim(mut fields: Fields<'_>) -> Result<Message, CspError> {
    Ok(Message::Claim(PlanClaim {
        claim: fields.text("CLAIM")?,
        supports: fields.list("SUPPORTS")?,
        confidence: fields.share("CONFIDENCE")?,
    }))
}

fn objection(mut fields: Fields<'_>) -> Result<Message, CspError> {
    Ok(Message::Objection(Objection {
        objection: fields.text("OBJECTION")?,
        severity: fields.word("SEVERITY", ObjectionSeverity::ALL, ObjectionSeverity::as_str)?,
        risks: fields.list("RISKS")?,
        counter: fields.optional("COUNTER")?,
    }))
}

fn diagnosis(mut fields: Fields<'_>) -> Result<Message, CspError> {
    Ok(Message::Diagnosis(FailureDiagnosis {
        diagnosis: fields.text("DIAGNOSIS")?,
        fix: fields.text("FIX")?,
        diff: fields.text("DIFF_FROM_PREVIOUS")?,
    }))
}

fn doubt(mut fields: Fields<'_>) -> Result<Message, CspError> {
    let answers = [true, false];
    let name = |answer: bool| if answer { "true" } else { "false" };
    Ok(Message::Doubt(Doubt {
        pattern: fields.optional("PATTERN")?,
        blind_spot: fields.optional("BLIND_SPOT")?,
        should_escalate: fields.word("SHOULD_ESCALATE", &answers, name)?,
    }))
}

/// What follows a resolution must be what may follow this one.
fn resolution(mut fields: Fields<'_>) -> Result<Message, CspError> {
    let resolution = fields.word("RESOLUTION", Resolved::ALL, Resolved::as_str)?;
    let rationale = fields.text("RATIONALE")?;
    let places = ["MODIFICATIONS", "NEXT_APPROACH", "ESCALATE_TO", "NEXT_ATTEMPT_LIMIT"].map(|key| fields.place(key));
    let modifications = fields.list("MODIFICATIONS")?;
    let next_approach = fields.optional("NEXT_APPROACH")?;
    let escalate_to = fields.optional("ESCALATE_TO")?;
    let has_limit = fields.has("NEXT_ATTEMPT_LIMIT");
    let next_attempt_limit = has_limit.then(|| fields.number("NEXT_ATTEMPT_LIMIT", 1, 2)).transpose()?;
    let goes_on = matches!(resolution, Resolved::Retry | Resolved::Pivot);
    let wrong = [
        !modifications.is_empty() && resolution != Resolved::Modify,
        next_approach.is_some() && !goes_on,
        escalate_to.is_some() && resolution != Resolved::Escalate,
        next_attempt_limit.is_some() && !goes_on && resolution != Resolved::Modify,
    ];
    if let Some((_, at)) = wrong.iter().zip(places).find(|(wrong, _)| **wrong) {
        return fields.fail(at, format!("only what may follow {resolution}"));
    }
    Ok(Message::Resolution(Resolution {
        resolution,
        rationale,
        modifications,
        next_approach,
        escalate_to,
        next_attempt_limit,
    }))
}
