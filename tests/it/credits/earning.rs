//! What earns credits, what costs some, and what comes of citations that waited.

use annals::kernel::credits::Credits;
use serde_json::json;

use super::{apply, award, awards, cite, cite_because, credits, found, missing, open_by, resolve, tally};
use crate::control::desk::{Desk, REASONS, rule};

/// Control-room 11.4: what code verified earns by the formula.
/// Policy `citations::judge`.
#[test]
fn a_citation_earns_what_the_formula_says_and_a_false_one_costs() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let files = [found("a.rs", 1000), found("b.rs", 900), missing("c.rs")];
    let decided = cite(&mut desk, "writer", &issue, "challenge-consensus", &files);
    let expected = [
        award("writer", 1, "evidence-verified-precise"),
        award("writer", 1, "evidence-verified"),
        award("writer", -2, "evidence-failed-verification"),
    ];
    assert_eq!(awards(&decided), expected);
    assert_eq!((tally(&desk, "writer").verified, tally(&desk, "writer").cited), (2, 3));
}

/// Control-room 11.6, the table: fake files, fake quotes, and files cited for their own sake.
#[test]
fn fake_files_and_fake_quotes_cost_and_unprompted_citations_earn_nothing() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let fake_file = cite(&mut desk, "writer", &issue, "support-proposal", &[missing("a.rs")]);
    assert_eq!(awards(&fake_file), [award("writer", -2, "evidence-failed-verification")]);
    let fake_quote = cite(&mut desk, "critic", &issue, "support-proposal", &[found("a.rs", 700)]);
    assert_eq!(awards(&fake_quote), [award("critic", -2, "evidence-failed-verification")]);
    let five: Vec<_> = (0..5).map(|number| found(&format!("{number}.rs"), 1000)).collect();
    let unprompted = cite(&mut desk, "editor", &issue, "unprompted", &five);
    assert_eq!(awards(&unprompted), [award("editor", 0, "evidence-verified-precise")]);
    assert_eq!(tally(&desk, "editor").verified, 5, "they were right, all the same");
}

/// Decision 15: nobody's own word makes a citation worth more.
#[test]
fn what_an_author_says_of_its_own_citation_earns_no_more() {
    for (outcome, expected) in [("prevented-error", 1), ("led-to-file-change", 1), ("no-action", 0)] {
        let mut desk = Desk::staffed();
        let issue = desk.open("A lexer");
        let citation = json!({ "trigger": "verify-continuity", "trigger_ref": issue, "outcome": outcome });
        let decided = cite_because(&mut desk, "writer", &issue, &citation, &[found("a.rs", 1000)]);
        assert_eq!(awards(&decided), [award("writer", expected, "evidence-verified-precise")], "{outcome}");
    }
}

/// Control-room 11.2: a trigger is shown by the entry that it answers, and that is by somebody else.
#[test]
fn who_names_no_entry_of_somebody_else_was_not_asked() {
    let mut desk = Desk::staffed();
    let (issue, own) = (desk.open("A lexer"), open_by(&mut desk, "writer"));
    desk.comment("writer", &issue);
    let said = desk.rooms().issue.issue(&issue).expect("an issue").thread[0].id.to_string();
    let because = |entry: &str, by: Option<&str>| json!({ "trigger": "answer-to-question", "trigger_ref": entry, "triggered_by": by });
    for (where_to, citation, expected) in [
        (&issue, json!({ "trigger": "answer-to-question" }), 0),
        (&issue, json!({ "trigger": "answer-to-question", "triggered_by": "user" }), 0),
        (&issue, because(&said, None), 0),
        (&issue, because("01KAGMC4R00000000000000000", None), 0),
        (&issue, because(issue.as_str(), Some("writer")), 0),
        (&issue, because(issue.as_str(), Some("critic")), 0),
        (&own, because(own.as_str(), None), 0),
        (&own, because(issue.as_str(), None), 0),
        (&issue, because(issue.as_str(), Some("user")), 1),
    ] {
        let mut desk = desk.clone();
        desk.set("sanity.max_comments_per_agent_per_issue", &json!(9));
        let decided = cite_because(&mut desk, "writer", where_to, &citation, &[found("a.rs", 1000)]);
        assert_eq!(awards(&decided), [award("writer", expected, "evidence-verified-precise")], "{citation}");
    }
}

