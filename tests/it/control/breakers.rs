//! Circuit breakers as a swarm meets them (control-room 3, 4, 5.2, 10).

use annals::domain::breaker::{Limits, Preset};
use annals::domain::issue::status::IssueStatus;
use annals::kernel::grounding::Impact;
use annals::kernel::id::IssueId;
use serde_json::{Value, json};

use super::desk::{Desk, REASONS, names, rule};

fn say(desk: &mut Desk, actor: &str, issue: &IssueId, body: &str) -> annals::domain::RoomsDecided {
    desk.ask(actor, "issues.comment.add", &json!({ "issue": issue, "body": body }))
}

/// So many characters with words enough.
fn text(length: usize) -> String {
    let words: String = (0..).map(|number| format!("word{number} ")).take(100).collect();
    words.chars().cycle().take(length).collect()
}

/// Control-room 3.2, worked cases "breakers.behaviour": authors A,B,A pass, A,B,A,B freezes.
/// Policy `breakers::freeze`.
#[test]
fn the_fourth_turn_of_two_agents_freezes() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for actor in ["critic", "writer", "critic"] {
        assert_eq!(rule(&desk.comment(actor, &issue)), None, "{actor}");
    }
    let decided = desk.comment("writer", &issue);
    assert_eq!(rule(&decided), Some("breakers.ping-pong-detected"));
    let frozen = ["breakers.comment.frozen", "issues.issue.frozen", "issues.issue.raised", "credits.credit.awarded"];
    assert_eq!(names(&decided), [&frozen[..], &["notices.notice.posted"; 2]].concat());
}

/// Decision 10: a third voice ends the run.
#[test]
fn a_third_voice_ends_the_alternation() {
    let mut desk = Desk::staffed();
    desk.set("sanity.max_comments_per_agent_per_issue", &json!(9));
    let issue = desk.open("Timeline");
    for actor in ["critic", "writer", "critic", "editor", "writer", "critic", "writer"] {
        assert_eq!(rule(&desk.comment(actor, &issue)), None, "{actor}");
    }
    assert_eq!(rule(&desk.comment("critic", &issue)), Some("breakers.ping-pong-detected"));
}

/// Control-room 3.2, rule 1; worked cases: the comment is not stored, the issue is frozen for 30 minutes, and the
/// moderator gets an issue with its four tags and high priority.
/// Policy `breakers::report`.
#[test]
fn the_third_comment_of_an_agent_freezes_and_is_reported() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for actor in ["critic", "writer", "editor", "critic"] {
        desk.comment(actor, &issue);
    }
    let decided = desk.comment("critic", &issue);
    assert_eq!(rule(&decided), Some("breakers.comment-budget-exceeded"));
    let row = desk.rooms().issue.issue(&issue).expect("known").clone();
    assert_eq!((row.thread.len(), row.status, row.freezes), (4, IssueStatus::Frozen, 1));
    let freeze = row.freeze.expect("a freeze");
    assert_eq!(freeze.until.since(freeze.at), 30 * 60_000);
    let raised: Value = decided.events[2].data().read().expect("JSON");
    let expected = json!({
        "issue": raised["issue"], "number": 2, "assignee": "mod",
        "priority": "high", "tags": ["#circuit-breaker", "#comment-budget-exceeded", "#issue-1", "#meta"],
        "meta": {
            "kind": "freeze", "about": issue, "rule": "comment-budget-exceeded",
            "check": {
                "rule": "comment-budget-exceeded", "value": 2, "limit": 2, "violation": "freeze", "found": { "agent": "critic" },
            },
            "recent": row.thread.iter().map(|remark| remark.id).collect::<Vec<_>>(),
            "by": "critic", "stopped": raised["meta"]["stopped"],
        },
    });
    assert_eq!(raised, expected);
    assert!(raised["meta"]["stopped"].is_string(), "which entry tripped it: {raised}");
}

