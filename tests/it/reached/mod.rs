//! Every "no", guard and policy is reached from the command line: by a transcript of `tests/cmd`, which shows it to
//! whoever reads, and fails where it goes away.

mod script;
mod source;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use annals::domain::breaker::BreakerRule;
use annals::domain::{advocate, blind, canon, credit, moderation, reliability, team};
use annals::kernel::grounding::DissentReason;
use serde_json::Value;

use self::script::Told;

static TOLD: LazyLock<Vec<Told>> = LazyLock::new(script::all);

/// Rules that no command line reaches, and why.
const OUT_OF_REACH: &[(&str, &str)] = &[
    ("knowledge.not_opposed", "`annals knowledge settle` names what is opposed; the golden log shows it"),
    ("knowledge.nothing_new", "what an import learns is only asked for where there is something new"),
    ("knowledge.too_much", "learning asks for no more at once than the rule allows"),
    ("knowledge.unsettled", "`annals knowledge settle` asks where no rule settles it; the golden log shows it"),
    ("memory.nothing_new", "what an import learns is only asked for where there is something new"),
    ("memory.too_much", "learning asks for no more at once than the rule allows"),
    ("access.forbidden", "hooks are asked on their stdin; `annals access` says the same without the word \"refused\""),
    ("blind.bad_seal", "`annals blind submit` makes the seal"),
    ("canon.no_issue", "`annals canon check --discuss` opens the issue"),
    ("cognition.happened", "the engine asks for nothing that it has said already"),
    ("cognition.no_model_word", "`annals triggers judge` asks for nothing where no model answered"),
    ("cognition.only_system", "no command line says what the engine finds due"),
    ("council.one_side", "no command line speaks for two sides at once"),
    ("dialectic.announced", "the engine announces what is new, and nothing else"),
    ("dialectic.not_due", "the engine calls a person where the count says so, and nobody was called"),
    ("hivemind.bad_store", "`annals hivemind sync` looks at names first, and says so as a usage error"),
    ("hivemind.too_many", "`annals hivemind sync` makes as many decisions as it takes"),
    ("issues.old_commit", "a transcript has no repository"),
    ("issues.known_source", "`annals issue import` passes over what it knows"),
    ("notices.unknown_notice", "`annals notice ack` finds the notice first, and says so as a usage error"),
    ("resident.lease_held", "a transcript has one process; the golden log shows it"),
    ("resident.no_lease", "`annals resident` takes the lease first; the golden log shows it"),
    ("resident.not_waiting", "a tick takes what waits; the golden log shows it"),
    ("resident.unknown_message", "`annals message` finds the message first, and says so as a usage error"),
    ("roster.bad_seal", "`annals agent token` makes the seal"),
    ("signature.behind", "`annals seal` signs the last line there is, and a transcript has no place for a key"),
    ("signature.invalid", "`annals seal` makes a signature that holds, and a transcript has no place for a key"),
    ("signature.missing", "`annals seal` makes the signature first, and a transcript has no place for a key"),
    ("signature.other_head", "`annals seal` signs under the lock, and a transcript has no place for a key"),
    ("session.no_summary", "`annals session summary` asks for nothing where a model said nothing"),
    ("session.unknown_parent", "`annals session start` finds the parent first, and says so as a usage error"),
    ("session.unknown_session", "`annals session` finds the session first, and says so as a usage error"),
    ("tasks.bad_message", "the loop says what the bus has; the golden log shows it"),
    ("tasks.bad_request", "`annals run` needs words; the golden log shows it"),
    ("tasks.goes_on", "a transcript has no workspace; the golden log shows it"),
    ("tasks.has_ended", "`annals run --resume` looks first, and says so as a usage error"),
    ("tasks.is_settled", "a transcript has no workspace; the golden log shows it"),
    ("tasks.not_on_the_bus", "the loop says what the bus has; the golden log shows it"),
    ("tasks.not_system", "no command line speaks for the loop"),
    ("tasks.not_user", "a transcript has no workspace; the golden log shows it"),
    ("tasks.out_of_turn", "the loop counts its messages; the golden log shows it"),
    ("tasks.unknown", "`annals task` finds the task first, and says so as a usage error"),
    ("voice.not_system", "no command line tells an agent something; hooks do"),
    ("voice.nothing", "a hook that has nothing to tell asks for nothing"),
    ("voice.silent", "a hook asks first whether a session is muted"),
];
/// Events that no command line makes happen, and why.
const UNHEARD: &[(&str, &str)] = &[
    ("dialectic.command.approved", "a command is held by a hook, which is asked on its stdin"),
    ("dialectic.command.held", "hooks are asked on their stdin"),
    ("dialectic.command.passed", "hooks are asked on their stdin"),
    ("council.debate.argued", "rules of before took both sides of a debate in one act"),
    ("access.path.denied", "hooks are asked on their stdin"),
    ("history.head.signed", "a transcript has no place for a key"),
    ("history.summary.written", "a transcript has no model; `judged` shows it"),
    ("tasks.message.sent", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.begun", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.ended", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.paused", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.replanned", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.resumed", "a transcript has no workspace; `acting` shows it"),
    ("tasks.task.settled", "a transcript has no workspace; `acting` shows it"),
    ("voice.context.given", "hooks are asked on their stdin; `voice` shows it"),
];
/// Transcripts whose decisions do not all come out the same, and why.
const DIFFERENT: [(&str, &str); 1] = [("replay", "its history was changed by hand, to show what a replay says then")];

/// Every rule that said no, with its message.
fn refusals() -> BTreeSet<&'static (String, String)> {
    TOLD.iter().flat_map(|told| &told.refusals).collect()
}

