//! Given / when / then for blind passes.

use serde_json::{Value, json};

use super::swarm::{Swarm, comment};
use crate::domain::blind::command::Opinion;
use crate::domain::blind::state::OpinionFate;
use crate::domain::issue::row::RemarkKind;
use crate::policy::forewarned;
use annals_kernel::grounding::{Impact, Stance};
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::model_word::ModelWord;

/// A sealed opinion, as it is observed at submission, and as it is observed when it is revealed.
fn sealed(issue: &IssueId, agent: &str) -> (Value, Value) {
    let reasons = comment(issue, Stance::Oppose, None, 0, &[]).body;
    sealed_as(issue, agent, &format!("{agent} says no. {reasons}"))
}

fn sealed_as(issue: &IssueId, agent: &str, body: &str) -> (Value, Value) {
    let opinion = Opinion { salt: "s".into(), stance: Stance::Oppose, body: body.into(), model: None };
    let seal = opinion.seal(issue, &AgentId::from(agent));
    (json!({ "seal": seal }), json!({ "opinion": opinion }))
}

impl Swarm {
    fn opens_a_pass(&mut self) -> IssueId {
        let issue = self.opens("The reactor", &[]);
        let fields = json!({ "issue": issue, "participants": ["carl", "dora", "erik"] });
        assert_eq!(self.tells("mo", "blind.pass.open", &fields).0, ["blind.pass.opened"]);
        issue
    }

    fn submits(&mut self, agent: &str, issue: &IssueId) -> (Vec<&'static str>, String) {
        let decided = self.asks(agent, "blind.opinion.submit", &json!({ "issue": issue }), &sealed(issue, agent).0);
        let rule = decided.refusal.map(|refusal| refusal.rule.into()).unwrap_or_default();
        (Swarm::names(&decided.events), rule)
    }

    fn reveals(&mut self, agent: &str, issue: &IssueId, observed: &Value) -> (Vec<&'static str>, String) {
        let fields = json!({ "issue": issue, "agent": agent });
        let decided = self.asks("mo", "blind.opinion.reveal", &fields, observed);
        let rule = decided.refusal.map(|refusal| refusal.rule.into()).unwrap_or_default();
        (Swarm::names(&decided.events), rule)
    }

    fn fates(&self, issue: &IssueId) -> Vec<(String, OpinionFate)> {
        let pass = self.world.rooms.blind.pass(issue).expect("a pass");
        pass.opinions.iter().map(|(agent, sealed)| (agent.to_string(), sealed.fate)).collect()
    }
}

/// Control-room 7.1.
/// Policy `blind::thread`.
#[test]
fn the_last_opinion_closes_the_pass_and_those_that_are_revealed_stand_in_the_thread() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    assert_eq!(swarm.world.rooms.blind.asked_of(&"carl".into()).collect::<Vec<_>>(), [&issue]);
    assert_eq!(swarm.submits("carl", &issue).0, ["blind.opinion.submitted"]);
    assert_eq!(swarm.world.rooms.blind.asked_of(&"carl".into()).count(), 0);
    assert_eq!(swarm.submits("dora", &issue).0, ["blind.opinion.submitted"]);
    assert_eq!(swarm.submits("erik", &issue).0, ["blind.opinion.submitted", "blind.pass.closed"]);
    let revealed = swarm.reveals("dora", &issue, &sealed(&issue, "dora").1);
    assert_eq!(revealed.0, ["blind.opinion.revealed", "issues.opinion.revealed"]);
    let row = swarm.world.rooms.issue.issue(&issue).expect("an issue");
    let said: Vec<_> =
        row.thread.iter().map(|remark| (row.author_of(remark).as_str(), remark.kind, remark.stance)).collect();
    assert_eq!(said, [("dora", RemarkKind::Opinion, Stance::Oppose)]);
}

/// Decision 40.
#[test]
fn a_text_counts_only_where_it_is_what_was_sealed() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    for agent in ["carl", "dora", "erik"] {
        assert_eq!(swarm.reveals(agent, &issue, &sealed(&issue, agent).1).1, "blind.sealed");
        swarm.submits(agent, &issue);
    }
    let lost = (vec!["blind.opinion.lost"], String::new());
    assert_eq!(swarm.reveals("carl", &issue, &json!({})), lost);
    assert_eq!(swarm.reveals("dora", &issue, &sealed(&issue, "carl").1), lost, "the text of another is no text");
    swarm.reveals("erik", &issue, &sealed(&issue, "erik").1);
    let (missing, changed, there) = (OpinionFate::Missing, OpinionFate::Changed, OpinionFate::Revealed);
    let all = [("carl", missing), ("dora", changed), ("erik", there)].map(|(name, fate)| (name.to_owned(), fate));
    assert_eq!(swarm.fates(&issue), all);
    assert_eq!(swarm.reveals("carl", &issue, &json!({})).1, "blind.nothing_new");
    assert_eq!(swarm.reveals("erik", &issue, &json!({})).1, "blind.nothing_new");
    let later = swarm.reveals("carl", &issue, &sealed(&issue, "carl").1);
    assert_eq!(later.0, ["blind.opinion.revealed", "issues.opinion.revealed"], "another clone may find it");
}

