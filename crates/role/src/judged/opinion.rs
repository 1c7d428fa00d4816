//! What an agent is asked in a blind pass, and what it says (control-room 7.1).
//!
//! It is shown the proposal as it stood when the pass was opened, and nothing that anybody said of it.

use super::material::{Form, JudgedQuestion, asked, one_of, text};
use super::{AskedMember, Material, word};
use crate::prompt::BadAnswer;
use crate::reply::{self, ReplyObject, TEXT_CHARS};
use annals_kernel::grounding::Stance;

/// Tokens of an opinion.
const OPINION_TOKENS: u32 = 600;
/// Characters of the proposal that are shown.
const SHOWN_CHARS: usize = 8_000;

/// A proposal, as an agent sees it that has heard nobody.
#[derive(Debug, Clone, Copy)]
pub struct Proposal<'a> {
    /// A line.
    pub title: &'a str,
    /// What is proposed.
    pub text: &'a str,
    /// Its tags.
    pub tags: &'a str,
    /// The shortest.
    pub least_chars: usize,
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidOpinion {
    /// For it, against it, or neither.
    pub stance: Stance,
    /// Why.
    pub body: String,
}

/// What an agent is asked.
pub fn question(proposal: &Proposal<'_>, member: &AskedMember<'_>) -> JudgedQuestion {
    let stances = one_of(Stance::ALL.iter().map(|stance| stance.as_str()));
    let members = [("opinion", text()), ("stance", stances)];
    let who = member.introduced("a member of a swarm of agents");
    let least = format!("An opinion has at least {} characters.", proposal.least_chars);
    let rules: Vec<_> = [&*who, RULES, &*least].into_iter().chain(member.brief.iter().copied()).collect();
    let material = Material::default()
        .with("the proposal", proposal.title, SHOWN_CHARS)
        .with("in full", proposal.text, SHOWN_CHARS)
        .with("its tags", proposal.tags, SHOWN_CHARS);
    asked(&rules, &material, &Form { members: &members, max_tokens: OPINION_TOKENS })
}

const RULES: &str = "You are asked before anybody has said anything: do not assume that others agree or disagree. Form your own \
                     judgement from the proposal and what it cites. opinion: what you looked at, your reasons, what follows, \
                     the next step. stance: support, oppose or neutral.";

/// What it says.
pub fn read(raw: &str) -> Result<SaidOpinion, BadAnswer> {
    let members = reply::object(raw, &["opinion"])?;
    let answer = ReplyObject::new(&members);
    let body = answer.text("opinion", TEXT_CHARS)?;
    Ok(SaidOpinion { stance: word(&answer, "stance", "is none of support, oppose and neutral")?, body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::RolePrompt;
    use annals_kernel::actor::Role;

    #[test]
    fn an_agent_sees_the_proposal_and_says_what_it_thinks() {
        let proposal = Proposal { title: "Drop it", text: "The table is dead.", tags: "", least_chars: 40 };
        let member = AskedMember { name: "carl", role: &Role::Critic, brief: vec!["Cite places."] };
        let RolePrompt { system, user, .. } = question(&proposal, &member).prompt;
        assert_eq!(user, "the proposal: \"Drop it\"\nin full: \"The table is dead.\"");
        assert!(system.contains("An opinion has at least 40 characters.\nCite places."), "{system}");
        let said = SaidOpinion { stance: Stance::Oppose, body: "a job reads it".to_owned() };
        assert_eq!(read(r#"{"opinion":"a job reads it","stance":"oppose"}"#), Ok(said));
        let bad = read(r#"{"opinion":"x","stance":"maybe"}"#).map_err(|bad| bad.to_string());
        assert_eq!(bad, Err("the answer's stance is none of support, oppose and neutral".to_owned()));
    }
}