/// Control-room 11.4: a few letters stand in every file.
#[test]
fn a_short_quote_is_not_precise() {
    for (quote, reason) in [
        ("let a = 42;", "evidence-verified"),
        (" let  a =\n4; ", "evidence-verified"),
        ("let ab = 42;", "evidence-verified-precise"),
    ] {
        let mut desk = Desk::staffed();
        let issue = desk.open("A lexer");
        let files = json!([{ "path": "a.rs", "quote": quote }]);
        let fields = json!({ "issue": issue, "body": REASONS, "evidence": { "files": files } });
        let observed = json!({ "evidence": [found("a.rs", 1000)] });
        let decided = desk.ask_with("writer", "issues.comment.add", &fields, &observed);
        assert_eq!(awards(&decided), [award("writer", 0, reason)], "{quote}");
    }
}

/// Decision 11: an empty file neither earns nor costs.
#[test]
fn an_empty_file_is_neither_true_nor_false() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let empty = json!({ "path": "empty.rs", "exists": true, "lines_valid": true, "blank": true });
    assert_eq!(awards(&cite(&mut desk, "writer", &issue, "support-proposal", &[empty])), []);
}

/// Decision 15: what is as it was when it was cited shows no change.
/// Guard `credits::unchanged`.
#[test]
fn a_file_that_did_not_change_shows_nothing_applied() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("src/a.rs", 1000)]);
    let mark = json!({ "issue": issue, "usefulness": "applied", "file": "./src/a.rs" });
    let same = json!({ "shown": "found", "sha256": "sha of src/a.rs" });
    assert_eq!(rule(&desk.ask_with("critic", "issues.issue.mark", &mark, &same)), Some("issues.unchanged"));
    let changed = json!({ "shown": "found", "sha256": "another" });
    assert_eq!(rule(&desk.ask_with("critic", "issues.issue.mark", &mark, &changed)), None);
    let other = open_by(&mut desk, "writer");
    let mark = json!({ "issue": other, "usefulness": "applied", "file": "src/a.rs" });
    assert_eq!(rule(&desk.ask_with("critic", "issues.issue.mark", &mark, &same)), None, "nobody cited it there");
}

/// Decision 15: once per agent, file and issue, under whatever name the file goes.
#[test]
fn the_same_file_earns_once_on_an_issue() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let twice = [found("a.rs", 1000), found("./a.rs", 1000)];
    assert_eq!(awards(&cite(&mut desk, "writer", &issue, "support-proposal", &twice)).len(), 1);
    assert_eq!(credits(&desk, "writer"), Credits::whole(1));
    let mut copy = found("copy.rs", 1000);
    copy["sha256"] = json!("sha of a.rs");
    let again = cite(&mut desk, "writer", &issue, "support-proposal", &[copy]);
    assert_eq!(awards(&again), []);
    let other = desk.open("Another");
    assert_eq!(awards(&cite(&mut desk, "writer", &other, "support-proposal", &[found("a.rs", 1000)])).len(), 1);
}

#[test]
fn a_list_of_files_earns_no_more_than_five() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let many: Vec<_> = (0..200).map(|number| found(&format!("{number}.rs"), 1000)).collect();
    let decided = cite(&mut desk, "writer", &issue, "support-proposal", &many);
    assert_eq!(awards(&decided), [award("writer", 5, "evidence-verified-precise")]);
}