/// Control-room 3.2: what a comment may not say, no opinion may, though nobody sees it before it is revealed.
#[test]
fn an_opinion_that_the_rules_of_words_stop_is_none() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let reasons = comment(&issue, Stance::Oppose, None, 0, &[]).body;
    let alarm = format!("URGENT, CRITICAL, a DISASTER. {reasons}");
    let given = [("carl", "Yes."), ("dora", &*alarm), ("erik", &*"We agree on it. ".repeat(20))];
    for (agent, body) in given {
        let fields = json!({ "issue": issue });
        assert_eq!(swarm.asks(agent, "blind.opinion.submit", &fields, &sealed_as(&issue, agent, body).0).refusal, None);
    }
    for (agent, body) in given {
        let told = swarm.reveals(agent, &issue, &sealed_as(&issue, agent, body).1);
        let expected = ["blind.opinion.lost", "breakers.text.rejected", "credits.credit.awarded"];
        assert_eq!(told.0, expected, "{agent}");
        assert_eq!(swarm.reveals(agent, &issue, &sealed_as(&issue, agent, body).1).1, "blind.nothing_new", "{agent}");
    }
    assert!(swarm.fates(&issue).iter().all(|(_, fate)| *fate == OpinionFate::Rejected));
    let row = swarm.world.rooms.issue.issue(&issue).expect("an issue");
    assert_eq!((row.thread.len(), row.voters().1.len()), (0, 0), "it is in no thread and no vote");
}

/// Who is asked hears it before the seal, since there is no second opinion; nobody else does.
#[test]
fn an_opinion_that_would_be_worth_nothing_is_said_so_before_it_is_sealed() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let warned = |swarm: &Swarm, agent: &str, body: &str| {
        let (agent, rooms) = (AgentId::from(agent), &swarm.world.rooms);
        let limits = rooms.breaker.limits(&agent, swarm.at, &swarm.settings);
        let warned = forewarned(rooms, &issue, &agent, body, &limits);
        warned.map(|refusal| refusal.rule.to_string())
    };
    let body = comment(&issue, Stance::Oppose, None, 0, &[]).body;
    assert_eq!(warned(&swarm, "carl", "Yes."), Some("breakers.insufficient-substance".to_owned()));
    assert_eq!((warned(&swarm, "anna", "Yes."), warned(&swarm, "carl", &body)), (None, None));
    swarm.submits("carl", &issue);
    assert_eq!(warned(&swarm, "carl", "Yes."), None);
}

/// Guard `blind::waiting`.
#[test]
fn while_a_pass_goes_on_no_agent_speaks_but_the_user_may() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let said = comment(&issue, Stance::Neutral, None, 0, &[]);
    assert_eq!(swarm.fails("anna", said.clone()), "blind.pass_open");
    let resolve = json!({ "issue": issue, "note": "done", "force": "enough" });
    assert_eq!(swarm.tells("mo", "issues.issue.resolve", &resolve).1, "blind.pass_open");
    swarm.does("user", said.clone());
    assert_eq!(swarm.tells("mo", "blind.pass.close", &json!({ "issue": issue })).0, ["blind.pass.closed"]);
    swarm.does("anna", said);
}

#[test]
fn only_those_who_are_asked_answer_once_and_only_some_close_before() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    assert_eq!(swarm.submits("anna", &issue).1, "blind.not_asked");
    swarm.submits("carl", &issue);
    assert_eq!(swarm.submits("carl", &issue).1, "blind.given");
    let fields = json!({ "issue": issue });
    assert_eq!(swarm.tells("dora", "blind.opinion.submit", &fields).1, "blind.bad_seal");
    assert_eq!(swarm.tells("dora", "blind.pass.close", &fields).1, "blind.awaited");
    swarm.tells("mo", "blind.pass.close", &fields);
    assert_eq!(swarm.tells("mo", "blind.pass.close", &fields).1, "blind.not_open");
    assert_eq!(swarm.submits("dora", &issue).1, "blind.not_open");
}

