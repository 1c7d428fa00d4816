//! What a model is asked for the claims of a text, and what it says (control-room 14.2; decision 19).
//!
//! Proposals: each quotes the words it stands on, and one whose quote is not in the text is dropped and counted. Compares
//! nothing with canon.

use serde_json::json;

use super::Material;
use super::material::{Form, asked, text};
use crate::prompt::{BadAnswer, RolePrompt};
use crate::quote::shortened;
use crate::reply::{self, NAME_CHARS, ReplyObject, TEXT_CHARS};
use annals_rules::domain::canon::Claim;

/// Tokens of all claims of a text.
const CLAIM_TOKENS: u32 = 1_000;
/// Characters of a text that are shown.
const SHOWN_CHARS: usize = 12_000;
/// The longest list of claims.
const MOST_CLAIMS: usize = 20;

/// Claims that a model proposes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposedClaims {
    /// Those whose quote stands in the text; each with its quote.
    pub claims: Vec<Claim>,
    /// So many quote what is not there, or say nothing.
    pub dropped: usize,
}

/// What a model is asked.
pub fn question(said: &str) -> RolePrompt {
    let claim = json!({
        "type": "object",
        "properties": { "subject": text(), "attribute": text(), "value": text(), "quote": text() },
        "required": ["subject", "attribute", "value", "quote"],
        "additionalProperties": false,
    });
    let members = [("claims", json!({ "type": "array", "items": claim, "maxItems": MOST_CLAIMS }))];
    let material = Material::default().with("the text", said, SHOWN_CHARS);
    asked(&[RULES], &material, &Form { members: &members, max_tokens: CLAIM_TOKENS })
}

const RULES: &str = "You list what a text claims to be so, as facts that can be compared with others: of whom or what (subject), which \
                     side of it (attribute), and what it is (value), each in a few words of the text. quote: the words of the text \
                     that say so, copied letter by letter. No wishes, questions or guesses; an empty list where there is nothing.";

/// What a model said of a text.
pub fn read(raw: &str, said: &str) -> Result<ProposedClaims, BadAnswer> {
    let members = reply::object(raw, &["claims"])?;
    let answer = ReplyObject::new(&members);
    let shown = folded(&shortened(said.trim(), SHOWN_CHARS).text);
    let mut proposed = ProposedClaims::default();
    for object in answer.objects("claims")?.iter().take(MOST_CLAIMS) {
        let part = |field| object.text(field, NAME_CHARS);
        let quote = object.text("quote", TEXT_CHARS)?;
        let claim = Claim {
            said: Some(quote.as_str().into()),
            ..Claim::new(&part("subject")?, &part("attribute")?, &part("value")?)
        };
        if !claim.is_whole() || !shown.contains(&folded(&quote)) {
            proposed.dropped += 1;
        } else if !proposed.claims.contains(&claim) {
            proposed.claims.push(claim);
        }
    }
    Ok(proposed)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_whose_quote_is_not_in_the_text_is_dropped_and_counted() {
        let said = "Seryn looked up.\nHer eyes, green as\nthe sea, were tired.";
        let raw = r#"{"claims":[
            {"subject":"Seryn","attribute":"eyes","value":"green","quote":"Her eyes, green as the sea"},
            {"subject":"Seryn","attribute":"eyes","value":"green","quote":"Her eyes, green as the sea"},
            {"subject":"Seryn","attribute":"hair","value":"red","quote":"Her red hair"},
            {"subject":"?","attribute":"!","value":"-","quote":"were tired"}]}"#;
        let ProposedClaims { claims, dropped } = read(raw, said).expect("read");
        let expected =
            Claim { said: Some("Her eyes, green as the sea".into()), ..Claim::new("Seryn", "eyes", "green") };
        assert_eq!((claims, dropped), (vec![expected], 2));
        assert_eq!(read(r#"{"claims":[]}"#, said), Ok(ProposedClaims::default()));
        assert!(question(said).user.starts_with("the text: \"Seryn looked up.\\nHer eyes"));
    }
}