/// Control-room 11.5: what a breaker stops costs one.
/// Policy `credits::stopped`.
#[test]
fn a_stopped_comment_costs_one_whether_it_is_rejected_or_freezes() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let brief = desk.ask("writer", "issues.comment.add", &json!({ "issue": issue, "body": "Good idea" }));
    assert_eq!(awards(&brief), [award("writer", -1, "circuit-breaker-triggered")]);
    let alarm = format!("{REASONS} URGENT CRITICAL");
    let loud = desk.ask("writer", "issues.comment.add", &json!({ "issue": issue, "body": alarm }));
    assert_eq!(awards(&loud), [award("writer", -1, "circuit-breaker-triggered")]);
    assert_eq!(tally(&desk, "writer").penalty().count, 2);
}

/// Control-room 11.7: the resolution decides what waited; what it cites, or somebody else cited since, resolved the issue.
#[test]
fn citations_that_waited_are_worth_more_when_the_issue_is_resolved() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000), found("b.rs", 1000)]);
    cite(&mut desk, "critic", &issue, "resolve-conflict", &[found("c.rs", 1000)]);
    cite(&mut desk, "editor", &issue, "resolve-conflict", &[found("c.rs", 1000)]);
    let decided = resolve(&mut desk, "user", &issue, &[found("a.rs", 1000)]);
    let expected = [
        award("critic", 2, "evidence-outcome-upgrade"), // 1 → 3: another cited it
        award("editor", 1, "evidence-outcome-upgrade"), // 1 → 2: it informed the decision
        award("writer", 3, "evidence-outcome-upgrade"), // 1 → 3 and 1 → 2
        award("critic", 1, "comment-under-budget"),
        award("editor", 1, "comment-under-budget"),
        award("writer", 1, "comment-under-budget"),
    ];
    let mut got = awards(&decided);
    got.sort_by_key(|(agent, _, reason)| (std::cmp::Reverse(*reason), agent.clone()));
    assert_eq!(got, expected);
}

/// Decision 15: who resolves an issue does not make its own citations worth more by that.
#[test]
fn an_agent_that_resolves_an_issue_gains_nothing_from_that_alone() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    desk.comment("critic", &issue);
    let before = credits(&desk, "writer");
    let decided = resolve(&mut desk, "writer", &issue, &[found("a.rs", 1000)]);
    assert_eq!(decided.refusal, None);
    assert_eq!(awards(&decided), [award("critic", 1, "comment-under-budget")]);
    assert_eq!(credits(&desk, "writer"), before);
}

/// Control-room 11.7: work that was applied, as another found.
/// Policy `credits::marked`.
#[test]
fn applied_work_rewards_its_author_and_its_citations_once() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    let decided = json!({ "issue": issue, "force": "enough", "note": "done" });
    desk.expect("user", "issues.issue.resolve", &decided);
    let decided = apply(&mut desk, "critic", &issue);
    let expected = [award("writer", 1, "evidence-outcome-upgrade"), award("writer", 2, "issue-applied-in-work")];
    assert_eq!(awards(&decided), expected);
    desk.expect("user", "issues.issue.mark", &json!({ "issue": issue, "usefulness": "irrelevant" }));
    assert_eq!(awards(&apply(&mut desk, "critic", &issue)), []);
}

/// Control-room 11.6: usefulness is credited when somebody else finds it.
#[test]
fn an_author_that_marks_its_own_issue_as_applied_earns_nothing() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    desk.expect("user", "issues.issue.resolve", &json!({ "issue": issue, "force": "enough", "note": "done" }));
    assert_eq!(awards(&apply(&mut desk, "writer", &issue)), []);
    assert_eq!(desk.rooms().reliability.current(&"writer".into()).expect("a record").issues_applied, 0);
}

/// Control-room 11.5: what is marked before the issue is resolved is paid when it is.
/// Policy `credits::resolved`.
#[test]
fn work_that_was_applied_before_the_issue_was_resolved_is_paid_then() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    assert_eq!(awards(&apply(&mut desk, "critic", &issue)), []);
    let decided =
        desk.expect("user", "issues.issue.resolve", &json!({ "issue": issue, "force": "enough", "note": "done" }));
    assert_eq!(awards(&decided), [award("writer", 2, "issue-applied-in-work")]);
}

