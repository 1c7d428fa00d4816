//! What a model is asked for the claims of a text, and what it says (control-room 14.2; decision 19).
//!
//! A long text is asked for part by part. Proposals: each quotes the words it stands on, and one whose quote is not in the
//! text is dropped and counted. Compares nothing with canon.

use serde_json::json;

use super::material::{Form, JudgedQuestion, asked, text};
use super::{Material, TextPart, TextParts};
use crate::prompt::BadAnswer;
use crate::reply::{self, NAME_CHARS, ReplyObject, TEXT_CHARS};
use annals_rules::domain::canon::Claim;

/// Tokens of all claims of a text.
const CLAIM_TOKENS: u32 = 1_000;
/// Characters of a part.
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

/// A text in parts, for each of which a model is asked.
pub fn parts(said: &str) -> TextParts<'_> {
    super::parts::parts(said, SHOWN_CHARS)
}

/// What a model is asked for a part.
pub fn question(part: TextPart<'_>) -> JudgedQuestion {
    let claim = json!({
        "type": "object",
        "properties": { "subject": text(), "attribute": text(), "value": text(), "quote": text() },
        "required": ["subject", "attribute", "value", "quote"],
        "additionalProperties": false,
    });
    let members = [("claims", json!({ "type": "array", "items": claim, "maxItems": MOST_CLAIMS }))];
    let TextPart { n, of, text: said } = part;
    let name = if of == 1 { "the text".to_owned() } else { format!("part {n} of {of} of the text") };
    let material = Material::default().with(&name, said, SHOWN_CHARS);
    asked(&[RULES], &material, &Form { members: &members, max_tokens: CLAIM_TOKENS })
}

const RULES: &str = "You list what a text claims to be so, as facts that can be compared with others: of whom or what (subject), which \
                     side of it (attribute), and what it is (value), each in a few words of the text. quote: the words of the text \
                     that say so, copied letter by letter. No wishes, questions or guesses; an empty list where there is nothing.";

/// What a model said of a part.
pub fn read(raw: &str, said: &str) -> Result<ProposedClaims, BadAnswer> {
    let members = reply::object(raw, &["claims"])?;
    let answer = ReplyObject::new(&members);
    let shown = folded(said);
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
        let asked = |said: &str| parts(said).parts.into_iter().map(question).collect::<Vec<_>>();
        assert!(asked(said)[0].prompt.user.starts_with("the text: \"Seryn looked up.\\nHer eyes"));
    }

    #[test]
    fn a_long_text_is_asked_for_part_by_part_and_none_of_it_is_left_out() {
        let line = "Nothing is said here.\n".repeat(700);
        let said = format!("{line}Seryn's eyes are green.\n{line}");
        let TextParts { parts, left_out } = parts(&said);
        let asked: Vec<_> = parts.iter().copied().map(question).collect();
        assert_eq!((left_out, asked.iter().map(|one| one.left_out).sum::<usize>()), (0, 0));
        assert!(asked.len() > 1 && asked[1].prompt.user.starts_with("part 2 of "), "{}", asked.len());
        assert!(asked.iter().any(|one| one.prompt.user.contains("Seryn's eyes are green.")));
    }
}
