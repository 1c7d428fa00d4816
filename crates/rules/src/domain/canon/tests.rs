//! Given / when / then for canon.

use super::anchor::Number;
use super::command::{ConflictAnswer, Detect, Promote, Resolve, Retire, Statement};
use super::event::Staleness;
use super::*;
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment};
use annals_kernel::id::{AgentId, EntryId, IssueId, SessionId};
use annals_kernel::json::sha256_hex;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// A room, and whoever asks next.
#[derive(Default)]
struct Story {
    state: State,
    settings: Settings,
    steps: u32,
}

type Told = Result<Vec<Event>, &'static str>;

impl Story {
    fn ask(&mut self, actor: &str, command: impl Into<Command>) -> Told {
        let command = command.into();
        let observed = match &command {
            Command::Promote(promote) => Observed {
                claims: claims::extract(&promote.text),
                text: Some(sha256_hex(promote.text.as_bytes()).into()),
            },
            Command::State(state) => Observed { claims: claims::extract(&state.text), text: None },
            Command::Retire(_) | Command::Detect(_) | Command::Resolve(_) => Observed::default(),
        };
        self.ask_observed(actor, &command, &observed)
    }

    fn ask_observed(&mut self, actor: &str, command: &Command, observed: &Observed) -> Told {
        self.steps += 1;
        let at = Timestamp::from_millis(i64::from(self.steps) * 1000);
        let standing = match actor {
            "user" => Standing::User,
            "lead" => Standing::Agent(Role::TeamLead),
            _ => Standing::Agent(Role::Writer),
        };
        let (actor, session) = (AgentId::from(actor), SessionId::from("s"));
        let id = EntryId::new(at, 0);
        let moment = Moment { id, at, actor: actor.clone(), standing, session, settings: &self.settings };
        let outcome = decide(&self.state, command, observed, &moment);
        for event in &outcome.events {
            self.state.evolve(event, &Cause { asked: Some((command, observed)), id, at, actor: &actor });
        }
        outcome.refusal.map_or(Ok(outcome.events), |refusal| Err(refusal.rule()))
    }

    fn allow(&mut self, key: &str, value: bool) {
        self.settings.set(key, Some(value.into()));
    }
}

fn state(key: &str, text: &str) -> Statement {
    Statement { key: key.into(), text: text.into(), ..Statement::default() }
}

fn promote(issue: &str, title: &str, text: &str) -> Promote {
    Promote { issue: IssueId::from(issue), title: title.into(), text: text.into(), ..Promote::default() }
}

fn number(number: u32, twin: u32) -> Number {
    Number { number, twin }
}

fn resolve(answer: ConflictAnswer, text: &str, detected_by: Option<&str>) -> Resolve {
    let (claims, detected_by) = (claims::extract(text), detected_by.map(AgentId::from));
    Resolve { answer, text: text.into(), claims, detected_by, issue: None }
}

fn detect(text: &str) -> Detect {
    Detect { text: text.into(), claims: claims::extract(text) }
}

fn merits(told: &Told) -> Vec<&str> {
    let events = told.as_ref().expect("it happened").iter();
    let prevented = events.filter_map(|event| {
        let Event::Prevented(prevented) = event else { return None };
        Some(prevented.agent.as_str())
    });
    prevented.collect()
}

fn current(story: &Story, key: &str) -> Vec<String> {
    let entry = story.state.entry(key).expect("an entry");
    entry.current().map(|version| version.number.to_string()).collect()
}

/// Control-room 6.2.
#[test]
fn the_user_and_the_team_lead_always_promote() {
    let mut story = Story::default();
    assert_eq!(story.ask("user", promote("i1", "Eyes", "Seryn has amber eyes.")).map(|events| events.len()), Ok(2));
    let told = story.ask("lead", promote("i2", "Eyes again", "Seryn has green eyes.")).expect("promoted");
    let Some(Event::Promoted(promoted)) = told.last() else { panic!("{told:?}") };
    let named: Vec<_> = promoted.conflicts.iter().map(|conflict| (&*conflict.key, &*conflict.value)).collect();
    assert_eq!(named, [("eyes", "amber")], "what is contradicted is named");
    assert_eq!(story.state.totals.disputed, 1);
}

/// Control-room 6.2.
#[test]
fn an_agent_promotes_only_where_that_is_allowed_and_nothing_contradicts_it() {
    let mut story = Story::default();
    let red = || promote("i1", "Gate", "The gate is red.");
    assert_eq!(story.ask("writer", red()), Err("canon.not_a_lead"));
    story.allow("canon.allow_agent_only_promotion", true);
    assert!(story.ask("writer", red()).is_ok());
    let blue = || promote("i2", "Gate two", "The gate is blue.");
    assert_eq!(story.ask("writer", blue()), Err("canon.contradicted"));
    let same_key = Promote { key: Some("gate".into()), ..blue() };
    assert_eq!(story.ask("writer", same_key), Err("canon.contradicted"), "nor by a new version of the same entry");
    story.allow("canon.require_conflict_check", false);
    assert!(story.ask("writer", blue()).is_ok());
}