/// Control-room 11.5: an issue that went nowhere costs its author one, once, if one who leads says so.
#[test]
fn an_irrelevant_issue_costs_its_author_one_if_one_who_leads_says_so() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    let mark = json!({ "issue": issue, "usefulness": "irrelevant" });
    assert_eq!(awards(&desk.ask("critic", "issues.issue.mark", &mark)), []);
    apply(&mut desk, "critic", &issue);
    assert_eq!(awards(&desk.ask("mod", "issues.issue.mark", &mark)), [award("writer", -1, "issue-marked-leech")]);
    apply(&mut desk, "critic", &issue);
    assert_eq!(awards(&desk.ask("user", "issues.issue.mark", &mark)), []);
    assert_eq!(desk.rooms().reliability.current(&"writer".into()).expect("a record").issues_irrelevant, 1);
}

/// Control-room 11.5: a reopened issue pays its thrifty voices no second time.
#[test]
fn a_single_comment_is_rewarded_once() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    for agent in ["writer", "critic"] {
        desk.comment(agent, &issue);
    }
    desk.comment("critic", &issue);
    let note = json!({ "issue": issue, "force": "enough", "note": "done" });
    let decided = desk.expect("user", "issues.issue.resolve", &note);
    assert_eq!(awards(&decided), [award("writer", 1, "comment-under-budget")]);
    desk.expect("user", "issues.issue.reopen", &json!({ "issue": issue }));
    assert_eq!(awards(&desk.expect("user", "issues.issue.resolve", &note)), []);
}

#[test]
fn where_one_comment_is_all_there_is_making_one_is_no_merit() {
    let mut desk = Desk::staffed();
    desk.set("sanity.preset", &json!("strict"));
    let issue = desk.open("A lexer");
    desk.comment("writer", &issue);
    let decided =
        desk.expect("user", "issues.issue.resolve", &json!({ "issue": issue, "force": "enough", "note": "done" }));
    assert_eq!(awards(&decided), []);
}

/// Control-room 11.5: clean-unfreeze.
#[test]
fn an_issue_that_went_well_after_it_was_unfrozen_rewards_its_author() {
    for (frozen_again, expected) in [(false, vec![award("writer", 1, "clean-unfreeze")]), (true, vec![])] {
        let mut desk = Desk::staffed();
        let issue = open_by(&mut desk, "writer");
        desk.expect("mod", "issues.issue.freeze", &json!({ "issue": issue, "reason": "heated" }));
        desk.expect("mod", "issues.issue.unfreeze", &json!({ "issue": issue, "guidance": "name files" }));
        if frozen_again {
            desk.expect("mod", "issues.issue.freeze", &json!({ "issue": issue, "reason": "heated again" }));
        }
        let note = json!({ "issue": issue, "force": "enough", "note": "done" });
        let decided = desk.expect("user", "issues.issue.resolve", &note);
        assert_eq!(awards(&decided), expected);
    }
}

/// Control-room 12.4: what was earned with one model stays with it.
#[test]
fn a_citation_that_comes_to_something_later_counts_for_the_model_that_made_it() {
    let mut desk = Desk::staffed();
    desk.expect("user", "roster.agent.change", &json!({ "agent": "writer", "model": "small" }));
    let issue = desk.open("A lexer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    desk.expect("user", "roster.agent.change", &json!({ "agent": "writer", "model": "large" }));
    resolve(&mut desk, "user", &issue, &[found("a.rs", 1000)]);
    let note = json!({ "issue": issue, "force": "enough", "note": "done" });
    desk.expect("user", "issues.issue.resolve", &note);
    let records = &desk.rooms().credit.totals.records["writer"];
    let by_model: Vec<_> = records.iter().map(|(model, record)| (model.as_str(), record.lifetime.credits)).collect();
    assert_eq!(by_model, [("large", Credits::whole(1)), ("small", Credits::whole(2))]);
}

/// Control-room 11.5: hallucination-detected.
/// Policy `credits::refuted`.
#[test]
fn who_says_that_something_stands_where_nothing_is_made_it_up() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    for (observed, why, expected) in [
        (json!({ "shown": "missing" }), "issues.refuted", vec![award("writer", -3, "hallucination-detected")]),
        (json!({}), "issues.not_shown", vec![]),
    ] {
        let fields = json!({ "issue": issue, "usefulness": "applied", "file": "src/none.rs" });
        let decided = desk.ask_with("writer", "issues.issue.mark", &fields, &observed);
        assert_eq!((rule(&decided), awards(&decided)), (Some(why), expected));
    }
}