/// Control-room 3.2, rule 2; worked cases: the report lists the last five comments.
#[test]
fn the_eleventh_comment_freezes_and_the_report_names_the_last_five() {
    let mut desk = Desk::staffed();
    for number in 0..12 {
        let add = json!({ "agent": format!("a{number}"), "role": "reviewer" });
        desk.expect("user", "roster.agent.add", &add);
    }
    let issue = desk.open("Timeline");
    for number in 0..10 {
        assert_eq!(rule(&desk.comment(&format!("a{number}"), &issue)), None, "{number}");
    }
    let decided = desk.comment("a10", &issue);
    assert_eq!(rule(&decided), Some("breakers.issue-comment-limit"));
    let raised: Value = decided.events[2].data().read().expect("JSON");
    assert_eq!(raised["meta"]["recent"].as_array().map(Vec::len), Some(5));
}

/// Control-room 3.2, rule 3; worked cases: 149 characters are too few, 150 are enough. Decision 8: characters.
#[test]
fn a_comment_needs_its_length_in_characters() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let decided = say(&mut desk, "critic", &issue, &text(149));
    assert_eq!(rule(&decided), Some("breakers.insufficient-substance"));
    assert_eq!(names(&decided), ["breakers.comment.rejected", "credits.credit.awarded"]);
    assert_eq!(rule(&say(&mut desk, "critic", &issue, &text(150))), None);
    let umlauts = text(150).replace('w', "ü");
    assert_eq!(rule(&say(&mut desk, "writer", &issue, &umlauts)), None);
}

/// Control-room 3.2, rule 4; decision 8: Unicode words, lower-cased, each once.
#[test]
fn a_comment_needs_its_different_words() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let words = |count: usize| {
        let some: Vec<String> = (0..count).map(|number| format!("höhe{number}_x")).collect();
        [some.join(" "), some.join(", ").to_uppercase(), ".".repeat(200)].join(" — ")
    };
    assert_eq!(rule(&say(&mut desk, "critic", &issue, &words(19))), Some("breakers.low-vocabulary"));
    assert_eq!(rule(&say(&mut desk, "critic", &issue, &words(20))), None);
}

/// Control-room 3.2, rule 5; decision 9: whole words, in any case, each keyword once.
#[test]
fn words_of_alarm_are_whole_and_counted_once() {
    let mut desk = Desk::staffed();
    for (more, expected) in [
        ("The mustard is essentially vitalised in an emergencyless way.", None),
        ("It must, must, MUST be so.", None),
        ("We need\nto move it.", None),
        ("It must be so, and that is vital.", Some("breakers.escalation-language")),
    ] {
        let issue = desk.open("Timeline");
        let decided = say(&mut desk, "critic", &issue, &format!("{REASONS} {more}"));
        assert_eq!(rule(&decided), expected, "{more}");
    }
}

/// Control-room 5.2 as a table, decision 11; with the worked case "impact structural, no evidence".
#[test]
fn impact_needs_evidence() {
    let (file, other) = (json!([{ "path": "a.rs" }]), "01KAGMC4R00000000000000000");
    for (impact, files, canon, expected) in [
        ("cosmetic", 0, 0, None),
        ("minor", 0, 0, None),
        ("structural", 0, 0, Some("breakers.missing-evidence-for-impact")),
        ("structural", 1, 0, None),
        ("structural", 0, 1, None),
        ("canon-changing", 0, 0, Some("breakers.missing-evidence-for-impact")),
        ("canon-changing", 1, 0, Some("breakers.missing-evidence-for-impact")),
        ("canon-changing", 0, 1, Some("breakers.missing-evidence-for-impact")),
        ("canon-changing", 1, 1, None),
    ] {
        let mut desk = Desk::staffed();
        let (issue, cited) = (desk.open("Timeline"), desk.open("Older"));
        let files = if files == 1 { file.clone() } else { json!([]) };
        let issues = if canon == 1 { json!([cited]) } else { json!([]) };
        let evidence = json!({ "files": files, "issues": issues });
        let fields = json!({ "issue": issue, "body": REASONS, "impact": impact, "evidence": evidence });
        let decided = desk.ask("critic", "issues.comment.add", &fields);
        assert_eq!(rule(&decided), expected, "{impact}: {evidence}");
        assert_eq!(desk.rooms().issue.issue(&issue).map(|issue| issue.status), Some(IssueStatus::Open));
        assert!(desk.rooms().issue.issue(&IssueId::from(other)).is_none());
    }
}