#[test]
fn an_agent_promotes_what_the_issue_says_and_nothing_else() {
    let mut story = Story::default();
    story.allow("canon.allow_agent_only_promotion", true);
    let command = promote("i1", "Gate", "The gate is red.");
    let other = Observed { claims: Vec::new(), text: Some(sha256_hex(b"The gate is blue.").into()) };
    for (actor, expected) in [("writer", Err("canon.not_its_text")), ("user", Ok(2))] {
        let told = story.ask_observed(actor, &command.clone().into(), &other);
        assert_eq!(told.map(|events| events.len()), expected);
    }
    let more = Promote { claims: vec![Claim::new("a", "b", "c")], ..promote("i2", "Door", "The door is red.") };
    assert_eq!(story.ask("writer", more), Err("canon.not_its_text"));
}

/// Decision 19.
#[test]
fn a_superseded_version_stays_readable_and_contradicts_nothing() {
    let mut story = Story::default();
    story.ask("user", state("seryn", "Seryn has amber eyes.")).expect("stated");
    story.ask("user", state("seryn", "Seryn has green eyes.")).expect("stated");
    let entry = story.state.entry("seryn").expect("an entry");
    let texts: Vec<_> = entry.versions.iter().map(|version| (&*version.text, version.ended.is_none())).collect();
    assert_eq!(texts, [("Seryn has amber eyes.", false), ("Seryn has green eyes.", true)]);
    assert_eq!(story.state.contradicted(&claims::extract("Seryn has green eyes.")), []);
    assert_eq!(story.state.contradicted(&claims::extract("Seryn has amber eyes.")).len(), 1);
    let stale = |text| story.state.staleness(&Anchor::read(text).expect("an anchor"));
    assert_eq!(stale("seryn@1"), Some((Staleness::Superseded, vec![number(2, 0)])));
    assert_eq!((stale("seryn@2"), stale("seryn"), stale("mara")), (None, None, None));
}

#[test]
fn what_is_retired_holds_no_more_until_it_is_stated_again() {
    let mut story = Story::default();
    let retire = || Retire { key: "seryn".into(), reason: None };
    assert_eq!(story.ask("user", retire()), Err("canon.unknown_entry"));
    story.ask("user", state("seryn", "Seryn has amber eyes.")).expect("stated");
    assert_eq!(story.ask("writer", retire()), Err("canon.not_a_lead"));
    assert!(story.ask("lead", retire()).is_ok());
    assert_eq!(story.ask("user", retire()), Err("canon.retired_already"));
    assert_eq!(story.state.contradicted(&claims::extract("Seryn has green eyes.")), []);
    assert_eq!(story.state.staleness(&Anchor::read("seryn").expect("one")), Some((Staleness::Retired, vec![])));
    story.ask("user", state("seryn", "Seryn has amber eyes.")).expect("it may hold again");
    assert_eq!(current(&story, "seryn"), ["2"]);
}

/// Decision 39: two branches that both made a second version.
#[test]
fn versions_of_two_branches_both_hold_until_one_is_stated_over_them() {
    let mut ours = Story::default();
    ours.ask("user", state("seryn", "Seryn has amber eyes.")).expect("stated");
    let before = ours.state.clone();
    let told = ours.ask("user", state("seryn", "Seryn has green eyes.")).expect("stated");
    let theirs: Command = state("seryn", "Seryn has grey eyes.").into();
    let mut other = Story { state: before, steps: 10, ..Story::default() };
    let late = other.ask("user", theirs.clone()).expect("stated");
    assert_eq!(told.len(), 1);
    // The merge: their line comes after ours.
    let (at, actor) = (Timestamp::from_millis(11_000), AgentId::from("user"));
    let asked = Some((&theirs, &Observed::default()));
    for event in &late {
        ours.state.evolve(event, &Cause { asked, id: EntryId::new(at, 0), at, actor: &actor });
    }
    assert_eq!(current(&ours, "seryn"), ["2", "2b"]);
    assert_eq!((ours.state.totals.disputed, ours.state.conflicts().len()), (1, 1));
    ours.ask("user", state("seryn", "Seryn has grey eyes.")).expect("stated");
    assert_eq!(current(&ours, "seryn"), ["3"]);
    assert_eq!((ours.state.totals.disputed, ours.state.conflicts().len()), (0, 0));
}