fn rules() -> BTreeSet<&'static str> {
    refusals().into_iter().map(|(rule, _)| rule.as_str()).collect()
}

fn without(names: BTreeSet<String>, reached: &BTreeSet<&str>, excused: &[(&str, &str)]) -> Vec<String> {
    let is_excused = |name: &str| excused.iter().any(|(one, _)| *one == name);
    if let Some((name, why)) = excused.iter().find(|(name, _)| reached.contains(name)) {
        panic!("{name} is reached after all, although {why}");
    }
    names.into_iter().filter(|name| !reached.contains(name.as_str()) && !is_excused(name)).collect()
}

#[test]
fn every_rule_of_a_room_says_no_in_a_transcript() {
    let names = source::of_rooms().into_keys().collect::<BTreeSet<_>>();
    assert!(names.len() > 90, "rules are found: {names:?}");
    assert_eq!(without(names, &rules(), OUT_OF_REACH), [""; 0]);
}

#[test]
fn every_guard_says_no_in_a_transcript() {
    let names: BTreeSet<_> = annals::policy::rule_docs().map(|doc| doc.rule.to_owned()).collect();
    assert!(names.len() > 15, "rules are found: {names:?}");
    let excused = [
        ("config.clock_too_late", "a log without the given clock has the machine's time; `given` shows it"),
        ("roster.not_the_user_here", "transcripts run in nobody's shell; `shell` shows it"),
    ];
    assert_eq!(without(names, &rules(), &excused), [""; 0]);
}

/// Control-room 3.2.
#[test]
fn every_circuit_breaker_says_no_in_a_transcript() {
    let names = BreakerRule::ALL.iter().map(|rule| format!("breakers.{rule}")).collect();
    // Too few different words where the text is long enough.
    assert_eq!(without(names, &rules(), &[]), [""; 0]);
}

#[test]
fn every_message_stands_in_a_transcript_as_its_rule_has_it() {
    let shown: BTreeSet<&str> = TOLD
        .iter()
        .flat_map(|told| &told.steps)
        .flat_map(|step| &step.printed)
        .filter_map(|line| line.strip_prefix("refused: "))
        .collect();
    let templates = source::of_rooms();
    for (rule, message) in refusals() {
        assert!(shown.contains(message.as_str()), "no transcript shows \"{message}\", of {rule}");
        if let Some(templates) = templates.get(rule) {
            let fits = templates.iter().any(|template| template.is_match(message));
            assert!(fits, "{rule} says \"{message}\", which is none of {templates:?}");
        }
    }
}

#[test]
fn every_event_happens_in_a_transcript() {
    let names = annals::domain::event_docs().map(|doc| doc.name.to_owned()).collect();
    let happened = TOLD.iter().flat_map(|told| &told.events).map(|(name, _)| name.as_str()).collect();
    assert_eq!(without(names, &happened, UNHEARD), [""; 0]);
}