/// Decision 11: what code found false, an empty file, what nobody looked at, and the issue itself are no evidence.
#[test]
fn what_is_false_empty_or_the_issue_itself_is_no_evidence_for_impact() {
    let there = json!({ "path": "a.rs", "exists": true, "lines_valid": true, "sha256": "1" });
    let with = |key: &str, value: Value| {
        let mut found = there.clone();
        found[key] = value;
        json!([found])
    };
    for (found, is_evidence) in [
        (json!([there]), true),
        (with("exists", json!(false)), false),
        (with("lines_valid", json!(false)), false),
        (with("similarity", json!(400)), false),
        (with("blank", json!(true)), false),
        (json!([]), false),
    ] {
        let mut desk = Desk::staffed();
        let issue = desk.open("Timeline");
        let evidence = json!({ "files": [{ "path": "a.rs" }] });
        let fields = json!({ "issue": issue, "body": REASONS, "impact": "structural", "evidence": evidence });
        let decided = desk.ask_with("critic", "issues.comment.add", &fields, &json!({ "evidence": found }));
        let expected = (!is_evidence).then_some("breakers.missing-evidence-for-impact");
        assert_eq!(rule(&decided), expected, "{found}");
    }
    let mut desk = Desk::staffed();
    let (issue, other) = (desk.open("Timeline"), desk.open("Another"));
    for (impact, files, issues, is_evidence) in [
        ("structural", json!([]), json!([issue]), false),
        ("canon-changing", json!([{ "path": "a.rs" }]), json!([issue, issue]), false),
        ("canon-changing", json!([{ "path": "a.rs" }]), json!([issue, other]), true),
    ] {
        let evidence = json!({ "files": files, "issues": issues });
        let fields = json!({ "issue": issue, "body": REASONS, "impact": impact, "evidence": evidence });
        let expected = (!is_evidence).then_some("breakers.missing-evidence-for-impact");
        assert_eq!(rule(&desk.ask("critic", "issues.comment.add", &fields)), expected, "{impact}: {evidence}");
    }
}

/// Decision 11: missing evidence freezes where it is so configured, and in the strict preset.
#[test]
fn missing_evidence_freezes_where_it_should() {
    for (key, value) in [("sanity.freeze_on_missing_evidence", json!(true)), ("sanity.preset", json!("strict"))] {
        let mut desk = Desk::staffed();
        desk.set(key, &value);
        let issue = desk.open("Timeline");
        let fields = json!({ "issue": issue, "body": REASONS, "impact": "structural" });
        let decided = desk.ask("critic", "issues.comment.add", &fields);
        assert_eq!(names(&decided)[0], "breakers.comment.frozen", "{key}");
        assert_eq!(rule(&decided), Some("breakers.missing-evidence-for-impact"));
    }
}

/// Decision 6; worked cases: both kinds of violation reject, nothing is frozen, nothing is stored.
#[test]
fn a_rejection_beats_a_freeze() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let decided = say(&mut desk, "critic", &issue, "URGENT! CRITICAL!");
    assert_eq!(rule(&decided), Some("breakers.insufficient-substance"));
    assert_eq!(names(&decided), ["breakers.comment.rejected", "credits.credit.awarded"]);
    let rejected: Value = decided.events[0].data().read().expect("JSON");
    let rules: Vec<_> = rejected["violations"].as_array().expect("a list").iter().map(|check| &check["rule"]).collect();
    assert_eq!(rules, ["insufficient-substance", "low-vocabulary", "escalation-language"]);
    let row = desk.rooms().issue.issue(&issue).expect("known");
    assert_eq!((row.status, row.thread.len()), (IssueStatus::Open, 0));
}