#[test]
fn what_is_stated_is_a_text_with_claims_of_bounded_size() {
    let mut story = Story::default();
    let with = |claims: Vec<Claim>| Statement { claims, ..state("k", "x") };
    let many: Vec<_> = (0..201).map(|at| Claim::new("a", &format!("b{at}q"), "c")).collect();
    let long = Claim::new("a", "b", &"c".repeat(201));
    for (command, rule) in [
        (state("../k", "x"), "canon.bad_key"),
        (state("k", " \n"), "canon.no_text"),
        (state("k", &"x".repeat(20_001)), "canon.too_long"),
        (with(many), "canon.too_many_claims"),
        (with(vec![long]), "canon.bad_claim"),
        (with(vec![Claim::new("a", "?", "c")]), "canon.bad_claim"),
    ] {
        assert_eq!(story.ask("user", command), Err(rule));
    }
    assert!(story.ask("user", state("k", "x")).is_ok());
    assert_eq!(story.ask("user", state("k", "x")), Err("canon.nothing_to_change"));
}

#[test]
fn a_key_that_another_issue_has_is_taken_unless_it_is_named() {
    let mut story = Story::default();
    story.ask("user", promote("i1", "Gate", "The gate is red.")).expect("promoted");
    assert_eq!(story.ask("user", promote("i2", "Gate", "The gate is tall.")), Err("canon.taken"));
    assert_eq!(story.ask("user", promote("i2", "…", "The gate is tall.")), Err("canon.bad_key"));
    let named = Promote { key: Some("gate".into()), ..promote("i2", "Gate", "The gate is tall.") };
    assert!(story.ask("user", named).is_ok());
    assert_eq!(current(&story, "gate"), ["2"]);
}

/// Control-room 14.3.
#[test]
fn an_override_makes_a_new_version_that_keeps_what_else_was_said() {
    let mut story = Story::default();
    story.ask("user", state("seryn", "Seryn has amber eyes and red hair.")).expect("stated");
    let green = "Seryn's green eyes narrowed.";
    assert_eq!(story.ask("writer", resolve(ConflictAnswer::Override, green, None)), Err("canon.not_a_lead"));
    assert_eq!(story.ask("user", resolve(ConflictAnswer::Discuss, green, None)), Err("canon.no_issue"));
    assert_eq!(story.ask("user", resolve(ConflictAnswer::Keep, "It rained.", None)), Err("canon.no_conflict"));
    story.ask("user", resolve(ConflictAnswer::Override, green, None)).expect("overridden");
    let entry = story.state.entry("seryn").expect("an entry");
    let version = entry.latest().expect("a version");
    let claims: Vec<_> = version.claims.iter().map(|claim| (&*claim.attribute, &*claim.value)).collect();
    assert_eq!((version.number, &*version.text), (number(2, 0), green));
    assert_eq!(claims, [("hair", "red"), ("eyes", "green")]);
    assert_eq!(story.ask("user", resolve(ConflictAnswer::Override, green, None)), Err("canon.no_conflict"));
}

/// Control-room 14.4.
#[test]
fn who_caught_a_conflict_has_the_merit_once_and_only_when_somebody_who_leads_answers() {
    let mut story = Story::default();
    story.ask("user", state("seryn", "Seryn has amber eyes.")).expect("stated");
    let green = "Seryn's green eyes narrowed.";
    assert_eq!(merits(&story.ask("user", resolve(ConflictAnswer::Keep, green, None))), [""; 0], "nobody noticed");
    assert_eq!(merits(&story.ask("keeper", detect(green))), [""; 0], "noticing alone earns nothing");
    assert_eq!(
        merits(&story.ask("keeper", resolve(ConflictAnswer::Keep, green, None))),
        [""; 0],
        "nor does one's own answer"
    );
    story.ask("critic", detect(green)).expect("noticed, too late");
    assert_eq!(
        merits(&story.ask("user", resolve(ConflictAnswer::Keep, "Seryn has green eyes.", None))),
        [""; 0],
        "another text"
    );
    assert_eq!(merits(&story.ask("user", resolve(ConflictAnswer::Keep, green, None))), ["keeper"]);
    assert_eq!(merits(&story.ask("user", resolve(ConflictAnswer::Keep, green, Some("critic")))), [""; 0], "once");
    assert_eq!(story.state.totals.prevented, 1);
}

#[test]
fn nobody_names_himself_as_who_caught_it() {
    let mut story = Story::default();
    story.ask("user", state("seryn", "Seryn has amber eyes.")).expect("stated");
    let green = "Seryn's green eyes narrowed.";
    assert_eq!(story.ask("keeper", resolve(ConflictAnswer::Keep, green, Some("keeper"))), Err("canon.not_a_lead"));
    assert_eq!(merits(&story.ask("lead", resolve(ConflictAnswer::Keep, green, Some("lead")))), [""; 0]);
    assert_eq!(merits(&story.ask("lead", resolve(ConflictAnswer::Keep, green, Some("keeper")))), ["keeper"]);
}