/// The words that a field of an event had.
fn words(event: &str, field: &str) -> BTreeSet<&'static str> {
    let events = TOLD.iter().flat_map(|told| &told.events).filter(|(name, _)| name == event);
    events.filter_map(|(_, data)| data[field].as_str()).collect()
}

/// Where several policies make the same event happen, its fields tell them apart.
#[test]
fn every_cause_of_an_event_is_in_a_transcript() {
    fn all<W: Copy + ToString>(words: &[W]) -> BTreeSet<String> {
        words.iter().map(ToString::to_string).collect()
    }
    let check = |event, field, expected: BTreeSet<String>| {
        assert_eq!(without(expected, &words(event, field), &[]), [""; 0], "{event}, {field}");
    };
    check("credits.credit.awarded", "reason", all(credit::CreditReason::ALL));
    check("team.credit.awarded", "reason", all(team::TeamReason::ALL));
    check("advocate.assignment.made", "reason", all(DissentReason::ALL));
    check("advocate.assignment.expired", "ending", all(advocate::event::DissentEnding::ALL));
    check("reliability.level.changed", "to", all(reliability::WatchLevel::ALL));
    check("canon.anchor.outdated", "because", all(canon::event::Staleness::ALL));
    check("canon.conflict.resolved", "answer", all(canon::command::ConflictAnswer::ALL));
    check("moderation.assist.begun", "trigger", all(moderation::state::AssistTrigger::ALL));
    let lost =
        [blind::state::OpinionFate::Missing, blind::state::OpinionFate::Changed, blind::state::OpinionFate::Rejected];
    check("blind.opinion.lost", "fate", all(&lost));
}

/// Who hears of what: each kind of notice, and of issue that a rule opens.
#[test]
fn every_kind_of_notice_and_of_raised_issue_is_in_a_transcript() {
    let kinds = |event: &str, fact: &str| -> BTreeSet<&'static str> {
        let events = TOLD.iter().flat_map(|told| &told.events).filter(|(name, _)| name == event);
        let named = |(_, data): &'static (String, Value)| [data[fact]["kind"].as_str(), data[fact]["level"].as_str()];
        events.flat_map(named).flatten().collect()
    };
    let raised = ["dissent", "flagged", "freeze", "joined", "leech", "reliability", "watch"];
    assert_eq!(kinds("issues.issue.raised", "meta"), raised.into());
    let posted = [
        "analysis", "barred", "council", "debate", "escalation", "flagged", "freeze", "leech", "reliability", "swarm",
        "task", "unchallenged", "watch",
    ];
    assert_eq!(kinds("notices.notice.posted", "matter"), posted.into());
}

/// The last bar: what a transcript decided, comes out the same again; and the transcript ends by showing it.
#[test]
fn every_transcript_replays_without_a_difference() {
    for told in TOLD.iter() {
        let Some(replayed) = &told.replayed else { continue };
        let is_different = DIFFERENT.iter().any(|(name, _)| *name == told.name);
        assert_eq!(replayed.contains(" 0 differed"), !is_different, "{}: {replayed}", told.name);
        // Where its steps have a home, a session ends with a signature, for which there is no key here.
        let is_signed = told.name == "hivemind-days";
        if !told.events.is_empty() && !is_different && !is_signed {
            let last = told.steps.iter().rev().find(|step| step.arguments == ["replay", "--all"]);
            let shown = last.is_some_and(|step| step.printed.contains(replayed));
            assert!(shown, "{} does not show, at its end: {replayed}", told.name);
        }
    }
}

/// What would have come out under a stricter configuration can be seen.
#[test]
fn a_transcript_shows_what_the_strict_preset_would_change() {
    let strict = |arguments: &[String]| arguments == ["replay", "--all", "--set", "sanity.preset=strict"];
    let steps = TOLD.iter().flat_map(|told| &told.steps).filter(|step| strict(&step.arguments));
    let lines = steps.flat_map(|step| &step.printed);
    let counts = lines.filter(|line| line.contains(" under the other configuration: "));
    assert!(counts.into_iter().any(|line| !line.contains(" 0 otherwise")), "no transcript does");
}