/// Guard `blind::opening`.
#[test]
fn a_pass_is_about_something_open_and_asks_agents_that_are_there() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let mut opens = |actor: &str, issue: &IssueId, participants: &[&str]| {
        swarm.tells(actor, "blind.pass.open", &json!({ "issue": issue, "participants": participants })).1
    };
    assert_eq!(opens("mo", &issue, &["carl"]), "blind.open");
    assert_eq!(opens("mo", &"x".into(), &["carl"]), "blind.unknown_issue");
    let (meta, other) = (swarm.raises(), swarm.opens("Other", &[]));
    let mut opens = |actor: &str, issue: &IssueId, participants: &[&str]| {
        swarm.tells(actor, "blind.pass.open", &json!({ "issue": issue, "participants": participants })).1
    };
    assert_eq!(opens("mo", &meta, &["carl"]), "blind.nothing_to_ask");
    assert_eq!(opens("mo", &other, &["nobody"]), "blind.not_a_member");
    assert_eq!(opens("mo", &other, &[]), "blind.nobody");
    assert_eq!(opens("carl", &other, &["bert"]), "blind.not_privileged");
    assert_eq!(opens("anna", &other, &["carl", "dora", "erik"]), "blind.not_an_opener");
    assert_eq!(
        opens("carl", &other, &["carl", "dora", "erik"]),
        "",
        "an agent that is asked may ask those of the roles"
    );
}

/// Control-room 7.1, 10.2.
#[test]
fn where_it_is_wanted_what_would_change_much_waits_for_a_pass() {
    let mut swarm = Swarm::new();
    swarm.set("sanity.blind_first_pass_enabled", true.into());
    let issue = swarm.opens("The reactor", &[]);
    let structural = comment(&issue, Stance::Neutral, Some(Impact::Structural), 1, &[]);
    assert_eq!(swarm.fails("anna", structural.clone()), "blind.pass_needed");
    swarm.does("anna", comment(&issue, Stance::Neutral, Some(Impact::Minor), 1, &[]));
    swarm.does("user", structural.clone());
    let fields = json!({ "issue": issue, "participants": ["carl"] });
    swarm.tells("anna", "blind.pass.open", &fields);
    swarm.tells("mo", "blind.pass.open", &fields);
    swarm.submits("carl", &issue);
    swarm.does("anna", structural);
}

/// Policy `blind::end`.
#[test]
fn an_issue_that_ends_ends_its_pass() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let ended = swarm.tells("user", "issues.issue.close", &json!({ "issue": issue }));
    assert_eq!(ended.0, ["issues.issue.closed", "blind.pass.closed"]);
}

/// Decision 40: what a model said for an agent is sealed as its own opinion would be, and only the user brings it in.
#[test]
fn an_opinion_by_a_model_is_sealed_for_the_agent_that_is_asked() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens_a_pass();
    let (mut submitted, revealed) = sealed(&issue, "carl");
    let fields = json!({ "issue": issue, "agent": "carl" });
    let refused = swarm.asks("user", "blind.opinion.submit", &fields, &submitted).refusal.expect("no word of a model");
    assert_eq!(&*refused.rule, "blind.not_asked");
    let word =
        json!({ "entry": "01K00000000000000000000000", "purpose": "council", "model": "qwen", "prompt": "0", "ms": 1 });
    submitted["model"] = word;
    let refused = swarm.asks("dora", "blind.opinion.submit", &fields, &submitted);
    assert_eq!(
        Swarm::names(&refused.events),
        ["blind.opinion.submitted"],
        "an agent speaks for itself, whoever is named"
    );
    let pass = swarm.world.rooms.blind.pass(&issue).expect("a pass");
    assert!(pass.opinions.contains_key(&AgentId::from("dora")) && !pass.opinions.contains_key(&AgentId::from("carl")));
    assert_eq!(swarm.asks("user", "blind.opinion.submit", &fields, &submitted).refusal, None);
    let pass = swarm.world.rooms.blind.pass(&issue).expect("a pass");
    assert_eq!(pass.opinions[&AgentId::from("carl")].model.as_deref(), Some("qwen"));
    swarm.tells("mo", "blind.pass.close", &json!({ "issue": issue }));
    assert_eq!(swarm.reveals("carl", &issue, &revealed).0[0], "blind.opinion.revealed");
}

#[test]
fn a_seal_covers_the_word_of_a_model() {
    let (issue, agent) = (IssueId::from("i"), AgentId::from("carl"));
    let opinion = Opinion { salt: "s".into(), stance: Stance::Oppose, body: "no".into(), model: None };
    let word = |answer: &str| {
        let (purpose, model, prompt, answer) = ("council".into(), "qwen".into(), "0".into(), answer.into());
        ModelWord {
            entry: EntryId::MIN,
            purpose,
            model,
            prompt,
            tokens_in: 0,
            tokens_out: 0,
            left_out: 0,
            ms: 1,
            answer,
        }
    };
    let seal = |model| Opinion { model, ..opinion.clone() }.seal(&issue, &agent);
    let seals = [seal(None), seal(Some(word("a"))), seal(Some(word("b")))];
    assert!(seals[0] != seals[1] && seals[1] != seals[2] && seals[0] != seals[2], "{seals:?}");
}