/// Decision 7: the user and the system are exempt, and so is a resolution, once an agent and epoch.
#[test]
fn the_rules_bind_agents_and_not_a_first_resolution() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for actor in ["user", "system", "user", "system", "user"] {
        assert_eq!(rule(&say(&mut desk, actor, &issue, "URGENT! CRITICAL!")), None, "{actor}");
    }
    let resolve = json!({ "issue": issue, "note": "Done." });
    assert_eq!(rule(&desk.ask("writer", "issues.issue.resolve", &resolve)), None);
    let issue = desk.open("Timeline");
    desk.set("sanity.min_turns_before_resolution", &json!(1));
    let resolve = json!({ "issue": issue, "note": format!("URGENT! CRITICAL! {REASONS}") });
    assert_eq!(rule(&desk.ask("writer", "issues.issue.resolve", &resolve)), None);
    desk.expect("user", "issues.issue.reopen", &json!({ "issue": issue }));
    assert_eq!(rule(&desk.ask("writer", "issues.issue.resolve", &resolve)), Some("breakers.escalation-language"));
}

/// Control-room 10.1.
#[test]
fn presets_have_the_values_of_their_table() {
    let values = |preset| {
        let Limits { max_per_agent, max_total, min_length, max_keywords, evidence_from, .. } = Limits::of(preset);
        (max_per_agent, max_total, min_length, max_keywords, evidence_from)
    };
    assert_eq!(values(Preset::Engineering), (30, 60, 20, 2, Impact::Structural));
    assert_eq!(values(Preset::Light), (4, 20, 50, 3, Impact::CanonChanging));
    assert_eq!(values(Preset::Standard), (2, 10, 150, 1, Impact::Structural));
    assert_eq!(values(Preset::Strict), (1, 6, 250, 0, Impact::Minor));
}

/// Control-room 10.2: a project overrides single values of its preset.
#[test]
fn a_value_of_the_project_wins_over_the_preset() {
    let mut desk = Desk::staffed();
    desk.set("sanity.preset", &json!("strict"));
    desk.set("sanity.max_comments_per_agent_per_issue", &json!(2));
    let limits = Limits::in_force(&desk.rooms().config.settings);
    assert_eq!(limits, Limits { max_per_agent: 2, echo: false, ..Limits::of(Preset::Strict) });
}

/// Improvement D: who keeps escalating may use fewer words of alarm, for a while.
#[test]
fn an_agent_that_keeps_escalating_is_dampened() {
    let mut desk = Desk::staffed();
    desk.set("sanity.max_escalation_keywords_per_comment", &json!(2));
    let two = format!("{REASONS} It must be so, and that is vital.");
    let three = format!("{two} It is a disaster.");
    let (first, second) = (desk.open("One"), desk.open("Two"));
    assert_eq!(rule(&say(&mut desk, "critic", &first, &two)), None);
    assert_eq!(rule(&say(&mut desk, "critic", &first, &three)), Some("breakers.escalation-language"));
    assert_eq!(rule(&say(&mut desk, "critic", &second, &two)), Some("breakers.escalation-language"), "dampened");
    let third = desk.open("Three");
    assert_eq!(rule(&say(&mut desk, "writer", &third, &two)), None, "others are not");
    desk.now += 24 * 60;
    assert_eq!(rule(&say(&mut desk, "critic", &third, &two)), None, "a day later");
}

/// Control-room 4.1, in words of our own: seven short shouts, of which none gets through.
#[test]
fn an_echo_chamber_says_nothing() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let shouts =
        ["Nice plan", "A splendid plan", "We MUST have it", "It is VITAL", "At once!", "DISASTER looms!", "Run!"];
    for (number, shout) in (0..).zip(shouts) {
        let actor = ["critic", "writer"][number % 2];
        assert!(rule(&say(&mut desk, actor, &issue, shout)).is_some(), "{shout}");
    }
    assert_eq!(desk.rooms().issue.issue(&issue).map(|issue| issue.thread.len()), Some(0));
}