/// Control-room 11.2, 11.7: what is canon for the first time fills a gap; whoever makes it canon gains nothing by it.
/// Policy `credits::founded`.
#[test]
fn what_led_to_new_canon_is_worth_more() {
    let mut desk = Desk::staffed();
    let issue = desk.open("The colour of eyes");
    cite(&mut desk, "writer", &issue, "support-proposal", &[found("a.rs", 900)]);
    let promote = |text: &str| json!({ "issue": issue, "title": "Eyes", "key": "eyes", "text": text });
    let first = desk.expect("user", "canon.issue.promote", &promote("Amber."));
    assert_eq!(awards(&first), [award("writer", 1, "evidence-outcome-upgrade")]);
    let second = desk.expect("user", "canon.issue.promote", &promote("Amber, mostly."));
    assert_eq!(awards(&second), [], "the gap is filled");
}

/// Control-room 11.2: a search that found nothing, and a team that went by it.
#[test]
fn a_gap_that_others_decided_on_is_one() {
    let mut desk = Desk::staffed();
    let issue = desk.open("The colour of eyes");
    cite(&mut desk, "writer", &issue, "canon-gap-search", &[found("a.rs", 900)]);
    let note = json!({ "issue": issue, "force": "enough", "note": "nothing says so; amber" });
    let decided = desk.expect("user", "issues.issue.resolve", &note);
    assert_eq!(awards(&decided)[0], award("writer", 1, "evidence-outcome-upgrade"));
    let kept = &desk.rooms().credit.ledger(&issue).expect("a ledger").citations[0];
    assert_eq!(kept.cited.outcome.as_str(), "identified-canon-gap");
}

/// Control-room 11.5, 13, 15.1: a proposal that went through dissent, and dissent that was heeded; each once an issue.
#[test]
fn dissent_pays_who_asked_for_it_and_the_team_when_it_is_heeded() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    let mut said = Vec::new();
    desk.set("dissent.expires_after_comments", &json!(1));
    for file in ["a.rs", "b.rs"] {
        desk.expect("mod", "advocate.assignment.assign", &json!({ "issue": issue, "agent": "critic" }));
        let fields = json!({
            "issue": issue, "body": REASONS, "stance": "oppose", "evidence": { "files": [{ "path": file }] },
            "citation": { "trigger": "challenge-consensus" },
        });
        said.push(desk.ask_with("critic", "issues.comment.add", &fields, &json!({ "evidence": [found(file, 900)] })));
        desk.ask("mod", "advocate.assignment.release", &json!({ "issue": issue }));
    }
    let consulted: Vec<_> =
        said.iter().flat_map(awards).filter(|award| award.2 == "consulted-devils-advocate").collect();
    assert_eq!(consulted, [award("writer", 1, "consulted-devils-advocate")]);
    let decided = apply(&mut desk, "editor", &issue);
    let critic: i64 = awards(&decided).iter().filter(|award| award.0 == "critic").map(|award| award.1).sum();
    assert_eq!(critic, 4000, "two citations that prevented an error: from 1 to 3 each");
    assert_eq!(
        desk.rooms().team.totals.by_reason.keys().map(|reason| reason.as_str()).collect::<Vec<_>>(),
        ["successful-da-challenge"]
    );
}
